// memory.js - memory over time: what is held while each task runs, by what it is for, and which values are live then.
const ROLE_CLASSES = ['parameters', 'optimiser', 'inputs', 'kept', 'gradients', 'temporary'];

// Moments in program order; a task with others inside is as many moments as they are.
class Moments {
  constructor(program) {
    const d = program.d, n = program.n;
    this.program = program;
    this.live = ROLE_CLASSES.map(() => new Float64Array(n + 1)); // of the own block, by task
    this.spans = program.blocks.map(() => []);
    for (let k = 0; k < d.spans.length; k += 8) {
      const [b, first, last, size, name, place, type, role] = d.spans.slice(k, k + 8), block = program.blocks[b];
      if (!block.n) continue;
      const span = { b, first, last: Math.min(last, block.n - 1), bytes: size, name: d.texts[name], place: d.texts[place], type: d.texts[type], role };
      this.spans[b].push(span);
      for (let t = span.first; t <= span.last; t++) this.live[role][block.first + t] += size;
    }
    this.list = [];
    const walk = block => {
      for (let t = block.first; t < block.first + block.n; t++) {
        const inner = (program.inside.get(t) || []).filter(k => k.n && k.us + d.held[t] > 0), most = inner.reduce((a, k) => Math.max(a, k.n), 0);
        if (most && d.held[t] > 0) inner.filter(k => k.n === most).slice(0, 1).forEach(walk); else this.list.push(t);
      }
    };
    walk(program.blocks[0]);
    this.sums = this.list.map(t => this.roles(t));
    this.total = this.sums.map((s, k) => Math.max(s.reduce((a, b) => a + b, 0), this.whole(this.list[k])));
    this.peak = this.total.reduce((best, x, k) => x > this.total[best] ? k : best, 0);
  }
  // What the simulator counts: the block's own, those around it, and what is held inside.
  whole(t) {
    const { program } = this, d = program.d;
    let sum = d.live[t] + d.held[t];
    for (let b = program.blocks[program.blockOf[t]]; b.parent >= 0; b = program.blocks[program.blockOf[b.parent]]) sum += d.live[b.parent];
    return sum;
  }
  chain(t) {
    const out = [];
    for (let at = t; at >= 0; at = this.program.blocks[this.program.blockOf[at]].parent) out.push(at);
    return out;
  }
  roles(t) { const tasks = this.chain(t); return ROLE_CLASSES.map((_, r) => tasks.reduce((s, k) => s + this.live[r][k], 0)); }
  alive(t) {
    const out = [];
    for (const at of this.chain(t)) {
      const b = this.program.blockOf[at], own = at - this.program.blocks[b].first;
      for (const s of this.spans[b]) if (s.first <= own && own <= s.last && s.bytes > 0) out.push(s);
    }
    return out.sort((a, b) => b.bytes - a.bytes);
  }
}
const moments = new WeakMap();
function momentsOf(program) {
  if (!moments.has(program)) moments.set(program, new Moments(program));
  return moments.get(program);
}
tabs.Memory = p => {
  const program = programOf(active.graph);
  if (!program || !program.n) { make('p', p, 'No function whose memory is known.'); return; }
  const m = momentsOf(program), n = m.list.length, limit = program.d.limit, u = unit();
  const box = make('div', p, null, 'chartbox'), used = ROLE_CLASSES.map((_, r) => m.sums.some(s => s[r] > 0));
  make('h2', box, 'Peak memory: ' + bytes(m.total[m.peak]) + (limit ? ' of ' + bytes(limit) : '') + ' while ' + program.short(m.list[m.peak]) + ' runs, task ' + (m.peak + 1) + ' of ' + n);
  keysOf(box, ROLE_CLASSES.map((k, r) => [k, program.d.roles[r], used[r]]).filter(x => x[2]));
  let at = m.peak;
  const top = Math.max(m.total[m.peak], 1) * 1.06, left = 64 * u, x = (k, w) => left + (n < 2 ? 0 : k / (n - 1)) * (w - left - 8), fits = limit && limit < top * 1.6;
  const scaleTop = fits ? Math.max(top, limit * 1.04) : top;
  const c = chart(box, () => Math.min(300 * u, innerHeight * 0.4), (g, w, h) => {
    const foot = 22 * u, y = b => (h - foot) * (1 - b / scaleTop), base = new Float64Array(n), soft = css('--soft'), line = css('--line');
    g.font = fontOf(11 * u);
    g.textBaseline = 'middle';
    const step = niceStep(scaleTop / 5);
    for (let b = 0; b <= scaleTop; b += step) {
      g.fillStyle = line;
      g.fillRect(left, y(b), w - left, 1);
      g.fillStyle = soft;
      g.fillText(bytes(b), 0, Math.max(7 * u, y(b)));
    }
    ROLE_CLASSES.forEach((kind, r) => {
      if (!used[r]) return;
      g.fillStyle = css('--' + kind);
      g.beginPath();
      for (let k = 0; k < n; k++) g.lineTo(x(k, w), y(base[k] + m.sums[k][r]));
      if (n < 2) g.lineTo(w, y(base[0] + m.sums[0][r]));
      if (n < 2) g.lineTo(w, y(base[0]));
      for (let k = n - 1; k >= 0; k--) { g.lineTo(x(k, w), y(base[k])); base[k] += m.sums[k][r]; }
      g.fill();
    });
    loops(g, w, h - foot, foot);
    if (fits) { g.fillStyle = css('--mark'); g.fillRect(left, y(limit) - 1, w - left, 2); g.fillText('limit ' + bytes(limit), left + 6, y(limit) + 10 * u); }
    g.fillStyle = css('--fg');
    g.fillRect(x(at, w) - 1, 0, 2, h - foot);
  });
  // Where loops are: their turns under the axis.
  const loops = (g, w, y, foot) => {
    let from = 0;
    const around = k => { const b = program.blocks[program.blockOf[m.list[k]]]; return b.parent; };
    g.fillStyle = css('--soft');
    for (let k = 1; k <= n; k++) {
      if (k < n && around(k) === around(from)) continue;
      const t = around(from);
      if (t >= 0 && x(k - 1, w) - x(from, w) > 30 * u) {
        g.fillStyle = css('--edge');
        g.fillRect(x(from, w), y + 3, x(k - 1, w) - x(from, w), 2);
        g.fillStyle = css('--soft');
        g.fillText(fitText(g, program.label(t), x(k - 1, w) - x(from, w)), x(from, w), y + foot / 2 + 4);
      }
      from = k;
    }
  };
  const list = make('div', p), tell = k => {
    at = Math.max(0, Math.min(n - 1, k));
    c.redraw();
    list.replaceChildren();
    const t = m.list[at], live = m.alive(t);
    make('h2', list, 'Live while ' + program.label(t) + ' runs' + (program.place(t) ? ' at ' + baseName(program.place(t)) : '') + ': ' + bytes(m.total[at]));
    const rows = tableOf(list, ['#bytes', 'for', 'name']);
    live.slice(0, 100).forEach(s => {
      const role = make('span');
      make('i', role, null, 'key ' + ROLE_CLASSES[s.role]);
      role.append(program.d.roles[s.role]);
      rowOf(rows, [bytes(s.bytes), role, withPlace(scopesOf(s.name).replace(/ at \S+:\d+:\d+$/, ''), baseName(s.place), s.type)], () => { if (!goTo(s.place)) { const i = argNode(active.graph, s.name); if (i >= 0) { show('Graph'); active.reveal(i); } } });
    });
    if (live.length > 100) make('p', list, 'The 100 largest of ' + live.length + '.', 'soft');
    remember();
  };
  c.id = 'memory';
  c.setAttribute('aria-label', 'Memory over time; arrows choose a moment, p the peak');
  const pick = e => tell(Math.round((e.offsetX - left) / (c.clientWidth - left - 8) * (n - 1)));
  c.onpointerdown = e => { c.dragging = true; pick(e); };
  c.onpointermove = e => { if (c.dragging) pick(e); };
  c.onpointerup = () => { c.dragging = false; };
  c.onkeydown = e => {
    const f = { ArrowLeft: () => tell(at - 1), ArrowRight: () => tell(at + 1), PageUp: () => tell(at - 20), PageDown: () => tell(at + 20), Home: () => tell(0), End: () => tell(n - 1), p: () => tell(m.peak) }[e.key];
    if (f) { e.preventDefault(); e.stopPropagation(); f(); }
  };
  c.tell = tell;
  c.at = () => at;
  charts.push(c);
  tell(wanted.moment >= 0 && wanted.moment < n ? wanted.moment : m.peak);
  wanted.moment = -1;
};
