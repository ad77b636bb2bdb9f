// Two reads of a cache, before and after it is changed in place, are two things for common sub-expression elimination.
// RUN: tessera run %s --input=1x1x2x2xf32=1,2,3,4 --input=1x1x1x2xf32=5,6 --input=1xi32=1 --expect=1x2x2xf32=1,2,3,4 --expect=1x2x2xf32=1,2,5,6
// RUN: tessera opt --cse %s -o %t.mlir
// RUN: tessera run %t.mlir --input=1x1x2x2xf32=1,2,3,4 --input=1x1x1x2xf32=5,6 --input=1xi32=1 --expect=1x2x2xf32=1,2,3,4 --expect=1x2x2xf32=1,2,5,6
module {
  func.func @main(%c: tensor<1x1x2x2xf32>, %x: tensor<1x1x1x2xf32>, %at: tensor<1xi32>) -> (tensor<1x2x2xf32>, tensor<1x2x2xf32>) {
    %0 = "ttir.concatenate_heads"(%c) : (tensor<1x1x2x2xf32>) -> tensor<1x2x2xf32>
    "ttir.update_cache"(%c, %x, %at) <{batch_offset = 0 : i32}> : (tensor<1x1x2x2xf32>, tensor<1x1x1x2xf32>, tensor<1xi32>) -> ()
    %1 = "ttir.concatenate_heads"(%c) : (tensor<1x1x2x2xf32>) -> tensor<1x2x2xf32>
    return %0, %1 : tensor<1x2x2xf32>, tensor<1x2x2xf32>
  }
}
