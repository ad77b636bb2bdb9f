// Random bits are those of XLA, to the bit; rng stays in its bounds.
// RUN: stablehlo-translate --interpret -split-input-file %s

func.func @three_fry() {
  %s = stablehlo.constant dense<[42, 7]> : tensor<2xui64>
  %a:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  check.expect_eq_const %a#0, dense<[42, 10]> : tensor<2xui64>
  check.expect_eq_const %a#1, dense<[2642642533, 3437982737, 356970675, 1736384518, 4222757798]> : tensor<5xui32>
  %b:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
  check.expect_eq_const %b#0, dense<[42, 10]> : tensor<2xui64>
  check.expect_eq_const %b#1, dense<[14766023422270211685, 7457714718447694003, 4341426575643913126]> : tensor<3xui64>
  %c:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui8>)
  check.expect_eq_const %c#0, dense<[42, 9]> : tensor<2xui64>
  check.expect_eq_const %c#1, dense<[101, 17, 179, 6]> : tensor<4xui8>
  return
}

// -----

func.func @philox() {
  %s = stablehlo.constant dense<[42, 7]> : tensor<2xui64>
  %a:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  check.expect_eq_const %a#0, dense<[42, 9]> : tensor<2xui64>
  check.expect_eq_const %a#1, dense<[1436477672, 1015822685, 1056814300, 3113490754, 1193696974]> : tensor<5xui32>
  %b:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
  check.expect_eq_const %b#0, dense<[42, 9]> : tensor<2xui64>
  check.expect_eq_const %b#1, dense<[4362925212046387432, 13372340965885195484, 2102927134478982862]> : tensor<3xui64>
  %c:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui8>)
  check.expect_eq_const %c#0, dense<[42, 8]> : tensor<2xui64>
  check.expect_eq_const %c#1, dense<[232, 93, 220, 66]> : tensor<4xui8>
  return
}

// -----

func.func @uniform() {
  %low = stablehlo.constant dense<-2.0> : tensor<f32>
  %high = stablehlo.constant dense<3.0> : tensor<f32>
  %shape = stablehlo.constant dense<[100]> : tensor<1xi64>
  %r = stablehlo.rng %low, %high, %shape, distribution =  UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<100xf32>
  %c = stablehlo.clamp %low, %r, %high : (tensor<f32>, tensor<100xf32>, tensor<f32>) -> tensor<100xf32>
  check.expect_eq %c, %r : tensor<100xf32>
  return
}
