#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# flatbuffer.sh - the TTIR and StableHLO programs of our tests as flatbuffers, if the pipelines to TTNN and to commands
# of TTMetal's host accept them. After writing, reading and writing again, each field of each table is the same, and so
# is the module. Then their bytes are mutated: an invalid flatbuffer must be refused with a message. Small ones also
# run: each op must be within its tolerance of the golden result in the binary, and of the evaluator on the same inputs.
. "$(dirname "$0")/common.sh"
cd "$(dirname "$0")/.." || exit 3
opt=$BUILD/bin/ttmlir-opt
translate=$BUILD/bin/ttmlir-translate
ttrt=$(cd "$BUILD" && pwd)/bin/ttrt
least=70 # programs that must be there
ran=0
metal=0

fields() { # fields FILE: what it says but for texts of the module
    "$ttrt" read "$1" 2>/dev/null | grep -vE '^ *"(source|debug_info|loc_info|program_hash)": "'
}

run() { # run NAME LOWERED: with goldens, when it is one program that the evaluator takes
    if "$translate" --ttnn-to-flatbuffer --goldens-from="$2" "$2" -o "$tmp/golden.ttnn" 2>/dev/null; then
        # In the temporary folder, since programs may write files to the current one (debug.memory_snapshot).
        if (cd "$tmp" && "$ttrt" run golden.ttnn --enable-golden --result-file=result.json >error 2>&1); then
            good
            ran=$((ran + 1))
            cp "$2" "$tmp/one.mlir"
        else
            bad "$1: values are off" 6
        fi
    fi
}

judge() { # judge NAME LOWERED KIND END: ttnn ttnn, or ttmetal ttm
    to=--$3-to-flatbuffer from=--flatbuffer-to-$3
    [ "$3" = ttnn ] || from="$from --mlir-print-debuginfo" # which is in the text of functions, too
    if ! "$translate" $to "$2" -o "$tmp/a.$4" 2>"$tmp/error"; then
        grep -q ': error: ' "$tmp/error" || bad "$1: refused without a message" 4
    elif ! "$translate" $from "$tmp/a.$4" -o "$tmp/back.mlir" 2>"$tmp/error"; then
        bad "$1: not read" 4
    elif ! "$translate" $to "$tmp/back.mlir" -o "$tmp/b.$4" 2>"$tmp/error"; then
        bad "$1: not written again" 4
    elif ! "$translate" $from "$tmp/b.$4" 2>"$tmp/error" | sed "s|/b\\.$4|/a.$4|g" | cmp -s - "$tmp/back.mlir"; then
        bad "$1: another module the second time"
    else
        fields "$tmp/a.$4" >"$tmp/a.json"
        fields "$tmp/b.$4" >"$tmp/b.json"
        if ! cmp -s "$tmp/a.json" "$tmp/b.json"; then
            diff "$tmp/a.json" "$tmp/b.json" >"$tmp/error"
            bad "$1: other fields the second time" 6
        else
            good
            mkdir -p "$tmp/kept"
            cp "$tmp/a.$4" "$tmp/kept/$passed.$4"
        fi
    fi
}

for f in $(find tests/lower tests/eval tests/seeds tests/pass/ttir tests/target -name '*.mlir' | sort | xargs grep -lE '"?(ttir|ttnn|stablehlo)\.'); do
    flags=
    ! grep -q 'stablehlo\.' "$f" || flags=--stablehlo-to-ttir-pipeline
    if "$opt" "$f" $flags --ttir-to-ttnn-backend-pipeline -o "$tmp/lowered.mlir" 2>/dev/null; then
        judge "$f" "$tmp/lowered.mlir" ttnn ttnn
        case $f in
        tests/seeds/*) ;; # large
        *) run "$f" "$tmp/lowered.mlir" ;;
        esac
    fi
    case $f in
    tests/target/*|tests/eval/*|tests/lower/ttir/*)
        if "$opt" "$f" $flags --ttir-to-ttmetal-host-pipeline -o "$tmp/lowered.mlir" 2>/dev/null; then
            judge "$f" "$tmp/lowered.mlir" ttmetal ttm
            metal=$((metal + 1))
        fi
        ;;
    esac
done
[ "$metal" -ge 20 ] || bad "only $metal programs are commands of TTMetal"
[ "$ran" -ge 30 ] || bad "only $ran programs were run"
[ "$passed" -ge $least ] || bad "only $passed programs were there"
set -- $(ls "$tmp"/kept/*.ttnn | awk 'NR % 4 == 1') $(ls "$tmp"/kept/*.ttm | awk 'NR % 4 == 1')
if "$BUILD/bin-test/mutate" --count "${MUTATIONS:-500}" --seed "${MUTATION_SEED:-1}" --save "$tmp/mutants" "$@" >"$tmp/error" 2>&1; then
    good
else
    bad 'mutated' 20
fi
# Where memory ends, each command ends with a message.
enough() { # enough COMMAND...: it works, or says why not
    "$@" >/dev/null 2>"$tmp/error"
    code=$?
    if [ $code -eq 0 ] || { [ $code -eq 3 ] && grep -q 'memory' "$tmp/error"; }; then good; else bad "exit code $code: $*" 6; fi
}
first=$(ls "$tmp"/kept/*.ttnn | head -n 1)
for bytes in 1000 30000 100000 200000 400000 800000 1600000 3200000 6400000; do
    enough "$translate" --ttnn-to-flatbuffer "$tmp/one.mlir" --goldens-from="$tmp/one.mlir" -o "$tmp/less.ttnn" --max-bytes=$bytes
    enough "$translate" --flatbuffer-to-ttnn "$first" --max-bytes=$bytes
    enough "$ttrt" read "$first" --max-bytes=$bytes
    enough "$ttrt" run "$first" --enable-golden --max-bytes=$bytes --result-file="$tmp/result.json"
    enough "$ttrt" perf "$first" --artifact-dir="$tmp/artifacts" --max-bytes=$bytes --result-file="$tmp/result.json"
done
counts && [ "$passed" -gt 0 ]
