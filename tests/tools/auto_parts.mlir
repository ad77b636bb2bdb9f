// Four heads on an axis of eight devices: a part of the axis divides them. The other dimensions are odd.
// RUN: tessera shard %s --auto --mesh=x=8 --device=a100 -o %t.mlir --explain | FileCheck %s
// CHECK: mesh x=8
// CHECK: plan search
// CHECK: x:(1)4,_,_ {{.*}}tensor<4x255x127xf32>
// CHECK: everything everywhere: {{.*}} slower
// RUN: tessera run %t.mlir --spmd --check --input=random | FileCheck %s --check-prefix=PASS
// RUN: tessera run %s --auto --mesh=x=8 --check --input=random | FileCheck %s --check-prefix=PASS
// RUN: sdy_opt %t.mlir --sdy-propagation-pipeline | FileCheck %s --check-prefix=SDY
// PASS: PASS
// SDY: {"x":(1)4}
func.func @main(%q: tensor<4x255x127xf32>, %k: tensor<4x127x255xf32>, %v: tensor<4x255x127xf32>) -> tensor<4x255x127xf32> {
  %a = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x255x127xf32>, tensor<4x127x255xf32>) -> tensor<4x255x255xf32>
  %s = stablehlo.logistic %a : tensor<4x255x255xf32>
  %b = stablehlo.dot_general %s, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x255x255xf32>, tensor<4x255x127xf32>) -> tensor<4x255x127xf32>
  return %b : tensor<4x255x127xf32>
}
