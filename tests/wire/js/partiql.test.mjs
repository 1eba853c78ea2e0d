// PartiQL through @aws-sdk/lib-dynamodb and the plain client.
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  BatchExecuteStatementCommand,
  ExecuteStatementCommand,
  ExecuteTransactionCommand,
} from "@aws-sdk/lib-dynamodb";
import { createTable, refusal, withServer } from "./fixture.mjs";

const fixture = withServer((client) => createTable(client, "Sql", ["p", "s"], { p: "S", s: "N" }));
const send = (command) => fixture.documents.send(command);
const run = (Statement, Parameters, options = {}) =>
  send(new ExecuteStatementCommand({ Statement, Parameters, ...options }));
const insert = (p, s) => ({
  Statement: `INSERT INTO "Sql" VALUE {'p': ?, 's': ?}`,
  Parameters: [p, s],
});

test("statements insert, select, update and delete", async () => {
  const { Statement, Parameters } = insert("one", 1);
  await run(Statement, Parameters);
  await refusal(run(Statement, Parameters), "DuplicateItemException");
  await run(`UPDATE "Sql" SET v = ? WHERE p = ? AND s = ?`, [{ deep: [1, 2] }, "one", 1]);
  const { Items } = await run(`SELECT v FROM "Sql" WHERE p = ? AND s = ?`, ["one", 1]);
  assert.deepEqual(Items, [{ v: { deep: [1, 2] } }]);
  await run(`DELETE FROM "Sql" WHERE p = ? AND s = ?`, ["one", 1]);
  assert.deepEqual((await run(`SELECT * FROM "Sql" WHERE p = 'one'`)).Items, []);
});

test("a limited select goes on with its token", async () => {
  for (let number = 0; number < 9; ++number) {
    const { Statement, Parameters } = insert("page", number);
    await run(Statement, Parameters);
  }
  const found = [];
  let NextToken;
  do {
    const options = { Limit: 4, NextToken };
    const page = await run(`SELECT s FROM "Sql" WHERE p = 'page'`, undefined, options);
    found.push(...page.Items.map((item) => item.s));
    NextToken = page.NextToken;
  } while (NextToken);
  assert.deepEqual(found, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test("a batch answers each statement", async () => {
  const { Responses } = await send(
    new BatchExecuteStatementCommand({ Statements: [insert("batch", 1), insert("batch", 1)] }),
  );
  assert.equal(Responses[0].Error, undefined);
  assert.equal(Responses[1].Error.Code, "DuplicateItem");
});

test("a transaction of statements is whole", async () => {
  const both = (second) =>
    send(
      new ExecuteTransactionCommand({
        TransactStatements: [insert("trans", second - 1), insert("trans", second)],
      }),
    );
  await both(2);
  const error = await refusal(both(3), "TransactionCanceledException");
  assert.deepEqual(
    error.CancellationReasons.map((reason) => reason.Code),
    ["DuplicateItem", "None"],
  );
  const { Items } = await run(`SELECT s FROM "Sql" WHERE p = 'trans'`);
  assert.deepEqual(Items.map((item) => item.s), [1, 2]);
});

test("a statement that is none is refused", async () => {
  await refusal(run("SELECT"), "ValidationException");
  await refusal(run(`SELECT * FROM "NoSuchTable"`), "ResourceNotFoundException");
});
