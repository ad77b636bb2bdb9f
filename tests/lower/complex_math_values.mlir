// Functions of complex numbers, by operations on their parts.
// RUN: tessera opt %s --stablehlo-complex-math-expander | FileCheck %s
// RUN: tessera opt %s --stablehlo-complex-math-expander | stablehlo-translate --interpret

// CHECK-NOT: stablehlo.{{(exponential|log|log_plus_one|sqrt) .*}}complex
func.func @main() {
  %x0 = stablehlo.constant dense<"0x000000400000003F000040BFACC527370000003F000040C0BD3786B5BD3786B5"> : tensor<4xcomplex<f32>>
  %y0 = stablehlo.exponential %x0 : tensor<4xcomplex<f32>>
  %w0 = stablehlo.constant dense<"0x1481CF405BB8624007DAF13EFA7F9E36A4ECD0BF68406EBEEFFF7F3FB43786B5"> : tensor<4xcomplex<f32>>
  check.expect_close %y0, %w0, max_ulp_difference = 3 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  %x1 = stablehlo.constant dense<"0x000000400000003F000040BFACC527370000003F000040C0BD3786B5BD3786B576845F500000803F9A99193FCDCC4C3F"> : tensor<6xcomplex<f32>>
  %y1 = stablehlo.log %x1 : tensor<6xcomplex<f32>>
  %w1 = stablehlo.constant dense<"0xA434393FB0DB7A3E114B93BEA30F49403B608E3F43ECB3BFC48057C1E4CB16C05673BB41FF99922ECDCCCC3238636D3F"> : tensor<6xcomplex<f32>>
  check.expect_close %y1, %w1, max_ulp_difference = 3 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  %x2 = stablehlo.constant dense<"0x000000400000003F000040BFACC527370000003F000040C0BD3786B5BD3786B576845F500000803F9A99193FCDCC4C3F"> : tensor<6xcomplex<f32>>
  %y2 = stablehlo.log_plus_one %x2 : tensor<6xcomplex<f32>>
  %w2 = stablehlo.constant dense<"0x3B608E3FBC1C293E1872B1BFACC5273850E79A3F0DB78DBFBD3786B5C63786B55673BB41FF99922E20E2143F3863ED3E"> : tensor<6xcomplex<f32>>
  check.expect_close %y2, %w2, max_ulp_difference = 3 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  %x3 = stablehlo.constant dense<"0x000000400000003F000040BFACC527370000003F000040C0BD3786B5BD3786B576845F500000803F9A99193FCDCC4C3F"> : tensor<6xcomplex<f32>>
  %y3 = stablehlo.sqrt %x3 : tensor<6xcomplex<f32>>
  %w3 = stablehlo.constant dense<"0x2468B63F76A4333E02BAC136D7B35D3F7E53AA3FB34990BF2199EE39B90190BA3F35EF4743FC88362EF9643F2EF9E43E"> : tensor<6xcomplex<f32>>
  check.expect_close %y3, %w3, max_ulp_difference = 3 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  %x4 = stablehlo.constant dense<"0x0000000000000040000000000000E03F000000000000E8BFF168E388B5F8E43E000000000000E03F00000000000008C08DEDB5A0F7C6B0BE8DEDB5A0F7C6B0BE"> : tensor<4xcomplex<f64>>
  %y4 = stablehlo.exponential %x4 : tensor<4xcomplex<f64>>
  %w4 = stablehlo.constant dense<"0x42A8B08B22F01940A649B8640B570C40804FE9EB403BDE3FBED9124BFFCFD33E7453D67C941DFABFF4B264F20CC8CDBFE90B21E7FDFFEF3FA05B3C87F6C6B0BE"> : tensor<4xcomplex<f64>>
  check.expect_close %y4, %w4, max_ulp_difference = 3 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  %x5 = stablehlo.constant dense<"0x0000000000000040000000000000E03F000000000000E8BFF168E388B5F8E43E000000000000E03F00000000000008C08DEDB5A0F7C6B0BE8DEDB5A0F7C6B0BE000000B08EF00B42000000000000F03F333333333333E33F9A9999999999E93F"> : tensor<6xcomplex<f64>>
  %y5 = stablehlo.log %x5 : tensor<6xcomplex<f64>>
  %w5 = stablehlo.constant dense<"0x04C5FA849426E73FDD802CF9755BCF3F936C1C116269D2BFCE54B256F4210940C6AABD6E07CCF13FBD99BC63887DF6BFD12D988118F02AC0D221337F7CD902C0BCA855BA6A6E3740D2D38FE63F53D23D9A9999999999793C50BB610567ACED3F"> : tensor<6xcomplex<f64>>
  check.expect_close %y5, %w5, max_ulp_difference = 3 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  %x6 = stablehlo.constant dense<"0x0000000000000040000000000000E03F000000000000E8BFF168E388B5F8E43E000000000000E03F00000000000008C08DEDB5A0F7C6B0BE8DEDB5A0F7C6B0BE000000B08EF00B42000000000000F03F333333333333E33F9A9999999999E93F"> : tensor<6xcomplex<f64>>
  %y6 = stablehlo.log_plus_one %x6 : tensor<6xcomplex<f64>>
  %w6 = stablehlo.constant dense<"0xC6AABD6E07CCF13FDD9A3C849723C53F3040C3FE422EF6BF1D5FB388B5F8043FADAC26F7E95CF33F44BEEB92E1B6F1BF41E1B5A0F7C6B0BEEC912FBAF8C6B0BE09F255BA6A6E374092948AE63F53D23DABE60606449CE23F50BB610567ACDD3F"> : tensor<6xcomplex<f64>>
  check.expect_close %y6, %w6, max_ulp_difference = 3 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  %x7 = stablehlo.constant dense<"0x0000000000000040000000000000E03F000000000000E8BFF168E388B5F8E43E000000000000E03F00000000000008C08DEDB5A0F7C6B0BE8DEDB5A0F7C6B0BE000000B08EF00B42000000000000F03F333333333333E33F9A9999999999E93F"> : tensor<6xcomplex<f64>>
  %y7 = stablehlo.sqrt %x7 : tensor<6xcomplex<f64>>
  %w7 = stablehlo.constant dense<"0x31AD2E8104CDF63FE63167C08E74C63F2E13ED554037D83ECAF15AE87AB6EB3F339281C56F4AF53FDD85FC653609F2BF35025F1124D33D3F0DAE8015370052BF426E52CBA7E6FD40CD4E205B881FD13ED9EDBFC5259FEC3FDAEDBFC5259FDC3F"> : tensor<6xcomplex<f64>>
  check.expect_close %y7, %w7, max_ulp_difference = 3 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}
