// Attention in StableHLO: products with batches anywhere, scales and masks as they are in the graph.
// RUN: tessera opt %s --tessera-raise | FileCheck %s
// RUN: tessera run %s --function=attention_plain --input=random --seed=3 --output=%t0.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=attention_plain --input=random --seed=3 --expect=%t0.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=attention_causal_iota --input=random --seed=3 --output=%t1.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=attention_causal_iota --input=random --seed=3 --expect=%t1.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=attention_causal_added --input=random --seed=3 --output=%t2.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=attention_causal_added --input=random --seed=3 --expect=%t2.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=attention_causal_constant --input=random --seed=3 --output=%t3.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=attention_causal_constant --input=random --seed=3 --expect=%t3.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=attention_bias_padding_causal --input=random --seed=3 --output=%t4.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=attention_bias_padding_causal --input=random --seed=3 --expect=%t4.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=attention_one_key_head --input=random --seed=3 --output=%t5.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=attention_one_key_head --input=random --seed=3 --expect=%t5.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=attention_batched_by_reshape --input=random --seed=3 --output=%t6.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=attention_batched_by_reshape --input=random --seed=3 --expect=%t6.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=attention_repeated_keys --input=random --seed=3 --output=%t7.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=attention_repeated_keys --input=random --seed=3 --expect=%t7.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=attention_window --input=random --seed=3 --output=%t8.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=attention_window --input=random --seed=3 --expect=%t8.npz --rtol=1e-4 --atol=1e-4

// CHECK-LABEL: func.func @attention_plain(
// CHECK: tessera.transpose %arg0, dims = [0, 2, 1, 3] : tensor<2x6x4x8xf32> -> tensor<2x4x6x8xf32>
// CHECK: tessera.transpose %arg1, dims = [0, 2, 1, 3] : tensor<2x7x4x8xf32> -> tensor<2x4x7x8xf32>
// CHECK: tessera.transpose %arg2, dims = [0, 2, 1, 3] : tensor<2x7x4x8xf32> -> tensor<2x4x7x8xf32>
// CHECK: tessera.flash_attention {{%[0-9]+}}, {{%[0-9]+}}, {{%[0-9]+}} {scale = 0.353553{{.*}} : f64} : tensor<2x4x6x8xf32>, tensor<2x4x7x8xf32>, tensor<2x4x7x8xf32> -> tensor<2x4x6x8xf32>
// CHECK: tessera.transpose {{%[0-9]+}}, dims = [0, 2, 1, 3] : tensor<2x4x6x8xf32> -> tensor<2x6x4x8xf32>
func.func @attention_plain(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x7x4x8xf32>, %arg2: tensor<2x7x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %cst_1 = stablehlo.constant dense<2.82842708> : tensor<f32>
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x6x4x8xf32>, tensor<2x7x4x8xf32>) -> tensor<2x4x6x7xf32>
  %1 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x6x7xf32>
  %2 = stablehlo.divide %0, %1 : tensor<2x4x6x7xf32>
  %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x7xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
  %5 = stablehlo.maximum %4, %3 : tensor<2x4x6xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x7xf32>
  %8 = stablehlo.subtract %2, %7 : tensor<2x4x6x7xf32>
  %9 = stablehlo.exponential %8 : tensor<2x4x6x7xf32>
  %10 = stablehlo.reduce(%9 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x7xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x7xf32>
  %13 = stablehlo.divide %9, %12 : tensor<2x4x6x7xf32>
  %14 = stablehlo.dot_general %arg2, %13, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x7x4x8xf32>, tensor<2x4x6x7xf32>) -> tensor<2x4x8x6xf32>
  %15 = stablehlo.transpose %14, dims = [0, 3, 1, 2] : (tensor<2x4x8x6xf32>) -> tensor<2x6x4x8xf32>
  return %15 : tensor<2x6x4x8xf32>
}

