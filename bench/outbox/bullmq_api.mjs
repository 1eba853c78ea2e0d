// node bullmq_api.mjs REDIS_PORT
// Takes a mail over HTTP, adds it to the queue, and answers 202 once Redis has it on disk.
import { Queue } from "bullmq";
import http from "node:http";

const redisPort = Number(process.argv[2]);
const queue = new Queue("emails", { connection: { host: "127.0.0.1", port: redisPort } });
const options = { attempts: 5, backoff: { type: "exponential", delay: 1000 }, removeOnComplete: true };

function answer(response, status, content) {
  const body = JSON.stringify(content);
  response.writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
  response.end(body);
}

async function accept(body, response) {
  const { from, to, subject, text } = JSON.parse(body);
  if (!from || !to || !subject || !text) return answer(response, 400, { error: "a field is missing" });
  const job = await queue.add("email", { from, to, subject, text }, options);
  return answer(response, 202, { id: job.id });
}

const server = http.createServer((request, response) => {
  const pieces = [];
  request.on("data", (piece) => pieces.push(piece));
  request.on("end", () => {
    accept(Buffer.concat(pieces).toString(), response).catch((error) => answer(response, 500, { error: error.message }));
  });
});

await queue.waitUntilReady();
server.listen(0, "127.0.0.1", () => console.log(`ready ${server.address().port}`));
