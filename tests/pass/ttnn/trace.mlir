// What a forward function computes is recorded: from slots into slots, which stay where they are.
// RUN: tessera opt %s --ttir-to-ttnn-backend-pipeline="enable-trace=true enable-cpu-hoisted-const-eval=false" -o %t && FileCheck %s --input-file %t

// CHECK-LABEL: func.func private @layer_const_eval_0(
// CHECK-LABEL: func.func private @trace_0_layer(
// CHECK-SAME: %arg2: tensor<32x32xbf16, #{{[a-z_0-9]*}}>) attributes {tt.function_type = "trace_main"}
// CHECK: %[[Y:.*]] = "ttnn.add"(%{{.*}}, %arg0)
// CHECK: "ttnn.copy"(%[[Y]], %arg2)
// CHECK-LABEL: func.func private @allocate_slots_trace_0_layer(
// CHECK: %[[A:.*]] = "ttnn.empty"
// CHECK: %[[B:.*]] = "ttnn.empty"
// CHECK: return %arg0, %[[A]], %[[B]]
// CHECK-LABEL: func.func private @run_and_capture_trace_0_layer(
// CHECK: "ttnn.write_tensor"(%arg0, %arg2)
// CHECK: call @trace_0_layer(%arg1, %arg2, %arg3)
// CHECK: %[[T:.*]] = "ttnn.begin_trace_capture"
// CHECK: call @trace_0_layer(%arg1, %arg2, %arg3)
// CHECK: "ttnn.end_trace_capture"
// CHECK: return %[[T]]
// CHECK-LABEL: func.func private @execute_trace_0_layer(
// CHECK: "ttnn.execute_trace"
// CHECK-LABEL: func.func @layer(
// CHECK: %[[C:.*]] = ttcore.load_cached(@layer_const_eval_0, [%arg1])
// CHECK: "ttnn.capture_or_execute_trace"(%{{.*}}, %[[C]], %arg0) <{allocate_slots_callee = @allocate_slots_trace_0_layer, capture_callee = @run_and_capture_trace_0_layer, execute_callee = @execute_trace_0_layer
// CHECK-NOT: "ttnn.add"
func.func @layer(%x: tensor<32x32xbf16> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<32x32xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<32x32xbf16> {
  %0 = "ttir.exp"(%w) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %1 = "ttir.add"(%x, %0) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %1 : tensor<32x32xbf16>
}
