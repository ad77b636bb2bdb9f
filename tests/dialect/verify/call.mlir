// RUN: tessera opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Rules of custom_call and composite, and of ops that talk to the host.

func.func private @sum(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
func.func @good(%a: tensor<2x3xf32>, %b: tensor<2xf32>, %m: memref<2xf32>, %t: !stablehlo.token) {
  %0 = stablehlo.composite "my.sum.of_$2" %b, %b {decomposition = @sum} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = "stablehlo.custom_call"(%a, %t) {call_target_name = "f", operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2x3xf32>, !stablehlo.token) -> tuple<tensor<2xf32>>
  %2:2 = "stablehlo.custom_call"(%m, %a) {call_target_name = "g", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>]} : (memref<2xf32>, tensor<2x3xf32>) -> (tensor<f32>, memref<2xf32>)
  %3 = "stablehlo.custom_call"(%b) {call_target_name = "Pin", backend_config = {}, api_version = 4 : i32} : (tensor<2xf32>) -> memref<2xf32>
  %4 = "stablehlo.custom_call"(%3) {call_target_name = "Unpin"} : (memref<2xf32>) -> tensor<2xf32>
  %5 = "stablehlo.custom_call"() {call_target_name = "CreateBuffer"} : () -> memref<2xf32>
  %6:2 = "stablehlo.infeed"(%t) {layout = [[0]]} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  %7 = "stablehlo.outfeed"(%b, %6#1) : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  %8 = "stablehlo.send"(%b, %7) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  %9:2 = "stablehlo.recv"(%8) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op Layout attributes should be specified for either both operands and results or none.}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "f", operand_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op Number of operands must match the number of operand layouts, 1 != 0}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "f", operand_layouts = [], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op Number of results must match the number of result layouts, 1 != 2}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "f", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tuple<tensor<f32>>) {
  // expected-error @+1 {{'stablehlo.custom_call' op Tuple types are not fully supported with layout constraints yet}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "f", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tuple<tensor<f32>>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.custom_call' op Only tensor types can have non-empty layout: operand #0 of type '!stablehlo.token' has layout dense<[0, 1]> : tensor<2xindex>}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "f", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (!stablehlo.token) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op incorrect layout dense<[0, 2]> : tensor<2xindex> for type 'tensor<2x3xf32>', layout must be a permutation of [0, 2)}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "f", operand_layouts = [dense<[0, 2]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op incorrect layout dense<0> : tensor<2xindex> for type 'tensor<2x3xf32>', layout must be a permutation of [0, 2)}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "f", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op expects operandIndex in the output_operand_alias attribute to be in range [0, 1); got: 1.}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op operand_tuple_indices in the output_operand_alias attribute out of bounds}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = [0]>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op output_tuple_indices in the output_operand_alias attribute out of bounds}}
  %0:2 = "stablehlo.custom_call"(%a) {call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [2], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op output_tuple_indices in the output_operand_alias attribute out of bounds}}
  "stablehlo.custom_call"(%a) {call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> ()
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op shapes mismatch in the output_operand_alias attribute: operand part has type 'tensor<2x3xf32>' and output part has type 'tensor<2xf32>'}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: memref<2xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op buffer operand 0[] is used in output_operand_alias more than once}}
  %0:2 = "stablehlo.custom_call"(%a) {call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>]} : (memref<2xf32>) -> (memref<2xf32>, memref<2xf32>)
  return
}

// -----

