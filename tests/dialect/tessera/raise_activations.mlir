// gelu by tanh, erf and erfc, silu, softmax over any dimension.
// RUN: tessera opt %s --tessera-raise | FileCheck %s
// RUN: tessera run %s --function=gelu_tanh --input=random --seed=3 --output=%t0.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=gelu_tanh --input=random --seed=3 --expect=%t0.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=gelu_erfc --input=random --seed=3 --output=%t1.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=gelu_erfc --input=random --seed=3 --expect=%t1.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=gelu_erf --input=random --seed=3 --output=%t2.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=gelu_erf --input=random --seed=3 --expect=%t2.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=gelu_horner --input=random --seed=3 --output=%t3.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=gelu_horner --input=random --seed=3 --expect=%t3.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=silu_gated --input=random --seed=3 --output=%t4.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=silu_gated --input=random --seed=3 --expect=%t4.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=silu_other --input=random --seed=3 --output=%t5.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=silu_other --input=random --seed=3 --expect=%t5.npz --rtol=1e-4 --atol=1e-4

// CHECK-LABEL: func.func @gelu_tanh(
// CHECK: tessera.gelu %arg0 {approximate = "tanh"} : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
func.func @gelu_tanh(%arg0: tensor<2x6x16xf32>) -> tensor<2x6x16xf32> {
  %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
  %cst_2 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
  %0 = stablehlo.multiply %arg0, %arg0 : tensor<2x6x16xf32>
  %1 = stablehlo.multiply %0, %arg0 : tensor<2x6x16xf32>
  %2 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %3 = stablehlo.multiply %2, %1 : tensor<2x6x16xf32>
  %4 = stablehlo.add %arg0, %3 : tensor<2x6x16xf32>
  %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %6 = stablehlo.multiply %5, %4 : tensor<2x6x16xf32>
  %7 = stablehlo.tanh %6 : tensor<2x6x16xf32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %9 = stablehlo.add %8, %7 : tensor<2x6x16xf32>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %11 = stablehlo.multiply %10, %9 : tensor<2x6x16xf32>
  %12 = stablehlo.multiply %arg0, %11 : tensor<2x6x16xf32>
  return %12 : tensor<2x6x16xf32>
}

// CHECK-LABEL: func.func @gelu_erfc(
// CHECK: tessera.gelu %arg0 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
func.func @gelu_erfc(%arg0: tensor<2x6x16xf32>) -> tensor<2x6x16xf32> {
  %cst = stablehlo.constant dense<0.707106769> : tensor<f32>
  %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %1 = stablehlo.multiply %0, %arg0 : tensor<2x6x16xf32>
  %2 = stablehlo.negate %arg0 : tensor<2x6x16xf32>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %4 = stablehlo.multiply %2, %3 : tensor<2x6x16xf32>
  %5 = chlo.erfc %4 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
  %6 = stablehlo.multiply %1, %5 : tensor<2x6x16xf32>
  return %6 : tensor<2x6x16xf32>
}

// CHECK-LABEL: func.func @gelu_erf(
// CHECK: tessera.gelu %arg0 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
func.func @gelu_erf(%arg0: tensor<2x6x16xf32>) -> tensor<2x6x16xf32> {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<1.41421354> : tensor<f32>
  %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %1 = stablehlo.multiply %0, %arg0 : tensor<2x6x16xf32>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %3 = stablehlo.divide %arg0, %2 : tensor<2x6x16xf32>
  %4 = chlo.erf %3 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
  %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %6 = stablehlo.add %5, %4 : tensor<2x6x16xf32>
  %7 = stablehlo.multiply %1, %6 : tensor<2x6x16xf32>
  return %7 : tensor<2x6x16xf32>
}

// CHECK-LABEL: func.func @gelu_horner(
// CHECK: tessera.gelu %arg0 {approximate = "tanh"} : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
func.func @gelu_horner(%arg0: tensor<2x6x16xf32>) -> tensor<2x6x16xf32> {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
  %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
  %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %1 = stablehlo.multiply %0, %arg0 : tensor<2x6x16xf32>
  %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %3 = stablehlo.multiply %arg0, %2 : tensor<2x6x16xf32>
  %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %5 = stablehlo.multiply %4, %arg0 : tensor<2x6x16xf32>
  %6 = stablehlo.multiply %5, %arg0 : tensor<2x6x16xf32>
  %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %8 = stablehlo.add %7, %6 : tensor<2x6x16xf32>
  %9 = stablehlo.multiply %3, %8 : tensor<2x6x16xf32>
  %10 = stablehlo.tanh %9 : tensor<2x6x16xf32>
  %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %12 = stablehlo.add %11, %10 : tensor<2x6x16xf32>
  %13 = stablehlo.multiply %1, %12 : tensor<2x6x16xf32>
  return %13 : tensor<2x6x16xf32>
}

// CHECK-LABEL: func.func @silu_gated(
// CHECK: tessera.silu %arg0 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
func.func @silu_gated(%arg0: tensor<2x6x16xf32>, %arg1: tensor<2x6x16xf32>) -> tensor<2x6x16xf32> {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %0 = stablehlo.negate %arg0 : tensor<2x6x16xf32>
  %1 = stablehlo.exponential %0 : tensor<2x6x16xf32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %3 = stablehlo.add %2, %1 : tensor<2x6x16xf32>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %5 = stablehlo.divide %4, %3 : tensor<2x6x16xf32>
  %6 = stablehlo.multiply %arg0, %5 : tensor<2x6x16xf32>
  %7 = stablehlo.multiply %6, %arg1 : tensor<2x6x16xf32>
  return %7 : tensor<2x6x16xf32>
}

// CHECK-LABEL: func.func @silu_other(
// CHECK: tessera.silu %arg0 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
// CHECK: tessera.silu %arg0 : tensor<2x6x16xf32> -> tensor<2x6x16xf32>
func.func @silu_other(%arg0: tensor<2x6x16xf32>) -> tensor<2x6x16xf32> {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %0 = stablehlo.negate %arg0 : tensor<2x6x16xf32>
  %1 = stablehlo.exponential %0 : tensor<2x6x16xf32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %3 = stablehlo.add %2, %1 : tensor<2x6x16xf32>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %5 = stablehlo.divide %4, %3 : tensor<2x6x16xf32>
  %6 = stablehlo.multiply %arg0, %5 : tensor<2x6x16xf32>
  %7 = stablehlo.negate %arg0 : tensor<2x6x16xf32>
  %8 = stablehlo.exponential %7 : tensor<2x6x16xf32>
  %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x16xf32>
  %10 = stablehlo.add %9, %8 : tensor<2x6x16xf32>
  %11 = stablehlo.divide %arg0, %10 : tensor<2x6x16xf32>
  %12 = stablehlo.add %6, %11 : tensor<2x6x16xf32>
  return %12 : tensor<2x6x16xf32>
}
