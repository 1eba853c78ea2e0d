"""Whatever stands in a mail's rows, every answer is one, and the server lives."""

import unittest
import uuid

import boto3
from botocore.exceptions import ClientError

import server
from odd_rows import odd_rows
from outbox_case import OutboxCase, email, tomorrow

TABLE = "EmailOutbox"


class OddRows(OutboxCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.client = boto3.client("dynamodb", endpoint_url=cls.server.endpoint,
                                  region_name=server.REGION,
                                  aws_access_key_id=server.ACCESS_KEY,
                                  aws_secret_access_key=server.SECRET_KEY)

    def rows(self, identifier):
        return self.client.query(TableName=TABLE, KeyConditionExpression="Id = :id",
                                 ExpressionAttributeValues={":id": {"S": identifier}})["Items"]

    def is_put(self, rows):
        try:
            for row in rows:
                self.client.put_item(TableName=TABLE, Item=row)
        except ClientError:
            return False  # An attribute of an index cannot be just anything.
        return True

    def answered(self, what, method, path, body=None):
        answer = self.ask(method, path, body)
        self.assertLess(answer.status, 500, f"{method} {path} with {what}: {answer.body}")
        return answer

    def look_at(self, identifier, what):
        mail = f"/v1/emails/{identifier}"
        self.answered(what, "GET", mail)
        self.answered(what, "GET", f"{mail}/raw")
        for action, body in (("retry", {}), ("resolve", {"as": "sent"}), ("cancel", {})):
            self.answered(what, "POST", f"{mail}/{action}", body)
        self.answered(what, "GET", mail)

    def look_at_lists(self):
        states = self.answered("all", "GET", "/v1/outbox/stats").json["states"]
        for state in states:
            after = ""
            while after is not None:
                page = self.answered("all", "GET",
                                     f"/v1/emails?state={state}&limit=500{after}").json
                after = f"&after={page['next']}" if page.get("next") else None
        self.answered("all", "GET", "/v1/captured")
        self.answered("all", "GET", "/metrics")

    def test_each_attribute_may_be_anything(self):
        count = 0
        for mail in (email(), email(send_at=tomorrow())):
            one = self.post(mail)
            if "send_at" not in mail:
                self.settled(one)
            rows = self.rows(one)
            for row in rows:
                others = [other for other in rows if other is not row]
                for what, changed in odd_rows(row, ("Id", "Status")):
                    new = str(uuid.uuid4())
                    if self.is_put([{**each, "Id": {"S": new}} for each in (*others, changed)]):
                        self.look_at(new, f"{row['Status']} {what}")
                        count += 1
        self.assertGreater(count, 300)
        self.look_at_lists()
        self.server.kill()
        self.server.start()
        self.look_at_lists()


if __name__ == "__main__":
    unittest.main()
