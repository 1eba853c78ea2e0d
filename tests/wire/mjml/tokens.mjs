// HTML as a list of tokens in which only differences that somebody could see are left: no order of
// attributes or declarations, no space, no names made by chance. What stands in a conditional
// comment is read like the rest.

const piece = /<!--[\s\S]*?-->|<![^>]*>|<\/?[a-zA-Z](?:[^>"']|"[^"]*"|'[^']*')*>|[^<]+|</g;
const attribute = /([^\s=/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/g;
const voids = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta']);

const squeeze = (text) => text.replace(/\s+/g, ' ').trim();

function declarations(text) {
  const parts = text.match(/(?:url\([^)]*\)|\{\{.*?\}\}|[^;])+/g) ?? [];
  const byName = new Map();
  for (const part of parts) {
    const colon = part.indexOf(':');
    if (colon < 0) continue;
    const value = squeeze(part.slice(colon + 1)).replace(/\s*,\s*/g, ',');
    byName.set(squeeze(part.slice(0, colon)), value);
  }
  const names = [...byName.keys()];
  // Where "padding-top" stands before "padding" it says nothing.
  const isOverridden = (name, at) => names.some((other, i) => i > at && name.startsWith(`${other}-`));
  return names
    .map((name, at) => `${name}:${byName.get(name)}${isOverridden(name, at) ? ' (overridden)' : ''}`)
    .sort()
    .join(';');
}

function sheet(text) {
  return squeeze(text).replace(/\s*([{}:;,>~+()!])\s*/g, '$1').replace(/;}/g, '}').replace('}img{-ms-', ';-ms-');
}

function startTag(text) {
  const isClosed = text.endsWith('/>');
  const inside = text.slice(1, isClosed ? -2 : -1);
  const name = inside.match(/^[^\s/]+/)[0].toLowerCase();
  const attributes = [];
  for (const [, key, quoted] of inside.slice(name.length).matchAll(attribute)) {
    let value = (quoted ?? '').replace(/^["']|["']$/g, '');
    if (key === 'style') value = declarations(value);
    else value = squeeze(value).replaceAll('&quot;', '"');
    value = value.replace(/#(\w)(\w)(\w)(?!\w)/g, '#$1$1$2$2$3$3');
    if (value === '' && (key === 'style' || key === 'class')) continue;
    attributes.push(`${key}="${value}"`);
  }
  const tag = `<${[name, ...attributes.sort()].join(' ')}>`;
  return isClosed && !voids.has(name) ? [tag, `</${name}>`] : [tag];
}

function comment(text) {
  const conditional = text.match(/^<!--(\[if[^\]]*\]>)([\s\S]*)<!\[endif\]-->$/);
  if (conditional) return [conditional[1], ...read(conditional[2]), '[endif]'];
  return [squeeze(text)];
}

function read(html) {
  const tokens = [];
  for (const [text] of html.matchAll(piece)) {
    if (text.startsWith('<!--')) tokens.push(...comment(text));
    else if (/^<[a-zA-Z]/.test(text)) tokens.push(...startTag(text));
    else if (text.startsWith('</')) tokens.push(squeeze(text).replace(/\s*>$/, '>').toLowerCase());
    else if (squeeze(text)) tokens.push(squeeze(text));
  }
  return tokens;
}

// Identifiers made by chance are numbered in the order in which they are met.
function namedByPlace(html) {
  const names = new Map();
  return html.replace(/\b(?:[0-9a-f]{16}|mj-menu-\d+)(?=")/g, (name) => {
    if (!names.has(name)) names.set(name, `id-${names.size}`);
    return names.get(name);
  });
}

export function tokens(html) {
  const styled = namedByPlace(html).replace(
    /(<style[^>]*>)([\s\S]*?)(<\/style>)/g,
    (_, open, css, close) => `${open}${sheet(css).replaceAll('>', '&gt;')}${close}`,
  );
  return read(styled);
}
