// A layer of a transformer in TTIR, as tt-mlir's frontends write it: a batch of 8, weights marked as such, and a score of
// the whole batch.
module @block {
  func.func @forward(%x: tensor<8x16x32xbf16> {ttcore.argument_type = #ttcore.argument_type<input>}, %w1: tensor<32x64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b1: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %w2: tensor<64x32xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<8x16x32xbf16>, tensor<1x1xbf16>) {
    %0 = "ttir.linear"(%x, %w1, %b1) <{transpose_a = false, transpose_b = false}> : (tensor<8x16x32xbf16>, tensor<32x64xbf16>, tensor<64xbf16>) -> tensor<8x16x64xbf16>
    %1 = "ttir.gelu"(%0) : (tensor<8x16x64xbf16>) -> tensor<8x16x64xbf16>
    %2 = "ttir.reshape"(%1) <{shape = [128 : i32, 64 : i32]}> : (tensor<8x16x64xbf16>) -> tensor<128x64xbf16>
    %3 = "ttir.matmul"(%2, %w2) <{transpose_a = false, transpose_b = false}> : (tensor<128x64xbf16>, tensor<64x32xbf16>) -> tensor<128x32xbf16>
    %4 = "ttir.reshape"(%3) <{shape = [8 : i32, 16 : i32, 32 : i32]}> : (tensor<128x32xbf16>) -> tensor<8x16x32xbf16>
    %5 = "ttir.add"(%x, %4) : (tensor<8x16x32xbf16>, tensor<8x16x32xbf16>) -> tensor<8x16x32xbf16>
    %6 = "ttir.softmax"(%5) <{dimension = 2 : si32}> : (tensor<8x16x32xbf16>) -> tensor<8x16x32xbf16>
    %7 = "ttir.max"(%3) <{dim_arg = [0 : i32, 1 : i32], keep_dim = true}> : (tensor<128x32xbf16>) -> tensor<1x1xbf16>
    return %6, %7 : tensor<8x16x32xbf16>, tensor<1x1xbf16>
  }
}
