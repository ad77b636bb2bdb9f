// Programs that never end, or grow without end: tests/tools/limits.test.
func.func @forever(%a: tensor<i32>) -> tensor<i32> {
  %w = stablehlo.while(%x = %a) : tensor<i32> cond {
    %t = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    stablehlo.return %x : tensor<i32>
  }
  return %w : tensor<i32>
}
func.func @spins(%a: tensor<i32>) -> tensor<i32> {
  %0:2 = "interpreter.run_parallel"(%a, %a) {programs = [[@one, @one]]} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return %0#0 : tensor<i32>
}
func.func private @one(%a: tensor<i32>) -> tensor<i32> {
  %id = stablehlo.partition_id : tensor<ui32>
  %z = stablehlo.constant dense<0> : tensor<ui32>
  %p = stablehlo.compare EQ, %id, %z : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  %r = "stablehlo.if"(%p) ({
    %0 = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<i32>) -> tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }, {
    %1 = func.call @forever(%a) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return %r : tensor<i32>
}
func.func @large(%a: tensor<i32>) -> tensor<4000000xi32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<i32>) -> tensor<4000000xi32>
  return %0 : tensor<4000000xi32>
}
func.func @deep(%a: tensor<i32>) -> tensor<i32> {
  %r = func.call @deep(%a) : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.sine %a : tensor<f32>
  return %0 : tensor<f32>
}
func.func private @b0(%a: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %a, %a : tensor<i32>
  return %0 : tensor<i32>
}
func.func private @b1(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b0(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b0(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b2(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b1(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b1(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b3(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b2(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b2(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b4(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b3(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b3(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b5(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b4(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b4(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b6(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b5(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b5(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b7(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b6(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b6(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b8(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b7(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b7(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b9(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b8(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b8(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b10(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b9(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b9(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b11(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b10(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b10(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b12(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b11(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b11(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b13(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b12(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b12(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b14(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b13(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b13(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b15(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b14(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b14(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b16(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b15(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b15(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b17(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b16(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b16(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b18(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b17(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b17(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b19(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b18(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b18(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b20(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b19(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b19(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b21(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b20(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b20(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b22(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b21(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b21(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b23(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b22(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b22(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func private @b24(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b23(%a) : (tensor<i32>) -> tensor<i32>
  %1 = func.call @b23(%0) : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}
func.func @bomb(%a: tensor<i32>) -> tensor<i32> {
  %0 = func.call @b24(%a) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
