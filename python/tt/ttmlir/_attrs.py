# SPDX-License-Identifier: Apache-2.0
"""Classes of attributes and types of dialects: how they are made, and what they have."""

from enum import IntEnum

from tessera._library import lib

from ._values import ArrayAttr, Attribute, BoolAttr, IntegerAttr, StringAttr, Type, TypeAttr, _context, _DenseArrayAttr, register_attr, wrap_attr


def plain(attr):
    """A parameter as a Python value, where it is a number, a text, a list of these or a type; else the attribute."""
    if attr is None:
        return None
    if isinstance(attr, (IntegerAttr, BoolAttr, StringAttr, TypeAttr)):
        return attr.value
    if isinstance(attr, (_DenseArrayAttr, ArrayAttr)):
        return [plain(a) if isinstance(a, Attribute) else a for a in attr]
    return attr


class StructAttr(Attribute):
    """An attribute with parameters, FIELDS in their order; a name may be left out with ''."""

    __slots__ = ()
    FIELDS = ()

    def _item(self, i):
        handle = lib.tsr_attr_item(self._handle, i)
        return wrap_attr(self._owner, handle) if handle else None


def _field(index):
    return property(lambda self: plain(self._item(index)))


def struct(name, fields):
    """A class of attributes `name` with fields, in the order of its parameters; _ for one without a name."""

    def add(cls):
        made = type(cls.__name__, (cls, StructAttr), {"__slots__": (), "__module__": cls.__module__, "__doc__": cls.__doc__})
        for i, field in enumerate(fields.split()):
            if field != "_" and not hasattr(cls, field):
                setattr(made, field, _field(i))
        return register_attr(name)(made)

    return add


def parse(text, context):
    return Attribute.parse(text, _context(context))


def by(sizes):
    """1x2x3."""
    return "x".join(str(s) for s in sizes)


def split_context(args, context):
    """Arguments without a context that may come first, and the context."""
    from ._context import Context

    if args and isinstance(args[0], Context):
        return args[1:], args[0]
    return args, context


def enum(name, words):
    """An enumeration: "Case=word" with numbers from 0, or "Case=word:number"."""
    cases, texts = {}, {}
    for number, item in enumerate(words.split()):
        case, _, word = item.partition("=")
        word, _, given = word.partition(":")
        cases[case] = int(given) if given else number
        texts[cases[case]] = word
    made = IntEnum(name, cases)
    made.words = property(lambda self: texts)
    made.word = property(lambda self: texts[int(self)])
    made.__str__ = lambda self: texts[int(self)]
    return made


def enum_attr(name, attr, values, number=None):
    """The class of the attributes of an enumeration: get(context, case), value; number: another name of its number."""

    def get(cls, ctx, value):
        return cls(ctx, ctx.enum(attr, values(int(value)).word)._handle)

    def read(self):
        from tessera import _library as c

        text = c.borrowed(lib.tsr_attr_text(self._handle)).decode()
        return next(v for v in values if v.word == text)

    fields = {"__slots__": (), "get": classmethod(get), "value": property(read)}
    if number:
        fields[number] = property(lambda self: int(read(self)))
    return register_attr(attr)(type(name, (Attribute,), fields))


__all__ = ["IntEnum", "Type", "by", "enum", "enum_attr", "parse", "plain", "split_context", "struct"]
