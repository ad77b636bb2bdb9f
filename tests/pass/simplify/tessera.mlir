// RUN: tessera opt %s --tessera-simplify=fold-op-element-limit=100 | FileCheck %s
//
// Rules of Graph IR's ops, one function each, under the rule's name (src/pass/simplify/rules.def).

// A zero that leaves -0 alone; one that never meets it; integers; a zero that repeats, and promotes, what it is added to.
// CHECK-LABEL: func.func @tessera_add_zero(
// CHECK-DAG:     %[[E:.*]] = tessera.exp %arg0
// CHECK-DAG:     %[[B:.*]] = tessera.broadcast %arg1 : tensor<3xi32> -> tensor<2x3xi32>
// CHECK-DAG:     %[[C:.*]] = tessera.cast %arg1 : tensor<3xi32> -> tensor<3xf32>
// CHECK-NEXT:    return %arg0, %[[E]], %arg1, %[[B]], %[[C]] :
func.func @tessera_add_zero(%x: tensor<3xf32>, %n: tensor<3xi32>)
    -> (tensor<3xf32>, tensor<3xf32>, tensor<3xi32>, tensor<2x3xi32>, tensor<3xf32>) {
  %m = tessera.constant dense<-0.0> : tensor<3xf32>
  %p = tessera.constant dense<0.0> : tensor<f32>
  %i = tessera.constant dense<0> : tensor<i32>
  %j = tessera.constant dense<0> : tensor<2x3xi32>
  %0 = tessera.add %m, %x : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  %1 = tessera.exp %x : tensor<3xf32> -> tensor<3xf32>
  %2 = tessera.add %1, %p : tensor<3xf32>, tensor<f32> -> tensor<3xf32>
  %3 = tessera.add %n, %i : tensor<3xi32>, tensor<i32> -> tensor<3xi32>
  %4 = tessera.add %n, %j : tensor<3xi32>, tensor<2x3xi32> -> tensor<2x3xi32>
  %5 = tessera.add %n, %p : tensor<3xi32>, tensor<f32> -> tensor<3xf32>
  return %0, %2, %3, %4, %5 : tensor<3xf32>, tensor<3xf32>, tensor<3xi32>, tensor<2x3xi32>, tensor<3xf32>
}

