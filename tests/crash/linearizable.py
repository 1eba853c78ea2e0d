#!/usr/bin/env python3
"""Records what several connections do to a few items at the same time and checks that each item
behaved as one register. Prints the seed and a summary as JSON; exits 1 when an item did not.
MAILROOM_BINARY names the server; MAILROOM_LONG=1 makes it longer.
"""

import argparse
import json
import os
import random
import sys
import threading
import time

from history import NEVER, Operation, is_linearizable
from load import NO_ANSWER
from table_client import Refused, Server, TableClient

TABLE = "Registers"
CONNECTIONS = 8
KEYS_PER_ROUND = 4
OPERATIONS_PER_CONNECTION = 120
SHORT_ROUNDS = 3
LONG_ROUNDS = 40


class Recorder(threading.Thread):
    """One connection that reads, writes and swaps at random and notes when and what happened."""

    def __init__(self, number, address, keys, seed):
        super().__init__(daemon=True)
        self.number = number
        self.client = TableClient(address)
        self.keys = keys
        self.random = random.Random(seed)
        self.written = 0
        self.seen = {key: None for key in keys}  # The value this connection believes in.
        self.history = {key: [] for key in keys}
        self.faults = []

    def run(self):
        for _ in range(OPERATIONS_PER_CONNECTION):
            key = self.random.choice(self.keys)
            kind = self.random.choices(("read", "write", "swap"), (4, 2, 4))[0]
            try:
                self.step(key, kind)
            except NO_ANSWER as error:
                self.faults.append(f"no answer: {error!r}")
                break
            except Refused as refusal:
                self.faults.append(str(refusal))
                break
        self.client.close()

    def step(self, key, kind):
        """One operation. Without an answer, a write is noted as one that may have happened."""
        expected, value = self.seen[key], None
        if kind != "read":
            self.written += 1
            value = self.written * CONNECTIONS + self.number
        invoked = time.monotonic()
        swapped = True
        try:
            if kind == "read":
                value = self.read(key)
            elif kind == "write":
                self.write(key, value)
            else:
                swapped = self.swap(key, expected, value)
        except NO_ANSWER:
            if kind != "read":
                self.history[key].append(Operation(kind, invoked, NEVER, value, expected))
            raise
        self.history[key].append(
            Operation(kind, invoked, time.monotonic(), value, expected, swapped))
        if kind != "swap" or swapped:
            self.seen[key] = value
        else:
            self.step(key, "read")

    def read(self, key):
        where = {"p": {"S": key}}
        way = self.random.randrange(3)
        if way == 0:
            item = self.client.call("GetItem", TableName=TABLE, Key=where,
                                    ConsistentRead=True).get("Item")
        elif way == 1:
            answer = self.client.call("Query", TableName=TABLE, ConsistentRead=True,
                                      KeyConditionExpression="p = :p",
                                      ExpressionAttributeValues={":p": where["p"]})
            item = answer["Items"][0] if answer["Items"] else None
        else:
            answer = self.client.call("BatchGetItem", RequestItems={
                TABLE: {"Keys": [where], "ConsistentRead": True}})
            item = (answer["Responses"].get(TABLE) or [None])[0]
        return int(item["v"]["N"]) if item else None

    def write(self, key, value):
        item = {"p": {"S": key}, "v": {"N": str(value)}}
        if self.random.random() < 0.7:
            self.client.call("PutItem", TableName=TABLE, Item=item)
        else:
            self.client.call("BatchWriteItem",
                             RequestItems={TABLE: [{"PutRequest": {"Item": item}}]})

    def swap(self, key, expected, value):
        """Whether the item held `expected` and now holds `value`."""
        condition = {"ConditionExpression": "attribute_not_exists(p)",
                     "ExpressionAttributeValues": {":new": {"N": str(value)}}}
        if expected is not None:
            condition["ConditionExpression"] = "v = :old"
            condition["ExpressionAttributeValues"][":old"] = {"N": str(expected)}
        try:
            self.client.call("UpdateItem", TableName=TABLE, Key={"p": {"S": key}},
                             UpdateExpression="SET v = :new", **condition)
            return True
        except Refused as refusal:
            if refusal.kind != "ConditionalCheckFailedException":
                raise
            return False


def play_round(server, number, seed):
    """(operations recorded, faults found)"""
    keys = [f"round{number}-key{place}" for place in range(KEYS_PER_ROUND)]
    recorders = [Recorder(place, server.dynamodb, keys, f"{seed}-{number}-{place}")
                 for place in range(CONNECTIONS)]
    for recorder in recorders:
        recorder.start()
    for recorder in recorders:
        recorder.join()
    faults = [fault for recorder in recorders for fault in recorder.faults]
    count = 0
    for key in keys:
        history = [each for recorder in recorders for each in recorder.history[key]]
        count += len(history)
        if not is_linearizable(history):
            faults.append(f"{key}: no order explains its history of {len(history)} operations")
            for each in sorted(history, key=lambda each: each.invoked):
                faults.append(str(each))
    return count, faults


def main():
    long = os.environ.get("MAILROOM_LONG") == "1"
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=LONG_ROUNDS if long else SHORT_ROUNDS)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    summary = {"seed": options.seed, "rounds": 0, "operations": 0, "faults": []}
    with Server() as server:
        client = TableClient(server.dynamodb)
        client.call("CreateTable", TableName=TABLE, BillingMode="PAY_PER_REQUEST",
                    KeySchema=[{"AttributeName": "p", "KeyType": "HASH"}],
                    AttributeDefinitions=[{"AttributeName": "p", "AttributeType": "S"}])
        while client.call("DescribeTable", TableName=TABLE)["Table"]["TableStatus"] != "ACTIVE":
            time.sleep(0.02)
        client.close()
        while summary["rounds"] < options.rounds and not summary["faults"]:
            count, summary["faults"] = play_round(server, summary["rounds"], options.seed)
            summary["rounds"] += 1
            summary["operations"] += count
    print(json.dumps(summary, indent=2))
    return 1 if summary["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
