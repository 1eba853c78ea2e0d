"""Mails that other programs put into the table, with their own statements: they are sent, once."""

import json
import pathlib
import tempfile
import unittest
import uuid

import boto3

import server
from outbox_case import OutboxCase, Sink, email

META = "_META"
TABLE = "EmailOutbox"
NOW = "2026-03-17T10:30:00Z"
UPDATE_META = (f'UPDATE "{TABLE}" SET Attributes.Latest=?, Attributes.UpdatedAt=?, '
               'Attributes.Reason=? \nWHERE Id=? AND Status=?')
INSERT = f'INSERT INTO "{TABLE}" VALUE {{\'Id\': ?, \'Status\': ?, \'Attributes\': ?}}'


def text(*values):
    return [{"S": value} for value in values]


class Seed:
    """The programs of the seed, as far as their table and their files go."""

    def __init__(self, endpoint, directory):
        self.client = boto3.client("dynamodb", endpoint_url=endpoint, region_name=server.REGION,
                                   aws_access_key_id=server.ACCESS_KEY,
                                   aws_secret_access_key=server.SECRET_KEY)
        self.directory = pathlib.Path(directory)

    def payload(self, identifier, **members):
        path = self.directory / f"{identifier}.json"
        path.write_text(json.dumps({
            "id": identifier, "from": "a@example.com", "reply_to": "a@example.com",
            "to": "b@example.org", "subject": f"Ciao {identifier}", "body_html": "",
            "body_text": "Riga", "attachments": None, "custom_headers": None, **members}))
        return str(path)

    @staticmethod
    def meta(path):
        return {"Latest": {"S": "ACCEPTED"}, "CreatedAt": {"S": NOW}, "UpdatedAt": {"S": NOW},
                "PayloadFilePath": {"S": path}, "TTL": {"N": "1900000000"}}

    def accept_by_statements(self, identifier, path):
        self.client.execute_transaction(TransactStatements=[
            {"Statement": INSERT, "Parameters": text(identifier, META) + [{"M": self.meta(path)}]},
            {"Statement": INSERT, "Parameters": text(identifier, "ACCEPTED")
             + [{"M": {"TTL": {"N": "1900000000"}}}]}])

    def accept_by_one_statement(self, identifier, path):
        self.client.execute_statement(Statement=INSERT, Parameters=text(identifier, META)
                                      + [{"M": self.meta(path)}])

    def accept_by_put(self, identifier, path):
        self.client.put_item(TableName=TABLE, Item=self.item(identifier, path))

    def accept_by_transaction(self, identifier, path):
        self.client.transact_write_items(TransactItems=[
            {"Put": {"TableName": TABLE, "Item": self.item(identifier, path)}},
            {"Put": {"TableName": TABLE, "Item": {
                "Id": {"S": identifier}, "Status": {"S": "ACCEPTED"}, "Attributes": {"M": {}}}}}])

    def accept_by_batch(self, identifier, path):
        self.client.batch_write_item(RequestItems={
            TABLE: [{"PutRequest": {"Item": self.item(identifier, path)}}]})

    def item(self, identifier, path):
        return {"Id": {"S": identifier}, "Status": {"S": META},
                "Attributes": {"M": self.meta(path)}, "TTL": {"N": "1900000000"}}

    def move(self, identifier, state, reason=""):
        self.client.execute_transaction(TransactStatements=[
            {"Statement": UPDATE_META, "Parameters": text(state, NOW, reason, identifier, META)},
            {"Statement": INSERT, "Parameters": text(identifier, state) + [{"M": {}}]}])


