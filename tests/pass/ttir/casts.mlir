// Two casts become one where that gives the same numbers, and only there. Under the peer's tool name all do but conservative ones.
// RUN: tessera opt %s --canonicalize -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera run %s --function=wide --input=5xi32=0,-1,300,-70000,2147483647 --output=%t.npz
// RUN: tessera run %t.mlir --function=wide --input=5xi32=0,-1,300,-70000,2147483647 --expect=%t.npz
// RUN: tessera run %s --function=small --input=4xui8=0,1,127,255 --output=%t.npz
// RUN: tessera run %t.mlir --function=small --input=4xui8=0,1,127,255 --expect=%t.npz
// RUN: tessera run %s --function=tt_typecast_twice --input=6xf32=0,0.25,-1.5,300.7,3e9,nan --output=%t.npz
// RUN: tessera run %t.mlir --function=tt_typecast_twice --input=6xf32=0,0.25,-1.5,300.7,3e9,nan --expect=%t.npz --rtol=0 --atol=0
// RUN: ttmlir-opt %s --canonicalize | FileCheck %s --check-prefix=PEER
// VALUES: --canonicalize

// i8 keeps a byte of what it gets; what a float holds exactly is not lost, but it saturates where an integer wraps.
// CHECK-LABEL: func.func @wide
// CHECK-NEXT: (tensor<5xi32>) -> tensor<5xi8>
// CHECK-NEXT: (tensor<5xi8>) -> tensor<5xi16>
// CHECK-NEXT: (tensor<5xi32>) -> tensor<5xi8>
// CHECK-NEXT: (tensor<5xi32>) -> tensor<5xf64>
// CHECK-NEXT: (tensor<5xf64>) -> tensor<5xi8>
// CHECK-NEXT: (tensor<5xi32>) -> tensor<5xf32>
// CHECK-NEXT: (tensor<5xi8>) -> tensor<5xi1>
// CHECK-NEXT: (tensor<5xi32>) -> tensor<5xbf16>
// CHECK-NEXT: (tensor<5xbf16>) -> tensor<5xf32>
// CHECK-NEXT: return
// PEER-LABEL: func.func @wide
// PEER-NOT: (tensor<5xi8>)
// PEER: return
func.func @wide(%a: tensor<5xi32>) -> (tensor<5xi16>, tensor<5xi8>, tensor<5xi8>, tensor<5xf32>, tensor<5xi1>, tensor<5xf32>) {
  %0 = "ttir.typecast"(%a) : (tensor<5xi32>) -> tensor<5xi8>
  %1 = "ttir.typecast"(%0) : (tensor<5xi8>) -> tensor<5xi16>
  %2 = "ttir.typecast"(%a) : (tensor<5xi32>) -> tensor<5xui16>
  %3 = "ttir.typecast"(%2) : (tensor<5xui16>) -> tensor<5xi8>
  %4 = "ttir.typecast"(%a) : (tensor<5xi32>) -> tensor<5xf64>
  %5 = "ttir.typecast"(%4) : (tensor<5xf64>) -> tensor<5xi8>
  %6 = "ttir.typecast"(%4) : (tensor<5xf64>) -> tensor<5xf32>
  %7 = "ttir.typecast"(%0) : (tensor<5xi8>) -> tensor<5xi1>
  %8 = "ttir.typecast"(%a) : (tensor<5xi32>) -> tensor<5xbf16>
  %9 = "ttir.typecast"(%8) : (tensor<5xbf16>) -> tensor<5xf32>
  return %1, %3, %5, %6, %7, %9 : tensor<5xi16>, tensor<5xi8>, tensor<5xi8>, tensor<5xf32>, tensor<5xi1>, tensor<5xf32>
}

// ui8 to f16 loses nothing, and neither does i16; f16 to i8 saturates.
// CHECK-LABEL: func.func @small
// CHECK-NEXT: (tensor<4xui8>) -> tensor<4xf16>
// CHECK-NEXT: (tensor<4xf16>) -> tensor<4xi8>
// CHECK-NEXT: (tensor<4xui8>) -> tensor<4xi32>
// CHECK-NEXT: (tensor<4xui8>) -> tensor<4xbf16>
// CHECK-NEXT: return
func.func @small(%a: tensor<4xui8>) -> (tensor<4xi8>, tensor<4xi32>, tensor<4xbf16>) {
  %0 = "ttir.typecast"(%a) : (tensor<4xui8>) -> tensor<4xf16>
  %1 = "ttir.typecast"(%0) : (tensor<4xf16>) -> tensor<4xi8>
  %2 = "ttir.typecast"(%0) : (tensor<4xf16>) -> tensor<4xi32>
  %3 = "ttir.typecast"(%a) : (tensor<4xui8>) -> tensor<4xi16>
  %4 = "ttir.typecast"(%3) : (tensor<4xi16>) -> tensor<4xbf16>
  return %1, %2, %4 : tensor<4xi8>, tensor<4xi32>, tensor<4xbf16>
}

// CHECK-LABEL: func.func @tt_typecast_twice
// CHECK-NEXT: (tensor<6xf32>) -> tensor<6xi32>
// CHECK-NEXT: (tensor<6xi32>) -> tensor<6xf32>
// CHECK-NEXT: (tensor<6xf32>) -> tensor<6xbf16>
// CHECK-NEXT: (tensor<6xbf16>) -> tensor<6xf32>
// CHECK-NEXT: (tensor<6xf32>) -> tensor<6xi8>
// CHECK-NEXT: (tensor<6xi32>) -> tensor<6xi8>
// CHECK-NEXT: (tensor<6xf32>) -> tensor<6xi1>
// CHECK-NEXT: (tensor<6xi1>) -> tensor<6xf32>
// CHECK-NEXT: return
// PEER-LABEL: func.func @tt_typecast_twice
// PEER: conservative_folding = true}> : (tensor<6xf32>) -> tensor<6xi32>
// PEER-NEXT: (tensor<6xi32>) -> tensor<6xf32>
func.func @tt_typecast_twice(%a: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xi8>, tensor<6xi8>, tensor<6xf32>) {
  %0 = "ttir.typecast"(%a) <{conservative_folding = true}> : (tensor<6xf32>) -> tensor<6xi32>
  %1 = "ttir.typecast"(%0) : (tensor<6xi32>) -> tensor<6xf32>
  %2 = "ttir.typecast"(%a) : (tensor<6xf32>) -> tensor<6xbf16>
  %3 = "ttir.typecast"(%2) : (tensor<6xbf16>) -> tensor<6xf32>
  %4 = "ttir.typecast"(%a) : (tensor<6xf32>) -> tensor<6xf64>
  %5 = "ttir.typecast"(%4) : (tensor<6xf64>) -> tensor<6xi8>
  %6 = "ttir.typecast"(%0) : (tensor<6xi32>) -> tensor<6xi8>
  %7 = "ttir.typecast"(%a) : (tensor<6xf32>) -> tensor<6xi1>
  %8 = "ttir.typecast"(%7) : (tensor<6xi1>) -> tensor<6xf32>
  return %1, %3, %5, %6, %8 : tensor<6xf32>, tensor<6xf32>, tensor<6xi8>, tensor<6xi8>, tensor<6xf32>
}
