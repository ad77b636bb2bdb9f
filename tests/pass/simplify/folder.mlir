// RUN: tessera opt %s --stablehlo-aggressive-folder=fold-op-element-limit=100 | FileCheck %s
//
// One function for each rule that folds constants, under the rule's name (src/pass/simplify/rules.def).

// CHECK-LABEL: func.func @fold_unary(
// CHECK-NEXT:    %cst = stablehlo.constant dense<[0.000000e+00, 0x7F800000]> : tensor<2xf32>
// CHECK-NEXT:    %c = stablehlo.constant dense<[-128, -1, 0]> : tensor<3xi8>
// CHECK-NEXT:    %cst_0 = stablehlo.constant dense<0.520499885> : tensor<f32>
// CHECK-NEXT:    return %cst, %c, %cst_0 : tensor<2xf32>, tensor<3xi8>, tensor<f32>
func.func @fold_unary() -> (tensor<2xf32>, tensor<3xi8>, tensor<f32>) {
  %c = stablehlo.constant dense<[-0.0, 0xFF800000]> : tensor<2xf32>
  %i = stablehlo.constant dense<[-128, 1, 0]> : tensor<3xi8>
  %z = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = stablehlo.abs %c : tensor<2xf32>
  %1 = stablehlo.negate %i : tensor<3xi8>
  %2 = chlo.erf %z : tensor<f32> -> tensor<f32>
  return %0, %1, %2 : tensor<2xf32>, tensor<3xi8>, tensor<f32>
}

// CHECK-LABEL: func.func @fold_positive(
// CHECK-NEXT:    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f64>
// CHECK-NEXT:    %cst_0 = stablehlo.constant dense<[1.000000e+00, -1.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT:    %0 = stablehlo.log %cst_0 : tensor<2xf32>
// CHECK-NEXT:    return %cst_1, %0, %cst : tensor<f32>, tensor<2xf32>, tensor<f64>
func.func @fold_positive() -> (tensor<f32>, tensor<2xf32>, tensor<f64>) {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %n = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %f = stablehlo.constant dense<4.0> : tensor<f64>
  %0 = stablehlo.log %c : tensor<f32>
  %1 = stablehlo.log %n : tensor<2xf32>
  %2 = stablehlo.rsqrt %f : tensor<f64>
  return %0, %1, %2 : tensor<f32>, tensor<2xf32>, tensor<f64>
}

// CHECK-LABEL: func.func @fold_sqrt(
// CHECK-NEXT:    %cst = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
// CHECK-NEXT:    %cst_0 = stablehlo.constant dense<[2.000000e+00, -0.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:    %0 = stablehlo.sqrt %cst : tensor<f32>
// CHECK-NEXT:    return %cst_0, %0 : tensor<2xf32>, tensor<f32>
func.func @fold_sqrt() -> (tensor<2xf32>, tensor<f32>) {
  %c = stablehlo.constant dense<[4.0, -0.0]> : tensor<2xf32>
  %n = stablehlo.constant dense<-1.0> : tensor<f32>
  %0 = stablehlo.sqrt %c : tensor<2xf32>
  %1 = stablehlo.sqrt %n : tensor<f32>
  return %0, %1 : tensor<2xf32>, tensor<f32>
}

// CHECK-LABEL: func.func @fold_sign(
// CHECK-NEXT:    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
// CHECK-NEXT:    %cst_0 = stablehlo.constant dense<[1.000000e+00, -1.000000e+00, 0.000000e+00]> : tensor<3xf32>
// CHECK-NEXT:    %c = stablehlo.constant dense<[-1, 0]> : tensor<2xi32>
// CHECK-NEXT:    %0 = stablehlo.sign %cst : tensor<f32>
// CHECK-NEXT:    return %cst_0, %c, %0 : tensor<3xf32>, tensor<2xi32>, tensor<f32>
func.func @fold_sign() -> (tensor<3xf32>, tensor<2xi32>, tensor<f32>) {
  %c = stablehlo.constant dense<[4.0, -3.0, 0.0]> : tensor<3xf32>
  %i = stablehlo.constant dense<[-7, 0]> : tensor<2xi32>
  %n = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %0 = stablehlo.sign %c : tensor<3xf32>
  %1 = stablehlo.sign %i : tensor<2xi32>
  %2 = stablehlo.sign %n : tensor<f32>
  return %0, %1, %2 : tensor<3xf32>, tensor<2xi32>, tensor<f32>
}

