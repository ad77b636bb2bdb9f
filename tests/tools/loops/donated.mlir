// A donated argument that a loop changes is the loop's buffer, and the result; one that is not donated is copied. Reports
// are for a caller that gives it up; the engine tells what that saves.
// RUN: tessera shard %s --json --function=gives 2>/dev/null | FileCheck %s --check-prefix=GIVES
// RUN: tessera simulate %s --json --function=gives 2>/dev/null | FileCheck %s --check-prefix=GIVES
// RUN: tessera shard %s --json --function=keeps 2>/dev/null | FileCheck %s --check-prefix=KEEPS
// RUN: tessera run %s --function=gives --memory --json --input=random | FileCheck %s --check-prefix=ENGINE
// RUN: tessera run %s --function=keeps --memory --json --input=random | FileCheck %s --check-prefix=ENGINE-KEEPS

// Two arguments, a counter and a condition, which are aligned.
// GIVES: "peak_bytes": 8200,
// KEEPS: "peak_bytes": 12296,
// ENGINE: "peak": 12296, {{.*}} "donated": 4096,
// ENGINE-KEEPS: "peak": 12296, {{.*}} "donated": 0,
func.func @gives(%arg0: tensor<1024xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<1024xf32>) -> tensor<1024xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c, %w = %arg0) : tensor<i32>, tensor<1024xf32>
  cond {
    %four = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.multiply %w, %arg1 : tensor<1024xf32>
    %2 = stablehlo.tanh %1 : tensor<1024xf32>
    %3 = stablehlo.subtract %w, %2 : tensor<1024xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %3 : tensor<i32>, tensor<1024xf32>
  }
  return %0#1 : tensor<1024xf32>
}
func.func @keeps(%arg0: tensor<1024xf32>, %arg1: tensor<1024xf32>) -> tensor<1024xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c, %w = %arg0) : tensor<i32>, tensor<1024xf32>
  cond {
    %four = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.multiply %w, %arg1 : tensor<1024xf32>
    %2 = stablehlo.tanh %1 : tensor<1024xf32>
    %3 = stablehlo.subtract %w, %2 : tensor<1024xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %3 : tensor<i32>, tensor<1024xf32>
  }
  return %0#1 : tensor<1024xf32>
}
