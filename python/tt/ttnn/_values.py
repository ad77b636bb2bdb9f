# SPDX-License-Identifier: Apache-2.0
"""Tensors of ttnn over those of the library, one for each device, and the records that say how and where they are kept."""

import enum

from tessera.context import Context
from tessera.tensors import Tensor as _Held
from tessera.tensors import numpy as _numpy
from tessera.tensors import to_tensor as _hold


class DataType(enum.Enum):
    BFLOAT16 = 0
    FLOAT32 = 1
    UINT32 = 2
    BFLOAT8_B = 3
    BFLOAT4_B = 4
    UINT8 = 5
    UINT16 = 6
    INT32 = 7


class Layout(enum.Enum):
    ROW_MAJOR = 0
    TILE = 1
    INVALID = 2


class TensorMemoryLayout(enum.Enum):
    INTERLEAVED = 0
    HEIGHT_SHARDED = 2
    WIDTH_SHARDED = 3
    BLOCK_SHARDED = 4
    ND_SHARDED = 5


class BufferType(enum.Enum):
    DRAM = 0
    L1 = 1
    SYSTEM_MEMORY = 2
    L1_SMALL = 3
    TRACE = 4


# By data type: its elements as the library writes them, and the array that others have of them.
_ELEMENTS = {
    DataType.BFLOAT16: ("bf16", "float32"),
    DataType.FLOAT32: ("f32", "float32"),
    DataType.BFLOAT8_B: ("!ttcore.tile<32x32, bfp_bf8>", "float32"),
    DataType.BFLOAT4_B: ("!ttcore.tile<32x32, bfp_bf4>", "float32"),
    DataType.UINT32: ("ui32", "uint32"),
    DataType.UINT16: ("ui16", "uint16"),
    DataType.UINT8: ("ui8", "uint8"),
    DataType.INT32: ("si32", "int32"),
}
_TYPES = {element: dtype for dtype, (element, _) in _ELEMENTS.items()}
_context = None


def context():
    """All tensors are of one context."""
    global _context
    if _context is None:
        _context = Context()
    return _context


def held(array, dtype):
    """An array as a tensor of the library; narrow floats come as float32."""
    np = _numpy()
    element, name = _ELEMENTS[dtype]
    array = np.asarray(array)
    if array.dtype.name == "bfloat16" or array.dtype.kind == "f" and np.dtype(name).kind != "f":
        array = np.asarray(array, np.float32)
    with np.errstate(all="ignore"):
        array = np.array(array, np.dtype(name), order="C")
    return _hold(context(), array, context().type("f32" if name == "float32" else element))


def dtype_of(part):
    return _TYPES[str(part.element)]


class Record:
    """A configuration: what it was made of, by place and by name."""

    def __init__(self, *args, **fields):
        self.args = args
        self.__dict__.update(fields)

    def __repr__(self):
        parts = [repr(a) for a in self.args] + [f"{k}={v!r}" for k, v in self.__dict__.items() if k != "args"]
        return f"{type(self).__name__}({', '.join(parts)})"


class MemoryConfig(Record):
    """Where a tensor is: its layout in memory, the memory, and how it is parted."""

    @property
    def buffer_type(self):
        return self.args[1] if len(self.args) > 1 else BufferType.DRAM


class Word:
    """A case of an enumeration that is only passed on."""

    def __init__(self, name):
        self.name = name


class Words(type):
    """An enumeration of any words."""

    def __getattr__(cls, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return Word(name)


class Shape(tuple):
    def __new__(cls, sizes):
        return super().__new__(cls, sizes)


class Tensor:
    """Numbers with a type, a layout, a device and a place in its memory. parts: one for each device, or one for all."""

    def __init__(self, values=0, shape=None, dtype=DataType.FLOAT32, layout=Layout.ROW_MAJOR, device=None, memory_config=None):
        np = _numpy()
        array = np.asarray(values)
        if shape is not None:
            array = np.broadcast_to(array, tuple(shape)) if array.size == 1 else array.reshape(tuple(shape))
        self._be([held(array, dtype)], layout, device, memory_config)
        if self.dtype != dtype:
            from ._call import call

            self.parts = call("ttnn.typecast", (self, dtype), {}).parts

    @classmethod
    def of(cls, parts, layout=Layout.ROW_MAJOR, device=None, memory_config=None):
        self = cls.__new__(cls)
        self._be(parts, layout, device, memory_config)
        return self

    def _be(self, parts, layout, device, memory_config):
        self.parts, self.layout, self._device, self._memory = parts, layout, device, memory_config

    def _there(self):
        if self.parts is None:
            raise RuntimeError("the tensor was deallocated")
        return self.parts

    @property
    def dtype(self):
        return dtype_of(self._there()[0])

    @property
    def shape(self):
        return Shape(self._there()[0].shape)

    def get_dtype(self):
        return self.dtype

    def get_layout(self):
        return self.layout

    def device(self):
        return self._device

    def memory_config(self):
        return self._memory

    def storage_type(self):
        return Word("HOST" if self._device is None else "DEVICE")

    def logical_volume(self):
        volume = 1
        for d in self.shape:
            volume *= d
        return volume

    def is_allocated(self):
        return self.parts is not None

    def deallocate(self, force=False):
        self.parts = None

    def numpy(self, part=0):
        """The elements on one device: an array of float32 or of integers."""
        from ._call import call

        if _ELEMENTS[self.dtype][0] in ("f32", "ui32", "ui16", "ui8", "si32"):
            return self._there()[part].numpy()
        return call("ttnn.typecast", (self.of([self._there()[part]]), DataType.FLOAT32), {}).parts[0].numpy()

    def item(self):
        return self.numpy().reshape(-1)[0].item()

    def to_torch(self):
        """A tensor of torch where it is installed, else an array."""
        array = self.numpy()
        try:
            import torch
        except ImportError:
            return array
        if array.dtype.name in ("uint32", "uint16"):  # torch has few functions of them
            array = array.astype("int64" if array.dtype.name == "uint32" else "int32")
        found = torch.from_numpy(array.copy())
        return found.to(torch.bfloat16) if self.dtype == DataType.BFLOAT16 else found

    def cpu(self):
        return self.of(self._there(), self.layout)

    def like(self, array, dtype=None, memory_config=None, layout=None):
        """Another tensor where this one is."""
        return Tensor(array, None, dtype or self.dtype, layout or self.layout, self._device, memory_config or self._memory)


__all__ = ["BufferType", "DataType", "Layout", "MemoryConfig", "Record", "Shape", "Tensor", "TensorMemoryLayout", "Word", "Words", "_Held", "context", "held"]
