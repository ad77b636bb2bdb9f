// RUN: tessera opt %s -split-input-file -verify-diagnostics
// What ttcore and debug refuse.

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{op requires the same type for all operands and results}}
  %0 = "debug.snapshot"(%a) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a: tuple<tensor<2xf32>>) {
  // expected-error@+2 {{index 1 is out of bounds of operand with size 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = ttcore.get_tuple_element %a[1] : (tuple<tensor<2xf32>>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{Expected tuple type}}
  %0 = ttcore.tuple %a : tensor<2xf32>
  return
}

// -----

func.func @f(%d: !ttcore.dict) {
  // expected-error@+1 {{'ttcore.set_key_value' op requires at least one value}}
  "ttcore.set_key_value"(%d) <{key = "k"}> : (!ttcore.dict) -> ()
  return
}

// -----

func.func @f(%d: !ttcore.dict) {
  // expected-error@+1 {{'ttcore.get_key_value' op requires at least one result}}
  "ttcore.get_key_value"(%d) <{key = 1 : index}> : (!ttcore.dict) -> ()
  return
}

// -----

func.func @f(%d: !ttcore.dict) {
  // expected-error@+1 {{attribute 'key' failed to satisfy constraint: string attribute or index attribute}}
  %0 = "ttcore.get_key_value"(%d) <{key = 1 : i32}> : (!ttcore.dict) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'g' does not reference a function}}
  %0 = ttcore.load_cached(@g, [%a]) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{Incorrect number of operands for callee -- expected 2 but got: 1}}
  %0 = ttcore.load_cached(@g, [%a]) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<3xf32>
func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{Result type mismatch at index 0}}
  %0 = ttcore.load_cached(@g, [%a]) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{decomposition function 'g' not found in parent module}}
  %0 = "ttcore.composite"(%a) <{composite_name = "c", decomposition = @g}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

ttcore.global @g = tensor<2xf32>
func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{decomposition symbol 'g' is not a func.func}}
  %0 = "ttcore.composite"(%a) <{composite_name = "c", decomposition = @g}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @g() -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{decomposition function expects 0 arguments, but composite has 1 inputs}}
  %0 = "ttcore.composite"(%a) <{composite_name = "c", decomposition = @g}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<3xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{input type mismatch at index 0: composite has tensor<2xf32>, decomposition expects tensor<3xf32>}}
  %0 = "ttcore.composite"(%a) <{composite_name = "c", decomposition = @g}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>)
func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{decomposition function returns 0 results, but composite produces 1 results}}
  %0 = "ttcore.composite"(%a) <{composite_name = "c", decomposition = @g}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @g(tensor<2xf32>) -> tensor<3xf32>
func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{result type mismatch at index 0: composite produces tensor<2xf32>, decomposition returns tensor<3xf32>}}
  %0 = "ttcore.composite"(%a) <{composite_name = "c", decomposition = @g}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// expected-error@+1 {{'ttcore.cpu_module' op Expected exactly one block}}
ttcore.cpu_module {
}

// -----

// expected-error@+1 {{'ttcore.device_module' op Expected exactly one ModuleOp but found 0}}
ttcore.device_module {
  func.func private @f()
}

// -----

// expected-error@+1 {{dim_alignments size (3) must match logical_shape rank (2)}}
#l = #ttcore.metal_layout<logical_shape = 2x2, dim_alignments = 1x2x2, collapsed_intervals = dense<[[0, 1]]> : tensor<1x2xi64>, l1, sharded>

// -----

// expected-error@+1 {{dim_alignments[1] must be positive, got 0}}
#l = #ttcore.metal_layout<logical_shape = 2x2, dim_alignments = 1x0, collapsed_intervals = dense<[[0, 1]]> : tensor<1x2xi64>, l1, sharded>

// -----

// expected-error@+1 {{collapsed_intervals must be dense elements of i64}}
#l = #ttcore.metal_layout<logical_shape = 2x2, dim_alignments = 1x1, collapsed_intervals = 3, l1, sharded>

// -----

// expected-error@+1 {{collapsed_intervals must be a 2D array, got rank 1}}
#l = #ttcore.metal_layout<logical_shape = 2x2, dim_alignments = 1x1, collapsed_intervals = dense<[0, 1]> : tensor<2xi64>, l1, sharded>

// -----

// expected-error@+1 {{collapsed_intervals must have pairs (second dim size 2), got 3}}
#l = #ttcore.metal_layout<logical_shape = 2x2, dim_alignments = 1x1, collapsed_intervals = dense<[[0, 1, 2]]> : tensor<1x3xi64>, l1, sharded>

// -----

// expected-error@+1 {{collapsed_intervals start index 5 (normalized: 5) is out of bounds for logical_shape rank 2}}
#l = #ttcore.metal_layout<logical_shape = 2x2, dim_alignments = 1x1, collapsed_intervals = dense<[[5, 6]]> : tensor<1x2xi64>, l1, sharded>

// -----

// expected-error@+1 {{collapsed_intervals end index 3 (normalized: 3) is out of bounds for logical_shape rank 2}}
#l = #ttcore.metal_layout<logical_shape = 2x2, dim_alignments = 1x1, collapsed_intervals = dense<[[0, 3]]> : tensor<1x2xi64>, l1, sharded>

// -----

// expected-error@+1 {{collapsed_intervals start (1) must not exceed end (0)}}
#l = #ttcore.metal_layout<logical_shape = 2x2, dim_alignments = 1x1, collapsed_intervals = dense<[[1, 0]]> : tensor<1x2xi64>, l1, sharded>

// -----

// expected-error@+1 {{start coordinates -1x0 must be non-negative}}
#c = #ttcore.core_range<(-1, 0), (0, 0)>

// -----

// expected-error@+1 {{Start coordinates 1x0 must be less than or equal to end coordinates 0x0}}
#c = #ttcore.core_range<(1, 0), (0, 0)>

// -----

// expected-error@+1 {{expected a #ttcore.grid}}
#d = #ttcore.device<workerGrid = 3, dramGrid = #ttcore.grid<1>, l1Map = (d0) -> (d0), dramMap = (d0) -> (d0), meshShape = , chipIds = []>

// -----

// expected-error@+2 {{expected ::mlir::tt::ttcore::ReduceType to be one of: sum, mean, max, min, std, var, prod, invalid}}
// expected-error@+1 {{which is to be a `::mlir::tt::ttcore::ReduceType`}}
func.func private @f() attributes {a = #ttcore.reduce_type<median>}
