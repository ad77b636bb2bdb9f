// Manual computations inside others, also in functions that they call, and shardings that name more axes than the manual
// ones: each device of the outer axes has its own whole.
// RUN: stablehlo-translate --interpret %s
// RUN: tessera opt %s --convert-stablehlo-to-ttir -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera run %t.mlir
// RUN: tessera opt %s --stablehlo-to-ttir-pipeline -o %t.mlir
// RUN: tessera run %t.mlir

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=3]>

// Run by each device of x.
// CHECK-LABEL: func.func private @inner
// CHECK: "ttir.mesh_partition"
// CHECK: "ttir.all_gather"
// CHECK-NOT: "ttir.mesh_shard"
func.func private @inner(%a: tensor<6xi32>) -> tensor<6xi32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"y"}]>] out_shardings=[<@mesh, [{"y"}]>] manual_axes={"y"} (%p: tensor<3xi32>) {
    %id = stablehlo.partition_id : tensor<ui32>
    %i = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %row = stablehlo.divide %i, %three : tensor<i32>
    %all = stablehlo.broadcast_in_dim %row, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %s = stablehlo.add %p, %all : tensor<3xi32>
    sdy.return %s : tensor<3xi32>
  } : (tensor<6xi32>) -> tensor<6xi32>
  return %0 : tensor<6xi32>
}

// CHECK-LABEL: func.func @main
// CHECK-NOT: sdy.
func.func @main() {
  // A result that the inner axes do not divide: the device of x says it.
  %n = stablehlo.constant dense<0> : tensor<2xi32>
  %0 = sdy.manual_computation(%n) in_shardings=[<@mesh, [{"x", ?}]>] out_shardings=[<@mesh, [{"x", ?}]>] manual_axes={"x"} (%p: tensor<1xi32>) {
    %1 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, []>] manual_axes={"y", "z"} () {
      %six = stablehlo.constant dense<6> : tensor<ui32>
      %id = stablehlo.partition_id : tensor<ui32>
      %q = stablehlo.divide %id, %six : tensor<ui32>
      %r = stablehlo.convert %q : (tensor<ui32>) -> tensor<i32>
      sdy.return %r : tensor<i32>
    } : () -> tensor<i32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    sdy.return %2 : tensor<1xi32>
  } : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[0, 1]> : tensor<2xi32>

  // One dimension, divided by x outside and by z and y inside, in another order than the mesh's.
  %i = stablehlo.iota dim = 0 : tensor<24xi32>
  %3 = sdy.manual_computation(%i) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%p: tensor<12xi32>) {
    %1 = sdy.manual_computation(%p) in_shardings=[<@mesh, [{"z", "y"}]>] out_shardings=[<@mesh, [{"z", "y"}]>] manual_axes={"y", "z"} (%q: tensor<2xi32>) {
      %first = stablehlo.slice %q [0:1] : (tensor<2xi32>) -> tensor<1xi32>
      %both = stablehlo.concatenate %first, %first, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      sdy.return %both : tensor<2xi32>
    } : (tensor<12xi32>) -> tensor<12xi32>
    sdy.return %1 : tensor<12xi32>
  } : (tensor<24xi32>) -> tensor<24xi32>
  check.expect_eq_const %3, dense<[0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14, 16, 16, 18, 18, 20, 20, 22, 22]> : tensor<24xi32>

  // By way of a function.
  %j = stablehlo.iota dim = 0 : tensor<12xi32>
  %4 = sdy.manual_computation(%j) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%p: tensor<6xi32>) {
    %1 = func.call @inner(%p) : (tensor<6xi32>) -> tensor<6xi32>
    sdy.return %1 : tensor<6xi32>
  } : (tensor<12xi32>) -> tensor<12xi32>
  check.expect_eq_const %4, dense<[0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14]> : tensor<12xi32>

  // Axes that are not manual divide nothing.
  // CHECK: "ttir.mesh_shard"({{.*}}) <{shard_dims = array<i64: 0, -1, -1>, {{.*}}shard_shape = array<i64: 2>, {{.*}}}> : (tensor<12xi32>) -> tensor<6xi32>
  %5 = sdy.manual_computation(%j) in_shardings=[<@mesh, [{"x", "y"}]>] out_shardings=[<@mesh, [{"x", "y"}]>] manual_axes={"x"} (%p: tensor<6xi32>) {
    %1 = stablehlo.reverse %p, dims = [0] : tensor<6xi32>
    sdy.return %1 : tensor<6xi32>
  } : (tensor<12xi32>) -> tensor<12xi32>
  check.expect_eq_const %5, dense<[5, 4, 3, 2, 1, 0, 11, 10, 9, 8, 7, 6]> : tensor<12xi32>

  // Sums of truth values over devices are ors: two are true.
  %t = stablehlo.constant dense<true> : tensor<2x1xi1>
  %6 = sdy.manual_computation(%t) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x", "y", "z"} (%p: tensor<1x1xi1>) {
    %s = "stablehlo.all_reduce"(%p) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
    ^bb0(%l: tensor<i1>, %r: tensor<i1>):
      %q = stablehlo.add %l, %r : tensor<i1>
      stablehlo.return %q : tensor<i1>
    }) : (tensor<1x1xi1>) -> tensor<1x1xi1>
    sdy.return %s : tensor<1x1xi1>
  } : (tensor<2x1xi1>) -> tensor<1x1xi1>
  check.expect_eq_const %6, dense<true> : tensor<1x1xi1>
  return
}
