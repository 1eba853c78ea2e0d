"""Attachments that are fetched: by path below a directory, and by URL."""

import email as mails
import http.server
import pathlib
import shutil
import tempfile
import threading
import unittest

from outbox_case import OutboxCase, email

FILE = b"%PDF-1.4 hello"


class _Files(http.server.BaseHTTPRequestHandler):
    """/flaky fails the first time."""

    def do_GET(self):
        failing = self.path == "/flaky" and not self.server.asked.count("/flaky")
        self.server.asked.append(self.path)
        status = 503 if failing else 404 if self.path == "/missing" else 200
        self.send_response(status)
        self.send_header("Content-Type", "application/pdf")
        self.send_header("Content-Length", str(len(FILE)))
        self.end_headers()
        self.wfile.write(FILE)

    def log_message(self, *_):
        pass


class Attachments(OutboxCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.directory = pathlib.Path(folder.name) / "files"
        cls.directory.mkdir()
        (cls.directory / "a.pdf").write_bytes(FILE)
        (cls.directory / "link").symlink_to("/etc/passwd")
        cls.files = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Files)
        cls.files.asked = []
        threading.Thread(target=cls.files.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.files.server_close)
        cls.addClassCleanup(cls.files.shutdown)
        cls.url = f"http://127.0.0.1:{cls.files.server_address[1]}"
        cls.settings = {"MAILROOM_OUTBOX_ATTACHMENTS_DIRECTORY": str(cls.directory),
                        "MAILROOM_NET_ALLOW": "127.0.0.0/8"}
        super().setUpClass()

    def with_attachment(self, **attachment):
        return email(attachments=[attachment])

    def attached(self, mail):
        raw = self.ask("GET", f"/v1/emails/{mail['id']}/raw").body
        part, = [part for part in mails.message_from_bytes(raw).walk() if part.get_filename()]
        return part.get_filename(), part.get_content_type(), part.get_payload(decode=True)

    def put_off(self, identifier):
        """The mail once it waits for its attachment."""
        return self.eventually(lambda: self.shown(identifier),
                               lambda seen: seen["state"] == "ACCEPTED" and seen["reason"])

    def test_what_is_named_is_in_the_mail(self):
        rows = [{"path": "a.pdf"}, {"path": "/a.pdf"}, {"url": self.url + "/a.pdf"}]
        for attachment in rows:
            with self.subTest(attachment):
                mail = self.settled(self.post(self.with_attachment(**attachment)))
                self.assertEqual((mail["state"], mail["reason"]), ("SENT", ""))
                self.assertEqual(self.attached(mail), ("a.pdf", "application/pdf", FILE))

    def test_what_can_never_be_fetched_makes_the_mail_invalid(self):
        rows = [({"path": "none.pdf"}, "attachments[0].path: no such file"),
                ({"path": "link"}, "it leads out of the directory for attachments"),
                ({"url": self.url + "/missing"}, "the server answered 404"),
                ({"url": "http://10.0.0.1/a.pdf"}, "10.0.0.1 is not on the public Internet")]
        for attachment, why in rows:
            with self.subTest(why):
                mail = self.settled(self.post(self.with_attachment(**attachment)))
                self.assertEqual(mail["state"], "INVALID")
                self.assertIn(why, mail["reason"])
        for attachment in ({"path": "../a"}, {"content": "%"}, {"filename": "x"}):
            with self.subTest(attachment):
                answer = self.ask("POST", "/v1/emails", self.with_attachment(**attachment))
                self.assertEqual(answer.status, 400)

    def test_what_may_come_is_waited_for_and_a_person_may_hurry_it(self):
        identifier = self.post(self.with_attachment(url=self.url + "/flaky", filename="a.pdf"))
        mail = self.put_off(identifier)
        self.assertIn("503", mail["reason"])
        self.assertGreater(mail["next_attempt_at"], mail["updated_at"])
        retried = self.ask("POST", f"/v1/emails/{identifier}/retry")
        # It may have come by itself in the meantime.
        self.assertIn(retried.status, (200, 409), retried.body)
        self.assertEqual(self.settled(identifier)["state"], "SENT")

    def test_a_directory_that_is_away_is_waited_for(self):
        away = self.directory.with_name("away")
        self.directory.rename(away)
        try:
            identifier = self.post(self.with_attachment(path="a.pdf"))
            self.assertIn("cannot be opened", self.put_off(identifier)["reason"])
        finally:
            shutil.move(away, self.directory)
        self.ask("POST", f"/v1/emails/{identifier}/retry")
        self.assertEqual(self.settled(identifier)["state"], "SENT")


if __name__ == "__main__":
    unittest.main()
