#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh PEERS - the peers' own suites against our tools, and docs/CONFORMANCE.md made from the result.
# PEERS holds checkouts named stablehlo, shardy and tt-mlir. Needs python3 and LLVM's FileCheck for the lit groups.
# With ONLY=<text>, only groups whose name contains it, and no document. With KEEP=<text>, groups whose name contains it are
# not run: the document keeps what it says of them. With REDO=<text>, only those are run, and it keeps the others.
BUILD=${BUILD:-build}
here=$(dirname "$0")
peers=$1
if [ -z "$peers" ] || [ ! -d "$peers" ]; then
    echo 'usage: make conformance PEERS=<folder with checkouts of stablehlo, shardy, tt-mlir>' >&2
    exit 2
fi
peers=$(cd "$peers" && pwd)
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
: >"$tmp/rows"
: >"$tmp/failures"
: >"$tmp/skipped"

# kind | name | files, relative to PEERS (shell patterns) | environment | flags of lit.py
groups() {
    cat <<'TABLE'
roundtrip|StableHLO testdata|stablehlo/stablehlo/testdata|
roundtrip|tt-mlir models|tt-mlir/test/ttmlir/models|
parallel|tt-mlir models, divided among 2 and 8 devices|tt-mlir/test/ttmlir/models|
run|tt-mlir models, run|tt-mlir/test/ttmlir/models|
flatbuffers|tt-mlir models, random programs and systems as flatbuffers|tt-mlir/test/ttmlir/models|
lit|StableHLO ops_*|stablehlo/stablehlo/tests/ops_*.mlir|
lit|StableHLO print_*|stablehlo/stablehlo/tests/print_*.mlir|
lit|StableHLO verify_*|stablehlo/stablehlo/tests/verify_*.mlir|
lit|StableHLO infer_*|stablehlo/stablehlo/tests/infer_*.mlir|
lit|StableHLO future_type|stablehlo/stablehlo/tests/future_type.mlir|
lit|StableHLO replica_groups_mesh_axes|stablehlo/stablehlo/tests/replica_groups_mesh_axes.mlir|
lit|StableHLO canonicalize|stablehlo/stablehlo/tests/canonicalize.mlir|
lit|StableHLO tests/transforms|stablehlo/stablehlo/tests/transforms|
refused|StableHLO tests without their expected errors|stablehlo/stablehlo/tests/*.mlir|
refused|Shardy ir/test without its expected errors|shardy/shardy/dialect/sdy/ir/test/*.mlir|
lit|StableHLO tests/vhlo|stablehlo/stablehlo/tests/vhlo|
lit|StableHLO testdata, run and serialized|stablehlo/stablehlo/testdata|
lit|StableHLO tests/interpret|stablehlo/stablehlo/tests/interpret|
lit|StableHLO tests/math|stablehlo/stablehlo/tests/math|
lit|Shardy convert_global_to_local|shardy/shardy/dialect/sdy/transforms/export/test/convert_global_to_local|FILECHECK_OPTS=-enable-var-scope
lit|Shardy pad_for_divisibility|shardy/shardy/dialect/sdy/transforms/export/test/pad_for_divisibility|FILECHECK_OPTS=-enable-var-scope
lit|Shardy resolve_permutation_factors|shardy/shardy/dialect/sdy/transforms/export/test/resolve_permutation_factors|FILECHECK_OPTS=-enable-var-scope
lit|Shardy executable tests|shardy/shardy/dialect/sdy/transforms/*/test/executable_*|FILECHECK_OPTS=-enable-var-scope
lit|Shardy ir/test|shardy/shardy/dialect/sdy/ir/test|FILECHECK_OPTS=-enable-var-scope
lit|Shardy import|shardy/shardy/dialect/sdy/transforms/import/test|FILECHECK_OPTS=-enable-var-scope
lit|Shardy propagation|shardy/shardy/dialect/sdy/transforms/propagation|FILECHECK_OPTS=-enable-var-scope
lit|Shardy export|shardy/shardy/dialect/sdy/transforms/export/test/*.mlir|FILECHECK_OPTS=-enable-var-scope
lit|Shardy explicit reshards|shardy/shardy/dialect/sdy/transforms/export/test/insert_explicit_reshards|FILECHECK_OPTS=-enable-var-scope
spmd|Shardy functions, run on their meshes|shardy/shardy/dialect/sdy|
lit|tt-mlir Dialect/StableHLO|tt-mlir/test/ttmlir/Dialect/StableHLO|FILECHECK_OPTS=-enable-var-scope
lit|tt-mlir Dialect/TTIR|tt-mlir/test/ttmlir/Dialect/TTIR|FILECHECK_OPTS=-enable-var-scope
lit|tt-mlir Dialect/TTNN|tt-mlir/test/ttmlir/Dialect/TTNN|FILECHECK_OPTS=-enable-var-scope
lit|tt-mlir Conversion/TTIRToTTNN|tt-mlir/test/ttmlir/Conversion/TTIRToTTNN|FILECHECK_OPTS=-enable-var-scope
lit|tt-mlir Conversion/TTNNToTTIR|tt-mlir/test/ttmlir/Conversion/TTNNToTTIR|FILECHECK_OPTS=-enable-var-scope
lit|tt-mlir EmitC|tt-mlir/test/ttmlir/EmitC|FILECHECK_OPTS=-enable-var-scope
lit|tt-mlir EmitPy|tt-mlir/test/ttmlir/EmitPy|FILECHECK_OPTS=-enable-var-scope
lit|tt-mlir Dialect/EmitC|tt-mlir/test/ttmlir/Dialect/EmitC|FILECHECK_OPTS=-enable-var-scope
lit|tt-mlir Dialect/EmitPy|tt-mlir/test/ttmlir/Dialect/EmitPy|FILECHECK_OPTS=-enable-var-scope
lit|tt-mlir Conversion/TTNNToEmitC|tt-mlir/test/ttmlir/Conversion/TTNNToEmitC|FILECHECK_OPTS=-enable-var-scope
lit|tt-mlir Translate|tt-mlir/test/ttmlir/Translate|FILECHECK_OPTS=-enable-var-scope
lit|tt-mlir Dialect/TTCore|tt-mlir/test/ttmlir/Dialect/TTCore|FILECHECK_OPTS=-enable-var-scope
lit|tt-mlir Dialect/TT|tt-mlir/test/ttmlir/Dialect/TT|FILECHECK_OPTS=-enable-var-scope
lit|tt-mlir Transforms|tt-mlir/test/ttmlir/Transforms|FILECHECK_OPTS=-enable-var-scope
lit|tt-mlir Silicon/TTNN|tt-mlir/test/ttmlir/Silicon/TTNN|FILECHECK_OPTS=-enable-var-scope
lit|tt-mlir Silicon/StableHLO|tt-mlir/test/ttmlir/Silicon/StableHLO|FILECHECK_OPTS=-enable-var-scope
lit|tt-mlir Runtime|tt-mlir/test/ttmlir/Runtime|FILECHECK_OPTS=-enable-var-scope
lit|tt-mlir EmitC, up to the binary|tt-mlir/test/ttmlir/EmitC|FILECHECK_OPTS=-enable-var-scope|--without emitc|mlir-to-cpp|target-dylib|FileCheck
lit|tt-mlir Conversion/StableHLOToTTIR|tt-mlir/test/ttmlir/Conversion/StableHLOToTTIR|FILECHECK_OPTS=-enable-var-scope
TABLE
}

# Why a file fails, where its message does not say it: end of its path, or folder/* | reason. With kind: before it, in groups of
# that kind alone.
reasons() {
    cat <<'TABLE'
testdata/sinh_float32_20_20_chlo.mlir|the stored values are up to 6.6 ULP off the true ones; ours are within 1.6
testdata/cosh_float32_20_20_chlo.mlir|the stored value is 4.3 ULP off the true one; ours is within 1
testdata/erf_inv_float32_20_20_chlo.mlir|our decomposition and the stored values are each less than 3 ULP off the true ones, in opposite directions; run as CHLO it passes
op_propagation_registry/gather.mlir|wants a gather with global indices into a part of the table, and the sum of what the devices find: wrong values
op_propagation_registry/scatter.mlir|wants a window of 8 columns written into each device's 8 of 64 columns: wrong values
op_propagation_registry/tt_lang_custom_rule.mlir|wants parts of the operands for a custom call that nobody has a rule for: wrong values
shardy/sdy_ccls_update_shapes.mlir|wants a slice of a value that is sharded already as the composite that cuts along every axis of its result: cut twice, wrong values
StableHLO/stablehlo_fusing_collapse_scatter.mlir|wants row numbers of column 0 for all columns of an argument that may differ by column: wrong values
parallel:single_blocks_and_layers/llama_3_2_3b_tp_decode_two_layers.mlir|on sixteen devices it needs more than 23 GB
TTIR/Transforms/QuantDequantConversion/*|needs the pass that moves dequantization past ops, which is refused by name
TTNN/cpu_hoisted_const_eval/*|wants functions of the host as LLVM IR; ours keep TTIR
TTNN/ttir_to_ttnn_pipeline_hoist_call.mlir|wants functions of the host as LLVM IR; ours keep TTIR
TTNN/dispatch_d2m/*|needs D2M, which is refused by name
TTNN/nd_layout_encoding.mlir|needs kernels of devices in emitc, which are refused
EmitC/TTNN/negative_dim.mlir|has an attribute that tt-mlir's own ttnn.argmax no longer has
EmitPy/trace_ops.mlir|needs traces in Python, which are to come
EmitPy/file_negative.mlir|wants other words for regions of emitpy.file
EmitPy/TTNN/negative_dim.mlir|has an attribute that tt-mlir's own ttnn.argmax no longer has
EmitC/recover_structure_sanity.mlir|needs try-recover-structure, which is to come
EmitPy/recover_structure_sanity.mlir|needs try-recover-structure, which is to come
Translate/TTKernel/*|needs kernels of devices, which are refused by name
Translate/LLVM/*|wants functions of the host as LLVM IR; ours keep TTIR
TTNN/generic/generic_scalar_arg_flatbuffer.mlir|needs ttnn.generic in flatbuffers, which is refused by name
Dialect/TTNN/*|needs passes or rules of TTNN that are to come
Conversion/TTNNToTTIR/*|needs D2M, which is refused by name
Dialect/TTCore/*|needs bufferization of tiles, which is to come
ttmlir/Transforms/*|needs passes of GPU backends or of memory, which are to come
Silicon/TTNN/n150/spatial/*|needs kernels of a device (D2M), which are not made here
Silicon/TTNN/n150/generic_op/*|needs kernels of a device (D2M) or ttnn.generic in flatbuffers
Silicon/TTNN/*|needs passes or rules of TTNN that are to come
Silicon/StableHLO/n300/sdy_automatic_batch_parallel.mlir|its tensors are gigabytes, and the evaluator needs more than a minute for their goldens
Silicon/StableHLO/n300/sdy_presharded.mlir|its tensors are gigabytes, and the evaluator needs more than a minute for their goldens
Silicon/StableHLO/*|needs passes or rules of TTNN that are to come
Runtime/TTNN/*|needs passes or rules of TTNN that are to come
TTIR/metal_layout_misc.mlir|needs kernels of a device (D2M), which are not made here
TTIR/fusing/rotary_embedding/rope.mlir|needs the fusing of rotary embeddings in TTIR, which is to come
TTIR/fusing/topk_fusing.mlir|wants the last elements of a sort to be those of a topk, which come the other way round
TTIR/canonicalize/eltwise_binary_op_fold_tests.mlir|wants remainders of constants with the sign of the divisor, unlike the op's own description
TABLE
}
reasons >"$tmp/reasons"

is_kept() {
    if [ -n "${REDO:-}" ]; then [ "${1#*"$REDO"}" = "$1" ]; else [ -n "${KEEP:-}" ] && [ "${1#*"$KEEP"}" != "$1" ]; fi
}

# section TITLE: what the document says below it
section() {
    awk -v title="### $1" '/^###* / { on = $0 == title; if (on) printf "\n%s\n\n", $0; next } on && NF' docs/CONFORMANCE.md
}

groups | while IFS='|' read -r kind name files environment flags; do
    case $name in *"${ONLY:-}"*) ;; *) continue ;; esac
    if is_kept "$name"; then
        row=$(grep -F "| $name | $kind |" docs/CONFORMANCE.md) || continue # a new group, which has not been run
        echo "$row" >>"$tmp/rows"
        echo "$row" | awk -F'|' '{ print $4 + 0, $5 + 0 }' >>"$tmp/counts"
        section "$name" >>"$tmp/failures"
        section "$name: what cannot run at all" >>"$tmp/skipped"
        continue
    fi
    if [ "$kind" = roundtrip ]; then
        find "$peers/$files" -name '*.mlir' | sort | xargs -P "$jobs" -n 32 sh "$here/roundtrip.sh" "$BUILD/bin/tessera" >"$tmp/out"
    elif [ "$kind" = parallel ]; then
        python3 "$here/data_parallel.py" --bin "$BUILD/bin" "$peers/$files" >"$tmp/out"
    elif [ "$kind" = run ]; then
        table=docs/MODELS.md
        [ -z "${ONLY:-}" ] || table=$tmp/table
        python3 "$here/models.py" --bin "$BUILD/bin" --table "$table" "$peers/$files" >"$tmp/out"
    elif [ "$kind" = flatbuffers ]; then
        BUILD="$BUILD" python3 "$here/flatc.py" "$peers" --random=200 "$peers/$files" >"$tmp/out"
    elif [ "$kind" = spmd ]; then
        python3 "$here/shardy_spmd.py" --bin "$BUILD/bin" --jobs "$jobs" "$peers/$files" >"$tmp/out"
        { printf '\n### %s: what cannot run at all\n\n' "$name"; sed -n 's/^cannot run: \([0-9]*\): \(.*\)/- \1: `\2`/p' "$tmp/out"; } >>"$tmp/skipped"
        grep 'run and equal' "$tmp/out"
    elif [ "$kind" = refused ]; then
        # the pattern is meant to be expanded
        sh "$here/refused.sh" "$(cd "$BUILD/bin" && pwd)" $peers/$files >"$tmp/out"
    else
        # flags are meant to be split, the pattern to be expanded
        env ${environment:+"$environment"} python3 "$here/lit.py" --bin "$BUILD/bin" --list $flags $peers/$files >"$tmp/out" 2>&1
        passed=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed.*/\1/p' "$tmp/out")
        failed=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed.*/\2/p' "$tmp/out")
        if [ -z "$passed" ]; then
            cat "$tmp/out" >&2
            passed=0 failed=1
        fi
    fi
    if [ "$kind" != lit ]; then
        passed=$(grep -c '^ok ' "$tmp/out")
        failed=$(grep -c '^FAIL ' "$tmp/out")
        skipped=$(sed -n 's/^skipped: //p' "$tmp/out")
        if [ -n "$skipped" ]; then
            printf '%-22s skipped: %s\n' "$name" "$skipped"
            echo "| $name | $kind | skipped: $skipped | |" >>"$tmp/rows"
            continue
        fi
        ended=$(tail -n 1 "$tmp/out") # what a script prints last, unless it was ended early
        case $kind:$ended in
        flatbuffers:*' passed, '*' failed') ;;
        flatbuffers:*) failed=$((failed + 1)) && echo "FAIL $files: ended early" >>"$tmp/out" ;;
        esac
        if [ $((passed + failed)) -eq 0 ]; then
            failed=1
            echo "FAIL $files: nothing was run" >>"$tmp/out"
        fi
    fi
    printf '%-22s %6d passed %6d failed\n' "$name" "$passed" "$failed"
    echo "| $name | $kind | $passed | $failed |" >>"$tmp/rows"
    grep '^FAIL ' "$tmp/out" | sed "s|$peers/||g; s|^FAIL ||" | LC_ALL=C sort >"$tmp/failed"
    if [ -s "$tmp/failed" ]; then
        { echo; echo "### $name"; echo; sed 's/`/'"'"'/g; s/^\([^ :]*\):* *\(.*\)$/- \1: `\2`/' "$tmp/failed" | awk -v kind="$kind:" '
            NR == FNR {
                bar = index($0, "|")
                end = substr($0, 1, bar - 1)
                if (index(end, kind) == 1) end = substr(end, length(kind) + 1)
                why[end] = substr($0, bar + 1)
                next
            }
            {
                path = substr($2, 1, length($2) - 1) # "- path: ..."
                best = "" # the longest that fits
                for (end in why)
                    if (length(end) > length(best) && (substr(path, length(path) - length(end) + 1) == end ||
                        (end ~ /\*$/ && index(path, substr(end, 1, length(end) - 1)))))
                        best = end
                if (best != "") $0 = $0 "; " why[best]
                gsub(/\/[^ `]*\/(lit-|tmp)[a-z0-9_]*\//, "") # the folder of a run
                gsub(/_[a-z0-9_]*_tt_mlir_test_/, "tt_mlir_test_")
                print
            }' "$tmp/reasons" -; } >>"$tmp/failures"
    fi
    echo "$passed $failed" >>"$tmp/counts"
done

passed=$(awk '{ n += $1 } END { print n + 0 }' "$tmp/counts")
failed=$(awk '{ n += $2 } END { print n + 0 }' "$tmp/counts")
if [ -z "${ONLY:-}" ]; then
    awk '/^## JAX/, 0' docs/CONFORMANCE.md >"$tmp/jax" # jax.sh makes it
    {
        cat <<'TEXT'
# Conformance

Made by `make conformance PEERS=...`; do not edit. *roundtrip*: the file is accepted, and printing again what was
printed changes nothing. *parallel*: the model computes the same when its batch is divided. *refused*: without its
expected-error lines the file is refused. *run*: `tessera run` runs it with random inputs (MODELS.md has time and memory).
*flatbuffers*: what flatc reads from our file is what `ttrt read` prints, and what flatc writes from that is the same program to us.
*spmd*: each function that can run does so with random inputs on the devices of its meshes, and gives what it gives undivided.
*lit*: every RUN line of the file holds with our tools under the peers' names.
Of testdata: it is run and its results compared with those that are stored in it; and it goes through an artifact unchanged.

| group | kind | passed | failed |
| --- | --- | ---: | ---: |
TEXT
        cat "$tmp/rows"
        echo "| all | | $passed | $failed |"
        if [ -s "$tmp/failures" ] || [ -s "$tmp/skipped" ]; then
            printf '\n## Failing files\n'
            cat "$tmp/failures" "$tmp/skipped"
        fi
        [ ! -s "$tmp/jax" ] || { echo; cat "$tmp/jax"; }
    } >docs/CONFORMANCE.md
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
