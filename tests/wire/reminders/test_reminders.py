"""From demo data to captured mail, and what the schema's own queries find of it."""

import datetime
import http.server
import itertools
import json
import os
import pathlib
import subprocess
import sys
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor, as_completed
from decimal import Decimal

import boto3
from boto3.dynamodb.conditions import Key

WIRE = pathlib.Path(__file__).resolve().parent.parent
# Its own folder first: the outbox has a test_transcript, too.
sys.path[:0] = [str(WIRE / "reminders"), str(WIRE), str(WIRE / "outbox")]

import server  # pylint: disable=wrong-import-position
from outbox_case import KEY, OutboxCase  # pylint: disable=wrong-import-position

DRAFTS = "/v1/reminders/drafts"


def today(days=0):
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=days)
    return moment.strftime("%Y-%m-%d")


class ReminderCase(OutboxCase):
    def get(self, path):
        answer = self.ask("GET", path)
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json

    def add_customer(self, name, days_overdue=10):
        made = self.ask("POST", "/v1/reminders/customers", {
            "customer_id": name, "name": name.title(),
            "email": f"{name}@example.com"})
        self.assertEqual(made.status, 201, made.body)
        made = self.ask("POST", "/v1/reminders/invoices", {
            "invoice_id": f"INV-{name}", "customer_id": name, "amount": 1500.25,
            "due_date": today(-days_overdue)})
        self.assertEqual(made.status, 201, made.body)

    def draft(self, name):
        made = self.ask("POST", DRAFTS, {"customer_id": name})
        self.assertEqual(made.status, 201, made.body)
        return made.json

    def approve(self, draft, **options):
        return self.ask("POST", f"{DRAFTS}/{draft['draft_id']}/approve",
                        {"version": draft["version"]}, **options)

    def sent(self, name):
        return self.eventually(
            lambda: self.get(f"/v1/reminders/sent?customer_id={name}")["items"], len)

    def captured_to(self, address):
        return [mail for mail in self.get("/v1/captured?limit=1000")["items"]
                if address in mail["recipients"]]


