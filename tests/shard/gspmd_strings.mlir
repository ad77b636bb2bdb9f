// RUN: tessera opt %s --split-input-file --verify-diagnostics --tessera-import-gspmd | FileCheck %s

// Shardings of Shardy in strings, as jax.export wrote them for a time: they win over GSPMD's word for the same.
// CHECK: module attributes {mhlo.frontend_attributes = {other = "a"}} {
// CHECK: sdy.mesh @mesh = <["x"=2, "y"=2]>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %arg0: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
module attributes {mhlo.frontend_attributes = {other = "a", xla.sdy.meshes = "{mesh = #sdy.mesh<[\\\22x\\\22=2, \\\22y\\\22=2]>}"}} {
  func.func @main(%a: tensor<4x4xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\\\22x\\\22}, {}]>"}, mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"}) -> (tensor<4x4xf32> {mhlo.sharding = "{replicated}"}, tensor<4x4xf32>) {
    // CHECK: sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {"y"}]>
    %0 = stablehlo.custom_call @Sharding(%a) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22x\22}, {\22y\22}]>]>"}, mhlo.sharding = "{devices=[2,2]<=[4]}"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    // CHECK: stablehlo.custom_call @c(%{{.*}}) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"y"}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=4}, custom>}
    %1 = stablehlo.custom_call @c(%0) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{?}, {\22y\22}]>]>", xla.sdy.sharding_rule = "#sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=4}, custom>"}} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    // CHECK: sdy.manual_computation(%{{.*}}, %arg0) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"x"}, {}]>] manual_axes={"x", "y"} (%arg1: tensor<2x4xf32>, %arg2: tensor<4x2xf32>) {
    // CHECK-NEXT: func.call @body(%arg1, %arg2) : (tensor<2x4xf32>, tensor<4x2xf32>) -> (tensor<2x2xf32>, tensor<2x4xf32>)
    // CHECK-NEXT: sdy.return
    %2:2 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%1, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<4x2xf32>)
    %3:2 = call @body(%2#0, %2#1) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22x\22}, {}]>, <@mesh, [{}, {\22y\22}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22, \22y\22}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22x\22}, {\22y\22}]>, <@mesh, [{\22x\22}, {}]>]>"}} : (tensor<2x4xf32>, tensor<4x2xf32>) -> (tensor<2x2xf32>, tensor<2x4xf32>)
    %4:2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%3#0, %3#1) : (tensor<2x2xf32>, tensor<2x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
    // CHECK: sdy.sharding_constraint %{{.*}}#0 <@mesh, [{}, {}]>
    %5 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%4#0) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{}, {}]>]>"}} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %5, %4#1 : tensor<4x4xf32>, tensor<4x4xf32>
  }
  func.func private @body(%a: tensor<2x4xf32>, %b: tensor<4x2xf32>) -> (tensor<2x2xf32>, tensor<2x4xf32>) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
    return %0, %a : tensor<2x2xf32>, tensor<2x4xf32>
  }
}

// -----

module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22x\22=2]>}"}} {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @+1 {{has a string in xla.sdy.sharding that cannot be read: '#sdy.sharding'}}
    %0 = stablehlo.negate %a {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding"}} : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

func.func @main(%a: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{is not part of a manual computation that can be imported}}
  %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%a) : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
