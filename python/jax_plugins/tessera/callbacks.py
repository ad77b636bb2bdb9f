# SPDX-License-Identifier: Apache-2.0
"""Callbacks to Python: pure_callback, io_callback, debug.callback, debug.print, buffer_callback.

JAX lowers them for the platforms that it knows. For tessera, each becomes a call of the target tessera_python_callback with a
number; the plugin calls back one function of this module, which finds the callback of the number and runs it.
"""

import ctypes
import inspect
import itertools
import secrets
import threading
import traceback

import numpy as np

TARGET = "tessera_python_callback"

# Another process's numbers are others: a program that its cache kept must not be found by ours.
_numbers = itertools.count(secrets.randbits(48))
_callbacks = {}
_lock = threading.Lock()


class _Array(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int),
        ("rank", ctypes.c_size_t),
        ("dims", ctypes.POINTER(ctypes.c_int64)),
        ("data", ctypes.c_void_p),
    ]


_Function = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_int64,
    ctypes.c_size_t,
    ctypes.POINTER(_Array),
    ctypes.c_size_t,
    ctypes.POINTER(_Array),
    ctypes.c_void_p,
    ctypes.c_size_t,
)


def _dtypes():
    """Element types by PJRT's numbers."""
    import ml_dtypes

    plain = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split()
    types = {i + 1: np.dtype(name) for i, name in enumerate(plain)}
    types[14], types[15] = np.dtype("complex64"), np.dtype("complex128")
    others = {
        13: "bfloat16", 16: "float8_e5m2", 17: "float8_e4m3fn", 18: "float8_e4m3b11fnuz", 19: "float8_e5m2fnuz",
        20: "float8_e4m3fnuz", 21: "int4", 22: "uint4", 24: "int2", 25: "uint2", 26: "float8_e4m3", 27: "float8_e3m4",
        28: "float8_e8m0fnu", 29: "float4_e2m1fn", 32: "float6_e2m3fn", 33: "float6_e3m2fn",
    }  # fmt: skip
    types.update({i: np.dtype(getattr(ml_dtypes, name)) for i, name in others.items() if hasattr(ml_dtypes, name)})
    return types


_TYPES = _dtypes()


def _view(array):
    """NumPy's view of the plugin's data."""
    shape = tuple(array.dims[d] for d in range(array.rank))
    dtype = _TYPES[array.type]
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if not size:
        return np.zeros(shape, dtype)
    raw = (ctypes.c_char * size).from_address(array.data)
    return np.frombuffer(raw, dtype=np.uint8).view(dtype).reshape(shape)


class _Buffer(np.ndarray):
    """An array on the plugin's memory, with what JAX's own buffers have beside."""

    @property
    def writeable(self):
        return self.flags.writeable


def _read_only(array):
    array = array.view(_Buffer)
    array.flags.writeable = False
    return array


class _Context:
    """What a buffer callback is told of its execution."""

    def __init__(self, stage):
        self.stage = stage

    @property
    def stream(self):
        import jax

        raise jax.errors.JaxRuntimeError("tessera has no streams: XLA FFI GPU context is not available")


class _InPlace:
    """A buffer callback: it gets arguments and results as arrays, and writes the results."""

    def __init__(self, callback, in_tree, out_tree, aliases):
        self.callback, self.in_tree, self.out_tree, self.aliases = callback, in_tree, out_tree, aliases

    def __call__(self, ins, outs):
        import jax
        from jax.experimental.buffer_callback import ExecutionStage

        for i, o in self.aliases:
            outs[o][...] = ins[i]
            ins[i] = outs[o]
        args, kwargs = jax.tree.unflatten(self.in_tree, [_read_only(v) for v in ins])
        context = _Context(ExecutionStage.EXECUTE)
        if self.callback(context, jax.tree.unflatten(self.out_tree, outs), *args, **kwargs) is not None:
            raise ValueError("buffer_callback callback must not return any values.")


@_Function
def _call(number, nin, ins, nout, outs, text, text_size):
    try:
        with _lock:
            callback = _callbacks[number]
        views = [_view(ins[i]) for i in range(nin)]
        if isinstance(callback, _InPlace):
            callback(views, [_view(outs[i]).view(_Buffer) for i in range(nout)])
            return 0
        results = callback(*(v.copy() for v in views))
        for i, result in zip(range(nout), results, strict=True):
            if outs[i].data:
                raw = (ctypes.c_char * int(np.asarray(result).nbytes)).from_address(outs[i].data)
                np.frombuffer(raw, dtype=np.uint8)[:] = np.ascontiguousarray(result).reshape(-1).view(np.uint8)
        return 0
    except BaseException as e:  # whatever it is, it must not leave through C
        # There is little room: the reason first, then where it was.
        said = f"CpuCallback error: {type(e).__name__}: {e}\n{''.join(traceback.format_tb(e.__traceback__)[-1:])}".encode()
        said = said[: text_size - 1]
        ctypes.memmove(text, said + b"\0", len(said) + 1)
        return 1


