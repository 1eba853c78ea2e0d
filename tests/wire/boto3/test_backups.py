"""Backups on demand and of any moment, and the tables that are made from them."""

import time
import unittest

from wire_case import WireCase, index


class Backups(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = cls.new_table(types={"p": "S", "s": "S", "g": "S"},
                                  GlobalSecondaryIndexes=[index("ByG", "g")])
        with cls.resource.Table(cls.table).batch_writer() as writer:
            for n in range(100):
                writer.put_item(Item={"p": str(n % 7), "s": str(n), "g": str(n % 3), "n": n})

    def items(self, table):
        items = self.client.scan(TableName=table)["Items"]
        return sorted(items, key=lambda item: (item["p"]["S"], item["s"]["S"]))

    def wait_available(self, arn):
        for _ in range(100):
            described = self.client.describe_backup(BackupArn=arn)["BackupDescription"]
            if described["BackupDetails"]["BackupStatus"] == "AVAILABLE":
                return described
            time.sleep(0.1)
        self.fail("the backup was not made")

    def wait_active(self, name):
        self.client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})

    def test_a_backup_brings_every_item_back(self):
        made = self.client.create_backup(TableName=self.table, BackupName="nightly")
        arn = made["BackupDetails"]["BackupArn"]
        described = self.wait_available(arn)
        self.assertEqual(described["SourceTableDetails"]["ItemCount"], 100)
        listed = self.client.list_backups(TableName=self.table)["BackupSummaries"]
        self.assertIn(arn, [backup["BackupArn"] for backup in listed])
        copy = self.table + "Copy"
        self.client.restore_table_from_backup(TargetTableName=copy, BackupArn=arn)
        self.wait_active(copy)
        self.assertEqual(self.items(copy), self.items(self.table))
        page = self.client.query(TableName=copy, IndexName="ByG", Select="COUNT",
                                 KeyConditionExpression="g = :g",
                                 ExpressionAttributeValues={":g": {"S": "1"}})
        self.assertEqual(page["Count"], 33)
        self.assertEqual(self.client.describe_table(TableName=copy)["Table"]["RestoreSummary"]
                         ["SourceBackupArn"], arn)
        self.client.delete_backup(BackupArn=arn)
        with self.refused("BackupNotFoundException"):
            self.client.describe_backup(BackupArn=arn)

    def test_a_table_can_be_taken_back_to_a_moment(self):
        name = self.new_table(keys=("p",))
        on = {"PointInTimeRecoveryEnabled": True}
        self.client.update_continuous_backups(TableName=name, PointInTimeRecoverySpecification=on)
        self.client.put_item(TableName=name, Item={"p": {"S": "a"}, "n": {"N": "1"}})
        time.sleep(1.1)
        moment = self.client.describe_continuous_backups(TableName=name)[
            "ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"][
            "LatestRestorableDateTime"].replace(microsecond=0)
        time.sleep(1.1)
        self.client.put_item(TableName=name, Item={"p": {"S": "a"}, "n": {"N": "2"}})
        self.client.put_item(TableName=name, Item={"p": {"S": "b"}})
        self.client.restore_table_to_point_in_time(
            SourceTableName=name, TargetTableName=name + "Then", RestoreDateTime=moment)
        self.wait_active(name + "Then")
        self.assertEqual(self.client.scan(TableName=name + "Then")["Items"],
                         [{"p": {"S": "a"}, "n": {"N": "1"}}])


class SmallCalls(WireCase):
    def test_calls_about_the_service_are_answered(self):
        self.assertGreater(self.client.describe_limits()["TableMaxReadCapacityUnits"], 0)
        self.assertTrue(self.client.describe_endpoints()["Endpoints"][0]["Address"])

    def test_features_that_are_off_say_so(self):
        name = self.new_table(keys=("p",))
        insights = self.client.describe_contributor_insights(TableName=name)
        self.assertEqual(insights["ContributorInsightsStatus"], "DISABLED")
        kinesis = self.client.describe_kinesis_streaming_destination(TableName=name)
        self.assertEqual(kinesis["KinesisDataStreamDestinations"], [])
        scaling = self.client.describe_table_replica_auto_scaling(TableName=name)
        self.assertEqual(scaling["TableAutoScalingDescription"]["Replicas"], [])
        self.assertEqual(self.client.list_contributor_insights()["ContributorInsightsSummaries"],
                         [])
        self.assertEqual(self.client.list_exports()["ExportSummaries"], [])
        self.assertEqual(self.client.list_global_tables()["GlobalTables"], [])
        self.assertEqual(self.client.list_imports()["ImportSummaryList"], [])


if __name__ == "__main__":
    unittest.main()
