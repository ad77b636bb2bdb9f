"""tt-mlir's Python bindings, over the package `tessera`."""
