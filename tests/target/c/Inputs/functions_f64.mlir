// Functions of f64, and those of f32 that are computed in f64: emitted C has the engine's bits. Angles of up to 1.5e12, of which some are left to libm.
func.func @main(%x: tensor<37x11xf64>, %y: tensor<37x11xf64>) -> (tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>) {
  %far = stablehlo.constant dense<1.5e12> : tensor<37x11xf64>
  %pos = stablehlo.abs %x : tensor<37x11xf64>
  %angle = stablehlo.multiply %x, %far : tensor<37x11xf64>
  %part = stablehlo.tanh %x : tensor<37x11xf64>
  %r0 = stablehlo.exponential %x : tensor<37x11xf64>
  %r1 = stablehlo.exponential_minus_one %x : tensor<37x11xf64>
  %r2 = stablehlo.log %pos : tensor<37x11xf64>
  %r3 = stablehlo.log_plus_one %pos : tensor<37x11xf64>
  %r4 = stablehlo.logistic %x : tensor<37x11xf64>
  %r5 = stablehlo.tanh %x : tensor<37x11xf64>
  %r6 = stablehlo.sine %angle : tensor<37x11xf64>
  %r7 = stablehlo.cosine %angle : tensor<37x11xf64>
  %r8 = stablehlo.tan %angle : tensor<37x11xf64>
  %r9 = chlo.erf %x : tensor<37x11xf64> -> tensor<37x11xf64>
  %r10 = chlo.erfc %x : tensor<37x11xf64> -> tensor<37x11xf64>
  %r11 = stablehlo.cbrt %x : tensor<37x11xf64>
  %r12 = chlo.sinh %x : tensor<37x11xf64> -> tensor<37x11xf64>
  %r13 = chlo.cosh %x : tensor<37x11xf64> -> tensor<37x11xf64>
  %r14 = chlo.asin %part : tensor<37x11xf64> -> tensor<37x11xf64>
  %r15 = chlo.acos %part : tensor<37x11xf64> -> tensor<37x11xf64>
  %r16 = chlo.atan %x : tensor<37x11xf64> -> tensor<37x11xf64>
  %r17 = chlo.asinh %x : tensor<37x11xf64> -> tensor<37x11xf64>
  %r18 = chlo.acosh %pos : tensor<37x11xf64> -> tensor<37x11xf64>
  %r19 = chlo.atanh %part : tensor<37x11xf64> -> tensor<37x11xf64>
  %p = stablehlo.power %pos, %y : tensor<37x11xf64>
  %q = stablehlo.atan2 %x, %y : tensor<37x11xf64>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17, %r18, %r19, %p, %q : tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>, tensor<37x11xf64>
}
