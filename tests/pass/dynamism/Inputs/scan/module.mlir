module @jit__lambda attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x?xf32>) -> (tensor<?xf32> {jax.result_info = "result[0]"}, tensor<?xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
    %2 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 't'. Using the following polymorphic shapes specifications: args[0].shape = (t, n). Obtained dimension variables: 't' = {0} from specification 't' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %3 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'n'. Using the following polymorphic shapes specifications: args[0].shape = (t, n). Obtained dimension variables: 't' = {0} from specification 't' for dimension args[0].shape[0] (= {0}), 'n' = {1} from specification 'n' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %4:2 = call @_wrapped_jax_export_main(%1, %0, %arg0) : (tensor<i32>, tensor<i32>, tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
    return %4#0, %4#1 : tensor<?xf32>, tensor<?xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "n"}, %arg1: tensor<i32> {jax.global_constant = "t"}, %arg2: tensor<?x?xf32>) -> (tensor<?xf32> {jax.result_info = "result[0]"}, tensor<?xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.dynamic_broadcast_in_dim %cst, %0, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %2 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.dynamic_broadcast_in_dim %cst, %2, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %4:4 = stablehlo.while(%iterArg = %arg2, %iterArg_1 = %c_0, %iterArg_2 = %1, %iterArg_3 = %3) : tensor<?x?xf32>, tensor<i32>, tensor<?xf32>, tensor<?xf32>
    cond {
      %5 = stablehlo.compare LT, %iterArg_1, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      %5 = func.call @dynamic_index_in_dim(%arg0, %arg1, %iterArg, %iterArg_1) : (tensor<i32>, tensor<i32>, tensor<?x?xf32>, tensor<i32>) -> tensor<?xf32>
      %6:2 = func.call @closed_call(%arg0, %arg1, %iterArg_2, %5) : (tensor<i32>, tensor<i32>, tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<f32>)
      %7 = func.call @dynamic_update_index_in_dim(%arg0, %arg1, %iterArg_3, %6#1, %iterArg_1) : (tensor<i32>, tensor<i32>, tensor<?xf32>, tensor<f32>, tensor<i32>) -> tensor<?xf32>
      %8 = stablehlo.add %iterArg_1, %c : tensor<i32>
      stablehlo.return %iterArg, %8, %6#0, %7 : tensor<?x?xf32>, tensor<i32>, tensor<?xf32>, tensor<?xf32>
    }
    return %4#2, %4#3 : tensor<?xf32>, tensor<?xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<i32> {jax.global_constant = "n"}, %arg1: tensor<i32> {jax.global_constant = "t"}, %arg2: tensor<?x?xf32>, %arg3: tensor<i32>) -> tensor<?xf32> {
    %c = stablehlo.constant dense<0> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %c_1, %0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %2 = stablehlo.concatenate %c, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.reshape %arg3 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.reshape %c_0 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.concatenate %3, %4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %6 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.concatenate %6, %7, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %9 = stablehlo.subtract %8, %1 : tensor<2xi32>
    %10 = stablehlo.clamp %2, %5, %9 : tensor<2xi32>
    %11 = stablehlo.add %10, %1 : tensor<2xi32>
    %12 = stablehlo.concatenate %c_1, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %13 = stablehlo.real_dynamic_slice %arg2, %10, %11, %12 : (tensor<?x?xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x?xf32>
    %14 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %15 = stablehlo.dynamic_reshape %13, %14 : (tensor<1x?xf32>, tensor<1xi32>) -> tensor<?xf32>
    return %15 : tensor<?xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32> {jax.global_constant = "n"}, %arg1: tensor<i32> {jax.global_constant = "t"}, %arg2: tensor<?xf32>, %arg3: tensor<?xf32>) -> (tensor<?xf32>, tensor<f32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.dynamic_broadcast_in_dim %cst_0, %0, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %2 = stablehlo.multiply %arg2, %1 : tensor<?xf32>
    %3 = stablehlo.add %2, %arg3 : tensor<?xf32>
    %4 = stablehlo.reduce(%arg2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
    return %3, %4 : tensor<?xf32>, tensor<f32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<i32> {jax.global_constant = "n"}, %arg1: tensor<i32> {jax.global_constant = "t"}, %arg2: tensor<?xf32>, %arg3: tensor<f32>, %arg4: tensor<i32>) -> tensor<?xf32> {
    %0 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg2, %0, %arg4 : (tensor<?xf32>, tensor<1xf32>, tensor<i32>) -> tensor<?xf32>
    return %1 : tensor<?xf32>
  }
}

