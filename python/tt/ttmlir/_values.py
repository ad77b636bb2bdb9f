# SPDX-License-Identifier: Apache-2.0
"""Attributes: the classes that code asks for by isinstance."""

import operator
from ctypes import byref, c_double, c_int64

from tessera import _library as c
from tessera._library import handles, lib, to_str
from tessera.types import Attr

from ._types import *  # noqa: F401,F403
from ._types import F32Type, F64Type, FloatType, ShapedType, Type, _Cast, _context, _FLOATS, register_type, wrap_type


class Attribute(_Cast, Attr):
    """An attribute."""

    __slots__ = ()

    @classmethod
    def _fits(cls, owner, handle):
        return cls is Attribute or isinstance(wrap_attr(owner, handle), cls)

    @classmethod
    def parse(cls, text, context=None):
        ctx = _context(context)
        return wrap_attr(ctx, ctx._plain(lib.tsr_attr_parse, ctx._handle, to_str(text)))

    @property
    def type(self):
        handle = lib.tsr_attr_type_of(self._handle)
        return wrap_type(self._owner, handle) if handle else None

    def get_named(self, name):
        return NamedAttribute(name, self)

    @property
    def typeid(self):
        return type(self)


class NamedAttribute(str):
    """A name and an attribute; as a text, its name."""

    def __new__(cls, name, attr):
        self = str.__new__(cls, name)
        self.name, self.attr = name, attr
        return self


class IntegerAttr(Attribute):
    __slots__ = ()

    @classmethod
    def get(cls, type, value):
        return wrap_attr(type.context, type.context.integer(operator.index(value), type)._handle)

    @property
    def value(self):
        return int(Attr.value.fget(self))

    def __int__(self):
        return self.value


class BoolAttr(Attribute):
    __slots__ = ()

    @classmethod
    def get(cls, value, context=None):
        ctx = _context(context)
        return cls(ctx, ctx._call(lib.tsr_create_bool, ctx._handle, bool(value)))

    @property
    def value(self):
        return bool(Attr.value.fget(self))

    def __bool__(self):
        return self.value


class FloatAttr(Attribute):
    __slots__ = ()

    @classmethod
    def get(cls, type, value, loc=None):
        return cls(type.context, type.context._call(lib.tsr_create_float, type._handle, float(value)))

    @classmethod
    def get_f32(cls, value, context=None):
        return cls.get(F32Type.get(context), value)

    @classmethod
    def get_f64(cls, value, context=None):
        return cls.get(F64Type.get(context), value)

    @property
    def value(self):
        d = c_double()
        lib.tsr_attr_get_float(self._handle, byref(d))
        return d.value

    def __float__(self):
        return self.value


class StringAttr(Attribute):
    __slots__ = ()

    @classmethod
    def get(cls, value, context=None):
        ctx = _context(context)
        return cls(ctx, ctx._call(lib.tsr_create_string, ctx._handle, to_str(value)))

    @property
    def value(self):
        return c.borrowed(lib.tsr_attr_text(self._handle)).decode(errors="surrogateescape")

    @property
    def value_bytes(self):
        return c.borrowed(lib.tsr_attr_text(self._handle))


class UnitAttr(Attribute):
    __slots__ = ()

    @classmethod
    def get(cls, context=None):
        ctx = _context(context)
        return cls(ctx, ctx._call(lib.tsr_create_unit, ctx._handle))


class TypeAttr(Attribute):
    __slots__ = ()

    @classmethod
    def get(cls, value, context=None):
        return cls(value.context, value.context._call(lib.tsr_create_type_attr, value._handle))

    @property
    def value(self):
        return self.type


class _Sequence(Attribute):
    """Attributes with items."""

    __slots__ = ()

    def __len__(self):
        return lib.tsr_attr_num_items(self._handle)

    def __iter__(self):
        return (self[i] for i in range(len(self)))


class ArrayAttr(_Sequence):
    __slots__ = ()

    @classmethod
    def get(cls, attributes, context=None):
        items = list(attributes)
        ctx = _context(context or (items[0].context if items else None))
        return cls(ctx, ctx._call(lib.tsr_create_array, ctx._handle, handles([a._handle for a in items]), len(items)))

    def __getitem__(self, i):
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        n = len(self)
        if not -n <= i < n:
            raise IndexError(i)
        return wrap_attr(self._owner, lib.tsr_attr_item(self._handle, i % n))

    def __add__(self, more):
        return ArrayAttr.get([*self, *more], self._owner)


