// time.js - a step as streams of tasks: of the simulator, with what is inside of loops, and of a trace that was measured.
// The program of a view: tasks by number, and the blocks that they are in.
class Program {
  constructor(d) {
    this.d = d;
    this.n = d.op.length;
    this.blocks = [];
    this.blockOf = new Int32Array(this.n);
    this.inside = new Map(); // task: its blocks
    let first = 0;
    d.blocks.forEach(([parent, n, turns, seconds], b) => {
      this.blocks.push({ b, parent, first, n, turns, us: seconds });
      this.blockOf.fill(b, first, first + n);
      first += n;
      if (parent >= 0) this.inside.set(parent, [...(this.inside.get(parent) || []), this.blocks[b]]);
    });
    this.depth = [];
    for (const k of this.blocks) this.depth.push(k.parent < 0 ? 0 : this.depth[this.blockOf[k.parent]] + 1);
  }
  op(t) { return this.d.texts[this.d.op[t]]; }
  short(t) { return this.op(t).replace(/^[a-z_]+\./, ''); }
  place(t) { return this.d.texts[this.d.place[t]]; }
  name(t) { return this.d.texts[this.d.name[t]]; }
  // How often the task runs.
  turns(t) {
    let n = 1;
    for (let b = this.blockOf[t]; this.blocks[b].parent >= 0; b = this.blockOf[this.blocks[b].parent]) n *= this.blocks[b].turns;
    return n;
  }
  label(t) {
    const inner = this.inside.get(t), turns = inner && inner[inner.length - 1].turns;
    const named = this.name(t).split('/').filter(x => x !== 'while').pop();
    return inner ? this.short(t) + (turns > 1 ? ' \u00d7' + turns : '') + (this.place(t) ? ' at ' + baseName(this.place(t)) : '') : this.short(t) + (named && named !== this.short(t) ? ' (' + named + ')' : '');
  }
}
const programs = new WeakMap();
function programOf(graph) {
  if (!graph.program) return null;
  if (!programs.has(graph.program)) programs.set(graph.program, new Program(graph.program));
  return programs.get(graph.program);
}
const KINDS = ['products', 'kernels', 'exposed', 'inputs'];
const KIND_NAMES = ['matrix products', 'other kernels', 'communication', 'loops, branches, calls'];

