// node bullmq_worker.mjs REDIS_PORT SMTP_PORT CONCURRENCY
// Sends the mails of the queue over as many kept SMTP connections as jobs run at once.
import { Worker } from "bullmq";
import nodemailer from "nodemailer";

const [redisPort, smtpPort, concurrency] = process.argv.slice(2).map(Number);
const transport = nodemailer.createTransport({
  host: "127.0.0.1",
  port: smtpPort,
  ignoreTLS: true,
  pool: true,
  maxConnections: concurrency,
  maxMessages: Infinity,
});
const worker = new Worker("emails", (job) => transport.sendMail(job.data), {
  connection: { host: "127.0.0.1", port: redisPort },
  concurrency,
});
worker.on("error", (error) => console.error(error));
worker.on("failed", (job, error) => console.error(job?.id, error));
await worker.waitUntilReady();
console.log("ready");
