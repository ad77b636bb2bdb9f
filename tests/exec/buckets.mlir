// Small collectives of one group are one: the dump and the trace say of how many values.
// RUN: tessera run %s --spmd --input=random --dump-program --profile=%t.json >%t.out 2>%t.dump && FileCheck %s --check-prefix=DUMP < %t.dump && FileCheck %s --check-prefix=TRACE < %t.json
// RUN: tessera run %s --spmd --input=random --engine=reference | diff - %t.out
// DUMP: all_reduce[3] reads
// DUMP-NOT: all_reduce
// TRACE: "name": "all_reduce[3]{{( start| done)?}}", "cat": "collective"
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<3x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<8x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                  %c: tensor<8x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %d: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
      -> (tensor<3x5xi32>, tensor<3x2xi32>, tensor<3xi32>) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x8xi32>, tensor<8x5xi32>) -> tensor<3x5xi32>
    %1 = stablehlo.dot_general %a, %c, contracting_dims = [1] x [0] : (tensor<3x8xi32>, tensor<8x2xi32>) -> tensor<3x2xi32>
    %2 = stablehlo.dot_general %a, %d, contracting_dims = [1] x [0] : (tensor<3x8xi32>, tensor<8xi32>) -> tensor<3xi32>
    return %0, %1, %2 : tensor<3x5xi32>, tensor<3x2xi32>, tensor<3xi32>
  }
}
