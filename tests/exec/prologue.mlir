// Factors that are converted first, transposed or not, are read as they were: elements are converted when they are packed.
// RUN: tessera run %s --input=random --check
// RUN: tessera run %s --input=random --check --strict-rounding
// RUN: tessera run %s --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// CHECK: 1 contract dot_general reads %0:40x70xbf16@arg0 %1:70x50xbf16@arg1 writes {{.*}}f32
// CHECK: 2 contract dot_general reads %0:40x70xbf16@arg0 %2:50x70xbf16@arg2 writes {{.*}}f32
// CHECK: 3 contract dot_general reads %3:7x90xi8@arg3 %4:90x9xi8@arg4 writes {{.*}}i32
// A factor of another type is converted before.
// CHECK: 4 map convert
// CHECK: 5 map convert
// CHECK: 6 contract dot_general
func.func @main(%a: tensor<40x70xbf16>, %b: tensor<70x50xbf16>, %t: tensor<50x70xbf16>, %i: tensor<7x90xi8>, %j: tensor<90x9xi8>, %h: tensor<70x50xf16>)
    -> (tensor<40x50xf32>, tensor<40x50xf32>, tensor<7x9xi32>, tensor<40x50xf32>) {
  %0 = stablehlo.convert %a : (tensor<40x70xbf16>) -> tensor<40x70xf32>
  %1 = stablehlo.convert %b : (tensor<70x50xbf16>) -> tensor<70x50xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<40x70xf32>, tensor<70x50xf32>) -> tensor<40x50xf32>
  %3 = stablehlo.convert %t : (tensor<50x70xbf16>) -> tensor<50x70xf32>
  %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<50x70xf32>) -> tensor<70x50xf32>
  %5 = stablehlo.dot_general %0, %4, contracting_dims = [1] x [0] : (tensor<40x70xf32>, tensor<70x50xf32>) -> tensor<40x50xf32>
  %6 = stablehlo.convert %i : (tensor<7x90xi8>) -> tensor<7x90xi32>
  %7 = stablehlo.convert %j : (tensor<90x9xi8>) -> tensor<90x9xi32>
  %8 = stablehlo.dot_general %6, %7, contracting_dims = [1] x [0] : (tensor<7x90xi32>, tensor<90x9xi32>) -> tensor<7x9xi32>
  %9 = stablehlo.convert %h : (tensor<70x50xf16>) -> tensor<70x50xf32>
  %10 = stablehlo.dot_general %0, %9, contracting_dims = [1] x [0] : (tensor<40x70xf32>, tensor<70x50xf32>) -> tensor<40x50xf32>
  return %2, %5, %8, %10 : tensor<40x50xf32>, tensor<40x50xf32>, tensor<7x9xi32>, tensor<40x50xf32>
}

