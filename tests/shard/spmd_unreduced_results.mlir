// What is a sum over devices leaves as each device's part of it, where the program says so: nothing is summed before that.
// RUN: tessera run %s --spmd --check --input=random | FileCheck %s
// CHECK: 0 {{.*}}PASS
// CHECK: 1 {{.*}}PASS
// CHECK: 2 {{.*}}PASS
// CHECK: 3 {{.*}}PASS
// CHECK: 4 {{.*}}PASS
// RUN: tessera opt %s --tessera-partition | FileCheck %s --check-prefix=LOCAL
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  // LOCAL-LABEL: func.func @main
  // LOCAL-NOT: select
  // LOCAL: %[[SUM:.*]] = stablehlo.reduce
  // LOCAL: %[[PRODUCT:.*]] = call @product
  // LOCAL: %[[MAX:.*]] = stablehlo.reduce({{.*}} applies stablehlo.maximum
  // LOCAL: %[[PART:.*]] = "stablehlo.all_reduce"
  // LOCAL-SAME: {{\[\[}}0, 1], [2, 3]]
  // LOCAL-NOT: all_reduce
  // LOCAL-NOT: all_gather
  // LOCAL: %[[PLACED:.*]] = stablehlo.dynamic_update_slice
  // LOCAL: return %[[SUM]], %[[PART]], %[[PRODUCT]], %[[MAX]], %[[PLACED]]
  func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>})
      -> (tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, [], unreduced={"x"}>},
          tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>},
          tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>},
          tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, [], unreduced=max{"x"}>},
          tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %1 = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %2 = func.call @product(%b) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = stablehlo.reduce(%a init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %4 = stablehlo.negate %a : tensor<8xf32>
    return %0, %1, %2, %3, %4 : tensor<f32>, tensor<8xf32>, tensor<8x8xf32>, tensor<f32>, tensor<8xf32>
  }
  // LOCAL-LABEL: func.func {{.*}}@product
  // LOCAL: stablehlo.dot_general
  // LOCAL-NOT: select
  // LOCAL: return
  func.func private @product(%b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>}) {
    %0 = stablehlo.dot_general %b, %b, contracting_dims = [1] x [1] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {}], unreduced={"x"}> : tensor<8x8xf32>
    return %1 : tensor<8x8xf32>
  }
}
