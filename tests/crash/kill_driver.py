#!/usr/bin/env python3
"""Kills the server under write load again and again and looks at what is left.

After each restart every acknowledged write must be there, every transaction whole, every index
equal to its table, and DescribeTable's counts those of the rows. Prints the seed first and a
summary as JSON last; exits 1 when a claim failed.
MAILROOM_BINARY names the server; MAILROOM_LONG=1 makes a hundred kills of five.
"""

import random
import sys
import time

from command_line import is_long, run_driver
from load import ITEMS, NO_ANSWER, Worker
from table_client import Refused, Server, TableClient

SHORT_KILLS = 5
LONG_KILLS = 100
WORKERS = 6
LIFE_WRITES = (1, 400)  # Acknowledged before the kill: a slow machine gets its load as well.
LIFE_SECONDS_MAX = 10
KILL_WHILE_STARTING = 0.2  # The share of restarts that are killed before they are ready.
INDEX_SECONDS_MAX = 60
FAULTS_PRINTED_MAX = 40

LATE_INDEX = {"IndexName": "Late", "Projection": {"ProjectionType": "ALL"},
              "KeySchema": [{"AttributeName": "o", "KeyType": "HASH"},
                            {"AttributeName": "v", "KeyType": "RANGE"}]}
DEFINITIONS = [{"AttributeName": "p", "AttributeType": "S"},
               {"AttributeName": "g", "AttributeType": "S"},
               {"AttributeName": "v", "AttributeType": "N"}]


