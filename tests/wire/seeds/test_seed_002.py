"""The schema of support chat, leads and affiliate links: four tables, their indexes and queries."""

import unittest
from decimal import Decimal

from boto3.dynamodb.conditions import Attr, Key

from wire_case import WireCase, index

CONVERSATION = {
    "conversation_id": "abc123", "created_at": 1732000000, "user_id": "user-xyz",
    "store_url": "shop.myshopify.com", "status": "open", "updated_at": 1732025476,
    "last_message": "Please help with order", "unread_admin": 1, "unread_user": 0,
}
MESSAGE = {
    "conversation_id": "abc123", "message_id": "msg-001", "sender_type": "user",
    "sender_id": "user-xyz", "message_text": "Hello, I need help with my order",
    "created_at": 1732000001, "is_read": False,
}
LEAD = {
    "lead_id": "lead-123", "created_at": 1732000000, "affiliate_id": "affiliate-xyz",
    "link_id": "ABC123", "status": "approved", "lead_name": "Jane Smith",
    "lead_email": "jane@store.com", "lead_phone": "+1-800-123-4567",
    "product_link": "https://aliexpress.com/item/123", "order_volume": "20-100",
    "pending_orders": "25", "commission_amount": Decimal("150.00"),
    "admin_notes": "High-value B2B customer", "updated_at": 1732025476,
}
LINK = {
    "affiliate_id": "affiliate-xyz", "created_at": 1732000000, "link_id": "ABC123XYZ",
    "affiliate_email": "partner@example.com",
    "affiliate_url": "https://dashboard.commercive.co/affiliate-form?ref=ABC123XYZ",
    "store_url": "commercive.co", "updated_at": 1732025476,
}
STATUS = {"#s": "status"}


