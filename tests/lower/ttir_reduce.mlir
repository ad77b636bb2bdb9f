// Reductions, windows and norms.
// RUN: tessera opt %s --convert-stablehlo-to-ttir | FileCheck %s

// A start that is not neutral is brought in at the end.
// CHECK-LABEL: func.func @sum(
// CHECK-NEXT: %0 = "ttir.sum"(%arg0) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<2x3xf32>) -> tensor<2xf32>
// CHECK-NEXT: %1 = "ttir.reshape"(%arg1) <{shape = [1 : i32]}> : (tensor<f32>) -> tensor<1xf32>
// CHECK-NEXT: %2 = "ttir.broadcast"(%1) <{broadcast_dimensions = array<i64: 2>}> : (tensor<1xf32>) -> tensor<2xf32>
// CHECK-NEXT: %3 = "ttir.add"(%0, %2) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: return %3 : tensor<2xf32>
func.func @sum(%x: tensor<2x3xf32>, %i: tensor<f32>) -> tensor<2xf32> {
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @max(
// CHECK-NEXT: %0 = "ttir.constant"() <{value = dense<-2147483648> : tensor<i32>}> : () -> tensor<i32>
// CHECK-NEXT: %1 = "ttir.max"(%arg0) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<2x3xi32>) -> tensor<3xi32>
// CHECK-NEXT: return %1 : tensor<3xi32>
func.func @max(%x: tensor<2x3xi32>) -> tensor<3xi32> {
  %i = stablehlo.constant dense<-2147483648> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.maximum across dimensions = [0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// A sum of truth values is whether any is true.
// CHECK-LABEL: func.func @any(
// CHECK-NEXT: %0 = "ttir.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
// CHECK-NEXT: %1 = "ttir.reduce_or"(%arg0) <{dim_arg = [0 : i32, 1 : i32], keep_dim = false}> : (tensor<2x3xi1>) -> tensor<i1>
// CHECK-NEXT: return %1 : tensor<i1>
func.func @any(%x: tensor<2x3xi1>) -> tensor<i1> {
  %i = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xi1>, tensor<i1>) -> tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @cumsum(
// CHECK-NEXT: %0 = "ttir.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
// CHECK-NEXT: %1 = "ttir.cumsum"(%arg0) <{dim = 0 : i64}> : (tensor<4x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: return %1 : tensor<4x3xf32>
func.func @cumsum(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 4, 1>, padding = dense<[[3, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @mean_pool(
// CHECK-NEXT: %0 = "ttir.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
// CHECK-NEXT: %1 = "ttir.avg_pool2d"(%arg0) <{ceil_mode = false, count_include_pad = true, dilation = array<i32: 1, 1>, kernel = array<i32: 2, 2>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: %2 = "ttir.constant"() <{value = dense<4.000000e+00> : tensor<1x2x2x2xf32>}> : () -> tensor<1x2x2x2xf32>
// CHECK-NEXT: return %1 : tensor<1x2x2x2xf32>
func.func @mean_pool(%x: tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32> {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<1x4x4x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %c = stablehlo.constant dense<4.0> : tensor<1x2x2x2xf32>
  %2 = stablehlo.divide %0, %c : tensor<1x2x2x2xf32>
  return %2 : tensor<1x2x2x2xf32>
}

// Padding with what the window starts from becomes the pool's; a start that is not the lowest number is brought in afterwards.
// CHECK-LABEL: func.func @max_pool(
// CHECK-NEXT: %0 = "ttir.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
// CHECK-NEXT: %1 = "ttir.pad"(%arg0) <{padding = array<i32: 0, 0, 0, 0, 1, 1, 1, 1>, value = 0.000000e+00 : f32}> : (tensor<1x2x4x4xf32>) -> tensor<1x2x6x6xf32>
// CHECK-NEXT: %2 = "ttir.permute"(%arg0) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<1x2x4x4xf32>) -> tensor<1x4x4x2xf32>
// CHECK-NEXT: %3 = "ttir.max_pool2d"(%2) <{ceil_mode = false, dilation = array<i32: 1, 1>, kernel = array<i32: 2, 2>, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 2, 2>}> : (tensor<1x4x4x2xf32>) -> tensor<1x3x3x2xf32>
// CHECK-NEXT: %4 = "ttir.permute"(%3) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<1x3x3x2xf32>) -> tensor<1x2x3x3xf32>
// CHECK-NEXT: %5 = "ttir.reshape"(%0) <{shape = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<f32>) -> tensor<1x1x1x1xf32>
// CHECK-NEXT: %6 = "ttir.broadcast"(%5) <{broadcast_dimensions = array<i64: 1, 2, 3, 3>}> : (tensor<1x1x1x1xf32>) -> tensor<1x2x3x3xf32>
// CHECK-NEXT: %7 = "ttir.maximum"(%4, %6) : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
// CHECK-NEXT: return %7 : tensor<1x2x3x3xf32>
func.func @max_pool(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x3x3xf32> {
  %p = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %p, low = [0, 0, 1, 1], high = [0, 0, 1, 1], interior = [0, 0, 0, 0] : (tensor<1x2x4x4xf32>, tensor<f32>) -> tensor<1x2x6x6xf32>
  %1 = "stablehlo.reduce_window"(%0, %p) <{window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<1x2x6x6xf32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  return %1 : tensor<1x2x3x3xf32>
}

// Zeros before a window that starts at -infinity are no padding of its own: they are brought in where the window has some.
// CHECK-LABEL: func.func @max_pool_of_padded(
// CHECK-NEXT: %0 = "ttir.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
// CHECK-NEXT: %1 = "ttir.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
// CHECK-NEXT: %2 = "ttir.pad"(%arg0) <{padding = array<i32: 0, 0, 1, 1, 1, 1, 0, 0>, value = 0.000000e+00 : f32}> : (tensor<1x4x4x1xf32>) -> tensor<1x6x6x1xf32>
// CHECK-NEXT: %3 = "ttir.constant"() <{value = dense<{{\[\[}}{{\[\[}}0.000000e+00], [0.000000e+00], [0.000000e+00]{{]}}, {{\[\[}}0.000000e+00], [0xFF800000], [0.000000e+00]{{]}}, {{\[\[}}0.000000e+00], [0.000000e+00], [0.000000e+00]{{]}}]{{]}}> : tensor<1x3x3x1xf32>}> : () -> tensor<1x3x3x1xf32>
// CHECK-NEXT: %4 = "ttir.max_pool2d"(%arg0) <{ceil_mode = false, dilation = array<i32: 1, 1>, kernel = array<i32: 2, 2>, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 2, 2>}> : (tensor<1x4x4x1xf32>) -> tensor<1x3x3x1xf32>
// CHECK-NEXT: %5 = "ttir.maximum"(%4, %3) : (tensor<1x3x3x1xf32>, tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32>
// CHECK-NEXT: return %5 : tensor<1x3x3x1xf32>
func.func @max_pool_of_padded(%x: tensor<1x4x4x1xf32>) -> tensor<1x3x3x1xf32> {
  %p = stablehlo.constant dense<0.0> : tensor<f32>
  %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.pad %x, %p, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<1x4x4x1xf32>, tensor<f32>) -> tensor<1x6x6x1xf32>
  %1 = "stablehlo.reduce_window"(%0, %i) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<1x6x6x1xf32>, tensor<f32>) -> tensor<1x3x3x1xf32>
  return %1 : tensor<1x3x3x1xf32>
}

// CHECK-LABEL: func.func @norm(
// CHECK-NEXT: %0 = "ttir.zeros"() <{shape = array<i32: 3>}> : () -> tensor<3xf32>
// CHECK-NEXT: %1 = "ttir.ones"() <{shape = array<i32: 3>}> : () -> tensor<3xf32>
// CHECK-NEXT: %result, %batch_mean, %batch_variance = "ttir.batch_norm_training"(%arg0, %arg1, %arg2, %0, %1) <{dimension = 1 : i32, epsilon = 1.000000e-03 : f32, momentum = 1.000000e+00 : f32}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
// CHECK-NEXT: return %result : tensor<2x3xf32>
func.func @norm(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %o: tensor<3xf32>) -> tensor<2x3xf32> {
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %0#0 : tensor<2x3xf32>
}

// Whatever ops say that any is true, or all are.
// CHECK-LABEL: func.func @any_selected(
// CHECK: "ttir.reduce_or"(%arg0) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<2x3xi1>) -> tensor<2xi1>
func.func @any_selected(%x: tensor<2x3xi1>) -> tensor<2xi1> {
  %i = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.reduce(%x init: %i) across dimensions = [1] : (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi1>
   reducer(%a: tensor<i1>, %b: tensor<i1>) {
    %t = stablehlo.constant dense<true> : tensor<i1>
    %f = stablehlo.constant dense<false> : tensor<i1>
    %1 = stablehlo.or %a, %b : tensor<i1>
    %2 = stablehlo.select %1, %t, %f : tensor<i1>, tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }
  return %0 : tensor<2xi1>
}

// CHECK-LABEL: func.func @all_selected(
// CHECK: "ttir.reduce_and"(%arg0) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<2x3xi1>) -> tensor<2xi1>
func.func @all_selected(%x: tensor<2x3xi1>) -> tensor<2xi1> {
  %i = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.reduce(%x init: %i) across dimensions = [1] : (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi1>
   reducer(%a: tensor<i1>, %b: tensor<i1>) {
    %f = stablehlo.constant dense<false> : tensor<i1>
    %1 = stablehlo.compare NE, %a, %f : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %2 = stablehlo.select %1, %b, %f : tensor<i1>, tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }
  return %0 : tensor<2xi1>
}

// Neither: the first without the second.
// CHECK-LABEL: func.func @not_joined(
// CHECK: stablehlo.reduce
func.func @not_joined(%x: tensor<2x3xi1>) -> tensor<2xi1> {
  %i = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.reduce(%x init: %i) across dimensions = [1] : (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi1>
   reducer(%a: tensor<i1>, %b: tensor<i1>) {
    %1 = stablehlo.not %b : tensor<i1>
    %2 = stablehlo.and %a, %1 : tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }
  return %0 : tensor<2xi1>
}
