# SPDX-License-Identifier: Apache-2.0
"""Functions of ttnn that are no ops: where tensors are, how others have them, and what a mesh makes of them."""

import io
import math

from tessera._library import write_file

from ._call import call
from ._values import DataType, Layout, Record, Tensor, Word, held


def deallocate(input, force=False):
    input.deallocate(force)


def to_device(input, device=None, memory_config=None):
    return Tensor.of(input._there(), input.layout, device, memory_config)


def from_device(input):
    return Tensor.of(input._there(), input.layout)


def to_layout(input, layout, dtype=None, memory_config=None):
    parts = input._there() if dtype in (None, input.dtype) else call("ttnn.typecast", (input, dtype), {}).parts
    return Tensor.of(parts, layout, input.device(), memory_config or input.memory_config())


def to_memory_config(input, memory_config, dtype=None):
    return to_layout(input, input.layout, dtype, memory_config)


def to_dtype(input, dtype):
    return to_layout(input, input.layout, dtype)


def aggregate_tensor(input, composer):
    """All devices have the whole one; the host has one of them."""
    whole = call("ttnn.aggregate_tensor", (input, composer), {})
    return Tensor.of(whole.parts[:1], input.layout)


def from_torch(tensor, dtype=None, layout=Layout.ROW_MAJOR, device=None, memory_config=None, mesh_mapper=None):
    """From a tensor of torch, or an array."""
    names = {"bfloat16": DataType.BFLOAT16, "uint8": DataType.UINT8, "int32": DataType.INT32, "int64": DataType.INT32, "uint32": DataType.UINT32, "uint16": DataType.UINT16, "bool": DataType.UINT8}
    name = str(tensor.dtype).rsplit(".", maxsplit=1)[-1]
    if hasattr(tensor, "detach"):
        tensor = (tensor.detach().float() if name == "bfloat16" else tensor.detach()).cpu().numpy()
    made = Tensor(tensor, None, dtype or names.get(name, DataType.FLOAT32), layout, device, memory_config)
    return call("ttnn.distribute_tensor", (made, mesh_mapper), {}) if mesh_mapper is not None else made


as_tensor = from_torch


def to_torch(tensor, dtype=None, mesh_composer=None):
    found = (aggregate_tensor(tensor, mesh_composer) if mesh_composer is not None else tensor).to_torch()
    return found if dtype is None else found.to(dtype)


def load_tensor(file_path, device=None):
    """A file that dump_tensor or NumPy wrote."""
    import numpy as np

    array = np.load(file_path, allow_pickle=False)
    if array.dtype.kind == "V":  # bfloat16, as its bits
        array = (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    return from_torch(array, device=device)


def dump_tensor(input, file_path):
    import numpy as np

    data = io.BytesIO()
    np.save(data, input.numpy())
    write_file(file_path, data.getvalue())


# ---- Meshes ----


class PlacementShard(Record):
    @property
    def dim(self):
        return self.args[0]


class PlacementReplicate(Record):
    dim = -1


class MeshMapperConfig(Record):
    def as_argument(self, _):
        mesh = self.args[1] if len(self.args) > 1 else None
        return {"placements": [p.dim for p in self.args[0]], "mesh": None if mesh is None else list(mesh)}


class MeshComposerConfig(Record):
    def as_argument(self, _):
        mesh = self.args[1] if len(self.args) > 1 else None
        return {"dims": list(self.args[0]), "mesh": None if mesh is None else list(mesh)}


class _OnMesh:
    """A configuration with the device that it is for."""

    def __init__(self, device, config):
        self.device, self.config = device, config

    def as_argument(self, found):
        found.device = self.device
        return self.config.as_argument(found)


create_mesh_mapper = create_mesh_composer = _OnMesh


def ReplicateTensorToMesh(device):
    return _OnMesh(device, MeshMapperConfig([PlacementReplicate()] * len(device.get_mesh_shape())))


def ConcatMeshToTensor(device, dim):
    rest = [0] * (len(device.get_mesh_shape()) - 1)
    return _OnMesh(device, MeshComposerConfig([*rest, dim]))


def get_device_tensors(tensor):
    """What each device has."""
    return [Tensor.of([part], tensor.layout, tensor.device(), tensor.memory_config()) for part in tensor._there()]


def combine_device_tensors(tensors):
    """The opposite: one tensor of several devices."""
    return Tensor.of([t._there()[0] for t in tensors], tensors[0].layout, tensors[0].device())


def from_host_shards(tensors, mesh_shape=None, **_):
    if mesh_shape is not None and len(tensors) != math.prod(mesh_shape):
        raise ValueError(f"{len(tensors)} parts are given for a mesh of {tuple(mesh_shape)}")
    return combine_device_tensors(tensors)


class MeshCoordinate(Record):
    def as_argument(self, _):
        flat = self.args[0] if len(self.args) == 1 and hasattr(self.args[0], "__iter__") else self.args
        return list(flat)


class SubDeviceId(Record):
    def as_argument(self, _):
        return self.args[0]


class UnaryWithParam(Record):
    def as_argument(self, found):
        if len(self.args) > 1:
            raise NotImplementedError("a function with numbers behind a convolution is not part of Tessera; see docs/EMIT.md")
        return {"unary": self.args[0].name}


class GlobalSemaphore(Record):
    def as_argument(self, _):
        return {"semaphore": True}


def create_global_semaphore(mesh_device=None, cores=None, initial_value=0):
    return GlobalSemaphore(initial_value)


def reset_global_semaphore_value(semaphore, value=0):
    semaphore.args = (value,)


def _refused(name):
    def refuse(*_, **__):
        raise NotImplementedError(f"ttnn.{name} is not part of Tessera; see docs/EMIT.md for what is")

    return refuse


begin_trace_capture, end_trace_capture, execute_trace = (_refused(n) for n in ("begin_trace_capture", "end_trace_capture", "execute_trace"))

__all__ = ["Word", "held"]
