// RUN: tessera opt %s --tessera-raise-custom-calls -split-input-file | FileCheck %s

// What exporters write for themselves goes; what the user said stays, shardings among mhlo.attributes too.
// CHECK-LABEL: @unary
// CHECK: chlo.erf %arg0 {mhlo.sharding = "{replicated}", note = "mine"} : tensor<3x?xbf16> -> tensor<3x?xbf16>
func.func @unary(%x: tensor<3x?xbf16>) -> tensor<3x?xbf16> {
  %0 = stablehlo.custom_call @mhlo.erf(%x) {backend_config = "", mhlo.attributes = {mhlo.sharding = "{replicated}"}, mhlo.version = 1 : i64, note = "mine"} : (tensor<3x?xbf16>) -> tensor<3x?xbf16>
  return %0 : tensor<3x?xbf16>
}

// -----

// CHECK-LABEL: @largest
// CHECK: chlo.top_k(%arg0, k = 2) : tensor<4x5xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
func.func @largest(%x: tensor<4x5xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>) {
  %0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<4x5xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return %0#0, %0#1 : tensor<4x2xf32>, tensor<4x2xi32>
}

// -----

// The least ones are sorted for; shardings of results stand on what gives them.
// CHECK-LABEL: @least
// CHECK: stablehlo.iota dim = 1 : tensor<4x5xi32>
// CHECK: "stablehlo.sort"{{.*}} <{dimension = 1 : i64, is_stable = true}>
// CHECK: stablehlo.compare LT, %{{.*}}, %{{.*}}, TOTALORDER
// CHECK: stablehlo.slice {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<4x5xf32>) -> tensor<4x2xf32>
// CHECK: stablehlo.slice {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<4x5xi32>) -> tensor<4x2xi32>
sdy.mesh @mesh = <["x"=2]>
func.func @least(%x: tensor<4x5xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>) {
  %0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = false}, mhlo.version = 1 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>]>} : (tensor<4x5xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return %0#0, %0#1 : tensor<4x2xf32>, tensor<4x2xi32>
}

// -----

// CHECK-LABEL: @approximate
// CHECK: "stablehlo.sort"(%arg0, %arg1) <{dimension = 0 : i64, is_stable = true}> ({
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>, %{{.*}}: tensor<i32>, %{{.*}}: tensor<i32>):
// CHECK-NEXT: stablehlo.compare GT
// CHECK-NEXT: stablehlo.return
// CHECK: stablehlo.slice {{.*}} [0:3, 0:2] : (tensor<8x2xf32>) -> tensor<3x2xf32>
func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @approximate(%x: tensor<8x2xf32>, %i: tensor<8x2xi32>, %a: tensor<f32>, %b: tensor<i32>) -> (tensor<3x2xf32>, tensor<3x2xi32>) {
  %0:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %a, %b) {called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.949999988 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<8x2xf32>, tensor<8x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)
  return %0#0, %0#1 : tensor<3x2xf32>, tensor<3x2xi32>
}

// -----

