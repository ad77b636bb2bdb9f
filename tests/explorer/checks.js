// checks.js - what a real browser makes of a page: browser.sh puts it at the page's end, and reads the element 'verdict' of the document.
// CASE, which browser.sh sets, says which module the page is of.
'use strict';
(async () => {
  const said = [];
  let passed = 0;
  const is = (what, got, want) => {
    if (JSON.stringify(got) === JSON.stringify(want)) passed++;
    else said.push(what + ': ' + JSON.stringify(got) + ', not ' + JSON.stringify(want));
  };
  const t = window.tessera, d = t.graph.d, state = () => { t.draw(); return t.state(); };
  const key = k => document.dispatchEvent(new KeyboardEvent('keydown', { key: k, bubbles: true, cancelable: true }));
  // Every box lies inside the one that holds it, and none of a row on another.
  const laid = () => t.groups.every((g, k) => {
    for (let i = g.first; i < g.first + g.n; i++) {
      const [x, y, w, h] = t.box(i);
      if (!w) continue;
      if (g.parent >= 0) {
        const [px, py, pw, ph] = t.box(g.parent);
        if (x < px || y < py || x + w > px + pw || y + h > py + ph) return false;
      }
      for (let e = 0, j = i + 1; j < g.first + g.n && e < 50; j++, e++) {
        const [x2, y2, w2, h2] = t.box(j);
        if (w2 && x < x2 + w2 && x2 < x + w && y < y2 + h2 && y2 < y + h) return false;
      }
    }
    return true;
  });
  const cases = {
    mlp() {
      is('nodes', state().nodes, 9);
      is('visible', state().visible, 9);
      is('drawn', state().drawn, 9);
      is('boxes', laid(), true);
      t.search('DOT_general');
      is('search by op', state().matches, 2);
      t.search('%arg1');
      is('search by value', state().matches, 1);
      t.search('mlp.mlir:5:8');
      is('search by file and location', state().matches, 1);
      t.search(':5:8');
      is('search by location', state().matches, 1);
      key('n');
      is('next match is chosen', state().selected, d.names.indexOf('%2'));
      is('details have the source line', /source *%2 = stablehlo.dot_general %1, %v,/.test(state().panel), true);
      is('details have the location', state().panel.includes('tests/tools/Inputs/mlp.mlir:5:8'), true);
      is('details have the sharding', state().panel.includes('[{"x"}, {}]'), true);
      is('its cut', [...document.querySelectorAll('.cut td')].map(c => c.textContent), ['0 1 2 3', '4 5 6 7']);
      key('u');
      is('up to what it uses', state().selected, d.names.indexOf('%1'));
      key('d');
      is('down to its user', state().selected, d.names.indexOf('%2'));
      key('Escape');
      is('nothing is chosen', [state().selected, state().matches], [-1, 0]);
      t.toggle(1);
      is('a closed function', state().visible, 2);
      t.reveal(d.names.indexOf('%0'));
      is('opens for what is inside', state().visible, 9);
      const [x, y] = t.box(5), v = t.view;
      is('a click finds its box', t.hit((x + 5 - v.x) * v.scale, (y + 5 - v.y) * v.scale), 5);
      t.show('Collectives');
      is('collectives', document.querySelectorAll('#panel tr').length, 1);
      is('their reason', /288 B.*all_reduce over y.*for stablehlo.dot_general at mlp.mlir:5:8/.test(state().panel), true);
      document.querySelector('#panel tr').click();
      is('a collective leads to its op', state().selected, d.names.indexOf('%2'));
      is('why it is there', /Because %1 is \[{"x"}, {"y"}\].*%arg0 had "x" from the start/s.test(state().panel), true);
      t.show('Memory');
      is('the most memory', /Peak memory: 1.54 KB/.test(state().panel), true);
      is('what is held then', document.querySelectorAll('#panel tr').length, d.memory.alive.length);
      t.show('Shardings');
      is('shardings', /\[{"x"}, {"y"}\]/.test(state().panel), true);
      const scale = t.view.scale;
      key('+');
      is('larger', t.view.scale > scale, true);
      const left = t.view.x;
      key('ArrowRight');
      is('to the right', t.view.x > left, true);
      t.theme('light');
      key('t');
      is('dark', state().theme, 'dark');
    },
    hostile() {
      is('nothing was run', [typeof window.ran, document.querySelectorAll('img, script').length], ['undefined', 3]);
      is('the name is text', d.texts.includes('func.func @<\/script><script>window.ran=1<\/script>'), true);
      for (let i = 0; i < state().nodes; i++) t.select(i);
      t.select(2);
      is('and is shown as text', state().panel.includes('<img src=x onerror=ran()>'), true);
      is('directions are written out', [state().panel.includes('\\u202E'), state().panel.includes('\u202e')], [true, false]);
      for (const tab of ['Shardings', 'Collectives', 'Memory']) t.show(tab);
      is('nor later', [typeof window.ran, document.querySelectorAll('#panel img, #panel script').length], ['undefined', 0]);
    },
    large() {
      is('nodes', state().nodes > 30000, true);
      t.reveal(100);
      is('what is not seen is not drawn', state().drawn > 10 && state().drawn < 1000, true);
      t.search('%29000');
      t.step(1);
      is('the last ones are found', d.names[state().selected], '%29000');
      is('and drawn', state().drawn > 0, true);
    },
    nested() {
      const before = state().visible;
      is('boxes', laid(), true);
      key('e');
      is('all open', [state().visible > before, state().visible === state().nodes, laid()], [true, true, true]);
      key('c');
      is('as before', state().visible, before);
    },
    layers() {
      is('closed layers', [state().nodes, state().visible, t.graph.d.layer_count], [38, 8, 3]);
      const first = t.graph.d.title.findIndex(k => t.graph.d.texts[k] === 'layer 1 of 3, 10 ops');
      t.select(first);
      key('Enter');
      is('one is open', [state().visible, laid()], [18, true]);
      t.search('sine');
      is('search finds what is inside', state().matches, 6);
      key('n');
      key('n');
      key('n');
      is('and opens it', [state().visible, t.graph.title(state().selected)], [28, 'stablehlo.sine']);
      key('u');
      is('edges lead from layer to layer', t.graph.title(state().selected), 'stablehlo.ceil');
      key('c');
      is('all closed again', state().visible, 8);
    },
    passes() {
      is('two views', t.panes.map(p => p.graph.d.label), ['before', 'after']);
      is('what differs', /before: 1 differ.*stablehlo.constant.*after: 0 differ/.test(state().panel), true);
      document.querySelector('#panel tr.go').click();
      is('leads to it', t.panes[0].graph.title(t.panes[0].selected), 'stablehlo.constant');
      is('which is not beside it', [t.panes[1].selected, /is not there/.test(state().panel)], [-1, true]);
      t.select(5);
      is('a choice is made in both', t.panes[1].graph.title(t.panes[1].selected), t.panes[0].graph.title(5));
    },
    plans() {
      is('plans side by side', /first plansecond planreceived/.test(state().panel), true);
      t.use(0);
      is('the first', t.graph.shardingOf(2).text, '[{"x"}, {}]');
      t.use(1);
      is('the second', t.graph.shardingOf(2).text, '[{"y"}, {}]');
      is('what differs', [0, 1].map(i => t.panes[i].graph.diff(2)), [1, 1]);
      for (const p of t.panes) { p.draw(); is('drawn', p.drawn, 9); }
    },
    reports() {
      t.show('Time');
      is('time', /2 events on 2 tracks.*5.50 .s.*dot_general/.test(state().panel), true);
      document.querySelector('#panel tr.go').click();
      is('an event leads to its op', d.names[state().selected], '%0');
      is('which tells its time', /Took 5.50/.test(state().panel), false); // the trace is of another file
      t.show('Goldens');
      is('goldens', /2 values, 1 off. The first: stablehlo.tanh at mlp.mlir:4:8/.test(state().panel), true);
      is('the first bad op comes first', /FAIL, the first/.test(document.querySelector('#panel tr.bad').textContent), true);
      document.querySelector('#panel tr.bad').click();
      is('and leads to the op', d.names[state().selected], '%1');
      is('which is marked', [...t.panes[0].marks], [[d.names.indexOf('%1'), '\u2717 first:']]);
      is('and tells its errors', /alone 0.500, 0.2500000; whole \?, n\/a; FAIL/.test(state().panel), true);
    },
    simulated() {
      const steps = t.panes.map(p => p.graph.plan.step), ms = s => s.step_seconds > 0 && s.computing_seconds > 0;
      is('two plans were simulated', steps.map(s => [s.device, s.devices, ms(s)]), [['h100', 8, true], ['h100', 8, true]]);
      t.show('Compare');
      is('steps side by side', /step time/.test(state().panel), true);
      t.use(1);
      t.show('Time');
      is('a step', /A step on 8 . h100, simulated: /.test(state().panel), true);
      is('its events', new RegExp(t.graph.trace.events.length + ' events on ').test(state().panel), true);
      is('are of computing and of links', t.graph.trace.tracks.length > 1, true);
      const events = t.graph.trace.events;
      t.use(0);
      t.show('Time');
      is('each view has its own', t.graph.trace.events === events, false);
      document.querySelector('#panel tr.go').click();
      is('an event leads to its op', state().selected >= 0 && /Takes /.test(state().panel), true);
    },
    async served() {
      is('before', t.graph.shardingOf(2).text, '[{"x"}, {}]');
      is('given', t.whatIf.given, [['argument', 0, 'x']]);
      is('an answer', await t.give(['argument', 0], '_,y'), true);
      is('now', t.graph.shardingOf(2).text, '[{}, {"y"}]');
      is('it tells how long it took', /Planned in [\d.]+ ms/.test(state().panel), true);
      is('and what changed', /beforenowreceived0 B/.test(state().panel), true);
      is('also how long a step takes', /step time[\d.]/.test(state().panel), true);
      t.show('Time');
      is('with the trace of the new plan', t.graph.trace.events.length > 0 && /A step on 8 /.test(state().panel), true);
      is('a value inside', await t.give(['value', '%0'], 'x,y'), true);
      is('is sharded', t.graph.shardingOf(d.names.indexOf('%0')).text, '[{"x"}, {"y"}]');
      is('nonsense', await t.give(['argument', 0], 'nothing'), false);
      is('is told', /nothing/.test(document.querySelector('.error').textContent), true);
      t.select(2);
      is('shardings can be chosen', document.querySelectorAll('#panel select').length, 2);
      is('drawn', state().drawn, 9);
    },
  };
  try { await cases[CASE](); } catch (e) { said.push(String(e)); }
  const out = document.createElement('pre');
  out.id = 'verdict';
  out.textContent = passed + ' right, ' + said.length + ' wrong. ' + said.join('; ') + ' END';
  document.body.append(out);
})();
