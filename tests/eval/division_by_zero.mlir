// An integer that is divided by zero is what XLA makes of it: all ones, and the dividend as the remainder. Each op that meets one
// gives one warning in a run, at its place. Who wants an error says so: then nothing is written.
// RUN: tessera run %s --print --input=3xi32=1,2,3 --input=3xi32=1,0,0 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: tessera run %s --print --input=3xi32=1,2,3 --input=3xi32=1,0,0 --division-by-zero=warn 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: not tessera run %s --print --input=3xi32=1,2,3 --input=3xi32=1,0,0 --output=%t.dir --division-by-zero=error 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not ls %t.dir
// RUN: tessera run %s --print --input=3xi32=1,2,3 --input=3xi32=1,2,3 --division-by-zero=error 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: tessera run %s --print --input=3xi32=1,2,3 --input=3xi32=1,0,0 --division-by-zero=ignore 2>&1 | FileCheck %s --check-prefix=IGNORE
// RUN: not tessera run %s --input=random --division-by-zero=maybe 2>&1 | FileCheck %s --check-prefix=BAD

func.func @main(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<3xi32> {
  %0 = stablehlo.divide %a, %b : tensor<3xi32>
  return %0 : tensor<3xi32>
}

// ERROR: division_by_zero.mlir:12:8: error: 'stablehlo.divide' op divides integers by zero (2 of 3 divisors)
// ERROR: --division-by-zero=warn
// ERROR-NOT: tensor<3xi32> {
// WARN: division_by_zero.mlir:12:8: warning: 'stablehlo.divide' op divides integers by zero (2 elements in this run)
// WARN-NOT: warning
// WARN: [1, -1, -1]
// IGNORE-NOT: divides
// IGNORE: [1, -1, -1]
// QUIET-NOT: divides
// QUIET: [1, 1, 1]
// BAD: for the --division-by-zero option: 'maybe' value invalid: warn, error or ignore is wanted

// Every type of integers; two ops, two warnings.
// RUN: tessera run %s --function=widths --expect=2xi2=-1,1 --expect=2xi2=1,0 --expect=2xi4=-1,1 --expect=2xi4=1,0 --expect=2xi8=-1,1 --expect=2xi8=1,0 --expect=2xi16=-1,1 --expect=2xi16=1,0 --expect=2xi32=-1,1 --expect=2xi32=1,0 --expect=2xi64=-1,1 --expect=2xi64=1,0 --expect=2xui2=3,1 --expect=2xui2=1,0 --expect=2xui4=15,1 --expect=2xui4=1,0 --expect=2xui8=255,1 --expect=2xui8=1,0 --expect=2xui16=65535,1 --expect=2xui16=1,0 --expect=2xui32=4294967295,1 --expect=2xui32=1,0 --expect=2xui64=18446744073709551615,1 --expect=2xui64=1,0 2>&1 | FileCheck %s --check-prefix=WIDTHS
// WIDTHS-COUNT-24: warning: 'stablehlo.{{divide|remainder}}' op divides integers by zero (1 elements in this run)
// WIDTHS-NOT: warning
func.func @widths() -> (tensor<2xi2>, tensor<2xi2>, tensor<2xi4>, tensor<2xi4>, tensor<2xi8>, tensor<2xi8>, tensor<2xi16>, tensor<2xi16>, tensor<2xi32>, tensor<2xi32>, tensor<2xi64>, tensor<2xi64>, tensor<2xui2>, tensor<2xui2>, tensor<2xui4>, tensor<2xui4>, tensor<2xui8>, tensor<2xui8>, tensor<2xui16>, tensor<2xui16>, tensor<2xui32>, tensor<2xui32>, tensor<2xui64>, tensor<2xui64>) {
  %a0 = stablehlo.constant dense<1> : tensor<2xi2>
  %b0 = stablehlo.constant dense<[0, 1]> : tensor<2xi2>
  %q0 = stablehlo.divide %a0, %b0 : tensor<2xi2>
  %r0 = stablehlo.remainder %a0, %b0 : tensor<2xi2>
  %a1 = stablehlo.constant dense<1> : tensor<2xi4>
  %b1 = stablehlo.constant dense<[0, 1]> : tensor<2xi4>
  %q1 = stablehlo.divide %a1, %b1 : tensor<2xi4>
  %r1 = stablehlo.remainder %a1, %b1 : tensor<2xi4>
  %a2 = stablehlo.constant dense<1> : tensor<2xi8>
  %b2 = stablehlo.constant dense<[0, 1]> : tensor<2xi8>
  %q2 = stablehlo.divide %a2, %b2 : tensor<2xi8>
  %r2 = stablehlo.remainder %a2, %b2 : tensor<2xi8>
  %a3 = stablehlo.constant dense<1> : tensor<2xi16>
  %b3 = stablehlo.constant dense<[0, 1]> : tensor<2xi16>
  %q3 = stablehlo.divide %a3, %b3 : tensor<2xi16>
  %r3 = stablehlo.remainder %a3, %b3 : tensor<2xi16>
  %a4 = stablehlo.constant dense<1> : tensor<2xi32>
  %b4 = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %q4 = stablehlo.divide %a4, %b4 : tensor<2xi32>
  %r4 = stablehlo.remainder %a4, %b4 : tensor<2xi32>
  %a5 = stablehlo.constant dense<1> : tensor<2xi64>
  %b5 = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %q5 = stablehlo.divide %a5, %b5 : tensor<2xi64>
  %r5 = stablehlo.remainder %a5, %b5 : tensor<2xi64>
  %a6 = stablehlo.constant dense<1> : tensor<2xui2>
  %b6 = stablehlo.constant dense<[0, 1]> : tensor<2xui2>
  %q6 = stablehlo.divide %a6, %b6 : tensor<2xui2>
  %r6 = stablehlo.remainder %a6, %b6 : tensor<2xui2>
  %a7 = stablehlo.constant dense<1> : tensor<2xui4>
  %b7 = stablehlo.constant dense<[0, 1]> : tensor<2xui4>
  %q7 = stablehlo.divide %a7, %b7 : tensor<2xui4>
  %r7 = stablehlo.remainder %a7, %b7 : tensor<2xui4>
  %a8 = stablehlo.constant dense<1> : tensor<2xui8>
  %b8 = stablehlo.constant dense<[0, 1]> : tensor<2xui8>
  %q8 = stablehlo.divide %a8, %b8 : tensor<2xui8>
  %r8 = stablehlo.remainder %a8, %b8 : tensor<2xui8>
  %a9 = stablehlo.constant dense<1> : tensor<2xui16>
  %b9 = stablehlo.constant dense<[0, 1]> : tensor<2xui16>
  %q9 = stablehlo.divide %a9, %b9 : tensor<2xui16>
  %r9 = stablehlo.remainder %a9, %b9 : tensor<2xui16>
  %a10 = stablehlo.constant dense<1> : tensor<2xui32>
  %b10 = stablehlo.constant dense<[0, 1]> : tensor<2xui32>
  %q10 = stablehlo.divide %a10, %b10 : tensor<2xui32>
  %r10 = stablehlo.remainder %a10, %b10 : tensor<2xui32>
  %a11 = stablehlo.constant dense<1> : tensor<2xui64>
  %b11 = stablehlo.constant dense<[0, 1]> : tensor<2xui64>
  %q11 = stablehlo.divide %a11, %b11 : tensor<2xui64>
  %r11 = stablehlo.remainder %a11, %b11 : tensor<2xui64>
  return %q0, %r0, %q1, %r1, %q2, %r2, %q3, %r3, %q4, %r4, %q5, %r5, %q6, %r6, %q7, %r7, %q8, %r8, %q9, %r9, %q10, %r10, %q11, %r11 : tensor<2xi2>, tensor<2xi2>, tensor<2xi4>, tensor<2xi4>, tensor<2xi8>, tensor<2xi8>, tensor<2xi16>, tensor<2xi16>, tensor<2xi32>, tensor<2xi32>, tensor<2xi64>, tensor<2xi64>, tensor<2xui2>, tensor<2xui2>, tensor<2xui4>, tensor<2xui4>, tensor<2xui8>, tensor<2xui8>, tensor<2xui16>, tensor<2xui16>, tensor<2xui32>, tensor<2xui32>, tensor<2xui64>, tensor<2xui64>
}

// The same in all ops that divide: where both operands broadcast, in a body that runs on many elements at once, in a loop, on the
// processes of a grid. Floats have a quotient; nothing divided by zero is no division.
// RUN: not tessera run %s --function=rest --input=i32=7 --input=i32=0 --division-by-zero=error 2>&1 | FileCheck %s --check-prefix=REST
// RUN: tessera run %s --function=rest --input=i32=7 --input=i32=0 --expect=i32=7
// REST: error: 'stablehlo.remainder' op divides integers by zero (1 of 1 divisors)
func.func @rest(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.remainder %a, %b : tensor<i32>
  return %0 : tensor<i32>
}

// RUN: not tessera run %s --function=broadcast --input=2xui8=7,8 --input=ui8=0 --division-by-zero=error 2>&1 | FileCheck %s --check-prefix=BROADCAST
// RUN: tessera run %s --function=broadcast --input=2xui8=7,8 --input=ui8=0 --expect=2xui8=255 2>&1 | FileCheck %s --check-prefix=BROADCASTWARN
// RUN: tessera run %s --function=broadcast --input=0xui8= --input=ui8=0 --division-by-zero=error
// BROADCAST: error: 'chlo.broadcast_divide' op divides integers by zero (1 of 1 divisors)
// BROADCASTWARN-COUNT-1: warning: 'chlo.broadcast_divide' op divides
// BROADCASTWARN-NOT: warning
func.func @broadcast(%a: tensor<?xui8>, %b: tensor<ui8>) -> tensor<?xui8> {
  %0 = chlo.broadcast_divide %a, %b : (tensor<?xui8>, tensor<ui8>) -> tensor<?xui8>
  return %0 : tensor<?xui8>
}

// RUN: not tessera run %s --function=body --input=4xi64=1,2,0,4 --division-by-zero=error 2>&1 | FileCheck %s --check-prefix=BODY
// RUN: tessera run %s --function=body --input=4xi64=1,2,0,4 2>&1 | FileCheck %s --check-prefix=BODYWARN
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

// RUN: tessera run %s --function=loop --input=2xi32=5,0 --expect=2xi32=2,-1 2>&1 | FileCheck %s --check-prefix=LOOP
// LOOP: [[@LINE+11]]:12: warning: 'stablehlo.divide' op divides integers by zero (3 elements in this run)
// LOOP-NOT: warning
func.func @loop(%a: tensor<2xi32>) -> tensor<2xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %v = %a) : tensor<i32>, tensor<2xi32>
    cond {
      %three = stablehlo.constant dense<3> : tensor<i32>
      %less = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    } do {
      %ten = stablehlo.constant dense<10> : tensor<2xi32>
      %q = stablehlo.divide %ten, %a : tensor<2xi32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %q : tensor<i32>, tensor<2xi32>
    }
  return %0#1 : tensor<2xi32>
}

