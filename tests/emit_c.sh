#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# emit_c.sh - programs as C: emitted, compiled, run, and compared bit for bit with the engine's strict mode.
#
#     sh tests/emit_c.sh FILE...    these modules
#                    --slice        some models and random programs, as in make check
#                    --all          all models and PROGRAMS=200 random programs, of which more than 100 are emitted
#                    --print        each with its sizes
BUILD=${BUILD:-build}
CC=${EMIT_CC:-cc}
CFLAGS=${EMIT_CFLAGS:--std=c99 -Wall -Wextra -pedantic -Werror -O2 -march=native -ffp-contract=off}
T=$BUILD/bin/tessera
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
failed=0 passed=0 refused=0

# A module that returns its arguments, with the types listed at the top of the emitted text: its results are the inputs.
identity() {
    awk '/^ \*     in\[/ { t[n++] = $3 } /^#include/ { exit }
        END {
            printf "func.func @main("
            for (i = 0; i < n; i++) printf "%s%%a%d: tensor<%s>", i ? ", " : "", i, t[i]
            printf ") -> ("
            for (i = 0; i < n; i++) printf "%stensor<%s>", i ? ", " : "", t[i]
            printf ") {\n  return "
            for (i = 0; i < n; i++) printf "%s%%a%d", i ? ", " : "", i
            printf " : "
            for (i = 0; i < n; i++) printf "%stensor<%s>", i ? ", " : "", t[i]
            print "\n}"
        }' "$1"
}

fail() {
    echo "FAIL $1: $2"
    failed=$((failed + 1))
}

one() { # one FILE
    rm -rf "$dir/w"
    mkdir -p "$dir/w/in" "$dir/w/engine" "$dir/w/c"
    w=$dir/w
    if ! $T compile "$1" --emit=c --weights="$w/weights.bin" -o "$w/model.c" 2> "$w/errors"; then
        if grep -q 'written as C' "$w/errors"; then
            refused=$((refused + 1))
            [ -n "$print" ] && echo "refused $1: $(grep -m1 'written as C' "$w/errors")"
        else
            fail "$1" "$(head -3 "$w/errors")"
        fi
        return
    fi
    # shellcheck disable=SC2086
    if ! $CC $CFLAGS -DTESSERA_MAIN "$w/model.c" -o "$w/model" -lm 2> "$w/errors"; then
        fail "$1" "does not compile: $(head -5 "$w/errors")"
        return
    fi
    n=$(sed '/^#include/q' "$w/model.c" | grep -c '^ \*     in\[')
    inputs=
    i=0
    while [ $i -lt "$n" ]; do
        inputs="$inputs $w/in/out$i.npy"
        i=$((i + 1))
    done
    if [ "$n" -gt 0 ]; then
        identity "$w/model.c" > "$w/identity.mlir"
        $T run "$w/identity.mlir" --input=random --seed="${SEED:-1}" --output="$w/in" 2> "$w/errors" || { fail "$1" "no inputs: $(head -3 "$w/errors")"; return; }
    fi
    flags=
    for f in $inputs; do flags="$flags --input=$f"; done
    # shellcheck disable=SC2086
    $T run "$1" $flags --strict-rounding --division-by-zero=ignore --output="$w/engine" 2> "$w/errors" || { fail "$1" "engine: $(head -3 "$w/errors")"; return; }
    # shellcheck disable=SC2086
    "$w/model" --weights="$w/weights.bin" "$w/c" $inputs 2> "$w/errors" || { fail "$1" "program: $(head -3 "$w/errors")"; return; }
    for f in "$w"/engine/*.npy; do
        cmp "$f" "$w/c/${f##*/}" > "$w/errors" 2>&1 || { fail "$1" "${f##*/} differs: $(cat "$w/errors")"; return; }
    done
    passed=$((passed + 1))
    [ -n "$print" ] && echo "ok $1: $(wc -c < "$w/model.c") bytes of C, $(wc -c < "$w/weights.bin") of weights"
}

# Ops of models: of other ones that the generator knows, many run by the evaluator and are refused.
ops=convolution,dot_general,gather,scatter,reduce_window,add,tanh,concatenate,dynamic_slice,while,case,reduce,transpose,select,pad

random() { # random COUNT: programs of the generator that tests the partitioner, half of them of any ops
    mkdir -p "$dir/random"
    named=stablehlo.$(echo $ops | sed 's/,/,stablehlo./g')
    {
        "$BUILD/bin-test/spmd" --print --count $(($1 / 2)) --seed "${SEED:-1}"
        "$BUILD/bin-test/spmd" --print --count $(($1 - $1 / 2)) --seed "${SEED:-1}" --ops "$named"
    } | awk -v dir="$dir/random" '/^\/\/ ---- program/ { n++ } n { print > (dir "/" n ".mlir") }'
    # Some that the generator prints are no programs: it does without them, too.
    for f in "$dir"/random/*.mlir; do ! $T opt "$f" -o "$dir/read.mlir" 2> "$dir/errors" || one "$f"; done
}

models() { # models NAME...: of the corpus
    for name; do one "tests/corpus/$name/module.mlir"; done
}

print=
for f; do [ "$f" != --print ] || print=1; done
for f; do
    case $f in
    --print) ;;
    --slice)
        CFLAGS="-std=c99 -Wall -Wextra -pedantic -Werror -O1 -march=native -ffp-contract=off"
        models gpt_forward_dp_tp lstm_scan resnet_forward_dp sort_cumsum_gather torch_xla_encoder_layer
        for f in tests/target/c/Inputs/*.mlir tests/exec/few_columns.mlir tests/exec/bytes.mlir tests/exec/scan_blocks.mlir; do one "$f"; done
        random 6
        ;;
    --all)
        for m in tests/corpus/*/module.mlir tests/corpus/large/*.mlir; do one "$m"; done
        random "${PROGRAMS:-200}"
        ;;
    *) one "$f" ;;
    esac
done
echo "emitted C: $passed match, $refused refused, $failed fail"
[ $failed -eq 0 ]
