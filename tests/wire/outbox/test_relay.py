"""Mails that leave through a relay, and the news of them."""

import base64
import hashlib
import hmac
import http.server
import json
import threading
import unittest
import uuid

import boto3

import server as servers
from outbox_case import OutboxCase, Sink, email, tomorrow

UPDATE_META = ('UPDATE "EmailOutbox" SET Attributes.Latest=?, Attributes.UpdatedAt=?, '
               'Attributes.Reason=? \nWHERE Id=? AND Status=?')
BY_STATUS = ('SELECT Id, Status, Attributes FROM "EmailOutbox"."StatusIndex" \n'
             'WHERE Status=? AND Attributes.Latest =?')


class CallbackServer(http.server.ThreadingHTTPServer):
    """Answers each POST with the next of `statuses`, then 200, and keeps what it got."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _CallbackHandler)
        self.calls, self.statuses = [], []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/news"


class _CallbackHandler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.calls.append((dict(self.headers.items()), body))
        statuses = self.server.statuses
        self.send_response(statuses.pop(0) if statuses else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Relay(OutboxCase):
    @classmethod
    def setUpClass(cls):
        cls.sink = Sink("--obey-addresses", "--drop", "end@held.example.org")
        cls.addClassCleanup(cls.sink.stop)
        cls.callbacks = CallbackServer()
        cls.addClassCleanup(cls.callbacks.server_close)
        cls.addClassCleanup(cls.callbacks.shutdown)
        cls.arguments = ("--transport", f"smtp://{cls.sink.address}")
        cls.settings = {"MAILROOM_NET_ALLOW": "127.0.0.0/8"}
        super().setUpClass()

    def tables(self):
        return boto3.client("dynamodb", endpoint_url=self.server.endpoint,
                            region_name=servers.REGION, aws_access_key_id="local",
                            aws_secret_access_key="local")

    def calls_about(self, identifier):
        return [(headers, body) for headers, body in list(self.callbacks.calls)
                if json.loads(body)["id"] == identifier]

    def test_a_mail_reaches_the_relay_once_with_its_message_id(self):
        mail = self.settled(self.post(email(subject=str(uuid.uuid4()))))
        self.assertEqual(mail["state"], "SENT")
        mine = [message for message in self.sink.received()
                if mail["message_id"].encode() in message]
        self.assertEqual(len(mine), 1)
        self.assertTrue(any("transcript" in entry for entry in mail["timeline"]), mail["timeline"])

    def test_what_the_relay_refuses_for_good_fails_with_its_words(self):
        mail = self.settled(self.post(email(to=["bounce-550@example.org"])))
        self.assertEqual(mail["state"], "FAILED")
        self.assertTrue(mail["reason"].startswith("SMTP error 550"), mail["reason"])
        self.assertEqual(mail["recipients"][0]["code"], 550)

    def test_what_it_refuses_for_now_waits_and_can_be_cancelled(self):
        identifier = self.post(email(to=["bounce-451@example.org"]))
        mail = self.eventually(lambda: self.shown(identifier), lambda seen: any(
            entry.get("event") == "attempt" for entry in seen["timeline"]))
        self.assertEqual(mail["state"], "READY")
        self.assertEqual(mail["attempts"], 1)
        self.assertEqual(self.ask("POST", f"/v1/emails/{identifier}/cancel").status, 200)

    def test_a_mail_that_may_have_arrived_is_held_until_a_person_decides(self):
        rows = [("retry", None, "PROCESSING"), ("resolve", {"as": "sent"}, "SENT")]
        for action, body, state in rows:
            with self.subTest(action):
                identifier = self.post(email(to=["ann@held.example.org"]))
                mail = self.eventually(lambda: self.shown(identifier), lambda seen: seen["held"])
                self.assertEqual(mail["state"], "PROCESSING")
                self.assertTrue(mail["reason"].startswith("unknown:"), mail["reason"])
                self.assertEqual(mail["recipients"][0]["state"], "unknown")
                held = self.ask("GET", "/v1/emails?held=true").json["items"]
                self.assertIn(identifier, [item["id"] for item in held])
                self.assertEqual(
                    self.ask("POST", f"/v1/emails/{identifier}/{action}", body).status, 200)
                # The relay drops the second attempt as well.
                self.eventually(lambda: self.shown(identifier), lambda seen:
                                seen["state"] == state and seen["held"] == (action == "retry"))

    def test_callbacks_are_signed_and_acknowledged(self):
        identifier = self.post(email(callback_url=self.callbacks.url(), metadata={"order": 7}))
        mail = self.eventually(lambda: self.shown(identifier),
                               lambda seen: seen["state"] == "SENT-ACKNOWLEDGED")
        self.assertEqual(len(mail["callbacks"]), 1)
        (headers, body), = self.calls_about(identifier)
        self.assertEqual(json.loads(body)["metadata"], {"order": 7})
        secret = self.ask("GET", "/v1/outbox/callback-secret").json["secret"]
        key = base64.b64decode(secret.removeprefix("whsec_"))
        lower = {name.lower(): value for name, value in headers.items()}
        signed = f"{lower['webhook-id']}.{lower['webhook-timestamp']}.".encode() + body
        wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        self.assertEqual(lower["webhook-signature"], f"v1,{wanted}")

    def test_the_statements_of_the_seed_find_and_move_our_mails(self):
        identifier = self.settled(self.post(email()))["id"]
        client = self.tables()
        found, options = [], {}
        while True:
            page = client.execute_statement(
                Statement=BY_STATUS, Parameters=[{"S": "_META"}, {"S": "SENT"}], **options)
            found += page["Items"]
            if "NextToken" not in page:
                break
            options["NextToken"] = page["NextToken"]
        mine, = [item for item in found if item["Id"]["S"] == identifier]
        self.assertEqual(mine["Attributes"]["M"]["Latest"]["S"], "SENT")
        self.assertRegex(mine["Attributes"]["M"]["UpdatedAt"]["S"],
                         r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        client.execute_statement(Statement=UPDATE_META, Parameters=[
            {"S": "SENT"}, {"S": "2026-03-17T10:30:00Z"}, {"S": "seen"}, {"S": identifier},
            {"S": "_META"}])
        self.assertEqual(self.shown(identifier)["reason"], "seen")

    def test_our_own_tables_are_out_of_reach(self):
        names = self.tables().list_tables()["TableNames"]
        self.assertIn("EmailOutbox", names)
        self.assertEqual([name for name in names if name.startswith("Mailroom")], [])

    def test_what_waits_survives_a_crash(self):
        identifier = self.post(email(send_at=tomorrow()))
        self.server.kill()
        self.server.start()
        self.assertEqual(self.shown(identifier)["state"], "READY")
        self.assertEqual(self.settled(self.post(email()))["state"], "SENT")


if __name__ == "__main__":
    unittest.main()
