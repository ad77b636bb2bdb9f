#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Layers as JAX spells them are raised, and compute the same before and after.

    layers.py [--bin build/bin] [--only NAME] [--random N] [--seed S] [--save DIR]

Each case is a function of jax.numpy, random inputs, and how many ops of each kind --tessera-raise must find in it.
Results after every set of flags are compared with JAX's own. --random adds attentions with dimensions in random places,
random masks, and scales anywhere. Needs jax; without it nothing is done.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

os.environ.setdefault("JAX_PLATFORMS", "cpu")
try:
    import jax
    import jax.numpy as jnp
    import numpy as np
except ImportError:
    print("layers: no jax here")
    sys.exit(0)

FLAGS = [["--tessera-raise"], ["--inline", "--stablehlo-to-tessera-ops", "--tessera-raise"], ["--tessera-fuse"], ["--stablehlo-to-tessera"],
         ["--stablehlo-to-tessera", "--tessera-to-stablehlo"]]
CASES = []


def case(*shapes, close=2e-5, **counts):
    """Inputs are of f32, but for shapes that start with 'i' (small integers) or 'b' (truth values)."""
    def add(f):
        CASES.append((f.__name__, f, shapes, close, counts))
        return f
    return add


X, V = (2, 6, 16), (16,)
half = jnp.bfloat16

# ---- Norms ----


@case(X, V, V, layer_norm=1)
def norm_mean_var(x, s, b):
    m, v = jnp.mean(x, -1, keepdims=True), jnp.var(x, -1, keepdims=True)
    return (x - m) / jnp.sqrt(v + 1e-5) * s + b


@case(X, V, V, layer_norm=1)
def norm_rsqrt(x, s, b):
    m = x.mean(-1, keepdims=True)
    v = ((x - m) ** 2).mean(-1, keepdims=True)
    return (x - m) * jax.lax.rsqrt(v + 1e-6) * s + b


@case(X, V, V, layer_norm=1)
def norm_scale_first(x, s, b):
    m = x.mean(-1, keepdims=True)
    v = jnp.maximum(0.0, (x * x).mean(-1, keepdims=True) - m * m)
    return (x - m) * (jax.lax.rsqrt(v + 1e-6) * s) + b


@case(X, layer_norm=1)
def norm_standardize(x):
    return jax.nn.standardize(x, epsilon=1e-5)


@case(X, V, layer_norm=1)
def norm_no_keepdims(x, s):
    m = x.sum(-1) / 16
    c = x - m[..., None]
    v = jnp.sum(jnp.square(c), -1) * (1 / 16)
    return s * (c / jnp.sqrt(v + 1e-3)[..., None])


@case(X, V, V, close=2e-2, layer_norm=1)
def norm_half(x, s, b):
    x = x.astype(half)
    y = x.astype(jnp.float32)
    m, v = y.mean(-1, keepdims=True), y.var(-1, keepdims=True)
    return ((y - m) * jax.lax.rsqrt(v + 1e-5) * s + b).astype(half)


@case(X, V, close=2e-2, rms_norm=1)
def rms_half(x, s):
    x = x.astype(half)
    y = x.astype(jnp.float32)
    y = y * jax.lax.rsqrt(jnp.mean(y * y, -1, keepdims=True) + 1e-6)
    return y.astype(half) * s.astype(half)


@case(X, V, rms_norm=1)
def rms_gemma(x, s):
    return x * jax.lax.rsqrt(jnp.mean(jnp.square(x), -1, keepdims=True) + 1e-6) * (1 + s)


@case(X, V, rms_norm=1)
def rms_divided(x, s):
    return s * (x / jnp.sqrt((x ** 2).mean(-1, keepdims=True) + 1e-6))


@case(X, V, rms_norm=0, layer_norm=0)
def norm_of_other_dimension(x, s):
    return x / jnp.sqrt((x * x).mean(1, keepdims=True) + 1e-6) * s


