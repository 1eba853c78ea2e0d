"""The schema of subscribers, sequences, broadcasts and events: Audience and EmailEvents."""

import unittest

from boto3.dynamodb.conditions import Attr, Key

from wire_case import WireCase

EMAIL = "user@example.com"
ME = f"SUB#{EMAIL}"
PROFILE = {
    "PK": ME, "SK": "PROFILE", "email": EMAIL, "firstName": "Jane", "platform": "kajabi",
    "country": "ZA", "tags": ["product-updates", "beta-users"], "unsubscribed": False,
    "suppressed": False, "createdAt": "2026-03-01T00:00:00.000Z",
    "updatedAt": "2026-03-17T10:00:00.000Z",
}
EXECUTION = {"PK": ME, "SK": "EXEC#onboarding", "sequenceId": "onboarding",
             "executionArn": "arn:aws:states:...", "startedAt": "2026-03-01T00:00:00.000Z"}
PARTNER = {"PK": "EXEC#onboarding", "SK": ME, "email": EMAIL,
           "executionArn": "arn:aws:states:...", "startedAt": "2026-03-01T00:00:00.000Z"}
SENT = {"PK": ME, "SK": "SENT#2026-03-17T10:30:00.000Z", "templateKey": "onboarding/welcome",
        "subject": "Welcome!", "sequenceId": "onboarding",
        "sentAt": "2026-03-17T10:30:00.000Z", "ttl": 4102444800}
# Of somebody else: who has such a row is suppressed, and their profile says so from then on.
SUPPRESSION = {"PK": "SUB#bounced@example.com", "SK": "SUPPRESSION", "type": "Permanent",
               "reason": "General",
               "suppressedAt": "2026-03-17T10:30:00.000Z"}
TAG = {"PK": "TAG#product-updates", "SK": ME, "email": EMAIL,
       "taggedAt": "2026-03-17T10:00:00.000Z"}
BROADCAST = {
    "PK": "BROADCAST", "SK": "2026-04-02T10:00:00.000Z#product-update-2026-04",
    "broadcastId": "product-update-2026-04", "templateKey": "broadcasts/product-update-april",
    "subject": "What's new in April",
    "sender": {"fromEmail": "updates@example.com", "fromName": "My SaaS"},
    "filters": {"tags": ["product-updates"], "attributes": {"plan": "pro"}}, "audienceSize": 342,
    "sentAt": "2026-04-02T10:00:00.000Z",
}
COUNTERS = {"PK": "STATS#product-update-2026-04", "SK": "COUNTERS",
            "sequenceId": "product-update-2026-04", "deliveryCount": 338, "openCount": 142,
            "clickCount": 27, "bounceCount": 4, "complaintCount": 0,
            "updatedAt": "2026-04-02T11:14:03.221Z"}


