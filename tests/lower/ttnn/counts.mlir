// Layers that count for themselves how far their caches are filled keep their counts: nothing says that they are equal.
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s -o %t && tessera run %t --input=random --against=%s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline=enable-static-cache-consolidation=true %s | FileCheck %s --check-prefix=ONE

// CHECK-LABEL: func.func @layers
// CHECK: "ttnn.to_layout"(%arg0)
// CHECK: "ttnn.to_layout"(%arg1)
// ONE-LABEL: func.func @layers
// ONE-NOT: "ttnn.to_layout"(%arg0)
// ONE: "ttnn.to_layout"(%arg1)
// ONE-NOT: "ttnn.to_layout"(%arg0)
func.func @layers(%a: tensor<1xi32>, %b: tensor<1xi32>, %c: tensor<1x2x32x32xf32>, %v: tensor<1x2x1x32xf32>) -> (tensor<1xi32>, tensor<1xi32>) {
  %d = "ttir.full"() <{shape = array<i32: 1>, fill_value = 1 : i32}> : () -> tensor<1xi32>
  "ttir.update_cache"(%c, %v, %a) <{batch_offset = 0 : i32}> : (tensor<1x2x32x32xf32>, tensor<1x2x1x32xf32>, tensor<1xi32>) -> ()
  "ttir.update_cache"(%c, %v, %b) <{batch_offset = 0 : i32}> : (tensor<1x2x32x32xf32>, tensor<1x2x1x32xf32>, tensor<1xi32>) -> ()
  %0 = "ttir.add"(%a, %d) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %1 = "ttir.add"(%b, %d) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  return %0, %1 : tensor<1xi32>, tensor<1xi32>
}
