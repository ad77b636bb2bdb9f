// Collectives of more than a piece on four devices, of which two or four ranks have some: tests/mpi/large.sh compares their bytes with those of threads.
// RUN: tessera run %s --spmd --input=random --function=reduce >%t.out && tessera run %s --spmd --input=random --function=reduce --engine=reference | diff - %t.out
module {
  sdy.mesh @mesh = <["x"=4]>
  // All devices; two and two; in another order; two operands, one of fewer elements than there are ranks; a product of few bytes.
  func.func @reduce(%all_a: tensor<70001xf32>, %all_b: tensor<300x257xbf16>, %all_c: tensor<3xf32>, %all_d: tensor<99991xi8>)
      -> (tensor<280004xf32>, tensor<1200x257xbf16>, tensor<280004xf32>, tensor<12xf32>, tensor<399964xi8>, tensor<280004xf32>) {
    %all:6 = sdy.manual_computation(%all_a, %all_b, %all_c, %all_d) in_shardings=[<@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{"x"}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}]>, <@mesh, [{"x"}]>, <@mesh, [{"x"}]>, <@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<70001xf32>, %b: tensor<300x257xbf16>, %c: tensor<3xf32>, %d: tensor<99991xi8>) {
    %id = stablehlo.partition_id : tensor<ui32>
    %f = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
    %n = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<70001xf32>
    %x = stablehlo.add %a, %n : tensor<70001xf32>
    %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[3, 1, 0, 2]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<70001xf32>) -> tensor<70001xf32>
    %1 = "stablehlo.all_reduce"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
      %s = stablehlo.add %p, %q : tensor<bf16>
      stablehlo.return %s : tensor<bf16>
    }) : (tensor<300x257xbf16>) -> tensor<300x257xbf16>
    %2:2 = "stablehlo.all_reduce"(%x, %c) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.maximum %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<70001xf32>, tensor<3xf32>) -> (tensor<70001xf32>, tensor<3xf32>)
    %3 = "stablehlo.all_reduce"(%d) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<i8>, %q: tensor<i8>):
      %s = stablehlo.multiply %p, %q : tensor<i8>
      stablehlo.return %s : tensor<i8>
    }) : (tensor<99991xi8>) -> tensor<99991xi8>
    // A body of more than one op.
    %4 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      %h = stablehlo.constant dense<0.5> : tensor<f32>
      %t = stablehlo.multiply %s, %h : tensor<f32>
      stablehlo.return %t : tensor<f32>
    }) : (tensor<70001xf32>) -> tensor<70001xf32>
    sdy.return %0, %1, %2#0, %2#1, %3, %4 : tensor<70001xf32>, tensor<300x257xbf16>, tensor<70001xf32>, tensor<3xf32>, tensor<99991xi8>, tensor<70001xf32>
    } : (tensor<70001xf32>, tensor<300x257xbf16>, tensor<3xf32>, tensor<99991xi8>) -> (tensor<280004xf32>, tensor<1200x257xbf16>, tensor<280004xf32>, tensor<12xf32>, tensor<399964xi8>, tensor<280004xf32>)
    return %all#0, %all#1, %all#2, %all#3, %all#4, %all#5 : tensor<280004xf32>, tensor<1200x257xbf16>, tensor<280004xf32>, tensor<12xf32>, tensor<399964xi8>, tensor<280004xf32>
  }
  func.func @parts(%all_a: tensor<4x40000xf32>, %all_b: tensor<8x4096xf64>)
      -> (tensor<64x40000xf32>, tensor<16x160000xf32>, tensor<32x40000xf32>, tensor<4x40000xf32>, tensor<32x1024xf64>, tensor<16x4096xf64>, tensor<32x4096xf64>, tensor<64x2048xf64>, tensor<32x4096xf64>) {
    %all:9 = sdy.manual_computation(%all_a, %all_b) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] manual_axes={"x"} (%a: tensor<4x40000xf32>, %b: tensor<8x4096xf64>) {
    %id = stablehlo.partition_id : tensor<ui32>
    %f = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
    %n = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<4x40000xf32>
    %x = stablehlo.add %a, %n : tensor<4x40000xf32>
    %g = stablehlo.convert %id : (tensor<ui32>) -> tensor<f64>
    %m = stablehlo.broadcast_in_dim %g, dims = [] : (tensor<f64>) -> tensor<8x4096xf64>
    %y = stablehlo.add %b, %m : tensor<8x4096xf64>
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<4x40000xf32>) -> tensor<16x40000xf32>
    %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<4x40000xf32>) -> tensor<4x160000xf32>
    %2 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[2, 0], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x40000xf32>) -> tensor<8x40000xf32>
    %3 = "stablehlo.reduce_scatter"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[0, 3, 1, 2]]> : tensor<1x4xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x40000xf32>) -> tensor<1x40000xf32>
    %4 = "stablehlo.reduce_scatter"(%y) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
    ^bb0(%p: tensor<f64>, %q: tensor<f64>):
      %s = stablehlo.add %p, %q : tensor<f64>
      stablehlo.return %s : tensor<f64>
    }) : (tensor<8x4096xf64>) -> tensor<8x1024xf64>
    %5 = "stablehlo.reduce_scatter"(%y) <{channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>, replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%p: tensor<f64>, %q: tensor<f64>):
      %s = stablehlo.minimum %p, %q : tensor<f64>
      stablehlo.return %s : tensor<f64>
    }) : (tensor<8x4096xf64>) -> tensor<4x4096xf64>
    %6 = "stablehlo.all_to_all"(%y) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>, split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64}> : (tensor<8x4096xf64>) -> tensor<8x4096xf64>
    %7 = "stablehlo.all_to_all"(%y) <{channel_handle = #stablehlo.channel_handle<handle = 8, type = 1>, replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>, split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64}> : (tensor<8x4096xf64>) -> tensor<16x2048xf64>
    %8 = "stablehlo.collective_permute"(%y) <{channel_handle = #stablehlo.channel_handle<handle = 9, type = 1>, source_target_pairs = dense<[[0, 3], [3, 1], [1, 0]]> : tensor<3x2xi64>}> : (tensor<8x4096xf64>) -> tensor<8x4096xf64>
    sdy.return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<16x40000xf32>, tensor<4x160000xf32>, tensor<8x40000xf32>, tensor<1x40000xf32>, tensor<8x1024xf64>, tensor<4x4096xf64>, tensor<8x4096xf64>, tensor<16x2048xf64>, tensor<8x4096xf64>
    } : (tensor<4x40000xf32>, tensor<8x4096xf64>) -> (tensor<64x40000xf32>, tensor<16x160000xf32>, tensor<32x40000xf32>, tensor<4x40000xf32>, tensor<32x1024xf64>, tensor<16x4096xf64>, tensor<32x4096xf64>, tensor<64x2048xf64>, tensor<32x4096xf64>)
    return %all#0, %all#1, %all#2, %all#3, %all#4, %all#5, %all#6, %all#7, %all#8 : tensor<64x40000xf32>, tensor<16x160000xf32>, tensor<32x40000xf32>, tensor<4x40000xf32>, tensor<32x1024xf64>, tensor<16x4096xf64>, tensor<32x4096xf64>, tensor<64x2048xf64>, tensor<32x4096xf64>
  }
  // Each device its own sum of a loop, and a pair around other work: it starts before that and ends behind it.
  func.func @loop(%all_a: tensor<65537xf32>)
      -> (tensor<262148xf32>, tensor<262148xf32>) {
    %all:2 = sdy.manual_computation(%all_a) in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<65537xf32>) {
    %id = stablehlo.partition_id : tensor<ui32>
    %f = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
    %n = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<65537xf32>
    %x = stablehlo.add %a, %n : tensor<65537xf32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %end = stablehlo.constant dense<5> : tensor<i32>
    %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<65537xf32>
    cond {
      %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %k = stablehlo.add %i, %one : tensor<i32>
      %s = "stablehlo.all_reduce"(%v) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %t = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %t : tensor<f32>
      }) : (tensor<65537xf32>) -> tensor<65537xf32>
      %w = stablehlo.multiply %v, %n : tensor<65537xf32>
      %u = stablehlo.sine %w : tensor<65537xf32>
      %r = stablehlo.add %s, %u : tensor<65537xf32>
      stablehlo.return %k, %r : tensor<i32>, tensor<65537xf32>
    }
    %1 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %t = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %t : tensor<f32>
    }) : (tensor<65537xf32>) -> tensor<65537xf32>
    %2 = stablehlo.cosine %0#1 : tensor<65537xf32>
    %3 = stablehlo.add %1, %2 : tensor<65537xf32>
    sdy.return %0#1, %3 : tensor<65537xf32>, tensor<65537xf32>
    } : (tensor<65537xf32>) -> (tensor<262148xf32>, tensor<262148xf32>)
    return %all#0, %all#1 : tensor<262148xf32>, tensor<262148xf32>
  }
}
