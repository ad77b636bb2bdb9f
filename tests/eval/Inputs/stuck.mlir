func.func @alone(%x: tensor<2xi64>) -> tensor<2xi64> {
  %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %1 = stablehlo.add %a, %b : tensor<i64>
      stablehlo.return %1 : tensor<i64>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi64>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}
func.func @other(%x: tensor<2xi64>) -> tensor<2xi64> {
  return %x : tensor<2xi64>
}
func.func @main(%x: tensor<2xi64>) {
  %0:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@alone], [@other]]} : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
  return
}
func.func @bad(%x: tensor<2xi64>) -> tensor<2xi64> {
  %0 = stablehlo.custom_call @no_such_target(%x) : (tensor<2xi64>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}
func.func @fails(%x: tensor<2xi64>) {
  %0:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@alone], [@bad]]} : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
  return
}
func.func @receiver() -> tensor<2xi64> {
  %t = stablehlo.create_token : !stablehlo.token
  %0:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>} : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
  return %0#0 : tensor<2xi64>
}
func.func @waits(%x: tensor<2xi64>) {
  %0:2 = "interpreter.run_parallel"(%x) {programs = [[@receiver, @other]]} : (tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
  return
}
func.func @first(%x: tensor<2xi64>) -> tensor<2xi64> {
  %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi64>) -> tensor<2xi64>
  %1 = "stablehlo.all_gather"(%0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi64>) -> tensor<4xi64>
  return %0 : tensor<2xi64>
}
func.func @second(%x: tensor<2xi64>) -> tensor<2xi64> {
  %1 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi64>) -> tensor<4xi64>
  %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi64>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}
func.func @crossed(%x: tensor<2xi64>) {
  %0:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@first], [@second]]} : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
  return
}
func.func @sender(%x: tensor<2xi64>) -> tensor<2xi64> {
  %t = stablehlo.create_token : !stablehlo.token
  %0 = "stablehlo.send"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi64>, !stablehlo.token) -> !stablehlo.token
  return %x : tensor<2xi64>
}
func.func @unheard(%x: tensor<2xi64>) {
  %0:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@sender, @other]]} : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
  return
}
func.func @feeder() -> tensor<2xi64> {
  %t = stablehlo.create_token : !stablehlo.token
  %0:2 = "stablehlo.infeed"(%t) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
  return %0#0 : tensor<2xi64>
}
func.func @unfed() {
  %0:2 = "interpreter.run_parallel"() {programs = [[@feeder, @feeder]]} : () -> (tensor<2xi64>, tensor<2xi64>)
  return
}
