"""From a POST to a captured mail, and every refusal on the way."""

import base64
import email as mails
import http.client
import smtplib
import unittest
import uuid

from outbox_case import KEY, OutboxCase, email, tomorrow

IMAGE = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(32)).decode()


class Capture(OutboxCase):
    def test_a_posted_mail_is_captured_and_can_be_looked_at(self):
        identifier = self.post(email(
            html='<p onclick="x()">Hi <img src="cid:logo"></p>', tags=["order"],
            attachments=[{"filename": "logo.png", "content": IMAGE, "content_id": "logo"},
                         {"filename": "note.txt", "content": base64.b64encode(b"n").decode()}]))
        mail = self.settled(identifier)
        self.assertEqual(mail["state"], "SENT")
        self.assertEqual(mail["request"]["tags"], ["order"])
        self.assertEqual(mail["recipients"][0]["state"], "delivered")
        states = [entry["state"] for entry in mail["timeline"] if "state" in entry]
        self.assertEqual(states, ["ACCEPTED", "INTAKING", "READY", "PROCESSING", "SENT"])

        listed = self.ask("GET", "/v1/captured").json["items"]
        self.assertIn(identifier, [item["id"] for item in listed])
        captured = self.ask("GET", f"/v1/captured/{identifier}").json
        self.assertEqual(captured["subject"], "Ciao")
        self.assertEqual(captured["to"], ["ann@example.org"])
        self.assertNotIn("onclick", captured["html"])
        self.assertIn("data:image/png;base64,", captured["html"])
        self.assertIn("note.txt", [file["filename"] for file in captured["attachments"]])

        raw = self.ask("GET", f"/v1/emails/{identifier}/raw")
        self.assertEqual(raw.headers["Content-Type"], "message/rfc822")
        message = mails.message_from_bytes(raw.body)
        self.assertEqual(message["Subject"], "Ciao")
        self.assertEqual(message["Message-ID"], mail["message_id"])

    def test_templates_are_rendered(self):
        identifier = self.post(email(template={"subject": "Order {{ number }}"},
                                     data={"number": 7}))
        self.settled(identifier)
        captured = self.ask("GET", f"/v1/captured/{identifier}").json
        self.assertEqual(captured["subject"], "Order 7")

    def test_a_later_mail_waits_and_can_be_cancelled(self):
        identifier = self.post(email(send_at=tomorrow()))
        self.assertEqual(self.shown(identifier)["state"], "READY")
        cancelled = self.ask("POST", f"/v1/emails/{identifier}/cancel")
        self.assertEqual(cancelled.json["state"], "CANCELLED")
        self.assertEqual(self.ask("POST", f"/v1/emails/{identifier}/cancel").status, 409)

    def test_a_batch_gets_a_result_for_each(self):
        taken = str(uuid.uuid4())
        self.post(email(id=taken))
        batch = {"emails": [email(id=taken, text="other"), email()]}
        answer = self.ask("POST", "/v1/emails", batch)
        self.assertEqual(answer.status, 202)
        first, second = answer.json["results"]
        self.assertEqual((first["index"], first["error"]["code"]), (0, "conflict"))
        self.assertEqual(self.settled(second["id"])["state"], "SENT")

    def test_an_idempotency_key_makes_one_mail(self):
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        first = self.ask("POST", "/v1/emails", email(), headers=headers)
        again = self.ask("POST", "/v1/emails", email(), headers=headers)
        self.assertEqual(first.status, 202)
        self.assertEqual((again.status, again.json), (202, first.json))
        self.assertIsNone(first.headers["Idempotent-Replayed"])
        self.assertEqual(again.headers["Idempotent-Replayed"], "true")
        other = self.ask("POST", "/v1/emails", email(text="other"), headers=headers)
        self.assertEqual(other.status, 409)

    def test_refusals_have_their_status_and_say_why(self):
        unknown = f"/v1/emails/{uuid.uuid4()}"
        reader = self.ask("POST", "/v1/keys", {"name": "r", "scopes": ["read"]}).json["key"]
        rows = [
            (400, "invalid", ("POST", "/v1/emails", email(to=["ann@example.org", "ann"]))),
            (400, "invalid", ("POST", "/v1/emails", "{")),
            (400, "invalid", ("GET", "/v1/emails?limit=0")),
            (401, "unauthorized", ("POST", "/v1/emails", email(), None)),
            (401, "unauthorized", ("POST", "/v1/emails", email(), "mr_unknown")),
            (403, "forbidden", ("POST", "/v1/emails", email(), reader)),
            (404, "not_found", ("GET", unknown)),
            (404, "not_found", ("GET", "/v1/nothing")),
            (405, "method_not_allowed", ("DELETE", "/v1/emails")),
            (413, "too_large", ("POST", "/v1/suppressions", b" " * (1024 * 1024 + 1))),
        ]
        for status, code, request in rows:
            with self.subTest(request[:2]):
                answer = self.ask(*request)
                self.assertEqual(answer.status, status, answer.body)
                self.assertEqual(answer.json["error"]["code"], code)
                self.assertTrue(answer.json["error"]["message"])
        refused = self.ask("POST", "/v1/emails", email(to=["ann@example.org", "ann"])).json
        self.assertEqual(refused["error"]["details"]["field"], "to[1]")
        challenge = self.ask("GET", "/v1/emails", key=None).headers["WWW-Authenticate"]
        self.assertTrue(challenge.startswith("Bearer"))

    def test_large_mails_are_taken_and_too_large_ones_refused(self):
        content = base64.b64encode(bytes(18 * 1024 * 1024)).decode()
        identifier = self.post(email(attachments=[{"filename": "a.bin", "content": content}]))
        self.assertEqual(self.settled(identifier)["state"], "SENT")
        self.assertGreater(len(self.ask("GET", f"/v1/emails/{identifier}/raw").body), 18 << 20)
        answer = self.ask("POST", "/v1/emails", b" " * (40 * 1024 * 1024 + 1))
        self.assertEqual(answer.status, 413)

    def test_strangers_are_refused_before_they_send_a_large_body(self):
        reader = self.ask("POST", "/v1/keys", {"name": "r", "scopes": ["read"]}).json["key"]
        rows = [(401, "/v1/emails", None), (401, "/v1/emails", "mr_unknown"),
                (403, "/v1/emails", reader), (401, "/v1/emails/raw", None),
                (404, "/v1/nothing", KEY), (413, "/v1/keys", KEY)]
        for status, path, key in rows:
            with self.subTest(f"{path} {status}"):
                connection = http.client.HTTPConnection(*self.server.http, timeout=60)
                self.addCleanup(connection.close)
                connection.putrequest("POST", path)
                connection.putheader("Content-Length", str(40 * 1024 * 1024))
                if key:
                    connection.putheader("Authorization", f"Bearer {key}")
                connection.endheaders()  # And no byte of the body.
                answer = connection.getresponse()
                self.assertEqual(answer.status, status, answer.read())

    def test_a_revoked_key_is_refused_at_once(self):
        made = self.ask("POST", "/v1/keys", {"name": "short", "scopes": ["send"]}).json
        self.post(email(), key=made["key"])
        self.assertEqual(self.ask("DELETE", f"/v1/keys/{made['id']}").status, 204)
        self.assertEqual(self.ask("POST", "/v1/emails", email(), made["key"]).status, 401)

    def test_suppressed_addresses_get_nothing(self):
        address = "bob@example.org"
        self.ask("POST", "/v1/suppressions", {"address": address, "reason": "complaint"})
        mail = self.settled(self.post(email(to=address)))
        self.assertEqual(mail["state"], "FAILED")
        self.assertIn("complaint", mail["recipients"][0]["text"])
        self.assertEqual(self.ask("DELETE", f"/v1/suppressions/{address}").status, 204)
        self.assertEqual(self.settled(self.post(email(to=address)))["state"], "SENT")

    def test_what_it_is_doing_is_told(self):
        self.settled(self.post(email()))
        stats = self.ask("GET", "/v1/outbox/stats").json
        self.assertGreaterEqual(stats["states"]["SENT"], 1)
        metrics = self.ask("GET", "/metrics", key=None).body.decode()
        self.assertIn('mailroom_outbox_mails{state="SENT"}', metrics)
        self.assertIn("mailroom_outbox_in_hand", metrics)
        secret = self.ask("GET", "/v1/outbox/callback-secret").json["secret"]
        self.assertTrue(secret.startswith("whsec_"))

    def test_the_page_for_people_is_served_with_a_strict_policy(self):
        page = self.ask("GET", "/", key=None)
        self.assertEqual(page.status, 200)
        self.assertIn("default-src 'none'", page.headers["Content-Security-Policy"])


