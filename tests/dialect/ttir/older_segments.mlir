// RUN: tessera opt %s --split-input-file --verify-diagnostics
// Segment sizes of an older spelling that do not add up to the operands are refused; the destination stays.

func.func @f(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = ttir.empty() : tensor<8x4xf32>
  // expected-error@+1 {{'ttir.add' op expected 2 operands, but found 3}}
  %1 = "ttir.add"(%a, %b, %0) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
