// RUN: tessera opt --convert-ttnn-to-emitc %s | ttmlir-translate --mlir-to-cpp | FileCheck %s
// RUN: tessera opt --convert-ttnn-to-emitpy %s | ttmlir-translate --mlir-to-python | FileCheck %s --check-prefix=PY
// Constants: all elements, or in Python the one that is everywhere.

// CHECK: ttmlir::standalone::constant(::std::vector<float>{1.5f, -2.0f, 1.0E+10f, ::std::numeric_limits<float>::quiet_NaN()}, ::ttnn::Shape({2, 2}), ::ttnn::DataType::FLOAT32, ::ttnn::Layout::ROW_MAJOR, ::std::nullopt, ::std::nullopt)
// CHECK: ttmlir::standalone::constant(::ttsl::SmallVector<int32_t>{3, 3}, ::ttnn::Shape({2})
// PY: ttnn.Tensor([1.5, -2.0, 1.0E+10, float('nan')], ttnn.Shape([2, 2]), ttnn.DataType.FLOAT32, ttnn.Layout.ROW_MAJOR, None, None)
// PY: ttnn.Tensor(2.5, ttnn.Shape([2, 2]),
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2xf32, #ttnn.buffer_type<system_memory>>>
#ints = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x2xsi32, #ttnn.buffer_type<system_memory>>>
func.func @f() -> (tensor<2x2xf32, #host>, tensor<2xsi32, #ints>, tensor<2x2xf32, #host>) {
  %0 = "ttnn.constant"() <{value = dense<[[1.5, -2.0], [1.0e10, 0x7FC00000]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32, #host>
  %1 = "ttnn.constant"() <{value = dense<3> : tensor<2xsi32>}> : () -> tensor<2xsi32, #ints>
  %2 = "ttnn.constant"() <{value = dense<2.5> : tensor<2x2xf32>}> : () -> tensor<2x2xf32, #host>
  return %0, %1, %2 : tensor<2x2xf32, #host>, tensor<2xsi32, #ints>, tensor<2x2xf32, #host>
}
