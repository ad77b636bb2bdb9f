// What MLIR writes for this module, version by version, we write: Inputs/everything.N.bc are MLIR's. Locations are given, so
// that the file's place does not matter. Before version 5 there is no place for the properties of an unregistered op.
// RUN: tessera opt %s --allow-unregistered-dialect --emit-bytecode=0 | sed 's/Tessera[0-9.]*/MLIR/' | cmp - %S/Inputs/everything.0.bc
// RUN: tessera opt %s --allow-unregistered-dialect --emit-bytecode=1 | sed 's/Tessera[0-9.]*/MLIR/' | cmp - %S/Inputs/everything.1.bc
// RUN: tessera opt %s --allow-unregistered-dialect --emit-bytecode=2 | sed 's/Tessera[0-9.]*/MLIR/' | cmp - %S/Inputs/everything.2.bc
// RUN: tessera opt %s --allow-unregistered-dialect --emit-bytecode=3 | sed 's/Tessera[0-9.]*/MLIR/' | cmp - %S/Inputs/everything.3.bc
// RUN: tessera opt %s --allow-unregistered-dialect --emit-bytecode=4 | sed 's/Tessera[0-9.]*/MLIR/' | cmp - %S/Inputs/everything.4.bc
// RUN: tessera opt %s --allow-unregistered-dialect --emit-bytecode --emit-bytecode-version=5 | sed 's/Tessera[0-9.]*/MLIR/' | cmp - %S/Inputs/everything.5.bc
// RUN: tessera opt %s --allow-unregistered-dialect --emit-bytecode | sed 's/Tessera[0-9.]*/MLIR/' | cmp - %S/Inputs/everything.6.bc
// RUN: tessera opt %s --allow-unregistered-dialect --mlir-print-debuginfo -o %t.text
// RUN: tessera opt %S/Inputs/everything.5.bc --allow-unregistered-dialect --mlir-print-debuginfo | cmp - %t.text
// RUN: tessera opt %S/Inputs/everything.6.bc --allow-unregistered-dialect --mlir-print-debuginfo | cmp - %t.text
#here = loc("model.py":3:7)
#there = loc(callsite("f"(#here) at fused<"pass">["model.py":4:1, #here]))
module @m attributes {t.list = [1 : i8, -2 : i16, 3 : i32, 4 : i64, 5 : ui8, 6 : index, 123456789012345678901 : i80], t.unit,
                      t.floats = [1.5 : f32, 2.0 : bf16, -0.0 : f64, 3.0 : f8E4M3FN], t.type = (tensor<?x4xf32>, !stablehlo.token) -> tuple<i1, complex<f32>>,
                      t.symbol = @m::@f, t.dense = dense<[1, 2, 3]> : tensor<3xi32>, t.splat = dense<true> : tensor<4xi1>,
                      t.bits = dense<[true, false, true]> : tensor<3xi1>, t.array = array<i64: 1, -2>, t.text = #t.some<thing>,
                      t.blob = dense_resource<blob> : tensor<2xf32>, t.map = affine_map<(d0, d1) -> (d1, d0)>} {
  sdy.mesh @mesh = <["x"=2, "y"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]> loc(#here)
  func.func @f(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p1, {"y":(1)2}], replicated={"y":(2)2}>} loc("a"), %n: tensor<i32> loc(unknown)) -> (tensor<8x4xf32> {t.last}) {
    %c = stablehlo.constant dense<0> : tensor<i32> loc(#here)
    %0:2 = "stablehlo.while"(%c, %a) ({
    ^bb0(%i: tensor<i32> loc("i"), %x: tensor<8x4xf32> loc(unknown)):
      %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#there)
      stablehlo.return %p : tensor<i1> loc(#there)
    }, {
    ^bb0(%i: tensor<i32> loc("i"), %x: tensor<8x4xf32> loc("x")):
      %y = stablehlo.add %x, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}], unreduced={"y"}>]>} : tensor<8x4xf32> loc(#here)
      %j = stablehlo.add %i, %n : tensor<i32> loc(#here)
      stablehlo.return %j, %y : tensor<i32>, tensor<8x4xf32> loc(#here)
    }) : (tensor<i32>, tensor<8x4xf32>) -> (tensor<i32>, tensor<8x4xf32>) loc(#there)
    %1 = stablehlo.dot_general %0#1, %a, contracting_dims = [1] x [1], precision = [HIGHEST, DEFAULT] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32> loc(#here)
    %2 = chlo.broadcast_compare %a, %a {comparison_direction = #chlo<comparison_direction NE>} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1> loc(#here)
    %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64> loc(#here)
    %3 = stablehlo.rng %n, %c, %s, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<2x3xi32> loc(#here)
    return %0#1 : tensor<8x4xf32> loc(#here)
  } loc(#there)
  func.func private @g(i32, f64) -> i1 loc(unknown)
  func.func @h(%p: i1 loc("p"), %x: index loc("x")) -> index {
    %0 = "t.two"(%x) <{p = 1 : i8}> ({
      "t.inner"(%x, %x)[^bb1, ^bb2] {a} : (index, index) -> () loc(#here)
    ^bb1:
      "t.end"() : () -> () loc(#here)
    ^bb2:
      "t.end"() : () -> () loc(#here)
    }, {
    }) : (index) -> index loc(#here)
    %1 = "t.pad"(%0) : (index) -> !t.opaque<1> loc(#here)
    return %0 : index loc(#here)
  } loc("h")
} loc("model.py":0:0)
{-#
  dialect_resources: {
    builtin: {
      blob: "0x010000000000803F00000040"
    }
  }
#-}
