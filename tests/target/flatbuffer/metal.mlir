// RUN: ttmlir-opt %s --ttir-to-ttmetal-host-pipeline --mlir-print-debuginfo -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: ttmlir-translate --ttmetal-to-flatbuffer %t.mlir -o %t.ttm
// RUN: ttmlir-translate --flatbuffer-to-ttmetal %t.ttm | FileCheck %s
// RUN: ttmlir-translate --flatbuffer-to-ttmetal --mlir-print-debuginfo %t.ttm | ttmlir-translate --ttmetal-to-flatbuffer - -o %t.again.ttm
// RUN: ttrt read --section=op_stats %t.again.ttm 2>&1 | FileCheck %s --check-prefix=STATS
// RUN: ttrt read --section=inputs %t.ttm | FileCheck %s --check-prefix=INPUTS
// RUN: ttrt read --section=mlir %t.ttm | FileCheck %s --check-prefix=MLIR
// RUN: ttrt read --section=dylibs %t.ttm | FileCheck %s --check-prefix=DYLIBS
// RUN: ttrt read --section=version %t.ttm | FileCheck %s --check-prefix=VERSION
// RUN: ttrt check %t.ttm --result-file=%t.json
// RUN: ttrt run %t.ttm --enable-golden --save-artifacts --artifact-dir=%t.art --result-file=%t.json | FileCheck %s --check-prefix=RAN
// RUN: ls %t.art/$(basename %t.ttm)/system_desc.ttsys %t.art/$(basename %t.ttm)/run/program_1/device_output_1.npy
// RUN: ttrt perf %t.ttm --program-index=0 --artifact-dir=%t.perf --result-file=%t.json
// RUN: FileCheck %s --input-file=%t.perf/$(basename %t.ttm)/perf/program_0/ops_perf_results.csv --check-prefix=PERF
// RUN: tessera run %t.ttm --function=ints --input=4xi32=5,6,1,2 | FileCheck %s --check-prefix=INTS
// RUN: ttmlir-opt %t.ttm | FileCheck %s --check-prefix=OPS
// RUN: ttmlir-opt %t.mlir --cpu-hoist-forward | FileCheck %s
// RUN: not ttmlir-translate --flatbuffer-to-ttnn %t.ttm 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not ttmlir-opt %s --ttir-to-ttmetal-pipeline=use-tile-matmul=true 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not ttmlir-opt %s --d2m-fe-pipeline 2>&1 | FileCheck %s --check-prefix=REFUSED
// A binary of TTMetal: commands of which the host runs one function. No kernel of a device is in it.

// CHECK: func.func @add(%arg0: tensor<32x32xf32>{{.*}}, %arg1: tensor<32x32xf32>
// CHECK: call @cpu_hoisted_add(%arg0, %arg1) {ttir.cpu_hoisted_call}
// CHECK: func.func @ints(
// CHECK: call @cpu_hoisted_ints(%arg0) {ttir.cpu_hoisted_call} : (tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi1>)
// CHECK: func.func @same(%arg0: tensor<2xf32>
// CHECK-NEXT: return %arg0
// CHECK: func.func private @cpu_hoisted_add(tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32> attributes {tt.function_type = "forward_cpu_declaration"}
// CHECK: ttcore.cpu_module
// CHECK: func.func @cpu_hoisted_add(
// CHECK: "ttir.add"(%arg0, %arg1)
// CHECK: "ttir.exp"
// CHECK: func.func @cpu_hoisted_ints(
// CHECK: "ttir.constant"
// STATS: has commands for the host alone: no kernel runs on a device
// STATS: "ReturnCommand": 3
// STATS-NOT: EnqueueProgram
// STATS: "CpuCommand": 2
// STATS: "FinishCommand": 3
// INPUTS: "program": "add",
// INPUTS: "size": 4096,
// INPUTS: "data_type": "Float32"
// INPUTS: "program": "ints",
// INPUTS: "size": 16,
// INPUTS: "data_type": "Int32"
// MLIR: "name": "ttmetal",
// DYLIBS: "dylib_id": 0,
// VERSION: "schema_hash": "dcfff37afffdddc22dde3c9e85e6a364193fdf761495360696b1dbe3376dc696"
// RAN: program 0 'add': PASS, 2 values compared, 0 off
// RAN: program 1 'ints': PASS, 3 values compared, 0 off
// RAN: program 2 'same': PASS
// PERF: 1,ttir.add,host,0,{{[0-9]+,[0-9]+,[0-9]+}},"loc('sum')",false,false
// PERF: 2,ttir.exp,host,0
// INTS: [6, 8, 4, 6]
// INTS: [true, true, false, false]
// OPS-NOT: cpu_module
// OPS: func.func @add(
// OPS-NEXT: "ttir.add"
// OPS-NEXT: "ttir.exp"
// OPS-NOT: cpu_hoisted
// KIND: byte 8: the identifier is not TTNN
// REFUSED: is for kernels of a device, which are not made here; --ttir-to-ttmetal-host-pipeline lets the host run the program
func.func @add(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = "ttir.add"(%a, %b) {ttir.should_hoist} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32> loc("sum")
  %1 = call @more(%0) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}
func.func private @more(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = "ttir.exp"(%a) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
func.func @ints(%a: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi1>) {
  %c = "ttir.constant"() <{value = dense<[1, 2, 3, 4]> : tensor<4xi32>}> : () -> tensor<4xi32>
  %0 = "ttir.add"(%a, %c) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = "ttir.gt"(%a, %c) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %0, %1 : tensor<4xi32>, tensor<4xi1>
}
func.func @same(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
