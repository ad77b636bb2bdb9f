// graph.js - one view of the data: nodes, groups that open and close, edges, and places, by the same steps as place.c.
const DATA = JSON.parse(document.getElementById('data').textContent);
const el = id => document.getElementById(id);
const BOX_W = 168, BOX_H = 36, GAP_X = 14, GAP_Y = 30, PAD = 12;
const COLOURS = ['#d9d9d9', '#e69f00', '#56b4e9', '#009e73', '#f0e442', '#0072b2', '#d55e00', '#cc79a7'];
const colourOf = c => COLOURS[c ? 1 + (c - 1) % (COLOURS.length - 1) : 0];
const DARK = new Set(['#0072b2', '#009e73', '#d55e00']);
const SAME = 0, CHANGED = 1;

function bytes(n) {
  if (n == null || n < 0) return '?';
  for (const unit of ['B', 'KB', 'MB', 'GB', 'TB']) {
    if (n < 999.5 || unit === 'TB') return (unit === 'B' ? n : n.toPrecision(3)) + ' ' + unit;
    n /= 1000;
  }
}
// Lists of numbers by node, one behind the other: those of i are list[starts[i]] to list[starts[i + 1]].
function byNode(n, pairs, key, value) {
  const starts = new Int32Array(n + 1), list = new Int32Array(pairs.length / 2);
  for (let e = 0; e < pairs.length; e += 2) starts[pairs[e + key] + 1]++;
  for (let i = 0; i < n; i++) starts[i + 1] += starts[i];
  const next = starts.slice();
  for (let e = 0; e < pairs.length; e += 2) list[next[pairs[e + key]]++] = pairs[e + value];
  return { starts, list };
}
const part = (lists, i) => lists.list.subarray(lists.starts[i], lists.starts[i + 1]);

