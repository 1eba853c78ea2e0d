// node compare.mjs PROGRAM [NAME]: exits 1 and prints each mail of mails/ that mjml_render and npm's
// mjml compile to different HTML, and each of faulty/ in which they warn of different places; then
// the same of mails made by chance: SEED and COUNT in the environment choose others.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import mjml2html from 'mjml';
import { departures } from './departures.mjs';
import { generator } from './random.mjs';
import { tokens } from './tokens.mjs';

const [program, only] = process.argv.slice(2);
const files = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.mjml') && (!only || name === `${only}.mjml`))
    .sort()
    .map((name) => `${folder}/${name}`);

function ours(paths) {
  if (paths.length === 0) return [];
  const text = execFileSync(program, paths, { encoding: 'utf8', maxBuffer: 1 << 28 });
  return text.trimEnd().split('\n').map((line) => JSON.parse(line));
}

function firstDifference(a, b) {
  const at = a.findIndex((token, i) => token !== b[i]);
  return at < 0 ? Math.min(a.length, b.length) : at;
}

function sameHtml(path, result) {
  const name = path.replace(/.*\/|\.mjml$/g, '');
  const source = readFileSync(path, 'utf8');
  let peer = mjml2html(source).html;
  let own = result.html ?? '';
  for (const [from, to] of [...departures.everywhere, ...(departures[name] ?? [])]) peer = peer.replace(from, to);
  const [want, got] = [tokens(peer), tokens(own)];
  if (JSON.stringify(want) === JSON.stringify(got)) return true;
  const at = firstDifference(want, got);
  console.log(`${name}: ${result.error ?? `differs at token ${at} of ${want.length}`}`);
  console.log(`  want ${want.slice(Math.max(0, at - 2), at + 3).join(' ')}`);
  console.log(`  got  ${got.slice(Math.max(0, at - 2), at + 3).join(' ')}`);
  return false;
}

const places = (rows) => [...new Set(rows.map(({ line, tag }) => `${line} ${tag}`))].sort();

function sameWarnings(path, result) {
  const errors = mjml2html(readFileSync(path, 'utf8')).errors;
  const want = places(errors.map(({ line, tagName }) => ({ line, tag: tagName })));
  const got = places(result.warnings ?? []);
  const differences = [
    ...want.filter((place) => !got.includes(place)).map((place) => `only the peer warns: ${place}`),
    ...got.filter((place) => !want.includes(place)).map((place) => `only we warn: ${place}`),
  ];
  for (const line of differences) console.log(`${path}: ${line}`);
  return differences.length === 0;
}

function compare(folder, same) {
  const paths = files(folder);
  const results = ours(paths);
  const equal = paths.filter((path, i) => same(path, results[i])).length;
  console.log(`${folder}: ${equal} of ${paths.length} equal`);
  return equal === paths.length;
}

// One that differs is kept as a file, to be looked at.
function compareRandom(count, seed) {
  const folder = mkdtempSync(`${tmpdir()}/mjml-`);
  const mail = generator(seed);
  const paths = Array.from({ length: count }, (_, i) => `${folder}/random-${i}.mjml`);
  for (const path of paths) writeFileSync(path, mail());
  const results = ours(paths);
  const isSame = (path, i) => sameHtml(path, results[i]) && sameWarnings(path, results[i]);
  const different = paths.filter((path, i) => !isSame(path, i));
  console.log(`by chance, seed ${seed}: ${count - different.length} of ${count} equal`);
  if (different.length === 0) rmSync(folder, { recursive: true });
  else console.log(`see ${different[0]}`);
  return different.length === 0;
}

const outcomes = [compare('mails', sameHtml), compare('faulty', sameWarnings)];
const { SEED = '1', COUNT = '300' } = process.env;
if (!only) outcomes.push(compareRandom(Number(COUNT), Number(SEED)));
process.exit(outcomes.every(Boolean) ? 0 : 1);
