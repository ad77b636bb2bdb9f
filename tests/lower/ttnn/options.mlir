// Options of the pipeline: what is off stays out; what needs a model of devices is refused.
// RUN: tessera opt %s --ttir-to-ttnn-backend-pipeline="disable-workarounds=true enable-const-eval=false" -o %t && FileCheck %s --input-file %t --check-prefix=PLAIN
// RUN: tessera opt %s --ttir-to-ttnn-backend-pipeline="experimental-weight-dtype=bfp_bf8 compute-cfg-math-fidelity=lofi" -o %t && FileCheck %s --input-file %t
// RUN: not tessera opt %s --ttir-to-ttnn-backend-pipeline="optimization-level=1" -o %t 2>%t.error && FileCheck %s --input-file %t.error --check-prefix=REFUSED
// RUN: not tessera opt %s --ttir-to-ttnn-common-pipeline="enable-optimizer=true" -o %t 2>%t.error && FileCheck %s --input-file %t.error --check-prefix=REFUSED
// REFUSED: error: the optimizer of TTNN needs a model of what kernels keep in the memory of devices

// CHECK: func.func private @layer_const_eval_0(
// CHECK: tensor<32x32x!ttcore.tile<32x32, bfp_bf8>
// CHECK: func.func @layer(
// CHECK: ttcore.load_cached(@layer_const_eval_0, [%arg1])
// CHECK: "ttnn.matmul"({{.*}}math_fidelity = lofi
// CHECK: "ttnn.typecast"
// CHECK: "ttnn.tanh"
// PLAIN-NOT: ttcore.load_cached
// PLAIN: "ttnn.tanh"({{.*}}) -> tensor<32x32xf32
func.func @layer(%x: tensor<32x32xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<32x32xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<32x32xf32> {
  %0 = "ttir.exp"(%w) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %1 = "ttir.matmul"(%x, %0) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %2 = "ttir.tanh"(%1) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  return %2 : tensor<32x32xf32>
}
