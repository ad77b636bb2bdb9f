module {
  func.func @main(%arg0: tensor<3x8xf32>) -> tensor<3x4xf32> {
    %cst = stablehlo.constant dense_resource<torch_tensor_4_torch.float32> : tensor<4xf32>
    %cst_0 = stablehlo.constant dense_resource<torch_tensor_4_16_torch.float32> : tensor<4x16xf32>
    %cst_1 = stablehlo.constant dense_resource<torch_tensor_16_torch.float32_1> : tensor<16xf32>
    %cst_2 = stablehlo.constant dense_resource<torch_tensor_16_16_torch.float32> : tensor<16x16xf32>
    %cst_3 = stablehlo.constant dense_resource<torch_tensor_16_torch.float32> : tensor<16xf32>
    %cst_4 = stablehlo.constant dense_resource<torch_tensor_16_8_torch.float32> : tensor<16x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<3x16xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<3x16xf32>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<3x16xf32>
    %cst_8 = stablehlo.constant dense<5.000000e-01> : tensor<3x16xf32>
    %cst_9 = stablehlo.constant dense<-4.000000e+00> : tensor<3x16xf32>
    %cst_10 = stablehlo.constant dense<4.000000e+00> : tensor<3x16xf32>
    %cst_11 = stablehlo.constant dense<-2.72614237E-10> : tensor<3x16xf32>
    %cst_12 = stablehlo.constant dense<2.77068146E-8> : tensor<3x16xf32>
    %cst_13 = stablehlo.constant dense<-2.10102394E-6> : tensor<3x16xf32>
    %cst_14 = stablehlo.constant dense<-5.69250624E-5> : tensor<3x16xf32>
    %cst_15 = stablehlo.constant dense<-7.34990637E-4> : tensor<3x16xf32>
    %cst_16 = stablehlo.constant dense<-2.954600e-03> : tensor<3x16xf32>
    %cst_17 = stablehlo.constant dense<-0.0160960332> : tensor<3x16xf32>
    %cst_18 = stablehlo.constant dense<-1.45660715E-5> : tensor<3x16xf32>
    %cst_19 = stablehlo.constant dense<-2.13374049E-4> : tensor<3x16xf32>
    %cst_20 = stablehlo.constant dense<-0.00168282702> : tensor<3x16xf32>
    %cst_21 = stablehlo.constant dense<-0.00737332925> : tensor<3x16xf32>
    %cst_22 = stablehlo.constant dense<-0.0142647391> : tensor<3x16xf32>
    %cst_23 = stablehlo.constant dense<-1.000000e+00> : tensor<3x16xf32>
    %cst_24 = arith.constant dense<1> : tensor<1xi64>
    %0 = stablehlo.transpose %cst_4, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %1 = stablehlo.dot_general %arg0, %0, contracting_dims = [1] x [0] : (tensor<3x8xf32>, tensor<8x16xf32>) -> tensor<3x16xf32>
    %2 = stablehlo.convert %cst_24 : (tensor<1xi64>) -> tensor<1xf32>
    %3 = stablehlo.reshape %2 : (tensor<1xf32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
    %5 = stablehlo.multiply %1, %4 : tensor<3x16xf32>
    %6 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %7 = stablehlo.multiply %6, %cst_3 : tensor<16xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<16xf32>) -> tensor<3x16xf32>
    %9 = stablehlo.add %5, %8 : tensor<3x16xf32>
    %10 = stablehlo.maximum %9, %cst_5 : tensor<3x16xf32>
    %11 = stablehlo.transpose %cst_2, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %12 = stablehlo.dot_general %10, %11, contracting_dims = [1] x [0] : (tensor<3x16xf32>, tensor<16x16xf32>) -> tensor<3x16xf32>
    %13 = stablehlo.multiply %12, %4 : tensor<3x16xf32>
    %14 = stablehlo.multiply %6, %cst_1 : tensor<16xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [1] : (tensor<16xf32>) -> tensor<3x16xf32>
    %16 = stablehlo.add %13, %15 : tensor<3x16xf32>
    %17 = stablehlo.multiply %16, %cst_8 : tensor<3x16xf32>
    %18 = stablehlo.rsqrt %cst_7 : tensor<3x16xf32>
    %19 = stablehlo.multiply %16, %18 : tensor<3x16xf32>
    %20 = stablehlo.clamp %cst_9, %19, %cst_10 : tensor<3x16xf32>
    %21 = stablehlo.multiply %20, %20 : tensor<3x16xf32>
    %22 = stablehlo.multiply %cst_11, %21 : tensor<3x16xf32>
    %23 = stablehlo.add %22, %cst_12 : tensor<3x16xf32>
    %24 = stablehlo.multiply %23, %21 : tensor<3x16xf32>
    %25 = stablehlo.add %24, %cst_13 : tensor<3x16xf32>
    %26 = stablehlo.multiply %25, %21 : tensor<3x16xf32>
    %27 = stablehlo.add %26, %cst_14 : tensor<3x16xf32>
    %28 = stablehlo.multiply %27, %21 : tensor<3x16xf32>
    %29 = stablehlo.add %28, %cst_15 : tensor<3x16xf32>
    %30 = stablehlo.multiply %29, %21 : tensor<3x16xf32>
    %31 = stablehlo.add %30, %cst_16 : tensor<3x16xf32>
    %32 = stablehlo.multiply %31, %21 : tensor<3x16xf32>
    %33 = stablehlo.add %32, %cst_17 : tensor<3x16xf32>
    %34 = stablehlo.multiply %cst_18, %21 : tensor<3x16xf32>
    %35 = stablehlo.add %34, %cst_19 : tensor<3x16xf32>
    %36 = stablehlo.multiply %35, %21 : tensor<3x16xf32>
    %37 = stablehlo.add %36, %cst_20 : tensor<3x16xf32>
    %38 = stablehlo.multiply %37, %21 : tensor<3x16xf32>
    %39 = stablehlo.add %38, %cst_21 : tensor<3x16xf32>
    %40 = stablehlo.multiply %39, %21 : tensor<3x16xf32>
    %41 = stablehlo.add %40, %cst_22 : tensor<3x16xf32>
    %42 = stablehlo.multiply %20, %33 : tensor<3x16xf32>
    %43 = stablehlo.divide %42, %41 : tensor<3x16xf32>
    %44 = stablehlo.clamp %cst_23, %43, %cst_6 : tensor<3x16xf32>
    %45 = stablehlo.add %44, %cst_6 : tensor<3x16xf32>
    %46 = stablehlo.multiply %45, %17 : tensor<3x16xf32>
    %47 = stablehlo.transpose %cst_0, dims = [1, 0] : (tensor<4x16xf32>) -> tensor<16x4xf32>
    %48 = stablehlo.dot_general %46, %47, contracting_dims = [1] x [0] : (tensor<3x16xf32>, tensor<16x4xf32>) -> tensor<3x4xf32>
    %49 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %50 = stablehlo.multiply %48, %49 : tensor<3x4xf32>
    %51 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %52 = stablehlo.multiply %51, %cst : tensor<4xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
    %54 = stablehlo.add %50, %53 : tensor<3x4xf32>
    return %54 : tensor<3x4xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_4_torch.float32: "0x04000000A69632BE702C0A3E90C291BDFA425FBE",
      torch_tensor_4_16_torch.float32: "0x04000000CCFE7A3E68B0223DC06B85BC2CF6833D08E6BD3DB069D33D5AFE65BE9E077D3E2A4704BEF04AD93C584CBC3D64262CBE2CC0203ED05A67BE946FFD3DDA0D2C3EE4532B3E582A7D3DE4E695BDBC056BBEA89172BE268C19BEC00986BD80EC4DBBF0B060BE90DEC73CAC0F7D3E7CD0C83D40D16F3EB8F430BEE8862C3DC0F287BCC44640BEB0FEC2BD40B4C1BBD8AC5DBE1008C53CC297343E7C034D3E9E9856BEA0980FBD809C4E3D40A451BDA019563E486851BD006011B82CEB56BE9E022D3E4029DF3DDCFABEBDC22309BEAC51583EB8E612BED036543E70CF38BE4042A13D3CDA31BE2040223DF6F87FBED8A8153D78353CBDE43E903D8C53AB3DC8C6043E",
      torch_tensor_16_torch.float32_1: "0x0400000076B603BE208E9E3C3CB7393EE0F73C3E9496613ED820673E78AD833D008CC3BD52B24EBE1A1462BEA2B10F3ED0B2EB3C5055FD3CE857C8BDC6AB2ABE20DC49BE",
      torch_tensor_16_16_torch.float32: "0x04000000880F3ABD86E3643E76AB3B3EFCB8DBBD487C7ABDC81391BD544C1DBE6A317CBEFEA268BED8C427BD1CF433BE1069F2BDC0A7E0BB003391BD422C4E3E90C99F3D20A43E3ED005773D286421BD8CAF91BD64A5013ED862543E960804BE88C592BD241F28BEE04F663D68FC263D1AE54FBE6C9A0C3EC45EEFBD16500EBEFA4C46BE083DB4BDFEBD66BE8E21563EF0FAF7BDC03A213C263E243E92C625BE123F1BBE249E98BD2C1159BEF4EE33BE7003433D420455BEE051763DE027A7BD1034A63D4057C13B74A525BE020E00BE46FF73BECE075F3E369F2DBE30FFA83C58104F3EAC19F13D9A87153EC8B5183EB8910D3D688EBCBDF82580BDB068E13C106005BD38C66EBD80F8ACBCB8D5413EB0AF33BDC8E698BDA0B2313C4068B9BDD8E8CBBD507944BD40888E3C7EB739BE70C8133E78C8F1BDC04E05BC30E3A7BC4034A0BB18B2BFBDF46612BE2082FEBC580C373DC02A0BBC544A043E2070D9BD28735FBE68E6E73D0CBA333E401C9EBDCE3C683E368F4E3E24BA12BEB2212F3EDCD1123E60D1273D6000573CCE1D533EA0438D3C8AAB27BE44212D3EAED4513E96D707BEC0B692BB68864C3EFC6CE2BDF6D2223E947249BE506F4ABED6B4633E8279563EBC06BABDB6F4053EA037F2BD18CFEEBD8CDFB6BDA80975BE5CD6BD3DE4CEA1BD007FCBBCF23F6B3E80AD4C3D6C9AD63D06FC22BEC04F093E96BA0F3E34E1393EDC6DF53DF004DF3D94FEE1BDFC93C7BD82DD6E3E14C2DABDAC2FA1BD685F97BD647315BE0C5BFABDA28345BEC8653ABE302820BD48AFE8BDB0EAA1BC3CE622BE5026393DDCAD393E6E9E643E3C9ACD3D96B1613E28258BBD764C6A3E124E02BE9895253EF0A6803DB8F5F7BD5E9C183E945D5F3EE84F093E30EC533D3E4D7B3E0C19A33DB86FC3BDFABE2EBED03A8C3C803A003EDCBDB2BD203C0E3D2816303D00BDA2BC064926BE48A60B3E6CA73C3E70D3B23D9C3D423ED6D53F3E9CDE853D4814023D70C1233E9A134EBE6C88AF3DC0591DBD3ED9143E4AFC54BEE6DD373EC85F243E002D323B0C5D0C3ED41CA63D64B1F23D181A793EC0BAB6BD5253183EF07EAB3CC8E1013E969A203E3809E73D9CD4B53DBAD00ABE5C0BA83D7073B23CA0B6B23DCC4B133ED8350A3D907EE13CB008AA3DDCEE6FBEE0E7C43C50A3F9BC9E911FBE80DA773B9011B23DB63463BEE457D0BD1024483D80E6183B668344BE24F9053E7CA0263E4AA844BE0607263E20C5933DE86C143DC058BF3CFA922CBEA012723D80E41ABD6C97873DAC8C01BEDAFA523E6096533CCEF9043E004E45BBA6BD5DBE4099A6BBD88411BDE4FE2F3E30B3273DAAD928BEF00FA23DC274453E3877763D48DDE0BD6848DCBDBC03183E8C2FBEBD081E8FBD8E4D683E4438E63D28010E3D8C4CEFBD30B0713EB0DCB7BCF05A15BE7816D83D4066133CF8723F3D",
      torch_tensor_16_torch.float32: "0x0400000010CBA2BD5BB461BE239AF2BDC8BD1E3EE1165B3E62BFB1BC4C653F3EC9587F3ED93AEBBD12358CBEFFD294BEB59E96BD99E76CBED59B86BE7AFE64BE13B488BE",
      torch_tensor_16_8_torch.float32: "0x04000000E266903E21A4823E6E1495BE876D8439F87797BE663B67BDE543653EA47121BE9ADFAD3E5B89A93E411C96BE478684BD97D7B7BDF35C55BD72B7183E051C8F3E9DBE17BE0E5499BE07BAC3BC23A4A8BCACBFAC3E031F053D741C003DFFD4823D77AA893C46F7C0BDE12B8EBE0263AA3DD3F870BE3D4DAE3EEB209DBDC8F9513E9AE61ABE77679F3EEBED463D9AC924BEC85E753E587CC5BDBCE44D3EDCEED4BDE9CDFFBD537AA1BEE6C3AB3E75EB693B76C980BE0A79FEBBBD27933E01B785BE6263ABBE0FC795BE41AB543E9F687C3EB0E6A5BD0A55883EDCE4B1BC261066BE8AB8683E441BA93EDA2834BE21C6FBBD445962BE2A5552BD5339A33DC05D2CBECAE9A8BC31F3D4BDB7D2DB3D3E011BBC65CFA93E238172BE40B6A33E5295C43DEF70ACBE7CB92E3E354B893D3C7A6D3E852322BE5BA84A3EB37D95BEFFADAE3E237E3EBE0CFA3E3E3256F5BC80D30B3EB94F643D0C3598BEFBDDB13EA2143A3E656D2A3E21B9A7BED6F7253EA24C903EB6E6403E24652CBEAAA9A9BE76EFBE3AC6BA833E412D5FBD3E2247BD7B20C2BDE5A694BCF5BF31BE3AF13FBEADD1833ECEE9953E95529F3EF5921EBE36CAB93D5F5FDFBBA8B5AA3E4E186ABE434FA0BD5A9E6F3E6D4B2DBED6EF6F3E06C5A3BDF5178EBE4D08953B8C010F3E44FEB13E051A883E04B8153E285C743E0278C6BD873A583EEA0C8D3E2B43563EEA6CA7BE"
    }
  }
#-}
