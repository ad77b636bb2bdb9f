# SPDX-License-Identifier: Apache-2.0
"""Types and attributes. Equal ones are equal."""

import sys
from ctypes import byref, c_double, c_int64

from . import _library as c
from ._library import lib, owned

TYPE_KINDS = (
    "integer float index none complex vector tensor unranked_tensor memref unranked_memref tuple function dialect opaque"
).split()
ATTR_KINDS = (
    "unit int float string array dict type symbol dense dense_string dense_resource sparse dense_array affine_map integer_set"
    " strided location struct enum opaque distinct"
).split()
_SIGNS = ("signless", "signed", "unsigned")


# Bindings over this package, which know what they make.
_FRIENDS = ("ttmlir", "_ttmlir_runtime", "builder")


def _refuse(thing, made_by):
    """Nobody else makes objects over handles."""
    frame = sys._getframe(2)
    if frame.f_globals.get("__name__", "").partition(".")[0] not in _FRIENDS:
        raise TypeError(f"a {type(thing).__name__} comes from {made_by}")


class _Handle:
    """Something that lives in a context or a module, which it keeps alive."""

    __slots__ = ("_owner", "_handle")

    def __init__(self, owner=None, handle=None):
        _refuse(self, "a module, a builder or a context")
        self._owner, self._handle = owner, handle

    @classmethod
    def _of(cls, owner, handle):
        self = object.__new__(cls)
        self._owner = owner
        self._handle = handle
        return self

    def __eq__(self, other):
        return type(other) is type(self) and other._handle == self._handle

    def __hash__(self):
        return hash(self._handle)


class _Interned(_Handle):
    """A type or an attribute: it lives in a context."""

    __slots__ = ()

    @property
    def context(self):
        return self._owner

    def _print(self, call):
        return (owned(call(self._handle)) or b"").decode(errors="surrogateescape")

    def __repr__(self):
        return f"{type(self).__name__}({str(self)!r})"


class Type(_Interned):
    """A type. Equal ones are equal."""

    __slots__ = ()

    @property
    def kind(self):
        return TYPE_KINDS[lib.tsr_type_kind_of(self._handle)]

    @property
    def shape(self):
        """Its dimensions, None for one that is not known; None when it has no rank."""
        rank = lib.tsr_type_rank(self._handle)
        if rank < 0:
            return None
        dims = [lib.tsr_type_dim(self._handle, i) for i in range(rank)]
        return tuple(None if d == c.DYNAMIC else d for d in dims)

    @property
    def rank(self):
        rank = lib.tsr_type_rank(self._handle)
        return None if rank < 0 else rank

    @property
    def element(self):
        """The element type of a shaped or complex type; None otherwise."""
        handle = lib.tsr_type_element(self._handle)
        return Type._of(self._owner, handle) if handle else None

    @property
    def encoding(self):
        handle = lib.tsr_type_encoding(self._handle)
        return Attr._of(self._owner, handle) if handle else None

    @property
    def width(self):
        """Bits of an integer or a float; 0 of others."""
        return lib.tsr_type_width(self._handle)

    @property
    def sign(self):
        return _SIGNS[lib.tsr_type_sign(self._handle)]

    @property
    def members(self):
        """Of a tuple."""
        return tuple(self._members(0, lib.tsr_type_num_members(self._handle)))

    @property
    def inputs(self):
        """Of a function."""
        return tuple(self._members(0, lib.tsr_type_num_inputs(self._handle)))

    @property
    def outputs(self):
        return tuple(self._members(lib.tsr_type_num_inputs(self._handle), lib.tsr_type_num_members(self._handle)))

    def _members(self, start, end):
        for i in range(start, end):
            yield Type._of(self._owner, lib.tsr_type_member(self._handle, i))

    @property
    def dtype(self):
        """The NumPy dtype of its elements."""
        from . import tensors

        return tensors.dtype_of(self)

    def __str__(self):
        return self._print(lib.tsr_type_print)


class Attr(_Interned):
    """An attribute. Equal ones are equal."""

    __slots__ = ()

    @property
    def kind(self):
        return ATTR_KINDS[lib.tsr_attr_kind_of(self._handle)]

    @property
    def type(self):
        handle = lib.tsr_attr_type_of(self._handle)
        return Type._of(self._owner, handle) if handle else None

    @property
    def name(self):
        """Of a struct or an enum: "stablehlo.dot"."""
        return c.borrowed(lib.tsr_attr_name(self._handle)).decode()

    @property
    def value(self):
        """As a Python value: numbers, text, lists, dictionaries, types, arrays; the attribute itself where there is none."""
        h, kind = self._handle, self.kind
        if kind == "int":
            i = c_int64()
            if not lib.tsr_attr_get_int(h, byref(i)):
                return int(str(self).split(" ")[0])
            t = self.type
            if t.width == 1 and t.sign == "signless":
                return bool(i.value)
            return i.value + 2**64 if t.sign == "unsigned" and i.value < 0 else i.value
        if kind == "float":
            d = c_double()
            return d.value if lib.tsr_attr_get_float(h, byref(d)) else self
        if kind in ("string", "enum"):
            return c.borrowed(lib.tsr_attr_text(h)).decode(errors="surrogateescape")
        if kind == "unit":
            return None
        if kind == "type":
            return self.type
        if kind == "symbol":
            rest = [a.value for a in self.items]
            return "::".join([c.borrowed(lib.tsr_attr_text(h)).decode()] + rest)
        if kind == "array":
            return [a.value for a in self.items]
        if kind == "dict":
            names = [c.borrowed(lib.tsr_attr_item_name(h, i)).decode() for i in range(lib.tsr_attr_num_items(h))]
            return {name: a.value for name, a in zip(names, self.items)}
        if kind == "dense_array":
            return self._numbers()
        if kind == "dense":
            from . import tensors

            return tensors.from_attr(self)
        return self

    @property
    def items(self):
        """Items of an array, values of a dictionary, parameters of a struct (None where none is given)."""
        n = lib.tsr_attr_num_items(self._handle)
        found = (lib.tsr_attr_item(self._handle, i) for i in range(n))
        return [Attr._of(self._owner, a) if a else None for a in found]

    def _numbers(self):
        n, element = lib.tsr_attr_num_items(self._handle), self.type
        if element.kind == "float":
            out, read = c_double(), lib.tsr_attr_item_float
        else:
            out, read = c_int64(), lib.tsr_attr_item_int
        values = []
        for i in range(n):
            read(self._handle, i, byref(out))
            values.append(bool(out.value) if element.width == 1 else out.value)
        return values

    def __str__(self):
        return self._print(lib.tsr_attr_print)
