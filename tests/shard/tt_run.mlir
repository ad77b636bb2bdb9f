// What stablehlo-pipeline leaves runs, and computes what the program does: groups of its collectives name devices. Meshes of
// three axes, several meshes, parts that change devices, batches of a gather, ops without a rule between sharded ones.

// RUN: tessera run %s --function=moves --input=random --output=%t.npz
// RUN: ttmlir-opt --stablehlo-pipeline %s -o %t.mlir
// RUN: tessera run %t.mlir --function=moves --input=random --expect=%t.npz
// RUN: tessera run %t.mlir --function=moves --input=random --spmd --expect=%t.npz
// RUN: ttmlir-opt --stablehlo-pipeline %s --emit-bytecode -o %t.mlirbc
// RUN: tessera run %t.mlirbc --function=moves --input=random --expect=%t.npz
// RUN: tessera run %s --function=layers --input=random --output=%t.npz
// RUN: tessera run %t.mlir --function=layers --input=random --expect=%t.npz
// RUN: tessera run %s --function=batches --input=random --output=%t.npz
// RUN: tessera run %t.mlir --function=batches --input=random --expect=%t.npz
// RUN: tessera run %s --function=norms --input=random --output=%t.npz
// RUN: tessera run %t.mlir --function=norms --input=random --expect=%t.npz
// RUN: FileCheck %s --input-file=%t.mlir

// CHECK: sdy.mesh @cube = <["x"=2, "y"=2, "z"=2]>
// CHECK-NOT: sdy.mesh
sdy.mesh @cube = <["x"=2, "y"=2, "z"=2]>
sdy.mesh @flat = <["d"=8]>
sdy.mesh @pairs = <["a"=2, "b"=4]>
sdy.mesh @none = <[]>

// CHECK-LABEL: func.func @moves
// CHECK-SAME: -> (tensor<16x8xf32>
// CHECK: sdy.manual_computation(%arg0) in_shardings=[<@cube, [{"x", "y"}, {"z"}]>] out_shardings=[<@cube, [{"x", "y", "z"}, {}]>] manual_axes={"x", "y", "z"}
// CHECK: "stablehlo.collective_permute"
func.func @moves(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@cube, [{"x", "y"}, {"z"}]>}) -> (tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@flat, [{"d"}, {}]>}) {
  %0 = sdy.sharding_constraint %arg0 <@cube, [{"z"}, {"y", "x"}]> : tensor<16x8xf32>
  %1 = stablehlo.add %0, %0 : tensor<16x8xf32>
  %2 = sdy.sharding_constraint %1 <@pairs, [{"b"}, {"a"}]> : tensor<16x8xf32>
  %3 = stablehlo.multiply %2, %2 : tensor<16x8xf32>
  return %3 : tensor<16x8xf32>
}

// CHECK-LABEL: func.func @layers
// CHECK: chlo.erf_inv {{.*}} : tensor<4x4xf32> -> tensor<4x4xf32>
func.func @layers(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@cube, [{"x"}, {"y"}]>}, %arg1: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@pairs, [{"b"}, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@flat, [{"d":(1)2}, {}]>}, tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@none, [{}, {}]>}) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.tanh %0 : tensor<8x4xf32>
  %2 = chlo.erf_inv %1 : tensor<8x4xf32> -> tensor<8x4xf32>
  %3 = stablehlo.add %2, %0 : tensor<8x4xf32>
  return %3, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}

// CHECK-LABEL: func.func @batches
// CHECK: slice_sizes = array<i64: 1, 1>
func.func @batches(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@cube, [{"x", "y"}, {}]>}, %arg1: tensor<8x3x1xi32> {sdy.sharding = #sdy.sharding<@cube, [{"x", "y"}, {}, {}]>}) -> (tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@cube, [{"x", "y"}, {}]>}) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x16xf32>, tensor<8x3x1xi32>) -> tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}

// CHECK-LABEL: func.func @norms
// CHECK: "stablehlo.batch_norm_training"{{.*}} -> (tensor<4x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
// CHECK: "stablehlo.batch_norm_grad"{{.*}} -> (tensor<4x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
func.func @norms(%x: tensor<4x6x4xf32> {sdy.sharding = #sdy.sharding<@cube, [{"y"}, {}, {}]>}, %s: tensor<6xf32> {sdy.sharding = #sdy.sharding<@cube, [{"x"}]>}, %o: tensor<6xf32>) -> (tensor<4x6x4xf32>, tensor<4x6x4xf32>, tensor<6xf32>) {
  %y, %m, %v = "stablehlo.batch_norm_training"(%x, %s, %o) <{epsilon = 1.0e-5 : f32, feature_index = 1 : i64}> : (tensor<4x6x4xf32>, tensor<6xf32>, tensor<6xf32>) -> (tensor<4x6x4xf32>, tensor<6xf32>, tensor<6xf32>)
  %gx, %gs, %go = "stablehlo.batch_norm_grad"(%x, %s, %m, %v, %y) <{epsilon = 1.0e-5 : f32, feature_index = 1 : i64}> : (tensor<4x6x4xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4x6x4xf32>) -> (tensor<4x6x4xf32>, tensor<6xf32>, tensor<6xf32>)
  return %y, %gx, %gs : tensor<4x6x4xf32>, tensor<4x6x4xf32>, tensor<6xf32>
}
