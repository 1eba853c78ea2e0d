"""What AWS takes and refuses at the edges: names, tags, pages, batches, older parameters."""

import unittest

import boto3

from raw_http import once
from wire_case import WireCase, attributes, connection_arguments, index, schema, shared_server

EQ_A = {"p": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}}


class Limits(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = cls.new_table()
        cls.arn = cls.client.describe_table(TableName=cls.table)["Table"]["TableArn"]

    def key(self, sort):
        return {"p": {"S": "a"}, "s": {"S": sort}}

    def test_a_text_has_the_size_of_its_units_of_utf16(self):
        self.client.put_item(TableName=self.table, Item={**self.key("size"),
                                                         "t": {"S": "é\U0001d11e"}})
        for size, wanted in (("3", True), ("6", False), ("2", False)):
            found = self.client.query(
                TableName=self.table, KeyConditionExpression="p = :a AND s = :s",
                FilterExpression="size(t) = :n",
                ExpressionAttributeValues={":a": {"S": "a"}, ":s": {"S": "size"},
                                           ":n": {"N": size}})
            self.assertEqual(found["Count"] == 1, wanted, size)

    def test_what_only_takes_away_makes_no_item(self):
        for update, values in (("DELETE t :t", {":t": {"SS": ["x"]}}), ("REMOVE x.y", None),
                               ("REMOVE x[0]", None)):
            more = {"ExpressionAttributeValues": values} if values else {}
            self.client.update_item(TableName=self.table, Key=self.key("gone"),
                                    UpdateExpression=update, **more)
        self.client.update_item(
            TableName=self.table, Key=self.key("gone"),
            AttributeUpdates={"t": {"Action": "DELETE", "Value": {"SS": ["x"]}}})
        self.assertNotIn("Item", self.client.get_item(TableName=self.table, Key=self.key("gone")))

    def test_older_key_conditions_stand_beside_expressions(self):
        for sort in ("older1", "older2"):
            self.client.put_item(TableName=self.table, Item={**self.key(sort), "n": {"S": sort}})
        page = self.client.query(TableName=self.table, KeyConditions=EQ_A,
                                 FilterExpression="n = :v0", ProjectionExpression="#n0",
                                 ExpressionAttributeNames={"#n0": "s"},
                                 ExpressionAttributeValues={":v0": {"S": "older2"}})
        self.assertEqual(page["Items"], [{"s": {"S": "older2"}}])
        both = ("Can not use both expression and non-expression parameters in the same request: "
                "Non-expression parameters: {%s} Expression parameters: {%s}")
        with self.refused("ValidationException",
                          both % ("KeyConditions", "KeyConditionExpression")):
            self.client.query(TableName=self.table, KeyConditions=EQ_A,
                              KeyConditionExpression="p = :p",
                              ExpressionAttributeValues={":p": {"S": "a"}})
        with self.refused("ValidationException", both % ("QueryFilter", "ProjectionExpression")):
            self.client.query(TableName=self.table, KeyConditions=EQ_A, QueryFilter={
                "n": {"ComparisonOperator": "NULL"}}, ProjectionExpression="s")

    def test_older_filters_take_many_values_and_miss_what_is_not_there(self):
        table = self.new_table(keys=("p",), types={"p": "S"})
        for number in range(3):
            self.client.put_item(TableName=table, Item={"p": {"S": str(number)},
                                                        "n": {"N": str(number)}})
        self.client.put_item(TableName=table, Item={"p": {"S": "none"}})
        many = [{"N": str(number)} for number in range(1, 1000)]
        found = self.client.scan(TableName=table, ScanFilter={
            "n": {"ComparisonOperator": "IN", "AttributeValueList": many}})
        self.assertEqual(sorted(item["p"]["S"] for item in found["Items"]), ["1", "2"])
        found = self.client.scan(TableName=table, ScanFilter={
            "n": {"ComparisonOperator": "NOT_CONTAINS", "AttributeValueList": [{"S": "x"}]}})
        self.assertEqual(sorted(item["p"]["S"] for item in found["Items"]), ["0", "1", "2"])

    def test_a_page_that_reaches_its_limit_has_a_last_key(self):
        table = self.new_table()
        quarter = "x" * (256 * 1024 - 5)  # With names and keys a quarter of a megabyte.
        for sort in "abcd":
            self.client.put_item(TableName=table, Item={"p": {"S": "a"}, "s": {"S": sort},
                                                        "x": {"S": quarter}})
        page = self.client.scan(TableName=table, Select="COUNT")
        self.assertEqual(page["Count"], 4)
        self.assertEqual(page["LastEvaluatedKey"], self.key("d"))
        rest = self.client.scan(TableName=table, ExclusiveStartKey=page["LastEvaluatedKey"])
        self.assertEqual(rest["Items"], [])
        self.assertNotIn("LastEvaluatedKey", rest)

    def test_a_batch_of_gets_stays_under_its_limit(self):
        table = self.new_table(keys=("p",), types={"p": "S"})
        keys = [{"p": {"S": f"{number:02}"}} for number in range(56)]
        for key in keys:
            self.client.put_item(TableName=table, Item={**key, "x": {"S": "x" * 307_000}})
        answer = self.client.batch_get_item(RequestItems={table: {"Keys": keys}})
        self.assertEqual(len(answer["Responses"][table]), 52)
        rest = self.client.batch_get_item(RequestItems=answer["UnprocessedKeys"])
        self.assertEqual(len(rest["Responses"][table]), 4)
        self.assertEqual(rest["UnprocessedKeys"], {})

    def test_a_table_is_called_as_the_request_called_it(self):
        self.client.put_item(TableName=self.table, Item=self.key("arn"))
        # Older SDKs take no ARN here.
        answer = once(shared_server().dynamodb, "BatchGetItem", {
            "RequestItems": {self.arn: {"Keys": [self.key("arn")]}},
            "ReturnConsumedCapacity": "TOTAL"})
        self.assertEqual(answer.json["Responses"], {self.arn: [self.key("arn")]})
        self.assertEqual(answer.json["ConsumedCapacity"][0]["TableName"], self.arn)

    def test_names_of_attributes_have_limits(self):
        for name, message in (("n" * 65_536, "65536"), ("", "Empty attribute name")):
            for operation, body in (
                    ("PutItem", {"Item": {**self.key("name"), name: {"S": "x"}}}),
                    ("GetItem", {"Key": self.key("name"), "ProjectionExpression": "#n",
                                 "ExpressionAttributeNames": {"#n": name}}),
                    ("UpdateItem", {"Key": self.key("name"), "AttributeUpdates":
                                    {name: {"Value": {"S": "x"}}}})):
                answer = once(shared_server().dynamodb, operation,
                              {"TableName": self.table, **body})
                self.assertEqual(answer.kind, "ValidationException", operation)
                self.assertIn(message, answer.message)
        longest = "n" * 65_535
        self.client.put_item(TableName=self.table, Item={**self.key("name"), longest: {"S": "x"}})
        item = self.client.get_item(TableName=self.table, Key=self.key("name"))["Item"]
        self.assertIn(longest, item)

    def test_projected_names_are_short_and_not_doubled(self):
        for names in (["n" * 256], ["a", "a"]):
            with self.refused("ValidationException"):
                self.client.create_table(
                    TableName="NeverMade", BillingMode="PAY_PER_REQUEST", KeySchema=schema("p"),
                    AttributeDefinitions=attributes(p="S"), GlobalSecondaryIndexes=[
                        index("Index", "p", projection="INCLUDE", include=names)])

    def test_an_index_keeps_the_type_of_a_key(self):
        table = self.new_table(keys=("p",), types={"p": "S", "x": "S"},
                               GlobalSecondaryIndexes=[index("First", "x")])
        with self.refused("ValidationException") as answer:
            self.client.update_table(
                TableName=table, AttributeDefinitions=attributes(x="N"),
                GlobalSecondaryIndexUpdates=[{"Create": index("Second", "x")}])
        self.assertIn("redefined", answer["Error"]["Message"])

    def test_tags_are_counted_in_characters_and_made_of_some(self):
        self.client.tag_resource(ResourceArn=self.arn, Tags=[
            {"Key": "א" * 128, "Value": "я" * 256}, {"Key": "plain", "Value": ""}])
        for key, value in (("hi!", "v"), ("k", "d%g"), ("א" * 129, "v"), ("k", '"x"')):
            with self.refused("ValidationException"):
                self.client.tag_resource(ResourceArn=self.arn, Tags=[{"Key": key, "Value": value}])
        with self.refused("ValidationException"):
            self.client.tag_resource(ResourceArn=self.arn, Tags=[
                {"Key": str(number), "Value": "v"} for number in range(49)])
        with self.refused("ValidationException"):
            self.new_table(name="NeverMade", Tags=[{"Key": str(number), "Value": "v"}
                                                   for number in range(51)])
        with self.refused("ResourceNotFoundException"):
            self.client.describe_table(TableName="NeverMade")

    def test_functions_in_expressions(self):
        self.client.put_item(TableName=self.table, Item=self.key("f"),
                             ConditionExpression="attribute_type(:v, :t)",
                             ExpressionAttributeValues={":v": {"N": "0"}, ":t": {"S": "N"}})
        with self.refused("ValidationException",
                          "Invalid UpdateExpression: The function is not allowed to be used this "
                          "way in an expression; function: list_append"):
            self.client.update_item(TableName=self.table, Key=self.key("f"),
                                    UpdateExpression="SET a = list_append(list_append(:l, :l), :l)",
                                    ExpressionAttributeValues={":l": {"L": []}})

    def test_streams(self):
        view = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
        table = self.new_table(StreamSpecification=view)
        with self.refused("ValidationException"):
            self.client.update_table(TableName=table, StreamSpecification=view)
        streams = boto3.client("dynamodbstreams", **connection_arguments())
        arn = streams.list_streams(TableName=table)["Streams"][0]["StreamArn"]
        shard = streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"][0]
        first = shard["SequenceNumberRange"]["StartingSequenceNumber"]
        asked = {"StreamArn": arn, "ShardId": shard["ShardId"]}
        for kind in ("TRIM_HORIZON", "LATEST"):
            streams.get_shard_iterator(ShardIteratorType=kind, **asked)
            with self.refused("ValidationException"):
                streams.get_shard_iterator(ShardIteratorType=kind, SequenceNumber=first, **asked)
        streams.get_shard_iterator(ShardIteratorType="AT_SEQUENCE_NUMBER", SequenceNumber=first,
                                   **asked)
        with self.refused("ValidationException"):
            streams.describe_stream(StreamArn="x" * 40)
        with self.refused("ResourceNotFoundException"):
            streams.describe_stream(StreamArn=arn + "9")

    def test_a_health_check_may_ask_for_the_head_only(self):
        for method in ("GET", "HEAD"):
            answer = once(shared_server().dynamodb, None, b"", method=method)
            self.assertEqual(answer.status, 200)
        self.assertEqual(answer.body, b"")


if __name__ == "__main__":
    unittest.main()
