// RUN: tessera opt %s --split-input-file --verify-diagnostics
// Rules of chlo.ragged_dot, in the order of checking.

func.func @free(%lhs: tensor<2x6x4xf32>, %rhs: tensor<3x2x4x5xf32>, %g: tensor<3xi32>) {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %g) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<2x6x4xf32>, tensor<3x2x4x5xf32>, tensor<3xi32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @free_groups_per_batch(%lhs: tensor<2x6x4xf32>, %rhs: tensor<3x2x4x5xf32>, %g: tensor<2x3xi32>) {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %g) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<2x6x4xf32>, tensor<3x2x4x5xf32>, tensor<2x3xi32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @contracting(%lhs: tensor<2x6x4xf32>, %rhs: tensor<2x4x5xf32>, %g: tensor<2x3xi32>) {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %g) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2]>
  } : (tensor<2x6x4xf32>, tensor<2x4x5xf32>, tensor<2x3xi32>) -> tensor<3x2x6x5xf32>
  return
}

// -----

func.func @batching(%lhs: tensor<2x6x4xf32>, %rhs: tensor<2x4x5xf32>, %g: tensor<3xi32>) {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %g) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>
  } : (tensor<2x6x4xf32>, tensor<2x4x5xf32>, tensor<3xi32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @unranked(%lhs: tensor<*xf32>, %rhs: tensor<2x4x5xf32>, %g: tensor<3xi32>) {
  // expected-error @+1 {{operands must be ranked}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %g) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>
  } : (tensor<*xf32>, tensor<2x4x5xf32>, tensor<3xi32>) -> tensor<*xf32>
  return
}

// -----

func.func @precision(%lhs: tensor<6x4xf32>, %rhs: tensor<3x4x5xf32>, %g: tensor<3xi32>) {
  // expected-error @+1 {{expects precision config to be empty or have <= 2 elements, got 3}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %g) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>, precision_config = [#chlo<precision HIGH>, #chlo<precision HIGH>, #chlo<precision HIGH>]
  } : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @dot_rules(%lhs: tensor<6x4xf32>, %rhs: tensor<3x4x5xf32>, %g: tensor<3xi32>) {
  // expected-error @+1 {{contracting dimension sizes must match for lhs/rhs}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %g) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  } : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @two_ragged(%lhs: tensor<6x4xf32>, %rhs: tensor<3x4x5xf32>, %g: tensor<3xi32>) {
  // expected-error @+1 {{There must be exactly one ragged dimension in the lhs.}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %g) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0, 1], rhs_group_dimensions = [0]>
  } : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @ragged_range(%lhs: tensor<6x4xf32>, %rhs: tensor<3x4x5xf32>, %g: tensor<3xi32>) {
  // expected-error @+1 {{Expects lhs_ragged_dim to be in range [0, lhs_rank) i.e. [0, 2). got: 2.}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %g) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2], rhs_group_dimensions = [0]>
  } : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @groups_rank(%lhs: tensor<6x4xf32>, %rhs: tensor<3x4x5xf32>, %g: tensor<6x3xi32>) {
  // expected-error @+1 {{expected group_sizes to have rank 1, got 2}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %g) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  } : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<6x3xi32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @groups_scalar(%lhs: tensor<6x4xf32>, %rhs: tensor<3x4x5xf32>, %g: tensor<i32>) {
  // expected-error @+1 {{expected group_sizes to have rank 1, got 0}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %g) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  } : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<i32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @groups_shape(%lhs: tensor<2x6x4xf32>, %rhs: tensor<3x2x4x5xf32>, %g: tensor<6x3xi32>) {
  // expected-error @+1 {{group_sizes is expected to have shape [2, 3], got [6, 3]}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %g) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<2x6x4xf32>, tensor<3x2x4x5xf32>, tensor<6x3xi32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @group_range(%lhs: tensor<6x4xf32>, %rhs: tensor<3x4x5xf32>, %g: tensor<3xi32>) {
  // expected-error @+1 {{Expects rhs_group_dim to be in range [0, rhs_rank) i.e. [0, 3). got: 3.}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %g) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [3]>
  } : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @group_is_batch(%lhs: tensor<2x6x4xf32>, %rhs: tensor<3x2x4x5xf32>, %g: tensor<3xi32>) {
  // expected-error @+1 {{has duplicated dimension from rhs_group_dimensions and rhs_batching_dimensions: 1}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %g) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [1]>
  } : (tensor<2x6x4xf32>, tensor<3x2x4x5xf32>, tensor<3xi32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @group_is_contracting(%lhs: tensor<6x4xf32>, %rhs: tensor<3x4x5xf32>, %g: tensor<3xi32>) {
  // expected-error @+1 {{has duplicated dimension from rhs_group_dimensions and rhs_contracting_dimensions: 1}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %g) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [1]>
  } : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @group_not_wanted(%lhs: tensor<6x4xf32>, %rhs: tensor<3x4x5xf32>, %g: tensor<3xi32>) {
  // expected-error @+1 {{There must be zero group dimensions in the rhs when the ragged dimension is batch or contracting.}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %g) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<3x6x5xf32>
  return
}

// -----

func.func @group_wanted(%lhs: tensor<6x4xf32>, %rhs: tensor<4x5xf32>, %g: tensor<3xi32>) {
  // expected-error @+1 {{There must be exactly one group dimension in the rhs when the lhs ragged dimension is non-contracting.}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %g) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>
  } : (tensor<6x4xf32>, tensor<4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @group_size(%lhs: tensor<6x4xf32>, %rhs: tensor<3x4x5xf32>, %g: tensor<2xi32>) {
  // expected-error @+1 {{rhs group dimension is expected to have size=2, got 3}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %g) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  } : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<2xi32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @result(%lhs: tensor<6x4xf32>, %rhs: tensor<3x4x5xf32>, %g: tensor<3xi32>) {
  // expected-error @+1 {{inferred shape '[6, 5]' is incompatible with return type of operation 'tensor<5x6xf32>'}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %g) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  } : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<5x6xf32>
  return
}
