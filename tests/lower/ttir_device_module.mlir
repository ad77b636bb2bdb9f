// RUN: tessera opt %s --ttcore-wrap-device-module | FileCheck %s
// RUN: tessera opt %s --ttcore-wrap-device-module --ttcore-wrap-device-module | FileCheck %s
// RUN: tessera opt %s --ttcore-wrap-device-module --ttcore-unwrap-device-module | FileCheck %s --check-prefix=PLAIN
// RUN: tessera opt %s --stablehlo-to-ttir-pipeline=enable-cpu-fallback=false | FileCheck %s --check-prefix=PLAIN

// CHECK: module @m attributes {t.a = 1 : i64} {
// CHECK-NEXT: ttcore.device_module {
// CHECK-NEXT: builtin.module @m attributes {t.a = 1 : i64} {
// CHECK-NEXT: func.func @f
// CHECK-NOT: ttcore.device_module

// PLAIN: module @m attributes {t.a = 1 : i64} {
// PLAIN-NEXT: func.func @f
// PLAIN-NOT: device_module
module @m attributes {t.a = 1 : i64} {
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}
