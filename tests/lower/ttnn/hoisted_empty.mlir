// Destinations of what the host computes are tensors, too.
// RUN: tessera opt %s --ttir-to-ttnn-runtime-pipeline -o %t && FileCheck %s --input-file %t
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t -o %t.ttnn

// CHECK-LABEL: func.func @pooled(
// CHECK: %[[A:.*]] = ttcore.load_cached(@pooled_const_eval_0
// CHECK: %[[B:.*]] = ttcore.load_cached(@pooled_const_eval_1
// CHECK: call @cpu_hoisted_ttir_max_pool2d_with_indices_{{[0-9a-f]+}}(%{{.*}}, %[[A]], %[[B]])
func.func @pooled(%x: tensor<1x4x4x32xf32>) -> (tensor<1x2x2x32xf32>, tensor<1x2x2x32xi64>) {
  %0 = ttir.empty() : tensor<1x2x2x32xf32>
  %1 = ttir.empty() : tensor<1x2x2x32xi64>
  %r, %i = "ttir.max_pool2d_with_indices"(%x, %0, %1) <{ceil_mode = false, dilation = array<i32: 1, 1>, kernel = array<i32: 2, 2>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>}> {ttir.should_hoist} : (tensor<1x4x4x32xf32>, tensor<1x2x2x32xf32>, tensor<1x2x2x32xi64>) -> (tensor<1x2x2x32xf32>, tensor<1x2x2x32xi64>)
  return %r, %i : tensor<1x2x2x32xf32>, tensor<1x2x2x32xi64>
}
