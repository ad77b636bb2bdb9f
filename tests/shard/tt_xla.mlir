// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics --convert-xla-sdy-to-sdy | FileCheck %s

// Meshes and shardings in strings, with all that Shardy's text can say.
// CHECK: module @strings attributes {mhlo.is_dynamic = false} {
// CHECK-NEXT: sdy.mesh @m = <["x"=4, "y"=2]>
// CHECK-NEXT: func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(1)2}, {"y", ?}p1], replicated={"x":(2)2}>}, %arg1: tensor<8xf32> {mhlo.frontend_attributes = {other = "a"}, mhlo.sharding = "{replicated}"})
module @strings attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{m = #sdy.mesh<[\22x\22=4, \22y\22=2]>}"}, mhlo.is_dynamic = false} {
  func.func @main(%arg0: tensor<8x8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@m, [{\22x\22:(1)2}, {\22y\22, ?}p1], replicated={\22x\22:(2)2}>"}, mhlo.sharding = "{devices=[2,2,2]<=[8]}"}, %arg1: tensor<8xf32> {mhlo.frontend_attributes = {other = "a"}, mhlo.sharding = "{replicated}"}) {
    return
  }
}

// -----

// Nothing to convert: the module keeps its attributes.
// CHECK: module @none attributes {mhlo.frontend_attributes = {a = "b"}}
module @none attributes {mhlo.frontend_attributes = {a = "b"}} {
  func.func @main(%arg0: tensor<8xf32>) {
    return
  }
}

// -----

// expected-error@+1 {{has meshes in xla.sdy.meshes that cannot be read: {m = }}
module @bad_mesh attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{m = "}} {
  func.func @main(%arg0: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@m, [{}]>"}}) {
    return
  }
}

// -----

module @bad_sharding attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{m = #sdy.mesh<[\22x\22=4]>}"}} {
  // expected-error@+1 {{has a sharding of argument 0 that cannot be read: #sdy.sharding<@m, [}}
  func.func @main(%arg0: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@m, ["}}) {
    return
  }
}
