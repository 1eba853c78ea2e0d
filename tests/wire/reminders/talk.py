"""A conversation with one server, every word of which is in the transcript."""

import datetime
import http.client
import json
import time

from outbox_case import KEY, Answer
from transcript import CUSTOMERS, INVOICES, day

DRAFTS = "/v1/reminders/drafts"

# Who speaks, and what their keys may.
SCOPES = {"mailer": ["send"], "reader": ["reminders:read"], "drafter": ["reminders:draft"],
          "approver": ["reminders:draft", "reminders:approve"], "admin": ["admin"]}

FILE_BYTES_MAX = 16 * 1024 * 1024
NOT_OBJECTS = ("", "{", "[]", '{"colour": "red"}')


class Talk:
    """Called like a request, it makes it and writes it down."""

    def __init__(self, case, transcript, server):
        self.case = case
        self.transcript = transcript
        self.title, self.note = transcript.title, transcript.note
        self.server = server
        self.keys = {"nobody": None, "stranger": "not-a-key-of-this-server"}
        for who, scopes in SCOPES.items():
            made = self.quietly("POST", "/v1/keys", {"name": who, "scopes": scopes}, KEY)
            self.keys[who] = made["key"]
            transcript.placeholders.name(made["id"], f"<key of {who}>")

    def ask(self, method, path, body, key, headers=None):
        return self.case.ask(method, path, body, key=key, headers=headers, server=self.server)

    def quietly(self, method, path, body=None, key=KEY):
        """A request that is no part of the transcript."""
        answer = self.ask(method, path, body, key)
        self.case.assertLess(answer.status, 300, answer.body)
        return answer.json if answer.body else None

    def __call__(self, who, method, path, body=None, **headers):
        """What is not text goes as JSON; `once` is the Idempotency-Key."""
        headers = {"Idempotency-Key": headers["once"]} if "once" in headers else {}
        if body is not None and not isinstance(body, str):
            body = json.dumps(body)
        # Two records of one millisecond would be in no order.
        time.sleep(0.002)
        sent = body.encode() if body is not None else None
        answer = self.ask(method, path, sent, self.keys[who], headers)
        self.transcript.add(who, method, path, body, headers, answer)
        return answer.json if answer.body.startswith(b"{") else None

    def each(self, who, method, path, bodies):
        for body in bodies:
            self(who, method, path, body)

    def guarded(self, method, path, body=None, may_not="reader"):
        """Whom the route does not let in, and that it knows its parameters."""
        self("nobody", method, path, body)
        self("mailer", method, path, body)
        if may_not != "mailer":
            self(may_not, method, path, body)
        self("admin", method, f"{path}{'&' if '?' in path else '?'}colour=red", body)

    def pages(self, who, path, limit):
        """All pages, one after the other."""
        joint = "&" if "?" in path else "?"
        page = self(who, "GET", f"{path}{joint}limit={limit}")
        while page["next"]:
            page = self(who, "GET", f"{path}{joint}limit={limit}&after={page['next']}")

    def bad_pages(self, path):
        joint = "&" if "?" in path else "?"
        for query in ("limit=0", "limit=1001", "limit=ten", "limit=", "after=!"):
            self("reader", "GET", f"{path}{joint}{query}")

    def customer(self, name, *amounts, email=None):
        """Somebody whose invoices of these amounts are ten days overdue, then eleven and so on."""
        self.note(f"there is {name}, who owes {' and '.join(amounts) or 'nothing'}")
        self.quietly("POST", CUSTOMERS, {"customer_id": name, "name": name.title(),
                                         "email": email or f"{name}@example.com"})
        for number, amount in enumerate(amounts, 1):
            self.quietly("POST", INVOICES, {
                "customer_id": name, "invoice_id": f"{name}-{number}", "amount": amount,
                "due_date": day(-9 - number)})

    def draft(self, who, name, **wish):
        """The path of a new draft; drafts of different seconds are in the order of their making."""
        self.fresh_second()
        made = self(who, "POST", DRAFTS, {"customer_id": name, **wish})
        return f"{DRAFTS}/{made['draft_id']}"

    def sent(self, who, name, **wish):
        """The path of a draft whose mail has left."""
        path = self.draft(who, name, **wish)
        self(who, "POST", path + "/approve", {"version": 1})
        self.becomes(path, "sent")
        return path

    def becomes(self, path, status):
        self.note(f"and after a while it is {status}")
        return self.case.eventually(lambda: self.quietly("GET", path),
                                    lambda draft: draft["status"] == status)

    def mail_is(self, what, mail):
        """Waits until the mail is "held", because nobody knows whether it arrived, or "paused"."""
        self.note(f"and after a while its mail is {what}")
        self.case.eventually(lambda: self.quietly("GET", f"/v1/emails/{mail}"),
                             lambda shown: shown.get(what))

    def too_large(self, who, path):
        """A body of more bytes than a file may have is refused before it comes."""
        headers = {"Content-Length": str(FILE_BYTES_MAX + 1)}
        connection = http.client.HTTPConnection(*self.server.http, timeout=60)
        try:
            connection.request("POST", path, None, {
                **headers, "Authorization": f"Bearer {self.keys[who]}"})
            answer = Answer(connection.getresponse())
        finally:
            connection.close()
        self.transcript.add(who, "POST", path, None, headers, answer)

    def fresh_second(self):
        """Waits for the next second: rows that say only the second would be in no order."""
        moment = datetime.datetime.now(datetime.timezone.utc)
        time.sleep((1_000_000 - moment.microsecond) / 1_000_000 + 0.002)
