// Every type of the builtin and quant dialects, and forms of attributes, come back from bytecode as they were.
// RUN: tessera opt %s --allow-unregistered-dialect --mlir-print-debuginfo=false -o %t.mlir
// RUN: tessera opt %s --allow-unregistered-dialect --emit-bytecode | tessera opt - --allow-unregistered-dialect | diff %t.mlir -
// RUN: tessera opt %s --allow-unregistered-dialect --emit-bytecode=0 | tessera opt - --allow-unregistered-dialect | diff %t.mlir -
// RUN: tessera opt %s --allow-unregistered-dialect --verify-roundtrip -o %t.none
// RUN: FileCheck %s --input-file=%t.mlir

// CHECK: "a.integers"() : () -> (i1, i8, si16, ui32, i64, i777, index, none)
%0:8 = "a.integers"() : () -> (i1, i8, si16, ui32, i64, i777, index, none)
// CHECK: "a.floats"()
%1:18 = "a.floats"() : () -> (bf16, f16, f32, f64, f80, f128, tf32, f8E5M2, f8E4M3, f8E4M3FN, f8E5M2FNUZ, f8E4M3FNUZ, f8E4M3B11FNUZ, f8E3M4, f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E8M0FNU)
// CHECK: "a.made"() : () -> (complex<f32>, tuple<i8, tuple<>>, (i8, f32) -> (), () -> tensor<2xf32>)
%2:4 = "a.made"() : () -> (complex<f32>, tuple<i8, tuple<>>, (i8, f32) -> (), () -> tensor<2xf32>)
// CHECK: "a.tensors"() : () -> (tensor<f32>, tensor<2x?x0xi4>, tensor<*xcomplex<f64>>, tensor<3x?xf32, #stablehlo.bounds<?, 7>>, tensor<2xf32, "layout">)
%3:5 = "a.tensors"() : () -> (tensor<f32>, tensor<2x?x0xi4>, tensor<*xcomplex<f64>>, tensor<3x?xf32, #stablehlo.bounds<?, 7>>, tensor<2xf32, "layout">)
// CHECK: "a.memrefs"()
%4:6 = "a.memrefs"() : () -> (memref<2x?xf32>, memref<4xi8, 1 : i32>, memref<*xf32>, memref<*xf32, "far">, memref<2x3xf32, strided<[1, 2], offset: ?>>, memref<8x8xf32, affine_map<(d0, d1) -> (d1, d0)>, 3>)
// CHECK: "a.vectors"() : () -> (vector<f32>, vector<2x3xi8>, vector<[4]xf32>, vector<2x[4]xindex>)
%5:4 = "a.vectors"() : () -> (vector<f32>, vector<2x3xi8>, vector<[4]xf32>, vector<2x[4]xindex>)
// CHECK: "a.quantized"()
%6:8 = "a.quantized"() : () -> (!quant.any<i8<-8:7>:f32>, !quant.any<u4>, !quant.uniform<i8:f32, 5.000000e-01>, !quant.uniform<u8<1:254>:f32, 2.500000e-01:128>, !quant.uniform<i8:f32:1, {1.000000e+00:2,5.000000e-01}>, !quant.uniform<i32:f64:0, {2.000000e+00}>, tensor<2x3x!quant.uniform<i8:f32:1, {1.000000e+00,5.000000e-01,2.500000e-01:-3}>>, !quant.calibrated<f32<-0.998:1.232100e+00>>)
// CHECK: "a.attributes"
"a.attributes"() {a = true, b = -5 : i7, c = 1.5 : f8E4M3, d = "s\00\FFt", e = [1, "x", unit], f = {k = i8, l = @a::@b}, g = dense<[[1, -2], [3, 4]]> : tensor<2x2xi4>, h = dense<true> : tensor<3xi1>, i = dense<["p", "q"]> : tensor<2x!a.s>, j = sparse<[[0], [2]], [1.0, 2.0]> : tensor<3xf32>, k = array<i1: true, false>, l = array<f64: 1.0>, m = affine_map<(d0)[s0] -> (d0 ceildiv 2, s0 mod 3)>, n = affine_set<(d0) : (d0 - 1 >= 0, d0 == 0)>, o = #a.opaque<x, "y">, p = !a.type<z>, q = loc("f":1:2), r = strided<[2, ?]>, s = dense<(1.0, -2.0)> : tensor<2xcomplex<f32>>, t = 9223372036854775808 : ui64, u = distinct[0]<42>} : () -> () loc(fused<"m">["a", callsite("b" at "c":3:4), unknown])
