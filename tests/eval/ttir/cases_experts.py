# SPDX-License-Identifier: Apache-2.0
"""Mixtures of experts, norms on several devices, optimiser, quantization."""
import numpy as np

from case import Case, module, tensor


def shard(name, x, t, dim, full):
    """mesh_shard of a value along the second axis of the mesh; dim None: replicated."""
    rank = len(t[0])
    shape = [1] * rank
    if dim is not None:
        shape[dim] = t[2]
    local = list(t[0])
    if dim is not None:
        local[dim] //= t[2]
    ty = lambda s: "tensor<%s%s>" % ("".join("%dx" % d for d in s), t[1])
    kind = "devices" if dim is not None else "replicate"
    dims = "-1, %d" % dim if dim is not None else "-1"
    a, b = (local, t[0]) if full else (t[0], local)
    return ('    %%%s = "ttir.mesh_shard"(%%%s) <{shard_type = #ttcore.shard_type<%s>, shard_direction = #ttcore.shard_direction<%s>, '
            "shard_shape = array<i64: %s>, shard_dims = array<i64: %s>}> : (%s) -> %s\n") % (
                name, x, kind, "shard_to_full" if full else "full_to_shard",
                ", ".join(map(str, shape)) if dim is not None else "1", dims, ty(a), ty(b)), ty(local)


