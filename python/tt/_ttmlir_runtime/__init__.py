# SPDX-License-Identifier: Apache-2.0
"""tt-mlir's runtime bindings, over the package `tessera`: binaries are read, verified and executed by its engine."""

from . import binary, runtime, utils

__all__ = ["binary", "runtime", "utils"]
