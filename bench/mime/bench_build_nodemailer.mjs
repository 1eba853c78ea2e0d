// node bench_build_nodemailer.mjs DIRECTORY KIND [SECONDS]: the same as bench_build with the composer
// of npm's nodemailer.
import { createRequire } from 'node:module';
import { existsSync, readFileSync } from 'node:fs';

const MailComposer = createRequire(import.meta.url)('nodemailer/lib/mail-composer');
const base = `${process.argv[2]}/${process.argv[3]}`;
const seconds = Number(process.argv[4] ?? 2);
const read = (ending, encoding) =>
  existsSync(base + ending) ? readFileSync(base + ending, encoding) : undefined;
const file = read('.bin');
const message = {
  from: { name: 'Ann Lée', address: 'ann.lee@shop.example' },
  to: [{ name: 'Support, Example', address: 'support@example.com' }, { name: 'Bob', address: 'bob@example.com' }],
  cc: ['sales@example.com'],
  subject: 'Größe and price of the order 20261115-0042',
  date: new Date('2026-11-15T10:00:02Z'),
  messageId: '<20261115110002.77ab@shop.example>',
  inReplyTo: '<offer-0042@example.com>',
  references: ['<first-0042@example.com>', '<offer-0042@example.com>'],
  headers: { 'X-Mailer': 'Shop Mail 4.2' },
  text: read('.txt', 'utf8'),
  html: read('.html', 'utf8'),
  attachments: file && [{ filename: 'Größen.pdf', contentType: 'application/pdf', content: file }],
};
const build = () =>
  new Promise((resolve, reject) =>
    new MailComposer(message).compile().build((error, mail) => (error ? reject(error) : resolve(mail))));

let bytes = 0;
const run = async (limit) => {
  let mails = 0, elapsed = 0;
  const start = process.cpuUsage();
  while (elapsed < limit) {
    for (let i = 0; i < 20; i++) bytes = (await build()).length;
    mails += 20;
    const used = process.cpuUsage(start);
    elapsed = (used.user + used.system) / 1e6;
  }
  return mails / elapsed;
};
if (seconds === 0) {
  process.stdout.write(await build());
} else {
  await run(Math.min(1, seconds));  // Until the compiler has warmed up.
  console.log(JSON.stringify({ mails_per_second: await run(seconds), bytes }));
}
