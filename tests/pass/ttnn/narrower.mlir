// Weights and caches in blocks of numbers that share an exponent.
// RUN: tessera opt %s --ttcore-register-device --ttnn-layout --convert-ttir-to-ttnn --ttnn-weight-dtype-conversion="target-dtype=bfp_bf8" -o %t 2>%t.warn && FileCheck %s --input-file %t && FileCheck %s --input-file %t.warn --check-prefix=WARN
// RUN: tessera opt %s --ttcore-mark-functions-as-forward --ttcore-register-device --ttnn-layout --convert-ttir-to-ttnn --ttnn-kv-cache-dtype-conversion="target-dtype=bfp_bf8" -o %t && FileCheck %s --input-file %t --check-prefix=CACHE

// CHECK-LABEL: func.func @weights(
// CHECK: %[[W:.*]] = "ttnn.typecast"(%arg1) : {{.*}} -> tensor<64x32x!ttcore.tile<32x32, bfp_bf8>
// CHECK: "ttnn.matmul"(%arg0, %[[W]])
// CHECK: %[[Y:.*]] = "ttnn.to_tensor_spec"(%arg2)
// CHECK: "ttnn.matmul"(%{{.*}}, %[[Y]])
func.func @weights(%x: tensor<32x64xbf16>, %w: tensor<64x32xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %y: tensor<32x32xbf16> {ttcore.argument_type = #ttcore.argument_type<input>}) -> tensor<32x32xbf16> {
  %0 = "ttir.matmul"(%x, %w) : (tensor<32x64xbf16>, tensor<64x32xbf16>) -> tensor<32x32xbf16>
  %1 = "ttir.matmul"(%0, %y) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %1 : tensor<32x32xbf16>
}

// Four bits come from the host; what an op says for itself counts more than what all get.
// CHECK-LABEL: func.func @own(
// CHECK: "ttnn.from_device"(%arg1)
// CHECK: "ttnn.typecast"({{.*}} -> tensor<64x32x!ttcore.tile<32x32, bfp_bf4>
// CHECK: "ttnn.to_device"
// CHECK: "ttnn.typecast"(%arg2) : {{.*}} -> tensor<32x32x!ttcore.tile<32x32, bfp_bf8>
// WARN: 'ttnn.matmul' op ignoring invalid ttcore.weight_dtype "tiny"; legal values are: bfp_bf8, bfp_bf4, bf16
func.func @own(%x: tensor<32x64xbf16>, %w: tensor<64x32xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>}, %y: tensor<32x32xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<32x32xbf16> {
  %0 = "ttir.matmul"(%x, %w) {ttcore.weight_dtype = "bfp_bf4"} : (tensor<32x64xbf16>, tensor<64x32xbf16>) -> tensor<32x32xbf16>
  %1 = "ttir.matmul"(%0, %y) {ttcore.weight_dtype = "tiny"} : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %1 : tensor<32x32xbf16>
}

// CACHE-LABEL: func.func @cache(
// CACHE-SAME: %arg0: tensor<1x2x64x32x!ttcore.tile<32x32, bfp_bf8>
// CACHE-SAME: -> tensor<1x2x64x32x!ttcore.tile<32x32, bfp_bf8>
// CACHE: %[[X:.*]] = "ttnn.typecast"(%arg1)
// CACHE: "ttnn.fill_cache"(%arg0, %[[X]])
func.func @cache(%c: tensor<1x2x64x32xbf16> {ttcore.kv_cache}, %x: tensor<1x2x32x32xbf16>) -> tensor<1x2x64x32xbf16> {
  "ttir.fill_cache"(%c, %x) <{batch_offset = 0 : i32}> : (tensor<1x2x64x32xbf16>, tensor<1x2x32x32xbf16>) -> ()
  return %c : tensor<1x2x64x32xbf16>
}
