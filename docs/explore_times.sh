#!/bin/sh
# explore_times.sh - the table of docs/EXPLORE.md: pages of large modules, their size, the layout's work, the time to make them, to open them in
# chromium, and to answer what-if. Prints it; with --write puts it into the document. Of each time the least of three, of opening of five. Making and answering are
# times of the processor, which other work on the machine does not change much; opening, and the second time of what-if, are of the clock.
# From the environment: BUILD, CHROMIUM, MODELS (a folder: one row of all TTIR modules in it).
cd "$(dirname "$0")/.." || exit 3
BUILD=${BUILD:-build}
T=$BUILD/bin/tessera
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
. tests/explorer/shapes.sh
export LC_ALL=C

field() { # field NAME FILE
    sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$2" | head -n 1
}
seconds() { # seconds COMMAND...: the least of three
    for i in 1 2 3; do
        bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1' time "$@" 2>&1 | awk '{ printf "%.2f\n", $1 + $2 }'
    done | sort -n | sed -n '1p'
}
opened() { # opened PAGE: seconds until the page can be used, as the browser's own clock says
    { cat "$1"; echo '<script>const v = document.createElement("pre"); v.id = "ready"; v.textContent = (window.tessera.ready / 1000).toFixed(2); document.body.append(v);</script>'; } >"$tmp/timed.html"
    for i in 1 2 3 4 5; do
        "${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --user-data-dir="$tmp/profile" --window-size=1400,900 \
            --dump-dom "file://$tmp/timed.html" 2>/dev/null | sed -n 's/.*<pre id="ready">\([0-9.]*\).*/\1/p'
    done | sort -n | sed -n '1p'
}
row() { # row NAME FILE QUESTION
    "$T" explore "$2" -o "$tmp/page.html" 2>/dev/null || { echo "$2 has no page" >&2; return; }
    nodes=$(field node_count "$tmp/page.html") edges=$(field edge_count "$tmp/page.html") steps=$(field layout_steps "$tmp/page.html")
    layers=$(field layer_count "$tmp/page.html")
    size=$(wc -c <"$tmp/page.html" | awk '{ printf "%.1f", $1 / 1e6 }')
    per=$(awk -v s="$steps" -v n=$((nodes + edges)) 'BEGIN { printf "%.1f", s / n }')
    what=-
    [ -z "$3" ] || what=$("$BUILD/bin-test/serve" --time "$3" "$T" "$2" 2>/dev/null | sed -n 's/^\([0-9.]*\) ms, \([0-9.]*\) ms of.*/\2 ms, \1 ms/p' | head -n 1)
    echo "| $1 | $nodes | $layers | $per | $size MB | $(seconds "$T" explore "$2" -o "$tmp/again.html") s | $(opened "$tmp/page.html") s | ${what:--} |"
}
table() {
    echo '| module | nodes | layers | steps for each node and edge | page | made in | opened in | what-if: computing; there and back |'
    echo '| --- | --- | --- | --- | --- | --- | --- | --- |'
    row gpt_train_4 tests/corpus/large/gpt_train_4.mlir '{}'
    row gpt_train_24 tests/corpus/large/gpt_train_24.mlir '{}'
    layers 40 >"$tmp/layers40.mlir"
    row '40 generated layers, 1,000 ops' "$tmp/layers40.mlir" ''
    layers 400 >"$tmp/layers400.mlir"
    row '400 generated layers, 10,000 ops' "$tmp/layers400.mlir" ''
    layers 96 >"$tmp/layers96.mlir"
    row '96 generated layers, sharded' "$tmp/layers96.mlir" '{"mesh":"x=2,y=4","given":[["argument",0,"x"],["argument",1,"_,y"]]}'
    chain 30000 >"$tmp/chain.mlir"
    row 'a chain of 30,000 ops' "$tmp/chain.mlir" ''
    layers 4000 >"$tmp/layers4000.mlir"
    row '4,000 generated layers, 100,000 ops' "$tmp/layers4000.mlir" ''
    if [ -x "$BUILD/bench/gen" ]; then
        "$BUILD/bench/gen" 100000 >"$tmp/gen.mlir"
        row '100,000 ops of `bench/gen`' "$tmp/gen.mlir" ''
    fi
    [ -z "$MODELS" ] || models
}
models() { # all of a folder in one row: sums, and the greatest work for a node
    for f in $(find "$MODELS" -name '*.mlir' | sort); do
        rm -f "$tmp/page.html" # of the model before
        us=$(bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1' time "$T" explore "$f" -o "$tmp/page.html" 2>&1 | awk '{ print int(1e6 * ($1 + $2)) }')
        [ -s "$tmp/page.html" ] || continue
        echo "$(field node_count "$tmp/page.html") $(field edge_count "$tmp/page.html") $(field layout_steps "$tmp/page.html") $(field layer_count "$tmp/page.html") $(wc -c <"$tmp/page.html") $us"
        rm -f "$tmp/page.html"
    done | awk '{ n += $1; l += $4; bytes += $5; us += $6; p = $3 / ($1 + $2); if (!NR || p > most) most = p; if ($1 > large) large = $1; if ($6 > slow) slow = $6 }
        END { printf "| %d TTIR models of tt-mlir | %d, the largest %d | %d | at most %.1f | %.1f MB in all | %.2f s in all, the longest %.2f s | - | - |\n", NR, n, large, l, most, bytes / 1e6, us / 1e6, slow / 1e6 }'
}
if [ "$1" = --write ]; then
    table >"$tmp/table" || exit 1
    awk -v table="$tmp/table" '/<!-- BEGIN times -->/ { print; while ((getline line < table) > 0) print line; skip = 1 } /<!-- END -->/ { skip = 0 } !skip && !/<!-- BEGIN times -->/' \
        docs/EXPLORE.md >"$tmp/new" && cat "$tmp/new" >docs/EXPLORE.md
else
    table
fi
