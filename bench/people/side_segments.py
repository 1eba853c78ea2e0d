"""Mailroom, asked whom filters mean: over HTTP, on one connection that stays open."""
import http.client
import json
import os
import pathlib
import re
import secrets
import subprocess
import sys
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "outbox"))
from processes import first_line, stop, undone_on_failure

PAGE = 1000
LOG_LINES = 10


def line_of(person):
    days = person.opened_days_ago
    return json.dumps({"email": person.email, "firstName": person.first_name,
                       "attributes": person.attributes, "tags": person.tags,
                       "opened_days_ago": days,
                       "clicked_days_ago": days if person.clicked else None})


class Mailroom:
    name = "Mailroom"

    def __init__(self, folder, build):
        self.folder = pathlib.Path(folder)
        self.build = pathlib.Path(build)
        self.key = "mr_" + secrets.token_urlsafe(32)

    def fill(self, people, tag):
        """Not timed; what it prints is of expanding the tag in process."""
        command = [self.build / "bench/people/people_fill", self.folder / "data", tag]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as filler:
            for person in people:
                filler.stdin.write(line_of(person) + "\n")
            filler.stdin.close()
            figures = filler.stdout.read()
        if filler.returncode != 0:
            sys.exit("the tables could not be filled")
        return json.loads(figures)

    def __enter__(self):
        # The server takes every MAILROOM_ variable for a setting: it gets none from outside.
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("MAILROOM_")}
        environment["MAILROOM_ADMIN_KEY"] = self.key
        command = [self.build / "mailroom", "serve", "--data", self.folder / "data",
                   "--http", "127.0.0.1:0", "--dynamodb", "off", "--smtp", "off",
                   "--durability", "full", "--transport", "capture"]
        with open(self.folder / "mailroom.log", "wb") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log,
                                            env=environment)
        with undone_on_failure(self):
            ready = first_line(self.process)
            port = int(re.search(r" http=\S+:(\d+)", ready).group(1))
            self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        return self

    def __exit__(self, failure, *_):
        stop(self.process)
        if failure:
            log = (self.folder / "mailroom.log").read_text(errors="replace").splitlines()
            print(*log[-LOG_LINES:], sep="\n", file=sys.stderr)

    def ask(self, method, path, body=None):
        """The bytes of the answer."""
        headers = {"Authorization": f"Bearer {self.key}"}
        self.connection.request(method, path, json.dumps(body) if body else None, headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            sys.exit(f"{method} {path}: {answer.status} {content[:500]}")
        return content

    def timed(self, text, rounds=5):
        """How many the filter means, and the median of the client's milliseconds."""
        times, answers = [], set()
        for _ in range(rounds + 1):  # The first one warms up.
            started = time.monotonic()
            answer = self.ask("POST", "/v1/segments/count", {"filter": text})
            times.append(1000 * (time.monotonic() - started))
            answers.add(json.loads(answer)["people"])
        if len(answers) != 1:
            sys.exit(f"{self.name} answers differently each time: {answers}")
        return answers.pop(), sorted(times[1:])[rounds // 2]

    def count_attributes_and_tag(self, plan, country, tag):
        return self.timed(f'plan = "{plan}" and country = "{country}" and tag = "{tag}" '
                          "and not unsubscribed and not suppressed")

    def count_opened_not_clicked(self, days):
        return self.timed(f"opened within {days} days and not clicked within {days} days")

    def expand_tag(self, tag):
        """People a second, with all that is known of them, in pages by address."""
        started, seen, after = time.monotonic(), 0, None
        wanted = {"tag": tag, "state": "subscribed", "limit": PAGE}
        while True:
            if after:
                wanted["after"] = after
            page = self.ask("GET", "/v1/people?" + urllib.parse.urlencode(wanted))
            seen += page.count(b'"firstName"')
            after = re.search(rb'"next":(null|"([^"]*)")\}$', page).group(2)
            if not after:
                return seen / (time.monotonic() - started), seen
            after = after.decode()
