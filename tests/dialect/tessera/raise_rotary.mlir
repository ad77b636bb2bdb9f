// Rotary embedding: halves and neighbours, put together or turned as a whole.
// RUN: tessera opt %s --tessera-raise | FileCheck %s
// RUN: tessera run %s --function=rotary_halves --input=random --seed=3 --output=%t0.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=rotary_halves --input=random --seed=3 --expect=%t0.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=rotary_neighbours --input=random --seed=3 --output=%t1.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=rotary_neighbours --input=random --seed=3 --expect=%t1.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=rotary_pairs --input=random --seed=3 --output=%t2.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=rotary_pairs --input=random --seed=3 --expect=%t2.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=rotary_rotate_half --input=random --seed=3 --output=%t3.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=rotary_rotate_half --input=random --seed=3 --expect=%t3.npz --rtol=1e-4 --atol=1e-4
// RUN: tessera run %s --function=rotary_complex --input=random --seed=3 --output=%t4.npz
// RUN: tessera opt %s --tessera-fuse | tessera run - --function=rotary_complex --input=random --seed=3 --expect=%t4.npz --rtol=1e-4 --atol=1e-4

// CHECK-LABEL: func.func @rotary_halves(
// CHECK: tessera.reshape {{%[0-9]+}} : tensor<6x4xf32> -> tensor<6x1x4xf32>
// CHECK: tessera.reshape {{%[0-9]+}} : tensor<6x4xf32> -> tensor<6x1x4xf32>
// CHECK: tessera.rotary %arg0, {{%[0-9]+}}, {{%[0-9]+}} : tensor<2x6x4x8xf32>, tensor<6x1x4xf32>, tensor<6x1x4xf32> -> tensor<2x6x4x8xf32>
func.func @rotary_halves(%arg0: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
  %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_2 = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %1 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %2 = stablehlo.multiply %1, %0 : tensor<4xi32>
  %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %4 = stablehlo.add %3, %2 : tensor<4xi32>
  %5 = stablehlo.convert %4 : (tensor<4xi32>) -> tensor<4xf32>
  %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %7 = stablehlo.divide %5, %6 : tensor<4xf32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %9 = stablehlo.power %8, %7 : tensor<4xf32>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %11 = stablehlo.divide %10, %9 : tensor<4xf32>
  %12 = stablehlo.iota dim = 0 : tensor<6xi32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
  %14 = stablehlo.broadcast_in_dim %11, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
  %15 = stablehlo.convert %13 : (tensor<6x1xi32>) -> tensor<6x1xf32>
  %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x4xf32>
  %17 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<6x4xf32>
  %18 = stablehlo.multiply %16, %17 : tensor<6x4xf32>
  %19 = stablehlo.cosine %18 : tensor<6x4xf32>
  %20 = stablehlo.sine %18 : tensor<6x4xf32>
  %21 = stablehlo.broadcast_in_dim %19, dims = [1, 3] : (tensor<6x4xf32>) -> tensor<1x6x1x4xf32>
  %22 = stablehlo.broadcast_in_dim %20, dims = [1, 3] : (tensor<6x4xf32>) -> tensor<1x6x1x4xf32>
  %23 = stablehlo.slice %arg0 [0:2, 0:6, 0:4, 0:4] : (tensor<2x6x4x8xf32>) -> tensor<2x6x4x4xf32>
  %24 = stablehlo.slice %arg0 [0:2, 0:6, 0:4, 4:8] : (tensor<2x6x4x8xf32>) -> tensor<2x6x4x4xf32>
  %25 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
  %26 = stablehlo.multiply %23, %25 : tensor<2x6x4x4xf32>
  %27 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
  %28 = stablehlo.multiply %24, %27 : tensor<2x6x4x4xf32>
  %29 = stablehlo.subtract %26, %28 : tensor<2x6x4x4xf32>
  %30 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
  %31 = stablehlo.multiply %24, %30 : tensor<2x6x4x4xf32>
  %32 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
  %33 = stablehlo.multiply %23, %32 : tensor<2x6x4x4xf32>
  %34 = stablehlo.add %31, %33 : tensor<2x6x4x4xf32>
  %35 = stablehlo.concatenate %29, %34, dim = 3 : (tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) -> tensor<2x6x4x8xf32>
  return %35 : tensor<2x6x4x8xf32>
}

