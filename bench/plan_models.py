# SPDX-License-Identifier: Apache-2.0
"""plan_models.py - training steps of models at full shape, written in JAX and exported with abstract values: what bench/plans.py plans.

A model is (shapes of parameters, loss(parameters, *data), shapes and types of data); the step has Adam's two moments beside the parameters, donates its
state and recomputes each layer in the backward pass."""
import jax
import jax.numpy as jnp

BF16 = jnp.bfloat16

# layers, width, heads, vocabulary, sequence, sequences a device
GPTS = {
    "gpt-124m": dict(layers=12, width=768, heads=12, seq=1024, batch=32),
    "gpt-1.3b": dict(layers=24, width=2048, heads=16, seq=2048, batch=8),
    "gpt-6.7b": dict(layers=32, width=4096, heads=32, seq=2048, batch=4),
    "gpt-39b": dict(layers=48, width=8192, heads=64, seq=2048, batch=2),
    "gpt-175b": dict(layers=96, width=12288, heads=96, seq=2048, batch=1),
    "llama-8b": dict(layers=32, width=4096, heads=32, vocab=128256, seq=4096, batch=2, inner=14336, gated=True),
    "llama-70b": dict(layers=80, width=8192, heads=64, vocab=128256, seq=4096, batch=1, inner=28672, gated=True),
    "moe-8x": dict(layers=16, width=2048, heads=16, vocab=32000, seq=2048, batch=4, experts=8),
    "vit-l": dict(layers=24, width=1024, heads=16, vocab=0, seq=256, batch=64),
}


def norm(x, scale):
    y = x.astype(jnp.float32)
    return (y * jax.lax.rsqrt(jnp.mean(y * y, -1, keepdims=True) + 1e-5)).astype(BF16) * scale.astype(BF16)


