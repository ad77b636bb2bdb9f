// RUN: ttmlir-opt %s --ttir-to-ttnn-backend-pipeline="mesh-shape=1,2" --mlir-print-debuginfo -o %t.mlir
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir --goldens-from=%s --stage=ttir=%s --stage=ttnn=%t.mlir -o %t.ttnn
// RUN: ttrt read --section=debug_info %t.ttnn | FileCheck %s --check-prefix=INFO
// RUN: ttrt run %t.ttnn --result-file=%t.json | FileCheck %s --check-prefix=RAN
// RUN: ttrt run %t.ttnn --enable-golden --result-file=%t.json | FileCheck %s --check-prefix=RAN
// RUN: ttmlir-translate --ttnn-to-flatbuffer %t.mlir --goldens-from=%s --seed=5 -o %t.other.ttnn
// RUN: not cmp -s %t.ttnn %t.other.ttnn
// RUN: ttmlir-translate --flatbuffer-to-ttnn %t.ttnn -o %t.back.mlir && ttmlir-translate --ttnn-to-flatbuffer %t.back.mlir -o %t.again.ttnn
// RUN: ttrt run %t.again.ttnn --result-file=%t.json
// RUN: not ttmlir-translate --ttnn-to-flatbuffer %t.mlir --stage=x 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not ttmlir-translate --ttnn-to-flatbuffer %t.mlir --stage=x=none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ttmlir-translate --ttnn-to-flatbuffer %t.mlir --goldens-from=none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ttmlir-translate --ttnn-to-flatbuffer %t.mlir --seed=1 2>&1 | FileCheck %s --check-prefix=SEED
// Goldens of a run of the program that was lowered: each device of the mesh has its own. Stages of the lowering are texts.

// INFO: "mlir_stages": [
// INFO: "name": "ttir",
// INFO: "name": "ttnn",
// INFO: "key": "input_0"
// INFO: "key": "output_0"
// INFO: "key": "loc(\"twice\")"
// INFO: "device": 0,
// INFO: "device": 1,
// RAN: program 0 'f': PASS, {{[5-9]|1[0-9]}} values compared, 0 off
// FORM: --stage=x: a name and a file are wanted
// NONE: none.mlir
// SEED: needs --goldens-from
module attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x2>]>} {
func.func @f(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = "ttir.mesh_shard"(%a) <{shard_dims = array<i64: -1, 1>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 2>, shard_type = #ttcore.shard_type<devices>}> : (tensor<64x64xf32>) -> tensor<64x32xf32> loc("part")
  %1 = "ttir.add"(%0, %0) : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32> loc("twice")
  %2 = "ttir.exp"(%1) : (tensor<64x32xf32>) -> tensor<64x32xf32> loc("exp")
  %3 = "ttir.mesh_shard"(%2) <{shard_dims = array<i64: -1, 1>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 1, 2>, shard_type = #ttcore.shard_type<devices>}> : (tensor<64x32xf32>) -> tensor<64x64xf32> loc("whole")
  return %3 : tensor<64x64xf32>
}
}
