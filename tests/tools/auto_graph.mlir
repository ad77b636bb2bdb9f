// A step of a graph network: between products the rows are divided, and for gathers and scatters, which take rows from anywhere, the columns. No propagation of
// arguments finds that, so all ops and operands of the plan say what they are. What it writes computes the same, and Shardy's tools read it.
// RUN: tessera shard %s --auto --mesh=x=64 --device=a100 --search-alone -o %t.mlir --explain | FileCheck %s
// CHECK: plan search{{.*}}, with all ops
// CHECK: all_to_all over x
// RUN: FileCheck %s --check-prefix=OUT --input-file=%t.mlir
// OUT: stablehlo.gather
// OUT: sdy.sharding_constraint {{.*}} <@mesh, [{}, {"x"}]> : tensor<2097152x256xbf16>
// OUT: stablehlo.scatter
// RUN: sdy_opt %t.mlir --sdy-propagation-pipeline | FileCheck %s --check-prefix=SDY
// SDY: sdy.mesh @mesh = <["x"=64]>
func.func @main(%n: tensor<262144x256xbf16>, %i: tensor<2097152x1xi32>, %w: tensor<256x256xbf16>) -> tensor<262144x256xbf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<262144x256xbf16>
  %a = stablehlo.dot_general %n, %w, contracting_dims = [1] x [0] : (tensor<262144x256xbf16>, tensor<256x256xbf16>) -> tensor<262144x256xbf16>
  %e = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 256>, indices_are_sorted = false}> : (tensor<262144x256xbf16>, tensor<2097152x1xi32>) -> tensor<2097152x256xbf16>
  %f = stablehlo.dot_general %e, %w, contracting_dims = [1] x [0] : (tensor<2097152x256xbf16>, tensor<256x256xbf16>) -> tensor<2097152x256xbf16>
  %s = "stablehlo.scatter"(%zero, %i, %f) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%x: tensor<bf16>, %y: tensor<bf16>):
    %z = stablehlo.add %x, %y : tensor<bf16>
    stablehlo.return %z : tensor<bf16>
  }) : (tensor<262144x256xbf16>, tensor<2097152x1xi32>, tensor<2097152x256xbf16>) -> tensor<262144x256xbf16>
  %r = stablehlo.dot_general %s, %w, contracting_dims = [1] x [0] : (tensor<262144x256xbf16>, tensor<256x256xbf16>) -> tensor<262144x256xbf16>
  return %r : tensor<262144x256xbf16>
}
