// Every op of StableHLO that has a row in VHLO goes there and comes back as it was, also by way of text. Elementwise ops of one type come from the
// table of ops.
// RUN: tessera opt --list-ops > %t.ops
// RUN: awk -f %S/Inputs/pointwise.awk %t.ops | cat %s - > %t.in
// RUN: tessera opt %t.in > %t.0
// RUN: tessera opt %t.in --stablehlo-legalize-to-vhlo --vhlo-legalize-to-stablehlo > %t.1
// RUN: diff %t.0 %t.1
// RUN: tessera opt %t.in --stablehlo-legalize-to-vhlo > %t.2
// RUN: tessera opt %t.2 > %t.3
// RUN: diff %t.2 %t.3
// RUN: tessera opt %t.3 --stablehlo-deserialize > %t.4
// RUN: diff %t.0 %t.4
// RUN: tessera opt %t.in --stablehlo-legalize-to-vhlo --mlir-print-op-generic > %t.5
// RUN: tessera opt %t.5 > %t.6
// RUN: diff %t.2 %t.6
// No op with a row is left out, and nothing but VHLO is left.
// RUN: sed -n 's/^vhlo\.\(.*\)_v[0-9]*(.*/\1/p' %t.ops | grep -v -x -e func -e call | sort -u > %t.7
// RUN: sed -n 's/.*"vhlo\.\(.*\)_v[0-9]*".*/\1/p' %t.5 | grep -v -x -e func -e call | sort -u > %t.8
// RUN: diff %t.7 %t.8
// RUN: not grep -e stablehlo\\. -e func\\.func %t.2

func.func private @decomposition(%x: tensor<f32>) -> tensor<f32>
func.func private @callee(%x: tensor<4xf32> {jax.name = "x"}) -> (tensor<4xf32> {jax.result = [1 : i32, true, 2.5 : f32]}) {
  return %x : tensor<4xf32>
}

func.func public @elementwise(%x: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %z: tensor<4xcomplex<f32>>) {
  %0 = stablehlo.abs %x : tensor<4xf32>
  %1 = stablehlo.and %b, %b : tensor<4xi1>
  %2 = stablehlo.clamp %x, %x, %x : tensor<4xf32>
  %3 = stablehlo.compare LT, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %4 = stablehlo.compare GE, %x, %x, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = stablehlo.complex %x, %x : tensor<4xcomplex<f32>>
  %6 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xbf16>
  %7 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 3, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
  %8 = stablehlo.imag %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %9 = stablehlo.is_finite %x : (tensor<4xf32>) -> tensor<4xi1>
  %10 = stablehlo.or %b, %b : tensor<4xi1>
  %11 = stablehlo.real %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %12 = stablehlo.reduce_precision %x, format = e5m10 : tensor<4xf32>
  %13 = stablehlo.select %b, %x, %x : tensor<4xi1>, tensor<4xf32>
  %14 = stablehlo.xor %b, %b : tensor<4xi1>
  return
}

func.func @constants() {
  %0 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %1 = stablehlo.constant dense<[true, false, true, true, false, true, false, true, true]> : tensor<9xi1>
  %2 = stablehlo.constant dense<true> : tensor<i1>
  %3 = stablehlo.constant dense<false> : tensor<7xi1>
  %4 = stablehlo.constant dense<> : tensor<0x2xi64>
  %5 = stablehlo.constant dense<(1.0,2.0)> : tensor<2xcomplex<f64>>
  %6 = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %7 = stablehlo.constant dense<[0, 255]> : tensor<2xui8>
  %8 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %9 = stablehlo.create_token : !stablehlo.token
  %10 = stablehlo.partition_id : tensor<ui32>
  %11 = stablehlo.replica_id : tensor<ui32>
  return
}

