"""What Query and Scan of the model evaluate, in order, before anything is cut into pages."""

from dataclasses import dataclass
from typing import Optional

import conditions
import values
from paths import project, refuse_overlap
from values import Refusal, Undecided, invalid


@dataclass
class Row:
    """One evaluated item: the keys a page may end with, and what is returned of it, if it is."""

    key: dict
    item: Optional[dict]


@dataclass
class Evaluated:
    """All rows of a query or scan. `ordered`: their order is decided, ties and all. `backward` is
    None for a scan."""

    rows: list
    ordered: bool
    count_only: bool
    ranges: list
    backward: Optional[bool]


def check(step):
    """Refuses what the service refuses without looking at the table."""
    if "filter" in step:
        conditions.check(step["filter"])
    if "range_condition" in step:
        kind, *bounds = step["range_condition"]
        conditions.check([kind, {"path": ["key"]}, *({"value": each} for each in bounds)])
    if "projection" in step:
        refuse_overlap(step["projection"])
        if step.get("select", "SPECIFIC_ATTRIBUTES") != "SPECIFIC_ATTRIBUTES":
            raise invalid()
    elif step.get("select") == "SPECIFIC_ATTRIBUTES":
        raise invalid()
    if "index" not in step and step.get("select") == "ALL_PROJECTED_ATTRIBUTES":
        raise invalid()


def evaluate(table, step):
    """The rows of a checked query or scan."""
    source = _source(table, step)
    seen = _visible(table, source, step)
    rows = [item for item in table.items.values() if source is table or table.has_row(source, item)]
    ordered, backward = False, None
    if step["do"] == "query":
        rows, ordered = _queried(table, source, rows, step)
        backward = step.get("backward", False)
    keys = dict.fromkeys([*source.keys, *table.keys])
    evaluated = [Row({name: item[name] for name in keys}, _returned(item, seen, step))
                 for item in rows]
    return Evaluated(evaluated, ordered, step.get("select") == "COUNT", source.ranges, backward)


def _source(table, step):
    """The table, or the index that the step reads."""
    if "index" not in step:
        return table
    index = table.indexes.get(step["index"])
    if index is None:
        raise invalid()
    if index.is_global and step.get("consistent"):
        raise invalid()
    return index


def _visible(table, source, step):
    """The names of the attributes that a row shows; None is all."""
    held = table.projected(None if source is table else source)
    if held is None:
        return None
    if "filter" in step and not {path[0] for path in conditions.paths_of(step["filter"])} <= held:
        raise Undecided("a filter on attributes that the index does not hold")
    wanted = {path[0] for path in step.get("projection", [])}
    if step.get("select") == "ALL_ATTRIBUTES" or not wanted <= held:
        if source.is_global:
            raise invalid()
        return None  # A local index fetches the rest from the table.
    return held


def _returned(item, seen, step):
    """What is returned of an evaluated item; None when the filter drops it."""
    if "filter" in step and not conditions.holds(step["filter"], item):
        return None
    if seen is not None:
        item = {name: value for name, value in item.items() if name in seen}
    return project(item, step["projection"]) if "projection" in step else item


def _queried(table, source, rows, step):
    """The rows that meet the key condition in order, and whether the order has no ties."""
    _check_key_condition(table, source, step)
    equals = _equals(step)
    rows = [item for item in rows if all(item[name] == wanted for name, wanted in equals.items())]
    if not source.ranges:
        return rows, len(rows) < 2
    if "range_condition" in step:
        rows = [item for item in rows if _in_range(item[step["range"]], step)]
    rows.sort(key=lambda item: sort_key(source.ranges, item), reverse=step.get("backward", False))
    if "start" in step:
        rows = _after_start(table, source, rows, step)
    return rows, len({tuple(item[name] for name in source.ranges) for item in rows}) == len(rows)


def sort_key(ranges, item):
    """Range attributes are compared one after the other."""
    return [values.order(item[name]) for name in ranges]


def _equals(step):
    """What the key condition binds by equality."""
    return {step["hash"]: values.parse(step["hash_value"]),
            **{name: values.parse(wire) for name, wire in step.get("equals", {}).items()}}


def _check_key_condition(table, source, step):
    _check_key_names(source, step)
    for name, value in _equals(step).items():
        table.check_key_value(name, value)
    if "filter" in step:
        if {path[0] for path in conditions.paths_of(step["filter"])} & set(source.keys):
            raise invalid()
    if "range_condition" not in step:
        return
    kind, *bounds = step["range_condition"]
    bounds = [values.parse(each) for each in bounds]
    if kind == "begins_with" and table.types[step["range"]] == "N":
        raise invalid()
    if kind == "begins_with" and bounds[0][1] in ("", b""):
        raise Undecided("an empty prefix of a key")
    for bound in bounds:
        table.check_key_value(step["range"], bound)


def _check_key_names(source, step):
    """All hash attributes by equality; range attributes from the first on, all but the last of
    them by equality."""
    equals = set(_equals(step))
    named = equals | ({step["range"]} if "range_condition" in step else set())
    if "range_condition" in step and step["range"] in equals:
        raise invalid()
    if not named <= set(source.keys) or not set(source.hashes) <= equals:
        raise invalid()
    used = [name for name in source.ranges if name in named]
    if used != source.ranges[:len(used)] or not set(used[:-1]) <= equals:
        raise invalid()


def _in_range(value, step):
    kind, *bounds = step["range_condition"]
    return conditions.HOLDS[kind](value, *(values.parse(each) for each in bounds))


def _after_start(table, source, rows, step):
    """The rows behind a key at which a page may have ended, whether or not it has an item."""
    start = values.parse_item(step["start"])
    if source is not table:
        raise Undecided("a made-up start inside an index")
    table.check_key(start)
    if start[table.hash] != values.parse(step["hash_value"]):
        raise invalid()
    if "range_condition" in step and not _in_range(start[table.range], step):
        raise Undecided("a start outside the key condition")
    here = values.order(start[table.range])
    if step.get("backward"):
        return [item for item in rows if values.order(item[table.range]) < here]
    return [item for item in rows if values.order(item[table.range]) > here]


def missing():
    return Refusal("ResourceNotFoundException")
