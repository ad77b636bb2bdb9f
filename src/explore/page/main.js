// main.js - the panes, keys and buttons; then the page is shown.
const panes = DATA.views.map((v, i) => new Pane(new Graph(v), i));
let active = panes[panes.length - 1];
function use(pane) {
  active = pane;
  const g = pane.graph;
  el('size').textContent = (panes.length > 1 ? g.d.label + ': ' : '') + g.n + ' nodes, ' + g.d.edge_count + ' edges' +
    (g.d.layer_count ? ', ' + g.d.layer_count + ' layers' : '');
}
function theme(name) { document.documentElement.dataset.theme = name; panes.forEach(p => p.ask()); }
function search(words) {
  panes.forEach(p => p.search(words));
  el('found').textContent = words.trim() ? active.matches.length + ' found' : '';
}
function step(by) {
  active.step(by);
  if (active.matches.length) el('found').textContent = (active.match + 1) + ' of ' + active.matches.length;
}
const openAll = all => panes.forEach(p => { p.graph.openAll(all); p.fit(); });
const middle = by => active.zoom(by, active.canvas.clientWidth / 2, active.canvas.clientHeight / 2);
const firstOf = list => { const { selected: i } = active; if (i >= 0 && part(list, i).length) active.reveal(part(list, i)[0]); };
const keys = {
  ArrowLeft: () => active.pan(-80, 0), ArrowRight: () => active.pan(80, 0), ArrowUp: () => active.pan(0, -80), ArrowDown: () => active.pan(0, 80),
  '+': () => middle(1.25), '=': () => middle(1.25), '-': () => middle(0.8), 0: () => panes.forEach(p => p.fit()), Enter: () => active.toggle(active.selected),
  e: () => openAll(true), c: () => openAll(false), n: () => step(1), p: () => step(-1), '/': () => el('search').focus(),
  u: () => firstOf(active.graph.uses), d: () => firstOf(active.graph.users),
  t: () => theme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'),
  Escape: () => { el('search').value = ''; search(''); active.select(-1); active.canvas.focus(); },
};
Object.keys(tabs).slice(0, 9).forEach((name, k) => { keys[k + 1] = () => show(name); });
document.onkeydown = e => {
  const name = e.target.tagName, typing = name === 'INPUT' || name === 'SELECT';
  if (e.ctrlKey || e.altKey || e.metaKey || (typing && e.key !== 'Escape') || (name === 'BUTTON' && e.key === 'Enter')) return;
  const f = Object.hasOwn(keys, e.key) ? keys[e.key] : null;
  if (f) { e.preventDefault(); f(); }
};
for (const name of Object.keys(tabs)) {
  const b = make('button', el('tabs'), name);
  b.setAttribute('role', 'tab');
  b.onclick = () => show(name);
}
el('search').oninput = () => search(el('search').value);
el('search').onkeydown = e => { if (e.key === 'Enter') step(e.shiftKey ? -1 : 1); };
el('fit').onclick = () => panes.forEach(p => p.fit());
el('expand').onclick = () => openAll(true);
el('collapse').onclick = () => openAll(false);
el('theme').onclick = keys.t;
addEventListener('resize', () => panes.forEach(p => p.ask()));

el('file').textContent = DATA.file;
theme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
panes.forEach(p => { markGoldens(p); p.fit(); p.draw(); });
use(active);
show(panes.length > 1 ? 'Compare' : tab);
// For tests and scripts; without a pane, of the one that is in use.
window.tessera = { data: DATA, panes, whatIf, give, tryPlan, search, step, openAll, show, keys, theme, use: i => use(panes[i]),
  get view() { return active.view; }, get graph() { return active.graph; }, get groups() { return active.graph.groups; },
  toggle: i => active.toggle(i), reveal: i => active.reveal(i), select: i => active.select(i), draw: () => active.draw(), fit: () => active.fit(),
  hit: (x, y) => active.hit(x, y),
  box: i => { const g = active.graph; return [g.X[i], g.Y[i], g.W[i], g.H[i]]; },
  state: () => { const g = active.graph; return { nodes: g.n, visible: g.W.reduce((n, w) => n + (w > 0), 0), drawn: active.drawn, matches: active.matches.length,
    selected: active.selected, tab, open: g.groups.filter(x => x.open).length, panel: el('panel').textContent, theme: document.documentElement.dataset.theme }; } };
window.tessera.ready = performance.now();