func.func @shapes(%x: tensor<2x3xf32>, %s: tensor<2xi64>, %i: tensor<i32>, %d: tensor<?x3xf32>) {
  %0 = stablehlo.broadcast %x, sizes = [5] : (tensor<2x3xf32>) -> tensor<5x2x3xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  %2 = stablehlo.bitcast_convert %x : (tensor<2x3xf32>) -> tensor<2x3xi32>
  %3 = stablehlo.concatenate %x, %x, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  %4 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %5 = "stablehlo.dynamic_broadcast_in_dim"(%x, %s) <{broadcast_dimensions = array<i64: 0, 1>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>}> : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %6 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> tensor<?x?xf32>
  %7 = stablehlo.dynamic_reshape %x, %s : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %8 = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  %9 = stablehlo.dynamic_update_slice %x, %8, %i, %i : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %10 = stablehlo.get_dimension_size %d, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %11 = stablehlo.constant dense<0.0> : tensor<f32>
  %12 = stablehlo.pad %x, %11, low = [1, 0], high = [0, 2], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x7xf32>
  %13 = stablehlo.dynamic_pad %x, %11, %s, %s, %s : (tensor<2x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  %14 = stablehlo.real_dynamic_slice %x, %s, %s, %s : (tensor<2x3xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  %15 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
  %16 = stablehlo.reverse %x, dims = [0, 1] : tensor<2x3xf32>
  %17 = stablehlo.set_dimension_size %x, %i, dim = 0 : (tensor<2x3xf32>, tensor<i32>) -> tensor<?x3xf32, #stablehlo.bounds<2, ?>>
  %18 = stablehlo.slice %x [0:2:2, 1:3] : (tensor<2x3xf32>) -> tensor<1x2xf32>
  %19 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %20:2 = stablehlo.optimization_barrier %x, %i : tensor<2x3xf32>, tensor<i32>
  %21 = stablehlo.tuple %x, %i : tuple<tensor<2x3xf32>, tensor<i32>>
  %22 = stablehlo.get_tuple_element %21[1] : (tuple<tensor<2x3xf32>, tensor<i32>>) -> tensor<i32>
  return
}

func.func @products(%x: tensor<4x2x3xf32>, %y: tensor<4x3x5xf32>, %a: tensor<2x3xf32>, %b: tensor<3x5xf32>) {
  %0 = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
  %1 = stablehlo.dot %a, %b, precision = [HIGH, HIGHEST] : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
  %2 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x2x3xf32>, tensor<4x3x5xf32>) -> tensor<4x2x5xf32>
  %3 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
  %4 = stablehlo.einsum %a, %b, config = "ij,jk->ik" : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
  %5 = "stablehlo.unary_einsum"(%a) <{einsum_config = "ij->i"}> : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @convolutions(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x6xf32>, %p: tensor<2x2xi64>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[0, 1], [1, 1]], rhs_dilate = [1, 2], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x4x6x6xf32>
  %2 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 2, 1>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>, tensor<2x2xi64>) -> tensor<1x?x?x6xf32>
  return
}

func.func @lookups(%x: tensor<3x4x5xf32>, %i: tensor<3x2xi32>, %s: tensor<3xi32>, %u: tensor<3x5xf32>, %n: tensor<2xi32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5>}> : (tensor<3x4x5xf32>, tensor<3x2xi32>) -> tensor<3x5xf32>
  %1 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = true}> : (tensor<3x4x5xf32>, tensor<3x2xi32>, tensor<3xi32>) -> tensor<3x5xf32>
  %2 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<3x4x5xf32>, tensor<3x2xi32>, tensor<3x5xf32>) -> tensor<3x4x5xf32>
  %3 = "stablehlo.torch_index_select"(%u, %n) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<3x5xf32>, tensor<2xi32>) -> tensor<3x2xf32>
  return
}

func.func @reductions(%x: tensor<4x6xf32>, %z: tensor<f32>, %src: tensor<2x3xf32>) {
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %8 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %8 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  %2 = "stablehlo.reduce_window"(%x, %z) <{base_dilations = array<i64: 1, 2>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_dilations = array<i64: 2, 1>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %8 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %8 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x5xf32>
  %3 = "stablehlo.select_and_scatter"(%x, %src, %z) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %8 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %8 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %8 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %8 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  %4 = "stablehlo.map"(%x) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %5 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %8 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %8 : tensor<i1>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

func.func @control(%p: tensor<i1>, %i: tensor<i32>, %x: tensor<4xf32>) -> tensor<i32> {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %i : tensor<i32>
  }, {
    stablehlo.return %i : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %1 = "stablehlo.if"(%p) ({
    stablehlo.return %i : tensor<i32>
  }, {
    stablehlo.return %0 : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  %2 = stablehlo.while(%iterArg = %1) : tensor<i32>
   cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %iterArg : tensor<i32>
  }
  %3 = call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<i32>
}

func.func @calls(%x: tensor<f32>, %y: tensor<2xf32>, %m: memref<2xf32>) {
  %0 = stablehlo.custom_call @f(%x) : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.custom_call @f(%x) {api_version = 4 : i32, backend_config = {a = 1 : i32, b = "c"}} : (tensor<f32>) -> tensor<f32>
  %2 = stablehlo.custom_call @f(%y) {backend_config = "text", called_computations = [@decomposition], has_side_effect = true, operand_layouts = [dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2xf32>) -> tensor<2xf32>
  %3 = stablehlo.custom_call @f(%m) : (memref<2xf32>) -> tensor<f32>
  %4 = stablehlo.composite "my.op" %x {composite_attributes = {n = 3 : i64}, decomposition = @decomposition, version = 2 : i32} : (tensor<f32>) -> tensor<f32>
  %5 = stablehlo.composite "my.op" %x {decomposition = @decomposition} : (tensor<f32>) -> tensor<f32>
  return
}

func.func @collectives(%x: tensor<4x4xf32>, %t: !stablehlo.token, %f: tensor<f32>) {
  %0 = stablehlo.after_all %t, %t : !stablehlo.token
  %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x8xf32>
  %2:2 = "stablehlo.all_reduce"(%x, %x) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %20 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %20 : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
  %3 = "stablehlo.all_reduce"(%x) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "a", size = 2>, <name = "b", size = 4>], device_ids=dense<[1, 0, 2, 3, 4, 5, 6, 7]> : tensor<8xi64>>, axes = [#stablehlo.axis_ref<name = "a">, #stablehlo.axis_ref<name = "b", sub_axis_info = (1)2>]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x4xf32>) -> tensor<8x2xf32>
  %5 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %6 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %7 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids, channel_handle = #stablehlo.channel_handle<handle = 3, type = 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %8 = "stablehlo.cross-replica-sum"(%f) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<f32>) -> tensor<f32>
  %9:2 = "stablehlo.infeed"(%t) <{infeed_config = "in", layout = [[0, 1]]}> : (!stablehlo.token) -> (tensor<4x4xf32>, !stablehlo.token)
  %10 = "stablehlo.outfeed"(%x, %t) <{outfeed_config = ""}> : (tensor<4x4xf32>, !stablehlo.token) -> !stablehlo.token
  %11:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4x4xf32>, !stablehlo.token)
  %12 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>, !stablehlo.token) -> !stablehlo.token
  %13 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<4x2xf32>
  %14 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<4x4xf32>):
    %20 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x8xf32>
    stablehlo.return %20 : tensor<4x8xf32>
  }) : (tensor<4x4xf32>) -> !stablehlo.future<tensor<4x8xf32>>
  %15 = "stablehlo.async_done"(%14) : (!stablehlo.future<tensor<4x8xf32>>) -> tensor<4x8xf32>
  return
}

