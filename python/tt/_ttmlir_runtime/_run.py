# SPDX-License-Identifier: Apache-2.0
"""Running programs of binaries."""

import os
import threading
import time
from contextlib import contextmanager
from ctypes import POINTER, byref, c_size_t, c_void_p, cast, pointer
from math import prod

from tessera import _library as c
from tessera._library import lib, owned, to_str
from tessera.runtime import _Debug
from tessera.tensors import Tensor as _Held

from ._tensor import Tensor
from ._types import DataType, convert, dtype_of, element_of, numpy

_ROW = POINTER(c_void_p)

# Those who want to know what ran when (package profiler): .ran(module, name, began, ended, trace). The engine traces one run at a time.
watchers, _traced = [], threading.Lock()


@contextmanager
def _watched(module, name, options):
    """A run with these options, which watchers are told of when it went well."""
    if not watchers:
        yield
        return
    text = c.OutStr()
    options.trace = pointer(text)
    with _traced:
        began = time.monotonic()
        yield
        ended = time.monotonic()
    told = (owned(text) or b"").decode(errors="replace")
    for watcher in list(watchers):
        watcher.ran(module, name, began, ended, told)


def _devices(module):
    replicas, partitions = c_size_t(), c_size_t()
    module.context._call(lib.tsr_module_devices, module._handle, byref(replicas), byref(partitions))
    return replicas.value * partitions.value


def _element(type):
    """The text of the type of elements; of tiles, that of what they hold."""
    return str(type.element)


class _Inputs:
    """Tensors of the library over arrays, which it keeps."""

    def __init__(self, ctx):
        self.ctx, self.kept = ctx, []

    def add(self, array, source, type):
        np = numpy()
        text = _element(type)
        wanted = element_of(text)
        found = np.ascontiguousarray(convert(array, source, wanted)).reshape(type.shape)
        make = lib.tsr_tensor_view if found.size else lib.tsr_tensor_create
        handle = self.ctx._call(make, self.ctx._handle, to_str(text), c.ints(found.shape), found.ndim, found.ctypes.data if found.size else None)
        self.kept.append(_Held._of(self.ctx, handle, found))
        return handle


def _array(ctx, handle, kept):
    """A result as an array of its own, and its type."""
    np = numpy()
    held = _Held._of(ctx, handle, kept)
    data_type = element_of(str(held.element))
    size = lib.tsr_tensor_size(handle)
    shape = held.shape
    if not size:
        return np.empty(shape, dtype_of(data_type)), data_type
    from ctypes import c_char

    buffer = (c_char * size).from_address(lib.tsr_tensor_data(handle))
    return np.frombuffer(bytes(buffer), dtype_of(data_type)).reshape(shape), data_type


def _folder(module):
    """Where memory snapshots go: the current folder. A program that wants to write elsewhere writes none."""
    if not hasattr(module, "_snapshots"):
        ops = (op for op in module.walk() if op.name in ("debug.memory_snapshot", "debug.dump"))
        module._snapshots = [op.attributes["file_path"].value for op in ops]
    inside = all(not os.path.isabs(path) and ".." not in path.split("/") for path in module._snapshots)
    return os.getcwd() if module._snapshots and inside else None


def evaluate(module, name, inputs, ndevices):
    """Results of a function, for each device: pairs of an array and its type. inputs: runtime tensors. Several devices run a program of one as it is
    written, each."""
    ctx = module.context
    ins, outs = module.signature(name)
    if len(inputs) != len(ins):
        raise RuntimeError(f"the program takes {len(ins)} inputs, and {len(inputs)} are given")
    given = _Inputs(ctx)
    rows = []
    for d in range(ndevices):
        row = []
        for t, type in zip(inputs, ins):
            if len(t.shards) not in (1, ndevices):
                raise RuntimeError(f"a tensor of {len(t.shards)} shards is given to {ndevices} devices")
            if d and len(t.shards) == 1:
                row.append(rows[0][len(row)])
            else:
                row.append(given.add(t.shards[d if len(t.shards) > 1 else 0], t.dtype, type))
        rows.append(row)
    results = [(c_void_p * len(outs))() for _ in range(ndevices)]
    with _Debug(ctx, None, None, _folder(module)) as debug:
        _run(module, name, rows, results, debug.fill(c.EvalOptions(2, 0, 0)))
    return [[_array(ctx, row[i], given.kept) for i in range(len(outs))] for row in results]


def _run(module, name, rows, results, options):
    """Runs a function on the inputs of each device, and fills in its results."""
    ctx, ndevices, nin, nout = module.context, len(rows), len(rows[0]), len(results[0])
    with _watched(module, name, options):
        if ndevices == 1:
            ctx._call(lib.tsr_module_eval_with, module._handle, to_str(name), c.handles(rows[0]), nin, results[0], nout, byref(options))
        else:
            held = [c.handles(row or [None]) for row in rows]
            a = (_ROW * ndevices)(*[cast(row, _ROW) for row in held])
            b = (_ROW * ndevices)(*[cast(row, _ROW) for row in results])
            ctx._call(lib.tsr_module_eval_shards, module._handle, to_str(name), a, ndevices, nin, b, nout, byref(options))


class OpContext:
    """An op that runs."""

    def __init__(self, loc_info, debug_info, refs, input_refs=()):
        self.loc_info, self.debug_info, self.refs, self.input_refs = loc_info, debug_info, refs, input_refs


class CallbackContext:
    """A program that runs: its values."""

    def __init__(self, index=0):
        self.index = index
        self.pool = {}
        self.changed = {}

    def get(self, ref):
        return self.pool.get(ref._key)

    def update(self, ref, tensor):
        self.pool[ref._key] = tensor
        self.changed[ref._key] = tensor


def submit(device, binary, index, inputs, hooks):
    """Runs a program of a binary on a mesh, with hooks around its ops. One for a single device runs on each device of the mesh, which all have its
    results; so does one for the mesh in which nothing goes from one device to another, which has them once."""
    program = binary._program(index)
    module, name = binary.module, program["name"]
    ndevices, have, made_for = _devices(module), prod(device.get_mesh_shape()), prod((program["mesh_shape"] or {}).values())
    if have != ndevices and not (ndevices == 1 and made_for in (1, have)):
        raise RuntimeError(f"the program is for {max(ndevices, made_for)} devices, and the mesh {device.get_mesh_shape()} has {have}")
    if hooks:
        from ._hooks import run_with_hooks

        rows = run_with_hooks(device, binary, index, inputs, hooks, have)
    else:
        rows = evaluate(module, name, inputs, have)
    made = []
    for i, out in enumerate(program["outputs"]):
        desc = out["desc"]
        wanted = DataType[desc["layout"]["memory_desc"]["data_type"]]
        parts = rows if made_for == 1 or desc.get("shard_status") == "Presharded" else rows[:1]
        shards = [convert(row[i][0], row[i][1], wanted) for row in parts]
        made.append(Tensor(shards, wanted, device))
    return made

