#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# corpus.sh - we print what JAX printed with MLIR, byte for byte: module.mlir under the name stablehlo-opt, the module
# that Shardy propagated under sdy_opt. JAX adds one blank line at the end. The generic form is a fixpoint too, and
# converting it back gives the same module. Our propagation gives the same shardings as Shardy's.
. "$(dirname "$0")/common.sh"
here=$(dirname "$0")/corpus
: >"$tmp/got"
: >"$tmp/again"

same() { # same WHAT WANTED GOT, after a command that ended with $?
    code=$?
    if [ $code -eq 0 ] && cmp -s "$2" "$3"; then
        good
    else
        bad "$1 (exit code $code)" 4
        diff "$2" "$3" | head -n 10
    fi
}

trim() { # without a blank line at the end
    awk 'NR > 1 { print last } { last = $0 } END { if (last != "") print last }' "$1"
}

for f in "$here"/*/*.mlir "$here"/shard_map/*/*.mlir; do
    tool=$BUILD/bin/stablehlo-opt
    [ "${f##*/}" = propagated.mlir ] && tool=$BUILD/bin/sdy_opt
    trim "$f" >"$tmp/wanted"
    "$tool" "$f" >"$tmp/printed" 2>"$tmp/error" && trim "$tmp/printed" >"$tmp/got"
    same "$tool $f" "$tmp/wanted" "$tmp/got"
    "$tool" --mlir-print-op-generic "$f" >"$tmp/generic" 2>"$tmp/error" &&
        "$tool" --mlir-print-op-generic "$tmp/generic" >"$tmp/again" 2>"$tmp/error"
    same "$tool --mlir-print-op-generic $f, twice" "$tmp/generic" "$tmp/again"
    "$tool" "$tmp/generic" >"$tmp/back" 2>"$tmp/error"
    same "$tool $f, from the generic form" "$tmp/printed" "$tmp/back"
done

for d in "$here"/*/; do
    [ -f "$d/propagated.mlir" ] || continue
    trim "$d/propagated.mlir" >"$tmp/wanted"
    "$BUILD/bin/sdy_opt" --sdy-propagation-pipeline "$d/module.mlir" >"$tmp/printed" 2>"$tmp/error" &&
        trim "$tmp/printed" >"$tmp/got"
    same "sdy_opt --sdy-propagation-pipeline $d/module.mlir" "$tmp/wanted" "$tmp/got"
done
counts
