# SPDX-License-Identifier: Apache-2.0
"""Attention, heads and caches."""
import numpy as np

from case import Case, module, tensor


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attention(q, k, v, scale=None, mask=0.0, sink=None):
    """q [B, H, S, D]; k, v [B, Hkv, T, D]; mask is added to the scaled scores; sink [H, n]."""
    group = q.shape[1] // k.shape[1]
    q, k, v = q.astype(float), np.repeat(k, group, 1).astype(float), np.repeat(v, group, 1).astype(float)
    s = np.einsum("bhsd,bhtd->bhst", q, k) * (scale if scale is not None else q.shape[-1] ** -0.5) + mask
    if sink is not None:
        n = s.shape[-1]
        s = np.concatenate([s, np.broadcast_to(sink[None, :, None, :].astype(float), s.shape[:3] + (sink.shape[1],))], -1)
        return np.einsum("bhst,bhtd->bhsd", softmax(s)[..., :n], v)
    return np.einsum("bhst,bhtd->bhsd", softmax(s), v)


def causal(s, t, start=0, window=None):
    i, j = np.arange(s)[:, None] + start, np.arange(t)[None, :]
    ok = j <= i
    if window:
        ok &= j > i - window
    return np.where(ok, 0.0, -np.inf)


def seg(*n):
    return "operandSegmentSizes = array<i32: %s>" % ", ".join(map(str, n))


def sdpa(name, rng, B, H, K, S, T, D, attrs, mask=None, ref_mask=0.0, sink=None, scale=None):
    q, k, v = (rng.standard_normal(s).astype("float32") for s in ((B, H, S, D), (B, K, T, D), (B, K, T, D)))
    ins = [q, k, v] + ([mask] if mask is not None else []) + ([sink] if sink is not None else [])
    want = attention(q, k, v, scale, ref_mask if mask is None else mask.astype(float), None if sink is None else
                     sink.reshape(H, -1)).astype("float32")
    at = attrs + ", " + seg(1, 1, 1, mask is not None, sink is not None)
    return Case(name, module("ttir.scaled_dot_product_attention", ins, [want], at.replace("True", "1").replace("False", "0")),
                ins, [want])


