// RUN: tessera opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=false %s | FileCheck %s
// RUN: tessera opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=false %s -o %t && tessera opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=false %t -o %t.again && cmp %t %t.again
// Ops of tests and of the interpreter.

func.func @f(%a: tensor<2xf32>, %b: tensor<2xf32>, %i: tensor<2xi32>) -> tensor<2xi32> {
  check.expect_eq %i, %i : tensor<2xi32>
  check.expect_eq %i, %i {foo} : tensor<2xi32>
  check.expect_eq_const %i, dense<[1, 2]> : tensor<2xi32>
  check.expect_almost_eq %a, %b : tensor<2xf32>
  check.expect_almost_eq %a, %b, tolerance = 0.1 : tensor<2xf32>
  check.expect_almost_eq_const %a, dense<0.5> : tensor<2xf32>
  check.expect_almost_eq_const %a, dense<[0.999999, 2.0]> : tensor<2xf32>, tolerance = 0.0001
  check.expect_close %a, %b, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
  check.expect_close %a, %b, max_ulp_difference = 3, min_ulp_difference = 0 : tensor<2xf32>, tensor<2xf32>
  check.expect_serialized_eq %i, probe_id = "probe0" : tensor<2xi32>
  check.expect_serialized_eq %i, probe_id = "probe0", iter = 1 : tensor<2xi32>
  interpreter.print %i : tensor<2xi32>
  %0 = interpreter.probe %i, probe_id = "probe1" : tensor<2xi32>
  %1:2 = "interpreter.run_parallel"(%i) {infeed = [@q], programs = [[@g], [@h, @f]]} : (tensor<2xi32>) -> (tensor<ui32>, tensor<ui32>)
  return %0 : tensor<2xi32>
}

// CHECK: module {
// CHECK-NEXT: func.func @f(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>, %arg2: tensor<2xi32>) -> tensor<2xi32> {
// CHECK-NEXT: check.expect_eq %arg2, %arg2 : tensor<2xi32>
// CHECK-NEXT: check.expect_eq %arg2, %arg2 {foo} : tensor<2xi32>
// CHECK-NEXT: check.expect_eq_const %arg2, dense<[1, 2]> : tensor<2xi32>
// CHECK-NEXT: check.expect_almost_eq %arg0, %arg1 : tensor<2xf32>
// CHECK-NEXT: check.expect_almost_eq %arg0, %arg1, tolerance = 1.000000e-01 : tensor<2xf32>
// CHECK-NEXT: check.expect_almost_eq_const %arg0, dense<5.000000e-01> : tensor<2xf32>
// CHECK-NEXT: check.expect_almost_eq_const %arg0, dense<[0.999998986, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: check.expect_close %arg0, %arg1, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT: check.expect_close %arg0, %arg1, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT: check.expect_serialized_eq %arg2, probe_id = "probe0" : tensor<2xi32>
// CHECK-NEXT: check.expect_serialized_eq %arg2, probe_id = "probe0", iter = 1 : tensor<2xi32>
// CHECK-NEXT: interpreter.print %arg2 : tensor<2xi32>
// CHECK-NEXT: %0 = interpreter.probe %arg2, probe_id = "probe1" : tensor<2xi32>
// CHECK-NEXT{LITERAL}: %1:2 = "interpreter.run_parallel"(%arg2) <{infeed = [@q], programs = [[@g], [@h, @f]]}> : (tensor<2xi32>) -> (tensor<ui32>, tensor<ui32>)
// CHECK-NEXT: return %0 : tensor<2xi32>
// CHECK-NEXT: }
// CHECK-NEXT: }
