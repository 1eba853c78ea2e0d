// Writes unicode_tables.cc from the Unicode data of the Node.js that runs it:
//   node make_unicode_tables.mjs > unicode_tables.cc
const last = 0x10ffff;
const hex = (n) => '0x' + n.toString(16);
const isSurrogate = (cp) => cp >= 0xd800 && cp <= 0xdfff;

function caseTables(change) {
  const runs = [];
  const specials = [];
  for (let cp = 0x80; cp <= last; cp++) {
    if (isSurrogate(cp)) continue;
    const to = [...change(String.fromCodePoint(cp))];
    const target = to[0].codePointAt(0);
    if (to.length > 1) {
      specials.push([cp, Buffer.from(to.join('')).toString('latin1')]);
      continue;
    }
    if (target === cp) continue;
    const run = runs[runs.length - 1];
    const delta = target - cp;
    const step = run ? cp - run.end : 0;
    const fits = run && run.delta === delta && (step === 1 || step === 2) &&
      (run.step === 0 || run.step === step);
    if (fits) Object.assign(run, { end: cp, step });
    else runs.push({ begin: cp, end: cp, step: 0, delta });
  }
  return { runs, specials };
}

function wordRanges() {
  const isPart = /[\p{M}\p{L}\p{Nd}]/u;
  const ranges = [];
  for (let cp = 0x80; cp <= last; cp++) {
    if (isSurrogate(cp) || !isPart.test(String.fromCodePoint(cp))) continue;
    const range = ranges[ranges.length - 1];
    if (range && range[1] === cp - 1) range[1] = cp;
    else ranges.push([cp, cp]);
  }
  return ranges;
}

function emit(type, name, rows) {
  const lines = [];
  let line = '   ';
  for (const row of rows) {
    if (line.length + row.length + 2 > 100) {
      lines.push(line);
      line = '   ';
    }
    line += ' ' + row + ',';
  }
  lines.push(line);
  console.log(`const ${type} ${name}_data[] = {\n${lines.join('\n')}\n};\n`);
}

const bytes = (text) => '"' + [...text].map((c) => '\\x' + c.charCodeAt(0).toString(16)).join('') + '"';
const caseRow = (r) => `{${hex(r.begin)}, ${hex(r.end)}, ${r.step || 1}, ${r.delta}}`;
const specialRow = ([cp, text]) => `{${hex(cp)}, ${bytes(text)}}`;

const upper = caseTables((c) => c.toUpperCase());
const lower = caseTables((c) => c.toLowerCase());
console.log(`// Made by make_unicode_tables.mjs from Unicode ${process.versions.unicode}.`);
console.log('// clang-format off');
console.log('#include "liquid/unicode_tables.h"\n\nnamespace mailroom::liquid {\n\nnamespace {\n');
emit('CaseRun', 'upper_runs', upper.runs.map(caseRow));
emit('CaseRun', 'lower_runs', lower.runs.map(caseRow));
emit('CaseSpecial', 'upper_specials', upper.specials.map(specialRow));
emit('CaseSpecial', 'lower_specials', lower.specials.map(specialRow));
emit('CodeRange', 'word_ranges', wordRanges().map(([a, b]) => `{${hex(a)}, ${hex(b)}}`));
console.log('}  // namespace\n');
for (const [type, name] of [['CaseRun', 'upper_runs'], ['CaseRun', 'lower_runs'],
  ['CaseSpecial', 'upper_specials'], ['CaseSpecial', 'lower_specials'], ['CodeRange', 'word_ranges']]) {
  console.log(`const std::span<const ${type}> ${name}(${name}_data);`);
}
console.log('\n}  // namespace mailroom::liquid');
