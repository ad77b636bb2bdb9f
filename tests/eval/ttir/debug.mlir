// Ops that watch a program; values go through those that have a result.
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: tessera run %s --function=print --input=2xf32=1,2 --expect=2xf32=1,2 | FileCheck %s --check-prefix=PRINT
// RUN: tessera run %s --function=through --input=2xf32=1,2 --input=2xf32=3,4 --expect=2xf32=3,4
// RUN: tessera run %s --function=files --files=%t.d --input=2xf32=1,2 --input=2x4xi32=0,1,2,3,4,5,6,7 --expect=2xf32=2,4
// RUN: tessera run %s --function=twice --input=%t.d/x.bin --expect=2xf32=2,4
// RUN: cat %t.d/mem.json | FileCheck %s --check-prefix=JSON
// RUN: not tessera run %s --function=outside --files=%t.d --input=2xf32=1,2 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: rm -rf %t.out && mkdir %t.out && ln -s ../$(basename %t.out) %t.d/link && ln -s ../$(basename %t.out)/m.json %t.d/link.json
// RUN: not tessera run %s --function=link --files=%t.d --input=2xf32=1,2 2>&1 | FileCheck %s --check-prefix=LINK
// RUN: not tessera run %s --function=link_file --files=%t.d --input=2xf32=1,2 2>&1 | FileCheck %s --check-prefix=LINKFILE
// RUN: test -z "$(ls %t.out)"
// RUN: tessera run %S/Inputs/debug_mesh.mlir --files=%t.d --input=4xi32=1,2,3,4 --expect=4xi32=1,2,3,4 | FileCheck %s --check-prefix=MESH
// RUN: tessera run %S/Inputs/debug_mesh.mlir --function=part --input=%t.d/part.npy --expect=2xi32=1,2
// RUN: tessera run %S/Inputs/debug_mesh.mlir --function=part --input=%t.d/part.1.npy --expect=2xi32=3,4
// RUN: tessera run %S/Inputs/debug_manual.mlir --files=%t.d --input=4xi32=1,2,3,4 --expect=4xi32=6,12,18,24
// RUN: cat %t.d/manual.1.json | FileCheck %s --check-prefix=MANUAL

// PRINT: here it is
// PRINT-NEXT: tensor<2xf32> {
// PRINT-NEXT: [1.000000e+00, 2.000000e+00]
// PRINT: PASS

// The sum, the first argument, and the second, which is not used any more but belongs to the caller.
// JSON: {
// JSON-NEXT: "function": "files",
// JSON-NEXT: "device": 0,
// JSON-NEXT: "operand": {"type": "tensor<2xf32>", "bytes": 8},
// JSON-NEXT: "tensors": 3,
// JSON-NEXT: "bytes": 48,
// JSON-NEXT: "values": [
// JSON-DAG: {"type": "tensor<2xf32>", "bytes": 8}
// JSON-DAG: {"type": "tensor<2x4xi32>", "bytes": 32}
// JSON: ]

// In a manual computation, the values of its body on this device alone.
// MANUAL: "function": "main",
// MANUAL-NEXT: "device": 1,
// MANUAL-NEXT: "operand": {"type": "tensor<2xi32>", "bytes": 8},
// MANUAL-NEXT: "tensors": 1,

// OUTSIDE: error: 'debug.dump' op writes to '../x.bin', which is not below the directory of the run
// LINK: error: 'debug.dump' op writes through '{{.*}}.d/link', a symbolic link, which may lead out of the directory of the run
// LINKFILE: error: 'debug.memory_snapshot' op writes through '{{.*}}.d/link.json', a symbolic link

// Devices print one after the other.
// MESH: part
// MESH-NEXT: tensor<2xi32> {
// MESH-NEXT: [1, 2]
// MESH: part
// MESH-NEXT: tensor<2xi32> {
// MESH-NEXT: [3, 4]
module {
  func.func @print(%a: tensor<2xf32>) -> tensor<2xf32> {
    "debug.print"(%a) <{message = "here it is"}> : (tensor<2xf32>) -> ()
    "debug.breakpoint"(%a) : (tensor<2xf32>) -> ()
    return %a : tensor<2xf32>
  }
  func.func @through(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "debug.annotate"(%a) <{annotation = "x"}> : (tensor<2xf32>) -> tensor<2xf32>
    %1 = "debug.region_start"(%0) <{region_id = "x"}> : (tensor<2xf32>) -> tensor<2xf32>
    %2 = "debug.region_end"(%1) <{region_id = "x"}> : (tensor<2xf32>) -> tensor<2xf32>
    %3 = "debug.begin_trace"(%2) <{trace_id = "x"}> : (tensor<2xf32>) -> tensor<2xf32>
    %4 = "debug.end_trace"(%3) <{trace_id = "x"}> : (tensor<2xf32>) -> tensor<2xf32>
    %5 = "debug.profiler_start"(%4) <{scope_id = "x"}> : (tensor<2xf32>) -> tensor<2xf32>
    %6 = "debug.profiler_end"(%5) <{scope_id = "x"}> : (tensor<2xf32>) -> tensor<2xf32>
    %7 = "debug.snapshot"(%6) : (tensor<2xf32>) -> tensor<2xf32>
    %8 = "debug.timestamp"(%7) : (tensor<2xf32>) -> tensor<2xf32>
    %9 = "debug.hook"(%8) : (tensor<2xf32>) -> tensor<2xf32>
    %10 = "debug.overwrite"(%9, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    return %10 : tensor<2xf32>
  }
  func.func @files(%a: tensor<2xf32>, %b: tensor<2x4xi32>) -> tensor<2xf32> {
    %0 = "ttir.add"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    "debug.dump"(%0) <{file_path = "x.bin"}> : (tensor<2xf32>) -> ()
    "debug.memory_snapshot"(%0) <{file_path = "mem.json"}> : (tensor<2xf32>) -> ()
    %1 = "ttir.maximum"(%0, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
  func.func @twice(%a: tensor<2xf32>) -> tensor<2xf32> {
    return %a : tensor<2xf32>
  }
  func.func @outside(%a: tensor<2xf32>) -> tensor<2xf32> {
    "debug.dump"(%a) <{file_path = "../x.bin"}> : (tensor<2xf32>) -> ()
    return %a : tensor<2xf32>
  }
  func.func @link(%a: tensor<2xf32>) -> tensor<2xf32> {
    "debug.dump"(%a) <{file_path = "link/x.bin"}> : (tensor<2xf32>) -> ()
    return %a : tensor<2xf32>
  }
  func.func @link_file(%a: tensor<2xf32>) -> tensor<2xf32> {
    "debug.memory_snapshot"(%a) <{file_path = "link.json"}> : (tensor<2xf32>) -> ()
    return %a : tensor<2xf32>
  }
}
