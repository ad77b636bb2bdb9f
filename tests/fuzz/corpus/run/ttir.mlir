func.func @main(%a: tensor<4x2xf32>, %b: tensor<2x3xbf16>) -> (tensor<4x2xf32>, tensor<3x2xbf16>) {
  %0 = "ttir.softmax"(%a) <{dimension = 1 : si32}> : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = "ttir.transpose"(%b) <{dim0 = 0 : si32, dim1 = 1 : si32}> : (tensor<2x3xbf16>) -> tensor<3x2xbf16>
  return %0, %1 : tensor<4x2xf32>, tensor<3x2xbf16>
}
