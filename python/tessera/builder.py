# SPDX-License-Identifier: Apache-2.0
"""Building graphs: one method for each op of the tables, with operands, attributes and regions by name."""

import inspect
import keyword

from ._library import lib, to_str
from .errors import InputError, TesseraError
from .module import Module
from .ops import Block, Op, Region, Value, _create, _value
from .types import Attr

_NUMBERS = {"i32": "i32", "i64": "i64", "int": "i64"}
_REALS = {"f32": "f32", "f64": "f64", "float": "f32"}
_ARRAYS = {"i1s": "i1", "i32s": "i32", "i64s": "i64"}


def _body_types(row, groups):
    """Types of the arguments of a region's block, as the row's column says it."""
    rule = row.row.get("body")
    if rule is None:
        return []
    values = groups[rule["of"]]
    if rule["how"] == "same":
        return [v.type for v in values]
    scalars = [v._owner.context.tensor((), v.type.element) for v in values]
    if rule["how"] == "pairs":
        return [t for t in scalars for _ in range(2)]
    return scalars * 2 if rule["how"] == "folds" else scalars


def _python_name(name):
    name = name.replace(".", "_").replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


class _Row:
    """A row of the table, made ready for calls."""

    def __init__(self, row):
        self.name = row["name"]
        self.row = row
        self.c_name = to_str(self.name)
        self.operands = row["operands"]
        self.attributes = {a["name"]: a for a in row["attributes"] if a["name"] not in ("operandSegmentSizes", "resultSegmentSizes")}
        self.regions = row["regions"]
        self.result_count = len(row["results"])
        kinds = {}
        for part in self.operands:
            kinds[_python_name(part["name"])] = ("operand", part)
        for a in self.attributes.values():
            kinds.setdefault(_python_name(a["name"]), ("attribute", a))
        for part in self.regions:
            kinds.setdefault(_python_name(part["name"]), ("region", part))
        self.kinds = kinds
        self.order = list(kinds)
        self.chosen = {}

    def signature(self):
        """What help() and editors show."""
        parameters = []
        seen_default = False
        for name, (kind, part) in self.kinds.items():
            needed = part.get("arity") == "one" if kind != "attribute" else part["need"] == "required"
            seen_default |= not needed
            default = inspect.Parameter.empty if needed and not seen_default else None
            parameters.append(inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default))
        for name in ("output_type", "loc", "unit_attrs", "attrs"):
            parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None))
        return inspect.Signature(parameters)

    def doc(self):
        lines = [f"{self.name}."]
        for name, (kind, part) in self.kinds.items():
            text = part.get("type", "a function of its arguments, or a Region")
            if kind == "attribute":
                text += f"; one of {', '.join(part['cases'])}" if part.get("cases") else ""
                text += f"; default {part['default']}" if part.get("default") else "" if part["need"] == "required" else "; optional"
            elif part["arity"] != "one":
                text = f"{'a list of' if part['arity'] == 'variadic' else 'optional'} {text}"
            lines.append(f"  {name}: {text}")
        lines.append("  output_type: the type of the result, or a list of types; those that follow when it is not given")
        lines.append("  loc: a name, or (file, line); that of the caller when it is not given")
        lines.append("  unit_attrs: names of unit attributes; attrs: a dictionary of attributes beyond those of the op")
        return "\n".join(lines)


class _Dialect:
    """The ops of a dialect, as methods."""

    def __init__(self, builder, name):
        self._builder = builder
        self._name = name

    def __getattr__(self, name):
        method = self._builder._method(self._name, name)
        if method is None:
            raise AttributeError(f"there is no op '{self._name}.{name}'")
        setattr(self, name, method)
        return method

    def __dir__(self):
        return [_python_name(name) for name in self._builder.module.context.rows(self._name)]


