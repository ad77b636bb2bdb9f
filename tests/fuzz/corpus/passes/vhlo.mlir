// stablehlo-legalize-to-vhlo,vhlo-to-version{target=1.0.0},vhlo-legalize-to-stablehlo
func.func @main(%a: tensor<?xf32>, %s: tensor<1xi32>) -> tensor<?xf32> {
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
  %1 = stablehlo.custom_call @f(%0) {backend_config = "x", api_version = 2 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
