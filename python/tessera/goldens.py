# SPDX-License-Identifier: Apache-2.0
"""Goldens: what each value of a program is to be, and how close a run comes to it."""

import ctypes
import json
import os
import sys
from ctypes import byref, c_void_p, cast

from . import _library as c
from ._library import lib, owned, to_str
from .errors import InputError
from .module import Module
from .tensors import Tensor, to_tensor
from .types import Type

_ENGINES = {"compiled": 0, "reference": 1}


class _Progress:
    """Calls a function with (done, all), or draws a bar on a terminal; an exception of the function ends the call, and goes on from there."""

    def __init__(self, wanted, title):
        self.raised = None
        self.title = title
        self.drawn = False
        if wanted is True:
            wanted = self._draw if sys.stderr.isatty() else None
        self.wanted = wanted or None
        self.function = c.PROGRESS_FN(self._call) if self.wanted else None

    @property
    def handle(self):
        return cast(self.function, c_void_p) if self.function else None

    def _call(self, _, done, all):
        try:
            return self.wanted(done, all) is not False
        except BaseException as e:  # it must not be lost in the library
            self.raised = e
            return False

    def _draw(self, done, all):
        self.drawn = True
        width = 40 * done // max(all, 1)
        sys.stderr.write(f"\r{self.title} [{'#' * width}{'.' * (40 - width)}] {done}/{all}")
        sys.stderr.flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.drawn:
            sys.stderr.write("\n")
        if self.raised is not None:
            raised, self.raised = self.raised, None
            raise raised


class GoldenOp:
    """An op that has goldens: its name, function, file, line and column."""

    __slots__ = ("_owner", "number", "name", "function", "file", "line", "col", "nresult")

    def __init__(self, owner, number):
        if not isinstance(owner, FunctionGoldens):
            raise InputError(f"goldens of a function are expected, not a {type(owner).__name__}")
        found = c.GoldenOp()
        lib.tsr_goldens_op(owner._handle, number, byref(found))
        self._owner, self.number = owner, number
        self.name, self.function, self.file = (c.borrowed(s).decode(errors="replace") for s in (found.name, found.function, found.file))
        self.line, self.col, self.nresult = found.line, found.col, found.nresult

    def result(self, index=0, device=0):
        """The golden of a result, an array."""
        return self._owner._array(lib.tsr_goldens_result, self.number, index, device)

    def split(self):
        """A module with this op alone, and its goldens: the same values."""
        return self._owner._split(self.number)

    def __repr__(self):
        return f"<GoldenOp {self.number}: {self.name} in @{self.function}>"


