// Items, queries, batches and transactions through @aws-sdk/lib-dynamodb.
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
  paginateQuery,
  paginateScan,
} from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { createTable, index, refusal, withServer } from "./fixture.mjs";

const TableName = "Items";
const fixture = withServer((client) =>
  createTable(client, TableName, ["p", "s"], { p: "S", s: "N", g: "S" }, {
    GlobalSecondaryIndexes: [index("ByG", ["g", "s"])],
  }),
);
const send = (command) => fixture.documents.send(command);
const put = (Item, options = {}) => send(new PutCommand({ TableName, Item, ...options }));
const get = async (p, s, options = {}) =>
  (await send(new GetCommand({ TableName, Key: { p, s }, ...options }))).Item;

test("every JavaScript value comes back as it went", async () => {
  const item = {
    p: "types", s: 1, text: "grüße 📬", number: -12.5, yes: true, nothing: null,
    list: [1, "two", [false]], map: { a: { b: {} } },
    strings: new Set(["x", "y"]), numbers: new Set([1, 2]), bytes: new Uint8Array([0, 255]),
  };
  await put(item);
  assert.deepEqual(await get("types", 1), item);
  assert.equal(await get("types", 2), undefined);
});

test("projections return what they name", async () => {
  await put({ p: "proj", s: 1, status: "on", m: { a: 1, b: 2 } });
  const found = await get("proj", 1, {
    ProjectionExpression: "#s, m.a",
    ExpressionAttributeNames: { "#s": "status" },
    ConsistentRead: true,
  });
  assert.deepEqual(found, { status: "on", m: { a: 1 } });
});

test("updates return what is asked for", async () => {
  await put({ p: "up", s: 1, n: 1, l: [1] });
  const answer = await send(
    new UpdateCommand({
      TableName,
      Key: { p: "up", s: 1 },
      UpdateExpression: "SET l = list_append(l, :l), fresh = if_not_exists(fresh, :z) ADD n :one",
      ExpressionAttributeValues: { ":l": [2], ":z": 0, ":one": 1 },
      ReturnValues: "UPDATED_NEW",
    }),
  );
  assert.deepEqual(answer.Attributes, { l: [1, 2], fresh: 0, n: 2 });
});

test("a failed condition carries the item when asked for", async () => {
  const item = { p: "cond", s: 1, v: 7 };
  await put(item);
  const condition = {
    ConditionExpression: "attribute_not_exists(p)",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  };
  const Key = { p: "cond", s: 1 };
  const attempts = [
    () => put(Key, condition),
    () => send(new DeleteCommand({ TableName, Key, ...condition })),
    () => send(new UpdateCommand({ TableName, Key, UpdateExpression: "REMOVE v", ...condition })),
  ];
  for (const attempt of attempts) {
    const error = await refusal(
      attempt(),
      "ConditionalCheckFailedException",
      "The conditional request failed",
    );
    assert.deepEqual(unmarshall(error.Item), item);
    assert.equal(error.$metadata.httpStatusCode, 400);
  }
  assert.deepEqual(await get("cond", 1), item);
});

test("a delete returns the old item", async () => {
  await put({ p: "del", s: 1, v: 1 });
  const command = { TableName, Key: { p: "del", s: 1 }, ReturnValues: "ALL_OLD" };
  assert.deepEqual((await send(new DeleteCommand(command))).Attributes, { p: "del", s: 1, v: 1 });
  assert.equal((await send(new DeleteCommand(command))).Attributes, undefined);
});

