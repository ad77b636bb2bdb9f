// rng draws on: each turn of a loop and each process of a grid has other numbers, and the same seed gives the same ones again.
// RUN: tessera run %s --function=loop | FileCheck %s --check-prefix=LOOP
// LOOP: tensor<i1> {true}
// RUN: tessera run %s --function=draw --output=%t.dir
// RUN: tessera run %s --function=draw --expect=%t.dir/out0.npy
// RUN: tessera run %s --function=draw --seed=7 --output=%t.seven
// RUN: tessera run %s --function=draw --seed=7 --expect=%t.seven/out0.npy
// RUN: not tessera run %s --function=draw --expect=%t.seven/out0.npy
// RUN: tessera run %s --function=grid | FileCheck %s --check-prefix=GRID
// GRID: tensor<4xi1> {
// GRID-NEXT: [true, true, true, true]

func.func @draw() -> tensor<8xui64> {
  %low = stablehlo.constant dense<0> : tensor<ui64>
  %high = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %shape = stablehlo.constant dense<[8]> : tensor<1xi64>
  %r = stablehlo.rng %low, %high, %shape, distribution = UNIFORM : (tensor<ui64>, tensor<ui64>, tensor<1xi64>) -> tensor<8xui64>
  return %r : tensor<8xui64>
}

// Whether no element is what it was one turn before.
func.func @loop() -> tensor<i1> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %turns = stablehlo.constant dense<5> : tensor<i32>
  %first = stablehlo.constant dense<0> : tensor<8xui64>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %0:3 = stablehlo.while(%i = %zero, %last = %first, %so_far = %true) : tensor<i32>, tensor<8xui64>, tensor<i1>
  cond {
    %more = stablehlo.compare LT, %i, %turns : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %r = func.call @draw() : () -> tensor<8xui64>
    %differ = stablehlo.compare NE, %r, %last : (tensor<8xui64>, tensor<8xui64>) -> tensor<8xi1>
    %all = stablehlo.reduce(%differ init: %so_far) applies stablehlo.and across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %next, %r, %all : tensor<i32>, tensor<8xui64>, tensor<i1>
  }
  return %0#2 : tensor<i1>
}

// Two processes, then two again, and the run that starts them: all differ.
func.func @grid() -> tensor<4xi1> {
  %own = func.call @draw() : () -> tensor<8xui64>
  %a:2 = "interpreter.run_parallel"() {programs = [[@draw, @draw]]} : () -> (tensor<8xui64>, tensor<8xui64>)
  %b:2 = "interpreter.run_parallel"() {programs = [[@draw], [@draw]]} : () -> (tensor<8xui64>, tensor<8xui64>)
  %later = func.call @draw() : () -> tensor<8xui64>
  %0 = func.call @differ(%a#0, %a#1) : (tensor<8xui64>, tensor<8xui64>) -> tensor<1xi1>
  %1 = func.call @differ(%a#0, %b#0) : (tensor<8xui64>, tensor<8xui64>) -> tensor<1xi1>
  %2 = func.call @differ(%own, %later) : (tensor<8xui64>, tensor<8xui64>) -> tensor<1xi1>
  %3 = func.call @differ(%b#1, %later) : (tensor<8xui64>, tensor<8xui64>) -> tensor<1xi1>
  %all = stablehlo.concatenate %0, %1, %2, %3, dim = 0 : (tensor<1xi1>, tensor<1xi1>, tensor<1xi1>, tensor<1xi1>) -> tensor<4xi1>
  return %all : tensor<4xi1>
}
func.func @differ(%a: tensor<8xui64>, %b: tensor<8xui64>) -> tensor<1xi1> {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %ne = stablehlo.compare NE, %a, %b : (tensor<8xui64>, tensor<8xui64>) -> tensor<8xi1>
  %all = stablehlo.reduce(%ne init: %true) applies stablehlo.and across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
  %r = stablehlo.reshape %all : (tensor<i1>) -> tensor<1xi1>
  return %r : tensor<1xi1>
}
