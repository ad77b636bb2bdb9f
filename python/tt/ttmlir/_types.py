# SPDX-License-Identifier: Apache-2.0
"""Types: the classes that code asks for by isinstance."""

import operator

from tessera import _library as c
from tessera._library import handles, ints, lib, to_str
from tessera.types import Type as _Type


def _context(context):
    from ._context import context_of

    return context_of(context)


class _Downcast:
    """Of a class: Class.maybe_downcast(attribute), None when that is another; of an object: itself as its class has it."""

    def __get__(self, instance, owner):
        if instance is not None:
            return lambda: instance
        return lambda other: owner(other._owner, other._handle) if other is not None and owner._fits(other._owner, other._handle) else None


class _Cast:
    """Classes of interned things are made of (context, handle), or cast from another one."""

    __slots__ = ()

    def __init__(self, owner, handle=None):
        if handle is None:
            owner, handle = owner._owner, owner._handle
            if not self._fits(owner, handle):
                raise ValueError(f"this is no {type(self).__name__}")
        self._owner = owner
        self._handle = handle

    @classmethod
    def _fits(cls, owner, handle):
        return True

    @classmethod
    def isinstance(cls, other):
        return cls._fits(other._owner, other._handle)

    maybe_downcast = _Downcast()

    def __eq__(self, other):
        return getattr(other, "_handle", None) == self._handle

    def __hash__(self):
        return hash(self._handle)


# ---- Types ----


class Type(_Cast, _Type):
    """A type."""

    __slots__ = ()

    @classmethod
    def _fits(cls, owner, handle):
        return isinstance(wrap_type(owner, handle), cls)

    @classmethod
    def parse(cls, text, context=None):
        ctx = _context(context)
        return wrap_type(ctx, ctx._plain(lib.tsr_type_parse, ctx._handle, to_str(text)))

    @property
    def typeid(self):
        return type(self)


def _parsed(name, text):
    """A class of the types that one text names."""

    def get(cls, context=None):
        ctx = _context(context)
        return cls(ctx, ctx._plain(lib.tsr_type_parse, ctx._handle, to_str(text)))

    return type(name, (FloatType if text[0] in "fb" else Type,), {"__slots__": (), "get": classmethod(get)})


class FloatType(Type):
    __slots__ = ()

    @property
    def width(self):
        return lib.tsr_type_width(self._handle)


_FLOATS = {
    text: _parsed(name, text)
    for text, name in {
        "f16": "F16Type",
        "bf16": "BF16Type",
        "f32": "F32Type",
        "f64": "F64Type",
        "tf32": "FloatTF32Type",
        "f8E4M3FN": "Float8E4M3FNType",
        "f8E5M2": "Float8E5M2Type",
        "f8E4M3": "Float8E4M3Type",
        "f8E4M3FNUZ": "Float8E4M3FNUZType",
        "f8E5M2FNUZ": "Float8E5M2FNUZType",
        "f8E4M3B11FNUZ": "Float8E4M3B11FNUZType",
        "f8E3M4": "Float8E3M4Type",
        "f8E8M0FNU": "Float8E8M0FNUType",
        "f4E2M1FN": "Float4E2M1FNType",
    }.items()
}
F16Type, BF16Type, F32Type, F64Type = (_FLOATS[t] for t in ("f16", "bf16", "f32", "f64"))
IndexType = _parsed("IndexType", "index")
NoneType = _parsed("NoneType", "none")


class IntegerType(Type):
    __slots__ = ()
    SIGNLESS, SIGNED, UNSIGNED = range(3)

    @classmethod
    def _get(cls, width, sign, context):
        ctx = _context(context)
        return cls(ctx, ctx._call(lib.tsr_create_integer_type, ctx._handle, width, sign))

    @classmethod
    def get(cls, width, signedness=0, context=None):
        return cls._get(width, signedness, context)

    @classmethod
    def get_signless(cls, width, context=None):
        return cls._get(width, 0, context)

    @classmethod
    def get_signed(cls, width, context=None):
        return cls._get(width, 1, context)

    @classmethod
    def get_unsigned(cls, width, context=None):
        return cls._get(width, 2, context)

    @property
    def is_signless(self):
        return lib.tsr_type_sign(self._handle) == 0

    @property
    def is_signed(self):
        return lib.tsr_type_sign(self._handle) == 1

    @property
    def is_unsigned(self):
        return lib.tsr_type_sign(self._handle) == 2

    @property
    def signedness(self):
        return lib.tsr_type_sign(self._handle)


class ComplexType(Type):
    __slots__ = ()

    @classmethod
    def get(cls, element_type):
        ctx = element_type.context
        return cls(ctx, ctx._call(lib.tsr_create_complex_type, element_type._handle))

    @property
    def element_type(self):
        return wrap_type(self._owner, lib.tsr_type_element(self._handle))


