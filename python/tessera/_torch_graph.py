# SPDX-License-Identifier: Apache-2.0
"""From torch's graphs (FX, after AOTAutograd) to graphs as data: segments that programs compute, and ops between them that eager does."""

import operator

from . import _torch_table as table
from ._torch_private import expression, groups_of
from ._torch_program import Ref, is_random

ELEMENTS = {
    "float32": "f32", "float64": "f64", "float16": "f16", "bfloat16": "bf16", "float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2",
    "float8_e4m3fnuz": "f8E4M3FNUZ", "float8_e5m2fnuz": "f8E5M2FNUZ", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "ui8",
    "uint16": "ui16", "uint32": "ui32", "uint64": "ui64", "bool": "i1", "complex64": "complex<f32>", "complex128": "complex<f64>",
}
VIEWS = frozenset("view _unsafe_view permute transpose t expand unsqueeze squeeze slice select alias detach split_with_sizes split unbind diagonal as_strided unfold".split())
_DROPPED = ("device", "layout", "pin_memory", "memory_format", "requires_grad", "generator", "non_blocking", "dtype", "implicit")


def element(dtype):
    """Tessera's name of a dtype, or None."""
    return ELEMENTS.get(str(dtype).rpartition(".")[2])


def name_of(target):
    """An op as the table knows it: aten.add.Tensor."""
    if not hasattr(target, "_schema"):
        return f"{getattr(target, '__module__', '')}.{getattr(target, '__name__', target)}"
    space, _, name = target._schema.name.partition("::")
    return f"{space}.{name}.{target._schema.overload_name or 'default'}"


class Sizes:
    """Numbers for symbolic sizes."""

    def __init__(self, values):
        self.values = values

    def __call__(self, x):
        expr = expression(x)
        if expr is None:
            return x
        found = expr.xreplace(self.values) if hasattr(expr, "xreplace") else expr
        if getattr(found, "free_symbols", None):
            raise ValueError(f"the size {expr} is known only when the program runs")
        return {"SymFloat": float, "SymBool": bool}.get(type(x).__name__, int)(found)


def order_of(shape, stride):
    """How the dimensions of a tensor lie in memory: None for row-major, a list for another dense order, False where it is not dense."""
    real = [(k, i) for i, (n, k) in enumerate(zip(shape, stride)) if n != 1]
    if 0 in shape:
        return None
    expected, plain = 1, True
    for i in range(len(shape) - 1, -1, -1):
        if shape[i] != 1:
            plain = plain and stride[i] == expected
            expected *= shape[i]
    if plain:
        return None
    expected = 1
    for k, i in sorted(real, key=lambda p: (p[0], -p[1])):
        if k != expected:
            return False
        expected *= shape[i]
    inner = [i for _, i in sorted(real, key=lambda p: (-p[0], p[1]))]
    return [i for i in range(len(shape)) if shape[i] == 1] + inner


class Facts:
    """A tensor as the graph knows it: shape, strides, offset, element type, and dtype."""

    __slots__ = ("shape", "stride", "offset", "element", "dtype")

    def __init__(self, value, sizes):
        self.shape = tuple(sizes(n) for n in value.shape)
        self.dtype, self.element = value.dtype, element(value.dtype)
        try:
            self.stride, self.offset = tuple(sizes(k) for k in value.stride()), sizes(value.storage_offset())
        except RuntimeError:
            self.stride, self.offset = None, 0


def is_tensor(value):
    return hasattr(value, "dtype") and hasattr(value, "stride")


class Reader:
    """An FX graph with numbers for its symbolic sizes."""

    def __init__(self, gm, sizes, args=None):
        """args: tensors whose strides are those of the inputs, if not those of the graph."""
        self.gm, self.sizes, self.facts = gm, sizes, {}
        self.placeholders = [n for n in gm.graph.nodes if n.op == "placeholder"]
        self.held = [n for n in gm.graph.nodes if n.op == "get_attr"]
        self.output = next(n for n in gm.graph.nodes if n.op == "output")
        self.tensors = {n: self.attribute(n) for n in self.held}
        if args is not None:
            for n, a in zip(self.placeholders, args):
                if is_tensor(a):
                    f = self.facts[n] = Facts(n.meta["val"], sizes)
                    f.stride, f.offset = tuple(a.stride()), a.storage_offset()

    def attribute(self, node):
        found = self.gm
        for part in node.target.split("."):
            found = getattr(found, part)
        return found

    def value(self, node):
        return self.tensors[node] if node in self.tensors else node.meta.get("val")

    def fact(self, node):
        found = self.facts.get(node)
        if found is None:
            found = self.facts[node] = Facts(self.value(node), self.sizes)
        return found

    def number(self, node):
        """The number that a node of a symbolic size is."""
        return self.sizes(node.meta["val"])

    def is_number(self, node):
        value = self.value(node)
        return not is_tensor(value) and (isinstance(value, (int, float, bool)) or type(value).__name__ in ("SymInt", "SymFloat", "SymBool"))


def place_of(node):
    """File and line of the model that an op comes from."""
    trace = node.meta.get("stack_trace") or ""
    for line in reversed(trace.splitlines()):
        line = line.strip()
        if line.startswith('File "'):
            parts = line[6:].split('"')
            number = parts[1].split("line ")[-1].split(",")[0] if len(parts) > 1 else "0"
            return [parts[0], int(number) if number.isdigit() else 0]
    return None


