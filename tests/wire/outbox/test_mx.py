"""Mails that go straight to the servers of their recipients' domains, signed for their senders."""

import base64
import re
import subprocess
import sys
import pathlib
import tempfile
import unittest

import dkim

from name_server import NameServer, a_record, mx_record
from odd_server import OddServer
from outbox_case import OutboxCase, Sink, email

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "smtp_server"))

from sink_process import make_certificate  # pylint: disable=wrong-import-position

ED25519_DER_PREFIX_BYTES = 12  # Before the 32 bytes of a public key in DER.


def openssl(*arguments):
    return subprocess.run(["openssl", *arguments], capture_output=True, check=True).stdout


class MxCase(OutboxCase):
    """Servers on addresses of their own, one port for all, and a name server that knows them."""

    more_settings = {}
    odd_seconds = 0

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        certificate, key = make_certificate(cls.folder)
        cls.plain = cls.sink("127.0.0.2:0", "--obey-addresses")
        port = cls.plain.port
        cls.busy = cls.sink(f"127.0.0.3:{port}", "--refuse", "connect=421")
        cls.secure = cls.sink(f"127.0.0.4:{port}", "--tls-cert", certificate, "--tls-key", key)
        cls.odd = OddServer(("127.0.0.5", port), cls.odd_seconds)
        cls.addClassCleanup(cls.odd.stop)
        hosts = {"plain": "127.0.0.2", "busy": "127.0.0.3", "secure": "127.0.0.4",
                 "odd": "127.0.0.5", "down": "127.0.0.9", "private": "10.255.0.1"}
        cls.names = NameServer({
            **{f"{name}.host.example": [a_record(address)] for name, address in hosts.items()},
            "plain.example": [mx_record(10, "plain.host.example")],
            "odd.example": [mx_record(10, "odd.host.example")],
            "fallback.example": [mx_record(30, "plain.host.example"),
                                 mx_record(10, "down.host.example"),
                                 mx_record(20, "busy.host.example")],
            "secure.example": [mx_record(10, "secure.host.example")],
            "address.example": [a_record("127.0.0.2")],
            "no-mail.example": [mx_record(0, ".")],
            "private.example": [mx_record(10, "private.host.example")],
            "down.example": [mx_record(10, "down.host.example")],
            "circle.example": [mx_record(10, "our.name.example")],
            "broken.example": None,
            "xn--mnchen-3ya.example": [mx_record(10, "plain.host.example")],
        })
        cls.addClassCleanup(cls.names.stop)
        cls.arguments = ("--transport", "mx")
        cls.settings = {"MAILROOM_NET_RESOLVERS": cls.names.address,
                        "MAILROOM_NET_ALLOW": "127.0.0.0/8",
                        "MAILROOM_OUTBOX_MX_PORT": str(port),
                        "MAILROOM_OUTBOX_HELLO_NAME": "our.name.example",
                        **cls.more_settings_for(cls.folder)}
        super().setUpClass()

    @classmethod
    def more_settings_for(cls, _folder):
        return cls.more_settings

    @classmethod
    def sink(cls, listen, *arguments):
        sink = Sink(*arguments, listen=listen)
        cls.addClassCleanup(sink.stop)
        return sink

    def arrived(self, sink, mail):
        return [message for message in sink.received() if mail["message_id"].encode() in message]

    def tried(self, identifier):
        """The mail once its first attempt is over."""
        return self.eventually(
            lambda: self.shown(identifier), lambda seen: seen["state"] != "PROCESSING" and any(
                entry.get("event") == "attempt" for entry in seen["timeline"]))


