// What has no local form is an error with a place, where Shardy's checks abort, too.
// RUN: sdy_opt %s --sdy-convert-global-to-local -split-input-file -verify-diagnostics

sdy.mesh @m = <["x"=2, "y"=4]>
// expected-error@+1 {{dimension 0 of size 5 is sharded 2 ways, which does not divide it; sdy-pad-for-divisibility pads it}}
func.func @undivided(%arg0: tensor<5xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
// expected-error@+1 {{dimension 1 of size 6 is sharded 4 ways}}
func.func private @undivided_result() -> (tensor<2x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"y"}]>})

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @reshard(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<8xf32> {
  // expected-error@+1 {{failed to legalize operation 'sdy.reshard' that was explicitly marked illegal}}
  %0 = sdy.reshard %arg0 <@m, [{}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @slice_other_axes(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<8xf32> {
  // expected-error@+2 {{dimension 0 has mismatched sharding axes (["x"] vs ["y"]). This requires a reshard which should have been handled by previous passes.}}
  // expected-error@+1 {{failed to legalize}}
  %0 = stablehlo.slice %arg0 [0:8] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @slice_moves(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<4xf32> {
  // expected-error@+2 {{dimension 0 is sharded but the slice is not a full slice and requires device communication.}}
  // expected-error@+1 {{failed to legalize}}
  %0 = stablehlo.slice %arg0 [2:6] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @pad_other_axes(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}, %arg1: tensor<f32>) -> tensor<8xf32> {
  // expected-error@+2 {{dimension 0 has mismatched sharding axes (["x"] vs [])}}
  // expected-error@+1 {{failed to legalize}}
  %0 = stablehlo.pad %arg0, %arg1, low = [0], high = [0], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @concatenate_operand(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}, %arg1: tensor<8xf32>) -> tensor<16xf32> {
  // expected-error@+2 {{operand 0 is sharded on concatenation dimension 0. This is not supported.}}
  // expected-error@+1 {{failed to legalize}}
  %0 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @dot_without_sum(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>}, %arg1: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<4x4xf32> {
  // expected-error@+2 {{sums over sharded dimensions, and is not used by one sdy.all_reduce alone}}
  // expected-error@+1 {{failed to legalize}}
  %0 = stablehlo.dot %arg0, %arg1 : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @dot_other_sum(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>}, %arg1: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<4x4xf32> {
  // expected-error@+2 {{sums over other sharded axes than those of the sdy.all_reduce behind it}}
  // expected-error@+1 {{failed to legalize}}
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %1 = sdy.all_reduce {"y"} %0 out_sharding=<@m, [{}, {}]> : tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @product(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}, %arg1: tensor<f32>) -> tensor<f32> {
  // expected-error@+2 {{has a body that no all-reduce can join the parts of a sharded dimension by}}
  // expected-error@+1 {{failed to legalize}}
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.multiply across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %1 = sdy.all_reduce {"x"} %0 out_sharding=<@m, []> : tensor<f32>
  return %1 : tensor<f32>
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @windows_overlap(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}, %arg1: tensor<f32>) -> tensor<7xf32> {
  // expected-error@+2 {{dimension 0 is sharded but is not a pass-through dimension.}}
  // expected-error@+1 {{failed to legalize}}
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

// Windows of 3 do not begin where the second part does.
sdy.mesh @m = <["x"=2]>
func.func @windows_apart(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}, %arg1: tensor<f32>) -> (tensor<2xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  // expected-error@+2 {{dimension 0 is sharded but is not a pass-through dimension.}}
  // expected-error@+1 {{failed to legalize}}
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @groups(%arg0: tensor<1x4x6xf32>, %arg1: tensor<1x2x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}, {"x"}]>}) -> (tensor<1x4x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}, {"x"}]>}) {
  // expected-error@+2 {{has 3 groups, which 2 devices cannot share evenly}}
  // expected-error@+1 {{failed to legalize}}
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 3 : i64, sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {}, {"x"}]>]>} : (tensor<1x4x6xf32>, tensor<1x2x6xf32>) -> tensor<1x4x6xf32>
  return %0 : tensor<1x4x6xf32>
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @gather_part(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}, %arg1: tensor<3x1xi32>) -> tensor<3x2x4xf32> {
  // expected-error@+2 {{dimension 0 is sharded, and slices take a part of it}}
  // expected-error@+1 {{failed to legalize}}
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 4>}> : (tensor<8x4xf32>, tensor<3x1xi32>) -> tensor<3x2x4xf32>
  return %0 : tensor<3x2x4xf32>
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @scatter_dropped(%arg0: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}, %arg1: tensor<3x1xi32>, %arg2: tensor<3xf32>) -> (tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) {
  // expected-error@+2 {{sharding operand dimension 0 that is not indexed but in inserted window dimension is not supported.}}
  // expected-error@+1 {{failed to legalize}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}, {}]>]>} : (tensor<2x4xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @scatter_replaces(%arg0: tensor<4xf32>, %arg1: tensor<8x1xi32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}, %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<4xf32> {
  // expected-error@+2 {{failed to get scatter reduction identity.}}
  // expected-error@+1 {{failed to legalize}}
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4xf32>, tensor<8x1xi32>, tensor<8xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @manual(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{operand 0 is sharded otherwise than its in_sharding}}
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@m, [{"x"}]>] out_shardings=[<@m, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<4xf32>) {
    sdy.return %arg1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @large = <["x"=2, "y"=1048576]>
func.func @too_many(%arg0: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@large, [{"x"}]>}) {
  // expected-error@+2 {{mesh has 2097152 devices, more than 1048576}}
  // expected-error@+1 {{failed to legalize}}
  %0 = sdy.all_slice [{"x"}] %arg0 out_sharding=<@large, [{"x"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}
