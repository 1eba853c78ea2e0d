"""What a step may look like. Programs that were cut in pieces are held to it before they run."""

import values

ARITIES = {"and": 2, "or": 2, "not": 1, "between": 3, "in": 2, "attribute_exists": 1,
           "attribute_not_exists": 1, "attribute_type": 2, "begins_with": 2, "contains": 2,
           **{kind: 2 for kind in ("=", "<>", "<", "<=", ">", ">=")}}
NEVER_EMPTY = ("projection", "writes", "reads", "keys", "limits", "set", "remove", "add", "delete")
BOUNDS = {"between": 2}  # Of a condition on the sort key; all others have one.


PROJECTIONS = {"ALL": (1,), "KEYS_ONLY": (1,), "INCLUDE": (2, 3)}  # With how many words.


class Malformed(Exception):
    """No step of this language."""


# What a check, or anything else, may raise when it looks at a step that was cut in pieces.
MALFORMED = (Malformed, KeyError, IndexError, TypeError, ValueError, AttributeError)


def check(step):
    """Raises one of MALFORMED for what is no step."""
    for name in NEVER_EMPTY:
        if name in step and not step[name]:
            raise Malformed(name)
    for name in ("condition", "filter"):
        if name in step:
            _check_condition(step[name])
    for path in step.get("projection", []):
        _check_path(path)
    if "range_condition" in step:
        kind, *bounds = step["range_condition"]
        if kind not in ARITIES or len(bounds) != BOUNDS.get(kind, 1):
            raise Malformed(kind)
    for member in ("item", "key", "start", "equals"):
        for wire in step.get(member, {}).values():
            _check_value(wire)
    for wire in [*step.get("range_condition", [])[1:], *_present(step, "hash_value")]:
        _check_value(wire)
    if "update" in step:
        _check_update(step["update"])
    if step.get("segments", 1) < 1:
        raise Malformed("segments")
    for index in [*step.get("global", []), *step.get("local", [])]:
        _check_index(index)
    if step["do"] == "add_index":
        _check_index(step["index"])
    for each in step.get("writes", []):
        check(each)
    for each in step.get("reads", []) if isinstance(step.get("reads"), list) else []:
        check({"do": "get", **each})
    for each in step["reads"].values() if isinstance(step.get("reads"), dict) else []:
        check({"do": "get", **each})
        if not each["keys"]:
            raise Malformed("keys")


def _check_index(index):
    kind, *_ = index["projection"]
    if len(index["projection"]) not in PROJECTIONS[kind]:
        raise Malformed(kind)
    if "more_ranges" in index and "range" not in index:
        raise Malformed("more_ranges")


def _present(step, member):
    return [step[member]] if member in step else []


def _check_path(path):
    if not isinstance(path, list) or not path or not isinstance(path[0], str):
        raise Malformed("path")


def _check_value(wire):
    (kind, content), = wire.items()
    if kind not in values.TYPES:
        raise Malformed(kind)
    if kind == "L":
        for each in content:
            _check_value(each)
    elif kind == "M":
        for each in content.values():
            _check_value(each)
    elif (kind in values.SETS) != isinstance(content, list):
        raise Malformed(kind)


def _check_operand(operand):
    (kind, content), = operand.items()
    if kind == "value":
        _check_value(content)
    elif kind in ("path", "size"):
        _check_path(content)
    else:
        raise Malformed(kind)


def _check_condition(tree):
    kind, *parts = tree
    if len(parts) != ARITIES[kind]:
        raise Malformed(kind)
    if kind in ("and", "or", "not"):
        for each in parts:
            _check_condition(each)
        return
    operands = [parts[0], *parts[1]] if kind == "in" else parts
    if len(operands) < len(parts):
        raise Malformed(kind)
    for each in operands:
        _check_operand(each)


def _check_update(update):
    if any(not clause for clause in update.values()):
        raise Malformed("update")
    for path in update.get("remove", []):
        _check_path(path)
    for clause in ("add", "delete"):
        for path, wire in update.get(clause, []):
            _check_path(path)
            _check_value(wire)
    for path, expression in update.get("set", []):
        _check_path(path)
        terms = [expression]
        if isinstance(expression, list):
            operator, *terms = expression
            if operator not in "+-" or len(terms) != 2:
                raise Malformed("sum")
        for term in terms:
            _check_term(term)


def _check_term(term):
    (kind, content), = term.items()
    if kind == "if_not_exists":
        path, other = content
        _check_path(path)
        _check_term(other)
    elif kind == "list_append":
        head, tail = content
        _check_term(head)
        _check_term(tail)
    elif kind == "size":
        raise Malformed(kind)
    else:
        _check_operand(term)
