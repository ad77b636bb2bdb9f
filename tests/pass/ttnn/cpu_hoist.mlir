// What the host runs: ops that ask for it, and what is computed once.
// RUN: tessera opt %s --ttcore-wrap-device-module --cpu-hoist-manually-tagged -o %t && FileCheck %s --input-file %t
// RUN: tessera opt %s --ttir-to-ttnn-backend-pipeline -o %t && FileCheck %s --input-file %t --check-prefix=TTNN
// RUN: tessera opt %s --ttir-to-ttnn-backend-pipeline="enable-cpu-hoisted-const-eval=false" -o %t && FileCheck %s --input-file %t --check-prefix=DEVICE

// The same text is one function, in 32 bits.
// CHECK-LABEL: func.func @twice(
// CHECK-COUNT-2: ttir.to_layout
// CHECK: call @cpu_hoisted_ttir_add_[[HASH:[0-9a-f]+]]({{.*}}) {ttir.cpu_hoisted_call} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK: ttir.to_layout
// CHECK: call @cpu_hoisted_ttir_add_[[HASH]](
// CHECK: func.func private @cpu_hoisted_ttir_add_[[HASH]](
// CHECK-SAME: tt.function_type = "forward_cpu_declaration"
// CHECK: ttcore.cpu_module {
// CHECK-COUNT-1: func.func @cpu_hoisted_ttir_add_
// CHECK-NOT: func.func @cpu_hoisted_ttir_add_
func.func @twice(%x: tensor<4x4xbf16>, %y: tensor<4x4xf32>) -> (tensor<4x4xbf16>, tensor<4x4xf32>) {
  %0 = "ttir.add"(%x, %x) {ttir.should_hoist} : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
  %1 = "ttir.add"(%y, %y) {ttir.should_hoist} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<4x4xbf16>, tensor<4x4xf32>
}

// TTNN: func.func private @once_const_eval_0(%arg0: tensor<4x4xbf16, #[[HOST:.*]]>)
// TTNN: "ttnn.typecast"(%arg0)
// TTNN: call @cpu_hoisted_const_eval_
// TTNN: "ttnn.to_device"
// TTNN: func.func @once(
// TTNN-SAME: %arg1: tensor<4x4xbf16, #[[HOST]]>
// TTNN: ttcore.load_cached(@once_const_eval_0, [%arg1])
// TTNN: ttcore.cpu_module {
// TTNN: "ttir.exp"
// TTNN: "ttir.abs"
// DEVICE: func.func private @once_const_eval_0(
// DEVICE: "ttnn.exp"
// DEVICE: "ttnn.abs"
// DEVICE: func.func @once(
func.func @once(%x: tensor<4x4xbf16> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<4x4xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<4x4xbf16> {
  %0 = "ttir.exp"(%w) : (tensor<4x4xbf16>) -> tensor<4x4xbf16>
  %1 = "ttir.abs"(%0) : (tensor<4x4xbf16>) -> tensor<4x4xbf16>
  %2 = "ttir.add"(%x, %1) : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
  return %2 : tensor<4x4xbf16>
}
