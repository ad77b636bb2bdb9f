// Convolutions are products of windows: no kernel of the evaluator's runs, and what follows runs on their blocks.
// RUN: tessera run %s --input=random --check --function=picture
// RUN: tessera run %s --input=random --dump-program --function=picture 2>&1 >/dev/null | FileCheck %s --check-prefix=PICTURE
// PICTURE: 0 by the evaluator's kernels
// PICTURE: contract convolution+add+maximum
// RUN: tessera run %s --input=random --check --function=channels_first
// RUN: tessera run %s --input=random --dump-program --function=channels_first 2>&1 >/dev/null | FileCheck %s --check-prefix=FIRST
// FIRST: 0 by the evaluator's kernels
// FIRST-NOT: copy
// FIRST: contract convolution
// RUN: tessera run %s --input=random --check --function=channelwise
// RUN: tessera run %s --input=random --dump-program --function=channelwise 2>&1 >/dev/null | FileCheck %s --check-prefix=EACH
// EACH: 0 by the evaluator's kernels
// EACH: contract convolution
// RUN: tessera run %s --input=random --check --function=weights
// RUN: tessera run %s --input=random --dump-program --function=weights 2>&1 >/dev/null | FileCheck %s --check-prefix=EACH
// Panels of rows that are windows, with runs of 20 channels: a panel has parts of two runs.
// RUN: tessera run %s --input=random --check --function=many_weights
// RUN: tessera run %s --input=random --dump-program --function=many_weights 2>&1 >/dev/null | FileCheck %s --check-prefix=EACH
// RUN: tessera run %s --input=random --check --function=channelwise_weights
// RUN: tessera run %s --input=random --dump-program --function=channelwise_weights 2>&1 >/dev/null | FileCheck %s --check-prefix=EACH
// RUN: tessera run %s --input=random --check --function=transposed
// RUN: tessera run %s --input=random --dump-program --function=transposed 2>&1 >/dev/null | FileCheck %s --check-prefix=TT
// RUN: tessera run %s --input=random --check --function=flat
// RUN: tessera run %s --input=random --dump-program --function=flat 2>&1 >/dev/null | FileCheck %s --check-prefix=TT
// RUN: tessera run %s --input=random --check --function=pools
// RUN: tessera run %s --input=random --dump-program --function=pools 2>&1 >/dev/null | FileCheck %s --check-prefix=TT
// TT: 0 by the evaluator's kernels
// Narrow floats are multiplied in pairs, or as the machine's tiles: windows that have an odd number of places, in all classes.
// RUN: tessera run %s --input=random --check --function=odd
// RUN: tessera run %s --input=random --check --function=bytes --rtol=0 --atol=0
// One thread or many: the same bits.
// RUN: tessera run %s --input=random --threads=1 --function=large --output=%t.npz
// RUN: tessera run %s --input=random --threads=3 --function=large --expect=%t.npz --rtol=0 --atol=0
// RUN: tessera run %s --input=random --threads=7 --function=large --expect=%t.npz --rtol=0 --atol=0
// RUN: tessera run %s --input=random --check --function=large
// Few results of each window: windows are read where they lie. Lines of a picture that end in the middle of a tile, stride, dilation.
// RUN: tessera run %s --input=random --check --function=few
// RUN: tessera run %s --input=random --function=few --threads=1 >%t.one && tessera run %s --input=random --function=few --threads=3 | cmp - %t.one
// Many results: rows are read where they lie too, in steps of the depth that end inside a run; and runs that are too short for it.
// RUN: tessera run %s --input=random --check --function=many
// RUN: tessera run %s --input=random --function=many --threads=1 >%t.one && tessera run %s --input=random --function=many --threads=3 | cmp - %t.one
// RUN: env TESSERA_ISA=baseline tessera run %s --input=random --check --function=many
// Zeros are put around a picture where it is packed: no copy of it is made, whatever it is padded and cut by.
// RUN: tessera run %s --input=random --check --function=padded
// RUN: tessera run %s --input=random --check --function=padded --threads=3
// RUN: tessera run %s --input=random --dump-program --function=padded 2>&1 >/dev/null | FileCheck %s --check-prefix=PADDED
// PADDED-NOT: move convolution reads {{.*}}@arg
// RUN: tessera run %s --input=random --dump-program --function=many 2>&1 >/dev/null | FileCheck %s --check-prefix=PADDED
// Of each channel alone, too; with what follows on its blocks, and one thread or many.
// RUN: tessera run %s --input=random --check --function=padded_channels
// RUN: tessera run %s --input=random --dump-program --function=padded_channels 2>&1 >/dev/null | FileCheck %s --check-prefix=PADDED
// RUN: tessera run %s --input=random --function=padded_channels --threads=1 >%t.one && tessera run %s --input=random --function=padded_channels --threads=3 | cmp - %t.one
// A dilated picture is several that are not, one after the other in the result.
// RUN: tessera run %s --input=random --check --function=dilated
// RUN: tessera run %s --input=random --dump-program --function=dilated 2>&1 >/dev/null | FileCheck %s --check-prefix=DILATED
// DILATED-COUNT-4: contract convolution
// DILATED: move convolution
// DILATED-NOT: contract

