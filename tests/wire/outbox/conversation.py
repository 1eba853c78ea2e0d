"""What is said with the outbox and about keys: every route, with good requests and bad ones."""

import base64
import http.client
import itertools
import json
import time

from outbox_case import KEY, Answer
from transcript import day

RAW = {"Content-Type": "message/rfc822"}
MESSAGE = ("From: Shop <shop@example.com>\r\nTo: ann@example.org\r\nSubject: Raw\r\n"
           "Date: Mon, 16 Nov 2020 09:00:00 +0000\r\nMessage-ID: <raw-1@example.com>\r\n\r\nHi\r\n")
NOT_OBJECTS = ("", "{", "7", '{"colour": "red"}')
TOO_LARGE = "x" * (1024 * 1024 + 1)
UNKNOWN = "99999999-0000-4000-8000-000000000000"
# Who speaks, and what their keys may.
SCOPES = {"mailer": ["send"], "reader": ["read"], "drafter": ["reminders:draft"],
          "admin": ["admin"]}


def mail(**members):
    return {"from": "Shop <shop@example.com>", "to": "ann@example.org", "subject": "Ciao",
            "text": "Hello", **members}


class Conversation:
    """Called like a request, it makes it and writes it down."""

    scopes = SCOPES

    def __init__(self, case, transcript, server):
        self.case, self.transcript, self.server = case, transcript, server
        self.title, self.note = transcript.title, transcript.note
        self.numbers = itertools.count(1)
        self.keys = {"nobody": None, "stranger": "not-a-key-of-this-server"}
        for who, scopes in self.scopes.items():
            made = self.quietly("POST", "/v1/keys", {"name": who, "scopes": scopes})
            self.keys[who] = made["key"]
            transcript.placeholders.name(made["id"], f"<key of {who}>")
            transcript.placeholders.name(made["last_four"], f"<end of {who}'s key>")

    def ask(self, method, path, body, key, headers=None):
        return self.case.ask(method, path, body, key=key, headers=headers, server=self.server)

    def quietly(self, method, path, body=None):
        """A request that is no part of the transcript."""
        answer = self.ask(method, path, body, KEY)
        self.case.assertLess(answer.status, 300, answer.body)
        return answer.json if answer.body else None

    def __call__(self, who, method, path, body=None, **headers):
        """What is not text goes as JSON; `once` is the Idempotency-Key, `kind` the Content-Type."""
        names = {"once": "Idempotency-Key", "kind": "Content-Type"}
        headers = {names[name]: value for name, value in headers.items()}
        if body is not None and not isinstance(body, str):
            body = json.dumps(body)
        # Two records of one millisecond would be in no order.
        time.sleep(0.002)
        sent = body.encode() if body is not None else None
        answer = self.ask(method, path, sent, self.keys[who], headers)
        shown = body if body is None or len(body) < 100000 else "(a megabyte)"
        self.transcript.add(who, method, path, shown, headers, answer)
        kind = answer.headers.get("Content-Type", "")
        return answer.json if kind.startswith("application/json") else None

    def each(self, who, method, path, bodies):
        for body in bodies:
            self(who, method, path, body)

    def guarded(self, method, path, body=None, may_not="drafter"):
        """Whom the route does not let in, and that it knows its parameters."""
        self("nobody", method, path, body)
        self("stranger", method, path, body)
        self(may_not, method, path, body)
        joint = "&" if "?" in path else "?"
        self("admin", method, f"{path}{joint}colour=red&size=4", body)

    def too_large(self, path, bytes_max, who):
        """A body of more bytes than a route takes is refused before it comes."""
        headers = {"Content-Length": str(bytes_max + 1)}
        key = self.keys[who]
        connection = http.client.HTTPConnection(*self.server.http, timeout=60)
        try:
            connection.request("POST", path, None, {
                **headers, **({"Authorization": f"Bearer {key}"} if key else {})})
            answer = Answer(connection.getresponse())
        finally:
            connection.close()
        self.transcript.add(who, "POST", path, None, headers, answer)

    def bad_pages(self, who, path):
        joint = "&" if "?" in path else "?"
        for query in ("limit=0", "limit=1001", "limit=ten", "limit=", "after=!"):
            self(who, "GET", f"{path}{joint}{query}")

    def pages(self, who, path, limit):
        joint = "&" if "?" in path else "?"
        page = self(who, "GET", f"{path}{joint}limit={limit}")
        while page["next"]:
            page = self(who, "GET", f"{path}{joint}limit={limit}&after={page['next']}")

    def new_id(self):
        return f"00000000-0000-4000-8000-{next(self.numbers):012}"

    def posted(self, **members):
        """The id of a mail that is accepted."""
        identifier = self.new_id()
        self("mailer", "POST", "/v1/emails", mail(id=identifier, **members))
        return identifier

    def becomes(self, identifier, what, wanted):
        self.note(f"and after a while it is {what}")
        path = f"/v1/emails/{identifier}"
        self.case.eventually(lambda: self.quietly("GET", path), wanted)
        time.sleep(0.02)

    def becomes_suppressed(self, address):
        self.note("and after a while its address is suppressed")
        self.case.eventually(lambda: self.quietly("GET", "/v1/suppressions")["items"],
                             lambda items: address in [item["address"] for item in items])

    def becomes_state(self, identifier, state):
        self.becomes(identifier, state, lambda shown: shown["state"] == state)


