# SPDX-License-Identifier: Apache-2.0
"""Goldens of ops, and arrays by device."""

import operator
from typing import Any, Dict, List, Tuple

from _ttmlir_runtime._types import to_bits


def widened(array, type):
    """An array of a type's elements as numbers that all know: bf16 as f32. It is its bits where NumPy has no name for it."""
    import numpy as np

    if str(type.element) != "bf16":
        return array
    return (array.astype(np.uint32) << 16).view(np.float32) if array.dtype.kind == "u" else array.astype(np.float32)


def narrowed(array, type):
    """And back."""
    import numpy as np

    if str(type.element) == "bf16" and type.dtype.kind == "u":
        return to_bits(np.asarray(array, np.float32))
    return np.asarray(array).astype(type.dtype)


def as_array(what):
    """An array of numbers, from one, a number, or a tensor of torch."""
    import numpy as np

    if getattr(what, "is_quantized", False):
        what = what.int_repr()
    if hasattr(what, "detach"):
        what = what.detach()
        what = what.float() if str(what.dtype) == "torch.bfloat16" else what
    return np.asarray(what)


def as_torch(array, type):
    """A tensor of torch with an array's numbers, in the type that a value has."""
    import torch

    made = torch.as_tensor(array.copy())
    return made.to(torch.bfloat16) if str(type.element) == "bf16" else made


def _take(what, device):
    """What a device has of something that may hold goldens."""
    if isinstance(what, GoldenMapTensor):
        return what.shard_at(device)
    if isinstance(what, (list, tuple)):
        return type(what)(_take(w, device) for w in what)
    return {k: _take(w, device) for k, w in what.items()} if isinstance(what, dict) else what


def _held(what):
    if isinstance(what, GoldenMapTensor):
        yield what
    elif isinstance(what, (list, tuple, dict)):
        for w in what.values() if isinstance(what, dict) else what:
            yield from _held(w)


class GoldenMapTensor:
    """An array, or a tensor of torch, of each device; of one that all have, only that of device 0. Functions of torch work on each."""

    def __init__(self, shard_map: Dict[int, Any], mesh_shape: Tuple[int, ...] = (1, 1)):
        if not shard_map:
            raise ValueError("a golden has at least one array")
        self.shard_map, self.mesh_shape = dict(shard_map), tuple(mesh_shape)

    @classmethod
    def of(cls, goldens, value, mesh_shape):
        """Of a value of a module: goldens are those of its function (tessera.FunctionGoldens)."""
        return cls({d: widened(goldens.get(value, d), value.type) for d in range(goldens.num_devices)}, mesh_shape)

    @property
    def shape(self):
        return self.shard_map[0].shape

    @property
    def dtype(self):
        return self.shard_map[0].dtype

    def shard_at(self, device):
        return self.shard_map[device if device in self.shard_map else 0]

    def golden_map_tensor_as_torch_tensors(self):
        import torch

        return {d: torch.as_tensor(a) for d, a in self.shard_map.items()}

    def apply_shardwise(self, function):
        """What a function makes of each device's."""
        return GoldenMapTensor({d: function(a) for d, a in self.shard_map.items()}, self.mesh_shape)

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        first, *others = _held([args, kwargs or {}])
        devices = sorted(set(first.shard_map).union(*(o.shard_map for o in others)))
        found = {d: function(*_take(args, d), **_take(kwargs or {}, d)) for d in devices}
        if not hasattr(found[devices[0]], "shape"):  # of all the same: is_floating_point
            return found[devices[0]]
        return cls(found, first.mesh_shape)

    def _with(self, function, *others):
        return self.__torch_function__(function, (), (self, *others))

    def __getattr__(self, name):
        """Methods of tensors: of each."""
        if name.startswith("_"):
            raise AttributeError(name)
        method = getattr(self.shard_map[0], name)
        if not callable(method):
            return method
        return lambda *args, **given: self.__torch_function__(lambda a, *r, **g: getattr(a, name)(*r, **g), (), (self, *args), given)

    def __getitem__(self, key):
        return self._with(operator.getitem, key)

    def __array__(self, dtype=None, copy=None):
        import numpy as np

        return np.asarray(self.shard_map[0], dtype)

    def __repr__(self):
        return f"GoldenMapTensor({tuple(self.shape)}, {self.dtype}, {len(self.shard_map)} devices)"


for _name in ("lt", "le", "gt", "ge", "add", "sub", "mul", "truediv", "matmul", "pow"):
    setattr(GoldenMapTensor, f"__{_name}__", lambda self, other, call=getattr(operator, _name): self._with(call, other))
for _name in ("add", "sub", "mul", "truediv"):
    setattr(GoldenMapTensor, f"__r{_name}__", lambda self, other, call=getattr(operator, _name): self._with(lambda a, b: call(b, a), other))


def _split(array, shape, dims):
    parts = [array]
    for size, dim in zip(shape, dims):
        parts = [p for a in parts for p in (_pieces(a, size, dim) if dim is not None and dim >= 0 else [a] * size)]
    return parts


def _pieces(array, count, dim):
    if array.shape[dim] % count:
        raise ValueError(f"dimension {dim} of {tuple(array.shape)} has no {count} equal parts")
    step = array.shape[dim] // count
    return [array[(slice(None),) * dim + (slice(i * step, (i + 1) * step),)] for i in range(count)]


def apply_sharding(tensor: GoldenMapTensor, mesh_shape: Tuple[int, ...], shard_dims: Tuple[int, ...]) -> GoldenMapTensor:
    """The part of each device of a whole."""
    return GoldenMapTensor(dict(enumerate(_split(tensor.shard_at(0), mesh_shape, shard_dims))), mesh_shape)


def apply_unsharding(tensor: GoldenMapTensor, mesh_shape: Tuple[int, ...], shard_dims: Tuple[int, ...]) -> GoldenMapTensor:
    """The whole of parts."""
    import numpy as np

    parts: List[Any] = [tensor.shard_at(i) for i in range(int(np.prod(mesh_shape)))]
    for size, dim in reversed(list(zip(mesh_shape, shard_dims))):
        rows = [parts[i : i + size] for i in range(0, len(parts), size)]
        parts = [np.concatenate(row, dim) if dim is not None and dim >= 0 else row[0] for row in rows]
    return GoldenMapTensor({0: parts[0]}, mesh_shape)


def get_golden_function(ttir_op_class: Any, **kwargs: Any):
    """What an op computes, as a function of arrays and of its attributes by name. The op: its class, or its name."""
    name = getattr(ttir_op_class, "OPERATION_NAME", ttir_op_class)

    def golden(*arrays, output_type=None, **attributes):
        import numpy as np
        import tessera as ts

        dialect, _, local = str(name).partition(".")
        given = [np.asarray(a) for a in arrays]
        b = ts.Builder(ts.Module(), dialect=dialect)
        with b.function("main", given) as values:
            made = getattr(b, local)(*values, **{**kwargs, **attributes}, output_type=output_type)
            b.ret(*(made if isinstance(made, list) else [made]))
        found = b.module.run(*given, engine="reference")
        return found[0] if len(found) == 1 else tuple(found)

    golden.__name__ = f"{str(name).replace('.', '_')}_golden"
    return golden
