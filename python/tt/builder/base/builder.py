# SPDX-License-Identifier: Apache-2.0
"""What builders of all dialects have: functions, modules, calls, goldens, and a method for each op."""

import inspect
import re
import sys
from collections import OrderedDict
from enum import Enum
from math import prod
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

import tessera as ts
from golden import GoldenMapTensor, apply_sharding
from golden.mapping import as_array, as_torch, narrowed, widened
from tessera.builder import _function_of as function_of, _python_name as python_name
from ttmlir._ops import wrap_value
from ttmlir.ir import Module, Operation

from .builder_utils import Operand, Shape, TypeInfo, attr_dicts, element_text, find_functions, is_private, process_multi_return_result
from .layouts import create_tensor_encoding
from .signatures import bind

_CASE = re.compile(r"#ttcore\.\w+<(\w+)>")  # a case of an enum, as it is written in a module
_HERE = __file__.rsplit("base", 1)[0]


def _plain(value):
    """An argument as the package tessera takes it."""
    if isinstance(value, Enum):
        value = value.value if isinstance(value.value, str) else _words(value.name)
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    word = _CASE.fullmatch(value) if isinstance(value, str) else None
    return word.group(1) if word else value


def _words(name):
    return "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


class Builder:
    """Puts ops into a module. Methods are ops of the builder's dialect, with the names that the ops' definitions have."""

    DIALECT = "ttir"
    SIGNATURES = {}  # see signatures.py

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
        self._by_device = {}  # goldens that are another on each device: arrays by device, of values
        self._early = {}  # goldens of functions that are not finished
        self._shard_dims = {}  # of arguments and results that are in parts: the dimension that each axis of the mesh divides
        self._whole_shapes = {}
        self._nested_funcs = []  # that are no programs, whatever they say
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

    _mesh_shape = mesh_shape

    @property
    def _bypass_ops(self):
        return [str(v.op.location) for v in self._b._bypassed]

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
        if len(dtypes) < len(shapes):
            raise ValueError(f"{len(shapes)} shapes, and {len(dtypes)} types")
        return [self._input_type(s, d) for s, d in zip(shapes, dtypes)]

    # Functions and modules

    def func(
        self,
        input_shapes: List[Shape],
        input_types: Optional[List[Union[Any, TypeInfo]]] = None,
        ttnn_inputs: bool = False,
        custom_inputs: Optional[List[dict]] = None,
        presharded_args: Optional[Dict[int, Tuple[int, ...]]] = None,
        presharded_results: Optional[Dict[int, Tuple[int, ...]]] = None,
    ):
        """Decorates a Python function of operands and the builder: it becomes a function of the module. ttnn_inputs: they have layouts of TTNN;
        custom_inputs: arguments of create_tensor_encoding of each. Of presharded ones each device has its part: which dimension each axis of the mesh
        divides; -1: none."""

        def decorate(fn):
            types = self._types(input_shapes, input_types)
            if ttnn_inputs or custom_inputs:
                more = [*(custom_inputs or ()), *({} for _ in types)]
                types = [self._laid_out(t, more[i]) for i, t in enumerate(types)]
            for i, dims in (presharded_args or {}).items():
                types[i] = self._part_type(types[i], dims)
            op = self._function(fn, fn.__name__, types, parts=(presharded_args or {}, presharded_results or {}))
            self._call_pending()
            return op

        return decorate

    def _laid_out(self, type, given):
        return self._ctx.tensor(type.shape, str(type.element), create_tensor_encoding(self._ctx, type.shape, str(type.element), **given))

    def _part_type(self, type, dims):
        """What a device has of a value that is divided."""
        if len(dims) != len(self.mesh_shape):
            raise ValueError(f"{len(dims)} dimensions for a mesh of {len(self.mesh_shape)} axes")
        shape = list(type.shape)
        for size, dim in zip(self.mesh_shape, dims):
            if dim is not None and dim >= 0:
                if shape[dim] % size:
                    raise ValueError(f"dimension {dim} of {tuple(type.shape)} has no {size} equal parts")
                shape[dim] //= size
        return self._ctx.tensor(shape, str(type.element), type.encoding)

    def _function(self, fn, name, types, visibility=None, parts=({}, {})):
        self._names.add(name)
        where = self._place(fn)
        made = self._b.function(name, types, loc=where, visibility=visibility, block=self._b._block)
        with made as args:
            for i, dims in parts[0].items():
                self._mark_part(args[i], dims)
                self.set_arg_attribute(args[i], "ttcore.shard_status", self._ctx.parse_attr("#ttcore.shard_status<presharded>"))
            results = process_multi_return_result(self._run(fn, args))
            self._b.ret(*results, loc=where)
        for i, dims in parts[1].items():
            self.set_result_attribute(made.op, i, "ttcore.shard_status", self._ctx.parse_attr("#ttcore.shard_status<presharded>"))
        return Operation(made.op._owner, made.op._handle).opview

    def _mark_part(self, value, dims):
        self._shard_dims[value] = tuple(dims)
        sizes = zip(dims, self.mesh_shape)
        whole = list(value.type.shape)
        for dim, size in sizes:
            if dim is not None and dim >= 0:
                whole[dim] *= size
        self._whole_shapes[value] = whole
        if value.block is not None and any(size != 1 for size in self.mesh_shape):
            self._set_golden_tensor(value, random_array(whole, value.type, value.index))

    def _run(self, fn, args):
        """Calls a function with operands, and with the builder behind them if it takes one more."""
        args = [self._given_out(a) for a in args]
        try:
            inspect.signature(fn).bind(*args, self)
        except TypeError:
            return fn(*args)
        return fn(*args, self)

    @staticmethod
    def _given_out(value):
        """A value as functions get it: with the names that ttmlir.ir has."""
        return wrap_value(value._owner, value._handle)

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
        made = self._b.call(callee, *original_inputs, loc=loc or self._caller())
        return [self._given_out(v) for v in made] if isinstance(made, list) else self._given_out(made)

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
        attrs = self._arg_attrs(function)
        attrs[operand.index][new_attr_name] = new_attr
        function.attributes["arg_attrs"] = [self._ctx.attr(a) for a in attrs]

    def get_arg_attribute(self, operand: Operand, attr_name: str):
        return self._arg_attrs(operand.block.region.op)[operand.index].get(attr_name)

    def set_result_attribute(self, func_op, result_index: int, new_attr_name: str, new_attr):
        """An attribute of a result of a function."""
        attrs = attr_dicts(func_op, "res_attrs", len(func_op.attributes["function_type"].type.outputs))
        attrs[result_index][new_attr_name] = new_attr
        func_op.attributes["res_attrs"] = [self._ctx.attr(a) for a in attrs]

    def _arg_attrs(self, function):
        return attr_dicts(function, "arg_attrs", len(function.regions[0].blocks[0].args))

    # Goldens

    def set_goldens(self, inputs: Dict[Operand, Any], outputs: Optional[Dict[Operand, Any]] = None, set_all_outputs: bool = True):
        """Arrays, functions that make one of a shape, arrays by device or GoldenMapTensors, that arguments and results have in goldens."""
        for value, what in {**inputs, **(outputs or {})}.items():
            self._set_golden_tensor(value, what)

    def set_operand_goldens(self, operands: Dict[Operand, Any]):
        self.set_goldens(operands)

    set_goldens_from_builder_tensor = set_goldens

    def _set_golden_tensor(self, operand: Operand, golden):
        value = operand.result if isinstance(operand, ts.Op) else operand
        if callable(golden) and not hasattr(golden, "shape"):
            golden = golden(list(self._whole_shapes.get(value, value.type.shape)))
        shards = golden if isinstance(golden, dict) else getattr(golden, "shard_map", {0: golden})
        if len(shards) == 1 and value in self._shard_dims:
            shards = apply_sharding(GoldenMapTensor(shards), self.mesh_shape, self._shard_dims[value]).shard_map
        arrays = {device: _fitting(as_array(a), value.type) for device, a in shards.items()}
        self._by_device.pop(value, None)
        if len(arrays) == 1:
            self._b.set_goldens({value: arrays[0]})
        else:
            self._by_device[value] = arrays
            self._b._changes += 1

    def _get_golden_tensor(self, operand: Operand):
        """The golden of a value of a function that need not be finished, with tensors of torch."""
        value = operand.result if isinstance(operand, ts.Op) else operand
        name = function_of(value)
        if self._early.get(name, (None,))[0] != self._b._changes:
            self._early[name] = self._b._changes, self._made_goldens(name)
        found = GoldenMapTensor.of(self._early[name][1], value, self.mesh_shape)
        return found.apply_shardwise(lambda array: as_torch(array, value.type))

    def _get_golden_tensors(self, operands: List[Operand]):
        return [self._get_golden_tensor(v) for v in operands]

    def _made_goldens(self, name):
        made = self._b.goldens([name])[name]
        own = {value: arrays for value, arrays in self._by_device.items() if function_of(value) == name}
        if own and made.num_devices == 1:  # nothing goes from one to another
            made = _EachAlone([made, *(self._b.goldens([name])[name] for _ in range(prod(self.mesh_shape) - 1))])
        for value, arrays in own.items():
            for device, array in arrays.items():
                made.set(value, array, device)
        return made

    def set_goldens_to_check(self, operands: List[Operand], override: bool = False):
        """All values are checked; these are what somebody wants to know of."""

    def set_graph_level_check(self, check: bool):
        self._graph_level_check = check

    def bypass(self, operand: Operand):
        """The golden takes the place of this value at run time, after it was compared."""
        self._b.bypass(operand)

    def _roots(self):
        found = find_functions(self._b.module)
        return [name for name, function in found.items() if not is_private(function) and name not in self._nested_funcs]

    def _goldens_of(self, name):
        if name not in self._fixed:
            found = self._made_goldens(name)
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
        op = self.SIGNATURES.get(name, (name, None))[0]
        row = self._b._method(self.DIALECT, op)
        if row is None:
            raise AttributeError(f"there is no op '{self.DIALECT}.{name}'")

        def method(*args, **given):
            return self._op(name, args, given)

        method.__name__, method.__doc__ = name, row.__doc__
        setattr(self, name, method)
        return method

    def _row(self, op):
        rows = self._ctx.rows(self.DIALECT)
        return rows.get(op) or rows[op.rstrip("_")]

    def _op(self, name, args, given, output=None):
        """An op with the words of tt-mlir's builders: output_type is a dtype, loc a name, sharding_attr that of its results."""
        op, words = self.SIGNATURES.get(name, (name, None))
        return self._make(op, bind(self._row(op), words, args, given), output)

    def _make(self, op, given, output=None):
        """An op from its arguments by name. output: its types, where they do not follow."""
        wanted = given.pop("output_type", None)
        attrs = dict(given.pop("attrs", None) or {})
        loc = given.pop("loc", None) or self._caller()
        unit_attrs = given.pop("unit_attrs", None)
        sharding = given.pop("sharding_attr", None)
        given.pop("golden_kwargs", None)
        if sharding is not None:
            attrs["sdy.sharding"] = sharding
        method = getattr(getattr(self._b, self.DIALECT), op)
        made = method(**{python_name(k): _plain(v) for k, v in given.items()}, loc=loc, unit_attrs=unit_attrs, attrs=attrs, output_type=output)
        if wanted is not None:
            types = wanted if isinstance(wanted, (list, tuple)) else [wanted]
            for value, dtype in zip(made if isinstance(made, list) else [made], types):
                value.type = self._with_element(value.type, dtype)
        return tuple(map(self._given_out, made)) if isinstance(made, list) else self._given_out(made)

    def _routed(self, name, args, given, results):
        """An op of experts: results, as pairs of a shape and a dtype, are of these types where shapes are given."""
        shapes = [(given.pop(f"{r}_shape", None), given.pop(f"{r}_type", None)) for r in results]
        output = None
        if all(shape is not None for shape, _ in shapes):
            output = [self._input_type(shape, dtype or "f32") for shape, dtype in shapes]
        made = self._op(name, args, given, output=output)
        return made if len(results) > 1 or not isinstance(made, tuple) else made[0]

    def _constant(self, tensor, loc=None, unit_attrs=None, attrs=None):
        """A constant of an array or a tensor, in its own type."""
        type = self._ctx.tensor(list(tensor.shape), element_text(tensor.dtype))
        value = ts.tensors.elements(self._b.module, narrowed(as_array(tensor), type), type)
        return self._make("constant", {"value": value, "loc": loc, "unit_attrs": unit_attrs, "attrs": attrs})

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

    def annotate(self, operand: Operand, annotation: str, loc: Optional[str] = None):
        return self._passed("annotate", operand, loc, {"annotation": annotation})

    def region_start(self, operand: Operand, region_id: str, loc: Optional[str] = None):
        return self._passed("region_start", operand, loc, {"region_id": region_id})

    def region_end(self, operand: Operand, region_id: str, loc: Optional[str] = None):
        return self._passed("region_end", operand, loc, {"region_id": region_id})

    def _passed(self, name, operand, loc, attrs):
        """An op of debugging with a result: what it is given."""
        return self._given_out(self._b.op(f"debug.{name}", [operand], attrs=attrs, results=[self.get_type(operand)], loc=loc or self._caller()).result)

    def memory_snapshot(self, operand: Operand, file_path: str, loc: Optional[str] = None):
        return self._debug("memory_snapshot", operand, loc, {"file_path": file_path})

    def dump(self, operand: Operand, file_path: str, loc: Optional[str] = None):
        return self._debug("dump", operand, loc, {"file_path": file_path})


