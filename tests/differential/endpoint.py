"""Runs steps on a server that speaks DynamoDB, and reads its answers as the model gives them."""

import itertools
import os
import sys
import time
from collections import Counter
from dataclasses import dataclass
from typing import Optional

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "wire"))

import raw_http  # noqa: E402
import values  # noqa: E402
from step_requests import INDEX_CLAUSES, Requests  # noqa: E402
from values import Refusal  # noqa: E402

SETTLE_SECONDS_MAX = 60
SETTLE_PAUSE_SECONDS = 0.002
PAGES_MAX = 1000  # A search that has more goes in circles.
IDLE_SECONDS_MAX = 2  # Servers may close a connection that is not used: dynalite after five.


class Broken(Exception):
    """The server did what no answer is: no reply, a status of 500, a table that never settles."""


@dataclass
class Page:
    """One answer of Query or Scan. `items` is None when there was no such member."""

    items: Optional[list]
    count: int
    scanned: int
    last: Optional[dict]
    limit: Optional[int]


class Endpoint:
    """One target. `process` has `dynamodb`, the address, and kill() and start()."""

    def __init__(self, process, headers=None):
        self.process = process
        self.headers = headers or {}
        self.connection = None
        self.used = 0.0  # When the connection last was.
        self.programs = itertools.count()
        self.requests = None

    def begin(self):
        """A new program: what it calls T0 is no table yet."""
        self.requests = Requests(f"p{os.getpid()}-{next(self.programs)}-")

    def end(self):
        """Removes the tables that the program left. A server that does not answer is started
        again."""
        try:
            for name in self._own_tables():
                self._drop({"do": "drop", "table": name})
        except Broken:
            self._restart(None)

    def apply(self, step):
        """The answer to a step, or a Refusal."""
        special = getattr(self, "_" + step["do"], None)
        return special(step) if special else ANSWERS[step["do"]](self._send(step))

    def _send(self, step, **more):
        operation, members = self.requests.of(step)
        return self._call(operation, {**members, **more})

    def _call(self, operation, members):
        if self.connection and time.monotonic() - self.used > IDLE_SECONDS_MAX:
            self.connection.close()
            self.connection = None
        if self.connection is None:
            self.connection = raw_http.Connection(self.process.dynamodb)
        try:
            answer = self.connection.send(operation, members, self.headers)
            self.used = time.monotonic()
        except (OSError, raw_http.http.client.HTTPException) as error:
            self.connection = None
            raise Broken(f"no answer to {operation}: {error!r}") from error
        if answer.status >= 500:
            raise Broken(f"{operation}: {answer.status} {answer.body[:300]!r}")
        if answer.status != 200:
            raise refusal(answer)
        return answer.json

    # Tables

    def _create(self, step):
        self._send(step)
        self._settle(step)
        return {}

    def _add_index(self, step):
        self._send(step)
        self._settle(step)
        return {}

    _drop_index = _add_index

    def _drop(self, step):
        self._send(step)
        deadline = time.monotonic() + SETTLE_SECONDS_MAX
        while time.monotonic() < deadline:
            try:
                self._send({**step, "do": "describe"})
            except Refusal:
                return {}
            time.sleep(SETTLE_PAUSE_SECONDS)
        raise Broken("a dropped table stays")

    def _settle(self, step):
        """Waits until a table and its indexes are active."""
        deadline = time.monotonic() + SETTLE_SECONDS_MAX
        while time.monotonic() < deadline:
            table = self._send({**step, "do": "describe"})["Table"]
            states = {table["TableStatus"]}
            states |= {each["IndexStatus"] for each in table.get("GlobalSecondaryIndexes", [])}
            if states == {"ACTIVE"}:
                return
            time.sleep(SETTLE_PAUSE_SECONDS)
        raise Broken(f"a table never settles: {states}")

    def _list(self, _):
        return {"tables": sorted(self._own_tables())}

    def _own_tables(self):
        prefix, names, members = self.requests.prefix, [], {}
        while True:
            answer = self._call("ListTables", members)
            names += answer["TableNames"]
            if "LastEvaluatedTableName" not in answer:
                return [name[len(prefix):] for name in names if name.startswith(prefix)]
            members["ExclusiveStartTableName"] = answer["LastEvaluatedTableName"]

    def _restart(self, _):
        """Kills the server and starts it again on what it left."""
        if self.connection:
            self.connection.close()
            self.connection = None
        self.process.kill()
        self.process.start()
        return {}

    # Several tables and several pages

    def _batch_get(self, step):
        answer = self._send(step)
        if answer.get("UnprocessedKeys"):
            raise Broken("keys of a small batch are left unprocessed")
        prefix = self.requests.prefix
        return {"tables": {name[len(prefix):]: Counter(map(frozen, items))
                           for name, items in answer["Responses"].items()}}

    def _query(self, step):
        return [self._pages(step, {})]

    def _scan(self, step):
        """One list of pages for each segment."""
        segments = step.get("segments", 1)
        return [self._pages(step, {"Segment": each, "TotalSegments": segments}
                            if "segments" in step else {})
                for each in range(segments)]

    def _pages(self, step, more):
        pages = []
        for limit in itertools.islice(itertools.cycle(step.get("limits") or [None]), PAGES_MAX):
            if limit is not None:
                more["Limit"] = limit
            answer = self._send(step, **more)
            pages.append(page(answer, limit))
            if "LastEvaluatedKey" not in answer:
                return pages
            more["ExclusiveStartKey"] = answer["LastEvaluatedKey"]
        raise Broken("pages without end")


def refusal(answer):
    body = answer.json
    item = values.parse_item(body["Item"]) if "Item" in body else None
    reasons = None
    if "CancellationReasons" in body:
        reasons = [(each["Code"], values.parse_item(each["Item"]) if "Item" in each else None)
                   for each in body["CancellationReasons"]]
    return Refusal(answer.kind, reasons, item, answer.message)


def page(answer, limit):
    items, last = answer.get("Items"), answer.get("LastEvaluatedKey")
    return Page(None if items is None else list(map(values.parse_item, items)), answer["Count"],
                answer["ScannedCount"], last and values.parse_item(last), limit)


def frozen(wire):
    return values.frozen_item(values.parse_item(wire))


def _attributes(answer):
    return {"attributes": values.parse_item(answer["Attributes"])
            if "Attributes" in answer else None}


def _item(answer):
    return {"item": values.parse_item(answer["Item"]) if "Item" in answer else None}


def _nothing(answer):
    if answer.get("UnprocessedItems"):
        raise Broken("writes of a small batch are left unprocessed")
    return {}


def _described(answer):
    table, indexes = answer["Table"], {}
    for clause, member in INDEX_CLAUSES.items():
        for each in table.get(member, []):
            projection = each["Projection"]
            kinds = [projection["ProjectionType"], *projection.get("NonKeyAttributes", [])]
            indexes[each["IndexName"]] = (clause == "global", _names(each), sorted(kinds))
    return {"keys": _names(table), "indexes": indexes}


def _names(described):
    return [each["AttributeName"] for each in described["KeySchema"]]


ANSWERS = {
    "put": _attributes, "update": _attributes, "delete": _attributes,
    "get": _item,
    "transact_get": lambda answer: {"items": [_item(each)["item"] for each in answer["Responses"]]},
    "batch_write": _nothing, "transact_write": _nothing,
    "describe": _described,
}