class Chat(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.new_table("Conversations", ("conversation_id", "created_at"),
                      {"conversation_id": "S", "created_at": "N", "user_id": "S", "status": "S",
                       "updated_at": "N"},
                      GlobalSecondaryIndexes=[
                          index("UserConversationsIndex", "user_id", "updated_at"),
                          index("ConversationStatusIndex", "status", "updated_at")])
        cls.new_table("Messages", ("conversation_id", "message_id"),
                      {"conversation_id": "S", "message_id": "S"})
        cls.conversations = cls.resource.Table("Conversations")
        cls.messages = cls.resource.Table("Messages")
        cls.conversations.put_item(Item=CONVERSATION)
        cls.messages.put_item(Item=MESSAGE)
        cls.later = {**CONVERSATION, "conversation_id": "def456", "updated_at": 1732030000}
        cls.closed = {**CONVERSATION, "conversation_id": "old789", "updated_at": 1731000000,
                      "status": "closed"}
        cls.conversations.put_item(Item=cls.later)
        cls.conversations.put_item(Item=cls.closed)

    def write(self, conversation, number, sender="user", read=False):
        item = {**MESSAGE, "conversation_id": conversation, "message_id": f"msg-{number:03}",
                "sender_type": sender, "created_at": 1732000000 + number, "is_read": read}
        self.messages.put_item(Item=item)
        return item

    def test_a_user_gets_conversations_newest_first(self):
        page = self.conversations.query(IndexName="UserConversationsIndex",
                                        KeyConditionExpression=Key("user_id").eq("user-xyz"),
                                        ScanIndexForward=False)
        self.assertEqual(page["Items"], [self.later, CONVERSATION, self.closed])

    def test_an_admin_gets_open_chats_newest_first(self):
        page = self.conversations.query(IndexName="ConversationStatusIndex",
                                        KeyConditionExpression=Key("status").eq("open"),
                                        ScanIndexForward=False)
        found = [item for item in page["Items"] if item["user_id"] == "user-xyz"]
        self.assertEqual(found, [self.later, CONVERSATION])

    def test_a_conversation_is_found_by_its_id_alone(self):
        page = self.conversations.query(
            KeyConditionExpression=Key("conversation_id").eq("abc123"), Limit=1)
        self.assertEqual(page["Items"], [CONVERSATION])
        found = self.conversations.get_item(Key={"conversation_id": "abc123",
                                                 "created_at": 1732000000})
        self.assertEqual(found["Item"], CONVERSATION)

    def test_messages_come_in_the_order_they_were_written(self):
        written = [self.write("order", number) for number in (1, 2, 3, 10)]
        page = self.messages.query(KeyConditionExpression=Key("conversation_id").eq("order"))
        self.assertEqual(page["Items"], written)

    def test_sending_makes_conversation_and_message_together(self):
        conversation = {**CONVERSATION, "conversation_id": "conv-456", "user_id": "user-123"}
        message = {**MESSAGE, "conversation_id": "conv-456"}
        low = self.resource.meta.client
        send = lambda: low.transact_write_items(TransactItems=[
            {"Put": {"TableName": "Conversations", "Item": conversation,
                     "ConditionExpression": "attribute_not_exists(conversation_id)"}},
            {"Put": {"TableName": "Messages", "Item": message}}])
        send()
        self.assertEqual(self.messages.get_item(Key={"conversation_id": "conv-456",
                                                     "message_id": "msg-001"})["Item"], message)
        with self.refused("TransactionCanceledException"):
            send()

    def test_unread_counters_are_incremented_where_they_stand(self):
        key = {"conversation_id": "count", "created_at": 1}
        self.conversations.put_item(Item={**CONVERSATION, **key, "user_id": "counter"})
        for expected in (2, 3):
            answer = self.conversations.update_item(
                Key=key, UpdateExpression="SET unread_admin = unread_admin + :one",
                ExpressionAttributeValues={":one": 1}, ReturnValues="UPDATED_NEW")
            self.assertEqual(answer["Attributes"], {"unread_admin": expected})

    def test_reading_marks_every_message_and_the_conversation_in_one_transaction(self):
        key = {"conversation_id": "unread", "created_at": 5}
        self.conversations.put_item(Item={**CONVERSATION, **key, "unread_user": 3,
                                          "user_id": "reader"})
        for number in range(3):
            self.write("unread", number, "admin")
        self.write("unread", 9, "admin", read=True)
        unread = {"KeyConditionExpression": Key("conversation_id").eq("unread"),
                  "FilterExpression": Attr("is_read").eq(False)}
        page = self.messages.query(**unread)
        self.assertEqual((page["Count"], page["ScannedCount"]), (3, 4))
        low = self.resource.meta.client
        low.transact_write_items(TransactItems=[
            {"Update": {"TableName": "Messages",
                        "Key": {"conversation_id": "unread", "message_id": item["message_id"]},
                        "UpdateExpression": "SET is_read = :t",
                        "ExpressionAttributeValues": {":t": True}}}
            for item in page["Items"]] + [
            {"Update": {"TableName": "Conversations", "Key": key,
                        "UpdateExpression": "SET unread_user = :zero",
                        "ExpressionAttributeValues": {":zero": 0}}}])
        self.assertEqual(self.messages.query(Select="COUNT", **unread)["Count"], 0)
        self.assertEqual(self.conversations.get_item(Key=key)["Item"]["unread_user"], 0)

    def test_closing_moves_a_conversation_to_the_other_status(self):
        key = {"conversation_id": "closing", "created_at": 7}
        self.conversations.put_item(Item={**CONVERSATION, **key, "user_id": "closer"})
        self.conversations.update_item(
            Key=key, UpdateExpression="SET #s = :closed", ConditionExpression="#s = :open",
            ExpressionAttributeNames=STATUS,
            ExpressionAttributeValues={":closed": "closed", ":open": "open"})
        by_status = lambda status: [item["conversation_id"] for item in self.conversations.query(
            IndexName="ConversationStatusIndex",
            KeyConditionExpression=Key("status").eq(status))["Items"]]
        self.assertNotIn("closing", by_status("open"))
        self.assertIn("closing", by_status("closed"))

    def test_messages_expire_by_expires_at(self):
        self.client.update_time_to_live(
            TableName="Messages",
            TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires_at"})
        described = self.client.describe_time_to_live(TableName="Messages")
        self.assertEqual(described["TimeToLiveDescription"]["AttributeName"], "expires_at")


class Affiliates(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.new_table("Leads", ("lead_id", "created_at"),
                      {"lead_id": "S", "created_at": "N", "affiliate_id": "S", "status": "S",
                       "link_id": "S"},
                      GlobalSecondaryIndexes=[
                          index("AffiliateLeadsIndex", "affiliate_id", "created_at"),
                          index("LeadStatusIndex", "status", "created_at"),
                          index("LinkLeadsIndex", "link_id", "created_at")])
        cls.new_table("AffiliateLinks", ("affiliate_id", "link_id"),
                      {"affiliate_id": "S", "link_id": "S"},
                      GlobalSecondaryIndexes=[index("LinkIndex", "link_id")])
        cls.leads = cls.resource.Table("Leads")
        cls.links = cls.resource.Table("AffiliateLinks")
        cls.leads.put_item(Item=LEAD)
        cls.links.put_item(Item=LINK)
        cls.pending = []
        for number in range(3):
            item = {**LEAD, "lead_id": f"lead-{number}", "created_at": 1732000100 + number,
                    "status": "pending", "link_id": f"L{number % 2}"}
            del item["commission_amount"], item["admin_notes"]
            cls.leads.put_item(Item=item)
            cls.pending.append(item)

    def test_pending_leads_come_newest_first_and_at_most_a_hundred(self):
        page = self.leads.query(IndexName="LeadStatusIndex", ScanIndexForward=False, Limit=100,
                                KeyConditionExpression=Key("status").eq("pending"))
        self.assertEqual(page["Items"], self.pending[::-1])

    def test_leads_of_an_affiliate_come_newest_first_and_are_counted(self):
        mine = {"IndexName": "AffiliateLeadsIndex", "ScanIndexForward": False,
                "KeyConditionExpression": Key("affiliate_id").eq("affiliate-xyz")}
        self.assertEqual(self.leads.query(**mine)["Items"], self.pending[::-1] + [LEAD])
        self.assertEqual(self.leads.query(Select="COUNT", **mine)["Count"], 4)

    def test_leads_of_a_link(self):
        page = self.leads.query(IndexName="LinkLeadsIndex",
                                KeyConditionExpression=Key("link_id").eq("L0"))
        self.assertEqual(page["Items"], [self.pending[0], self.pending[2]])

    def test_a_lead_is_found_by_its_id(self):
        page = self.leads.query(KeyConditionExpression=Key("lead_id").eq("lead-123"), Limit=1)
        self.assertEqual(page["Items"], [LEAD])

    def test_approval_sets_status_and_commission_once(self):
        item = {**LEAD, "lead_id": "lead-new", "status": "pending", "affiliate_id": "approver"}
        self.leads.put_item(Item=item)
        approve = lambda: self.leads.update_item(
            Key={"lead_id": "lead-new", "created_at": item["created_at"]},
            UpdateExpression="SET #s = :approved, commission_amount = :amount, updated_at = :now",
            ConditionExpression="#s = :pending", ExpressionAttributeNames=STATUS,
            ExpressionAttributeValues={":approved": "approved", ":pending": "pending",
                                       ":amount": Decimal("100.00"), ":now": 1732099999},
            ReturnValues="ALL_NEW")["Attributes"]
        self.assertEqual(approve()["commission_amount"], 100)
        with self.refused("ConditionalCheckFailedException"):
            approve()

    def test_a_link_is_found_by_affiliate_and_by_itself(self):
        page = self.links.query(KeyConditionExpression=Key("affiliate_id").eq("affiliate-xyz"))
        self.assertEqual(page["Items"], [LINK])
        page = self.links.query(IndexName="LinkIndex",
                                KeyConditionExpression=Key("link_id").eq("ABC123XYZ"))
        self.assertEqual(page["Items"], [LINK])


if __name__ == "__main__":
    unittest.main()
