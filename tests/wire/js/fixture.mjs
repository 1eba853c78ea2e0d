// A server and both clients for one test file, and tables of the shapes the tests need.
import { after, before } from "node:test";
import assert from "node:assert/strict";
import {
  CreateTableCommand,
  DynamoDBClient,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { startServer } from "./server.mjs";

// An object whose `client` and `documents` are there once the tests run, after `prepare`; with
// `options` other clients of the same server can be made.
export function withServer(prepare = async () => {}) {
  const fixture = {};
  before(async () => {
    fixture.server = await startServer();
    fixture.options = {
      endpoint: fixture.server.endpoint,
      region: "us-east-1",
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
      maxAttempts: 1,
    };
    fixture.client = new DynamoDBClient(fixture.options);
    fixture.documents = DynamoDBDocumentClient.from(fixture.client, {
      marshallOptions: { removeUndefinedValues: true },
    });
    await prepare(fixture.client);
  });
  after(async () => {
    fixture.client?.destroy();
    if (fixture.server) assert.equal(await fixture.server.stop(), 0);
  });
  return fixture;
}

const role = ["HASH", "RANGE"];

export function keySchema(...names) {
  return names.map((name, place) => ({ AttributeName: name, KeyType: role[place] }));
}

export function definitions(types) {
  return Object.entries(types).map(([name, type]) => ({
    AttributeName: name,
    AttributeType: type,
  }));
}

export function index(name, keys, projection = { ProjectionType: "ALL" }) {
  return { IndexName: name, KeySchema: keySchema(...keys), Projection: projection };
}

export async function createTable(client, name, keys, types, options = {}) {
  const answer = await client.send(
    new CreateTableCommand({
      TableName: name,
      KeySchema: keySchema(...keys),
      AttributeDefinitions: definitions(types),
      BillingMode: "PAY_PER_REQUEST",
      ...options,
    }),
  );
  await waitUntilTableExists(
    { client, maxWaitTime: 60, minDelay: 1, maxDelay: 1 },
    { TableName: name },
  );
  return answer.TableDescription;
}

// The error that a promise must end with; its name is checked, and its message when given.
export async function refusal(promise, name, message) {
  const error = await promise.then(
    () => assert.fail(`${name} was expected`),
    (caught) => caught,
  );
  assert.equal(error.name, name, error.message);
  if (message !== undefined) assert.equal(error.message, message);
  return error;
}
