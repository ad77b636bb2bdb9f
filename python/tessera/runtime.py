# SPDX-License-Identifier: Apache-2.0
"""Running programs: once with run, many times with an Executable."""

import os
import sys
from ctypes import addressof, byref, c_char, c_size_t, c_void_p, cast

from . import _library as c
from ._library import handles, lib, owned, to_str
from .errors import EnvironmentFailure, InputError
from .types import Type
from .tensors import Tensor, dtypes, is_torch, numpy, to_tensor

_ENGINES = {"compiled": 0, "reference": 1}
_ZERO_DIVISION = {"warn": 0, "error": 1, "ignore": 2}


def _signature(module, function):
    nin, nout = c_size_t(), c_size_t()
    name = to_str(function)
    if not lib.tsr_module_signature(module._handle, name, byref(nin), byref(nout)):
        raise InputError(f"the module has no function {function!r}" if function else "the module has no main, and not one function")
    return [Type._of(module.context, lib.tsr_module_input_type(module._handle, name, i)) for i in range(nin.value)], nout.value


class Saved:
    """A folder of torch_xla: what the arguments of its program are, and its weights, which are read when they are first used."""

    def __init__(self, context, folder, function=""):
        self.context, self._loaded = context, {}
        self._handle = context._adopt(context._call(lib.tsr_saved_open, context._handle, os.fsencode(folder), to_str(function)))
        self.program = lib.tsr_saved_program(self._handle)
        self.num_inputs = lib.tsr_saved_num_inputs(self._handle)
        n = lib.tsr_saved_num_arguments(self._handle)
        self.sources = [lib.tsr_saved_input(self._handle, i) for i in range(n)]

    def __del__(self):
        if getattr(self, "_handle", None) and lib:
            self.context._drop(lib.tsr_saved_free, self._handle)
            self._handle = None

    def weight(self, i, type):
        """Argument i, which is stored."""
        found = self._loaded.get(i)
        if found is None:
            element = lib.tsr_type_element(type._handle)
            handle = self.context._call(lib.tsr_saved_load, self._handle, i, self.context._handle, element)
            found = self._loaded[i] = Tensor._of(self.context, handle)
        return found

    def takes(self, arrays, types):
        """Whether arrays are the inputs of PyTorch's module, and not all arguments of its program."""
        return len(types) == len(self.sources) and (len(arrays) != len(types) or all(s >= 0 for s in self.sources))

    def complete(self, arrays, types):
        """All arguments, from the inputs of PyTorch's module."""
        if not self.takes(arrays, types):
            return arrays
        if len(arrays) != self.num_inputs:
            raise InputError(f"the model takes {self.num_inputs} inputs, and {len(arrays)} are given")
        return [arrays[s] if s >= 0 else self.weight(i, types[i]) for i, s in enumerate(self.sources)]


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
    """Where a run waits: file, line and column of a debug.breakpoint, its value as an array, its text, and the device that has reached it."""

    __slots__ = ("file", "line", "col", "text", "value", "device")

    def __init__(self, at):
        self.file, self.text = (c.borrowed(s).decode(errors="replace") for s in (at.file, at.text))
        self.line, self.col, self.device, self.value = at.line, at.col, at.device, None


def _prompt(stop):
    """Asks somebody at a terminal: False ends the run."""
    where = f", device {stop.device}" if stop.device else ""
    sys.stderr.write(f"{stop.file}:{stop.line}: breakpoint{where}\n{stop.text}Enter goes on, q ends the run: ")
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
        arrays = module.saved.complete(arrays, types) if module.saved else arrays
        tensors = _inputs(module.context, types, arrays)
        call = lib.tsr_module_eval_spmd if spmd else lib.tsr_module_eval_with
        torch = any(is_torch(a) for a in arrays)
        return _call(module.context, call, module._handle, to_str(function), tensors, nout, byref(options), torch)


def profile(module, arrays, function, times):
    """See Module.profile."""
    import json

    types, _ = _signature(module, function)
    arrays = module.saved.complete(arrays, types) if module.saved and arrays else arrays
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


