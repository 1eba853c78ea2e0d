"""What one write does: its checks, the item that comes of it, and what it answers."""

import copy
import json

import conditions
import updates
import values
from paths import project, refuse_overlap
from schema import is_empty
from values import Refusal, Undecided, invalid

CONDITION_FAILED = "ConditionalCheckFailedException"


def key_part(write):
    """The item or key that a write names."""
    return values.parse_item(write["item"] if write["do"] == "put" else write["key"])


def check_write(write):
    """Refuses what the service refuses without looking at the table."""
    key_part(write)
    refuse_overlap(write.get("projection", []))
    if "condition" in write:
        conditions.check(write["condition"])
    if "update" in write:
        updates.check(write["update"])


def check_schema(table, write):
    """Refuses keys that do not fit the table, and changes of them."""
    if write["do"] == "put":
        table.check_item(key_part(write))
    else:
        table.check_key(key_part(write))
        if changes_key(table, write):
            raise invalid()


def changes_key(table, write):
    changed = {path[0] for path in updates.paths_of(write.get("update", {}))}
    return bool(changed & set(table.keys))


def refuse_empty_keys(table, write):
    """A transaction is not begun when a key is empty."""
    named = key_part(write)
    empty = [name for name in table.key_attributes() if name in named and is_empty(named[name])]
    if not empty:
        return
    if not set(table.keys) <= set(named) or any(named[name][0] != table.types[name]
                                                for name in empty):
        raise Undecided("which of two faults of a key is told")
    if write["do"] == "get" or any(named[name][0] == "B" for name in empty):
        raise Undecided("whether empty bytes, and empty keys of reads, are treated as empty texts")
    raise invalid()


def misfit(table, write):
    """Whether a key lacks an attribute or has one of the wrong type."""
    named = key_part(write)
    try:
        (table.check_item if write["do"] == "put" else table.check_key)(named)
    except Refusal:
        return True
    return False


def asked(step):
    """What a token stands for."""
    return json.dumps({**step, "token": None}, sort_keys=True)


def attempt(table, write):
    """(key, old item, new item) of a write, items None where there is none. Refuses it when its
    condition fails or its update does not fit the item."""
    named = key_part(write)
    key = table.key_of(named)
    old = table.items.get(key)
    if "condition" in write and not conditions.holds(write["condition"], old or {}):
        if sets_misfit(table, write):
            raise Undecided("whether a literal is held against its index before the condition")
        raise Refusal(CONDITION_FAILED, item=old if write.get("on_failure") else None)
    if write["do"] == "put":
        return key, old, named
    if write["do"] == "delete":
        return key, old, None
    if write["do"] == "check":
        return key, old, old
    update = write.get("update", {})
    if old is None and update and set(update) <= {"remove", "delete"}:
        if sets_misfit(table, write):
            raise Undecided("whether a set may be taken from an index key that is not there")
        return key, None, None  # What only takes away makes no item, and no path is wrong.
    new = updates.apply(update, old or named)
    table.check_item(new)
    if sets_misfit(table, write):
        raise Undecided("whether a set may be taken from an index key that is not there")
    return key, old, new


def sets_misfit(table, write):
    """Whether an update names the key of an index with a literal that it cannot be."""
    clauses = write.get("update", {})
    literals = [(path, new["value"]) for path, new in clauses.get("set", []) if "value" in new]
    return any(path[0] in table.key_attributes() and
               (len(path) > 1 or values.parse(wire)[0] != table.types[path[0]])
               for path, wire in literals + clauses.get("add", []) + clauses.get("delete", []))


def store(table, key, new):
    if new is None:
        table.items.pop(key, None)
    else:
        table.items[key] = copy.deepcopy(new)


def returned(write, old, new):
    """The attributes that a write answers with; it has no such member when there are none."""
    wanted = write.get("return", "NONE")
    if wanted == "NONE":
        return {}
    if wanted == "ALL_OLD":
        return old or {}
    if new is None:
        return {}
    if wanted == "ALL_NEW":
        return new
    # Of a list that grew or shrank, what now has the index is returned, if anything has.
    changed = updates.paths_of(write.get("update", {}))
    return project((old or {}) if wanted == "UPDATED_OLD" else new, changed)
