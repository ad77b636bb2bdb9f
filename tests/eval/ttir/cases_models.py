# SPDX-License-Identifier: Apache-2.0
"""Small models of our own: a decoder step with a cache, the same MLP on two devices, a picture classifier."""
import numpy as np

from case import Case, tensor

T = lambda *s: "tensor<%s>" % "x".join(map(str, s + ("f32",)))


def soft(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


class Builder:
    """Lines of a function; each value is its name and shape."""

    def __init__(self):
        self.lines, self.types, self.n = [], {}, 0

    def arg(self, name, x, element=None):
        self.types["%" + name] = tensor(x, element)
        return "%" + name

    def op(self, name, operands, result, attrs=""):
        v = "%%%d" % self.n if result else None
        self.n += bool(result)
        self.lines.append('    %s"ttir.%s"(%s)%s : (%s) -> %s' % (
            v + " = " if v else "", name, ", ".join(operands), " <{%s}>" % attrs if attrs else "",
            ", ".join(self.types[o] for o in operands), result or "()"))
        if v:
            self.types[v] = result
        return v

    def module(self, args, results, mesh=None):
        return "module%s {\n  func.func @main(%s) -> (%s) {\n%s\n    return %s : %s\n  }\n}\n" % (
            ' attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = %s>]>}' % mesh if mesh else "",
            ", ".join("%s: %s" % (a, self.types[a]) for a in args), ", ".join(self.types[r] for r in results),
            "\n".join(self.lines), ", ".join(results), ", ".join(self.types[r] for r in results))


def shape(b, x, *dims):
    return b.op("reshape", [x], T(*dims), "shape = [%s]" % ", ".join("%d : i32" % d for d in dims))


def decoder(rng):
    B, H, D, S, V, F = 3, 2, 4, 8, 11, 16
    E = H * D
    f = lambda *s: (rng.standard_normal(s) * 0.5).astype("float32")
    table, wq, wk, wv, wo, g1, g2, up, gate, down = (f(V, E), f(E, E), f(E, E), f(E, E), f(E, E), f(E), f(E), f(E, F), f(E, F),
                                                     f(F, E))
    ck, cv = f(B, H, S, D), f(B, H, S, D)
    ids, pos = rng.integers(0, V, (B, 1)).astype("int32"), np.array([5], "int32")
    see = np.where(np.arange(S) <= 5, 0, -1e9).astype("float32").reshape(1, 1, 1, S)
    data = dict(ids=ids, pos=pos, table=table, wq=wq, wk=wk, wv=wv, wo=wo, g1=g1, g2=g2, up=up, gate=gate, down=down, ck=ck, cv=cv,
                see=see)
    b = Builder()
    a = {k: b.arg(k, v) for k, v in data.items()}
    x = shape(b, b.op("embedding", [a["ids"], a["table"]], T(B, 1, E)), B, E)
    norm = lambda v, w: b.op("rms_norm", [v, w], T(B, E), "epsilon = 1.0e-5 : f32, normalized_shape = array<i64: %d>, "
                             "operandSegmentSizes = array<i32: 1, 1, 0>" % E)
    mat = lambda v, w, n: b.op("matmul", [v, w], T(B, n), "transpose_a = false, transpose_b = false")
    h = norm(x, a["g1"])
    heads = lambda v: b.op("permute", [shape(b, v, 1, B, H, D)], T(1, H, B, D), "permutation = array<i64: 0, 2, 1, 3>")
    q = shape(b, mat(h, a["wq"], E), B, H, 1, D)
    b.op("update_cache", [a["ck"], heads(mat(h, a["wk"], E)), a["pos"]], None, "batch_offset = 0 : i32")
    b.op("update_cache", [a["cv"], heads(mat(h, a["wv"], E)), a["pos"]], None, "batch_offset = 0 : i32")
    kt = b.op("transpose", [a["ck"]], T(B, H, D, S), "dim0 = 2 : si32, dim1 = 3 : si32")
    s = b.op("matmul", [q, kt], T(B, H, 1, S), "transpose_a = false, transpose_b = false")
    half = b.op("full", [], T(1), "shape = array<i32: 1>, fill_value = 0.5 : f32")
    s = b.op("add", [b.op("multiply", [s, half], T(B, H, 1, S)), a["see"]], T(B, H, 1, S))
    p = b.op("softmax", [s], T(B, H, 1, S), "dimension = -1 : si32, numericStable = true")
    o = b.op("matmul", [p, a["cv"]], T(B, H, 1, D), "transpose_a = false, transpose_b = false")
    y = b.op("add", [x, mat(shape(b, o, B, E), a["wo"], E)], T(B, E))
    h = norm(y, a["g2"])
    m = b.op("multiply", [b.op("silu", [mat(h, a["gate"], F)], T(B, F)), mat(h, a["up"], F)], T(B, F))
    y = b.op("add", [y, mat(m, a["down"], E)], T(B, E))

    d = {k: v.astype(float) if v.dtype == np.float32 else v for k, v in data.items()}
    rms = lambda v, w: v / np.sqrt((v ** 2).mean(-1, keepdims=True) + 1e-5) * w
    x_ = d["table"][ids[:, 0]]
    h_ = rms(x_, d["g1"])
    d["ck"][:, :, 5] = (h_ @ d["wk"]).reshape(B, H, D)
    d["cv"][:, :, 5] = (h_ @ d["wv"]).reshape(B, H, D)
    s_ = np.einsum("bhd,bhsd->bhs", (h_ @ d["wq"]).reshape(B, H, D), d["ck"]) * 0.5 + d["see"][0]
    y_ = x_ + np.einsum("bhs,bhsd->bhd", soft(s_), d["cv"]).reshape(B, E) @ d["wo"]
    h_ = rms(y_, d["g2"])
    g_ = h_ @ d["gate"]
    y_ = y_ + (g_ / (1 + np.exp(-g_)) * (h_ @ d["up"])) @ d["down"]
    want = [y_.astype("float32"), d["ck"].astype("float32"), d["cv"].astype("float32")]
    return Case("model: decoder step", b.module(list(a.values()), [y, a["ck"], a["cv"]]), list(data.values()), want, rtol=1e-4,
                atol=1e-4)


def shards(b, v, whole, dim, n, full=False):
    """v as the part of one of n devices along the second axis, or put together; dim None: replicated."""
    local = list(whole)
    if dim is not None:
        local[dim] //= n
    parts = [n if i == dim else 1 for i in range(len(whole))] if dim is not None else [1]
    return b.op("mesh_shard", [v], T(*(whole if full else local)), "shard_type = #ttcore.shard_type<%s>, shard_direction = "
                "#ttcore.shard_direction<%s>, shard_shape = array<i64: %s>, shard_dims = array<i64: %s>" % (
                    "replicate" if dim is None else "devices", "shard_to_full" if full else "full_to_shard",
                    ", ".join(map(str, parts)), "-1" if dim is None else "-1, %d" % dim))


def tensor_parallel(rng):
    """Columns of the first matrix and rows of the second one on two devices; the sum joins them."""
    B, E, F, n = 4, 6, 8, 2
    f = lambda *s: rng.standard_normal(s).astype("float32")
    x, up, down = f(B, E), f(E, F), f(F, E)
    b = Builder()
    a = [b.arg(k, v) for k, v in (("x", x), ("up", up), ("down", down))]
    px, pu, pd = shards(b, a[0], (B, E), None, n), shards(b, a[1], (E, F), 1, n), shards(b, a[2], (F, E), 0, n)
    h = b.op("gelu", [b.op("matmul", [px, pu], T(B, F // n), "transpose_a = false, transpose_b = false")], T(B, F // n))
    y = b.op("matmul", [h, pd], T(B, E), "transpose_a = false, transpose_b = false")
    y = b.op("all_reduce", [y], T(B, E), "reduce_type = #ttcore.reduce_type<sum>, cluster_axis = 1 : ui32")
    y = shards(b, y, (B, E), None, n, True)
    erf = np.vectorize(__import__("math").erf)
    h_ = x.astype(float) @ up
    want = (h_ * 0.5 * (1 + erf(h_ / np.sqrt(2)))) @ down
    return Case("model: MLP on two devices", b.module(a, [y], "1x2"), [x, up, down], [want.astype("float32")], rtol=1e-4, atol=1e-4)


def classifier(rng):
    N, H, W, C, K, O = 2, 6, 6, 3, 4, 5
    f = lambda *s: rng.standard_normal(s).astype("float32")
    x, w, fc = f(N, H, W, C), f(K, C, 3, 3), f(K * 9, O)
    scale, shift, mean, var = f(K), f(K), f(K), abs(f(K)) + 0.5
    b = Builder()
    a = [b.arg(k, v) for k, v in (("x", x), ("w", w), ("scale", scale), ("shift", shift), ("mean", mean), ("var", var), ("fc", fc))]
    c = b.op("conv2d", a[:2], T(N, H, W, K), "stride = 1 : i32, padding = 1 : i32, dilation = 1 : i32, groups = 1 : i32")
    c = b.op("batch_norm_inference", [c] + a[2:6], T(N, H, W, K), "dimension = 3 : i32, epsilon = 1.0e-5 : f32")
    c = b.op("max_pool2d", [b.op("relu", [c], T(N, H, W, K))], T(N, 3, 3, K), "kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, "
             "padding = 0 : i32, ceil_mode = false")
    y = b.op("softmax", [b.op("matmul", [shape(b, c, N, 9 * K), a[6]], T(N, O), "transpose_a = false, transpose_b = false")], T(N, O),
             "dimension = 1 : si32, numericStable = true")
    p = np.pad(x.astype(float), ((0, 0), (1, 1), (1, 1), (0, 0)))
    r = sum(np.einsum("nhwc,kc->nhwk", p[:, i:i + H, j:j + W], w[:, :, i, j].astype(float)) for i in range(3) for j in range(3))
    r = np.maximum((r - mean) / np.sqrt(var + 1e-5) * scale + shift, 0)
    r = r.reshape(N, 3, 2, 3, 2, K).max((2, 4)).reshape(N, -1)
    return Case("model: classifier", b.module(a, [y]), [x, w, scale, shift, mean, var, fc], [soft(r @ fc).astype("float32")],
                rtol=1e-4, atol=1e-4)


def cases():
    rng = np.random.default_rng(3)
    return [decoder(rng), tensor_parallel(rng), classifier(rng)]
