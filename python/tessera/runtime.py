"""Running programs: once with run, many times with an Executable."""

import os
import sys
from ctypes import byref, c_size_t, c_void_p, cast

from . import _library as c
from ._library import handles, lib, owned, to_str
from .errors import InputError
from .types import Type
from .tensors import Tensor, is_torch, to_tensor

_ENGINES = {"compiled": 0, "reference": 1}
_ZERO_DIVISION = {"warn": 0, "error": 1, "ignore": 2}


def _signature(module, function):
    nin, nout = c_size_t(), c_size_t()
    name = to_str(function)
    if not lib.tsr_module_signature(module._handle, name, byref(nin), byref(nout)):
        raise InputError(f"the module has no function {function!r}" if function else "the module has no main, and not one function")
    return [Type._of(module.context, lib.tsr_module_input_type(module._handle, name, i)) for i in range(nin.value)], nout.value


def _inputs(context, types, arrays):
    if len(arrays) != len(types):
        raise InputError(f"the function takes {len(types)} inputs, and {len(arrays)} are given")
    return [to_tensor(context, a, t) for a, t in zip(arrays, types)]


def _call(context, function, handle, name, tensors, nout, options, torch=False):
    found = (c_void_p * nout)()
    head = (handle,) if name is None else (handle, name)
    given = handles([t._handle for t in tensors])
    context._call(function, *head, given, len(tensors), found, nout, options)
    lent = {lib.tsr_tensor_data(t._handle) for t in tensors}  # a result may be an input, and then lives in its array
    made = [Tensor._of(context, h, tensors if lib.tsr_tensor_data(h) in lent else None) for h in found]
    return [(t.torch() if torch else t.numpy()) if lib.tsr_tensor_element(t._handle) else t for t in made]


class Stop:
    """Where a run waits: file, line and column of a debug.breakpoint, its value as an array, and its text."""

    __slots__ = ("file", "line", "col", "text", "value")

    def __init__(self, at):
        self.file, self.text = (c.borrowed(s).decode(errors="replace") for s in (at.file, at.text))
        self.line, self.col, self.value = at.line, at.col, None


def _prompt(stop):
    """Asks somebody at a terminal: False ends the run."""
    sys.stderr.write(f"{stop.file}:{stop.line}: breakpoint\n{stop.text}Enter goes on, q ends the run: ")
    sys.stderr.flush()
    return sys.stdin.readline().strip() != "q"


class _Debug:
    """What ops of debugging do in a run. An exception of a function that is called ends the run, and goes on from there."""

    def __init__(self, context, on_print, on_breakpoint, folder):
        self.context, self.raised = context, None
        self.on_print = on_print or (lambda text: sys.stdout.write(text))
        if on_breakpoint is None and sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty():
            on_breakpoint = _prompt
        self.on_breakpoint = on_breakpoint
        self._print = c.PRINT_FN(self._printed)
        self._pause = c.BREAKPOINT_FN(self._stopped) if on_breakpoint else None
        self.folder = os.fsencode(folder) if folder is not None else None

    def fill(self, options):
        options.print = cast(self._print, c_void_p)
        options.breakpoint = cast(self._pause, c_void_p) if self._pause else None
        options.folder = self.folder
        return options

    def _printed(self, _, text):
        try:
            self.on_print(c.borrowed(text).decode(errors="replace"))
        except BaseException as e:  # it must not be lost in the library
            self.raised = self.raised or e

    def _stopped(self, _, at):
        try:
            stop = Stop(at.contents)
            stop.value = _copied(self.context, at.contents.value)
            return self.on_breakpoint(stop) is not False
        except BaseException as e:  # it must not be lost in the library
            self.raised = self.raised or e
            return False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.raised is not None:
            raise self.raised


def _copied(context, handle):
    """The elements of a tensor that the library lends."""
    from .tensors import numpy

    if not handle or not lib.tsr_tensor_element(handle):
        return None
    lent = Tensor.__new__(Tensor)
    lent.context, lent._keep, lent._handle = context, None, handle
    try:
        return numpy().array(lent.numpy())
    finally:
        lent._handle = None  # it is not its own


def _options(engine, seed, zero_division, debug):
    if engine not in _ENGINES:
        raise InputError(f"there is no engine {engine!r}: {', '.join(_ENGINES)}")
    if zero_division not in _ZERO_DIVISION:
        raise InputError(f"zero_division is one of {', '.join(_ZERO_DIVISION)}")
    return debug.fill(c.EvalOptions(_ZERO_DIVISION[zero_division], _ENGINES[engine], seed))


def run(module, arrays, function, engine, seed, spmd, zero_division, on_print, on_breakpoint, folder):
    """See Module.run."""
    types, nout = _signature(module, function)
    with _Debug(module.context, on_print, on_breakpoint, folder) as debug:
        options = _options(engine, seed, zero_division, debug)
        tensors = _inputs(module.context, types, arrays)
        call = lib.tsr_module_eval_spmd if spmd else lib.tsr_module_eval_with
        torch = any(is_torch(a) for a in arrays)
        return _call(module.context, call, module._handle, to_str(function), tensors, nout, byref(options), torch)


