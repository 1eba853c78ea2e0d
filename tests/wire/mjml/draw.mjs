// node draw.mjs PROGRAM [NAME]: draws each mail of mails/ as mjml_render and npm's mjml compile it,
// on a screen and on a phone; exits 1 and prints each in which a text or an image stands elsewhere.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import mjml2html from 'mjml';
import { chromium } from 'playwright-core';

const [program, only] = process.argv.slice(2);
const widths = [800, 600, 320];
const picture = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="150">' +
    '<rect width="300" height="150" fill="#888"/></svg>',
);

// Runs in the page: every text and image, and where it is.
function boxes() {
  const found = [];
  const add = (what, rects) => {
    for (const r of rects) {
      if (r.width === 0 || r.height === 0) continue;
      const numbers = [r.left, r.top, r.width, r.height].map((n) => Math.round(n * 10) / 10);
      found.push([what, ...numbers].join(' '));
    }
  };
  const kinds = NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT;
  const walker = document.createTreeWalker(document.body, kinds);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeName === 'IMG') add('image', node.getClientRects());
    if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    add(node.data.trim().replace(/\s+/g, ' '), range.getClientRects());
  }
  const style = getComputedStyle(document.body);
  return [`page ${document.documentElement.scrollHeight} ${style.backgroundColor}`, ...found];
}

async function drawn(page, html) {
  const states = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await page.setContent(html, { waitUntil: 'load' });
    states.push(...(await page.evaluate(boxes)).map((line) => `${width}: ${line}`));
  }
  return states;
}

async function pixels(page, html) {
  await page.setViewportSize({ width: 800, height: 800 });
  await page.setContent(html, { waitUntil: 'load' });
  return page.screenshot({ fullPage: true });
}

const isWanted = (name) => name.endsWith('.mjml') && (!only || name === `${only}.mjml`);
const paths = readdirSync('mails').filter(isWanted).sort().map((name) => `mails/${name}`);
const ours = execFileSync(program, paths, { encoding: 'utf8', maxBuffer: 1 << 28 });
const results = ours.trimEnd().split('\n').map((line) => JSON.parse(line));

// As root, which CI is, Chromium runs only without its own sandbox. Nothing is loaded from anywhere.
const browser = await chromium.launch({
  executablePath: process.env.MAILROOM_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
const page = await browser.newPage();
await page.route('**/*', (route) =>
  route.request().resourceType() === 'image'
    ? route.fulfill({ contentType: 'image/svg+xml', body: picture })
    : route.abort(),
);
let equal = 0;
for (const [i, path] of paths.entries()) {
  const peer = mjml2html(readFileSync(path, 'utf8')).html;
  const [want, got] = [await drawn(page, peer), await drawn(page, results[i].html)];
  const at = want.findIndex((line, k) => line !== got[k]);
  const samePixels = (await pixels(page, peer)).equals(await pixels(page, results[i].html));
  if (at < 0 && want.length === got.length && samePixels) {
    equal++;
    continue;
  }
  console.log(`${path}: ${samePixels ? '' : 'the pictures differ; '}want ${want[at]}, got ${got[at]}`);
}
await browser.close();
console.log(`drawn: ${equal} of ${paths.length} equal`);
process.exit(equal === paths.length ? 0 : 1);
