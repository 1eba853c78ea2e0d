"""Expression trees as the texts that the service reads, with their # and : names.

A step's `style` varies the spelling, never the meaning: bare names where no word is reserved, as
few parentheses as the precedence allows, keywords in lower case, equal values under one name.
"""

BARE_NAMES, FEW_PARENTHESES, LOWER_CASE, SHARED_VALUES = 1, 2, 4, 8
STYLES = 16

RESERVED = {"name", "size"}  # Those of the programs' attribute names that are reserved words.
BINDING = {"or": 1, "and": 2, "not": 3}  # Stronger is higher; what has no entry is a leaf.
LEAF = 4


class Renderer:
    """Makes the texts of one request and gathers the names that they use."""

    def __init__(self, style=0):
        self.style = style
        self.names = {}
        self.values = {}

    def members(self):
        """The request's members for what was rendered."""
        members = {}
        if self.names:
            members["ExpressionAttributeNames"] = dict(self.names)
        if self.values:
            members["ExpressionAttributeValues"] = dict(self.values)
        return members

    def path(self, path):
        text = ""
        for step in path:
            if isinstance(step, int):
                text += f"[{step}]"
            else:
                text += ("." if text else "") + self._name(step)
        return text

    def projection(self, paths):
        return ", ".join(self.path(path) for path in paths)

    def condition(self, tree):
        kind, *parts = tree
        if kind == "not":
            return f"{self._word('NOT')} {self._nested(parts[0], kind)}"
        if kind in BINDING:
            return f" {self._word(kind)} ".join(self._nested(each, kind) for each in parts)
        if kind == "between":
            value, low, high = (self._operand(each) for each in parts)
            return f"{value} {self._word('BETWEEN')} {low} {self._word('AND')} {high}"
        if kind == "in":
            listed = ", ".join(self._operand(each) for each in parts[1])
            return f"{self._operand(parts[0])} {self._word('IN')} ({listed})"
        rendered = [self._operand(each) for each in parts]
        if kind[0].isalpha():
            return f"{kind}({', '.join(rendered)})"
        return f"{rendered[0]} {kind} {rendered[1]}"

    def update(self, update):
        clauses = []
        if update.get("set"):
            clauses.append(self._word("SET") + " " + ", ".join(
                f"{self.path(path)} = {self._expression(expression)}"
                for path, expression in update["set"]))
        if update.get("remove"):
            clauses.append(self._word("REMOVE") + " " + self.projection(update["remove"]))
        for clause in ("add", "delete"):
            if update.get(clause):
                clauses.append(self._word(clause.upper()) + " " + ", ".join(
                    f"{self.path(path)} {self.value(wire)}" for path, wire in update[clause]))
        return " ".join(clauses)

    def value(self, wire):
        if self.style & SHARED_VALUES:
            for name, known in self.values.items():
                if known == wire:
                    return name
        name = f":v{len(self.values)}"
        self.values[name] = wire
        return name

    def _name(self, name):
        if self.style & BARE_NAMES and name not in RESERVED:
            return name
        self.names["#" + name] = name
        return "#" + name

    def _word(self, word):
        return word.lower() if self.style & LOWER_CASE else word.upper()

    def _nested(self, tree, outside):
        text = self.condition(tree)
        if self.style & FEW_PARENTHESES and BINDING.get(tree[0], LEAF) > BINDING[outside]:
            return text
        return f"({text})"

    def _operand(self, operand):
        if "value" in operand:
            return self.value(operand["value"])
        return self.path(operand["path"]) if "path" in operand else (
            f"size({self.path(operand['size'])})")

    def _expression(self, expression):
        if isinstance(expression, dict):
            return self._term(expression)
        operator, left, right = expression
        return f"{self._term(left)} {operator} {self._term(right)}"

    def _term(self, term):
        if "if_not_exists" in term:
            path, other = term["if_not_exists"]
            return f"if_not_exists({self.path(path)}, {self._term(other)})"
        if "list_append" in term:
            return "list_append(" + ", ".join(map(self._term, term["list_append"])) + ")"
        return self._operand(term)
