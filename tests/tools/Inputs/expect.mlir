// expected-error@+1 {{never}}
func.func @a() { return }
// -----
func.func @b() { "func.return"(%x) : (i32) -> () }
// -----
// expected-warning@+1 {{undeclared}}
func.func @c() { "func.return"(%x) : (i32) -> () }
// -----
// expected-error-re@+1 {{use {{of }}
func.func @d() { return }
// -----
// expected-note@+1 {{more}}
func.func @e() { return }
