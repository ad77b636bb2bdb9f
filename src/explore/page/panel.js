// panel.js - the panel beside the graph. Everything is set as text, never as HTML.
function make(tag, parent, words, kind) {
  const e = document.createElement(tag);
  if (words != null) e.textContent = words;
  if (kind) e.className = kind;
  parent.append(e);
  return e;
}
function pair(table, name, value, tag) {
  if (value === '' || value == null) return;
  const tr = make('tr', table);
  make('th', tr, name);
  make(tag || 'span', make('td', tr), value);
}
function goRow(table, cells, go) {
  const tr = make('tr', table, null, 'go');
  cells.forEach(([t, n]) => make('td', tr, t, n ? 'n' : ''));
  tr.tabIndex = 0;
  tr.onclick = go;
  tr.onkeydown = e => { if (e.key === 'Enter') { e.stopPropagation(); go(); } };
  return tr;
}
// Which part along a dimension the device at this place of the mesh has.
function partOf(s, axes, device) {
  let at = 0;
  for (const [axis, pre, size] of axes) {
    const minor = s.sizes.slice(axis + 1).reduce((a, b) => a * b, 1), c = Math.floor(device / minor) % s.sizes[axis];
    at = at * size + Math.floor(c / (s.sizes[axis] / (pre * size))) % size;
  }
  return at;
}
// A table with the devices that have each part.
function cut(parent, s) {
  const count = s.sizes.reduce((a, b) => a * b, 1), parts = s.dims.map(d => d.reduce((n, a) => n * a[2], 1)), fill = colourOf(s.colour);
  let cutDims = parts.map((n, d) => d).filter(d => parts[d] > 1).slice(0, 2);
  if (count > 256) { make('p', parent, 'too many devices to draw'); return; }
  if (cutDims.length === 1 && cutDims[0] > 0) cutDims = [-1, cutDims[0]];
  const [down, across] = [cutDims[0] ?? -1, cutDims[1] ?? -1], nr = parts[down] || 1, nc = parts[across] || 1;
  const cells = Array.from({ length: nr * nc }, () => []);
  for (let i = 0; i < count; i++)
    cells[(down < 0 ? 0 : partOf(s, s.dims[down], i)) * nc + (across < 0 ? 0 : partOf(s, s.dims[across], i))].push(i);
  make('div', parent, (down < 0 ? '' : 'dimension ' + down + ' downwards ') + (across < 0 ? '' : 'dimension ' + across + ' across') ||
    'whole on each device');
  const table = make('table', parent, null, 'cut');
  for (let r = 0; r < nr; r++) {
    const tr = make('tr', table);
    for (let c = 0; c < nc; c++) make('td', tr, cells[r * nc + c].join(' '), DARK.has(fill) ? 'dark' : '').style.background = fill;
  }
}
const movedBy = c => c.kind + (c.turns > 1 ? ' x' + c.turns : '') + ' over ' + c.axes + (c.turns === null ? ', per turn' : '') +
  (c.other_branch ? ', in another branch' : '');
function goTo(place, op) { const i = active.graph.find(place, op); if (i >= 0) active.reveal(i); }

