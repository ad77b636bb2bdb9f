// Functions that exporters write as custom calls: as text, as an artifact, on a mesh, as TTIR. Numbers are those of another library.
// RUN: tessera run %s --input=2xf64=0.25,-0.5 --input=2xf64=1.75,1.0 \
// RUN:   --expect=2xf64=1.318116071652818,2.0943951023931957 --expect=2xf64=1.158810360429947,0.0 \
// RUN:   --expect=2xf64=0.25268025514207865,-0.5235987755982989 --expect=2xf64=0.24746646154726346,-0.48121182505960347 \
// RUN:   --expect=2xf64=0.24497866312686414,-0.4636476090008061 --expect=2xf64=0.25541281188299536,-0.5493061443340548 \
// RUN:   --expect=2xf64=1.0314130998795732,1.1276259652063807 --expect=2xf64=0.2526123168081683,-0.5210953054937474 \
// RUN:   --expect=2xf64=0.2763263901682369,-0.5204998778130465 --expect=2xf64=0.22531205501217808,-0.47693627620447 \
// RUN:   --expect=2xf64=0.25534192122103627,-0.5463024898437905 --output=%t.npz
// RUN: stablehlo-translate --serialize --target=1.0.0 --allow-other-dialects %s -o %t.mlirbc
// RUN: tessera run %t.mlirbc --input=2xf64=0.25,-0.5 --input=2xf64=1.75,1.0 --expect=%t.npz
// RUN: tessera run %t.mlirbc --spmd --check --input=2xf64=0.25,-0.5 --input=2xf64=1.75,1.0 --expect=%t.npz
// RUN: tessera opt %s --stablehlo-to-ttir-pipeline -o %t.ttir
// RUN: tessera run %t.ttir --input=2xf64=0.25,-0.5 --input=2xf64=1.75,1.0 --expect=%t.npz
// RUN: tessera opt %s --stablehlo-to-tessera -o %t.graph
// RUN: tessera run %t.graph --input=2xf64=0.25,-0.5 --input=2xf64=1.75,1.0 --expect=%t.npz
// RUN: tessera shard %s | FileCheck %s --check-prefix=PLAN
// PLAN: mesh
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<2xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %y: tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %0 = stablehlo.custom_call @mhlo.acos(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2xf64>) -> tensor<2xf64>
  %1 = stablehlo.custom_call @mhlo.acosh(%y) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2xf64>) -> tensor<2xf64>
  %2 = stablehlo.custom_call @mhlo.asin(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2xf64>) -> tensor<2xf64>
  %3 = stablehlo.custom_call @mhlo.asinh(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2xf64>) -> tensor<2xf64>
  %4 = stablehlo.custom_call @mhlo.atan(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2xf64>) -> tensor<2xf64>
  %5 = stablehlo.custom_call @mhlo.atanh(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2xf64>) -> tensor<2xf64>
  %6 = stablehlo.custom_call @mhlo.cosh(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2xf64>) -> tensor<2xf64>
  %7 = stablehlo.custom_call @mhlo.sinh(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2xf64>) -> tensor<2xf64>
  %8 = stablehlo.custom_call @mhlo.erf(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2xf64>) -> tensor<2xf64>
  %9 = stablehlo.custom_call @mhlo.erf_inv(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2xf64>) -> tensor<2xf64>
  %10 = stablehlo.custom_call @mhlo.tan(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2xf64>) -> tensor<2xf64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}
