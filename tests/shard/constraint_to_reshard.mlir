// Constraints become reshards; other attributes stay.
// RUN: sdy_opt %s --sdy-sharding-constraint-to-reshard | FileCheck %s

sdy.mesh @m = <["x"=2]>

// CHECK-LABEL: func @f(
func.func @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %0 = sdy.reshard %arg0 <@m, [{"x", ?}]> {mark} : tensor<8xf32>
  // CHECK-NEXT: %1 = sdy.reshard %0 <@m, [{}]> : tensor<8xf32>
  // CHECK-NEXT: return %1
  %0 = sdy.sharding_constraint %arg0 <@m, [{"x", ?}]> {mark} : tensor<8xf32>
  %1 = sdy.sharding_constraint %0 <@m, [{}]> : tensor<8xf32>
  return %1 : tensor<8xf32>
}
