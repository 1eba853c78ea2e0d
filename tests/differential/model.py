"""A naive DynamoDB: plain dicts, and the rules of AWS's documentation as simply as they can be put.

Written from the documentation only. It knows neither bytes on the wire nor expression texts: a step
of a program holds its expressions as trees (conditions.py, updates.py).
"""

from collections import Counter

import reads
import values
from passing_time import Past
from paths import project, refuse_overlap
from schema import Table
from values import Refusal, Undecided, invalid
from writes import (CONDITION_FAILED, asked, attempt, changes_key, check_schema, check_write,
                    key_part, misfit, refuse_empty_keys, returned, store)


class Model:
    """Applies steps. Raises Refusal where the service answers with an error, and Undecided where
    nobody can tell; both leave the tables as they were."""

    def __init__(self):
        self.tables = {}
        self.tokens = {}  # Of transactions: what was asked with them; None when it was refused.
        self.past = Past()

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

    # Time

    def _pass(self, step):
        self.past.advance(step["days"], self.tables)
        self.tokens.clear()  # They are good for ten minutes.
        return {}

    def _stream(self, step):
        return {"records": self.past.records(self._recorded(step))}

    def _restore(self, step):
        table = self._recorded(step)
        items = self.past.restored(step["table"], table, step["moment"])
        return {"items": Counter(map(values.frozen_item, items.values()))}

    def _recorded(self, step):
        table = self._table(step)
        if not table.recorded:
            raise Undecided("what a table without a stream answers")
        return table

    def _store(self, table, key, new):
        self.past.record(table, table.items.get(key), new)
        store(table, key, new)

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
        answer = {"attributes": returned(step, old, new) or None}
        self._store(table, key, new)
        return answer

    # Several items

    def _batch_write(self, step):
        for each in step["writes"]:
            check_write(each)
        self._refuse_missing(step["writes"])
        for each in step["writes"]:
            check_schema(self._table(each), each)
        self._refuse_repeated(step["writes"])
        for each in step["writes"]:
            table = self._table(each)
            key, _, new = attempt(table, each)
            self._store(table, key, new)
        return {}

    def _batch_get(self, step):
        wanted = [{"do": "get", "table": name, **each, "key": key}
                  for name, each in step["reads"].items() for key in each["keys"]]
        for each in wanted:
            check_write(each)
        for each in step["reads"].values():
            self._refuse_repeated_keys(each["keys"])
        self._refuse_missing(wanted)
        answer = {name: Counter() for name in step["reads"]}
        for each in wanted:
            item = self._read(each)
            if item is not None:
                answer[each["table"]][values.frozen_item(item)] += 1
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
            self._store(self._table(each), key, new)
        return {}

    def _check_transaction(self, writes):
        """Refuses what the service refuses before it looks at items: expressions and values of the
        whole request before it looks for any table."""
        for each in writes:
            check_write(each)
            if each["do"] == "update" and not each.get("update"):
                raise invalid()  # Unlike UpdateItem, it must say what to change.
        self._refuse_missing(writes)
        for each in writes:
            refuse_empty_keys(self._table(each), each)
            if changes_key(self._table(each), each):
                raise Undecided("whether the request or the transaction is refused")
        self._cancel_misfits(writes)
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

    def _refuse_missing(self, wanted):
        """Refuses a batch of which a table is missing, when that is its only fault."""
        known = [each for each in wanted if each["table"] in self.tables]
        if len(known) < len(wanted):
            if any(misfit(self._table(each), each) for each in known):
                raise Undecided("which of several faults is told")
            raise reads.missing()

    def _refuse_repeated_keys(self, keys):
        """Refuses keys that are equal, whether or not they fit the table."""
        if len({values.frozen_item(values.parse_item(key)) for key in keys}) != len(keys):
            raise invalid()

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
