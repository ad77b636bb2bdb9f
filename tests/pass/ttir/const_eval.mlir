// What depends on parameters alone is computed once.
// RUN: tessera opt %s --const-eval-hoist-transform | FileCheck %s
// RUN: tessera opt %s --const-eval-hoist-transform --const-eval-hoist-transform | FileCheck %s
// VALUES: --const-eval-hoist-transform

// CHECK-LABEL: func.func @two
// CHECK-NEXT: ttcore.load_cached(@two_const_eval_0, [{{.*}}]) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: ttcore.load_cached(@two_const_eval_1, [{{.*}}]) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: "ttir.add"({{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: "ttir.multiply"({{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: "ttir.subtract"({{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return {{.*}} : tensor<4xf32>
func.func @two(%a: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %p: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %c: tensor<4xf32> {ttcore.argument_type = #ttcore.argument_type<constant>}) -> tensor<4xf32> {
  %0 = "ttir.add"(%a, %p) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "ttir.exp"(%p) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "ttir.neg"(%c) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "ttir.multiply"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = "ttir.subtract"(%3, %2) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}
