# SPDX-License-Identifier: Apache-2.0
"""Steps from StableHLO to a program that runs. A module is given as itself or its text, and stays as it is."""

import os

from . import passes
from .compile_and_run_utils import create_mlir_module_from_string


def _after(pipeline, module, options=""):
    made = create_mlir_module_from_string(str(module))
    try:
        pipeline(made, options)
    except Exception as e:
        raise RuntimeError(f"{pipeline.__name__} failed: {e}") from e
    return made


def _system(system_desc):
    return f"system-desc-path={system_desc or os.getenv('SYSTEM_DESC_PATH', 'ttrt-artifacts/system_desc.ttsys')}"


def stablehlo_to_ttir(module):
    return _after(passes.stablehlo_to_ttir_pipeline, module)


def ttir_to_ttnn(module, system_desc=None):
    return _after(passes.ttir_to_ttnn_runtime_pipeline, module, _system(system_desc))


def ttir_to_ttmetal(module, system_desc=None):
    return _after(passes.ttir_to_ttmetal_backend_pipeline, module, _system(system_desc))


def ttnn_to_flatbuffer(module, output_file_name="ttnn_fb.ttnn"):
    """Writes the binary: its path."""
    passes.ttnn_to_flatbuffer_file(create_mlir_module_from_string(str(module)), output_file_name)
    return output_file_name


def ttmetal_to_flatbuffer(module, output_file_name="ttmetal_fb.ttm"):
    return passes.ttmetal_to_flatbuffer_file(module, output_file_name)


def run_flatbuffer(flatbuffer_path):
    """Runs each program that is not private, on zeros: 0. What goes wrong is a RuntimeError."""
    from _ttmlir_runtime import binary, runtime

    found = binary.load_binary_from_path(str(flatbuffer_path))
    options = runtime.MeshDeviceOptions()
    shape = found.get_program_mesh_shape(0) or {}
    options.mesh_shape = (shape.get("y", 1), shape.get("x", 1))
    device = runtime.open_mesh_device(options)
    try:
        for index in range(found.get_num_programs()):
            if not found.is_program_private(index):
                runtime.wait(runtime.submit(device, found, index, _zeros(runtime, found, index)))
    finally:
        runtime.close_mesh_device(device)
    return 0


def _zeros(runtime, found, index):
    """Inputs of a program."""
    from _ttmlir_runtime._types import dtype_of, numpy

    made = []
    for row in found._program(index)["inputs"]:
        kind = runtime.DataType[row["desc"]["layout"]["memory_desc"]["data_type"]]
        array = numpy().zeros(row["desc"]["shape"], dtype_of(kind))
        strides = [s // array.itemsize for s in array.strides]
        made.append(runtime.create_owned_host_tensor(array.ctypes.data, list(array.shape), strides, array.itemsize, kind))
    return made
