// A value that a loop carries for nobody is not carried: results of all iterations that only an unused op reads.
// RUN: tessera run %s --input=random --check
// RUN: tessera run %s --input=random --dump-program 2>&1 >/dev/null | FileCheck %s
// CHECK: while while
// CHECK-COUNT-1: dynamic_update_slice
// CHECK-NOT: dynamic_update_slice
// The second loop reads rows of the first one's result in place.
// CHECK: while while
// CHECK: dynamic_slice {{.*}} bytes=0+0
// A carried value dies where it is read last after the loop: what is computed there is computed in its place.
// RUN: tessera run %s --input=random --check --function=after
// RUN: tessera run %s --input=random --dump-program --function=after 2>&1 >/dev/null | FileCheck %s --check-prefix=AFTER
// AFTER: while while {{.*}} writes {{%[0-9]+}}:i32@{{[^ ]+}} [[LAST:%[0-9]+]]:32x32xf32@
// AFTER: map exponential+multiply {{.*}} reads [[LAST]]:{{.*}} writes {{%[0-9]+}}:32x32xf32@[[LAST]] bytes
// A value that is read by the condition, by another value, twice by its own, or through another loop stays.
// RUN: tessera run %s --input=random --check --function=kept
// RUN: tessera run %s --input=random --check --function=nested
// RUN: tessera run %s --input=random --check --function=swapped
func.func @main(%x: tensor<10x32x32xf32>) -> tensor<32x32xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %f = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.constant dense<0.0> : tensor<10x32x32xf32>
  %s = stablehlo.constant dense<0.0> : tensor<32x32xf32>
  %0:4 = stablehlo.while(%i = %zero, %h = %s, %p = %a, %q = %a) : tensor<i32>, tensor<32x32xf32>, tensor<10x32x32xf32>, tensor<10x32x32xf32>
  cond {
    %c = stablehlo.compare LT, %i, %ten, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %row = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 32, 32] : (tensor<10x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
    %r = stablehlo.reshape %row : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
    %sum = stablehlo.add %h, %r : tensor<32x32xf32>
    %t = stablehlo.tanh %sum : tensor<32x32xf32>
    %u = stablehlo.reshape %t : (tensor<32x32xf32>) -> tensor<1x32x32xf32>
    %w = stablehlo.reshape %sum : (tensor<32x32xf32>) -> tensor<1x32x32xf32>
    %p2 = stablehlo.dynamic_update_slice %p, %u, %i, %zero, %zero : (tensor<10x32x32xf32>, tensor<1x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<10x32x32xf32>
    %q2 = stablehlo.dynamic_update_slice %q, %w, %i, %zero, %zero : (tensor<10x32x32xf32>, tensor<1x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<10x32x32xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %t, %p2, %q2 : tensor<i32>, tensor<32x32xf32>, tensor<10x32x32xf32>, tensor<10x32x32xf32>
  }
  %unused = stablehlo.reduce(%0#2 init: %f) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<10x32x32xf32>, tensor<f32>) -> tensor<f32>
  %1:2 = stablehlo.while(%i = %zero, %h = %s) : tensor<i32>, tensor<32x32xf32>
  cond {
    %c = stablehlo.compare LT, %i, %ten, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %row = stablehlo.dynamic_slice %0#3, %i, %zero, %zero, sizes = [1, 32, 32] : (tensor<10x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
    %r = stablehlo.reshape %row : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
    %half = stablehlo.constant dense<0.5> : tensor<32x32xf32>
    %m = stablehlo.multiply %h, %half : tensor<32x32xf32>
    %sum = stablehlo.add %m, %r : tensor<32x32xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %sum : tensor<i32>, tensor<32x32xf32>
  }
  return %1#1 : tensor<32x32xf32>
}
func.func @kept(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %many = stablehlo.constant dense<9.5> : tensor<f32>
  %0:4 = stablehlo.while(%n = %zero, %y = %x, %z = %x, %v = %x) : tensor<f32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  cond {
    %c = stablehlo.compare LT, %n, %many, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %m = stablehlo.add %n, %one : tensor<f32>
    %y2 = stablehlo.cosine %y : tensor<8xf32>
    %z2 = stablehlo.add %z, %y2 : tensor<8xf32>
    %v2 = stablehlo.multiply %v, %v : tensor<8xf32>
    stablehlo.return %m, %y2, %z2, %v2 : tensor<f32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
  return %0#2 : tensor<8xf32>
}
func.func @nested(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %y = %x, %z = %x) : tensor<i32>, tensor<8xf32>, tensor<8xf32>
  cond {
    %c = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %1:3 = stablehlo.while(%k = %zero, %u = %y, %t = %z) : tensor<i32>, tensor<8xf32>, tensor<8xf32>
    cond {
      %c = stablehlo.compare LT, %k, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %l = stablehlo.add %k, %one : tensor<i32>
      %u2 = stablehlo.add %u, %z : tensor<8xf32>
      %t2 = stablehlo.sine %t : tensor<8xf32>
      stablehlo.return %l, %u2, %t2 : tensor<i32>, tensor<8xf32>, tensor<8xf32>
    }
    %z2 = stablehlo.cosine %z : tensor<8xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %1#1, %z2 : tensor<i32>, tensor<8xf32>, tensor<8xf32>
  }
  return %0#1 : tensor<8xf32>
}
func.func @swapped(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %0:4 = stablehlo.while(%i = %zero, %a = %x, %b = %y, %c = %y) : tensor<i32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  cond {
    %t = stablehlo.compare LT, %i, %five, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %d = stablehlo.sine %b : tensor<8xf32>
    %e = stablehlo.cosine %c : tensor<8xf32>
    stablehlo.return %j, %d, %a, %e : tensor<i32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
  return %0#1 : tensor<8xf32>
}
func.func @after(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %h = %x) : tensor<i32>, tensor<32x32xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.cosine %h : tensor<32x32xf32>
    %2 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %2, %1 : tensor<i32>, tensor<32x32xf32>
  }
  %1 = stablehlo.exponential %0#1 : tensor<32x32xf32>
  %2 = stablehlo.multiply %1, %x : tensor<32x32xf32>
  %3 = stablehlo.reverse %2, dims = [0, 1] : tensor<32x32xf32>
  %4 = stablehlo.dot_general %3, %2, contracting_dims = [1] x [0] : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %4 : tensor<32x32xf32>
}
