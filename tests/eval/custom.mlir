// Custom calls: the known ones; those that annotate give what they got.
// RUN: rm -rf %t.dir
// RUN: mkdir -p %t.dir
// RUN: stablehlo-translate --interpret --probe-output-dir=%t.dir -split-input-file %s

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

// -----

// 1 + 2^-23 is one unit in the last place away from 1.
func.func @close() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[1.00000012, 2.0]> : tensor<2xf32>
  check.expect_close %a, %b, max_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
  %t = interpreter.probe %a, probe_id = "kept" : tensor<2xf32>
  check.expect_serialized_eq %t, probe_id = "kept" : tensor<2xf32>
  return
}
