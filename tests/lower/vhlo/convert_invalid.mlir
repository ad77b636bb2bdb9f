// What has no stable form is refused, op by op.
// RUN: tessera opt %s --stablehlo-legalize-to-vhlo --split-input-file --verify-diagnostics

// expected-error @+1 {{failed to legalize operation 'func.func' that was explicitly marked illegal}}
func.func @signed(%x: tensor<2xsi8>) {
  return
}

// -----
// expected-error @+1 {{failed to legalize operation 'func.func' that was explicitly marked illegal}}
func.func @unit() attributes {a} {
  return
}

// -----
// expected-error @+1 {{failed to legalize operation 'func.func' that was explicitly marked illegal}}
func.func @map() attributes {a = [affine_map<(d0) -> (d0)>]} {
  return
}

// -----
func.func @numbers(%x: tensor<2xf32>) {
  // expected-error @+1 {{failed to legalize operation 'stablehlo.abs' that was explicitly marked illegal}}
  %0 = stablehlo.abs %x {a = #stablehlo.dot<lhs_contracting_dimensions = [0]>} : tensor<2xf32>
  return
}

// -----
// expected-error @+1 {{failed to legalize operation 'func.func' that was explicitly marked illegal}}
func.func @typed() attributes {a = "x" : i32} {
  return
}

// -----
func.func @window(%x: tensor<f32>, %s: tensor<f32>, %z: tensor<f32>) {
  // expected-error @+1 {{failed to legalize operation 'stablehlo.select_and_scatter' that was explicitly marked illegal}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----
// Values of other dialects that are used by what is converted, and the other way round.
func.func @given(%i: i32) -> tensor<f32> {
  // expected-error @+1 {{failed to legalize unresolved materialization from ('tensor<f32>') to ('!vhlo.tensor_v1<!vhlo.f32_v1>') that remained live after conversion}}
  %0 = arith.constant dense<1.0> : tensor<f32>
  %1 = stablehlo.abs %0 : tensor<f32>
  return %1 : tensor<f32>
}

// -----
func.func @used(%x: tensor<f32>) {
  // expected-error @+1 {{failed to legalize unresolved materialization from ('!vhlo.tensor_v1<!vhlo.f32_v1>') to ('tensor<f32>') that remained live after conversion}}
  %0 = arith.negf %x : tensor<f32>
  return
}

// -----
// expected-error @+2 {{failed to legalize operation 'func.constant' that was explicitly marked illegal}}
func.func @function() {
  %0 = func.constant @function : () -> ()
  return
}
