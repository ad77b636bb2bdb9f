#!/bin/sh
# tt_pipeline.sh - the sharded programs of the corpus give what XLA gave after ttmlir-opt --stablehlo-pipeline, too: local
# shapes and collectives, on as many virtual devices as their mesh has. The pipeline's collectives name devices, which
# StableHLO says by use_global_device_ids. And so they do once they are TTIR, with ttir.mesh_shard around; arguments are whole
# there, as those that are given in parts could not be compared.
. "$(dirname "$0")/common.sh"
here=$(dirname "$0")/corpus

compare() { # compare NAME: runs NAME.mlir on the program's arguments; names in the corpus have no spaces
    if "$BUILD/bin/tessera" run "$tmp/$1.mlir" $(numbered --input "${dir}in") $(numbered --expect "${dir}out") \
        >"$tmp/out" 2>>"$tmp/error"; then
        good
    else
        bad "$f: $1"
        grep -m 4 error "$tmp/error"
        grep -v PASS "$tmp/out" | head -n 10
    fi
}

for f in "$here"/*/module.mlir; do
    dir=${f%/*}/
    [ -f "${dir}out0.npy" ] && [ "$(grep -c 'sdy.mesh @' "$f")" -eq 1 ] || continue
    "$BUILD/bin/ttmlir-opt" --stablehlo-pipeline "$f" 2>"$tmp/error" |
        sed -e 's/xi64>}>/xi64>, use_global_device_ids}>/' \
            -e 's/\(scatter_dimension = [0-9]* : i64\)}>/\1, use_global_device_ids}>/' >"$tmp/local.mlir"
    compare local
    sed 's/presharded/unsharded/g' "$tmp/local.mlir" >"$tmp/whole.mlir"
    "$BUILD/bin/ttmlir-opt" --stablehlo-to-ttir-pipeline "$tmp/whole.mlir" -o "$tmp/ttir.mlir" 2>>"$tmp/error"
    compare ttir
done
counts && [ $passed -gt 0 ]
