"""The parameters of the time before expressions."""

import unittest

from wire_case import WireCase


class Legacy(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = cls.new_table()

    def setUp(self):
        self.key = {"p": {"S": self.id()}, "s": {"S": "1"}}

    def item(self, **names):
        return self.client.get_item(TableName=self.table, Key=self.key, ConsistentRead=True,
                                    **names).get("Item")

    def test_expected_guards_a_write(self):
        put = {"TableName": self.table, "Item": {**self.key, "n": {"N": "1"}}}
        self.client.put_item(**put, Expected={"p": {"Exists": False}})
        with self.refused("ConditionalCheckFailedException"):
            self.client.put_item(**put, Expected={"p": {"Exists": False}})
        both = {"n": {"ComparisonOperator": "GT", "AttributeValueList": [{"N": "5"}]},
                "p": {"ComparisonOperator": "NOT_NULL"}}
        with self.refused("ConditionalCheckFailedException"):
            self.client.delete_item(TableName=self.table, Key=self.key, Expected=both)
        self.client.delete_item(TableName=self.table, Key=self.key, Expected=both,
                                ConditionalOperator="OR")
        self.assertIsNone(self.item())

    def test_attribute_updates_put_add_and_delete(self):
        self.client.update_item(TableName=self.table, Key=self.key, AttributeUpdates={
            "text": {"Value": {"S": "x"}, "Action": "PUT"},
            "n": {"Value": {"N": "2"}, "Action": "ADD"},
            "set": {"Value": {"SS": ["a", "b"]}, "Action": "ADD"}})
        self.client.update_item(TableName=self.table, Key=self.key, AttributeUpdates={
            "text": {"Action": "DELETE"}, "n": {"Value": {"N": "3"}, "Action": "ADD"},
            "set": {"Value": {"SS": ["a"]}, "Action": "DELETE"}})
        self.assertEqual(self.item(), {**self.key, "n": {"N": "5"}, "set": {"SS": ["b"]}})
        self.assertEqual(self.item(AttributesToGet=["n"]), {"n": {"N": "5"}})

    def test_key_conditions_and_filters_find_items(self):
        for i in range(5):
            self.client.put_item(TableName=self.table, Item={
                "p": self.key["p"], "s": {"S": str(i)}, "odd": {"BOOL": i % 2 == 1}})
        page = self.client.query(
            TableName=self.table, AttributesToGet=["s"], ScanIndexForward=False,
            KeyConditions={
                "p": {"ComparisonOperator": "EQ", "AttributeValueList": [self.key["p"]]},
                "s": {"ComparisonOperator": "BETWEEN",
                      "AttributeValueList": [{"S": "1"}, {"S": "3"}]}},
            QueryFilter={"odd": {"ComparisonOperator": "EQ",
                                 "AttributeValueList": [{"BOOL": True}]}})
        self.assertEqual(page["Items"], [{"s": {"S": "3"}}, {"s": {"S": "1"}}])
        scanned = self.client.scan(TableName=self.table, ScanFilter={
            "p": {"ComparisonOperator": "EQ", "AttributeValueList": [self.key["p"]]},
            "s": {"ComparisonOperator": "IN", "AttributeValueList": [{"S": "0"}, {"S": "4"}]}})
        self.assertEqual(scanned["Count"], 2)

    def test_old_and_new_parameters_do_not_mix(self):
        with self.refused("ValidationException",
                          "Can not use both expression and non-expression parameters in the same "
                          "request: Non-expression parameters: {AttributesToGet} Expression "
                          "parameters: {ProjectionExpression}"):
            self.client.get_item(TableName=self.table, Key=self.key, AttributesToGet=["a"],
                                 ProjectionExpression="a")


if __name__ == "__main__":
    unittest.main()
