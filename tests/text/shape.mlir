// RUN: tessera opt %s --allow-unregistered-dialect | FileCheck %s
// RUN: tessera opt %s --allow-unregistered-dialect -o %t && tessera opt %t --allow-unregistered-dialect -o %t.again && cmp %t %t.again
// Shape computations.

func.func @f(%t: tensor<4x?xf32>, %i: index, %s: !shape.shape, %e: tensor<?xindex>, %e2: tensor<2xindex>, %z: !shape.size, %w: !shape.witness, %v: !shape.value_shape) {
  %0 = shape.shape_of %t : tensor<4x?xf32> -> tensor<2xindex>
  %1 = shape.shape_of %t : tensor<4x?xf32> -> !shape.shape
  %2 = shape.broadcast %e, %e2 : tensor<?xindex>, tensor<2xindex> -> tensor<?xindex>
  %3 = shape.const_shape [1, 2, 3] : tensor<3xindex>
  %4 = shape.const_shape [] : !shape.shape
  %5 = shape.num_elements %e : tensor<?xindex> -> index
  %6 = shape.num_elements %s : !shape.shape -> !shape.size
  %7 = shape.cstr_broadcastable %e, %e2 : tensor<?xindex>, tensor<2xindex>
  %8 = arith.constant true
  %9 = shape.cstr_require %8, "some msg"
  %10 = shape.cstr_eq %e, %e2 : tensor<?xindex>, tensor<2xindex>
  %11 = shape.assuming %7 -> (tensor<2xf32>) {
    %c = "test.x"() : () -> tensor<2xf32>
    shape.assuming_yield %c : tensor<2xf32>
  }
  shape.assuming %7 {
    "test.x"() : () -> ()
    shape.assuming_yield
  }
  %12 = shape.value_as_shape %e : tensor<?xindex> -> !shape.shape
  %13 = shape.to_extent_tensor %s : !shape.shape -> tensor<?xindex>
  %14 = shape.get_extent %e, %i : tensor<?xindex>, index -> index
  %15 = shape.get_extent %s, %z : !shape.shape, !shape.size -> !shape.size
  %16 = shape.const_size 10
  %17 = shape.const_witness true
  %18 = shape.const_witness false
  %19 = shape.concat %e, %e2 : tensor<?xindex>, tensor<2xindex> -> tensor<?xindex>
  %20, %21 = "shape.split_at"(%s, %z) : (!shape.shape, !shape.size) -> (!shape.shape, !shape.shape)
  %22 = shape.rank %s : !shape.shape -> !shape.size
  %23 = shape.rank %e : tensor<?xindex> -> index
  %24 = shape.any %s, %s : !shape.shape, !shape.shape -> !shape.shape
  %25 = shape.size_to_index %z : !shape.size
  %26 = shape.index_to_size %i
  %27 = shape.from_extents %i, %i : index, index
  %28 = shape.from_extent_tensor %e : tensor<?xindex>
  %29 = shape.is_broadcastable %e, %e2 : tensor<?xindex>, tensor<2xindex>
  %30 = shape.shape_eq %e, %e2 : tensor<?xindex>, tensor<2xindex>
  %31 = shape.assuming_all %7, %9
  %32 = shape.add %i, %i : index, index -> index
  %33 = shape.mul %z, %i : !shape.size, index -> !shape.size
  %34 = shape.div %i, %i : index, index -> index
  %35 = shape.dim %t, %i : tensor<4x?xf32>, index -> index
  %36 = shape.max %z, %z : !shape.size, !shape.size -> !shape.size
  %37 = shape.min %z, %z : !shape.size, !shape.size -> !shape.size
  %38 = shape.value_of %v : tensor<?xf32>
  %39 = shape.with_shape %t, %e : tensor<4x?xf32>, tensor<?xindex>
  %40 = shape.reduce(%s, %z) : !shape.shape -> !shape.size {
  ^bb0(%a: index, %d: !shape.size, %ac: !shape.size):
    %n = shape.mul %ac, %d : !shape.size, !shape.size -> !shape.size
    shape.yield %n : !shape.size
  }
  %41 = shape.meet %z, %z : !shape.size, !shape.size -> !shape.size
  %42 = shape.const_size 3 {foo}
  %43 = shape.const_shape {foo} [1] : tensor<1xindex>
  %44 = shape.cstr_require %8, "some msg" {foo}
  return
}