class Builder:
    """Puts ops into a module, where it stands.

    b.add(x, y) makes an op of the builder's dialect, b.ttir.add(x, y) of another one, b.op("ttir.add", [x, y]) any. A method returns the op's
    result; a list when it has several or none."""

    def __init__(self, module=None, dialect="stablehlo", context=None):
        if module is not None and not isinstance(module, Module):
            raise InputError(f"a module is expected, not a {type(module).__name__}")
        self.module = module if module is not None else Module(context=context)
        self.dialect = dialect
        self._methods = {}
        self._ready = {}
        self._block = self.module.body
        self._before = None
        self._frames = []
        self._given = {}
        self._bypassed = []
        self._changes = 0
        self._goldens = {}

    # Goldens

    def set_goldens(self, given):
        """What values are in goldens from now on: a dictionary from values, arguments or results, to arrays or to functions that make one of a
        shape. What uses such a value is computed from it."""
        for value, what in given.items():
            self._given[_values(value)[0]] = what
        self._changes += 1

    set_operand_goldens = set_goldens

    def bypass(self, *values, on=True):
        """In checks, the golden takes the place of these values after they were compared."""
        for value in _values(values):
            if on and value not in self._bypassed:
                self._bypassed.append(value)
            elif not on and value in self._bypassed:
                self._bypassed.remove(value)
        self._changes += 1

    def golden(self, value, device=0):
        """The golden of a value, an array: computed when it is first asked for, from inputs that are random unless they were given. The function
        may be unfinished."""
        value = _values(value)[0]
        function = _function_of(value)
        found = self._goldens.get(function)
        if found is None or found[0] != self._changes:
            found = self._goldens[function] = self._changes, self._make_goldens([function])
        return found[1].get(value, device)

    def goldens(self, functions=None, **options):
        """Goldens of the module as it is, with all that was set here: see Goldens."""
        return self._make_goldens(functions, **options)

    def _make_goldens(self, functions, **options):
        from .goldens import Goldens

        made = Goldens(self.module, functions=functions, **options)
        for values, call in ((self._given.items(), made.set), (((v, True) for v in self._bypassed), made.bypass)):
            for value, what in values:
                if _function_of(value) in made.functions or value.block is None:
                    call(value, what)
        return made

    # Places

    def at_end(self, block):
        """The next ops come at the end of a block."""
        self._stand(block, None)
        return self

    def before(self, op):
        """The next ops come before this one."""
        self._stand(op.block, op)
        return self

    def after(self, op):
        self._stand(op.block, op.next)
        return self

    def _stand(self, block, before):
        if not isinstance(block, Block) or block._owner is not self.module:
            raise InputError("the place is in no block of the builder's module")
        self._block, self._before = block, before

    # Functions

    def function(self, name, inputs, outputs=None, loc=None, visibility=None, arg_attrs=None, block=None):
        """A function: `with b.function("main", [((2, 3), "f32")]) as (x,):`, at the end of the module or of a block of it. Ops come into its body until the end of the with; then the types of
        its results are those of what is returned."""
        return _Function(self, name, inputs, outputs, loc, visibility, arg_attrs, block)

    def func(self, *inputs, name=None, **options):
        """The same as a decorator: the arguments of the Python function are the inputs, and what it returns is returned."""

        def decorate(body):
            with self.function(name or body.__name__, list(inputs), **options) as args:
                results = body(*args)
                self.ret(*_values(results))
            return self.module[name or body.__name__]

        return decorate

    def ret(self, *values, loc=None):
        """func.return."""
        found = _values(values)
        if self._frames:
            self._frames[-1].returns(found)
        return self.op("func.return", found, loc=loc)

    def call(self, function, *values, loc=None):
        """func.call of a function of the module, given by name or as an op."""
        callee = function if isinstance(function, Op) else self.module[function]
        outputs = callee.attributes["function_type"].type.outputs
        name = callee.attributes["sym_name"].value
        made = self.op("func.call", _values(values), attrs={"callee": self.module.context.symbol(name)}, results=outputs, loc=loc)
        return _result(made)

    def constant(self, array, type=None, loc=None):
        """A constant of the builder's dialect from an array, a number or a list. type: of its elements, where the array does not say it."""
        from . import tensors

        ctx = self.module.context
        value = tensors.elements(self.module, array, ctx.type(type) if type is not None else None)
        name = f"{self.dialect}.constant"
        if "constant" not in ctx.rows(self.dialect):
            raise InputError(f"there is no op '{name}'")
        results = None if ctx.rows(self.dialect)["constant"]["infers"] else [value.type]
        return _result(self.op(name, [], attrs={"value": value}, results=results, loc=loc))

    def region(self, types, body, loc=None):
        """A region with one block: body gets its arguments. It ends with what body returns, unless body made an op that ends it."""
        region = self.empty_region()
        block = region.add_block(types, loc)
        place = self._block, self._before
        self._block, self._before = block, None
        try:
            results = body(*block.args)
            ops = block.ops
            if results is not None or not ops or not self._ends(ops[-1]):
                self.op(f"{self.dialect if self.dialect != 'chlo' else 'stablehlo'}.return", _values(results), loc=loc)
        finally:
            self._block, self._before = place
        return region

    def empty_region(self):
        """A region that no op has yet, without blocks: for region.add_block."""
        return Region._of(self.module, self.module.context._call(lib.tsr_create_region, self.module._handle))

    def _ends(self, op):
        dialect, _, name = op.name.partition(".")
        return self.module.context.rows(dialect).get(name, {}).get("terminator", False)

    # Ops

    def op(self, name, operands=(), attrs=None, results=None, regions=(), groups=None, loc=None, successors=(), unfinished=False):
        """Any op, from its name. operands: values; attrs: a dictionary of attributes or Python values; results: types, or None for those that
        follow; regions: of b.region; groups: how many operands each operand of the row has."""
        module, ctx = self.module, self.module.context
        values = [_value(v, module) for v in operands]
        attrs = [(k, ctx.attr(v)._handle) for k, v in (attrs or {}).items()]
        types = None if results is None else [ctx.type(t)._handle for t in results]
        return self._make(to_str(name), values, groups, attrs, types, [r._handle if r else None for r in regions], loc, successors, unfinished)

    def _make(self, name, values, groups, attrs, types, regions, loc, successors=(), unfinished=False):
        module, ctx = self.module, self.module.context
        self._changes += 1
        made = _create(ctx, self._block, self._before, name, ctx.location(loc), values, groups, attrs, types, regions, successors, unfinished)
        return Op._of(module, made)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if self.module.context.rows(name):
            dialect = _Dialect(self, name)
            setattr(self, name, dialect)
            return dialect
        method = self._method(self.dialect, name)
        if method is None:
            raise AttributeError(f"there is no op '{self.dialect}.{name}'")
        setattr(self, name, method)
        return method

    def __dir__(self):
        ops = [_python_name(name) for name in self.module.context.rows(self.dialect)]
        return sorted({*super().__dir__(), *ops, *self.module.context.dialects()})

    def _method(self, dialect, name):
        rows = self.module.context.rows(dialect)
        row = rows.get(name) or rows.get(name.rstrip("_"))
        if row is None:
            row = next((r for n, r in rows.items() if _python_name(n) == name), None)
        return self._make_method(_Row(row), name) if row else None

    def _make_method(self, row, name):
        def method(*args, output_type=None, loc=None, unit_attrs=None, attrs=None, **given):
            return self._build(row, args, given, output_type, loc, unit_attrs, attrs)

        method.__name__ = name
        method.__qualname__ = f"Builder.{name}"
        method.__doc__ = row.doc()
        method.__signature__ = row.signature()
        return method

    def _build(self, row, args, given, output_type, loc, unit_attrs, extra):
        module, ctx = self.module, self.module.context
        if len(args) > len(row.order):
            raise TypeError(f"{row.name} takes {len(row.order)} arguments, and {len(args)} are given")
        for name, value in zip(row.order, args):
            if name in given:
                raise TypeError(f"{row.name} got two values for {name!r}")
            given[name] = value
        unknown = given.keys() - row.kinds.keys()
        if unknown:
            raise TypeError(f"{row.name} has no {', '.join(sorted(unknown))}; it has {', '.join(row.order) or 'no arguments'}")
        values, groups, by_name = [], [], {}
        for part in row.operands:
            found = self._operand(row, part, given.get(_python_name(part["name"])))
            by_name[part["name"]] = found
            values += [_value(v, module) for v in found]
            groups.append(len(found))
        attrs = []
        for name, slot in row.attributes.items():
            value = given.get(_python_name(name))
            if value is not None and not (value is False and slot["form"] == "unit"):
                attrs.append((name, self._attribute(row, slot, value)._handle))
        for name in unit_attrs or ():
            attrs.append((name, ctx.attr(None)._handle))
        for name, value in (extra or {}).items():
            attrs.append((name, ctx.attr(value)._handle))
        types = None
        if output_type is not None:
            several = isinstance(output_type, list)
            types = [ctx.type(t)._handle for t in (output_type if several else [output_type])]
        regions = self._regions(row, given, by_name, loc)
        return _result(self._make(row.c_name, values, groups if row.operands else None, attrs, types, regions, loc))

    def _operand(self, row, part, value):
        if part["arity"] == "one":
            if value is None:
                raise TypeError(f"{row.name} needs {part['name']!r}: {part.get('type', 'a value')}")
            return [self._value(row, part, value)]
        if value is None:
            return []
        if isinstance(value, (Value, Op)):
            return [value]
        return [self._value(row, part, v) for v in value]

    def _value(self, row, part, value):
        if not isinstance(value, (Value, Op)):
            raise TypeError(f"{part['name']!r} of {row.name} is a value, not a {type(value).__name__}")
        return value

    def _attribute(self, row, slot, value):
        ctx, form = self.module.context, slot["form"]
        if isinstance(value, Attr):
            return ctx.attr(value)
        try:
            return self._convert(ctx, row, slot, form, value)
        except TesseraError as e:
            raise InputError(f"{slot['name']!r} of {row.name}: {e}", e.diagnostics) from None
        except (TypeError, ValueError) as e:
            raise TypeError(f"{slot['name']!r} of {row.name} is {slot.get('type', 'an attribute')}, not {value!r}: {e}") from None

    def _convert(self, ctx, row, slot, form, value):
        if form == "unit":
            return ctx.attr(None)
        if form == "bool":
            return ctx.attr(bool(value))
        if form in ("i32", "i64"):
            return ctx.integer(value.__index__(), form)
        if form in ("f32", "f64"):
            return ctx.attr(float(value), real=form)
        if form in _ARRAYS:
            return ctx.array(value if hasattr(value, "__iter__") else [value], _ARRAYS[form])
        if form == "enum":
            return ctx.enum(slot["attr"], value)
        if form == "type":
            return ctx.attr(ctx.type(value))
        if form == "symbol":
            return ctx.symbol(*str(value.attributes["sym_name"].value if isinstance(value, Op) else value).lstrip("@").split("::"))
        if form in ("struct", "affine_map") and isinstance(value, str):
            text = value if value.startswith(("#", "affine_map")) else f"#{slot['attr']}{value}"
            return ctx.parse_attr(text)
        if form == "array" and slot.get("cases") and isinstance(value, (list, tuple)):
            return ctx.attr([ctx.enum(slot["attr"], v) if isinstance(v, str) else v for v in value])
        if form == "elements" and not isinstance(value, str):
            from . import tensors

            return tensors.elements(self.module, value)
        return self._fitting(ctx, row, slot, value)

    def _fitting(self, ctx, row, slot, value):
        """The first of several readings of a value that the row allows: which integers and floats it has is for the table to say."""
        if isinstance(value, str) and value.startswith("#"):
            return ctx.parse_attr(value)
        name = to_str(slot["name"])
        if getattr(value, "ndim", 0):  # an array
            from . import tensors

            return tensors.elements(self.module, value)
        tried = row.chosen.get(slot["name"])
        numbers = [tried] if tried else [(i, f) for i in ("i64", "i32", "ui32", "si32", "si64", "ui64", "i1", "i8", "index") for f in ("f32", "f64")]
        found = None
        for number, real in numbers:
            try:
                found = ctx.attr(value, number, real)
            except InputError:
                continue
            if lib.tsr_attr_fits_op(ctx._handle, row.c_name, name, found._handle):
                row.chosen[slot["name"]] = (number, real)
                return found
        if tried:
            del row.chosen[slot["name"]]
            return self._fitting(ctx, row, slot, value)
        if isinstance(value, (list, tuple)) and all(isinstance(v, int) for v in value):
            for element in ("i64", "i32", "i1"):
                dense = ctx.array(value, element)
                if lib.tsr_attr_fits_op(ctx._handle, row.c_name, name, dense._handle):
                    return dense
        if isinstance(value, (list, tuple)) and all(isinstance(v, str) for v in value):
            symbols = ctx.attr([ctx.symbol(*v.lstrip("@").split("::")) for v in value])
            if lib.tsr_attr_fits_op(ctx._handle, row.c_name, name, symbols._handle):
                return symbols
        if found is None:
            raise InputError(f"no attribute is made of {value!r}")
        return found  # making the op says what is wrong with it

    def _regions(self, row, given, by_name, loc):
        made = []
        for part in row.regions:
            value = given.get(_python_name(part["name"]))
            several = part["arity"] == "variadic"
            for one in (value or ()) if several else [value]:
                if one is None:
                    made.append(self.module.context._call(lib.tsr_create_region, self.module._handle))
                elif isinstance(one, Region):
                    made.append(one._handle)
                elif callable(one):
                    made.append(self.region(_body_types(row, by_name), one, loc)._handle)
                else:
                    raise TypeError(f"{part['name']!r} of {row.name} is a function or a Region, not a {type(one).__name__}")
        return made


