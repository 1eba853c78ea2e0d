"""What is said about what became of mails, by people, by mail programs and by providers."""

import base64
import hashlib
import hmac
import json
import re
import subprocess
import time

from conversation import NOT_OBJECTS, TOO_LARGE, Conversation, mail

ENGAGEMENT, WEBHOOKS, NOTIFICATIONS = "/v1/engagement", "/v1/webhooks", "/v1/notifications"
PERSON = "/v1/people/ann@example.org"
BROWSER = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"}
ONE_CLICK = "List-Unsubscribe=One-Click"
# Nobody opens a mail sooner, or follows two links of it within a second.
ARRIVAL_SECONDS = 1.6
MAILGUN_KEY, POSTMARK_PASSWORD = "mailgun-signing-key", "postmark-password"
POSTMARK = {"Authorization": "Basic " + base64.b64encode(
    f"postmark:{POSTMARK_PASSWORD}".encode()).decode()}
SES_TOPIC = "arn:aws:sns:eu-west-1:123456789012:mailroom"
NOTIFICATION_BYTES_MAX = 4 * 1024 * 1024
# A token of an earlier system, which nobody made with our secret; and one that is over.
SEED_TOKEN = ("dXNlckBleGFtcGxlLmNvbXwyMDI2LTAxLTAxVDAwOjAwOjAwLjAwMFp8MjAyNi0wNC0wMVQwMDowMDowMC4w"
              "MDBafGQwZTQ3ZDY2Y2Q3YjI1YmY1MDA3MmU0ZTIzYzcyNDg0Mzk3NTViZDI3OTUwYWJmNTMyYjA3Mjc3YTIz"
              "NjRiOGU")


class Signer:
    """As SendGrid signs, with a key that is made for it."""

    def __init__(self, folder):
        self.key = folder / "sendgrid.pem"
        self._openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", self.key)
        der = self._openssl("ec", "-in", self.key, "-pubout", "-outform", "DER")
        self.public = base64.b64encode(der).decode()

    @staticmethod
    def _openssl(*arguments, text=None):
        return subprocess.run(["openssl", *arguments], input=text, capture_output=True,
                              check=True).stdout

    def headers(self, body, at):
        signed = self._openssl("dgst", "-sha256", "-sign", self.key, text=f"{at}{body}".encode())
        return {"X-Twilio-Email-Event-Webhook-Signature": base64.b64encode(signed).decode(),
                "X-Twilio-Email-Event-Webhook-Timestamp": str(at)}


class EngagementTalk(Conversation):
    scopes = {"mailer": ["send"], "reader": ["people:read"], "analyst": ["events"],
              "admin": ["admin"]}

    def wants(self, method, path, body=None):
        self.guarded(method, path, body, "mailer")

    def anybody(self, method, path, body=None, headers=None, shown=None):
        """Without a key: whoever follows a link, or a provider; with a body as `shown` says it."""
        time.sleep(0.002)
        answer = self.ask(method, path, body.encode() if body else None, None, headers)
        self.transcript.add("anybody", method, path, body if shown is None else shown, {}, answer)
        return answer

    def sent(self, **members):
        """The id of a mail that is accepted."""
        identifier = self.new_id()
        self.note(f"there is the mail {identifier}: {json.dumps(members, sort_keys=True)}")
        self.quietly("POST", "/v1/emails", mail(id=identifier, **members))
        return identifier

    def mail_with_links(self, **members):
        """The id of a mail that has left, and the tokens of its links by their kind."""
        identifier = self.sent(**members)
        self.becomes_state(identifier, "SENT")
        raw = self.ask("GET", f"/v1/emails/{identifier}/raw", None, self.keys["admin"]).body
        text = raw.replace(b"=\r\n", b"").replace(b"\r\n ", b"").decode()
        return identifier, {kind: self.token(kind, text) for kind in ("t/o", "t/c", "u")}

    def token(self, kind, text):
        found = re.search(rf"https://t\.example/{kind}/([\w-]+)", text)
        if not found:
            return None
        self.transcript.placeholders.name(found[1], f"<token of /{kind}>")
        return found[1]

    def cut_off(self, path):
        """A link of which a part is missing."""
        token = path.rpartition("/")[2]
        self.transcript.placeholders.name(token[:-3], "<token that is cut off>")
        return path[:-3]

    def happened(self, identifier, **wanted):
        counts = ", ".join(f"{name} {count}" for name, count in wanted.items())
        self.note(f"and after a while of that mail there are counted: {counts}")
        self.case.eventually(
            lambda: self.quietly("GET", f"{ENGAGEMENT}/mails/{identifier}"),
            lambda shown: all(shown[name] >= count for name, count in wanted.items()))

    def told(self, hook, count):
        self.note(f"and after a while {hook} was told of {count}")
        self.case.eventually(
            lambda: self.quietly("GET", f"{WEBHOOKS}/{hook}/deliveries")["items"],
            lambda items: sum(item["attempts"] > 0 for item in items) >= count)


