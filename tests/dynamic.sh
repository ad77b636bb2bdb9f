#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# dynamic.sh - programs that JAX exported with dynamic shapes (tests/pass/dynamism/Inputs: module.mlir, arguments
# in*.npy with their types, results out*.npy computed by XLA). They must compute the same unchanged and after each list
# of passes below; after refinement all shapes are static.
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
    # Computations for which StableHLO has no op run only with static shapes.
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
