"""Messages in 8 bits, for a relay that takes only seven (neither 8BITMIME nor SMTPUTF8)."""

import email as mails
import email.policy
import smtplib
import socketserver
import threading
import unittest

from outbox_case import KEY, OutboxCase

SUBJECT, TEXT = "Grüße aus Zürich ☕", "Schöne Grüße\r\n"
MESSAGE = (f"From: Jörg <shop@example.com>\r\nTo: ann@example.org\r\nSubject: {SUBJECT}\r\n"
           "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"
           f"Content-Transfer-Encoding: 8bit\r\n\r\n{TEXT}").encode()


class PlainRelay(socketserver.ThreadingTCPServer):
    """Offers no extension, and keeps commands and messages as they came."""

    allow_reuse_address = daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Session)
        self.commands, self.messages = [], []
        threading.Thread(target=self.serve_forever, daemon=True).start()


class _Session(socketserver.StreamRequestHandler):
    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")

    def handle(self):
        self.say("220 plain.example")
        while line := self.rfile.readline():
            self.server.commands.append(line)
            verb = line[:4].upper()
            self.say("354 go on" if verb == b"DATA" else "250 plain.example")
            if verb == b"QUIT":
                return
            if verb == b"DATA":
                message = b""
                while not message.endswith(b"\r\n.\r\n"):
                    message += self.rfile.readline()
                self.server.messages.append(message[:-3])
                self.say("250 taken")


class SevenBit(OutboxCase):
    @classmethod
    def setUpClass(cls):
        cls.relay = PlainRelay()
        cls.addClassCleanup(cls.relay.server_close)
        cls.addClassCleanup(cls.relay.shutdown)
        cls.arguments = ("--transport", f"smtp://127.0.0.1:{cls.relay.server_address[1]}")
        super().setUpClass()

    def setUp(self):
        self.relay.commands.clear()
        self.relay.messages.clear()

    def assert_arrived_converted(self):
        message, = self.eventually(lambda: list(self.relay.messages), bool)
        self.assertTrue(message.isascii(), message)
        self.assertTrue(b"".join(self.relay.commands).isascii())
        self.assertNotIn(b"SMTPUTF8", b"".join(self.relay.commands))
        self.assertNotIn(b"8BITMIME", b"".join(self.relay.commands))
        parsed = mails.message_from_bytes(message, policy=email.policy.default)
        self.assertEqual(parsed["Subject"], SUBJECT)
        self.assertEqual(parsed["From"].addresses[0].display_name, "Jörg")
        self.assertEqual(parsed.get_content().strip(), TEXT.strip())
        self.assertIn(parsed["Content-Transfer-Encoding"], ("quoted-printable", "base64"))

    def test_a_raw_mail_over_http(self):
        answer = self.ask("POST", "/v1/emails/raw", MESSAGE,
                          headers={"Content-Type": "message/rfc822"})
        self.assertEqual(answer.status, 202, answer.body)
        self.assertEqual(self.settled(answer.json["id"])["state"], "SENT")
        self.assert_arrived_converted()

    def test_a_mail_that_a_program_submits(self):
        with smtplib.SMTP(*self.server.smtp_address, timeout=60) as session:
            session.ehlo()
            session.login("anybody", KEY)
            session.sendmail("shop@example.com", ["ann@example.org"], MESSAGE,
                             ["BODY=8BITMIME", "SMTPUTF8"])
        self.assert_arrived_converted()


if __name__ == "__main__":
    unittest.main()