class Route(MxCase):
    def test_the_servers_of_a_domain_get_its_mail(self):
        rows = [("plain.example", self.plain), ("address.example", self.plain),
                ("secure.example", self.secure), ("fallback.example", self.plain),
                ("münchen.example", self.plain)]
        for domain, sink in rows:
            with self.subTest(domain):
                mail = self.settled(self.post(email(to=f"ann@{domain}")))
                self.assertEqual((mail["state"], mail["reason"]), ("SENT", ""))
                self.assertEqual(len(self.arrived(sink, mail)), 1)

    def test_tls_is_used_where_it_is_offered_and_shown(self):
        mail = self.settled(self.post(email(to="ann@secure.example")))
        message, = self.arrived(self.secure, mail)
        self.assertIn(b" with ESMTPS (TLSv1.3 ", message)
        sent = mail["timeline"][-1]
        self.assertEqual(sent["state"], "SENT")
        self.assertTrue(sent["tls"].startswith("TLSv1.3"), sent)
        self.assertTrue(sent["peer"].startswith("secure.host.example (127.0.0.4:"), sent["peer"])

    def test_a_server_whose_tls_is_broken_gets_its_mail_in_clear(self):
        mail = self.settled(self.post(email(to="ann@odd.example")))
        self.assertEqual((mail["state"], mail["reason"]), ("SENT", ""))
        sent = mail["timeline"][-1]
        self.assertIn("trying again without TLS", sent["transcript"])
        self.assertNotIn("tls", sent)
        arrived = [text for text in self.odd.messages if mail["message_id"].encode() in text]
        self.assertEqual(len(arrived), 1)

    def test_the_servers_that_were_passed_over_are_in_the_transcript(self):
        mail = self.settled(self.post(email(to="ann@fallback.example")))
        transcript = mail["timeline"][-1]["transcript"]
        names = ("down", "busy", "plain")
        places = [transcript.index(f"* {name}.host.example\n") for name in names]
        self.assertEqual(places, sorted(places))
        self.assertIn("< 421 ", transcript)

    def test_what_can_never_be_delivered_fails_and_says_why(self):
        rows = [("no-mail.example", "the domain no-mail.example takes no mail"),
                ("unknown.example", "there is no domain unknown.example"),
                ("private.example", "are at addresses that are not on the public Internet"),
                ("circle.example", "mail for circle.example would come back to this server")]
        for domain, reason in rows:
            with self.subTest(domain):
                mail = self.settled(self.post(email(to=f"ann@{domain}")))
                self.assertEqual(mail["state"], "FAILED")
                self.assertIn(reason, mail["reason"])
                self.assertEqual(mail["recipients"][0]["state"], "failed")

    def test_what_may_work_later_waits_and_says_why(self):
        rows = [("broken.example", "cannot be looked up now"),
                ("down.example", "refused")]
        for domain, reason in rows:
            with self.subTest(domain):
                mail = self.tried(self.post(email(to=f"ann@{domain}")))
                self.assertEqual(mail["state"], "READY")
                self.assertIn(reason, mail["recipients"][0]["text"])
                self.assertEqual(mail["attempts"], 1)
                self.assertGreater(mail["next_attempt_at"], mail["updated_at"])

    def test_each_domain_of_a_mail_has_its_own_outcome(self):
        mail = self.settled(self.post(email(
            to=["ann@plain.example", "bob@secure.example", "bounce-550@plain.example"],
            cc="cyd@no-mail.example", bcc="dan@plain.example")))
        self.assertEqual(mail["state"], "SENT")
        states = {recipient["address"]: recipient["state"] for recipient in mail["recipients"]}
        self.assertEqual(states, {
            "ann@plain.example": "delivered", "bob@secure.example": "delivered",
            "bounce-550@plain.example": "failed", "cyd@no-mail.example": "failed",
            "dan@plain.example": "delivered"})
        self.assertTrue(mail["reason"].startswith("2 of 5 recipients failed: "), mail["reason"])
        # Both of one domain in one message.
        self.assertEqual(len(self.arrived(self.plain, mail)), 1)
        self.assertEqual(len(self.arrived(self.secure, mail)), 1)