// RUN: not tessera run %s --function=grid --input=2xi16=4,0 --division-by-zero=error 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: tessera run %s --function=grid --input=2xi16=4,0 2>&1 | FileCheck %s --check-prefix=GRIDWARN
// GRID: error: process (0, 0): 'stablehlo.divide' op divides integers by zero (1 of 2 divisors)
// GRIDWARN: warning: 'stablehlo.divide' op divides integers by zero (2 elements in this run)
// GRIDWARN-NOT: warning
func.func @grid(%a: tensor<2xi16>) -> (tensor<2xi16>, tensor<2xi16>) {
  %0:2 = "interpreter.run_parallel"(%a, %a) {programs = [[@half], [@half]]}
    : (tensor<2xi16>, tensor<2xi16>) -> (tensor<2xi16>, tensor<2xi16>)
  return %0#0, %0#1 : tensor<2xi16>, tensor<2xi16>
}
func.func @half(%a: tensor<2xi16>) -> tensor<2xi16> {
  %0 = stablehlo.divide %a, %a : tensor<2xi16>
  return %0 : tensor<2xi16>
}

// RUN: tessera run %s --function=float --input=f32=1 --input=f32=0 --expect=f32=inf --division-by-zero=error
func.func @float(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.divide %a, %b : tensor<f32>
  return %0 : tensor<f32>
}

