#!/bin/sh
# eval.sh - the programs of the corpus give what XLA gave: each is run on its stored arguments, as text and as the artifact
# that JAX exported, and every result must be within the tolerance of its element type.
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

for f in "$here"/*/module.mlir "$here"/*/module.mlirbc; do
    dir=${f%/*}/
    [ -f "${dir}out0.npy" ] && [ -f "$f" ] || continue
    # names in the corpus have no spaces: the lists are meant to be split
    "$BUILD/bin/tessera" run "$f" $(numbered --input "${dir}in") $(numbered --expect "${dir}out") >"$tmp/out" 2>"$tmp/error"
    code=$?
    wanted=$(numbered '' "${dir}out" | wc -l)
    if [ $code -eq 0 ] && [ "$(grep -c ' PASS' "$tmp/out")" -eq "$wanted" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL tessera run $f (exit code $code)"
        head -n 4 "$tmp/error"
        grep -v PASS "$tmp/out" | head -n 10
    fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
