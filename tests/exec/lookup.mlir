// Gathers of single elements are ops of loops: neither the indices nor the elements are in memory.
// RUN: tessera run %s --function=fused --input=random --check --rtol=0 --atol=0 --dump-program 2>&1 | FileCheck %s
// CHECK-DAG: PASS
// CHECK-DAG: arena 0 bytes
// CHECK-DAG: map {{.*}}select{{.*}}gather+negate n=3000
// A concatenation of index columns is not made; counts and numbers among them are steps of the table.
// RUN: tessera run %s --function=columns --input=random --check --rtol=0 --atol=0 --dump-program 2>&1 | FileCheck %s --check-prefix=COLUMNS
// COLUMNS-DAG: PASS
// COLUMNS-DAG: arena 0 bytes
// COLUMNS-DAG: map and+gather n=2000
// COLUMNS-NOT: concatenate
// Indices of all types, some of them outside.
// RUN: tessera run %s --function=types --input=random --check --rtol=0 --atol=0
// RUN: tessera run %s --function=types --input=random --dump-program 2>&1 >/dev/null | FileCheck %s --check-prefix=TYPES
// TYPES: 0 by the evaluator's kernels
// The table is read in any order: a result does not replace it, and what computes it is another loop.
// RUN: tessera run %s --function=own_table --input=random --check --rtol=0 --atol=0 --dump-program 2>&1 | FileCheck %s --check-prefix=OWN
// OWN-DAG: PASS
// OWN-DAG: 1 map abs n=600
// OWN-DAG: 2 map gather+add n=600
// One element of each row, in the loop over rows.
// RUN: tessera run %s --function=by_row --input=random --check --rtol=0 --atol=0 --dump-program 2>&1 | FileCheck %s --check-prefix=ROW
// ROW-DAG: PASS
// ROW-DAG: row and+reduce+gather+negate
// RUN: tessera run %s --function=by_row --input=random --threads=1 >%t.one && tessera run %s --function=by_row --input=random --threads=3 | cmp - %t.one
// In a loop that computes a factor of a product, and in one that runs on its blocks.
// RUN: tessera run %s --function=product --input=random --check --dump-program 2>&1 | FileCheck %s --check-prefix=PRODUCT
// PRODUCT-DAG: PASS
// PRODUCT-DAG: contract and+gather+tanh+dot_general+gather+add
// RUN: tessera run %s --function=product --input=random --strict-rounding --check
// Windows of a few elements are read element by element, wherever their dimensions are in the result; larger ones are moved.
// RUN: tessera run %s --function=windows --input=random --check --rtol=0 --atol=0 --dump-program 2>&1 | FileCheck %s --check-prefix=WINDOWS
// WINDOWS-DAG: PASS
// WINDOWS-DAG: map gather+negate n=600
// WINDOWS-DAG: map gather+abs n=2400
// WINDOWS-DAG: move gather {{.*}} writes {{.*}}300x3x3xf32
// Few elements, and complex ones, are moved.
// RUN: tessera run %s --function=moved --input=random --check --rtol=0 --atol=0 --dump-program 2>&1 | FileCheck %s --check-prefix=MOVED
// MOVED-DAG: PASS
// MOVED-DAG: move gather
func.func @fused(%x: tensor<50x70xf32>, %i: tensor<50x60xi32>) -> tensor<50x60xf32> {
  %zero = stablehlo.constant dense<0> : tensor<50x60xi32>
  %mask = stablehlo.constant dense<127> : tensor<50x60xi32>
  %n = stablehlo.constant dense<70> : tensor<50x60xi32>
  %0 = stablehlo.and %i, %mask : tensor<50x60xi32>
  %1 = stablehlo.subtract %0, %n : tensor<50x60xi32>
  %2 = stablehlo.compare LT, %1, %zero : (tensor<50x60xi32>, tensor<50x60xi32>) -> tensor<50x60xi1>
  %3 = stablehlo.add %1, %n : tensor<50x60xi32>
  %4 = stablehlo.select %2, %3, %1 : tensor<50x60xi1>, tensor<50x60xi32>
  %5 = "stablehlo.gather"(%x, %4) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0],
      start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<50x70xf32>, tensor<50x60xi32>) -> tensor<50x60xf32>
  %6 = stablehlo.negate %5 : tensor<50x60xf32>
  return %6 : tensor<50x60xf32>
}
func.func @columns(%x: tensor<20x9x30xbf16>, %i: tensor<20x100x1xi32>) -> tensor<20x100xbf16> {
  %mask = stablehlo.constant dense<31> : tensor<20x100x1xi32>
  %0 = stablehlo.and %i, %mask : tensor<20x100x1xi32>
  %1 = stablehlo.iota dim = 0 : tensor<20x100x1xi32>
  %2 = stablehlo.constant dense<4> : tensor<20x100x1xi32>
  %3 = stablehlo.concatenate %0, %1, %2, dim = 2 : (tensor<20x100x1xi32>, tensor<20x100x1xi32>, tensor<20x100x1xi32>) -> tensor<20x100x3xi32>
  %4 = "stablehlo.gather"(%x, %3) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2], start_index_map = [2, 0, 1], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 1, 1>}> : (tensor<20x9x30xbf16>, tensor<20x100x3xi32>) -> tensor<20x100xbf16>
  return %4 : tensor<20x100xbf16>
}
func.func @types(%x: tensor<40xf64>, %y: tensor<40xi1>, %z: tensor<40xi8>, %a: tensor<300xi64>, %b: tensor<300xui64>, %c: tensor<300xui32>, %d: tensor<300xi8>, %e: tensor<300xui16>, %f: tensor<300xi32>)
    -> (tensor<300xf64>, tensor<300xi1>, tensor<300xi8>, tensor<300xf64>, tensor<300xf64>, tensor<300xi8>) {
  %0 = "stablehlo.gather"(%x, %a) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<40xf64>, tensor<300xi64>) -> tensor<300xf64>
  %1 = "stablehlo.gather"(%y, %b) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<40xi1>, tensor<300xui64>) -> tensor<300xi1>
  %2 = "stablehlo.gather"(%z, %c) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<40xi8>, tensor<300xui32>) -> tensor<300xi8>
  %3 = "stablehlo.gather"(%x, %d) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<40xf64>, tensor<300xi8>) -> tensor<300xf64>
  %4 = "stablehlo.gather"(%x, %e) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<40xf64>, tensor<300xui16>) -> tensor<300xf64>
  %5 = "stablehlo.gather"(%z, %f) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<40xi8>, tensor<300xi32>) -> tensor<300xi8>
  return %0, %1, %2, %3, %4, %5 : tensor<300xf64>, tensor<300xi1>, tensor<300xi8>, tensor<300xf64>, tensor<300xf64>, tensor<300xi8>
}
func.func @own_table(%x: tensor<600xi32>) -> tensor<600xi32> {
  %0 = stablehlo.abs %x : tensor<600xi32>
  %1 = "stablehlo.gather"(%0, %0) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<600xi32>, tensor<600xi32>) -> tensor<600xi32>
  %2 = stablehlo.add %0, %1 : tensor<600xi32>
  return %2 : tensor<600xi32>
}
func.func @by_row(%x: tensor<400x90xf32>, %i: tensor<400x90xi32>) -> (tensor<400xf32>, tensor<400x90xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %mask = stablehlo.constant dense<63> : tensor<400x90xi32>
  %k = stablehlo.and %i, %mask : tensor<400x90xi32>
  %0 = stablehlo.reduce(%k init: %zero) applies stablehlo.maximum across dimensions = [1] : (tensor<400x90xi32>, tensor<i32>) -> tensor<400xi32>
  %1 = "stablehlo.gather"(%x, %0) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0],
      start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<400x90xf32>, tensor<400xi32>) -> tensor<400xf32>
  %2 = stablehlo.negate %1 : tensor<400xf32>
  %3 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<400xi32>) -> tensor<400x90xi32>
  %4 = stablehlo.subtract %k, %3 : tensor<400x90xi32>
  return %2, %4 : tensor<400xf32>, tensor<400x90xi32>
}
func.func @product(%t: tensor<512xf32>, %i: tensor<256x130xi32>, %w: tensor<130x180xf32>, %j: tensor<256x180xi32>) -> tensor<256x180xf32> {
  %mask = stablehlo.constant dense<511> : tensor<256x130xi32>
  %0 = stablehlo.and %i, %mask : tensor<256x130xi32>
  %1 = "stablehlo.gather"(%t, %0) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1>}> : (tensor<512xf32>, tensor<256x130xi32>) -> tensor<256x130xf32>
  %2 = stablehlo.tanh %1 : tensor<256x130xf32>
  %3 = stablehlo.dot_general %2, %w, contracting_dims = [1] x [0] : (tensor<256x130xf32>, tensor<130x180xf32>) -> tensor<256x180xf32>
  %4 = "stablehlo.gather"(%t, %j) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1>}> : (tensor<512xf32>, tensor<256x180xi32>) -> tensor<256x180xf32>
  %5 = stablehlo.add %3, %4 : tensor<256x180xf32>
  return %5 : tensor<256x180xf32>
}
func.func @moved(%x: tensor<40xf32>, %i: tensor<20xi32>, %y: tensor<40xcomplex<f32>>, %k: tensor<400xi32>) -> (tensor<20xf32>, tensor<400xcomplex<f32>>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<40xf32>, tensor<20xi32>) -> tensor<20xf32>
  %1 = "stablehlo.gather"(%y, %k) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<40xcomplex<f32>>, tensor<400xi32>) -> tensor<400xcomplex<f32>>
  return %0, %1 : tensor<20xf32>, tensor<400xcomplex<f32>>
}
func.func @windows(%x: tensor<8x40x2xf32>, %i: tensor<300x2xi32>, %y: tensor<9x9xf32>, %j: tensor<300x2xi64>) -> (tensor<300x2xf32>, tensor<2x300x4xf32>, tensor<300x3x3xf32>) {
  %three = stablehlo.constant dense<3> : tensor<300x2xi32>
  %k = stablehlo.multiply %i, %three : tensor<300x2xi32>
  %0 = "stablehlo.gather"(%x, %k) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 2>}> : (tensor<8x40x2xf32>, tensor<300x2xi32>) -> tensor<300x2xf32>
  %1 = stablehlo.negate %0 : tensor<300x2xf32>
  %2 = "stablehlo.gather"(%y, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 4>}> : (tensor<9x9xf32>, tensor<300x2xi64>) -> tensor<2x300x4xf32>
  %3 = stablehlo.abs %2 : tensor<2x300x4xf32>
  %4 = "stablehlo.gather"(%y, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 3, 3>}> : (tensor<9x9xf32>, tensor<300x2xi64>) -> tensor<300x3x3xf32>
  return %1, %3, %4 : tensor<300x2xf32>, tensor<2x300x4xf32>, tensor<300x3x3xf32>
}