// RUN: tessera run %s --function=quantized --input=f32=1 --input=f32=0 --expect=f32=127 --division-by-zero=error
func.func @quantized(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.uniform_quantize %a : (tensor<f32>) -> tensor<!quant.uniform<i8:f32, 1.0>>
  %1 = stablehlo.uniform_quantize %b : (tensor<f32>) -> tensor<!quant.uniform<i8:f32, 1.0>>
  %2 = stablehlo.divide %0, %1 : tensor<!quant.uniform<i8:f32, 1.0>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<!quant.uniform<i8:f32, 1.0>>) -> tensor<f32>
  return %3 : tensor<f32>
}

// TTIR and Graph IR. The mean of no integers is a division, too.
// RUN: tessera run %s --function=others --input=2xi32=6,7 --input=2xi32=0,2 --expect=2xi32=-1,3 --expect=2xi32=6,1 --expect=2xi32=-1,3 --expect=i32=-1 2>&1 | FileCheck %s --check-prefix=OTHERS
// RUN: not tessera run %s --function=others --input=2xi32=6,7 --input=2xi32=0,2 --division-by-zero=error 2>&1 | FileCheck %s --check-prefix=OTHERSERROR
// OTHERS: warning: 'ttir.div' op divides integers by zero (1 elements in this run)
// OTHERS: warning: 'ttir.remainder' op divides integers by zero (1 elements in this run)
// OTHERS: warning: 'tessera.div' op divides integers by zero (1 elements in this run)
// OTHERS: warning: 'tessera.reduce' op divides integers by zero (1 elements in this run)
// OTHERS-NOT: warning
// OTHERSERROR: error: 'ttir.div' op divides integers by zero (1 of 2 divisors)
func.func @others(%a: tensor<2xi32>, %b: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<i32>) {
  %0 = "ttir.div"(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %1 = "ttir.remainder"(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %2 = tessera.div %a, %b : tensor<2xi32>, tensor<2xi32> -> tensor<2xi32>
  %none = stablehlo.constant dense<> : tensor<0xi32>
  %3 = tessera.reduce "mean" %none, dims = [0] : tensor<0xi32> -> tensor<i32>
  return %0, %1, %2, %3 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<i32>
}

// As JAX writes gcd: it divides in a loop, and drops what is divided by zero.
// RUN: tessera run %s --function=gcd --input=4xi32=12,7,0,5 --input=4xi32=18,0,0,5 --expect=4xi32=6,7,0,5 2>&1 | FileCheck %s --check-prefix=GCD
// GCD-COUNT-1: warning: 'stablehlo.remainder' op divides
// GCD-NOT: warning
func.func @gcd(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0:2 = stablehlo.while(%x = %a, %y = %b) : tensor<4xi32>, tensor<4xi32>
    cond {
      %zero = stablehlo.constant dense<0> : tensor<4xi32>
      %some = stablehlo.compare NE, %y, %zero, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      %no = stablehlo.constant dense<false> : tensor<i1>
      %any = stablehlo.reduce(%some init: %no) applies stablehlo.or across dimensions = [0] : (tensor<4xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %any : tensor<i1>
    } do {
      %zero = stablehlo.constant dense<0> : tensor<4xi32>
      %some = stablehlo.compare NE, %y, %zero, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      %rest = stablehlo.remainder %x, %y : tensor<4xi32>
      %p = stablehlo.select %some, %y, %x : tensor<4xi1>, tensor<4xi32>
      %q = stablehlo.select %some, %rest, %zero : tensor<4xi1>, tensor<4xi32>
      stablehlo.return %p, %q : tensor<4xi32>, tensor<4xi32>
    }
  return %0#0 : tensor<4xi32>
}

// On a mesh: one warning, not one of each device; padding is no divisor.
// RUN: tessera run %S/Inputs/division_mesh.mlir --spmd --check --print --input=5xi32=1,2,3,4,5 --input=5xi32=1,0,3,0,5 2>&1 | FileCheck %s --check-prefix=MESH
// RUN: tessera run %S/Inputs/division_mesh.mlir --spmd --check --print --input=5xi32=1,2,3,4,5 --input=5xi32=1,2,3,4,5 --division-by-zero=error
// RUN: not tessera run %S/Inputs/division_mesh.mlir --spmd --print --input=5xi32=1,2,3,4,5 --input=5xi32=1,0,3,0,5 --division-by-zero=error 2>&1 | FileCheck %s --check-prefix=MESHERROR
// MESH: division_mesh.mlir:4:8: warning: 'stablehlo.divide' op divides integers by zero (2 elements in this run)
// MESH: division_mesh.mlir:5:8: warning: 'stablehlo.remainder' op divides integers by zero (2 elements in this run)
// MESH-NOT: warning
// MESH: [0, -1, 1, -1, 1]
// MESHERROR: error: {{.*}}'stablehlo.divide' op divides integers by zero

// As stablehlo-translate it does what the original does: it goes on.
// RUN: stablehlo-translate --interpret %S/Inputs/division.mlir 2>&1 | FileCheck %s --check-prefix=PEER
// PEER-NOT: divides
// PEER: tensor<2xi32> {
// PEER-NEXT: [-1, 2]
