"""Tensors of ttnn over NumPy arrays, and the records that say how and where they are kept.

Values of BFLOAT16 are float32 arrays that are rounded to 8 bits of precision; formats of blocks keep float32."""

import enum

import numpy as np


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


_ARRAYS = {DataType.UINT32: np.uint32, DataType.UINT8: np.uint8, DataType.UINT16: np.uint16, DataType.INT32: np.int32}


def rounded(array, dtype):
    """An array as a tensor of this type keeps it."""
    if dtype in _ARRAYS:
        return np.asarray(array).astype(_ARRAYS[dtype])
    array = np.asarray(array, np.float32)
    if dtype != DataType.BFLOAT16:
        return array
    bits = np.ascontiguousarray(array).view(np.uint32).astype(np.uint64)
    bits = ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32).reshape(array.shape)
    return np.where(np.isnan(array), array, bits)


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


class Shape(tuple):
    def __new__(cls, sizes):
        return super().__new__(cls, sizes)


class Tensor:
    """Numbers with a type, a layout, a device and a place in its memory."""

    def __init__(self, values, shape=None, dtype=DataType.FLOAT32, layout=Layout.ROW_MAJOR, device=None, memory_config=None):
        array = np.asarray(values)
        if shape is not None:
            array = np.broadcast_to(array, tuple(shape)) if array.ndim == 0 else array.reshape(tuple(shape))
        self.value = rounded(array, dtype)
        self.dtype, self.layout, self._device, self._memory = dtype, layout, device, memory_config
        self.gone = False

    @property
    def shape(self):
        return Shape(self.value.shape)

    def device(self):
        return self._device

    def memory_config(self):
        return self._memory

    def numpy(self):
        if self.gone:
            raise RuntimeError("the tensor was deallocated")
        return self.value

    def to_torch(self):
        """A tensor of torch where it is installed, else an array."""
        try:
            import torch
        except ImportError:
            return self.numpy()
        return torch.from_numpy(np.ascontiguousarray(self.numpy()))

    def like(self, array, dtype=None, memory_config=None, layout=None):
        """Another tensor where this one is."""
        return Tensor(array, None, dtype or self.dtype, layout or self.layout, self._device, memory_config or self._memory)
