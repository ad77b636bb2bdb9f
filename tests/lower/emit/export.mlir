// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline --ttcore-unwrap-device-module --ttnn-tuplify-tensors=tuplify-input-if-empty=true --ttnn-prepare-module-for-export %s | FileCheck %s
// RUN: not tessera opt --ttnn-prepare-module-for-export %s 2>&1 | FileCheck %s --check-prefix=NONE
// The caller gives the device and inputs of the host; those that the function wants on the device go there.

// NONE: error: there is no forward function to export
// CHECK: func.func @forward(%arg0: tuple<tensor<32x32xbf16, #[[HOST:.*]]>, tensor<32x32xbf16, #[[HOST]]>> {emitpy.name = "input"}, %arg1: !ttnn.device {emitpy.name = "device"})
// CHECK-NOT: get_device
// CHECK: %[[A:.*]] = ttcore.get_tuple_element %arg0[0]
// CHECK-NEXT: %[[B:.*]] = "ttnn.to_layout"(%[[A]])
// CHECK-NEXT: %[[C:.*]] = "ttnn.to_device"(%[[B]], %arg1)
// CHECK: "ttnn.subtract"(%[[C]],
func.func @f(%a: tensor<32x32xbf16>, %b: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.subtract"(%a, %b) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}
