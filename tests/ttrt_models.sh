#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ttrt_models.sh [--write FILE] [--lines FILE] [--small] [--seconds=N] PATH... - binaries of programs run within the
# tolerance of each of their ops.
#
# Each .mlir file below the paths (TTIR, or StableHLO) is lowered to TTNN. Its binary has a golden result for each op:
# the first result of the evaluator on random inputs. `ttrt run` then runs it whole, compiled, and compares: integers
# exactly, f32 within 1e-4, bf16 and block formats, and values computed from them, by correlation (0.99). With --small,
# sizes of vocabularies become 512. --lines: the table is made from these lines, which runs on parts of the programs
# printed. --seconds: the limit of one run. The table has one line for each program; --write puts it between the marks
# <!-- ttrt models --> and <!-- /ttrt models --> of FILE. Fails if a value is outside its tolerance.
cd "$(dirname "$0")/.." || exit 3
BUILD=${BUILD:-build}
out= small= seconds=600 lines=
while :; do
    case "${1:-}" in
    --write) out=$2 && shift 2 ;;
    --lines) lines=$2 && shift 2 ;;
    --small) small=yes && shift ;;
    --seconds=*) seconds=${1#*=} && shift ;;
    *) break ;;
    esac
done
[ $# -gt 0 ] || [ -n "$lines" ] || { echo "usage: $0 [--write FILE] [--lines FILE] [--small] [--seconds=N] PATH..." >&2 && exit 2; }
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0 refused=0
number() { # number NAME: the sum of a field of the results
    sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" "$tmp/result.json" | awk '{ n += $1 } END { print n + 0 }'
}
reason() { # the first error, without its place
    sed -n 's/.*error: //p' "$tmp/error" | head -n 1 | cut -c 1-120 | tr '|' '/'
}
write_binary() { # write_binary FILE: as $tmp/program.ttnn, with goldens
    flags=
    ! grep -q 'stablehlo\.' "$1" || flags=--stablehlo-to-ttir-pipeline
    "$BUILD/bin/ttmlir-opt" $flags --ttir-to-ttnn-backend-pipeline "$1" -o "$tmp/lowered.mlir" 2>"$tmp/error" &&
        "$BUILD/bin/ttmlir-translate" --ttnn-to-flatbuffer --goldens-from="$tmp/lowered.mlir" --max-seconds="$seconds" \
            "$tmp/lowered.mlir" -o "$tmp/program.ttnn" 2>"$tmp/error"
}
{
    echo '| program | values | off | without golden | |'
    echo '| --- | ---: | ---: | ---: | --- |'
} >"$tmp/table"
: >"$tmp/files"
[ $# -eq 0 ] || find "$@" -name '*.mlir' ! -path '*/Inputs/*' | sort >"$tmp/files"
if [ -n "$lines" ]; then
    grep '^| ' "$lines" | sort | tee -a "$tmp/table"
    passed=$(grep -c '| within tolerance' "$lines") failed=$(grep -c '| off' "$lines") refused=$(grep -cE '\| (no binary|does not run)' "$lines")
fi
while read -r file; do
    name=$(basename "$file" .mlir) values=- off=- missing=-
    if [ -n "$small" ]; then
        sed -E -f tests/small_vocabulary.sed "$file" >"$tmp/small.mlir"
        file=$tmp/small.mlir
    fi
    if ! write_binary "$file"; then
        refused=$((refused + 1)) verdict="no binary: $(reason)"
    else
        missing=$(sed -n 's/.*remark: \([0-9]*\) values have no golden.*/\1/p' "$tmp/error" | head -n 1)
        "$BUILD/bin/ttrt" run "$tmp/program.ttnn" --max-seconds="$seconds" --result-file="$tmp/result.json" >"$tmp/out" 2>"$tmp/error"
        code=$?
        values=$(number compared) off=$(number off) missing=$((${missing:-0} + $(number goldens_unmatched)))
        case $code in
        0) passed=$((passed + 1)) verdict='within tolerance' ;;
        42) failed=$((failed + 1)) verdict="off: $(sed -n 's/.*; //p' "$tmp/out" | head -n 1 | cut -c 1-120 | tr '|' '/')" ;;
        *) refused=$((refused + 1)) verdict="does not run: $(reason)" ;;
        esac
    fi
    echo "| $name | $values | $off | $missing | $verdict |" | tee -a "$tmp/table"
done <"$tmp/files"
summary="$passed within tolerance, $failed off, $refused have no binary or do not run"
echo "$summary"
if [ -n "$out" ]; then
    printf '\n%s.\n' "$summary" >>"$tmp/table"
    awk -v table="$tmp/table" '
        !inside { print }
        $0 == "<!-- ttrt models -->" { inside = 1; while ((getline line < table) > 0) print line }
        $0 == "<!-- /ttrt models -->" { inside = 0; print }' "$out" >"$tmp/new" && cat "$tmp/new" >"$out"
fi
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
