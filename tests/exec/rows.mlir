// Scatters of rows of a table, with enough updates that threads divide the rows: the same bits with any number of threads, in each class.
// RUN: tessera run %s --function=sums --input=random --threads=1 --check --rtol=0 --atol=0
// RUN: tessera run %s --function=sums --input=random --threads=1 --output=%t-sums.npz
// RUN: tessera run %s --function=sums --input=random --threads=2 --expect=%t-sums.npz --rtol=0 --atol=0
// RUN: tessera run %s --function=sums --input=random --threads=11 --expect=%t-sums.npz --rtol=0 --atol=0
// RUN: env TESSERA_ISA=baseline tessera run %s --function=sums --input=random --threads=3 --expect=%t-sums.npz --rtol=0 --atol=0
// RUN: env TESSERA_ISA=avx2 tessera run %s --function=sums --input=random --threads=3 --expect=%t-sums.npz --rtol=0 --atol=0
// RUN: tessera run %s --function=others --input=random --threads=1 --check --rtol=0 --atol=0
// RUN: tessera run %s --function=others --input=random --threads=1 --output=%t-others.npz
// RUN: tessera run %s --function=others --input=random --threads=2 --expect=%t-others.npz --rtol=0 --atol=0
// RUN: tessera run %s --function=others --input=random --threads=11 --expect=%t-others.npz --rtol=0 --atol=0
// RUN: env TESSERA_ISA=baseline tessera run %s --function=others --input=random --threads=3 --expect=%t-others.npz --rtol=0 --atol=0
// RUN: env TESSERA_ISA=avx2 tessera run %s --function=others --input=random --threads=3 --expect=%t-others.npz --rtol=0 --atol=0
// RUN: tessera run %s --function=forms --input=random --threads=1 --check --rtol=0 --atol=0
// RUN: tessera run %s --function=forms --input=random --threads=1 --output=%t-forms.npz
// RUN: tessera run %s --function=forms --input=random --threads=2 --expect=%t-forms.npz --rtol=0 --atol=0
// RUN: tessera run %s --function=forms --input=random --threads=11 --expect=%t-forms.npz --rtol=0 --atol=0
// RUN: env TESSERA_ISA=baseline tessera run %s --function=forms --input=random --threads=3 --expect=%t-forms.npz --rtol=0 --atol=0
// RUN: env TESSERA_ISA=avx2 tessera run %s --function=forms --input=random --threads=3 --expect=%t-forms.npz --rtol=0 --atol=0
// Some indices are outside, on both sides; columns with and without a rest; more columns than a chunk has.
func.func @sums(%x: tensor<37x33xf32>, %u: tensor<2100x33xf32>, %y: tensor<37x64xf64>, %v: tensor<1031x64xf64>, %z: tensor<300x130xi32>, %w: tensor<1031x130xi32>) -> (tensor<37x33xf32>, tensor<37x64xf64>, tensor<300x130xi32>) {
  %in = stablehlo.iota dim = 0 : tensor<2100xi32>
  %ic = stablehlo.constant dense<29> : tensor<2100xi32>
  %id = stablehlo.constant dense<43> : tensor<2100xi32>
  %il = stablehlo.constant dense<3> : tensor<2100xi32>
  %is = stablehlo.multiply %in, %in : tensor<2100xi32>
  %im = stablehlo.multiply %is, %ic : tensor<2100xi32>
  %ir = stablehlo.remainder %im, %id : tensor<2100xi32>
  %i = stablehlo.subtract %ir, %il : tensor<2100xi32>
  %jn = stablehlo.iota dim = 0 : tensor<1031xi64>
  %jc = stablehlo.constant dense<31> : tensor<1031xi64>
  %jd = stablehlo.constant dense<41> : tensor<1031xi64>
  %jl = stablehlo.constant dense<2> : tensor<1031xi64>
  %js = stablehlo.multiply %jn, %jn : tensor<1031xi64>
  %jm = stablehlo.multiply %js, %jc : tensor<1031xi64>
  %jr = stablehlo.remainder %jm, %jd : tensor<1031xi64>
  %j = stablehlo.subtract %jr, %jl : tensor<1031xi64>
  %kn = stablehlo.iota dim = 0 : tensor<1031xi16>
  %kc = stablehlo.constant dense<1> : tensor<1031xi16>
  %kd = stablehlo.constant dense<311> : tensor<1031xi16>
  %kl = stablehlo.constant dense<5> : tensor<1031xi16>
  %ks = stablehlo.multiply %kn, %kn : tensor<1031xi16>
  %km = stablehlo.multiply %ks, %kc : tensor<1031xi16>
  %kr = stablehlo.remainder %km, %kd : tensor<1031xi16>
  %k = stablehlo.subtract %kr, %kl : tensor<1031xi16>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<37x33xf32>, tensor<2100xi32>, tensor<2100x33xf32>) -> tensor<37x33xf32>
  %1 = "stablehlo.scatter"(%y, %j, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<f64>, %q: tensor<f64>):
    %r = stablehlo.add %p, %q : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) : (tensor<37x64xf64>, tensor<1031xi64>, tensor<1031x64xf64>) -> tensor<37x64xf64>
  %2 = "stablehlo.scatter"(%z, %k, %w) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %r = stablehlo.add %p, %q : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<300x130xi32>, tensor<1031xi16>, tensor<1031x130xi32>) -> tensor<300x130xi32>
  return %0, %1, %2 : tensor<37x33xf32>, tensor<37x64xf64>, tensor<300x130xi32>
}
// Updates that replace elements, that a body joins, and of narrow numbers; indices far outside, all outside, and all of one row.
func.func @others(%x: tensor<37x33xf32>, %u: tensor<2100x33xf32>, %y: tensor<5x65xbf16>, %v: tensor<2100x65xbf16>, %t: tensor<9x150xi8>, %w: tensor<2100x150xi8>) -> (tensor<37x33xf32>, tensor<5x65xbf16>, tensor<9x150xi8>, tensor<37x33xf32>, tensor<37x33xf32>) {
  %in = stablehlo.iota dim = 0 : tensor<2100xi64>
  %ic = stablehlo.constant dense<4294967296> : tensor<2100xi64>
  %id = stablehlo.constant dense<1099511627776> : tensor<2100xi64>
  %il = stablehlo.constant dense<4> : tensor<2100xi64>
  %is = stablehlo.multiply %in, %in : tensor<2100xi64>
  %im = stablehlo.multiply %is, %ic : tensor<2100xi64>
  %ir = stablehlo.remainder %im, %id : tensor<2100xi64>
  %i = stablehlo.subtract %ir, %il : tensor<2100xi64>
  %jn = stablehlo.iota dim = 0 : tensor<2100xui64>
  %jc = stablehlo.constant dense<1> : tensor<2100xui64>
  %jd = stablehlo.constant dense<7> : tensor<2100xui64>
  %jl = stablehlo.constant dense<1> : tensor<2100xui64>
  %js = stablehlo.multiply %jn, %jn : tensor<2100xui64>
  %jm = stablehlo.multiply %js, %jc : tensor<2100xui64>
  %jr = stablehlo.remainder %jm, %jd : tensor<2100xui64>
  %j = stablehlo.subtract %jr, %jl : tensor<2100xui64>
  %kn = stablehlo.iota dim = 0 : tensor<2100xi32>
  %kc = stablehlo.constant dense<1> : tensor<2100xi32>
  %kd = stablehlo.constant dense<11> : tensor<2100xi32>
  %kl = stablehlo.constant dense<1> : tensor<2100xi32>
  %ks = stablehlo.multiply %kn, %kn : tensor<2100xi32>
  %km = stablehlo.multiply %ks, %kc : tensor<2100xi32>
  %kr = stablehlo.remainder %km, %kd : tensor<2100xi32>
  %k = stablehlo.subtract %kr, %kl : tensor<2100xi32>
  %far = stablehlo.constant dense<37> : tensor<2100xi32>
  %one = stablehlo.constant dense<36> : tensor<2100xi32>
  %0 = "stablehlo.scatter"(%x, %k, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.maximum %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<37x33xf32>, tensor<2100xi32>, tensor<2100x33xf32>) -> tensor<37x33xf32>
  %1 = "stablehlo.scatter"(%y, %j, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
    %r = stablehlo.add %p, %q : tensor<bf16>
    stablehlo.return %r : tensor<bf16>
  }) : (tensor<5x65xbf16>, tensor<2100xui64>, tensor<2100x65xbf16>) -> tensor<5x65xbf16>
  %2 = "stablehlo.scatter"(%t, %k, %w) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<i8>, %q: tensor<i8>):
    stablehlo.return %q : tensor<i8>
  }) : (tensor<9x150xi8>, tensor<2100xi32>, tensor<2100x150xi8>) -> tensor<9x150xi8>
  %3 = "stablehlo.scatter"(%x, %far, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<37x33xf32>, tensor<2100xi32>, tensor<2100x33xf32>) -> tensor<37x33xf32>
  %5 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<37x33xf32>, tensor<2100xi64>, tensor<2100x33xf32>) -> tensor<37x33xf32>
  %4 = "stablehlo.scatter"(%5, %one, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.subtract %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<37x33xf32>, tensor<2100xi32>, tensor<2100x33xf32>) -> tensor<37x33xf32>
  return %0, %1, %2, %3, %4 : tensor<37x33xf32>, tensor<5x65xbf16>, tensor<9x150xi8>, tensor<37x33xf32>, tensor<37x33xf32>
}
// Rows of the first of two tables; rows shorter than those of the table; windows of two rows, which may be partly outside.
func.func @forms(%x: tensor<2x37x33xf32>, %u: tensor<2100x33xf32>, %y: tensor<37x50xf32>) -> (tensor<2x37x33xf32>, tensor<37x50xf32>, tensor<37x33xf32>) {
  %in = stablehlo.iota dim = 0 : tensor<2100xi32>
  %ic = stablehlo.constant dense<29> : tensor<2100xi32>
  %id = stablehlo.constant dense<43> : tensor<2100xi32>
  %il = stablehlo.constant dense<3> : tensor<2100xi32>
  %is = stablehlo.multiply %in, %in : tensor<2100xi32>
  %im = stablehlo.multiply %is, %ic : tensor<2100xi32>
  %ir = stablehlo.remainder %im, %id : tensor<2100xi32>
  %i = stablehlo.subtract %ir, %il : tensor<2100xi32>
  %b = stablehlo.slice %x [1:2, 0:37, 0:33] : (tensor<2x37x33xf32>) -> tensor<1x37x33xf32>
  %z = stablehlo.reshape %b : (tensor<1x37x33xf32>) -> tensor<37x33xf32>
  %t = stablehlo.concatenate %u, %u, dim = 0 : (tensor<2100x33xf32>, tensor<2100x33xf32>) -> tensor<4200x33xf32>
  %w = stablehlo.reshape %t : (tensor<4200x33xf32>) -> tensor<2100x2x33xf32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1],
      scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<2x37x33xf32>, tensor<2100xi32>, tensor<2100x33xf32>) -> tensor<2x37x33xf32>
  %1 = "stablehlo.scatter"(%y, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<37x50xf32>, tensor<2100xi32>, tensor<2100x33xf32>) -> tensor<37x50xf32>
  %2 = "stablehlo.scatter"(%z, %i, %w) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<37x33xf32>, tensor<2100xi32>, tensor<2100x2x33xf32>) -> tensor<37x33xf32>
  return %0, %1, %2 : tensor<2x37x33xf32>, tensor<37x50xf32>, tensor<37x33xf32>
}
