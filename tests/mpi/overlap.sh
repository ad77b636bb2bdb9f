#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# overlap.sh - gradients that are under way while others are computed: a transport that delivers late (sockets.c) hardly makes the step longer, and results have the
# bytes of threads. Six sums that wait for each other would take twelve times the delay; side by side they take it twice.
. "$(dirname "$0")/sockets.sh"
train=$here/tests/mpi/train.mlir
"$tessera" run "$train" --spmd --input=random --output="$tmp/threads" >"$tmp/out" 2>"$tmp/error" || bad 'a step on threads' 3

TESSERA_TEST_DELAY=100 sockets 2 "$train" --spmd --input=random --threads=1 --timeout=60s --timing --dump-program --output="$tmp/ranks" >"$tmp/out" 2>"$tmp/error" || bad 'a step on ranks' 5
if diff -r "$tmp/threads" "$tmp/ranks" >"$tmp/diff" 2>&1; then good; else bad "a step on ranks: $(head -n 1 "$tmp/diff")"; fi
# Each starts where its gradient is there, before the product that makes the next one, and none ends before all have started.
order=$(sed -n 's/^[0-9]* \(start\|done\|contract\|other\|collective\) .*/\1/p' "$tmp/error" | uniq | tr '\n' ' ')
want='contract start contract start contract start contract start contract start contract start done '
if [ "$order" = "$want" ]; then good; else bad "the order is $order"; fi
waited=$(sed -n 's/^ *\([0-9]*\)\.[0-9]* *of it, waiting for ranks.*/\1/p' "$tmp/error")
if [ "${waited:-9999}" -lt 700 ]; then good; else bad "the step waits for ${waited:-?} ms: not less than half of 1200" 20; fi
counts
