// Canonical forms of reshards, collectives and manual computations, and the choice of patterns.
// RUN: sdy_opt %s -canonicalize | FileCheck %s
// RUN: sdy_opt %s -canonicalize="enable-patterns=sdy-collective" | FileCheck %s --check-prefix=ONLY
// RUN: sdy_opt %s -canonicalize="disable-patterns=sdy-collective,sdy-reshard-reuse" | FileCheck %s --check-prefix=OFF

sdy.mesh @m = <["x"=2, "y"=2, "one"=1]>

// CHECK-LABEL: func @chain
// CHECK-NEXT: %0 = sdy.reshard %arg0 <@m, [{"y"}]>
// CHECK-NEXT: return %0
// ONLY-LABEL: func @chain
// ONLY-COUNT-3: sdy.reshard
// OFF-LABEL: func @chain
// OFF-NEXT: %0 = sdy.reshard %arg0 <@m, [{"y"}]>
func.func @chain(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.reshard %arg0 <@m, [{"x"}]> : tensor<8xf32>
  %1 = sdy.reshard %0 <@m, [{}]> : tensor<8xf32>
  %2 = sdy.reshard %1 <@m, [{"y"}]> : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// 4x2 by y on the first dimension lies as 8 by y does.
// CHECK-LABEL: func @through_reshape
// CHECK-NEXT: %0 = sdy.reshard %arg0 <@m, [{"y"}]>
// CHECK-NEXT: %1 = stablehlo.reshape %0 : (tensor<8xf32>) -> tensor<4x2xf32>
// CHECK-NEXT: return %0, %1
// OFF-LABEL: func @through_reshape
// OFF-COUNT-2: sdy.reshard
func.func @through_reshape(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<4x2xf32>) {
  %0 = sdy.reshard %arg0 <@m, [{"y"}]> : tensor<8xf32>
  %1 = stablehlo.reshape %arg0 : (tensor<8xf32>) -> tensor<4x2xf32>
  %2 = sdy.reshard %1 <@m, [{"y"}, {}]> : tensor<4x2xf32>
  return %0, %2 : tensor<8xf32>, tensor<4x2xf32>
}

// 4x2 by y on the second does not.
// CHECK-LABEL: func @not_through_reshape
// CHECK-COUNT-2: sdy.reshard
func.func @not_through_reshape(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<4x2xf32>) {
  %0 = sdy.reshard %arg0 <@m, [{"y"}]> : tensor<8xf32>
  %1 = stablehlo.reshape %arg0 : (tensor<8xf32>) -> tensor<4x2xf32>
  %2 = sdy.reshard %1 <@m, [{}, {"y"}]> : tensor<4x2xf32>
  return %0, %2 : tensor<8xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func @sum_and_slice
// CHECK-NEXT: %0 = sdy.reduce_scatter max [{"x"}, {}] %arg0 out_sharding=<@m, [{"x"}, {}]>
// CHECK-NEXT: %1 = sdy.all_slice [{}, {"y"}] %0 out_sharding=<@m, [{"x"}, {"y"}]>
// CHECK-NEXT: return %1
// OFF-LABEL: func @sum_and_slice
// OFF-NEXT: sdy.all_reduce
func.func @sum_and_slice(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}], unreduced=max{"x"}>}) -> tensor<8x8xf32> {
  %0 = sdy.all_reduce max {"x"} %arg0 out_sharding=<@m, [{}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_slice [{"x"}, {"y"}] %0 out_sharding=<@m, [{"x"}, {"y"}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// The axis is not first in its dimension: nothing fits.
// CHECK-LABEL: func @sum_and_other_slice
// CHECK-NEXT: sdy.all_reduce
// CHECK-NEXT: sdy.all_slice
func.func @sum_and_other_slice(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}], unreduced={"x"}>}) -> tensor<8x8xf32> {
  %0 = sdy.all_reduce {"x"} %arg0 out_sharding=<@m, [{}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_slice [{"y", "x"}, {}] %0 out_sharding=<@m, [{"y", "x"}, {}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// CHECK-LABEL: func @all_to_alls
// CHECK-NEXT: %0 = sdy.all_to_all [{"y"}: 0->3, {"x"}: 1->2] %arg0 out_sharding=<@m, [{}, {}, {"x"}, {"y"}]>
// CHECK-NEXT: return %0
func.func @all_to_alls(%arg0: tensor<4x4x4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {"x"}, {}, {}]>}) -> tensor<4x4x4x4xf32> {
  %0 = sdy.all_to_all [{"x"}: 1->2] %arg0 out_sharding=<@m, [{"y"}, {}, {"x"}, {}]> : tensor<4x4x4x4xf32>
  %1 = sdy.all_to_all [{"y"}: 0->3] %0 out_sharding=<@m, [{}, {}, {"x"}, {"y"}]> : tensor<4x4x4x4xf32>
  %2 = sdy.all_to_all [{"y"}: 3->1] %1 out_sharding=<@m, [{}, {"y"}, {"x"}, {}]> : tensor<4x4x4x4xf32>
  return %1 : tensor<4x4x4x4xf32>
}

// CHECK-LABEL: func @manual
// CHECK-NEXT: stablehlo.negate %arg0
// CHECK-NEXT: return
// ONLY-LABEL: func @manual
// ONLY-NEXT: sdy.manual_computation(%arg0, %arg1)
func.func @manual(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@m, [{"one"}]>, <@m, [{}]>] out_shardings=[<@m, [{"one"}]>] manual_axes={"one"} (%arg2: tensor<8xf32>, %arg3: tensor<8xf32>) {
    %1 = stablehlo.negate %arg2 : tensor<8xf32>
    sdy.return %1 : tensor<8xf32>
  } : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
