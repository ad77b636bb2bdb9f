# SPDX-License-Identifier: Apache-2.0
"""way_models.py - training steps as users write them, with plain pytrees, flax and equinox: what bench/way_back.py plans and runs.

MODELS: by name a function of "big" (full width, planned with abstract values) or "small" (the same at a width that runs here); it gives (step, function that makes
the arguments from a key). The first argument is the state; it is donated."""
import jax
import jax.numpy as jnp


def norm(x, g):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * g


def attend(q, k, v, causal=True):
    s = jnp.einsum("bthd,bshd->bhts", q, k) / q.shape[-1] ** 0.5
    if causal:
        s = jnp.where(jnp.tril(jnp.ones(s.shape[-2:], bool)), s, -1e9)
    y = jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, -1), v)
    return y.reshape(*y.shape[:2], -1)


def cross_entropy(logits, y):
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits.astype(jnp.promote_types(logits.dtype, jnp.float32))), y[..., None], -1))


def adam(loss):
    """The training step of a loss: the state is (parameters, two moments, count)."""

    def step(state, *batch):
        p, m, v, t = state
        value, g = jax.value_and_grad(loss)(p, *batch)
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
        v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, v, g)
        scale = jnp.sqrt(1 - 0.99 ** (t + 1.0)) / (1 - 0.9 ** (t + 1.0))
        p = jax.tree.map(lambda p, m, v: p - 1e-3 * scale * m / (jnp.sqrt(v) + 1e-8), p, m, v)
        return (p, m, v, t + 1), value

    return step


def state_of(p):
    return p, jax.tree.map(jnp.zeros_like, p), jax.tree.map(jnp.zeros_like, p), jnp.int32(0)


def arrays(key, shapes, scale=0.02):
    """Normal numbers of these shapes; ones where the name of a leaf begins with n."""
    flat, tree = jax.tree_util.tree_flatten_with_path(shapes, is_leaf=lambda s: isinstance(s, tuple))
    keys = jax.random.split(key, len(flat))
    one = lambda path: str(getattr(path[-1], "key", "")).startswith("n")
    return jax.tree.unflatten(tree, [jnp.ones(s) if one(p) else scale * jax.random.normal(k, s) for k, (p, s) in zip(keys, flat)])


def tokens(key, batch, seq, vocab):
    x = jax.random.randint(key, (batch, seq + 1), 0, vocab)
    return x[:, :-1], x[:, 1:]


def abstract(make):
    """The arguments without their data; leaves that are no arrays (Equinox has them) stay."""
    kept = {}

    def run(key):
        flat, kept["tree"] = jax.tree.flatten(make(key))
        kept["others"] = {i: v for i, v in enumerate(flat) if not hasattr(v, "shape")}
        return [v for i, v in enumerate(flat) if i not in kept["others"]]

    found = iter(jax.eval_shape(run, jax.random.key(0)))
    return jax.tree.unflatten(kept["tree"], [kept["others"][i] if i in kept["others"] else next(found) for i in range(kept["tree"].num_leaves)])


