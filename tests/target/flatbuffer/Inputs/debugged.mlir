func.func @main(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = "ttir.add"(%a, %a) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32> loc("sum")
  "debug.print"(%0) <{message = "here"}> : (tensor<32x32xf32>) -> ()
  "debug.memory_snapshot"(%0) <{file_path = "snapshot.json"}> : (tensor<32x32xf32>) -> ()
  "debug.breakpoint"(%0) : (tensor<32x32xf32>) -> ()
  %1 = "ttir.exp"(%0) : (tensor<32x32xf32>) -> tensor<32x32xf32> loc("power")
  return %1 : tensor<32x32xf32>
}