// CHECK-LABEL: @ragged
// CHECK: "chlo.ragged_dot"(%arg0, %arg1, %arg2) <{precision_config = [#chlo<precision HIGH>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<{{.*}}lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
func.func @ragged(%a: tensor<8x4xf32>, %b: tensor<3x4x5xf32>, %g: tensor<3xi32>) -> tensor<8x5xf32> {
  %0 = stablehlo.custom_call @chlo.ragged_dot(%a, %b, %g) {mhlo.attributes = {precision_config = ["HIGH", "DEFAULT"], ragged_dot_dimension_numbers = [dense<> : tensor<0xi64>, dense<> : tensor<0xi64>, dense<1> : tensor<1xi64>, dense<1> : tensor<1xi64>, dense<0> : tensor<1xi64>, dense<0> : tensor<1xi64>]}, mhlo.version = 1 : i64} : (tensor<8x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}

// -----

// CHECK-LABEL: @scan
// CHECK: chlo.scan
// CHECK: stablehlo.add
func.func private @body(%x: tensor<f32>, %c: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.add %x, %c : tensor<f32>
  return %0, %0 : tensor<f32>, tensor<f32>
}
func.func @scan(%x: tensor<4xf32>, %c: tensor<f32>) -> (tensor<4xf32>, tensor<f32>) {
  %0:2 = stablehlo.custom_call @chlo.scan(%x, %c) {called_computations = [@body], mhlo.attributes = {dimension = 0 : i64, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}, mhlo.version = 1 : i64} : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<f32>
}

// -----

// Matrices are whole, batches divided.
// CHECK-LABEL: @factors
// CHECK: stablehlo.custom_call @lapack_sgeqrf_ffi(%arg0) {mhlo.backend_config = {}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=2, j=4, k=3, l=4, m=3, n=3} need_replication={j, k, l, m, n}, custom>}
// CHECK: stablehlo.custom_call @lapack_sorgqr_ffi
// CHECK: stablehlo.custom_call @lapack_zheevd_ffi(%arg1) {mhlo.backend_config = {mode = 86 : ui8, uplo = 85 : ui8}
// CHECK: stablehlo.convert %arg2 : (tensor<3x3xbf16>) -> tensor<3x3xf32>
// CHECK: stablehlo.custom_call @lapack_ssyevd_ffi
// CHECK: stablehlo.convert {{.*}} : (tensor<3xf32>) -> tensor<3xbf16>
func.func @factors(%a: tensor<2x4x3xf32>, %h: tensor<3x3xcomplex<f64>>, %s: tensor<3x3xbf16>) -> (tensor<2x4x3xf32>, tensor<3xf64>, tensor<3xbf16>) {
  %0:2 = stablehlo.custom_call @Qr(%a) : (tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xf32>)
  %1 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%0#0, %0#1) : (tensor<2x4x3xf32>, tensor<2x3xf32>) -> tensor<2x4x3xf32>
  %2:2 = stablehlo.custom_call @Eigh(%h) {backend_config = "0,1,100,1e-6"} : (tensor<3x3xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<3xf64>)
  %3:2 = stablehlo.custom_call @Eigh(%s) {backend_config = "1,1,100,1e-6"} : (tensor<3x3xbf16>) -> (tensor<3x3xbf16>, tensor<3xbf16>)
  return %1, %2#1, %3#1 : tensor<2x4x3xf32>, tensor<3xf64>, tensor<3xbf16>
}

// -----

// Results in a tuple, as torch_xla has them: elements are taken directly; who wants the tuple gets one.
// CHECK-LABEL: @tuple
// CHECK: %[[V:.*]]:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%arg0)
// CHECK: %[[T:.*]] = stablehlo.tuple %[[V]]#0, %[[V]]#1
// CHECK-NOT: get_tuple_element
// CHECK: return %[[V]]#1, %[[T]]
func.func @tuple(%a: tensor<3x3xf32>) -> (tensor<3xf32>, tuple<tensor<3x3xf32>, tensor<3xf32>>) {
  %0 = stablehlo.custom_call @Eigh(%a) {backend_config = "1,1,100,0.000001", xla_shape = "(f32[3,3]{1,0}, f32[3]{0})"} : (tensor<3x3xf32>) -> tuple<tensor<3x3xf32>, tensor<3xf32>>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<3x3xf32>, tensor<3xf32>>) -> tensor<3xf32>
  return %1, %0 : tensor<3xf32>, tuple<tensor<3x3xf32>, tensor<3xf32>>
}

// -----

// A call in the body of a scan, which is copied.
// CHECK-LABEL: @inside
// CHECK: chlo.scan
// CHECK: chlo.erf
func.func @inside(%x: tensor<4xf32>, %c: tensor<f32>) -> (tensor<4xf32>, tensor<f32>) {
  %0:2 = stablehlo.custom_call @chlo.scan(%x, %c) {called_computations = [@body], mhlo.attributes = {dimension = 0 : i64, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}, mhlo.version = 1 : i64} : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<f32>
}
func.func private @body(%x: tensor<f32>, %c: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.custom_call @mhlo.erf(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.add %0, %c : tensor<f32>
  return %1, %1 : tensor<f32>, tensor<f32>
}