def _function_of(value):
    """The name of the function that a value is in."""
    op = value.op or value.block.region.op
    while op is not None and op.name != "func.func":
        op = op.parent
    if op is None:
        raise InputError("the value is in no function")
    return op.attributes["sym_name"].value


def _values(results):
    """Values as a list, from None, one, or several."""
    if results is None:
        return []
    if isinstance(results, (str, bytes)):
        raise InputError(f"a value is expected, not {results!r:.60}")
    if isinstance(results, (Value, Op)):
        return [results]
    return [v for r in results for v in _values(r)]


def _result(op):
    results = op.results
    return results[0] if len(results) == 1 else results


class _Function:
    """What Builder.function gives."""

    def __init__(self, builder, name, inputs, outputs, loc, visibility, arg_attrs, block):
        self.builder = builder
        ctx = builder.module.context
        types = [ctx.type(t) for t in inputs]
        self.declared = outputs is not None
        type = ctx.function_type(types, outputs or [])
        where = ctx.location(loc)._handle
        if block is not None and not isinstance(block, Block):
            raise InputError(f"a block is expected, not a {block.__class__.__name__}")
        inside = block._handle if block is not None else None
        handle = ctx._call(lib.tsr_create_function, builder.module._handle, inside, to_str(name), type._handle, where)
        self.op = Op._of(builder.module, handle)
        if visibility:
            self.op.attributes["sym_visibility"] = visibility
        if arg_attrs:
            self.op.attributes["arg_attrs"] = [ctx.attr(a or {}) for a in arg_attrs]

    def returns(self, values):
        """What is returned has the types of the results, when none were declared."""
        if not self.declared:
            ctx = self.builder.module.context
            type = ctx.function_type([a.type for a in self.op.body.args], [v.type for v in values])
            self.op.attributes["function_type"] = ctx.attr(type)

    def __enter__(self):
        b = self.builder
        self.place = b._block, b._before
        b.at_end(self.op.body)
        b._frames.append(self)
        return self.op.body.args

    def __exit__(self, kind, *_):
        b = self.builder
        b._frames.pop()
        b._block, b._before = self.place
        if kind is None:
            self.op.verify()
        else:
            self.op.erase()  # an unfinished function leaves nothing behind


__all__ = ["Builder"]
