// node bench_mjml_npm.mjs FILE SECONDS: the same with npm's mjml, which MJML_FROM leads to.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const peer = createRequire(process.env.MJML_FROM)('mjml');
const mjml2html = peer.default ?? peer;
const [file, seconds] = process.argv.slice(2);
const source = readFileSync(file, 'utf8');
const elapsed = (start) => process.cpuUsage(start).user / 1e6 + process.cpuUsage(start).system / 1e6;
for (let i = 0; i < 50; i++) mjml2html(source); // Until it is compiled itself.
const start = process.cpuUsage();
let turns = 0;
let bytes = 0;
while (elapsed(start) < Number(seconds)) {
  for (let i = 0; i < 10; i++) bytes = mjml2html(source).html.length;
  turns += 10;
}
console.log(JSON.stringify({ mails_per_second: turns / elapsed(start), bytes }));
