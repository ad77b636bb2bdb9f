// Each reshard becomes the collectives that carry it out; shrinking first, growing last.
// RUN: sdy_opt %s --sdy-reshard-to-collectives | FileCheck %s
// RUN: sdy_opt %s --sdy-reshard-to-collectives=keep-redundant-reshards=true | FileCheck %s --check-prefix=KEEP

sdy.mesh @m = <["x"=2, "y"=4]>
sdy.mesh @six = <["x"=6]>
sdy.mesh @turned = <["x"=2, "y"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
sdy.mesh @again = <["x"=2, "y"=4]>
sdy.mesh @other = <["a"=8]>
sdy.mesh @one = <[], device_ids=[3]>
sdy.mesh @unit = <["x"=2, "u"=1]>
sdy.mesh @four = <["x"=2, "y"=2, "z"=2, "w"=3]>

// CHECK-LABEL: func @slice(
func.func @slice(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<8x16xf32> {
  // CHECK-NEXT: %0 = sdy.all_slice [{}, {"y"}] %arg0 out_sharding=<@m, [{"x"}, {"y"}]> : tensor<8x16xf32>
  // CHECK-NEXT: return %0
  %0 = sdy.reshard %arg0 <@m, [{"x"}, {"y"}]> : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// Nothing is known of the argument: it is replicated.
// CHECK-LABEL: func @slice_of_unknown(
func.func @slice_of_unknown(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: sdy.all_slice [{"y"}] %arg0 out_sharding=<@m, [{"y"}]>
  %0 = sdy.reshard %arg0 <@m, [{"y"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func @gather_part(
func.func @gather_part(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}, {"x"}]>}) -> tensor<8x16xf32> {
  // CHECK-NEXT: sdy.all_gather [{"y":(2)2}, {"x"}] %arg0 out_sharding=<@m, [{"y":(1)2}, {}]>
  %0 = sdy.reshard %arg0 <@m, [{"y":(1)2}, {}]> : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// CHECK-LABEL: func @exchange(
func.func @exchange(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", "y"}, {}]>}) -> tensor<8x16xf32> {
  // CHECK-NEXT: sdy.all_to_all [{"y"}: 0->1] %arg0 out_sharding=<@m, [{"x"}, {"y"}]>
  %0 = sdy.reshard %arg0 <@m, [{"x"}, {"y"}]> : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// CHECK-LABEL: func @permute(
func.func @permute(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", "y"}, {}]>}) -> tensor<8x16xf32> {
  // CHECK-NEXT: sdy.collective_permute %arg0 out_sharding=<@m, [{"y", "x"}, {}]>
  %0 = sdy.reshard %arg0 <@m, [{"y", "x"}, {}]> : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// Devices in another order: a permute, even though the axes are the same.
// CHECK-LABEL: func @other_devices(
func.func @other_devices(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<8x16xf32> {
  // CHECK-NEXT: sdy.collective_permute %arg0 out_sharding=<@turned, [{"x"}, {}]>
  %0 = sdy.reshard %arg0 <@turned, [{"x"}, {}]> : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// The same devices under another name: nothing moves.
// CHECK-LABEL: func @other_name(
func.func @other_name(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<8x16xf32> {
  // CHECK-NEXT: return %arg0
  %0 = sdy.reshard %arg0 <@again, [{"x"}, {}]> : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// CHECK-LABEL: func @other_name_and_axes(
func.func @other_name_and_axes(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", "y"}, {}]>}) -> tensor<8x16xf32> {
  // CHECK-NEXT: sdy.collective_permute %arg0 out_sharding=<@m, [{"y", "x"}, {}]>
  %0 = sdy.reshard %arg0 <@again, [{"y", "x"}, {}]> : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// CHECK-LABEL: func @redundant(
// KEEP-LABEL: func @redundant(
func.func @redundant(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}, {}]>}) -> tensor<8x16xf32> {
  // CHECK-NEXT: return %arg0
  // KEEP-NEXT: sdy.reshard %arg0 <@m, [{"x"}, {}]>
  %0 = sdy.reshard %arg0 <@m, [{"x"}, {}]> : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// Collectives take what goes into the barrier; the chain of reshards is followed.
// CHECK-LABEL: func @barrier(
func.func @barrier(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<8x16xf32> {
  // CHECK-NEXT: sdy.propagation_barrier
  // CHECK-NEXT: %[[G:.*]] = sdy.all_gather [{"x"}, {}] %arg0 out_sharding=<@m, [{}, {}]>
  // CHECK-NEXT: %[[S:.*]] = sdy.all_slice [{}, {"x"}] %[[G]] out_sharding=<@m, [{}, {"x"}]>
  // CHECK-NEXT: return %[[S]]
  %0 = sdy.propagation_barrier %arg0 allowed_direction=NONE : tensor<8x16xf32>
  %1 = sdy.reshard %0 <@m, [{}, {}]> : tensor<8x16xf32>
  %2 = sdy.reshard %1 <@m, [{}, {"x"}]> : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// Between meshes of other axes, and from or to one device, there are no collectives.
// CHECK-LABEL: func @stays(
func.func @stays(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  // CHECK-NEXT: sdy.reshard %arg0 <@other, [{"a"}, {}]>
  // CHECK-NEXT: sdy.reshard %arg0 <@one, []>
  %0 = sdy.reshard %arg0 <@other, [{"a"}, {}]> : tensor<8x16xf32>
  %1 = sdy.reshard %arg0 <@one, []> : tensor<8x16xf32>
  return %0, %1 : tensor<8x16xf32>, tensor<8x16xf32>
}

// Halves and thirds of six cut each other badly: all goes, then all comes.
// CHECK-LABEL: func @misfit(
func.func @misfit(%arg0: tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@six, [{"x":(1)2}, {}]>}) -> tensor<6x6xf32> {
  // CHECK-NEXT: %[[G:.*]] = sdy.all_gather [{"x":(1)2}, {}] %arg0 out_sharding=<@six, [{}, {}]>
  // CHECK-NEXT: sdy.all_slice [{}, {"x":(1)3}] %[[G]] out_sharding=<@six, [{}, {"x":(1)3}]>
  %0 = sdy.reshard %arg0 <@six, [{}, {"x":(1)3}]> : tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}

// Two rounds of steps end at [{"z", "x", "y"}, {"w"}]; a third one gets where the reshard asked to.
// CHECK-LABEL: func @third_round(
func.func @third_round(%arg0: tensor<8x96xf32> {sdy.sharding = #sdy.sharding<@four, [{"x", "w"}, {"y", "z"}]>}) -> tensor<8x96xf32> {
  // CHECK: out_sharding=<@four, [{"z", "y", "x"}, {"w"}]>
  // CHECK-NEXT: return
  %0 = sdy.reshard %arg0 <@four, [{"z", "y", "x"}, {"w"}]> : tensor<8x96xf32>
  return %0 : tensor<8x96xf32>
}

// Axes of size 1 shard nothing.
// CHECK-LABEL: func @size_one(
func.func @size_one(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@unit, [{"u", "x"}, {}]>}) -> tensor<8x16xf32> {
  // CHECK-NEXT: %[[P:.*]] = sdy.collective_permute %arg0 out_sharding=<@unit, [{"x"}, {}]>
  // CHECK-NEXT: return %[[P]]
  %0 = sdy.reshard %arg0 <@unit, [{"x"}, {"u"}]> : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// CHECK-LABEL: func @inlined_mesh(
func.func @inlined_mesh(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2]>, [{"a"}]>}) -> tensor<8xf32> {
  // CHECK-NEXT: sdy.all_gather [{"a"}] %arg0 out_sharding=<mesh<["a"=2]>, [{}]>
  %0 = sdy.reshard %arg0 <mesh<["a"=2]>, [{}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Partial sums are not completed here; those that stay so are moved.
// CHECK-LABEL: func @unreduced(
func.func @unreduced(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced=max{"x"}>}) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: sdy.reshard %arg0 <@m, [{}]>
  // CHECK-NEXT: sdy.all_slice [{"y"}] %arg0 out_sharding=<@m, [{"y"}], unreduced=max{"x"}>
  %0 = sdy.reshard %arg0 <@m, [{}]> : tensor<8xf32>
  %1 = sdy.reshard %arg0 <@m, [{"y"}], unreduced=max{"x"}> : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