// CHECK-LABEL: func.func @attention_causal_iota(
// CHECK: tessera.transpose %arg0, dims = [0, 2, 1, 3] : tensor<2x6x4x8xf32> -> tensor<2x4x6x8xf32>
// CHECK: tessera.transpose %arg1, dims = [0, 2, 1, 3] : tensor<2x7x4x8xf32> -> tensor<2x4x7x8xf32>
// CHECK: tessera.transpose %arg2, dims = [0, 2, 1, 3] : tensor<2x7x4x8xf32> -> tensor<2x4x7x8xf32>
// CHECK: tessera.flash_attention {{%[0-9]+}}, {{%[0-9]+}}, {{%[0-9]+}} {causal = true, scale = 5.000000e-01 : f64} : tensor<2x4x6x8xf32>, tensor<2x4x7x8xf32>, tensor<2x4x7x8xf32> -> tensor<2x4x6x8xf32>
// CHECK: tessera.transpose {{%[0-9]+}}, dims = [0, 2, 1, 3] : tensor<2x4x6x8xf32> -> tensor<2x6x4x8xf32>
func.func @attention_causal_iota(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x7x4x8xf32>, %arg2: tensor<2x7x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.iota dim = 0 : tensor<6xi32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
  %2 = stablehlo.iota dim = 0 : tensor<7xi32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<7xi32>) -> tensor<1x7xi32>
  %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x1xi32>
  %5 = stablehlo.add %1, %4 : tensor<6x1xi32>
  %6 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x7xi32>) -> tensor<6x7xi32>
  %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x7xi32>
  %8 = stablehlo.compare GT, %6, %7, SIGNED : (tensor<6x7xi32>, tensor<6x7xi32>) -> tensor<6x7xi1>
  %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x4x8xf32>
  %10 = stablehlo.multiply %arg0, %9 : tensor<2x6x4x8xf32>
  %11 = stablehlo.dot_general %10, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x6x4x8xf32>, tensor<2x7x4x8xf32>) -> tensor<2x4x6x7xf32>
  %12 = stablehlo.convert %cst_0 : tensor<f32>
  %13 = stablehlo.broadcast_in_dim %8, dims = [2, 3] : (tensor<6x7xi1>) -> tensor<2x4x6x7xi1>
  %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<2x4x6x7xf32>
  %15 = stablehlo.select %13, %14, %11 : tensor<2x4x6x7xi1>, tensor<2x4x6x7xf32>
  %16 = stablehlo.reduce(%15 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x7xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %17 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
  %18 = stablehlo.maximum %17, %16 : tensor<2x4x6xf32>
  %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x7xf32>
  %21 = stablehlo.subtract %15, %20 : tensor<2x4x6x7xf32>
  %22 = stablehlo.exponential %21 : tensor<2x4x6x7xf32>
  %23 = stablehlo.reduce(%22 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x7xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x7xf32>
  %26 = stablehlo.divide %22, %25 : tensor<2x4x6x7xf32>
  %27 = stablehlo.dot_general %arg2, %26, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x7x4x8xf32>, tensor<2x4x6x7xf32>) -> tensor<2x4x8x6xf32>
  %28 = stablehlo.transpose %27, dims = [0, 3, 1, 2] : (tensor<2x4x8x6xf32>) -> tensor<2x6x4x8xf32>
  return %28 : tensor<2x6x4x8xf32>
}

