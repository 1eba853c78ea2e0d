#!/usr/bin/env python3
"""Kills the server while it writes to a table with a stream and a history; looks at what is left.

After each restart the records of the stream, applied one after another, must give the table, and
each must begin where the one before it ended. Backups and moments that were remembered while nobody
wrote must come back as they were. Prints the seed first and a summary as JSON last; exits 1 when a
claim failed. MAILROOM_BINARY names the server; MAILROOM_LONG=1 makes thirty kills of three.
"""

import http.client
import random
import sys
import threading
import time

from command_line import is_long, run_driver
from table_client import Refused, Server, TableClient

SHORT_KILLS = 3
LONG_KILLS = 30
WRITERS = 6
KEYS = 40  # Few, so that items are changed and deleted, not only made.
LIFE_SECONDS = (0.2, 1.5)
RESTORE_SECONDS_MAX = 60
PAUSE_SECONDS = 0.01  # Between a remembered moment and what comes after it.

TABLE = "Watched"
STREAMS = "DynamoDBStreams_20120810."


def stream_call(client, operation, **members):
    answer = client.connection.send(
        operation, members, headers={"X-Amz-Target": STREAMS + operation})
    if answer.status != 200:
        raise Refused(answer)
    return answer.json


def writer(address, number, stop):
    """Puts, updates and deletes random items, alone or two at once, until the server dies."""
    chance = random.Random(number)
    client = TableClient(address)
    count = 0

    def key():
        return {"p": {"S": f"item-{chance.randrange(KEYS)}"}}

    def item():
        return {**key(), "by": {"N": str(number)}, "count": {"N": str(count)}}

    while not stop.is_set():
        count += 1
        try:
            kind = chance.randrange(4)
            if kind == 0:
                client.call("DeleteItem", TableName=TABLE, Key=key())
            elif kind == 1:
                client.call("UpdateItem", TableName=TABLE, Key=key(),
                            UpdateExpression="ADD changes :one",
                            ExpressionAttributeValues={":one": {"N": "1"}})
            elif kind == 2:
                client.call("PutItem", TableName=TABLE, Item=item())
            else:
                client.call("TransactWriteItems", TransactItems=[
                    {"Put": {"TableName": TABLE, "Item": {**item(), "p": {"S": name}}}}
                    for name in (f"left-{number}", f"right-{number}")])
        except Refused:
            pass  # Two transactions met.
        except (OSError, http.client.HTTPException):
            return


def by_key(items):
    return {item["p"]["S"]: item for item in items}


def wait_until_active(client, name):
    deadline = time.monotonic() + RESTORE_SECONDS_MAX
    while client.call("DescribeTable", TableName=name)["Table"]["TableStatus"] != "ACTIVE":
        if time.monotonic() > deadline:
            raise RuntimeError(f"{name} is never restored")
        time.sleep(0.02)


class Driver:
    def __init__(self, seed, kills):
        self.chance = random.Random(seed)
        self.kills = kills
        self.faults = []
        self.remembered = []  # (kind, moment or ARN, items)
        self.summary = {"kills": 0, "records_checked": 0, "restores_checked": 0}

    def run(self):
        server = Server()
        try:
            server.start()
            self.create(server)
            for _ in range(self.kills):
                self.remember(server)
                self.write_and_kill(server)
                server.start()
                self.verify_stream(server)
            self.verify_remembered(server)
        finally:
            server.stop()
        return {**self.summary, "faults": self.faults}

    def create(self, server):
        client = TableClient(server.dynamodb)
        client.call("CreateTable", TableName=TABLE, BillingMode="PAY_PER_REQUEST",
                    AttributeDefinitions=[{"AttributeName": "p", "AttributeType": "S"}],
                    KeySchema=[{"AttributeName": "p", "KeyType": "HASH"}],
                    StreamSpecification={"StreamEnabled": True,
                                         "StreamViewType": "NEW_AND_OLD_IMAGES"})
        client.call("UpdateContinuousBackups", TableName=TABLE,
                    PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        client.close()

    def remember(self, server):
        client = TableClient(server.dynamodb)
        items = by_key(client.every_item(TABLE))
        time.sleep(PAUSE_SECONDS)
        described = client.call("DescribeContinuousBackups", TableName=TABLE)
        recovery = described["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
        self.remembered.append(("moment", recovery["LatestRestorableDateTime"], items))
        backup = client.call("CreateBackup", TableName=TABLE, BackupName="quiet")["BackupDetails"]
        self.remembered.append(("backup", backup["BackupArn"], items))
        time.sleep(PAUSE_SECONDS)
        client.close()

    def write_and_kill(self, server):
        stop = threading.Event()
        first = self.chance.randrange(10**6)
        threads = [threading.Thread(target=writer, args=(server.dynamodb, first + n, stop))
                   for n in range(WRITERS)]
        for thread in threads:
            thread.start()
        time.sleep(self.chance.uniform(*LIFE_SECONDS))
        server.kill()
        stop.set()
        for thread in threads:
            thread.join()
        self.summary["kills"] += 1

    def verify_stream(self, server):
        client = TableClient(server.dynamodb)
        arn = client.call("DescribeTable", TableName=TABLE)["Table"]["LatestStreamArn"]
        described = stream_call(client, "DescribeStream", StreamArn=arn)["StreamDescription"]
        (shard,) = described["Shards"]
        iterator = stream_call(client, "GetShardIterator", StreamArn=arn, ShardId=shard["ShardId"],
                               ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
        items, last = {}, ""
        while True:
            page = stream_call(client, "GetRecords", ShardIterator=iterator)
            if not page["Records"]:
                break
            for record in page["Records"]:
                last = self.apply(record["dynamodb"], items, last)
            iterator = page["NextShardIterator"]
        if items != by_key(client.every_item(TABLE)):
            self.faults.append("the records of the stream do not give the table")
        client.close()

    def apply(self, change, items, last):
        key, sequence = change["Keys"]["p"]["S"], change["SequenceNumber"]
        self.summary["records_checked"] += 1
        if sequence <= last:
            self.faults.append(f"record {sequence} comes after {last}")
        if items.get(key) != change.get("OldImage"):
            self.faults.append(f"record {sequence} does not begin where the one before ended")
        if "NewImage" in change:
            items[key] = change["NewImage"]
        else:
            del items[key]
        return sequence

    def verify_remembered(self, server):
        client = TableClient(server.dynamodb)
        for number, (kind, what, items) in enumerate(self.remembered):
            name = f"Restored{number}"
            try:
                if kind == "moment":
                    client.call("RestoreTableToPointInTime", SourceTableName=TABLE,
                                TargetTableName=name, RestoreDateTime=what)
                else:
                    client.call("RestoreTableFromBackup", TargetTableName=name, BackupArn=what)
            except Refused as refusal:
                # A backup that a kill cut short is forgotten, and says so.
                if kind == "backup" and refusal.kind == "BackupNotFoundException":
                    continue
                raise
            wait_until_active(client, name)
            self.summary["restores_checked"] += 1
            if by_key(client.every_item(name)) != items:
                self.faults.append(f"{kind} {what} did not come back as it was")
        client.close()


def main():
    return run_driver(__doc__, Driver, kills=LONG_KILLS if is_long() else SHORT_KILLS)


if __name__ == "__main__":
    sys.exit(main())
