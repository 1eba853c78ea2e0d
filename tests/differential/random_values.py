"""Random attribute values, paths and expression trees from small pools, so that things collide."""

import base64

POOLS = {
    "S": ["", "k", "ka", "kab", "b", "é", "z\U00010348", "\uffee"],
    "N": ["0", "1", "2", "10", "-1.5", "0.1", "1e3", "12345678901234567890123456789012345678",
          "-0.00000000000000000000000000000000000012345", "9.9e125", "1e-130"],
    "B": [b"", b"\0", b"\0\1", b"\x7f", b"\xff", b"k"],
}
KEY_POOLS = {
    "S": ["k", "ka", "b", "é", "kab", "\uffee", "z\U00010348"],
    "N": ["1", "2", "10", "-1.5", "12345678901234567890123456789012345678", "0", "1e-130"],
    "B": [b"\0", b"\0\1", b"\xff", b"\x7f", b"k"],
}
BAD_NUMBERS = ["1e126", "1e-131", "123456789012345678901234567890123456789"]
ATTRIBUTES = ["a", "b", "c", "d", "g", "s", "name"]
PATHS = [["a"], ["a", "x"], ["a", "y"], ["a", "y", 0], ["a", "name"], ["a", "name", "x"], ["b"],
         ["b", 0], ["b", 1], ["b", 1, "x"], ["b", 3], ["c"], ["d"], ["g"], ["s"], ["name"],
         ["name", "x"], ["size"]]
COMPARISONS = ["=", "<>", "<", "<=", ">", ">="]
TYPE_NAMES = ["S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"]


def wire(kind, content):
    return {kind: base64.b64encode(content).decode() if isinstance(content, bytes) else content}