// CHECK-LABEL: func.func @attention_causal_added(
// CHECK: tessera.transpose %arg0, dims = [0, 2, 1, 3] : tensor<2x6x4x8xf32> -> tensor<2x4x6x8xf32>
// CHECK: tessera.transpose %arg1, dims = [0, 2, 1, 3] : tensor<2x6x4x8xf32> -> tensor<2x4x6x8xf32>
// CHECK: tessera.transpose %arg2, dims = [0, 2, 1, 3] : tensor<2x6x4x8xf32> -> tensor<2x4x6x8xf32>
// CHECK: tessera.flash_attention {{%[0-9]+}}, {{%[0-9]+}}, {{%[0-9]+}} {causal = true, scale = 1.000000e+00 : f64} : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32> -> tensor<2x4x6x8xf32>
// CHECK: tessera.transpose {{%[0-9]+}}, dims = [0, 2, 1, 3] : tensor<2x4x6x8xf32> -> tensor<2x6x4x8xf32>
func.func @attention_causal_added(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %cst_1 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
  %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x6xf32>
  %1 = stablehlo.iota dim = 0 : tensor<6x6xi32>
  %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
  %3 = stablehlo.add %1, %2 : tensor<6x6xi32>
  %4 = stablehlo.iota dim = 1 : tensor<6x6xi32>
  %5 = stablehlo.compare GE, %3, %4, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
  %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x6xf32>
  %7 = stablehlo.select %5, %0, %6 : tensor<6x6xi1>, tensor<6x6xf32>
  %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x6xf32>
  %9 = stablehlo.subtract %8, %7 : tensor<6x6xf32>
  %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x6xf32>
  %11 = stablehlo.multiply %9, %10 : tensor<6x6xf32>
  %12 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
  %13 = stablehlo.broadcast_in_dim %11, dims = [2, 3] : (tensor<6x6xf32>) -> tensor<1x1x6x6xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x1x6x6xf32>) -> tensor<2x4x6x6xf32>
  %15 = stablehlo.add %12, %14 : tensor<2x4x6x6xf32>
  %16 = stablehlo.reduce(%15 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %17 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
  %18 = stablehlo.maximum %17, %16 : tensor<2x4x6xf32>
  %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
  %21 = stablehlo.subtract %15, %20 : tensor<2x4x6x6xf32>
  %22 = stablehlo.exponential %21 : tensor<2x4x6x6xf32>
  %23 = stablehlo.reduce(%22 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
  %26 = stablehlo.divide %22, %25 : tensor<2x4x6x6xf32>
  %27 = stablehlo.dot_general %arg2, %26, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x6x4x8xf32>, tensor<2x4x6x6xf32>) -> tensor<2x4x8x6xf32>
  %28 = stablehlo.transpose %27, dims = [0, 3, 1, 2] : (tensor<2x4x8x6xf32>) -> tensor<2x6x4x8xf32>
  return %28 : tensor<2x6x4x8xf32>
}

// CHECK-LABEL: func.func @attention_causal_constant(
// CHECK: tessera.transpose %arg0, dims = [0, 2, 1, 3] : tensor<2x6x4x8xf32> -> tensor<2x4x6x8xf32>
// CHECK: tessera.transpose %arg1, dims = [0, 2, 1, 3] : tensor<2x6x4x8xf32> -> tensor<2x4x6x8xf32>
// CHECK: tessera.transpose %arg2, dims = [0, 2, 1, 3] : tensor<2x6x4x8xf32> -> tensor<2x4x6x8xf32>
// CHECK: tessera.flash_attention {{%[0-9]+}}, {{%[0-9]+}}, {{%[0-9]+}} {causal = true, scale = 1.000000e+00 : f64} : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32> -> tensor<2x4x6x8xf32>
// CHECK: tessera.transpose {{%[0-9]+}}, dims = [0, 2, 1, 3] : tensor<2x4x6x8xf32> -> tensor<2x6x4x8xf32>
func.func @attention_causal_constant(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %cst_1 = stablehlo.constant dense<-1.000000e+10> : tensor<f32>
  %c = stablehlo.constant dense<[[[[true, false, false, false, false, false], [true, true, false, false, false, false], [true, true, true, false, false, false], [true, true, true, true, false, false], [true, true, true, true, true, false], [true, true, true, true, true, true]]]]> : tensor<1x1x6x6xi1>
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
  %1 = stablehlo.convert %cst_1 : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %c, dims = [0, 1, 2, 3] : (tensor<1x1x6x6xi1>) -> tensor<2x4x6x6xi1>
  %3 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
  %4 = stablehlo.select %2, %0, %3 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>
  %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
  %7 = stablehlo.maximum %6, %5 : tensor<2x4x6xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
  %10 = stablehlo.subtract %4, %9 : tensor<2x4x6x6xf32>
  %11 = stablehlo.exponential %10 : tensor<2x4x6x6xf32>
  %12 = stablehlo.reduce(%11 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
  %15 = stablehlo.divide %11, %14 : tensor<2x4x6x6xf32>
  %16 = stablehlo.dot_general %arg2, %15, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x6x4x8xf32>, tensor<2x4x6x6xf32>) -> tensor<2x4x8x6xf32>
  %17 = stablehlo.transpose %16, dims = [0, 3, 1, 2] : (tensor<2x4x8x6xf32>) -> tensor<2x6x4x8xf32>
  return %17 : tensor<2x6x4x8xf32>
}

