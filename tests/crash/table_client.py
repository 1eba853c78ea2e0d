"""The drivers' way to the tables: raw HTTP on a keep-alive connection, JSON made by hand."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "wire"))

import raw_http  # noqa: E402
from server import Server  # noqa: E402,F401


class Refused(Exception):
    """The server answered, and the answer was not 200."""

    def __init__(self, answer):
        super().__init__(f"{answer.status} {answer.body[:300]!r}")
        self.status = answer.status
        self.kind = answer.kind


class TableClient:
    """One connection. Not for several threads."""

    def __init__(self, address):
        self.connection = raw_http.Connection(address)

    def call(self, operation, **members):
        """The answer's JSON. Raises Refused for an answer that is not 200, and OSError or
        http.client.HTTPException when there was none: then the request may have happened."""
        answer = self.connection.send(operation, members)
        if answer.status != 200:
            raise Refused(answer)
        return answer.json

    def every_item(self, table, index=None):
        """A whole table or index, page by page."""
        members = {"TableName": table}
        if index:
            members["IndexName"] = index
        else:
            members["ConsistentRead"] = True
        items = []
        while True:
            page = self.call("Scan", **members)
            items += page["Items"]
            if "LastEvaluatedKey" not in page:
                return items
            members["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def close(self):
        self.connection.close()
