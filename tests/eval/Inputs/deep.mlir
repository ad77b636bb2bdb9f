func.func @forever(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @forever(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @ping(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @pong(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @pong(%x: tensor<f32>) -> tensor<f32> {
  %t = stablehlo.constant dense<true> : tensor<i1>
  %0 = "stablehlo.if"(%t) ({
    %1 = func.call @ping(%x) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @composite(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.composite "a.b" %x {decomposition = @composite} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @reducer(%x: tensor<4xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %1 = func.call @reducer(%x) : (tensor<4xf32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}
func.func @window(%x: tensor<4xf32>) -> tensor<3xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) ({
   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = func.call @window(%x) : (tensor<4xf32>) -> tensor<3xf32>
    stablehlo.return %a : tensor<f32>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func @scatter(%x: tensor<4xf32>, %i: tensor<1x1xi32>, %u: tensor<1xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = func.call @scatter(%x, %i, %u) : (tensor<4xf32>, tensor<1x1xi32>, tensor<1xf32>) -> tensor<4xf32>
    stablehlo.return %a : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4xf32>, tensor<1x1xi32>, tensor<1xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @parallel() -> tensor<f32> {
  %0 = "interpreter.run_parallel"() {programs = [[@parallel]]} : () -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @grids() -> tensor<f32> {
  %0:2 = "interpreter.run_parallel"() {programs = [[@grids, @grids]]} : () -> (tensor<f32>, tensor<f32>)
  return %0#0 : tensor<f32>
}