def supports(reader, node, export=False):
    """Why an op cannot be in a program, or None. export: of a program that is not run in torch's processes."""
    if node.target is operator.getitem:
        return None
    if name_of(node.target).startswith("_c10d_functional.") and not export:
        return "in torch's process group"
    if table.find(name_of(node.target)) is None:
        return "no row"
    if name_of(node.target).startswith("aten.as_strided"):
        f = reader.fact(node.args[0])
        if f.stride is None or order_of(f.shape, f.stride) is False:
            return "of a tensor with gaps"
    value = node.meta.get("val")
    for v in [*(value if isinstance(value, (list, tuple)) else [value]), *(reader.value(a) for a in node.all_input_nodes)]:
        for t in v if isinstance(v, (list, tuple)) else [v]:
            if is_tensor(t) and element(t.dtype) is None:
                return f"elements of {t.dtype}"
            if is_tensor(t) and t.device.type not in ("cpu", "meta"):
                return f"a tensor on {t.device}"
            if is_tensor(t) and getattr(t, "is_sparse", False):
                return "a sparse tensor"
    return None


class Segment:
    """Ops that one program computes: the graph as data, the nodes that are its inputs, and those that are its outputs."""

    def __init__(self, reader, nodes, wanted, inputs=()):
        """inputs: nodes that come first, whether they are used or not."""
        self.reader, self.nodes = reader, nodes
        self.number, self.ops, self.inputs = {}, [], []
        self.given, self.random = [], False
        inside = set(nodes)
        for a in inputs:
            self._input(a)
        for node in nodes:
            for a in node.all_input_nodes:
                if a not in inside and a not in self.number and not reader.is_number(a):
                    self._input(a)
        count = len(self.inputs)
        self.op_nodes = []
        for node in nodes:
            count = self._op(node, count)
        self.outputs = list(wanted)
        self.results = [[self.number[n], self.order(n)] for n in wanted]

    def order(self, node):
        f = self.reader.fact(node)
        found = None if f.stride is None else order_of(f.shape, f.stride)
        return found or None

    def _input(self, node):
        self.number[node] = len(self.inputs)
        self.inputs.append(node)

    def _op(self, node, count):
        reader = self.reader
        if node.target is operator.getitem:
            base = self.number.get(node.args[0])
            if base is not None:
                self.number[node] = base + node.args[1]
            return count
        value = node.meta.get("val")
        values = value if isinstance(value, (list, tuple)) else [value]
        results = []
        for v in values:
            results.append([list(reader.sizes(n) for n in v.shape), element(v.dtype)] if is_tensor(v) else None)
        name = name_of(node.target)
        args = [self._argument(a) for a in node.args]
        kwargs = {k: self._argument(v) for k, v in node.kwargs.items() if k not in _DROPPED}
        if name.startswith("_c10d_functional.") and isinstance(args[-1], str):
            args[-1] = groups_of(args[-1])
        if name.startswith("aten.as_strided"):
            self._as_stored(name, node, args, kwargs)
        self.number[node] = count
        self.random = self.random or is_random(name)
        self.ops.append([name, args, kwargs, results, place_of(node)])
        self.op_nodes.append(node)
        return count + len(results)

    def _as_stored(self, name, node, args, kwargs):
        """as_strided counts elements where they are stored."""
        f = self.reader.fact(node.args[0])
        at = 4 if "scatter" in name else 3
        if len(args) > at and args[at] is not None:
            args[at] -= f.offset
        elif kwargs.get("storage_offset") is not None:
            kwargs["storage_offset"] -= f.offset
        order = order_of(f.shape, f.stride)
        if order:
            kwargs["order"] = order

    def _argument(self, a):
        if hasattr(a, "op") and hasattr(a, "meta"):
            return self.reader.number(a) if self.reader.is_number(a) else Ref(self.number[a])
        if isinstance(a, (list, tuple)):
            return [self._argument(x) for x in a]
        if expression(a) is not None:
            return self.reader.sizes(a)
        if a is None or isinstance(a, (bool, int, float, complex, str)):
            return a
        text = element(a)
        return text if text else str(a)

    def data(self, layouts):
        """layouts: how each input lies in memory."""
        inputs = []
        for n, order in zip(self.inputs, layouts):
            f = self.reader.fact(n)
            inputs.append([list(f.shape), f.element, order])
        return {"inputs": inputs, "ops": self.ops, "outputs": self.results, "given": self.given, "random": self.random}


def root_of(reader, node):
    """The value whose memory a node is a view of, through ops that only look: an input, an op's result, or the node itself."""
    while True:
        if node.op != "call_function":
            return node
        inner = node
        if node.target is operator.getitem:
            inner = node.args[0]
            if inner.op != "call_function":
                return node
        name = name_of(inner.target).split(".")
        if len(name) < 2 or name[0] not in ("aten", "prims") or name[1] not in VIEWS or name[-1] == "dtype" or not inner.args:
            return node
        base = inner.args[0]
        f = reader.fact(node)
        if reader.is_number(base) or not is_tensor(reader.value(base)) or f.stride is None:
            return node
        b = reader.fact(base)
        if b.stride is None or b.element != f.element or 0 in f.shape:
            return node
        node = base


def levels(reader, eager):
    """Segments: lists of nodes by level, even levels for programs, odd ones for eager. eager: nodes that are no part of programs."""
    level, found = {}, {}
    for node in reader.gm.graph.nodes:
        if node.op != "call_function" or reader.is_number(node):
            continue
        before = max((level.get(a, 0) for a in node.all_input_nodes), default=0)
        if node.target is operator.getitem:
            mine = level.get(node.args[0], 0)
        else:
            odd = node in eager
            mine = before if before % 2 == odd else before + 1
        level[node] = mine
        found.setdefault(mine, []).append(node)
    return [(n % 2 == 1, found[n]) for n in sorted(found)]
