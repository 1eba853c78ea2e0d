"""What the server keeps for itself is out of reach of table clients."""

import unittest

import raw_http
from wire_case import WireCase, shared_server

OWN = "MailroomKeys"


class OwnTables(WireCase):
    def send(self, operation, **members):
        return raw_http.once(shared_server().dynamodb, operation, members)

    def test_the_table_of_api_keys_is_not_listed(self):
        self.assertNotIn(OWN, self.send("ListTables").json["TableNames"])

    def test_the_table_of_api_keys_can_be_neither_read_nor_written(self):
        item = {"key_hash": {"S": "forged"}}
        rows = [
            ("DescribeTable", {"TableName": OWN}),
            ("Scan", {"TableName": OWN}),
            ("GetItem", {"TableName": OWN, "Key": item}),
            ("PutItem", {"TableName": OWN, "Item": item}),
            ("UpdateItem", {"TableName": OWN, "Key": item}),
            ("DeleteItem", {"TableName": OWN, "Key": item}),
            ("BatchWriteItem", {"RequestItems": {OWN: [{"PutRequest": {"Item": item}}]}}),
            ("BatchGetItem", {"RequestItems": {OWN: {"Keys": [item]}}}),
            ("TransactGetItems", {"TransactItems": [{"Get": {"TableName": OWN, "Key": item}}]}),
            ("TransactWriteItems", {"TransactItems": [{"Put": {"TableName": OWN, "Item": item}}]}),
            ("ExecuteStatement", {"Statement": f'SELECT * FROM "{OWN}"'}),
            ("ExecuteTransaction", {"TransactStatements": [
                {"Statement": f"INSERT INTO \"{OWN}\" VALUE {{'key_hash': 'other'}}"}]}),
            ("UpdateTable", {"TableName": OWN, "BillingMode": "PAY_PER_REQUEST"}),
            ("UpdateTimeToLive", {"TableName": OWN, "TimeToLiveSpecification": {
                "Enabled": True, "AttributeName": "ttl"}}),
        ]
        for operation, members in rows:
            with self.subTest(operation):
                answer = self.send(operation, **members)
                self.assertEqual(answer.status, 400, f"{operation} was allowed")
                self.assertIn(answer.kind, ("ResourceNotFoundException", "AccessDeniedException"))


if __name__ == "__main__":
    unittest.main()
