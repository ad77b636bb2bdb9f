// Verification can be left out; passes verify what they change unless told otherwise.
// RUN: not tessera opt %s 2>&1 | FileCheck %s --check-prefix=ERR
// RUN: tessera opt %s --mlir-very-unsafe-disable-verifier-on-parsing | FileCheck %s
// RUN: not tessera opt %s --mlir-very-unsafe-disable-verifier-on-parsing --canonicalize 2>&1 | FileCheck %s --check-prefix=ERR
// RUN: tessera opt %s --mlir-very-unsafe-disable-verifier-on-parsing --canonicalize --verify-each=false | FileCheck %s
// ERR: error: 'func.return' op has 1 operands, but enclosing function (@f) returns 0
// CHECK: return %arg0
"func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%arg0: i32):
  %dead = arith.addi %arg0, %arg0 : i32
  "func.return"(%arg0) : (i32) -> ()
}) : () -> ()
