// Collectives of TTIR on a mesh of 2x4 virtual devices. Arguments and results are whole; every device runs the function.
// Device (r, c) has row r and columns 2c, 2c+1 of a 2x8 argument that is divided along both axes.

// RUN: tessera run %s --function=both_axes --input=2x8xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --expect=2x8xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
// RUN: tessera run %s --function=one_dim --input=16xf32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --expect=16xf32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
// RUN: tessera run %s --function=columns --input=2x8xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --expect=2x2xi32=0,1,8,9
// RUN: tessera run %s --function=replicate --input=2xf32=1,2 --expect=2xf32=1,2
// RUN: tessera run %s --function=identity --input=2xf32=1,2 --expect=2xf32=1,2
// RUN: tessera run %s --function=sum_0 --input=2x8xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --expect=2x8xi32=8,10,12,14,16,18,20,22,8,10,12,14,16,18,20,22
// RUN: tessera run %s --function=sum_1 --input=2x8xf32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --expect=2x2xf32=12,16,44,48
// RUN: tessera run %s --function=mean_1 --input=2x8xf32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --expect=2x2xf32=3,4,11,12
// RUN: tessera run %s --function=max_1 --input=2x8xf32=9,1,2,3,4,5,6,7,8,9,10,11,-12,13,-14,15 --expect=2x2xf32=9,7,10,15
// RUN: tessera run %s --function=min_1 --input=2x8xf32=9,1,2,3,4,5,6,7,8,9,10,11,-12,13,-14,15 --expect=2x2xf32=2,1,-14,9
// RUN: tessera run %s --function=prod_1 --input=2x8xf32=1,2,3,4,5,6,7,8,1,1,2,2,3,3,4,4 --expect=2x2xf32=105,384,24,24
// RUN: tessera run %s --function=var_1 --input=2x8xf32=0,1,2,3,4,5,6,7,0,0,0,0,4,8,0,0 --expect=2x2xf32=6.6666667,6.6666667,4,16
// RUN: tessera run %s --function=std_1 --input=2x8xf32=0,1,2,3,4,5,6,7,0,0,0,0,4,8,0,0 --expect=2x2xf32=2.5819889,2.5819889,2,4
// RUN: tessera run %s --function=mean_int --input=2x8xi32=0,1,2,3,4,5,6,8,-1,-1,-2,-2,-3,-3,-4,-5 --expect=2x2xi32=3,4,-2,-2
// RUN: tessera run %s --function=unsigned_max --input=2x8xui8=200,1,2,3,4,5,6,7,8,255,10,11,12,13,14,15 --expect=2x2xui8=200,7,14,255
// RUN: tessera run %s --function=async --input=2x8xf32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --expect=2x2xf32=12,16,44,48
// RUN: tessera run %s --function=large --input=2x8192xi32=3 --expect=1x4096xi32=24
// RUN: tessera run %s --function=scatter --input=2x8xf32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --expect=2x4xf32=8,12,16,20,10,14,18,22
// RUN: tessera run %s --function=scatter_max --input=2x8xf32=0,1,2,3,4,5,6,7,8,-9,10,-11,12,-13,14,-15 --expect=2x4xf32=8,10,12,14,1,3,5,7
// RUN: tessera run %s --function=gather_0 --input=2x8xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --expect=2x8xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
// RUN: tessera run %s --function=gather_last --input=2x8xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --expect=2x8xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
// RUN: tessera run %s --function=partition --input=2x8xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --expect=2x8xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
// RUN: tessera run %s --function=partition_all --input=16xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --expect=16xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
// RUN: tessera run %s --function=exchange --input=8x4xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31 --expect=32x1xi32=0,4,8,12,1,5,9,13,2,6,10,14,3,7,11,15,16,20,24,28,17,21,25,29,18,22,26,30,19,23,27,31
// RUN: tessera run %s --function=permute --input=8xi32=10,11,12,13,14,15,16,17 --expect=8xi32=13,10,11,12,0,14,0,0
// RUN: tessera run %s --function=broadcast --input=8xi32=10,11,12,13,14,15,16,17 --expect=8xi32=12,12,12,15,15,15,0,0
module attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 2x4>]>} {
  func.func @both_axes(%x: tensor<2x8xi32>) -> tensor<2x8xi32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<2x8xi32>) -> tensor<1x2xi32>
    %1 = "ttir.mesh_shard"(%0) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<1x2xi32>) -> tensor<2x8xi32>
    return %1 : tensor<2x8xi32>
  }
  func.func @one_dim(%x: tensor<16xf32>) -> tensor<16xf32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 8>, shard_dims = array<i64: 0, 0>}> : (tensor<16xf32>) -> tensor<2xf32>
    %1 = "ttir.mesh_shard"(%0) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 8>, shard_dims = array<i64: 0, 0>}> : (tensor<2xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
  // Parts along the columns are put together from the first device of each row alone.
  func.func @columns(%x: tensor<2x8xi32>) -> tensor<2x2xi32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<2x8xi32>) -> tensor<1x2xi32>
    %1 = "ttir.mesh_shard"(%0) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 1>, shard_dims = array<i64: 0, -1>}> : (tensor<1x2xi32>) -> tensor<2x2xi32>
    return %1 : tensor<2x2xi32>
  }
  func.func @replicate(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<replicate>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1>, shard_dims = array<i64: -1>}> : (tensor<2xf32>) -> tensor<2xf32>
    %1 = "ttir.mesh_shard"(%0) <{shard_type = #ttcore.shard_type<replicate>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 1>, shard_dims = array<i64: -1>}> : (tensor<2xf32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
  func.func @identity(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<identity>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1>, shard_dims = array<i64: -1>}> : (tensor<2xf32>) -> tensor<2xf32>
    %1 = "ttir.mesh_shard"(%0) <{shard_type = #ttcore.shard_type<identity>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 1>, shard_dims = array<i64: -1>}> : (tensor<2xf32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
  func.func @sum_0(%x: tensor<2x8xi32>) -> tensor<2x8xi32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<2x8xi32>) -> tensor<1x2xi32>
    %1 = "ttir.all_reduce"(%0) <{reduce_type = #ttcore.reduce_type<sum>, cluster_axis = 0 : ui32}> : (tensor<1x2xi32>) -> tensor<1x2xi32>
    %2 = "ttir.mesh_shard"(%1) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<1x2xi32>) -> tensor<2x8xi32>
    return %2 : tensor<2x8xi32>
  }
  func.func @sum_1(%x: tensor<2x8xf32>) -> tensor<2x2xf32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<1x2xf32>
    %1 = "ttir.all_reduce"(%0) <{reduce_type = #ttcore.reduce_type<sum>, cluster_axis = 1 : ui32}> : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %2 = "ttir.mesh_shard"(%1) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 1>, shard_dims = array<i64: 0, -1>}> : (tensor<1x2xf32>) -> tensor<2x2xf32>
    return %2 : tensor<2x2xf32>
  }
  func.func @mean_1(%x: tensor<2x8xf32>) -> tensor<2x2xf32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<1x2xf32>
    %1 = "ttir.all_reduce"(%0) <{reduce_type = #ttcore.reduce_type<mean>, cluster_axis = 1 : ui32}> : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %2 = "ttir.mesh_shard"(%1) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 1>, shard_dims = array<i64: 0, -1>}> : (tensor<1x2xf32>) -> tensor<2x2xf32>
    return %2 : tensor<2x2xf32>
  }
  func.func @max_1(%x: tensor<2x8xf32>) -> tensor<2x2xf32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<1x2xf32>
    %1 = "ttir.all_reduce"(%0) <{reduce_type = #ttcore.reduce_type<max>, cluster_axis = 1 : ui32}> : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %2 = "ttir.mesh_shard"(%1) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 1>, shard_dims = array<i64: 0, -1>}> : (tensor<1x2xf32>) -> tensor<2x2xf32>
    return %2 : tensor<2x2xf32>
  }
  func.func @min_1(%x: tensor<2x8xf32>) -> tensor<2x2xf32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<1x2xf32>
    %1 = "ttir.all_reduce"(%0) <{reduce_type = #ttcore.reduce_type<min>, cluster_axis = 1 : ui32}> : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %2 = "ttir.mesh_shard"(%1) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 1>, shard_dims = array<i64: 0, -1>}> : (tensor<1x2xf32>) -> tensor<2x2xf32>
    return %2 : tensor<2x2xf32>
  }
  func.func @prod_1(%x: tensor<2x8xf32>) -> tensor<2x2xf32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<1x2xf32>
    %1 = "ttir.all_reduce"(%0) <{reduce_type = #ttcore.reduce_type<prod>, cluster_axis = 1 : ui32}> : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %2 = "ttir.mesh_shard"(%1) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 1>, shard_dims = array<i64: 0, -1>}> : (tensor<1x2xf32>) -> tensor<2x2xf32>
    return %2 : tensor<2x2xf32>
  }
  func.func @var_1(%x: tensor<2x8xf32>) -> tensor<2x2xf32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<1x2xf32>
    %1 = "ttir.all_reduce"(%0) <{reduce_type = #ttcore.reduce_type<var>, cluster_axis = 1 : ui32}> : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %2 = "ttir.mesh_shard"(%1) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 1>, shard_dims = array<i64: 0, -1>}> : (tensor<1x2xf32>) -> tensor<2x2xf32>
    return %2 : tensor<2x2xf32>
  }
  func.func @std_1(%x: tensor<2x8xf32>) -> tensor<2x2xf32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<1x2xf32>
    %1 = "ttir.all_reduce"(%0) <{reduce_type = #ttcore.reduce_type<std>, cluster_axis = 1 : ui32}> : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %2 = "ttir.mesh_shard"(%1) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 1>, shard_dims = array<i64: 0, -1>}> : (tensor<1x2xf32>) -> tensor<2x2xf32>
    return %2 : tensor<2x2xf32>
  }
  func.func @mean_int(%x: tensor<2x8xi32>) -> tensor<2x2xi32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<2x8xi32>) -> tensor<1x2xi32>
    %1 = "ttir.all_reduce"(%0) <{reduce_type = #ttcore.reduce_type<mean>, cluster_axis = 1 : ui32}> : (tensor<1x2xi32>) -> tensor<1x2xi32>
    %2 = "ttir.mesh_shard"(%1) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 1>, shard_dims = array<i64: 0, -1>}> : (tensor<1x2xi32>) -> tensor<2x2xi32>
    return %2 : tensor<2x2xi32>
  }
  func.func @unsigned_max(%x: tensor<2x8xui8>) -> tensor<2x2xui8> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<2x8xui8>) -> tensor<1x2xui8>
    %1 = "ttir.all_reduce"(%0) <{reduce_type = #ttcore.reduce_type<max>, cluster_axis = 1 : ui32}> : (tensor<1x2xui8>) -> tensor<1x2xui8>
    %2 = "ttir.mesh_shard"(%1) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 1>, shard_dims = array<i64: 0, -1>}> : (tensor<1x2xui8>) -> tensor<2x2xui8>
    return %2 : tensor<2x2xui8>
  }
  func.func @async(%x: tensor<2x8xf32>) -> tensor<2x2xf32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<1x2xf32>
    %1 = "ttir.all_reduce_async"(%0) <{reduce_type = #ttcore.reduce_type<sum>, cluster_axis = 1 : ui32}> : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %2 = "ttir.mesh_shard"(%1) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 1>, shard_dims = array<i64: 0, -1>}> : (tensor<1x2xf32>) -> tensor<2x2xf32>
    return %2 : tensor<2x2xf32>
  }
  // More elements than one device reduces alone.
  func.func @large(%x: tensor<2x8192xi32>) -> tensor<1x4096xi32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<2x8192xi32>) -> tensor<1x2048xi32>
    %1 = "ttir.all_gather"(%0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32}> : (tensor<1x2048xi32>) -> tensor<1x8192xi32>
    %2 = "ttir.all_reduce"(%1) <{reduce_type = #ttcore.reduce_type<sum>, cluster_axis = 1 : ui32}> : (tensor<1x8192xi32>) -> tensor<1x8192xi32>
    %3 = "ttir.all_reduce"(%2) <{reduce_type = #ttcore.reduce_type<sum>, cluster_axis = 0 : ui32}> : (tensor<1x8192xi32>) -> tensor<1x8192xi32>
    %4 = "ttir.mesh_partition"(%3) <{dim = 1 : si32, cluster_axis = 0 : ui32}> : (tensor<1x8192xi32>) -> tensor<1x4096xi32>
    %5 = "ttir.mesh_shard"(%4) <{shard_type = #ttcore.shard_type<replicate>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 1>, shard_dims = array<i64: -1>}> : (tensor<1x4096xi32>) -> tensor<1x4096xi32>
    return %5 : tensor<1x4096xi32>
  }
  func.func @scatter(%x: tensor<2x8xf32>) -> tensor<2x4xf32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<1x2xf32>
    %1 = "ttir.reduce_scatter"(%0) <{reduce_type = #ttcore.reduce_type<sum>, scatter_dim = -1 : si32, cluster_axis = 0 : ui32}> : (tensor<1x2xf32>) -> tensor<1x1xf32>
    %2 = "ttir.mesh_shard"(%1) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<2x4xf32>
    return %2 : tensor<2x4xf32>
  }
  func.func @scatter_max(%x: tensor<2x8xf32>) -> tensor<2x4xf32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<1x2xf32>
    %1 = "ttir.reduce_scatter"(%0) <{reduce_type = #ttcore.reduce_type<max>, scatter_dim = -1 : si32, cluster_axis = 0 : ui32}> : (tensor<1x2xf32>) -> tensor<1x1xf32>
    %2 = "ttir.mesh_shard"(%1) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<2x4xf32>
    return %2 : tensor<2x4xf32>
  }
  func.func @gather_0(%x: tensor<2x8xi32>) -> tensor<2x8xi32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<2x8xi32>) -> tensor<1x2xi32>
    %1 = "ttir.all_gather"(%0) <{all_gather_dim = 0 : si32, cluster_axis = 0 : ui32}> : (tensor<1x2xi32>) -> tensor<2x2xi32>
    %2 = "ttir.mesh_shard"(%1) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 1, 4>, shard_dims = array<i64: -1, 1>}> : (tensor<2x2xi32>) -> tensor<2x8xi32>
    return %2 : tensor<2x8xi32>
  }
  func.func @gather_last(%x: tensor<2x8xi32>) -> tensor<2x8xi32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<2x8xi32>) -> tensor<1x2xi32>
    %1 = "ttir.all_gather"(%0) <{all_gather_dim = -1 : si32, cluster_axis = 1 : ui32}> : (tensor<1x2xi32>) -> tensor<1x8xi32>
    %2 = "ttir.mesh_shard"(%1) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 1>, shard_dims = array<i64: 0, -1>}> : (tensor<1x8xi32>) -> tensor<2x8xi32>
    return %2 : tensor<2x8xi32>
  }
  func.func @partition(%x: tensor<2x8xi32>) -> tensor<2x8xi32> {
    %0 = "ttir.mesh_partition"(%x) <{dim = 1 : si32, cluster_axis = 1 : ui32}> : (tensor<2x8xi32>) -> tensor<2x2xi32>
    %1 = "ttir.mesh_partition"(%0) <{dim = -2 : si32, cluster_axis = 0 : ui32}> : (tensor<2x2xi32>) -> tensor<1x2xi32>
    %2 = "ttir.mesh_shard"(%1) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 4>, shard_dims = array<i64: 0, 1>}> : (tensor<1x2xi32>) -> tensor<2x8xi32>
    return %2 : tensor<2x8xi32>
  }
  func.func @partition_all(%x: tensor<16xi32>) -> tensor<16xi32> {
    %0 = "ttir.mesh_partition"(%x) <{dim = 0 : si32}> : (tensor<16xi32>) -> tensor<2xi32>
    %1 = "ttir.mesh_shard"(%0) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 8>, shard_dims = array<i64: 0, 0>}> : (tensor<2xi32>) -> tensor<16xi32>
    return %1 : tensor<16xi32>
  }
  func.func @exchange(%x: tensor<8x4xi32>) -> tensor<32x1xi32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 8, 1>, shard_dims = array<i64: 0, 0>}> : (tensor<8x4xi32>) -> tensor<1x4xi32>
    %1 = "ttir.all_to_all"(%0) <{split_dim = 1 : si32, concat_dim = 0 : si32, split_count = 4 : si32, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>}> : (tensor<1x4xi32>) -> tensor<4x1xi32>
    %2 = "ttir.mesh_shard"(%1) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 8, 1>, shard_dims = array<i64: 0, 0>}> : (tensor<4x1xi32>) -> tensor<32x1xi32>
    return %2 : tensor<32x1xi32>
  }
  func.func @permute(%x: tensor<8xi32>) -> tensor<8xi32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 8>, shard_dims = array<i64: 0, 0>}> : (tensor<8xi32>) -> tensor<1xi32>
    %1 = "ttir.collective_permute"(%0) <{source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0], [4, 5]]> : tensor<5x2xi64>}> : (tensor<1xi32>) -> tensor<1xi32>
    %2 = "ttir.mesh_shard"(%1) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 8>, shard_dims = array<i64: 0, 0>}> : (tensor<1xi32>) -> tensor<8xi32>
    return %2 : tensor<8xi32>
  }
  func.func @broadcast(%x: tensor<8xi32>) -> tensor<8xi32> {
    %0 = "ttir.mesh_shard"(%x) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 8>, shard_dims = array<i64: 0, 0>}> : (tensor<8xi32>) -> tensor<1xi32>
    %1 = "ttir.collective_broadcast"(%0) <{replica_groups = dense<[[2, 0, 1], [5, 4, 3]]> : tensor<2x3xi64>}> : (tensor<1xi32>) -> tensor<1xi32>
    %2 = "ttir.mesh_shard"(%1) <{shard_type = #ttcore.shard_type<devices>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 8>, shard_dims = array<i64: 0, 0>}> : (tensor<1xi32>) -> tensor<8xi32>
    return %2 : tensor<8xi32>
  }
}
