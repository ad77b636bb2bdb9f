// Eight layers, and what a step makes of their parameters.
func.func @main(%arg0: tensor<64x128xf32>, %arg1: tensor<128x128xf32>, %arg2: tensor<128x128xf32>, %arg3: tensor<128x128xf32>, %arg4: tensor<128x128xf32>, %arg5: tensor<128x128xf32>, %arg6: tensor<128x128xf32>, %arg7: tensor<128x128xf32>, %arg8: tensor<128x128xf32>) -> (tensor<64x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>) {
  %c = stablehlo.constant dense<0.01> : tensor<64x128xf32>
  %d0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
  %t0 = stablehlo.tanh %d0 : tensor<64x128xf32>
  %m0 = stablehlo.multiply %t0, %c : tensor<64x128xf32>
  %h0 = stablehlo.add %m0, %arg0 : tensor<64x128xf32>
  %d1 = stablehlo.dot_general %h0, %arg2, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
  %t1 = stablehlo.tanh %d1 : tensor<64x128xf32>
  %m1 = stablehlo.multiply %t1, %c : tensor<64x128xf32>
  %h1 = stablehlo.add %m1, %h0 : tensor<64x128xf32>
  %d2 = stablehlo.dot_general %h1, %arg3, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
  %t2 = stablehlo.tanh %d2 : tensor<64x128xf32>
  %m2 = stablehlo.multiply %t2, %c : tensor<64x128xf32>
  %h2 = stablehlo.add %m2, %h1 : tensor<64x128xf32>
  %d3 = stablehlo.dot_general %h2, %arg4, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
  %t3 = stablehlo.tanh %d3 : tensor<64x128xf32>
  %m3 = stablehlo.multiply %t3, %c : tensor<64x128xf32>
  %h3 = stablehlo.add %m3, %h2 : tensor<64x128xf32>
  %d4 = stablehlo.dot_general %h3, %arg5, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
  %t4 = stablehlo.tanh %d4 : tensor<64x128xf32>
  %m4 = stablehlo.multiply %t4, %c : tensor<64x128xf32>
  %h4 = stablehlo.add %m4, %h3 : tensor<64x128xf32>
  %d5 = stablehlo.dot_general %h4, %arg6, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
  %t5 = stablehlo.tanh %d5 : tensor<64x128xf32>
  %m5 = stablehlo.multiply %t5, %c : tensor<64x128xf32>
  %h5 = stablehlo.add %m5, %h4 : tensor<64x128xf32>
  %d6 = stablehlo.dot_general %h5, %arg7, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
  %t6 = stablehlo.tanh %d6 : tensor<64x128xf32>
  %m6 = stablehlo.multiply %t6, %c : tensor<64x128xf32>
  %h6 = stablehlo.add %m6, %h5 : tensor<64x128xf32>
  %d7 = stablehlo.dot_general %h6, %arg8, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
  %t7 = stablehlo.tanh %d7 : tensor<64x128xf32>
  %m7 = stablehlo.multiply %t7, %c : tensor<64x128xf32>
  %h7 = stablehlo.add %m7, %h6 : tensor<64x128xf32>
  %g0 = stablehlo.dot_general %m0, %t0, contracting_dims = [0] x [0] : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
  %s0 = stablehlo.subtract %arg1, %g0 : tensor<128x128xf32>
  %g1 = stablehlo.dot_general %m1, %t1, contracting_dims = [0] x [0] : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
  %s1 = stablehlo.subtract %arg2, %g1 : tensor<128x128xf32>
  %g2 = stablehlo.dot_general %m2, %t2, contracting_dims = [0] x [0] : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
  %s2 = stablehlo.subtract %arg3, %g2 : tensor<128x128xf32>
  %g3 = stablehlo.dot_general %m3, %t3, contracting_dims = [0] x [0] : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
  %s3 = stablehlo.subtract %arg4, %g3 : tensor<128x128xf32>
  %g4 = stablehlo.dot_general %m4, %t4, contracting_dims = [0] x [0] : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
  %s4 = stablehlo.subtract %arg5, %g4 : tensor<128x128xf32>
  %g5 = stablehlo.dot_general %m5, %t5, contracting_dims = [0] x [0] : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
  %s5 = stablehlo.subtract %arg6, %g5 : tensor<128x128xf32>
  %g6 = stablehlo.dot_general %m6, %t6, contracting_dims = [0] x [0] : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
  %s6 = stablehlo.subtract %arg7, %g6 : tensor<128x128xf32>
  %g7 = stablehlo.dot_general %m7, %t7, contracting_dims = [0] x [0] : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
  %s7 = stablehlo.subtract %arg8, %g7 : tensor<128x128xf32>
  return %h7, %s0, %s1, %s2, %s3, %s4, %s5, %s6, %s7 : tensor<64x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>
}
