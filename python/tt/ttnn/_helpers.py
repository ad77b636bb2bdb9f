"""utils and ttir_cpu as emitted Python imports them."""

import types

from . import _ops
from ._values import Tensor


class DeviceGetter:
    """The device of a program: one for all that ask."""

    _device = None

    @classmethod
    def get_device(cls, mesh_shape=(1, 1), fabric_config=None):
        import ttnn

        if cls._device is None:
            cls._device = ttnn.open_mesh_device(mesh_shape)
        return cls._device


def get_scalar_from_tensor(tensor):
    return int(tensor.numpy().reshape(-1)[0])


def execute_cpu_hoisted_function(inputs, function, mesh_shape=None):
    return function(*inputs)


def _host(name):
    if name.startswith("__"):
        raise AttributeError(name)
    known = {"div": "divide", "concat": "concat"}.get(name, name)
    if known not in _ops.OPS:
        raise NotImplementedError(f"ttir_cpu.{name} is not part of Tessera")
    run = _ops.OPS[known]

    def call(*inputs, dtype=None, **attributes):
        given = {{"dim_arg": "dim", "keep_dim": "keepdim", "dimension": "dim"}.get(k, k): v for k, v in attributes.items()}
        return run(*inputs, **given)

    return call


def modules():
    """The modules by their names."""
    utils, host = types.ModuleType("utils"), types.ModuleType("ttir_cpu")
    utils.DeviceGetter, utils.get_scalar_from_tensor = DeviceGetter, get_scalar_from_tensor
    utils.execute_cpu_hoisted_function = execute_cpu_hoisted_function
    host.__getattr__ = _host
    return {"utils": utils, "ttir_cpu": host}


__all__ = ["DeviceGetter", "Tensor", "modules"]
