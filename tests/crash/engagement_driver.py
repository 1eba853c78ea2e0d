#!/usr/bin/env python3
"""Kills the server while mails leave, providers tell of them, and people are tagged and leave.

Whatever is told again counts once: counters equal the rows of events, and so do the numbers that
are kept by day. Each mail that was sent has one row in the send log and one delivery. No tag row is
without a profile that has the tag, nor the reverse. Nobody gets a mail that was posted after their
unsubscribing was acknowledged. Prints the seed first and a summary as JSON last; exits 1 when a
claim failed. MAILROOM_BINARY names the server; MAILROOM_LONG=1 makes a hundred kills.
"""

import base64
import collections
import random
import sys
import threading
import time
import urllib.parse
import uuid

from command_line import is_long, run_driver
from mail_client import NO_ANSWER, MailClient
from recording_sink import RecordingSink
from table_client import Server, TableClient

SHORT = {"kills": 5, "people": 60}
LONG = {"kills": 100, "people": 400}
SETTLE_SECONDS_MAX = 300
QUIET_SECONDS = 3
KEY = "crash-driver-admin-key-0123456789"
LOGIN = "mailroom:a-password-of-the-driver-0123456789"
SEQUENCES = ("onboarding", "april", "win-back")
TAGS = ("beta", "vip", "news")
FINAL = {"SENT", "FAILED", "INVALID"}
COUNTS = {"delivery": "deliveryCount", "open": "openCount", "click": "clickCount",
          "bounce": "bounceCount", "complaint": "complaintCount", "skipped": "skippedCount"}


def text(item, name):
    return item.get(name, {}).get("S", "")


def number(item, name):
    return int(item.get(name, {}).get("N", "0"))


class Actor(threading.Thread):
    """Does one thing again and again; each until it is answered, however often the server dies."""

    def __init__(self, driver, name):
        super().__init__(daemon=True)
        self.driver = driver
        self.random = random.Random(f"{driver.seed}-{name}")
        self.act = getattr(self, name)
        self.client = None
        self.pause = 0.002

    def run(self):
        while not self.driver.is_over.is_set():
            self.act()
            time.sleep(self.pause)

    def call(self, method, path, body=None, headers=()):
        while True:
            try:
                if self.client is None:
                    self.client = MailClient(self.driver.server.http, KEY)
                status, answer = self.client.call(method, path, body, headers)
            except NO_ANSWER:
                self.client = None
                time.sleep(0.02)
                continue
            if status not in (429, 503):
                return status, answer
            time.sleep(0.05)

    def person(self):
        return self.random.choice(self.driver.people)

    def expect(self, status, answer, *wanted):
        if status not in wanted:
            self.driver.faults.append(f"{self.act.__name__}: {status} {answer}")

    def post_mail(self):
        person = self.person()
        has_left = person in self.driver.left  # Before the request begins.
        name = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
        status, answer = self.call("POST", "/v1/emails", {
            "id": name, "from": "shop@example.com", "to": person, "subject": name, "text": "Hello",
            "stream": "bulk", "engagement": {"template_key": "welcome",
                                             "sequence_id": self.random.choice(SEQUENCES)}})
        self.expect(status, answer, 202, 200)
        self.driver.posted[name] = has_left

    def tell(self):
        """As a provider that repeats itself, and says now and then what it said long ago."""
        driver = self.driver
        if driver.told and self.random.random() < 0.3:
            body = self.random.choice(driver.told)
        else:
            body = self.news()
        login = "Basic " + base64.b64encode(LOGIN.encode()).decode()
        status, answer = self.call("POST", "/v1/notifications/postmark", body,
                                   {"Authorization": login}.items())
        self.expect(status, answer, 200)
        driver.told.append(body)

    def news(self):
        kind = self.random.choice(("Open", "Open", "Click", "Bounce", "SpamComplaint"))
        when = f"2026-01-15T10:00:{self.random.randrange(60):02}.{self.random.randrange(10):03}Z"
        names = list(self.driver.message_ids) or ["nothing"]
        body = {"RecordType": kind, "MessageID": self.random.choice(names),
                "Recipient": self.person(), "ReceivedAt": when}
        if kind == "Click":
            body["OriginalLink"] = f"https://example.com/{self.random.randrange(3)}"
        if kind in ("Bounce", "SpamComplaint"):
            # Strangers, so that the people of the driver go on to get mail.
            stranger = f"stranger{self.random.randrange(40)}@example.net"
            body |= {"Email": stranger, "BouncedAt": when, "ID": self.random.randrange(1000),
                     "Type": self.random.choice(("HardBounce", "SoftBounce")),
                     "Details": "the server said no"}
        return body

    def tag(self):
        path = f"/v1/people/{urllib.parse.quote(self.person())}/tags/{self.random.choice(TAGS)}"
        if self.random.random() < 0.6:
            self.expect(*self.call("PUT", path), 200, 204)
        else:
            self.expect(*self.call("DELETE", path), 200, 204, 404)

    def leave(self):
        """Few do, so that there is somebody left."""
        driver = self.driver
        if len(driver.left) > len(driver.people) // 2:
            return
        person = self.person()
        path = f"/v1/people/{urllib.parse.quote(person)}/unsubscribe"
        self.expect(*self.call("POST", path, {}), 200, 204)
        driver.left.add(person)
        time.sleep(0.3)

    def look(self):
        """At what mails were called when they left: a provider knows only that."""
        status, page = self.call("GET", "/v1/emails?state=SENT&limit=50")
        self.expect(status, page, 200)
        for mail in page["items"] if status == 200 else []:
            if mail.get("message_id"):
                self.driver.message_ids.add(mail["message_id"].strip("<>"))
        time.sleep(0.5)


