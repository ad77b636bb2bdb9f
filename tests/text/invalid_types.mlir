// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Types.

// expected-error@below {{expected attribute value}}
"t.op"() {a = foo} : () -> ()

// -----

// expected-error@below {{expected '<' in tensor type}}
"t.op"() {a = tensor} : () -> ()

// -----

// expected-error@below {{expected non-function type}}
"t.op"() {a = tensor<} : () -> ()

// -----

// expected-error@below {{expected non-function type}}
"t.op"() {a = tensor<>} : () -> ()

// -----

// expected-error@below {{expected non-function type}}
"t.op"() {a = tensor<4x>} : () -> ()

// -----

// expected-error@below {{expected '>' in tensor type}}
"t.op"() {a = tensor<f32} : () -> ()

// -----

// expected-error@below {{expected 'x' in dimension list}}
"t.op"() {a = tensor<4f32>} : () -> ()

// -----

// expected-error@below {{expected 'x' in dimension list}}
"t.op"() {a = tensor<4*f32>} : () -> ()

// -----

// expected-error@below {{expected 'x' in dimension list}}
"t.op"() {a = tensor<*f32>} : () -> ()

// -----

// expected-error@below {{expected 'x' in dimension list}}
"t.op"() {a = tensor<4x?f32>} : () -> ()

// -----

// expected-error@below {{expected non-function type}}
"t.op"() {a = tensor<-1xf32>} : () -> ()

// -----

// expected-error@below {{invalid dimension}}
"t.op"() {a = tensor<9223372036854775808xf32>} : () -> ()

// -----

// expected-error@below {{invalid tensor element type}}
"t.op"() {a = tensor<4xnone>} : () -> ()

// -----

// expected-error@below {{invalid tensor element type}}
"t.op"() {a = tensor<2xtuple<i32>>} : () -> ()

// -----

// expected-error@below {{invalid tensor element type}}
"t.op"() {a = tensor<4xmemref<2xf32>>} : () -> ()

// -----

// expected-error@below {{expected attribute value}}
"t.op"() {a = tensor<4xf32, >} : () -> ()

// -----

// expected-error@below {{cannot apply encoding to unranked tensor}}
"t.op"() {a = tensor<*xf32, "a">} : () -> ()

// -----

// expected-error@below {{more than 64 dimensions}}
"t.op"() {a = tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>} : () -> ()

// -----

// expected-error@below {{expected '<' in vector type}}
"t.op"() {a = vector} : () -> ()

// -----

// expected-error@below {{expected '>' in vector type}}
"t.op"() {a = vector<f32} : () -> ()

// -----

// expected-error@below {{expected non-function type}}
"t.op"() {a = vector<?xf32>} : () -> ()

// -----

// expected-error@below {{expected non-function type}}
"t.op"() {a = vector<*xf32>} : () -> ()

// -----

// expected-error@below {{vector types must have positive constant sizes but got 4, 0}}
"t.op"() {a = vector<4x0xf32>} : () -> ()

// -----

