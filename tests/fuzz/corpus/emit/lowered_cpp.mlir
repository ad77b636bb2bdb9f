module {
  emitc.include "ttnn-precompiled.hpp"
  func.func private @cpu_hoisted_const_eval_ab067cb1(!emitc.opaque<"::ttnn::Tensor">) -> !emitc.opaque<"::ttnn::Tensor"> attributes {func_hash = "ab067cb108cb64b1", tt.function_type = "forward_cpu_declaration"}
  func.func private @f_const_eval_0(%arg0: !emitc.opaque<"::std::vector<::ttnn::Tensor>">) -> !emitc.opaque<"::std::vector<::ttnn::Tensor>"> attributes {tt.function_type = "const_eval"} {
    %0 = emitc.literal "0" : index
    %1 = emitc.subscript %arg0[%0] : (!emitc.opaque<"::std::vector<::ttnn::Tensor>">, index) -> !emitc.lvalue<!emitc.opaque<"::ttnn::Tensor">>
    %2 = emitc.load %1 : <!emitc.opaque<"::ttnn::Tensor">>
    %3 = emitc.call_opaque "ttnn::DeviceGetter::getInstance"() {args = []} : () -> !emitc.ptr<!emitc.opaque<"ttnn::distributed::MeshDevice">>
    %4 = emitc.call_opaque "ttnn::typecast"(%2) {args = [0 : index, #emitc.opaque<"::ttnn::DataType::FLOAT32">, #emitc.opaque<"::std::nullopt">]} : (!emitc.opaque<"::ttnn::Tensor">) -> !emitc.opaque<"::ttnn::Tensor">
    %5 = emitc.call_opaque "::cpu_hoisted_const_eval_ab067cb1"(%4) : (!emitc.opaque<"::ttnn::Tensor">) -> !emitc.opaque<"::ttnn::Tensor">
    emitc.call_opaque "ttnn::deallocate"(%4) {args = [0 : index, #emitc.opaque<"false">]} : (!emitc.opaque<"::ttnn::Tensor">) -> ()
    %6 = emitc.call_opaque "ttnn::typecast"(%5) {args = [0 : index, #emitc.opaque<"::ttnn::DataType::BFLOAT16">, #emitc.opaque<"::std::nullopt">]} : (!emitc.opaque<"::ttnn::Tensor">) -> !emitc.opaque<"::ttnn::Tensor">
    emitc.call_opaque "ttnn::deallocate"(%5) {args = [0 : index, #emitc.opaque<"false">]} : (!emitc.opaque<"::ttnn::Tensor">) -> ()
    %7 = emitc.call_opaque "ttnn::to_layout"(%6) {args = [0 : index, #emitc.opaque<"::ttnn::Layout::TILE">, #emitc.opaque<"::std::nullopt">, #emitc.opaque<"::std::nullopt">]} : (!emitc.opaque<"::ttnn::Tensor">) -> !emitc.opaque<"::ttnn::Tensor">
    emitc.call_opaque "ttnn::deallocate"(%6) {args = [0 : index, #emitc.opaque<"false">]} : (!emitc.opaque<"::ttnn::Tensor">) -> ()
    %8 = emitc.call_opaque "ttnn::to_device"(%7, %3) {args = [0 : index, 1 : index, #emitc.opaque<"::ttnn::MemoryConfig{::ttnn::TensorMemoryLayout::INTERLEAVED, ::ttnn::BufferType::DRAM, ::std::nullopt}">]} : (!emitc.opaque<"::ttnn::Tensor">, !emitc.ptr<!emitc.opaque<"ttnn::distributed::MeshDevice">>) -> !emitc.opaque<"::ttnn::Tensor">
    emitc.call_opaque "ttnn::deallocate"(%7) {args = [0 : index, #emitc.opaque<"false">]} : (!emitc.opaque<"::ttnn::Tensor">) -> ()
    %9 = emitc.call_opaque "util_create_vec"(%8) : (!emitc.opaque<"::ttnn::Tensor">) -> !emitc.opaque<"::std::vector<::ttnn::Tensor>">
    return %9 : !emitc.opaque<"::std::vector<::ttnn::Tensor>">
  }
  emitc.global static @g_cached_result_f_const_eval_0 : !emitc.opaque<"::std::vector<::ttnn::Tensor>">
  func.func @f(%arg0: !emitc.opaque<"::std::vector<::ttnn::Tensor>">) -> !emitc.opaque<"::std::vector<::ttnn::Tensor>"> attributes {tt.function_type = "forward_device"} {
    %0 = emitc.literal "0" : index
    %1 = emitc.subscript %arg0[%0] : (!emitc.opaque<"::std::vector<::ttnn::Tensor>">, index) -> !emitc.lvalue<!emitc.opaque<"::ttnn::Tensor">>
    %2 = emitc.load %1 : <!emitc.opaque<"::ttnn::Tensor">>
    %3 = emitc.literal "1" : index
    %4 = emitc.subscript %arg0[%3] : (!emitc.opaque<"::std::vector<::ttnn::Tensor>">, index) -> !emitc.lvalue<!emitc.opaque<"::ttnn::Tensor">>
    %5 = emitc.load %4 : <!emitc.opaque<"::ttnn::Tensor">>
    %6 = "emitc.constant"() <{value = #emitc.opaque<"&f_const_eval_0">}> : () -> !emitc.opaque<"::std::function<::std::vector<::ttnn::Tensor>(::std::vector<::ttnn::Tensor>)>">
    %7 = emitc.call_opaque "util_create_vec"(%5) : (!emitc.opaque<"::ttnn::Tensor">) -> !emitc.opaque<"::std::vector<::ttnn::Tensor>">
    %8 = emitc.get_global @g_cached_result_f_const_eval_0 : !emitc.lvalue<!emitc.opaque<"::std::vector<::ttnn::Tensor>">>
    %9 = emitc.apply "&"(%8) : (!emitc.lvalue<!emitc.opaque<"::std::vector<::ttnn::Tensor>">>) -> !emitc.ptr<!emitc.opaque<"::std::vector<::ttnn::Tensor>">>
    emitc.call_opaque "ttnn::constEvalFuncWrapper"(%6, %7, %9) : (!emitc.opaque<"::std::function<::std::vector<::ttnn::Tensor>(::std::vector<::ttnn::Tensor>)>">, !emitc.opaque<"::std::vector<::ttnn::Tensor>">, !emitc.ptr<!emitc.opaque<"::std::vector<::ttnn::Tensor>">>) -> ()
    %10 = emitc.load %8 : <!emitc.opaque<"::std::vector<::ttnn::Tensor>">>
    %11 = emitc.literal "0" : index
    %12 = emitc.subscript %10[%11] : (!emitc.opaque<"::std::vector<::ttnn::Tensor>">, index) -> !emitc.lvalue<!emitc.opaque<"::ttnn::Tensor">>
    %13 = emitc.load %12 : <!emitc.opaque<"::ttnn::Tensor">>
    %14 = emitc.call_opaque "ttnn::matmul"(%2, %13) {args = [0 : index, 1 : index, #emitc.opaque<"false">, #emitc.opaque<"false">, #emitc.opaque<"::ttnn::MemoryConfig{::ttnn::TensorMemoryLayout::INTERLEAVED, ::ttnn::BufferType::DRAM, ::std::nullopt}">, #emitc.opaque<"::ttnn::DataType::BFLOAT16">, #emitc.opaque<"::std::nullopt">, #emitc.opaque<"::std::nullopt">, #emitc.opaque<"::ttnn::WormholeComputeKernelConfig{.math_fidelity = ::tt::tt_metal::MathFidelity::HiFi4, .fp32_dest_acc_en = true}">]} : (!emitc.opaque<"::ttnn::Tensor">, !emitc.opaque<"::ttnn::Tensor">) -> !emitc.opaque<"::ttnn::Tensor">
    emitc.call_opaque "ttnn::deallocate"(%2) {args = [0 : index, #emitc.opaque<"false">]} : (!emitc.opaque<"::ttnn::Tensor">) -> ()
    %15 = emitc.call_opaque "ttnn::sum"(%14) {args = [0 : index, #emitc.opaque<"::ttsl::SmallVector<int32_t>{1}">, #emitc.opaque<"false">, #emitc.opaque<"::ttnn::MemoryConfig{::ttnn::TensorMemoryLayout::INTERLEAVED, ::ttnn::BufferType::DRAM, ::std::nullopt}">, #emitc.opaque<"::ttnn::WormholeComputeKernelConfig{.math_fidelity = ::tt::tt_metal::MathFidelity::HiFi4, .fp32_dest_acc_en = true}">]} : (!emitc.opaque<"::ttnn::Tensor">) -> !emitc.opaque<"::ttnn::Tensor">
    %16 = emitc.call_opaque "util_create_vec"(%14, %15) : (!emitc.opaque<"::ttnn::Tensor">, !emitc.opaque<"::ttnn::Tensor">) -> !emitc.opaque<"::std::vector<::ttnn::Tensor>">
    return %16 : !emitc.opaque<"::std::vector<::ttnn::Tensor>">
  }
  func.func @create_inputs_for_f() -> !emitc.opaque<"::std::vector<::ttnn::Tensor>"> attributes {tt.function_type = "input_generator"} {
    %0 = emitc.call_opaque "ttnn::DeviceGetter::getInstance"() {args = []} : () -> !emitc.ptr<!emitc.opaque<"ttnn::distributed::MeshDevice">>
    %1 = emitc.apply "*"(%0) : (!emitc.ptr<!emitc.opaque<"ttnn::distributed::MeshDevice">>) -> !emitc.opaque<"::std::optional<::std::reference_wrapper<::ttnn::distributed::MeshDevice>>">
    %2 = emitc.call_opaque "ttnn::ones"(%1) {args = [#emitc.opaque<"::ttnn::Shape({32, 32})">, #emitc.opaque<"::ttnn::DataType::BFLOAT16">, #emitc.opaque<"::ttnn::Layout::TILE">, 0 : index, #emitc.opaque<"::ttnn::MemoryConfig{::ttnn::TensorMemoryLayout::INTERLEAVED, ::ttnn::BufferType::DRAM, ::std::nullopt}">]} : (!emitc.opaque<"::std::optional<::std::reference_wrapper<::ttnn::distributed::MeshDevice>>">) -> !emitc.opaque<"::ttnn::Tensor">
    %3 = emitc.call_opaque "ttnn::ones"() {args = [#emitc.opaque<"::ttnn::Shape({32, 32})">, #emitc.opaque<"::ttnn::DataType::BFLOAT16">, #emitc.opaque<"::ttnn::Layout::ROW_MAJOR">, #emitc.opaque<"::std::nullopt">, #emitc.opaque<"::std::nullopt">]} : () -> !emitc.opaque<"::ttnn::Tensor">
    %4 = emitc.call_opaque "util_create_vec"(%2, %3) : (!emitc.opaque<"::ttnn::Tensor">, !emitc.opaque<"::ttnn::Tensor">) -> !emitc.opaque<"::std::vector<::ttnn::Tensor>">
    return %4 : !emitc.opaque<"::std::vector<::ttnn::Tensor>">
  }
  func.func @main() -> i32 attributes {tt.function_type = "main"} {
    %0 = emitc.call_opaque "::create_inputs_for_f"() : () -> !emitc.opaque<"::std::vector<::ttnn::Tensor>">
    %1 = emitc.call_opaque "::f"(%0) : (!emitc.opaque<"::std::vector<::ttnn::Tensor>">) -> !emitc.opaque<"::std::vector<::ttnn::Tensor>">
    %2 = "emitc.constant"() <{value = 0 : i32}> : () -> i32
    return %2 : i32
  }
}

