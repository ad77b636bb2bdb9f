# SPDX-License-Identifier: Apache-2.0
"""One case for each op: how the builder makes it, random inputs, and what NumPy says of it."""

import math

import numpy as np


class Case:
    """build(b, *values) gives results, which are returned. want: what they are to be; None: the run is not compared, for a reason. devices: how many
    run it, each on the same inputs; want is then of the first. lower: as TTNN it gives the same numbers. types: those of inputs, where arrays do not
    say it. folder: a run writes files. idle: names of ops that the run does not come to. within: what random numbers are between, and not all the same."""

    def __init__(
        self, dialect, build, inputs, want, why="", devices=1, types=None, rtol=2e-5, functions=None, attributes=None, lower=True, folder=False, idle=(), within=None
    ):
        self.dialect, self.build, self.inputs, self.want, self.why = dialect, build, inputs, want, why
        self.lower, self.folder, self.idle, self.within = lower, folder, set(idle), within
        self.devices, self.types, self.rtol, self.functions, self.attributes = devices, types, rtol, functions, attributes or {}


class Random:
    """Arrays by seed."""

    def __init__(self, seed):
        self.numbers = np.random.default_rng(seed)

    def floats(self, *shape, least=-1.0, most=1.0):
        return self.numbers.uniform(least, most, shape).astype(np.float32)

    def positive(self, *shape):
        return self.floats(*shape, least=0.1, most=2.0)

    def ints(self, *shape, least=-8, most=9, dtype=np.int32):
        return self.numbers.integers(least, most, shape).astype(dtype)

    def bools(self, *shape):
        return self.numbers.integers(0, 2, shape).astype(bool)


def _erf(x):
    return np.vectorize(math.erf)(x).astype(np.float32)


def _logistic(x):
    return 1 / (1 + np.exp(-x))


def _normal(x, axes, epsilon=1e-5):
    mean = x.mean(axes, keepdims=True)
    return (x - mean) / np.sqrt(((x - mean) ** 2).mean(axes, keepdims=True) + epsilon)


def _softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def _conv(x, w, pad=0):
    """x: batch, rows, columns, features; w: rows, columns, features, outputs."""
    x = np.pad(x, ((0, 0), (pad, pad), (pad, pad), (0, 0)))
    rows, columns = x.shape[1] - w.shape[0] + 1, x.shape[2] - w.shape[1] + 1
    out = np.zeros((x.shape[0], rows, columns, w.shape[3]), np.float64)
    for i in range(rows):
        for k in range(columns):
            out[:, i, k] = np.tensordot(x[:, i : i + w.shape[0], k : k + w.shape[1]], w, 3)
    return out.astype(np.float32)


# ---- StableHLO ----


