// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file | FileCheck %s
// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file -o %t && tessera opt %t --allow-unregistered-dialect --split-input-file -o %t.again && cmp %t %t.again
// Blobs: those that are used are written, in order of use; so are those of other dialects, and external ones.

"t.op"() {a = dense_resource<b> : tensor<1xi8>, b = dense_resource<a> : vector<1xi8>, c = dense_resource<none> : tensor<?xi8>, d = dense_resource<b> : tensor<1xi8>} : () -> ()
"t.op"() {a = dense_resource<"foo bar"> : tensor<1xi8>} : () -> ()
{-#
  dialect_resources: {
    builtin: {
      a: "0x0100000001",
      b: "0x0800000002",
      "foo bar": "0x01000000ff",
      unused: "0x0100000003"
    },
    other: {
      x: "0x0100000004"
    }
  },
  external_resources: {
    mlir_reproducer: {
      pipeline: "x",
      disable_threading: true
    },
    more: {
      key: "0x01"
    }
  }
#-}

// CHECK: module {
// CHECK-NEXT: "t.op"() {a = dense_resource<b> : tensor<1xi8>, b = dense_resource<a> : vector<1xi8>, c = dense_resource<none> : tensor<?xi8>, d = dense_resource<b> : tensor<1xi8>} : () -> ()
// CHECK-NEXT: "t.op"() {a = dense_resource<"foo bar"> : tensor<1xi8>} : () -> ()
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: {-#
// CHECK-NEXT: dialect_resources: {
// CHECK-NEXT: builtin: {
// CHECK-NEXT: b: "0x0800000002",
// CHECK-NEXT: a: "0x0100000001",
// CHECK-NEXT: "foo bar": "0x01000000FF"
// CHECK-NEXT: },
// CHECK-NEXT: other: {
// CHECK-NEXT: x: "0x0100000004"
// CHECK-NEXT: }
// CHECK-NEXT: },
// CHECK-NEXT: external_resources: {
// CHECK-NEXT: mlir_reproducer: {
// CHECK-NEXT: pipeline: "x",
// CHECK-NEXT: disable_threading: true
// CHECK-NEXT: },
// CHECK-NEXT: more: {
// CHECK-NEXT: key: "0x01"
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: #-}


// -----

"t.op"() : () -> ()
{-# external_resources: { } #-}

// CHECK: module {
// CHECK-NEXT: "t.op"() : () -> ()
// CHECK-NEXT: }


// -----

{-# #-}

// CHECK: module {
// CHECK-NEXT: }
