// RUN: tessera opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=false %s | FileCheck %s
// RUN: tessera opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=false %s -o %t && tessera opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=false %t -o %t.again && cmp %t %t.again
// Reductions by max and min, records of propagation.

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @f(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced=max{"y"}, replicated={"x":(1)2}>}) -> tensor<8x8xf32> attributes {
    a = #sdy.propagation_edges<[{step-2 = [{"y" = operand-1 -> [operand-0, result-0]}]}, {step-5 = [{"x" = result-0 -> [operand-0]}]}]>,
    b = #sdy.op_sharding_rule<([zz_1, z_12], [z_8z_9z_10])->([i])>, c = #sdy.sharding<@mesh, [], unreduced{"x"}>, d = #sdy.sharding<@mesh, [{"x", ?}p1, {?}p0], unreduced=sum{"y"}>,
    e = #sdy.mesh<["a"=2, "b"=1], device_ids=[0, 1]>, f = #sdy.mesh<["a"=2], device_ids=[1, 0]>, g = #sdy.mesh<[], device_ids=[0]>} {
  %0 = sdy.all_reduce max {"x"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_reduce sum {"x"} %arg0 out_sharding=<@mesh, [{}, {}]> {foo} : tensor<8x8xf32>
  %2 = sdy.reduce_scatter min [{}, {"x"}] %0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  %3 = sdy.sharded_to_unreduced [{}, {"x"}] %2 out_sharding=<@mesh, [{}, {}], unreduced={"x"}> : tensor<8x8xf32>
  %4 = sdy.replicated_to_unreduced {"x", "y"} %0 out_sharding=<@mesh, [{}, {}], unreduced={"x", "y"}> : tensor<8x8xf32>
  %5 = sdy.func_data_flow_edge %arg0 : tensor<8x8xf32>
  %6 = sdy.named_computation<"foo">(%0) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] (%arg1: tensor<8x8xf32>) {
    sdy.return %arg1 : tensor<8x8xf32>
  } {foo = 1} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK: module {
// CHECK-NEXT: sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-NEXT: func.func @f(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], replicated={"x":(1)2}, unreduced=max{"y"}>}) -> tensor<8x8xf32> attributes {a = #sdy.propagation_edges<[{step-2 = [{"y" = operand-1 -> [operand-0, result-0]}]}, {step-5 = [{"x" = result-0 -> [operand-0]}]}]>, b = #sdy.op_sharding_rule<([zz_1, z_12], [z_8z_9z_10])->([i])>, c = #sdy.sharding<@mesh, [], unreduced={"x"}>, d = #sdy.sharding<@mesh, [{"x", ?}p1, {?}p0], unreduced={"y"}>, e = #sdy.mesh<["a"=2, "b"=1]>, f = #sdy.mesh<["a"=2], device_ids=[1, 0]>, g = #sdy.mesh<[], device_ids=[0]>} {
// CHECK-NEXT: %0 = sdy.all_reduce max {"x"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
// CHECK-NEXT: %1 = sdy.all_reduce {"x"} %arg0 out_sharding=<@mesh, [{}, {}]> {foo} : tensor<8x8xf32>
// CHECK-NEXT: %2 = sdy.reduce_scatter min [{}, {"x"}] %0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>
// CHECK-NEXT: %3 = sdy.sharded_to_unreduced [{}, {"x"}] %2 out_sharding=<@mesh, [{}, {}], unreduced={"x"}> : tensor<8x8xf32>
// CHECK-NEXT: %4 = sdy.replicated_to_unreduced {"x", "y"} %0 out_sharding=<@mesh, [{}, {}], unreduced={"x", "y"}> : tensor<8x8xf32>
// CHECK-NEXT: %5 = sdy.func_data_flow_edge %arg0 : tensor<8x8xf32>
// CHECK-NEXT: %6 = sdy.named_computation<"foo">(%0) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] (%arg1: tensor<8x8xf32>) {
// CHECK-NEXT: sdy.return %arg1 : tensor<8x8xf32>
// CHECK-NEXT: } {foo = 1 : i64} : (tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: return %0 : tensor<8x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
