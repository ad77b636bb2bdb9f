// Layers that widen what they work on, and make it narrow again.
// RUN: tessera opt %s --tessera-raise | FileCheck %s
// RUN: tessera run %s --function=norm_half --input=random --seed=3 --output=%t0.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=norm_half --input=random --seed=3 --expect=%t0.npz --rtol=2e-2 --atol=2e-2
// RUN: tessera run %s --function=softmax_half --input=random --seed=3 --output=%t1.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=softmax_half --input=random --seed=3 --expect=%t1.npz --rtol=2e-2 --atol=2e-2
// RUN: tessera run %s --function=attention_half --input=random --seed=3 --output=%t2.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=attention_half --input=random --seed=3 --expect=%t2.npz --rtol=2e-2 --atol=2e-2
// RUN: tessera run %s --function=rotary_half_precision --input=random --seed=3 --output=%t3.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=rotary_half_precision --input=random --seed=3 --expect=%t3.npz --rtol=2e-2 --atol=2e-2

// CHECK-LABEL: func.func @norm_half(
// CHECK: tessera.layer_norm {{%[0-9]+}}, %arg1, %arg2 {eps = 9.999999{{.*}} : f64} : tensor<2x6x16xbf16>, tensor<16xf32>, tensor<16xf32> -> tensor<2x6x16xbf16>
func.func @norm_half(%arg0: tensor<2x6x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>) -> tensor<2x6x16xf32> {
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %cst_0 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.convert %arg0 : (tensor<2x6x16xf32>) -> tensor<2x6x16xbf16>
  %1 = stablehlo.convert %0 : (tensor<2x6x16xbf16>) -> tensor<2x6x16xf32>
  %2 = stablehlo.reduce(%1 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
  %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %5 = stablehlo.divide %3, %4 : tensor<2x6x1xf32>
  %6 = stablehlo.reduce(%1 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
  %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %9 = stablehlo.divide %7, %8 : tensor<2x6x1xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
  %11 = stablehlo.subtract %1, %10 : tensor<2x6x16xf32>
  %12 = chlo.square %11 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
  %13 = stablehlo.convert %c : (tensor<i32>) -> tensor<f32>
  %14 = stablehlo.subtract %cst_1, %13 : tensor<f32>
  %15 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
  %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
  %17 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %18 = stablehlo.divide %16, %17 : tensor<2x6x1xf32>
  %19 = stablehlo.compare GT, %14, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %20 = stablehlo.convert %cst : tensor<f32>
  %21 = stablehlo.broadcast_in_dim %20, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %22 = stablehlo.select %19, %18, %21 : tensor<i1>, tensor<2x6x1xf32>
  %23 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
  %24 = stablehlo.subtract %1, %23 : tensor<2x6x16xf32>
  %25 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %26 = stablehlo.add %22, %25 : tensor<2x6x1xf32>
  %27 = stablehlo.rsqrt %26 : tensor<2x6x1xf32>
  %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
  %29 = stablehlo.multiply %24, %28 : tensor<2x6x16xf32>
  %30 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
  %32 = stablehlo.multiply %29, %31 : tensor<2x6x16xf32>
  %33 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
  %35 = stablehlo.add %32, %34 : tensor<2x6x16xf32>
  %36 = stablehlo.convert %35 : (tensor<2x6x16xf32>) -> tensor<2x6x16xbf16>
  %37 = stablehlo.convert %36 : (tensor<2x6x16xbf16>) -> tensor<2x6x16xf32>
  return %37 : tensor<2x6x16xf32>
}

// CHECK-LABEL: func.func @softmax_half(
// CHECK: tessera.softmax {{%[0-9]+}} : tensor<2x6x16xbf16> -> tensor<2x6x16xbf16>
func.func @softmax_half(%arg0: tensor<2x6x16xf32>) -> tensor<2x6x16xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %0 = stablehlo.convert %arg0 : (tensor<2x6x16xf32>) -> tensor<2x6x16xbf16>
  %1 = stablehlo.reduce(%0 init: %cst_0) applies stablehlo.maximum across dimensions = [2] : (tensor<2x6x16xbf16>, tensor<bf16>) -> tensor<2x6xbf16>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<2x6xbf16>
  %3 = stablehlo.maximum %2, %1 : tensor<2x6xbf16>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x6xbf16>) -> tensor<2x6x1xbf16>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<2x6x1xbf16>) -> tensor<2x6x16xbf16>
  %6 = stablehlo.subtract %0, %5 : tensor<2x6x16xbf16>
  %7 = stablehlo.exponential %6 : tensor<2x6x16xbf16>
  %8 = stablehlo.convert %7 : (tensor<2x6x16xbf16>) -> tensor<2x6x16xf32>
  %9 = stablehlo.reduce(%8 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
  %11 = stablehlo.convert %10 : (tensor<2x6x1xf32>) -> tensor<2x6x1xbf16>
  %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x6x1xbf16>) -> tensor<2x6x16xbf16>
  %13 = stablehlo.divide %7, %12 : tensor<2x6x16xbf16>
  %14 = stablehlo.convert %13 : (tensor<2x6x16xbf16>) -> tensor<2x6x16xf32>
  return %14 : tensor<2x6x16xf32>
}

