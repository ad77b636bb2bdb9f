#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# jax.sh - gradients of the corpus' programs are those that JAX computed (tests/differential/grad.py made the data: cotangents
# ct*.npy, gradients grad*.npy of the arguments whose numbers are in wrt). With -v, prints the comparison of each gradient.
. "$(dirname "$0")/../../common.sh"
here=$(dirname "$0")

for dir in "$here"/jax/*/; do
    name=$(basename "$dir")
    program=$here/../../corpus/$name
    tolerance='--rtol=1e-4 --atol=1e-4'
    if grep -q bf16 "$program/module.mlir"; then tolerance='--rtol=0.02 --atol=0.02'; fi
    # names have no spaces: the lists are meant to be split
    "$BUILD/bin/tessera" grad "$program/module.mlir" --function=main --wrt="$(cat "$dir/wrt")" -o "$tmp/grad.mlir" 2>"$tmp/error" &&
        "$BUILD/bin/tessera" run "$tmp/grad.mlir" --function=main_grad $(numbered --input "$program/in") \
            $(numbered --input "${dir}ct") $(numbered --expect "${dir}grad") $tolerance >"$tmp/out" 2>>"$tmp/error"
    code=$?
    [ "$1" != -v ] || sed "s/^/$name: /" "$tmp/out"
    if [ $code -eq 0 ] && [ "$(grep -c ' PASS' "$tmp/out")" -eq "$(numbered '' "${dir}grad" | wc -l)" ]; then
        good
    else
        bad "gradient of $name (exit code $code)" 4
        grep -v PASS "$tmp/out" | head -n 10
    fi
done
counts && [ $passed -gt 0 ]
