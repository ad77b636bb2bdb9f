// Custom calls: the known ones; those that annotate give what they got.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @annotations() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{replicated}"} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq %b, %a : tensor<2xf32>
  %ok = stablehlo.custom_call @check.eq(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
  check.expect_eq_const %ok, dense<true> : tensor<i1>
  return
}

// -----

func.func @shape_assertion() {
  %ok = stablehlo.constant dense<true> : tensor<i1>
  stablehlo.custom_call @shape_assertion(%ok) {error_message = "never", has_side_effect = true} : (tensor<i1>) -> ()
  return
}