// expected-error@below {{missing ']' closing scalable dimension}}
"t.op"() {a = vector<[4xf32>} : () -> ()

// -----

// expected-error@below {{invalid dimension}}
"t.op"() {a = vector<[a]xf32>} : () -> ()

// -----

// expected-error@below {{failed to verify 'elementType': VectorElementTypeInterface instance}}
"t.op"() {a = vector<4xtensor<2xf32>>} : () -> ()

// -----

// expected-error@below {{failed to verify 'elementType': VectorElementTypeInterface instance}}
"t.op"() {a = vector<2xcomplex<f32>>} : () -> ()

// -----

// expected-error@below {{expected '<' in memref type}}
"t.op"() {a = memref} : () -> ()

// -----

// expected-error@below {{expected ',' or '>' in memref type}}
"t.op"() {a = memref<f32} : () -> ()

// -----

// expected-error@below {{expected 'x' in dimension list}}
"t.op"() {a = memref<*f32>} : () -> ()

// -----

// expected-error@below {{invalid memref element type}}
"t.op"() {a = memref<4xtuple<i32>>} : () -> ()

// -----

// expected-error@below {{invalid memref element type}}
"t.op"() {a = memref<4xnone>} : () -> ()

// -----

// expected-error@below {{expected attribute value}}
"t.op"() {a = memref<4xf32, >} : () -> ()

// -----

// expected-error@below {{multiple memory spaces specified in memref type}}
"t.op"() {a = memref<4xf32, 1, 2>} : () -> ()

// -----

// expected-error@below {{expected memory space to be last in memref type}}
"t.op"() {a = memref<4xf32, 1, affine_map<(d0) -> (d0)>>} : () -> ()

// -----

// expected-error@below {{multiple layouts specified in memref type}}
"t.op"() {a = memref<4xf32, strided<[1]>, strided<[2]>>} : () -> ()

// -----

// expected-error@below {{cannot have affine map for unranked memref type}}
"t.op"() {a = memref<*xf32, strided<[1]>>} : () -> ()

// -----

// expected-error@below {{expected the number of strides to match the rank}}
"t.op"() {a = memref<4xf32, strided<[1, 2]>>} : () -> ()

// -----

// expected-error@below {{memref layout mismatch between rank and affine map: 1 != 2}}
"t.op"() {a = memref<4xf32, affine_map<(d0, d1) -> (d0)>>} : () -> ()

// -----

// expected-error@below {{unsupported memory space Attribute}}
"t.op"() {a = memref<4xf32, [1]>} : () -> ()

// -----

// expected-error@below {{unsupported memory space Attribute}}
"t.op"() {a = memref<4xf32, 1.0>} : () -> ()

// -----

// expected-error@below {{unsupported memory space Attribute}}
"t.op"() {a = memref<4xf32, i32>} : () -> ()

// -----

// expected-error@below {{expected '<' in complex type}}
"t.op"() {a = complex} : () -> ()

// -----

// expected-error@below {{expected '>' in complex type}}
"t.op"() {a = complex<f32} : () -> ()

// -----

// expected-error@below {{invalid element type for complex}}
"t.op"() {a = complex<index>} : () -> ()

// -----

// expected-error@below {{invalid element type for complex}}
"t.op"() {a = complex<complex<f32>>} : () -> ()

// -----

// expected-error@below {{expected '<' in tuple type}}
"t.op"() {a = tuple} : () -> ()

// -----

// expected-error@below {{expected '>' in tuple type}}
"t.op"() {a = tuple<f32} : () -> ()

// -----

// expected-error@below {{expected ')'}}
"t.op"() {a = (f32} : () -> ()

// -----

// expected-error@below {{expected '->' in function type}}
"t.op"() {a = (f32) f32} : () -> ()

// -----

// expected-error@below {{expected non-function type}}
"t.op"() {a = (f32) ->} : () -> ()

// -----

// expected-error@below {{integer bitwidth is limited to 16777215 bits}}
"t.op"() {a = i16777216} : () -> ()

// -----

// expected-error@below {{invalid integer width}}
"t.op"() {a = i99999999999} : () -> ()

// -----

// expected-error@below {{undefined symbol alias id 'x'}}
"t.op"() {a = !x} : () -> ()

// -----

// expected-error@below {{unbalanced '<' character in pretty dialect name}}
"t.op"() {a = !x.bar<abc)>} : () -> ()

// -----

// expected-error@below {{invalid dialect namespace '""'}}
"t.op"() {a = !.x} : () -> ()

// -----

// expected-error@below {{dialect 'builtin' provides no type parsing hook}}
"t.op"() {a = !builtin.x} : () -> ()

// -----

// expected-error@below {{invalid dialect namespace '"x-y"'}}
"t.op"() {a = !x-y.z} : () -> ()

// -----

// expected-error@below {{nested too deeply (more than 256 levels)}}
"t.op"() {a = tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<tuple<} : () -> ()

// -----

// expected-error@below {{expected non-function type}}
"t.op"() : () -> foo

// -----

// expected-error@below {{expected function type}}
"t.op"() : i32

// -----

// expected-error@below {{expected ')'}}
"t.op"() : (i32 -> ()

// -----

// expected-error@below {{expected ')'}}
"t.op"() : () -> (i32
