# SPDX-License-Identifier: Apache-2.0
"""programs.py - random StableHLO programs with shardings, as text.

A program is a function over random ops: `OPS` has one maker per op, which takes values that exist (or asks for new
arguments) and appends one line. Everything follows from a seed.
"""
import random

DIMS = [1, 2, 3, 4, 6, 8, 8, 16, 16]


class Value:
    def __init__(self, name, shape, elem):
        self.name, self.shape, self.elem = name, tuple(shape), elem

    @property
    def type(self):
        return tensor(self.shape, self.elem)


def tensor(shape, elem="f32"):
    return "tensor<" + "".join(f"{d}x" for d in shape) + elem + ">"


def ints(values):
    return "array<i64" + (": " + ", ".join(map(str, values)) if values else "") + ">"


class Program:
    """One function under construction: arguments, lines, values that may be used."""

    def __init__(self, rng):
        self.rng, self.args, self.lines, self.values, self.n = rng, [], [], [], 0
        self.shardable = []  # lines that may carry a sharding: (index, values)
        self.private = []    # other functions, as text

    def arg(self, shape, elem="f32"):
        v = Value(f"%arg{len(self.args)}", shape, elem)
        self.args.append(v)
        return v

    def shape(self, rank=None, low=0, high=3):
        rank = self.rng.randint(low, high) if rank is None else rank
        return tuple(self.rng.choice(DIMS) for _ in range(rank))

    def take(self, shape, elem="f32"):
        """A value of this type: one that exists, or a new argument."""
        fits = [v for v in self.values + self.args if v.shape == tuple(shape) and v.elem == elem]
        if fits and self.rng.random() < 0.7:
            return self.rng.choice(fits)
        return self.arg(shape, elem)

    def any(self, low=0, high=3, elem="f32"):
        fits = [v for v in self.values if low <= len(v.shape) <= high and v.elem == elem]
        if fits and self.rng.random() < 0.75:
            return self.rng.choice(fits[-4:])
        return self.take(self.shape(None, low, high), elem)

    def fresh(self):
        self.n += 1
        return f"%v{self.n}"

    def emit(self, text, results, sharded=True, place=None):
        """text has RESULT for the results' names and SHARD where an attribute may stand."""
        names = self.fresh()
        values = [Value(names if len(results) == 1 else f"{names}#{i}", s, e) for i, (s, e) in enumerate(results)]
        head = "" if not results else names + (f":{len(results)}" if len(results) > 1 else "") + " = "
        if sharded and results:
            self.shardable.append((len(self.lines), values))
        self.lines.append(head + text)
        self.values += values
        return values

    def pretty(self, op, operands, result, tail=""):
        """op a, b {attrs} : (types) -> type"""
        return self.emit(f"stablehlo.{op} {', '.join(v.name for v in operands)}{tail}SHARD : "
                         f"({', '.join(v.type for v in operands)}) -> {tensor(*result)}", [result])[0]

    def generic(self, op, operands, results, props="", regions="", sharded=True):
        return self.emit(f'"stablehlo.{op}"({", ".join(v.name for v in operands)})'
                         + (f" <{{{props}}}>" if props else "") + (f" ({regions})" if regions else "") + "DICT : ("
                         + ", ".join(v.type for v in operands) + ") -> "
                         + ("(" + ", ".join(tensor(*r) for r in results) + ")"), results, sharded)


# ---- One maker an op -------------------------------------------------------------------------------------------------

OPS = {}


def op(name):
    def add(f):
        OPS[name] = f
        return f
    return add


def body(kind, elem, args=2):
    t = tensor((), elem)
    return (f"{{\n^bb0(%x: {t}, %y: {t}):\n  %r = stablehlo.{kind} %x, %y : {t}\n  stablehlo.return %r : {t}\n}}")


def unary(name, elem="f32", to=None):
    def make(p):
        a = p.any(elem=elem)
        p.pretty(name, [a], (a.shape, to or elem)) if to else \
            p.emit(f"stablehlo.{name} {a.name}SHARD : {a.type}", [(a.shape, elem)])
    OPS[name] = make


