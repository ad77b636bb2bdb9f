// Two products with a loop over whole rows between them are a chain: what is between them is never in memory as a whole. Columns that a mask leaves out in all
// rows of a block are not computed, as long as they count for nothing.
// RUN: tessera run %s --input=random --dump-program --check 2>&1 | FileCheck %s --check-prefixes=CHAIN,PASS
// RUN: tessera run %s --input=random --check=ops | FileCheck %s --check-prefix=PASS
// RUN: tessera run %s --input=random --threads=1 >%t.one && tessera run %s --input=random --threads=7 | cmp - %t.one
// RUN: tessera compile %s -o %t.tsrx && tessera run %t.tsrx --input=random | cmp - %t.one
// RUN: tessera run %s --input=random --dump-program --check --function=full 2>&1 | FileCheck %s --check-prefixes=CHAIN,PASS
// The product on the other side: the result is written transposed.
// RUN: tessera run %s --input=random --dump-program --check --function=flipped 2>&1 | FileCheck %s --check-prefixes=CHAIN,PASS
// The rows are read by others, too.
// RUN: tessera run %s --input=random --dump-program --check --function=kept 2>&1 | FileCheck %s --check-prefixes=CHAIN,PASS
// Rows that the mask leaves out as a whole: all their numbers count.
// RUN: tessera run %s --input=random --dump-program --check --function=nothing 2>&1 | FileCheck %s --check-prefixes=CHAIN,PASS
// Zeros times what is no number.
// RUN: tessera run %s --input=random --dump-program --check --function=infinite 2>&1 | FileCheck %s --check-prefixes=CHAIN,PASS
// What is behind the mask is kept, or added up, as it is: nothing is left out.
// RUN: tessera run %s --input=random --dump-program --check --function=sums 2>&1 | FileCheck %s --check-prefixes=CHAIN,PASS
// RUN: tessera run %s --input=random --dump-program --check --function=added 2>&1 | FileCheck %s --check-prefixes=CHAIN,PASS
// No reduction between the products.
// RUN: tessera run %s --input=random --dump-program --check --function=map 2>&1 | FileCheck %s --check-prefixes=CHAIN,PASS
// CHAIN-DAG: {{^[0-9]+}} chain dot_general{{.*}}dot_general
// PASS-DAG: PASS
// Somebody reads the rows before: the product is none of the chain, which ends with the one that contracts them.
// RUN: tessera run %s --input=random --dump-program --check --function=before 2>&1 | FileCheck %s --check-prefixes=BEFORE,PASS
// BEFORE: {{^[0-9]+}} chain
// BEFORE: {{^[0-9]+}} contract dot_general reads
// Somebody reads what the loop reads, and the second product reads that: the first one cannot wait for it.
// RUN: tessera run %s --input=random --dump-program --check --function=between 2>&1 | FileCheck %s --check-prefixes=BETWEEN,PASS
// BETWEEN-NOT: {{^[0-9]+}} chain
module {
  func.func @main(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>) -> tensor<2x104x5xf32> {
    %r = stablehlo.iota dim = 0 : tensor<104x104xi32>
    %c = stablehlo.iota dim = 1 : tensor<104x104xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<104x104xi32>, tensor<104x104xi32>) -> tensor<104x104xi1>
    %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x8xf32>, tensor<2x104x8xf32>) -> tensor<2x104x104xf32>
    %m = stablehlo.broadcast_in_dim %causal, dims = [1, 2] : (tensor<104x104xi1>) -> tensor<2x104x104xi1>
    %low = stablehlo.constant dense<-1.0e30> : tensor<2x104x104xf32>
    %w = stablehlo.select %m, %s, %low : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %none = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %most = stablehlo.reduce(%w init: %none) applies stablehlo.maximum across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %mostb = stablehlo.broadcast_in_dim %most, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %d = stablehlo.subtract %w, %mostb : tensor<2x104x104xf32>
    %e = stablehlo.exponential %d : tensor<2x104x104xf32>
    %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %sumb = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %p = stablehlo.divide %e, %sumb : tensor<2x104x104xf32>
    %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    return %o : tensor<2x104x5xf32>
  }
  func.func @full(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>) -> tensor<2x104x5xf32> {
    %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x8xf32>, tensor<2x104x8xf32>) -> tensor<2x104x104xf32>
    %none = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %most = stablehlo.reduce(%s init: %none) applies stablehlo.maximum across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %mostb = stablehlo.broadcast_in_dim %most, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %d = stablehlo.subtract %s, %mostb : tensor<2x104x104xf32>
    %e = stablehlo.exponential %d : tensor<2x104x104xf32>
    %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %sumb = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %p = stablehlo.divide %e, %sumb : tensor<2x104x104xf32>
    %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    return %o : tensor<2x104x5xf32>
  }
  func.func @flipped(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>) -> tensor<2x5x104xf32> {
    %r = stablehlo.iota dim = 0 : tensor<104x104xi32>
    %c = stablehlo.iota dim = 1 : tensor<104x104xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<104x104xi32>, tensor<104x104xi32>) -> tensor<104x104xi1>
    %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x8xf32>, tensor<2x104x8xf32>) -> tensor<2x104x104xf32>
    %m = stablehlo.broadcast_in_dim %causal, dims = [1, 2] : (tensor<104x104xi1>) -> tensor<2x104x104xi1>
    %low = stablehlo.constant dense<-1.0e30> : tensor<2x104x104xf32>
    %w = stablehlo.select %m, %s, %low : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %none = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %most = stablehlo.reduce(%w init: %none) applies stablehlo.maximum across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %mostb = stablehlo.broadcast_in_dim %most, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %d = stablehlo.subtract %w, %mostb : tensor<2x104x104xf32>
    %e = stablehlo.exponential %d : tensor<2x104x104xf32>
    %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %sumb = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %p = stablehlo.divide %e, %sumb : tensor<2x104x104xf32>
    %o = stablehlo.dot_general %v, %p, batching_dims = [0] x [0], contracting_dims = [1] x [2] : (tensor<2x104x5xf32>, tensor<2x104x104xf32>) -> tensor<2x5x104xf32>
    return %o : tensor<2x5x104xf32>
  }
  func.func @kept(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>) -> (tensor<2x104x5xf32>, tensor<2x104x104xf32>, tensor<2x104x104xf32>) {
    %r = stablehlo.iota dim = 0 : tensor<104x104xi32>
    %c = stablehlo.iota dim = 1 : tensor<104x104xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<104x104xi32>, tensor<104x104xi32>) -> tensor<104x104xi1>
    %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x8xf32>, tensor<2x104x8xf32>) -> tensor<2x104x104xf32>
    %m = stablehlo.broadcast_in_dim %causal, dims = [1, 2] : (tensor<104x104xi1>) -> tensor<2x104x104xi1>
    %low = stablehlo.constant dense<-1.0e30> : tensor<2x104x104xf32>
    %w = stablehlo.select %m, %s, %low : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %none = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %most = stablehlo.reduce(%w init: %none) applies stablehlo.maximum across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %mostb = stablehlo.broadcast_in_dim %most, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %d = stablehlo.subtract %w, %mostb : tensor<2x104x104xf32>
    %e = stablehlo.exponential %d : tensor<2x104x104xf32>
    %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %sumb = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %p = stablehlo.divide %e, %sumb : tensor<2x104x104xf32>
    %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    return %o, %p, %e : tensor<2x104x5xf32>, tensor<2x104x104xf32>, tensor<2x104x104xf32>
  }
  func.func @nothing(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>) -> tensor<2x104x5xf32> {
    %r = stablehlo.iota dim = 0 : tensor<104x104xi32>
    %c = stablehlo.iota dim = 1 : tensor<104x104xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<104x104xi32>, tensor<104x104xi32>) -> tensor<104x104xi1>
    %some = stablehlo.constant dense<50> : tensor<104x104xi32>
    %later = stablehlo.compare GE, %r, %some : (tensor<104x104xi32>, tensor<104x104xi32>) -> tensor<104x104xi1>
    %both = stablehlo.and %causal, %later : tensor<104x104xi1>
    %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x8xf32>, tensor<2x104x8xf32>) -> tensor<2x104x104xf32>
    %m = stablehlo.broadcast_in_dim %both, dims = [1, 2] : (tensor<104x104xi1>) -> tensor<2x104x104xi1>
    %low = stablehlo.constant dense<-1.0e30> : tensor<2x104x104xf32>
    %w = stablehlo.select %m, %s, %low : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %none = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %most = stablehlo.reduce(%w init: %none) applies stablehlo.maximum across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %mostb = stablehlo.broadcast_in_dim %most, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %d = stablehlo.subtract %w, %mostb : tensor<2x104x104xf32>
    %e = stablehlo.exponential %d : tensor<2x104x104xf32>
    %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %sumb = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %p = stablehlo.divide %e, %sumb : tensor<2x104x104xf32>
    %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    return %o : tensor<2x104x5xf32>
  }
  func.func @infinite(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>) -> tensor<2x104x5xf32> {
    %r = stablehlo.iota dim = 0 : tensor<104x104xi32>
    %c = stablehlo.iota dim = 1 : tensor<104x104xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<104x104xi32>, tensor<104x104xi32>) -> tensor<104x104xi1>
    %at = stablehlo.iota dim = 1 : tensor<2x104x5xi32>
    %last = stablehlo.constant dense<103> : tensor<2x104x5xi32>
    %is = stablehlo.compare EQ, %at, %last : (tensor<2x104x5xi32>, tensor<2x104x5xi32>) -> tensor<2x104x5xi1>
    %inf = stablehlo.constant dense<0x7F800000> : tensor<2x104x5xf32>
    %vi = stablehlo.select %is, %inf, %v : tensor<2x104x5xi1>, tensor<2x104x5xf32>
    %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x8xf32>, tensor<2x104x8xf32>) -> tensor<2x104x104xf32>
    %m = stablehlo.broadcast_in_dim %causal, dims = [1, 2] : (tensor<104x104xi1>) -> tensor<2x104x104xi1>
    %low = stablehlo.constant dense<-1.0e30> : tensor<2x104x104xf32>
    %w = stablehlo.select %m, %s, %low : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %none = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %most = stablehlo.reduce(%w init: %none) applies stablehlo.maximum across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %mostb = stablehlo.broadcast_in_dim %most, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %d = stablehlo.subtract %w, %mostb : tensor<2x104x104xf32>
    %e = stablehlo.exponential %d : tensor<2x104x104xf32>
    %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %sumb = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %p = stablehlo.divide %e, %sumb : tensor<2x104x104xf32>
    %o = stablehlo.dot_general %p, %vi, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    return %o : tensor<2x104x5xf32>
  }
  func.func @sums(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>) -> tensor<2x104x5xf32> {
    %r = stablehlo.iota dim = 0 : tensor<104x104xi32>
    %c = stablehlo.iota dim = 1 : tensor<104x104xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<104x104xi32>, tensor<104x104xi32>) -> tensor<104x104xi1>
    %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x8xf32>, tensor<2x104x8xf32>) -> tensor<2x104x104xf32>
    %m = stablehlo.broadcast_in_dim %causal, dims = [1, 2] : (tensor<104x104xi1>) -> tensor<2x104x104xi1>
    %low = stablehlo.constant dense<0.125> : tensor<2x104x104xf32>
    %w = stablehlo.select %m, %s, %low : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %sumb = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %p = stablehlo.subtract %w, %sumb : tensor<2x104x104xf32>
    %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    return %o : tensor<2x104x5xf32>
  }
  func.func @added(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>, %bias: tensor<2x104x104xf32>) -> tensor<2x104x5xf32> {
    %r = stablehlo.iota dim = 0 : tensor<104x104xi32>
    %c = stablehlo.iota dim = 1 : tensor<104x104xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<104x104xi32>, tensor<104x104xi32>) -> tensor<104x104xi1>
    %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x8xf32>, tensor<2x104x8xf32>) -> tensor<2x104x104xf32>
    %m = stablehlo.broadcast_in_dim %causal, dims = [1, 2] : (tensor<104x104xi1>) -> tensor<2x104x104xi1>
    %low = stablehlo.constant dense<-1.0e30> : tensor<2x104x104xf32>
    %w = stablehlo.select %m, %s, %low : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %x = stablehlo.add %w, %bias : tensor<2x104x104xf32>
    %none = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %most = stablehlo.reduce(%x init: %none) applies stablehlo.maximum across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %mostb = stablehlo.broadcast_in_dim %most, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %d = stablehlo.subtract %x, %mostb : tensor<2x104x104xf32>
    %e = stablehlo.exponential %d : tensor<2x104x104xf32>
    %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %sumb = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %p = stablehlo.divide %e, %sumb : tensor<2x104x104xf32>
    %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    return %o : tensor<2x104x5xf32>
  }
  func.func @map(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>) -> tensor<2x104x5xf32> {
    %r = stablehlo.iota dim = 0 : tensor<104x104xi32>
    %c = stablehlo.iota dim = 1 : tensor<104x104xi32>
    %causal = stablehlo.compare GE, %r, %c : (tensor<104x104xi32>, tensor<104x104xi32>) -> tensor<104x104xi1>
    %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x8xf32>, tensor<2x104x8xf32>) -> tensor<2x104x104xf32>
    %m = stablehlo.broadcast_in_dim %causal, dims = [1, 2] : (tensor<104x104xi1>) -> tensor<2x104x104xi1>
    %low = stablehlo.constant dense<0.0> : tensor<2x104x104xf32>
    %w = stablehlo.select %m, %s, %low : tensor<2x104x104xi1>, tensor<2x104x104xf32>
    %p = stablehlo.tanh %w : tensor<2x104x104xf32>
    %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    return %o : tensor<2x104x5xf32>
  }
  func.func @before(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>) -> tensor<2x104x5xf32> {
    %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x8xf32>, tensor<2x104x8xf32>) -> tensor<2x104x104xf32>
    %none = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %most = stablehlo.reduce(%s init: %none) applies stablehlo.maximum across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %mostb = stablehlo.broadcast_in_dim %most, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %d = stablehlo.subtract %s, %mostb : tensor<2x104x104xf32>
    %e = stablehlo.exponential %d : tensor<2x104x104xf32>
    %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %sumb = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %p = stablehlo.divide %e, %sumb : tensor<2x104x104xf32>
    %t = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    %o = stablehlo.dot_general %p, %t, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    return %o : tensor<2x104x5xf32>
  }
  func.func @between(%q: tensor<2x104x8xf32>, %k: tensor<2x104x8xf32>, %v: tensor<2x104x5xf32>) -> tensor<2x104x5xf32> {
    %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x104x8xf32>, tensor<2x104x8xf32>) -> tensor<2x104x104xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x104x104xf32>, tensor<f32>) -> tensor<2x104xf32>
    %sumb = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x104xf32>) -> tensor<2x104x104xf32>
    %p = stablehlo.subtract %s, %sumb : tensor<2x104x104xf32>
    %z = stablehlo.dot_general %s, %v, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    %o = stablehlo.dot_general %p, %z, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x104x104xf32>, tensor<2x104x5xf32>) -> tensor<2x104x5xf32>
    return %o : tensor<2x104x5xf32>
  }
}
