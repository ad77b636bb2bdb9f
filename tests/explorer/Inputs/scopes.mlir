sdy.mesh @mesh = <["dp"=2, "tp"=2]>
func.func @main(%arg0: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>} loc("params['w']"), %arg1: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>} loc("params['v']"), %arg2: tensor<64x256xf32> loc("params['b']"), %arg3: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>} loc("opt_state['w']"), %arg4: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>} loc("opt_state['v']"), %arg5: tensor<64x256xf32> loc("opt_state['b']"), %arg6: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"dp"}, {}]>} loc("x"), %arg7: tensor<64x256xf32> loc("y"), %arg8: tensor<64x256xf32> loc("n")) -> (tensor<256x256xf32>, tensor<64x256xf32>) {
  %0 = stablehlo.constant dense<24> : tensor<i32> loc("jit(step)/jvp()/constant"("model.py":10:4))
  %1 = stablehlo.constant dense<0> : tensor<i32> loc("jit(step)/jvp()/constant"("model.py":11:4))
  %2 = stablehlo.tanh %arg6 : tensor<64x256xf32> loc("jit(step)/jvp()/block_0/attention/tanh"("model.py":12:4))
  %3 = stablehlo.exponential %2 : tensor<64x256xf32> loc("jit(step)/jvp()/block_0/attention/exponential"("model.py":13:4))
  %4 = stablehlo.sine %3 : tensor<64x256xf32> loc("jit(step)/jvp()/block_0/attention/sine"("model.py":14:4))
  %5 = stablehlo.tanh %4 : tensor<64x256xf32> loc("jit(step)/jvp()/block_1/attention/tanh"("model.py":15:4))
  %6 = stablehlo.exponential %5 : tensor<64x256xf32> loc("jit(step)/jvp()/block_1/attention/exponential"("model.py":16:4))
  %7 = stablehlo.sine %6 : tensor<64x256xf32> loc("jit(step)/jvp()/block_1/attention/sine"("model.py":17:4))
  %8 = stablehlo.tanh %7 : tensor<64x256xf32> loc("jit(step)/jvp()/block_2/attention/tanh"("model.py":18:4))
  %9 = stablehlo.exponential %8 : tensor<64x256xf32> loc("jit(step)/jvp()/block_2/attention/exponential"("model.py":19:4))
  %10 = stablehlo.sine %9 : tensor<64x256xf32> loc("jit(step)/jvp()/block_2/attention/sine"("model.py":20:4))
  %11:2 = stablehlo.while(%i = %1, %x = %10) : tensor<i32>, tensor<64x256xf32>
  cond {
    %c = stablehlo.compare LT, %i, %0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %h = stablehlo.dot_general %x, %arg0, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32> loc("jit(step)/jvp()/while/body/mlp/up"("model.py":40:4))
    %t = func.call @gelu(%h) : (tensor<64x256xf32>) -> tensor<64x256xf32> loc("jit(step)/jvp()/while/body/mlp/jit(gelu)"("model.py":41:4))
    %d = stablehlo.dot_general %t, %arg1, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32> loc("jit(step)/jvp()/while/body/mlp/down"("model.py":42:4))
    stablehlo.return %next, %d : tensor<i32>, tensor<64x256xf32>
  } loc("jit(step)/jvp()/while"("model.py":39:4))
  %12 = stablehlo.add %11#1, %arg7 : tensor<64x256xf32> loc("jit(step)/jvp()/loss/add"("model.py":22:4))
  %13 = stablehlo.subtract %12, %arg8 : tensor<64x256xf32> loc("jit(step)/jvp()/loss/sub"("model.py":23:4))
  %14 = stablehlo.add %arg0, %arg3 : tensor<256x256xf32> loc("jit(step)/adam/add"("model.py":24:4))
  %15 = stablehlo.multiply %14, %14 : tensor<256x256xf32> loc("jit(step)/adam/mul"("model.py":25:4))
  return %15, %13 : tensor<256x256xf32>, tensor<64x256xf32>
}
func.func private @gelu(%arg0: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %0 = stablehlo.tanh %arg0 : tensor<64x256xf32> loc("jit(gelu)/tanh"("model.py":50:4))
  return %0 : tensor<64x256xf32>
}
