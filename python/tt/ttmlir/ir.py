# SPDX-License-Identifier: Apache-2.0
"""ttmlir.ir: contexts, modules, ops, types and attributes."""

from ._affine import *  # noqa: F401,F403
from ._affine import __all__ as _affine_names
from ._context import Context, InsertionPoint, Location
from ._module import *  # noqa: F401,F403
from ._module import __all__ as _module_names
from ._ops import *  # noqa: F401,F403
from ._ops import __all__ as _op_names
from . import _values
from ._values import *  # noqa: F401,F403
from ._values import _DENSE_ARRAYS, _FLOATS

DefaultContext = None


class DialectRegistry:
    """Which dialects there are; all are."""

    def __init__(self):
        pass


class I64ElementsAttr:
    """Elements of 64 bits."""

    @staticmethod
    def get(values, context=None):
        from tessera import tensors

        return _values.DenseElementsAttr.get(tensors.numpy().asarray(list(values), "int64"), context=context)


try:
    import numpy as np  # upstream's names come with it
except ImportError:
    np = None

for _cls in [*_FLOATS.values(), *_DENSE_ARRAYS.values()]:
    globals()[_cls.__name__] = _cls

__all__ = sorted(
    {
        *_affine_names,
        *_module_names,
        *_op_names,
        *(n for n, v in vars(_values).items() if isinstance(v, type) and n[0].isupper() and n not in ("Attr",)),
        *(cls.__name__ for cls in [*_FLOATS.values(), *_DENSE_ARRAYS.values()]),
        *(["np"] if np is not None else []),
        "Context",
        "DialectRegistry",
        "I64ElementsAttr",
        "InsertionPoint",
        "Location",
    }
)
