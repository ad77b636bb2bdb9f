"""Contexts, modules, ops, values, types and attributes."""

import ctypes
import os
import sys
from ctypes import byref, c_double, c_int64, c_size_t

from . import _library as c
from ._library import handles, ints, lib, owned, to_str
from .errors import Diagnostic, EnvironmentFailure, InputError, TesseraError

TYPE_KINDS = (
    "integer float index none complex vector tensor unranked_tensor memref unranked_memref tuple function dialect opaque"
).split()
ATTR_KINDS = (
    "unit int float string array dict type symbol dense dense_string dense_resource sparse dense_array affine_map integer_set"
    " strided location struct enum opaque distinct"
).split()
_HERE = os.path.dirname(os.path.abspath(__file__))
_SIGNS = ("signless", "signed", "unsigned")


class Context:
    """Holds what modules share: types, attributes, names. One thread at a time uses it and its modules."""

    def __init__(self, allow_unregistered=False):
        self._handle = lib.tsr_ctx_new()
        if not self._handle:
            raise EnvironmentFailure("no memory for a context")
        self._said = []
        self._rows = {}
        self._locations = {}
        self._handler = c.DIAG_FN(self._on_diag)
        lib.tsr_ctx_on_diag(self._handle, self._handler, None)
        lib.tsr_ctx_allow_unregistered(self._handle, allow_unregistered)

    def __del__(self):
        if getattr(self, "_handle", None) and lib:
            lib.tsr_ctx_free(self._handle)
            self._handle = None

    def _on_diag(self, _, diag):
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
            return Type(self, self._plain(lib.tsr_type_parse, self._handle, to_str(what)))
        if isinstance(what, tuple) and len(what) == 2 and isinstance(what[0], (tuple, list)):
            return self.tensor(*what)
        if isinstance(what, Value):
            return what.type
        from . import tensors

        return self.type(tensors.type_text(what))

    def tensor(self, shape, element="f32", encoding=None):
        """A tensor type. None in a shape is a size that is not known."""
        dims = [c.DYNAMIC if d is None else int(d) for d in shape]
        element = self.type(element)
        encoding = self.attr(encoding)._handle if encoding is not None else None
        return Type(self, self._call(lib.tsr_create_tensor_type, element._handle, ints(dims), len(dims), encoding))

    def function_type(self, inputs, outputs):
        a, b = [self.type(t)._handle for t in inputs], [self.type(t)._handle for t in outputs]
        return Type(self, self._call(lib.tsr_create_function_type, self._handle, handles(a), len(a), handles(b), len(b)))

    # Attributes

    def parse_attr(self, text):
        """An attribute from its text: "#stablehlo.dot<...>", "dense<1> : tensor<2xi32>", ..."""
        return Attr(self, self._plain(lib.tsr_attr_parse, self._handle, to_str(text)))

    def attr(self, value, number="i64", real="f32"):
        """An attribute of a Python value: None or True and False, numbers, text, lists, dictionaries, types. number and real are the
        types of integers and floats."""
        h = self._handle
        if isinstance(value, Attr):
            if value.context is not self:
                raise InputError("the attribute is of another context")
            return value
        if value is None:
            return Attr(self, self._call(lib.tsr_create_unit, h))
        if isinstance(value, bool):
            return Attr(self, self._call(lib.tsr_create_bool, h, value))
        if isinstance(value, Type):
            return Attr(self, self._call(lib.tsr_create_type_attr, self.type(value)._handle))
        if isinstance(value, str):
            return Attr(self, self._call(lib.tsr_create_string, h, to_str(value)))
        if isinstance(value, dict):
            items = (c.NamedAttr * len(value))()
            for item, (name, v) in zip(items, value.items()):
                item.name, item.value = to_str(name), self.attr(v, number, real)._handle
            return Attr(self, self._call(lib.tsr_create_dict, h, items, len(value)))
        if isinstance(value, (list, tuple)):
            items = [self.attr(v, number, real)._handle for v in value]
            return Attr(self, self._call(lib.tsr_create_array, h, handles(items), len(items)))
        if hasattr(value, "__index__"):
            return self.integer(value.__index__(), number)
        if hasattr(value, "__float__"):
            return Attr(self, self._call(lib.tsr_create_float, self.type(real)._handle, float(value)))
        raise InputError(f"no attribute is made of a {type(value).__name__}")

    def integer(self, value, type="i64"):
        """An integer attribute; one that does not fit in 64 bits goes through its text."""
        if -(2**63) <= value < 2**63:
            return Attr(self, self._call(lib.tsr_create_int, self.type(type)._handle, value))
        return self.parse_attr(f"{value} : {self.type(type)}")

    def array(self, values, element="i64"):
        """array<i64: ...>, a dense array of integers or floats."""
        t, values = self.type(element), list(values)
        if t.kind == "float":
            data = (c_double * len(values))(*values)
            return Attr(self, self._call(lib.tsr_create_float_array, t._handle, data, len(values)))
        return Attr(self, self._call(lib.tsr_create_int_array, t._handle, ints([int(v) for v in values]), len(values)))

    def symbol(self, *path):
        """@a, or @a::@b."""
        names = (c.Str * len(path))(*[to_str(p) for p in path])
        return Attr(self, self._call(lib.tsr_create_symbol, self._handle, names, len(path)))

    def enum(self, name, case):
        """A case of an enum: enum("stablehlo.comparison_direction", "EQ")."""
        return Attr(self, self._call(lib.tsr_create_enum, self._handle, to_str(name), to_str(case)))

    # Locations

    def location(self, where=None):
        """A location: of a name, a pair (file, line) or triple with a column, a location; None: of the code that calls the package."""
        if isinstance(where, Attr):
            return self.attr(where)
        if isinstance(where, str):
            return Attr(self, self._call(lib.tsr_create_name_location, self._handle, to_str(where), None))
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
            found = Attr(self, self._call(lib.tsr_create_file_location, self._handle, to_str(file), line, col))
            self._locations[key] = found
        return found

    # Rows

    def rows(self, dialect):
        """The ops of a dialect: a dictionary from names to rows of the table."""
        rows = self._rows.get(dialect)
        if rows is None:
            import json

            text = owned(lib.tsr_describe_ops(self._handle, to_str(dialect + ".")))
            if text is None:
                self._fail()
            rows = self._rows[dialect] = {row["name"][len(dialect) + 1 :]: row for row in json.loads(text)}
        return rows