func.func @f(%a: memref<2xf32>, %b: memref<2xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op buffer output [0] is used in output_operand_alias more than once}}
  %0:2 = "stablehlo.custom_call"(%a, %b) {call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 1, operand_tuple_indices = []>]} : (memref<2xf32>, memref<2xf32>) -> (memref<2xf32>, tensor<f32>)
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op buffer output [1] is not used in output_operand_alias}}
  %0:2 = "stablehlo.custom_call"(%a) {call_target_name = "f", output_operand_aliases = []} : (tensor<2x3xf32>) -> (tensor<f32>, memref<2xf32>)
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op buffer output [0, 0] is not used in output_operand_alias}}
  %0:2 = "stablehlo.custom_call"(%a) {call_target_name = "f", output_operand_aliases = []} : (tensor<2x3xf32>) -> (tuple<memref<2xf32>>, tensor<f32>)
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'stablehlo.custom_call' op backend_config for api_version API_VERSION_TYPED_FFI must be a dictionary attribute.}}
  "stablehlo.custom_call"() {call_target_name = "f", api_version = 4 : i32, backend_config = "x"} : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'stablehlo.custom_call' op backend_config for api_version API_VERSION_ORIGINAL must be a string attribute.}}
  "stablehlo.custom_call"() {call_target_name = "f", backend_config = {}} : () -> ()
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op CreateBuffer custom_call shouldn't have any inputs}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "CreateBuffer"} : (tensor<2x3xf32>) -> memref<2xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'stablehlo.custom_call' op CreateBuffer custom_call should have one result}}
  "stablehlo.custom_call"() {call_target_name = "CreateBuffer"} : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'stablehlo.custom_call' op CreateBuffer custom_call should have a memref result}}
  %0 = "stablehlo.custom_call"() {call_target_name = "CreateBuffer"} : () -> tensor<2x3xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'stablehlo.custom_call' op Pin custom_call should have one input}}
  %0 = "stablehlo.custom_call"() {call_target_name = "Pin"} : () -> memref<2xf32>
  return
}

// -----

func.func @f(%a: memref<2xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op Pin custom_call should have a tensor input}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "Pin"} : (memref<2xf32>) -> memref<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op Pin custom_call should have one output}}
  "stablehlo.custom_call"(%a) {call_target_name = "Pin"} : (tensor<2xf32>) -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op Pin custom_call should have a memref output}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "Pin"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op Pin custom_call should have compatible input and output types}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "Pin"} : (tensor<2xf32>) -> memref<2xi32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'stablehlo.custom_call' op Unpin custom_call should have one input}}
  %0 = "stablehlo.custom_call"() {call_target_name = "Unpin"} : () -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op Unpin custom_call should have a memref input}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "Unpin"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: memref<2xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op Unpin custom_call should have one output}}
  "stablehlo.custom_call"(%a) {call_target_name = "Unpin"} : (memref<2xf32>) -> ()
  return
}

// -----

func.func @f(%a: memref<2xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op Unpin custom_call should have a tensor output}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "Unpin"} : (memref<2xf32>) -> memref<2xf32>
  return
}

// -----

func.func @f(%a: memref<2xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op Unpin custom_call should have compatible input and output types}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "Unpin"} : (memref<2xf32>) -> tensor<2xi32>
  return
}

// -----

