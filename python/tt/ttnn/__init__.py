# SPDX-License-Identifier: Apache-2.0
"""ttnn as emitted Python and tt-mlir's tests use it: devices, tensors, and each function that the emitter has a row for, run by the library."""

import sys
from importlib.machinery import ModuleSpec

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


_VALUES = ("BufferType", "DataType", "Layout", "MemoryConfig", "Shape", "Tensor", "TensorMemoryLayout")
_RECORDS = (
    "Conv2dConfig", "Conv2dSliceConfig", "Conv3dConfig", "CoreCoord", "CoreGrid", "CoreRange", "CoreRangeSet", "LayerNormShardedMultiCoreProgramConfig",
    "MatmulMultiCoreReuseMultiCast1DProgramConfig", "MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig", "MatmulMultiCoreReuseMultiCastProgramConfig",
    "MatmulMultiCoreReuseProgramConfig", "SDPAProgramConfig", "ShardSpec", "WormholeComputeKernelConfig",
)
_WORDS = ("Conv2dDRAMSliceHeight", "Conv2dDRAMSliceWidth", "Conv2dL1Full")
_ENUMS = {
    "MathFidelity": "LoFi HiFi2 HiFi3 HiFi4",
    "ShardOrientation": "ROW_MAJOR COL_MAJOR",
    "SigmoidMode": "Accurate FastApproximate",
    "Topology": "Ring Linear Mesh Torus",
    "ReduceType": "Sum Mean Max Min Std Var Prod Invalid",
}


def _found(name):
    """Tensors need NumPy, which devices do not: they are made when somebody asks."""
    from . import _call, _places, _values

    if name in _VALUES:
        return getattr(_values, name)
    if name in _RECORDS:
        return type(name, (_values.Record,), {})
    if name in _WORDS:
        return _values.Word(name.removeprefix("Conv2d"))
    if name in _ENUMS:
        import enum

        return enum.Enum(name, _ENUMS[name])
    if name == "UnaryOpType":
        return _values.Words(name, (), {})
    return getattr(_places, name, None) or (None if name[0].isupper() else _call.Function(f"ttnn.{name}"))


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    found = _found(name)
    if found is not None:
        globals()[name] = found
        return found

    def refuse(*args, **kwargs):
        raise NotImplementedError(f"ttnn.{name} is not part of Tessera; see docs/EMIT.md for what is")

    return type(name, (), {"__new__": refuse})


class _Imports:
    """Finds utils and ttir_cpu, which emitted files import after ttnn, if nothing else has these names: a file next to the program goes first."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        return ModuleSpec(name, _Imports) if path is None and name in ("utils", "ttir_cpu") else None

    @staticmethod
    def create_module(spec):
        from ._helpers import modules

        return modules()[spec.name]

    @staticmethod
    def exec_module(module):
        pass


sys.meta_path.append(_Imports)

__all__ = ["FabricConfig", "MeshDevice", "MeshShape", "close_mesh_device", "open_mesh_device", "set_fabric_config"]