// CHECK-LABEL: func.func @attention_bias_padding_causal(
// CHECK: tessera.transpose %arg0, dims = [0, 2, 1, 3] : tensor<2x6x4x8xf32> -> tensor<2x4x6x8xf32>
// CHECK: tessera.transpose %arg1, dims = [0, 2, 1, 3] : tensor<2x6x4x8xf32> -> tensor<2x4x6x8xf32>
// CHECK: tessera.transpose %arg2, dims = [0, 2, 1, 3] : tensor<2x6x4x8xf32> -> tensor<2x4x6x8xf32>
// CHECK: tessera.reshape %arg3 : tensor<2x6xi1> -> tensor<2x1x1x6xi1>
// CHECK: tessera.flash_attention {{%[0-9]+}}, {{%[0-9]+}}, {{%[0-9]+}}, %arg4, {{%[0-9]+}} {causal = true, fill = -1.000000e+09 : f64, safe = false, scale = 1.000000e+00 : f64} : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>, tensor<4x6x6xf32>, tensor<2x1x1x6xi1> -> tensor<2x4x6x8xf32>
// CHECK: tessera.transpose {{%[0-9]+}}, dims = [0, 2, 1, 3] : tensor<2x4x6x8xf32> -> tensor<2x6x4x8xf32>
func.func @attention_bias_padding_causal(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>, %arg3: tensor<2x6xi1>, %arg4: tensor<4x6x6xf32>) -> tensor<2x6x4x8xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_0 = stablehlo.constant dense<false> : tensor<i1>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c_2 = stablehlo.constant dense<true> : tensor<i1>
  %cst_3 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %arg3, dims = [0, 3] : (tensor<2x6xi1>) -> tensor<2x1x1x6xi1>
  %1 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
  %2 = stablehlo.broadcast_in_dim %arg4, dims = [1, 2, 3] : (tensor<4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2, 3] : (tensor<1x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %4 = stablehlo.add %1, %3 : tensor<2x4x6x6xf32>
  %5 = stablehlo.convert %cst_3 : tensor<f32>
  %6 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2, 3] : (tensor<2x1x1x6xi1>) -> tensor<2x4x6x6xi1>
  %7 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
  %8 = stablehlo.select %6, %4, %7 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>
  %9 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
  %10 = stablehlo.iota dim = 0 : tensor<6x6xi32>
  %11 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
  %12 = stablehlo.add %10, %11 : tensor<6x6xi32>
  %13 = stablehlo.iota dim = 1 : tensor<6x6xi32>
  %14 = stablehlo.compare GE, %12, %13, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
  %15 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
  %16 = stablehlo.select %14, %9, %15 : tensor<6x6xi1>, tensor<6x6xi1>
  %17 = stablehlo.convert %cst_3 : tensor<f32>
  %18 = stablehlo.broadcast_in_dim %16, dims = [2, 3] : (tensor<6x6xi1>) -> tensor<2x4x6x6xi1>
  %19 = stablehlo.broadcast_in_dim %17, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
  %20 = stablehlo.select %18, %8, %19 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>
  %21 = stablehlo.reduce(%20 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %22 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
  %23 = stablehlo.maximum %22, %21 : tensor<2x4x6xf32>
  %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
  %26 = stablehlo.subtract %20, %25 : tensor<2x4x6x6xf32>
  %27 = stablehlo.exponential %26 : tensor<2x4x6x6xf32>
  %28 = stablehlo.reduce(%27 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
  %31 = stablehlo.divide %27, %30 : tensor<2x4x6x6xf32>
  %32 = stablehlo.dot_general %arg2, %31, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x6x4x8xf32>, tensor<2x4x6x6xf32>) -> tensor<2x4x8x6xf32>
  %33 = stablehlo.transpose %32, dims = [0, 3, 1, 2] : (tensor<2x4x8x6xf32>) -> tensor<2x6x4x8xf32>
  return %33 : tensor<2x6x4x8xf32>
}

