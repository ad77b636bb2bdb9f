// No axis divides anything here: rows are cut with padding, which no argument has.
// RUN: tessera shard %s --auto --mesh=x=4 --device=a100 -o %t.mlir --explain | FileCheck %s
// CHECK: plan search, {{.*}}with padding
// CHECK: _,_ {{.*}}tensor<1023x511xf32>
// CHECK: everything everywhere: {{.*}} slower
// RUN: FileCheck %s --check-prefix=OUT --input-file=%t.mlir
// OUT: {"x"}
// RUN: tessera run %t.mlir --spmd --check --input=random | FileCheck %s --check-prefix=PASS
// RUN: tessera run %s --auto --mesh=x=4 --check --input=random | FileCheck %s --check-prefix=PASS
// RUN: sdy_opt %t.mlir --sdy-propagation-pipeline | FileCheck %s --check-prefix=OUT
// PASS: PASS
func.func @main(%x: tensor<1023x511xf32>, %w: tensor<511x1021xf32>, %v: tensor<1021x511xf32>) -> tensor<1023x511xf32> {
  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1023x511xf32>, tensor<511x1021xf32>) -> tensor<1023x1021xf32>
  %s = stablehlo.tanh %a : tensor<1023x1021xf32>
  %b = stablehlo.dot_general %s, %v, contracting_dims = [1] x [0] : (tensor<1023x1021xf32>, tensor<1021x511xf32>) -> tensor<1023x511xf32>
  return %b : tensor<1023x511xf32>
}
