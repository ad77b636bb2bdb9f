#!/bin/sh
# eval.sh - the programs of the corpus give what XLA gave: each is run on its stored arguments, and every result must be
# within the tolerance of its element type.
BUILD=${BUILD:-build}
here=$(dirname "$0")/corpus
passed=0 failed=0
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT

numbered() { # numbered FLAG STEM: FLAG=STEM0.npy, FLAG=STEM1.npy, ... as far as there are files, one a line
    n=0
    while [ -f "$2$n.npy" ]; do
        echo "$1=$2$n.npy"
        n=$((n + 1))
    done
}

for dir in "$here"/*/; do
    [ -f "${dir}out0.npy" ] || continue
    # names in the corpus have no spaces: the lists are meant to be split
    "$BUILD/bin/tessera" run "${dir}module.mlir" $(numbered --input "${dir}in") $(numbered --expect "${dir}out") >"$tmp/out" 2>"$tmp/error"
    code=$?
    wanted=$(numbered '' "${dir}out" | wc -l)
    if [ $code -eq 0 ] && [ "$(grep -c ' PASS' "$tmp/out")" -eq "$wanted" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL tessera run ${dir}module.mlir (exit code $code)"
        head -n 4 "$tmp/error"
        grep -v PASS "$tmp/out" | head -n 10
    fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
