// plans.js - other plans: what if, of a page that is served, and two views side by side.
const whatIf = { mesh: '', given: [], tried: [], at: 0, beside: 0, told: '', failed: '', ms: 0, busy: false };
const PARTS = [['products', 'product_seconds', 'matrix products'], ['kernels', 'kernel_seconds', 'other kernels'], ['exposed', 'exposed_seconds', 'exposed communication']];
const seconds = s => s < 0 ? '?' : duration(s * 1e6);
const FACTS = [['step time', 'step_seconds', seconds], ['matrix products', 'product_seconds', seconds], ['other kernels', 'kernel_seconds', seconds],
  ['exposed communication', 'exposed_seconds', seconds], ['hidden communication', 'hidden_seconds', seconds], ['peak memory', 'peak_bytes', bytes], ['received', 'received_bytes', bytes], ['collectives', 'collectives', String]];
// Old and new: bars on one scale, and figures with their difference.
function besides(p, plans) {
  const div = make('div', p, null, 'split beside'), longest = Math.max(...plans.map(x => x.figures.step_seconds)), largest = Math.max(...plans.map(x => x.figures.peak_bytes), 1);
  for (const { name, figures: f } of plans) {
    const card = make('div', div, null, 'card');
    make('h2', card, name);
    if (f.step_seconds > 0) {
      make('p', card, seconds(f.step_seconds) + ' a step', 'big');
      barOf(card, PARTS.map(([kind, key, title]) => [kind, f[key], title]), longest);
    }
    make('p', card, bytes(f.peak_bytes) + (f.memory_bytes > 0 ? ' of ' + bytes(f.memory_bytes) : '') + ' at the peak', f.memory_bytes > 0 && f.peak_bytes > f.memory_bytes ? 'bad' : '');
    barOf(card, Object.values(f.held_bytes).map((b, r) => [ROLE_CLASSES[r], b, Object.keys(f.held_bytes)[r]]), largest);
  }
  const t = tableOf(p, ['', ...plans.map(x => '#' + (x.short || x.name)), '#difference']), [a, b] = plans.map(x => x.figures);
  t.parentNode.classList.add('figures');
  for (const [name, key, put] of FACTS) {
    if (a[key] < 0 || b[key] < 0) continue;
    const change = make('span', null, a[key] === b[key] ? 'same' : (b[key] > a[key] ? '+' : '\u2212') + (a[key] > 0 ? Math.abs(100 * (b[key] - a[key]) / a[key]).toFixed(1) + ' %' : put(b[key])), b[key] === a[key] || key === 'hidden_seconds' ? 'soft' : b[key] < a[key] ? 'good' : 'bad');
    rowOf(t, [name, put(a[key]), put(b[key]), change]);
  }
}
// The range of an axis that has all of these in its middle, and round numbers in it.
function rangeOf(list) {
  const lo = Math.min(...list), hi = Math.max(...list), pad = (hi - lo) * 0.25 || hi * 0.1 || 1;
  return [Math.max(0, lo - pad), hi + pad];
}
function ticks(from, to, n) {
  const step = niceStep((to - from) / n), out = [];
  for (let v = Math.ceil(from / step) * step; v < to; v += step) out.push(v);
  return out;
}
// Plans as points: time across, memory up. A click compares with the one that is shown.
function pointsOf(p, plans, at, beside, choose) {
  const box = make('div', p, null, 'chartbox'), u = unit();
  make('h2', box, 'Plans tried: step time and memory');
  const c = chart(box, 240 * u, (g, w, h) => {
    const f = plans.map(x => x.figures), timed = f.every(x => x.step_seconds > 0), xs = f.map(x => timed ? x.step_seconds : x.received_bytes), ys = f.map(x => x.peak_bytes);
    const limit = f[0].memory_bytes, left = 64 * u, foot = 22 * u, head = 8 * u, [x0, x1] = rangeOf(xs), [y0, y1] = rangeOf(ys);
    const X = v => left + (v - x0) / (x1 - x0) * (w - left - 60 * u), Y = v => head + (h - foot - head) * (1 - (v - y0) / (y1 - y0));
    g.font = fontOf(11 * u);
    g.textBaseline = 'middle';
    for (const v of ticks(y0, y1, 4)) {
      g.fillStyle = css('--line');
      g.fillRect(left, Y(v), w - left, 1);
      g.fillStyle = css('--soft');
      g.fillText(bytes(v), 0, Y(v));
    }
    for (const v of ticks(x0, x1, Math.max(2, w / (160 * u)))) {
      g.fillStyle = css('--line');
      g.fillRect(X(v), 0, 1, h - foot);
      g.fillStyle = css('--soft');
      g.fillText(timed ? seconds(v) : bytes(v), X(v) + 4, h - foot / 2);
    }
    if (limit > y0 && limit < y1) { g.fillStyle = css('--mark'); g.fillRect(left, Y(limit), w - left, 2); }
    c.points = plans.map((x, k) => [X(xs[k]), Y(ys[k])]);
    const taken = c.points.map(([x, y]) => [x - 8 * u, y - 7 * u, 16 * u, 14 * u]), hits = (a, b) => a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3];
    c.points.forEach(([x, y], k) => {
      g.beginPath();
      g.arc(x, y, (k === at || k === beside ? 7 : 5) * u, 0, 7);
      g.fillStyle = k === at ? css('--accent') : k === beside ? css('--exposed') : css('--edge');
      g.fill();
      // The name is beside the point, where it covers no other.
      const t = fitText(g, k + ' ' + plans[k].name, w - 2 * left), wide = g.measureText(t).width, tx = x + 12 * u + wide < w ? x + 12 * u : x - 12 * u - wide;
      const place = [0, -14, 14, -28, 28, -42, 42].map(dy => [tx, y + dy * u - 7 * u, wide, 14 * u]).find(r => r[1] >= 0 && r[1] + r[3] < h - foot && !taken.some(o => hits(o, r)));
      if (!place) return;
      taken.push(place);
      g.fillStyle = css('--fg');
      g.fillText(t, place[0], place[1] + 7 * u);
    });
  });
  c.id = 'plans';
  c.setAttribute('aria-label', 'Plans; arrows choose the one to compare with');
  c.onclick = e => { let best = -1, least = 20 * u; c.points.forEach(([x, y], k) => { const d = Math.hypot(x - e.offsetX, y - e.offsetY); if (d < least) { least = d; best = k; } }); if (best >= 0) choose(best); };
  c.onkeydown = e => { const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key]; if (by) { e.preventDefault(); e.stopPropagation(); choose((beside + by + plans.length) % plans.length); } };
  charts.push(c);
  c.redraw();
}
starts.push(() => {
  if (!DATA.served) return;
  Object.assign(whatIf, DATA.given || {});
  whatIf.given = (DATA.given && DATA.given.given || []).map(g => [...g]);
  whatIf.lastMesh = whatIf.mesh;
  tabs['What if'] = p => {
    startTried();
    const { graph } = active, form = make('form', p, null, 'row'), label = (words, tag) => make(tag, make('label', form, words));
    const mesh = label('Mesh', 'input');
    mesh.id = 'mesh';
    mesh.value = whatIf.mesh;
    mesh.placeholder = graph.plan && graph.plan.meshes[0] ? graph.plan.meshes[0].axes.map(a => a[0] + '=' + a[1]).join(',') : 'x=2,y=4';
    const which = label('Argument', 'select');
    which.id = 'which';
    (graph.plan ? graph.plan.arguments : []).forEach((a, k) => { const o = make('option', which, clip(a.name, 48)); o.value = k; });
    const dims = make('span', form, null, 'dims');
    let selects = [];
    const choices = () => {
      dims.replaceChildren();
      const a = graph.plan && graph.plan.arguments[which.value], i = a ? argNode(graph, a.name) : -1;
      selects = i >= 0 ? dimSelects(dims, i) : [];
    };
    which.onchange = choices;
    choices();
    const go = make('button', form, 'Try', 'main');
    form.onsubmit = e => {
      e.preventDefault();
      whatIf.mesh = mesh.value.trim();
      const value = selects.map(b => b.value).join(','), same = selects.every(b => b.value === b.was);
      if (selects.length && !same) give(['argument', Number(which.value)], value); else tryPlan();
    };
    go.disabled = whatIf.busy;
    const say = make('p', p, whatIf.failed || whatIf.told, whatIf.failed ? 'error' : 'soft');
    say.setAttribute('role', 'status');
    say.id = 'told';
    if (whatIf.failed) make('p', p, 'The plan that is shown is still the last one that could be made.', 'soft');
    if (whatIf.tried.length) {
      const old = whatIf.tried[whatIf.beside], now = whatIf.tried[whatIf.at];
      besides(p, [{ ...old, name: whatIf.beside + ' ' + old.name, short: 'old' }, { ...now, name: whatIf.at + ' ' + now.name, short: 'new' }]);
      pointsOf(p, whatIf.tried, whatIf.at, whatIf.beside, k => { whatIf.beside = k; show('What if'); });
    }
    if (whatIf.given.length) {
      make('h2', p, 'Given');
      const t = tableOf(p, ['value', 'sharding', '']);
      whatIf.given.forEach((g, k) => rowOf(t, [code(whatOf(graph, g)), code(g[2]), button(null, 'Take away', () => { whatIf.given.splice(k, 1); tryPlan(); })]));
    }
    const apply = button(p, 'Apply: PartitionSpecs and diff', () => { applied(p); apply.disabled = true; });
    apply.id = 'apply';
  };
  more.push((p, i) => {
    const what = nameOf(i), { graph } = active;
    if (!what || rankOf(graph.type(i)) < 0) return;
    make('h3', p, 'What if');
    const form = make('form', p, null, 'row'), selects = dimSelects(form, i);
    make('button', form, 'Try', 'main');
    form.onsubmit = e => { e.preventDefault(); give(what, selects.map(b => b.value).join(',')); };
    const why = button(p, 'Why is it so?', () => tellWhy(what[0] === 'result' ? '#' + what[1] : graph.d.names[i], p));
    why.className = 'why';
  });
});
function dimSelects(parent, i) {
  const { graph } = active, s = graph.shardingOf(i), axes = axesOf(graph), rank = Math.max(0, rankOf(graph.type(i)));
  const all = ['_', '?', ...axes, ...axes.flatMap(a => axes.filter(b => b !== a).map(b => a + '+' + b))];
  return Array.from({ length: rank }, (_, d) => {
    const box = make('select', parent), now = s && s.dims[d] ? s.dims[d].map(a => axes[a[0]]).join('+') || '_' : '_';
    box.setAttribute('aria-label', 'dimension ' + d);
    all.forEach(c => { const o = make('option', box, c === '_' ? 'whole' : c === '?' ? 'open' : c); o.value = c; });
    box.value = box.was = all.includes(now) ? now : '_';
    return box;
  });
}
const rankOf = type => { const m = /^tensor<((?:[\d?]+x)*)/.exec(type); return m ? m[1].split('x').length - 1 : -1; };
const whatOf = (graph, g) => g[0] === 'argument' && graph.plan && graph.plan.arguments[g[1]] ? graph.plan.arguments[g[1]].name : g[0] + ' ' + g[1];
// How a question names a node: arguments of the entry by number, other values by name.
function nameOf(i) {
  const { graph } = active, m = /^%arg(\d+)$/.exec(graph.d.names[i]);
  let p = graph.parent(i);
  while (p >= 0 && graph.d.box[p]) p = graph.parent(p);
  if (m && p >= 0 && graph.parent(p) < 0 && graph.title(i) === graph.d.names[i]) return ['argument', Number(m[1])];
  return graph.d.names[i] && graph.title(i) !== graph.d.names[i] ? ['value', graph.d.names[i]] : null;
}
function give([kind, which], text) {
  const old = whatIf.given.find(g => g[0] === kind && g[1] === which), before = whatIf.given.map(g => [...g]);
  if (old) old[2] = text; else whatIf.given.push([kind, which, text]);
  return tryPlan(before);
}
async function question(body) {
  const answer = await fetch('/plan', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error || 'the server says ' + answer.status);
  return said;
}
// '[{"x"}, {}, {"y", "z"}]' is P("x", None, ("y", "z")).
function specOf(text) {
  const m = /^\[(.*)\]/.exec(text || ''), dims = m ? [...m[1].matchAll(/\{([^}]*)\}/g)].map(d => d[1].replace(/, \?|\?/g, x => x === '?' || x === ', ?' ? '' : x)) : [];
  while (dims.length && !dims[dims.length - 1]) dims.pop();
  return 'P(' + dims.map(d => !d ? 'None' : d.includes(',') ? '(' + d + ')' : d).join(', ') + ')';
}
const specsOf = graph => graph.plan ? graph.plan.arguments.map(a => [a.name, specOf(a.sharding)]) : [];
function startTried() { if (!whatIf.tried.length && active.graph.figures) whatIf.tried.push({ name: 'as given', figures: active.graph.figures, specs: specsOf(active.graph), mesh: axesOf(active.graph) }); }
// Asks for the plan, and puts it in the place of the one that is shown; an error leaves that as it is.
async function tryPlan(before) {
  const start = performance.now(), pane = active;
  startTried();
  whatIf.failed = '';
  whatIf.busy = true;
  try {
    const said = await question({ mesh: whatIf.mesh, given: whatIf.given });
    if (said.same) { pane.graph.take(said); pane.graph.relayout(); pane.ask(); } else { pane.set(new Graph(said)); pane.selected = -1; }
    if (said.look) { el('summary').innerHTML = said.look; linkLook(); } // the server's own, in which names are escaped
    whatIf.ms = performance.now() - start;
    whatIf.told = 'Planned in ' + whatIf.ms.toFixed(1) + ' ms, there and back.';
    const last = whatIf.given[whatIf.given.length - 1];
    whatIf.tried.push({ name: whatIf.mesh !== whatIf.lastMesh && whatIf.mesh ? whatIf.mesh : last ? clip(whatOf(pane.graph, last), 24) + ' = ' + last[2] : 'as it was', figures: pane.graph.figures, specs: specsOf(pane.graph), mesh: axesOf(pane.graph) });
    whatIf.lastMesh = whatIf.mesh;
    if (whatIf.tried.length > 24) whatIf.tried.splice(1, 1);
    whatIf.beside = whatIf.at < whatIf.tried.length - 1 ? whatIf.at : 0;
    whatIf.at = whatIf.tried.length - 1;
  } catch (e) {
    whatIf.failed = e.message;
    if (before) whatIf.given = before;
  }
  whatIf.busy = false;
  show('What if');
  drawLegend();
  return !whatIf.failed;
}
// What to write in JAX, and how it differs from what was given at first.
function applied(p) {
  const old = new Map(whatIf.tried[0].specs), now = whatIf.tried[whatIf.at], box = make('div', p, null, 'chartbox');
  make('h2', box, 'PartitionSpecs of the arguments');
  const text = 'in_shardings = {\n' + now.specs.map(([name, s]) => '    ' + JSON.stringify(name) + ': ' + s + ',').join('\n') + '\n}';
  make('pre', box, text).id = 'specs';
  button(box, 'Copy', () => navigator.clipboard && navigator.clipboard.writeText(text));
  make('h3', box, 'Against the first plan');
  const diff = make('pre', box, null, 'diff');
  diff.id = 'diff';
  let n = 0;
  for (const [name, s] of now.specs) {
    if (old.get(name) === s) continue;
    n++;
    make('span', diff, '- ' + name + ': ' + (old.get(name) || 'nothing') + '\n', 'minus');
    make('span', diff, '+ ' + name + ': ' + s + '\n', 'plus');
  }
  if (!n) diff.textContent = 'The arguments are sharded as in the first plan.';
  constraints(box);
}
// Shardings of values inside the program: where they are made, and what to write behind that line. Lines of the page's own
// file are shown, others are those of the user's program.
function constraints(box) {
  const { graph } = active, inside = whatIf.given.filter(g => g[0] === 'value'), byFile = new Map();
  for (const [, name, text] of inside) {
    const i = graph.d.names.indexOf(name), m = i < 0 ? null : /^(.*):(\d+):(\d+)$/.exec(graph.place(i));
    if (!m) continue;
    byFile.set(m[1], [...(byFile.get(m[1]) || []), { line: Number(m[2]), name, i, text }]);
  }
  if (!byFile.size) return;
  make('h3', box, 'In the source');
  const pre = make('pre', box, null, 'diff'), says = (words, kind) => make('span', pre, words + '\n', kind);
  pre.id = 'source';
  for (const [file, list] of byFile) {
    says('--- ' + file, 'minus');
    says('+++ ' + file, 'plus');
    let added = 0;
    for (const { line, name, i, text } of list.sort((a, b) => a.line - b.line)) {
      const source = graph.source(i), old = source ? 1 : 0;
      says('@@ -' + line + ',' + old + ' +' + (line + added + 1 - old) + ',' + (old + 1) + ' @@ ' + scopesOf(graph.stack(i)));
      if (source) says(' ' + source);
      says('+' + (/\.mlir$/.test(file) ? constraintOp(graph, i, name, text) : pythonName(i) + ' = jax.lax.with_sharding_constraint(' + pythonName(i) + ', ' + specText(text) + ')'), 'plus');
      added++;
    }
  }
}
// 'x,_,y+z' is P("x", None, ("y", "z")).
function specText(text) {
  const dims = text.split(',').map(d => d === '_' || d === '?' ? 'None' : d.includes('+') ? '(' + d.split('+').map(a => JSON.stringify(a)).join(', ') + ')' : JSON.stringify(d));
  while (dims.length && dims[dims.length - 1] === 'None') dims.pop();
  return 'P(' + dims.join(', ') + ')';
}
const pythonName = i => active.graph.label(i).replace(/\W.*/, '') || 'x';
function constraintOp(graph, i, name, text) {
  const mesh = graph.plan && graph.plan.meshes[0] ? graph.plan.meshes[0].name : 'mesh';
  const dims = text.split(',').map(d => d === '_' ? '{}' : d === '?' ? '{?}' : '{' + d.split('+').map(a => JSON.stringify(a)).join(', ') + '}');
  return '%sharded = sdy.sharding_constraint ' + name + ' <@' + mesh + ', [' + dims.join(', ') + ']> : ' + graph.type(i);
}
async function tellWhy(value, p) {
  try {
    make('pre', p, (await question({ mesh: whatIf.mesh, given: whatIf.given, why: value })).why);
  } catch (e) {
    make('p', p, e.message, 'error');
  }
}
// The collectives that move the most, and for what.
function costliest(p, graph) {
  make('h2', p, graph.d.label + ': costliest collectives');
  const t = tableOf(p, ['#received', 'what']);
  t.parentNode.classList.add('figures');
  [...graph.plan.collectives].sort((a, b) => b.received_total - a.received_total).slice(0, 5).forEach(c => rowOf(t, [bytes(c.received_total), withPlace(movedBy(c), 'for ' + c.cause.replace(/ at .*\//, ' at '))]));
}
starts.push(() => {
  if (DATA.views.length < 2) return;
  tabs.Compare = p => {
    const known = panes.filter(x => x.graph.figures);
    if (known.length > 1) besides(p, known.map(x => ({ name: x.graph.d.label, figures: x.graph.figures })));
    const both = make('div', p, null, 'split');
    for (const x of panes) {
      const list = [], div = make('div', both);
      for (let i = 0; i < x.graph.n; i++) if (x.graph.diff(i) && !x.graph.holds(i)) list.push(i);
      if (x.graph.plan && x.graph.plan.collectives.length) costliest(div, x.graph);
      make('h2', div, x.graph.d.label + ': ' + list.length + ' differ');
      const t = tableOf(div, ['', 'value', 'op', 'sharding']);
      list.slice(0, 300).forEach(i => rowOf(t, [x.graph.diff(i) === CHANGED ? '\u2260' : '+', code(x.graph.d.names[i]), x.graph.label(i),
        code(x.graph.shardingOf(i) ? x.graph.shardingOf(i).text : '')], () => { show('Graph'); use(x); x.reveal(i); }));
    }
  };
});
