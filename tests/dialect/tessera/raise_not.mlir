// What only looks like a layer, or is needed elsewhere, stays; --dump-clusters says why.
// RUN: tessera opt %s --tessera-raise | FileCheck %s
// RUN: tessera opt %s --tessera-fuse=dump-clusters=true -o /dev/null 2>&1 | FileCheck %s --check-prefix=DUMP

// CHECK-LABEL: func.func @mean_is_used_elsewhere(
// CHECK-NOT: tessera.
// DUMP: @mean_is_used_elsewhere
// DUMP-NEXT:   not raised: layer_norm at {{.*}}: stablehlo.divide at {{.*}} is used elsewhere, so it would be computed twice
func.func @mean_is_used_elsewhere(%arg0: tensor<2x6x16xf32>) -> (tensor<2x6x16xf32>, tensor<2x6x1xf32>) {
  %cst = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
  %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %3 = stablehlo.divide %1, %2 : tensor<2x6x1xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
  %5 = stablehlo.subtract %arg0, %4 : tensor<2x6x16xf32>
  %6 = stablehlo.multiply %5, %5 : tensor<2x6x16xf32>
  %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
  %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %10 = stablehlo.divide %8, %9 : tensor<2x6x1xf32>
  %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %12 = stablehlo.add %10, %11 : tensor<2x6x1xf32>
  %13 = stablehlo.rsqrt %12 : tensor<2x6x1xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
  %15 = stablehlo.multiply %5, %14 : tensor<2x6x16xf32>
  return %15, %3 : tensor<2x6x16xf32>, tensor<2x6x1xf32>
}

// CHECK-LABEL: func.func @norm_of_other_dimension(
// CHECK-NOT: tessera.
// DUMP: @norm_of_other_dimension
// DUMP-NEXT:   not raised: rms_norm at {{.*}}: it is not over the last dimension
func.func @norm_of_other_dimension(%arg0: tensor<2x6x16xf32>, %arg1: tensor<16xf32>) -> tensor<2x6x16xf32> {
  %cst = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
  %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.multiply %arg0, %arg0 : tensor<2x6x16xf32>
  %1 = stablehlo.reduce(%0 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x16xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 2] : (tensor<2x16xf32>) -> tensor<2x1x16xf32>
  %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x1x16xf32>
  %4 = stablehlo.divide %2, %3 : tensor<2x1x16xf32>
  %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x1x16xf32>
  %6 = stablehlo.add %4, %5 : tensor<2x1x16xf32>
  %7 = stablehlo.sqrt %6 : tensor<2x1x16xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x1x16xf32>) -> tensor<2x6x16xf32>
  %9 = stablehlo.divide %arg0, %8 : tensor<2x6x16xf32>
  %10 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
  %12 = stablehlo.multiply %9, %11 : tensor<2x6x16xf32>
  return %12 : tensor<2x6x16xf32>
}

// CHECK-LABEL: func.func @sum_of_squares(
// CHECK-NOT: tessera.
func.func @sum_of_squares(%arg0: tensor<2x6x16xf32>) -> tensor<2x6x16xf32> {
  %cst = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.multiply %arg0, %arg0 : tensor<2x6x16xf32>
  %1 = stablehlo.reduce(%0 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %4 = stablehlo.add %2, %3 : tensor<2x6x1xf32>
  %5 = stablehlo.rsqrt %4 : tensor<2x6x1xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
  %7 = stablehlo.multiply %arg0, %6 : tensor<2x6x16xf32>
  return %7 : tensor<2x6x16xf32>
}

// CHECK-LABEL: func.func @quick_gelu(
// CHECK-NOT: tessera.
func.func @quick_gelu(%arg0: tensor<2x6x16xf32>) -> tensor<2x6x16xf32> {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<1.702000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %1 = stablehlo.multiply %0, %arg0 : tensor<2x6x16xf32>
  %2 = stablehlo.negate %1 : tensor<2x6x16xf32>
  %3 = stablehlo.exponential %2 : tensor<2x6x16xf32>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %5 = stablehlo.add %4, %3 : tensor<2x6x16xf32>
  %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %7 = stablehlo.divide %6, %5 : tensor<2x6x16xf32>
  %8 = stablehlo.multiply %arg0, %7 : tensor<2x6x16xf32>
  return %8 : tensor<2x6x16xf32>
}

// CHECK-LABEL: func.func @softmax_of_two_dimensions(
// CHECK-NOT: tessera.
func.func @softmax_of_two_dimensions(%arg0: tensor<2x6x16xf32>) -> tensor<2x6x16xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.maximum across dimensions = [1, 2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %2 = stablehlo.maximum %1, %0 : tensor<2xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xf32>) -> tensor<2x1x1xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x1x1xf32>) -> tensor<2x6x16xf32>
  %5 = stablehlo.subtract %arg0, %4 : tensor<2x6x16xf32>
  %6 = stablehlo.exponential %5 : tensor<2x6x16xf32>
  %7 = stablehlo.reduce(%6 init: %cst) applies stablehlo.add across dimensions = [1, 2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<2xf32>) -> tensor<2x1x1xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x1x1xf32>) -> tensor<2x6x16xf32>
  %10 = stablehlo.divide %6, %9 : tensor<2x6x16xf32>
  return %10 : tensor<2x6x16xf32>
}

