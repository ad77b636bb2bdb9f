// The functions of CHLO meet their true values, within 3 units in the last place.
// RUN: tessera opt %s --chlo-legalize-to-stablehlo | FileCheck %s
// RUN: tessera opt %s --chlo-legalize-to-stablehlo | stablehlo-translate --interpret

// CHECK-NOT: chlo.
func.func @main() {
  // acos of -1.0, -0.75, -1.0e-05, 0.0, 0.3, 0.999
  %x0 = stablehlo.constant dense<"0x000080BF000040BFACC527B7000000009A99993E77BE7F3F"> : tensor<6xf32>
  %y0 = chlo.acos %x0 : tensor<6xf32> -> tensor<6xf32>
  %w0 = stablehlo.constant dense<"0xDB0F494093CE1A402F10C93FDB0FC93FAF0FA23F5A31373D"> : tensor<6xf32>
  check.expect_close %y0, %w0, max_ulp_difference = 3 : tensor<6xf32>, tensor<6xf32>
  // acosh of 1.0, 1.0001, 2.0, 100000.0, 1.0e+30
  %x1 = stablehlo.constant dense<"0x0000803F4703803F000000400050C347CAF24971"> : tensor<5xf32>
  %y1 = chlo.acosh %x1 : tensor<5xf32> -> tensor<5xf32>
  %w1 = stablehlo.constant dense<"0x00000000D8B8673C1492A83F134C4341998A8B42"> : tensor<5xf32>
  check.expect_close %y1, %w1, max_ulp_difference = 3 : tensor<5xf32>, tensor<5xf32>
  // asin of -1.0, -0.5, 1.0e-06, 0.25, 0.9999
  %x2 = stablehlo.constant dense<"0x000080BF000000BFBD3786350000803E72F97F3F"> : tensor<5xf32>
  %y2 = chlo.asin %x2 : tensor<5xf32> -> tensor<5xf32>
  %w2 = stablehlo.constant dense<"0xDB0FC9BF920A06BFBD3786354E5F813E6740C73F"> : tensor<5xf32>
  check.expect_close %y2, %w2, max_ulp_difference = 3 : tensor<5xf32>, tensor<5xf32>
  // asinh of -1.0e+30, -3.0, 1.0e-06, 0.5, 100.0
  %x3 = stablehlo.constant dense<"0xCAF249F1000040C0BD3786350000003F0000C842"> : tensor<5xf32>
  %y3 = chlo.asinh %x3 : tensor<5xf32> -> tensor<5xf32>
  %w3 = stablehlo.constant dense<"0x998A8BC2DBC2E8BFBD3786356561F63E058CA940"> : tensor<5xf32>
  check.expect_close %y3, %w3, max_ulp_difference = 3 : tensor<5xf32>, tensor<5xf32>
  // atan of -10000000000.0, -1.0, 1.0e-06, 0.5, 3.0
  %x4 = stablehlo.constant dense<"0xF90215D0000080BFBD3786350000003F00004040"> : tensor<5xf32>
  %y4 = chlo.atan %x4 : tensor<5xf32> -> tensor<5xf32>
  %w4 = stablehlo.constant dense<"0xDB0FC9BFDB0F49BFBD3786353863ED3EBBE09F3F"> : tensor<5xf32>
  check.expect_close %y4, %w4, max_ulp_difference = 3 : tensor<5xf32>, tensor<5xf32>
  // atanh of -0.999, -0.5, 1.0e-06, 0.25, 0.75
  %x5 = stablehlo.constant dense<"0x77BE7FBF000000BFBD3786350000803E0000403F"> : tensor<5xf32>
  %y5 = chlo.atanh %x5 : tensor<5xf32> -> tensor<5xf32>
  %w5 = stablehlo.constant dense<"0x9A3673C0549F0CBFBD37863578C5823E9513793F"> : tensor<5xf32>
  check.expect_close %y5, %w5, max_ulp_difference = 3 : tensor<5xf32>, tensor<5xf32>
  // bessel_i1e of -20.0, -1.0, 1.0e-05, 7.9, 8.1, 1000.0
  %x6 = stablehlo.constant dense<"0x0000A0C1000080BFACC52737CDCCFC409A99014100007A44"> : tensor<6xf32>
  %y6 = chlo.bessel_i1e %x6 : tensor<6xf32> -> tensor<6xf32>
  %w6 = stablehlo.constant dense<"0x7636B3BD78E654BE3EC5A7364F220A3E309A083E139E4E3C"> : tensor<6xf32>
  check.expect_close %y6, %w6, max_ulp_difference = 3 : tensor<6xf32>, tensor<6xf32>
  // cosh of -88.5, -1.0, 0.0, 0.5, 89.0
  %x7 = stablehlo.constant dense<"0x0000B1C2000080BF000000000000003F0000B242"> : tensor<5xf32>
  %y7 = chlo.cosh %x7 : tensor<5xf32> -> tensor<5xf32>
  %w7 = stablehlo.constant dense<"0xC4DCCC7EAB83C53F0000803F0C56903F66E1287F"> : tensor<5xf32>
  check.expect_close %y7, %w7, max_ulp_difference = 3 : tensor<5xf32>, tensor<5xf32>
  // sinh of -88.5, -1.0, 1.0e-06, 0.5, 89.0
  %x8 = stablehlo.constant dense<"0x0000B1C2000080BFBD3786350000003F0000B242"> : tensor<5xf32>
  %y8 = chlo.sinh %x8 : tensor<5xf32> -> tensor<5xf32>
  %w8 = stablehlo.constant dense<"0xC4DCCCFEFE6C96BFBD3786358066053F66E1287F"> : tensor<5xf32>
  check.expect_close %y8, %w8, max_ulp_difference = 3 : tensor<5xf32>, tensor<5xf32>
  // digamma of -3.25, 0.125, 1.0, 1.46, 2.5, 9.5, 100.0
  %x9 = stablehlo.constant dense<"0x000050C00000003E0000803F48E1BA3F00002040000018410000C842"> : tensor<7xf32>
  %y9 = chlo.digamma %x9 : tensor<7xf32> -> tensor<7xf32>
  %w9 = stablehlo.constant dense<"0xBBEB8E40443706C168C413BF9F29CFBA1302343FBDA70C4087349340"> : tensor<7xf32>
  check.expect_close %y9, %w9, max_ulp_difference = 3 : tensor<7xf32>, tensor<7xf32>
  // erf of -3.0, -0.5, 1.0e-06, 0.999, 1.001, 5.0
  %x10 = stablehlo.constant dense<"0x000040C0000000BFBD37863577BE7F3FC520803F0000A040"> : tensor<6xf32>
  %y10 = chlo.erf %x10 : tensor<6xf32> -> tensor<6xf32>
  %w10 = stablehlo.constant dense<"0x8DFE7FBF7B3F05BFD072973502A0573F6BD6573F0000803F"> : tensor<6xf32>
  check.expect_close %y10, %w10, max_ulp_difference = 3 : tensor<6xf32>, tensor<6xf32>
  // erfc of -3.0, -0.25, 0.25, 0.75, 1.5, 3.0, 9.0
  %x11 = stablehlo.constant dense<"0x000040C0000080BE0000803E0000403F0000C03F0000404000001041"> : tensor<7xf32>
  %y11 = chlo.erfc %x11 : tensor<7xf32> -> tensor<7xf32>
  %w11 = stablehlo.constant dense<"0x47FFFF3FAA5EA33FAC42393F69E3933E54D50A3DFB4EB937A1C60C03"> : tensor<7xf32>
  check.expect_close %y11, %w11, max_ulp_difference = 3 : tensor<7xf32>, tensor<7xf32>
  // erf_inv of -0.999, -0.5, 1.0e-06, 0.25, 0.75, 0.9999
  %x12 = stablehlo.constant dense<"0x77BE7FBF000000BFBD3786350000803E0000403F72F97F3F"> : tensor<6xf32>
  %y12 = chlo.erf_inv %x12 : tensor<6xf32> -> tensor<6xf32>
  %w12 = stablehlo.constant dense<"0x93E914C0FE30F4BE0DE56D3534B8663E483C503FF7103040"> : tensor<6xf32>
  check.expect_close %y12, %w12, max_ulp_difference = 3 : tensor<6xf32>, tensor<6xf32>
  // lgamma of -4.5, -0.25, 1.0e-05, 0.25, 1.0, 1.001, 1.75, 2.0, 2.5, 7.5, 100.0
  %x13 = stablehlo.constant dense<"0x000090C0000080BEACC527370000803E0000803FC520803F0000E03F00000040000020400000F0400000C842"> : tensor<11xf32>
  %y13 = chlo.lgamma %x13 : tensor<11xf32> -> tensor<11xf32>
  %w13 = stablehlo.constant dense<"0x920934C03477CB3FEB343841ECDDA43F00000000ED1A17BA7FDAACBD00000000F4C1913E8319F1402E91B343"> : tensor<11xf32>
  check.expect_close %y13, %w13, max_ulp_difference = 3 : tensor<11xf32>, tensor<11xf32>
  // tan of -1.5, 1.0e-06, 0.5, 2.0
  %x14 = stablehlo.constant dense<"0x0000C0BFBD3786350000003F00000040"> : tensor<4xf32>
  %y14 = chlo.tan %x14 : tensor<4xf32> -> tensor<4xf32>
  %w14 = stablehlo.constant dense<"0x6B9F61C1BD3786357BDA0B3FB1D70BC0"> : tensor<4xf32>
  check.expect_close %y14, %w14, max_ulp_difference = 3 : tensor<4xf32>, tensor<4xf32>
  // square of -3.0, 0.5, 2.0
  %x15 = stablehlo.constant dense<"0x000040C00000003F00000040"> : tensor<3xf32>
  %y15 = chlo.square %x15 : tensor<3xf32> -> tensor<3xf32>
  %w15 = stablehlo.constant dense<"0x000010410000803E00008040"> : tensor<3xf32>
  check.expect_close %y15, %w15, max_ulp_difference = 3 : tensor<3xf32>, tensor<3xf32>
  // zeta of [1.5, 2, 4, 10] and [0.5, 1, 3, 20]
  %x16 = stablehlo.constant dense<"0x0000C03F000000400000804000002041"> : tensor<4xf32>
  %z16 = stablehlo.constant dense<"0x0000003F0000803F000040400000A041"> : tensor<4xf32>
  %y16 = chlo.zeta %x16, %z16 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %w16 = stablehlo.constant dense<"0x66D99840338DD23F5664A23C16EF972A"> : tensor<4xf32>
  check.expect_close %y16, %w16, max_ulp_difference = 3 : tensor<4xf32>, tensor<4xf32>
  // polygamma of [0, 1, 2, 5] and [2.5, 0.5, 3, 1.5]
  %x17 = stablehlo.constant dense<"0x000000000000803F000000400000A040"> : tensor<4xf32>
  %z17 = stablehlo.constant dense<"0x000020400000003F000040400000C03F"> : tensor<4xf32>
  %y17 = chlo.polygamma %x17, %z17 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %w17 = stablehlo.constant dense<"0x1302343FE6E99D4002D01DBE18D13141"> : tensor<4xf32>
  check.expect_close %y17, %w17, max_ulp_difference = 3 : tensor<4xf32>, tensor<4xf32>
  // acos of -1.0, -0.75, -1.0e-05, 0.0, 0.3, 0.999
  %x18 = stablehlo.constant dense<"0x000000000000F0BF000000000000E8BFF168E388B5F8E4BE0000000000000000333333333333D33F2B8716D9CEF7EF3F"> : tensor<6xf64>
  %y18 = chlo.acos %x18 : tensor<6xf64> -> tensor<6xf64>
  %w18 = stablehlo.constant dense<"0x182D4454FB210940C3B6936FD25903408BF19ED00522F93F182D4454FB21F93F59EFBEECF541F43F9EA266E534E6A63F"> : tensor<6xf64>
  check.expect_close %y18, %w18, max_ulp_difference = 3 : tensor<6xf64>, tensor<6xf64>
  // acosh of 1.0, 1.0001, 2.0, 100000.0, 1.0e+30
  %x19 = stablehlo.constant dense<"0x000000000000F03F71AC8BDB6800F03F000000000000004000000000006AF840EA8CA039593E2946"> : tensor<5xf64>
  %y19 = chlo.acosh %x19 : tensor<5xf64> -> tensor<5xf64>
  %w19 = stablehlo.constant dense<"0x0000000000000000E5D4C07E7DF68C3F350498714212F53F0017925A8269284038F4F72553715140"> : tensor<5xf64>
  check.expect_close %y19, %w19, max_ulp_difference = 3 : tensor<5xf64>, tensor<5xf64>
  // asin of -1.0, -0.5, 1.0e-06, 0.25, 0.9999
  %x20 = stablehlo.constant dense<"0x000000000000F0BF000000000000E0BF8DEDB5A0F7C6B03E000000000000D03F1EA7E8482EFFEF3F"> : tensor<5xf64>
  %y20 = chlo.asin %x20 : tensor<5xf64> -> tensor<5xf64>
  %w20 = stablehlo.constant dense<"0x182D4454FB21F9BF66732D3852C1E0BFA0F0B5A0F7C6B03ECD870BCEE92BD03F6A55011A0EE8F83F"> : tensor<5xf64>
  check.expect_close %y20, %w20, max_ulp_difference = 3 : tensor<5xf64>, tensor<5xf64>
  // asinh of -1.0e+30, -3.0, 1.0e-06, 0.5, 100.0
  %x21 = stablehlo.constant dense<"0xEA8CA039593E29C600000000000008C08DEDB5A0F7C6B03E000000000000E03F0000000000005940"> : tensor<5xf64>
  %y21 = chlo.asinh %x21 : tensor<5xf64> -> tensor<5xf64>
  %w21 = stablehlo.constant dense<"0x38F4F725537151C00EDC7E505B18FDBF7AEAB5A0F7C6B03E0A16C5AE2CCCDE3F2A3C3DA980311540"> : tensor<5xf64>
  check.expect_close %y21, %w21, max_ulp_difference = 3 : tensor<5xf64>, tensor<5xf64>
  // atan of -10000000000.0, -1.0, 1.0e-06, 0.5, 3.0
  %x22 = stablehlo.constant dense<"0x000000205FA002C2000000000000F0BF8DEDB5A0F7C6B03E000000000000E03F0000000000000840"> : tensor<5xf64>
  %y22 = chlo.atan %x22 : tensor<5xf64> -> tensor<5xf64>
  %w22 = stablehlo.constant dense<"0xE04D3D54FB21F9BF182D4454FB21E9BF67E7B5A0F7C6B03E4FBB610567ACDD3F60857A6B17FCF33F"> : tensor<5xf64>
  check.expect_close %y22, %w22, max_ulp_difference = 3 : tensor<5xf64>, tensor<5xf64>
  // atanh of -0.999, -0.5, 1.0e-06, 0.25, 0.75
  %x23 = stablehlo.constant dense<"0x2B8716D9CEF7EFBF000000000000E0BF8DEDB5A0F7C6B03E000000000000D03F000000000000E83F"> : tensor<5xf64>
  %y23 = chlo.atanh %x23 : tensor<5xf64> -> tensor<5xf64>
  %w23 = stablehlo.constant dense<"0x2D7C9CDECF660EC00B03AD7AEA93E1BFB3F3B5A0F7C6B03E521481FAAE58D03F575A32AE7222EF3F"> : tensor<5xf64>
  check.expect_close %y23, %w23, max_ulp_difference = 3 : tensor<5xf64>, tensor<5xf64>
  // bessel_i1e of -20.0, -1.0, 1.0e-05, 7.9, 8.1, 1000.0
  %x24 = stablehlo.constant dense<"0x00000000000034C0000000000000F0BFF168E388B5F8E43E9A99999999991F4033333333333320400000000000408F40"> : tensor<6xf64>
  %y24 = chlo.bessel_i1e %x24 : tensor<6xf64> -> tensor<6xf64>
  %w24 = stablehlo.constant dense<"0xAB4679CACE66B6BF005F36F9CE9CCABF2A1D79CAA7F8D43E8F38B8DA4944C13F2CCACF144613C13F8B853468C2D3893F"> : tensor<6xf64>
  check.expect_close %y24, %w24, max_ulp_difference = 3 : tensor<6xf64>, tensor<6xf64>
  // cosh of -88.5, -1.0, 0.0, 0.5, 89.0
  %x25 = stablehlo.constant dense<"0x00000000002056C0000000000000F0BF0000000000000000000000000000E03F0000000000405640"> : tensor<5xf64>
  %y25 = chlo.cosh %x25 : tensor<5xf64> -> tensor<5xf64>
  %w25 = stablehlo.constant dense<"0x28FE5571989BD94750F5D95175B0F83F000000000000F03FD0E82A86C10AF23F013843C32C1CE547"> : tensor<5xf64>
  check.expect_close %y25, %w25, max_ulp_difference = 3 : tensor<5xf64>, tensor<5xf64>
  // sinh of -88.5, -1.0, 1.0e-06, 0.5, 89.0
  %x26 = stablehlo.constant dense<"0x00000000002056C0000000000000F0BF8DEDB5A0F7C6B03E000000000000E03F0000000000405640"> : tensor<5xf64>
  %y26 = chlo.sinh %x26 : tensor<5xf64> -> tensor<5xf64>
  %w26 = stablehlo.constant dense<"0x28FE5571989BD9C782B94EC49FCDF2BFA0F0B5A0F7C6B03E973BE60FD0ACE03F013843C32C1CE547"> : tensor<5xf64>
  check.expect_close %y26, %w26, max_ulp_difference = 3 : tensor<5xf64>, tensor<5xf64>
  // digamma of -3.25, 0.125, 1.0, 1.46, 2.5, 9.5, 100.0
  %x27 = stablehlo.constant dense<"0x0000000000000AC0000000000000C03F000000000000F03F5C8FC2F5285CF73F000000000000044000000000000023400000000000005940"> : tensor<7xf64>
  %y27 = chlo.digamma %x27 : tensor<7xf64> -> tensor<7xf64>
  %w27 = stablehlo.constant dense<"0x1FA21A6C77DD1140EB2EA782E8C620C019B66FFC8C78E2BF0604CE825BE559BF5E2BF15A4280E63F36A68298F7940140754427D490661240"> : tensor<7xf64>
  check.expect_close %y27, %w27, max_ulp_difference = 3 : tensor<7xf64>, tensor<7xf64>
  // erf of -3.0, -0.5, 1.0e-06, 0.999, 1.001, 5.0
  %x28 = stablehlo.constant dense<"0x00000000000008C0000000000000E0BF8DEDB5A0F7C6B03E2B8716D9CEF7EF3F6ABC74931804F03F0000000000001440"> : tensor<6xf64>
  %y28 = chlo.erf %x28 : tensor<6xf64> -> tensor<6xf64>
  %w28 = stablehlo.constant dense<"0xF93541ACD1FFEFBFD2ED185CEFA7E0BF8765C7035AEEB23ECA0F2E3D00F4EA3FDE249C53CDFAEA3FE8C9FFFFFFFFEF3F"> : tensor<6xf64>
  check.expect_close %y28, %w28, max_ulp_difference = 3 : tensor<6xf64>, tensor<6xf64>
  // erfc of -3.0, -0.25, 0.25, 0.75, 1.5, 3.0, 9.0
  %x29 = stablehlo.constant dense<"0x00000000000008C0000000000000D0BF000000000000D03F000000000000E83F000000000000F83F00000000000008400000000000002240"> : tensor<7xf64>
  %y29 = chlo.erfc %x29 : tensor<7xf64> -> tensor<7xf64>
  %w29 = stablehlo.constant dense<"0xFD9A20D6E8FFFF3F82B58C38D56BF43FFC94E68E5528E73F41E3C5146D7CD23F0552C88EAA5AA13F2A420365DF29F73E8C3FBE22D4986138"> : tensor<7xf64>
  check.expect_close %y29, %w29, max_ulp_difference = 3 : tensor<7xf64>, tensor<7xf64>
  // erf_inv of -0.999, -0.5, 1.0e-06, 0.25, 0.75, 0.9999
  %x30 = stablehlo.constant dense<"0x2B8716D9CEF7EFBF000000000000E0BF8DEDB5A0F7C6B03E000000000000D03F000000000000E83F1EA7E8482EFFEF3F"> : tensor<6xf64>
  %y30 = chlo.erf_inv %x30 : tensor<6xf64> -> tensor<6xf64>
  %w30 = stablehlo.constant dense<"0xB4CD0514319D02C00AC024BB1F86DEBF8F8B679EA1BCAD3E70FFD58106D7CC3FA12B6B0F8907EA3F50EA01CB2D020640"> : tensor<6xf64>
  check.expect_close %y30, %w30, max_ulp_difference = 3 : tensor<6xf64>, tensor<6xf64>
  // lgamma of -4.5, -0.25, 1.0e-05, 0.25, 1.0, 1.001, 1.75, 2.0, 2.5, 7.5, 100.0
  %x31 = stablehlo.constant dense<"0x00000000000012C0000000000000D0BFF168E388B5F8E43E000000000000D03F000000000000F03F6ABC74931804F03F000000000000FC3F000000000000004000000000000004400000000000001E400000000000005940"> : tensor<11xf64>
  %y31 = chlo.lgamma %x31 : tensor<11xf64> -> tensor<11xf64>
  %w31 = stablehlo.constant dense<"0x7BC7203A328106C02DFBDE85E66EF93F83ECF4689D062740FB6EC181BD9BF43F00000000000000007F7BBED323E342BF6E5A87D64F9BB5BF0000000000000000E8679A803E38D23F7F1FE46030231E40629487B425727640"> : tensor<11xf64>
  check.expect_close %y31, %w31, max_ulp_difference = 3 : tensor<11xf64>, tensor<11xf64>
  // tan of -1.5, 1.0e-06, 0.5, 2.0
  %x32 = stablehlo.constant dense<"0x000000000000F8BF8DEDB5A0F7C6B03E000000000000E03F0000000000000040"> : tensor<4xf64>
  %y32 = chlo.tan %x32 : tensor<4xf64> -> tensor<4xf64>
  %w32 = stablehlo.constant dense<"0x7787B850ED332CC0B3F3B5A0F7C6B03E4A47F35B4F7BE13FF850092EF67A01C0"> : tensor<4xf64>
  check.expect_close %y32, %w32, max_ulp_difference = 3 : tensor<4xf64>, tensor<4xf64>
  // square of -3.0, 0.5, 2.0
  %x33 = stablehlo.constant dense<"0x00000000000008C0000000000000E03F0000000000000040"> : tensor<3xf64>
  %y33 = chlo.square %x33 : tensor<3xf64> -> tensor<3xf64>
  %w33 = stablehlo.constant dense<"0x0000000000002240000000000000D03F0000000000001040"> : tensor<3xf64>
  check.expect_close %y33, %w33, max_ulp_difference = 3 : tensor<3xf64>, tensor<3xf64>
  // zeta of [1.5, 2, 4, 10] and [0.5, 1, 3, 20]
  %x34 = stablehlo.constant dense<"0x000000000000F83F000000000000004000000000000010400000000000002440"> : tensor<4xf64>
  %z34 = stablehlo.constant dense<"0x000000000000E03F000000000000F03F00000000000008400000000000003440"> : tensor<4xf64>
  %y34 = chlo.zeta %x34, %z34 : tensor<4xf64>, tensor<4xf64> -> tensor<4xf64>
  %w34 = stablehlo.constant dense<"0x656783C32C1B1340D3075362A651FA3F0E12F6B18A4C943FDF6D88CAE2FD523D"> : tensor<4xf64>
  check.expect_close %y34, %w34, max_ulp_difference = 3 : tensor<4xf64>, tensor<4xf64>
  // polygamma of [0, 1, 2, 5] and [2.5, 0.5, 3, 1.5]
  %x35 = stablehlo.constant dense<"0x0000000000000000000000000000F03F00000000000000400000000000001440"> : tensor<4xf64>
  %z35 = stablehlo.constant dense<"0x0000000000000440000000000000E03F0000000000000840000000000000F83F"> : tensor<4xf64>
  %y35 = chlo.polygamma %x35, %z35 : tensor<4xf64>, tensor<4xf64> -> tensor<4xf64>
  %w35 = stablehlo.constant dense<"0x5E2BF15A4280E63FDE45BEC93CBD13401462004F00BAC3BF16EFDB0A233A2640"> : tensor<4xf64>
  check.expect_close %y35, %w35, max_ulp_difference = 3 : tensor<4xf64>, tensor<4xf64>
  return
}
