// A side of a product whose remaining dimensions have two strides, as the weights of several experts, is a batch of matrices that the
// whole other side is multiplied by; neither it nor the result is copied.
// RUN: tessera run %s --input=random --dump-program --check --output=%t.npz 2>&1 | FileCheck %s
// RUN: tessera run %s --input=random --threads=3 --expect=%t.npz --atol=0 --rtol=0
// RUN: tessera run %s --input=random --strict-rounding --check
// CHECK: program of @main
// On the left; the result is only read transposed.
// CHECK-NEXT: contract dot_general+tanh n=30720 {{.*}} reads %0:40x64xf32@arg0 %1:6x64x128xf32@arg1 writes {{.*}}:6x40x128xf32@result
// On the right: the columns of the matrices are next to each other, and a loop that reads a row of them runs on their blocks.
// CHECK-NEXT: contract dot_general+add n=30720 {{.*}} reads %0:40x64xf32@arg0 %1:6x64x128xf32@arg1 %2:6x128xf32@arg2 writes {{.*}}:40x6x128xf32@result
// With few columns in a matrix it is copied.
// CHECK-NEXT: move copy reads %3:6x64x9xf32@arg3
// CHECK-NEXT: contract dot_general reads %0:40x64xf32@arg0 {{.*}} writes {{.*}}:40x6x9xf32@result
func.func @main(%x: tensor<40x64xf32>, %w: tensor<6x64x128xf32>, %b: tensor<6x128xf32>, %narrow: tensor<6x64x9xf32>) -> (tensor<6x40x128xf32>, tensor<40x6x128xf32>, tensor<40x6x9xf32>) {
  %0 = stablehlo.dot_general %w, %x, contracting_dims = [1] x [1] : (tensor<6x64x128xf32>, tensor<40x64xf32>) -> tensor<6x128x40xf32>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<6x128x40xf32>) -> tensor<6x40x128xf32>
  %2 = stablehlo.tanh %1 : tensor<6x40x128xf32>
  %3 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<40x64xf32>, tensor<6x64x128xf32>) -> tensor<40x6x128xf32>
  %4 = stablehlo.broadcast_in_dim %b, dims = [1, 2] : (tensor<6x128xf32>) -> tensor<40x6x128xf32>
  %5 = stablehlo.add %3, %4 : tensor<40x6x128xf32>
  %6 = stablehlo.dot_general %x, %narrow, contracting_dims = [1] x [1] : (tensor<40x64xf32>, tensor<6x64x9xf32>) -> tensor<40x6x9xf32>
  return %2, %5, %6 : tensor<6x40x128xf32>, tensor<40x6x128xf32>, tensor<40x6x9xf32>
}

// A batch of products that is read in another order is computed in that order: heads next to each other, transposed or not, alone and
// at the end of a chain.
// RUN: tessera run %s --input=random --function=heads --dump-program --check --output=%t.npz 2>&1 | FileCheck %s --check-prefix=HEADS
// RUN: tessera run %s --input=random --function=heads --threads=3 --expect=%t.npz --atol=0 --rtol=0
// HEADS: program of @heads
// HEADS-NEXT: chain {{.*}} writes {{.*}}:33x2x24xf32@
// HEADS-NEXT: contract dot_general reads {{.*}} writes {{.*}}:33x5xf32@result
// HEADS-NEXT: contract dot_general reads
// HEADS-NEXT: contract dot_general+negate {{.*}} writes {{.*}}:33x2x24xf32@result
// HEADS-NOT: move
func.func @heads(%q: tensor<2x33x24xf32>, %k: tensor<2x33x24xf32>, %w: tensor<48x5xf32>) -> (tensor<33x5xf32>, tensor<33x2x24xf32>) {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x33x24xf32>, tensor<2x33x24xf32>) -> tensor<2x33x33xf32>
  %1 = stablehlo.tanh %0 : tensor<2x33x33xf32>
  %2 = stablehlo.dot_general %1, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x33x33xf32>, tensor<2x33x24xf32>) -> tensor<2x33x24xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0, 2] : (tensor<2x33x24xf32>) -> tensor<33x2x24xf32>
  %4 = stablehlo.reshape %3 : (tensor<33x2x24xf32>) -> tensor<33x48xf32>
  %5 = stablehlo.dot_general %4, %w, contracting_dims = [1] x [0] : (tensor<33x48xf32>, tensor<48x5xf32>) -> tensor<33x5xf32>
  %6 = stablehlo.dot_general %k, %k, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x33x24xf32>, tensor<2x33x24xf32>) -> tensor<2x24x24xf32>
  %7 = stablehlo.dot_general %6, %q, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x24x24xf32>, tensor<2x33x24xf32>) -> tensor<2x24x33xf32>
  %8 = stablehlo.transpose %7, dims = [2, 0, 1] : (tensor<2x24x33xf32>) -> tensor<33x2x24xf32>
  %9 = stablehlo.negate %8 : tensor<33x2x24xf32>
  return %5, %9 : tensor<33x5xf32>, tensor<33x2x24xf32>
}

