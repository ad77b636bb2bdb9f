// Functions inside ttcore.device_module, cached and composite functions, tuples, globals, declarations for the host.
// RUN: tessera run %s --input=2xf32=1,2 --input=2xf32=10,20 --expect=2xf32=12,24 --expect=2xf32=11,22 --expect=2xf32=1,2 --expect=2xf32=-11,-22
// RUN: not tessera run %s --function=nobody --input=2xf32=1 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: not tessera run %s --function=empty --input=2xf32=1 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not tessera run %s --function=missing 2>&1 | FileCheck %s --check-prefix=MISSING
// NOBODY: ttcore.mlir:{{[0-9]+:[0-9]+}}: error: 'func.call' op calls '@host_only', which is declared only: its body is not in the module
// EMPTY: error: 'ttcore.get_key_value' op asks for 1 values under a key that has 0
// MISSING: error: the module has no function 'missing' with a body
module {
  ttcore.device_module {
    builtin.module {
      ttcore.global @cache = !ttcore.dict
      func.func private @add(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
        %0 = "ttir.add"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
        return %0 : tensor<2xf32>
      }
      func.func private @hoisted_neg_decl(tensor<2xf32>) -> tensor<2xf32> attributes {ttir.cpu_hoisted_call}
      func.func private @host_only(tensor<2xf32>) -> tensor<2xf32>
      func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
        %0 = ttcore.load_cached(@add, [%a, %b]) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
        %1 = "ttcore.composite"(%0, %a) <{composite_name = "add", decomposition = @add}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
        %2:2 = "ttcore.optimization_barrier"(%1, %0) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
        %3 = ttcore.tuple %2#1, %a : tuple<tensor<2xf32>, tensor<2xf32>>
        %4 = ttcore.get_tuple_element %3[1] : (tuple<tensor<2xf32>, tensor<2xf32>>) -> tensor<2xf32>
        %5 = ttcore.get_global @cache : !ttcore.dict
        ttcore.set_key_value %5["sum"] = %4, %4 : !ttcore.dict, tensor<2xf32>, tensor<2xf32>
        ttcore.set_key_value %5["sum"] = %4, %0 : !ttcore.dict, tensor<2xf32>, tensor<2xf32>
        %6 = ttcore.get_global @cache : !ttcore.dict
        %7:2 = ttcore.get_key_value %6["sum"] : (!ttcore.dict) -> (tensor<2xf32>, tensor<2xf32>)
        %8 = call @hoisted_neg_decl(%0) {ttir.cpu_hoisted_call} : (tensor<2xf32>) -> tensor<2xf32>
        return %2#0, %7#1, %7#0, %8 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
      }
      func.func @nobody(%a: tensor<2xf32>) -> tensor<2xf32> {
        %0 = call @host_only(%a) : (tensor<2xf32>) -> tensor<2xf32>
        return %0 : tensor<2xf32>
      }
      func.func @empty(%a: tensor<2xf32>) -> tensor<2xf32> {
        %0 = ttcore.get_global @cache : !ttcore.dict
        %1 = ttcore.get_key_value %0["sum"] : (!ttcore.dict) -> tensor<2xf32>
        return %1 : tensor<2xf32>
      }
    }
  }
  ttcore.cpu_module {
    builtin.module {
      func.func @hoisted_neg(%a: tensor<2xf32>) -> tensor<2xf32> {
        %0 = "ttir.neg"(%a) : (tensor<2xf32>) -> tensor<2xf32>
        return %0 : tensor<2xf32>
      }
    }
  }
}
