#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tt_pipeline.sh - the sharded programs of the corpus also give XLA's results after ttmlir-opt --stablehlo-pipeline:
# local shapes and collectives, on as many virtual devices as their mesh has. So they do after conversion to TTIR,
# inside ttir.mesh_shard; arguments are whole there, since arguments given in parts could not be compared. The output of
# tessera shard also runs on its devices.
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
    [ -f "${dir}out0.npy" ] && grep -q 'sdy.mesh @' "$f" || continue
    "$BUILD/bin/ttmlir-opt" --stablehlo-pipeline "$f" -o "$tmp/local.mlir" 2>"$tmp/error"
    compare local
    "$BUILD/bin/tessera" shard "$f" -o "$tmp/parts.mlir" >/dev/null 2>"$tmp/error"
    compare parts
    # Collectives of the program's own may go along several axes, which no op of TTIR does.
    grep -q 'replica_groups' "$f" && continue
    sed 's/presharded/unsharded/g' "$tmp/local.mlir" >"$tmp/whole.mlir"
    "$BUILD/bin/ttmlir-opt" --stablehlo-to-ttir-pipeline "$tmp/whole.mlir" -o "$tmp/ttir.mlir" 2>>"$tmp/error"
    compare ttir
done
counts && [ $passed -gt 0 ]
