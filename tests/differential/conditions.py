"""Condition and filter expressions as trees, and whether an item meets them.

    condition = ["and" | "or", condition, condition] | ["not", condition]
              | ["=" | "<>" | "<" | "<=" | ">" | ">=", operand, operand]
              | ["between", operand, operand, operand] | ["in", operand, [operand, …]]
              | ["attribute_exists" | "attribute_not_exists", operand]
              | ["attribute_type" | "begins_with" | "contains", operand, operand]
    operand   = {"path": path} | {"value": wire value} | {"size": path}
"""

import values
from paths import find
from values import ORDERED, Undecided, invalid

INEQUALITIES = {"<": lambda left, right: left < right, "<=": lambda left, right: left <= right,
                ">": lambda left, right: left > right, ">=": lambda left, right: left >= right}


def check(condition):
    """Refuses what the service refuses whatever the item is."""
    kind = condition[0]
    if kind in ("and", "or", "not"):
        for each in condition[1:]:
            check(each)
        return
    operands = operands_of(condition)
    literals = [values.parse(each["value"]) for each in operands if "value" in each]
    if any("value" in each for each in operands[:1]):
        raise Undecided("a literal as first operand")
    if operands[0] in operands[1:]:
        _check_distinct(kind)
    CHECKS.get(kind, lambda _: None)(literals)


def operands_of(condition):
    """The operands of a condition that is not made of conditions."""
    if condition[0] == "in":
        return [condition[1], *condition[2]]
    return condition[1:]


def paths_of(condition):
    """Every path that the condition mentions."""
    if condition[0] in ("and", "or", "not"):
        return [path for each in condition[1:] for path in paths_of(each)]
    operands = operands_of(condition)
    return [each.get("path") or each["size"] for each in operands if "value" not in each]


def _check_distinct(kind):
    if kind == "contains":
        raise invalid()
    raise Undecided("an operand compared with itself")


def _check_ordered(literals):
    if any(kind not in ORDERED for kind, _ in literals):
        raise invalid()


def _check_between(literals):
    _check_ordered(literals)
    if len(literals) == 2:
        low, high = literals
        if low[0] != high[0] or values.order(low) > values.order(high):
            raise invalid()


def _check_type(literals):
    if literals[0][0] != "S" or literals[0][1] not in values.TYPES:
        raise invalid()


def _check_prefix(literals):
    if any(kind not in ("S", "B") for kind, _ in literals):
        raise invalid()


CHECKS = {"between": _check_between, "attribute_type": _check_type, "begins_with": _check_prefix,
          **{kind: _check_ordered for kind in INEQUALITIES}}


def holds(condition, item):
    """Whether the item, a dict that is empty when there is none, meets a checked condition."""
    kind, *parts = condition
    if kind == "and":
        return all([holds(each, item) for each in parts])
    if kind == "or":
        return any([holds(each, item) for each in parts])
    if kind == "not":
        return not holds(parts[0], item)
    found = [evaluate(each, item) for each in operands_of(condition)]
    return HOLDS[kind](*found)


def evaluate(operand, item):
    """A value, or None when there is nothing at the path or it has no size."""
    if "value" in operand:
        return values.parse(operand["value"])
    if "path" in operand:
        return find(item, operand["path"])
    value = find(item, operand["size"])
    length = values.size(value) if value else None
    return None if length is None else ("N", values.number(str(length)))


def _equal(left, right):
    return left is not None and left == right


def _unequal(left, right):
    if left is None and right is None:
        raise Undecided("whether nothing differs from nothing")
    return left != right


def _inequality(compare):
    def apply(left, right):
        if left is None or right is None or left[0] != right[0] or left[0] not in ORDERED:
            return False
        return compare(values.order(left), values.order(right))
    return apply


def _between(value, low, high):
    at_most = HOLDS["<="]
    return at_most(low, value) and at_most(value, high)


def _is_type(value, name):
    return value is not None and value[0] == name[1]


def _begins_with(value, prefix):
    if value is None or prefix is None or value[0] != prefix[0] or value[0] not in ("S", "B"):
        return False
    return value[1].startswith(prefix[1])


def _contains(value, part):
    if value is None or part is None:
        return False
    kind, content = value
    if kind in ("S", "B"):
        return part[0] == kind and part[1] in content
    if kind in values.SETS:
        return part[0] == values.SETS[kind] and part[1] in content
    return kind == "L" and part in content


HOLDS = {
    "=": _equal,
    "<>": _unequal,
    **{kind: _inequality(compare) for kind, compare in INEQUALITIES.items()},
    "between": _between,
    "in": lambda value, *others: any(_equal(value, other) for other in others),
    "attribute_exists": lambda value: value is not None,
    "attribute_not_exists": lambda value: value is None,
    "attribute_type": _is_type,
    "begins_with": _begins_with,
    "contains": _contains,
}