// Splats of any size stay splats; integers wrap.
// CHECK-LABEL: func.func @fold_binary(
// CHECK-NEXT:    %cst = stablehlo.constant dense<2.250000e+00> : tensor<1000x1000xf32>
// CHECK-NEXT:    %c = stablehlo.constant dense<[-128, -127]> : tensor<2xi8>
// CHECK-NEXT:    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
// CHECK-NEXT:    return %cst, %c, %cst_0 : tensor<1000x1000xf32>, tensor<2xi8>, tensor<bf16>
func.func @fold_binary() -> (tensor<1000x1000xf32>, tensor<2xi8>, tensor<bf16>) {
  %a = stablehlo.constant dense<1.5> : tensor<1000x1000xf32>
  %b = stablehlo.constant dense<[127, -128]> : tensor<2xi8>
  %c = stablehlo.constant dense<1> : tensor<2xi8>
  %d = stablehlo.constant dense<1.0> : tensor<bf16>
  %e = stablehlo.constant dense<0.001> : tensor<bf16>
  %0 = stablehlo.multiply %a, %a : tensor<1000x1000xf32>
  %1 = stablehlo.add %b, %c : tensor<2xi8>
  %2 = stablehlo.add %d, %e : tensor<bf16>
  return %0, %1, %2 : tensor<1000x1000xf32>, tensor<2xi8>, tensor<bf16>
}

// CHECK-LABEL: func.func @fold_compare(
// CHECK-NEXT:    %c = stablehlo.constant dense<[true, false]> : tensor<2xi1>
// CHECK-NEXT:    %c_0 = stablehlo.constant dense<true> : tensor<i1>
// CHECK-NEXT:    %c_1 = stablehlo.constant dense<false> : tensor<i1>
// CHECK-NEXT:    return %c, %c_0, %c_1 : tensor<2xi1>, tensor<i1>, tensor<i1>
func.func @fold_compare() -> (tensor<2xi1>, tensor<i1>, tensor<i1>) {
  %a = stablehlo.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %b = stablehlo.constant dense<-1> : tensor<i32>
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.compare EQ, %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %1 = stablehlo.compare LT, %b, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %2 = stablehlo.compare LT, %b, %c, UNSIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %0, %1, %2 : tensor<2xi1>, tensor<i1>, tensor<i1>
}

// CHECK-LABEL: func.func @fold_quotient(
// CHECK-NEXT:    %c = stablehlo.constant dense<[-7, 7]> : tensor<2xi32>
// CHECK-NEXT:    %c_0 = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
// CHECK-NEXT:    %c_1 = stablehlo.constant dense<[-3, 3]> : tensor<2xi32>
// CHECK-NEXT:    %c_2 = stablehlo.constant dense<4> : tensor<ui8>
// CHECK-NEXT:    %cst = stablehlo.constant dense<-1.500000e+00> : tensor<f32>
// CHECK-NEXT:    %0 = stablehlo.divide %c, %c_0 : tensor<2xi32>
// CHECK-NEXT:    return %c_1, %c_2, %cst, %0 : tensor<2xi32>, tensor<ui8>, tensor<f32>, tensor<2xi32>
func.func @fold_quotient() -> (tensor<2xi32>, tensor<ui8>, tensor<f32>, tensor<2xi32>) {
  %a = stablehlo.constant dense<[-7, 7]> : tensor<2xi32>
  %b = stablehlo.constant dense<2> : tensor<2xi32>
  %u = stablehlo.constant dense<200> : tensor<ui8>
  %v = stablehlo.constant dense<7> : tensor<ui8>
  %x = stablehlo.constant dense<-7.5> : tensor<f32>
  %y = stablehlo.constant dense<2.0> : tensor<f32>
  %z = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %0 = stablehlo.divide %a, %b : tensor<2xi32>
  %1 = stablehlo.remainder %u, %v : tensor<ui8>
  %2 = stablehlo.remainder %x, %y : tensor<f32>
  %3 = stablehlo.divide %a, %z : tensor<2xi32>
  return %0, %1, %2, %3 : tensor<2xi32>, tensor<ui8>, tensor<f32>, tensor<2xi32>
}

