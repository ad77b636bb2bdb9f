// What reads a product element by element runs on its blocks, and the product has no memory of its own; the sizes give blocks with
// rests, rows that are not whole, and few rows.
// RUN: tessera run %s --input=random --dump-program --check --output=%t.npz 2>&1 | FileCheck %s
// RUN: tessera run %s --input=random --threads=3 --expect=%t.npz --atol=0 --rtol=0
// RUN: tessera run %s --input=random --function=narrow --engine=reference --output=%t.narrow.npz
// RUN: tessera run %s --input=random --function=narrow --strict-rounding --expect=%t.narrow.npz --rtol=0 --atol=0
// RUN: not tessera run %s --input=random --function=narrow --expect=%t.narrow.npz --rtol=0 --atol=0
// RUN: tessera run %s --input=random --check=ops

// CHECK: program of @main: {{[0-9]+}} steps, arena {{[0-9]+}} bytes
// Bias, activation and residual; the argument that is read in the same order is not the product's operand.
// CHECK-NEXT: contract dot_general+add+maximum+add n=38600 registers={{[0-9]+}} block={{[0-9]+}} reads %0:100x40xf32@arg0 %1:40x386xf32@arg1 {{.*}} writes [[Y:%[0-9]+]]:100x386xf32@result
// Two loops read this product: the first is on its blocks, and writes it for the other.
// CHECK-NEXT: contract dot_general+multiply n=10000 {{.*}} reads [[Y]]:100x386xf32@result writes [[P:%[0-9]+]]:100x100xf32@{{[%+0-9]+}} {{.*}}:100x100xf32@result
// A transposed product is copied first.
// CHECK-NEXT: move transpose reads [[P]]
// CHECK-NEXT: map negate
// Few rows; a loop has one product: the other is written.
// CHECK-NEXT: map negate
// CHECK-NEXT: contract dot_general reads
// CHECK-NEXT: contract dot_general+subtract n=5790 {{.*}} writes {{.*}}15x386xf32@result
func.func @main(%x: tensor<100x40xf32>, %w: tensor<40x386xf32>, %b: tensor<386xf32>, %r: tensor<100x386xf32>, %few: tensor<15x40xf32>)
    -> (tensor<100x386xf32>, tensor<100x100xf32>, tensor<100x100xf32>, tensor<15x386xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<100x386xf32>
  %half = stablehlo.constant dense<0.5> : tensor<100x100xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<100x40xf32>, tensor<40x386xf32>) -> tensor<100x386xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<386xf32>) -> tensor<100x386xf32>
  %2 = stablehlo.add %0, %1 : tensor<100x386xf32>
  %3 = stablehlo.maximum %2, %zero : tensor<100x386xf32>
  %4 = stablehlo.add %3, %r : tensor<100x386xf32>
  %5 = stablehlo.dot_general %4, %4, contracting_dims = [1] x [1] : (tensor<100x386xf32>, tensor<100x386xf32>) -> tensor<100x100xf32>
  %6 = stablehlo.multiply %5, %half : tensor<100x100xf32>
  %8 = stablehlo.transpose %5, dims = [1, 0] : (tensor<100x100xf32>) -> tensor<100x100xf32>
  %9 = stablehlo.negate %8 : tensor<100x100xf32>
  %10 = stablehlo.dot_general %few, %w, contracting_dims = [1] x [0] : (tensor<15x40xf32>, tensor<40x386xf32>) -> tensor<15x386xf32>
  %11 = stablehlo.negate %few : tensor<15x40xf32>
  %12 = stablehlo.dot_general %11, %w, contracting_dims = [1] x [0] : (tensor<15x40xf32>, tensor<40x386xf32>) -> tensor<15x386xf32>
  %13 = stablehlo.subtract %10, %12 : tensor<15x386xf32>
  return %4, %6, %9, %13 : tensor<100x386xf32>, tensor<100x100xf32>, tensor<100x100xf32>, tensor<15x386xf32>
}

func.func @narrow(%x: tensor<9x40xbf16>, %w: tensor<40x70xbf16>, %b: tensor<70xbf16>, %s: tensor<9x70xi8>, %i: tensor<9x40xi8>, %j: tensor<40x70xi8>) -> (tensor<9x70xbf16>, tensor<9x70xi8>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<9x40xbf16>, tensor<40x70xbf16>) -> tensor<9x70xbf16>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<70xbf16>) -> tensor<9x70xbf16>
  %2 = stablehlo.add %0, %1 : tensor<9x70xbf16>
  %3 = stablehlo.dot_general %i, %j, contracting_dims = [1] x [0] : (tensor<9x40xi8>, tensor<40x70xi8>) -> tensor<9x70xi8>
  %4 = stablehlo.maximum %3, %s : tensor<9x70xi8>
  return %2, %4 : tensor<9x70xbf16>, tensor<9x70xi8>
}

// A product that is only read transposed is computed so, and a loop that reads the transposed one runs on its blocks. One that is read
// in its own order, too, is copied.
// RUN: tessera run %s --input=random --function=turned --dump-program --check 2>&1 | FileCheck %s --check-prefix=TURNED
// RUN: tessera run %s --input=random --function=turned --check=ops
// TURNED: program of @turned
// TURNED-NEXT: contract dot_general+subtract n=1200 {{.*}} reads %1:20x40xf32@arg1 %0:20x30xf32@arg0 {{.*}} writes {{.*}}:40x30xf32@result
// TURNED-NEXT: contract dot_general reads {{.*}} writes {{.*}}:3x7x5xf32@result
// TURNED-NEXT: contract dot_general reads {{.*}} writes [[P:%[0-9]+]]:20x20xf32@result
// TURNED-NEXT: move transpose reads [[P]]
// TURNED-NOT: move
func.func @turned(%a: tensor<20x30xf32>, %b: tensor<20x40xf32>, %w: tensor<40x30xf32>, %s: tensor<3x5x4xf32>, %t: tensor<3x7x4xf32>)
    -> (tensor<40x30xf32>, tensor<3x7x5xf32>, tensor<20x20xf32>, tensor<20x20xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<20x30xf32>, tensor<20x40xf32>) -> tensor<30x40xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<30x40xf32>) -> tensor<40x30xf32>
  %2 = stablehlo.subtract %w, %1 : tensor<40x30xf32>
  %3 = stablehlo.dot_general %s, %t, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<3x5x4xf32>, tensor<3x7x4xf32>) -> tensor<3x5x7xf32>
  %4 = stablehlo.transpose %3, dims = [0, 2, 1] : (tensor<3x5x7xf32>) -> tensor<3x7x5xf32>
  %5 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [1] : (tensor<20x30xf32>, tensor<20x30xf32>) -> tensor<20x20xf32>
  %6 = stablehlo.transpose %5, dims = [1, 0] : (tensor<20x20xf32>) -> tensor<20x20xf32>
  return %2, %4, %5, %6 : tensor<40x30xf32>, tensor<3x7x5xf32>, tensor<20x20xf32>, tensor<20x20xf32>
}
