// Counts of caches that go in step.
// RUN: tessera opt %s --ttir-consolidate-static-cache-updates | FileCheck %s
// VALUES: --ttir-consolidate-static-cache-updates

// no values
// CHECK-LABEL: func.func @layers
// CHECK-NEXT: "ttir.full"() <{fill_value = 1 : i32, shape = array<i32: 1>}> : () -> tensor<1xi32>
// CHECK-NEXT: "ttir.update_cache"(%arg2, %arg3, %arg1) <{batch_offset = 0 : i32}> : (tensor<1x2x4x2xf32>, tensor<1x2x1x2xf32>, tensor<1xi32>) -> ()
// CHECK-NEXT: "ttir.update_cache"(%arg2, %arg3, %arg1) <{batch_offset = 0 : i32}> : (tensor<1x2x4x2xf32>, tensor<1x2x1x2xf32>, tensor<1xi32>) -> ()
// CHECK-NEXT: "ttir.add"({{.*}}) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
// CHECK-NEXT: "ttir.add"({{.*}}) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
// CHECK-NEXT: return {{.*}} : tensor<1xi32>, tensor<1xi32>
func.func @layers(%a: tensor<1xi32>, %b: tensor<1xi32>, %c: tensor<1x2x4x2xf32>, %v: tensor<1x2x1x2xf32>) -> (tensor<1xi32>, tensor<1xi32>) {
  %d = "ttir.full"() <{shape = array<i32: 1>, fill_value = 1 : i32}> : () -> tensor<1xi32>
  "ttir.update_cache"(%c, %v, %a) <{batch_offset = 0 : i32}> : (tensor<1x2x4x2xf32>, tensor<1x2x1x2xf32>, tensor<1xi32>) -> ()
  "ttir.update_cache"(%c, %v, %b) <{batch_offset = 0 : i32}> : (tensor<1x2x4x2xf32>, tensor<1x2x1x2xf32>, tensor<1xi32>) -> ()
  %0 = "ttir.add"(%a, %d) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %1 = "ttir.add"(%b, %d) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  return %0, %1 : tensor<1xi32>, tensor<1xi32>
}