func.func @picture(%x: tensor<2x9x11x3xf32>, %k: tensor<3x3x3x16xf32>, %b: tensor<2x5x6x16xf32>) -> tensor<2x5x6x16xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x11x3xf32>, tensor<3x3x3x16xf32>) -> tensor<2x5x6x16xf32>
  %1 = stablehlo.add %0, %b : tensor<2x5x6x16xf32>
  %z = stablehlo.constant dense<0.0> : tensor<2x5x6x16xf32>
  %2 = stablehlo.maximum %1, %z : tensor<2x5x6x16xf32>
  return %2 : tensor<2x5x6x16xf32>
}
func.func @channels_first(%x: tensor<2x3x9x11xf32>, %k: tensor<16x3x3x3xf32>) -> tensor<2x16x9x11xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[2, 2], [2, 2]], rhs_dilate = [2, 2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x9x11xf32>, tensor<16x3x3x3xf32>) -> tensor<2x16x9x11xf32>
  return %0 : tensor<2x16x9x11xf32>
}
func.func @channelwise(%x: tensor<2x9x11x40xf32>, %k: tensor<3x3x1x80xf32>) -> tensor<2x9x11x80xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]], reverse = [true, false]}
      {batch_group_count = 1 : i64, feature_group_count = 40 : i64} : (tensor<2x9x11x40xf32>, tensor<3x3x1x80xf32>) -> tensor<2x9x11x80xf32>
  return %0 : tensor<2x9x11x80xf32>
}
func.func @weights(%x: tensor<4x9x11x3xf32>, %g: tensor<4x9x11x5xf32>) -> tensor<3x3x3x5xf32> {
  %0 = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x9x11x3xf32>, tensor<4x9x11x5xf32>) -> tensor<3x3x3x5xf32>
  return %0 : tensor<3x3x3x5xf32>
}
func.func @many_weights(%x: tensor<4x20x20x20xf32>, %g: tensor<4x20x20x48xf32>) -> tensor<3x3x20x48xf32> {
  %0 = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x20x20x20xf32>, tensor<4x20x20x48xf32>) -> tensor<3x3x20x48xf32>
  return %0 : tensor<3x3x20x48xf32>
}
func.func @channelwise_weights(%x: tensor<4x9x11x16xf32>, %g: tensor<4x9x11x16xf32>) -> tensor<3x3x1x16xf32> {
  %0 = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]}
      {batch_group_count = 16 : i64, feature_group_count = 1 : i64} : (tensor<4x9x11x16xf32>, tensor<4x9x11x16xf32>) -> tensor<3x3x1x16xf32>
  return %0 : tensor<3x3x1x16xf32>
}
func.func @transposed(%x: tensor<2x5x6x6xf32>, %k: tensor<6x4x3x3xf32>, %b: tensor<1x1x1x8xf32>) -> tensor<2x10x12x8xf32> {
  %0 = "ttir.conv_transpose2d"(%x, %k, %b) <{dilation = array<i32: 1, 1>, groups = 2 : i32, output_padding = array<i32: 1, 1>,
      padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 2, 2>}> : (tensor<2x5x6x6xf32>, tensor<6x4x3x3xf32>, tensor<1x1x1x8xf32>) -> tensor<2x10x12x8xf32>
  return %0 : tensor<2x10x12x8xf32>
}
func.func @flat(%x: tensor<1x1x60x6xbf16>, %k: tensor<8x6x3x3xbf16>, %b: tensor<1x1x1x8xbf16>) -> tensor<1x1x60x8xbf16> {
  %0 = "ttir.conv2d"(%x, %k, %b) <{dilation = array<i32: 1, 1>, groups = 1 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>,
      flattened_compat_info = #ttir<flattened_compat batch_size = 2, input_height = 5, input_width = 6>}>
      : (tensor<1x1x60x6xbf16>, tensor<8x6x3x3xbf16>, tensor<1x1x1x8xbf16>) -> tensor<1x1x60x8xbf16>
  return %0 : tensor<1x1x60x8xbf16>
}
func.func @pools(%x: tensor<2x9x11x5xf32>) -> (tensor<2x5x6x5xf32>, tensor<2x4x5x5xf32>) {
  %0 = "ttir.max_pool2d"(%x) <{kernel = array<i32: 3, 3>, stride = array<i32: 2, 2>, dilation = array<i32: 1, 1>, padding = array<i32: 1, 1, 1, 1>,
      ceil_mode = true}> : (tensor<2x9x11x5xf32>) -> tensor<2x5x6x5xf32>
  %1 = "ttir.avg_pool2d"(%x) <{kernel = array<i32: 2, 2>, stride = array<i32: 2, 2>, dilation = array<i32: 1, 1>, padding = array<i32: 0, 0, 0, 0>,
      ceil_mode = false}> : (tensor<2x9x11x5xf32>) -> tensor<2x4x5x5xf32>
  return %0, %1 : tensor<2x5x6x5xf32>, tensor<2x4x5x5xf32>
}
func.func @odd(%x: tensor<2x3x9x11xbf16>, %k: tensor<16x3x3x3xbf16>, %y: tensor<2x9x11x3xbf16>, %l: tensor<3x3x3x16xbf16>) -> (tensor<2x16x7x9xbf16>, tensor<2x7x9x16xf32>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x9x11xbf16>, tensor<16x3x3x3xbf16>) -> tensor<2x16x7x9xbf16>
  %1 = stablehlo.convolution(%y, %l) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x11x3xbf16>, tensor<3x3x3x16xbf16>) -> tensor<2x7x9x16xf32>
  return %0, %1 : tensor<2x16x7x9xbf16>, tensor<2x7x9x16xf32>
}
func.func @bytes(%x: tensor<2x9x11x3xi8>, %k: tensor<3x3x3x5xi8>) -> tensor<2x7x9x5xi32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x11x3xi8>, tensor<3x3x3x5xi8>) -> tensor<2x7x9x5xi32>
  return %0 : tensor<2x7x9x5xi32>
}
func.func @large(%x: tensor<2x24x24x48xf32>, %k: tensor<3x3x48x40xf32>, %y: tensor<2x48x24x24xf32>, %d: tensor<3x3x1x48xf32>) -> (tensor<2x24x24x40xf32>, tensor<2x40x24x24xf32>, tensor<2x24x24x48xf32>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x24x24x48xf32>, tensor<3x3x48x40xf32>) -> tensor<2x24x24x40xf32>
  %1 = stablehlo.convolution(%y, %k) dim_numbers = [b, f, 0, 1]x[0, 1, i, o]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x48x24x24xf32>, tensor<3x3x48x40xf32>) -> tensor<2x40x24x24xf32>
  %2 = stablehlo.convolution(%x, %d) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 48 : i64} : (tensor<2x24x24x48xf32>, tensor<3x3x1x48xf32>) -> tensor<2x24x24x48xf32>
  return %0, %1, %2 : tensor<2x24x24x40xf32>, tensor<2x40x24x24xf32>, tensor<2x24x24x48xf32>
}

