#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gspmd.sh - programs that JAX exported with Shardy off, with XLA's results (differential/gspmd.py writes both): each is
# run whole and partitioned, as text and as an artifact, and its devices must exchange no more data than XLA's.
. "$(dirname "$0")/common.sh"
here=$(dirname "$0")/shard/Inputs/gspmd
tessera=$BUILD/bin/tessera

try() { # try NAME FILE FLAGS...
    name=$1 file=$2
    shift 2
    tolerance='--rtol=1e-4 --atol=1e-4'
    case $name in bf16 | cholesky) tolerance='--rtol=2e-2 --atol=2e-2' ;; esac
    if $tessera run "$file" "--input=$here/$name.in.npz" "--expect=$here/$name.out.npz" $tolerance "$@" \
        >"$tmp/out" 2>"$tmp/error"; then
        good
    else
        bad "tessera run $file $*" 5
        grep -v PASS "$tmp/out" | head -n 5
    fi
}

for file in "$here"/*.mlir; do
    name=$(basename "$file" .mlir)
    if ! "$BUILD/bin/stablehlo-translate" --serialize --target=current --allow-other-dialects "$file" -o "$tmp/$name.mlirbc" 2>"$tmp/error"; then
        bad "$name: cannot be written as an artifact" 5
        continue
    fi
    try "$name" "$file"
    try "$name" "$file" --spmd --check
    try "$name" "$tmp/$name.mlirbc" --spmd
    theirs=$(sed -n "s/^$name //p" "$here/bytes.txt")
    ours=$($tessera shard --json "$file" 2>"$tmp/error" | awk '
        /"kind": / { at = index($0, "\"bytes\": "); got = index($0, "\"received\": ")
                     if (substr($0, got + 12) + 0 > 0) sum += substr($0, at + 9) + 0 }
        END { print sum + 0 }')
    if [ -n "$theirs" ] && [ "$ours" -le "$theirs" ]; then
        good
    else
        bad "$name: collectives of $ours bytes, and XLA's of '$theirs'" 3
    fi
done
counts && [ $passed -gt 0 ]
