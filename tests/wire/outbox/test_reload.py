"""SIGHUP after the certificate and the DKIM key were exchanged."""

import base64
import pathlib
import signal
import smtplib
import ssl
import subprocess
import sys
import tempfile
import unittest

import dkim

from outbox_case import KEY, OutboxCase, Sink, email

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "smtp_server"))

from sink_process import make_certificate  # pylint: disable=wrong-import-position


def openssl(*arguments):
    return subprocess.run(["openssl", *arguments], capture_output=True, check=True).stdout


def make_key(path):
    """A DKIM key in that file; the record that is to stand in the DNS for it."""
    openssl("genrsa", "-traditional", "-out", str(path), "2048")
    public = openssl("rsa", "-in", str(path), "-pubout", "-outform", "DER")
    return b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)


class Reload(OutboxCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.certificate, key = make_certificate(folder.name)
        cls.key_file = cls.folder / "dkim.pem"
        cls.record = make_key(cls.key_file)
        cls.sink = Sink()
        cls.addClassCleanup(cls.sink.stop)
        cls.arguments = ("--transport", f"smtp://{cls.sink.address}")
        cls.settings = {"MAILROOM_SERVER_TLS_CERTIFICATE": cls.certificate,
                        "MAILROOM_SERVER_TLS_KEY": key,
                        "MAILROOM_SERVER_SMTPS": "127.0.0.1:0",
                        "MAILROOM_DKIM_KEYS": f"example.com:s1:{cls.key_file}"}
        super().setUpClass()

    def shown_certificates(self):
        """At both doors, as PEM."""
        doors = []
        with smtplib.SMTP(*self.server.smtp_address, timeout=60) as session:
            session.starttls(context=ssl._create_unverified_context())
            doors.append(ssl.DER_cert_to_PEM_cert(session.sock.getpeercert(True)))
        with smtplib.SMTP_SSL(*self.server.smtps_address, timeout=60,
                              context=ssl._create_unverified_context()) as session:
            session.login("anybody", KEY)
            doors.append(ssl.DER_cert_to_PEM_cert(session.sock.getpeercert(True)))
        return doors

    def sent_message(self):
        message_id = self.settled(self.post(email()))["message_id"].encode()
        message, = [each for each in self.sink.received() if message_id in each]
        return message[message.index(b"DKIM-Signature"):]

    @staticmethod
    def is_signed(message, record):
        return dkim.verify(message, dnsfunc=lambda name, timeout=5: record)

    def test_new_files_are_used_and_bad_ones_are_not(self):
        old = pathlib.Path(self.certificate).read_text()
        self.assertEqual(self.shown_certificates(), [old] * 2)
        self.assertTrue(self.is_signed(self.sent_message(), self.record))

        make_certificate(str(self.folder))
        new = pathlib.Path(self.certificate).read_text()
        self.assertNotEqual(new, old)
        record = make_key(self.key_file)
        self.assertEqual(self.shown_certificates(), [old] * 2, "nobody has said so yet")
        self.server.process.send_signal(signal.SIGHUP)
        self.eventually(self.shown_certificates, lambda shown: shown == [new] * 2)
        message = self.sent_message()
        self.assertTrue(self.is_signed(message, record))
        self.assertFalse(self.is_signed(message, self.record))

        for path in (self.certificate, self.key_file):
            pathlib.Path(path).write_text("nonsense")
        logged = self.server.log().count("not reloaded")
        self.server.process.send_signal(signal.SIGHUP)
        self.eventually(lambda: self.server.log().count("not reloaded"),
                        lambda count: count == logged + 2)
        self.assertEqual(self.shown_certificates(), [new] * 2)
        self.assertTrue(self.is_signed(self.sent_message(), record))


if __name__ == "__main__":
    unittest.main()
