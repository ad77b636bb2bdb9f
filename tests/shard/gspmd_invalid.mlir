// RUN: tessera opt %s --split-input-file --verify-diagnostics --tessera-import-gspmd

// What cannot be imported is refused where it stands.
// expected-error @+1 {{'func.func' op has a sharding that cannot be read: a sharding is expected at 'nonsense}', in '{nonsense}'}}
func.func @f(%a: tensor<4xf32> {mhlo.sharding = "{nonsense}"}) {
  return
}

// -----
// expected-error @+1 {{'func.func' op has an mhlo.sharding that is no string}}
func.func @f(%a: tensor<4xf32> {mhlo.sharding = 7}) {
  return
}

// -----
// expected-error @+1 {{its list does not name each device once}}
func.func @f(%a: tensor<4xf32> {mhlo.sharding = "{devices=[4]0,1,2,2}"}) {
  return
}

// -----
// expected-error @+1 {{its tile and its list have different numbers of devices}}
func.func @f(%a: tensor<4xf32> {mhlo.sharding = "{devices=[4]0,1,2}"}) {
  return
}

// -----
// expected-error @+1 {{its tile and its grid have different numbers of devices}}
func.func @f(%a: tensor<4xf32> {mhlo.sharding = "{devices=[4]<=[2,4]}"}) {
  return
}

// -----
// expected-error @+1 {{T(...) does not name each dimension of the grid once}}
func.func @f(%a: tensor<4xf32> {mhlo.sharding = "{devices=[4]<=[2,2]T(0,0)}"}) {
  return
}

// -----
// expected-error @+1 {{a number is expected at ']}'}}
func.func @f(%a: tensor<4xf32> {mhlo.sharding = "{devices=[]}"}) {
  return
}

// -----
// expected-error @+1 {{its tile has no devices, or more than a million}}
func.func @f(%a: tensor<4xf32> {mhlo.sharding = "{devices=[999999999,999999999]<=[1]}"}) {
  return
}

// -----
// expected-error @+1 {{the end is expected at 'x'}}
func.func @f(%a: tensor<4xf32> {mhlo.sharding = "{replicated} x"}) {
  return
}

// -----
// expected-error @+1 {{has a sharding of 2 dimensions for a value of 1}}
func.func @f(%a: tensor<4xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"}) {
  return
}

// -----
// expected-error @+1 {{has a sharding over 2 devices, and others are over 4}}
func.func @f(%a: tensor<4xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}, %b: tensor<4xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) {
  return
}

// -----
// expected-error @+1 {{is on device 9, and there are 4}}
func.func @f(%a: tensor<4xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}, %b: tensor<4xf32> {mhlo.sharding = "{maximal device=9}"}) {
  return
}

// -----
// expected-error @+1 {{argument 0 is manual outside of a manual computation}}
func.func @f(%a: tensor<4xf32> {mhlo.sharding = "{manual}"}) {
  return
}

// -----
// expected-error @+1 {{result 0 has a sharding of several values: '{{replicated}, {replicated}}'}}
func.func @f(%a: tensor<4xf32>) -> (tensor<4xf32> {mhlo.sharding = "{{replicated}, {replicated}}"}) {
  return %a : tensor<4xf32>
}

// -----
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has 1 results, and a sharding for 2}}
  %0 = stablehlo.negate %a {mhlo.sharding = "{{replicated}, {replicated}}"} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{@Sharding needs an mhlo.sharding, and that of one value}}
  %0 = stablehlo.custom_call @Sharding(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has a backend_config that is not known here: 'what=[1]'}}
  %0 = stablehlo.custom_call @Sharding(%a) {backend_config = "what=[1]", mhlo.sharding = "{replicated}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
func.func @f(%a: tensor<4xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<2xf32>
  // expected-error @+1 {{returns a part of a value that no @SPMDShardToFullShape puts together}}
  return %1 : tensor<2xf32>
}

// -----
func.func @f(%a: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{puts together a value that no @SPMDFullToShardShape cut}}
  %0 = stablehlo.custom_call @SPMDShardToFullShape(%a) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has an operand of which no sharding says how it is cut}}
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%a) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<2xf32>
  %1 = stablehlo.custom_call @SPMDShardToFullShape(%0) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<2xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----
// A part that needs its own result.
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<2xf32>
  %2 = stablehlo.negate %1 : tensor<2xf32>
  %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<2xf32>) -> tensor<4xf32>
  %4 = stablehlo.custom_call @Sharding(%3) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{is used by a manual part of the program that it depends on}}
  %5 = stablehlo.custom_call @SPMDFullToShardShape(%4) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<2xf32>
  %6 = stablehlo.add %5, %2 : tensor<2xf32>
  %7 = stablehlo.custom_call @SPMDShardToFullShape(%6) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<2xf32>) -> tensor<4xf32>
  return %7 : tensor<4xf32>
}