// CHECK-LABEL: func.func @attention_one_key_head(
// CHECK: tessera.transpose %arg0, dims = [0, 2, 1, 3] : tensor<2x6x4x8xf32> -> tensor<2x4x6x8xf32>
// CHECK: tessera.reshape %arg1 : tensor<2x6x8xf32> -> tensor<2x1x6x8xf32>
// CHECK: tessera.reshape %arg2 : tensor<2x6x8xf32> -> tensor<2x1x6x8xf32>
// CHECK: tessera.flash_attention {{%[0-9]+}}, {{%[0-9]+}}, {{%[0-9]+}} {causal = true, scale = 1.000000e+00 : f64} : tensor<2x4x6x8xf32>, tensor<2x1x6x8xf32>, tensor<2x1x6x8xf32> -> tensor<2x4x6x8xf32>
// CHECK: tessera.transpose {{%[0-9]+}}, dims = [0, 2, 1, 3] : tensor<2x4x6x8xf32> -> tensor<2x6x4x8xf32>
func.func @attention_one_key_head(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x8xf32>, %arg2: tensor<2x6x8xf32>) -> tensor<2x6x4x8xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %cst_1 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
  %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0] x [0], contracting_dims = [2] x [3] : (tensor<2x6x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x6x6x4xf32>
  %1 = stablehlo.transpose %0, dims = [0, 3, 2, 1] : (tensor<2x6x6x4xf32>) -> tensor<2x4x6x6xf32>
  %2 = stablehlo.iota dim = 0 : tensor<6xi32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
  %4 = stablehlo.iota dim = 0 : tensor<6xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<6xi32>) -> tensor<1x6xi32>
  %6 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x6xi32>
  %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<6x6xi32>
  %8 = stablehlo.compare GE, %6, %7, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
  %9 = stablehlo.broadcast_in_dim %8, dims = [2, 3] : (tensor<6x6xi1>) -> tensor<2x4x6x6xi1>
  %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
  %11 = stablehlo.select %9, %1, %10 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>
  %12 = stablehlo.reduce(%11 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
  %14 = stablehlo.maximum %13, %12 : tensor<2x4x6xf32>
  %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
  %17 = stablehlo.subtract %11, %16 : tensor<2x4x6x6xf32>
  %18 = stablehlo.exponential %17 : tensor<2x4x6x6xf32>
  %19 = stablehlo.reduce(%18 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
  %22 = stablehlo.divide %18, %21 : tensor<2x4x6x6xf32>
  %23 = stablehlo.dot_general %arg2, %22, batching_dims = [0] x [0], contracting_dims = [1] x [3] : (tensor<2x6x8xf32>, tensor<2x4x6x6xf32>) -> tensor<2x8x4x6xf32>
  %24 = stablehlo.transpose %23, dims = [0, 3, 2, 1] : (tensor<2x8x4x6xf32>) -> tensor<2x6x4x8xf32>
  return %24 : tensor<2x6x4x8xf32>
}

// CHECK-LABEL: func.func @attention_batched_by_reshape(
// CHECK: tessera.flash_attention %arg0, %arg1, %arg2, %arg3 {safe = false, scale = 5.000000e-01 : f64} : tensor<2x4x6x8xf32>, tensor<2x4x7x8xf32>, tensor<2x4x7x8xf32>, tensor<2x1x6x7xf32> -> tensor<2x4x6x8xf32>
func.func @attention_batched_by_reshape(%arg0: tensor<2x4x6x8xf32>, %arg1: tensor<2x4x7x8xf32>, %arg2: tensor<2x4x7x8xf32>, %arg3: tensor<2x1x6x7xf32>) -> tensor<2x4x6x8xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x6x8xf32>
  %1 = stablehlo.multiply %arg0, %0 : tensor<2x4x6x8xf32>
  %2 = stablehlo.reshape %1 : (tensor<2x4x6x8xf32>) -> tensor<8x6x8xf32>
  %3 = stablehlo.transpose %arg1, dims = [0, 1, 3, 2] : (tensor<2x4x7x8xf32>) -> tensor<2x4x8x7xf32>
  %4 = stablehlo.reshape %3 : (tensor<2x4x8x7xf32>) -> tensor<8x8x7xf32>
  %5 = stablehlo.dot_general %2, %4, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x6x8xf32>, tensor<8x8x7xf32>) -> tensor<8x6x7xf32>
  %6 = stablehlo.reshape %5 : (tensor<8x6x7xf32>) -> tensor<2x4x6x7xf32>
  %7 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1, 2, 3] : (tensor<2x1x6x7xf32>) -> tensor<2x4x6x7xf32>
  %8 = stablehlo.add %6, %7 : tensor<2x4x6x7xf32>
  %9 = stablehlo.reduce(%8 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x7xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
  %11 = stablehlo.maximum %10, %9 : tensor<2x4x6xf32>
  %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x7xf32>
  %14 = stablehlo.subtract %8, %13 : tensor<2x4x6x7xf32>
  %15 = stablehlo.exponential %14 : tensor<2x4x6x7xf32>
  %16 = stablehlo.reduce(%15 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x7xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x7xf32>
  %19 = stablehlo.divide %15, %18 : tensor<2x4x6x7xf32>
  %20 = stablehlo.reshape %19 : (tensor<2x4x6x7xf32>) -> tensor<8x6x7xf32>
  %21 = stablehlo.reshape %arg2 : (tensor<2x4x7x8xf32>) -> tensor<8x7x8xf32>
  %22 = stablehlo.dot_general %20, %21, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x6x7xf32>, tensor<8x7x8xf32>) -> tensor<8x6x8xf32>
  %23 = stablehlo.reshape %22 : (tensor<8x6x8xf32>) -> tensor<2x4x6x8xf32>
  return %23 : tensor<2x4x6x8xf32>
}

