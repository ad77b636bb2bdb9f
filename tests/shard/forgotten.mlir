// Shardy's tool does not know the dialects that only its tests use: their ops print in generic form.
// RUN: sdy_opt %s -allow-unregistered-dialect | FileCheck %s
// RUN: not sdy_opt %s 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: tessera opt %s | FileCheck %s --check-prefix=KNOWN

// CHECK: "interpreter.print"(%arg0) : (tensor<4xf32>) -> ()
// CHECK: "check.expect_eq"(%arg0, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> ()
// REFUSED: error: operation being parsed with an unregistered dialect
// KNOWN: interpreter.print %arg0 : tensor<4xf32>
func.func @f(%arg0: tensor<4xf32>) {
  "interpreter.print"(%arg0) : (tensor<4xf32>) -> ()
  "check.expect_eq"(%arg0, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}