// -0 + 0 is 0, so this stays.
// CHECK-LABEL: func.func @tessera_add_plus_zero(
// CHECK:         tessera.add
func.func @tessera_add_plus_zero(%x: tensor<3xf32>) -> tensor<3xf32> {
  %p = tessera.constant dense<0.0> : tensor<f32>
  %0 = tessera.add %x, %p : tensor<3xf32>, tensor<f32> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @tessera_sub_zero(
// CHECK:         %[[S:.*]] = tessera.sub %arg0
// CHECK-NEXT:    return %arg0, %[[S]] :
func.func @tessera_sub_zero(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %p = tessera.constant dense<0.0> : tensor<f32>
  %m = tessera.constant dense<-0.0> : tensor<f32>
  %0 = tessera.sub %x, %p : tensor<3xf32>, tensor<f32> -> tensor<3xf32>
  %1 = tessera.sub %x, %m : tensor<3xf32>, tensor<f32> -> tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: func.func @tessera_mul_one(
// CHECK-NEXT:    %[[B:.*]] = tessera.broadcast %arg0 : tensor<3xbf16> -> tensor<2x3xbf16>
// CHECK-NEXT:    return %arg0, %[[B]] :
func.func @tessera_mul_one(%x: tensor<3xbf16>) -> (tensor<3xbf16>, tensor<2x3xbf16>) {
  %c = tessera.constant dense<1.0> : tensor<bf16>
  %d = tessera.constant dense<1.0> : tensor<2x1xbf16>
  %0 = tessera.mul %c, %x : tensor<bf16>, tensor<3xbf16> -> tensor<3xbf16>
  %1 = tessera.mul %x, %d : tensor<3xbf16>, tensor<2x1xbf16> -> tensor<2x3xbf16>
  return %0, %1 : tensor<3xbf16>, tensor<2x3xbf16>
}

// A result that is written less precisely keeps its type, and its op.
// CHECK-LABEL: func.func @tessera_mul_one_dynamic(
// CHECK:         tessera.mul %arg0
func.func @tessera_mul_one_dynamic(%x: tensor<3xf32>) -> tensor<?xf32> {
  %c = tessera.constant dense<1.0> : tensor<f32>
  %0 = tessera.mul %x, %c : tensor<3xf32>, tensor<f32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @tessera_by_one(
// CHECK-NEXT:    return %arg0, %arg0 :
func.func @tessera_by_one(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %c = tessera.constant dense<1.0> : tensor<f32>
  %0 = tessera.div %x, %c : tensor<3xf32>, tensor<f32> -> tensor<3xf32>
  %1 = tessera.pow %x, %c : tensor<3xf32>, tensor<f32> -> tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// Of integers; NaN and infinities make the other one stay.
// CHECK-LABEL: func.func @tessera_mul_zero(
// CHECK-DAG:     %[[Z:.*]] = tessera.constant dense<0> : tensor<2x3xi32>
// CHECK-DAG:     %[[M:.*]] = tessera.mul %arg1
// CHECK:         return %[[Z]], %[[M]] :
func.func @tessera_mul_zero(%x: tensor<3xi32>, %y: tensor<3xf32>) -> (tensor<2x3xi32>, tensor<3xf32>) {
  %c = tessera.constant dense<0> : tensor<2x1xi32>
  %d = tessera.constant dense<0.0> : tensor<f32>
  %0 = tessera.mul %x, %c : tensor<3xi32>, tensor<2x1xi32> -> tensor<2x3xi32>
  %1 = tessera.mul %y, %d : tensor<3xf32>, tensor<f32> -> tensor<3xf32>
  return %0, %1 : tensor<2x3xi32>, tensor<3xf32>
}

// CHECK-LABEL: func.func @tessera_sub_self(
// CHECK-DAG:     %[[Z:.*]] = tessera.constant dense<0> : tensor<3xi32>
// CHECK-DAG:     %[[S:.*]] = tessera.sub %arg1, %arg1
// CHECK:         return %[[Z]], %[[S]] :
func.func @tessera_sub_self(%x: tensor<3xi32>, %y: tensor<3xf32>) -> (tensor<3xi32>, tensor<3xf32>) {
  %0 = tessera.sub %x, %x : tensor<3xi32>, tensor<3xi32> -> tensor<3xi32>
  %1 = tessera.sub %y, %y : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  return %0, %1 : tensor<3xi32>, tensor<3xf32>
}

// CHECK-LABEL: func.func @tessera_both_same(
// CHECK-NEXT:    return %arg0, %arg0 :
func.func @tessera_both_same(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = tessera.max %x, %x : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  %1 = tessera.min %x, %x : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// Where elements are promoted after the sign has changed, it stays.
// CHECK-LABEL: func.func @tessera_add_negative(
// CHECK-NEXT:    %[[A:.*]] = tessera.sub %arg0, %arg1
// CHECK-NEXT:    %[[N:.*]] = tessera.neg %arg2
// CHECK-NEXT:    %[[B:.*]] = tessera.add %arg0, %[[N]]
// CHECK-NEXT:    return %[[A]], %[[B]] :
func.func @tessera_add_negative(%x: tensor<2x3xf32>, %y: tensor<3xf32>, %i: tensor<3xi8>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = tessera.neg %y : tensor<3xf32> -> tensor<3xf32>
  %1 = tessera.add %0, %x : tensor<3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  %2 = tessera.neg %i : tensor<3xi8> -> tensor<3xi8>
  %3 = tessera.add %x, %2 : tensor<2x3xf32>, tensor<3xi8> -> tensor<2x3xf32>
  return %1, %3 : tensor<2x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @tessera_sub_negative(
// CHECK-NEXT:    %[[A:.*]] = tessera.add %arg0, %arg1
// CHECK-NEXT:    return %[[A]] :
func.func @tessera_sub_negative(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = tessera.neg %y : tensor<3xf32> -> tensor<3xf32>
  %1 = tessera.sub %x, %0 : tensor<2x3xf32>, tensor<3xf32> -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @tessera_abs_of_neg(
// CHECK-NEXT:    %[[A:.*]] = tessera.abs %arg0
// CHECK-NEXT:    return %[[A]], %arg0 :
func.func @tessera_abs_of_neg(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = tessera.neg %x : tensor<3xf32> -> tensor<3xf32>
  %1 = tessera.abs %0 : tensor<3xf32> -> tensor<3xf32>
  %2 = tessera.abs %1 : tensor<3xf32> -> tensor<3xf32>
  %3 = tessera.neg %0 : tensor<3xf32> -> tensor<3xf32>
  return %2, %3 : tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: func.func @tessera_cast_same(
// CHECK-NEXT:    return %arg0 :
func.func @tessera_cast_same(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = tessera.cast %x : tensor<3xf32> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Wider and back is nothing; narrower and back is not.
// CHECK-LABEL: func.func @tessera_cast_of_cast(
// CHECK-NEXT:    %[[N:.*]] = tessera.cast %arg1 : tensor<3xf32> -> tensor<3xbf16>
// CHECK-NEXT:    %[[W:.*]] = tessera.cast %[[N]]
// CHECK-NEXT:    return %arg0, %[[W]] :
func.func @tessera_cast_of_cast(%x: tensor<3xbf16>, %y: tensor<3xf32>) -> (tensor<3xbf16>, tensor<3xf32>) {
  %0 = tessera.cast %x : tensor<3xbf16> -> tensor<3xf32>
  %1 = tessera.cast %0 : tensor<3xf32> -> tensor<3xbf16>
  %2 = tessera.cast %y : tensor<3xf32> -> tensor<3xbf16>
  %3 = tessera.cast %2 : tensor<3xbf16> -> tensor<3xf32>
  return %1, %3 : tensor<3xbf16>, tensor<3xf32>
}

// CHECK-LABEL: func.func @tessera_reshape_same(
// CHECK-NEXT:    return %arg0 :
func.func @tessera_reshape_same(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = tessera.reshape %x : tensor<?x3xf32> -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// CHECK-LABEL: func.func @tessera_reshape_of_reshape(
// CHECK-NEXT:    %[[R:.*]] = tessera.reshape %arg0 : tensor<2x6xf32> -> tensor<3x4xf32>
// CHECK-NEXT:    return %[[R]], %arg0 :
func.func @tessera_reshape_of_reshape(%x: tensor<2x6xf32>) -> (tensor<3x4xf32>, tensor<2x6xf32>) {
  %0 = tessera.reshape %x : tensor<2x6xf32> -> tensor<12xf32>
  %1 = tessera.reshape %0 : tensor<12xf32> -> tensor<3x4xf32>
  %2 = tessera.reshape %1 : tensor<3x4xf32> -> tensor<2x6xf32>
  return %1, %2 : tensor<3x4xf32>, tensor<2x6xf32>
}

// CHECK-LABEL: func.func @tessera_broadcast_same(
// CHECK-NEXT:    return %arg0 :
func.func @tessera_broadcast_same(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tessera.broadcast %x : tensor<2x3xf32> -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @tessera_broadcast_of_broadcast(
// CHECK-NEXT:    %[[B:.*]] = tessera.broadcast %arg0 : tensor<1xf32> -> tensor<2x3xf32>
// CHECK-NEXT:    return %[[B]] :
func.func @tessera_broadcast_of_broadcast(%x: tensor<1xf32>) -> tensor<2x3xf32> {
  %0 = tessera.broadcast %x : tensor<1xf32> -> tensor<3xf32>
  %1 = tessera.broadcast %0 : tensor<3xf32> -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// The second sum has its shape from the broadcast alone.
// CHECK-LABEL: func.func @tessera_operand_of_broadcast(
// CHECK-NEXT:    %[[B:.*]] = tessera.broadcast %arg0
// CHECK-NEXT:    %[[A:.*]] = tessera.add %arg0, %arg1 : tensor<3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK-NEXT:    %[[C:.*]] = tessera.mul %[[B]], %arg0
// CHECK-NEXT:    %[[D:.*]] = tessera.sub %arg1, %arg0 : tensor<2x3xf32>, tensor<3xf32> -> tensor<2x3xf32>
// CHECK-NEXT:    return %[[A]], %[[C]], %[[D]] :
func.func @tessera_operand_of_broadcast(%x: tensor<3xf32>, %y: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = tessera.broadcast %x : tensor<3xf32> -> tensor<2x3xf32>
  %1 = tessera.add %0, %y : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  %2 = tessera.mul %0, %x : tensor<2x3xf32>, tensor<3xf32> -> tensor<2x3xf32>
  %3 = tessera.reshape %x : tensor<3xf32> -> tensor<1x3xf32>
  %4 = tessera.sub %y, %3 : tensor<2x3xf32>, tensor<1x3xf32> -> tensor<2x3xf32>
  return %1, %2, %4 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @tessera_transpose_nothing(
// CHECK-NEXT:    return %arg0 :
func.func @tessera_transpose_nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tessera.transpose %x, dims = [0, 1] : tensor<2x3xf32> -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @tessera_transpose_of_transpose(
// CHECK-NEXT:    %[[T:.*]] = tessera.transpose %arg1, dims = [2, 0, 1] : tensor<2x3x4xf32> -> tensor<4x2x3xf32>
// CHECK-NEXT:    return %arg0, %[[T]] :
func.func @tessera_transpose_of_transpose(%x: tensor<2x3xf32>, %y: tensor<2x3x4xf32>) -> (tensor<2x3xf32>, tensor<4x2x3xf32>) {
  %0 = tessera.transpose %x : tensor<2x3xf32> -> tensor<3x2xf32>
  %1 = tessera.transpose %0, dims = [1, 0] : tensor<3x2xf32> -> tensor<2x3xf32>
  %2 = tessera.transpose %y : tensor<2x3x4xf32> -> tensor<2x4x3xf32>
  %3 = tessera.transpose %2, dims = [1, 0, 2] : tensor<2x4x3xf32> -> tensor<4x2x3xf32>
  return %1, %3 : tensor<2x3xf32>, tensor<4x2x3xf32>
}

// CHECK-LABEL: func.func @tessera_transpose_is_reshape(
// CHECK-NEXT:    %[[R:.*]] = tessera.reshape %arg0 : tensor<2x1x3xf32> -> tensor<1x2x3xf32>
// CHECK-NEXT:    return %[[R]] :
func.func @tessera_transpose_is_reshape(%x: tensor<2x1x3xf32>) -> tensor<1x2x3xf32> {
  %0 = tessera.transpose %x, dims = [1, 0, 2] : tensor<2x1x3xf32> -> tensor<1x2x3xf32>
  return %0 : tensor<1x2x3xf32>
}

// It toggles; other attributes stay; a transpose of other dimensions stays.
// CHECK-LABEL: func.func @tessera_matmul_of_transpose(
// CHECK-NEXT:    %[[A:.*]] = tessera.matmul %arg0, %arg1 {rhs_transpose = true} : tensor<2x3xf32>, tensor<4x3xf32> -> tensor<2x4xf32>
// CHECK-NEXT:    %[[B:.*]] = tessera.matmul %arg0, %arg2 {my.mark} : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
// CHECK-NEXT:    %[[T:.*]] = tessera.transpose %arg3, dims = [1, 0, 2]
// CHECK-NEXT:    %[[C:.*]] = tessera.matmul %arg0, %[[T]]
// CHECK-NEXT:    return %[[A]], %[[B]], %[[C]] :
func.func @tessera_matmul_of_transpose(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>, %z: tensor<3x4xf32>, %w: tensor<3x5x4xf32>)
    -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<5x2x4xf32>) {
  %0 = tessera.transpose %y : tensor<4x3xf32> -> tensor<3x4xf32>
  %1 = tessera.matmul %x, %0 : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  %2 = tessera.transpose %z, dims = [1, 0] : tensor<3x4xf32> -> tensor<4x3xf32>
  %3 = tessera.matmul %x, %2 {rhs_transpose = true, my.mark} : tensor<2x3xf32>, tensor<4x3xf32> -> tensor<2x4xf32>
  %4 = tessera.transpose %w, dims = [1, 0, 2] : tensor<3x5x4xf32> -> tensor<5x3x4xf32>
  %5 = tessera.matmul %x, %4 : tensor<2x3xf32>, tensor<5x3x4xf32> -> tensor<5x2x4xf32>
  return %1, %3, %5 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<5x2x4xf32>
}

// CHECK-LABEL: func.func @tessera_matmul_of_broadcast(
// CHECK-NEXT:    %[[A:.*]] = tessera.matmul %arg0, %arg1 : tensor<5x2x3xf32>, tensor<3x4xf32> -> tensor<5x2x4xf32>
// CHECK-NEXT:    return %[[A]] :
func.func @tessera_matmul_of_broadcast(%x: tensor<5x2x3xf32>, %y: tensor<3x4xf32>) -> tensor<5x2x4xf32> {
  %0 = tessera.broadcast %y : tensor<3x4xf32> -> tensor<5x3x4xf32>
  %1 = tessera.matmul %x, %0 : tensor<5x2x3xf32>, tensor<5x3x4xf32> -> tensor<5x2x4xf32>
  return %1 : tensor<5x2x4xf32>
}

// A sum of one float starts with 0, which -0 is not.
// CHECK-LABEL: func.func @tessera_reduce_nothing(
// CHECK-NEXT:    %[[R:.*]] = tessera.reshape %arg0 : tensor<2x1xf32> -> tensor<2xf32>
// CHECK-NEXT:    %[[S:.*]] = tessera.reduce "sum" %arg0, dims = [1]
// CHECK-NEXT:    return %arg0, %[[R]], %[[S]] :
func.func @tessera_reduce_nothing(%x: tensor<2x1xf32>) -> (tensor<2x1xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = tessera.reduce "sum" %x, dims = [] : tensor<2x1xf32> -> tensor<2x1xf32>
  %1 = tessera.reduce "max" %x, dims = [-1] : tensor<2x1xf32> -> tensor<2xf32>
  %2 = tessera.reduce "sum" %x, dims = [1] : tensor<2x1xf32> -> tensor<2xf32>
  return %0, %1, %2 : tensor<2x1xf32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @tessera_reduce_of_reduce(
// CHECK-NEXT:    %[[A:.*]] = tessera.reduce "max" %arg0, dims = [1, 2] : tensor<2x3x4xf32> -> tensor<2xf32>
// CHECK-NEXT:    %[[B:.*]] = tessera.reduce "sum" %arg1, dims = [0, 2] {keep_dims = true} : tensor<2x3x4xi32> -> tensor<1x3x1xi32>
// CHECK-NEXT:    return %[[A]], %[[B]] :
func.func @tessera_reduce_of_reduce(%x: tensor<2x3x4xf32>, %n: tensor<2x3x4xi32>) -> (tensor<2xf32>, tensor<1x3x1xi32>) {
  %0 = tessera.reduce "max" %x, dims = [1] : tensor<2x3x4xf32> -> tensor<2x4xf32>
  %1 = tessera.reduce "max" %0, dims = [-1] : tensor<2x4xf32> -> tensor<2xf32>
  %2 = tessera.reduce "sum" %n, dims = [0] {keep_dims = true} : tensor<2x3x4xi32> -> tensor<1x3x4xi32>
  %3 = tessera.reduce "sum" %2, dims = [2] {keep_dims = true} : tensor<1x3x4xi32> -> tensor<1x3x1xi32>
  return %1, %3 : tensor<2xf32>, tensor<1x3x1xi32>
}

tessera.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func.func @tessera_laid_out_again(
// CHECK-NEXT:    %[[S:.*]] = tessera.shard %arg0 <@mesh, [{"x"}]>
// CHECK-NEXT:    %[[R:.*]] = tessera.replicate %[[S]] on @mesh
// CHECK-NEXT:    return %[[R]] :
func.func @tessera_laid_out_again(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tessera.shard %x <@mesh, [{"x"}]> : tensor<4xf32> -> tensor<4xf32>
  %1 = tessera.shard %0 <@mesh, [{"x"}]> : tensor<4xf32> -> tensor<4xf32>
  %2 = tessera.replicate %1 on @mesh : tensor<4xf32> -> tensor<4xf32>
  %3 = tessera.replicate %2 on @mesh : tensor<4xf32> -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// Layers, too; integers divided by zero stay, as do constants that would be too large.
// CHECK-LABEL: func.func @tessera_fold(
// CHECK-DAG:     %[[A:.*]] = tessera.constant dense<{{\[\[}}1.000000e+00, 3.000000e+00]]> : tensor<1x2xf32>
// CHECK-DAG:     %[[B:.*]] = tessera.constant dense<5.000000e-01> : tensor<1x2xf32>
// CHECK-DAG:     %[[C:.*]] = tessera.constant dense<3.500000e+00> : tensor<200x200xf32>
// CHECK-DAG:     %[[D:.*]] = tessera.div
// CHECK-DAG:     %[[E:.*]] = tessera.constant dense<3.000000e+00> : tensor<1xf32>
// CHECK:         return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]] :
func.func @tessera_fold() -> (tensor<1x2xf32>, tensor<1x2xf32>, tensor<200x200xf32>, tensor<2xi32>, tensor<1xf32>) {
  %a = tessera.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %b = tessera.constant dense<[[1.0, 0.0], [1.0, 1.0]]> : tensor<2x2xf32>
  %0 = tessera.matmul %a, %b {rhs_transpose = true} : tensor<1x2xf32>, tensor<2x2xf32> -> tensor<1x2xf32>
  %c = tessera.constant dense<7.0> : tensor<1x2xf32>
  %1 = tessera.softmax %c : tensor<1x2xf32> -> tensor<1x2xf32>
  %d = tessera.constant dense<3.0> : tensor<200x200xf32>
  %e = tessera.constant dense<0.5> : tensor<bf16>
  %2 = tessera.add %d, %e : tensor<200x200xf32>, tensor<bf16> -> tensor<200x200xf32>
  %n = tessera.constant dense<[1, 2]> : tensor<2xi32>
  %z = tessera.constant dense<[0, 1]> : tensor<2xi32>
  %3 = tessera.div %n, %z : tensor<2xi32>, tensor<2xi32> -> tensor<2xi32>
  %4 = tessera.reduce "sum" %a, dims = [1] : tensor<1x2xf32> -> tensor<1xf32>
  return %0, %1, %2, %3, %4 : tensor<1x2xf32>, tensor<1x2xf32>, tensor<200x200xf32>, tensor<2xi32>, tensor<1xf32>
}

// CHECK-LABEL: func.func @tessera_fold_splat(
// CHECK-NEXT:    %[[C:.*]] = tessera.constant dense<2.000000e+00> : tensor<100x300xf32>
// CHECK-NEXT:    return %[[C]] :
func.func @tessera_fold_splat() -> tensor<100x300xf32> {
  %c = tessera.constant dense<2.0> : tensor<300x100xf32>
  %0 = tessera.transpose %c : tensor<300x100xf32> -> tensor<100x300xf32>
  return %0 : tensor<100x300xf32>
}