def webhooks(talk, receiver):
    talk.title("Webhooks")
    path = f"{WEBHOOKS}/hook-1"
    new = {"url": f"{receiver}/good", "secret": "a secret of 24 bytes or more"}
    talk.wants("PUT", path, new)
    talk("analyst", "PUT", path, new)
    talk("analyst", "PUT", path, {**new, "machines": True})
    talk("analyst", "PUT", f"{WEBHOOKS}/hook-2", {
        "url": f"{receiver}/bad", "events": ["click", "open"], "template_keys": ["welcome"],
        "sequence_ids": ["onboarding"]})
    talk.each("analyst", "PUT", path, (
        *NOT_OBJECTS, TOO_LARGE, {}, {"url": "x"}, {"url": "ftp://example.com/"},
        {"url": "x", "secret": "short"}, {"url": 7, "events": ["opened"], "machines": "x"},
        {"url": "http://10.0.0.1/", "template_keys": ["x" * 300]}))
    talk("analyst", "PUT", f"{WEBHOOKS}/a%20b", new)
    talk.wants("GET", WEBHOOKS)
    talk("analyst", "GET", WEBHOOKS)
    talk.pages("analyst", WEBHOOKS, 1)
    talk.bad_pages("analyst", WEBHOOKS)
    talk.wants("GET", path)
    talk("analyst", "GET", path)
    talk("analyst", "GET", f"{WEBHOOKS}/none")
    talk.wants("GET", f"{path}/secret")
    talk("analyst", "GET", f"{path}/secret")
    talk("analyst", "GET", f"{WEBHOOKS}/hook-2/secret")
    talk("analyst", "GET", f"{WEBHOOKS}/none/secret")


def mails(talk):
    talk.title("A mail, and what a person does with it")
    talk.quietly("PUT", "/v1/topics/news", {"name": "News"})
    talk.quietly("PUT", PERSON, {"language": "en"})
    sent, tokens = talk.mail_with_links(
        stream="bulk", html='<p><a href="https://shop.example/sale?a=1#top">Sale</a></p>',
        engagement={"template_key": "welcome", "sequence_id": "onboarding", "topic": "news",
                    "track_opens": True, "track_clicks": True, "unsubscribe": True,
                    "utm": {"source": "mail"}})
    talk.happened(sent, delivered=1)
    tracking(talk, tokens)
    talk.happened(sent, opens=1, clicks=1)
    unsubscribing(talk, tokens["u"])
    talk.happened(sent, unsubscribes=1)
    bounced = talk.sent(to="bounce-550@example.org", engagement={"template_key": "welcome"})
    talk.becomes_state(bounced, "FAILED")
    talk.happened(bounced, bounces=1)
    return sent


def tracking(talk, tokens):
    talk.title("Pictures and links of mails")
    time.sleep(ARRIVAL_SECONDS)
    opened, clicked = f"/t/o/{tokens['t/o']}", f"/t/c/{tokens['t/c']}"
    talk.anybody("HEAD", opened)
    talk.anybody("GET", opened, headers=BROWSER)
    talk.anybody("GET", clicked, headers=BROWSER)
    talk.anybody("GET", clicked, headers={**BROWSER, "Sec-Purpose": "prefetch"})
    for path in (opened, clicked):
        talk.anybody("GET", talk.cut_off(path))
        talk.anybody("GET", path[:5] + "!")


