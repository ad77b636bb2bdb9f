module @jit__lambda attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x?xf32>) -> (tensor<i32> {jax.result_info = "result[0]"}, tensor<?xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
    %2 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 't'. Using the following polymorphic shapes specifications: args[0].shape = (t, n). Obtained dimension variables: 't' = {0} from specification 't' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %3 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'n'. Using the following polymorphic shapes specifications: args[0].shape = (t, n). Obtained dimension variables: 't' = {0} from specification 't' for dimension args[0].shape[0] (= {0}), 'n' = {1} from specification 'n' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %4:2 = call @_wrapped_jax_export_main(%1, %0, %arg0) : (tensor<i32>, tensor<i32>, tensor<?x?xf32>) -> (tensor<i32>, tensor<?xf32>)
    return %4#0, %4#1 : tensor<i32>, tensor<?xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "n"}, %arg1: tensor<i32> {jax.global_constant = "t"}, %arg2: tensor<?x?xf32>) -> (tensor<i32> {jax.result_info = "result[0]"}, tensor<?xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.dynamic_broadcast_in_dim %cst, %0, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %2:3 = stablehlo.while(%iterArg = %arg2, %iterArg_2 = %c_1, %iterArg_3 = %1) : tensor<?x?xf32>, tensor<i32>, tensor<?xf32>
    cond {
      %3 = stablehlo.compare LT, %iterArg_2, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = stablehlo.add %iterArg_2, %c_0 : tensor<i32>
      %4 = stablehlo.convert %arg1 : tensor<i32>
      %5 = stablehlo.compare LT, %iterArg_2, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %6 = stablehlo.add %iterArg_2, %4 : tensor<i32>
      %7 = stablehlo.select %5, %6, %iterArg_2 : tensor<i1>, tensor<i32>
      %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<i32>) -> tensor<1xi32>
      %9 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
      %10 = stablehlo.concatenate %c, %9, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %11 = "stablehlo.dynamic_gather"(%iterArg, %8, %10) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = true}> : (tensor<?x?xf32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?xf32>
      %12 = stablehlo.add %iterArg_3, %11 : tensor<?xf32>
      stablehlo.return %iterArg, %3, %12 : tensor<?x?xf32>, tensor<i32>, tensor<?xf32>
    }
    return %2#1, %2#2 : tensor<i32>, tensor<?xf32>
  }
}

