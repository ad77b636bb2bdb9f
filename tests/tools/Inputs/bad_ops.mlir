func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.multiply"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  %1 = stablehlo.cosine %0 : tensor<2xf32>
  %2 = "stablehlo.slice"(%1) {start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<2xf32>) -> tensor<2xf32>
  %3 = call @nobody(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %b : tensor<3xf32>
}
func.func @f() {
  return
}
func.func @g(%a: tensor<2xf32>) {
  %0 = "stablehlo.cosine"(%1) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "stablehlo.not"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// A bad function: what its body says about it is not asked.
"func.func"() ({
^bb0:
  "func.return"() : () -> ()
}) {sym_name = "h"} : () -> ()
