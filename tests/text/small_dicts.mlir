// RUN: tessera opt %s --allow-unregistered-dialect | FileCheck %s
// RUN: tessera opt %s --allow-unregistered-dialect -o %t && tessera opt %t --allow-unregistered-dialect -o %t.again && cmp %t %t.again
// Where attribute dictionaries stand in the small dialects.

func.func @f(%t: tensor<4x?xf32>, %i: index, %s: !shape.shape, %e: tensor<?xindex>, %e2: tensor<2xindex>, %z: !shape.size, %w: !shape.witness, %v: !shape.value_shape, %p: i1, %x: f32) {
  %0 = "shape.shape_of"(%t) {foo} : (tensor<4x?xf32>) -> tensor<2xindex>
  %2 = "shape.broadcast"(%e, %e2) {error="a", foo}: (tensor<?xindex>, tensor<2xindex>) -> tensor<?xindex>
  %5 = "shape.num_elements"(%e) {foo}: (tensor<?xindex>) -> index
  %7 = "shape.cstr_broadcastable"(%e, %e2) {foo}: (tensor<?xindex>, tensor<2xindex>) -> !shape.witness
  %10 = "shape.cstr_eq" (%e, %e2) {foo}: (tensor<?xindex>, tensor<2xindex>) -> !shape.witness
  shape.assuming %7 {
    shape.assuming_yield {foo}
  } {bar}
  %12 = "shape.value_as_shape"(%e) {foo}: (tensor<?xindex>) -> !shape.shape
  %13 = "shape.to_extent_tensor"(%s) {foo}: (!shape.shape) -> tensor<?xindex>
  %14 = "shape.get_extent"(%e, %i) {foo}: (tensor<?xindex>, index) -> index
  %17 = "shape.const_witness"() {passing = true, foo} : () -> !shape.witness
  %19 = "shape.concat"(%e, %e2) {foo}: (tensor<?xindex>, tensor<2xindex>) -> tensor<?xindex>
  %22 = "shape.rank"(%s) {foo}: (!shape.shape) -> !shape.size
  %24 = "shape.any"(%s, %s) {foo}: (!shape.shape, !shape.shape) -> !shape.shape
  %25 = "shape.size_to_index"(%z) {foo}: (!shape.size) -> index
  %26 = "shape.index_to_size"(%i) {foo} : (index) -> !shape.size
  %27 = "shape.from_extents"(%i, %i) {foo}: (index, index) -> !shape.shape
  %28 = "shape.from_extent_tensor"(%e) {foo}: (tensor<?xindex>) -> !shape.shape
  %29 = "shape.is_broadcastable"(%e, %e2) {foo}: (tensor<?xindex>, tensor<2xindex>) -> i1
  %30 = "shape.shape_eq"(%e, %e2) {foo}: (tensor<?xindex>, tensor<2xindex>) -> i1
  %31 = "shape.assuming_all"(%7, %10) {foo} : (!shape.witness, !shape.witness) -> !shape.witness
  %32 = "shape.add"(%i, %i) {foo}: (index, index) -> index
  %35 = "shape.dim"(%t, %i) {foo}: (tensor<4x?xf32>, index) -> index
  %36 = "shape.max"(%z, %z) {foo}: (!shape.size, !shape.size) -> !shape.size
  %38 = "shape.value_of"(%v) {foo}: (!shape.value_shape) -> tensor<?xf32>
  %39 = "shape.with_shape"(%t, %e) {foo}: (tensor<4x?xf32>, tensor<?xindex>) -> !shape.value_shape
  %41 = "shape.meet"(%z, %z) {error = "x", foo}: (!shape.size, !shape.size) -> !shape.size
  %r = "shape.reduce"(%s, %z) ({
    ^bb0(%arg8: index, %arg9: !shape.size, %arg10: !shape.size):
      %44 = "shape.mul"(%arg10, %arg9) : (!shape.size, !shape.size) -> !shape.size
      "shape.yield"(%44) {foo} : (!shape.size) -> ()
    }) {bar} : (!shape.shape, !shape.size) -> !shape.size
    %u10 = "tensor.generate"() ({
    ^bb0(%arg8: index):
      "tensor.yield"(%x) {foo} : (f32) -> ()
    }) {bar} : () -> tensor<4xf32>
    %u2 = "tensor.empty"() {a} : () -> tensor<4xf32>
    %u3 = "tensor.dim"(%t, %i) {a} : (tensor<4x?xf32>, index) -> index
    %u4 = "tensor.rank"(%t) {a} : (tensor<4x?xf32>) -> index
    %u6 = "tensor.insert"(%x, %t, %i, %i) {a} : (f32, tensor<4x?xf32>, index, index) -> tensor<4x?xf32>
    %u7 = "tensor.from_elements"(%x, %x) {a} : (f32, f32) -> tensor<2xf32>
    %u77 = "tensor.from_elements"(%x) {a} : (f32) -> tensor<f32>
    %u8 = "tensor.cast"(%t) {a} : (tensor<4x?xf32>) -> tensor<?x?xf32>
    %u9 = "tensor.reshape"(%t, %e2) {a} : (tensor<4x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %u11 = "tensor.splat"(%x) {a} : (f32) -> tensor<8xf32>
    %u12 = "tensor.splat"(%x, %i) {a} : (f32, index) -> tensor<?x8xf32>
    %u16 = "tensor.expand_shape"(%t, %i) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 2, -9223372036854775808>}> {a} : (tensor<4x?xf32>, index) -> tensor<2x2x?xf32>
    %u17 = "tensor.collapse_shape"(%t) <{reassociation = [[0, 1]]}> {a} : (tensor<4x?xf32>) -> tensor<?xf32>
    %u18 = "tensor.pad"(%t, %i) <{operandSegmentSizes = array<i32: 1, 1, 0>, static_high = array<i64: 0, 0>, static_low = array<i64: 1, -9223372036854775808>, nofold}> ({
    ^bb0(%arg6: index, %arg7: index):
      "tensor.yield"(%x) : (f32) -> ()
    }) {a} : (tensor<4x?xf32>, index) -> tensor<5x?xf32>
    %u19 = "tensor.concat"(%t, %t) <{dim = 0 : i64}> {a} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<8x?xf32>
    %u23 = "tensor.extract"(%u77) {a} : (tensor<f32>) -> f32
    %p1 = "ub.poison"() {a} : () -> f32
    scf.if %p { scf.yield {a} } else { } {b}
    scf.for %a = %i to %i step %i { scf.yield {a} }
    scf.while : () -> () { scf.condition(%p) {a} } do { scf.yield {b} } 
    "scf.if"(%p) ({ scf.yield }, { scf.yield }) : (i1) -> ()
    "scf.if"(%p) ({ scf.yield }, { "test.x"(): () -> () scf.yield }) : (i1) -> ()
    "scf.if"(%p) ({ scf.yield }, { }) : (i1) -> ()
  return
}

