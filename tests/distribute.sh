#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# distribute.sh - the corpus' programs with meshes, distributed to local tensors with collectives of Graph IR (named
# groups, lists of devices, raised to Graph IR first): on as many virtual devices they must compute the same.
. "$(dirname "$0")/common.sh"
here=$(dirname "$0")/corpus

for f in "$here"/*/module.mlir; do
    dir=${f%/*}/
    grep -q 'sdy.mesh' "$f" && [ -f "${dir}out0.npy" ] || continue
    for flags in --tessera-distribute=remarks=false '--tessera-distribute=nccl=true remarks=false' \
            '--stablehlo-to-tessera;--tessera-distribute=remarks=false'; do
        second=${flags#*;}
        first=${flags%"$second"}
        if ! "$BUILD/bin/tessera" opt "$f" ${first%;} "$second" -o "$tmp/local.mlir" 2>"$tmp/error"; then
            bad "tessera opt $f $first $second" 4
        elif grep -q 'stablehlo\.\(all_\|reduce_scatter\|collective\)' "$tmp/local.mlir"; then
            bad "$f $first $second: a collective of StableHLO is left"
        elif "$BUILD/bin/tessera" run "$tmp/local.mlir" --spmd $(numbered --input "${dir}in") $(numbered --expect "${dir}out") \
                >"$tmp/error" 2>&1; then
            good
        else
            bad "$f $first $second" 10
        fi
    done
done
counts && [ $passed -gt 0 ]
