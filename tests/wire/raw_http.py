"""Requests to the table endpoint as bytes, for what no SDK would send."""

import http.client
import json

JSON_TYPE = "application/x-amz-json-1.0"
TIMEOUT_SECONDS = 60


class Answer:
    """Status, headers and body; `json` and `kind` when the body is JSON."""

    def __init__(self, response):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def kind(self):
        """The error's name without its namespace."""
        return self.json["__type"].rpartition("#")[2]

    @property
    def message(self):
        answer = self.json
        return answer.get("message", answer.get("Message"))


class Connection:
    """One keep-alive connection."""

    def __init__(self, address):
        self.connection = http.client.HTTPConnection(*address, timeout=TIMEOUT_SECONDS)

    def send(self, operation, body, headers=None, method="POST", path="/"):
        """`body` is bytes, or anything that json.dumps takes. `operation` None: no target."""
        if not isinstance(body, bytes):
            body = json.dumps(body, separators=(",", ":")).encode()
        fields = {"Content-Type": JSON_TYPE}
        if operation is not None:
            fields["X-Amz-Target"] = f"DynamoDB_20120810.{operation}"
        fields.update(headers or {})
        self.connection.request(method, path, body, fields)
        return Answer(self.connection.getresponse())

    def close(self):
        self.connection.close()


def once(address, operation, body, **options):
    """One request on a connection of its own."""
    connection = Connection(address)
    try:
        return connection.send(operation, body, **options)
    finally:
        connection.close()
