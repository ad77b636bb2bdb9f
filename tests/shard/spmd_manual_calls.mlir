// Functions that are called in a manual computation are for its devices, through other functions, loops and branches, too; one
// that is called in several computations, or outside as well, is copied for each.
// RUN: tessera run %s --spmd --check --input=random --function=calls | FileCheck %s --check-prefix=CALLS
// CALLS-COUNT-3: PASS (exact)
// RUN: tessera run %s --spmd --check --input=random --function=contexts | FileCheck %s --check-prefix=CONTEXTS
// CONTEXTS-COUNT-5: PASS (exact)
// RUN: tessera run %s --spmd --check --input=random --function=recursive | FileCheck %s --check-prefix=RECURSIVE
// RECURSIVE: PASS (exact)
// RUN: tessera run %s --spmd --check --input=random --function=partial | FileCheck %s --check-prefix=PARTIAL
// PARTIAL-COUNT-2: PASS (exact)

// Without propagation, and without what goes before it, it is the same.
// RUN: tessera opt %s --tessera-partition=propagate=false -o %t.mlir
// RUN: tessera opt %s --tessera-spmd-partition -o %t.alone.mlir
// RUN: tessera run %s --function=calls --input=4x4xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 > %t.want
// RUN: tessera run %t.mlir --spmd --function=calls --input=4x4xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 | diff - %t.want
// RUN: tessera run %t.alone.mlir --spmd --function=calls --input=4x4xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 | diff - %t.want
// RUN: tessera run %t.alone.mlir --spmd --function=contexts --input=4x4xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 > %t.got
// RUN: tessera run %s --function=contexts --input=4x4xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 | diff - %t.got

