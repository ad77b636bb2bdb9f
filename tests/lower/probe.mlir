// RUN: tessera opt %s --interpreter-instrument-with-probe | FileCheck %s
// RUN: tessera opt %s --interpreter-instrument-with-probe="useDebugInfo=true" | FileCheck %s --check-prefix=NAMED

// Constants, tokens and unknown shapes are left alone; ops with regions come after what is in them.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.constant
// CHECK-NEXT: stablehlo.create_token
// CHECK-NEXT: %[[A:.*]] = stablehlo.add
// CHECK-NEXT: %[[P:.*]] = interpreter.probe %[[A]], probe_id = "probe1" : tensor<2xf32>
// CHECK: "stablehlo.if"
// CHECK: %[[B:.*]] = stablehlo.multiply %[[P]], %[[P]]
// CHECK-NEXT: %[[Q:.*]] = interpreter.probe %[[B]], probe_id = "probe2"
// CHECK-NEXT: stablehlo.return %[[Q]]
// CHECK: interpreter.probe %{{.*}}, probe_id = "probe3"
// NAMED: probe_id = "sum.1"
// NAMED: probe_id = "probe2"
func.func @main(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<2xf32>
  %t = stablehlo.create_token : !stablehlo.token
  %0 = stablehlo.add %x, %one : tensor<2xf32> loc("sum@there")
  %1 = "stablehlo.if"(%c) ({
    %2 = stablehlo.multiply %0, %0 : tensor<2xf32>
    stablehlo.return %2 : tensor<2xf32>
  }, {
    stablehlo.return %0 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
// CHECK-LABEL: func.func @unknown
// CHECK-NOT: interpreter.probe
func.func @unknown(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
