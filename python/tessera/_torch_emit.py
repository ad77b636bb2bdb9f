# SPDX-License-Identifier: Apache-2.0
"""What rows of the ATen table are made of: values with shape and element type, and ops of StableHLO on them, put into a module through the C builder.

Nothing here knows torch: a graph comes as data (_torch_graph.py), so that the table can be tested where torch is not installed."""

import math
import struct
from ctypes import byref, c_size_t, c_void_p

from . import _library as c
from ._library import handles, ints, lib, to_str
from .context import Context
from .module import Module

FLOATS = ("f64", "f32", "bf16", "f16", "f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ")
INTS = ("i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64")
COMPLEX = {"complex<f32>": "f32", "complex<f64>": "f64"}
BITS = {"i1": 1, "f64": 64, "f32": 32, "bf16": 16, "f16": 16, "complex<f32>": 64, "complex<f64>": 128}
BITS.update({d: 8 for d in FLOATS if d.startswith("f8")})
BITS.update({d: int(d.strip("ui")) for d in INTS})
_FORMATS = {"f32": ("f", "I"), "f64": ("d", "Q"), "f16": ("e", "H")}


class Unsupported(Exception):
    """A row that has no form for these arguments: the op runs in eager."""


class V:
    """A value of the program: its handle, shape, and element type."""

    __slots__ = ("h", "s", "d")

    def __init__(self, h, s, d):
        self.h, self.s, self.d = h, s, d

    @property
    def rank(self):
        return len(self.s)


def is_float(d):
    return d in FLOATS


def is_complex(d):
    return d in COMPLEX


def is_int(d):
    return d in INTS


def wide(d):
    """The type in which torch computes on elements of d."""
    return "f32" if d in FLOATS and d not in ("f64", "f32") else d


def numel(s):
    return math.prod(s)


def axis(d, rank):
    d = int(d)
    return d + rank if d < 0 else d


def axes_of(dims, rank):
    """Sorted numbers of dimensions, all of them for None and for none."""
    if isinstance(dims, int):
        dims = [dims]
    if not dims:
        return tuple(range(rank))
    return tuple(sorted({axis(d, rank) for d in dims})) if rank else ()


def broadcast_shape(*shapes):
    rank, out = max(map(len, shapes), default=0), []
    for i in range(rank):
        sizes = {s[len(s) - rank + i] for s in shapes if len(s) - rank + i >= 0} - {1}
        if len(sizes) > 1:
            raise Unsupported(f"shapes {shapes} do not broadcast")
        out.append(sizes.pop() if sizes else 1)
    return tuple(out)


_ORDER = ("i1", "ui8", "i8", "i16", "i32", "i64")


def promote(a, b):
    """torch's promotion of two element types of tensors with dimensions."""
    if a == b:
        return a
    if is_complex(a) or is_complex(b):
        return "complex<f64>" if "f64" in (COMPLEX.get(a, a), COMPLEX.get(b, b)) else "complex<f32>"
    if is_float(a) or is_float(b):
        if not is_float(b) or not is_float(a):
            return a if is_float(a) else b
        if {a, b} == {"bf16", "f16"}:
            return "f32"
        if BITS[a] == BITS[b]:
            raise Unsupported(f"there is no type that has all elements of {a} and {b}")
        return a if BITS[a] > BITS[b] else b
    if "i1" in (a, b):
        return b if a == "i1" else a
    if a[0] != "u" and b[0] != "u" or a[0] == "u" and b[0] == "u":
        return a if BITS[a] >= BITS[b] else b
    u, i = (a, b) if a[0] == "u" else (b, a)
    if BITS[i] > BITS[u]:
        return i
    if BITS[u] >= 64:
        raise Unsupported(f"there is no type that has all elements of {a} and {b}")
    return f"i{2 * BITS[u]}"


def kind_of(d):
    return 0 if d == "i1" else 1 if is_int(d) else 2 if is_float(d) else 3


def common(*operands):
    """torch's result type of values and Python numbers: dimensions count more than none, and those more than numbers, unless of a higher kind."""
    groups = ([], [], [])
    for x in operands:
        if isinstance(x, V):
            groups[0 if x.s else 1].append(x.d)
        else:
            groups[2].append("i1" if isinstance(x, bool) else "i64" if isinstance(x, int) else "f32" if isinstance(x, float) else "complex<f32>")
    found = None
    for group in groups:
        for d in group and [_all(group)]:
            if found is None:
                found = d
            elif kind_of(d) > kind_of(found):
                found = ("complex<f64>" if found == "f64" else "complex<f32>") if is_complex(d) and group is groups[2] else d
    return found


