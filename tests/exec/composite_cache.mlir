// A function that changes its argument in place and is called, by whatever op, changes its caller's value: the evaluator runs such a module.
// RUN: tessera run %s --input=random --input=random --input=1xi32=1 --output=%t.npz
// RUN: tessera run %s --input=random --input=random --input=1xi32=1 --engine=reference --expect=%t.npz

func.func private @f(%c: tensor<1x1x4x2xf32>, %x: tensor<1x1x1x2xf32>, %i: tensor<1xi32>) -> tensor<1x1x4x2xf32> {
  "ttir.update_cache"(%c, %x, %i) <{batch_offset = 0 : i32}> : (tensor<1x1x4x2xf32>, tensor<1x1x1x2xf32>, tensor<1xi32>) -> ()
  return %c : tensor<1x1x4x2xf32>
}
func.func @main(%c: tensor<1x1x4x2xf32>, %x: tensor<1x1x1x2xf32>, %i: tensor<1xi32>) -> (tensor<1x1x4x2xf32>, tensor<1x1x4x2xf32>) {
  %0 = stablehlo.composite "a.b" %c, %x, %i {decomposition = @f} : (tensor<1x1x4x2xf32>, tensor<1x1x1x2xf32>, tensor<1xi32>) -> tensor<1x1x4x2xf32>
  return %0, %c : tensor<1x1x4x2xf32>, tensor<1x1x4x2xf32>
}
