// RUN: ttmlir-opt %s --ttir-to-ttnn-backend-pipeline -o %t.mlir --mlir-print-debuginfo
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run %t.ttnn --init=ones --save-artifacts --artifact-dir=%t.art --result-file=%t.json
// RUN: cp "$(find %t.art -name output_0.npy)" %t.good.npy && cp "$(find %t.art -name input_0.npy)" %t.bad.npy
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir --golden='loc("twice")=%t.good.npy' -o %t.ttnn
// RUN: ttrt read %t.ttnn | FileCheck %s --check-prefix=JSON
// RUN: ttrt run %t.ttnn --init=ones --result-file=%t.json | FileCheck %s --check-prefix=GOOD
// RUN: FileCheck %s --input-file=%t.json --check-prefix=COUNT
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir --golden='loc("twice")=%t.bad.npy' -o %t.ttnn
// RUN: not ttrt run %t.ttnn --init=ones --result-file=%t.json | FileCheck %s --check-prefix=BAD
// RUN: not ttmlir-translate --ttnn-to-flatbuffer %t.mlir --golden=x 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not ttmlir-translate --ttnn-to-flatbuffer %t.mlir --golden='loc("twice")=none.npy' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ttmlir-translate --flatbuffer-to-ttnn --golden=a=b %t.ttnn 2>&1 | FileCheck %s --check-prefix=ALONE
// What a binary says that ops give is compared with what they give.

// JSON: "key": "loc(\"twice\")"
// JSON: "dtype": "Float32"
// GOOD: PASS, 4 values compared, 0 off
// COUNT: "goldens": 2
// BAD: FAIL, {{[0-9]+}} values compared, 2 off; result 0 of ttnn.add differs from the golden of the binary: values are off
// FORM: --golden=x: a location and a file are wanted
// NONE: none.npy
// ALONE: needs --ttnn-to-flatbuffer
func.func @f(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = "ttir.add"(%a, %a) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32> loc("twice")
  return %0 : tensor<32x32xf32>
}
