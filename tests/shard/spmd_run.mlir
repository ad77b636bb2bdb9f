// Programs on a mesh give what they give undivided: loops, branches, calls, computations on manual axes, meshes with other
// orders of devices, parts of axes, sizes that do not divide.
// RUN: tessera run %s --spmd --check --input=random --function=flow | FileCheck %s --check-prefix=FLOW
// FLOW-COUNT-5: PASS (exact)
// RUN: tessera run %s --spmd --check --input=random --function=uneven | FileCheck %s --check-prefix=UNEVEN
// UNEVEN-COUNT-7: PASS (exact)
// RUN: tessera run %s --spmd --check --input=random --function=manual | FileCheck %s --check-prefix=MANUAL
// MANUAL-COUNT-2: PASS (exact)
// RUN: tessera run %s --spmd --check --input=random --function=single | FileCheck %s --check-prefix=SINGLE
// SINGLE: PASS (exact)
// A sum along halves of an axis is no sum along its thirds.
// RUN: tessera run %s --spmd --check --input=random --function=thirds | FileCheck %s --check-prefix=THIRDS
// THIRDS-COUNT-2: PASS (exact)
module {
  sdy.mesh @mesh = <["x"=3, "y"=2], device_ids=[5, 2, 0, 1, 4, 3]>
  sdy.mesh @line = <["a"=6]>
  sdy.mesh @one = <[], device_ids=[4]>

  func.func private @square(%a: tensor<7x4xi32>) -> (tensor<7x4xi32>, tensor<4xi32>) {
    %0 = stablehlo.multiply %a, %a : tensor<7x4xi32>
    %init = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = [0] : (tensor<7x4xi32>, tensor<i32>) -> tensor<4xi32>
    return %0, %1 : tensor<7x4xi32>, tensor<4xi32>
  }
  func.func @flow(%a: tensor<7x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %w: tensor<7x4xi32> {sdy.sharding = #sdy.sharding<@line, [{"a"}, {}]>}) -> (tensor<7x4xi32>, tensor<7x4xi32> {sdy.sharding = #sdy.sharding<@line, [{}, {"a"}]>}, tensor<7x4xi32>, tensor<4xi32>, tensor<7x4xi32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %l:2 = stablehlo.while(%i = %zero, %v = %a) : tensor<i32>, tensor<7x4xi32>
    cond {
      %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %n = stablehlo.add %i, %one : tensor<i32>
      %s = stablehlo.add %v, %w : tensor<7x4xi32>
      stablehlo.return %n, %s : tensor<i32>, tensor<7x4xi32>
    }
    %b = "stablehlo.case"(%one) ({
      stablehlo.return %a : tensor<7x4xi32>
    }, {
      %m = stablehlo.maximum %l#1, %w : tensor<7x4xi32>
      stablehlo.return %m : tensor<7x4xi32>
    }) : (tensor<i32>) -> tensor<7x4xi32>
    %q:2 = call @square(%b) : (tensor<7x4xi32>) -> (tensor<7x4xi32>, tensor<4xi32>)
    %k:2 = stablehlo.optimization_barrier %b, %a : tensor<7x4xi32>, tensor<7x4xi32>
    return %l#1, %b, %q#0, %q#1, %k#0 : tensor<7x4xi32>, tensor<7x4xi32>, tensor<7x4xi32>, tensor<4xi32>, tensor<7x4xi32>
  }

  func.func @uneven(%a: tensor<5x7xi32> {sdy.sharding = #sdy.sharding<@line, [{"a":(1)2}, {"a":(2)3}]>}, %b: tensor<7x5xi32> {sdy.sharding = #sdy.sharding<@line, [{"a"}, {}]>}) -> (tensor<5x5xi32>, tensor<5xi32>, tensor<35xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5x7xi32>, tensor<7x5xi32>) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<5x7xi32>, tensor<7x5xi32>) -> tensor<5x5xi32>
    %init = stablehlo.constant dense<7> : tensor<i32>
    %1 = stablehlo.reduce(%a init: %init) applies stablehlo.minimum across dimensions = [1] : (tensor<5x7xi32>, tensor<i32>) -> tensor<5xi32>
    %2 = stablehlo.reshape %a : (tensor<5x7xi32>) -> tensor<35xi32>
    %at = stablehlo.iota dim = 1 : tensor<5x7xi32>
    %low = stablehlo.constant dense<-2147483648> : tensor<i32>
    %none = stablehlo.constant dense<0> : tensor<i32>
    %3:2 = stablehlo.reduce(%a init: %low), (%at init: %none) across dimensions = [1] : (tensor<5x7xi32>, tensor<5x7xi32>, tensor<i32>, tensor<i32>) -> (tensor<5xi32>, tensor<5xi32>)
      reducer(%p: tensor<i32>, %q: tensor<i32>) (%r: tensor<i32>, %s: tensor<i32>)  {
      %gt = stablehlo.compare GT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %eq = stablehlo.compare EQ, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %lt = stablehlo.compare LT, %r, %s : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %tie = stablehlo.and %eq, %lt : tensor<i1>
      %left = stablehlo.or %gt, %tie : tensor<i1>
      %m = stablehlo.select %gt, %p, %q : tensor<i1>, tensor<i32>
      %i = stablehlo.select %left, %r, %s : tensor<i1>, tensor<i32>
      stablehlo.return %m, %i : tensor<i32>, tensor<i32>
    }
    %ones = stablehlo.constant dense<1> : tensor<5x7xi32>
    %abs = stablehlo.abs %a : tensor<5x7xi32>
    %divisor = stablehlo.or %abs, %ones : tensor<5x7xi32>
    %4 = stablehlo.divide %a, %divisor : tensor<5x7xi32>
    %5 = stablehlo.transpose %4, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@line, [{"a":(1)3}, {"a":(3)2}]>]>} : (tensor<5x7xi32>) -> tensor<7x5xi32>
    return %0, %1, %2, %3#0, %3#1, %4, %5 : tensor<5x5xi32>, tensor<5xi32>, tensor<35xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5x7xi32>, tensor<7x5xi32>
  }

  func.func @manual(%a: tensor<6x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<6x8xi32>, tensor<6x8xi32>) {
    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x"} (%b: tensor<2x8xi32>) {
      %1 = stablehlo.reverse %b, dims = [1] : tensor<2x8xi32>
      %2 = sdy.sharding_constraint %1 <@mesh, [{"y"}, {}]> : tensor<2x8xi32>
      %3 = "stablehlo.all_reduce"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[5, 0, 4], [2, 1, 3]]> : tensor<2x3xi64>, use_global_device_ids}> ({
      ^bb0(%x: tensor<i32>, %y: tensor<i32>):
        %s = stablehlo.add %x, %y : tensor<i32>
        stablehlo.return %s : tensor<i32>
      }) : (tensor<2x8xi32>) -> tensor<2x8xi32>
      %4 = stablehlo.add %2, %3 : tensor<2x8xi32>
      sdy.return %4 : tensor<2x8xi32>
    } : (tensor<6x8xi32>) -> tensor<6x8xi32>
    %5 = stablehlo.add %0, %a : tensor<6x8xi32>
    return %0, %5 : tensor<6x8xi32>, tensor<6x8xi32>
  }

  func.func @single(%a: tensor<6x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<6x8xi32> {
    %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>} : tensor<6x8xi32>
    %1 = stablehlo.multiply %0, %a : tensor<6x8xi32>
    return %1 : tensor<6x8xi32>
  }
  func.func @thirds(%a: tensor<4xi32> {sdy.sharding = #sdy.sharding<@line, [{"a":(1)2}]>}) -> (tensor<i32> {sdy.sharding = #sdy.sharding<@line, [], unreduced={"a":(1)3}>}, tensor<4xi32> {sdy.sharding = #sdy.sharding<@line, [{}], unreduced={"a":(1)3}>}) {
    %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<4xi32>, tensor<4xi32>) -> tensor<i32>
    %1 = stablehlo.negate %a : tensor<4xi32>
    return %0, %1 : tensor<i32>, tensor<4xi32>
  }
}