class OtherPrograms(OutboxCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.directory.cleanup)
        cls.sink = Sink()
        cls.addClassCleanup(cls.sink.stop)
        cls.arguments = ("--transport", f"smtp://{cls.sink.address}")
        cls.settings = {"MAILROOM_OUTBOX_SHARED_DIRECTORY": cls.directory.name}
        super().setUpClass()

    def setUp(self):
        self.seed = Seed(self.server.endpoint, self.directory.name)

    def received(self, identifier):
        return [mail for mail in self.sink.received() if f"Ciao {identifier}".encode() in mail]

    def counted(self, state):
        return self.ask("GET", "/v1/outbox/stats").json["states"][state]

    def test_a_mail_put_there_in_any_way_is_sent_once(self):
        for accept in (self.seed.accept_by_statements, self.seed.accept_by_one_statement,
                       self.seed.accept_by_put, self.seed.accept_by_transaction,
                       self.seed.accept_by_batch):
            with self.subTest(accept.__name__):
                identifier = str(uuid.uuid4())
                accept(identifier, self.seed.payload(identifier))
                mail = self.settled(identifier)
                self.assertEqual(mail["state"], "SENT", mail)
                self.assertEqual(len(self.received(identifier)), 1)
                self.assertEqual(mail["recipients"][0]["address"], "b@example.org")
                listed = self.ask("GET", "/v1/emails?state=SENT&limit=1000").json["items"]
                self.assertIn(identifier, [each["id"] for each in listed])

    def test_many_at_once_and_mails_of_our_own_are_all_sent_once(self):
        identifiers = [str(uuid.uuid4()) for _ in range(60)]
        own = []
        for identifier in identifiers:
            self.seed.accept_by_statements(identifier, self.seed.payload(identifier))
            own.append(self.post(email(subject=f"own {identifier}")))
        for identifier in identifiers + own:
            self.assertEqual(self.settled(identifier)["state"], "SENT")
        for identifier in identifiers:
            self.assertEqual(len(self.received(identifier)), 1)

    def test_steps_of_another_program_are_followed(self):
        identifier = str(uuid.uuid4())
        self.seed.client.put_item(TableName=TABLE, Item={
            "Id": {"S": identifier}, "Status": {"S": META}, "Attributes": {"M": {
                "Latest": {"S": "PROCESSING"}, "UpdatedAt": {"S": NOW}}}})
        before = self.counted("FAILED")
        self.seed.move(identifier, "FAILED", "SMTP error 550: no such user")
        self.eventually(lambda: self.counted("FAILED"), lambda seen: seen == before + 1)
        self.assertEqual(self.shown(identifier)["reason"], "SMTP error 550: no such user")
        listed = self.ask("GET", "/v1/emails?state=FAILED&limit=1000").json["items"]
        self.assertIn(identifier, [each["id"] for each in listed])

    def test_odd_rows_are_understood_or_shown_and_stop_nobody(self):
        rows = {
            "no attributes": {},
            "attributes no map": {"Attributes": {"S": "x"}},
            "unknown state": {"Attributes": {"M": {"Latest": {"S": "SOMEWHERE"}}}},
            "state no text": {"Attributes": {"M": {"Latest": {"N": "5"}}}},
            "no payload": {"Attributes": {"M": {"Latest": {"S": "ACCEPTED"}}}},
            "payload no text": {"Attributes": {"M": {"Latest": {"S": "ACCEPTED"},
                                                     "PayloadFilePath": {"BOOL": True}}}},
            "payload outside": {"Attributes": {"M": {
                "Latest": {"S": "ACCEPTED"}, "PayloadFilePath": {"S": "/etc/passwd"}}}},
            "times no times": {"Attributes": {"M": {
                "Latest": {"S": "ACCEPTED"}, "CreatedAt": {"N": "1"}, "UpdatedAt": {"S": "soon"},
                "PayloadFilePath": {"S": "nowhere"}}}, "TTL": {"S": "never"}},
            "our own, wrong": {"Attributes": {"M": {"Latest": {"S": "READY"}}},
                               "Recipients": {"N": "1"}, "Job": {"S": "?"}, "Stream": {"N": "2"}},
            "i" * 1000: {"Attributes": {"M": {"Latest": {"S": "ACCEPTED"}}}},
        }
        broken = pathlib.Path(self.directory.name) / "broken.json"
        broken.write_bytes(b"\xff{")
        rows["payload no JSON"] = {"Attributes": {"M": {
            "Latest": {"S": "ACCEPTED"}, "PayloadFilePath": {"S": str(broken)}}}}
        for name, row in rows.items():
            with self.subTest(name[:30]):
                self.seed.client.put_item(TableName=TABLE, Item={
                    "Id": {"S": name}, "Status": {"S": META}, **row})
                path = "/v1/emails/" + name.replace(" ", "%20")
                mail = self.eventually(lambda path=path: self.ask("GET", path).json,
                                       lambda seen: seen.get("state") == "INVALID")
                self.assertTrue(mail["reason"])
                self.assertEqual(self.ask("GET", path + "/raw").status, 404)
                for action in ("cancel", "resolve"):
                    body = {"as": "sent"} if action == "resolve" else None
                    self.assertIn(self.ask("POST", f"{path}/{action}", body).status, (404, 409))
        for path in ("/v1/emails?limit=1000", "/v1/emails?state=INVALID", "/v1/outbox/stats"):
            self.assertEqual(self.ask("GET", path).status, 200)
        identifier = str(uuid.uuid4())
        self.seed.accept_by_statements(identifier, self.seed.payload(identifier))
        self.assertEqual(self.settled(identifier)["state"], "SENT")

    def test_what_was_written_when_the_server_was_killed_is_sent(self):
        identifiers = [str(uuid.uuid4()) for _ in range(5)]
        for identifier in identifiers:
            self.seed.accept_by_statements(identifier, self.seed.payload(identifier))
        self.server.kill()
        self.server.start()
        for identifier in identifiers:
            mail = self.settled(identifier) if not self.held(identifier) else None
            if mail:
                self.assertEqual(mail["state"], "SENT")
            self.assertLessEqual(len(self.received(identifier)), 1)

    def held(self, identifier):
        """A mail that was on its way when the server was killed waits for a person."""
        mail = self.eventually(lambda: self.shown(identifier),
                               lambda seen: seen["held"] or seen["state"] in ("SENT", "FAILED"))
        return mail["held"]


