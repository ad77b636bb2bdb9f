# SPDX-License-Identifier: Apache-2.0
"""The dialect func: functions, calls, and Python functions as functions."""

import inspect

from .._context import InsertionPoint, location_of
from .._ods import RowView, _value_of, dialect as _dialect, register_op
from ..ir import ArrayAttr, DictAttr, FlatSymbolRefAttr, FunctionType, OpView, StringAttr, Type, TypeAttr

_get, __dir__ = _dialect(__name__)


def __getattr__(name):
    return _get(name)


@register_op("func.func")
class FuncOp(RowView):
    __slots__ = ()

    def __init__(self, name, type, *, visibility=None, body_builder=None, loc=None, ip=None):
        where = location_of(loc)
        ctx = where.context
        if isinstance(type, tuple):
            type = FunctionType.get(*type, context=ctx)
        attrs = {"sym_name": name if not isinstance(name, str) else StringAttr.get(name, ctx), "function_type": TypeAttr.get(type)}
        if visibility is not None:
            attrs["sym_visibility"] = StringAttr.get(visibility, ctx)
        made = self._build(self._ROW, [], attrs, None, where, ip)
        self._owner, self._handle = made._owner, made._handle
        if body_builder:
            block = self.add_entry_block()
            with InsertionPoint(block):
                body_builder(self)

    @property
    def name(self):
        return self.attributes["sym_name"]

    @property
    def type(self):
        return self.attributes["function_type"].value

    @property
    def visibility(self):
        return self.attributes.get("sym_visibility")

    @property
    def body(self):
        return self.regions[0]

    @property
    def is_external(self):
        return not self.regions[0].blocks

    @property
    def entry_block(self):
        if self.is_external:
            raise IndexError("external function does not have a body")
        return self.regions[0].blocks[0]

    def add_entry_block(self, arg_locs=None):
        if not self.is_external:
            raise IndexError("the function already has an entry block!")
        return self.regions[0]._add(self.type.inputs, arg_locs)

    @property
    def arguments(self):
        return self.entry_block.arguments

    @property
    def arg_attrs(self):
        if "arg_attrs" in self.attributes:
            return self.attributes["arg_attrs"]
        return ArrayAttr.get([DictAttr.get({}, self.context) for _ in self.type.inputs], self.context)

    @arg_attrs.setter
    def arg_attrs(self, attributes):
        self.attributes["arg_attrs"] = attributes if isinstance(attributes, ArrayAttr) else ArrayAttr.get(attributes, self.context)

    @property
    def result_attrs(self):
        return self.attributes["res_attrs"]

    @result_attrs.setter
    def result_attrs(self, attributes):
        self.attributes["res_attrs"] = attributes if isinstance(attributes, ArrayAttr) else ArrayAttr.get(attributes, self.context)

    @classmethod
    def from_py_func(cls, *inputs, results=None, name=None):
        """A decorator: what the Python function makes of the arguments is the body."""

        def decorate(body):
            has_op = "func_op" in inspect.signature(body).parameters
            known = list(results) if results is not None else []
            made = cls(name or body.__name__, FunctionType.get(list(inputs), known, context=location_of(None).context), loc=None)
            block = made.add_entry_block()
            with InsertionPoint(block):
                given = {"func_op": made} if has_op else {}
                returned = body(*block.arguments, **given)
                values = _flat(returned)
                ReturnOp(values)
            if results is None:
                made.attributes["function_type"] = TypeAttr.get(FunctionType.get(list(inputs), [v.type for v in values], context=made.context))

            def call(*args):
                op = CallOp(made, [_value_of(a) for a in args])
                return None if not op.results else op.results[0] if len(op.results) == 1 else op.results

            call.__wrapped__ = body
            call.func_op = made
            return call

        return decorate


def _flat(returned):
    if returned is None:
        return []
    if isinstance(returned, (list, tuple)):
        return [v for item in returned for v in _flat(item)]
    if isinstance(returned, OpView):
        return list(returned.operation.results)
    return [_value_of(returned)]


func = FuncOp.from_py_func


@register_op("func.return")
class ReturnOp(RowView):
    __slots__ = ()

    def __init__(self, operands_, *, loc=None, ip=None):
        RowView.__init__(self, operands_, loc=loc, ip=ip)


@register_op("func.call")
class CallOp(RowView):
    """CallOp(function, arguments), CallOp(types, name, arguments)."""

    __slots__ = ()

    def __init__(self, calleeOrResults, argumentsOrCallee=None, arguments=None, *, loc=None, ip=None):
        if isinstance(calleeOrResults, FuncOp):
            types, values = calleeOrResults.type.results, argumentsOrCallee
            callee = calleeOrResults.name.value
        else:
            types, values = calleeOrResults, arguments
            callee = argumentsOrCallee
        if isinstance(callee, FlatSymbolRefAttr):
            callee = callee.value
        values = [_value_of(v) for v in values or ()]
        ctx = values[0].context if values else location_of(loc).context
        made = self._build(
            self._ROW, [types] if isinstance(types, Type) else list(types), {"operands": values, "callee": FlatSymbolRefAttr.get(callee, ctx)}, None, loc, ip
        )
        self._owner, self._handle = made._owner, made._handle

