"""Mailroom with people: takes them in from a file, and is asked whom filters mean. All over HTTP,
on one connection that stays open."""
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
from processes import cpu_seconds_of, first_line, stop, undone_on_failure

PAGE = 1000
LOG_LINES = 10
ANSWER_SECONDS_MAX = 300
LOOK_SECONDS = 0.05  # Between two looks whether an import is done.
NEXT = re.compile(rb'"next":(?:null|"([^"]*)")\}$')


def deeds_of(person):
    days = person.opened_days_ago
    return json.dumps({"email": person.email, "opened_days_ago": days,
                       "clicked_days_ago": days if person.clicked else None})


class Mailroom:
    name = "Mailroom"

    def __init__(self, folder, build):
        self.folder = pathlib.Path(folder)
        self.build = pathlib.Path(build)
        self.key = "mr_" + secrets.token_urlsafe(32)

    def note_deeds(self, people, tag):
        """Not timed; what it returns is of expanding the tag in process."""
        command = [self.build / "bench/people/people_deeds", self.folder / "data", tag]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as filler:
            for person in people:
                if person.opened_days_ago is not None:
                    filler.stdin.write(deeds_of(person) + "\n")
            filler.stdin.close()
            figures = filler.stdout.read()
        if filler.returncode != 0:
            sys.exit("what people did could not be noted")
        return json.loads(figures)

    def __enter__(self):
        # The server takes every MAILROOM_ variable for a setting: it gets none from outside.
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("MAILROOM_")}
        environment["MAILROOM_ADMIN_KEY"] = self.key
        command = [self.build / "mailroom", "serve", "--data", self.folder / "data",
                   "--http", "127.0.0.1:0", "--dynamodb", "off", "--smtp", "off",
                   "--durability", "full", "--transport", "capture"]
        started = time.monotonic()
        # In a session of its own, as PostgreSQL's processes put themselves: the kernel shares
        # a busy machine out among sessions.
        with open(self.folder / "mailroom.log", "ab") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log,
                                            env=environment, start_new_session=True)
        with undone_on_failure(self):
            ready = first_line(self.process)
            self.start_seconds = time.monotonic() - started
            port = int(re.search(r" http=\S+:(\d+)", ready).group(1))
            self.connection = http.client.HTTPConnection("127.0.0.1", port,
                                                         timeout=ANSWER_SECONDS_MAX)
        return self

    def __exit__(self, failure, *_):
        stop(self.process)
        if failure:
            log = (self.folder / "mailroom.log").read_text(errors="replace").splitlines()
            print(*log[-LOG_LINES:], sep="\n", file=sys.stderr)

    def resident_bytes(self, what="VmRSS"):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{what}:\s+(\d+) kB", status).group(1)) * 1024

    def cpu_seconds(self):
        return cpu_seconds_of(self.process.pid)

    def _asked(self, method, path, body=None, kind="application/json"):
        """The status and the bytes of the answer."""
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": kind}
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def ask(self, method, path, body=None, kind="application/json"):
        status, content = self._asked(method, path, body, kind)
        if status not in (200, 202):
            sys.exit(f"{method} {path}: {status} {content[:500]}")
        return content

    def import_people(self, file, count):
        """Seconds, from the first byte of the request until all are durable."""
        started = time.monotonic()
        done = json.loads(self.ask("POST", "/v1/people/import", file, "text/csv"))
        while done["state"] != "done":
            time.sleep(LOOK_SECONDS)
            done = json.loads(self.ask("GET", "/v1/people/import/" + done["id"]))
        seconds = time.monotonic() - started
        if done["created"] != count:
            sys.exit(f"{done['created']} of {count} people were made")
        return seconds

    def seconds_until_counted(self):
        """From the start of the server to the first count, and how often it was told to wait."""
        started, waited = time.monotonic(), 0
        while True:
            status, content = self._asked("POST", "/v1/segments/count", '{"filter": "all"}')
            if status == 200:
                return self.start_seconds + time.monotonic() - started, waited
            if status != 503:
                sys.exit(f"a count: {status} {content[:500]}")
            waited += 1
            time.sleep(LOOK_SECONDS)

    def timed(self, text, rounds=5):
        """How many the filter means, and the median of the client's milliseconds."""
        times, answers = [], set()
        for _ in range(rounds + 1):  # The first one warms up.
            started = time.monotonic()
            answer = self.ask("POST", "/v1/segments/count", json.dumps({"filter": text}))
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
        """People a second, with all that is known of them, in pages by address; how many, and
        seconds of processors."""
        cpu = self.cpu_seconds()
        started, seen, after = time.monotonic(), 0, None
        wanted = {"tag": tag, "state": "subscribed", "limit": PAGE}
        while True:
            if after:
                wanted["after"] = after
            page = self.ask("GET", "/v1/people?" + urllib.parse.urlencode(wanted))
            seen += page.count(b'"firstName"')
            after = NEXT.search(page[page.rfind(b'"next":'):]).group(1)
            if not after:
                return seen / (time.monotonic() - started), seen, self.cpu_seconds() - cpu
            after = after.decode()