class Pauses(OutboxCase):
    def test_a_pause_holds_mails_back_over_a_restart_and_says_who_and_why(self):
        answer = self.ask("POST", "/v1/outbox/pauses",
                          {"scope": "domain:example.org", "reason": "their server is ill"})
        self.assertEqual(answer.status, 201, answer.body)
        waiting = self.post(email())
        other = self.post(email(to="ann@example.net"))
        self.assertEqual(self.settled(other)["state"], "SENT")
        self.eventually(lambda: self.shown(waiting), lambda mail: mail.get("paused"))
        self.server.kill()
        self.server.start()
        self.assertEqual(self.shown(waiting)["state"], "READY")
        pause, = self.ask("GET", "/v1/outbox/pauses").json["items"]
        self.assertEqual(pause["reason"], "their server is ill")
        self.assertTrue(pause["by"])
        self.assertEqual(len(self.ask("GET", "/v1/outbox/stats").json["pauses"]), 1)
        metrics = self.ask("GET", "/metrics", key=None).body.decode()
        self.assertIn('mailroom_outbox_pauses{kind="domain"} 1', metrics)
        answer = self.ask("DELETE", "/v1/outbox/pauses/domain:example.org?reason=well")
        self.assertEqual(answer.status, 200, answer.body)
        self.assertEqual(self.settled(waiting)["state"], "SENT")
        self.eventually(lambda: self.ask("GET", "/v1/outbox/pauses").json["items"],
                        lambda items: items == [])

    def test_refusals(self):
        for body, status in (({"scope": "all"}, 400), ({"scope": "x", "reason": "y"}, 400),
                             ({"scope": "all", "reason": ""}, 400),
                             ({"scope": "all", "reason": "y", "until": "z"}, 400)):
            self.assertEqual(self.ask("POST", "/v1/outbox/pauses", body).status, status, body)
        self.assertEqual(self.ask("DELETE", "/v1/outbox/pauses/all").status, 404)
        self.assertEqual(self.ask("DELETE", "/v1/outbox/pauses/everything").status, 400)
        key = self.ask("POST", "/v1/keys", {"name": "s", "scopes": ["send", "read"]}).json["key"]
        self.assertEqual(self.ask("POST", "/v1/outbox/pauses", {"scope": "all", "reason": "y"},
                                  key=key).status, 403)


if __name__ == "__main__":
    unittest.main()
