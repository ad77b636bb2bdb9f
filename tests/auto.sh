#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# auto.sh - `tessera shard --auto` on the corpus: the shardings of each case with a mesh are removed; within the memory
# that the original ones need, the search must find shardings that move no more bytes and take no longer. The program
# must then compute the same (`tessera run --auto --check`).
. "$(dirname "$0")/common.sh"
here=$(dirname "$0")
tool=$BUILD/bin/tessera

number() { # number NAME FILE: the first number of this name
    sed -n 's/.*"'"$1"'": \([-0-9.e+]*\).*/\1/p' "$2" | head -n 1
}

for f in "$here"/corpus/*/module.mlir "$here"/corpus/shard_map/*/module.mlir "$here"/corpus/large/*.mlir; do
    [ -f "$f" ] && grep -q 'sdy\.mesh' "$f" || continue
    "$tool" simulate "$f" --json >"$tmp/own" 2>"$tmp/error" || { bad "tessera simulate $f" 3; continue; }
    [ "$(number devices "$tmp/own")" -gt 1 ] || continue
    memory=$(number peak_bytes "$tmp/own")
    if ! "$tool" shard "$f" --auto --pins=all --memory="$memory" --json >"$tmp/found" 2>"$tmp/error"; then
        bad "tessera shard $f --auto --memory=$memory" 3
        continue
    fi
    grep '"plan"' "$tmp/found" >"$tmp/plan"
    if awk -v a="$(number received_bytes "$tmp/plan")" -v b="$(number received_bytes "$tmp/own")" \
        -v s="$(number step_seconds "$tmp/plan")" -v t="$(number step_seconds "$tmp/own")" \
        'BEGIN { print a " of " b " bytes, " s " of " t " s"; exit !(a <= b && s <= t * 1.000001) }' >"$tmp/verdict"; then
        good
    else
        bad "$f: $(cat "$tmp/verdict")"
    fi
    [ -z "$VERBOSE" ] || echo "$f: $(cat "$tmp/verdict")"
    if "$tool" run "$f" --auto --auto-memory="$memory" --check --input=random >"$tmp/out" 2>"$tmp/error"; then
        good
    else
        bad "tessera run $f --auto --auto-memory=$memory --check" 5
        grep -v PASS "$tmp/out" | head -n 5
    fi
done

counts
