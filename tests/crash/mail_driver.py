#!/usr/bin/env python3
"""Kills the server while mails pass through it, and counts what arrived.

Every mail that was acknowledged must reach the sink, none twice. A mail whose final dot may have
left when the server died is held as unknown: at most one for each connection that was open, and
none that the sink has not seen; nor is any held when the sink did not even greet. In the end every
mail is in a final state, and the counts that the server keeps are those of its mails. A third of
the mails has an id of ours, a third an Idempotency-Key; these are posted again until there is an
answer. The others are posted once: one without an answer may arrive or not, but not twice. Prints
the seed first and a summary as JSON last; exits 1 when a claim failed.
MAILROOM_BINARY names the server; MAILROOM_LONG=1 makes fifty kills and 5,000 mails.
"""

import collections
import datetime
import random
import sys
import threading
import time
import uuid

from command_line import is_long, run_driver
from mail_client import NO_ANSWER, MailClient
from recording_sink import RecordingSink
from table_client import Server

SHORT = {"kills": 6, "mails": 600}
LONG = {"kills": 50, "mails": 5000}
CLIENTS = 8
CONNECTIONS = 16  # Of the server to the sink: its default.
LIFE_SECONDS_MAX = 20
KILL_WHILE_STARTING = 0.15
SILENT_MAILS = 60  # For a sink that takes connections and does not greet.
KILLED = "unknown: the server stopped"  # How the reason begins of those that a kill left in doubt.
SETTLE_SECONDS_MAX = 180
FAULTS_PRINTED_MAX = 40
KEY = "crash-driver-admin-key-0123456789"
FINAL = {"SENT", "FAILED", "INVALID"}


class Poster(threading.Thread):
    """Posts mails until all are acknowledged, those that may be posted again."""

    def __init__(self, driver, number):
        super().__init__(daemon=True)
        self.driver = driver
        self.random = random.Random(f"{driver.seed}-{number}")
        self.client = None

    def run(self):
        while (posting := self.driver.next_posting()) is not None:
            while not self.post(posting):
                time.sleep(0.02)

    def post(self, posting):
        """Whether it is done with: the name of a mail is its subject."""
        mail, headers = posting
        address = self.driver.server.http
        name = mail["subject"]
        try:
            if self.client is None:
                self.client = MailClient(address, KEY)
            status, answer = self.client.call("POST", "/v1/emails", mail, headers)
        except ConnectionRefusedError:
            self.client = None
            return False
        except NO_ANSWER:
            self.client = None
            self.driver.in_doubt.add(name)
            return "id" not in mail and not headers
        if status in (429, 503):
            self.driver.put_off += 1
            return False
        if status != 202:
            self.driver.faults.append(f"{name} was refused: {status} {answer}")
            return True
        self.driver.acknowledged[name] = answer["id"]
        return True


