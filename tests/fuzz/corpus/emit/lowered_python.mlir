module {
  emitpy.file "main" {
    emitpy.import import "ttnn"
    emitpy.import import "utils"
    emitpy.import from "consteval" import "consteval_f"
    func.func private @consteval_f(!emitpy.dict, !emitpy.opaque<"[ttnn.Tensor]">) -> !emitpy.dict
    emitpy.global @ce_cache_f = #emitpy.opaque<"{}">
    func.func @f(%arg0: !emitpy.opaque<"[ttnn.Tensor]"> {emitpy.name = "arg"}) -> !emitpy.opaque<"[ttnn.Tensor]"> attributes {tt.function_type = "forward_device"} {
      %0 = emitpy.global_statement @ce_cache_f : !emitpy.dict
      %1 = call @consteval_f(%0, %arg0) {emitpy.name = "ce_cache_f"} : (!emitpy.dict, !emitpy.opaque<"[ttnn.Tensor]">) -> !emitpy.dict
      %2 = emitpy.literal "0" : index
      %3 = emitpy.subscript %arg0[%2] {emitpy.name = "arg_0"} : (!emitpy.opaque<"[ttnn.Tensor]">, index) -> !emitpy.opaque<"ttnn.Tensor">
      %4 = emitpy.literal "\22f_const_eval_0\22" : !emitpy.str
      %5 = emitpy.expression (%1, %4) : (!emitpy.dict, !emitpy.str) -> !emitpy.opaque<"[ttnn.Tensor]"> {
      ^bb0(%arg1: !emitpy.dict, %arg2: !emitpy.str):
        %11 = emitpy.subscript %arg1[%arg2] {emitpy.name = "f_const_eval_0"} : (!emitpy.dict, !emitpy.str) -> !emitpy.opaque<"[ttnn.Tensor]">
        emitpy.yield %11 : !emitpy.opaque<"[ttnn.Tensor]">
      }
      %6 = emitpy.literal "0" : index
      %7 = emitpy.expression (%5, %6) : (!emitpy.opaque<"[ttnn.Tensor]">, index) -> !emitpy.opaque<"ttnn.Tensor"> {
      ^bb0(%arg1: !emitpy.opaque<"[ttnn.Tensor]">, %arg2: index):
        %11 = emitpy.subscript %arg1[%arg2] {emitpy.name = "f_const_eval_0_0"} : (!emitpy.opaque<"[ttnn.Tensor]">, index) -> !emitpy.opaque<"ttnn.Tensor">
        emitpy.yield %11 : !emitpy.opaque<"ttnn.Tensor">
      }
      %8 = emitpy.call_opaque "ttnn.matmul"(%3, %7) {args = [0 : index, 1 : index, #emitpy.opaque<"False">, #emitpy.opaque<"False">, #emitpy.opaque<"ttnn.MemoryConfig(ttnn.TensorMemoryLayout.INTERLEAVED, ttnn.BufferType.DRAM, None)">, #emitpy.opaque<"ttnn.DataType.BFLOAT16">, #emitpy.opaque<"None">, #emitpy.opaque<"None">, #emitpy.opaque<"ttnn.WormholeComputeKernelConfig(math_fidelity=ttnn.MathFidelity.HiFi4, fp32_dest_acc_en=True)">], emitpy.name = "ttnn.matmul_0", keyword_args = ["", "", "transpose_a", "transpose_b", "memory_config", "dtype", "program_config", "activation", "compute_kernel_config"]} : (!emitpy.opaque<"ttnn.Tensor">, !emitpy.opaque<"ttnn.Tensor">) -> !emitpy.opaque<"ttnn.Tensor">
      emitpy.call_opaque "ttnn.deallocate"(%3) {args = [0 : index, #emitpy.opaque<"False">], keyword_args = ["", ""]} : (!emitpy.opaque<"ttnn.Tensor">) -> ()
      %9 = emitpy.call_opaque "ttnn.sum"(%8) {args = [0 : index, #emitpy.opaque<"[1]">, #emitpy.opaque<"False">, #emitpy.opaque<"ttnn.MemoryConfig(ttnn.TensorMemoryLayout.INTERLEAVED, ttnn.BufferType.DRAM, None)">, #emitpy.opaque<"ttnn.WormholeComputeKernelConfig(math_fidelity=ttnn.MathFidelity.HiFi4, fp32_dest_acc_en=True)">], emitpy.name = "ttnn.sum_0", keyword_args = ["", "", "", "memory_config", "compute_kernel_config"]} : (!emitpy.opaque<"ttnn.Tensor">) -> !emitpy.opaque<"ttnn.Tensor">
      %10 = emitpy.expression (%8, %9) : (!emitpy.opaque<"ttnn.Tensor">, !emitpy.opaque<"ttnn.Tensor">) -> !emitpy.opaque<"[ttnn.Tensor]"> {
      ^bb0(%arg1: !emitpy.opaque<"ttnn.Tensor">, %arg2: !emitpy.opaque<"ttnn.Tensor">):
        %11 = emitpy.call_opaque "util_create_list"(%arg1, %arg2) {emitpy.name = "util_create_list_0"} : (!emitpy.opaque<"ttnn.Tensor">, !emitpy.opaque<"ttnn.Tensor">) -> !emitpy.opaque<"[ttnn.Tensor]">
        emitpy.yield %11 : !emitpy.opaque<"[ttnn.Tensor]">
      }
      return %10 : !emitpy.opaque<"[ttnn.Tensor]">
    }
    func.func @create_inputs_for_f() -> !emitpy.opaque<"[ttnn.Tensor]"> attributes {tt.function_type = "input_generator"} {
      %0 = emitpy.call_opaque "utils.DeviceGetter.get_device"() {args = [#emitpy.opaque<"(1, 1)">, #emitpy.opaque<"ttnn.FabricConfig.DISABLED">], emitpy.name = "utils.DeviceGetter.get_device_0", keyword_args = ["", "fabric_config"]} : () -> !emitpy.opaque<"ttnn.Device">
      %1 = emitpy.call_opaque "ttnn.ones"(%0) {args = [#emitpy.opaque<"ttnn.Shape([32, 32])">, #emitpy.opaque<"ttnn.DataType.BFLOAT16">, #emitpy.opaque<"ttnn.Layout.TILE">, 0 : index, #emitpy.opaque<"ttnn.MemoryConfig(ttnn.TensorMemoryLayout.INTERLEAVED, ttnn.BufferType.DRAM, None)">], emitpy.name = "ttnn.ones_0", keyword_args = ["shape", "dtype", "layout", "device", "memory_config"]} : (!emitpy.opaque<"ttnn.Device">) -> !emitpy.opaque<"ttnn.Tensor">
      %2 = emitpy.call_opaque "ttnn.ones"() {args = [#emitpy.opaque<"ttnn.Shape([32, 32])">, #emitpy.opaque<"ttnn.DataType.BFLOAT16">, #emitpy.opaque<"ttnn.Layout.ROW_MAJOR">, #emitpy.opaque<"None">, #emitpy.opaque<"None">], emitpy.name = "ttnn.ones_1", keyword_args = ["shape", "dtype", "layout", "device", "memory_config"]} : () -> !emitpy.opaque<"ttnn.Tensor">
      %3 = emitpy.expression (%1, %2) : (!emitpy.opaque<"ttnn.Tensor">, !emitpy.opaque<"ttnn.Tensor">) -> !emitpy.opaque<"[ttnn.Tensor]"> {
      ^bb0(%arg0: !emitpy.opaque<"ttnn.Tensor">, %arg1: !emitpy.opaque<"ttnn.Tensor">):
        %4 = emitpy.call_opaque "util_create_list"(%arg0, %arg1) {emitpy.name = "util_create_list_1"} : (!emitpy.opaque<"ttnn.Tensor">, !emitpy.opaque<"ttnn.Tensor">) -> !emitpy.opaque<"[ttnn.Tensor]">
        emitpy.yield %4 : !emitpy.opaque<"[ttnn.Tensor]">
      }
      return %3 : !emitpy.opaque<"[ttnn.Tensor]">
    }
    func.func @main() -> i32 attributes {tt.function_type = "main"} {
      %0 = call @create_inputs_for_f() {emitpy.name = "create_inputs_for_f_0"} : () -> !emitpy.opaque<"[ttnn.Tensor]">
      %1 = call @f(%0) {emitpy.name = "f_0"} : (!emitpy.opaque<"[ttnn.Tensor]">) -> !emitpy.opaque<"[ttnn.Tensor]">
      %2 = emitpy.expression : -> i32 {
        %3 = "emitpy.constant"() <{value = 0 : i32}> {emitpy.name = "const0_0"} : () -> i32
        emitpy.yield %3 : i32
      }
      return %2 : i32
    }
  }
  emitpy.file "consteval" {
    emitpy.import import "ttnn"
    emitpy.import import "utils"
    emitpy.import import "ttir_cpu"
    emitpy.import import "torch"
    func.func @cpu_hoisted_const_eval_ab067cb1(%arg0: !emitpy.opaque<"ttnn.Tensor"> {emitpy.name = "arg"}) -> !emitpy.opaque<"ttnn.Tensor"> attributes {arg_ranks = [2], func_hash = "ab067cb108cb64b1", result_ranks = [2], tt.function_type = "forward_cpu"} {
      emitpy.nested_func "cpu_hoisted_const_eval_ab067cb1_impl" {
      ^bb0(%arg1: !emitpy.opaque<"torch.Tensor">):
        %2 = emitpy.call_opaque "ttir_cpu.abs"(%arg1) {args = [0 : index], emitpy.name = "ttir_cpu.abs_0", keyword_args = [""]} : (!emitpy.opaque<"torch.Tensor">) -> !emitpy.opaque<"torch.Tensor">
        emitpy.nested_func_return %2 : !emitpy.opaque<"torch.Tensor">
      }
      %0 = emitpy.expression (%arg0) : (!emitpy.opaque<"ttnn.Tensor">) -> !emitpy.opaque<"[ttnn.Tensor]"> {
      ^bb0(%arg1: !emitpy.opaque<"ttnn.Tensor">):
        %2 = emitpy.call_opaque "util_create_list"(%arg1) {emitpy.name = "util_create_list_2"} : (!emitpy.opaque<"ttnn.Tensor">) -> !emitpy.opaque<"[ttnn.Tensor]">
        emitpy.yield %2 : !emitpy.opaque<"[ttnn.Tensor]">
      }
      %1 = emitpy.call_opaque "utils.execute_cpu_hoisted_function"(%0) {args = [0 : index, #emitpy.opaque<"cpu_hoisted_const_eval_ab067cb1_impl">], emitpy.name = "utils.execute_cpu_hoisted_function_0", keyword_args = ["", ""]} : (!emitpy.opaque<"[ttnn.Tensor]">) -> !emitpy.opaque<"ttnn.Tensor">
      return %1 : !emitpy.opaque<"ttnn.Tensor">
    }
    func.func private @f_const_eval_0(%arg0: !emitpy.opaque<"[ttnn.Tensor]"> {emitpy.name = "arg"}) -> !emitpy.opaque<"[ttnn.Tensor]"> attributes {tt.function_type = "const_eval"} {
      %0 = emitpy.literal "0" : index
      %1 = emitpy.expression (%arg0, %0) : (!emitpy.opaque<"[ttnn.Tensor]">, index) -> !emitpy.opaque<"ttnn.Tensor"> {
      ^bb0(%arg1: !emitpy.opaque<"[ttnn.Tensor]">, %arg2: index):
        %9 = emitpy.subscript %arg1[%arg2] {emitpy.name = "arg_0"} : (!emitpy.opaque<"[ttnn.Tensor]">, index) -> !emitpy.opaque<"ttnn.Tensor">
        emitpy.yield %9 : !emitpy.opaque<"ttnn.Tensor">
      }
      %2 = emitpy.call_opaque "utils.DeviceGetter.get_device"() {args = [#emitpy.opaque<"(1, 1)">, #emitpy.opaque<"ttnn.FabricConfig.DISABLED">], emitpy.name = "utils.DeviceGetter.get_device_1", keyword_args = ["", "fabric_config"]} : () -> !emitpy.opaque<"ttnn.Device">
      %3 = emitpy.call_opaque "ttnn.typecast"(%1) {args = [0 : index, #emitpy.opaque<"ttnn.DataType.FLOAT32">, #emitpy.opaque<"None">], emitpy.name = "ttnn.typecast_0", keyword_args = ["", "", "memory_config"]} : (!emitpy.opaque<"ttnn.Tensor">) -> !emitpy.opaque<"ttnn.Tensor">
      %4 = call @cpu_hoisted_const_eval_ab067cb1(%3) {emitpy.name = "cpu_hoisted_const_eval_ab067cb1_0", ttir.cpu_hoisted_call} : (!emitpy.opaque<"ttnn.Tensor">) -> !emitpy.opaque<"ttnn.Tensor">
      emitpy.call_opaque "ttnn.deallocate"(%3) {args = [0 : index, #emitpy.opaque<"False">], keyword_args = ["", ""]} : (!emitpy.opaque<"ttnn.Tensor">) -> ()
      %5 = emitpy.call_opaque "ttnn.typecast"(%4) {args = [0 : index, #emitpy.opaque<"ttnn.DataType.BFLOAT16">, #emitpy.opaque<"None">], emitpy.name = "ttnn.typecast_1", keyword_args = ["", "", "memory_config"]} : (!emitpy.opaque<"ttnn.Tensor">) -> !emitpy.opaque<"ttnn.Tensor">
      emitpy.call_opaque "ttnn.deallocate"(%4) {args = [0 : index, #emitpy.opaque<"False">], keyword_args = ["", ""]} : (!emitpy.opaque<"ttnn.Tensor">) -> ()
      %6 = emitpy.call_opaque "ttnn.to_layout"(%5) {args = [0 : index, #emitpy.opaque<"ttnn.Layout.TILE">, #emitpy.opaque<"None">, #emitpy.opaque<"None">], emitpy.name = "ttnn.to_layout_0", keyword_args = ["", "", "", "memory_config"]} : (!emitpy.opaque<"ttnn.Tensor">) -> !emitpy.opaque<"ttnn.Tensor">
      emitpy.call_opaque "ttnn.deallocate"(%5) {args = [0 : index, #emitpy.opaque<"False">], keyword_args = ["", ""]} : (!emitpy.opaque<"ttnn.Tensor">) -> ()
      %7 = emitpy.call_opaque "ttnn.to_device"(%6, %2) {args = [0 : index, 1 : index, #emitpy.opaque<"ttnn.MemoryConfig(ttnn.TensorMemoryLayout.INTERLEAVED, ttnn.BufferType.DRAM, None)">], emitpy.name = "ttnn.to_device_0", keyword_args = ["", "device", "memory_config"]} : (!emitpy.opaque<"ttnn.Tensor">, !emitpy.opaque<"ttnn.Device">) -> !emitpy.opaque<"ttnn.Tensor">
      emitpy.call_opaque "ttnn.deallocate"(%6) {args = [0 : index, #emitpy.opaque<"False">], keyword_args = ["", ""]} : (!emitpy.opaque<"ttnn.Tensor">) -> ()
      %8 = emitpy.expression (%7) : (!emitpy.opaque<"ttnn.Tensor">) -> !emitpy.opaque<"[ttnn.Tensor]"> {
      ^bb0(%arg1: !emitpy.opaque<"ttnn.Tensor">):
        %9 = emitpy.call_opaque "util_create_list"(%arg1) {emitpy.name = "util_create_list_3"} : (!emitpy.opaque<"ttnn.Tensor">) -> !emitpy.opaque<"[ttnn.Tensor]">
        emitpy.yield %9 : !emitpy.opaque<"[ttnn.Tensor]">
      }
      return %8 : !emitpy.opaque<"[ttnn.Tensor]">
    }
    func.func @consteval_f(%arg0: !emitpy.dict {emitpy.name = "ce_cache"}, %arg1: !emitpy.opaque<"[ttnn.Tensor]"> {emitpy.name = "arg_1"}) -> !emitpy.dict attributes {tt.function_type = "const_eval_wrapper"} {
      emitpy.if "not {}" args %arg0 : (!emitpy.dict) {
        %0 = emitpy.literal "1" : index
        %1 = emitpy.expression (%arg1, %0) : (!emitpy.opaque<"[ttnn.Tensor]">, index) -> !emitpy.opaque<"ttnn.Tensor"> {
        ^bb0(%arg2: !emitpy.opaque<"[ttnn.Tensor]">, %arg3: index):
          %6 = emitpy.subscript %arg2[%arg3] {emitpy.name = "arg_1_1"} : (!emitpy.opaque<"[ttnn.Tensor]">, index) -> !emitpy.opaque<"ttnn.Tensor">
          emitpy.yield %6 : !emitpy.opaque<"ttnn.Tensor">
        }
        %2 = emitpy.expression (%1) : (!emitpy.opaque<"ttnn.Tensor">) -> !emitpy.opaque<"[ttnn.Tensor]"> {
        ^bb0(%arg2: !emitpy.opaque<"ttnn.Tensor">):
          %6 = emitpy.call_opaque "util_create_list"(%arg2) {emitpy.name = "util_create_list_4"} : (!emitpy.opaque<"ttnn.Tensor">) -> !emitpy.opaque<"[ttnn.Tensor]">
          emitpy.yield %6 : !emitpy.opaque<"[ttnn.Tensor]">
        }
        %3 = emitpy.call_opaque "f_const_eval_0"(%2) {emitpy.name = "f_const_eval_0_0"} : (!emitpy.opaque<"[ttnn.Tensor]">) -> !emitpy.opaque<"[ttnn.Tensor]">
        %4 = emitpy.literal "\22f_const_eval_0\22" : !emitpy.str
        %5 = emitpy.expression (%arg0, %4) : (!emitpy.dict, !emitpy.str) -> !emitpy.opaque<"[ttnn.Tensor]"> {
        ^bb0(%arg2: !emitpy.dict, %arg3: !emitpy.str):
          %6 = emitpy.subscript %arg2[%arg3] {emitpy.name = "ce_cache_\22f_const_eval_0\22"} : (!emitpy.dict, !emitpy.str) -> !emitpy.opaque<"[ttnn.Tensor]">
          emitpy.yield %6 : !emitpy.opaque<"[ttnn.Tensor]">
        }
        emitpy.assign %5 = %3 : (!emitpy.opaque<"[ttnn.Tensor]">, !emitpy.opaque<"[ttnn.Tensor]">)
      }
      return %arg0 : !emitpy.dict
    }
  }
}

