# SPDX-License-Identifier: Apache-2.0
"""Contexts: what modules share, and how calls of the library end."""

import operator
import os
import sys
import threading
import weakref
from ctypes import byref, c_double

from . import _library as c
from ._library import handles, ints, lib, owned, to_str
from .errors import Diagnostic, EnvironmentFailure, InputError
from .ops import Value
from .types import Attr, Type

_HERE = os.path.dirname(os.path.abspath(__file__))


class Context:
    """Holds what modules share: types, attributes, names. One thread at a time uses it and its modules."""

    def __init__(self, allow_unregistered=False):
        self._handle = lib.tsr_ctx_new()
        if not self._handle:
            raise EnvironmentFailure("no memory for a context")
        self._said = []
        self._rows = {}
        self._locations = {}
        self._lock = threading.RLock()
        self._children = 0
        self._closed = False
        me = weakref.ref(self)  # no cycle: a context goes with its last user
        self._handler = c.DIAG_FN(lambda _, diag: me()._on_diag(diag))
        lib.tsr_ctx_on_diag(self._handle, self._handler, None)
        lib.tsr_ctx_allow_unregistered(self._handle, allow_unregistered)

    def __del__(self):
        if getattr(self, "_handle", None) and lib:
            with self._lock:
                self._closed = True
                self._free()

    def _free(self):
        """The context goes after all that lives in it, in whatever order a collector of cycles comes to them."""
        if self._closed and not self._children and self._handle:
            lib.tsr_ctx_free(self._handle)
            self._handle = None

    def _adopt(self, handle):
        """Something that lives in the context was made."""
        with self._lock:
            self._children += 1
        return handle

    def _drop(self, free, handle):
        """And goes."""
        with self._lock:
            free(handle)
            self._children -= 1
            self._free()

    def _on_diag(self, diag):
        d = diag.contents
        text = [c.borrowed(s).decode(errors="replace") for s in (d.file, d.message, d.source, d.location)]
        self._said.append(Diagnostic(Diagnostic.SEVERITIES[d.severity], text[0], d.line, d.col, text[1], text[2], text[3]))

    def limit(self, steps=0, seconds=0.0, bytes=0, devices=0, ops=0):
        """What one call may use from now on; 0 is the default."""
        lib.tsr_ctx_set_budget(self._handle, byref(c.Budget(steps, seconds, bytes, devices, ops, 0)))

    def cancel(self, cancel=True):
        """Ends the call that runs, and each one after it, until it is taken back. From any thread."""
        lib.tsr_ctx_cancel(self._handle, cancel)

    def _fail(self, status=None):
        """Raises what the call that just failed said."""
        said, self._said = self._said, []
        first = next((d for d in said if d.severity == "error"), None)
        text = str(first) if first else status.message.decode(errors="replace") if status and status.code else "the call failed"
        for note in said:
            if note.severity == "note":
                text += f"\n{note}"
        kind = EnvironmentFailure if status is not None and status.code == 2 else InputError
        raise kind(text, said)

    def _call(self, function, *arguments):
        """A call with a status as last argument. What it says when it works, warnings, is kept in context.remarks."""
        status = c.Status()
        self._said = []
        result = function(*arguments, byref(status))
        if not result:
            self._fail(status)
        return result

    def _plain(self, function, *arguments):
        """A call without a status."""
        self._said = []
        result = function(*arguments)
        if not result:
            self._fail()
        return result

    @property
    def remarks(self):
        """Warnings and remarks of the last call."""
        return tuple(self._said)

    # Types

    def type(self, what):
        """A type, from a Type, its text, a NumPy or torch dtype or array, or a pair (shape, element type)."""
        if isinstance(what, Type):
            if what.context is not self:
                raise InputError(f"the type {what} is of another context")
            return what
        if isinstance(what, str):
            return Type._of(self, self._plain(lib.tsr_type_parse, self._handle, to_str(what)))
        if isinstance(what, tuple) and len(what) == 2 and isinstance(what[0], (tuple, list)):
            return self.tensor(*what)
        if isinstance(what, Value):
            return self.type(what.type)
        from . import tensors

        return self.type(tensors.type_text(what))

    def tensor(self, shape, element="f32", encoding=None):
        """A tensor type. None in a shape is a size that is not known."""
        dims = [c.DYNAMIC if d is None else operator.index(d) for d in shape]
        element = self.type(element)
        encoding = self.attr(encoding)._handle if encoding is not None else None
        return Type._of(self, self._call(lib.tsr_create_tensor_type, element._handle, ints(dims), len(dims), encoding))

    def function_type(self, inputs, outputs):
        a, b = [self.type(t)._handle for t in inputs], [self.type(t)._handle for t in outputs]
        return Type._of(self, self._call(lib.tsr_create_function_type, self._handle, handles(a), len(a), handles(b), len(b)))

    # Attributes

    def parse_attr(self, text):
        """An attribute from its text: "#stablehlo.dot<...>", "dense<1> : tensor<2xi32>", ..."""
        return Attr._of(self, self._plain(lib.tsr_attr_parse, self._handle, to_str(text)))

    def attr(self, value, number="i64", real="f32"):
        """An attribute of a Python value: None or True and False, numbers, text, lists, dictionaries, types. number and real are the
        types of integers and floats."""
        h = self._handle
        if isinstance(value, Attr):
            if value.context is not self:
                raise InputError("the attribute is of another context")
            return value
        if value is None:
            return Attr._of(self, self._call(lib.tsr_create_unit, h))
        if isinstance(value, bool):
            return Attr._of(self, self._call(lib.tsr_create_bool, h, value))
        if isinstance(value, Type):
            return Attr._of(self, self._call(lib.tsr_create_type_attr, self.type(value)._handle))
        if isinstance(value, str):
            return Attr._of(self, self._call(lib.tsr_create_string, h, to_str(value)))
        if isinstance(value, dict):
            items = (c.NamedAttr * len(value))()
            for item, (name, v) in zip(items, value.items()):
                item.name, item.value = to_str(name), self.attr(v, number, real)._handle
            return Attr._of(self, self._call(lib.tsr_create_dict, h, items, len(value)))
        if isinstance(value, (list, tuple)):
            items = [self.attr(v, number, real)._handle for v in value]
            return Attr._of(self, self._call(lib.tsr_create_array, h, handles(items), len(items)))
        if hasattr(value, "__index__"):
            return self.integer(value.__index__(), number)
        if hasattr(value, "__float__"):
            return Attr._of(self, self._call(lib.tsr_create_float, self.type(real)._handle, float(value)))
        raise InputError(f"no attribute is made of a {type(value).__name__}")

    def integer(self, value, type="i64"):
        """An integer attribute; one that does not fit in 64 bits goes through its text."""
        if -(2**63) <= value < 2**63:
            return Attr._of(self, self._call(lib.tsr_create_int, self.type(type)._handle, value))
        return self.parse_attr(f"{value} : {self.type(type)}")

    def array(self, values, element="i64"):
        """array<i64: ...>, a dense array of integers or floats."""
        t, values = self.type(element), list(values)
        if t.kind == "float":
            data = (c_double * len(values))(*values)
            return Attr._of(self, self._call(lib.tsr_create_float_array, t._handle, data, len(values)))
        return Attr._of(self, self._call(lib.tsr_create_int_array, t._handle, ints([operator.index(v) for v in values]), len(values)))

    def symbol(self, *path):
        """@a, or @a::@b."""
        names = (c.Str * len(path))(*[to_str(p) for p in path])
        return Attr._of(self, self._call(lib.tsr_create_symbol, self._handle, names, len(path)))

    def enum(self, name, case):
        """A case of an enum: enum("stablehlo.comparison_direction", "EQ")."""
        return Attr._of(self, self._call(lib.tsr_create_enum, self._handle, to_str(name), to_str(case)))

    # Locations

    def location(self, where=None):
        """A location: of a name, a pair (file, line) or triple with a column, a location; None: of the code that calls the package."""
        if isinstance(where, Attr):
            return self.attr(where)
        if isinstance(where, str):
            return Attr._of(self, self._call(lib.tsr_create_name_location, self._handle, to_str(where), None))
        if isinstance(where, tuple):
            file, line, col = (*where, 1)[:3]
            return self._file_location(str(file), int(line), int(col))
        frame = sys._getframe(1)
        while frame.f_back and frame.f_code.co_filename.startswith(_HERE):
            frame = frame.f_back
        return self._file_location(frame.f_code.co_filename, frame.f_lineno, 1)

    def _file_location(self, file, line, col):
        key = (file, line, col)
        found = self._locations.get(key)
        if found is None:
            found = self._call(lib.tsr_create_file_location, self._handle, to_str(file), line, col)
            self._locations[key] = found
        return Attr._of(self, found)

    # Rows

    def rows(self, dialect):
        """The ops of a dialect: a dictionary from names to rows of the table; empty when there is no such dialect."""
        rows = self._rows.get(dialect)
        if rows is None:
            rows = self._rows[dialect] = {row["name"][len(dialect) + 1 :]: row for row in self._describe(dialect + ".")}
        return rows

    def dialects(self):
        """Names of the dialects that have ops."""
        return sorted({row["name"].partition(".")[0] for row in self._describe("")})

    def _describe(self, prefix):
        import json

        text = owned(lib.tsr_describe_ops(self._handle, to_str(prefix)))
        if text is None:
            self._fail()
        return json.loads(text)


_default = None


def default_context():
    """The context that is used where none is given."""
    global _default
    if _default is None:
        _default = Context()
    return _default


def _or_default(context):
    """The context that was given, or the common one."""
    if context is not None and not isinstance(context, Context):
        raise InputError(f"a context is expected, not a {type(context).__name__}")
    return context if context is not None else default_context()
