// Random inputs that are places stay in range, whatever the seed: places outside are errors of these ops.
// RUN: for s in 1 2 3 4 5 6 7 8; do tessera run %s --function=place --input=random --seed=$s --timing 2>/dev/null || exit 1; done
// RUN: for s in 1 2 3 4 5 6 7 8; do tessera run %s --function=pages --input=random --seed=$s --timing 2>/dev/null || exit 1; done
// RUN: for s in 1 2 3 4 5 6 7 8; do tessera run %s --function=tokens --input=random --seed=$s --timing 2>/dev/null || exit 1; done
// RUN: not tessera run %s --function=place --input=random --input=random --input=1x1xi64=2 --input=i1=0 2>&1 | FileCheck %s
// CHECK: error: 'ttir.update_cache' op writes at place 2 of a cache of 2
// RUN: tessera run %s --function=roots --input=random | FileCheck %s --check-prefix=ROOTS
// ROOTS: tensor<64xf32>
// ROOTS-NOT: nan
// Uniform numbers reach almost up to 1/16.
// RUN: tessera run %s --function=weights --input=random --expect=1xf32=0.0625 --atol=0.001
module {
  // What is under a root is not negative.
  func.func @roots(%x: tensor<64xf32>, %a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
    %0 = "ttir.multiply"(%x, %a) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %1 = "ttir.add"(%0, %b) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %2 = "ttir.sqrt"(%1) : (tensor<64xf32>) -> tensor<64xf32>
    return %2 : tensor<64xf32>
  }
  // 256 of them in a sum.
  func.func @weights(%w: tensor<16x256xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1xf32> {
    %0 = "ttir.abs"(%w) : (tensor<16x256xf32>) -> tensor<16x256xf32>
    %1 = "ttir.reshape"(%0) <{shape = [4096 : i32]}> : (tensor<16x256xf32>) -> tensor<4096xf32>
    %2 = "ttir.max"(%1) <{keep_dim = true, dim_arg = [0 : i32]}> : (tensor<4096xf32>) -> tensor<1xf32>
    return %2 : tensor<1xf32>
  }
  // Found through typecasts, views, choices and calls.
  func.func private @move(%at: tensor<1x1xi64>) -> tensor<1xi32> {
    %0 = "ttir.typecast"(%at) : (tensor<1x1xi64>) -> tensor<1x1xi32>
    %1 = "ttir.reshape"(%0) <{shape = [1 : i32]}> : (tensor<1x1xi32>) -> tensor<1xi32>
    return %1 : tensor<1xi32>
  }
  func.func @place(%cache: tensor<1x1x2x4xf32>, %x: tensor<1x1x1x4xf32>, %at: tensor<1x1xi64>, %other: tensor<i1>) -> tensor<1x1x2x4xf32> {
    %0 = call @move(%at) : (tensor<1x1xi64>) -> tensor<1xi32>
    %1 = "ttir.zeros"() <{shape = array<i32: 1>}> : () -> tensor<1xi32>
    %2 = "ttir.reshape"(%other) <{shape = [1 : i32]}> : (tensor<i1>) -> tensor<1xi1>
    %3 = "ttir.where"(%2, %1, %0) : (tensor<1xi1>, tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    "ttir.update_cache"(%cache, %x, %3) <{batch_offset = 0 : i32}> : (tensor<1x1x2x4xf32>, tensor<1x1x1x4xf32>, tensor<1xi32>) -> ()
    return %cache : tensor<1x1x2x4xf32>
  }
  func.func @pages(%cache: tensor<3x1x32x4xf32>, %x: tensor<2x1x40x4xf32>, %pages: tensor<2x2xi32>, %users: tensor<2xi32>) -> tensor<3x1x32x4xf32> {
    "ttir.paged_fill_cache"(%cache, %x, %pages, %users) : (tensor<3x1x32x4xf32>, tensor<2x1x40x4xf32>, tensor<2x2xi32>, tensor<2xi32>) -> ()
    return %cache : tensor<3x1x32x4xf32>
  }
  func.func @tokens(%x: tensor<2x1x1x4xf32>, %picks: tensor<2x1x1x2xi32>, %map: tensor<1x1x3x1xi32>) -> (tensor<1x2x1x4xf32>, tensor<1x2x1x2xi32>) {
    %0:2 = "ttir.all_to_all_dispatch"(%x, %picks, %map) <{num_devices = 1 : i64, cluster_axis = 0 : i64}> : (tensor<2x1x1x4xf32>, tensor<2x1x1x2xi32>, tensor<1x1x3x1xi32>) -> (tensor<1x2x1x4xf32>, tensor<1x2x1x2xi32>)
    return %0#0, %0#1 : tensor<1x2x1x4xf32>, tensor<1x2x1x2xi32>
  }
}
