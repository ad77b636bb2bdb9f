# SPDX-License-Identifier: Apache-2.0
"""Graphs of TTIR, StableHLO and TTNN from Python, with goldens: tt-mlir's names over the package tessera."""
