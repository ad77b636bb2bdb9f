// Compiled programs on meshes: collectives, in loops whose turns are not the same on all devices, too.
// RUN: tessera run %s --function=main --input=random --spmd --engine=compiled --check | FileCheck %s
// RUN: tessera run %s --function=main --input=random --spmd --engine=compiled --check --threads=1 --repeat=3 | FileCheck %s
// CHECK-COUNT-2: PASS
// RUN: tessera run %s --function=main --input=random --spmd --engine=compiled --dump-program --print=false --output=%t.npz 2>&1 | FileCheck %s --check-prefix=DUMP
// DUMP: program of @main
// DUMP: all_reduce

// One program for more devices than there can be threads. The reference says no at once.
// RUN: tessera run %S/Inputs/mesh_many.mlir --input=random --spmd --engine=compiled --max-devices=16384 --check 2>/dev/null | FileCheck %s --check-prefix=MANY
// MANY: PASS
// RUN: sh -c 'tessera run %S/Inputs/mesh_many.mlir --input=random --spmd --engine=reference --max-devices=16384 2>%t.many; test $? = 3'
// RUN: cat %t.many | FileCheck %s --check-prefix=THREADS
// THREADS: error: 'func.func' op asks for 8193 devices; the reference evaluator takes a thread for each, of at most 8192 (--engine=compiled does not)
// RUN: sh -c 'tessera run %S/Inputs/mesh_many.mlir --input=random --spmd --engine=compiled 2>%t.most; test $? = 3'
// RUN: cat %t.most | FileCheck %s --check-prefix=MOST
// MOST: error: 'func.func' op asks for 8193 devices, which are more than are allowed (--max-devices=4096)

// Memory of all devices is counted before anything runs.
// RUN: sh -c 'tessera run %S/Inputs/mesh_large.mlir --input=random --spmd --engine=compiled --max-bytes=24M 2>%t.bytes; test $? = 3'
// RUN: cat %t.bytes | FileCheck %s --check-prefix=BYTES
// BYTES: error: 'func.func' op needs {{[0-9]+}} bytes on 64 devices, which are more than it is allowed (--max-bytes=25165824)
// RUN: tessera run %S/Inputs/mesh_large.mlir --input=random --spmd --engine=compiled --max-bytes=1G --check | FileCheck %s --check-prefix=LARGE
// LARGE: PASS
// RUN: sh -c 'tessera run %S/Inputs/mesh_huge.mlir --spmd --engine=compiled 2>%t.huge; test $? = 3'
// RUN: cat %t.huge | FileCheck %s --check-prefix=HUGE
// HUGE: error: 'func.func' op needs 281474976{{[0-9]+}} bytes on 2 devices, and {{[0-9]+}} are left: each has 0 bytes of arguments, 140737488355328 of results and {{[0-9]+}} of values between

// Processes leave a loop after other numbers of turns: those inside wait for nobody who has left.
// RUN: tessera run %s --function=turns --input=2xi64=1,2 --engine=compiled | FileCheck %s --check-prefix=TURNS
// RUN: tessera run %s --function=turns --input=2xi64=1,2 --engine=reference | FileCheck %s --check-prefix=TURNS
// TURNS-COUNT-2: [7, 14]
// RUN: not tessera run %s --function=apart --input=2xi64=1,2 --engine=compiled 2>&1 | FileCheck %s --check-prefix=APART
// RUN: not tessera run %s --function=apart --input=2xi64=1,2 --engine=reference 2>&1 | FileCheck %s --check-prefix=APART
// APART: error: 'stablehlo.all_reduce' op waits for what never comes:
// APART-NEXT: process (0, 0) waits in 'stablehlo.all_reduce' at {{.*}} for (1, 0)
// APART-NEXT: process (1, 0) has ended

// Messages and random numbers: what an op has drawn before it waits is drawn once.
// RUN: tessera run %s --function=talk --input=2xi64=1,2 --engine=compiled --seed=3 >%t.compiled 2>%t.zeros
// RUN: tessera run %s --function=talk --input=2xi64=1,2 --engine=reference --seed=3 >%t.reference 2>%t.zeros_reference
// RUN: cmp %t.compiled %t.reference
// RUN: cmp %t.zeros %t.zeros_reference
// RUN: cat %t.zeros | FileCheck %s --check-prefix=ZEROS
// ZEROS: 'stablehlo.divide' op divides integers by zero (6 elements in this run)
// RUN: tessera run %s --function=talk --input=2xi64=1,2 --engine=compiled --seed=3 --threads=1 2>/dev/null | cmp - %t.reference

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<16x16xf32>, tensor<16xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %i0 = stablehlo.constant dense<0> : tensor<i32>
  %i3 = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %start = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
  %r:2 = stablehlo.while(%i = %i0, %x = %start) : tensor<i32>, tensor<16x16xf32>
  cond {
    %c = stablehlo.compare LT, %i, %i3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %n = stablehlo.add %i, %one : tensor<i32>
    %t = stablehlo.tanh %x : tensor<16x16xf32>
    %y = stablehlo.dot_general %t, %t, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    stablehlo.return %n, %y : tensor<i32>, tensor<16x16xf32>
  }
  %s = stablehlo.reduce(%r#1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16x16xf32>, tensor<f32>) -> tensor<16xf32>
  return %r#1, %s : tensor<16x16xf32>, tensor<16xf32>
}

