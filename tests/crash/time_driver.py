#!/usr/bin/env python3
"""Moves the clock of a server that works, by days and months, and kills it while it forgets.

Streams forget after a day, histories after a day or 35, items and mails when they expire, answers
to repeated requests after a day. After each kill the server must start, the records that a stream
still has must lead to the table as it is, moments that were remembered must come back as they were
or be refused as too old, backups must stay, and mails that were sent must be there until their time
is over, and be gone soon after it. One that is held and one that is paused must be there with all
they have gone through, and can be sent. A draft of a reminder that nobody approves goes after 30
days, one that is approved stays until its mail has left, the record of one that was sent is kept
for a year. The statistics are those of the table all the time. With an odd seed messages are files
in a directory, from which those that were not changed for 30 days are removed after each kill.
Prints the seed first and a summary as JSON last; exits 1 when a claim failed. MAILROOM_BINARY names
the server, MOVED_CLOCK_LIBRARY the clock; MAILROOM_LONG=1 makes thirty kills of five.
"""

import http.client
import pathlib
import random
import sys
import tempfile
import threading
import time

from command_line import is_long, run_driver
from mail_client import MailClient
from moved_clock import SECONDS_PER_DAY, MovedClock
from recording_sink import RecordingSink
from stream_driver import TABLE, by_key, stream_call, wait_until_active
from table_client import Refused, Server, TableClient

SHORT_KILLS = 5  # One of each of JUMPS.
LONG_KILLS = 30
WRITERS = 4
KEYS = 40
SWEEP_SECONDS_MAX = 60  # The server looks for what is due every few seconds.
SENDING_SECONDS_MAX = 60
KILL_WITHIN_SECONDS = 0.3
# How far the clock goes on in one life, in days: the second outlives all that is kept.
JUMPS = [0.3, 36, 1.5, 12, 400]
STREAM_DAYS, HISTORY_DAYS, MAIL_DAYS, ANSWER_DAYS = 1, 35, 30, 1
DRAFT_DAYS, RECORD_DAYS = 30, 365
FILE_DAYS = 30  # As docs/transports.md has it.
SLACK_DAYS = 0.05  # Of real time that a run takes, generously.
KEY = "time-driver-admin-key-0123456789"
BODY = {"from": "shop@example.com", "to": "ann@example.org", "subject": "n", "text": "t"}
PAUSED_DOMAIN = "paused.example"
SEND_SECONDS_MAX = 60
NO_ANSWER = (OSError, http.client.HTTPException)


def writer(address, number, clock, stop):
    """Changes items, some of which expire, alone or in transactions, until the server dies."""
    chance = random.Random(number)
    client = TableClient(address)
    count = 0
    while not stop.is_set():
        count += 1
        key = {"p": {"S": f"item-{chance.randrange(KEYS)}"}}
        item = {**key, "by": {"N": str(number)}, "count": {"N": str(count)}}
        try:
            kind = chance.randrange(4)
            if kind == 0:
                client.call("DeleteItem", TableName=TABLE, Key=key)
            elif kind == 1:
                expires = int(clock.now() + chance.choice([1, 3600, 5 * SECONDS_PER_DAY]))
                client.call("PutItem", TableName=TABLE, Item={**item, "ttl": {"N": str(expires)}})
            elif kind == 2:
                client.call("PutItem", TableName=TABLE, Item=item)
            else:
                client.call("TransactWriteItems", ClientRequestToken=f"{number}-{count}",
                            TransactItems=[
                                {"Put": {"TableName": TABLE, "Item": {**item, "p": {"S": name}}}}
                                for name in (f"left-{number}", f"right-{number}")])
        except Refused:
            pass  # Two transactions met.
        except NO_ANSWER:
            return