@case(X, rms_norm=0, layer_norm=0)
def sum_of_squares(x):
    return x * jax.lax.rsqrt((x * x).sum(-1, keepdims=True) + 1e-6)


@case(X, rms_norm=0, layer_norm=0)
def mean_is_used_elsewhere(x):
    m = x.mean(-1, keepdims=True)
    c = x - m
    return c * jax.lax.rsqrt((c * c).mean(-1, keepdims=True) + 1e-6), m


# ---- Activations and softmax ----


@case(X, gelu=1)
def gelu_tanh(x):
    return jax.nn.gelu(x)


@case(X, gelu=1)
def gelu_erfc(x):
    return jax.nn.gelu(x, approximate=False)


@case(X, gelu=1)
def gelu_erf(x):
    return 0.5 * x * (1 + jax.scipy.special.erf(x / np.sqrt(2)))


@case(X, gelu=1)
def gelu_horner(x):
    return 0.5 * x * (1 + jnp.tanh(x * 0.7978845608 * (1 + 0.044715 * x * x)))


@case(X, close=2e-2, gelu=2)
def gelu_half(x):
    y = x.astype(half)
    return jax.nn.gelu(y), jax.nn.gelu(y.astype(jnp.float32), approximate=False).astype(half)


@case(X, X, silu=1)
def silu_gated(x, y):
    return jax.nn.silu(x) * y


@case(X, silu=2)
def silu_other(x):
    return x * jax.lax.logistic(x) + x / (1 + jnp.exp(-x))


@case(X, silu=0, gelu=0)
def quick_gelu(x):
    return x * jax.nn.sigmoid(1.702 * x)


@case(X, softmax=3)
def softmaxes(x):
    return jax.nn.softmax(x), jax.nn.softmax(x, axis=1), jnp.exp(x - jax.nn.logsumexp(x, -1, keepdims=True)), \
        jax.nn.softmax(x, axis=0)


@case(X, close=2e-2, softmax=1)
def softmax_half(x):
    return jax.nn.softmax(x.astype(half))


@case(X, softmax=0)
def softmax_of_two_dimensions(x):
    return jax.nn.softmax(x, axis=(1, 2))


# ---- Attention ----

Q, K = (2, 6, 4, 8), (2, 7, 4, 8)
NONE = np.finfo(np.float32).min


def scores(q, k):
    return jnp.einsum("bqhd,bkhd->bhqk", q, k)


def weighted(p, v):
    return jnp.einsum("bhqk,bkhd->bqhd", p, v)


@case(Q, K, K, flash_attention=1, softmax=0)
def attention_plain(q, k, v):
    return weighted(jax.nn.softmax(scores(q, k) / np.sqrt(8)), v)


@case(Q, Q, Q, flash_attention=1)
def attention_causal_tril(q, k, v):
    s = scores(q, k) * 0.25
    s = jnp.where(jnp.tril(jnp.ones((6, 6), bool)), s, NONE)
    return weighted(jax.nn.softmax(s), v)


@case(Q, K, K, flash_attention=1)
def attention_causal_iota(q, k, v):
    i, j = jnp.arange(6)[:, None], jnp.arange(7)[None]
    s = jnp.where(j > i + 1, -jnp.inf, scores(q * 0.5, k))
    return weighted(jax.nn.softmax(s), v)


@case(Q, Q, Q, flash_attention=1)
def attention_causal_added(q, k, v):
    m = (1 - jnp.tril(jnp.ones((6, 6)))) * -1e9
    return weighted(jax.nn.softmax(scores(q, k) + m), v)


@case(Q, Q, Q, flash_attention=1)
def attention_causal_constant(q, k, v):
    s = jnp.where(np.tril(np.ones((1, 1, 6, 6), bool)), scores(q, k), -1e10)
    return weighted(jax.nn.softmax(s), v)


@case(Q, K, K, (2, 4, 6, 7), flash_attention=1)
def attention_bias(q, k, v, b):
    return weighted(jax.nn.softmax(scores(q, k) / 3 + b), v)