// @place has a version for each set of axes, and one for no device in particular, where a process is number 0.
// RUN: FileCheck %s --input-file=%t.alone.mlir
// CHECK: func.func private @place(
// CHECK: partition_id
// CHECK: func.func private @place_2(
// CHECK-NOT: partition_id
// CHECK: func.func private @place_1(
// CHECK: partition_id
// CHECK: func.func private @place_0(
// CHECK: partition_id
// CHECK-LABEL: func.func @contexts
// CHECK: call @place(
// CHECK: call @place_0(
// CHECK: call @place_1(
// CHECK: call @place_0(
// CHECK: call @place_2(
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>

  // A permute along x, of all devices.
  func.func private @turn(%a: tensor<2x2xi32>) -> tensor<2x2xi32> {
    %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 2], [2, 0], [1, 3], [3, 1]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<2x2xi32>) -> tensor<2x2xi32>
    return %0 : tensor<2x2xi32>
  }
  func.func private @step(%a: tensor<2x2xi32>) -> tensor<2x2xi32> {
    %0 = call @turn(%a) : (tensor<2x2xi32>) -> tensor<2x2xi32>
    %1 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>}> ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %m = stablehlo.maximum %x, %y : tensor<i32>
      stablehlo.return %m : tensor<i32>
    }) : (tensor<2x2xi32>) -> tensor<2x2xi32>
    %2 = stablehlo.add %0, %1 : tensor<2x2xi32>
    return %2 : tensor<2x2xi32>
  }
  func.func @calls(%a: tensor<4x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi32>) {
    %0:3 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"x"}, {"y"}]>, <@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%b: tensor<2x2xi32>) {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %three = stablehlo.constant dense<3> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %l:2 = stablehlo.while(%i = %zero, %v = %b) : tensor<i32>, tensor<2x2xi32>
      cond {
        %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %n = stablehlo.add %i, %one : tensor<i32>
        %s = func.call @step(%v) : (tensor<2x2xi32>) -> tensor<2x2xi32>
        stablehlo.return %n, %s : tensor<i32>, tensor<2x2xi32>
      }
      %k = "stablehlo.case"(%one) ({
        stablehlo.return %b : tensor<2x2xi32>
      }, {
        %t = func.call @turn(%b) : (tensor<2x2xi32>) -> tensor<2x2xi32>
        stablehlo.return %t : tensor<2x2xi32>
      }) : (tensor<i32>) -> tensor<2x2xi32>
      %c = stablehlo.composite "my.step" %b {decomposition = @step} : (tensor<2x2xi32>) -> tensor<2x2xi32>
      sdy.return %l#1, %k, %c : tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>
    } : (tensor<4x4xi32>) -> (tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi32>)
    return %0#0, %0#1, %0#2 : tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi32>
  }

  func.func private @place(%a: tensor<4x4xi32>) -> tensor<4x4xi32> {
    %0 = stablehlo.partition_id : tensor<ui32>
    %1 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<i32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %3 = stablehlo.add %a, %2 : tensor<4x4xi32>
    return %3 : tensor<4x4xi32>
  }
  func.func @contexts(%a: tensor<4x4xi32>) -> (tensor<16x4xi32>, tensor<8x4xi32>, tensor<8x4xi32>, tensor<8x4xi32>, tensor<4x4xi32>) {
    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{"x", "y"}, {}]>] manual_axes={"x", "y"} (%b: tensor<4x4xi32>) {
      %p = func.call @place(%b) : (tensor<4x4xi32>) -> tensor<4x4xi32>
      sdy.return %p : tensor<4x4xi32>
    } : (tensor<4x4xi32>) -> tensor<16x4xi32>
    %1 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x4xi32>) {
      %two = stablehlo.constant dense<2> : tensor<4x4xi32>
      %p = func.call @place(%b) : (tensor<4x4xi32>) -> tensor<4x4xi32>
      %q = stablehlo.divide %p, %two : tensor<4x4xi32>
      %r = stablehlo.subtract %q, %q : tensor<4x4xi32>
      sdy.return %r : tensor<4x4xi32>
    } : (tensor<4x4xi32>) -> tensor<8x4xi32>
    %2 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{"y"}, {}]>] manual_axes={"y"} (%b: tensor<4x4xi32>) {
      %p = func.call @place(%b) : (tensor<4x4xi32>) -> tensor<4x4xi32>
      %r = stablehlo.subtract %p, %p : tensor<4x4xi32>
      sdy.return %r : tensor<4x4xi32>
    } : (tensor<4x4xi32>) -> tensor<8x4xi32>
    %3 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x4xi32>) {
      %p = func.call @place(%b) : (tensor<4x4xi32>) -> tensor<4x4xi32>
      %r = stablehlo.subtract %p, %p : tensor<4x4xi32>
      sdy.return %r : tensor<4x4xi32>
    } : (tensor<4x4xi32>) -> tensor<8x4xi32>
    %4 = call @place(%a) : (tensor<4x4xi32>) -> tensor<4x4xi32>
    return %0, %1, %2, %3, %4 : tensor<16x4xi32>, tensor<8x4xi32>, tensor<8x4xi32>, tensor<8x4xi32>, tensor<4x4xi32>
  }

  func.func private @again(%n: tensor<i32>, %a: tensor<2x2xi32>) -> tensor<2x2xi32> {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %p = stablehlo.compare EQ, %n, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %r = "stablehlo.if"(%p) ({
      stablehlo.return %a : tensor<2x2xi32>
    }, {
      %m = stablehlo.subtract %n, %one : tensor<i32>
      %b = func.call @step(%a) : (tensor<2x2xi32>) -> tensor<2x2xi32>
      %q = func.call @again(%m, %b) : (tensor<i32>, tensor<2x2xi32>) -> tensor<2x2xi32>
      stablehlo.return %q : tensor<2x2xi32>
    }) : (tensor<i1>) -> tensor<2x2xi32>
    return %r : tensor<2x2xi32>
  }
  func.func @recursive(%a: tensor<4x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<4x4xi32> {
    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%b: tensor<2x2xi32>) {
      %n = stablehlo.constant dense<2> : tensor<i32>
      %1 = func.call @again(%n, %b) : (tensor<i32>, tensor<2x2xi32>) -> tensor<2x2xi32>
      sdy.return %1 : tensor<2x2xi32>
    } : (tensor<4x4xi32>) -> tensor<4x4xi32>
    return %0 : tensor<4x4xi32>
  }

  // Axis y is not manual: what the function divides along it, it divides in both of its computations, and outside along x, too.
  func.func private @columns(%a: tensor<4x4xi32>) -> tensor<4x4xi32> {
    %0 = sdy.sharding_constraint %a <@mesh, [{}, {"y"}]> : tensor<4x4xi32>
    %1 = stablehlo.multiply %0, %0 : tensor<4x4xi32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{"y"}, {}]> : tensor<4x4xi32>
    %3 = stablehlo.reverse %2, dims = [0] : tensor<4x4xi32>
    return %3 : tensor<4x4xi32>
  }
  func.func private @inner(%a: tensor<4x4xi32>) -> tensor<4x4xi32> {
    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"y"}, {}]>] out_shardings=[<@mesh, [{"y"}, {}]>] manual_axes={"y"} (%b: tensor<2x4xi32>) {
      %1 = "stablehlo.collective_permute"(%b) <{source_target_pairs = dense<[[0, 1], [1, 0], [2, 3], [3, 2]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>}> : (tensor<2x4xi32>) -> tensor<2x4xi32>
      sdy.return %1 : tensor<2x4xi32>
    } : (tensor<4x4xi32>) -> tensor<4x4xi32>
    return %0 : tensor<4x4xi32>
  }
  func.func @partial(%a: tensor<8x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<4x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x4xi32>, tensor<4x4xi32>) {
    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x4xi32>) {
      %1 = func.call @columns(%b) : (tensor<4x4xi32>) -> tensor<4x4xi32>
      %2 = func.call @inner(%1) : (tensor<4x4xi32>) -> tensor<4x4xi32>
      sdy.return %2 : tensor<4x4xi32>
    } : (tensor<8x4xi32>) -> tensor<8x4xi32>
    %3 = call @columns(%c) : (tensor<4x4xi32>) -> tensor<4x4xi32>
    %4 = call @inner(%3) : (tensor<4x4xi32>) -> tensor<4x4xi32>
    return %0, %4 : tensor<8x4xi32>, tensor<4x4xi32>
  }
}