class Driver:
    def __init__(self, seed, kills, people):
        self.seed = seed
        self.random = random.Random(seed)
        self.kills = kills
        self.people = [f"p{n}@example.org" for n in range(people)]
        self.sink = RecordingSink(drop_share=0.005, defer_share=0.02, seed=seed).start()
        user, password = LOGIN.split(":")
        self.server = Server(None, ["--transport", f"smtp://127.0.0.1:{self.sink.port}"], {
            "MAILROOM_ADMIN_KEY": KEY, "MAILROOM_OUTBOX_RETRY_FIRST_SECONDS": "1",
            "MAILROOM_NOTIFICATIONS_POSTMARK_USER": user,
            "MAILROOM_NOTIFICATIONS_POSTMARK_PASSWORD": password})
        self.is_over = threading.Event()
        self.left = set()         # Whose unsubscribing was acknowledged.
        self.posted = {}          # By subject: whether the person had left by then.
        self.told = []
        self.message_ids = set()  # Of mails that left.
        self.faults = []
        self.summary = {"seed": seed, "kills": 0}

    def run(self):
        try:
            self.server.start()
            self.add_people()
            actors = [Actor(self, name) for name in
                      ("post_mail", "post_mail", "tell", "tell", "tag", "tag", "leave", "look")]
            for actor in actors:
                actor.start()
            self.kill_often()
            self.is_over.set()
            for actor in actors:
                actor.join(SETTLE_SECONDS_MAX)
            self.settle()
        except (RuntimeError, *NO_ANSWER) as error:
            self.faults += [f"the driver could not go on: {error!r}", self.server.log()[-2000:]]
        finally:
            self.is_over.set()
            self.server.stop()
            self.sink.stop()
        self.summary["faults"] = self.faults[:40]
        return self.summary

    def add_people(self):
        client = MailClient(self.server.http, KEY)
        for person in self.people:
            status, answer = client.call("PUT", f"/v1/people/{urllib.parse.quote(person)}", {})
            if status not in (200, 201):
                raise RuntimeError(f"{person} was refused: {status} {answer}")
        client.close()

    def kill_often(self):
        for _ in range(self.kills):
            time.sleep(self.random.uniform(0.3, 1.5))
            self.server.kill()
            self.summary["kills"] += 1
            self.server.start()
        time.sleep(0.5)

    def settle(self):
        """Until no mail is on its way and no row comes any more."""
        client, tables = MailClient(self.server.http, KEY), TableClient(self.server.dynamodb)
        deadline = time.monotonic() + SETTLE_SECONDS_MAX
        before, since = None, time.monotonic()
        while time.monotonic() < deadline:
            mails = client.mails()
            waiting = [mail for mail in mails if mail["state"] not in FINAL and not mail["held"]]
            rows = (len(waiting), len(tables.every_item("EmailEvents")))
            if rows != before:
                before, since = rows, time.monotonic()
            elif not waiting and time.monotonic() - since > QUIET_SECONDS:
                break
            time.sleep(0.3)
        self.compare(mails, tables.every_item("EmailEvents"), tables.every_item("Audience"))
        self.compare_numbers(client, tables.every_item("EmailEvents"))
        client.close()
        tables.close()

    def compare(self, mails, events, audience):
        self.compare_counters(events, audience)
        self.compare_send_log([mail for mail in mails if mail["state"] == "SENT"], events, audience)
        self.compare_tags(audience)
        profiles = {text(row, "PK")[4:]: row for row in audience if text(row, "SK") == "PROFILE"}
        for person in self.left:
            if not profiles.get(person, {}).get("unsubscribed", {}).get("BOOL"):
                self.faults.append(f"{person} is not unsubscribed")
        for name, had_left in self.posted.items():
            if had_left and self.sink.taken[name]:
                self.faults.append(f"{name} was mailed after the unsubscribing")
        self.summary.update({"mails": len(mails), "events": len(events), "left": len(self.left),
                             "told": len(self.told),
                             "posted_to_those_who_left": sum(self.posted.values()),
                             "held": sum(bool(mail["held"]) for mail in mails)})

    @staticmethod
    def counts_of(events):
        """By sequence, what rows of events count as."""
        counts = collections.defaultdict(collections.Counter)
        for row in events:
            machine = row.get("machine", {}).get("BOOL", False)
            kind = COUNTS[text(row, "eventType")]
            counts[text(row, "sequenceId")]["machine" if machine else kind] += 1
        return counts

    def compare_counters(self, events, audience):
        counted = {text(row, "PK")[6:]: row for row in audience
                   if text(row, "PK").startswith("STATS#")}
        there = self.counts_of(events)
        for sequence in counted.keys() | (there.keys() - {""}):
            for name in COUNTS.values():
                kept = number(counted.get(sequence, {}), name)
                if kept != there[sequence][name]:
                    self.faults.append(
                        f"{sequence} {name}: {kept} counted, {there[sequence][name]} there")
        ids = collections.Counter(text(row, "eventId") for row in events)
        self.faults += [f"{name} is there {count} times"
                        for name, count in ids.items() if count > 1]
        self.summary["sequences"] = len(counted)

    def compare_numbers(self, client, events):
        # Mails are of today, what providers tell is of a day of their own.
        status, report = client.call("GET", "/v1/engagement?from=2026-01-01&to=2026-12-31")
        if status != 200:
            self.faults.append(f"no numbers: {status} {report}")
            return
        there = collections.Counter()
        for counter in self.counts_of(events).values():
            there += counter
        for ours, name in (("delivered", "deliveryCount"), ("opens", "openCount"),
                           ("clicks", "clickCount"), ("bounces", "bounceCount"),
                           ("complaints", "complaintCount"), ("skipped", "skippedCount")):
            if report["total"][ours] != there[name]:
                self.faults.append(f"{ours}: {report['total'][ours]} kept, {there[name]} there")

    def compare_send_log(self, sent, events, audience):
        log = collections.Counter(text(row, "mailroomMailId") for row in audience
                                  if text(row, "SK").startswith("SENT#"))
        delivered = collections.Counter(text(row, "mailroomMailId") for row in events
                                        if text(row, "eventType") == "delivery")
        for mail in sent:
            if log[mail["id"]] != 1 or delivered[mail["id"]] != 1:
                self.faults.append(f"{mail['id']} was sent: {log[mail['id']]} in the log, "
                                   f"{delivered[mail['id']]} delivered")
        strange = log.keys() - {mail["id"] for mail in sent}
        self.faults += [f"{name} is in the log, and not sent" for name in strange]

    def compare_tags(self, audience):
        rows = {(text(row, "PK")[4:], text(row, "SK")[4:]) for row in audience
                if text(row, "PK").startswith("TAG#")}
        listed = {(tag["S"], text(row, "PK")[4:]) for row in audience
                  if text(row, "SK") == "PROFILE" for tag in row.get("tags", {}).get("L", [])}
        self.faults += [f"{tag} of {person} is in no profile" for tag, person in rows - listed]
        self.faults += [f"{tag} of {person} has no row" for tag, person in listed - rows]
        self.summary["tags"] = len(rows)


def main():
    return run_driver(__doc__, Driver, **(LONG if is_long() else SHORT))


if __name__ == "__main__":
    sys.exit(main())
