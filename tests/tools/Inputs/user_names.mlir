#file = loc("/home/ada/model.py":12:8)
#frame = loc("layer"(#file))
#call = loc(callsite(#frame at "<module>"("/home/ada/train.py":3:1)))
func.func @main(%arg0: tensor<8x6xf32> loc("params['layer']['w']"), %arg1: tensor<6xf32> loc("params['layer']['b']"), %arg2: tensor<4x8xf32> loc("batch")) -> (tensor<4x6xf32> {jax.result_info = "result[0]['out']"}) {
  %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32> loc("jit(f)/layer/dot_general"(#call))
  %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<6xf32>) -> tensor<4x6xf32> loc("jit(f)/layer/broadcast_in_dim"(#call))
  %2 = stablehlo.add %0, %1 : tensor<4x6xf32> loc("jit(f)/layer/add"(#call))
  return %2 : tensor<4x6xf32> loc(unknown)
} loc(unknown)