// Lanes of bars [lane, x, length, label, colour, details, go]: what the simulator and a trace have in common.
function lanesOf(program) {
  const lanes = [], of = new Map(), bars = [], d = program.d;
  const lane = (depth, track) => {
    const key = depth * 1000 + track;
    if (!of.has(key)) of.set(key, { depth, track, name: d.tracks[track ? 1 + (track - 1) % 4 : 0] || 'link', k: 0 });
    return of.get(key);
  };
  const put = (block, x, width, turnsAround) => { // the block's one turn takes this much of the axis
    const scale = block.us > 0 ? width / block.us : 0, depth = program.depth[block.b];
    for (let t = block.first; t < block.first + block.n; t++) {
      if (d.lasts[t] <= 0) continue;
      const bx = x + d.start[t] * scale, bw = d.lasts[t] * scale, inner = program.inside.get(t);
      bars.push({ lane: lane(depth, d.track[t]), x: bx, w: bw, kind: d.kind[t], label: program.label(t), t, one: d.lasts[t], all: d.lasts[t] * turnsAround });
      if (!inner) continue;
      const sum = inner.reduce((s, k) => s + k.us, 0);
      let at = bx;
      for (const k of inner) { const part = sum > 0 ? bw * k.us / sum : 0; if (part > 0) put(k, at, part, turnsAround * k.turns); at += part; }
    }
  };
  put(program.blocks[0], 0, program.blocks[0].us, 1);
  const sorted = [...of.values()].sort((a, b) => a.depth - b.depth || a.track - b.track);
  sorted.forEach((l, k) => { l.k = k; lanes.push((l.depth ? '\u21b3 '.repeat(Math.min(l.depth, 3)) + 'one turn inside: ' : '') + l.name); });
  bars.forEach(b => { b.lane = b.lane.k; });
  return { lanes, bars, length: program.blocks[0].us };
}
function lanesOfTrace(trace) {
  const first = trace.events.reduce((a, e) => Math.min(a, e[1]), Infinity), last = trace.events.reduce((a, e) => Math.max(a, e[1] + e[2]), -Infinity);
  const kind = name => /all_|reduce_scatter|collective|permute/.test(name) ? 2 : /dot|matmul|conv|product/.test(name) ? 0 : 1;
  return { lanes: trace.tracks, length: Math.max(last - first, 1e-3),
    bars: trace.events.map(([lane, at, length, name, place]) => ({ lane, x: at - first, w: length, kind: kind(name), label: name, place, one: length, all: length })) };
}
// A timeline that is zoomed with the wheel and with + and -, moved by dragging and with the arrows.
function timeline(p, data, said, choose) {
  const u = unit(), lane = 34 * u, head = 20 * u, view = { from: 0, to: data.length };
  let at = -1;
  const byLane = data.lanes.map(() => []);
  data.bars.forEach((b, k) => byLane[b.lane].push(k));
  const c = chart(p, head + data.lanes.length * lane, (g, w, h) => {
    const scale = w / (view.to - view.from), colours = KINDS.map(k => css('--' + k)), bg = css('--card'), fg = css('--fg'), soft = css('--soft'), line = css('--line');
    g.textBaseline = 'middle';
    g.font = fontOf(11 * u);
    c.labels = [];
    const step = niceStep((view.to - view.from) / Math.max(2, w / (110 * u)));
    for (let t = Math.ceil(view.from / step) * step; t <= view.to; t += step) {
      const x = (t - view.from) * scale;
      g.fillStyle = line;
      g.fillRect(x, 0, 1, h);
      g.fillStyle = soft;
      if (x < w - 60 * u) g.fillText(duration(t), x + 4, head / 2);
    }
    byLane.forEach((list, k) => {
      const y = head + k * lane;
      g.fillStyle = soft;
      g.font = fontOf(10.5 * u);
      g.fillText(fitText(g, data.lanes[k], w - 8), 2, y + 7 * u);
      let end = -1;
      for (const i of list) {
        const b = data.bars[i], x = (b.x - view.from) * scale, bw = Math.max(b.w * scale, 0.6);
        if (x > w || x + bw < 0 || (bw < 1 && x + bw < end)) continue;
        end = x + Math.max(bw, 1);
        g.fillStyle = colours[b.kind];
        g.globalAlpha = b.kind === 3 ? 0.35 : 1;
        g.fillRect(x, y + 14 * u, Math.max(bw - (bw > 3 ? 1 : 0), 0.6), lane - 17 * u);
        g.globalAlpha = 1;
        if (i === at) { g.strokeStyle = fg; g.lineWidth = 2; g.strokeRect(x, y + 14 * u, bw, lane - 17 * u); }
        if (bw < 30 * u) continue;
        const x0 = Math.max(x, 0);
        g.font = fontOf(11 * u);
        g.fillStyle = b.kind === 3 ? fg : isDark() ? '#101214' : '#ffffff';
        const shown = fitText(g, b.label, Math.min(x + bw, w) - x0 - 8);
        if (shown) g.fillText(shown, x0 + 4, y + 14 * u + (lane - 17 * u) / 2);
      }
    });
  });
  c.setAttribute('aria-label', 'Timeline; + and - zoom, arrows move, Enter goes to the op');
  const hit = e => {
    const k = Math.floor((e.offsetY - head) / lane), t = view.from + e.offsetX / c.clientWidth * (view.to - view.from);
    let best = -1;
    for (const i of byLane[k] || []) { const b = data.bars[i]; if (b.x <= t && t <= b.x + Math.max(b.w, 2 * (view.to - view.from) / c.clientWidth)) best = i; }
    return best;
  };
  const zoom = (by, t) => {
    const from = Math.max(0, t - (t - view.from) * by), to = Math.min(data.length, t + (view.to - t) * by);
    if (to - from < data.length * 1e-7) return;
    view.from = from;
    view.to = to;
    c.redraw();
  };
  const shift = by => { const d = Math.max(-view.from, Math.min(data.length - view.to, by)); view.from += d; view.to += d; c.redraw(); };
  const tell = i => { if (i !== at) { at = i; said(i < 0 ? null : data.bars[i]); c.redraw(); } };
  let drag = null;
  c.onwheel = e => { e.preventDefault(); zoom(Math.exp(e.deltaY / 400), view.from + e.offsetX / c.clientWidth * (view.to - view.from)); };
  c.onpointerdown = e => { drag = { x: e.offsetX, moved: false }; tell(hit(e)); };
  c.onpointermove = e => {
    if (!drag) { tell(hit(e)); return; }
    const dx = e.offsetX - drag.x;
    if (!drag.moved && Math.abs(dx) < 4) return;
    drag.moved = true;
    drag.x = e.offsetX;
    shift(-dx / c.clientWidth * (view.to - view.from));
  };
  c.onpointerup = e => { if (drag && !drag.moved) { const i = hit(e); if (i >= 0) choose(data.bars[i]); } drag = null; };
  c.onkeydown = e => {
    const span = view.to - view.from, mid = (view.from + view.to) / 2;
    const f = { '+': () => zoom(0.7, mid), '=': () => zoom(0.7, mid), '-': () => zoom(1.4, mid), ArrowLeft: () => shift(-span / 8), ArrowRight: () => shift(span / 8),
      0: () => { view.from = 0; view.to = data.length; c.redraw(); }, Enter: () => { if (at >= 0) choose(data.bars[at]); },
      n: () => tell(Math.min(at + 1, data.bars.length - 1)), p: () => tell(Math.max(at - 1, 0)) }[e.key];
    if (f) { e.preventDefault(); e.stopPropagation(); f(); }
  };
  c.zoomTo = (from, to) => { view.from = from; view.to = to; c.redraw(); };
  c.data = data;
  c.view = view;
  charts.push(c);
  c.redraw();
  return c;
}
function niceStep(x) { const p = Math.pow(10, Math.floor(Math.log10(Math.max(x, 1e-9)))); return (x / p <= 1 ? 1 : x / p <= 2 ? 2 : x / p <= 5 ? 5 : 10) * p; }
const charts = []; // of the tab that is shown
const hasTime = () => DATA.trace || panes.some(p => p.graph.timed);
tabs.Time = p => {
  const program = programOf(active.graph), timed = program && program.d.timed;
  if (!timed && !(DATA.trace && DATA.trace.events.length)) { make('p', p, 'There are no times: with a device, or a trace, there are.'); return; }
  if (timed) {
    const f = active.graph.figures, box = make('div', p, null, 'chartbox');
    make('h2', box, 'One step, simulated on ' + f.devices + ' \u00d7 ' + f.device + ': ' + duration(f.step_seconds * 1e6));
    keysOf(box, KINDS.map((k, i) => [k, KIND_NAMES[i]]));
    const say = make('p', box, null, 'says soft'), told = b => { say.textContent = b ? tellBar(program, b) : 'Point at a task, or click it to go to its op. Inside of loops, one turn is drawn as long as all of them.'; };
    told(null);
    const chosen = b => { if (program.inside.has(b.t)) { c.zoomTo(b.x, b.x + b.w); told(b); } else goTo(program.place(b.t), program.op(b.t)); };
    const c = timeline(box, lanesOf(program), told, chosen);
    c.id = 'simulated';
  }
  if (DATA.trace && DATA.trace.events.length) {
    const box = make('div', p, null, 'chartbox'), data = lanesOfTrace(DATA.trace);
    make('h2', box, 'Measured: ' + DATA.trace.events.length + ' events on ' + DATA.trace.tracks.length + ' tracks, ' + duration(data.length) + ' from first to last');
    const say = make('p', box, null, 'says soft');
    timeline(box, data, b => { say.textContent = b ? b.label + ' ' + duration(b.one) + (b.place ? ', ' + b.place : '') : ''; }, b => goTo(b.place, opNamed(b.label))).id = 'trace';
  }
  const both = make('div', p, null, 'split');
  if (timed) longest(both, 'Longest in the simulation, all turns', lanesOf(program).bars.filter(b => b.kind !== 3).map(b => ({ name: program.short(b.t), place: program.place(b.t), op: program.op(b.t), us: b.all, n: program.turns(b.t) })));
  if (DATA.trace) longest(both, 'Longest as measured', DATA.trace.events.map(([, , us, name, place]) => ({ name, place, op: opNamed(name), us, n: 1 })));
};
function keysOf(p, list) {
  const div = make('div', p, null, 'facts');
  for (const [kind, name] of list) { const s = make('span', div); make('i', s, null, 'key ' + kind); s.append(name); }
}
function tellBar(program, b) {
  const turns = program.turns(b.t), place = program.place(b.t), inner = program.inside.get(b.t);
  return b.label + ': ' + duration(b.one) + (turns > 1 ? ' a turn, ' + duration(b.all) + ' in ' + turns + ' turns' : '') +
    (inner ? '; one turn inside ' + duration(inner.reduce((s, k) => s + k.us, 0)) : '') + (place && !inner ? ', ' + baseName(place) : '');
}
const opNamed = name => active.graph.d.texts.find(t => t.endsWith('.' + name)) || name;
function longest(p, title, list) {
  const div = make('div', p), sums = new Map();
  make('h2', div, title);
  for (const e of list) {
    const key = e.name + e.place, s = sums.get(key) || sums.set(key, { ...e, us: 0, n: 0 }).get(key);
    s.us += e.us;
    s.n += e.n;
  }
  const t = tableOf(div, ['#together', '#runs', 'what']);
  [...sums.values()].sort((a, b) => b.us - a.us).slice(0, 40).forEach(s => rowOf(t, [duration(s.us), s.n, withPlace(s.name, baseName(s.place))], () => goTo(s.place, s.op)));
}
more.push((p, i) => {
  const place = active.graph.place(i), program = programOf(active.graph);
  if (!place) return;
  if (program && program.d.timed) {
    let us = 0, n = 0;
    for (let t = 0; t < program.n; t++) if (!program.inside.has(t) && program.place(t) === place && program.op(t) === active.graph.title(i)) { us += program.d.lasts[t] * program.turns(t); n += program.turns(t); }
    if (n) make('p', p, 'Takes ' + duration(us) + ' of a step' + (n > 1 ? ', in ' + n + ' runs' : '') + ', simulated.');
  }
  const mine = DATA.trace ? DATA.trace.events.filter(e => e[4] === place) : [];
  if (mine.length) make('p', p, 'Took ' + duration(mine.reduce((n, e) => n + e[2], 0)) + ' in ' + mine.length + ' events.');
});
