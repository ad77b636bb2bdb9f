    func @test(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>) -> tensor<*xf32> {
      %0 = tessera.matmul %arg0, %arg1 : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<*xf32>
      return %0 : tensor<*xf32>
    }
