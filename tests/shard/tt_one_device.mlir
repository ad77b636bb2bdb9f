// A manual computation over one device is inlined by stablehlo-pipeline: for a module that has no mesh, and for a mesh of one
// device that the program names itself. The older name of the last step, canonicalizer, keeps it. Two devices keep it always.

// RUN: ttmlir-opt --stablehlo-pipeline --split-input-file %s | FileCheck %s
// RUN: ttmlir-opt --stablehlo-pipeline=mesh-shape=1,2 --split-input-file %s | FileCheck %s --check-prefix=TWO
// RUN: ttmlir-opt --analyze-mesh --wrap-under-manual-computation --update-global-to-local-shapes --canonicalizer --split-input-file %s | FileCheck %s --check-prefix=KEPT
// RUN: tessera run %s --function=named --input=4xf32=1,2,3,4 --output=%t.npz
// RUN: ttmlir-opt --stablehlo-pipeline %s -o %t.mlir
// RUN: tessera run %t.mlir --function=named --input=4xf32=1,2,3,4 --expect=%t.npz
// RUN: ttmlir-opt --stablehlo-pipeline --emit-bytecode %s -o %t.mlirbc
// RUN: tessera run %t.mlirbc --function=named --input=4xf32=1,2,3,4 --expect=%t.npz

sdy.mesh @one = <["x"=1, "y"=1]>

// CHECK-LABEL: func.func @named
// CHECK-NOT: sdy.manual_computation
// CHECK: %0 = "stablehlo.all_reduce"(%arg0)
// CHECK: %1 = stablehlo.add %0, %arg0 : tensor<4xf32>
// CHECK-NEXT: return %1 : tensor<4xf32>
// KEPT-LABEL: func.func @named
// KEPT: sdy.manual_computation{{.*}} manual_axes={"x", "y"}
func.func @named(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@one, [{"x"}]>}) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@one, [{"x"}]>] out_shardings=[<@one, [{}]>] manual_axes={"x", "y"} (%arg1: tensor<4xf32>) {
    %1 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %3 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = stablehlo.add %1, %arg1 : tensor<4xf32>
    sdy.return %2 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: sdy.mesh @mesh = <["x"=1, "y"=1]>
// CHECK-LABEL: func.func @no_mesh
// CHECK-NEXT: %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32>
// CHECK-NEXT: return %0 : tensor<4xf32>
// TWO: sdy.mesh @mesh = <["x"=1, "y"=2]>
// TWO-LABEL: func.func @no_mesh
// TWO-NEXT: sdy.manual_computation(%arg0) {{.*}} manual_axes={"x", "y"}
func.func @no_mesh(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}
