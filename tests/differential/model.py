"""A naive DynamoDB: plain dicts, and the rules of AWS's documentation as simply as they can be put.

Written from the documentation only. It knows neither bytes on the wire nor expression texts: a step
of a program holds its expressions as trees (conditions.py, updates.py).
"""

import copy
import json
from collections import Counter

import conditions
import reads
import updates
import values
from paths import project, refuse_overlap
from schema import Table, is_empty
from values import Refusal, Undecided, invalid

CONDITION_FAILED = "ConditionalCheckFailedException"


class Model:
    """Applies steps. Raises Refusal where the service answers with an error, and Undecided where
    nobody can tell; both leave the tables as they were."""

    def __init__(self):
        self.tables = {}
        self.tokens = {}  # Of transactions: what was asked with them; None when it was refused.

    def apply(self, step):
        return getattr(self, "_" + step["do"])(step)

    # Tables

    def _create(self, step):
        if step["table"] in self.tables:
            raise Refusal("ResourceInUseException")
        self.tables[step["table"]] = Table.made_by(step)
        return {}

    def _drop(self, step):
        self._table(step)
        del self.tables[step["table"]]
        return {}

    def _add_index(self, step):
        table = self._table(step)
        if step["index"]["name"] in table.indexes:
            raise invalid()
        table.add_index(step["index"], is_global=True)
        return {}

    def _drop_index(self, step):
        table = self._table(step)
        index = table.indexes.get(step["name"])
        if index is None:
            raise reads.missing()
        if not index.is_global:
            raise Undecided("which error refuses to remove a local index")
        del table.indexes[step["name"]]
        return {}

    def _describe(self, step):
        return self._table(step).described()

    def _list(self, _):
        return {"tables": sorted(self.tables)}

    def _restart(self, _):
        return {}

    def _table(self, step):
        if step["table"] not in self.tables:
            raise reads.missing()
        return self.tables[step["table"]]

    # Single items

    def _get(self, step):
        return {"item": self._read(step)}

    def _read(self, step):
        key = values.parse_item(step["key"])
        if "projection" in step:
            refuse_overlap(step["projection"])
        table = self._table(step)
        table.check_key(key)
        item = table.items.get(table.key_of(key))
        if item is not None and "projection" in step:
            return project(item, step["projection"])
        return item

    def _put(self, step):
        return self._write(step)

    def _update(self, step):
        return self._write(step)

    def _delete(self, step):
        return self._write(step)

    def _write(self, step):
        check_write(step)
        table = self._table(step)
        check_schema(table, step)
        key, old, new = attempt(table, step)
        answer = {"attributes": returned(step, old, new)}
        store(table, key, new)
        return answer

    # Several items

    def _batch_write(self, step):
        for each in step["writes"]:
            check_write(each)
        for each in step["writes"]:
            check_schema(self._table(each), each)
        self._refuse_repeated(step["writes"])
        for each in step["writes"]:
            table = self._table(each)
            key, _, new = attempt(table, each)
            store(table, key, new)
        return {}

    def _batch_get(self, step):
        answer = {}
        for name, wanted in step["reads"].items():
            found = [self._read({"table": name, **wanted, "key": key}) for key in wanted["keys"]]
            self._refuse_repeated([{"table": name, "do": "get", "key": key}
                                   for key in wanted["keys"]])
            answer[name] = Counter(values.frozen_item(item) for item in found if item is not None)
        return {"tables": answer}

    def _transact_get(self, step):
        wanted = [{"do": "get", **each} for each in step["reads"]]
        self._check_transaction(wanted)
        return {"items": [self._read(each) for each in wanted]}

    def _transact_write(self, step):
        self._check_transaction(step["writes"])
        if "token" in step and self._was_done(step["token"], asked(step)):
            return {}
        outcomes = [self._outcome(each) for each in step["writes"]]
        if any(code != "None" for code, *_ in outcomes):
            self.tokens[step.get("token")] = None
            raise Refusal("TransactionCanceledException", [outcome[:2] for outcome in outcomes])
        self.tokens[step.get("token")] = asked(step)
        for each, (*_, key, new) in zip(step["writes"], outcomes):
            store(self._table(each), key, new)
        return {}

    def _check_transaction(self, writes):
        """Refuses what the service refuses before it looks at items."""
        misfits = any(each["table"] in self.tables and misfit(self._table(each), each)
                      for each in writes)
        try:
            for each in writes:
                check_write(each)
                if each["do"] == "update" and not each.get("update"):
                    raise invalid()  # Unlike UpdateItem, it must say what to change.
        except Refusal:
            if misfits:
                raise Undecided("which of several faults is told") from None
            raise
        if misfits and any(each["table"] not in self.tables for each in writes):
            raise Undecided("which of several faults is told")
        for each in writes:
            refuse_empty_keys(self._table(each), each)
        self._cancel_misfits(writes)
        for each in writes:
            if changes_key(self._table(each), each):
                raise Undecided("whether the request or the transaction is refused")
        self._refuse_repeated(writes)

    def _cancel_misfits(self, wanted):
        """A key that does not fit its table or index is a reason to cancel."""
        misfits = [misfit(self._table(each), each) for each in wanted]
        if not any(misfits):
            return
        for bad, each in zip(misfits, wanted):
            if not bad and each["do"] != "get" and self._outcome(each)[0] != "None":
                raise Undecided("whether conditions are looked at when a key does not fit")
        raise Refusal("TransactionCanceledException",
                      [("ValidationError" if bad else "None", None) for bad in misfits])

    def _outcome(self, write):
        """(code, item for the reason, key, new item) of one write of a transaction."""
        table = self._table(write)
        try:
            key, _, new = attempt(table, write)
        except Refusal as refusal:
            if refusal.kind == CONDITION_FAILED:
                return "ConditionalCheckFailed", refusal.item, None, None
            return "ValidationError", None, None, None
        return "None", None, key, new

    def _was_done(self, token, wanted):
        """Whether a transaction with this token happened already. Refuses another one."""
        if token not in self.tokens:
            return False
        if self.tokens[token] is None:
            raise Undecided("whether a refused transaction's token may be used again")
        if self.tokens[token] != wanted:
            raise Refusal("IdempotentParameterMismatchException")
        return True

    def _refuse_repeated(self, writes):
        """Refuses a request that names an item twice."""
        keys = [(each["table"], self._table(each).key_of(key_part(each))) for each in writes]
        if len(set(keys)) != len(keys):
            raise invalid()

    # Many items

    def _query(self, step):
        return self._evaluate(step)

    def _scan(self, step):
        return self._evaluate(step)

    def _evaluate(self, step):
        reads.check(step)
        return reads.evaluate(self._table(step), step)


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
    new = updates.apply(update, old or named)
    if old is None and set(update) == {"remove"}:
        return key, None, None  # What only removes makes no item.
    if old is None and set(update) <= {"remove", "delete"} and update:
        raise Undecided("whether taking members from a set that is not there makes an item")
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
    """The attributes that a write answers with."""
    wanted = write.get("return", "NONE")
    if wanted == "NONE":
        return {}
    if wanted == "ALL_OLD":
        return old or {}
    if new is None:
        return {}
    if wanted == "ALL_NEW":
        return new
    changed = updates.paths_of(write.get("update", {}))
    if any(isinstance(step, int) for path in changed for step in path):
        raise Undecided("which elements of a changed list are returned")
    return project((old or {}) if wanted == "UPDATED_OLD" else new, changed)