// Maps before products: elements are computed when the factor is packed, and it has no memory. On both sides, transposed, with numbers of rows and columns. The bits are those of loops
// in groups of their own, which a barrier makes of them, on any number of threads.
// RUN: tessera run %s --input=random --function=maps --check --dump-program --output=%t.maps.npz 2>&1 | FileCheck %s --check-prefix=MAPS
// RUN: tessera run %s --input=random --function=maps_apart --dump-program --expect=%t.maps.npz --rtol=0 --atol=0 2>&1 | FileCheck %s --check-prefix=APART
// RUN: tessera run %s --input=random --function=maps --threads=1 --expect=%t.maps.npz --rtol=0 --atol=0
// RUN: tessera run %s --input=random --function=maps --threads=2 --expect=%t.maps.npz --rtol=0 --atol=0
// RUN: tessera run %s --input=random --function=maps --threads=3 --expect=%t.maps.npz --rtol=0 --atol=0
// RUN: tessera run %s --input=random --function=maps --threads=7 --expect=%t.maps.npz --rtol=0 --atol=0
// RUN: tessera run %s --input=random --function=maps --check=ops
// MAPS: program of @maps: 6 steps, arena 0 bytes
// MAPS-NEXT: contract maximum+dot_general+add n=21000 {{.*}} reads %0:140x130xf32@arg0 %1:130x150xf32@arg1 %2:150xf32@arg2 writes {{[^ ]*}}:140x150xf32@result bytes=151400+84000 flops=5499200 at
// MAPS-NEXT: contract convert+multiply+dot_general reads %4:130x150xi8@arg4 %2:150xf32@arg2 %0:140x130xf32@arg0 writes {{[^ ]*}}:140x150xf32@result bytes=92900+84000 flops=5499000 at
// MAPS-NEXT: contract tanh+multiply+dot_general reads
// MAPS-NEXT: contract negate+logistic+multiply+dot_general reads %1:130x150xf32@arg1 %5:130x140xf32@arg5 writes
// APART: program of @maps_apart
// APART: map maximum
// APART: contract dot_general+add n=
func.func @maps(%x: tensor<140x130xf32>, %w: tensor<130x150xf32>, %s: tensor<150xf32>, %r: tensor<140xf32>, %i: tensor<130x150xi8>, %t: tensor<130x140xf32>)
    -> (tensor<140x150xf32>, tensor<140x150xf32>, tensor<140x150xf32>, tensor<140x150xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<140x130xf32>
  %relu = stablehlo.maximum %x, %zero : tensor<140x130xf32>
  %0 = stablehlo.dot_general %relu, %w, contracting_dims = [1] x [0] : (tensor<140x130xf32>, tensor<130x150xf32>) -> tensor<140x150xf32>
  %1 = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<150xf32>) -> tensor<140x150xf32>
  %2 = stablehlo.add %0, %1 : tensor<140x150xf32>
  %3 = stablehlo.convert %i : (tensor<130x150xi8>) -> tensor<130x150xf32>
  %4 = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<150xf32>) -> tensor<130x150xf32>
  %5 = stablehlo.multiply %3, %4 : tensor<130x150xf32>
  %6 = stablehlo.dot_general %x, %5, contracting_dims = [1] x [0] : (tensor<140x130xf32>, tensor<130x150xf32>) -> tensor<140x150xf32>
  %7 = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<140xf32>) -> tensor<140x130xf32>
  %8 = stablehlo.multiply %x, %7 : tensor<140x130xf32>
  %9 = stablehlo.tanh %w : tensor<130x150xf32>
  %10 = stablehlo.dot_general %8, %9, contracting_dims = [1] x [0] : (tensor<140x130xf32>, tensor<130x150xf32>) -> tensor<140x150xf32>
  %11 = stablehlo.logistic %t : tensor<130x140xf32>
  %12 = stablehlo.multiply %t, %11 : tensor<130x140xf32>
  %13 = stablehlo.negate %w : tensor<130x150xf32>
  %14 = stablehlo.transpose %12, dims = [1, 0] : (tensor<130x140xf32>) -> tensor<140x130xf32>
  %15 = stablehlo.transpose %13, dims = [1, 0] : (tensor<130x150xf32>) -> tensor<150x130xf32>
  %16 = stablehlo.dot_general %14, %15, contracting_dims = [1] x [1] : (tensor<140x130xf32>, tensor<150x130xf32>) -> tensor<140x150xf32>
  return %2, %6, %10, %16 : tensor<140x150xf32>, tensor<140x150xf32>, tensor<140x150xf32>, tensor<140x150xf32>
}