def attention_shapes(width, heads):
    return {"qkv": (width, 3, heads, width // heads), "out": (heads, width // heads, width)}


def attention(w, y, memory, mask):
    """memory: what keys and values are made of."""
    q = jnp.einsum("bsd,dhe->bhse", y, w["qkv"][:, 0])
    k, v = [jnp.einsum("bsd,dhe->bhse", memory, w["qkv"][:, i]) for i in (1, 2)]
    scores = jnp.einsum("bhse,bhte->bhst", q, k).astype(jnp.float32) / q.shape[-1] ** 0.5
    if mask:
        scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -1e9)
    y = jnp.einsum("bhst,bhte->bhse", jax.nn.softmax(scores, -1).astype(BF16), v)
    return jnp.einsum("bhse,hed->bsd", y, w["out"])


def narrow(p):
    return jax.tree.map(lambda v: v.astype(BF16), p)


def cross_entropy(logits, y):
    logits = logits.astype(jnp.float32)
    picked = jnp.take_along_axis(logits, y[..., None], -1)[..., 0]
    return jnp.mean(jax.nn.logsumexp(logits, -1) - picked)


def transformer(layers, width, heads, seq, batch, vocab=50304, inner=0, gated=False, experts=0):
    inner = inner or 4 * width
    lead = (experts,) if experts else ()
    one = dict(attention_shapes(width, heads), n1=(width,), n2=(width,), up=lead + (width, inner), down=lead + (inner, width))
    if gated:
        one["gate"] = lead + (width, inner)
    if experts:
        one["router"] = (width, experts)
    shapes = {"top": {"embed": (vocab, width)} if vocab else {"head": (width, 1000)}, "layers": [dict(one) for _ in range(layers)]}

    def layer(p, x):
        w = narrow(p)
        y = norm(x, p["n1"])
        x = x + attention(w, y, y, vocab)
        y = norm(x, p["n2"])
        if experts:
            gates = jax.nn.softmax(y @ w["router"], -1)
            h = jax.nn.gelu(jnp.einsum("bsd,edf->ebsf", y, w["up"]))
            return x + jnp.einsum("ebsf,efd,bse->bsd", h, w["down"], gates)
        h = y @ w["up"]
        h = jax.nn.silu(y @ w["gate"]) * h if gated else jax.nn.gelu(h)
        return x + h @ w["down"]

    def loss(params, x, y):
        h = params["top"]["embed"].astype(BF16)[x] if vocab else x
        for p in params["layers"]:
            h = jax.checkpoint(layer)(p, h)
        out = params["top"]["embed"].T if vocab else params["top"]["head"]
        return cross_entropy((h if vocab else jnp.mean(h, 1)) @ out.astype(BF16), y)

    data = [((batch, seq), jnp.int32), ((batch, seq), jnp.int32)] if vocab else [((batch, seq, width), BF16), ((batch,), jnp.int32)]
    return shapes, loss, data


def t5(layers=24, width=1024, heads=16, inner=4096, vocab=32128, seq=512, batch=16):
    ffn = {"up": (width, inner), "down": (inner, width), "n1": (width,), "n2": (width,), "n3": (width,)}
    shapes = {"embed": (vocab, width), "encoder": [dict(ffn, own=attention_shapes(width, heads)) for _ in range(layers)],
              "decoder": [dict(ffn, own=attention_shapes(width, heads), other=attention_shapes(width, heads)) for _ in range(layers)]}

    def encode(p, x):
        y = norm(x, p["n1"])
        x = x + attention(narrow(p["own"]), y, y, False)
        return x + jax.nn.relu(norm(x, p["n2"]) @ p["up"].astype(BF16)) @ p["down"].astype(BF16)

    def decode(p, x, memory):
        y = norm(x, p["n1"])
        x = x + attention(narrow(p["own"]), y, y, True)
        x = x + attention(narrow(p["other"]), norm(x, p["n3"]), memory, False)
        return x + jax.nn.relu(norm(x, p["n2"]) @ p["up"].astype(BF16)) @ p["down"].astype(BF16)

    def loss(params, x, y):
        table = params["embed"].astype(BF16)
        h, out = table[x], table[y]
        for p in params["encoder"]:
            h = jax.checkpoint(encode)(p, h)
        for p in params["decoder"]:
            out = jax.checkpoint(decode)(p, out, h)
        return cross_entropy(out @ table.T, y)

    return shapes, loss, [((batch, seq), jnp.int32)] * 2


def conv(x, w, stride=1):
    return jax.lax.conv_general_dilated(x, w.astype(BF16), (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def batch_norm(x, scale):
    y = x.astype(jnp.float32)
    y = (y - jnp.mean(y, (0, 1, 2))) * jax.lax.rsqrt(jnp.var(y, (0, 1, 2)) + 1e-5)
    return y.astype(BF16) * scale.astype(BF16)


def wide_resnet(batch=16, blocks=(3, 4, 23, 3), width=128):
    shapes, before = {"stem": (7, 7, 3, 64), "blocks": []}, 64
    for stage, n in enumerate(blocks):
        inner, out = width << stage, 256 << stage
        for _ in range(n):
            one = {"a": (1, 1, before, inner), "b": (3, 3, inner, inner), "c": (1, 1, inner, out), "sa": (inner,), "sb": (inner,), "sc": (out,)}
            if before != out:
                one["skip"] = (1, 1, before, out)
            shapes["blocks"].append(one)
            before = out
    shapes["head"] = (before, 1000)

    def block(p, x, stride):
        y = jax.nn.relu(batch_norm(conv(x, p["a"]), p["sa"]))
        y = jax.nn.relu(batch_norm(conv(y, p["b"], stride), p["sb"]))
        y = batch_norm(conv(y, p["c"]), p["sc"])
        return jax.nn.relu(y + (conv(x, p["skip"], stride) if "skip" in p else x))

    def loss(params, x, y):
        h = jax.nn.relu(conv(x, params["stem"], 4))
        first = [sum(blocks[:i]) for i in range(1, len(blocks))]
        for i, p in enumerate(params["blocks"]):
            h = block(p, h, 2 if i in first else 1)
        return cross_entropy(jnp.mean(h, (1, 2)) @ params["head"].astype(BF16), y)

    return shapes, loss, [((batch, 224, 224, 3), BF16), ((batch,), jnp.int32)]


def unet(batch=8, channels=(128, 256, 512, 1024), size=128):
    shapes, before = {"down": [], "up": [], "first": (3, 3, 3, channels[0]), "last": (3, 3, channels[0], 3)}, channels[0]
    for c in channels:
        shapes["down"].append({"a": (3, 3, before, c), "b": (3, 3, c, c)})
        before = c
    for c in channels[-2::-1]:
        shapes["up"].append({"a": (3, 3, before + c, c), "b": (3, 3, c, c)})
        before = c

    def two(p, x):
        return jax.nn.silu(conv(jax.nn.silu(conv(x, p["a"])), p["b"]))

    def loss(params, x, y):
        h, kept = conv(x, params["first"]), []
        for p in params["down"]:
            h = two(p, h)
            kept.append(h)
            if len(kept) < len(channels):
                b, n, _, c = h.shape
                h = jnp.mean(h.reshape(b, n // 2, 2, n // 2, 2, c), (2, 4))
        for p, side in zip(params["up"], kept[-2::-1]):
            h = jnp.repeat(jnp.repeat(h, 2, 1), 2, 2)
            h = two(p, jnp.concatenate([h, side], -1))
        return jnp.mean((conv(h, params["last"]) - y).astype(jnp.float32) ** 2)

    return shapes, loss, [((batch, size, size, 3), BF16)] * 2


def gns(nodes=8192, edges=65536, width=256, steps=10):
    mlp = lambda n: {"a": (n, width), "b": (width, width)}
    shapes = {"node": mlp(32), "edge": mlp(8), "steps": [{"node": mlp(2 * width), "edge": mlp(3 * width)} for _ in range(steps)], "out": (width, 3)}

    def run(p, x):
        return jax.nn.relu(x @ p["a"].astype(BF16)) @ p["b"].astype(BF16)

    def step(p, n, e, source, target):
        e = e + run(p["edge"], jnp.concatenate([e, n[source], n[target]], -1))
        return n + run(p["node"], jnp.concatenate([n, jnp.zeros_like(n).at[target].add(e)], -1)), e

    def loss(params, x, e, source, target, y):
        n, e = run(params["node"], x), run(params["edge"], e)
        for p in params["steps"]:
            n, e = jax.checkpoint(step)(p, n, e, source, target)
        return jnp.mean((n @ params["out"].astype(BF16) - y).astype(jnp.float32) ** 2)

    return shapes, loss, [((nodes, 32), BF16), ((edges, 8), BF16), ((edges,), jnp.int32), ((edges,), jnp.int32), ((nodes, 3), BF16)]


def lstm(batch=64, seq=256, width=2048, layers=4, vocab=32000):
    shapes = {"embed": (vocab, width), "layers": [{"x": (width, 4, width), "h": (width, 4, width)} for _ in range(layers)]}

    def loss(params, x, y):
        table = params["embed"].astype(BF16)
        h = table[x]
        for p in params["layers"]:
            w = p["h"].astype(BF16)

            def cell(carry, z):
                c, s = carry
                i, f, g, o = jnp.moveaxis(z + jnp.einsum("bd,dke->bke", s, w), 1, 0)
                c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
                s = jax.nn.sigmoid(o) * jnp.tanh(c)
                return (c, s), s

            z = jnp.einsum("bsd,dke->sbke", h, p["x"].astype(BF16))
            start = jnp.zeros((batch, width), BF16)
            h = jnp.swapaxes(jax.lax.scan(cell, (start, start), z)[1], 0, 1)
        return cross_entropy(h @ table.T, y)

    return shapes, loss, [((batch, seq), jnp.int32)] * 2


OTHERS = {"t5-large": t5, "wide-resnet": wide_resnet, "u-net": unet, "gns": gns, "lstm": lstm}
NAMES = list(GPTS) + list(OTHERS)


def scaled(name, devices):
    """The model with as much data as so many devices have."""
    if name in GPTS:
        return transformer(**dict(GPTS[name], batch=GPTS[name]["batch"] * devices))
    if name == "gns":
        return gns(nodes=8192 * devices, edges=65536 * devices)
    return OTHERS[name](batch=OTHERS[name].__defaults__[OTHERS[name].__code__.co_varnames.index("batch")] * devices)


def export(name, devices, named=False):
    """The text of a training step: parameters, two moments of Adam, data -> parameters, moments, loss. named: with locations."""
    shapes, loss, data = scaled(name, devices)

    def step(params, m, v, *batch):
        value, grads = jax.value_and_grad(loss)(params, *batch)
        m = jax.tree.map(lambda a, g: 0.9 * a + 0.1 * g, m, grads)
        v = jax.tree.map(lambda a, g: 0.95 * a + 0.05 * g * g, v, grads)
        params = jax.tree.map(lambda p, a, b: p - 1e-4 * a / (jnp.sqrt(b) + 1e-8), params, m, v)
        return params, m, v, value

    state = jax.tree.map(lambda s: jax.ShapeDtypeStruct(s, jnp.float32), shapes, is_leaf=lambda s: isinstance(s, tuple))
    batch = [jax.ShapeDtypeStruct(s, t) for s, t in data]
    return jax.jit(step, donate_argnums=(0, 1, 2)).lower(state, state, state, *batch).as_text(debug_info=named)
