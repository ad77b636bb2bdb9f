#!/bin/sh
# dynamic.sh - programs that JAX exported with shapes that are not known (tests/pass/dynamism/Inputs: module.mlir, arguments
# in*.npy with their types, results out*.npy as XLA computed them). As they are, and after each list of passes below, they
# compute the same; after refinement no shape is left open.
. "$(dirname "$0")/common.sh"
here=$(dirname "$0")/pass/dynamism/Inputs
tessera=$BUILD/bin/tessera

check() { # check WHAT MODULE: it computes what XLA computed
    if "$tessera" run "$2" $(numbered --input "$dir/in") $(numbered --expect "$dir/out") >"$tmp/error" 2>&1; then
        good
    else
        bad "$dir: $1" 3
    fi
}

opt() { # opt WHAT FLAGS...: module.mlir after passes, in $tmp/module.mlir
    what=$1
    shift
    "$tessera" opt "$dir/module.mlir" "$@" -o "$tmp/module.mlir" 2>"$tmp/error" && return 0
    bad "$dir: $what" 3
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
            bad "$dir: shapes are left open"
        fi
    fi
    opt 'refined, types only' --stablehlo-refine-arguments="types=$types" --tessera-infer-types \
        --stablehlo-canonicalize-dynamism && { grep -q '@stablehlo.dynamic_' "$tmp/module.mlir" || check 'types only' "$tmp/module.mlir"; }
    opt 'inferred' --tessera-infer-types && { grep -q '@stablehlo.dynamic_' "$tmp/module.mlir" || check 'inferred' "$tmp/module.mlir"; }
done
counts && [ $passed -gt 0 ]