func.func @maps_apart(%x: tensor<140x130xf32>, %w: tensor<130x150xf32>, %s: tensor<150xf32>, %r: tensor<140xf32>, %i: tensor<130x150xi8>, %t: tensor<130x140xf32>)
    -> (tensor<140x150xf32>, tensor<140x150xf32>, tensor<140x150xf32>, tensor<140x150xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<140x130xf32>
  %relu = stablehlo.maximum %x, %zero : tensor<140x130xf32>
  %b1 = stablehlo.optimization_barrier %relu : tensor<140x130xf32>
  %0 = stablehlo.dot_general %b1, %w, contracting_dims = [1] x [0] : (tensor<140x130xf32>, tensor<130x150xf32>) -> tensor<140x150xf32>
  %1 = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<150xf32>) -> tensor<140x150xf32>
  %2 = stablehlo.add %0, %1 : tensor<140x150xf32>
  %3 = stablehlo.convert %i : (tensor<130x150xi8>) -> tensor<130x150xf32>
  %4 = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<150xf32>) -> tensor<130x150xf32>
  %5 = stablehlo.multiply %3, %4 : tensor<130x150xf32>
  %b2 = stablehlo.optimization_barrier %5 : tensor<130x150xf32>
  %6 = stablehlo.dot_general %x, %b2, contracting_dims = [1] x [0] : (tensor<140x130xf32>, tensor<130x150xf32>) -> tensor<140x150xf32>
  %7 = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<140xf32>) -> tensor<140x130xf32>
  %8 = stablehlo.multiply %x, %7 : tensor<140x130xf32>
  %9 = stablehlo.tanh %w : tensor<130x150xf32>
  %b3 = stablehlo.optimization_barrier %8 : tensor<140x130xf32>
  %b4 = stablehlo.optimization_barrier %9 : tensor<130x150xf32>
  %10 = stablehlo.dot_general %b3, %b4, contracting_dims = [1] x [0] : (tensor<140x130xf32>, tensor<130x150xf32>) -> tensor<140x150xf32>
  %11 = stablehlo.logistic %t : tensor<130x140xf32>
  %12 = stablehlo.multiply %t, %11 : tensor<130x140xf32>
  %13 = stablehlo.negate %w : tensor<130x150xf32>
  %14 = stablehlo.transpose %12, dims = [1, 0] : (tensor<130x140xf32>) -> tensor<140x130xf32>
  %15 = stablehlo.transpose %13, dims = [1, 0] : (tensor<130x150xf32>) -> tensor<150x130xf32>
  %b5 = stablehlo.optimization_barrier %14 : tensor<140x130xf32>
  %b6 = stablehlo.optimization_barrier %15 : tensor<150x130xf32>
  %16 = stablehlo.dot_general %b5, %b6, contracting_dims = [1] x [1] : (tensor<140x130xf32>, tensor<150x130xf32>) -> tensor<140x150xf32>
  return %2, %6, %10, %16 : tensor<140x150xf32>, tensor<140x150xf32>, tensor<140x150xf32>, tensor<140x150xf32>
}

// Types and batches; values of bf16 and f16 are rounded as in memory, so that strict rounding changes nothing about it.
// RUN: tessera run %s --input=random --function=types --check --dump-program --output=%t.types.npz 2>&1 | FileCheck %s --check-prefix=TYPES
// RUN: tessera run %s --input=random --function=types_apart --expect=%t.types.npz --rtol=0 --atol=0
// RUN: tessera run %s --input=random --function=types --threads=3 --expect=%t.types.npz --rtol=0 --atol=0
// RUN: tessera run %s --input=random --function=types --strict-rounding --check --output=%t.strict.npz
// RUN: tessera run %s --input=random --function=types_apart --strict-rounding --expect=%t.strict.npz --rtol=0 --atol=0
// TYPES: program of @types: 6 steps, arena 0 bytes
// TYPES-NEXT: contract abs+tanh+dot_general reads
// TYPES-NEXT: contract add+dot_general reads
// TYPES-NEXT: contract maximum+dot_general reads
// TYPES-NEXT: contract concatenate+negate+dot_general reads
func.func @types(%x: tensor<2x140x130xbf16>, %w: tensor<2x150x130xbf16>, %d: tensor<2x140x130xf64>, %e: tensor<2x130x150xf64>, %i: tensor<140x130xi8>, %k: tensor<140x130xi8>, %j: tensor<130x150xi8>, %h: tensor<140x60xf16>, %g: tensor<140x70xf16>, %f: tensor<130x150xf16>)
    -> (tensor<2x140x150xf32>, tensor<2x140x150xf64>, tensor<140x150xi32>, tensor<140x150xf16>) {
  %1 = stablehlo.tanh %x : tensor<2x140x130xbf16>
  %2 = stablehlo.abs %w : tensor<2x150x130xbf16>
  %3 = stablehlo.dot_general %1, %2, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x140x130xbf16>, tensor<2x150x130xbf16>) -> tensor<2x140x150xf32>
  %4 = stablehlo.add %d, %d : tensor<2x140x130xf64>
  %5 = stablehlo.dot_general %4, %e, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x140x130xf64>, tensor<2x130x150xf64>) -> tensor<2x140x150xf64>
  %6 = stablehlo.maximum %i, %k : tensor<140x130xi8>
  %7 = stablehlo.dot_general %6, %j, contracting_dims = [1] x [0] : (tensor<140x130xi8>, tensor<130x150xi8>) -> tensor<140x150xi32>
  %8 = stablehlo.concatenate %h, %g, dim = 1 : (tensor<140x60xf16>, tensor<140x70xf16>) -> tensor<140x130xf16>
  %9 = stablehlo.negate %8 : tensor<140x130xf16>
  %10 = stablehlo.dot_general %9, %f, contracting_dims = [1] x [0] : (tensor<140x130xf16>, tensor<130x150xf16>) -> tensor<140x150xf16>
  return %3, %5, %7, %10 : tensor<2x140x150xf32>, tensor<2x140x150xf64>, tensor<140x150xi32>, tensor<140x150xf16>
}

