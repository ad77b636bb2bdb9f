func.func @broadcast(%x: tensor<f32>) -> tensor<1099511627776xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<1099511627776xf32>
  return %0 : tensor<1099511627776xf32>
}
func.func @iota() -> tensor<1048576x1048576x1048576xf64> {
  %0 = stablehlo.iota dim = 0 : tensor<1048576x1048576x1048576xf64>
  return %0 : tensor<1048576x1048576x1048576xf64>
}
func.func @constant() -> tensor<1099511627776xf32> {
  %0 = stablehlo.constant dense<0.0> : tensor<1099511627776xf32>
  return %0 : tensor<1099511627776xf32>
}
func.func @take(%x: tensor<1099511627776xf32>) -> tensor<1099511627776xf32> {
  return %x : tensor<1099511627776xf32>
}
func.func @pad(%x: tensor<2xi8>, %y: tensor<i8>) -> tensor<281474976710658xi8> {
  %0 = stablehlo.pad %x, %y, low = [281474976710656], high = [0], interior = [0] : (tensor<2xi8>, tensor<i8>) -> tensor<281474976710658xi8>
  return %0 : tensor<281474976710658xi8>
}
func.func @dynamic(%n: tensor<1xi64>) -> tensor<?xi32> {
  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi64>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func @dot(%x: tensor<1048576x1xf32>) -> tensor<1048576x1048576xf32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<1048576x1xf32>, tensor<1048576x1xf32>) -> tensor<1048576x1048576xf32>
  return %0 : tensor<1048576x1048576xf32>
}
