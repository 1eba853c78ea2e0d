// node bench_html_npm.mjs PAGE text|safe [SECONDS]: the same as bench_html with npm's html-to-text and
// sanitize-html. The latter is allowed the elements and attributes that mails are made of.
import { readFileSync } from 'node:fs';
import { compile } from 'html-to-text';
import sanitizeHtml from 'sanitize-html';

const page = readFileSync(process.argv[2], 'utf8');
const seconds = Number(process.argv[4] ?? 2);
const toText = compile({ wordwrap: false });
const options = {
  allowedTags: sanitizeHtml.defaults.allowedTags.concat(['img', 'font', 'center']),
  allowedAttributes: { '*': ['style', 'class', 'align', 'valign', 'width', 'height', 'bgcolor', 'border', 'dir', 'title', 'alt', 'cellpadding', 'cellspacing'], a: ['href', 'name'], img: ['src'] },
};
const convert = process.argv[3] === 'text' ? () => toText(page) : () => sanitizeHtml(page, options);

let bytes = 0;
const run = (limit) => {
  let pages = 0, elapsed = 0;
  const start = process.cpuUsage();
  while (elapsed < limit) {
    for (let i = 0; i < 10; i++) bytes = Buffer.byteLength(convert());
    pages += 10;
    const used = process.cpuUsage(start);
    elapsed = (used.user + used.system) / 1e6;
  }
  return pages / elapsed;
};
if (seconds === 0) {
  process.stdout.write(convert());
} else {
  run(Math.min(2, seconds));  // Until the compiler has warmed up.
  console.log(JSON.stringify({ pages_per_second: run(seconds), bytes }));
}
