"""The words in which requests are refused, and members that Debian's boto3 does not know yet."""

import unittest

import raw_http
from wire_case import WireCase, shared_server


class Sentences(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.simple = cls.new_table(keys=("p",))
        cls.pair = cls.new_table(types={"p": "S", "s": "N"})

    def send(self, operation, table=None, **members):
        return raw_http.once(shared_server().dynamodb, operation,
                             {"TableName": table or self.simple, **members})

    def check(self, rows):
        for operation, members, message in rows:
            with self.subTest(operation=operation, members=members):
                answer = self.send(operation, **members)
                self.assertEqual(answer.status, 400, answer.body)
                self.assertEqual(answer.kind, "ValidationException")
                self.assertEqual(answer.message, message)

    def test_keys(self):
        invalid = "One or more parameter values were invalid: "
        mismatch = "The provided key element does not match the schema"
        self.check([
            ("PutItem", {"Item": {"v": {"S": "x"}}}, invalid + "Missing the key p in the item"),
            ("PutItem", {"Item": {"p": {"N": "1"}}},
             invalid + "Type mismatch for key p expected: S actual: N"),
            ("PutItem", {"Item": {"p": {"S": ""}}},
             "One or more parameter values are not valid. The AttributeValue for a key attribute "
             "cannot contain an empty string value. Key: p"),
            ("GetItem", {"Key": {"p": {"N": "1"}}}, mismatch),
            ("GetItem", {"Key": {"other": {"S": "1"}}}, mismatch),
            ("GetItem", {"table": self.pair, "Key": {"p": {"S": "1"}}}, mismatch),
            ("GetItem", {"Key": {"p": {"S": "1"}, "x": {"S": "1"}}}, mismatch),
            ("DeleteItem", {"Key": {"p": {"BOOL": True}}}, mismatch),
            ("UpdateItem", {"Key": {"q": {"S": "x"}}}, mismatch),
            ("PutItem", {"Item": {"p": {"S": "k" * 2049}}},
             invalid + "Size of hashkey has exceeded the maximum size limit of2048 bytes"),
        ])

    def test_values(self):
        numeric = "The parameter cannot be converted to a numeric value: "
        item = lambda value: {"Item": {"p": {"S": "x"}, "v": value}}
        invalid = "One or more parameter values were invalid: "
        self.check([
            ("PutItem", item({"N": "one"}), numeric + "one"),
            ("PutItem", item({"N": ""}), "The parameter cannot be converted to a numeric value"),
            ("PutItem", item({"N": "1" * 39}),
             "Attempting to store more than 38 significant digits in a Number"),
            ("PutItem", item({"N": "1E126"}),
             "Number overflow. Attempting to store a number with magnitude larger than supported "
             "range"),
            ("PutItem", item({"N": "1E-131"}),
             "Number underflow. Attempting to store a number with magnitude smaller than supported "
             "range"),
            ("PutItem", item({}), "Supplied AttributeValue is empty, must contain exactly one of "
                                  "the supported datatypes"),
            ("PutItem", item({"S": "a", "N": "1"}),
             "Supplied AttributeValue has more than one datatypes set, must contain exactly one of "
             "the supported datatypes"),
            ("PutItem", item({"SS": []}),
             invalid + "An string set  may not be empty"),
            ("PutItem", item({"SS": ["a", "a"]}),
             invalid + "Input collection [a, a] contains duplicates."),
            ("PutItem", item({"NULL": False}),
             invalid + "Null attribute value types must have the value of true"),
        ])

    def test_expressions(self):
        key = {"Key": {"p": {"S": "x"}}}
        self.check([
            ("GetItem", {**key, "ProjectionExpression": "status"},
             "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved "
             "keyword: status"),
            ("GetItem", {**key, "ProjectionExpression": ""},
             "Invalid ProjectionExpression: The expression can not be empty;"),
            ("GetItem", {**key, "ProjectionExpression": "#a"},
             "Invalid ProjectionExpression: An expression attribute name used in the document path "
             "is not defined; attribute name: #a"),
            ("GetItem", {**key, "ExpressionAttributeNames": {"#a": "a"}},
             "ExpressionAttributeNames can only be specified when using expressions"),
            ("GetItem", {**key, "ProjectionExpression": "a, a.b"},
             "Invalid ProjectionExpression: Two document paths overlap with each other; must "
             "remove or rewrite one of these paths; path one: [a], path two: [a, b]"),
            ("UpdateItem", {**key, "UpdateExpression": "SET a = :v"},
             "Invalid UpdateExpression: An expression attribute value used in expression is not "
             "defined; attribute value: :v"),
            ("UpdateItem", {**key, "UpdateExpression": "SET a = "},
             "Invalid UpdateExpression: Syntax error; token: \"<EOF>\", near: \"= \""),
            ("UpdateItem", {**key, "UpdateExpression": "SET a = :v",
                            "ExpressionAttributeValues": {}},
             "ExpressionAttributeValues must not be empty"),
            ("DeleteItem", {**key, "ConditionExpression": "a = :v",
                            "ExpressionAttributeValues": {":v": {"S": "x"}, ":w": {"S": "y"}}},
             "Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}"),
            ("DeleteItem", {**key, "ConditionExpression": "attribute_exists(a)",
                            "ExpressionAttributeNames": {"#z": "z"}},
             "Value provided in ExpressionAttributeNames unused in expressions: keys: {#z}"),
            ("DeleteItem", {**key, "ConditionExpression": "begins(a, :v)",
                            "ExpressionAttributeValues": {":v": {"S": "x"}}},
             "Invalid ConditionExpression: Invalid function name; function: begins"),
        ])

    def test_members(self):
        answer = self.send("GetItem", table="x!", Key={"p": {"S": "a"}})
        self.assertEqual(answer.kind, "ValidationException")
        answer = self.send("GetItem")
        self.assertEqual((answer.status, answer.kind), (400, "ValidationException"))
        self.assertEqual(answer.message,
                         "1 validation error detected: Value null at 'key' failed to satisfy "
                         "constraint: Member must not be null")
        answer = self.send("UpdateItem", Key={"p": {"S": "a"}}, ReturnValues="SOME")
        self.assertEqual(answer.message,
                         "1 validation error detected: Value 'SOME' at 'returnValues' failed to "
                         "satisfy constraint: Member must satisfy enum value set: [ALL_NEW, "
                         "UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]")
        answer = self.send("Scan", Limit=0)
        self.assertEqual(answer.message,
                         "1 validation error detected: Value '0' at 'limit' failed to satisfy "
                         "constraint: Member must have value greater than or equal to 1")


class NewerMembers(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = cls.new_table(keys=("p",))

    def send(self, operation, **members):
        return raw_http.once(shared_server().dynamodb, operation,
                             {"TableName": self.table, **members})

    def test_a_failed_condition_shows_the_item_when_asked(self):
        item = {"p": {"S": "a"}, "v": {"N": "1"}}
        self.assertEqual(self.send("PutItem", Item=item).status, 200)
        rows = [("PutItem", {"Item": {"p": {"S": "a"}}}),
                ("DeleteItem", {"Key": {"p": {"S": "a"}}}),
                ("UpdateItem", {"Key": {"p": {"S": "a"}}})]
        for operation, members in rows:
            with self.subTest(operation):
                members["ConditionExpression"] = "attribute_not_exists(p)"
                answer = self.send(operation, **members)
                self.assertEqual(answer.kind, "ConditionalCheckFailedException")
                self.assertNotIn("Item", answer.json)
                answer = self.send(operation, ReturnValuesOnConditionCheckFailure="ALL_OLD",
                                   **members)
                self.assertEqual(answer.json["Item"], item)

    def test_a_protected_table_is_not_deleted(self):
        self.send("UpdateTable", DeletionProtectionEnabled=True)
        described = self.send("DescribeTable").json["Table"]
        self.assertIs(described["DeletionProtectionEnabled"], True)
        answer = self.send("DeleteTable")
        self.assertEqual((answer.status, answer.kind), (400, "ValidationException"))
        self.assertEqual(self.send("Scan").status, 200)
        self.send("UpdateTable", DeletionProtectionEnabled=False)
        self.assertIs(self.send("DescribeTable").json["Table"]["DeletionProtectionEnabled"], False)


if __name__ == "__main__":
    unittest.main()
