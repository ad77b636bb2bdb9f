// A program on which every flag shows: a mesh, two functions, locations with names, a constant, a division by zero, a large result
// (tests/flags.py).
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<8x300xf32>) -> (tensor<4x300xf32>, tensor<4xi32>) {
    %c = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
    %z = stablehlo.constant dense<0> : tensor<4xi32>
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x300xf32>) -> tensor<4x300xf32> loc("product")
    %1 = stablehlo.add %0, %0 : tensor<4x300xf32>
    %2 = stablehlo.add %0, %0 : tensor<4x300xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<4x300xf32>
    %4 = stablehlo.divide %c, %z : tensor<4xi32>
    return %3, %4 : tensor<4x300xf32>, tensor<4xi32>
  }
  func.func @other(%arg0: tensor<4x8xf32>, %arg1: tensor<8x300xf32>) -> (tensor<4x8xf32>, tensor<8x300xf32>) {
    %0 = stablehlo.tanh %arg0 : tensor<4x8xf32>
    %1 = stablehlo.negate %0 : tensor<4x8xf32>
    return %1, %arg1 : tensor<4x8xf32>, tensor<8x300xf32>
  }
}
