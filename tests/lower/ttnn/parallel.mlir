// RUN: ttmlir-opt --ttir-automatic-data-parallelization="mesh-shape=1,2" %s -o %t.ttir.mlir
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %t.ttir.mlir -o %t.ttnn.mlir
// RUN: tessera run %t.ttnn.mlir --input=random --device-memory --against=%t.ttir.mlir | FileCheck %s
// RUN: tessera run %t.ttnn.mlir --input=random --engine=reference --against=%s | FileCheck %s
// Parts of a batch on two devices. The cache is changed in place on the device, in tiles; what leaves the device and what attention reads is the
// changed one, not the tensor that it was made of.

// CHECK: 4x2x64x32xf32 {{.*}} PASS
// CHECK: 4x2x64x32xf32 {{.*}} PASS
module {
  func.func @forward(%cache: tensor<4x2x64x32xf32>, %row: tensor<1x2x4x32xf32>, %at: tensor<1xi32>) -> (tensor<4x2x64x32xf32>, tensor<4x2x64x32xf32>) {
    "ttir.update_cache"(%cache, %row, %at) <{batch_offset = 0 : i32}> : (tensor<4x2x64x32xf32>, tensor<1x2x4x32xf32>, tensor<1xi32>) -> ()
    %0 = "ttir.exp"(%cache) : (tensor<4x2x64x32xf32>) -> tensor<4x2x64x32xf32>
    return %cache, %0 : tensor<4x2x64x32xf32>, tensor<4x2x64x32xf32>
  }
}
