# SPDX-License-Identifier: Apache-2.0
"""Ops, blocks, regions and values of a module."""

from ctypes import byref, c_size_t, pointer

from . import _library as c
from ._library import handles, lib, owned, to_str
from .errors import InputError
from .types import Attr, Type, _Handle


class Value(_Handle):
    """A result of an op, or an argument of a block."""

    __slots__ = ()

    @property
    def module(self):
        return self._owner

    @property
    def type(self):
        return Type._of(self._owner.context, lib.tsr_value_type(self._handle))

    @type.setter
    def type(self, type):
        ctx = self._owner.context
        ctx._call(lib.tsr_edit_type, self._handle, ctx.type(type)._handle)

    @property
    def name(self):
        """What the program's author calls it ("params['w']", "jit(f)/block/add"), as in all reports; else the printed name, "%arg0". An erased one has
        none."""
        text = owned(lib.tsr_value_name(self._handle))
        return None if text is None else text.decode(errors="replace")

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
        return Op._of(self._owner, handle) if handle else None

    @property
    def block(self):
        """The block that it is an argument of; None for a result."""
        handle = lib.tsr_value_block(self._handle)
        return Block._of(self._owner, handle) if handle else None

    @property
    def index(self):
        return lib.tsr_value_index(self._handle)

    @property
    def uses(self):
        """Pairs of op and number of the operand, the first use first."""
        n = lib.tsr_value_num_uses(self._handle)
        found = (c.ValueUse * n)()
        lib.tsr_value_uses(self._handle, found, n)
        return [(Op._of(self._owner, use.op), use.operand) for use in found]

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
        return [Value._of(self._owner, lib.tsr_block_arg(self._handle, i)) for i in range(lib.tsr_block_num_args(self._handle))]

    @property
    def ops(self):
        """Its ops; a list, so that they may change on the way."""
        found, op = [], lib.tsr_block_first_op(self._handle)
        while op:
            found.append(Op._of(self._owner, op))
            op = lib.tsr_op_next(op)
        return found

    @property
    def region(self):
        handle = lib.tsr_block_region(self._handle)
        return Region._of(self._owner, handle) if handle else None

    def add_argument(self, type, loc=None):
        ctx = self._owner.context
        where = ctx.location(loc)._handle
        return Value._of(self._owner, ctx._call(lib.tsr_create_block_arg, self._handle, ctx.type(type)._handle, where))

    def erase_argument(self, index):
        self._owner.context._call(lib.tsr_edit_erase_arg, self._handle, index)


class Region(_Handle):
    """Blocks of an op, or of one to be."""

    __slots__ = ()

    @property
    def blocks(self):
        found, block = [], lib.tsr_region_first_block(self._handle)
        while block:
            found.append(Block._of(self._owner, block))
            block = lib.tsr_block_next(block)
        return found

    @property
    def op(self):
        handle = lib.tsr_region_op(self._handle)
        return Op._of(self._owner, handle) if handle else None

    def add_block(self, types=(), loc=None):
        ctx = self._owner.context
        found = [ctx.type(t)._handle for t in types]
        where = handles([ctx.location(loc)._handle] * len(found))
        return Block._of(self._owner, ctx._call(lib.tsr_create_block, self._handle, handles(found), len(found), where))


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
        return {c.borrowed(a.name).decode(): Attr._of(ctx, a.value) for a in found}

    def __getitem__(self, name):
        handle = lib.tsr_op_attr(self._op._handle, to_str(name))
        if not handle:
            raise KeyError(name)
        return Attr._of(self._op._owner.context, handle)

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
        found = [lib.tsr_op_operand(self._handle, i) for i in range(lib.tsr_op_num_operands(self._handle))]
        return [Value._of(self._owner, v) for v in found if v]  # one that was erased has none

    @operands.setter
    def operands(self, values):
        found = [_value(v, self._owner) for v in values]
        self._owner.context._call(lib.tsr_edit_operands, self._handle, handles(found), len(found))

    def set_operand(self, index, value):
        self._owner.context._call(lib.tsr_edit_operand, self._handle, index, _value(value, self._owner))

    @property
    def results(self):
        return [Value._of(self._owner, lib.tsr_op_result(self._handle, i)) for i in range(lib.tsr_op_num_results(self._handle))]

    @property
    def result(self):
        """The only result."""
        if lib.tsr_op_num_results(self._handle) != 1:
            raise InputError(f"'{self.name}' has {lib.tsr_op_num_results(self._handle)} results, not one")
        return Value._of(self._owner, lib.tsr_op_result(self._handle, 0))

    @property
    def attributes(self):
        return Attributes(self)

    @property
    def regions(self):
        return [Region._of(self._owner, lib.tsr_op_region(self._handle, i)) for i in range(lib.tsr_op_num_regions(self._handle))]

    @property
    def successors(self):
        return [Block._of(self._owner, lib.tsr_op_successor(self._handle, i)) for i in range(lib.tsr_op_num_successors(self._handle))]

    @property
    def body(self):
        """The first block of the first region; None when there is none."""
        region = lib.tsr_op_region(self._handle, 0)
        block = lib.tsr_region_first_block(region) if region else None
        return Block._of(self._owner, block) if block else None

    @property
    def parent(self):
        handle = lib.tsr_op_parent(self._handle)
        return Op._of(self._owner, handle) if handle else None

    @property
    def block(self):
        handle = lib.tsr_op_block(self._handle)
        return Block._of(self._owner, handle) if handle else None

    @property
    def next(self):
        handle = lib.tsr_op_next(self._handle)
        return Op._of(self._owner, handle) if handle else None

    @property
    def location(self):
        return Attr._of(self._owner.context, lib.tsr_op_location(self._handle))

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
        return Op._of(self._owner, made)

    def verify(self):
        self._owner.context._plain(lib.tsr_op_verify, self._handle)

    def print(self, **options):
        return owned(lib.tsr_op_print(self._handle, byref(_print_options(options)))).decode(errors="surrogateescape")

    def __str__(self):
        return self.print()

    def __repr__(self):
        return f"<Op {self.name}>"


def _create(ctx, block, before, name, location, values, groups, attrs, types, regions, successors=(), unfinished=False):
    """Makes an op and returns its handle. values, types and regions are handles, attrs pairs of a name and a handle; types: None for those that follow."""
    spec = c.OpSpec(name=name, location=location._handle, unfinished=unfinished)
    if values:
        spec.operands, spec.noperand = handles(values), len(values)
    if groups is not None:
        spec.groups, spec.ngroup = (c_size_t * len(groups))(*groups), len(groups)
    if attrs:
        spec.attrs, spec.nattr = (c.NamedAttr * len(attrs))(*[(to_str(k), a) for k, a in attrs]), len(attrs)
    if types is not None:
        spec.results, spec.nresult = handles(types or [None]), len(types)
    if regions:
        spec.regions, spec.nregion = handles(regions), len(regions)
    if successors:
        spec.successors, spec.nsuccessor = handles([b._handle for b in successors]), len(successors)
    return ctx._call(lib.tsr_create_op, block._handle, before._handle if before is not None else None, pointer(spec))


def _print_options(options):
    names = {field[0] for field in c.PrintOptions._fields_}
    unknown = set(options) - names
    if unknown:
        raise TypeError(f"unknown options of printing: {', '.join(sorted(unknown))}")
    return c.PrintOptions(**options)
