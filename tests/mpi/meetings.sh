#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# meetings.sh - many small collectives of ranks with several devices and threads, by a transport that delivers late: the bytes of threads. Under a thread sanitizer it
# shows what the thread of communication shares with those that compute. No MPI is needed.
. "$(dirname "$0")/sockets.sh"
program=$here/tests/mpi/Inputs/meetings.mlir
"$tessera" run "$program" --spmd --input=random --output="$tmp/threads" >"$tmp/out" 2>"$tmp/error" || bad 'on threads' 4
for delay in 0 1; do
    rm -rf "$tmp/ranks"
    if TESSERA_TEST_DELAY=$delay sockets 2 "$program" --spmd --timeout=60s --threads=2 --repeat=3 --input=random --output="$tmp/ranks" >"$tmp/out" 2>"$tmp/error" &&
        diff -r "$tmp/threads" "$tmp/ranks" >"$tmp/error" 2>&1; then good; else bad "messages that take $delay ms" 20; fi
done
counts
