"""What may be told and asked without a key: only what proves where it comes from does anything."""

import base64
import hashlib
import hmac
import json
import pathlib
import re
import sys
import time
import unittest

WIRE = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(WIRE), str(WIRE / "outbox")]

from outbox_case import OutboxCase, Sink, email  # pylint: disable=wrong-import-position

CORPUS = WIRE.parent / "corpus" / "notifications"
TOPIC = "arn:aws:sns:eu-west-1:123456789012:mail-events"
MAILGUN_KEY = "key-0123456789abcdef0123456789abcdef"
PASSWORD = "a-password-that-is-long-enough-0"
VICTIM = "victim@example.org"


def vector(name):
    return (CORPUS / name).read_text()


class DoorCase(OutboxCase):
    @classmethod
    def setUpClass(cls):
        sink = Sink()
        cls.addClassCleanup(sink.stop)
        cls.sink = sink
        cls.arguments = ("--transport", f"smtp://{sink.address}")
        cls.settings = {"MAILROOM_NOTIFICATIONS_SES_TOPICS": TOPIC,
                        "MAILROOM_NOTIFICATIONS_MAILGUN_KEY": MAILGUN_KEY,
                        "MAILROOM_NOTIFICATIONS_POSTMARK_PASSWORD": PASSWORD,
                        "MAILROOM_NOTIFICATIONS_SENDGRID_KEY": vector("sendgrid-key.txt").strip(),
                        "MAILROOM_TRACKING_URL": "https://t.example.com"}
        super().setUpClass()

    def tell(self, provider, body, headers=None):
        return self.ask("POST", f"/v1/notifications/{provider}", body, key=None, headers=headers)

    def assert_nobody_changed(self):
        """Nothing that was refused left a trace: not of the victim, nor of those in the vectors."""
        for address in (VICTIM, "user@example.com", "a@example.com", "b@example.com"):
            self.assertEqual(self.ask("GET", f"/v1/people/{address}").status, 404, address)
            events = self.ask("GET", f"/v1/people/{address}/events")
            self.assertEqual(events.json["items"] if events.status == 200 else [], [], address)


class Notifications(DoorCase):
    def test_ses_is_believed_by_a_certificate_of_amazon_for_a_topic_of_ours(self):
        other_topic = json.loads(vector("sns-other-topic-v1.json"))
        elsewhere = json.loads(vector("sns-bounce-event-v1.json"))
        for url in ("https://evil.example/sns.pem", "http://sns.eu-west-1.amazonaws.com/x.pem",
                    "https://sns.eu-west-1.amazonaws.com.evil.example/x.pem",
                    "https://127.0.0.1/x.pem", "https://evil.example/?sns.eu-west-1.amazonaws.com"):
            elsewhere["SigningCertURL"] = url
            self.assertIn(self.tell("ses", elsewhere).status, (400, 403), url)
        self.assertEqual(self.tell("ses", other_topic).status, 403)
        subscription = json.loads(vector("sns-subscription-v1.json"))
        subscription["SubscribeURL"] = "https://127.0.0.1/"
        self.assertIn(self.tell("ses", subscription).status, (400, 403))
        self.assert_nobody_changed()

    def test_ses_is_not_believed_while_its_certificate_cannot_be_had(self):
        forged = json.loads(vector("sns-bounce-event-v1.json"))
        forged["Signature"] = base64.b64encode(bytes(256)).decode()
        self.assertGreaterEqual(self.tell("ses", forged).status, 400)
        self.assert_nobody_changed()

    @staticmethod
    def signed_by_mailgun(timestamp, token, key=MAILGUN_KEY):
        body = json.loads(vector("mailgun-opened.json"))
        body["event-data"]["recipient"] = "mailgun@example.org"
        body["event-data"]["id"] = token
        digest = hmac.new(key.encode(), f"{timestamp}{token}".encode(), hashlib.sha256)
        body["signature"] = {"timestamp": str(timestamp), "token": token,
                             "signature": digest.hexdigest()}
        return body

    def test_a_signature_of_mailgun_is_good_once_and_for_a_while(self):
        now = int(time.time())
        first = self.signed_by_mailgun(now, "a" * 50)
        self.assertEqual(self.tell("mailgun", first).status, 200)
        self.assertEqual(self.tell("mailgun", first).status, 406)
        first["event-data"]["recipient"] = VICTIM
        first["event-data"]["event"] = "complained"
        self.assertEqual(self.tell("mailgun", first).status, 406)
        stale = self.signed_by_mailgun(now - 7 * 24 * 3600, "b" * 50)
        other_key = self.signed_by_mailgun(now, "c" * 50, "key-of-somebody-else-0123456789abcdef")
        moved = self.signed_by_mailgun(now, "d" * 50)
        moved["signature"]["timestamp"] = str(now + 1)
        for body in (stale, other_key, moved):
            self.assertIn(self.tell("mailgun", body).status, (403, 406))
        self.assert_nobody_changed()

    def test_postmark_must_know_the_password(self):
        body = {"RecordType": "SpamComplaint", "MessageID": "m", "Email": VICTIM,
                "BouncedAt": "2026-01-15T10:00:00Z"}
        for login in (None, "", "postmark:", f"postmark:{PASSWORD}x", f"postmark:{PASSWORD[:-1]}",
                      f":{PASSWORD}", f"admin:{PASSWORD}"):
            words = base64.b64encode((login or "").encode()).decode()
            answer = self.tell("postmark", body,
                               {} if login is None else {"Authorization": f"Basic {words}"})
            self.assertIn(answer.status, (401, 403), login)
        # An admin's key is no password of the provider's.
        self.assertIn(self.ask("POST", "/v1/notifications/postmark", body).status, (401, 403))
        self.assert_nobody_changed()

    def test_what_sendgrid_signed_long_ago_or_somebody_else_signed_is_refused(self):
        body = vector("sendgrid-events.json")
        signature = vector("sendgrid-signature.txt").strip()
        now = str(int(time.time()))
        timestamp, sign = "X-Twilio-Email-Event-Webhook-Timestamp", \
            "X-Twilio-Email-Event-Webhook-Signature"
        for headers in ({}, {timestamp: now}, {sign: signature},
                        {timestamp: "1768471205", sign: signature},
                        {timestamp: now, sign: signature},
                        {timestamp: now, sign: base64.b64encode(bytes(72)).decode()}):
            self.assertEqual(self.tell("sendgrid", body, headers).status, 403, headers)
        self.assert_nobody_changed()

    def test_what_is_told_again_is_known(self):
        login = {"Authorization":
                 "Basic " + base64.b64encode(f"postmark:{PASSWORD}".encode()).decode()}
        body = {"RecordType": "Open", "MessageID": "m", "Recipient": "again@example.org",
                "ReceivedAt": "2026-01-15T10:00:00Z"}
        self.assertEqual(self.tell("postmark", body, login).json["added"], 1)
        self.assertEqual(self.tell("postmark", body, login).json,
                         {"added": 0, "known": 1, "ignored": 0})


