func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "ttir.neg"(%b) : (tensor<8xf32>) -> tensor<8xf32> loc("negative")
  %1 = "ttir.add"(%a, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("difference")
  %2 = "ttir.exp"(%1) : (tensor<8xf32>) -> tensor<8xf32> loc("power")
  return %2 : tensor<8xf32>
}
