// RUN: tessera opt %s | FileCheck %s
// RUN: tessera opt %s -o %t && tessera opt %t | cmp %t -
// Older spellings are read, and today's are written.

// Destinations, with or without the sizes of groups; the empty tensors go when nobody else uses them.
// CHECK-LABEL: func.func @destinations
// CHECK-NEXT: %[[KEPT:.*]] = ttir.empty() : tensor<8x4xf32>
// CHECK-NEXT: %[[A:.*]] = "ttir.add"(%arg0, %arg1) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.relu"(%[[A]]) : (tensor<8x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT: %[[C:.*]] = "ttir.concat"(%[[R]], %[[KEPT]]) <{dim = 1 : si32}> : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: %[[N:.*]] = "ttir.rms_norm"(%[[C]]) <{epsilon = 9.99999974E-6 : f32, normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: %[[L:.*]] = "ttir.linear"(%[[N]], %[[C]]) <{transpose_a = false, transpose_b = false}> : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: return %[[L]]
func.func @destinations(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>) -> tensor<8x8xf32> {
  %kept = ttir.empty() : tensor<8x4xf32>
  %0 = ttir.empty() : tensor<8x4xf32>
  %1 = "ttir.add"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = tensor.empty() : tensor<8x4xf32>
  %3 = "ttir.relu"(%1, %2) {operandSegmentSizes = array<i32: 1, 1>} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %4 = ttir.empty() : tensor<8x8xf32>
  %5 = "ttir.concat"(%3, %kept, %4) <{dim = 1 : si32}> : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %6 = ttir.empty() : tensor<8x8xf32>
  %7 = "ttir.rms_norm"(%5, %6) <{normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %8 = ttir.empty() : tensor<8x8xf32>
  %9 = "ttir.linear"(%7, %5, %8) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %9 : tensor<8x8xf32>
}

// Ops of debug that write something gave their operand back.
// CHECK-LABEL: func.func @watched
// CHECK-NEXT: "debug.breakpoint"(%arg0) : (tensor<2xf32>) -> ()
// CHECK-NEXT: "debug.memory_snapshot"(%arg0) <{file_path = "m.json"}> {seen} : (tensor<2xf32>) -> ()
// CHECK-NEXT: return %arg0
func.func @watched(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "debug.breakpoint"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "debug.memory_snapshot"(%0) <{file_path = "m.json"}> {seen} : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @attributes
// CHECK-SAME: %arg0: tensor<4xf32> {ttcore.local_shape = #ttcore<local_shape local_shape = tensor<2xf32>>, ttcore.shard_status = #ttcore.shard_status<presharded>}
// CHECK-SAME: %arg1: tensor<4xf32> {ttcore.shard_status = #ttcore.shard_status<presharded>}
// CHECK-SAME: -> (tensor<4xf32> {ttcore.local_shape = #ttcore<local_shape local_shape = tensor<2xf32>>, ttcore.shard_status = #ttcore.shard_status<unsharded>})
func.func @attributes(%a: tensor<4xf32> {ttcore.runtime_tensor_sharding = #ttcore<runtime_tensor_sharding shard_status = <sharded>, local_shape = tensor<2xf32>>}, %b: tensor<4xf32> {ttcore.shard_status = #ttcore.shard_status<sharded>}) -> (tensor<4xf32> {ttcore.runtime_tensor_sharding = #ttcore<runtime_tensor_sharding shard_status = <unsharded>, local_shape = tensor<2xf32>>}) {
  return %a : tensor<4xf32>
}

// What no table lists any more, and what no dialect has, pass through.
// CHECK-LABEL: func.func @through
// CHECK-NEXT: "ttir.mesh_shard"(%arg0) <{shard_dims = array<i64: 0>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2>, shard_type = #ttcore.shard_type<identity>}>
// CHECK-NEXT: "ttir.of_tomorrow"(%{{.*}}) <{how = #ttir.unheard<1>}> : (tensor<2xf32>) -> tensor<2xf32>
func.func @through(%a: tensor<4xf32>) -> tensor<2xf32> {
  %0 = "ttir.mesh_shard"(%a) <{shard_dims = array<i64: 0>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2>, shard_type = #ttcore.shard_type<identity>}> : (tensor<4xf32>) -> tensor<2xf32>
  %1 = "ttir.of_tomorrow"(%0) <{how = #ttir.unheard<1>}> : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
