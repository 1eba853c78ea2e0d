"""The drivers' way to the outbox: JSON over a keep-alive connection."""

import http.client
import json
import socket

TIMEOUT_SECONDS = 60
NO_ANSWER = (OSError, http.client.HTTPException)


class MailClient:
    """One connection. Not for several threads."""

    def __init__(self, address, key):
        self.connection = http.client.HTTPConnection(*address, timeout=TIMEOUT_SECONDS)
        self.connection.connect()
        self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.headers = {"Authorization": f"Bearer {key}"}

    def call(self, method, path, body=None, more_headers=()):
        """Status and JSON of the answer. One of NO_ANSWER when there was none. A body of text is
        sent as it is, as a file."""
        is_file = isinstance(body, str)
        text = json.dumps(body) if body is not None and not is_file else body
        headers = self.headers | dict(more_headers)
        if text is not None:
            headers["Content-Type"] = "text/csv" if is_file else "application/json"
            text = text.encode()
        self.connection.request(method, path, text, headers)
        answer = self.connection.getresponse()
        data = answer.read()
        return answer.status, json.loads(data) if data else None

    def mails(self, **query):
        """All of a list, page by page."""
        found, after = [], None
        while True:
            members = dict(query, limit="500", **({"after": after} if after else {}))
            words = "&".join(f"{name}={value}" for name, value in members.items())
            status, page = self.call("GET", f"/v1/emails?{words}")
            if status != 200:
                raise RuntimeError(f"the list is refused: {status} {page}")
            found += page["items"]
            after = page.get("next")
            if not after:
                return found

    def close(self):
        self.connection.close()
