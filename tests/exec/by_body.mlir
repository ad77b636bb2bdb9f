// Reductions with bodies of several ops, several operands or complex numbers: loops that run the body on vectors, in the
// order of the reference.
// RUN: tessera run %s --function=reduces --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=REDUCES
// REDUCES: program of @reduces: {{.*}} 0 by the evaluator's kernels
// REDUCES: while reduce
// RUN: tessera run %s --function=reduces --input=random --engine=reference --expect=%t.npz --rtol=1e-6
// RUN: tessera run %s --function=reduces --input=random --threads=3 --expect=%t.npz --atol=0 --rtol=0
// RUN: tessera run %s --function=reduces --input=random --strict-rounding --expect=%t.npz --rtol=1e-6
// A difference is no fold: its order counts.
// RUN: tessera run %s --function=order --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: program of @order: {{.*}} 0 by the evaluator's kernels
// RUN: tessera run %s --function=order --input=random --engine=reference --expect=%t.npz --atol=0 --rtol=0
// RUN: tessera run %s --function=windows --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=WINDOWS
// WINDOWS: program of @windows: {{.*}} 0 by the evaluator's kernels
// RUN: tessera run %s --function=windows --input=random --engine=reference --expect=%t.npz --rtol=1e-6
// RUN: tessera run %s --function=windows --input=random --threads=3 --expect=%t.npz --atol=0 --rtol=0
// Pieces of many elements first, as in the reference; scans in both directions.
// RUN: tessera run %s --function=many --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: program of @many: {{.*}} 0 by the evaluator's kernels
// RUN: tessera run %s --function=many --input=random --engine=reference --expect=%t.npz --atol=0 --rtol=0
// RUN: tessera run %s --function=many --input=random --threads=3 --expect=%t.npz --atol=0 --rtol=0
// RUN: tessera run %s --function=many --input=random --check=ops
// Functions that a body calls, and comparisons of complex numbers.
// RUN: tessera run %s --function=calls --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=CALLS
// CALLS: program of @calls: {{.*}} 0 by the evaluator's kernels
// RUN: tessera run %s --function=calls --input=random --engine=reference --expect=%t.npz --atol=0 --rtol=0
// Integer divisions count zeros: the reference's.
// RUN: tessera run %s --function=left --input=4x3xi32=1,2,3,4,5,6,7,8,9,1,2,3 --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=LEFT
// LEFT: program of @left: {{.*}} 1 by the evaluator's kernels: 1 stablehlo.reduce
// RUN: tessera run %s --function=left --input=4x3xi32=1,2,3,4,5,6,7,8,9,1,2,3 --engine=reference --expect=%t.npz

