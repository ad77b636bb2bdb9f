// Results that say little: elementwise ones of unknown rank, sizes that a reshape or a broadcast leaves open, casts.
// RUN: tessera opt %s --tessera-infer-types -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK-SAME:    -> (tensor<4x6xf32>, tensor<4x6xbf16>, tensor<8x3xf32>, tensor<2x4x6xf32>)
// CHECK-NEXT:    tessera.gelu %arg0 : tensor<4x6xf32> -> tensor<4x6xf32>
// CHECK-NEXT:    tessera.cast %{{.*}} : tensor<4x6xf32> -> tensor<4x6xbf16>
// CHECK-NEXT:    tessera.reshape %{{.*}} : tensor<4x6xf32> -> tensor<8x3xf32>
// CHECK-NEXT:    tessera.broadcast %{{.*}} : tensor<4x6xf32> -> tensor<2x4x6xf32>
func.func @f(%x: tensor<4x6xf32>) -> (tensor<*xf32>, tensor<*xbf16>, tensor<?x3xf32>, tensor<2x?x?xf32>) {
  %0 = tessera.gelu %x : tensor<4x6xf32> -> tensor<*xf32>
  %1 = tessera.cast %0 : tensor<*xf32> -> tensor<*xbf16>
  %2 = tessera.reshape %0 : tensor<*xf32> -> tensor<?x3xf32>
  %3 = tessera.broadcast %0 : tensor<*xf32> -> tensor<2x?x?xf32>
  return %0, %1, %2, %3 : tensor<*xf32>, tensor<*xbf16>, tensor<?x3xf32>, tensor<2x?x?xf32>
}

// -----

func.func @elements(%x: tensor<4x6xf32>) -> tensor<?x5xf32> {
  %0 = tessera.exp %x : tensor<4x6xf32> -> tensor<*xf32>
  // expected-error @+1 {{'tessera.reshape' op has 24 elements, which do not make 'tensor<?x5xf32>'}}
  %1 = tessera.reshape %0 : tensor<*xf32> -> tensor<?x5xf32>
  return %1 : tensor<?x5xf32>
}

// -----

func.func @repeats(%x: tensor<4x6xf32>) -> tensor<?x5xf32> {
  %0 = tessera.exp %x : tensor<4x6xf32> -> tensor<*xf32>
  // expected-error @+1 {{'tessera.broadcast' op cannot repeat 'tensor<4x6xf32>' to 'tensor<?x5xf32>'}}
  %1 = tessera.broadcast %0 : tensor<*xf32> -> tensor<?x5xf32>
  return %1 : tensor<?x5xf32>
}

// -----

func.func @contracts(%x: tensor<4x6xf32>, %w: tensor<5x3xf32>) -> tensor<*xf32> {
  %0 = tessera.exp %x : tensor<4x6xf32> -> tensor<*xf32>
  // expected-error @+1 {{'tessera.matmul' op contracts dimensions of sizes 6 and 5}}
  %1 = tessera.matmul %0, %w : tensor<*xf32>, tensor<5x3xf32> -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

func.func @cast(%x: tensor<4x6xf32>) -> tensor<4x5xbf16> {
  // expected-error @+1 {{'tessera.cast' op changes the shape: 'tensor<4x6xf32>' to 'tensor<4x5xbf16>'}}
  %0 = tessera.cast %x : tensor<4x6xf32> -> tensor<4x5xbf16>
  return %0 : tensor<4x5xbf16>
}
