// RUN: tessera opt %s -o %t && tessera opt %t | cmp %t -
// RUN: tessera opt %s | FileCheck %s
// Ops that change shapes, move elements or choose some.

// CHECK: "ttir.reshape"(%arg0
func.func @f0(%a: tensor<2x6xf32>) {
  %0 = "ttir.reshape"(%a) <{shape = [3 : i32, -1 : i32]}> : (tensor<2x6xf32>) -> tensor<3x4xf32>
  return
}

// CHECK: "ttir.squeeze"(%arg0
func.func @f1(%a: tensor<2x1xf32>) {
  %0 = "ttir.squeeze"(%a) <{dim = -1 : si32}> : (tensor<2x1xf32>) -> tensor<2xf32>
  return
}

// CHECK: "ttir.unsqueeze"(%arg0
func.func @f2(%a: tensor<2xf32>) {
  %0 = "ttir.unsqueeze"(%a) <{dim = -1 : si32}> : (tensor<2xf32>) -> tensor<2x1xf32>
  return
}

// CHECK: "ttir.permute"(%arg0
func.func @f3(%a: tensor<2x3x4xf32>) {
  %0 = "ttir.permute"(%a) <{permutation = array<i64: 2, 0, 1>}> : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  return
}

// CHECK: "ttir.transpose"(%arg0
func.func @f4(%a: tensor<2x3x4xf32>) {
  %0 = "ttir.transpose"(%a) <{dim0 = -1 : si32, dim1 = 0 : si32}> : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  return
}

// CHECK: "ttir.reverse"(%arg0
func.func @f5(%a: tensor<2x3xf32>) {
  %0 = "ttir.reverse"(%a) <{dimensions = array<i64: 0, 1>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.broadcast"(%arg0
func.func @f6(%a: tensor<1x3xf32>) {
  %0 = "ttir.broadcast"(%a) <{broadcast_dimensions = array<i64: 5, 1>}> : (tensor<1x3xf32>) -> tensor<5x3xf32>
  return
}

// CHECK: "ttir.repeat"(%arg0
func.func @f7(%a: tensor<2x3xf32>) {
  %0 = "ttir.repeat"(%a) <{repeat_dimensions = array<i64: 2, 1>}> : (tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

// CHECK: "ttir.repeat_interleave"(%arg0
func.func @f8(%a: tensor<2x3xf32>) {
  %0 = "ttir.repeat_interleave"(%a) <{repeats = 2 : ui32, dim = -1 : si32}> : (tensor<2x3xf32>) -> tensor<2x6xf32>
  return
}

// CHECK: "ttir.concat"(%arg0
func.func @f9(%a: tensor<2x1xf32>, %b: tensor<2x3xf32>, %c: tensor<2x2xf32>) {
  %0 = "ttir.concat"(%a, %b, %c) <{dim = -1 : si32}> : (tensor<2x1xf32>, tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x6xf32>
  return
}

// CHECK: "ttir.pad"(%arg0
func.func @f10(%a: tensor<2x3xf32>) {
  %0 = "ttir.pad"(%a) <{padding = array<i32: 1, 0, 0, 2>, value = 0.0 : f32}> : (tensor<2x3xf32>) -> tensor<3x5xf32>
  return
}

// CHECK: "ttir.get_dimension_size"(%arg0
func.func @f11(%a: tensor<2x3xf32>) {
  %0 = "ttir.get_dimension_size"(%a) <{dimension = 1 : i32}> : (tensor<2x3xf32>) -> tensor<1xui32>
  return
}

// CHECK: "ttir.rearrange"(%arg0
func.func @f12(%a: tensor<2x3x4xf32>) {
  %0 = "ttir.rearrange"(%a) <{pattern = "b h w -> w (b h)"}> : (tensor<2x3x4xf32>) -> tensor<4x6xf32>
  return
}

// CHECK: "ttir.slice_static"(%arg0
func.func @f13(%a: tensor<8x8xf32>) {
  %0 = "ttir.slice_static"(%a) <{begins = [0 : i32, -1 : i32], ends = [5 : i32, -5 : i32], step = [2 : i32, -1 : i32]}> : (tensor<8x8xf32>) -> tensor<3x4xf32>
  return
}

// CHECK: "ttir.slice_static"(%arg0
func.func @f14(%a: tensor<4xf32>) {
  %0 = "ttir.slice_static"(%a) <{begins = [4 : i32], ends = [4 : i32], step = [1 : i32]}> : (tensor<4xf32>) -> tensor<0xf32>
  return
}

// CHECK: "ttir.slice_dynamic"(%arg0
func.func @f15(%a: tensor<4x4xf32>, %b: tensor<2xi32>, %c: tensor<2xi32>) {
  %0 = "ttir.slice_dynamic"(%a, %b, %c) <{step = [1 : i32, 1 : i32]}> : (tensor<4x4xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x2xf32>
  return
}

// CHECK: "ttir.index"(%arg0
func.func @f16(%a: tensor<4x4xf32>) {
  %0 = "ttir.index"(%a) <{dim = 1 : i32, begin = 0 : i32, end = 4 : i32, step = 3 : i32}> : (tensor<4x4xf32>) -> tensor<4x2xf32>
  return
}

// CHECK: "ttir.index_select"(%arg0
func.func @f17(%a: tensor<7x4xf32>) {
  %0 = "ttir.index_select"(%a) <{dim = 0 : si32, begin = 0 : si32, length = 2 : si32, stride = 3 : si32}> : (tensor<7x4xf32>) -> tensor<5x4xf32>
  return
}

// CHECK: "ttir.gather"(%arg0
func.func @f18(%a: tensor<4x3xf32>, %b: tensor<2x3xi32>) {
  %0 = "ttir.gather"(%a, %b) <{dim = 0 : i32}> : (tensor<4x3xf32>, tensor<2x3xi32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.gather"(%arg0
func.func @f19(%a: tensor<4x3xf32>, %b: tensor<5x1xi32>) {
  %0 = "ttir.gather"(%a, %b) <{offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, start_index_map = array<i64: 0>, index_vector_dim = 1 : si64, slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<5x1xi32>) -> tensor<5x3xf32>
  return
}

// CHECK: "ttir.scatter"(%arg0
func.func @f20(%a: tensor<4xf32>, %b: tensor<2xi32>, %c: tensor<2xf32>) {
  %0 = "ttir.scatter"(%a, %b, %c) <{dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<invalid>}> : (tensor<4xf32>, tensor<2xi32>, tensor<2xf32>) -> tensor<4xf32>
  return
}

// CHECK: "ttir.embedding"(%arg0
func.func @f21(%a: tensor<2x3xi32>, %b: tensor<1x9x4xf32>) {
  %0 = "ttir.embedding"(%a, %b) : (tensor<2x3xi32>, tensor<1x9x4xf32>) -> tensor<2x3x4xf32>
  return
}

// CHECK: "ttir.embedding_backward"(%arg0
func.func @f22(%a: tensor<2x3xi32>, %b: tensor<9x4xf32>, %c: tensor<2x3x4xf32>) {
  %0 = "ttir.embedding_backward"(%a, %b, %c) : (tensor<2x3xi32>, tensor<9x4xf32>, tensor<2x3x4xf32>) -> tensor<9x4xf32>
  return
}
