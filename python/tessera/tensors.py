# SPDX-License-Identifier: Apache-2.0
"""Arrays in and out: NumPy, DLPack, torch. NumPy is imported when the first array comes."""

import os
import re
import sys
from ctypes import byref, c_char

from . import _dlpack
from . import _library as c
from ._library import ints, lib, to_str
from .errors import InputError
from .types import _refuse

# Element types and NumPy's names. Those that NumPy does not have are of ml_dtypes where that is installed; else arrays hold their bits.
_NUMPY = {
    "i1": "bool",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "si8": "int8",
    "si16": "int16",
    "si32": "int32",
    "si64": "int64",
    "ui8": "uint8",
    "ui16": "uint16",
    "ui32": "uint32",
    "ui64": "uint64",
    "index": "int64",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "complex<f32>": "complex64",
    "complex<f64>": "complex128",
}
_MORE = {
    "bf16": ("bfloat16", "uint16"),
    "f8E4M3FN": ("float8_e4m3fn", "uint8"),
    "f8E5M2": ("float8_e5m2", "uint8"),
    "f8E4M3": ("float8_e4m3", "uint8"),
    "f8E3M4": ("float8_e3m4", "uint8"),
    "f8E4M3FNUZ": ("float8_e4m3fnuz", "uint8"),
    "f8E5M2FNUZ": ("float8_e5m2fnuz", "uint8"),
    "f8E4M3B11FNUZ": ("float8_e4m3b11fnuz", "uint8"),
    "f8E8M0FNU": ("float8_e8m0fnu", "uint8"),
    "i4": ("int4", "int8"),
    "ui4": ("uint4", "uint8"),
    "i2": ("int2", "int8"),
    "ui2": ("uint2", "uint8"),
    "f4E2M1FN": ("float4_e2m1fn", "uint8"),
    "f6E2M3FN": ("float6_e2m3fn", "uint8"),
    "f6E3M2FN": ("float6_e3m2fn", "uint8"),
}
_CUDA = 2  # DLPack's number of CUDA devices
_TYPES = {numpy: tessera for tessera, numpy in reversed(_NUMPY.items()) if not tessera.startswith("si") and tessera != "index"}
_TYPES.update({name: tessera for tessera, (name, _) in _MORE.items()})


def numpy():
    """NumPy, or an error that says what is missing."""
    try:
        import numpy as np
    except ImportError as e:
        raise ImportError("arrays need NumPy") from e
    return np


def type_text(what):
    """The text of the type of an array, or of a dtype of NumPy, ml_dtypes or torch."""
    shape = getattr(what, "shape", None)
    dtype = getattr(what, "dtype", what)
    name = str(dtype).rsplit(".", maxsplit=1)[-1] if str(dtype).startswith("torch.") else None
    if name is None:
        try:
            name = numpy().dtype(dtype).name
        except TypeError:
            raise InputError(f"no type is made of a {type(what).__name__}") from None
    element = _TYPES.get(name)
    if element is None:
        raise InputError(f"there is no element type for {name}")
    return element if shape is None or dtype is what else f"tensor<{''.join(f'{d}x' for d in shape)}{element}>"


def _dtype(element):
    """NumPy's dtype of an element type's text, and whether it is the type or its bits."""
    np = numpy()
    if element in _NUMPY:
        return np.dtype(_NUMPY[element]), True
    if element.startswith("!quant.uniform<"):
        storage = element[len("!quant.uniform<") :].split(":")[0].split("<")[0]
        return _dtype({"i": "i", "u": "ui"}.get(storage[0], "") + storage.lstrip("iu"))
    if element not in _MORE:
        raise InputError(f"arrays of {element} have no dtype in NumPy")
    name, bits = _MORE[element]
    try:
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, name)), True
    except (ImportError, AttributeError):
        return np.dtype(bits), False


def _element(type):
    """The text of a tensor's element type, or of the type itself."""
    return str(type.element if "tensor" in type.kind else type)


def dtype_of(type):
    """The NumPy dtype of the elements of a type."""
    return _dtype(_element(type))[0]


def dtypes(type):
    """NumPy's dtype of the elements of a type, the text of torch's, which may be none, and whether the first is the type, not its bits."""
    element = _element(type)
    dtype, exact = _dtype(element)
    return dtype, f"torch.{_torch_name(element)}", exact


def _torch_name(element):
    """The name of torch's dtype; empty where torch has none that it can compute with: its int4 is a name alone."""
    return _NUMPY.get(element) or (_MORE[element][0] if re.match("bf16|f8", element) else "")


