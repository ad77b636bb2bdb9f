// base.js - the data, and what all views use. Names are set as text, never as HTML.
let DATA = null;
const el = id => document.getElementById(id);
// JSON as it is, or, where it is large, its size and what pack.c made of it. What waits for it: starts, and then main.js.
const starts = [];
function unpack(text) {
  const size = parseInt(text, 10), raw = atob(text.slice(text.indexOf(' ') + 1)), out = new Uint8Array(size), symbols = new Uint16Array(512);
  // Codes as they are read, lowest bit first: 16 times the symbol, and the number of bits.
  for (let s = 0; s < 288; s++) {
    const [code, n] = s < 144 ? [0x30 + s, 8] : s < 256 ? [0x190 + s - 144, 9] : s < 280 ? [s - 256, 7] : [0xC0 + s - 280, 8];
    let turned = 0;
    for (let k = 0; k < n; k++) turned |= (code >> k & 1) << (n - 1 - k);
    for (let k = turned; k < 512; k += 1 << n) symbols[k] = s << 4 | n;
  }
  const far = Uint8Array.from({ length: 32 }, (_, k) => (k & 1) << 4 | (k & 2) << 2 | k & 4 | (k & 8) >> 2 | k >> 4);
  let at = 0, bits = 0, have = 0, end = 0;
  const take = n => { while (have < n) { bits |= raw.charCodeAt(at++) << have; have += 8; } const v = bits & ((1 << n) - 1); bits >>>= n; have -= n; return v; };
  take(3); // the only block, with fixed codes
  for (;;) {
    while (have < 9) { bits |= raw.charCodeAt(at++) << have; have += 8; }
    const code = symbols[bits & 511], s = code >> 4;
    bits >>>= code & 15;
    have -= code & 15;
    if (s < 256) { out[end++] = s; continue; }
    if (s === 256) break;
    const l = s - 257, more = l < 8 || l === 28 ? 0 : (l >> 2) - 1, length = l === 28 ? 258 : 3 + (more ? (4 + (l & 3) << more) + take(more) : l);
    const d = far[take(5)], extra = d < 4 ? 0 : (d >> 1) - 1, back = 1 + (extra ? (2 + (d & 1) << extra) + take(extra) : d);
    for (let k = 0; k < length; k++, end++) out[end] = out[end - back];
  }
  return new TextDecoder().decode(out);
}
function withData(start) {
  const text = el('data').textContent.trim();
  DATA = JSON.parse(text.startsWith('{') ? text : unpack(text));
  el('data').remove();
  starts.forEach(f => f());
  start();
}
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const unit = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 14; // of all that is drawn
const clip = (t, n) => t.length > n ? t.slice(0, n - 1) + '\u2026' : t;
const SAME = 0, CHANGED = 1;
const PALETTE = { light: ['#7d8590', '#b06a00', '#0b6fb5', '#0b7a5b', '#857000', '#5b4fc7', '#c2410c', '#a8327d'],
  dark: ['#8d96a2', '#e6a23c', '#5fb0ee', '#43c59e', '#d4bf3f', '#a49bf5', '#f0805a', '#e68ac2'] };
const isDark = () => document.documentElement.dataset.theme === 'dark';
const colourOf = c => { const p = PALETTE[isDark() ? 'dark' : 'light']; return p[c ? 1 + (c - 1) % (p.length - 1) : 0]; };

