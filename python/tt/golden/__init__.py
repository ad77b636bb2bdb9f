# SPDX-License-Identifier: Apache-2.0
"""Goldens: what an op is to compute, by Tessera's evaluator."""

from .mapping import GoldenMapTensor, apply_sharding, apply_unsharding, get_golden_function
from .metrics import get_atol_rtol_pcc, get_pcc
