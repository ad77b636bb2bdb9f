#!/bin/sh
# pictures.sh - `make pictures`: the pictures of docs/EXPLORE.md and README.md, made by a headless chromium from pages of tessera explore.
# From the environment: BUILD, CHROMIUM.
cd "$(dirname "$0")/.." || exit 3
BUILD=${BUILD:-build}
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
browser=
for b in ${CHROMIUM:-} chromium chromium-browser google-chrome; do
    if command -v "$b" >/dev/null 2>&1; then browser=$b; break; fi
done
[ -n "$browser" ] || { echo 'no chromium here (CHROMIUM=path)'; exit 3; }

picture() { # picture NAME SCRIPT FILE FLAGS...: the page of a file, after a script ran in it
    name=$1 script=$2
    shift 2
    "$BUILD/bin/tessera" explore "$@" -o "$tmp/page.html" 2>/dev/null || exit 1
    { cat "$tmp/page.html"; echo "<script>const t = window.tessera, g = () => t.graph; t.theme('light'); $script</script>"; } >"$tmp/shown.html"
    "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --hide-scrollbars --user-data-dir="$tmp/profile" \
        --window-size=1100,640 --screenshot="$tmp/shot.png" "file://$tmp/shown.html" >/dev/null 2>&1
    [ -s "$tmp/shot.png" ] || { echo "$name: no picture"; exit 1; }
    mv "$tmp/shot.png" "docs/explore_$name.png"
    echo "docs/explore_$name.png: $(wc -c <"docs/explore_$name.png") bytes"
}
# The train step of a GPT with 4 layers on a mesh of 2x4 devices, which its file has.
gpt=tests/corpus/large/gpt_train_4.mlir
layer="const layer = g().d.title.findIndex(k => g().d.texts[k].startsWith('layer 2 of'));"
picture graph "$layer t.toggle(layer); const first = [...g().moves.keys()].find(i => g().parent(i) === layer) ?? layer; t.select(first); t.reveal(first); t.view.scale = 0.62; t.view.y -= 120;" $gpt
picture collectives "t.show('Collectives'); const c = [...g().plan.collectives].sort((a, b) => b.received - a.received)[0]; const i = g().causeOf(c); t.reveal(i); t.show('Collectives'); t.view.scale = 0.9; t.view.x += 120; t.view.y += 120;" $gpt
picture memory "t.show('Memory');" $gpt
picture compare "" tests/tools/Inputs/mlp.mlir --mesh=x=2,y=4 --arg=0:x --versus --arg=0:_,y --arg=1:y