def posts(talk):
    talk.title("Mails")
    path = "/v1/emails"
    talk.guarded("POST", path, mail(), may_not="reader")
    plain = talk.posted()
    talk.becomes_state(plain, "SENT")
    talk("reader", "GET", f"{path}/{plain}")
    talk("mailer", "POST", path, mail(id=plain))
    talk("mailer", "POST", path, mail(id=plain, text="Hello again"))
    keyed = mail(id=talk.new_id())
    talk("mailer", "POST", path, keyed, once="a")
    talk("mailer", "POST", path, keyed, once="a")
    talk("mailer", "POST", path, mail(), once="a")
    talk("mailer", "POST", path, mail(to="x"), once="b")
    talk("mailer", "POST", path, mail(to="x"), once="b")
    talk("mailer", "POST", path, mail(), once="")
    talk.each("mailer", "POST", path, (
        *NOT_OBJECTS, "[]", "null", {}, mail(to=[]), mail(to=["x@example.org", "y", 7]),
        mail(**{"from": None}), mail(subject=None), mail(text=None), mail(text=7),
        mail(sbject="x"), mail(stream="slow"), mail(id="x"), mail(send_at="tomorrow"),
        mail(callback_url="ftp://x"), mail(tags="x"), mail(tags=["", "a\nb", 7]),
        mail(metadata=[]), mail(headers={"X-A": 7}), mail(headers={"X-A": "a\nb"}), mail(data={}),
        mail(template={}), mail(template={"txt": "x"}), mail(template={"text": "{% if %}"}),
        mail(attachments=[{}]), mail(attachments=[{"content": "!"}, {"colour": 1}]),
        mail(attachments=[{"path": "../x"}]), mail(to="x", stream="slow", colour="red", tags=7),
        '{"to": "a@example.org", "to": "b@example.org"}'))


def batches(talk):
    talk.title("Many mails")
    path = "/v1/emails"
    first, second, third = talk.new_id(), talk.new_id(), talk.new_id()
    talk("mailer", "POST", path, {"emails": [mail(id=first), mail(id=second)]})
    talk("mailer", "POST", path, [mail(id=third), mail(id=first, text="other")], once="c")
    talk("mailer", "POST", path, [mail(id=third), mail(id=first, text="other")], once="c")
    talk("mailer", "POST", path, [mail(id=first, text="other"), mail(id=second, text="other")])
    talk.each("mailer", "POST", path, (
        {"emails": []}, {"emails": 7}, {"emails": [mail()], "more": 1}, {"emails": [7]},
        [mail(), mail(stream="slow")], {"emails": [mail(to="x", stream="slow"), mail(), {}]},
        [mail(template={"text": "{% if %}"}), mail(to="nobody")],
        '{"emails": [], "emails": []}', [mail()] * 101))
    for identifier in (first, second, third):
        talk.becomes_state(identifier, "SENT")


