#!/bin/sh
# passes_keep_values.sh - every pass of tests/passes.list on every program of the corpus: what is computed before and after is
# the same. Arguments: programs (folders with module.mlir and in*.npy); none: all of tests/corpus. PASSES: another list.
BUILD=${BUILD:-build}
here=$(dirname "$0")
list=${PASSES:-$here/passes.list}
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
    head -n 3 "$tmp/error"
}

[ $# -gt 0 ] || set -- "$here"/corpus/*/
for dir in "$@"; do
    dir=${dir%/}
    [ -f "$dir/module.mlir" ] && [ -f "$dir/in0.npy" ] || continue
    rm -rf "$tmp/before"
    mkdir "$tmp/before"
    if ! "$BUILD/bin/tessera" run "$dir/module.mlir" $(numbered --input "$dir/in") --output="$tmp/before" 2>"$tmp/error"; then
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
            if "$BUILD/bin/tessera" run "$tmp/module.mlir" $(numbered --input "$dir/in") \
                   $(numbered --expect "$tmp/before/out") >"$tmp/error" 2>&1; then
                passed=$((passed + 1))
            else
                fail "$flags changes results"
            fi
        elif ! "$BUILD/bin/tessera" run "$tmp/module.mlir" $(numbered --input "$dir/in") --output="$tmp/after" 2>"$tmp/error"; then
            fail "does not run after $flags"
        elif diff -r "$tmp/before" "$tmp/after" >"$tmp/error"; then
            passed=$((passed + 1))
        else
            fail "$flags changes results"
        fi
    done <"$list"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
