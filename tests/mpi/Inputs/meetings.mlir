// A random program whose small collectives are last left by the thread of communication: loops that wait for sums, on eight devices in another order.
module {
  sdy.mesh @mesh = <["a"=1, "b"=4, "c"=2], device_ids=[0, 6, 5, 7, 1, 2, 3, 4]>
  func.func @main(%v0: tensor<3x8xi1> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"c"}]>}, %v7: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, [], unreduced=max{"a", "c"}>}, %v21: tensor<8x13xi8> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"a", "b":(1)2, "c"}>}, %v24: tensor<16x3xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"c"}, {}]>}, %v25: tensor<5xui32>, %v32: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, [], unreduced=min{"a", "b":(1)2}>}, %v36: tensor<bf16> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<16x3xbf16>, tensor<16x5x3xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"b"}]>}, tensor<2x5xi8>, tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %v1 = "stablehlo.reshape"(%v0) : (tensor<3x8xi1>) -> (tensor<24xi1>)
    %v2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>]>} : () -> (tensor<i32>)
    %v17, %v18, %v19, %v20 = "stablehlo.while"(%v2, %v2, %v2, %v2) ({
    ^bb0(%v3: tensor<i32>, %v4: tensor<i32>, %v5: tensor<i32>, %v6: tensor<i32>):
      %v8 = "stablehlo.compare"(%v3, %v7) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%v8) : (tensor<i1>) -> ()
    }, {
    ^bb0(%v9: tensor<i32>, %v10: tensor<i32>, %v11: tensor<i32>, %v12: tensor<i32>):
      %v13 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>]>} : () -> (tensor<i32>)
      %v14 = "stablehlo.add"(%v9, %v13) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], unreduced=min{"c"}>]>} : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      %v15 = "stablehlo.add"(%v7, %v13) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      %v16 = "stablehlo.add"(%v2, %v2) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>]>} : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%v14, %v15, %v16, %v16) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, []>, <@mesh, []>, <@mesh, [], unreduced=min{"a", "b":(2)2}>]>} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
    %v22 = "stablehlo.constant"() <{value = dense<0> : tensor<i8>}> : () -> (tensor<i8>)
    %v23 = "stablehlo.reduce_window"(%v21, %v22) <{window_dimensions = array<i64: 4, 1>, window_strides = array<i64: 3, 3>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[-1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
      ^bb0(%x: tensor<i8>, %y: tensor<i8>):
        %r = stablehlo.maximum %x, %y : tensor<i8>
        stablehlo.return %r : tensor<i8>
}) : (tensor<8x13xi8>, tensor<i8>) -> (tensor<2x5xi8>)
    %v26 = "stablehlo.gather"(%v24, %v25) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 16, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}, {"b":(2)2}]>]>} : (tensor<16x3xbf16>, tensor<5xui32>) -> (tensor<16x5x3xbf16>)
    %v27 = "stablehlo.transpose"(%v24) <{permutation = array<i64: 0, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<16x3xbf16>) -> (tensor<16x3xbf16>)
    %v28 = "stablehlo.subtract"(%v20, %v20) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>]>} : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %v29 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>]>} : () -> (tensor<i32>)
    %v43, %v44 = "stablehlo.while"(%v29, %v29) ({
    ^bb0(%v30: tensor<i32>, %v31: tensor<i32>):
      %v33 = "stablehlo.compare"(%v30, %v32) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%v33) : (tensor<i1>) -> ()
    }, {
    ^bb0(%v34: tensor<i32>, %v35: tensor<i32>):
      %v37 = "stablehlo.pad"(%v27, %v36) <{edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 1, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", "b":(1)2}, {"b":(2)2}]>]>} : (tensor<16x3xbf16>, tensor<bf16>) -> (tensor<31x5xbf16>)
      %v38 = "stablehlo.constant"() <{value = dense<[31, 5]> : tensor<2xi64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"c", "a"}]>]>} : () -> (tensor<2xi64>)
      %v39 = "stablehlo.dynamic_reshape"(%v37, %v38) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", "b"}, {}]>]>} : (tensor<31x5xbf16>, tensor<2xi64>) -> (tensor<31x5xbf16>)
      %v40 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %v41 = "stablehlo.add"(%v34, %v40) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], unreduced=max{"a", "c"}>]>} : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      %v42 = "stablehlo.add"(%v7, %v29) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], unreduced=min{"a", "c"}>]>} : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%v41, %v42) : (tensor<i32>, tensor<i32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, []>]>} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %v45 = "stablehlo.clamp"(%v44, %v18, %v43) : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>)
    "func.return"(%v45, %v44, %v29, %v28, %v27, %v26, %v23, %v17) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<16x3xbf16>, tensor<16x5x3xbf16>, tensor<2x5xi8>, tensor<i32>) -> ()
  }
}
