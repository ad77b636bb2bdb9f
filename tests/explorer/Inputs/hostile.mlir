module {
  sdy.mesh @"</script><script>alert(1)</script>" = <["x\22><img src=x onerror=ran()>"=2, "y\E2\80\AEz"=2]>
  func.func @"</script><script>window.ran=1</script>"(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@"</script><script>alert(1)</script>", [{"x\22><img src=x onerror=ran()>"}, {"y\E2\80\AEz"}]>}) -> tensor<8x8xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<8x8xf32> loc("<!--<script>'\22&amp;\E2\80\AE\FF")
    return %0 : tensor<8x8xf32>
  }
}
