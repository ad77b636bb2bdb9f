// Values that one loop stacks reach the body of another through a call: propagation goes on into the function, though
// they come to the call only after it was visited. Figures are those of the program without calls.
// RUN: tessera opt --tessera-propagate %s | FileCheck %s
// RUN: tessera simulate --json %s | grep -o '"received_bytes": *[0-9]*' > %t.calls
// RUN: tessera opt --inline %s | tessera simulate --json - | grep -o '"received_bytes": *[0-9]*' > %t.flat
// RUN: cmp %t.calls %t.flat
// RUN: tessera run --spmd --input=random --check %s

// CHECK: call @index({{.*}}<@mesh, [{"dp"}, {}]>
// CHECK: call @body({{.*}}<@mesh, [{"dp"}, {}]>
// CHECK: func.func private @index(%arg0: tensor<8x64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"dp"}, {}]>}

module {
  sdy.mesh @mesh = <["dp"=8]>
  func.func public @main(%x: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"dp"}, {}]>}) -> tensor<f32> {
    %z = stablehlo.constant dense<0.0> : tensor<8x64x16xf32>
    %g0 = stablehlo.constant dense<0.0> : tensor<f32>
    %g = stablehlo.broadcast_in_dim %g0, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:3 = stablehlo.while(%a = %z, %i = %c, %y = %x) : tensor<8x64x16xf32>, tensor<i32>, tensor<64x16xf32>
    cond {
      %n = stablehlo.constant dense<8> : tensor<i32>
      %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %q:2 = func.call @fwd(%y) : (tensor<64x16xf32>) -> (tensor<64x16xf32>, tensor<64x16xf32>)
      %r = func.call @update(%a, %q#1, %i) : (tensor<8x64x16xf32>, tensor<64x16xf32>, tensor<i32>) -> tensor<8x64x16xf32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %r, %j, %q#0 : tensor<8x64x16xf32>, tensor<i32>, tensor<64x16xf32>
    }
    %2:3 = stablehlo.while(%a = %1#0, %i = %c, %y = %g) : tensor<8x64x16xf32>, tensor<i32>, tensor<64x16xf32>
    cond {
      %n = stablehlo.constant dense<8> : tensor<i32>
      %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %r = func.call @index(%a, %i) : (tensor<8x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %w = func.call @body(%y, %r) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %a, %j, %w : tensor<8x64x16xf32>, tensor<i32>, tensor<64x16xf32>
    }
    %s = stablehlo.reduce(%2#2 init: %g0) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x16xf32>, tensor<f32>) -> tensor<f32>
    return %s : tensor<f32>
  }
  func.func private @fwd(%y: tensor<64x16xf32>) -> (tensor<64x16xf32>, tensor<64x16xf32>) {
    %0 = stablehlo.tanh %y : tensor<64x16xf32>
    return %0, %y : tensor<64x16xf32>, tensor<64x16xf32>
  }
  func.func private @update(%a: tensor<8x64x16xf32>, %y: tensor<64x16xf32>, %i: tensor<i32>) -> tensor<8x64x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %y, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %1 = stablehlo.dynamic_update_slice %a, %0, %i, %c, %c : (tensor<8x64x16xf32>, tensor<1x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x64x16xf32>
    return %1 : tensor<8x64x16xf32>
  }
  func.func private @index(%a: tensor<8x64x16xf32>, %i: tensor<i32>) -> tensor<64x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %a, %i, %c, %c, sizes = [1, 64, 16] : (tensor<8x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    return %1 : tensor<64x16xf32>
  }
  func.func private @body(%y: tensor<64x16xf32>, %r: tensor<64x16xf32>) -> tensor<64x16xf32> {
    %0 = stablehlo.add %y, %r : tensor<64x16xf32>
    return %0 : tensor<64x16xf32>
  }
}