// Three digits, as in the reports.
function digits(n) { return n >= 99.95 ? n.toFixed(0) : n >= 9.995 ? n.toFixed(1) : n.toFixed(2); }
function bytes(n) {
  if (n == null || n < 0) return '?';
  for (const name of ['B', 'KB', 'MB', 'GB', 'TB']) {
    if (n < 999.5 || name === 'TB') return (name === 'B' ? Math.round(n) : digits(n)) + ' ' + name;
    n /= 1000;
  }
}
const duration = us => us === 0 ? '0 us' : us == null || us < 0 ? '?' : us < 999.5 ? digits(us) + ' us' : us < 999500 ? digits(us / 1e3) + ' ms' : digits(us / 1e6) + ' s';
const percent = (part, whole) => (whole > 0 ? 100 * part / whole : 0).toFixed(1) + ' %';
const baseName = place => (place || '').replace(/^.*\//, '');

function make(tag, parent, words, kind) {
  const e = document.createElement(tag);
  if (words != null) e.textContent = words;
  if (kind) e.className = kind;
  if (parent) parent.append(e);
  return e;
}
function button(parent, words, go, kind) {
  const b = make('button', parent, words, kind);
  b.type = 'button';
  b.onclick = go;
  return b;
}
function pair(table, name, value, tag) {
  if (value === '' || value == null) return;
  const tr = make('tr', table);
  make('th', tr, name);
  make(tag || 'span', make('td', tr), value);
}
// A table; numeric columns begin with '#' in the heads.
function tableOf(parent, heads) {
  const t = make('table', make('div', parent, null, 'scroll')), tr = make('tr', make('thead', t)), body = make('tbody', t);
  for (const h of heads) make('th', tr, h.replace('#', ''), h.startsWith('#') ? 'n' : '');
  body.numeric = heads.map(h => h.startsWith('#'));
  return body;
}
function rowOf(body, cells, go) {
  const tr = make('tr', body, null, go ? 'go' : '');
  cells.forEach((c, k) => {
    const td = make('td', tr, null, body.numeric && body.numeric[k] ? 'n' : '');
    if (c instanceof Node) td.append(c); else td.textContent = c == null ? '' : c;
  });
  if (go) {
    tr.tabIndex = 0;
    tr.onclick = go;
    tr.onkeydown = e => { if (e.key === 'Enter') { e.stopPropagation(); go(); } };
  }
  return tr;
}
// A name, and behind it or below it where it is.
function withPlace(name, ...places) {
  const div = make('span', null, null, 'placed');
  make('span', div, name);
  for (const place of places) if (place) div.append(' ', code(place));
  return div;
}
const code = t => make('code', null, t);
function swatch(colour) { const s = make('i', null, null, 'swatch'); s.style.background = colour; return s; }
// A bar of parts [class, value, name] of a whole.
function barOf(parent, parts, whole) {
  const div = make('div', parent, null, 'bar');
  let left = whole;
  for (const [kind, value, name] of parts) {
    left -= value;
    if (value <= whole * 1e-4) continue;
    const i = make('i', div, null, kind);
    i.style.flex = String(100 * value / whole);
    i.title = name;
  }
  if (left > whole * 1e-3) make('i', div, null, 'rest').style.flex = String(100 * left / whole);
  return div;
}
// A canvas as wide as its parent and as high as asked, in pixels of the page; draws again when the window changes.
function chart(parent, height, draw) {
  const c = make('canvas', parent, null, 'chart');
  c.tabIndex = 0;
  c.redraw = () => {
    const ratio = devicePixelRatio || 1, w = c.clientWidth || 300, h = typeof height === 'function' ? height() : height;
    c.style.height = h + 'px';
    c.width = Math.round(w * ratio);
    c.height = Math.round(h * ratio);
    const g = c.getContext('2d');
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, w, h);
    draw(g, w, h);
  };
  if (window.ResizeObserver) { let was = 0; new ResizeObserver(() => { if (c.clientWidth !== was) { was = c.clientWidth; requestAnimationFrame(c.redraw); } }).observe(c); }
  return c;
}
function fontOf(px, weight) { return (weight || '') + ' ' + px + 'px system-ui, -apple-system, "Segoe UI", sans-serif'; }
// The text as far as it fits; '' if not even some of it does.
function fitText(g, t, w) {
  if (w < 14) return '';
  if (g.measureText(t).width <= w) return t;
  let lo = 0, hi = t.length;
  while (lo < hi) {
    const mid = (lo + hi + 1) >> 1;
    if (g.measureText(t.slice(0, mid) + '\u2026').width <= w) lo = mid; else hi = mid - 1;
  }
  return lo > 3 ? t.slice(0, lo) + '\u2026' : '';
}
