"""Mailroom, holding people: durable as it comes, every answer after an fsync."""
import http.client
import json
import os
import pathlib
import re
import secrets
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "outbox"))
from processes import first_line, stop, undone_on_failure

POLL_SECONDS = 0.1
LOG_LINES = 40


class Mailroom:
    name = "Mailroom"

    def __init__(self, folder, binary):
        self.folder = pathlib.Path(folder) / "mailroom"
        self.binary = binary
        self.key = "mr_" + secrets.token_urlsafe(32)

    def __enter__(self):
        self.folder.mkdir()
        # The server takes every MAILROOM_ variable for a setting: it gets none from outside.
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("MAILROOM_")}
        environment["MAILROOM_ADMIN_KEY"] = self.key
        command = [self.binary, "serve", "--data", str(self.folder / "data"),
                   "--http", "127.0.0.1:0", "--dynamodb", "127.0.0.1:0", "--smtp", "off",
                   "--durability", "full", "--transport", "capture"]
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log,
                                            env=environment)
        with undone_on_failure(self):
            ready = first_line(self.process)
        self.port = int(re.search(r" http=\S+:(\d+)", ready).group(1))
        return self

    def __exit__(self, failure, *_):
        stop(self.process)
        if failure:
            log = (self.folder / "log").read_text(errors="replace").splitlines()
            print(*log[-LOG_LINES:], sep="\n", file=sys.stderr)

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        connection.request(method, path, body, {"Authorization": f"Bearer {self.key}"})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        if answer.status >= 300:
            sys.exit(f"{method} {path}: {answer.status} {text[:500].decode(errors='replace')}")
        return json.loads(text) if text else None

    def import_people(self, file):
        """Seconds until the last of them is durable, and how many were made."""
        started = time.monotonic()
        job = self.ask("POST", "/v1/people/import", file)
        while job["state"] != "done":
            time.sleep(POLL_SECONDS)
            job = self.ask("GET", "/v1/people/import/" + job["id"])
        return time.monotonic() - started, job["created"]
