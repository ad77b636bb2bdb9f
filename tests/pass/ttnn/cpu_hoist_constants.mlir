// Functions of the host that differ in one element of a large constant are two; those that do not differ are one.
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s -o %t && FileCheck %s --input-file %t
// RUN: tessera run %t --function=first --input=random --against=%s
// RUN: tessera run %t --function=second --input=random --against=%s
// RUN: tessera run %t --function=again --input=random --against=%s

// CHECK-COUNT-2: func.func private @cpu_hoisted_{{[^)]*}}) -> tensor<32xf32, #{{.*}}forward_cpu_declaration
// CHECK-NOT: forward_cpu_declaration
// CHECK: ttcore.cpu_module
// CHECK-COUNT-2: func.func @cpu_hoisted_
// CHECK-NOT: func.func @cpu_hoisted_
func.func @first(%x: tensor<32xf32>, %w: tensor<32xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<32xf32> {
  %c = "ttir.constant"() <{value = dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0]> : tensor<32xf32>}> : () -> tensor<32xf32>
  %0 = "ttir.add"(%w, %c) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %1 = "ttir.multiply"(%x, %0) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  return %1 : tensor<32xf32>
}
func.func @second(%x: tensor<32xf32>, %w: tensor<32xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<32xf32> {
  %c = "ttir.constant"() <{value = dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 99.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0]> : tensor<32xf32>}> : () -> tensor<32xf32>
  %0 = "ttir.add"(%w, %c) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %1 = "ttir.multiply"(%x, %0) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  return %1 : tensor<32xf32>
}
func.func @again(%x: tensor<32xf32>, %w: tensor<32xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<32xf32> {
  %c = "ttir.constant"() <{value = dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0]> : tensor<32xf32>}> : () -> tensor<32xf32>
  %0 = "ttir.add"(%w, %c) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %1 = "ttir.subtract"(%x, %0) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  return %1 : tensor<32xf32>
}