// CHECK-LABEL: func.func @fold_bits(
// CHECK-NEXT:    %c = stablehlo.constant dense<[true, false]> : tensor<2xi1>
// CHECK-NEXT:    %c_0 = stablehlo.constant dense<-2> : tensor<i8>
// CHECK-NEXT:    %c_1 = stablehlo.constant dense<15> : tensor<ui8>
// CHECK-NEXT:    return %c, %c_0, %c_1 : tensor<2xi1>, tensor<i8>, tensor<ui8>
func.func @fold_bits() -> (tensor<2xi1>, tensor<i8>, tensor<ui8>) {
  %a = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %b = stablehlo.constant dense<true> : tensor<2xi1>
  %c = stablehlo.constant dense<12> : tensor<i8>
  %d = stablehlo.constant dense<-6> : tensor<i8>
  %e = stablehlo.constant dense<240> : tensor<ui8>
  %f = stablehlo.constant dense<255> : tensor<ui8>
  %0 = stablehlo.and %a, %b : tensor<2xi1>
  %1 = stablehlo.or %c, %d : tensor<i8>
  %2 = stablehlo.xor %e, %f : tensor<ui8>
  return %0, %1, %2 : tensor<2xi1>, tensor<i8>, tensor<ui8>
}

// CHECK-LABEL: func.func @fold_clamp(
// CHECK-NEXT:    %cst = stablehlo.constant dense<[-1.000000e+00, 2.500000e-01, 1.000000e+00]> : tensor<3xf32>
// CHECK-NEXT:    return %cst : tensor<3xf32>
func.func @fold_clamp() -> tensor<3xf32> {
  %lo = stablehlo.constant dense<-1.0> : tensor<3xf32>
  %x = stablehlo.constant dense<[-7.0, 0.25, 9.0]> : tensor<3xf32>
  %hi = stablehlo.constant dense<1.0> : tensor<3xf32>
  %0 = stablehlo.clamp %lo, %x, %hi : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @fold_convert(
// CHECK-NEXT:    %c = stablehlo.constant dense<44> : tensor<i8>
// CHECK-NEXT:    %cst = stablehlo.constant dense<[1.000000e+00, 1.280000e+02]> : tensor<2xf32>
// CHECK-NEXT:    %c_0 = stablehlo.constant dense<[1, -128]> : tensor<2xi8>
// CHECK-NEXT:    %cst_1 = stablehlo.constant dense<0x7C00> : tensor<f16>
// CHECK-NEXT:    %0 = stablehlo.convert %cst : (tensor<2xf32>) -> tensor<2xi8>
// CHECK-NEXT:    return %c_0, %cst_1, %0, %c : tensor<2xi8>, tensor<f16>, tensor<2xi8>, tensor<i8>
func.func @fold_convert() -> (tensor<2xi8>, tensor<f16>, tensor<2xi8>, tensor<i8>) {
  %a = stablehlo.constant dense<[1.9, -128.5]> : tensor<2xf32>
  %b = stablehlo.constant dense<70000> : tensor<i32>
  %c = stablehlo.constant dense<[1.0, 128.0]> : tensor<2xf32>
  %d = stablehlo.constant dense<300> : tensor<i32>
  %0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xi8>
  %1 = stablehlo.convert %b : (tensor<i32>) -> tensor<f16>
  %2 = stablehlo.convert %c : (tensor<2xf32>) -> tensor<2xi8>
  %3 = stablehlo.convert %d : (tensor<i32>) -> tensor<i8>
  return %0, %1, %2, %3 : tensor<2xi8>, tensor<f16>, tensor<2xi8>, tensor<i8>
}

// CHECK-LABEL: func.func @fold_broadcast(
// CHECK-NEXT:    %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
// CHECK-NEXT:    %cst = stablehlo.constant dense<(1.000000e+00,-2.000000e+00)> : tensor<2x3xcomplex<f64>>
// CHECK-NEXT:    %0 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<2xi32>) -> tensor<2x2xi32>
// CHECK-NEXT:    return %cst, %0 : tensor<2x3xcomplex<f64>>, tensor<2x2xi32>
func.func @fold_broadcast() -> (tensor<2x3xcomplex<f64>>, tensor<2x2xi32>) {
  %a = stablehlo.constant dense<(1.0, -2.0)> : tensor<complex<f64>>
  %b = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<complex<f64>>) -> tensor<2x3xcomplex<f64>>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<2xi32>) -> tensor<2x2xi32>
  return %0, %1 : tensor<2x3xcomplex<f64>>, tensor<2x2xi32>
}