class Tensor:
    """A tensor of the library: owns its data, or keeps alive the array that has them."""

    __slots__ = ("context", "_handle", "_keep")

    def __init__(self, context=None, handle=None, keep=None):
        _refuse(self, "to_tensor, or a run")
        self._hold(context, handle, keep)

    @classmethod
    def _of(cls, context, handle, keep=None):
        self = cls.__new__(cls)
        self._hold(context, handle, keep)
        return self

    def _hold(self, context, handle, keep):
        self.context = context
        self._keep = keep
        self._handle = context._adopt(handle)

    def __del__(self):
        if getattr(self, "_handle", None) and lib:
            self.context._drop(lib.tsr_tensor_free, self._handle)
            self._handle = None

    @classmethod
    def load(cls, path, element=None, context=None):
        """The array of a .npy file, or the first one of an .npz. element: its type, where the file does not tell (docs/EVAL.md)."""
        from .context import _or_default

        ctx = _or_default(context)
        wanted = ctx.type(element)._handle if element is not None else None
        return cls._of(ctx, ctx._call(lib.tsr_tensor_load, ctx._handle, os.fsencode(path), wanted))

    def save(self, path):
        """Writes a .npy file."""
        self.context._call(lib.tsr_tensor_save, self._handle, os.fsencode(path))

    @property
    def shape(self):
        return tuple(lib.tsr_tensor_dim(self._handle, i) for i in range(lib.tsr_tensor_rank(self._handle)))

    @property
    def element(self):
        from .types import Type

        handle = lib.tsr_tensor_element(self._handle)
        return Type._of(self.context, handle) if handle else None

    @property
    def device(self):
        """The device whose memory it is in, as the hardware is called; None: the host's."""
        facts, handle = c.DeviceFacts(), lib.tsr_tensor_device(self._handle)
        if not handle:
            return None
        lib.tsr_device_tell(handle, byref(facts))
        return facts.name.decode(errors="replace")

    def to(self, device=None):
        """A copy in the memory of a device, by its name, such as "cuda:1"; None: of the host."""
        there = self.context._call(lib.tsr_device_open, to_str(device)) if device is not None else None
        try:
            return Tensor._of(self.context, self.context._call(lib.tsr_tensor_to_device, self._handle, there))
        finally:
            lib.tsr_device_close(there)

    def numpy(self):
        """An array over its data, which cannot be written; it keeps the tensor alive. Of a tensor in the memory of a device: of a copy."""
        np = numpy()
        if self.element is None:
            raise InputError("a token or a tuple has no elements")
        if lib.tsr_tensor_device(self._handle):
            return self.to().numpy()
        dtype, _ = _dtype(str(self.element))
        size = lib.tsr_tensor_size(self._handle)
        shape = self.shape
        if not size:
            return np.empty(shape, dtype)
        buffer = (c_char * size).from_address(lib.tsr_tensor_data(self._handle))
        buffer._tensor = self
        array = np.frombuffer(buffer, dtype).reshape(shape)
        array.flags.writeable = False
        return array

    def torch(self):
        """A tensor of torch with these elements, its own; of a tensor in the memory of a GPU, over that memory."""
        import torch

        name = str(self.element)
        dtype = getattr(torch, _torch_name(name), None)
        if dtype is None:
            raise InputError(f"torch has no elements of {name}")
        if self.__dlpack_device__()[0] == _CUDA:
            return torch.from_dlpack(self)
        size = lib.tsr_tensor_size(self._handle)
        if not size:
            return torch.empty(self.shape, dtype=dtype)
        buffer = (c_char * size).from_address(lib.tsr_tensor_data(self._handle))
        return torch.frombuffer(buffer, dtype=dtype).reshape(self.shape).clone()

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """For numpy.from_dlpack, torch.from_dlpack and others: a copy, because they may write; in the memory of a GPU, the tensor's own, which
        they may only read."""
        here = self.__dlpack_device__()
        if dl_device is not None and tuple(dl_device) != here:
            raise BufferError(f"a tensor is in the memory of DLPack's device {here}" if here[0] != 1 else "a tensor is memory of the host: DLPack's device (1, 0)")
        if copy and here[0] != 1:
            raise BufferError("a tensor in the memory of a GPU is handed over without a copy")
        if copy is False and here[0] == 1:
            raise BufferError("a tensor is handed over as a copy, because others may write")
        versioned = max_version is not None and tuple(max_version) >= (1, 1)  # the first that tells how elements below a byte lie
        try:
            managed = self.context._call(lib.tsr_tensor_to_dlpack, self._handle, versioned)
        except InputError as e:
            raise BufferError(str(e)) from None
        return _dlpack.capsule(managed, versioned)

    def __dlpack_device__(self):
        handle = lib.tsr_tensor_device(self._handle)
        if not handle:
            return (1, 0)
        facts = c.DeviceFacts()
        lib.tsr_device_tell(handle, byref(facts))
        return (_CUDA, facts.number)

    def __str__(self):
        return (c.owned(lib.tsr_tensor_text(self._handle)) or b"").decode()


def is_torch(array):
    return type(array).__module__.partition(".")[0] == "torch" and hasattr(array, "detach")


