// Mails made by chance from what the peer itself says it knows: its elements, where they may stand,
// and the values that their attributes take. The same seed makes the same mails.
import { components, dependencies } from './peer.mjs';

const html = new Set(Object.keys(components).filter((tag) => components[tag].endingTag));
// Shown differently on purpose.
const leftOut = new Set(['mj-carousel', 'mj-raw']);

export function generator(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (n) => Math.floor(next() * n);
  const pick = (list) => list[below(list.length)];
  const often = (share) => next() < share;

  function unit(units) {
    const unit = pick(units);
    if (unit === 'auto') return 'auto';
    const numbers = unit === '%' ? ['5', '33.33', '50', '66.6', '100'] : ['0', '1', '7', '24', '60', '133'];
    const number = pick(numbers);
    return `${number}${unit === '' ? '' : unit}`;
  }

  const colors = ['#abc', '#012345', 'red', 'rgb(1,2,3)', 'rgba(9, 9, 9, 0.5)', 'transparent'];
  const texts = {
    border: ['none', '1px solid #000', '3px dashed red', 'solid 5px'],
    'background-position': [
      'top', 'left', 'center', 'top center', 'center right', '20% 30%', '10px 5px', 'left bottom',
    ],
    'background-size': ['auto', 'cover', 'contain', '50%', '10px 20px', '100px auto'],
    'background-position-x': ['left', '10%'],
    'background-position-y': ['bottom', '5px'],
    'font-family': ['Lato, Arial', 'Georgia', "'Open Sans', serif"],
    mode: ['fixed-height', 'fluid-height'],
    hamburger: ['hamburger'],
    name: ['facebook', 'x', 'web', 'github-noshare', 'unknown'],
    href: ['https://example.com/a?b=c&d=e', '{{ link }}'],
    src: ['https://example.com/a.png', '{{ image }}'],
    'background-url': ['https://example.com/b.png'],
    'border-radius': ['5px', '1px 2px', ''],
  };

  function value(name, type) {
    if (type === 'color') return pick(colors);
    if (type === 'boolean') return pick(['true', 'false']);
    if (type === 'integer') return pick(['0', '3']);
    if (type.startsWith('enum')) return pick(type.match(/\((.*)\)/)[1].split(','));
    if (type.startsWith('unit')) {
      const count = type.includes('{') ? 1 + below(4) : 1;
      const units = type.match(/\((.*?)\)/)[1].split(',');
      return Array.from({ length: count }, () => unit(units)).join(' ');
    }
    const known = Object.keys(texts).find((key) => name === key) ?? (/border/.test(name) ? 'border' : '');
    return pick(texts[known] ?? ['bold', 'underline', 'x']);
  }

  function attributes(tag, share) {
    const rules = { 'css-class': 'string', ...components[tag].allowedAttributes };
    return Object.entries(rules)
      .filter(() => often(share))
      .map(([name, type]) => ` ${name}="${value(name, type)}"`)
      .join('');
  }

  function content() {
    return pick(['words', '<b>bold</b> words', '{{ a }} {% if b %}c{% endif %}', '<tr><td>cell</td></tr>', '']);
  }

  function element(tag, depth) {
    const share = pick([0, 0.1, 0.3]);
    const classes = often(0.2) ? ` mj-class="${pick(['one', 'two', 'one two'])}"` : '';
    const open = `<${tag}${attributes(tag, share)}${classes}`;
    if (html.has(tag)) return `${open}>${content()}</${tag}>`;
    const mayHold = dependencies[tag] ?? [];
    const inside = mayHold.filter((each) => typeof each === 'string' && !leftOut.has(each));
    if (inside.length === 0 || depth === 0) return `${open} />`;
    const children = Array.from({ length: below(4) }, () =>
      often(0.1) ? '<mj-raw><!-- raw --></mj-raw>' : element(pick(inside), depth - 1));
    return `${open}>\n${children.join('\n')}\n</${tag}>`;
  }

  function head() {
    const tags = ['mj-text', 'mj-column', 'mj-section', 'mj-button', 'mj-image', 'mj-social-element'];
    const defaults = tags.filter(() => often(0.2)).map((tag) => `<${tag}${attributes(tag, 0.2)} />`);
    const all = often(0.3) ? `<mj-all${attributes('mj-text', 0.15)} />` : '';
    const classes = ['one', 'two'].map((name) => {
      const own = attributes('mj-button', 0.2).replace(/ name="[^"]*"/, '');
      return `<mj-class name="${name}"${own}><mj-text${attributes('mj-text', 0.1)} /></mj-class>`;
    });
    const inside = [all, ...defaults, ...classes].join('');
    return `<mj-head><mj-attributes>${inside}</mj-attributes></mj-head>`;
  }

  return () => `<mjml>${head()}\n${element('mj-body', 6)}</mjml>`;
}
