// Constants whose data stands in dialect_resources: as text, as bytecode, as an artifact, divided, as TTIR and differentiated.
// RUN: tessera run %s --input=4xf32=1 --expect=4xf32=2,4,6,8 --expect=2xi1=true,false --expect=2xi4=-1,7
// RUN: tessera opt %s --emit-bytecode -o %t.bc
// RUN: tessera run %t.bc --input=4xf32=1 --expect=4xf32=2,4,6,8 --expect=2xi1=true,false --expect=2xi4=-1,7
// RUN: stablehlo-translate --serialize --target=1.0.0 --allow-other-dialects %s -o %t.mlirbc
// RUN: tessera run %t.mlirbc --input=4xf32=1 --expect=4xf32=2,4,6,8 --expect=2xi1=true,false --expect=2xi4=-1,7
// RUN: tessera run %s --spmd --check --input=4xf32=1 --expect=4xf32=2,4,6,8 --expect=2xi1=true,false --expect=2xi4=-1,7
// RUN: tessera run %t.bc --spmd --check --input=4xf32=1 --expect=4xf32=2,4,6,8
// RUN: tessera opt %s --stablehlo-to-ttir-pipeline -o %t.ttir
// RUN: tessera run %t.ttir --input=4xf32=1 --expect=4xf32=2,4,6,8
// RUN: tessera grad %s -o %t.grad
// RUN: tessera run %t.grad --function=main_grad --input=4xf32=1 --input=4xf32=1 --input=2xi1=true --input=2xi4=0 --expect=4xf32=1,2,3,4
// RUN: tessera opt %s --tessera-partition -o %t.parts
// RUN: tessera run %t.parts --spmd --input=4xf32=1 --expect=4xf32=2,4,6,8
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32>, tensor<2xi1>, tensor<2xi4>) {
  %0 = stablehlo.constant dense_resource<numbers> : tensor<4xf32>
  %one = arith.constant dense_resource<numbers> : tensor<4xf32>
  %1 = stablehlo.multiply %x, %one : tensor<4xf32>
  %2 = stablehlo.add %1, %0 : tensor<4xf32>
  %3 = stablehlo.constant dense_resource<"truth values"> : tensor<2xi1>
  %4 = stablehlo.constant dense_resource<small> : tensor<2xi4>
  return %2, %3, %4 : tensor<4xf32>, tensor<2xi1>, tensor<2xi4>
}
{-#
  dialect_resources: {
    builtin: {
      numbers: "0x040000000000803F000000400000404000008040",
      "truth values": "0x010000000100",
      small: "0x010000000F07"
    }
  }
#-}