def devices(kind="cuda"):
    """The devices of a kind that this machine has, with their memory, and the libraries that its plug-in looks for: a dict."""
    import json

    status = c.Status()
    text = owned(lib.tsr_device_report(to_str(kind), True, byref(status)))
    if text is None:
        raise (InputError if status.code == 1 else EnvironmentFailure)(status.message.decode(errors="replace"))
    return json.loads(text.decode(errors="replace"))


class Executable:
    """A compiled function: call it with arrays, as often as wanted and from several threads."""

    def __init__(self, module, function="", strict_rounding=False, device=None):
        from .module import Module

        if not isinstance(module, Module):
            raise InputError(f"a module is expected, not a {type(module).__name__}")
        options = c.CompileOptions(strict_rounding, False, False, to_str(device or ""))
        self._hold(module.context, module.context._call(lib.tsr_module_compile, module._handle, to_str(function), byref(options)))
        self._saved = module.saved

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
        self._away = bool(lib.tsr_executable_device(self._handle))
        self._saved = self._frame = self._bound = None

    def __del__(self):
        if getattr(self, "_handle", None) and lib:
            self.context._drop(lib.tsr_executable_free, self._handle)
            self._handle = None

    def __call__(self, *arrays):
        """A list of results, arrays of their own. Of a program for several devices: inputs and results device by device."""
        if self._away:
            return self._run_there(arrays, False)
        frame = self._frame or self._prepare()
        if self._saved and self._saved.takes(arrays, self.input_types):
            if frame.fixed:
                return self._model(arrays)
            arrays = self._saved.complete(arrays, self.input_types)
        if frame.fixed and len(arrays) == len(frame.inputs):
            pairs = frame.taken(range(len(arrays)), arrays)
            return frame.call(pairs, pairs.torch)
        tensors = _inputs(self.context, self.input_types * self.num_devices, arrays)
        nout, torch = len(self.output_types) * self.num_devices, any(is_torch(a) for a in arrays)
        return _call(self.context, lib.tsr_executable_run, self._handle, None, tensors, nout, None, torch)

    def enqueue(self, *arrays):
        """A list of results, tensors in the memory of the program's device, which may not be computed yet: what reads them waits. Inputs may be
        such tensors, too."""
        if not self._away:
            raise InputError("the program runs on this processor: compile it with device=")
        return self._run_there(arrays, True)

    def _run_there(self, arrays, stay):
        """On a device with memory of its own. Results are of torch, in that memory, if an input is."""
        arrays = self._saved.complete(arrays, self.input_types) if self._saved else arrays
        tensors = _inputs(self.context, self.input_types * self.num_devices, arrays)
        torch, nout = any(is_torch(a) for a in arrays), len(self.output_types) * self.num_devices
        there = torch and any(is_torch(a) and a.is_cuda for a in arrays)
        found, options = (c_void_p * nout)(), c.ExecuteOptions(stay=stay or there)
        given = handles([t._handle for t in tensors])
        self.context._call(lib.tsr_executable_run, self._handle, given, len(tensors), found, nout, byref(options))
        made = [Tensor._of(self.context, h, tensors) for h in found]
        if stay:
            return made
        return [(t.torch() if torch else t.numpy()) if lib.tsr_tensor_element(t._handle) else t for t in made]

    def _prepare(self):
        self._frame = _Frame(self)
        return self._frame

    def _model(self, arrays):
        """A call with the inputs of PyTorch's module: weights are bound once."""
        saved, types = self._saved, self.input_types
        if len(arrays) != saved.num_inputs:
            raise InputError(f"the model takes {saved.num_inputs} inputs, and {len(arrays)} are given")
        if self._bound is None:
            self._bound = Bound(self, [None if s >= 0 else saved.weight(i, types[i]) for i, s in enumerate(saved.sources)])
        return self._bound(*[arrays[s] for s in saved.sources if s >= 0])

    def bind(self, *arrays, results=None):
        """A Bound program, which has some of its inputs: arrays in order, None for one that each call gives, as it does those after the last.
        results: arrays that each call writes, instead of new ones."""
        if self._away:
            raise InputError("a program is bound that runs on this processor; one of a device takes tensors that are there")
        return Bound(self, arrays, results)

    @property
    def memory(self):
        """Bytes of a run: arguments, results, constants, arena, unplanned, peak, peak_least, donated, workspace."""
        use = c.MemoryUse()
        if not lib.tsr_executable_memory(self._handle, byref(use)):
            raise InputError("the program's memory is not known")
        return {name: getattr(use, name) for name, _ in c.MemoryUse._fields_}