@case(Q, K, K, ("b", 2, 7), flash_attention=1)
def attention_padding(q, k, v, m):
    return weighted(jax.nn.softmax(jnp.where(m[:, None, None], scores(q, k), -1e9)), v)


@case(Q, Q, Q, ("b", 2, 6), flash_attention=1)
def attention_padding_and_causal(q, k, v, m):
    seen = jnp.tril(jnp.ones((6, 6), bool))[None, None] & m[:, None, None]
    return weighted(jax.nn.softmax(jnp.where(seen, scores(q, k) * 0.3, NONE)), v)


@case(Q, Q, Q, ("b", 2, 6), (4, 6, 6), flash_attention=1)
def attention_bias_padding_causal(q, k, v, m, b):
    s = jnp.where(m[:, None, None], scores(q, k) + b, -1e9)
    s = jnp.where(jnp.tril(jnp.ones((6, 6), bool)), s, -1e9)
    return weighted(jax.nn.softmax(s), v)


@case(Q, Q, Q, flash_attention=1)
def attention_window(q, k, v):
    i, j = jnp.arange(6)[:, None], jnp.arange(6)[None]
    s = jnp.where((j <= i) & (i - j < 3), scores(q, k), NONE)
    return weighted(jax.nn.softmax(s), v)


@case(Q, Q, Q, ("i", 2, 6), flash_attention=1)
def attention_segments(q, k, v, s):
    seen = s[:, None, :, None] == s[:, None, None, :]
    return weighted(jax.nn.softmax(jnp.where(seen, scores(q, k) / 2, NONE)), v)


@case(Q, Q, Q, flash_attention=1)
def attention_causal_by_index(q, k, v):
    """As flax has it: indices are compared, made floats, compared again; then added."""
    at = jnp.arange(6, dtype=jnp.int32)
    seen = jnp.greater_equal(at[:, None], at[None, :]).astype(jnp.float32)[None, None]
    shape = (2, 1, 6, 6)
    bias = jax.lax.select(jnp.broadcast_to(seen, shape) > 0, jnp.zeros(shape), jnp.full(shape, -1e10))
    return weighted(jax.nn.softmax(scores(q / jnp.sqrt(8).astype(q.dtype), k) + bias), v)


@case(Q, K, K, (2, 7), flash_attention=1)
def attention_bert_mask(q, k, v, m):
    return weighted(jax.nn.softmax(scores(q, k) * 0.3 + (1 - (m > 0).astype(q.dtype))[:, None, None] * -1e4), v)


@case(Q, K, K, (4,), flash_attention=1)
def attention_alibi(q, k, v, slope):
    near = (jnp.arange(7)[None] - jnp.arange(6)[:, None]).astype(jnp.float32)
    return weighted(jax.nn.softmax(scores(q, k) * 0.3 + slope[:, None, None] * near), v)


@case(Q, K, K, (), flash_attention=1)
def attention_learned_scale(q, k, v, t):
    """The scale is no constant: it stays with the queries."""
    return weighted(jax.nn.softmax(scores(q * jnp.exp(t), k)), v)


@case(Q, K, K, (), flash_attention=0, softmax=1)
def attention_scores_by_value(q, k, v, t):
    return weighted(jax.nn.softmax(scores(q, k) * t), v)


@case(Q, Q, Q, flash_attention=1)
def attention_in_a_loop(q, k, v):
    def body(x, _):
        s = jnp.where(jnp.tril(jnp.ones((6, 6), bool)), scores(x, k), NONE)
        return weighted(jax.nn.softmax(s), v), None
    return jax.lax.scan(body, q, None, length=3)[0]


@case(Q, K, K, close=2e-2, flash_attention=1)
def attention_half(q, k, v):
    q, k, v = q.astype(half), k.astype(half), v.astype(half)
    p = jax.nn.softmax((scores(q, k) * 0.25).astype(jnp.float32), -1).astype(half)
    return weighted(p, v)


