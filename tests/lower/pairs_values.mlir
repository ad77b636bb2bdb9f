// RUN: stablehlo-translate --interpret %s
// RUN: tessera opt %s --stablehlo-complex-data-type-conversion | stablehlo-translate --interpret
// RUN: tessera opt %s --stablehlo-complex-math-expander --stablehlo-complex-data-type-conversion | stablehlo-translate --interpret
// What is computed on pairs is what is computed on complex numbers: ops that change, and ops that stay between.

func.func @main() {
  %re = stablehlo.constant dense<[[1.0, 2.0, -3.0], [0.5, -4.0, 6.0]]> : tensor<2x3xf32>
  %im = stablehlo.constant dense<[[0.0, 1.0, 2.0], [-0.5, 8.0, -1.0]]> : tensor<2x3xf32>
  %z = stablehlo.complex %re, %im : tensor<2x3xcomplex<f32>>
  %w = stablehlo.constant dense<(2.0, -1.0)> : tensor<2x3xcomplex<f32>>
  %both = stablehlo.constant dense<(2.0, 2.0)> : tensor<2x3xcomplex<f32>>
  %p = stablehlo.multiply %z, %w : tensor<2x3xcomplex<f32>>
  %pre = stablehlo.real %p : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
  check.expect_eq_const %pre, dense<[[2.0, 5.0, -4.0], [0.5, 0.0, 11.0]]> : tensor<2x3xf32>
  %pim = stablehlo.imag %p : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
  check.expect_eq_const %pim, dense<[[-1.0, 0.0, 7.0], [-1.5, 20.0, -8.0]]> : tensor<2x3xf32>
  %s0 = stablehlo.add %p, %both : tensor<2x3xcomplex<f32>>
  %s1 = stablehlo.negate %s0 : tensor<2x3xcomplex<f32>>
  %s2 = stablehlo.subtract %s1, %w : tensor<2x3xcomplex<f32>>
  %t = stablehlo.transpose %s2, dims = [1, 0] : (tensor<2x3xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
  %r = stablehlo.reverse %t, dims = [0] : tensor<3x2xcomplex<f32>>
  %sl = stablehlo.slice %r [0:2, 1:2] : (tensor<3x2xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
  %slre = stablehlo.real %sl : (tensor<2x1xcomplex<f32>>) -> tensor<2x1xf32>
  check.expect_eq_const %slre, dense<[[-15.0], [-4.0]]> : tensor<2x1xf32>
  %slim = stablehlo.imag %sl : (tensor<2x1xcomplex<f32>>) -> tensor<2x1xf32>
  check.expect_eq_const %slim, dense<[[7.0], [-21.0]]> : tensor<2x1xf32>

  // Windows and indices.
  %one = stablehlo.constant dense<1> : tensor<i32>
  %d = stablehlo.dynamic_slice %z, %one, %one, sizes = [1, 2] : (tensor<2x3xcomplex<f32>>, tensor<i32>, tensor<i32>) -> tensor<1x2xcomplex<f32>>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %u = stablehlo.dynamic_update_slice %z, %d, %zero, %one : (tensor<2x3xcomplex<f32>>, tensor<1x2xcomplex<f32>>, tensor<i32>, tensor<i32>) -> tensor<2x3xcomplex<f32>>
  %uim = stablehlo.imag %u : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
  check.expect_eq_const %uim, dense<[[0.0, 8.0, -1.0], [-0.5, 8.0, -1.0]]> : tensor<2x3xf32>
  %ids = stablehlo.constant dense<[[1], [0], [1]]> : tensor<3x1xi32>
  %g = "stablehlo.gather"(%z, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<2x3xcomplex<f32>>, tensor<3x1xi32>) -> tensor<3x3xcomplex<f32>>
  %gim = stablehlo.imag %g : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
  check.expect_eq_const %gim, dense<[[-0.5, 8.0, -1.0], [0.0, 1.0, 2.0], [-0.5, 8.0, -1.0]]> : tensor<3x3xf32>
  %pos = stablehlo.compare GT, %re, %im : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %sel = stablehlo.select %pos, %z, %w : tensor<2x3xi1>, tensor<2x3xcomplex<f32>>
  %selre = stablehlo.real %sel : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
  check.expect_eq_const %selre, dense<[[1.0, 2.0, 2.0], [0.5, 2.0, 6.0]]> : tensor<2x3xf32>

  // Regions: a loop that carries a complex number, and a branch.
  %n = stablehlo.constant dense<3> : tensor<i32>
  %c = stablehlo.constant dense<(0.0, 1.0)> : tensor<complex<f32>>
  %l:2 = stablehlo.while(%i = %zero, %x = %c) : tensor<i32>, tensor<complex<f32>>
    cond {
      %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      %y = stablehlo.multiply %x, %c : tensor<complex<f32>>
      stablehlo.return %next, %y : tensor<i32>, tensor<complex<f32>>
    }
  %lre = stablehlo.real %l#1 : (tensor<complex<f32>>) -> tensor<f32>
  check.expect_eq_const %lre, dense<1.0> : tensor<f32>
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %br = "stablehlo.if"(%yes) ({
    stablehlo.return %c : tensor<complex<f32>>
  }, {
    stablehlo.return %l#1 : tensor<complex<f32>>
  }) : (tensor<i1>) -> tensor<complex<f32>>
  %brim = stablehlo.imag %br : (tensor<complex<f32>>) -> tensor<f32>
  check.expect_eq_const %brim, dense<1.0> : tensor<f32>

  // Quotients, lengths and products of matrices.
  %q = stablehlo.divide %z, %w : tensor<2x3xcomplex<f32>>
  %q2 = stablehlo.divide %q, %w : tensor<2x3xcomplex<f32>>
  %back = stablehlo.multiply %q2, %w : tensor<2x3xcomplex<f32>>
  %backre = stablehlo.real %back : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %backre, dense<[[0.4, 0.6, -1.6], [0.3, -3.2, 2.6]]> : tensor<2x3xf32>
  %len = stablehlo.abs %z : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %len, dense<[[1.0, 2.236068, 3.6055512], [0.70710677, 8.944272, 6.0827627]]> : tensor<2x3xf32>
  %big = stablehlo.constant dense<[(3.0e30, 4.0e30), (0.0, 0.0), (0.0, -2.0)]> : tensor<3xcomplex<f32>>
  %biglen = stablehlo.abs %big : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  check.expect_almost_eq_const %biglen, dense<[5.0e30, 0.0, 2.0]> : tensor<3xf32>
  %one3 = stablehlo.constant dense<[(3.0e30, 4.0e30), (1.0, 0.0), (0.0, 4.0)]> : tensor<3xcomplex<f32>>
  %unit = stablehlo.divide %one3, %one3 : tensor<3xcomplex<f32>>
  %unitre = stablehlo.real %unit : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  check.expect_almost_eq_const %unitre, dense<[1.0, 1.0, 1.0]> : tensor<3xf32>
  %dot = stablehlo.dot_general %z, %w, contracting_dims = [1] x [1] : (tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  %dotre = stablehlo.real %dot : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xf32>
  check.expect_almost_eq_const %dotre, dense<[[3.0, 3.0], [11.5, 11.5]]> : tensor<2x2xf32>
  %dotim = stablehlo.imag %dot : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xf32>
  check.expect_almost_eq_const %dotim, dense<[[6.0, 6.0], [10.5, 10.5]]> : tensor<2x2xf32>

  // Ops that stay.
  %init = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %prod = stablehlo.reduce(%z init: %init) across dimensions = [0] : (tensor<2x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
    reducer(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>) {
      %m = stablehlo.multiply %a, %b : tensor<complex<f32>>
      stablehlo.return %m : tensor<complex<f32>>
    }
  %prodre = stablehlo.real %prod : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  check.expect_almost_eq_const %prodre, dense<[0.5, -16.0, -16.0]> : tensor<3xf32>
  %id = func.call @turn(%z) : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  %idre = stablehlo.real %id : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
  check.expect_eq_const %idre, dense<[[0.0, -1.0, -2.0], [0.5, -8.0, 1.0]]> : tensor<2x3xf32>
  return
}

func.func private @turn(%z: tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>> {
  %i = stablehlo.constant dense<(0.0, 1.0)> : tensor<complex<f32>>
  %is = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<complex<f32>>) -> tensor<2x3xcomplex<f32>>
  %0 = stablehlo.multiply %z, %is : tensor<2x3xcomplex<f32>>
  return %0 : tensor<2x3xcomplex<f32>>
}
