// Structured control flow: evaluated, and said in StableHLO.
// RUN: tessera run %s --function=main --input=i64=5 --input=4xf32=1,-2,3,4 --input=i1=1 | FileCheck %s
// RUN: tessera opt %s --scf-to-stablehlo | FileCheck %s --check-prefix=HLO
// CHECK: [6.000000e+00, 0.000000e+00, 1.800000e+01, 2.400000e+01]
// CHECK: tensor<i32> {13}
// CHECK: tensor<i32> {8}
// CHECK: tensor<f32> {3.000000e+00}

// HLO-LABEL: func.func @main(%arg0: tensor<i64>, %arg1: tensor<4xf32>, %arg2: tensor<i1>)
// HLO: stablehlo.while(%{{.*}} = %c, %{{.*}} = %arg1, %{{.*}} = %{{.*}}) : tensor<i64>, tensor<4xf32>, tensor<i32>
// HLO: stablehlo.compare LT, %iterArg, %arg0
// HLO: "stablehlo.if"(%arg2)
// A condition that computes what it gives on is asked ahead of the loop.
// HLO: stablehlo.while(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : tensor<i1>, tensor<i32>
// HLO: stablehlo.return %iterArg : tensor<i1>
// One that only asks stays what it is.
// HLO: stablehlo.while(%{{.*}} = %{{.*}}) : tensor<i32>
// HLO-NOT: scf.
// HLO-NOT: arith.
func.func @main(%n: index, %x: tensor<4xf32>, %p: i1) -> (tensor<4xf32>, i32, i32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %k = arith.constant 3 : i32
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %s = %z) -> (tensor<4xf32>, i32) {
    %1 = tessera.add %a, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    %i32 = arith.index_cast %i : index to i32
    %s2 = arith.addi %s, %i32 : i32
    scf.yield %1, %s2 : tensor<4xf32>, i32
  }
  %2 = scf.if %p -> (tensor<4xf32>) {
    %t = tessera.relu %0#0 : tensor<4xf32> -> tensor<4xf32>
    scf.yield %t : tensor<4xf32>
  } else {
    scf.yield %0#0 : tensor<4xf32>
  }
  scf.if %p {
  }
  %3 = scf.while (%v = %0#1) : (i32) -> i32 {
    %c = arith.cmpi slt, %v, %k : i32
    %w = arith.addi %v, %k : i32
    scf.condition(%c) %w : i32
  } do {
  ^bb0(%q: i32):
    %r = arith.addi %q, %q : i32
    scf.yield %r : i32
  }
  %one = arith.constant 1 : i32
  %eight = arith.constant 8 : i32
  %4 = scf.while (%v = %one) : (i32) -> i32 {
    %c = arith.cmpi ult, %v, %eight : i32
    scf.condition(%c) %v : i32
  } do {
  ^bb0(%q: i32):
    %r = arith.addi %q, %q : i32
    scf.yield %r : i32
  }
  %c2 = arith.constant 2 : index
  %e = tensor.extract %x[%c2] : tensor<4xf32>
  %f = arith.constant 0.0 : f32
  %nan = arith.cmpf une, %e, %e : f32
  %g = arith.select %nan, %f, %e : f32
  return %2, %3, %4, %g : tensor<4xf32>, i32, i32, f32
}
