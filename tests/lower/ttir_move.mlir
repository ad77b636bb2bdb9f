// Constants, shapes and moves.
// RUN: tessera opt %s --convert-stablehlo-to-ttir | FileCheck %s

// CHECK-LABEL: func.func @made(
// CHECK-NEXT: %0 = "ttir.arange"() <{arange_dimension = 1 : i64, end = 3 : si64, start = 0 : si64, step = 1 : si64}> : () -> tensor<2x3xi32>
// CHECK-NEXT: %1 = "ttir.constant"() <{value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>}> : () -> tensor<4xf32>
// CHECK-NEXT: return %0, %1 : tensor<2x3xi32>, tensor<4xf32>
func.func @made() -> (tensor<2x3xi32>, tensor<4xf32>) {
  %0 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %1 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return %0, %1 : tensor<2x3xi32>, tensor<4xf32>
}

// Dimensions in another order are permuted first.
// CHECK-LABEL: func.func @broadcast(
// CHECK-NEXT: %0 = "ttir.permute"(%arg0) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: %1 = "ttir.reshape"(%0) <{shape = [3 : i32, 1 : i32, 2 : i32]}> : (tensor<3x2xf32>) -> tensor<3x1x2xf32>
// CHECK-NEXT: %2 = "ttir.broadcast"(%1) <{broadcast_dimensions = array<i64: 1, 4, 1>}> : (tensor<3x1x2xf32>) -> tensor<3x4x2xf32>
// CHECK-NEXT: return %2 : tensor<3x4x2xf32>
func.func @broadcast(%x: tensor<2x3xf32>) -> tensor<3x4x2xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x4x2xf32>
  return %0 : tensor<3x4x2xf32>
}

