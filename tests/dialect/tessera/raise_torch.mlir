// Layers as exports from PyTorch have them.
// RUN: tessera opt %s --tessera-raise | FileCheck %s
// RUN: tessera run %s --function=batch_norm --input=random --seed=3 --output=%t0.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=batch_norm --input=random --seed=3 --expect=%t0.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=attention --input=random --seed=3 --output=%t1.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=attention --input=random --seed=3 --expect=%t1.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera opt %s --stablehlo-to-tessera --tessera-to-stablehlo | tessera run - --function=attention --input=random --seed=3 --expect=%t1.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=llama_norm --input=random --seed=3 --output=%t2.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=llama_norm --input=random --seed=3 --expect=%t2.npz --rtol=1e-2 --atol=1e-2

// layer_norm as a batch_norm_training of one batch, whose features are the rows.
// CHECK-LABEL: func.func @batch_norm(
// CHECK: tessera.layer_norm {{%[0-9]+}}, %arg1, %arg2 {eps = 9.9{{.*}}} : tensor<1x12x16xf32>, tensor<16xf32>, tensor<16xf32> -> tensor<1x12x16xf32>
// CHECK-NEXT: tessera.reshape {{.*}} -> tensor<2x6x16xf32>
// CHECK-NEXT: return
func.func @batch_norm(%x: tensor<2x6x16xf32>, %w: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<2x6x16xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<12xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<12xf32>
  %0 = stablehlo.reshape %x : (tensor<2x6x16xf32>) -> tensor<1x12x16xf32>
  %1, %mean, %var = "stablehlo.batch_norm_training"(%0, %one, %zero) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<1x12x16xf32>, tensor<12xf32>, tensor<12xf32>) -> (tensor<1x12x16xf32>, tensor<12xf32>, tensor<12xf32>)
  %2 = stablehlo.reshape %1 : (tensor<1x12x16xf32>) -> tensor<2x6x16xf32>
  %3 = stablehlo.broadcast_in_dim %w, dims = [2] : (tensor<16xf32>) -> tensor<2x6x16xf32>
  %4 = stablehlo.multiply %2, %3 : tensor<2x6x16xf32>
  %5 = stablehlo.broadcast_in_dim %b, dims = [2] : (tensor<16xf32>) -> tensor<2x6x16xf32>
  %6 = stablehlo.add %4, %5 : tensor<2x6x16xf32>
  return %6 : tensor<2x6x16xf32>
}

// The variance is returned, too.
// CHECK-LABEL: func.func @batch_norm_used(
// CHECK: stablehlo.batch_norm_training
func.func @batch_norm_used(%x: tensor<1x6x16xf32>) -> (tensor<1x6x16xf32>, tensor<6xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<6xf32>
  %0, %mean, %var = "stablehlo.batch_norm_training"(%x, %one, %zero) <{epsilon = 1.0e-05 : f32, feature_index = 1 : i64}> : (tensor<1x6x16xf32>, tensor<6xf32>, tensor<6xf32>) -> (tensor<1x6x16xf32>, tensor<6xf32>, tensor<6xf32>)
  return %0, %var : tensor<1x6x16xf32>, tensor<6xf32>
}

