# SPDX-License-Identifier: Apache-2.0
"""What people build: attention in rings, pipelines, experts, sharded parameters, stencils."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec as P

from pick import on_one_axis, program, shift


def _ring(p, causal):
    mesh = p.mesh("sp") if p.one(0, 1) else p.mesh("dp", "sp")
    n = mesh.shape["sp"]
    b = 2 * mesh.shape.get("dp", 1)
    t, h, d = n * p.one(1, 2, 3), p.one(1, 2), p.one(2, 4)

    def ring(q, k, v):
        i = lax.axis_index("sp")
        size = q.shape[1]

        def step(carry, s):
            acc, m, l, k, v = carry
            logits = jnp.einsum("bqhd,bkhd->bhqk", q, k) / d ** 0.5
            if causal:
                src = (i - s) % n
                qi, ki = i * size + jnp.arange(size), src * size + jnp.arange(size)
                logits = jnp.where(qi[:, None] >= ki[None, :], logits, -1e30)
            new = jnp.maximum(m, logits.max(-1))
            e = jnp.exp(logits - new[..., None])
            scale = jnp.exp(m - new)
            l = l * scale + e.sum(-1)
            acc = acc * scale.transpose(0, 2, 1)[..., None] + jnp.einsum("bhqk,bkhd->bqhd", e, v)
            return (acc, new, l, lax.ppermute(k, "sp", shift(n)), lax.ppermute(v, "sp", shift(n))), None
        m0 = jnp.full((q.shape[0], h, size), -1e30)
        (acc, m, l, _, _), _ = lax.scan(step, (q * 0, m0 + 0 * q[..., 0].transpose(0, 2, 1), 0 * m0, k, v), jnp.arange(n))
        return acc / l.transpose(0, 2, 1)[..., None]
    spec = P("dp" if "dp" in mesh.shape else None, "sp")
    f = jax.shard_map(ring, mesh=mesh, in_specs=(spec, spec, spec), out_specs=spec, check_vma=False)
    return f, [p.f32(b, t, h, d) for _ in range(3)], mesh, (spec, spec, spec)


@program
def ring_attention(p):
    return _ring(p, p.one(True, False))


@program
def ring_attention_grad(p):
    f, args, mesh, specs = _ring(p, p.one(True, False))

    def train(q, k, v):
        return jax.value_and_grad(lambda q, k, v: (f(q, k, v) ** 2).sum(), argnums=(0, 1, 2))(q, k, v)
    return train, args, mesh, specs


def _pipeline(p):
    mesh = p.mesh("stage") if p.one(0, 1) else p.mesh("data", "stage")
    n = mesh.shape["stage"]
    micro, mb, k = n * p.one(1, 2), 2 * mesh.shape.get("data", 1), p.one(2, 4)

    def stage(w, b, x):
        return jnp.tanh(x @ w + b)

    def pipe(ws, bs, xs):
        w, b = ws[0], bs[0]
        i = lax.axis_index("stage")
        state = jnp.zeros(xs.shape[1:]) + 0 * w[0, 0]
        out = jnp.zeros(xs.shape) + 0 * w[0, 0]

        def step(carry, t):
            state, out = carry
            state = jnp.where(i == 0, xs[jnp.minimum(t, micro - 1)], state)
            state = stage(w, b, state)
            at = jnp.maximum(t - (n - 1), 0)
            put = (i == n - 1) & (t >= n - 1)
            out = jnp.where(put, lax.dynamic_update_index_in_dim(out, state, at, 0), out)
            return (lax.ppermute(state, "stage", shift(n)), out), None
        (_, out), _ = lax.scan(step, (state, out), jnp.arange(micro + n - 1))
        return lax.psum(jnp.where(i == n - 1, out, 0), "stage")
    data = "data" if "data" in mesh.shape else None
    specs = (P("stage"), P("stage"), P(None, data))
    f = jax.shard_map(pipe, mesh=mesh, in_specs=specs, out_specs=P(None, data), check_vma=False)
    args = [p.f32(n, k, k) * 0.7, p.f32(n, k) * 0.1, p.f32(micro, mb, k)]
    return f, args, mesh, specs


@program
def gpipe(p):
    return _pipeline(p)


@program
def gpipe_train(p):
    f, args, mesh, specs = _pipeline(p)

    def train(ws, bs, xs):
        def loss(ws, bs):
            return ((f(ws, bs, xs) - 0.5) ** 2).mean()
        l, g = jax.value_and_grad(loss, argnums=(0, 1))(ws, bs)
        return l, ws - 0.1 * g[0], bs - 0.1 * g[1]
    return train, args, mesh, specs


@program
def moe_all_to_all(p):
    mesh = p.mesh("ep")
    n = mesh.shape["ep"]
    experts, cap, d, tokens = n * p.one(1, 2), p.one(2, 3), p.one(2, 4), n * p.one(4, 6)

    def moe(x, gate, w1, w2):
        scores = jax.nn.softmax(x @ gate, -1)
        which = jnp.argmax(scores, -1)
        onehot = jax.nn.one_hot(which, experts, dtype=jnp.int32)
        place = (jnp.cumsum(onehot, 0) - 1) * onehot
        keep = (place < cap) & (onehot > 0)
        slot = jax.nn.one_hot(jnp.where(keep, place, cap).max(-1), cap + 1)[:, :cap]
        dispatch = keep.any(-1)[:, None, None] * onehot[:, :, None] * slot[:, None, :]
        send = jnp.einsum("tec,td->ecd", dispatch, x)
        got = lax.all_to_all(send, "ep", split_axis=0, concat_axis=1, tiled=True)
        h = jax.nn.relu(jnp.einsum("ecd,edf->ecf", got, w1))
        y = jnp.einsum("ecf,efd->ecd", h, w2)
        back = lax.all_to_all(y, "ep", split_axis=1, concat_axis=0, tiled=True)
        out = jnp.einsum("tec,ecd->td", dispatch * scores[:, :, None], back)
        return out, lax.pmean(scores.mean(0), "ep")
    f = jax.shard_map(moe, mesh=mesh, in_specs=(P("ep"), P(), P("ep"), P("ep")), out_specs=(P("ep"), P()))
    return f, [p.f32(tokens, d), p.f32(d, experts), p.f32(experts, d, 3), p.f32(experts, 3, d)], mesh


@program
def fsdp_train(p):
    mesh = p.mesh("fsdp") if p.one(0, 1) else p.mesh("dp", "fsdp")
    n = mesh.shape["fsdp"]
    layers, d = p.one(2, 3), n * p.one(1, 2)
    axes = tuple(mesh.shape)

    def body(ws, x, y):
        def loss(ws):
            def layer(h, w):
                return jax.checkpoint(lambda h, w: jnp.tanh(h @ lax.all_gather(w, "fsdp", tiled=True)))(h, w), None
            h, _ = lax.scan(layer, x, ws)
            return ((h - y) ** 2).sum()
        l, g = jax.value_and_grad(loss)(ws)
        if "dp" in axes:
            g = lax.psum(g, "dp")
        return lax.psum(l, axes), ws - 0.01 * g
    f = jax.shard_map(body, mesh=mesh, in_specs=(P(None, "fsdp"), P(axes), P(axes)), out_specs=(P(), P(None, "fsdp")),
                      check_vma=False)
    b = mesh.size * 2
    return f, [p.f32(layers, d, d) * 0.3, p.f32(b, d), p.f32(b, d)], mesh


@program
def fsdp_reduce_scatter(p):
    mesh = p.mesh("d")
    n = mesh.shape["d"]

    def body(w, x, y):
        full = lax.all_gather(w, "d", tiled=True)

        def loss(full):
            return ((x @ full - y) ** 2).mean()
        l, g = jax.value_and_grad(loss)(full)
        g = lax.psum_scatter(g, "d", scatter_dimension=0, tiled=True) / n
        norm = jnp.sqrt(lax.psum((g * g).sum(), "d"))
        return lax.pmean(l, "d"), w - 0.1 * g / (1 + norm)
    f = jax.shard_map(body, mesh=mesh, in_specs=(P("d"), P("d"), P("d")), out_specs=(P(), P("d")), check_vma=False)
    d = n * p.one(1, 2)
    return f, [p.f32(d, 3), p.f32(n * 2, d), p.f32(n * 2, 3)], mesh


@program
def time_sharded_scan(p):
    """A linear recurrence along a dimension in parts, the carry handed on by an associative scan of the parts."""
    mesh = p.mesh("t")
    n = mesh.shape["t"]

    def combine(x, y):
        return x[0] * y[0], y[0] * x[1] + y[1]

    def body(a, b):
        aa, bb = lax.associative_scan(combine, (a, b))
        la, lb = lax.all_gather(aa[-1], "t"), lax.all_gather(bb[-1], "t")
        ca, cb = lax.associative_scan(combine, (la, lb))
        i = lax.axis_index("t")
        before = jnp.where(i > 0, cb[jnp.maximum(i - 1, 0)], 0)
        return bb + aa * before
    f = jax.shard_map(body, mesh=mesh, in_specs=(P("t"), P("t")), out_specs=P("t"))
    t = n * p.one(1, 2, 3, 5)
    return f, [p.f32(t, 3) * 0.5, p.f32(t, 3)], mesh


@program
def time_sharded_scan_auto(p):
    """The same without shard_map: every slice of the scan is in parts."""
    mesh = p.mesh("t") if p.one(0, 1) else p.mesh("t", "m")
    t = mesh.shape["t"] * p.one(1, 2, 3) + p.one(0, 0, 1)

    def f(a, b):
        def combine(x, y):
            return x[0] * y[0], y[0] * x[1] + y[1]
        return lax.associative_scan(combine, (a, b), reverse=rev)[1]
    rev = p.one(True, False)
    even = t % mesh.shape["t"] == 0
    return f, [p.f32(t, 4) * 0.5, p.f32(t, 4)], mesh, (P("t"), P("t")) if even else None


@program
def time_sharded_scan_partial(p):
    """In a computation that is manual along batches, and in parts along time."""
    mesh = p.mesh("b", "t")

    def f(a, x):
        def combine(l, r):
            return l[0] * r[0], r[0] * l[1] + r[1]

        def body(a, x):
            a = lax.with_sharding_constraint(a, P(None, "t"))
            h = lax.associative_scan(combine, (a, x), axis=1)[1]
            return h, lax.psum(h.sum((0, 1)), "b")
        return jax.shard_map(body, mesh=mesh, in_specs=(P("b"), P("b")), out_specs=(P("b"), P()), axis_names={"b"},
                             check_vma=False)(a, x)
    b, t = mesh.shape["b"] * p.one(1, 2), mesh.shape["t"] * p.one(1, 2, 4)
    return f, [p.f32(b, t, 2) * 0.5, p.f32(b, t, 2)], mesh, (P("b", "t"), P("b", "t"))


@program
def halo_stencil(p):
    mesh = p.mesh("x") if p.one(0, 1) else p.mesh("x", "y")
    two = "y" in mesh.shape
    steps = p.one(1, 3)

    def body(u):
        def exchange(u, axis, dim):
            n = mesh.shape[axis]
            first = lax.slice_in_dim(u, 0, 1, axis=dim)
            last = lax.slice_in_dim(u, u.shape[dim] - 1, u.shape[dim], axis=dim)
            left = lax.ppermute(last, axis, [(i, i + 1) for i in range(n - 1)])
            right = lax.ppermute(first, axis, [(i + 1, i) for i in range(n - 1)])
            return jnp.concatenate([left, u, right], dim)

        def step(i, u):
            a = exchange(u, "x", 0)
            out = a[:-2] + a[2:]
            if two:
                b = exchange(u, "y", 1)
                out = out + b[:, :-2] + b[:, 2:]
            return 0.2 * out + 0.1 * u
        return lax.fori_loop(0, steps, step, u)
    spec = P("x", "y") if two else P("x")
    f = jax.shard_map(body, mesh=mesh, in_specs=spec, out_specs=spec)
    return f, [p.f32(mesh.shape["x"] * p.one(1, 3), mesh.shape.get("y", 1) * 3)], mesh


@program
def batch_norm_train(p):
    mesh = p.mesh("dp")
    n = mesh.shape["dp"]

    def body(x, y, w, scale, bias, mean, var):
        def loss(w, scale, bias):
            h = lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            m = lax.pmean(h.mean((0, 1, 2)), "dp")
            v = lax.pmean((h * h).mean((0, 1, 2)), "dp") - m * m
            o = (h - m) * lax.rsqrt(v + 1e-5) * scale + bias
            return lax.pmean(((jax.nn.relu(o).mean((1, 2)) - y) ** 2).mean(), "dp"), (m, v)
        (l, (m, v)), g = jax.value_and_grad(loss, argnums=(0, 1, 2), has_aux=True)(w, scale, bias)
        return l, g, 0.9 * mean + 0.1 * m, 0.9 * var + 0.1 * v
    f = jax.shard_map(body, mesh=mesh, in_specs=(P("dp"), P("dp")) + (P(),) * 5, out_specs=P())
    c, s = p.one(2, 3), p.one(3, 4)
    return f, [p.f32(n * 2, s, s, 2), p.f32(n * 2, c), p.f32(3, 3, 2, c), p.f32(c), p.f32(c), p.f32(c), np.abs(p.f32(c))], mesh


@program
def collective_matmul_gather(p):
    """A product whose operand comes round in parts, instead of being gathered first."""
    mesh = p.mesh("m") if p.one(0, 1) else p.mesh("m", "d")
    n = mesh.shape["m"]

    def body(x, w):
        i = lax.axis_index("m")
        rows = x.shape[0]

        def step(s, carry):
            acc, x = carry
            part = x @ w
            acc = lax.dynamic_update_slice_in_dim(acc, part, ((i + s) % n) * rows, 0)
            return acc, lax.ppermute(x, "m", shift(n, -1))
        acc = jnp.zeros((rows * n, w.shape[1])) + 0 * (x[0, 0] + w[0, 0])
        return lax.fori_loop(0, n, step, (acc, x))[0]
    f = jax.shard_map(body, mesh=mesh, in_specs=(P("m"), P(None, "m")), out_specs=P(None, "m"), check_vma=False)
    return f, [p.f32(n * p.one(1, 2), 3), p.f32(3, n * p.one(1, 2))], mesh


@program
def collective_matmul_scatter(p):
    mesh = p.mesh("m")
    n = mesh.shape["m"]

    def body(x, w):
        i = lax.axis_index("m")
        rows = x.shape[0] // n

        def step(s, acc):
            at = ((i + n - 1 - s) % n) * rows
            acc = acc + lax.dynamic_slice_in_dim(x, at, rows) @ w
            return lax.cond(s < n - 1, lambda a: lax.ppermute(a, "m", shift(n)), lambda a: a, acc)
        return lax.fori_loop(0, n, step, jnp.zeros((rows, w.shape[1])) + 0 * x[0, 0])
    f = jax.shard_map(body, mesh=mesh, in_specs=(P(None, "m"), P("m")), out_specs=P("m"), check_vma=False)
    return f, [p.f32(n * p.one(1, 2), n * 2), p.f32(n * 2, 3)], mesh


@program
def megatron_mlp_train(p):
    mesh = p.mesh("dp", "tp")
    t = mesh.shape["tp"]

    def body(x, y, w1, w2):
        def loss(w1, w2):
            h = jax.nn.gelu(x @ w1)
            o = lax.psum(h @ w2, "tp")
            return lax.pmean(((o - y) ** 2).mean(), "dp")
        l, g = jax.value_and_grad(loss, argnums=(0, 1))(w1, w2)
        return l, w1 - 0.1 * g[0], w2 - 0.1 * g[1]
    f = jax.shard_map(body, mesh=mesh, in_specs=(P("dp"), P("dp"), P(None, "tp"), P("tp")),
                      out_specs=(P(), P(None, "tp"), P("tp")))
    h = t * p.one(1, 2)
    return f, [p.f32(mesh.shape["dp"] * 2, 3), p.f32(mesh.shape["dp"] * 2, 3), p.f32(3, h), p.f32(h, 3)], mesh


@program
def vocab_parallel_loss(p):
    """Cross entropy of logits in parts along the vocabulary, with a gather of the label's logit."""
    mesh = p.mesh("v")
    n = mesh.shape["v"]

    def body(x, w, labels):
        def loss(w):
            logits = x @ w
            size = logits.shape[-1]
            start = lax.axis_index("v") * size
            top = lax.stop_gradient(lax.pmax(lax.stop_gradient(logits).max(-1), "v"))
            z = lax.psum(jnp.exp(logits - top[:, None]).sum(-1), "v")
            mine = (labels >= start) & (labels < start + size)
            got = jnp.take_along_axis(logits, jnp.clip(labels - start, 0, size - 1)[:, None], 1)[:, 0]
            label = lax.psum(jnp.where(mine, got, 0.0), "v")
            return (jnp.log(z) + top - label).mean()
        return jax.value_and_grad(loss)(w)
    f = jax.shard_map(body, mesh=mesh, in_specs=(P(), P(None, "v"), P()), out_specs=(P(), P(None, "v")), check_vma=False)
    v = n * p.one(2, 3)
    return f, [p.f32(5, 3), p.f32(3, v), p.ints(5, high=v)], mesh