class FunctionGoldens:
    """Goldens of one function and of what it calls. They are computed when one is asked for, and are of the module as it was when they were made."""

    def __init__(self, module, function="", inputs=None, seed=0, max_bytes=0, folder=None, progress=None, *, _handle=None, _parent=None):
        if not isinstance(module, Module):
            raise InputError(f"a module is expected, not a {type(module).__name__}")
        self._keep = [_parent]  # tensors are views of arrays, which must live as long
        self.module, self.context, self.function = module, module.context, function
        self._progress = _Progress(progress, f"goldens of @{function}" if function else "goldens")
        folder = os.fsencode(folder) if folder is not None else None
        options = c.GoldenOptions(seed, max_bytes, folder, self._progress.handle, None)
        ctx = self.context
        self._handle = ctx._adopt(_handle or ctx._call(lib.tsr_goldens_new, module._handle, to_str(function), byref(options)))
        self.num_devices = lib.tsr_goldens_num_devices(self._handle)
        self.num_inputs = lib.tsr_goldens_num_inputs(self._handle)
        if inputs is not None:
            self.set_inputs(*inputs)

    def __del__(self):
        if getattr(self, "_handle", None) and lib:
            self.context._drop(lib.tsr_goldens_free, self._handle)
            self._handle = None

    def _input_type(self, index):
        handle = lib.tsr_module_input_type(self.module._handle, to_str(self.function), index)
        return Type._of(self.context, handle) if handle else None

    def _tensor(self, what, type):
        """A tensor of an array, or of what a function makes of a shape."""
        if type is None:
            raise InputError("there is no such input")
        if callable(what) and not hasattr(what, "__array__") and not hasattr(what, "__dlpack__"):
            what = _call_maker(what, type)
        tensor = to_tensor(self.context, what, type)
        self._keep.append(tensor)
        return tensor

    def set_input(self, index, what):
        """An input: an array, or a function that makes one of its shape, as numpy.zeros does."""
        tensor = self._tensor(what, self._input_type(index))
        self.context._call(lib.tsr_goldens_set_input, self._handle, index, tensor._handle)

    def set_inputs(self, *arrays):
        """All inputs, or those of PyTorch's module where the module is of a folder; None: random."""
        if self.module.saved:
            arrays = self.module.saved.complete(arrays, [self._input_type(i) for i in range(self.num_inputs)])
        if len(arrays) != self.num_inputs:
            raise InputError(f"the function takes {self.num_inputs} inputs, and {len(arrays)} are given")
        for i, array in enumerate(arrays):
            if array is not None:
                self.set_input(i, array)

    def set(self, value, what, device=None):
        """The golden of a value, on one device or on all: what uses it is computed from it."""
        tensor = self._tensor(what, value.type)
        where = c.ALL_DEVICES if device is None else device
        self.context._call(lib.tsr_goldens_set, self._handle, _of(value)._handle, where, tensor._handle)

    def bypass(self, value, on=True):
        """In checks, the golden takes the place of the value after this was compared."""
        self.context._call(lib.tsr_goldens_bypass, self._handle, _of(value)._handle, on)

    def _array(self, call, *arguments):
        with self._progress:
            found = self.context._call(call, self._handle, *arguments)
        return Tensor._of(self.context, found, self).numpy()

    def get(self, value, device=0):
        """The golden of a value of the module, an array."""
        return self._array(lib.tsr_goldens_get, _of(value)._handle, device)

    __getitem__ = get

    @property
    def ops(self):
        """The ops that have goldens, in the order of the program; those of functions that are called, too."""
        return [GoldenOp(self, i) for i in range(lib.tsr_goldens_num_ops(self._handle))]

    def split(self):
        """Each op that can stand alone as a module of its own, with its goldens: pairs."""
        found = []
        for op in self.ops:
            try:
                found.append(op.split())
            except InputError:
                continue  # it needs more than values: a function, a token
        return found

    def _split(self, number):
        handle = c_void_p()
        with self._progress:
            made = self.context._call(lib.tsr_goldens_split, self._handle, number, byref(handle))
        module = Module(context=self.context, _handle=made)
        return module, FunctionGoldens(module, _handle=handle.value, _parent=self)

    def check(self, engine="compiled", strict_rounding=False, graph_only=False, isolated=True, partition=False, rtol=None, atol=None, pcc=0.0, progress=None):
        """Runs the program and compares all its values with the goldens: a Report. graph_only: results of the function alone; isolated: also each op
        alone, from goldens; partition: on the mesh that the module's shardings are for; pcc: correlation that suffices, whatever the tolerance."""
        if engine not in _ENGINES:
            raise InputError(f"there is no engine {engine!r}: {', '.join(_ENGINES)}")
        tolerance = None if rtol is None and atol is None else ctypes.pointer(c.Tolerance(rtol or 0.0, atol or 0.0))
        found = c.GoldenReport()
        with self._progress, _Progress(progress, "checks of ops") as told:
            options = c.GoldenCheckOptions(
                _ENGINES[engine], strict_rounding, graph_only, not isolated, partition, tolerance, pcc or 0.0, told.handle, None
            )
            self.context._call(lib.tsr_goldens_check, self._handle, byref(options), byref(found))
        return Report(owned(found.table).decode(errors="replace"), json.loads(owned(found.json)))


def _of(value):
    """A value, from itself or an op with one result."""
    from .ops import Op, Value

    if isinstance(value, Op):
        value = value.result
    if not isinstance(value, Value):
        raise InputError(f"a value is expected, not a {type(value).__name__}")
    return value


def _call_maker(maker, type):
    from .tensors import dtype_of, numpy

    np = numpy()
    made = maker(type.shape)
    if hasattr(made, "detach"):
        return made
    made = np.asarray(made)
    return made.astype(dtype_of(type)) if made.dtype != dtype_of(type) else made


