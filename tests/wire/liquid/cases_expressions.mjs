// Values, paths, operators, and the places where LiquidJS is lenient.
const outputs = [
  '{{ name }}', '{{name}}', '{{ name  }}', '{{ missing }}', '{{ nothing }}', '{{ zero }}', '{{ no }}', '{{ pi }}',
  '{{ list }}', '{{ nested }}', '{{ object }}', '{{ mixed }}', '{{ none }}', '{{ "text" }}', "{{ 'it''s' }}",
  '{{ "a\\nb\\t\\"q\\" \\u00e9 \\101 \\x" }}', '{{ 12 }}', '{{ -3.50 }}', '{{ +4 }}', '{{ 1. }}', '{{ 1e3 }}', '{{ 0.1 }}',
  '{{ 100000000000000000000 }}', '{{ 1000000000000000000000 }}', '{{ 0.0000001 }}', '{{ 123456789.125 }}',
  '{{ true }}', '{{ false }}', '{{ nil }}', '{{ null }}', '{{ empty }}', '{{ blank }}', '{{ (1..5) }}', '{{ (zero..3) }}',
  '{{ (3..1) }}', '{{ (1.5..4) }}', '{{ ("2".."4") }}', '{{ (1..missing) }}', '{{ (1..3).size }}', '{{ (1..3)[1] }}',
  '{{ user.first }}', '{{ user.last }}', '{{ user.size }}', '{{ user["first"] }}', "{{ user['address'].city }}",
  '{{ user.address.zip }}', '{{ user.missing.deeper }}', '{{ nothing.deeper }}', '{{ object.size }}', '{{ object.first }}',
  '{{ list.size }}', '{{ list.first }}', '{{ list.last }}', '{{ list[0] }}', '{{ list[-1] }}', '{{ list[5] }}', '{{ list["1"] }}',
  '{{ list.1 }}', '{{ list[1.5] }}', '{{ list.length }}', '{{ list[zero] }}', '{{ items[list[1]].title }}', '{{ name.size }}',
  '{{ name[0] }}', '{{ name.length }}', '{{ name.first }}', '{{ emoji.size }}', '{{ "abc".size }}', '{{ "abc"[1] }}', '{{ 5.size }}',
  '{{ items.first.title }}', '{{ items.last.maker.city }}', '{{ items[0].tags.first }}', '{{ items[0]["tags"][1] }}', '{{ ["name"] }}',
  '{{ [name] }}', '{{ user[name] }}', '{{ name . size }}', '{{ user. first }}', '{{ user.first, 2 }}', '{{ name pi }}', '{{ name | }}',
  '{{ name | append: "!" | upcase | size }}', '{{ name|upcase }}',
  '{{ "a" | append: name | append: pi }}', '{{ x-y }}', '{{ a? }}', '{{ user.first | default: "x" }}', '{{ true and false }}',
  '{{ 1 == 1 }}', '{{ name == "Ann" }}', '{{ not yes }}', '{{ name contains "n" }}', '{{ "}}" }}', "{{ '%}' }}", '{{ "{{" }}',
  '{{-name-}}', ' {{- name -}} ', 'a {{- name }} b {{ name -}} c', 'a\n{%- if yes -%}\n b \n{%- endif -%}\n c',
  '{{ name }}{{ name }}', 'text only', '', '{', '}', '}}', '{ {', '{% # nothing %}x', 'ünïcode {{ accents }}', '{{ ünï }}',
];

const operands = ['name', 'missing', 'nothing', 'zero', 'yes', 'no', 'pi', 'list', 'none', 'object', 'empty_text', '"Ann"', '"3"', '3',
  'nil', 'empty', 'blank', 'true', '"  "', 'emoji'];
const operators = ['==', '!=', '<', '>', '<=', '>=', 'contains', 'and', 'or'];

const conditions = [
  'yes and no or yes', 'no or yes and no', 'no and yes or yes', 'not no', 'not no and no', 'not name == "Ann"', 'yes and', 'and yes', '== 1',
  '1 ==', 'list contains 3', 'list contains "3"', 'name contains ""', 'object contains "a"', 'texts contains "b"', 'list == list', 'texts == list',
  'user.address.city == "Rome"', '1 < 2 and 2 < 3', '"10" < "9"', '10 < 9', '"10" < 9', '"b" > "a"', 'nothing < 1', 'missing < 1', 'no < 1',
  'items.size > 2', 'items[0].price <= 1.5', '1 != "1"', '(1..3) contains 2', 'name | size', 'name == "Ann" | append: "x"', 'yes or', 'or',
  'order', 'android', 'nothing == missing', 'nil == missing', 'nil == nothing', 'empty == empty', 'empty == ""', 'blank == "  "', 'nested == nested',
];

const broken = ['{{ }}', '{{ name', '{% if %}', '{% if yes %}', '{% endif %}', '{% else %}', '{{ name | append }}', '{{ name + 1 }}',
  '{{ name | upcase: }}', '{{ name || upcase }}', '{{ list[ }}', '{{ (1..) }}', '{{ (1.2) }}', '{% nosuchtag %}', '{% %}', '{% if yes %}{% else %}{% else %}{% endif %}',
  '{% if yes %}{% else x %}{% endif %}', '{% if yes %}{% endif x %}', '{% if a %}{% else %}{% elsif b %}{% endif %}', '{% assign %}', '{% assign x %}', '{% assign x.y = 1 %}',
  '{% for %}{% endfor %}', '{% for x %}{% endfor %}', '{% for x of list %}{% endfor %}', '{% for x in list %}', '{% case x %}', '{% capture %}x{% endcapture %}',
  '{% capture x %}', '{% comment %}', '{% raw %}', '{% cycle %}', '{% tablerow x in list %}', '{% unless x %}', '{% render "nosuch" %}', '{% include "nosuch" %}',
  '{% case 1 %}{% when %}x{% endcase %}', '{{ "%zz" | url_decode }}', '{{ "*" | base64_decode }}', '{{ name | prepend }}', '{{ name | append: 1, 2 }}',
  '{{ name | upcase lower }}', '{{ "now" | date: "%Y", "No/Where" }}', '{{ list | where_exp: "x", "x |||" }}', '{% # a\n b %}', '{{ name | replace: "a" "b" }}'];

export function expressionRows() {
  const rows = [...outputs, ...broken].map((template) => ({ template }));
  for (const html of outputs) rows.push({ template: html, html: true });
  for (const condition of conditions) rows.push({ template: `{% if ${condition} %}T{% else %}F{% endif %}` });
  for (const left of operands) {
    for (const right of operands) {
      const tests = operators.map((op) => `{% if ${left} ${op} ${right} %}1{% else %}0{% endif %}`);
      rows.push({ template: tests.join('') });
    }
    rows.push({ template: `{% if ${left} %}T{% else %}F{% endif %}{% unless ${left} %}U{% endunless %}` });
  }
  return rows;
}