func.func @types_apart(%x: tensor<2x140x130xbf16>, %w: tensor<2x150x130xbf16>, %d: tensor<2x140x130xf64>, %e: tensor<2x130x150xf64>, %i: tensor<140x130xi8>, %k: tensor<140x130xi8>, %j: tensor<130x150xi8>, %h: tensor<140x60xf16>, %g: tensor<140x70xf16>, %f: tensor<130x150xf16>)
    -> (tensor<2x140x150xf32>, tensor<2x140x150xf64>, tensor<140x150xi32>, tensor<140x150xf16>) {
  %1 = stablehlo.tanh %x : tensor<2x140x130xbf16>
  %2 = stablehlo.abs %w : tensor<2x150x130xbf16>
  %b1 = stablehlo.optimization_barrier %1 : tensor<2x140x130xbf16>
  %b2 = stablehlo.optimization_barrier %2 : tensor<2x150x130xbf16>
  %3 = stablehlo.dot_general %b1, %b2, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x140x130xbf16>, tensor<2x150x130xbf16>) -> tensor<2x140x150xf32>
  %4 = stablehlo.add %d, %d : tensor<2x140x130xf64>
  %b3 = stablehlo.optimization_barrier %4 : tensor<2x140x130xf64>
  %5 = stablehlo.dot_general %b3, %e, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x140x130xf64>, tensor<2x130x150xf64>) -> tensor<2x140x150xf64>
  %6 = stablehlo.maximum %i, %k : tensor<140x130xi8>
  %b4 = stablehlo.optimization_barrier %6 : tensor<140x130xi8>
  %7 = stablehlo.dot_general %b4, %j, contracting_dims = [1] x [0] : (tensor<140x130xi8>, tensor<130x150xi8>) -> tensor<140x150xi32>
  %8 = stablehlo.concatenate %h, %g, dim = 1 : (tensor<140x60xf16>, tensor<140x70xf16>) -> tensor<140x130xf16>
  %9 = stablehlo.negate %8 : tensor<140x130xf16>
  %b5 = stablehlo.optimization_barrier %9 : tensor<140x130xf16>
  %10 = stablehlo.dot_general %b5, %f, contracting_dims = [1] x [0] : (tensor<140x130xf16>, tensor<130x150xf16>) -> tensor<140x150xf16>
  return %3, %5, %7, %10 : tensor<2x140x150xf32>, tensor<2x140x150xf64>, tensor<140x150xi32>, tensor<140x150xf16>
}

// What stays as it is: a factor that two products read, or that is a result; factors of products with few rows, which are read where they lie; small products; loops whose operands
// would need more memory for longer than the factor does.
// RUN: tessera run %s --input=random --function=stays --check --dump-program 2>&1 | FileCheck %s --check-prefix=STAYS
// STAYS: program of @stays
// STAYS-NEXT: map negate
// STAYS-NEXT: contract dot_general reads
// STAYS-NEXT: contract dot_general reads
// STAYS-NEXT: map tanh
// STAYS-NEXT: contract dot_general reads
// STAYS-NEXT: map abs
// STAYS-NEXT: contract dot_general reads
// STAYS-NEXT: map exponential
// STAYS-NEXT: contract dot_general reads
func.func @stays(%x: tensor<140x130xf32>, %w: tensor<130x150xf32>, %few: tensor<40x130xf32>, %s: tensor<40x50xf32>, %v: tensor<50x60xf32>)
    -> (tensor<140x150xf32>, tensor<140x140xf32>, tensor<140x150xf32>, tensor<130x150xf32>, tensor<40x150xf32>, tensor<40x60xf32>) {
  %0 = stablehlo.negate %x : tensor<140x130xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<140x130xf32>, tensor<130x150xf32>) -> tensor<140x150xf32>
  %2 = stablehlo.dot_general %0, %x, contracting_dims = [1] x [1] : (tensor<140x130xf32>, tensor<140x130xf32>) -> tensor<140x140xf32>
  %3 = stablehlo.tanh %w : tensor<130x150xf32>
  %4 = stablehlo.dot_general %x, %3, contracting_dims = [1] x [0] : (tensor<140x130xf32>, tensor<130x150xf32>) -> tensor<140x150xf32>
  %5 = stablehlo.abs %w : tensor<130x150xf32>
  %6 = stablehlo.dot_general %few, %5, contracting_dims = [1] x [0] : (tensor<40x130xf32>, tensor<130x150xf32>) -> tensor<40x150xf32>
  %7 = stablehlo.exponential %s : tensor<40x50xf32>
  %8 = stablehlo.dot_general %7, %v, contracting_dims = [1] x [0] : (tensor<40x50xf32>, tensor<50x60xf32>) -> tensor<40x60xf32>
  return %1, %2, %4, %3, %6, %8 : tensor<140x150xf32>, tensor<140x140xf32>, tensor<140x150xf32>, tensor<130x150xf32>, tensor<40x150xf32>, tensor<40x60xf32>
}

