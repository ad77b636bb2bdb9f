// A layer with data types that change, windows, padding that is summed, and weights that are constant.
module {
  func.func @forward(%x: tensor<40x33xf32> {ttcore.argument_type = #ttcore.argument_type<input>},
                     %w: tensor<33x48xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>},
                     %b: tensor<48xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>},
                     %n: tensor<40x48xi32> {ttcore.argument_type = #ttcore.argument_type<input>})
      -> (tensor<40x48xf32>, tensor<42x1xf32>, tensor<40x48xi32>) {
    %bias = "ttir.reshape"(%b) <{shape = [1 : i32, 48 : i32]}> : (tensor<48xf32>) -> tensor<1x48xf32>
    %0 = "ttir.matmul"(%x, %w) : (tensor<40x33xf32>, tensor<33x48xf32>) -> tensor<40x48xf32>
    %1 = "ttir.add"(%0, %bias) : (tensor<40x48xf32>, tensor<1x48xf32>) -> tensor<40x48xf32>
    %2 = "ttir.typecast"(%1) : (tensor<40x48xf32>) -> tensor<40x48xbf16>
    %3 = "ttir.sigmoid"(%2) : (tensor<40x48xbf16>) -> tensor<40x48xbf16>
    %4 = "ttir.typecast"(%3) : (tensor<40x48xbf16>) -> tensor<40x48xf32>
    %5 = "ttir.subtract"(%4, %1) : (tensor<40x48xf32>, tensor<40x48xf32>) -> tensor<40x48xf32>
    %6 = "ttir.pad"(%1) <{padding = array<i32: 1, 1, 2, 0>, value = 5.000000e-01 : f32}> : (tensor<40x48xf32>) -> tensor<42x50xf32>
    %7 = "ttir.sum"(%6) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<42x50xf32>) -> tensor<42x1xf32>
    %8 = "ttir.typecast"(%n) : (tensor<40x48xi32>) -> tensor<40x48xf32>
    %9 = "ttir.multiply"(%8, %1) : (tensor<40x48xf32>, tensor<40x48xf32>) -> tensor<40x48xf32>
    %10 = "ttir.typecast"(%9) : (tensor<40x48xf32>) -> tensor<40x48xi32>
    %11 = "ttir.neg"(%10) : (tensor<40x48xi32>) -> tensor<40x48xi32>
    return %5, %7, %11 : tensor<40x48xf32>, tensor<42x1xf32>, tensor<40x48xi32>
  }
}
