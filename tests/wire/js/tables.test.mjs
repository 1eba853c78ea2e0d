// The table operations of @aws-sdk/client-dynamodb.
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ListTagsOfResourceCommand,
  PutItemCommand,
  QueryCommand,
  TagResourceCommand,
  UntagResourceCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  paginateListTables,
  waitUntilTableNotExists,
} from "@aws-sdk/client-dynamodb";
import { createTable, definitions, index, refusal, withServer } from "./fixture.mjs";

const fixture = withServer();

async function settled(TableName) {
  for (let round = 0; round < 200; ++round) {
    const { Table } = await fixture.client.send(new DescribeTableCommand({ TableName }));
    const indexes = Table.GlobalSecondaryIndexes ?? [];
    const statuses = [Table.TableStatus, ...indexes.map((each) => each.IndexStatus)];
    if (statuses.every((status) => status === "ACTIVE")) return Table;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return assert.fail(`${TableName} never settles`);
}

test("a created table is described, and its creation time is a Date", async () => {
  await createTable(fixture.client, "Described", ["p", "s"], { p: "S", s: "N", g: "S" }, {
    GlobalSecondaryIndexes: [index("ByG", ["g"], { ProjectionType: "KEYS_ONLY" })],
  });
  const table = await settled("Described");
  assert.equal(table.TableStatus, "ACTIVE");
  assert.ok(table.CreationDateTime instanceof Date);
  assert.equal(table.GlobalSecondaryIndexes[0].IndexName, "ByG");
  assert.equal(table.DeletionProtectionEnabled, false);
  assert.match(table.TableId, /^[0-9a-f-]{36}$/);
});

test("an existing name is refused", async () => {
  await createTable(fixture.client, "Twice", ["p"], { p: "S" });
  await refusal(
    createTable(fixture.client, "Twice", ["p"], { p: "S" }),
    "ResourceInUseException",
    "Table already exists: Twice",
  );
});

test("the paginator lists every table", async () => {
  for (const name of ["PageA", "PageB", "PageC"]) {
    await createTable(fixture.client, name, ["p"], { p: "S" });
  }
  const names = [];
  for await (const page of paginateListTables({ client: fixture.client, pageSize: 2 }, {})) {
    assert.ok(page.TableNames.length <= 2);
    names.push(...page.TableNames);
  }
  for (const name of ["PageA", "PageB", "PageC"]) assert.ok(names.includes(name));
  assert.equal(new Set(names).size, names.length);
});

test("an index is added with what was there, and removed", async () => {
  const TableName = "Growing";
  await createTable(fixture.client, TableName, ["p"], { p: "S" });
  for (let number = 0; number < 10; ++number) {
    const Item = { p: { S: `k${number}` }, g: { S: number % 2 ? "odd" : "even" } };
    await fixture.client.send(new PutItemCommand({ TableName, Item }));
  }
  await fixture.client.send(
    new UpdateTableCommand({
      TableName,
      AttributeDefinitions: definitions({ p: "S", g: "S" }),
      GlobalSecondaryIndexUpdates: [{ Create: index("ByG", ["g", "p"]) }],
    }),
  );
  await settled(TableName);
  const query = new QueryCommand({
    TableName,
    IndexName: "ByG",
    KeyConditionExpression: "g = :g",
    ExpressionAttributeValues: { ":g": { S: "odd" } },
  });
  assert.equal((await fixture.client.send(query)).Count, 5);
  await fixture.client.send(
    new UpdateTableCommand({
      TableName,
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: "ByG" } }],
    }),
  );
  const gone = async () => (await settled(TableName)).GlobalSecondaryIndexes === undefined;
  while (!(await gone()));
  await refusal(
    fixture.client.send(query),
    "ValidationException",
    "The table does not have the specified index: ByG",
  );
});

test("a deleted table is gone, a protected one stays", async () => {
  const isProtected = { DeletionProtectionEnabled: true };
  await createTable(fixture.client, "Going", ["p"], { p: "S" }, isProtected);
  await refusal(
    fixture.client.send(new DeleteTableCommand({ TableName: "Going" })),
    "ValidationException",
  );
  await fixture.client.send(
    new UpdateTableCommand({ TableName: "Going", DeletionProtectionEnabled: false }),
  );
  await settled("Going");
  await fixture.client.send(new DeleteTableCommand({ TableName: "Going" }));
  await waitUntilTableNotExists(
    { client: fixture.client, maxWaitTime: 60, minDelay: 1, maxDelay: 1 },
    { TableName: "Going" },
  );
  await refusal(
    fixture.client.send(new DescribeTableCommand({ TableName: "Going" })),
    "ResourceNotFoundException",
    "Requested resource not found: Table: Going not found",
  );
});

test("time to live is set and described", async () => {
  const TableName = "Expiring";
  await createTable(fixture.client, TableName, ["p"], { p: "S" });
  await fixture.client.send(
    new UpdateTimeToLiveCommand({
      TableName,
      TimeToLiveSpecification: { Enabled: true, AttributeName: "ttl" },
    }),
  );
  const { TimeToLiveDescription: described } = await fixture.client.send(
    new DescribeTimeToLiveCommand({ TableName }),
  );
  assert.match(described.TimeToLiveStatus, /^ENABL(ED|ING)$/);
  assert.equal(described.AttributeName, "ttl");
});

test("tags are added, listed and removed", async () => {
  const { TableArn } = await createTable(fixture.client, "Tagged", ["p"], { p: "S" });
  const tags = async () => {
    const answer = await fixture.client.send(
      new ListTagsOfResourceCommand({ ResourceArn: TableArn }),
    );
    return answer.Tags.map(({ Key, Value }) => `${Key}=${Value}`).sort();
  };
  const given = [
    { Key: "a", Value: "1" },
    { Key: "b", Value: "2" },
  ];
  await fixture.client.send(new TagResourceCommand({ ResourceArn: TableArn, Tags: given }));
  assert.deepEqual(await tags(), ["a=1", "b=2"]);
  await fixture.client.send(new UntagResourceCommand({ ResourceArn: TableArn, TagKeys: ["a"] }));
  assert.deepEqual(await tags(), ["b=2"]);
});