test("a query pages through table and index in both directions", async () => {
  const numbers = [...Array(25).keys()];
  const requests = numbers.map((s) => ({ PutRequest: { Item: { p: "q", s, g: "group" } } }));
  await send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }));
  const walk = async (input) => {
    const found = [];
    const options = { client: fixture.documents, pageSize: 4 };
    const pages = paginateQuery(options, { TableName, ...input });
    for await (const page of pages) found.push(...page.Items.map((item) => item.s));
    return found;
  };
  const byTable = {
    KeyConditionExpression: "p = :v",
    ExpressionAttributeValues: { ":v": "q" },
  };
  const byIndex = {
    IndexName: "ByG",
    KeyConditionExpression: "g = :v",
    ExpressionAttributeValues: { ":v": "group" },
  };
  for (const input of [byTable, byIndex]) {
    assert.deepEqual(await walk(input), numbers);
    assert.deepEqual(await walk({ ...input, ScanIndexForward: false }), [...numbers].reverse());
  }
  const counted = await send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: "p = :v AND s BETWEEN :a AND :b",
      FilterExpression: "g <> :v",
      ExpressionAttributeValues: { ":v": "q", ":a": 3, ":b": 9 },
      Select: "COUNT",
    }),
  );
  assert.equal(counted.Count, 7);
});

test("parallel segments of a scan make the whole table", async () => {
  const whole = (await send(new ScanCommand({ TableName }))).Count;
  const segments = await Promise.all(
    [0, 1, 2].map(async (Segment) => {
      let count = 0;
      const input = { TableName, Segment, TotalSegments: 3 };
      const pages = paginateScan({ client: fixture.documents, pageSize: 5 }, input);
      for await (const page of pages) count += page.Count;
      return count;
    }),
  );
  assert.equal(segments.reduce((sum, count) => sum + count), whole);
  assert.ok(whole >= 25);
});

test("batches write, delete and read", async () => {
  await put({ p: "b", s: 1 });
  const written = await send(
    new BatchWriteCommand({
      RequestItems: {
        [TableName]: [
          { PutRequest: { Item: { p: "b", s: 2 } } },
          { DeleteRequest: { Key: { p: "b", s: 1 } } },
        ],
      },
    }),
  );
  assert.deepEqual(written.UnprocessedItems, {});
  const Keys = [1, 2].map((s) => ({ p: "b", s }));
  const found = await send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys } } }));
  assert.deepEqual(found.Responses[TableName], [{ p: "b", s: 2 }]);
  await refusal(
    send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [Keys[0], Keys[0]] } } })),
    "ValidationException",
    "Provided list of item keys contains duplicates",
  );
});

test("a transaction happens whole or not at all and says why", async () => {
  await send(
    new TransactWriteCommand({
      TransactItems: [
        { Put: { TableName, Item: { p: "t", s: 1, v: 1 } } },
        { Put: { TableName, Item: { p: "t", s: 2, v: 1 } } },
      ],
    }),
  );
  const error = await refusal(
    send(
      new TransactWriteCommand({
        TransactItems: [
          { Delete: { TableName, Key: { p: "t", s: 1 } } },
          {
            ConditionCheck: {
              TableName,
              Key: { p: "t", s: 2 },
              ConditionExpression: "v = :v",
              ExpressionAttributeValues: { ":v": 9 },
              ReturnValuesOnConditionCheckFailure: "ALL_OLD",
            },
          },
        ],
      }),
    ),
    "TransactionCanceledException",
    "Transaction cancelled, please refer cancellation reasons for specific reasons " +
      "[None, ConditionalCheckFailed]",
  );
  assert.deepEqual(
    error.CancellationReasons.map((reason) => reason.Code),
    ["None", "ConditionalCheckFailed"],
  );
  assert.deepEqual(unmarshall(error.CancellationReasons[1].Item), { p: "t", s: 2, v: 1 });
  const read = await send(
    new TransactGetCommand({
      TransactItems: [1, 2, 3].map((s) => ({ Get: { TableName, Key: { p: "t", s } } })),
    }),
  );
  assert.deepEqual(
    read.Responses.map((each) => each.Item?.s),
    [1, 2, undefined],
  );
});

test("refusals have AWS's names and sentences", async () => {
  await refusal(
    put({ p: "x" }),
    "ValidationException",
    "One or more parameter values were invalid: Missing the key s in the item",
  );
  await refusal(
    send(new GetCommand({ TableName: "NoSuchTable", Key: { p: "x" } })),
    "ResourceNotFoundException",
    "Requested resource not found",
  );
  await refusal(
    send(new GetCommand({ TableName, Key: { p: "x", s: "text" } })),
    "ValidationException",
    "The provided key element does not match the schema",
  );
});
