"""PutItem, GetItem, UpdateItem, DeleteItem: values, conditions and what they return."""

import unittest
from decimal import Decimal

from boto3.dynamodb.conditions import Attr
from boto3.dynamodb.types import Binary

from wire_case import WireCase

FAILED = ("ConditionalCheckFailedException", "The conditional request failed")


class Values(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = cls.resource.Table(cls.new_table(keys=("p",)))

    def test_every_type_comes_back_as_it_was_stored(self):
        item = {
            "p": "types", "words": "grüße 日本 \U0001f4ec \" \\ \n \u0001", "empty": "",
            "number": Decimal("-12345678901234567890.123456789012345678"),
            "small": Decimal("1E-130"), "large": Decimal("99999999999999999999999999999999999999"),
            "bytes": Binary(bytes(range(256))), "yes": True, "no": False, "nothing": None,
            "list": [1, "two", [Decimal("3.5"), {"four": None}], []],
            "map": {"a": {"b": {"c": [True, {}]}}, "": "empty name"},
            "strings": {"b", "a"}, "numbers": {Decimal(3), Decimal("0.5"), Decimal(-7)},
            "binaries": {Binary(b"\x00"), Binary(b"\xff")},
        }
        self.table.put_item(Item=item)
        self.assertEqual(self.table.get_item(Key={"p": "types"})["Item"], item)

    def test_numbers_come_back_without_needless_digits(self):
        rows = [("1.500", "1.5"), ("007", "7"), ("-0", "0"), ("1e3", "1000"),
                ("0.00001", "0.00001"), ("12E-1", "1.2"), ("100", "100"), ("1E+20", "1" + "0" * 20),
                ("9.9999999999999999999999999999999999999E+125", "9" * 38 + "0" * 88)]
        for given, expected in rows:
            with self.subTest(given):
                self.client.put_item(TableName=self.table.name,
                                     Item={"p": {"S": "number"}, "n": {"N": given}})
                item = self.client.get_item(TableName=self.table.name,
                                            Key={"p": {"S": "number"}})["Item"]
                self.assertEqual(item["n"]["N"], expected)

    def test_a_missing_item_has_no_item_member(self):
        self.assertNotIn("Item", self.table.get_item(Key={"p": "absent"}))

    def test_projection_returns_the_named_paths_only(self):
        self.table.put_item(Item={"p": "proj", "status": "x", "a": {"b": 1, "c": 2},
                                  "l": [10, 20, 30], "other": True})
        answer = self.table.get_item(
            Key={"p": "proj"}, ProjectionExpression="#s, a.b, l[0], l[2], absent",
            ExpressionAttributeNames={"#s": "status"}, ConsistentRead=True)
        self.assertEqual(answer["Item"], {"status": "x", "a": {"b": 1}, "l": [10, 30]})

    def test_consumed_capacity_is_told_when_asked_for(self):
        answer = self.client.put_item(TableName=self.table.name, ReturnConsumedCapacity="TOTAL",
                                      Item={"p": {"S": "big"}, "b": {"S": "x" * 3000}})
        self.assertEqual(answer["ConsumedCapacity"],
                         {"TableName": self.table.name, "CapacityUnits": 3.0})
        answer = self.client.get_item(TableName=self.table.name, Key={"p": {"S": "big"}},
                                      ReturnConsumedCapacity="TOTAL", ConsistentRead=True)
        self.assertEqual(answer["ConsumedCapacity"]["CapacityUnits"], 1.0)
        answer = self.client.get_item(TableName=self.table.name, Key={"p": {"S": "big"}},
                                      ReturnConsumedCapacity="TOTAL")
        self.assertEqual(answer["ConsumedCapacity"]["CapacityUnits"], 0.5)

    def test_an_item_of_400_kb_fits_and_one_byte_more_does_not(self):
        limit = 400 * 1024
        overhead = len("p") + len("k") + len("b")
        item = {"p": {"S": "k"}, "b": {"S": "x" * (limit - overhead)}}
        self.client.put_item(TableName=self.table.name, Item=item)
        item["b"]["S"] += "x"
        with self.refused("ValidationException",
                          "Item size has exceeded the maximum allowed size"):
            self.client.put_item(TableName=self.table.name, Item=item)


class ReturnValues(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = cls.resource.Table(cls.new_table(keys=("p",)))

    def test_put_returns_the_old_item_only_when_asked(self):
        self.assertNotIn("Attributes", self.table.put_item(Item={"p": "put", "v": 1},
                                                           ReturnValues="ALL_OLD"))
        self.assertNotIn("Attributes", self.table.put_item(Item={"p": "put", "v": 2}))
        answer = self.table.put_item(Item={"p": "put", "w": 3}, ReturnValues="ALL_OLD")
        self.assertEqual(answer["Attributes"], {"p": "put", "v": 2})

    def test_update_returns_what_was_asked(self):
        rows = [("NONE", None), ("ALL_OLD", {"p": "up", "a": 1, "b": 2}),
                ("UPDATED_OLD", {"a": 1}), ("ALL_NEW", {"p": "up", "a": 5, "b": 2, "c": 9}),
                ("UPDATED_NEW", {"a": 5, "c": 9})]
        for wanted, expected in rows:
            with self.subTest(wanted):
                self.table.put_item(Item={"p": "up", "a": 1, "b": 2})
                answer = self.table.update_item(
                    Key={"p": "up"}, UpdateExpression="SET a = :a, c = :c",
                    ExpressionAttributeValues={":a": 5, ":c": 9}, ReturnValues=wanted)
                self.assertEqual(answer.get("Attributes"), expected)

    def test_updated_new_shows_the_changed_path_of_a_document(self):
        self.table.put_item(Item={"p": "doc", "m": {"x": 1, "y": 2}})
        answer = self.table.update_item(
            Key={"p": "doc"}, UpdateExpression="SET m.x = m.x + :one",
            ExpressionAttributeValues={":one": 1}, ReturnValues="UPDATED_NEW")
        self.assertEqual(answer["Attributes"], {"m": {"x": 2}})

    def test_delete_returns_the_old_item_and_a_missing_one_is_no_error(self):
        self.table.put_item(Item={"p": "del", "v": 1})
        answer = self.table.delete_item(Key={"p": "del"}, ReturnValues="ALL_OLD")
        self.assertEqual(answer["Attributes"], {"p": "del", "v": 1})
        self.assertNotIn("Attributes",
                         self.table.delete_item(Key={"p": "del"}, ReturnValues="ALL_OLD"))


class Updates(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = cls.resource.Table(cls.new_table(keys=("p",)))

    def after(self, expression, names=None, **values):
        arguments = {}
        if values:
            arguments["ExpressionAttributeValues"] = {f":{k}": v for k, v in values.items()}
        if names:
            arguments["ExpressionAttributeNames"] = names
        item = self.table.update_item(Key={"p": "u"}, UpdateExpression=expression,
                                      ReturnValues="ALL_NEW", **arguments)["Attributes"]
        del item["p"]
        return item

    def test_each_clause_does_what_it_says(self):
        start = {"n": 5, "l": [1, 2, 3], "m": {"k": "v"}, "ss": {"a", "b"}, "status": "old"}
        rows = [
            ("SET n = n - :d", {"d": 2}, {"n": 3}),
            ("SET fresh = if_not_exists(fresh, :z) + :one", {"z": 0, "one": 1}, {"fresh": 1}),
            ("SET n = if_not_exists(n, :z)", {"z": 0}, {"n": 5}),
            ("SET l = list_append(l, :t)", {"t": [4]}, {"l": [1, 2, 3, 4]}),
            ("SET l = list_append(:h, l)", {"h": [0]}, {"l": [0, 1, 2, 3]}),
            ("SET l[1] = :x", {"x": "two"}, {"l": [1, "two", 3]}),
            ("SET l[9] = :x", {"x": 9}, {"l": [1, 2, 3, 9]}),
            ("SET m.deep = :x", {"x": {"y": 1}}, {"m": {"k": "v", "deep": {"y": 1}}}),
            ("REMOVE l[0], m.k, absent", {}, {"l": [2, 3], "m": {}}),
            ("ADD n :d", {"d": 10}, {"n": 15}),
            ("ADD hits :d", {"d": 1}, {"hits": 1}),
            ("ADD ss :more", {"more": {"c", "a"}}, {"ss": {"a", "b", "c"}}),
            ("DELETE ss :gone", {"gone": {"a", "x"}}, {"ss": {"b"}}),
            ("SET copied = m.k REMOVE m ADD n :d DELETE ss :gone", {"d": 1, "gone": {"a"}},
             {"copied": "v", "m": None, "n": 6, "ss": {"b"}}),
        ]
        for expression, values, changed in rows:
            with self.subTest(expression):
                self.table.put_item(Item={"p": "u", **start})
                expected = {name: value for name, value in {**start, **changed}.items()
                            if value is not None}
                self.assertEqual(self.after(expression, **values), expected)

    def test_the_last_element_of_a_set_takes_the_attribute_with_it(self):
        self.table.put_item(Item={"p": "u", "ss": {"a"}})
        self.assertEqual(self.after("DELETE ss :a", a={"a"}), {})

    def test_reserved_words_work_through_names(self):
        self.table.put_item(Item={"p": "u", "status": "old"})
        self.assertEqual(self.after("SET #s = :v", {"#s": "status"}, v="new"), {"status": "new"})

    def test_an_update_creates_a_missing_item(self):
        self.table.update_item(Key={"p": "made"}, UpdateExpression="SET a = :a",
                               ExpressionAttributeValues={":a": 1})
        self.assertEqual(self.table.get_item(Key={"p": "made"})["Item"], {"p": "made", "a": 1})
        self.table.update_item(Key={"p": "bare"})
        self.assertEqual(self.table.get_item(Key={"p": "bare"})["Item"], {"p": "bare"})

    def test_updates_that_make_no_sense_change_nothing(self):
        item = {"p": "u", "n": 1, "words": "x", "m": {}}
        wrong_type = "An operand in the update expression has an incorrect data type"
        bad_path = "The document path provided in the update expression is invalid for update"
        rows = [
            ("SET words = words + :v", 1, wrong_type),
            ("ADD words :v", 1, None),
            ("SET n = absent + :v", 1,
             "The provided expression refers to an attribute that does not exist in the item"),
            ("SET m.a.b = :v", 1, bad_path),
            ("SET words.b = :v", 1, bad_path),
            ("SET p = :v", "q",
             "One or more parameter values were invalid: Cannot update attribute p. This attribute "
             "is part of the key"),
            ("SET n = :v, n = :v", 1,
             "Invalid UpdateExpression: Two document paths overlap with each other; must remove or "
             "rewrite one of these paths; path one: [n], path two: [n]"),
        ]
        for expression, value, message in rows:
            with self.subTest(expression):
                self.table.put_item(Item=item)
                with self.refused("ValidationException", message):
                    self.after(expression, v=value)
                self.assertEqual(self.table.get_item(Key={"p": "u"})["Item"], item)


class Conditions(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = cls.resource.Table(cls.new_table(keys=("p",)))
        cls.table.put_item(Item={"p": "c", "n": 5, "words": "hello", "set": {"a", "b"},
                                 "list": [1, "x"], "map": {"k": None}, "flag": True})

    def holds(self, condition):
        try:
            self.table.update_item(Key={"p": "c"}, UpdateExpression="SET touched = :t",
                                   ConditionExpression=condition,
                                   ExpressionAttributeValues={":t": 1})
            return True
        except self.client.exceptions.ConditionalCheckFailedException:
            return False

    def test_conditions_built_by_boto3_mean_what_they_say(self):
        rows = [
            (Attr("n").eq(5), True), (Attr("n").ne(5), False), (Attr("n").lt(5), False),
            (Attr("n").lte(5), True), (Attr("n").gt(4), True), (Attr("n").gte(6), False),
            (Attr("n").between(1, 5), True), (Attr("n").is_in([1, 2, 5]), True),
            (Attr("n").eq("5"), False), (Attr("n").ne("5"), True),
            (Attr("words").begins_with("hel"), True), (Attr("words").contains("ell"), True),
            (Attr("set").contains("a"), True), (Attr("set").contains("z"), False),
            (Attr("list").contains("x"), True), (Attr("words").size().eq(5), True),
            (Attr("set").size().eq(2), True), (Attr("list").size().gt(2), False),
            (Attr("map").attribute_type("M"), True), (Attr("map.k").attribute_type("NULL"), True),
            (Attr("absent").exists(), False), (Attr("absent").not_exists(), True),
            (Attr("map.k").exists(), True), (Attr("list[1]").eq("x"), True),
            (Attr("absent").eq(1), False), (Attr("absent").ne(1), True),
            (Attr("n").eq(5) & Attr("flag").eq(True), True),
            (Attr("n").eq(6) | Attr("flag").eq(True), True), (~Attr("n").eq(5), False),
            (~(Attr("n").eq(1) | Attr("n").eq(2)) & Attr("words").eq("hello"), True),
        ]
        for number, (condition, expected) in enumerate(rows):
            with self.subTest(row=number):
                self.assertEqual(self.holds(condition), expected)

    def test_a_failed_condition_changes_nothing(self):
        before = self.table.get_item(Key={"p": "c"})["Item"]
        with self.refused(*FAILED):
            self.table.put_item(Item={"p": "c"}, ConditionExpression="attribute_not_exists(p)")
        with self.refused(*FAILED):
            self.table.delete_item(Key={"p": "c"}, ConditionExpression=Attr("n").eq(6))
        with self.refused(*FAILED):
            self.table.update_item(Key={"p": "absent"}, UpdateExpression="REMOVE a",
                                   ConditionExpression=Attr("p").exists())
        self.assertEqual(self.table.get_item(Key={"p": "c"})["Item"], before)
        self.assertNotIn("Item", self.table.get_item(Key={"p": "absent"}))


if __name__ == "__main__":
    unittest.main()