def _all(group):
    d = group[0]
    for other in group[1:]:
        d = promote(d, other)
    return d


def literal(x, d):
    """The text of a number in a dense attribute."""
    if d == "i1":
        return "true" if x else "false"
    if d in COMPLEX:
        x = complex(x)
        return f"({literal(x.real, COMPLEX[d])}, {literal(x.imag, COMPLEX[d])})"
    if d in FLOATS:
        x = float(x)
        if math.isfinite(x):
            return f"{x:.17e}"
        return _special(x, d)
    x = int(x)
    bits = BITS[d]
    x &= (1 << bits) - 1
    return str(x - (1 << bits) if d[0] == "i" and x >> (bits - 1) else x)


def _special(x, d):
    if d in _FORMATS:
        value, bits = _FORMATS[d]
        width = struct.calcsize(bits)
        return f"0x{struct.unpack('<' + bits, struct.pack('<' + value, x))[0]:0{2 * width}X}"
    if d == "bf16":
        return {"inf": "0x7F80", "-inf": "0xFF80"}.get(str(x), "0x7FC0")
    if d == "f8E5M2":
        return {"inf": "0x7C", "-inf": "0xFC"}.get(str(x), "0x7E")
    return "0x7F" if d == "f8E4M3FN" else "0x80"


def exact(x, d):
    """Whether a number is one of d's."""
    if isinstance(x, complex) or is_complex(d):
        return True
    if d == "bf16":
        bits = struct.unpack("<I", struct.pack("<f", x))[0] if abs(x) < 3e38 else 1
        return not math.isfinite(x) or bits & 0xFFFF == 0 and float(x) == struct.unpack("<f", struct.pack("<I", bits))[0]
    if d == "f16":
        try:
            return not math.isfinite(x) or struct.unpack("<e", struct.pack("<e", x))[0] == x
        except OverflowError:
            return False
    return not d.startswith("f8")


def most(d):
    """The greatest element of a type, infinity of floats."""
    if is_float(d):
        return math.inf
    return True if d == "i1" else (1 << BITS[d]) - 1 if d[0] == "u" else (1 << (BITS[d] - 1)) - 1


def least(d):
    if is_float(d):
        return -math.inf
    return False if d == "i1" else 0 if d[0] == "u" else -(1 << (BITS[d] - 1))


FINITE = {"f32": 3.4028234663852886e38, "f64": 1.7976931348623157e308, "f16": 65504.0, "bf16": 3.3895313892515355e38}


