"""BatchGetItem and BatchWriteItem."""

import unittest

from wire_case import WireCase


class Batches(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.first = cls.new_table(keys=("p",))
        cls.second = cls.new_table(types={"p": "S", "s": "N"})

    def keys(self, count):
        return [{"p": {"S": f"k{number}"}} for number in range(count)]

    def test_a_batch_writes_and_deletes_in_several_tables(self):
        self.client.put_item(TableName=self.first, Item={"p": {"S": "old"}})
        answer = self.client.batch_write_item(RequestItems={
            self.first: [{"PutRequest": {"Item": {"p": {"S": "new"}, "v": {"N": "1"}}}},
                         {"DeleteRequest": {"Key": {"p": {"S": "old"}}}},
                         {"DeleteRequest": {"Key": {"p": {"S": "never was"}}}}],
            self.second: [{"PutRequest": {"Item": {"p": {"S": "a"}, "s": {"N": "1"}}}}]})
        self.assertEqual(answer["UnprocessedItems"], {})
        found = self.client.batch_get_item(RequestItems={
            self.first: {"Keys": [{"p": {"S": "new"}}, {"p": {"S": "old"}}]},
            self.second: {"Keys": [{"p": {"S": "a"}, "s": {"N": "1.0"}}],
                          "ProjectionExpression": "s", "ConsistentRead": True}})
        self.assertEqual(found["UnprocessedKeys"], {})
        self.assertEqual(found["Responses"][self.first], [{"p": {"S": "new"}, "v": {"N": "1"}}])
        self.assertEqual(found["Responses"][self.second], [{"s": {"N": "1"}}])

    def test_the_batch_writer_of_boto3_stores_more_than_one_batch(self):
        table = self.resource.Table(self.second)
        with table.batch_writer(overwrite_by_pkeys=["p", "s"]) as batch:
            for number in range(60):
                batch.put_item(Item={"p": "writer", "s": number % 55, "round": number})
        page = self.client.query(TableName=self.second, KeyConditionExpression="p = :p",
                                 ExpressionAttributeValues={":p": {"S": "writer"}})
        self.assertEqual(page["Count"], 55)
        self.assertEqual(page["Items"][0]["round"]["N"], "55")

    def test_a_hundred_keys_are_read_at_once(self):
        with self.resource.Table(self.first).batch_writer() as batch:
            for key in self.keys(100):
                batch.put_item(Item={"p": key["p"]["S"]})
        found = self.client.batch_get_item(RequestItems={self.first: {"Keys": self.keys(100)}})
        self.assertEqual(len(found["Responses"][self.first]), 100)

    def test_an_answer_over_16_mb_leaves_keys_unprocessed_until_asked_again(self):
        keys = [{"p": {"S": "huge"}, "s": {"N": str(number)}} for number in range(45)]
        for key in keys:
            self.client.put_item(TableName=self.second, Item={**key, "b": {"S": "x" * 390_000}})
        wanted, found, rounds = {self.second: {"Keys": keys}}, [], 0
        while wanted:
            answer = self.client.batch_get_item(RequestItems=wanted)
            found += answer["Responses"].get(self.second, [])
            wanted = answer["UnprocessedKeys"]
            rounds += 1
            self.assertLess(rounds, 10)
        self.assertGreater(rounds, 1)
        self.assertEqual(sorted(int(item["s"]["N"]) for item in found), list(range(45)))

    def test_batches_that_cannot_be_are_refused_whole(self):
        put = {"PutRequest": {"Item": {"p": {"S": "dup"}}}}
        delete = {"DeleteRequest": {"Key": {"p": {"S": "dup"}}}}
        many = [{"PutRequest": {"Item": key}} for key in self.keys(26)]
        duplicates = "Provided list of item keys contains duplicates"
        rows = [
            ("the same key twice", "batch_write_item", {self.first: [put, delete]}, duplicates),
            ("26 writes", "batch_write_item", {self.first: many}, None),
            ("an item without key", "batch_write_item",
             {self.first: [{"PutRequest": {"Item": {"v": {"S": "x"}}}}]}, None),
            ("a key of the wrong type", "batch_write_item",
             {self.first: [{"DeleteRequest": {"Key": {"p": {"N": "1"}}}}]},
             "The provided key element does not match the schema"),
            ("101 reads", "batch_get_item", {self.first: {"Keys": self.keys(101)}}, None),
            ("the same key read twice", "batch_get_item",
             {self.first: {"Keys": self.keys(1) * 2}}, duplicates),
        ]
        for claim, operation, items, message in rows:
            with self.subTest(claim), self.refused("ValidationException", message):
                getattr(self.client, operation)(RequestItems=items)
        self.assertNotIn("Item", self.client.get_item(TableName=self.first,
                                                      Key={"p": {"S": "dup"}}))

    def test_a_batch_on_a_missing_table_writes_nothing(self):
        put = [{"PutRequest": {"Item": {"p": {"S": "lonely"}}}}]
        with self.refused("ResourceNotFoundException"):
            self.client.batch_write_item(RequestItems={self.first: put, "NoSuchTable": put})
        self.assertNotIn("Item", self.client.get_item(TableName=self.first,
                                                      Key={"p": {"S": "lonely"}}))


if __name__ == "__main__":
    unittest.main()
