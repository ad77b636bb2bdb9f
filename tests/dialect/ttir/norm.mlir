// RUN: tessera opt %s -o %t && tessera opt %t | cmp %t -
// RUN: tessera opt %s | FileCheck %s
// Normalisation, training steps, and tensors from attributes.

// CHECK: "ttir.rms_norm"(%arg0
func.func @f0(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  %0 = "ttir.rms_norm"(%a, %b) <{normalized_shape = array<i64: 3>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.layer_norm"(%arg0
func.func @f1(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %c: tensor<2x3xf32>) {
  %0 = "ttir.layer_norm"(%a, %b, %c) <{normalized_shape = array<i64: 2, 3>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.distributed_rms_norm"(%arg0
func.func @f2(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<2x3xf32>) {
  %0 = "ttir.distributed_rms_norm"(%a, %b, %c) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.group_norm"(%arg0
func.func @f3(%a: tensor<1x1x6x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
  %0 = "ttir.group_norm"(%a, %b, %c) <{num_groups = 2 : i64, operandSegmentSizes = array<i32: 1, 0, 1, 1>}> : (tensor<1x1x6x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x1x6x4xf32>
  return
}

// CHECK: "ttir.batch_norm_inference"(%arg0
func.func @f4(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  %0 = "ttir.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 1.0e-05 : f32, dimension = 1 : i32}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.batch_norm_training"(%arg0
func.func @f5(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<3xf32>) {
  %0:3 = "ttir.batch_norm_training"(%a, %b, %c, %d, %e) <{epsilon = 1.0e-05 : f32, dimension = 1 : i32, momentum = 0.1 : f32}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// CHECK: "ttir.adamw"(%arg0
func.func @f6(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>, %d: tensor<2xf32>, %e: tensor<2xf32>) {
  %0:4 = "ttir.adamw"(%a, %b, %c, %d, %e) <{lr = 1.0e-03 : f32, beta1 = 0.9 : f32, beta2 = 0.999 : f32, beta1_pow = 0.9 : f32, beta2_pow = 0.999 : f32, epsilon = 1.0e-08 : f32, weight_decay = 0.0 : f32}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  return
}

// CHECK: "ttir.constant"()
func.func @f7() {
  %0 = "ttir.constant"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<2xi32>
  return
}

// CHECK: "ttir.full"()
func.func @f8() {
  %0 = "ttir.full"() <{shape = array<i32: 2>, fill_value = 3 : i32}> : () -> tensor<2xi32>
  return
}

// CHECK: "ttir.ones"()
func.func @f9() {
  %0 = "ttir.ones"() <{shape = array<i32>}> : () -> tensor<f32>
  return
}

// CHECK: "ttir.rand"()
func.func @f10() {
  %0 = "ttir.rand"() <{size = [2 : i32, 2 : i32]}> : () -> tensor<2x2xbf16>
  return
}

// CHECK: "ttir.arange"()
func.func @f11() {
  %0 = "ttir.arange"() <{start = 0 : si64, end = 4 : si64, step = 2 : si64, arange_dimension = 1 : i64}> : () -> tensor<1x2xi32>
  return
}
