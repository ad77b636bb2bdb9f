// Factors that are converted first, transposed or not, are read as they were: elements are converted when they are packed.
// RUN: tessera run %s --input=random --check
// RUN: tessera run %s --input=random --check --strict-rounding
// RUN: tessera run %s --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// CHECK: 1 contract dot_general reads %0:40x70xbf16@arg0 %1:70x50xbf16@arg1 writes {{.*}}f32
// CHECK: 2 contract dot_general reads %0:40x70xbf16@arg0 %2:50x70xbf16@arg2 writes {{.*}}f32
// CHECK: 3 contract dot_general reads %3:7x90xi8@arg3 %4:90x9xi8@arg4 writes {{.*}}i32
// A factor of another type is converted before.
// CHECK: 4 map convert
// CHECK: 5 map convert
// CHECK: 6 contract dot_general
func.func @main(%a: tensor<40x70xbf16>, %b: tensor<70x50xbf16>, %t: tensor<50x70xbf16>, %i: tensor<7x90xi8>, %j: tensor<90x9xi8>, %h: tensor<70x50xf16>)
    -> (tensor<40x50xf32>, tensor<40x50xf32>, tensor<7x9xi32>, tensor<40x50xf32>) {
  %0 = stablehlo.convert %a : (tensor<40x70xbf16>) -> tensor<40x70xf32>
  %1 = stablehlo.convert %b : (tensor<70x50xbf16>) -> tensor<70x50xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<40x70xf32>, tensor<70x50xf32>) -> tensor<40x50xf32>
  %3 = stablehlo.convert %t : (tensor<50x70xbf16>) -> tensor<50x70xf32>
  %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<50x70xf32>) -> tensor<70x50xf32>
  %5 = stablehlo.dot_general %0, %4, contracting_dims = [1] x [0] : (tensor<40x70xf32>, tensor<70x50xf32>) -> tensor<40x50xf32>
  %6 = stablehlo.convert %i : (tensor<7x90xi8>) -> tensor<7x90xi32>
  %7 = stablehlo.convert %j : (tensor<90x9xi8>) -> tensor<90x9xi32>
  %8 = stablehlo.dot_general %6, %7, contracting_dims = [1] x [0] : (tensor<7x90xi32>, tensor<90x9xi32>) -> tensor<7x9xi32>
  %9 = stablehlo.convert %h : (tensor<70x50xf16>) -> tensor<70x50xf32>
  %10 = stablehlo.dot_general %0, %9, contracting_dims = [1] x [0] : (tensor<40x70xf32>, tensor<70x50xf32>) -> tensor<40x50xf32>
  return %2, %5, %8, %10 : tensor<40x50xf32>, tensor<40x50xf32>, tensor<7x9xi32>, tensor<40x50xf32>
}