class Tokens(DoorCase):
    """Links of mails, guessed and altered."""

    def links(self):
        """Of a mail that left: the paths of all its links."""
        before = len(self.sink.received())
        self.post(email(to=VICTIM, stream="bulk", html="<a href='https://example.com/x'>x</a>",
                        engagement={"template_key": "t", "sequence_id": "s", "track_opens": True,
                                    "track_clicks": True, "unsubscribe": True}))
        mails = self.eventually(self.sink.received, lambda mails: len(mails) > before)
        text = mails[-1].decode().replace("=\r\n", "").replace("\r\n ", "").replace("=3D", "=")
        return set(re.findall(r"https://t\.example\.com(/[tu]/[A-Za-z0-9_/.-]+)", text))

    def test_a_link_is_good_only_as_it_stands_in_the_mail(self):
        links = self.links()
        self.assertEqual({link.rsplit("/", 1)[0] for link in links}, {"/t/o", "/t/c", "/u"})
        for link in links:
            for altered in self.altered(link):
                method = "GET" if altered.startswith("/t/") else "POST"
                answer = self.ask(method, altered, "" if method == "POST" else None, key=None)
                self.assertIn(answer.status, (400, 404), altered)
                self.assertNotIn("Location", answer.headers)
        self.assertFalse(self.ask("GET", f"/v1/people/{VICTIM}").json.get("unsubscribed"))

    @staticmethod
    def altered(link):
        """With another character at each of some places, cut off, made longer, and as another kind
        of link."""
        path, token = link.rsplit("/", 1)
        for at in {0, 1, len(token) // 2, len(token) - 2}:
            other = "A" if token[at] != "A" else "B"
            yield f"{path}/{token[:at]}{other}{token[at + 1:]}"
        yield f"{path}/{token[:-1]}"
        yield f"{path}/{token}A"
        for other in {"/t/o", "/t/c", "/u", "/confirm", "/preferences"} - {path}:
            if not (path == "/u" and other == "/preferences"):
                yield f"{other}/{token}"

    def test_a_guess_is_told_nothing(self):
        for path in ("/t/o/", "/t/c/", "/u/", "/confirm/", "/preferences/", "/unsubscribe?token="):
            for guess in ("x", "A" * 43, "A" * 400, "..", "%2e%2e%2f", base64.urlsafe_b64encode(
                    f"{VICTIM}|1|a|b".encode()).decode().rstrip("=")):
                for method in ("GET", "POST"):
                    answer = self.ask(method, path + guess, "" if method == "POST" else None,
                                      key=None)
                    self.assertIn(answer.status, (400, 404, 405), f"{method} {path}{guess}")
                    self.assertNotIn(VICTIM.encode(), answer.body)


if __name__ == "__main__":
    unittest.main()
