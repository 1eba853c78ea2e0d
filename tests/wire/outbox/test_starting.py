"""What cannot start says why in one line, and leaves everything as it was."""

import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import unittest

from outbox_case import KEY
from test_directory import can_mount, mounted

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "smtp_server"))

from sink_process import make_certificate  # pylint: disable=wrong-import-position

START_SECONDS_MAX = 60


class Starting(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.certificate, self.key = make_certificate(folder.name)

    def refused(self, *arguments, lines=1, **settings):
        """The exit code, and the only line that it writes; or the log's line before, too."""
        arguments = arguments or ("--data", str(self.folder / "data"))
        done = subprocess.run(
            [os.environ["MAILROOM_BINARY"], "serve", "--http", "127.0.0.1:0", "--dynamodb",
             "127.0.0.1:0", "--smtp", "127.0.0.1:0", *arguments],
            capture_output=True, text=True, check=False, timeout=START_SECONDS_MAX,
            cwd=self.folder, env={"MAILROOM_ADMIN_KEY": KEY, "MAILROOM_LOG_LEVEL": "error",
                                  **settings})
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), lines, done.stderr)
        return done.returncode, done.stderr

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return str(path)

    def test_a_bad_configuration_is_told_with_its_place(self):
        rows = [("[server\nhttp = 3\n", ":1: "),
                ('[server]\nhtpp = "127.0.0.1:1"\n', ":2: unknown key server.htpp; did you mean"),
                ("[server]\nhttp = 8025\n", ":2: server.http is"),
                ('[outbox]\ntransport = "smtp:/relay"\n', ":2: outbox.transport"),
                ('[outbox]\nretry_hours = 1000\n', ":2: outbox.retry_hours is"),
                ('[server]\nsmtps = "127.0.0.1:465"\n', "server.smtps needs server.tls_cert"),
                ('[server]\ntls_key = "k"\n', "belong together")]
        for text, wanted in rows:
            with self.subTest(text):
                code, line = self.refused("--config", self.write("mailroom.toml", text))
                self.assertEqual(code, 2)
                self.assertIn(wanted, line)

    def test_settings_that_turn_out_to_be_wrong_are_named(self):
        no_key = self.write("no.pem", "nothing")
        rows = [({"MAILROOM_DKIM_KEYS": "example.com:s:/nowhere.pem"}, "dkim.keys: /nowhere.pem"),
                ({"MAILROOM_DKIM_KEYS": f"example.com:s:{no_key}"}, "dkim.keys: "),
                ({"MAILROOM_NET_RESOLVERS": "names.example"}, "net.resolvers: "),
                ({"MAILROOM_OUTBOX_BLOBS": no_key}, "outbox.blobs: "),
                ({"MAILROOM_SERVER_TLS_CERTIFICATE": "/nowhere.pem",
                  "MAILROOM_SERVER_TLS_KEY": "/nowhere.key"},
                 "/nowhere.pem: No such file or directory")]
        for settings, wanted in rows:
            with self.subTest(wanted):
                code, line = self.refused(**settings)
                self.assertEqual(code, 1)
                self.assertIn(wanted, line)

    def test_a_directory_that_is_not_ours_is_left_alone(self):
        rows = [("newer", "FORMAT", "mailroom-data 999\n", "written by a newer mailroom"),
                ("strange", "FORMAT", "rubbish\n", "not a format file"),
                ("other", "notes.txt", "hello", "not a mailroom data directory")]
        for directory, name, text, wanted in rows:
            with self.subTest(directory):
                path = self.write(f"{directory}/{name}", text)
                code, line = self.refused("--data", str(self.folder / directory))
                self.assertEqual(code, 1)
                self.assertIn(wanted, line)
                self.assertEqual(pathlib.Path(path).read_text(), text)
        code, line = self.refused("--data", self.write("file", ""))
        self.assertIn("is not a directory", line)

    def test_a_port_in_use_is_named(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            code, line = self.refused("--config", self.write(
                "mailroom.toml", f'[server]\ndata = "data"\nsmtps = "{address}"\n'
                                 f'tls_certificate = "{self.certificate}"\n'
                                 f'tls_key = "{self.key}"\n'))
        self.assertEqual(code, 1)
        self.assertIn(f"cannot listen on {address}: Address already in use", line)

    @unittest.skipUnless(can_mount(), "no file system can be mounted here")
    def test_a_disk_that_is_full_or_locked_is_told(self):
        disk = self.folder / "disk"
        disk.mkdir()
        rows = [("full", 2, ["-t", "tmpfs", "-o", "size=20m", "tmpfs"], "the disk is full: "),
                ("locked", 1, ["-t", "tmpfs", "-o", "ro", "tmpfs"], "Read-only file system")]
        for name, lines, command, wanted in rows:
            with self.subTest(name), mounted(disk, command):
                code, line = self.refused("--data", str(disk / "data"), lines=lines)
                self.assertEqual(code, 1)
                self.assertIn(wanted, line)


if __name__ == "__main__":
    unittest.main()