class _EachAlone:
    """Goldens of a program that several devices run on numbers of their own: those of each."""

    def __init__(self, each):
        self.each, self.num_devices = each, len(each)

    def get(self, value, device=0):
        return self.each[device].get(value)

    def set(self, value, what, device):
        self.each[device].set(value, what)

    def set_input(self, index, what):
        for goldens in self.each:
            goldens.set_input(index, what)

    def split(self):
        return self.each[0].split()


def _fitting(array, type):
    """An array of a type's elements and shape; the same number of elements suffices."""
    shape = tuple(type.shape)
    if array.shape != shape and array.size == prod(shape):
        array = array.reshape(shape)
    return narrowed(array, type)


def is_tensor(values):
    """Whether values are numbers: not a device."""
    return all(v.type.kind == "tensor" for v in values)


def random_array(shape, type, seed):
    """Numbers for an input that nobody gives: near 0, or small."""
    import numpy as np

    rng = np.random.default_rng(seed)
    kind = str(type.element)
    if kind.startswith(("f", "bf")):
        return rng.standard_normal(shape, np.float32)
    return rng.integers(0, 2 if kind == "i1" else 10, shape)


def _whole(given):
    """An array, from one, or from a dictionary of what each device has."""
    return given[0] if isinstance(given, dict) else given


