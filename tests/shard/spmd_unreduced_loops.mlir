// A loop that carries an unreduced value, and only adds to it or stores into it, keeps the devices' parts: they are combined
// once, after the loop. Everywhere else parts are combined where they arise.
// RUN: tessera run %s --spmd --check --input=random | FileCheck %s
// CHECK: 0 {{.*}}PASS
// CHECK: 1 {{.*}}PASS
// CHECK: 2 {{.*}}PASS
// CHECK: 3 {{.*}}PASS
// CHECK: 4 {{.*}}PASS
// RUN: tessera opt %s --tessera-partition | FileCheck %s --check-prefix=LOCAL
module {
  sdy.mesh @mesh = <["x"=2]>
  // LOCAL-LABEL: func.func @main
  // LOCAL: stablehlo.while
  // LOCAL-NOT: all_reduce
  // LOCAL: stablehlo.return {{.*}} : tensor<i32>, tensor<5x4xf32>, tensor<5xf32>, tensor<5xf32>
  // LOCAL: "stablehlo.all_reduce"
  // LOCAL: stablehlo.while
  // LOCAL: stablehlo.while
  // LOCAL-NOT: all_reduce
  // LOCAL: stablehlo.return {{.*}} : tensor<i32>, tensor<3x5xf32>
  // LOCAL-NOT: all_reduce
  // LOCAL: stablehlo.return {{.*}} : tensor<i32>, tensor<3x5xf32>
  // LOCAL: "stablehlo.all_reduce"
  // LOCAL: stablehlo.while
  // LOCAL: "stablehlo.all_reduce"
  // LOCAL: stablehlo.return {{.*}} : tensor<i32>, tensor<5xf32>, tensor<5xf32>
  // LOCAL-NOT: all_reduce
  // LOCAL: return
  func.func @main(%xs: tensor<3x4x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %init: tensor<5x4xf32>, %line: tensor<5xf32>)
      -> (tensor<5x4xf32>, tensor<5xf32>, tensor<5xf32>, tensor<3x5xf32>, tensor<5xf32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.constant dense<3> : tensor<i32>
    %start = sdy.sharding_constraint %init <@mesh, [{}, {}], unreduced={"x"}> : tensor<5x4xf32>
    %partial = sdy.sharding_constraint %line <@mesh, [{}], unreduced={"x"}> : tensor<5xf32>
    %high = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} %line : tensor<5xf32>
    // A product by way of a transpose, a sum by way of a call, and a maximum.
    %0:4 = stablehlo.while(%i = %zero, %acc = %start, %sum = %partial, %max = %high) : tensor<i32>, tensor<5x4xf32>, tensor<5xf32>, tensor<5xf32>
        attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{}, {}], unreduced={"x"}>, <@mesh, [{}], unreduced={"x"}>, <@mesh, [{}], unreduced=max{"x"}>]>}
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %r = func.call @row(%xs, %i) : (tensor<3x4x5xf32>, tensor<i32>) -> tensor<4x5xf32>
      %w = stablehlo.slice %r [0:4, 0:4] : (tensor<4x5xf32>) -> tensor<4x4xf32>
      %d = stablehlo.dot_general %w, %r, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
      %du = sdy.sharding_constraint %d <@mesh, [{}, {}], unreduced={"x"}> : tensor<4x5xf32>
      %t = stablehlo.transpose %du, dims = [1, 0] : (tensor<4x5xf32>) -> tensor<5x4xf32>
      %a = stablehlo.add %acc, %t : tensor<5x4xf32>
      %au = sdy.sharding_constraint %a <@mesh, [{}, {}], unreduced={"x"}> : tensor<5x4xf32>
      %s = func.call @more(%sum, %r) : (tensor<5xf32>, tensor<4x5xf32>) -> tensor<5xf32>
      %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %m = stablehlo.reduce(%r init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<4x5xf32>, tensor<f32>) -> tensor<5xf32>
      %top = stablehlo.maximum %m, %max : tensor<5xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %au, %s, %top : tensor<i32>, tensor<5x4xf32>, tensor<5xf32>, tensor<5xf32>
    }
    %whole = sdy.sharding_constraint %0#1 <@mesh, [{}, {}]> : tensor<5x4xf32>
    // Rows of sums that an inner loop stores, and an outer one adds up.
    %zeros = stablehlo.constant dense<0.0> : tensor<3x5xf32>
    %rows = sdy.sharding_constraint %zeros <@mesh, [{}, {}], unreduced={"x"}> : tensor<3x5xf32>
    %1:2 = stablehlo.while(%i = %zero, %acc = %rows) : tensor<i32>, tensor<3x5xf32>
        attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{}, {}], unreduced={"x"}>]>}
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %2:2 = stablehlo.while(%k = %zero, %stack = %rows) : tensor<i32>, tensor<3x5xf32>
          attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{}, {}], unreduced={"x"}>]>}
      cond {
        %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %r = func.call @row(%xs, %k) : (tensor<3x4x5xf32>, tensor<i32>) -> tensor<4x5xf32>
        %f = stablehlo.constant dense<0.0> : tensor<f32>
        %s = stablehlo.reduce(%r init: %f) applies stablehlo.add across dimensions = [0] : (tensor<4x5xf32>, tensor<f32>) -> tensor<5xf32>
        %su = sdy.sharding_constraint %s <@mesh, [{}], unreduced={"x"}> : tensor<5xf32>
        %b = stablehlo.broadcast_in_dim %su, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
        %u = stablehlo.dynamic_update_slice %stack, %b, %k, %zero : (tensor<3x5xf32>, tensor<1x5xf32>, tensor<i32>, tensor<i32>) -> tensor<3x5xf32>
        %uu = sdy.sharding_constraint %u <@mesh, [{}, {}], unreduced={"x"}> : tensor<3x5xf32>
        %j = stablehlo.add %k, %one : tensor<i32>
        stablehlo.return %j, %uu : tensor<i32>, tensor<3x5xf32>
      }
      %a = stablehlo.add %acc, %2#1 : tensor<3x5xf32>
      %au = sdy.sharding_constraint %a <@mesh, [{}, {}], unreduced={"x"}> : tensor<3x5xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %au : tensor<i32>, tensor<3x5xf32>
    }
    %table = sdy.sharding_constraint %1#1 <@mesh, [{}, {}]> : tensor<3x5xf32>
    // The loop looks at the sum so far: it needs all of it.
    %3:3 = stablehlo.while(%i = %zero, %acc = %partial, %seen = %line) : tensor<i32>, tensor<5xf32>, tensor<5xf32>
        attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{}], unreduced={"x"}>, <@mesh, [{}]>]>}
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %r = func.call @row(%xs, %i) : (tensor<3x4x5xf32>, tensor<i32>) -> tensor<4x5xf32>
      %f = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.reduce(%r init: %f) applies stablehlo.add across dimensions = [0] : (tensor<4x5xf32>, tensor<f32>) -> tensor<5xf32>
      %a = stablehlo.add %acc, %s : tensor<5xf32>
      %e = stablehlo.multiply %a, %a : tensor<5xf32>
      %ae = stablehlo.add %seen, %e : tensor<5xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %a, %ae : tensor<i32>, tensor<5xf32>, tensor<5xf32>
    }
    return %whole, %0#2, %0#3, %table, %3#2 : tensor<5x4xf32>, tensor<5xf32>, tensor<5xf32>, tensor<3x5xf32>, tensor<5xf32>
  }
  func.func private @row(%xs: tensor<3x4x5xf32>, %i: tensor<i32>) -> tensor<4x5xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 4, 5] : (tensor<3x4x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x5xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x5xf32>) -> tensor<4x5xf32>
    return %1 : tensor<4x5xf32>
  }
  func.func private @more(%sum: tensor<5xf32>, %r: tensor<4x5xf32>) -> tensor<5xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%r init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x5xf32>, tensor<f32>) -> tensor<5xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{}], unreduced={"x"}> : tensor<5xf32>
    %2 = stablehlo.add %sum, %1 : tensor<5xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{}], unreduced={"x"}> : tensor<5xf32>
    return %3 : tensor<5xf32>
  }
}
