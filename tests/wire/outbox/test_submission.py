"""Programs that only speak SMTP: TLS, logins, limits, and what becomes of their mail."""

import email as mails
import email.policy
import pathlib
import shutil
import smtplib
import ssl
import subprocess
import sys
import tempfile
import unittest

from outbox_case import KEY, OutboxCase

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "smtp_server"))

from sink_process import make_certificate  # pylint: disable=wrong-import-position

SWAKS_SECONDS_MAX = 60
MAIL_BYTES_MAX = 40 * 1024 * 1024
SENDER = "shop@example.com"


def message(subject="By SMTP", body="Hello\r\n", extra=""):
    return (f"From: {SENDER}\r\nTo: ann@example.org\r\nSubject: {subject}\r\n{extra}\r\n"
            f"{body}").encode()


class SubmissionCase(OutboxCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.certificate, key = make_certificate(folder.name)
        cls.settings = {"MAILROOM_SERVER_TLS_CERTIFICATE": cls.certificate,
                        "MAILROOM_SERVER_TLS_KEY": key,
                        "MAILROOM_SERVER_SMTPS": "127.0.0.1:0"}
        super().setUpClass()

    def trusting(self):
        return ssl.create_default_context(cafile=self.certificate)

    def session(self):
        """Encrypted and not logged in."""
        session = smtplib.SMTP(*self.server.smtp_address, timeout=60)
        session.starttls(context=self.trusting())
        session.ehlo()
        return session

    def logged_in(self, key=KEY):
        session = self.session()
        session.login("anybody", key)
        return session

    def key_with(self, *scopes):
        return self.ask("POST", "/v1/keys", {"name": "k", "scopes": scopes}).json["key"]

    def taken(self, session, content, recipients=("ann@example.org",), options=()):
        """Submits, and returns the mail that the reply names once it has settled."""
        session.mail(SENDER, options)
        for recipient in recipients:
            self.assertEqual(session.rcpt(recipient)[0], 250)
        code, reply = session.data(content)
        self.assertEqual(code, 250, reply)
        return self.settled(reply.decode().split("accepted as ")[1].strip())

    def raw(self, mail):
        return self.ask("GET", f"/v1/emails/{mail['id']}/raw").body


class Submission(SubmissionCase):
    def test_the_reply_names_the_mail_and_each_recipient_is_there(self):
        recipients = ["ann@example.org", "bob@example.org", "hidden@example.net"]
        with self.logged_in() as session:
            mail = self.taken(session, message(), recipients)
        self.assertEqual(mail["state"], "SENT")
        self.assertEqual(mail["sender"], SENDER)
        self.assertEqual([recipient["address"] for recipient in mail["recipients"]], recipients)
        self.assertNotIn(b"hidden", self.raw(mail))
        self.assertNotIn(KEY.encode(), self.raw(mail))

    def test_several_mails_go_over_one_connection(self):
        with self.logged_in() as session:
            ids = {self.taken(session, message(subject=str(number)))["id"] for number in range(3)}
        self.assertEqual(len(ids), 3)

    def test_a_key_without_the_scope_send_is_refused_and_says_so(self):
        rows = [("wrong", "not a known API key"), (self.key_with("read"), "no scope send")]
        for password, why in rows:
            with self.subTest(why), self.session() as session:
                with self.assertRaises(smtplib.SMTPAuthenticationError) as refused:
                    session.login("anybody", password)
                self.assertEqual(refused.exception.smtp_code, 535)
                self.assertIn(why, refused.exception.smtp_error.decode())
                self.assertEqual(session.mail(SENDER)[0], 530)

    def test_a_key_with_only_the_scope_send_is_enough_and_can_be_revoked(self):
        made = self.ask("POST", "/v1/keys", {"name": "s", "scopes": ["send"]}).json
        with self.logged_in(made["key"]) as session:
            self.taken(session, message())
        self.ask("DELETE", f"/v1/keys/{made['id']}")
        with self.session() as session, self.assertRaises(smtplib.SMTPAuthenticationError):
            session.login("anybody", made["key"])

    def test_what_is_too_large_is_refused_before_it_is_sent_and_after(self):
        with self.logged_in() as session:
            self.assertEqual(int(session.esmtp_features["size"]), MAIL_BYTES_MAX)
            self.assertEqual(session.mail(SENDER, [f"SIZE={MAIL_BYTES_MAX + 1}"])[0], 552)
            session.mail(SENDER)
            session.rcpt("ann@example.org")
            body = ("x" * 76 + "\r\n") * (MAIL_BYTES_MAX // 78 + 1)
            code, reply = session.data(message(body=body))
            self.assertEqual(code, 552, reply)
            self.assertEqual(self.taken(session, message())["state"], "SENT")

    def test_a_large_mail_is_taken(self):
        body = ("x" * 76 + "\r\n") * 20_000
        with self.logged_in() as session:
            mail = self.taken(session, message(body=body))
        self.assertEqual(mail["state"], "SENT")
        self.assertTrue(self.raw(mail).endswith(body[-1000:].encode()))

    def test_eight_bits_and_addresses_in_any_script_arrive_as_they_were(self):
        content = message(subject="Größe", body="Grüße\r\n",
                          extra="Content-Type: text/plain; charset=utf-8\r\n"
                                "Content-Transfer-Encoding: 8bit\r\nMIME-Version: 1.0\r\n")
        with self.logged_in() as session:
            self.assertTrue(session.has_extn("8BITMIME") and session.has_extn("SMTPUTF8"))
            session.command_encoding = "utf-8"
            mail = self.taken(session, content, ["jürgen@müller.example"],
                              ["BODY=8BITMIME", "SMTPUTF8"])
        self.assertEqual(mail["state"], "SENT")
        self.assertEqual(mail["recipients"][0]["address"], "jürgen@müller.example")
        parsed = mails.message_from_bytes(self.raw(mail), policy=email.policy.default)
        self.assertEqual(parsed["Subject"], "Größe")
        self.assertEqual(parsed.get_content().strip(), "Grüße")

    def test_what_is_no_mail_is_refused_with_a_reason(self):
        with self.logged_in() as session:
            session.mail(SENDER)
            session.rcpt("ann@example.org")
            code, reply = session.data(b"Subject: nobody wrote this\r\n\r\nx\r\n")
            self.assertEqual(code, 554)
            self.assertIn(b"From", reply)
            self.assertNotEqual(session.rcpt("no address")[0], 250)

    def test_tls_from_the_first_byte(self):
        with smtplib.SMTP_SSL(*self.server.smtps_address, context=self.trusting()) as session:
            with self.assertRaises(smtplib.SMTPAuthenticationError):
                session.login("anybody", "wrong")
            session.login("anybody", KEY)
            self.assertFalse(session.has_extn("STARTTLS"))
            self.assertEqual(self.taken(session, message())["state"], "SENT")

    def test_swaks_gets_through_with_starttls_and_either_login(self):
        host, port = self.server.smtp_address
        for mechanism in ("PLAIN", "LOGIN"):
            with self.subTest(mechanism):
                done = subprocess.run(
                    [shutil.which("swaks"), "--server", host, "--port", str(port), "--tls",
                     "--auth", mechanism, "--auth-user", "x", "--auth-password", KEY,
                     "--from", SENDER, "--to", "a@example.org,b@example.org"],
                    capture_output=True, text=True, timeout=SWAKS_SECONDS_MAX, check=False)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn("accepted as", done.stdout)


class Elsewhere(SubmissionCase):
    """A listener that other machines reach: no password in clear."""

    smtp = "0.0.0.0:0"

    def test_a_login_needs_tls(self):
        with smtplib.SMTP("127.0.0.1", self.server.smtp_address[1], timeout=60) as session:
            session.ehlo()
            self.assertFalse(session.has_extn("AUTH"))
            with self.assertRaises(smtplib.SMTPException):
                session.login("anybody", KEY)
            session.starttls(context=self.trusting())
            session.login("anybody", KEY)
            self.assertEqual(self.taken(session, message())["state"], "SENT")


if __name__ == "__main__":
    unittest.main()
