"""Messages as files in a directory, and what happens when it is lost, locked or full."""

import contextlib
import os
import pathlib
import subprocess
import tempfile
import unittest

from outbox_case import OutboxCase, OutboxServer, Sink, email, tomorrow

FULL_DISK = "size=64k"


def can_mount():
    if os.geteuid() != 0:
        return False
    with tempfile.TemporaryDirectory() as point:
        made = subprocess.run(["mount", "-t", "tmpfs", "tmpfs", point], capture_output=True,
                              check=False)
        if made.returncode == 0:
            subprocess.run(["umount", point], check=True)
    return made.returncode == 0


@contextlib.contextmanager
def mounted(point, *commands):
    """The mounts are undone at the end, however many there are."""
    try:
        for command in commands:
            subprocess.run(["mount", *command, str(point)], check=True, capture_output=True)
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(point)], check=False, capture_output=True)


class Directory(OutboxCase):
    @classmethod
    def setUpClass(cls):
        cls.sink = Sink()
        cls.addClassCleanup(cls.sink.stop)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.base = pathlib.Path(folder.name) / "mails"
        self.server = OutboxServer("--transport", f"smtp://{self.sink.address}",
                                   settings={"MAILROOM_OUTBOX_BLOBS": str(self.base)})
        self.addCleanup(self.server.stop)

    def restart(self):
        self.server.terminate()
        self.server.start()

    def raw(self, identifier):
        return self.ask("GET", f"/v1/emails/{identifier}/raw")

    def message_file(self, identifier):
        found, = self.base.rglob(f"{identifier}.EML")
        return found

    def readiness(self, status):
        """It is looked at now and then."""
        return self.eventually(lambda: self.ask("GET", "/readyz", key=None),
                               lambda answer: answer.status == status)

    def test_mails_are_files_and_are_still_there_after_a_restart(self):
        self.server.start()
        sent = self.settled(self.post(email()))
        self.assertEqual(sent["state"], "SENT")
        waiting = self.post(email(send_at=tomorrow()))
        self.restart()
        self.assertEqual(self.raw(sent["id"]).body, self.message_file(sent["id"]).read_bytes())
        self.assertEqual(self.shown(waiting)["state"], "READY")
        self.assertEqual(self.shown(waiting)["request"]["subject"], "Ciao")

    def test_a_deleted_message_fails_its_mail_alone_and_says_so(self):
        self.server.start()
        kept, lost = (self.post(email(send_at=tomorrow())) for _ in range(2))
        self.message_file(lost).unlink()
        answer = self.raw(lost)
        self.assertEqual(answer.status, 404)
        self.assertIn("is gone", answer.json["error"]["message"])
        self.assertEqual(self.raw(kept).status, 200)

    def test_a_directory_that_is_not_mounted_loses_nothing(self):
        self.server.start()
        identifier = self.post(email(send_at=tomorrow()))
        away = self.base.with_name("away")
        for replacement in (None, "an empty directory"):
            with self.subTest(replacement):
                self.base.rename(away)
                if replacement:
                    self.base.mkdir()
                self.assertEqual(self.ask("POST", "/v1/emails", email()).status, 503)
                self.assertIn(b"outbox.blobs", self.readiness(503).body)
                self.assertEqual(self.raw(identifier).status, 503)
                self.assertEqual(self.shown(identifier)["state"], "READY")
                if replacement:
                    self.assertEqual(list(self.base.iterdir()), [])
                    self.base.rmdir()
                away.rename(self.base)
                self.readiness(200)
                self.assertEqual(self.raw(identifier).status, 200)
                self.assertEqual(self.settled(self.post(email()))["state"], "SENT")

    def test_it_does_not_start_on_an_empty_one_in_its_place(self):
        self.server.start()
        self.post(email(send_at=tomorrow()))
        self.server.terminate()
        away = self.base.with_name("away")
        self.base.rename(away)
        self.base.mkdir()
        refused = subprocess.run(
            [self.server.binary, "serve", "--data", self.server.data, "--http", "127.0.0.1:0",
             "--dynamodb", "off", "--smtp", "off"], capture_output=True, text=True, check=False,
            env={"MAILROOM_OUTBOX_BLOBS": str(self.base), "MAILROOM_LOG_LEVEL": "off"}, timeout=60)
        self.assertEqual(refused.returncode, 1)
        self.assertRegex(refused.stderr, r"\Amailroom: outbox.blobs: .* is its file system mounted")
        self.assertEqual(refused.stderr.count("\n"), 1)

    @unittest.skipUnless(can_mount(), "no file system can be mounted here")
    def test_a_directory_that_cannot_be_written_refuses_mails_and_goes_on_reading(self):
        self.server.start()
        identifier = self.settled(self.post(email()))["id"]
        self.base.rename(self.base.with_name("real"))
        self.base.mkdir()
        with mounted(self.base, ["--bind", str(self.base.with_name("real"))],
                     ["-o", "remount,ro,bind"]):
            answer = self.ask("POST", "/v1/emails", email())
            self.assertEqual(answer.status, 503)
            self.assertTrue(answer.headers["Retry-After"])
            self.readiness(503)
            self.assertIn("Read-only file system", self.server.log())
            self.assertEqual(self.raw(identifier).status, 200)
            self.restart()
            self.assertEqual(self.raw(identifier).status, 200)
        self.base.rmdir()
        self.base.with_name("real").rename(self.base)
        self.assertEqual(self.settled(self.post(email()))["state"], "SENT")

    @unittest.skipUnless(can_mount(), "no file system can be mounted here")
    def test_a_full_directory_refuses_what_does_not_fit_and_keeps_what_was_taken(self):
        self.base.mkdir()
        with mounted(self.base, ["-t", "tmpfs", "-o", FULL_DISK, "tmpfs"]):
            self.server.start()
            ids, answer = [], None
            while answer is None or answer.status == 202:
                answer = self.ask("POST", "/v1/emails", email(text="x" * 3000))
                if answer.status == 202:
                    ids.append(answer.json["id"])
            self.assertEqual(answer.status, 503, answer.body)
            self.assertIn("No space left on device", self.server.log())
            for identifier in ids:
                self.assertEqual(self.settled(identifier)["state"], "SENT")
                self.assertEqual(self.raw(identifier).status, 200)
            half_written = [path for path in self.base.rglob(".*")
                            if path.name != ".mailroom-blobs"]
            self.assertEqual(half_written, [])
            self.server.terminate()


if __name__ == "__main__":
    unittest.main()