def profile(module, arrays, function, times):
    """See Module.profile."""
    import json

    types, _ = _signature(module, function)
    arrays = arrays or random_inputs(module, function, 0)
    tensors = _inputs(module.context, types, arrays)
    given, told = handles([t._handle for t in tensors]), []
    for as_json in (False, True):
        status = c.Status()
        module.context._said = []
        text = owned(lib.tsr_module_profile(module._handle, to_str(function), given, len(tensors), times, as_json, None, byref(status)))
        if text is None:
            module.context._fail(status)
        told.append(text.decode(errors="replace"))
    return Profile(told[0], json.loads(told[1]))


class Profile:
    """Where a compiled program spends its time and memory: str() for people; data: seconds, compile_seconds, groups, memory."""

    def __init__(self, text, data):
        self.text, self.data = text, data

    def __str__(self):
        return self.text

    def _repr_html_(self):
        from html import escape

        rows = []
        for group in self.data["groups"] or ():
            cells = (group["name"], group["kind"], str(group["runs"]), f"{1e6 * group['seconds']:.1f}", group["at"])
            rows.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
        head = "".join(f"<th>{name}</th>" for name in ("ops", "kind", "runs", "microseconds", "location"))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def random_inputs(module, function, seed):
    """See Module.random_inputs."""
    types, _ = _signature(module, function)
    call, name = lib.tsr_module_random_input, to_str(function)
    found = [module.context._call(call, module._handle, name, i, seed + i) for i in range(len(types))]
    return [Tensor._of(module.context, h).numpy() for h in found]


class Executable:
    """A compiled function: call it with arrays, as often as wanted and from several threads."""

    def __init__(self, module, function="", strict_rounding=False):
        from .module import Module

        if not isinstance(module, Module):
            raise InputError(f"a module is expected, not a {type(module).__name__}")
        options = c.CompileOptions(strict_rounding, False)
        self._hold(module.context, module.context._call(lib.tsr_module_compile, module._handle, to_str(function), byref(options)))

    @classmethod
    def load(cls, data, context=None):
        """A program that save gave: bytes, which may come from anywhere."""
        from .context import _or_default

        ctx = _or_default(context)
        self = cls.__new__(cls)
        self._hold(ctx, ctx._call(lib.tsr_executable_load, ctx._handle, to_str(data), to_str("<bytes>")))
        return self

    def save(self):
        """The program as bytes (.tsrx): it runs without its module, in this version."""
        status = c.Status()
        data = owned(lib.tsr_executable_save(self._handle, byref(status)))
        if data is None:
            self.context._fail(status)
        return data

    @property
    def module(self):
        """A copy of the module that it was compiled from, in the form that runs."""
        from .module import Module

        return Module(context=self.context, _handle=lib.tsr_executable_module(self._handle))

    def _hold(self, ctx, handle):
        self.context = ctx
        self._handle = ctx._adopt(handle)
        n = lib.tsr_executable_num_inputs(self._handle)
        self.input_types = [Type._of(ctx, lib.tsr_executable_input_type(self._handle, i)) for i in range(n)]
        n = lib.tsr_executable_num_outputs(self._handle)
        self.output_types = [Type._of(ctx, lib.tsr_executable_output_type(self._handle, i)) for i in range(n)]
        self.num_devices = lib.tsr_executable_num_devices(self._handle)

    def __del__(self):
        if getattr(self, "_handle", None) and lib:
            self.context._drop(lib.tsr_executable_free, self._handle)
            self._handle = None

    def __call__(self, *arrays):
        """A list of results. Of a program for several devices: inputs and results device by device."""
        tensors = _inputs(self.context, self.input_types * self.num_devices, arrays)
        nout, torch = len(self.output_types) * self.num_devices, any(is_torch(a) for a in arrays)
        return _call(self.context, lib.tsr_executable_run, self._handle, None, tensors, nout, None, torch)

    @property
    def memory(self):
        """Bytes of a run: arguments, results, constants, arena, unplanned, peak, peak_least."""
        use = c.MemoryUse()
        if not lib.tsr_executable_memory(self._handle, byref(use)):
            raise InputError("the program's memory is not known")
        return {name: getattr(use, name) for name, _ in c.MemoryUse._fields_}


class Comparison:
    """How close an array is to the expected one."""

    __slots__ = tuple(name for name, _ in c.Comparison._fields_)

    def __init__(self, found):
        for name in self.__slots__:
            setattr(self, name, getattr(found, name))

    def __bool__(self):
        return self.passed

    def __repr__(self):
        return f"<Comparison: {', '.join(f'{name}={getattr(self, name)}' for name in self.__slots__)}>"


def compare(actual, expected, rtol=None, atol=None, context=None):
    """Compares two arrays: a Comparison, true when they agree within the tolerance, which has a default for each type."""
    from .context import _or_default

    ctx = _or_default(context)
    a, b = to_tensor(ctx, actual), to_tensor(ctx, expected)
    tolerance = None if rtol is None and atol is None else byref(c.Tolerance(rtol or 0.0, atol or 0.0))
    out = c.Comparison()
    lib.tsr_tensor_compare(a._handle, b._handle, tolerance, byref(out))
    return Comparison(out)
