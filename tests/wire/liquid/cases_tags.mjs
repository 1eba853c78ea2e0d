// Every tag, in use.
const plain = [
  '{% assign x = 1 %}{{ x }}', '{% assign x = name | upcase %}{{ x }}', '{% assign name = 2 %}{{ name }}', '{% assign x = missing %}[{{ x }}]',
  '{% assign x = list %}{{ x.size }}', '{% assign x = 1 == 1 %}{{ x }}', '{% assign x=(1..3) %}{{ x }}', '{% assign x = "a,b" | split: "," %}{{ x[1] }}',
  '{% capture c %}a{{ name }}b{% endcapture %}[{{ c }}]', '{% capture "c d" %}q{% endcapture %}{{ ["c d"] }}', '{% capture c %}{% endcapture %}{{ c.size }}',
  '{% if yes %}a{% elsif no %}b{% else %}c{% endif %}', '{% if no %}a{% elsif yes %}b{% else %}c{% endif %}', '{% if no %}a{% elsif no %}b{% else %}c{% endif %}',
  '{% if empty_text %}truthy{% endif %}', '{% if zero %}truthy{% endif %}', '{% if none %}truthy{% endif %}', '{% if none == empty %}E{% endif %}',
  '{% unless no %}a{% endunless %}', '{% unless yes %}a{% else %}b{% endunless %}', '{% unless yes %}a{% elsif yes %}b{% else %}c{% endunless %}',
  '{% unless yes %}a{% else %}b{% else %}c{% endunless %}', '{% unless yes %}a{% else %}b{% elsif yes %}c{% endunless %}',
  '{% case name %}{% when "Bob" %}b{% when "Ann" %}a{% endcase %}', '{% case name %}{% when "x", "Ann" %}a{% else %}e{% endcase %}', '{% case name %}{% when "x" or "Ann" %}a{% endcase %}',
  '{% case zero %}{% when 1 %}1{% else %}other{% endcase %}', '{% case name %} junk {% when "Ann" %}1{% when "Ann" %}2{% else %}3{% endcase %}', '{% case missing %}{% when nil %}n{% endcase %}',
  '{% case 1 %}{% else %}a{% when 1 %}b{% endcase %}', '{% case 1 %}{% when 2 %}a{% else %}b{% else %}c{% endcase %}', '{% case none %}{% when empty %}e{% endcase %}', '{% case name | size %}{% when 3 %}three{% endcase %}',
  '{% comment %}x {{ y }} {% if %}{% endcomment %}z', '{%- comment -%} x {%- endcomment -%} z', '{% comment %}{% raw %}{% endcomment %}{% endraw %}{% endcomment %}z', '{% # one line %}z', '{% # one\n # two %}z',
  '{% raw %}{{ name }}{% if %}{% endraw %}', '{% raw %}{% endraw %}', 'a {%- raw %} x {% endraw -%} b', '{% raw %} {{ "{% raw %}" {% endraw %}', '{% raw %}{% endraw foo %}z',
  '{% echo name %}', '{% echo name | upcase %}', '{% echo %}', '{% echo "a" | append: "b" %}',
  '{% increment n %}{% increment n %}{{ n }}', '{% decrement n %}{% decrement n %}{{ n }}', '{% increment zero %}{% increment zero %}', '{% increment pi %}{{ pi }}', '{% assign n = 7 %}{% increment n %}{{ n }}', '{% increment name %}{{ name }}', '{% increment a %}{% decrement a %}{% increment b %}',
  '{% cycle "a", "b", "c" %}{% cycle "a", "b", "c" %}{% cycle "a", "b", "c" %}{% cycle "a", "b", "c" %}', '{% cycle "a", "b" %}{% cycle "x", "y" %}{% cycle "a", "b" %}', '{% cycle "g": "a", "b" %}{% cycle "h": "a", "b" %}{% cycle "g": "a", "b" %}', '{% cycle name, pi %}{% cycle name, pi %}', '{% cycle name | upcase, "x" %}', '{% cycle name: "a", "b" %}{% cycle name: "a", "b" %}', '{% for i in (1..5) %}{% cycle 1, 2, 3 %}{% endfor %}',
  '{% liquid\n assign x = 1\n echo x\n if yes\n echo "y"\n else\n echo "n"\n endif\n%}', '{% liquid echo name | upcase %}', '{% liquid\n for i in list\n echo i\n if i == 1\n break\n endif\n endfor\n%}', '{% liquid\n # comment\n comment\n anything\n endcomment\n echo "z" %}', '{% liquid %}', '{%- liquid\n  assign a = "q"\n  echo a\n-%}  x', '{% liquid\ncase name\nwhen "Ann"\necho 1\nelse\necho 2\nendcase %}',
  '{% liquid\n capture z\n echo "in"\n endcapture\n echo z %}', '{% liquid\n raw\n echo 1\n endraw\n echo 2 %}',
];