@program
def ulysses_attention(p):
    mesh = p.mesh("sp")
    n = mesh.shape["sp"]
    t, h, d = n * p.one(1, 2), n * p.one(1, 2), 3

    def body(q, k, v):
        def heads(x):
            return lax.all_to_all(x, "sp", split_axis=2, concat_axis=1, tiled=True)
        q, k, v = heads(q), heads(k), heads(v)
        a = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k), -1)
        o = jnp.einsum("bhqk,bkhd->bqhd", a, v)
        return lax.all_to_all(o, "sp", split_axis=1, concat_axis=2, tiled=True)
    s = P(None, "sp")
    f = jax.shard_map(body, mesh=mesh, in_specs=(s, s, s), out_specs=s)

    def train(q, k, v):
        return jax.value_and_grad(lambda q: f(q, k, v).sum() ** 2)(q)
    return (train if p.one(0, 1) else f), [p.f32(2, t, h, d) for _ in range(3)], mesh


@program
def all_reduce_by_ring(p):
    """Reduce-scatter and all-gather spelled as loops of permutes."""
    def body(x, d, n):
        i = lax.axis_index(d)
        y = lax.all_gather(x, d)  # parts that are to be summed: [n, rows, cols] on each

        def scatter(s, y):
            at = (i - s) % n
            got = lax.ppermute(y[at], d, shift(n))
            return y.at[(i - s - 1) % n].add(got)
        y = lax.fori_loop(0, n - 1, scatter, y)

        def gather(s, y):
            got = lax.ppermute(y[(i + 1 - s) % n], d, shift(n))
            return y.at[(i - s) % n].set(got)
        y = lax.fori_loop(0, n - 1, gather, y)
        return y[i] + y.sum(0)
    return on_one_axis(p, body)


