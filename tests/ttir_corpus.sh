#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ttir_corpus.sh - the programs of the corpus, converted to TTIR, still give XLA's results: each is run on its stored
# arguments and every result must be within the tolerance of its element type. StableHLO ops that remain after the
# pipeline must be those that TTIR cannot express: the ops of $kept. Arguments: programs; none: all of tests/corpus.
. "$(dirname "$0")/common.sh"
here=$(dirname "$0")
kept='while|return|partition_id'

fail() { # fail WHAT: with the first lines of the error
    bad "$dir: $1" 4
}

[ $# -gt 0 ] || set -- "$here"/corpus/*/
for dir in "$@"; do
    dir=${dir%/}
    [ -f "$dir/module.mlir" ] && [ -f "$dir/out0.npy" ] || continue
    wanted=$(numbered '' "$dir/out" | wc -l)
    for flags in --convert-stablehlo-to-ttir --stablehlo-to-ttir-pipeline; do
        # names in the corpus have no spaces: word splitting is intended
        if ! "$BUILD/bin/tessera" opt "$dir/module.mlir" $flags -o "$tmp/module.mlir" 2>"$tmp/error"; then
            fail "opt $flags"
        elif [ "$("$BUILD/bin/tessera" run "$tmp/module.mlir" $(numbered --input "$dir/in") $(numbered --expect "$dir/out") \
                  2>"$tmp/error" | grep -c ' PASS')" -ne "$wanted" ]; then
            fail "$flags changes results"
        else
            good
        fi
    done
    if grep -oE '= "?stablehlo\.[a-z_]+' "$tmp/module.mlir" | grep -vE "stablehlo\.($kept)\$" >"$tmp/error"; then
        fail 'stays StableHLO'
    elif ! grep -q '"ttir\.' "$tmp/module.mlir"; then
        fail 'has no op of TTIR'
    else
        good
    fi
done
counts && [ $passed -gt 0 ]
