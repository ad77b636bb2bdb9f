# SPDX-License-Identifier: Apache-2.0
"""Classes of ops, made of the rows of the op tables: Class(types of results, operands, attributes, loc=, ip=)."""

import importlib
import sys
import types
from enum import IntEnum

import tessera
from tessera._library import lib
from tessera.builder import Builder, _python_name, _Row

from ._context import location_of
from ._ops import Block, OpResultList, OpView, Operation, Region, Value, _OperationBase, _value_of, create, wrap_value
from ._values import Attribute, Type, wrap_attr

_context = tessera.Context()
_rows = {}
_classes = {}
_extended = {"func", "builtin"}  # dialects whose modules have classes of their own

# Names of classes that are not those of their ops in capitals.
_ALIASES = {
    "stablehlo": {
        "div": "divide",
        "exp": "exponential",
        "expm1": "exponential_minus_one",
        "log1p": "log_plus_one",
        "max": "maximum",
        "min": "minimum",
        "mul": "multiply",
        "neg": "negate",
        "pow": "power",
        "rem": "remainder",
    },
    "ttir": {
        "equal": "eq",
        "notequal": "ne",
        "greaterequal": "ge",
        "greaterthan": "gt",
        "lessequal": "le",
        "lessthan": "lt",
        "gelubackward": "gelu_bw",
        "sdpabackward": "sdpa_bw",
        "sdpaforward": "sdpa_fw",
    },
}
_ALIASES["ttnn"] = {**_ALIASES["ttir"], "embeddingbackward": "embedding_bw"}


def rows(dialect):
    """The rows of a dialect, ready for calls, by names of ops."""
    found = _rows.get(dialect)
    if found is None:
        found = _rows[dialect] = {name: _Row(row) for name, row in _context.rows(dialect).items()}
    return found


def _plain(name):
    return name.replace("_", "").replace(".", "").lower()


def row_named(dialect, name):
    """The row of an op by the name of its class, without Op, or of its function; None when there is none."""
    found = rows(dialect)
    plain = _plain(name)
    alias = _ALIASES.get(dialect, {}).get(plain)
    if alias in found:
        return found[alias]
    if name in found:
        return found[name]
    return next((row for key, row in found.items() if _plain(key) == plain), None)


class _Shim(Builder):
    """Makes attributes of Python values, as tessera's builder does."""

    def __init__(self, context):
        self.module = types.SimpleNamespace(context=context)

    def attribute(self, row, slot, value):
        self.module._handle = self.module.context._scratch._handle
        return self._attribute(row, slot, value)


def convert(ctx, row, name, value):
    """An attribute of a Python value, by the slot of a row."""
    if isinstance(value, Attribute):
        return value
    slot = row.attributes.get(name) if row is not None else None
    if slot is None:
        return wrap_attr(ctx, ctx.attr(value)._handle)
    if slot["form"] == "enum" and isinstance(value, (int, IntEnum)):
        value = slot["cases"][int(value)]
    return wrap_attr(ctx, _Shim(ctx).attribute(row, slot, value)._handle)


def _is_types(item, variadic):
    """Whether an argument is the types of results."""
    if isinstance(item, Type):
        return True
    return isinstance(item, (list, tuple)) and (all(isinstance(t, Type) for t in item) and (bool(item) or variadic))


def _positions(row):
    """Names of operands and of attributes in the order of positions: what is optional comes after what is not."""
    found = row.row.get("positions")
    if found is None:
        operands = sorted(row.operands, key=lambda p: p["arity"] == "optional")
        slots = sorted(row.attributes.values(), key=lambda a: a["need"] != "required")
        found = row.row["positions"] = [[(_python_name(p["name"]), p.get("arity")) for p in part] for part in (operands, slots)]
    return found


def _is_values(item, arity):
    if isinstance(item, (list, tuple)) and not isinstance(item, OpResultList):
        return all(isinstance(v, (Value, _OperationBase)) for v in item) and (bool(item) or arity == "variadic")
    return isinstance(item, (Value, _OperationBase, OpResultList))


def _place_arguments(row, args, given):
    """Names for arguments by position: values are the next operands, others the next attributes, in whatever order these are mixed."""
    operands, slots = ([pair for pair in part if pair[0] not in given] for part in _positions(row))
    for item in args:
        take = operands if operands and (item is None or _is_values(item, operands[0][1])) else slots
        if not take:
            raise TypeError(f"{row.name} takes fewer arguments than are given; it has {', '.join(row.order) or 'none'}")
        given[take.pop(0)[0]] = item