def raws(talk):
    talk.title("Finished messages")
    path = "/v1/emails/raw"
    talk("reader", "POST", path, MESSAGE, kind="message/rfc822")
    talk("nobody", "POST", path, MESSAGE, kind="message/rfc822")
    sent = talk("mailer", "POST", f"{path}?to=c@example.org&to=d@example.org&stream=bulk", MESSAGE,
                kind="message/rfc822")["id"]
    talk.becomes_state(sent, "SENT")
    talk("reader", "GET", f"/v1/emails/{sent}")
    talk("reader", "GET", f"/v1/emails/{sent}/raw")
    talk("mailer", "POST", path, MESSAGE, kind="message/rfc822; charset=utf-8", once="d")
    talk("mailer", "POST", path, MESSAGE, kind="message/rfc822; charset=utf-8", once="d")
    talk("mailer", "POST", path, MESSAGE, kind="text/html")
    for query in ("?to=nobody", "?from=nobody", "?stream=slow", "?cc=x@example.org",
                  "?to=x&from=y&stream=z&colour=red"):
        talk("mailer", "POST", path + query, MESSAGE, kind="message/rfc822")
    for message in ("", "x", "Subject: x\r\n\r\n"):
        talk("mailer", "POST", path, message, kind="message/rfc822")


def fates(talk):
    talk.title("What becomes of mails")
    failed = talk.posted(to="bounce-550@x.example")
    talk.becomes_state(failed, "FAILED")
    talk.becomes_suppressed("bounce-550@x.example")
    talk("reader", "GET", f"/v1/emails/{failed}")
    held = talk.posted(to="ann@held.example.org", tags=["a"], metadata={"order": 1.50})
    talk.becomes(held, "held", lambda shown: shown["held"])
    talk("reader", "GET", f"/v1/emails/{held}")
    later = talk.posted(send_at=f"{day(30)}T09:00:00Z", stream="bulk")
    talk("reader", "GET", f"/v1/emails/{later}")
    for action in ("cancel", "retry"):
        talk.guarded("POST", f"/v1/emails/{later}/{action}", may_not="reader")
        talk("mailer", "POST", f"/v1/emails/{UNKNOWN}/{action}")
    resolve = f"/v1/emails/{held}/resolve"
    talk.guarded("POST", resolve, {"as": "sent"}, may_not="reader")
    talk.each("mailer", "POST", resolve, (*NOT_OBJECTS, {}, {"as": "lost"}, {"as": 7}, {"as": None},
                                          {"as": "sent"}, {"as": "sent"}))
    talk("mailer", "POST", f"/v1/emails/{UNKNOWN}/resolve", {"as": "sent"})
    talk("mailer", "POST", f"/v1/emails/{later}/retry")
    talk("mailer", "POST", f"/v1/emails/{later}/cancel")
    talk("mailer", "POST", f"/v1/emails/{later}/cancel")
    talk("mailer", "POST", f"/v1/emails/{failed}/retry")
    talk.becomes_state(failed, "FAILED")
    return {"failed": failed, "held": held, "later": later}


def lists(talk, mails):
    talk.title("Lists of mails")
    path = "/v1/emails"
    for query in ("?state=FAILED", "?state=CANCELLED", "?held=true", "?state=FAILED&held=",
                  "?state=ACCEPTED"):
        talk("reader", "GET", path + query)
    for query in ("?state=x", "?held=no", "?state=x&held=no&limit=0&colour=red"):
        talk("reader", "GET", path + query)
    talk("reader", "GET", f"{path}?state=FAILED&after=rubbish")
    talk.bad_pages("reader", path)
    talk.guarded("GET", path, may_not="mailer")
    talk("reader", "GET", f"{path}/{UNKNOWN}")
    talk.guarded("GET", f"{path}/{mails['failed']}", may_not="mailer")
    talk("reader", "GET", f"{path}/{UNKNOWN}/raw")
    talk.guarded("GET", f"{path}/{mails['failed']}/raw", may_not="mailer")


def outbox(talk):
    talk.title("The outbox")
    talk("reader", "GET", "/v1/outbox/stats")
    talk.guarded("GET", "/v1/outbox/stats", may_not="mailer")
    dead = "/v1/outbox/dead"
    for query in ("", "?queue=outbox.intake", "?queue=outbox.send.bulk", "?queue=x"):
        talk("admin", "GET", dead + query)
    talk.bad_pages("admin", dead)
    talk.guarded("GET", dead, may_not="reader")
    one = {"queue": "outbox.callback", "place": "001794721884123#x"}
    talk.guarded("POST", dead + "/retry", one, may_not="reader")
    talk.each("admin", "POST", dead + "/retry", (
        *NOT_OBJECTS, {}, one, {**one, "queue": "x"}, {"queue": 7, "place": 7}, {"queue": "x"}))
    talk("admin", "GET", "/v1/outbox/callback-secret")
    talk.guarded("GET", "/v1/outbox/callback-secret", may_not="reader")