def binary(name, elem="f32"):
    def make(p):
        a = p.any(elem=elem)
        b = p.take(a.shape, elem)
        p.emit(f"stablehlo.{name} {a.name}, {b.name}SHARD : {a.type}", [(a.shape, elem)])
    OPS[name] = make


for _name in ("abs cbrt ceil cosine exponential exponential_minus_one floor log log_plus_one logistic negate rsqrt "
              "round_nearest_afz round_nearest_even sign sine sqrt tan tanh").split():
    unary(_name)
for _name in "not popcnt count_leading_zeros".split():
    unary(_name, "i32")
unary("convert", "f32", "i32")
unary("is_finite", "f32", "i1")
for _name in "add atan2 divide maximum minimum multiply power remainder subtract".split():
    binary(_name)
for _name in "and or xor shift_left shift_right_arithmetic shift_right_logical".split():
    binary(_name, "i32")


@op("real")
def _real(p):
    a = p.any(elem="complex<f32>")
    p.emit(f"stablehlo.real {a.name}SHARD : ({a.type}) -> {tensor(a.shape)}", [(a.shape, "f32")])


@op("imag")
def _imag(p):
    a = p.any(elem="complex<f32>")
    p.emit(f"stablehlo.imag {a.name}SHARD : ({a.type}) -> {tensor(a.shape)}", [(a.shape, "f32")])


@op("complex")
def _complex(p):
    a = p.any()
    b = p.take(a.shape)
    p.emit(f"stablehlo.complex {a.name}, {b.name}SHARD : {tensor(a.shape, 'complex<f32>')}",
           [(a.shape, "complex<f32>")])


@op("compare")
def _compare(p):
    a = p.any()
    b = p.take(a.shape)
    p.emit(f"stablehlo.compare LT, {a.name}, {b.name}SHARD : ({a.type}, {b.type}) -> {tensor(a.shape, 'i1')}",
           [(a.shape, "i1")])


@op("reduce_precision")
def _reduce_precision(p):
    a = p.any()
    p.emit(f"stablehlo.reduce_precision {a.name}, format = e5m2SHARD : {a.type}", [(a.shape, "f32")])


@op("select")
def _select(p):
    a = p.any()
    b = p.take(a.shape)
    c = p.take(a.shape if p.rng.random() < 0.6 else (), "i1")
    p.emit(f"stablehlo.select {c.name}, {a.name}, {b.name}SHARD : {c.type}, {a.type}", [(a.shape, "f32")])


@op("clamp")
def _clamp(p):
    a = p.any()
    low, high = (p.take(a.shape if p.rng.random() < 0.5 else ()) for _ in range(2))
    if low.shape != high.shape:
        high = p.take(low.shape)
    p.emit(f"stablehlo.clamp {low.name}, {a.name}, {high.name}SHARD : ({low.type}, {a.type}, {high.type}) -> {a.type}",
           [(a.shape, "f32")])


@op("bitcast_convert")
def _bitcast_convert(p):
    kind = p.rng.randrange(3)
    if kind == 0:
        a = p.any()
        to = (a.shape, "i32")
    elif kind == 1:
        a = p.any()
        to = (a.shape + (2,), "i16")
    else:
        a = p.take(p.shape() + (2,), "i16")
        to = (a.shape[:-1], "f32")
    p.pretty("bitcast_convert", [a], to)


@op("transpose")
def _transpose(p):
    a = p.any(1)
    perm = list(range(len(a.shape)))
    p.rng.shuffle(perm)
    p.pretty("transpose", [a], ([a.shape[i] for i in perm], "f32"), f", dims = {perm}")


@op("reshape")
def _reshape(p):
    a = p.any(0, 3)
    n = 1
    for d in a.shape:
        n *= d
    to = []
    while n > 1 and len(to) < 3:
        d = p.rng.choice([k for k in range(1, n + 1) if n % k == 0])
        to.append(d)
        n //= d
    if n > 1:
        to.append(n)
    if p.rng.random() < 0.3:
        to.insert(p.rng.randint(0, len(to)), 1)
    p.pretty("reshape", [a], (to, "f32"))


