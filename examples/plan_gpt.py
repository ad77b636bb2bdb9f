# SPDX-License-Identifier: Apache-2.0
"""A GPT and its training step; the plan for eight devices; what to write into this file for it; two steps with it.

XLA_FLAGS=--xla_force_host_platform_device_count=8 python examples/plan_gpt.py [h100 | another device | a device file] [small]"""
import sys

import jax
import jax.numpy as jnp

import tessera.jax

LAYERS, WIDTH, HEADS, WORDS, SEQ, BATCH = (2, 64, 8, 128, 32, 16) if "small" in sys.argv else (12, 1024, 16, 32768, 512, 64)


def norm(x):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)


def block(x, w):
    h = norm(x)
    q, k, v = jnp.einsum("btd,dche->cbthe", h, w["qkv"])
    scores = jnp.einsum("bthe,bshe->bhts", q, k) / q.shape[-1] ** 0.5
    scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -1e9)
    h = jnp.einsum("bhts,bshe->bthe", jax.nn.softmax(scores), v)
    x = x + jnp.einsum("bthe,hed->btd", h, w["out"])
    up = jax.nn.gelu(norm(x) @ w["up"])
    return x + up @ w["down"]


def loss(w, tokens):
    x = w["embed"][tokens[:, :-1]]
    x, _ = jax.lax.scan(lambda x, layer: (jax.checkpoint(block)(x, layer), None), x, w["layers"])
    logits = norm(x) @ w["embed"].T
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), tokens[:, 1:, None], -1))


def step(state, tokens):
    w, m = state
    value, g = jax.value_and_grad(loss)(w, tokens)
    m = jax.tree.map(lambda m, g: 0.9 * m + g, m, g)
    return (jax.tree.map(lambda w, m: w - 0.1 * m, w, m), m), value


def make(key):
    shapes = {"embed": (WORDS, WIDTH), "layers": {"qkv": (LAYERS, WIDTH, 3, HEADS, WIDTH // HEADS), "out": (LAYERS, HEADS, WIDTH // HEADS, WIDTH),
                                                  "up": (LAYERS, WIDTH, 4 * WIDTH), "down": (LAYERS, 4 * WIDTH, WIDTH)}}
    w = jax.tree.map(lambda s: 0.02 * jax.random.normal(key, s), shapes, is_leaf=lambda s: isinstance(s, tuple))
    return (w, jax.tree.map(jnp.zeros_like, w)), jax.random.randint(key, (BATCH, SEQ + 1), 0, WORDS)


if __name__ == "__main__":
    device = next((a for a in sys.argv[1:] if a != "small"), "h100")
    plan = tessera.jax.auto_shard(step, *jax.eval_shape(make, jax.random.key(0)), devices=8, device=device, donate_argnums=0)
    print(plan.report(), plan.diff(), sep="\n")
    state, tokens = jax.jit(make, out_shardings=plan.in_shardings)(jax.random.key(0))
    for _ in range(2):
        state, value = plan.jit(state, tokens)
        print(float(value))