class Driver:
    def __init__(self, seed, kills, mails, data=None, text_bytes=500):
        self.seed = seed
        self.random = random.Random(seed)
        self.kills, self.wanted = kills, mails
        self.text = ("x" * 98 + "\r\n") * (text_bytes // 100)
        self.sink = RecordingSink(drop_share=0.01, defer_share=0.02, seed=seed).start()
        self.server = Server(data, ["--transport", f"smtp://127.0.0.1:{self.sink.port}"],
                             {"MAILROOM_ADMIN_KEY": KEY,
                              "MAILROOM_OUTBOX_RETRY_FIRST_SECONDS": "1"})
        self.more = threading.Condition()
        self.posted = 0
        self.released = 0  # Mails that may be posted by now: each life of the server has its share.
        self.acknowledged = {}  # By name: the id.
        self.in_doubt, self.faults = set(), []
        self.put_off = 0  # Answers that say: later.
        self.lives = []   # When the server was killed, and how many connections it had then.
        self.summary = {"seed": seed, "kills": 0, "killed_while_starting": 0}

    def next_posting(self):
        """A mail, and the headers of its request."""
        with self.more:
            while self.posted == self.released < self.wanted:
                self.more.wait()
            if self.posted == self.wanted:
                return None
            self.posted += 1
            name = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
            kind = self.posted % 3
        mail = {"from": "shop@example.com", "to": "ann@example.org", "subject": name,
                "text": self.text}
        if kind == 0:
            return {"id": name, **mail}, {}
        return mail, {"Idempotency-Key": name} if kind == 1 else {}

    def run(self):
        try:
            self.server.start()
            posters = [Poster(self, number) for number in range(CLIENTS)]
            for poster in posters:
                poster.start()
            self.disturb()
            self.kill_before_the_greeting()
            for poster in posters:
                poster.join(SETTLE_SECONDS_MAX)
            self.settle()
        except (RuntimeError, *NO_ANSWER) as error:
            self.faults.append(f"the driver could not go on: {error!r}")
            self.faults.append(self.server.log()[-2000:])
        finally:
            self.server.stop()
            self.sink.stop()
        self.summary["faults"] = self.faults[:FAULTS_PRINTED_MAX]
        return self.summary

    def answered(self):
        """How many were acknowledged, or will not be."""
        return len(self.acknowledged) + len(self.in_doubt - self.acknowledged.keys())

    def release(self, count):
        with self.more:
            self.released = min(self.wanted, self.released + count)
            self.more.notify_all()

    def disturb(self):
        """Lets the mails pass, with a kill in each share of them."""
        each = self.wanted // (self.kills + 1)
        while self.summary["kills"] < self.kills:
            enough = self.released + self.random.randint(1, each)
            self.release(each)
            deadline = time.monotonic() + LIFE_SECONDS_MAX
            while self.answered() < enough and time.monotonic() < deadline:
                time.sleep(0.001)
            time.sleep(self.random.uniform(0, 0.03))
            self.kill()
            self.summary["kills"] += 1
            while self.random.random() < KILL_WHILE_STARTING:
                self.server.spawn()
                time.sleep(self.random.uniform(0, 0.15))
                self.kill()
                self.summary["killed_while_starting"] += 1
            self.server.start()
        self.release(self.wanted)

    def kill(self):
        """Until it has died it may open more connections; of the last the sink may not know yet."""
        self.sink.most_open = self.sink.open
        self.server.kill()
        self.lives.append((time.time(), min(self.sink.most_open + 1, CONNECTIONS)))

    def kill_before_the_greeting(self):
        """Mails for a sink that does not greet are nobody's doubt, whatever they cost to make."""
        self.wait_until(lambda: self.answered() == self.wanted)
        client = MailClient(self.server.http, KEY)
        self.wait_until(lambda: not self.open_mails(client))
        held_before = len(client.mails(held="true"))
        self.sink.silent = True
        self.wait_until(lambda: self.sink.open == 0)  # Those that are kept would be used.
        for number in range(SILENT_MAILS):
            name = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
            mail = {"from": "shop@example.com", "to": f"bob@{number}.example", "subject": name,
                    "text": self.text}
            status, answer = client.call("POST", "/v1/emails", mail)
            if status != 202:
                self.faults.append(f"{name} was refused: {status} {answer}")
                continue
            self.acknowledged[name] = answer["id"]
        self.wait_until(lambda: client.mails(state="PROCESSING"))
        self.summary["processing_without_greeting"] = len(
            [each for each in client.mails(state="PROCESSING") if not each["held"]])
        client.close()
        self.kill()
        self.sink.silent = False
        self.server.start()
        client = MailClient(self.server.http, KEY)
        self.wait_until(lambda: not self.open_mails(client))
        held = len(client.mails(held="true")) - held_before
        client.close()
        # The sink still cuts connections after the final dot.
        if held > len(self.sink.dropped):
            self.faults.append(f"{held} mails were held that were never offered")

    @staticmethod
    def wait_until(done):
        deadline = time.monotonic() + SETTLE_SECONDS_MAX
        while not done() and time.monotonic() < deadline:
            time.sleep(0.05)

    def settle(self):
        """Waits until no mail is under way, then compares with what the sink took."""
        client = MailClient(self.server.http, KEY)
        deadline = time.monotonic() + SETTLE_SECONDS_MAX
        while (open_mails := self.open_mails(client)) and time.monotonic() < deadline:
            time.sleep(0.2)
        self.faults += [f"{each['id']} is still {each['state']}" for each in open_mails]
        held_mails = client.mails(held="true")
        held = {each["id"] for each in held_mails}
        states = {each["id"]: each["state"] for each in client.mails()}
        _, stats = client.call("GET", "/v1/outbox/stats")
        shown = [client.call("GET", f"/v1/emails/{identifier}")[1] for identifier in held]
        names = {mail["id"]: mail["request"]["subject"] for mail in shown}
        offers = {mail["id"]: self.seconds(mail["recipients"][0]["may_have_arrived_at"])
                  for mail in shown}
        client.close()
        self.compare(states, held)
        self.compare_doubts(held_mails, names, offers)
        self.compare_counts(states, held, stats)

    def compare_doubts(self, held, names, offers):
        """Those that are held because of a kill, not because the sink cut the connection: after
        each kill at most as many as there were connections."""
        killed = [each for each in held if each["reason"].startswith(KILLED)]
        never_offered = [each["id"] for each in killed
                         if not self.sink.offered[names[each["id"]]]]
        self.faults += [f"{mail} is held and was never offered" for mail in never_offered]
        connections = sum(count for _, count in self.lives)
        by_life = collections.Counter(self.life_of(offers[each["id"]]) for each in killed)
        self.faults += [
            f"{held} are held after kill {life + 1}, when {self.lives[life][1]} connections were "
            "open" for life, held in by_life.items() if held > self.lives[life][1]]
        self.summary.update({
            "held_after_kills": len(killed), "held_and_never_offered": len(never_offered),
            "held_after_one_kill_max": max(by_life.values(), default=0),
            "connections_when_killed": connections})

    def life_of(self, offered_at):
        """Which kill left a mail in doubt whose end was about to leave then."""
        return next(number for number, (at, _) in enumerate(self.lives) if offered_at <= at)

    @staticmethod
    def seconds(text):
        return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()

    @staticmethod
    def open_mails(client):
        held = {each["id"] for each in client.mails(held="true")}
        return [each for state in ("ACCEPTED", "INTAKING", "READY", "PROCESSING")
                for each in client.mails(state=state) if each["id"] not in held]

    def compare_counts(self, states, held, stats):
        counted = {name: count for name, count in stats["states"].items() if count}
        if counted != collections.Counter(states.values()):
            self.faults.append(f"counted {counted}, not {collections.Counter(states.values())}")
        if stats["held"] != len(held):
            self.faults.append(f"{stats['held']} counted as held, not {len(held)}")

    def compare(self, states, held):
        taken = self.sink.taken
        for name, identifier in self.acknowledged.items():
            if identifier not in states:
                self.faults.append(f"{name} was acknowledged and is lost")
            elif identifier in held:
                continue
            elif states[identifier] not in FINAL:
                self.faults.append(f"{name} ends in {states[identifier]}")
            elif taken[name] == 0:
                self.faults.append(f"{name} is {states[identifier]} and never arrived")
        self.faults += [f"{name} arrived {count} times" for name, count in taken.items()
                        if count > 1]
        self.faults += [f"{name} arrived and was never posted" for name in taken
                        if name not in self.acknowledged and name not in self.in_doubt]
        # A connection that was cut after the final dot may not be taken for a refusal.
        self.faults += [f"{name} had no answer and is {states[self.acknowledged[name]]}"
                        for name in self.sink.dropped if name in self.acknowledged
                        and self.acknowledged[name] not in held and taken[name] != 1]
        names = {identifier: name for name, identifier in self.acknowledged.items()}
        self.summary.update({
            "acknowledged": len(self.acknowledged), "in_doubt": len(self.in_doubt),
            "never_answered": len(self.in_doubt - self.acknowledged.keys()),
            "arrived": len(taken), "states": collections.Counter(states.values()),
            "held_unknown": len(held),
            "held_and_arrived": sum(1 for mail in held if taken[names.get(mail, mail)]),
            "dropped_after_final_dot": len(self.sink.dropped)})


def main():
    return run_driver(__doc__, Driver, **(LONG if is_long() else SHORT))


if __name__ == "__main__":
    sys.exit(main())