func.func @reduces(%x: tensor<4x5x6xf32>, %h: tensor<7x9xbf16>, %c: tensor<4x5xcomplex<f32>>, %k: tensor<30xi32>) -> (tensor<5xf32>, tensor<f32>, tensor<7xbf16>, tensor<4xcomplex<f32>>, tensor<i32>, tensor<f32>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %low) across dimensions = [0, 2] : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<5xf32> reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %m = stablehlo.maximum %a, %b : tensor<f32>
    %d = stablehlo.subtract %a, %b : tensor<f32>
    %p = stablehlo.compare NE, %d, %d, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %s = stablehlo.add %a, %b : tensor<f32>
    %n = stablehlo.abs %d : tensor<f32>
    %e = stablehlo.negate %n : tensor<f32>
    %f = stablehlo.exponential %e : tensor<f32>
    %l = stablehlo.log_plus_one %f : tensor<f32>
    %t = stablehlo.add %m, %l : tensor<f32>
    %r = stablehlo.select %p, %s, %t : tensor<i1>, tensor<f32>
    stablehlo.return %r : tensor<f32>
  }
  %1 = stablehlo.reduce(%x init: %low) across dimensions = [0, 1, 2] : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<f32> reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %two = stablehlo.constant dense<2.0> : tensor<f32>
    %q = stablehlo.divide %b, %two : tensor<f32>
    %m = stablehlo.maximum %a, %q : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %2 = stablehlo.reduce(%h init: %zero) across dimensions = [1] : (tensor<7x9xbf16>, tensor<bf16>) -> tensor<7xbf16> reducer(%a: tensor<bf16>, %b: tensor<bf16>) {
    %n = stablehlo.abs %b : tensor<bf16>
    %m = stablehlo.maximum %a, %n : tensor<bf16>
    stablehlo.return %m : tensor<bf16>
  }
  %one = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %3 = stablehlo.reduce(%c init: %one) applies stablehlo.multiply across dimensions = [1] : (tensor<4x5xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
  %i = stablehlo.constant dense<1> : tensor<i32>
  %f = stablehlo.convert %k : (tensor<30xi32>) -> tensor<30xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %4:2 = stablehlo.reduce(%k init: %i), (%f init: %z) across dimensions = [0] : (tensor<30xi32>, tensor<30xf32>, tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>) reducer(%a: tensor<i32>, %b: tensor<i32>) (%u: tensor<f32>, %v: tensor<f32>) {
    %s = stablehlo.xor %a, %b : tensor<i32>
    %w = stablehlo.convert %s : (tensor<i32>) -> tensor<f32>
    %y = stablehlo.maximum %v, %w : tensor<f32>
    %t = stablehlo.minimum %u, %y : tensor<f32>
    stablehlo.return %s, %t : tensor<i32>, tensor<f32>
  }
  return %0, %1, %2, %3, %4#0, %4#1 : tensor<5xf32>, tensor<f32>, tensor<7xbf16>, tensor<4xcomplex<f32>>, tensor<i32>, tensor<f32>
}
func.func @order(%x: tensor<3x4x5xf32>, %z: tensor<f32>) -> (tensor<4xf32>, tensor<3x4x5xf32>) {
  %0 = stablehlo.reduce(%x init: %z) across dimensions = [2, 0] : (tensor<3x4x5xf32>, tensor<f32>) -> tensor<4xf32> reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %s = stablehlo.subtract %b, %a : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  %1 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 2, 3>, window_dilations = array<i64: 1, 1, 2>, padding = dense<[[0, 0], [1, 0], [3, 1]]> : tensor<3x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x4x5xf32>, tensor<f32>) -> tensor<3x4x5xf32>
  return %0, %1 : tensor<4xf32>, tensor<3x4x5xf32>
}
func.func @windows(%x: tensor<4x8xf32>, %c: tensor<6x7xcomplex<f32>>) -> (tensor<4x8xf32>, tensor<2x4xf32>, tensor<6x3xcomplex<f32>>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %low) <{window_dimensions = array<i64: 1, 8>, padding = dense<[[0, 0], [7, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    %d = stablehlo.subtract %a, %b : tensor<f32>
    %p = stablehlo.compare NE, %d, %d, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %s = stablehlo.add %a, %b : tensor<f32>
    %n = stablehlo.abs %d : tensor<f32>
    %e = stablehlo.negate %n : tensor<f32>
    %f = stablehlo.exponential %e : tensor<f32>
    %l = stablehlo.log_plus_one %f : tensor<f32>
    %t = stablehlo.add %m, %l : tensor<f32>
    %r = stablehlo.select %p, %s, %t : tensor<i1>, tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %1 = "stablehlo.reduce_window"(%x, %low) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 3>, base_dilations = array<i64: 1, 2>, padding = dense<[[1, 0], [0, -2]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %n = stablehlo.abs %b : tensor<f32>
    %m = stablehlo.maximum %a, %n : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x4xf32>
  %one = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %2 = "stablehlo.reduce_window"(%c, %one) <{window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %m = stablehlo.multiply %a, %b : tensor<complex<f32>>
    stablehlo.return %m : tensor<complex<f32>>
  }) : (tensor<6x7xcomplex<f32>>, tensor<complex<f32>>) -> tensor<6x3xcomplex<f32>>
  return %0, %1, %2 : tensor<4x8xf32>, tensor<2x4xf32>, tensor<6x3xcomplex<f32>>
}
func.func @many(%x: tensor<9000x2xf32>, %y: tensor<3x150x2xf32>, %k: tensor<3x150x2xi32>, %z: tensor<f32>) -> (tensor<2xf32>, tensor<f32>, tensor<3x150x2xf32>, tensor<3x150x2xf32>, tensor<3x150x2xi32>, tensor<3x150x2xf32>) {
  %0 = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<9000x2xf32>, tensor<f32>) -> tensor<2xf32> reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %h = stablehlo.constant dense<0.5> : tensor<f32>
    %m = stablehlo.multiply %a, %h : tensor<f32>
    %s = stablehlo.subtract %b, %m : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  %1 = stablehlo.reduce(%y init: %z) across dimensions = [2, 0, 1] : (tensor<3x150x2xf32>, tensor<f32>) -> tensor<f32> reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %s = stablehlo.subtract %b, %a : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0> : tensor<i32>
  %2 = "stablehlo.reduce_window"(%y, %zero) <{window_dimensions = array<i64: 1, 150, 1>, padding = dense<[[0, 0], [149, 0], [0, 0]]> : tensor<3x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %h = stablehlo.constant dense<0.5> : tensor<f32>
    %m = stablehlo.multiply %a, %h : tensor<f32>
    %s = stablehlo.subtract %b, %m : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x150x2xf32>, tensor<f32>) -> tensor<3x150x2xf32>
  %3 = "stablehlo.reduce_window"(%y, %zero) <{window_dimensions = array<i64: 3, 1, 1>, padding = dense<[[0, 2], [0, 0], [0, 0]]> : tensor<3x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %n = stablehlo.abs %a : tensor<f32>
    %o = stablehlo.abs %b : tensor<f32>
    %s = stablehlo.maximum %n, %o : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x150x2xf32>, tensor<f32>) -> tensor<3x150x2xf32>
  %4:2 = "stablehlo.reduce_window"(%k, %y, %low, %zero) <{window_dimensions = array<i64: 1, 150, 1>, padding = dense<[[0, 0], [149, 0], [0, 0]]> : tensor<3x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %u: tensor<f32>, %b: tensor<i32>, %v: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    %m = stablehlo.maximum %u, %v : tensor<f32>
    stablehlo.return %s, %m : tensor<i32>, tensor<f32>
  }) : (tensor<3x150x2xi32>, tensor<3x150x2xf32>, tensor<i32>, tensor<f32>) -> (tensor<3x150x2xi32>, tensor<3x150x2xf32>)
  return %0, %1, %2, %3, %4#0, %4#1 : tensor<2xf32>, tensor<f32>, tensor<3x150x2xf32>, tensor<3x150x2xf32>, tensor<3x150x2xi32>, tensor<3x150x2xf32>
}
func.func private @less(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %s = stablehlo.subtract %a, %b : tensor<f32>
  return %s : tensor<f32>
}
func.func @calls(%x: tensor<200x3xf32>, %c: tensor<4x6xcomplex<f32>>) -> (tensor<3xf32>, tensor<200x3xf32>, tensor<6xcomplex<f32>>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<200x3xf32>, tensor<f32>) -> tensor<3xf32> reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %s = func.call @less(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  %1 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 200, 1>, padding = dense<[[0, 199], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = func.call @less(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<200x3xf32>, tensor<f32>) -> tensor<200x3xf32>
  %w = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %2 = stablehlo.reduce(%c init: %w) across dimensions = [0] : (tensor<4x6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<6xcomplex<f32>> reducer(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>) {
    %r = stablehlo.real %a : (tensor<complex<f32>>) -> tensor<f32>
    %s = stablehlo.real %b : (tensor<complex<f32>>) -> tensor<f32>
    %p = stablehlo.compare GT, %r, %s, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %q = stablehlo.select %p, %a, %b : tensor<i1>, tensor<complex<f32>>
    stablehlo.return %q : tensor<complex<f32>>
  }
  return %0, %1, %2 : tensor<3xf32>, tensor<200x3xf32>, tensor<6xcomplex<f32>>
}
func.func @left(%x: tensor<4x3xi32>) -> tensor<4xi32> {
  %i = stablehlo.constant dense<1000> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %i) across dimensions = [1] : (tensor<4x3xi32>, tensor<i32>) -> tensor<4xi32> reducer(%a: tensor<i32>, %b: tensor<i32>) {
    %s = stablehlo.divide %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }
  return %0 : tensor<4xi32>
}
