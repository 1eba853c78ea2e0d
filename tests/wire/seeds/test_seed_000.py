"""The schema of payment reminders on the server's EmailTrackingTable: items and access patterns."""

import unittest
from decimal import Decimal

from boto3.dynamodb.conditions import Key

from wire_case import WireCase

DRAFT = {
    "PK": "CUSTOMER#cust_001", "SK": "DRAFT#20250921_143022_cust_001",
    "GSI1PK": "STATUS#draft", "GSI1SK": "2025-09-21T14:30:22Z",
    "customer_id": "cust_001", "customer_name": "John Doe", "customer_email": "john@example.com",
    "reminder_type": "first", "email_subject": "Payment Reminder from Innovate AI",
    "email_content": "Dear John...", "status": "draft", "created_date": "2025-09-21T14:30:22Z",
    "created_by": "ai_system", "overdue_amount": Decimal("1500.00"),
    "overdue_invoices": ["INV-001", "INV-002"],
}
SENT = {
    "PK": "CUSTOMER#cust_001", "SK": "SENT#20250921_150000_first",
    "GSI1PK": "STATUS#sent", "GSI1SK": "2025-09-21T15:00:00Z", "customer_id": "cust_001",
    "reminder_type": "first", "email_subject": "Payment Reminder from Innovate AI",
    "email_content": "Dear John...", "status": "sent", "sent_date": "2025-09-21T15:00:00Z",
    "approved_by": "user_123",
    "ses_message_id": "0000014a-f4d4-4f41-9d83-8c0a6df0c5a1-000000",
    "delivery_status": "delivered",
}
TEMPLATE = {
    "PK": "TEMPLATE#reminder_first", "SK": "VERSION#1",
    "GSI1PK": "STATUS#active", "GSI1SK": "2025-09-21T12:00:00Z", "template_id": "reminder_first",
    "template_name": "First Reminder Template", "template_type": "first_reminder",
    "subject_template": "Payment Reminder: Invoice {{invoice_id}} - Innovate AI",
    "body_template": "Dear {{customer_name}}...", "status": "active",
    "created_date": "2025-09-21T12:00:00Z", "version": 1, "branding": "innovate_ai",
}


class Reminders(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = cls.resource.Table("EmailTrackingTable")
        for item in (DRAFT, SENT, TEMPLATE):
            cls.table.put_item(Item=item)
        cls.older = {**SENT, "SK": "SENT#20250801_090000_first", "GSI1SK": "2025-08-01T09:00:00Z",
                     "sent_date": "2025-08-01T09:00:00Z"}
        cls.elsewhere = {**SENT, "PK": "CUSTOMER#cust_002", "customer_id": "cust_002",
                         "reminder_type": "second", "SK": "SENT#20250922_080000_second",
                         "GSI1SK": "2025-09-22T08:00:00Z", "sent_date": "2025-09-22T08:00:00Z"}
        cls.table.put_item(Item=cls.older)
        cls.table.put_item(Item=cls.elsewhere)

    def test_each_item_type_is_read_back_whole(self):
        for item in (DRAFT, SENT, TEMPLATE):
            found = self.table.get_item(Key={"PK": item["PK"], "SK": item["SK"]})["Item"]
            self.assertEqual(found, item)

    def test_drafts_pending_approval(self):
        page = self.table.query(IndexName="GSI1",
                                KeyConditionExpression=Key("GSI1PK").eq("STATUS#draft"))
        self.assertEqual(page["Items"], [DRAFT])

    def test_email_history_of_a_customer(self):
        page = self.table.query(KeyConditionExpression=Key("PK").eq("CUSTOMER#cust_001") &
                                Key("SK").begins_with("SENT#"))
        self.assertEqual(page["Items"], [self.older, SENT])

    def test_recent_emails_by_type_prevent_a_duplicate(self):
        def recent(reminder_type, cutoff):
            return self.table.query(
                KeyConditionExpression="PK = :pk",
                FilterExpression="reminder_type = :reminder_type AND sent_date > :cutoff_date",
                ExpressionAttributeValues={":pk": "CUSTOMER#cust_001",
                                           ":reminder_type": reminder_type,
                                           ":cutoff_date": cutoff})
        self.assertEqual(recent("first", "2025-09-14T15:00:00")["Items"], [SENT])
        self.assertEqual(recent("first", "2025-09-21T15:00:00Z")["Items"], [])
        self.assertEqual(recent("second", "2025-01-01")["Items"], [])
        self.assertEqual(recent("first", "2025-01-01")["ScannedCount"], 3)

    def test_sent_emails_in_a_date_range(self):
        page = self.table.query(
            IndexName="GSI1",
            KeyConditionExpression=Key("GSI1PK").eq("STATUS#sent") &
            Key("GSI1SK").between("2025-09-01T00:00:00Z", "2025-09-30T23:59:59Z"))
        self.assertEqual(page["Items"], [SENT, self.elsewhere])

    def test_an_approved_draft_leaves_the_draft_queue(self):
        draft = {**DRAFT, "PK": "CUSTOMER#cust_009", "SK": "DRAFT#x", "customer_id": "cust_009"}
        self.table.put_item(Item=draft)
        self.table.update_item(
            Key={"PK": draft["PK"], "SK": draft["SK"]},
            UpdateExpression="SET #status = :approved, GSI1PK = :index, approved_by = :who",
            ConditionExpression="#status = :draft", ExpressionAttributeNames={"#status": "status"},
            ExpressionAttributeValues={":approved": "approved", ":index": "STATUS#approved",
                                       ":who": "user_123", ":draft": "draft"})
        page = self.table.query(IndexName="GSI1",
                                KeyConditionExpression=Key("GSI1PK").eq("STATUS#draft"))
        self.assertNotIn("CUSTOMER#cust_009", [item["PK"] for item in page["Items"]])
        page = self.table.query(IndexName="GSI1",
                                KeyConditionExpression=Key("GSI1PK").eq("STATUS#approved"))
        self.assertEqual([item["approved_by"] for item in page["Items"]], ["user_123"])


if __name__ == "__main__":
    unittest.main()
