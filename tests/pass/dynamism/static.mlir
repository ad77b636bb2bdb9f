// One function for each rule of stablehlo-canonicalize-dynamism that is not one of simplification, too.
// RUN: tessera opt %s --stablehlo-canonicalize-dynamism | FileCheck %s

// CHECK-LABEL: func.func @custom_call_is_static(
// CHECK-NEXT:    stablehlo.custom_call @foo(%arg0) {operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<4xf32>) -> tensor<2x3xf32>
// CHECK:         stablehlo.custom_call @bar(%arg0, %{{.*}}) {indices_of_shape_operands
func.func @custom_call_is_static(%a: tensor<4xf32>, %s: tensor<2xi64>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %1 = stablehlo.custom_call @foo(%a, %0) {indices_of_shape_operands = dense<1> : tensor<1xi64>, operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<4xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %2 = stablehlo.custom_call @bar(%a, %s) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<4xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @dynamic_call_is_static(
// CHECK:         "stablehlo.reduce_window"(%arg0, %{{.*}}) <{base_dilations = array<i64: 1>, padding = dense<{{.*}}> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 2>, window_strides = array<i64: 1>}>
// CHECK:         stablehlo.maximum
// CHECK:         chlo.top_k(%arg0, k = 2)
// CHECK:         stablehlo.rng_bit_generator %arg1, algorithm = THREE_FRY
func.func @dynamic_call_is_static(%a: tensor<4xf32>, %s: tensor<2xui64>) -> (tensor<4xf32>, tensor<2xf32>, tensor<3xui32>) {
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.constant dense<1> : tensor<1xi32>
  %2 = stablehlo.constant dense<2> : tensor<1xi32>
  %3 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi32>
  %4 = stablehlo.constant dense<2> : tensor<i32>
  %5 = stablehlo.constant dense<3> : tensor<1xi32>
  %6 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%a, %0, %2, %1, %1, %1, %3) {api_version = 2 : i32, called_computations = [@max]} : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<4xf32>
  %7:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%a, %4) {api_version = 2 : i32} : (tensor<4xf32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  %8:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %5) {api_version = 2 : i32, rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<3xui32>)
  return %6, %7#0, %8#1 : tensor<4xf32>, tensor<2xf32>, tensor<3xui32>
}
func.func private @max(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.maximum %x, %y : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @dynamic_conv_is_static(
// CHECK:         stablehlo.convolution(%arg0, %arg1) {{.*}}pad = {{\[\[}}2, 2], [2, 2{{\]\]}}
func.func @dynamic_conv_is_static(%a: tensor<100x26x26x32xf32>, %b: tensor<3x3x1x32xf32>) -> tensor<100x28x28x1xf32> {
  %0 = stablehlo.constant dense<2> : tensor<2x2xi32>
  %1 = "stablehlo.dynamic_conv"(%a, %b, %0) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<100x26x26x32xf32>, tensor<3x3x1x32xf32>, tensor<2x2xi32>) -> tensor<100x28x28x1xf32>
  return %1 : tensor<100x28x28x1xf32>
}

// CHECK-LABEL: func.func @known_broadcast_is_static(
// CHECK-NEXT:    stablehlo.broadcast_in_dim %arg0, dims = [1]
// CHECK-NEXT:    stablehlo.dynamic_broadcast_in_dim %arg0, %arg1
func.func @known_broadcast_is_static(%a: tensor<3xf32>, %s: tensor<2xi32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %1 = stablehlo.dynamic_broadcast_in_dim %a, %0, dims = [1] : (tensor<3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  %2 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1] : (tensor<3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @known_iota_is_static(
// CHECK-NEXT:    stablehlo.iota dim = 0 : tensor<4xf32>
// CHECK-NEXT:    stablehlo.dynamic_iota %arg0
func.func @known_iota_is_static(%s: tensor<1xi32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.constant dense<4> : tensor<1xi32>
  %1 = stablehlo.dynamic_iota %0, dim = 0 : (tensor<1xi32>) -> tensor<4xf32>
  %2 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @known_reshape_is_static(
// CHECK-NEXT:    stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<2x2xf32>
// CHECK-NEXT:    stablehlo.dynamic_reshape %arg0, %arg1
func.func @known_reshape_is_static(%a: tensor<4xf32>, %s: tensor<2xi32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %0 = stablehlo.constant dense<2> : tensor<2xi32>
  %1 = stablehlo.dynamic_reshape %a, %0 : (tensor<4xf32>, tensor<2xi32>) -> tensor<2x2xf32>
  %2 = stablehlo.dynamic_reshape %a, %s : (tensor<4xf32>, tensor<2xi32>) -> tensor<2x2xf32>
  return %1, %2 : tensor<2x2xf32>, tensor<2x2xf32>
}
