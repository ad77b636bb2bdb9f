// sdy-pre-order-funcs
module {
  module {
    sdy.mesh @mesh = <["x"=2]>
    func.func @f(%a: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
      return
    }
  }
}
