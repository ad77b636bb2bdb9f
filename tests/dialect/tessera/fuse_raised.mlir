// A product, its bias and an activation that is written out: the activation is raised, and all is one region. Norms and
// attention stand alone.
// RUN: tessera opt %s --tessera-fuse | FileCheck %s
// RUN: tessera opt %s --tessera-fuse=dump-clusters=true -o /dev/null 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: tessera run %s --function=mlp --input=random --seed=3 --output=%t.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=mlp --input=random --seed=3 --expect=%t.npz --rtol=1e-4 --atol=1e-5
// RUN: tessera opt %s --tessera-fuse --tessera-to-stablehlo | tessera run - --function=mlp --input=random --seed=3 --expect=%t.npz --rtol=1e-4 --atol=1e-5

// CHECK-LABEL: func.func @mlp(
// CHECK: %[[N:.*]] = tessera.rms_norm %arg0, %arg1
// CHECK: tessera.fused "product"(%[[N]], %arg2, %arg3)
// CHECK-NEXT: stablehlo.dot_general
// CHECK-NEXT: stablehlo.broadcast_in_dim
// CHECK-NEXT: stablehlo.add
// CHECK-NEXT: tessera.silu
// CHECK-NEXT: tessera.yield
// CHECK: return
// DUMP: @mlp
// DUMP-NEXT: raised: silu at fuse_raised.mlir:{{[0-9]+}}:{{[0-9]+}}
// DUMP-NEXT: raised: rms_norm at fuse_raised.mlir:{{[0-9]+}}:{{[0-9]+}}
// DUMP: product of 4: stablehlo.dot_general stablehlo.broadcast_in_dim stablehlo.add tessera.silu
func.func @mlp(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>) -> tensor<4x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<0.125> : tensor<4xf32>
  %eps = stablehlo.constant dense<1.0e-5> : tensor<4xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4x16xf32>
  %0 = stablehlo.multiply %x, %x : tensor<4x8xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.multiply %1, %n : tensor<4xf32>
  %3 = stablehlo.add %2, %eps : tensor<4xf32>
  %4 = stablehlo.rsqrt %3 : tensor<4xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
  %6 = stablehlo.multiply %x, %5 : tensor<4x8xf32>
  %7 = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  %8 = stablehlo.multiply %6, %7 : tensor<4x8xf32>
  %9 = stablehlo.dot_general %8, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %10 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<16xf32>) -> tensor<4x16xf32>
  %11 = stablehlo.add %9, %10 : tensor<4x16xf32>
  %12 = stablehlo.negate %11 : tensor<4x16xf32>
  %13 = stablehlo.exponential %12 : tensor<4x16xf32>
  %14 = stablehlo.add %one, %13 : tensor<4x16xf32>
  %15 = stablehlo.divide %11, %14 : tensor<4x16xf32>
  return %15 : tensor<4x16xf32>
}
