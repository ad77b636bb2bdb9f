// RUN: tessera opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Sharding rules and records of propagation on any op.

sdy.mesh @m = <["x"=2]>
func.func @good(%a: tensor<2x12xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) {
  %0 = "t.op"(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, jk])->([i, k]) {i=2, j=3, k=4} reduction={j} need_replication={k} permutation={i} blocked_propagation={i, k}, custom>} : (tensor<2x12xf32>) -> tensor<2x4xf32>
  %1 = "t.op"(%a) {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}, {step-4 = [{"x" = result-0 -> [operand-0]}]}]>,
                   sdy.result_propagation_edges = [#sdy.propagation_edges<[]>], sdy.block_arg_propagation_edges = []} : (tensor<2x12xf32>) -> tensor<2x12xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'t.op' op should have a sharding rule attribute of type OpShardingRuleAttr for attr named 'sdy.sharding_rule'}}
  %0 = "t.op"(%a) {sdy.sharding_rule = "i"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'t.op' op number of operands and mappings must match: 1 != 2}}
  %0 = "t.op"(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [i])->([i]) {i=2}>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'t.op' op number of results and mappings must match: 0 != 1}}
  "t.op"(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=2}>} : (tensor<2xf32>) -> ()
  return
}

// -----

func.func @f(%a: tensor<2xf32>, %b: tensor<?xf32>) {
  // expected-error@+1 {{'t.op' op operand 1 - expected a ranked tensor with a static shape. type: 'tensor<?xf32>'}}
  %0 = "t.op"(%a, %b) {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [i])->([i]) {i=2}>} : (tensor<2xf32>, tensor<?xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'t.op' op result - mapping rank must match: 0 != 1}}
  %0 = "t.op"(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([]) {i=2}>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{'t.op' op operand - dim mapping must have at least one factor}}
  %0 = "t.op"(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, ])->([i]) {i=2}>} : (tensor<2x2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'t.op' op operand - expecting factor indices to be within 0<=...<num_factors; received: 3, num_factors: 1}}
  %0 = "t.op"(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([l])->([i]) {i=2}>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{'t.op' op operand - cannot reuse factors for the same tensor value}}
  %0 = "t.op"(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, i])->([i]) {i=2}>} : (tensor<2x2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'t.op' op operand - dim mapping can't have a factor of size 1 if there are multiple factors}}
  %0 = "t.op"(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([ij])->([i]) {i=2, j=1}>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{'t.op' op has factor j=5 that isn't used in operand and result mappings}}
  %0 = "t.op"(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=2, j=5}>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<8xf32>) {
  // expected-error@+1 {{'t.op' op has factor i=-1, whose size is negative}}
  %0 = "t.op"(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([ij])->([ij]) {i=-1, j=8}, custom>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// The size of an empty dimension.
func.func @f(%a: tensor<0xf32>) {
  %0 = "t.op"(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=0}, custom>} : (tensor<0xf32>) -> tensor<0xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'t.op' op indices of special factors must be sorted}}
  %0 = "t.op"(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i]) {i=2, j=3} permutation={j, i}>} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'t.op' op indices of special factors must be unique}}
  %0 = "t.op"(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i]) {i=2, j=3} blocked_propagation={j, j}>} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'t.op' op index must be less than 2, got: 2}}
  %0 = "t.op"(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i]) {i=2, j=3} need_replication={k}>} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'t.op' op a factor can only be in one of the reduction, need replication, or permutation factor sets}}
  %0 = "t.op"(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i]) {i=2, j=3} reduction={j} permutation={j}>} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'t.op' op reduction factor cannot be in result mappings}}
  %0 = "t.op"(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i]) {i=2, j=3} reduction={i}>} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // Too large a number is told, and so is what else is wrong.
  // expected-error@+2 {{expecting symbol index <=2^63-1. Received: '9999999999999999999'}}
  // expected-error@+1 {{expecting factor indices to be ordered like an iota}}
  %0 = "t.op"(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([z_9999999999999999999]) {j=2}>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%a: tensor<2xf32>) {
  // expected-error@+1 {{expecting symbol index <=2^63-1. Received: '9999999999999999999'}}
  %0 = "t.op"(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([z_9999999999999999999]) {i=2}>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// expected-error@+1 {{propagation edges have negative step index: -1}}
"t.op"() {a = #sdy.propagation_edges<[{step--1 = []}]>} : () -> ()

// -----

// expected-error@+1 {{propagation edges have duplicate step index: 3}}
"t.op"() {a = #sdy.propagation_edges<[{step-3 = []}, {step-2 = []}, {step-3 = []}]>} : () -> ()

// -----

// expected-error@+1 {{propagation edges have a source that is the same as a target}}
"t.op"() {a = #sdy.propagation_edges<[{step-3 = [{"x" = result-1 -> [operand-1, result-1]}]}]>} : () -> ()

// -----

// expected-error@+1 {{propagation edges have duplicate targets for step index: 3 and axis: x}}
"t.op"() {a = #sdy.propagation_edges<[{step-3 = [{"x":(1)2 = result-1 -> [operand-1, operand-0, operand-1]}]}]>} : () -> ()

// -----

// expected-error@+1 {{'t.op' op should have a propagation edges attribute of type PropagationEdgesAttr for attr named 'sdy.propagation_edges'}}
"t.op"() {sdy.propagation_edges = []} : () -> ()

// -----

// expected-error@+1 {{should have a propagation edges attribute of type ArrayAttr<PropagationEdgesAttr>}}
"t.op"() {sdy.result_propagation_edges = [2]} : () -> ()

// -----

// expected-error@+1 {{should have a propagation edges attribute of type ArrayAttr<PropagationEdgesAttr>}}
"t.op"() {sdy.block_arg_propagation_edges = unit} : () -> ()

// -----

// expected-error@+1 {{'t.op' op expected propagation edges attr to reference a sharding.}}
"t.op"() {sdy.propagation_edges = #sdy.propagation_edges<[{step-3 = [{"x" = result-0 -> [operand-0]}]}]>} : () -> ()

// -----

sdy.mesh @m = <["x"=2]>
sdy.mesh @n = <["x"=4]>
func.func @f(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}, %b: tensor<4xf32> {sdy.sharding = #sdy.sharding<@n, [{}]>}) {
  // expected-error@+1 {{'t.op' op expected a common mesh for propagation edges attr.}}
  "t.op"(%a, %b) {sdy.propagation_edges = #sdy.propagation_edges<[{step-3 = [{"x" = operand-1 -> [operand-0]}]}]>} : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}) {
  // expected-error@+1 {{'t.op' op expected axis ref to be in one of the meshes}}
  "t.op"(%a, %a) {sdy.propagation_edges = #sdy.propagation_edges<[{step-3 = [{"y" = operand-1 -> [operand-0]}]}]>} : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}) {
  // expected-error@+1 {{'t.op' op expected a value ref to have a result index in range [0, 0), got: 0}}
  "t.op"(%a) {sdy.propagation_edges = #sdy.propagation_edges<[{step-3 = [{"x" = operand-0 -> [result-0]}]}]>} : (tensor<4xf32>) -> ()
  return
}

// -----

sdy.mesh @m = <["x"=2]>
func.func @f(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}) {
  // expected-error@+1 {{'t.op' op expected a value ref to have an operand index in range [0, 1), got: -7}}
  "t.op"(%a) {sdy.propagation_edges = #sdy.propagation_edges<[{step-3 = [{"x" = operand-0 -> [operand--7]}]}]>} : (tensor<4xf32>) -> ()
  return
}