_LARGE = 1 << 17  # bytes of a block that the library keeps for the next one


class _Memory:
    """Memory of the library, given back with the last array over it: a large result of the next call needs no new pages then."""

    __slots__ = ("at",)

    def __init__(self, size):
        self.at = lib.tsr_buffer_new(size)
        if not self.at:
            raise MemoryError(f"there is no memory for a result of {size} bytes")

    def __del__(self):
        if getattr(self, "at", None) and lib:
            lib.tsr_buffer_free(self.at)


class _Place:
    """What an array must be to be an input or a result as it is: dtype, NumPy's and torch's, shape, and alignment."""

    __slots__ = ("type", "dtype", "torch", "shape", "fits", "size", "odd", "quick", "block")

    def __init__(self, type):
        np = numpy()
        self.type, self.shape = type, type.shape
        self.dtype, self.torch, exact = dtypes(type)
        self.fits = self.shape if exact else None  # to_tensor looks at bits of types that NumPy lacks
        self.size = int(np.prod(self.shape, dtype=np.int64)) * self.dtype.itemsize
        self.odd = min(self.dtype.itemsize, 8) - 1
        self.quick = self.dtype.isbuiltin == 1 and self.size > 0  # arrays are buffers, whose address is found three times as fast, if they can be written
        self.block = c_char * self.size if self.size >= _LARGE else None

    def address(self, array, write=False):
        """Of the first element, where the array is as it must be; else None."""
        if is_torch(array):
            good = str(array.dtype) == self.torch and array.shape == self.shape and array.is_contiguous() and array.device.type == "cpu"
            return array.data_ptr() if good else None
        if not isinstance(array, numpy().ndarray) or array.dtype != self.dtype or array.shape != (self.shape if write else self.fits):
            return None
        flags = array.flags
        if not flags.c_contiguous or not flags.aligned or write and not flags.writeable:
            return None
        return array.ctypes.data


class _Frame:
    """How an executable is called on memory: its places, and arrays of pairs of address and size, with the sizes filled in. Calls copy them, so that
    threads do not meet."""

    def __init__(self, program):
        self.context, self._handle = program.context, program._handle
        types = program.input_types * program.num_devices, program.output_types * program.num_devices
        self.fixed = all(t.kind == "tensor" and None not in t.shape for t in (*types[0], *types[1]))
        if not self.fixed:
            return
        self.inputs, self.outputs = ([_Place(t) for t in some] for some in types)
        self.given, self.made = _pairs(self.inputs), _pairs(self.outputs)
        self.ndarray, self.empty = numpy().ndarray, numpy().empty

    def taken(self, wanted, arrays, pairs=None):
        """A copy of the pairs of inputs, with the addresses of these arrays. It keeps what was made for them, and knows whether one is torch's."""
        pairs = type(self.given).from_buffer_copy(pairs or self.given)
        ndarray, places, kept, torch = self.ndarray, self.inputs, [], False
        for i, array in zip(wanted, arrays):
            place = places[i]
            if array.__class__ is ndarray and array.shape == place.fits and array.dtype == place.dtype:
                flags = array.flags
                if flags.c_contiguous:
                    at = addressof(c_char.from_buffer(array)) if place.quick and flags.writeable else array.ctypes.data
                    if not at & place.odd:
                        pairs[2 * i] = at
                        continue
            torch = torch or is_torch(array)
            at = place.address(array)
            if at is None:
                kept.append(self.tensor(array, place))
                at = lib.tsr_tensor_data(kept[-1]._handle)
            pairs[2 * i] = at
        pairs.kept, pairs.torch = kept, torch
        return pairs

    def tensor(self, array, place):
        tensor = to_tensor(self.context, array, place.type)
        if tensor.shape != place.shape:
            raise InputError(f"an array of shape {tensor.shape} is given where {place.type} is expected")
        return tensor

    def call(self, pairs, torch):
        """New results of a run, of NumPy or torch."""
        into, made = type(self.made).from_buffer_copy(self.made), []
        for i, place in enumerate(self.outputs):
            if place.block:
                memory = _Memory(place.size)
                into[2 * i] = memory.at
                block = place.block.from_address(memory.at)
                block._memory = memory
                made.append(_over(block, place, torch))
                continue
            array = _torch_empty(place) if torch else self.empty(place.shape, place.dtype)
            into[2 * i] = array.data_ptr() if torch else addressof(c_char.from_buffer(array)) if place.quick else array.ctypes.data
            made.append(array)
        self.run(pairs, into)
        return made

    def run(self, pairs, into):
        status = c.Status()
        if not _run_buffers(self._handle, pairs, len(self.inputs), into, len(self.outputs), None, byref(status)):
            self.context._said = []
            self.context._fail(status)