def new_number():
    """A number that nothing else has."""
    with _lock:
        return next(_numbers)


class _Keep:
    """Keeps a callback as long as the program that has its number."""

    def __init__(self, callback):
        self.number = new_number()
        with _lock:
            _callbacks[self.number] = callback

    def __del__(self):
        _callbacks.pop(self.number, None)


def _checked(callback, result_avals):
    """The callback, its results checked against what was promised."""
    from jax._src import dtypes

    def run(*args):
        values = callback(*args)
        if len(values) != len(result_avals):
            raise RuntimeError(
                f"Mismatched number of outputs from callback. Expected: {len(result_avals)}, Actual: {len(values)}"
            )
        values = tuple(dtypes.canonicalize_value(np.asarray(v)) for v in values)
        for i, (value, aval) in enumerate(zip(values, result_avals)):
            for what in ("shape", "dtype"):
                if getattr(value, what) != getattr(aval, what):
                    raise RuntimeError(
                        f"Incorrect output {what} for return value #{i}: "
                        f"Expected: {getattr(aval, what)}, Actual: {getattr(value, what)}"
                    )
        return values

    return run


def _set_sharding(context, op, sharding):
    """mlir.set_sharding, which took no context before jax 0.10."""
    from jax._src.interpreters import mlir

    takes = len(inspect.signature(mlir.set_sharding).parameters)
    mlir.set_sharding(*(context, op, sharding)[3 - takes :])


def _emit(
    ctx, callback, token, operands, operand_avals, result_avals, *,
    has_side_effect, returns_token=True, partitioned=False, sharding=None,
):  # fmt: skip
    """What emit_python_callback does for JAX's own platforms."""
    import dataclasses

    from jax._src import core, ffi
    from jax._src.sharding_impls import SdyArray, SdyArrayList

    if partitioned and result_avals:
        raise ValueError("Partitioned callback not supported with return values.")
    run = _checked(callback, result_avals)
    if token:
        without_token = run

        def run(first, *args):
            return (first, *without_token(*args))

        operands = [token, *operands]
        ctx = dataclasses.replace(
            ctx, avals_in=[core.abstract_token, *ctx.avals_in], avals_out=[core.abstract_token, *ctx.avals_out]
        )
        if isinstance(sharding, SdyArrayList) and len(ctx.avals_out) > 1:
            first = SdyArray(
                mesh_shape=(), dim_shardings=(), logical_device_ids=sharding.shardings[0].logical_device_ids
            )
            sharding = SdyArrayList((first, *sharding.shardings))
    keep = _Keep(run)
    ctx.module_context.add_keepalive(keep)
    lower = ffi.build_ffi_lowering_function(TARGET, has_side_effect=has_side_effect)
    result = lower(ctx, *operands, id=np.int64(keep.number))
    if sharding is not None:
        _set_sharding(ctx.module_context, result, sharding)
    results = result.results
    if token:
        token, *results = results
    return results, token, keep


def _lower_in_place(
    ctx, *operands, callback, in_tree, out_tree, has_side_effect, input_output_aliases=(), **_
):
    """What the rule of buffer_callback does for JAX's own platforms."""
    from jax._src import ffi

    keep = _Keep(_InPlace(callback, in_tree, out_tree, input_output_aliases))
    ctx.module_context.add_keepalive(keep)
    lower = ffi.build_ffi_lowering_function(TARGET, has_side_effect=has_side_effect)
    return lower(ctx, *operands, id=np.int64(keep.number)).results


def register(platform, library):
    """Tells the plugin which function computes callbacks, and JAX how they are lowered."""
    from jax._src import buffer_callback
    from jax._src import callback
    from jax.interpreters import mlir

    plugin = ctypes.CDLL(library)
    plugin.TesseraSetHostFunction.argtypes = [_Function]
    plugin.TesseraSetHostFunction.restype = None
    plugin.TesseraSetHostFunction(_call)
    theirs = callback.emit_python_callback

    def emit_python_callback(ctx, *args, **options):
        ours = tuple(ctx.module_context.platforms) == (platform,)
        return (_emit if ours else theirs)(ctx, *args, **options)

    callback.emit_python_callback = emit_python_callback
    mlir.emit_python_callback = emit_python_callback  # its public name
    mlir.register_lowering(buffer_callback.buffer_callback_p, _lower_in_place, platform=platform)
