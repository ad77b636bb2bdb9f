// Ops go to the row that a version has, row by row, and come back.
// RUN: tessera opt %s --stablehlo-legalize-to-vhlo --vhlo-to-version=target=0.9.0 | FileCheck %s --check-prefix=OLD
// RUN: tessera opt %s --stablehlo-legalize-to-vhlo --vhlo-to-version=target=1.9.3 | FileCheck %s --check-prefix=MID
// RUN: tessera opt %s > %t.0
// RUN: tessera opt %s --stablehlo-legalize-to-vhlo --vhlo-to-version=target=0.9.0 --vhlo-to-version=target=1.4.0 --stablehlo-deserialize > %t.1
// RUN: diff %t.0 %t.1
// RUN: tessera opt %s --stablehlo-legalize-to-vhlo --vhlo-to-version=target=minimum > %t.2
// RUN: tessera opt %t.2 --stablehlo-deserialize > %t.3
// RUN: diff %t.0 %t.3

// OLD: vhlo.func_v1 @changed
// MID: vhlo.func_v1 @changed
func.func @changed(%x: tensor<4x4xf32>, %i: tensor<4x2xi32>, %u: tensor<4xf32>, %t: !stablehlo.token, %p: tensor<2x2xi64>) {
  // OLD: "vhlo.exponential_v1"({{.*}}) : (
  // MID: "vhlo.exponential_v2"({{.*}}) <{result_accuracy = #vhlo.result_accuracy_v1<atol = 0.000000e+00, rtol = 0.000000e+00, ulps = 0, mode = #vhlo<result_accuracy_mode_v1 DEFAULT>>}>
  %0 = stablehlo.exponential %x : tensor<4x4xf32>
  // OLD: "vhlo.cosine_v1"
  // MID: "vhlo.cosine_v1"
  %1 = stablehlo.cosine %x : tensor<4x4xf32>
  // OLD: "vhlo.gather_v1"
  // OLD-NOT: batching
  // OLD-SAME: start_index_map
  // MID: "vhlo.gather_v2"({{.*}}) <{{.*}}operand_batching_dims = #vhlo.tensor_v1<dense<> : tensor<0xi64>>
  %2 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x4xf32>, tensor<4x2xi32>) -> tensor<4xf32>
  // OLD: "vhlo.scatter_v1"
  // MID: "vhlo.scatter_v2"
  %3 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<4x2xi32>, tensor<4xf32>) -> tensor<4x4xf32>
  // OLD: "vhlo.all_reduce_v1"
  // OLD: "vhlo.add_v1"
  // MID: "vhlo.all_reduce_v2"
  %4 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %20 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %20 : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // OLD: "vhlo.all_gather_v1"
  %5 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x8xf32>
  // OLD: "vhlo.all_to_all_v1"
  %6 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x4xf32>) -> tensor<8x2xf32>
  // OLD: "vhlo.dot_general_v1"
  // OLD-NOT: component_count
  // OLD-SAME: rhs_contracting_dimensions
  // MID: "vhlo.dot_general_v2"
  // MID-SAME: lhs_component_count = #vhlo.type_v1<!vhlo.none_v1>
  %7 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // OLD: "vhlo.custom_call_v1"
  // MID: "vhlo.custom_call_v1"
  %8 = stablehlo.custom_call @f(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // OLD: "vhlo.send_v1"
  // MID: "vhlo.send_v1"
  %9 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>}> : (tensor<4x4xf32>, !stablehlo.token) -> !stablehlo.token
  // OLD: "vhlo.recv_v1"
  %10:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>}> : (!stablehlo.token) -> (tensor<4x4xf32>, !stablehlo.token)
  // The padding that was an attribute once.
  // OLD: "vhlo.dynamic_conv_v1"
  // OLD-SAME: padding = #vhlo.tensor_v1<dense<0> : tensor<2x2xi64>>
  // MID: "vhlo.dynamic_conv_v2"
  // MID-NOT: padding =
  %11 = stablehlo.reshape %x : (tensor<4x4xf32>) -> tensor<1x4x4x1xf32>
  %12 = "stablehlo.dynamic_conv"(%11, %11, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[o, 0, 1, i]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x4x4x1xf32>, tensor<1x4x4x1xf32>, tensor<2x2xi64>) -> tensor<1x?x?x1xf32>
  return
}
