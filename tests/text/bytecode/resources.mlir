// Blobs of any alignment, names without data, and what tools add: all of it goes through bytecode.
// RUN: tessera opt %s -o %t.text && FileCheck %s --input-file=%t.text
// RUN: tessera opt %s --emit-bytecode -o %t.6 && tessera opt %t.6 | cmp - %t.text
// RUN: tessera opt %s --emit-bytecode=0 | tessera opt | cmp - %t.text
// RUN: tessera opt %t.6 --emit-bytecode=3 | tessera opt | cmp - %t.text
// CHECK: t.no = dense_resource<no> : tensor<1xi8>
// CHECK: blob: "0x080000000000803F00000040"
// CHECK-NEXT: two: "0x4000000007"
// CHECK: a: true,
// CHECK-NEXT: b: "text",
// CHECK-NEXT: c: "0x1000000001020304"
module attributes {t.blob = dense_resource<blob> : tensor<2xf32>, t.no = dense_resource<no> : tensor<1xi8>,
                   t.two = dense_resource<two> : tensor<1xi8>} {
}
{-#
  dialect_resources: {
    builtin: {
      two: "0x4000000007",
      blob: "0x080000000000803F00000040"
    }
  },
  external_resources: {
    tool: {
      a: true,
      b: "text",
      c: "0x1000000001020304"
    },
    other: {
      x: false
    }
  }
#-}
