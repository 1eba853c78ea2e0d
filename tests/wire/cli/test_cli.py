"""Every operation through the AWS CLI, as a person at a shell would do it.

Each start of the CLI costs about a second, so the tests are one story per group of operations.
"""

import json
import os
import shutil
import subprocess
import unittest

import server

# Debian's, where it is installed: another one earlier in the path may be of the first version.
AWS = "/usr/bin/aws" if os.path.exists("/usr/bin/aws") else shutil.which("aws")
COMMAND_SECONDS_MAX = 120


class CliCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = server.Server().start()
        cls.addClassCleanup(cls.server.stop)
        cls.environment = {
            "PATH": "/usr/bin:/bin", "HOME": cls.server.data, "AWS_PAGER": "",
            "AWS_ACCESS_KEY_ID": server.ACCESS_KEY, "AWS_SECRET_ACCESS_KEY": server.SECRET_KEY,
            "AWS_DEFAULT_REGION": server.REGION, "AWS_MAX_ATTEMPTS": "1",
            "AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": "/dev/null"}

    api = "dynamodb"

    def call(self, operation, *arguments, **named):
        """Runs `aws dynamodb operation`; named arguments that are not text are given as JSON."""
        command = [AWS, self.api, operation, "--endpoint-url", self.server.endpoint,
                   "--output", "json", *arguments]
        for name, value in named.items():
            command += ["--" + name.replace("_", "-"),
                        value if isinstance(value, str) else json.dumps(value)]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True,
                              timeout=COMMAND_SECONDS_MAX)

    def aws(self, operation, *arguments, **named):
        """The parsed answer of a command that must succeed."""
        done = self.call(operation, *arguments, **named)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout) if done.stdout.strip() else None

    def refused(self, words, operation, *arguments, **named):
        done = self.call(operation, *arguments, **named)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertIn(words, done.stderr)

    def create(self, name, *arguments):
        self.aws("create-table", "--attribute-definitions",
                 "AttributeName=customer,AttributeType=S",
                 "AttributeName=placed,AttributeType=N", "--key-schema",
                 "AttributeName=customer,KeyType=HASH", "AttributeName=placed,KeyType=RANGE",
                 "--billing-mode", "PAY_PER_REQUEST", *arguments, table_name=name)
        self.aws("wait", "table-exists", "--table-name", name)


class TableStory(CliCase):
    def test_a_table_is_made_changed_tagged_and_deleted(self):
        name = "Orders"
        self.create(name)
        self.assertIn(name, self.aws("list-tables")["TableNames"])
        table = self.aws("describe-table", table_name=name)["Table"]
        self.assertEqual(table["TableStatus"], "ACTIVE")
        arn = table["TableArn"]

        change = [{"Create": {"IndexName": "ByTotal", "Projection": {"ProjectionType": "ALL"},
                              "KeySchema": [{"AttributeName": "total", "KeyType": "HASH"}]}}]
        changed = self.aws("update-table", "--attribute-definitions",
                           "AttributeName=total,AttributeType=N", table_name=name,
                           global_secondary_index_updates=change)
        self.assertEqual(changed["TableDescription"]["GlobalSecondaryIndexes"][0]["IndexName"],
                         "ByTotal")

        self.aws("update-time-to-live", table_name=name,
                 time_to_live_specification="Enabled=true,AttributeName=ttl")
        described = self.aws("describe-time-to-live", table_name=name)["TimeToLiveDescription"]
        self.assertEqual(described["AttributeName"], "ttl")

        self.aws("tag-resource", "--tags", "Key=team,Value=mail", "Key=old,Value=x",
                 resource_arn=arn)
        self.aws("untag-resource", resource_arn=arn, tag_keys="old")
        self.assertEqual(self.aws("list-tags-of-resource", resource_arn=arn)["Tags"],
                         [{"Key": "team", "Value": "mail"}])

        self.aws("delete-table", table_name=name)
        self.aws("wait", "table-not-exists", "--table-name", name)
        self.refused("(ResourceNotFoundException)", "describe-table", table_name=name)


class BackupStory(CliCase):
    def test_a_table_is_backed_up_and_restored(self):
        self.create("Kept")
        item = {"customer": {"S": "ann"}, "placed": {"N": "1"}}
        self.aws("put-item", table_name="Kept", item=item)
        arn = self.aws("create-backup", table_name="Kept",
                       backup_name="nightly")["BackupDetails"]["BackupArn"]
        listed = self.aws("list-backups", table_name="Kept")["BackupSummaries"]
        self.assertEqual(listed[0]["BackupArn"], arn)
        described = self.aws("describe-backup", backup_arn=arn)["BackupDescription"]
        self.assertEqual(described["SourceTableDetails"]["TableName"], "Kept")
        self.aws("restore-table-from-backup", target_table_name="Copy", backup_arn=arn)
        self.aws("wait", "table-exists", "--table-name", "Copy")
        self.assertEqual(self.aws("get-item", table_name="Copy", key=item)["Item"], item)
        self.aws("delete-backup", backup_arn=arn)
        self.refused("(BackupNotFoundException)", "describe-backup", backup_arn=arn)

        self.aws("update-continuous-backups", table_name="Kept",
                 point_in_time_recovery_specification="PointInTimeRecoveryEnabled=true")
        self.aws("describe-continuous-backups", table_name="Kept")
        self.aws("restore-table-to-point-in-time", "--use-latest-restorable-time",
                 source_table_name="Kept", target_table_name="Now")
        self.aws("wait", "table-exists", "--table-name", "Now")
        self.assertEqual(self.aws("scan", table_name="Now")["Count"], 1)


