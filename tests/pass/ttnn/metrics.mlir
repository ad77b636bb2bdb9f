// What a program asks of a device, as JSON. Numbers are worked out by hand in the comments.
// RUN: rm -rf %t.dir && tessera opt %s --ttir-to-ttnn-backend-pipeline="ttnn-perf-metrics-enabled=true ttnn-perf-metrics-output-file=%t.dir/deep/out disable-workarounds=true" -o %t.mlir
// RUN: FileCheck %s --input-file %t.dir/deep/out.json
// RUN: tessera opt %t.mlir --ttcore-unwrap-device-module --ttnn-collect-perf-metrics=ttnn-perf-metrics-output-file=%t.dir/again.json -o %t.same.mlir
// RUN: FileCheck %s --input-file %t.dir/again.json --check-prefix=SHORT
// RUN: not tessera opt %s --ttnn-collect-perf-metrics 2>&1 | FileCheck %s --check-prefix=BARE
// RUN: not tessera opt %t.mlir --ttcore-unwrap-device-module --ttnn-collect-perf-metrics=ttnn-perf-metrics-output-file=/dev/null/x.json 2>&1 | FileCheck %s --check-prefix=FILE
// BARE: error: 'builtin.module' op has 0 public functions that a device runs, and must have one
// FILE: error: 'builtin.module' op cannot open output file '/dev/null/x.json': Not a directory

// One product of 2 * 64 * 128 * 256 operations; another, of two activations, of 2 * 64 * 64 * 256. Their peak is that of hifi4.
// CHECK: "flops": {
// CHECK-NEXT: "peak_flops_per_sec": 65536000000000,
// CHECK-NEXT: "peak_flops_per_sec_by_fidelity": {
// CHECK-NEXT: "hifi2": 131072000000000,
// CHECK-NEXT: "hifi3": 87381333333333,
// CHECK-NEXT: "hifi4": 65536000000000,
// CHECK-NEXT: "lofi": 262144000000000
// CHECK: "per_op": [
// CHECK: "flops": 4194304,
// CHECK: "math_fidelity": "hifi4",
// CHECK-NEXT: "operation": "ttnn.matmul"
// CHECK: "flops": 2097152,
// CHECK: "total_flops": 6291456
// CHECK: "operation_type_breakdown": {
// CHECK: "ttnn.matmul": 2
// The weight of the first, 128 * 256 numbers of 17/16 bytes, comes from DRAM; the other product has none.
// CHECK: "perf_targets": {
// CHECK-NEXT: "aiclk_hz": 1000000000,
// CHECK-NEXT: "arch": "wormhole_b0",
// CHECK-NEXT: "compute_bound_ops": 0,
// CHECK-NEXT: "cycles_per_tile_matmul": 32,
// CHECK-NEXT: "dram_bandwidth_bytes_per_sec": 288000000000,
// CHECK-NEXT: "dram_bound_ops": 1,
// CHECK-NEXT: "num_chips": 1,
// CHECK-NEXT: "num_tensix_cores": 64,
// CHECK-NEXT: "params_count": 32768,
// CHECK-NEXT: "params_memory_bytes": 34816,
// CHECK-NEXT: "roofline_ms": 0.000120{{[0-9]*}},
// CHECK-NEXT: "skipped_ops": 1,
// CHECK-NEXT: "top_perf_estimate_ms": 0.000172
// CHECK: "shardable_operations": [
// CHECK: "layout_info": "#ttnn.ttnn_layout<
// CHECK: "summary": {
// CHECK-NEXT: "dram_spilled_ops": [[DRAM:[0-9]+]],
// CHECK: "sharded_ops": 0,
// CHECK: "total_shardable_ops": [[DRAM]]
// SHORT-NOT: "per_op"
// SHORT: "total_flops": 6291456
// SHORT-NOT: "shardable_operations"
// SHORT: "skipped_ops": 1,
func.func @products(%x: tensor<64x128xbf16> {ttcore.argument_type = #ttcore.argument_type<input>},
                    %w: tensor<128x256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<64x64xbf16> {
  %0 = "ttir.matmul"(%x, %w) : (tensor<64x128xbf16>, tensor<128x256xbf16>) -> tensor<64x256xbf16>
  %1 = "ttir.matmul"(%0, %0) <{transpose_b = true}> : (tensor<64x256xbf16>, tensor<64x256xbf16>) -> tensor<64x64xbf16>
  return %1 : tensor<64x64xbf16>
}
