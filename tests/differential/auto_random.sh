#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# auto_random.sh - random programs (those of build/bin-test/spmd) computed with the shardings that the search finds, and undivided: the same numbers.
#
#     tests/differential/auto_random.sh [COUNT [FIRST]]
. "$(dirname "$0")/../common.sh"
count=${1:-2000} first=${2:-0}

"$BUILD/bin-test/spmd" --print --count "$count" --first "$first" 2>"$tmp/error" |
    awk -v dir="$tmp" '/^\/\/ ---- program / { close(file); file = dir "/p" $4 ".mlir"; next } file { print > file }'
for f in "$tmp"/p*.mlir; do
    [ -s "$f" ] || continue
    if grep -q 'func @main()' "$f"; then input=; else input=--input=random; fi
    "$BUILD/bin/tessera" run "$f" $input >/dev/null 2>"$tmp/error" || { bad "$(basename "$f") does not run" 4; continue; }
    n=$((n + 1))
    # Computations that are manual keep the meshes that they are on.
    if grep -q 'sdy.manual_computation' "$f"; then mesh=; else
        case $((n % 3)) in 0) mesh=--mesh=x=2,y=2 ;; 1) mesh=--mesh=x=2 ;; *) mesh=--devices=4 ;; esac
    fi
    "$BUILD/bin/tessera" run "$f" --auto $mesh --time=20s --strict-rounding --check $input --rtol=0.13 --atol=0.1 >"$tmp/out" 2>"$tmp/error"
    case $? in
    0) good ;;
    1) if grep -q 'no mesh of several devices\|there is nothing to shard' "$tmp/error"; then good; else
        # What fails with its own shardings, too, says nothing of the search.
        if [ -z "$mesh" ] && ! "$BUILD/bin/tessera" run "$f" --spmd --check $input >/dev/null 2>&1; then continue; fi
        bad "$(basename "$f") $mesh" 4
        [ -z "$KEEP" ] || cp "$f" "$KEEP"
    fi ;;
    *) bad "$(basename "$f") $mesh" 4; [ -z "$KEEP" ] || cp "$f" "$KEEP" ;;
    esac
done
[ "$passed" -gt 0 ] || bad 'no programs'
counts