@program
def sample_sort(p):
    """Integers, sorted across devices: counts are exchanged, and a loop has a bound that devices agree on."""
    mesh = p.mesh("d")
    n = mesh.shape["d"]

    def body(x):
        def step(i, v):
            right = lax.ppermute(v, "d", shift(n, -1))
            left = lax.ppermute(v, "d", shift(n))
            me = lax.axis_index("d")
            low = (me + i) % 2 == 0
            has = jnp.where(low, me + 1 < n, me > 0)
            both = jnp.sort(jnp.concatenate([v, jnp.where(low, right, left)]))
            k = v.shape[0]
            mine = jnp.where(low, both[:k], both[k:])
            return jnp.where(has, mine, v)
        rounds = lax.pmax(jnp.int32(n), "d")
        return lax.fori_loop(0, rounds, step, jnp.sort(x))
    f = jax.shard_map(body, mesh=mesh, in_specs=P("d"), out_specs=P("d"), check_vma=False)
    return f, [p.ints(n * p.one(2, 3), high=100)], mesh


@program
def histogram_scatter(p):
    def body(x, d, n):
        bins = jnp.clip((x * 3 + 4).astype(jnp.int32), 0, 7)
        h = jnp.zeros((8,), jnp.int32).at[bins.reshape(-1)].add(1)
        h = lax.psum(h, d)
        return x + h[bins]
    return on_one_axis(p, body)


