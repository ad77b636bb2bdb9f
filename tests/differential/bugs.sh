#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bugs.sh - proves that the random test of the partitioner finds mistakes: builds its rules with seeded bugs (TSR_BUG in
# src/shard), turns them on one by one, and wants a failing program for each and none without.
# From the environment: BUILD, CC. Needs the objects of the library; sources are compiled in its batches (src/batches.awk).
BUILD=${BUILD:-build}
CC=${CC:-cc}
D=$BUILD/bugs
passed=0 failed=0
mkdir -p "$D"

flags='-std=c11 -O1 -g -Iinclude -Isrc -I. -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -DTSR_BUILD=1 -DTSR_SEEDED_BUGS=1'
san=$(sed -n 's/.*\(-fsanitize=[a-z,]*\).*/\1/p' "$BUILD/flags")
batches=$(tr ' ' '\n' <"$BUILD/objects" | sed -n "s|^$BUILD/obj/\(src/shard/.*\)[.]o$|$BUILD/gen/\1.c|p")
files=$(for f in $(grep -rl --include='*.c' TSR_BUG src/shard); do grep -l "\"$f\"" $batches; done | sort -u)
count=$(grep -rho --include='*.c' 'TSR_BUG([0-9]*)' src/shard | sort -u | wc -l)
objects=
for f in $files tests/differential/spmd/*.c; do
    o=$D/$(echo "$f" | tr / _).o
    objects="$objects $o"
    [ "$o" -nt "$f" ] && [ "$o" -nt "$BUILD/libtessera-internal.a" ] && [ "$o" -nt tests/differential/spmd/program.h ] && continue
    $CC $flags $san -c "$f" -o "$o" || exit 3
done
# The rest of the library comes from the archive, which gives only what these objects do not have.
lapack=
grep -q TSR_LAPACK "$BUILD/flags" && lapack=${LAPACK_LIBS:--llapack -lblas}
$CC $san -o "$D/spmd" $objects "$BUILD/libtessera-internal.a" $lapack -lm -lpthread -ldl || exit 3

if [ "$count" -eq 0 ]; then
    echo "no seeded bugs in src/shard"
    exit 1
fi

# Programs depend on the compiler, which chooses the order of random numbers: most bugs are found by a few thousand, with clang 19
# one by 22,108. Without a bug other parts of make check run more programs.
try_bug() {
    [ "$1" -gt 0 ] && count_of=40000 || count_of=1000
    "$D/spmd" --bug "$1" --cells 1 --count "$count_of" --failures 1 >"$D/log$1" 2>&1
    echo $? >"$D/code$1"
}

n=0
while [ "$n" -le "$count" ]; do
    try_bug "$n" &
    [ "$n" -eq "$count" ] || try_bug $((n + 1))
    wait
    n=$((n + 2))
done
n=0
while [ "$n" -le "$count" ]; do
    code=$(cat "$D/code$n")
    if { [ "$n" -eq 0 ] && [ "$code" -eq 0 ]; } || { [ "$n" -gt 0 ] && [ "$code" -eq 1 ]; }; then
        passed=$((passed + 1))
        [ "$n" -eq 0 ] || echo "bug $n: $(sed -n 's/^program \([0-9]*\) fails/found by program \1/p' "$D/log$n")"
    else
        failed=$((failed + 1))
        echo "bug $n: exit code $code"
        tail -n 5 "$D/log$n"
    fi
    n=$((n + 1))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
