// RUN: tessera opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Locations, aliases and resources.

// expected-error@below {{expected '(' in inline location}}
"t.op"() {a = loc} : () -> ()

// -----

// expected-error@below {{expected location instance}}
"t.op"() {a = loc()} : () -> ()

// -----

// expected-error@below {{expected location instance}}
"t.op"() {a = loc(foo)} : () -> ()

// -----

// expected-error@below {{expected ')' in inline location}}
"t.op"() {a = loc("a"} : () -> ()

// -----

// expected-error@below {{expected ')' after child location of NameLoc}}
"t.op"() {a = loc("a"("b"} : () -> ()

// -----

// expected-error@below {{expected integer line number in FileLineColRange}}
"t.op"() {a = loc("a":x)} : () -> ()

// -----

// expected-error@below {{expected integer column number in FileLineColRange}}
"t.op"() {a = loc("a":1:x)} : () -> ()

// -----

// expected-error@below {{expected integer line number in FileLineColRange}}
"t.op"() {a = loc("a":4294967296:1)} : () -> ()

// -----

// expected-error@below {{expected ')' in inline location}}
"t.op"() {a = loc("a":1 to 3)} : () -> ()

// -----

// expected-error@below {{expected either integer or `:` post `to` in FileLineColRange}}
"t.op"() {a = loc("a":1:2 to)} : () -> ()

// -----

// expected-error@below {{expected either integer or `:` post `to` in FileLineColRange}}
"t.op"() {a = loc("a":1:2 to 3)} : () -> ()

// -----

// expected-error@below {{expected integer column number in FileLineColRange}}
"t.op"() {a = loc("a":1:2 to 3:x)} : () -> ()

// -----

// expected-error@below {{expected '(' in callsite location}}
"t.op"() {a = loc(callsite "a")} : () -> ()

// -----

// expected-error@below {{expected 'at' in callsite location}}
"t.op"() {a = loc(callsite("a" "b"))} : () -> ()

// -----

// expected-error@below {{expected ')' in inline location}}
"t.op"() {a = loc(callsite("a" at "b")} : () -> ()

// -----

// expected-error@below {{expected '[' in fused location}}
"t.op"() {a = loc(fused)} : () -> ()

// -----

// expected-error@below {{expected '>' after fused location metadata}}
"t.op"() {a = loc(fused<1)} : () -> ()

// -----

// expected-error@below {{expected ']' in fused location}}
"t.op"() {a = loc(fused["a" "b"])} : () -> ()

// -----

// expected-error@below {{expected location attribute, but got#x.bar}}
"t.op"() {a = loc(#x.bar)} : () -> ()

// -----

// expected-error@below {{undefined symbol alias id 'a'}}
"t.op"() {a = loc(#a)} : () -> ()

// -----

// expected-error@below {{nested too deeply (more than 256 levels)}}
"t.op"() {a = loc(fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[fused[} : () -> ()

// -----

#a = 1
// expected-error@below {{expected location attribute, but got1 : i64}}
"t.op"() {a = loc(#a)} : () -> ()

// -----

// expected-error@below {{expected '(' in location}}
"t.op"() : () -> () loc

// -----

// expected-error@below {{expected location instance}}
"t.op"() : () -> () loc(1)

// -----

// expected-error@below {{expected ')' in location}}
"t.op"() : () -> () loc("a"

// -----

// expected-error@below {{operation location alias was never defined}}
"t.op"() : () -> () loc(#a)

// -----

// expected-error@below {{expected location, but found '1 : i64'}}
"t.op"() : () -> () loc(#a)
#a = 1

// -----

// expected-error@below {{expected ')' in location}}
"t.op"() : () -> () loc(#a
#a = loc("x")

// -----

#a = loc("x")
// expected-error@below {{redefinition of attribute alias id 'a'}}
#a = loc("y")

// -----

!a = i32
// expected-error@below {{redefinition of type alias id 'a'}}
!a = i32

// -----

// expected-error@below {{attribute names with a '.' are reserved for dialect-defined names}}
#a.b = 1

// -----

// expected-error@below {{type names with a '.' are reserved for dialect-defined names}}
!a.b = i32

// -----

// expected-error@below {{expected '=' in attribute alias definition}}
#a 1

// -----

// expected-error@below {{expected '=' in type alias definition}}
!a 1

// -----

// expected-error@below {{expected non-function type}}
!a = 1

// -----

// expected-error@below {{expected attribute value}}
#a = foo

// -----

// expected-error@below {{undefined symbol alias id 'a'}}
"t.op"() {a = #a} : () -> ()
#a = 1

// -----

// expected-error@below {{undefined symbol alias id 'a'}}
"t.op"() {a = !a} : () -> ()
!a = i32

// -----

// expected-error@below {{undefined symbol alias id 'a'}}
#a = #a

// -----

// expected-error@below {{undefined symbol alias id 'b'}}
!a = tuple<!b>
!b = tuple<!a>

// -----

"t.op"() : () -> () loc(#a)
#a = loc("x"(#b))
// expected-error@below {{undefined symbol alias id 'a'}}
#b = loc("y"(#a))

// -----

#a0 = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
// expected-error@below {{nested too deeply (more than 256 levels)}}
#a1 = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[#a0]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]

// -----

#a0 = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
#a1 = [#a0, #a0, #a0, #a0, #a0, #a0, #a0, #a0, #a0, #a0, #a0, #a0, #a0, #a0, #a0, #a0]
#a2 = [#a1, #a1, #a1, #a1, #a1, #a1, #a1, #a1, #a1, #a1, #a1, #a1, #a1, #a1, #a1, #a1]
#a3 = [#a2, #a2, #a2, #a2, #a2, #a2, #a2, #a2, #a2, #a2, #a2, #a2, #a2, #a2, #a2, #a2]
#a4 = [#a3, #a3, #a3, #a3, #a3, #a3, #a3, #a3, #a3, #a3, #a3, #a3, #a3, #a3, #a3, #a3]
// expected-error@below {{aliases stand for too many attributes and types}}
#a5 = [#a4, #a4, #a4, #a4, #a4, #a4, #a4, #a4, #a4, #a4, #a4, #a4, #a4, #a4, #a4, #a4]
#a6 = [#a5, #a5, #a5, #a5, #a5, #a5, #a5, #a5, #a5, #a5, #a5, #a5, #a5, #a5, #a5, #a5]

// -----

"t.op"() : () -> ()
// expected-error@below {{expected hex string blob for key 'a'}}
{-# dialect_resources: { builtin: { a: "x" } } #-}

// -----

"t.op"() : () -> ()
// expected-error@below {{expected hex string blob for key 'a'}}
{-# dialect_resources: { builtin: { a: "0x010000zz" } } #-}

// -----

"t.op"() : () -> ()
// expected-error@below {{expected hex string blob for key 'a' to encode alignment in first 4 bytes}}
{-# dialect_resources: { builtin: { a: "0x01" } } #-}

// -----

"t.op"() : () -> ()
// expected-error@below {{expected hex string blob for key 'a' to encode alignment in first 4 bytes, but got non-power-of-2 value: 3}}
{-# dialect_resources: { builtin: { a: "0x0300000011" } } #-}

// -----

"t.op"() : () -> ()
// expected-error@below {{expected hex string blob for key 'a'}}
{-# dialect_resources: { builtin: { a: 1 } } #-}

// -----

"t.op"() : () -> ()
// expected-error@below {{expected identifier key for 'resource' entry}}
{-# dialect_resources: { builtin: { 1: "" } } #-}

// -----

"t.op"() : () -> ()
// expected-error@below {{expected ':'}}
{-# dialect_resources: { builtin: { a "" } } #-}

// -----

"t.op"() : () -> ()
// expected-error@below {{expected ':'}}
{-# dialect_resources: { builtin { a: "" } } #-}

// -----

"t.op"() : () -> ()
// expected-error@below {{expected '{'}}
{-# dialect_resources: { builtin: 1 } #-}

// -----

"t.op"() : () -> ()
// expected-error@below {{expected ':'}}
{-# dialect_resources { } #-}

// -----

"t.op"() : () -> ()
// expected-error@below {{expected '{'}}
{-# dialect_resources: 1 #-}

// -----

"t.op"() : () -> ()
// expected-error@below {{unknown key 'foo' in file metadata dictionary}}
{-# foo: { } #-}

// -----

"t.op"() : () -> ()
// expected-error@below {{expected identifier key in file metadata dictionary}}
{-# 1 #-}

// -----

"t.op"() : () -> ()
// expected-error@below {{expected ',' or '#-}'}}
{-# dialect_resources: { builtin: { a: "0x0100000011" } }

// -----

"t.op"() : () -> ()
// expected-error@below {{expected ',' or '}'}}
{-# dialect_resources: { builtin: { a: "0x0100000011"

// -----

"t.op"() : () -> ()
// expected-error@below {{expected attribute value}}
{-# external_resources: { x: { a: } } #-}