_default = None


def default_context():
    """The context that is used where none is given."""
    global _default
    if _default is None:
        _default = Context()
    return _default


class _Handle:
    """Something that lives in a context or a module, which it keeps alive."""

    __slots__ = ("_owner", "_handle")

    def __init__(self, owner, handle):
        self._owner = owner
        self._handle = handle

    def __eq__(self, other):
        return type(other) is type(self) and other._handle == self._handle

    def __hash__(self):
        return hash(self._handle)


class Type(_Handle):
    """A type. Equal ones are equal."""

    __slots__ = ()

    @property
    def context(self):
        return self._owner

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
        return Type(self._owner, handle) if handle else None

    @property
    def encoding(self):
        handle = lib.tsr_type_encoding(self._handle)
        return Attr(self._owner, handle) if handle else None

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
            yield Type(self._owner, lib.tsr_type_member(self._handle, i))

    @property
    def dtype(self):
        """The NumPy dtype of its elements."""
        from . import tensors

        return tensors.dtype_of(self)

    def __str__(self):
        return (owned(lib.tsr_type_print(self._handle)) or b"").decode()

    def __repr__(self):
        return f"Type({str(self)!r})"


class Attr(_Handle):
    """An attribute. Equal ones are equal."""

    __slots__ = ()

    @property
    def context(self):
        return self._owner

    @property
    def kind(self):
        return ATTR_KINDS[lib.tsr_attr_kind_of(self._handle)]

    @property
    def type(self):
        handle = lib.tsr_attr_type_of(self._handle)
        return Type(self._owner, handle) if handle else None

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
        return [Attr(self._owner, a) if a else None for a in found]

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
        return (owned(lib.tsr_attr_print(self._handle)) or b"").decode(errors="surrogateescape")

    def __repr__(self):
        return f"Attr({str(self)!r})"


