// RUN: stablehlo-translate --interpret %s
// RUN: tessera opt %s --stablehlo-to-ttir-pipeline | FileCheck %s
// RUN: tessera opt %s --stablehlo-to-ttir-pipeline -o %t.mlir
// RUN: tessera run %t.mlir
// Updates of windows, said by choosing: one element wide, wider, and clamped into the operand.

// CHECK-NOT: stablehlo.
func.func @main() {
  %i = stablehlo.iota dim = 0 : tensor<15xf32>
  %x = stablehlo.reshape %i : (tensor<15xf32>) -> tensor<3x5xf32>
  %u = stablehlo.constant dense<[[-1.0, -2.0]]> : tensor<1x2xf32>
  %i0 = stablehlo.iota dim = 0 : tensor<3xi32>
  %one = func.call @element(%i0) : (tensor<3xi32>) -> tensor<i32>
  %0 = stablehlo.dynamic_update_slice %x, %u, %one, %one : (tensor<3x5xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<3x5xf32>
  check.expect_eq_const %0, dense<[[0.0, 1.0, 2.0, 3.0, 4.0], [5.0, -1.0, -2.0, 8.0, 9.0], [10.0, 11.0, 12.0, 13.0, 14.0]]> : tensor<3x5xf32>

  %big = stablehlo.constant dense<9> : tensor<i64>
  %small = stablehlo.constant dense<-4> : tensor<i64>
  %1 = stablehlo.dynamic_update_slice %x, %u, %small, %big : (tensor<3x5xf32>, tensor<1x2xf32>, tensor<i64>, tensor<i64>) -> tensor<3x5xf32>
  check.expect_eq_const %1, dense<[[0.0, 1.0, 2.0, -1.0, -2.0], [5.0, 6.0, 7.0, 8.0, 9.0], [10.0, 11.0, 12.0, 13.0, 14.0]]> : tensor<3x5xf32>

  %row = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0]]> : tensor<1x5xf32>
  %two = stablehlo.constant dense<2> : tensor<ui32>
  %2 = stablehlo.dynamic_update_slice %x, %row, %two, %two : (tensor<3x5xf32>, tensor<1x5xf32>, tensor<ui32>, tensor<ui32>) -> tensor<3x5xf32>
  check.expect_eq_const %2, dense<[[0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0], [1.0, 2.0, 3.0, 4.0, 5.0]]> : tensor<3x5xf32>

  %all = stablehlo.negate %x : tensor<3x5xf32>
  %3 = stablehlo.dynamic_update_slice %x, %all, %one, %one : (tensor<3x5xf32>, tensor<3x5xf32>, tensor<i32>, tensor<i32>) -> tensor<3x5xf32>
  check.expect_eq %3, %all : tensor<3x5xf32>
  return
}

func.func private @element(%x: tensor<3xi32>) -> tensor<i32> {
  %0 = stablehlo.slice %x [1:2] : (tensor<3xi32>) -> tensor<1xi32>
  %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
  return %1 : tensor<i32>
}