def stablehlo(r):
    def case(build, inputs, want, **options):
        return Case("stablehlo", build, inputs, want, **options)

    def method(name, inputs, want):
        return case(lambda b, *v: getattr(b, name)(*v), inputs, want)

    x, y, p = r.floats(2, 3), r.floats(2, 3), r.positive(2, 3)
    i, j, u = r.ints(2, 3), r.ints(2, 3), r.ints(2, 3, least=0, most=200, dtype=np.uint8)
    c, s = (x + 1j * y).astype(np.complex64), r.ints(2, 3, least=0, most=7)
    yield from (
        method(name, [a], f(a))
        for name, a, f in (
            ("abs", x, np.abs),
            ("cbrt", p, np.cbrt),
            ("ceil", 4 * x, np.ceil),
            ("cosine", x, np.cos),
            ("exponential", x, np.exp),
            ("exponential_minus_one", x, np.expm1),
            ("floor", 4 * x, np.floor),
            ("imag", c, np.imag),
            ("real", c, np.real),
            ("is_finite", np.where(x > 0, x, np.float32("inf")), np.isfinite),
            ("log", p, np.log),
            ("log_plus_one", p, np.log1p),
            ("logistic", x, _logistic),
            ("negate", x, np.negative),
            ("not", i, np.invert),
            ("popcnt", u, lambda a: np.vectorize(lambda v: bin(v).count("1"))(a).astype(np.uint8)),
            ("count_leading_zeros", u, lambda a: np.vectorize(lambda v: 8 - int(v).bit_length())(a).astype(np.uint8)),
            ("round_nearest_afz", 4 * x, lambda a: np.sign(a) * np.floor(np.abs(a) + np.float32(0.5))),
            ("round_nearest_even", 4 * x, np.round),
            ("rsqrt", p, lambda a: 1 / np.sqrt(a)),
            ("sign", x, np.sign),
            ("sine", x, np.sin),
            ("sqrt", p, np.sqrt),
            ("tan", x, np.tan),
            ("tanh", x, np.tanh),
            ("optimization_barrier", x, lambda a: a),
        )
        if name not in ("not", "optimization_barrier")
    )
    yield case(lambda b, v: b.not_(v), [i], ~i)
    yield case(lambda b, v: b.optimization_barrier([v]), [x], x)
    yield from (
        method(name, [a, d], f(a, d))
        for name, a, d, f in (
            ("add", x, y, np.add),
            ("subtract", x, y, np.subtract),
            ("multiply", x, y, np.multiply),
            ("divide", x, p, np.divide),
            ("maximum", x, y, np.maximum),
            ("minimum", x, y, np.minimum),
            ("atan2", x, y, np.arctan2),
            ("power", p, y, np.power),
            ("remainder", 5 * x, p, np.fmod),
            ("complex", x, y, lambda a, d: (a + 1j * d).astype(np.complex64)),
            ("shift_left", i, s, np.left_shift),
            ("shift_right_arithmetic", i, s, np.right_shift),
            ("shift_right_logical", i, s, lambda a, d: (a.view(np.uint32) >> d.astype(np.uint32)).view(np.int32)),
            ("xor", i, j, np.bitwise_xor),
        )
    )
    yield case(lambda b, v, w: b.and_(v, w), [i, j], i & j)
    yield case(lambda b, v, w: b.or_(v, w), [i, j], i | j)
    yield case(lambda b: b.constant(x), [], x)
    yield case(lambda b: b.iota(1, output_type=((2, 3), "i32")), [], np.arange(3, dtype=np.int32) + np.zeros((2, 1), np.int32))
    yield case(lambda b, v: b.convert(v, output_type=((2, 3), "i32")), [8 * x], (8 * x).astype(np.int32))
    yield case(lambda b, v, w: b.compare(v, w, "LT"), [x, y], x < y)
    yield case(lambda b, k, v, w: b.select(k, v, w), [x > 0, x, y], np.where(x > 0, x, y))
    yield case(lambda b, lo, v, hi: b.clamp(lo, v, hi), [-p, 3 * x, p], np.clip(3 * x, -p, p))
    yield case(lambda b, v: b.bitcast_convert(v, output_type=((2, 3), "i32")), [x], x.view(np.int32))
    yield case(lambda b, v: b.reduce_precision(v, exponent_bits=5, mantissa_bits=10), [x], x.astype(np.float16).astype(np.float32))
    # Shapes
    t = r.floats(2, 3, 4)
    yield case(lambda b, v: b.reshape(v, output_type=((4, 6), "f32")), [t], t.reshape(4, 6))
    yield case(lambda b, v: b.transpose(v, [2, 0, 1]), [t], t.transpose(2, 0, 1))
    yield case(lambda b, v: b.reverse(v, [0, 2]), [t], t[::-1, :, ::-1])
    yield case(lambda b, v: b.broadcast(v, [5, 2]), [x], np.broadcast_to(x, (5, 2, 2, 3)))
    yield case(lambda b, v: b.broadcast_in_dim(v, [2, 0], output_type=((3, 4, 2), "f32")), [x], np.broadcast_to(x.T[:, None], (3, 4, 2)))
    yield case(lambda b, v: b.slice(v, [0, 1, 0], [2, 3, 4], [1, 1, 2]), [t], t[:, 1:3, ::2])
    yield case(lambda b, v, w: b.concatenate([v, w], 1), [x, y], np.concatenate([x, y], 1))
    zero = np.float32(0.5)
    yield case(lambda b, v, z: b.pad(v, z, [1, 0], [0, 2], [0, 1]), [x, zero], _pad(x, 0.5))
    a0, a1 = np.int32(1), np.int32(0)
    yield case(lambda b, v, k, l: b.dynamic_slice(v, [k, l], [1, 2]), [x, a0, a1], x[1:2, 0:2])
    updated = x.copy()
    updated[1:2, 0:2] = y[:1, :2]
    yield case(lambda b, v, w, k, l: b.dynamic_update_slice(v, w, [k, l]), [x, y[:1, :2].copy(), a0, a1], updated)
    yield case(lambda b, v: b.get_dimension_size(v, 1), [x], np.int32(3))
    n = np.array([4, 6], np.int64)
    dynamic = {"output_type": "tensor<?x?xf32>"}
    yield case(lambda b, v, k: b.dynamic_reshape(v, k, **dynamic), [t, n], t.reshape(4, 6))
    yield case(lambda b, k: b.dynamic_iota(k, 1, output_type="tensor<?x?xi32>"), [n], np.arange(6, dtype=np.int32) + np.zeros((4, 1), np.int32))
    m = np.array([3, 4, 2], np.int64)
    yield case(
        lambda b, v, k: b.dynamic_broadcast_in_dim(v, k, [2, 0], output_type="tensor<?x?x?xf32>"), [x, m], np.broadcast_to(x.T[:, None], (3, 4, 2))
    )
    i2 = lambda *v: np.array(v, np.int64)  # noqa: E731
    yield case(lambda b, v, *k: b.real_dynamic_slice(v, *k, **dynamic), [x, i2(0, 1), i2(2, 3), i2(1, 1)], x[:, 1:])
    yield case(lambda b, v, z, *k: b.dynamic_pad(v, z, *k, **dynamic), [x, zero, i2(1, 0), i2(0, 2), i2(0, 1)], _pad(x, 0.5))
    bounded = "tensor<2x?xf32, #stablehlo.bounds<?, 3>>"
    yield case(lambda b, v, k: b.get_dimension_size(b.set_dimension_size(v, k, 1, output_type=bounded), 1), [x, np.int32(2)], np.int32(2))
    # Sums
    f0 = np.float32(0)
    add = lambda b: lambda v, w: b.add(v, w)  # noqa: E731
    yield case(lambda b, v, z: b.reduce([v], [z], [1], body=add(b)), [t, f0], t.sum(1))
    yield case(
        lambda b, v, z: b.reduce_window([v], [z], [1, 2], window_strides=[1, 1], body=add(b)), [x, f0], x[:, :2] + x[:, 1:]
    )
    scattered = np.zeros((2, 4), np.float32)
    source = r.floats(2, 2)
    w4 = r.floats(2, 4)
    for row in range(2):
        for col in range(2):
            part = w4[row, 2 * col : 2 * col + 2]
            scattered[row, 2 * col + int(part.argmax())] += source[row, col]
    yield case(
        lambda b, v, w, z: b.select_and_scatter(
            v, w, z, [1, 2], [1, 2], select=lambda k, l: b.compare(k, l, "GE"), scatter=add(b)
        ),
        [w4, source, f0],
        scattered,
    )
    order = np.sort(x, 1)
    yield case(lambda b, v: b.sort([v], dimension=1, comparator=lambda k, l: b.compare(k, l, "LT")), [x], order)
    yield case(lambda b, v, w: b.map([v, w], [0, 1], computation=lambda k, l: b.multiply(k, l)), [x, y], x * y)
    # Products
    a, d = r.floats(2, 3), r.floats(3, 4)
    dot = "<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"
    yield case(lambda b, v, w: b.dot_general(v, w, dot, output_type=((2, 4), "f32")), [a, d], a @ d)
    yield case(lambda b, v, w: b.dot(v, w, output_type=((2, 4), "f32")), [a, d], a @ d)
    yield case(lambda b, v, w: b.einsum(v, w, "ab,bc->ac", output_type=((2, 4), "f32")), [a, d], a @ d)
    yield case(lambda b, v: b.unary_einsum(v, "ab->ba", output_type=((3, 2), "f32")), [a], a.T)
    image, kernel = r.floats(1, 5, 6, 2), r.floats(3, 3, 2, 4)
    numbers = "<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>"
    yield case(
        lambda b, v, w: b.convolution(v, w, dimension_numbers=numbers, feature_group_count=1, batch_group_count=1, output_type=((1, 3, 4, 4), "f32")),
        [image, kernel],
        _conv(image, kernel),
    )
    yield case(
        lambda b, v, w, k: b.dynamic_conv(
            v, w, k, dimension_numbers=numbers, feature_group_count=1, batch_group_count=1, output_type=((1, 5, 6, 4), "f32")
        ),
        [image, kernel, np.ones((2, 2), np.int64)],
        _conv(image, kernel, 1),
    )
    square = r.floats(3, 3)
    positive = square @ square.T + 3 * np.eye(3, dtype=np.float32)
    lower = np.linalg.cholesky(positive)
    yield case(lambda b, v: b.cholesky(v, lower=True), [positive], lower)
    yield case(
        lambda b, v, w: b.triangular_solve(v, w, left_side=True, lower=True, unit_diagonal=False, transpose_a="NO_TRANSPOSE"),
        [lower, d],
        np.linalg.solve(lower, d),
    )
    signal = (r.floats(4) + 1j * r.floats(4)).astype(np.complex64)
    yield case(lambda b, v: b.fft(v, "FFT", [4]), [signal], np.fft.fft(signal).astype(np.complex64))
    # Indices
    table, at = r.floats(5, 4), r.ints(3, least=0, most=5)
    gather = "<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>"
    yield case(lambda b, v, k: b.gather(v, k, gather, [1, 4], output_type=((3, 4), "f32")), [table, at], table[at])
    yield case(
        lambda b, v, k, n: b.dynamic_gather(v, k, n, gather, output_type=((3, 4), "f32")), [table, at, np.array([1, 4], np.int32)], table[at]
    )
    yield case(lambda b, v, k: b.torch_index_select(v, k, 0, 0, output_type=((3, 4), "f32")), [table, at], table[at])
    added = table.copy()
    rows = r.floats(3, 4)
    np.add.at(added, at, rows)
    scatter = "<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>"
    yield case(lambda b, v, k, w: b.scatter([v], k, [w], scatter, update_computation=add(b)), [table, at, rows], added)
    # Batch norms
    scale, offset, mean, variance = r.positive(3), r.floats(3), r.floats(3), r.positive(3)
    norm = (x - mean) / np.sqrt(variance + 1e-5) * scale + offset
    yield case(lambda b, *v: b.batch_norm_inference(*v, epsilon=1e-5, feature_index=1), [x, scale, offset, mean, variance], norm.astype(np.float32))
    trained = [(_normal(x, 0) * scale + offset).astype(np.float32), x.mean(0), x.var(0)]
    yield case(lambda b, *v: b.batch_norm_training(*v, epsilon=1e-5, feature_index=1), [x, scale, offset], trained, rtol=1e-3)
    g = r.floats(2, 3)
    inverse = 1 / np.sqrt(x.var(0) + 1e-5)
    hat = (x - x.mean(0)) * inverse
    grads = [scale * inverse * (g - g.mean(0) - hat * (g * hat).mean(0)), (g * hat).sum(0), g.sum(0)]
    yield case(
        lambda b, *v: b.batch_norm_grad(*v, epsilon=1e-5, feature_index=1), [x, scale, x.mean(0), x.var(0), g], [q.astype(np.float32) for q in grads], rtol=2e-3
    )
    # Control
    yield case(lambda b, v, w: b.if_(v, true_branch=lambda: b.negate(w), false_branch=lambda: b.abs(w), output_type=[((2, 3), "f32")]), [np.bool_(True), x], -x)
    yield case(
        lambda b, k, v: b.case(k, branches=[lambda: b.negate(v), lambda: b.abs(v)], output_type=[((2, 3), "f32")]), [np.int32(1), x], np.abs(x)
    )
    yield case(
        lambda b, n, one: b.while_([n], cond=lambda k: b.compare(k, b.constant(np.int32(40)), "LT"), body=lambda k: b.add(k, k)),
        [np.int32(3), np.int32(1)],
        np.int32(48),
    )
    yield case(lambda b, v, w: b.get_tuple_element(b.tuple([v, w]), 1), [x, y], y)
    yield case(lambda b, v: (b.after_all([b.create_token()]), b.abs(v))[1], [x], np.abs(x))
    yield case(
        lambda b, v: b.composite([v], name="my.abs", decomposition="@inner", output_type=[((2, 3), "f32")]), [x], np.abs(x), functions={"inner": ([x], lambda b, v: b.abs(v))}
    )
    yield case(
        lambda b, v: b.custom_call([v], call_target_name="Sharding", output_type=[((2, 3), "f32")]), [x], x
    )
    # Random
    yield case(lambda b, lo, hi, k: b.rng(lo, hi, k, "UNIFORM", output_type=((2, 3), "f32")), [f0, np.float32(1), i2(2, 3)], None, why="random", within=(0, 1))
    yield case(
        lambda b, k: b.rng_bit_generator(k, "THREE_FRY", output_type=["tensor<2xui64>", "tensor<4xui32>"]), [np.array([1, 2], np.uint64)], None, why="random bits"
    )
    # Quantized
    quantized = "!quant.uniform<i8:f32, 0.25>"
    yield case(
        lambda b, v: b.uniform_dequantize(b.uniform_quantize(v, output_type=f"tensor<2x3x{quantized}>")), [x], np.clip(np.round(x / 0.25), -128, 127).astype(np.float32) * 0.25
    )
    # Devices
    groups = np.array([[0, 1]], np.int64)
    channel = "<handle = 1, type = 1>"
    pair = {"replica_groups": groups, "channel_handle": channel, "use_global_device_ids": True}

    def together(build, want, inputs=(x,)):
        return case(build, list(inputs), want, devices=2)

    yield together(lambda b, v: b.all_reduce([v], computation=add(b), **pair), 2 * x)
    yield together(lambda b, v: b.all_gather([v], all_gather_dim=0, **pair, output_type=[((4, 3), "f32")]), np.concatenate([x, x]))
    yield together(lambda b, v: b.reduce_scatter(v, scatter_dimension=0, computation=add(b), **pair, output_type=((1, 3), "f32")), 2 * x[:1])
    yield together(
        lambda b, v: b.all_to_all([v], split_dimension=0, concat_dimension=1, split_count=2, replica_groups=groups, channel_handle=channel, output_type=[((1, 6), "f32")]),
        np.concatenate([x[:1], x[:1]], 1),
    )
    yield together(lambda b, v: b.collective_permute(v, source_target_pairs=np.array([[0, 1], [1, 0]], np.int64), channel_handle=channel), x)
    yield together(lambda b, v: b.collective_broadcast(v, replica_groups=np.array([[1, 0]], np.int64), channel_handle=channel), x)
    yield together(lambda b, v: b.add(b.partition_id(), b.add(b.replica_id(), v)), np.uint32(7), [np.uint32(7)])
    yield together(lambda b, v: b.collective_reduce([v], computation=add(b), **pair), 2 * x)
    yield case(lambda b, v: b.cross_replica_sum(v, replica_groups=groups), [x], 2 * x, devices=2, attributes={"mhlo.num_replicas": "2 : i32", "mhlo.num_partitions": "1 : i32"})

    def later(b, v):
        body = lambda k: b.all_gather([k], all_gather_dim=0, **pair, output_type=[((4, 3), "f32")])  # noqa: E731
        return b.async_done(b.async_start([v], body=body, output_type="!stablehlo.future<tensor<4x3xf32>>"), output_type=((4, 3), "f32"))

    yield together(later, np.concatenate([x, x]))

    def exchange(b, v):
        both = {"channel_handle": channel, "is_host_transfer": False, "source_target_pairs": np.array([[0, 1], [1, 0]], np.int64)}
        sent = b.send([b.add(v, b.partition_id())], b.create_token(), **both)
        return b.recv(sent, **both, output_type=["tensor<ui32>", "!stablehlo.token"])[0]

    yield together(exchange, np.uint32(8), [np.uint32(7)])
    for name, build, why in (
        ("infeed", lambda b: b.infeed(b.create_token(), output_type=[((2,), "f32"), "!stablehlo.token"])[0], "nobody feeds it here"),
        ("outfeed", lambda b, v: (b.outfeed([v], b.create_token()), v)[1], "it gives nothing"),
    ):
        yield case(build, [x] if name == "outfeed" else [], None, why=why)


