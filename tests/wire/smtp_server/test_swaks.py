"""swaks, the tester of mail people: plain, pipelined, STARTTLS, implicit TLS, AUTH."""

import shutil
import subprocess
import tempfile
import unittest

from sink_process import Sink, make_certificate

SWAKS_SECONDS_MAX = 60


def swaks(sink, *arguments):
    command = [shutil.which("swaks"), "--server", sink.host, "--port", str(sink.port),
               "--helo", "client.example", "--from", "ann@example.com", "--to", "bob@example.net",
               *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=SWAKS_SECONDS_MAX)


class SwaksCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.certificate, cls.key = make_certificate(directory.name)

    def good(self, sink, *arguments):
        done = swaks(sink, *arguments)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_a_plain_mail_arrives_as_it_was_sent(self):
        with Sink() as sink:
            self.good(sink, "--body", "one\n.two\n..three\n.", "--header", "Subject: dots")
            mail, = sink.received()
            self.assertIn(b"\r\n\r\none\r\n.two\r\n..three\r\n.\r\n", mail)
            self.assertIn(b"Received: from client.example ([127.0.0.1])\r\n"
                          b"\tby localhost with ESMTP id ", mail)
            self.assertIn(b"\tfor <bob@example.net>; ", mail)

    def test_pipelining(self):
        with Sink() as sink:
            self.good(sink, "--pipeline", "--to", "a@x.example,b@x.example,c@x.example")
            self.assertEqual(sink.counts()["recipients"], 3)

    def test_starttls(self):
        with Sink("--tls-cert", self.certificate, "--tls-key", self.key) as sink:
            self.good(sink, "--tls")
            self.assertIn(b" with ESMTPS (TLSv1.3 ", sink.received()[0])

    def test_starttls_with_pipelining(self):
        with Sink("--tls-cert", self.certificate, "--tls-key", self.key) as sink:
            self.good(sink, "--tls", "--pipeline")

    def test_implicit_tls(self):
        with Sink("--tls-cert", self.certificate, "--tls-key", self.key, "--tls-implicit") as sink:
            self.good(sink, "--tls-on-connect")
            self.assertIn(b" with ESMTPS ", sink.received()[0])

    def test_auth(self):
        with Sink("--tls-cert", self.certificate, "--tls-key", self.key,
                  "--user", "ann:secret") as sink:
            for mechanism in ("PLAIN", "LOGIN"):
                self.good(sink, "--tls", "--auth", mechanism, "--auth-user", "ann",
                          "--auth-password", "secret")
            wrong = swaks(sink, "--tls", "--auth", "PLAIN", "--auth-user", "ann",
                          "--auth-password", "wrong")
            self.assertNotEqual(wrong.returncode, 0)
            self.assertIn("535 5.7.8", wrong.stdout)
            without = swaks(sink)
            self.assertIn("530 5.7.0", without.stdout)
            self.assertEqual(sink.counts()["mails"], 2)

    def test_refusals_reach_the_client(self):
        with Sink("--obey-addresses", "--refuse", "end@full.example=452") as sink:
            self.assertIn("550 5.1.1", swaks(sink, "--to", "bounce-550@x.example").stdout)
            self.assertIn("452 ", swaks(sink, "--to", "a@full.example").stdout)
            self.assertNotEqual(swaks(sink, "--to", "drop@x.example").returncode, 0)
            self.assertEqual(sink.counts()["mails"], 0)


if __name__ == "__main__":
    unittest.main()
