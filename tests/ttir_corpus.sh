#!/bin/sh
# ttir_corpus.sh - the programs of the corpus, converted to TTIR, still give what XLA gave: each is run on its stored arguments
# and every result must be within the tolerance of its element type. What stays of StableHLO after the pipeline must be
# what TTIR has no form for: the ops of $kept. Arguments: programs; none: all of tests/corpus.
BUILD=${BUILD:-build}
here=$(dirname "$0")
kept='while|return|partition_id'
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

fail() { # fail WHAT: with the first lines of the error
    failed=$((failed + 1))
    echo "FAIL $dir: $1"
    head -n 4 "$tmp/error"
}

[ $# -gt 0 ] || set -- "$here"/corpus/*/
for dir in "$@"; do
    dir=${dir%/}
    [ -f "$dir/module.mlir" ] && [ -f "$dir/out0.npy" ] || continue
    wanted=$(numbered '' "$dir/out" | wc -l)
    for flags in --convert-stablehlo-to-ttir --stablehlo-to-ttir-pipeline; do
        # names in the corpus have no spaces: the lists are meant to be split
        if ! "$BUILD/bin/tessera" opt "$dir/module.mlir" $flags -o "$tmp/module.mlir" 2>"$tmp/error"; then
            fail "opt $flags"
        elif [ "$("$BUILD/bin/tessera" run "$tmp/module.mlir" $(numbered --input "$dir/in") $(numbered --expect "$dir/out") \
                  2>"$tmp/error" | grep -c ' PASS')" -ne "$wanted" ]; then
            fail "$flags changes results"
        else
            passed=$((passed + 1))
        fi
    done
    if grep -oE '= "?stablehlo\.[a-z_]+' "$tmp/module.mlir" | grep -vE "stablehlo\.($kept)\$" >"$tmp/error"; then
        fail 'stays StableHLO'
    elif ! grep -q '"ttir\.' "$tmp/module.mlir"; then
        fail 'has no op of TTIR'
    else
        passed=$((passed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
