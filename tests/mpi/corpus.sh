#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# corpus.sh RANKS [MOST]: programs of the corpus that have a mesh give the same bytes on ranks of MPI as on threads, and what XLA gave. MOST: so many of
# them at most.
. "$(dirname "$0")/mpi.sh"
n=${1:-2} most=${2:-1000}
tessera=$BUILD/bin/tessera

for f in "$here"/tests/corpus/*/module.mlir "$here"/tests/corpus/shard_map/*/module.mlir "$here"/tests/corpus/large/*.mlir; do
    dir=${f%/*}/
    case $f in
    */large/*) given=--input=random expected= ;;
    *) given=$(numbered --input "${dir}in") expected=$(numbered --expect "${dir}out") ;;
    esac
    [ -n "$given" ] || given=--input=random
    rm -rf "$tmp/threads"
    # names in the corpus have no spaces: the lists are meant to be split
    "$tessera" run "$f" --spmd --engine=compiled $given --output="$tmp/threads" >"$tmp/out" 2>"$tmp/error" || continue
    grep -q 'no mesh' "$tmp/error" && continue
    [ $most -gt 0 ] || break
    tried=
    for kind in $kinds; do
        rm -rf "$tmp/ranks"
        if ranks $kind "$n" "$tessera" run "$f" --spmd --transport=mpi --timeout=120s $given $expected --output="$tmp/ranks" >"$tmp/out" 2>"$tmp/error"; then
            if diff -r "$tmp/threads" "$tmp/ranks" >"$tmp/diff" 2>&1; then good; else bad "$f on $n ranks ($kind): $(head -n 1 "$tmp/diff")"; fi
            tried=yes
        elif grep -q 'each runs one at least' "$tmp/error"; then
            : # fewer devices than ranks
        else
            bad "$f on $n ranks ($kind)" 6
        fi
    done
    [ -z "$tried" ] || most=$((most - 1))
done
counts && [ $passed -gt 0 ]