// CHECK-LABEL: func.func @attention_repeated_keys(
// CHECK: tessera.reshape %arg0 : tensor<2x4x6x8xf32> -> tensor<2x2x2x6x8xf32>
// CHECK: tessera.reshape %arg1 : tensor<2x2x7x8xf32> -> tensor<2x2x1x7x8xf32>
// CHECK: tessera.reshape %arg2 : tensor<2x2x7x8xf32> -> tensor<2x2x1x7x8xf32>
// CHECK: tessera.reshape %arg3 : tensor<4x6x7xf32> -> tensor<2x2x6x7xf32>
// CHECK: tessera.flash_attention {{%[0-9]+}}, {{%[0-9]+}}, {{%[0-9]+}}, {{%[0-9]+}} {safe = false, scale = 0.353553{{.*}} : f64} : tensor<2x2x2x6x8xf32>, tensor<2x2x1x7x8xf32>, tensor<2x2x1x7x8xf32>, tensor<2x2x6x7xf32> -> tensor<2x2x2x6x8xf32>
// CHECK: tessera.transpose {{%[0-9]+}}, dims = [0, 3, 1, 2, 4] : tensor<2x2x2x6x8xf32> -> tensor<2x6x2x2x8xf32>
// CHECK: tessera.reshape {{%[0-9]+}} : tensor<2x6x2x2x8xf32> -> tensor<2x6x4x8xf32>
func.func @attention_repeated_keys(%arg0: tensor<2x4x6x8xf32>, %arg1: tensor<2x2x7x8xf32>, %arg2: tensor<2x2x7x8xf32>, %arg3: tensor<4x6x7xf32>) -> tensor<2x6x4x8xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %cst_1 = stablehlo.constant dense<2.82842708> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 3, 4] : (tensor<2x2x7x8xf32>) -> tensor<2x2x1x7x8xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2, 3, 4] : (tensor<2x2x1x7x8xf32>) -> tensor<2x2x2x7x8xf32>
  %2 = stablehlo.reshape %1 : (tensor<2x2x2x7x8xf32>) -> tensor<2x4x7x8xf32>
  %3 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 3, 4] : (tensor<2x2x7x8xf32>) -> tensor<2x2x1x7x8xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3, 4] : (tensor<2x2x1x7x8xf32>) -> tensor<2x2x2x7x8xf32>
  %5 = stablehlo.reshape %4 : (tensor<2x2x2x7x8xf32>) -> tensor<2x4x7x8xf32>
  %6 = stablehlo.reshape %arg0 : (tensor<2x4x6x8xf32>) -> tensor<8x6x8xf32>
  %7 = stablehlo.transpose %2, dims = [0, 1, 3, 2] : (tensor<2x4x7x8xf32>) -> tensor<2x4x8x7xf32>
  %8 = stablehlo.reshape %7 : (tensor<2x4x8x7xf32>) -> tensor<8x8x7xf32>
  %9 = stablehlo.dot_general %6, %8, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x6x8xf32>, tensor<8x8x7xf32>) -> tensor<8x6x7xf32>
  %10 = stablehlo.reshape %9 : (tensor<8x6x7xf32>) -> tensor<2x4x6x7xf32>
  %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x6x7xf32>
  %12 = stablehlo.divide %10, %11 : tensor<2x4x6x7xf32>
  %13 = stablehlo.broadcast_in_dim %arg3, dims = [1, 2, 3] : (tensor<4x6x7xf32>) -> tensor<1x4x6x7xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x4x6x7xf32>) -> tensor<2x4x6x7xf32>
  %15 = stablehlo.add %12, %14 : tensor<2x4x6x7xf32>
  %16 = stablehlo.reduce(%15 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x7xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %17 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
  %18 = stablehlo.maximum %17, %16 : tensor<2x4x6xf32>
  %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x7xf32>
  %21 = stablehlo.subtract %15, %20 : tensor<2x4x6x7xf32>
  %22 = stablehlo.exponential %21 : tensor<2x4x6x7xf32>
  %23 = stablehlo.reduce(%22 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x7xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x7xf32>
  %26 = stablehlo.divide %22, %25 : tensor<2x4x6x7xf32>
  %27 = stablehlo.reshape %26 : (tensor<2x4x6x7xf32>) -> tensor<8x6x7xf32>
  %28 = stablehlo.reshape %5 : (tensor<2x4x7x8xf32>) -> tensor<8x7x8xf32>
  %29 = stablehlo.dot_general %27, %28, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x6x7xf32>, tensor<8x7x8xf32>) -> tensor<8x6x8xf32>
  %30 = stablehlo.reshape %29 : (tensor<8x6x8xf32>) -> tensor<2x4x6x8xf32>
  %31 = stablehlo.transpose %30, dims = [0, 2, 1, 3] : (tensor<2x4x6x8xf32>) -> tensor<2x6x4x8xf32>
  return %31 : tensor<2x6x4x8xf32>
}

