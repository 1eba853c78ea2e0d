"""ExecuteStatement, BatchExecuteStatement and ExecuteTransaction."""

import unittest

from wire_case import WireCase, index


def words(*texts):
    return [{"S": text} for text in texts]


class Statements(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = cls.new_table(types={"p": "S", "s": "N", "g": "S"},
                                  GlobalSecondaryIndexes=[index("ByG", "g", "s")])
        for number in range(30):
            cls.client.put_item(TableName=cls.table, Item={
                "p": {"S": "read"}, "s": {"N": str(number)}, "g": {"S": f"g{number % 3}"},
                "m": {"M": {"x": {"N": str(number * 2)}}}})

    def run_statement(self, text, *parameters, **options):
        arguments = {"Parameters": list(parameters)} if parameters else {}
        return self.client.execute_statement(Statement=text.format(t=self.table), **arguments,
                                             **options)

    def rows(self, text, *parameters, **options):
        return self.run_statement(text, *parameters, **options)["Items"]

    def sorts(self, text, *parameters):
        return [int(item["s"]["N"]) for item in self.rows(text, *parameters)]

    def test_select_finds_by_key_range_filter_and_index(self):
        read = {"S": "read"}
        table_rows = [
            ("SELECT * FROM \"{t}\" WHERE p = ? AND s = ?", [read, {"N": "4"}], [4]),
            ("SELECT * FROM \"{t}\" WHERE p = 'read' AND s < 3", [], [0, 1, 2]),
            ("SELECT * FROM \"{t}\" WHERE p = ? AND s BETWEEN ? AND ?",
             [read, {"N": "10"}, {"N": "12"}], [10, 11, 12]),
            ("SELECT s FROM \"{t}\" WHERE p = ? AND s IN [1, 29, 77]", [read], [1, 29]),
            ("SELECT s FROM \"{t}\" WHERE p = ? AND m.x > ?", [read, {"N": "54"}], [28, 29]),
            ("SELECT s FROM \"{t}\" WHERE p = ? AND s > 26 ORDER BY s DESC", [read], [29, 28, 27]),
            ("SELECT s FROM \"{t}\".\"ByG\" WHERE g = ? AND s > 24", [{"S": "g1"}], [25, 28]),
            ("SELECT s FROM \"{t}\" WHERE p = ? AND (s = 1 OR m.x = 6)", [read], [1, 3]),
            ("SELECT s FROM \"{t}\" WHERE p = ? AND begins_with(g, 'g2') AND s < 6", [read],
             [2, 5]),
            ("SELECT s FROM \"{t}\" WHERE p = ? AND attribute_type(m, 'M') AND s < 2", [read],
             [0, 1]),
            ("SELECT s FROM \"{t}\" WHERE p = ? AND attribute_type(?, 'S') AND s < 2",
             [read, {"S": "any"}], [0, 1]),
            ("SELECT s FROM \"{t}\" WHERE p = ? AND absent IS MISSING AND s < 2", [read], [0, 1]),
            ("SELECT s FROM \"{t}\" WHERE p = ? AND NOT s > 1", [read], [0, 1]),
            ("SELECT * FROM \"{t}\" WHERE p = 'nobody'", [], []),
        ]
        for text, parameters, expected in table_rows:
            with self.subTest(text):
                self.assertEqual(self.sorts(text, *parameters), expected)

    def test_a_nested_projection_comes_back_under_its_last_name(self):
        self.assertEqual(self.rows("SELECT m.x FROM \"{t}\" WHERE p = 'read' AND s = 3"),
                         [{"x": {"N": "6"}}])

    def test_next_token_walks_every_item_once(self):
        seen, options = [], {}
        while True:
            page = self.run_statement("SELECT s FROM \"{t}\" WHERE p = 'read'", Limit=7, **options)
            self.assertLessEqual(len(page["Items"]), 7)
            seen += [int(item["s"]["N"]) for item in page["Items"]]
            if "NextToken" not in page:
                break
            options = {"NextToken": page["NextToken"]}
        self.assertEqual(seen, list(range(30)))

    def test_a_select_without_key_scans(self):
        page = self.rows("SELECT * FROM \"{t}\" WHERE m.x = 10")
        self.assertEqual([item["s"]["N"] for item in page], ["5"])

    def test_insert_update_and_delete_change_one_item(self):
        self.run_statement("INSERT INTO \"{t}\" VALUE {{'p': ?, 's': 1, 'tags': <<'a', 'b'>>, "
                           "'m': {{'k': [1, 'two', true, null]}}}}", {"S": "w"})
        (item,) = self.rows("SELECT * FROM \"{t}\" WHERE p = 'w'")
        self.assertEqual(sorted(item["tags"]["SS"]), ["a", "b"])
        self.assertEqual(item["m"]["M"]["k"]["L"],
                         [{"N": "1"}, {"S": "two"}, {"BOOL": True}, {"NULL": True}])
        changed = self.rows("UPDATE \"{t}\" SET n = 5 SET m.k[0] = ? REMOVE tags "
                            "WHERE p = 'w' AND s = 1 RETURNING ALL NEW *", {"N": "9"})
        self.assertEqual(changed[0]["n"], {"N": "5"})
        self.assertEqual(changed[0]["m"]["M"]["k"]["L"][0], {"N": "9"})
        self.assertNotIn("tags", changed[0])
        self.run_statement("UPDATE \"{t}\" SET n = n + 2, h = list_append(?, ?) "
                           "WHERE p = 'w' AND s = 1", {"L": words("a")}, {"L": words("b")})
        (item,) = self.rows("SELECT n, h FROM \"{t}\" WHERE p = 'w' AND s = 1")
        self.assertEqual(item, {"n": {"N": "7"}, "h": {"L": words("a", "b")}})
        gone = self.rows("DELETE FROM \"{t}\" WHERE p = 'w' AND s = 1 RETURNING ALL OLD *")
        self.assertEqual(gone[0]["n"], {"N": "7"})
        self.assertEqual(self.rows("SELECT * FROM \"{t}\" WHERE p = 'w'"), [])

    def test_writes_that_find_the_wrong_state_are_refused(self):
        with self.refused("DuplicateItemException", "Duplicate primary key exists in table"):
            self.run_statement("INSERT INTO \"{t}\" VALUE {{'p': 'read', 's': 1}}")
        with self.refused("ConditionalCheckFailedException", "The conditional request failed"):
            self.run_statement("UPDATE \"{t}\" SET n = 1 WHERE p = 'nobody' AND s = 1")
        with self.refused("ConditionalCheckFailedException", "The conditional request failed"):
            self.run_statement("DELETE FROM \"{t}\" WHERE p = 'read' AND s = 1 AND g = 'other'")
        self.run_statement("DELETE FROM \"{t}\" WHERE p = 'nobody' AND s = 1")

    def test_statements_that_cannot_be_are_refused(self):
        rows = [
            ("SELEC * FROM \"{t}\"", "ValidationException"),
            ("SELECT * FROM \"{t}\" WHERE p = ?", "ValidationException"),
            ("SELECT * FROM NoSuchTable", "ResourceNotFoundException"),
            ("SELECT * FROM \"{t}\".\"NoIndex\" WHERE g = 'x'", "ValidationException"),
            ("UPDATE \"{t}\" SET n = 1 WHERE p = 'read'", "ValidationException"),
            ("DELETE FROM \"{t}\" WHERE s = 1", "ValidationException"),
            ("INSERT INTO \"{t}\" VALUE {{'p': 'only'}}", "ValidationException"),
            ("SELECT * FROM \"{t}\" WHERE p = 'unclosed", "ValidationException"),
        ]
        for text, code in rows:
            with self.subTest(text), self.refused(code):
                self.run_statement(text)


class ManyStatements(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = cls.new_table(keys=("p",))

    def insert(self, key):
        return {"Statement": f"INSERT INTO \"{self.table}\" VALUE {{'p': ?}}",
                "Parameters": words(key)}

    def select(self, key):
        return {"Statement": f"SELECT * FROM \"{self.table}\" WHERE p = ?",
                "Parameters": words(key)}

    def test_a_batch_answers_each_statement_for_itself(self):
        self.client.put_item(TableName=self.table, Item={"p": {"S": "there"}})
        answer = self.client.batch_execute_statement(
            Statements=[self.insert("b1"), self.insert("there"), self.insert("b2")])
        first, second, third = answer["Responses"]
        self.assertNotIn("Error", first)
        self.assertEqual(second["Error"]["Code"], "DuplicateItem")
        self.assertNotIn("Error", third)
        answer = self.client.batch_execute_statement(
            Statements=[self.select("b2"), self.select("absent"),
                        {"Statement": "SELECT * FROM NoSuchTable WHERE p = 'a'"}])
        found, absent, missing = answer["Responses"]
        self.assertEqual(found["Item"], {"p": {"S": "b2"}})
        self.assertEqual(found["TableName"], self.table)
        self.assertNotIn("Item", absent)
        self.assertEqual(missing["Error"]["Code"], "ResourceNotFound")

    def test_a_batch_does_not_mix_reads_and_writes(self):
        with self.refused("ValidationException"):
            self.client.batch_execute_statement(
                Statements=[self.insert("mixed"), self.select("mixed")])

    def test_a_transaction_of_statements_is_whole(self):
        self.client.execute_transaction(TransactStatements=[self.insert("t1"), self.insert("t2")])
        answer = self.client.execute_transaction(
            TransactStatements=[self.select("t1"), self.select("none")])
        self.assertEqual(answer["Responses"][0]["Item"], {"p": {"S": "t1"}})
        self.assertNotIn("Item", answer["Responses"][1])
        with self.refused("TransactionCanceledException") as refusal:
            self.client.execute_transaction(
                TransactStatements=[self.insert("t3"), self.insert("t1")])
        self.assertEqual([reason["Code"] for reason in refusal["CancellationReasons"]],
                         ["None", "DuplicateItem"])
        self.assertEqual(self.client.execute_statement(**self.select("t3"))["Items"], [])

    def test_a_condition_is_checked_by_exists(self):
        self.client.put_item(TableName=self.table, Item={"p": {"S": "guard"}, "v": {"N": "1"}})
        exists = f"EXISTS(SELECT * FROM \"{self.table}\" WHERE p = 'guard' AND v = ?)"
        check = lambda value: {"Statement": exists, "Parameters": [{"N": value}]}
        self.client.execute_transaction(TransactStatements=[check("1"), self.insert("guarded")])
        with self.refused("TransactionCanceledException") as refusal:
            self.client.execute_transaction(TransactStatements=[check("2"), self.insert("other")])
        self.assertEqual(refusal["CancellationReasons"][0]["Code"], "ConditionalCheckFailed")


if __name__ == "__main__":
    unittest.main()
