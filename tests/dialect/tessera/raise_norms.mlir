// Norms as JAX spells them: by mean and variance, by E[x^2] - E[x]^2, without keepdims, in half precision.
// RUN: tessera opt %s --tessera-raise | FileCheck %s
// RUN: tessera run %s --function=norm_mean_var --input=random --seed=3 --output=%t0.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=norm_mean_var --input=random --seed=3 --expect=%t0.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=norm_scale_first --input=random --seed=3 --output=%t1.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=norm_scale_first --input=random --seed=3 --expect=%t1.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=norm_no_keepdims --input=random --seed=3 --output=%t2.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=norm_no_keepdims --input=random --seed=3 --expect=%t2.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=rms_gemma --input=random --seed=3 --output=%t3.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=rms_gemma --input=random --seed=3 --expect=%t3.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=rms_divided --input=random --seed=3 --output=%t4.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=rms_divided --input=random --seed=3 --expect=%t4.npz --rtol=1e-4 --atol=1e-4

// CHECK-LABEL: func.func @norm_mean_var(
// CHECK: tessera.layer_norm %arg0, %arg1, %arg2 {eps = 9.999999{{.*}} : f64} : tensor<2x6x16xf32>, tensor<16xf32>, tensor<16xf32> -> tensor<2x6x16xf32>
func.func @norm_mean_var(%arg0: tensor<2x6x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>) -> tensor<2x6x16xf32> {
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %cst_0 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
  %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %3 = stablehlo.divide %1, %2 : tensor<2x6x1xf32>
  %4 = stablehlo.reduce(%arg0 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
  %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %7 = stablehlo.divide %5, %6 : tensor<2x6x1xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
  %9 = stablehlo.subtract %arg0, %8 : tensor<2x6x16xf32>
  %10 = chlo.square %9 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
  %11 = stablehlo.convert %c : (tensor<i32>) -> tensor<f32>
  %12 = stablehlo.subtract %cst_1, %11 : tensor<f32>
  %13 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
  %15 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %16 = stablehlo.divide %14, %15 : tensor<2x6x1xf32>
  %17 = stablehlo.compare GT, %12, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %18 = stablehlo.convert %cst : tensor<f32>
  %19 = stablehlo.broadcast_in_dim %18, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %20 = stablehlo.select %17, %16, %19 : tensor<i1>, tensor<2x6x1xf32>
  %21 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
  %22 = stablehlo.subtract %arg0, %21 : tensor<2x6x16xf32>
  %23 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %24 = stablehlo.add %20, %23 : tensor<2x6x1xf32>
  %25 = stablehlo.sqrt %24 : tensor<2x6x1xf32>
  %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
  %27 = stablehlo.divide %22, %26 : tensor<2x6x16xf32>
  %28 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
  %30 = stablehlo.multiply %27, %29 : tensor<2x6x16xf32>
  %31 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
  %33 = stablehlo.add %30, %32 : tensor<2x6x16xf32>
  return %33 : tensor<2x6x16xf32>
}

// CHECK-LABEL: func.func @norm_scale_first(
// CHECK: tessera.layer_norm %arg0, %arg1, %arg2 {eps = 9.999999{{.*}} : f64} : tensor<2x6x16xf32>, tensor<16xf32>, tensor<16xf32> -> tensor<2x6x16xf32>
func.func @norm_scale_first(%arg0: tensor<2x6x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>) -> tensor<2x6x16xf32> {
  %cst = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
  %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %3 = stablehlo.divide %1, %2 : tensor<2x6x1xf32>
  %4 = stablehlo.multiply %arg0, %arg0 : tensor<2x6x16xf32>
  %5 = stablehlo.reduce(%4 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
  %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %8 = stablehlo.divide %6, %7 : tensor<2x6x1xf32>
  %9 = stablehlo.multiply %3, %3 : tensor<2x6x1xf32>
  %10 = stablehlo.subtract %8, %9 : tensor<2x6x1xf32>
  %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %12 = stablehlo.maximum %11, %10 : tensor<2x6x1xf32>
  %13 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
  %14 = stablehlo.subtract %arg0, %13 : tensor<2x6x16xf32>
  %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %16 = stablehlo.add %12, %15 : tensor<2x6x1xf32>
  %17 = stablehlo.rsqrt %16 : tensor<2x6x1xf32>
  %18 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %19 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
  %20 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
  %21 = stablehlo.multiply %19, %20 : tensor<2x6x16xf32>
  %22 = stablehlo.multiply %14, %21 : tensor<2x6x16xf32>
  %23 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
  %25 = stablehlo.add %22, %24 : tensor<2x6x16xf32>
  return %25 : tensor<2x6x16xf32>
}

// CHECK-LABEL: func.func @norm_no_keepdims(
// CHECK: tessera.layer_norm %arg0, %arg1 {eps = 0.001000{{.*}} : f64} : tensor<2x6x16xf32>, tensor<16xf32> -> tensor<2x6x16xf32>
func.func @norm_no_keepdims(%arg0: tensor<2x6x16xf32>, %arg1: tensor<16xf32>) -> tensor<2x6x16xf32> {
  %cst = stablehlo.constant dense<1.000000e-03> : tensor<f32>
  %cst_0 = stablehlo.constant dense<6.250000e-02> : tensor<f32>
  %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
  %1 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
  %2 = stablehlo.divide %0, %1 : tensor<2x6xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
  %5 = stablehlo.subtract %arg0, %4 : tensor<2x6x16xf32>
  %6 = chlo.square %5 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
  %7 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
  %9 = stablehlo.multiply %7, %8 : tensor<2x6xf32>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
  %11 = stablehlo.add %9, %10 : tensor<2x6xf32>
  %12 = stablehlo.sqrt %11 : tensor<2x6xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
  %15 = stablehlo.divide %5, %14 : tensor<2x6x16xf32>
  %16 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
  %18 = stablehlo.multiply %17, %15 : tensor<2x6x16xf32>
  return %18 : tensor<2x6x16xf32>
}

// CHECK-LABEL: func.func @rms_gemma(
// CHECK: tessera.rms_norm %arg0, {{%[0-9]+}} {eps = 9.999999{{.*}} : f64} : tensor<2x6x16xf32>, tensor<16xf32> -> tensor<2x6x16xf32>
func.func @rms_gemma(%arg0: tensor<2x6x16xf32>, %arg1: tensor<16xf32>) -> tensor<2x6x16xf32> {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
  %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = chlo.square %arg0 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
  %1 = stablehlo.reduce(%0 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
  %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %4 = stablehlo.divide %2, %3 : tensor<2x6x1xf32>
  %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %6 = stablehlo.add %4, %5 : tensor<2x6x1xf32>
  %7 = stablehlo.rsqrt %6 : tensor<2x6x1xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
  %9 = stablehlo.multiply %arg0, %8 : tensor<2x6x16xf32>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16xf32>
  %11 = stablehlo.add %10, %arg1 : tensor<16xf32>
  %12 = stablehlo.broadcast_in_dim %11, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
  %14 = stablehlo.multiply %9, %13 : tensor<2x6x16xf32>
  return %14 : tensor<2x6x16xf32>
}

// CHECK-LABEL: func.func @rms_divided(
// CHECK: tessera.rms_norm %arg0, %arg1 {eps = 9.999999{{.*}} : f64} : tensor<2x6x16xf32>, tensor<16xf32> -> tensor<2x6x16xf32>
func.func @rms_divided(%arg0: tensor<2x6x16xf32>, %arg1: tensor<16xf32>) -> tensor<2x6x16xf32> {
  %cst = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
  %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.multiply %arg0, %arg0 : tensor<2x6x16xf32>
  %1 = stablehlo.reduce(%0 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
  %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %4 = stablehlo.divide %2, %3 : tensor<2x6x1xf32>
  %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
  %6 = stablehlo.add %4, %5 : tensor<2x6x1xf32>
  %7 = stablehlo.sqrt %6 : tensor<2x6x1xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
  %9 = stablehlo.divide %arg0, %8 : tensor<2x6x16xf32>
  %10 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
  %12 = stablehlo.multiply %11, %9 : tensor<2x6x16xf32>
  return %12 : tensor<2x6x16xf32>
}