def create_table(client):
    client.call("CreateTable", TableName=ITEMS, BillingMode="PAY_PER_REQUEST",
                AttributeDefinitions=DEFINITIONS,
                KeySchema=[{"AttributeName": "p", "KeyType": "HASH"}],
                GlobalSecondaryIndexes=[
                    {"IndexName": "ByGroup", "Projection": {"ProjectionType": "ALL"},
                     "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"},
                                   {"AttributeName": "v", "KeyType": "RANGE"}]},
                    {"IndexName": "GroupKeys", "Projection": {"ProjectionType": "KEYS_ONLY"},
                     "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}]}])
    wait_until_settled(client)


def wait_until_settled(client):
    """The description, once the table and all its indexes are active."""
    deadline = time.monotonic() + INDEX_SECONDS_MAX
    while True:
        table = client.call("DescribeTable", TableName=ITEMS)["Table"]
        statuses = {table["TableStatus"]}
        statuses |= {each["IndexStatus"] for each in table.get("GlobalSecondaryIndexes", [])}
        if statuses == {"ACTIVE"}:
            return table
        if time.monotonic() > deadline:
            raise RuntimeError(f"the table never settles: {statuses}")
        time.sleep(0.02)


def projected(items, index):
    """What an index must hold of these items, by primary key."""
    keys = {each["AttributeName"] for each in index["KeySchema"]}
    kept = keys | {"p"}
    whole = index["Projection"]["ProjectionType"] == "ALL"
    return {item["p"]["S"]: item if whole else {name: item[name] for name in kept}
            for item in items if keys <= set(item)}


class Driver:
    def __init__(self, seed, kills):
        self.random = random.Random(seed)
        self.kills = kills
        self.server = Server()
        self.expected = [{} for _ in range(WORKERS)]
        self.workers = [Worker(number, random.Random(f"{seed}-{number}"), self.expected[number])
                        for number in range(WORKERS)]
        self.faults = []
        self.summary = {"seed": seed, "kills": 0, "killed_while_starting": 0, "acknowledged": 0,
                        "in_doubt": 0, "index_changes": 0, "items_checked": 0,
                        "index_rows_checked": 0, "slowest_restart_seconds": 0.0}

    def run(self):
        try:
            self.server.start()
            client = TableClient(self.server.dynamodb)
            create_table(client)
            client.close()
            while self.summary["kills"] < self.kills and not self.faults:
                self.live_and_die()
                self.restart()
                self.verify()
        except (RuntimeError, Refused, *NO_ANSWER) as error:
            self.faults.append(f"the driver could not go on: {error!r}")
            self.faults.append(self.server.log()[-2000:])
        finally:
            self.server.stop()
        self.summary["faults"] = self.faults[:FAULTS_PRINTED_MAX]
        return self.summary

    def live_and_die(self):
        self.workers = [worker.successor(self.server.dynamodb) for worker in self.workers]
        for worker in self.workers:
            worker.start()
        writes = self.random.randint(*LIFE_WRITES)
        if self.random.random() < 0.4:
            self.wait_for_writes(writes // 2)
            self.change_indexes()
            writes = writes // 2 + self.random.randint(0, 40)
        self.wait_for_writes(writes)
        time.sleep(self.random.uniform(0, 0.02))
        self.server.kill()
        self.summary["kills"] += 1
        for worker in self.workers:
            worker.stopping.set()
            worker.join()
            self.faults += worker.faults
            self.summary["acknowledged"] += worker.acknowledged
            self.summary["in_doubt"] += worker.in_doubt

    def wait_for_writes(self, count):
        deadline = time.monotonic() + LIFE_SECONDS_MAX
        while (sum(worker.acknowledged for worker in self.workers) < count
               and time.monotonic() < deadline):
            time.sleep(0.002)

    def change_indexes(self):
        """Adds the late index, or takes it away: the kill comes while it is being filled."""
        client = TableClient(self.server.dynamodb)
        table = client.call("DescribeTable", TableName=ITEMS)["Table"]
        present = any(each["IndexName"] == "Late" for each in table["GlobalSecondaryIndexes"])
        change = {"Delete": {"IndexName": "Late"}} if present else {"Create": LATE_INDEX}
        client.call("UpdateTable", TableName=ITEMS, GlobalSecondaryIndexUpdates=[change],
                    AttributeDefinitions=DEFINITIONS +
                    [{"AttributeName": "o", "AttributeType": "S"}])
        client.close()
        self.summary["index_changes"] += 1

    def restart(self):
        while self.random.random() < KILL_WHILE_STARTING:
            self.server.spawn()
            time.sleep(self.random.uniform(0, 0.15))
            self.server.kill()
            self.summary["killed_while_starting"] += 1
        started = time.monotonic()
        self.server.start()
        taken = round(time.monotonic() - started, 3)
        self.summary["slowest_restart_seconds"] = max(
            self.summary["slowest_restart_seconds"], taken)

    def verify(self):
        client = TableClient(self.server.dynamodb)
        table = wait_until_settled(client)
        items = {item["p"]["S"]: item for item in client.every_item(ITEMS)}
        self.summary["items_checked"] += len(items)
        self.verify_count("the table", table, items)
        self.verify_shared(items.get("shared"))
        for expected in self.expected:
            self.verify_writes(expected, items)
        self.verify_pairs(items)
        known = {key for expected in self.expected for key in expected} | {"shared"}
        self.faults += [f"{key} was never written" for key in items if key not in known]
        for index in table["GlobalSecondaryIndexes"]:
            self.verify_index(client, index, items.values())
        client.close()

    def verify_shared(self, item):
        hits = int(item["hits"]["N"]) if item else 0
        least = sum(worker.hits_acknowledged for worker in self.workers)
        most = least + sum(worker.hits_in_doubt for worker in self.workers)
        if not least <= hits <= most:
            self.faults.append(f"{hits} additions, but between {least} and {most} happened")

    def verify_writes(self, expected, items):
        for key, possible in expected.items():
            found = items.get(key)
            if found not in possible:
                self.faults.append(f"{key} is {brief(found)}, but may be only "
                                   f"{[brief(each) for each in possible]}")
            expected[key] = [found]

    def verify_pairs(self, items):
        for key in {key for expected in self.expected for key in expected}:
            if not key.endswith("-left"):
                continue
            left, right = items.get(key), items.get(key.replace("-left", "-right"))
            if without_key(left) != without_key(right):
                self.faults.append(f"half a transaction: {key} is {brief(left)}, "
                                   f"its partner {brief(right)}")

    def verify_count(self, name, description, rows):
        if description["ItemCount"] != len(rows):
            self.faults.append(f"{name} counts {description['ItemCount']}, but has {len(rows)}")

    def verify_index(self, client, index, items):
        name = index["IndexName"]
        expected = projected(items, index)
        rows = client.every_item(ITEMS, name)
        self.verify_count(f"index {name}", index, rows)
        found = {row["p"]["S"]: row for row in rows}
        self.summary["index_rows_checked"] += len(rows)
        if len(found) != len(rows):
            self.faults.append(f"index {name} holds {len(rows)} rows of {len(found)} items")
        for key in set(expected) | set(found):
            if expected.get(key) != found.get(key):
                self.faults.append(f"index {name}: {key} is {brief(found.get(key))}, in the table "
                                   f"{brief(expected.get(key))}")


def without_key(item):
    return item and {name: value for name, value in item.items() if name != "p"}


def brief(item):
    return item and {name: value for name, value in item.items() if name != "pad"}


def main():
    return run_driver(__doc__, Driver, kills=LONG_KILLS if is_long() else SHORT_KILLS)


if __name__ == "__main__":
    sys.exit(main())