// CHECK-LABEL: func.func @rotary_neighbours(
// CHECK: tessera.reshape {{%[0-9]+}} : tensor<6x4xf32> -> tensor<6x1x4xf32>
// CHECK: tessera.reshape {{%[0-9]+}} : tensor<6x4xf32> -> tensor<6x1x4xf32>
// CHECK: tessera.rotary %arg0, {{%[0-9]+}}, {{%[0-9]+}} {interleaved = true} : tensor<2x6x4x8xf32>, tensor<6x1x4xf32>, tensor<6x1x4xf32> -> tensor<2x6x4x8xf32>
func.func @rotary_neighbours(%arg0: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
  %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_2 = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %1 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %2 = stablehlo.multiply %1, %0 : tensor<4xi32>
  %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %4 = stablehlo.add %3, %2 : tensor<4xi32>
  %5 = stablehlo.convert %4 : (tensor<4xi32>) -> tensor<4xf32>
  %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %7 = stablehlo.divide %5, %6 : tensor<4xf32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %9 = stablehlo.power %8, %7 : tensor<4xf32>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %11 = stablehlo.divide %10, %9 : tensor<4xf32>
  %12 = stablehlo.iota dim = 0 : tensor<6xi32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
  %14 = stablehlo.broadcast_in_dim %11, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
  %15 = stablehlo.convert %13 : (tensor<6x1xi32>) -> tensor<6x1xf32>
  %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x4xf32>
  %17 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<6x4xf32>
  %18 = stablehlo.multiply %16, %17 : tensor<6x4xf32>
  %19 = stablehlo.cosine %18 : tensor<6x4xf32>
  %20 = stablehlo.sine %18 : tensor<6x4xf32>
  %21 = stablehlo.broadcast_in_dim %19, dims = [1, 3] : (tensor<6x4xf32>) -> tensor<1x6x1x4xf32>
  %22 = stablehlo.broadcast_in_dim %20, dims = [1, 3] : (tensor<6x4xf32>) -> tensor<1x6x1x4xf32>
  %23 = stablehlo.slice %arg0 [0:2, 0:6, 0:4, 0:8:2] : (tensor<2x6x4x8xf32>) -> tensor<2x6x4x4xf32>
  %24 = stablehlo.slice %arg0 [0:2, 0:6, 0:4, 1:8:2] : (tensor<2x6x4x8xf32>) -> tensor<2x6x4x4xf32>
  %25 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
  %26 = stablehlo.multiply %23, %25 : tensor<2x6x4x4xf32>
  %27 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
  %28 = stablehlo.multiply %24, %27 : tensor<2x6x4x4xf32>
  %29 = stablehlo.subtract %26, %28 : tensor<2x6x4x4xf32>
  %30 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
  %31 = stablehlo.multiply %23, %30 : tensor<2x6x4x4xf32>
  %32 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
  %33 = stablehlo.multiply %24, %32 : tensor<2x6x4x4xf32>
  %34 = stablehlo.add %31, %33 : tensor<2x6x4x4xf32>
  %35 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x6x4x4x1xf32>
  %36 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x6x4x4x1xf32>
  %37 = stablehlo.concatenate %35, %36, dim = 4 : (tensor<2x6x4x4x1xf32>, tensor<2x6x4x4x1xf32>) -> tensor<2x6x4x4x2xf32>
  %38 = stablehlo.reshape %37 : (tensor<2x6x4x4x2xf32>) -> tensor<2x6x4x8xf32>
  return %38 : tensor<2x6x4x8xf32>
}

