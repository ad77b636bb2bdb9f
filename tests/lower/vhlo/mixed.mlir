// Ops of other dialects stay; casts stand where types change, once for a value, and go on the way back.
// RUN: tessera opt %s --stablehlo-legalize-to-vhlo=allow-other-dialects --allow-unregistered-dialect | FileCheck %s
// RUN: tessera opt %s --allow-unregistered-dialect > %t.0
// RUN: tessera opt %s --stablehlo-legalize-to-vhlo=allow-other-dialects --vhlo-to-version=target=1.0.0 --allow-unregistered-dialect > %t.1
// RUN: tessera opt %t.1 --stablehlo-deserialize --allow-unregistered-dialect > %t.2
// RUN: diff %t.0 %t.2

// CHECK-LABEL: vhlo.func_v1 @uses
// CHECK-SAME: (%[[X:.*]]: !vhlo.tensor_v1<4x!vhlo.f32_v1>) -> (!vhlo.tensor_v1<4x!vhlo.f32_v1>)
// CHECK-NEXT: %[[XT:.*]] = builtin.unrealized_conversion_cast %[[X]] : !vhlo.tensor_v1<4x!vhlo.f32_v1> to tensor<4xf32>
// CHECK-NEXT: %[[A:.*]] = "vhlo.abs_v1"(%[[X]])
// CHECK-NEXT: %[[AT:.*]] = builtin.unrealized_conversion_cast %[[A]] : !vhlo.tensor_v1<4x!vhlo.f32_v1> to tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = arith.addf %[[AT]], %[[XT]] : tensor<4xf32>
// CHECK-NEXT: %[[BV:.*]] = builtin.unrealized_conversion_cast %[[B]] : tensor<4xf32> to !vhlo.tensor_v1<4x!vhlo.f32_v1>
// CHECK-NEXT: %[[C:.*]] = arith.addf %[[AT]], %[[B]] : tensor<4xf32>
// CHECK-NEXT: %[[CV:.*]] = builtin.unrealized_conversion_cast %[[C]]
// CHECK-NEXT: "vhlo.add_v1"(%[[BV]], %[[CV]])
func.func @uses(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %x : tensor<4xf32>
  %1 = arith.addf %0, %x : tensor<4xf32>
  %2 = arith.addf %0, %1 : tensor<4xf32>
  %3 = stablehlo.add %1, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// Types that StableHLO does not know need no cast.
// CHECK-LABEL: vhlo.func_v1 @others
// CHECK-NEXT: %[[Y:.*]] = "other.make"() : () -> !other.type
// CHECK-NEXT: %[[Z:.*]] = "other.use"(%[[Y]]) ({
// CHECK-NEXT: %[[C:.*]] = "vhlo.constant_v1"()
// CHECK-NEXT: %[[D:.*]] = builtin.unrealized_conversion_cast %[[C]] : !vhlo.tensor_v1<!vhlo.f32_v1> to tensor<f32>
// CHECK-NEXT: "other.yield"(%[[D]]) : (tensor<f32>) -> ()
func.func @others() -> tensor<f32> {
  %0 = "other.make"() : () -> !other.type
  %1 = "other.use"(%0) ({
    %2 = stablehlo.constant dense<1.0> : tensor<f32>
    "other.yield"(%2) : (tensor<f32>) -> ()
  }) : (!other.type) -> tensor<f32>
  return %1 : tensor<f32>
}

// Attributes, too.
// CHECK: sdy.mesh @mesh = <["a"=2]>
sdy.mesh @mesh = <["a"=2]>
// CHECK-LABEL: vhlo.func_v1 @sharded
// CHECK: arg_attrs = #vhlo.array_v1<[#vhlo.dict_v1<{#vhlo.string_v1<"sdy.sharding"> = #sdy.sharding<@mesh, [{"a"}]>}>]>
func.func @sharded(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> tensor<4xf32> {
  %0 = sdy.sharding_constraint %x <@mesh, [{}]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
