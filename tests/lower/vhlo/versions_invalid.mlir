// What a version does not have is refused where it stands, then for the module.
// RUN: tessera opt %s --stablehlo-legalize-to-vhlo --vhlo-to-version=target=0.9.0 --split-input-file --verify-diagnostics

// expected-error @+1 {{failed to convert VHLO to v0.9.0}}
module {
  func.func @attribute(%x: tensor<f32>) -> tensor<f32> {
    // expected-error @+1 {{failed to legalize operation 'vhlo.exponential_v2' that was explicitly marked illegal}}
    %0 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<f32>
    return %0 : tensor<f32>
  }
}

// -----
// An op that was not there under any name.
// expected-error @+1 {{failed to convert VHLO to v0.9.0}}
module {
  func.func @op(%x: tensor<f32>) -> tensor<f32> {
    // expected-error @+1 {{failed to legalize operation 'vhlo.tan_v2' that was explicitly marked illegal}}
    %0 = stablehlo.tan %x : tensor<f32>
    return %0 : tensor<f32>
  }
}

// -----
// expected-error @+1 {{failed to convert VHLO to v0.9.0}}
module {
  // expected-error @+1 {{failed to legalize operation 'vhlo.func_v1' that was explicitly marked illegal}}
  func.func @type(%x: tensor<f8E4M3FNUZ>) {
    return
  }
}

// -----
// A type inside of a constant.
// expected-error @+1 {{failed to convert VHLO to v0.9.0}}
module {
  func.func @constant() {
    // expected-error @+1 {{failed to legalize operation 'vhlo.constant_v1' that was explicitly marked illegal}}
    %0 = stablehlo.constant dense<1> : tensor<2xi2>
    return
  }
}

// -----
// A type inside of a discardable attribute.
// expected-error @+1 {{failed to convert VHLO to v0.9.0}}
module {
  // expected-error @+1 {{failed to legalize operation 'vhlo.func_v1' that was explicitly marked illegal}}
  func.func @discardable() attributes {a = [{b = 1 : ui2}]} {
    return
  }
}

// -----
// Several operands where there was one.
// expected-error @+1 {{failed to convert VHLO to v0.9.0}}
module {
  func.func @operands(%x: tensor<4x4xf32>) {
    // expected-error @+1 {{failed to legalize operation 'vhlo.all_gather_v2' that was explicitly marked illegal}}
    %0:2 = "stablehlo.all_gather"(%x, %x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    return
  }
}

// -----
// Rules that were relaxed later: elements of a reduction, the configuration of a call.
// expected-error @+1 {{failed to convert VHLO to v0.9.0}}
module {
  func.func @promotes(%x: tensor<4xf32>, %z: tensor<f32>) {
    // expected-error @+1 {{failed to legalize operation 'vhlo.reduce_v1' that was explicitly marked illegal}}
    %0 = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f64>
     reducer(%a: tensor<f64>, %b: tensor<f64>)  {
      stablehlo.return %a : tensor<f64>
    }
    return
  }
}

// -----
// expected-error @+1 {{failed to convert VHLO to v0.9.0}}
module {
  func.func @config(%x: tensor<4xf32>) {
    // expected-error @+1 {{failed to legalize operation 'vhlo.custom_call_v2' that was explicitly marked illegal}}
    %0 = stablehlo.custom_call @f(%x) {api_version = 4 : i32} : (tensor<4xf32>) -> tensor<f32>
    return
  }
}
