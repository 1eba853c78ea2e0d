"""Whatever other programs write into the table of reminders, every answer is one."""

import unittest

import boto3
from botocore.exceptions import ClientError

import test_reminders  # First: it says where the others are.
import server
from odd_rows import odd_rows

TABLE = "EmailTrackingTable"
DRAFTS, TEMPLATES = "/v1/reminders/drafts", "/v1/reminders/templates"
STATUSES = ("draft", "sent", "active", "approved", "draft_sent", "failed", "weird")
PARTITIONS = ("x", "CUSTOMER#", "CUSTOMER#else", "TEMPLATE#", "TEMPLATE#reminder_first")
SORTS = ("y", "DRAFT#", "DRAFT#x", "SENT#", "SENT#x", "VERSION#", "VERSION#x", "VERSION#0",
         "VERSION#-1", "VERSION#99999999999999999999", "VERSION#2", "SENT#20250921_150000_first")
A_TEMPLATE = {"template_name": "Ours", "template_type": "first", "subject_template": "s",
              "body_template": "b", "activate": True}


class OddRows(test_reminders.ReminderCase):
    def setUp(self):
        self.client = boto3.client("dynamodb", endpoint_url=self.server.endpoint,
                                   region_name=server.REGION,
                                   aws_access_key_id=server.ACCESS_KEY,
                                   aws_secret_access_key=server.SECRET_KEY)

    def is_put(self, row):
        try:
            self.client.put_item(TableName=TABLE, Item=row)
        except ClientError:
            return False  # An attribute of an index cannot be just anything.
        return True

    def look(self, what, asked):
        for method, path, body in asked:
            answer = self.ask(method, path, body)
            self.assertLess(answer.status, 500, f"{method} {path} with {what}: {answer.body}")

    @staticmethod
    def about_customer(customer):
        return [("GET", f"/v1/reminders/{path}", None) for path in (
            "due", "sent", "stats", "late-payers", f"sent?customer_id={customer}",
            f"check?customer_id={customer}", f"customers/{customer}",
            f"customers/{customer}/export", f"audit?customer_id={customer}")]

    @staticmethod
    def about_draft(draft):
        path = f"{DRAFTS}/{draft}"
        return [("GET", path, None), ("GET", f"{DRAFTS}?status=draft", None),
                ("GET", f"{DRAFTS}?status=sent", None),
                ("PATCH", path, {"version": 1, "email_subject": "x"}),
                ("POST", f"{path}/retry", {}), ("POST", f"{path}/reject", {"reason": "r"}),
                ("POST", f"{path}/cancel", {}), ("POST", f"{path}/approve", {"version": 1})]

    @staticmethod
    def about_template(template):
        path = f"{TEMPLATES}/{template}"
        return [("GET", TEMPLATES, None), ("GET", path, None),
                ("POST", f"{path}/render", {"customer_id": "left"}),
                ("POST", f"{path}/activate", {"version": 1}),
                ("POST", f"{path}/activate", {"version": 2}),
                ("POST", f"{path}/versions", A_TEMPLATE)]

    def asked_about(self, partition, sort):
        kind, _, name = partition.partition("#")
        if kind == "TEMPLATE":
            return self.about_template(name)
        if sort.startswith("DRAFT#"):
            return self.about_draft(sort.removeprefix("DRAFT#")) + self.about_customer(name)
        return self.about_customer(name)

    def test_each_attribute_may_be_anything(self):
        self.add_customer("sent")
        self.assertEqual(self.approve(self.draft("sent")).status, 200)
        self.sent("sent")
        self.add_customer("left")
        self.draft("left")
        count = 0
        for row in self.client.scan(TableName=TABLE)["Items"]:
            partition, sort = row["PK"]["S"], row["SK"]["S"]
            for what, changed in odd_rows(row, ("PK", "SK")):
                if self.is_put(changed):
                    self.look(f"{sort} {what}", self.asked_about(partition, sort))
                    count += 1
            self.assertTrue(self.is_put(row))
        self.assertGreater(count, 300)

    def test_rows_may_stand_anywhere(self):
        self.add_customer("else")
        for status in STATUSES:
            for number, (partition, sort) in enumerate((p, s) for p in PARTITIONS for s in SORTS):
                self.assertTrue(self.is_put({
                    "PK": {"S": partition}, "SK": {"S": sort}, "status": {"S": status},
                    "GSI1PK": {"S": f"STATUS#{status}"}, "GSI1SK": {"S": f"2026-{number:03}"}}))
            lists = [("GET", f"{DRAFTS}?status={each}", None) for each in (
                "draft", "approved", "sent", "failed", "rejected", "cancelled")]
            self.look(status, lists + self.about_customer("else")
                      + self.about_template("reminder_first"))
        self.assertEqual(self.ask("DELETE", "/v1/reminders/customers/else").status, 204)


if __name__ == "__main__":
    unittest.main()
