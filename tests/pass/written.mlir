// RUN: tessera opt --canonicalize %s | FileCheck %s
// RUN: tessera run %s --input=1x1x1x1xf32=1 --input=1x1x1x1xf32=2 | FileCheck %s --check-prefix=VALUE
// What is changed in place is another value afterwards: -(-x), read before, is not x then.

// CHECK: %[[A:.*]] = "ttir.neg"
// CHECK: "ttir.fill_cache"
// CHECK: %[[B:.*]] = "ttir.neg"(%[[A]])
// CHECK: return %[[B]]
// VALUE: 1.000000e+00
func.func @main(%cache: tensor<1x1x1x1xf32>, %x: tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32> {
  %0 = "ttir.neg"(%cache) : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  "ttir.fill_cache"(%cache, %x) <{batch_offset = 0 : i32}> : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> ()
  %1 = "ttir.neg"(%0) : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  return %1 : tensor<1x1x1x1xf32>
}
