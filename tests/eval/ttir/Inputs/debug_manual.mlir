sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.add %x, %x : tensor<4xi32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xi32>) {
    %2 = stablehlo.add %b, %b : tensor<2xi32>
    "debug.memory_snapshot"(%2) <{file_path = "manual.json"}> : (tensor<2xi32>) -> ()
    sdy.return %2 : tensor<2xi32>
  } : (tensor<4xi32>) -> tensor<4xi32>
  %3 = stablehlo.add %1, %0 : tensor<4xi32>
  return %3 : tensor<4xi32>
}
