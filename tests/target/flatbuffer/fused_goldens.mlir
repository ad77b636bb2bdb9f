// Goldens of the program before ops were fused. The fused op has the location of the last one, whose value it has; the golden of the first is left out.
// RUN: ttmlir-opt %s --ttir-to-ttnn-backend-pipeline --mlir-print-debuginfo -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=FUSED
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir --goldens-from=%s -o %t.ttnn
// RUN: ttrt run %t.ttnn --result-file=%t.json >%t.out
// RUN: FileCheck %s --input-file=%t.out --check-prefix=LAST
// FUSED: "ttnn.matmul"({{.*}}activation = "gelu"{{.*}} loc(#[[at:.*]])
// FUSED: #[[at]] = loc("gelu")
// LAST: program 0 'main': PASS, 4 values compared, 0 off
// LAST-NEXT: 2 goldens are left out: the program has no value at their location, since the op was fused, folded or moved: loc("first"), loc("second")
// Other compilers give it the location of the first: the golden that it has is that of an op without a value.
// RUN: sed 's/loc("gelu")/loc("first")/' %t.mlir >%t.first.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.first.mlir --goldens-from=%s -o %t.first.ttnn
// RUN: ttrt run %t.first.ttnn --result-file=%t.json >%t.out
// RUN: FileCheck %s --input-file=%t.out --check-prefix=FIRST
// FIRST: program 0 'main': PASS, 4 values compared, 0 off
// FIRST-NEXT: 2 goldens are left out: {{.*}}: loc("first"), loc("second")
// Positions in a file that is named by another path.
// RUN: mkdir -p %t.dir && sed 's/ loc("[a-z]*")//' %s >%t.dir/net.mlir
// RUN: cd %t.dir && ttmlir-opt net.mlir --ttir-to-ttnn-backend-pipeline --mlir-print-debuginfo -o net.ttnn.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.dir/net.ttnn.mlir --goldens-from=%t.dir/net.mlir -o %t.path.ttnn
// RUN: ttrt run %t.path.ttnn --result-file=%t.json | FileCheck %s --check-prefix=PATH
// PATH: program 0 'main': PASS, 4 values compared, 0 off
// PATH-NEXT: 2 goldens are left out
// The op that is wrong is told, not the output that it makes wrong.
// RUN: sed 's/"ttnn.maximum"/"ttnn.minimum"/' %t.mlir >%t.wrong.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.wrong.mlir --goldens-from=%s -o %t.wrong.ttnn
// RUN: sh -c 'ttrt run %t.wrong.ttnn --result-file=%t.json >%t.out; test $? = 42'
// RUN: FileCheck %s --input-file=%t.out --check-prefix=WRONG
// RUN: FileCheck %s --input-file=%t.json --check-prefix=RESULT
// WRONG: program 0 'main': FAIL, 4 values compared, 2 off; 'ttnn.minimum' op at loc("larger") is the first that is wrong: its value differs from its golden: values are off
// RESULT: "exception": "'ttnn.minimum' op at loc(\"larger\") is the first that is wrong: its value differs from its golden: values are off"
func.func @main(%x: tensor<32x64xbf16>, %w1: tensor<64x128xbf16>, %w2: tensor<128x64xbf16>, %b: tensor<32x64xbf16>) -> tensor<32x64xbf16> {
  %0 = "ttir.matmul"(%x, %w1) : (tensor<32x64xbf16>, tensor<64x128xbf16>) -> tensor<32x128xbf16> loc("first")
  %1 = "ttir.gelu"(%0) : (tensor<32x128xbf16>) -> tensor<32x128xbf16> loc("gelu")
  %2 = "ttir.matmul"(%1, %w2) : (tensor<32x128xbf16>, tensor<128x64xbf16>) -> tensor<32x64xbf16> loc("second")
  %3 = "ttir.sigmoid"(%2) : (tensor<32x64xbf16>) -> tensor<32x64xbf16> loc("gate")
  %4 = "ttir.maximum"(%3, %b) : (tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16> loc("larger")
  return %4 : tensor<32x64xbf16>
}
