// RUN: not tessera run %s --input=3xi32=1,2,3 --input=3xi32=1,0,0 --output=%t.dir 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not ls %t.dir
// RUN: tessera run %s --input=3xi32=1,2,3 --input=3xi32=1,2,3 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: tessera run %s --input=3xi32=1,2,3 --input=3xi32=1,0,0 --division-by-zero=warn 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: tessera run %s --input=3xi32=1,2,3 --input=3xi32=1,0,0 --division-by-zero=ignore 2>&1 | FileCheck %s --check-prefix=IGNORE
// RUN: not tessera run %s --input=random --division-by-zero=maybe 2>&1 | FileCheck %s --check-prefix=BAD
// Without a word on it an integer that is divided by zero ends the run, with its place, and nothing is written. Programs that divide
// first and select afterwards can be run all the same.

func.func @main(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<3xi32> {
  %0 = stablehlo.divide %a, %b : tensor<3xi32>
  return %0 : tensor<3xi32>
}

// ERROR: division_by_zero.mlir:11:8: error: 'stablehlo.divide' op divides integers by zero (2 of 3 divisors)
// ERROR: --division-by-zero=warn
// ERROR-NOT: tensor<3xi32> {
// WARN: division_by_zero.mlir:11:8: warning: 'stablehlo.divide' op divides integers by zero (2 elements in this run)
// WARN: [1, -1, -1]
// IGNORE-NOT: divides
// IGNORE: [1, -1, -1]
// QUIET-NOT: divides
// QUIET: [1, 1, 1]
// BAD: for the --division-by-zero option: Cannot find option named 'maybe'!

// The same in all ops that divide: where both operands broadcast, in a body that runs on many elements at once, on the processes of
// a grid. Floats have a quotient; nothing divided by zero is no division.
// RUN: not tessera run %s --function=rest --input=i32=7 --input=i32=0 2>&1 | FileCheck %s --check-prefix=REST
// REST: error: 'stablehlo.remainder' op divides integers by zero (1 of 1 divisors)
func.func @rest(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.remainder %a, %b : tensor<i32>
  return %0 : tensor<i32>
}

// RUN: not tessera run %s --function=broadcast --input=2xui8=7,8 --input=ui8=0 2>&1 | FileCheck %s --check-prefix=BROADCAST
// RUN: tessera run %s --function=broadcast --input=0xui8= --input=ui8=0
// BROADCAST: error: 'chlo.broadcast_divide' op divides integers by zero (1 of 1 divisors)
func.func @broadcast(%a: tensor<?xui8>, %b: tensor<ui8>) -> tensor<?xui8> {
  %0 = chlo.broadcast_divide %a, %b : (tensor<?xui8>, tensor<ui8>) -> tensor<?xui8>
  return %0 : tensor<?xui8>
}

// RUN: not tessera run %s --function=body --input=4xi64=1,2,0,4 2>&1 | FileCheck %s --check-prefix=BODY
// RUN: tessera run %s --function=body --input=4xi64=1,2,0,4 --division-by-zero=warn 2>&1 | FileCheck %s --check-prefix=BODYWARN
// BODY: [[@LINE+6]]:10: error: 'stablehlo.divide' op divides integers by zero
// BODYWARN: warning: 'stablehlo.divide' op divides integers by zero (1 elements in this run)
func.func @body(%a: tensor<4xi64>) -> tensor<4xi64> {
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<i64>):
    %c = stablehlo.constant dense<12> : tensor<i64>
    %q = stablehlo.divide %c, %x : tensor<i64>
    stablehlo.return %q : tensor<i64>
  }) {dimensions = array<i64: 0>} : (tensor<4xi64>) -> tensor<4xi64>
  return %0 : tensor<4xi64>
}

// RUN: not tessera run %s --function=grid --input=2xi16=4,0 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: tessera run %s --function=grid --input=2xi16=4,0 --division-by-zero=warn 2>&1 | FileCheck %s --check-prefix=GRIDWARN
// GRID: error: process (0, 0): 'stablehlo.divide' op divides integers by zero (1 of 2 divisors)
// GRIDWARN: warning: 'stablehlo.divide' op divides integers by zero (2 elements in this run)
func.func @grid(%a: tensor<2xi16>) -> (tensor<2xi16>, tensor<2xi16>) {
  %0:2 = "interpreter.run_parallel"(%a, %a) {programs = [[@half], [@half]]}
    : (tensor<2xi16>, tensor<2xi16>) -> (tensor<2xi16>, tensor<2xi16>)
  return %0#0, %0#1 : tensor<2xi16>, tensor<2xi16>
}
func.func @half(%a: tensor<2xi16>) -> tensor<2xi16> {
  %0 = stablehlo.divide %a, %a : tensor<2xi16>
  return %0 : tensor<2xi16>
}

// RUN: tessera run %s --function=float --input=f32=1 --input=f32=0 --expect=f32=inf
func.func @float(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.divide %a, %b : tensor<f32>
  return %0 : tensor<f32>
}

// RUN: tessera run %s --function=quantized --input=f32=1 --input=f32=0 --expect=f32=127
func.func @quantized(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.uniform_quantize %a : (tensor<f32>) -> tensor<!quant.uniform<i8:f32, 1.0>>
  %1 = stablehlo.uniform_quantize %b : (tensor<f32>) -> tensor<!quant.uniform<i8:f32, 1.0>>
  %2 = stablehlo.divide %0, %1 : tensor<!quant.uniform<i8:f32, 1.0>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<!quant.uniform<i8:f32, 1.0>>) -> tensor<f32>
  return %3 : tensor<f32>
}

// As stablehlo-translate it does what the original does: it goes on.
// RUN: stablehlo-translate --interpret %S/Inputs/division.mlir 2>&1 | FileCheck %s --check-prefix=PEER
// PEER-NOT: divides
// PEER: tensor<2xi32> {
// PEER-NEXT: [-1, 2]
