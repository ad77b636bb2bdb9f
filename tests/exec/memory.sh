#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# memory.sh [--print] - the planned memory of the programs of the corpus: at most 1.05 times what is alive at one time. --print
# shows all.
. "$(dirname "$0")/../common.sh"
here=$(dirname "$0")/../corpus

for f in "$here"/*/module.mlir "$here"/shard_map/*/module.mlir "$here"/large/*.mlir; do
    "$BUILD/bin/tessera" run "$f" --engine=compiled --threads=1 --input=random --dump-program --output "$tmp/out.npz" >"$tmp/out" 2>"$tmp/error"
    line=$(sed -n 's/^program of @[^:]*: \([0-9]*\) steps, arena \([0-9]*\) bytes (at least \([0-9]*\)).*/\1 \2 \3/p' "$tmp/error")
    # the three numbers are meant to be split
    set -- ${1:+"$1"} $line
    print=
    [ "${1:-}" != --print ] || { print=yes; shift; }
    [ -z "$print" ] || echo "${f#"$here"/}: ${1:-?} steps, arena ${2:-?} bytes, at least ${3:-?}"
    if [ $# -eq 3 ] && [ $(($2 * 100)) -le $(($3 * 105)) ]; then
        good
    else
        bad "$f: arena $line" 4
    fi
    set -- ${print:+--print}
done
counts && [ $passed -gt 0 ]
