// Two stacks of eight layers: those of the second one read what the first one gives as well.
func.func @main(%x: tensor<64x32xf32>, %y: tensor<64x32xf32>, %a0: tensor<32x32xf32>, %a1: tensor<32x32xf32>, %a2: tensor<32x32xf32>, %a3: tensor<32x32xf32>, %a4: tensor<32x32xf32>, %a5: tensor<32x32xf32>, %a6: tensor<32x32xf32>, %a7: tensor<32x32xf32>, %b0: tensor<32x32xf32>, %b1: tensor<32x32xf32>, %b2: tensor<32x32xf32>, %b3: tensor<32x32xf32>, %b4: tensor<32x32xf32>, %b5: tensor<32x32xf32>, %b6: tensor<32x32xf32>, %b7: tensor<32x32xf32>, %c0: tensor<32x32xf32>, %c1: tensor<32x32xf32>, %c2: tensor<32x32xf32>, %c3: tensor<32x32xf32>, %c4: tensor<32x32xf32>, %c5: tensor<32x32xf32>, %c6: tensor<32x32xf32>, %c7: tensor<32x32xf32>) -> tensor<64x32xf32> {
  %p0 = stablehlo.dot_general %x, %a0, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %q0 = stablehlo.tanh %p0 : tensor<64x32xf32>
  %h0 = stablehlo.add %x, %q0 : tensor<64x32xf32>
  %i0 = stablehlo.cosine %h0 : tensor<64x32xf32>
  %p1 = stablehlo.dot_general %i0, %a1, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %q1 = stablehlo.tanh %p1 : tensor<64x32xf32>
  %h1 = stablehlo.add %i0, %q1 : tensor<64x32xf32>
  %i1 = stablehlo.cosine %h1 : tensor<64x32xf32>
  %p2 = stablehlo.dot_general %i1, %a2, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %q2 = stablehlo.tanh %p2 : tensor<64x32xf32>
  %h2 = stablehlo.add %i1, %q2 : tensor<64x32xf32>
  %i2 = stablehlo.cosine %h2 : tensor<64x32xf32>
  %p3 = stablehlo.dot_general %i2, %a3, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %q3 = stablehlo.tanh %p3 : tensor<64x32xf32>
  %h3 = stablehlo.add %i2, %q3 : tensor<64x32xf32>
  %i3 = stablehlo.cosine %h3 : tensor<64x32xf32>
  %p4 = stablehlo.dot_general %i3, %a4, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %q4 = stablehlo.tanh %p4 : tensor<64x32xf32>
  %h4 = stablehlo.add %i3, %q4 : tensor<64x32xf32>
  %i4 = stablehlo.cosine %h4 : tensor<64x32xf32>
  %p5 = stablehlo.dot_general %i4, %a5, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %q5 = stablehlo.tanh %p5 : tensor<64x32xf32>
  %h5 = stablehlo.add %i4, %q5 : tensor<64x32xf32>
  %i5 = stablehlo.cosine %h5 : tensor<64x32xf32>
  %p6 = stablehlo.dot_general %i5, %a6, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %q6 = stablehlo.tanh %p6 : tensor<64x32xf32>
  %h6 = stablehlo.add %i5, %q6 : tensor<64x32xf32>
  %i6 = stablehlo.cosine %h6 : tensor<64x32xf32>
  %p7 = stablehlo.dot_general %i6, %a7, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %q7 = stablehlo.tanh %p7 : tensor<64x32xf32>
  %h7 = stablehlo.add %i6, %q7 : tensor<64x32xf32>
  %i7 = stablehlo.cosine %h7 : tensor<64x32xf32>
  %r0 = stablehlo.dot_general %y, %b0, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %s0 = stablehlo.logistic %r0 : tensor<64x32xf32>
  %t0 = stablehlo.dot_general %i7, %c0, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %u0 = stablehlo.maximum %s0, %t0 : tensor<64x32xf32>
  %v0 = stablehlo.minimum %y, %u0 : tensor<64x32xf32>
  %r1 = stablehlo.dot_general %v0, %b1, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %s1 = stablehlo.logistic %r1 : tensor<64x32xf32>
  %t1 = stablehlo.dot_general %i7, %c1, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %u1 = stablehlo.maximum %s1, %t1 : tensor<64x32xf32>
  %v1 = stablehlo.minimum %v0, %u1 : tensor<64x32xf32>
  %r2 = stablehlo.dot_general %v1, %b2, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %s2 = stablehlo.logistic %r2 : tensor<64x32xf32>
  %t2 = stablehlo.dot_general %i7, %c2, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %u2 = stablehlo.maximum %s2, %t2 : tensor<64x32xf32>
  %v2 = stablehlo.minimum %v1, %u2 : tensor<64x32xf32>
  %r3 = stablehlo.dot_general %v2, %b3, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %s3 = stablehlo.logistic %r3 : tensor<64x32xf32>
  %t3 = stablehlo.dot_general %i7, %c3, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %u3 = stablehlo.maximum %s3, %t3 : tensor<64x32xf32>
  %v3 = stablehlo.minimum %v2, %u3 : tensor<64x32xf32>
  %r4 = stablehlo.dot_general %v3, %b4, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %s4 = stablehlo.logistic %r4 : tensor<64x32xf32>
  %t4 = stablehlo.dot_general %i7, %c4, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %u4 = stablehlo.maximum %s4, %t4 : tensor<64x32xf32>
  %v4 = stablehlo.minimum %v3, %u4 : tensor<64x32xf32>
  %r5 = stablehlo.dot_general %v4, %b5, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %s5 = stablehlo.logistic %r5 : tensor<64x32xf32>
  %t5 = stablehlo.dot_general %i7, %c5, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %u5 = stablehlo.maximum %s5, %t5 : tensor<64x32xf32>
  %v5 = stablehlo.minimum %v4, %u5 : tensor<64x32xf32>
  %r6 = stablehlo.dot_general %v5, %b6, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %s6 = stablehlo.logistic %r6 : tensor<64x32xf32>
  %t6 = stablehlo.dot_general %i7, %c6, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %u6 = stablehlo.maximum %s6, %t6 : tensor<64x32xf32>
  %v6 = stablehlo.minimum %v5, %u6 : tensor<64x32xf32>
  %r7 = stablehlo.dot_general %v6, %b7, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %s7 = stablehlo.logistic %r7 : tensor<64x32xf32>
  %t7 = stablehlo.dot_general %i7, %c7, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %u7 = stablehlo.maximum %s7, %t7 : tensor<64x32xf32>
  %v7 = stablehlo.minimum %v6, %u7 : tensor<64x32xf32>
  return %v7 : tensor<64x32xf32>
}
