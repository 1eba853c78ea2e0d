"""Streams: what happens to the items of a table, told in order."""

import unittest

import boto3

from wire_case import WireCase, connection_arguments


class Streams(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.streams = boto3.client("dynamodbstreams", **connection_arguments())

    def new_stream(self, view):
        name = self.new_table(keys=("p",), StreamSpecification={"StreamEnabled": True,
                                                                "StreamViewType": view})
        return name, self.client.describe_table(TableName=name)["Table"]["LatestStreamArn"]

    def shard(self, arn):
        described = self.streams.describe_stream(StreamArn=arn)["StreamDescription"]
        (shard,) = described["Shards"]
        return shard["ShardId"]

    def iterator(self, arn, kind, **more):
        return self.streams.get_shard_iterator(StreamArn=arn, ShardId=self.shard(arn),
                                               ShardIteratorType=kind, **more)["ShardIterator"]

    def records(self, arn):
        found, iterator = [], self.iterator(arn, "TRIM_HORIZON")
        while True:
            page = self.streams.get_records(ShardIterator=iterator, Limit=2)
            if not page["Records"]:
                return found
            found += page["Records"]
            iterator = page["NextShardIterator"]

    def test_each_view_shows_its_images(self):
        for view in ("KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"):
            with self.subTest(view=view):
                name, arn = self.new_stream(view)
                self.client.put_item(TableName=name, Item={"p": {"S": "a"}, "n": {"N": "1"}})
                self.client.put_item(TableName=name, Item={"p": {"S": "a"}, "n": {"N": "2"}})
                self.client.delete_item(TableName=name, Key={"p": {"S": "a"}})
                inserted, changed, removed = self.records(arn)
                self.assertEqual([r["eventName"] for r in (inserted, changed, removed)],
                                 ["INSERT", "MODIFY", "REMOVE"])
                self.assertEqual(changed["dynamodb"]["Keys"], {"p": {"S": "a"}})
                self.assertEqual(changed["dynamodb"]["StreamViewType"], view)
                self.assertEqual("NewImage" in changed["dynamodb"], view.startswith("NEW"))
                self.assertEqual("OldImage" in changed["dynamodb"], "OLD" in view)
                self.assertNotIn("NewImage", removed["dynamodb"])

    def test_iterators_of_all_kinds_begin_where_they_should(self):
        name, arn = self.new_stream("NEW_IMAGE")
        for n in range(3):
            self.client.put_item(TableName=name, Item={"p": {"S": "a"}, "n": {"N": str(n)}})
        latest = self.iterator(arn, "LATEST")
        self.client.put_item(TableName=name, Item={"p": {"S": "a"}, "n": {"N": "3"}})
        second = self.records(arn)[1]["dynamodb"]["SequenceNumber"]
        for iterator, first in (
                (self.iterator(arn, "TRIM_HORIZON"), "0"),
                (self.iterator(arn, "AT_SEQUENCE_NUMBER", SequenceNumber=second), "1"),
                (self.iterator(arn, "AFTER_SEQUENCE_NUMBER", SequenceNumber=second), "2"),
                (latest, "3")):
            record = self.streams.get_records(ShardIterator=iterator)["Records"][0]
            self.assertEqual(record["dynamodb"]["NewImage"]["n"]["N"], first)

    def test_a_stream_can_be_turned_on_and_off(self):
        name = self.new_table(keys=("p",))
        self.assertEqual(self.streams.list_streams(TableName=name)["Streams"], [])
        on = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
        self.client.update_table(TableName=name, StreamSpecification=on)
        (stream,) = self.streams.list_streams(TableName=name)["Streams"]
        table = self.client.describe_table(TableName=name)["Table"]
        self.assertEqual(table["StreamSpecification"], on)
        self.assertEqual(table["LatestStreamLabel"], stream["StreamLabel"])
        self.client.update_table(TableName=name, StreamSpecification={"StreamEnabled": False})
        described = self.streams.describe_stream(StreamArn=stream["StreamArn"])
        self.assertEqual(described["StreamDescription"]["StreamStatus"], "DISABLED")
        self.assertNotIn("StreamSpecification", self.client.describe_table(TableName=name)["Table"])


if __name__ == "__main__":
    unittest.main()
