#!/bin/sh
# tt_pipeline.sh - the sharded programs of the corpus give what XLA gave after ttmlir-opt --stablehlo-pipeline, too: local
# shapes and collectives, on as many virtual devices as their mesh has. The pipeline's collectives name devices, which
# StableHLO says by use_global_device_ids. And so they do once they are TTIR, with ttir.mesh_shard around; arguments are whole
# there, as those that are given in parts could not be compared.
BUILD=${BUILD:-build}
here=$(dirname "$0")/corpus
passed=0 failed=0
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT

numbered() { # numbered FLAG STEM: FLAG=STEM0.npy, FLAG=STEM1.npy, ... as far as there are files, one a line
    n=0
    while [ -f "$2$n.npy" ]; do
        echo "$1=$2$n.npy"
        n=$((n + 1))
    done
}

compare() { # compare NAME: runs NAME.mlir on the program's arguments; names in the corpus have no spaces
    if "$BUILD/bin/tessera" run "$tmp/$1.mlir" $(numbered --input "${dir}in") $(numbered --expect "${dir}out") \
        >"$tmp/out" 2>>"$tmp/error"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $f: $1"
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
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
