module {
  func.func @main(%arg0: tensor<2x3x12x12xf32>) -> tensor<2x5xf32> {
    %cst = stablehlo.constant dense_resource<torch_tensor_5_torch.float32> : tensor<5xf32>
    %cst_0 = stablehlo.constant dense_resource<torch_tensor_5_6_torch.float32> : tensor<5x6xf32>
    %cst_1 = stablehlo.constant dense_resource<torch_tensor_6_torch.float32_4> : tensor<6xf32>
    %cst_2 = stablehlo.constant dense_resource<torch_tensor_6_torch.float32_3> : tensor<6xf32>
    %cst_3 = stablehlo.constant dense_resource<torch_tensor_6_torch.float32_2> : tensor<6xf32>
    %cst_4 = stablehlo.constant dense_resource<torch_tensor_6_torch.float32_1> : tensor<6xf32>
    %cst_5 = stablehlo.constant dense_resource<torch_tensor_6_torch.float32> : tensor<6xf32>
    %cst_6 = stablehlo.constant dense_resource<torch_tensor_6_2_3_3_torch.float32> : tensor<6x2x3x3xf32>
    %cst_7 = stablehlo.constant dense_resource<torch_tensor_4_torch.float32_4> : tensor<4xf32>
    %cst_8 = stablehlo.constant dense_resource<torch_tensor_4_torch.float32_3> : tensor<4xf32>
    %cst_9 = stablehlo.constant dense_resource<torch_tensor_4_torch.float32_2> : tensor<4xf32>
    %cst_10 = stablehlo.constant dense_resource<torch_tensor_4_torch.float32_1> : tensor<4xf32>
    %cst_11 = stablehlo.constant dense_resource<torch_tensor_4_3_3_3_torch.float32> : tensor<4x3x3x3xf32>
    %cst_12 = stablehlo.constant dense_resource<torch_tensor_4_torch.float32> : tensor<4xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<2x4x12x12xf32>
    %cst_15 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<6xf32>
    %cst_17 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_19 = arith.constant dense<1.000000e-05> : tensor<1xf64>
    %cst_20 = arith.constant dense<1> : tensor<1xi64>
    %cst_21 = arith.constant dense<3> : tensor<1xi64>
    %cst_22 = arith.constant dense<0> : tensor<1xi64>
    %cst_23 = arith.constant dense<6> : tensor<1xi64>
    %cst_24 = arith.constant dense<4> : tensor<1xi64>
    %0 = stablehlo.convolution(%arg0, %cst_11) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x12x12xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x12x12xf32>
    %1 = stablehlo.reshape %cst_12 : (tensor<4xf32>) -> tensor<4x1x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1, 2, 3] : (tensor<4x1x1xf32>) -> tensor<2x4x12x12xf32>
    %3 = stablehlo.add %0, %2 : tensor<2x4x12x12xf32>
    %4 = stablehlo.convert %cst_19 : (tensor<1xf64>) -> tensor<1xf32>
    %5 = stablehlo.reshape %4 : (tensor<1xf32>) -> tensor<f32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %7 = stablehlo.add %6, %cst_9 : tensor<4xf32>
    %8 = stablehlo.sqrt %7 : tensor<4xf32>
    %9 = stablehlo.divide %cst_13, %8 : tensor<4xf32>
    %10 = stablehlo.convert %cst_20 : (tensor<1xi64>) -> tensor<1xf32>
    %11 = stablehlo.reshape %10 : (tensor<1xf32>) -> tensor<f32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %13 = stablehlo.multiply %9, %12 : tensor<4xf32>
    %14 = stablehlo.reshape %cst_10 : (tensor<4xf32>) -> tensor<4x1xf32>
    %15 = stablehlo.reshape %14 : (tensor<4x1xf32>) -> tensor<4x1x1xf32>
    %16 = stablehlo.reshape %13 : (tensor<4xf32>) -> tensor<4x1xf32>
    %17 = stablehlo.reshape %16 : (tensor<4x1xf32>) -> tensor<4x1x1xf32>
    %18 = stablehlo.broadcast_in_dim %15, dims = [1, 2, 3] : (tensor<4x1x1xf32>) -> tensor<2x4x12x12xf32>
    %19 = stablehlo.subtract %3, %18 : tensor<2x4x12x12xf32>
    %20 = stablehlo.broadcast_in_dim %17, dims = [1, 2, 3] : (tensor<4x1x1xf32>) -> tensor<2x4x12x12xf32>
    %21 = stablehlo.multiply %19, %20 : tensor<2x4x12x12xf32>
    %22 = stablehlo.reshape %cst_8 : (tensor<4xf32>) -> tensor<4x1xf32>
    %23 = stablehlo.reshape %22 : (tensor<4x1xf32>) -> tensor<4x1x1xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [1, 2, 3] : (tensor<4x1x1xf32>) -> tensor<2x4x12x12xf32>
    %25 = stablehlo.multiply %21, %24 : tensor<2x4x12x12xf32>
    %26 = stablehlo.reshape %cst_7 : (tensor<4xf32>) -> tensor<4x1xf32>
    %27 = stablehlo.reshape %26 : (tensor<4x1xf32>) -> tensor<4x1x1xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [1, 2, 3] : (tensor<4x1x1xf32>) -> tensor<2x4x12x12xf32>
    %29 = stablehlo.add %25, %28 : tensor<2x4x12x12xf32>
    %30 = stablehlo.maximum %29, %cst_14 : tensor<2x4x12x12xf32>
    %31 = "stablehlo.reduce_window"(%30, %cst_15) <{padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %96 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      stablehlo.return %96 : tensor<f32>
    }) : (tensor<2x4x12x12xf32>, tensor<f32>) -> tensor<2x4x6x6xf32>
    %32 = stablehlo.convolution(%31, %cst_6) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x4x6x6xf32>, tensor<6x2x3x3xf32>) -> tensor<2x6x2x2xf32>
    %33 = stablehlo.reshape %cst_5 : (tensor<6xf32>) -> tensor<6x1x1xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [1, 2, 3] : (tensor<6x1x1xf32>) -> tensor<2x6x2x2xf32>
    %35 = stablehlo.add %32, %34 : tensor<2x6x2x2xf32>
    %36 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %37 = stablehlo.add %36, %cst_3 : tensor<6xf32>
    %38 = stablehlo.sqrt %37 : tensor<6xf32>
    %39 = stablehlo.divide %cst_16, %38 : tensor<6xf32>
    %40 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %41 = stablehlo.multiply %39, %40 : tensor<6xf32>
    %42 = stablehlo.reshape %cst_4 : (tensor<6xf32>) -> tensor<6x1xf32>
    %43 = stablehlo.reshape %42 : (tensor<6x1xf32>) -> tensor<6x1x1xf32>
    %44 = stablehlo.reshape %41 : (tensor<6xf32>) -> tensor<6x1xf32>
    %45 = stablehlo.reshape %44 : (tensor<6x1xf32>) -> tensor<6x1x1xf32>
    %46 = stablehlo.broadcast_in_dim %43, dims = [1, 2, 3] : (tensor<6x1x1xf32>) -> tensor<2x6x2x2xf32>
    %47 = stablehlo.subtract %35, %46 : tensor<2x6x2x2xf32>
    %48 = stablehlo.broadcast_in_dim %45, dims = [1, 2, 3] : (tensor<6x1x1xf32>) -> tensor<2x6x2x2xf32>
    %49 = stablehlo.multiply %47, %48 : tensor<2x6x2x2xf32>
    %50 = stablehlo.reshape %cst_2 : (tensor<6xf32>) -> tensor<6x1xf32>
    %51 = stablehlo.reshape %50 : (tensor<6x1xf32>) -> tensor<6x1x1xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [1, 2, 3] : (tensor<6x1x1xf32>) -> tensor<2x6x2x2xf32>
    %53 = stablehlo.multiply %49, %52 : tensor<2x6x2x2xf32>
    %54 = stablehlo.reshape %cst_1 : (tensor<6xf32>) -> tensor<6x1xf32>
    %55 = stablehlo.reshape %54 : (tensor<6x1xf32>) -> tensor<6x1x1xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [1, 2, 3] : (tensor<6x1x1xf32>) -> tensor<2x6x2x2xf32>
    %57 = stablehlo.add %53, %56 : tensor<2x6x2x2xf32>
    %58 = stablehlo.convert %cst_21 : (tensor<1xi64>) -> tensor<1xf32>
    %59 = stablehlo.reshape %58 : (tensor<1xf32>) -> tensor<f32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [] : (tensor<f32>) -> tensor<2x6x2x2xf32>
    %61 = stablehlo.add %57, %60 : tensor<2x6x2x2xf32>
    %62 = stablehlo.convert %cst_22 : (tensor<1xi64>) -> tensor<1xf32>
    %63 = stablehlo.reshape %62 : (tensor<1xf32>) -> tensor<f32>
    %64 = stablehlo.clamp %63, %61, %cst_17 : (tensor<f32>, tensor<2x6x2x2xf32>, tensor<f32>) -> tensor<2x6x2x2xf32>
    %65 = stablehlo.convert %cst_23 : (tensor<1xi64>) -> tensor<1xf32>
    %66 = stablehlo.reshape %65 : (tensor<1xf32>) -> tensor<f32>
    %67 = stablehlo.clamp %cst_15, %64, %66 : (tensor<f32>, tensor<2x6x2x2xf32>, tensor<f32>) -> tensor<2x6x2x2xf32>
    %68 = stablehlo.multiply %57, %67 : tensor<2x6x2x2xf32>
    %69 = stablehlo.broadcast_in_dim %66, dims = [] : (tensor<f32>) -> tensor<2x6x2x2xf32>
    %70 = stablehlo.divide %68, %69 : tensor<2x6x2x2xf32>
    %71 = stablehlo.reduce(%70 init: %cst_18) applies stablehlo.add across dimensions = [2, 3] : (tensor<2x6x2x2xf32>, tensor<f32>) -> tensor<2x6xf32>
    %72 = stablehlo.reshape %71 : (tensor<2x6xf32>) -> tensor<2x6x1x1xf32>
    %73 = stablehlo.convert %cst_24 : (tensor<1xi64>) -> tensor<1xf32>
    %74 = stablehlo.reshape %73 : (tensor<1xf32>) -> tensor<f32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [] : (tensor<f32>) -> tensor<2x6x1x1xf32>
    %76 = stablehlo.divide %72, %75 : tensor<2x6x1x1xf32>
    %77 = stablehlo.reshape %76 : (tensor<2x6x1x1xf32>) -> tensor<2x6xf32>
    %78 = stablehlo.transpose %cst_0, dims = [1, 0] : (tensor<5x6xf32>) -> tensor<6x5xf32>
    %79 = stablehlo.dot_general %77, %78, contracting_dims = [1] x [0] : (tensor<2x6xf32>, tensor<6x5xf32>) -> tensor<2x5xf32>
    %80 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %81 = stablehlo.multiply %79, %80 : tensor<2x5xf32>
    %82 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %83 = stablehlo.multiply %82, %cst : tensor<5xf32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [1] : (tensor<5xf32>) -> tensor<2x5xf32>
    %85 = stablehlo.add %81, %84 : tensor<2x5xf32>
    %86 = stablehlo.reduce(%85 init: %cst_15) applies stablehlo.maximum across dimensions = [1] : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %87 = stablehlo.reshape %86 : (tensor<2xf32>) -> tensor<2x1xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x5xf32>
    %89 = stablehlo.subtract %85, %88 : tensor<2x5xf32>
    %90 = stablehlo.exponential %89 : tensor<2x5xf32>
    %91 = stablehlo.reduce(%90 init: %cst_18) applies stablehlo.add across dimensions = [1] : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
    %92 = stablehlo.reshape %91 : (tensor<2xf32>) -> tensor<2x1xf32>
    %93 = stablehlo.log %92 : tensor<2x1xf32>
    %94 = stablehlo.broadcast_in_dim %93, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x5xf32>
    %95 = stablehlo.subtract %89, %94 : tensor<2x5xf32>
    return %95 : tensor<2x5xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_5_torch.float32: "0x04000000752370BC089353BEA5E3C13E8919B0BC0192033E",
      torch_tensor_5_6_torch.float32: "0x04000000CD9AB7BD4C7D033D053688BC289070BEEB7A4F3EFFD02EBB1830F7BD1D3ED8BDAF4FA03EE428BA3D0229303E4C0031BD2A1130BE02805CBED6C1F83DE482CEBE0AB2A2BE16F2F83D755FBC3E2F83B33E4617A6BE5A5236BE1EDF6E3ED10FB13E0C15A53B731DE2BDC3E1C9BEC3494F3E2CE211BE6A79CE3E",
      torch_tensor_6_torch.float32_4: "0x040000000056DF3DF0E46FBE280ADB3DB8815CBEC8AE0FBEDEF2923E",
      torch_tensor_6_torch.float32_3: "0x0400000035C1523F1529183F28EAAF3F419C693F76D1863F25DFB63F",
      torch_tensor_6_torch.float32_2: "0x040000005794703F1D78293FCEBFBC3F3469873F0CF4423F0AC0A73F",
      torch_tensor_6_torch.float32_1: "0x040000008C46163E407CD53D0C3CDCBEC8333F3E98D6943D5CA6B73E",
      torch_tensor_6_torch.float32: "0x0400000077B6703E19FA4B3E65B6153D50A7C7BDD7AF1BBDBBCBA5BC",
      torch_tensor_6_2_3_3_torch.float32: "0x040000003EA7D6BD1A4528BE9179BDBDE6AFB03D7D002E3D7EBB9C3D63891A3E69922CBDB1D38CBD2C9FC2BD081715BCC7A3243D13E73FBE0BA55B3D9E64FB3C1EF7EB3DBD2CBBBDA56026BEF647033DC50151BD40CB2FBD2B02743DE2450ABCA7D9FFBBC3801EBE57ABA63D4FC0603EE3BF45BEE7BB14BEED0271BDBA9F4A3EB6259F3DB4F0DABDE2ED1CBEA7BEB4BDA292893B835342BEE0A866BE021C303D1FC1AB3D154E153ECCD790BC948093BDD38232BE2CB561BECFA027BEFB4A4FBE405B5A3EE5B874BD0F934B3E0A2E3A3E2EDAB13DBFE7D43DCB2A123DDA32273DFF8451BDE1F56BBE0080D73DB67DE33D86B4B83C6C6C4CBE24F563BE9DAC5EBEDEA515BC9A07013EDCA6023D8FC9D93D96AE22BD3E1BF53C9935153E05D7DEBB70B47EBD1D55173D4DA8D5BCF24867BEB8D3343E6CF02D3E75034F3EB709883C14074DBE8A00FF3D752B013E9C4098BD982583BD769F383DBEE76ABEA935283E28C7743D88765F3EFA3E323E3D9448BE29D10DBD8059E83D1F6752BDA9EFC7BD4F891FBEE5CAA0BD99E1F33DD8399C3D4941893DCE7F1B3EC36D833D3D704DBE1FCBC43CBAE74BBEF9F50C3EDD4D473EDF48633C",
      torch_tensor_4_torch.float32_4: "0x0400000010AEE0BE186691BD087878BEDCADDBBE",
      torch_tensor_4_torch.float32_3: "0x04000000CD79B73FEB7F103F5A065C3FE8F9A43F",
      torch_tensor_4_torch.float32_2: "0x040000007230083F38741E3F87FAA63FDDF3463F",
      torch_tensor_4_torch.float32_1: "0x040000002EC3A2BE6CF14E3E5409F0BEE2269F3E",
      torch_tensor_4_3_3_3_torch.float32: "0x04000000F50731BEAB0BE13DAD74EEBD05633B3E3CC8FCBD22AB39BCE48A413E479FA13CF9545B3DEB27013EA791DEBD7F27233E21423F3ED54F9F3B019EFCBD927A323EFD2BE5BD97C797BD99F7E63D872139BCC5154F3DA25D9EBC14FD0C3DB088033EA99627BD2B142A3E933B663D820C04BD1DDD0DBE5B4D43BE446887BD8871823DE512A6BDB24122BEA04B0A3D4E5942BD7974B53D5FBD0F3DEF752CBE8C1B5ABBA19721BEB0E7093E8BD8043ED56D3ABE030A09BE3C4DD13D7A230DBEF6026C3D0ECA69BB7FD6013E069E5D3D7D42D4BD97F2E0BDE840C33DC4A5B73DE6271EBED0AD2D3E6FA9B73DE5AED0BDBBCC8BBD5920AC3DAD4442BE687AA4BDF2C157BC017C523D50510B3E9257243E02B62D3EE1832CBD1033B3BD4E5D5CBD99BC24BE7CE6093E2197893C8273433D595E4F3DFE99A93D84DA31BD6DEFB53DAC8CDE3D671FFF3BF80F72BCA5B01E3E650CE23B14DE833DAF3F8E3DFF4FF6BDE62A3ABEFB7523BEA2BBDB3DD58927BE915E7EBC4724FEBD3D1D2A3E4F5A2F3E2618803DC88D953CEEF4DC3B82CA3DBEE00F76BDA23FC03DAB641DBEC166C43DC5BAE43C90CB3DBE2CF40F3C572231BE2F2C15BE",
      torch_tensor_4_torch.float32: "0x040000009A892F3E46A196BC5E98B2BC4A71FD3D"
    }
  }
#-}