def pauses(talk):
    talk.title("Pauses")
    path = "/v1/outbox/pauses"
    talk("reader", "GET", path)
    talk.guarded("GET", path, may_not="mailer")
    bulk = {"scope": "stream:bulk", "reason": "too many bounces"}
    talk.guarded("POST", path, bulk, may_not="reader")
    talk("admin", "POST", path, bulk)
    talk("admin", "POST", path, bulk)
    talk("admin", "POST", path, {"scope": "domain:Example.ORG", "reason": "asked"})
    waiting = talk.posted(stream="bulk", to="bob@elsewhere.example")
    talk.becomes(waiting, "paused", lambda shown: shown.get("paused"))
    talk("reader", "GET", f"/v1/emails/{waiting}")
    talk.each("admin", "POST", path, (
        *NOT_OBJECTS, {}, {"scope": "x", "reason": "y"}, {"scope": "all"}, {"reason": "y"},
        {"scope": "all", "reason": ""}, {"scope": 7, "reason": 7}, {"scope": "x", "reason": ""}))
    talk("reader", "GET", path)
    talk("reader", "GET", "/v1/outbox/stats")
    talk.guarded("DELETE", f"{path}/stream:bulk", may_not="reader")
    talk("admin", "DELETE", f"{path}/stream:bulk?reason=better")
    talk("admin", "DELETE", f"{path}/domain:example.org")
    talk.note("and after a while nothing is paused")
    talk.case.eventually(lambda: talk.quietly("GET", path), lambda shown: not shown["items"])
    talk("admin", "DELETE", f"{path}/stream:bulk")
    talk("admin", "DELETE", f"{path}/nothing")
    talk("reader", "GET", path)
    talk.becomes_state(waiting, "SENT")


def suppressions(talk):
    talk.title("Suppressions")
    path = "/v1/suppressions"
    talk("reader", "GET", path)
    ann = {"address": "Ann@Example.org", "stream": "bulk", "reason": "complaint"}
    talk.guarded("POST", path, ann, may_not="reader")
    talk("mailer", "POST", path, ann)
    talk("mailer", "POST", path, {"address": "ann@example.org"})
    talk("mailer", "POST", path, {"address": "bob@example.org", "stream": None, "reason": "x"})
    talk.each("mailer", "POST", path, (
        *NOT_OBJECTS, {}, {"address": "x"}, {"address": 7}, {**ann, "stream": "x"},
        {**ann, "reason": "x" * 501}, {**ann, "reason": 7}, {**ann, "why": "x"},
        {"address": "x", "stream": "x", "reason": 7}))
    talk("mailer", "POST", path, TOO_LARGE)
    talk.pages("reader", path, 1)
    talk.bad_pages("reader", path)
    talk.guarded("GET", path, may_not="mailer")
    talk("reader", "GET", f"{path}/ann@example.org")
    talk("reader", "GET", f"{path}/nobody@example.org")
    talk("reader", "GET", f"{path}/rubbish")
    talk.guarded("GET", f"{path}/ann@example.org", may_not="mailer")
    refused = talk.posted(to="bob@example.org")
    talk.becomes_state(refused, "FAILED")
    talk("reader", "GET", f"/v1/emails/{refused}")
    talk.guarded("DELETE", f"{path}/ann@example.org", may_not="reader")
    talk("mailer", "DELETE", f"{path}/ann%40example.org")
    talk("mailer", "DELETE", f"{path}/ann@example.org")
    talk("mailer", "DELETE", f"{path}/rubbish")


