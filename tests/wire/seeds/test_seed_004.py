"""The schema of e-mail conversations with optimistic locking: table conversations."""

import unittest
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

from boto3.dynamodb.conditions import Key

from wire_case import WireCase, index

FIRST = "a1b2c3d4e5f6g7h8"


def mail(number, direction="inbound"):
    return {
        "email_id": f"mail-{number}", "message_id": f"<{number}@example.com>",
        "in_reply_to": f"<{number - 1}@example.com>", "references": ["<0@example.com>"],
        "from": "sender@example.com", "to": ["recipient@example.com"], "cc": ["cc@example.com"],
        "subject": "Email subject", "body": "Email content",
        "timestamp": "2024-01-15T10:30:00Z", "direction": direction,
        "attachments": [{"filename": "document.pdf", "content_type": "application/pdf",
                         "size": 102400,
                         "s3_key": "attachments/conv-id/email-id/document.pdf"}],
        "metadata": {"client_ip": "192.168.1.1", "user_agent": "Outlook/16.0",
                     "spam_score": Decimal("0.1")},
    }


def conversation(identifier, updated="2024-01-15T10:30:00Z", status="active"):
    return {
        "conversation_id": identifier, "created_at": "2024-01-15T10:30:00Z",
        "updated_at": updated, "last_updated_at": updated, "last_seq": 0, "status": status,
        "ttl": 4102444800, "original_message_id": "<0@example.com>", "subject": "Email subject",
        "participants": {"sender@example.com", "recipient@example.com"},
        "thread_references": ["<0@example.com>"], "email_history": [mail(0)],
        "requirements": {}, "requirements_version": 1, "ai_analysis": {"summary": "short"},
        "sentiment_scores": [Decimal("0.5")],
        "metadata": {"client_info": {}, "tags": {"quote"}, "priority": "high",
                     "assigned_to": "ann", "notes": []},
    }


class Threads(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.new_table("conversations", ("conversation_id",),
                      {"conversation_id": "S", "status": "S", "updated_at": "S",
                       "participant": "S", "ttl_date": "S", "ttl": "N"},
                      GlobalSecondaryIndexes=[
                          index("StatusIndex", "status", "updated_at"),
                          index("ParticipantIndex", "participant", "updated_at", "INCLUDE",
                                ["subject", "last_seq", "status"]),
                          index("TTLIndex", "ttl_date", "ttl", "KEYS_ONLY")])
        cls.table = cls.resource.Table("conversations")
        cls.table.put_item(Item=conversation(FIRST))

    def test_a_conversation_is_read_whole_by_id(self):
        page = self.table.query(KeyConditionExpression=Key("conversation_id").eq(FIRST))
        self.assertEqual(page["Items"], [conversation(FIRST)])

    def test_conversations_of_a_status_in_time_order(self):
        for number, day in ((1, "2024-03-01"), (2, "2024-02-01")):
            self.table.put_item(Item=conversation(f"pending{number}", day, "pending_info"))
        page = self.table.query(IndexName="StatusIndex",
                                KeyConditionExpression=Key("status").eq("pending_info"))
        self.assertEqual(page["Items"], [conversation("pending2", "2024-02-01", "pending_info"),
                                         conversation("pending1", "2024-03-01", "pending_info")])

    def test_conversations_of_a_participant_through_sparse_rows(self):
        row = {"conversation_id": f"{FIRST}#PART#ann", "participant": "ann@example.com",
               "updated_at": "2024-01-15T10:30:00Z", "subject": "Email subject",
               "last_seq": 0, "body": "not projected"}
        self.table.put_item(Item=row)
        page = self.table.query(IndexName="ParticipantIndex",
                                KeyConditionExpression=Key("participant").eq("ann@example.com"))
        del row["body"]
        self.assertEqual(page["Items"], [row])
        every = self.table.scan(IndexName="ParticipantIndex")["Items"]
        self.assertEqual(every, [row])

    def test_expiring_conversations_of_a_day(self):
        self.table.put_item(Item={**conversation("expiring"), "ttl_date": "2100-01-01"})
        page = self.table.query(IndexName="TTLIndex",
                                KeyConditionExpression=Key("ttl_date").eq("2100-01-01") &
                                Key("ttl").lte(4102444800))
        self.assertEqual(page["Items"], [{"conversation_id": "expiring", "ttl": 4102444800,
                                          "ttl_date": "2100-01-01"}])

    def append(self, identifier, expected, number):
        return self.table.update_item(
            Key={"conversation_id": identifier},
            UpdateExpression="SET email_history = list_append(email_history, :new_email), "
                             "last_seq = :expected + :one, updated_at = :now, "
                             "thread_references = list_append(thread_references, :ref) "
                             "ADD participants :who",
            ConditionExpression="last_seq = :expected",
            ExpressionAttributeValues={":new_email": [mail(number)], ":expected": expected,
                                       ":one": 1, ":now": f"2024-01-16T{number:02}",
                                       ":ref": [f"<{number}@example.com>"],
                                       ":who": {f"person{number}@example.com"}},
            ReturnValues="ALL_NEW")["Attributes"]

    def test_an_append_moves_the_sequence_and_a_stale_one_is_refused(self):
        self.table.put_item(Item=conversation("locked"))
        changed = self.append("locked", 0, 1)
        self.assertEqual(changed["last_seq"], 1)
        self.assertEqual(changed["email_history"], [mail(0), mail(1)])
        self.assertIn("person1@example.com", changed["participants"])
        with self.refused("ConditionalCheckFailedException", "The conditional request failed"):
            self.append("locked", 0, 2)
        found = self.table.get_item(Key={"conversation_id": "locked"})["Item"]
        self.assertEqual(found, changed)

    def test_writers_that_retry_lose_no_mail(self):
        self.table.put_item(Item=conversation("busy"))

        def deliver(number):
            while True:
                seen = self.table.get_item(Key={"conversation_id": "busy"}, ConsistentRead=True)
                try:
                    self.append("busy", seen["Item"]["last_seq"], number)
                    return
                except self.client.exceptions.ConditionalCheckFailedException:
                    continue
        with ThreadPoolExecutor(5) as pool:
            list(pool.map(deliver, range(1, 11)))
        found = self.table.get_item(Key={"conversation_id": "busy"}, ConsistentRead=True)["Item"]
        self.assertEqual(found["last_seq"], 10)
        self.assertEqual(sorted(each["email_id"] for each in found["email_history"]),
                         sorted(f"mail-{number}" for number in range(11)))

    def test_old_items_are_migrated_only_once(self):
        self.table.put_item(Item={"conversation_id": "old", "updated_at": "2023-01-01"})
        migrate = lambda: self.table.update_item(
            Key={"conversation_id": "old"},
            UpdateExpression="SET last_seq = if_not_exists(last_seq, :zero), "
                             "last_updated_at = updated_at, #ttl = :ttl",
            ConditionExpression="attribute_not_exists(last_updated_at)",
            ExpressionAttributeNames={"#ttl": "ttl"},
            ExpressionAttributeValues={":zero": 0, ":ttl": 4102444800},
            ReturnValues="ALL_NEW")["Attributes"]
        self.assertEqual(migrate(), {"conversation_id": "old", "updated_at": "2023-01-01",
                                     "last_updated_at": "2023-01-01", "last_seq": 0,
                                     "ttl": 4102444800})
        with self.refused("ConditionalCheckFailedException"):
            migrate()


if __name__ == "__main__":
    unittest.main()