// CHECK-LABEL: func.func @rotary_pairs(
// CHECK: tessera.reshape {{%[0-9]+}} : tensor<6x4xf32> -> tensor<6x1x4xf32>
// CHECK: tessera.reshape {{%[0-9]+}} : tensor<6x4xf32> -> tensor<6x1x4xf32>
// CHECK: tessera.rotary %arg0, {{%[0-9]+}}, {{%[0-9]+}} {interleaved = true} : tensor<2x6x4x8xf32>, tensor<6x1x4xf32>, tensor<6x1x4xf32> -> tensor<2x6x4x8xf32>
func.func @rotary_pairs(%arg0: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
  %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_2 = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %1 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %2 = stablehlo.multiply %1, %0 : tensor<4xi32>
  %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %4 = stablehlo.add %3, %2 : tensor<4xi32>
  %5 = stablehlo.convert %4 : (tensor<4xi32>) -> tensor<4xf32>
  %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %7 = stablehlo.divide %5, %6 : tensor<4xf32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %9 = stablehlo.power %8, %7 : tensor<4xf32>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %11 = stablehlo.divide %10, %9 : tensor<4xf32>
  %12 = stablehlo.iota dim = 0 : tensor<6xi32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
  %14 = stablehlo.broadcast_in_dim %11, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
  %15 = stablehlo.convert %13 : (tensor<6x1xi32>) -> tensor<6x1xf32>
  %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x4xf32>
  %17 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<6x4xf32>
  %18 = stablehlo.multiply %16, %17 : tensor<6x4xf32>
  %19 = stablehlo.cosine %18 : tensor<6x4xf32>
  %20 = stablehlo.sine %18 : tensor<6x4xf32>
  %21 = stablehlo.broadcast_in_dim %19, dims = [1, 3] : (tensor<6x4xf32>) -> tensor<1x6x1x4xf32>
  %22 = stablehlo.broadcast_in_dim %20, dims = [1, 3] : (tensor<6x4xf32>) -> tensor<1x6x1x4xf32>
  %23 = stablehlo.reshape %arg0 : (tensor<2x6x4x8xf32>) -> tensor<2x6x4x4x2xf32>
  %24 = stablehlo.slice %23 [0:2, 0:6, 0:4, 0:4, 0:1] : (tensor<2x6x4x4x2xf32>) -> tensor<2x6x4x4x1xf32>
  %25 = stablehlo.reshape %24 : (tensor<2x6x4x4x1xf32>) -> tensor<2x6x4x4xf32>
  %26 = stablehlo.slice %23 [0:2, 0:6, 0:4, 0:4, 1:2] : (tensor<2x6x4x4x2xf32>) -> tensor<2x6x4x4x1xf32>
  %27 = stablehlo.reshape %26 : (tensor<2x6x4x4x1xf32>) -> tensor<2x6x4x4xf32>
  %28 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
  %29 = stablehlo.multiply %25, %28 : tensor<2x6x4x4xf32>
  %30 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
  %31 = stablehlo.multiply %27, %30 : tensor<2x6x4x4xf32>
  %32 = stablehlo.subtract %29, %31 : tensor<2x6x4x4xf32>
  %33 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
  %34 = stablehlo.multiply %25, %33 : tensor<2x6x4x4xf32>
  %35 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xf32>) -> tensor<2x6x4x4xf32>
  %36 = stablehlo.multiply %27, %35 : tensor<2x6x4x4xf32>
  %37 = stablehlo.add %34, %36 : tensor<2x6x4x4xf32>
  %38 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x6x4x4x1xf32>
  %39 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x6x4x4x1xf32>
  %40 = stablehlo.concatenate %38, %39, dim = 4 : (tensor<2x6x4x4x1xf32>, tensor<2x6x4x4x1xf32>) -> tensor<2x6x4x4x2xf32>
  %41 = stablehlo.reshape %40 : (tensor<2x6x4x4x2xf32>) -> tensor<2x6x4x8xf32>
  return %41 : tensor<2x6x4x8xf32>
}

// CHECK-LABEL: func.func @rotary_rotate_half(
// CHECK: tessera.reshape {{%[0-9]+}} : tensor<6x8xf32> -> tensor<6x1x8xf32>
// CHECK: tessera.reshape {{%[0-9]+}} : tensor<6x8xf32> -> tensor<6x1x8xf32>
// CHECK: tessera.rotary %arg0, {{%[0-9]+}}, {{%[0-9]+}} : tensor<2x6x4x8xf32>, tensor<6x1x8xf32>, tensor<6x1x8xf32> -> tensor<2x6x4x8xf32>
func.func @rotary_rotate_half(%arg0: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
  %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_2 = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %1 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %2 = stablehlo.multiply %1, %0 : tensor<4xi32>
  %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %4 = stablehlo.add %3, %2 : tensor<4xi32>
  %5 = stablehlo.convert %4 : (tensor<4xi32>) -> tensor<4xf32>
  %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %7 = stablehlo.divide %5, %6 : tensor<4xf32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %9 = stablehlo.power %8, %7 : tensor<4xf32>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %11 = stablehlo.divide %10, %9 : tensor<4xf32>
  %12 = stablehlo.iota dim = 0 : tensor<6xi32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
  %14 = stablehlo.broadcast_in_dim %11, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
  %15 = stablehlo.convert %13 : (tensor<6x1xi32>) -> tensor<6x1xf32>
  %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x4xf32>
  %17 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<6x4xf32>
  %18 = stablehlo.multiply %16, %17 : tensor<6x4xf32>
  %19 = stablehlo.cosine %18 : tensor<6x4xf32>
  %20 = stablehlo.sine %18 : tensor<6x4xf32>
  %21 = stablehlo.concatenate %19, %19, dim = 1 : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x8xf32>
  %22 = stablehlo.broadcast_in_dim %21, dims = [1, 3] : (tensor<6x8xf32>) -> tensor<1x6x1x8xf32>
  %23 = stablehlo.concatenate %20, %20, dim = 1 : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x8xf32>
  %24 = stablehlo.broadcast_in_dim %23, dims = [1, 3] : (tensor<6x8xf32>) -> tensor<1x6x1x8xf32>
  %25 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<1x6x1x8xf32>) -> tensor<2x6x4x8xf32>
  %26 = stablehlo.multiply %arg0, %25 : tensor<2x6x4x8xf32>
  %27 = stablehlo.slice %arg0 [0:2, 0:6, 0:4, 4:8] : (tensor<2x6x4x8xf32>) -> tensor<2x6x4x4xf32>
  %28 = stablehlo.negate %27 : tensor<2x6x4x4xf32>
  %29 = stablehlo.slice %arg0 [0:2, 0:6, 0:4, 0:4] : (tensor<2x6x4x8xf32>) -> tensor<2x6x4x4xf32>
  %30 = stablehlo.concatenate %28, %29, dim = 3 : (tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) -> tensor<2x6x4x8xf32>
  %31 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<1x6x1x8xf32>) -> tensor<2x6x4x8xf32>
  %32 = stablehlo.multiply %30, %31 : tensor<2x6x4x8xf32>
  %33 = stablehlo.add %26, %32 : tensor<2x6x4x8xf32>
  return %33 : tensor<2x6x4x8xf32>
}

