"""Mails that leave through Postfix with TLS and a login, and what is seen when that goes wrong."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

from name_server import NameServer, a_record
from outbox_case import SETTLED, OutboxCase, OutboxServer, email

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "smtp"))

import peers  # pylint: disable=wrong-import-position

PASSWORD = peers.Postfix.PASSWORD.replace(" ", "%20")
WRONG = "b4d-passw0rd"


class ExpiredPostfix(peers.Postfix):
    """Its certificate was good until yesterday."""

    def _make_certificate(self):
        super()._make_certificate()
        folder = pathlib.Path(self.folder)
        (folder / "index").touch()
        (folder / "ca.cf").write_text(
            "[ca]\ndefault_ca=c\n[c]\ndatabase=index\nrand_serial=yes\nnew_certs_dir=.\n"
            "default_md=sha256\npolicy=p\ncopy_extensions=copy\n[p]\ncommonName=supplied\n")
        request = ["openssl", "req", "-new", "-key", "server.key", "-subj", "/CN=relay.example",
                   "-addext", "subjectAltName=DNS:relay.example", "-out", "request.pem"]
        sign = ["openssl", "ca", "-batch", "-config", "ca.cf", "-selfsign", "-keyfile",
                "server.key", "-in", "request.pem", "-out", "server.pem", "-notext",
                "-startdate", "20200101000000Z", "-enddate", "20200201000000Z"]
        for command in (request, sign):
            subprocess.run(command, cwd=self.folder, check=True, capture_output=True)


@unittest.skipUnless(os.geteuid() == 0, "Postfix's master starts as root only")
class PostfixRelay(OutboxCase):
    @classmethod
    def setUpClass(cls):
        cls.sink = cls.enterClassContext(peers.Sink())
        cls.postfix = cls.enterClassContext(peers.Postfix(cls.sink))
        cls.expired = cls.enterClassContext(ExpiredPostfix(cls.sink))
        cls.names = NameServer({name: [a_record("127.0.0.1")]
                                for name in ("relay.example", "other.example")})
        cls.addClassCleanup(cls.names.stop)

    def serve(self, url, ca_file=None):
        self.server = OutboxServer("--transport", url, settings={
            "MAILROOM_NET_RESOLVERS": self.names.address,
            "SSL_CERT_FILE": ca_file or self.postfix.ca_file})
        self.addCleanup(self.server.stop)
        self.server.start()

    def tried(self, mail):
        identifier = self.post(mail)
        return self.eventually(lambda: self.shown(identifier), lambda seen: (
            seen["state"] in SETTLED or (seen["state"] != "PROCESSING" and any(
                entry.get("event") == "attempt" for entry in seen["timeline"]))))

    def url(self, password=PASSWORD, scheme="smtp", host="relay.example", postfix=None):
        postfix = postfix or self.postfix
        port = postfix.tls_port if scheme == "smtps" else postfix.port
        return f"{scheme}://{peers.Postfix.USER}:{password}@{host}:{port}"

    def test_mail_goes_through_with_tls_and_login(self):
        for scheme in ("smtp", "smtps"):
            with self.subTest(scheme):
                self.serve(self.url(scheme=scheme))
                mail = self.tried(email(to=["bob@peer.example", "nobody@peer.example"]))
                self.assertEqual(mail["state"], "SENT")
                states = [recipient["state"] for recipient in mail["recipients"]]
                self.assertEqual(states, ["delivered", "failed"])
                self.assertIn("no such user", mail["reason"])
                sent = mail["timeline"][-1]
                self.assertTrue(sent["tls"].startswith("TLSv1.3"), sent)
                self.assertIn("> AUTH PLAIN ****\n< 235 ", sent["transcript"])
                self.assertNotIn(peers.Postfix.PASSWORD, str(mail))
                self.eventually(lambda: [text for text in self.sink.mails()
                                         if mail["message_id"].encode() in text], bool)

    def test_what_is_wrong_with_the_relay_is_shown_with_the_mail_and_in_the_log(self):
        expired = self.expired.ca_file
        rows = [
            ("a wrong password", self.url(password=WRONG), None, "authentication failed", 535),
            ("an expired certificate", self.url(postfix=self.expired), expired, "expired", None),
            ("an unknown certificate", self.url(), expired, "self-signed", None),
            ("another name", self.url(host="other.example"), None, "another host", None),
            ("no such host", self.url(host="nowhere.example"), None, "cannot be found", None),
            ("TLS at a port without", self.url(scheme="smtps").replace(
                str(self.postfix.tls_port), str(self.postfix.port)), None, "TLS handshake", None),
        ]
        for name, url, ca_file, why, code in rows:
            with self.subTest(name):
                self.serve(url, ca_file)
                mail = self.tried(email(to="bob@peer.example"))
                self.assertEqual(mail["state"], "READY")
                self.assertIn(why, mail["recipients"][0]["text"])
                self.assertEqual(mail["recipients"][0].get("code"), code)
                self.assertGreater(mail["next_attempt_at"], mail["updated_at"])
                warning, = re.findall(".* warn the relay cannot be used.*", self.server.log())
                self.assertIn(why, warning)
                self.assertNotIn(WRONG, str(mail) + self.server.log())

    def test_without_a_login_it_fails_with_the_relays_words(self):
        self.serve(f"smtp://relay.example:{self.postfix.port}")
        mail = self.tried(email(to="bob@peer.example"))
        self.assertEqual(mail["state"], "FAILED")
        self.assertIn("554", mail["reason"])
        self.assertIn("Access denied", mail["reason"])

    def test_a_wrong_password_is_not_tried_with_every_mail(self):
        self.serve(self.url(password=WRONG))
        self.tried(email(to="bob@peer.example"))
        log = pathlib.Path(self.postfix.folder) / "log"
        before = log.read_text().count("authentication failed")
        for _ in range(5):
            mail = self.tried(email(to="bob@peer.example"))
            self.assertIn("authentication failed", mail["recipients"][0]["text"])
        self.assertEqual(log.read_text().count("authentication failed"), before)

    def test_a_mail_that_waits_is_tried_at_once_when_a_person_says_so(self):
        self.serve(self.url(password=WRONG))
        waiting = self.tried(email(to="bob@peer.example"))
        self.server.terminate()
        self.server.arguments = [self.url() if argument == self.url(password=WRONG) else argument
                                 for argument in self.server.arguments]
        self.server.start()
        self.assertEqual(self.shown(waiting["id"])["state"], "READY")
        retried = self.ask("POST", f"/v1/emails/{waiting['id']}/retry")
        self.assertEqual(retried.status, 200, retried.body)
        self.assertEqual(self.settled(waiting["id"])["state"], "SENT")


if __name__ == "__main__":
    unittest.main()