def gpt(size):
    L, D, H, F, V, T, B = (24, 2048, 16, 8192, 32768, 1024, 64) if size == "big" else (3, 64, 8, 256, 128, 32, 16)
    layer = dict(n1=(L, D), n2=(L, D), qkv=(L, D, 3, H, D // H), out=(L, D, D), up=(L, D, F), down=(L, F, D))

    def block(x, w):
        q, k, v = jnp.moveaxis(jnp.einsum("btd,dche->bthce", norm(x, w["n1"]), w["qkv"]), 3, 0)
        x = x + attend(q, k, v) @ w["out"]
        return x + jax.nn.gelu(norm(x, w["n2"]) @ w["up"]) @ w["down"]

    def loss(p, x, y):
        h = p["embed"][x] + p["pos"]
        h, _ = jax.lax.scan(lambda h, w: (jax.checkpoint(block)(h, w), None), h, p["layers"])
        return cross_entropy(norm(h, p["nf"]) @ p["head"], y)

    shapes = dict(embed=(V, D), pos=(T, D), layers=layer, nf=(D,), head=(D, V))
    return adam(loss), lambda key: (state_of(arrays(key, shapes)), *tokens(key, B, T, V))


def mlp(size):
    L, D, F, B = (6, 4096, 16384, 8192) if size == "big" else (3, 64, 256, 64)

    def loss(p, x, y):
        for w in p["layers"]:
            x = x + jax.nn.relu(x @ w["up"] + w["bias"]) @ w["down"]
        return jnp.mean((x @ p["head"] - y) ** 2)

    shapes = dict(layers=[dict(up=(D, F), bias=(F,), down=(F, D)) for _ in range(L)], head=(D, 128))
    return adam(loss), lambda key: (state_of(arrays(key, shapes)), jax.random.normal(key, (B, D)), jax.random.normal(key, (B, 128)))


def moe(size):
    """Experts behind a router with capacity: each token goes to one of them, by products with one-hot masks; layers in a scan, recomputed."""
    L, D, F, E, T, B, V, H = (8, 2048, 8192, 8, 1024, 32, 32768, 16) if size == "big" else (2, 64, 128, 8, 32, 16, 128, 8)
    C = 2 * T // E
    layer = dict(n1=(L, D), n2=(L, D), q=(L, D, H, D // H), k=(L, D, H, D // H), v=(L, D, H, D // H), out=(L, D, D), router=(L, D, E), up=(L, E, D, F), down=(L, E, F, D))

    def block(x, w):
        h = norm(x, w["n1"])
        x = x + attend(*(jnp.einsum("btd,dhe->bthe", h, w[n]) for n in "qkv")) @ w["out"]
        h = norm(x, w["n2"])
        gates = jax.nn.softmax(h @ w["router"])
        hot = jax.nn.one_hot(jnp.argmax(gates, -1), E)
        place = jnp.sum((jnp.cumsum(hot, 1) - 1) * hot, -1).astype(jnp.int32)
        sent = hot[..., None] * jax.nn.one_hot(place, C)[:, :, None, :]
        given = jnp.einsum("btec,btd->ebcd", sent, h)
        made = jnp.einsum("ebcf,efd->ebcd", jax.nn.gelu(jnp.einsum("ebcd,edf->ebcf", given, w["up"])), w["down"])
        return x + jnp.einsum("btec,ebcd->btd", sent * jnp.max(gates, -1)[..., None, None], made)

    def loss(p, x, y):
        h, _ = jax.lax.scan(lambda h, w: (jax.checkpoint(block)(h, w), None), p["embed"][x], p["layers"])
        return cross_entropy(h @ p["embed"].T, y)

    return adam(loss), lambda key: (state_of(arrays(key, dict(embed=(V, D), layers=layer))), *tokens(key, B, T, V))


def vit(size):
    L, D, H, F, B, N = (24, 1024, 16, 4096, 512, 256) if size == "big" else (2, 64, 8, 256, 16, 16)

    def block(x, w):
        b, t, d = x.shape
        q, k, v = jnp.split((norm(x, w["n1"]) @ w["qkv"]).reshape(b, t, H, -1), 3, -1)
        x = x + attend(q, k, v, False) @ w["out"]
        return x + jax.nn.gelu(norm(x, w["n2"]) @ w["up"]) @ w["down"]

    def loss(p, x, y):
        h = x @ p["patch"] + p["pos"]
        for w in p["layers"]:
            h = jax.checkpoint(block)(h, w)
        return cross_entropy(jnp.mean(h, 1) @ p["head"], y)

    shapes = dict(patch=(768, D), pos=(N, D), layers=[dict(n1=(D,), n2=(D,), qkv=(D, 3 * D), out=(D, D), up=(D, F), down=(F, D)) for _ in range(L)], head=(D, 1000))
    return adam(loss), lambda key: (state_of(arrays(key, shapes)), jax.random.normal(key, (B, N, 768)), jax.random.randint(key, (B,), 0, 1000))


def llama(size):
    L, D, H, K, F, V, T, B = (32, 4096, 32, 8, 14336, 128256, 2048, 32) if size == "big" else (2, 64, 8, 4, 128, 256, 32, 16)
    E, half = D // H, jnp.bfloat16 if size == "big" else jnp.float64  # in which differences of summation would show
    layer = dict(n1=(L, D), n2=(L, D), q=(L, D, H, E), k=(L, D, K, E), v=(L, D, K, E), out=(L, D, D), gate=(L, D, F), up=(L, D, F), down=(L, F, D))

    def turned(x):
        angle = (jnp.arange(x.shape[1])[:, None] / 10000 ** (jnp.arange(E // 2) * 2 / E))[None, :, None]
        a, b = jnp.split(x, 2, -1)
        c, s = jnp.cos(angle).astype(x.dtype), jnp.sin(angle).astype(x.dtype)
        return jnp.concatenate([a * c - b * s, a * s + b * c], -1)

    def block(x, w):
        w = jax.tree.map(lambda v: v.astype(half), w)
        h = norm(x, w["n1"])
        q, k, v = (jnp.einsum("btd,dhe->bthe", h, w[n]) for n in "qkv")
        x = x + attend(turned(q), jnp.repeat(turned(k), H // K, 2), jnp.repeat(v, H // K, 2)) @ w["out"]
        h = norm(x, w["n2"])
        return x + (jax.nn.silu(h @ w["gate"]) * (h @ w["up"])) @ w["down"]

    def loss(p, x, y):
        h, _ = jax.lax.scan(lambda h, w: (jax.checkpoint(block)(h, w), None), p["embed"][x].astype(half), p["layers"])
        return cross_entropy(norm(h, p["nf"].astype(h.dtype)) @ p["head"].astype(h.dtype), y)

    return adam(loss), lambda key: (state_of(arrays(key, dict(embed=(V, D), layers=layer, nf=(D,), head=(D, V)))), *tokens(key, B, T, V))


def flax_gpt(size):
    import flax.linen as nn

    L, D, H, F, V, T, B = (12, 2048, 16, 8192, 32768, 1024, 64) if size == "big" else (2, 64, 8, 256, 128, 32, 16)

    class Block(nn.Module):
        @nn.compact
        def __call__(self, x):
            h = nn.LayerNorm()(x)
            x = x + nn.MultiHeadDotProductAttention(num_heads=H)(h, mask=nn.make_causal_mask(x[..., 0]))
            return x + nn.Dense(D)(nn.gelu(nn.Dense(F)(nn.LayerNorm()(x))))

    class Net(nn.Module):
        @nn.compact
        def __call__(self, x):
            table = nn.Embed(V, D)
            h = table(x)
            for _ in range(L):
                h = nn.remat(Block)()(h)
            return table.attend(nn.LayerNorm()(h))

    net = Net()

    def make(key):
        x, y = tokens(key, B, T, V)
        return state_of(net.init(key, x)), x, y

    return adam(lambda p, x, y: cross_entropy(net.apply(p, x), y)), make


def equinox_mlp(size):
    import equinox as eqx

    D, F, L, B = (4096, 16384, 8, 8192) if size == "big" else (64, 256, 3, 64)

    def make(key):
        net = eqx.nn.MLP(D, D, F, L, key=key)
        p, rest = eqx.partition(net, eqx.is_inexact_array)
        return (p, rest, jax.tree.map(jnp.zeros_like, p)), jax.random.normal(key, (B, D)), jax.random.normal(key, (B, D))

    def step(state, x, y):
        p, rest, m = state
        value, g = jax.value_and_grad(lambda p: jnp.mean((jax.vmap(eqx.combine(p, rest))(x) - y) ** 2))(p)
        m = jax.tree.map(lambda m, g: 0.9 * m + g, m, g)
        return (jax.tree.map(lambda p, m: p - 1e-2 * m, p, m), rest, m), value

    return step, make


MODELS = {"MLP": mlp, "GPT, scan, remat": gpt, "MoE, scan, remat": moe, "ViT": vit, "Llama, scan, remat": llama, "GPT in flax": flax_gpt, "MLP in equinox": equinox_mlp}