class Driver:
    def __init__(self, seed, kills):
        self.chance = random.Random(seed)
        self.kills = kills
        self.clock = MovedClock()
        self.faults = []
        self.moments = []  # (server's time, the moment as the server told it, items)
        self.backups = []  # (ARN, items)
        self.mails = []  # (id, when accepted)
        self.asked = 0
        self.summary = {"seed": seed, "kills": 0, "days": 0.0, "records_checked": 0,
                        "restored": 0, "moments_restored": 0, "too_old": 0, "mails_gone": 0,
                        "answers_forgotten": 0, "sweeps_seen": 0, "waiting_verified": 0,
                        "counts_verified": 0, "files_removed": 0}
        self.held = self.paused = None  # Mails that wait for a person: what they were at first.
        self.reminders = {}  # Drafts by customer: one is left, one is approved, one is sent.
        self.reminded = None  # When that was.
        self.files = tempfile.TemporaryDirectory() if seed % 2 else None
        files = {"MAILROOM_OUTBOX_BLOBS": self.files.name} if self.files else {}
        self.sink = RecordingSink().start()
        self.server = Server(arguments=["--transport", f"smtp://127.0.0.1:{self.sink.port}"],
                             settings={**self.clock.settings, "MAILROOM_ADMIN_KEY": KEY,
                                       "MAILROOM_REMINDERS_FROM": BODY["from"], **files})

    def run(self):
        try:
            self.server.start()
            self.create()
            self.leave_to_people()
            self.remind()
            for number in range(self.kills):
                self.remember()
                self.live_and_die(JUMPS[number % len(JUMPS)])
                self.server.start()
                self.remove_old_files()
                self.verify()
            self.verify_remembered()
            if self.summary["days"] > MAIL_DAYS + 1 and self.summary["mails_gone"] == 0:
                self.faults.append("no mail outlived its time")
            self.verify_decisions()
        except (RuntimeError, Refused, *NO_ANSWER) as error:
            self.faults += [f"the driver could not go on: {error!r}", self.server.log()[-2000:]]
        finally:
            self.server.stop()
            self.sink.stop()
            self.clock.close()
            if self.files:
                self.files.cleanup()
        return {**self.summary, "faults": self.faults}

    def create(self):
        client = TableClient(self.server.dynamodb)
        client.call("CreateTable", TableName=TABLE, BillingMode="PAY_PER_REQUEST",
                    AttributeDefinitions=[{"AttributeName": "p", "AttributeType": "S"}],
                    KeySchema=[{"AttributeName": "p", "KeyType": "HASH"}],
                    StreamSpecification={"StreamEnabled": True,
                                         "StreamViewType": "NEW_AND_OLD_IMAGES"})
        client.call("UpdateContinuousBackups", TableName=TABLE,
                    PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        client.call("UpdateTimeToLive", TableName=TABLE,
                    TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"})
        client.close()

    def leave_to_people(self):
        """A mail that may have arrived, and one that is not to leave."""
        mails = MailClient(self.server.http, KEY)
        mails.call("POST", "/v1/outbox/pauses",
                   {"scope": f"domain:{PAUSED_DOMAIN}", "reason": "not now"})
        self.sink.drop_share = 1
        held = mails.call("POST", "/v1/emails", {**BODY, "subject": "held"})[1]["id"]
        self.held = self.wait_for(mails, held, lambda mail: mail["held"])
        self.sink.drop_share = 0
        paused = mails.call("POST", "/v1/emails", {**BODY, "to": f"ann@{PAUSED_DOMAIN}",
                                                   "subject": "paused"})[1]["id"]
        self.paused = self.wait_for(mails, paused, lambda mail: mail.get("paused"))
        mails.close()

    def remind(self):
        """The mail of the one that is approved waits."""
        mails = MailClient(self.server.http, KEY)
        due = time.strftime("%Y-%m-%d", time.gmtime(self.clock.now() - 10 * SECONDS_PER_DAY))
        self.reminded = self.clock.now()
        for customer, domain in (("left", "example.org"), ("approved", PAUSED_DOMAIN),
                                 ("sent", "example.org")):
            mails.call("POST", "/v1/reminders/customers",
                       {"customer_id": customer, "name": "Ann", "email": f"{customer}@{domain}"})
            mails.call("POST", "/v1/reminders/invoices",
                       {"invoice_id": f"of-{customer}", "customer_id": customer, "amount": 7.5,
                        "due_date": due})
            draft = mails.call("POST", "/v1/reminders/drafts", {"customer_id": customer})[1]
            if customer != "left":
                draft = mails.call("POST", f"/v1/reminders/drafts/{draft['draft_id']}/approve",
                                   {"version": 1})[1]
            self.reminders[customer] = draft
        self.wait_until_sent(mails, self.reminders["sent"]["mail_id"])
        deadline = time.monotonic() + SENDING_SECONDS_MAX
        while not self.records(mails):
            if time.monotonic() > deadline:
                raise RuntimeError("a reminder that was sent is nowhere on record")
            time.sleep(0.02)
        mails.close()

    @staticmethod
    def records(mails):
        return mails.call("GET", "/v1/reminders/sent?customer_id=sent")[1]["items"]

    def verify_reminders(self, mails):
        days = (self.clock.now() - self.reminded) / SECONDS_PER_DAY
        seen = {customer: mails.call("GET", f"/v1/reminders/drafts/{draft['draft_id']}")
                for customer, draft in self.reminders.items()}
        if (seen["left"][0] == 200) != (days < DRAFT_DAYS):
            self.faults.append(f"a draft of {days:.2f} days: {seen['left']}")
        if seen["approved"][0] != 200 or seen["approved"][1]["status"] != "approved":
            self.faults.append(f"an approved draft of {days:.2f} days: {seen['approved']}")
        deadline = time.monotonic() + SWEEP_SECONDS_MAX
        while days > RECORD_DAYS and self.records(mails) and time.monotonic() < deadline:
            time.sleep(0.1)
        if len(self.records(mails)) != (days < RECORD_DAYS):
            self.faults.append(f"a record of {days:.2f} days: {self.records(mails)}")

    def verify_counts(self, mails):
        """What has expired is taken out when it goes, or a moment later."""
        deadline = time.monotonic() + SWEEP_SECONDS_MAX
        while True:
            stats = mails.call("GET", "/v1/outbox/stats")[1]
            listed = {state: len(mails.mails(state=state)) for state in stats["states"]}
            if stats["states"] == listed:
                self.summary["counts_verified"] += 1
                return
            if time.monotonic() > deadline:
                self.faults.append(f"counted are {stats['states']}, there are {listed}")
                return
            time.sleep(0.1)

    @staticmethod
    def wait_for(mails, identifier, wanted):
        deadline = time.monotonic() + SEND_SECONDS_MAX
        while not wanted(mail := mails.call("GET", f"/v1/emails/{identifier}")[1]):
            if time.monotonic() > deadline:
                raise RuntimeError(f"it did not come about: {mail}")
            time.sleep(0.02)
        return mail

    def verify_waiting(self, mails):
        for before in (self.held, self.paused):
            status, mail = mails.call("GET", f"/v1/emails/{before['id']}")
            if status != 200:
                self.faults.append(f"what waits for a person is gone: {before['id']} {mail}")
                continue
            for name in ("state", "held", "paused", "request", "recipients", "timeline"):
                if mail.get(name) != before.get(name):
                    self.faults.append(f"{name} was {before.get(name)} and is {mail.get(name)}")
        self.summary["waiting_verified"] += 1

    def verify_decisions(self):
        """They can still be sent."""
        mails = MailClient(self.server.http, KEY)
        mails.call("POST", f"/v1/emails/{self.held['id']}/retry", {})
        mails.call("DELETE", f"/v1/outbox/pauses/domain:{PAUSED_DOMAIN}")
        for mail in (self.held, self.paused):
            self.wait_for(mails, mail["id"], lambda seen: seen["state"] == "SENT")
        self.wait_until_sent(mails, self.reminders["approved"]["mail_id"])
        mails.close()

    def remember(self):
        """What is to be found again."""
        client = TableClient(self.server.dynamodb)
        deadline = time.monotonic() + SWEEP_SECONDS_MAX
        while not self.remember_moment(client):
            if time.monotonic() > deadline:
                raise RuntimeError("nobody writes, and the table never rests")
        client.close()
        self.post_mail()

    def remember_moment(self, client):
        """False if something expired meanwhile: what was remembered may be before or after it."""
        items = by_key(client.every_item(TABLE))
        described = client.call("DescribeContinuousBackups", TableName=TABLE)
        recovery = described["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
        when = self.clock.now()
        backup = client.call("CreateBackup", TableName=TABLE, BackupName="quiet")
        if by_key(client.every_item(TABLE)) != items:
            return False
        self.moments.append((when, recovery["LatestRestorableDateTime"], items))
        self.backups.append((backup["BackupDetails"]["BackupArn"], items))
        return True

    def post_mail(self):
        """Twice with one key: the second is the first."""
        self.asked += 1
        mails = MailClient(self.server.http, KEY)
        key = {"Idempotency-Key": f"request-{self.asked}"}
        first, second = (mails.call("POST", "/v1/emails", BODY, key) for _ in range(2))
        if (first[0], second[0]) != (202, 202) or first[1]["id"] != second[1]["id"]:
            self.faults.append(f"a repeated request made two mails: {first} {second}")
        self.wait_until_sent(mails, first[1]["id"])
        self.mails.append((first[1]["id"], self.clock.now()))
        mails.close()

    @staticmethod
    def wait_until_sent(mails, mail):
        """What still waits does not expire."""
        deadline = time.monotonic() + SENDING_SECONDS_MAX
        while (answer := mails.call("GET", f"/v1/emails/{mail}")[1])["state"] != "SENT":
            if time.monotonic() > deadline:
                raise RuntimeError(f"a mail is never sent: {answer}")
            time.sleep(0.02)

    def repeat_request(self, mails, number):
        """As a client does that has forgotten for a long time that it asked."""
        if self.files:  # A mail's id follows from the key: it is found as long as it is there.
            return
        mail, accepted = self.mails[number]
        days = (self.clock.now() - accepted) / SECONDS_PER_DAY
        status, answer = mails.call("POST", "/v1/emails", BODY,
                                    {"Idempotency-Key": f"request-{number + 1}"})
        is_new = status == 202 and answer["id"] != mail
        if status != 202 or (abs(days - ANSWER_DAYS) > SLACK_DAYS and
                             is_new != (days > ANSWER_DAYS)):
            self.faults.append(f"a request repeated after {days:.2f} days: {status} {answer}")
        self.summary["answers_forgotten"] += is_new

    def live_and_die(self, days):
        stop = threading.Event()
        first = self.chance.randrange(10**6)
        threads = [threading.Thread(target=writer,
                                    args=(self.server.dynamodb, first + n, self.clock, stop))
                   for n in range(WRITERS)]
        for thread in threads:
            thread.start()
        time.sleep(self.chance.uniform(0.2, 1.0))
        horizon = self.horizon()
        self.clock.move(days * SECONDS_PER_DAY)
        self.summary["days"] += days
        if days > STREAM_DAYS:
            self.wait_for_trimming(horizon)
        time.sleep(self.chance.uniform(0, KILL_WITHIN_SECONDS))
        self.server.kill()
        stop.set()
        for thread in threads:
            thread.join()
        self.summary["kills"] += 1

    def remove_old_files(self):
        """By the rule that an operator makes."""
        since = self.clock.now() - FILE_DAYS * SECONDS_PER_DAY
        for path in pathlib.Path(self.files.name).rglob("[!.]*") if self.files else ():
            if path.is_file() and path.stat().st_mtime < since:
                path.unlink()
                self.summary["files_removed"] += 1

    def horizon(self):
        """The first sequence number that the stream still has."""
        client = TableClient(self.server.dynamodb)
        arn = client.call("DescribeTable", TableName=TABLE)["Table"]["LatestStreamArn"]
        described = stream_call(client, "DescribeStream", StreamArn=arn)["StreamDescription"]
        client.close()
        (shard,) = described["Shards"]
        return shard["SequenceNumberRange"]["StartingSequenceNumber"]

    def wait_for_trimming(self, horizon):
        deadline = time.monotonic() + SWEEP_SECONDS_MAX
        while self.horizon() == horizon:
            if time.monotonic() > deadline:
                raise RuntimeError("the stream never forgets")
            time.sleep(0.02)
        self.summary["sweeps_seen"] += 1

    def verify(self):
        client = TableClient(self.server.dynamodb)
        self.verify_stream(client)
        self.verify_moment(client, f"After{self.summary['kills']}", *self.moments[-1])
        client.close()
        mails = MailClient(self.server.http, KEY)
        for mail, accepted in self.mails:
            self.verify_mail(mails, mail, (self.clock.now() - accepted) / SECONDS_PER_DAY)
        self.verify_waiting(mails)
        self.verify_reminders(mails)
        self.verify_counts(mails)
        self.repeat_request(mails, len(self.mails) - 1)
        mails.close()

    def verify_stream(self, client):
        """What the stream still has, applied to any beginning, gives the table."""
        deadline = time.monotonic() + SWEEP_SECONDS_MAX
        while True:
            try:
                return self.follow_stream(client)
            except Refused as refusal:
                # The server goes on forgetting: what the iterator named went before it was read.
                if refusal.kind != "TrimmedDataAccessException" or time.monotonic() > deadline:
                    raise

    def follow_stream(self, client):
        arn = client.call("DescribeTable", TableName=TABLE)["Table"]["LatestStreamArn"]
        described = stream_call(client, "DescribeStream", StreamArn=arn)["StreamDescription"]
        (shard,) = described["Shards"]
        iterator = stream_call(client, "GetShardIterator", StreamArn=arn, ShardId=shard["ShardId"],
                               ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
        items, last = {}, ""
        while True:
            table = by_key(client.every_item(TABLE))
            page = stream_call(client, "GetRecords", ShardIterator=iterator)
            for record in page["Records"]:
                last = self.apply(record["dynamodb"], items, last)
            # Expiry goes on: the table must be one that was read while no record came.
            if not page["Records"]:
                break
            iterator = page["NextShardIterator"]
        for key, item in items.items():
            if table.get(key) != item:
                self.faults.append(f"the records of {key} do not lead to what it is")

    def apply(self, change, items, last):
        key, sequence = change["Keys"]["p"]["S"], change["SequenceNumber"]
        self.summary["records_checked"] += 1
        if sequence <= last:
            self.faults.append(f"record {sequence} comes after {last}")
        if key in items and items[key] != change.get("OldImage"):
            self.faults.append(f"record {sequence} does not begin where the one before ended")
        items[key] = change.get("NewImage")
        return sequence

    def verify_mail(self, mails, mail, days):
        status, answer = mails.call("GET", f"/v1/emails/{mail}")
        is_overdue = days > MAIL_DAYS + SLACK_DAYS
        deadline = time.monotonic() + SWEEP_SECONDS_MAX
        while is_overdue and status == 200 and time.monotonic() < deadline:
            time.sleep(0.1)
            status, answer = mails.call("GET", f"/v1/emails/{mail}")
        if days < MAIL_DAYS - SLACK_DAYS and status != 200:
            self.faults.append(f"a mail is gone after {days:.2f} days: {status} {answer}")
        if is_overdue and status != 404:
            self.faults.append(f"a mail of {days:.2f} days stays: {status} {answer}")
        self.summary["mails_gone"] += status == 404

    def verify_remembered(self):
        client = TableClient(self.server.dynamodb)
        for number, (arn, items) in enumerate(self.backups):
            self.verify_restored(client, f"Backup{number}", items, "RestoreTableFromBackup",
                                 BackupArn=arn)
        for number, moment in enumerate(self.moments):
            self.verify_moment(client, f"Moment{number}", *moment)
        client.close()

    def verify_moment(self, client, name, when, moment, items):
        days = (self.clock.now() - when) / SECONDS_PER_DAY
        done = self.verify_restored(client, name, items, "RestoreTableToPointInTime",
                                    SourceTableName=TABLE, RestoreDateTime=moment)
        if abs(days - HISTORY_DAYS) > SLACK_DAYS and done != (days < HISTORY_DAYS):
            self.faults.append(f"a moment {days:.2f} days ago: restored is {done}")
        self.summary["moments_restored"] += done

    def verify_restored(self, client, name, items, operation, **source):
        """Whether it could be restored."""
        try:
            client.call(operation, TargetTableName=name, **source)
        except Refused as refusal:
            # A backup that a kill cut short is forgotten, and says so.
            if refusal.kind not in ("InvalidRestoreTimeException", "BackupNotFoundException"):
                raise
            self.summary["too_old"] += 1
            return False
        wait_until_active(client, name)
        self.summary["restored"] += 1
        if by_key(client.every_item(name)) != items:
            self.faults.append(f"{operation} {source} did not bring back what was there")
        return True


def main():
    return run_driver(__doc__, Driver, kills=LONG_KILLS if is_long() else SHORT_KILLS)


if __name__ == "__main__":
    sys.exit(main())
