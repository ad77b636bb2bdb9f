// Reshards and all-reduces make the shardings of every op compatible.
// RUN: sdy_opt %s --sdy-insert-explicit-reshards=enable-full-version=true | FileCheck %s
// RUN: sdy_opt %s --sdy-insert-explicit-reshards | FileCheck %s --check-prefix=MIN

sdy.mesh @m = <["x"=2, "y"=4]>
sdy.mesh @turned = <["x"=2, "y"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
sdy.mesh @one = <[], device_ids=[3]>

// Compatible: nothing happens, and a sum along a sharded dimension is completed.
// CHECK-LABEL: func @fits(
// MIN-LABEL: func @fits(
func.func @fits(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}]>},
                %arg1: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {}]>})
    -> (tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[D:.*]] = stablehlo.dot %arg0, %arg1
  // CHECK-NEXT: %[[R:.*]] = sdy.all_reduce {"y"} %[[D]] out_sharding=<@m, [{"x"}, {}]>
  // CHECK-NEXT: return %[[R]]
  // MIN-NEXT: %[[D:.*]] = stablehlo.dot
  // MIN-NEXT: return %[[D]]
  %0 = stablehlo.dot %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}, {}]>]>} : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// The larger tensor keeps its sharding.
// CHECK-LABEL: func @larger_wins(
// MIN-LABEL: func @larger_wins(
func.func @larger_wins(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> (tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {}]>}) {
  // CHECK-NEXT: %[[A:.*]] = sdy.reshard %arg0 <@m, [{"y"}]> : tensor<16xf32>
  // CHECK-NEXT: stablehlo.broadcast_in_dim %[[A]]
  // MIN-NEXT: stablehlo.broadcast_in_dim %arg0
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}, {}]>]>} : (tensor<16xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// Of three tensors the two that agree win; the result is resharded behind the op.
// CHECK-LABEL: func @two_of_three(
func.func @two_of_three(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>},
                        %arg1: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>})
    -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>}) {
  // CHECK-NEXT: %[[A:.*]] = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}, {}]>]>}
  // CHECK-NEXT: %[[R:.*]] = sdy.reshard %[[A]] <@m, [{}, {"x"}]>
  // CHECK-NEXT: return %[[R]]
  %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"x"}]>]>} : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// What must be replicated gives its axes to a dimension that may be sharded.
// CHECK-LABEL: func @need_replication(
func.func @need_replication(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>})
    -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>}) {
  // CHECK-NEXT: %[[A:.*]] = sdy.reshard %arg0 <@m, [{"x"}, {}]>
  // CHECK-NEXT: "stablehlo.sort"(%[[A]])
  // CHECK: {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}, {}]>]>}
  // CHECK-NEXT: sdy.reshard %{{.*}} <@m, [{}, {"x"}]>
  %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"x"}]>]>} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// Devices in another order: the mesh of most tensors is taken.
// CHECK-LABEL: func @devices(
func.func @devices(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>},
                   %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@turned, [{"x"}]>})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@turned, [{"x"}]>}) {
  // CHECK-NEXT: %[[A:.*]] = sdy.reshard %arg0 <@turned, [{"x"}]>
  // CHECK-NEXT: stablehlo.add %[[A]], %arg1
  %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@turned, [{"x"}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Loops: what goes in and what comes round meet the sharding of the result.
// CHECK-LABEL: func @loop(
func.func @loop(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}]>}) {
  // CHECK-NEXT: %[[A:.*]] = sdy.reshard %arg0 <@m, [{"y"}]>
  // CHECK-NEXT: stablehlo.while(%iterArg = %[[A]])
  // CHECK: %[[N:.*]] = stablehlo.negate
  // CHECK-NEXT: %[[R:.*]] = sdy.reshard %[[N]] <@m, [{}]>
  // CHECK-NEXT: %[[B:.*]] = sdy.reshard %[[R]] <@m, [{"y"}]>
  // CHECK-NEXT: stablehlo.return %[[B]]
  %0 = stablehlo.while(%iterArg = %arg0) : tensor<8xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}]>]>}
    cond {
    %1 = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.negate %iterArg {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>} : tensor<8xf32>
    stablehlo.return %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// Calls: operands meet the shardings of arguments, in both versions.
// CHECK-LABEL: func @call(
// MIN-LABEL: func @call(
func.func @call(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: %[[A:.*]] = sdy.reshard %arg0 <@m, [{"y"}]>
  // CHECK-NEXT: call @callee(%[[A]])
  // MIN-NEXT: %[[A:.*]] = sdy.reshard %arg0 <@m, [{"y"}]>
  // MIN-NEXT: call @callee(%[[A]])
  %0 = call @callee(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @callee(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}]>}) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

// Partial sums are completed where they are used as if they were whole, in both versions.
// CHECK-LABEL: func @unreduced(
// MIN-LABEL: func @unreduced(
func.func @unreduced(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced=max{"x"}>}) -> tensor<8xf32> {
  // CHECK-NEXT: %[[A:.*]] = sdy.all_reduce max {"x"} %arg0 out_sharding=<@m, [{}]>
  // CHECK-NEXT: stablehlo.negate %[[A]]
  // MIN-NEXT: %[[A:.*]] = sdy.all_reduce max {"x"} %arg0 out_sharding=<@m, [{}]>
  // MIN-NEXT: stablehlo.negate %[[A]]
  %0 = stablehlo.negate %arg0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func @to_unreduced(
func.func @to_unreduced(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced={"x", "y"}>}) {
  // CHECK-NEXT: %[[A:.*]] = sdy.replicated_to_unreduced {"y"} %arg0 out_sharding=<@m, [{"x"}], unreduced={"y"}>
  // CHECK-NEXT: %[[B:.*]] = sdy.sharded_to_unreduced [{"x"}] %[[A]] out_sharding=<@m, [{}], unreduced={"x", "y"}>
  // CHECK-NEXT: return %[[B]]
  return %arg0 : tensor<8xf32>
}

// An op on one device gets its operands there, and gives its results back.
// CHECK-LABEL: func @single_device(
func.func @single_device(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: %[[A:.*]] = sdy.reshard %arg0 <@m, [{}]>
  // CHECK-NEXT: %[[B:.*]] = sdy.reshard %[[A]] <@one, []>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.negate %[[B]] {sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>}
  // CHECK-NEXT: %[[D:.*]] = sdy.reshard %[[C]] <@m, [{}]>
  // CHECK-NEXT: return %[[D]]
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A rule of the user's own is left alone.
// CHECK-LABEL: func @custom_rule(
func.func @custom_rule(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: stablehlo.custom_call @foo(%arg0)
  %0 = stablehlo.custom_call @foo(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}, custom>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