@op("broadcast_in_dim")
def _broadcast_in_dim(p):
    rank = p.rng.randint(0, 3)
    to = p.shape(rank)
    dims = sorted(p.rng.sample(range(rank), p.rng.randint(0, rank)))
    a = p.take([to[d] if p.rng.random() < 0.7 else 1 for d in dims])
    p.pretty("broadcast_in_dim", [a], (to, "f32"), f", dims = {dims}")


@op("concatenate")
def _concatenate(p):
    a = p.any(1)
    d = p.rng.randrange(len(a.shape))
    parts = [a]
    for _ in range(p.rng.randint(0, 2)):
        shape = list(a.shape)
        shape[d] = p.rng.choice([a.shape[d], p.rng.choice(DIMS)])
        parts.append(p.take(shape))
    to = list(a.shape)
    to[d] = sum(v.shape[d] for v in parts)
    p.pretty("concatenate", parts, (to, "f32"), f", dim = {d}")


@op("pad")
def _pad(p):
    a = p.any(1)
    z = p.take(())
    low = [p.rng.choice([0, 0, 1, 2]) for _ in a.shape]
    high = [p.rng.choice([0, 0, 1, 2]) for _ in a.shape]
    inner = [p.rng.choice([0, 0, 0, 1]) for _ in a.shape]
    to = [max(l + h + d + (d - 1) * i, 0) for l, h, i, d in zip(low, high, inner, a.shape)]
    p.pretty("pad", [a, z], (to, "f32"), f", low = {low}, high = {high}, interior = {inner}")


