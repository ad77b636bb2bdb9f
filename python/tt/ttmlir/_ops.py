# SPDX-License-Identifier: Apache-2.0
"""Ops, blocks, regions, values and modules."""

from ctypes import byref

from tessera import _library as c
from tessera import ops
from tessera._library import handles, lib, owned, to_str

from ._context import Location, location_of, place_of
from ._values import Attribute, NamedAttribute, wrap_attr, wrap_type


class _Part:
    """Something of a module, which it keeps alive: what the package tessera has of it, with more names."""

    __slots__ = ()

    def __init__(self, owner, handle):
        self._owner, self._handle = owner, handle

    @property
    def context(self):
        return self._owner.context

    def __eq__(self, other):
        return getattr(other, "_handle", None) == self._handle

    def __hash__(self):
        return hash(self._handle)


class Value(_Part, ops.Value):
    """A result or an argument."""

    __slots__ = ()

    def __new__(cls, owner, handle=None):
        if handle is None:  # Value(v) casts
            return wrap_value(owner._owner, owner._handle)
        return object.__new__(cls)

    def __init__(self, owner, handle=None):
        if handle is not None:
            self._owner, self._handle = owner, handle
        elif not hasattr(self, "_handle"):
            self._owner, self._handle = owner._owner, owner._handle

    @property
    def type(self):
        return wrap_type(self.context, lib.tsr_value_type(self._handle))

    @type.setter
    def type(self, type):
        ops.Value.type.fset(self, type)

    def set_type(self, type):
        self.type = type

    @property
    def uses(self):
        return [OpOperand(Operation(self._owner, op._handle), number) for op, number in ops.Value.uses.fget(self)]

    def replace_all_uses_with(self, other, *exceptions):
        super().replace_all_uses_with(_value_of(other))

    def get_name(self, use_local_scope=False, use_name_loc_as_prefix=False):
        """%0 or %arg0, by the number that its function's text gives it."""
        return _name_of(self)

    def maybe_downcast(self):
        return self

    @classmethod
    def isinstance(cls, other):
        return isinstance(wrap_value(other._owner, other._handle), cls)

    def __str__(self):
        op = lib.tsr_value_def(self._handle)
        return f"Value({Operation(self._owner, op)})" if op else f"Value(<block argument> of type '{self.type}' at index: {self.arg_number})"

    def __repr__(self):
        return f"{type(self).__name__}({self})"


class OpResult(Value):
    __slots__ = ()

    @property
    def owner(self):
        return Operation(self._owner, lib.tsr_value_def(self._handle))

    @property
    def result_number(self):
        return lib.tsr_value_index(self._handle)

    @property
    def location(self):
        return self.owner.location


class BlockArgument(Value):
    __slots__ = ()

    @property
    def owner(self):
        return Block(self._owner, lib.tsr_value_block(self._handle))

    @property
    def arg_number(self):
        return lib.tsr_value_index(self._handle)

    @property
    def location(self):
        block = self.owner
        return block.owner.location if block.region is not None else Location.unknown(self.context)


class OpOperand:
    """A use: who uses a value, and as which operand."""

    def __init__(self, owner, number):
        self.owner, self.operand_number = owner, number


def wrap_value(owner, handle):
    cls = OpResult if lib.tsr_value_def(handle) else BlockArgument
    made = object.__new__(cls)
    made._owner, made._handle = owner, handle
    return made


def _value_of(value):
    """A value, from itself or an op with one result."""
    if isinstance(value, Value):
        return value
    if isinstance(value, _OperationBase):
        return value.operation.result
    if isinstance(value, (OpResultList, list, tuple)) and len(value) == 1:
        return _value_of(value[0])
    raise TypeError(f"a value is expected, not a {type(value).__name__}")


def _name_of(value):
    block = lib.tsr_value_block(value._handle)
    if block:
        op = Block(value._owner, block).owner
        text = str(op.operation)
        args = text[text.index("(") + 1 :].split("%")[1:]
        i = lib.tsr_value_index(value._handle)
        return "%" + args[i].split(":")[0].strip() if i < len(args) else f"%arg{i}"
    op = Operation(value._owner, lib.tsr_value_def(value._handle))
    name = str(op).split("=")[0].strip().split(":")[0]
    return name if len(op.results) == 1 else f"{name}#{lib.tsr_value_index(value._handle)}"


