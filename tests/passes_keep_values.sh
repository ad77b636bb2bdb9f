#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# passes_keep_values.sh - every pass of tests/passes.list on every program of the corpus: results on the reference
# evaluator are the same before and after, bit for bit. Arguments: programs (folders with module.mlir and in*.npy);
# none: all of tests/corpus. PASSES: another list.
. "$(dirname "$0")/common.sh"
here=$(dirname "$0")
list=${PASSES:-$here/passes.list}

fail() { # fail WHAT: with the first lines of the error
    bad "$dir: $1" 3
}

[ $# -gt 0 ] || set -- "$here"/corpus/*/
for dir in "$@"; do
    dir=${dir%/}
    [ -f "$dir/module.mlir" ] && [ -f "$dir/in0.npy" ] || continue
    rm -rf "$tmp/before"
    mkdir "$tmp/before"
    if ! "$BUILD/bin/tessera" run --engine=reference "$dir/module.mlir" $(numbered --input "$dir/in") --output="$tmp/before" 2>"$tmp/error"; then
        fail 'does not run'
        continue
    fi
    while read -r how flags; do
        case $how in ''|'#'*) continue ;; esac
        rm -rf "$tmp/after"
        mkdir "$tmp/after"
        if ! "$BUILD/bin/tessera" opt "$dir/module.mlir" $flags -o "$tmp/module.mlir" 2>"$tmp/error"; then
            fail "opt $flags"
        elif [ "$how" != same ]; then
            if "$BUILD/bin/tessera" run --engine=reference "$tmp/module.mlir" $(numbered --input "$dir/in") \
                   $(numbered --expect "$tmp/before/out") >"$tmp/error" 2>&1; then
                good
            else
                fail "$flags changes results"
            fi
        elif ! "$BUILD/bin/tessera" run --engine=reference "$tmp/module.mlir" $(numbered --input "$dir/in") --output="$tmp/after" 2>"$tmp/error"; then
            fail "does not run after $flags"
        elif diff -r "$tmp/before" "$tmp/after" >"$tmp/error"; then
            good
        else
            fail "$flags changes results"
        fi
    done <"$list"
done
counts && [ $passed -gt 0 ]
