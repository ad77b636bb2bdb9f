#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# eval.sh - the programs of the corpus give XLA's results: each is run on its stored arguments, as text and as the
# artifact that JAX exported, and every result must be within the tolerance of its element type. Arguments: further
# flags of the runs.
. "$(dirname "$0")/common.sh"
here=$(dirname "$0")/corpus

for f in "$here"/*/module.mlir "$here"/*/module.mlirbc "$here"/shard_map/*/module.mlir "$here"/shard_map/*/module.mlirbc; do
    dir=${f%/*}/
    [ -f "${dir}out0.npy" ] && [ -f "$f" ] || continue
    # names in the corpus have no spaces: word splitting is intended
    "$BUILD/bin/tessera" run "$f" "$@" $(numbered --input "${dir}in") $(numbered --expect "${dir}out") >"$tmp/out" 2>"$tmp/error"
    code=$?
    wanted=$(numbered '' "${dir}out" | wc -l)
    if [ $code -eq 0 ] && [ "$(grep -c ' PASS' "$tmp/out")" -eq "$wanted" ]; then
        good
    else
        bad "tessera run $f $* (exit code $code)" 4
        grep -v PASS "$tmp/out" | head -n 10
    fi
done
counts && [ $passed -gt 0 ]
