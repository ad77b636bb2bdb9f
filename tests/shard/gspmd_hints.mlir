// Hints for propagation as XLA carries them through HLO: custom calls with numbers in strings, beside meshes in strings and beside
// meshes that are ops.
// RUN: tessera opt %s --split-input-file --verify-diagnostics --tessera-import-gspmd | FileCheck %s
// RUN: ttmlir-opt %s --split-input-file --verify-diagnostics --convert-xla-sdy-to-sdy | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func.func @strings
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22x\22=2]>}"}} {
  func.func @strings(%arg0: tensor<4xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22x\22}]>"}}) -> tensor<4xf32> {
    // CHECK-NEXT: %0 = sdy.propagation_barrier %arg0 allowed_direction=BACKWARD : tensor<4xf32>
    %0 = stablehlo.custom_call @xla.sdy.PropagationBarrier(%arg0) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.allowed_direction = "2 : i32"}} : (tensor<4xf32>) -> tensor<4xf32>
    // CHECK-NEXT: sdy.sharding_group %0 group_id=21 : tensor<4xf32>
    stablehlo.custom_call @xla.sdy.ShardingGroup(%0) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "21 : i64"}} : (tensor<4xf32>) -> ()
    // CHECK-NEXT: return %0
    return %0 : tensor<4xf32>
  }
}

// -----

sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func.func @ops
func.func @ops(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  // CHECK-NEXT: sdy.propagation_barrier %arg0 allowed_direction=FORWARD
  %0 = stablehlo.custom_call @xla.sdy.PropagationBarrier(%arg0) {mhlo.frontend_attributes = {xla.sdy.allowed_direction = "1 : i32"}} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: sdy.propagation_barrier %0 allowed_direction=NONE
  %1 = stablehlo.custom_call @xla.sdy.PropagationBarrier(%0) {mhlo.frontend_attributes = {xla.sdy.allowed_direction = "0 : i32"}} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: sdy.sharding_group %1 group_id=0
  %2 = stablehlo.custom_call @xla.sdy.ShardingGroup(%1) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "0 : i64"}} : (tensor<4xf32>) -> tuple<>
  return %1 : tensor<4xf32>
}

// -----

func.func @both_ways(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has no number from 0 to 2 in xla.sdy.allowed_direction: '3 : i32'}}
  %0 = stablehlo.custom_call @xla.sdy.PropagationBarrier(%arg0) {mhlo.frontend_attributes = {xla.sdy.allowed_direction = "3 : i32"}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @no_group(%arg0: tensor<4xf32>) {
  // expected-error @+1 {{in xla.sdy.sharding_group_id: ''}}
  stablehlo.custom_call @xla.sdy.ShardingGroup(%arg0) {has_side_effect = true} : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @used(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{must have one tensor, and no results that are used}}
  %0 = stablehlo.custom_call @xla.sdy.ShardingGroup(%arg0) {mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "1 : i64"}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @another(%arg0: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{must have one tensor and give back the same}}
  %0 = stablehlo.custom_call @xla.sdy.PropagationBarrier(%arg0) {mhlo.frontend_attributes = {xla.sdy.allowed_direction = "1 : i32"}} : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
