// Ops on the bits of floats, reductions and sorts of nothing, integers that windows pick, and updates that are taken away: none runs by the evaluator's kernels.
// RUN: tessera run %s --function=orders --check --rtol=0 --atol=0
// RUN: tessera run %s --function=orders --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --function=neighbours --input=random --check --rtol=0 --atol=0
// RUN: tessera run %s --function=neighbours --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --function=precisions --input=random --check --rtol=0 --atol=0
// RUN: tessera run %s --function=precisions --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --function=special --check --rtol=0 --atol=0
// RUN: tessera run %s --function=nothing --input=random --check --rtol=0 --atol=0
// RUN: tessera run %s --function=nothing --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --function=picks --input=random --check --rtol=0 --atol=0
// RUN: tessera run %s --function=picks --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --function=complex_windows --input=random --check
// RUN: tessera run %s --function=complex_windows --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --function=halves --input=random --check --rtol=0 --atol=0
// RUN: tessera run %s --function=halves --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// CHECK: 0 by the evaluator's kernels
func.func @orders() -> (tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>) {
  %v = stablehlo.constant dense<[0xFFC00000, 1.0, 0x7FC00000, -0.0, 0x7F800000, 0.0, 0xFF800000, -2.0]> : tensor<8xf32>
  %x = stablehlo.broadcast_in_dim %v, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
  %0 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xi1>
  %1 = stablehlo.compare EQ, %x, %y, TOTALORDER : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xi1>
  %h = stablehlo.convert %x : (tensor<8x8xf32>) -> tensor<8x8xbf16>
  %k = stablehlo.convert %y : (tensor<8x8xf32>) -> tensor<8x8xbf16>
  %2 = stablehlo.compare GE, %h, %k, TOTALORDER : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xi1>
  %d = stablehlo.convert %x : (tensor<8x8xf32>) -> tensor<8x8xf64>
  %e = stablehlo.convert %y : (tensor<8x8xf32>) -> tensor<8x8xf64>
  %3 = stablehlo.compare GT, %d, %e, TOTALORDER : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xi1>
  %r0 = stablehlo.reshape %0 : (tensor<8x8xi1>) -> tensor<64xi1>
  %r1 = stablehlo.reshape %1 : (tensor<8x8xi1>) -> tensor<64xi1>
  %r2 = stablehlo.reshape %2 : (tensor<8x8xi1>) -> tensor<64xi1>
  %r3 = stablehlo.reshape %3 : (tensor<8x8xi1>) -> tensor<64xi1>
  return %r0, %r1, %r2, %r3 : tensor<64xi1>, tensor<64xi1>, tensor<64xi1>, tensor<64xi1>
}
func.func @neighbours(%a: tensor<40xf32>, %b: tensor<40xf32>, %c: tensor<40xf64>, %d: tensor<40xf64>, %e: tensor<40xbf16>, %f: tensor<40xbf16>, %g: tensor<40xf16>, %h: tensor<40xf16>) -> (tensor<40xf32>, tensor<40xf64>, tensor<40xbf16>, tensor<40xf16>) {
  %0 = chlo.next_after %a, %b : tensor<40xf32>, tensor<40xf32> -> tensor<40xf32>
  %1 = chlo.next_after %c, %d : tensor<40xf64>, tensor<40xf64> -> tensor<40xf64>
  %2 = chlo.next_after %e, %f : tensor<40xbf16>, tensor<40xbf16> -> tensor<40xbf16>
  %3 = chlo.next_after %g, %h : tensor<40xf16>, tensor<40xf16> -> tensor<40xf16>
  return %0, %1, %2, %3 : tensor<40xf32>, tensor<40xf64>, tensor<40xbf16>, tensor<40xf16>
}
func.func @precisions(%a: tensor<40xf32>, %c: tensor<40xf64>, %e: tensor<40xbf16>, %g: tensor<40xf16>) -> (tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf64>, tensor<40xbf16>, tensor<40xf16>, tensor<40xf16>) {
  %0 = stablehlo.reduce_precision %a, format = e5m10 : tensor<40xf32>
  %1 = stablehlo.reduce_precision %a, format = e8m0 : tensor<40xf32>
  %2 = stablehlo.reduce_precision %a, format = e1m3 : tensor<40xf32>
  %3 = stablehlo.reduce_precision %c, format = e8m23 : tensor<40xf64>
  %4 = stablehlo.reduce_precision %e, format = e4m3 : tensor<40xbf16>
  %5 = stablehlo.reduce_precision %g, format = e5m2 : tensor<40xf16>
  %6 = stablehlo.reduce_precision %g, format = e11m52 : tensor<40xf16>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf64>, tensor<40xbf16>, tensor<40xf16>, tensor<40xf16>
}
func.func @special() -> (tensor<64xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>) {
  %v = stablehlo.constant dense<[0x7FC00000, 1.0, 0x7F7FFFFF, -0.0, 0x7F800000, 0.0, 0xFF800000, 1.0e-45]> : tensor<8xf32>
  %x = stablehlo.broadcast_in_dim %v, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %y = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
  %0 = chlo.next_after %x, %y : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %w = stablehlo.constant dense<[0x7FC00000, 1.0, 0x7F7FFFFF, -0.0, 0x7F800000, 0.0, 0xFF800000, 1.0e-45, 65519.0, 65520.0, -1.0e-6, 6.1e-5]> : tensor<12xf32>
  %1 = stablehlo.reduce_precision %w, format = e5m10 : tensor<12xf32>
  %2 = stablehlo.reduce_precision %w, format = e8m0 : tensor<12xf32>
  %3 = stablehlo.reduce_precision %w, format = e8m7 : tensor<12xf32>
  %r = stablehlo.reshape %0 : (tensor<8x8xf32>) -> tensor<64xf32>
  return %r, %1, %2, %3 : tensor<64xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
}
func.func @nothing(%x: tensor<3x0xf32>, %i: tensor<0x4xi32>, %s: tensor<i32>, %z: tensor<0x4xcomplex<f32>>, %c: tensor<complex<f32>>) -> (tensor<3xf32>, tensor<4xi32>, tensor<0xi32>, tensor<4xcomplex<f32>>, tensor<3x0xf32>, tensor<4xi32>) {
  %f = stablehlo.constant dense<-1.5> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %f) applies stablehlo.add across dimensions = [1] : (tensor<3x0xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.reduce(%i init: %s) applies stablehlo.multiply across dimensions = [0] : (tensor<0x4xi32>, tensor<i32>) -> tensor<4xi32>
  %2 = stablehlo.reduce(%i init: %s) applies stablehlo.maximum across dimensions = [1] : (tensor<0x4xi32>, tensor<i32>) -> tensor<0xi32>
  %3 = stablehlo.reduce(%z init: %c) applies stablehlo.multiply across dimensions = [0] : (tensor<0x4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
  %4 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<3x0xf32>) -> tensor<3x0xf32>
  // A body of several ops never runs.
  %5 = stablehlo.reduce(%i init: %s) across dimensions = [0] : (tensor<0x4xi32>, tensor<i32>) -> tensor<4xi32>
    reducer(%a: tensor<i32>, %b: tensor<i32>) {
      %m = stablehlo.multiply %a, %a : tensor<i32>
      %n = stablehlo.add %m, %b : tensor<i32>
      stablehlo.return %n : tensor<i32>
    }
  return %0, %1, %2, %3, %4, %5 : tensor<3xf32>, tensor<4xi32>, tensor<0xi32>, tensor<4xcomplex<f32>>, tensor<3x0xf32>, tensor<4xi32>
}
func.func @picks(%x: tensor<9x9xi8>, %u: tensor<4x4xi8>, %y: tensor<9x9xui64>, %v: tensor<4x4xui64>, %t: tensor<5x6xf32>, %n: tensor<4x1xi32>, %w: tensor<4x6xf32>) -> (tensor<9x9xi8>, tensor<9x9xui64>, tensor<5x6xf32>) {
  %c = stablehlo.constant dense<100> : tensor<i8>
  %d = stablehlo.constant dense<3> : tensor<ui64>
  %0 = "stablehlo.select_and_scatter"(%x, %u, %c) <{window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %p = stablehlo.compare GE, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<9x9xi8>, tensor<4x4xi8>, tensor<i8>) -> tensor<9x9xi8>
  %1 = "stablehlo.select_and_scatter"(%y, %v, %d) <{window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<ui64>, %b: tensor<ui64>):
    %p = stablehlo.compare LT, %a, %b : (tensor<ui64>, tensor<ui64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<ui64>, %b: tensor<ui64>):
    %s = stablehlo.add %a, %b : tensor<ui64>
    stablehlo.return %s : tensor<ui64>
  }) : (tensor<9x9xui64>, tensor<4x4xui64>, tensor<ui64>) -> tensor<9x9xui64>
  %2 = "stablehlo.scatter"(%t, %n, %w) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5x6xf32>, tensor<4x1xi32>, tensor<4x6xf32>) -> tensor<5x6xf32>
  return %0, %1, %2 : tensor<9x9xi8>, tensor<9x9xui64>, tensor<5x6xf32>
}
func.func @complex_windows(%z: tensor<3x7xcomplex<f32>>, %p: tensor<5xi1>) -> (tensor<3x7xcomplex<f32>>, tensor<3x5xcomplex<f32>>, tensor<5xi1>) {
  %c = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %d = stablehlo.constant dense<(1.0, -2.0)> : tensor<complex<f32>>
  %0 = "stablehlo.reduce_window"(%z, %c) <{window_dimensions = array<i64: 1, 7>, padding = dense<[[0, 0], [6, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %s = stablehlo.add %a, %b : tensor<complex<f32>>
    stablehlo.return %s : tensor<complex<f32>>
  }) : (tensor<3x7xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3x7xcomplex<f32>>
  %1 = "stablehlo.reduce_window"(%z, %d) <{window_dimensions = array<i64: 1, 3>}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %s = stablehlo.add %a, %b : tensor<complex<f32>>
    stablehlo.return %s : tensor<complex<f32>>
  }) : (tensor<3x7xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3x5xcomplex<f32>>
  %2 = stablehlo.bitcast_convert %p : (tensor<5xi1>) -> tensor<5xi1>
  return %0, %1, %2 : tensor<3x7xcomplex<f32>>, tensor<3x5xcomplex<f32>>, tensor<5xi1>
}
// The upper half of a product.
func.func @halves(%a0: tensor<40xi8>, %b0: tensor<40xi8>, %a1: tensor<40xui8>, %b1: tensor<40xui8>, %a2: tensor<40xi16>, %b2: tensor<40xi16>, %a3: tensor<40xui16>, %b3: tensor<40xui16>, %a4: tensor<40xi32>, %b4: tensor<40xi32>, %a5: tensor<40xui32>, %b5: tensor<40xui32>, %a6: tensor<40xi64>, %b6: tensor<40xi64>, %a7: tensor<40xui64>, %b7: tensor<40xui64>) -> (tensor<40xi8>, tensor<40xui8>, tensor<40xi16>, tensor<40xui16>, tensor<40xi32>, tensor<40xui32>, tensor<40xi64>, tensor<40xui64>) {
  %0 = chlo.mulhi %a0, %b0 : tensor<40xi8>, tensor<40xi8> -> tensor<40xi8>
  %1 = chlo.mulhi %a1, %b1 : tensor<40xui8>, tensor<40xui8> -> tensor<40xui8>
  %2 = chlo.mulhi %a2, %b2 : tensor<40xi16>, tensor<40xi16> -> tensor<40xi16>
  %3 = chlo.mulhi %a3, %b3 : tensor<40xui16>, tensor<40xui16> -> tensor<40xui16>
  %4 = chlo.mulhi %a4, %b4 : tensor<40xi32>, tensor<40xi32> -> tensor<40xi32>
  %5 = chlo.mulhi %a5, %b5 : tensor<40xui32>, tensor<40xui32> -> tensor<40xui32>
  %6 = chlo.mulhi %a6, %b6 : tensor<40xi64>, tensor<40xi64> -> tensor<40xi64>
  %7 = chlo.mulhi %a7, %b7 : tensor<40xui64>, tensor<40xui64> -> tensor<40xui64>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<40xi8>, tensor<40xui8>, tensor<40xi16>, tensor<40xui16>, tensor<40xi32>, tensor<40xui32>, tensor<40xi64>, tensor<40xui64>
}