// CHECK-LABEL: func.func @scores_are_used_elsewhere(
// CHECK: tessera.softmax
// CHECK-NOT: tessera.
// DUMP: @scores_are_used_elsewhere
// DUMP: not raised: attention at {{.*}}: stablehlo.dot_general at {{.*}} is used elsewhere, so it would be computed twice
func.func @scores_are_used_elsewhere(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x7x4x8xf32>, %arg2: tensor<2x7x4x8xf32>) -> (tensor<2x6x4x8xf32>, tensor<2x4x6x7xf32>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x6x4x8xf32>, tensor<2x7x4x8xf32>) -> tensor<2x4x6x7xf32>
  %1 = stablehlo.reduce(%0 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x7xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
  %3 = stablehlo.maximum %2, %1 : tensor<2x4x6xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x7xf32>
  %6 = stablehlo.subtract %0, %5 : tensor<2x4x6x7xf32>
  %7 = stablehlo.exponential %6 : tensor<2x4x6x7xf32>
  %8 = stablehlo.reduce(%7 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x7xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x7xf32>
  %11 = stablehlo.divide %7, %10 : tensor<2x4x6x7xf32>
  %12 = stablehlo.dot_general %arg2, %11, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x7x4x8xf32>, tensor<2x4x6x7xf32>) -> tensor<2x4x8x6xf32>
  %13 = stablehlo.transpose %12, dims = [0, 3, 1, 2] : (tensor<2x4x8x6xf32>) -> tensor<2x6x4x8xf32>
  return %13, %0 : tensor<2x6x4x8xf32>, tensor<2x4x6x7xf32>
}

// CHECK-LABEL: func.func @attention_capped(
// CHECK: tessera.softmax
// CHECK-NOT: tessera.
// DUMP: @attention_capped
// DUMP: not raised: attention at {{.*}}: stablehlo.tanh at {{.*}} stands between the scores and their softmax
func.func @attention_capped(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x7x4x8xf32>, %arg2: tensor<2x7x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %cst_1 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x6x4x8xf32>, tensor<2x7x4x8xf32>) -> tensor<2x4x6x7xf32>
  %1 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x6x7xf32>
  %2 = stablehlo.divide %0, %1 : tensor<2x4x6x7xf32>
  %3 = stablehlo.tanh %2 : tensor<2x4x6x7xf32>
  %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x6x7xf32>
  %5 = stablehlo.multiply %4, %3 : tensor<2x4x6x7xf32>
  %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x7xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
  %8 = stablehlo.maximum %7, %6 : tensor<2x4x6xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x7xf32>
  %11 = stablehlo.subtract %5, %10 : tensor<2x4x6x7xf32>
  %12 = stablehlo.exponential %11 : tensor<2x4x6x7xf32>
  %13 = stablehlo.reduce(%12 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x7xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x7xf32>
  %16 = stablehlo.divide %12, %15 : tensor<2x4x6x7xf32>
  %17 = stablehlo.dot_general %arg2, %16, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x7x4x8xf32>, tensor<2x4x6x7xf32>) -> tensor<2x4x8x6xf32>
  %18 = stablehlo.transpose %17, dims = [0, 3, 1, 2] : (tensor<2x4x8x6xf32>) -> tensor<2x6x4x8xf32>
  return %18 : tensor<2x6x4x8xf32>
}