class OpResultList(list):
    """Results of an op."""


class OpOperandList(list):
    """Operands of an op, which can be changed."""

    def __init__(self, op):
        super().__init__(wrap_value(op._owner, v._handle) for v in ops.Op.operands.fget(op))
        self._op = op

    def __setitem__(self, i, value):
        self._op.context._call(lib.tsr_edit_operand, self._op._handle, i % len(self), _value_of(value)._handle)
        super().__setitem__(i, value)


class Block(_Part, ops.Block):
    __slots__ = ()

    @classmethod
    def create_at_start(cls, parent, arg_types=(), arg_locs=None):
        if parent.blocks:
            raise NotImplementedError("a block before the others of a region")
        return parent._add(arg_types, arg_locs)

    def create_after(self, *arg_types, arg_locs=None):
        return self.region._add(arg_types, arg_locs)

    @property
    def arguments(self):
        return BlockArgumentList(wrap_value(self._owner, a._handle) for a in self.args)

    def add_argument(self, type, loc=None):
        return wrap_value(self._owner, super().add_argument(type, location_of(loc, self.context))._handle)

    @property
    def operations(self):
        return OperationList(Operation(self._owner, op._handle).opview for op in self.ops)

    def __iter__(self):
        return iter(self.operations)

    @property
    def region(self):
        handle = lib.tsr_block_region(self._handle)
        return Region(self._owner, handle) if handle else None

    @property
    def owner(self):
        return self.region.owner

    def append(self, operation):
        operation.operation._put(self, None)

    def __str__(self):
        return "\n".join(str(op) for op in self.operations)


class BlockArgumentList(list):
    """Arguments of a block."""

    @property
    def types(self):
        return [a.type for a in self]


class OperationList(list):
    """Ops of a block."""


class BlockList(list):
    """Blocks of a region."""

    def __init__(self, region, items):
        super().__init__(items)
        self._region = region

    def append(self, *args, arg_locs=None):
        made = self._region._add(args, arg_locs)
        super().append(made)
        return made


class Region(_Part, ops.Region):
    __slots__ = ()

    @property
    def blocks(self):
        return BlockList(self, [Block(self._owner, b._handle) for b in ops.Region.blocks.fget(self)])

    def __iter__(self):
        return iter(self.blocks)

    def __len__(self):
        return len(self.blocks)

    def __getitem__(self, i):
        return self.blocks[i]

    @property
    def owner(self):
        handle = lib.tsr_region_op(self._handle)
        return Operation(self._owner, handle).opview if handle else None

    def _add(self, types, locs=None):
        ctx = self.context
        types = list(types)
        places = [location_of(loc, ctx)._handle for loc in (locs or [None] * len(types))]
        made = ctx._call(lib.tsr_create_block, self._handle, handles([t._handle for t in types]), len(types), handles(places))
        return Block(self._owner, made)


class OpAttributeMap(ops.Attributes):
    """The attributes of an op."""

    __slots__ = ()

    def _named(self):
        return [NamedAttribute(name, wrap_attr(self._op.context, a._handle)) for name, a in self._all().items()]

    def __getitem__(self, name):
        if not isinstance(name, str):
            return self._named()[name]
        try:
            return wrap_attr(self._op.context, super().__getitem__(name)._handle)
        except KeyError:
            raise KeyError(f"attempt to access a non-existent attribute: {name}") from None

    def __setitem__(self, name, value):
        super().__setitem__(str(name), value if isinstance(value, Attribute) else self._op.opview._attribute(name, value))

    def __contains__(self, name):
        return super().__contains__(str(name))

    def __iter__(self):
        return iter(self._named())

    def keys(self):
        return list(self._all())

    def values(self):
        return [a.attr for a in self._named()]

    def items(self):
        return [(a.name, a.attr) for a in self._named()]


class WalkOrder:
    PRE_ORDER, POST_ORDER = 0, 1


class WalkResult:
    ADVANCE, INTERRUPT, SKIP = range(3)


