// RUN: tessera opt %s | FileCheck %s
// RUN: tessera opt %s -o %t && tessera opt %t -o %t.again && cmp %t %t.again
// Scalars and elementwise arithmetic; names of constants.

func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %t: tensor<4xi32>, %v: tensor<?xf32>, %i: index, %p: i1, %tp: tensor<4xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %m1 = arith.constant -1 : i64
  %t0 = arith.constant true
  %f0 = arith.constant false
  %cst = arith.constant 1.5 : f32
  %cst2 = arith.constant dense<[1, 2]> : tensor<2xi32>
  %cst3 = arith.constant {foo = 1} dense<1.0> : tensor<2xf32>
  %ui = arith.constant 4294967295 : i32
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %a, %b overflow<nsw> : i32
  %2 = arith.addi %a, %b overflow<nsw, nuw> {a = 1} : i32
  %3 = arith.subi %t, %t : tensor<4xi32>
  %4 = arith.muli %a, %b overflow<none> : i32
  %5 = arith.shli %a, %b overflow<nuw> : i32
  %6 = arith.addf %x, %y : f32
  %7 = arith.addf %x, %y fastmath<fast> : f32
  %8 = arith.addf %x, %y fastmath<nnan,ninf> : f32
  %9 = arith.negf %x fastmath<contract> : f32
  %10 = arith.negf %x : f32
  %11 = arith.cmpi slt, %a, %b : i32
  %12 = arith.cmpf oeq, %x, %y : f32
  %13 = arith.cmpf une, %x, %y fastmath<fast> : f32
  %14 = arith.cmpi ult, %t, %t : tensor<4xi32>
  %15 = arith.select %p, %a, %b : i32
  %16 = arith.select %tp, %t, %t : tensor<4xi1>, tensor<4xi32>
  %17 = arith.select %p, %t, %t : tensor<4xi32>
  %18 = arith.index_cast %a : i32 to index
  %19 = arith.index_castui %a : i32 to index
  %20 = arith.extsi %a : i32 to i64
  %21 = arith.extui %a : i32 to i64
  %22 = arith.trunci %a : i32 to i8
  %23 = arith.extf %x : f32 to f64
  %24 = arith.truncf %x : f32 to f16
  %25 = arith.truncf %x downward : f32 to bf16
  %26 = arith.sitofp %a : i32 to f32
  %27 = arith.bitcast %x : f32 to i32
  %28 = arith.maximumf %x, %y : f32
  %29 = arith.ceildivsi %a, %b : i32
  %30, %31 = arith.addui_extended %a, %b : i32, i1
  %32, %33 = arith.mulsi_extended %a, %b : i32
  %34 = arith.divsi %a, %b : i32
  %35 = arith.ceildivui %a, %b : i32
  %36 = arith.uitofp %a : i32 to f32
  %37 = arith.truncf %x fastmath<fast> : f32 to f16
  return
}

// CHECK: module {
// CHECK-NEXT: func.func @f(%arg0: i32, %arg1: i32, %arg2: f32, %arg3: f32, %arg4: tensor<4xi32>, %arg5: tensor<?xf32>, %arg6: index, %arg7: i1, %arg8: tensor<4xi1>) {
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT: %c-1_i64 = arith.constant -1 : i64
// CHECK-NEXT: %true = arith.constant true
// CHECK-NEXT: %false = arith.constant false
// CHECK-NEXT: %cst = arith.constant 1.500000e+00 : f32
// CHECK-NEXT: %cst_0 = arith.constant dense<[1, 2]> : tensor<2xi32>
// CHECK-NEXT: %cst_1 = arith.constant {foo = 1 : i64} dense<1.000000e+00> : tensor<2xf32>
// CHECK-NEXT: %c-1_i32 = arith.constant -1 : i32
// CHECK-NEXT: %0 = arith.addi %arg0, %arg1 : i32
// CHECK-NEXT: %1 = arith.addi %arg0, %arg1 overflow<nsw> : i32
// CHECK-NEXT: %2 = arith.addi %arg0, %arg1 overflow<nsw, nuw> {a = 1 : i64} : i32
// CHECK-NEXT: %3 = arith.subi %arg4, %arg4 : tensor<4xi32>
// CHECK-NEXT: %4 = arith.muli %arg0, %arg1 : i32
// CHECK-NEXT: %5 = arith.shli %arg0, %arg1 overflow<nuw> : i32
// CHECK-NEXT: %6 = arith.addf %arg2, %arg3 : f32
// CHECK-NEXT: %7 = arith.addf %arg2, %arg3 fastmath<fast> : f32
// CHECK-NEXT: %8 = arith.addf %arg2, %arg3 fastmath<nnan,ninf> : f32
// CHECK-NEXT: %9 = arith.negf %arg2 fastmath<contract> : f32
// CHECK-NEXT: %10 = arith.negf %arg2 : f32
// CHECK-NEXT: %11 = arith.cmpi slt, %arg0, %arg1 : i32
// CHECK-NEXT: %12 = arith.cmpf oeq, %arg2, %arg3 : f32
// CHECK-NEXT: %13 = arith.cmpf une, %arg2, %arg3 fastmath<fast> : f32
// CHECK-NEXT: %14 = arith.cmpi ult, %arg4, %arg4 : tensor<4xi32>
// CHECK-NEXT: %15 = arith.select %arg7, %arg0, %arg1 : i32
// CHECK-NEXT: %16 = arith.select %arg8, %arg4, %arg4 : tensor<4xi1>, tensor<4xi32>
// CHECK-NEXT: %17 = arith.select %arg7, %arg4, %arg4 : tensor<4xi32>
// CHECK-NEXT: %18 = arith.index_cast %arg0 : i32 to index
// CHECK-NEXT: %19 = arith.index_castui %arg0 : i32 to index
// CHECK-NEXT: %20 = arith.extsi %arg0 : i32 to i64
// CHECK-NEXT: %21 = arith.extui %arg0 : i32 to i64
// CHECK-NEXT: %22 = arith.trunci %arg0 : i32 to i8
// CHECK-NEXT: %23 = arith.extf %arg2 : f32 to f64
// CHECK-NEXT: %24 = arith.truncf %arg2 : f32 to f16
// CHECK-NEXT: %25 = arith.truncf %arg2 downward : f32 to bf16
// CHECK-NEXT: %26 = arith.sitofp %arg0 : i32 to f32
// CHECK-NEXT: %27 = arith.bitcast %arg2 : f32 to i32
// CHECK-NEXT: %28 = arith.maximumf %arg2, %arg3 : f32
// CHECK-NEXT: %29 = arith.ceildivsi %arg0, %arg1 : i32
// CHECK-NEXT: %sum, %overflow = arith.addui_extended %arg0, %arg1 : i32, i1
// CHECK-NEXT: %low, %high = arith.mulsi_extended %arg0, %arg1 : i32
// CHECK-NEXT: %30 = arith.divsi %arg0, %arg1 : i32
// CHECK-NEXT: %31 = arith.ceildivui %arg0, %arg1 : i32
// CHECK-NEXT: %32 = arith.uitofp %arg0 : i32 to f32
// CHECK-NEXT: %33 = arith.truncf %arg2 fastmath<fast> : f32 to f16
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: }
