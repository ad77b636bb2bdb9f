// Branches between blocks.
// RUN: tessera opt %s | tessera opt | FileCheck %s
// RUN: tessera opt %s --mlir-print-op-generic | tessera opt | FileCheck %s
// RUN: tessera opt %s --canonicalize | FileCheck %s --check-prefix=FEWER

// CHECK-LABEL: func.func @branches(
// CHECK-NEXT:    cf.cond_br %arg1, ^bb1(%arg0, %arg0 : tensor<f32>, tensor<f32>), ^bb2
// CHECK-NEXT:  ^bb1(%[[A:.*]]: tensor<f32>, %{{.*}}: tensor<f32>):
// CHECK-NEXT:    cf.br ^bb3(%[[A]] : tensor<f32>)
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    cf.cond_br %arg1 weights([1, 2]), ^bb1(%arg0, %arg0 : tensor<f32>, tensor<f32>), ^bb3(%arg0 : tensor<f32>) {a = 1 : i64}
// CHECK-NEXT:  ^bb3(%[[B:.*]]: tensor<f32>):
// CHECK-NEXT:    return %[[B]] : tensor<f32>
// Arguments that nobody uses are not given any more.
// FEWER:         cf.cond_br %arg1, ^bb1(%arg0 : tensor<f32>), ^bb2
// FEWER-NEXT:  ^bb1(%[[A:.*]]: tensor<f32>):
// FEWER-NEXT:    cf.br ^bb3(%[[A]] : tensor<f32>)
// FEWER-NEXT:  ^bb2:
// FEWER-NEXT:    cf.cond_br %arg1 weights([1, 2]), ^bb1(%arg0 : tensor<f32>), ^bb3(%arg0 : tensor<f32>) {a = 1 : i64}
func.func @branches(%a: tensor<f32>, %c: i1) -> tensor<f32> {
  cf.cond_br %c, ^bb1(%a, %a : tensor<f32>, tensor<f32>), ^bb2
^bb1(%x: tensor<f32>, %unused: tensor<f32>):
  cf.br ^bb3(%x : tensor<f32>)
^bb2:
  cf.cond_br %c weights([1, 2]), ^bb1(%a, %a : tensor<f32>, tensor<f32>), ^bb3(%a : tensor<f32>) {a = 1 : i64}
^bb3(%y: tensor<f32>):
  return %y : tensor<f32>
}
