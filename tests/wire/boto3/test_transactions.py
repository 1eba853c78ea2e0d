"""TransactWriteItems and TransactGetItems."""

import unittest
from concurrent.futures import ThreadPoolExecutor

from botocore.exceptions import ClientError

from wire_case import WireCase


class Transactions(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = cls.new_table(keys=("p",))
        cls.other = cls.new_table(types={"p": "S", "s": "N"})

    def put(self, key, condition=None, **values):
        item = {"p": {"S": key}, **{name: {"N": str(value)} for name, value in values.items()}}
        request = {"TableName": self.table, "Item": item}
        if condition:
            request["ConditionExpression"] = condition
        return {"Put": request}

    def check(self, key, condition, **options):
        return {"ConditionCheck": {"TableName": self.table, "Key": {"p": {"S": key}},
                                   "ConditionExpression": condition, **options}}

    def stored(self, key):
        return self.client.get_item(TableName=self.table, Key={"p": {"S": key}}).get("Item")

    def test_all_four_kinds_of_write_happen_together(self):
        self.client.put_item(TableName=self.table, Item={"p": {"S": "gone"}})
        self.client.put_item(TableName=self.table, Item={"p": {"S": "here"}})
        self.client.transact_write_items(TransactItems=[
            self.put("made", "attribute_not_exists(p)", v=1),
            {"Update": {"TableName": self.other, "Key": {"p": {"S": "u"}, "s": {"N": "1"}},
                        "UpdateExpression": "ADD hits :one",
                        "ExpressionAttributeValues": {":one": {"N": "1"}}}},
            {"Delete": {"TableName": self.table, "Key": {"p": {"S": "gone"}}}},
            self.check("here", "attribute_exists(p)")])
        answer = self.client.transact_get_items(TransactItems=[
            {"Get": {"TableName": self.table, "Key": {"p": {"S": "made"}}}},
            {"Get": {"TableName": self.other, "Key": {"p": {"S": "u"}, "s": {"N": "1"}},
                     "ProjectionExpression": "hits"}},
            {"Get": {"TableName": self.table, "Key": {"p": {"S": "gone"}}}}])
        made, hits, gone = answer["Responses"]
        self.assertEqual(made["Item"], {"p": {"S": "made"}, "v": {"N": "1"}})
        self.assertEqual(hits["Item"], {"hits": {"N": "1"}})
        self.assertNotIn("Item", gone)

    def test_a_failed_condition_cancels_everything_and_says_which(self):
        self.client.put_item(TableName=self.table, Item={"p": {"S": "taken"}, "v": {"N": "7"}})
        message = ("Transaction cancelled, please refer cancellation reasons for specific reasons "
                   "[None, ConditionalCheckFailed, ConditionalCheckFailed]")
        with self.refused("TransactionCanceledException", message) as answer:
            self.client.transact_write_items(TransactItems=[
                self.put("never"), self.put("taken", "attribute_not_exists(p)"),
                self.check("absent", "attribute_exists(p)",
                           ReturnValuesOnConditionCheckFailure="ALL_OLD")])
        none, taken, absent = answer["CancellationReasons"]
        self.assertEqual(none, {"Code": "None"})
        self.assertEqual(taken, {"Code": "ConditionalCheckFailed",
                                 "Message": "The conditional request failed"})
        self.assertEqual(absent["Code"], "ConditionalCheckFailed")
        self.assertNotIn("Item", absent)
        self.assertIsNone(self.stored("never"))

    def test_a_cancellation_shows_the_old_item_when_asked(self):
        self.client.put_item(TableName=self.table, Item={"p": {"S": "seen"}, "v": {"N": "7"}})
        with self.refused("TransactionCanceledException") as answer:
            self.client.transact_write_items(TransactItems=[
                self.check("seen", "attribute_not_exists(p)",
                           ReturnValuesOnConditionCheckFailure="ALL_OLD")])
        self.assertEqual(answer["CancellationReasons"][0]["Item"],
                         {"p": {"S": "seen"}, "v": {"N": "7"}})

    def test_a_bad_operand_cancels_with_a_validation_reason(self):
        self.client.put_item(TableName=self.table, Item={"p": {"S": "word"}, "v": {"S": "x"}})
        with self.refused("TransactionCanceledException") as answer:
            self.client.transact_write_items(TransactItems=[
                self.put("never2"),
                {"Update": {"TableName": self.table, "Key": {"p": {"S": "word"}},
                            "UpdateExpression": "SET v = v + :one",
                            "ExpressionAttributeValues": {":one": {"N": "1"}}}}])
        self.assertEqual([reason["Code"] for reason in answer["CancellationReasons"]],
                         ["None", "ValidationError"])
        self.assertIsNone(self.stored("never2"))

    def test_a_repeated_token_writes_once_and_another_body_is_refused(self):
        def add(amount, token):
            self.client.transact_write_items(ClientRequestToken=token, TransactItems=[
                {"Update": {"TableName": self.table, "Key": {"p": {"S": "once"}},
                            "UpdateExpression": "ADD n :a",
                            "ExpressionAttributeValues": {":a": {"N": str(amount)}}}}])
        add(1, "token-a")
        add(1, "token-a")
        self.assertEqual(self.stored("once")["n"]["N"], "1")
        with self.refused("IdempotentParameterMismatchException"):
            add(2, "token-a")
        add(1, "token-b")
        self.assertEqual(self.stored("once")["n"]["N"], "2")

    def test_a_hundred_writes_fit_and_101_do_not(self):
        self.client.transact_write_items(
            TransactItems=[self.put(f"many{number}") for number in range(100)])
        self.assertIsNotNone(self.stored("many99"))
        with self.refused("ValidationException"):
            self.client.transact_write_items(
                TransactItems=[self.put(f"more{number}") for number in range(101)])

    def test_transactions_that_cannot_be_are_refused(self):
        rows = [
            ("one item twice", [self.put("same"), self.check("same", "attribute_exists(p)")],
             "ValidationException",
             "Transaction request cannot include multiple operations on one item"),
            ("nothing to do in an entry", [{}], "ValidationException", None),
            ("two things in an entry",
             [{**self.put("a"), **self.check("b", "attribute_exists(p)")}],
             "ValidationException", None),
            ("no such table",
             [{"Put": {"TableName": "NoSuchTable", "Item": {"p": {"S": "x"}}}}],
             "ResourceNotFoundException", None),
        ]
        for claim, items, code, message in rows:
            with self.subTest(claim), self.refused(code, message):
                self.client.transact_write_items(TransactItems=items)

    def test_a_missing_key_in_a_put_cancels(self):
        with self.refused("TransactionCanceledException") as answer:
            self.client.transact_write_items(TransactItems=[
                {"Put": {"TableName": self.table, "Item": {"v": {"S": "x"}}}}])
        (reason,) = answer["CancellationReasons"]
        self.assertEqual(reason["Code"], "ValidationError")

    def test_transfers_at_once_neither_make_nor_lose_money(self):
        accounts = [f"account{number}" for number in range(4)]
        for account in accounts:
            self.client.put_item(TableName=self.table,
                                 Item={"p": {"S": account}, "n": {"N": "100"}})

        def move(number):
            source, target = accounts[number % 4], accounts[(number + 1 + number // 4 % 3) % 4]
            change = lambda account, amount: {"Update": {
                "TableName": self.table, "Key": {"p": {"S": account}},
                "UpdateExpression": "SET n = n + :a", "ConditionExpression": "n >= :least",
                "ExpressionAttributeValues": {":a": {"N": str(amount)},
                                              ":least": {"N": str(max(0, -amount))}}}}
            try:
                self.client.transact_write_items(
                    TransactItems=[change(source, -30), change(target, 30)])
                return 1
            except ClientError as error:
                codes = {reason["Code"] for reason in error.response["CancellationReasons"]}
                self.assertLessEqual(
                    codes, {"None", "ConditionalCheckFailed", "TransactionConflict"})
                return 0

        with ThreadPoolExecutor(6) as pool:
            moved = sum(pool.map(move, range(60)))
        answer = self.client.transact_get_items(TransactItems=[
            {"Get": {"TableName": self.table, "Key": {"p": {"S": account}}}}
            for account in accounts])
        balances = [int(each["Item"]["n"]["N"]) for each in answer["Responses"]]
        self.assertEqual(sum(balances), 400)
        self.assertGreaterEqual(min(balances), 0)
        self.assertGreater(moved, 0)


if __name__ == "__main__":
    unittest.main()
