"""What is measured, and the dashboard and rules that use it."""

import json
import pathlib
import re
import smtplib
import socket
import tempfile
import unittest

import boto3
import botocore.exceptions
import yaml

from outbox_case import KEY, OutboxCase, email

FILES = pathlib.Path(__file__).resolve().parents[3] / "docs" / "monitoring"
NAME = re.compile(r"\b(?:mailroom|process)_[a-z_]+\b")


def named(expression):
    """The metrics that an expression names."""
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in NAME.findall(expression)}


class Monitoring(OutboxCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.settings = {"MAILROOM_OUTBOX_BLOBS": folder.name, "MAILROOM_DYNAMODB_AUTH": "sigv4"}
        super().setUpClass()

    def metrics(self):
        """Values by name with labels."""
        text = self.ask("GET", "/metrics", key=None).body.decode()
        lines = [line for line in text.splitlines() if line and not line.startswith("#")]
        return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines}

    def families(self):
        text = self.ask("GET", "/metrics", key=None).body.decode()
        return set(re.findall(r"^# TYPE (\S+)", text, re.MULTILINE))

    def test_everything_that_the_dashboard_and_the_rules_name_is_measured(self):
        self.settled(self.post(email()))
        there = self.families()
        board = json.loads((FILES / "grafana.json").read_text())
        expressions = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
        rules = yaml.safe_load((FILES / "alerts.yml").read_text())
        alerts = [rule for group in rules["groups"] for rule in group["rules"]]
        expressions += [rule["expr"] for rule in alerts]
        self.assertGreater(len(expressions), 20)
        for expression in expressions:
            self.assertLessEqual(named(expression), there, expression)
        for rule in alerts:
            self.assertTrue(rule["annotations"]["summary"])
        page = (FILES.parent / "monitoring.md").read_text()
        for name in sorted(there):
            prefixes = ("mailroom_http", "mailroom_commit", "mailroom_store", "process")
            if not name.startswith(prefixes):
                self.assertIn(name, page)

    def test_logins_submission_deliveries_and_the_process_are_counted(self):
        before = self.metrics()
        self.ask("GET", "/v1/emails", key="not-a-key-of-anybody-1234")
        with smtplib.SMTP(*self.server.smtp_address) as client:
            client.ehlo()
            with self.assertRaises(smtplib.SMTPAuthenticationError):
                client.login("x", "not-a-key-of-anybody-1234")
        with smtplib.SMTP(*self.server.smtp_address) as client:
            client.login("x", KEY)
            client.sendmail("a@example.com", ["b@example.org"],
                            "From: a@example.com\r\nTo: b@example.org\r\n\r\nx\r\n")
        with self.assertRaises(botocore.exceptions.ClientError):
            boto3.client("dynamodb", endpoint_url=self.server.endpoint, region_name="us-east-1",
                         aws_access_key_id="NOBODY",
                         aws_secret_access_key="guessed").list_tables()
        self.settled(self.post(email()))
        after = self.eventually(
            self.metrics, lambda seen: seen["mailroom_outbox_delivery_seconds_count"]
            >= before["mailroom_outbox_delivery_seconds_count"] + 2)
        # The client tries one mechanism after the other.
        name = 'mailroom_failed_logins_total{listener="smtp"}'
        self.assertGreater(after[name], before[name])
        for name in ('mailroom_failed_logins_total{listener="http"}',
                     'mailroom_failed_logins_total{listener="dynamodb"}',
                     'mailroom_submission_messages_total{outcome="accepted"}'):
            self.assertEqual(after[name], before[name] + 1, name)
        for name in ("process_resident_memory_bytes", "process_cpu_seconds_total",
                     "process_open_fds", "process_start_time_seconds", "mailroom_disk_free_bytes"):
            self.assertGreater(after[name], 0, name)
        self.assertTrue(any(name.startswith("mailroom_build_info{version=") for name in after))


class WithoutARelay(OutboxCase):
    """Nobody listens where the relay should be."""

    @classmethod
    def setUpClass(cls):
        taken = socket.socket()
        cls.addClassCleanup(taken.close)
        taken.bind(("127.0.0.1", 0))  # And does not listen.
        cls.arguments = ("--transport", f"smtp://127.0.0.1:{taken.getsockname()[1]}")
        cls.settings = {"MAILROOM_OUTBOX_RETRY_FIRST_SECONDS": "3600"}
        super().setUpClass()

    metrics = Monitoring.metrics

    def test_the_age_of_what_waits_grows_while_it_is_not_due(self):
        self.post(email())
        age = "mailroom_outbox_oldest_waiting_seconds"
        first = self.eventually(self.metrics, lambda seen: seen[age] > 0)
        second = self.eventually(self.metrics, lambda seen: seen[age] > first[age])
        self.assertGreater(second["mailroom_outbox_turned_away_total"], 0)
        self.assertEqual(second["mailroom_outbox_connections"], 0)
        self.assertEqual(
            second['mailroom_outbox_oldest_due_seconds{queue="outbox.send.transactional"}'], 0)


if __name__ == "__main__":
    unittest.main()
