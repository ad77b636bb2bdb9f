#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# large.sh - collectives of many bytes on two, three and four ranks of four devices give the bytes of threads, whoever makes their results; with the transport's
# own ones what moves bytes does, and reductions are close.
. "$(dirname "$0")/mpi.sh"
tessera=$BUILD/bin/tessera
program=$here/tests/mpi/large.mlir
for f in reduce parts loop; do
    "$tessera" run "$program" --function=$f --spmd --input=random --output-shards --output="$tmp/$f" >"$tmp/out" 2>"$tmp/error" || bad "$f on threads" 4
    for kind in $kinds; do
        for n in ${RANKS:-2 4 3}; do
            rm -rf "$tmp/ranks"
            if ranks $kind $n "$tessera" run "$program" --function=$f --spmd --transport=mpi --timeout=60s --threads=1 --input=random --output-shards --output="$tmp/ranks" >"$tmp/out" 2>"$tmp/error" &&
                diff -r "$tmp/$f" "$tmp/ranks" >"$tmp/error" 2>&1; then good; else bad "$f on $n ranks ($kind)" 8; fi
        done
        # One device a rank, where all meet: the transport's own, up to rounding.
        rm -rf "$tmp/whole"
        "$tessera" run "$program" --function=$f --spmd --input=random --output="$tmp/whole" >"$tmp/out" 2>"$tmp/error" || bad "$f on threads" 4
        if ranks $kind 4 "$tessera" run "$program" --function=$f --spmd --transport=mpi --collectives=native --timeout=60s --threads=1 --input=random --atol=0.01 $(numbered --expect "$tmp/whole/out") >"$tmp/out" 2>"$tmp/error"; then good; else bad "$f by $kind" 8; fi
    done
done
counts
