// RUN: ttmlir-opt %s -split-input-file --stablehlo-pipeline | FileCheck %s
// RUN: ttmlir-opt %s -split-input-file --register-custom-sharding-rule | FileCheck %s --check-prefix=RULE
// Shardy has no rule for the statistics of a batch; the pipeline uses ours. Features are divided, samples gathered.

// RULE-LABEL: @features
// RULE: batch_norm_training{{.*}}sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [j], [j])->([i, j], [j], [j]) {i=4, j=8} need_replication={i}>
// CHECK-LABEL: @features
// CHECK-NOT: all_gather
// CHECK-NOT: sharding_rule
// CHECK: "stablehlo.batch_norm_training"{{.*}} : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>)
// CHECK-NOT: sharding_rule
module @features {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %s: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %o: tensor<8xf32>) -> tensor<4x8xf32> {
    %y, %m, %v = "stablehlo.batch_norm_training"(%x, %s, %o) <{epsilon = 1.0e-5 : f32, feature_index = 1 : i64}> : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
    return %y : tensor<4x8xf32>
  }
}

// -----

// CHECK-LABEL: @samples
// CHECK: stablehlo.all_gather
// CHECK: "stablehlo.batch_norm_training"{{.*}} : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
module @samples {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %s: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %o: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> tensor<4x8xf32> {
    %y, %m, %v = "stablehlo.batch_norm_training"(%x, %s, %o) <{epsilon = 1.0e-5 : f32, feature_index = 1 : i64}> : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
    return %y : tensor<4x8xf32>
  }
}
