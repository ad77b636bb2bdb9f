# SPDX-License-Identifier: Apache-2.0
"""Reductions, products, moves, norms, order and places on random numbers."""
import numpy as np

from case import Case, module
from cases_elementwise import one, short


def flags(**kw):
    return ", ".join("%s = %s" % (k, str(v).lower() if isinstance(v, bool) else v) for k, v in kw.items())


def i32s(v):
    return "[%s]" % ", ".join("%d : i32" % x for x in v)


def reductions(rng):
    out = []
    for op, f in {"sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min, "prod": np.prod}.items():
        for dims in ((0,), (1,), (-1,), (0, 2), (2, 0), None):
            for keep in (True, False):
                x = rng.uniform(0.5, 1.5, (3, 4, 5)).astype("float32")
                at = flags(keep_dim=keep) + (", dim_arg = " + i32s(dims) if dims else "")
                want = np.asarray(f(x.astype(float), axis=dims, keepdims=keep)).astype("float32")
                out.append(one(op, [x], want, at, rtol=1e-6, atol=1e-6))
        x = short(rng.uniform(0.5, 1.5, (6, 700) if op != "prod" else (6, 7)))
        want = np.asarray(f(x.astype(float), axis=1)).astype("float32")
        out.append(one(op, [x], want, flags(keep_dim=False, dim_arg=i32s([1])), ["bf16", "bf16"]))
        if op != "mean":
            x = rng.integers(-9, 9, (3, 4)).astype("int32")
            out.append(one(op, [x], f(x, axis=0).astype("int32"), flags(keep_dim=False, dim_arg=i32s([0]))))
    x = rng.standard_normal((3, 4, 5)).astype("float32")
    for d in (0, 1, -1):
        out.append(one("argmax", [x], np.argmax(x, d).astype("int32"), flags(keep_dim=False, dim_arg=i32s([d]))))
        out.append(one("cumsum", [x], np.cumsum(x.astype(float), d).astype("float32"), "dim = %d : i64" % d, rtol=1e-5, atol=1e-6))
        out.append(one("cumprod", [x], np.cumprod(x.astype(float), d).astype("float32"), "dim = %d : i64" % d, rtol=1e-5, atol=1e-6))
    return out


def products(rng):
    out = []
    for left, right in (((3, 4), (4, 5)), ((2, 3, 4), (4, 5)), ((2, 3, 4), (2, 4, 5)), ((2, 1, 3, 4), (1, 6, 4, 5)), ((4,), (4, 5)),
                        ((3, 4), (4,)), ((5, 2, 3, 4), (2, 4, 6)), ((4,), (7, 4, 3)), ((70, 300), (300, 270)), ((3, 0), (0, 2))):
        a, b = rng.standard_normal(left).astype("float32"), rng.standard_normal(right).astype("float32")
        want = np.matmul(a.astype(float), b.astype(float)).astype("float32")
        out.append(one("matmul", [a, b], want, rtol=1e-4, atol=1e-4))
        if len(left) > 1 and len(right) > 1:
            at, bt = (np.ascontiguousarray(np.swapaxes(x, -1, -2)) for x in (a, b))
            out.append(one("matmul", [at, bt], want, flags(transpose_a=True, transpose_b=True), rtol=1e-4, atol=1e-4))
    for shape in ((5,), (1, 5), (2, 3, 5), (3, 1)):
        a, b, c = (short(rng.standard_normal(s)) for s in ((2, 3, 4), (5, 4), shape))
        want = (a.astype(float) @ b.T.astype(float) + c).astype("float32")
        out.append(one("linear", [a, b, c], want, flags(transpose_b=True), ["bf16"] * 4))
    a, b = rng.standard_normal((2, 3, 4, 5)).astype("float32"), rng.standard_normal((2, 5, 6, 4)).astype("float32")
    out.append(one("dot_general", [a, b], np.einsum("abcd,adec->abe", a, b, dtype=float).astype("float32"),
                   "batch_dims_lhs = array<i64: 0>, batch_dims_rhs = array<i64: 0>, contract_dims_lhs = array<i64: 2, 3>, "
                   "contract_dims_rhs = array<i64: 3, 1>", rtol=1e-4, atol=1e-4))
    return out


def moves(rng):
    x, y = rng.standard_normal((2, 3, 4)).astype("float32"), rng.standard_normal((2, 5, 4)).astype("float32")
    w = rng.integers(-99, 99, (6, 7)).astype("int32")
    out = [one("permute", [x], x.transpose(2, 0, 1), "permutation = array<i64: 2, 0, 1>"),
           one("transpose", [x], x.swapaxes(-1, 0), "dim0 = -1 : si32, dim1 = 0 : si32"),
           one("broadcast", [x[:, :1]], np.broadcast_to(x[:, :1], (2, 5, 4)), "broadcast_dimensions = array<i64: 1, 5, 1>"),
           one("repeat", [x], np.tile(x, (2, 1, 3)), "repeat_dimensions = array<i64: 2, 1, 3>"),
           one("reverse", [x], x[::-1, :, ::-1], "dimensions = array<i64: 0, 2>"),
           one("concat", [x, y, x], np.concatenate([x, y, x], 1), "dim = 1 : si32"),
           one("pad", [x], np.pad(x, ((0, 1), (2, 0), (0, 3)), constant_values=1.5),
               "padding = array<i32: 0, 1, 2, 0, 0, 3>, value = 1.5 : f32"),
           one("rearrange", [x], x.transpose(2, 0, 1).reshape(8, 3), 'pattern = "a b c -> (c a) b"')]
    out += [one("repeat_interleave", [x], np.repeat(x, 3, d), "repeats = 3 : ui32, dim = %d : si32" % d) for d in (0, 1, -1)]
    for b, e, s in (((0, 1), (6, 7), (1, 2)), ((-4, 2), (-1, 7), (2, 3)), ((5, 6), (1, 0), (-2, -1)), ((2, 3), (2, 5), (1, 1))):
        want = w[b[0]:e[0]:s[0], b[1]:e[1]:s[1]]
        out.append(one("slice_static", [w], want, flags(begins=i32s(b), ends=i32s(e), step=i32s(s))))
    return out


def norms(rng):
    out, x = [], rng.standard_normal((3, 4, 5)).astype("float32")
    m = x.astype(float)
    for d in (0, 1, -1):
        e = np.exp(m - m.max(d, keepdims=True))
        out.append(one("softmax", [x], (e / e.sum(d, keepdims=True)).astype("float32"), "dimension = %d : si32" % d, rtol=1e-5, atol=1e-6))
    w, b = (rng.standard_normal((4, 5)).astype("float32") for _ in range(2))
    mean, var = m.mean((1, 2), keepdims=True), m.var((1, 2), keepdims=True)
    out.append(one("layer_norm", [x, w, b], ((m - mean) / np.sqrt(var + 0.25) * w + b).astype("float32"),
                   "normalized_shape = array<i64: 4, 5>, epsilon = 0.25 : f32, operandSegmentSizes = array<i32: 1, 1, 1>"))
    out.append(one("rms_norm", [x, w[0]], (m / np.sqrt((m * m).mean(2, keepdims=True) + 0.25) * w[0]).astype("float32"),
                   "normalized_shape = array<i64: 5>, epsilon = 0.25 : f32, operandSegmentSizes = array<i32: 1, 1, 0>"))
    x = rng.standard_normal((2, 8, 3, 4)).astype("float32")
    for dim in (1, 3):
        n = x.shape[dim]
        ps = [rng.standard_normal(n).astype("float32") for _ in range(3)] + [rng.uniform(0.5, 2, n).astype("float32")]
        scale, offset, mean, var = (p.astype(float).reshape([n if i == dim else 1 for i in range(4)]) for p in ps)
        out.append(one("batch_norm_inference", [x] + ps, ((x - mean) / np.sqrt(var + 0.25) * scale + offset).astype("float32"),
                       "epsilon = 0.25 : f32, dimension = %d : i32" % dim))
    m = x.astype(float).reshape(2, 4, 2, 3, 4)
    mean, var = m.mean((2, 3, 4), keepdims=True), m.var((2, 3, 4), keepdims=True)
    out.append(one("group_norm", [x], ((m - mean) / np.sqrt(var + 0.25)).reshape(x.shape).astype("float32"),
                   "num_groups = 4 : i64, channel_dim = 1 : i64, epsilon = 0.25 : f32, operandSegmentSizes = array<i32: 1, 0, 0, 0>"))
    return out


def places(rng):
    x, i = rng.standard_normal((4, 5)).astype("float32"), rng.integers(0, 4, (3, 5)).astype("int32")
    out = [one("gather", [x, i], np.take_along_axis(x, i, 0), "dim = 0 : i32"), one("embedding", [i, x], x[i])]
    for how, f in {"sum": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum}.items():
        s, want = rng.standard_normal((3, 5)).astype("float32"), x.copy().astype(float)
        for r, k in np.ndindex(3, 5):
            want[i[r, k], k] = f(want[i[r, k], k], s[r, k])
        out.append(one("scatter", [x, i, s], want.astype("float32"),
                       "dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<%s>" % how, rtol=1e-5, atol=1e-6))
    for shape, d in (((3, 40), 1), ((40, 3), 0), ((2, 60, 2), 1)):
        x = rng.integers(-9, 9, shape).astype("float32")
        for down in (False, True):
            at = np.argsort(-x if down else x, d, kind="stable").astype("int32")
            want = [np.take_along_axis(x, at, d), at]
            out.append(Case("sort %s" % (shape,), module("ttir.sort", [x], want, flags(dim="%d : si32" % d, descending=down)), [x], want))
            want = [np.take(v, range(5), d) if v.shape[d] > 5 else v for v in want]
            out.append(Case("topk %s" % (shape,), module("ttir.topk", [x], want, flags(k="5 : i32", dim="%d : i32" % d, largest=down)),
                            [x], want))
    return out


def cases():
    rng = np.random.default_rng(12)
    return reductions(rng) + products(rng) + moves(rng) + norms(rng) + places(rng)