def unsubscribing(talk, token):
    talk.title("Pages for people")
    page = f"/u/{token}"
    talk.anybody("GET", page, headers=BROWSER)
    talk.anybody("GET", page, headers={**BROWSER, "Accept-Language": "de-AT, en;q=0.5"})
    talk.anybody("POST", page, ONE_CLICK)
    talk.anybody("POST", page, ONE_CLICK)
    talk.anybody("POST", page, "act=back")
    talk.anybody("POST", page, "act=leave")
    talk.quietly("DELETE", f"{PERSON}/topics/news")
    preferences = f"/preferences/{token}"
    talk.anybody("GET", preferences)
    talk.anybody("POST", preferences, "topic=news&no_tracking=1&save=1")
    talk.anybody("POST", preferences, "topic=news&off=1&save=1")
    asked = talk.quietly("POST", f"{PERSON}/opt-in", {"double_opt_in": True})
    talk.transcript.placeholders.name(asked["confirm_token"], "<token to confirm>")
    confirm = f"/confirm/{asked['confirm_token']}"
    talk.anybody("GET", confirm)
    talk.anybody("POST", confirm, "confirm=1")
    talk.anybody("POST", confirm, "confirm=1")
    for path in (page, preferences, confirm):
        talk.anybody("GET", talk.cut_off(path))
        talk.anybody("POST", talk.cut_off(path), ONE_CLICK)
        talk.anybody("POST", path, TOO_LARGE, shown="(a megabyte)")
    by_query = "/unsubscribe"
    talk.transcript.placeholders.name(SEED_TOKEN, "<token of an earlier system>")
    for query in ("", "?token=", f"?token={SEED_TOKEN}", f"?token={SEED_TOKEN[:-2]}",
                  "?token=not-a-valid-token", f"?token={token}"):
        talk.anybody("GET", by_query + query)
    talk.anybody("POST", f"{by_query}?token={token}", ONE_CLICK)
    talk.anybody("POST", f"{by_query}?token={SEED_TOKEN}", ONE_CLICK)
    talk.anybody("POST", f"{by_query}?token={token}", TOO_LARGE, shown="(a megabyte)")


def next_second():
    """A time in seconds after all that happened until now."""
    time.sleep(1.1)
    return int(time.time())


def mailgun(talk):
    talk.title("Mailgun tells")
    path = f"{NOTIFICATIONS}/mailgun"
    at = next_second()

    def signed(event, token, key=MAILGUN_KEY, moment=at):
        mac = hmac.new(key.encode(), f"{moment}{token}".encode(), hashlib.sha256).hexdigest()
        return json.dumps({"signature": {"timestamp": str(moment), "token": token,
                                         "signature": mac}, "event-data": event})

    event = {"id": "mailgun-1", "event": "opened", "timestamp": at,
             "recipient": "Bea@Example.org",
             "message": {"headers": {"message-id": "1@mailgun.example"}}}
    shown = {"shown": "(signed)"}
    talk.anybody("POST", path, signed(event, "a" * 50), **shown)
    talk.anybody("POST", path, signed(event, "a" * 50), shown="(the same again)")
    talk.anybody("POST", path, signed(event, "b" * 50), shown="(the same with another token)")
    talk.anybody("POST", path, signed({**event, "event": "accepted"}, "c" * 50), **shown)
    talk.anybody("POST", path, signed(event, "d" * 50, "another key"), shown="(forged)")
    talk.anybody("POST", path, signed(event, "e" * 50, moment=at - 100000), shown="(old)")
    talk.anybody("POST", path, signed({"event": "opened"}, "f" * 50), shown="(signed, no event)")
    for body in ("", "{", "7", "{}"):
        talk.anybody("POST", path, body)


