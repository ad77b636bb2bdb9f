// RUN: ttmlir-opt %s --ttir-to-ttmetal-host-pipeline -o %t.mlir
// RUN: ttmlir-translate --ttmetal-to-flatbuffer %t.mlir -o %t.ttm
// RUN: ttrt run %t.ttm --result-file=%t.json | FileCheck %s
// RUN: ttmlir-opt %s --ttir-to-ttmetal-host-pipeline=mesh-shape=1,2 -o %t.mesh.mlir
// RUN: not ttmlir-translate --ttmetal-to-flatbuffer %t.mesh.mlir -o %t.ttm 2>&1 | FileCheck %s --check-prefix=MESH
// A presharded argument has its local shape. On one device that is the global shape; on several the format cannot say it.

// CHECK: program 0 'f': PASS
// MESH: error: 'func.func' op argument 0 is given in parts, which a binary of TTMetal cannot say
func.func @f(%a: tensor<32x32xf32> {ttcore.shard_status = #ttcore.shard_status<presharded>}) -> (tensor<32x32xf32> {ttcore.shard_status = #ttcore.shard_status<presharded>}) {
  %0 = "ttir.exp"(%a) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