const loops = [
  'i in list %}{{ i }},', 'i in list reversed %}{{ i }},', 'i in list limit: 2 %}{{ i }},', 'i in list offset: 1 %}{{ i }},', 'i in list limit: 1 offset: 1 %}{{ i }},', 'i in (1..6) reversed limit: 2 offset: 1 %}{{ i }},',
  'i in (1..6) limit:2, offset:3 %}{{ i }},', 'i in list limit: 0 %}{{ i }},', 'i in list limit: -1 %}{{ i }},', 'i in list offset: -1 %}{{ i }},', 'i in list limit: "2" %}{{ i }},', 'i in list limit: missing %}{{ i }},', 'i in list limit: nothing %}{{ i }},', 'i in list offset: 9 %}{{ i }},{% else %}E',
  'i in none %}{{ i }},{% else %}E', 'i in missing %}{{ i }},{% else %}E', 'i in name %}{{ i }},', 'i in zero %}{{ i }},{% else %}E', 'i in empty_text %}{{ i }},{% else %}E', 'i in object %}{{ i[0] }}={{ i[1] }},', 'i in object %}{{ i.first }}:{{ i.last }},{{ i.size }}', 'i in user.address %}{{ i }},', 'i in nested %}{{ i }},{{ i.size }};',
  'i in (1..3) %}{{ forloop.index }}{{ forloop.index0 }}{{ forloop.rindex }}{{ forloop.rindex0 }}{{ forloop.first }}{{ forloop.last }}{{ forloop.length }}{{ forloop.name }},', 'i in (1..2) %}{{ forloop.nosuch }}{% for j in (1..2) %}{{ i }}{{ j }}{{ forloop.index }},{% endfor %}{{ forloop.index }}',
  'i in list %}{% if i == 1 %}{% continue %}{% endif %}{{ i }}', 'i in list %}{% if i == 1 %}{% break %}{% endif %}{{ i }}', 'i in list %}{% for j in list %}{% if j == 1 %}{% break %}{% endif %}{{ j }}{% endfor %};', 'i in list %}{% assign last = i %}', 'i in items %}{{ i.title }}{% unless forloop.last %}, {% endunless %}', 'i in list %}{% increment c %}{{ c }}', 'i in list %}{% capture q %}{{ q }}{{ i }}{% endcapture %}',
  'i in (1..3) %}{% assign f = forloop %}', 'name in list %}{{ name }}', 'i in list %}{% break %}x{% else %}y', 'i in "abc" %}{{ i }}', 'i in items | sort %}{{ i.id }}', 'i in list  reversed  %}{{ i }}', 'i in true %}x{% else %}E',
];

const tables = ['', 'cols: 2', 'cols: 2 limit: 3', 'cols: 3 offset: 1', 'cols:1', 'limit: 2', 'cols: 2, limit: 1, offset: 2', 'cols: missing', 'limit: 0'];
const tableFields = ['index', 'index0', 'rindex', 'rindex0', 'first', 'last', 'length', 'col', 'col0', 'col_first', 'col_last', 'row'];

const partials = {
  card: '[{{ title }}|{{ name }}|{{ x }}]', item: '<{{ item }}{{ forloop.index }}>', setter: '{% assign set = "in" %}{{ set }}', loopy: '{% for i in (1..3) %}{{ i }}{% break %}{% endfor %}', stop: 'a{% break %}b',
  deep: '({% render "card", title: "t" %})', count: '{% increment n %}', row: '{{ row.title }};', with_self: '{{ with_self }}', 'folder/a': 'A{{ v }}',
};
const partialUses = [
  '{% render "card" %}', '{% render "card", title: "T" %}', '{% render "card", title: name, x: 1 %}', '{% render "card" title: name %}', '{% include "card" %}', '{% include "card", title: "T" %}', '{% include "card" title: "T", x: pi %}', '{% render "item" with name as item %}', '{% render "with_self" with name %}',
  '{% include "with_self" with name %}', '{% render "item" for list as item %}', '{% render "row" for items as row %}', '{% render "setter" %}[{{ set }}]', '{% include "setter" %}[{{ set }}]', '{% for i in list %}{% include "stop" %}{% endfor %}z', '{% for i in list %}{% render "stop" %}{% endfor %}z', '{% render "loopy" %}', '{% render "deep" %}', '{% assign p = "card" %}{% render p, title: 1 %}', '{% assign p = "card" %}{% include p %}',
  '{% assign f = "folder" %}{% render "{{ f }}/a", v: 1 %}', '{% render "folder/a", v: 2 %}', '{% render "count" %}{% render "count" %}{% include "count" %}{% include "count" %}', '{% assign title = "outer" %}{% include "card" %}{% render "card" %}', '{% for title in texts %}{% include "card" %}{% endfor %}', '{% capture c %}{% render "card", title: 9 %}{% endcapture %}{{ c | upcase }}', '{% render missing %}', '{% include "card", title %}',
];

export function tagRows() {
  const rows = plain.map((template) => ({ template }));
  for (const template of plain) rows.push({ template, html: true });
  for (const loop of loops) rows.push({ template: `{% for ${loop}{% endfor %}[{{ i }}{{ last }}{{ q }}{{ f.index }}]` });
  for (const table of tables) {
    const fields = tableFields.map((field) => `{{ tablerowloop.${field} }}`).join(' ');
    rows.push({ template: `{% tablerow i in (1..5) ${table} %}{{ i }}{% endtablerow %}` });
    rows.push({ template: `{% tablerow i in texts ${table} %}${fields}{% endtablerow %}` });
  }
  rows.push({ template: '{% tablerow i in none %}x{% endtablerow %}' });
  rows.push({ template: '{% for i in list limit: 2 %}{{ i }}{% endfor %}|{% for i in list offset: continue %}{{ i }}{% endfor %}' });
  rows.push({ template: '{% for i in (1..6) limit: 2 %}{{ i }}{% endfor %}|{% for i in (1..6) limit: 2 offset: continue %}{{ i }}{% endfor %}|{% for i in (1..6) offset: continue %}{{ i }}{% endfor %}' });
  for (const template of partialUses) rows.push({ template, partials });
  return rows;
}
