module @jit__lambda attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x?xf32>, %arg1: tensor<?x8xf32>) -> (tensor<8x?xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<8x?xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg1, dim = 0 : (tensor<?x8xf32>) -> tensor<i32>
    %2 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'h'. Using the following polymorphic shapes specifications: args[0].shape = (8, h),args[1].shape = (b, 8). Obtained dimension variables: 'h' = {0} from specification 'h' for dimension args[0].shape[1] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %3 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[0].shape = (8, h),args[1].shape = (b, 8). Obtained dimension variables: 'h' = {0} from specification 'h' for dimension args[0].shape[1] (= {0}), 'b' = {1} from specification 'b' for dimension args[1].shape[0] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %4 = call @_wrapped_jax_export_main(%1, %0, %arg0, %arg1) : (tensor<i32>, tensor<i32>, tensor<8x?xf32>, tensor<?x8xf32>) -> tensor<8x?xf32>
    return %4 : tensor<8x?xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "h"}, %arg2: tensor<8x?xf32>, %arg3: tensor<?x8xf32>) -> (tensor<8x?xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.dot_general %arg3, %arg2, contracting_dims = [1] x [0] : (tensor<?x8xf32>, tensor<8x?xf32>) -> tensor<?x?xf32>
    %1 = stablehlo.tanh %0 : tensor<?x?xf32>
    %2 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.concatenate %2, %3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %5 = stablehlo.dynamic_broadcast_in_dim %cst, %4, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
    %6 = stablehlo.subtract %5, %1 : tensor<?x?xf32>
    %7 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %8 = stablehlo.convert %7 : (tensor<i32>) -> tensor<f32>
    %9 = stablehlo.divide %cst, %8 : tensor<f32>
    %10 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %12 = stablehlo.concatenate %10, %11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %13 = stablehlo.dynamic_broadcast_in_dim %9, %12, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
    %14 = stablehlo.multiply %13, %6 : tensor<?x?xf32>
    %15 = stablehlo.multiply %14, %1 : tensor<?x?xf32>
    %16 = stablehlo.add %14, %15 : tensor<?x?xf32>
    %17 = stablehlo.dot_general %16, %arg3, contracting_dims = [0] x [0] : (tensor<?x?xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
    %18 = stablehlo.transpose %17, dims = [1, 0] : (tensor<?x8xf32>) -> tensor<8x?xf32>
    return %18 : tensor<8x?xf32>
  }
}