// CHECK-LABEL: func.func @rotary_wrong_sign(
// CHECK-NOT: tessera.
func.func @rotary_wrong_sign(%arg0: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
  %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_2 = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %1 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %2 = stablehlo.multiply %1, %0 : tensor<4xi32>
  %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %4 = stablehlo.add %3, %2 : tensor<4xi32>
  %5 = stablehlo.convert %4 : (tensor<4xi32>) -> tensor<4xf32>
  %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %7 = stablehlo.divide %5, %6 : tensor<4xf32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %9 = stablehlo.power %8, %7 : tensor<4xf32>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %11 = stablehlo.divide %10, %9 : tensor<4xf32>
  %12 = stablehlo.iota dim = 0 : tensor<6xi32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
  %14 = stablehlo.broadcast_in_dim %11, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
  %15 = stablehlo.convert %13 : (tensor<6x1xi32>) -> tensor<6x1xf32>
  %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x4xf32>
  %17 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<6x4xf32>
  %18 = stablehlo.multiply %16, %17 : tensor<6x4xf32>
  %19 = stablehlo.cosine %18 : tensor<6x4xf32>
  %20 = stablehlo.sine %18 : tensor<6x4xf32>
  %21 = stablehlo.broadcast_in_dim %19, dims = [1, 3] : (tensor<6x4xf32>) -> tensor<1x6x1x4xf32>
  %22 = stablehlo.broadcast_in_dim %20, dims = [1, 3] : (tensor<6x4xf32>) -> tensor<1x6x1x4xf32>
  %23 = stablehlo.slice %arg0 [0:2, 0:6, 0:4, 0:4] : (tensor<2x6x4x8xf32>) -> tensor<2x6x4x4xf32>
  %24 = stablehlo.slice %arg0 [0:2, 0:6, 0:4, 4:8] : (tensor<2x6x4x8xf32>) -> tensor<2x6x4x4xf32>
  %25 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
  %26 = stablehlo.multiply %23, %25 : tensor<2x6x4x4xf32>
  %27 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
  %28 = stablehlo.multiply %24, %27 : tensor<2x6x4x4xf32>
  %29 = stablehlo.add %26, %28 : tensor<2x6x4x4xf32>
  %30 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
  %31 = stablehlo.multiply %24, %30 : tensor<2x6x4x4xf32>
  %32 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
  %33 = stablehlo.multiply %23, %32 : tensor<2x6x4x4xf32>
  %34 = stablehlo.add %31, %33 : tensor<2x6x4x4xf32>
  %35 = stablehlo.concatenate %29, %34, dim = 3 : (tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) -> tensor<2x6x4x8xf32>
  return %35 : tensor<2x6x4x8xf32>
}

// Scores that are made once would be made in every step.
// CHECK-LABEL: func.func @scores_before_a_loop(
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.while
// CHECK: tessera.softmax
// CHECK-NOT: tessera.
// DUMP: @scores_before_a_loop
// DUMP-NEXT: not raised: attention at {{.*}}: stablehlo.dot_general at {{.*}} stands in another block, where it may run less often
func.func @scores_before_a_loop(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x8xf32>, %n: tensor<i32>) -> tensor<4x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<5x8xf32>) -> tensor<4x5xf32>
  %1:2 = stablehlo.while(%i = %zero, %x = %q) : tensor<i32>, tensor<4x8xf32>
    cond {
      %2 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %3 = stablehlo.add %i, %one : tensor<i32>
      %4 = tessera.softmax %0 : tensor<4x5xf32> -> tensor<4x5xf32>
      %5 = stablehlo.dot_general %4, %v, contracting_dims = [1] x [0] : (tensor<4x5xf32>, tensor<5x8xf32>) -> tensor<4x8xf32>
      stablehlo.return %3, %5 : tensor<i32>, tensor<4x8xf32>
    }
  return %1#1 : tensor<4x8xf32>
}

