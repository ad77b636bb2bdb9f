// draw.js - a graph on a canvas: moving, zooming, choosing. Text has the same size at every zoom, and is left out where it
// does not fit. Two graphs stand side by side when the page has two views.
const READABLE = 0.5; // the least scale at which ops have names
class Pane {
  constructor(graph, index) {
    this.index = index;
    this.view = { x: 0, y: 0, scale: 1 };
    this.selected = -1;
    this.matches = [];
    this.match = -1;
    this.marks = new Map();
    const div = make('div', el('panes'), null, 'pane');
    this.canvas = make('canvas', div);
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'application');
    this.canvas.setAttribute('aria-label', 'Graph of the module. Arrows choose, Enter opens and closes, + and - zoom, 0 shows everything');
    if (graph.d.label) make('span', div, graph.d.label);
    this.ctx = this.canvas.getContext('2d');
    this.set(graph);
    this.listen();
    if (window.ResizeObserver) new ResizeObserver(() => { const now = this.width + ' ' + this.height; if (now === this.was) return; this.was = now; if (!this.touched) this.fitted = false; this.draw(); }).observe(div);
  }
  set(graph) { this.graph = graph; this.fitted = this.touched = false; }
  ask() { if (!this.asked) { this.asked = true; requestAnimationFrame(() => { this.asked = false; this.draw(); }); } }
  get width() { return this.canvas.clientWidth; }
  get height() { return this.canvas.clientHeight; }

  // ---- Drawing ----
  draw() {
    const { canvas, ctx, view } = this, ratio = devicePixelRatio || 1, w = this.width, h = this.height;
    if (!w || !h) return;
    if (!this.fitted) this.first();
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
      canvas.width = Math.round(w * ratio);
      canvas.height = Math.round(h * ratio);
    }
    this.ink = {};
    for (const k of ['bg', 'fg', 'soft', 'edge', 'mark', 'box', 'inside', 'move', 'line', 'accent']) this.ink[k] = css('--' + k);
    this.u = unit();
    this.drawn = 0;
    this.texts = []; // what is written: x, y, width, height, text, size; for tests, and so that none covers another
    this.smallest = Infinity;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.fillStyle = this.ink.bg;
    ctx.fillRect(0, 0, w, h);
    ctx.textBaseline = 'middle';
    this.hits = new Set(this.matches);
    for (const g of this.graph.groups) {
      if (g.parent >= 0) break;
      this.group(g, -view.x * view.scale, (g.y - view.y) * view.scale, view.scale, false);
    }
    this.chosen();
    drawMap(this);
  }
  // Nodes of a group whose origin is at x, y on the canvas, at this scale. quiet: without text.
  group(g, x, y, s, quiet) {
    const { graph, width, height } = this, { X, Y, W, H } = graph, seen = [];
    for (const i of g.shown) {
      const bx = x + X[i] * s, by = y + Y[i] * s;
      if (bx > width || by > height || bx + W[i] * s < 0 || by + H[i] * s < 0) continue;
      seen.push(i);
    }
    if (s > 0.02) this.edges(g, x, y, s);
    for (const i of seen) this.node(i, x + X[i] * s, y + Y[i] * s, W[i] * s, H[i] * s, s, quiet);
    if (!quiet) this.received(g, x, y, s);
  }
  path(x, y, w, h, r) { const c = this.ctx; c.beginPath(); if (c.roundRect && r > 1) c.roundRect(x, y, w, h, r); else c.rect(x, y, w, h); }
  write(t, x, y, px, w, colour, weight) {
    const { ctx } = this;
    ctx.font = fontOf(px, weight);
    const shown = fitText(ctx, t, w);
    if (!shown) return 0;
    ctx.fillStyle = colour;
    ctx.fillText(shown, x, y);
    this.smallest = Math.min(this.smallest, px);
    const wide = ctx.measureText(shown).width;
    this.texts.push([x, y - px / 2, wide, px, shown, px]);
    return wide;
  }
  node(i, x, y, w, h, s, quiet) {
    const { ctx, graph, ink, u } = this, holds = graph.holds(i), open = graph.isOpen(i), big = 12 * u, fill = colourOf(graph.colour(i));
    this.drawn++;
    const hit = this.hits.has(i), diff = graph.diff(i), mark = this.marks.get(i);
    this.path(x, y, w, h, Math.min(6, 6 * s));
    ctx.fillStyle = open ? ink.inside : ink.box;
    ctx.fill();
    if (!open && !holds && w > 3) { // the sharding's colour
      const r = Math.min(6, 6 * s);
      ctx.fillStyle = fill;
      ctx.beginPath();
      if (ctx.roundRect && r > 1) ctx.roundRect(x, y, r, h, [r, 0, 0, r]); else ctx.rect(x, y, Math.max(2, r), h);
      ctx.fill();
    }
    ctx.strokeStyle = hit || mark || diff ? ink.mark : holds ? ink.edge : ink.line;
    ctx.lineWidth = hit || mark || diff ? 2 : 1;
    if (diff) ctx.setLineDash(diff === CHANGED ? [6, 3] : [2, 2]);
    this.path(x, y, w, h, Math.min(6, 6 * s));
    ctx.stroke();
    ctx.setLineDash([]);
    const label = (mark || (diff ? (diff === CHANGED ? '\u2260 ' : '+ ') : '')) + graph.label(i);
    if (open) {
      const head = HEAD * s, shows = head >= big * 1.4, shut = !shows && !quiet && h > big * 2.5;
      if (shows && !quiet) this.title(i, x, y, w, head, label, s);
      for (const c of graph.content(i)) {
        const region = shows && !quiet && REGION * s >= 11 * u && graph.region(c.g);
        if (region) this.write(region, x + c.x * s, y + (HEAD + REGION / 2 - 4) * s, 11 * u, c.g.w * s, ink.soft, 'bold');
        this.group(c.g, x + c.x * s, y + c.y * s, s * c.k, quiet || !shows);
      }
      if (shut) this.cover(x, y, w, h, label);
      return;
    }
    if (quiet) { if (holds) this.preview(i, x, y, w, h, s); return; }
    const pad = Math.max(6, 10 * s), room = w - 2 * pad;
    if (!holds) {
      const sub = graph.sub(i);
      if (h >= big * 2.9 && sub) {
        this.write(label, x + pad, y + h * 0.5 - big * 0.72, big, room, ink.fg, '');
        this.write(sub, x + pad, y + h * 0.5 + big * 0.72, 11 * u, room, ink.soft);
      } else if (h >= big * 1.2) this.write(label, x + pad, y + h / 2, big, room, ink.fg, '');
      return;
    }
    const head = Math.max(big * 1.7, HEAD * s), inside = h >= big * 4.5;
    if (h < big * 1.25) return;
    if (!inside) {
      this.write('\u25b8 ' + label, x + pad, y + Math.min(h / 2, head), big, room, ink.fg, 'bold');
      if (h >= big * 3.2) this.write(graph.sub(i) + this.carries(i), x + pad, y + Math.min(h / 2, head) + big * 1.4, 11 * u, room, ink.soft);
      return;
    }
    this.title(i, x, y, w, head, label, s);
    this.preview(i, x, y, w, h, s);
  }
  carries(i) { const b = this.graph.moved.get(i); return b ? ' \u00b7 \u21c4 ' + bytes(b) : ''; }
  title(i, x, y, w, head, label) {
    const { ink, u, graph } = this, big = 12 * u, pad = 8, at = y + head / 2, sign = graph.isOpen(i) ? '\u25be ' : '\u25b8 ';
    const used = this.write(sign + label, x + pad, at, big, w - 2 * pad, ink.fg, 'bold'), left = w - used - 3 * pad;
    const tail = (graph.sub(i) + this.carries(i)).replace(/^ \u00b7 /, '');
    if (used && left > 40) {
      this.ctx.font = fontOf(11 * u);
      const wide = Math.min(this.ctx.measureText(tail).width, left);
      this.write(tail, x + w - pad - wide, at, 11 * u, left, graph.moved.has(i) ? ink.move : ink.soft);
    }
  }
  // What a closed box holds, smaller; its text as soon as it can be read.
  preview(i, x, y, w, h, s) {
    if (w < 40) return;
    const top = 12 * this.u * 1.7;
    for (const c of this.graph.content(i)) {
      const r = this.graph.H[i] * s, squeeze = Math.max(0, top - HEAD * s);
      if (r - squeeze < 20) return;
      const k = s * c.k * Math.min(1, (h - top - 6) / Math.max(1, h - (HEAD + 16) * s - 6));
      const gx = x + w / 2 + (c.x - this.graph.W[i] / 2) * s * (k / (s * c.k)), gy = Math.max(y + top, y + c.y * s);
      if (k > 0) this.group(c.g, gx, gy, k, k * LEAF_H < 12 * this.u * 1.2);
    }
  }
  // The name of an open box that is too small for the names in it.
  cover(x, y, w, h, label) {
    const { ctx, ink, u } = this, px = 13 * u, pad = 6;
    ctx.font = fontOf(px, 'bold');
    const shown = fitText(ctx, label, w - 4 * pad);
    if (!shown) return;
    const wide = ctx.measureText(shown).width;
    ctx.fillStyle = ink.box;
    this.path(x + (w - wide) / 2 - pad, y + h / 2 - px * 0.8, wide + 2 * pad, px * 1.6, 4);
    ctx.fill();
    this.write(label, x + (w - wide) / 2, y + h / 2, px, w - 4 * pad, ink.fg, 'bold');
  }
  edges(g, x, y, s) {
    const { ctx, graph, ink, width, height } = this, { X, Y, W, H } = graph, plain = new Path2D(), faint = new Path2D(), moves = new Path2D();
    const list = graph.edges(g), few = list.length < 4000 || s > 0.2;
    for (let e = 0; e < list.length; e++) {
      const [a, b] = list[e];
      if (!few && e % 8) continue;
      const ax = x + (X[a] + W[a] / 2) * s, ay = y + (Y[a] + H[a]) * s, bx = x + (X[b] + W[b] / 2) * s, by = y + Y[b] * s;
      if (Math.max(ax, bx) < 0 || Math.min(ax, bx) > width || Math.max(ay, by) < 0 || Math.min(ay, by) > height) continue;
      const long = by - ay > 420 * s || by < ay || Math.abs(bx - ax) > 700 * s, p = graph.moves.has(b) && !long ? moves : long ? faint : plain;
      this.curve(p, ax, ay, bx, by, a, b, x, y, s);
    }
    const thin = Math.max(0.6, Math.min(1.4, s));
    for (const [p, colour, line, alpha] of [[faint, ink.edge, thin, 0.22], [plain, ink.edge, thin, 0.85], [moves, ink.move, 2 * thin, 1]]) {
      ctx.globalAlpha = alpha;
      ctx.strokeStyle = colour;
      ctx.lineWidth = line;
      ctx.stroke(p);
    }
    ctx.globalAlpha = 1;
  }
  // Downwards, or from the side of one column into the next.
  curve(p, ax, ay, bx, by, a, b, x, y, s) {
    const { X, Y, W, H } = this.graph;
    if (by >= ay - 2) {
      const m = (ay + by) / 2;
      p.moveTo(ax, ay);
      p.bezierCurveTo(ax, m, bx, m, bx, by);
      return;
    }
    const right = X[b] >= X[a], fx = x + (X[a] + (right ? W[a] : 0)) * s, fy = y + (Y[a] + H[a] / 2) * s, tx = x + (X[b] + (right ? 0 : W[b])) * s, ty = y + (Y[b] + H[b] / 2) * s, m = (fx + tx) / 2;
    p.moveTo(fx, fy);
    p.bezierCurveTo(m, fy, m, ty, tx, ty);
  }
  // Collectives, on the edges that need them: what is received, above the op it is for.
  received(g, x, y, s) {
    const { graph, ink, u } = this, px = 10.5 * u;
    if (GAP_Y * s < px * 1.15) return;
    for (const i of g.shown) {
      if (graph.holds(i) || !graph.moves.has(i)) continue;
      const list = graph.moves.get(i), kinds = [...new Set(list.map(c => c.kind))];
      const t = '\u21c4 ' + bytes(graph.moved.get(i)) + ' ' + (kinds.length === 1 ? kinds[0] : list.length + ' collectives');
      const bx = x + graph.X[i] * s, by = y + graph.Y[i] * s - GAP_Y * s / 2, w = graph.W[i] * s;
      if (bx > this.width || by > this.height || bx + w < 0 || by < 0) continue;
      this.ctx.font = fontOf(px, 'bold');
      const wide = this.ctx.measureText(fitText(this.ctx, t, w)).width;
      this.ctx.fillStyle = ink.bg;
      this.ctx.fillRect(bx + (w - wide) / 2 - 3, by - px * 0.6, wide + 6, px * 1.2);
      this.write(t, bx + (w - wide) / 2, by, px, w, ink.move, 'bold');
    }
  }
  // What is chosen, and what it uses and is used by.
  chosen() {
    const { ctx, graph, ink, selected: i } = this;
    if (i < 0) return;
    const r = this.screen(this.seen(i));
    ctx.strokeStyle = ink.accent;
    ctx.globalAlpha = 0.6;
    for (const [list, from] of [[graph.uses, true], [graph.users, false]])
      for (const k of new Set(part(list, i))) {
        const o = this.screen(this.seen(k));
        if (o.x === r.x && o.y === r.y) continue;
        const [a, b] = from ? [o, r] : [r, o], ax = a.x + a.w / 2, ay = a.y + a.h, bx = b.x + b.w / 2, by = b.y;
        ctx.lineWidth = 1.5;
        ctx.beginPath();
        ctx.moveTo(ax, ay);
        ctx.bezierCurveTo(ax, (ay + by) / 2, bx, (ay + by) / 2, bx, by);
        ctx.stroke();
      }
    ctx.globalAlpha = 1;
    ctx.lineWidth = 3;
    this.path(r.x - 2, r.y - 2, r.w + 4, r.h + 4, 6);
    ctx.stroke();
  }
  // The node itself, or the closed box around it.
  seen(i) {
    let at = i;
    for (let p = this.graph.parent(i); p >= 0; p = this.graph.parent(p)) if (!this.graph.isOpen(p) && this.graph.rect(i).h * this.view.scale < 8) at = p;
    return at;
  }
  screen(i) {
    const r = this.graph.rect(i), { x, y, scale: s } = this.view;
    return { x: (r.x - x) * s, y: (r.y - y) * s, w: r.w * s, h: r.h * s, k: r.k };
  }

  // ---- Moving ----
  first() {
    this.fitted = true;
    this.graph.openFirst(this.width, this.height, 0.56 * unit());
    this.fit(true);
  }
  fit(now) {
    const { graph } = this;
    let shape = this.width / this.height;
    const scale = () => Math.min((this.width - 32) / graph.width, (this.height - 32) / graph.height);
    graph.relayout(shape);
    this.touched = false;
    if (scale() >= READABLE * unit()) { this.show({ x: 0, y: 0, w: graph.width, h: graph.height }, now, 3); return; }
    // Too much to be read in this window: narrower, as wide as the window, from its top.
    for (let k = 0; k < 8 && (this.width - 32) / graph.width < READABLE * unit(); k++) graph.relayout(shape *= 0.7);
    const s = (this.width - 32) / graph.width, high = (this.height - 32) / s;
    if (s < READABLE * unit()) graph.relayout(this.width / this.height);
    this.show({ x: 0, y: 0, w: graph.width, h: s < READABLE * unit() ? graph.height : Math.min(graph.height, high) }, now, 3);
  }
  // Moves so that a rectangle of the plane fills the canvas.
  show(r, now, most) {
    const pad = 16, s = Math.min((this.width - 2 * pad) / r.w, (this.height - 2 * pad) / r.h, most || Infinity);
    this.fly({ scale: s, x: r.x + r.w / 2 - this.width / 2 / s, y: r.y + r.h / 2 - this.height / 2 / s }, now);
  }
  fly(to, now) {
    const from = { ...this.view }, start = performance.now();
    this.target = to;
    if (now || matchMedia('(prefers-reduced-motion: reduce)').matches) { Object.assign(this.view, to); this.ask(); return; }
    const step = () => {
      if (this.target !== to) return;
      const t = Math.min(1, (performance.now() - start) / 220), e = t * t * (3 - 2 * t), s = from.scale * Math.pow(to.scale / from.scale, e);
      // The point that stays in the middle goes evenly.
      const mx = w => w.x + this.width / 2 / w.scale, my = w => w.y + this.height / 2 / w.scale;
      const cx = mx(from) + (mx(to) - mx(from)) * e, cy = my(from) + (my(to) - my(from)) * e;
      Object.assign(this.view, t < 1 ? { scale: s, x: cx - this.width / 2 / s, y: cy - this.height / 2 / s } : to);
      this.draw();
      if (t < 1) requestAnimationFrame(step);
    };
    step();
  }
  zoom(by, px, py) {
    const { view } = this, least = 0.5 * Math.min(this.width / this.graph.width, this.height / this.graph.height);
    this.target = null;
    this.touched = true;
    const s = Math.min(1e4, Math.max(least, view.scale * by));
    view.x += px / view.scale - px / s;
    view.y += py / view.scale - py / s;
    view.scale = s;
    this.ask();
  }
  pan(x, y) { this.target = null; this.touched = true; this.view.x += x / this.view.scale; this.view.y += y / this.view.scale; this.ask(); }
  // Goes to a node: so near that its text can be read, with what is around it.
  goTo(i, now) {
    const r = this.graph.rect(i), u = unit(), wanted = this.graph.holds(i) ? Math.min(this.width * 0.7 / r.w, this.height * 0.7 / r.h) : 1.1 * u / r.k;
    const s = Math.max(Math.min(wanted, (this.width - 32) / r.w), 1e-6);
    this.fly({ scale: s, x: r.x + r.w / 2 - this.width / 2 / s, y: r.y + r.h / 2 - this.height / 2 / s }, now);
  }
  toggle(i) {
    if (i < 0) return;
    this.touched = true;
    const { graph } = this;
    if (!graph.holds(i)) {
      if (graph.d.body[i] >= 0) this.reveal(graph.d.body[i]);
      return;
    }
    graph.setOpen(i, !graph.isOpen(i));
    for (let p = graph.parent(i); p >= 0 && graph.isOpen(i); p = graph.parent(p)) graph.setOpen(p, true);
    graph.relayout();
    if (graph.isOpen(i)) this.show(graph.rect(i), false, 1.4 * unit()); else this.goTo(graph.parent(i) >= 0 ? graph.parent(i) : i);
  }
  hit(px, py) {
    const { graph, view } = this, u = unit();
    const walk = (g, x, y, s) => {
      for (const i of g.shown || []) {
        const bx = x + graph.X[i] * s, by = y + graph.Y[i] * s, w = graph.W[i] * s, h = graph.H[i] * s;
        if (px < bx || py < by || px > bx + w || py > by + h) continue;
        if (graph.holds(i) && (graph.isOpen(i) || h > 12 * u * 4.5))
          for (const c of graph.content(i)) {
            const found = s * c.k * LEAF_H < 9 ? -1 : walk(c.g, bx + c.x * s, by + c.y * s, s * c.k);
            if (found >= 0) return found;
          }
        return i;
      }
      return -1;
    };
    for (const g of graph.groups) {
      if (g.parent >= 0) break;
      const found = walk(g, -view.x * view.scale, (g.y - view.y) * view.scale, view.scale);
      if (found >= 0) return found;
    }
    return -1;
  }
  reveal(i, now) {
    this.touched = true;
    this.graph.uncover(i);
    this.select(i);
    this.goTo(i, now);
  }
  select(i) {
    this.selected = i;
    use(this);
    showDetails();
    this.ask();
    for (const other of panes) if (other !== this) other.follow(this.graph, i);
    remember();
  }
  // What was chosen in the view beside this one.
  follow(graph, i) {
    const key = i < 0 ? '' : graph.place(i);
    this.selected = key ? this.graph.find(key, graph.title(i)) : -1;
    if (this.selected >= 0) { this.graph.uncover(this.selected); this.goTo(this.selected); }
    this.ask();
  }
  // The neighbour in a direction, among those in the same box.
  step(dx, dy) {
    const { graph } = this;
    if (this.selected < 0) { const g = graph.groups.find(g => g.parent >= 0 && g.shown && graph.isOpen(g.parent)) || graph.groups[0]; this.select(g.shown[0]); return; }
    const from = this.screen(this.selected), g = graph.groups[graph.groupOf[this.selected]];
    let best = -1, least = Infinity;
    for (const i of g.shown || []) {
      if (i === this.selected) continue;
      const r = this.screen(i), x = r.x + r.w / 2 - from.x - from.w / 2, y = r.y + r.h / 2 - from.y - from.h / 2, along = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (along > 1 && along + 2 * aside < least) { least = along + 2 * aside; best = i; }
    }
    if (best < 0) best = g.shown[g.shown.indexOf(this.selected) + (dx + dy)] ?? -1; // none there: the next in order
    if (best < 0) return;
    this.select(best);
    const r = this.screen(best);
    if (r.x < 0 || r.y < 0 || r.x + r.w > this.width || r.y + r.h > this.height) this.pan(r.x + r.w / 2 - this.width / 2, r.y + r.h / 2 - this.height / 2);
  }
  search(words) {
    this.matches = this.graph.search(words);
    this.match = -1;
    this.ask();
  }
  nextMatch(by) {
    if (!this.matches.length) return;
    this.match = (this.match + by + this.matches.length) % this.matches.length;
    this.reveal(this.matches[this.match]);
  }
  listen() {
    const { canvas } = this, down = new Map();
    let moved = false, apart = 0;
    const spread = () => { const [a, b] = [...down.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
    canvas.onpointerdown = e => {
      use(this);
      down.set(e.pointerId, { x: e.offsetX, y: e.offsetY });
      moved = down.size > 1;
      if (down.size === 2) apart = spread();
      try { canvas.setPointerCapture(e.pointerId); } catch (_) { /* of a script */ }
    };
    canvas.onpointermove = e => {
      const p = down.get(e.pointerId);
      if (!p) { const i = this.hit(e.offsetX, e.offsetY); canvas.style.cursor = i >= 0 ? 'pointer' : 'grab'; return; }
      const dx = e.offsetX - p.x, dy = e.offsetY - p.y;
      if (down.size === 1) {
        if (!moved && Math.abs(dx) + Math.abs(dy) < 4) return;
        moved = true;
        this.pan(-dx, -dy);
      }
      p.x = e.offsetX;
      p.y = e.offsetY;
      if (down.size === 2) { // two fingers
        const [a, b] = [...down.values()], now = spread();
        this.zoom(now / Math.max(apart, 1), (a.x + b.x) / 2, (a.y + b.y) / 2);
        apart = now;
      }
    };
    const up = e => {
      if (down.has(e.pointerId) && !moved && e.type === 'pointerup') {
        const i = this.hit(e.offsetX, e.offsetY), now = performance.now();
        if (i >= 0 && i === this.last?.i && now - this.last.at < 350) { this.last = null; this.toggle(i); } else { this.last = { i, at: now }; this.select(i); }
      }
      down.delete(e.pointerId);
    };
    canvas.onpointerup = up;
    canvas.onpointercancel = up;
    canvas.onfocus = () => use(this);
    canvas.addEventListener('wheel', e => {
      e.preventDefault();
      if (e.shiftKey) this.pan(e.deltaY, 0); else this.zoom(Math.exp(-e.deltaY / 400), e.offsetX, e.offsetY);
    }, { passive: false });
  }
}
// The whole graph, small, and the part of it that is seen.
function drawMap(pane) {
  const c = el('map');
  if (pane !== active) return;
  const { graph, view } = pane, all = view.x <= 1 && view.y <= 1 && view.x + pane.width / view.scale >= graph.width - 1 && view.y + pane.height / view.scale >= graph.height - 1;
  c.hidden = all; // what is seen whole needs no map
  if (all || !c.clientWidth) return;
  const ratio = devicePixelRatio || 1, w = c.clientWidth, h = c.clientHeight, g = c.getContext('2d');
  const s = Math.min((w - 8) / graph.width, (h - 8) / graph.height), ox = (w - graph.width * s) / 2, oy = (h - graph.height * s) / 2;
  c.at = { s, ox, oy };
  c.width = Math.round(w * ratio);
  c.height = Math.round(h * ratio);
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.clearRect(0, 0, w, h);
  const walk = (group, x, y, depth) => {
    for (const i of group.shown || []) {
      const bx = x + graph.X[i] * s, by = y + graph.Y[i] * s, bw = Math.max(1, graph.W[i] * s), bh = Math.max(1, graph.H[i] * s);
      g.fillStyle = graph.isOpen(i) ? css('--inside') : graph.holds(i) ? css('--edge') : css('--line');
      g.fillRect(bx, by, bw, bh);
      if (graph.isOpen(i) && depth < 6) for (const k of graph.content(i)) walk(k.g, bx + k.x * s, by + k.y * s, depth + 1);
    }
  };
  let n = 0;
  for (const group of graph.groups) { if (group.parent >= 0) break; if (n++ < 50) walk(group, ox, oy + group.y * s, 0); }
  g.strokeStyle = css('--accent');
  g.lineWidth = 2;
  const x0 = Math.max(1, ox + view.x * s), y0 = Math.max(1, oy + view.y * s);
  g.strokeRect(x0, y0, Math.min(w - 1, ox + (view.x + pane.width / view.scale) * s) - x0, Math.min(h - 1, oy + (view.y + pane.height / view.scale) * s) - y0);
}
function listenMap() {
  const c = el('map'), go = e => {
    if (!e.buttons || !c.at) return;
    const p = active, { s, ox, oy } = c.at;
    p.target = null;
    p.view.x = (e.offsetX - ox) / s - p.width / 2 / p.view.scale;
    p.view.y = (e.offsetY - oy) / s - p.height / 2 / p.view.scale;
    p.ask();
  };
  c.onpointerdown = go;
  c.onpointermove = go;
}
// Shardings and signs, on the page.
function drawLegend() {
  const list = el('legend'), { graph } = active, sets = new Map();
  list.replaceChildren();
  for (let i = 0; i < graph.n; i++) {
    const s = graph.shardingOf(i);
    if (!s || !s.colour) continue;
    const axes = [...new Set(s.dims.flat().map(a => a[0]))].map(a => axesOf(graph)[a] || a).join(', ');
    sets.set(s.colour, [axes, (sets.get(s.colour) || ['', 0])[1] + 1]);
  }
  const row = (node, words) => { const div = make('div', list); div.append(node); make('span', div, words); };
  for (const [c, [axes, n]] of [...sets].sort((a, b) => b[1][1] - a[1][1]).slice(0, 8)) row(swatch(colourOf(c)), 'divided over ' + axes + ' (' + n + ')');
  row(swatch(colourOf(0)), sets.size ? 'whole on each device' : 'no sharding');
  if (graph.moves.size) row(swatch(css('--move')), '\u21c4 received in collectives');
}
