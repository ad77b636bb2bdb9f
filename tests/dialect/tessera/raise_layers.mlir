// Layers that are written out become one op, with the numbers and the mask that are there.
// RUN: tessera opt %s --tessera-raise | FileCheck %s
// RUN: tessera run %s --function=attention --input=random --seed=3 --output=%t.npz
// RUN: tessera opt %s --tessera-raise | tessera run - --function=attention --input=random --seed=3 --expect=%t.npz --rtol=1e-4 --atol=1e-5
// RUN: tessera run %s --function=norms --input=random --seed=3 --output=%t2.npz
// RUN: tessera opt %s --tessera-raise | tessera run - --function=norms --input=random --seed=3 --expect=%t2.npz --rtol=1e-4 --atol=1e-5

// CHECK-LABEL: func.func @attention
// CHECK-NEXT: %0 = tessera.flash_attention %arg0, %arg1, %arg2, %arg3 {safe = false, scale = 2.500000e-01 : f64}
// CHECK-NEXT: return %0
func.func @attention(%q: tensor<2x4x8xf32>, %k: tensor<2x5x8xf32>, %v: tensor<2x5x8xf32>, %m: tensor<4x5xf32>) -> tensor<2x4x8xf32> {
  %c = tessera.constant dense<0.25> : tensor<f32>
  %0 = tessera.matmul %q, %k {rhs_transpose = true} : tensor<2x4x8xf32>, tensor<2x5x8xf32> -> tensor<2x4x5xf32>
  %1 = tessera.mul %0, %c : tensor<2x4x5xf32>, tensor<f32> -> tensor<2x4x5xf32>
  %2 = tessera.add %1, %m : tensor<2x4x5xf32>, tensor<4x5xf32> -> tensor<2x4x5xf32>
  %3 = tessera.softmax %2 : tensor<2x4x5xf32> -> tensor<2x4x5xf32>
  %4 = tessera.matmul %3, %v : tensor<2x4x5xf32>, tensor<2x5x8xf32> -> tensor<2x4x8xf32>
  return %4 : tensor<2x4x8xf32>
}

// The scores are used elsewhere: nothing is raised.
// CHECK-LABEL: func.func @not_attention
// CHECK: tessera.softmax
func.func @not_attention(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x8xf32>) -> (tensor<4x8xf32>, tensor<4x5xf32>) {
  %0 = tessera.matmul %q, %k {rhs_transpose = true} : tensor<4x8xf32>, tensor<5x8xf32> -> tensor<4x5xf32>
  %1 = tessera.softmax %0 : tensor<4x5xf32> -> tensor<4x5xf32>
  %2 = tessera.matmul %1, %v : tensor<4x5xf32>, tensor<5x8xf32> -> tensor<4x8xf32>
  return %2, %0 : tensor<4x8xf32>, tensor<4x5xf32>
}

// CHECK-LABEL: func.func @norms
// CHECK: tessera.rms_norm %arg0 {eps = {{.*}}}
// CHECK: tessera.layer_norm %arg0 {eps = {{.*}}}
func.func @norms(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %eps = tessera.constant dense<1.0e-5> : tensor<f32>
  %n = tessera.constant dense<8.0> : tensor<f32>
  %0 = tessera.mul %x, %x : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = tessera.reduce "mean" %0, dims = [1] {keep_dims = true} : tensor<4x8xf32> -> tensor<4x1xf32>
  %2 = tessera.add %1, %eps : tensor<4x1xf32>, tensor<f32> -> tensor<4x1xf32>
  %3 = tessera.rsqrt %2 : tensor<4x1xf32> -> tensor<4x1xf32>
  %4 = tessera.mul %x, %3 : tensor<4x8xf32>, tensor<4x1xf32> -> tensor<4x8xf32>
  %5 = tessera.reduce "sum" %x, dims = [1] {keep_dims = true} : tensor<4x8xf32> -> tensor<4x1xf32>
  %6 = tessera.div %5, %n : tensor<4x1xf32>, tensor<f32> -> tensor<4x1xf32>
  %7 = tessera.sub %x, %6 : tensor<4x8xf32>, tensor<4x1xf32> -> tensor<4x8xf32>
  %8 = tessera.mul %7, %7 : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %9 = tessera.reduce "mean" %8, dims = [1] {keep_dims = true} : tensor<4x8xf32> -> tensor<4x1xf32>
  %10 = tessera.add %9, %eps : tensor<4x1xf32>, tensor<f32> -> tensor<4x1xf32>
  %11 = tessera.rsqrt %10 : tensor<4x1xf32> -> tensor<4x1xf32>
  %12 = tessera.mul %7, %11 : tensor<4x8xf32>, tensor<4x1xf32> -> tensor<4x8xf32>
  return %4, %12 : tensor<4x8xf32>, tensor<4x8xf32>
}
