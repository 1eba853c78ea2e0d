"""A server with an outbox of its own, and a client of its HTTP API."""

import datetime
import http.client
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from server import Server  # pylint: disable=wrong-import-position

KEY = "an-admin-key-for-the-tests-1"
PATIENCE_SECONDS = 30
STOP_SECONDS_MAX = 60
SETTLED = ("SENT", "FAILED", "INVALID", "SENT-ACKNOWLEDGED", "FAILED-ACKNOWLEDGED", "CANCELLED")


class OutboxServer(Server):
    """Also listens for SMTP, and has KEY as its admin key."""

    def __init__(self, *arguments, settings=None, smtp="127.0.0.1:0", **options):
        super().__init__(arguments=["--smtp", smtp, *arguments],
                         settings={"MAILROOM_ADMIN_KEY": KEY, **(settings or {})}, **options)
        self.smtp_address = self.smtps_address = None

    def _ready_line(self):
        line = super()._ready_line()
        for word in line.split():
            name, _, address = word.partition("=")
            if name in ("smtp", "smtps"):
                host, _, port = address.rpartition(":")
                setattr(self, f"{name}_address", (host, int(port)))
        return line


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)


def email(**members):
    return {"from": "shop@example.com", "to": "ann@example.org", "subject": "Ciao", "text": "x",
            **members}


def tomorrow():
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


class Sink:
    """`mailroom sink`: a relay that keeps what it gets and misbehaves as told."""

    def __init__(self, *arguments, listen="127.0.0.1:0"):
        self.directory = tempfile.TemporaryDirectory()
        self.mails = pathlib.Path(self.directory.name) / "mails"
        self.process = subprocess.Popen(
            [os.environ["MAILROOM_BINARY"], "sink", "--listen", listen,
             "--store", str(self.mails), *arguments], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip().split("smtp=")[1]
        self.port = int(self.address.rpartition(":")[2])

    def received(self):
        return [path.read_bytes() for path in sorted(self.mails.iterdir())]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(STOP_SECONDS_MAX)
        self.process.stdout.close()
        self.directory.cleanup()


class OutboxCase(unittest.TestCase):
    """Each class has one server, started with `arguments` and `settings`."""

    arguments = ()
    settings = {}
    smtp = "127.0.0.1:0"

    @classmethod
    def setUpClass(cls):
        cls.server = OutboxServer(*cls.arguments, settings=cls.settings, smtp=cls.smtp).start()
        cls.addClassCleanup(cls.server.stop)

    description = None  # What requests and answers are held against, if there is one.

    def ask(self, method, path, body=None, key=KEY, headers=None, *,
            server=None):  # pylint: disable=too-many-arguments
        """Sends one request; what is not text or bytes goes as JSON."""
        if body is not None and not isinstance(body, (str, bytes)):
            body = json.dumps(body)
        headers = dict(headers or {})
        if key:
            headers["Authorization"] = f"Bearer {key}"
        answer = self._answer_to(server or self.server, method, path, body, headers)
        if self.description:
            with self.subTest(f"{method} {path} {answer.status}"):
                self.assertEqual(self.description.faults(method, path, body, answer), [])
        return answer

    @staticmethod
    def _answer_to(server, method, path, body, headers):  # pylint: disable=too-many-arguments
        connection = http.client.HTTPConnection(*server.http, timeout=60)
        try:
            connection.request(method, path, body, headers)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def post(self, mail, **options):
        """Posts a mail that must be accepted, and returns its id."""
        answer = self.ask("POST", "/v1/emails", mail, **options)
        self.assertEqual(answer.status, 202, answer.body)
        return answer.json["id"]

    def shown(self, identifier):
        answer = self.ask("GET", f"/v1/emails/{identifier}")
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json

    def eventually(self, look, wanted):
        """Waits until `wanted` holds of what `look` returns, and returns that."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            seen = look()
            if wanted(seen):
                return seen
            self.assertLess(time.monotonic(), deadline, f"did not come about: {seen}")
            time.sleep(0.05)

    def settled(self, identifier):
        return self.eventually(lambda: self.shown(identifier),
                               lambda mail: mail["state"] in SETTLED)
