// RUN: ttmlir-opt --ttir-to-emitc-pipeline %s -o %t.mlir && FileCheck %s --input-file=%t.mlir
// RUN: ttmlir-opt --ttir-to-ttnn-common-pipeline --ttnn-common-to-emitc-pipeline %s -o %t.2.mlir && diff %t.mlir %t.2.mlir
// RUN: ttmlir-opt %t.mlir -o %t.2.mlir && diff %t.mlir %t.2.mlir
// RUN: ttmlir-translate --mlir-to-cpp %t.mlir | FileCheck %s --check-prefix=CPP
// RUN: ttmlir-opt --ttir-to-emitc-pipeline=target-dylib=true %s | FileCheck %s --check-prefix=LIBRARY
// RUN: ttmlir-opt --ttir-to-emitc-pipeline="load-input-tensors-from-disk=true tensor-load-directory=in tensor-load-file-prefix=x" %s | FileCheck %s --check-prefix=LOAD
// RUN: ttmlir-opt --ttir-to-ttnn-common-pipeline %s -o %t.mlir && ttmlir-opt --ttnn-common-to-runtime-pipeline %t.mlir -o %t.2.mlir && diff %t.mlir %t.2.mlir
// RUN: ttmlir-opt --ttir-to-emitc-pipeline %S/python.mlir -o %t.mlir && ttmlir-translate --mlir-to-cpp %t.mlir | FileCheck %s --check-prefix=HOST
// Calls of C++ functions: lists, pairs, several results, enumerations, configurations. Names that are no identifiers become some.

// CHECK: emitc.include "ttnn-precompiled.hpp"
// CHECK-LABEL: func.func @layers(%arg0: !emitc.opaque<"::std::vector<::ttnn::Tensor>">) -> !emitc.opaque<"::std::vector<::ttnn::Tensor>">
// CHECK: emitc.call_opaque "ttnn::matmul"({{.*}}) {args = [0 : index, 1 : index, #emitc.opaque<"false">, #emitc.opaque<"false">
// CHECK-SAME: #emitc.opaque<"::ttnn::WormholeComputeKernelConfig{.math_fidelity = ::tt::tt_metal::MathFidelity::HiFi4, .fp32_dest_acc_en = true}">
// CHECK: emitc.call_opaque "ttnn::sum"
// CHECK-SAME: #emitc.opaque<"::ttsl::SmallVector<int32_t>{1}">
// CHECK: %[[ALL:.*]] = emitc.call_opaque "ttnn::sort"
// CHECK-SAME: -> !emitc.opaque<"::std::vector<::ttnn::Tensor>">
// CHECK: emitc.subscript %[[ALL]]
// CHECK-LABEL: func.func @create_inputs_for_layers()
// CHECK: func.func @main() -> i32
// CPP: #include "ttnn-precompiled.hpp"
// CPP-LABEL: ::std::vector<::ttnn::Tensor> layers(::std::vector<::ttnn::Tensor> v1) {
// CPP: ::ttnn::Tensor v2 = v1[0];
// CPP: = ttnn::clamp({{v[0-9]+}}, -0.5f, ::std::numeric_limits<float>::infinity(), ::ttnn::MemoryConfig{
// CPP: = ttnn::pad({{v[0-9]+}}, ::ttsl::SmallVector<::std::array<uint32_t, 2>>{::std::array<uint32_t, 2>{0, 1}, ::std::array<uint32_t, 2>{2, 3}}, 9.99999997E-7f, true
// CPP-LABEL: ::std::vector<::ttnn::Tensor> a_b____system_x___(
// CPP-LABEL: ::std::vector<::ttnn::Tensor> a_b____system_x____1(
// CPP-LABEL: ::std::vector<::ttnn::Tensor> while_(
// CPP-LABEL: ::std::vector<::ttnn::Tensor> _main(
// CPP: int32_t main() {
// CPP: ::while_(
// HOST: ::ttnn::Tensor cpu_hoisted_const_eval_{{.*}}(::ttnn::Tensor, ::ttnn::Tensor);
// HOST: ::std::vector<::ttnn::Tensor> v{{.*}} = g_cached_result_forward_const_eval_0;
// LIBRARY-LABEL: func.func @layers
// LIBRARY-NOT: @main
// LOAD: emitc.call_opaque "ttnn::loadTensor"
// LOAD-SAME: #emitc.opaque<"\22in/x0.tensorbin\22">
func.func @layers(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> (tensor<64xf32>, tensor<64x64xf32>, tensor<65x69xf32>) {
  %0 = "ttir.matmul"(%a, %b) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = "ttir.sum"(%0) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<64x64xf32>) -> tensor<64xf32>
  %2, %3 = "ttir.sort"(%0) <{dim = -1 : si32, descending = true, stable = false}> : (tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xi32>)
  %4 = "ttir.clamp_scalar"(%2) <{min = -0.5 : f32, max = 0x7F800000 : f32}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %5 = "ttir.pad"(%4) <{padding = array<i32: 0, 1, 2, 3>, value = 1.0e-6 : f32}> : (tensor<64x64xf32>) -> tensor<65x69xf32>
  return %1, %4, %5 : tensor<64xf32>, tensor<64x64xf32>, tensor<65x69xf32>
}
func.func @"a b(){ system(x); "(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = "ttir.abs"(%a) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
func.func @"a-b(){ system(x); "(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = "ttir.abs"(%a) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
func.func @while(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = "ttir.neg"(%a) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
func.func @main(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = "ttir.neg"(%a) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
