# SPDX-License-Identifier: Apache-2.0
"""Functions of ttnn as calls of the library: the emitter's table says what each argument is (tsr_call_emitted)."""

import ctypes
import enum
import json
import math

from tessera import _library as c
from tessera.errors import InputError
from tessera.tensors import Tensor as _Held

from _ttmlir_runtime.runtime import Device

from ._values import Layout, Record, Tensor, Word, context

_MOST = 8  # results of a call


class _Call:
    """What the arguments of a call refer to."""

    def __init__(self):
        self.tensors, self.device, self.places = [], None, {}

    def tensor(self, t):
        if id(t) not in self.places:
            self.places[id(t)] = len(self.tensors)
            self.tensors.append(t)
        self.device = self.device or t.device()
        return {"tensor": self.places[id(t)]}

    def text(self, v):
        """A value as the call's JSON has it."""
        if isinstance(v, Tensor):
            return self.tensor(v)
        if isinstance(v, Device):
            self.device = v
            return {"device": True}
        if isinstance(v, (enum.Enum, Word)):
            return v.name
        if isinstance(v, float) and not math.isfinite(v):
            return str(v)
        if isinstance(v, (list, tuple)):
            return [self.text(x) for x in v]
        if hasattr(v, "as_argument"):
            return v.as_argument(self)
        if isinstance(v, Record):
            return {k: self.text(x) for k, x in v.__dict__.items() if k != "args"}
        if v is None or isinstance(v, (bool, int, float, str)):
            return v
        if type(v).__module__ == "torch":  # a dtype, where the host has one
            return str(v).rsplit(".", maxsplit=1)[-1]
        raise TypeError(f"a {type(v).__name__} is no argument of ttnn's functions")


def _mesh(found):
    """That of the device, or as many devices as a tensor of the host has parts for."""
    return list(found.device.get_mesh_shape()) if found.device is not None else [1, max([len(t._there()) for t in found.tensors], default=1)]


def _joined(parts):
    """One part, where all devices have the same."""
    return parts[:1] if all(p._handle == parts[0]._handle for p in parts) else parts


def _take_changes(found, before, after, n, devices):
    """Tensors that the function changed."""
    ctx = context()
    for i, t in enumerate(found.tensors):
        places = range(i, n * devices, n)
        if any(after[k] != before[k] for k in places):
            old = t._there()
            t.parts = _joined([old[min(d, len(old) - 1)] if after[k] == before[k] else _Held._of(ctx, after[k]) for d, k in enumerate(places)])


def call(function, args, named):
    """What the function gives: a tensor, several, or nothing."""
    found, ctx = _Call(), context()
    text = {"function": function, "arguments": [found.text(a) for a in args], "named": {k: found.text(v) for k, v in named.items()}}
    text["mesh"] = _mesh(found)
    devices, n = math.prod(text["mesh"]), len(found.tensors)
    parts = [t._there() for t in found.tensors]
    handles = [p[min(d, len(p) - 1)]._handle for d in range(devices) for p in parts]
    before, after = list(handles), c.handles(handles)
    out, count = (ctypes.c_void_p * (_MOST * devices))(), ctypes.c_size_t()
    ctx._call(c.lib.tsr_call_emitted, ctx._handle, c.to_str(json.dumps(text)), after, n, devices, out, _MOST, ctypes.byref(count))
    _take_changes(found, before, after, n, devices)
    layout = next((v for v in (*args, *named.values()) if isinstance(v, Layout)), None)
    first = found.tensors[0] if found.tensors else None
    results = []
    for i in range(count.value):
        made = _joined([_Held._of(ctx, out[d * count.value + i]) for d in range(devices)])
        results.append(Tensor.of(made, layout or (first.layout if first else Layout.ROW_MAJOR), found.device, named.get("memory_config") or (first.memory_config() if first else None)))
    return results[0] if len(results) == 1 else results or None


class Function:
    """A function of ttnn, or a namespace of some, by its name."""

    def __init__(self, name):
        self._name = name
        self.__name__ = self.__qualname__ = name

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return Function(f"{self._name}.{name}")

    def __call__(self, *args, **named):
        try:
            return call(self._name, args, named)
        except InputError as e:
            if "there is no function" not in str(e):
                raise
            raise NotImplementedError(f"{self._name} is not part of Tessera; see docs/EMIT.md for what is") from e
