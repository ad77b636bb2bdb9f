# SPDX-License-Identifier: Apache-2.0
"""What else stands in and around computations: other types, meshes that are explicit, two meshes, what is divided by itself."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec as P

from pick import program, shift


# ---- Element types and trees ----


@program
def trees_of_types(p):
    mesh = p.mesh("d")
    n = mesh.shape["d"]

    def body(x, k, c):
        b = x > 0
        tree = {"x": x, "k": k, "h": x.astype(jnp.bfloat16), "s": (k.astype(jnp.int8), k.astype(jnp.uint8))}
        total = lax.psum(tree, "d")
        moved = lax.ppermute((b, c, tree["s"][0]), "d", shift(n))
        top = lax.pmax((k, tree["s"][1]), "d")
        z = lax.psum(c, "d") + moved[1]
        return (total["x"] + total["h"].astype(jnp.float32) * 0, total["k"] + top[0], total["s"][0].astype(jnp.int32),
                moved[0], moved[2], z.real, z.imag, lax.all_gather(b, "d", tiled=True).sum()[None])
    f = jax.shard_map(body, mesh=mesh, in_specs=P("d"), out_specs=P("d"), check_vma=False)
    rows = n * p.one(1, 2)
    return f, [p.f32(rows, 3), p.ints(rows, 3), (p.f32(rows, 2) + 1j * p.f32(rows, 2)).astype(np.complex64)], mesh


@program
def scalars_and_none(p):
    """Constants in reducers, and results that no argument reaches."""
    mesh = p.mesh("d", "e")

    def body(x):
        one = lax.psum(1, ("d", "e"))
        i = lax.axis_index("d")
        return x / one, (jnp.arange(3) + i)[None], lax.pmax(i, "d")
    f = jax.shard_map(body, mesh=mesh, in_specs=P("d", "e"), out_specs=(P("d", "e"), P("d"), P()), check_vma=False)
    return f, [p.f32(mesh.shape["d"] * 2, mesh.shape["e"])], mesh


# ---- Around computations ----


@program
def two_meshes(p):
    """The same devices, arranged in two ways."""
    from jax.sharding import Mesh
    devices = np.array(jax.devices()[:4])
    one, two = Mesh(devices, ("d",)), Mesh(devices.reshape(2, 2), ("a", "b"))

    def f(x):
        y = jax.shard_map(lambda v: v + lax.ppermute(v, "d", shift(4)), mesh=one, in_specs=P("d"), out_specs=P("d"))(x)
        y = jnp.sin(y)
        return jax.shard_map(lambda v: v + lax.psum(v, "a"), mesh=two, in_specs=P("b", "a"), out_specs=P("b", "a"),
                             check_vma=False)(y)
    return f, [p.f32(4 * p.one(1, 2), 4)], one


@program
def uneven_around(p):
    """Sizes that do not divide outside, padded for the computation."""
    mesh = p.mesh("d", "m")
    d, m = mesh.shape["d"], mesh.shape["m"]
    rows = d * 2 - 1

    def f(x, w):
        h = lax.with_sharding_constraint(x @ w, NamedSharding(mesh, P("d", "m")))
        h = jnp.pad(h, ((0, 1), (0, 0)))
        y = jax.shard_map(lambda v: lax.ppermute(v, "d", shift(d)) + lax.pmax(v, "d"), mesh=mesh, in_specs=P("d"),
                          out_specs=P("d"), axis_names={"d"})(h)
        return y[:rows].sum(1), jnp.sort(y, axis=0)
    return f, [p.f32(rows, 3), p.f32(3, 5)], mesh


@program
def vmap_outside(p):
    mesh = p.mesh("d", "m")
    n = mesh.shape["d"]

    def f(x):
        g = jax.shard_map(lambda v: lax.psum(v, "d") * 0.1 + lax.ppermute(v, "d", shift(n)), mesh=mesh, in_specs=P("d"),
                          out_specs=P("d"))
        return jax.vmap(g, spmd_axis_name="m")(x) if spmd else jax.vmap(g, in_axes=1)(x.swapaxes(0, 1))
    spmd = p.one(True, False)
    return f, [p.f32(mesh.shape["m"] * 2, n * 2, 3)], mesh


@program
def hessian_of_map(p):
    mesh = p.mesh("d")
    n = mesh.shape["d"]

    def f(x, w):
        def loss(w):
            return jax.shard_map(lambda x, w: lax.psum((jnp.tanh(x @ w) ** 2).sum(), "d"), mesh=mesh,
                                 in_specs=(P("d"), P()), out_specs=P())(x, w)
        return jax.hessian(loss)(w), jax.jvp(loss, (w,), (w,))[1]
    return f, [p.f32(n * 2, 3), p.f32(3)], mesh


@program
def linearize_and_transpose(p):
    mesh = p.mesh("d")
    n = mesh.shape["d"]

    def f(x):
        def body(x):
            def g(v):
                w = lax.all_gather(v, "d", tiled=True)
                return lax.psum_scatter(jnp.sin(w) * w.sum(0), "d", tiled=True)
            y, lin = jax.linearize(g, x)
            _, back = jax.vjp(g, x)
            return y + lin(x) + back(y)[0]
        return jax.shard_map(body, mesh=mesh, in_specs=P("d"), out_specs=P("d"), check_vma=p_check)(x)
    p_check = p.one(True, False)
    return f, [p.f32(n * p.one(1, 2), 2)], mesh


@program
def adam_step(p):
    """A training step with state in trees, a scan over small batches, and clipping by the norm over all."""
    mesh = p.mesh("dp", "tp")
    t = mesh.shape["tp"]

    def f(w1, w2, m1, m2, v1, v2, xs, ys):
        def body(w, m, v, xs, ys):
            def loss(w, x, y):
                h = jax.nn.silu(x @ w[0])
                return (((lax.psum(h @ w[1], "tp")) - y) ** 2).mean()

            def micro(g, xy):
                l, more = jax.value_and_grad(loss)(w, *xy)
                return jax.tree.map(jnp.add, g, more), l
            g, ls = lax.scan(micro, jax.tree.map(jnp.zeros_like, w), (xs, ys))
            g = lax.pmean(g, "dp")
            norm = jnp.sqrt(lax.psum(sum((u * u).sum() for u in g), "tp"))
            g = jax.tree.map(lambda u: u * jnp.minimum(1.0, 1.0 / norm), g)
            m = jax.tree.map(lambda m, u: 0.9 * m + 0.1 * u, m, g)
            v = jax.tree.map(lambda v, u: 0.99 * v + 0.01 * u * u, v, g)
            w = jax.tree.map(lambda w, m, v: w - 0.1 * m / (jnp.sqrt(v) + 1e-3), w, m, v)
            return w, m, v, lax.pmean(ls.mean(), "dp")
        specs = (P(None, "tp"), P("tp"))
        return jax.shard_map(body, mesh=mesh, in_specs=(specs, specs, specs, P(None, "dp"), P(None, "dp")),
                             out_specs=(specs, specs, specs, P()), check_vma=False)(
                                 (w1, w2), (m1, m2), (v1, v2), xs, ys)
    h, b = t * 2, mesh.shape["dp"] * 2
    a, c = (3, h), (h, 3)
    return f, [p.f32(*a), p.f32(*c), p.f32(*a) * 0.1, p.f32(*c) * 0.1, np.abs(p.f32(*a)), np.abs(p.f32(*c)), p.f32(2, b, 3),
               p.f32(2, b, 3)], mesh


# ---- Explicit meshes ----


@program
def explicit_matmul(p):
    mesh = p.mesh("d", "m", explicit=True)

    def f(x, w):
        y = jnp.tanh(x @ w)
        z = jax.shard_map(lambda v: v + lax.psum(v, "d") * 0.1, mesh=mesh, in_specs=P("d", "m"), out_specs=P("d", "m"))(y)
        return jax.sharding.reshard(z, P(None, "m")) + 1
    return f, [p.f32(mesh.shape["d"] * 2, 3), p.f32(3, mesh.shape["m"] * 2)], mesh, (P("d"), P(None, "m"))


@program
def explicit_partial(p):
    mesh = p.mesh("d", "m", explicit=True)
    n = mesh.shape["d"]

    def f(x, w):
        def body(x, w):
            h = jax.nn.relu(x @ w)
            h = lax.ppermute(h, "d", shift(n))
            return jax.sharding.reshard(h, P(None, None)).sum(1)
        return jax.shard_map(body, mesh=mesh, in_specs=(P("d"), P()), out_specs=P("d"), axis_names={"d"})(x, w)
    return f, [p.f32(n * 2, 3), p.f32(3, mesh.shape["m"] * 2)], mesh, (P("d"), P(None, "m"))


@program
def explicit_scan(p):
    mesh = p.mesh("d", "m", explicit=True)

    def f(x, ws):
        def layer(h, w):
            h = jnp.einsum("bk,kh->bh", h, w, out_sharding=P("d", None))
            g = jax.shard_map(lambda v: v * 0.5 + lax.pmean(v, "d"), mesh=mesh, in_specs=P("d"), out_specs=P("d"))
            return jnp.tanh(g(h)), h.mean()
        return lax.scan(layer, x, ws)
    k = mesh.shape["m"] * 2
    return f, [p.f32(mesh.shape["d"] * 2, k), p.f32(2, k, k)], mesh, (P("d"), P(None, "m"))


# ---- In computations with axes that are not manual ----


@program
def auto_ops_inside(p):
    """Sorts, cumulative sums, gathers, scatters and windows along an axis that is not manual."""
    mesh = p.mesh("d", "m")
    d, m = mesh.shape["d"], mesh.shape["m"]

    def f(x, i):
        def body(x, i):
            x = lax.with_sharding_constraint(x, P(None, "m"))
            a = jnp.sort(x, axis=1) + jnp.cumsum(x, axis=1)
            b = jnp.take(x, i, axis=1)
            c = x.at[:, i].add(1.0)
            e = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2), (1, 1), "SAME")
            g = jnp.concatenate([x[:, 1:], x[:, :1]], 1)
            top = lax.top_k(x, 2)[0]
            return lax.psum(a + c + e + g, "d") + x, lax.pmax(b, "d") + b, top
        return jax.shard_map(body, mesh=mesh, in_specs=(P("d"), P()), out_specs=P("d"), axis_names={"d"},
                             check_vma=False)(x, i)
    k = m * p.one(1, 2) + p.one(0, 1) + 1
    return f, [p.f32(d * 2, k), p.ints(3, high=k)], mesh


@program
def auto_scan_over_sharded(p):
    """A scan whose steps are in parts along an axis that is not manual."""
    mesh = p.mesh("d", "m")

    def f(x, xs):
        def body(x, xs):
            xs = lax.with_sharding_constraint(xs, P("m"))

            def step(c, y):
                c = jnp.tanh(c + lax.psum(y, "d"))
                return c, c * y
            return lax.scan(step, x, xs)
        return jax.shard_map(body, mesh=mesh, in_specs=(P(), P(None, "d")), out_specs=(P(), P(None, "d")), axis_names={"d"},
                             check_vma=False)(x, xs)
    rows = mesh.shape["m"] * p.one(1, 2)
    return f, [p.f32(2), p.f32(rows, mesh.shape["d"] * 2)], mesh, (P(), P("m", "d"))


@program
def auto_cond_inside(p):
    mesh = p.mesh("d", "m")
    n = mesh.shape["d"]

    def f(x, c):
        def body(x, c):
            x = lax.with_sharding_constraint(x, P(None, "m"))
            return lax.cond(c > 0, lambda v: lax.ppermute(v @ v.T, "d", shift(n)) @ v, lambda v: lax.psum(v, "d") - v, x)
        return jax.shard_map(body, mesh=mesh, in_specs=(P("d"), P()), out_specs=P("d"), axis_names={"d"},
                             check_vma=False)(x, c)
    return f, [p.f32(n * 2, mesh.shape["m"] * 2), np.int32(p.one(-1, 1))], mesh, (P("d", "m"), P())


@program
def auto_while_inside(p):
    mesh = p.mesh("d", "m")

    def f(x):
        def body(x):
            x = lax.with_sharding_constraint(x, P(None, "m"))

            def go(c):
                return (c[0] < 4) & (lax.pmax(jnp.abs(c[1]).max(), "d") < 100.0)

            def step(c):
                w = jnp.roll(c[1], 1, axis=1) + lax.pmean(c[1], "d")
                return c[0] + 1, w
            return lax.while_loop(go, step, (0, x))[1]
        return jax.shard_map(body, mesh=mesh, in_specs=P("d"), out_specs=P("d"), axis_names={"d"}, check_vma=False)(x)
    return f, [p.f32(mesh.shape["d"] * 2, mesh.shape["m"] * p.one(1, 2, 3))], mesh, (P("d", "m"),)


@program
def transformer_block(p):
    """Data parallel by hand, tensor parallel by constraints, two layers in a scan, and a step of training."""
    mesh = p.mesh("dp", "tp", sizes=(1, 2, 4))
    tp = mesh.shape["tp"]
    heads, d, t = tp * p.one(1, 2), 4, p.one(3, 4)

    def block(x, w):
        q, k, v = jnp.einsum("btd,cdhe->cbthe", x, w["qkv"])
        q = lax.with_sharding_constraint(q, P(None, None, "tp"))
        a = jnp.einsum("bqhe,bkhe->bhqk", q, k)
        a = jnp.where(jnp.tril(jnp.ones((t, t), bool)), a, -1e9)
        o = jnp.einsum("bhqk,bkhe->bqhe", jax.nn.softmax(a, -1), v)
        x = x + jnp.einsum("bqhe,hed->bqd", o, w["o"])
        h = jax.nn.gelu(lax.with_sharding_constraint(x @ w["up"], P(None, None, "tp")))
        x = x + h @ w["down"]
        m = x.mean(-1, keepdims=True)
        return (x - m) * lax.rsqrt(((x - m) ** 2).mean(-1, keepdims=True) + 1e-5), None

    def f(qkv, o, up, down, x, y):
        def body(w, x, y):
            def loss(w):
                h, _ = lax.scan(jax.checkpoint(block), x, w)
                return lax.pmean(((h - y) ** 2).mean(), "dp")
            l, g = jax.value_and_grad(loss)(w)
            return l, jax.tree.map(lambda w, g: w - 0.1 * g, w, g)
        w = {"qkv": qkv, "o": o, "up": up, "down": down}
        return jax.shard_map(body, mesh=mesh, in_specs=(P(), P("dp"), P("dp")), out_specs=(P(), P()), axis_names={"dp"})(
            w, x, y)
    b = mesh.shape["dp"] * 2
    specs = (P(None, None, None, "tp"), P(None, "tp"), P(None, None, "tp"), P(None, "tp"), P("dp"), P("dp"))
    s = 0.4
    return f, [p.f32(2, 3, d, heads, 2) * s, p.f32(2, heads, 2, d) * s, p.f32(2, d, tp * 2) * s, p.f32(2, tp * 2, d) * s,
               p.f32(b, t, d), p.f32(b, t, d)], mesh, specs


@program
def sharded_fft(p):
    """Rows, an exchange, columns."""
    mesh = p.mesh("d")
    n = mesh.shape["d"]

    def body(x):
        y = jnp.fft.fft(x, axis=1)
        y = lax.all_to_all(y, "d", split_axis=1, concat_axis=0, tiled=True)
        y = jnp.fft.fft(y, axis=0)
        return jnp.abs(lax.all_to_all(y, "d", split_axis=0, concat_axis=1, tiled=True))
    f = jax.shard_map(body, mesh=mesh, in_specs=P("d"), out_specs=P("d"))
    return f, [p.f32(n * p.one(1, 2), n * p.one(1, 2))], mesh


@program
def distributed_softmax_vjp(p):
    """A derivative by hand of a function with collectives, in a scan."""
    @jax.custom_vjp
    def soft(x):
        m = lax.pmax(x.max(-1), "d")
        e = jnp.exp(x - m[:, None])
        return e / lax.psum(e.sum(-1), "d")[:, None]

    def fwd(x):
        y = soft(x)
        return y, y

    def bwd(y, g):
        return (y * (g - lax.psum((g * y).sum(-1), "d")[:, None]),)
    soft.defvjp(fwd, bwd)
    mesh = p.mesh("d")

    def f(x):
        def body(x):
            def loss(x):
                c, _ = lax.scan(lambda c, _: (soft(c * 2), None), x, None, length=2)
                return (c ** 2).sum()
            return jax.grad(loss)(x)
        return jax.shard_map(body, mesh=mesh, in_specs=P(None, "d"), out_specs=P(None, "d"), check_vma=False)(x)
    return f, [p.f32(2, mesh.shape["d"] * p.one(1, 3))], mesh


@program
def kmeans(p):
    mesh = p.mesh("d")
    n = mesh.shape["d"]
    k = p.one(2, 3)

    def body(x, c):
        def step(i, c):
            which = jnp.argmin(((x[:, None] - c[None]) ** 2).sum(-1), 1)
            one = jax.nn.one_hot(which, k)
            total, count = lax.psum((one.T @ x, one.sum(0)), "d")
            return jnp.where(count[:, None] > 0, total / jnp.maximum(count, 1)[:, None], c)
        c = lax.fori_loop(0, 3, step, c)
        return c, jnp.argmin(((x[:, None] - c[None]) ** 2).sum(-1), 1)
    f = jax.shard_map(body, mesh=mesh, in_specs=(P("d"), P()), out_specs=(P(), P("d")), check_vma=False)
    return f, [p.f32(n * 4, 2), p.f32(k, 2)], mesh


@program
def conjugate_gradient(p):
    mesh = p.mesh("d")
    n = mesh.shape["d"]

    def body(a, b):
        dot = lambda u, v: lax.psum(u @ v, "d")
        mul = functools.partial(lambda a, v: a @ lax.all_gather(v, "d", tiled=True), a)

        def step(c):
            x, r, q, rr, i = c
            w = mul(q)
            alpha = rr / dot(q, w)
            x, r = x + alpha * q, r - alpha * w
            new = dot(r, r)
            return x, r, r + new / rr * q, new, i + 1
        c = lax.while_loop(lambda c: (c[3] > 1e-4) & (c[4] < 6), step, (0 * b, b, b, dot(b, b), 0))
        return c[0], c[3] < 1.0
    f = jax.shard_map(body, mesh=mesh, in_specs=(P("d"), P("d")), out_specs=(P("d"), P()), check_vma=False)
    k = n * 2
    a = p.f32(k, k)
    return f, [(a @ a.T / k + 2 * np.eye(k)).astype(np.float32), p.f32(k)], mesh
