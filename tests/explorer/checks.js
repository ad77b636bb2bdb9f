// checks.js - what a real browser makes of a page, by mouse, by touch and by keyboard: drive.c runs it there, and does for it what a page cannot.
// CASE says which module the page is of, ENGINE which browser it is.
'use strict';
(async () => {
  const said = [];
  let passed = 0;
  const is = (what, got, want) => {
    if (JSON.stringify(got) === JSON.stringify(want)) passed++;
    else said.push(what + ': ' + JSON.stringify(got) + ', not ' + JSON.stringify(want));
  };
  const ok = (what, got) => is(what, !!got, true);
  // ---- Input, as the browser gets it from a mouse, a finger and a keyboard ----
  let pending = null, wake = null;
  const drive = window.drive = { // what drive.c asks
    next: () => new Promise(go => {
      if (pending && pending.asked) { const done = pending.done; pending = null; done(); }
      wake = go;
      hand();
    }),
  };
  const hand = () => { if (wake && pending && !pending.asked) { pending.asked = true; const go = wake; wake = null; go(pending.words); } };
  const act = words => new Promise(done => { pending = { words, done, asked: false }; hand(); });
  const commands = list => act(list.map(([method, params]) => method + '\n' + JSON.stringify(params)).join('\n'));
  const actions = (...sources) => commands([['WebDriver:PerformActions', { actions: sources }], ['WebDriver:ReleaseActions', {}]]);
  const FOX = ENGINE === 'firefox';
  // A mouse or a finger that goes from place to place: [x, y, what], what of 'down', 'up' or nothing.
  const pointer = (steps, kind = 'mouse') => {
    const at = steps.map(([x, y, what]) => [Math.round(x), Math.round(y), what]);
    if (FOX) return actions({ type: 'pointer', id: kind, parameters: { pointerType: kind }, actions: at.flatMap(([x, y, what]) => [{ type: 'pointerMove', duration: 0, x, y }, ...what ? [{ type: what === 'down' ? 'pointerDown' : 'pointerUp', button: 0 }] : []]) });
    if (kind === 'touch') return commands(at.map(([x, y, what]) => ['Input.dispatchTouchEvent', { type: what === 'down' ? 'touchStart' : what === 'up' ? 'touchEnd' : 'touchMove', touchPoints: what === 'up' ? [] : [{ x, y }] }]));
    let held = 0, clicks = 0, was = '';
    return commands(at.map(([x, y, what]) => {
      if (what === 'down') { clicks = was === x + ' ' + y ? clicks + 1 : 1; was = x + ' ' + y; held = 1; }
      const type = what === 'down' ? 'mousePressed' : what === 'up' ? 'mouseReleased' : 'mouseMoved', event = { type, x, y, button: what || held ? 'left' : 'none', buttons: what === 'up' ? 0 : held, clickCount: what ? clicks : 0 };
      if (what === 'up') held = 0;
      return ['Input.dispatchMouseEvent', event];
    }));
  };
  const press = (e, x, y, kind) => { const r = e.getBoundingClientRect(), at = [r.left + x, r.top + y]; return pointer(kind === 'touch' ? [[...at, 'down'], [...at, 'up']] : [at, [...at, 'down'], [...at, 'up']], kind); };
  const pressTwice = (e, x, y) => { const r = e.getBoundingClientRect(), at = [r.left + x, r.top + y]; return pointer([at, [...at, 'down'], [...at, 'up'], [...at, 'down'], [...at, 'up']]); };
  const tap = e => { e.scrollIntoView({ block: 'center' }); const r = e.getBoundingClientRect(); return press(e, Math.min(r.width / 2, 24), r.height / 2); };
  const drag = (e, from, to) => { const r = e.getBoundingClientRect(), [x, y] = [r.left, r.top]; return pointer([[x + from[0], y + from[1]], [x + from[0], y + from[1], 'down'], [x + (from[0] + to[0]) / 2, y + (from[1] + to[1]) / 2], [x + to[0], y + to[1]], [x + to[0], y + to[1], 'up']]); };
  const wheel = (e, x, y, deltaY) => {
    const r = e.getBoundingClientRect(), at = { x: Math.round(r.left + x), y: Math.round(r.top + y), deltaX: 0, deltaY };
    return FOX ? actions({ type: 'wheel', id: 'wheel', actions: [{ type: 'scroll', duration: 0, ...at }] }) : commands([['Input.dispatchMouseEvent', { type: 'mouseWheel', button: 'none', ...at }]]);
  };
  const pinch = (e, a, b, to) => { // two fingers, of which the second moves
    const r = e.getBoundingClientRect(), p = ([x, y]) => ({ x: Math.round(r.left + x), y: Math.round(r.top + y) });
    if (!FOX) return commands([['Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ ...p(a), id: 1 }, { ...p(b), id: 2 }] }], ['Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ ...p(a), id: 1 }, { ...p(to), id: 2 }] }], ['Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }]]);
    const finger = (id, from, then) => ({ type: 'pointer', id, parameters: { pointerType: 'touch' }, actions: [{ type: 'pointerMove', duration: 0, ...p(from) }, { type: 'pointerDown', button: 0 }, { type: 'pointerMove', duration: 50, ...p(then) }, { type: 'pointerUp', button: 0 }] });
    return actions(finger('one', a, a), finger('two', b, to));
  };
  const NAMED = { Enter: [13, '\uE007', '\r'], Escape: [27, '\uE00C'], ArrowLeft: [37, '\uE012'], ArrowUp: [38, '\uE013'], ArrowRight: [39, '\uE014'], ArrowDown: [40, '\uE015'], Tab: [9, '\uE004'] };
  const key = (k, on) => {
    if (on) on.focus(); else if (document.activeElement && document.activeElement !== document.body) document.activeElement.blur();
    const named = NAMED[k], text = named ? named[2] : k;
    if (FOX) return actions({ type: 'key', id: 'keys', actions: [{ type: 'keyDown', value: named ? named[1] : k }, { type: 'keyUp', value: named ? named[1] : k }] });
    const event = { key: k, ...named ? { windowsVirtualKeyCode: named[0], code: k } : {} };
    return commands([['Input.dispatchKeyEvent', { type: 'keyDown', ...event, ...text ? { text } : {} }], ['Input.dispatchKeyEvent', { type: 'keyUp', ...event }]]);
  };
  const type = async (words, on) => { on.focus(); for (const k of words) await key(k, on); };
  const shot = name => PICTURES ? act('picture\n' + name) : null;
  const t = window.tessera, state = () => { t.draw(); return t.state(); }, $ = s => document.querySelector(s), all = s => [...document.querySelectorAll(s)];
  const pause = ms => new Promise(go => setTimeout(go, ms));
  const frame = () => new Promise(go => requestAnimationFrame(() => requestAnimationFrame(go)));
  const settle = async () => { await frame(); t.draw(); };
  const canvas = () => t.pane.canvas;
  const screen = i => t.pane.screen(i), clickNode = i => { const r = screen(i); return press(canvas(), r.x + r.w / 2, r.y + Math.min(8, r.h / 2)); };
  const titled = words => { const g = t.graph; for (let i = 0; i < g.n; i++) if (g.label(i) === words) return i; return -1; };
  const byName = name => t.graph.d.names.indexOf(name);

  // ---- What holds of every picture ----
  // Every box lies inside the one that holds it, and none of a group on another.
  const laid = () => t.graph.groups.every(g => {
    const inside = g.parent < 0 ? null : t.rect(g.parent);
    if (inside && !t.graph.isOpen(g.parent)) return true;
    return (g.shown || []).every((i, k) => {
      const a = t.rect(i);
      if (inside && (a.x < inside.x - 0.5 || a.y < inside.y - 0.5 || a.x + a.w > inside.x + inside.w + 0.5 || a.y + a.h > inside.y + inside.h + 0.5)) return false;
      return g.shown.slice(k + 1, k + 60).every(j => { const b = t.rect(j); return a.x + a.w <= b.x + 0.5 || b.x + b.w <= a.x + 0.5 || a.y + a.h <= b.y + 0.5 || b.y + b.h <= a.y + 0.5; });
    });
  });
  const fills = () => { // the share of the canvas that the boxes' bounds take
    const { width: w, height: h } = t.pane;
    let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
    for (const g of t.graph.groups) { if (g.parent >= 0) break; for (const i of g.shown) { const r = screen(i); x0 = Math.min(x0, r.x); y0 = Math.min(y0, r.y); x1 = Math.max(x1, r.x + r.w); y1 = Math.max(y1, r.y + r.h); } }
    return (Math.min(x1, w) - Math.max(x0, 0)) * (Math.min(y1, h) - Math.max(y0, 0)) / (w * h);
  };
  const overlaps = () => {
    const list = t.pane.texts, bad = [];
    for (let a = 0; a < list.length; a++)
      for (let b = a + 1; b < list.length; b++) {
        const [ax, ay, aw, ah, at] = list[a], [bx, by, bw, bh, bt] = list[b];
        if (ax + 1 < bx + bw && bx + 1 < ax + aw && ay + 1 < by + bh && by + 1 < ay + ah) bad.push(at + ' / ' + bt);
      }
    return bad.slice(0, 3);
  };
  const picture = what => { // of a graph at rest
    t.draw();
    ok(what + ': has text', t.pane.texts.length > 0);
    ok(what + ': no text below 9 px', t.pane.smallest >= 9);
    is(what + ': no text on another', overlaps(), []);
  };
  const noScroll = what => is(what + ' does not scroll sideways', document.documentElement.scrollWidth > innerWidth || document.querySelector('main').scrollWidth > innerWidth, false);
  // Lines of a text node, by the tops of its pieces.
  const lines = n => { const r = document.createRange(); r.selectNodeContents(n); return new Set([...r.getClientRects()].map(q => Math.round(q.top))).size; };
  const plainNumbers = what => is(what + ': no number is broken into lines', all('td.n').filter(c => c.offsetParent && [...c.childNodes].some(n => n.nodeType === 3 && lines(n) > 1)).map(c => c.textContent).slice(0, 3), []);
  const smallText = what => is(what + ': no text below 9 px', all('main *').filter(e => e.offsetParent && e.childNodes.length && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) && parseFloat(getComputedStyle(e).fontSize) < 9).length, 0);
  const luminance = colour => { const n = colour.match(/[0-9a-f]{2}/gi).map(h => parseInt(h, 16) / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * n[0] + 0.7152 * n[1] + 0.0722 * n[2]; };
  const contrast = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const contrasts = () => {
    for (const theme of ['light', 'dark']) {
      t.theme(theme);
      const v = n => getComputedStyle(document.documentElement).getPropertyValue('--' + n).trim(), bad = [];
      const least = (a, b, n, what) => { if (contrast(a, b) < n) bad.push(what + ' ' + contrast(a, b).toFixed(2)); };
      for (const ink of ['fg', 'soft', 'accent', 'mark', 'move', 'good'])
        for (const ground of ['bg', 'card', 'box', 'inside']) least(v(ink), v(ground), 4.5, ink + ' on ' + ground);
      for (const bar of ['products', 'kernels', 'hidden', 'exposed', 'parameters', 'optimiser', 'inputs', 'kept', 'gradients', 'temporary', 'edge']) least(v(bar), v('card'), 3, bar);
      for (const bar of ['products', 'kernels', 'exposed']) least(v(bar), theme === 'dark' ? '#101214' : '#ffffff', 4.5, 'text on ' + bar);
      for (let c = 0; c < 8; c++) least(t.colourOf(c), v('box'), 3, 'sharding ' + c);
      is('contrast, ' + theme, bad, []);
    }
    t.theme('light');
  };
  const everyView = what => {
    for (const name of t.views) {
      t.show(name);
      is(what + ' ' + name + ' is shown', state().tab, name);
      noScroll(what + ' ' + name);
      plainNumbers(what + ' ' + name);
      is(what + ' ' + name + ': nothing is wider than its card', all('.card').filter(c => c.offsetParent && c.scrollWidth > c.clientWidth + 1).map(c => c.id || c.textContent.slice(0, 20)), []);
      smallText(what + ' ' + name);
    }
  };

  const cases = {
    async mlp() {
      is('the summary comes first', state().tab, 'Summary');
      is('what it tells', [/Step time/.test(state().panel), /Peak memory of a device/.test(state().panel), /x=2 . y=4/.test(state().panel), all('.mesh i').length], [true, true, true, 8]);
      is('three sentences', all('#look-advice li').length, 3);
      ok('a collective with its place and reason', /all_reduce over y.*mlp.mlir:5:8.*whose contracted dimension is divided over y/.test($('#look-collectives').textContent));
      is('beside what was written', all('#look-plan tbody tr').map(r => r.cells[2].textContent + ' ' + r.cells[3].textContent).includes('P("x") P("x")'), true);
      everyView('mlp');
      contrasts();
      t.show('Summary');
      await tap($('#look-collectives tr[data-place]'));
      is('a collective leads to its op', [state().tab, state().selected], ['Graph', byName('%2')]);
      ok('why it is there', /Because %1 is P\("x", "y"\).*%arg0 had "x" from the start/s.test(state().panel));
      is('nodes', state().nodes, 9);
      t.search('DOT_general');
      is('search by op', state().matches, 2);
      t.search('%arg1');
      is('search by value', state().matches, 1);
      t.search('mlp.mlir:5:8');
      is('search by file and location', state().matches, 1);
      t.search(':5:8');
      is('search by location', state().matches, 1);
      await key('n');
      is('next match is chosen', state().selected, byName('%2'));
      ok('details have the source line', /source%2 = stablehlo.dot_general %1, %v,/.test(state().panel));
      ok('details have the location', state().panel.includes('tests/tools/Inputs/mlp.mlir:5:8'));
      ok('details have the sharding', state().panel.includes('[{"x"}, {}]'));
      is('its cut', all('#details .cut td').map(c => c.textContent), ['0 1 2 3', '4 5 6 7']);
      await key('u');
      is('up to what it uses', state().selected, byName('%1'));
      await key('d');
      is('down to its user', state().selected, byName('%2'));
      ok('the address says so', location.hash === '#Graph/' + byName('%2'));
      await key('Escape');
      is('nothing is chosen', [state().selected, state().matches], [-1, 0]);
      await settle();
      t.fit();
      picture('mlp');
      ok('boxes', laid());
      await clickNode(byName('%0'));
      is('a click chooses', state().selected, byName('%0'));
      await key('ArrowDown');
      ok('an arrow goes to a neighbour', state().selected >= 0 && state().selected !== byName('%0'));
      const scale = t.view.scale;
      await key('+');
      ok('larger', t.view.scale > scale);
      const before = t.view.x;
      await drag(canvas(), [300, 300], [200, 300]);
      ok('dragging moves', t.view.x > before);
      const now = t.view.scale;
      await wheel(canvas(), 300, 300, -200);
      ok('the wheel zooms', t.view.scale > now);
      t.theme('light');
      await key('t');
      is('dark', state().theme, 'dark');
      await key('3');
      is('a digit is a view', state().tab, t.views[2]);
      location.hash = '#Graph/' + byName('%1');
      await pause(50);
      is('an address leads there', [state().tab, state().selected], ['Graph', byName('%1')]);
      t.show('Shardings');
      ok('shardings', /\[{"x"}, {"y"}\]/.test(state().panel));
      t.show('Collectives');
      ok('collectives', /288 B.*all_reduce over y.*for stablehlo.dot_general at mlp.mlir:5:8/.test(state().panel));
      $('#panel tr.go').focus();
      await key('Enter', $('#panel tr.go'));
      is('by the keyboard', state().selected, byName('%2'));
    },
    async scopes() {
      t.show('Graph');
      await settle();
      picture('scopes');
      ok('it fills the canvas', fills() >= 0.6);
      ok('boxes', laid());
      const forward = titled('forward'), loop = titled('while \u00d724'), fold = titled('block_*/attention \u00d73'), mlp = titled('mlp');
      ok('scopes, loops and folded layers are boxes', forward >= 0 && loop >= 0 && fold >= 0 && mlp >= 0);
      is('a scope holds the loop', t.graph.parent(loop), forward);
      is('a function is shown in its call', [t.graph.parent(titled('gelu')), t.graph.holds(titled('gelu'))], [mlp, true]);
      const shut = t.graph.isOpen(loop);
      t.select(loop);
      await key('Enter');
      await settle();
      is('Enter opens and closes', t.graph.isOpen(loop), !shut);
      if (shut) await key('Enter');
      await settle();
      ok('boxes of the open loop', laid());
      for (const [k, region] of ['condition', 'body'].entries()) {
        const g = t.graph.groups[t.graph.inner[loop] + k], at = t.graph.rect(g.shown[0]), box = t.graph.rect(loop);
        is('its regions have names', t.graph.region(g), region);
        ok('with room above them', at.y - box.y >= t.graph.head(loop));
      }
      t.pane.show(t.rect(loop), true);
      await settle();
      ok('the names are on the page', ['condition', 'body'].every(n => t.pane.texts.some(x => x[4] === n)));
      picture('an open loop');
      t.fit();
      const r = screen(fold), was = t.graph.isOpen(fold);
      await pressTwice(canvas(), r.x + 12, r.y + 6);
      await settle();
      is('a double click, too', t.graph.isOpen(fold), !was);
      t.search('sine');
      is('search finds what is inside', state().matches, 3);
      await key('n');
      await settle();
      const s = screen(t.state().selected);
      ok('and flies there', s.x >= 0 && s.y >= 0 && s.x + s.w <= t.pane.width && s.y + s.h <= t.pane.height && s.h > 12);
      picture('near');
      await key('o');
      ok('to the box around it', t.graph.holds(t.state().selected));
      await key('Escape');
      await key('e');
      await settle();
      picture('all open');
      ok('boxes, all open', laid());
      await key('c');
      await settle();
      picture('as at first');
      let inside = false;
      for (const by of [1.6, 1.6, 2.5, 2]) { // thumbnails become pictures
        const b = screen(titled('adam'));
        t.pane.zoom(by, Math.max(0, Math.min(b.x + b.w / 2, t.pane.width)), Math.max(0, Math.min(b.y + b.h / 2, t.pane.height)));
        picture('zoomed by ' + by);
        inside ||= t.pane.texts.some(x => x[4] === 'multiply');
      }
      ok('zooming in shows what is inside', inside);
      ok('a map, when not everything is seen', !$('#map').hidden);
      ok('a legend', /divided over dp/.test($('#legend').textContent) && /whole on each device/.test($('#legend').textContent));
      t.fit();
      t.draw();
      ok('none, when it is', $('#map').hidden);
      ok('collectives on the loop', t.graph.moved.get(loop) > 0);
      t.show('Time');
      const c = $('#simulated'), bars = c.data.bars, inner = bars.filter(b => t.programOf(t.graph).turns(b.t) === 24);
      ok('tasks inside of loops', inner.length >= 3 && inner.every(b => Math.abs(b.all - 24 * b.one) < 1e-6 * b.all));
      const around = bars.find(b => b.kind === 3);
      ok('inside of their loop', inner.every(b => b.x >= around.x - 1e-6 && b.x + b.w <= around.x + around.w + 1e-6));
      ok('computing and communication', c.data.lanes.some(l => /computing/.test(l)) && c.data.lanes.some(l => /nvlink/.test(l)));
      const span = c.view.to - c.view.from;
      await key('+', c);
      ok('zoom by the keyboard', c.view.to - c.view.from < span);
      await key('0', c);
      is('all of it', c.view.to - c.view.from, span);
      await key('n', c);
      ok('a task is told', /us|ms/.test($('.says').textContent));
      t.show('Memory');
      const m = $('#memory'), list = t.momentsOf(t.programOf(t.graph)), f = t.graph.figures;
      is('the peak is that of the summary', list.total[list.peak], f.peak_bytes);
      is('live then adds up', Math.abs(list.alive(list.list[list.peak]).reduce((a, s) => a + s.bytes, 0) - f.peak_bytes) <= 0.01 * f.peak_bytes, true);
      ok('by name', /opt_state\['w'\]/.test(state().panel) && /optimiser/.test(state().panel));
      const at = m.at();
      await key('ArrowLeft', m);
      is('another moment', m.at(), Math.max(0, at - 1));
      await key('p', m);
      is('the peak', m.at(), list.peak);
      await press(m, m.clientWidth - 12, 20);
      is('a click', m.at(), list.list.length - 1);
      everyView('scopes');
    },
    async narrow() {
      everyView('at 390');
      t.show('Graph');
      await settle();
      picture('at 390');
      ok('it fills the canvas', fills() >= 0.6);
      t.select(titled('forward'));
      await frame();
      noScroll('details');
      await press(canvas(), 20, 20, 'touch');
      const scale = t.view.scale;
      await pinch(canvas(), [150, 150], [200, 150], [260, 150]);
      ok('two fingers zoom', t.view.scale > scale);
    },
    async wide() {
      t.show('Graph');
      await settle();
      picture('at 3840');
      ok('it fills the canvas', fills() >= 0.6);
      everyView('at 3840');
      ok('text grows with the window', parseFloat(getComputedStyle(document.body).fontSize) >= 20);
    },
    async hostile() {
      is('nothing was run', [typeof window.ran, all('img, script').length], ['undefined', 1]);
      is('the name is text', t.graph.d.texts.includes('func.func @<\/script><script>window.ran=1<\/script>'), true);
      t.show('Graph');
      for (let i = 0; i < state().nodes; i++) t.select(i);
      t.select(2);
      is('and is shown as text', state().panel.includes('<img src=x onerror=ran()>'), true);
      is('directions are written out', [state().panel.includes('\\u202E'), state().panel.includes('\u202e')], [true, false]);
      for (const tab of t.views) t.show(tab);
      is('nor later', [typeof window.ran, all('#panel img, #panel script').length], ['undefined', 0]);
    },
    async large() {
      t.show('Graph');
      await settle();
      ok('nodes', state().nodes > 30000);
      ok('a chain is a few boxes', t.graph.visible() < 100);
      picture('a chain');
      ok('that fill the canvas', fills() >= 0.6);
      t.search('%29000');
      t.step(1);
      is('the last ones are found', t.graph.d.names[state().selected], '%29000');
      await settle();
      ok('what is not seen is not drawn', state().drawn > 0 && state().drawn < 2000);
      picture('its end');
    },
    async nested() {
      t.show('Graph');
      t.graph.open.fill(0);
      t.fit();
      const before = state().visible;
      await key('e');
      await settle();
      is('all open', [state().visible > before, laid()], [true, true]);
    },
    async layers() {
      t.show('Graph');
      is('layers', [t.graph.d.layer_count, titled('layers \u00d73') >= 0], [3, true]);
      t.search('sine');
      is('search finds what is inside', state().matches, 6);
      await key('n');
      await key('n');
      await key('n');
      is('and opens it', [t.graph.title(state().selected), t.graph.isOpen(t.graph.parent(state().selected))], ['stablehlo.sine', true]);
      await key('u');
      is('edges lead from layer to layer', t.graph.title(state().selected), 'stablehlo.ceil');
    },
    async passes() {
      is('two views', t.panes.map(p => p.graph.d.label), ['before', 'after']);
      ok('what differs', /before: 1 differ.*constant.*after: 0 differ/.test(state().panel));
      await tap($('#panel tr.go'));
      is('leads to it', t.panes[0].graph.title(t.panes[0].selected), 'stablehlo.constant');
      is('which is not beside it', [t.panes[1].selected, /is not there/.test(state().panel)], [-1, true]);
      t.select(5);
      is('a choice is made in both', t.panes[1].graph.title(t.panes[1].selected), t.panes[0].graph.title(5));
    },
    async plans() {
      is('the comparison comes first', state().tab, 'Compare');
      ok('plans side by side', all('.beside .card h2').map(e => e.textContent).join() === 'first plan,second plan');
      ok('with differences', /received/.test(state().panel) && /step time/.test(state().panel) && all('#panel .good, #panel .bad').length > 0);
      noScroll('Compare');
      t.use(0);
      is('the first', t.graph.shardingOf(byName('%arg0')).text, '[{"x"}, {}]');
      t.use(1);
      is('the second', t.graph.shardingOf(byName('%arg0')).text, '[{"y"}, {}]');
      is('what differs', [0, 1].map(i => t.panes[i].graph.diff(byName('%arg0'))), [1, 1]);
      t.show('Graph');
      for (const p of t.panes) { p.draw(); ok('drawn', p.drawn > 3); }
    },
    async reports() {
      t.show('Time');
      ok('measured, beside the simulation', /One step, simulated.*Measured: 2 events on 2 tracks.*Longest as measured.*5.50 us/s.test(state().panel));
      is('two charts', all('#panel canvas').length, 2);
      await tap(all('#panel tr.go').find(r => /mlp.mlir:3:8/.test(r.textContent)));
      is('an event leads to its op', t.graph.d.names[state().selected], '%0');
      t.show('Goldens');
      ok('goldens', /2 values, 1 off. The first: stablehlo.tanh at mlp.mlir:4:8/.test(state().panel));
      ok('the first bad op comes first', /FAIL, the first/.test($('#panel tr.bad').textContent));
      await tap($('#panel tr.bad'));
      is('and leads to the op', t.graph.d.names[state().selected], '%1');
      is('which is marked', [...t.panes[0].marks], [[byName('%1'), '\u2717 first: ']]);
      ok('and tells its errors', /alone 0.500, 0.2500000; whole \?, n\/a; FAIL/.test(state().panel));
    },
    async served() {
      t.show('What if');
      const arg0 = () => t.graph.shardingOf(byName('%arg0')).text;
      is('before', arg0(), '[{"x"}, {}]');
      is('given', t.whatIf.given, [['argument', 0, 'x']]);
      is('a form', [$('#which').options.length, all('.dims select').length], [3, 2]);
      all('.dims select')[0].value = '_';
      all('.dims select')[1].value = 'y';
      await tap($('#panel form button.main'));
      for (let i = 0; i < 200 && t.whatIf.tried.length < 2; i++) await pause(10);
      is('now', arg0(), '[{}, {"y"}]');
      ok('it tells how long it took', /Planned in [\d.]+ ms/.test(state().panel));
      is('old and new side by side', all('.beside .card h2').map(e => e.textContent), ['0 as given', '1 %arg0 = _,y']);
      ok('with differences', /step time/.test(state().panel) && /exposed/.test(state().panel));
      ok('plans as points', $('#plans').points.length === 2 && $('#plans').points.every(p => p.every(Number.isFinite)));
      await tap($('#apply'));
      ok('what to write', /"%arg0": P\(None, "y"\)/.test($('#specs').textContent));
      ok('and what changes', /- %arg0: P\("x"\)\n\+ %arg0: P\(None, "y"\)/.test($('#diff').textContent));
      is('a value inside', await t.give(['value', '%0'], 'x,y'), true);
      is('is sharded', t.graph.shardingOf(byName('%0')).text, '[{"x"}, {"y"}]');
      await tap($('#apply'));
      ok('a diff of the source', /--- .*mlp\.mlir\n\+\+\+ .*mlp\.mlir\n@@ -3,1 \+3,2 @@.*\n %0 = stablehlo\.dot_general.*\n\+%sharded = sdy\.sharding_constraint %0 <@mesh, \[{"x"}, {"y"}\]> : tensor<8x32xf32>\n/.test($('#source').textContent));
      await press($('#plans'), ...$('#plans').points[1]);
      ok('compare any two', /1 %arg0 = _,y/.test($('.beside').textContent));
      await key('ArrowLeft', $('#plans'));
      ok('by the keyboard', /0 as given/.test($('.beside').textContent));
      const plan = t.graph.plan, given = JSON.stringify(t.whatIf.given);
      is('nonsense', await t.give(['argument', 0], 'nothing'), false);
      ok('is told', /nothing/.test($('.error').textContent));
      is('and replaces nothing', [t.graph.plan === plan, JSON.stringify(t.whatIf.given) === given], [true, true]);
      t.whatIf.mesh = 'x=4,y=2';
      is('another mesh', await t.tryPlan(), true);
      is('is planned', t.graph.plan.meshes[0].axes, [['x', 4], ['y', 2]]);
      t.show('Summary');
      ok('the summary follows', /x=4 . y=2/.test(state().panel));
      t.show('Time');
      ok('and the time', t.graph.program.timed);
      const size = () => (performance.memory ? performance.memory.usedJSHeapSize : 0);
      const elements = () => document.querySelectorAll('*').length;
      for (let i = 0; i < 5; i++) await t.give(['argument', 0], i % 2 ? '_,y' : 'x');
      const [held, nodes] = [size(), elements()];
      for (let i = 0; i < 50; i++) await t.give(['argument', 0], i % 2 ? '_,y' : 'x');
      ok('memory after 50 what-ifs', size() - held < 8e6 && elements() < nodes + 60);
      t.show('Graph');
      t.select(2);
      is('shardings can be chosen', all('#details select').length, 2);
      everyView('served');
    },
  };
  // At three distances: everything, a scope, an op.
  const program = CASE.replace(/_.*/, '');
  const distances = async () => {
    everyView(CASE);
    for (const name of PICTURES ? t.views : []) { t.show(name); await settle(); await shot(CASE + '_' + name); }
    t.show('Graph');
    await settle();
    picture(CASE);
    ok('it fills the canvas', fills() >= 0.6);
    ok('boxes', laid());
    ok('not too many', t.graph.visible() < 150);
    const loop = t.graph.d.turns.indexOf(24), box = program === 'gpt' ? titled('backward') : t.graph.groups[1].shown.find(i => t.graph.holds(i));
    if (program === 'gpt') { t.graph.uncover(loop); t.graph.setOpen(loop, true); t.graph.relayout(); }
    for (const [i, words] of [[box, 'scope'], ...loop >= 0 ? [[loop, 'loop']] : []]) {
      t.pane.touched = true;
      t.pane.show(t.rect(i), true);
      await settle();
      picture(CASE + ', a ' + words);
      const shown = screen(i);
      ok('a ' + words + ' fills it', (shown.w * shown.h) / (t.pane.width * t.pane.height) > 0.6 || Math.max(shown.w / t.pane.width, shown.h / t.pane.height) > 0.9);
      await shot(CASE + '_Graph_' + words);
    }
    t.reveal(byName('%0') >= 0 ? byName('%0') : byName('%1'));
    await settle();
    picture(CASE + ', an op');
    await shot(CASE + '_Graph_op');
    if (program === 'gpt') {
      is('a collective in a loop leads to its own scope', t.graph.plan.collectives.filter(c => c.turns === 24 && c.node >= 0 && t.graph.fullStack(c.node) !== c.name).length, 0);
      ok('both loops are there', t.graph.d.turns.filter(n => n === 24).length === 2);
    }
  };
  for (const size of ['', '_phone', '_dark', '_4k']) for (const name of ['gpt', 'moe', 'ttir']) cases[name + size] = distances;
  // Two plans of the large program, and one that is tried.
  cases.compare = cases.compare_phone = cases.compare_dark = async () => {
    everyView(CASE);
    t.show('Compare');
    ok('what each plan receives the most of', all('.split .figures tbody tr').length >= 4);
    await shot(CASE);
    t.show('Graph');
    for (const p of t.panes) { p.draw(); ok('drawn', p.drawn > 3); }
    await settle();
    await shot(CASE + '_Graph');
  };
  cases.whatif = cases.whatif_phone = cases.whatif_dark = async () => {
    t.show('What if');
    is('a choice for each dimension', all('.dims select').length, 2);
    is('a sharding', await t.give(['argument', 4], 'dp,_,_'), true);
    t.whatIf.mesh = 'dp=4,tp=2';
    is('a mesh', await t.tryPlan(), true);
    const inside = t.graph.d.names.findIndex((name, i) => /dot_general/.test(t.graph.title(i)) && t.graph.type(i).startsWith('tensor<32x1024x50304'));
    is('a value inside', await t.give(['value', t.graph.d.names[inside]], 'dp,_,tp'), true);
    noScroll('What if');
    plainNumbers('What if');
    await shot(CASE);
    await tap($('#apply'));
    ok('names of the arguments', /"params\['layers'\]\['\w+'\]": P\(/.test($('#specs').textContent));
    $('#apply').scrollIntoView();
    ok('a line for JAX', /\+\+\+ .*gpt_scan\.py\n@@ -\d+,0 \+\d+,1 @@ .*head.*\n\+dot_general = jax\.lax\.with_sharding_constraint\(dot_general, P\("dp", None, "tp"\)\)/.test($('#source').textContent));
    await shot(CASE + '_apply');
  };
  if (/_dark$/.test(CASE)) t.theme('dark');
  try { await cases[CASE](); } catch (e) { said.push(String(e) + e.stack); }
  await act('verdict ' + passed + ' right, ' + said.length + ' wrong. ' + said.join('; '));
})();