@case((2, 6, 4, 8), (2, 6, 2, 8), (2, 6, 2, 8), close=2e-2, flash_attention=1)
def attention_jax_nn(q, k, v):
    q, k, v = q.astype(half), k.astype(half), v.astype(half)
    return jax.nn.dot_product_attention(q, k, v, is_causal=True)


@case((2, 6, 4, 8), (2, 6, 2, 8), (2, 6, 2, 8), (2, 4, 6, 6), ("b", 2, 1, 6, 6), flash_attention=1)
def attention_jax_nn_bias_mask(q, k, v, b, m):
    return jax.nn.dot_product_attention(q, k, v, bias=b, mask=m)


@case((2, 6, 4, 8), (2, 6, 8), (2, 6, 8), flash_attention=1)
def attention_one_key_head(q, k, v):
    s = jnp.einsum("bqhd,bkd->bhqk", q, k)
    i, j = jnp.arange(6)[:, None], jnp.arange(6)[None]
    return jnp.einsum("bhqk,bkd->bqhd", jax.nn.softmax(jnp.where(i >= j, s, NONE)), v)


@case((2, 4, 8), (2, 7, 4, 8), (2, 7, 4, 8), ("i",), flash_attention=1)
def attention_decode(q, k, v, at):
    s = jnp.einsum("bhd,bkhd->bhk", q, k) / np.sqrt(8)
    s = jnp.where(jnp.arange(7) <= at, s, NONE)
    return jnp.einsum("bhk,bkhd->bhd", jax.nn.softmax(s), v)


@case((4, 6, 8), (4, 8, 7), (4, 7, 8), flash_attention=1)
def attention_keys_transposed(q, k, v):
    return jax.nn.softmax(q @ k) @ v


@case((2, 4, 6, 8), (2, 4, 7, 8), (2, 4, 7, 8), (2, 1, 6, 7), flash_attention=1)
def attention_batched_by_reshape(q, k, v, m):
    """As matmuls of four dimensions are exported from PyTorch: three dimensions, reshaped around."""
    s = jnp.matmul((q * 0.5).reshape(8, 6, 8), k.transpose(0, 1, 3, 2).reshape(8, 8, 7)).reshape(2, 4, 6, 7)
    p = jax.nn.softmax(s + m)
    return jnp.matmul(p.reshape(8, 6, 7), v.reshape(8, 7, 8)).reshape(2, 4, 6, 8)


@case((2, 4, 6, 8), (2, 2, 7, 8), (2, 2, 7, 8), (4, 6, 7), flash_attention=1)
def attention_repeated_keys(q, k, v, m):
    """As Llama is exported from PyTorch: keys repeated by an expand and a reshape, products of three dimensions."""
    k, v = (jnp.broadcast_to(t[:, :, None], (2, 2, 2, 7, 8)).reshape(2, 4, 7, 8) for t in (k, v))
    s = jnp.matmul(q.reshape(8, 6, 8), k.transpose(0, 1, 3, 2).reshape(8, 8, 7)).reshape(2, 4, 6, 7) / np.sqrt(8)
    p = jax.nn.softmax(s + m)
    return jnp.matmul(p.reshape(8, 6, 7), v.reshape(8, 7, 8)).reshape(2, 4, 6, 8).transpose(0, 2, 1, 3)


@case(Q, K, K, flash_attention=0, softmax=1)
def scores_are_used_elsewhere(q, k, v):
    s = scores(q, k)
    return weighted(jax.nn.softmax(s), v), s


@case(Q, K, K, flash_attention=0, softmax=1)
def attention_capped(q, k, v):
    return weighted(jax.nn.softmax(5 * jnp.tanh(scores(q, k) / 5)), v)


@case(Q, K, (2, 6, 4, 8), flash_attention=1, softmax=0)
def softmax_over_queries(q, k, v):
    """The same with queries and keys in each other's place."""
    return jnp.einsum("bhqk,bqhd->bkhd", jax.nn.softmax(scores(q, k), 2), v)


# ---- Rotary embedding ----


