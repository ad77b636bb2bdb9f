// Attention's gradient is one group: two products, a loop over their rows, a product of the rows that it gives, and products that contract them. Scores and their gradients are
// never in memory as a whole.
// RUN: tessera run %s --input=random --dump-program --check 2>&1 | FileCheck %s --check-prefixes=GRADIENT,PASS
// RUN: tessera run %s --input=random --threads=1 >%t.one && tessera run %s --input=random --threads=2 | cmp - %t.one
// RUN: tessera run %s --input=random --threads=1 >%t.one && tessera run %s --input=random --threads=3 | cmp - %t.one
// RUN: tessera run %s --input=random --threads=1 >%t.one && tessera run %s --input=random --threads=7 | cmp - %t.one
// Without a mask, with tiles that do not end with the results.
// RUN: tessera run %s --input=random --dump-program --check --function=full 2>&1 | FileCheck %s --check-prefixes=GRADIENT,PASS
// RUN: tessera run %s --input=random --function=full --threads=1 >%t.one && tessera run %s --input=random --function=full --threads=2 | cmp - %t.one
// RUN: tessera run %s --input=random --function=full --threads=1 >%t.one && tessera run %s --input=random --function=full --threads=3 | cmp - %t.one
// RUN: tessera run %s --input=random --function=full --threads=1 >%t.one && tessera run %s --input=random --function=full --threads=7 | cmp - %t.one
// Enough matrices: none is in parts.
// RUN: tessera run %s --input=random --dump-program --check --function=many 2>&1 | FileCheck %s --check-prefixes=GRADIENT,PASS
// RUN: tessera run %s --input=random --function=many --threads=1 >%t.one && tessera run %s --input=random --function=many --threads=2 | cmp - %t.one
// RUN: tessera run %s --input=random --function=many --threads=1 >%t.one && tessera run %s --input=random --function=many --threads=3 | cmp - %t.one
// RUN: tessera run %s --input=random --function=many --threads=1 >%t.one && tessera run %s --input=random --function=many --threads=7 | cmp - %t.one
// Tiles that end with the results: sums are there.
// RUN: tessera run %s --input=random --dump-program --check --function=wide 2>&1 | FileCheck %s --check-prefixes=GRADIENT,PASS
// RUN: tessera run %s --input=random --dump-program --check --function=wide_turned 2>&1 | FileCheck %s --check-prefixes=GRADIENT,PASS
// One matrix.
// RUN: tessera run %s --input=random --dump-program --check --function=alone 2>&1 | FileCheck %s --check-prefixes=GRADIENT,PASS
// Results that are written transposed.
// RUN: tessera run %s --input=random --dump-program --check --function=turned 2>&1 | FileCheck %s --check-prefixes=GRADIENT,PASS
// The probabilities come from outside.
// RUN: tessera run %s --input=random --dump-program --check --function=saved 2>&1 | FileCheck %s --check-prefixes=GRADIENT,PASS
// The forward pass is a chain of its own. What it keeps is contracted where it lies.
// RUN: tessera run %s --input=random --dump-program --check --function=stored 2>&1 | FileCheck %s --check-prefixes=STORED,PASS
// It keeps exponentials and their sums: the gradient computes the probabilities again.
// RUN: tessera run %s --input=random --dump-program --check --function=again 2>&1 | FileCheck %s --check-prefixes=AGAIN,PASS
// RUN: tessera run %s --input=random --function=again --threads=1 >%t.one && tessera run %s --input=random --function=again --threads=2 | cmp - %t.one
// RUN: tessera run %s --input=random --function=again --threads=1 >%t.one && tessera run %s --input=random --function=again --threads=3 | cmp - %t.one
// RUN: tessera run %s --input=random --function=again --threads=1 >%t.one && tessera run %s --input=random --function=again --threads=7 | cmp - %t.one
// The gradients of scores are read by others, too.
// RUN: tessera run %s --input=random --dump-program --check --function=kept 2>&1 | FileCheck %s --check-prefixes=GRADIENT,PASS
// No product of the rows, but of those that contract them.
// RUN: tessera run %s --input=random --dump-program --check --function=keys 2>&1 | FileCheck %s --check-prefixes=GRADIENT,PASS
// One of each.
// RUN: tessera run %s --input=random --dump-program --check --function=one 2>&1 | FileCheck %s --check-prefixes=GRADIENT,PASS
// What is no number, beside zeros that a mask leaves.
// RUN: tessera run %s --input=random --dump-program --check --function=nan_keys 2>&1 | FileCheck %s --check-prefixes=GRADIENT,PASS
// RUN: tessera run %s --input=random --dump-program --check --function=inf_queries 2>&1 | FileCheck %s --check-prefixes=GRADIENT,PASS
// RUN: tessera run %s --input=random --dump-program --check --function=inf_gradients 2>&1 | FileCheck %s --check-prefixes=GRADIENT,PASS
// RUN: tessera run %s --input=random --dump-program --check --function=nan_first 2>&1 | FileCheck %s --check-prefixes=GRADIENT,PASS
// A few large matrices, with too few rows for several threads: the products are apart.
// RUN: tessera run %s --input=random --dump-program --check --function=few 2>&1 | FileCheck %s --check-prefixes=FEW,PASS
// A product that the loop reads, and one of its ends contracts as it is.
// RUN: tessera run %s --input=random --check --function=read_raw | FileCheck %s --check-prefix=PASS
// RUN: tessera run %s --input=random --check=ops | FileCheck %s --check-prefix=PASS
// RUN: tessera compile %s -o %t.tsrx && tessera run %s --input=random >%t.one && tessera run %t.tsrx --input=random | cmp - %t.one
// PASS: PASS
// PASS-NOT: FAIL
// GRADIENT: program of
// GRADIENT-NOT: {{^[0-9]+}} contract
// GRADIENT: {{^[0-9]+}} chain {{.*}}dot_general
// GRADIENT-NOT: {{^[0-9]+}} {{contract|chain}}
// STORED: program of
// STORED-COUNT-2: {{^[0-9]+}} chain
// STORED-NOT: {{^[0-9]+}} contract
// AGAIN: program of
// AGAIN: {{^[0-9]+}} chain {{.*}} writes %{{[0-9]+}}:2x104x104xf32@{{[0-9]+}} %{{[0-9]+}}:2x104xf32@{{[^ ]+}} %{{[0-9]+}}:2x104x5xf32@
// AGAIN: {{^[0-9]+}} chain divide+dot_general
// AGAIN-NOT: {{^[0-9]+}} contract
// FEW: program of
// FEW: {{^[0-9]+}} contract
// FEW-NOT: {{^[0-9]+}} chain
module {
  func.func @main(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>, %g: tensor<2x104x5xf32>) -> (tensor<2x104x8xf32>, tensor<2x104x8xf32>, tensor<2x104x5xf32>) {
    %r = stablehlo.iota dim = 0 : tensor<104x104xi32>
    %c = stablehlo.iota dim = 1 : tensor<104x104xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<104x104xi32>, tensor<104x104xi32>) -> tensor<104x104xi1>
    %mask = stablehlo.broadcast_in_dim %causal, dims = [1, 2] : (tensor<104x104xi1>) -> tensor<2x104x104xi1>
    %1 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x8xf32>, tensor<2x104x8xf32>) -> tensor<2x104x104xf32>
    %2 = stablehlo.constant dense<-1.0e30> : tensor<2x104x104xf32>
    %3 = stablehlo.select %mask, %1, %2 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.maximum across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %7 = stablehlo.subtract %3, %6 : tensor<2x104x104xf32>
    %8 = stablehlo.exponential %7 : tensor<2x104x104xf32>
    %9 = stablehlo.constant dense<0.0> : tensor<f32>
    %10 = stablehlo.reduce(%8 init: %9) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %12 = stablehlo.divide %8, %11 : tensor<2x104x104xf32>
    %13 = stablehlo.dot_general %12, %g, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    %14 = stablehlo.dot_general %g, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x5xf32>, tensor<2x104x5xf32>) -> tensor<2x104x104xf32>
    %15 = stablehlo.multiply %14, %12 : tensor<2x104x104xf32>
    %16 = stablehlo.constant dense<0.0> : tensor<f32>
    %17 = stablehlo.reduce(%15 init: %16) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %19 = stablehlo.subtract %14, %18 : tensor<2x104x104xf32>
    %20 = stablehlo.multiply %19, %12 : tensor<2x104x104xf32>
    %21 = stablehlo.constant dense<0.0> : tensor<2x104x104xf32>
    %22 = stablehlo.select %mask, %20, %21 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %23 = stablehlo.dot_general %22, %q, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x8xf32>) -> tensor<2x104x8xf32>
    %24 = stablehlo.dot_general %22, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x8xf32>) -> tensor<2x104x8xf32>
    return %24, %23, %13 : tensor<2x104x8xf32>, tensor<2x104x8xf32>, tensor<2x104x5xf32>
  }
  func.func @full(%q: tensor<3x2x57x7xf32>, %k: tensor<3x2x43x7xf32>, %v: tensor<3x2x43x11xf32>, %g: tensor<3x2x57x11xf32>) -> (tensor<3x2x57x7xf32>, tensor<3x2x43x7xf32>, tensor<3x2x43x11xf32>) {
    %1 = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<3x2x57x7xf32>, tensor<3x2x43x7xf32>) -> tensor<3x2x57x43xf32>
    %2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%1 init: %2) applies stablehlo.maximum across dimensions = [3] : (tensor<3x2x57x43xf32>, tensor<f32>) -> tensor<3x2x57xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<3x2x57xf32>) -> tensor<3x2x57x43xf32>
    %5 = stablehlo.subtract %1, %4 : tensor<3x2x57x43xf32>
    %6 = stablehlo.exponential %5 : tensor<3x2x57x43xf32>
    %7 = stablehlo.constant dense<0.0> : tensor<f32>
    %8 = stablehlo.reduce(%6 init: %7) applies stablehlo.add across dimensions = [3] : (tensor<3x2x57x43xf32>, tensor<f32>) -> tensor<3x2x57xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<3x2x57xf32>) -> tensor<3x2x57x43xf32>
    %10 = stablehlo.divide %6, %9 : tensor<3x2x57x43xf32>
    %11 = stablehlo.dot_general %10, %g, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<3x2x57x43xf32>, tensor<3x2x57x11xf32>) -> tensor<3x2x43x11xf32>
    %12 = stablehlo.dot_general %g, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<3x2x57x11xf32>, tensor<3x2x43x11xf32>) -> tensor<3x2x57x43xf32>
    %13 = stablehlo.multiply %12, %10 : tensor<3x2x57x43xf32>
    %14 = stablehlo.constant dense<0.0> : tensor<f32>
    %15 = stablehlo.reduce(%13 init: %14) applies stablehlo.add across dimensions = [3] : (tensor<3x2x57x43xf32>, tensor<f32>) -> tensor<3x2x57xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<3x2x57xf32>) -> tensor<3x2x57x43xf32>
    %17 = stablehlo.subtract %12, %16 : tensor<3x2x57x43xf32>
    %18 = stablehlo.multiply %17, %10 : tensor<3x2x57x43xf32>
    %19 = stablehlo.dot_general %18, %q, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<3x2x57x43xf32>, tensor<3x2x57x7xf32>) -> tensor<3x2x43x7xf32>
    %20 = stablehlo.dot_general %18, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<3x2x57x43xf32>, tensor<3x2x43x7xf32>) -> tensor<3x2x57x7xf32>
    return %20, %19, %11 : tensor<3x2x57x7xf32>, tensor<3x2x43x7xf32>, tensor<3x2x43x11xf32>
  }
  func.func @many(%q: tensor<4x4x104x8xf32>, %k: tensor<4x4x52x8xf32>, %v: tensor<4x4x52x5xf32>, %g: tensor<4x4x104x5xf32>) -> (tensor<4x4x104x8xf32>, tensor<4x4x52x8xf32>, tensor<4x4x52x5xf32>) {
    %r = stablehlo.iota dim = 0 : tensor<104x52xi32>
    %c = stablehlo.iota dim = 1 : tensor<104x52xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<104x52xi32>, tensor<104x52xi32>) -> tensor<104x52xi1>
    %mask = stablehlo.broadcast_in_dim %causal, dims = [2, 3] : (tensor<104x52xi1>) -> tensor<4x4x104x52xi1>
    %1 = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<4x4x104x8xf32>, tensor<4x4x52x8xf32>) -> tensor<4x4x104x52xf32>
    %2 = stablehlo.constant dense<-1.0e30> : tensor<4x4x104x52xf32>
    %3 = stablehlo.select %mask, %1, %2 : tensor<4x4x104x52xi1>, tensor<4x4x104x52xf32>
    %4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.maximum across dimensions = [3] : (tensor<4x4x104x52xf32>, tensor<f32>) -> tensor<4x4x104xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<4x4x104xf32>) -> tensor<4x4x104x52xf32>
    %7 = stablehlo.subtract %3, %6 : tensor<4x4x104x52xf32>
    %8 = stablehlo.exponential %7 : tensor<4x4x104x52xf32>
    %9 = stablehlo.constant dense<0.0> : tensor<f32>
    %10 = stablehlo.reduce(%8 init: %9) applies stablehlo.add across dimensions = [3] : (tensor<4x4x104x52xf32>, tensor<f32>) -> tensor<4x4x104xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<4x4x104xf32>) -> tensor<4x4x104x52xf32>
    %12 = stablehlo.divide %8, %11 : tensor<4x4x104x52xf32>
    %13 = stablehlo.dot_general %12, %g, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<4x4x104x52xf32>, tensor<4x4x104x5xf32>) -> tensor<4x4x52x5xf32>
    %14 = stablehlo.dot_general %g, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<4x4x104x5xf32>, tensor<4x4x52x5xf32>) -> tensor<4x4x104x52xf32>
    %15 = stablehlo.multiply %14, %12 : tensor<4x4x104x52xf32>
    %16 = stablehlo.constant dense<0.0> : tensor<f32>
    %17 = stablehlo.reduce(%15 init: %16) applies stablehlo.add across dimensions = [3] : (tensor<4x4x104x52xf32>, tensor<f32>) -> tensor<4x4x104xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<4x4x104xf32>) -> tensor<4x4x104x52xf32>
    %19 = stablehlo.subtract %14, %18 : tensor<4x4x104x52xf32>
    %20 = stablehlo.multiply %19, %12 : tensor<4x4x104x52xf32>
    %21 = stablehlo.constant dense<0.0> : tensor<4x4x104x52xf32>
    %22 = stablehlo.select %mask, %20, %21 : tensor<4x4x104x52xi1>, tensor<4x4x104x52xf32>
    %23 = stablehlo.dot_general %22, %q, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<4x4x104x52xf32>, tensor<4x4x104x8xf32>) -> tensor<4x4x52x8xf32>
    %24 = stablehlo.dot_general %22, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<4x4x104x52xf32>, tensor<4x4x52x8xf32>) -> tensor<4x4x104x8xf32>
    return %24, %23, %13 : tensor<4x4x104x8xf32>, tensor<4x4x52x8xf32>, tensor<4x4x52x5xf32>
  }
  func.func @wide(%q: tensor<2x49x8xf32>, %k: tensor<2x64x8xf32>, %v: tensor<2x64x32xf32>, %g: tensor<2x49x32xf32>) -> (tensor<2x49x8xf32>, tensor<2x64x8xf32>, tensor<2x64x32xf32>) {
    %1 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x49x8xf32>, tensor<2x64x8xf32>) -> tensor<2x49x64xf32>
    %2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%1 init: %2) applies stablehlo.maximum across dimensions = [2] : (tensor<2x49x64xf32>, tensor<f32>) -> tensor<2x49xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x49xf32>) -> tensor<2x49x64xf32>
    %5 = stablehlo.subtract %1, %4 : tensor<2x49x64xf32>
    %6 = stablehlo.exponential %5 : tensor<2x49x64xf32>
    %7 = stablehlo.constant dense<0.0> : tensor<f32>
    %8 = stablehlo.reduce(%6 init: %7) applies stablehlo.add across dimensions = [2] : (tensor<2x49x64xf32>, tensor<f32>) -> tensor<2x49xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<2x49xf32>) -> tensor<2x49x64xf32>
    %10 = stablehlo.divide %6, %9 : tensor<2x49x64xf32>
    %11 = stablehlo.dot_general %10, %g, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x49x64xf32>, tensor<2x49x32xf32>) -> tensor<2x64x32xf32>
    %12 = stablehlo.dot_general %g, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x49x32xf32>, tensor<2x64x32xf32>) -> tensor<2x49x64xf32>
    %13 = stablehlo.multiply %12, %10 : tensor<2x49x64xf32>
    %14 = stablehlo.constant dense<0.0> : tensor<f32>
    %15 = stablehlo.reduce(%13 init: %14) applies stablehlo.add across dimensions = [2] : (tensor<2x49x64xf32>, tensor<f32>) -> tensor<2x49xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<2x49xf32>) -> tensor<2x49x64xf32>
    %17 = stablehlo.subtract %12, %16 : tensor<2x49x64xf32>
    %18 = stablehlo.multiply %17, %10 : tensor<2x49x64xf32>
    %19 = stablehlo.dot_general %18, %q, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x49x64xf32>, tensor<2x49x8xf32>) -> tensor<2x64x8xf32>
    %20 = stablehlo.dot_general %18, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x49x64xf32>, tensor<2x64x8xf32>) -> tensor<2x49x8xf32>
    return %20, %19, %11 : tensor<2x49x8xf32>, tensor<2x64x8xf32>, tensor<2x64x32xf32>
  }
  func.func @wide_turned(%q: tensor<2x49x8xf32>, %k: tensor<2x64x8xf32>, %v: tensor<2x64x12xf32>, %g: tensor<2x49x12xf32>) -> (tensor<2x49x8xf32>, tensor<2x8x64xf32>, tensor<2x12x64xf32>) {
    %1 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x49x8xf32>, tensor<2x64x8xf32>) -> tensor<2x49x64xf32>
    %2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%1 init: %2) applies stablehlo.maximum across dimensions = [2] : (tensor<2x49x64xf32>, tensor<f32>) -> tensor<2x49xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x49xf32>) -> tensor<2x49x64xf32>
    %5 = stablehlo.subtract %1, %4 : tensor<2x49x64xf32>
    %6 = stablehlo.exponential %5 : tensor<2x49x64xf32>
    %7 = stablehlo.constant dense<0.0> : tensor<f32>
    %8 = stablehlo.reduce(%6 init: %7) applies stablehlo.add across dimensions = [2] : (tensor<2x49x64xf32>, tensor<f32>) -> tensor<2x49xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<2x49xf32>) -> tensor<2x49x64xf32>
    %10 = stablehlo.divide %6, %9 : tensor<2x49x64xf32>
    %11 = stablehlo.dot_general %g, %10, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x49x12xf32>, tensor<2x49x64xf32>) -> tensor<2x12x64xf32>
    %12 = stablehlo.dot_general %g, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x49x12xf32>, tensor<2x64x12xf32>) -> tensor<2x49x64xf32>
    %13 = stablehlo.multiply %12, %10 : tensor<2x49x64xf32>
    %14 = stablehlo.constant dense<0.0> : tensor<f32>
    %15 = stablehlo.reduce(%13 init: %14) applies stablehlo.add across dimensions = [2] : (tensor<2x49x64xf32>, tensor<f32>) -> tensor<2x49xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<2x49xf32>) -> tensor<2x49x64xf32>
    %17 = stablehlo.subtract %12, %16 : tensor<2x49x64xf32>
    %18 = stablehlo.multiply %17, %10 : tensor<2x49x64xf32>
    %19 = stablehlo.dot_general %q, %18, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x49x8xf32>, tensor<2x49x64xf32>) -> tensor<2x8x64xf32>
    %20 = stablehlo.dot_general %18, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x49x64xf32>, tensor<2x64x8xf32>) -> tensor<2x49x8xf32>
    return %20, %19, %11 : tensor<2x49x8xf32>, tensor<2x8x64xf32>, tensor<2x12x64xf32>
  }
  func.func @alone(%q: tensor<49x8xf32>, %k: tensor<33x8xf32>, %v: tensor<33x16xf32>, %g: tensor<49x16xf32>) -> (tensor<49x8xf32>, tensor<33x8xf32>, tensor<33x16xf32>) {
    %r = stablehlo.iota dim = 0 : tensor<49x33xi32>
    %c = stablehlo.iota dim = 1 : tensor<49x33xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<49x33xi32>, tensor<49x33xi32>) -> tensor<49x33xi1>
    %mask = stablehlo.broadcast_in_dim %causal, dims = [0, 1] : (tensor<49x33xi1>) -> tensor<49x33xi1>
    %1 = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<49x8xf32>, tensor<33x8xf32>) -> tensor<49x33xf32>
    %2 = stablehlo.constant dense<-1.0e30> : tensor<49x33xf32>
    %3 = stablehlo.select %mask, %1, %2 : tensor<49x33xi1>, tensor<49x33xf32>
    %4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.maximum across dimensions = [1] : (tensor<49x33xf32>, tensor<f32>) -> tensor<49xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<49xf32>) -> tensor<49x33xf32>
    %7 = stablehlo.subtract %3, %6 : tensor<49x33xf32>
    %8 = stablehlo.exponential %7 : tensor<49x33xf32>
    %9 = stablehlo.constant dense<0.0> : tensor<f32>
    %10 = stablehlo.reduce(%8 init: %9) applies stablehlo.add across dimensions = [1] : (tensor<49x33xf32>, tensor<f32>) -> tensor<49xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<49xf32>) -> tensor<49x33xf32>
    %12 = stablehlo.divide %8, %11 : tensor<49x33xf32>
    %13 = stablehlo.dot_general %12, %g, contracting_dims = [0] x [0] : (tensor<49x33xf32>, tensor<49x16xf32>) -> tensor<33x16xf32>
    %14 = stablehlo.dot_general %g, %v, contracting_dims = [1] x [1] : (tensor<49x16xf32>, tensor<33x16xf32>) -> tensor<49x33xf32>
    %15 = stablehlo.multiply %14, %12 : tensor<49x33xf32>
    %16 = stablehlo.constant dense<0.0> : tensor<f32>
    %17 = stablehlo.reduce(%15 init: %16) applies stablehlo.add across dimensions = [1] : (tensor<49x33xf32>, tensor<f32>) -> tensor<49xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0] : (tensor<49xf32>) -> tensor<49x33xf32>
    %19 = stablehlo.subtract %14, %18 : tensor<49x33xf32>
    %20 = stablehlo.multiply %19, %12 : tensor<49x33xf32>
    %21 = stablehlo.constant dense<0.0> : tensor<49x33xf32>
    %22 = stablehlo.select %mask, %20, %21 : tensor<49x33xi1>, tensor<49x33xf32>
    %23 = stablehlo.dot_general %22, %q, contracting_dims = [0] x [0] : (tensor<49x33xf32>, tensor<49x8xf32>) -> tensor<33x8xf32>
    %24 = stablehlo.dot_general %22, %k, contracting_dims = [1] x [0] : (tensor<49x33xf32>, tensor<33x8xf32>) -> tensor<49x8xf32>
    return %24, %23, %13 : tensor<49x8xf32>, tensor<33x8xf32>, tensor<33x16xf32>
  }
  func.func @turned(%q: tensor<2x104x8xf32>, %k: tensor<2x96x8xf32>, %v: tensor<2x96x5xf32>, %g: tensor<2x104x5xf32>) -> (tensor<2x104x8xf32>, tensor<2x8x96xf32>, tensor<2x5x96xf32>) {
    %r = stablehlo.iota dim = 0 : tensor<104x96xi32>
    %c = stablehlo.iota dim = 1 : tensor<104x96xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<104x96xi32>, tensor<104x96xi32>) -> tensor<104x96xi1>
    %mask = stablehlo.broadcast_in_dim %causal, dims = [1, 2] : (tensor<104x96xi1>) -> tensor<2x104x96xi1>
    %1 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x8xf32>, tensor<2x96x8xf32>) -> tensor<2x104x96xf32>
    %2 = stablehlo.constant dense<-1.0e30> : tensor<2x104x96xf32>
    %3 = stablehlo.select %mask, %1, %2 : tensor<2x104x96xi1>, tensor<2x104x96xf32>
    %4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.maximum across dimensions = [2] : (tensor<2x104x96xf32>, tensor<f32>) -> tensor<2x104xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x96xf32>
    %7 = stablehlo.subtract %3, %6 : tensor<2x104x96xf32>
    %8 = stablehlo.exponential %7 : tensor<2x104x96xf32>
    %9 = stablehlo.constant dense<0.0> : tensor<f32>
    %10 = stablehlo.reduce(%8 init: %9) applies stablehlo.add across dimensions = [2] : (tensor<2x104x96xf32>, tensor<f32>) -> tensor<2x104xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x96xf32>
    %12 = stablehlo.divide %8, %11 : tensor<2x104x96xf32>
    %13 = stablehlo.dot_general %g, %12, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x5xf32>, tensor<2x104x96xf32>) -> tensor<2x5x96xf32>
    %14 = stablehlo.dot_general %g, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x5xf32>, tensor<2x96x5xf32>) -> tensor<2x104x96xf32>
    %15 = stablehlo.multiply %14, %12 : tensor<2x104x96xf32>
    %16 = stablehlo.constant dense<0.0> : tensor<f32>
    %17 = stablehlo.reduce(%15 init: %16) applies stablehlo.add across dimensions = [2] : (tensor<2x104x96xf32>, tensor<f32>) -> tensor<2x104xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x96xf32>
    %19 = stablehlo.subtract %14, %18 : tensor<2x104x96xf32>
    %20 = stablehlo.multiply %19, %12 : tensor<2x104x96xf32>
    %21 = stablehlo.constant dense<0.0> : tensor<2x104x96xf32>
    %22 = stablehlo.select %mask, %20, %21 : tensor<2x104x96xi1>, tensor<2x104x96xf32>
    %23 = stablehlo.dot_general %q, %22, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x8xf32>, tensor<2x104x96xf32>) -> tensor<2x8x96xf32>
    %24 = stablehlo.dot_general %22, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x96xf32>, tensor<2x96x8xf32>) -> tensor<2x104x8xf32>
    return %24, %23, %13 : tensor<2x104x8xf32>, tensor<2x8x96xf32>, tensor<2x5x96xf32>
  }
  func.func @saved(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>, %g: tensor<2x104x5xf32>, %p: tensor<2x104x104xf32>) -> (tensor<2x104x8xf32>, tensor<2x104x8xf32>, tensor<2x104x5xf32>) {
    %r = stablehlo.iota dim = 0 : tensor<104x104xi32>
    %c = stablehlo.iota dim = 1 : tensor<104x104xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<104x104xi32>, tensor<104x104xi32>) -> tensor<104x104xi1>
    %mask = stablehlo.broadcast_in_dim %causal, dims = [1, 2] : (tensor<104x104xi1>) -> tensor<2x104x104xi1>
    %1 = stablehlo.constant dense<0.0> : tensor<2x104x104xf32>
    %2 = stablehlo.select %mask, %p, %1 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %3 = stablehlo.dot_general %2, %g, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    %4 = stablehlo.dot_general %g, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x5xf32>, tensor<2x104x5xf32>) -> tensor<2x104x104xf32>
    %5 = stablehlo.multiply %4, %2 : tensor<2x104x104xf32>
    %6 = stablehlo.constant dense<0.0> : tensor<f32>
    %7 = stablehlo.reduce(%5 init: %6) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %9 = stablehlo.subtract %4, %8 : tensor<2x104x104xf32>
    %10 = stablehlo.multiply %9, %2 : tensor<2x104x104xf32>
    %11 = stablehlo.constant dense<0.0> : tensor<2x104x104xf32>
    %12 = stablehlo.select %mask, %10, %11 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %13 = stablehlo.dot_general %12, %q, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x8xf32>) -> tensor<2x104x8xf32>
    %14 = stablehlo.dot_general %12, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x8xf32>) -> tensor<2x104x8xf32>
    return %14, %13, %3 : tensor<2x104x8xf32>, tensor<2x104x8xf32>, tensor<2x104x5xf32>
  }
  func.func @stored(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>, %g: tensor<2x104x5xf32>) -> (tensor<2x104x5xf32>, tensor<2x104x8xf32>, tensor<2x104x8xf32>, tensor<2x104x5xf32>) {
    %r = stablehlo.iota dim = 0 : tensor<104x104xi32>
    %c = stablehlo.iota dim = 1 : tensor<104x104xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<104x104xi32>, tensor<104x104xi32>) -> tensor<104x104xi1>
    %mask = stablehlo.broadcast_in_dim %causal, dims = [1, 2] : (tensor<104x104xi1>) -> tensor<2x104x104xi1>
    %1 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x8xf32>, tensor<2x104x8xf32>) -> tensor<2x104x104xf32>
    %2 = stablehlo.constant dense<-1.0e30> : tensor<2x104x104xf32>
    %3 = stablehlo.select %mask, %1, %2 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.maximum across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %7 = stablehlo.subtract %3, %6 : tensor<2x104x104xf32>
    %8 = stablehlo.exponential %7 : tensor<2x104x104xf32>
    %9 = stablehlo.constant dense<0.0> : tensor<f32>
    %10 = stablehlo.reduce(%8 init: %9) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %12 = stablehlo.divide %8, %11 : tensor<2x104x104xf32>
    %13 = stablehlo.dot_general %12, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    %14 = stablehlo.tanh %13 : tensor<2x104x5xf32>
    %15 = stablehlo.multiply %g, %14 : tensor<2x104x5xf32>
    %16 = stablehlo.dot_general %12, %15, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    %17 = stablehlo.dot_general %15, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x5xf32>, tensor<2x104x5xf32>) -> tensor<2x104x104xf32>
    %18 = stablehlo.multiply %17, %12 : tensor<2x104x104xf32>
    %19 = stablehlo.constant dense<0.0> : tensor<f32>
    %20 = stablehlo.reduce(%18 init: %19) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %22 = stablehlo.subtract %17, %21 : tensor<2x104x104xf32>
    %23 = stablehlo.multiply %22, %12 : tensor<2x104x104xf32>
    %24 = stablehlo.constant dense<0.0> : tensor<2x104x104xf32>
    %25 = stablehlo.select %mask, %23, %24 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %26 = stablehlo.dot_general %25, %q, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x8xf32>) -> tensor<2x104x8xf32>
    %27 = stablehlo.dot_general %25, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x8xf32>) -> tensor<2x104x8xf32>
    return %14, %27, %26, %16 : tensor<2x104x5xf32>, tensor<2x104x8xf32>, tensor<2x104x8xf32>, tensor<2x104x5xf32>
  }
  func.func @again(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>, %g: tensor<2x104x5xf32>) -> (tensor<2x104x5xf32>, tensor<2x104x8xf32>, tensor<2x104x8xf32>, tensor<2x104x5xf32>) {
    %r = stablehlo.iota dim = 0 : tensor<104x104xi32>
    %c = stablehlo.iota dim = 1 : tensor<104x104xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<104x104xi32>, tensor<104x104xi32>) -> tensor<104x104xi1>
    %mask = stablehlo.broadcast_in_dim %causal, dims = [1, 2] : (tensor<104x104xi1>) -> tensor<2x104x104xi1>
    %1 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x8xf32>, tensor<2x104x8xf32>) -> tensor<2x104x104xf32>
    %2 = stablehlo.constant dense<-1.0e30> : tensor<2x104x104xf32>
    %3 = stablehlo.select %mask, %1, %2 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.maximum across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %7 = stablehlo.subtract %3, %6 : tensor<2x104x104xf32>
    %8 = stablehlo.exponential %7 : tensor<2x104x104xf32>
    %9 = stablehlo.constant dense<0.0> : tensor<f32>
    %10 = stablehlo.reduce(%8 init: %9) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %12 = stablehlo.divide %8, %11 : tensor<2x104x104xf32>
    %13 = stablehlo.dot_general %12, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    %14 = stablehlo.tanh %13 : tensor<2x104x5xf32>
    %15 = stablehlo.multiply %g, %14 : tensor<2x104x5xf32>
    %16 = stablehlo.dot_general %12, %15, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    %17 = stablehlo.dot_general %15, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x5xf32>, tensor<2x104x5xf32>) -> tensor<2x104x104xf32>
    %18 = stablehlo.multiply %10, %10 : tensor<2x104xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %20 = stablehlo.divide %17, %19 : tensor<2x104x104xf32>
    %21 = stablehlo.multiply %20, %8 : tensor<2x104x104xf32>
    %22 = stablehlo.constant dense<0.0> : tensor<f32>
    %23 = stablehlo.reduce(%21 init: %22) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %25 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %26 = stablehlo.divide %17, %25 : tensor<2x104x104xf32>
    %27 = stablehlo.subtract %26, %24 : tensor<2x104x104xf32>
    %28 = stablehlo.multiply %27, %8 : tensor<2x104x104xf32>
    %29 = stablehlo.constant dense<0.0> : tensor<2x104x104xf32>
    %30 = stablehlo.select %mask, %28, %29 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %31 = stablehlo.dot_general %30, %q, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x8xf32>) -> tensor<2x104x8xf32>
    %32 = stablehlo.dot_general %30, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x8xf32>) -> tensor<2x104x8xf32>
    return %14, %32, %31, %16 : tensor<2x104x5xf32>, tensor<2x104x8xf32>, tensor<2x104x8xf32>, tensor<2x104x5xf32>
  }
  func.func @kept(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>, %g: tensor<2x104x5xf32>) -> (tensor<2x104x8xf32>, tensor<2x104x8xf32>, tensor<2x104x5xf32>, tensor<2x104x104xf32>) {
    %r = stablehlo.iota dim = 0 : tensor<104x104xi32>
    %c = stablehlo.iota dim = 1 : tensor<104x104xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<104x104xi32>, tensor<104x104xi32>) -> tensor<104x104xi1>
    %mask = stablehlo.broadcast_in_dim %causal, dims = [1, 2] : (tensor<104x104xi1>) -> tensor<2x104x104xi1>
    %1 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x8xf32>, tensor<2x104x8xf32>) -> tensor<2x104x104xf32>
    %2 = stablehlo.constant dense<-1.0e30> : tensor<2x104x104xf32>
    %3 = stablehlo.select %mask, %1, %2 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.maximum across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %7 = stablehlo.subtract %3, %6 : tensor<2x104x104xf32>
    %8 = stablehlo.exponential %7 : tensor<2x104x104xf32>
    %9 = stablehlo.constant dense<0.0> : tensor<f32>
    %10 = stablehlo.reduce(%8 init: %9) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %12 = stablehlo.divide %8, %11 : tensor<2x104x104xf32>
    %13 = stablehlo.dot_general %12, %g, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    %14 = stablehlo.dot_general %g, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x5xf32>, tensor<2x104x5xf32>) -> tensor<2x104x104xf32>
    %15 = stablehlo.multiply %14, %12 : tensor<2x104x104xf32>
    %16 = stablehlo.constant dense<0.0> : tensor<f32>
    %17 = stablehlo.reduce(%15 init: %16) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %19 = stablehlo.subtract %14, %18 : tensor<2x104x104xf32>
    %20 = stablehlo.multiply %19, %12 : tensor<2x104x104xf32>
    %21 = stablehlo.constant dense<0.0> : tensor<2x104x104xf32>
    %22 = stablehlo.select %mask, %20, %21 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %23 = stablehlo.dot_general %22, %q, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x8xf32>) -> tensor<2x104x8xf32>
    %24 = stablehlo.dot_general %22, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x8xf32>) -> tensor<2x104x8xf32>
    return %24, %23, %13, %22 : tensor<2x104x8xf32>, tensor<2x104x8xf32>, tensor<2x104x5xf32>, tensor<2x104x104xf32>
  }
  func.func @keys(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>, %g: tensor<2x104x5xf32>) -> (tensor<2x104x8xf32>, tensor<2x104x5xf32>) {
    %r = stablehlo.iota dim = 0 : tensor<104x104xi32>
    %c = stablehlo.iota dim = 1 : tensor<104x104xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<104x104xi32>, tensor<104x104xi32>) -> tensor<104x104xi1>
    %mask = stablehlo.broadcast_in_dim %causal, dims = [1, 2] : (tensor<104x104xi1>) -> tensor<2x104x104xi1>
    %1 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x8xf32>, tensor<2x104x8xf32>) -> tensor<2x104x104xf32>
    %2 = stablehlo.constant dense<-1.0e30> : tensor<2x104x104xf32>
    %3 = stablehlo.select %mask, %1, %2 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.maximum across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %7 = stablehlo.subtract %3, %6 : tensor<2x104x104xf32>
    %8 = stablehlo.exponential %7 : tensor<2x104x104xf32>
    %9 = stablehlo.constant dense<0.0> : tensor<f32>
    %10 = stablehlo.reduce(%8 init: %9) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %12 = stablehlo.divide %8, %11 : tensor<2x104x104xf32>
    %13 = stablehlo.dot_general %12, %g, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    %14 = stablehlo.dot_general %g, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x5xf32>, tensor<2x104x5xf32>) -> tensor<2x104x104xf32>
    %15 = stablehlo.multiply %14, %12 : tensor<2x104x104xf32>
    %16 = stablehlo.constant dense<0.0> : tensor<f32>
    %17 = stablehlo.reduce(%15 init: %16) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %19 = stablehlo.subtract %14, %18 : tensor<2x104x104xf32>
    %20 = stablehlo.multiply %19, %12 : tensor<2x104x104xf32>
    %21 = stablehlo.constant dense<0.0> : tensor<2x104x104xf32>
    %22 = stablehlo.select %mask, %20, %21 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %23 = stablehlo.dot_general %22, %q, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x8xf32>) -> tensor<2x104x8xf32>
    return %23, %13 : tensor<2x104x8xf32>, tensor<2x104x5xf32>
  }
  func.func @one(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>, %g: tensor<2x104x5xf32>) -> (tensor<2x104x8xf32>, tensor<2x104x8xf32>) {
    %r = stablehlo.iota dim = 0 : tensor<104x104xi32>
    %c = stablehlo.iota dim = 1 : tensor<104x104xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<104x104xi32>, tensor<104x104xi32>) -> tensor<104x104xi1>
    %mask = stablehlo.broadcast_in_dim %causal, dims = [1, 2] : (tensor<104x104xi1>) -> tensor<2x104x104xi1>
    %1 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x8xf32>, tensor<2x104x8xf32>) -> tensor<2x104x104xf32>
    %2 = stablehlo.constant dense<-1.0e30> : tensor<2x104x104xf32>
    %3 = stablehlo.select %mask, %1, %2 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.maximum across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %7 = stablehlo.subtract %3, %6 : tensor<2x104x104xf32>
    %8 = stablehlo.exponential %7 : tensor<2x104x104xf32>
    %9 = stablehlo.constant dense<0.0> : tensor<f32>
    %10 = stablehlo.reduce(%8 init: %9) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %12 = stablehlo.divide %8, %11 : tensor<2x104x104xf32>
    %13 = stablehlo.dot_general %12, %g, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    %14 = stablehlo.dot_general %g, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x5xf32>, tensor<2x104x5xf32>) -> tensor<2x104x104xf32>
    %15 = stablehlo.multiply %14, %12 : tensor<2x104x104xf32>
    %16 = stablehlo.constant dense<0.0> : tensor<f32>
    %17 = stablehlo.reduce(%15 init: %16) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %19 = stablehlo.subtract %14, %18 : tensor<2x104x104xf32>
    %20 = stablehlo.multiply %19, %12 : tensor<2x104x104xf32>
    %21 = stablehlo.constant dense<0.0> : tensor<2x104x104xf32>
    %22 = stablehlo.select %mask, %20, %21 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %23 = stablehlo.dot_general %22, %q, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x8xf32>) -> tensor<2x104x8xf32>
    %24 = stablehlo.dot_general %22, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x8xf32>) -> tensor<2x104x8xf32>
    return %24, %23 : tensor<2x104x8xf32>, tensor<2x104x8xf32>
  }
  func.func @nan_keys(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>, %g: tensor<2x104x5xf32>) -> (tensor<2x104x8xf32>, tensor<2x104x8xf32>, tensor<2x104x5xf32>) {
    %r = stablehlo.iota dim = 0 : tensor<104x104xi32>
    %c = stablehlo.iota dim = 1 : tensor<104x104xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<104x104xi32>, tensor<104x104xi32>) -> tensor<104x104xi1>
    %mask = stablehlo.broadcast_in_dim %causal, dims = [1, 2] : (tensor<104x104xi1>) -> tensor<2x104x104xi1>
    %1 = stablehlo.iota dim = 1 : tensor<2x104x8xi32>
    %2 = stablehlo.constant dense<103> : tensor<2x104x8xi32>
    %3 = stablehlo.compare EQ, %1, %2 : (tensor<2x104x8xi32>, tensor<2x104x8xi32>) -> tensor<2x104x8xi1>
    %4 = stablehlo.constant dense<0x7FC00000> : tensor<2x104x8xf32>
    %5 = stablehlo.select %3, %4, %k : tensor<2x104x8xi1>, tensor<2x104x8xf32>
    %6 = stablehlo.dot_general %q, %5, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x8xf32>, tensor<2x104x8xf32>) -> tensor<2x104x104xf32>
    %7 = stablehlo.constant dense<-1.0e30> : tensor<2x104x104xf32>
    %8 = stablehlo.select %mask, %6, %7 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%8 init: %9) applies stablehlo.maximum across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %12 = stablehlo.subtract %8, %11 : tensor<2x104x104xf32>
    %13 = stablehlo.exponential %12 : tensor<2x104x104xf32>
    %14 = stablehlo.constant dense<0.0> : tensor<f32>
    %15 = stablehlo.reduce(%13 init: %14) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %17 = stablehlo.divide %13, %16 : tensor<2x104x104xf32>
    %18 = stablehlo.dot_general %17, %g, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    %19 = stablehlo.dot_general %g, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x5xf32>, tensor<2x104x5xf32>) -> tensor<2x104x104xf32>
    %20 = stablehlo.multiply %19, %17 : tensor<2x104x104xf32>
    %21 = stablehlo.constant dense<0.0> : tensor<f32>
    %22 = stablehlo.reduce(%20 init: %21) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %24 = stablehlo.subtract %19, %23 : tensor<2x104x104xf32>
    %25 = stablehlo.multiply %24, %17 : tensor<2x104x104xf32>
    %26 = stablehlo.constant dense<0.0> : tensor<2x104x104xf32>
    %27 = stablehlo.select %mask, %25, %26 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %28 = stablehlo.dot_general %27, %q, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x8xf32>) -> tensor<2x104x8xf32>
    %29 = stablehlo.dot_general %27, %5, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x8xf32>) -> tensor<2x104x8xf32>
    return %29, %28, %18 : tensor<2x104x8xf32>, tensor<2x104x8xf32>, tensor<2x104x5xf32>
  }
  func.func @inf_queries(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>, %g: tensor<2x104x5xf32>, %p: tensor<2x104x104xf32>) -> (tensor<2x104x8xf32>, tensor<2x104x8xf32>, tensor<2x104x5xf32>) {
    %r = stablehlo.iota dim = 0 : tensor<104x104xi32>
    %c = stablehlo.iota dim = 1 : tensor<104x104xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<104x104xi32>, tensor<104x104xi32>) -> tensor<104x104xi1>
    %mask = stablehlo.broadcast_in_dim %causal, dims = [1, 2] : (tensor<104x104xi1>) -> tensor<2x104x104xi1>
    %1 = stablehlo.iota dim = 1 : tensor<2x104x8xi32>
    %2 = stablehlo.constant dense<103> : tensor<2x104x8xi32>
    %3 = stablehlo.compare EQ, %1, %2 : (tensor<2x104x8xi32>, tensor<2x104x8xi32>) -> tensor<2x104x8xi1>
    %4 = stablehlo.constant dense<0x7F800000> : tensor<2x104x8xf32>
    %5 = stablehlo.select %3, %4, %q : tensor<2x104x8xi1>, tensor<2x104x8xf32>
    %6 = stablehlo.constant dense<0.0> : tensor<2x104x104xf32>
    %7 = stablehlo.select %mask, %p, %6 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %8 = stablehlo.dot_general %7, %g, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    %9 = stablehlo.dot_general %g, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x5xf32>, tensor<2x104x5xf32>) -> tensor<2x104x104xf32>
    %10 = stablehlo.multiply %9, %7 : tensor<2x104x104xf32>
    %11 = stablehlo.constant dense<0.0> : tensor<f32>
    %12 = stablehlo.reduce(%10 init: %11) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %14 = stablehlo.subtract %9, %13 : tensor<2x104x104xf32>
    %15 = stablehlo.multiply %14, %7 : tensor<2x104x104xf32>
    %16 = stablehlo.constant dense<0.0> : tensor<2x104x104xf32>
    %17 = stablehlo.select %mask, %15, %16 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %18 = stablehlo.dot_general %17, %5, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x8xf32>) -> tensor<2x104x8xf32>
    %19 = stablehlo.dot_general %17, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x8xf32>) -> tensor<2x104x8xf32>
    return %19, %18, %8 : tensor<2x104x8xf32>, tensor<2x104x8xf32>, tensor<2x104x5xf32>
  }
  func.func @inf_gradients(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>, %g: tensor<2x104x5xf32>, %p: tensor<2x104x104xf32>) -> (tensor<2x104x8xf32>, tensor<2x104x8xf32>, tensor<2x104x5xf32>) {
    %r = stablehlo.iota dim = 0 : tensor<104x104xi32>
    %c = stablehlo.iota dim = 1 : tensor<104x104xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<104x104xi32>, tensor<104x104xi32>) -> tensor<104x104xi1>
    %mask = stablehlo.broadcast_in_dim %causal, dims = [1, 2] : (tensor<104x104xi1>) -> tensor<2x104x104xi1>
    %1 = stablehlo.iota dim = 1 : tensor<2x104x5xi32>
    %2 = stablehlo.constant dense<103> : tensor<2x104x5xi32>
    %3 = stablehlo.compare EQ, %1, %2 : (tensor<2x104x5xi32>, tensor<2x104x5xi32>) -> tensor<2x104x5xi1>
    %4 = stablehlo.constant dense<0xFF800000> : tensor<2x104x5xf32>
    %5 = stablehlo.select %3, %4, %g : tensor<2x104x5xi1>, tensor<2x104x5xf32>
    %6 = stablehlo.constant dense<0.0> : tensor<2x104x104xf32>
    %7 = stablehlo.select %mask, %p, %6 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %8 = stablehlo.dot_general %7, %5, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    %9 = stablehlo.dot_general %5, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x5xf32>, tensor<2x104x5xf32>) -> tensor<2x104x104xf32>
    %10 = stablehlo.multiply %9, %7 : tensor<2x104x104xf32>
    %11 = stablehlo.constant dense<0.0> : tensor<f32>
    %12 = stablehlo.reduce(%10 init: %11) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %14 = stablehlo.subtract %9, %13 : tensor<2x104x104xf32>
    %15 = stablehlo.multiply %14, %7 : tensor<2x104x104xf32>
    %16 = stablehlo.constant dense<0.0> : tensor<2x104x104xf32>
    %17 = stablehlo.select %mask, %15, %16 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %18 = stablehlo.dot_general %17, %q, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x8xf32>) -> tensor<2x104x8xf32>
    %19 = stablehlo.dot_general %17, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x8xf32>) -> tensor<2x104x8xf32>
    return %19, %18, %8 : tensor<2x104x8xf32>, tensor<2x104x8xf32>, tensor<2x104x5xf32>
  }
  func.func @nan_first(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>, %g: tensor<2x104x5xf32>, %p: tensor<2x104x104xf32>) -> (tensor<2x104x8xf32>, tensor<2x104x8xf32>, tensor<2x104x5xf32>) {
    %r = stablehlo.iota dim = 0 : tensor<104x104xi32>
    %c = stablehlo.iota dim = 1 : tensor<104x104xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<104x104xi32>, tensor<104x104xi32>) -> tensor<104x104xi1>
    %mask = stablehlo.broadcast_in_dim %causal, dims = [1, 2] : (tensor<104x104xi1>) -> tensor<2x104x104xi1>
    %1 = stablehlo.iota dim = 1 : tensor<2x104x5xi32>
    %2 = stablehlo.constant dense<0> : tensor<2x104x5xi32>
    %3 = stablehlo.compare EQ, %1, %2 : (tensor<2x104x5xi32>, tensor<2x104x5xi32>) -> tensor<2x104x5xi1>
    %4 = stablehlo.constant dense<0x7FC00000> : tensor<2x104x5xf32>
    %5 = stablehlo.select %3, %4, %g : tensor<2x104x5xi1>, tensor<2x104x5xf32>
    %6 = stablehlo.constant dense<0.0> : tensor<2x104x104xf32>
    %7 = stablehlo.select %mask, %p, %6 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %8 = stablehlo.dot_general %7, %5, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    %9 = stablehlo.dot_general %5, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x5xf32>, tensor<2x104x5xf32>) -> tensor<2x104x104xf32>
    %10 = stablehlo.multiply %9, %7 : tensor<2x104x104xf32>
    %11 = stablehlo.constant dense<0.0> : tensor<f32>
    %12 = stablehlo.reduce(%10 init: %11) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %14 = stablehlo.subtract %9, %13 : tensor<2x104x104xf32>
    %15 = stablehlo.multiply %14, %7 : tensor<2x104x104xf32>
    %16 = stablehlo.constant dense<0.0> : tensor<2x104x104xf32>
    %17 = stablehlo.select %mask, %15, %16 : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %18 = stablehlo.dot_general %17, %q, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x8xf32>) -> tensor<2x104x8xf32>
    %19 = stablehlo.dot_general %17, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x8xf32>) -> tensor<2x104x8xf32>
    return %19, %18, %8 : tensor<2x104x8xf32>, tensor<2x104x8xf32>, tensor<2x104x5xf32>
  }
  func.func @few(%q: tensor<3x160x48xf32>, %k: tensor<3x160x48xf32>, %v: tensor<3x160x48xf32>, %g: tensor<3x160x48xf32>) -> (tensor<3x160x48xf32>, tensor<3x160x48xf32>, tensor<3x160x48xf32>) {
    %r = stablehlo.iota dim = 0 : tensor<160x160xi32>
    %c = stablehlo.iota dim = 1 : tensor<160x160xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<160x160xi32>, tensor<160x160xi32>) -> tensor<160x160xi1>
    %mask = stablehlo.broadcast_in_dim %causal, dims = [1, 2] : (tensor<160x160xi1>) -> tensor<3x160x160xi1>
    %1 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<3x160x48xf32>, tensor<3x160x48xf32>) -> tensor<3x160x160xf32>
    %2 = stablehlo.constant dense<-1.0e30> : tensor<3x160x160xf32>
    %3 = stablehlo.select %mask, %1, %2 : tensor<3x160x160xi1>, tensor<3x160x160xf32>
    %4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.maximum across dimensions = [2] : (tensor<3x160x160xf32>, tensor<f32>) -> tensor<3x160xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<3x160xf32>) -> tensor<3x160x160xf32>
    %7 = stablehlo.subtract %3, %6 : tensor<3x160x160xf32>
    %8 = stablehlo.exponential %7 : tensor<3x160x160xf32>
    %9 = stablehlo.constant dense<0.0> : tensor<f32>
    %10 = stablehlo.reduce(%8 init: %9) applies stablehlo.add across dimensions = [2] : (tensor<3x160x160xf32>, tensor<f32>) -> tensor<3x160xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<3x160xf32>) -> tensor<3x160x160xf32>
    %12 = stablehlo.divide %8, %11 : tensor<3x160x160xf32>
    %13 = stablehlo.dot_general %12, %g, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<3x160x160xf32>, tensor<3x160x48xf32>) -> tensor<3x160x48xf32>
    %14 = stablehlo.dot_general %g, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<3x160x48xf32>, tensor<3x160x48xf32>) -> tensor<3x160x160xf32>
    %15 = stablehlo.multiply %14, %12 : tensor<3x160x160xf32>
    %16 = stablehlo.constant dense<0.0> : tensor<f32>
    %17 = stablehlo.reduce(%15 init: %16) applies stablehlo.add across dimensions = [2] : (tensor<3x160x160xf32>, tensor<f32>) -> tensor<3x160xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<3x160xf32>) -> tensor<3x160x160xf32>
    %19 = stablehlo.subtract %14, %18 : tensor<3x160x160xf32>
    %20 = stablehlo.multiply %19, %12 : tensor<3x160x160xf32>
    %21 = stablehlo.constant dense<0.0> : tensor<3x160x160xf32>
    %22 = stablehlo.select %mask, %20, %21 : tensor<3x160x160xi1>, tensor<3x160x160xf32>
    %23 = stablehlo.dot_general %22, %q, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<3x160x160xf32>, tensor<3x160x48xf32>) -> tensor<3x160x48xf32>
    %24 = stablehlo.dot_general %22, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x160x160xf32>, tensor<3x160x48xf32>) -> tensor<3x160x48xf32>
    return %24, %23, %13 : tensor<3x160x48xf32>, tensor<3x160x48xf32>, tensor<3x160x48xf32>
  }
  func.func @read_raw(%x0: tensor<2x33x1xf32>, %x1: tensor<2x1x17xf32>, %x2: tensor<2x17x8xf32>, %x3: tensor<2x33x8xf32>, %x4: tensor<2x8x17xf32>, %x5: tensor<2x33x8xf32>, %x6: tensor<2x33x4xf32>, %x7: tensor<2x33x12xf32>) -> (tensor<2x33x8xf32>, tensor<2x17x8xf32>, tensor<2x17x4xf32>, tensor<2x17x12xf32>) {
    %0 = stablehlo.dot_general %x0, %x1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x33x1xf32>, tensor<2x1x17xf32>) -> tensor<2x33x17xf32>
    %1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.maximum across dimensions = [2] : (tensor<2x33x17xf32>, tensor<f32>) -> tensor<2x33xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x33xf32>) -> tensor<2x33x17xf32>
    %4 = stablehlo.subtract %0, %3 : tensor<2x33x17xf32>
    %5 = stablehlo.exponential %4 : tensor<2x33x17xf32>
    %6 = stablehlo.constant dense<0.0> : tensor<f32>
    %7 = stablehlo.reduce(%5 init: %6) applies stablehlo.add across dimensions = [2] : (tensor<2x33x17xf32>, tensor<f32>) -> tensor<2x33xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<2x33xf32>) -> tensor<2x33x17xf32>
    %9 = stablehlo.divide %5, %8 : tensor<2x33x17xf32>
    %10 = stablehlo.dot_general %9, %x2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x33x17xf32>, tensor<2x17x8xf32>) -> tensor<2x33x8xf32>
    %11 = stablehlo.dot_general %x3, %x4, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x33x8xf32>, tensor<2x8x17xf32>) -> tensor<2x33x17xf32>
    %12 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%11 init: %12) applies stablehlo.maximum across dimensions = [2] : (tensor<2x33x17xf32>, tensor<f32>) -> tensor<2x33xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<2x33xf32>) -> tensor<2x33x17xf32>
    %15 = stablehlo.subtract %11, %14 : tensor<2x33x17xf32>
    %16 = stablehlo.exponential %15 : tensor<2x33x17xf32>
    %17 = stablehlo.constant dense<0.0> : tensor<f32>
    %18 = stablehlo.reduce(%16 init: %17) applies stablehlo.add across dimensions = [2] : (tensor<2x33x17xf32>, tensor<f32>) -> tensor<2x33xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<2x33xf32>) -> tensor<2x33x17xf32>
    %20 = stablehlo.divide %16, %19 : tensor<2x33x17xf32>
    %21 = stablehlo.multiply %9, %20 : tensor<2x33x17xf32>
    %22 = stablehlo.constant dense<0.0> : tensor<f32>
    %23 = stablehlo.reduce(%21 init: %22) applies stablehlo.add across dimensions = [2] : (tensor<2x33x17xf32>, tensor<f32>) -> tensor<2x33xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<2x33xf32>) -> tensor<2x33x17xf32>
    %25 = stablehlo.subtract %9, %24 : tensor<2x33x17xf32>
    %26 = stablehlo.multiply %25, %20 : tensor<2x33x17xf32>
    %27 = stablehlo.dot_general %11, %x5, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x33x17xf32>, tensor<2x33x8xf32>) -> tensor<2x17x8xf32>
    %28 = stablehlo.dot_general %26, %x6, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x33x17xf32>, tensor<2x33x4xf32>) -> tensor<2x17x4xf32>
    %29 = stablehlo.dot_general %5, %x7, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x33x17xf32>, tensor<2x33x12xf32>) -> tensor<2x17x12xf32>
    return %10, %27, %28, %29 : tensor<2x33x8xf32>, tensor<2x17x8xf32>, tensor<2x17x4xf32>, tensor<2x17x12xf32>
  }
}
