// The streams of tables through @aws-sdk/client-dynamodb-streams.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import {
  DeleteItemCommand,
  DescribeTableCommand,
  PutItemCommand,
  UpdateTableCommand,
} from "@aws-sdk/client-dynamodb";
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from "@aws-sdk/client-dynamodb-streams";
import { createTable, refusal, withServer } from "./fixture.mjs";

let streams;
const fixture = withServer(() => {
  streams = new DynamoDBStreamsClient(fixture.options);
});
after(() => streams?.destroy());

async function watched(TableName, StreamViewType) {
  const StreamSpecification = { StreamEnabled: true, StreamViewType };
  const table = await createTable(fixture.client, TableName, ["p"], { p: "S" }, {
    StreamSpecification,
  });
  return table.LatestStreamArn;
}

async function iterator(StreamArn, ShardIteratorType, SequenceNumber) {
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  const [{ ShardId }] = StreamDescription.Shards;
  const asked = { StreamArn, ShardId, ShardIteratorType, SequenceNumber };
  return (await streams.send(new GetShardIteratorCommand(asked))).ShardIterator;
}

// All records from the iterator on, two at a time. A stream that was turned off has an end.
async function records(ShardIterator) {
  const found = [];
  while (ShardIterator !== undefined) {
    const page = await streams.send(new GetRecordsCommand({ ShardIterator, Limit: 2 }));
    if (page.Records.length === 0) break;
    found.push(...page.Records);
    ShardIterator = page.NextShardIterator;
  }
  return found;
}

const put = (TableName, n) =>
  fixture.client.send(
    new PutItemCommand({ TableName, Item: { p: { S: "a" }, n: { N: String(n) } } }),
  );

test("the life of an item is told in order, with its images", async () => {
  const StreamArn = await watched("Told", "NEW_AND_OLD_IMAGES");
  await put("Told", 1);
  await put("Told", 2);
  await put("Told", 2);
  await fixture.client.send(new DeleteItemCommand({ TableName: "Told", Key: { p: { S: "a" } } }));
  const told = await records(await iterator(StreamArn, "TRIM_HORIZON"));
  const images = ({ eventName, dynamodb: { OldImage, NewImage } }) => [
    eventName,
    OldImage?.n.N,
    NewImage?.n.N,
  ];
  assert.deepEqual(told.map(images), [
    ["INSERT", undefined, "1"],
    ["MODIFY", "1", "2"],
    ["REMOVE", "2", undefined],
  ]);
  assert.ok(told[0].dynamodb.ApproximateCreationDateTime instanceof Date);
  assert.deepEqual(told[0].dynamodb.Keys, { p: { S: "a" } });
  assert.equal(told[0].eventSource, "aws:dynamodb");
});

test("iterators of all kinds begin where they should", async () => {
  const StreamArn = await watched("Begun", "NEW_IMAGE");
  for (const n of [0, 1, 2]) await put("Begun", n);
  const latest = await iterator(StreamArn, "LATEST");
  await put("Begun", 3);
  const [, second] = await records(await iterator(StreamArn, "TRIM_HORIZON"));
  const number = second.dynamodb.SequenceNumber;
  const rows = [
    [await iterator(StreamArn, "TRIM_HORIZON"), "0"],
    [await iterator(StreamArn, "AT_SEQUENCE_NUMBER", number), "1"],
    [await iterator(StreamArn, "AFTER_SEQUENCE_NUMBER", number), "2"],
    [latest, "3"],
  ];
  for (const [from, first] of rows) {
    assert.equal((await records(from))[0].dynamodb.NewImage.n.N, first);
  }
});

test("streams are listed, described, and turned off with their records left", async () => {
  const TableName = "Listed";
  const StreamArn = await watched(TableName, "KEYS_ONLY");
  await put(TableName, 1);
  const listed = await streams.send(new ListStreamsCommand({ TableName }));
  assert.deepEqual(listed.Streams.map((each) => each.StreamArn), [StreamArn]);
  await fixture.client.send(
    new UpdateTableCommand({ TableName, StreamSpecification: { StreamEnabled: false } }),
  );
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  assert.equal(StreamDescription.StreamStatus, "DISABLED");
  assert.equal(StreamDescription.StreamViewType, "KEYS_ONLY");
  assert.equal((await records(await iterator(StreamArn, "TRIM_HORIZON"))).length, 1);
  const { Table } = await fixture.client.send(new DescribeTableCommand({ TableName }));
  assert.equal(Table.StreamSpecification, undefined);
});

test("what is not there is refused", async () => {
  const StreamArn = (await watched("Refused", "KEYS_ONLY")).replace("Refused", "Nowhere");
  await refusal(streams.send(new DescribeStreamCommand({ StreamArn })), "ResourceNotFoundException");
  await refusal(
    streams.send(new GetRecordsCommand({ ShardIterator: "nonsense" })),
    "ValidationException",
  );
});
