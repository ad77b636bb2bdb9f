// Programs on quantized numbers become programs on the stored integers: of the same values where nothing is rounded in another
// place, of values within a step or two where something is.
// RUN: tessera opt %s --stablehlo-legalize-quant-to-math -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=quant.uniform --implicit-check-not=uniform_
// RUN: tessera run %s --function=exact --input=random --seed=1 --output=%t.npz
// RUN: tessera run %t.mlir --function=exact --input=random --seed=1 --expect=%t.npz
// RUN: tessera run %s --function=exact --input=random --seed=2 --output=%t.npz
// RUN: tessera run %t.mlir --function=exact --input=random --seed=2 --expect=%t.npz
// RUN: tessera run %s --function=rounded --input=random --seed=1 --output=%t.npz
// RUN: tessera run %t.mlir --function=rounded --input=random --seed=1 --expect=%t.npz --atol=1
// RUN: tessera run %s --function=products --input=random --seed=1 --output=%t.npz
// RUN: tessera run %t.mlir --function=products --input=random --seed=1 --expect=%t.npz --atol=2
// RUN: tessera run %s --function=products --input=random --seed=2 --output=%t.npz
// RUN: tessera run %t.mlir --function=products --input=random --seed=2 --expect=%t.npz --atol=2
// RUN: tessera run %s --function=open --input=2x3xf32=1,-1,0.5,0.25,0.75,-0.5 --input=3x2xf32=1,2,-3,4,-5,6 --output=%t.npz
// RUN: tessera run %t.mlir --function=open --input=2x3xf32=1,-1,0.5,0.25,0.75,-0.5 --input=3x2xf32=1,2,-3,4,-5,6 --expect=%t.npz

!q = !quant.uniform<i8:f32, 0.0625:3>
!z = !quant.uniform<i8:f32, 0.0625:0>
!u = !quant.uniform<i8:f32, 0.03125:16>
!s = !quant.uniform<i8:f32, 0.03125:0>
!fine = !quant.uniform<i8:f32, 0.001:10>
!n = !quant.uniform<u8:f32, 0.0625:100>
!i4 = !quant.uniform<i4:f32, 0.25:-1>
!narrow = !quant.uniform<i8<-20:30>:f32, 0.0625:5>
!wide = !quant.uniform<i32:f32, 0.00390625:7>
!w4 = !quant.uniform<i32:f32, 0.015625:7>
!axis = !quant.uniform<i8:f32:1, {0.0625:0, 0.03125:0}>
!axis_out = !quant.uniform<i32:f32:1, {0.00390625:0, 0.001953125:0}>
!axis_points = !quant.uniform<i32:f32:1, {0.5:3, 0.25:-2}>
!kernel = !quant.uniform<i8:f32:3, {0.0625:0, 0.03125:0}>
!kernel_out = !quant.uniform<i32:f32:3, {0.00390625:0, 0.001953125:0}>

