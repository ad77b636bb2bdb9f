# SPDX-License-Identifier: Apache-2.0
"""Modules by their text, and which dialect one is of."""

from enum import Enum

from .ir import Context, Module


class ModuleDialect(Enum):
    STABLE_HLO = "stablehlo"
    TTIR = "ttir"
    TTNN = "ttnn"
    TT = "tt"  # none of these

    @staticmethod
    def detect(module_or_op):
        """The first that has an op there."""
        text = str(module_or_op)
        for dialect in (ModuleDialect.STABLE_HLO, ModuleDialect.TTIR, ModuleDialect.TTNN):
            if f"= {dialect.value}." in text or f'= "{dialect.value}.' in text:
                return dialect
        return ModuleDialect.TT


def create_mlir_module_from_string(module_str):
    with Context():
        return Module.parse(module_str)
