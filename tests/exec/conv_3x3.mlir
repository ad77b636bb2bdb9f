// Convolutions with 3x3 windows that move by one pixel of many channels take fewer multiplications (kernel/winograd.h): with channels last and second,
// odd sizes, uneven and negative padding, what follows them, and gradients of images.
// RUN: tessera run %s --input=random --check --function=last
// RUN: tessera run %s --input=random --dump-program --function=last 2>&1 >/dev/null | FileCheck %s --check-prefix=LAST
// LAST: 0 by the evaluator's kernels
// LAST: contract convolution+multiply+add+maximum winograd
// RUN: tessera run %s --input=random --check --function=second
// RUN: tessera run %s --input=random --dump-program --function=second 2>&1 >/dev/null | FileCheck %s --check-prefix=SECOND
// SECOND: contract convolution+add winograd
// RUN: tessera run %s --input=random --check --function=cropped
// RUN: tessera run %s --input=random --dump-program --function=cropped 2>&1 >/dev/null | FileCheck %s --check-prefix=FEWER
// RUN: tessera run %s --input=random --check --function=backwards
// RUN: tessera run %s --input=random --dump-program --function=backwards 2>&1 >/dev/null | FileCheck %s --check-prefix=FEWER
// FEWER: contract convolution winograd
// With strict rounding, and for other windows, there is one product for each pixel of a window.
// RUN: tessera run %s --input=random --strict-rounding --dump-program --function=last 2>&1 >/dev/null | FileCheck %s --check-prefix=PLAIN
// RUN: tessera run %s --input=random --dump-program --function=strided 2>&1 >/dev/null | FileCheck %s --check-prefix=PLAIN
// PLAIN: contract convolution
// PLAIN-NOT: winograd
// A result that is read in another order: images stay images, as windows of one image are not a batch.
// RUN: tessera run %s --input=random --check --function=transposed
// A number that would be lost among its neighbours: the windows are multiplied as usual, and no other pixel changes.
// RUN: tessera run %s --check --function=uneven
// RUN: tessera run %s --print --function=uneven | FileCheck %s --check-prefix=UNEVEN
// UNEVEN: 3.600000e+01
func.func @last(%x: tensor<2x13x15x32xf32>, %w: tensor<3x3x32x64xf32>, %s: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<2x13x15x64xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x13x15x32xf32>, tensor<3x3x32x64xf32>) -> tensor<2x13x15x64xf32>
  %1 = stablehlo.broadcast_in_dim %s, dims = [3] : (tensor<64xf32>) -> tensor<2x13x15x64xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<2x13x15x64xf32>
  %3 = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<64xf32>) -> tensor<2x13x15x64xf32>
  %4 = stablehlo.add %2, %3 : tensor<2x13x15x64xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<2x13x15x64xf32>
  %5 = stablehlo.maximum %4, %zero : tensor<2x13x15x64xf32>
  return %5 : tensor<2x13x15x64xf32>
}
func.func @second(%x: tensor<3x32x12x9xf32>, %w: tensor<32x32x3x3xf32>, %b: tensor<32xf32>) -> tensor<3x32x12x9xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x32x12x9xf32>, tensor<32x32x3x3xf32>) -> tensor<3x32x12x9xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<32xf32>) -> tensor<3x32x12x9xf32>
  %2 = stablehlo.add %0, %1 : tensor<3x32x12x9xf32>
  return %2 : tensor<3x32x12x9xf32>
}
func.func @cropped(%x: tensor<2x14x14x48xf32>, %w: tensor<3x3x48x32xf32>) -> tensor<2x11x15x32xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[-2, 1], [0, 3]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x14x14x48xf32>, tensor<3x3x48x32xf32>) -> tensor<2x11x15x32xf32>
  return %0 : tensor<2x11x15x32xf32>
}
func.func @backwards(%x: tensor<2x12x12x32xf32>, %w: tensor<3x3x64x32xf32>) -> tensor<2x12x12x64xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x12x12x32xf32>, tensor<3x3x64x32xf32>) -> tensor<2x12x12x64xf32>
  return %0 : tensor<2x12x12x64xf32>
}
func.func @strided(%x: tensor<2x32x32x32xf32>, %w: tensor<3x3x32x32xf32>) -> tensor<2x16x16x32xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x32x32x32xf32>, tensor<3x3x32x32xf32>) -> tensor<2x16x16x32xf32>
  return %0 : tensor<2x16x16x32xf32>
}
func.func @transposed(%x: tensor<3x16x16x40xf32>, %w: tensor<3x3x40x40xf32>) -> tensor<3x40x16x16xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x16x16x40xf32>, tensor<3x3x40x40xf32>) -> tensor<3x16x16x40xf32>
  %1 = stablehlo.transpose %0, dims = [0, 3, 1, 2] : (tensor<3x16x16x40xf32>) -> tensor<3x40x16x16xf32>
  return %1 : tensor<3x40x16x16xf32>
}
func.func @uneven() -> tensor<f32> {
  %one = stablehlo.constant dense<1.0> : tensor<1x16x16x32xf32>
  %large = stablehlo.constant dense<1.0e30> : tensor<1x1x1x32xf32>
  %at = stablehlo.constant dense<7> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %x = stablehlo.dynamic_update_slice %one, %large, %zero, %at, %at, %zero : (tensor<1x16x16x32xf32>, tensor<1x1x1x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16x32xf32>
  %w = stablehlo.constant dense<0.125> : tensor<3x3x32x32xf32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x16x16x32xf32>, tensor<3x3x32x32xf32>) -> tensor<1x16x16x32xf32>
  // Two pixels to the left of the large one: the window ends before it.
  %1 = stablehlo.slice %0 [0:1, 7:8, 5:6, 3:4] : (tensor<1x16x16x32xf32>) -> tensor<1x1x1x1xf32>
  %2 = stablehlo.reshape %1 : (tensor<1x1x1x1xf32>) -> tensor<f32>
  return %2 : tensor<f32>
}