_run_buffers = lib.tsr_executable_run_buffers


def _pairs(places):
    pairs = (c_size_t * (2 * len(places)))()
    for i, place in enumerate(places):
        pairs[2 * i + 1] = place.size
    return pairs


def _torch_dtype(place):
    import torch

    dtype = getattr(torch, place.torch.rpartition(".")[2], None)
    if dtype is None:
        raise InputError(f"torch has no elements of {place.type.element}")
    return dtype


def _torch_empty(place):
    import torch

    return torch.empty(place.shape, dtype=_torch_dtype(place))


def _over(block, place, torch):
    """An array of NumPy or torch over memory that it keeps alive."""
    if not torch:
        return numpy().frombuffer(block, place.dtype).reshape(place.shape)
    import torch

    return torch.frombuffer(block, dtype=_torch_dtype(place)).reshape(place.shape)


class Bound:
    """A compiled function with some of its inputs: see Executable.bind. Their arrays are read when it is called, so their elements may change between
    calls; those whose elements had to be converted were copied. It may be called from several threads if it has no results of its own."""

    def __init__(self, program, arrays, results=None):
        if not isinstance(program, Executable):
            raise InputError(f"an executable is expected, not a {type(program).__name__}")
        frame = program._frame or program._prepare()
        if not frame.fixed:
            raise InputError("a program is bound whose inputs and results are tensors of known sizes")
        if len(arrays) > len(frame.inputs):
            raise InputError(f"the function takes {len(frame.inputs)} inputs, and {len(arrays)} are given")
        self.program, self._frame = program, frame
        bound = [i for i, a in enumerate(arrays) if a is not None]
        self._kept = [_held(frame, frame.inputs[i], arrays[i]) for i in bound]
        self._pairs = frame.taken(bound, self._kept)
        self._open = [i for i in range(len(frame.inputs)) if i >= len(arrays) or arrays[i] is None]
        self.results = None if results is None else list(results)
        self._into = None if results is None else self._written(self.results)

    def _written(self, results):
        places = self._frame.outputs
        if len(results) != len(places):
            raise InputError(f"the function gives {len(places)} results, and {len(results)} arrays are given")
        into = type(self._frame.made).from_buffer_copy(self._frame.made)
        for i, (place, array) in enumerate(zip(places, results)):
            at = place.address(array, write=True)
            if at is None:
                raise InputError(f"result {i} is {place.type}: a row-major array of that shape and type is written, which may be changed")
            into[2 * i] = at
        return into

    def __call__(self, *arrays):
        """A list of results: new arrays, or those that are bound. arrays: the inputs that are not bound, in order."""
        frame = self._frame
        if len(arrays) != len(self._open):
            raise InputError(f"{len(self._open)} inputs are not bound, and {len(arrays)} are given")
        pairs = frame.taken(self._open, arrays, self._pairs) if arrays else self._pairs
        if self._into is not None:
            frame.run(pairs, self._into)
            return self.results
        return frame.call(pairs, pairs.torch or self._pairs.torch)


def _held(frame, place, array):
    """An array that is bound: itself, where the library reads it as it is, or a tensor."""
    small = place.type.element.width < 8 if place.type.element.kind in ("integer", "float") else False
    return array if place.address(array) is not None and not small else frame.tensor(array, place)


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
