"""Postfix's smtp-source under load, and Python's smtplib."""

import shutil
import smtplib
import socket
import ssl
import subprocess
import tempfile
import unittest

from sink_process import Sink, make_certificate

SOURCE_SECONDS_MAX = 120


def smtp_source():
    return shutil.which("smtp-source") or shutil.which("smtp-source", path="/usr/sbin")


class SmtpSource(unittest.TestCase):
    def send(self, sink, *arguments):
        subprocess.run([smtp_source(), *arguments, "-f", "a@example.com", "-t", "b@example.net",
                        "inet:" + sink.address], check=True, timeout=SOURCE_SECONDS_MAX)

    def test_sessions_side_by_side(self):
        with Sink() as sink:
            self.send(sink, "-s", "16", "-m", "400", "-l", "10240", "-d")
            self.send(sink, "-s", "16", "-m", "100", "-l", "1024", "-r", "3")
            counts = sink.stop()
            self.assertEqual(counts["mails"], 500)
            self.assertEqual(counts["recipients"], 400 + 300)
            self.assertEqual(counts["open"], 0)
            self.assertEqual(counts["duplicates"], 0)

    def test_large_mails(self):
        with Sink() as sink:
            self.send(sink, "-s", "2", "-m", "4", "-l", str(5 * 1024 * 1024))
            self.assertTrue(all(len(mail) >= 5 * 1024 * 1024 for mail in sink.received()))
            self.assertEqual(sink.stop()["mails"], 4)


class Smtplib(unittest.TestCase):
    def test_extensions_are_offered_and_work(self):
        with tempfile.TemporaryDirectory() as directory:
            certificate, key = make_certificate(directory)
            with Sink("--tls-cert", certificate, "--tls-key", key, "--user", "ann:secret") as sink:
                with smtplib.SMTP(sink.host, sink.port) as client:
                    client.ehlo()
                    client.starttls(context=ssl.create_default_context(cafile=certificate))
                    client.ehlo()
                    for extension in ("size", "pipelining", "8bitmime", "smtputf8", "chunking",
                                      "enhancedstatuscodes"):
                        self.assertTrue(client.has_extn(extension), extension)
                    self.assertFalse(client.has_extn("starttls"))
                    client.login("ann", "secret")
                    client.sendmail("ü@example.com", ["ö@example.net"],
                                    "Subject: ü\r\n\r\nGrüße\r\n".encode(),
                                    mail_options=["SMTPUTF8", "BODY=8BITMIME"])
                mail, = sink.received()
                self.assertTrue(mail.endswith("Subject: ü\r\n\r\nGrüße\r\n".encode()), mail)
                self.assertIn(b" with UTF8SMTPSA ", mail)

    def test_chunks(self):
        with Sink() as sink, smtplib.SMTP(sink.host, sink.port) as client:
            client.ehlo()
            client.mail("a@example.com")
            client.rcpt("b@example.net")
            chunk = b"Subject: x\r\n\r\n.\r\n"
            client.send(b"BDAT %d\r\n%sBDAT 3 LAST\r\nend" % (len(chunk), chunk))
            self.assertEqual(client.getreply()[0], 250)
            self.assertEqual(client.getreply()[0], 250)
            self.assertTrue(sink.received()[0].endswith(chunk + b"end\r\n"))

    def test_a_smuggled_mail_does_not_arrive(self):
        for end in (b"\n.\n", b"\n.\r\n", b"\r.\r", b"\r\n.\r", b"\r\n.\n"):
            with self.subTest(end), Sink() as sink:
                with socket.create_connection((sink.host, sink.port), 20) as client:
                    client.sendall(b"EHLO x\r\nMAIL FROM:<a@x.example>\r\nRCPT TO:<b@x.example>\r\n"
                                   b"DATA\r\nSubject: one\r\n\r\nhello" + end +
                                   b"MAIL FROM:<evil@x.example>\r\nRCPT TO:<b@x.example>\r\n"
                                   b"DATA\r\nSubject: two\r\n\r\nhello\r\n.\r\nQUIT\r\n")
                    answer = b""
                    while part := client.recv(4096):
                        answer += part
                self.assertIn(b"554 5.6.0 ", answer)
                self.assertEqual(sink.stop()["mails"], 0)


if __name__ == "__main__":
    unittest.main()