class Signed(MxCase):
    """example.com has two keys, sub.other.example is signed by its parent."""

    @classmethod
    def more_settings_for(cls, folder):
        keys = [("example.com", "rsa1", ("-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")),
                ("example.com", "ed1", ("-algorithm", "ED25519")),
                ("other.example", "s", ("-algorithm", "ED25519"))]
        cls.records, parts = {}, []
        for domain, selector, kind in keys:
            path = f"{folder}/{domain}.{selector}.pem"
            openssl("genpkey", *kind, "-out", path)
            public = openssl("pkey", "-in", path, "-pubout", "-outform", "DER")
            algorithm = "rsa" if kind[1] == "RSA" else "ed25519"
            if algorithm == "ed25519":
                public = public[ED25519_DER_PREFIX_BYTES:]
            cls.records[f"{selector}._domainkey.{domain}"] = (
                f"v=DKIM1; k={algorithm}; p={base64.b64encode(public).decode()}".encode())
            parts.append(f"{domain}:{selector}:{path}")
        return {"MAILROOM_DKIM_KEYS": ",".join(parts)}

    def look_up(self, name, timeout=5):
        name = name if isinstance(name, str) else name.decode()
        return self.records.get(name.rstrip("."))

    def signatures(self, mail):
        """The domain and selector of each signature of what arrived; all must verify."""
        message, = self.arrived(self.plain, mail)
        verifier = dkim.DKIM(message)
        found = re.findall(rb"^DKIM-Signature:((?:.|\n[ \t])*)", message.replace(b"\r\n", b"\n"),
                           re.M | re.I)
        for index in range(len(found)):
            self.assertTrue(verifier.verify(index, dnsfunc=self.look_up), message)
        tags = [dict(part.strip().split(b"=", 1) for part in re.sub(rb"\s", b"", text).split(b";")
                     if b"=" in part) for text in found]
        return sorted((tag[b"d"].decode(), tag[b"s"].decode()) for tag in tags)

    def test_what_arrives_verifies_for_the_domain_of_its_sender(self):
        rows = [("shop@example.com", [("example.com", "ed1"), ("example.com", "rsa1")]),
                ("Shöp <shop@sub.other.example>", [("other.example", "s")]),
                ("shop@stranger.example", [])]
        for sender, wanted in rows:
            with self.subTest(sender):
                mail = self.settled(self.post({
                    "from": sender, "to": "ann@plain.example", "subject": "Größe",
                    "text": "a\n.\nb  \n\n", "html": "<p>ü</p>"}))
                self.assertEqual(mail["state"], "SENT", mail["reason"])
                self.assertEqual(self.signatures(mail), wanted)

    def test_a_finished_message_is_signed_as_it_is(self):
        raw = b"From: shop@example.com\r\nTo: ann@plain.example\r\nSubject: raw\r\n\r\nx  y\r\n\r\n"
        answer = self.ask("POST", "/v1/emails/raw", raw, headers={"Content-Type": "message/rfc822"})
        mail = self.settled(answer.json["id"])
        self.assertEqual(len(self.signatures(mail)), 2)


class Limited(MxCase):
    more_settings = {"MAILROOM_OUTBOX_DOMAIN_RATE_PER_SECOND": "2",
                     "MAILROOM_OUTBOX_DOMAIN_CONNECTIONS": "1"}

    def test_one_domain_waits_for_its_turns_while_another_goes_on(self):
        slow = [self.post(email(to="ann@plain.example")) for _ in range(8)]
        other = self.settled(self.post(email(to="ann@secure.example")))
        self.assertEqual(other["state"], "SENT")
        # Eight mails at two a second take more than three seconds.
        self.assertEqual(self.shown(slow[-1])["state"], "READY")
        mails = [self.settled(identifier) for identifier in slow]
        self.assertEqual({mail["state"] for mail in mails}, {"SENT"})
        self.assertEqual({mail["attempts"] for mail in mails}, {1})
        sent = sorted(mail["updated_at"] for mail in mails)
        self.assertGreater(sent[-1][:19], sent[0][:19])


class OneAtATime(MxCase):
    more_settings = {"MAILROOM_OUTBOX_DOMAIN_CONNECTIONS": "1"}
    odd_seconds = 0.1

    def test_one_domain_has_as_many_connections_as_allowed(self):
        ids = [self.post(email(to="ann@odd.example")) for _ in range(10)]
        self.assertEqual({self.settled(identifier)["state"] for identifier in ids}, {"SENT"})
        self.assertEqual(len(self.odd.messages), len(ids))
        self.assertEqual(self.odd.connected_most, 1)


if __name__ == "__main__":
    unittest.main()