class _OperationBase(_Part, ops.Op):
    """What Operation and OpView share."""

    __slots__ = ()

    @property
    def operands(self):
        return OpOperandList(self)

    @property
    def results(self):
        return OpResultList(wrap_value(self._owner, v._handle) for v in ops.Op.results.fget(self))

    @property
    def result(self):
        n = lib.tsr_op_num_results(self._handle)
        if n != 1:
            raise ValueError(f"cannot call .result on operation {self.operation.name} which has {n} results")
        return wrap_value(self._owner, lib.tsr_op_result(self._handle, 0))

    @property
    def attributes(self):
        return OpAttributeMap(self.operation)

    discardable_attributes = attributes

    @property
    def regions(self):
        return [Region(self._owner, r._handle) for r in ops.Op.regions.fget(self)]

    @property
    def successors(self):
        return [Block(self._owner, b._handle) for b in ops.Op.successors.fget(self)]

    @property
    def location(self):
        return Location(self.context, lib.tsr_op_location(self._handle))

    @location.setter
    def location(self, where):
        ops.Op.location.fset(self, where)

    @property
    def parent(self):
        handle = lib.tsr_op_parent(self._handle)
        return Operation(self._owner, handle).opview if handle else None

    @property
    def block(self):
        handle = lib.tsr_op_block(self._handle)
        return Block(self._owner, handle) if handle else None

    @property
    def _next(self):
        handle = lib.tsr_op_next(self._handle)
        return Operation(self._owner, handle) if handle else None

    @property
    def attached(self):
        return self._owner is not self.context._scratch_module

    def get_asm(self, enable_debug_info=False, large_elements_limit=None, print_generic_op_form=False, use_local_scope=False, **_):
        options = c.PrintOptions(
            generic=print_generic_op_form, debug_info=enable_debug_info, local_scope=use_local_scope, elide_larger=large_elements_limit or -1
        )
        if lib.tsr_op_parent(self._handle):
            found = self._line(options) if enable_debug_info and not use_local_scope else None
            if found is not None:
                return found
            text = owned(lib.tsr_op_print(self._handle, byref(options)))
        else:
            text = owned(lib.tsr_module_print(self._owner._handle, byref(options)))
        return text.decode(errors="surrogateescape")

    def _line(self, options):
        """The op as its module's text has it, with names of aliases; None where the ops around it are not one line each."""
        parent, block = self.operation.parent, self.operation.block
        if parent.operation.name != "func.func" or any(op.operation.regions for op in block.operations):
            return None
        lines = owned(lib.tsr_module_print(self._owner._handle, byref(options))).decode(errors="surrogateescape").split("\n")
        head = f"@{parent.attributes['sym_name'].value}("
        start = next((i for i, line in enumerate(lines) if line.lstrip().startswith("func.func ") and head in line and line.endswith("{")), None)
        at = next(i for i, op in enumerate(block.operations) if op._handle == self._handle)
        return lines[start + 1 + at].strip() if start is not None else None

    def print(self, state=None, file=None, **options):
        import sys

        (file or sys.stdout).write(self.get_asm(**{k: v for k, v in options.items() if k != "binary"}) + "\n")

    def __str__(self):
        return self.get_asm()

    def __repr__(self):
        return f"<{type(self).__name__} {self.operation.name}>"

    def walk(self, callback, walk_order=WalkOrder.POST_ORDER):
        return self._walk(callback, walk_order) != WalkResult.INTERRUPT

    def _walk(self, callback, order):
        if order == WalkOrder.PRE_ORDER:
            told = callback(self.operation)
            if told in (WalkResult.INTERRUPT, WalkResult.SKIP):
                return told
        for region in self.regions:
            for block in region.blocks:
                for op in block.operations:
                    if op._walk(callback, order) == WalkResult.INTERRUPT:
                        return WalkResult.INTERRUPT
        return callback(self.operation) if order == WalkOrder.POST_ORDER else WalkResult.ADVANCE

    def verify(self):
        ctx = self.context
        if lib.tsr_op_parent(self._handle):
            ctx._plain(lib.tsr_op_verify, self._handle)
        else:
            ctx._plain(lib.tsr_module_verify, self._owner._handle)
        return True

    def move_before(self, other):
        self._put(other.operation.block, other.operation)

    def move_after(self, other):
        self._put(other.operation.block, other.operation._next)

    def detach_from_parent(self):
        self._put(Block(self.context._scratch, lib.tsr_region_first_block(lib.tsr_op_region(lib.tsr_module_op(self.context._scratch._handle), 0))), None)
        return self

    def clone(self, ip=None):
        block, before = _place(self.context, ip)
        return _copy(self.operation, block, before, {}).opview

    def _put(self, block, before):
        """To a place of this module or another; there it is a copy, which this object then is."""
        at = before._handle if before is not None else None
        if block._owner is self._owner:
            self.context._call(lib.tsr_edit_move, self._handle, block._handle, at)
            return
        made = _copy(self.operation, block, before, {})
        self.erase()
        _become(self, made)