class Morning(ReminderCase):
    """What the README's tour does."""

    def test_from_demo_data_to_captured_mail(self):
        host, port = self.server.http
        environment = {**os.environ, "MAILROOM_ADMIN_KEY": KEY}
        loaded = subprocess.run([self.server.binary, "demo", "--http", f"{host}:{port}"],
                                env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(loaded.returncode, 0, loaded.stderr)
        due = self.get("/v1/reminders/due?allowed=true")["items"]
        self.assertEqual([each["customer_id"] for each in due],
                         ["cust_002", "cust_005", "cust_001", "cust_003"])
        bulk = self.ask("POST", DRAFTS, {"customer_ids": [each["customer_id"] for each in due]})
        self.assertEqual(bulk.json["drafted"], 4, bulk.body)
        for draft in self.get(f"{DRAFTS}?status=draft")["items"]:
            self.assertEqual(self.approve(draft).status, 200)
        self.eventually(lambda: self.get(f"{DRAFTS}?status=sent")["items"],
                        lambda drafts: len(drafts) == 4)
        subjects = [mail["subject"] for mail in self.captured_to("john@example.com")]
        self.assertEqual(subjects, ["Payment Reminder: Invoice INV-001 - Mailroom"])
        again = self.get("/v1/reminders/due")["items"]
        self.assertEqual({each["decision"]["code"] for each in again}, {"predecessor_too_recent"})
        late = self.get("/v1/reminders/late-payers")["items"]
        self.assertEqual([each["customer_id"] for each in late], ["cust_005"])
        total = self.get("/v1/reminders/stats")["total"]
        self.assertEqual((total["emails_sent"], total["first_reminders"]), (4, 4))


class SchemaQueries(ReminderCase):
    """The schema's four access patterns, with boto3 on the table of a running server."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = boto3.resource(
            "dynamodb", endpoint_url=cls.server.endpoint, region_name=server.REGION,
            aws_access_key_id=server.ACCESS_KEY,
            aws_secret_access_key=server.SECRET_KEY).Table("EmailTrackingTable")

    def test_drafts_pending_approval(self):
        self.add_customer("pending")
        draft = self.draft("pending")
        found = [item for item in self.table.query(
            IndexName="GSI1", KeyConditionExpression=Key("GSI1PK").eq("STATUS#draft"))["Items"]
                 if item["customer_id"] == "pending"]
        self.assertEqual(len(found), 1)
        item = found[0]
        self.assertEqual(item["SK"], "DRAFT#" + draft["draft_id"])
        self.assertEqual(item["GSI1SK"], item["created_date"])
        self.assertRegex(item["created_date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual(item["overdue_amount"], Decimal("1500.25"))
        self.assertEqual(item["overdue_invoices"], ["INV-pending"])
        for name in ("customer_name", "customer_email", "reminder_type", "email_subject",
                     "email_content", "status", "created_by"):
            self.assertIsInstance(item[name], str, name)

    def test_history_recent_mails_and_mails_of_a_time(self):
        self.add_customer("history")
        self.assertEqual(self.approve(self.draft("history")).status, 200)
        self.sent("history")
        items = self.table.query(KeyConditionExpression=Key("PK").eq("CUSTOMER#history") &
                                 Key("SK").begins_with("SENT#"))["Items"]
        self.assertEqual(len(items), 1)
        item = items[0]
        self.assertRegex(item["SK"], r"^SENT#\d{8}_\d{6}_first$")
        self.assertEqual((item["status"], item["delivery_status"]), ("sent", "sent"))
        self.assertEqual(item["approved_by"], "admin")

        def recent(reminder_type, cutoff):
            return self.table.query(
                KeyConditionExpression="PK = :pk",
                FilterExpression="reminder_type = :reminder_type AND sent_date > :cutoff_date",
                ExpressionAttributeValues={":pk": "CUSTOMER#history",
                                           ":reminder_type": reminder_type,
                                           ":cutoff_date": cutoff})["Items"]
        self.assertEqual(recent("first", today(-7) + "T00:00:00"), [item])
        self.assertEqual(recent("second", today(-7) + "T00:00:00"), [])
        self.assertEqual(recent("first", today(1) + "T00:00:00"), [])

        def between(start, end):
            page = self.table.query(
                IndexName="GSI1", KeyConditionExpression=Key("GSI1PK").eq("STATUS#sent") &
                Key("GSI1SK").between(start, end))
            return [each["SK"] for each in page["Items"] if each["customer_id"] == "history"]
        self.assertEqual(between(today(-1), today(1)), [item["SK"]])
        self.assertEqual(between(today(1), today(2)), [])

    def test_templates_are_there(self):
        found = self.table.get_item(Key={"PK": "TEMPLATE#reminder_first", "SK": "VERSION#1"})
        item = found["Item"]
        self.assertEqual((item["GSI1PK"], item["status"], item["version"]),
                         ("STATUS#active", "active", 1))
        self.assertEqual(item["template_type"], "first_reminder")
        self.assertIn("{{ customer_name }}", item["body_template"])


class Crowds(ReminderCase):
    def test_fifty_parallel_drafts_are_one(self):
        self.add_customer("crowd")
        with ThreadPoolExecutor(50) as pool:
            answers = list(pool.map(
                lambda _: self.ask("POST", DRAFTS, {"customer_id": "crowd"}), range(50)))
        self.assertEqual(sorted(answer.status for answer in answers), [201] + [409] * 49)
        made = next(answer.json for answer in answers if answer.status == 201)
        for answer in answers:
            if answer.status == 409:
                self.assertEqual(answer.json["error"]["code"], "draft_exists")
                self.assertEqual(answer.json["error"]["details"]["draft_id"], made["draft_id"])

    def test_twenty_parallel_approvals_are_one_mail(self):
        self.add_customer("panel")
        draft = self.draft("panel")
        with ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(lambda _: self.approve(draft), range(20)))
        self.assertEqual(sorted(answer.status for answer in answers), [200] + [409] * 19)
        self.sent("panel")
        self.assertEqual(len(self.captured_to("panel@example.com")), 1)


class Model(http.server.BaseHTTPRequestHandler):
    """Answers as the chat completions of OpenAI do, or with 500 when it is `down`; a request about
    somebody slow waits until `released`."""

    down = False
    released = threading.Event()

    def do_POST(self):  # pylint: disable=invalid-name
        length = int(self.headers["Content-Length"])
        told, data = json.loads(self.rfile.read(length))["messages"]
        if "slow" in data["content"]:
            Model.released.wait(60)
        known = told["role"] == "system" and data["role"] == "user" and \
            '"invoice_id":"INV-' in data["content"] and "INV-" not in told["content"]
        text = f"SUBJECT: Past due\r\n\nDear friend, {known}. [Your Name]"
        body = json.dumps({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]})
        self.send_response(500 if Model.down else 200)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass


class WrittenByAModel(ReminderCase):
    @classmethod
    def setUpClass(cls):
        cls.model = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
        threading.Thread(target=cls.model.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.model.server_close)
        cls.addClassCleanup(cls.model.shutdown)
        port = cls.model.server_address[1]
        cls.settings = {"MAILROOM_REMINDERS_AI_URL": f"http://127.0.0.1:{port}/v1/chat/completions",
                        "MAILROOM_REMINDERS_WRITER": "ai"}
        super().setUpClass()

    def test_a_model_writes_and_its_failure_is_no_draft(self):
        self.add_customer("told")
        draft = self.draft("told")
        self.assertEqual(draft["email_subject"], "Past due")
        self.assertEqual(draft["email_content"], "Dear friend, True. [Your Name]")
        self.assertEqual(draft["created_by"], "ai_system")
        self.assertEqual([each["code"] for each in draft["warnings"]], ["placeholder"])
        self.add_customer("untold")
        Model.down = True
        self.addCleanup(setattr, Model, "down", False)
        refused = self.ask("POST", DRAFTS, {"customer_id": "untold"})
        self.assertEqual(refused.status, 502, refused.body)
        self.assertEqual(refused.json["error"]["code"], "ai_unavailable")
        self.assertEqual(self.ask("POST", DRAFTS, {"customer_id": "untold", "fallback": True})
                         .json["created_by"], "template")

    def test_a_slow_model_holds_up_nobody(self):
        names = [f"slow{number}" for number in range(24)]
        for name in names:
            self.add_customer(name)
        self.addCleanup(Model.released.set)
        with ThreadPoolExecutor(24) as pool:
            drafts = [pool.submit(self.ask, "POST", DRAFTS, {"customer_id": name})
                      for name in names]
            # All but eight are sent away, and while those wait everything else is answered.
            refused = [each.result() for each in itertools.islice(as_completed(drafts), 16)]
            self.assertEqual(self.ask("GET", DRAFTS).status, 200)
            self.add_customer("quick")
            quick = self.ask("POST", DRAFTS, {"customer_id": "quick", "writer": "template"})
            self.assertEqual(quick.status, 201, quick.body)
            self.assertEqual(self.approve(quick.json).status, 200)
            self.assertEqual(sum(each.done() for each in drafts), 16)
            Model.released.set()
            self.assertEqual({each.status for each in refused}, {503})
            self.assertEqual({each.json["error"]["code"] for each in refused}, {"ai_busy"})
            self.assertEqual(sorted(each.result().status for each in drafts),
                             [201] * 8 + [503] * 16)


if __name__ == "__main__":
    unittest.main()
