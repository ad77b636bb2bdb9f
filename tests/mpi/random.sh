#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# random.sh COUNT [FIRST]: random programs of tests/differential/spmd give the same bytes on two ranks of MPI as on threads.
. "$(dirname "$0")/mpi.sh"
count=${1:-200} i=${2:-1}
tessera=$BUILD/bin/tessera
end=$((i + count))
while [ $i -lt $end ]; do
    rm -rf "$tmp/threads" "$tmp/ranks"
    "$BUILD/bin-test/spmd" --count 1 --first $i --seed 7 --print >"$tmp/program.mlir" 2>/dev/null
    i=$((i + 1))
    "$tessera" run "$tmp/program.mlir" --spmd --input=random --output="$tmp/threads" >"$tmp/out" 2>"$tmp/error" || continue # zero divisors and such
    grep -q 'no mesh' "$tmp/error" && continue
    for kind in $kinds; do
        if ranks $kind 2 "$tessera" run "$tmp/program.mlir" --spmd --transport=mpi --timeout=120s --input=random --output="$tmp/ranks" >"$tmp/out" 2>"$tmp/error" &&
            diff -r "$tmp/threads" "$tmp/ranks" >"$tmp/error" 2>&1; then
            good
        elif grep -q 'each runs one at least' "$tmp/error"; then
            :
        else
            bad "program $((i - 1)) of seed 7 ($kind)" 8
        fi
    done
done
counts && [ $passed -gt 0 ]
