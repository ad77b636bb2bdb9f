#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tcp.sh [RANDOM [FIRST]]: ranks over TCP give the bytes of threads, on any number of them; ranks that die, are stuck, differ or
# cannot start end the job with a message; a list of hosts; flags that are refused. RANDOM: how many random programs.
. "$(dirname "$0")/../common.sh"
here=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=$(cd "$BUILD" && pwd)
tessera=$BUILD/bin/tessera
large=$here/tests/mpi/large.mlir
step=$here/tests/mpi/step.mlir
random=${1:-4} first=${2:-1}

# tcp N FLAGS...: on N ranks of this host, which must all be gone after it.
tcp() {
    n=$1
    shift
    timeout 100 "$tessera" run --spmd --transport=tcp --hosts=$n --timeout=${TIMEOUT:-60s} --threads=1 "$@" >"$tmp/out" 2>"$tmp/error"
}

says() { # says WHAT TEXT...: all of them are in the error
    what=$1
    shift
    for text; do
        grep -q -e "$text" "$tmp/error" || { bad "$what: does not say: $text" 8; return; }
    done
    good
}

for f in reduce parts loop; do
    "$tessera" run "$large" --function=$f --spmd --input=random --output-shards --output="$tmp/$f" >"$tmp/out" 2>"$tmp/error" || bad "$f on threads" 4
    for n in ${RANKS:-2 3 4}; do
        rm -rf "$tmp/ranks"
        tcp $n "$large" --function=$f --input=random --output-shards --output="$tmp/ranks" && diff -r "$tmp/$f" "$tmp/ranks" >"$tmp/error" 2>&1 && good || bad "$f on $n ranks" 8
    done
done

# Random programs.
i=$first
while [ $i -lt $((first + random)) ]; do
    rm -rf "$tmp/threads" "$tmp/ranks"
    "$BUILD/bin-test/spmd" --count 1 --first $i --seed 7 --print >"$tmp/program.mlir" 2>/dev/null
    i=$((i + 1))
    "$tessera" run "$tmp/program.mlir" --spmd --input=random --output="$tmp/threads" >"$tmp/out" 2>"$tmp/error" || continue # zero divisors and such
    grep -q 'no mesh' "$tmp/error" && continue
    if tcp $((2 + i % 3)) "$tmp/program.mlir" --input=random --output="$tmp/ranks" && diff -r "$tmp/threads" "$tmp/ranks" >"$tmp/error" 2>&1; then
        good
    elif ! grep -q 'each runs one at least' "$tmp/error"; then
        bad "program $((i - 1)) of seed 7" 8
    fi
done

# A rank that is killed, at each of its first collectives; and one that is stuck.
for at in 1 3; do
    TESSERA_TEST_KILL=1:$at tcp 2 "$step" --input=random --output="$tmp/none"
    [ $? -ne 0 ] && [ ! -e "$tmp/none" ] || bad "killed at $at: goes on"
    says "killed at $at" "rank 1 was ended by signal 9; the last collective that it came to is 'stablehlo\.[a-z_]*' at .*step.mlir:"
done
TIMEOUT=1s TESSERA_TEST_HANG=1:1 tcp 2 "$step" --input=random
says 'stuck' 'rank 0: nothing has come for 1 s (--timeout)' "waits in 'stablehlo\.[a-z_]*' at .*step.mlir:.* for (0, 2), (0, 3)"

# A list of hosts: each rank is started by somebody else, in any order, on ports that they all know.
port=$((20000 + $$ % 20000))
list=127.0.0.1:$port,127.0.0.1:$((port + 1))
TESSERA_COOKIE=$$ TESSERA_RANK=1 timeout 60 "$tessera" run "$large" --function=reduce --spmd --transport=tcp --hosts=$list --input=random --output-shards --output="$tmp/list" >"$tmp/out" 2>"$tmp/error1" &
sleep 0.1
TESSERA_COOKIE=$$ timeout 60 "$tessera" run "$large" --function=reduce --spmd --transport=tcp --hosts=$list --rank=0 --input=random --output-shards --output="$tmp/list" >"$tmp/out" 2>"$tmp/error"
code=$?
wait $! && [ $code -eq 0 ] && diff -r "$tmp/reduce" "$tmp/list" >>"$tmp/error" 2>&1 && good || bad 'two ranks of a list' 5

# What cannot be.
refuses() { # refuses TEXT FLAGS...
    text=$1
    shift
    timeout 60 "$tessera" run "$step" --spmd --input=random "$@" >"$tmp/out" 2>"$tmp/error" && bad "accepted: $*" || says "$*" "$text"
}
refuses 'needs --hosts' --transport=tcp
refuses 'needs --transport=tcp' --hosts=2
refuses 'there are 1 to' --transport=tcp --hosts=0
refuses 'host:port' --transport=tcp --hosts=a,b --rank=0
refuses 'says which this is' --transport=tcp --hosts=127.0.0.1:1,127.0.0.1:2
refuses "rank '7' is none" --transport=tcp --hosts=127.0.0.1:1,127.0.0.1:2 --rank=7
refuses 'native needs --transport=mpi' --transport=tcp --hosts=2 --collectives=native
refuses 'for 4 devices, and there are 8 ranks' --transport=tcp --hosts=8
refuses 'cannot listen' --transport=tcp --hosts=192.0.2.1:9,127.0.0.1:9 --rank=0
counts && [ $passed -gt 0 ]