class Graph {
  constructor(d) {
    const n = this.n = d.node_count;
    this.d = d;
    this.groups = [];
    this.groupOf = new Int32Array(n);
    this.inner = new Int32Array(n);
    this.inners = new Int32Array(n);
    for (let i = 0, first = 0; i < d.groups.length; i += 3) {
      const g = { parent: d.groups[i], first, n: d.groups[i + 1], open: !!d.groups[i + 2], w: 0, h: 0, rows: [] };
      this.groupOf.fill(this.groups.length, first, first + g.n);
      if (g.parent >= 0 && !this.inners[g.parent]++) this.inner[g.parent] = this.groups.length;
      this.groups.push(g);
      first += g.n;
    }
    this.opened = this.groups.map(g => g.open);
    const pairs = new Int32Array(2 * d.edge_count);
    for (let i = 0, e = 0; i < n; i++)
      for (let k = 0; k < d.uses[i]; k++, e++) { pairs[2 * e] = i - d.from[e]; pairs[2 * e + 1] = i; }
    this.pairs = pairs;
    this.uses = byNode(n, pairs, 1, 0);
    this.users = byNode(n, pairs, 0, 1);
    this.order = new Int32Array(n);
    for (const g of this.groups) this.sortGroup(g);
    for (const k of ['X', 'Y', 'W', 'H']) this[k] = new Float64Array(n);
    this.rep = new Int32Array(n);
    this.take(d);
    this.place();
  }
  // Nodes of a group by row: rows are numbers from 0, so counting sorts them.
  sortGroup(g) {
    const d = this.d, end = g.first + g.n;
    let rows = 0;
    for (let i = g.first; i < end; i++) rows = Math.max(rows, d.row[i] + 1);
    const at = new Int32Array(rows + 1);
    for (let i = g.first; i < end; i++) at[d.row[i] + 1]++;
    for (let r = 0; r < rows; r++) at[r + 1] += at[r];
    for (let i = g.first; i < end; i++) this.order[g.first + at[d.row[i]] + d.col[i]] = i;
    g.starts = [];
    for (let r = 0, b = 0; b < g.n; r++) { // at[r] is where row r begins
      g.starts.push(g.first + at[r]);
      b = at[r + 1];
    }
  }
  // "line:col" of the file, with the op's name and without: its node. Made when somebody asks.
  findPlaces() {
    this.at = new Map();
    for (let i = 0; i < this.n; i++) {
      const t = this.text(this.d.place[i]), m = /:(\d+:\d+)$/.exec(t);
      if (!m || this.isLayer(i)) continue;
      for (const key of [m[1], this.title(i) + ' ' + m[1]]) if (!this.at.has(key)) this.at.set(key, i);
    }
  }
  // Of a place as reports write it: "file:12:8", and the op's name when it is known.
  find(place, op) {
    const m = /(\d+:\d+)$/.exec(place || '');
    if (!m) return -1;
    if (!this.at) this.findPlaces();
    return this.at.get(op + ' ' + m[1]) ?? this.at.get(m[1]) ?? -1;
  }
  // What depends on shardings: of the data, or of an answer to what-if.
  take(d) {
    this.sharding = d.sharding;
    this.bytes = d.bytes;
    this.shardings = d.shardings;
    this.memory = d.memory;
    this.memoryTexts = d.texts;
    this.plan = d.plan;
    this.whys = d.whys || {};
    this.trace = d.trace;
    if (this.plan) this.plan.step = d.step;
    this.moves = new Map(); // node: [kind, bytes] of collectives for it
    for (const c of d.plan ? d.plan.collectives : []) {
      const i = this.causeOf(c);
      if (i >= 0) this.moves.set(i, [...(this.moves.get(i) || []), c]);
    }
  }
  causeOf(c) {
    const m = /^(\S+) at .*?(\d+:\d+)$/.exec(c.cause);
    return m ? this.find(m[2], m[1]) : -1;
  }
  isLayer(i) { return this.inners[i] && this.d.type[i] < 0 && !this.d.names[i] && /^layer \d+ of /.test(this.title(i)); }
  text(i) { return i < 0 ? '' : this.d.texts[i]; }
  // Where it was written; of the page's own file the data has line and column alone.
  where(i) { const t = this.text(this.d.place[i]); return t.startsWith(':') ? DATA.file + t : t; }
  title(i) { return this.d.texts[this.d.title[i]]; }
  // What people call it: an argument by its own name where it has one.
  label(i) {
    const t = this.title(i), name = t === this.d.names[i] ? this.text(this.d.place[i]).replace(/(^| )[^ ]*:\d+:\d+$/, '').trim() : '';
    return name || t;
  }
  type(i) { return this.text(this.d.type[i]); }
  shardingOf(i) { return this.sharding[i] < 0 ? null : this.shardings[this.sharding[i]]; }
  colour(i) { const s = this.shardingOf(i); return colourOf(s ? s.colour : 0); }
  diff(i) { return this.d.diff ? this.d.diff[i] : SAME; }
  isOpen(i) { return this.inners[i] > 0 && this.groups[this.inner[i]].open; }
  parent(i) { return this.groups[this.groupOf[i]].parent; }
  each(i, visit) { for (let j = this.inner[i]; j < this.inner[i] + this.inners[i]; j++) visit(this.groups[j]); }

