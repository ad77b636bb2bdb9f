// Gradients of a distributed program: taken before, and distributed; or taken of the program of each device.
// RUN: tessera opt %s --tessera-autodiff=function=loss -o %t.whole.mlir
// RUN: tessera run %t.whole.mlir --function=loss_grad --input=random --output=%t.npz
// RUN: tessera opt %t.whole.mlir --tessera-distribute=remarks=false -o %t.first.mlir
// RUN: FileCheck %s --input-file=%t.first.mlir
// RUN: tessera run %t.first.mlir --function=loss_grad --spmd --input=random --expect=%t.npz
// RUN: tessera opt %t.whole.mlir --tessera-simplify --tessera-distribute='nccl=true remarks=false' -o %t.nccl.mlir
// RUN: tessera run %t.nccl.mlir --function=loss_grad --spmd --input=random --expect=%t.npz
// RUN: tessera opt %s --tessera-distribute=remarks=false --tessera-autodiff=function=loss | FileCheck %s --check-prefix=AFTER

tessera.mesh @mesh = <["data"=2, "model"=2]>

// Sums of weights' gradients go over the data axis.
// CHECK-LABEL: func.func @loss_grad(
// CHECK:         tessera.allreduce %{{.*}} {group = "tensor_parallel", mesh = @mesh} : tensor<4x8xf32>
// CHECK-DAG:     tessera.allreduce %{{.*}} {group = "data_parallel", mesh = @mesh} : tensor<16x8xf32>
// CHECK-DAG:     tessera.allreduce %{{.*}} {group = "data_parallel", mesh = @mesh} : tensor<8x16xf32>
// CHECK-NOT:     all_gather
// AFTER-LABEL: func.func @loss_grad(
// AFTER:         stablehlo.all_reduce
func.func @loss(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
    %w1: tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>},
    %w2: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> tensor<f32> {
  %0 = tessera.matmul %x, %w1 : tensor<8x8xf32>, tensor<8x32xf32> -> tensor<8x32xf32>
  %1 = tessera.gelu %0 : tensor<8x32xf32> -> tensor<8x32xf32>
  %2 = tessera.matmul %1, %w2 : tensor<8x32xf32>, tensor<32x8xf32> -> tensor<8x8xf32>
  %3 = tessera.mul %2, %2 : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %4 = tessera.reduce "mean" %3 : tensor<8x8xf32> -> tensor<f32>
  return %4 : tensor<f32>
}