// CHECK: module {
// CHECK-NEXT: func.func @f(%arg0: tensor<4x?xf32>, %arg1: index, %arg2: !shape.shape, %arg3: tensor<?xindex>, %arg4: tensor<2xindex>, %arg5: !shape.size, %arg6: !shape.witness, %arg7: !shape.value_shape) {
// CHECK-NEXT: %0 = shape.shape_of %arg0 : tensor<4x?xf32> -> tensor<2xindex>
// CHECK-NEXT: %1 = shape.shape_of %arg0 : tensor<4x?xf32> -> !shape.shape
// CHECK-NEXT: %2 = shape.broadcast %arg3, %arg4 : tensor<?xindex>, tensor<2xindex> -> tensor<?xindex>
// CHECK-NEXT: %3 = shape.const_shape [1, 2, 3] : tensor<3xindex>
// CHECK-NEXT: %4 = shape.const_shape [] : !shape.shape
// CHECK-NEXT: %5 = shape.num_elements %arg3 : tensor<?xindex> -> index
// CHECK-NEXT: %6 = shape.num_elements %arg2 : !shape.shape -> !shape.size
// CHECK-NEXT: %7 = shape.cstr_broadcastable %arg3, %arg4 : tensor<?xindex>, tensor<2xindex>
// CHECK-NEXT: %true = arith.constant true
// CHECK-NEXT: %8 = shape.cstr_require %true, "some msg"
// CHECK-NEXT: %9 = shape.cstr_eq %arg3, %arg4 : tensor<?xindex>, tensor<2xindex>
// CHECK-NEXT: %10 = shape.assuming %7 -> (tensor<2xf32>) {
// CHECK-NEXT: %40 = "test.x"() : () -> tensor<2xf32>
// CHECK-NEXT: shape.assuming_yield %40 : tensor<2xf32>
// CHECK-NEXT: }
// CHECK-NEXT: shape.assuming %7 {
// CHECK-NEXT: "test.x"() : () -> ()
// CHECK-NEXT: }
// CHECK-NEXT: %11 = shape.value_as_shape %arg3 : tensor<?xindex> -> !shape.shape
// CHECK-NEXT: %12 = shape.to_extent_tensor %arg2 : !shape.shape -> tensor<?xindex>
// CHECK-NEXT: %13 = shape.get_extent %arg3, %arg1 : tensor<?xindex>, index -> index
// CHECK-NEXT: %14 = shape.get_extent %arg2, %arg5 : !shape.shape, !shape.size -> !shape.size
// CHECK-NEXT: %c10 = shape.const_size 10
// CHECK-NEXT: %15 = shape.const_witness true
// CHECK-NEXT: %16 = shape.const_witness false
// CHECK-NEXT: %17 = shape.concat %arg3, %arg4 : tensor<?xindex>, tensor<2xindex> -> tensor<?xindex>
// CHECK-NEXT: %head, %tail = "shape.split_at"(%arg2, %arg5) : (!shape.shape, !shape.size) -> (!shape.shape, !shape.shape)
// CHECK-NEXT: %18 = shape.rank %arg2 : !shape.shape -> !shape.size
// CHECK-NEXT: %19 = shape.rank %arg3 : tensor<?xindex> -> index
// CHECK-NEXT: %20 = shape.any %arg2, %arg2 : !shape.shape, !shape.shape -> !shape.shape
// CHECK-NEXT: %21 = shape.size_to_index %arg5 : !shape.size
// CHECK-NEXT: %22 = shape.index_to_size %arg1
// CHECK-NEXT: %23 = shape.from_extents %arg1, %arg1 : index, index
// CHECK-NEXT: %24 = shape.from_extent_tensor %arg3 : tensor<?xindex>
// CHECK-NEXT: %25 = shape.is_broadcastable %arg3, %arg4 : tensor<?xindex>, tensor<2xindex>
// CHECK-NEXT: %26 = shape.shape_eq %arg3, %arg4 : tensor<?xindex>, tensor<2xindex>
// CHECK-NEXT: %27 = shape.assuming_all %7, %8
// CHECK-NEXT: %28 = shape.add %arg1, %arg1 : index, index -> index
// CHECK-NEXT: %29 = shape.mul %arg5, %arg1 : !shape.size, index -> !shape.size
// CHECK-NEXT: %30 = shape.div %arg1, %arg1 : index, index -> index
// CHECK-NEXT: %31 = shape.dim %arg0, %arg1 : tensor<4x?xf32>, index -> index
// CHECK-NEXT: %32 = shape.max %arg5, %arg5 : !shape.size, !shape.size -> !shape.size
// CHECK-NEXT: %33 = shape.min %arg5, %arg5 : !shape.size, !shape.size -> !shape.size
// CHECK-NEXT: %34 = shape.value_of %arg7 : tensor<?xf32>
// CHECK-NEXT: %35 = shape.with_shape %arg0, %arg3 : tensor<4x?xf32>, tensor<?xindex>
// CHECK-NEXT: %36 = shape.reduce(%arg2, %arg5) : !shape.shape -> !shape.size {
// CHECK-NEXT: ^bb0(%arg8: index, %arg9: !shape.size, %arg10: !shape.size):
// CHECK-NEXT: %40 = shape.mul %arg10, %arg9 : !shape.size, !shape.size -> !shape.size
// CHECK-NEXT: shape.yield %40 : !shape.size
// CHECK-NEXT: }
// CHECK-NEXT: %37 = shape.meet %arg5, %arg5 : !shape.size, !shape.size -> !shape.size
// CHECK-NEXT: %c3 = shape.const_size 3 {foo}
// CHECK-NEXT: %38 = shape.const_shape  {foo}[1] : tensor<1xindex>
// CHECK-NEXT: %39 = shape.cstr_require %true, "some msg" {foo}
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: }