func.func private @d(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>) {
  // expected-error @+1 {{name must be a valid namespaced op name, i.e. it must match the following regular expression: ^[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+$ e.g. "my_namespace.my_op"}}
  %0 = "stablehlo.composite"(%a) {name = "", decomposition = @d} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @d(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>) {
  // expected-error @+1 {{name must be a valid namespaced op name, i.e. it must match the following regular expression: ^[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+$ e.g. "my_namespace.my_op"}}
  %0 = "stablehlo.composite"(%a) {name = "op", decomposition = @d} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @d(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>) {
  // expected-error @+1 {{name must be a valid namespaced op name, i.e. it must match the following regular expression: ^[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+$ e.g. "my_namespace.my_op"}}
  %0 = "stablehlo.composite"(%a) {name = "1a.b", decomposition = @d} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @d(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>) {
  // expected-error @+1 {{name must be a valid namespaced op name, i.e. it must match the following regular expression: ^[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+$ e.g. "my_namespace.my_op"}}
  %0 = "stablehlo.composite"(%a) {name = "a$.b", decomposition = @d} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @d(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>) {
  // expected-error @+1 {{name must be a valid namespaced op name, i.e. it must match the following regular expression: ^[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+$ e.g. "my_namespace.my_op"}}
  %0 = "stablehlo.composite"(%a) {name = "a..b", decomposition = @d} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @d(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>) {
  // expected-error @+1 {{name must be a valid namespaced op name, i.e. it must match the following regular expression: ^[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+$ e.g. "my_namespace.my_op"}}
  %0 = "stablehlo.composite"(%a) {name = "a.", decomposition = @d} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @d(tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>) {
  // expected-error @+1 {{'e' does not reference a valid function}}
  %0 = "stablehlo.composite"(%a) {name = "my.op", decomposition = @e} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @d(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>) {
  // expected-error @+1 {{has 1 operand(s), but decomposition has 2}}
  %0 = "stablehlo.composite"(%a) {name = "my.op", decomposition = @d} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @d(tensor<?xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>) {
  // expected-error @+1 {{operand at index 0 has type 'tensor<2xf32>', but decomposition has type 'tensor<?xf32>'}}
  %0 = "stablehlo.composite"(%a) {name = "my.op", decomposition = @d} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @d(tensor<2xf32>)
func.func @f(%a: tensor<2xf32>) {
  // expected-error @+1 {{has 1 result(s), but decomposition has 0}}
  %0 = "stablehlo.composite"(%a) {name = "my.op", decomposition = @d} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @d(tensor<2xf32>) -> tensor<3xf32>
func.func @f(%a: tensor<2xf32>) {
  // expected-error @+1 {{result at index 0 has type 'tensor<2xf32>', but decomposition has type 'tensor<3xf32>'}}
  %0 = "stablehlo.composite"(%a) {name = "my.op", decomposition = @d} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%t: !stablehlo.token) {
  // expected-error @+1 {{result is expected to be at least of size 1, but got 0}}
  "stablehlo.infeed"(%t) {} : (!stablehlo.token) -> ()
  return
}

// -----

func.func @f(%t: !stablehlo.token) {
  // expected-error @+1 {{all elements of result types, except the last element, are expected to be of tensor type, but got '!stablehlo.token'}}
  %0:2 = "stablehlo.infeed"(%t) {} : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}

// -----

func.func @f(%t: !stablehlo.token) {
  // expected-error @+1 {{last element of result types is expected to be of token type, but got 'tensor<2xf32>'}}
  %0 = "stablehlo.infeed"(%t) {} : (!stablehlo.token) -> tensor<2xf32>
  return
}

// -----

func.func @f(%t: !stablehlo.token) {
  // expected-error @+1 {{layout-attribute size must be 1 (which is the number of op-results - 1 (for token result)), but got 2}}
  %0:2 = "stablehlo.infeed"(%t) {layout = [[0], [0]]} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// -----

func.func @f(%t: !stablehlo.token) {
  // expected-error @+1 {{layout-attribute expected to have elements of type array, but got 0 : i64}}
  %0:2 = "stablehlo.infeed"(%t) {layout = [0]} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// -----

func.func @f(%t: !stablehlo.token) {
  // expected-error @+1 {{layout-attribute's leaf elements are expected to be of type integer, but got "x"}}
  %0:2 = "stablehlo.infeed"(%t) {layout = [["x"]]} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// -----

func.func @f(%t: !stablehlo.token) {
  // expected-error @+2 {{channel_type should be DEVICE_TO_DEVICE when is_host_transfer is false}}
  // expected-error @+1 {{'stablehlo.send' op failed to infer returned types}}
  %0 = "stablehlo.send"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>} : (!stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @f(%t: !stablehlo.token) {
  // expected-error @+2 {{channel_type should be DEVICE_TO_HOST when is_host_transfer is true}}
  // expected-error @+1 {{'stablehlo.send' op failed to infer returned types}}
  %0 = "stablehlo.send"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = true} : (!stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @f(%t: !stablehlo.token) {
  // expected-error @+1 {{channel_type should be DEVICE_TO_DEVICE when is_host_transfer is false}}
  %0 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>} : (!stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @f(%t: !stablehlo.token) {
  // expected-error @+1 {{channel_type should be HOST_TO_DEVICE when is_host_transfer is true}}
  %0 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (!stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @f(%t: !stablehlo.token) {
  // expected-error @+1 {{result is expected to be at least of size 1, but got 0}}
  "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> ()
  return
}

// -----

func.func @f(%t: !stablehlo.token) {
  // expected-error @+1 {{everything but the last element of result types is expected to be of tensor type, but got '!stablehlo.token'}}
  %0:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}

// -----

func.func @f(%t: !stablehlo.token) {
  // expected-error @+1 {{last element of result types is expected to be of token type, but got 'tensor<2xf32>'}}
  %0 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> tensor<2xf32>
  return
}
