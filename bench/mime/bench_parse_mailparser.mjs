// node bench_parse_mailparser.mjs FILE [SECONDS]: the same as bench_parse with npm's mailparser.
import { readFileSync } from 'node:fs';
import { simpleParser } from 'mailparser';

const mail = readFileSync(process.argv[2]);
const seconds = Number(process.argv[3] ?? 3);
const run = async (limit) => {
  let mails = 0, elapsed = 0;
  const start = process.cpuUsage();
  while (elapsed < limit) {
    for (let i = 0; i < 20; i++) await simpleParser(mail);
    mails += 20;
    const used = process.cpuUsage(start);
    elapsed = (used.user + used.system) / 1e6;
  }
  return mails / elapsed;
};
await run(Math.min(1, seconds));  // Until the compiler has warmed up.
console.log(JSON.stringify({ mails_per_second: await run(seconds), bytes: mail.length }));