class Value(_Handle):
    """A result of an op, or an argument of a block."""

    __slots__ = ()

    @property
    def module(self):
        return self._owner

    @property
    def type(self):
        return Type(self._owner.context, lib.tsr_value_type(self._handle))

    @type.setter
    def type(self, type):
        ctx = self._owner.context
        ctx._call(lib.tsr_edit_type, self._handle, ctx.type(type)._handle)

    @property
    def shape(self):
        return self.type.shape

    @property
    def dtype(self):
        return self.type.dtype

    @property
    def op(self):
        """The op that defines it; None for an argument."""
        handle = lib.tsr_value_def(self._handle)
        return Op(self._owner, handle) if handle else None

    @property
    def block(self):
        """The block that it is an argument of; None for a result."""
        handle = lib.tsr_value_block(self._handle)
        return Block(self._owner, handle) if handle else None

    @property
    def index(self):
        return lib.tsr_value_index(self._handle)

    @property
    def uses(self):
        """Pairs of op and number of the operand, the first use first."""
        n = lib.tsr_value_num_uses(self._handle)
        found = (c.ValueUse * n)()
        lib.tsr_value_uses(self._handle, found, n)
        return [(Op(self._owner, use.op), use.operand) for use in found]

    def replace_all_uses_with(self, other):
        self._owner.context._call(lib.tsr_edit_replace, self._handle, _value(other, self._owner))

    def __repr__(self):
        kind = f"result {self.index} of {self.op.name}" if self.op else f"argument {self.index}"
        return f"<Value: {kind}, {self.type}>"


def _value(v, module):
    """The handle of a value of the module."""
    if isinstance(v, Op):
        v = v.result
    if not isinstance(v, Value):
        raise InputError(f"a value is expected, not a {type(v).__name__}")
    if v._owner is not module:
        raise InputError("the value is of another module")
    return v._handle


class Block(_Handle):
    """Arguments, and ops one after the other."""

    __slots__ = ()

    @property
    def module(self):
        return self._owner

    @property
    def args(self):
        return [Value(self._owner, lib.tsr_block_arg(self._handle, i)) for i in range(lib.tsr_block_num_args(self._handle))]

    @property
    def ops(self):
        """Its ops; a list, so that they may change on the way."""
        found, op = [], lib.tsr_block_first_op(self._handle)
        while op:
            found.append(Op(self._owner, op))
            op = lib.tsr_op_next(op)
        return found

    @property
    def region(self):
        handle = lib.tsr_block_region(self._handle)
        return Region(self._owner, handle) if handle else None

    def add_argument(self, type, loc=None):
        ctx = self._owner.context
        where = ctx.location(loc)._handle
        return Value(self._owner, ctx._call(lib.tsr_create_block_arg, self._handle, ctx.type(type)._handle, where))

    def erase_argument(self, index):
        self._owner.context._call(lib.tsr_edit_erase_arg, self._handle, index)


class Region(_Handle):
    """Blocks of an op, or of one to be."""

    __slots__ = ()

    @property
    def blocks(self):
        found, block = [], lib.tsr_region_first_block(self._handle)
        while block:
            found.append(Block(self._owner, block))
            block = lib.tsr_block_next(block)
        return found

    @property
    def op(self):
        handle = lib.tsr_region_op(self._handle)
        return Op(self._owner, handle) if handle else None

    def add_block(self, types=(), loc=None):
        ctx = self._owner.context
        found = [ctx.type(t)._handle for t in types]
        where = handles([ctx.location(loc)._handle] * len(found))
        return Block(self._owner, ctx._call(lib.tsr_create_block, self._handle, handles(found), len(found), where))