class RowView(OpView):
    """An op of the tables."""

    __slots__ = ()
    _ROW = None

    def __init__(self, *args, results=None, loc=None, ip=None, attributes=None, **given):
        row = self._ROW
        args = list(args)
        found = results
        if found is None:
            found = self._take_results(row, args)
        elif isinstance(found, Type):
            found = [found]
        _place_arguments(row, args, given)
        made = self._build(row, found, given, attributes, loc, ip)
        self._owner, self._handle = made._owner, made._handle

    @staticmethod
    def _take_results(row, args):
        """Types that come first; None when there are none, and they follow."""
        found, parts = [], row.row["results"]
        for part in parts:
            variadic = part["arity"] != "one"
            if args and args[0] is None and variadic and found:
                args.pop(0)
                continue
            if not args or not _is_types(args[0], variadic):
                return found or (None if parts else [])
            item = args.pop(0)
            found += [item] if isinstance(item, Type) else list(item)
        return found

    def _build(self, row, found, given, attributes, loc, ip):
        values, groups, regions = [], [], []
        named_types = [given.pop(_python_name(p["name"])) for p in row.row["results"] if isinstance(given.get(_python_name(p["name"])), Type)]
        found = named_types or found
        for part in row.operands:
            value = given.pop(_python_name(part["name"]), None)
            some = _values_of(value, row, part)
            values += some
            groups.append(len(some))
        ctx = values[0].context if values else location_of(loc).context
        attrs = {}
        for name, slot in row.attributes.items():
            value = given.pop(_python_name(name), None)
            if value is None or (value is False and slot["form"] == "unit"):
                continue
            attrs[name] = convert(ctx, row, name, value)
        for part in row.regions:
            name = _python_name(part["name"])
            regions += [None] * given.pop(f"num_{name}", 0 if part["arity"] == "variadic" else 1)
            given.pop(name, None)
        for name in list(given):
            if given[name] is None:
                given.pop(name)
        if given:
            raise TypeError(f"{row.name} has no {', '.join(sorted(given))}; it has {', '.join(row.order) or 'no arguments'}")
        for name, value in (attributes or {}).items():
            attrs[str(name)] = value
        if found is None and not row.row["infers"]:
            found = _only_types(row, values, ctx)
        simple = all(part["arity"] == "one" for part in row.operands)
        return create(row.name, found, values, None if simple else groups, attrs, regions, loc, ip, (), ctx)

    @property
    def result(self):
        """The result of this name, or the only one."""
        for i, part in enumerate(self._ROW.row["results"]):
            if part["name"] == "result":
                return self._part(self._ROW.row["results"], i, self.results, "resultSegmentSizes")
        return self.operation.result

    def _attribute(self, name, value):
        return convert(self.context, self._ROW, name, value)

    def _part(self, parts, index, all_items, sizes_name):
        """The items of one operand or result of the row."""
        part = parts[index]
        several = [p for p in parts if p["arity"] != "one"]
        if not several:
            return all_items[index]
        handle = lib.tsr_op_attr(self._handle, _str(sizes_name))
        if handle:
            sizes = list(wrap_attr(self.context, handle))
        else:
            rest = len(all_items) - (len(parts) - len(several))
            sizes = []
            for p in parts:
                take = 1 if p["arity"] == "one" else min(rest, 1) if p["arity"] == "optional" else rest
                rest -= 0 if p["arity"] == "one" else take
                sizes.append(take)
        start = sum(sizes[:index])
        items = all_items[start : start + sizes[index]]
        if part["arity"] == "one":
            return items[0]
        if part["arity"] == "optional":
            return items[0] if items else None
        return items

    def __getattr__(self, name):
        row = type(self)._ROW
        if row is None or name.startswith("__"):
            raise AttributeError(name)
        return self._named(name)

    def _named(self, name):
        """An operand, a result, an attribute or a region."""
        row = type(self)._ROW
        for key in (name, name.rstrip("_")):
            for i, part in enumerate(row.operands):
                if part["name"] == key:
                    return self._part(row.operands, i, self.operands, "operandSegmentSizes")
            for i, part in enumerate(row.row["results"]):
                if part["name"] == key:
                    return self._part(row.row["results"], i, self.results, "resultSegmentSizes")
            slot = row.attributes.get(key)
            if slot is not None:
                return self._read(slot)
            for i, part in enumerate(row.regions):
                if part["name"] == key:
                    found = self.regions
                    return found[i:] if part["arity"] == "variadic" else found[i]
        raise AttributeError(f"'{row.name}' has no {name}")

    def _read(self, slot):
        handle = lib.tsr_op_attr(self._handle, _str(slot["name"]))
        if slot["form"] == "unit":
            return bool(handle)
        if handle:
            return wrap_attr(self.context, handle)
        return Attribute.parse(slot["default"], self.context) if slot.get("default") else None

    def __setattr__(self, name, value):
        if name in ("_owner", "_handle") or hasattr(type(self), name):
            return object.__setattr__(self, name, value)
        return self._assign(name, value)

    def _assign(self, name, value):
        """Gives an attribute its value; None, and False where it is there or not, take it away."""
        row = type(self)._ROW
        key = name if name in row.attributes else name.rstrip("_")
        if key not in row.attributes:
            raise AttributeError(f"'{row.name}' has no attribute {name}")
        if value is None or (value is False and row.attributes[key]["form"] == "unit"):
            if key in self.attributes:
                del self.attributes[key]
        else:
            self.attributes[key] = convert(self.context, row, key, value)


