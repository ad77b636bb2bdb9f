// RUN: ttmlir-opt %s --ttir-to-ttnn-backend-pipeline -o %t.mlir --mlir-print-debuginfo
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir -o %t.ttnn
// RUN: ttrt run %t.ttnn --init=ones --save-artifacts --artifact-dir=%t.art --result-file=%t.json
// RUN: cp "$(find %t.art -name device_output_0.npy)" %t.good.npy && cp "$(find %t.art -name input_0.npy)" %t.bad.npy
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir --golden='loc("twice")=%t.good.npy' --golden=output_0=%t.good.npy -o %t.ttnn
// RUN: ttrt read %t.ttnn | FileCheck %s --check-prefix=JSON
// RUN: ttrt run %t.ttnn --input=%t.bad.npy --result-file=%t.json --save-artifacts --save-golden-tensors --artifact-dir=%t.art --clean-artifacts | FileCheck %s --check-prefix=GOOD
// RUN: FileCheck %s --input-file=%t.json --check-prefix=COUNT
// RUN: find %t.art -name '*.npy' -o -name "*.json" | LC_ALL=C sort | FileCheck %s --check-prefix=FILES
// RUN: FileCheck %s --input-file="$(find %t.art -name golden_results.json)" --check-prefix=REPORT
// RUN: ttrt run %t.ttnn --init=zeros --result-file=%t.json | FileCheck %s --check-prefix=OTHER
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir --golden=input_0=%t.bad.npy --golden=output_0=%t.bad.npy --golden='loc("twice")=%t.bad.npy' -o %t.ttnn
// RUN: not ttrt run %t.ttnn --golden-diff-topk=2 --result-file=%t.json | FileCheck %s --check-prefix=BAD
// RUN: ttrt run %t.ttnn --result-file=%t.json; test $? = 42
// RUN: ttrt run %t.ttnn --disable-golden --result-file=%t.json | FileCheck %s --check-prefix=OTHER
// RUN: not ttmlir-translate --ttnn-to-flatbuffer %t.mlir --golden=x 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not ttmlir-translate --ttnn-to-flatbuffer %t.mlir --golden='loc("twice")=none.npy' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ttmlir-translate --flatbuffer-to-ttnn --golden=a=b %t.ttnn 2>&1 | FileCheck %s --check-prefix=ALONE
// What a binary says that ops give is compared with what they give, when the inputs are those that it has or that were given. A golden is
// of one value, the last at its location.

// JSON: "key": "loc(\"twice\")"
// JSON: "dtype": "Float32"
// GOOD: PASS, 2 values compared, 0 off
// COUNT: "goldens": 2
// COUNT: "goldens_unmatched": 0
// FILES: run/program_0/device_output_0.npy
// FILES: run/program_0/golden_output_0.npy
// FILES: run/program_0/golden_results.json
// FILES: run/program_0/input_0.npy
// FILES: run/program_0/loc(_twice_)_0_device.npy
// FILES: run/program_0/loc(_twice_)_0_golden.npy
// REPORT: "loc(\"twice\")": {
// REPORT-NEXT: "0": {
// REPORT-NEXT: "allclose": true,
// REPORT-NEXT: "expected_pcc": 0.99,
// REPORT: "output_0": {
// OTHER: PASS, 0 values compared
// BAD: element 0: 2, golden 1
// BAD-NEXT: element 1: 2, golden 1
// BAD-NOT: element
// BAD: FAIL, 2 values compared, 2 off; 'ttnn.add' op at loc("twice") is the first that is wrong: its value differs from its golden: values are off
// FORM: --golden=x: a location and a file are wanted
// NONE: none.npy
// ALONE: needs --ttnn-to-flatbuffer
func.func @f(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = "ttir.add"(%a, %a) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32> loc("twice")
  return %0 : tensor<32x32xf32>
}
