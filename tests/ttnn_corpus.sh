#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ttnn_corpus.sh [--write FILE] [PROGRAM...] - the programs of the corpus, converted to TTIR and lowered to TTNN, give
# XLA's results.
#
# Each program runs on its stored arguments unchanged, compared with XLA's results, and as TTNN, compared with the first
# run, on arguments in the types that the lowering chose (tessera run --expect --against). Without workarounds the
# tolerances are those of the program's types; with them, kernels that only take bf16 get bf16, and results must
# correlate with the others (0.99). Programs with parts that TTIR cannot express cannot be lowered: those of $kept.
# --write puts a table of the others between the marks <!-- ttnn corpus --> and <!-- /ttnn corpus --> of FILE.
. "$(dirname "$0")/common.sh"
here=$(dirname "$0")
kept='stablehlo.while|stablehlo.partition_id|stablehlo.all_reduce|replica_groups'
out=
[ "${1:-}" = --write ] && out=$2 && shift 2
[ $# -gt 0 ] || set -- "$here"/corpus/*/
equal=0
beside() { # beside NAME: NAME.mlir gives what the program and XLA give
    "$BUILD/bin/tessera" run "$dir/module.mlir" $(numbered --input "$dir/in") $(numbered --expect "$dir/out") \
        --against="$tmp/$1.mlir" >"$tmp/out" 2>"$tmp/error"
}
correlates() { # the last run gave results, and those that differ correlate with what they should be
    grep -q FAIL "$tmp/out" && awk '/FAIL/ && ($6 == "-" || ($6 != "n/a" && $6 < 0.99)) { bad = 1 } END { exit bad }' "$tmp/out"
}
{
    echo '| program | why it is not run as TTNN |'
    echo '| --- | --- |'
} >"$tmp/table"
for dir in "$@"; do
    dir=${dir%/}
    [ -f "$dir/module.mlir" ] && [ -f "$dir/out0.npy" ] || continue
    # Fusing replaces the gelu of tanh by that of erf, as tt-mlir does: programs that have it are compared without
    # fusing.
    options=
    grep -q 'stablehlo.tanh' "$dir/module.mlir" && options='enable-fusing-pass=false'
    # names in the corpus have no spaces: word splitting is intended
    if ! "$BUILD/bin/ttmlir-opt" --stablehlo-to-ttir-pipeline "$dir/module.mlir" -o "$tmp/ttir.mlir" 2>"$tmp/error" ||
        ! "$BUILD/bin/ttmlir-opt" --ttir-to-ttnn-backend-pipeline="disable-workarounds=true $options" "$tmp/ttir.mlir" \
            -o "$tmp/ttnn.mlir" 2>"$tmp/error" ||
        ! "$BUILD/bin/ttmlir-opt" --ttir-to-ttnn-backend-pipeline "$tmp/ttir.mlir" -o "$tmp/default.mlir" 2>"$tmp/error"; then
        why=$(sed -n 's/.*error: //p' "$tmp/error" | head -n 1 | cut -c 1-100 | tr '|' '/')
        echo "| ${dir##*/} | $why |" >>"$tmp/table"
        if grep -qE "$kept" "$dir/module.mlir"; then good; else bad "$dir: not lowered: $why"; fi
    elif beside ttnn && { beside default || correlates; }; then
        equal=$((equal + 1))
        good
    elif grep -q 'xi8>' "$dir/module.mlir"; then # a device has no signed bytes
        echo "| ${dir##*/} | its i8 is u8 on the device: what is negative becomes 0 |" >>"$tmp/table"
        good
    else
        bad "$dir: TTNN differs" 4
        grep FAIL "$tmp/out" | cut -c 1-160 | head -n 3
    fi
done
echo "$equal programs of the corpus run as TTNN and give what XLA gave"
if [ -n "$out" ]; then
    {
        echo
        echo "$equal programs run as TTNN and give what XLA gave."
    } >>"$tmp/table"
    awk -v table="$tmp/table" '
        !inside { print }
        $0 == "<!-- ttnn corpus -->" { inside = 1; while ((getline line < table) > 0) print line }
        $0 == "<!-- /ttnn corpus -->" { inside = 0; print }' "$out" >"$tmp/new" && cat "$tmp/new" >"$out"
fi
counts && [ "$passed" -gt 0 ]
