// main.js - the views, keys and buttons; then the page is shown.
const wanted = { moment: -1 };
document.documentElement.classList.add('js');
document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
const panes = [];
let active = null, tab = '';
const hasLook = !!document.querySelector('#summary .look');
const views = [];
function use(pane) {
  if (active === pane) return;
  active = pane;
  drawLegend();
}
function show(name) {
  if (!views.includes(name)) return;
  tab = name;
  for (const b of el('tabs').children) {
    const on = b.textContent === name;
    b.setAttribute('aria-selected', on);
    b.tabIndex = on ? 0 : -1;
    if (on && b.scrollIntoView && el('tabs').scrollWidth > el('tabs').clientWidth) b.scrollIntoView({ block: 'nearest', inline: 'center' });
  }
  el('summary').hidden = name !== 'Summary';
  el('graph').hidden = name !== 'Graph';
  el('panel').hidden = name === 'Summary' || name === 'Graph';
  charts.length = 0;
  el('panel').replaceChildren();
  if (name === 'Graph') { panes.forEach(p => p.draw()); drawLegend(); } else if (name !== 'Summary') { tabs[name](el('panel')); charts.forEach(c => c.redraw()); }
  remember();
}
// The address says what is seen: #Graph/12 is node 12, #Memory/30 the 30th moment.
let quiet = true;
function remember() {
  if (quiet) return;
  const c = tab === 'Memory' && el('memory'), at = tab === 'Graph' && active.selected >= 0 ? '/' + active.selected : c && c.at ? '/' + c.at() : '';
  try { history.replaceState(null, '', '#' + encodeURIComponent(tab) + at); } catch (_) { /* a page without an address */ }
}
function recall() {
  const [name, at] = decodeURIComponent(location.hash.slice(1)).split('/'), k = at === undefined ? -1 : Number(at);
  wanted.moment = name === 'Memory' && k >= 0 ? k : -1;
  show(views.includes(name) ? name : views.includes('Compare') ? 'Compare' : views[0]);
  if (name === 'Graph' && Number.isInteger(k) && k >= 0 && k < active.graph.n) active.reveal(k, true);
}
function theme(name) {
  document.documentElement.dataset.theme = name;
  panes.forEach(p => p.ask());
  charts.forEach(c => c.redraw());
  if (tab === 'Graph') drawLegend();
}
function search(words) {
  panes.forEach(p => p.search(words));
  el('found').textContent = words.trim() ? active.matches.length + ' found' : '';
}
function step(by) {
  if (!active.matches.length) return;
  if (tab !== 'Graph') show('Graph');
  active.nextMatch(by);
  el('found').textContent = (active.match + 1) + ' of ' + active.matches.length;
}
const openAll = all => panes.forEach(p => { if (all) p.graph.openAll(20000); else p.graph.openFirst(p.width, p.height, 0.56 * unit()); p.fit(); p.touched = all; });
const inGraph = f => () => { if (tab === 'Graph') f(); };
const middle = by => active.zoom(by, active.width / 2, active.height / 2);
const firstOf = list => { const { selected: i } = active; if (i >= 0 && part(active.graph[list], i).length) active.reveal(part(active.graph[list], i)[0]); };
const keys = {
  ArrowLeft: inGraph(() => active.step(-1, 0)), ArrowRight: inGraph(() => active.step(1, 0)), ArrowUp: inGraph(() => active.step(0, -1)), ArrowDown: inGraph(() => active.step(0, 1)),
  '+': inGraph(() => middle(1.25)), '=': inGraph(() => middle(1.25)), '-': inGraph(() => middle(0.8)), 0: inGraph(() => panes.forEach(p => p.fit())),
  Enter: inGraph(() => active.toggle(active.selected)),
  e: inGraph(() => openAll(true)), c: inGraph(() => openAll(false)), n: () => step(1), p: () => step(-1), '/': () => el('search').focus(),
  u: inGraph(() => firstOf('uses')), d: inGraph(() => firstOf('users')), o: inGraph(() => { const i = active.selected, p = i < 0 ? -1 : active.graph.parent(i); if (p >= 0) active.reveal(p); }),
  t: () => theme(isDark() ? 'light' : 'dark'), '?': () => el('keys').showModal(),
  Escape: () => { el('search').value = ''; search(''); if (tab === 'Graph') { active.select(-1); active.canvas.focus(); } },
};
document.onkeydown = e => {
  const name = e.target.tagName, typing = name === 'INPUT' || name === 'SELECT' || name === 'DIALOG';
  if (e.ctrlKey || e.altKey || e.metaKey || (typing && e.key !== 'Escape') || (name === 'BUTTON' && (e.key === 'Enter' || e.key.startsWith('Arrow')))) return;
  const f = Object.hasOwn(keys, e.key) ? keys[e.key] : null;
  if (f) { e.preventDefault(); f(); }
};
el('tabs').onkeydown = e => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
  if (!by) return;
  e.preventDefault();
  const k = (views.indexOf(tab) + by + views.length) % views.length;
  show(views[k]);
  el('tabs').children[k].focus();
};
el('search').oninput = () => search(el('search').value);
el('search').onkeydown = e => { if (e.key === 'Enter') step(e.shiftKey ? -1 : 1); };
el('in').onclick = () => middle(1.25);
el('out').onclick = () => middle(0.8);
el('fit').onclick = () => panes.forEach(p => p.fit());
el('expand').onclick = () => openAll(true);
el('collapse').onclick = () => openAll(false);
el('theme').onclick = keys.t;
el('help').onclick = keys['?'];
function tellKeys() {
  const KEYS = [['1 to ' + views.length, 'the views'], ['/ then Enter, n, p', 'search; next, previous'], ['arrows', 'the neighbour; a moment, or along the time'], ['Enter', 'open or close the chosen box'],
    ['o', 'the box around it'], ['u, d', 'to the first value it uses, to its first user'], ['+ - 0', 'larger, smaller, everything'], ['e, c', 'open everything, close as at first'], ['t', 'dark or light'], ['Escape', 'choose nothing']];
  make('h2', el('keys'), 'Keys');
  const table = make('table', el('keys'));
  for (const [k, what] of KEYS) { const tr = make('tr', table); make('kbd', make('td', tr), k); make('td', tr, what); }
  button(make('p', el('keys')), 'Close', () => el('keys').close());
}
addEventListener('hashchange', () => { quiet = true; recall(); quiet = false; });
// Rows of the summary lead to the graph.
function linkLook() {
  for (const tr of document.querySelectorAll('#summary tr[data-place], #summary tr[data-value]')) {
    const go = () => {
      if (tr.dataset.place !== undefined) { if (!goTo(tr.dataset.place)) show('Collectives'); return; }
      const i = argNode(active.graph, tr.dataset.value);
      if (i >= 0) { show('Graph'); active.reveal(i); } else show('Shardings');
    };
    tr.tabIndex = 0;
    tr.onclick = go;
    tr.onkeydown = e => { if (e.key === 'Enter') { e.stopPropagation(); go(); } };
  }
}
withData(() => {
  DATA.views.forEach((v, i) => { panes.push(new Pane(new Graph(v), i)); });
  active = panes[panes.length - 1];
  views.push(...hasLook ? ['Summary'] : [], 'Graph', ...hasTime() ? ['Time'] : [], 'Memory', 'Collectives', 'Shardings', ...Object.keys(tabs).filter(k => ['Compare', 'What if', 'Goldens'].includes(k)));
  views.slice(0, 9).forEach((name, k) => { keys[k + 1] = () => show(name); });
  for (const name of views) button(el('tabs'), name, () => show(name)).setAttribute('role', 'tab');
  el('file').textContent = baseName(DATA.file);
  el('file').title = DATA.file;
  document.title = baseName(DATA.file) + ' - tessera explore';
  panes.forEach(markGoldens);
  listenMap();
  linkLook();
  tellKeys();
  recall();
  quiet = false;
  // For tests and scripts; without a pane, of the one that is in use.
  window.tessera = { data: DATA, panes, whatIf, give, tryPlan, search, step, openAll, show, keys, theme, views, charts, colourOf, programOf, momentsOf, use: i => use(panes[i]),
    get view() { return active.view; }, get graph() { return active.graph; }, get pane() { return active; },
    toggle: i => active.toggle(i), reveal: i => active.reveal(i, true), select: i => active.select(i), draw: () => active.draw(), fit: () => active.fit(true),
    hit: (x, y) => active.hit(x, y), rect: i => active.graph.rect(i),
    state: () => ({ nodes: active.graph.n, visible: active.graph.visible(), drawn: active.drawn, matches: active.matches.length,
      selected: active.selected, tab, panel: el(tab === 'Summary' ? 'summary' : tab === 'Graph' ? 'details' : 'panel').textContent, theme: document.documentElement.dataset.theme }) };
  window.tessera.ready = performance.now();
});
