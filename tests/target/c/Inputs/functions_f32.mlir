// Functions of f32 that are computed in f64.
func.func @main(%x: tensor<37x11xf32>, %y: tensor<37x11xf32>) -> (tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>) {
  %pos = stablehlo.abs %x : tensor<37x11xf32>
  %part = stablehlo.tanh %x : tensor<37x11xf32>
  %r0 = chlo.erf %x : tensor<37x11xf32> -> tensor<37x11xf32>
  %r1 = chlo.erfc %x : tensor<37x11xf32> -> tensor<37x11xf32>
  %r2 = chlo.sinh %x : tensor<37x11xf32> -> tensor<37x11xf32>
  %r3 = chlo.cosh %x : tensor<37x11xf32> -> tensor<37x11xf32>
  %r4 = chlo.asin %part : tensor<37x11xf32> -> tensor<37x11xf32>
  %r5 = chlo.acos %part : tensor<37x11xf32> -> tensor<37x11xf32>
  %r6 = chlo.atan %x : tensor<37x11xf32> -> tensor<37x11xf32>
  %r7 = chlo.asinh %x : tensor<37x11xf32> -> tensor<37x11xf32>
  %r8 = chlo.acosh %pos : tensor<37x11xf32> -> tensor<37x11xf32>
  %r9 = chlo.atanh %part : tensor<37x11xf32> -> tensor<37x11xf32>
  %p = stablehlo.power %pos, %y : tensor<37x11xf32>
  %s0 = chlo.erf_inv %part : tensor<37x11xf32> -> tensor<37x11xf32>
  %s1 = chlo.lgamma %y : tensor<37x11xf32> -> tensor<37x11xf32>
  %s2 = chlo.digamma %y : tensor<37x11xf32> -> tensor<37x11xf32>
  %q = stablehlo.atan2 %x, %y : tensor<37x11xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %p, %q, %s0, %s1, %s2 : tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>, tensor<37x11xf32>
}
