// Quotients and remainders that JAX rounds down, with eight ops each, are one kernel each; ops on numbers that are known are computed
// at once. Divisors: a constant, and values, zero and minus one among them.
// RUN: tessera run %s --function=constant --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=CONSTANT
// CONSTANT: program of @constant: 4 steps, {{.*}} 0 by the evaluator's kernels
// CONSTANT: map select n=3000
// CONSTANT: map select n=3000
// RUN: tessera run %s --function=constant --input=random --engine=reference --expect=%t.npz
// RUN: tessera run %s --function=constant --input=3000xi32=-2147483648 --expect=3000xi32=306783378 --expect=3000xi32=-2
// RUN: tessera run %s --function=constant --input=3000xi32=15 --expect=3000xi32=-3 --expect=3000xi32=-6
// RUN: tessera run %s --function=values --input=8xi16=7,-7,-32768,-32768,5,-5,0,6 --input=8xi16=-2,2,-1,3,0,0,0,-3 --division-by-zero=ignore --dump-program --expect=8xi16=-4,-4,-32768,-10923,-2,-2,-1,-2 --expect=8xi16=-1,1,0,1,5,-5,0,0 2>&1 | FileCheck %s --check-prefix=VALUES
// VALUES: map select n=8
// VALUES: map select n=8
// RUN: tessera run %s --function=values --input=8xi16=7,-7,-32768,-32768,5,-5,0,6 --input=8xi16=-2,2,-1,3,0,0,0,-3 --division-by-zero=ignore --engine=reference --expect=8xi16=-4,-4,-32768,-10923,-2,-2,-1,-2 --expect=8xi16=-1,1,0,1,5,-5,0,0
// A correction for another divisor is none.
// RUN: tessera run %s --function=others --input=random --dump-program --output=%t.npz 2>&1 | FileCheck %s --check-prefix=OTHERS
// OTHERS: map divide+sign+compare+remainder
// RUN: tessera run %s --function=others --input=random --engine=reference --expect=%t.npz
// Rotations of bits by known numbers and by others are one kernel.
// RUN: tessera run %s --function=rotate --input=5xui32=1,2147483648,3,4294967295,305419896 --input=ui32=4 --expect=5xui32=16,8,48,4294967295,591751041 --expect=5xui32=128,64,384,4294967295,439041033
func.func @constant(%x: tensor<3000xi32>) -> (tensor<3000xi32>, tensor<3000xi32>) {
  %by = stablehlo.constant dense<-7> : tensor<i32>
  %y = stablehlo.broadcast_in_dim %by, dims = [] : (tensor<i32>) -> tensor<3000xi32>
  %zero = stablehlo.constant dense<0> : tensor<3000xi32>
  %one = stablehlo.constant dense<1> : tensor<3000xi32>
  %q = stablehlo.divide %x, %y : tensor<3000xi32>
  %0 = stablehlo.sign %x : tensor<3000xi32>
  %1 = stablehlo.sign %by : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i32>) -> tensor<3000xi32>
  %3 = stablehlo.compare NE, %0, %2 : (tensor<3000xi32>, tensor<3000xi32>) -> tensor<3000xi1>
  %r = stablehlo.remainder %x, %y : tensor<3000xi32>
  %4 = stablehlo.compare NE, %r, %zero : (tensor<3000xi32>, tensor<3000xi32>) -> tensor<3000xi1>
  %5 = stablehlo.and %3, %4 : tensor<3000xi1>
  %6 = stablehlo.subtract %q, %one : tensor<3000xi32>
  %floor = stablehlo.select %5, %6, %q : tensor<3000xi1>, tensor<3000xi32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %7 = stablehlo.compare LT, %by, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<i1>) -> tensor<3000xi1>
  %9 = stablehlo.compare LT, %r, %zero : (tensor<3000xi32>, tensor<3000xi32>) -> tensor<3000xi1>
  %10 = stablehlo.compare NE, %9, %8 : (tensor<3000xi1>, tensor<3000xi1>) -> tensor<3000xi1>
  %11 = stablehlo.and %10, %4 : tensor<3000xi1>
  %12 = stablehlo.add %r, %y : tensor<3000xi32>
  %rest = stablehlo.select %11, %12, %r : tensor<3000xi1>, tensor<3000xi32>
  return %floor, %rest : tensor<3000xi32>, tensor<3000xi32>
}
func.func @values(%x: tensor<8xi16>, %y: tensor<8xi16>) -> (tensor<8xi16>, tensor<8xi16>) {
  %zero = stablehlo.constant dense<0> : tensor<8xi16>
  %one = stablehlo.constant dense<1> : tensor<8xi16>
  %q = stablehlo.divide %x, %y : tensor<8xi16>
  %0 = stablehlo.sign %x : tensor<8xi16>
  %1 = stablehlo.sign %y : tensor<8xi16>
  %3 = stablehlo.compare NE, %0, %1 : (tensor<8xi16>, tensor<8xi16>) -> tensor<8xi1>
  %r = stablehlo.remainder %x, %y : tensor<8xi16>
  %4 = stablehlo.compare NE, %r, %zero : (tensor<8xi16>, tensor<8xi16>) -> tensor<8xi1>
  %5 = stablehlo.and %3, %4 : tensor<8xi1>
  %6 = stablehlo.subtract %q, %one : tensor<8xi16>
  %floor = stablehlo.select %5, %6, %q : tensor<8xi1>, tensor<8xi16>
  %8 = stablehlo.compare LT, %y, %zero : (tensor<8xi16>, tensor<8xi16>) -> tensor<8xi1>
  %9 = stablehlo.compare LT, %r, %zero : (tensor<8xi16>, tensor<8xi16>) -> tensor<8xi1>
  %10 = stablehlo.compare NE, %9, %8 : (tensor<8xi1>, tensor<8xi1>) -> tensor<8xi1>
  %11 = stablehlo.and %4, %10 : tensor<8xi1>
  %12 = stablehlo.add %y, %r : tensor<8xi16>
  %rest = stablehlo.select %11, %12, %r : tensor<8xi1>, tensor<8xi16>
  return %floor, %rest : tensor<8xi16>, tensor<8xi16>
}
func.func @others(%x: tensor<300xi32>) -> tensor<300xi32> {
  %y = stablehlo.constant dense<7> : tensor<300xi32>
  %z = stablehlo.constant dense<5> : tensor<300xi32>
  %zero = stablehlo.constant dense<0> : tensor<300xi32>
  %one = stablehlo.constant dense<1> : tensor<300xi32>
  %q = stablehlo.divide %x, %y : tensor<300xi32>
  %0 = stablehlo.sign %x : tensor<300xi32>
  %3 = stablehlo.compare NE, %0, %one : (tensor<300xi32>, tensor<300xi32>) -> tensor<300xi1>
  %r = stablehlo.remainder %x, %z : tensor<300xi32>
  %4 = stablehlo.compare NE, %r, %zero : (tensor<300xi32>, tensor<300xi32>) -> tensor<300xi1>
  %5 = stablehlo.and %3, %4 : tensor<300xi1>
  %6 = stablehlo.subtract %q, %one : tensor<300xi32>
  %floor = stablehlo.select %5, %6, %q : tensor<300xi1>, tensor<300xi32>
  return %floor : tensor<300xi32>
}
func.func @rotate(%x: tensor<5xui32>, %by: tensor<ui32>) -> (tensor<5xui32>, tensor<5xui32>) {
  %bits = stablehlo.constant dense<32> : tensor<ui32>
  %left = stablehlo.broadcast_in_dim %by, dims = [] : (tensor<ui32>) -> tensor<5xui32>
  %0 = stablehlo.subtract %bits, %by : tensor<ui32>
  %right = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<ui32>) -> tensor<5xui32>
  %1 = stablehlo.shift_left %x, %left : tensor<5xui32>
  %2 = stablehlo.shift_right_logical %x, %right : tensor<5xui32>
  %3 = stablehlo.or %1, %2 : tensor<5xui32>
  %seven = stablehlo.constant dense<7> : tensor<5xui32>
  %most = stablehlo.constant dense<25> : tensor<5xui32>
  %4 = stablehlo.shift_right_logical %x, %most : tensor<5xui32>
  %5 = stablehlo.shift_left %x, %seven : tensor<5xui32>
  %6 = stablehlo.or %4, %5 : tensor<5xui32>
  return %3, %6 : tensor<5xui32>, tensor<5xui32>
}