// CHECK-LABEL: func.func @fold_concatenate(
// CHECK-NEXT:    %c = stablehlo.constant dense<1> : tensor<100xi32>
// CHECK-NEXT:    %c_0 = stablehlo.constant dense<2> : tensor<1xi32>
// CHECK-NEXT:    %c_1 = stablehlo.constant dense<{{\[\[}}1, 7, 7], [2, 7, 7{{\]\]}}> : tensor<2x3xi32>
// CHECK-NEXT:    %0 = stablehlo.concatenate %c, %c_0, dim = 0 : (tensor<100xi32>, tensor<1xi32>) -> tensor<101xi32>
// CHECK-NEXT:    return %c_1, %0 : tensor<2x3xi32>, tensor<101xi32>
func.func @fold_concatenate() -> (tensor<2x3xi32>, tensor<101xi32>) {
  %a = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %b = stablehlo.constant dense<7> : tensor<2x2xi32>
  %c = stablehlo.constant dense<1> : tensor<100xi32>
  %d = stablehlo.constant dense<2> : tensor<1xi32>
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x1xi32>, tensor<2x2xi32>) -> tensor<2x3xi32>
  %1 = stablehlo.concatenate %c, %d, dim = 0 : (tensor<100xi32>, tensor<1xi32>) -> tensor<101xi32>
  return %0, %1 : tensor<2x3xi32>, tensor<101xi32>
}

// CHECK-LABEL: func.func @merge_splats(
// CHECK-NEXT:    %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x2xf32>
// CHECK-NEXT:    %0 = stablehlo.concatenate %arg0, %cst, %arg0, dim = 0 : (tensor<1x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT:    return %0 : tensor<4x2xf32>
func.func @merge_splats(%x: tensor<1x2xf32>) -> tensor<4x2xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<1x2xf32>
  %0 = stablehlo.concatenate %x, %c, %c, %x, dim = 0 : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @fold_size(
// CHECK-NEXT:    %c = stablehlo.constant dense<3> : tensor<i32>
// CHECK-NEXT:    %0 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<3x?xf32>) -> tensor<i32>
// CHECK-NEXT:    return %c, %0 : tensor<i32>, tensor<i32>
func.func @fold_size(%x: tensor<3x?xf32>) -> (tensor<i32>, tensor<i32>) {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<3x?xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<3x?xf32>) -> tensor<i32>
  return %0, %1 : tensor<i32>, tensor<i32>
}