// CHECK-LABEL: func.func @exact(%arg0: tensor<3x2xf32>, %arg1: tensor<3x2xf32>, %arg2: tensor<2x2xf32>, %arg3: tensor<1x4x4x2xf32>, %arg4: tensor<3x3x2x2xf32>)
// CHECK: stablehlo.add %{{.*}} : tensor<3x2xi32>
// CHECK: stablehlo.pad
// CHECK: stablehlo.convolution
// CHECK: call @move(%{{.*}}) : (tensor<3x2xi8>) -> tensor<4x3xi8>
func.func @exact(%x: tensor<3x2xf32>, %y: tensor<3x2xf32>, %w: tensor<2x2xf32>, %image: tensor<1x4x4x2xf32>, %kernel: tensor<3x3x2x2xf32>)
    -> (tensor<3x2x!q>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2x!i4>, tensor<3x2x!narrow>, tensor<3x2x!n>, tensor<3x2x!q>, tensor<3x2x!q>,
        tensor<3x2x!axis_points>, tensor<3x2x!wide>, tensor<3x2x!wide>, tensor<3x2x!axis_out>, tensor<1x4x5x2x!kernel_out>, tensor<3x2xf32>,
        tensor<4x3x!q>) {
  %q = stablehlo.uniform_quantize %x : (tensor<3x2xf32>) -> tensor<3x2x!q>
  %r = stablehlo.uniform_quantize %y : (tensor<3x2xf32>) -> tensor<3x2x!q>
  %n = stablehlo.uniform_quantize %y : (tensor<3x2xf32>) -> tensor<3x2x!n>
  %back = stablehlo.uniform_dequantize %q : (tensor<3x2x!q>) -> tensor<3x2xf32>
  %back2 = stablehlo.uniform_dequantize %n : (tensor<3x2x!n>) -> tensor<3x2xf32>
  %i4 = stablehlo.uniform_quantize %x : (tensor<3x2xf32>) -> tensor<3x2x!i4>
  %narrow = stablehlo.uniform_quantize %x : (tensor<3x2xf32>) -> tensor<3x2x!narrow>
  %tanh = stablehlo.tanh %n : tensor<3x2x!n>
  %max = stablehlo.maximum %q, %r : tensor<3x2x!q>
  %sum = stablehlo.add %q, %r : tensor<3x2x!q>
  %p = stablehlo.uniform_quantize %x : (tensor<3x2xf32>) -> tensor<3x2x!axis_points>
  %sums = stablehlo.add %p, %p : tensor<3x2x!axis_points>
  %m = stablehlo.uniform_quantize %w : (tensor<2x2xf32>) -> tensor<2x2x!q>
  %dot = "stablehlo.dot"(%q, %m) : (tensor<3x2x!q>, tensor<2x2x!q>) -> tensor<3x2x!wide>
  %o = stablehlo.uniform_quantize %w : (tensor<2x2xf32>) -> tensor<2x2x!z>
  %dots = stablehlo.dot_general %q, %o, contracting_dims = [1] x [1] : (tensor<3x2x!q>, tensor<2x2x!z>) -> tensor<3x2x!wide>
  %a = stablehlo.uniform_quantize %w : (tensor<2x2xf32>) -> tensor<2x2x!axis>
  %axis = stablehlo.dot_general %q, %a, contracting_dims = [1] x [0] : (tensor<3x2x!q>, tensor<2x2x!axis>) -> tensor<3x2x!axis_out>
  %i = stablehlo.uniform_quantize %image : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2x!q>
  %k = stablehlo.uniform_quantize %kernel : (tensor<3x3x2x2xf32>) -> tensor<3x3x2x2x!kernel>
  %conv = stablehlo.convolution(%i, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 2]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x4x4x2x!q>, tensor<3x3x2x2x!kernel>) -> tensor<1x4x5x2x!kernel_out>
  %hybrid = "stablehlo.dot"(%x, %m) : (tensor<3x2xf32>, tensor<2x2x!q>) -> tensor<3x2xf32>
  %moved = func.call @move(%q) : (tensor<3x2x!q>) -> tensor<4x3x!q>
  return %q, %back, %back2, %i4, %narrow, %tanh, %max, %sum, %sums, %dot, %dots, %axis, %conv, %hybrid, %moved
      : tensor<3x2x!q>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2x!i4>, tensor<3x2x!narrow>, tensor<3x2x!n>, tensor<3x2x!q>, tensor<3x2x!q>,
        tensor<3x2x!axis_points>, tensor<3x2x!wide>, tensor<3x2x!wide>, tensor<3x2x!axis_out>, tensor<1x4x5x2x!kernel_out>, tensor<3x2xf32>,
        tensor<4x3x!q>
}

// Ops that move elements stay.
// CHECK-LABEL: func.func private @move(%arg0: tensor<3x2xi8>) -> tensor<4x3xi8>
// CHECK-NEXT: stablehlo.transpose %arg0
// CHECK-NEXT: stablehlo.constant dense<-7> : tensor<i8>
// CHECK-NEXT: stablehlo.pad
// CHECK-NEXT: return
func.func private @move(%x: tensor<3x2x!q>) -> tensor<4x3x!q> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x2x!q>) -> tensor<2x3x!q>
  %c = stablehlo.constant() <{value = dense<-7> : tensor<i8>}> : () -> tensor<!q>
  %1 = stablehlo.pad %0, %c, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<2x3x!q>, tensor<!q>) -> tensor<4x3x!q>
  return %1 : tensor<4x3x!q>
}

// CHECK-LABEL: func.func @rounded
func.func @rounded(%x: tensor<3x2xf32>, %y: tensor<3x2xf32>)
    -> (tensor<3x2x!q>, tensor<3x2x!q>, tensor<3x2x!narrow>, tensor<3x2x!axis>, tensor<3x2x!axis>, tensor<3x2x!n>) {
  %q = stablehlo.uniform_quantize %x : (tensor<3x2xf32>) -> tensor<3x2x!q>
  %u = stablehlo.uniform_quantize %y : (tensor<3x2xf32>) -> tensor<3x2x!u>
  %sum = stablehlo.add %q, %u : (tensor<3x2x!q>, tensor<3x2x!u>) -> tensor<3x2x!q>
  %re = stablehlo.uniform_quantize %u : (tensor<3x2x!u>) -> tensor<3x2x!q>
  %narrow = stablehlo.uniform_quantize %u : (tensor<3x2x!u>) -> tensor<3x2x!narrow>
  %axis = stablehlo.uniform_quantize %u : (tensor<3x2x!u>) -> tensor<3x2x!axis>
  %sums = stablehlo.add %axis, %axis : tensor<3x2x!axis>
  %n = stablehlo.uniform_quantize %axis : (tensor<3x2x!axis>) -> tensor<3x2x!n>
  return %sum, %re, %narrow, %axis, %sums, %n
      : tensor<3x2x!q>, tensor<3x2x!q>, tensor<3x2x!narrow>, tensor<3x2x!axis>, tensor<3x2x!axis>, tensor<3x2x!n>
}