def angles(n, d):
    f = 1 / 10000 ** (jnp.arange(0, d, 2) / d)
    a = jnp.arange(n)[:, None] * f[None]
    return jnp.cos(a), jnp.sin(a)


@case(Q, rotary=1)
def rotary_halves(x):
    c, s = (t[None, :, None] for t in angles(6, 8))
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([a * c - b * s, b * c + a * s], -1)


@case(Q, rotary=1)
def rotary_neighbours(x):
    c, s = (t[None, :, None] for t in angles(6, 8))
    a, b = x[..., ::2], x[..., 1::2]
    return jnp.stack([a * c - b * s, a * s + b * c], -1).reshape(x.shape)


@case(Q, rotary=1)
def rotary_pairs(x):
    c, s = (t[None, :, None] for t in angles(6, 8))
    y = x.reshape(*x.shape[:-1], 4, 2)
    a, b = y[..., 0], y[..., 1]
    return jnp.stack([a * c - b * s, a * s + b * c], -1).reshape(x.shape)


@case(Q, rotary=1)
def rotary_rotate_half(x):
    c, s = (jnp.concatenate([t, t], -1)[None, :, None] for t in angles(6, 8))
    return x * c + jnp.concatenate([-x[..., 4:], x[..., :4]], -1) * s


@case(Q, rotary=1)
def rotary_complex(x):
    c, s = angles(6, 8)
    y = x.reshape(*x.shape[:-1], 4, 2)
    z = jax.lax.complex(y[..., 0], y[..., 1]) * jax.lax.complex(c, s)[None, :, None]
    return jnp.stack([jnp.real(z), jnp.imag(z)], -1).reshape(x.shape)


@case((2, 4, 6, 8), close=2e-2, rotary=1)
def rotary_half_precision(x):
    c, s = angles(6, 8)
    y = x.astype(half).astype(jnp.float32)
    a, b = jnp.split(y, 2, -1)
    return jnp.concatenate([a * c - b * s, b * c + a * s], -1).astype(half)


@case(Q, rotary=0)
def rotary_wrong_sign(x):
    c, s = (t[None, :, None] for t in angles(6, 8))
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([a * c + b * s, b * c + a * s], -1)


# ---- Blocks ----


def layer_norm(x, s, b):
    m, v = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - m) * jax.lax.rsqrt(v + 1e-5) * s + b


@case((2, 6, 16), (16,), (16,), (16, 48), (48,), (16, 16), (16, 32), (32,), (32, 16), layer_norm=2, flash_attention=1,
      gelu=1, softmax=0)
def gpt_block(x, s, b, wqkv, bqkv, wo, w1, b1, w2):
    h = layer_norm(x, s, b)
    q, k, v = jnp.split(h @ wqkv + bqkv, 3, -1)
    q, k, v = (t.reshape(2, 6, 4, 4).transpose(0, 2, 1, 3) for t in (q, k, v))
    a = q @ k.transpose(0, 1, 3, 2) / jnp.sqrt(4)
    a = jnp.where(jnp.tril(jnp.ones((6, 6)))[None, None] == 0, float("-inf"), a)
    y = (jax.nn.softmax(a, -1) @ v).transpose(0, 2, 1, 3).reshape(2, 6, 16)
    x = x + y @ wo
    return x + jax.nn.gelu(layer_norm(x, s, b) @ w1 + b1) @ w2


@case((2, 6, 16), (16,), (16, 16), (16, 8), (16, 8), (16, 16), (16, 32), (16, 32), (32, 16), close=5e-2, rms_norm=2,
      rotary=2, flash_attention=1, silu=1)
