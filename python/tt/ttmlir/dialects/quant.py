# SPDX-License-Identifier: Apache-2.0
"""The dialect quant: quantized types."""

from .._ods import dialect as _dialect
from .._values import Type, register_type

__getattr__, __dir__ = _dialect(__name__)


class QuantizedType(Type):
    __slots__ = ()
    FLAG_SIGNED = 1

    def _fields(self):
        """storage, expressed, scale, zero point."""
        body = str(self)[str(self).index("<") + 1 : -1]
        kinds, _, numbers = body.partition(", ")
        storage, _, expressed = kinds.partition(":")
        return storage.partition("<")[0], expressed, numbers

    @property
    def storage_type(self):
        return Type.parse(self._fields()[0], self.context)

    @property
    def expressed_type(self):
        return Type.parse(self._fields()[1].split(":")[0], self.context)

    @property
    def is_signed(self):
        return not self._fields()[0].startswith("u")


@register_type("!quant.uniform")
class UniformQuantizedType(QuantizedType):
    __slots__ = ()

    @classmethod
    def get(cls, flags, storage_type, expressed_type, scale, zero_point, storage_type_min, storage_type_max):
        kind = ("i" if flags & 1 else "u") + str(storage_type.width)
        point = f":{int(zero_point)}" if zero_point else ""
        width = storage_type.width
        low, high = (-(2 ** (width - 1)), 2 ** (width - 1) - 1) if flags & 1 else (0, 2**width - 1)
        limits = "" if (storage_type_min, storage_type_max) == (low, high) else f"<{storage_type_min}:{storage_type_max}>"
        return Type.parse(f"!quant.uniform<{kind}{limits}:{expressed_type}, {float(scale)!r}{point}>", storage_type.context)

    @property
    def scale(self):
        return float(self._fields()[2].split(":")[0])

    @property
    def zero_point(self):
        found = self._fields()[2].split(":")
        return int(found[1]) if len(found) > 1 else 0


class UniformQuantizedPerAxisType(QuantizedType):
    __slots__ = ()

    @classmethod
    def get(cls, flags, storage_type, expressed_type, scales, zero_points, quantized_dimension, storage_type_min, storage_type_max):
        kind = ("i" if flags & 1 else "u") + str(storage_type.width)
        body = ", ".join(f"{float(s)!r}" + (f":{int(z)}" if z else "") for s, z in zip(scales, zero_points))
        return Type.parse(f"!quant.uniform<{kind}:{expressed_type}:{quantized_dimension}, {{{body}}}>", storage_type.context)
