#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# random_inputs.sh - the corpus on meshes, with random inputs as a new user would try it: values grow from layer to
# layer, and the default tolerance must not take another order of summation for an error.
. "$(dirname "$0")/common.sh"
here=$(dirname "$0")/corpus

for f in "$here"/*/module.mlir; do
    grep -q 'sdy.mesh' "$f" || continue
    for seed in 1 2; do
        if "$BUILD/bin/tessera" run "$f" --spmd --check --input=random --seed=$seed >"$tmp/out" 2>"$tmp/error" && ! grep -q FAIL "$tmp/out"; then
            good
        else
            bad "tessera run $f --spmd --check --input=random --seed=$seed" 4
        fi
    done
done
counts && [ $passed -gt 0 ]
