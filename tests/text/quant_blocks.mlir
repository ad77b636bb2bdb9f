// RUN: tessera opt %s | FileCheck %s
// RUN: tessera opt %s -o %t && tessera opt %t -o %t.again && cmp %t %t.again
// Scales per block.

func.func private @j(!quant.uniform<i8:f32:{0:1,1:2}, {{2.0:120,3.0:127},{4.0,5.0}}>)
func.func private @j3(!quant.uniform<i8:f32:{1:2}, {{{2.0:120,3.0:127}, {2.0, 0.1}}}>)
func.func private @j2(!quant.uniform<i8:f32:{}, {{2.0:127}}>)

// CHECK: module {
// CHECK-NEXT{LITERAL}: func.func private @j(!quant.uniform<i8:f32:{0:1, 1:2}, {{2.000000e+00:120, 3.000000e+00:127}, {4.000000e+00, 5.000000e+00}}>)
// CHECK-NEXT{LITERAL}: func.func private @j3(!quant.uniform<i8:f32:{1:2}, {{{2.000000e+00:120, 3.000000e+00:127}, {2.000000e+00, 1.000000e-01}}}>)
// CHECK-NEXT{LITERAL}: func.func private @j2(!quant.uniform<i8:f32:{}, {{2.000000e+00:127}}>)
// CHECK-NEXT: }