class Attributes:
    """The attributes of an op, as a dictionary that can be changed. Values that are read are attributes."""

    __slots__ = ("_op",)

    def __init__(self, op):
        self._op = op

    def _all(self):
        handle = self._op._handle
        n = lib.tsr_op_attrs(handle, None, 0)
        found = (c.OutNamedAttr * n)()
        lib.tsr_op_attrs(handle, found, n)
        ctx = self._op._owner.context
        return {c.borrowed(a.name).decode(): Attr(ctx, a.value) for a in found}

    def __getitem__(self, name):
        handle = lib.tsr_op_attr(self._op._handle, to_str(name))
        if not handle:
            raise KeyError(name)
        return Attr(self._op._owner.context, handle)

    def __setitem__(self, name, value):
        ctx = self._op._owner.context
        ctx._call(lib.tsr_edit_attr, self._op._handle, to_str(name), ctx.attr(value)._handle)

    def __delitem__(self, name):
        self[name]
        self._op._owner.context._call(lib.tsr_edit_attr, self._op._handle, to_str(name), None)

    def __contains__(self, name):
        return bool(lib.tsr_op_attr(self._op._handle, to_str(name)))

    def get(self, name, default=None):
        return self[name] if name in self else default

    def __iter__(self):
        return iter(self._all())

    def __len__(self):
        return lib.tsr_op_attrs(self._op._handle, None, 0)

    def keys(self):
        return self._all().keys()

    def items(self):
        return self._all().items()

    def __repr__(self):
        return repr(self._all())


class Op(_Handle):
    """An op of a module."""

    __slots__ = ()

    @property
    def module(self):
        return self._owner

    @property
    def name(self):
        return c.borrowed(lib.tsr_op_name(self._handle)).decode()

    @property
    def operands(self):
        return [Value(self._owner, lib.tsr_op_operand(self._handle, i)) for i in range(lib.tsr_op_num_operands(self._handle))]

    @operands.setter
    def operands(self, values):
        found = [_value(v, self._owner) for v in values]
        self._owner.context._call(lib.tsr_edit_operands, self._handle, handles(found), len(found))

    def set_operand(self, index, value):
        self._owner.context._call(lib.tsr_edit_operand, self._handle, index, _value(value, self._owner))

    @property
    def results(self):
        return [Value(self._owner, lib.tsr_op_result(self._handle, i)) for i in range(lib.tsr_op_num_results(self._handle))]

    @property
    def result(self):
        """The only result."""
        if lib.tsr_op_num_results(self._handle) != 1:
            raise InputError(f"'{self.name}' has {lib.tsr_op_num_results(self._handle)} results, not one")
        return Value(self._owner, lib.tsr_op_result(self._handle, 0))

    @property
    def attributes(self):
        return Attributes(self)

    @property
    def regions(self):
        return [Region(self._owner, lib.tsr_op_region(self._handle, i)) for i in range(lib.tsr_op_num_regions(self._handle))]

    @property
    def successors(self):
        return [Block(self._owner, lib.tsr_op_successor(self._handle, i)) for i in range(lib.tsr_op_num_successors(self._handle))]

    @property
    def body(self):
        """The first block of the first region; None when there is none."""
        region = lib.tsr_op_region(self._handle, 0)
        block = lib.tsr_region_first_block(region) if region else None
        return Block(self._owner, block) if block else None

    @property
    def parent(self):
        handle = lib.tsr_op_parent(self._handle)
        return Op(self._owner, handle) if handle else None

    @property
    def block(self):
        handle = lib.tsr_op_block(self._handle)
        return Block(self._owner, handle) if handle else None

    @property
    def next(self):
        handle = lib.tsr_op_next(self._handle)
        return Op(self._owner, handle) if handle else None

    @property
    def location(self):
        return Attr(self._owner.context, lib.tsr_op_location(self._handle))

    @location.setter
    def location(self, where):
        ctx = self._owner.context
        ctx._call(lib.tsr_edit_location, self._handle, ctx.location(where)._handle)

    def walk(self):
        """It and every op inside, parents first."""
        yield self
        for region in self.regions:
            for block in region.blocks:
                for op in block.ops:
                    yield from op.walk()

    def erase(self):
        self._owner.context._call(lib.tsr_edit_erase, self._handle)

    def move_before(self, other):
        self._move(other.block, other)

    def move_after(self, other):
        self._move(other.block, other.next)

    def _move(self, block, before):
        if block is None or block._owner is not self._owner:
            raise InputError("an op is moved within its module")
        self._owner.context._call(lib.tsr_edit_move, self._handle, block._handle, before._handle if before else None)

    def replace_with(self, *values):
        """All uses of its results become uses of these values, or of the results of one op; then it goes."""
        if len(values) == 1 and isinstance(values[0], Op):
            values = values[0].results
        mine = self.results
        if len(values) != len(mine):
            raise InputError(f"{len(mine)} results are replaced by {len(values)} values")
        for old, new in zip(mine, values):
            old.replace_all_uses_with(new)
        self.erase()

    def copy(self, before=None):
        """A copy with its regions, after it or before another op."""
        place = before or self.next
        block = (before or self).block
        made = self._owner.context._call(
            lib.tsr_create_copy, block._handle, place._handle if place else None, self._handle
        )
        return Op(self._owner, made)

    def verify(self):
        self._owner.context._plain(lib.tsr_op_verify, self._handle)

    def print(self, **options):
        return owned(lib.tsr_op_print(self._handle, byref(_print_options(options)))).decode(errors="surrogateescape")

    def __str__(self):
        return self.print()

    def __repr__(self):
        return f"<Op {self.name}>"


