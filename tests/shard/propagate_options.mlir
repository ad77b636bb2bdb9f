// What the options of the propagation passes do.
// RUN: sdy_opt %s --sdy-basic-propagate | FileCheck %s --check-prefix=BASIC
// RUN: sdy_opt %s --sdy-aggressive-propagate=propagation-strategy=basic | FileCheck %s --check-prefix=BASIC
// RUN: sdy_opt %s --sdy-aggressive-propagate=propagation-strategy=basic-then-aggressive | FileCheck %s --check-prefix=BOTH
// RUN: sdy_opt %s --sdy-basic-propagate=conservative-propagation=true | FileCheck %s --check-prefix=WHOLE
// RUN: sdy_opt %s --sdy-op-priority-propagate=keep-sharding-rules=true | FileCheck %s --check-prefix=RULES
// RUN: sdy_opt %s --sdy-op-priority-propagate=run-op-priority-propagation=false | FileCheck %s --check-prefix=ANYOP
// RUN: sdy_opt %s --sdy-user-priority-propagate=extra-rules=true | FileCheck %s --check-prefix=EXTRA
// RUN: sdy_opt %s --sdy-user-priority-propagate 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sdy_opt %s --sdy-populate-op-sharding-rules --sdy-basic-propagate | FileCheck %s --check-prefix=GONE
// RUN: rm -rf %t.d && mkdir -p %t.d && sdy_opt %s --sdy-user-priority-propagate=module-dump-directory=%t.d >%t.out && ls %t.d | FileCheck %s --check-prefix=FILES
// RUN: FileCheck %s --check-prefix=DUMP <%t.d/00.propagation_after_user_priority_0.mlir
// RUN: sdy_opt %s --sdy-user-priority-propagate=module-dump-directory=%t.d/no/such 2>&1 | FileCheck %s --check-prefix=NODIR

// FILES: 00.propagation_after_user_priority_0.mlir
// FILES-NEXT: 00.propagation_after_user_priority_2.mlir
// FILES-NOT: priority_3
// DUMP: replicated={"y"}
// NODIR: warning: error when writing file
// NONE: warning: op 'stablehlo.map' is unknown to SDY sharding rule registry

sdy.mesh @mesh = <["x"=4, "y"=2]>
// WHOLE: %arg2: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", ?}, {?}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", ?}]>}, %c: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %d: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", ?}p2]>}, %e: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p3]>}) -> (tensor<8x8xf32>, tensor<2x4xf32>, tensor<8xf32>, tensor<8xf32>) {
  // BASIC: stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (
  // BOTH: stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y", ?}, {?}]>]>} : (
  // RULES: stablehlo.dot_general {{.*}}sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=8, k=8} reduction={k}>
  // ANYOP-NOT: sharding_rule
  // GONE-NOT: sharding_rule
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // BASIC: stablehlo.reshape %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x":(1)2, ?}, {"x":(2)2, ?}]>]>}
  // WHOLE: stablehlo.reshape %arg2 : (
  %1 = stablehlo.reshape %c : (tensor<8xf32>) -> tensor<2x4xf32>
  // EXTRA: %2 = "stablehlo.map"
  // EXTRA: {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  // NONE: }) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = "stablehlo.map"(%c) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>):
    %4 = stablehlo.negate %x : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = stablehlo.add %d, %e : tensor<8xf32>
  return %0, %1, %2, %3 : tensor<8x8xf32>, tensor<2x4xf32>, tensor<8xf32>, tensor<8xf32>
}
