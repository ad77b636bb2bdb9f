# SPDX-License-Identifier: Apache-2.0
"""Running binaries on a mesh, and comparing what comes out with goldens."""

from math import prod
from typing import Any, Dict, List, Optional

import _ttmlir_runtime as tt_runtime
from golden import GoldenMapTensor
from golden.mapping import narrowed, widened

from .builder_check import TTBuilderCompileException, TTBuilderGoldenException, TTBuilderRuntimeException, check_outputs
from .builder_check import numpy as _numpy
from .builder_emitted import execute_cpp, execute_py
from .builder_utils import find_functions


_TYPES = {"float32": "Float32", "float64": "Float64", "int32": "Int32", "int64": "Int64", "int16": "Int16", "int8": "Int8", "uint8": "UInt8", "uint16": "UInt16", "uint32": "UInt32", "bool": "Bool", "float16": "Float16"}


def create_tensor(tensor_shards: Dict[int, Any], mesh_shape):
    """A tensor of the runtime over arrays: one, or one of each device."""
    rt, np = tt_runtime.runtime, _numpy()
    arrays = [np.ascontiguousarray(a) for a in tensor_shards.values()]
    first = arrays[0]
    kind = getattr(rt.DataType, _TYPES[first.dtype.name])
    strides = [s // first.itemsize for s in first.strides]
    if len(arrays) == 1:
        made = rt.create_owned_host_tensor(first.ctypes.data, list(first.shape), strides, first.itemsize, kind)
    else:
        made = rt.create_multi_device_host_tensor([a.ctypes.data for a in arrays], list(first.shape), strides, first.itemsize, kind, {}, list(mesh_shape))
    return made


def convert_input_layouts(device, inputs, fbb, program_index):
    """The tensors as a program wants them."""
    rt = tt_runtime.runtime
    return [rt.to_layout(t, device, rt.get_layout(fbb, program_index, i), True) for i, t in enumerate(inputs)]


def _array(tensor):
    """A tensor of the runtime as an array."""
    rt, np = tt_runtime.runtime, _numpy()
    kinds = {getattr(rt.DataType, v): k for k, v in _TYPES.items()}
    dtype = tensor.get_dtype()
    target = dtype if dtype in kinds else rt.DataType.Float32
    found = np.zeros(list(tensor.get_shape()), kinds[target])
    if found.size:
        rt.memcpy(found.ctypes.data, tensor, target)
    return found


def _mesh_of(binary, program):
    """The mesh that a program is for, rows first."""
    found = binary.get_program_mesh_shape(program) or (1, 1)
    return (found["y"], found["x"]) if isinstance(found, dict) else tuple(found)


def _mesh_fits(device, compiled):
    have = prod(device.get_mesh_shape())
    for i in range(compiled.get_num_programs()):
        need = prod(_mesh_of(compiled, i))
        if need not in (1, have):  # a program for one device runs on each
            raise TTBuilderRuntimeException(f"the program is for {need} devices, and the device is a mesh {tuple(device.get_mesh_shape())} of {have}")


class _Watch:
    """A program op by op: each value is compared with the golden of the op that it comes from, by location. One that is bypassed is its golden from
    then on. first: the device whose values are compared, of a program for one that runs on several."""

    def __init__(self, binary, program, inputs, first=0):
        module, name = binary.module, binary.get_program_name(program)
        self.first = first
        self.goldens = module.goldens(functions=[name])[name]
        self.body = find_functions(module)[name].regions[0].blocks[0]
        for argument, given in zip(self.body.args, inputs):
            if self.goldens.num_devices == 1:
                self.goldens.set(argument, narrowed(given.shard_at(first), argument.type))
                continue
            for device, array in given.shard_map.items():
                self.goldens.set(argument, narrowed(array, argument.type), device if len(given.shard_map) > 1 else None)

    def values(self):
        """Of each location the last value: an op may have become several."""
        last = {}
        for op in self.body.ops[:-1]:
            if op.results:
                last.pop(str(op.location), None)
                last[str(op.location)] = op.results[0]
        return last.items()

    def get(self, value, device=0):
        return widened(self.goldens.get(value, device), value.type)

    def check(self, expected, bypassed, how):
        report = {}
        for place, value in self.values():
            golden = expected.get(place)
            if golden is None or tuple(golden.shape) != tuple(value.type.shape):
                continue
            for device in range(self.goldens.num_devices):
                try:
                    found = check_outputs(golden.shard_at(self.first + device), self.get(value, device), place, *how)
                except TTBuilderGoldenException as e:
                    if place not in bypassed:
                        raise
                    found = {"pass": False, "why": str(e), "bypassed": True}
                report.setdefault(place, {})[self.first + device] = found
                if place in bypassed:
                    self.goldens.set(value, narrowed(golden.shard_at(self.first + device), value.type), device)
        return report

    def outputs(self):
        return [[self.get(v, d) for d in range(self.goldens.num_devices)] for v in self.body.ops[-1].operands]


def _watched(device, binary, program, inputs, results, check):
    """The same as _submitted, op by op; results get the report of each value."""
    alone = prod(_mesh_of(binary, program)) == 1
    watches = [_Watch(binary, program, inputs, first) for first in range(prod(device.get_mesh_shape()) if alone else 1)]
    for watch in watches:
        for place, devices in watch.check(*check).items():
            results.setdefault(place, {}).update(devices)
    return [[array for shards in each for array in shards] for each in zip(*(watch.outputs() for watch in watches))]


def _submitted(device, binary, program, inputs):
    """What the runtime gives: arrays of each output, of each device that has one of its own."""
    rt = tt_runtime.runtime
    given = [create_tensor(g.shard_map, device.get_mesh_shape()) for g in inputs]
    found = rt.submit(device, binary, program, convert_input_layouts(device, given, binary, program))
    rt.wait(found)
    return [[_array(t) for t in rt.get_device_tensors(out)] if rt.get_num_shards(out) > 1 else [_array(rt.to_host(out, untilize=True)[0])] for out in found]


def _opened(device, binary):
    rt = tt_runtime.runtime
    if device is not None:
        return device.resolve() if hasattr(device, "resolve") else device
    options = rt.MeshDeviceOptions()
    options.mesh_shape = _mesh_of(binary, 0)
    return rt.open_mesh_device(options)


def execute_fb(
    compiled_bin,
    input_output_goldens: Optional[Dict[int, Dict[str, GoldenMapTensor]]] = None,
    intermediate_goldens: Optional[Dict[str, GoldenMapTensor]] = None,
    pcc: float = 0.99,
    atol: float = 1e-08,
    rtol: float = 1e-05,
    disable_golden: bool = False,
    device=None,
    check_pcc: bool = True,
    check_atol: bool = False,
    check_rtol: bool = False,
    enable_intermediate_verification: bool = False,
    bypass_ops: Optional[List[str]] = None,
    save_artifacts: bool = False,
    artifact_dir: str = ".",
    dump_memory: bool = False,
):
    """Runs each program of a binary that is not private, and compares its outputs: a report by program, and outputs. Where values are to be compared,
    too, or bypassed, the program runs op by op."""
    if dump_memory:
        raise TTBuilderRuntimeException("dump_memory: put builder.memory_snapshot where memory is to be known")
    binary = compiled_bin if hasattr(compiled_bin, "get_num_programs") else tt_runtime.binary.load_binary_from_capsule(compiled_bin)
    opened, how = _opened(device, binary), (pcc, atol, rtol, check_pcc, check_atol, check_rtol)
    try:
        _mesh_fits(opened, binary)
        report, outputs = {}, {}
        public = [i for i in range(binary.get_num_programs()) if not binary.is_program_private(i)]
        for index, program in enumerate(public):
            goldens = (input_output_goldens or {}).get(index, {})
            inputs = [goldens[f"input_{i}"] for i in range(sum(k.startswith("input_") for k in goldens))]
            results = report[f"program_{index}"] = {}
            if enable_intermediate_verification or bypass_ops:
                found = _watched(opened, binary, program, inputs, results, (intermediate_goldens or {}, bypass_ops or (), how))
            else:
                found = _submitted(opened, binary, program, inputs)
            for i, shards in enumerate(found):
                outputs[f"program_{index}_output_{i}"] = shards
                wanted = None if disable_golden else goldens.get(f"output_{i}")
                for d, array in enumerate(shards if wanted is not None else ()):
                    results.setdefault(f"output_{i}", {})[d] = check_outputs(wanted.shard_at(d), array, f"program {index}, output {i}, device {d}", *how)
        return report, outputs
    except RuntimeError as e:
        raise TTBuilderRuntimeException(str(e)) from e
    finally:
        if device is None:
            tt_runtime.runtime.close_mesh_device(opened)
