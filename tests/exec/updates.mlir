// A gradient is computed together with the update of its parameter, and as soon as it can be, so that the values of one
// layer are in memory at a time, not those of all.
// RUN: tessera run %s --function=layers --memory --json --input=random | FileCheck %s --check-prefix=LAYERS
// RUN: tessera run %s --function=layers --input=random --check | FileCheck %s --check-prefix=SAME
// RUN: tessera run %s --function=replaced --dump-program --input=random 2>&1 >/dev/null | FileCheck %s --check-prefix=REPLACED

// LAYERS: "arena": 1048576,
// SAME: 0 {{.*}} PASS
// SAME-NEXT: 1 {{.*}} PASS
// SAME-NEXT: 2 {{.*}} PASS
func.func @layers(%x: tensor<2048x64xf32>, %y: tensor<2048x64xf32>, %w0: tensor<64x64xf32>, %w1: tensor<64x64xf32>, %w2: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %a0 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] : (tensor<2048x64xf32>, tensor<64x64xf32>) -> tensor<2048x64xf32>
  %b0 = stablehlo.dot_general %y, %w0, contracting_dims = [1] x [1] : (tensor<2048x64xf32>, tensor<64x64xf32>) -> tensor<2048x64xf32>
  %g0 = stablehlo.dot_general %a0, %b0, contracting_dims = [0] x [0] : (tensor<2048x64xf32>, tensor<2048x64xf32>) -> tensor<64x64xf32>
  %a1 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<2048x64xf32>, tensor<64x64xf32>) -> tensor<2048x64xf32>
  %b1 = stablehlo.dot_general %b0, %w1, contracting_dims = [1] x [1] : (tensor<2048x64xf32>, tensor<64x64xf32>) -> tensor<2048x64xf32>
  %g1 = stablehlo.dot_general %a1, %b1, contracting_dims = [0] x [0] : (tensor<2048x64xf32>, tensor<2048x64xf32>) -> tensor<64x64xf32>
  %a2 = stablehlo.dot_general %x, %w2, contracting_dims = [1] x [0] : (tensor<2048x64xf32>, tensor<64x64xf32>) -> tensor<2048x64xf32>
  %b2 = stablehlo.dot_general %b1, %w2, contracting_dims = [1] x [1] : (tensor<2048x64xf32>, tensor<64x64xf32>) -> tensor<2048x64xf32>
  %g2 = stablehlo.dot_general %a2, %b2, contracting_dims = [0] x [0] : (tensor<2048x64xf32>, tensor<2048x64xf32>) -> tensor<64x64xf32>
  %u2 = stablehlo.subtract %w2, %g2 : tensor<64x64xf32>
  %u1 = stablehlo.subtract %w1, %g1 : tensor<64x64xf32>
  %u0 = stablehlo.subtract %w0, %g0 : tensor<64x64xf32>
  return %u0, %u1, %u2 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}

// The update may replace the parameter, if that is donated: it runs after the last other reader.
// REPLACED: 1 contract dot_general reads {{.*}} writes {{.*}}:2048x256xf32@result
// REPLACED: 3 contract dot_general+subtract {{.*}}256x256xf32@result or arg2
func.func @replaced(%x: tensor<2048x256xf32>, %y: tensor<2048x256xf32>, %w: tensor<256x256xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<256x256xf32>, tensor<2048x256xf32>) {
  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2048x256xf32>, tensor<256x256xf32>) -> tensor<2048x256xf32>
  %g = stablehlo.dot_general %a, %y, contracting_dims = [0] x [0] : (tensor<2048x256xf32>, tensor<2048x256xf32>) -> tensor<256x256xf32>
  %z = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0] : (tensor<2048x256xf32>, tensor<256x256xf32>) -> tensor<2048x256xf32>
  %u = stablehlo.subtract %w, %g : tensor<256x256xf32>
  return %u, %z : tensor<256x256xf32>, tensor<2048x256xf32>
}
