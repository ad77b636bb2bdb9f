"""Running binaries on a mesh, and comparing what comes out with goldens."""

from math import prod
from typing import Any, Dict, List, Optional

import _ttmlir_runtime as tt_runtime
from golden import GoldenMapTensor, get_atol_rtol_pcc


class TTBuilderCompileException(Exception):
    """A graph could not be compiled."""


class TTBuilderRuntimeException(Exception):
    """A program could not be run."""


class TTBuilderGoldenException(Exception):
    """A program ran, and gave something else than its golden."""


def _numpy():
    import numpy

    return numpy


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


def check_outputs(golden, output, output_id, pcc=0.99, atol=1e-8, rtol=1e-5, check_pcc=True, check_atol=False, check_rtol=False):
    """Compares two arrays: a dictionary of what was found. Raises what a check that is wanted finds."""
    np = _numpy()
    if tuple(golden.shape) != tuple(output.shape):
        golden = np.broadcast_to(golden, output.shape) if golden.size == 1 else golden.reshape(output.shape)
    found_atol, found_rtol, found_pcc = get_atol_rtol_pcc(golden, output, atol, rtol)
    result = {"pass": True, "expected_pcc": pcc, "actual_pcc": found_pcc, "expected_atol": atol, "actual_atol": found_atol, "expected_rtol": rtol, "actual_rtol": found_rtol}
    close = np.allclose(golden.astype(np.float64), output.astype(np.float64), atol=atol, rtol=rtol, equal_nan=True)
    for wanted, bad, what in (
        (check_pcc, not found_pcc >= pcc, f"a correlation of {found_pcc} where {pcc} is wanted"),
        (check_atol, not found_atol <= atol, f"an absolute error of {found_atol} where {atol} is allowed"),
        (check_rtol, not found_rtol <= rtol, f"a relative error of {found_rtol} where {rtol} is allowed"),
    ):
        if wanted and bad and not close:
            result["pass"] = False
            raise TTBuilderGoldenException(f"{output_id}: {what}")
    return result


def _mesh_of(binary, program):
    """The mesh that a program is for, rows first."""
    found = binary.get_program_mesh_shape(program) or (1, 1)
    return (found["y"], found["x"]) if isinstance(found, dict) else tuple(found)


def _mesh_fits(device, compiled):
    have = prod(device.get_mesh_shape())
    for i in range(compiled.get_num_programs()):
        need = prod(_mesh_of(compiled, i))
        if need != have:
            raise TTBuilderRuntimeException(f"the program is for {need} devices, and the device is a mesh {tuple(device.get_mesh_shape())} of {have}")


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
    """Runs each program of a binary that is not private, and compares its outputs: a report by program, and outputs."""
    rt = tt_runtime.runtime
    binary = compiled_bin if hasattr(compiled_bin, "get_num_programs") else tt_runtime.binary.load_binary_from_capsule(compiled_bin)
    device = device.resolve() if hasattr(device, "resolve") else device
    own = device is None
    if own:
        options = rt.MeshDeviceOptions()
        options.mesh_shape = _mesh_of(binary, 0)
        device = rt.open_mesh_device(options)
    try:
        _mesh_fits(device, binary)
        report, outputs = {}, {}
        public = [i for i in range(binary.get_num_programs()) if not binary.is_program_private(i)]
        for index, program in enumerate(public):
            goldens = (input_output_goldens or {}).get(index, {})
            given = [create_tensor(goldens[f"input_{i}"].shard_map, device.get_mesh_shape()) for i in range(sum(k.startswith("input_") for k in goldens))]
            found = rt.submit(device, binary, program, convert_input_layouts(device, given, binary, program))
            rt.wait(found)
            report[f"program_{index}"] = results = {}
            for i, out in enumerate(found):
                shards = [_array(t) for t in rt.get_device_tensors(out)] if rt.get_num_shards(out) > 1 else [_array(rt.to_host(out, untilize=True)[0])]
                outputs[f"program_{index}_output_{i}"] = shards
                wanted = goldens.get(f"output_{i}")
                if disable_golden or wanted is None:
                    continue
                for d, array in enumerate(shards):
                    expected = wanted.shard_map[d if d in wanted.shard_map else 0]
                    how = pcc, atol, rtol, check_pcc, check_atol, check_rtol
                    results.setdefault(f"output_{i}", {})[d] = check_outputs(expected, array, f"program {index}, output {i}, device {d}", *how)
        return report, outputs
    except TTBuilderGoldenException:
        raise
    except RuntimeError as e:
        raise TTBuilderRuntimeException(str(e)) from e
    finally:
        if own:
            rt.close_mesh_device(device)


def execute_py(compiled_bin, input_output_goldens=None, *args, **kwargs):
    raise TTBuilderRuntimeException("execute_py: emitted Python is not part of Tessera")


def execute_cpp(cpp_path, input_output_goldens=None, *args, **kwargs):
    raise TTBuilderRuntimeException("execute_cpp: emitted C++ is not part of Tessera")
