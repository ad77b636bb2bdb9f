// RUN: ttmlir-opt %s -split-input-file --analyze-mesh="mesh-shape=1,2 automatic-arg-analysis" | FileCheck %s
// RUN: ttmlir-opt %s -split-input-file --apply-shardy-argument-annotations=mesh-shape=2 | FileCheck %s --check-prefix=SEED

// Arguments of the largest rank have a batch in front, whatever that rank is.
// CHECK: sdy.mesh @mesh = <["default"=1, "batch"=2]>
// CHECK: func @rank3(%arg0: tensor<4x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"batch", ?}, {?}, {?}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>}, %arg2: tensor<1x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}, %arg3: tensor<3x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>})
// SEED: sdy.mesh @mesh = <["model"=1, "batch"=2]>
// SEED: func @rank3(%arg0: tensor<4x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"batch"}, {}, {}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}
func.func @rank3(%arg0: tensor<4x6x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<1x6x8xf32>, %arg3: tensor<3x6x8xf32>) {
  return
}

// -----

// Only inputs, where arguments say what they are.
// CHECK: func @typed(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"batch", ?}, {?}]>, ttcore.argument_type = #ttcore.argument_type<input>}, %arg1: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>
func.func @typed(%arg0: tensor<4x8xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %arg1: tensor<8x8x8xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) {
  return
}

// -----

// Partially solved: an axis is added, and nothing else. The seed's pass leaves the mesh alone.
// CHECK: sdy.mesh @m = <["b_aux"=1, "b"=4]>
// CHECK: func @partial(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"b"}]>}, %arg1: tensor<8xf32>)
// SEED: sdy.mesh @m = <["b"=4]>
sdy.mesh @m = <["b"=4]>
func.func @partial(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"b"}]>}, %arg1: tensor<8xf32>) {
  return
}

// -----

// Solved: shardings go.
// CHECK: func @solved(%arg0: tensor<8xf32>)
// CHECK: manual_axes={"x"}
// SEED: func @solved(%arg0: tensor<8xf32>)
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @solved(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<4xf32>) {
    sdy.return %arg1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// GSPMD's devices tell the mesh: those of an iota with two dimensions, else what the tensor is cut into.
// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @iota(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[4,2]<=[2,4]T(1,0)}"}) {
  return
}

// -----

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @cut(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[1,2,4]<=[8] last_tile_dim_replicate}"}) {
  return
}

// -----

// CHECK: sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @swapped(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]0,2,4,6,1,3,5,7}"}) {
  return
}

// -----

// A constraint may name the axes of the mesh by number.
// CHECK: sdy.sharding_constraint %arg0 <@mesh, [{"a"}, {"b"}]> : tensor<8x8xf32>
sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @numbers(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.custom_call @tt.sharding_constraint(%arg0) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22mesh_idx_0\22}, {\22mesh_idx_1\22}]>]>"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