def paged(x, pages, rows):
    """[B, K, T, D] as blocks in the order that the page table says."""
    B, K, T, D = x.shape
    out = np.zeros((pages.max() + 3, K, rows, D), x.dtype) + 7
    for b in range(B):
        for n in range(T // rows):
            out[pages[b, n]] = x[b, :, n * rows:(n + 1) * rows]
    return out


def cases():
    rng = np.random.default_rng(1)
    f = lambda *s: rng.standard_normal(s).astype("float32")
    out = []
    # Whole tensors.
    out.append(sdpa("sdpa causal", rng, 2, 4, 4, 5, 5, 8, "is_causal = true", ref_mask=causal(5, 5)))
    out.append(sdpa("sdpa grouped", rng, 2, 6, 2, 5, 5, 8, "is_causal = true", ref_mask=causal(5, 5)))
    out.append(sdpa("sdpa full, scale", rng, 1, 2, 1, 3, 7, 4, "is_causal = false, scale = 0.25 : f32", scale=0.25))
    m = np.where(rng.random((1, 2, 3, 7)) < 0.5, 0, -3.5).astype("float32")
    out.append(sdpa("sdpa mask", rng, 2, 2, 2, 3, 7, 4, "is_causal = false", mask=m))
    out.append(sdpa("sdpa mask of heads", rng, 2, 2, 2, 3, 7, 4, "is_causal = false", mask=m[:, :1]))
    out.append(sdpa("sdpa window", rng, 1, 2, 2, 9, 9, 4, "is_causal = true, sliding_window_size = 3 : ui32",
                    ref_mask=causal(9, 9, 0, 3)))
    i, j = np.arange(9)[:, None], np.arange(9)[None, :]
    out.append(sdpa("sdpa window to both sides", rng, 1, 2, 2, 9, 9, 4, "is_causal = false, sliding_window_size = 4 : ui32",
                    ref_mask=np.where(abs(i - j) <= 2, 0.0, -np.inf)))
    out.append(sdpa("sdpa sink", rng, 2, 4, 2, 5, 5, 8, "is_causal = true", sink=f(1, 4, 1, 1), ref_mask=causal(5, 5)))

    # One token.
    B, H, K, T, D = 3, 4, 2, 10, 8
    q, k, v = f(1, B, H, D), f(B, K, T, D), f(B, K, T, D)
    pos = np.array([0, 4, 9], "int32")
    see = np.where(np.arange(T)[None, :] <= pos[:, None], 0.0, -np.inf)[:, None, None, :]
    heads = lambda x: x.transpose(1, 2, 0, 3)
    want = attention(heads(q), k, v, None, see).transpose(2, 0, 1, 3).astype("float32")
    name = "ttir.scaled_dot_product_attention_decode"
    out.append(Case("decode", module(name, [q, k, v, pos], [want], "is_causal = true, " + seg(1, 1, 1, 0, 1, 0)), [q, k, v, pos],
                    [want]))
    mask = f(B, 1, H, T)
    want = attention(heads(q), k, v, 0.5, mask.transpose(0, 2, 1, 3).astype(float)).transpose(2, 0, 1, 3).astype("float32")
    out.append(Case("decode mask", module(name, [q, k, v, mask, pos], [want], "is_causal = false, scale = 0.5 : f32, " +
                                          seg(1, 1, 1, 1, 1, 0)), [q, k, v, mask, pos], [want]))
    sink = f(H, 32)
    want = attention(heads(q), k, v, None, see, sink[:, :1]).transpose(2, 0, 1, 3).astype("float32")
    out.append(Case("decode sink", module(name, [q, k, v, pos, sink], [want], "is_causal = true, " + seg(1, 1, 1, 0, 1, 1)),
                    [q, k, v, pos, sink], [want]))

    # Pages.
    R, T = 32, 96
    pages = np.array([[5, 0, 3], [1, 4, 2]], "int32")
    B = 2
    q, k, v = f(1, B, H, D), f(B, K, T, D), f(B, K, T, D)
    pk, pv = paged(k, pages, R), paged(v, pages, R)
    pos = np.array([40, 95], "int32")
    see = np.where(np.arange(T)[None, :] <= pos[:, None], 0.0, -np.inf)[:, None, None, :]
    dest = np.zeros((1, B, H, D), "float32")
    want = attention(heads(q), k, v, None, see).transpose(2, 0, 1, 3).astype("float32")
    name = "ttir.paged_scaled_dot_product_attention_decode"
    ins = [q, pk, pv, pages, dest, pos]
    out.append(Case("paged decode", module(name, ins, [want], "is_causal = true, " + seg(1, 1, 1, 1, 1, 0, 1, 0)), ins, [want]))
    near = np.where((np.arange(T)[None, :] <= pos[:, None]) & (np.arange(T)[None, :] > pos[:, None] - 9), 0.0,
                    -np.inf)[:, None, None, :]
    want = attention(heads(q), k, v, None, near).transpose(2, 0, 1, 3).astype("float32")
    out.append(Case("paged decode window", module(name, ins, [want], "is_causal = true, sliding_window_size = 9 : ui32, " +
                                                  seg(1, 1, 1, 1, 1, 0, 1, 0)), ins, [want]))
    mask = f(B, 1, 1, T)
    want = attention(heads(q), k, v, None, mask.astype(float)).transpose(2, 0, 1, 3).astype("float32")
    ins = [q, pk, pv, pages, dest, mask]
    out.append(Case("paged decode mask", module(name, ins, [want], "is_causal = false, " + seg(1, 1, 1, 1, 1, 1, 0, 0)), ins,
                    [want]))
    c = f(B, H, 7, D)
    start = np.array([50], "int32")
    want = attention(c, k, v, None, causal(7, T, 50)).astype("float32")
    ins = [c, pk, pv, pages, start, np.zeros_like(c)]
    out.append(Case("chunk", module("ttir.chunked_scaled_dot_product_attention", ins, [want]), ins, [want]))
    k1 = f(B, 1, T, D)
    pk1 = paged(k1, pages, R)
    want = attention(heads(q), k1, k1[..., :5], 0.3, see).transpose(2, 0, 1, 3).astype("float32")
    name = "ttir.paged_flash_multi_latent_attention_decode"
    ins = [q, pk1, pages, pos]
    out.append(Case("latent", module(name, ins, [want], "head_dim_v = 5 : ui32, is_causal = true, scale = 0.3 : f32, " +
                                     seg(1, 1, 0, 1, 0, 1, 0)), ins, [want]))
    v1 = f(B, 1, T, 6)
    want = attention(heads(q), k1, v1, None, see).transpose(2, 0, 1, 3).astype("float32")
    ins = [q, pk1, paged(v1, pages, R), pages, pos]
    out.append(Case("latent values", module(name, ins, [want], "head_dim_v = 6 : ui32, is_causal = true, " +
                                            seg(1, 1, 1, 1, 0, 1, 0)), ins, [want]))

    # Training.
    for label, mt, mask in (("none", "none", None), ("causal", "causal", None), ("mask", "arbitrary", f(1, 1, 6, 6))):
        B, H, K, S, D, E = 2, 4, 2, 6, 8, 5
        q, k, v = f(B, H, S, D), f(B, K, S, D), f(B, K, S, E)
        m = causal(S, S) if mt == "causal" else 0.0 if mask is None else mask.astype(float)
        o = attention(q, k, v, None, m)
        scores = np.einsum("bhsd,bhtd->bhst", q.astype(float), np.repeat(k, H // K, 1).astype(float)) * D ** -0.5 + m
        lse = np.log(np.exp(scores).sum(-1, keepdims=True))
        ins = [q, k, v] + ([mask] if mask is not None else [])
        res = [o.astype("float32"), np.repeat(lse, 32, -1).astype("float32")]
        out.append(Case("sdpa_fw " + label, module("ttir.sdpa_fw", ins, res, "mask_type = #ttcore.attention_mask_type<%s>, "
                                                   "return_intermediates = true" % mt), ins, res))
        # Gradients by differences of the forward function.
        go = f(B, H, S, E)
        value = lambda q, k, v: (attention(q, k, v, None, m) * go).sum()
        grads = []
        for n, x in enumerate((q, k, v)):
            g = np.zeros(x.shape)
            for at in np.ndindex(*x.shape):
                args = [a.astype(float) for a in (q, k, v)]
                args[n][at] += 1e-5
                up = value(*args)
                args[n][at] -= 2e-5
                g[at] = (up - value(*args)) / 2e-5
            grads.append(g.astype("float32"))
        ins = [go, res[0], q, k, v, res[1]] + ([mask] if mask is not None else [])
        out.append(Case("sdpa_bw " + label, module("ttir.sdpa_bw", ins, grads, "mask_type = #ttcore.attention_mask_type<%s>" % mt),
                        ins, grads, rtol=1e-3, atol=1e-4))

    # Heads.
    x = f(2, 3, 5, 4)
    want = x.transpose(0, 2, 1, 3).reshape(2, 5, 12)
    out.append(Case("concatenate_heads", module("ttir.concatenate_heads", [x], [want]), [x], [want]))
    x = f(2, 5, 3 * 8)
    part = lambda a, n: a.reshape(a.shape[0], a.shape[1], n, -1).transpose(0, 2, 1, 3)
    want = [part(x[..., 8 * i:8 * i + 8], 2) for i in range(3)]
    out.append(Case("split heads", module("ttir.split_query_key_value_and_split_heads", [x], want,
                                          "num_heads = 2 : ui32, transpose_key = false"), [x], want))
    want = [want[0], want[1].transpose(0, 1, 3, 2), want[2]]
    out.append(Case("split heads, keys turned", module("ttir.split_query_key_value_and_split_heads", [x], want,
                                                       "num_heads = 2 : ui32, transpose_key = true"), [x], want))
    x, y = f(2, 5, 16), f(2, 5, 2 * 8)
    want = [part(x, 4), part(y[..., :8], 2), part(y[..., 8:], 2)]
    out.append(Case("split heads, grouped", module("ttir.split_query_key_value_and_split_heads", [x, y], want,
                    "num_heads = 4 : ui32, num_kv_heads = 2 : ui32, transpose_key = false"), [x, y], want))
    x = f(2, 5, 16 + 16)
    want = [part(x[..., :16], 4), part(x[..., 16:24], 2), part(x[..., 24:], 2)]
    out.append(Case("split heads, grouped in one", module("ttir.split_query_key_value_and_split_heads", [x], want,
                    "num_heads = 4 : ui32, num_kv_heads = 2 : ui32, transpose_key = false"), [x], want))
    return out + caches(f, rng)


def cache_case(name, op, ins, want, attrs=""):
    """The cache is the first input; what it is after the op is the result, and the same again by a function that is called."""
    ts = [tensor(x) for x in ins]
    args = ", ".join("%%a%d: %s" % (i, t) for i, t in enumerate(ts))
    uses, types = ", ".join("%%a%d" % i for i in range(len(ts))), ", ".join(ts)
    text = """module {
  func.func @write(%s) {
    "%s"(%s)%s : (%s) -> ()
    return
  }
  func.func @main(%s) -> (%s, %s) {
    %%old = "ttir.concatenate_heads"(%%a0) : (%s) -> tensor<%s>
    call @write(%s) : (%s) -> ()
    return %%a0, %%old : %s, tensor<%s>
  }
}
"""
    c = ins[0]
    old = c.transpose(0, 2, 1, 3).reshape(c.shape[0], c.shape[2], -1)
    oldt = tensor(old)[7:-1]
    return Case(name, text % (args, op, uses, " <{%s}>" % attrs if attrs else "", types, args, ts[0], "tensor<%s>" % oldt, ts[0],
                              oldt, uses, types, ts[0], oldt), ins, [want, old])


def caches(f, rng):
    out = []
    cache, x = f(4, 2, 8, 3), f(2, 2, 5, 3)
    want = cache.copy()
    want[1:3, :, :5] = x
    out.append(cache_case("fill_cache", "ttir.fill_cache", [cache, x], want, "batch_offset = 1 : i32"))
    x = f(1, 2, 3, 3)
    want = cache.copy()
    want[1:4, :, 6] = x[0].transpose(1, 0, 2)
    out.append(cache_case("update_cache", "ttir.update_cache", [cache, x, np.array([6], "int32")], want, "batch_offset = 1 : i32"))
    want = cache.copy()
    for b, at in enumerate((7, 0, 2)):
        want[b, :, at] = x[0, :, b]
    out.append(cache_case("update_cache of each user", "ttir.update_cache", [cache, x, np.array([7, 0, 2], "int64")], want,
                          "batch_offset = 0 : i32"))
    cache, pages = f(6, 2, 32, 3), np.array([[5, 0], [1, 4]], "int32")
    x, at = f(1, 2, 2, 3), np.array([33, 7], "int32")
    want = cache.copy()
    want[0, :, 1], want[1, :, 7] = x[0, 0], x[0, 1]
    out.append(cache_case("paged_update_cache", "ttir.paged_update_cache", [cache, x, at, pages], want, "share_cache = false"))
    wide = np.concatenate([x, f(1, 2, 30, 3)], 2)
    out.append(cache_case("paged_update_cache, padded heads", "ttir.paged_update_cache", [cache, wide, at, pages], want,
                          "share_cache = false"))
    own = f(2, 2, 32, 3)
    want = own.copy()
    want[0, :, 31], want[1, :, 7] = x[0, 0], x[0, 1]
    out.append(cache_case("paged_update_cache without pages", "ttir.paged_update_cache", [own, x, np.array([31, 7], "int32")], want,
                          "share_cache = false"))
    x = f(1, 2, 40, 3)
    want = cache.copy()
    want[5], want[0, :, :8] = x[0, :, :32], x[0, :, 32:]
    out.append(cache_case("paged_fill_cache", "ttir.paged_fill_cache", [cache, x, pages], want))
    want = cache.copy()
    want[1], want[4, :, :8] = x[0, :, :32], x[0, :, 32:]
    out.append(cache_case("paged_fill_cache of a user", "ttir.paged_fill_cache", [cache, x, pages, np.array([1], "int32")], want))
    return out
