// reports.js - tabs that are there when the page has their data: traces, goldens, two views side by side.

// ---- Time ----
const TRACK_H = 22;
const duration = us => us < 1000 ? us.toPrecision(3) + ' us' : us < 1e6 ? (us / 1000).toPrecision(3) + ' ms' : (us / 1e6).toPrecision(3) + ' s';
// What ran when: of a file, or of the view that is in use, which was simulated.
const traceOf = () => active.graph.trace || DATA.trace;
if (DATA.trace || DATA.views.some(v => v.trace)) {
  const span = { of: null };
  // The whole trace at first, and whenever it is another one.
  const spanOf = trace => {
    if (span.of === trace) return span;
    const first = trace.events.reduce((a, e) => Math.min(a, e[1]), Infinity), last = trace.events.reduce((a, e) => Math.max(a, e[1] + e[2]), -Infinity);
    return Object.assign(span, { of: trace, first, last: Math.max(last, first + 1e-3), from: first, to: Math.max(last, first + 1e-3) });
  };
  const opOf = name => active.graph.d.texts.find(t => t.endsWith('.' + name)) || name;
  const paint = (c, { events, tracks }) => {
    const g = c.getContext('2d'), scale = c.width / (span.to - span.from);
    g.fillStyle = css('--bg');
    g.fillRect(0, 0, c.width, c.height);
    g.font = '10px system-ui, sans-serif';
    const colours = new Map();
    for (const [track, at, length, name] of events) {
      const x = (at - span.from) * scale, w = Math.max(1, length * scale), y = track * TRACK_H * 2;
      if (x > c.width || x + w < 0) continue;
      if (!colours.has(name)) colours.set(name, COLOURS[1 + colours.size % (COLOURS.length - 1)]);
      g.fillStyle = colours.get(name);
      g.fillRect(x, y + 14, w, TRACK_H * 2 - 18);
      if (w < 40) continue;
      g.fillStyle = DARK.has(g.fillStyle) ? '#ffffff' : '#1b1b1b';
      g.fillText(clip(name, Math.floor(w / 6)), Math.max(x, 0) + 3, y + 28);
    }
    g.fillStyle = css('--fg');
    tracks.forEach((t, i) => g.fillText(t, 2, i * TRACK_H * 2 + 10));
  };
  tabs.Time = p => {
    const trace = traceOf(), { events, tracks } = trace || { events: [] }, step = active.graph.plan && active.graph.plan.step;
    if (!events.length) { make('p', p, 'The trace has no events.'); return; }
    const { first, last } = spanOf(trace);
    if (step) stepFacts(p, step);
    make('p', p, events.length + ' events on ' + tracks.length + ' tracks, ' + duration(last - first) + ' from first to last');
    const c = make('canvas', p, null, 'chart');
    c.id = 'trace';
    c.width = 760;
    c.height = Math.min(8000, tracks.length * TRACK_H * 2);
    c.style.height = c.height / 2 + 'px';
    const timeAt = x => span.from + x / c.clientWidth * (span.to - span.from);
    c.onwheel = e => {
      e.preventDefault();
      const t = timeAt(e.offsetX), by = Math.exp(e.deltaY / 400);
      span.from = Math.max(first, t - (t - span.from) * by);
      span.to = Math.min(last, t + (span.to - t) * by);
      paint(c, trace);
    };
    c.onclick = e => {
      const t = timeAt(e.offsetX), track = Math.floor(e.offsetY * c.height / c.clientHeight / (TRACK_H * 2));
      const hit = events.find(v => v[0] === track && v[1] <= t && t <= v[1] + v[2]);
      if (hit) goTo(hit[4], opOf(hit[3]));
    };
    paint(c, trace);
    make('h4', p, 'Longest together');
    const sums = new Map();
    for (const [, , length, name, place] of events) {
      const s = sums.get(name + place) || sums.set(name + place, { name, place, n: 0, sum: 0 }).get(name + place);
      s.n++;
      s.sum += length;
    }
    const t = make('table', p);
    [...sums.values()].sort((a, b) => b.sum - a.sum).slice(0, 100).forEach(s =>
      goRow(t, [[duration(s.sum), 1], [s.n + '\u00d7', 1], [s.name], [s.place]], () => goTo(s.place, opOf(s.name))));
  };
  more.push((p, i) => {
    const place = active.graph.where(i), trace = traceOf(), mine = place && trace ? trace.events.filter(e => e[4] === place) : [];
    if (mine.length) make('p', p, (active.graph.trace ? 'Takes ' : 'Took ') + duration(mine.reduce((n, e) => n + e[2], 0)) + ' in ' + mine.length + ' events.');
  });
}
function stepFacts(p, s) {
  make('p', p, 'A step on ' + s.devices + ' \u00d7 ' + s.device + ', simulated: ' + duration(s.step_seconds * 1e6) + '. Computing ' + duration(s.computing_seconds * 1e6) +
    ', collectives ' + duration(s.collective_seconds * 1e6) + ', of which nothing hides ' + duration(s.exposed_seconds * 1e6) + '.');
}

