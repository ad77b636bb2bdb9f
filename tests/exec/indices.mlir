// Negative indices that count from the end, and tests whether indices are inside, with three ops each, are one kernel each.
// RUN: tessera run %s --function=ends --input=random --dump-program --check --rtol=0 --atol=0 2>&1 | FileCheck %s --check-prefix=ENDS
// ENDS: map select n=3000
// ENDS: map select n=3000
// RUN: tessera run %s --function=inside --input=random --dump-program --check --rtol=0 --atol=0 2>&1 | FileCheck %s --check-prefix=INSIDE
// INSIDE: map and n=3000
// RUN: tessera run %s --function=values --input=8xi32=-2147483648,-2147483647,-5,-1,0,1,4,2147483647 --input=8xi32=5,5,5,5,-7,-7,2147483647,1 --expect=8xi32=-2147483643,-2147483642,0,4,0,1,4,2147483647 --expect=8xi1=0,0,0,0,1,1,1,0 --expect=8xi1=0,0,0,0,1,1,1,1
// RUN: tessera run %s --function=values --engine=reference --input=8xi32=-2147483648,-2147483647,-5,-1,0,1,4,2147483647 --input=8xi32=5,5,5,5,-7,-7,2147483647,1 --expect=8xi32=-2147483643,-2147483642,0,4,0,1,4,2147483647 --expect=8xi1=0,0,0,0,1,1,1,0 --expect=8xi1=0,0,0,0,1,1,1,1
// What is alike, but not the same, is computed as it is written: another bound, another number, a sum of others, types without this kernel.
// RUN: tessera run %s --function=others --input=random --check --rtol=0 --atol=0
// RUN: env TESSERA_ISA=baseline tessera run %s --function=others --input=random --check --rtol=0 --atol=0
// RUN: tessera run %s --function=others --input=8xi32=-2147483648,-2147483647,-5,-1,0,1,4,2147483647 --input=8xi8=-128,-5,-1,0,1,4,5,127 --input=8xui32=0,1,4,5,6,2147483647,2147483648,4294967295 --expect=8xi32=-2147483643,-2147483642,0,4,5,1,4,2147483647 --expect=8xi32=-2147483648,-2147483647,-5,-1,5,6,9,-2147483644 --expect=8xi8=-123,0,4,0,1,4,5,127 --expect=8xi1=0,0,0,0,0,0,0,0 --expect=8xi1=0,0,0,0,0,1,1,0 --expect=8xi1=1,1,1,1,1,1,1,1 --expect=8xi1=0,0,0,1,1,1,0,0 --expect=8xi1=1,1,1,0,0,0,0,0
// RUN: tessera run %s --function=others --engine=reference --input=8xi32=-2147483648,-2147483647,-5,-1,0,1,4,2147483647 --input=8xi8=-128,-5,-1,0,1,4,5,127 --input=8xui32=0,1,4,5,6,2147483647,2147483648,4294967295 --expect=8xi32=-2147483643,-2147483642,0,4,5,1,4,2147483647 --expect=8xi32=-2147483648,-2147483647,-5,-1,5,6,9,-2147483644 --expect=8xi8=-123,0,4,0,1,4,5,127 --expect=8xi1=0,0,0,0,0,0,0,0 --expect=8xi1=0,0,0,0,0,1,1,0 --expect=8xi1=1,1,1,1,1,1,1,1 --expect=8xi1=0,0,0,1,1,1,0,0 --expect=8xi1=1,1,1,0,0,0,0,0
// Inside a loop, with ops of the block around it.
// RUN: tessera run %s --function=loop --input=4xi32=-3,-1,0,2 --expect=4xi32=2,4,0,2 --expect=4xi1=0,0,1,1
// RUN: tessera run %s --function=loop --engine=reference --input=4xi32=-3,-1,0,2 --expect=4xi32=2,4,0,2 --expect=4xi1=0,0,1,1
func.func @ends(%x: tensor<3000xi32>, %y: tensor<3000xi64>, %z: tensor<3000xi64>) -> (tensor<3000xi32>, tensor<3000xi64>) {
  %0 = stablehlo.constant dense<0> : tensor<3000xi32>
  %n = stablehlo.constant dense<100> : tensor<3000xi32>
  %w = stablehlo.constant dense<0> : tensor<3000xi64>
  %1 = stablehlo.compare LT, %x, %0 : (tensor<3000xi32>, tensor<3000xi32>) -> tensor<3000xi1>
  %2 = stablehlo.add %x, %n : tensor<3000xi32>
  %3 = stablehlo.select %1, %2, %x : tensor<3000xi1>, tensor<3000xi32>
  %4 = stablehlo.compare LT, %y, %w : (tensor<3000xi64>, tensor<3000xi64>) -> tensor<3000xi1>
  %5 = stablehlo.add %z, %y : tensor<3000xi64>
  %6 = stablehlo.select %4, %5, %y : tensor<3000xi1>, tensor<3000xi64>
  return %3, %6 : tensor<3000xi32>, tensor<3000xi64>
}
func.func @inside(%x: tensor<3000xi32>, %y: tensor<3000xi64>) -> (tensor<3000xi1>, tensor<3000xi1>) {
  %0 = stablehlo.constant dense<0> : tensor<3000xi32>
  %n = stablehlo.constant dense<100> : tensor<3000xi32>
  %w = stablehlo.constant dense<0> : tensor<3000xi64>
  %m = stablehlo.constant dense<4294967296> : tensor<3000xi64>
  %1 = stablehlo.compare GE, %x, %0 : (tensor<3000xi32>, tensor<3000xi32>) -> tensor<3000xi1>
  %2 = stablehlo.compare LE, %x, %n : (tensor<3000xi32>, tensor<3000xi32>) -> tensor<3000xi1>
  %3 = stablehlo.and %1, %2 : tensor<3000xi1>
  %4 = stablehlo.compare GE, %y, %w : (tensor<3000xi64>, tensor<3000xi64>) -> tensor<3000xi1>
  %5 = stablehlo.compare LE, %y, %m : (tensor<3000xi64>, tensor<3000xi64>) -> tensor<3000xi1>
  %6 = stablehlo.and %5, %4 : tensor<3000xi1>
  return %3, %6 : tensor<3000xi1>, tensor<3000xi1>
}
func.func @values(%x: tensor<8xi32>, %y: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi1>, tensor<8xi1>) {
  %0 = stablehlo.constant dense<0> : tensor<8xi32>
  %n = stablehlo.constant dense<4> : tensor<8xi32>
  %m = stablehlo.constant dense<2147483647> : tensor<8xi32>
  %1 = stablehlo.compare LT, %x, %0 : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %2 = stablehlo.add %x, %y : tensor<8xi32>
  %3 = stablehlo.select %1, %2, %x : tensor<8xi1>, tensor<8xi32>
  %4 = stablehlo.compare GE, %x, %0 : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %5 = stablehlo.compare LE, %x, %n : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %6 = stablehlo.and %4, %5 : tensor<8xi1>
  %7 = stablehlo.compare LE, %x, %m : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %8 = stablehlo.and %4, %7 : tensor<8xi1>
  return %3, %6, %8 : tensor<8xi32>, tensor<8xi1>, tensor<8xi1>
}
func.func @others(%x: tensor<8xi32>, %y: tensor<8xi8>, %z: tensor<8xui32>) -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi8>, tensor<8xi1>, tensor<8xi1>, tensor<8xi1>, tensor<8xi1>, tensor<8xi1>) {
  %0 = stablehlo.constant dense<0> : tensor<8xi32>
  %one = stablehlo.constant dense<1> : tensor<8xi32>
  %n = stablehlo.constant dense<5> : tensor<8xi32>
  %four = stablehlo.constant dense<4> : tensor<8xi32>
  %low = stablehlo.constant dense<-1> : tensor<8xi32>
  %b = stablehlo.constant dense<0> : tensor<8xi8>
  %c = stablehlo.constant dense<5> : tensor<8xi8>
  %u = stablehlo.constant dense<0> : tensor<8xui32>
  %v = stablehlo.constant dense<4> : tensor<8xui32>
  %1 = stablehlo.compare LT, %x, %one : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %2 = stablehlo.add %x, %n : tensor<8xi32>
  %3 = stablehlo.select %1, %2, %x : tensor<8xi1>, tensor<8xi32>
  %4 = stablehlo.compare LT, %x, %0 : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %5 = stablehlo.select %4, %x, %2 : tensor<8xi1>, tensor<8xi32>
  %6 = stablehlo.compare LT, %y, %b : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi1>
  %7 = stablehlo.add %y, %c : tensor<8xi8>
  %8 = stablehlo.select %6, %7, %y : tensor<8xi1>, tensor<8xi8>
  %9 = stablehlo.compare GE, %x, %0 : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %10 = stablehlo.compare LE, %x, %low : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %11 = stablehlo.and %9, %10 : tensor<8xi1>
  %12 = stablehlo.compare GE, %x, %one : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %13 = stablehlo.compare LE, %x, %four : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %14 = stablehlo.and %12, %13 : tensor<8xi1>
  %15 = stablehlo.or %9, %13 : tensor<8xi1>
  %16 = stablehlo.compare GE, %y, %b : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi1>
  %17 = stablehlo.compare LE, %y, %c : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi1>
  %18 = stablehlo.constant dense<4> : tensor<8xi8>
  %19 = stablehlo.compare LE, %y, %18 : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi1>
  %20 = stablehlo.and %16, %19 : tensor<8xi1>
  %21 = stablehlo.compare GE, %z, %u : (tensor<8xui32>, tensor<8xui32>) -> tensor<8xi1>
  %22 = stablehlo.compare LE, %z, %v : (tensor<8xui32>, tensor<8xui32>) -> tensor<8xi1>
  %23 = stablehlo.and %21, %22 : tensor<8xi1>
  return %3, %5, %8, %11, %14, %15, %20, %23 : tensor<8xi32>, tensor<8xi32>, tensor<8xi8>, tensor<8xi1>, tensor<8xi1>, tensor<8xi1>, tensor<8xi1>, tensor<8xi1>
}
func.func @loop(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi1>) {
  %0 = stablehlo.constant dense<0> : tensor<4xi32>
  %n = stablehlo.constant dense<5> : tensor<4xi32>
  %m = stablehlo.constant dense<4> : tensor<4xi32>
  %1 = stablehlo.compare LT, %x, %0 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %2 = stablehlo.add %x, %n : tensor<4xi32>
  %3 = stablehlo.compare GE, %x, %0 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %4 = stablehlo.compare LE, %x, %m : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %k = stablehlo.constant dense<3> : tensor<i32>
  %j = stablehlo.constant dense<1> : tensor<i32>
  %f = stablehlo.constant dense<false> : tensor<4xi1>
  %5:3 = stablehlo.while(%a = %i, %b = %0, %c = %f) : tensor<i32>, tensor<4xi32>, tensor<4xi1>
  cond {
    %6 = stablehlo.compare LT, %a, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %6 : tensor<i1>
  } do {
    %7 = stablehlo.add %a, %j : tensor<i32>
    %8 = stablehlo.select %1, %2, %x : tensor<4xi1>, tensor<4xi32>
    %9 = stablehlo.and %3, %4 : tensor<4xi1>
    stablehlo.return %7, %8, %9 : tensor<i32>, tensor<4xi32>, tensor<4xi1>
  }
  return %5#1, %5#2 : tensor<4xi32>, tensor<4xi1>
}
