// RUN: tessera opt %s --allow-unregistered-dialect --mlir-elide-elementsattrs-if-larger=4 | FileCheck %s
// --mlir-elide-elementsattrs-if-larger leaves out long lists, not splats.

"t.op"() {a = dense<[1, 2, 3, 4]> : tensor<4xi32>, b = dense<[1, 2, 3, 4, 5]> : tensor<5xi32>, c = dense<1> : tensor<9xi32>} : () -> ()
"t.op"() {a = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>, b = [dense<[1, 2, 3, 4, 5]> : vector<5xi8>], c = array<i64: 1, 2, 3, 4, 5, 6>} : () -> ()

// CHECK: module {
// CHECK-NEXT: "t.op"() {a = dense<[1, 2, 3, 4]> : tensor<4xi32>, b = dense_resource<__elided__> : tensor<5xi32>, c = dense<1> : tensor<9xi32>} : () -> ()
// CHECK-NEXT: "t.op"() {a = dense_resource<__elided__> : tensor<2x3xf32>, b = [dense_resource<__elided__> : vector<5xi8>], c = array<i64: 1, 2, 3, 4, 5, 6>} : () -> ()
// CHECK-NEXT: }
