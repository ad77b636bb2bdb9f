// Products and convolutions of bytes are exact, whatever the machine multiplies them by. Factors that are converted to i32 are read as they were.
// RUN: tessera run %s --input=random --check
// RUN: env TESSERA_ISA=baseline tessera run %s --input=random --check
// RUN: tessera run %s --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// CHECK: contract dot_general reads %0:70x131xi8@arg0 %1:131x90xi8@arg1 writes {{.*}}i32
// CHECK: contract dot_general reads %2:3x40x77xui8@arg2 %3:3x50x77xui8@arg3 writes {{.*}}ui32
// CHECK: contract dot_general reads %4:33x70xui8@arg4 %5:70x65xui8@arg5 writes {{.*}}i32
// CHECK: contract convolution
// CHECK: contract convolution
func.func @main(%a: tensor<70x131xi8>, %b: tensor<131x90xi8>, %c: tensor<3x40x77xui8>, %d: tensor<3x50x77xui8>, %e: tensor<33x70xui8>, %f: tensor<70x65xui8>,
    %x: tensor<2x20x22x9xi8>, %k: tensor<3x3x9x37xi8>, %y: tensor<2x6x20x23xui8>, %l: tensor<40x6x3x3xui8>)
    -> (tensor<70x90xi32>, tensor<3x40x50xui32>, tensor<33x65xi32>, tensor<2x20x22x37xi32>, tensor<2x40x9x11xui32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<70x131xi8>, tensor<131x90xi8>) -> tensor<70x90xi32>
  %1 = stablehlo.dot_general %c, %d, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<3x40x77xui8>, tensor<3x50x77xui8>) -> tensor<3x40x50xui32>
  %2 = stablehlo.convert %e : (tensor<33x70xui8>) -> tensor<33x70xi32>
  %3 = stablehlo.convert %f : (tensor<70x65xui8>) -> tensor<70x65xi32>
  %4 = stablehlo.dot_general %2, %3, contracting_dims = [1] x [0] : (tensor<33x70xi32>, tensor<70x65xi32>) -> tensor<33x65xi32>
  %5 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x20x22x9xi8>, tensor<3x3x9x37xi8>) -> tensor<2x20x22x37xi32>
  %6 = stablehlo.convolution(%y, %l) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x20x23xui8>, tensor<40x6x3x3xui8>) -> tensor<2x40x9x11xui32>
  return %0, %1, %4, %5, %6 : tensor<70x90xi32>, tensor<3x40x50xui32>, tensor<33x65xi32>, tensor<2x20x22x37xi32>, tensor<2x40x9x11xui32>
}