// ---- Goldens: [device, result, op, function, type, place, bypassed, isolated, accumulated] ----
const wrong = o => !o[6] && ((o[7] && !o[7][0]) || (o[8] && !o[8][0]));
if (DATA.goldens) {
  const ops = DATA.goldens.ops, firstBad = ops.find(wrong);
  const errors = c => c ? (c[1] == null ? '?' : c[1].toPrecision(3)) + ', ' + (c[2] == null ? 'n/a' : c[2].toFixed(7)) : '-';
  tabs.Goldens = p => {
    make('p', p, ops.length + ' values, ' + ops.filter(wrong).length + ' off. ' + (firstBad ? 'The first: ' + firstBad[2] + ' at ' + firstBad[5] : 'All are good.'));
    const t = make('table', p), tr = make('tr', t);
    for (const h of ['op', 'alone: abs, pcc', 'whole: abs, pcc', 'verdict']) make('th', tr, h);
    const shown = [...ops.filter(wrong), ...ops.filter(o => !wrong(o))].slice(0, 500);
    for (const o of shown) {
      const verdict = wrong(o) ? (o === firstBad ? 'FAIL, the first' : 'FAIL') : o[7] || o[8] ? 'PASS' : 'not compared';
      const row = goRow(t, [[o[2] + (o[0] ? ' @' + o[0] : '')], [errors(o[7]), 1], [errors(o[8]), 1], [verdict]], () => goTo(o[5], o[2]));
      if (wrong(o)) row.className += ' bad';
    }
  };
  more.push((p, i) => {
    const mine = ops.filter(o => active.graph.find(o[5], o[2]) === i);
    for (const o of mine) make('p', p, 'Golden' + (o[0] ? ' of device ' + o[0] : '') + ': alone ' + errors(o[7]) + '; whole ' + errors(o[8]) + (wrong(o) ? '; FAIL' : ''));
  });
}
// Marks on boxes: what is off.
function markGoldens(pane) {
  pane.marks.clear();
  if (!DATA.goldens) return;
  const bad = DATA.goldens.ops.filter(wrong);
  bad.forEach((o, k) => {
    const i = pane.graph.find(o[5], o[2]);
    if (i >= 0 && !pane.marks.has(i)) pane.marks.set(i, k ? '\u2717' : '\u2717 first:');
  });
}

// ---- Side by side ----
const planFacts = plan => !plan ? [] : [['received', bytes(plan.received_bytes), plan.received_bytes],
  ['peak memory', bytes(plan.peak_bytes), plan.peak_bytes], ['arguments', bytes(plan.argument_bytes), plan.argument_bytes],
  ['collectives', plan.collectives.length, plan.collectives.length],
  ...plan.step ? [['step time', duration(plan.step.step_seconds * 1e6), plan.step.step_seconds]] : []];
function factsTable(p, names, plans) {
  const t = make('table', p), tr = make('tr', t), facts = plans.map(planFacts);
  for (const h of ['', ...names]) make('th', tr, h);
  (facts[0] || []).forEach((f, k) => {
    const row = make('tr', t);
    make('td', row, f[0]);
    facts.forEach(of => make('td', row, of[k] ? of[k][1] : '?', 'n'));
  });
}
if (DATA.views.length > 1)
  tabs.Compare = p => {
    factsTable(p, panes.map(x => x.graph.d.label), panes.map(x => x.graph.plan));
    for (const x of panes) {
      const list = [];
      for (let i = 0; i < x.graph.n; i++) if (x.graph.diff(i) && !x.graph.inners[i]) list.push(i);
      make('h4', p, x.graph.d.label + ': ' + list.length + ' differ');
      const t = make('table', p);
      list.slice(0, 300).forEach(i => goRow(t, [[x.graph.diff(i) === CHANGED ? '\u2260' : '+'], [x.graph.d.names[i]], [x.graph.title(i)],
        [x.graph.shardingOf(i) ? x.graph.shardingOf(i).text : '']], () => { use(x); x.reveal(i); }));
    }
  };