func.func private @sum(%x: tensor<2xi64>) -> tensor<2xi64> {
  %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %1 = stablehlo.add %a, %b : tensor<i64>
      stablehlo.return %1 : tensor<i64>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi64>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}
func.func private @more_turns(%x: tensor<2xi64>) -> tensor<2xi64> {
  %id = stablehlo.replica_id : tensor<ui32>
  %zero = stablehlo.constant dense<0> : tensor<ui32>
  %one = stablehlo.constant dense<1> : tensor<ui32>
  %two = stablehlo.constant dense<2> : tensor<ui32>
  %n = stablehlo.add %id, %two : tensor<ui32>
  %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<ui32>, tensor<2xi64>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %k = stablehlo.add %i, %one : tensor<ui32>
    %z = stablehlo.add %y, %x : tensor<2xi64>
    stablehlo.return %k, %z : tensor<ui32>, tensor<2xi64>
  }
  %s = func.call @sum(%r#1) : (tensor<2xi64>) -> tensor<2xi64>
  return %s : tensor<2xi64>
}
func.func @turns(%x: tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>) {
  %0:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@more_turns], [@more_turns]]} : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
  return %0#0, %0#1 : tensor<2xi64>, tensor<2xi64>
}

func.func private @fewer_turns(%x: tensor<2xi64>) -> tensor<2xi64> {
  %id = stablehlo.replica_id : tensor<ui32>
  %zero = stablehlo.constant dense<0> : tensor<ui32>
  %one = stablehlo.constant dense<1> : tensor<ui32>
  %three = stablehlo.constant dense<3> : tensor<ui32>
  %n = stablehlo.subtract %three, %id : tensor<ui32>
  %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<ui32>, tensor<2xi64>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %k = stablehlo.add %i, %one : tensor<ui32>
    %z = func.call @sum(%y) : (tensor<2xi64>) -> tensor<2xi64>
    stablehlo.return %k, %z : tensor<ui32>, tensor<2xi64>
  }
  return %r#1 : tensor<2xi64>
}
func.func @apart(%x: tensor<2xi64>) {
  %0:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@fewer_turns], [@fewer_turns]]} : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
  return
}

// Draws, meets and divides by zero at each level of a recursion, which runs by the evaluator's kernel: the whole call is one op.
func.func private @levels(%x: tensor<2xi64>, %n: tensor<i64>) -> tensor<2xi64> {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %big = stablehlo.constant dense<1000> : tensor<i64>
  %shape = stablehlo.constant dense<2> : tensor<1xi64>
  %c = stablehlo.compare GT, %n, %zero : (tensor<i64>, tensor<i64>) -> tensor<i1>
  %r = "stablehlo.if"(%c) ({
    %d = stablehlo.rng %zero, %big, %shape, distribution = UNIFORM : (tensor<i64>, tensor<i64>, tensor<1xi64>) -> tensor<2xi64>
    %y = stablehlo.add %x, %d : tensor<2xi64>
    %s = func.call @sum(%y) : (tensor<2xi64>) -> tensor<2xi64>
    %m = stablehlo.subtract %n, %one : tensor<i64>
    %q = stablehlo.divide %one, %zero : tensor<i64>
    "interpreter.print"(%s) : (tensor<2xi64>) -> ()
    %t = func.call @levels(%s, %m) : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
    stablehlo.return %t : tensor<2xi64>
  }, {
    stablehlo.return %x : tensor<2xi64>
  }) : (tensor<i1>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}
func.func private @left(%x: tensor<2xi64>) -> tensor<2xi64> {
  %three = stablehlo.constant dense<3> : tensor<i64>
  %t = stablehlo.create_token : !stablehlo.token
  %0 = func.call @levels(%x, %three) : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  %1 = "stablehlo.send"(%0, %t) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi64>, !stablehlo.token) -> !stablehlo.token
  return %0 : tensor<2xi64>
}
func.func private @right(%x: tensor<2xi64>) -> tensor<2xi64> {
  %three = stablehlo.constant dense<3> : tensor<i64>
  %t = stablehlo.create_token : !stablehlo.token
  %0 = func.call @levels(%x, %three) : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  %1:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
  %2 = stablehlo.add %0, %1#0 : tensor<2xi64>
  return %2 : tensor<2xi64>
}
func.func @talk(%x: tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>) {
  %0:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@left], [@right]]} : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
  return %0#0, %0#1 : tensor<2xi64>, tensor<2xi64>
}

// Thousands of devices take little memory.
// RUN: tessera run %S/Inputs/mesh_4096.mlir --input=random --spmd --engine=compiled --max-bytes=64M --check 2>/dev/null | FileCheck %s --check-prefix=MANY
