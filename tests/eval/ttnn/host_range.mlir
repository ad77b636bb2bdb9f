// RUN: tessera run %s --input=random --seed=5 | FileCheck %s

// Random inputs are in range for what a function of the host does with them, where the caller sees its declaration alone.
// CHECK: tensor<8xi32>
// CHECK-NEXT: [{{[0-3], [0-3], [0-3], [0-3], [0-3], [0-3], [0-3], [0-3]}}]
module {
  ttcore.device_module {
    builtin.module {
      func.func @main(%rows: tensor<8xi32>, %table: tensor<4x2xf32>) -> tensor<8xi32> {
        %0 = call @look_up(%rows, %table) {ttir.cpu_hoisted_call} : (tensor<8xi32>, tensor<4x2xf32>) -> tensor<8x2xf32>
        return %rows : tensor<8xi32>
      }
      func.func private @look_up(tensor<8xi32>, tensor<4x2xf32>) -> tensor<8x2xf32>
    }
  }
  ttcore.cpu_module {
    builtin.module {
      func.func @look_up(%rows: tensor<8xi32>, %table: tensor<4x2xf32>) -> tensor<8x2xf32> {
        %0 = "ttir.embedding"(%rows, %table) : (tensor<8xi32>, tensor<4x2xf32>) -> tensor<8x2xf32>
        return %0 : tensor<8x2xf32>
      }
    }
  }
}