class Audience(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = cls.resource.Table("Audience")
        cls.older = {**BROADCAST, "SK": "2026-03-01T10:00:00.000Z#march", "broadcastId": "march"}
        with cls.table.batch_writer() as batch:
            for item in (PROFILE, EXECUTION, PARTNER, SENT, SUPPRESSION, TAG, BROADCAST, COUNTERS,
                         cls.older):
                batch.put_item(Item=item)

    def query(self, condition, **options):
        return self.table.query(KeyConditionExpression=condition, **options)

    def test_each_single_item_is_read_by_its_whole_key(self):
        for item in (PROFILE, EXECUTION, SUPPRESSION, COUNTERS):
            with self.subTest(item["SK"]):
                found = self.table.get_item(Key={"PK": item["PK"], "SK": item["SK"]})["Item"]
                self.assertEqual(found, item)

    def test_the_key_patterns_find_what_they_name(self):
        me = Key("PK").eq(ME)
        broadcasts = Key("PK").eq("BROADCAST")
        rows = [
            ("executions of a subscriber", me & Key("SK").begins_with("EXEC#"), [EXECUTION]),
            ("subscribers in a sequence", Key("PK").eq("EXEC#onboarding"), [PARTNER]),
            ("send history", me & Key("SK").begins_with("SENT#"), [SENT]),
            ("everything of a subscriber", me, [EXECUTION, PROFILE, SENT]),
            ("subscribers of a tag", Key("PK").eq("TAG#product-updates"), [TAG]),
            ("broadcasts in a date range",
             broadcasts & Key("SK").between("2026-04-01", "2026-04-30"), [BROADCAST]),
        ]
        for claim, condition, expected in rows:
            with self.subTest(claim):
                self.assertEqual(self.query(condition)["Items"], expected)

    def test_subscribers_in_a_sequence_are_counted(self):
        page = self.query(Key("PK").eq("EXEC#onboarding"), Select="COUNT")
        self.assertEqual(page["Count"], 1)

    def test_whether_a_template_was_sent(self):
        history = Key("PK").eq(ME) & Key("SK").begins_with("SENT#")
        sent = lambda template: self.query(
            history, FilterExpression=Attr("templateKey").eq(template))["Count"]
        self.assertEqual(sent("onboarding/welcome"), 1)
        self.assertEqual(sent("onboarding/day-2"), 0)

    def test_a_broadcast_is_found_by_its_id_and_all_newest_first(self):
        broadcasts = Key("PK").eq("BROADCAST")
        page = self.query(broadcasts, FilterExpression=Attr("broadcastId").eq(
            "product-update-2026-04"))
        self.assertEqual(page["Items"], [BROADCAST])
        page = self.query(broadcasts, ScanIndexForward=False)
        self.assertEqual(page["Items"], [BROADCAST, self.older])

    def test_counters_are_added_to_whether_or_not_they_exist(self):
        for expected in (1, 2):
            answer = self.table.update_item(
                Key={"PK": "STATS#new", "SK": "COUNTERS"},
                UpdateExpression="ADD openCount :one SET sequenceId = :id, updatedAt = :now",
                ExpressionAttributeValues={":one": 1, ":id": "new", ":now": "2026-04-02"},
                ReturnValues="ALL_NEW")
            self.assertEqual(answer["Attributes"]["openCount"], expected)

    def test_an_execution_and_its_partner_come_and_go_together(self):
        low = self.resource.meta.client
        mine = {"PK": "SUB#b@example.com", "SK": "EXEC#winback"}
        theirs = {"PK": "EXEC#winback", "SK": "SUB#b@example.com"}
        low.transact_write_items(TransactItems=[
            {"Put": {"TableName": "Audience", "Item": {**mine, "sequenceId": "winback"}}},
            {"Put": {"TableName": "Audience", "Item": {**theirs, "email": "b@example.com"}}}])
        self.assertEqual(self.query(Key("PK").eq("EXEC#winback"))["Count"], 1)
        low.transact_write_items(TransactItems=[
            {"Delete": {"TableName": "Audience", "Key": mine}},
            {"Delete": {"TableName": "Audience", "Key": theirs}}])
        self.assertEqual(self.query(Key("PK").eq("EXEC#winback"))["Count"], 0)
        self.assertNotIn("Item", self.table.get_item(Key=mine))


class Events(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = cls.resource.Table("EmailEvents")
        cls.delivery = {
            "PK": ME, "SK": "EVT#2026-03-17T10:30:00.000Z#delivery", "eventType": "delivery",
            "templateKey": "onboarding/welcome", "sequenceId": "onboarding",
            "subject": "Welcome!", "timestamp": "2026-03-17T10:30:00.000Z", "ttl": 4102444800}
        cls.reply = {
            "PK": ME, "SK": "EVT#2026-03-20T14:00:00.000Z#reply", "eventType": "reply",
            "subject": "Re: Welcome!", "body": "Thanks for reaching out!",
            "templateKey": "onboarding/welcome", "sequenceId": "onboarding",
            "sesMessageId": "original-ses-id", "timestamp": "2026-03-20T14:00:00.000Z",
            "ttl": 4102444800}
        cls.stranger = {**cls.delivery, "PK": "SUB#b@example.com",
                        "sequenceId": "product-update-2026-04",
                        "SK": "EVT#2026-04-02T10:05:00.000Z#open", "eventType": "open"}
        cls.bare = {"PK": ME, "SK": "EVT#2026-03-01T00:00:00.000Z#bounce", "eventType": "bounce"}
        for item in (cls.delivery, cls.reply, cls.stranger, cls.bare):
            cls.table.put_item(Item=item)

    def events(self, condition, name=None):
        options = {"IndexName": name} if name else {}
        return self.table.query(KeyConditionExpression=condition, **options)["Items"]

    def test_events_of_a_subscriber_in_time_order(self):
        self.assertEqual(self.events(Key("PK").eq(ME)), [self.bare, self.delivery, self.reply])

    def test_events_of_a_template_since_a_day(self):
        template = Key("templateKey").eq("onboarding/welcome")
        self.assertEqual(self.events(template & Key("SK").begins_with("EVT#2026-03-2"),
                                     "TemplateIndex"), [self.reply])
        self.assertEqual(self.events(template & Key("SK").gte("EVT#2026-03-18"),
                                     "TemplateIndex"), [self.reply, self.stranger])

    def test_events_of_a_broadcast_and_of_a_sequence(self):
        every = Key("SK").begins_with("EVT#")
        self.assertEqual(self.events(Key("sequenceId").eq("product-update-2026-04") & every,
                                     "SequenceIndex"), [self.stranger])
        self.assertEqual(self.events(Key("sequenceId").eq("onboarding") & every, "SequenceIndex"),
                         [self.delivery, self.reply])


if __name__ == "__main__":
    unittest.main()