def llama_block(x, s, wq, wk, wv, wo, w1, w3, w2):
    x, s, wq, wk, wv, wo, w1, w3, w2 = ((0.3 * t).astype(half) for t in (x, s, wq, wk, wv, wo, w1, w3, w2))

    def norm(x):
        y = x.astype(jnp.float32)
        return (y * jax.lax.rsqrt(jnp.mean(y * y, -1, keepdims=True) + 1e-6)).astype(half) * s

    def rope(x):
        c, s = (t[None, :, None] for t in angles(6, 4))
        a, b = jnp.split(x.astype(jnp.float32), 2, -1)
        return jnp.concatenate([a * c - b * s, b * c + a * s], -1).astype(half)

    h = norm(x)
    q, k, v = rope((h @ wq).reshape(2, 6, 4, 4)), rope((h @ wk).reshape(2, 6, 2, 4)), (h @ wv).reshape(2, 6, 2, 4)
    k, v = jnp.repeat(k, 2, 2), jnp.repeat(v, 2, 2)
    a = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(jnp.float32) * 0.5
    a = jnp.where(jnp.tril(jnp.ones((6, 6), bool)), a, NONE)
    y = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(a).astype(half), v).reshape(2, 6, 16)
    x = x + y @ wo
    h = norm(x)
    return x + (jax.nn.silu(h @ w1) * (h @ w3)) @ w2


@case((3, 2, 6, 16), (16,), (16, 16), layer_norm=1, gelu=1)
def layers_in_a_loop(ws, s, w):
    def body(x, y):
        return x + jax.nn.gelu(layer_norm(x, s, s) @ w) + y, None
    return jax.lax.scan(body, ws[0], ws)[0]


@case((2, 6, 16), (16,), (16, 16), ("i",), layer_norm=1, silu=1)
def layers_in_branches(x, s, w, i):
    return jax.lax.cond(i > 2, lambda x: layer_norm(x, s, s), lambda x: jax.nn.silu(x @ w), x)


# ---- Attention at random ----

SIZES = {"b": 2, "h": 4, "g": 2, "q": 5, "k": 5, "d": 4, "e": 6}


def random_attention(number, seed):
    rng = random.Random(f"{seed}.{number}")

    def mixed(letters):
        return "".join(rng.sample(letters, len(letters)))
    grouped, batch = rng.random() < 0.3, rng.choice(["", "b", "bh", "bh", "bh"])
    own = "g" if grouped else ""
    sizes = dict(SIZES, k=rng.choice([5, 5, 7]))
    lq, lk, lv = mixed(batch + own + "qd"), mixed(batch + "kd"), mixed(batch + "ke")
    ls, lo = mixed(batch + own + "qk"), mixed(batch + own + "qe")
    before, after, on_keys = rng.random() < 0.4, rng.random() < 0.6, rng.random() < 0.2
    masks = [rng.choice(["causal", "added causal", "constant causal", "bias", "padding", "full"])
             for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 3]))]
    fill = rng.choice([-np.inf, NONE, -1e9, -1e4])
    half_way = rng.random() < 0.25
    repeat = "h" in batch and rng.random() < 0.3
    shapes = [tuple(sizes[c] for c in lq)]
    shapes += [tuple(2 if repeat and c == "h" else sizes[c] for c in l) for l in (lk, lv)]
    named = []
    for m in masks:
        if m in ("bias", "padding", "full"):
            letters = {"bias": mixed(ls), "padding": "k" if "b" not in ls else mixed("bk"), "full": mixed(ls)}[m]
            named.append(letters)
            shapes.append(tuple(["b"] * (m != "bias")) + tuple(sizes[c] for c in letters))

    def like_scores(x, letters):
        x = jnp.transpose(x, sorted(range(len(letters)), key=lambda i: ls.index(letters[i])))
        return jnp.reshape(x, [sizes[c] if c in letters else 1 for c in ls])

    def f(q, k, v, *given):
        given = list(zip(given, named))
        if half_way:
            q, k, v = q.astype(half), k.astype(half), v.astype(half)
        if repeat:
            k, v = (jnp.repeat(x, 2, l.index("h")) for x, l in ((k, lk), (v, lv)))
        s = jnp.einsum(f"{lq},{lk}->{ls}", q * 0.5 if before else q, k * 1.5 if on_keys else k)
        s = s.astype(jnp.float32)
        s = s / np.float32(np.sqrt(3)) if after else s
        i = like_scores(jnp.arange(sizes["q"]), "q") + sizes["k"] - sizes["q"]
        j = like_scores(jnp.arange(sizes["k"]), "k")
        for kind in masks:
            if kind == "causal":
                s = jnp.where(j <= i, s, fill)
            elif kind == "added causal":
                s = s + jnp.where(j > i, fill, 0.0)
            elif kind == "constant causal":
                n, m = np.indices((sizes["q"], sizes["k"]))
                seen = m <= n + sizes["k"] - sizes["q"]
                seen = seen if ls.index("q") < ls.index("k") else seen.T
                s = jnp.where(seen.reshape([sizes[c] if c in "qk" else 1 for c in ls]), s, fill)
            elif kind == "bias":
                s = s + like_scores(*given.pop(0))
            else:
                s = jnp.where(like_scores(*given.pop(0)), s, fill)
        p = jax.nn.softmax(s, ls.index("k"))
        return jnp.einsum(f"{ls},{lv}->{lo}", p.astype(v.dtype), v)

    f.__name__ = f"attention_{seed}_{number}"
    return f.__name__, f, shapes, 3e-2 if half_way else 5e-5, {"flash_attention": 1}


