// A layer whose hidden value is gathered by a constraint.
module {
  sdy.mesh @mesh = <["dp"=2, "tp"=4]>
  func.func @main(%arg0: tensor<2048x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"dp"}, {}]>}, %arg1: tensor<1024x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>}, %arg2: tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>}) -> tensor<2048x1024xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<2048x1024xf32>, tensor<1024x4096xf32>) -> tensor<2048x4096xf32> loc("/home/a/model.py":11:8)
    %1 = sdy.sharding_constraint %0 <@mesh, [{"dp"}, {}]> : tensor<2048x4096xf32> loc("/home/a/model.py":12:4)
    %2 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0] : (tensor<2048x4096xf32>, tensor<4096x1024xf32>) -> tensor<2048x1024xf32> loc("/home/a/model.py":13:8)
    return %2 : tensor<2048x1024xf32>
  }
}
