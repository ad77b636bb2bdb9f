# SPDX-License-Identifier: Apache-2.0
"""tt-mlir's Python bindings, over the package `tessera`."""
