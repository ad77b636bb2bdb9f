// Long scans are made of blocks, so that errors stay small: the sums of 0.1 are within 1e-6 of multiples, where sums in order are off by more than 1e-5. The same bits with any number of threads.
// RUN: tessera run %s --input=f32=0.1 | FileCheck %s
// RUN: tessera run %s --input=f32=0.1 --dump-program 2>&1 >/dev/null | FileCheck %s --check-prefix=SCANS
// RUN: tessera run %s --function=scans --input=random --threads=1 --output=%t.npz
// RUN: tessera run %s --function=scans --input=random --threads=3 --expect=%t.npz --rtol=0 --atol=0
// RUN: tessera run %s --function=scans --input=random --threads=7 --expect=%t.npz --rtol=0 --atol=0
// SCANS-COUNT-4: move reduce_window
// CHECK: tensor<4xi1>
// CHECK: [true, true, true, true]
func.func @main(%c: tensor<f32>) -> tensor<4xi1> {
  %x = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<66001xf32>
  %y = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<9x2100xf32>
  %l = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<1100x3xf32>
  %0:4 = func.call @scans(%x, %y, %l) : (tensor<66001xf32>, tensor<9x2100xf32>, tensor<1100x3xf32>) -> (tensor<66001xf32>, tensor<66001xf32>, tensor<9x2100xf32>, tensor<1100x3xf32>)
  %limit = stablehlo.constant dense<1.0e-6> : tensor<f32>
  %low = stablehlo.constant dense<0.0> : tensor<f32>
  %i0 = stablehlo.iota dim = 0 : tensor<66001xf32>
  %k0 = stablehlo.constant dense<1.0> : tensor<66001xf32>
  %n0 = stablehlo.add %k0, %i0 : tensor<66001xf32>
  %b0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<66001xf32>
  %e0 = stablehlo.multiply %n0, %b0 : tensor<66001xf32>
  %d0 = stablehlo.subtract %0#0, %e0 : tensor<66001xf32>
  %a0 = stablehlo.abs %d0 : tensor<66001xf32>
  %q0 = stablehlo.divide %a0, %e0 : tensor<66001xf32>
  %m0 = stablehlo.reduce(%q0 init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<66001xf32>, tensor<f32>) -> tensor<f32>
  %p0 = stablehlo.compare LT, %m0, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %r0 = stablehlo.reshape %p0 : (tensor<i1>) -> tensor<1xi1>
  %i1 = stablehlo.iota dim = 0 : tensor<66001xf32>
  %k1 = stablehlo.constant dense<66001.0> : tensor<66001xf32>
  %n1 = stablehlo.subtract %k1, %i1 : tensor<66001xf32>
  %b1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<66001xf32>
  %e1 = stablehlo.multiply %n1, %b1 : tensor<66001xf32>
  %d1 = stablehlo.subtract %0#1, %e1 : tensor<66001xf32>
  %a1 = stablehlo.abs %d1 : tensor<66001xf32>
  %q1 = stablehlo.divide %a1, %e1 : tensor<66001xf32>
  %m1 = stablehlo.reduce(%q1 init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<66001xf32>, tensor<f32>) -> tensor<f32>
  %p1 = stablehlo.compare LT, %m1, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %r1 = stablehlo.reshape %p1 : (tensor<i1>) -> tensor<1xi1>
  %i2 = stablehlo.iota dim = 1 : tensor<9x2100xf32>
  %k2 = stablehlo.constant dense<2100.0> : tensor<9x2100xf32>
  %n2 = stablehlo.subtract %k2, %i2 : tensor<9x2100xf32>
  %b2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<9x2100xf32>
  %e2 = stablehlo.multiply %n2, %b2 : tensor<9x2100xf32>
  %d2 = stablehlo.subtract %0#2, %e2 : tensor<9x2100xf32>
  %a2 = stablehlo.abs %d2 : tensor<9x2100xf32>
  %q2 = stablehlo.divide %a2, %e2 : tensor<9x2100xf32>
  %m2 = stablehlo.reduce(%q2 init: %low) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<9x2100xf32>, tensor<f32>) -> tensor<f32>
  %p2 = stablehlo.compare LT, %m2, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %r2 = stablehlo.reshape %p2 : (tensor<i1>) -> tensor<1xi1>
  %i3 = stablehlo.iota dim = 0 : tensor<1100x3xf32>
  %k3 = stablehlo.constant dense<1.0> : tensor<1100x3xf32>
  %n3 = stablehlo.add %k3, %i3 : tensor<1100x3xf32>
  %b3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<1100x3xf32>
  %e3 = stablehlo.multiply %n3, %b3 : tensor<1100x3xf32>
  %d3 = stablehlo.subtract %0#3, %e3 : tensor<1100x3xf32>
  %a3 = stablehlo.abs %d3 : tensor<1100x3xf32>
  %q3 = stablehlo.divide %a3, %e3 : tensor<1100x3xf32>
  %m3 = stablehlo.reduce(%q3 init: %low) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<1100x3xf32>, tensor<f32>) -> tensor<f32>
  %p3 = stablehlo.compare LT, %m3, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %r3 = stablehlo.reshape %p3 : (tensor<i1>) -> tensor<1xi1>
  %r = stablehlo.concatenate %r0, %r1, %r2, %r3, dim = 0 : (tensor<1xi1>, tensor<1xi1>, tensor<1xi1>, tensor<1xi1>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}
// One long row forwards and backwards, with blocks that end early; some rows; columns.
func.func @scans(%x: tensor<66001xf32>, %y: tensor<9x2100xf32>, %l: tensor<1100x3xf32>) -> (tensor<66001xf32>, tensor<66001xf32>, tensor<9x2100xf32>, tensor<1100x3xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 66001>, padding = dense<[[66000, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<66001xf32>, tensor<f32>) -> tensor<66001xf32>
  %1 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 66001>, padding = dense<[[0, 66000]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<66001xf32>, tensor<f32>) -> tensor<66001xf32>
  %2 = "stablehlo.reduce_window"(%y, %z) <{window_dimensions = array<i64: 1, 2100>, padding = dense<[[0, 0], [0, 2099]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<9x2100xf32>, tensor<f32>) -> tensor<9x2100xf32>
  %3 = "stablehlo.reduce_window"(%l, %z) <{window_dimensions = array<i64: 1100, 1>, padding = dense<[[1099, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<1100x3xf32>, tensor<f32>) -> tensor<1100x3xf32>
  return %0, %1, %2, %3 : tensor<66001xf32>, tensor<66001xf32>, tensor<9x2100xf32>, tensor<1100x3xf32>
}
