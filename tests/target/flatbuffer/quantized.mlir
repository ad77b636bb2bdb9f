// RUN: ttmlir-opt %s --ttir-to-ttnn-backend-pipeline -o %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttmlir-translate --flatbuffer-to-ttnn %t.ttnn -o %t.back
// RUN: ttmlir-opt %t.back -o %t.again
// RUN: grep -o '!quant.uniform<[^>]*>' %t.mlir | sort > %t.one && grep -o '!quant.uniform<[^>]*>' %t.again | sort > %t.two && cmp %t.one %t.two
// RUN: FileCheck %s --input-file=%t.again
// RUN: ttrt run %t.ttnn --enable-golden --result-file=%t.json | FileCheck %s --check-prefix=RAN
// RUN: sed '/^module {/s/{/attributes {tessera.dylib = dense<[127, 69, 76, 70, 0]> : tensor<5xui8>} {/' %t.mlir | ttmlir-translate --ttnn-to-flatbuffer - -o %t.ttnn
// RUN: ttrt read %t.ttnn --section=dylibs | FileCheck %s --check-prefix=CODE
// RUN: ttmlir-translate --flatbuffer-to-ttnn %t.ttnn | FileCheck %s --check-prefix=KEPT
// RUN: ttmlir-translate --flatbuffer-to-ttnn %t.ttnn | ttmlir-translate --ttnn-to-flatbuffer - | ttrt read /dev/stdin --section=dylibs | FileCheck %s --check-prefix=CODE
// RUN: ttmlir-translate --ttnn-to-flatbuffer --mlir-print-local-scope %t.mlir -o %t.ttnn && ttrt read %t.ttnn --section=mlir | FileCheck %s --check-prefix=LOCAL
// RUN: ttmlir-translate --flatbuffer-to-ttnn --mlir-print-local-scope %t.ttnn | FileCheck %s --check-prefix=LOCAL
// RUN: not ttmlir-translate --serialize --mlir-print-local-scope %t.mlir 2>&1 | FileCheck %s --check-prefix=SCOPE
// A binary has the integers of quantized tensors alone; scales and zero points are those that ops quantize with. Machine code of the host is
// kept as it is.

// CHECK: func.func @each(%arg0: tensor<1x3x32x32xf32, #{{.*}}>) -> tensor<1x3x32x32x!quant.uniform<i32:f32:1, {1.000000e-02:1,2.000000e-02:2,3.000000e-02:3}>
// CHECK: func.func @all(%arg0: tensor<32x32x!quant.uniform<i32:f32, 1.000000e-01>
// RAN: program 0 'each': PASS, {{[1-9][0-9]*}} values compared, 0 off
// RAN: program 1 'all': PASS, {{[1-9][0-9]*}} values compared, 0 off
// LOCAL-NOT: #ttnn_layout =
// LOCAL: #ttnn.ttnn_layout<
// SCOPE: needs --ttnn-to-flatbuffer, --flatbuffer-to-ttnn, or those of ttmetal
// CODE: "raw_file": [
// CODE-NEXT: 127,
// CODE-NEXT: 69,
// KEPT: module attributes {tessera.dylib = dense<[127, 69, 76, 70, 0]> : tensor<5xui8>}
func.func @each(%a: tensor<1x3x32x32xf32>) -> tensor<1x3x32x32x!quant.uniform<i32:f32:1, {1.000000e-02:1,2.000000e-02:2,3.000000e-02:3}>> {
  %0 = "ttir.quantize"(%a) : (tensor<1x3x32x32xf32>) -> tensor<1x3x32x32x!quant.uniform<i32:f32:1, {1.000000e-02:1,2.000000e-02:2,3.000000e-02:3}>>
  return %0 : tensor<1x3x32x32x!quant.uniform<i32:f32:1, {1.000000e-02:1,2.000000e-02:2,3.000000e-02:3}>>
}
func.func @all(%a: tensor<32x32x!quant.uniform<i32:f32, 1.000000e-01>>) -> tensor<32x32xf32> {
  %0 = "ttir.requantize"(%a) : (tensor<32x32x!quant.uniform<i32:f32, 1.000000e-01>>) -> tensor<32x32x!quant.uniform<i32:f32, 2.000000e-01>>
  %1 = "ttir.dequantize"(%0) : (tensor<32x32x!quant.uniform<i32:f32, 2.000000e-01>>) -> tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}