// Results that are narrower than the sums stay within their range.
// CHECK-LABEL: func.func @products
// CHECK: stablehlo.dot_general %{{.*}} : (tensor<2x3x4xi8>, tensor<3x4x2xi8>) -> tensor<3x2x2xi32>
// CHECK: stablehlo.dot_general %{{.*}} : (tensor<2x3x4xi8>, tensor<3x4x2xi8>) -> tensor<3x2x2xi32>
// CHECK: stablehlo.clamp
// CHECK: stablehlo.convolution{{.*}} -> tensor<2x2x2x2xi32>
// CHECK: stablehlo.convolution{{.*}} -> tensor<2x2x2x2xf32>
func.func @products(%x: tensor<2x3x4xf32>, %y: tensor<3x4x2xf32>, %image: tensor<2x2x4x4xf32>, %kernel: tensor<2x2x3x3xf32>)
    -> (tensor<3x2x2x!w4>, tensor<3x2x2x!q>, tensor<3x2x2x!fine>, tensor<2x2x2x2x!w4>, tensor<2x2x2x2x!w4>) {
  %a = stablehlo.uniform_quantize %x : (tensor<2x3x4xf32>) -> tensor<2x3x4x!q>
  %b = stablehlo.uniform_quantize %y : (tensor<3x4x2xf32>) -> tensor<3x4x2x!s>
  %0 = stablehlo.dot_general %a, %b, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4x!q>, tensor<3x4x2x!s>) -> tensor<3x2x2x!w4>
  %1 = stablehlo.dot_general %a, %b, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4x!q>, tensor<3x4x2x!s>) -> tensor<3x2x2x!q>
  %n = stablehlo.uniform_quantize %y : (tensor<3x4x2xf32>) -> tensor<3x4x2x!z>
  %2 = stablehlo.dot_general %a, %n, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4x!q>, tensor<3x4x2x!z>) -> tensor<3x2x2x!fine>
  %i = stablehlo.uniform_quantize %image : (tensor<2x2x4x4xf32>) -> tensor<2x2x4x4x!q>
  %k = stablehlo.uniform_quantize %kernel : (tensor<2x2x3x3xf32>) -> tensor<2x2x3x3x!z>
  %l = stablehlo.uniform_quantize %kernel : (tensor<2x2x3x3xf32>) -> tensor<2x2x3x3x!u>
  %3 = stablehlo.convolution(%i, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 1], pad = [[1, 1], [0, 0]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x2x4x4x!q>, tensor<2x2x3x3x!z>) -> tensor<2x2x2x2x!w4>
  %4 = stablehlo.convolution(%i, %l) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x2x4x4x!q>, tensor<2x2x3x3x!u>) -> tensor<2x2x2x2x!w4>
  return %0, %1, %2, %3, %4 : tensor<3x2x2x!w4>, tensor<3x2x2x!q>, tensor<3x2x2x!fine>, tensor<2x2x2x2x!w4>, tensor<2x2x2x2x!w4>
}

// Sizes that are not known are asked for at run time.
// CHECK-LABEL: func.func @open
// CHECK: stablehlo.dynamic_broadcast_in_dim
func.func @open(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?x!wide> {
  %a = stablehlo.uniform_quantize %x : (tensor<?x?xf32>) -> tensor<?x?x!q>
  %b = stablehlo.uniform_quantize %y : (tensor<?x?xf32>) -> tensor<?x?x!q>
  %0 = "stablehlo.dot"(%a, %b) : (tensor<?x?x!q>, tensor<?x?x!q>) -> tensor<?x?x!wide>
  return %0 : tensor<?x?x!wide>
}

// CHECK-LABEL: func.func private @elsewhere(tensor<2xi8>, tensor<2xui8>) -> tensor<2xi32>
func.func private @elsewhere(tensor<2x!q>, tensor<2x!n>) -> tensor<2x!wide>

// CHECK-LABEL: func.func @windows
// CHECK: "stablehlo.reduce_window"
// CHECK: ^bb0(%[[A:.*]]: tensor<i8>, %[[B:.*]]: tensor<i8>):
// CHECK: stablehlo.maximum %[[A]], %[[B]] : tensor<i8>
// CHECK: (tensor<4xi8>, tensor<i8>) -> tensor<2xi8>
func.func @windows(%x: tensor<4x!q>, %init: tensor<!q>) -> tensor<2x!q> {
  %0 = "stablehlo.reduce_window"(%x, %init) ({
  ^bb0(%a: tensor<!q>, %b: tensor<!q>):
    %1 = stablehlo.maximum %a, %b : tensor<!q>
    stablehlo.return %1 : tensor<!q>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4x!q>, tensor<!q>) -> tensor<2x!q>
  return %0 : tensor<2x!q>
}
