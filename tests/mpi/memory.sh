#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# memory.sh [STEP]: allocations of one rank fail, alone or with all after them, on the transport of tests (sockets.c): the job ends on both ranks, with the exit code of the environment and
# a message that names memory, or does without; nobody crashes or waits for ever, and a rank that fails and goes on to its end has given back what it held. STEP: how far apart those that fail
# are; 1 is every one of the first and many after them.
. "$(dirname "$0")/sockets.sh"
step=${1:-9}
program=$here/tests/mpi/$(basename "${2:-step.mlir}")
flags="${3:---collectives=own}"
tessera=$BUILD/bin-test/rank_memory
export TESSERA_TEST_HEAP=$tmp/heap
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" # it counts by itself

job() { # job RANK:N
    : >"$tmp/heap"
    TESSERA_TEST_FAIL=$1 sockets 2 "$program" --spmd --input=random --threads=1 --timeout=20s $flags >"$tmp/out" 2>"$tmp/error"
}

held() { # held RANK: blocks that it did not give back; nothing: it did not come to its end
    sed -n "s/^$1 [0-9]* [0-9]* //p" "$tmp/heap"
}

job 9:0 || bad 'a job with all the memory that it wants' 5
kept0=$(held 0) kept1=$(held 1)
for rank in 0 1; do
    most=$(sed -n "s/^$rank \([0-9]*\) .*/\1/p" "$tmp/heap")
    for sign in '' -; do
        at=30 # those before it are of ranks that do not know each other yet: whoever starts them ends them
        while [ "$at" -le "${most:-0}" ]; do
            job $rank:$sign$at
            code=$?
            what="allocation $sign$at of rank $rank"
            live0=$(held 0) live1=$(held 1)
            if [ $code -ne 0 ] && [ $code -ne 3 ]; then
                bad "$what: exit code $code" 6
            elif [ $code -eq 3 ] && ! grep -q memory "$tmp/error"; then
                bad "$what: no word of memory" 6
            elif grep -q -e 'ended by signal' -e 'nothing has come for' -e 'have said nothing' "$tmp/error"; then
                bad "$what: crashes or waits" 6
            elif grep -q 'ended before its time' "$tmp/error"; then
                good # a stop leaves what is under way to the end of the process
            elif [ "${live0:-0}" -gt "$kept0" ] || [ "${live1:-0}" -gt "$kept1" ]; then
                bad "$what: ${live0:-?} and ${live1:-?} blocks are held, not $kept0 and $kept1" 3
            else
                good
            fi
            at=$((at + step + at * step / 40))
        done
    done
    job 9:0
done
counts && [ $passed -gt 20 ]
