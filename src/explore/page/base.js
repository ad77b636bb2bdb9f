// base.js - the data, and what all views use. Names are set as text, never as HTML.
let DATA = null;
const el = id => document.getElementById(id);
// JSON as it is, or, where it is large, deflated and in base64. What waits for it: starts, and then main.js.
const starts = [];
async function unpack(text) {
  const raw = atob(text), packed = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) packed[i] = raw.charCodeAt(i);
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text();
}
function withData(start) {
  const text = el('data').textContent.trim(), begin = json => { DATA = JSON.parse(json); el('data').remove(); starts.forEach(f => f()); start(); };
  if (text.startsWith('{')) begin(text);
  else if (window.DecompressionStream) unpack(text).then(begin);
  else make('p', el('summary'), 'This browser cannot unpack the other views: it has no DecompressionStream.', 'look error');
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
