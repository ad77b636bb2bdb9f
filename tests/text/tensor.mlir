// RUN: tessera opt %s | FileCheck %s
// RUN: tessera opt %s -o %t && tessera opt %t -o %t.again && cmp %t %t.again
// The tensor dialect; slices that mix numbers and values.

func.func @f(%t: tensor<4x?xf32>, %i: index, %x: f32, %s: tensor<2xindex>, %u: tensor<*xf32>, %r: tensor<8x16xf32>) {
  %c0 = arith.constant 0 : index
  %0 = tensor.empty(%i) : tensor<4x?xf32>
  %1 = tensor.empty() : tensor<4xf32>
  %2 = tensor.dim %t, %c0 : tensor<4x?xf32>
  %3 = tensor.rank %u : tensor<*xf32>
  %4 = tensor.extract %t[%i, %i] : tensor<4x?xf32>
  %5 = tensor.insert %x into %t[%i, %i] : tensor<4x?xf32>
  %6 = tensor.from_elements %x, %x : tensor<2xf32>
  %7 = tensor.cast %t : tensor<4x?xf32> to tensor<?x?xf32>
  %8 = tensor.reshape %t(%s) : (tensor<4x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %9 = tensor.generate %i {
  ^bb0(%a: index, %b: index):
    tensor.yield %x : f32
  } : tensor<4x?xf32>
  %10 = tensor.splat %x : tensor<8xf32>
  %11 = tensor.splat %x[%i] : tensor<?x8xf32>
  %12 = tensor.extract_slice %r[0, %i] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf32>
  %13 = tensor.extract_slice %r[0, 2] [%i, 4] [1, 2] {foo} : tensor<8x16xf32> to tensor<?x4xf32>
  %14 = tensor.insert_slice %12 into %r[0, 2] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x16xf32>
  %15 = tensor.expand_shape %r [[0, 1], [2]] output_shape [2, 4, 16] : tensor<8x16xf32> into tensor<2x4x16xf32>
  %16 = tensor.collapse_shape %r [[0, 1]] : tensor<8x16xf32> into tensor<128xf32>
  %17 = tensor.pad %r low[1, %i] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %x : f32
  } : tensor<8x16xf32> to tensor<9x?xf32>
  %18 = tensor.concat dim(0) %r, %r : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
  %19 = tensor.bitcast %r : tensor<8x16xf32> to tensor<8x16xi32>
  %20 = tensor.extract %t[%c0, %c0] {a} : tensor<4x?xf32>
  %21 = tensor.expand_shape %t [[0, 1], [2]] output_shape [2, 2, %i] : tensor<4x?xf32> into tensor<2x2x?xf32>
  %22 = tensor.from_elements %x, %x, %x, %x : tensor<2x2xf32>
  return
}

// CHECK: module {
// CHECK-NEXT: func.func @f(%arg0: tensor<4x?xf32>, %arg1: index, %arg2: f32, %arg3: tensor<2xindex>, %arg4: tensor<*xf32>, %arg5: tensor<8x16xf32>) {
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = tensor.empty(%arg1) : tensor<4x?xf32>
// CHECK-NEXT: %1 = tensor.empty() : tensor<4xf32>
// CHECK-NEXT: %dim = tensor.dim %arg0, %c0 : tensor<4x?xf32>
// CHECK-NEXT: %rank = tensor.rank %arg4 : tensor<*xf32>
// CHECK-NEXT: %extracted = tensor.extract %arg0[%arg1, %arg1] : tensor<4x?xf32>
// CHECK-NEXT: %inserted = tensor.insert %arg2 into %arg0[%arg1, %arg1] : tensor<4x?xf32>
// CHECK-NEXT: %from_elements = tensor.from_elements %arg2, %arg2 : tensor<2xf32>
// CHECK-NEXT: %cast = tensor.cast %arg0 : tensor<4x?xf32> to tensor<?x?xf32>
// CHECK-NEXT: %reshape = tensor.reshape %arg0(%arg3) : (tensor<4x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
// CHECK-NEXT: %generated = tensor.generate %arg1 {
// CHECK-NEXT: ^bb0(%arg6: index, %arg7: index):
// CHECK-NEXT: tensor.yield %arg2 : f32
// CHECK-NEXT: } : tensor<4x?xf32>
// CHECK-NEXT: %splat = tensor.splat %arg2 : tensor<8xf32>
// CHECK-NEXT: %splat_0 = tensor.splat %arg2[%arg1] : tensor<?x8xf32>
// CHECK-NEXT: %extracted_slice = tensor.extract_slice %arg5[0, %arg1] [4, 4] [1, 1] : tensor<8x16xf32> to tensor<4x4xf32>
// CHECK-NEXT: %extracted_slice_1 = tensor.extract_slice %arg5[0, 2] [%arg1, 4] [1, 2] {foo} : tensor<8x16xf32> to tensor<?x4xf32>
// CHECK-NEXT: %inserted_slice = tensor.insert_slice %extracted_slice into %arg5[0, 2] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x16xf32>
// CHECK-NEXT{LITERAL}: %expanded = tensor.expand_shape %arg5 [[0, 1], [2]] output_shape [2, 4, 16] : tensor<8x16xf32> into tensor<2x4x16xf32>
// CHECK-NEXT{LITERAL}: %collapsed = tensor.collapse_shape %arg5 [[0, 1]] : tensor<8x16xf32> into tensor<128xf32>
// CHECK-NEXT: %padded = tensor.pad %arg5 low[1, %arg1] high[0, 0] {
// CHECK-NEXT: ^bb0(%arg6: index, %arg7: index):
// CHECK-NEXT: tensor.yield %arg2 : f32
// CHECK-NEXT: } : tensor<8x16xf32> to tensor<9x?xf32>
// CHECK-NEXT: %concat = tensor.concat dim(0) %arg5, %arg5 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
// CHECK-NEXT: %2 = tensor.bitcast %arg5 : tensor<8x16xf32> to tensor<8x16xi32>
// CHECK-NEXT: %extracted_2 = tensor.extract %arg0[%c0, %c0] {a} : tensor<4x?xf32>
// CHECK-NEXT{LITERAL}: %expanded_3 = tensor.expand_shape %arg0 [[0, 1], [2]] output_shape [2, 2, %arg1] : tensor<4x?xf32> into tensor<2x2x?xf32>
// CHECK-NEXT: %from_elements_4 = tensor.from_elements %arg2, %arg2, %arg2, %arg2 : tensor<2x2xf32>
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: }
