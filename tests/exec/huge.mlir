// Sizes and steps near the end of 64 bits: refused before anything runs, or as good as others.
// RUN: sh -c 'tessera run %s --function=values --input=f64=1 2>%t.values; test $? = 3'
// RUN: FileCheck %s --check-prefix=VALUES --input-file=%t.values
// VALUES: huge.mlir:{{[0-9]+}}:1: error: 'func.func' op needs 562949953421328 bytes at its peak
// VALUES: note: alive at the peak: 281474976710656 bytes, value 4611686018427387904xf64
func.func @values(%x: tensor<f64>) -> tensor<f64> {
  %0 = stablehlo.iota dim = 0 : tensor<4611686018427387904xf64>
  %1 = stablehlo.exponential %0 : tensor<4611686018427387904xf64>
  %2 = stablehlo.reverse %1, dims = [0] : tensor<4611686018427387904xf64>
  %3 = stablehlo.add %1, %2 : tensor<4611686018427387904xf64>
  %s = stablehlo.slice %3 [0:1] : (tensor<4611686018427387904xf64>) -> tensor<1xf64>
  %r = stablehlo.reshape %s : (tensor<1xf64>) -> tensor<f64>
  return %r : tensor<f64>
}

// RUN: tessera run %s --function=steps --input=4x4xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --expect=1x4xi32=0,1,2,3
func.func @steps(%x: tensor<4x4xi32>) -> tensor<1x4xi32> {
  %0 = stablehlo.slice %x [0:4:9223372036854775807, 0:4] : (tensor<4x4xi32>) -> tensor<1x4xi32>
  return %0 : tensor<1x4xi32>
}

// RUN: tessera run %s --function=interior --input=2xi32=5,6 --input=i32=0 --expect=2xi32=5,0
func.func @interior(%x: tensor<2xi32>, %y: tensor<i32>) -> tensor<2xi32> {
  %0 = stablehlo.pad %x, %y, low = [0], high = [-2199023255552], interior = [2199023255552] : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
