"""Mailroom: takes mails, answers when they are on disk, sends them to the sink."""
import datetime
import os
import pathlib
import re
import secrets
import subprocess
import sys

from load import deliver, email, http_load, post
from processes import first_line, stop, undone_on_failure

BATCH = 100  # The most mails that one request may hold.
LOADERS = 4  # Connections that fill the queue; each has a whole batch in flight.
FILL_SECONDS_MAX = 900
LOG_LINES = 10  # Shown when something fails: the log goes with the directory.


class Mailroom:
    name = "Mailroom"
    peers = ("Postfix", "BullMQ")

    smtp = "off"

    def __init__(self, folder, sink, binary, load_program):
        self.folder = pathlib.Path(folder)
        self.sink = sink
        self.binary = binary
        self.load_program = load_program
        self.key = "mr_" + secrets.token_urlsafe(32)

    def __enter__(self):
        # The server takes every MAILROOM_ variable for a setting: it gets none from outside.
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("MAILROOM_")}
        environment["MAILROOM_ADMIN_KEY"] = self.key
        command = [self.binary, "serve", "--data", str(self.folder / "data"),
                   "--http", "127.0.0.1:0", "--dynamodb", "127.0.0.1:0", "--smtp", self.smtp,
                   "--durability", "full", "--transport", f"smtp://127.0.0.1:{self.sink.port}"]
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log,
                                            env=environment)
        with undone_on_failure(self):
            ready = first_line(self.process)
        self.port = self._port(ready)
        return self

    def _port(self, ready):
        return int(re.search(r" http=\S+:(\d+)", ready).group(1))

    def __exit__(self, failure, *_):
        stop(self.process)
        if failure:
            log = (self.folder / "log").read_text(errors="replace").splitlines()
            print(*log[-LOG_LINES:], sep="\n", file=sys.stderr)

    def run(self, plan):
        request = post("/v1/emails", email(plan.text_bytes), self.key)
        return deliver(lambda: http_load(self.load_program, self.port, plan.connections,
                                         plan.mails, request), self.sink, plan.mails)

    def fill(self, mails, text_bytes):
        """Queues mails that are due tomorrow."""
        due = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
        waiting = email(text_bytes, send_at=due.strftime("%Y-%m-%dT%H:%M:%SZ"))
        request = post("/v1/emails", [waiting] * BATCH, self.key)
        requests = -(-mails // BATCH)
        load = http_load(self.load_program, self.port, LOADERS, requests, request)
        try:
            if load.wait(FILL_SECONDS_MAX) != 0:
                sys.exit("the queue could not be filled")
        except subprocess.TimeoutExpired:
            load.kill()
            sys.exit(f"{mails} mails were not accepted in {FILL_SECONDS_MAX} s")
        finally:
            load.stdout.close()

    def resident_bytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) * 1024


class MailroomSmtp(Mailroom):
    """The same for programs that speak SMTP: they log in with an API key, once a connection."""

    name = "Mailroom SMTP"
    peers = ("Postfix",)  # The one that takes mails in the same way.
    smtp = "127.0.0.1:0"

    def _port(self, ready):
        return int(re.search(r" smtp=\S+:(\d+)", ready).group(1))

    def run(self, plan):
        return deliver(lambda: self._load(plan), self.sink, plan.mails)

    def _load(self, plan):
        mail = email(plan.text_bytes)
        message = f"From: {mail['from']}\r\nTo: customer@example.net\r\n\r\n{mail['text']}"
        command = [self.load_program, "127.0.0.1", str(self.port), str(plan.connections),
                   str(plan.mails), "-", self.key]
        load = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        load.stdin.write(message.encode())
        load.stdin.close()
        return load
