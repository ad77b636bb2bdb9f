// RUN: tessera opt %s --stablehlo-convert-to-signless --split-input-file --allow-unregistered-dialect | FileCheck %s
// RUN: tessera opt %s --stablehlo-convert-to-signless --canonicalize --split-input-file --allow-unregistered-dialect | FileCheck %s --check-prefix=CANON

// Signatures, arguments of blocks, results, constants.
// CHECK-LABEL: func.func @f(%arg0: tensor<2xi8>, %arg1: tensor<*xi16>, %arg2: i4) -> (tensor<2xi8>, vector<2xi32>)
// CHECK:         stablehlo.constant dense<[-1, 1]> : tensor<2xi8>
// CHECK:         stablehlo.while(%{{.*}} = %{{.*}}) : tensor<2xi8>
// CHECK:         "test.op"() : () -> vector<2xi32>
func.func @f(%x: tensor<2xui8>, %y: tensor<*xsi16>, %z: ui4) -> (tensor<2xui8>, vector<2xsi32>) {
  %c = stablehlo.constant dense<[255, 1]> : tensor<2xui8>
  %p = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.add %x, %c : tensor<2xui8>
  %1 = stablehlo.while(%i = %0) : tensor<2xui8> cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %3 = stablehlo.add %i, %i : tensor<2xui8>
    stablehlo.return %3 : tensor<2xui8>
  }
  %2 = "test.op"() : () -> vector<2xsi32>
  return %1, %2 : tensor<2xui8>, vector<2xsi32>
}

// -----

// Casts between the two are gone, and so are tensors made of buffers and back.
// CANON-LABEL: func.func @casts(%arg0: memref<*xi16>) -> memref<i16>
// CANON-NEXT:    %[[C:.*]] = memref.cast %arg0 : memref<*xi16> to memref<i16>
// CANON-NOT:     to_buffer
// CANON:         return %[[C]]
func.func @casts(%arg0: memref<*xui16>) -> memref<ui16> {
  %0 = builtin.unrealized_conversion_cast %arg0 : memref<*xui16> to memref<*xi16>
  %1 = memref.cast %0 : memref<*xi16> to memref<i16>
  %2 = bufferization.to_tensor %1 restrict writable : memref<i16> to tensor<i16>
  %3 = builtin.unrealized_conversion_cast %2 : tensor<i16> to tensor<ui16>
  %4 = bufferization.to_buffer %3 read_only : tensor<ui16> to memref<ui16>
  return %4 : memref<ui16>
}
