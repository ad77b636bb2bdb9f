// Several results that share what they read are one loop: a step of Adam.
// RUN: tessera run %s --input=random --engine=compiled --dump-program --output=%t.npz 2>&1 | FileCheck %s
// RUN: tessera run %s --input=random --expect=%t.npz

// CHECK: program of @main: {{[0-9]+}} steps, arena 0 bytes (at least 0), 0 by the evaluator's kernels
// CHECK-NEXT: map multiply+multiply+add+multiply+multiply+multiply+add+{{.*}} writes {{.*}}@result {{.*}}@result {{.*}}@result
// CHECK-NOT: map
func.func @main(%p: tensor<1000xf32>, %m: tensor<1000xf32>, %v: tensor<1000xf32>, %g: tensor<1000xf32>) -> (tensor<1000xf32>, tensor<1000xf32>, tensor<1000xf32>) {
  %b1 = stablehlo.constant dense<0.9> : tensor<1000xf32>
  %c1 = stablehlo.constant dense<0.1> : tensor<1000xf32>
  %b2 = stablehlo.constant dense<0.999> : tensor<1000xf32>
  %c2 = stablehlo.constant dense<0.001> : tensor<1000xf32>
  %eps = stablehlo.constant dense<1.0> : tensor<1000xf32>
  %0 = stablehlo.multiply %m, %b1 : tensor<1000xf32>
  %1 = stablehlo.multiply %g, %c1 : tensor<1000xf32>
  %m2 = stablehlo.add %0, %1 : tensor<1000xf32>
  %2 = stablehlo.multiply %v, %b2 : tensor<1000xf32>
  %3 = stablehlo.multiply %g, %g : tensor<1000xf32>
  %4 = stablehlo.multiply %3, %c2 : tensor<1000xf32>
  %v2 = stablehlo.add %2, %4 : tensor<1000xf32>
  %5 = stablehlo.multiply %v2, %v2 : tensor<1000xf32>
  %6 = stablehlo.add %5, %eps : tensor<1000xf32>
  %7 = stablehlo.divide %m2, %6 : tensor<1000xf32>
  %p2 = stablehlo.subtract %p, %7 : tensor<1000xf32>
  return %p2, %m2, %v2 : tensor<1000xf32>, tensor<1000xf32>, tensor<1000xf32>
}
