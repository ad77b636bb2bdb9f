// RUN: tessera opt %s --split-input-file --verify-diagnostics
// Rules of CHLO's ops: broadcasting, constants, top_k and scan.

func.func @good(%a: tensor<4x1xf32>, %b: tensor<3xf32>, %c: tensor<*xf32>, %d: tensor<?xf32>, %p: tensor<i1>) {
  %0 = chlo.broadcast_add %a, %b : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %1 = chlo.broadcast_add %a, %c : (tensor<4x1xf32>, tensor<*xf32>) -> tensor<*xf32>
  %2 = chlo.broadcast_subtract %a, %d : (tensor<4x1xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %3 = chlo.broadcast_select %p, %a, %b : (tensor<i1>, tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %4 = chlo.broadcast_complex %a, %b : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xcomplex<f32>>
  return
}

// -----

func.func @place(%a: tensor<4xf32>, %b: tensor<4x3xf32>) {
  %0 = "chlo.broadcast_add"(%a, %b) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  // A dimension that is not there, too many of them, sizes that differ: nothing is known of the result.
  %1 = "chlo.broadcast_add"(%a, %b) {broadcast_dimensions = array<i64: -1>} : (tensor<4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %2 = "chlo.broadcast_add"(%a, %b) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %3 = "chlo.broadcast_add"(%a, %b) {broadcast_dimensions = array<i64: 1>} : (tensor<4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @dynamic_sizes(%a: tensor<4xf32>, %b: tensor<?x3xf32>) {
  // expected-error @+2 {{incompatible shapes for broadcasting 4 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = chlo.broadcast_add %a, %b : (tensor<4xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return
}

// -----

func.func @shape(%a: tensor<4x1xf32>, %b: tensor<3xf32>) {
  // expected-error @+2 {{'chlo.broadcast_add' op inferred type(s) 'tensor<4x3xf32>' are incompatible with return type(s) of operation 'tensor<4x4xf32>'}}
  // expected-error @+1 {{'chlo.broadcast_add' op failed to infer returned types}}
  %0 = chlo.broadcast_add %a, %b : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @pred(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{result #0 must be tensor of bool values}}
  %0 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction LT>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @elements(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+2 {{mismatched operand types}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction LT>} : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xi1>
  return
}

// -----

func.func @branches(%p: tensor<i1>, %a: tensor<4xf32>, %b: tensor<4xi32>) {
  // expected-error @+2 {{mismatched operand types}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = chlo.broadcast_select %p, %a, %b : (tensor<i1>, tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

// Sizes that do not go together are reported where the operand is made.
// expected-error @+1 {{incompatible shapes for broadcasting 4 and 3}}
func.func @sizes(%a: tensor<4xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{failed to infer returned types}}
  %0 = chlo.broadcast_add %a, %b : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-error @+1 {{cannot mix bounded and static dimensions in broadcast}}
func.func @bounds(%a: tensor<4xf32>, %b: tensor<?xf32, #stablehlo.bounds<4>>) {
  // expected-error @+1 {{failed to infer returned types}}
  %0 = chlo.broadcast_add %a, %b : (tensor<4xf32>, tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<4xf32>
  return
}

// -----

func.func @bounded(%a: tensor<?x1xf32, #stablehlo.bounds<8, ?>>, %b: tensor<3xf32>) {
  // expected-error @+2 {{inferred type(s) 'tensor<?x3xf32, #stablehlo.bounds<8, ?>>' are incompatible with return type(s) of operation 'tensor<9x3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = chlo.broadcast_add %a, %b : (tensor<?x1xf32, #stablehlo.bounds<8, ?>>, tensor<3xf32>) -> tensor<9x3xf32>
  return
}

// -----

func.func @like(%a: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.constant_like' op value's type doesn't match element return type}}
  %0 = "chlo.constant_like"(%a) {value = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @constant() {
  // expected-error @+2 {{inferred type(s) 'tensor<2xi32>' are incompatible with return type(s) of operation 'tensor<3xi32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "chlo.constant"() {value = dense<1> : tensor<2xi32>} : () -> tensor<3xi32>
  return
}

// -----

func.func @infinite(%a: tensor<4xf32>) {
  // expected-error @+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = chlo.is_inf %a : tensor<4xf32> -> tensor<5xi1>
  return
}

// -----

func.func @top_k_of_scalar(%a: tensor<f32>) {
  // expected-error @+2 {{operand's rank must be at least 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = chlo.top_k(%a, k = 1) : tensor<f32> -> (tensor<1xf32>, tensor<1xi32>)
  return
}

// -----

func.func @top_k_too_many(%a: tensor<2x3xf32>) {
  // expected-error @+2 {{operand's last dimension must be at least 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = chlo.top_k(%a, k = 4) : tensor<2x3xf32> -> (tensor<2x4xf32>, tensor<2x4xi32>)
  return
}

// -----

func.func @top_k_negative(%a: tensor<2x3xf32>) {
  // expected-error @+2 {{k must not be negative, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = "chlo.top_k"(%a) {k = -1} : (tensor<2x3xf32>) -> (tensor<2x?xf32>, tensor<2x?xi32>)
  return
}

// -----

func.func @top_k_result(%a: tensor<2x3xf32>) {
  // expected-error @+2 {{inferred type(s) 'tensor<2x2xf32>', 'tensor<2x2xi32>' are incompatible with return type(s) of operation 'tensor<2x2xf32>', 'tensor<2x2xi64>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = chlo.top_k(%a, k = 2) : tensor<2x3xf32> -> (tensor<2x2xf32>, tensor<2x2xi64>)
  return
}

// -----

func.func @scan_nothing(%c: tensor<f32>) {
  // expected-error @+1 {{'chlo.scan' op at least one of inputs or outputs must be present}}
  %0 = chlo.scan() inits (%c) dimension=0 {
  ^bb0(%carry: tensor<f32>):
    stablehlo.return %carry : tensor<f32>
  } : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @scan_unranked(%a: tensor<*xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'chlo.scan' op operand 0 is not ranked}}
  %0:2 = chlo.scan(%a) inits (%c) dimension=0 {
  ^bb0(%x: tensor<f32>, %carry: tensor<f32>):
    stablehlo.return %x, %carry : tensor<f32>, tensor<f32>
  } : (tensor<*xf32>, tensor<f32>) -> (tensor<*xf32>, tensor<f32>)
  return
}

// -----

func.func @scan_dimension(%a: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'chlo.scan' op scan dimension of operand 0 is out of bounds}}
  %0:2 = chlo.scan(%a) inits (%c) dimension=1 {
  ^bb0(%x: tensor<f32>, %carry: tensor<f32>):
    stablehlo.return %x, %carry : tensor<f32>, tensor<f32>
  } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return
}

// -----

func.func @scan_sizes(%a: tensor<4xf32>, %b: tensor<5xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'chlo.scan' op invalid scan dimension size of operand 1}}
  %0:2 = chlo.scan(%a, %b) inits (%c) dimension=0 {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %carry: tensor<f32>):
    stablehlo.return %x, %carry : tensor<f32>, tensor<f32>
  } : (tensor<4xf32>, tensor<5xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return
}

// -----

func.func @scan_arguments(%a: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'chlo.scan' op expects 2 arguments in the body, but got 1}}
  %0:2 = chlo.scan(%a) inits (%c) dimension=0 {
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x, %x : tensor<f32>, tensor<f32>
  } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return
}

// -----

func.func @scan_slice(%a: tensor<4x2xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'chlo.scan' op operand and body argument 0 are incompatible}}
  %0:2 = chlo.scan(%a) inits (%c) dimension=1 {
  ^bb0(%x: tensor<2xf32>, %carry: tensor<f32>):
    stablehlo.return %x, %carry : tensor<2xf32>, tensor<f32>
  } : (tensor<4x2xf32>, tensor<f32>) -> (tensor<4x2xf32>, tensor<f32>)
  return
}

// -----

func.func @scan_results(%a: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+2 {{inferred type(s) 'tensor<4xf32>', 'tensor<f32>' are incompatible with return type(s) of operation 'tensor<5xf32>', 'tensor<f32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = chlo.scan(%a) inits (%c) dimension=0 {
  ^bb0(%x: tensor<f32>, %carry: tensor<f32>):
    stablehlo.return %x, %carry : tensor<f32>, tensor<f32>
  } : (tensor<4xf32>, tensor<f32>) -> (tensor<5xf32>, tensor<f32>)
  return
}

// -----

func.func @scan_few_carries(%a: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+2 {{ScanOp body must return at least 1 values (carries)}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = chlo.scan(%a) inits (%c) dimension=0 {
  ^bb0(%x: tensor<f32>, %carry: tensor<f32>):
    stablehlo.return
  } : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @scan_stack(%a: tensor<2x4xf32>, %c: tensor<f32>) {
  // expected-error @+2 {{scan dimension of terminator operand 0 is out of bounds}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = chlo.scan(%a) inits (%c) dimension=1 {
  ^bb0(%x: tensor<2xf32>, %carry: tensor<f32>):
    stablehlo.return %carry, %carry : tensor<f32>, tensor<f32>
  } : (tensor<2x4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return
}
