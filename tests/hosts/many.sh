#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# many.sh [RANKS...]: 64 devices on so many processes over TCP, 8 and 16 by default, give the bytes of threads; and a small sum takes
# log2(RANKS) messages of each rank, not RANKS - 1.
. "$(dirname "$0")/../common.sh"
here=$(cd "$(dirname "$0")/../.." && pwd)
tessera=$BUILD/bin/tessera
program=$here/tests/hosts/many.mlir
[ $# -gt 0 ] || set -- 8 16

# many RANKS FUNCTION: into $tmp/ranks, with the messages of each rank in $tmp/count.
many() {
    rm -rf "$tmp/ranks" "$tmp/count"
    TESSERA_TEST_MESSAGES=$tmp/count timeout 250 "$tessera" run "$program" --function=$2 --spmd --transport=tcp --hosts=$1 --timeout=120s --threads=1 --input=random --output-shards --output="$tmp/ranks" >"$tmp/out" 2>"$tmp/error"
}

for f in main little none; do
    "$tessera" run "$program" --function=$f --spmd --input=random --output-shards --output="$tmp/$f" >"$tmp/out" 2>"$tmp/error" || bad "$f on threads" 4
done
for n; do
    for f in main none little; do
        many $n $f && diff -r "$tmp/$f" "$tmp/ranks" >"$tmp/error" 2>&1 && good || bad "$f on $n ranks" 8
        sort -n -k 3 "$tmp/count" | awk '{ print $3 }' >"$tmp/count.$f" 2>>"$tmp/error"
    done
    rounds=0
    while [ $((1 << rounds)) -lt $n ]; do rounds=$((rounds + 1)); done
    # Four sums; messages besides those of the program are the same.
    each=$(paste "$tmp/count.none" "$tmp/count.little" | awk '{ print ($2 - $1) / 4 }' | sort -u)
    [ "$each" = $rounds ] && good || bad "$n ranks: a small sum takes '$each' messages of a rank, not $rounds" 0
done
counts && [ $passed -gt 0 ]
