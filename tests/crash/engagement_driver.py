#!/usr/bin/env python3
"""Kills the server while mails leave, providers tell of them, files of people are taken in, and
people are tagged, leave and are forgotten.

Whatever is told again counts once: counters equal the rows of events, and so do the numbers that
are kept by day. Each mail that was sent has one row in the send log and one delivery. No tag row is
without a profile that has the tag, nor the reverse. A file that was acknowledged is finished, once:
each of its rows is a person, or was a mistake. Nobody gets a mail that was posted after their
unsubscribing was acknowledged. What the tables say is looked at after each start that is not
followed by another kill at once, and everything at the end. Prints the seed first and a summary as
JSON last; exits 1 when a claim failed. MAILROOM_BINARY names the server; MAILROOM_LONG=1 makes a
hundred kills.
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
from people_files import PeopleFiles
from recording_sink import RecordingSink
from table_client import Server, TableClient

SHORT = {"kills": 6, "people": 60, "crowd": 1500}
LONG = {"kills": 100, "people": 400, "crowd": 6000}
SETTLE_SECONDS_MAX = 300
QUIET_SECONDS = 3
AGAIN_SHARE = 0.4  # Of the kills: followed by another, before anybody has looked.
KEY = "crash-driver-admin-key-0123456789"
LOGIN = "mailroom:a-password-of-the-driver-0123456789"
SEQUENCES = ("onboarding", "april", "win-back")
TAGS = ("beta", "vip", "news")
ACTS = ("post_mail", "post_mail", "tell", "tell", "tag", "tag", "leave", "look", "forget",
        "import_file", "import_file")
FINAL = {"SENT", "FAILED", "INVALID"}
COUNTS = {"delivery": "deliveryCount", "open": "openCount", "click": "clickCount",
          "bounce": "bounceCount", "complaint": "complaintCount", "skipped": "skippedCount"}


def text(item, name):
    return item.get(name, {}).get("S", "")


def number(item, name):
    return int(item.get(name, {}).get("N", "0"))


class Actor(threading.Thread):
    """Does one thing again and again; each until it is answered, however often the server dies."""

    def __init__(self, driver, name, number):
        super().__init__(daemon=True)
        self.driver = driver
        self.random = random.Random(f"{driver.seed}-{number}")
        self.act = getattr(self, name)
        self.client = None
        self.pause = 0.002
        self.is_idle = False  # Has seen that it may not act.

    def run(self):
        while not self.driver.is_over.is_set():
            if self.driver.may_act.is_set():
                self.act()
            self.is_idle = not self.driver.may_act.is_set()
            time.sleep(self.pause)
        self.is_idle = True

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
        others = self.driver.files.mailable()
        if others and self.random.random() < 0.2:
            person = self.random.choice(others)
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
        if len(driver.left.intersection(driver.people)) > len(driver.people) // 2:
            return
        person = self.person()
        path = f"/v1/people/{urllib.parse.quote(person)}/unsubscribe"
        self.expect(*self.call("POST", path, {}), 200, 204)
        driver.left.add(person)
        time.sleep(0.3)

    def import_file(self):
        """And waits for it, so that no two of one actor go on at once."""
        driver = self.driver
        with driver.making:
            file = driver.files.make(self.random)
        path = f"/v1/people/import?on_mistakes=skip&form=file{file.number}"
        text = file.text(self.random)
        status, answer = self.call("POST", path, text,
                                   {"Idempotency-Key": f"file {file.number}"}.items())
        self.expect(status, answer, 202)
        driver.acknowledged.append(file.number)
        deadline = time.monotonic() + SETTLE_SECONDS_MAX
        while status in (200, 202) and time.monotonic() < deadline:
            status, found = self.call("GET", f"/v1/people/import/{answer['id']}")
            if status == 200 and found["state"] == "done":
                with driver.making:
                    driver.faults += driver.files.finish(file, found)
                driver.left |= file.leaving()
                return
            time.sleep(0.01)
        driver.faults.append(f"file {file.number} is not finished: {status}")

    def forget(self):
        others = self.driver.files.forgettable()
        if not others:
            return
        person = self.random.choice(others)
        path = f"/v1/people/{urllib.parse.quote(person)}"
        # The second, if the answer to the first was lost.
        self.expect(*self.call("DELETE", path), 200, 204, 404)
        self.driver.files.forgotten = self.driver.files.forgotten | {person}
        time.sleep(0.1)

    def look(self):
        """At what mails were called when they left: a provider knows only that."""
        status, page = self.call("GET", "/v1/emails?state=SENT&limit=50")
        self.expect(status, page, 200)
        for mail in page["items"] if status == 200 else []:
            if mail.get("message_id"):
                self.driver.message_ids.add(mail["message_id"].strip("<>"))
        time.sleep(0.5)


class Driver:
    def __init__(self, seed, kills, people, crowd):
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
        self.is_over, self.may_act = threading.Event(), threading.Event()
        self.making = threading.Lock()
        self.files = PeopleFiles(crowd)
        self.actors = []
        self.left = set()         # Whose unsubscribing was acknowledged.
        self.posted = {}          # By subject: whether the person had left by then.
        self.told = []
        self.message_ids = set()  # Of mails that left.
        self.acknowledged = []    # Files.
        self.faults = []
        self.summary = {"seed": seed, "kills": 0, "looks": 0, "files_at_kills": 0}

    def run(self):
        try:
            self.server.start()
            self.add_people()
            self.actors = [Actor(self, name, number) for number, name in enumerate(ACTS)]
            self.may_act.set()
            for actor in self.actors:
                actor.start()
            self.kill_often()
            self.is_over.set()
            for actor in self.actors:
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
        pause = 1.0
        for _ in range(self.kills):
            time.sleep(pause)
            self.server.kill()
            self.summary["kills"] += 1
            self.summary["files_at_kills"] += len(self.acknowledged) - len(self.files.finished)
            self.server.start()
            is_again = self.random.random() < AGAIN_SHARE
            pause = self.random.uniform(0, 0.4) if is_again else self.random.uniform(0.3, 1.5)
            if not is_again:
                self.look_at_tables()
        time.sleep(0.5)

    def look_at_tables(self):
        """While nobody asks for anything, at what holds at any time."""
        self.may_act.clear()
        for actor in self.actors:
            actor.is_idle = False
        deadline = time.monotonic() + SETTLE_SECONDS_MAX
        while not all(actor.is_idle for actor in self.actors):
            if time.monotonic() > deadline:
                raise RuntimeError("an actor gets no answer any more")
            time.sleep(0.01)
        tables = TableClient(self.server.dynamodb)
        before, now = None, self.rows(tables)
        # The server goes on by itself: two tables are one moment's if nothing comes between.
        while before != now and time.monotonic() < deadline:
            before, now = now, self.rows(tables)
        tables.close()
        self.compare_counters(*now)
        self.compare_tags(now[1])
        self.compare_left(self.profiles(now[1]))
        self.summary["looks"] += 1
        self.may_act.set()

    @staticmethod
    def rows(tables):
        return tables.every_item("EmailEvents"), tables.every_item("Audience")

    @staticmethod
    def profiles(audience):
        return {text(row, "PK")[4:]: row for row in audience if text(row, "SK") == "PROFILE"}

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
        profiles = self.profiles(audience)
        self.compare_left(profiles)
        self.faults += self.files.compare(profiles)
        for name, had_left in self.posted.items():
            if had_left and self.sink.taken[name]:
                self.faults.append(f"{name} was mailed after the unsubscribing")
        self.summary.update({"mails": len(mails), "events": len(events), "left": len(self.left),
                             "told": len(self.told),
                             "posted_to_those_who_left": sum(self.posted.values()),
                             "held": sum(bool(mail["held"]) for mail in mails),
                             "files": len(self.files.finished),
                             "rows": sum(len(file.people) for file, _ in self.files.finished),
                             "people_from_files": len(self.files.known),
                             "forgotten": len(self.files.forgotten)})

    def compare_left(self, profiles):
        for person in self.left - self.files.forgotten:
            if not profiles.get(person, {}).get("unsubscribed", {}).get("BOOL"):
                self.faults.append(f"{person} is not unsubscribed")

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