def _become(op, made):
    op._owner, op._handle = made._owner, made._handle


class Operation(_OperationBase):
    """An op of any name."""

    __slots__ = ()

    @property
    def operation(self):
        return self

    @property
    def opview(self):
        from ._ods import class_of

        cls = class_of(self.name)
        made = object.__new__(cls)
        made._owner, made._handle = self._owner, self._handle
        return made

    @staticmethod
    def create(name, results=None, operands=None, attributes=None, successors=None, regions=0, loc=None, ip=None, infer_type=False):
        values = [_value_of(v) for v in operands or ()]
        attrs = {str(k): v for k, v in (attributes or {}).items()}
        types = None if infer_type else list(results or ())
        return create(name, types, values, None, attrs, regions, loc, ip, successors or ())

    @staticmethod
    def parse(source, *, source_name="", context=None):
        from ._module import Module

        module = Module.parse(source, context)
        ops = module.body.operations
        return ops[0] if len(ops) == 1 else module.operation.opview


class OpView(_OperationBase):
    """An op as its dialect has it; the base of the classes of ops."""

    __slots__ = ()
    OPERATION_NAME = None
    name = ops.Op.name

    @property
    def operation(self):
        return Operation(self._owner, self._handle)

    @property
    def opview(self):
        return self


def _place(ctx, ip):
    """The block and op of a place; without one, that of the context's module of detached ops."""
    place = place_of(ip)
    if place is not None:
        return place.block, place.ref_operation
    scratch = ctx._scratch
    body = lib.tsr_region_first_block(lib.tsr_op_region(lib.tsr_module_op(scratch._handle), 0))
    return Block(scratch, body), None


def create(name, types, values, groups, attrs, regions, loc, ip, successors=(), ctx=None):
    """Makes an op. types: of results, or None for those that follow; its rules are checked when the module is verified."""
    if ctx is None:
        ctx = values[0].context if values else location_of(loc).context
    block, before = _place(ctx, ip)
    return _make(ctx, block, before, name, types, [v._handle for v in values], groups, attrs, regions, location_of(loc, ctx), successors)


def _make(ctx, block, before, name, types, values, groups, attrs, regions, loc, successors=()):
    if isinstance(regions, int):
        regions = [None] * regions
    given = [(k, a._handle) for k, a in attrs.items()]
    types = [t._handle for t in types] if types is not None else None
    made = ops._create(ctx, block, before, to_str(name), loc, values, groups, given, types, [r and r._handle for r in regions or ()], successors, unfinished=True)
    return Operation(block._owner, made)


def _copy(op, block, before, mapped):
    """A copy of an op with its regions, in this module or another of the context. mapped: values of the copy, by those of the op."""
    ctx = op.context
    if block._owner is op._owner and not mapped:
        at = before._handle if before is not None else None
        return Operation(op._owner, ctx._call(lib.tsr_create_copy, block._handle, at, op._handle))
    values = [mapped.get(v._handle, v._handle) for v in op.operands]
    attrs = {a.name: a.attr for a in op.attributes}
    types = [r.type for r in op.results]
    made = _make(ctx, block, before, op.name, types, values, None, attrs, len(op.regions), op.location)
    for old, new in zip(op.results, made.results):
        mapped[old._handle] = new._handle
    for old, new in zip(op.regions, made.regions):
        blocks = [(b, new._add([a.type for a in b.arguments])) for b in old.blocks]
        for b, copy in blocks:
            for x, y in zip(b.arguments, copy.arguments):
                mapped[x._handle] = y._handle
        for b, copy in blocks:
            for inner in b.operations:
                _copy(inner.operation, copy, None, mapped)
    return made


__all__ = [
    "Block",
    "BlockArgument",
    "BlockArgumentList",
    "BlockList",
    "OpAttributeMap",
    "OpOperand",
    "OpOperandList",
    "OpResult",
    "OpResultList",
    "OpView",
    "Operation",
    "OperationList",
    "Region",
    "Value",
    "WalkOrder",
    "WalkResult",
]