// CHECK: module {
// CHECK-NEXT: func.func @f(%arg0: tensor<4x?xf32>, %arg1: index, %arg2: !shape.shape, %arg3: tensor<?xindex>, %arg4: tensor<2xindex>, %arg5: !shape.size, %arg6: !shape.witness, %arg7: !shape.value_shape, %arg8: i1, %arg9: f32) {
// CHECK-NEXT: %0 = shape.shape_of %arg0 {foo} : tensor<4x?xf32> -> tensor<2xindex>
// CHECK-NEXT: %1 = shape.broadcast %arg3, %arg4 {error = "a", foo} : tensor<?xindex>, tensor<2xindex> -> tensor<?xindex>
// CHECK-NEXT: %2 = shape.num_elements %arg3 {foo} : tensor<?xindex> -> index
// CHECK-NEXT: %3 = shape.cstr_broadcastable %arg3, %arg4 {foo} : tensor<?xindex>, tensor<2xindex>
// CHECK-NEXT: %4 = shape.cstr_eq %arg3, %arg4 {foo} : tensor<?xindex>, tensor<2xindex>
// CHECK-NEXT: shape.assuming %3 {
// CHECK-NEXT: } {bar}
// CHECK-NEXT: %5 = shape.value_as_shape %arg3 {foo} : tensor<?xindex> -> !shape.shape
// CHECK-NEXT: %6 = shape.to_extent_tensor %arg2 {foo} : !shape.shape -> tensor<?xindex>
// CHECK-NEXT: %7 = shape.get_extent %arg3, %arg1 {foo} : tensor<?xindex>, index -> index
// CHECK-NEXT: %8 = shape.const_witness true {foo}
// CHECK-NEXT: %9 = shape.concat %arg3, %arg4 {foo} : tensor<?xindex>, tensor<2xindex> -> tensor<?xindex>
// CHECK-NEXT: %10 = shape.rank %arg2 {foo} : !shape.shape -> !shape.size
// CHECK-NEXT: %11 = shape.any %arg2, %arg2 {foo} : !shape.shape, !shape.shape -> !shape.shape
// CHECK-NEXT: %12 = shape.size_to_index %arg5 {foo} : !shape.size
// CHECK-NEXT: %13 = shape.index_to_size %arg1 {foo}
// CHECK-NEXT: %14 = shape.from_extents %arg1, %arg1 {foo} : index, index
// CHECK-NEXT: %15 = shape.from_extent_tensor %arg3 {foo} : tensor<?xindex>
// CHECK-NEXT: %16 = shape.is_broadcastable %arg3, %arg4 {foo} : tensor<?xindex>, tensor<2xindex>
// CHECK-NEXT: %17 = shape.shape_eq %arg3, %arg4 {foo} : tensor<?xindex>, tensor<2xindex>
// CHECK-NEXT: %18 = shape.assuming_all %3, %4 {foo}
// CHECK-NEXT: %19 = shape.add %arg1, %arg1 {foo} : index, index -> index
// CHECK-NEXT: %20 = shape.dim %arg0, %arg1 {foo} : tensor<4x?xf32>, index -> index
// CHECK-NEXT: %21 = shape.max %arg5, %arg5 {foo} : !shape.size, !shape.size -> !shape.size
// CHECK-NEXT: %22 = shape.value_of %arg7 {foo} : tensor<?xf32>
// CHECK-NEXT: %23 = shape.with_shape %arg0, %arg3 {foo} : tensor<4x?xf32>, tensor<?xindex>
// CHECK-NEXT: %24 = shape.meet %arg5, %arg5, error = "x" {foo} : !shape.size, !shape.size -> !shape.size
// CHECK-NEXT: %25 = shape.reduce(%arg2, %arg5) : !shape.shape -> !shape.size {
// CHECK-NEXT: ^bb0(%arg10: index, %arg11: !shape.size, %arg12: !shape.size):
// CHECK-NEXT: %28 = shape.mul %arg12, %arg11 : !shape.size, !shape.size -> !shape.size
// CHECK-NEXT: shape.yield {foo} %28 : !shape.size
// CHECK-NEXT: } {bar}
// CHECK-NEXT: %generated = tensor.generate  {
// CHECK-NEXT: ^bb0(%arg10: index):
// CHECK-NEXT: tensor.yield %arg9 {foo} : f32
// CHECK-NEXT: } {bar} : tensor<4xf32>
// CHECK-NEXT: %26 = tensor.empty() {a} : tensor<4xf32>
// CHECK-NEXT: %dim = tensor.dim {a} %arg0, %arg1 : tensor<4x?xf32>
// CHECK-NEXT: %rank = tensor.rank %arg0 {a} : tensor<4x?xf32>
// CHECK-NEXT: %inserted = tensor.insert %arg9 into %arg0[%arg1, %arg1] {a} : tensor<4x?xf32>
// CHECK-NEXT: %from_elements = tensor.from_elements %arg9, %arg9 {a} : tensor<2xf32>
// CHECK-NEXT: %from_elements_0 = tensor.from_elements %arg9 {a} : tensor<f32>
// CHECK-NEXT: %cast = tensor.cast %arg0 {a} : tensor<4x?xf32> to tensor<?x?xf32>
// CHECK-NEXT: %reshape = tensor.reshape %arg0(%arg4) {a} : (tensor<4x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
// CHECK-NEXT: %splat = tensor.splat %arg9 {a} : tensor<8xf32>
// CHECK-NEXT: %splat_1 = tensor.splat %arg9[%arg1] {a} : tensor<?x8xf32>
// CHECK-NEXT{LITERAL}: %expanded = tensor.expand_shape %arg0 [[0, 1], [2]] output_shape [2, 2, %arg1] {a} : tensor<4x?xf32> into tensor<2x2x?xf32>
// CHECK-NEXT{LITERAL}: %collapsed = tensor.collapse_shape %arg0 [[0, 1]] {a} : tensor<4x?xf32> into tensor<?xf32>
// CHECK-NEXT: %padded = tensor.pad %arg0 nofold low[1, %arg1] high[0, 0] {
// CHECK-NEXT: ^bb0(%arg10: index, %arg11: index):
// CHECK-NEXT: tensor.yield %arg9 : f32
// CHECK-NEXT: } {a} : tensor<4x?xf32> to tensor<5x?xf32>
// CHECK-NEXT: %concat = tensor.concat dim(0) %arg0, %arg0 {a} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<8x?xf32>
// CHECK-NEXT: %extracted = tensor.extract %from_elements_0[] {a} : tensor<f32>
// CHECK-NEXT: %27 = ub.poison {a} : f32
// CHECK-NEXT: scf.if %arg8 {
// CHECK-NEXT: } else {
// CHECK-NEXT: } {b}
// CHECK-NEXT: scf.for %arg10 = %arg1 to %arg1 step %arg1 {
// CHECK-NEXT: }
// CHECK-NEXT: scf.while : () -> () {
// CHECK-NEXT: scf.condition(%arg8) {a}
// CHECK-NEXT: } do {
// CHECK-NEXT: scf.yield {b}
// CHECK-NEXT: }
// CHECK-NEXT: scf.if %arg8 {
// CHECK-NEXT: } else {
// CHECK-NEXT: }
// CHECK-NEXT: scf.if %arg8 {
// CHECK-NEXT: } else {
// CHECK-NEXT: "test.x"() : () -> ()
// CHECK-NEXT: }
// CHECK-NEXT: scf.if %arg8 {
// CHECK-NEXT: }
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: }