@program
def power_iteration(p):
    """A loop that ends when all agree."""
    mesh = p.mesh("d")
    n = mesh.shape["d"]

    def body(a):
        def go(c):
            i, v, gap = c
            return (gap > 1e-3) & (i < 8)

        def step(c):
            i, v, _ = c
            w = lax.all_gather(a @ v, "d", tiled=True)
            w = w / jnp.sqrt((w * w).sum())
            return i + 1, w, jnp.abs(w - v).max()
        v = jnp.ones((a.shape[1],)) / a.shape[1] ** 0.5
        i, v, gap = lax.while_loop(go, step, (0, v, jnp.float32(1)))
        return v, i
    f = jax.shard_map(body, mesh=mesh, in_specs=P("d"), out_specs=(P(), P()), check_vma=False)
    k = n * 2
    a = p.f32(k, k)
    return f, [a @ a.T + 4 * np.eye(k, dtype=np.float32)], mesh


@program
def dropout_per_device(p):
    mesh = p.mesh("d")
    n = mesh.shape["d"]

    def f(x, key):
        def body(x, key):
            key = jax.random.fold_in(key, lax.axis_index("d"))
            keep = jax.random.bernoulli(key, 0.5, x.shape)
            return jnp.where(keep, x * 2, 0), lax.psum(keep.sum(), "d")
        return jax.shard_map(body, mesh=mesh, in_specs=(P("d"), P()), out_specs=(P("d"), P()), check_vma=False)(x, key)
    return f, [p.f32(n * 2, 5), np.array([1, p.one(2, 3)], np.uint32)], mesh


