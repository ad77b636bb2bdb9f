# SPDX-License-Identifier: Apache-2.0
"""Modules and their symbols."""

import tessera
from tessera._library import lib
from tessera.errors import TesseraError

from ._context import context_of, location_of
from ._ops import Operation
from ._values import StringAttr


class MLIRError(Exception):
    """What verification or reading says."""

    def __init__(self, message, error_diagnostics=()):
        super().__init__(message)
        self.message, self.error_diagnostics = message, list(error_diagnostics)


class Module:
    """A module."""

    def __init__(self, module):
        self._module = module

    @classmethod
    def create(cls, loc=None):
        where = location_of(loc)
        made = cls(tessera.Module(context=where.context))
        made.operation.location = where
        return made

    @classmethod
    def parse(cls, asm, context=None, source_name="-"):
        try:
            return cls(tessera.Module.parse(asm, source_name, context_of(context)))
        except TesseraError as e:
            raise MLIRError(f"Unable to parse module assembly:\n{e}", e.diagnostics) from None

    @classmethod
    def parseFile(cls, path, context=None):
        try:
            return cls(tessera.Module.load(path, context_of(context)))
        except TesseraError as e:
            raise MLIRError(f"Unable to parse module assembly:\n{e}", e.diagnostics) from None

    @property
    def context(self):
        return self._module.context

    @property
    def operation(self):
        return Operation(self._module, lib.tsr_module_op(self._module._handle))

    @property
    def opview(self):
        return self.operation.opview

    @property
    def body(self):
        return self.operation.regions[0].blocks[0]

    @property
    def name(self):
        op = self.operation
        return op.attributes["sym_name"].value if "sym_name" in op.attributes else None

    @property
    def attributes(self):
        return self.operation.attributes

    def dump(self):
        print(self)

    def __str__(self):
        return self.operation.get_asm()

    def __eq__(self, other):
        return isinstance(other, Module) and other._module is self._module

    def __hash__(self):
        return hash(id(self._module))


class SymbolTable:
    """Symbols of an op."""

    def __init__(self, operation):
        self._op = operation.operation

    def _symbols(self):
        found = {}
        for region in self._op.regions:
            for block in region.blocks:
                for op in block.operations:
                    if "sym_name" in op.attributes:
                        found[op.attributes["sym_name"].value] = op
        return found

    def __getitem__(self, name):
        return self._symbols()[name]

    def __contains__(self, name):
        return name in self._symbols()

    def insert(self, operation):
        operation.operation._put(self._op.regions[0].blocks[0], None)
        return operation.attributes["sym_name"]

    def erase(self, operation):
        operation.erase()

    @staticmethod
    def get_symbol_name(symbol):
        return symbol.operation.attributes["sym_name"]

    @staticmethod
    def set_symbol_name(symbol, name):
        symbol.operation.attributes["sym_name"] = StringAttr.get(name, symbol.context)

    @staticmethod
    def get_visibility(symbol):
        return symbol.operation.attributes.get("sym_visibility", StringAttr.get("public", symbol.context))

    @staticmethod
    def set_visibility(symbol, visibility):
        symbol.operation.attributes["sym_visibility"] = StringAttr.get(visibility, symbol.context)


class AsmState:
    """Numbers of values, kept over several prints."""

    def __init__(self, value, use_local_scope=False):
        self.value = value


__all__ = ["AsmState", "MLIRError", "Module", "SymbolTable"]
