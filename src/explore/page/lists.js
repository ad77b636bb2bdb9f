// lists.js - collectives, shardings, goldens.
const tabs = {};
tabs.Collectives = p => {
  const { graph } = active, list = graph.plan ? [...graph.plan.collectives].sort((a, b) => b.received_total - a.received_total) : [];
  make('h2', p, list.length + ' collectives in the program, ' + bytes(graph.plan ? graph.plan.received_bytes : 0) + ' received by each device');
  const most = list.length ? list[0].received_total : 0, t = tableOf(p, ['#received', '#one turn', 'what']);
  list.slice(0, 500).forEach(c => rowOf(t, [bytes(c.received_total), c.turns > 1 ? bytes(c.received) + ' \u00d7 ' + c.turns : '', withPlace(movedBy(c), 'for ' + c.cause, c.type)],
    () => { if (c.node >= 0) { show('Graph'); active.reveal(c.node); } }).style.setProperty('--share', c.received_total / (most || 1)));
  if (list.length > 500) make('p', p, 'The 500 that move the most of ' + list.length + '.', 'soft');
};
tabs.Shardings = p => {
  const { graph } = active, count = new Map();
  make('h2', p, 'Arguments and results');
  const values = graph.plan ? [...graph.plan.arguments.map(a => ['', a]), ...graph.plan.results.map(a => ['\u2192 ', a])] : [];
  const t = tableOf(p, ['value', 'sharding', '#on each device']);
  values.slice(0, 1000).forEach(([sign, a]) => rowOf(t, [withPlace(sign + a.name, a.type), withPlace('', a.sharding || 'replicated'), bytes(a.bytes)], () => { const i = argNode(graph, a.name); if (i >= 0) { show('Graph'); active.reveal(i); } }));
  make('h2', p, 'All values');
  for (let i = 0; i < graph.n; i++) if (graph.d.type[i] >= 0) count.set(graph.sharding[i], (count.get(graph.sharding[i]) || 0) + 1);
  const grid = make('div', p, null, 'split');
  for (const [k, n] of [...count].sort((a, b) => b[1] - a[1])) {
    const s = k < 0 ? null : graph.shardings[k], div = make('div', grid, null, 'card');
    div.append(swatch(colourOf(s ? s.colour : 0)), code(s ? s.text : 'none'));
    make('span', div, ' ' + n + ' values', 'soft');
    if (s && s.colour) cut(div, s);
  }
};
function argNode(graph, name) {
  for (let i = 0; i < graph.n; i++) if (!graph.d.box[i] && graph.title(i) === graph.d.names[i] && (graph.d.names[i] === name || graph.label(i) === name)) return i;
  return -1;
}

// ---- Goldens: [device, result, op, function, type, place, bypassed, isolated, accumulated] ----
const wrong = o => !o[6] && ((o[7] && !o[7][0]) || (o[8] && !o[8][0]));
starts.push(() => {
  if (!DATA.goldens) return;
  const ops = DATA.goldens.ops, firstBad = ops.find(wrong);
  const errors = c => c ? (c[1] == null ? '?' : c[1].toPrecision(3)) + ', ' + (c[2] == null ? 'n/a' : c[2].toFixed(7)) : '-';
  tabs.Goldens = p => {
    make('h2', p, ops.length + ' values, ' + ops.filter(wrong).length + ' off. ' + (firstBad ? 'The first: ' + firstBad[2] + ' at ' + firstBad[5] : 'All are good.'));
    const t = tableOf(p, ['op', '#alone: abs, pcc', '#whole: abs, pcc', 'verdict']);
    const shown = [...ops.filter(wrong), ...ops.filter(o => !wrong(o))].slice(0, 500);
    for (const o of shown) {
      const verdict = wrong(o) ? (o === firstBad ? 'FAIL, the first' : 'FAIL') : o[7] || o[8] ? 'PASS' : 'not compared';
      const row = rowOf(t, [o[2] + (o[0] ? ' @' + o[0] : ''), errors(o[7]), errors(o[8]), verdict], () => goTo(o[5], o[2]));
      if (wrong(o)) row.className += ' bad';
    }
  };
  more.push((p, i) => {
    const mine = ops.filter(o => active.graph.find(o[5], o[2]) === i);
    for (const o of mine) make('p', p, 'Golden' + (o[0] ? ' of device ' + o[0] : '') + ': alone ' + errors(o[7]) + '; whole ' + errors(o[8]) + (wrong(o) ? '; FAIL' : ''));
  });
});
// Marks on boxes: what is off.
function markGoldens(pane) {
  pane.marks.clear();
  if (!DATA.goldens) return;
  const bad = DATA.goldens.ops.filter(wrong);
  bad.forEach((o, k) => {
    const i = pane.graph.find(o[5], o[2]);
    if (i >= 0 && !pane.marks.has(i)) pane.marks.set(i, k ? '\u2717 ' : '\u2717 first: ');
  });
}