# Names that all ops have, whatever their parts are called. What the package tessera has more gives way: an op's region may be its body.
_OWN = {*vars(OpView), *vars(_OperationBase)}


def _member(name):
    return property(lambda self: self._named(name), lambda self, value: self._assign(name, value))


def _only_types(row, values, ctx):
    """Types of results that can be no others, or are those of the first operand."""
    found = []
    for part in row.row["results"]:
        if part["type"] in _FIXED:
            found.append(Type.parse(_FIXED[part["type"]], ctx))
        elif values:
            found.append(values[0].type)
        else:
            return None
    return found


_FIXED = {"TTNN device": "!ttnn.device"}


def _str(name):
    from tessera._library import to_str

    return to_str(name)


def _values_of(value, row, part):
    if value is None:
        if part["arity"] == "one":
            raise TypeError(f"{row.name} needs {part['name']!r}")
        return []
    if isinstance(value, (Value, _OperationBase)):
        if isinstance(value, _OperationBase) and part["arity"] == "variadic":
            return list(value.operation.results)
        return [_value_of(value)]
    return [_value_of(v) for v in value]


def _camel(name):
    return "".join(word[:1].upper() + word[1:] for word in name.replace(".", "_").split("_"))


def class_of_row(row, name=None):
    """The class of a row."""
    found = _classes.get(row.name)
    if found is None:
        names = {
            "OPERAND_NAMES": tuple(p["name"] for p in row.operands),
            "ATTRIBUTE_NAMES": tuple(row.attributes),
            "RESULT_NAMES": tuple(p["name"] for p in row.row["results"]),
        }
        fields = {"__slots__": (), "_ROW": row, "OPERATION_NAME": row.name, "__module__": f"ttmlir.dialects.{row.name.partition('.')[0]}", **names}
        parts = [*names["OPERAND_NAMES"], *names["RESULT_NAMES"], *row.attributes, *(p["name"] for p in row.regions)]
        fields.update({n: _member(n) for n in map(_python_name, parts) if n not in _OWN})
        name = name or _camel(row.name.partition(".")[2]) + "Op"
        found = _classes[row.name] = type(name, (RowView,), fields)
    return found


def register_op(name):
    """A class of its own for an op."""
    dialect, _, short = name.partition(".")

    def add(cls):
        cls._ROW = rows(dialect)[short]
        cls.OPERATION_NAME = name
        _classes[name] = cls
        return cls

    return add


def class_of(name):
    """The class of an op by its name; OpView when its dialect has none."""
    found = _classes.get(name)
    if found is None:
        dialect, _, short = name.partition(".")
        if dialect in _extended and f"ttmlir.dialects.{dialect}" not in sys.modules:
            importlib.import_module(f"ttmlir.dialects.{dialect}")
            return class_of(name)
        row = rows(dialect).get(short)
        found = class_of_row(row) if row is not None else OpView
    return found


def _function(cls, name):
    def build(*args, **given):
        op = cls(*args, **given)
        made = op.operation.results
        return made[0] if len(made) == 1 else op if not made else made

    build.__name__ = name
    return build


def dialect(module_name):
    """__getattr__ and __dir__ of a dialect's module: classes of ops by their names, functions that make ops and return results."""
    short = module_name.rsplit(".", 1)[1]

    def get(name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name.endswith("Op") and name[0].isupper():
            row = row_named(short, name[:-2]) or row_named(short, name)  # an op's own name may end so
            if row is not None:
                made = class_of_row(row, name)
                setattr(sys.modules[module_name], name, made)
                return made
        elif name[0].islower() or name[0] == "_":
            row = row_named(short, name if name in rows(short) else name.rstrip("_"))
            if row is not None:
                made = _function(class_of_row(row), name)
                setattr(sys.modules[module_name], name, made)
                return made
        raise AttributeError(f"the dialect {short!r} has no {name}")

    def names():
        return sorted([_camel(n) + "Op" for n in rows(short)] + [_python_name(n) for n in rows(short)])

    return get, names


__all__ = ["Block", "OpResultList", "Operation", "Region", "class_of", "create", "dialect", "register_op", "wrap_value"]
