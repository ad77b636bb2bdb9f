// x=2 0:x
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%x = %i, %y = %a) : tensor<i32>, tensor<4xf32> cond {
    %c = stablehlo.compare LT, %x, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %x1 = stablehlo.add %x, %one : tensor<i32>
    %y1 = stablehlo.reverse %y, dims = [0] : tensor<4xf32>
    %y2 = "stablehlo.sort"(%y1) <{dimension = 0 : i64}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %l = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %l : tensor<i1>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %x1, %y2 : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}
