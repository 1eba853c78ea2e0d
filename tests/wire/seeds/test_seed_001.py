"""The schema of the outbox: its PartiQL statements, word for word, on the server's EmailOutbox."""

import unittest
from concurrent.futures import ThreadPoolExecutor

from botocore.exceptions import ClientError

from wire_case import WireCase

META = "_META"
TABLE = "EmailOutbox"
LIMIT = 25

UPDATE_META = (f'UPDATE "{TABLE}" SET Attributes.Latest=?, Attributes.UpdatedAt=?, '
               'Attributes.Reason=? \nWHERE Id=? AND Status=?')
INSERT_STATE = f'INSERT INTO "{TABLE}" VALUE {{\'Id\': ?, \'Status\': ?, \'Attributes\': ?}}'
BY_STATUS = (f'SELECT Id, Status, Attributes FROM "{TABLE}"."StatusIndex" \n'
             'WHERE Status=? AND Attributes.Latest =?')
STALE = (f'SELECT Id, Status, Attributes.Latest, Attributes.CreatedAt, Attributes.UpdatedAt '
         f'FROM "{TABLE}" WHERE Status=? AND (Attributes.Latest=? OR Attributes.Latest=?) '
         'AND Attributes.UpdatedAt < ?')
NOW = "2026-03-17T10:30:00Z"


def text(*values):
    return [{"S": value} for value in values]


