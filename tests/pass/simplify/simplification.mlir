// RUN: tessera opt %s --stablehlo-aggressive-simplification=fold-op-element-limit=100 --allow-unregistered-dialect | FileCheck %s
//
// One function for each rule of simplification, under the rule's name (src/pass/simplify/rules.def).

// CHECK-LABEL: func.func @constant_right(
// CHECK-NEXT:    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT:    %0 = stablehlo.maximum %arg0, %cst {mine} : tensor<f32>
// CHECK-NEXT:    return %0 : tensor<f32>
func.func @constant_right(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.maximum %c, %x {mine} : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @add_zero(
// CHECK-NEXT:    return %arg0, %arg1 : tensor<2xf32>, tensor<2xi8>
func.func @add_zero(%x: tensor<2xf32>, %y: tensor<2xi8>) -> (tensor<2xf32>, tensor<2xi8>) {
  %c = stablehlo.constant dense<0.0> : tensor<2xf32>
  %d = stablehlo.constant dense<0> : tensor<2xi8>
  %0 = stablehlo.add %c, %x : tensor<2xf32>
  %1 = stablehlo.add %y, %d : tensor<2xi8>
  return %0, %1 : tensor<2xf32>, tensor<2xi8>
}

// CHECK-LABEL: func.func @and_zero(
// CHECK-NEXT:    %c = stablehlo.constant dense<0> : tensor<i8>
// CHECK-NEXT:    return %c : tensor<i8>
func.func @and_zero(%x: tensor<i8>) -> tensor<i8> {
  %c = stablehlo.constant dense<0> : tensor<i8>
  %0 = stablehlo.and %x, %c : tensor<i8>
  return %0 : tensor<i8>
}

// CHECK-LABEL: func.func @and_ones(
// CHECK-NEXT:    %c = stablehlo.constant dense<1> : tensor<i8>
// CHECK-NEXT:    %0 = stablehlo.and %arg2, %c : tensor<i8>
// CHECK-NEXT:    return %arg0, %arg1, %0 : tensor<i8>, tensor<ui16>, tensor<i8>
func.func @and_ones(%x: tensor<i8>, %y: tensor<ui16>, %z: tensor<i8>) -> (tensor<i8>, tensor<ui16>, tensor<i8>) {
  %c = stablehlo.constant dense<-1> : tensor<i8>
  %d = stablehlo.constant dense<65535> : tensor<ui16>
  %e = stablehlo.constant dense<1> : tensor<i8>
  %0 = stablehlo.and %x, %c : tensor<i8>
  %1 = stablehlo.and %y, %d : tensor<ui16>
  %2 = stablehlo.and %z, %e : tensor<i8>
  return %0, %1, %2 : tensor<i8>, tensor<ui16>, tensor<i8>
}

// CHECK-LABEL: func.func @or_zero(
// CHECK-NEXT:    return %arg0 : tensor<i1>
func.func @or_zero(%x: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.or %c, %x : tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @or_ones(
// CHECK-NEXT:    %c = stablehlo.constant dense<true> : tensor<i1>
// CHECK-NEXT:    return %c : tensor<i1>
func.func @or_ones(%x: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.or %x, %c : tensor<i1>
  return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @xor_zero(
// CHECK-NEXT:    return %arg0 : tensor<i8>
func.func @xor_zero(%x: tensor<i8>) -> tensor<i8> {
  %c = stablehlo.constant dense<0> : tensor<i8>
  %0 = stablehlo.xor %x, %c : tensor<i8>
  return %0 : tensor<i8>
}

// CHECK-LABEL: func.func @xor_self(
// CHECK-NEXT:    %c = stablehlo.constant dense<0> : tensor<2xi8>
// CHECK-NEXT:    return %c : tensor<2xi8>
func.func @xor_self(%x: tensor<2xi8>) -> tensor<2xi8> {
  %0 = stablehlo.xor %x, %x : tensor<2xi8>
  return %0 : tensor<2xi8>
}

// A float may be NaN.
// CHECK-LABEL: func.func @multiply_zero(
// CHECK-NEXT:    %c = stablehlo.constant dense<0> : tensor<i8>
// CHECK-NEXT:    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT:    %0 = stablehlo.multiply %arg1, %cst : tensor<f32>
// CHECK-NEXT:    return %c, %0 : tensor<i8>, tensor<f32>
func.func @multiply_zero(%x: tensor<i8>, %y: tensor<f32>) -> (tensor<i8>, tensor<f32>) {
  %c = stablehlo.constant dense<0> : tensor<i8>
  %d = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %c, %x : tensor<i8>
  %1 = stablehlo.multiply %y, %d : tensor<f32>
  return %0, %1 : tensor<i8>, tensor<f32>
}

// CHECK-LABEL: func.func @multiply_one(
// CHECK-NEXT:    return %arg0, %arg1 : tensor<i8>, tensor<2xf8E4M3FN>
func.func @multiply_one(%x: tensor<i8>, %y: tensor<2xf8E4M3FN>) -> (tensor<i8>, tensor<2xf8E4M3FN>) {
  %c = stablehlo.constant dense<1> : tensor<i8>
  %d = stablehlo.constant dense<1.0> : tensor<2xf8E4M3FN>
  %0 = stablehlo.multiply %c, %x : tensor<i8>
  %1 = stablehlo.multiply %y, %d : tensor<2xf8E4M3FN>
  return %0, %1 : tensor<i8>, tensor<2xf8E4M3FN>
}

// CHECK-LABEL: func.func @subtract_zero(
// CHECK-NEXT:    return %arg0 : tensor<f32>
func.func @subtract_zero(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.subtract %x, %c : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @subtract_self(
// CHECK-NEXT:    %c = stablehlo.constant dense<0> : tensor<2xi32>
// CHECK-NEXT:    %0 = stablehlo.subtract %arg1, %arg1 : tensor<f32>
// CHECK-NEXT:    %1 = stablehlo.subtract %arg2, %arg2 : tensor<?xi32>
// CHECK-NEXT:    return %c, %0, %1 : tensor<2xi32>, tensor<f32>, tensor<?xi32>
func.func @subtract_self(%x: tensor<2xi32>, %y: tensor<f32>, %z: tensor<?xi32>) -> (tensor<2xi32>, tensor<f32>, tensor<?xi32>) {
  %0 = stablehlo.subtract %x, %x : tensor<2xi32>
  %1 = stablehlo.subtract %y, %y : tensor<f32>
  %2 = stablehlo.subtract %z, %z : tensor<?xi32>
  return %0, %1, %2 : tensor<2xi32>, tensor<f32>, tensor<?xi32>
}

// CHECK-LABEL: func.func @convert_same(
// CHECK-NEXT:    return %arg0 : tensor<f32>
func.func @convert_same(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.convert %x : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @complex_of_parts(
// CHECK-NEXT:    return %arg0 : tensor<complex<f32>>
func.func @complex_of_parts(%x: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %0 = stablehlo.real %x : (tensor<complex<f32>>) -> tensor<f32>
  %1 = stablehlo.imag %x : (tensor<complex<f32>>) -> tensor<f32>
  %2 = stablehlo.complex %0, %1 : tensor<complex<f32>>
  return %2 : tensor<complex<f32>>
}

// CHECK-LABEL: func.func @part_of_complex(
// CHECK-NEXT:    return %arg1, %arg0 : tensor<f32>, tensor<f32>
func.func @part_of_complex(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.complex %x, %y : tensor<complex<f32>>
  %1 = stablehlo.real %0 : (tensor<complex<f32>>) -> tensor<f32>
  %2 = stablehlo.imag %0 : (tensor<complex<f32>>) -> tensor<f32>
  return %2, %1 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @compare_bool(
// CHECK-NEXT:    %c = stablehlo.constant dense<false> : tensor<i1>
// CHECK-NEXT:    %0 = stablehlo.compare EQ, %arg0, %c : (tensor<i1>, tensor<i1>) -> tensor<i1>
// CHECK-NEXT:    return %arg0, %arg0, %0 : tensor<i1>, tensor<i1>, tensor<i1>
func.func @compare_bool(%x: tensor<i1>) -> (tensor<i1>, tensor<i1>, tensor<i1>) {
  %f = stablehlo.constant dense<false> : tensor<i1>
  %t = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.compare NE, %x, %f : (tensor<i1>, tensor<i1>) -> tensor<i1>
  %1 = stablehlo.compare EQ, %x, %t, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
  %2 = stablehlo.compare EQ, %x, %f : (tensor<i1>, tensor<i1>) -> tensor<i1>
  return %0, %1, %2 : tensor<i1>, tensor<i1>, tensor<i1>
}

// CHECK-LABEL: func.func @compare_self(
// CHECK-NEXT:    %c = stablehlo.constant dense<true> : tensor<2xi1>
// CHECK-NEXT:    %c_0 = stablehlo.constant dense<false> : tensor<2xi1>
// CHECK-NEXT:    %0 = stablehlo.compare EQ, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK-NEXT:    return %c, %c_0, %0 : tensor<2xi1>, tensor<2xi1>, tensor<i1>
func.func @compare_self(%x: tensor<2xi8>, %y: tensor<f32>) -> (tensor<2xi1>, tensor<2xi1>, tensor<i1>) {
  %0 = stablehlo.compare GE, %x, %x, SIGNED : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi1>
  %1 = stablehlo.compare NE, %x, %x, SIGNED : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi1>
  %2 = stablehlo.compare EQ, %y, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0, %1, %2 : tensor<2xi1>, tensor<2xi1>, tensor<i1>
}

// CHECK-LABEL: func.func @compare_constant_right(
// CHECK-NEXT:    %c = stablehlo.constant dense<4> : tensor<i8>
// CHECK-NEXT:    %0 = stablehlo.compare LE, %arg0, %c, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
// CHECK-NEXT:    %1 = stablehlo.compare GT, %arg0, %c, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
// CHECK-NEXT:    %2 = stablehlo.compare EQ, %arg0, %c, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
// CHECK-NEXT:    return %0, %1, %2 : tensor<i1>, tensor<i1>, tensor<i1>
func.func @compare_constant_right(%x: tensor<i8>) -> (tensor<i1>, tensor<i1>, tensor<i1>) {
  %c = stablehlo.constant dense<4> : tensor<i8>
  %0 = stablehlo.compare GE, %c, %x, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
  %1 = stablehlo.compare LT, %c, %x, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
  %2 = stablehlo.compare EQ, %c, %x, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
  return %0, %1, %2 : tensor<i1>, tensor<i1>, tensor<i1>
}

// CHECK-LABEL: func.func @select_known(
// CHECK-NEXT:    %cst = stablehlo.constant dense<[1.000000e+00, 3.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:    return %arg1, %arg2, %cst : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
func.func @select_known(%p: tensor<2xi1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %t = stablehlo.constant dense<true> : tensor<2xi1>
  %c = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<3.0> : tensor<2xf32>
  %0 = stablehlo.select %p, %x, %x : tensor<2xi1>, tensor<2xf32>
  %1 = stablehlo.select %t, %y, %x : tensor<2xi1>, tensor<2xf32>
  %2 = stablehlo.select %c, %a, %b : tensor<2xi1>, tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @select_of_not(
// CHECK-NEXT:    %0 = stablehlo.select %arg0, %arg2, %arg1 : tensor<i1>, tensor<f32>
// CHECK-NEXT:    return %0 : tensor<f32>
func.func @select_of_not(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %n = stablehlo.not %p : tensor<i1>
  %0 = stablehlo.select %n, %x, %y : tensor<i1>, tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @select_of_broadcast_not(
// CHECK-NEXT:    %0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<i1>) -> tensor<2xi1>
// CHECK-NEXT:    %1 = stablehlo.select %0, %arg2, %arg1 : tensor<2xi1>, tensor<2xf32>
// CHECK-NEXT:    return %1 : tensor<2xf32>
func.func @select_of_broadcast_not(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %n = stablehlo.not %p : tensor<i1>
  %b = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i1>) -> tensor<2xi1>
  %0 = stablehlo.select %b, %x, %y : tensor<2xi1>, tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @broadcast_same(
// CHECK-NEXT:    return %arg0 : tensor<2x3xf32>
func.func @broadcast_same(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @broadcast_of_broadcast(
// CHECK-NEXT:    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<3xf32>) -> tensor<5x3x2xf32>
// CHECK-NEXT:    return %0 : tensor<5x3x2xf32>
func.func @broadcast_of_broadcast(%x: tensor<3xf32>) -> tensor<5x3x2xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [2, 1] : (tensor<2x3xf32>) -> tensor<5x3x2xf32>
  return %1 : tensor<5x3x2xf32>
}

// CHECK-LABEL: func.func @broadcast_is_reshape(
// CHECK-NEXT:    %0 = stablehlo.reshape %arg0 : (tensor<3xf32>) -> tensor<1x3x1xf32>
// CHECK-NEXT:    return %0 : tensor<1x3x1xf32>
func.func @broadcast_is_reshape(%x: tensor<3xf32>) -> tensor<1x3x1xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<1x3x1xf32>
  return %0 : tensor<1x3x1xf32>
}

// CHECK-LABEL: func.func @broadcast_is_transpose(
// CHECK-NEXT:    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
// CHECK-NEXT:    return %0 : tensor<4x3xf32>
func.func @broadcast_is_transpose(%x: tensor<3x4xf32>) -> tensor<4x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @concatenate_one(
// CHECK-NEXT:    return %arg0 : tensor<3xf32>
func.func @concatenate_one(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.concatenate %x, dim = 0 : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @concatenate_empty(
// CHECK-NEXT:    %0 = stablehlo.concatenate %arg0, %arg0, dim = 0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<6xf32>
// CHECK-NEXT:    return %0 : tensor<6xf32>
func.func @concatenate_empty(%x: tensor<3xf32>, %y: tensor<0xf32>) -> tensor<6xf32> {
  %0 = stablehlo.concatenate %x, %y, %x, dim = 0 : (tensor<3xf32>, tensor<0xf32>, tensor<3xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// CHECK-LABEL: func.func @concatenate_of_concatenate(
// CHECK-NEXT:    %0 = stablehlo.concatenate %arg0, %arg1, %arg0, dim = 0 : (tensor<3xf32>, tensor<1xf32>, tensor<3xf32>) -> tensor<7xf32>
// CHECK-NEXT:    return %0 : tensor<7xf32>
func.func @concatenate_of_concatenate(%x: tensor<3xf32>, %y: tensor<1xf32>) -> tensor<7xf32> {
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<3xf32>, tensor<1xf32>) -> tensor<4xf32>
  %1 = stablehlo.concatenate %0, %x, dim = 0 : (tensor<4xf32>, tensor<3xf32>) -> tensor<7xf32>
  return %1 : tensor<7xf32>
}

// An index out of range is moved into it.
// CHECK-LABEL: func.func @dynamic_slice_is_slice(
// CHECK-NEXT:    %0 = stablehlo.slice %arg0 [3:5, 0:3] : (tensor<5x4xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    return %0 : tensor<2x3xf32>
func.func @dynamic_slice_is_slice(%x: tensor<5x4xf32>) -> tensor<2x3xf32> {
  %a = stablehlo.constant dense<7> : tensor<i32>
  %b = stablehlo.constant dense<-1> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %a, %b, sizes = [2, 3] : (tensor<5x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @update_nothing(
// CHECK-NEXT:    return %arg0 : tensor<3x4xf32>
func.func @update_nothing(%x: tensor<3x4xf32>, %y: tensor<3x0xf32>, %i: tensor<i32>) -> tensor<3x4xf32> {
  %0 = stablehlo.dynamic_update_slice %x, %y, %i, %i : (tensor<3x4xf32>, tensor<3x0xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @update_everything(
// CHECK-NEXT:    return %arg1 : tensor<3xf32>
func.func @update_everything(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %c = stablehlo.constant dense<0> : tensor<i64>
  %0 = stablehlo.dynamic_update_slice %x, %y, %c : (tensor<3xf32>, tensor<3xf32>, tensor<i64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @gather_is_slice(
// CHECK-NEXT:    %0 = stablehlo.slice %arg0 [1:2, 3:6] : (tensor<5x6xf32>) -> tensor<1x3xf32>
// CHECK-NEXT:    %1 = stablehlo.reshape %0 : (tensor<1x3xf32>) -> tensor<3xf32>
// CHECK-NEXT:    return %1 : tensor<3xf32>
func.func @gather_is_slice(%x: tensor<5x6xf32>) -> tensor<3xf32> {
  %i = stablehlo.constant dense<[1, 9]> : tensor<2xi32>
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 0>,
    slice_sizes = array<i64: 1, 3>}> : (tensor<5x6xf32>, tensor<2xi32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @element_of_tuple(
// CHECK-NEXT:    return %arg1 : tensor<i32>
func.func @element_of_tuple(%x: tensor<f32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.tuple %x, %y : tuple<tensor<f32>, tensor<i32>>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>
  return %1 : tensor<i32>
}

// CHECK-LABEL: func.func @tuple_again(
// CHECK-NEXT:    return %arg0 : tuple<tensor<f32>, tensor<i32>>
func.func @tuple_again(%x: tuple<tensor<f32>, tensor<i32>>) -> tuple<tensor<f32>, tensor<i32>> {
  %0 = stablehlo.get_tuple_element %x[0] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<f32>
  %1 = stablehlo.get_tuple_element %x[1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>
  %2 = stablehlo.tuple %0, %1 : tuple<tensor<f32>, tensor<i32>>
  return %2 : tuple<tensor<f32>, tensor<i32>>
}

// CHECK-LABEL: func.func @iota_is_zero(
// CHECK-NEXT:    %cst = stablehlo.constant dense<0.000000e+00> : tensor<3x1xf32>
// CHECK-NEXT:    return %cst : tensor<3x1xf32>
func.func @iota_is_zero() -> tensor<3x1xf32> {
  %0 = stablehlo.iota dim = 1 : tensor<3x1xf32>
  return %0 : tensor<3x1xf32>
}

// CHECK-LABEL: func.func @iota_is_broadcast(
// CHECK-NEXT:    %0 = stablehlo.iota dim = 0 : tensor<4xi32>
// CHECK-NEXT:    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<4xi32>) -> tensor<3x4xi32>
// CHECK-NEXT:    return %1 : tensor<3x4xi32>
func.func @iota_is_broadcast() -> tensor<3x4xi32> {
  %0 = stablehlo.iota dim = 1 : tensor<3x4xi32>
  return %0 : tensor<3x4xi32>
}

// CHECK-LABEL: func.func @pad_nothing(
// CHECK-NEXT:    return %arg0 : tensor<3xf32>
func.func @pad_nothing(%x: tensor<3xf32>, %c: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.pad %x, %c, low = [0], high = [0], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @pad_of_empty(
// CHECK-NEXT:    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<3xf32>
// CHECK-NEXT:    return %0 : tensor<3xf32>
func.func @pad_of_empty(%x: tensor<0xf32>, %c: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.pad %x, %c, low = [1], high = [2], interior = [0] : (tensor<0xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @reshape_of_reshape(
// CHECK-NEXT:    %0 = stablehlo.reshape %arg0 : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT:    return %0 : tensor<3x2xf32>
func.func @reshape_of_reshape(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
  %1 = stablehlo.reshape %0 : (tensor<6xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @reshape_same(
// CHECK-NEXT:    return %arg0 : tensor<2x3xf32>
func.func @reshape_same(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
  %1 = stablehlo.reshape %0 : (tensor<6xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @reverse_nothing(
// CHECK-NEXT:    return %arg0, %arg1 : tensor<1x3xf32>, tensor<?xf32>
func.func @reverse_nothing(%x: tensor<1x3xf32>, %y: tensor<?xf32>) -> (tensor<1x3xf32>, tensor<?xf32>) {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<1x3xf32>
  %1 = stablehlo.reverse %y, dims = [] : tensor<?xf32>
  return %0, %1 : tensor<1x3xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @reverse_splat(
// CHECK-NEXT:    %cst = stablehlo.constant dense<2.000000e+00> : tensor<3xf32>
// CHECK-NEXT:    return %cst : tensor<3xf32>
func.func @reverse_splat() -> tensor<3xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<3xf32>
  %0 = stablehlo.reverse %c, dims = [0] : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @slice_everything(
// CHECK-NEXT:    return %arg0 : tensor<3x4xf32>
func.func @slice_everything(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = stablehlo.slice %x [0:3, 0:4] : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @slice_of_concatenate(
// CHECK-NEXT:    %0 = stablehlo.slice %arg0 [0:3:2] : (tensor<3xf32>) -> tensor<2xf32>
// CHECK-NEXT:    return %0 : tensor<2xf32>
func.func @slice_of_concatenate(%x: tensor<3xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.concatenate %x, %y, %x, dim = 0 : (tensor<3xf32>, tensor<2xf32>, tensor<3xf32>) -> tensor<8xf32>
  %1 = stablehlo.slice %0 [5:8:2] : (tensor<8xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @transpose_nothing(
// CHECK-NEXT:    return %arg0 : tensor<3x4xf32>
func.func @transpose_nothing(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = stablehlo.transpose %x, dims = [0, 1] : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @transpose_of_transpose(
// CHECK-NEXT:    %0 = stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
// CHECK-NEXT:    return %0, %arg0 : tensor<4x2x3xf32>, tensor<2x3x4xf32>
func.func @transpose_of_transpose(%x: tensor<2x3x4xf32>) -> (tensor<4x2x3xf32>, tensor<2x3x4xf32>) {
  %0 = stablehlo.transpose %x, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = stablehlo.transpose %0, dims = [1, 2, 0] : (tensor<3x4x2xf32>) -> tensor<4x2x3xf32>
  %2 = stablehlo.transpose %1, dims = [1, 2, 0] : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  return %1, %2 : tensor<4x2x3xf32>, tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @transpose_is_reshape(
// CHECK-NEXT:    %0 = stablehlo.reshape %arg0 : (tensor<1x3x4xf32>) -> tensor<3x1x4xf32>
// CHECK-NEXT:    return %0 : tensor<3x1x4xf32>
func.func @transpose_is_reshape(%x: tensor<1x3x4xf32>) -> tensor<3x1x4xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<1x3x4xf32>) -> tensor<3x1x4xf32>
  return %0 : tensor<3x1x4xf32>
}

// CHECK-LABEL: func.func @dynamic_broadcast_of_broadcast(
// CHECK-NEXT:    %0 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg2, dims = [2] {known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64>} : (tensor<?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
// CHECK-NEXT:    return %0 : tensor<?x?x?xf32>
func.func @dynamic_broadcast_of_broadcast(%x: tensor<?xf32>, %s: tensor<2xi32>, %t: tensor<3xi32>) -> tensor<?x?x?xf32> {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %0, %t, dims = [0, 2] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  return %1 : tensor<?x?x?xf32>
}

// CHECK-LABEL: func.func @dynamic_broadcast_is_convert(
// CHECK-NEXT:    %0 = stablehlo.convert %arg0 : (tensor<3xf32>) -> tensor<?xf32>
// CHECK-NEXT:    return %0 : tensor<?xf32>
func.func @dynamic_broadcast_is_convert(%x: tensor<3xf32>, %s: tensor<1xi32>) -> tensor<?xf32> {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%x, %s) <{broadcast_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>}> : (tensor<3xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @dynamic_broadcast_of_reshape(
// CHECK-NEXT:    %0 = stablehlo.dynamic_reshape %arg0, %arg1 : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
// CHECK-NEXT:    return %0 : tensor<?x?xf32>
func.func @dynamic_broadcast_of_reshape(%x: tensor<?xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %0, %s, dims = [0, 1] : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @dynamic_broadcast_same(
// CHECK-NEXT:    return %arg0 : tensor<?x?xf32>
func.func @dynamic_broadcast_same(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %s = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Who is not of StableHLO's dialect keeps the type that it had.
// CHECK-LABEL: func.func @dynamic_broadcast_is_static(
// CHECK-NEXT:    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %1 = stablehlo.convert %0 : (tensor<2x3xf32>) -> tensor<?x3xf32>
// CHECK-NEXT:    %2 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %3 = stablehlo.abs %2 : tensor<2x3xf32>
// CHECK-NEXT:    return %1, %3 : tensor<?x3xf32>, tensor<2x3xf32>
func.func @dynamic_broadcast_is_static(%x: tensor<3xf32>) -> (tensor<?x3xf32>, tensor<2x3xf32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  %2 = stablehlo.abs %1 : (tensor<?x3xf32>) -> tensor<2x3xf32>
  return %0, %2 : tensor<?x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @dynamic_reshape_of_reshape(
// CHECK-NEXT:    %0 = stablehlo.dynamic_reshape %arg0, %arg2 : (tensor<?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
// CHECK-NEXT:    return %0 : tensor<?x?x?xf32>
func.func @dynamic_reshape_of_reshape(%x: tensor<?xf32>, %s: tensor<2xi32>, %t: tensor<3xi32>) -> tensor<?x?x?xf32> {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_reshape %0, %t : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  return %1 : tensor<?x?x?xf32>
}

// CHECK-LABEL: func.func @dynamic_reshape_again(
// CHECK-NEXT:    %0 = stablehlo.dynamic_reshape %arg0, %arg1 : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
// CHECK-NEXT:    %1 = stablehlo.negate %0 : tensor<?x?xf32>
// CHECK-NEXT:    return %1 : tensor<?x?xf32>
func.func @dynamic_reshape_again(%x: tensor<?xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.negate %0 : tensor<?x?xf32>
  %2 = stablehlo.dynamic_reshape %1, %s : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @dynamic_reshape_is_static(
// CHECK-NEXT:    %0 = stablehlo.reshape %arg0 : (tensor<6xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    return %0 : tensor<2x3xf32>
func.func @dynamic_reshape_is_static(%x: tensor<6xf32>, %s: tensor<2xi32>) -> tensor<2x3xf32> {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @shape_of_reshape(
// CHECK-NEXT:    return %arg1 : tensor<2xindex>
func.func @shape_of_reshape(%x: tensor<?xf32>, %s: tensor<2xindex>) -> tensor<2xindex> {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %1 = shape.shape_of %0 : tensor<?x?xf32> -> tensor<2xindex>
  return %1 : tensor<2xindex>
}

// CHECK-LABEL: func.func @dynamic_iota_is_static(
// CHECK-NEXT:    %0 = stablehlo.iota dim = 0 : tensor<4xf32>
// CHECK-NEXT:    return %0 : tensor<4xf32>
func.func @dynamic_iota_is_static(%s: tensor<1xi32>) -> tensor<4xf32> {
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @dynamic_iota_is_broadcast(
// CHECK-NEXT:    %0 = stablehlo.convert %arg0 : (tensor<2xi32>) -> tensor<2xi64>
// CHECK-NEXT:    %1 = stablehlo.slice %0 [1:2] : (tensor<2xi64>) -> tensor<1xi64>
// CHECK-NEXT:    %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1xi64>) -> tensor<?xf32>
// CHECK-NEXT:    %3 = stablehlo.dynamic_broadcast_in_dim %2, %arg0, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
// CHECK-NEXT:    return %3 : tensor<?x?xf32>
func.func @dynamic_iota_is_broadcast(%s: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @dynamic_gather_is_static(
// CHECK-NEXT:    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<5xf32>, tensor<2x1xi32>) -> tensor<2x1xf32>
// CHECK-NEXT:    return %0 : tensor<2x1xf32>
func.func @dynamic_gather_is_static(%x: tensor<5xf32>, %i: tensor<2x1xi32>) -> tensor<2x1xf32> {
  %c = stablehlo.constant dense<1> : tensor<1xi32>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %c) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>}>
    : (tensor<5xf32>, tensor<2x1xi32>, tensor<1xi32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// CHECK-LABEL: func.func @dynamic_pad_is_static(
// CHECK-NEXT:    %0 = stablehlo.pad %arg0, %arg1, low = [1], high = [2], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<6xf32>
// CHECK-NEXT:    return %0 : tensor<6xf32>
func.func @dynamic_pad_is_static(%x: tensor<2xf32>, %c: tensor<f32>) -> tensor<6xf32> {
  %l = stablehlo.constant dense<1> : tensor<1xi32>
  %h = stablehlo.constant dense<2> : tensor<1xi32>
  %0 = stablehlo.dynamic_pad %x, %c, %l, %h, %l : (tensor<2xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// CHECK-LABEL: func.func @real_dynamic_slice_is_slice(
// CHECK-NEXT:    %0 = stablehlo.slice %arg0 [1:4:2] : (tensor<5xf32>) -> tensor<2xf32>
// CHECK-NEXT:    return %0 : tensor<2xf32>
func.func @real_dynamic_slice_is_slice(%x: tensor<5xf32>) -> tensor<2xf32> {
  %a = stablehlo.constant dense<1> : tensor<1xi32>
  %b = stablehlo.constant dense<4> : tensor<1xi32>
  %c = stablehlo.constant dense<2> : tensor<1xi32>
  %0 = stablehlo.real_dynamic_slice %x, %a, %b, %c : (tensor<5xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @real_dynamic_slice_is_dynamic_slice(
// CHECK-NEXT:    %0 = stablehlo.reshape %arg1 : (tensor<1xi32>) -> tensor<i32>
// CHECK-NEXT:    %1 = stablehlo.dynamic_slice %arg0, %0, sizes = [2] : (tensor<5xf32>, tensor<i32>) -> tensor<2xf32>
// CHECK-NEXT:    return %1 : tensor<2xf32>
func.func @real_dynamic_slice_is_dynamic_slice(%x: tensor<5xf32>, %a: tensor<1xi32>) -> tensor<2xf32> {
  %n = stablehlo.constant dense<2> : tensor<1xi32>
  %c = stablehlo.constant dense<1> : tensor<1xi32>
  %b = stablehlo.add %a, %n : tensor<1xi32>
  %0 = stablehlo.real_dynamic_slice %x, %a, %b, %c : (tensor<5xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @custom_call_config(
// CHECK-NEXT:    %0 = stablehlo.custom_call @f(%arg0) {api_version = 4 : i32, backend_config = {n = 1 : i32}} : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT:    return %0 : tensor<f32>
func.func @custom_call_config(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.custom_call @f(%x) {mhlo.backend_config = {n = 1 : i32}} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @reduce_of_empty(
// CHECK-NEXT:    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2xf32>
// CHECK-NEXT:    return %0 : tensor<2xf32>
func.func @reduce_of_empty(%x: tensor<0x2xf32>, %c: tensor<f32>) -> tensor<2xf32> {
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0] : (tensor<0x2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @reduce_unused(
// CHECK-NEXT:    %0 = stablehlo.reduce(%arg1 init: %arg3) applies stablehlo.multiply across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
// CHECK-NEXT:    return %0 : tensor<i32>
func.func @reduce_unused(%x: tensor<3xf32>, %y: tensor<3xi32>, %c: tensor<f32>, %d: tensor<i32>) -> tensor<i32> {
  %0:2 = stablehlo.reduce(%x init: %c), (%y init: %d) across dimensions = [0] : (tensor<3xf32>, tensor<3xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%e: tensor<i32>, %f: tensor<i32>) {
    %1 = stablehlo.add %a, %b : tensor<f32>
    %2 = stablehlo.multiply %e, %f : tensor<i32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
  }
  return %0#1 : tensor<i32>
}

// CHECK-LABEL: func.func @sort_unused(
// CHECK-NEXT:    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
// CHECK-NEXT:    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
// CHECK-NEXT:      %1 = stablehlo.compare LT, %arg2, %arg3 : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK-NEXT:      stablehlo.return %1 : tensor<i1>
// CHECK-NEXT:    }) : (tensor<3xf32>) -> tensor<3xf32>
// CHECK-NEXT:    return %0 : tensor<3xf32>
func.func @sort_unused(%x: tensor<3xf32>, %y: tensor<3xi32>) -> tensor<3xf32> {
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<3xf32>, tensor<3xi32>) -> (tensor<3xf32>, tensor<3xi32>)
  return %0#0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @sort_last_dimension(
// CHECK-NEXT:    %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64}> ({
// CHECK-NEXT:    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
// CHECK-NEXT:      %1 = stablehlo.compare LT, %arg1, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK-NEXT:      stablehlo.return %1 : tensor<i1>
// CHECK-NEXT:    }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    return %0 : tensor<2x3xf32>
func.func @sort_last_dimension(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @while_invariant(
// CHECK-NEXT:    %0 = stablehlo.while(%iterArg = %arg0) : tensor<f32>
// CHECK-NEXT:    cond {
// CHECK-NEXT:      %1 = stablehlo.compare LT, %iterArg, %arg1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK-NEXT:      stablehlo.return %1 : tensor<i1>
// CHECK-NEXT:    } do {
// CHECK-NEXT:      %1 = stablehlo.add %iterArg, %arg1 : tensor<f32>
// CHECK-NEXT:      stablehlo.return %1 : tensor<f32>
// CHECK-NEXT:    }
// CHECK-NEXT:    return %0, %arg1 : tensor<f32>, tensor<f32>
func.func @while_invariant(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0:2 = stablehlo.while(%i = %x, %j = %y) : tensor<f32>, tensor<f32> cond {
    %1 = stablehlo.compare LT, %i, %j : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %j : tensor<f32>
    stablehlo.return %1, %j : tensor<f32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @empty_tensors(
// CHECK-NEXT:    %cst = stablehlo.constant dense<> : tensor<0x2xf32>
// CHECK-NEXT:    %0 = stablehlo.custom_call @f(%arg1, %cst) : (tensor<3xf32>, tensor<0x2xf32>) -> tensor<3xf32>
// CHECK-NEXT:    return %cst, %0 : tensor<0x2xf32>, tensor<3xf32>
func.func @empty_tensors(%x: tensor<0x2xf32>, %y: tensor<3xf32>) -> (tensor<0x2xf32>, tensor<3xf32>) {
  %0 = stablehlo.negate %x : tensor<0x2xf32>
  %1 = stablehlo.custom_call @f(%y, %x) : (tensor<3xf32>, tensor<0x2xf32>) -> tensor<3xf32>
  return %0, %1 : tensor<0x2xf32>, tensor<3xf32>
}

// Attributes of what goes stand on what takes its place.
// CHECK-LABEL: func.func @merged_attributes(
// CHECK-NEXT:    %0 = stablehlo.negate %arg0 {a = 1 : i32, b = 2 : i32, mhlo.frontend_attributes = {j = "2", k = "1", xla_metadata_payload = "own"}} : tensor<2xf32>
// CHECK-NEXT:    return %0 : tensor<2xf32>
func.func @merged_attributes(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %x {a = 1 : i32, mhlo.frontend_attributes = {k = "1", xla_metadata_payload = "own"}} : tensor<2xf32>
  %1 = stablehlo.reshape %0 {b = 2 : i32, mhlo.frontend_attributes = {j = "2", xla_metadata_payload = "other"}} : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// Ops in a row whose results others use, too: each stands on what the row starts with, and those that move nothing go.
// CHECK-LABEL: func.func @rows_of_moves(
// CHECK-NEXT:    %0 = stablehlo.transpose %arg0, dims = [1, 0] {a = 1 : i32} : (tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %1 = stablehlo.transpose %arg0, dims = [1, 0] {a = 3 : i32} : (tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    %2 = stablehlo.reshape %arg1 : (tensor<6xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %3 = stablehlo.reshape %arg1 : (tensor<6xf32>) -> tensor<3x2xf32>
// CHECK-NEXT:    %4 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<6xf32>) -> tensor<2x6xf32>
// CHECK-NEXT:    %5 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<6xf32>) -> tensor<3x2x6xf32>
// CHECK-NEXT:    %6 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<6xf32>) -> tensor<6x2x3xf32>
// CHECK-NEXT:    "some.use"(%0, %arg0, %1, %arg0) :
// CHECK-NEXT:    "some.use"(%2, %3, %arg1) :
// CHECK-NEXT:    "some.use"(%4, %5, %6) :
func.func @rows_of_moves(%x: tensor<4x4xf32>, %y: tensor<6xf32>) {
  %0 = stablehlo.transpose %x, dims = [1, 0] {a = 1 : i32} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] {a = 3 : i32} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = stablehlo.reshape %y : (tensor<6xf32>) -> tensor<2x3xf32>
  %5 = stablehlo.reshape %4 : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %6 = stablehlo.reshape %5 : (tensor<3x2xf32>) -> tensor<6xf32>
  %7 = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<6xf32>) -> tensor<2x6xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [1, 2] : (tensor<2x6xf32>) -> tensor<3x2x6xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [2, 1, 0] : (tensor<3x2x6xf32>) -> tensor<6x2x3xf32>
  "some.use"(%0, %1, %2, %3) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> ()
  "some.use"(%4, %5, %6) : (tensor<2x3xf32>, tensor<3x2xf32>, tensor<6xf32>) -> ()
  "some.use"(%7, %8, %9) : (tensor<2x6xf32>, tensor<3x2x6xf32>, tensor<6x2x3xf32>) -> ()
  return
}