// CHECK-LABEL: func.func @attention_window(
// CHECK: tessera.transpose %arg0, dims = [0, 2, 1, 3] : tensor<2x6x4x8xf32> -> tensor<2x4x6x8xf32>
// CHECK: tessera.transpose %arg1, dims = [0, 2, 1, 3] : tensor<2x6x4x8xf32> -> tensor<2x4x6x8xf32>
// CHECK: tessera.transpose %arg2, dims = [0, 2, 1, 3] : tensor<2x6x4x8xf32> -> tensor<2x4x6x8xf32>
// CHECK: tessera.flash_attention {{%[0-9]+}}, {{%[0-9]+}}, {{%[0-9]+}}, {{%[0-9]+}} {causal = true, fill = -3.4028234663852886E+38 : f64, scale = 1.000000e+00 : f64} : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>, tensor<6x6xi1> -> tensor<2x4x6x8xf32>
// CHECK: tessera.transpose {{%[0-9]+}}, dims = [0, 2, 1, 3] : tensor<2x4x6x8xf32> -> tensor<2x6x4x8xf32>
func.func @attention_window(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6x4x8xf32>, %arg2: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %cst_1 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
  %c = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.iota dim = 0 : tensor<6xi32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
  %2 = stablehlo.iota dim = 0 : tensor<6xi32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<6xi32>) -> tensor<1x6xi32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<6x6xi32>
  %5 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x6xi32>
  %6 = stablehlo.compare LE, %4, %5, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
  %7 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x6xi32>
  %8 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<6x6xi32>
  %9 = stablehlo.subtract %7, %8 : tensor<6x6xi32>
  %10 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
  %11 = stablehlo.compare LT, %9, %10, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
  %12 = stablehlo.and %6, %11 : tensor<6x6xi1>
  %13 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x4x6x6xf32>
  %14 = stablehlo.broadcast_in_dim %12, dims = [2, 3] : (tensor<6x6xi1>) -> tensor<2x4x6x6xi1>
  %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
  %16 = stablehlo.select %14, %13, %15 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>
  %17 = stablehlo.reduce(%16 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %18 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
  %19 = stablehlo.maximum %18, %17 : tensor<2x4x6xf32>
  %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
  %22 = stablehlo.subtract %16, %21 : tensor<2x4x6x6xf32>
  %23 = stablehlo.exponential %22 : tensor<2x4x6x6xf32>
  %24 = stablehlo.reduce(%23 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
  %27 = stablehlo.divide %23, %26 : tensor<2x4x6x6xf32>
  %28 = stablehlo.dot_general %arg2, %27, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x6x4x8xf32>, tensor<2x4x6x6xf32>) -> tensor<2x4x8x6xf32>
  %29 = stablehlo.transpose %28, dims = [0, 3, 1, 2] : (tensor<2x4x8x6xf32>) -> tensor<2x6x4x8xf32>
  return %29 : tensor<2x6x4x8xf32>
}
