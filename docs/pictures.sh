#!/bin/sh
# pictures.sh - `make pictures`: the pictures of docs/EXPLORE.md and README.md, made by a headless chromium from pages of tessera explore.
# From the environment: BUILD, CHROMIUM, ALL (a folder: every view of three programs in all sizes and themes goes there instead).
cd "$(dirname "$0")/.." || exit 3
BUILD=${BUILD:-build}
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
browser=
for b in ${CHROMIUM:-} chromium chromium-browser google-chrome; do
    if command -v "$b" >/dev/null 2>&1; then browser=$b; break; fi
done
[ -n "$browser" ] || { echo 'no chromium here (CHROMIUM=path)'; exit 3; }

picture() { # picture NAME SIZE THEME SCRIPT FILE FLAGS...: the page of a file, after a script ran in it
    name=$1 size=$2 theme=$3 script=$4
    shift 4
    "$BUILD/bin/tessera" explore "$@" -o "$tmp/page.html" 2>/dev/null || exit 1
    { cat "$tmp/page.html"; echo "<script>const t = window.tessera, g = () => t.graph, find = words => { for (let i = 0; i < g().n; i++) if (g().label(i) === words) return i; }; t.theme('$theme'); $script</script>"; } >"$tmp/shown.html"
    shoot "file://$tmp/shown.html"
}
shoot() { # shoot ADDRESS: into the picture of this name
    "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --hide-scrollbars --force-prefers-reduced-motion --user-data-dir="$tmp/profile" \
        --window-size="$size" --virtual-time-budget=10000 --screenshot="$tmp/shot.png" "$1" >/dev/null 2>&1
    keep
}
keep() {
    [ -s "$tmp/shot.png" ] || { echo "$name: no picture"; exit 1; }
    mv "$tmp/shot.png" "$out/explore_$name.png"
    echo "$out/explore_$name.png: $(wc -c <"$out/explore_$name.png") bytes"
}
# With a server, which stands between the page and the browser: other plans are tried before the picture is taken.
tried() { # tried NAME SIZE THEME FILE
    name=$1 size=$2
    echo "(async () => { const t = window.tessera; t.theme('$3'); t.show('What if'); await t.give(['argument', 4], 'dp,_,_'); t.whatIf.mesh = 'dp=4,tp=2'; await t.tryPlan(); })();" >"$tmp/tries.js"
    "$BUILD/bin-test/serve" --browser "$tmp/tries.js" "$BUILD/bin/tessera" "$4" -- "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
        --hide-scrollbars --user-data-dir="$tmp/profile" --window-size="$size" --virtual-time-budget=20000 --screenshot="$tmp/shot.png" >/dev/null 2>&1
    keep
}
scope="t.show('Graph'); t.draw(); t.pane.show(t.rect(find('backward')), true);"
loop="t.show('Graph'); t.draw(); t.reveal(g().d.turns.indexOf(24)); t.select(-1); t.graph.setOpen(g().d.turns.indexOf(24), true); t.graph.relayout(); t.pane.show(t.rect(g().d.turns.indexOf(24)), true);"
gpt=tests/explorer/Inputs/gpt_scan.mlir # a training step of a GPT with 1.3 billion parameters, its layers in a scan
out=docs
if [ -z "$ALL" ]; then
    picture summary 1280,800 light '' $gpt
    picture graph 1280,800 light "t.show('Graph');" $gpt
    picture loop 1280,800 light "$loop" $gpt
    picture time 1280,640 light "t.show('Time');" $gpt
    picture memory 1280,800 light "t.show('Memory');" $gpt
    picture compare 1280,640 light '' $gpt --versus --mesh=dp=4,tp=2
    picture phone 390,844 dark '' $gpt
    exit 0
fi
# ALL=folder: every view of three programs, in three sizes and two themes.
out=$ALL
mkdir -p "$out" || exit 3
for size in 1280,800 390,844 3840,2160; do
    for theme in light dark; do
        for program in gpt:$gpt moe:tests/corpus/moe_topk_dispatch/module.mlir ttir:tests/explorer/Inputs/encoder_ttir.mlir; do
            at=${program%%:*}_${size%,*}_$theme file=${program#*:}
            picture "${at}_summary" $size $theme '' "$file"
            picture "${at}_graph" $size $theme "t.show('Graph');" "$file"
            if [ "$file" = $gpt ]; then
                picture "${at}_graph_scope" $size $theme "$scope" "$file"
                picture "${at}_graph_loop" $size $theme "$loop" "$file"
                picture "${at}_compare" $size $theme '' "$file" --versus --mesh=dp=4,tp=2
                tried "${at}_whatif" $size $theme "$file"
            fi
            for view in Time Memory; do picture "${at}_$view" $size $theme "t.show('$view');" "$file"; done
        done
    done
done
