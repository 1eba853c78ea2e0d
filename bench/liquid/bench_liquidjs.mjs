// Renders order.liquid with LiquidJS for the given number of seconds. LIQUIDJS_FROM is a file beside whose
// node_modules it is installed.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const require = createRequire(process.env.LIQUIDJS_FROM ?? import.meta.url);
const { Liquid } = require('liquidjs');
const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const engine = new Liquid({ outputEscape: 'escape' });
const letter = engine.parse(read('order.liquid'));
const data = JSON.parse(read('order.json'));
if (process.argv[3]) {
  process.stdout.write(engine.renderSync(letter, data));
  process.exit();
}
const seconds = Number(process.argv[2] ?? 3);
const run = (limit) => {
  let renders = 0, bytes = 0;
  const start = process.cpuUsage();
  let elapsed = 0;
  while (elapsed < limit) {
    for (let i = 0; i < 50; i++) bytes = Buffer.byteLength(engine.renderSync(letter, data));
    renders += 50;
    const used = process.cpuUsage(start);
    elapsed = (used.user + used.system) / 1e6;
  }
  return { renders_per_second: renders / elapsed, bytes };
};
run(1);  // Until the compiler has warmed up.
console.log(JSON.stringify(run(seconds)));