// One of the two masks hides by another number than the other.
// CHECK-LABEL: func.func @two_fills(
// CHECK: tessera.softmax
// CHECK-NOT: tessera.
// DUMP: @two_fills
// DUMP-NEXT: not raised: attention at {{.*}}: its masks hide scores by different numbers
func.func @two_fills(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x8xf32>, %m: tensor<4x5xi1>, %n: tensor<4x5xi1>) -> tensor<4x8xf32> {
  %a = stablehlo.constant dense<-1.0> : tensor<4x5xf32>
  %b = stablehlo.constant dense<-2.0> : tensor<4x5xf32>
  %0 = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<5x8xf32>) -> tensor<4x5xf32>
  %1 = stablehlo.select %m, %0, %a : tensor<4x5xi1>, tensor<4x5xf32>
  %2 = stablehlo.select %n, %1, %b : tensor<4x5xi1>, tensor<4x5xf32>
  %3 = tessera.softmax %2 : tensor<4x5xf32> -> tensor<4x5xf32>
  %4 = stablehlo.dot_general %3, %v, contracting_dims = [1] x [0] : (tensor<4x5xf32>, tensor<5x8xf32>) -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// A mask that is scaled with the scores.
// CHECK-LABEL: func.func @scaled_mask(
// CHECK: tessera.softmax
// CHECK-NOT: tessera.flash_attention
// DUMP: @scaled_mask
// DUMP-NEXT: not raised: attention at {{.*}}: stablehlo.add at {{.*}} is a mask that is scaled with the scores
func.func @scaled_mask(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x8xf32>, %m: tensor<4x5xf32>) -> tensor<4x8xf32> {
  %c = stablehlo.constant dense<0.5> : tensor<4x5xf32>
  %0 = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<5x8xf32>) -> tensor<4x5xf32>
  %1 = stablehlo.add %0, %m : tensor<4x5xf32>
  %2 = stablehlo.multiply %1, %c : tensor<4x5xf32>
  %3 = tessera.softmax %2 : tensor<4x5xf32> -> tensor<4x5xf32>
  %4 = stablehlo.dot_general %3, %v, contracting_dims = [1] x [0] : (tensor<4x5xf32>, tensor<5x8xf32>) -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// Softmax along another dimension than the one that the values sum over; a sum over another dimension than the maximum.
// CHECK-LABEL: func.func @other_dimensions(
// CHECK-NOT: tessera.flash_attention
// CHECK: tessera.softmax %{{.*}} {axis = 0
// CHECK-NOT: tessera.
func.func @other_dimensions(%q: tensor<5x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x8xf32>) -> (tensor<5x8xf32>, tensor<5x5xf32>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<5x8xf32>, tensor<5x8xf32>) -> tensor<5x5xf32>
  %1 = tessera.softmax %0 {axis = 0 : i64} : tensor<5x5xf32> -> tensor<5x5xf32>
  %2 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0] : (tensor<5x5xf32>, tensor<5x8xf32>) -> tensor<5x8xf32>
  %3 = stablehlo.dot_general %k, %q, contracting_dims = [1] x [1] : (tensor<5x8xf32>, tensor<5x8xf32>) -> tensor<5x5xf32>
  %4 = stablehlo.reduce(%3 init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<5x5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<5xf32>) -> tensor<5x5xf32>
  %6 = stablehlo.subtract %3, %5 : tensor<5x5xf32>
  %7 = stablehlo.exponential %6 : tensor<5x5xf32>
  %8 = stablehlo.reduce(%7 init: %none) applies stablehlo.add across dimensions = [1] : (tensor<5x5xf32>, tensor<f32>) -> tensor<5xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<5xf32>) -> tensor<5x5xf32>
  %10 = stablehlo.divide %7, %9 : tensor<5x5xf32>
  return %2, %10 : tensor<5x8xf32>, tensor<5x5xf32>
}

// Constants that are near those of gelu, but not those.
// CHECK-LABEL: func.func @near_gelu(
// CHECK-NOT: tessera.
func.func @near_gelu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<0.707> : tensor<4xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %half = stablehlo.constant dense<0.5> : tensor<4xf32>
  %0 = stablehlo.multiply %x, %half : tensor<4xf32>
  %1 = stablehlo.multiply %x, %c : tensor<4xf32>
  %2 = chlo.erf %1 : tensor<4xf32> -> tensor<4xf32>
  %3 = stablehlo.add %2, %one : tensor<4xf32>
  %4 = stablehlo.multiply %0, %3 : tensor<4xf32>
  return %4 : tensor<4xf32>
}