class Outbox(WireCase):
    def insert(self, identifier, status, attributes):
        return {"Statement": INSERT_STATE,
                "Parameters": text(identifier, status) + [{"M": attributes}]}

    def accept(self, identifier):
        meta = {"Latest": {"S": "ACCEPTED"}, "CreatedAt": {"S": NOW}, "UpdatedAt": {"S": NOW},
                "PayloadFilePath": {"S": f"/payloads/{identifier}.json"}}
        self.client.execute_transaction(TransactStatements=[
            self.insert(identifier, META, meta),
            self.insert(identifier, "ACCEPTED", {"TTL": {"N": "1900000000"}})])

    def move(self, identifier, state, reason="", now=NOW):
        self.client.execute_transaction(TransactStatements=[
            {"Statement": UPDATE_META, "Parameters": text(state, now, reason, identifier, META)},
            self.insert(identifier, state, {"TTL": {"N": "1900000000"}})])

    def in_state(self, state):
        found, options = [], {}
        while len(found) < LIMIT:
            page = self.client.execute_statement(Statement=BY_STATUS, Limit=LIMIT,
                                                 Parameters=text(META, state), **options)
            found += page["Items"]
            if "NextToken" not in page:
                break
            options = {"NextToken": page["NextToken"]}
        return found

    def identifiers(self, state):
        return [item["Id"]["S"] for item in self.in_state(state)]

    def test_a_mail_goes_through_every_state_and_leaves_its_trail(self):
        states = ["INTAKING", "READY", "PROCESSING", "SENT", "CALLING-SENT-CALLBACK",
                  "SENT-ACKNOWLEDGED"]
        self.accept("trail")
        self.assertIn("trail", self.identifiers("ACCEPTED"))
        for state in states:
            self.move("trail", state)
            self.assertIn("trail", self.identifiers(state))
        self.assertNotIn("trail", self.identifiers("ACCEPTED"))
        page = self.client.query(TableName=TABLE, KeyConditionExpression="Id = :id",
                                 ExpressionAttributeValues={":id": {"S": "trail"}})
        self.assertEqual([item["Status"]["S"] for item in page["Items"]],
                         sorted(["ACCEPTED", META, *states]))

    def test_the_query_by_state_returns_id_status_and_attributes(self):
        self.accept("shape")
        self.move("shape", "FAILED", "mailbox full")
        (item,) = self.in_state("FAILED")
        self.assertEqual(set(item), {"Id", "Status", "Attributes"})
        self.assertEqual(item["Status"], {"S": META})
        self.assertEqual(item["Attributes"]["M"]["Reason"], {"S": "mailbox full"})
        self.assertEqual(item["Attributes"]["M"]["PayloadFilePath"], {"S": "/payloads/shape.json"})

    def test_the_later_query_by_state_returns_when_it_expires_too(self):
        self.accept("later")
        self.client.execute_statement(
            Statement=f'UPDATE "{TABLE}" SET TTL=? WHERE Id=? AND Status=?',
            Parameters=[{"N": "1900000000"}, *text("later", META)])
        self.move("later", "CALLING-FAILED-CALLBACK")
        page = self.client.execute_statement(
            Statement=BY_STATUS.replace("Attributes FROM", "Attributes, TTL FROM"),
            Parameters=text(META, "CALLING-FAILED-CALLBACK"))
        (item,) = [item for item in page["Items"] if item["Id"] == {"S": "later"}]
        self.assertEqual(set(item), {"Id", "Status", "Attributes", "TTL"})
        self.assertEqual(item["TTL"], {"N": "1900000000"})

    def test_a_parameter_too_many_is_passed_over(self):
        statement = f"INSERT INTO \"{TABLE}\" VALUE {{'Id': ?, 'Status': ?}}"
        surplus = {"Statement": statement, "Parameters": text("surplus1", "X", "ignored")}
        self.client.execute_statement(**surplus)
        surplus["Parameters"] = text("surplus2", "X", "ignored")
        answer = self.client.batch_execute_statement(Statements=[surplus])
        self.assertNotIn("Error", answer["Responses"][0])
        surplus["Parameters"] = text("surplus3", "X", "ignored")
        self.client.execute_transaction(TransactStatements=[surplus])
        for number in (1, 2, 3):
            key = {"Id": {"S": f"surplus{number}"}, "Status": {"S": "X"}}
            self.assertEqual(self.client.get_item(TableName=TABLE, Key=key)["Item"], key)
        with self.refused("ValidationException"):
            self.client.execute_statement(Statement=statement, Parameters=text("few"))

    def test_more_than_one_page_is_walked_with_the_token(self):
        for number in range(40):
            self.accept(f"page{number:02}")
            if number % 2:
                self.move(f"page{number:02}", "INVALID")
        self.assertEqual(self.identifiers("INVALID"),
                         [f"page{number:02}" for number in range(1, 40, 2)])

    def test_a_state_is_entered_once_and_the_loser_is_told_why(self):
        self.accept("lock")
        self.move("lock", "PROCESSING")
        with self.refused("TransactionCanceledException") as refusal:
            self.move("lock", "PROCESSING", "again", "2026-03-18T00:00:00Z")
        self.assertEqual([reason["Code"] for reason in refusal["CancellationReasons"]],
                         ["None", "DuplicateItem"])
        meta = self.client.get_item(TableName=TABLE, Key={"Id": {"S": "lock"},
                                                          "Status": {"S": META}})["Item"]
        self.assertEqual(meta["Attributes"]["M"]["UpdatedAt"], {"S": NOW})

    def test_of_many_workers_one_takes_the_mail(self):
        self.accept("race")

        def take(_):
            try:
                self.move("race", "INTAKING")
                return 1
            except ClientError as error:
                self.assertEqual(error.response["Error"]["Code"], "TransactionCanceledException")
                codes = {each["Code"] for each in error.response["CancellationReasons"]}
                self.assertLessEqual(codes, {"None", "DuplicateItem", "TransactionConflict"})
                return 0
        with ThreadPoolExecutor(6) as pool:
            self.assertEqual(sum(pool.map(take, range(12))), 1)

    def test_an_unknown_mail_cannot_move(self):
        with self.refused("TransactionCanceledException") as refusal:
            self.move("unknown", "READY")
        self.assertEqual(refusal["CancellationReasons"][0]["Code"], "ConditionalCheckFailed")
        self.assertNotIn("Item", self.client.get_item(
            TableName=TABLE, Key={"Id": {"S": "unknown"}, "Status": {"S": "READY"}}))

    def test_stale_mails_are_found_and_requeued(self):
        self.accept("stale")
        self.move("stale", "CALLING-FAILED-CALLBACK", "", "2026-01-01T00:00:00Z")
        found = self.client.execute_statement(Statement=STALE, Parameters=text(
            META, "CALLING-SENT-CALLBACK", "CALLING-FAILED-CALLBACK", "2026-02-01T00:00:00Z"))
        self.assertEqual(found["Items"], [{
            "Id": {"S": "stale"}, "Status": {"S": META}, "Latest": {"S": "CALLING-FAILED-CALLBACK"},
            "CreatedAt": {"S": NOW}, "UpdatedAt": {"S": "2026-01-01T00:00:00Z"}}])
        self.client.execute_transaction(TransactStatements=[
            {"Statement": f'DELETE FROM "{TABLE}" WHERE Id=? AND Status=?',
             "Parameters": text("stale", "CALLING-FAILED-CALLBACK")},
            {"Statement": f'UPDATE "{TABLE}" SET Attributes.Latest=?, Attributes.UpdatedAt=? '
                          'WHERE Id=? AND Status=?',
             "Parameters": text("FAILED", NOW, "stale", META)}])
        self.move("stale", "CALLING-FAILED-CALLBACK")

    def test_rows_without_expiry_are_found_and_given_one(self):
        self.client.put_item(TableName=TABLE, Item={"Id": {"S": "forever"}, "Status": {"S": META},
                                                    "Attributes": {"M": {}}})
        found = self.client.execute_statement(
            Statement=f'SELECT Id, Status FROM "{TABLE}" '
                      'WHERE TTL IS MISSING AND Attributes.TTL IS MISSING AND Id = ?',
            Parameters=text("forever"))
        self.assertEqual(found["Items"], [{"Id": {"S": "forever"}, "Status": {"S": META}}])
        self.client.execute_statement(
            Statement=f'UPDATE "{TABLE}" SET TTL=? WHERE Id=? AND Status=?',
            Parameters=[{"N": "1900000000"}, *text("forever", META)])
        item = self.client.get_item(TableName=TABLE, Key={"Id": {"S": "forever"},
                                                          "Status": {"S": META}})["Item"]
        self.assertEqual(item["TTL"], {"N": "1900000000"})


if __name__ == "__main__":
    unittest.main()