// CHECK-LABEL: func.func @fold_set_size(
// CHECK-NEXT:    return %arg0 : tensor<3xf32>
func.func @fold_set_size(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.set_dimension_size %x, %c, dim = 0 : (tensor<3xf32>, tensor<i32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @fold_reshape(
// CHECK-NEXT:    %cst = stablehlo.constant dense<{{\[\[}}(1.000000e+00,2.000000e+00), (3.000000e+00,4.000000e+00)], [(5.000000e+00,6.000000e+00), (7.000000e+00,8.000000e+00){{\]\]}}> : tensor<2x2xcomplex<f32>>
// CHECK-NEXT:    return %cst : tensor<2x2xcomplex<f32>>
func.func @fold_reshape() -> tensor<2x2xcomplex<f32>> {
  %c = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0), (5.0, 6.0), (7.0, 8.0)]> : tensor<4xcomplex<f32>>
  %0 = stablehlo.reshape %c : (tensor<4xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  return %0 : tensor<2x2xcomplex<f32>>
}

// CHECK-LABEL: func.func @fold_slice(
// CHECK-NEXT:    %c = stablehlo.constant dense<{{\[\[}}2], [6{{\]\]}}> : tensor<2x1xi16>
// CHECK-NEXT:    %c_0 = stablehlo.constant dense<9> : tensor<2xi16>
// CHECK-NEXT:    return %c, %c_0 : tensor<2x1xi16>, tensor<2xi16>
func.func @fold_slice() -> (tensor<2x1xi16>, tensor<2xi16>) {
  %c = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi16>
  %s = stablehlo.constant dense<9> : tensor<500xi16>
  %0 = stablehlo.slice %c [0:3:2, 1:2] : (tensor<3x2xi16>) -> tensor<2x1xi16>
  %1 = stablehlo.slice %s [4:6] : (tensor<500xi16>) -> tensor<2xi16>
  return %0, %1 : tensor<2x1xi16>, tensor<2xi16>
}

// CHECK-LABEL: func.func @fold_dynamic_slice(
// CHECK-NEXT:    %cst = stablehlo.constant dense<9.000000e+00> : tensor<2xf32>
// CHECK-NEXT:    return %cst : tensor<2xf32>
func.func @fold_dynamic_slice(%i: tensor<i32>) -> tensor<2xf32> {
  %s = stablehlo.constant dense<9.0> : tensor<5xf32>
  %0 = stablehlo.dynamic_slice %s, %i, sizes = [2] : (tensor<5xf32>, tensor<i32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @fold_transpose(
// CHECK-NEXT:    %c = stablehlo.constant dense<{{\[\[}}1, -4], [2, -5], [3, -6{{\]\]}}> : tensor<3x2xi4>
// CHECK-NEXT:    return %c : tensor<3x2xi4>
func.func @fold_transpose() -> tensor<3x2xi4> {
  %c = stablehlo.constant dense<[[1, 2, 3], [-4, -5, -6]]> : tensor<2x3xi4>
  %0 = stablehlo.transpose %c, dims = [1, 0] : (tensor<2x3xi4>) -> tensor<3x2xi4>
  return %0 : tensor<3x2xi4>
}

// CHECK-LABEL: func.func @fold_reverse(
// CHECK-NEXT:    %c = stablehlo.constant dense<{{\[\[}}1, 2{{\]\]}}> : tensor<1x2xi32>
// CHECK-NEXT:    %c_0 = stablehlo.constant dense<{{\[\[}}3, 2, 1], [6, 5, 4{{\]\]}}> : tensor<2x3xi32>
// CHECK-NEXT:    %0 = stablehlo.reverse %c, dims = [0] : tensor<1x2xi32>
// CHECK-NEXT:    return %c_0, %0 : tensor<2x3xi32>, tensor<1x2xi32>
func.func @fold_reverse() -> (tensor<2x3xi32>, tensor<1x2xi32>) {
  %c = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %d = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi32>
  %0 = stablehlo.reverse %c, dims = [1] : tensor<2x3xi32>
  %1 = stablehlo.reverse %d, dims = [0] : tensor<1x2xi32>
  return %0, %1 : tensor<2x3xi32>, tensor<1x2xi32>
}

// CHECK-LABEL: func.func @fold_select(
// CHECK-NEXT:    %c = stablehlo.constant dense<[1, 4]> : tensor<2xi32>
// CHECK-NEXT:    %cst = stablehlo.constant dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:    return %c, %cst : tensor<2xi32>, tensor<2xf32>
func.func @fold_select() -> (tensor<2xi32>, tensor<2xf32>) {
  %p = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %q = stablehlo.constant dense<false> : tensor<2xi1>
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %0 = stablehlo.select %p, %a, %b : tensor<2xi1>, tensor<2xi32>
  %1 = stablehlo.select %q, %x, %y : tensor<2xi1>, tensor<2xf32>
  return %0, %1 : tensor<2xi32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @fold_iota(
// CHECK-NEXT:    %c = stablehlo.constant dense<0> : tensor<1x1xi32>
// CHECK-NEXT:    %c_0 = stablehlo.constant dense<> : tensor<0xi32>
// CHECK-NEXT:    %0 = stablehlo.iota dim = 0 : tensor<2xi32>
// CHECK-NEXT:    return %c, %c_0, %0 : tensor<1x1xi32>, tensor<0xi32>, tensor<2xi32>
func.func @fold_iota() -> (tensor<1x1xi32>, tensor<0xi32>, tensor<2xi32>) {
  %0 = stablehlo.iota dim = 1 : tensor<1x1xi32>
  %1 = stablehlo.iota dim = 0 : tensor<0xi32>
  %2 = stablehlo.iota dim = 0 : tensor<2xi32>
  return %0, %1, %2 : tensor<1x1xi32>, tensor<0xi32>, tensor<2xi32>
}

// An index out of range takes the last branch. A branch that is not taken may have effects: the rest of it stays.
// CHECK-LABEL: func.func @case_known(
// CHECK-NEXT:    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT:    %c = stablehlo.constant dense<-3> : tensor<i32>
// CHECK-NEXT:    %0 = stablehlo.add %arg0, %arg1 : tensor<f32>
// CHECK-NEXT:    %1 = "stablehlo.case"(%c) ({
// CHECK-NEXT:      %2 = stablehlo.custom_call @print(%arg0) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT:      stablehlo.return %2 : tensor<f32>
// CHECK-NEXT:    }, {
// CHECK-NEXT:      stablehlo.return %cst : tensor<f32>
// CHECK-NEXT:    }) : (tensor<i32>) -> tensor<f32>
// CHECK-NEXT:    return %0, %arg1 : tensor<f32>, tensor<f32>
func.func @case_known(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %c = stablehlo.constant dense<-3> : tensor<i32>
  %0 = "stablehlo.case"(%c) ({
    stablehlo.return %x : tensor<f32>
  }, {
    %2 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  %1 = "stablehlo.case"(%c) ({
    %2 = stablehlo.custom_call @print(%x) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @reduce_nothing(
// CHECK-NEXT:    return %arg0 : tensor<3xf32>
func.func @reduce_nothing(%x: tensor<3xf32>, %c: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @reduce_to_constant(
// CHECK-NEXT:    %cst = stablehlo.constant dense<7.000000e+00> : tensor<2xf32>
// CHECK-NEXT:    return %cst : tensor<2xf32>
func.func @reduce_to_constant(%x: tensor<3x2xf32>, %i: tensor<f32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<7.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<3x2xf32>, tensor<f32>) -> tensor<2xf32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    stablehlo.return %c : tensor<f32>
  }
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @reduce_to_outer(
// CHECK-NEXT:    return %arg1 : tensor<f32>
func.func @reduce_to_outer(%x: tensor<3xf32>, %i: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    stablehlo.return %i : tensor<f32>
  }
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @reduce_splats(
// CHECK-NEXT:    %c = stablehlo.constant dense<true> : tensor<2xi1>
// CHECK-NEXT:    return %c : tensor<2xi1>
func.func @reduce_splats() -> tensor<2xi1> {
  %x = stablehlo.constant dense<true> : tensor<3x2xi1>
  %i = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.and across dimensions = [0] : (tensor<3x2xi1>, tensor<i1>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// CHECK-LABEL: func.func @while_never(
// CHECK-NEXT:    return %arg0 : tensor<f32>
func.func @while_never(%x: tensor<f32>) -> tensor<f32> {
  %p = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.while(%i = %x) : tensor<f32> cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %i : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}