func.func @few(%x: tensor<2x25x27x16xf32>, %w: tensor<3x3x16x32xf32>, %b: tensor<32xf32>, %y: tensor<1x40x45x8xf32>, %v: tensor<5x3x8x64xf32>) -> (tensor<2x25x27x32xf32>, tensor<1x18x21x64xf32>) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x25x27x16xf32>, tensor<3x3x16x32xf32>) -> tensor<2x25x27x32xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<32xf32>) -> tensor<2x25x27x32xf32>
  %2 = stablehlo.add %0, %1 : tensor<2x25x27x32xf32>
  %3 = stablehlo.convolution(%y, %v) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], rhs_dilate = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x40x45x8xf32>, tensor<5x3x8x64xf32>) -> tensor<1x18x21x64xf32>
  return %2, %3 : tensor<2x25x27x32xf32>, tensor<1x18x21x64xf32>
}
func.func @padded(%x: tensor<3x21x26x16xf32>, %k: tensor<3x3x16x40xf32>, %g: tensor<3x3x8x40xf32>, %h: tensor<3x21x26x16xbf16>, %l: tensor<3x3x16x40xbf16>, %s: tensor<2x300x16xf32>, %t: tensor<5x16x40xf32>)
    -> (tensor<3x11x14x40xf32>, tensor<3x20x23x40xf32>, tensor<3x21x26x40xf32>, tensor<3x21x26x40xbf16>, tensor<2x300x40xf32>, tensor<3x2x26x40xf32>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 2], [2, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x21x26x16xf32>, tensor<3x3x16x40xf32>) -> tensor<3x11x14x40xf32>
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[-1, 4], [3, -2]], rhs_dilate = [2, 2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x21x26x16xf32>, tensor<3x3x16x40xf32>) -> tensor<3x20x23x40xf32>
  %2 = stablehlo.convolution(%x, %g) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<3x21x26x16xf32>, tensor<3x3x8x40xf32>) -> tensor<3x21x26x40xf32>
  %3 = stablehlo.convolution(%h, %l) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x21x26x16xbf16>, tensor<3x3x16x40xbf16>) -> tensor<3x21x26x40xbf16>
  %4 = stablehlo.convolution(%s, %t) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[2, 2]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x300x16xf32>, tensor<5x16x40xf32>) -> tensor<2x300x40xf32>
  %5 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [40, 1], pad = [[30, 11], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x21x26x16xf32>, tensor<3x3x16x40xf32>) -> tensor<3x2x26x40xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<3x11x14x40xf32>, tensor<3x20x23x40xf32>, tensor<3x21x26x40xf32>, tensor<3x21x26x40xbf16>, tensor<2x300x40xf32>, tensor<3x2x26x40xf32>
}
func.func @padded_channels(%x: tensor<3x21x26x40xf32>, %k: tensor<3x3x1x40xf32>, %l: tensor<2x300x20xf64>, %m: tensor<5x1x20xf64>)
    -> (tensor<3x11x14x40xf32>, tensor<3x20x23x40xf32>, tensor<3x2x26x40xf32>, tensor<2x300x20xf64>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 2], [2, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 40 : i64} : (tensor<3x21x26x40xf32>, tensor<3x3x1x40xf32>) -> tensor<3x11x14x40xf32>
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[-1, 4], [3, -2]], rhs_dilate = [2, 2]}
      {batch_group_count = 1 : i64, feature_group_count = 40 : i64} : (tensor<3x21x26x40xf32>, tensor<3x3x1x40xf32>) -> tensor<3x20x23x40xf32>
  %z = stablehlo.constant dense<0.0> : tensor<3x20x23x40xf32>
  %2 = stablehlo.maximum %1, %z : tensor<3x20x23x40xf32>
  %3 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [40, 1], pad = [[30, 11], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 40 : i64} : (tensor<3x21x26x40xf32>, tensor<3x3x1x40xf32>) -> tensor<3x2x26x40xf32>
  %4 = stablehlo.convolution(%l, %m) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[4, 0]]}
      {batch_group_count = 1 : i64, feature_group_count = 20 : i64} : (tensor<2x300x20xf64>, tensor<5x1x20xf64>) -> tensor<2x300x20xf64>
  return %0, %2, %3, %4 : tensor<3x11x14x40xf32>, tensor<3x20x23x40xf32>, tensor<3x2x26x40xf32>, tensor<2x300x20xf64>
}
func.func @dilated(%x: tensor<2x6x7x8xf32>, %k: tensor<5x4x4x12xf32>) -> tensor<2x12x14x12xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[3, 2], [1, 3]], lhs_dilate = [2, 2], reverse = [true, false]}
      {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x6x7x8xf32>, tensor<5x4x4x12xf32>) -> tensor<2x12x14x12xf32>
  return %0 : tensor<2x12x14x12xf32>
}
func.func @many(%x: tensor<2x17x13x50xf32>, %k: tensor<3x3x50x75xf32>, %y: tensor<2x17x13x5xf32>, %l: tensor<3x3x5x75xf32>, %z: tensor<2x20x9x13xf32>, %n: tensor<70x20x3x3xf32>, %p: tensor<301x50xf32>, %q: tensor<50x199xf32>)
    -> (tensor<2x17x13x75xf32>, tensor<2x9x7x75xf32>, tensor<2x17x13x75xf32>, tensor<2x70x9x13xf32>, tensor<301x199xf32>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x17x13x50xf32>, tensor<3x3x50x75xf32>) -> tensor<2x17x13x75xf32>
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x17x13x50xf32>, tensor<3x3x50x75xf32>) -> tensor<2x9x7x75xf32>
  %2 = stablehlo.convolution(%y, %l) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[2, 2], [2, 2]], rhs_dilate = [2, 2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x17x13x5xf32>, tensor<3x3x5x75xf32>) -> tensor<2x17x13x75xf32>
  %3 = stablehlo.convolution(%z, %n) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x20x9x13xf32>, tensor<70x20x3x3xf32>) -> tensor<2x70x9x13xf32>
  %4 = stablehlo.dot_general %p, %q, contracting_dims = [1] x [0] : (tensor<301x50xf32>, tensor<50x199xf32>) -> tensor<301x199xf32>
  return %0, %1, %2, %3, %4 : tensor<2x17x13x75xf32>, tensor<2x9x7x75xf32>, tensor<2x17x13x75xf32>, tensor<2x70x9x13xf32>, tensor<301x199xf32>
}
