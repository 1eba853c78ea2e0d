"""Update expressions as trees, and what they make of an item.

    update     = {"set": [[path, expression], …], "remove": [path, …],
                  "add": [[path, wire value], …], "delete": [[path, wire value], …]}
    expression = ["+" | "-", term, term] | term
    term       = {"path": path} | {"value": wire value}
               | {"if_not_exists": [path, term]} | {"list_append": [term, term]}

Every clause is optional. All expressions see the item as it was before.
"""

import copy

import values
from paths import find, refuse_overlap
from values import NUMBERS, Undecided, checked, invalid


def paths_of(update):
    """The paths that the update changes."""
    changed = [path for clause in ("set", "add", "delete") for path, _ in update.get(clause, [])]
    return changed + update.get("remove", [])


def check(update):
    """Refuses what the service refuses whatever the item is."""
    refuse_overlap(paths_of(update))
    for _, expression in update.get("set", []):
        _check_expression(expression)
    for _, wire in update.get("add", []):
        if values.parse(wire)[0] not in ("N", *values.SETS):
            raise invalid()
    for _, wire in update.get("delete", []):
        if values.parse(wire)[0] not in values.SETS:
            raise invalid()


def _check_expression(expression):
    if isinstance(expression, list):
        for term in expression[1:]:
            _check_term(term, "N")
    else:
        _check_term(expression, None)


def _holds_list_append(term):
    return "list_append" in term or (
        "if_not_exists" in term and _holds_list_append(term["if_not_exists"][1]))


def _check_term(term, wanted):
    if "value" in term:
        kind = values.parse(term["value"])[0]
        if wanted and kind != wanted:
            raise invalid()
    elif "list_append" in term:
        if wanted and wanted != "L":
            raise invalid()
        for each in term["list_append"]:
            if _holds_list_append(each):
                raise invalid()
            _check_term(each, "L")
    elif "if_not_exists" in term:
        other = term["if_not_exists"][1]
        if wanted and "value" in other and values.parse(other["value"])[0] != wanted:
            raise Undecided("a substitute of the wrong type that may not be used")
        _check_term(other, None)


def apply(update, item):
    """A new item after a checked update. Refuses what does not fit the item."""
    after = copy.deepcopy(item)
    results = [(path, _evaluate(expression, item)) for path, expression in update.get("set", [])]
    # An element beyond the end is appended, the lowest index first.
    for path, value in sorted(results, key=lambda each: _indexes_last(each[0])):
        _set(after, path, copy.deepcopy(value))
    for path, wire in update.get("add", []):
        _set(after, path, _add(find(item, path), values.parse(wire)))
    for path, wire in update.get("delete", []):
        _delete(after, path, values.parse(wire))
    # From the end of a list to its start: an index means the element that had it before.
    for path in sorted(update.get("remove", []), key=_indexes_last, reverse=True):
        _remove(after, item, path)
    return after


def _indexes_last(path):
    return [(isinstance(step, int), str(step) if isinstance(step, str) else step)
            for step in path]


def _evaluate(expression, item):
    if isinstance(expression, dict):
        return _term(expression, item)
    operator, left, right = expression
    left, right = _term(left, item), _term(right, item)
    if left[0] != "N" or right[0] != "N":
        raise invalid()
    compute = NUMBERS.add if operator == "+" else NUMBERS.subtract
    return "N", checked(compute(left[1], right[1]))


def _term(term, item):
    """The value of a term. Refuses a path that leads nowhere."""
    if "value" in term:
        return values.parse(term["value"])
    if "path" in term:
        value = find(item, term["path"])
        if value is None:
            raise invalid()
        return value
    if "if_not_exists" in term:
        path, other = term["if_not_exists"]
        return find(item, path) or _term(other, item)
    head, tail = (_term(each, item) for each in term["list_append"])
    if head[0] != "L" or tail[0] != "L":
        raise invalid()
    return "L", head[1] + tail[1]


def _parent(item, path):
    """What holds the last step of a path: a dict or a list that may be changed."""
    parent = find(item, path[:-1])
    wanted = "M" if isinstance(path[-1], str) else "L"
    if parent is None or parent[0] != wanted:
        raise invalid()
    return parent[1]


def _set(item, path, value):
    parent, step = _parent(item, path), path[-1]
    if isinstance(step, int) and step >= len(parent):
        parent.append(value)
    else:
        parent[step] = value


def _add(old, value):
    if old is None:
        return value
    if old[0] != value[0]:
        raise invalid()
    if value[0] == "N":
        return "N", checked(NUMBERS.add(old[1], value[1]))
    return value[0], old[1] | value[1]


def _delete(item, path, value):
    old = find(item, path)
    if old is None:
        return
    if old[0] != value[0]:
        raise invalid()
    left = old[1] - value[1]
    if left:
        _parent(item, path)[path[-1]] = (old[0], left)
    else:
        del _parent(item, path)[path[-1]]


def _remove(after, before, path):
    _parent(before, path)
    if find(before, path) is not None:
        del _parent(after, path)[path[-1]]
