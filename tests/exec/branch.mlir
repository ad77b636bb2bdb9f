// Results of a branch that nothing reads are written where no other result of the branch lies.
// RUN: tessera run %s --input=i32=0 --input=random --input=random --check
// RUN: tessera run %s --input=i32=1 --input=random --input=random --check
func.func @main(%i: tensor<i32>, %a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0:2 = "stablehlo.case"(%i) ({
    %1 = stablehlo.cosine %b : tensor<8xf32>
    %2 = stablehlo.sine %a : tensor<8xf32>
    stablehlo.return %2, %1 : tensor<8xf32>, tensor<8xf32>
  }, {
    stablehlo.return %a, %b : tensor<8xf32>, tensor<8xf32>
  }) : (tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %0#1 : tensor<8xf32>
}