// Two values die in the map, which takes over the memory of one: both would have to stay until the product has run. One alone may. A donated argument gives its memory to the product
// when a map has read it before, not where the product computes the map.
// RUN: tessera run %s --input=random --function=lives --check --dump-program 2>&1 | FileCheck %s --check-prefix=LIVES
// LIVES: program of @lives
// LIVES: map multiply
// LIVES-NEXT: contract dot_general
// LIVES: contract negate+dot_general
// LIVES-NEXT: map abs
// LIVES-NEXT: contract dot_general reads {{.*}} writes {{[^ ]*}}:140x140xf32@result or arg1
// What a map before the product reads last is no place for the product.
// RUN: tessera run %s --input=random --function=place --check --dump-program 2>&1 | FileCheck %s --check-prefix=PLACE
// PLACE: move transpose {{.*}} writes [[T:%[0-9]+]]:200x200xf32@
// PLACE-NEXT: contract tanh+dot_general+add {{.*}} reads [[T]]:200x200xf32@{{.*}} writes {{%[0-9]+}}:200x200xf32@{{[0-9]+}} bytes
func.func @lives(%x: tensor<140x140xf32>, %y: tensor<140x140xf32> {jax.buffer_donor = true}, %w: tensor<140x140xf32>) -> (tensor<140x140xf32>, tensor<140x140xf32>, tensor<140x140xf32>) {
  %0 = stablehlo.concatenate %x, %w, dim = 0 : (tensor<140x140xf32>, tensor<140x140xf32>) -> tensor<280x140xf32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<280x140xf32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %2 = stablehlo.dynamic_slice %1, %two, %two, sizes = [140, 140] : (tensor<280x140xf32>, tensor<i32>, tensor<i32>) -> tensor<140x140xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %3 = stablehlo.dynamic_slice %1, %one, %two, sizes = [140, 140] : (tensor<280x140xf32>, tensor<i32>, tensor<i32>) -> tensor<140x140xf32>
  %4 = stablehlo.multiply %2, %3 : tensor<140x140xf32>
  %5 = stablehlo.dot_general %4, %w, contracting_dims = [1] x [0] : (tensor<140x140xf32>, tensor<140x140xf32>) -> tensor<140x140xf32>
  %6 = stablehlo.dynamic_slice %0, %one, %one, sizes = [140, 140] : (tensor<280x140xf32>, tensor<i32>, tensor<i32>) -> tensor<140x140xf32>
  %7 = stablehlo.negate %6 : tensor<140x140xf32>
  %8 = stablehlo.dot_general %7, %w, contracting_dims = [1] x [0] : (tensor<140x140xf32>, tensor<140x140xf32>) -> tensor<140x140xf32>
  %9 = stablehlo.abs %y : tensor<140x140xf32>
  %10 = stablehlo.dot_general %9, %w, contracting_dims = [1] x [0] : (tensor<140x140xf32>, tensor<140x140xf32>) -> tensor<140x140xf32>
  return %5, %8, %10 : tensor<140x140xf32>, tensor<140x140xf32>, tensor<140x140xf32>
}

func.func @place(%a: tensor<200x200xf32>, %y: tensor<200x200xf32>, %z: tensor<200x200xf32>) -> tensor<200x200xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<200x200xf32>) -> tensor<200x200xf32>
  %1 = stablehlo.tanh %0 : tensor<200x200xf32>
  %2 = stablehlo.dot_general %1, %y, contracting_dims = [0] x [0] : (tensor<200x200xf32>, tensor<200x200xf32>) -> tensor<200x200xf32>
  %3 = stablehlo.add %2, %z : tensor<200x200xf32>
  %4 = stablehlo.reverse %3, dims = [0] : tensor<200x200xf32>
  return %4 : tensor<200x200xf32>
}