@program
def two_maps_and_between(p):
    """Two computations with what is divided by itself between them."""
    mesh = p.mesh("d", "m")

    def f(x, w):
        y = jax.shard_map(lambda x: lax.psum_scatter(x, "d", scatter_dimension=1, tiled=True), mesh=mesh,
                          in_specs=P("d"), out_specs=P(None, "d"), check_vma=False)(x)
        z = jnp.tanh(y @ w)
        z = lax.with_sharding_constraint(z, NamedSharding(mesh, P("d", "m")))
        return jax.shard_map(lambda z: z + lax.pmean(z, ("d", "m")), mesh=mesh, in_specs=P("d", "m"),
                             out_specs=P("d", "m"))(z)
    d, m = mesh.shape["d"], mesh.shape["m"]
    k = d * p.one(1, 2)
    return f, [p.f32(d * d, k), p.f32(k, m * 2)], mesh, (P("d"), P(None, "m"))


@program
def map_in_scan(p):
    """shard_map in a loop that stands outside."""
    mesh = p.mesh("d")
    n = mesh.shape["d"]

    def f(x, ws):
        @jax.jit
        def layer(h, w):
            return jax.shard_map(lambda h, w: jnp.tanh(lax.psum(h @ w, "d")) + lax.pmean(h.mean(), "d"), mesh=mesh,
                                 in_specs=(P(None, "d"), P("d")), out_specs=P(), check_vma=False)(h, w)

        def step(h, w):
            h = layer(h, w)
            return h, h.sum()
        return lax.scan(step, x, ws)
    k = n * p.one(1, 2)
    return f, [p.f32(3, k), p.f32(3, k, k) * 0.4], mesh


