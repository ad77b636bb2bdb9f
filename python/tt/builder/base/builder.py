"""What builders of all dialects have: functions, modules, calls, goldens, and a method for each op."""

import inspect
import sys
from collections import OrderedDict
from enum import Enum
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

import tessera as ts
from ttmlir.ir import Module

from .builder_utils import Operand, Shape, TypeInfo, element_text, find_functions, is_private, process_multi_return_result

_HERE = __file__.rsplit("base", 1)[0]


def _plain(value):
    """An argument as the package tessera takes it."""
    if isinstance(value, Enum):
        value = value.value if isinstance(value.value, str) else _words(value.name)
    if isinstance(value, tuple):
        return list(value)
    return value


def _words(name):
    return "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


class Builder:
    """Puts ops into a module. Methods are ops of the builder's dialect, with the names that the ops' definitions have."""

    DIALECT = "ttir"

    def __init__(
        self, ctx, location=None, mesh_name: Union[List[str], str] = "mesh", mesh_dict: Optional[OrderedDict] = None, disable_golden_check: bool = False, module=None
    ):
        self._ctx, self._loc = ctx, location
        self._mesh_name = mesh_name[0] if isinstance(mesh_name, list) else mesh_name
        self._mesh_dict = OrderedDict(mesh_dict or [("x", 1), ("y", 1)])
        self._disable_golden_check = disable_golden_check
        self._module = module or Module(ts.Module(context=ctx))
        self._b = ts.Builder(self._module._module, dialect=self.DIALECT)
        self._pending = []  # functions that are called and not built yet
        self._names = set()
        self._graph_level_check = False
        self._inputs = {}  # of functions of a module that was loaded
        self._fixed = {}  # goldens that are given whole, by function
        if module is None:
            self._start()

    def _start(self):
        sizes = list(self._mesh_dict.values())
        if any(n != 1 for n in sizes):
            text = f'#ttcore.meshes<[<"{self._mesh_name}" = {"x".join(str(n) for n in sizes)}>]>'
            self._b.module.op.attributes["ttcore.meshes"] = self._ctx.parse_attr(text)

    # What it is

    @property
    def context(self):
        return self._ctx

    @property
    def location(self):
        return self._loc

    @property
    def mesh_shape(self) -> Tuple[int, ...]:
        return tuple(self._mesh_dict.values())

    def get_shape(self, input: Operand) -> Shape:
        return list(self.get_type(input).shape)

    def get_type(self, input: Operand):
        return (input.result if isinstance(input, ts.Op) else input).type

    # Locations

    def _caller(self):
        frame = sys._getframe(2)
        while frame.f_back and frame.f_code.co_filename.startswith(_HERE):
            frame = frame.f_back
        return f"{frame.f_code.co_filename}:{frame.f_lineno}"

    def _place(self, function):
        """Of a function and of what is in it that nobody names: where the outermost Python function is."""
        if self._loc is None:
            code = function.__code__
            self._loc = self._ctx.location((code.co_filename, code.co_firstlineno, 0))
        return self._loc

    # Types

    def _input_type(self, shape, dtype):
        return self._ctx.tensor(list(shape), element_text(dtype))

    def _types(self, shapes, dtypes):
        dtypes = list(dtypes) if dtypes else ["f32"] * len(shapes)
        if len(dtypes) != len(shapes):
            raise ValueError(f"{len(shapes)} shapes, and {len(dtypes)} types")
        return [self._input_type(s, d) for s, d in zip(shapes, dtypes)]

    # Functions and modules

    def func(self, input_shapes: List[Shape], input_types: Optional[List[Union[Any, TypeInfo]]] = None):
        """Decorates a Python function of operands and the builder: it becomes a function of the module."""

        def decorate(fn):
            op = self._function(fn, fn.__name__, self._types(input_shapes, input_types))
            self._call_pending()
            return op

        return decorate

    def _function(self, fn, name, types, visibility=None):
        self._names.add(name)
        where = self._place(fn)
        made = self._b.function(name, types, loc=where, visibility=visibility, block=self._b._block)
        with made as args:
            results = process_multi_return_result(self._run(fn, args))
            self._b.ret(*results, loc=where)
        return made.op

    def _run(self, fn, args):
        parameters = list(inspect.signature(fn).parameters)
        if "builder" in parameters:
            return fn(*args, **{"builder": self})
        return fn(*args, self) if len(parameters) > len(args) else fn(*args)

    def call(self, nested_func: Callable, original_inputs: List[Operand], loc: Optional[str] = None):
        """A call of a function that is built behind the one that calls it."""
        name, n = nested_func.__name__, 0
        while name in self._names:
            n += 1
            name = f"{nested_func.__name__}_{n}"
        place = self._b._block, self._b._before
        self._b.at_end(self._outer_block())
        callee = self._function(nested_func, name, [self.get_type(v) for v in original_inputs], visibility="private")
        self._b._block, self._b._before = place
        self._pending.append(callee)
        return self._b.call(callee, *original_inputs, loc=loc or self._caller())

    def _outer_block(self):
        op = self._b._block.region.op
        while op is not None and op.name != "builtin.module":
            op = op.parent
        return op.regions[0].blocks[0]

    def _call_pending(self):
        """Functions that were called come behind their caller, which was begun before them."""
        self._pending = []

    def device_module(self, root_func: Callable):
        return self._nested("ttcore.device_module", root_func)

    def cpu_module(self, root_func: Callable):
        return self._nested("ttcore.cpu_module", root_func)

    def _nested(self, name, root_func):
        where = self._place(root_func)
        outer = self._b.empty_region()
        block = outer.add_block([], loc=where)
        inner = self._b.empty_region()
        inner.add_block([], loc=where)
        place = self._b._block, self._b._before
        self._b.at_end(block)
        self._b.op("builtin.module", regions=[inner], results=[], loc=where)
        self._b._block, self._b._before = place
        made = self._b.op(name, regions=[outer], results=[], loc=where)
        module = made.regions[0].blocks[0].ops[0]
        self._b.at_end(module.regions[0].blocks[0])
        root_func(self)
        self._b._block, self._b._before = place
        return made

    # Attributes

    def set_arg_attribute(self, operand: Operand, new_attr_name: str, new_attr):
        """An attribute of an argument of a function."""
        function = operand.block.region.op
        attrs = [dict(d) for d in self._arg_attrs(function)]
        attrs[operand.index][new_attr_name] = new_attr
        function.attributes["arg_attrs"] = [self._ctx.attr(a) for a in attrs]

    def get_arg_attribute(self, operand: Operand, attr_name: str):
        return self._arg_attrs(operand.block.region.op)[operand.index].get(attr_name)

    def _arg_attrs(self, function):
        n = len(function.regions[0].blocks[0].args)
        found = function.attributes["arg_attrs"].value if "arg_attrs" in function.attributes else [{}] * n
        return [d if isinstance(d, dict) else dict(d.value) for d in found]

    # Goldens

    def set_goldens(self, inputs: Dict[Operand, Any], outputs: Optional[Dict[Operand, Any]] = None, set_all_outputs: bool = True):
        """Arrays, or functions that make one of a shape, that arguments and results have in goldens."""
        self._b.set_goldens({**inputs, **(outputs or {})})

    def set_operand_goldens(self, operands: Dict[Operand, Any]):
        self._b.set_goldens(operands)

    set_goldens_from_builder_tensor = set_goldens

    def set_goldens_to_check(self, operands: List[Operand], override: bool = False):
        """All values are checked; these are what somebody wants to know of."""

    def set_graph_level_check(self, check: bool):
        self._graph_level_check = check

    def bypass(self, operand: Operand):
        """The golden takes the place of this value at run time, after it was compared."""
        self._b.bypass(operand)

    def _roots(self):
        return [name for name, function in find_functions(self._b.module).items() if not is_private(function)]

    def _goldens_of(self, name):
        if name not in self._fixed:
            found = self._b.goldens([name])[name]
            for i, given in enumerate(self._inputs.get(name) or ()):
                found.set_input(i, _whole(given))
            self._fixed[name] = found
        return self._fixed[name]

    @property
    def golden_map(self):
        """Goldens of inputs and outputs by program, and of all values by location: GoldenMapTensor of each."""
        return _maps(self)

    # Ops

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        row = self._b._method(self.DIALECT, name)
        if row is None:
            raise AttributeError(f"there is no op '{self.DIALECT}.{name}'")

        def method(*args, **given):
            return self._op(name, args, given)

        method.__name__, method.__doc__ = name, row.__doc__
        setattr(self, name, method)
        return method

    def _op(self, name, args, given, output=None):
        """An op with the words of tt-mlir's builders: output_type is a dtype, loc a name, sharding_attr that of its results."""
        wanted = given.pop("output_type", None)
        attrs = dict(given.pop("attrs", None) or {})
        loc = given.pop("loc", None) or self._caller()
        unit_attrs = given.pop("unit_attrs", None)
        sharding = given.pop("sharding_attr", None)
        given.pop("golden_kwargs", None)
        if sharding is not None:
            attrs["sdy.sharding"] = sharding
        method = getattr(getattr(self._b, self.DIALECT), name)
        made = method(*map(_plain, args), **{k: _plain(v) for k, v in given.items()}, loc=loc, unit_attrs=unit_attrs, attrs=attrs, output_type=output)
        if wanted is not None:
            types = wanted if isinstance(wanted, (list, tuple)) else [wanted]
            for value, dtype in zip(made if isinstance(made, list) else [made], types):
                value.type = self._with_element(value.type, dtype)
        return tuple(made) if isinstance(made, list) else made

    def _with_element(self, type, dtype):
        return self._ctx.tensor(type.shape, element_text(dtype), type.encoding)

    # Ops of debugging: they have no result; what they are given goes on, so that it may be used as one

    def _debug(self, name, operand, loc, attrs=None):
        self._b.op(f"debug.{name}", [operand], attrs=attrs, results=[], loc=loc or self._caller())
        return operand

    def breakpoint(self, operand: Operand, loc: Optional[str] = None):
        return self._debug("breakpoint", operand, loc)

    def print(self, operand: Operand, message: str = "", loc: Optional[str] = None):
        return self._debug("print", operand, loc, {"message": message})

    def memory_snapshot(self, operand: Operand, file_path: str, loc: Optional[str] = None):
        return self._debug("memory_snapshot", operand, loc, {"file_path": file_path})

    def dump(self, operand: Operand, file_path: str, loc: Optional[str] = None):
        return self._debug("dump", operand, loc, {"file_path": file_path})


def _whole(given):
    """An array, from one, or from a dictionary of what each device has."""
    return given[0] if isinstance(given, dict) else given


def _maps(builder):
    from golden import GoldenMapTensor

    shape, functions = builder.mesh_shape, find_functions(builder._b.module)
    io, inner = {}, {}
    for index, name in enumerate(builder._roots()):
        goldens = builder._goldens_of(name)
        body = functions[name].regions[0].blocks[0]
        last = body.ops[-1]
        named = {f"input_{i}": a for i, a in enumerate(body.args)}
        named.update({f"output_{i}": v for i, v in enumerate(last.operands)})
        io[index] = {key: GoldenMapTensor.of(goldens, value, shape) for key, value in named.items()}
        for op in body.ops[:-1]:
            for value in op.results:
                text = str(op.location)
                inner[text] = GoldenMapTensor.of(goldens, value, shape)
    return io, inner