class ShapedType(Type):
    __slots__ = ()

    @property
    def element_type(self):
        return wrap_type(self._owner, lib.tsr_type_element(self._handle))

    @property
    def has_rank(self):
        return lib.tsr_type_rank(self._handle) >= 0

    @property
    def rank(self):
        return lib.tsr_type_rank(self._handle)

    @property
    def shape(self):
        rank = lib.tsr_type_rank(self._handle)
        return [lib.tsr_type_dim(self._handle, i) for i in range(rank)]

    @property
    def has_static_shape(self):
        return all(d != c.DYNAMIC for d in self.shape)

    def is_dynamic_dim(self, i):
        return self.shape[i] == c.DYNAMIC

    def get_dim_size(self, i):
        return self.shape[i]

    @staticmethod
    def get_dynamic_size():
        return c.DYNAMIC

    @staticmethod
    def is_dynamic_size(size):
        return size == c.DYNAMIC


class RankedTensorType(ShapedType):
    __slots__ = ()

    @classmethod
    def get(cls, shape, element_type, encoding=None, loc=None):
        ctx = element_type.context
        dims = [operator.index(d) for d in shape]
        layout = encoding._handle if encoding is not None else None
        return cls(ctx, ctx._call(lib.tsr_create_tensor_type, element_type._handle, ints(dims), len(dims), layout))

    @property
    def encoding(self):
        from ._values import wrap_attr

        handle = lib.tsr_type_encoding(self._handle)
        return wrap_attr(self._owner, handle) if handle else None


class UnrankedTensorType(ShapedType):
    __slots__ = ()


class VectorType(ShapedType):
    __slots__ = ()


class MemRefType(ShapedType):
    __slots__ = ()

    @classmethod
    def get(cls, shape, element_type, layout=None, memory_space=None, loc=None):
        more = "".join(f", {a}" for a in (layout, memory_space) if a is not None)
        return Type.parse(f"memref<{''.join(f'{d}x' for d in shape)}{element_type}{more}>", element_type.context)

    @property
    def memory_space(self):
        """What its text has after the last comma of the first level."""
        from ._values import Attribute

        text, depth, last = str(self), 0, None
        for i, ch in enumerate(text):
            depth += (ch in "<([") - (ch in ">)]")
            last = i if ch == "," and depth == 1 else last
        return Attribute.parse(text[last + 1 : -1].strip(), self.context) if last else None


class TupleType(Type):
    __slots__ = ()

    @classmethod
    def get_tuple(cls, elements, context=None):
        ctx = _context(context)
        return cls(ctx, ctx._call(lib.tsr_create_tuple_type, ctx._handle, handles([t._handle for t in elements]), len(elements)))

    @property
    def num_types(self):
        return lib.tsr_type_num_members(self._handle)

    def get_type(self, i):
        return wrap_type(self._owner, lib.tsr_type_member(self._handle, i))


class FunctionType(Type):
    __slots__ = ()

    @classmethod
    def get(cls, inputs, results, context=None):
        ctx = _context(context or next((t.context for t in [*inputs, *results]), None))
        a, b = [t._handle for t in inputs], [t._handle for t in results]
        return cls(ctx, ctx._call(lib.tsr_create_function_type, ctx._handle, handles(a), len(a), handles(b), len(b)))

    def _some(self, start, end):
        return [wrap_type(self._owner, lib.tsr_type_member(self._handle, i)) for i in range(start, end)]

    @property
    def inputs(self):
        return self._some(0, lib.tsr_type_num_inputs(self._handle))

    @property
    def results(self):
        return self._some(lib.tsr_type_num_inputs(self._handle), lib.tsr_type_num_members(self._handle))


class OpaqueType(Type):
    __slots__ = ()


_TYPE_KINDS = (
    IntegerType,
    FloatType,
    IndexType,
    NoneType,
    ComplexType,
    VectorType,
    RankedTensorType,
    UnrankedTensorType,
    MemRefType,
    MemRefType,
    TupleType,
    FunctionType,
    Type,
    OpaqueType,
)
_dialect_types = {}  # classes of types of dialects, by the head of their text: "!ttcore.tile"


def register_type(head):
    def add(cls):
        _dialect_types[head] = cls
        return cls

    return add


def wrap_type(ctx, handle):
    """A type as an object of its class."""
    cls = _TYPE_KINDS[lib.tsr_type_kind_of(handle)]
    if cls is FloatType:
        cls = _FLOATS.get(str(_Type._of(ctx, handle)), FloatType)
    elif cls is Type:
        cls = _dialect_types.get(str(_Type._of(ctx, handle)).partition("<")[0], Type)
    return cls(ctx, handle)


__all__ = [name for name, item in list(globals().items()) if isinstance(item, type) and not name.startswith("_")]
