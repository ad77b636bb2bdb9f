#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# native.sh - the transport's own collectives (--collectives=native) of groups of ranks, by the transport of tests: which groups have them, and results that are those of
# threads up to rounding. No MPI is needed; large.sh has the same on MPI.
. "$(dirname "$0")/sockets.sh"
program=$here/tests/mpi/large.mlir

# run FUNCTION RANKS: into told; results are compared.
native() {
    rm -rf "$tmp/told" "$tmp/whole"
    : >"$tmp/told"
    "$tessera" run "$program" --function=$1 --spmd --input=random --output="$tmp/whole" >"$tmp/out" 2>"$tmp/error" || bad "$1 on threads" 4
    if TESSERA_TEST_NATIVE=$tmp/told sockets $2 "$program" --function=$1 --spmd --collectives=native --timeout=60s --threads=1 --input=random --atol=0.01 \
        $(numbered --expect "$tmp/whole/out") >"$tmp/out" 2>"$tmp/error"; then good; else bad "$1 on $2 ranks" 8; fi
}
# told WHAT LINES: the collectives of the last run, in any order.
told() {
    printf '%s' "${2:+$2
}" | sort >"$tmp/want"
    sort "$tmp/told" | diff "$tmp/want" - >"$tmp/error" && good || bad "$1: other groups than these" 12
}

# Each rank has one device: groups of all, in another order, and of two and two. No reduction of bf16, and of bodies of several ops.
native reduce 4
told 'sums on 4 ranks' 'reduce 3 1 0 2
reduce 0 1 2 3
reduce 0 1 2 3
reduce 0 1 2 3'
native parts 4
told 'parts on 4 ranks' 'gather 0 1 2 3
gather 2 0
gather 1 3
scatter 0 3 1 2
scatter 0 2
scatter 3 1
exchange 0 2
exchange 3 1'
# Two devices each: groups that have one of each rank, which are two for the same ranks.
native parts 2
told 'parts on 2 ranks' 'gather 1 0
gather 0 1
scatter 0 1
scatter 1 0
exchange 0 1
exchange 1 0'
# Steps one after the other have the groups of the first; three ranks of which one has two devices.
native loop 4
told 'a loop on 4 ranks' "$(yes 'reduce 0 1 2 3' | head -n 6)"
native reduce 3
told 'sums on 3 ranks' ''
native parts 3
told 'parts on 3 ranks' 'gather 2 0
gather 1 2
scatter 0 2
scatter 2 1
exchange 0 2
exchange 2 1'
counts
