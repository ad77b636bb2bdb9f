// A group that gives more than it takes runs with the first that needs it; groups with effects stay behind each other.
// RUN: tessera run %s --function=main --input=random --check --dump-program --memory 2>&1 | FileCheck %s
// RUN: tessera run %s --function=twice --input=random --check
// RUN: tessera run %s --function=effects --input=random --seed=5 --engine=reference >%t.reference
// RUN: tessera run %s --function=effects --input=random --seed=5 >%t.compiled
// RUN: cmp %t.reference %t.compiled

// The copy is made where it is read.
// CHECK: exponential
// CHECK: contract
// CHECK: move concatenate
// CHECK: contract
// CHECK: 8192  arena
func.func @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %e = stablehlo.exponential %x : tensor<32x32xf32>
  %r = stablehlo.reverse %x, dims = [1] : tensor<32x32xf32>
  %w = stablehlo.concatenate %r, dim = 0 : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %0 = stablehlo.dot_general %e, %e, contracting_dims = [1] x [0] : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}

// Who runs later takes those along that only it needs, and no others.
func.func @twice(%x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.pad %x, %z, low = [1, 1], high = [0, 0], interior = [0, 0] : (tensor<8x8xf32>, tensor<f32>) -> tensor<9x9xf32>
  %b = stablehlo.pad %a, %z, low = [1, 1], high = [0, 0], interior = [0, 0] : (tensor<9x9xf32>, tensor<f32>) -> tensor<10x10xf32>
  %c = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<9x9xf32>, tensor<9x9xf32>) -> tensor<9x9xf32>
  %d = stablehlo.slice %c [0:8, 0:8] : (tensor<9x9xf32>) -> tensor<8x8xf32>
  %e = stablehlo.dot_general %d, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %f = stablehlo.dot_general %b, %b, contracting_dims = [1] x [0] : (tensor<10x10xf32>, tensor<10x10xf32>) -> tensor<10x10xf32>
  %g = stablehlo.slice %f [0:8, 0:8] : (tensor<10x10xf32>) -> tensor<8x8xf32>
  %h = stablehlo.add %g, %e : tensor<8x8xf32>
  return %e, %h : tensor<8x8xf32>, tensor<8x8xf32>
}

// Random numbers are drawn in the order of the program.
func.func @effects(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %l = stablehlo.constant dense<0.0> : tensor<f32>
  %u = stablehlo.constant dense<1.0> : tensor<f32>
  %s = stablehlo.constant dense<4> : tensor<1xi64>
  %0 = stablehlo.rng %l, %u, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %1 = stablehlo.rng %l, %u, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %a = stablehlo.negate %x : tensor<4xf32>
  %2 = stablehlo.add %1, %a : tensor<4xf32>
  %3 = stablehlo.add %0, %2 : tensor<4xf32>
  return %2, %3, %0 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
