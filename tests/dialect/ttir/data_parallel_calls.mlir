// RUN: tessera opt %s --ttir-automatic-data-parallelization='mesh-shape=1,8' | FileCheck %s
// What is called is copied for each way in which its arguments come; the original goes when nobody calls it any more.

// CHECK-LABEL: func.func private @layer(
// CHECK-SAME: tensor<16x32xf32>
// CHECK-LABEL: func.func private @layer_0(
// CHECK-SAME: %arg0: tensor<2x32xf32>, %arg1: tensor<32x32xf32>) -> tensor<2x32xf32>
func.func private @layer(%x: tensor<16x32xf32>, %w: tensor<32x32xf32>) -> tensor<16x32xf32> {
  %0 = "ttir.matmul"(%x, %w) : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
// CHECK-LABEL: func.func private @double(
// CHECK-SAME: %arg0: tensor<2x32xf32>) -> tensor<2x32xf32>
// CHECK-NOT: @double_
func.func private @double(%x: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %0 = call @single(%x) : (tensor<16x32xf32>) -> tensor<16x32xf32>
  %1 = "ttir.add"(%0, %x) : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
  return %1 : tensor<16x32xf32>
}
// Anybody may call what is public: it stays as it is.
// CHECK-LABEL: func.func @single(
// CHECK-SAME: tensor<16x32xf32>
// CHECK-LABEL: func.func private @single_{{[0-9]+}}(
// CHECK-SAME: tensor<2x32xf32>
func.func @single(%x: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %0 = "ttir.neg"(%x) : (tensor<16x32xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
// What calls itself does it with whole values.
// CHECK-LABEL: func.func private @loop(
// CHECK-SAME: tensor<16x32xf32>
// CHECK-LABEL: func.func private @loop_{{[0-9]+}}(
// CHECK-SAME: %arg0: tensor<2x32xf32>) -> tensor<16x32xf32>
// CHECK: "ttir.all_gather"
// CHECK: call @loop(
func.func private @loop(%x: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %0 = call @loop(%x) : (tensor<16x32xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
// CHECK-LABEL: func.func @f(
// CHECK: call @layer_0({{.*}} : (tensor<2x32xf32>, tensor<32x32xf32>) -> tensor<2x32xf32>
// CHECK: call @layer_0(
// CHECK: call @double(
// CHECK: [[G:%[0-9]+]] = "ttir.all_gather"
// CHECK: "ttir.cumsum"([[G]])
// CHECK: call @layer({{.*}} : (tensor<16x32xf32>
// CHECK: call @loop_{{[0-9]+}}({{.*}} : (tensor<2x32xf32>) -> tensor<16x32xf32>
func.func @f(%x: tensor<16x32xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<32x32xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) {
  %0 = call @layer(%x, %w) : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
  %1 = call @layer(%0, %w) : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
  %2 = call @double(%1) : (tensor<16x32xf32>) -> tensor<16x32xf32>
  %3 = "ttir.cumsum"(%2) <{dim = 0 : i64}> : (tensor<16x32xf32>) -> tensor<16x32xf32>
  %4 = call @layer(%3, %w) : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
  %5 = call @loop(%2) : (tensor<16x32xf32>) -> tensor<16x32xf32>
  return %2, %4, %5 : tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>
}
