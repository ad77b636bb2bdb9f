// Forms of TTIR that TTNN has no op for: gathers with StableHLO's dimension numbers.
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline=disable-workarounds=true %s -o %t && FileCheck %s --input-file %t
// RUN: tessera run %t --function=rows --input=random --against=%s
// RUN: tessera run %t --function=windows --input=random --against=%s

// CHECK-LABEL: func.func @rows(
// CHECK: "ttnn.embedding"
func.func @rows(%x: tensor<16x3xf32>, %i: tensor<10x1xi32>) -> tensor<10x3xf32> {
  %0 = "ttir.gather"(%x, %i) <{collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : si64, indices_are_sorted = false, offset_dims = array<i64: 1>, operand_batching_dims = array<i64>, slice_sizes = array<i64: 1, 3>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}> : (tensor<16x3xf32>, tensor<10x1xi32>) -> tensor<10x3xf32>
  return %0 : tensor<10x3xf32>
}

// CHECK-LABEL: func.func @windows(
func.func @windows(%x: tensor<4x6xf32>, %i: tensor<5x2xi32>) -> tensor<5x2xf32> {
  %0 = "ttir.gather"(%x, %i) <{collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : si64, indices_are_sorted = false, offset_dims = array<i64: 1>, operand_batching_dims = array<i64>, slice_sizes = array<i64: 1, 2>, start_index_map = array<i64: 0, 1>, start_indices_batching_dims = array<i64>}> : (tensor<4x6xf32>, tensor<5x2xi32>) -> tensor<5x2xf32>
  return %0 : tensor<5x2xf32>
}
