// RUN: tessera opt %s | FileCheck %s
// RUN: tessera opt %s -o %t && tessera opt %t | cmp %t -
// Ops of debug: those that write have no result, the others give their operand on.

// CHECK-LABEL: func.func @f
func.func @f(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: "debug.annotate"(%arg0) <{annotation = "here"}> : (tensor<2xf32>) -> tensor<2xf32>
  %0 = "debug.annotate"(%a) <{annotation = "here"}> : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: "debug.breakpoint"(%{{.*}}) : (tensor<2xf32>) -> ()
  "debug.breakpoint"(%0) : (tensor<2xf32>) -> ()
  "debug.print"(%0) <{message = "m"}> : (tensor<2xf32>) -> ()
  "debug.dump"(%0) <{file_path = "f"}> : (tensor<2xf32>) -> ()
  // CHECK: "debug.memory_snapshot"(%{{.*}}) <{file_path = "f"}> : (tensor<2xf32>) -> ()
  "debug.memory_snapshot"(%0) <{file_path = "f"}> : (tensor<2xf32>) -> ()
  %1 = "debug.region_start"(%0) <{region_id = "r"}> : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "debug.region_end"(%1) <{region_id = "r"}> : (tensor<2xf32>) -> tensor<2xf32>
  %3 = "debug.begin_trace"(%2) <{trace_id = "t"}> : (tensor<2xf32>) -> tensor<2xf32>
  %4 = "debug.end_trace"(%3) <{trace_id = "t"}> : (tensor<2xf32>) -> tensor<2xf32>
  %5 = "debug.profiler_start"(%4) <{scope_id = "s"}> : (tensor<2xf32>) -> tensor<2xf32>
  %6 = "debug.profiler_end"(%5) <{scope_id = "s"}> : (tensor<2xf32>) -> tensor<2xf32>
  %7 = "debug.snapshot"(%6) : (tensor<2xf32>) -> tensor<2xf32>
  %8 = "debug.timestamp"(%7) : (tensor<2xf32>) -> tensor<2xf32>
  %9 = "debug.hook"(%8) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: "debug.overwrite"(%{{.*}}, %arg1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %10 = "debug.overwrite"(%9, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %10 : tensor<2xf32>
}