  // ---- Places ----
  rows(g, visit) {
    for (let r = 0; r < g.starts.length; r++) {
      const b = g.starts[r], e = r + 1 < g.starts.length ? g.starts[r + 1] : g.first + g.n;
      let w = -GAP_X, h = 0;
      for (let i = b; i < e; i++) { w += this.W[this.order[i]] + GAP_X; h = Math.max(h, this.H[this.order[i]]); }
      visit(b, e, w, h);
    }
  }
  placeGroup(g, x, y) {
    const { X, Y, W, order } = this;
    g.rows = [];
    this.rows(g, (b, e, w, h) => {
      let left = x + Math.trunc((g.w - w) / 2);
      g.rows.push(y, h);
      for (let i = b; i < e; i++) { X[order[i]] = left; Y[order[i]] = y; left += W[order[i]] + GAP_X; }
      y += h + GAP_Y;
    });
  }
  place() {
    const { groups, W, H, X, Y, n } = this;
    for (let k = groups.length; k-- > 0;) {
      const g = groups[k];
      for (let i = g.first; i < g.first + g.n; i++) {
        let w = PAD, h = 0;
        this.each(i, inside => { if (inside.open) { w += inside.w + PAD; h = Math.max(h, inside.h + PAD); } });
        W[i] = Math.max(w, BOX_W);
        H[i] = BOX_H + h;
      }
      g.w = g.h = 0;
      this.rows(g, (b, e, w, h) => { g.w = Math.max(g.w, w); g.h += h + (b > g.first ? GAP_Y : 0); });
    }
    let y = 0;
    this.width = 1;
    for (const g of groups) if (g.parent < 0) { this.placeGroup(g, 0, y); y += g.h + GAP_Y; this.width = Math.max(this.width, g.w); }
    this.height = Math.max(1, y - GAP_Y);
    for (let i = 0; i < n; i++) {
      let x = X[i] + PAD;
      this.each(i, g => {
        if (!W[i] || !g.open) { W.fill(0, g.first, g.first + g.n); return; }
        this.placeGroup(g, x, Y[i] + BOX_H);
        x += g.w + PAD;
      });
    }
    this.join();
  }
  // Edges between what is seen: an end inside something closed is that box.
  join() {
    const { W, rep, n, pairs } = this, seen = new Set(), out = new Int32Array(pairs.length);
    let nout = 0;
    for (let i = 0; i < n; i++) rep[i] = W[i] ? i : rep[this.parent(i)];
    for (let e = 0; e < pairs.length; e += 2) {
      const f = rep[pairs[e]], t = rep[pairs[e + 1]];
      if (f === t) continue;
      if (f !== pairs[e] || t !== pairs[e + 1]) {
        const key = f * n + t;
        if (seen.has(key)) continue;
        seen.add(key);
      }
      out[nout++] = f;
      out[nout++] = t;
    }
    this.into = byNode(n, out.subarray(0, nout), 1, 0);
    this.outOf = byNode(n, out.subarray(0, nout), 0, 1);
    // Collectives of what is seen.
    this.moved = new Map();
    for (const [i, list] of this.moves) this.moved.set(rep[i], [...(this.moved.get(rep[i]) || []), ...list]);
  }
  setOpen(i, open) { this.each(i, g => { g.open = open; }); }
  openAll(all) {
    this.groups.forEach((g, i) => { g.open = all || this.opened[i]; });
    this.place();
  }
  uncover(i) {
    for (let p = this.parent(i); p >= 0; p = this.parent(p)) this.setOpen(p, true);
    this.place();
  }
  // Calls visit for each box in a part of the plane, what holds before what is inside. Rows are sorted: only those in it are looked at.
  within(x0, y0, x1, y1, visit) {
    const { X, Y, W, H, order } = this, walk = g => {
      const rows = g.rows;
      let lo = 0, hi = g.starts.length;
      while (lo < hi) {
        const mid = (lo + hi) >> 1;
        if (rows[2 * mid] + rows[2 * mid + 1] < y0) lo = mid + 1; else hi = mid;
      }
      for (let r = lo; r < g.starts.length && rows[2 * r] <= y1; r++) {
        const end = r + 1 < g.starts.length ? g.starts[r + 1] : g.first + g.n;
        for (let k = g.starts[r]; k < end; k++) {
          const i = order[k];
          if (X[i] > x1 || X[i] + W[i] < x0 || Y[i] + H[i] < y0) continue;
          visit(i);
          if (this.isOpen(i)) this.each(i, walk);
        }
      }
    };
    for (const g of this.groups) { if (g.parent >= 0) break; walk(g); }
  }
  search(words) {
    const d = this.d, found = [], file = DATA.file.toLowerCase();
    let w = words.trim().toLowerCase();
    for (const name of [file, file.replace(/.*\//, '')]) if (name && w.startsWith(name + ':')) w = w.slice(name.length);
    if (!w) return found;
    const hits = d.texts.map(t => t.toLowerCase().includes(w)), has = i => i >= 0 && hits[i];
    for (let i = 0; i < this.n; i++)
      if (has(d.title[i]) || has(d.type[i]) || has(d.place[i]) || d.names[i].toLowerCase().includes(w)) found.push(i);
    return found;
  }
}