def _outputs(builder, name, goldens, values, inputs):
    """What a function returns. Of calls, whose bodies take their place in goldens, a run tells it."""
    if goldens.num_devices > 1 or not any(v.op is not None and v.op.name == "func.call" for v in values):
        return {f"output_{i}": GoldenMapTensor.of(goldens, v, builder.mesh_shape) for i, v in enumerate(values)}
    types = [a.type for a in find_functions(builder._b.module)[name].regions[0].blocks[0].args]
    given = [narrowed(inputs[f"input_{i}"].shard_at(0), t) for i, t in enumerate(types)]
    found = builder._b.module.run(*given, function=name, engine="reference")
    return {f"output_{i}": GoldenMapTensor({0: widened(array, v.type)}, builder.mesh_shape) for i, (array, v) in enumerate(zip(found, values))}


_MOST_BYTES = 1 << 30


def _bytes(ops):
    """How much the results of ops hold, with 8 bytes an element."""
    return sum(8 * prod(v.type.shape) for op in ops for v in op.results if v.type.kind == "tensor")


def _maps(builder):
    shape, functions = builder.mesh_shape, find_functions(builder._b.module)
    io, inner = {}, {}
    for index, name in enumerate(builder._roots()):
        goldens = builder._goldens_of(name)
        body = functions[name].regions[0].blocks[0]
        last = body.ops[-1]
        named = {f"input_{i}": a for i, a in enumerate(body.args)}
        io[index] = {key: GoldenMapTensor.of(goldens, value, shape) for key, value in named.items()}
        io[index].update(_outputs(builder, name, goldens, last.operands, io[index]))
        ops = body.ops[:-1]
        if _bytes(ops) * goldens.num_devices > _MOST_BYTES:
            continue  # values of a large program are for those who ask the evaluator for one
        for op in ops:
            for value in op.results if is_tensor(op.results) and op.name != "func.call" else ():
                inner[str(op.location)] = GoldenMapTensor.of(goldens, value, shape)
    return io, inner
