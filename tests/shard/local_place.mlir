// What depends on where a device stands: its part of a constant, of an iota, of a padded value.
// RUN: tessera opt %s --sdy-convert-global-to-local | FileCheck %s

sdy.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func.func @made
// CHECK: stablehlo.constant dense<7> : tensor<2xi32>
// CHECK: stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
// CHECK: stablehlo.partition_id
// CHECK: stablehlo.dynamic_slice {{.*}} sizes = [2]
// CHECK: stablehlo.iota dim = 0 : tensor<2x3xi32>
// CHECK: stablehlo.add {{.*}} : tensor<2x3xi32>
// CHECK: stablehlo.iota dim = 1 : tensor<2x3xi32>
// CHECK-NOT: stablehlo.add
// CHECK: return
func.func @made() -> (tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<4x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<4x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} dense<7> : tensor<4xi32>
  %1 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} dense<[1, 2, 3, 4]> : tensor<4xi32>
  %2 = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<4x3xi32>
  %3 = stablehlo.iota dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<4x3xi32>
  return %0, %1, %2, %3 : tensor<4xi32>, tensor<4xi32>, tensor<4x3xi32>, tensor<4x3xi32>
}

// Parts begin at different places of what is padded; along other dimensions, and between elements, all devices pad alike.
// CHECK-LABEL: func.func @padded
// CHECK: stablehlo.pad %arg0, %arg1, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<2x2xi32>, tensor<i32>) -> tensor<4x2xi32>
// CHECK: stablehlo.constant dense<[0, 1]> : tensor<2xi64>
// CHECK: stablehlo.dynamic_slice {{.*}} sizes = [3, 2]
// CHECK: stablehlo.pad %arg0, %arg1, low = [0, 2], high = [0, 1], interior = [0, 0] : (tensor<2x2xi32>, tensor<i32>) -> tensor<2x5xi32>
// CHECK: stablehlo.pad %arg0, %arg1, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<2x2xi32>, tensor<i32>) -> tensor<4x2xi32>
func.func @padded(%a: tensor<4x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %z: tensor<i32>) -> (tensor<6x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<4x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<8x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.pad %a, %z, low = [1, 0], high = [1, 0], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<4x2xi32>, tensor<i32>) -> tensor<6x2xi32>
  %1 = stablehlo.pad %a, %z, low = [0, 2], high = [0, 1], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<4x2xi32>, tensor<i32>) -> tensor<4x5xi32>
  %2 = stablehlo.pad %a, %z, low = [0, 0], high = [1, 0], interior = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<4x2xi32>, tensor<i32>) -> tensor<8x2xi32>
  return %0, %1, %2 : tensor<6x2xi32>, tensor<4x5xi32>, tensor<8x2xi32>
}
