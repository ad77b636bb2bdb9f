// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics --allow-unregistered-dialect --annotate-local-shapes --wrap-under-manual-computation --update-global-to-local-shapes

sdy.mesh @mesh = <["x"=2, "y"=4]>

// Four divides by two and by four, but not by eight.
// expected-error@+1 {{could not compute local sharded shape for argument 0: tensor sharding is incompatible with tensor shape}}
func.func @argument(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>, ttcore.shard_status = #ttcore.shard_status<presharded>}) {
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>

// expected-error@+1 {{Could not apply propagated tensor shardings to tensor dimensions: a dimension does not divide evenly}}
func.func @parts(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) {
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>

// expected-error@+1 {{argument 0 already has a local shape}}
func.func @twice(%arg0: tensor<4xf32> {ttcore.local_shape = #ttcore<local_shape local_shape = tensor<4xf32>>}) {
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @different_parts(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{is sharded, and devices would have different parts of it; replicate-non-splittable-values makes it replicated}}
  %0 = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @neighbours(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  // expected-error@+1 {{needs parts of other devices along dimension 0 of operand 0, which is sharded}}
  %0 = stablehlo.reverse %arg0, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @unreduced(%arg0: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<4x4xf32> {
  // expected-error@+1 {{has no form in StableHLO in this pipeline}}
  %0 = sdy.replicated_to_unreduced {"x"} %arg0 out_sharding=<@mesh, [{}, {}], unreduced={"x"}> : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// expected-error@+1 {{pass requires a shardy mesh op to be present in the root module}}
module {
  func.func @no_mesh(%arg0: tensor<4xf32>) {
    return
  }
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>

// expected-error@+1 {{has several blocks, which a manual computation cannot have}}
func.func @blocks(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  "test.br"()[^bb1] : () -> ()
^bb1:
  return %arg0 : tensor<4xf32>
}
