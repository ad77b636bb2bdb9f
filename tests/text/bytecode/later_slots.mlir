// Attributes that came with a later version of their dialect are not written when they say what is the default anyway: older
// readers have no place for them. The others of such an op stand by name then, which every reader understands. What is not
// the default is written in its place.
// RUN: tessera opt %s -o %t.text
// RUN: tessera opt %s --emit-bytecode -o %t.bc
// RUN: tessera opt %t.bc | cmp - %t.text
// RUN: grep -a -q replica_groups %t.bc
// RUN: not grep -a -q has_dynamic_root %t.bc
// RUN: not grep -a -q is_stable %t.bc
// RUN: sed 's/k = 2/k = 2, is_stable = true/' %s | tessera opt - --emit-bytecode -o %t.same
// RUN: tessera opt %t.same | FileCheck %s
// CHECK: chlo.top_k(%arg0, k = 2) :
// RUN: sed 's/k = 2/k = 2, is_stable = false/' %s | tessera opt - --emit-bytecode | tessera opt - | FileCheck %s --check-prefix=OTHER
// OTHER: chlo.top_k(%arg0, k = 2, is_stable = false)
// RUN: for v in 1 3 4 5; do tessera opt %s --emit-bytecode=$v | tessera opt - | cmp - %t.text || exit 1; done
// RUN: for v in 1.17.0 1.20.0; do stablehlo-translate --serialize --target=$v --allow-other-dialects %s | stablehlo-translate --deserialize | diff -B - %t.text || exit 1; done
module {
  func.func @main(%arg0: tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x8xf32>) {
    %values, %indices = chlo.top_k(%arg0, k = 2) : tensor<4x8xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
    %0 = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    return %values, %0 : tensor<4x2xf32>, tensor<4x8xf32>
  }
}
