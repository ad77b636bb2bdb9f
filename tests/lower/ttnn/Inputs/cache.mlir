// A cache that is filled and changed in place, and read behind that.
module {
  func.func @forward(%cache: tensor<1x2x64x32xbf16> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.kv_cache},
                     %fill: tensor<1x2x32x32xbf16> {ttcore.argument_type = #ttcore.argument_type<input>},
                     %row: tensor<1x2x1x32xbf16> {ttcore.argument_type = #ttcore.argument_type<input>},
                     %at: tensor<1xi32> {ttcore.argument_type = #ttcore.argument_type<input>}) -> tensor<1x2x64x32xbf16> {
    "ttir.fill_cache"(%cache, %fill) <{batch_offset = 0 : i32}> : (tensor<1x2x64x32xbf16>, tensor<1x2x32x32xbf16>) -> ()
    "ttir.update_cache"(%cache, %row, %at) <{batch_offset = 0 : i32}> : (tensor<1x2x64x32xbf16>, tensor<1x2x1x32xbf16>, tensor<1xi32>) -> ()
    %0 = "ttir.add"(%cache, %cache) : (tensor<1x2x64x32xbf16>, tensor<1x2x64x32xbf16>) -> tensor<1x2x64x32xbf16>
    return %0 : tensor<1x2x64x32xbf16>
  }
}
