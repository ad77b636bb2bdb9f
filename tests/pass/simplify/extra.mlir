// RUN: tessera opt %s --tessera-simplify=fold-op-element-limit=100 | FileCheck %s
//
// Rules that tessera-simplify has beyond StableHLO's passes, one function each, under the rule's name
// (src/pass/simplify/rules.def).

// CHECK-LABEL: func.func @twice(
// CHECK-NEXT:    return %arg0, %arg1 : tensor<f32>, tensor<i8>
func.func @twice(%x: tensor<f32>, %y: tensor<i8>) -> (tensor<f32>, tensor<i8>) {
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = stablehlo.negate %0 : tensor<f32>
  %2 = stablehlo.not %y : tensor<i8>
  %3 = stablehlo.not %2 : tensor<i8>
  return %1, %3 : tensor<f32>, tensor<i8>
}

// CHECK-LABEL: func.func @abs_of_abs(
// CHECK-NEXT:    %0 = stablehlo.abs %arg0 : tensor<f32>
// CHECK-NEXT:    return %0 : tensor<f32>
func.func @abs_of_abs(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %x : tensor<f32>
  %1 = stablehlo.abs %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @abs_of_negate(
// CHECK-NEXT:    %0 = stablehlo.abs %arg0 : tensor<f32>
// CHECK-NEXT:    return %0 : tensor<f32>
func.func @abs_of_negate(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = stablehlo.abs %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @both_same(
// CHECK-NEXT:    return %arg0, %arg1 : tensor<f32>, tensor<i8>
func.func @both_same(%x: tensor<f32>, %y: tensor<i8>) -> (tensor<f32>, tensor<i8>) {
  %0 = stablehlo.maximum %x, %x : tensor<f32>
  %1 = stablehlo.and %y, %y : tensor<i8>
  return %0, %1 : tensor<f32>, tensor<i8>
}

// CHECK-LABEL: func.func @by_one(
// CHECK-NEXT:    return %arg0, %arg1, %arg0 : tensor<f32>, tensor<i8>, tensor<f32>
func.func @by_one(%x: tensor<f32>, %y: tensor<i8>) -> (tensor<f32>, tensor<i8>, tensor<f32>) {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %d = stablehlo.constant dense<1> : tensor<i8>
  %0 = stablehlo.divide %x, %c : tensor<f32>
  %1 = stablehlo.divide %y, %d : tensor<i8>
  %2 = stablehlo.power %x, %c : tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<i8>, tensor<f32>
}

// CHECK-LABEL: func.func @shift_zero(
// CHECK-NEXT:    return %arg0 : tensor<i8>
func.func @shift_zero(%x: tensor<i8>) -> tensor<i8> {
  %c = stablehlo.constant dense<0> : tensor<i8>
  %0 = stablehlo.shift_right_logical %x, %c : tensor<i8>
  return %0 : tensor<i8>
}

// CHECK-LABEL: func.func @add_negative(
// CHECK-NEXT:    %0 = stablehlo.subtract %arg0, %arg1 : tensor<f32>
// CHECK-NEXT:    %1 = stablehlo.subtract %arg1, %arg0 : tensor<f32>
// CHECK-NEXT:    return %0, %1 : tensor<f32>, tensor<f32>
func.func @add_negative(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.negate %y : tensor<f32>
  %1 = stablehlo.add %x, %0 : tensor<f32>
  %2 = stablehlo.negate %x : tensor<f32>
  %3 = stablehlo.add %2, %y : tensor<f32>
  return %1, %3 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @subtract_negative(
// CHECK-NEXT:    %0 = stablehlo.add %arg0, %arg1 : tensor<f32>
// CHECK-NEXT:    return %0 : tensor<f32>
func.func @subtract_negative(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %y : tensor<f32>
  %1 = stablehlo.subtract %x, %0 : tensor<f32>
  return %1 : tensor<f32>
}

// Only where the first one loses nothing.
// CHECK-LABEL: func.func @convert_of_convert(
// CHECK-NEXT:    %0 = stablehlo.convert %arg1 : (tensor<i8>) -> tensor<f32>
// CHECK-NEXT:    %1 = stablehlo.convert %arg2 : (tensor<f32>) -> tensor<bf16>
// CHECK-NEXT:    %2 = stablehlo.convert %1 : (tensor<bf16>) -> tensor<f32>
// CHECK-NEXT:    %3 = stablehlo.convert %arg3 : (tensor<i8>) -> tensor<ui16>
// CHECK-NEXT:    %4 = stablehlo.convert %3 : (tensor<ui16>) -> tensor<i32>
// CHECK-NEXT:    %5 = stablehlo.convert %arg4 : (tensor<i1>) -> tensor<f32>
// CHECK-NEXT:    return %arg0, %0, %2, %4, %5 : tensor<bf16>, tensor<f32>, tensor<f32>, tensor<i32>, tensor<f32>
func.func @convert_of_convert(%x: tensor<bf16>, %y: tensor<i8>, %z: tensor<f32>, %u: tensor<i8>, %b: tensor<i1>)
    -> (tensor<bf16>, tensor<f32>, tensor<f32>, tensor<i32>, tensor<f32>) {
  %0 = stablehlo.convert %x : (tensor<bf16>) -> tensor<f32>
  %1 = stablehlo.convert %0 : (tensor<f32>) -> tensor<bf16>
  %2 = stablehlo.convert %y : (tensor<i8>) -> tensor<i32>
  %3 = stablehlo.convert %2 : (tensor<i32>) -> tensor<f32>
  %4 = stablehlo.convert %z : (tensor<f32>) -> tensor<bf16>
  %5 = stablehlo.convert %4 : (tensor<bf16>) -> tensor<f32>
  %6 = stablehlo.convert %u : (tensor<i8>) -> tensor<ui16>
  %7 = stablehlo.convert %6 : (tensor<ui16>) -> tensor<i32>
  %8 = stablehlo.convert %b : (tensor<i1>) -> tensor<i32>
  %9 = stablehlo.convert %8 : (tensor<i32>) -> tensor<f32>
  return %1, %3, %5, %7, %9 : tensor<bf16>, tensor<f32>, tensor<f32>, tensor<i32>, tensor<f32>
}

// CHECK-LABEL: func.func @broadcast_of_reshape(
// CHECK-NEXT:    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<3xf32>) -> tensor<2x3x5xf32>
// CHECK-NEXT:    return %0 : tensor<2x3x5xf32>
func.func @broadcast_of_reshape(%x: tensor<3xf32>) -> tensor<2x3x5xf32> {
  %0 = stablehlo.reshape %x : (tensor<3xf32>) -> tensor<1x3x1xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<1x3x1xf32>) -> tensor<2x3x5xf32>
  return %1 : tensor<2x3x5xf32>
}

// CHECK-LABEL: func.func @transpose_of_broadcast(
// CHECK-NEXT:    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT:    return %0 : tensor<3x2xf32>
func.func @transpose_of_broadcast(%x: tensor<3xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @slice_of_slice(
// CHECK-NEXT:    %0 = stablehlo.slice %arg0 [3:10:6] : (tensor<10xf32>) -> tensor<2xf32>
// CHECK-NEXT:    return %0 : tensor<2xf32>
func.func @slice_of_slice(%x: tensor<10xf32>) -> tensor<2xf32> {
  %0 = stablehlo.slice %x [1:10:2] : (tensor<10xf32>) -> tensor<5xf32>
  %1 = stablehlo.slice %0 [1:5:3] : (tensor<5xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @reverse_of_reverse(
// CHECK-NEXT:    return %arg0 : tensor<10xf32>
func.func @reverse_of_reverse(%x: tensor<10xf32>) -> tensor<10xf32> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<10xf32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<10xf32>
  return %1 : tensor<10xf32>
}

// A transpose is part of the product, unless the result's dimensions would change places.
// CHECK-LABEL: func.func @dot_of_transpose(
// CHECK-NEXT:    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [HIGH, HIGH] : (tensor<2x3x4xf32>, tensor<2x5x4xf32>) -> tensor<2x3x5xf32>
// CHECK-NEXT:    %1 = stablehlo.transpose %arg2, dims = [2, 1, 0] : (tensor<6x7x4xf32>) -> tensor<4x7x6xf32>
// CHECK-NEXT:    %2 = stablehlo.dot_general %arg0, %1, contracting_dims = [2] x [0] : (tensor<2x3x4xf32>, tensor<4x7x6xf32>) -> tensor<2x3x7x6xf32>
// CHECK-NEXT:    return %0, %2 : tensor<2x3x5xf32>, tensor<2x3x7x6xf32>
func.func @dot_of_transpose(%x: tensor<2x3x4xf32>, %y: tensor<2x5x4xf32>, %z: tensor<6x7x4xf32>) -> (tensor<2x3x5xf32>, tensor<2x3x7x6xf32>) {
  %0 = stablehlo.transpose %y, dims = [0, 2, 1] : (tensor<2x5x4xf32>) -> tensor<2x4x5xf32>
  %1 = stablehlo.dot_general %x, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGH, HIGH] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %2 = stablehlo.transpose %z, dims = [2, 1, 0] : (tensor<6x7x4xf32>) -> tensor<4x7x6xf32>
  %3 = stablehlo.dot_general %x, %2, contracting_dims = [2] x [0] : (tensor<2x3x4xf32>, tensor<4x7x6xf32>) -> tensor<2x3x7x6xf32>
  return %1, %3 : tensor<2x3x5xf32>, tensor<2x3x7x6xf32>
}

// CHECK-LABEL: func.func @if_known(
// CHECK-NEXT:    %0 = stablehlo.sine %arg0 : tensor<f32>
// CHECK-NEXT:    return %0 : tensor<f32>
func.func @if_known(%x: tensor<f32>) -> tensor<f32> {
  %p = stablehlo.constant dense<false> : tensor<i1>
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    %1 = stablehlo.sine %x : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// %j counts for nobody, %k for %i.
// CHECK-LABEL: func.func @while_unused(
// CHECK-NEXT:    %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1) : tensor<f32>, tensor<f32>
// CHECK-NEXT:    cond {
// CHECK-NEXT:      %1 = stablehlo.compare LT, %iterArg, %arg1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK-NEXT:      stablehlo.return %1 : tensor<i1>
// CHECK-NEXT:    } do {
// CHECK-NEXT:      %1 = stablehlo.add %iterArg, %iterArg_0 : tensor<f32>
// CHECK-NEXT:      %2 = stablehlo.exponential %iterArg_0 : tensor<f32>
// CHECK-NEXT:      stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
// CHECK-NEXT:    }
// CHECK-NEXT:    return %0#0 : tensor<f32>
func.func @while_unused(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0:3 = stablehlo.while(%i = %x, %j = %x, %k = %y) : tensor<f32>, tensor<f32>, tensor<f32> cond {
    %1 = stablehlo.compare LT, %i, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %k : tensor<f32>
    %2 = stablehlo.multiply %j, %k : tensor<f32>
    %3 = stablehlo.exponential %k : tensor<f32>
    stablehlo.return %1, %2, %3 : tensor<f32>, tensor<f32>, tensor<f32>
  }
  return %0#0 : tensor<f32>
}

// CHECK-LABEL: func.func @fold_any(
// CHECK-NEXT:    %cst = stablehlo.constant dense<{{\[\[}}7.000000e+00, 1.000000e+01], [1.500000e+01, 2.200000e+01{{\]\]}}> : tensor<2x2xf32>
// CHECK-NEXT:    %c = stablehlo.constant dense<[0, 1, 0, 2, 0]> : tensor<5xi32>
// CHECK-NEXT:    %c_0 = stablehlo.constant dense<1065353216> : tensor<i32>
// CHECK-NEXT:    return %cst, %c, %c_0 : tensor<2x2xf32>, tensor<5xi32>, tensor<i32>
func.func @fold_any() -> (tensor<2x2xf32>, tensor<5xi32>, tensor<i32>) {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %d = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.pad %b, %c, low = [1], high = [1], interior = [1] : (tensor<2xi32>, tensor<i32>) -> tensor<5xi32>
  %2 = stablehlo.bitcast_convert %d : (tensor<f32>) -> tensor<i32>
  return %0, %1, %2 : tensor<2x2xf32>, tensor<5xi32>, tensor<i32>
}

// More elements than the limit; splats do not count.
// CHECK-LABEL: func.func @limit(
// CHECK-NEXT:    %cst = stablehlo.constant dense<9.000000e+00> : tensor<101xf32>
// CHECK-NEXT:    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT:    %cst_1 = stablehlo.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:    %0 = stablehlo.pad %cst_1, %cst_0, low = [99], high = [0], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<101xf32>
// CHECK-NEXT:    return %0, %cst : tensor<101xf32>, tensor<101xf32>
func.func @limit() -> (tensor<101xf32>, tensor<101xf32>) {
  %i = stablehlo.iota dim = 0 : tensor<101xf32>
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.constant dense<3.0> : tensor<101xf32>
  %0 = stablehlo.pad %a, %z, low = [99], high = [0], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<101xf32>
  %1 = stablehlo.multiply %s, %s : tensor<101xf32>
  return %0, %1 : tensor<101xf32>, tensor<101xf32>
}

// Equal ops become one, and then more rules apply.
// CHECK-LABEL: func.func @common(
// CHECK-NEXT:    %c = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT:    return %c : tensor<i32>
func.func @common(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %x, %y : tensor<i32>
  %1 = stablehlo.add %x, %y : tensor<i32>
  %2 = stablehlo.subtract %0, %1 : tensor<i32>
  return %2 : tensor<i32>
}