class Emit:
    """A module that is being made: one function, main."""

    def __init__(self, inputs, context=None, names=None):
        self.context = context or Context()
        self.module = Module(context=self.context)
        self._types, self._attrs, self._consts, self._names = {}, {}, {}, {}
        self._status = c.Status()
        self.loc = self._place("", "", 0)
        self.seed = None
        self.counter = 0
        self._inputs, self._arg_names = list(inputs), names
        self._start()

    def _start(self):
        types = [self.type(*t) for t in self._inputs]
        function = self._call(lib.tsr_create_function_type, self.context._handle, handles(types), len(types), None, 0)
        self.function = self._call(lib.tsr_create_function, self.module._handle, None, to_str("main"), function, self.loc)
        self.block = lib.tsr_region_first_block(lib.tsr_op_region(self.function, 0))
        self.args = [V(lib.tsr_block_arg(self.block, i), tuple(s), d) for i, (s, d) in enumerate(self._inputs)]

    def _call(self, function, *arguments):
        self._status.code = 0
        self.context._said = []
        made = function(*arguments, byref(self._status))
        if not made:
            self.context._fail(self._status)
        return made

    def type(self, s, d):
        key = (tuple(s), d)
        found = self._types.get(key)
        if found is None:
            element = self._types.get(d)
            if element is None:
                element = self._types[d] = self.context.type(d)._handle
            found = self._types[key] = self._call(lib.tsr_create_tensor_type, element, ints(key[0]), len(key[0]), None)
        return found

    def attr(self, kind, value):
        """An attribute, made once: i64s, i1s, i64, i32, bool, text (of any), enum:NAME."""
        key = (kind, tuple(value) if isinstance(value, list) else value)
        found = self._attrs.get(key)
        if found is None:
            ctx = self.context
            if kind in ("i64s", "i1s"):
                made = ctx.array([int(x) for x in value], kind[:-1])
            elif kind in ("i64", "i32"):
                made = ctx.integer(int(value), kind)
            elif kind == "bool":
                made = ctx.attr(bool(value))
            elif kind == "text":
                made = ctx.parse_attr(value)
            elif kind == "string":
                made = ctx.attr(value)
            else:
                made = ctx.enum(kind, value)
            found = self._attrs[key] = made._handle
        return found

    def _place(self, name, file, line):
        key = ("loc", name, file, line)
        found = self._attrs.get(key)
        if found is None:
            child = self._call(lib.tsr_create_file_location, self.context._handle, to_str(file), line, 1) if file else None
            found = self._call(lib.tsr_create_name_location, self.context._handle, to_str(name), child) if name else child
            if found is None:
                found = self._call(lib.tsr_create_name_location, self.context._handle, to_str("main"), None)
            self._attrs[key] = found
        return found

    def at(self, name, file="", line=0):
        """Ops from here on are of this ATen op, at this line of the model."""
        self.loc = self._place(name, file, line)

    def op(self, name, operands, attrs=(), results=(), regions=(), groups=None, block=None):
        """Any op; results: (shape, element type) of each."""
        text = self._names.get(name)
        if text is None:
            text = self._names[name] = to_str(name)
        n = len(operands)
        spec = c.OpSpec(name=text, location=self.loc)
        spec.operands, spec.noperand = (c_void_p * n)(*[v.h for v in operands]), n
        if groups is not None:
            spec.groups, spec.ngroup = (c_size_t * len(groups))(*groups), len(groups)
        if attrs:
            named = (c.NamedAttr * len(attrs))()
            for slot, (key, kind, value) in zip(named, attrs):
                slot.name, slot.value = self._name(key), self.attr(kind, value)
            spec.attrs, spec.nattr = named, len(attrs)
        types = [self.type(*r) for r in results]
        spec.results, spec.nresult = (c_void_p * max(len(types), 1))(*types), len(types)
        if regions:
            spec.regions, spec.nregion = handles(regions), len(regions)
        made = self._call(lib.tsr_create_op, block or self.block, None, byref(spec))
        return [V(lib.tsr_op_result(made, i), tuple(s), d) for i, (s, d) in enumerate(results)]

    def _name(self, key):
        found = self._names.get(key)
        if found is None:
            found = self._names[key] = to_str(key)
        return found

    def finish(self, results, given_up=()):
        """Ends the function. given_up: pairs of the numbers of an input and of the result that is computed in its memory."""
        ins, outs = [self.type(v.s, v.d) for v in self.args], [self.type(v.s, v.d) for v in results]
        type = self._call(lib.tsr_create_function_type, self.context._handle, handles(ins), len(ins), handles(outs), len(outs))
        wrapped = self._call(lib.tsr_create_type_attr, type)
        self._call(lib.tsr_edit_attr, self.function, to_str("function_type"), wrapped)
        self.op("func.return", results)
        self.name_arguments(given_up)
        self.context._plain(lib.tsr_op_verify, self.function)
        return self.module

    def name_arguments(self, given_up):
        to, names = dict(given_up), self._arg_names
        if not to and not names:
            return
        rows = []
        for i in range(len(self.args)):
            row = {"jax.arg_info": names[i]} if names else {}
            if i in to:
                row["tf.aliasing_output"] = self.context.integer(to[i], "i32")
            rows.append(row)
        self._call(lib.tsr_edit_attr, self.function, to_str("arg_attrs"), self.context.attr(rows)._handle)

    # Constants

    def const(self, x, s, d):
        key = (repr(x), tuple(s), d)
        found = self._consts.get(key)
        if found is None:
            shape = "".join(f"{n}x" for n in s)
            text = f"dense<{literal(x, d)}> : tensor<{shape}{d}>"
            found = self._consts[key] = self.op("stablehlo.constant", (), [("value", "text", text)], [(s, d)])[0]
        return found

    def array(self, values, s, d):
        """A constant of numbers in row-major order."""
        if not values:
            return self.const(0, s, d)
        items = [literal(x, d) for x in values]
        for n in reversed(s):
            items = [f"[{', '.join(items[i:i + n])}]" for i in range(0, len(items), n)]
        text = f"dense<{items[0]}> : tensor<{''.join(f'{n}x' for n in s)}{d}>"
        return self.op("stablehlo.constant", (), [("value", "text", text)], [(s, d)])[0]

    def iota(self, dim, s, d):
        if not s:
            return self.const(0, s, d)
        if d == "i1":
            return self.cast(self.iota(dim, s, "i64"), d)
        return self.op("stablehlo.iota", (), [("iota_dimension", "i64", dim)], [(s, d)])[0]

    # Elementwise

    def un(self, name, a):
        return self.op(name if "." in name else f"stablehlo.{name}", (a,), (), [(a.s, a.d)])[0]

    def bi(self, name, a, b):
        return self.op(name if "." in name else f"stablehlo.{name}", (a, b), (), [(a.s, a.d)])[0]

    def compare(self, direction, a, b):
        attrs = [("comparison_direction", "stablehlo.comparison_direction", direction)]
        return self.op("stablehlo.compare", (a, b), attrs, [(a.s, "i1")])[0]

    def select(self, p, a, b):
        return self.op("stablehlo.select", (p, a, b), (), [(a.s, a.d)])[0]

    def cast(self, a, d):
        if a.d == d:
            return a
        if d == "i1":
            return self.compare("NE", a, self.const(0, a.s, a.d))
        if is_complex(a.d) and not is_complex(d):
            a = self.real(a)
            return self.cast(a, d)
        if is_float(a.d) and is_int(d):
            return self._float_to_int(a, d)
        return self.op("stablehlo.convert", (a,), (), [(a.s, d)])[0]

    def _float_to_int(self, a, d):
        """As torch on x86: towards zero; what a small type cannot have goes through i64."""
        if BITS[d] < 32 or d in ("ui32", "ui64"):
            a = self.op("stablehlo.convert", (a,), (), [(a.s, "i64")])[0]
        return self.op("stablehlo.convert", (a,), (), [(a.s, d)])[0]

    def real(self, a):
        return self.op("stablehlo.real", (a,), (), [(a.s, COMPLEX[a.d])])[0]

    def imag(self, a):
        return self.op("stablehlo.imag", (a,), (), [(a.s, COMPLEX[a.d])])[0]

    def complex(self, a, b):
        return self.op("stablehlo.complex", (a, b), (), [(a.s, f"complex<{a.d}>")])[0]

    # Shapes

    def reshape(self, a, s):
        s = tuple(s)
        return a if a.s == s else self.op("stablehlo.reshape", (a,), (), [(s, a.d)])[0]

    def broadcast(self, a, s, dims=None):
        s = tuple(s)
        if dims is None:
            if a.s == s:
                return a
            dims = range(len(s) - len(a.s), len(s))
        return self.op("stablehlo.broadcast_in_dim", (a,), [("broadcast_dimensions", "i64s", list(dims))], [(s, a.d)])[0]

    def fit(self, x, s, d):
        """A value or a number, with this shape and element type."""
        if not isinstance(x, V):
            return self.const(x, s, d)
        return self.broadcast(self.cast(x, d), s)

    def transpose(self, a, order):
        order = list(order)
        if order == list(range(len(order))):
            return a
        return self.op("stablehlo.transpose", (a,), [("permutation", "i64s", order)], [(tuple(a.s[i] for i in order), a.d)])[0]

    def slice(self, a, low, high, step=None):
        step = step or [1] * len(low)
        s = tuple(max(0, -(-(h - lo) // k)) for lo, h, k in zip(low, high, step))
        if s == a.s and all(k == 1 for k in step):
            return a
        attrs = [("start_indices", "i64s", list(low)), ("limit_indices", "i64s", list(high)), ("strides", "i64s", list(step))]
        return self.op("stablehlo.slice", (a,), attrs, [(s, a.d)])[0]

    def cut(self, a, dim, low, high, step=1):
        """A slice of one dimension."""
        lows, highs, steps = [0] * a.rank, list(a.s), [1] * a.rank
        lows[dim], highs[dim], steps[dim] = low, max(low, high), step
        return self.slice(a, lows, highs, steps)

    def cat(self, values, dim):
        if len(values) == 1:
            return values[0]
        s = list(values[0].s)
        s[dim] = sum(v.s[dim] for v in values)
        return self.op("stablehlo.concatenate", values, [("dimension", "i64", dim)], [(tuple(s), values[0].d)])[0]

    def pad(self, a, low, high, value, interior=None):
        interior = interior or [0] * a.rank
        if not any(low) and not any(high) and not any(interior):
            return a
        s = tuple(n + lo + h + max(0, n - 1) * k for n, lo, h, k in zip(a.s, low, high, interior))
        attrs = [("edge_padding_low", "i64s", list(low)), ("edge_padding_high", "i64s", list(high)), ("interior_padding", "i64s", list(interior))]
        v = value if isinstance(value, V) else self.const(value, (), a.d)
        return self.op("stablehlo.pad", (a, v), attrs, [(s, a.d)])[0]

    def reverse(self, a, dims):
        return self.op("stablehlo.reverse", (a,), [("dimensions", "i64s", list(dims))], [(a.s, a.d)])[0] if dims else a

    # Regions

    def region(self, types, body):
        """A region with one block: body gets its arguments, and gives what it returns."""
        region = self._call(lib.tsr_create_region, self.module._handle)
        found = [self.type(*t) for t in types]
        where = handles([self.loc] * len(found))
        block = self._call(lib.tsr_create_block, region, handles(found), len(found), where)
        args = [V(lib.tsr_block_arg(block, i), tuple(s), d) for i, (s, d) in enumerate(types)]
        outer, self.block = self.block, block
        consts, self._consts = self._consts, {}
        try:
            self.op("stablehlo.return", body(*args))
        finally:
            self.block, self._consts = outer, consts
        return region

    def reduce(self, op, a, axes, init, keep=False):
        """A reduction by an op of StableHLO along sorted dimensions."""
        axes = tuple(axes)
        s = tuple(n for i, n in enumerate(a.s) if i not in axes)
        if axes:
            zero = self.const(init, (), a.d)
            body = self.region([((), a.d)] * 2, lambda x, y: [self.bi(op, x, y)])
            r = self.op("stablehlo.reduce", (a, zero), [("dimensions", "i64s", list(axes))], [(s, a.d)], [body], groups=(1, 1))[0]
        else:
            r = a
        return self.reshape(r, [1 if i in axes else n for i, n in enumerate(a.s)]) if keep else r

    def reduce_many(self, values, inits, axes, body):
        """A reduction of several values at once; body gets those so far and then the next ones."""
        s = tuple(n for i, n in enumerate(values[0].s) if i not in axes)
        zeros = [self.const(x, (), v.d) for x, v in zip(inits, values)]
        region = self.region([((), v.d) for v in values] * 2, body)
        n = len(values)
        return self.op("stablehlo.reduce", (*values, *zeros), [("dimensions", "i64s", list(axes))], [(s, v.d) for v in values], [region], groups=(n, n))

    def window(self, op, a, init, sizes, strides, low, high, dilations=None):
        """reduce_window over all dimensions."""
        dilations = dilations or [1] * a.rank
        s = tuple((n + lo + h - (k - 1) * w - 1) // t + 1 for n, lo, h, k, w, t in zip(a.s, low, high, sizes, dilations, strides))
        zero = self.const(init, (), a.d)
        body = self.region([((), a.d)] * 2, lambda x, y: [self.bi(op, x, y)])
        attrs = [("window_dimensions", "i64s", list(sizes)), ("window_strides", "i64s", list(strides)), ("window_dilations", "i64s", list(dilations)),
                 ("padding", "text", pairs_text(low, high))]
        return self.op("stablehlo.reduce_window", (a, zero), attrs, [(s, a.d)], [body], groups=(1, 1))[0]

    def sort(self, values, dim, descending=False):
        """A stable sort of values together, by the first; NaN is the greatest."""

        def before(*args):
            x, y = args[0], args[1]
            if descending:
                x, y = y, x
            less = self.compare("LT", x, y)
            if is_float(x.d):
                x_is, y_is = self.compare("EQ", x, x), self.compare("NE", y, y)
                less = self.bi("or", less, self.bi("and", x_is, y_is))
            return [less]

        if not values[0].s or not numel(values[0].s):
            return list(values)
        region = self.region([((), v.d) for v in values for _ in range(2)], before)
        attrs = [("dimension", "i64", dim), ("is_stable", "bool", True)]
        return self.op("stablehlo.sort", values, attrs, [(v.s, v.d) for v in values], [region])

    # Products

    def dot(self, a, b, batch, contract, d=None):
        """dot_general; batch and contract: pairs of lists of dimensions."""
        (ba, bb), (ca, cb) = batch, contract
        s = [a.s[i] for i in ba] + [n for i, n in enumerate(a.s) if i not in ba and i not in ca] + [n for i, n in enumerate(b.s) if i not in bb and i not in cb]
        parts = []
        if ba:
            parts += [f"lhs_batching_dimensions = {list(ba)}", f"rhs_batching_dimensions = {list(bb)}"]
        parts += [f"lhs_contracting_dimensions = {list(ca)}", f"rhs_contracting_dimensions = {list(cb)}"]
        attrs = [("dot_dimension_numbers", "text", f"#stablehlo.dot<{', '.join(parts)}>")]
        return self.op("stablehlo.dot_general", (a, b), attrs, [(tuple(s), d or a.d)])[0]

    def matmul(self, a, b):
        """The product of the last two dimensions; those before are a batch, the same of both."""
        n = a.rank - 2
        lead = list(range(n))
        return self.dot(a, b, (lead, lead), ([n + 1], [n]))

    # Indices

    def gather(self, a, index, offset_dims, collapsed, start, sizes, index_dim, s, batching=((), ())):
        text = [f"offset_dims = {list(offset_dims)}", f"collapsed_slice_dims = {list(collapsed)}"]
        if batching[0]:
            text += [f"operand_batching_dims = {list(batching[0])}", f"start_indices_batching_dims = {list(batching[1])}"]
        text += [f"start_index_map = {list(start)}", f"index_vector_dim = {index_dim}"]
        attrs = [("dimension_numbers", "text", f"#stablehlo.gather<{', '.join(text)}>"), ("slice_sizes", "i64s", list(sizes))]
        return self.op("stablehlo.gather", (a, index), attrs, [(tuple(s), a.d)])[0]

    def scatter(self, a, index, updates, window, inserted, dims, index_dim, op=None, batching=((), ())):
        """op: how an update meets what is there, an op of StableHLO or a function; None: it takes its place."""
        text = [f"update_window_dims = {list(window)}", f"inserted_window_dims = {list(inserted)}"]
        if batching[0]:
            text += [f"input_batching_dims = {list(batching[0])}", f"scatter_indices_batching_dims = {list(batching[1])}"]
        text += [f"scatter_dims_to_operand_dims = {list(dims)}", f"index_vector_dim = {index_dim}"]

        def meet(old, new):
            return [new if op is None else op(old, new) if callable(op) else self.bi(op, old, new)]

        region = self.region([((), a.d)] * 2, meet)
        attrs = [("scatter_dimension_numbers", "text", f"#stablehlo.scatter<{', '.join(text)}>")]
        return self.op("stablehlo.scatter", (a, index, updates), attrs, [(a.s, a.d)], [region], groups=(1, 1, 1))[0]

    # Random bits

    def bits(self, s, d="ui32"):
        """Random words: each op of a graph has a part of the sequence of its own, by the seed that each call gives."""
        if self.seed is None:
            raise Unsupported("random numbers without a seed")
        self.counter += 1
        n = max(1, numel(s))
        state = self.cat([self.reshape(self.seed, (1,)), self.const((self.counter << 40), (1,), "ui64")], 0)
        attrs = [("rng_algorithm", "stablehlo.rng_algorithm", "THREE_FRY")]
        found = self.op("stablehlo.rng_bit_generator", (state,), attrs, [((2,), "ui64"), ((n,), d)])[1]
        return self.reshape(self.cut(found, 0, 0, numel(s)), s)

    def uniform(self, s, d="f32"):
        """Floats in [0, 1)."""
        if d == "f64":
            words = self.bi("shift_right_logical", self.bits(s, "ui64"), self.const(11, s, "ui64"))
            return self.bi("multiply", self.cast(words, "f64"), self.const(2.0**-53, s, "f64"))
        kept = {"f32": 24, "bf16": 8, "f16": 11}.get(d, 4)
        words = self.bi("shift_right_logical", self.bits(s), self.const(32 - kept, s, "ui32"))
        return self.cast(self.bi("multiply", self.cast(words, "f32"), self.const(2.0**-kept, s, "f32")), d)

    def normal(self, s, d="f32"):
        w = "f64" if d == "f64" else "f32"
        u = self.uniform(s, w)
        x = self.bi("subtract", self.bi("multiply", u, self.const(2, s, w)), self.const(1, s, w))
        x = self.bi("maximum", x, self.const(-1 + 2.0**-24, s, w))  # -1 is minus infinity
        return self.cast(self.bi("multiply", self.un("chlo.erf_inv", x), self.const(math.sqrt(2), s, w)), d)


def pairs_text(low, high):
    rows = ", ".join(f"[{lo}, {h}]" for lo, h in zip(low, high))
    return f"dense<[{rows}]> : tensor<{len(low)}x2xi64>" if low else "dense<0> : tensor<0x2xi64>"
