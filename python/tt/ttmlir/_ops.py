"""Ops, blocks, regions, values and modules."""

from ctypes import byref, c_size_t, pointer

from tessera import _library as c
from tessera._library import handles, lib, owned, to_str

from ._context import Location, location_of, place_of
from ._values import Attribute, NamedAttribute, wrap_attr, wrap_type


class _Part:
    """Something of a module, which it keeps alive."""

    __slots__ = ("_owner", "_handle")

    def __init__(self, owner, handle):
        self._owner, self._handle = owner, handle

    @property
    def context(self):
        return self._owner.context

    def __eq__(self, other):
        return getattr(other, "_handle", None) == self._handle

    def __hash__(self):
        return hash(self._handle)


class Value(_Part):
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

    def set_type(self, type):
        self.context._call(lib.tsr_edit_type, self._handle, type._handle)

    @property
    def uses(self):
        n = lib.tsr_value_num_uses(self._handle)
        found = (c.ValueUse * n)()
        lib.tsr_value_uses(self._handle, found, n)
        return [OpOperand(Operation(self._owner, use.op), use.operand) for use in found]

    def replace_all_uses_with(self, other, *exceptions):
        self.context._call(lib.tsr_edit_replace, self._handle, other._handle)

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
        handle = op._handle
        found = (lib.tsr_op_operand(handle, i) for i in range(lib.tsr_op_num_operands(handle)))
        super().__init__(wrap_value(op._owner, v) for v in found if v)
        self._op = op

    def __setitem__(self, i, value):
        self._op.context._call(lib.tsr_edit_operand, self._op._handle, i % len(self), _value_of(value)._handle)
        super().__setitem__(i, value)


class Block(_Part):
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
        return BlockArgumentList(wrap_value(self._owner, lib.tsr_block_arg(self._handle, i)) for i in range(lib.tsr_block_num_args(self._handle)))

    def add_argument(self, type, loc=None):
        where = location_of(loc, self.context)._handle
        return wrap_value(self._owner, self.context._call(lib.tsr_create_block_arg, self._handle, type._handle, where))

    def erase_argument(self, index):
        self.context._call(lib.tsr_edit_erase_arg, self._handle, index)

    @property
    def operations(self):
        found, op = OperationList(), lib.tsr_block_first_op(self._handle)
        while op:
            found.append(Operation(self._owner, op).opview)
            op = lib.tsr_op_next(op)
        return found

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


class Region(_Part):
    __slots__ = ()

    @property
    def blocks(self):
        found, block = [], lib.tsr_region_first_block(self._handle)
        while block:
            found.append(Block(self._owner, block))
            block = lib.tsr_block_next(block)
        return BlockList(self, found)

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


class OpAttributeMap:
    """The attributes of an op."""

    def __init__(self, op):
        self._op = op

    def _all(self):
        handle = self._op._handle
        n = lib.tsr_op_attrs(handle, None, 0)
        found = (c.OutNamedAttr * n)()
        lib.tsr_op_attrs(handle, found, n)
        ctx = self._op.context
        return [NamedAttribute(c.borrowed(a.name).decode(), wrap_attr(ctx, a.value)) for a in found]

    def __getitem__(self, name):
        if not isinstance(name, str):
            return self._all()[name]
        handle = lib.tsr_op_attr(self._op._handle, to_str(name))
        if not handle:
            raise KeyError(f"attempt to access a non-existent attribute: {name}")
        return wrap_attr(self._op.context, handle)

    def __setitem__(self, name, value):
        if not isinstance(value, Attribute):
            value = self._op.opview._attribute(name, value)
        self._op.context._call(lib.tsr_edit_attr, self._op._handle, to_str(str(name)), value._handle)

    def __delitem__(self, name):
        self[name]
        self._op.context._call(lib.tsr_edit_attr, self._op._handle, to_str(str(name)), None)

    def __contains__(self, name):
        return bool(lib.tsr_op_attr(self._op._handle, to_str(str(name))))

    def get(self, name, default=None):
        return self[name] if name in self else default

    def __iter__(self):
        return iter(self._all())

    def __len__(self):
        return lib.tsr_op_attrs(self._op._handle, None, 0)

    def keys(self):
        return [str(a) for a in self._all()]

    def values(self):
        return [a.attr for a in self._all()]

    def items(self):
        return [(a.name, a.attr) for a in self._all()]


class WalkOrder:
    PRE_ORDER, POST_ORDER = 0, 1


class WalkResult:
    ADVANCE, INTERRUPT, SKIP = range(3)


class _OperationBase(_Part):
    """What Operation and OpView share."""

    __slots__ = ()

    @property
    def operands(self):
        return OpOperandList(self)

    @property
    def results(self):
        h = self._handle
        return OpResultList(wrap_value(self._owner, lib.tsr_op_result(h, i)) for i in range(lib.tsr_op_num_results(h)))

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
        h = self._handle
        return [Region(self._owner, lib.tsr_op_region(h, i)) for i in range(lib.tsr_op_num_regions(h))]

    @property
    def successors(self):
        h = self._handle
        return [Block(self._owner, lib.tsr_op_successor(h, i)) for i in range(lib.tsr_op_num_successors(h))]

    @property
    def location(self):
        return Location(self.context, lib.tsr_op_location(self._handle))

    @location.setter
    def location(self, where):
        self.context._call(lib.tsr_edit_location, self._handle, where._handle)

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
            text = owned(lib.tsr_op_print(self._handle, byref(options)))
        else:
            text = owned(lib.tsr_module_print(self._owner._handle, byref(options)))
        return text.decode(errors="surrogateescape")

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

    def erase(self):
        self.context._call(lib.tsr_edit_erase, self._handle)

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
    def name(self):
        return c.borrowed(lib.tsr_op_name(self._handle)).decode()

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

    @property
    def operation(self):
        return Operation(self._owner, self._handle)

    @property
    def opview(self):
        return self

    @property
    def name(self):
        return self.operation.name


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
    spec = c.OpSpec(name=to_str(name), location=loc._handle, unfinished=True)
    if values:
        spec.operands, spec.noperand = handles(values), len(values)
    if groups is not None:
        spec.groups, spec.ngroup = (c_size_t * len(groups))(*groups), len(groups)
    if attrs:
        spec.attrs, spec.nattr = (c.NamedAttr * len(attrs))(*[(to_str(k), a._handle) for k, a in attrs.items()]), len(attrs)
    if types is not None:
        spec.results, spec.nresult = handles([t._handle for t in types] or [None]), len(types)
    if regions:
        empty = [None] * regions if isinstance(regions, int) else [r._handle if r is not None else None for r in regions]
        spec.regions, spec.nregion = handles(empty), len(empty)
    if successors:
        spec.successors, spec.nsuccessor = handles([b._handle for b in successors]), len(successors)
    made = ctx._call(lib.tsr_create_op, block._handle, before._handle if before is not None else None, pointer(spec))
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
