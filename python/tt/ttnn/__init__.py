"""ttnn as far as tt-mlir's test helpers need it: devices. Ops of ttnn are not part of Tessera, and their use says so."""

from _ttmlir_runtime.runtime import Device as MeshDevice
from _ttmlir_runtime.runtime import FabricConfig


class MeshShape(tuple):
    """Rows and columns of a mesh."""

    def __new__(cls, *sizes):
        return super().__new__(cls, sizes[0] if len(sizes) == 1 and hasattr(sizes[0], "__iter__") else sizes)


def open_mesh_device(mesh_shape=(1, 1), **_):
    return MeshDevice(tuple(mesh_shape))


def close_mesh_device(device):
    device._open = False


def set_fabric_config(config, *_, **__):
    from _ttmlir_runtime import runtime

    runtime.set_fabric_config(config)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)

    def refuse(*args, **kwargs):
        raise NotImplementedError(f"ttnn.{name} is not part of Tessera; devices of ttnn are")

    return type(name, (), {"__new__": refuse}) if name[0].isupper() else refuse


__all__ = ["FabricConfig", "MeshDevice", "MeshShape", "close_mesh_device", "open_mesh_device", "set_fabric_config"]
