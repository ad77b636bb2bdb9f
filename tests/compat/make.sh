#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# make.sh - writes the files of tests/compat/Inputs/VERSION with the build at hand: once for each release, before it. Files of
# earlier versions are not written again: tests/compat.sh reads them with the newest build.
cd "$(dirname "$0")/../.." || exit 3
bin=$PWD/${BUILD:-build}/bin
version=$("$bin/tessera" --version | sed -n '1s/.* //p')
at=tests/compat/Inputs/$version
[ ! -d "$at" ] || { echo "make.sh: $at is there already: what a version wrote stays as it is" >&2; exit 1; }
mkdir -p "$at" && cd "$at" || exit 3
set -e
cat >program.mlir <<'END'
module @step {
  func.func public @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<f32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = stablehlo.tanh %0 : tensor<4x4xf32>
    %2 = stablehlo.add %1, %arg0 : tensor<4x4xf32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
    return %2, %3 : tensor<4x4xf32>, tensor<f32>
  }
}
END
cat >sharded.mlir <<'END'
module @sharded {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x4xf32> {
    %0 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}
END
cat >device.mlir <<'END'
module {
  func.func @main(%arg0: tensor<32x32xbf16>, %arg1: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
    %0 = "ttir.add"(%arg0, %arg1) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
    return %0 : tensor<32x32xbf16>
  }
}
END
for f in program sharded device; do "$bin/tessera" opt $f.mlir --emit-bytecode -o $f.mlirbc; done
"$bin/stablehlo-translate" --serialize program.mlir --target=1.0.0 -o program.portable
"$bin/tessera" compile program.mlir -o program.tsrx
"$bin/tessera" compile sharded.mlir --spmd -o sharded.tsrx
"$bin/tessera" shard program.mlir --auto --mesh=x=2 --plan=plan.json >/dev/null
"$bin/tessera" run program.mlir --input="4x4xf32=$(seq -s , 0.0625 0.0625 1)" --input="4x4xf32=$(seq -s , -0.5 0.0625 0.4375)" --loop=2 --feed=out0:in0 --checkpoint=state --checkpoint-every=1 --output=results
"$bin/ttmlir-opt" --ttir-to-ttnn-backend-pipeline device.mlir -o device.ttnn.mlir
"$bin/ttmlir-translate" --ttnn-to-flatbuffer device.ttnn.mlir -o device.ttnn
"$bin/ttmlir-opt" --ttir-to-ttmetal-host-pipeline device.mlir -o device.ttmetal.mlir
"$bin/ttmlir-translate" --ttmetal-to-flatbuffer device.ttmetal.mlir -o device.ttm
rm device.ttnn.mlir device.ttmetal.mlir
