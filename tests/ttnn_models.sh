#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ttnn_models.sh [--write FILE] [--lines FILE] [--mesh=AxB] [--seconds=N] [--bytes=N] PATH... - TTIR programs lowered to
# TTNN compute the same as before.
#
# Each .mlir file below the paths goes through --ttir-to-ttnn-backend-pipeline and is compared with its TTIR on the same
# random inputs (tessera run --against), with default tolerances. If bf16 alone makes the difference - a sum in another
# order, an index of two equal numbers, a kernel that takes nothing wider - the program is tried again with all bf16 as
# f32, without workarounds and narrower weights; the table says whether the results of the first run correlate (0.99).
# They need not if a workaround pads a tile of a cache. With --small, sizes of vocabularies become 512. --mesh: after
# --ttir-automatic-data-parallelization on that mesh.
# --lines: the table is made from these lines, which runs on parts of the programs printed.
# --seconds, --bytes: limits of one run. The table has one line for each program; --write puts it between the marks <!--
# ttnn models --> and <!-- /ttnn models --> of FILE (with --mesh: <!-- ttnn models AxB -->). Fails if a program differs.
cd "$(dirname "$0")/.." || exit 3
BUILD=${BUILD:-build}
out= small= options= mesh= seconds=600 bytes= lines=
while :; do
    case "${1:-}" in
    --write) out=$2 && shift 2 ;;
    --lines) lines=$2 && shift 2 ;;
    --small) small=yes && shift ;;
    --mesh=*) mesh=${1#*=} && shift ;;
    --seconds=*) seconds=${1#*=} && shift ;;
    --bytes=*) bytes=--max-bytes=${1#*=} && shift ;;
    *) break ;;
    esac
done
[ $# -gt 0 ] || [ -n "$lines" ] || { echo "usage: $0 [--write FILE] [--lines FILE] [--mesh=AxB] [--seconds=N] [--bytes=N] PATH..." >&2 && exit 2; }
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
equal=0 differ=0 refused=0
reason() { # the first error, without its place
    sed -n 's/.*error: //p' "$tmp/error" | head -n 1 | cut -c 1-120 | tr '|' '/'
}
lower() { # lower FILE: to $tmp/ttnn.mlir, and what it is lowered from to $tmp/ttir.mlir
    cp "$1" "$tmp/ttir.mlir"
    if [ -n "$mesh" ]; then
        "$BUILD/bin/tessera" opt --ttir-automatic-data-parallelization="mesh-shape=$(echo "$mesh" | tr x ,)" "$1" \
            -o "$tmp/ttir.mlir" 2>"$tmp/error" || return 1
    fi
    "$BUILD/bin/tessera" opt --ttir-to-ttnn-backend-pipeline="$options" "$tmp/ttir.mlir" -o "$tmp/ttnn.mlir" 2>"$tmp/error"
}
correlates() { # what differs correlates with what it should be; indices need not
    awk '/FAIL/ && $2 ~ /f(16|32)$/ && ($6 == "-" || ($6 != "n/a" && $6 < 0.99)) { bad = 1 } END { exit bad }' "$tmp/out"
}
beside() { # beside FILE OTHER: on inputs in the types of FILE
    "$BUILD/bin/tessera" run "$1" --input=random --against="$2" --max-seconds="$seconds" $bytes >"$tmp/out" 2>"$tmp/error"
}
compare() { # 0: equal, 1: differs, 2: does not run
    beside "$tmp/ttnn.mlir" "$tmp/ttir.mlir" && return 0
    # Truth values are bf16 on a device, which has more numbers.
    grep -q 'has numbers that are not there' "$tmp/error" && beside "$tmp/ttir.mlir" "$tmp/ttnn.mlir" && return 0
    grep -q ' FAIL' "$tmp/out" && return 1
    return 2
}
{
    echo '| program | ops of TTNN | |'
    echo '| --- | ---: | --- |'
} >"$tmp/table"
: >"$tmp/files"
[ $# -eq 0 ] || find "$@" -name '*.mlir' ! -path '*/Inputs/*' | sort >"$tmp/files"
if [ -n "$lines" ]; then
    grep '^| ' "$lines" | sort | tee -a "$tmp/table"
    equal=$(grep -c '| equal' "$lines") differ=$(grep -c '| differs' "$lines") refused=$(grep -cE '\| (not lowered|does not run)' "$lines")
fi
while read -r file; do
    name=$(basename "$file" .mlir) ops=- options=
    if [ -n "$small" ]; then
        sed -E -f tests/small_vocabulary.sed "$file" >"$tmp/small.mlir"
        file=$tmp/small.mlir
    fi
    if ! lower "$file"; then
        refused=$((refused + 1)) verdict="not lowered: $(reason)"
    else
        ops=$(grep -c '"ttnn\.' "$tmp/ttnn.mlir")
        compare
        code=$?
        verdict=equal
        if [ $code -eq 1 ]; then
            correlates && how='in bf16 it correlates' || how='workarounds change what nobody asked for'
            sed -e 's/bf16/f32/g' -e 's/ttcore.weight_dtype = "[a-z0-9_]*"/ttcore.kept/g' "$file" >"$tmp/wide.mlir"
            options=disable-workarounds=true
            lower "$tmp/wide.mlir" && compare
            code=$?
            verdict="equal in f32; $how"
        fi
        case $code in
        0) equal=$((equal + 1)) ;;
        1) differ=$((differ + 1)) verdict="differs: $(grep -m 1 ' FAIL' "$tmp/out" | sed 's/.*FAIL: //' | cut -c 1-100)" ;;
        *) refused=$((refused + 1)) verdict="does not run: $(reason)" ;;
        esac
    fi
    echo "| $name | $ops | $verdict |" | tee -a "$tmp/table"
done <"$tmp/files"
echo "$equal equal, $differ differ, $refused are not lowered or do not run"
if [ -n "$out" ]; then
    {
        echo
        echo "$equal equal, $differ differ, $refused are not lowered or do not run."
    } >>"$tmp/table"
    awk -v table="$tmp/table" -v mark="ttnn models${mesh:+ $mesh}" '
        !inside { print }
        $0 == "<!-- " mark " -->" { inside = 1; while ((getline line < table) > 0) print line }
        $0 == "<!-- /" mark " -->" { inside = 0; print }' "$out" >"$tmp/new" && cat "$tmp/new" >"$out"
fi
[ "$differ" -eq 0 ]
