#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ttnn_mutations.sh [PROGRAM...] - errors of a lowering to TTNN are detected: each program (default:
# tests/lower/ttnn/Inputs) is lowered, and tests/lower/ttnn/mutate.c introduces one error after the other. Verification,
# the checks before a run, the memory of the device or a comparison with the TTIR must detect each of them, and nothing
# in the unchanged program. From the environment: BUILD, CC.
. "$(dirname "$0")/common.sh"
cd "$(dirname "$0")/.." || exit 3
CC=${CC:-cc}
wanted=50
[ $# -gt 0 ] && wanted=1 || set -- tests/lower/ttnn/Inputs/*.mlir
flags='-std=c11 -O1 -Iinclude -Isrc -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -DTSR_BUILD=1'
san=$(sed -n 's/.*\(-fsanitize=[a-z,]*\).*/\1/p' "$BUILD/flags")
lapack=
grep -q TSR_LAPACK "$BUILD/flags" && lapack=${LAPACK_LIBS:--llapack -lblas}
$CC $flags $san tests/lower/ttnn/mutate.c "$BUILD/libtessera-internal.a" $lapack -lm -lpthread -ldl -o "$tmp/mutate" || exit 3

found=0
compare() { # compare FILE: it computes what $program computes
    "$BUILD/bin/tessera" run "$1" --input=random --device-memory --against="$program" >"$tmp/out" 2>"$tmp/error"
}
for program in "$@"; do
    name=${program##*/}
    if ! "$BUILD/bin/ttmlir-opt" --ttir-to-ttnn-backend-pipeline "$program" -o "$tmp/ttnn.mlir" 2>"$tmp/error"; then
        bad "$name is not lowered" 4
        continue
    fi
    if compare "$tmp/ttnn.mlir"; then good; else bad "$name differs without a mistake" 4; fi
    "$tmp/mutate" "$tmp/ttnn.mlir" >"$tmp/list" || bad "$name has no mistakes to make"
    while read -r number what; do
        if ! "$tmp/mutate" "$tmp/ttnn.mlir" "$number" >"$tmp/wrong.mlir" 2>"$tmp/error"; then
            bad "$name: $what: cannot be made" 4
        elif cmp -s "$tmp/wrong.mlir" "$tmp/ttnn.mlir" || compare "$tmp/wrong.mlir"; then
            bad "$name: $what: nobody finds it"
        elif [ "$?" -gt 2 ]; then
            bad "$name: $what: no verdict" 4
        else
            found=$((found + 1))
            good
        fi
    done <"$tmp/list"
done
echo "$found mistakes found"
[ "$found" -ge "$wanted" ] || bad "only $found mistakes of $wanted"
counts