class Submission(OutboxCase):
    MESSAGE = "From: shop@example.com\r\nTo: ann@example.org\r\nSubject: By SMTP\r\n\r\nHello\r\n"

    def session(self):
        return smtplib.SMTP(*self.server.smtp_address, timeout=60)

    def test_a_mail_program_logs_in_with_a_key_and_its_mail_is_captured(self):
        with self.session() as session:
            session.login("anybody", KEY)
            session.sendmail("shop@example.com", ["bcc@example.org"], self.MESSAGE)
        captured = self.eventually(lambda: self.ask("GET", "/v1/captured").json["items"], bool)
        self.assertEqual(captured[0]["subject"], "By SMTP")
        self.assertEqual(captured[0]["recipients"], ["bcc@example.org"])

    def test_nothing_is_taken_without_a_login_or_with_a_wrong_key(self):
        with self.session() as session:
            session.ehlo()
            self.assertEqual(session.mail("shop@example.com")[0], 530)
        reader = self.ask("POST", "/v1/keys", {"name": "r", "scopes": ["read"]}).json["key"]
        for password in ("wrong", reader):
            with self.session() as session, \
                    self.assertRaises(smtplib.SMTPAuthenticationError) as refused:
                session.login("anybody", password)
            self.assertEqual(refused.exception.smtp_code, 535)


class Full(OutboxCase):
    settings = {"MAILROOM_OUTBOX_WAITING_MAX": "2"}

    def test_a_full_outbox_answers_429_until_mails_have_left(self):
        later = email(send_at=tomorrow())
        answer = self.eventually(lambda: self.ask("POST", "/v1/emails", later),
                                 lambda seen: seen.status != 202)
        self.assertEqual(answer.status, 429)
        self.assertEqual(answer.json["error"]["code"], "throttled")
        self.assertGreater(int(answer.headers["Retry-After"]), 0)


if __name__ == "__main__":
    unittest.main()