@program
def map_in_cond(p):
    mesh = p.mesh("d")
    n = mesh.shape["d"]

    def f(x, c):
        g = jax.shard_map(lambda x: lax.ppermute(x, "d", shift(n)), mesh=mesh, in_specs=P("d"), out_specs=P("d"))
        h = jax.shard_map(lambda x: lax.psum(x, "d"), mesh=mesh, in_specs=P("d"), out_specs=P())
        return lax.cond(c > 0, lambda x: g(x).sum(0), lambda x: h(x).sum(0), x)
    return f, [p.f32(n * 2, 3), np.int32(p.one(-1, 1))], mesh


@program
def empty_parts(p):
    """Tensors without elements go through collectives."""
    mesh = p.mesh("d")
    n = mesh.shape["d"]

    def body(x):
        e = x[:, :0]
        a = lax.psum(e, "d")
        b = lax.all_gather(e, "d", tiled=True)
        c = lax.ppermute(e, "d", shift(n))
        return jnp.concatenate([x, a, c], 1) + b.sum()
    f = jax.shard_map(body, mesh=mesh, in_specs=P("d"), out_specs=P("d"), check_vma=False)
    return f, [p.f32(n * 2, 3)], mesh


@program
def constraint_in_reducer(p):
    """A reducer that is a function of the user's, with sharding constraints in it."""
    mesh = p.mesh("d")
    n = mesh.shape["d"]

    def f(x):
        def add(a, b):
            return lax.with_sharding_constraint(a + b, NamedSharding(mesh, P()))
        y = lax.reduce(x, np.float32(0), add, (0,))
        z = lax.reduce(x, np.float32(1), lambda a, b: lax.with_sharding_constraint(a * b * 0.5, NamedSharding(mesh, P())), (1,))
        return y, z
    return f, [p.f32(n * 2, 3)], mesh, (P("d"),)


