// graph.js - one view of the data: nodes, boxes that hold nodes, edges, and where they are. Each group of nodes is laid out
// on its own, when it is first seen: rows of what depends on each other, in columns that fill the shape of their box. A
// closed box shows what it holds as small as it must be, so that zooming in shows more.
const LEAF_W = 172, LEAF_H = 44, BOX_W = 236, BOX_H = 112, GAP_X = 16, GAP_Y = 26, PAD = 12, HEAD = 36, FOOT = 34, REGION = 18;
const BOX = { op: 0, scope: 1, layer: 2, fold: 3, part: 4, args: 5 };

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

// "jit(step)/transpose(jvp(block))/attn/dot_general" is backward / block / attn / dot_general.
function scopesOf(stack) {
  const out = [];
  for (const word of stack.split('/')) {
    if (/^transpose\(/.test(word)) out.push('backward'); else if (/^jvp\(/.test(word)) out.push('forward');
    const own = /^p?jit\(/.test(word) ? '' : bare(word);
    if (own && !/\(\)$/.test(own)) out.push(own);
  }
  return out.filter((word, k) => word !== out[k - 1]).join(' / ') || stack;
}
// "transpose(jvp(jit(f)))" is f.
function bare(t) { let m; while ((m = /^(?:transpose|jvp|jit|pjit|vmap)\((.*)\)$/.exec(t))) t = m[1]; return t; }

class Graph {
  constructor(d) {
    const n = this.n = d.node_count;
    this.d = d;
    this.groups = [];
    this.groupOf = new Int32Array(n);
    this.inner = new Int32Array(n);
    this.inners = new Int32Array(n);
    for (let i = 0, first = 0; i < d.groups.length; i += 3) {
      const g = { index: this.groups.length, parent: d.groups[i], first, n: d.groups[i + 1], made: false };
      this.groupOf.fill(g.index, first, first + g.n);
      if (g.parent >= 0 && !this.inners[g.parent]++) this.inner[g.parent] = g.index;
      this.groups.push(g);
      first += g.n;
    }
    const pairs = new Int32Array(2 * d.edge_count);
    for (let i = 0, e = 0; i < n; i++)
      for (let k = 0; k < d.uses[i]; k++, e++) { pairs[2 * e] = i - d.from[e]; pairs[2 * e + 1] = i; }
    this.pairs = pairs;
    this.uses = byNode(n, pairs, 1, 0);
    this.users = byNode(n, pairs, 0, 1);
    this.open = new Uint8Array(n);
    this.total = new Int32Array(n); // nodes inside, at any depth; inner groups come later in the list
    for (let k = this.groups.length; k-- > 0;) { const g = this.groups[k]; if (g.parent >= 0) for (let i = g.first; i < g.first + g.n; i++) this.total[g.parent] += 1 + this.total[i]; }
    for (const k of ['X', 'Y', 'W', 'H']) this[k] = new Float64Array(n); // in the group that holds it
    this.aspect = 1.6;
    this.take(d);
  }
  // What depends on shardings: of the data, or of an answer to what-if.
  take(d) {
    this.sharding = d.sharding;
    this.bytes = d.bytes;
    this.shardings = d.shardings;
    this.plan = d.plan;
    this.whys = d.whys || {};
    this.programText = d.program || 'null';
    this.programData = undefined;
    this.figures = d.figures;
    this.moves = new Map(); // node: collectives for it
    for (const c of d.plan ? d.plan.collectives : []) {
      c.node = this.causeOf(c);
      if (c.node >= 0) this.moves.set(c.node, [...(this.moves.get(c.node) || []), c]);
    }
    this.moved = new Map(); // node or box: bytes that it receives, of all that it holds
    for (const [i, list] of this.moves) {
      const sum = list.reduce((a, c) => a + Math.max(0, c.received_total), 0);
      for (let p = i; p >= 0; p = this.parent(p)) this.moved.set(p, (this.moved.get(p) || 0) + sum);
    }
  }
  // What the simulator played, which is read when it is asked for.
  get program() { return this.programData === undefined ? this.programData = JSON.parse(this.programText) : this.programData; }
  get timed() { return this.programText.includes('"timed":true'); }
  // "model.py:12:8", with the op's name and without: its nodes. Made when somebody asks.
  findPlaces() {
    this.at = new Map();
    for (let i = 0; i < this.n; i++) {
      if (this.d.box[i]) continue;
      const m = /([^\s]*:\d+:\d+)$/.exec(this.where(i));
      if (!m) continue;
      const place = baseName(m[1]);
      for (const key of [place, this.title(i) + ' ' + place]) { const list = this.at.get(key); if (list) list.push(i); else this.at.set(key, [i]); }
    }
  }
  // One line of code makes several ops, in the forward and the backward part; the stack of names tells which is meant.
  find(place, op, name) {
    if (!place) return -1;
    if (!this.at) this.findPlaces();
    const at = baseName(place), list = this.at.get(op + ' ' + at) || this.at.get(at);
    if (!list) return -1;
    if (!name || list.length < 2) return list[0];
    const words = name.split('/');
    let best = list[0], most = -1;
    for (const i of list) {
      const own = this.fullStack(i).split('/');
      let same = 0;
      while (same < own.length && same < words.length && own[same] === words[same]) same++;
      const score = own.join('/') === name ? 1e6 : same;
      if (score > most) { most = score; best = i; }
    }
    return best;
  }
  // With the names of the calls around it.
  fullStack(i) {
    let s = this.stack(i);
    for (let p = this.parent(i); p >= 0; p = this.parent(p)) {
      if (this.d.box[p] || !/call @/.test(this.title(p))) continue;
      const outer = this.stack(p);
      if (!s.startsWith(outer + '/')) s = outer + '/' + s;
    }
    return s;
  }
  causeOf(c) {
    const m = /^(\S+) at (.*:\d+:\d+)$/.exec(c.cause);
    return m ? this.find(m[2], m[1], c.name) : -1;
  }
  text(i) { return i < 0 ? '' : this.d.texts[i]; }
  source(i) { const k = this.d.source[i]; this.lines = this.lines || this.d.sources.split('\n'); return k < 0 ? '' : this.lines[k]; }
  // Where it was written; of the page's own file the data has line and column alone.
  where(i) { const t = this.text(this.d.place[i]), m = /(^| )(:\d+:\d+)$/.exec(t); return m ? t.slice(0, t.length - m[2].length) + DATA.file + m[2] : t; }
  place(i) { const m = /([^ ]*:\d+:\d+)$/.exec(this.where(i)); return m ? m[1] : ''; }
  stack(i) { return this.where(i).replace(/ ?[^ ]*:\d+:\d+$/, '').trim(); }
  title(i) { return this.d.texts[this.d.title[i]]; }
  // What people call it: an argument by its own name where it has one, an op without its dialect.
  label(i) {
    const t = this.title(i), d = this.d;
    if (d.box[i]) return t.replace(/, \d+ ops$/, '');
    if (t === d.names[i]) return this.stack(i) || t;
    const own = this.stack(i).replace(/^.*\//, '');
    if (/^\S*call @/.test(t)) return bare(own) || t.replace(/^\S+ @/, '@');
    if (/ @/.test(t)) return t.replace(/^\S+ @/, '@');
    const short = t.replace(/^[a-z_]+\./, '');
    return d.turns[i] > 0 ? short + ' \u00d7' + d.turns[i] : d.turns[i] < 0 ? short + ' \u00d7?' : short;
  }
  sub(i) {
    const d = this.d;
    if (d.box[i] === BOX.args) return bytes(this.sum(i));
    if (d.box[i]) return d.holds[i] + ' ops';
    return this.type(i);
  }
  sum(i) {
    let s = 0;
    this.each(i, g => { for (let k = g.first; k < g.first + g.n; k++) s += this.d.box[k] ? this.sum(k) : Math.max(0, this.bytes[k]); });
    return s;
  }
  type(i) { return this.text(this.d.type[i]); }
  shardingOf(i) { return this.sharding[i] < 0 ? null : this.shardings[this.sharding[i]]; }
  colour(i) { const s = this.shardingOf(i); return s ? s.colour : 0; }
  diff(i) { return this.d.diff ? this.d.diff[i] : SAME; }
  parent(i) { return this.groups[this.groupOf[i]].parent; }
  each(i, visit) { for (let j = this.inner[i]; j < this.inner[i] + this.inners[i]; j++) visit(this.groups[j]); }
  // At the top: functions that are shown where they are called, and what holds nothing, such as meshes.
  hides(i) {
    if (this.groups[this.groupOf[i]].parent >= 0) return false;
    if (this.d.body[i] >= 0) return true;
    if (this.rooted === undefined) { this.rooted = false; for (const g of this.groups) { if (g.parent >= 0) break; for (let k = g.first; k < g.first + g.n; k++) this.rooted ||= this.holds(k); } }
    return this.rooted && !this.holds(i);
  }
  holds(i) { return this.inners[i] > 0 && this.groups[this.inner[i]].n > 0; }
  isOpen(i) { return this.open[i] === 1 && this.holds(i); }

  // ---- Places ----
  // Rows of a group as lists of nodes.
  rowsOf(g) {
    const d = this.d, rows = [], shown = [];
    for (let i = g.first; i < g.first + g.n; i++) if (g.parent >= 0 || !this.hides(i)) shown.push(i);
    shown.sort((a, b) => d.row[a] - d.row[b] || d.col[a] - d.col[b]);
    let last = -1;
    for (const i of shown) {
      if (d.row[i] !== last) rows.push([]);
      last = d.row[i];
      rows[rows.length - 1].push(i);
    }
    g.shown = shown;
    return rows;
  }
  // Places nodes in columns of lines so that the whole is about as wide, for its height, as asked. For what is inside a
  // closed box the places are kept.
  layout(g, aspect) {
    if (g.made && Math.abs(g.aspect - aspect) < 1e-3) return g;
    g.made = true;
    g.aspect = aspect;
    for (let i = g.first; i < g.first + g.n; i++) this.size(i);
    const rows = this.rowsOf(g), { W, H } = this;
    let area = 0;
    for (const r of rows) for (const i of r) area += (W[i] + GAP_X) * (H[i] + GAP_Y);
    const wide = Math.max(Math.sqrt(area * aspect), 1), lines = [];
    for (const r of rows) { // a row that is too wide becomes several lines
      let line = null;
      for (const i of r) {
        if (!line || line.w + GAP_X + W[i] > wide * 0.9) lines.push(line = { nodes: [], w: -GAP_X, h: 0 });
        line.nodes.push(i);
        line.w += W[i] + GAP_X;
        line.h = Math.max(line.h, H[i]);
      }
    }
    let best = null;
    const total = lines.reduce((s, l) => s + l.h + GAP_Y, 0);
    for (let n = 1; n <= Math.min(lines.length, 24); n++) {
      let w = 0, h = 1;
      for (const more of lines.length < 200 ? [1, 1.15, 1.35] : [1]) {
        const cols = this.columns(lines, more * total / n);
        w = cols.reduce((s, c) => s + c.w + 2 * GAP_X, -2 * GAP_X);
        h = Math.max(...cols.map(c => c.h));
        const size = Math.max(w, h * aspect); // what it needs of a window of this shape
        if (!best || size < best.size) best = { cols, w, h, size };
      }
      if (w / h > 2 * aspect) break;
    }
    if (!best) best = { cols: [], w: 1, h: 1 };
    this.spread(g, best, aspect);
    return g;
  }
  columns(lines, most) {
    const cols = [{ lines: [], w: 0, h: -GAP_Y }];
    for (const l of lines) {
      let c = cols[cols.length - 1];
      if (c.lines.length && c.h + GAP_Y + l.h > most + l.h / 2) cols.push(c = { lines: [], w: 0, h: -GAP_Y });
      c.lines.push(l);
      c.w = Math.max(c.w, l.w);
      c.h += l.h + GAP_Y;
    }
    return cols;
  }
  // What is missing to the shape that was asked for goes into the gaps.
  spread(g, { cols, w, h }, aspect) {
    const { X, Y, W } = this, wider = Math.min(Math.max(h * aspect, w), w * 1.4), higher = Math.min(Math.max(wider / aspect, h), h * 1.4);
    let x = 0, used = h;
    const gap = cols.length > 1 ? 2 * GAP_X + (wider - w) / (cols.length - 1) : 0, left = cols.length > 1 ? 0 : (wider - w) / 2;
    for (const c of cols) {
      const more = c.lines.length > 1 ? Math.max(0, Math.min((higher - c.h) / (c.lines.length - 1), 4 * GAP_Y)) : 0;
      let y = 0;
      for (const l of c.lines) {
        let at = x + left + (c.w - l.w) / 2;
        for (const i of l.nodes) { X[i] = at; Y[i] = y; at += W[i] + GAP_X; }
        y += l.h + GAP_Y + more;
      }
      used = Math.max(used, y - GAP_Y - more);
      x += c.w + gap;
    }
    g.w = Math.max(wider, 1);
    g.h = Math.max(used, 1);
    // Room for what is written over the first line.
    g.top = cols.some(c => c.lines[0] && c.lines[0].nodes.some(i => !this.holds(i) && this.moves.has(i))) ? GAP_Y : 4;
  }
  size(i) {
    const { W, H } = this;
    if (!this.holds(i)) { W[i] = LEAF_W; H[i] = LEAF_H; return; }
    W[i] = BOX_W;
    H[i] = BOX_H;
    if (!this.open[i]) return;
    let w = PAD, h = 0;
    const shape = this.groups[this.groupOf[i]].parent < 0 ? this.aspect : this.aspect < 1 ? 0.9 : 1.6;
    this.each(i, g => { if (!g.n) return; g.made = false; this.layout(g, shape); w += g.w + PAD; h = Math.max(h, g.h + g.top); });
    W[i] = Math.max(w, BOX_W);
    H[i] = Math.max(this.head(i) + h + PAD, BOX_H);
  }
  // Everything anew, for a window of this shape.
  relayout(aspect) {
    if (aspect) this.aspect = aspect;
    const roots = this.groups.filter(g => g.parent < 0), old = roots.map(g => g.made = false);
    let y = 0;
    this.width = 1;
    for (const g of roots) { this.layout(g, this.aspect); g.y = y; y += g.h + GAP_Y; this.width = Math.max(this.width, g.w); }
    this.height = Math.max(1, y - GAP_Y);
    return old.length;
  }
  // What a region of an op is for, where the op has several; and the room above them.
  region(g) {
    const i = g.parent, k = g.index - this.inner[i], of = this.d.box[i] ? '' : this.title(i).replace(/^.*\./, '');
    return this.inners[i] < 2 ? '' : of === 'while' ? ['condition', 'body'][k] : of === 'if' ? ['then', 'else'][k] : of === 'case' ? 'branch ' + k : '';
  }
  head(i) { return HEAD + (this.region(this.groups[this.inner[i]]) ? REGION : 0); }
  // Where the contents of a box are in it: their groups side by side, as large as there is room.
  content(i) {
    if (this.isOpen(i)) {
      let x = PAD;
      const out = [], top = this.head(i);
      this.each(i, g => { if (g.n) { out.push({ g, x, y: top + g.top, k: 1 }); x += g.w + PAD; } });
      return out;
    }
    const list = [];
    this.each(i, g => { if (g.n) list.push(this.layout(g, (BOX_W - 2 * PAD) / (BOX_H - HEAD - FOOT + 10) / this.inners[i])); });
    const w = list.reduce((s, g) => s + g.w + GAP_X, -GAP_X), h = Math.max(...list.map(g => g.h), 1), top = HEAD + 16;
    const k = Math.min((this.W[i] - 2 * PAD) / w, (this.H[i] - top - 8) / h, 0.9);
    let x = (this.W[i] - w * k) / 2;
    return list.map(g => { const at = { g, x, y: top + (this.H[i] - top - 8 - h * k) / 2, k }; x += (g.w + GAP_X) * k; return at; });
  }
  // The rectangle of a node in the plane, and how much smaller than usual it is drawn.
  rect(i) {
    const g = this.groups[this.groupOf[i]], p = g.parent;
    if (p < 0) { if (!g.made) this.relayout(); return { x: this.X[i], y: g.y + this.Y[i], w: this.W[i], h: this.H[i], k: 1 }; }
    const r = this.rect(p), c = this.content(p).find(c => c.g === g);
    if (!c) return r;
    const k = r.k * c.k;
    return { x: r.x + r.k * c.x + k * this.X[i], y: r.y + r.k * c.y + k * this.Y[i], w: k * this.W[i], h: k * this.H[i], k };
  }
  // Edges between the nodes of a group: [from, to, number of values, bytes that collectives move for it].
  edges(g) {
    if (!this.lifted) this.lift();
    return this.lifted.get(g.index) || [];
  }
  lift() {
    this.lifted = new Map();
    const { pairs, groupOf, groups } = this, depth = new Int32Array(groups.length), seen = new Map();
    groups.forEach((g, k) => { depth[k] = g.parent < 0 ? 0 : depth[groupOf[g.parent]] + 1; });
    for (let e = 0; e < pairs.length; e += 2) {
      let a = pairs[e], b = pairs[e + 1];
      while (a >= 0 && b >= 0 && groupOf[a] !== groupOf[b]) {
        const da = depth[groupOf[a]], db = depth[groupOf[b]];
        if (da >= db) a = groups[groupOf[a]].parent;
        if (db >= da) b = groups[groupOf[b]].parent;
      }
      if (a < 0 || b < 0 || a === b) continue;
      const key = a * this.n + b, old = seen.get(key);
      if (old) { old[2]++; continue; }
      const edge = [a, b, 1], list = this.lifted.get(groupOf[a]);
      seen.set(key, edge);
      if (list) list.push(edge); else this.lifted.set(groupOf[a], [edge]);
    }
  }
  // ---- Opening ----
  setOpen(i, open) { this.open[i] = open ? 1 : 0; }
  uncover(i) {
    let changed = false;
    for (let p = this.parent(i); p >= 0; p = this.parent(p)) if (!this.open[p]) { this.open[p] = 1; changed = true; }
    if (changed) this.relayout();
    return changed;
  }
  openAll(most) {
    let left = most || Infinity;
    for (let i = 0; i < this.n; i++) if (this.holds(i) && left > 0) { this.open[i] = 1; this.each(i, g => { left -= g.n; }); }
    this.relayout();
  }
  // The function that is planned, and then the largest boxes as long as what is shown can be read.
  openFirst(width, height, least) {
    const { d } = this, fits = () => { this.relayout(width / height); return Math.min(width / this.width, height / this.height) >= least; };
    this.open.fill(0);
    for (let k = 0, first = 0; k < d.groups.length; k += 3) {
      const g = this.groups[k / 3];
      if (d.groups[k + 2] && g.parent >= 0 && !d.box[g.parent]) this.open[g.parent] = 1;
      first += g.n;
    }
    if (!fits()) return;
    const deep = i => { let n = 0; for (let p = this.parent(i); p >= 0; p = this.parent(p)) n++; return n; }, size = i => this.total[i] / Math.pow(2.5, deep(i));
    for (let tries = 0; tries < 12; tries++) {
      let best = -1;
      const walk = g => { for (const i of g.shown || []) { if (this.isOpen(i)) this.each(i, walk); else if (this.holds(i) && !g.tried?.has(i) && d.box[i] !== BOX.args && !/ constants$/.test(this.label(i)) && (best < 0 || size(i) > size(best))) best = i; } };
      for (const g of this.groups) { if (g.parent >= 0) break; walk(g); }
      if (best < 0 || this.total[best] < 3) return;
      this.open[best] = 1;
      if (!fits()) {
        this.open[best] = 0;
        const g = this.groups[this.groupOf[best]];
        (g.tried = g.tried || new Set()).add(best);
      }
    }
    fits();
  }
  // The number of nodes that are not inside anything closed.
  visible() {
    let n = 0;
    const walk = g => { for (let i = g.first; i < g.first + g.n; i++) { if (g.parent < 0 && this.hides(i)) continue; n++; if (this.isOpen(i)) this.each(i, walk); } };
    for (const g of this.groups) { if (g.parent >= 0) break; walk(g); }
    return n;
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
