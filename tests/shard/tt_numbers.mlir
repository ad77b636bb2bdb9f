// RUN: ttmlir-opt %s -split-input-file --stablehlo-pipeline | FileCheck %s
// RUN: tessera opt %s -split-input-file --stablehlo-pipeline | FileCheck %s --check-prefix=OWN
// Under the peer's name, composites of slices are numbered on from module to module; else each module begins with 1.

// CHECK-LABEL: @first
// CHECK: decomposition = @sdy.all_slice1}
// OWN-LABEL: @first
// OWN: decomposition = @sdy.all_slice1}
sdy.mesh @mesh = <["x"=2]>
func.func @first(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> tensor<8xf32> {
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: @second
// CHECK: decomposition = @sdy.all_slice2}
// CHECK: decomposition = @sdy.all_slice3}
// OWN-LABEL: @second
// OWN: decomposition = @sdy.all_slice1}
// OWN: decomposition = @sdy.all_slice2}
sdy.mesh @mesh = <["x"=2]>
func.func @second(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg1: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<8xf32>, tensor<4xf32>) {
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@mesh, [{"x"}]> : tensor<8xf32>
  %1 = sdy.all_slice [{"x"}] %arg1 out_sharding=<@mesh, [{"x"}]> : tensor<4xf32>
  return %0, %1 : tensor<8xf32>, tensor<4xf32>
}