// Starts may lie outside: they are clamped.
// CHECK-LABEL: func.func @dynamic_slice(
// CHECK-NEXT: %0 = "ttir.reshape"(%arg1) <{shape = [1 : i32]}> : (tensor<i32>) -> tensor<1xi32>
// CHECK-NEXT: %1 = "ttir.reshape"(%arg2) <{shape = [1 : i32]}> : (tensor<i32>) -> tensor<1xi32>
// CHECK-NEXT: %2 = "ttir.concat"(%0, %1) <{dim = 0 : si32}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
// CHECK-NEXT: %3 = "ttir.constant"() <{value = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
// CHECK-NEXT: %4 = "ttir.constant"() <{value = dense<[6, 0]> : tensor<2xi32>}> : () -> tensor<2xi32>
// CHECK-NEXT: %5 = "ttir.clamp_tensor"(%2, %3, %4) : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
// CHECK-NEXT: %6 = "ttir.constant"() <{value = dense<[2, 4]> : tensor<2xi32>}> : () -> tensor<2xi32>
// CHECK-NEXT: %7 = "ttir.add"(%5, %6) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
// CHECK-NEXT: %8 = "ttir.slice_dynamic"(%arg0, %5, %7) : (tensor<8x4xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %8 : tensor<2x4xf32>
func.func @dynamic_slice(%x: tensor<8x4xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [2, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// Those that are known to lie inside are not.
// CHECK-LABEL: func.func @known_slice(
// CHECK-NEXT: %0 = "ttir.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
// CHECK-NEXT: %1 = "ttir.reshape"(%0) <{shape = [1 : i32]}> : (tensor<i32>) -> tensor<1xi32>
// CHECK-NEXT: %2 = "ttir.constant"() <{value = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
// CHECK-NEXT: %3 = "ttir.add"(%1, %2) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
// CHECK-NEXT: %4 = "ttir.slice_dynamic"(%arg0, %1, %3) : (tensor<8xf32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xf32>
// CHECK-NEXT: return %4 : tensor<2xf32>
func.func @known_slice(%x: tensor<8xf32>) -> tensor<2xf32> {
  %i = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [2] : (tensor<8xf32>, tensor<i32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @pad(
// CHECK-NEXT: %0 = "ttir.constant"() <{value = dense<1.500000e+00> : tensor<f32>}> : () -> tensor<f32>
// CHECK-NEXT: %1 = "ttir.slice_static"(%arg0) <{begins = [0 : i32, 1 : i32], ends = [2 : i32, 3 : i32], step = [1 : i32, 1 : i32]}> : (tensor<2x3xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %2 = "ttir.pad"(%1) <{padding = array<i32: 1, 0, 0, 1>, value = 1.500000e+00 : f32}> : (tensor<2x2xf32>) -> tensor<3x3xf32>
// CHECK-NEXT: return %2 : tensor<3x3xf32>
func.func @pad(%x: tensor<2x3xf32>) -> tensor<3x3xf32> {
  %c = stablehlo.constant dense<1.5> : tensor<f32>
  %0 = stablehlo.pad %x, %c, low = [1, -1], high = [0, 1], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// A number that is not known is put where none of the operand's elements are.
// CHECK-LABEL: func.func @pad_unknown(
// CHECK-NEXT: %0 = "ttir.pad"(%arg0) <{padding = array<i32: 0, 1>, value = 0.000000e+00 : f32}> : (tensor<2xi32>) -> tensor<3xi32>
// CHECK-NEXT: %1 = "ttir.constant"() <{value = dense<true> : tensor<2xi1>}> : () -> tensor<2xi1>
// CHECK-NEXT: %2 = "ttir.pad"(%1) <{padding = array<i32: 0, 1>, value = 0.000000e+00 : f32}> : (tensor<2xi1>) -> tensor<3xi1>
// CHECK-NEXT: %3 = "ttir.reshape"(%arg1) <{shape = [1 : i32]}> : (tensor<i32>) -> tensor<1xi32>
// CHECK-NEXT: %4 = "ttir.broadcast"(%3) <{broadcast_dimensions = array<i64: 3>}> : (tensor<1xi32>) -> tensor<3xi32>
// CHECK-NEXT: %5 = "ttir.where"(%2, %0, %4) : (tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
// CHECK-NEXT: return %5 : tensor<3xi32>
func.func @pad_unknown(%x: tensor<2xi32>, %v: tensor<i32>) -> tensor<3xi32> {
  %0 = stablehlo.pad %x, %v, low = [0], high = [1], interior = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// CHECK-LABEL: func.func @pad_between(
// CHECK-NEXT: %0 = "ttir.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
// CHECK-NEXT: %1 = "ttir.full"() <{fill_value = 0.000000e+00 : f32, shape = array<i32: 3, 3>}> : () -> tensor<3x3xf32>
// CHECK-NEXT: %2 = "ttir.constant"() <{value = dense<[0, 2, 6, 8]> : tensor<4xi64>}> : () -> tensor<4xi64>
// CHECK-NEXT: %3 = "ttir.reshape"(%1) <{shape = [9 : i32]}> : (tensor<3x3xf32>) -> tensor<9xf32>
// CHECK-NEXT: %4 = "ttir.reshape"(%arg0) <{shape = [4 : i32]}> : (tensor<2x2xf32>) -> tensor<4xf32>
// CHECK-NEXT: %5 = "ttir.scatter"(%3, %2, %4) <{dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<invalid>}> : (tensor<9xf32>, tensor<4xi64>, tensor<4xf32>) -> tensor<9xf32>
// CHECK-NEXT: %6 = "ttir.reshape"(%5) <{shape = [3 : i32, 3 : i32]}> : (tensor<9xf32>) -> tensor<3x3xf32>
// CHECK-NEXT: return %6 : tensor<3x3xf32>
func.func @pad_between(%x: tensor<2x2xf32>) -> tensor<3x3xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %c, low = [0, 0], high = [0, 0], interior = [1, 1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// CHECK-LABEL: func.func @pad_between_many(
// CHECK-NEXT: %0 = "ttir.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
// CHECK-NEXT: %1 = "ttir.reshape"(%arg0) <{shape = [1024 : i32, 1 : i32]}> : (tensor<1024xf32>) -> tensor<1024x1xf32>
// CHECK-NEXT: %2 = "ttir.pad"(%1) <{padding = array<i32: 0, 0, 0, 1>, value = 0.000000e+00 : f32}> : (tensor<1024x1xf32>) -> tensor<1024x2xf32>
// CHECK-NEXT: %3 = "ttir.reshape"(%2) <{shape = [2048 : i32]}> : (tensor<1024x2xf32>) -> tensor<2048xf32>
// CHECK-NEXT: %4 = "ttir.slice_static"(%3) <{begins = [0 : i32], ends = [2047 : i32], step = [1 : i32]}> : (tensor<2048xf32>) -> tensor<2047xf32>
// CHECK-NEXT: return %4 : tensor<2047xf32>
func.func @pad_between_many(%x: tensor<1024xf32>) -> tensor<2047xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %c, low = [0], high = [0], interior = [1] : (tensor<1024xf32>, tensor<f32>) -> tensor<2047xf32>
  return %0 : tensor<2047xf32>
}