def postmark(talk):
    talk.title("Postmark tells")
    path = f"{NOTIFICATIONS}/postmark"
    event = json.dumps({"RecordType": "Delivery", "MessageID": "00000000-1111", "ServerID": 23,
                        "Recipient": "bea@example.org", "DeliveredAt": "2026-03-17T10:30:00Z"})
    talk.anybody("POST", path, event, POSTMARK)
    talk.anybody("POST", path, event, POSTMARK)
    talk.anybody("POST", path, event)
    talk.anybody("POST", path, event, {"Authorization": "Basic eDp5"})
    for body in ("", "{", "7", "{}", '{"RecordType": "Delivery"}', '{"RecordType": "Inbound"}'):
        talk.anybody("POST", path, body, POSTMARK)


def sendgrid(talk, signer):
    talk.title("SendGrid tells")
    path = f"{NOTIFICATIONS}/sendgrid"
    at = next_second()
    event = {"email": "cid@example.org", "timestamp": at, "event": "click", "sg_event_id": "sg-1",
             "sg_message_id": "sendgrid-1", "url": "https://shop.example/",
             "useragent": BROWSER["User-Agent"]}
    told = json.dumps([event, {**event, "event": "processed", "sg_event_id": "sg-2"}])
    talk.anybody("POST", path, told, signer.headers(told, at), "(signed)")
    talk.anybody("POST", path, told, signer.headers(told, at), "(the same again)")
    talk.anybody("POST", path, told, signer.headers(told + " ", at), "(forged)")
    talk.anybody("POST", path, told, signer.headers(told, at - 200000), "(old)")
    talk.anybody("POST", path, told, None, "(not signed)")
    for body in ("{", "7", '[{"event": "click"}]'):
        talk.anybody("POST", path, body, signer.headers(body, at))


def ses(talk):
    talk.title("Amazon SES tells")
    path = f"{NOTIFICATIONS}/ses"
    message = {"Type": "Notification", "MessageId": "m", "TopicArn": SES_TOPIC, "Message": "{}",
               "Timestamp": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()),
               "SignatureVersion": "1", "Signature": "AAAA",
               "SigningCertURL":
                   "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem"}
    for change in ({"SigningCertURL": "https://example.com/SimpleNotificationService-1.pem"},
                   {"TopicArn": SES_TOPIC + "2"}, {"Timestamp": "2020-01-01T00:00:00.000Z"},
                   {"SignatureVersion": "3"}, {"Type": "Greeting"}):
        talk.anybody("POST", path, json.dumps({**message, **change}))
    for body in ("", "{", "7", "{}"):
        talk.anybody("POST", path, body)


def notifications(talk, signer):
    mailgun(talk)
    postmark(talk)
    sendgrid(talk, signer)
    ses(talk)
    for provider in ("mailgun", "postmark", "sendgrid", "ses"):
        talk.too_large(f"{NOTIFICATIONS}/{provider}", NOTIFICATION_BYTES_MAX, "nobody")


def nobody_to_tell(talk):
    talk.title("Providers of whom nothing is taken")
    talk.note("another server, without settings of notifications")
    for provider in ("mailgun", "postmark", "sendgrid", "ses"):
        talk.anybody("POST", f"{NOTIFICATIONS}/{provider}", "{}")


def events(talk, sent):
    talk.title("Events")
    for path in (f"{PERSON}/events", f"{PERSON}/timeline"):
        talk.guarded("GET", path, may_not="analyst")
        talk.pages("reader", path, 3)
        talk.bad_pages("reader", path)
        talk("reader", "GET", path.replace("ann@", "nobody@"))
        talk("reader", "GET", "/v1/people/rubbish/" + path.rpartition("/")[2])
    for query in ("type=click", "type=opened&from=x&to=y", "from=2030-01-01", "to=2020-01-01"):
        talk("reader", "GET", f"{PERSON}/events?{query}")
    talk("reader", "GET", "/v1/people/bea@example.org/events")
    talk("reader", "GET", "/v1/people/cid@example.org/events")
    path = f"{ENGAGEMENT}/events"
    talk.guarded("GET", path + "?sequence=onboarding", may_not="reader")
    talk.pages("analyst", path + "?sequence=onboarding", 4)
    talk.bad_pages("analyst", path + "?sequence=onboarding")
    for query in ("", "?template=welcome&type=bounce", "?template=a&sequence=b", "?template=none",
                  "?type=x&from=y", "?template=welcome&from=2030-01-01"):
        talk("analyst", "GET", path + query)
    path = f"{ENGAGEMENT}/mails/{sent}"
    talk.guarded("GET", path, may_not="reader")
    talk("analyst", "GET", path)
    talk("analyst", "GET", f"{ENGAGEMENT}/mails/99999999-0000-4000-8000-000000000000")
    talk("analyst", "GET", f"{ENGAGEMENT}/mails/x")