// One row by a matrix for each batch element, with few steps or in a layout that no product reads well, is a loop over the matrices in
// the order of memory; a product before it is computed in the order of the loop.
// RUN: tessera run %s --input=random --function=rows --dump-program --check --output=%t.npz 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: tessera run %s --input=random --function=rows --threads=3 --expect=%t.npz --atol=0 --rtol=0
// ROWS: program of @rows
// ROWS-NEXT: column dot_general n=46080 inner=5760 {{.*}} reads %0:80x8xf32@arg0 %1:8x80x72xf32@arg1 writes {{.*}}:80x72xf32@result
// ROWS-NEXT: contract dot_general reads
// ROWS-NEXT: contract dot_general reads {{.*}} writes [[Y:%[0-9]+]]:8x80x72xf32
// ROWS-NEXT: column dot_general {{.*}} reads %0:80x8xf32@arg0 [[Y]]:8x80x72xf32{{.*}} writes {{.*}}:80x72xf32@result
// The smaller side is copied before it is repeated.
// ROWS-NEXT: move dot_general reads %2:80x72xf32@arg2 writes {{.*}}:72x80xf32
// ROWS-NEXT: column dot_general n=28800 inner=80 {{.*}} reads {{.*}}%3:5x72x80xf32@arg3
// ROWS-NEXT: move dot_general
func.func @rows(%g: tensor<80x8xf32>, %y: tensor<8x80x72xf32>, %z: tensor<80x72xf32>, %s: tensor<5x72x80xf32>) -> (tensor<80x72xf32>, tensor<80x72xf32>, tensor<80x5xf32>) {
  %0 = stablehlo.dot_general %g, %y, batching_dims = [0] x [1], contracting_dims = [1] x [0] : (tensor<80x8xf32>, tensor<8x80x72xf32>) -> tensor<80x72xf32>
  %1 = stablehlo.dot_general %y, %y, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<8x80x72xf32>, tensor<8x80x72xf32>) -> tensor<8x72x72xf32>
  %2 = stablehlo.dot_general %1, %y, batching_dims = [0] x [0], contracting_dims = [1] x [2] : (tensor<8x72x72xf32>, tensor<8x80x72xf32>) -> tensor<8x72x80xf32>
  %3 = stablehlo.dot_general %g, %2, batching_dims = [0] x [2], contracting_dims = [1] x [0] : (tensor<80x8xf32>, tensor<8x72x80xf32>) -> tensor<80x72xf32>
  %4 = stablehlo.dot_general %z, %s, batching_dims = [0] x [2], contracting_dims = [1] x [1] : (tensor<80x72xf32>, tensor<5x72x80xf32>) -> tensor<80x5xf32>
  return %0, %3, %4 : tensor<80x72xf32>, tensor<80x72xf32>, tensor<80x5xf32>
}

// Batches whose dimensions have several strides are not copied either: attention over heads that are next to each other;
// nor are dimensions of lines that the result has in another place, or contracted ones in another order.
// RUN: tessera run %s --input=random --function=strides --dump-program --check --output=%t.npz 2>&1 | FileCheck %s --check-prefix=STRIDES
// RUN: tessera run %s --input=random --function=strides --threads=3 --expect=%t.npz --atol=0 --rtol=0
// STRIDES: program of @strides
// STRIDES-NEXT: chain dot_general+tanh+dot_general {{.*}} reads %0:2x33x3x24xf32@arg0 writes {{.*}}:2x33x3x24xf32@result
// Tokens of each sequence are a part of the batch in the result.
// STRIDES-NEXT: contract dot_general reads %1:2x40x64xf32@arg1 %2:64x3x64xf32@arg2 writes {{.*}}:2x3x40x64xf32@result
// STRIDES-NEXT: contract dot_general reads %3:30x4x5xf32@arg3 %4:4x5x9xf32@arg4 writes {{.*}}:30x9xf32@result
// STRIDES-NOT: move
func.func @strides(%x: tensor<2x33x3x24xf32>, %t: tensor<2x40x64xf32>, %w: tensor<64x3x64xf32>, %l: tensor<30x4x5xf32>, %r: tensor<4x5x9xf32>) -> (tensor<2x33x3x24xf32>, tensor<2x3x40x64xf32>, tensor<30x9xf32>) {
  %0 = stablehlo.dot_general %x, %x, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x33x3x24xf32>, tensor<2x33x3x24xf32>) -> tensor<2x3x33x33xf32>
  %1 = stablehlo.tanh %0 : tensor<2x3x33x33xf32>
  %2 = stablehlo.dot_general %x, %1, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x33x3x24xf32>, tensor<2x3x33x33xf32>) -> tensor<2x3x24x33xf32>
  %3 = stablehlo.transpose %2, dims = [0, 3, 1, 2] : (tensor<2x3x24x33xf32>) -> tensor<2x33x3x24xf32>
  %4 = stablehlo.dot_general %w, %t, contracting_dims = [0] x [2] : (tensor<64x3x64xf32>, tensor<2x40x64xf32>) -> tensor<3x64x2x40xf32>
  %5 = stablehlo.transpose %4, dims = [2, 0, 3, 1] : (tensor<3x64x2x40xf32>) -> tensor<2x3x40x64xf32>
  %6 = stablehlo.dot_general %l, %r, contracting_dims = [2, 1] x [1, 0] : (tensor<30x4x5xf32>, tensor<4x5x9xf32>) -> tensor<30x9xf32>
  return %3, %5, %6 : tensor<2x33x3x24xf32>, tensor<2x3x40x64xf32>, tensor<30x9xf32>
}
