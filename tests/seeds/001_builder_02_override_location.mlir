#loc = loc("/code/jan-2/tt-mlir/test.py":12:0)
module {
  func.func @modela(%arg0: tensor<32x32xf32> loc("/code/jan-2/tt-mlir/test.py":12:0)) -> tensor<32x32xf32> {
    %0 = "ttir.sigmoid"(%arg0) : (tensor<32x32xf32>) -> tensor<32x32xf32> loc(#loc1)
    return %0 : tensor<32x32xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc1 = loc("tenstorrent://custom_location/sigmoid_op")
