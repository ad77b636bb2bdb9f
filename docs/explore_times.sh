#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# explore_times.sh - the table of docs/EXPLORE.md: pages of large modules, their size, the time to make them, to open them in
# chromium, and to answer what-if. Prints it; with --write puts it into the document. Of each time the least of three, of opening of five. Making and answering are
# times of the processor, which other work on the machine does not change much; opening, and the second time of what-if, are of the clock.
# From the environment: BUILD, CHROMIUM.
cd "$(dirname "$0")/.." || exit 3
BUILD=${BUILD:-build}
T=$BUILD/bin/tessera
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
. tests/explorer/shapes.sh
export LC_ALL=C

seconds() { # seconds COMMAND...: the least of three
    for i in 1 2 3; do
        bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1' time "$@" 2>&1 | awk '{ printf "%.2f\n", $1 + $2 }'
    done | sort -n | sed -n '1p'
}
opened() { # opened PAGE: seconds until the page can be used, as the browser's own clock says
    echo "window.drive = { next: async () => 'verdict ' + (window.tessera.ready / 1000).toFixed(2) };" >"$tmp/ready.js"
    for i in 1 2 3 4 5; do echo "page 1400 900 file://$1"; done | "$BUILD/bin-test/drive" "${CHROMIUM:-chromium}" "$tmp/profile" "$tmp/ready.js" |
        sed -n 's/^page: \([0-9.]*\)$/\1/p' | sort -n | sed -n '1p'
}
row() { # row NAME FILE QUESTION
    "$T" explore "$2" -o "$tmp/page.html" 2>/dev/null || { echo "$2 has no page" >&2; return; }
    size=$(wc -c <"$tmp/page.html" | awk '{ printf "%.1f", $1 / 1e6 }')
    what=-
    [ -z "$3" ] || what=$("$BUILD/bin-test/serve" --time "$3" "$T" "$2" 2>/dev/null | sed -n 's/^\([0-9.]*\) ms, \([0-9.]*\) ms of.*/\2 ms, \1 ms/p' | head -n 1)
    echo "| $1 | $size MB | $(seconds "$T" explore "$2" -o "$tmp/again.html") s | $(opened "$tmp/page.html") s | ${what:--} |"
}
table() {
    echo "Measured on $(nproc) cores at a load of $(cut -d' ' -f1 /proc/loadavg):"
    echo
    echo '| module | page | made in | opened in | what-if: computing; there and back |'
    echo '| --- | --- | --- | --- | --- |'
    row gpt_train_24 tests/corpus/large/gpt_train_24.mlir '{}'
    layers 40 >"$tmp/layers40.mlir"
    row '40 generated layers, 1,000 ops' "$tmp/layers40.mlir" ''
    layers 400 >"$tmp/layers400.mlir"
    row '400 generated layers, 10,000 ops' "$tmp/layers400.mlir" ''
    layers 4000 >"$tmp/layers4000.mlir"
    row '4,000 generated layers, 100,000 ops' "$tmp/layers4000.mlir" ''
}
if [ "$1" = --write ]; then
    table >"$tmp/table" || exit 1
    awk -v table="$tmp/table" '/<!-- BEGIN times -->/ { print; while ((getline line < table) > 0) print line; skip = 1 } /<!-- END -->/ { skip = 0 } !skip && !/<!-- BEGIN times -->/' \
        docs/EXPLORE.md >"$tmp/new" && cat "$tmp/new" >docs/EXPLORE.md
else
    table
fi