class ServiceStory(CliCase):
    def test_calls_about_the_service_are_answered(self):
        self.create("Plain")
        self.assertGreater(self.aws("describe-limits")["TableMaxReadCapacityUnits"], 0)
        self.assertTrue(self.aws("describe-endpoints")["Endpoints"][0]["Address"])
        insights = self.aws("describe-contributor-insights", table_name="Plain")
        self.assertEqual(insights["ContributorInsightsStatus"], "DISABLED")
        kinesis = self.aws("describe-kinesis-streaming-destination", table_name="Plain")
        self.assertEqual(kinesis["KinesisDataStreamDestinations"], [])
        scaling = self.aws("describe-table-replica-auto-scaling", table_name="Plain")
        self.assertEqual(scaling["TableAutoScalingDescription"]["Replicas"], [])
        for operation, member in (("list-contributor-insights", "ContributorInsightsSummaries"),
                                  ("list-exports", "ExportSummaries"),
                                  ("list-global-tables", "GlobalTables"),
                                  ("list-imports", "ImportSummaryList")):
            self.assertEqual(self.aws(operation)[member], [], operation)


class StreamStory(CliCase):
    def test_a_stream_is_read(self):
        self.create("Watched", "--stream-specification",
                    "StreamEnabled=true,StreamViewType=NEW_IMAGE")
        item = {"customer": {"S": "ann"}, "placed": {"N": "1"}}
        self.aws("put-item", table_name="Watched", item=item)
        self.api = "dynamodbstreams"
        (stream,) = self.aws("list-streams", table_name="Watched")["Streams"]
        arn = stream["StreamArn"]
        described = self.aws("describe-stream", stream_arn=arn)["StreamDescription"]
        shard = described["Shards"][0]["ShardId"]
        iterator = self.aws("get-shard-iterator", stream_arn=arn, shard_id=shard,
                            shard_iterator_type="TRIM_HORIZON")["ShardIterator"]
        (record,) = self.aws("get-records", shard_iterator=iterator)["Records"]
        self.assertEqual(record["eventName"], "INSERT")
        self.assertEqual(record["dynamodb"]["NewImage"], item)


class ItemStory(CliCase):
    name = "Orders"

    def key(self, placed):
        return {"customer": {"S": "ann"}, "placed": {"N": str(placed)}}

    def test_items_are_written_read_and_refused(self):
        name = self.name
        self.create(name)
        self.aws("put-item", table_name=name, item={**self.key(1), "amount": {"N": "42"}})
        self.refused("(ConditionalCheckFailedException)", "put-item", table_name=name,
                     item=self.key(1), condition_expression="attribute_not_exists(customer)")
        answer = self.aws("update-item", table_name=name, key=self.key(1),
                          update_expression="SET amount = amount + :d",
                          expression_attribute_values={":d": {"N": "8"}},
                          return_values="UPDATED_NEW")
        self.assertEqual(answer["Attributes"], {"amount": {"N": "50"}})
        answer = self.aws("get-item", "--consistent-read", table_name=name, key=self.key(1))
        self.assertEqual(answer["Item"], {**self.key(1), "amount": {"N": "50"}})

        puts = [{"PutRequest": {"Item": self.key(number)}} for number in range(2, 12)]
        answer = self.aws("batch-write-item", request_items={name: puts})
        self.assertEqual(answer["UnprocessedItems"], {})
        answer = self.aws("batch-get-item",
                          request_items={name: {"Keys": [self.key(2), self.key(99)]}})
        self.assertEqual(answer["Responses"][name], [self.key(2)])

        answer = self.aws("query", "--no-scan-index-forward", "--page-size", "3", table_name=name,
                          key_condition_expression="customer = :c",
                          expression_attribute_values={":c": {"S": "ann"}})
        self.assertEqual([int(item["placed"]["N"]) for item in answer["Items"]],
                         list(range(11, 0, -1)))
        answer = self.aws("scan", "--select", "COUNT", "--segment", "0", "--total-segments", "1",
                          table_name=name)
        self.assertEqual(answer["Count"], 11)
        answer = self.aws("delete-item", table_name=name, key=self.key(11),
                          return_values="ALL_OLD")
        self.assertEqual(answer["Attributes"], self.key(11))

        self.aws("transact-write-items", transact_items=[
            {"Delete": {"TableName": name, "Key": self.key(10)}},
            {"Put": {"TableName": name, "Item": self.key(20)}}])
        answer = self.aws("transact-get-items", transact_items=[
            {"Get": {"TableName": name, "Key": self.key(number)}} for number in (10, 20)])
        self.assertEqual(answer["Responses"], [{}, {"Item": self.key(20)}])
        self.refused("(TransactionCanceledException)", "transact-write-items", transact_items=[
            {"ConditionCheck": {"TableName": name, "Key": self.key(10),
                                "ConditionExpression": "attribute_exists(customer)"}}])

        self.aws("execute-statement",
                 statement=f"INSERT INTO \"{name}\" VALUE {{'customer': 'bob', 'placed': 1}}")
        answer = self.aws("batch-execute-statement", statements=[
            {"Statement": f"SELECT * FROM \"{name}\" WHERE customer = 'bob' AND placed = 1"}])
        self.assertEqual(answer["Responses"][0]["Item"]["customer"], {"S": "bob"})
        self.aws("execute-transaction", transact_statements=[
            {"Statement": f"DELETE FROM \"{name}\" WHERE customer = 'bob' AND placed = 1"}])
        self.refused("(ValidationException)", "execute-statement", statement="SELECT nothing")


if __name__ == "__main__":
    unittest.main()
