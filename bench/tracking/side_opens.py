"""Mailroom: an open is on disk before the answer, and becomes an event of a mail that it sent."""
import json
import os
import pathlib
import re
import secrets
import subprocess
import sys
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "outbox"))
from processes import first_line, stop, undone_on_failure

BATCH = 100  # The most mails that one request may hold.
SENT_SECONDS_MAX = 120
LOG_LINES = 10


class Mailroom:
    name = "Mailroom"

    secret = "1:" + secrets.token_urlsafe(32)

    @staticmethod
    def mint_mails(build, count):
        """Ids for mails, and the tokens of their pictures."""
        made = subprocess.run([build / "bench/tracking/mint_links", Mailroom.secret, str(count)],
                              check=True, stdout=subprocess.PIPE).stdout.decode()
        return dict(line.split() for line in made.splitlines())

    def __init__(self, folder, build):
        self.folder = pathlib.Path(folder) / "mailroom"
        self.build = pathlib.Path(build)
        self.key = "mr_" + secrets.token_urlsafe(32)

    def __enter__(self):
        self.folder.mkdir()
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("MAILROOM_")}
        environment |= {"MAILROOM_ADMIN_KEY": self.key,
                        "MAILROOM_TRACKING_URL": "http://mail.example.com",
                        "MAILROOM_TRACKING_SECRETS": self.secret}
        command = [self.build / "mailroom", "serve", "--data", str(self.folder / "data"),
                   "--http", "127.0.0.1:0", "--dynamodb", "127.0.0.1:0", "--smtp", "off",
                   "--durability", "full", "--transport", "capture"]
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log,
                                            env=environment)
        with undone_on_failure(self):
            self.port = int(re.search(r" http=\S+:(\d+)", first_line(self.process)).group(1))
        return self

    def __exit__(self, failure, *_):
        stop(self.process)
        if failure:
            log = (self.folder / "log").read_text(errors="replace").splitlines()
            print(*log[-LOG_LINES:], sep="\n", file=sys.stderr)

    def ask(self, path, body=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}",
                                         data=body and json.dumps(body).encode(),
                                         headers={"Authorization": "Bearer " + self.key,
                                                  "Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return answer.read().decode()

    @staticmethod
    def paths(mails):
        return (f"/t/o/{token}" for token in mails.values())

    def send(self, mails):
        """Sends mails with those ids, so that their opens are those of mails that there are."""
        mails = list(mails)
        for begin in range(0, len(mails), BATCH):
            self.ask("/v1/emails", [
                {"id": mail, "from": "shop@example.com", "to": f"customer{begin + i}@example.net",
                 "subject": "Spring", "html": "<p>Spring is here.",
                 "engagement": {"template_key": "spring", "sequence_id": "spring",
                                "track_opens": True}}
                for i, mail in enumerate(mails[begin:begin + BATCH])])
        self._wait_until(lambda: self.amount('mailroom_outbox_mails{state="SENT"}') >= len(mails),
                         "the mails were not sent")

    def amount(self, name):
        found = re.search("^" + re.escape(name) + r" (\S+)$", self.ask("/metrics"), re.MULTILINE)
        return float(found.group(1)) if found else 0

    def noted(self):
        return self.amount('mailroom_tracking_hits_total{became="noted"}')

    def kept(self):
        return self.amount('mailroom_tracking_hits_total{became="kept"}')

    def wait_until_noted(self, seconds_max):
        """How long it took until every hit was an event."""
        started = time.monotonic()
        self._wait_until(lambda: self.noted() >= self.kept(), "hits did not become events",
                         seconds_max)
        return time.monotonic() - started

    @staticmethod
    def _wait_until(is_so, otherwise, seconds_max=SENT_SECONDS_MAX):
        end = time.monotonic() + seconds_max
        while not is_so():
            if time.monotonic() > end:
                sys.exit(otherwise)
            time.sleep(0.2)
