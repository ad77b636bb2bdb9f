// RUN: tessera opt %s -o %t && tessera opt %t | cmp %t -
// RUN: tessera opt %s | FileCheck %s
// Elementwise ops broadcast, reductions keep dimensions or not; element types of results are free.

// CHECK: "ttir.abs"(%arg0
func.func @f0(%a: tensor<2x3xf32>) {
  %0 = "ttir.abs"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.typecast"(%arg0
func.func @f1(%a: tensor<2x3xf32>) {
  %0 = "ttir.typecast"(%a) : (tensor<2x3xf32>) -> tensor<2x3xbf16>
  return
}

// CHECK: "ttir.leaky_relu"(%arg0
func.func @f2(%a: tensor<2xf32>) {
  %0 = "ttir.leaky_relu"(%a) <{parameter = 1.0e-02 : f32}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// CHECK: "ttir.selu"(%arg0
func.func @f3(%a: tensor<2xf32>) {
  %0 = "ttir.selu"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// CHECK: "ttir.add"(%arg0
func.func @f4(%a: tensor<2x1x3xf32>, %b: tensor<4x1xf32>) {
  %0 = "ttir.add"(%a, %b) : (tensor<2x1x3xf32>, tensor<4x1xf32>) -> tensor<2x4x3xf32>
  return
}

// CHECK: "ttir.eq"(%arg0
func.func @f5(%a: tensor<2xf32>, %b: tensor<f32>) {
  %0 = "ttir.eq"(%a, %b) : (tensor<2xf32>, tensor<f32>) -> tensor<2xi1>
  return
}

// CHECK: "ttir.add"(%arg0
func.func @f6(%a: tensor<2xbf16>, %b: tensor<2xbf16>) {
  %0 = "ttir.add"(%a, %b) : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xf32>
  return
}

// CHECK: "ttir.add"(%arg0
func.func @f7(%a: tensor<?x3xf32>, %b: tensor<1x3xf32>) {
  %0 = "ttir.add"(%a, %b) : (tensor<?x3xf32>, tensor<1x3xf32>) -> tensor<?x3xf32>
  return
}

// CHECK: "ttir.gelu_bw"(%arg0
func.func @f8(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) {
  %0 = "ttir.gelu_bw"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// CHECK: "ttir.bitcast_convert"(%arg0
func.func @f9(%a: tensor<2xf32>) {
  %0 = "ttir.bitcast_convert"(%a) : (tensor<2xf32>) -> tensor<2xi32>
  return
}

// CHECK: "ttir.right_shift"(%arg0
func.func @f10(%a: tensor<2xi32>, %b: tensor<2xi32>) {
  %0 = "ttir.right_shift"(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return
}

// CHECK: "ttir.where"(%arg0
func.func @f11(%a: tensor<2x1xi1>, %b: tensor<3xf32>, %c: tensor<f32>) {
  %0 = "ttir.where"(%a, %b, %c) : (tensor<2x1xi1>, tensor<3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.clamp_scalar"(%arg0
func.func @f12(%a: tensor<2xi32>) {
  %0 = "ttir.clamp_scalar"(%a) <{min = 0 : i32, max = 5 : i32}> : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// CHECK: "ttir.clamp_tensor"(%arg0
func.func @f13(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<2x3xf32>) {
  %0 = "ttir.clamp_tensor"(%a, %b, %c) : (tensor<2x3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.sum"(%arg0
func.func @f14(%a: tensor<2x3x4xf32>) {
  %0 = "ttir.sum"(%a) <{keep_dim = false, dim_arg = [0 : i32, -1 : i32]}> : (tensor<2x3x4xf32>) -> tensor<3xf32>
  return
}

// CHECK: "ttir.max"(%arg0
func.func @f15(%a: tensor<2x3xf32>) {
  %0 = "ttir.max"(%a) <{keep_dim = true}> : (tensor<2x3xf32>) -> tensor<1x1xf32>
  return
}

// CHECK: "ttir.argmax"(%arg0
func.func @f16(%a: tensor<2x3xf32>) {
  %0 = "ttir.argmax"(%a) <{keep_dim = false, dim_arg = [1 : i32]}> : (tensor<2x3xf32>) -> tensor<2xi32>
  return
}

// CHECK: "ttir.reduce_or"(%arg0
func.func @f17(%a: tensor<2x3xi1>) {
  %0 = "ttir.reduce_or"(%a) <{keep_dim = false}> : (tensor<2x3xi1>) -> tensor<i1>
  return
}

// CHECK: "ttir.cumsum"(%arg0
func.func @f18(%a: tensor<2x3xf32>) {
  %0 = "ttir.cumsum"(%a) <{dim = -1 : i64}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.softmax"(%arg0
func.func @f19(%a: tensor<2x3xf32>) {
  %0 = "ttir.softmax"(%a) <{dimension = -1 : si32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.dropout"(%arg0
func.func @f20(%a: tensor<2x3xf32>) {
  %0 = "ttir.dropout"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.sort"(%arg0
func.func @f21(%a: tensor<2x3xf32>) {
  %0:2 = "ttir.sort"(%a) : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi16>)
  return
}

// CHECK: "ttir.topk"(%arg0
func.func @f22(%a: tensor<2x3xf32>) {
  %0:2 = "ttir.topk"(%a) <{k = 2 : i32}> : (tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  return
}

// CHECK: "ttir.sampling"(%arg0
func.func @f23(%a: tensor<2x8xf32>, %b: tensor<2x8xi32>, %c: tensor<2xi32>, %d: tensor<2xf32>, %e: tensor<2xf32>) {
  %0 = "ttir.sampling"(%a, %b, %c, %d, %e) <{seed = 3 : ui32}> : (tensor<2x8xf32>, tensor<2x8xi32>, tensor<2xi32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xi32>
  return
}
