// Arguments that are caches.
// RUN: tessera opt %s --ttir-infer-kv-cache-argument-types | FileCheck %s
// VALUES: --ttir-infer-kv-cache-argument-types

// no values
// CHECK-LABEL: func.func @update
// CHECK-SAME: {ttcore.kv_cache}
// CHECK-NEXT: "ttir.update_cache"({{.*}}) <{batch_offset = 0 : i32}> : (tensor<2x3x4x5xf32>, tensor<1x3x2x5xf32>, tensor<1xui32>) -> ()
// CHECK-NEXT: return {{.*}} : tensor<2x3x4x5xf32>
func.func @update(%a: tensor<4xf32>, %c: tensor<2x3x4x5xf32>, %v: tensor<1x3x2x5xf32>, %i: tensor<1xui32>) -> tensor<2x3x4x5xf32> {
  "ttir.update_cache"(%c, %v, %i) <{batch_offset = 0 : i32}> : (tensor<2x3x4x5xf32>, tensor<1x3x2x5xf32>, tensor<1xui32>) -> ()
  return %c : tensor<2x3x4x5xf32>
}
