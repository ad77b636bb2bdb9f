// whatif.js - of a page that is served: other meshes and shardings, and the plan under them.
const whatIf = { mesh: '', given: [], original: null, told: '', failed: '', ms: 0 };
if (DATA.served) {
  Object.assign(whatIf, DATA.given || {});
  whatIf.given = (DATA.given && DATA.given.given || []).map(g => [...g]);
  tabs['What if'] = p => {
    const form = make('form', p), mesh = make('input', make('label', form, 'Mesh '));
    mesh.id = 'mesh';
    mesh.value = whatIf.mesh;
    mesh.placeholder = "the module's own, or x=2,y=4";
    make('button', form, 'Plan');
    form.onsubmit = e => { e.preventDefault(); whatIf.mesh = mesh.value.trim(); tryPlan(); };
    if (whatIf.failed) make('p', p, whatIf.failed, 'error');
    if (whatIf.told) make('p', p, whatIf.told).id = 'told';
    if (whatIf.original) factsTable(p, ['before', 'now'], [whatIf.original, active.graph.plan]);
    make('h4', p, 'Given');
    const t = make('table', p);
    whatIf.given.forEach((g, k) => goRow(t, [[g[0] + ' ' + g[1]], [g[2]], ['\u2715 take away']], () => { whatIf.given.splice(k, 1); tryPlan(); }));
    make('p', p, 'Choose a value to give it a sharding.');
  };
  more.push((p, i) => {
    const what = nameOf(i), { graph } = active, rank = rankOf(graph.type(i));
    if (!what || rank < 0) return;
    make('h4', p, 'What if');
    const form = make('form', p), s = graph.shardingOf(i), axes = axesOf(graph);
    const choices = ['_', '?', ...axes, ...axes.flatMap(a => axes.filter(b => b !== a).map(b => a + '+' + b))];
    const selects = Array.from({ length: rank }, (_, d) => {
      const box = make('select', form), now = s && s.dims[d] ? s.dims[d].map(a => axes[a[0]]).join('+') || '_' : '_';
      box.setAttribute('aria-label', 'dimension ' + d);
      choices.forEach(c => { const o = make('option', box, c); o.value = c; });
      box.value = choices.includes(now) ? now : '_';
      return box;
    });
    make('button', form, 'Try');
    form.onsubmit = e => { e.preventDefault(); give(what, selects.map(b => b.value).join(',')); };
    const why = make('button', p, 'Why is it so?');
    why.onclick = () => tellWhy(what[0] === 'result' ? '#' + what[1] : graph.d.names[i], p);
  });
}
const axesOf = graph => graph.plan && graph.plan.meshes[0] ? graph.plan.meshes[0].axes.map(a => a[0]) : [];
const rankOf = type => { const m = /^tensor<((?:[\d?]+x)*)/.exec(type); return m ? m[1].split('x').length - 1 : -1; };
// How a question names a node: arguments of the entry by number, other values by name.
function nameOf(i) {
  const { graph } = active, m = /^%arg(\d+)$/.exec(graph.d.names[i]), p = graph.parent(i);
  if (m && p >= 0 && graph.parent(p) < 0 && graph.title(i) === graph.d.names[i]) return ['argument', Number(m[1])];
  return graph.d.names[i] && graph.title(i) !== graph.d.names[i] ? ['value', graph.d.names[i]] : null;
}
function give([kind, which], text) {
  const old = whatIf.given.find(g => g[0] === kind && g[1] === which);
  if (old) old[2] = text; else whatIf.given.push([kind, which, text]);
  return tryPlan();
}
async function question(body) {
  const answer = await fetch('/plan', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error || 'the server says ' + answer.status);
  return said;
}
// Asks for the plan, and puts it in the place of the one that is shown.
async function tryPlan() {
  const start = performance.now(), pane = active;
  whatIf.failed = '';
  try {
    const said = await question({ mesh: whatIf.mesh, given: whatIf.given });
    whatIf.original = whatIf.original || pane.graph.plan;
    if (said.same) { pane.graph.take(said); pane.graph.join(); } else { pane.set(new Graph(said)); pane.selected = -1; pane.fit(); }
    whatIf.ms = performance.now() - start;
    whatIf.told = 'Planned in ' + whatIf.ms.toFixed(1) + ' ms, there and back.';
  } catch (e) {
    whatIf.failed = e.message;
  }
  show('What if');
  pane.ask();
  return !whatIf.failed;
}
async function tellWhy(value, p) {
  try {
    make('pre', p, (await question({ mesh: whatIf.mesh, given: whatIf.given, why: value })).why);
  } catch (e) {
    make('p', p, e.message, 'error');
  }
}
