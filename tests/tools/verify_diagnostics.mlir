// Diagnostics that are all expected, in every way to say where.
// RUN: tessera opt %s --split-input-file --verify-diagnostics
// RUN: tessera opt %s -split-input-file -verify-diagnostics=only-expected

func.func @same() { "func.return"(%x) : (i32) -> () } // expected-error {{undeclared SSA value}}

// -----

// expected-error@+1 {{undeclared SSA value}}
func.func @plus() { "func.return"(%x) : (i32) -> () }

// -----

func.func @minus() { "func.return"(%x) : (i32) -> () }
// expected-error @-1 {{undeclared SSA value}}

// -----

// expected-error@below {{undeclared SSA value}}
func.func @below() { "func.return"(%x) : (i32) -> () }

// -----

func.func @above() { "func.return"(%x) : (i32) -> () }
// expected-error@above {{undeclared SSA value}}

// -----

// expected-error-re@+1 {{use {{[a-z]+}} undeclared {{(SSA|ssa)}} value}}
func.func @regex() { "func.return"(%x) : (i32) -> () }

// -----

func.func @fine() {
  return
}
