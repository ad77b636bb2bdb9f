# SPDX-License-Identifier: Apache-2.0
"""Collectives in scans, loops, branches, functions with jit, remat and custom derivatives; each collective by itself."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P

from pick import on_one_axis, program, shift


# ---- One collective in each kind of control flow ----


@program
def scan_ppermute(p):
    steps = p.one(1, 3, 5)

    def body(x, d, n):
        def step(c, i):
            c = lax.ppermute(c, d, shift(n)) + 0.5 * x
            return c, c.sum(0)
        c, ys = lax.scan(step, x, jnp.arange(steps))
        return c + ys.sum(0) + lax.axis_index(d)
    return on_one_axis(p, body)


@program
def scan_reverse_unrolled(p):
    def body(x, d, n):
        def step(c, y):
            return lax.ppermute(c, d, shift(n, -1)) + y, c
        c, ys = lax.scan(step, x, jnp.stack([x, x + 1, x + 2, x - 3]), reverse=True, unroll=2)
        return c + ys.sum(0)
    return on_one_axis(p, body)


@program
def while_psum(p):
    def body(x, d, n):
        def go(c):
            i, v = c
            return (i < 6) & (lax.pmax(jnp.abs(v).max(), d) < 50.0)

        def step(c):
            i, v = c
            return i + 1, v + lax.psum(v, d) * 0.3
        return lax.while_loop(go, step, (0, x))[1]
    return on_one_axis(p, body)


@program
def fori_all_gather(p):
    def body(x, d, n):
        def step(i, v):
            w = lax.all_gather(v, d, tiled=True)
            return v * 0.5 + w.mean(0) + lax.dynamic_slice_in_dim(w, (i % n) * v.shape[0], v.shape[0])
        return lax.fori_loop(0, 3, step, x)
    return on_one_axis(p, body)


@program
def fori_traced_bound(p):
    mesh = p.mesh("d")
    n = mesh.shape["d"]

    def f(x, k):
        def body(x, k):
            return lax.fori_loop(0, k, lambda i, v: lax.ppermute(v, "d", shift(n)) * 0.9 + i, x)
        return jax.shard_map(body, mesh=mesh, in_specs=(P("d"), P()), out_specs=P("d"))(x, k)
    return f, [p.f32(n * 2, 3), np.int32(p.one(0, 1, 5))], mesh


@program
def cond_collectives(p):
    def body(x, d, n):
        total = lax.psum(x.sum(), d)
        return lax.cond(total > 0, lambda v: lax.ppermute(v, d, shift(n)), lambda v: lax.pmax(v, d) + v, x)
    f, args, mesh = on_one_axis(p, body)
    return f, args, mesh


@program
def switch_collectives(p):
    mesh = p.mesh("d")
    n = mesh.shape["d"]

    def f(x, which):
        def body(x, which):
            return lax.switch(which, [lambda v: lax.psum(v, "d") + 0 * v, lambda v: lax.ppermute(v, "d", shift(n)),
                                      lambda v: v * lax.axis_index("d"), lambda v: -lax.pmin(v, "d") + v], x)
        return jax.shard_map(body, mesh=mesh, in_specs=(P("d"), P()), out_specs=P("d"), check_vma=False)(x, which)
    return f, [p.f32(n, 4), np.int32(p.one(0, 1, 2, 3))], mesh


@program
def cond_on_device(p):
    """Branches without collectives that devices take by themselves."""
    def body(x, d, n):
        i = lax.axis_index(d)
        y = lax.cond(i % 2 == 0, lambda v: jnp.sort(v, axis=-1), lambda v: jnp.cumsum(v, axis=0), x)
        return lax.ppermute(y, d, shift(n))
    return on_one_axis(p, body)


@program
def jit_inside(p):
    @jax.jit
    def g(x, y):
        return lax.psum(x * y, "d") + x

    @jax.jit
    def h(x):
        return g(x, x + 1) + jax.nn.relu(g(x - 1, x))

    def body(x, d, n):
        return h(x) + lax.fori_loop(0, 2, lambda i, v: g(v, v) * 0.1, x)
    return on_one_axis(p, body)


@program
def jit_shared(p):
    """One function that is called along other axes, and outside."""
    mesh = p.mesh("d", "e", sizes=(2,)) if p.one(0, 1) else p.mesh("d", "e")
    d, e = mesh.shape["d"], mesh.shape["e"]

    @jax.jit
    def soft(x):
        return jax.nn.softmax(jnp.clip(x, -2, 2), axis=-1) + jnp.where(x > 0, x, 0)

    def along(axis):
        @jax.jit
        def inner(x):
            return soft(lax.psum(soft(x), axis)) + x
        return inner

    def f(x):
        a = jax.shard_map(along("d"), mesh=mesh, in_specs=P("d"), out_specs=P("d"), axis_names={"d"})(x)
        b = jax.shard_map(along("e"), mesh=mesh, in_specs=P(None, "e"), out_specs=P(None, "e"), axis_names={"e"})(a)
        c = jax.shard_map(along(("d", "e")), mesh=mesh, in_specs=P("d", "e"), out_specs=P("d", "e"))(soft(b))
        return c + soft(x)
    return f, [p.f32(d * 4, e * 4)], mesh, (P("d", "e"),)


@program
def remat_inside(p):
    def body(x, d, n):
        @jax.checkpoint
        def layer(v):
            return jnp.tanh(lax.psum(v, d) * 0.2 + v)

        def loss(v):
            return layer(layer(v)).sum()
        return jax.grad(loss)(x)
    return on_one_axis(p, body)


@program
def grad_of_scan(p):
    mesh = p.mesh("d")
    n = mesh.shape["d"]

    def f(x, w):
        def body(x, w):
            def step(c, _):
                return jnp.tanh(lax.ppermute(c, "d", shift(n)) @ w), lax.psum(c.sum(), "d")
            c, ys = lax.scan(step, x, None, length=3)
            return lax.psum((c * c).sum(), "d") + ys.mean()

        def loss(x, w):
            return jax.shard_map(body, mesh=mesh, in_specs=(P("d"), P()), out_specs=P())(x, w)
        return jax.value_and_grad(loss, argnums=(0, 1))(x, w)
    k = p.one(2, 3)
    return f, [p.f32(n * 2, k), p.f32(k, k) * 0.4], mesh


@program
def custom_vjp_inside(p):
    mesh = p.mesh("d")
    n = mesh.shape["d"]

    @functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
    def copy_in(x, axis):
        return x

    copy_in.defvjp(lambda x, axis: (x, None), lambda axis, r, g: (lax.psum(g, axis),))

    @functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
    def reduce_out(x, axis):
        return lax.psum(x, axis)

    reduce_out.defvjp(lambda x, axis: (lax.psum(x, axis), None), lambda axis, r, g: (g,))

    def f(x, w1, w2):
        def body(x, w1, w2):
            def loss(w1, w2, x):
                h = jax.nn.gelu(copy_in(x, "d") @ w1)
                return (reduce_out(h @ w2, "d") ** 2).mean()
            l, g = jax.value_and_grad(loss, argnums=(0, 1, 2))(w1, w2, x)
            return (l,) + g
        return jax.shard_map(body, mesh=mesh, in_specs=(P(), P(None, "d"), P("d")),
                             out_specs=(P(), P(None, "d"), P("d"), P()), check_vma=False)(x, w1, w2)
    h = n * p.one(1, 2)
    return f, [p.f32(4, 3), p.f32(3, h), p.f32(h, 3)], mesh


@program
def vmap_inside(p):
    def body(x, d, n):
        f = jax.vmap(lambda v: lax.psum(v, d) * v + lax.ppermute(v, d, shift(n)), in_axes=1, out_axes=1)
        return f(x)
    return on_one_axis(p, body)


@program
def jvp_inside(p):
    def body(x, d, n):
        f = lambda v: lax.psum(jnp.sin(v), d) * v
        y, t = jax.jvp(f, (x,), (jnp.ones_like(x),))
        return y + t
    return on_one_axis(p, body)


# ---- Every collective ----


@program
def every_reducer(p):
    def body(x, d, n):
        i = lax.axis_index(d)
        y = x + lax.psum(x, d) - lax.pmax(x, d) + lax.pmin(x, d) * 2 + lax.pmean(x, d)
        k = (x > 0).astype(jnp.int32)
        return y + lax.psum(k, d) + lax.pmax(i, d) + lax.psum(1, d)
    return on_one_axis(p, body)


@program
def tiled_and_not(p):
    mesh = p.mesh("d")
    n = mesh.shape["d"]
    k = p.one(1, 2)

    def body(x):
        a = lax.all_gather(x, "d", axis=p_axis)
        b = lax.all_gather(x, "d", axis=1, tiled=True)
        c = lax.psum_scatter(b, "d", scatter_dimension=1, tiled=True)
        e = lax.psum_scatter(a, "d", scatter_dimension=p_axis)
        return c + e, a.sum(p_axis) * 0.1 + x
    p_axis = p.one(0, 1)
    f = jax.shard_map(body, mesh=mesh, in_specs=P("d"), out_specs=(P("d"), P("d")))
    return f, [p.f32(n * k, 3)], mesh


@program
def all_to_all_kinds(p):
    mesh = p.mesh("d")
    n = mesh.shape["d"]

    def body(x):
        a = lax.all_to_all(x, "d", split_axis=1, concat_axis=0, tiled=True)
        b = lax.all_to_all(a, "d", split_axis=0, concat_axis=1, tiled=True)
        y = x.reshape(x.shape[0], n, -1)
        c = lax.all_to_all(y, "d", split_axis=1, concat_axis=1)
        return b + c.reshape(x.shape), a
    f = jax.shard_map(body, mesh=mesh, in_specs=P("d"), out_specs=(P("d"), P(None, "d")))
    return f, [p.f32(n * p.one(1, 2), n * p.one(1, 3))], mesh


@program
def groups_of_axes(p):
    mesh = p.mesh("a", "b", "c", sizes=(2, 1))

    def body(x):
        y = lax.psum(x, ("a", "c")) + lax.pmax(x, ("c", "b"))
        z = lax.all_gather(x, ("b", "a"), tiled=True)
        i = lax.axis_index(("c", "a")) * 10 + lax.axis_index("b")
        return y + z.mean(0) + i + lax.axis_size("a")
    n = mesh.size
    f = jax.shard_map(body, mesh=mesh, in_specs=P(("a", "b", "c")), out_specs=P(("a", "b", "c")), check_vma=False)
    return f, [p.f32(n * 2, 3)], mesh


@program
def axis_index_groups(p):
    mesh = p.mesh("d", sizes=(4, 8))
    n = mesh.shape["d"]
    groups = [list(range(i, n, 2)) for i in range(2)]

    def body(x):
        y = lax.psum(x, "d", axis_index_groups=groups)
        z = lax.all_gather(x, "d", axis_index_groups=groups, tiled=True)
        return x + y + z.sum(0)
    f = jax.shard_map(body, mesh=mesh, in_specs=P("d"), out_specs=P("d"), check_vma=False)
    return f, [p.f32(n, 2)], mesh


@program
def ppermute_partial(p):
    """Some devices get nothing."""
    def body(x, d, n):
        y = lax.ppermute(x, d, [(i, i + 1) for i in range(n - 1)])
        z = lax.ppermute(x, d, [(0, n - 1)])
        return y * 2 + z
    return on_one_axis(p, body)


@program
def pvary_and_replicated(p):
    mesh = p.mesh("d", "e")

    def body(x, w):
        v = lax.pcast(w, ("d",), to="varying")
        y = x @ v
        return y, lax.psum(y.sum(0), ("d", "e"))

    f = jax.shard_map(body, mesh=mesh, in_specs=(P(("d", "e")), P()), out_specs=(P(("d", "e")), P()))
    return f, [p.f32(mesh.size * 2, 3), p.f32(3, 4)], mesh
