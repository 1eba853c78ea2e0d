"""Access keys: requests are signed, and reach as far as the key's scope."""

import os
import subprocess
import tempfile
import unittest

import boto3
from botocore import UNSIGNED
from botocore.config import Config
from botocore.exceptions import ClientError

import server

_CONFIG = Config(retries={"max_attempts": 0}, read_timeout=60)


def make_key(data, *arguments):
    """Id and secret of a new access key."""
    made = subprocess.run([os.environ["MAILROOM_BINARY"], "key", "--data", data, "create", "test",
                           "--dynamodb", *arguments],
                          env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=True)
    pairs = dict(line.split("=", 1) for line in made.stdout.splitlines())
    return pairs["AWS_ACCESS_KEY_ID"], pairs["AWS_SECRET_ACCESS_KEY"]


class Signatures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="mailroom-keys-")
        cls.addClassCleanup(scratch.cleanup)
        data = os.path.join(scratch.name, "data")
        cls.everything = make_key(data)
        cls.reading = make_key(data, "--table", "Orders", "--read-only")
        cls.managing = make_key(data, "--manage")
        cls.server = server.Server(data=data, settings={"MAILROOM_DYNAMODB_AUTH": "sigv4"})
        cls.server.start()
        cls.addClassCleanup(cls.server.stop)
        client = cls.client(*cls.everything)
        for name in ("Invoices", "Orders", "People"):
            client.create_table(
                TableName=name, BillingMode="PAY_PER_REQUEST",
                StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
                KeySchema=[{"AttributeName": "p", "KeyType": "HASH"}],
                AttributeDefinitions=[{"AttributeName": "p", "AttributeType": "S"}])

    @classmethod
    def client(cls, key, secret, service="dynamodb", **more):
        return boto3.client(service, endpoint_url=cls.server.endpoint, region_name="eu-west-1",
                            aws_access_key_id=key, aws_secret_access_key=secret, config=_CONFIG,
                            **more)

    def refused(self, code, call, **arguments):
        with self.assertRaises(ClientError) as caught:
            call(**arguments)
        self.assertEqual(caught.exception.response["Error"]["Code"], code)

    def test_only_those_with_the_secret_come_in(self):
        key, secret = self.everything
        names = self.client(key, secret).list_tables()["TableNames"]
        self.assertLessEqual({"Orders", "People"}, set(names))
        self.assertNotIn("MailroomAccessKeys", names)
        self.client(key, secret, aws_session_token="token").list_tables()
        self.refused("InvalidSignatureException", self.client(key, "wrong").list_tables)
        self.refused("UnrecognizedClientException",
                     self.client("AKMRAAAAAAAAAAAAAAAA", secret).list_tables)
        unsigned = boto3.client("dynamodb", endpoint_url=self.server.endpoint,
                                region_name="eu-west-1",
                                config=_CONFIG.merge(Config(signature_version=UNSIGNED)))
        self.refused("MissingAuthenticationTokenException", unsigned.list_tables)

    def test_a_key_reaches_as_far_as_its_scope(self):
        reader = self.client(*self.reading)
        item = {"p": {"S": "a"}}
        self.client(*self.everything).put_item(TableName="Orders", Item=item)
        self.assertEqual(reader.get_item(TableName="Orders", Key=item)["Item"], item)
        self.assertEqual(reader.list_tables()["TableNames"], ["Orders"])
        self.refused("AccessDeniedException", reader.put_item, TableName="Orders", Item=item)
        self.refused("AccessDeniedException", reader.get_item, TableName="People", Key=item)
        self.refused("AccessDeniedException", reader.delete_table, TableName="Orders")

    def test_lists_tell_of_no_table_outside_the_scope(self):
        owner, reader = self.client(*self.everything), self.client(*self.reading)
        for name in ("Invoices", "Orders", "People"):
            owner.create_backup(TableName=name, BackupName="monday")
        streams = self.client(*self.reading, service="dynamodbstreams").list_streams(Limit=1)
        self.assertEqual([stream["TableName"] for stream in streams["Streams"]], ["Orders"])
        self.assertNotIn("LastEvaluatedStreamArn", streams)
        backups = reader.list_backups(Limit=1)
        self.assertEqual([backup["TableName"] for backup in backups["BackupSummaries"]],
                         ["Orders"])
        self.assertNotIn("LastEvaluatedBackupArn", backups)

    def test_the_servers_own_tables_are_changed_with_a_right_of_their_own(self):
        writer, manager = self.client(*self.everything), self.client(*self.managing)
        row = {"Id": {"S": "mine"}, "Status": {"S": "_META"}}
        writer.put_item(TableName="EmailOutbox", Item=row)
        writer.delete_item(TableName="EmailOutbox", Key=row)
        arn = writer.describe_table(TableName="EmailOutbox")["Table"]["TableArn"]
        for name in ("EmailOutbox", "EmailTrackingTable", arn):
            self.refused("AccessDeniedException", writer.delete_table, TableName=name)
            self.refused("AccessDeniedException", writer.update_table, TableName=name,
                         BillingMode="PAY_PER_REQUEST")
            self.refused("AccessDeniedException", writer.update_table, TableName=name,
                         GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "StatusIndex"}}])
            self.refused("AccessDeniedException", writer.update_table, TableName=name,
                         StreamSpecification={"StreamEnabled": False})
            self.refused("AccessDeniedException", writer.update_time_to_live, TableName=name,
                         TimeToLiveSpecification={"Enabled": False, "AttributeName": "TTL"})
            self.refused("AccessDeniedException", writer.update_continuous_backups, TableName=name,
                         PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": False})
        manager.update_table(TableName="EmailOutbox", BillingMode="PAY_PER_REQUEST")

    def test_a_program_that_makes_its_shared_table_at_each_start_is_told_that_it_is_there(self):
        writer, reader = self.client(*self.everything), self.client(*self.reading)
        keys = {"BillingMode": "PAY_PER_REQUEST",
                "KeySchema": [{"AttributeName": "Id", "KeyType": "HASH"},
                              {"AttributeName": "Status", "KeyType": "RANGE"}],
                "AttributeDefinitions": [{"AttributeName": "Id", "AttributeType": "S"},
                                         {"AttributeName": "Status", "AttributeType": "S"}]}
        for name in ("EmailOutbox", "EmailTrackingTable"):
            with self.assertRaises(writer.exceptions.ResourceInUseException):
                writer.create_table(TableName=name, **keys)
            self.refused("AccessDeniedException", reader.create_table, TableName=name, **keys)
        backup = writer.create_backup(TableName="EmailOutbox", BackupName="mine")
        self.refused("AccessDeniedException", writer.restore_table_from_backup,
                     TargetTableName="EmailOutbox",
                     BackupArn=backup["BackupDetails"]["BackupArn"])

    def test_no_key_makes_a_table_under_a_name_that_is_the_servers(self):
        for key in (self.everything, self.managing):
            client = self.client(*key)
            for name in ("MailroomKeys", "MailroomOfALaterYear"):
                self.refused("AccessDeniedException", client.create_table, TableName=name,
                             BillingMode="PAY_PER_REQUEST",
                             KeySchema=[{"AttributeName": "p", "KeyType": "HASH"}],
                             AttributeDefinitions=[{"AttributeName": "p", "AttributeType": "S"}])
                self.refused("ResourceNotFoundException", client.delete_table, TableName=name)


if __name__ == "__main__":
    unittest.main()
