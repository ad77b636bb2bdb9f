// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics --analyze-mesh="mesh-shape=1,4 automatic-arg-analysis"
// RUN: not ttmlir-opt %S/Inputs/tt_plain.mlir --analyze-mesh=automatic-arg-analysis 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ttmlir-opt %S/Inputs/tt_plain.mlir --analyze-mesh="mesh-shape=2,2 automatic-arg-analysis" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ttmlir-opt %S/Inputs/tt_plain.mlir --analyze-mesh=mesh-shape=1024,1048576 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not ttmlir-opt %S/Inputs/tt_plain.mlir --apply-shardy-argument-annotations=mesh-shape=1,0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not ttmlir-opt %S/Inputs/tt_plain.mlir --apply-shardy-argument-annotations=mesh-shape=1,2,3 2>&1 | FileCheck %s --check-prefix=THREE
// NONE: error: 'builtin.module' op automatic argument analysis needs mesh-shape=1,n
// LARGE: error: 'builtin.module' op asks for a mesh of more than 1048576 devices
// ZERO: error: 'builtin.module' op cannot have a mesh with an axis of size '0'
// THREE: error: 'builtin.module' op mesh-shape must have two dimensions: 1,n

// expected-error@+1 {{argument 1 is not annotated with ttcore.argument_type, as others are}}
func.func @missing(%arg0: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %arg1: tensor<4xf32>) {
  return
}

// -----

// expected-error@+1 {{argument 0 has a batch of 6, which 4 devices cannot share evenly}}
func.func @uneven(%arg0: tensor<6x2xf32> {ttcore.argument_type = #ttcore.argument_type<input>}) {
  return
}

// -----

// expected-warning@+1 {{argument 0 has a first dimension of 6, which 4 devices cannot share evenly: it is not sharded}}
func.func @uneven_by_guess(%arg0: tensor<6x2xf32>) {
  return
}

// -----

// expected-error@+1 {{is one of 2 meshes that have no common one}}
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=8]>
func.func @fewer(%arg0: tensor<4xf32>) {
  return
}

// -----

// Thirds of two times three devices are no parts of three times two.
// expected-error@+1 {{is one of 2 meshes that have no common one}}
sdy.mesh @mesh = <["x"=2, "y"=3]>
sdy.mesh @other = <["x"=3, "y"=2]>
func.func @thirds(%arg0: tensor<4xf32>) {
  return
}

// -----

// expected-error@+1 {{is one of 2 meshes that have no common one}}
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=4], device_ids=[3, 2, 1, 0]>
func.func @meshes(%arg0: tensor<4xf32>) {
  return
}

// -----

// expected-error@+1 {{mesh has 1152921504606846976 devices, more than 1048576}}
sdy.mesh @mesh = <["x"=1073741824, "y"=1073741824]>
func.func @large(%arg0: tensor<4xf32>) {
  return
}

// -----

// expected-error@+1 {{has an mhlo.sharding that tells no mesh of two dimensions: {devices=[2,2,2]<=[8]}}}
func.func @gspmd(%arg0: tensor<4x4x4xf32> {mhlo.sharding = "{devices=[2,2,2]<=[8]}"}) {
  return
}

// -----

func.func @gspmd_call(%arg0: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{needs mhlo.sharding, and so does what it is applied to}}
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
