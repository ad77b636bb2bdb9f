# SPDX-License-Identifier: Apache-2.0
"""Tensors of the runtime: what each device has of them."""

import ctypes

from ._types import DataType, convert, dtype_of, numpy


class TensorDesc:
    def __init__(self, shape, stride, item_size, dtype, physical_volume=None):
        self.shape, self.stride, self.item_size, self.dtype = list(shape), list(stride), item_size, dtype
        volume = 1
        for d in self.shape:
            volume *= d
        self.physical_volume = physical_volume if physical_volume is not None else volume


class Layout:
    """What a program wants of a tensor: its elements."""

    def __init__(self, dtype=None):
        self.dtype = dtype


class Tensor:
    """Shards, one for each device, or one for all."""

    def __init__(self, shards, dtype, device=None, layout=None):
        self.shards, self.dtype, self.device = shards, DataType(dtype), device
        self._layout, self._retain, self._allocated = layout, False, True
        if device is not None:
            device._hold(self)

    def is_allocated(self):
        return self._allocated

    def get_retain(self):
        return self._retain

    def set_retain(self, retain):
        self._retain = bool(retain)

    def get_shape(self):
        return list(self.shards[0].shape)

    def get_stride(self):
        stride, step = [], 1
        for d in reversed(self.get_shape()):
            stride.insert(0, step)
            step *= d
        return stride

    def get_volume(self):
        return int(self.shards[0].size)

    get_logical_volume = get_volume

    def get_dtype(self):
        return self.dtype

    def get_element_size(self):
        return self.shards[0].dtype.itemsize

    def get_tensor_desc(self):
        return TensorDesc(self.get_shape(), self.get_stride(), self.get_element_size(), self.dtype)

    def get_data_buffer(self):
        return bytearray(numpy().ascontiguousarray(self.shards[0]).tobytes())

    def has_layout(self):
        return self._layout is not None

    def get_layout(self):
        return self._layout or Layout(self.dtype)

    def get_global_id(self):
        return id(self)

    @property
    def bytes(self):
        return sum(int(s.nbytes) for s in self.shards) if self._allocated else 0


class TensorRef:
    """A value of a program that runs."""

    def __init__(self, key, shape=(), dtype=None):
        self._key, self._shape, self._dtype = key, list(shape), dtype

    def get_shape(self):
        return self._shape

    def get_dtype(self):
        return self._dtype

    def get_global_id(self):
        return hash(self._key)


def _at(pointer, shape, stride, dtype):
    """An array over memory of the caller's."""
    np = numpy()
    element = dtype_of(dtype)
    size = 1
    for d in shape:
        size *= d
    if not size or not pointer:
        return np.zeros(shape, element)
    extent = 1 + sum((d - 1) * s for d, s in zip(shape, stride))
    buffer = (ctypes.c_char * (extent * element.itemsize)).from_address(pointer)
    flat = np.frombuffer(buffer, element)
    return np.lib.stride_tricks.as_strided(flat, shape, [s * element.itemsize for s in stride], writeable=True)


def create_borrowed_host_tensor(ptr, shape, stride, item_size, data_type):
    return Tensor([_at(ptr, list(shape), list(stride), data_type)], data_type)


def create_owned_host_tensor(ptr, shape, stride, item_size, data_type):
    return Tensor([numpy().array(_at(ptr, list(shape), list(stride), data_type))], data_type)


def create_empty_tensor(device, layout, shape, stride, item_size):
    return Tensor([numpy().zeros(list(shape), dtype_of(layout.dtype))], layout.dtype, device, layout)


def create_scalar_tensor(value):
    np = numpy()
    dtype = DataType.Float32 if isinstance(value, float) else DataType.Int32
    return Tensor([np.asarray(value, dtype_of(dtype))], dtype)


def create_multi_device_borrowed_host_tensor(ptrs, shape, stride, item_size, data_type, strategy, mesh_shape):
    return Tensor([_at(p, list(shape), list(stride), data_type) for p in ptrs], data_type)


def create_multi_device_host_tensor(ptrs, shape, stride, item_size, data_type, strategy, mesh_shape):
    np = numpy()
    return Tensor([np.array(_at(p, list(shape), list(stride), data_type)) for p in ptrs], data_type)


def create_multi_device_host_tensor_from_shards(tensors, strategy, mesh_shape):
    return Tensor([t.shards[0] for t in tensors], tensors[0].dtype)


def to_layout(tensor, device, layout, retain=None):
    """The tensor as a program wants it."""
    wanted = layout.dtype if layout.dtype is not None else tensor.dtype
    made = Tensor([convert(s, tensor.dtype, wanted) for s in tensor.shards], wanted, device, layout)
    made._retain = bool(retain)
    return made


def to_host(tensor, untilize=False, blocking=True):
    return [Tensor([s], tensor.dtype) for s in tensor.shards]


def get_device_tensors(tensor):
    return [Tensor([s], tensor.dtype) for s in tensor.shards]


def get_num_shards(tensor):
    return len(tensor.shards)


def memcpy(dst, src, dst_data_type=None):
    """Elements of one tensor, or to where a number points, from another."""
    np = numpy()
    if isinstance(dst, int):
        array = np.ascontiguousarray(convert(src.shards[0], src.dtype, dst_data_type if dst_data_type is not None else src.dtype))
        ctypes.memmove(dst, array.ctypes.data, array.nbytes)
        return
    for to, source in zip(dst.shards, src.shards):
        found = convert(source, src.dtype, dst.dtype)
        if to.size != found.size:
            raise RuntimeError(f"memcpy: {found.size} elements for a tensor of {to.size}")
        to[...] = found.reshape(to.shape)


def deallocate_tensor(tensor, force=False):
    tensor._allocated = False