// CHECK-LABEL: func.func @rotary_complex(
// CHECK: tessera.reshape {{%[0-9]+}} : tensor<6x4xf32> -> tensor<6x1x4xf32>
// CHECK: tessera.reshape {{%[0-9]+}} : tensor<6x4xf32> -> tensor<6x1x4xf32>
// CHECK: tessera.rotary %arg0, {{%[0-9]+}}, {{%[0-9]+}} {interleaved = true} : tensor<2x6x4x8xf32>, tensor<6x1x4xf32>, tensor<6x1x4xf32> -> tensor<2x6x4x8xf32>
func.func @rotary_complex(%arg0: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
  %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_2 = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %1 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %2 = stablehlo.multiply %1, %0 : tensor<4xi32>
  %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %4 = stablehlo.add %3, %2 : tensor<4xi32>
  %5 = stablehlo.convert %4 : (tensor<4xi32>) -> tensor<4xf32>
  %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %7 = stablehlo.divide %5, %6 : tensor<4xf32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %9 = stablehlo.power %8, %7 : tensor<4xf32>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %11 = stablehlo.divide %10, %9 : tensor<4xf32>
  %12 = stablehlo.iota dim = 0 : tensor<6xi32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
  %14 = stablehlo.broadcast_in_dim %11, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
  %15 = stablehlo.convert %13 : (tensor<6x1xi32>) -> tensor<6x1xf32>
  %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x4xf32>
  %17 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<6x4xf32>
  %18 = stablehlo.multiply %16, %17 : tensor<6x4xf32>
  %19 = stablehlo.cosine %18 : tensor<6x4xf32>
  %20 = stablehlo.sine %18 : tensor<6x4xf32>
  %21 = stablehlo.reshape %arg0 : (tensor<2x6x4x8xf32>) -> tensor<2x6x4x4x2xf32>
  %22 = stablehlo.slice %21 [0:2, 0:6, 0:4, 0:4, 0:1] : (tensor<2x6x4x4x2xf32>) -> tensor<2x6x4x4x1xf32>
  %23 = stablehlo.reshape %22 : (tensor<2x6x4x4x1xf32>) -> tensor<2x6x4x4xf32>
  %24 = stablehlo.slice %21 [0:2, 0:6, 0:4, 0:4, 1:2] : (tensor<2x6x4x4x2xf32>) -> tensor<2x6x4x4x1xf32>
  %25 = stablehlo.reshape %24 : (tensor<2x6x4x4x1xf32>) -> tensor<2x6x4x4xf32>
  %26 = stablehlo.complex %23, %25 : tensor<2x6x4x4xcomplex<f32>>
  %27 = stablehlo.complex %19, %20 : tensor<6x4xcomplex<f32>>
  %28 = stablehlo.broadcast_in_dim %27, dims = [1, 3] : (tensor<6x4xcomplex<f32>>) -> tensor<1x6x1x4xcomplex<f32>>
  %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2, 3] : (tensor<1x6x1x4xcomplex<f32>>) -> tensor<2x6x4x4xcomplex<f32>>
  %30 = stablehlo.multiply %26, %29 : tensor<2x6x4x4xcomplex<f32>>
  %31 = stablehlo.real %30 : (tensor<2x6x4x4xcomplex<f32>>) -> tensor<2x6x4x4xf32>
  %32 = stablehlo.imag %30 : (tensor<2x6x4x4xcomplex<f32>>) -> tensor<2x6x4x4xf32>
  %33 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x6x4x4x1xf32>
  %34 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x6x4x4x1xf32>
  %35 = stablehlo.concatenate %33, %34, dim = 4 : (tensor<2x6x4x4x1xf32>, tensor<2x6x4x4x1xf32>) -> tensor<2x6x4x4x2xf32>
  %36 = stablehlo.reshape %35 : (tensor<2x6x4x4x2xf32>) -> tensor<2x6x4x8xf32>
  return %36 : tensor<2x6x4x8xf32>
}
