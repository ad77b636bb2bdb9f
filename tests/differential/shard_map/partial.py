# SPDX-License-Identifier: Apache-2.0
"""Some axes manual, others not; computations in computations."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from pick import program, shift


# ---- Some axes manual, others not ----


@program
def partial_manual(p):
    mesh = p.mesh("d", "m")

    def f(x, w):
        def body(x, w):
            h = jnp.tanh(x @ w)
            return h + lax.ppermute(h, "d", shift(mesh.shape["d"])) + lax.psum(h.sum(0), "d")
        y = jax.shard_map(body, mesh=mesh, in_specs=(P("d"), P()), out_specs=P("d"), axis_names={"d"})(x, w)
        return y @ w.T
    return f, [p.f32(mesh.shape["d"] * 2, 4), p.f32(4, mesh.shape["m"] * 2)], mesh, (P("d"), P(None, "m"))


@program
def partial_manual_constraint(p):
    mesh = p.mesh("d", "m")

    def f(x, w):
        def body(x, w):
            h = lax.with_sharding_constraint(x @ w, P(None, "m"))
            h = lax.psum(jax.nn.relu(h), "d")
            return lax.with_sharding_constraint(h, P("m", None)) + lax.axis_index("d")
        return jax.shard_map(body, mesh=mesh, in_specs=(P("d"), P()), out_specs=P("d"), axis_names={"d"},
                             check_vma=False)(x, w)
    m = mesh.shape["m"]
    return f, [p.f32(mesh.shape["d"] * m, 4), p.f32(4, m * p.one(1, 2))], mesh, (P("d"), P(None, "m"))


@program
def partial_manual_scan(p):
    mesh = p.mesh("d", "m")
    n = mesh.shape["d"]

    def f(x, ws):
        def body(x, ws):
            def step(c, w):
                c = jnp.tanh(c @ w)
                c = lax.with_sharding_constraint(c, P(None, "m"))
                return lax.ppermute(c, "d", shift(n)), lax.pmean(c.mean(), "d")
            return lax.scan(step, x, ws)
        return jax.shard_map(body, mesh=mesh, in_specs=(P("d"), P()), out_specs=(P("d"), P()), axis_names={"d"})(x, ws)
    k = mesh.shape["m"] * p.one(1, 2)
    return f, [p.f32(n * 2, k), p.f32(3, k, k) * 0.5], mesh, (P("d"), P(None, None, "m"))


@program
def partial_manual_grad(p):
    mesh = p.mesh("d", "m")

    def f(x, w):
        def body(x, w):
            h = jnp.tanh(x @ w)
            return lax.pmean((h * h).mean(), "d")

        def loss(w):
            return jax.shard_map(body, mesh=mesh, in_specs=(P("d"), P()), out_specs=P(), axis_names={"d"})(x, w)
        l, g = jax.value_and_grad(loss)(w)
        return l, w - 0.1 * g
    return f, [p.f32(mesh.shape["d"] * 3, 4), p.f32(4, mesh.shape["m"] * 2)], mesh, (P("d"), P(None, "m"))


@program
def partial_manual_callee(p):
    mesh = p.mesh("d", "m")
    m = mesh.shape["m"]

    @jax.jit
    def block(x, w):
        h = lax.with_sharding_constraint(x @ w, P(None, "m"))
        return lax.psum(h, "d") * 0.5 + lax.axis_index("d")

    def f(x, w):
        def body(x, w):
            return lax.fori_loop(0, 2, lambda i, v: block(v, w) + i, x)
        y = jax.shard_map(body, mesh=mesh, in_specs=(P("d"), P()), out_specs=P("d"), axis_names={"d"}, check_vma=False)(x, w)
        return y * 2
    k = m * 2
    return f, [p.f32(mesh.shape["d"] * 2, k), p.f32(k, k) * 0.3], mesh, (P("d"), P(None, "m"))


@program
def nested(p):
    mesh = p.mesh("d", "m")

    def f(x):
        def inner(y):
            return lax.psum(y, "m") + y * lax.axis_index("m")

        def outer(x):
            y = lax.ppermute(x, "d", shift(mesh.shape["d"]))
            return jax.shard_map(inner, in_specs=P(None, "m"), out_specs=P(None, "m"), axis_names={"m"})(y) + x
        return jax.shard_map(outer, mesh=mesh, in_specs=P("d"), out_specs=P("d"), axis_names={"d"})(x)
    return f, [p.f32(mesh.shape["d"] * 2, mesh.shape["m"] * 3)], mesh, (P("d", "m"),)


@program
def nested_in_scan(p):
    mesh = p.mesh("d", "m")

    def f(x):
        @jax.jit
        def inner(y):
            return lax.psum(jnp.sin(y), "m") + y

        def outer(x):
            def step(c, _):
                c = jax.shard_map(inner, in_specs=P(None, "m"), out_specs=P(None, "m"), axis_names={"m"})(c)
                return lax.ppermute(c, "d", shift(mesh.shape["d"])), lax.psum(c.sum(), "d")
            return lax.scan(step, x, None, length=2)
        return jax.shard_map(outer, mesh=mesh, in_specs=P("d"), out_specs=(P("d"), P()), axis_names={"d"})(x)
    return f, [p.f32(mesh.shape["d"] * 2, mesh.shape["m"])], mesh, (P("d", "m"),)


@program
def nested_three(p):
    mesh = p.mesh("a", "b", "c", sizes=(2,))

    def f(x):
        def third(z):
            return lax.psum(z, "c") + lax.axis_index("c")

        def second(y):
            y = lax.pmax(y, "b") - y
            return jax.shard_map(third, in_specs=P("c"), out_specs=P("c"), axis_names={"c"})(y)

        def first(x):
            x = lax.ppermute(x, "a", shift(2))
            return jax.shard_map(second, in_specs=P(None, "b"), out_specs=P(None, "b"), axis_names={"b"})(x)
        return jax.shard_map(first, mesh=mesh, in_specs=P("a"), out_specs=P("a"), axis_names={"a"})(x)
    return f, [p.f32(2 * 2 * p.one(1, 2), 2 * p.one(1, 3))], mesh
