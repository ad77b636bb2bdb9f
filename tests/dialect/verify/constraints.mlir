// RUN: tessera opt %s --split-input-file --verify-diagnostics
// What rows ask of types and attributes: classes of elements, shapes, tokens, tuples, buffers, lists.

!q = !quant.uniform<i8:f32, 0.5>
!axis = !quant.uniform<i8:f32:1, {0.5, 0.25}>
func.func @good(%f: tensor<2xf32>, %i: tensor<2xui4>, %b: tensor<i1>, %c: tensor<2xcomplex<f64>>, %q: tensor<2x2x!q>, %a: tensor<3x2x!axis>, %d: tensor<3x?x!axis>, %t: !stablehlo.token, %n: tensor<?xf32, #stablehlo.bounds<4>>, %m: memref<2xf32>) {
  %0 = stablehlo.negate %q : tensor<2x2x!q>
  %1 = stablehlo.add %a, %a : tensor<3x2x!axis>
  %2 = stablehlo.add %d, %d : tensor<3x?x!axis>
  %3 = stablehlo.popcnt %i : tensor<2xui4>
  %4 = stablehlo.custom_call @buffer(%m) : (memref<2xf32>) -> tuple<tuple<!stablehlo.token>, tensor<*xf32>>
  %5 = stablehlo.reshape %n : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<1x?xf32, #stablehlo.bounds<?, 4>>
  return
}

// -----

func.func @unsigned(%a: tensor<2xui8>) {
  // expected-error@+1 {{'stablehlo.abs' op operand #0 must be ranked tensor of 2/4/8/16/32/64-bit signless integer or 4/6/8/16/32/64-bit float or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got 'tensor<2xui8>'}}
  %0 = "stablehlo.abs"(%a) : (tensor<2xui8>) -> tensor<2xui8>
  return
}

// -----

func.func @width(%a: tensor<2xi7>) {
  // expected-error@+1 {{'stablehlo.popcnt' op operand #0 must be ranked tensor of 2/4/8/16/32/64-bit integer values, but got 'tensor<2xi7>'}}
  %0 = "stablehlo.popcnt"(%a) : (tensor<2xi7>) -> tensor<2xi7>
  return
}

// -----

func.func @signed(%a: tensor<2xsi8>) {
  // expected-error@+1 {{op operand #0 must be ranked tensor of bool or 2/4/8/16/32/64-bit integer values, but got 'tensor<2xsi8>'}}
  %0 = "stablehlo.not"(%a) : (tensor<2xsi8>) -> tensor<2xsi8>
  return
}

// -----

func.func @tf32(%a: tensor<2xtf32>) {
  // expected-error@+1 {{op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float or per-tensor integer quantized values, but got 'tensor<2xtf32>'}}
  %0 = "stablehlo.ceil"(%a) : (tensor<2xtf32>) -> tensor<2xtf32>
  return
}

// -----

func.func @complex_of_half(%a: tensor<2xcomplex<f16>>) {
  // expected-error@+1 {{'stablehlo.real' op operand #0 must be}}
  %0 = "stablehlo.real"(%a) : (tensor<2xcomplex<f16>>) -> tensor<2xf16>
  return
}

// -----

func.func @result(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.is_finite' op result #0 must be ranked tensor of bool values, but got 'tensor<2xi8>'}}
  %0 = "stablehlo.is_finite"(%a) : (tensor<2xf32>) -> tensor<2xi8>
  return
}

// -----