// CHECK-LABEL: func.func @attention_half(
// CHECK: tessera.transpose {{%[0-9]+}}, dims = [0, 2, 1, 3] : tensor<2x6x4x8xbf16> -> tensor<2x4x6x8xbf16>
// CHECK: tessera.transpose {{%[0-9]+}}, dims = [0, 2, 1, 3] : tensor<2x7x4x8xbf16> -> tensor<2x4x7x8xbf16>
// CHECK: tessera.transpose {{%[0-9]+}}, dims = [0, 2, 1, 3] : tensor<2x7x4x8xbf16> -> tensor<2x4x7x8xbf16>
// CHECK: tessera.flash_attention {{%[0-9]+}}, {{%[0-9]+}}, {{%[0-9]+}} {scale = 2.500000e-01 : f64} : tensor<2x4x6x8xbf16>, tensor<2x4x7x8xbf16>, tensor<2x4x7x8xbf16> -> tensor<2x4x6x8xbf16>
// CHECK: tessera.transpose {{%[0-9]+}}, dims = [0, 2, 1, 3] : tensor<2x4x6x8xbf16> -> tensor<2x6x4x8xbf16>
func.func @attention_half(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x7x4x8xf32>, %arg2: tensor<2x7x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %cst_1 = stablehlo.constant dense<2.500000e-01> : tensor<bf16>
  %0 = stablehlo.convert %arg0 : (tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xbf16>
  %1 = stablehlo.convert %arg1 : (tensor<2x7x4x8xf32>) -> tensor<2x7x4x8xbf16>
  %2 = stablehlo.convert %arg2 : (tensor<2x7x4x8xf32>) -> tensor<2x7x4x8xbf16>
  %3 = stablehlo.dot_general %0, %1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x6x4x8xbf16>, tensor<2x7x4x8xbf16>) -> tensor<2x4x6x7xbf16>
  %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<2x4x6x7xbf16>
  %5 = stablehlo.multiply %3, %4 : tensor<2x4x6x7xbf16>
  %6 = stablehlo.convert %5 : (tensor<2x4x6x7xbf16>) -> tensor<2x4x6x7xf32>
  %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x7xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
  %9 = stablehlo.maximum %8, %7 : tensor<2x4x6xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x7xf32>
  %12 = stablehlo.subtract %6, %11 : tensor<2x4x6x7xf32>
  %13 = stablehlo.exponential %12 : tensor<2x4x6x7xf32>
  %14 = stablehlo.reduce(%13 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x7xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
  %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x7xf32>
  %17 = stablehlo.divide %13, %16 : tensor<2x4x6x7xf32>
  %18 = stablehlo.convert %17 : (tensor<2x4x6x7xf32>) -> tensor<2x4x6x7xbf16>
  %19 = stablehlo.dot_general %2, %18, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x7x4x8xbf16>, tensor<2x4x6x7xbf16>) -> tensor<2x4x8x6xbf16>
  %20 = stablehlo.transpose %19, dims = [0, 3, 1, 2] : (tensor<2x4x8x6xbf16>) -> tensor<2x6x4x8xbf16>
  %21 = stablehlo.convert %20 : (tensor<2x6x4x8xbf16>) -> tensor<2x6x4x8xf32>
  return %21 : tensor<2x6x4x8xf32>
}

// CHECK-LABEL: func.func @rotary_half_precision(
// CHECK: tessera.rotary {{%[0-9]+}}, {{%[0-9]+}}, {{%[0-9]+}} : tensor<2x4x6x8xbf16>, tensor<6x4xf32>, tensor<6x4xf32> -> tensor<2x4x6x8xbf16>
func.func @rotary_half_precision(%arg0: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
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
  %21 = stablehlo.convert %arg0 : (tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xbf16>
  %22 = stablehlo.convert %21 : (tensor<2x4x6x8xbf16>) -> tensor<2x4x6x8xf32>
  %23 = stablehlo.slice %22 [0:2, 0:4, 0:6, 0:4] : (tensor<2x4x6x8xf32>) -> tensor<2x4x6x4xf32>
  %24 = stablehlo.slice %22 [0:2, 0:4, 0:6, 4:8] : (tensor<2x4x6x8xf32>) -> tensor<2x4x6x4xf32>
  %25 = stablehlo.broadcast_in_dim %19, dims = [2, 3] : (tensor<6x4xf32>) -> tensor<1x1x6x4xf32>
  %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x4x6x4xf32>
  %27 = stablehlo.multiply %23, %26 : tensor<2x4x6x4xf32>
  %28 = stablehlo.broadcast_in_dim %20, dims = [2, 3] : (tensor<6x4xf32>) -> tensor<1x1x6x4xf32>
  %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x4x6x4xf32>
  %30 = stablehlo.multiply %24, %29 : tensor<2x4x6x4xf32>
  %31 = stablehlo.subtract %27, %30 : tensor<2x4x6x4xf32>
  %32 = stablehlo.broadcast_in_dim %19, dims = [2, 3] : (tensor<6x4xf32>) -> tensor<1x1x6x4xf32>
  %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x4x6x4xf32>
  %34 = stablehlo.multiply %24, %33 : tensor<2x4x6x4xf32>
  %35 = stablehlo.broadcast_in_dim %20, dims = [2, 3] : (tensor<6x4xf32>) -> tensor<1x1x6x4xf32>
  %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2, 3] : (tensor<1x1x6x4xf32>) -> tensor<2x4x6x4xf32>
  %37 = stablehlo.multiply %23, %36 : tensor<2x4x6x4xf32>
  %38 = stablehlo.add %34, %37 : tensor<2x4x6x4xf32>
  %39 = stablehlo.concatenate %31, %38, dim = 3 : (tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) -> tensor<2x4x6x8xf32>
  %40 = stablehlo.convert %39 : (tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xbf16>
  %41 = stablehlo.convert %40 : (tensor<2x4x6x8xbf16>) -> tensor<2x4x6x8xf32>
  return %41 : tensor<2x4x6x8xf32>
}
