// Tokens do not stand in the way of derivatives, of distribution, nor of the conversion: order is that of the program.
// RUN: tessera opt %s --tessera-effects --tessera-autodiff | FileCheck %s
// RUN: tessera opt %s --tessera-effects --tessera-distribute=nccl=true | FileCheck %s --check-prefix=NCCL
// RUN: tessera opt %s --tessera-effects --tessera-to-stablehlo | FileCheck %s --check-prefix=HLO
tessera.mesh @mesh = <["x"=2, "y"=2]>
// CHECK-LABEL: func.func @f_grad(
// CHECK-COUNT-2: stablehlo.all_reduce
// CHECK-NOT:     stablehlo.all_reduce
// CHECK-NOT:     effect_dependency
// CHECK:         return
// NCCL: %[[A:.*]]:2 = tessera.nccl_allreduce %arg0 {{.*}} -> tensor<4xf32>, !tessera.effect_token
// NCCL: tessera.nccl_allreduce %[[A]]#0 after(%[[A]]#1)
// HLO-COUNT-2: stablehlo.all_reduce
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {tessera.autodiff} {
  %0 = tessera.allreduce %x {mesh = @mesh} : tensor<4xf32> -> tensor<4xf32>
  %1 = tessera.allreduce %0 {mesh = @mesh} : tensor<4xf32> -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
