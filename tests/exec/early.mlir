// Results that take over an argument's memory are computed there when all of it has been read, and not before.
// RUN: tessera run %s --input=random --check
// RUN: tessera run %s --input=random --threads=1 --output=%t.npz
// RUN: tessera run %s --input=random --threads=3 --expect=%t.npz --rtol=0 --atol=0
// An optimizer's step; %b is read again after %first, which has its memory, is made; %c is read by another element.
func.func @main(%a: tensor<40x1700xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<40x1700xf32> {tf.aliasing_output = 1 : i32},
                %c: tensor<1700xf32> {tf.aliasing_output = 2 : i32}, %g: tensor<40x1700xf32>) -> (tensor<40x1700xf32>, tensor<40x1700xf32>, tensor<1700xf32>) {
  %k = stablehlo.constant dense<9.000000e-01> : tensor<40x1700xf32>
  %l = stablehlo.constant dense<1.000000e-01> : tensor<40x1700xf32>
  %p = stablehlo.multiply %k, %b : tensor<40x1700xf32>
  %q = stablehlo.multiply %l, %g : tensor<40x1700xf32>
  %first = stablehlo.add %p, %q : tensor<40x1700xf32>
  %r = stablehlo.exponential %first : tensor<40x1700xf32>
  %s = stablehlo.multiply %r, %b : tensor<40x1700xf32>
  %t = stablehlo.subtract %a, %s : tensor<40x1700xf32>
  %u = stablehlo.reverse %c, dims = [0] : tensor<1700xf32>
  %v = stablehlo.add %c, %u : tensor<1700xf32>
  return %t, %first, %v : tensor<40x1700xf32>, tensor<40x1700xf32>, tensor<1700xf32>
}