def numbers(talk):
    talk.title("Numbers")
    days = "from=<day>&to=<day>".replace("<day>", time.strftime("%Y-%m-%d", time.gmtime()))
    for name in ("", "/domains", "/templates", "/sequences"):
        path = ENGAGEMENT + name
        talk.guarded("GET", path, may_not="reader")
        talk("analyst", "GET", f"{path}?{days}")
        for query in ("from=x&to=y", "from=2026-02-01&to=2026-01-01", "from=2001-01-01"):
            talk("analyst", "GET", f"{path}?{query}")
    for query in ("template=welcome", "sequence=onboarding", "domain=Example.ORG",
                  "template=welcome&sequence=onboarding", "domain=x&template=y", "template=none"):
        talk("analyst", "GET", f"{ENGAGEMENT}?{days}&{query}")
    path = f"{ENGAGEMENT}/links"
    talk.guarded("GET", path + "?sequence=onboarding", may_not="reader")
    for query in ("?sequence=onboarding", "?template=welcome", "", "?template=a&sequence=b",
                  "?template=none"):
        talk("analyst", "GET", path + query)
    talk.bad_pages("analyst", path + "?template=welcome")


def deliveries(talk):
    talk.title("What webhooks were told")
    talk.told("hook-1", 5)
    talk.told("hook-2", 2)
    path = f"{WEBHOOKS}/hook-1/deliveries"
    talk.wants("GET", path)
    talk.pages("analyst", path, 4)
    talk.bad_pages("analyst", path)
    for query in ("state=failed", "state=waiting", "state=x&colour=red"):
        talk("analyst", "GET", f"{path}?{query}")
    talk("analyst", "GET", f"{WEBHOOKS}/hook-2/deliveries")
    talk("analyst", "GET", f"{WEBHOOKS}/none/deliveries")
    path = f"{WEBHOOKS}/hook-1/replay"
    since = {"from": "2026-01-01T00:00:00Z", "until": "2026-01-02T00:00:00Z"}
    talk.wants("POST", path, since)
    talk("analyst", "POST", path, since)
    talk("analyst", "POST", path, {**since, "only_failed": True})
    talk.each("analyst", "POST", path, (
        *NOT_OBJECTS, TOO_LARGE, {}, {"from": "x", "until": 7}, {"from": since["until"],
                                                                 "until": since["from"]}))
    talk("analyst", "POST", f"{WEBHOOKS}/none/replay", since)
    talk.note("there are a hundred webhooks")
    for number in range(3, 101):
        talk.quietly("PUT", f"{WEBHOOKS}/hook-{number}", {"url": "https://x.example/"})
    talk("analyst", "PUT", f"{WEBHOOKS}/hook-101", {"url": "https://x.example/"})
    talk.wants("DELETE", f"{WEBHOOKS}/hook-2")
    talk("analyst", "DELETE", f"{WEBHOOKS}/hook-3")
    talk("analyst", "DELETE", f"{WEBHOOKS}/hook-3")
    talk("analyst", "GET", f"{WEBHOOKS}/hook-3")


def whole_conversation(talk, receiver, signer):
    webhooks(talk, receiver)
    sent = mails(talk)
    notifications(talk, signer)
    events(talk, sent)
    numbers(talk)
    deliveries(talk)
