// What cannot be in parts is whole: tokens, tuples, dynamic shapes, scales by place, targets that nobody knows. A remark
// says so where something was sharded.
// RUN: tessera run %s --spmd --check --input=random --input=random --input=random --input=3x4xi32=1,2,3,4,5,6,7,8,9,10,11,12 | FileCheck %s
// CHECK-COUNT-4: PASS
// RUN: tessera opt %s --tessera-partition 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-DAG: remark: 'stablehlo.tuple' op is computed whole on every device
// REMARK-DAG: remark: 'stablehlo.get_dimension_size' op is computed whole on every device
// RUN: tessera opt %s --tessera-partition=remarks=false 2>&1 | FileCheck %s --check-prefix=QUIET
// QUIET-NOT: remark
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%a: tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, %b: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<6x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, %d: tensor<?x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> (tensor<5x4xf32>, tensor<5x4xf32>, tensor<?x4xi32>, tensor<i32>, !stablehlo.token) {
    %0 = stablehlo.uniform_quantize %a : (tensor<5x4xf32>) -> tensor<5x4x!quant.uniform<i8:f32, 0.5>>
    %1 = stablehlo.uniform_quantize %b : (tensor<4x4xf32>) -> tensor<4x4x!quant.uniform<i8:f32, 0.5>>
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<5x4x!quant.uniform<i8:f32, 0.5>>, tensor<4x4x!quant.uniform<i8:f32, 0.5>>) -> tensor<5x4x!quant.uniform<i32:f32, 0.25>>
    %3 = stablehlo.uniform_dequantize %2 : (tensor<5x4x!quant.uniform<i32:f32, 0.25>>) -> tensor<5x4xf32>
    %4 = stablehlo.uniform_quantize %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : (tensor<5x4xf32>) -> tensor<5x4x!quant.uniform<i8:f32:1, {0.5,0.25,0.1,0.3}>>
    %5 = stablehlo.uniform_dequantize %4 : (tensor<5x4x!quant.uniform<i8:f32:1, {0.5,0.25,0.1,0.3}>>) -> tensor<5x4xf32>
    %t = stablehlo.create_token : !stablehlo.token
    %tt = stablehlo.after_all %t, %t : !stablehlo.token
    %u = stablehlo.tuple %a, %tt : tuple<tensor<5x4xf32>, !stablehlo.token>
    %v = stablehlo.get_tuple_element %u[0] : (tuple<tensor<5x4xf32>, !stablehlo.token>) -> tensor<5x4xf32>
    %n = stablehlo.get_dimension_size %c, dim = 0 : (tensor<6x4xi32>) -> tensor<i32>
    %dd = stablehlo.add %d, %d : tensor<?x4xi32>
    return %5, %v, %dd, %n, %tt : tensor<5x4xf32>, tensor<5x4xf32>, tensor<?x4xi32>, tensor<i32>, !stablehlo.token
  }
}