def _print_options(options):
    names = {field[0] for field in c.PrintOptions._fields_}
    unknown = set(options) - names
    if unknown:
        raise TypeError(f"unknown options of printing: {', '.join(sorted(unknown))}")
    return c.PrintOptions(**options)


class Module:
    """A program. Module() is empty; Module.parse and Module.load read one."""

    def __init__(self, name="", context=None, _handle=None):
        self.context = context or default_context()
        self._handle = _handle or self.context._call(lib.tsr_create_module, self.context._handle, to_str(name))

    def __del__(self):
        if getattr(self, "_handle", None) and lib:
            lib.tsr_module_free(self._handle)
            self._handle = None

    @classmethod
    def parse(cls, text, filename="<text>", context=None):
        """From text, MLIR bytecode or a portable artifact."""
        ctx = context or default_context()
        handle = ctx._plain(lib.tsr_module_parse, ctx._handle, to_str(text), to_str(filename))
        return cls(context=ctx, _handle=handle)

    @classmethod
    def load(cls, path, context=None):
        """From a file of any of these kinds."""
        ctx = context or default_context()
        return cls(context=ctx, _handle=ctx._plain(lib.tsr_module_parse_file, ctx._handle, os.fsencode(path)))

    @property
    def op(self):
        return Op(self, lib.tsr_module_op(self._handle))

    @property
    def body(self):
        return self.op.body

    def __getitem__(self, symbol):
        handle = lib.tsr_module_lookup(self._handle, to_str(symbol))
        if not handle:
            raise KeyError(symbol)
        return Op(self, handle)

    @property
    def functions(self):
        """The functions of the top level, by name."""
        found = {}
        for op in self.body.ops:
            if op.name == "func.func":
                found[op.attributes["sym_name"].value] = op
        return found

    def walk(self):
        return self.op.walk()

    def clone(self):
        return Module(context=self.context, _handle=self.context._plain(lib.tsr_module_clone, self._handle))

    def verify(self):
        """Raises when the module is wrong."""
        self.context._plain(lib.tsr_module_verify, self._handle)

    def print(self, **options):
        """Text. Options: generic, debug_info, local_scope, elide_larger, unique_ids, name_locations."""
        text = owned(lib.tsr_module_print(self._handle, byref(_print_options(options))))
        if text is None:
            self.context._fail()
        return text.decode(errors="surrogateescape")

    def __str__(self):
        return self.print()

    def _repr_html_(self):
        import html

        return f"<pre>{html.escape(self.print(elide_larger=16))}</pre>"

    def bytecode(self, version=-1):
        """MLIR bytecode; version: of the format, -1 for the newest."""
        return self._bytes(lib.tsr_module_bytecode(self._handle, version))

    def serialize(self, target="current", allow_others=False):
        """A portable artifact of StableHLO for readers of this version."""
        return self._bytes(lib.tsr_module_serialize(self._handle, to_str(target), allow_others))

    def _bytes(self, text):
        data = owned(text)
        if data is None:
            self.context._fail()
        return data

    @property
    def blobs(self):
        """Data that dense_resource attributes name: pairs of bytes and alignment, by key."""
        n = lib.tsr_module_blobs(self._handle, None, 0)
        found = (c.OutBlob * n)()
        lib.tsr_module_blobs(self._handle, found, n)
        return {c.borrowed(b.key).decode(): (c.borrowed(b.data), b.align) for b in found}

    def add_blob(self, key, data, align=4):
        self.context._call(lib.tsr_create_blob, self._handle, byref(c.Blob(to_str(key), to_str(data), align)))

    # Passes

    def run_passes(self, pipeline):
        """Runs "canonicalize,cse" and the like in place."""
        self.context._plain(lib.tsr_module_run, self._handle, to_str(pipeline))
        return self

    def simplify(self):
        self.context._plain(lib.tsr_module_simplify, self._handle)
        return self

    def fuse(self):
        self.context._plain(lib.tsr_module_fuse, self._handle)
        return self

    def grad(self, function="", wrt=None, forward=False, rematerialise=False, with_results=False):
        """Adds the derivative of a function: f_grad, or f_jvp with forward. Returns the module."""
        numbers = (c_size_t * len(wrt or ()))(*(wrt or ()))
        options = c.GradOptions(forward, numbers, len(wrt or ()), rematerialise, with_results)
        self.context._plain(lib.tsr_module_differentiate, self._handle, to_str(function), byref(options))
        return self

    # Meshes

    def partition(self):
        """The program of each device, by the module's meshes and shardings, in place."""
        self.context._plain(lib.tsr_module_partition, self._handle)
        return self

    def shard(self, mesh="", inputs=None, outputs=None, function=""):
        """Gives a mesh ("x=2,y=4") and shardings of inputs and outputs (by number: {0: '[{"x"}, {}]'}), and propagates them in place."""
        self.context._call(lib.tsr_module_shard, self._handle, byref(_shard_options(mesh, inputs, outputs, function)))
        return self

    def plan(self, mesh="", inputs=None, outputs=None, function=""):
        """What the program costs on each device then: a Plan. The module stays as it is."""
        options = _shard_options(mesh, inputs, outputs, function)
        return Plan(self._told(lib.tsr_module_plan, byref(options), False), self._told(lib.tsr_module_plan, byref(options), True))

    def why(self, value, mesh="", inputs=None, outputs=None, function=""):
        """Which steps sharded a value ("%12", "#0" for the first result), as text."""
        return self._told(lib.tsr_module_why, byref(_shard_options(mesh, inputs, outputs, function)), to_str(value))

    def _told(self, call, *arguments):
        status = c.Status()
        self.context._said = []
        text = owned(call(self._handle, *arguments, byref(status)))
        if text is None:
            self.context._fail(status)
        return text.decode(errors="replace")

    # Running

    def compile(self, function="", strict_rounding=False):
        """A program that runs many times, from several threads: see Executable."""
        from .runtime import Executable

        return Executable(self, function, strict_rounding)

    def run(self, *inputs, function="", engine="compiled", seed=0, spmd=False, zero_division="warn"):
        """Runs a function on arrays and returns its results, a list of arrays. engine: compiled, reference."""
        from . import runtime

        return runtime.run(self, inputs, function, engine, seed, spmd, zero_division)

    def random_inputs(self, function="", seed=0):
        """Arrays that are legal inputs of the function, the same for a seed everywhere."""
        from . import runtime

        return runtime.random_inputs(self, function, seed)


def _shard_options(mesh, inputs, outputs, function):
    pairs = [(i, s, False) for i, s in (inputs or {}).items()] + [(i, s, True) for i, s in (outputs or {}).items()]
    given = (c.GivenSharding * len(pairs))(*[c.GivenSharding(i, to_str(s), result) for i, s, result in pairs])
    return c.ShardOptions(to_str(mesh), given, len(pairs), to_str(function))


class Plan:
    """What a sharded program costs on each device: str() for people, .data for programs."""

    def __init__(self, text, data):
        import json

        self.text = text
        self.data = json.loads(data)

    def __str__(self):
        return self.text

    def _repr_html_(self):
        import html

        return f"<pre>{html.escape(self.text)}</pre>"


__all__ = [
    "Attr",
    "Attributes",
    "Block",
    "Context",
    "Module",
    "Op",
    "Plan",
    "Region",
    "TesseraError",
    "Type",
    "Value",
    "default_context",
]
del ctypes
