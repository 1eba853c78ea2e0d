"""The steps of passing time on a server whose clock can be moved."""

import time
from collections import Counter

import raw_http
import values
from endpoint import Broken, Endpoint
from passing_time import STREAM_DAYS

SECONDS_PER_DAY = 86_400
SWEEP_SECONDS_MAX = 60
DROPPED_SECONDS_MAX = 60  # How long after its time a record may still be seen.
STREAMS = {"X-Amz-Target": "DynamoDBStreams_20120810."}
CANARY = "canary-of-the-driver"


class TimedEndpoint(Endpoint):
    """`process` has `clock` as well: see ../crash/moved_clock.py."""

    def __init__(self, process, headers=None):
        super().__init__(process, headers)
        self.moments = []
        self.has_canary = False

    def begin(self):
        super().begin()
        self.moments = []

    def _create(self, step):
        answer = super()._create(step)
        if step.get("recorded"):
            self._call("UpdateContinuousBackups", {
                "TableName": self.requests.table(step["table"]),
                "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}})
        return answer

    def _pass(self, step):
        """Also waits until the server has seen it, and forgotten what it has to."""
        self.moments.append(self._moment())
        self.process.clock.move(step["days"] * SECONDS_PER_DAY)
        self._wait_for_sweep()
        return {}

    def _moment(self):
        for name in self._own_tables():
            described = self._call("DescribeContinuousBackups",
                                   {"TableName": self.requests.table(name)})
            recovery = described["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
            if "LatestRestorableDateTime" in recovery:
                return recovery["LatestRestorableDateTime"]
        return self.process.clock.now()

    def _wait_for_sweep(self):
        """An item that has expired goes when the server looks for what is due: after streams, so
        that of two in turn the second goes when streams were looked at as well."""
        if not self.has_canary:
            self._call("CreateTable", {
                "TableName": CANARY, "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}]})
            self._call("UpdateTimeToLive", {
                "TableName": CANARY,
                "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "ttl"}})
            self.has_canary = True
        for _ in range(2):
            self._wait_until_canary_is_gone()

    def _wait_until_canary_is_gone(self):
        key = {"p": {"S": "bird"}}
        expired = str(int(self.process.clock.now()) - 60)
        self._call("PutItem", {"TableName": CANARY, "Item": {**key, "ttl": {"N": expired}}})
        deadline = time.monotonic() + SWEEP_SECONDS_MAX
        while "Item" in self._call("GetItem", {"TableName": CANARY, "Key": key}):
            if time.monotonic() > deadline:
                raise Broken("what has expired stays")
            time.sleep(0.05)

    def _stream(self, step):
        table = self._send({**step, "do": "describe"})["Table"]
        arn = table["LatestStreamArn"]
        shard, = self._ask("DescribeStream", StreamArn=arn)["StreamDescription"]["Shards"]
        iterator = self._ask("GetShardIterator", StreamArn=arn, ShardId=shard["ShardId"],
                             ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
        due = self.process.clock.now() - STREAM_DAYS * SECONDS_PER_DAY
        records = []
        while True:
            page = self._ask("GetRecords", ShardIterator=iterator)
            if not page["Records"]:
                return {"records": records}
            # What is due is dropped soon, not at once; but what stays longer is a fault.
            records += [read(record) for record in page["Records"]
                        if not due - DROPPED_SECONDS_MAX
                        <= record["dynamodb"]["ApproximateCreationDateTime"] < due]
            iterator = page["NextShardIterator"]

    def _ask(self, operation, **members):
        answer = raw_http.Connection(self.process.dynamodb).send(
            operation, members, {"X-Amz-Target": STREAMS["X-Amz-Target"] + operation})
        if answer.status != 200:
            raise Broken(f"{operation}: {answer.status} {answer.body[:300]!r}")
        return answer.json

    def _restore(self, step):
        name = self.requests.table("Restored")
        self._call("RestoreTableToPointInTime", {
            "SourceTableName": self.requests.table(step["table"]), "TargetTableName": name,
            "RestoreDateTime": self.moments[step["moment"]]})
        self._settle({"table": "Restored"})
        items, more = Counter(), {}
        while True:
            page = self._call("Scan", {"TableName": name, **more})
            items.update(values.frozen_item(values.parse_item(each)) for each in page["Items"])
            if "LastEvaluatedKey" not in page:
                break
            more = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
        self._drop({"do": "drop", "table": "Restored"})
        return {"items": items}


def read(record):
    change = record["dynamodb"]
    images = (values.frozen_item(values.parse_item(change[name])) if name in change else None
              for name in ("OldImage", "NewImage"))
    return (record["eventName"], *images)
