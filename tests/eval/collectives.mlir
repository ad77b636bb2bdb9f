// Collectives on a grid of processes, by interpreter.run_parallel: programs[replica][partition].
// RUN: stablehlo-translate --interpret -split-input-file %s

module @sums {
  func.func @all_reduce(%a: tensor<2xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %s = stablehlo.add %x, %y : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<2xi32>) -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %b = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
    %c = stablehlo.constant dense<[100, 200]> : tensor<2xi32>
    %d = stablehlo.constant dense<[1000, 2000]> : tensor<2xi32>
    %r:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@all_reduce], [@all_reduce], [@all_reduce], [@all_reduce]]}
      : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
    check.expect_eq_const %r#0, dense<[101, 202]> : tensor<2xi32>
    check.expect_eq_const %r#1, dense<[1010, 2020]> : tensor<2xi32>
    check.expect_eq_const %r#2, dense<[101, 202]> : tensor<2xi32>
    check.expect_eq_const %r#3, dense<[1010, 2020]> : tensor<2xi32>
    return
  }
}

// -----

// Gathering what reduce_scatter gave each is all_reduce.
module @scatter_gather {
  func.func @p(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<2xf32>
    %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    %b = stablehlo.constant dense<[0.5, 0.5, 0.25, 0.25]> : tensor<4xf32>
    %r:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@p, @p]]} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    check.expect_eq_const %r#0, dense<[1.5, 2.5, 3.25, 4.25]> : tensor<4xf32>
    check.expect_eq %r#0, %r#1 : tensor<4xf32>
    return
  }
}

// -----

// Blocks of rows become blocks of columns.
module @all_to_all {
  func.func @p(%a: tensor<1x4xi32>) -> tensor<2x2xi32> {
    %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
        replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1x4xi32>) -> tensor<2x2xi32>
    return %0 : tensor<2x2xi32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[[1, 2, 3, 4]]> : tensor<1x4xi32>
    %b = stablehlo.constant dense<[[5, 6, 7, 8]]> : tensor<1x4xi32>
    %r:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@p], [@p]]} : (tensor<1x4xi32>, tensor<1x4xi32>) -> (tensor<2x2xi32>, tensor<2x2xi32>)
    check.expect_eq_const %r#0, dense<[[1, 2], [5, 6]]> : tensor<2x2xi32>
    check.expect_eq_const %r#1, dense<[[3, 4], [7, 8]]> : tensor<2x2xi32>
    return
  }
}

// -----

// Who gets nothing has zeros. A broadcast comes from the first of the group.
module @moves {
  func.func @p(%a: tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>) {
    %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<2xi64>) -> tensor<2xi64>
    %1 = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[2, 0]]> : tensor<1x2xi64>}> : (tensor<2xi64>) -> tensor<2xi64>
    return %0, %1 : tensor<2xi64>, tensor<2xi64>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
    %b = stablehlo.constant dense<[2, 2]> : tensor<2xi64>
    %c = stablehlo.constant dense<[3, 3]> : tensor<2xi64>
    %r:6 = "interpreter.run_parallel"(%a, %b, %c) {programs = [[@p], [@p], [@p]]}
      : (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
    check.expect_eq_const %r#0, dense<0> : tensor<2xi64>
    check.expect_eq_const %r#1, dense<3> : tensor<2xi64>
    check.expect_eq_const %r#2, dense<1> : tensor<2xi64>
    check.expect_eq_const %r#3, dense<0> : tensor<2xi64>
    check.expect_eq_const %r#4, dense<2> : tensor<2xi64>
    check.expect_eq_const %r#5, dense<3> : tensor<2xi64>
    return
  }
}

// -----

module @ids {
  func.func @p() -> (tensor<ui32>, tensor<ui32>) {
    %0 = stablehlo.replica_id : tensor<ui32>
    %1 = stablehlo.partition_id : tensor<ui32>
    return %0, %1 : tensor<ui32>, tensor<ui32>
  }
  func.func @main() {
    %r:8 = "interpreter.run_parallel"() {programs = [[@p, @p], [@p, @p]]}
      : () -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
    check.expect_eq_const %r#4, dense<1> : tensor<ui32>
    check.expect_eq_const %r#5, dense<0> : tensor<ui32>
    check.expect_eq_const %r#6, dense<1> : tensor<ui32>
    check.expect_eq_const %r#7, dense<1> : tensor<ui32>
    return
  }
}

// -----

