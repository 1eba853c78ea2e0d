// Starts a Mailroom server of its own for a test file (MAILROOM_BINARY names it), and stops it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const readyMs = 60_000;

// Resolves to { endpoint, http, stop }: the URLs of the tables and of the API. `settings` are
// MAILROOM_ variables. Rejects when the server ends or stays silent before it is ready.
export async function startServer(settings = {}) {
  const data = await mkdtemp(join(tmpdir(), "mailroom-wire-"));
  // The server takes every MAILROOM_ variable for a setting: it gets none of the tests' own.
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("MAILROOM_")),
  );
  environment.MAILROOM_DYNAMODB_AUTH = "none";
  Object.assign(environment, settings);
  const child = spawn(
    process.env.MAILROOM_BINARY,
    ["serve", "--data", data, "--http", "127.0.0.1:0", "--dynamodb", "127.0.0.1:0", "--smtp", "off"],
    { env: environment, stdio: ["ignore", "pipe", "pipe"] },
  );
  const exited = once(child, "exit");
  let errors = "";
  child.stderr.on("data", (piece) => (errors += piece));
  let timer;
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), "line").then(([text]) => text),
    exited.then(([code]) => Promise.reject(new Error(`server ended with ${code}: ${errors}`))),
    new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`server is not ready: ${errors}`)), readyMs);
    }),
  ]).finally(() => clearTimeout(timer));
  const addressOf = (listener) => `http://${new RegExp(`${listener}=(\\S+)`).exec(line)[1]}`;
  return {
    endpoint: addressOf("dynamodb"),
    http: addressOf("http"),
    async stop() {
      child.kill("SIGTERM");
      const [code] = await exited;
      await rm(data, { recursive: true, force: true });
      return code;
    },
  };
}
