// Backups, the parameters of the time before expressions, and calls about the service.
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  CreateBackupCommand,
  DeleteBackupCommand,
  DescribeBackupCommand,
  DescribeContinuousBackupsCommand,
  DescribeContributorInsightsCommand,
  DescribeEndpointsCommand,
  DescribeKinesisStreamingDestinationCommand,
  DescribeLimitsCommand,
  DescribeTableCommand,
  DescribeTableReplicaAutoScalingCommand,
  GetItemCommand,
  ListBackupsCommand,
  ListContributorInsightsCommand,
  ListExportsCommand,
  ListGlobalTablesCommand,
  ListImportsCommand,
  PutItemCommand,
  QueryCommand,
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
  ScanCommand,
  UpdateContinuousBackupsCommand,
  UpdateItemCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { createTable, refusal, withServer } from "./fixture.mjs";

const TableName = "Kept";
const fixture = withServer((client) => createTable(client, TableName, ["p"], { p: "S" }));
const send = (command) => fixture.client.send(command);

async function restored(name) {
  await waitUntilTableExists({ client: fixture.client, maxWaitTime: 30, minDelay: 1 }, { TableName: name });
  return (await send(new ScanCommand({ TableName: name }))).Items;
}

async function available(BackupArn) {
  for (let round = 0; round < 100; ++round) {
    const { BackupDescription } = await send(new DescribeBackupCommand({ BackupArn }));
    if (BackupDescription.BackupDetails.BackupStatus === "AVAILABLE") return BackupDescription;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return assert.fail("the backup was not made");
}

test("a backup brings a table back under another name", async () => {
  await send(new PutItemCommand({ TableName, Item: { p: { S: "a" }, n: { N: "1" } } }));
  const { BackupDetails } = await send(new CreateBackupCommand({ TableName, BackupName: "nightly" }));
  const BackupArn = BackupDetails.BackupArn;
  const described = await available(BackupArn);
  assert.equal(described.SourceTableDetails.ItemCount, 1);
  assert.ok(described.BackupDetails.BackupCreationDateTime instanceof Date);
  const { BackupSummaries } = await send(new ListBackupsCommand({ TableName }));
  assert.equal(BackupSummaries[0].BackupName, "nightly");
  await send(new RestoreTableFromBackupCommand({ TargetTableName: "Copy", BackupArn }));
  assert.deepEqual(await restored("Copy"), [{ p: { S: "a" }, n: { N: "1" } }]);
  const { Table } = await send(new DescribeTableCommand({ TableName: "Copy" }));
  assert.equal(Table.RestoreSummary.SourceBackupArn, BackupArn);
  await send(new DeleteBackupCommand({ BackupArn }));
  await refusal(send(new DescribeBackupCommand({ BackupArn })), "BackupNotFoundException");
});

test("a table can be taken back to its latest moment", async () => {
  await send(
    new UpdateContinuousBackupsCommand({
      TableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  );
  const { ContinuousBackupsDescription } = await send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  const description = ContinuousBackupsDescription.PointInTimeRecoveryDescription;
  assert.equal(description.PointInTimeRecoveryStatus, "ENABLED");
  assert.ok(description.EarliestRestorableDateTime instanceof Date);
  await send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: TableName,
      TargetTableName: "Now",
      UseLatestRestorableTime: true,
    }),
  );
  assert.equal((await restored("Now")).length, 1);
});

test("old parameters do what the expressions do that replaced them", async () => {
  const Key = { p: { S: "old" } };
  await send(new PutItemCommand({ TableName, Item: Key, Expected: { p: { Exists: false } } }));
  await refusal(
    send(new PutItemCommand({ TableName, Item: Key, Expected: { p: { Exists: false } } })),
    "ConditionalCheckFailedException",
    "The conditional request failed",
  );
  const AttributeUpdates = { n: { Action: "ADD", Value: { N: "2" } }, text: { Value: { S: "x" } } };
  await send(new UpdateItemCommand({ TableName, Key, AttributeUpdates }));
  const { Item } = await send(new GetItemCommand({ TableName, Key, AttributesToGet: ["n"] }));
  assert.deepEqual(Item, { n: { N: "2" } });
  const equal = (value) => ({ ComparisonOperator: "EQ", AttributeValueList: [value] });
  const page = await send(
    new QueryCommand({
      TableName,
      KeyConditions: { p: equal({ S: "old" }) },
      QueryFilter: { text: equal({ S: "y" }) },
    }),
  );
  assert.deepEqual([page.Count, page.ScannedCount], [0, 1]);
});

test("calls about the service are answered", async () => {
  assert.ok((await send(new DescribeLimitsCommand({}))).AccountMaxReadCapacityUnits > 0);
  assert.ok((await send(new DescribeEndpointsCommand({}))).Endpoints[0].Address);
});

test("features that are off say so", async () => {
  const insights = await send(new DescribeContributorInsightsCommand({ TableName }));
  assert.equal(insights.ContributorInsightsStatus, "DISABLED");
  const kinesis = await send(new DescribeKinesisStreamingDestinationCommand({ TableName }));
  assert.deepEqual(kinesis.KinesisDataStreamDestinations, []);
  const scaling = await send(new DescribeTableReplicaAutoScalingCommand({ TableName }));
  assert.deepEqual(scaling.TableAutoScalingDescription.Replicas, []);
  const lists = [
    [new ListContributorInsightsCommand({}), "ContributorInsightsSummaries"],
    [new ListExportsCommand({}), "ExportSummaries"],
    [new ListGlobalTablesCommand({}), "GlobalTables"],
    [new ListImportsCommand({}), "ImportSummaryList"],
  ];
  for (const [command, name] of lists) assert.deepEqual((await send(command))[name], []);
  await refusal(
    send(new DescribeContributorInsightsCommand({ TableName: "Nowhere" })),
    "ResourceNotFoundException",
  );
});
