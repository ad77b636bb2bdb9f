"""Running programs: once with run, many times with an Executable."""

from ctypes import byref, c_size_t, c_void_p

from . import _library as c
from ._library import handles, lib, to_str
from .errors import InputError
from .types import Type
from .tensors import Tensor, to_tensor

_ENGINES = {"compiled": 0, "reference": 1}
_ZERO_DIVISION = {"warn": 0, "error": 1, "ignore": 2}


def _signature(module, function):
    nin, nout = c_size_t(), c_size_t()
    name = to_str(function)
    if not lib.tsr_module_signature(module._handle, name, byref(nin), byref(nout)):
        raise InputError(f"the module has no function {function!r}" if function else "the module has no main, and not one function")
    return [Type(module.context, lib.tsr_module_input_type(module._handle, name, i)) for i in range(nin.value)], nout.value


def _inputs(context, types, arrays):
    if len(arrays) != len(types):
        raise InputError(f"the function takes {len(types)} inputs, and {len(arrays)} are given")
    return [to_tensor(context, a, t) for a, t in zip(arrays, types)]


def _call(context, function, handle, name, tensors, nout, options):
    found = (c_void_p * nout)()
    head = (handle,) if name is None else (handle, name)
    given = handles([t._handle for t in tensors])
    context._call(function, *head, given, len(tensors), found, nout, options)
    return [Tensor(context, h).numpy() if lib.tsr_tensor_element(h) else Tensor(context, h) for h in found]


def run(module, arrays, function, engine, seed, spmd, zero_division):
    """See Module.run."""
    if engine not in _ENGINES:
        raise InputError(f"there is no engine {engine!r}: {', '.join(_ENGINES)}")
    if zero_division not in _ZERO_DIVISION:
        raise InputError(f"zero_division is one of {', '.join(_ZERO_DIVISION)}")
    types, nout = _signature(module, function)
    tensors = _inputs(module.context, types, arrays)
    options = c.EvalOptions(_ZERO_DIVISION[zero_division], _ENGINES[engine], seed, None, None, None)
    call = lib.tsr_module_eval_spmd if spmd else lib.tsr_module_eval_with
    return _call(module.context, call, module._handle, to_str(function), tensors, nout, byref(options))


def random_inputs(module, function, seed):
    """See Module.random_inputs."""
    types, _ = _signature(module, function)
    call, name = lib.tsr_module_random_input, to_str(function)
    found = [module.context._call(call, module._handle, name, i, seed + i) for i in range(len(types))]
    return [Tensor(module.context, h).numpy() for h in found]


class Executable:
    """A compiled function: call it with arrays, as often as wanted and from several threads."""

    def __init__(self, module, function="", strict_rounding=False):
        ctx = self.context = module.context
        options = c.CompileOptions(strict_rounding, False)
        self._handle = ctx._adopt(ctx._call(lib.tsr_module_compile, module._handle, to_str(function), byref(options)))
        n = lib.tsr_executable_num_inputs(self._handle)
        self.input_types = [Type(ctx, lib.tsr_executable_input_type(self._handle, i)) for i in range(n)]
        n = lib.tsr_executable_num_outputs(self._handle)
        self.output_types = [Type(ctx, lib.tsr_executable_output_type(self._handle, i)) for i in range(n)]
        self.num_devices = lib.tsr_executable_num_devices(self._handle)

    def __del__(self):
        if getattr(self, "_handle", None) and lib:
            self.context._drop(lib.tsr_executable_free, self._handle)
            self._handle = None

    def __call__(self, *arrays):
        """A list of results. Of a program for several devices: inputs and results device by device."""
        tensors = _inputs(self.context, self.input_types * self.num_devices, arrays)
        return _call(self.context, lib.tsr_executable_run, self._handle, None, tensors, len(self.output_types) * self.num_devices, None)

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
    from .context import default_context

    ctx = context or default_context()
    a, b = to_tensor(ctx, actual), to_tensor(ctx, expected)
    tolerance = None if rtol is None and atol is None else byref(c.Tolerance(rtol or 0.0, atol or 0.0))
    out = c.Comparison()
    lib.tsr_tensor_compare(a._handle, b._handle, tolerance, byref(out))
    return Comparison(out)
