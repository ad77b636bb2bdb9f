# SPDX-License-Identifier: Apache-2.0
"""Contexts, places and locations: what `with` makes current."""

import threading

import tessera
from tessera._library import lib, to_str

from ._values import Attribute, wrap_attr

_local = threading.local()


def _stack():
    try:
        return _local.stack
    except AttributeError:
        _local.stack = []
        return _local.stack


class ClassProperty:
    """A property of the class itself: Context.current."""

    def __init__(self, get):
        self.get = get

    def __get__(self, instance, owner):
        return self.get()


class _Current:
    """What `with` pushes and pops."""

    __slots__ = ()

    def __enter__(self):
        _stack().append(self)
        return self

    def __exit__(self, *_):
        stack = _stack()
        if not stack or stack[-1] is not self:
            raise RuntimeError("with blocks of a context, a location or a place end in another order than they began")
        stack.pop()


class Context(_Current, tessera.Context):
    """Holds types, attributes and names."""

    def __init__(self):
        tessera.Context.__init__(self)
        self.enable_multithreading_ = True
        self._scratch_module = None

    @property
    def _scratch(self):
        """A module for what is part of none: detached ops, data of elements."""
        if self._scratch_module is None:
            self._scratch_module = tessera.Module(context=self)
        return self._scratch_module

    @property
    def allow_unregistered_dialects(self):
        return getattr(self, "_unregistered", False)

    @allow_unregistered_dialects.setter
    def allow_unregistered_dialects(self, allow):
        self._unregistered = bool(allow)
        lib.tsr_ctx_allow_unregistered(self._handle, self._unregistered)

    def load_all_available_dialects(self):
        pass

    def append_dialect_registry(self, registry):
        pass

    def enable_multithreading(self, enable):
        pass

    def attach_diagnostic_handler(self, handler):
        return handler

    def get_dialect(self, name):
        import importlib

        return importlib.import_module(f"ttmlir.dialects.{name}")

    @property
    def dialects(self):
        return self

    d = dialects

    current = ClassProperty(lambda: context_of(None))


def _current(kind):
    for item in reversed(_stack()):
        if isinstance(item, kind):
            return item
    return None


def context_of(context):
    """The context that is given, or the current one."""
    if context is not None:
        return context if isinstance(context, Context) else context.context
    for item in reversed(_stack()):
        return item if isinstance(item, Context) else item.context
    raise ValueError("no context is given, and none is current: use `with Context():`")


class Location(_Current, Attribute):
    """Where something comes from."""

    __slots__ = ()

    @staticmethod
    def _made(ctx, handle):
        return Location(ctx, handle)

    @classmethod
    def unknown(cls, context=None):
        ctx = context_of(context)
        return cls(ctx, ctx._plain(lib.tsr_attr_parse, ctx._handle, to_str("loc(unknown)")))

    @classmethod
    def file(cls, filename, line, col, context=None):
        ctx = context_of(context)
        return cls(ctx, ctx._call(lib.tsr_create_file_location, ctx._handle, to_str(filename), line, col))

    @classmethod
    def name(cls, name, childLoc=None, context=None):
        ctx = context_of(context)
        child = childLoc._handle if childLoc is not None else None
        return cls(ctx, ctx._call(lib.tsr_create_name_location, ctx._handle, to_str(name), child))

    @classmethod
    def fused(cls, locations, metadata=None, context=None):
        from tessera._library import handles

        ctx = context_of(context or (locations[0].context if locations else None))
        found = [loc._handle for loc in locations]
        return cls(ctx, ctx._call(lib.tsr_create_fused_location, ctx._handle, handles(found), len(found)))

    @classmethod
    def callsite(cls, callee, frames, context=None):
        found = callee
        ctx = context_of(context or callee.context)
        for frame in frames if isinstance(frames, (list, tuple)) else [frames]:
            found = cls(ctx, ctx._call(lib.tsr_create_call_location, ctx._handle, found._handle, frame._handle))
        return found

    @classmethod
    def from_attr(cls, attribute, context=None):
        return cls(attribute.context, attribute._handle)

    @property
    def attr(self):
        return self

    current = ClassProperty(lambda: location_of(None))


def location_of(location, context=None):
    """The location that is given, the current one, or an unknown one."""
    if location is not None:
        return location
    found = _current(Location)
    if found is not None and (context is None or found.context is context):
        return found
    return Location.unknown(context)


class InsertionPoint(_Current):
    """Where ops are made: at the end of a block, or before an op."""

    __slots__ = ("block", "ref_operation")

    def __init__(self, beforeOperation):
        from ._ops import Block

        if isinstance(beforeOperation, Block):
            self.block, self.ref_operation = beforeOperation, None
        else:
            self.ref_operation = beforeOperation.operation
            self.block = self.ref_operation.block

    @classmethod
    def at_block_begin(cls, block):
        ops = block.operations
        return cls(ops[0]) if len(ops) else cls(block)

    @classmethod
    def at_block_terminator(cls, block):
        ops = block.operations
        return cls(ops[len(ops) - 1]) if len(ops) else cls(block)

    @classmethod
    def after(cls, operation):
        following = operation.operation._next
        return cls(following) if following is not None else cls(operation.operation.block)

    @property
    def context(self):
        return self.block.context

    def insert(self, operation):
        operation.operation._put(self.block, self.ref_operation)

    current = ClassProperty(lambda: _required_place())


def _required_place():
    found = _current(InsertionPoint)
    if found is None:
        raise ValueError("no insertion point is current")
    return found


def place_of(ip):
    """The place that is given, or the current one; None: there is none."""
    if ip is False:
        return None
    return ip if ip is not None else _current(InsertionPoint)


def _location_of_attr(ctx, handle):
    return Location(ctx, handle)


__all__ = ["Context", "InsertionPoint", "Location", "wrap_attr"]
