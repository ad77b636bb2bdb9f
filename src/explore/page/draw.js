// draw.js - a view on a canvas: moving, zooming, choosing. Two of them stand side by side when the page has two views.
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name);
const clip = (t, n) => t.length > n ? t.slice(0, n - 1) + '\u2026' : t;

class Pane {
  constructor(graph, index) {
    this.index = index;
    this.view = { x: 0, y: 0, scale: 1 };
    this.selected = -1;
    this.matches = [];
    this.match = -1;
    this.drawn = 0;
    this.asked = false;
    const div = document.createElement('div');
    div.className = 'pane';
    this.canvas = document.createElement('canvas');
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', 'Graph of the module; keys: arrows, +, -, 0, Enter, u, d, e, c, n, p, /, t, Tab');
    div.append(this.canvas);
    if (graph.d.label) { const s = document.createElement('span'); s.textContent = graph.d.label; div.append(s); }
    el('panes').append(div);
    this.ctx = this.canvas.getContext('2d');
    this.set(graph);
    this.listen();
  }
  set(graph) { this.graph = graph; this.marks = new Map(); }
  ask() { if (!this.asked) { this.asked = true; requestAnimationFrame(() => { this.asked = false; this.draw(); }); } }

  // ---- Drawing ----
  draw() {
    const { canvas, ctx, view, graph } = this, ratio = devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight, s = view.scale;
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
      canvas.width = Math.round(w * ratio);
      canvas.height = Math.round(h * ratio);
    }
    this.ink = { fg: css('--fg'), edge: css('--edge'), mark: css('--mark'), panel: css('--panel'), move: css('--move') };
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.fillStyle = css('--bg');
    ctx.fillRect(0, 0, w, h);
    ctx.setTransform(ratio * s, 0, 0, ratio * s, -view.x * s * ratio, -view.y * s * ratio);
    ctx.font = '11px system-ui, sans-serif';
    const seen = [];
    graph.within(view.x, view.y, view.x + w / s, view.y + h / s, i => seen.push(i));
    this.drawn = seen.length;
    for (const i of seen) if (graph.isOpen(i)) { ctx.fillStyle = this.ink.panel; ctx.fillRect(graph.X[i], graph.Y[i], graph.W[i], graph.H[i]); }
    if (s >= 0.04) this.edges(seen, s);
    const hits = new Set(this.matches);
    for (const i of seen) this.box(i, s, hits.has(i));
    if (this.selected >= 0) this.frame(graph.rep[this.selected], this.ink.mark, 3 / Math.min(s, 1), 2);
  }
  frame(i, colour, width, out) {
    const { ctx, graph: { X, Y, W, H } } = this;
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.strokeRect(X[i] - out, Y[i] - out, W[i] + 2 * out, H[i] + 2 * out);
  }
  box(i, s, hit) {
    const { ctx, graph, ink } = this, { X, Y, W, H } = graph, open = graph.isOpen(i), fill = graph.colour(i);
    ctx.fillStyle = fill;
    if (!open) ctx.fillRect(X[i], Y[i], W[i], H[i]);
    const diff = graph.diff(i), mark = this.marks.get(i);
    if (s > 0.15 || open || hit || diff || mark) {
      if (diff) ctx.setLineDash(diff === CHANGED ? [6, 3] : [2, 2]);
      this.frame(i, hit || mark || diff ? ink.mark : ink.edge, (hit || mark ? 3 : diff ? 2 : 1) / Math.min(s, 1), 0);
      ctx.setLineDash([]);
    }
    if (s < 0.35) return;
    ctx.fillStyle = open ? ink.fg : DARK.has(fill) ? '#ffffff' : '#1b1b1b';
    const sign = (mark || (diff ? (diff === CHANGED ? '\u2260' : '+') : '')) + (graph.inners[i] ? (open ? '\u25be' : '\u25b8') : '');
    ctx.fillText((sign ? sign + ' ' : '') + clip(graph.label(i), 28), X[i] + 6, Y[i] + 14);
    ctx.fillText(clip(graph.type(i), 30), X[i] + 6, Y[i] + 29);
    const moved = graph.moved.get(i);
    if (!moved) return;
    ctx.fillStyle = ink.move;
    const sum = moved.reduce((n, c) => n + Math.max(0, c.received_total), 0), kinds = [...new Set(moved.map(c => c.kind))];
    ctx.fillText('\u21c4 ' + (kinds.length === 1 ? kinds[0] : moved.length + ' collectives') + ' ' + bytes(sum), X[i] + 6, Y[i] - 5);
  }
  // Edges of what is seen. Long ones are faint until one of their ends is chosen; collectives are thick.
  edges(seen, s) {
    const { ctx, graph, ink } = this, { X, Y, W, H } = graph, chosen = this.selected < 0 ? -1 : graph.rep[this.selected];
    const kinds = { long: [], short: [], move: [], chosen: [] }, here = new Set(seen);
    const add = (f, t) => {
      const kind = f === chosen || t === chosen ? 'chosen' : Y[t] - Y[f] - H[f] > 800 ? 'long' : graph.moves.has(t) ? 'move' : 'short';
      kinds[kind].push(f, t);
    };
    for (const i of seen) {
      for (const f of part(graph.into, i)) add(f, i);
      for (const t of part(graph.outOf, i)) if (!here.has(t)) add(i, t);
    }
    for (const [kind, list] of Object.entries(kinds)) {
      ctx.strokeStyle = kind === 'chosen' ? ink.mark : kind === 'move' ? ink.move : ink.edge;
      ctx.globalAlpha = kind === 'long' ? 0.15 : 1;
      ctx.lineWidth = (kind === 'chosen' || kind === 'move' ? 2 : 0.8) / Math.min(s, 1);
      ctx.beginPath();
      for (let e = 0; e < list.length; e += 2) {
        const f = list[e], t = list[e + 1], ax = X[f] + W[f] / 2, ay = Y[f] + H[f], bx = X[t] + W[t] / 2, by = Y[t];
        ctx.moveTo(ax, ay);
        ctx.bezierCurveTo(ax, (ay + by) / 2, bx, (ay + by) / 2, bx, by);
      }
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
  }

  // ---- Moving ----
  fit() {
    const { graph, view, canvas } = this;
    view.scale = Math.min(1.5, canvas.clientWidth / (graph.width + 40), Math.max(canvas.clientHeight / (graph.height + 40), 0.05));
    view.scale = Math.max(view.scale, 0.01);
    view.x = graph.width / 2 - canvas.clientWidth / 2 / view.scale;
    view.y = -20;
    this.ask();
  }
  zoom(by, px, py) {
    const { view } = this, s = Math.min(4, Math.max(0.01, view.scale * by));
    view.x += px / view.scale - px / s;
    view.y += py / view.scale - py / s;
    view.scale = s;
    this.ask();
  }
  pan(x, y) { this.view.x += x / this.view.scale; this.view.y += y / this.view.scale; this.ask(); }
  center(i) {
    const { view, graph: { X, Y, W }, canvas } = this;
    view.scale = Math.max(view.scale, 0.7);
    view.x = X[i] + Math.min(W[i], BOX_W) / 2 - canvas.clientWidth / 2 / view.scale;
    view.y = Y[i] + BOX_H / 2 - canvas.clientHeight / 2 / view.scale;
    this.ask();
  }
  toggle(i) {
    if (i < 0 || !this.graph.inners[i]) return;
    this.graph.setOpen(i, !this.graph.isOpen(i));
    this.graph.place();
    this.ask();
  }
  hit(px, py) {
    const x = this.view.x + px / this.view.scale, y = this.view.y + py / this.view.scale;
    let found = -1;
    this.graph.within(x, y, x, y, i => { found = i; }); // what is inside comes later
    return found;
  }
  reveal(i) {
    this.graph.uncover(i);
    this.select(i);
    this.center(i);
  }
  select(i) {
    this.selected = i;
    use(this);
    show('Details');
    this.ask();
    for (const other of panes) if (other !== this) other.follow(this.graph, i);
  }
  // What was chosen in the view beside this one.
  follow(graph, i) {
    const key = i < 0 ? '' : graph.where(i), twin = key ? this.graph.find(key, graph.title(i)) : -1;
    this.selected = twin;
    if (twin >= 0) { this.graph.uncover(twin); this.center(twin); }
    this.ask();
  }
  search(words) {
    this.matches = this.graph.search(words);
    this.match = -1;
    this.ask();
  }
  step(by) {
    if (!this.matches.length) return;
    this.match = (this.match + by + this.matches.length) % this.matches.length;
    this.reveal(this.matches[this.match]);
  }

  listen() {
    const { canvas } = this;
    let drag = null;
    canvas.onpointerdown = e => { use(this); drag = { x: e.offsetX, y: e.offsetY, moved: false }; canvas.setPointerCapture(e.pointerId); };
    canvas.onpointermove = e => {
      if (!drag) return;
      const dx = e.offsetX - drag.x, dy = e.offsetY - drag.y;
      if (!drag.moved && Math.abs(dx) + Math.abs(dy) < 4) return;
      drag = { x: e.offsetX, y: e.offsetY, moved: true };
      this.pan(-dx, -dy);
    };
    canvas.onpointerup = e => { if (drag && !drag.moved) this.select(this.hit(e.offsetX, e.offsetY)); drag = null; };
    canvas.ondblclick = e => this.toggle(this.hit(e.offsetX, e.offsetY));
    canvas.onfocus = () => use(this);
    canvas.addEventListener('wheel', e => {
      e.preventDefault();
      if (e.ctrlKey || !e.shiftKey) this.zoom(Math.exp(-e.deltaY / 400), e.offsetX, e.offsetY);
      else this.pan(e.deltaY, 0);
    }, { passive: false });
  }
}
