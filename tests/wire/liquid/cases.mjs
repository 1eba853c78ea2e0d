// What is rendered: rows written by hand, and every filter on every kind of value.
import { expressionRows } from './cases_expressions.mjs';
import { filterRows } from './cases_filters.mjs';
import { layoutRows } from './cases_layouts.mjs';
import { tagRows } from './cases_tags.mjs';
import { dateRows } from './cases_dates.mjs';

export const now = Date.UTC(2026, 10, 15, 6, 7, 8, 9);

export const people = {
  name: 'Ann', empty_text: '', zero: 0, yes: true, no: false, nothing: null, pi: 3.14159,
  words: 'The quick  brown\tfox', html: '<a href="x">Tom & \'Jerry\'</a>', accents: 'Ünïcödé ß Ærø',
  emoji: 'a😀b', date: '2026-07-05T13:45:09.123Z', list: [3, 1, 2], texts: ['b', 'a', 'C'],
  nested: [[1, 2], [3, [4]]], none: [], object: { a: 1, b: 'two', c: [1] },
  mixed: [1, 'x', null, true, { a: 1 }],
  items: [
    { id: 1, title: 'Pen', price: 1.5, tags: ['red', 'new'], maker: { city: 'Bern' }, sold: true },
    { id: 2, title: 'Ink', price: 12, tags: [], maker: { city: 'Rome' }, sold: false },
    { id: 3, title: 'pad', price: 7.25, tags: ['red'], maker: { city: 'Bern' } },
  ],
  user: { first: 'Ann', last: 'Lee', address: { city: 'Rome', zip: '00100' }, size: 9 },
};

// Neither result is of use to anybody: an array as a date, and the order of things that have none.
const meaningless = /^\{\{ (list \| date|mixed \| sort \|)/;

export function cases() {
  const rows = [...expressionRows(), ...tagRows(), ...layoutRows(), ...filterRows(), ...dateRows()];
  const different = new Set(departures.map((row) => row.template));
  return rows
    .filter(({ template }) => !meaningless.test(template) && !different.has(template))
    .map((row) => ({ data: people, ...row }));
}

// On purpose: markup is not escaped twice, a raw block may trim, a loop that continues from nowhere
// starts at the beginning, break ends a table, nil is null in JSON, characters are never cut in half.
export const departures = [
  { template: '{{ emoji | replace: "", "-" }}', data: people, ours: 'a-😀-b' },
  { template: '{{ emoji | split: "" | json }}', data: people, ours: '["a","😀","b"]' },
  { template: '{{ emoji | split | json }}', data: people, ours: '["a","😀","b"]' },
  { template: '{{ x | escape }}', data: { x: '<' }, html: true, ours: '&lt;' },
  { template: '{{ x | escape | newline_to_br }}', data: { x: '<\n' }, html: true, ours: '&lt;<br />\n' },
  { template: '{% capture c %}<b>{{ x }}</b>{% endcapture %}{{ c }}', data: { x: '<' }, html: true, ours: '<b>&lt;</b>' },
  { template: 'a {%- raw -%} {{ b }} {%- endraw -%} c', ours: 'a {{ b }} c' },
  { template: '{% for i in (1..4) limit: 2 offset: continue %}{{ i }}{% endfor %}{% for i in (1..4) limit: 2 offset: continue %}{{ i }}{% endfor %}', ours: '1234' },
  { template: '{% tablerow i in (1..3) %}{% break %}{% endtablerow %}z', ours: '<tr class="row1"><td class="col1"></td></tr>z' },
  { template: '{{ nil | json }}', ours: 'null' },
  { template: "{% render 'p' for list %}", data: people, partials: { p: '[{{ p }}]' }, ours: '[3][1][2]' },
];
