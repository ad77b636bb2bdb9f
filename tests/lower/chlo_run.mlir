// Ops of CHLO that are no functions of numbers, rewritten and run.
// RUN: tessera opt %s --chlo-legalize-to-stablehlo | FileCheck %s
// RUN: tessera opt %s --chlo-legalize-to-stablehlo | stablehlo-translate --interpret

// CHECK-NOT: chlo.
func.func @main() {
  %x = stablehlo.constant dense<[[3.0, 1.0, 4.0, 1.0, 5.0], [-0.0, 0.0, -1.0, 2.0, 2.0]]> : tensor<2x5xf32>
  %values, %indices = chlo.top_k(%x, k = 3) : tensor<2x5xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  check.expect_eq_const %values, dense<[[5.0, 4.0, 3.0], [2.0, 2.0, 0.0]]> : tensor<2x3xf32>
  check.expect_eq_const %indices, dense<[[4, 2, 0], [3, 4, 1]]> : tensor<2x3xi32>

  // The upper half of products.
  %a = stablehlo.constant dense<[-1, 9223372036854775807, -9223372036854775808, 12345678901234567]> : tensor<4xi64>
  %b = stablehlo.constant dense<[1, 9223372036854775807, -9223372036854775808, -98765432109876]> : tensor<4xi64>
  %high = chlo.mulhi %a, %b : tensor<4xi64>, tensor<4xi64> -> tensor<4xi64>
  check.expect_eq_const %high, dense<[-1, 4611686018427387903, 4611686018427387904, -66099811788]> : tensor<4xi64>
  %c = stablehlo.constant dense<[255, 16, 3]> : tensor<3xui8>
  %high8 = chlo.mulhi %c, %c : tensor<3xui8>, tensor<3xui8> -> tensor<3xui8>
  check.expect_eq_const %high8, dense<[254, 1, 0]> : tensor<3xui8>

  // Neighbours: of zeros, of the largest number, of equal ones.
  %p = stablehlo.constant dense<[0x00000000, 0x80000000, 0x7F7FFFFF, 0x3F800000, 0x3F800000, 0xBF800000, 0x00000001]> : tensor<7xf32>
  %q = stablehlo.constant dense<[0x3F800000, 0xBF800000, 0x7F800000, 0x3F800000, 0x00000000, 0x00000000, 0xBF800000]> : tensor<7xf32>
  %next = chlo.next_after %p, %q : tensor<7xf32>, tensor<7xf32> -> tensor<7xf32>
  %bits = stablehlo.bitcast_convert %next : (tensor<7xf32>) -> tensor<7xi32>
  check.expect_eq_const %bits, dense<[0x00000001, 0x80000001, 0x7F800000, 0x3F800000, 0x3F7FFFFF, 0xBF7FFFFF, 0x00000000]> : tensor<7xi32>

  // Infinities.
  %i = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0x3F800000]> : tensor<4xf32>
  %any = chlo.is_inf %i : tensor<4xf32> -> tensor<4xi1>
  %pos = chlo.is_pos_inf %i : tensor<4xf32> -> tensor<4xi1>
  %neg = chlo.is_neg_inf %i : tensor<4xf32> -> tensor<4xi1>
  check.expect_eq_const %any, dense<[true, true, false, false]> : tensor<4xi1>
  check.expect_eq_const %pos, dense<[true, false, false, false]> : tensor<4xi1>
  check.expect_eq_const %neg, dense<[false, true, false, false]> : tensor<4xi1>

  // Running sums and their squares, from the end.
  %in = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %init = stablehlo.constant dense<1.0> : tensor<2xf32>
  %squares, %sum = "chlo.scan"(%in, %init) <{dimension = 0 : i64, is_reverse = true, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%row: tensor<2xf32>, %so_far: tensor<2xf32>):
    %s = stablehlo.add %row, %so_far : tensor<2xf32>
    %s2 = chlo.square %s : tensor<2xf32> -> tensor<2xf32>
    "stablehlo.return"(%s2, %s) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }) : (tensor<3x2xf32>, tensor<2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>)
  check.expect_eq_const %squares, dense<[[100.0, 169.0], [81.0, 121.0], [36.0, 49.0]]> : tensor<3x2xf32>
  check.expect_eq_const %sum, dense<[10.0, 13.0]> : tensor<2xf32>

  // Groups of rows, of sizes 1 and 2; the last row is in none.
  %l = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>
  %r = stablehlo.constant dense<[[[1.0], [1.0]], [[10.0], [20.0]]]> : tensor<2x2x1xf32>
  %sizes = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %rows = "chlo.ragged_dot"(%l, %r, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0],
      rhs_group_dimensions = [0]>} : (tensor<4x2xf32>, tensor<2x2x1xf32>, tensor<2xi64>) -> tensor<4x1xf32>
  check.expect_eq_const %rows, dense<[[3.0], [110.0], [170.0], [0.0]]> : tensor<4x1xf32>
  // Groups of what is summed over.
  %k = stablehlo.constant dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>
  %parts = "chlo.ragged_dot"(%l, %k, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}
      : (tensor<4x2xf32>, tensor<4x1xf32>, tensor<2xi64>) -> tensor<2x2x1xf32>
  check.expect_eq_const %parts, dense<[[[1.0], [2.0]], [[21.0], [26.0]]]> : tensor<2x2x1xf32>
  return
}
