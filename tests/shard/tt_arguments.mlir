// RUN: ttmlir-opt %s --tt-populate-argument-types="argument-types=f=input,parameter;g=constant" --apply-argument-shard-status=result-presharded=1 | FileCheck %s
// RUN: not ttmlir-opt %s --apply-tt-argument-annotations=argument-types=f=input 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not ttmlir-opt %s --apply-tt-argument-annotations=argument-types=h=input 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not ttmlir-opt %s --apply-tt-argument-annotations=argument-types=g=weight 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not ttmlir-opt %s --apply-argument-shard-status=result-presharded=1,0 2>&1 | FileCheck %s --check-prefix=RESULTS

sdy.mesh @mesh = <["x"=1, "y"=2]>

// What comes with a sharding comes in parts. An older type of the argument is replaced, an older spelling read.
// CHECK-LABEL: func @f
// CHECK-SAME: %arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>, ttcore.argument_type = #ttcore.argument_type<input>, ttcore.shard_status = #ttcore.shard_status<presharded>}
// CHECK-SAME: %arg1: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.shard_status = #ttcore.shard_status<unsharded>}
// CHECK-SAME: -> (tensor<4xf32> {ttcore.shard_status = #ttcore.shard_status<presharded>})
// COUNT: tt_arguments.mlir:[[@LINE+3]]:1: error: Did not provide the correct number of argument types for function: "f". Expected: 2 arguments, got: 1 arguments
// NAME: error: Function: "h" was provided in the argument types map, however it was not found in module!
// RESULTS: tt_arguments.mlir:[[@LINE+1]]:1: error: 'func.func' op has 1 results, but result-presharded says it of 2
func.func @f(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>, ttcore.argument_type = #ttcore.argument_type<default>}, %arg1: tensor<4xf32> {ttcore.shard_status = #ttcore.shard_status<sharded>}) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}

// Results of private functions go to nobody outside.
// CHECK-LABEL: func private @g
// CHECK-SAME: (%arg0: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<constant>, ttcore.shard_status = #ttcore.shard_status<unsharded>}) -> tensor<4xf32> {
// WORD: tt_arguments.mlir:[[@LINE+1]]:1: error: 'func.func' op has an argument of unknown type 'weight': input, parameter, constant and default are known
func.func private @g(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}