// Queries and keys are scaled by the root of the scale each; products have three dimensions; a mask is added; rows without a
// key give 0.
// CHECK-LABEL: func.func @attention(
// CHECK: tessera.flash_attention %arg0, %arg1, %arg2, %arg3 {scale = 0.35{{.*}}} : tensor<2x4x6x8xf32>, tensor<2x4x7x8xf32>, tensor<2x4x7x8xf32>, tensor<2x1x6x7xf32>
// CHECK-NOT: stablehlo.dot_general
// CHECK: return
func.func @attention(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x7x8xf32>, %v: tensor<2x4x7x8xf32>, %m: tensor<2x1x6x7xf32>) -> tensor<2x4x6x8xf32> {
  %s = stablehlo.constant dense<0.594603539> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %yes = stablehlo.constant dense<false> : tensor<i1>
  %s0 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x4x6x8xf32>
  %0 = stablehlo.multiply %q, %s0 : tensor<2x4x6x8xf32>
  %1 = stablehlo.transpose %k, dims = [0, 1, 3, 2] : (tensor<2x4x7x8xf32>) -> tensor<2x4x8x7xf32>
  %s1 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x4x8x7xf32>
  %2 = stablehlo.multiply %1, %s1 : tensor<2x4x8x7xf32>
  %3 = stablehlo.reshape %0 : (tensor<2x4x6x8xf32>) -> tensor<8x6x8xf32>
  %4 = stablehlo.reshape %2 : (tensor<2x4x8x7xf32>) -> tensor<8x8x7xf32>
  %5 = stablehlo.dot_general %3, %4, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x6x8xf32>, tensor<8x8x7xf32>) -> tensor<8x6x7xf32>
  %6 = stablehlo.reshape %5 : (tensor<8x6x7xf32>) -> tensor<2x4x6x7xf32>
  %7 = stablehlo.broadcast_in_dim %m, dims = [0, 1, 2, 3] : (tensor<2x1x6x7xf32>) -> tensor<2x4x6x7xf32>
  %8 = stablehlo.add %6, %7 : tensor<2x4x6x7xf32>
  %9 = stablehlo.reduce(%8 init: %low) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x7xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x7xf32>
  %11 = stablehlo.subtract %8, %10 : tensor<2x4x6x7xf32>
  %12 = stablehlo.exponential %11 : tensor<2x4x6x7xf32>
  %13 = stablehlo.reduce(%12 init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x7xf32>, tensor<f32>) -> tensor<2x4x6xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x7xf32>
  %15 = stablehlo.divide %12, %14 : tensor<2x4x6x7xf32>
  %low4 = stablehlo.broadcast_in_dim %low, dims = [] : (tensor<f32>) -> tensor<2x4x6x7xf32>
  %16 = stablehlo.compare EQ, %8, %low4 : (tensor<2x4x6x7xf32>, tensor<2x4x6x7xf32>) -> tensor<2x4x6x7xi1>
  %17 = stablehlo.not %16 : tensor<2x4x6x7xi1>
  %18 = stablehlo.reduce(%17 init: %yes) applies stablehlo.or across dimensions = [3] : (tensor<2x4x6x7xi1>, tensor<i1>) -> tensor<2x4x6xi1>
  %19 = stablehlo.reshape %18 : (tensor<2x4x6xi1>) -> tensor<2x4x6x1xi1>
  %20 = stablehlo.not %19 : tensor<2x4x6x1xi1>
  %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xi1>) -> tensor<2x4x6x7xi1>
  %zero4 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<2x4x6x7xf32>
  %22 = stablehlo.select %21, %zero4, %15 : tensor<2x4x6x7xi1>, tensor<2x4x6x7xf32>
  %23 = stablehlo.reshape %22 : (tensor<2x4x6x7xf32>) -> tensor<8x6x7xf32>
  %24 = stablehlo.reshape %v : (tensor<2x4x7x8xf32>) -> tensor<8x7x8xf32>
  %25 = stablehlo.dot_general %23, %24, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x6x7xf32>, tensor<8x7x8xf32>) -> tensor<8x6x8xf32>
  %26 = stablehlo.reshape %25 : (tensor<8x6x8xf32>) -> tensor<2x4x6x8xf32>
  return %26 : tensor<2x4x6x8xf32>
}

// In f32 by a power and a mean, then narrow, then scaled.
// CHECK-LABEL: func.func @llama_norm(
// CHECK-NEXT: tessera.rms_norm %arg0, %arg1 {eps = 9.9{{.*}}} : tensor<2x6x16xbf16>, tensor<16xbf16> -> tensor<2x6x16xbf16>
// CHECK-NEXT: return
func.func @llama_norm(%x: tensor<2x6x16xbf16>, %w: tensor<16xbf16>) -> tensor<2x6x16xbf16> {
  %two = stablehlo.constant dense<2.0> : tensor<2x6x16xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<1.6e+01> : tensor<2x6x1xf32>
  %eps = stablehlo.constant dense<9.99999997E-7> : tensor<2x6x1xf32>
  %0 = stablehlo.convert %x : (tensor<2x6x16xbf16>) -> tensor<2x6x16xf32>
  %1 = stablehlo.power %0, %two : tensor<2x6x16xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
  %3 = stablehlo.reshape %2 : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
  %4 = stablehlo.divide %3, %n : tensor<2x6x1xf32>
  %5 = stablehlo.add %4, %eps : tensor<2x6x1xf32>
  %6 = stablehlo.rsqrt %5 : tensor<2x6x1xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
  %8 = stablehlo.multiply %0, %7 : tensor<2x6x16xf32>
  %9 = stablehlo.convert %8 : (tensor<2x6x16xf32>) -> tensor<2x6x16xbf16>
  %10 = stablehlo.broadcast_in_dim %w, dims = [2] : (tensor<16xbf16>) -> tensor<2x6x16xbf16>
  %11 = stablehlo.multiply %10, %9 : tensor<2x6x16xbf16>
  return %11 : tensor<2x6x16xbf16>
}

// CHECK-LABEL: func.func @gelu(
// CHECK-NEXT: tessera.gelu %arg0 : tensor<4xf32> -> tensor<4xf32>
// CHECK-NEXT: return
func.func @gelu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<0.707106769> : tensor<4xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %half = stablehlo.constant dense<0.5> : tensor<4xf32>
  %0 = stablehlo.multiply %x, %half : tensor<4xf32>
  %1 = stablehlo.multiply %x, %c : tensor<4xf32>
  %2 = stablehlo.custom_call @mhlo.erf(%1) {mhlo.attributes = {}} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.add %2, %one : tensor<4xf32>
  %4 = stablehlo.multiply %0, %3 : tensor<4xf32>
  return %4 : tensor<4xf32>
}