def on_mesh(name, op, n, ins, outs, attrs, **kw):
    """One op on a mesh of 1 x n devices. ins, outs: pairs of a whole array and the dimension that devices share, or None."""
    el = lambda x: tensor(x)[:-1].split("x")[-1] if np.asarray(x).ndim else tensor(x)[7:-1]
    body, locals_in, uses = "", [], []
    for i, (x, d) in enumerate(ins):
        text, ty = shard("p%d" % i, "a%d" % i, (x.shape, el(x), n), d, False)
        body += text
        locals_in.append(ty)
        uses.append("%%p%d" % i)
    joined, locals_out = "", []
    many = len(outs) != 1
    for i, (x, d) in enumerate(outs):
        text, ty = shard("w%d" % i, "r#%d" % i if many else "r", (x.shape, el(x), n), d, True)
        joined += text
        locals_out.append(ty)
    body += "    %%r%s = \"%s\"(%s) <{%s}> : (%s) -> %s\n" % (
        ":%d" % len(outs) if many else "", op, ", ".join(uses), attrs, ", ".join(locals_in),
        "(" + ", ".join(locals_out) + ")" if many else locals_out[0])
    text = 'module attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x%d>]>} {\n  func.func @main(%s) -> (%s) {\n%s%s    return %s : %s\n  }\n}\n' % (
        n, ", ".join("%%a%d: %s" % (i, tensor(x)) for i, (x, _) in enumerate(ins)), ", ".join(tensor(x) for x, _ in outs), body, joined,
        ", ".join("%%w%d" % i for i in range(len(outs))), ", ".join(tensor(x) for x, _ in outs))
    return Case(name, text, [x for x, _ in ins], [x for x, _ in outs], **kw)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def cases():
    rng = np.random.default_rng(2)
    f = lambda *s: rng.standard_normal(s).astype("float32")
    out = []

    # Tokens to experts and back: 2 devices, experts 0, 3 on the first and 1, 2, 4 on the second.
    D, B, S, H, K, E = 2, 2, 3, 4, 2, 5
    home = np.array([0, 1, 1, 0, 1])
    x = f(D * B, S, 1, H)
    picks = np.stack([rng.permutation(E)[:K] for _ in range(D * B * S)]).reshape(D * B, S, 1, K).astype("int32")
    onehot = (home[:, None] == np.arange(D)[None, :]).astype("int32").reshape(1, 1, E, D)
    sent = np.zeros((D, D * B, S, H), "float32")
    for d in range(D):
        for b in range(D * B):
            for s in range(S):
                if any(home[e] == d for e in picks[b, s, 0]):
                    sent[d, b, s] = x[b, s, 0]
    meta = picks.reshape(1, D * B, S, K)
    out.append(on_mesh("dispatch", "ttir.all_to_all_dispatch", D, [(x, 0), (picks, 0), (onehot, None)],
                       [(sent, 0), (np.repeat(meta, D, 0), 0)], "num_devices = 2 : i64, cluster_axis = 1 : i64"))
    L = 3  # experts of a device, at most
    y = f(D * L, D * B, S, H)
    back = np.zeros((K, D * B, S, H), "float32")
    local = {e: sorted(np.flatnonzero(home == home[e])).index(e) for e in range(E)}
    for b in range(D * B):
        for s in range(S):
            for k in range(K):
                e = picks[b, s, 0, k]
                back[k, b, s] = y[home[e] * L + local[e], b, s]
    out.append(on_mesh("combine", "ttir.all_to_all_combine", D, [(y, 0), (meta, None), (onehot, None)], [(back, 1)],
                       "num_devices = 2 : i64, cluster_axis = 1 : i64, num_experts_per_tok = 2 : i64, output_shard_dim = 1 : i64"))
    # The same tokens in one row, which the devices share.
    row = lambda a, n: a.reshape(a.shape[0], 1, D * B * S, n)
    out.append(on_mesh("combine along the sequence", "ttir.all_to_all_combine", D,
                       [(row(y, H), 0), (row(meta, K), None), (onehot, None)], [(row(back, H), 2)],
                       "num_devices = 2 : i64, cluster_axis = 1 : i64, num_experts_per_tok = 2 : i64"))
    M = 4
    x, sc = f(1, 1, D * M, H), f(1, 1, D * M, K)
    picks = np.stack([rng.permutation(E)[:K] for _ in range(D * M)]).reshape(1, 1, D * M, K).astype("int32")
    number = np.repeat(home.reshape(1, 1, 1, E), D, 2).astype("int32")
    sent = np.zeros((D, D * M, H), "float32")
    for t in range(D * M):
        for e in picks[0, 0, t]:
            sent[home[e], t] = x[0, 0, t]
    out.append(on_mesh("dispatch metadata", "ttir.all_to_all_dispatch_metadata", D, [(x, 2), (picks, 2), (sc, 2), (number, None)],
                       [(sent, 0), (np.repeat(picks[0], D, 0), 0), (np.repeat(sc[0], D, 0), 0)],
                       "num_devices = 2 : i64, cluster_axis = 1 : i64"))
    E, home = 4, np.array([0, 1, 1, 0])
    onehot = (home[:, None] == np.arange(D)[None, :]).astype("int32").reshape(1, 1, E, D)
    scores = f(1, 6, 1, E)
    picks = np.stack([rng.permutation(E)[:K] for _ in range(6)]).reshape(1, 6, 1, K).astype("int32")
    w, any_ = np.zeros((D, 6, 1, 2), "float32"), np.zeros((D, 1, 2, 2), "int32")
    for d in range(D):
        for n, e in enumerate(np.flatnonzero(home == d)):
            for t in range(6):
                if e in picks[0, t, 0]:
                    w[d, t, 0, n] = scores[0, t, 0, e]
                    any_[d, 0, t // 4, n] = 1
    out.append(on_mesh("remap", "ttir.moe_expert_token_remap", D, [(scores, None), (onehot, None), (picks, None)],
                       [(w, 0), (any_, 0)], "reduction_size = 4 : i64"))
    # The whole network: each device has half of the experts.
    H, N, T, E, local = 32, 32, 6, 4, 2
    for act in ("silu", "swiglu"):
        for biased in (False, True):
            x = f(T, H)
            picks = np.stack([rng.permutation(E)[:K] for _ in range(T)]).astype("int32")
            home = np.arange(E) // local
            number = np.repeat(home.reshape(1, E), D, 0).astype("int32")
            ws = [f(D, local, H, N) * 0.3, f(D, local, H, N) * 0.3, f(D, local, N, H) * 0.3]
            bs = [f(D, local, N), f(D, local, N), f(D, local, H)] if biased else []
            want = np.zeros((K, T, H))
            for t in range(T):
                for k in range(K):
                    e = picks[t, k]
                    at = (home[e], e % local)
                    g, u = (x[t].astype(float) @ ws[i][at] + (bs[i][at] if biased else 0) for i in (0, 1))
                    if act == "silu":
                        a = g * sigmoid(g) * u
                    else:
                        g, u = np.minimum(g, 7), np.clip(u, -7, 7)
                        a = (u + 1) * g * sigmoid(1.702 * g)
                    want[k, t] = a @ ws[2][at] + (bs[2][at] if biased else 0)
            ins = [(x, None), (picks, None), (f(T, K), None), (number, None)] + [(a, 0) for a in ws + bs]
            out.append(on_mesh("moe_compute %s%s" % (act, " biased" if biased else ""), "ttir.moe_compute", D, ins,
                               [(want.astype("float32"), 1)],
                               "layer_id = 0 : ui32, output_height_shard_dim = 4 : ui32, intermediate_size = 32 : ui32, "
                               "activation_function = #ttcore.moe_activation_function<%s>, cluster_axis = 1 : ui32, "
                               "operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, %s>" %
                               (act, "1, 1, 1" if biased else "0, 0, 0"), rtol=1e-4, atol=1e-4))

    # Products with the blocks that count.
    a, b = f(2, 3, 4, 5), f(1, 6, 5, 7)
    on = (rng.random((2, 3, 1, 6)) < 0.5).astype("float32")
    want = np.einsum("abmk,ekn->abemn", a, b[0])[:, :, None] * on.reshape(2, 3, 1, 6, 1, 1)
    name = "ttir.sparse_matmul"
    out.append(Case("sparse b", module(name, [a, b, on], [want], "is_input_a_sparse = false, is_input_b_sparse = true, nnz = 3 : i64"),
                    [a, b, on], [want]))
    a = f(2, 6, 4, 5)
    on = (rng.random((1, 1, 2, 6)) < 0.5).astype("float32")
    want = np.einsum("aemk,ekn->aemn", a, b[0]) * on.reshape(2, 6, 1, 1)
    out.append(Case("sparse a", module(name, [a, b, on], [want], "is_input_a_sparse = true, is_input_b_sparse = false"), [a, b, on],
                    [want]))
    a = f(1, 6, 4, 5)
    on = (rng.random((1, 1, 1, 6)) < 0.5).astype("float32")
    want = np.einsum("aemk,ekn->aemn", a, b[0]) * on.reshape(1, 6, 1, 1)
    out.append(Case("sparse both", module(name, [a, b, on], [want], "is_input_a_sparse = true, is_input_b_sparse = true"),
                    [a, b, on], [want]))
    x, w, bias = f(3, 8), f(8, 6), f(3, 6)
    logits = x @ w + bias
    ids = np.argsort(-logits, -1, "stable")[:, :2]
    top = np.take_along_axis(logits, ids, -1).astype(float)
    weights = (np.exp(top) / np.exp(top).sum(-1, keepdims=True)).astype("float32")
    out.append(Case("router", module("ttir.topk_router_gpt", [x, w, bias], [ids.astype("uint16"), weights],
                                     "k = 2 : i32, num_experts = 6 : i32"), [x, w, bias], [ids.astype("uint16"), weights]))

    # Norms of rows on four devices.
    x, w, b, r = f(3, 2, 32), f(32), f(32), f(3, 2, 32)
    rms = lambda v: v / np.sqrt((v.astype(float) ** 2).mean(-1, keepdims=True) + 1e-3)
    ln = lambda v: (v - v.mean(-1, keepdims=True)) / np.sqrt(v.astype(float).var(-1, keepdims=True) + 1e-3)
    seg = "operandSegmentSizes = array<i32: %s>, cluster_axis = 1 : ui32, epsilon = 1.0e-3 : f32"
    for label, op, n, ins, want in (
            ("rms", "rms", "1, 0, 0", [(x, 2)], rms(x)),
            ("rms weight", "rms", "1, 1, 0", [(x, 2), (w, 0)], rms(x) * w),
            ("rms residual", "rms", "1, 1, 1", [(x, 2), (w, 0), (r, 2)], rms(x + r) * w),
            ("layer", "layer", "1, 0, 0, 0", [(x, 2)], ln(x)),
            ("layer, all", "layer", "1, 1, 1, 1", [(x, 2), (w, 0), (b, 0), (r, 2)], ln(x + r) * w + b)):
        out.append(on_mesh("distributed norm, " + label, "ttir.distributed_%s_norm" % op, 4, ins, [(want.astype("float32"), 2)],
                           seg % n))

    # A step of AdamW.
    p, g, m, v, top = f(3, 4), f(3, 4), f(3, 4), abs(f(3, 4)), abs(f(3, 4))
    lr, b1, b2, p1, p2, eps, wd = 0.1, 0.9, 0.99, 0.81, 0.9801, 1e-6, 0.05
    m2, v2 = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
    step = lambda s: (p - lr * m2 / (1 - p1) / (np.sqrt(s / (1 - p2)) + eps) - lr * wd * p).astype("float32")
    at = "lr = 0.1 : f32, beta1 = 0.9 : f32, beta2 = 0.99 : f32, beta1_pow = 0.81 : f32, beta2_pow = 0.9801 : f32, " \
         "epsilon = 1.0e-6 : f32, weight_decay = 0.05 : f32"
    res = [step(v2), m2.astype("float32"), v2.astype("float32")]
    out.append(Case("adamw", module("ttir.adamw", [p, g, m, v], res, at), [p, g, m, v], res))
    mx = np.maximum(top, v2).astype("float32")
    res = [step(mx), res[1], res[2], mx]
    out.append(Case("adamw, largest kept", module("ttir.adamw", [p, g, m, v, top], res, at), [p, g, m, v, top], res))
    return out + quantized(f, rng)


def quantized(f, rng):
    out = []
    x = f(3, 4) * 4
    q8 = lambda v, s, z: np.clip(np.rint(v / s) + z, -128, 127).astype("int8")
    one, per = "!quant.uniform<i8:f32, 0.1:3>", "!quant.uniform<i8:f32:1, {0.1:3, 0.2:-4, 0.05, 0.5:1}>"
    s4, z4 = np.array([0.1, 0.2, 0.05, 0.5]), np.array([3, -4, 0, 1])
    t = "tensor<3x4x%s>"

    def mod(op, ins, result, extra="", args=()):
        names = ["%%a%d" % i for i in range(len(ins))]
        head = ", ".join("%s: %s" % p for p in zip(names, ins))
        return 'module {\n  func.func @main(%s) -> %s {\n    %%r = "ttir.%s"(%s)%s : (%s) -> %s\n    return %%r : %s\n  }\n}\n' % (
            head, result, op, ", ".join(names), " <{%s}>" % extra if extra else "", ", ".join(ins), result, result)

    out.append(Case("quantize", mod("quantize", [t % "f32"], t % one), [x], [q8(x, 0.1, 3)]))
    out.append(Case("quantize along an axis", mod("quantize", [t % "f32"], t % per), [x], [q8(x, s4, z4)]))
    q = rng.integers(-128, 128, (3, 4)).astype("int8")
    out.append(Case("dequantize", mod("dequantize", [t % one], t % "f32"), [q], [((q.astype(float) - 3) * 0.1).astype("float32")]))
    back = ((q.astype(float) - z4) * s4).astype("float32")
    out.append(Case("dequantize along an axis", mod("dequantize", [t % per], t % "f32"), [q], [back]))
    other = "!quant.uniform<i8:f32, 0.25:-7>"
    out.append(Case("requantize", mod("requantize", [t % one], t % other), [q], [q8((q.astype(float) - 3) * 0.1, 0.25, -7)]))
    sc, zp = np.float32(0.1), np.int32(3)
    sca, zpa = s4.astype("float32"), z4.astype("int32")
    out.append(Case("quantize_unrolled", mod("quantize_unrolled", [t % "f32", "tensor<f32>", "tensor<i32>"], t % one), [x, sc, zp],
                    [q8(x, 0.1, 3)]))
    out.append(Case("quantize_unrolled along an axis", mod("quantize_unrolled", [t % "f32", "tensor<4xf32>", "tensor<4xi32>"], t % per,
                    "axis = 1 : i32"), [x, sca, zpa], [q8(x, s4, z4)]))
    out.append(Case("dequantize_unrolled", mod("dequantize_unrolled", [t % per, "tensor<4xf32>", "tensor<4xi32>"], t % "f32",
                    "axis = 1 : i32"), [q, sca, zpa], [back]))
    # Ops that compute on what quantized numbers express.
    p = rng.integers(-128, 128, (3, 4)).astype("int8")
    real = lambda v: (v.astype(float) - 3) * 0.1
    out.append(Case("add of quantized numbers", mod("add", [t % one, t % one], t % other), [q, p], [q8(real(q) + real(p), 0.25, -7)]))
    out.append(Case("relu of quantized numbers", mod("relu", [t % one], t % one), [q], [q8(np.maximum(real(q), 0), 0.1, 3)]))
    wide, p4 = "!quant.uniform<i32:f32, 0.01>", p.reshape(4, 3)
    out.append(Case("matmul of quantized numbers", mod("matmul", [t % one, "tensor<4x3x%s>" % one], "tensor<3x3x%s>" % wide),
                    [q, p4], [np.rint(((q.astype(int) - 3) @ (p4.astype(int) - 3)) * 1.0).astype("int32")]))
    out.append(Case("reshape of quantized numbers", mod("reshape", [t % one], "tensor<4x3x%s>" % one, "shape = [4 : i32, 3 : i32]"),
                    [q], [q.reshape(4, 3)]))
    s2, z2 = np.float32(0.25), np.int32(-7)
    out.append(Case("requantize_unrolled", mod("requantize_unrolled", [t % one, "tensor<f32>", "tensor<i32>", "tensor<f32>",
                    "tensor<i32>"], t % other), [q, sc, zp, s2, z2], [q8((q.astype(float) - 3) * 0.1, 0.25, -7)]))
    return out
