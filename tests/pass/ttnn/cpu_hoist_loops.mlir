// Loops and branches stay StableHLO: the host runs them. What they take from outside becomes arguments.
// RUN: tessera opt %s --ttcore-wrap-device-module --cpu-hoist-non-lowerable-shlo-ops -o %t && FileCheck %s --input-file %t
// RUN: tessera opt %s --ttir-to-ttnn-backend-pipeline -o %t.ttnn && FileCheck %s --input-file %t.ttnn --check-prefix=TTNN
// RUN: tessera run %t.ttnn --function=scaled --input=4x4xf32=1.5 --input=i32=3 --input=f32=2 --against=%s
// RUN: tessera run %t.ttnn --function=hash --input=8xui32=4000000000 --input=ui32=7 --against=%s
// RUN: tessera run %s --function=chosen --input=i1=true --input=4xbf16=2 --against=%t.ttnn
// RUN: tessera run %s --function=chosen --input=i1=false --input=4xbf16=2 --against=%t.ttnn
// RUN: tessera translate --ttnn-to-flatbuffer %t.ttnn -o %t.bin && tessera translate --flatbuffer-to-ttnn %t.bin | FileCheck %s --check-prefix=BINARY

// CHECK-LABEL: func.func @scaled(
// CHECK-NOT: stablehlo.while
// CHECK: call @cpu_hoisted_stablehlo_while_{{[0-9a-f]+}}(%arg1, %arg0, %arg2)
// CHECK-SAME: (tensor<i32>, tensor<4x4xf32>, tensor<f32>) -> (tensor<i32>, tensor<4x4xf32>)
// TTNN-LABEL: func.func @scaled(
// TTNN: call @cpu_hoisted_stablehlo_while_
func.func @scaled(%x: tensor<4x4xf32>, %n: tensor<i32>, %by: tensor<f32>) -> tensor<4x4xf32> {
  %0:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i32>, tensor<4x4xf32>
  cond {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %p = stablehlo.compare GT, %i, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k = stablehlo.subtract %i, %one : tensor<i32>
    %b = stablehlo.broadcast_in_dim %by, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %m = stablehlo.multiply %y, %b : tensor<4x4xf32>
    stablehlo.return %k, %m : tensor<i32>, tensor<4x4xf32>
  }
  %1 = "ttir.abs"(%0#1) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// Numbers without signs have none in the function either: shifts and comparisons are theirs.
// CHECK: func.func @hash(
func.func @hash(%x: tensor<8xui32>, %n: tensor<ui32>) -> tensor<8xui32> {
  %0:2 = stablehlo.while(%i = %n, %y = %x) : tensor<ui32>, tensor<8xui32>
  cond {
    %z = stablehlo.constant dense<0> : tensor<ui32>
    %p = stablehlo.compare GT, %i, %z : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<ui32>
    %k = stablehlo.subtract %i, %one : tensor<ui32>
    %ones = stablehlo.constant dense<1> : tensor<8xui32>
    %s = stablehlo.shift_right_logical %y, %ones : tensor<8xui32>
    %m = stablehlo.xor %y, %s : tensor<8xui32>
    stablehlo.return %k, %m : tensor<ui32>, tensor<8xui32>
  }
  return %0#1 : tensor<8xui32>
}

// Hosts have 32-bit numbers: truth values and bf16 are converted before and after.
// CHECK: func.func @chosen(
// CHECK: call @cpu_hoisted_stablehlo_if_{{[0-9a-f]+}}({{.*}}) {ttir.cpu_hoisted_call} : (tensor<i32>, tensor<4xf32>) -> tensor<4xf32>
func.func @chosen(%p: tensor<i1>, %x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.negate %x : tensor<4xbf16>
    stablehlo.return %1 : tensor<4xbf16>
  }, {
    %1 = stablehlo.exponential %x : tensor<4xbf16>
    stablehlo.return %1 : tensor<4xbf16>
  }) : (tensor<i1>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}
// CHECK: ttcore.cpu_module {
// CHECK: func.func @cpu_hoisted_stablehlo_while_{{[0-9a-f]+}}(%arg0: tensor<i32> {{.*}}, %arg1: tensor<4x4xf32> {{.*}}, %arg2: tensor<f32>
// CHECK: stablehlo.while
// CHECK: broadcast_in_dim %arg2
// CHECK: func.func @cpu_hoisted_stablehlo_while_{{[0-9a-f]+}}(%arg0: tensor<ui32>
// CHECK: func.func @cpu_hoisted_stablehlo_if_
// CHECK: "ttir.typecast"(%arg0) {{.*}} : (tensor<i32>) -> tensor<i1>
// CHECK: "stablehlo.if"
// BINARY: ttcore.cpu_module
// BINARY: stablehlo.while
