#!/usr/bin/env python3
"""Kills the server between the approval of reminders and their sending, and counts the mails.

Every approval that was acknowledged must reach the sink, none twice; a mail that was being handed
over when the server died may be held as unknown, and those are listed apart. Each draft that was
sent has one record, and the day's counters are those of the records. Prints the seed first and a
summary as JSON last; exits 1 when a claim failed. MAILROOM_BINARY names the server; MAILROOM_LONG=1
makes forty kills.
"""

import random
import sys
import threading
import time

from command_line import is_long, run_driver
from mail_client import NO_ANSWER, MailClient
from recording_sink import RecordingSink
from table_client import Server

SHORT = {"kills": 5, "customers": 150}
LONG = {"kills": 40, "customers": 1500}
SETTLE_SECONDS_MAX = 180
KEY = "crash-driver-admin-key-0123456789"


def posted_file(client, path, lines):
    client.connection.request("POST", path, "\n".join(lines) + "\n", client.headers)
    answer = client.connection.getresponse()
    body = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{path}: {answer.status} {body!r}")


class Driver:
    def __init__(self, seed, kills, customers):
        self.random = random.Random(seed)
        self.kills = kills
        self.names = [f"c{number}" for number in range(customers)]
        self.sink = RecordingSink(defer_share=0.02, seed=seed).start()
        self.server = Server(arguments=["--transport", f"smtp://127.0.0.1:{self.sink.port}"],
                             settings={"MAILROOM_ADMIN_KEY": KEY,
                                       "MAILROOM_REMINDERS_FROM": "billing@example.com",
                                       "MAILROOM_OUTBOX_RETRY_FIRST_SECONDS": "1"})
        self.approved, self.faults = set(), []
        self.summary = {"seed": seed, "kills": 0}

    def run(self):
        try:
            self.server.start()
            self.load()
            share = len(self.names) // (self.kills + 1)
            for life in range(self.kills + 1):
                last = life == self.kills
                self.live(self.names[life * share:] if last else
                          self.names[life * share:(life + 1) * share], last)
            self.settle()
        except (RuntimeError, *NO_ANSWER) as error:
            self.faults += [f"the driver could not go on: {error!r}", self.server.log()[-2000:]]
        finally:
            self.server.stop()
            self.sink.stop()
        self.summary["faults"] = self.faults[:40]
        return self.summary

    def load(self):
        client = MailClient(self.server.http, KEY)
        posted_file(client, "/v1/reminders/customers/import", ["customer_id,name,email"] + [
            f"{name},{name},{name}@example.com" for name in self.names])
        columns = "invoice_id,customer_id,amount,due_date"
        posted_file(client, "/v1/reminders/invoices/import", [columns] + [
            f"INV-{name},{name},10,2020-01-01" for name in self.names])
        # A subject of its own for each, which the sink counts by.
        status, _ = client.call("POST", "/v1/reminders/templates/reminder_first/versions", {
            "template_name": "Plain", "template_type": "first_reminder", "activate": True,
            "subject_template": "{{customer_email}}", "body_template": "Pay {{total_amount}}"})
        assert status == 201, status
        client.close()

    def live(self, names, last):
        """Approves the drafts of these; the server dies in the middle of it unless it is the last
        time."""
        worker = threading.Thread(target=self.approve_all, args=(names,), daemon=True)
        worker.start()
        if not last:
            enough = len(self.approved) + self.random.randint(1, len(names))
            deadline = time.monotonic() + 20
            while len(self.approved) < enough and time.monotonic() < deadline:
                time.sleep(0.001)
            time.sleep(self.random.uniform(0, 0.02))
            self.server.kill()
            self.summary["kills"] += 1
            self.server.start()
        worker.join(SETTLE_SECONDS_MAX)

    def approve_all(self, names):
        client = None
        for name in names:
            while True:
                try:
                    client = client or MailClient(self.server.http, KEY)
                    if self.approve(client, name):
                        break
                except NO_ANSWER:
                    client = None
                    time.sleep(0.02)

    def approve(self, client, name):
        """True when it is approved, by this call or by one whose answer was lost."""
        status, answer = client.call("POST", "/v1/reminders/drafts", {"customer_id": name})
        if status == 201:
            draft = answer["draft_id"]
        elif status == 409 and answer["error"]["code"] == "draft_exists":
            draft = answer["error"]["details"]["draft_id"]
        elif status == 409:
            self.approved.add(name)
            return True  # It was approved before the server died.
        else:
            self.faults.append(f"{name} was not drafted: {status} {answer}")
            return True
        status, answer = client.call("POST", f"/v1/reminders/drafts/{draft}/approve",
                                     {"version": 1})
        if status not in (200, 409):
            self.faults.append(f"{name} was not approved: {status} {answer}")
        self.approved.add(name)
        return True

    def drafts(self, client, status):
        found, after = [], ""
        while after is not None:
            code, page = client.call(
                "GET", f"/v1/reminders/drafts?status={status}&limit=500&after={after}")
            if code != 200:
                raise RuntimeError(f"the list is refused: {code} {page}")
            found += page["items"]
            after = page["next"]
        return found

    def settle(self):
        client = MailClient(self.server.http, KEY)
        deadline = time.monotonic() + SETTLE_SECONDS_MAX
        while time.monotonic() < deadline:
            held = {mail["id"] for mail in client.mails(held="true")}
            pending = [each for each in self.drafts(client, "approved")
                       if each["mail_id"] not in held]
            if not pending:
                break
            time.sleep(0.2)
        self.faults += [f"{each['draft_id']} is still {each['status']}" for each in pending]
        held_names = {each["customer_id"] for each in self.drafts(client, "approved")}
        sent = [each["customer_id"] for each in self.drafts(client, "sent")]
        _, stats = client.call("GET", "/v1/reminders/stats")
        client.close()
        self.compare(held_names, sent, stats["total"])

    def compare(self, held, sent, total):
        taken = self.sink.taken
        for name in self.names:
            count = taken[f"{name}@example.com"]
            if name not in self.approved:
                self.faults.append(f"{name} was never approved")
            if count > 1:
                self.faults.append(f"{name} got {count} mails")
            if count == 0 and name not in held:
                self.faults.append(f"{name} got no mail")
            if sent.count(name) != (0 if name in held else 1):
                self.faults.append(f"{name} has {sent.count(name)} records")
        if total["emails_sent"] != len(sent) or total["first_reminders"] != len(sent):
            self.faults.append(f"counters {total} of {len(sent)} records")
        self.summary.update({"approved": len(self.approved), "arrived": sum(taken.values()),
                             "records": len(sent), "held_unknown": len(held)})


def main():
    return run_driver(__doc__, Driver, **(LONG if is_long() else SHORT))


if __name__ == "__main__":
    sys.exit(main())
