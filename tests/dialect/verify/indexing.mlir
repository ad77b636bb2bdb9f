// RUN: tessera opt %s --split-input-file --verify-diagnostics
// Rules of slices, pads and gathers.

func.func @good(%a: tensor<4x6xf32>, %b: tensor<?x6xf32, #stablehlo.bounds<9, ?>>, %v: tensor<f32>, %i: tensor<i32>, %s: tensor<?x2xi32, #stablehlo.bounds<7, ?>>) {
  %0 = stablehlo.slice %a [1:4:2, 0:6] : (tensor<4x6xf32>) -> tensor<2x6xf32>
  %1 = stablehlo.pad %b, %v, low = [1, 0], high = [0, -1], interior = [1, 0] : (tensor<?x6xf32, #stablehlo.bounds<9, ?>>, tensor<f32>) -> tensor<?x5xf32, #stablehlo.bounds<18, ?>>
  %2 = stablehlo.dynamic_slice %a, %i, %i, sizes = [2, 3] : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %3 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<4x6xf32>, tensor<?x2xi32, #stablehlo.bounds<7, ?>>) -> tensor<?x3xf32, #stablehlo.bounds<7, ?>>
  return
}

// -----

func.func @slice_start_indices(%a: tensor<4xf32>) {
  // expected-error@+2 {{the number of elements in start_indices (0) does not match the rank of the operand (1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64>, limit_indices = array<i64>, strides = array<i64>} : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @slice_limit_indices(%a: tensor<4xf32>) {
  // expected-error@+1 {{'stablehlo.slice' op failed to verify that all of {start_indices, limit_indices, strides} have same size}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 1>, limit_indices = array<i64>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @slice_strides(%a: tensor<4xf32>) {
  // expected-error@+1 {{'stablehlo.slice' op failed to verify that all of {start_indices, limit_indices, strides} have same size}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 1>, limit_indices = array<i64: 1>, strides = array<i64>} : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @slice_negative(%a: tensor<4xf32>) {
  // expected-error@+2 {{negative start index -1 in dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: -1>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @slice_limit(%a: tensor<4xf32>) {
  // expected-error@+2 {{limit index 5 is larger than dimension size 4 in dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 0>, limit_indices = array<i64: 5>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @slice_bound(%a: tensor<?xf32, #stablehlo.bounds<3>>) {
  // expected-error@+2 {{limit index 5 is larger than dimension bound 3 in dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 0>, limit_indices = array<i64: 5>, strides = array<i64: 1>} : (tensor<?xf32, #stablehlo.bounds<3>>) -> tensor<?xf32>
  return
}

// -----

func.func @slice_order(%a: tensor<4xf32>) {
  // expected-error@+2 {{start index 3 is larger than limit index 2 in dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 3>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @slice_stride(%a: tensor<4xf32>) {
  // expected-error@+2 {{stride must be positive but got 0 in dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 0>} : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_slice_sizes(%a: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+2 {{has mismatched number of slice sizes (2) and number of start indices (1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_slice"(%a, %i) {slice_sizes = array<i64: 1, 1>} : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_slice_rank(%a: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+2 {{has mismatched number of start indices (2) and the rank of operand (1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_slice"(%a, %i, %i) {slice_sizes = array<i64: 1, 1>} : (tensor<4xf32>, tensor<i32>, tensor<i32>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_slice_element(%a: tensor<4x4xf32>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error@+2 {{start indices must have same element type}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_slice"(%a, %i, %j) {slice_sizes = array<i64: 1, 1>} : (tensor<4x4xf32>, tensor<i32>, tensor<i64>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_slice_negative(%a: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+2 {{has negative size index to dynamic slice: -1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_slice"(%a, %i) {slice_sizes = array<i64: -1>} : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_slice_large(%a: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+2 {{has slice size 5 greater than dimension size 4 in dimension 0 of operand}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_slice"(%a, %i) {slice_sizes = array<i64: 5>} : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32>
  return
}

// -----

func.func @update_rank(%a: tensor<4xf32>, %u: tensor<1x1xf32>, %i: tensor<i32>) {
  // expected-error@+2 {{update rank does not match operand rank: 2 vs 1.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_update_slice"(%a, %u, %i) : (tensor<4xf32>, tensor<1x1xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @update_indices(%a: tensor<4xf32>, %u: tensor<1xf32>, %i: tensor<i32>) {
  // expected-error@+2 {{expects number of start_indices to match operand rank: 2 vs 1.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_update_slice"(%a, %u, %i, %i) : (tensor<4xf32>, tensor<1xf32>, tensor<i32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @update_size(%a: tensor<4xf32>, %u: tensor<5xf32>, %i: tensor<i32>) {
  // expected-error@+2 {{expects size at dimension 0 of update to be in range [0, 4]. Got: 5.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_update_slice"(%a, %u, %i) : (tensor<4xf32>, tensor<5xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @pad_edge_padding_low(%a: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error@+2 {{edge_padding_low length (0) must match operand rank (1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.pad"(%a, %v) {edge_padding_low = array<i64>, edge_padding_high = array<i64>, interior_padding = array<i64>} : (tensor<4xf32>, tensor<f32>) -> tensor<?xf32>
  return
}

// -----

func.func @pad_edge_padding_high(%a: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.pad' op failed to verify that all of {edge_padding_low, edge_padding_high, interior_padding} have same size}}
  %0 = "stablehlo.pad"(%a, %v) {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64>, interior_padding = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<?xf32>
  return
}

// -----

func.func @pad_interior_padding(%a: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{'stablehlo.pad' op failed to verify that all of {edge_padding_low, edge_padding_high, interior_padding} have same size}}
  %0 = "stablehlo.pad"(%a, %v) {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0>, interior_padding = array<i64>} : (tensor<4xf32>, tensor<f32>) -> tensor<?xf32>
  return
}

// -----

func.func @pad_interior(%a: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error@+2 {{Interior padding cannot be negative: -1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.pad"(%a, %v) {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: -1>} : (tensor<4xf32>, tensor<f32>) -> tensor<?xf32>
  return
}

// -----

func.func @pad_negative(%a: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error@+2 {{Padding result in negative size for dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.pad"(%a, %v) {edge_padding_low = array<i64: -5>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<?xf32>
  return
}

// -----

func.func @pad_negative_bound(%a: tensor<?xf32, #stablehlo.bounds<3>>, %v: tensor<f32>) {
  // expected-error@+2 {{Padding result in negative bound for dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.pad"(%a, %v) {edge_padding_low = array<i64: -5>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>} : (tensor<?xf32, #stablehlo.bounds<3>>, tensor<f32>) -> tensor<?xf32>
  return
}

// -----

func.func @gather_rank(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  // expected-error@+2 {{offset_dims size (1) plus collapse_slice_dims size (1) plus operand_batching_dims size (0) is not equal to operand rank (3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 2>} : (tensor<4x6x8xf32>, tensor<5x2xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @gather_vector_dim(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  // expected-error@+2 {{Expects index_vector_dim to be in range [0, rank-of('start_indices')] i.e. [0, 2]. got: 3.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0, 1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 3, 2>} : (tensor<4x6x8xf32>, tensor<5x2xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @gather_map_size(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  // expected-error@+2 {{start_index_map size (1) is not equal to size of index dimension (1) of start_indices (2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 2>} : (tensor<4x6x8xf32>, tensor<5x2xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @gather_offset_order(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  // expected-error@+2 {{expects offset_dims to be sorted, got: [2, 1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 2>} : (tensor<4x6x8xf32>, tensor<5x2xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @gather_offset_twice(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  // expected-error@+2 {{expects offset_dims to not repeat, got: [1, 1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 2>} : (tensor<4x6x8xf32>, tensor<5x2xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @gather_offset_range(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  // expected-error@+2 {{Expects each element of offset_dims to be in range [0, implied-result-rank) i.e. [0, 3). got: 5.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 5], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 2>} : (tensor<4x6x8xf32>, tensor<5x2xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @gather_collapsed_twice(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  // expected-error@+2 {{has duplicated dimension from collapsed_slice_dims and operand_batching_dims: 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 2>} : (tensor<4x6x8xf32>, tensor<5x2xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @gather_collapsed_order(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  // expected-error@+2 {{expects collapsed_slice_dims to be sorted, got: [1, 0]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1, 0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 2>} : (tensor<4x6x8xf32>, tensor<5x2xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @gather_collapsed_range(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  // expected-error@+2 {{Expects each element of collapsed_slice_dims to be in range [0, rank-of('operand')) i.e. [0, 3). got: 3.}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [3], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 2>} : (tensor<4x6x8xf32>, tensor<5x2xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @gather_batching_order(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  // expected-error@+2 {{expects operand_batching_dims to be sorted, got: [1, 0]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [], operand_batching_dims = [1, 0], start_indices_batching_dims = [], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 2>} : (tensor<4x6x8xf32>, tensor<5x2xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @gather_batching_range(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  // expected-error@+2 {{Expects each element of operand_batching_dims to be in range}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [], operand_batching_dims = [3], start_indices_batching_dims = [], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 2>} : (tensor<4x6x8xf32>, tensor<5x2xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @gather_start_batching_twice(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  // expected-error@+2 {{expects start_indices_batching_dims to not repeat, got: [0, 0]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [0, 0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 2>} : (tensor<4x6x8xf32>, tensor<5x2xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @gather_start_batching_range(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  // expected-error@+2 {{Expects each element of start_indices_batching_dims to be in range}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [2], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 2>} : (tensor<4x6x8xf32>, tensor<5x2xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @gather_start_batching_vector(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  // expected-error@+2 {{expects start_indices_batching_dims not to include index_vector_dim 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 2>} : (tensor<4x6x8xf32>, tensor<5x2xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @gather_batching_count(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  // expected-error@+2 {{operand_batching_dims and start_indices_batching_dims should have the same size}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 2>} : (tensor<4x6x8xf32>, tensor<5x2xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @gather_batching_size(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  // expected-error@+2 {{operand_batching_dims[0] and start_indices_batching_dims[0] must have compatible sizes, but got 4 and 5}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 2>} : (tensor<4x6x8xf32>, tensor<5x2xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @gather_map_twice(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  // expected-error@+2 {{has duplicated dimension from start_index_map and operand_batching_dims: 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 2>} : (tensor<4x6x8xf32>, tensor<5x2xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @gather_map_range(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  // expected-error@+2 {{Expects each element of start_index_map to be in range}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1, 3], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 2>} : (tensor<4x6x8xf32>, tensor<5x2xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @gather_sizes(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  // expected-error@+2 {{slice_sizes size (2) not equal to operand rank (3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<4x6x8xf32>, tensor<5x2xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @gather_collapsed_size(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  // expected-error@+2 {{Expects that for each dim in collapsed_slice_dims, slice_sizes[dim] should be <= 1, but got 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 3, 2>} : (tensor<4x6x8xf32>, tensor<5x2xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @gather_size_range(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  // expected-error@+2 {{slice size (7) is out of bounds for operand dimension (6) at index 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%a, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 7, 2>} : (tensor<4x6x8xf32>, tensor<5x2xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @dynamic_gather_size(%a: tensor<4x6x8xf32>, %s: tensor<5x2xi32>) {
  %z = stablehlo.constant dense<[1, 7, 2]> : tensor<3xi64>
  // expected-error@+2 {{slice size (7) is out of bounds for operand dimension (6) at index 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.dynamic_gather"(%a, %s, %z) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0, 1], index_vector_dim = 1>} : (tensor<4x6x8xf32>, tensor<5x2xi32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  return
}