def _pad(x, value):
    """By [1, 0] before, [0, 2] behind, [0, 1] between."""
    out = np.full((3, 7), value, np.float32)
    out[1:, 0:5:2] = x
    return out


# ---- Graph IR ----


def graph(r):
    def case(build, inputs, want, **options):
        return Case("tessera", build, inputs, want, **options)

    x, y, p = r.floats(2, 3), r.floats(2, 3), r.positive(2, 3)
    yield from (
        case(lambda b, *v, name=name: getattr(b, name)(*v), [a], f(a))
        for name, a, f in (
            ("neg", x, np.negative),
            ("abs", x, np.abs),
            ("relu", x, lambda a: np.maximum(a, 0)),
            ("exp", x, np.exp),
            ("log", p, np.log),
            ("sqrt", p, np.sqrt),
            ("rsqrt", p, lambda a: 1 / np.sqrt(a)),
            ("tanh", x, np.tanh),
            ("sigmoid", x, _logistic),
            ("silu", x, lambda a: a * _logistic(a)),
        )
    )
    yield from (
        case(lambda b, *v, name=name: getattr(b, name)(*v), [a, d], f(a, d))
        for name, a, d, f in (
            ("add", x, y, np.add),
            ("sub", x, y, np.subtract),
            ("mul", x, y, np.multiply),
            ("div", x, p, np.divide),
            ("max", x, y, np.maximum),
            ("min", x, y, np.minimum),
            ("pow", p, y, np.power),
        )
    )
    gelu = (x * (1 + _erf(x / np.float32(np.sqrt(2)))) / 2).astype(np.float32)
    yield case(lambda b, v: b.gelu(v), [x], gelu)
    yield case(lambda b, v: b.cast(v, output_type=((2, 3), "i32")), [8 * x], (8 * x).astype(np.int32))
    yield case(lambda b: b.constant(x), [], x)
    yield case(lambda b, v: b.reshape(v, output_type=((3, 2), "f32")), [x], x.reshape(3, 2))
    yield case(lambda b, v: b.transpose(v, [1, 0]), [x], x.T)
    yield case(lambda b, v: b.broadcast(v, output_type=((4, 2, 3), "f32")), [x], np.broadcast_to(x, (4, 2, 3)))
    yield case(lambda b, v: b.reduce(v, "mean", [1], True), [x], x.mean(1, keepdims=True))
    a, d = r.floats(2, 3), r.floats(3, 4)
    yield case(lambda b, v, w: b.matmul(v, w), [a, d], a @ d)
    yield case(lambda b, v: b.softmax(v, -1), [x], _softmax(x, -1))
    w, z = r.positive(3), r.floats(3)
    yield case(lambda b, *v: b.layer_norm(list(v), 1e-5), [x, w, z], (_normal(x, 1) * w + z).astype(np.float32), rtol=1e-4)
    yield case(lambda b, *v: b.rms_norm(list(v), 1e-5), [x, w], x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-5) * w)
    q, k, v4 = r.floats(2, 5, 4), r.floats(2, 6, 4), r.floats(2, 6, 4)
    yield case(lambda b, *v: b.flash_attention(list(v)), [q, k, v4], _softmax(q @ k.transpose(0, 2, 1) / 2, -1) @ v4, rtol=1e-4)
    h, cosine, sine = r.floats(2, 6, 8), r.floats(6, 4), r.floats(6, 4)
    turned = np.concatenate([h[..., :4] * cosine - h[..., 4:] * sine, h[..., 4:] * cosine + h[..., :4] * sine], -1)
    yield case(lambda b, *v: b.rotary(*v), [h, cosine, sine], turned)
    table, at = r.floats(5, 4), r.ints(3, least=0, most=5)
    yield case(lambda b, *v: b.embedding(*v), [table, at], table[at])

    def state(b):
        b.at_end(b.module.body)
        b.state("s", np.float32(2.5))
        b.at_end(b.module["main"].body)
        token = b.state_update([b.constant(np.float32(4.0))], "s", output_type=["!tessera.effect_token"])
        after = b.effect_dependency([token], output_type="!tessera.effect_token")
        return b.state_read([after], "s", output_type=["tensor<f32>"])

    yield case(state, [], np.float32(4.0))
    key = np.array([7, 0], np.uint64)
    yield case(lambda b, v: b.random([v], output_type=["tensor<4xf32>", "tensor<2xui64>"])[0], [key], None, why="random", within=(0, 1))

    # Devices
    def collective(name, want, given=(x,), **attributes):
        return case(lambda b, *v: getattr(b, name)(list(v), **attributes), list(given), want, devices=2)

    both, pairs = np.array([[0, 1]], np.int64), {"output_type": [((2, 3), "f32")]}
    yield collective("nccl_allreduce", 2 * x, devices=both, **pairs)
    yield collective("nccl_all_gather", np.concatenate([x, x]), devices=both, output_type=[((4, 3), "f32")])
    yield collective("nccl_reduce_scatter", 2 * x[:1], devices=both, output_type=[((1, 3), "f32")])
    yield collective("nccl_all_to_all", np.concatenate([x[:1], x[:1]], 1), devices=both, to_dim=1, output_type=[((1, 6), "f32")])
    on_mesh = {"mesh": "@mesh", "group": "x"}

    def meshed(build, want):
        def with_mesh(b, *v):
            b.before(b.module.body.ops[0])
            b.mesh("mesh", '<["x"=2]>')
            b.at_end(b.module["main"].body)
            return build(b, *v)

        return case(with_mesh, [x], want, devices=2)

    yield meshed(lambda b, v: b.allreduce([v], **on_mesh, **pairs), 2 * x)
    yield meshed(lambda b, v: b.all_gather([v], **on_mesh, output_type=[((4, 3), "f32")]), np.concatenate([x, x]))
    yield meshed(lambda b, v: b.reduce_scatter([v], **on_mesh, output_type=[((1, 3), "f32")]), 2 * x[:1])
    yield meshed(lambda b, v: b.collective([v], "broadcast", **on_mesh, **pairs), x)

    def placed(b, v):
        b.before(b.module.body.ops[0])
        b.mesh("mesh", '<["x"=2]>')
        b.at_end(b.module["main"].body)
        return b.replicate(b.shard(v, '<@mesh, [{"x"}, {}]>'), "@mesh")

    yield case(placed, [x], x)
    # Derivatives
    square = {"f": ([x], lambda b, v: b.mul(v, v))}
    one = ((2, 3), "f32")
    yield case(lambda b, v, t: b.forward([v, t], "@f", output_type=[one, one]), [x, y], [x * x, 2 * x * y], functions=square)
    yield case(lambda b, v, t: b.reverse([v, t], "@f", output_type=[one, one]), [x, y], [x * x, 2 * x * y], functions=square)
    yield case(lambda b, v, t: b.vjp([v, t], "@f", output_type=[one]), [x, y], 2 * x * y, functions=square)

    def fused(b, v, u):
        body = b.region([v.type, u.type], lambda k, l: b.op("tessera.yield", [b.tanh(b.add(k, l))]) and None)
        return b.fused([v, u], "elementwise", body, output_type=[one])

    yield case(fused, [x, y], np.tanh(x + y))


