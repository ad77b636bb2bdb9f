# SPDX-License-Identifier: Apache-2.0
"""Dialects that Tessera does not have: they can be imported, and their use says so."""


class _Ir:
    def __init__(self, dialect):
        self._dialect = dialect

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _refusal(self._dialect, f"ir.{name}")


def _refusal(dialect, name):
    def refuse(*args, **kwargs):
        raise NotImplementedError(f"{dialect}.{name}: the dialect {dialect} is not part of Tessera")

    kind = type(name.rpartition(".")[2], (), {"__new__": lambda cls, *a, **k: refuse(), "get": staticmethod(refuse), "OPERATION_NAME": f"{dialect}.{name}"})
    return kind


def absent(module_name):
    """__getattr__ of a module."""
    import sys

    dialect = module_name.rpartition(".")[2]

    def get(name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = _Ir(dialect) if name == "ir" else _refusal(dialect, name)
        setattr(sys.modules[module_name], name, made)
        return made

    return get