func.func @unranked(%a: tensor<*xf32>) {
  // expected-error-re@+1 {{op operand #0 must be ranked tensor of {{.*}}, but got 'tensor<*xf32>'}}
  %0 = "stablehlo.negate"(%a) : (tensor<*xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @scalar(%a: f32) {
  // expected-error-re@+1 {{op operand #0 must be ranked tensor of {{.*}}, but got 'f32'}}
  %0 = "stablehlo.negate"(%a) : (f32) -> f32
  return
}

// -----

!axis = !quant.uniform<i8:f32:1, {0.5, 0.25}>
func.func @axis_where_none_may_be(%a: tensor<3x2x!axis>) {
  // expected-error-re@+1 {{op operand #0 must be ranked tensor of {{.*}} per-tensor integer quantized values, but got}}
  %0 = "stablehlo.negate"(%a) : (tensor<3x2x!axis>) -> tensor<3x2x!axis>
  return
}

// -----

!axis = !quant.uniform<i8:f32:1, {0.5, 0.25}>
func.func @scales_do_not_count_as_the_axis(%a: tensor<3x4x!axis>) {
  // expected-error-re@+1 {{op operand #0 must be ranked tensor of {{.*}} per-axis integer quantized values, but got}}
  %0 = "stablehlo.add"(%a, %a) : (tensor<3x4x!axis>, tensor<3x4x!axis>) -> tensor<3x4x!axis>
  return
}

// -----

!axis = !quant.uniform<i8:f32:2, {0.5, 0.25}>
func.func @axis_beyond_the_rank(%a: tensor<3x2x!axis>) {
  // expected-error-re@+1 {{op operand #0 must be ranked tensor of {{.*}} per-axis integer quantized values, but got}}
  %0 = "stablehlo.add"(%a, %a) : (tensor<3x2x!axis>, tensor<3x2x!axis>) -> tensor<3x2x!axis>
  return
}

// -----

!q = !quant.uniform<i8:f32, 0.5:300>
func.func @zero_point_out_of_range(%a: tensor<2x!q>) {
  // expected-error-re@+1 {{op operand #0 must be ranked tensor of {{.*}} per-tensor integer quantized values, but got}}
  %0 = "stablehlo.negate"(%a) : (tensor<2x!q>) -> tensor<2x!q>
  return
}

// -----

func.func @two_dynamic(%a: tensor<4xf32>) {
  // expected-error-re@+1 {{op result #0 must be statically shaped or single bounded dimension tensor of {{.*}}, but got 'tensor<?x?xf32, #stablehlo.bounds<2, 2>>'}}
  %0 = "stablehlo.reshape"(%a) : (tensor<4xf32>) -> tensor<?x?xf32, #stablehlo.bounds<2, 2>>
  return
}

// -----

func.func @unbounded(%a: tensor<4xf32>) {
  // expected-error-re@+1 {{op result #0 must be statically shaped or single bounded dimension tensor of {{.*}}, but got 'tensor<?xf32>'}}
  %0 = "stablehlo.reshape"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic() {
  // expected-error-re@+1 {{op result #0 must be statically shaped tensor of {{.*}}, but got 'tensor<?xf32>'}}
  %0 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<?xf32>
  return
}

// -----

func.func @rank(%a: tensor<4xf32>, %i: tensor<2x1xi32>) {
  // expected-error@+1 {{op operand #1 must be statically shaped 1-dimensional tensor of index or 2/4/8/16/32/64-bit integer values, but got 'tensor<2x1xi32>'}}
  %0 = "stablehlo.dynamic_reshape"(%a, %i) : (tensor<4xf32>, tensor<2x1xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @rank_0(%a: tensor<4xf32>, %i: tensor<1xi32>) {
  // expected-error@+1 {{op operand #1 must be variadic of 0D tensor of 2/4/8/16/32/64-bit integer values, but got 'tensor<1xi32>'}}
  %0 = "stablehlo.dynamic_slice"(%a, %i) {slice_sizes = array<i64: 1>} : (tensor<4xf32>, tensor<1xi32>) -> tensor<1xf32>
  return
}

// -----

func.func @token(%a: tensor<4xf32>) {
  // expected-error@+1 {{op operand #0 must be variadic of token, but got 'tensor<4xf32>'}}
  %0 = "stablehlo.after_all"(%a) : (tensor<4xf32>) -> !stablehlo.token
  return
}

// -----

func.func @member_of_tuple(%a: tuple<tensor<4xf32>, f32>) {
  // expected-error-re@+1 {{op operand #0 must be nested tuple with any combination of {{.*}}, but got 'tuple<tensor<4xf32>, f32>'}}
  %0 = "stablehlo.get_tuple_element"(%a) {index = 0 : i32} : (tuple<tensor<4xf32>, f32>) -> tensor<4xf32>
  return
}

// -----

func.func @attribute_missing(%a: tensor<4xf32>) {
  // expected-error@+1 {{'stablehlo.transpose' op requires attribute 'permutation'}}
  %0 = "stablehlo.transpose"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @attribute_before_types(%a: f32) {
  // expected-error@+1 {{op attribute 'permutation' failed to satisfy constraint: i64 dense array attribute}}
  %0 = "stablehlo.transpose"(%a) {permutation = array<i32: 0>} : (f32) -> f32
  return
}

// -----

func.func @negative(%a: tuple<tensor<4xf32>>) {
  // expected-error@+1 {{op attribute 'index' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.get_tuple_element"(%a) {index = -1 : i32} : (tuple<tensor<4xf32>>) -> tensor<4xf32>
  return
}

// -----

func.func @version() {
  // expected-error@+1 {{op attribute 'api_version' failed to satisfy constraint: allowed 32-bit signless integer cases: 0, 1, 2, 3, 4}}
  "stablehlo.custom_call"() {call_target_name = "f", api_version = 5 : i32} : () -> ()
  return
}

// -----

func.func @config() {
  // expected-error@+1 {{op attribute 'backend_config' failed to satisfy constraint: string attribute or dictionary of named attribute values}}
  "stablehlo.custom_call"() {call_target_name = "f", backend_config = 5 : i32} : () -> ()
  return
}

// -----

func.func @layouts() {
  // expected-error@+1 {{op attribute 'operand_layouts' failed to satisfy constraint: Array of layout (1D tensor of index type) attributes}}
  "stablehlo.custom_call"() {call_target_name = "f", operand_layouts = [dense<0> : tensor<1xi64>], result_layouts = []} : () -> ()
  return
}

// -----

func.func @tilings() {
  // expected-error@+1 {{op attribute 'result_tilings' failed to satisfy constraint: Array of tiling attributes}}
  "stablehlo.custom_call"() {call_target_name = "f", result_tilings = [dense<0> : tensor<1xindex>]} : () -> ()
  return
}

// -----

func.func @aliases() {
  // expected-error@+1 {{op attribute 'output_operand_aliases' failed to satisfy constraint: Aliasing attribute for outputs and operands of CustomCall}}
  "stablehlo.custom_call"() {call_target_name = "f", output_operand_aliases = ["a"]} : () -> ()
  return
}

// -----

func.func @callees() {
  // expected-error@+1 {{op attribute 'called_computations' failed to satisfy constraint: flat symbol ref array attribute}}
  "stablehlo.custom_call"() {call_target_name = "f", called_computations = [@a::@b]} : () -> ()
  return
}

// -----

func.func @precision(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{op attribute 'precision_config' failed to satisfy constraint: Precision Config attribute}}
  %0 = "stablehlo.dot"(%a, %a) {precision_config = ["HIGH"]} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @groups(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{op attribute 'replica_groups' failed to satisfy constraint: 64-bit signless integer elements attribute or mesh and axes based replica groups representation.}}
  %0 = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<0> : tensor<1x1xi32>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @region(%a: tensor<i32>) {
  // expected-error@+1 {{'stablehlo.case' op region #0 ('branches') failed to verify constraint: region with 1 blocks}}
  "stablehlo.case"(%a) ({}) : (tensor<i32>) -> ()
  return
}
