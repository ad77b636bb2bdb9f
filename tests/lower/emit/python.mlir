// RUN: ttmlir-opt --ttir-to-emitpy-pipeline %s -o %t.mlir && ttmlir-opt %t.mlir -o %t.2.mlir && diff %t.mlir %t.2.mlir
// RUN: ttmlir-translate --mlir-to-python %t.mlir | FileCheck %s
// RUN: ttmlir-translate --mlir-to-python --emitpy-file-id=consteval %t.mlir | FileCheck %s --check-prefix=FILE
// RUN: ttmlir-opt --ttir-to-ttnn-common-pipeline --ttnn-common-to-emitpy-pipeline=split-files=false %s -o %t.mlir
// RUN: ttmlir-translate --mlir-to-python %t.mlir | FileCheck %s --check-prefix=ONE
// RUN: ttmlir-opt --ttir-to-emitpy-pipeline=target-module=true %s -o %t.mlir
// RUN: ttmlir-translate --mlir-to-python %t.mlir | FileCheck %s --check-prefix=MODULE
// Calls of Python functions: keywords, dictionaries of weights, what is computed once, functions of the host, names.

// ONE-NOT: # File
// ONE: import ttnn
// ONE-NOT: from consteval
// FILE-NOT: # File
// FILE: def consteval_forward(ce_cache, weights):
// MODULE: def forward(input, device):
// MODULE-NOT: def main

// CHECK: # File: "main"
// CHECK-NEXT: import ttnn
// CHECK-NEXT: import utils
// CHECK-NEXT: from consteval import consteval_forward
// CHECK-NEXT: ce_cache_forward = {}
// CHECK-NEXT: def forward(activations, weights):
// CHECK-NEXT:   global ce_cache_forward
// CHECK-NEXT:   ce_cache_forward = consteval_forward(ce_cache_forward, weights)
// CHECK: ttnn.add({{.*}}, ce_cache_forward["forward_const_eval_0"][0], dtype=ttnn.DataType.FLOAT32, memory_config=ttnn.MemoryConfig(ttnn.TensorMemoryLayout.INTERLEAVED, ttnn.BufferType.DRAM, None))
// CHECK: ttnn.pad({{.*}}, {{\[\[}}0, 1], [2, 3]], 9.99999974E-6, use_multicore=True
// CHECK: return [
// CHECK: def a_b_(arg):
// CHECK: ttnn_sort_0_0, ttnn_sort_0_1 = ttnn.sort({{.*}}, -1, False, False, memory_config=
// CHECK: def create_activations_for_forward():
// CHECK: def create_weights_for_forward():
// CHECK:   forward_weights["my weight"] = ttnn_ones_1
// CHECK: def main():
// CHECK: if __name__ == '__main__':
// CHECK-NEXT:   main()
// CHECK: # File: "consteval"
// CHECK: import ttir_cpu
// CHECK: def [[HOST:cpu_hoisted_const_eval_.*]](arg_0, arg_1):
// CHECK-NEXT:   def [[HOST]]_impl(inputs, inputs_0):
// CHECK-NEXT:     ttir_cpu_add_0 = ttir_cpu.add(inputs, inputs_0)
// CHECK:   utils.execute_cpu_hoisted_function([arg_0, arg_1], [[HOST]]_impl)
// CHECK: def forward_const_eval_0(arg):
// CHECK: def consteval_forward(ce_cache, weights):
// CHECK-NEXT:   if not ce_cache:
// CHECK:     ce_cache["forward_const_eval_0"] =
// CHECK-NEXT:   return ce_cache
func.func @forward(%a: tensor<32x32xf32> {ttcore.argument_type = #ttcore.argument_type<input>},
                   %b: tensor<32x32xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "my weight"},
                   %c: tensor<32x32xf32> {ttcore.argument_type = #ttcore.argument_type<constant>}) -> tensor<33x37xf32> {
  %0 = "ttir.add"(%b, %c) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %1 = "ttir.add"(%a, %0) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %2 = "ttir.pad"(%1) <{padding = array<i32: 0, 1, 2, 3>, value = 1.0e-5 : f32}> : (tensor<32x32xf32>) -> tensor<33x37xf32>
  return %2 : tensor<33x37xf32>
}
func.func @"a b:"(%a: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xi32>) {
  %0, %1 = "ttir.sort"(%a) <{dim = -1 : si32, descending = false, stable = false}> : (tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xi32>)
  return %0, %1 : tensor<32x32xf32>, tensor<32x32xi32>
}