class DictAttr(_Sequence):
    __slots__ = ()

    @classmethod
    def get(cls, value=None, context=None):
        items = dict(value or {})
        ctx = _context(context or next((a.context for a in items.values()), None))
        named = (c.NamedAttr * len(items))()
        for slot, (name, attr) in zip(named, items.items()):
            slot.name, slot.value = to_str(str(name)), attr._handle
        return cls(ctx, ctx._call(lib.tsr_create_dict, ctx._handle, named, len(items)))

    def _name(self, i):
        return c.borrowed(lib.tsr_attr_item_name(self._handle, i)).decode()

    def __getitem__(self, key):
        if isinstance(key, str):
            for i in range(len(self)):
                if self._name(i) == key:
                    return wrap_attr(self._owner, lib.tsr_attr_item(self._handle, i))
            raise KeyError(key)
        if not 0 <= key < len(self):
            raise IndexError(key)
        return NamedAttribute(self._name(key), wrap_attr(self._owner, lib.tsr_attr_item(self._handle, key)))

    def __contains__(self, key):
        return any(self._name(i) == key for i in range(len(self)))


class SymbolRefAttr(Attribute):
    __slots__ = ()

    @classmethod
    def get(cls, symbols, context=None):
        ctx = _context(context)
        return wrap_attr(ctx, ctx.symbol(*symbols)._handle)

    @property
    def value(self):
        return Attr.value.fget(self).split("::")


class FlatSymbolRefAttr(SymbolRefAttr):
    __slots__ = ()

    @classmethod
    def get(cls, value, context=None):
        ctx = _context(context)
        return cls(ctx, ctx.symbol(value)._handle)

    @property
    def value(self):
        return c.borrowed(lib.tsr_attr_text(self._handle)).decode()


class _DenseArrayAttr(_Sequence):
    """array<i64: 1, 2>."""

    __slots__ = ()
    ELEMENT = ""

    @classmethod
    def get(cls, values, context=None):
        ctx = _context(context)
        return cls(ctx, ctx.array(list(values), cls.ELEMENT)._handle)

    def __getitem__(self, i):
        n = len(self)
        if not -n <= i < n:
            raise IndexError(i)
        out, read = (c_double(), lib.tsr_attr_item_float) if self.ELEMENT[0] == "f" else (c_int64(), lib.tsr_attr_item_int)
        read(self._handle, i % n, byref(out))
        return bool(out.value) if self.ELEMENT == "i1" else out.value

    def __add__(self, more):
        return type(self).get([*self, *more], self._owner)


_DENSE_ARRAYS = {
    element: type(f"Dense{name}ArrayAttr", (_DenseArrayAttr,), {"__slots__": (), "ELEMENT": element})
    for element, name in {"i1": "Bool", "i8": "I8", "i16": "I16", "i32": "I32", "i64": "I64", "f32": "F32", "f64": "F64"}.items()
}
DenseBoolArrayAttr, DenseI8ArrayAttr, DenseI16ArrayAttr, DenseI32ArrayAttr, DenseI64ArrayAttr, DenseF32ArrayAttr, DenseF64ArrayAttr = (
    _DENSE_ARRAYS.values()
)


