# SPDX-License-Identifier: Apache-2.0
"""utils and ttir_cpu as emitted Python imports them, and torch where it is not installed."""

import math
import types

from ._call import Function
from ._places import from_host_shards, get_device_tensors, load_tensor, to_device, to_layout
from ._values import Tensor


class DeviceGetter:
    """The device of a program: one for all that ask."""

    _instance = _mesh_shape = None

    @classmethod
    def get_device(cls, mesh_shape=(1, 1), fabric_config=None):
        import ttnn

        if cls._instance is None or tuple(cls._mesh_shape) != tuple(mesh_shape):
            cls._instance, cls._mesh_shape = ttnn.open_mesh_device(mesh_shape), tuple(mesh_shape)
        return cls._instance


def get_scalar_from_tensor(tensor):
    return int(tensor.item())


def _load_tensor(file_path, layout, dtype, device, memory_config):
    found = to_layout(load_tensor(file_path), layout, dtype)
    return to_device(found, device, memory_config) if device is not None else found


def execute_cpu_hoisted_function(inputs, function, mesh_shape=None):
    """Runs it on what each device has."""
    parts = [get_device_tensors(t) for t in inputs]
    devices = max([len(p) for p in parts], default=1)
    if mesh_shape is not None and devices > 1 and devices != math.prod(mesh_shape):
        raise ValueError(f"a tensor has {devices} parts on a mesh of {tuple(mesh_shape)}")
    found = [function(*(Tensor.of(p[min(d, len(p) - 1)].parts) for p in parts)) for d in range(devices)]
    if isinstance(found[0], (list, tuple)):
        return tuple(from_host_shards(list(each)) for each in zip(*found))
    return from_host_shards(found)


def _constant(value, shape, dtype=None):
    names = {"float32": "FLOAT32", "bfloat16": "BFLOAT16", "int32": "INT32", "uint16": "UINT16", "uint8": "UINT8"}
    from ._values import DataType

    return Tensor(value, shape, DataType[names.get(str(dtype).rsplit(".", maxsplit=1)[-1], "FLOAT32")])


def _host(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _constant if name == "constant" else Function(f"ttir_cpu.{name}")


def modules():
    """The modules by their names."""
    utils, host = types.ModuleType("utils"), types.ModuleType("ttir_cpu")
    utils.DeviceGetter, utils.get_scalar_from_tensor, utils.load_tensor = DeviceGetter, get_scalar_from_tensor, _load_tensor
    utils.execute_cpu_hoisted_function = execute_cpu_hoisted_function
    host.__getattr__ = _host
    found = {"utils": utils, "ttir_cpu": host}
    try:
        import torch  # noqa: F401
    except ImportError:  # emitted code names its dtypes
        found["torch"] = types.ModuleType("torch")
        found["torch"].__getattr__ = lambda name: name
    return found


__all__ = ["DeviceGetter", "Tensor", "modules"]
