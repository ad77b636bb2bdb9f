// RUN: tessera opt %s --split-input-file --verify-diagnostics
// What collectives do to the sharding of their operand.

sdy.mesh @m = <["x"=2, "y"=8, "z"=4]>
sdy.mesh @p = <["x"=2, "y"=8, "z"=4], device_ids=[63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]>
func.func @good(%a: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", "y"}, {}]>}, %b: tensor<64x64xf32>) {
  %0 = sdy.all_gather [{"y":(4)2}, {}] %a out_sharding=<@m, [{"x", "y":(1)4}, {}]> : tensor<64x64xf32>
  %1 = sdy.all_slice [{"y":(4)2}, {"z"}] %0 out_sharding=<@m, [{"x", "y"}, {"z"}]> : tensor<64x64xf32>
  %2 = sdy.all_to_all [{"y":(2)4}: 0->1] %1 out_sharding=<@m, [{"x", "y":(1)2}, {"z", "y":(2)4}]> : tensor<64x64xf32>
  %3 = sdy.collective_permute %2 out_sharding=<@m, [{"z"}, {"x", "y"}]> : tensor<64x64xf32>
  %4 = sdy.collective_permute %3 out_sharding=<@p, [{"z"}, {"x", "y"}]> : tensor<64x64xf32>
  %g = sdy.all_gather [{}, {"y":(2)4}] %3 out_sharding=<@m, [{"z"}, {"x", "y":(1)2}]> : tensor<64x64xf32>
  %5 = sdy.sharded_to_unreduced [{"z":(2)2}, {}] %g out_sharding=<@m, [{"z":(1)2}, {"x", "y":(1)2}], unreduced={"z":(2)2}> : tensor<64x64xf32>
  %6 = sdy.replicated_to_unreduced {"y":(2)2} %5 out_sharding=<@m, [{"z":(1)2}, {"x", "y":(1)2}], unreduced={"y":(2)2, "z":(2)2}> : tensor<64x64xf32>
  %7 = sdy.all_reduce {"z":(2)2} %6 out_sharding=<@m, [{"z":(1)2}, {"x", "y":(1)2}], unreduced={"y":(2)2}> : tensor<64x64xf32>
  %8 = sdy.reduce_scatter [{"y":(2)2}, {}] %7 out_sharding=<@m, [{"z":(1)2, "y":(2)2}, {"x", "y":(1)2}]> : tensor<64x64xf32>
  %9 = sdy.all_reduce {"x"} %b out_sharding=<@m, [{}, {}]> : tensor<64x64xf32>
  %10 = sdy.reduce_scatter [{"x"}, {}] %b out_sharding=<@m, [{"x"}, {}]> : tensor<64x64xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f(%a: tensor<8xf32>) {
  // expected-error@+1 {{'sdy.all_gather' op collective on operand without sharding}}
  %0 = sdy.all_gather [{}] %a out_sharding=<@m, [{}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
sdy.mesh @n = <["y"=2]>
// expected-note@+1 {{operand mesh: #sdy.mesh<["x"=2]>}}
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}) {
  // expected-error@+1 {{'sdy.all_slice' op result mesh does not match operand mesh}}
  %0 = sdy.all_slice [{"y"}] %a out_sharding=<@n, [{"y"}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}) {
  // expected-error@+1 {{'sdy.all_slice' op unknown axis name: "q"}}
  %0 = sdy.all_slice [{"q"}] %a out_sharding=<@m, [{"q"}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  // expected-error@+1 {{'sdy.all_gather' op unknown axis name: "q"}}
  %0 = sdy.all_gather [{"q"}] %a out_sharding=<@m, [{}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  // expected-error@+1 {{'sdy.all_gather' op result sharding has rank 1 but collective axes has rank 2}}
  %0 = sdy.all_gather [{"x"}, {}] %a out_sharding=<@m, [{}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=8]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", "x"}]>}) {
  // expected-error@+1 {{'sdy.all_gather' op can't apply gathering axis "y" to operand sharding on dimension 0}}
  %0 = sdy.all_gather [{"y"}] %a out_sharding=<@m, [{"x"}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=8]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", "y"}]>}) {
  // expected-error@+1 {{'sdy.all_gather' op result sharding doesn't match expected sharding ["x", "y":(1)4] on dimension 0}}
  %0 = sdy.all_gather [{"y":(4)2}] %a out_sharding=<@m, [{"x"}]> : tensor<8xf32>
  return
}

// -----

// Parts with no size and no end.
sdy.mesh @m = <["x"=2, "y"=8]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", "y"}]>}) {
  // expected-error@+1 {{'sdy.all_gather' op can't apply gathering axis "y":(0)0 to operand sharding on dimension 0}}
  %0 = sdy.all_gather [{"y":(0)0}] %a out_sharding=<@m, [{"x"}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=8]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y":(1)2}]>}) {
  // expected-error@+1 {{'sdy.all_slice' op result sharding doesn't match expected sharding ["y"] on dimension 0}}
  %0 = sdy.all_slice [{"y":(2)4}] %a out_sharding=<@m, [{"x"}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  // expected-error@+1 {{'sdy.all_to_all' op parameter list is empty}}
  %0 = sdy.all_to_all [] %a out_sharding=<@m, [{"x"}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) {
  // expected-error@+1 {{'sdy.all_to_all' op source dimension -1 is out of range [0, 2)}}
  %0 = sdy.all_to_all [{"x"}: -1->1] %a out_sharding=<@m, [{}, {"x"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) {
  // expected-error@+1 {{'sdy.all_to_all' op target dimension 2 is out of range [0, 2)}}
  %0 = sdy.all_to_all [{"x"}: 0->2] %a out_sharding=<@m, [{}, {"x"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) {
  // expected-error@+1 {{'sdy.all_to_all' op overlapping source/target dimensions in all-to-all params: 1}}
  %0 = sdy.all_to_all [{"x"}: 1->1] %a out_sharding=<@m, [{}, {"x"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=2]>
func.func @f(%a: tensor<8x8x8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}, {}, {}]>}) {
  // expected-error@+1 {{'sdy.all_to_all' op source dimensions are not sorted in ascending order: 0 appears after 1}}
  %0 = sdy.all_to_all [{"y"}: 1->2, {"x"}: 0->3] %a out_sharding=<@m, [{}, {}, {"y"}, {"x"}]> : tensor<8x8x8x8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=2]>
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) {
  // expected-error@+1 {{'sdy.all_to_all' op can't apply all-to-all axis "y" to operand sharding on dimension 0}}
  %0 = sdy.all_to_all [{"y"}: 0->1] %a out_sharding=<@m, [{}, {"y"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=2]>
func.func @f(%a: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}, {"y"}]>}) {
  // expected-error@+1 {{'sdy.all_to_all' op result sharding doesn't match expected sharding ["y"] on dimension 2}}
  %0 = sdy.all_to_all [{"x"}: 0->1] %a out_sharding=<@m, [{}, {"x"}, {}]> : tensor<8x8x8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  // expected-error@+1 {{'sdy.collective_permute' op sharded size of result doesn't match operand on dimension 0: 4 != 2}}
  %0 = sdy.collective_permute %a out_sharding=<@m, [{"y"}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
sdy.mesh @n = <["x"=4]>
// expected-note@+1 {{operand mesh: #sdy.mesh<["x"=2]>}}
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  // expected-error@+1 {{'sdy.collective_permute' op result mesh has different axes than operand mesh}}
  %0 = sdy.collective_permute %a out_sharding=<@n, [{"x"}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
sdy.mesh @n = <["x"=2]>
// expected-note@+1 {{operand mesh: #sdy.mesh<["x"=2]>}}
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  // expected-error@+1 {{'sdy.collective_permute' op result mesh name is different but same device ids as operand}}
  %0 = sdy.collective_permute %a out_sharding=<@n, [{"x"}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  // expected-error@+1 {{'sdy.all_reduce' op operand and result shardings are not equivalent}}
  %0 = sdy.all_reduce {"y"} %a out_sharding=<@m, [{}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8xf32>) {
  // expected-error@+1 {{'sdy.all_reduce' op reduction axes are not ordered w.r.t. mesh}}
  %0 = sdy.all_reduce {"y", "x"} %a out_sharding=<@m, [{}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}], replicated={"y"}>}) {
  // expected-error@+1 {{'sdy.all_reduce' op reduction axis "y":(2)2 overlaps with operand dimension sharding or replicated axes}}
  %0 = sdy.all_reduce {"x", "y":(2)2} %a out_sharding=<@m, [{}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced={"x"}>}) {
  // expected-error@+1 {{'sdy.all_reduce' op reduction axis "x" overlaps with result unreduced axes}}
  %0 = sdy.all_reduce {"x"} %a out_sharding=<@m, [{}], unreduced={"x"}> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced={"x"}>}) {
  // expected-error@+1 {{'sdy.all_reduce' op cannot add new unreduced axis 'y'.}}
  %0 = sdy.all_reduce {"x"} %a out_sharding=<@m, [{}], unreduced={"y":(1)2}> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced={"x"}>}) {
  // expected-error@+1 {{'sdy.all_reduce' op cannot reduce 'sum' unreduced axes. Expected 'max'.}}
  %0 = sdy.all_reduce max {"x"} %a out_sharding=<@m, [{}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced={"x"}>}) {
  // expected-error@+1 {{'sdy.reduce_scatter' op cannot reduce 'sum' unreduced axes. Expected 'min'.}}
  %0 = sdy.reduce_scatter min [{"x"}] %a out_sharding=<@m, [{"x"}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced={"x"}>}) {
  // expected-error@+1 {{'sdy.reduce_scatter' op result sharding doesn't match expected sharding ["x"] on dimension 0}}
  %0 = sdy.reduce_scatter [{"x"}] %a out_sharding=<@m, [{}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  // expected-error@+1 {{'sdy.sharded_to_unreduced' op out_sharding reduction_op must be SUM}}
  %0 = sdy.sharded_to_unreduced [{"x"}] %a out_sharding=<@m, [{}], unreduced=max{"x"}> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  // expected-error@+1 {{'sdy.sharded_to_unreduced' op can't apply shard-to-unreduce axis "y" to operand sharding on dimension 0}}
  %0 = sdy.sharded_to_unreduced [{"y"}] %a out_sharding=<@m, [{}], unreduced={"y"}> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  // expected-error@+1 {{'sdy.sharded_to_unreduced' op out_unreduced_axes should be in_unreduced_axes + sharded_to_unreduced_axes}}
  %0 = sdy.sharded_to_unreduced [{"x"}] %a out_sharding=<@m, [{}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  // expected-error@+1 {{'sdy.replicated_to_unreduced' op out_sharding reduction_op must be SUM}}
  %0 = sdy.replicated_to_unreduced {"y"} %a out_sharding=<@m, [{"x"}], unreduced=min{"y"}> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  // expected-error@+1 {{'sdy.replicated_to_unreduced' op input and output must share the same dimension shardings}}
  %0 = sdy.replicated_to_unreduced {"y"} %a out_sharding=<@m, [{}], unreduced={"y"}> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  // expected-error@+1 {{'sdy.replicated_to_unreduced' op r2u axes must not be empty}}
  %0 = sdy.replicated_to_unreduced {} %a out_sharding=<@m, [{"x"}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}) {
  // expected-error@+1 {{'sdy.replicated_to_unreduced' op r2u axes are not ordered w.r.t. mesh}}
  %0 = sdy.replicated_to_unreduced {"y", "x"} %a out_sharding=<@m, [{}], unreduced={"x", "y"}> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y":(1)2}]>}) {
  // expected-error@+1 {{'sdy.replicated_to_unreduced' op r2u axis "y" overlaps with operand dimension sharding}}
  %0 = sdy.replicated_to_unreduced {"y"} %a out_sharding=<@m, [{"y":(1)2}], unreduced={"x"}> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced={"y":(2)2}>}) {
  // expected-error@+1 {{'sdy.replicated_to_unreduced' op r2u axis "y" overlaps with operand unreduced axes}}
  %0 = sdy.replicated_to_unreduced {"y"} %a out_sharding=<@m, [{}], unreduced={"y"}> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced={"x"}>}) {
  // expected-error@+1 {{'sdy.replicated_to_unreduced' op out_unreduced_axes should be in_unreduced_axes + r2u_axes}}
  %0 = sdy.replicated_to_unreduced {"y"} %a out_sharding=<@m, [{}], unreduced={"y"}> : tensor<8xf32>
  return
}

// -----

sdy.mesh @m = <["x"=2]>
sdy.mesh @one = <[], device_ids=[0]>
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.add"(%a, %a) {sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  // expected-error@+1 {{'sdy.collective_permute' op result sharding has rank 1 but operand sharding has rank 0}}
  %1 = sdy.collective_permute %0 out_sharding=<@m, [{"x"}]> : tensor<8xf32>
  return %1 : tensor<8xf32>
}