# ---- Running ----


def make_input(rng, shape):
    if shape and shape[0] == "i":
        return np.asarray(rng.integers(0, 5, shape[1:]), np.int32)
    if shape and shape[0] == "b":
        return rng.random(shape[1:]) < 0.7
    return rng.standard_normal(shape, dtype=np.float32)


def run(command, **keywords):
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **keywords)


def check(tool, where, name, f, shapes, close, counts):
    rng = np.random.default_rng(sum(map(ord, name)))
    inputs = [make_input(rng, s) for s in shapes]
    wide = jax.jit(lambda *a: jax.tree.map(lambda y: y.astype(jnp.float32), f(*a)))
    source = os.path.join(where, name + ".mlir")
    with open(source, "w") as out:
        out.write(wide.lower(*inputs).as_text())
    given = []
    for i, x in enumerate(inputs):
        np.save(f"{where}/{name}.in{i}.npy", x)
        given.append(f"--input={where}/{name}.in{i}.npy")
    wanted = []
    for i, y in enumerate(jax.tree.leaves(wide(*inputs))):
        np.save(f"{where}/{name}.out{i}.npy", np.asarray(y))
        wanted.append(f"--expect={where}/{name}.out{i}.npy")
    bad = []
    for flags in FLAGS:
        after = os.path.join(where, name + ".after.mlir")
        r = run([tool, "opt", source, *flags, "-o", after])
        if r.returncode:
            bad.append(f"{' '.join(flags)}: {r.stderr.strip()[:300]}")
            continue
        text = open(after).read()
        for op, n in counts.items() if flags[-1] == "--tessera-raise" else []:
            found = len(re.findall(rf"tessera\.{op}\b", text))
            if found != n:
                bad.append(f"{' '.join(flags)}: {found} of {op}, not {n}")
        r = run([tool, "run", after, *given, *wanted, f"--rtol={close}", f"--atol={close}"])
        if r.returncode:
            bad.append(f"{' '.join(flags)} changes results: {(r.stdout + r.stderr).strip()[:300]}")
    return bad


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--bin", default="build/bin")
    p.add_argument("--only", default="")
    p.add_argument("--random", type=int, default=0)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--save")
    a = p.parse_args()
    failed = 0
    chosen = [c for c in CASES if a.only in c[0]] + [random_attention(i, a.seed) for i in range(a.random)]
    with tempfile.TemporaryDirectory() as tmp:
        where = a.save or tmp
        os.makedirs(where, exist_ok=True)
        for name, f, shapes, close, counts in chosen:
            bad = check(os.path.join(a.bin, "tessera"), where, name, f, shapes, close, counts)
            failed += bool(bad)
            for b in bad:
                print(f"FAIL {name}: {b}")
    print(f"layers: {len(chosen) - failed} of {len(chosen)} spellings raised with the same values")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