class RandomValues:
    """Draws from one random.Random."""

    def __init__(self, chance):
        self.chance = chance

    def maybe(self, share):
        return self.chance.random() < share

    def key(self, kind):
        return wire(kind, self.chance.choice(KEY_POOLS[kind]))

    def partition(self, kind):
        """A key of which some are much more frequent: there partitions and ties grow."""
        pool = KEY_POOLS[kind]
        return wire(kind, pool[int(len(pool) * self.chance.random() ** 3)])

    def scalar(self, kinds="SNB"):
        kind = self.chance.choice(kinds)
        if kind == "N" and self.maybe(0.01):
            return wire("N", self.chance.choice(BAD_NUMBERS))
        return wire(kind, self.chance.choice(POOLS[kind]))

    def number(self):
        return wire("N", self.chance.choice(POOLS["N"][:8]))

    def set(self):
        kind = self.chance.choice("SNB")
        members = self.chance.sample(POOLS[kind][1:5], self.chance.randint(1, 3))
        if self.maybe(0.02):
            members = self.chance.choice([[], members + members[:1]])
        return {kind + "S": [wire(kind, each)[kind] for each in members]}

    def value(self, depth=2):
        """Any value, nested as deep as `depth`."""
        kind = self.chance.choice(["scalar"] * 4 + ["set", "BOOL", "NULL"] + ["L", "M"] * depth)
        if kind == "scalar":
            return self.scalar()
        if kind == "set":
            return self.set()
        if kind == "BOOL":
            return {"BOOL": self.maybe(0.5)}
        if kind == "NULL":
            return {"NULL": True}
        return self.list(depth - 1) if kind == "L" else self.map(depth - 1)

    def list(self, depth=1):
        return {"L": [self.value(depth) for _ in range(self.chance.randint(0, 3))]}

    def map(self, depth=1):
        names = [name for name in ("x", "y", "name") if self.maybe(0.6)]
        return {"M": {name: self.value(depth) for name in names}}

    def attribute(self, name, types):
        """A value that often has the type that paths and indexes want of the attribute."""
        if name in types:
            return self.scalar() if self.maybe(0.03) else self.partition(types[name])
        if self.maybe(0.15):
            return self.value()
        if name == "a":
            return {"M": {"x": self.number(), "y": self.list(), "name": self.map()}}
        if name == "b":
            return {"L": [self.scalar(), self.map()] + [self.scalar()] * self.chance.randint(0, 2)}
        if name == "c":
            return self.number()
        return self.set() if name == "d" else self.scalar()

    def path(self, extra=()):
        return self.chance.choice(PATHS + [[name] for name in extra])

    def paths(self, extra=()):
        return [self.path(extra) for _ in range(self.chance.randint(1, 3))]

    def condition(self, paths, depth=2):
        """A tree of conditions on the paths."""
        kind = self.chance.choice(["and", "or", "not"] * depth + ["leaf"] * 5)
        if kind == "not":
            return [kind, self.condition(paths, depth - 1)]
        if kind != "leaf":
            return [kind, self.condition(paths, depth - 1), self.condition(paths, depth - 1)]
        return self._leaf(paths)

    def _leaf(self, paths):
        path = self.chance.choice(paths)
        kind = self.chance.choice(COMPARISONS * 2 + [
            "between", "in", "attribute_exists", "attribute_not_exists", "attribute_type",
            "begins_with", "contains", "contains", "size", "size"])
        subject = {"path": path}
        if kind == "size":
            return self._size_leaf(path)
        if kind in ("attribute_exists", "attribute_not_exists"):
            return [kind, subject]
        if kind == "attribute_type":
            return [kind, subject, {"value": wire("S", self.chance.choice(TYPE_NAMES))}]
        if kind == "between":
            return [kind, subject, *self._bounds(path)]
        if kind == "in":
            return [kind, subject, [self._operand(paths, path, "=")
                                    for _ in range(self.chance.randint(1, 3))]]
        return [kind, subject, self._operand(paths, path, kind)]

    def _size_leaf(self, path):
        kind = self.chance.choice(COMPARISONS + ["between", "in"])
        low, high = ({"value": wire("N", str(number))}
                     for number in sorted(self.chance.choices(range(5), k=2)))
        if kind == "between":
            return [kind, {"size": path}, low, high]
        if kind == "in":
            return [kind, {"size": path}, [low, high]]
        if self.maybe(0.2):
            return [kind, {"path": path}, {"size": ["name"]}]
        return [kind, {"size": path}, low]

    def _operand(self, paths, subject, kind):
        """What a path is compared with."""
        if self.maybe(0.15):
            return {"path": self.chance.choice(paths)}
        if kind in ("=", "<>") and self.maybe(0.5):
            return {"value": self.attribute(subject[0], {}) if len(subject) == 1 else self.value(1)}
        if kind == "begins_with" and self.maybe(0.9):
            return {"value": self.scalar("SB")}
        if self.maybe(0.02):
            return {"value": self.value()}
        return {"value": self.scalar("N" if subject[-1] in ("c", "x") else "SNB")}

    def _bounds(self, path):
        kind = "N" if path[-1] in ("c", "x") else self.chance.choice("SNB")
        bounds = [{"value": self.scalar(kind)} for _ in range(2)]
        return bounds if self.maybe(0.05) else sorted(bounds, key=_bound_order)

    def update(self, changed):
        """An update of the paths."""
        update = {}
        for path in self.chance.sample(changed, self.chance.randint(1, 3)):
            clause = self.chance.choice(["set"] * 5 + ["remove"] * 2 + ["add", "delete"])
            if clause in ("add", "delete") and len(path) > 1:
                clause = "set"
            update.setdefault(clause, []).append(self._action(clause, path))
        return update

    def _action(self, clause, path):
        if clause == "remove":
            return path
        if clause == "set":
            return [path, self._expression(path)]
        if path == ["c"] or clause == "add" and self.maybe(0.2):
            return [path, self.number()]
        return [path, self.set() if self.maybe(0.97) else self.value()]

    def _expression(self, path):
        kind = self.chance.choice(["value"] * 3 + ["path", "sum", "sum", "if_not_exists", "append"])
        if kind == "sum" or path[-1] in ("c", "x") and self.maybe(0.6):
            operator = self.chance.choice("+-")
            return [operator, self._term(path, self.number()), self._term(path, self.number())]
        if kind == "path":
            return {"path": self.path()}
        if kind == "if_not_exists":
            return {kind: [self.chance.choice([path, self.path()]), {"value": self.value()}]}
        if kind == "append":
            terms = [self._term(self.chance.choice([["b"], ["a", "y"]]), self.list()),
                     {"value": self.list()}]
            if self.maybe(0.05):
                terms[1] = {"list_append": [{"value": self.list()}, {"value": self.list()}]}
                if self.maybe(0.5):
                    terms[1] = {"if_not_exists": [path, terms[1]]}
            self.chance.shuffle(terms)
            return {"list_append": terms}
        return {"value": self.attribute(path[0], {}) if len(path) == 1 else self.value()}

    def _term(self, path, value):
        """The path, the value, or the value where the path leads nowhere."""
        kind = self.chance.choice(["path", "value", "if_not_exists"])
        if kind == "if_not_exists":
            return {kind: [path, {"value": value}]}
        return {"path": path} if kind == "path" else {"value": value}


def _bound_order(bound):
    (kind, content), = bound["value"].items()
    if kind == "N":
        return float(content)
    return base64.b64decode(content) if kind == "B" else content.encode()
