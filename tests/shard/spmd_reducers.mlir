// A reduction that is still to be done has its operator with it wherever it goes: arguments, results, constraints,
// loops, calls, and manual computations, whose devices see parts of it along the axes that they bind and whole values
// along all others. Inputs are negative, so that a sum's zero would show.
// RUN: tessera run %s --function=given --spmd --check --input=8xf32=-1,-2,-3,-4,-5,-6,-7,-8 --input=8xi32=-1,-2,-3,-4,-5,-6,-7,-8 --input=8xi1=1,0,1,1,0,0,1,0 | FileCheck %s
// CHECK-COUNT-6: PASS (exact)
// RUN: tessera run %s --function=bound --spmd --check --input=8xf32=-1,-2,-3,-4,-5,-6,-7,-8 | FileCheck %s --check-prefix=BOUND
// BOUND-COUNT-4: PASS (exact)
// RUN: tessera run %s --function=free --engine=reference --spmd --check --input=8xf32=-1,-2,-3,-4,-5,-6,-7,-8 | FileCheck %s --check-prefix=FREE
// FREE-COUNT-4: PASS (exact)
// RUN: tessera run %s --function=flow --spmd --check --input=8xf32=-1,-2,-3,-4,-5,-6,-7,-8 | FileCheck %s --check-prefix=FLOW
// FLOW-COUNT-2: PASS (exact)
// RUN: tessera run %s --function=truth --spmd --check --input=4x8xi1=1,1,0,0,1,1,0,0,0,0,0,0,0,0,0,0,1,0,1,0,1,0,1,0,0,1,0,1,0,1,0,1 --input=8x2xi1=1,0,1,0,0,0,0,0,1,0,1,0,0,0,0,1 | FileCheck %s --check-prefix=TRUTH
// TRUTH-COUNT-3: PASS (exact)
// RUN: tessera opt %s --tessera-partition=only-propagate=true | FileCheck %s --check-prefix=KEPT
// KEPT-LABEL: @free
// KEPT: in_shardings=[<@mesh, [{"x"}], unreduced=max{"y"}>] out_shardings=[<@mesh, [{"x"}], unreduced=max{"y"}>]
// RUN: tessera opt %s --tessera-partition | FileCheck %s --check-prefix=LOCAL
// LOCAL-LABEL: @given(%arg0: tensor<4xf32> {tessera.global = tensor<8xf32>, tessera.sharding = #sdy.sharding<mesh<["x"=2, "y"=2]>, [{"x"}], unreduced=max{"y"}>}
// LOCAL-SAME: unreduced=min{"y"}
// LOCAL: stablehlo.maximum
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @given(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}], unreduced=max{"y"}>},
                   %b: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}], unreduced=min{"y"}>},
                   %c: tensor<8xi1> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x", "y"}>})
      -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}], unreduced=max{"x"}>}, tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=min{"x", "y"}>},
          tensor<8xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}], unreduced={"y"}>}, tensor<8xf32>, tensor<8xi32>, tensor<8xi1>) {
    %0 = sdy.sharding_constraint %a <@mesh, [{}], unreduced=max{"y"}> : tensor<8xf32>
    %1 = sdy.reshard %b <@mesh, [{}], unreduced=min{"y"}> : tensor<8xi32>
    %2 = stablehlo.not %c : tensor<8xi1>
    return %a, %b, %c, %0, %1, %2 : tensor<8xf32>, tensor<8xi32>, tensor<8xi1>, tensor<8xf32>, tensor<8xi32>, tensor<8xi1>
  }
  func.func @bound(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<16xf32>) {
    %0:4 = sdy.manual_computation(%a, %a, %a)
        in_shardings=[<@mesh, [{"x"}], unreduced=max{"y"}>, <@mesh, [{"x"}], unreduced=min{"y"}>, <@mesh, [{"x"}], unreduced={"y"}>]
        out_shardings=[<@mesh, [{"x"}], unreduced=max{"y"}>, <@mesh, [{"x"}], unreduced=min{"y"}>, <@mesh, [{"x"}], unreduced={"y"}>, <@mesh, [{"x", "y"}]>]
        manual_axes={"x", "y"} (%b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>) {
      %1 = stablehlo.add %b, %b : tensor<4xf32>
      sdy.return %b, %c, %d, %1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    } : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<16xf32>)
    return %0#0, %0#1, %0#2, %0#3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<16xf32>
  }
  func.func @free(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}], unreduced=max{"y"}>] out_shardings=[<@mesh, [{"x"}], unreduced=max{"y"}>] manual_axes={"x"} (%b: tensor<4xf32>) {
      sdy.return %b : tensor<4xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    %1 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}], unreduced=min{"y"}>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<4xf32>) {
      %4 = stablehlo.abs %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced=min{"y"}>]>} : tensor<4xf32>
      sdy.return %4 : tensor<4xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    %2 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}], unreduced={"y"}>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<4xf32>) {
      %4 = stablehlo.cosine %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"y"}>]>} : tensor<4xf32>
      sdy.return %4 : tensor<4xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    %3 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}], unreduced=max{"x", "y"}>] out_shardings=[<@mesh, [{}], unreduced=max{"x", "y"}>] manual_axes={"x"} (%b: tensor<8xf32>) {
      %4 = sdy.manual_computation(%b) in_shardings=[<@mesh, [{}], unreduced=max{"y"}>] out_shardings=[<@mesh, [{}], unreduced=max{"y"}>] manual_axes={"y"} (%c: tensor<8xf32>) {
        sdy.return %c : tensor<8xf32>
      } : (tensor<8xf32>) -> tensor<8xf32>
      sdy.return %4 : tensor<8xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    return %0, %1, %2, %3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
  func.func @flow(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"y"}>}) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = func.call @callee(%a) : (tensor<8xf32>) -> tensor<8xf32>
    %n = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.while(%i = %n, %v = %0) : tensor<i32>, tensor<8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{}], unreduced=max{"x"}>]>}
     cond {
      %c = stablehlo.constant dense<3> : tensor<i32>
      %p = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %w = stablehlo.maximum %v, %v {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced=max{"x"}>]>} : tensor<8xf32>
      stablehlo.return %j, %w : tensor<i32>, tensor<8xf32>
    }
    return %0, %1#1 : tensor<8xf32>, tensor<8xf32>
  }
  func.func private @callee(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}], unreduced=max{"y"}>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}], unreduced={"x"}>}) {
    %0 = stablehlo.add %a, %a : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  // Sums of truth values are "or": two true parts do not cancel.
  func.func @truth(%a: tensor<4x8xi1> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>}, %b: tensor<8x2xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> (tensor<4x2xi1>, tensor<4xi1>, tensor<4xi1>) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xi1>, tensor<8x2xi1>) -> tensor<4x2xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %1 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [1] : (tensor<4x8xi1>, tensor<i1>) -> tensor<4xi1>
    %2 = stablehlo.reduce(%a init: %c) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xi1>, tensor<i1>) -> tensor<4xi1>
    return %0, %1, %2 : tensor<4x2xi1>, tensor<4xi1>, tensor<4xi1>
  }
}
