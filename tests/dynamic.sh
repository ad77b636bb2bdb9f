#!/bin/sh
# dynamic.sh - programs that JAX exported with shapes that are not known (tests/pass/dynamism/Inputs: module.mlir, arguments
# in*.npy with their types, results out*.npy as XLA computed them). As they are, and after each list of passes below, they
# compute the same; after refinement no shape is left open.
BUILD=${BUILD:-build}
here=$(dirname "$0")/pass/dynamism/Inputs
tessera=$BUILD/bin/tessera
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

check() { # check WHAT MODULE: it computes what XLA computed
    if "$tessera" run "$2" $(numbered --input "$dir/in") $(numbered --expect "$dir/out") >"$tmp/error" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $dir: $1"
        head -n 3 "$tmp/error"
    fi
}

opt() { # opt WHAT FLAGS...: module.mlir after passes, in $tmp/module.mlir
    what=$1
    shift
    "$tessera" opt "$dir/module.mlir" "$@" -o "$tmp/module.mlir" 2>"$tmp/error" && return 0
    failed=$((failed + 1))
    echo "FAIL $dir: $what"
    head -n 3 "$tmp/error"
    return 1
}

for dir in "$here"/*; do
    types=$(cat "$dir/types")
    # What StableHLO has no op for runs only when its shapes are known.
    grep -q '@stablehlo.dynamic_' "$dir/module.mlir" || check 'as it is' "$dir/module.mlir"
    if opt refined --inline --stablehlo-refine-arguments="types=$types" --stablehlo-refine-shapes \
           --stablehlo-canonicalize-dynamism --stablehlo-check-shape-assertions; then
        check refined "$tmp/module.mlir"
        if grep -q 'tensor<[^>]*?' "$tmp/module.mlir"; then
            failed=$((failed + 1))
            echo "FAIL $dir: shapes are left open"
        fi
    fi
    opt 'refined, types only' --stablehlo-refine-arguments="types=$types" --tessera-infer-types \
        --stablehlo-canonicalize-dynamism && { grep -q '@stablehlo.dynamic_' "$tmp/module.mlir" || check 'types only' "$tmp/module.mlir"; }
    opt 'inferred' --tessera-infer-types && { grep -q '@stablehlo.dynamic_' "$tmp/module.mlir" || check 'inferred' "$tmp/module.mlir"; }
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
