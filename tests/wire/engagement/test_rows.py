"""What became of mails, as programs of the schema read it and write it with boto3: the send log and
the counters in Audience, and EmailEvents with both of its indexes."""

import datetime
import pathlib
import sys
import time
import unittest

import boto3
from boto3.dynamodb.conditions import Key

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "outbox")]

# pylint: disable=wrong-import-position
import server
from outbox_case import SETTLED, OutboxCase, Sink, email


def moment(**ago):
    at = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(**ago)
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03}Z"


class RowsCase(OutboxCase):
    @classmethod
    def setUpClass(cls):
        sink = Sink("--obey-addresses")
        cls.addClassCleanup(sink.stop)
        cls.arguments = ("--transport", f"smtp://{sink.address}")
        super().setUpClass()
        tables = boto3.resource("dynamodb", endpoint_url=cls.server.endpoint,
                                region_name=server.REGION, aws_access_key_id=server.ACCESS_KEY,
                                aws_secret_access_key=server.SECRET_KEY)
        cls.audience, cls.events = tables.Table("Audience"), tables.Table("EmailEvents")

    @staticmethod
    def all_of(table, condition, **options):
        """Page after page, two rows each."""
        rows, wish = [], {"KeyConditionExpression": condition, "Limit": 2, **options}
        while True:
            page = table.query(**wish)
            rows += page["Items"]
            if "LastEvaluatedKey" not in page:
                return rows
            wish["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def history(self, person):
        return self.all_of(self.events, Key("PK").eq(f"SUB#{person}")
                           & Key("SK").begins_with("EVT#"), ConsistentRead=True)

    def send_log(self, person):
        return self.all_of(self.audience, Key("PK").eq(f"SUB#{person}")
                           & Key("SK").begins_with("SENT#"), ConsistentRead=True)

    def indexed(self, index, name, value, condition=None):
        wanted = Key(name).eq(value)
        return self.all_of(self.events, wanted & condition if condition else wanted,
                           IndexName=index)

    def counters(self, sequence):
        row = self.audience.get_item(Key={"PK": f"STATS#{sequence}", "SK": "COUNTERS"},
                                     ConsistentRead=True).get("Item", {})
        return {name: int(row[name]) for name in row if name.endswith("Count")}

    def shown(self, path):  # pylint: disable=arguments-renamed
        answer = self.ask("GET", path)
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json


class Ours(RowsCase):
    """What we write, found by the schema's own access patterns."""

    def sent(self, to, template, sequence):
        """A mail that has settled, and whose fate is an event."""
        mail = self.post(email(to=to, subject=f"To {to}", engagement={
            "template_key": template, "sequence_id": sequence}))
        self.eventually(lambda: self.ask("GET", f"/v1/emails/{mail}").json,
                        lambda shown: shown["state"] in SETTLED)
        self.eventually(lambda: [row for row in self.history(to.lower())
                                 if row.get("mailroomMailId") == mail], bool)
        return mail

    def test_what_was_sent_is_in_the_send_log_of_the_person(self):
        before = moment()
        for template in ("hello/one", "hello/two", "hello/three"):
            self.sent("Log@Example.org", template, "log")
            time.sleep(0.002)
        rows = self.send_log("log@example.org")
        self.assertEqual([row["templateKey"] for row in rows],
                         ["hello/one", "hello/two", "hello/three"])
        for row in rows:
            self.assertEqual(row["sequenceId"], "log")
            self.assertEqual(row["subject"], "To Log@Example.org")
            self.assertRegex(row["sesMessageId"], r"^[^<>@]+@[^<>@]+$")
            self.assertRegex(row["SK"], r"^SENT#\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
            self.assertGreaterEqual(row["SK"], f"SENT#{before}")
        newest = self.audience.query(
            KeyConditionExpression=Key("PK").eq("SUB#log@example.org")
            & Key("SK").begins_with("SENT#"), ScanIndexForward=False, Limit=1)["Items"]
        self.assertEqual(newest[0]["templateKey"], "hello/three")

    def test_events_are_found_by_person_template_and_sequence_and_by_time(self):
        before = moment()
        self.sent("a@events.example", "events/one", "events")
        between = moment()
        time.sleep(0.002)
        self.sent("b@events.example", "events/one", "events")
        self.sent("b@events.example", "events/two", "events")
        after = moment(seconds=-60)
        row = self.history("a@events.example")[0]
        self.assertEqual({name: row[name] for name in
                          ("eventType", "templateKey", "sequenceId", "subject")},
                         {"eventType": "delivery", "templateKey": "events/one",
                          "sequenceId": "events", "subject": "To a@events.example"})
        self.assertEqual(row["SK"][:len("EVT#") + len(before)], f"EVT#{row['timestamp']}")
        self.assertEqual(row["sesMessageId"],
                         self.send_log("a@events.example")[0]["sesMessageId"])
        for index, name, value, count, later in (
                ("TemplateIndex", "templateKey", "events/one", 2, 1),
                ("TemplateIndex", "templateKey", "events/two", 1, 1),
                ("SequenceIndex", "sequenceId", "events", 3, 2),
                ("SequenceIndex", "sequenceId", "none", 0, 0)):
            with self.subTest(f"{index} {value}"):
                rows = self.indexed(index, name, value)
                self.assertEqual(len(rows), count)
                self.assertEqual([row["SK"] for row in rows], sorted(row["SK"] for row in rows))
                for first, wanted in ((before, count), (between, later), (after, 0)):
                    times = Key("SK").between(f"EVT#{first}", f"EVT#{after}~")
                    self.assertEqual(len(self.indexed(index, name, value, times)), wanted)
                today = Key("SK").begins_with(f"EVT#{after[:4]}")
                self.assertEqual(len(self.indexed(index, name, value, today)), count)

    def test_counters_are_those_of_the_sequence_and_equal_the_rows(self):
        for number in range(3):
            self.sent(f"c{number}@count.example", "count/one", "count")
        self.sent("bounce-550@count.example", "count/one", "count")
        self.assertEqual({name: count for name, count in self.counters("count").items()
                          if name in ("deliveryCount", "bounceCount", "openCount")},
                         {"deliveryCount": 3, "bounceCount": 1})
        kinds = [row["eventType"] for row in self.indexed("SequenceIndex", "sequenceId", "count")]
        self.assertEqual(sorted(kinds), ["bounce"] + ["delivery"] * 3)

    def test_who_cannot_be_reached_has_a_suppression_beside_the_profile(self):
        self.sent("bounce-550@gone.example", "gone/one", "gone")
        rows = self.eventually(
            lambda: self.audience.query(KeyConditionExpression=Key("PK").eq(
                "SUB#bounce-550@gone.example"), ConsistentRead=True)["Items"],
            lambda rows: "SUPPRESSION" in [row["SK"] for row in rows])
        by_key = {row["SK"]: row for row in rows}
        self.assertTrue(by_key["PROFILE"]["suppressed"])
        self.assertEqual((by_key["SUPPRESSION"]["reason"], by_key["SUPPRESSION"]["bounceType"]),
                         ("bounce", "Permanent"))
        self.assertRegex(by_key["SUPPRESSION"]["recordedAt"], r"Z$")


class Theirs(RowsCase):
    """What a program of the schema writes, understood by our routes."""

    def happens(self, person, kind, at, **columns):
        """As it notes an event: the row, and one more of its counter."""
        row = {"PK": f"SUB#{person}", "SK": f"EVT#{at}#{kind}", "eventType": kind,
               "templateKey": "theirs/one", "sequenceId": "theirs", "subject": "Theirs",
               "sesMessageId": "0102-abc", "timestamp": at, **columns}
        self.events.put_item(Item=row)
        self.audience.update_item(
            Key={"PK": "STATS#theirs", "SK": "COUNTERS"},
            UpdateExpression="ADD #count :one SET sequenceId = :id, updatedAt = :now",
            ExpressionAttributeNames={"#count": f"{kind}Count"},
            ExpressionAttributeValues={":one": 1, ":id": "theirs", ":now": at})
        return row

    def logs(self, person, at, template):
        self.audience.put_item(Item={
            "PK": f"SUB#{person}", "SK": f"SENT#{at}", "templateKey": template,
            "sequenceId": "theirs", "subject": "Theirs", "sesMessageId": "0102-abc",
            "ttl": int(time.time()) + 1000})

    def test_its_events_are_shown_by_person_template_and_sequence(self):
        person = "events@theirs.example"
        delivered = moment(minutes=3)
        self.happens(person, "delivery", delivered)
        self.happens(person, "click", moment(minutes=2), linkUrl="https://x.example/",
                     userAgent="Firefox")
        self.happens(person, "reply", moment(minutes=1), body="Thanks")
        listed = self.shown(f"/v1/people/{person}/events")["items"]
        self.assertEqual([event["eventType"] for event in listed], ["reply", "click", "delivery"])
        self.assertEqual((listed[0]["body"], listed[1]["linkUrl"], listed[2]["timestamp"]),
                         ("Thanks", "https://x.example/", delivered))
        for query in ("template=theirs%2Fone", "sequence=theirs"):
            listed = self.shown(f"/v1/engagement/events?{query}&type=click")["items"]
            self.assertEqual([event["email"] for event in listed], [person])
        since = self.shown(f"/v1/people/{person}/events?from={moment(seconds=90)}")["items"]
        self.assertEqual([event["eventType"] for event in since], ["reply"])

    def test_its_send_log_and_events_are_the_person_s_timeline(self):
        person = "line@theirs.example"
        self.logs(person, moment(minutes=4), "theirs/hello")
        self.happens(person, "open", moment(minutes=3))
        whole = self.shown(f"/v1/people/{person}/timeline")["items"]
        self.assertEqual([(one["what"], one["templateKey"]) for one in whole],
                         [("open", "theirs/one"), ("sent", "theirs/hello")])

    def test_all_that_it_keeps_of_a_person_is_given_out_and_erased(self):
        person = "all@theirs.example"
        self.audience.put_item(Item={"PK": f"SUB#{person}", "SK": "PROFILE", "email": person,
                                     "firstName": "All", "plan": "pro", "tags": ["t1"],
                                     "unsubscribed": False, "suppressed": False,
                                     "createdAt": moment(days=1), "updatedAt": moment(days=1)})
        self.audience.put_item(Item={"PK": "TAG#t1", "SK": f"SUB#{person}", "email": person,
                                     "taggedAt": moment(days=1)})
        self.audience.put_item(Item={"PK": f"SUB#{person}", "SK": "EXEC#onboarding",
                                     "executionArn": "arn:1", "sequenceId": "onboarding",
                                     "startedAt": moment(days=1), "transactional": False})
        self.audience.put_item(Item={"PK": "EXEC#onboarding", "SK": f"SUB#{person}",
                                     "email": person, "executionArn": "arn:1",
                                     "startedAt": moment(days=1), "transactional": False})
        self.logs(person, moment(minutes=4), "theirs/hello")
        self.happens(person, "open", moment(minutes=3))
        exported = self.ask("GET", f"/v1/people/{person}/export").body.decode()
        for word in ("EXEC#onboarding", "theirs/hello", "0102-abc", "EVT#", '"plan"'):
            self.assertIn(word, exported)
        self.assertEqual(self.ask("DELETE", f"/v1/people/{person}").status, 204)
        for table in (self.audience, self.events):
            left = [row for row in table.scan(ConsistentRead=True)["Items"]
                    if person in f"{row['PK']} {row['SK']}"]
            self.assertEqual(left, [])

    def test_its_executions_and_broadcasts_are_found_as_it_wrote_them(self):
        for number in range(5):
            person = f"x{number}@theirs.example"
            self.audience.put_item(Item={"PK": "EXEC#drip", "SK": f"SUB#{person}",
                                         "email": person, "executionArn": f"arn:{number}"})
            self.audience.put_item(Item={"PK": f"SUB#{person}", "SK": "EXEC#drip",
                                         "sequenceId": "drip", "executionArn": f"arn:{number}"})
            at = f"2026-0{number + 1}-01T00:00:00.000Z"
            self.audience.put_item(Item={"PK": "BROADCAST", "SK": f"{at}#b{number}",
                                         "broadcastId": f"b{number}", "sentAt": at,
                                         "audienceSize": number})
        count = self.audience.query(KeyConditionExpression=Key("PK").eq("EXEC#drip"),
                                    Select="COUNT")["Count"]
        self.assertEqual(count, 5)
        one = self.audience.get_item(Key={"PK": "SUB#x3@theirs.example", "SK": "EXEC#drip"})
        self.assertEqual(one["Item"]["executionArn"], "arn:3")
        of_person = self.all_of(self.audience, Key("PK").eq("SUB#x3@theirs.example")
                                & Key("SK").begins_with("EXEC#"))
        self.assertEqual([row["SK"] for row in of_person], ["EXEC#drip"])
        newest = self.audience.query(KeyConditionExpression=Key("PK").eq("BROADCAST"),
                                     ScanIndexForward=False, Limit=2)["Items"]
        self.assertEqual([row["broadcastId"] for row in newest], ["b4", "b3"])
        dated = self.all_of(self.audience, Key("PK").eq("BROADCAST")
                            & Key("SK").between("2026-02-01", "2026-04-01"))
        self.assertEqual([row["broadcastId"] for row in dated], ["b1", "b2"])

    def test_its_counters_and_ours_are_added_up(self):
        self.happens("n@theirs.example", "delivery", moment(minutes=1))
        before = self.counters("theirs")["deliveryCount"]
        mail = self.post(email(to="o@theirs.example", engagement={
            "template_key": "theirs/one", "sequence_id": "theirs"}))
        self.eventually(lambda: self.counters("theirs")["deliveryCount"],
                        lambda count: count == before + 1)
        listed = self.shown("/v1/engagement/events?sequence=theirs&type=delivery")["items"]
        self.assertEqual(listed[0]["mailroomMailId"], mail)


if __name__ == "__main__":
    unittest.main()