class DenseElementsAttr(Attribute):
    """dense<...>."""

    __slots__ = ()

    @classmethod
    def get(cls, array, signless=True, *, type=None, shape=None, context=None):
        from tessera import tensors

        np = tensors.numpy()
        if isinstance(array, (list, tuple)) and array and isinstance(array[0], Attr):
            return cls._of_attrs(array, type)
        ctx = _context(context or (type.context if type is not None else None))
        found = np.asarray(array)
        wanted = type
        if wanted is None:
            element = tensors.type_text(found.dtype)
            element = element.lstrip("us") if signless and element.startswith("ui") else element
            dims = list(shape) if shape is not None else list(found.shape)
        else:
            shaped = isinstance(wanted, ShapedType)
            element = str(wanted.element_type if shaped else wanted)
            dims = wanted.shape if shaped else list(shape) if shape is not None else list(found.shape)
        dtype = tensors.dtype_of(ctx.type(element))
        if found.dtype != dtype and found.dtype.itemsize == dtype.itemsize and wanted is not None:
            found = found.view(dtype)
        else:
            found = found.astype(dtype, copy=False)
        found = np.broadcast_to(found.reshape(()) if found.size == 1 else found.reshape(dims), dims)
        return _elements(ctx, np.ascontiguousarray(found).reshape(dims), element)

    @staticmethod
    def _of_attrs(items, type):
        from tessera import tensors

        np = tensors.numpy()
        shape = type.shape if type is not None else [len(items)]
        element = type.element_type if type is not None else items[0].type
        values = np.array([a.value for a in items]).astype(tensors.dtype_of(element))
        return _elements(items[0].context, values.reshape(shape), str(element))

    @classmethod
    def get_splat(cls, shaped_type, element_attr):
        from tessera import tensors

        np = tensors.numpy()
        element = shaped_type.element_type
        value = np.full(shaped_type.shape, element_attr.value, tensors.dtype_of(element))
        return _elements(shaped_type.context, value, str(element))

    @property
    def is_splat(self):
        values = self.numpy()
        return values.size > 0 and (values == values.flat[0]).all()

    def get_splat_value(self):
        values = self.numpy()
        element = self.type.element_type
        first = values.flat[0]
        if isinstance(element, FloatType):
            return FloatAttr.get(element, float(first))
        return BoolAttr.get(bool(first), self._owner) if element.width == 1 else IntegerAttr.get(element, int(first))

    def numpy(self):
        from tessera import tensors

        return tensors.from_attr(self)

    @property
    def raw_elements(self):
        return self.numpy()

    def __array__(self, dtype=None, copy=None):
        found = self.numpy()
        return found.astype(dtype) if dtype is not None else found

    def __len__(self):
        return self.numpy().size

    def __iter__(self):
        return (v.item() for v in self.numpy().reshape(-1))

    def __getitem__(self, i):
        return self.numpy().reshape(-1)[i].item()


class DenseIntElementsAttr(DenseElementsAttr):
    __slots__ = ()


class DenseFPElementsAttr(DenseElementsAttr):
    __slots__ = ()


class DenseResourceElementsAttr(Attribute):
    __slots__ = ()


class AffineMapAttr(Attribute):
    __slots__ = ()

    @classmethod
    def get(cls, map):
        return cls(map.context, map.context._plain(lib.tsr_attr_parse, map.context._handle, to_str(f"affine_map<{map._body()}>")))


class OpaqueAttr(Attribute):
    __slots__ = ()


def _elements(ctx, array, element):
    """A dense attribute of an array; the context's own module has its data."""
    from tessera import tensors

    tensor = tensors.to_tensor(ctx, array, ctx.type(element))
    return wrap_attr(ctx, ctx._call(lib.tsr_create_elements, ctx._scratch._handle, tensor._handle))


_ATTR_KINDS = {
    "unit": UnitAttr,
    "int": IntegerAttr,
    "float": FloatAttr,
    "string": StringAttr,
    "array": ArrayAttr,
    "dict": DictAttr,
    "type": TypeAttr,
    "symbol": FlatSymbolRefAttr,
    "dense": DenseIntElementsAttr,
    "dense_resource": DenseResourceElementsAttr,
    "affine_map": AffineMapAttr,
    "opaque": OpaqueAttr,
}
_dialect_attrs = {}  # classes of attributes of dialects, by name: "ttcore.mesh"


def register_attr(name):
    def add(cls):
        _dialect_attrs[name] = cls
        cls.ATTR_NAME = name
        return cls

    return add


def wrap_attr(ctx, handle):
    """An attribute as an object of its class."""
    plain = Attr._of(ctx, handle)
    kind = plain.kind
    if kind in ("struct", "enum"):
        return _dialect_attrs.get(plain.name, Attribute)(ctx, handle)
    cls = _ATTR_KINDS.get(kind, Attribute)
    if kind == "int":
        t = plain.type
        cls = BoolAttr if t.width == 1 and t.sign == "signless" and t.kind == "integer" else IntegerAttr
    elif kind == "dense":
        cls = DenseFPElementsAttr if plain.type.element.kind == "float" else DenseIntElementsAttr
    elif kind == "dense_array":
        cls = _DENSE_ARRAYS.get(str(plain.type), Attribute)
    elif kind == "symbol" and lib.tsr_attr_num_items(handle):
        cls = SymbolRefAttr
    elif kind == "location":
        from ._context import Location

        cls = Location
    return cls(ctx, handle)


_ = (Type, _FLOATS, register_type)
