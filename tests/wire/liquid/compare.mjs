// node compare.mjs PROGRAM: exits 1 and prints each case that liquid_render and LiquidJS render
// differently. In `departures` we differ on purpose, and must give exactly the text named there.
import { spawnSync } from 'node:child_process';
import { Liquid } from 'liquidjs';
import { cases, departures, now, people } from './cases.mjs';

if (process.env.TZ !== 'UTC') throw new Error('run with TZ=UTC');
const realNow = Date.now;

function reference({ template, data, partials, html }) {
  const engine = new Liquid({ templates: partials, ...(html ? { outputEscape: 'escape' } : {}) });
  Date.now = () => now;
  try {
    return { text: engine.parseAndRenderSync(template, structuredClone(data)) };
  } catch (error) {
    return { error: error.message };
  } finally {
    Date.now = realNow;
  }
}

function ours(program, all) {
  const input = all.map((row) => JSON.stringify(row)).join('\n') + '\n';
  const run = spawnSync(program, { input, maxBuffer: 1 << 28, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`${program} ended with ${run.status ?? run.signal}: ${run.stderr}`);
  return run.stdout.trimEnd().split('\n').map((line) => JSON.parse(line));
}

const complete = (row) => ({ data: {}, partials: {}, html: false, now, ...row });
const same = (a, b) => ('error' in a ? 'error' in b : a.text === b.text);

// Whatever LiquidJS has, we have: a filter or a tag that a new version adds is seen here.
function unknown(program) {
  const engine = new Liquid();
  const rows = [
    ...Object.keys(engine.filters).map((name) => complete({ template: `{{ 1 | ${name} }}` })),
    ...Object.keys(engine.tags).map((name) => complete({ template: `{% ${name} %}` })),
  ];
  return ours(program, rows).map(({ error }) => error).filter((error) => error?.startsWith('unknown '));
}

const program = process.argv[2];
const missing = unknown(program);
for (const error of missing) console.log(error);
const rows = [...cases(), ...departures].map(complete);
const results = ours(program, rows);
let failures = 0;
rows.forEach((row, i) => {
  const want = 'ours' in row ? { text: row.ours } : reference(row);
  if (same(want, results[i])) return;
  failures++;
  if (failures > 60) return;
  const data = row.data === people ? 'the usual data' : JSON.stringify(row.data);
  console.log(`${JSON.stringify(row.template)} with ${data}`);
  console.log(`  want ${JSON.stringify(want)}\n  got  ${JSON.stringify(results[i])}`);
});
console.log(`${rows.length} cases, ${failures} differences`);
process.exit(failures || missing.length ? 1 : 0);