// What one sends the other receives; the host feeds what infeed reads.
module @messages {
  func.func @send(%a: tensor<2xi32>, %t: !stablehlo.token) -> !stablehlo.token {
    %0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 2>, is_host_transfer = true}> : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
    return %0 : !stablehlo.token
  }
  func.func @recv(%t: !stablehlo.token) -> (tensor<2xi32>, !stablehlo.token) {
    %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
    return %0#0, %0#1 : tensor<2xi32>, !stablehlo.token
  }
  func.func @feed(%t: !stablehlo.token) -> (tensor<i32>, !stablehlo.token) {
    %0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
    %1 = "stablehlo.outfeed"(%0#0, %0#1) : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
    return %0#0, %1 : tensor<i32>, !stablehlo.token
  }
  func.func @queue() -> tensor<i32> {
    %0 = stablehlo.constant dense<42> : tensor<i32>
    return %0 : tensor<i32>
  }
  func.func @main() {
    %t = stablehlo.create_token : !stablehlo.token
    %a = stablehlo.constant dense<[4, 5]> : tensor<2xi32>
    %r:3 = "interpreter.run_parallel"(%a, %t, %t) {programs = [[@send, @recv]]} : (tensor<2xi32>, !stablehlo.token, !stablehlo.token) -> (!stablehlo.token, tensor<2xi32>, !stablehlo.token)
    check.expect_eq_const %r#1, dense<[4, 5]> : tensor<2xi32>
    %f:2 = "interpreter.run_parallel"(%t) {infeed = [@queue], programs = [[@feed]]} : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
    check.expect_eq_const %f#0, dense<42> : tensor<i32>
    return
  }
}

// -----

// Started now, waited for later.
module @async {
  func.func @p(%a: tensor<1xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.async_start"(%a) ({
    ^bb0(%x: tensor<1xi32>):
      %g = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1xi32>) -> tensor<2xi32>
      stablehlo.return %g : tensor<2xi32>
    }) : (tensor<1xi32>) -> !stablehlo.future<tensor<2xi32>>
    %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<2xi32>>) -> tensor<2xi32>
    return %1 : tensor<2xi32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<8> : tensor<1xi32>
    %b = stablehlo.constant dense<9> : tensor<1xi32>
    %r:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@p], [@p]]} : (tensor<1xi32>, tensor<1xi32>) -> (tensor<2xi32>, tensor<2xi32>)
    check.expect_eq_const %r#0, dense<[8, 9]> : tensor<2xi32>
    check.expect_eq_const %r#1, dense<[8, 9]> : tensor<2xi32>
    return
  }
}

// -----

// Shardy: rows on "x"; the body sees two of eight rows and sums over the mesh. Other ops of sdy change nothing.
module @manual {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func @main() {
    %a = stablehlo.iota dim = 0 : tensor<8x2xi32>
    %s = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<8x2xi32>
    %r:2 = sdy.manual_computation(%s) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%b: tensor<2x2xi32>) {
      %sum = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>,
          channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
      ^bb0(%x: tensor<i32>, %y: tensor<i32>):
        %t = stablehlo.add %x, %y : tensor<i32>
        stablehlo.return %t : tensor<i32>
      }) : (tensor<2x2xi32>) -> tensor<2x2xi32>
      %id = stablehlo.partition_id : tensor<ui32>
      %n = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
      %one = stablehlo.reshape %n : (tensor<i32>) -> tensor<1x1xi32>
      sdy.return %sum, %one : tensor<2x2xi32>, tensor<1x1xi32>
    } : (tensor<8x2xi32>) -> (tensor<2x2xi32>, tensor<4x2xi32>)
    check.expect_eq_const %r#0, dense<[[12, 12], [16, 16]]> : tensor<2x2xi32>
    check.expect_eq_const %r#1, dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi32>
    return
  }
}

// -----

// The first of the group gets the sum, the others zeros.
module @collective_reduce {
  func.func @p(%a: tensor<2xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.collective_reduce"(%a) <{replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %s = stablehlo.maximum %x, %y : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<2xi32>) -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1, 9]> : tensor<2xi32>
    %b = stablehlo.constant dense<[5, 6]> : tensor<2xi32>
    %r:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@p], [@p]]} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
    check.expect_eq_const %r#0, dense<0> : tensor<2xi32>
    check.expect_eq_const %r#1, dense<[5, 9]> : tensor<2xi32>
    return
  }
}

// -----

// In the global view these change no value.
module @global_view {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main() {
    %a = stablehlo.iota dim = 0 : tensor<4x4xf32>
    %b = sdy.reshard %a <@mesh, [{"x"}, {}]> : tensor<4x4xf32>
    %c = sdy.all_gather [{"x"}, {}] %b out_sharding=<@mesh, [{}, {}]> : tensor<4x4xf32>
    %d = sdy.named_computation<"double">(%c) (%x: tensor<4x4xf32>) {
      %y = stablehlo.add %x, %x : tensor<4x4xf32>
      sdy.return %y : tensor<4x4xf32>
    } : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %e = stablehlo.add %a, %a : tensor<4x4xf32>
    check.expect_eq %d, %e : tensor<4x4xf32>
    return
  }
}