@program
def linalg_inside(p):
    """Factorisations in a computation: custom calls with rules of their own."""
    mesh = p.mesh("d", "m")

    def f(a, b):
        def body(a, b):
            spd = a @ a.swapaxes(-1, -2) + 3 * jnp.eye(a.shape[-1])
            l = jnp.linalg.cholesky(spd)
            y = jax.scipy.linalg.solve_triangular(l[0], b, lower=True)
            return l, lax.psum(y, "d")
        return jax.shard_map(body, mesh=mesh, in_specs=(P("d"), P()), out_specs=(P("d"), P()), axis_names={"d"},
                             check_vma=False)(a, b)
    k = p.one(2, 3, 4)
    return f, [p.f32(mesh.shape["d"] * 2, k, k), p.f32(k, mesh.shape["m"])], mesh, (P("d"), P(None, "m"))


@program
def local_sgd(p):
    """Steps of each device alone, then a mean: a loop without collectives in one with them."""
    mesh = p.mesh("d")
    n = mesh.shape["d"]

    def body(w, x, y):
        def grad(w):
            return jax.grad(lambda w: ((jnp.tanh(x @ w) - y) ** 2).mean())(w)

        def outer(i, w):
            v = lax.fori_loop(0, 2, lambda j, v: v - 0.2 * grad(v), w)
            return lax.pmean(v, "d")
        return lax.fori_loop(0, 2, outer, w)
    f = jax.shard_map(body, mesh=mesh, in_specs=(P(), P("d"), P("d")), out_specs=P(), check_vma=False)
    return f, [p.f32(3), p.f32(n * 4, 3), p.f32(n * 4)], mesh


@program
def bf16_psum_scan(p):
    mesh = p.mesh("d")
    n = mesh.shape["d"]

    def f(x):
        def body(x):
            def step(c, _):
                return (lax.ppermute(c, "d", shift(n)) * jnp.bfloat16(0.5) + x.astype(jnp.bfloat16)), None
            c, _ = lax.scan(step, x.astype(jnp.bfloat16), None, length=2)
            return c.astype(jnp.float32)
        return jax.shard_map(body, mesh=mesh, in_specs=P("d"), out_specs=P("d"))(x)
    return f, [p.ints(n * 2, 3).astype(np.float32)], mesh


@program
def axis_index_only(p):
    """Where a device is, under axes that are manual and axes that are not."""
    mesh = p.mesh("a", "b", "c", sizes=(1, 2))
    names = p.one({"a"}, {"b"}, {"a", "c"}, {"c", "b"}, {"a", "b", "c"})
    order = tuple(sorted(names, reverse=p.one(True, False)))

    @jax.jit
    def where():
        return sum(lax.axis_index(n) * 10 ** i for i, n in enumerate(order))

    def f(x):
        def body(x):
            return x + where() + lax.fori_loop(0, 2, lambda i, v: v + where() * i, 0)
        return jax.shard_map(body, mesh=mesh, in_specs=P(order), out_specs=P(order), axis_names=names, check_vma=False)(x)
    return f, [p.f32(mesh.size * 2, 2)], mesh
