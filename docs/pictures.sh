#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# pictures.sh - `make pictures`: the pictures of docs/EXPLORE.md, docs/GALLERY.md and README.md, made by a headless chromium, which
# tests/explorer/drive.c drives, from pages of tessera explore. From the environment: BUILD, CHROMIUM, ALL (a folder: the browser test
# writes every view of three programs into it), OUT (the folder of the pictures; docs).
cd "$(dirname "$0")/.." || exit 3
BUILD=${BUILD:-build}
if [ -n "$ALL" ]; then
    mkdir -p "$ALL" || exit 3
    PICTURES=$ALL sh tests/explorer/browser.sh
    exit
fi
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
browser=
for b in ${CHROMIUM:-} chromium chromium-browser google-chrome; do
    if command -v "$b" >/dev/null 2>&1; then browser=$b; break; fi
done
[ -n "$browser" ] || { echo 'no chromium here (CHROMIUM=path)'; exit 3; }
out=${OUT:-docs}
gpt=tests/explorer/Inputs/gpt_scan.mlir # a training step of a GPT with 1.3 billion parameters, its layers in a scan
"$BUILD/bin/tessera" explore $gpt -o "$tmp/gpt.html" 2>/dev/null || exit 1
"$BUILD/bin/tessera" explore $gpt --versus --mesh=dp=4,tp=2 -o "$tmp/plans.html" 2>/dev/null || exit 1
cat >"$tmp/pictures.js" <<'END'
const t = window.tessera, steps = ['picture\nexplore_' + CASE, 'verdict done'];
t.theme(CASE === 'phone' ? 'dark' : 'light');
t.show({ graph: 'Graph', loop: 'Graph', time: 'Time', memory: 'Memory', compare: 'Compare' }[CASE] || 'Summary');
if (CASE === 'loop') {
  const loop = t.graph.d.turns.indexOf(24);
  t.draw();
  t.graph.uncover(loop);
  t.graph.setOpen(loop, true);
  t.graph.relayout();
  t.pane.touched = true;
  t.pane.show(t.rect(loop), true);
}
window.drive = { next: () => new Promise(go => requestAnimationFrame(() => requestAnimationFrame(() => go(steps.shift())))) };
END
for picture in 'summary 1280 800 gpt' 'graph 1280 800 gpt' 'loop 1280 800 gpt' 'time 1280 640 gpt' 'memory 1280 800 gpt' 'compare 1280 800 plans' 'phone 390 844 gpt'; do
    echo "${picture% *} file://$tmp/${picture##* }.html"
done | "$BUILD/bin-test/drive" --pictures="$out" "$browser" "$tmp/profile" "$tmp/pictures.js" || exit 1

# The gallery: the pages that its commands write, each on the tab and in the size that the comment before its picture tells.
sed -n 's/^\$ build\/bin\/\(tessera explore .*\)-o build\/\(gallery_.*html\)$/\1-o \2/p' docs/GALLERY.md >"$tmp/commands"
while read -r command; do
    sh -c "\"$BUILD\"/bin/${command%-o *} -o \"$tmp/${command##*-o }\"" 2>/dev/null </dev/null || exit 1
done <"$tmp/commands"
cat >"$tmp/gallery.js" <<'END'
const t = window.tessera, [name, tab] = CASE.split('.'), steps = ['picture\n' + name, 'verdict done'];
t.theme('light');
t.show(tab);
window.drive = { next: () => new Promise(go => requestAnimationFrame(() => requestAnimationFrame(() => go(steps.shift())))) };
END
awk -v pages="file://$tmp/" '
    /^<!-- [A-Z][a-z]* [0-9]*x[0-9]* -->$/ { tab = $2; split($3, size, "x") }
    /^!\[.*\]\(gallery_.*\.png\)$/ { name = $0; sub(/.*\(/, "", name); sub(/\.png\)$/, "", name); print name "." tab, size[1], size[2], pages name ".html" }
' docs/GALLERY.md >"$tmp/jobs"
"$BUILD/bin-test/drive" --pictures="$out" "$browser" "$tmp/profile" "$tmp/gallery.js" <"$tmp/jobs" || exit 1
wc -c "$out"/explore_*.png "$out"/gallery_*.png
