"""Global indexes whose key has several attributes, over HTTP."""

import time
import unittest

import raw_http
from wire_case import WireCase, attributes, connection_arguments, schema, shared_server

import boto3
from botocore.config import Config

KEYS = [("cup", "HASH"), ("land", "HASH"), ("round", "RANGE"), ("side", "RANGE"), ("p", "RANGE")]
TYPES = {"p": "S", "cup": "S", "land": "S", "round": "N", "side": "B"}
EQUALITY = "must have equality conditions specified in the query"


def elements(*keys):
    return [{"AttributeName": name, "KeyType": kind} for name, kind in keys]


def described(*keys, projection="ALL"):
    return {"IndexName": "ByLand", "KeySchema": elements(*keys),
            "Projection": {"ProjectionType": projection}}


class IndexKeys(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # SDKs from before such keys hold schemas against the limits of their time.
        arguments = connection_arguments()
        arguments["config"] = arguments["config"].merge(Config(parameter_validation=False))
        cls.client = boto3.client("dynamodb", **arguments)

    def send(self, operation, body):
        return raw_http.once(shared_server().dynamodb, operation, body)

    def fill(self, table):
        for number in range(24):
            self.client.put_item(TableName=table, Item={
                "p": {"S": f"m{number + 10}"}, "cup": {"S": "w"},
                "land": {"S": "e" if number % 2 else "f"}, "round": {"N": str(number // 8 - 1)},
                "side": {"B": bytes([0, number % 4])}})
        self.client.put_item(TableName=table, Item={"p": {"S": "x"}, "cup": {"S": "w"},
                                                    "land": {"S": "e"}, "round": {"N": "0"}})

    def query(self, table, more="", values=None, **options):
        """The keys of all pages of two items each."""
        request = {"TableName": table, "IndexName": "ByLand", "Limit": 2,
                   "KeyConditionExpression": "cup = :c AND land = :l" + more,
                   "ExpressionAttributeValues": {":c": {"S": "w"}, ":l": {"S": "e"},
                                                 **(values or {})}, **options}
        found = []
        while True:
            page = self.client.query(**request)
            found += [item["p"]["S"] for item in page["Items"]]
            if "LastEvaluatedKey" not in page:
                return found
            self.assertEqual(set(page["LastEvaluatedKey"]), set(TYPES))
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def test_are_described_filled_and_queried(self):
        made = self.new_table(keys=("p",), types=TYPES,
                              GlobalSecondaryIndexes=[described(*KEYS, projection="KEYS_ONLY")])
        self.fill(made)
        later = self.new_table(keys=("p",), types={"p": "S"})
        self.fill(later)
        self.client.update_table(TableName=later, AttributeDefinitions=attributes(**TYPES),
                                 GlobalSecondaryIndexUpdates=[{"Create": described(*KEYS)}])
        self.wait_for_indexes(later)
        ordered = ["m11", "m15", "m13", "m17", "m19", "m23", "m21", "m25",
                   "m27", "m31", "m29", "m33"]
        for table in (made, later):
            with self.subTest(table):
                index, = self.client.describe_table(TableName=table)["Table"][
                    "GlobalSecondaryIndexes"]
                self.assertEqual(index["KeySchema"], elements(*KEYS))
                self.assertEqual(index["ItemCount"], 24)
                self.assertEqual(self.query(table), ordered)
                self.assertEqual(self.query(table, ScanIndexForward=False), ordered[::-1])
                self.assertEqual(self.query(table, " AND round <= :r", {":r": {"N": "-1"}}),
                                 ordered[:4])
                self.assertEqual(self.query(table, " AND side > :s AND round = :r",
                                            {":r": {"N": "0"}, ":s": {"B": b"\0\1"}}),
                                 ["m21", "m25"])
                self.assertEqual(self.query(table, " AND round = :r AND begins_with(side, :s)",
                                            {":r": {"N": "0"}, ":s": {"B": b"\0\3"}}),
                                 ["m21", "m25"])
                scanned = self.client.scan(TableName=table, IndexName="ByLand")
                self.assertEqual(scanned["Count"], 24)

    def wait_for_indexes(self, table):
        while any(each["IndexStatus"] != "ACTIVE" for each in self.client.describe_table(
                TableName=table)["Table"]["GlobalSecondaryIndexes"]):
            time.sleep(0.05)

    def wait_for_backup(self, arn):
        while True:
            backup = self.client.describe_backup(BackupArn=arn)["BackupDescription"]
            if backup["BackupDetails"]["BackupStatus"] == "AVAILABLE":
                return backup
            time.sleep(0.05)

    def test_of_eight_attributes_and_no_more(self):
        names = [f"k{number}" for number in range(9)]
        whole = [(name, "HASH") for name in names[:4]] + [(name, "RANGE") for name in names[4:8]]
        many = {"exceeds the maximum allowed number of HASH key attributes":
                [(name, "HASH") for name in names[:5]],
                "exceeds the maximum allowed number of RANGE key attributes":
                [(names[0], "HASH")] + [(name, "RANGE") for name in names[1:6]],
                "All HASH key attributes must precede RANGE key attributes in the KeySchema":
                [(names[0], "HASH"), (names[1], "RANGE"), (names[2], "HASH")],
                "The KeySchema contains multiple key attributes with the same name":
                [(names[0], "HASH"), (names[1], "HASH"), (names[0], "RANGE")]}
        body = {"TableName": "IndexKeysEight", "KeySchema": schema("k8"),
                "AttributeDefinitions": attributes(**{name: "S" for name in names}),
                "BillingMode": "PAY_PER_REQUEST"}
        for message, keys in many.items():
            answer = self.send("CreateTable", {**body, "GlobalSecondaryIndexes": [
                described(*keys)]})
            self.assertEqual((answer.status, answer.kind), (400, "ValidationException"))
            self.assertIn(message, answer.message)
        answer = self.send("CreateTable", {**body, "GlobalSecondaryIndexes": [described(*whole)]})
        self.assertEqual(answer.status, 200, answer.body)
        index, = answer.json["TableDescription"]["GlobalSecondaryIndexes"]
        self.assertEqual(index["KeySchema"], elements(*whole))
        answer = self.send("CreateTable", {**body, "TableName": "IndexKeysTable",
                                           "KeySchema": elements(*whole[3:6])})
        self.assertIn("Member must have length less than or equal to 2", answer.message)

    def test_conditions_that_cannot_be_are_refused(self):
        table = self.new_table(keys=("p",), types=TYPES,
                               GlobalSecondaryIndexes=[described(*KEYS)])
        values = {":c": {"S": "w"}, ":l": {"S": "e"}, ":r": {"N": "1"}, ":s": {"B": "AA=="}}
        rows = [
            ("cup = :c", f"HASH key attributes land {EQUALITY}"),
            ("cup = :c AND land > :l", f"HASH key attributes land {EQUALITY}"),
            ("cup = :c AND land = :l AND side = :s",
             f"RANGE key attributes round {EQUALITY} because a condition is present on key "
             "attribute side"),
            ("cup = :c AND land = :l AND round > :r AND side = :s",
             f"RANGE key attributes round {EQUALITY} because a condition is present on key "
             "attribute side"),
            ("cup = :c AND land = :l AND round = :s",
             "One or more parameter values were invalid: Condition parameter type does not match "
             "schema type"),
        ]
        for condition, message in rows:
            with self.subTest(condition):
                answer = self.send("Query", {
                    "TableName": table, "IndexName": "ByLand", "KeyConditionExpression": condition,
                    "ExpressionAttributeValues": {name: value for name, value in values.items()
                                                  if name in condition}})
                self.assertEqual((answer.kind, answer.message), ("ValidationException", message))

    def test_the_conditions_before_expressions_and_partiql_know_them(self):
        table = self.new_table(keys=("p",), types=TYPES,
                               GlobalSecondaryIndexes=[described(*KEYS)])
        self.fill(table)

        def equal(value):
            return {"ComparisonOperator": "EQ", "AttributeValueList": [value]}

        answer = self.send("Query", {"TableName": table, "IndexName": "ByLand", "KeyConditions": {
            "cup": equal({"S": "w"}), "land": equal({"S": "e"}), "round": equal({"N": "0"}),
            "side": {"ComparisonOperator": "GT", "AttributeValueList": [{"B": "AAE="}]}}})
        self.assertEqual([item["p"]["S"] for item in answer.json["Items"]], ["m21", "m25"])
        answer = self.send("Query", {"TableName": table, "IndexName": "ByLand", "KeyConditions": {
            "cup": equal({"S": "w"}), "land": equal({"S": "e"}), "p": equal({"S": "0"})}})
        self.assertEqual(answer.message,
                         f"RANGE key attributes round, side {EQUALITY} because a condition is "
                         "present on key attribute p")
        found = self.client.execute_statement(
            Statement=f'SELECT p FROM "{table}"."ByLand" WHERE cup = ? AND land = ? AND round = ? '
                      "ORDER BY side DESC",
            Parameters=[{"S": "w"}, {"S": "e"}, {"N": "0"}])
        self.assertEqual([item["p"]["S"] for item in found["Items"]], ["m25", "m21", "m23", "m19"])

    def test_are_restored_or_left_out(self):
        table = self.new_table(keys=("p",), types=TYPES,
                               GlobalSecondaryIndexes=[described(*KEYS)])
        self.fill(table)
        arn = self.client.create_backup(TableName=table, BackupName="several")[
            "BackupDetails"]["BackupArn"]
        source = self.wait_for_backup(arn)["SourceTableFeatureDetails"]
        self.assertEqual(source["GlobalSecondaryIndexes"][0]["KeySchema"], elements(*KEYS))
        for target, kept in ((table + "Whole", [described(*KEYS)]), (table + "Bare", [])):
            self.client.restore_table_from_backup(TargetTableName=target, BackupArn=arn,
                                                  GlobalSecondaryIndexOverride=kept)
            self.client.get_waiter("table_exists").wait(TableName=target)
        self.assertEqual(self.query(table + "Whole"), self.query(table))
        bare = self.client.describe_table(TableName=table + "Bare")["Table"]
        self.assertNotIn("GlobalSecondaryIndexes", bare)
        self.assertEqual(len(bare["AttributeDefinitions"]), 1)


if __name__ == "__main__":
    unittest.main()