func.func @numerics(%x: tensor<2x2x2x2xf32>, %v: tensor<2xf32>, %a: tensor<3x3xf32>, %c: tensor<8xcomplex<f32>>, %s: tensor<2xui64>) {
  %0:3 = "stablehlo.batch_norm_grad"(%x, %v, %v, %v, %x) <{epsilon = 1.000000e-03 : f32, feature_index = 0 : i64}> : (tensor<2x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2x2x2xf32>) -> (tensor<2x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  %1 = "stablehlo.batch_norm_inference"(%x, %v, %v, %v, %v) <{epsilon = 0.5 : f32, feature_index = 0 : i64}> : (tensor<2x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2x2x2xf32>
  %2:3 = "stablehlo.batch_norm_training"(%x, %v, %v) <{epsilon = 0.5 : f32, feature_index = 0 : i64}> : (tensor<2x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  %3 = stablehlo.cholesky %a : tensor<3x3xf32>
  %4 = stablehlo.cholesky %a, lower = true : tensor<3x3xf32>
  %5 = stablehlo.fft %c, type = IFFT, length = [8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  %6 = "stablehlo.triangular_solve"(%a, %a) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %7 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %8 = stablehlo.constant dense<0.0> : tensor<f32>
  %9 = stablehlo.rng %8, %8, %7, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  %10, %11 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  %12 = stablehlo.uniform_quantize %v : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 3.400000e+01:16>>
  %13 = stablehlo.uniform_dequantize %12 : (tensor<2x!quant.uniform<i8:f32, 3.400000e+01:16>>) -> tensor<2xf32>
  %14 = stablehlo.uniform_quantize %v : (tensor<2xf32>) -> tensor<2x!quant.uniform<u8<1:254>:f32:0, {1.000000e-01:3,2.000000e-01:4}>>
  return
}

func.func @types(%0: tensor<f4E2M1FN>, %1: tensor<f6E2M3FN>, %2: tensor<f6E3M2FN>, %3: tensor<f8E3M4>, %4: tensor<f8E4M3>,
                 %5: tensor<f8E4M3FN>, %6: tensor<f8E4M3FNUZ>, %7: tensor<f8E4M3B11FNUZ>, %8: tensor<f8E5M2>,
                 %9: tensor<f8E5M2FNUZ>, %10: tensor<f8E8M0FNU>, %11: tensor<f16>, %12: tensor<i2>, %13: tensor<ui2>,
                 %14: tensor<i16>, %15: tensor<ui16>, %16: tensor<ui4>, %17: tensor<ui32>, %18: index, %19: tensor<*xf32>,
                 %20: tuple<tensor<i8>, tuple<>>, %21: !shape.witness, %22: !stablehlo.token)
    attributes {a.array = [1, "x", dense<1> : tensor<2xi32>], a.dict = {k = i32}, a.float = 1.5 : f64, a.type = (tensor<f32>) -> ()} {
  return
}