# ---- TTIR, beyond the cases of tests/eval/ttir ----


def ttir(r):
    def case(build, inputs, want, **options):
        return Case("ttir", build, inputs, want, **options)

    x, y, i = r.floats(2, 3), r.floats(2, 3), r.ints(2, 3)
    t, image = r.floats(2, 1, 3), r.floats(1, 4, 6, 2)
    keep = {"output_type": ((2, 3), "f32")}
    truth = np.where(x > 0, x, 0).astype(np.float32)
    yield case(lambda b, v: b.bitcast_convert(v, output_type=((2, 3), "i32")), [x], x.view(np.int32))
    yield case(lambda b, v: b.bitwise_not(v, output_type=((2, 3), "i32")), [i], ~i)
    yield case(lambda b: b.constant(x), [], x)
    yield case(lambda b, v: b.isfinite(v, **keep), [np.where(x > 0, x, np.float32("inf"))], (x > 0).astype(np.float32))
    yield case(lambda b, v: b.signbit(v, **keep), [x], np.signbit(x).astype(np.float32))
    yield case(lambda b, v: b.leaky_relu(v, 0.25, **keep), [x], np.where(x > 0, x, x * np.float32(0.25)))
    selu = np.where(x > 0, x, 1.6732632 * np.expm1(x)) * 1.0507010
    yield case(lambda b, v: b.selu(v, **keep), [x], selu.astype(np.float32))
    for name, f in (("logical_and", np.logical_and), ("logical_or", np.logical_or), ("logical_xor", np.logical_xor)):
        yield case(lambda b, v, w, name=name: getattr(b, name)(v, w, **keep), [truth, y], f(truth, y).astype(np.float32))
    yield case(lambda b, v: b.logical_not(v, **keep), [truth], np.logical_not(truth).astype(np.float32))
    phi = np.exp(-(x * x) / 2) / np.sqrt(2 * np.pi)
    yield case(lambda b, v, w: b.gelu_bw(v, w, **keep), [y, x], (y * ((1 + _erf(x / np.sqrt(2))) / 2 + x * phi)).astype(np.float32))
    yield case(lambda b, v: b.reduce_and(v, True, [1], output_type=((2, 1), "f32")), [truth], truth.all(1, keepdims=True).astype(np.float32))
    yield case(lambda b, v: b.reduce_or(v, True, [1], output_type=((2, 1), "f32")), [truth], truth.any(1, keepdims=True).astype(np.float32), lower=False)
    yield case(lambda b, v: b.squeeze(v, 1, **keep), [t], t[:, 0])
    yield case(lambda b, v: b.unsqueeze(v, 1, output_type=((2, 1, 3), "f32")), [x], x[:, None])
    yield case(lambda b: b.zeros([2, 3], **keep), [], np.zeros((2, 3), np.float32))
    yield case(lambda b: b.ones([2, 3], **keep), [], np.ones((2, 3), np.float32))
    yield case(lambda b: b.empty(**keep), [], None, why="random: what is in it is anything")
    yield case(lambda b: b.rand([2, 3], **keep), [], None, why="random", within=(0, 1))
    yield case(lambda b, v: b.dropout(v, prob=0.0, scale=1.0, **keep), [x], x)
    yield case(lambda b: b.arange(1, 7, 2, 1, output_type=((2, 3), "f32")), [], np.arange(1, 7, 2, dtype=np.float32) + np.zeros((2, 1), np.float32))
    yield case(lambda b, v: b.get_dimension_size(v, 1, output_type="tensor<1xi32>"), [x], np.array([3], np.int32))
    yield case(lambda b, v: b.index(v, 1, 0, 3, 2, output_type=((2, 2), "f32")), [x], x[:, ::2])
    yield case(lambda b, v: b.index_select(v, 1, 1, 2, 2, output_type=((2, 2), "f32")), [x], x[:, 1:3])
    begins, ends = np.array([0, 1], np.int32), np.array([2, 3], np.int32)
    yield case(lambda b, v, k, l: b.slice_dynamic(v, k, l, output_type=((2, 2), "f32")), [x, begins, ends], x[:, 1:])
    yield case(lambda b, v: b.global_avg_pool2d(v, output_type=((1, 1, 1, 2), "f32")), [image], image.mean((1, 2), keepdims=True))
    doubled = image.repeat(2, 1).repeat(2, 2)
    yield case(lambda b, v: b.upsample2d(v, 2, output_type=((1, 8, 12, 2), "f32")), [image], doubled)
    at, weight, grad = r.ints(1, 4, least=0, most=5), r.floats(5, 3), r.floats(1, 4, 3)
    summed = np.zeros((5, 3), np.float32)
    np.add.at(summed, at[0], grad[0])
    yield case(lambda b, *v: b.embedding_backward(*v, output_type=((5, 3), "f32")), [at, weight, grad], summed)
    features = r.floats(2, 3, 4, 5)
    scale, offset, mean, variance = r.positive(3), r.floats(3), r.floats(3), r.positive(3)
    wide = lambda v: v.reshape(1, 3, 1, 1)  # noqa: E731
    got = features.mean((0, 2, 3)), features.var((0, 2, 3))
    moved = [np.float32(0.9) * old + np.float32(0.1) * new for old, new in zip((mean, variance), got)]
    yield case(
        lambda b, *v: b.batch_norm_training(*v, 1e-5, 1, 0.1, output_type=[((2, 3, 4, 5), "f32"), ((3,), "f32"), ((3,), "f32")]),
        [features, scale, offset, mean, variance],
        [_normal(features, (0, 2, 3)) * wide(scale) + wide(offset), *moved],
        rtol=2e-3,
    )
    # The best of each row, when one candidate is left.
    choice, index = r.floats(3, 8), np.tile(r.numbers.permutation(8).astype(np.int32), (3, 1))
    best = np.take_along_axis(index, choice.argmax(-1)[:, None], -1)[:, 0]
    last, half = np.ones(3, np.uint32), np.full(3, 0.5, np.float32)
    yield case(lambda b, *v: b.sampling(*v, seed=3, output_type="tensor<3xi32>"), [choice, index, last, half, half], best, lower=False)

    def moved_to(b, v):
        room = b.empty(**keep)
        laid = b.to_layout(v, room, output_type=[keep["output_type"]])
        b.dealloc(room)
        return laid

    yield case(moved_to, [x], x, lower=False)
    tile = r.floats(1, 1, 32, 32)
    places = "(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>"
    tiles = f"tensor<1x1x32x32xf32, #ttnn.ttnn_layout<{places}>>"
    metal = "logical_shape = 32x32, dim_alignments = 32x32, collapsed_intervals = dense<[[0, -1]]> : tensor<1x2xi64>, l1, sharded"
    metal = f"tensor<1x1x32x32xf32, #ttcore.metal_layout<{metal}>>"
    there = lambda b, v: b.ttnn_metal_layout_cast(b.ttnn_metal_layout_cast(v, output_type=metal), output_type=tiles)  # noqa: E731
    yield case(there, [tile], tile, types=[tiles], lower=False)
    yield case(lambda b: b.ttnn_metal_layout_cast(b.alloc(64, 4096, "l1", output_type=metal), output_type=tiles), [], None, why="random: what is in it is anything")
    left, right, bias = r.floats(2, 3), r.floats(3, 4), r.floats(4)
    yield case(lambda b, *v: b.linear(*v, output_type=((2, 4), "f32")), [left, right, bias], left @ right + bias)
    # Devices: two of a mesh, each with half of the columns.
    whole = r.floats(4, 4)
    parts = whole[:, :2], whole[:, 2:]

    def meshed(build, want, out=((4, 2), "f32"), gather=True):
        direction = {"shard_type": "devices", "shard_shape": [1, 2], "shard_dims": [-1, 1]}

        def all_of_it(b, v):
            half = b.mesh_shard(v, shard_direction="full_to_shard", **direction, output_type=((4, 2), "f32"))
            made = build(b, half, {"output_type": out})
            return b.mesh_shard(made, shard_direction="shard_to_full", **direction, output_type=((out[0][0], 2 * out[0][1]), "f32"))

        return case(all_of_it, [whole], want, attributes={"ttcore.meshes": '#ttcore.meshes<[<"mesh" = 1x2>]>'})

    pair = np.array([[0, 1]], np.int64)
    yield meshed(lambda b, v, o: b.all_gather(v, 1, 1, **o), np.concatenate([whole, whole], 1), ((4, 4), "f32"))
    yield meshed(lambda b, v, o: b.all_reduce_async(v, "sum", 1, **o), np.tile(parts[0] + parts[1], 2))
    yield meshed(lambda b, v, o: b.reduce_scatter(v, "sum", 0, 1, **o), np.concatenate(np.split(parts[0] + parts[1], 2), 1), ((2, 2), "f32"))
    yield meshed(lambda b, v, o: b.collective_permute(v, np.array([[0, 1], [1, 0]], np.int64), **o), np.concatenate(parts[::-1], 1))
    yield meshed(lambda b, v, o: b.collective_broadcast(v, pair, **o), np.tile(parts[0], 2))
    halves = [np.split(p, 2) for p in parts]
    exchanged = [np.concatenate([h[d] for h in halves], 1) for d in range(2)]
    yield meshed(lambda b, v, o: b.all_to_all(v, 0, 1, 2, pair, **o), np.concatenate(exchanged, 1), ((2, 4), "f32"))
    yield meshed(
        lambda b, v, o: b.mesh_partition(v, 0, 1, **o), np.concatenate([parts[0][:2], parts[1][2:]], 1), ((2, 2), "f32")
    )