def keys(talk):
    talk.title("Keys")
    path = "/v1/keys"
    talk("admin", "GET", path)
    talk.guarded("GET", path, may_not="reader")
    new = {"name": "billing", "scopes": ["send", "read"]}
    talk.guarded("POST", path, new, may_not="reader")
    made = talk("admin", "POST", path, new)
    talk.each("admin", "POST", path, (
        *NOT_OBJECTS, {}, {"name": "x"}, {"name": 7, "scopes": []}, {**new, "scopes": [7]},
        {**new, "scopes": []}, {**new, "scopes": "send"}, {**new, "scopes": ["outbox:read"]},
        {**new, "name": ""}, {**new, "name": "a\nb"}, {"name": "x", "scope": []},
        {**new, "scopes": ["send", "send"]}))
    talk("admin", "DELETE", f"{path}/{made['id']}")
    talk("admin", "DELETE", f"{path}/{made['id']}")
    talk.guarded("DELETE", f"{path}/{made['id']}", may_not="reader")

    path = "/v1/access-keys"
    talk("admin", "GET", path)
    talk.guarded("GET", path, may_not="reader")
    new = {"name": "loader", "access": "read", "tables": ["A", "B"]}
    talk.guarded("POST", path, new, may_not="reader")
    made = talk("admin", "POST", path, new)
    talk("admin", "POST", path, {"name": "all"})
    talk("admin", "GET", path)
    talk.each("admin", "POST", path, (
        *NOT_OBJECTS, {}, {"name": 7}, {"name": ""}, {**new, "access": "x"}, {**new, "access": 7},
        {**new, "tables": []}, {**new, "tables": "A"}, {**new, "tables": [7]},
        {**new, "tables": ["A"] * 1001}, {"access": "x", "tables": []}))
    talk("admin", "DELETE", f"{path}/{made['id']}")
    talk("admin", "DELETE", f"{path}/{made['id']}")
    talk.guarded("DELETE", f"{path}/{made['id']}", may_not="reader")


def backups(talk):
    talk.title("Backups")
    path = "/v1/backups"
    talk.guarded("POST", path, {"name": "monday"}, may_not="reader")
    talk("admin", "POST", path, {"name": "monday"})
    talk("admin", "POST", path, {"name": "monday"})
    talk.each("admin", "POST", path, (
        *NOT_OBJECTS, {}, {"name": 7}, {"name": ""}, {"name": ".."}, {"name": "a/b"}))


def odd_requests(talk):
    talk.title("Paths and methods that are not there")
    talk("admin", "GET", "/v1/nothing")
    talk("admin", "PUT", "/v1/emails")
    talk("admin", "PATCH", "/v1/keys")
    talk("admin", "GET", "/v1/emails?a=%zz")
    talk("admin", "DELETE", "/v1/outbox/stats")


def captured(talk):
    talk.title("Captured mails")
    talk.note("another server, with outbox.transport = capture")
    path = "/v1/captured"
    talk("reader", "GET", path)
    sent = talk("mailer", "POST", "/v1/emails/raw", MESSAGE, kind="message/rfc822")["id"]
    talk.becomes_state(sent, "SENT")
    shown = talk.posted(
        subject="Grüße", cc="Bo <bo@example.org>", reply_to=["r@example.org"],
        html='<p onclick="x()">Hi <img src="cid:logo"></p>',
        attachments=[{"filename": "logo.png", "content_id": "logo",
                      "content": base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(32)).decode()},
                     {"filename": "note.txt", "content": base64.b64encode(b"n").decode()}])
    talk.becomes_state(shown, "SENT")
    talk.pages("reader", path, 1)
    for query in ("?q=raw", "?q=BO%40example", "?q=nothing", "?q="):
        talk("reader", "GET", path + query)
    talk.bad_pages("reader", path)
    talk.guarded("GET", path, may_not="mailer")
    talk("reader", "GET", f"{path}/{sent}")
    talk("reader", "GET", f"{path}/{shown}")
    talk("reader", "GET", f"{path}/{UNKNOWN}")
    talk.guarded("GET", f"{path}/{sent}", may_not="mailer")
    for number in ("2", "0", "3", "01", "x"):
        talk("reader", "GET", f"{path}/{shown}/attachments/{number}")
    talk("reader", "GET", f"{path}/{UNKNOWN}/attachments/1")
    talk.guarded("GET", f"{path}/{shown}/attachments/2", may_not="mailer")


def whole_conversation(talk):
    posts(talk)
    batches(talk)
    raws(talk)
    mails = fates(talk)
    lists(talk, mails)
    for part in (outbox, pauses, suppressions, keys, backups, odd_requests):
        part(talk)
