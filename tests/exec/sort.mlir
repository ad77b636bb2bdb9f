// Sorts by keys that can be read off the comparator, and top_k, are movements: radix sorts of slices, stable.
// RUN: tessera run %s --function=sorts --input=random --check --rtol=0 --atol=0
// RUN: tessera run %s --function=sorts --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --function=floats --check --rtol=0 --atol=0
// RUN: tessera run %s --function=floats --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --function=tops --input=random --check --rtol=0 --atol=0
// RUN: tessera run %s --function=tops --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --function=sorts --input=random --threads=1 --output=%t.npz
// RUN: tessera run %s --function=sorts --input=random --threads=3 --expect=%t.npz --rtol=0 --atol=0
// CHECK: 0 by the evaluator's kernels
// CHECK: move
// Sorted elements that nobody wants are not moved, and numbers of elements are in no memory before: the first sort reads %x alone.
// RUN: tessera run %s --function=numbers --input=random --check --rtol=0 --atol=0
// RUN: tessera run %s --function=numbers --input=random --dump-program 2>&1 >/dev/null | FileCheck %s --check-prefix=NUMBERS
// NUMBERS: 1 move sort reads %0:3x4x70xf32@arg0 writes %{{[0-9]+}}:3x4x70xi64@result
// NaNs that have no order: slices without them are sorted by keys, the others are merged as the evaluator merges them. Zeros are equal.
// RUN: tessera run %s --function=partial --input=random --check --rtol=0 --atol=0
// RUN: tessera run %s --function=partial --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// RUN: tessera run %s --function=zeros --check --rtol=0 --atol=0
// RUN: tessera run %s --function=zeros --dump-program 2>&1 >/dev/null | FileCheck %s
func.func @sorts(%x: tensor<3x200x5xf32>, %i: tensor<3x200x5xi32>, %l: tensor<40xi64>, %b: tensor<40xi8>) -> (tensor<3x200x5xf32>, tensor<3x200x5xi32>, tensor<40xi8>, tensor<40xi64>) {
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
    %r = stablehlo.compare GT, %a, %c, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<3x200x5xf32>, tensor<3x200x5xi32>) -> (tensor<3x200x5xf32>, tensor<3x200x5xi32>)
  // Two keys, one of them of 64 bits.
  %1:2 = "stablehlo.sort"(%b, %l) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i8>, %c: tensor<i8>, %p: tensor<i64>, %q: tensor<i64>):
    %less = stablehlo.compare LT, %a, %c : (tensor<i8>, tensor<i8>) -> tensor<i1>
    %same = stablehlo.compare EQ, %a, %c : (tensor<i8>, tensor<i8>) -> tensor<i1>
    %next = stablehlo.compare LT, %p, %q : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %both = stablehlo.and %same, %next : tensor<i1>
    %r = stablehlo.or %less, %both : tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<40xi8>, tensor<40xi64>) -> (tensor<40xi8>, tensor<40xi64>)
  return %0#0, %0#1, %1#0, %1#1 : tensor<3x200x5xf32>, tensor<3x200x5xi32>, tensor<40xi8>, tensor<40xi64>
}
func.func @numbers(%x: tensor<3x4x70xf32>) -> (tensor<3x4x70xi64>, tensor<3x4x70xui32>) {
  %i = stablehlo.iota dim = 1 : tensor<3x4x70xui32>
  %j = stablehlo.iota dim = 2 : tensor<3x4x70xi64>
  %0:2 = "stablehlo.sort"(%j, %x) <{dimension = 2 : i64, is_stable = true}> ({
  ^bb0(%p: tensor<i64>, %q: tensor<i64>, %a: tensor<f32>, %c: tensor<f32>):
    %r = stablehlo.compare GT, %a, %c, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<3x4x70xi64>, tensor<3x4x70xf32>) -> (tensor<3x4x70xi64>, tensor<3x4x70xf32>)
  %1:2 = "stablehlo.sort"(%x, %i) <{dimension = 2 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>, %p: tensor<ui32>, %q: tensor<ui32>):
    %r = stablehlo.compare GT, %a, %c, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<3x4x70xf32>, tensor<3x4x70xui32>) -> (tensor<3x4x70xf32>, tensor<3x4x70xui32>)
  return %0#0, %1#1 : tensor<3x4x70xi64>, tensor<3x4x70xui32>
}
// Zeros and NaNs of both signs, infinities.
func.func @floats() -> (tensor<8xi32>, tensor<8xf32>, tensor<8xi32>) {
  %x = stablehlo.constant dense<[0xFFC00000, 1.0, 0x7FC00000, -0.0, 0x7F800000, 0.0, 0xFF800000, 0x7F800001]> : tensor<8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
    %r = stablehlo.compare LT, %a, %c, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  %values, %indices = chlo.top_k(%x, k = 8) : tensor<8xf32> -> (tensor<8xf32>, tensor<8xi32>)
  %k, %j = chlo.top_k(%x, k = 2) : tensor<8xf32> -> (tensor<2xf32>, tensor<2xi32>)
  %z = stablehlo.constant dense<0> : tensor<i32>
  %pad = stablehlo.pad %j, %z, low = [0], high = [6], interior = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<8xi32>
  %sum = stablehlo.add %indices, %pad : tensor<8xi32>
  return %0#1, %values, %sum : tensor<8xi32>, tensor<8xf32>, tensor<8xi32>
}
func.func @tops(%x: tensor<9x300xf32>, %h: tensor<9x300xbf16>, %i: tensor<4x300xi32>, %d: tensor<2x50xf64>) -> (tensor<9x8xf32>, tensor<9x8xi32>, tensor<9x5xbf16>, tensor<9x5xi32>, tensor<4x100xi32>, tensor<4x100xi32>, tensor<2x3xf64>, tensor<2x3xi32>) {
  %0:2 = chlo.top_k(%x, k = 8) : tensor<9x300xf32> -> (tensor<9x8xf32>, tensor<9x8xi32>)
  %1:2 = chlo.top_k(%h, k = 5) : tensor<9x300xbf16> -> (tensor<9x5xbf16>, tensor<9x5xi32>)
  %2:2 = chlo.top_k(%i, k = 100) : tensor<4x300xi32> -> (tensor<4x100xi32>, tensor<4x100xi32>)
  %3:2 = chlo.top_k(%d, k = 3) : tensor<2x50xf64> -> (tensor<2x3xf64>, tensor<2x3xi32>)
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1, %3#0, %3#1 : tensor<9x8xf32>, tensor<9x8xi32>, tensor<9x5xbf16>, tensor<9x5xi32>, tensor<4x100xi32>, tensor<4x100xi32>, tensor<2x3xf64>, tensor<2x3xi32>
}
func.func @partial(%x: tensor<5x700xf32>, %y: tensor<300x3xf64>, %k: tensor<300x3xi8>, %z: tensor<1000xbf16>, %h: tensor<4x100xf16>)
    -> (tensor<5x700xf32>, tensor<5x700xi32>, tensor<300x3xf64>, tensor<300x3xi8>, tensor<1000xbf16>, tensor<4x100xf16>, tensor<5x700xf32>) {
  // The root of a negative number is NaN; a row of them has none.
  %row = stablehlo.iota dim = 0 : tensor<5x700xf32>
  %three = stablehlo.constant dense<3.0> : tensor<5x700xf32>
  %up = stablehlo.subtract %three, %row : tensor<5x700xf32>
  %shifted = stablehlo.add %x, %up : tensor<5x700xf32>
  %xs = stablehlo.sqrt %shifted : tensor<5x700xf32>
  %i = stablehlo.iota dim = 1 : tensor<5x700xi32>
  %0:2 = "stablehlo.sort"(%xs, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
    %r = stablehlo.compare LT, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<5x700xf32>, tensor<5x700xi32>) -> (tensor<5x700xf32>, tensor<5x700xi32>)
  %ys = stablehlo.sqrt %y : tensor<300x3xf64>
  %mask = stablehlo.constant dense<3> : tensor<300x3xi8>
  %few = stablehlo.and %k, %mask : tensor<300x3xi8>
  %1:2 = "stablehlo.sort"(%ys, %few) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f64>, %c: tensor<f64>, %p: tensor<i8>, %q: tensor<i8>):
    %less = stablehlo.compare LT, %p, %q : (tensor<i8>, tensor<i8>) -> tensor<i1>
    %same = stablehlo.compare EQ, %p, %q : (tensor<i8>, tensor<i8>) -> tensor<i1>
    %next = stablehlo.compare GT, %a, %c : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %both = stablehlo.and %same, %next : tensor<i1>
    %r = stablehlo.or %less, %both : tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<300x3xf64>, tensor<300x3xi8>) -> (tensor<300x3xf64>, tensor<300x3xi8>)
  %zs = stablehlo.log %z : tensor<1000xbf16>
  %2 = "stablehlo.sort"(%zs) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<bf16>, %c: tensor<bf16>):
    %r = stablehlo.compare GT, %a, %c : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<1000xbf16>) -> tensor<1000xbf16>
  %3 = "stablehlo.sort"(%h) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f16>, %c: tensor<f16>):
    %r = stablehlo.compare LT, %c, %a : (tensor<f16>, tensor<f16>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<4x100xf16>) -> tensor<4x100xf16>
  %4 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = false}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    %r = stablehlo.compare LT, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<5x700xf32>) -> tensor<5x700xf32>
  return %0#0, %0#1, %1#0, %1#1, %2, %3, %4 : tensor<5x700xf32>, tensor<5x700xi32>, tensor<300x3xf64>, tensor<300x3xi8>, tensor<1000xbf16>, tensor<4x100xf16>, tensor<5x700xf32>
}
func.func @zeros() -> (tensor<8xf32>, tensor<8xi32>, tensor<8xf32>, tensor<8xi32>) {
  %x = stablehlo.constant dense<[0.0, 1.0, -0.0, 0.0, 0x7F800000, -0.0, 0xFF800000, -1.0]> : tensor<8xf32>
  %y = stablehlo.constant dense<[0.0, 0x7FC00001, -0.0, 0.0, 0xFFC00000, -0.0, 0xFF800000, -1.0]> : tensor<8xf32>
  %i = stablehlo.iota dim = 0 : tensor<8xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
    %r = stablehlo.compare LT, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  %1:2 = "stablehlo.sort"(%y, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
    %r = stablehlo.compare GT, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  return %0#0, %0#1, %1#0, %1#1 : tensor<8xf32>, tensor<8xi32>, tensor<8xf32>, tensor<8xi32>
}