@op("slice")
def _slice(p):
    a = p.any(1)
    parts, to = [], []
    for d in a.shape:
        lo = p.rng.choice([0, 0, p.rng.randrange(d)])
        hi = p.rng.choice([d, d, p.rng.randint(lo + 1, d)])
        s = p.rng.choice([1, 1, 2])
        parts.append(f"{lo}:{hi}" + (f":{s}" if s > 1 else ""))
        to.append((hi - lo + s - 1) // s)
    p.emit(f"stablehlo.slice {a.name} [{', '.join(parts)}]SHARD : ({a.type}) -> {tensor(to)}", [(to, "f32")])


@op("reverse")
def _reverse(p):
    a = p.any(1)
    dims = sorted(p.rng.sample(range(len(a.shape)), p.rng.randint(1, len(a.shape))))
    p.emit(f"stablehlo.reverse {a.name}, dims = {dims}SHARD : {a.type}", [(a.shape, "f32")])


@op("dynamic_slice")
def _dynamic_slice(p):
    a = p.any(1)
    at = [p.take((), "i32") for _ in a.shape]
    to = [p.rng.choice([d, p.rng.randint(1, d)]) for d in a.shape]
    p.pretty("dynamic_slice", [a] + at, (to, "f32"), f", sizes = {to}")


@op("dynamic_update_slice")
def _dynamic_update_slice(p):
    a = p.any(1)
    u = p.take([p.rng.choice([d, p.rng.randint(1, d)]) for d in a.shape])
    if p.rng.random() < 0.3:
        at = [p.emit("stablehlo.constant dense<0> : tensor<i32>", [((), "i32")], False)[0] for _ in a.shape]
    else:
        at = [p.take((), "i32") for _ in a.shape]
    p.pretty("dynamic_update_slice", [a, u] + at, (a.shape, "f32"))


@op("dot_general")
def _dot_general(p):
    a = p.any(1)
    dims = list(range(len(a.shape)))
    p.rng.shuffle(dims)
    nb = p.rng.randint(0, min(1, len(dims)))
    nc = p.rng.randint(0, len(dims) - nb)
    batch, con = dims[:nb], dims[nb:nb + nc]
    free = list(p.shape(None, 0, 1))
    order = [("b", a.shape[d], d) for d in batch] + [("c", a.shape[d], d) for d in con] + [("f", d, None) for d in free]
    p.rng.shuffle(order)
    b = p.take([o[1] for o in order])
    rb = [next(i for i, o in enumerate(order) if o[0] == "b" and o[2] == d) for d in batch]
    rc = [next(i for i, o in enumerate(order) if o[0] == "c" and o[2] == d) for d in con]
    to = [a.shape[d] for d in batch] + [a.shape[d] for d in range(len(a.shape)) if d not in batch + con] + free
    tail = (f", batching_dims = {batch} x {rb}" if batch else "") + f", contracting_dims = {con} x {rc}"
    p.pretty("dot_general", [a, b], (to, "f32"), tail)


@op("dot")
def _dot(p):
    a = p.any(1, 2)
    b = p.take([a.shape[-1]] + list(p.shape(None, 0, 1)))
    p.pretty("dot", [a, b], (list(a.shape[:-1]) + list(b.shape[1:]), "f32"))


@op("reduce")
def _reduce(p):
    a = p.any(1)
    z = p.take(())
    dims = sorted(p.rng.sample(range(len(a.shape)), p.rng.randint(1, len(a.shape))))
    to = [d for i, d in enumerate(a.shape) if i not in dims]
    kind = p.rng.choice(["add", "maximum", "multiply"])
    p.emit(f"stablehlo.reduce({a.name} init: {z.name}) applies stablehlo.{kind} across dimensions = {dims}SHARD : "
           f"({a.type}, tensor<f32>) -> {tensor(to)}", [(to, "f32")])


@op("cholesky")
def _cholesky(p):
    n = p.rng.choice(DIMS)
    a = p.take(list(p.shape(None, 0, 1)) + [n, n])
    p.emit(f"stablehlo.cholesky {a.name}, lower = trueSHARD : {a.type}", [(a.shape, "f32")])


@op("triangular_solve")
def _triangular_solve(p):
    batch, n, k = list(p.shape(None, 0, 1)), p.rng.choice(DIMS), p.rng.choice(DIMS)
    left = p.rng.random() < 0.5
    a, b = p.take(batch + [n, n]), p.take(batch + ([n, k] if left else [k, n]))
    p.generic("triangular_solve", [a, b], [(b.shape, "f32")],
              f"left_side = {str(left).lower()}, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, "
              "unit_diagonal = false")


@op("sort")
def _sort(p):
    a = p.any(1)
    more = [p.take(a.shape) for _ in range(p.rng.randint(0, 1))]
    d = p.rng.randrange(len(a.shape))
    names = ", ".join(f"%x{i}: tensor<f32>, %y{i}: tensor<f32>" for i in range(1 + len(more)))
    region = (f"{{\n^bb0({names}):\n  %r = stablehlo.compare LT, %x0, %y0 : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
              "  stablehlo.return %r : tensor<i1>\n}")
    p.generic("sort", [a] + more, [(a.shape, "f32")] * (1 + len(more)), f"dimension = {d} : i64, is_stable = true",
              region)


@op("fft")
def _fft(p):
    a = p.any(1, 3, "complex<f32>")
    k = p.rng.randint(1, min(len(a.shape), 2))
    p.pretty("fft", [a], (a.shape, "complex<f32>"),
             f", type = FFT, length = {list(a.shape[-k:])}")


@op("batch_norm_inference")
def _batch_norm_inference(p):
    a = p.any(1)
    d = p.rng.randrange(len(a.shape))
    rest = [p.take([a.shape[d]]) for _ in range(4)]
    p.generic("batch_norm_inference", [a] + rest, [(a.shape, "f32")],
              f"epsilon = 1.0e-3 : f32, feature_index = {d} : i64")


@op("gather")
def _gather(p):
    rank = p.rng.randint(1, 3)
    a = p.take(p.shape(rank))
    nindexed = p.rng.randint(1, rank)
    indexed = sorted(p.rng.sample(range(rank), nindexed))
    collapsed = [d for d in indexed if p.rng.random() < 0.6]
    sizes = [1 if d in collapsed else p.rng.choice([a.shape[d], p.rng.randint(1, a.shape[d])]) if d in indexed
             else p.rng.choice([a.shape[d], a.shape[d], p.rng.randint(1, a.shape[d])]) for d in range(rank)]
    batch = list(p.shape(None, 0, 1))
    ivd = p.rng.randint(0, len(batch))
    i = p.take(batch[:ivd] + [nindexed] + batch[ivd:], "i32")
    offset = [s for d, s in enumerate(sizes) if d not in collapsed]
    total = len(batch) + len(offset)
    at = sorted(p.rng.sample(range(total), len(offset)))
    to, bi, oi = [], 0, 0
    for k in range(total):
        if k in at:
            to.append(offset[oi])
            oi += 1
        else:
            to.append(batch[bi])
            bi += 1
    parts = ([f"offset_dims = {at}"] if at else []) + ([f"collapsed_slice_dims = {collapsed}"] if collapsed else []) + \
        [f"start_index_map = {indexed}", f"index_vector_dim = {ivd}"]
    p.generic("gather", [a, i], [(to, "f32")],
              f"dimension_numbers = #stablehlo.gather<{', '.join(parts)}>, indices_are_sorted = false, "
              f"slice_sizes = {ints(sizes)}")


@op("scatter")
def _scatter(p):
    rank = p.rng.randint(1, 3)
    a = p.take(p.shape(rank))
    nindexed = p.rng.randint(1, rank)
    indexed = sorted(p.rng.sample(range(rank), nindexed))
    inserted = [d for d in indexed if p.rng.random() < 0.6]
    window = [p.rng.choice([a.shape[d], p.rng.randint(1, a.shape[d])]) if d in indexed else a.shape[d]
              for d in range(rank) if d not in inserted]
    batch = list(p.shape(None, 0, 1))
    ivd = p.rng.randint(0, len(batch))
    i = p.take(batch[:ivd] + [nindexed] + batch[ivd:], "i32")
    total = len(batch) + len(window)
    at = sorted(p.rng.sample(range(total), len(window)))
    to, bi, wi = [], 0, 0
    for k in range(total):
        if k in at:
            to.append(window[wi])
            wi += 1
        else:
            to.append(batch[bi])
            bi += 1
    u = p.take(to)
    parts = ([f"update_window_dims = {at}"] if at else []) + ([f"inserted_window_dims = {inserted}"] if inserted else []) + \
        [f"scatter_dims_to_operand_dims = {indexed}", f"index_vector_dim = {ivd}"]
    kind = p.rng.choice(["add", "subtract"])
    p.generic("scatter", [a, i, u], [(a.shape, "f32")],
              f"indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<{', '.join(parts)}>, "
              "unique_indices = false", body(kind, "f32"))


@op("reduce_window")
def _reduce_window(p):
    a = p.any(1)
    z = p.take(())
    size = [p.rng.randint(1, d) for d in a.shape]
    stride = [p.rng.choice([1, 1, 2]) for _ in a.shape]
    pad = [(p.rng.choice([0, 0, 1]), p.rng.choice([0, 0, 1])) for _ in a.shape]
    to = [(d + l + h - s) // k + 1 for d, s, k, (l, h) in zip(a.shape, size, stride, pad)]
    text = ", ".join(f"[{l}, {h}]" for l, h in pad)
    p.generic("reduce_window", [a, z], [(to, "f32")],
              f"padding = dense<[{text}]> : tensor<{len(pad)}x2xi64>, window_dimensions = {ints(size)}, "
              f"window_strides = {ints(stride)}", body("add", "f32"))


@op("select_and_scatter")
def _select_and_scatter(p):
    a = p.any(1)
    size = [p.rng.randint(1, d) for d in a.shape]
    to = [(d - s) // s + 1 for d, s in zip(a.shape, size)]
    u = p.take(to)
    z = p.take(())
    ge = ("{\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n  %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) "
          "-> tensor<i1>\n  stablehlo.return %r : tensor<i1>\n}")
    p.generic("select_and_scatter", [a, u, z], [(a.shape, "f32")],
              f"window_dimensions = {ints(size)}, window_strides = {ints(size)}", ge + ", " + body("add", "f32"))


@op("convolution")
def _convolution(p):
    n, ci, co = (p.rng.choice([2, 4, 8]) for _ in range(3))
    groups = p.rng.choice([1, 1, 2])
    batch_groups = p.rng.choice([1, 1, 2]) if groups == 1 else 1
    h, w = p.rng.choice([4, 8, 16]), p.rng.choice([4, 8])
    kh, kw = p.rng.choice([1, 3]), p.rng.choice([1, 2, 3])
    a, k = p.take([n, h, w, ci]), p.take([kh, kw, ci // groups, co])
    ph, pw = p.rng.choice([0, 1]), p.rng.choice([0, 1])
    s = p.rng.choice([1, 1, 2])
    to = [n // batch_groups, (h + 2 * ph - kh) // s + 1, (w + 2 * pw - kw) // s + 1, co]
    p.emit(f"stablehlo.convolution({a.name}, {k.name}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = "
           f"{{stride = [{s}, {s}], pad = [[{ph}, {ph}], [{pw}, {pw}]]}} {{batch_group_count = {batch_groups} : i64, "
           f"feature_group_count = {groups} : i64MORE}} : ({a.type}, {k.type}) -> {tensor(to)}", [(to, "f32")])


@op("rng_bit_generator")
def _rng_bit_generator(p):
    s = p.take([2], "ui64")
    to = p.shape(None, 0, 3)
    p.emit(f"stablehlo.rng_bit_generator {s.name}, algorithm = THREE_FRYSHARD : ({s.type}) -> ({s.type}, "
           f"{tensor(to, 'ui32')})", [((2,), "ui64"), (to, "ui32")])


@op("iota")
def _iota(p):
    to = p.shape(None, 1, 3)
    p.emit(f"stablehlo.iota dim = {p.rng.randrange(len(to))}SHARD : {tensor(to)}", [(to, "f32")])


@op("constant")
def _constant(p):
    to = p.shape()
    p.emit(f"stablehlo.constantSHARD dense<1.0> : {tensor(to)}", [(to, "f32")])


@op("all_gather")
def _all_gather(p):
    a = p.any(1)
    d = p.rng.randrange(len(a.shape))
    to = list(a.shape)
    to[d] *= 2
    p.generic("all_gather", [a], [(to, "f32")],
              f"all_gather_dim = {d} : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>")


@op("all_to_all")
def _all_to_all(p):
    a = p.take([4] + list(p.shape(None, 1, 2)))
    d = p.rng.randrange(len(a.shape))
    to = list(a.shape)
    to[0] //= 2
    to[d] *= 2
    p.generic("all_to_all", [a], [(to, "f32")],
              f"concat_dimension = {d} : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, "
              "split_count = 2 : i64, split_dimension = 0 : i64")


@op("all_reduce")
def _all_reduce(p):
    a = p.any()
    p.generic("all_reduce", [a], [(a.shape, "f32")], "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>",
              body("add", "f32"))


@op("reduce_scatter")
def _reduce_scatter(p):
    a = p.take([4] + list(p.shape(None, 0, 2)))
    to = [2] + list(a.shape[1:])
    p.generic("reduce_scatter", [a], [(to, "f32")],
              "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64", body("add", "f32"))


@op("collective_permute")
def _collective_permute(p):
    a = p.any()
    p.generic("collective_permute", [a], [(a.shape, "f32")], "source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>")


@op("collective_broadcast")
def _collective_broadcast(p):
    a = p.any()
    p.generic("collective_broadcast", [a], [(a.shape, "f32")], "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>")


@op("custom_call")
def _custom_call(p):
    a = p.any(2, 3)
    kind = p.rng.choice(["annotate_device_placement", "MoveToHost", "Cholesky", "tpu_custom_call"])
    if kind == "Cholesky":
        a = p.take(list(a.shape[:-2]) + [a.shape[-1]] * 2)
    p.emit(f"stablehlo.custom_call @{kind}({a.name})SHARD : ({a.type}) -> {a.type}", [(a.shape, "f32")])


@op("optimization_barrier")
def _optimization_barrier(p):
    a, b = p.any(), p.any()
    p.emit(f"stablehlo.optimization_barrierSHARD {a.name}, {b.name} : {a.type}, {b.type}",
           [(a.shape, "f32"), (b.shape, "f32")])


@op("while")
def _while(p):
    a, b = p.any(), p.any()
    i = p.take((), "i32")
    n = p.n
    p.emit(f"stablehlo.while(%i{n} = {i.name}, %a{n} = {a.name}, %b{n} = {b.name}) : tensor<i32>, {a.type}, {b.type}"
           f"LOOP cond {{\n  %c{n} = stablehlo.compare LT, %i{n}, %i{n} : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
           f"  stablehlo.return %c{n} : tensor<i1>\n}} do {{\n  %s{n} = stablehlo.sine %a{n} : {a.type}\n"
           f"  %t{n} = stablehlo.add %b{n}, %b{n} : {b.type}\n"
           f"  stablehlo.return %i{n}, %s{n}, %t{n} : tensor<i32>, {a.type}, {b.type}\n}}",
           [((), "i32"), (a.shape, "f32"), (b.shape, "f32")])


@op("case")
def _case(p):
    a = p.any()
    b = p.take(a.shape)
    i = p.take((), "i32")
    p.emit(f'"stablehlo.case"({i.name}) ({{\n  stablehlo.return {a.name} : {a.type}\n}}, {{\n  stablehlo.return {b.name} : '
           f"{a.type}\n}})DICT : (tensor<i32>) -> {a.type}", [(a.shape, "f32")])


@op("sharding_constraint")
def _sharding_constraint(p):
    a = p.any()
    p.emit(f"sdy.sharding_constraint {a.name} CONSTRAINT : {a.type}", [(a.shape, "f32")], False)


@op("sharding_group")
def _sharding_group(p):
    a = p.any()
    b = p.take(a.shape)
    g = p.rng.randint(0, 3) * 100 + len(p.lines)
    p.emit(f"sdy.sharding_group {a.name} group_id={g} : {a.type}", [], False)
    if b is not a:
        p.emit(f"sdy.sharding_group {b.name} group_id={g} : {a.type}", [], False)


@op("propagation_barrier")
def _propagation_barrier(p):
    a = p.any()
    p.emit(f"sdy.propagation_barrier {a.name} allowed_direction={p.rng.choice(['NONE', 'FORWARD', 'BACKWARD'])} : {a.type}",
           [(a.shape, "f32")], False)


@op("call")
def _call(p):
    a = p.any()
    name = f"f{len(p.private)}"
    p.private.append(f"func.func private @{name}(%arg0: {a.type}) -> {a.type} {{\n  %0 = stablehlo.negate %arg0 : {a.type}\n"
                     f"  %1 = stablehlo.add %0, %arg0 : {a.type}\n  return %1 : {a.type}\n}}")
    p.emit(f"func.call @{name}({a.name})SHARD : ({a.type}) -> {a.type}", [(a.shape, "f32")])
    if p.rng.random() < 0.5:
        b = p.take(a.shape)
        p.emit(f"func.call @{name}({b.name})SHARD : ({a.type}) -> {a.type}", [(a.shape, "f32")])


@op("manual_computation")
def _manual_computation(p):
    a = p.any()
    n = p.n
    p.emit(f"sdy.manual_computation({a.name}) in_shardings=[MANUAL] out_shardings=[MANUAL] manual_axes={{}} "
           f"(%m{n}: {a.type}) {{\n  %n{n} = stablehlo.exponential %m{n} : {a.type}\n  sdy.return %n{n} : {a.type}\n}} : "
           f"({a.type}) -> {a.type}", [(a.shape, "f32")], False)


# ---- Shardings -------------------------------------------------------------------------------------------------------

SITUATIONS = ["arguments", "results", "inside", "conflict", "two axes", "sub-axis", "closed", "replicated", "priority",
              "uneven"]


class Mesh:
    def __init__(self, rng):
        names = ["x", "y", "z"][:rng.randint(1, 3)]
        self.axes = [(n, rng.choice([2, 2, 4, 4, 8, 3])) for n in names]

    @property
    def text(self):
        return "<[" + ", ".join(f'"{n}"={s}' for n, s in self.axes) + "]>"


def sharding(rng, mesh, shape, situation, body=True):
    """A random sharding for a shape, with what the situation asks for."""
    left = []
    for name, size in mesh.axes:
        split = situation == "sub-axis" or rng.random() < 0.1
        if split and size % 2 == 0 and size > 2:
            left.append((f'"{name}":(1)2', 2))
            left.append((f'"{name}":(2){size // 2}', size // 2))
        else:
            left.append((f'"{name}"', size))
    rng.shuffle(left)
    if situation == "sub-axis" and left and not any("(" in a for a, _ in left) and rng.random() < 0.9:
        pass
    dims, some = [], False
    uneven = situation == "uneven" or rng.random() < 0.05
    for d in shape:
        axes, parts = [], 1
        count = rng.choice([0, 1, 1]) if situation != "two axes" else rng.choice([1, 2, 2])
        while left and count:
            a, s = left[0]
            if d % (parts * s) and not uneven:
                break
            left.pop(0)
            # Neighbours that are parts of one axis would have to be written as one.
            if axes and axes[-1].split(":")[0] == a.split(":")[0]:
                continue
            axes.append(a)
            parts *= s
            count -= 1
        some |= bool(axes)
        closed = situation == "closed" or rng.random() < 0.15
        priority = f"p{rng.randint(0, 2)}" if (situation == "priority" or rng.random() < 0.05) and (axes or not closed) \
            else ""
        dims.append("{" + ", ".join(axes + ([] if closed else ["?"])) + "}" + priority)
    extra = ""
    order = [n for n, _ in mesh.axes]
    if left and (situation == "replicated" or rng.random() < 0.05):
        whole = [a for a, _ in left if ":" not in a]
        if whole:
            extra = f", replicated={{{rng.choice(whole)}}}"
    return f"<@mesh, [{', '.join(dims)}]{extra}>"


def situate(p, rng, situation):
    """Fills in shardings; returns the module's text."""
    mesh = Mesh(rng)
    chance = {"arguments": (0.9, 0.0, 0.0), "results": (0.1, 0.0, 0.9), "inside": (0.1, 0.7, 0.0),
              "conflict": (0.9, 0.5, 0.9)}.get(situation, (0.7, 0.2, 0.3))

    def attr(values):
        if rng.random() >= chance[1]:
            return None
        parts = ", ".join(sharding(rng, mesh, v.shape, situation) for v in values)
        return f"sdy.sharding = #sdy.sharding_per_value<[{parts}]>"

    shardable = dict(p.shardable)
    lines = []
    for i, line in enumerate(p.lines):
        a = attr(shardable[i]) if i in shardable else None
        line = line.replace("SHARD", f" {{{a}}}" if a else "").replace("DICT", f" {{{a}}}" if a else "")
        line = line.replace("LOOP", f" attributes {{{a}}}" if a else "").replace("MORE", f", {a}" if a else "")
        while "CONSTRAINT" in line:
            v = next(v for v in p.values if line.startswith(v.name + " "))
            line = line.replace("CONSTRAINT", sharding(rng, mesh, v.shape, situation), 1)
        while "MANUAL" in line:
            v = next(v for v in p.values if line.startswith(v.name + " "))
            line = line.replace("MANUAL", sharding(rng, mesh, v.shape, situation).replace("p0", "").replace(
                "p1", "").replace("p2", ""), 1)
        lines.append(line)
    used = p.values or p.args
    results = used[-3:]
    for v in rng.sample(used, min(len(used), 2)):
        if v not in results:
            results.append(v)

    def typed(v, c):
        if rng.random() < c:
            return f"{v.type} {{sdy.sharding = #sdy.sharding{sharding(rng, mesh, v.shape, situation)}}}"
        return v.type
    args = ", ".join(f"{v.name}: {typed(v, chance[0])}" for v in p.args)
    outs = ", ".join(typed(v, chance[2]) for v in results)
    text = [f"sdy.mesh @mesh = {mesh.text}", f"func.func @main({args}) -> ({outs}) {{"]
    text += ["  " + line.replace("\n", "\n  ") for line in lines]
    text += [f"  return {', '.join(v.name for v in results)} : {', '.join(v.type for v in results)}", "}"]
    return "\n".join(text + p.private) + "\n"


def program(seed, first=None, situation=None, length=None):
    """The text of program number seed, which has op `first` in it; and the names of all its ops."""
    rng = random.Random(seed)
    p = Program(rng)
    names = list(OPS)
    count = rng.randint(1, 8) if length is None else length
    picks = [rng.choice(names) for _ in range(count)]
    if first:
        picks[rng.randrange(len(picks))] = first
    for name in picks:
        OPS[name](p)
    return situate(p, rng, situation or rng.choice(SITUATIONS)), picks