class Goldens:
    """Goldens of all functions of a module that no other calls. inputs: arrays of each by name, or a list for the only one; None where random ones
    will do. An input may be a function that makes an array of a shape."""

    def __init__(self, module, inputs=None, functions=None, **options):
        self.module = module
        names = list(functions) if functions is not None else _roots(module)
        if not names:
            raise InputError("the module has no function with a body")
        if inputs is not None and not isinstance(inputs, dict):
            if len(names) != 1:
                raise InputError(f"inputs are given by function: {', '.join(names)}")
            inputs = {names[0]: inputs}
        unknown = set(inputs or ()) - set(names)
        if unknown:
            raise InputError(f"there is no function {', '.join(sorted(unknown))}; there are {', '.join(names)}")
        self.functions = {name: FunctionGoldens(module, name, (inputs or {}).get(name), **options) for name in names}

    def __getitem__(self, what):
        """Goldens of a function by its name, or the golden of a value."""
        return self.functions[what] if isinstance(what, str) else self.get(what)

    def _first(self, call, value, *arguments, **options):
        failure = None
        for goldens in self.functions.values():
            try:
                return getattr(goldens, call)(value, *arguments, **options)
            except InputError as e:
                failure = failure or e
        raise failure

    def get(self, value, device=0):
        return self._first("get", value, device)

    def set(self, value, what, device=None):
        return self._first("set", value, what, device)

    def bypass(self, value, on=True):
        return self._first("bypass", value, on)

    def check(self, **options):
        """A Report of all functions, one after the other: see FunctionGoldens.check."""
        reports = [goldens.check(**options) for goldens in self.functions.values()]
        return reports[0] if len(reports) == 1 else Report.join(reports)

    def split(self):
        """Each op as a module of its own with its goldens: pairs."""
        return [pair for goldens in self.functions.values() for pair in goldens.split()]


def _roots(module):
    """Functions with a body that no other one calls, those of nested modules included."""
    found, called = [], set()
    for op in module.walk():
        if op.name == "func.func" and op.body is not None and not _on_host(op):
            found.append(op.attributes["sym_name"].value)
        for name in ("callee", "decomposition"):
            if name in op.attributes and op.name != "func.func":
                called.add(str(op.attributes[name].value).split("::")[-1])
    return [name for name in found if name not in called]


def _on_host(op):
    parent = op.parent
    while parent is not None:
        if parent.name == "ttcore.cpu_module":
            return True
        parent = parent.parent
    return False


class Report:
    """What a check found: true when all values are good. str() is a table; data has all of it."""

    def __init__(self, text, data):
        self.text, self.data = text, data

    @classmethod
    def join(cls, reports):
        data = {
            "passed": all(r.passed for r in reports),
            "functions": [r.data for r in reports],
            "ops": [op for r in reports for op in r.ops],
            "first": next((r.first for r in reports if r.first), None),
        }
        return cls("\n".join(r.text for r in reports), data)

    @property
    def passed(self):
        return self.data["passed"]

    @property
    def first(self):
        """The first value that is off; None."""
        return self.data["first"]

    @property
    def ops(self):
        """One dictionary a value: function, op, number, result, device, type, location, bypassed, isolated, accumulated."""
        return self.data["ops"]

    def save(self, path):
        """Writes JSON."""
        c.write_file(path, json.dumps(self.data, indent=1))

    def __bool__(self):
        return self.passed

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"<Report: {'passed' if self.passed else 'off'}, {len(self.ops)} values>"

    def _repr_html_(self):
        from html import escape

        rows = []
        for op in self.ops:
            cells = [op["function"], op["op"], str(op["result"]), str(op["device"]), op["type"], op["location"] or ""]
            good = True
            for kind in ("isolated", "accumulated"):
                found = op[kind]
                good = good and (not found or found["passed"])
                cells.append("" if not found else f"{found['max_abs']:.3g}" if found["max_abs"] is not None else "not finite")
            cells.append(("good" if good else "off") + (", bypassed" if op["bypassed"] else ""))
            style = "" if good else ' style="background: #fdd"'
            rows.append(f"<tr{style}>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
        head = "".join(f"<th>{name}</th>" for name in ("function", "op", "result", "device", "type", "location", "alone", "whole", "verdict"))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


__all__ = ["FunctionGoldens", "GoldenOp", "Goldens", "Report"]
