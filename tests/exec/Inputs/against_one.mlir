func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "ttir.subtract"(%a, %b) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("difference")
  %1 = "ttir.exp"(%0) : (tensor<8xf32>) -> tensor<8xf32> loc("power")
  return %1 : tensor<8xf32>
}
