// Rows that an associative scan of JAX interleaves, with two pads and a sum, are one movement inside the loop; -0 + 0 is still 0.
// RUN: tessera run %s --input=random --check
// RUN: tessera run %s --input=random --check --strict-rounding --threads=3
// RUN: env TESSERA_ISA=baseline tessera run %s --input=random --check
// RUN: tessera run %s --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// CHECK-LABEL: program of @main: {{.*}} 0 by the evaluator's kernels
// CHECK-NEXT: 1 map add n=25600
// CHECK-NEXT: 2 map negate n=3840
// CHECK-NEXT: 3 map add n=7680
// CHECK-NEXT: 4 map or n=2560
// Numbers of rows differ, the fill is not zero, both have the same rows: the loop does the pads that it alone reads.
// CHECK-NEXT: 5 map pad+pad+add n=4100
// CHECK-NEXT: 6 move pad
// CHECK-NEXT: 7 map pad+add n=2560
// CHECK-NEXT: 8 map pad+add n=2560
// RUN: tessera run %s --function=zeros --input=2x300xf32=-0.0 --input=2x300xf32=-0.0 --expect=f32=0.0
// RUN: tessera run %s --function=views --input=random --check
// RUN: tessera run %s --function=views --input=random --check --threads=3
// RUN: tessera run %s --function=views --input=random --dump-program 2>&1 >/dev/null | FileCheck %s --check-prefix=VIEWS
// VIEWS: program of @views: {{.*}} 0 by the evaluator's kernels
// VIEWS-NOT: move
func.func @main(%a: tensor<50x256xf32>, %b: tensor<50x256xf32>, %c: tensor<3x10x2x64xbf16>, %d: tensor<3x10x2x64xbf16>, %e: tensor<10x128xi1>, %f: tensor<10x128xi1>, %g: tensor<21x100xf32>, %h: tensor<20x100xf32>, %i: tensor<10x128xf32>, %j: tensor<10x128xf32>)
    -> (tensor<100x256xf32>, tensor<3x20x2x64xbf16>, tensor<20x128xi1>, tensor<41x100xf32>, tensor<20x128xf32>, tensor<20x128xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<50x256xf32>, tensor<f32>) -> tensor<100x256xf32>
  %1 = stablehlo.pad %b, %zero, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<50x256xf32>, tensor<f32>) -> tensor<100x256xf32>
  %2 = stablehlo.add %0, %1 : tensor<100x256xf32>
  %narrow = stablehlo.constant dense<0.0> : tensor<bf16>
  %neg = stablehlo.negate %c : tensor<3x10x2x64xbf16>
  %3 = stablehlo.pad %neg, %narrow, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<3x10x2x64xbf16>, tensor<bf16>) -> tensor<3x20x2x64xbf16>
  %4 = stablehlo.pad %d, %narrow, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<3x10x2x64xbf16>, tensor<bf16>) -> tensor<3x20x2x64xbf16>
  %5 = stablehlo.add %3, %4 : tensor<3x20x2x64xbf16>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %6 = stablehlo.pad %e, %no, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<10x128xi1>, tensor<i1>) -> tensor<20x128xi1>
  %7 = stablehlo.pad %f, %no, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<10x128xi1>, tensor<i1>) -> tensor<20x128xi1>
  %8 = stablehlo.or %6, %7 : tensor<20x128xi1>
  %9 = stablehlo.pad %g, %zero, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<21x100xf32>, tensor<f32>) -> tensor<41x100xf32>
  %10 = stablehlo.pad %h, %zero, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<20x100xf32>, tensor<f32>) -> tensor<41x100xf32>
  %11 = stablehlo.add %9, %10 : tensor<41x100xf32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %12 = stablehlo.pad %i, %one, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<10x128xf32>, tensor<f32>) -> tensor<20x128xf32>
  %13 = stablehlo.pad %j, %zero, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<10x128xf32>, tensor<f32>) -> tensor<20x128xf32>
  %14 = stablehlo.add %12, %13 : tensor<20x128xf32>
  %15 = stablehlo.pad %i, %zero, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<10x128xf32>, tensor<f32>) -> tensor<20x128xf32>
  %16 = stablehlo.add %15, %13 : tensor<20x128xf32>
  return %2, %5, %8, %11, %14, %16 : tensor<100x256xf32>, tensor<3x20x2x64xbf16>, tensor<20x128xi1>, tensor<41x100xf32>, tensor<20x128xf32>, tensor<20x128xf32>
}
// The sum of the reciprocals' signs tells 0 from -0.
func.func @zeros(%x: tensor<2x300xf32>, %y: tensor<2x300xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %zero, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<2x300xf32>, tensor<f32>) -> tensor<4x300xf32>
  %1 = stablehlo.pad %y, %zero, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<2x300xf32>, tensor<f32>) -> tensor<4x300xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x300xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4x300xf32>
  %3 = stablehlo.divide %one, %2 : tensor<4x300xf32>
  %4 = stablehlo.compare LT, %3, %2 : (tensor<4x300xf32>, tensor<4x300xf32>) -> tensor<4x300xi1>
  %5 = stablehlo.convert %4 : (tensor<4x300xi1>) -> tensor<4x300xf32>
  %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x300xf32>, tensor<f32>) -> tensor<f32>
  return %6 : tensor<f32>
}
// Rows of slices, with one call per row: of several dimensions, rows that chunks divide, a bias twice as long as a row, a result in the
// place of an operand, rows of a slice that are interleaved.
func.func @views(%x: tensor<3x301x256xf32>, %y: tensor<401x100xf32>, %w: tensor<512xf32>, %s: tensor<40x80xf32>, %t: tensor<20x64xf32>)
    -> (tensor<3x150x256xf32>, tensor<200x100xf32>, tensor<150x512xf32>, tensor<40x64xf32>) {
  %0 = stablehlo.slice %x [0:3, 0:300:2, 0:256] : (tensor<3x301x256xf32>) -> tensor<3x150x256xf32>
  %1 = stablehlo.slice %x [0:3, 1:301:2, 0:256] : (tensor<3x301x256xf32>) -> tensor<3x150x256xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<3x150x256xf32>
  %3 = stablehlo.slice %y [0:400:2, 0:100] : (tensor<401x100xf32>) -> tensor<200x100xf32>
  %4 = stablehlo.slice %y [1:401:2, 0:100] : (tensor<401x100xf32>) -> tensor<200x100xf32>
  %5 = stablehlo.cosine %3 : tensor<200x100xf32>
  %b = stablehlo.optimization_barrier %5 : tensor<200x100xf32>
  %6 = stablehlo.multiply %b, %4 : tensor<200x100xf32>
  %7 = stablehlo.add %6, %3 : tensor<200x100xf32>
  %8 = stablehlo.slice %x [0:1, 0:300, 0:256] : (tensor<3x301x256xf32>) -> tensor<1x300x256xf32>
  %9 = stablehlo.slice %x [1:2, 1:301, 0:256] : (tensor<3x301x256xf32>) -> tensor<1x300x256xf32>
  %10 = stablehlo.reverse %8, dims = [1] : tensor<1x300x256xf32>
  %11 = stablehlo.subtract %10, %9 : tensor<1x300x256xf32>
  %12 = stablehlo.reshape %11 : (tensor<1x300x256xf32>) -> tensor<150x512xf32>
  %13 = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<512xf32>) -> tensor<150x512xf32>
  %14 = stablehlo.add %12, %13 : tensor<150x512xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %15 = stablehlo.slice %s [0:40:2, 7:71] : (tensor<40x80xf32>) -> tensor<20x64xf32>
  %16 = stablehlo.pad %15, %zero, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<20x64xf32>, tensor<f32>) -> tensor<40x64xf32>
  %17 = stablehlo.pad %t, %zero, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<20x64xf32>, tensor<f32>) -> tensor<40x64xf32>
  %18 = stablehlo.add %16, %17 : tensor<40x64xf32>
  return %2, %7, %14, %18 : tensor<3x150x256xf32>, tensor<200x100xf32>, tensor<150x512xf32>, tensor<40x64xf32>
}
