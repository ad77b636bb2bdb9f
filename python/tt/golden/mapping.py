"""Goldens of ops, and arrays by device."""

from typing import Any, Dict, List, Tuple


def widened(array, type):
    """An array of a type's elements as numbers: bf16 is its bits where NumPy has no name for it."""
    import numpy as np

    if str(type.element) == "bf16" and array.dtype.kind == "u":
        return (array.astype(np.uint32) << 16).view(np.float32)
    return array


def narrowed(array, type):
    """And back."""
    import numpy as np

    if str(type.element) == "bf16" and type.dtype.kind == "u":
        return (np.asarray(array, np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return np.asarray(array).astype(type.dtype)


class GoldenMapTensor:
    """An array of each device; of one that all have, only that of device 0."""

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

    def __array__(self, dtype=None, copy=None):
        import numpy as np

        return np.asarray(self.shard_map[0], dtype)

    def __repr__(self):
        return f"GoldenMapTensor({self.shape}, {self.dtype}, {len(self.shard_map)} devices)"


def _split(array, shape, dims):
    import numpy as np

    parts = [array]
    for size, dim in zip(shape, dims):
        parts = [p for a in parts for p in (np.split(a, size, dim) if dim is not None and dim >= 0 else [a] * size)]
    return parts


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
