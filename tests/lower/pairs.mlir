// RUN: tessera opt %s --stablehlo-complex-data-type-conversion | FileCheck %s
// Complex tensors become tensors of pairs, in signatures and shardings too.

sdy.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func.func @shardings
// CHECK-SAME: %arg0: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
// CHECK-SAME: -> (tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
func.func @shardings(%z: tensor<4xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<4xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  // CHECK: stablehlo.add %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {}]>]>}
  %0 = stablehlo.add %z, %z {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>} : tensor<4xcomplex<f32>>
  // CHECK: %[[C:.*]] = stablehlo.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  // CHECK: stablehlo.broadcast_in_dim %[[C]], dims = [1] : (tensor<2xf32>) -> tensor<4x2xf32>
  %1 = stablehlo.constant dense<(1.0, 2.0)> : tensor<4xcomplex<f32>>
  // CHECK: stablehlo.constant dense<{{\[}}[1.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00]]> : tensor<2x2xf64>
  %2 = stablehlo.constant dense<[(1.0, 0.0), (0.0, 1.0)]> : tensor<2xcomplex<f64>>
  %3 = stablehlo.subtract %0, %1 : tensor<4xcomplex<f32>>
  return %3 : tensor<4xcomplex<f32>>
}

// What has no pairs stays: shapes that are not known.
// CHECK-LABEL: func.func @unknown
// CHECK: stablehlo.real %arg0 : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
func.func @unknown(%z: tensor<?xcomplex<f32>>) -> tensor<?xf32> {
  %0 = stablehlo.real %z : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// An op without a rule stands between the two forms.
// CHECK-LABEL: func.func @stays
// CHECK-SAME: tensor<4x2xf32>) -> tensor<4x2xf32>
// CHECK: %[[Z:.*]] = stablehlo.complex
// CHECK-NEXT: %[[F:.*]] = stablehlo.fft %[[Z]], type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// CHECK-NEXT: %[[G:.*]] = stablehlo.fft %[[F]], type = IFFT, length = [4]
// CHECK-NEXT: stablehlo.real %[[G]]
// CHECK-NEXT: stablehlo.imag %[[G]]
// CHECK: return %{{.*}} : tensor<4x2xf32>
func.func @stays(%z: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = stablehlo.fft %z, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %1 = stablehlo.fft %0, type = IFFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %1 : tensor<4xcomplex<f32>>
}