def _as_numpy(array):
    """NumPy's view of an array of anybody: DLPack, torch, or what NumPy itself takes."""
    np = numpy()
    if isinstance(array, (np.ndarray, np.generic)):
        return np.asarray(array)
    if is_torch(array):
        array = array.detach().cpu().contiguous()
        name = str(array.dtype).rsplit(".", maxsplit=1)[-1]
        if name in ("bfloat16",) or name.startswith("float8"):
            import torch

            bits = array.view(torch.int16 if name == "bfloat16" else torch.uint8).numpy()
            dtype, _ = _dtype(_TYPES[name])
            return bits.view(dtype)
        return array.numpy()
    return np.from_dlpack(array) if _is_dlpack(array) else np.asarray(array)


def _is_dlpack(array):
    return hasattr(array, "__dlpack__") and not hasattr(array, "__array__")


def _on_gpu(array):
    device = getattr(array, "__dlpack_device__", None)
    return device is not None and tuple(device())[0] == _CUDA


def _finish(array):
    """Waits until the elements of an array in the memory of a GPU are computed."""
    package = type(array).__module__.partition(".")[0]
    if hasattr(array, "block_until_ready"):
        array.block_until_ready()
    elif package in ("torch", "cupy"):
        cuda = sys.modules[package].cuda
        (cuda.current_stream(array.device) if package == "torch" else cuda.get_current_stream()).synchronize()


def _of_dlpack(context, array, type):
    """A tensor with the elements of an array in the memory of a GPU, or of one that NumPy has no type for; None where it is not such a one."""
    gpu = _on_gpu(array)
    if gpu:
        array = array.detach().contiguous() if is_torch(array) else array
        _finish(array)
    else:
        try:
            numpy().from_dlpack(array)
            return None
        except (BufferError, RuntimeError, ValueError, TypeError):
            pass  # each version of NumPy says it in its own way
    try:
        capsule = array.__dlpack__(max_version=(1, 1))
    except TypeError:  # from before versions
        capsule = array.__dlpack__()
    struct, versioned = _dlpack.struct(capsule)
    tensor = Tensor._of(context, context._call(lib.tsr_tensor_from_dlpack, context._handle, struct, versioned))
    if lib.tsr_tensor_device(tensor._handle):
        _dlpack.taken(capsule, versioned)
    if type is not None and str(tensor.element) != _element(type):
        raise InputError(f"an array of {tensor.element} is given where {type} is expected")
    return tensor


def _fitting(np, found, element, want, exact, type):
    """An array whose bytes are those of elements of the type, from one that has its dtype, or its bits: raw bytes, which np.load gives for types that
    NumPy lacks, or, where ml_dtypes has no such type, integers that hold a value or bits."""
    if found.dtype == want and exact:
        return found
    width = int(element.lstrip("ui")) if element in ("i2", "i4", "ui2", "ui4") else None
    if found.dtype.kind == "V" and found.dtype.names is None and found.dtype.itemsize == want.itemsize and element in _MORE:
        return found
    if exact or found.dtype.itemsize != want.itemsize or found.dtype.kind not in "ui":
        raise InputError(f"an array of {found.dtype.name} is given where {type} is expected ({want.name})")
    if width:
        least, most = (0, 2**width - 1) if element.startswith("u") else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)
        if found.size and not (least <= int(found.min()) and int(found.max()) <= most):
            raise InputError(f"an array of {found.dtype.name} has values that are not in {element}")
    return found


def to_tensor(context, array, type=None):
    """A tensor over an array: without a copy where its elements are in row-major order, and have the library's form. type: that it is to have;
    Python numbers and lists become it, arrays must have it."""
    np = numpy()
    if isinstance(array, Tensor):
        return array
    if _on_gpu(array) or (_is_dlpack(array) and not is_torch(array)):
        tensor = _of_dlpack(context, array, type)
        if tensor:
            return tensor
    want = None
    if type is not None:
        element = _element(type)
        want, exact = _dtype(element)
    plain = isinstance(array, (int, float, complex, bool, list, tuple))
    found = np.asarray(array, want) if plain and want is not None else _as_numpy(array)
    if type is None:
        element = _TYPES.get(found.dtype.name)
        if element is None:
            raise InputError(f"there is no element type for {found.dtype.name}")
    else:
        found = _fitting(np, found, element, want, exact, type)
    found = np.require(found, requirements="CA").reshape(found.shape)
    dims, rank, data = ints(found.shape), found.ndim, found.ctypes.data
    make = lib.tsr_tensor_view if found.size else lib.tsr_tensor_create
    handle = context._call(make, context._handle, to_str(element), dims, rank, data if found.size else None)
    return Tensor._of(context, handle, found)


def from_attr(attr):
    """The elements of a dense attribute as an array."""
    return Tensor._of(attr.context, attr.context._call(lib.tsr_attr_elements, attr._handle)).numpy()


def elements(module, array, type=None):
    """A dense attribute of an array."""
    from .types import Attr

    tensor = to_tensor(module.context, array, type)
    return Attr._of(module.context, module.context._call(lib.tsr_create_elements, module._handle, tensor._handle))
