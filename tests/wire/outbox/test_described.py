"""Every answer of the outbox, refusals too, is as the server describes it."""

import unittest

from description import Description  # pylint: disable=wrong-import-order
from outbox_case import OutboxCase, Sink, email, tomorrow

RAW = {"Content-Type": "message/rfc822"}
MESSAGE = "From: a@example.com\r\nTo: b@example.com\r\n\r\nx\r\n"
TOO_LARGE = b" " * (1024 * 1024 + 1)


class Described(OutboxCase):
    @classmethod
    def setUpClass(cls):
        cls.sink = Sink("--obey-addresses", "--drop", "end@held.example.org")
        cls.addClassCleanup(cls.sink.stop)
        cls.arguments = ("--transport", f"smtp://{cls.sink.address}")
        # Nobody listens there.
        cls.settings = {"MAILROOM_OUTBOX_CALLBACK_URL": "http://127.0.0.1:9/"}
        super().setUpClass()
        cls.description = Description.served_by(cls.server)

    def check(self, status, method, route, body=None, query="", headers=None, key="", **names):
        """Asks, and compares the answer with its description. Returns the answer."""
        options = {"headers": headers} if key == "" else {"headers": headers, "key": key}
        answer = self.ask(method, route.format(**names) + query, body, **options)
        with self.subTest(f"{method} {route}{query} {status}"):
            self.assertEqual(answer.status, status, answer.body)
            self.assertIn(route, self.description.document["paths"])
        return answer

    def mails(self):
        """One for each way it can go, once it has gone there."""
        sent = self.post(email(tags=["t"], metadata={"a": 1}))
        held = self.post(email(to="ann@held.example.org"))
        failed = self.post(email(to="bounce-550@x.example"))
        waiting = self.post(email(to="bounce-451@x.example"))
        later = self.post(email(send_at=tomorrow()))
        self.eventually(lambda: self.shown(held)["held"], bool)
        self.eventually(lambda: self.shown(waiting)["state"], lambda state: state == "READY")
        for identifier in (sent, failed):
            self.eventually(lambda: self.shown(identifier)["callbacks"], bool)
        return {"sent": sent, "held": held, "failed": failed, "waiting": waiting, "later": later}

    def test_mails(self):
        route = "/v1/emails"
        for body in (email(), {"emails": [email(), email()]}, [email()]):
            self.check(202, "POST", route, body)
        for body in ("{", email(to="x"), [email(to="x"), email()], email(unknown=1)):
            self.check(400, "POST", route, body)
        self.check(401, "POST", route, email(), key=None)
        self.check(202, "POST", "/v1/emails/raw", MESSAGE, headers=RAW)
        self.check(400, "POST", "/v1/emails/raw", "x", headers=RAW)
        self.check(415, "POST", "/v1/emails/raw", "x", headers={"Content-Type": "text/plain"})
        mails = self.mails()
        for identifier in mails.values():
            self.check(200, "GET", "/v1/emails/{id}", id=identifier)
            self.check(200, "GET", "/v1/emails/{id}/raw", id=identifier)
        for query in ("", "?held=true", "?state=SENT&limit=1"):
            self.check(200, "GET", route, query=query)
        self.check(400, "GET", route, query="?state=x")
        for name in ("", "/raw"):
            self.check(404, "GET", "/v1/emails/{id}" + name, id="unknown")
        for action in ("cancel", "retry"):
            self.check(404, "POST", "/v1/emails/{id}/" + action, id="unknown")
        self.check(200, "POST", "/v1/emails/{id}/cancel", id=mails["later"])
        self.check(409, "POST", "/v1/emails/{id}/cancel", id=mails["later"])
        self.check(409, "POST", "/v1/emails/{id}/retry", id=mails["later"])
        resolve = "/v1/emails/{id}/resolve"
        self.check(400, "POST", resolve, {"as": "lost"}, id=mails["held"])
        self.check(200, "POST", resolve, {"as": "sent"}, id=mails["held"])
        self.check(409, "POST", resolve, {"as": "sent"}, id=mails["held"])
        for name in ("failed", "waiting"):
            self.check(200, "POST", "/v1/emails/{id}/retry", id=mails[name])

    def test_what_belongs_to_the_outbox(self):
        for route in ("/v1/outbox/stats", "/v1/outbox/dead", "/v1/outbox/callback-secret",
                      "/v1/captured", "/v1/suppressions", "/v1/keys"):
            self.check(200, "GET", route)
            self.check(401, "GET", route, key=None)
        self.check(400, "GET", "/v1/outbox/dead", query="?queue=x")
        dead = {"queue": "outbox.callback", "place": "x"}
        self.check(404, "POST", "/v1/outbox/dead/retry", dead)
        self.check(404, "GET", "/v1/captured/{id}", id="unknown")
        suppressions = "/v1/suppressions"
        self.check(201, "POST", suppressions, {"address": "a@example.com", "reason": "r"})
        self.check(200, "GET", suppressions)
        self.check(400, "POST", suppressions, {"address": "x"})
        self.check(413, "POST", suppressions, TOO_LARGE)
        self.check(204, "DELETE", "/v1/suppressions/{address}", address="a@example.com")
        self.check(404, "DELETE", "/v1/suppressions/{address}", address="a@example.com")
        made = self.check(201, "POST", "/v1/keys", {"name": "n", "scopes": ["read"]}).json
        self.check(403, "POST", "/v1/emails", email(), key=made["key"])
        self.check(400, "POST", "/v1/keys", {"name": "n", "scopes": ["x"]})
        self.check(204, "DELETE", "/v1/keys/{id}", id=made["id"])
        self.check(404, "DELETE", "/v1/keys/{id}", id=made["id"])


if __name__ == "__main__":
    unittest.main()