const tabs = {
  Details(p) {
    const { graph, selected: i } = active;
    if (i < 0) { make('p', p, 'Click a box. Double-click opens and closes it.'); return; }
    const table = make('table', p), s = graph.shardingOf(i);
    pair(table, 'op', graph.title(i));
    pair(table, 'value', graph.d.names[i]);
    if (graph.label(i) !== graph.title(i)) pair(table, 'name', graph.label(i));
    pair(table, 'type', graph.type(i), 'code');
    pair(table, 'sharding', s ? s.text : graph.d.type[i] < 0 ? '' : 'none', 'code');
    pair(table, 'on each device', graph.d.type[i] < 0 ? '' : bytes(graph.bytes[i]));
    pair(table, 'location', graph.where(i));
    pair(table, 'source', graph.text(graph.d.source[i]), 'code');
    if (graph.diff(i)) pair(table, 'beside', graph.diff(i) === CHANGED ? 'is there, and differs' : 'is not there');
    if (s) cut(p, s);
    for (const tell of more) tell(p, i);
    for (const [name, list] of [['uses', graph.uses], ['used by', graph.users]]) {
      const nodes = [...new Set(part(list, i))];
      if (nodes.length) make('h4', p, name);
      const t = make('table', p);
      nodes.slice(0, 100).forEach(k => goRow(t, [[graph.d.names[k]], [graph.title(k)]], () => active.reveal(k)));
    }
  },
  Shardings(p) {
    const { graph } = active, count = new Map();
    for (let i = 0; i < graph.n; i++) if (graph.d.type[i] >= 0) count.set(graph.sharding[i], (count.get(graph.sharding[i]) || 0) + 1);
    for (const [k, n] of [...count].sort((a, b) => b[1] - a[1])) {
      const s = k < 0 ? null : graph.shardings[k], div = make('div', p);
      make('span', div, null, 'swatch').style.background = colourOf(s ? s.colour : 0);
      make('code', div, s ? s.text : 'none');
      make('span', div, ' ' + n + ' values');
      if (s && s.colour) cut(p, s);
    }
  },
  Collectives(p) {
    const { graph } = active, list = graph.plan ? [...graph.plan.collectives].sort((a, b) => b.received_total - a.received_total) : [];
    make('p', p, (graph.plan ? graph.plan.collective_count : 0) + ' collectives, ' + bytes(graph.plan ? graph.plan.received_bytes : 0) + ' received by each device');
    const t = make('table', p);
    list.forEach(c => goRow(t, [[bytes(c.received_total), 1], [movedBy(c)], [c.type], ['for ' + c.cause]],
      () => { const i = graph.causeOf(c); if (i >= 0) active.reveal(i); }));
  },
  Memory(p) {
    const m = active.graph.memory;
    if (!m || !m.moments.length) { make('p', p, 'No function whose memory is known.'); return; }
    const peak = m.moments[m.peak_at];
    make('p', p, 'Peak memory: ' + bytes(peak[1]) + ' while ' + active.graph.memoryTexts[peak[0]] + ' runs, op ' + (m.peak_at + 1) + ' of ' + m.moments.length);
    memoryChart(make('canvas', p, null, 'chart'), m);
    make('h4', p, 'Held then');
    const t = make('table', p);
    [...m.alive].sort((a, b) => b[3] - a[3]).slice(0, 300).forEach(a =>
      goRow(t, [[bytes(a[3]), 1], [a[0]], [a[1]], [a[2]]], () => goTo(a[4] + ':' + a[5], a[1] === 'argument' ? a[0] : a[1])));
  },
};
// What other parts tell of a node in its details.
const more = [
  (p, i) => { // why there are collectives for it
    const { graph } = active, moved = graph.moves.get(i);
    if (!moved) return;
    make('h4', p, 'Moves');
    const t = make('table', p);
    moved.forEach(c => pair(t, bytes(c.received_total), movedBy(c) + ' to ' + c.type));
    const cutOf = k => { const s = graph.shardingOf(k); return s ? s.text : 'not sharded'; };
    const from = [...new Set(part(graph.uses, i))].map(k => (graph.d.names[k] || graph.title(k)) + ' is ' + cutOf(k));
    make('p', p, 'Because ' + from.join(', ') + ', and its result is ' + cutOf(i) + '.');
    const why = graph.whys[moved[0].cause];
    if (why) make('pre', p, why);
  },
];
function memoryChart(c, m) {
  c.width = 760;
  c.height = 280;
  c.style.height = '140px';
  const g = c.getContext('2d'), n = m.moments.length, top = m.moments[m.peak_at][1] || 1;
  const x = i => n < 2 ? 0 : i / (n - 1) * c.width, y = b => c.height - b / top * (c.height - 10);
  g.fillStyle = '#56b4e9';
  g.beginPath();
  g.moveTo(0, c.height);
  m.moments.forEach((k, i) => g.lineTo(x(i), y(k[1])));
  g.lineTo(c.width, y(m.moments[n - 1][1]));
  g.lineTo(c.width, c.height);
  g.fill();
  g.fillStyle = '#d55e00';
  g.fillRect(x(m.peak_at) - 2, 0, 4, c.height);
  c.onclick = e => {
    const k = m.moments[Math.round(e.offsetX / c.clientWidth * (n - 1))];
    if (k) goTo(k[2] + ':' + k[3], active.graph.memoryTexts[k[0]]);
  };
}
let tab = 'Details';
function show(name) {
  tab = name;
  for (const b of el('tabs').children) b.setAttribute('aria-selected', b.textContent === name);
  el('panel').replaceChildren();
  tabs[name](el('panel'));
}
