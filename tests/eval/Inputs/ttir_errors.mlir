func.func @divide(%a: tensor<2xi32>, %b: tensor<i32>) -> tensor<2xi32> {
  %0 = "ttir.div"(%a, %b) : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

func.func @largest() -> tensor<2xi32> {
  %c = "ttir.zeros"() <{shape = array<i32: 2, 0>}> : () -> tensor<2x0xf32>
  %0 = "ttir.argmax"(%c) <{keep_dim = false, dim_arg = [1 : i32]}> : (tensor<2x0xf32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

func.func @table(%i: tensor<2xi32>) -> tensor<2x3xf32> {
  %w = "ttir.zeros"() <{shape = array<i32: 0, 3>}> : () -> tensor<0x3xf32>
  %0 = "ttir.embedding"(%i, %w) : (tensor<2xi32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

func.func @places(%i: tensor<2x2xi32>) -> tensor<2x2xf32> {
  %x = "ttir.zeros"() <{shape = array<i32: 2, 0>}> : () -> tensor<2x0xf32>
  %0 = "ttir.gather"(%x, %i) <{dim = 1 : i32}> : (tensor<2x0xf32>, tensor<2x2xi32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

func.func @mean(%s: tensor<2xf32>) -> tensor<3xf32> {
  %x = "ttir.zeros"() <{shape = array<i32: 3>}> : () -> tensor<3xf32>
  %i = "ttir.zeros"() <{shape = array<i32: 2>}> : () -> tensor<2xi32>
  %0 = "ttir.scatter"(%x, %i, %s) <{dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<mean>}> : (tensor<3xf32>, tensor<2xi32>, tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func @tiles(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = ttir.empty() : tensor<64x64xf32>
  %0 = ttir.to_layout %a, %e : tensor<64x64xf32> into tensor<64x64xf32> -> tensor<64x64xf32>
  %f = "ttir.zeros"() <{shape = array<i32: 2, 2, 32, 32>}> : () -> tensor<2x2x32x32xf32>
  %1 = ttir.to_layout %0, %f : tensor<64x64xf32> into tensor<2x2x32x32xf32> -> tensor<2x2x32x32xf32>
  return %0 : tensor<64x64xf32>
}
