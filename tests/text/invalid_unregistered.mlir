// RUN: tessera opt %s --split-input-file --verify-diagnostics
// Unknown dialects must be asked for, but for those that pass through.

// expected-error@below {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
"foo.x"() : () -> ()

// -----

// expected-error@below {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
"foo"() : () -> ()

// -----

// expected-error@below {{unregistered operation 'func.foo' found in dialect ('func') that does not allow unknown operations}}
"func.foo"() : () -> ()

// -----

// expected-error@below {{Dialect `foo' not found for custom op 'foo.x'}}
foo.x
