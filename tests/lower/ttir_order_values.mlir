// Orders of floats survive the conversion: chlo.top_k and bare comparators have the total order, those of JAX one zero and
// one NaN. Under the peer's name all sorts are ttir.sort.
// RUN: stablehlo-translate --interpret %s
// RUN: tessera opt %s --convert-stablehlo-to-ttir -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera run %t.mlir
// RUN: tessera opt %s --stablehlo-to-ttir-pipeline -o %t.mlir
// RUN: tessera run %t.mlir
// RUN: tessera opt %s --ttir-fusing -o %t.mlir
// RUN: tessera run %t.mlir

// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: "ttir.topk"
// CHECK: "ttir.sort"
// CHECK: "ttir.topk"({{.*}}) <{dim = 0 : i32, k = 5 : i32, largest = true
// CHECK: "ttir.topk"({{.*}}) <{dim = 0 : i32, k = 5 : i32, largest = false
// CHECK: "ttir.sort"
func.func @main() {
  // -0, 0, NaN, -NaN, 1
  %bits = stablehlo.constant dense<[0x80000000, 0x00000000, 0x7FC00000, 0xFFC00000, 0x3F800000]> : tensor<5xui32>
  %x = stablehlo.bitcast_convert %bits : (tensor<5xui32>) -> tensor<5xf32>
  %v, %i = chlo.top_k(%x, k = 5) : tensor<5xf32> -> (tensor<5xf32>, tensor<5xi32>)
  check.expect_eq_const %i, dense<[2, 4, 1, 0, 3]> : tensor<5xi32>
  %h = stablehlo.convert %x : (tensor<5xf32>) -> tensor<5xbf16>
  %hv, %hi = chlo.top_k(%h, k = 4) : tensor<5xbf16> -> (tensor<4xbf16>, tensor<4xi32>)
  check.expect_eq_const %hi, dense<[2, 4, 1, 0]> : tensor<4xi32>
  %places = stablehlo.iota dim = 0 : tensor<5xi32>
  // JAX's: -0 and 0 keep their order, both NaNs come last.
  %jax:2 = "stablehlo.sort"(%x, %places) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %az = stablehlo.compare EQ, %a, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %a0 = stablehlo.select %az, %zero, %a : tensor<i1>, tensor<f32>
    %an = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %a1 = stablehlo.select %an, %nan, %a0 : tensor<i1>, tensor<f32>
    %bz = stablehlo.compare EQ, %b, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %b0 = stablehlo.select %bz, %zero, %b : tensor<i1>, tensor<f32>
    %bn = stablehlo.compare NE, %b, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %b1 = stablehlo.select %bn, %nan, %b0 : tensor<i1>, tensor<f32>
    %less = stablehlo.compare LT, %a1, %b1, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<5xf32>, tensor<5xi32>) -> (tensor<5xf32>, tensor<5xi32>)
  check.expect_eq_const %jax#1, dense<[0, 1, 4, 2, 3]> : tensor<5xi32>
  %down:2 = "stablehlo.sort"(%x, %places) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %more = stablehlo.compare GT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }) : (tensor<5xf32>, tensor<5xi32>) -> (tensor<5xf32>, tensor<5xi32>)
  check.expect_eq_const %down#1, dense<[2, 4, 1, 0, 3]> : tensor<5xi32>
  %carried = stablehlo.constant dense<[10, 11, 12, 13, 14]> : tensor<5xi32>
  %up:2 = "stablehlo.sort"(%x, %carried) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %less = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<5xf32>, tensor<5xi32>) -> (tensor<5xf32>, tensor<5xi32>)
  check.expect_eq_const %up#1, dense<[13, 10, 11, 14, 12]> : tensor<5xi32>
  %ints:2 = "stablehlo.sort"(%carried, %places) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %more = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }) : (tensor<5xi32>, tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>)
  check.expect_eq_const %ints#1, dense<[4, 3, 2, 1, 0]> : tensor<5xi32>
  return
}
