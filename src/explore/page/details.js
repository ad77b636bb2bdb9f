// details.js - what is known of the chosen node.
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
  const count = s.sizes.reduce((a, b) => a * b, 1), parts = s.dims.map(d => d.reduce((n, a) => n * a[2], 1));
  let cutDims = parts.map((n, d) => d).filter(d => parts[d] > 1).slice(0, 2);
  if (count > 256) { make('p', parent, 'too many devices to draw', 'soft'); return; }
  if (cutDims.length === 1 && cutDims[0] > 0) cutDims = [-1, cutDims[0]];
  const [down, across] = [cutDims[0] ?? -1, cutDims[1] ?? -1], nr = parts[down] || 1, nc = parts[across] || 1;
  const cells = Array.from({ length: nr * nc }, () => []);
  for (let i = 0; i < count; i++)
    cells[(down < 0 ? 0 : partOf(s, s.dims[down], i)) * nc + (across < 0 ? 0 : partOf(s, s.dims[across], i))].push(i);
  make('div', parent, (down < 0 ? '' : 'dimension ' + down + ' downwards ') + (across < 0 ? '' : 'dimension ' + across + ' across') ||
    'whole on each device', 'soft');
  const table = make('table', make('div', parent, null, 'scroll'), null, 'cut');
  for (let r = 0; r < nr; r++) {
    const tr = make('tr', table);
    for (let c = 0; c < nc; c++) make('td', tr, cells[r * nc + c].join(' ')).style.borderTop = '4px solid ' + colourOf(s.colour);
  }
}
const axesOf = graph => graph.plan && graph.plan.meshes[0] ? graph.plan.meshes[0].axes.map(a => a[0]) : [];
const axisName = (graph, [axis, pre, size]) => { const name = axesOf(graph)[axis] ?? String(axis), whole = graph.plan && graph.plan.meshes[0] ? graph.plan.meshes[0].axes[axis][1] : size; return size === whole ? name : name + ':(' + pre + ')' + size; };
// As JAX writes it: P("data", None, ("x", "y")).
function spec(graph, s) {
  const dims = s ? s.dims.map(d => d.map(a => JSON.stringify(axisName(graph, a)))) : [];
  while (dims.length && !dims[dims.length - 1].length) dims.pop();
  return 'P(' + dims.map(d => d.length === 0 ? 'None' : d.length === 1 ? d[0] : '(' + d.join(', ') + ')').join(', ') + ')';
}
const movedBy = c => c.kind + (c.turns > 1 ? ' \u00d7' + c.turns : '') + ' over ' + c.axes + (c.turns === null ? ', per turn' : '') +
  (c.other_branch ? ', in another branch' : '');
function goTo(place, op) {
  const i = active.graph.find(place, op);
  if (i < 0) return false;
  show('Graph');
  active.reveal(i);
  return true;
}
// What other parts tell of a node.
const more = [];
more.push((p, i) => { // why there are collectives for it
  const { graph } = active, moved = graph.moves.get(i);
  if (!moved) return;
  make('h3', p, 'Collectives for it');
  const t = tableOf(p, ['#received', 'what']);
  moved.forEach(c => rowOf(t, [bytes(c.received_total), movedBy(c) + ' to ' + c.type]));
  const cutOf = k => { const s = graph.shardingOf(k); return s ? spec(graph, s) : 'not sharded'; };
  const from = [...new Set(part(graph.uses, i))].map(k => (graph.d.names[k] || graph.title(k)) + ' is ' + cutOf(k));
  make('p', p, 'Because ' + from.join(', ') + ', and its result is ' + cutOf(i) + '.');
  const why = graph.whys[moved[0].cause];
  if (why) make('pre', p, why);
});
function showDetails() {
  const p = el('details'), { graph, selected: i } = active;
  const was = p.hidden;
  p.hidden = i < 0;
  el('graph').classList.toggle('detailed', i >= 0);
  p.replaceChildren();
  if (was !== p.hidden) panes.forEach(x => x.ask());
  if (i < 0) return;
  const close = button(p, '\u2715', () => active.select(-1), 'close'), table = make('table'), s = graph.shardingOf(i);
  close.setAttribute('aria-label', 'Close');
  make('h2', p, graph.label(i));
  p.append(table);
  pair(table, 'op', graph.d.box[i] ? '' : graph.title(i));
  pair(table, 'value', graph.d.names[i]);
  pair(table, 'holds', graph.d.box[i] ? graph.sub(i) : '');
  pair(table, 'turns', graph.d.turns[i] > 0 ? graph.d.turns[i] : graph.d.turns[i] < 0 ? 'nobody knows how many' : '');
  pair(table, 'name', graph.stack(i));
  pair(table, 'type', graph.type(i), 'code');
  pair(table, 'sharding', s ? s.text : graph.d.type[i] < 0 ? '' : 'none', 'code');
  pair(table, 'as a spec', s ? spec(graph, s) : '', 'code');
  pair(table, 'on each device', graph.d.type[i] < 0 ? '' : bytes(graph.bytes[i]));
  pair(table, 'receives', graph.moved.has(i) ? bytes(graph.moved.get(i)) : '');
  pair(table, 'location', graph.place(i));
  pair(table, 'source', graph.source(i), 'code');
  if (graph.diff(i)) pair(table, 'beside', graph.diff(i) === CHANGED ? 'is there, and differs' : 'is not there');
  if (s) cut(p, s);
  if (graph.holds(i)) button(p, graph.isOpen(i) ? 'Close (Enter)' : 'Open (Enter)', () => { active.toggle(i); showDetails(); });
  for (const tell of more) tell(p, i);
  for (const [name, list] of [['Uses', graph.uses], ['Used by', graph.users]]) {
    const nodes = [...new Set(part(list, i))];
    if (!nodes.length) continue;
    make('h3', p, name);
    const t = tableOf(p, ['', '']);
    nodes.slice(0, 100).forEach(k => rowOf(t, [code(graph.d.names[k]), graph.label(k)], () => active.reveal(k)));
  }
}
