// Every op computes what its form in StableHLO computes.
// RUN: tessera run %s --input=random --output=%t.npz
// RUN: tessera opt %s --tessera-to-stablehlo -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera run %t.mlir --input=random --expect=%t.npz --rtol=2e-5 --atol=2e-6
// CHECK-NOT: tessera.

func.func @main(%x: tensor<2x3x8xf32>, %y: tensor<3x1xf32>, %w: tensor<8x5xf32>, %wt: tensor<2x1x6x8xf32>,
                %b: tensor<8xf32>, %ids: tensor<2x4xi32>, %q: tensor<2x2x5x4xf32>, %k: tensor<2x1x7x4xf32>,
                %v: tensor<1x2x7x3xf32>, %mask: tensor<5x7xi1>, %bias: tensor<2x5x7xf32>, %h: tensor<3x8xbf16>,
                %i: tensor<3x8xi32>, %u: tensor<8xui8>)
    -> (tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>,
        tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>,
        tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x5xf32>, tensor<2x2x3x6xf32>,
        tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x4x5xf32>,
        tensor<2x2x5x3xf32>, tensor<2x2x5x3xf32>, tensor<2x2x5x3xf32>, tensor<2x2x5x3xf32>, tensor<8x3x2xf32>,
        tensor<2x8x3xf32>, tensor<6x8xf32>, tensor<4x3x8xf32>, tensor<2x8xf32>, tensor<f32>, tensor<2x1x8xf32>,
        tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<3x8xf32>, tensor<3x8xi32>, tensor<3x8xf32>, tensor<8xi32>,
        tensor<3x8xbf16>, tensor<3xbf16>, tensor<3x8xi32>, tensor<3xi32>, tensor<2x3x8xf32>) {
  %0 = tessera.add %x, %y : tensor<2x3x8xf32>, tensor<3x1xf32> -> tensor<2x3x8xf32>
  %1 = tessera.sub %y, %x : tensor<3x1xf32>, tensor<2x3x8xf32> -> tensor<2x3x8xf32>
  %2 = tessera.mul %x, %b : tensor<2x3x8xf32>, tensor<8xf32> -> tensor<2x3x8xf32>
  %3 = tessera.div %x, %y : tensor<2x3x8xf32>, tensor<3x1xf32> -> tensor<2x3x8xf32>
  %4 = tessera.max %x, %y : tensor<2x3x8xf32>, tensor<3x1xf32> -> tensor<2x3x8xf32>
  %5 = tessera.min %x, %y : tensor<2x3x8xf32>, tensor<3x1xf32> -> tensor<2x3x8xf32>
  %6 = tessera.exp %x : tensor<2x3x8xf32> -> tensor<2x3x8xf32>
  %7 = tessera.pow %6, %x : tensor<2x3x8xf32>, tensor<2x3x8xf32> -> tensor<2x3x8xf32>
  %8 = tessera.neg %x : tensor<2x3x8xf32> -> tensor<2x3x8xf32>
  %9 = tessera.abs %x : tensor<2x3x8xf32> -> tensor<2x3x8xf32>
  %10 = tessera.relu %x : tensor<2x3x8xf32> -> tensor<2x3x8xf32>
  %11 = tessera.log %6 : tensor<2x3x8xf32> -> tensor<2x3x8xf32>
  %12 = tessera.sqrt %6 : tensor<2x3x8xf32> -> tensor<2x3x8xf32>
  %13 = tessera.rsqrt %6 : tensor<2x3x8xf32> -> tensor<2x3x8xf32>
  %14 = tessera.tanh %x : tensor<2x3x8xf32> -> tensor<2x3x8xf32>
  %15 = tessera.sigmoid %x : tensor<2x3x8xf32> -> tensor<2x3x8xf32>
  %16 = tessera.matmul %x, %w : tensor<2x3x8xf32>, tensor<8x5xf32> -> tensor<2x3x5xf32>
  %17 = tessera.matmul %x, %wt {rhs_transpose = true} : tensor<2x3x8xf32>, tensor<2x1x6x8xf32> -> tensor<2x2x3x6xf32>
  %18 = tessera.silu %x : tensor<2x3x8xf32> -> tensor<2x3x8xf32>
  %19 = tessera.gelu %x : tensor<2x3x8xf32> -> tensor<2x3x8xf32>
  %20 = tessera.gelu %x {approximate = "tanh"} : tensor<2x3x8xf32> -> tensor<2x3x8xf32>
  %21 = tessera.layer_norm %x, %b, %y {eps = 1.0e-3} : tensor<2x3x8xf32>, tensor<8xf32>, tensor<3x1xf32> -> tensor<2x3x8xf32>
  %22 = tessera.rms_norm %x, %b : tensor<2x3x8xf32>, tensor<8xf32> -> tensor<2x3x8xf32>
  %23 = tessera.embedding %w, %ids : tensor<8x5xf32>, tensor<2x4xi32> -> tensor<2x4x5xf32>
  %24 = tessera.flash_attention %q, %k, %v : tensor<2x2x5x4xf32>, tensor<2x1x7x4xf32>, tensor<1x2x7x3xf32> -> tensor<2x2x5x3xf32>
  %25 = tessera.flash_attention %q, %k, %v {causal = true, scale = 2.0 : f32} : tensor<2x2x5x4xf32>, tensor<2x1x7x4xf32>, tensor<1x2x7x3xf32> -> tensor<2x2x5x3xf32>
  %26 = tessera.flash_attention %q, %k, %v, %mask : tensor<2x2x5x4xf32>, tensor<2x1x7x4xf32>, tensor<1x2x7x3xf32>, tensor<5x7xi1> -> tensor<2x2x5x3xf32>
  %27 = tessera.flash_attention %q, %k, %v, %bias {causal = true} : tensor<2x2x5x4xf32>, tensor<2x1x7x4xf32>, tensor<1x2x7x3xf32>, tensor<2x5x7xf32> -> tensor<2x2x5x3xf32>
  %28 = tessera.transpose %x, dims = [2, 1, 0] : tensor<2x3x8xf32> -> tensor<8x3x2xf32>
  %29 = tessera.transpose %x : tensor<2x3x8xf32> -> tensor<2x8x3xf32>
  %30 = tessera.reshape %x : tensor<2x3x8xf32> -> tensor<6x8xf32>
  %31 = tessera.broadcast %y : tensor<3x1xf32> -> tensor<4x3x8xf32>
  %32 = tessera.reduce "sum" %x, dims = [1] : tensor<2x3x8xf32> -> tensor<2x8xf32>
  %33 = tessera.reduce "mean" %x : tensor<2x3x8xf32> -> tensor<f32>
  %34 = tessera.reduce "mean" %x, dims = [-2] {keep_dims = true} : tensor<2x3x8xf32> -> tensor<2x1x8xf32>
  %35 = tessera.reduce "max" %x, dims = [2] : tensor<2x3x8xf32> -> tensor<2x3xf32>
  %36 = tessera.reduce "min" %x, dims = [2] : tensor<2x3x8xf32> -> tensor<2x3xf32>
  %37 = tessera.reduce "prod" %x, dims = [2] : tensor<2x3x8xf32> -> tensor<2x3xf32>
  %38 = tessera.add %h, %b : tensor<3x8xbf16>, tensor<8xf32> -> tensor<3x8xf32>
  %39 = tessera.mul %i, %u : tensor<3x8xi32>, tensor<8xui8> -> tensor<3x8xi32>
  %40 = tessera.cast %i : tensor<3x8xi32> -> tensor<3x8xf32>
  %41 = tessera.cast %b : tensor<8xf32> -> tensor<8xi32>
  %42 = tessera.softmax %h {axis = 0} : tensor<3x8xbf16> -> tensor<3x8xbf16>
  %43 = tessera.reduce "sum" %h, dims = [1] : tensor<3x8xbf16> -> tensor<3xbf16>
  %44 = tessera.relu %i : tensor<3x8xi32> -> tensor<3x8xi32>
  %45 = tessera.reduce "max" %i, dims = [1] : tensor<3x8xi32> -> tensor<3xi32>
  %cst = tessera.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %46 = tessera.fused "elementwise"(%x, %cst) (%p: tensor<2x3x8xf32>, %r: tensor<8xf32>) {
    %50 = tessera.mul %p, %r : tensor<2x3x8xf32>, tensor<8xf32> -> tensor<2x3x8xf32>
    %51 = tessera.tanh %50 : tensor<2x3x8xf32> -> tensor<2x3x8xf32>
    tessera.yield %51 : tensor<2x3x8xf32>
  } : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24,
         %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46 :
      tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>,
      tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>,
      tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x5xf32>, tensor<2x2x3x6xf32>,
      tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x4x5xf32>,
      tensor<2x2x5x3xf32>, tensor<2x2x5x3xf32>, tensor<2x2x5x3xf32>, tensor<2x2x5x3xf32>, tensor<8x3x2xf32>,
      tensor<2x8x3xf32>, tensor<6x8xf32>, tensor<4x3x8xf32>, tensor<2x8xf32>, tensor<f32>, tensor<2x1x8xf32>,
      tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<3x8xf32>, tensor<3x8xi32>, tensor<3x8xf32>, tensor<8xi32>,
      tensor<3x8xbf16>, tensor<3xbf16>, tensor<3x8xi32>, tensor<3xi32>, tensor<2x3x8xf32>
}
