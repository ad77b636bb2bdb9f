# SPDX-License-Identifier: Apache-2.0
"""JAX programs on meshes: what the tests of our partitioner and of the StableHLO pipeline, and the comparison with XLA's
collectives, are about. Import this before jax: eight devices are made of one CPU.

A program is a function with its mesh, its arguments (shape and sharding) and the shardings of its results. `lower` gives
its text, `arguments` its inputs, `call` XLA's results.
"""
import os
import zlib
from typing import Callable, NamedTuple

os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P  # noqa: E402

jax.config.update("jax_default_matmul_precision", "highest")
PROGRAMS = {}


class Arg(NamedTuple):
    shape: tuple
    spec: tuple
    dtype: str = "float32"
    high: int = 8    # of integers: they are below it
    mesh: object = None


class Program(NamedTuple):
    name: str
    kind: str
    function: Callable
    mesh: Mesh
    args: list
    outs: object     # of one result a tuple, of several a list of tuples, or a sharding; None: what propagation finds

    def named(self, spec, mesh=None):
        return NamedSharding(mesh or self.mesh, P(*spec))

    def arguments(self):
        rng = np.random.RandomState(zlib.crc32(self.name.encode()))
        made = []
        for a in self.args:
            if a.dtype == "float32":
                made.append(rng.uniform(-1, 1, a.shape).astype(np.float32))
            elif a.dtype == "uint32":
                made.append(rng.randint(0, 1 << 30, a.shape).astype(np.uint32))
            else:
                made.append(rng.randint(0, a.high, a.shape).astype(a.dtype))
        return made

    def jitted(self):
        outs = self.outs
        if isinstance(outs, list):
            outs = tuple(map(self.named, outs))
        elif isinstance(outs, tuple):
            outs = self.named(outs)
        keep = {} if outs is None else {"out_shardings": outs}
        return jax.jit(self.function, keep_unused=True, in_shardings=tuple(self.named(a.spec, a.mesh) for a in self.args), **keep)


def mesh_of(order=None, **axes):
    sizes = tuple(axes.values())
    devices = np.array(jax.devices()[:int(np.prod(sizes))])
    devices = devices.reshape(sizes) if order is None else devices[list(order)].reshape(sizes)
    return Mesh(devices, tuple(axes))


def arg(shape, *spec, dtype="float32", high=8, mesh=None):
    return Arg(tuple(shape), spec, dtype, high, mesh)


def ids(shape, *spec, high=8):
    return arg(shape, *spec, dtype="int32", high=high)


def program(kind, mesh, args, outs=None, name=None):
    """The function below becomes a program."""
    def add(f):
        p = Program(name or f.__name__, kind, f, mesh if isinstance(mesh, Mesh) else mesh_of(**mesh), args, outs)
        if p.name in PROGRAMS:
            raise ValueError(f"{p.name} stands twice")
        PROGRAMS[p.name] = p
        return f
    return add


def constrain(x, mesh, *spec):
    return lax.with_sharding_constraint(x, NamedSharding(mesh, P(*spec)))


X2, X8 = mesh_of(x=2), mesh_of(x=8)
X2Y4, X4Y2 = mesh_of(x=2, y=4), mesh_of(x=4, y=2)
A1X8, X8A1 = mesh_of(a=1, x=8), mesh_of(x=8, a=1)
CUBE = mesh_of(x=2, y=2, z=2)

# ---- Layers ----------------------------------------------------------------------------------------------------------


def mlp(x, w1, b1, w2):
    return jax.nn.relu(x @ w1 + b1) @ w2


for _name, _mesh, _d, _m in (("1x2", mesh_of(a=1, x=2), "a", "x"), ("2x4", X2Y4, "x", "y"), ("1x8", A1X8, "a", "x"),
                             ("4x2", X4Y2, "x", "y"), ("8x1", X8A1, "x", "a"), ("3d", CUBE, ("x", "y"), "z")):
    program("mlp", _mesh, [arg((8, 16), _d), arg((16, 32), None, _m), arg((32,), _m), arg((32, 8), _m)], (_d,),
            f"mlp_{_name}")(mlp)


def loss(w1, b1, w2, x, y):
    return jnp.mean((mlp(x, w1, b1, w2) - y) ** 2)


def train(w1, b1, w2, x, y):
    value, grads = jax.value_and_grad(loss, argnums=(0, 1, 2))(w1, b1, w2, x, y)
    return value, *(w - 0.1 * g for w, g in zip((w1, b1, w2), grads))


for _name, _mesh, _d, _m in (("dp8", X8A1, "x", None), ("dp_tp", X2Y4, "x", "y"), ("tp8", A1X8, None, "x"),
                             ("3d", CUBE, "x", ("y", "z"))):
    program("train", _mesh, [arg((16, 32), None, _m), arg((32,), _m), arg((32, 8), _m), arg((16, 16), _d), arg((16, 8), _d)],
            [(), (None, _m), (_m,), (_m,)], f"train_{_name}")(train)


@program("train", X2Y4, [arg((16, 32), "x", "y"), arg((32, 8), "y", "x"), arg((16, 16), ("x", "y")), arg((16, 8), ("x", "y")),
                         arg((16, 32), "x", "y"), arg((32, 8), "y", "x")], [(), ("x", "y"), ("y", "x"), ("x", "y"), ("y", "x")])
def train_fsdp_momentum(w1, w2, x, y, m1, m2):
    def cost(w1, w2):
        return jnp.mean((jnp.tanh(x @ w1) @ w2 - y) ** 2)
    value, (g1, g2) = jax.value_and_grad(cost, (0, 1))(w1, w2)
    m1, m2 = 0.9 * m1 + g1, 0.9 * m2 + g2
    return value, w1 - 0.1 * m1, w2 - 0.1 * m2, m1, m2


def attention(x, wq, wk, wv, wo, heads=4):
    b, t, d = x.shape
    q, k, v = ((x @ w).reshape(b, t, heads, -1).transpose(0, 2, 1, 3) for w in (wq, wk, wv))
    s = q @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1]).astype(np.float32)
    s = jnp.where(jnp.tril(jnp.ones((t, t), bool)), s, -1e9)
    return (jax.nn.softmax(s) @ v).transpose(0, 2, 1, 3).reshape(b, t, -1) @ wo


for _name, _mesh, _d, _m in (("2x4", X2Y4, "x", "y"), ("4x2", X4Y2, "x", "y"), ("1x8", A1X8, None, "x"),
                             ("3d", CUBE, ("x", "z"), "y")):
    program("attention", _mesh, [arg((4, 8, 16), _d)] + [arg((16, 32), None, _m)] * 3 + [arg((32, 16), _m)], (_d,),
            f"attention_{_name}")(attention)


@program("attention", A1X8, [arg((2, 16, 16), None, "x")] + [arg((16, 16))] * 4, (None, "x"))
def attention_sequence(x, wq, wk, wv, wo):
    return attention(x, wq, wk, wv, wo)


def norm(x, g):
    return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * g


def gpt(tokens, table, layers, out):
    x = table[tokens]
    for g, wq, wk, wv, wo, w1, w2 in layers:
        x = x + attention(norm(x, g), wq, wk, wv, wo)
        x = x + jax.nn.gelu(norm(x, g) @ w1) @ w2
    return x @ out


def gpt_flat(tokens, table, out, *flat):
    return gpt(tokens, table, [flat[i:i + 7] for i in range(0, len(flat), 7)], out)


def gpt_args(d, m, high=32):
    layer = [arg((16,))] + [arg((16, 16), None, m)] * 3 + [arg((16, 16), m), arg((16, 32), None, m), arg((32, 16), m)]
    return [ids((4, 8), d, high=high), arg((32, 16), m), arg((16, 32), None, m)] + layer * 2


for _name, _mesh, _d, _m in (("2x4", X2Y4, "x", "y"), ("1x2", mesh_of(a=1, x=2), "a", "x"), ("4x2", X4Y2, "x", "y")):
    program("gpt", _mesh, gpt_args(_d, _m), (_d, None, _m), f"gpt_{_name}")(gpt_flat)


@program("gpt", X2Y4, gpt_args("x", "y"), [()] * 17)
def gpt_grad(tokens, *weights):
    def cost(*w):
        logits = gpt_flat(tokens, *w)
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), tokens[..., None], -1))
    value, grads = jax.value_and_grad(cost, tuple(range(len(weights))))(*weights)
    return value, *grads


@program("moe", X2Y4, [arg((16, 8), "x"), arg((8, 4)), arg((4, 8, 16), "y"), arg((4, 16, 8), "y")], ("x",))
def moe_dense(x, gate, w1, w2):
    p = jax.nn.softmax(x @ gate)
    top, which = lax.top_k(p, 2)
    mask = jax.nn.one_hot(which, 4) * top[..., None]
    h = jax.nn.relu(jnp.einsum("td,edh->eth", x, w1))
    return jnp.einsum("eth,ehd,tke->td", h, w2, mask)


@program("moe", A1X8, [arg((16, 8), "x"), arg((8, 8)), arg((8, 8, 16), "x"), arg((8, 16, 8), "x")], ("x",))
def moe_capacity(x, gate, w1, w2):
    choice = jnp.argmax(x @ gate, -1)
    one = jax.nn.one_hot(choice, 8)
    place = jnp.sum(jnp.cumsum(one, 0) * one, -1).astype(jnp.int32) - 1
    dispatch = one[..., None] * jax.nn.one_hot(place, 4)[:, None, :]
    inside = jnp.einsum("tec,td->ecd", dispatch, x)
    return jnp.einsum("tec,ecd->td", dispatch, jax.nn.relu(inside @ w1) @ w2)


def conv(x, k, stride=1):
    return lax.conv_general_dilated(x, k, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


for _name, _mesh, _xs, _ks in (("batch", X8A1, ("x",), ()), ("features", X2Y4, ("x",), (None, None, None, "y")),
                               ("spatial", X2Y4, ("x", "y"), ()), ("channels", A1X8, (None, None, None, "x"), (None, None, "x"))):
    program("conv", _mesh, [arg((8, 8, 8, 8), *_xs), arg((3, 3, 8, 16), *_ks)], None, f"conv_{_name}")(
        lambda x, k: jax.nn.relu(conv(x, k)))


@program("conv", X4Y2, [arg((8, 8, 8, 4), "x"), arg((3, 3, 4, 8), None, None, None, "y"), arg((8,), "y")], [()] * 3)
def conv_grad(x, k, b):
    def cost(k, b):
        return jnp.sum(jax.nn.relu(conv(x, k, 2) + b) ** 2)
    value, (gk, gb) = jax.value_and_grad(cost, (0, 1))(k, b)
    return value, gk, gb


@program("conv", X2Y4, [arg((8, 8, 8, 4), "x", "y")])
def pooling(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"), x.mean((1, 2))


# ---- Batch norm ------------------------------------------------------------------------------------------------------


def batch_norm(x, g, b, axes):
    mean = x.mean(axes, keepdims=True)
    var = ((x - mean) ** 2).mean(axes, keepdims=True)
    return (x - mean) * lax.rsqrt(var + 1e-5) * g + b


def batch_norm_fast(x, g, b, axes):
    mean = x.mean(axes)
    var = (x * x).mean(axes) - mean * mean
    return (x - mean) * lax.rsqrt(var + 1e-5) * g + b, mean, var


def bn_grad(x, g, b, y, axes):
    def cost(x, g, b):
        return jnp.sum(batch_norm(x, g, b, axes) * y)
    return jax.grad(cost, (0, 1, 2))(x, g, b)


IMAGE = (8, 8, 8, 16)
program("batch norm", X8A1, [arg((32, 16), "x"), arg((16,)), arg((16,))], ("x",), "bn_dp8")(
    lambda x, g, b: batch_norm(x, g, b, (0,)))
program("batch norm", X2Y4, [arg(IMAGE, "x", "y"), arg((16,)), arg((16,))], ("x", "y"), "bn_dp_spatial")(
    lambda x, g, b: batch_norm(x, g, b, (0, 1, 2)))
program("batch norm", CUBE, [arg(IMAGE, "x", "y", "z"), arg((16,)), arg((16,))], ("x", "y", "z"), "bn_dp_spatial_3d")(
    lambda x, g, b: batch_norm(x, g, b, (0, 1, 2)))
program("batch norm", X2Y4, [arg(IMAGE, "x", None, None, "y"), arg((16,), "y"), arg((16,), "y")],
        ("x", None, None, "y"), "bn_dp_features")(lambda x, g, b: batch_norm(x, g, b, (0, 1, 2)))
program("batch norm", X8A1, [arg(IMAGE, "x"), arg((16,)), arg((16,))], [("x",), (), ()], "bn_fast_dp8")(
    lambda x, g, b: batch_norm_fast(x, g, b, (0, 1, 2)))
program("batch norm", X4Y2, [arg(IMAGE, "x", "y"), arg((16,)), arg((16,))], [("x", "y"), (), ()], "bn_fast_dp_spatial")(
    lambda x, g, b: batch_norm_fast(x, g, b, (0, 1, 2)))
program("batch norm", X8A1, [arg((32, 16), "x"), arg((16,)), arg((16,)), arg((32, 16), "x")], [("x",), (), ()], "bn_grad_dp8")(
    lambda x, g, b, y: bn_grad(x, g, b, y, (0,)))
program("batch norm", X2Y4, [arg(IMAGE, "x", "y"), arg((16,)), arg((16,)), arg(IMAGE, "x", "y")], [("x", "y"), (), ()],
        "bn_grad_dp_spatial")(lambda x, g, b, y: bn_grad(x, g, b, y, (0, 1, 2)))
program("batch norm", X4Y2, [arg(IMAGE, ("x", "y")), arg((16,)), arg((16,)), arg(IMAGE, ("x", "y"))], [(("x", "y"),), (), ()],
        "bn_grad_two_axes")(lambda x, g, b, y: bn_grad(x, g, b, y, (0, 1, 2)))


@program("batch norm", X8A1, [arg(IMAGE, "x"), arg((3, 3, 16, 16)), arg((16,)), arg((16,)), arg(IMAGE, "x")], [()] * 5)
def bn_conv_train(x, k, g, b, y):
    def cost(k, g, b):
        return jnp.mean((jax.nn.relu(batch_norm(conv(x, k), g, b, (0, 1, 2))) - y) ** 2)
    value, (gk, gg, gb) = jax.value_and_grad(cost, (0, 1, 2))(k, g, b)
    h = conv(x, k)
    return value, k - 0.1 * gk, g - 0.1 * gg, b - 0.1 * gb, 0.9 * g + 0.1 * h.mean((0, 1, 2))


@program("batch norm", X2Y4, [arg(IMAGE, "x", "y"), arg((3, 3, 16, 16)), arg((16,)), arg((16,)), arg((16,)), arg((16,))],
         [("x", "y"), (), ()])
def bn_running(x, k, g, b, mean, var):
    h, m, v = batch_norm_fast(conv(x, k), g, b, (0, 1, 2))
    return jax.nn.relu(h), 0.9 * mean + 0.1 * m, 0.9 * var + 0.1 * v


def bn_step(x, g, b, mean, var, axes):
    m = x.mean(axes)
    v = jnp.maximum(0.0, (x * x).mean(axes) - m * m)
    return (x - m) * lax.rsqrt(v + 1e-5) * g + b, 0.9 * mean + 0.1 * m, 0.9 * var + 0.1 * v


def residual_train(x, y, w, *p):
    def cost(p, w):
        h, m1, v1 = bn_step(conv(x, p[0]), *p[1:5], (0, 1, 2))
        h, m2, v2 = bn_step(conv(jax.nn.relu(h), p[5]), *p[6:10], (0, 1, 2))
        return jnp.mean((jax.nn.relu(h + x).mean((1, 2)) @ w - y) ** 2), (m1, v1, m2, v2)
    (value, stats), (gp, gw) = jax.value_and_grad(cost, (0, 1), has_aux=True)(p, w)
    return (value, w - 0.1 * gw, *stats) + tuple(a - 0.1 * g for a, g in zip(p, gp))


for _name, _mesh, _xs in (("dp8", X8A1, ("x",)), ("dp_spatial", X2Y4, ("x", "y")), ("two_axes", X2Y4, (("x", "y"),)),
                          ("dp2", X2Y4, ("x",)), ("spatial_3d", CUBE, ("x", "y", "z"))):
    program("batch norm", _mesh, [arg(IMAGE, *_xs), arg((8, 4), _xs[0]), arg((16, 4))] +
            ([arg((3, 3, 16, 16))] + [arg((16,))] * 4) * 2, [()] * 16, f"bn_residual_{_name}")(residual_train)


def bn_rows(x, g, b):
    return (x - x.mean(0)) / jnp.sqrt(x.var(0) + 1e-5) * g + b


def bn_mlp(x, w1, g, b, w2, y):
    def cost(w1, g, b, w2):
        return jnp.mean((jax.nn.relu(bn_rows(x @ w1, g, b)) @ w2 - y) ** 2)
    value, grads = jax.value_and_grad(cost, (0, 1, 2, 3))(w1, g, b, w2)
    return value, *grads


program("batch norm", X8A1, [arg((64, 32), "x"), arg((32,)), arg((32,))], ("x",), "bn_var")(bn_rows)
program("batch norm", X8A1, [arg((64, 32), "x"), arg((32, 16)), arg((16,)), arg((16,)), arg((16, 4)), arg((64, 4), "x")],
        [()] * 5, "bn_mlp_dp8")(bn_mlp)
program("batch norm", X2Y4, [arg((64, 32), "x"), arg((32, 16), None, "y"), arg((16,), "y"), arg((16,), "y"),
                             arg((16, 4), "y"), arg((64, 4), "x")], [(), (None, "y"), ("y",), ("y",), ("y",)],
        "bn_mlp_dp_tp")(bn_mlp)
program("batch norm", X8A1, [arg((64, 32), "x")] + [arg((32,))] * 4, [("x",), (), ()], "bn_step_dp8")(
    lambda x, g, b, m, v: bn_step(x, g, b, m, v, (0,)))
program("batch norm", X2Y4, [arg((64, 32), "x")] + [arg((32,))] * 4, [("x",), (), ()], "bn_step_dp2")(
    lambda x, g, b, m, v: bn_step(x, g, b, m, v, (0,)))


@program("batch norm", X2Y4, [arg((8, 16, 16, 3), "x", "y"), arg((5, 5, 3, 8)), arg((8,)), arg((8,))], ("x", "y"))
def bn_conv_stride(x, k, g, b):
    return jax.nn.relu(batch_norm(conv(x, k, 2), g, b, (0, 1, 2)))


@program("batch norm", X8A1, [arg((8, 16, 16, 4), None, "x"), arg((3, 3, 4, 8)), arg((8,)), arg((8,))], [()] * 3)
def bn_spatial_grad(x, k, g, b):
    def cost(k, g, b):
        return jnp.mean(jnp.sin(batch_norm(conv(x, k), g, b, (0, 1, 2))))
    return jax.grad(cost, (0, 1, 2))(k, g, b)


@program("batch norm", X2Y4, [arg((8, 16, 32), "x", "y"), arg((32,)), arg((32,))], ("x", "y"))
def group_norm(x, g, b):
    h = x.reshape(8, 16, 4, 8)
    m, v = h.mean((1, 3), keepdims=True), h.var((1, 3), keepdims=True)
    return ((h - m) * lax.rsqrt(v + 1e-5)).reshape(8, 16, 32) * g + b


# ---- Dynamic slices and updates, gathers and scatters -----------------------------------------------------------------


def at(x, i, sizes):
    return lax.dynamic_slice(x, [i] * len(sizes) if not isinstance(i, (list, tuple)) else i, sizes)


program("dynamic", X8A1, [arg((64, 16), "x"), ids(())], (), "slice_row")(lambda x, i: at(x, (i, 0), (1, 16)))
program("dynamic", X8A1, [arg((64, 16), "x"), ids(())], (), "slice_few_rows")(lambda x, i: at(x, (i, 0), (4, 16)))
program("dynamic", X8A1, [arg((64, 16), "x"), ids(())], ("x",), "slice_half")(lambda x, i: at(x, (i, 0), (32, 16)))
program("dynamic", X8A1, [arg((64, 16), "x"), ids(())], ("x",), "slice_most")(lambda x, i: at(x, (i, 0), (56, 16)))
program("dynamic", X2Y4, [arg((16, 32), "x", "y"), ids(())], ("x",), "slice_columns")(lambda x, i: at(x, (0, i), (16, 4)))
program("dynamic", X2Y4, [arg((16, 32), "x", "y"), ids(()), ids(())], (), "slice_both")(
    lambda x, i, j: at(x, (i, j), (4, 8)))
program("dynamic", X2Y4, [arg((16, 32), "x", "y"), ids(())], ("x", "y"), "slice_columns_sharded")(
    lambda x, i: at(x, (0, i), (16, 16)))
program("dynamic", X2Y4, [arg((16, 32, 4), "x", "y"), ids(())], ("x", None), "slice_other_dim")(
    lambda x, i: at(x, (0, 0, i), (16, 32, 2)))
program("dynamic", X8A1, [arg((64, 16), "x"), arg((4, 16)), ids(())], ("x",), "update_rows")(
    lambda x, u, i: lax.dynamic_update_slice(x, u, (i, 0)))
program("dynamic", X8A1, [arg((64, 16), "x"), arg((8, 16), "x"), ids(())], ("x",), "update_sharded_rows")(
    lambda x, u, i: lax.dynamic_update_slice(x, u, (i, 0)))
program("dynamic", X2Y4, [arg((16, 32), "x", "y"), arg((16, 4), "x"), ids(())], ("x", "y"), "update_columns")(
    lambda x, u, i: lax.dynamic_update_slice(x, u, (0, i)))
program("dynamic", X2Y4, [arg((16, 32), "x", "y"), arg((16, 8), "x", "y"), ids(())], ("x", "y"), "update_columns_sharded")(
    lambda x, u, i: lax.dynamic_update_slice(x, u, (0, i)))
program("dynamic", X2Y4, [arg((16, 32), "x", "y"), arg((8, 8), "x", "y"), ids(()), ids(())], ("x", "y"), "update_both")(
    lambda x, u, i, j: lax.dynamic_update_slice(x, u, (i, j)))
program("dynamic", X8A1, [arg((64, 16), "x"), arg((64, 16), "x"), ids(())], ("x",), "update_from_slice")(
    lambda x, y, i: lax.dynamic_update_slice(x, at(y, (i, 0), (2, 16)), (i + 1, 0)))

program("dynamic", X8A1, [arg((16, 8, 4), "x"), ids((), high=16)], (), "index_in_dim")(
    lambda x, i: lax.dynamic_index_in_dim(x, i, 0, keepdims=False))
program("dynamic", X8A1, [arg((16, 64), None, "x"), ids((), high=16)], ("x",), "index_other")(
    lambda x, i: lax.dynamic_index_in_dim(x, i, 0, keepdims=False) * 2)
program("dynamic", X8A1, [arg((64,), "x"), ids((), high=64)], ("x",), "roll_dynamic")(lambda x, i: jnp.roll(x, i))
program("dynamic", X2Y4, [arg((8, 32), "x", "y"), ids((), high=32)], ("x", "y"), "roll_columns")(
    lambda x, i: jnp.roll(x, i, 1))
program("dynamic", X8A1, [arg((64, 16), "x"), arg((64, 16), "x"), ids((), high=16)], ("x",), "update_large_sharded")(
    lambda x, u, i: lax.dynamic_update_slice(x, u[:48], (i, 0)))
program("dynamic", X8A1, [arg((64, 16), "x"), arg((32, 16), "x"), ids((), high=16)], ("x",), "update_half_sharded")(
    lambda x, u, i: lax.dynamic_update_slice(x, u, (i, 0)))
program("dynamic", X8A1, [arg((64, 16)), arg((32, 16), "x"), ids((), high=16)], (), "update_whole_by_sharded")(
    lambda x, u, i: lax.dynamic_update_slice(x, u, (i, 0)))
program("dynamic", X2Y4, [arg((16, 32), "x", "y"), arg((16, 32), "x", "y"), ids(())], ("x", "y"), "add_slice")(
    lambda x, y, i: x.at[:, :8].add(at(y, (0, i), (16, 8))))
program("dynamic", X2Y4, [arg((16, 32), "x", "y"), ids(())], ("x",), "slice_then_sum")(
    lambda x, i: at(x, (0, i), (16, 8)).sum(1))
program("dynamic", X2Y4, [arg((16, 32), "x", "y"), arg((8, 4)), ids(())], ("x",), "slice_then_dot")(
    lambda x, w, i: at(x, (0, i), (16, 8)) @ w)
program("dynamic", X2Y4, [arg((16, 32), "x", "y"), ids((16,), "x")], ("x",), "slice_each_row")(
    lambda x, i: jax.vmap(lambda r, j: lax.dynamic_slice(r, (j,), (4,)))(x, i))
program("dynamic", X2Y4, [arg((16, 32), "x", "y"), ids((16,), "x"), arg((16, 4), "x")], ("x", "y"), "update_each_row")(
    lambda x, i, u: jax.vmap(lambda r, j, v: lax.dynamic_update_slice(r, v, (j,)))(x, i, u))
program("dynamic", X4Y2, [arg((8, 64, 4), "y", "x"), arg((8, 1, 4), "y"), ids((), high=64)], ("y", "x"), "kv_write")(
    lambda c, n, i: lax.dynamic_update_slice(c, n, (0, i, 0)))
program("dynamic", X4Y2, [arg((8, 64, 4), "y", "x"), ids((), high=60)], ("y",), "kv_read_window")(
    lambda c, i: lax.dynamic_slice(c, (0, i, 0), (8, 16, 4)))
program("dynamic", X4Y2, [arg((8, 64, 4), "y", "x"), ids((), high=60)], ("y", "x"), "kv_read_window_sharded")(
    lambda c, i: lax.dynamic_slice(c, (0, i, 0), (8, 16, 4)))
program("dynamic", X8A1, [arg((60, 16)), ids((), high=30)], None, "slice_replicated")(lambda x, i: at(x, (i, 0), (24, 16)) * 2)
program("dynamic", X8A1, [arg((64, 16), "x"), ids(())], ("x",), "slice_half_cols")(lambda x, i: at(x, (i, 0), (32, 8)))
program("dynamic", X8A1, [arg((64, 16), "x"), ids(())], (None, "x"), "slice_to_columns")(
    lambda x, i: at(x, (i, 0), (16, 16)))
program("dynamic", X8A1, [arg((64, 16), "x"), ids(())], (), "slice_half_whole")(lambda x, i: at(x, (i, 0), (32, 16)))
program("dynamic", X8A1, [arg((64, 16), "x"), ids(())], (), "slice_most_whole")(lambda x, i: at(x, (i, 0), (60, 16)))


@program("dynamic", X8A1, [arg((16, 8), "x"), arg((8, 8))], ())
def scan_sharded_xs(xs, w):
    return lax.scan(lambda h, x: (jnp.tanh(h @ w + x), None), jnp.zeros(8), xs)[0]


@program("dynamic", X8A1, [arg((16, 8), "x"), arg((8, 8))], ("x",))
def scan_sharded_ys(xs, w):
    return lax.scan(lambda h, x: (jnp.tanh(h @ w + x),) * 2, jnp.zeros(8), xs)[1]


@program("dynamic", X2Y4, [arg((8, 4, 16), "y", "x"), arg((16, 16))], ("y", "x"))
def scan_sharded_batch(xs, w):
    return lax.scan(lambda h, x: (jnp.tanh(h @ w + x),) * 2, jnp.zeros((4, 16)), xs)[1]


@program("dynamic", X8A1, [arg((32, 8), "x"), arg((4, 8))], ("x",))
def loop_updates(x, u):
    return lax.fori_loop(0, 8, lambda i, x: lax.dynamic_update_slice(x, u * x.mean(), (i * 4, 0)), x)


@program("dynamic", X8A1, [arg((32, 8), "x")], ())
def loop_slices(x):
    return lax.fori_loop(0, 8, lambda i, s: s + at(x, (i * 4, 0), (4, 8)), jnp.zeros((4, 8)))


@program("dynamic", X8A1, [arg((32, 8), "x")], ("x",))
def loop_shift(x):
    return lax.fori_loop(0, 8, lambda i, x: lax.dynamic_update_slice(x, at(x, (i, 0), (1, 8)) * 2, (i + 1, 0)), x)


@program("dynamic", X8A1, [arg((64, 16), "x"), ids(())], ("x",))
def slice_grad(x, i):
    return jax.grad(lambda x: jnp.sum(at(x, (i, 0), (8, 16)) ** 2))(x)


@program("dynamic", X2Y4, [arg((16, 32), "x", "y"), ids(())], ("x", "y"))
def slice_grad_columns(x, i):
    return jax.grad(lambda x: jnp.sum(at(x, (0, i), (16, 16)) ** 2))(x)


@program("dynamic", X8A1, [arg((64, 16), "x"), arg((8, 16), "x"), ids(())], [("x",), ("x",)])
def update_grad(x, u, i):
    return jax.grad(lambda x, u: jnp.sum(lax.dynamic_update_slice(x, u, (i, 0)) ** 2), (0, 1))(x, u)


@program("dynamic", X2Y4, [arg((2, 16, 4, 8), "x", None, "y"), arg((2, 16, 4, 8), "x", None, "y"), arg((2, 1, 4, 8), "x", None, "y"),
                           ids((), high=16)], [("x", None, "y")] * 2)
def kv_cache(cache, q, new, i):
    cache = lax.dynamic_update_slice(cache, new, (0, i, 0, 0))
    s = jnp.einsum("bthd,bshd->bhts", q, cache)
    return cache, jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s), cache)


@program("dynamic", A1X8, [arg((2, 32, 4, 8), None, "x"), arg((2, 32, 4, 8), None, "x"), arg((2, 1, 4, 8)), arg((2, 1, 4, 8)),
                           arg((2, 1, 4, 8)), ids((), high=32)], [(None, "x"), (None, "x"), ()])
def kv_cache_sequence(k, v, q, nk, nv, i):
    k, v = lax.dynamic_update_slice(k, nk, (0, i, 0, 0)), lax.dynamic_update_slice(v, nv, (0, i, 0, 0))
    s = jnp.einsum("bthd,bshd->bhts", q, k)
    s = jnp.where(jnp.arange(32) <= i, s, -1e9)
    return k, v, jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s), v)


@program("dynamic", X2Y4, [arg((4, 16, 8), "x", "y"), arg((4, 1, 8), "x"), ids((4,), "x", high=16)], ("x", "y"))
def kv_cache_each(cache, new, i):
    return jax.vmap(lambda c, n, j: lax.dynamic_update_slice(c, n, (j, 0)))(cache, new, i)


program("gather", X2Y4, [arg((32, 16), "y"), ids((16,), "x", high=32)], ("x",), "embedding_rows")(lambda t, i: t[i])
program("gather", X2Y4, [arg((32, 16), None, "y"), ids((16,), "x", high=32)], ("x", "y"), "embedding_columns")(
    lambda t, i: t[i])
program("gather", X8A1, [arg((64, 16), "x"), ids((16,), high=64)], (), "gather_replicated_ids")(lambda t, i: t[i])
program("gather", X8A1, [arg((64, 16), "x"), ids((16,), "x", high=64)], ("x",), "gather_sharded_ids")(lambda t, i: t[i])
program("gather", X8A1, [arg((64, 16), "x"), ids((4, 8), None, "x", high=64)], (None, "x"), "gather_2d_ids")(
    lambda t, i: t[i])
program("gather", X2Y4, [arg((16, 32), "x", "y"), ids((16, 4), "x", high=32)], ("x",), "take_along")(
    lambda t, i: jnp.take_along_axis(t, i, 1))
program("gather", X2Y4, [arg((32, 16), "x", "y"), ids((8,), high=32)], (), "gather_both_sharded")(lambda t, i: t[i])
program("gather", X2Y4, [arg((32, 16), "x", "y"), ids((8,), high=32), ids((8,), high=16)], (), "gather_points")(
    lambda t, i, j: t[i, j])
program("gather", X8A1, [arg((64, 16), "x"), ids((64,), "x", high=64)], ("x",), "gather_permutation")(lambda x, i: x[i])
program("gather", X8A1, [arg((64, 16), "x"), ids((128,), "x", high=64)], ("x",), "gather_many")(lambda x, i: x[i])
program("gather", X8A1, [arg((64, 16), None, "x"), ids((16,), high=64)], (None, "x"), "gather_cols")(lambda x, i: x[i])
program("gather", X2Y4, [arg((64, 16), "y"), ids((8, 4), "x", high=64)], ("x",), "gather_2d")(lambda x, i: x[i])
program("gather", X2Y4, [arg((64, 16), ("x", "y")), ids((8, 4), "x", high=64)], ("x",), "gather_two_axes")(lambda x, i: x[i])
program("gather", X2Y4, [arg((64, 16), "x"), ids((32,), "y", high=64)], ("y",), "gather_cross")(lambda x, i: x[i])
program("scatter", X8A1, [arg((64, 16), "x"), ids((64,), "x", high=64), arg((64, 16), "x")], ("x",), "scatter_many")(
    lambda x, i, u: x.at[i].max(u))
program("scatter", X2Y4, [arg((64, 16), "y"), ids((32,), "x", high=64), arg((32, 16), "x")], ("y",), "scatter_cross")(
    lambda x, i, u: x.at[i].add(u))
program("scatter", X2Y4, [arg((64, 16), "y"), ids((8,), "x", high=64), arg((8, 16), "x")], ("y",), "scatter_cross_few")(
    lambda x, i, u: x.at[i].add(u))
program("scatter", X2Y4, [arg((16, 32), "x", "y"), ids((16,), "x", high=32), arg((16,), "x")], ("x", "y"), "scatter_points")(
    lambda x, i, u: x.at[jnp.arange(16), i].set(u))
program("scatter", X8A1, [arg((64, 16), "x"), ids((16,), high=64), arg((16, 16))], ("x",), "scatter_add_replicated")(
    lambda t, i, u: t.at[i].add(u))
program("scatter", X8A1, [arg((64, 16), "x"), ids((16,), "x", high=64), arg((16, 16), "x")], ("x",), "scatter_add_sharded")(
    lambda t, i, u: t.at[i].add(u))
program("scatter", X8A1, [arg((64, 16)), ids((16,), "x", high=64), arg((16, 16), "x")], (), "scatter_add_updates")(
    lambda t, i, u: t.at[i].add(u))
program("scatter", X2Y4, [arg((32, 16), "x", "y"), ids((8,), high=32), arg((8, 16), None, "y")], ("x", "y"), "scatter_max")(
    lambda t, i, u: t.at[i].max(u))
program("scatter", X2Y4, [arg((32, 16), "x", "y"), arg((8, 16), None, "y")], ("x", "y"), "scatter_set")(
    lambda t, u: t.at[jnp.arange(8) * 3].set(u))
program("scatter", X2Y4, [arg((32, 16), "y"), ids((16,), "x", high=32), arg((16, 16), "x")], ("y",), "embedding_grad")(
    lambda t, i, y: jax.grad(lambda t: jnp.sum(t[i] * y))(t))
program("scatter", X4Y2, [ids((64,), "x", high=16)], (), "histogram")(lambda i: jnp.zeros(16).at[i].add(1.0))

# ---- Order, sums, shapes ---------------------------------------------------------------------------------------------

program("order", X8A1, [arg((64,), "x")], None, "sort_sharded")(lambda x: jnp.sort(x))
program("order", X2Y4, [arg((8, 32), "x", "y")], ("x", "y"), "sort_rows")(lambda x: jnp.sort(x, -1))
program("order", X2Y4, [arg((8, 32), "x")], ("x",), "argsort_batch")(lambda x: (jnp.argsort(x, -1)))
program("order", X2Y4, [arg((8, 32), "x", "y")], None, "argmax_sharded")(lambda x: (jnp.argmax(x, 1), jnp.argmin(x, 0), x.max()))
program("order", X2Y4, [arg((8, 32), "x", "y")], None, "top_k")(lambda x: lax.top_k(x, 4))
program("sums", X8A1, [arg((64, 4), "x")], ("x",), "cumsum_sharded")(lambda x: jnp.cumsum(x, 0))
program("sums", X2Y4, [arg((8, 32), "x", "y")], None, "cumulative")(lambda x: (jnp.cumsum(x, 1), lax.cummax(x, 0)))
program("sums", CUBE, [arg((8, 16, 4), "x", "y", "z")], None, "reductions")(
    lambda x: (x.sum(), x.mean(0), x.max((1, 2)), x.prod(2), jnp.all(x > 0, 1), x.std(), jax.nn.logsumexp(x, 1)))
program("shapes", X2Y4, [arg((8, 32), "x", "y"), arg((8, 32), "x", "y")], ("x", "y"), "concat_sharded")(
    lambda x, y: jnp.concatenate([x, y], 1))
program("shapes", X2Y4, [arg((8, 32), "x", "y")], ("x", "y"), "pad_sharded")(lambda x: jnp.pad(x, ((0, 0), (2, 6))))
program("shapes", X2Y4, [arg((8, 32), "x", "y")], None, "reshapes")(
    lambda x: (x.reshape(8, 4, 8), x.reshape(256), x.T, x.reshape(2, 4, 32).transpose(2, 0, 1)))
program("shapes", X4Y2, [arg((8, 32), "x", "y")], None, "slices")(
    lambda x: (x[:, ::2], x[2:6], x[:, 8:24], x[::-1], jnp.roll(x, 3, 1), jnp.tile(x, (2, 1))))
program("shapes", X8A1, [arg((30, 6), None, None)], None, "uneven")(lambda x: (x[:20] * 2, jnp.outer(x[:, 0], x[0])))
program("shapes", X4Y2, [arg((8, 32), "x", "y")], ("y", "x"), "select_where")(
    lambda x: jnp.where(lax.broadcasted_iota(jnp.int32, (8, 32), 1) % 3 == 0, x, jnp.arange(32.0) * 0.5))

# ---- Loops, random numbers -------------------------------------------------------------------------------------------


@program("loops", X2Y4, [arg((8, 16), "x"), arg((4, 16, 16), None, None, "y")], ("x",))
def scan_layers(x, ws):
    return lax.scan(lambda h, w: (jnp.tanh(h @ w), None), x, ws)[0]


@program("loops", X8A1, [arg((12, 8, 8), None, "x"), arg((8, 8)), arg((8, 8))], (None, "x"))
def scan_rnn(xs, w, u):
    return lax.scan(lambda h, x: (jnp.tanh(x @ w + h @ u),) * 2, jnp.zeros((8, 8)), xs)[1]


@program("loops", X2Y4, [arg((8, 16), "x"), arg((4, 16, 16), None, None, "y")], [()] * 2)
def scan_grad(x, ws):
    def cost(ws):
        return jnp.sum(lax.scan(lambda h, w: (jnp.tanh(h @ w), None), x, ws)[0] ** 2)
    return jax.value_and_grad(cost)(ws)


@program("loops", X4Y2, [arg((16, 16), "x", "y"), arg((16,), "x")], ("x",))
def power_iteration(a, v):
    def step(s):
        i, v = s
        v = a @ v
        return i + 1, v / jnp.linalg.norm(v)
    return lax.while_loop(lambda s: s[0] < 5, step, (0, v))[1]


@program("loops", X2Y4, [arg((8, 16), "x", "y"), ids((), high=2)], ("x", "y"))
def branches(x, i):
    return lax.cond(i > 0, lambda x: x * 2 - x.mean(), lambda x: jnp.cumsum(x, 1), x)


@program("loops", X2Y4, [arg((4, 16), "x"), ids((4,), "x", high=16), arg((16, 16), None, "y"), arg((4, 8, 16), "x", None, "y")], ("x",))
def decode(x, tok, w, cache):
    def step(s, i):
        x, cache = s
        x = jnp.tanh(x @ w)
        cache = lax.dynamic_update_slice(cache, x[:, None], (0, i, 0))
        return (x + cache.mean(1), cache), None
    (x, cache), _ = lax.scan(step, (x + tok[:, None], cache), jnp.arange(4))
    return x


program("random", X2Y4, [arg((2,), dtype="uint32"), arg((8, 32), "x", "y")], ("x", "y"), "dropout")(
    lambda k, x: jnp.where(jax.random.bernoulli(k, 0.8, x.shape), x / 0.8, 0))
program("random", X8A1, [arg((2,), dtype="uint32")], ("x",), "normal")(lambda k: jax.random.normal(k, (64, 4)))
program("random", X2Y4, [arg((2,), dtype="uint32")], ("x", "y"), "uniform_split")(
    lambda k: sum(jax.random.uniform(j, (8, 16)) for j in jax.random.split(k, 3)))

# ---- shard_map -------------------------------------------------------------------------------------------------------


def mapped(mesh, ins, outs, **more):
    return lambda f: jax.shard_map(f, mesh=mesh, in_specs=ins, out_specs=outs, check_vma=False, **more)


program("shard_map", X2Y4, [arg((8, 16), "x", "y"), arg((16, 8), "y")], ("x",), "map_psum")(
    mapped(X2Y4, (P("x", "y"), P("y")), P("x"))(lambda a, b: lax.psum(a @ b, "y")))
program("shard_map", X8A1, [arg((16, 8), "x")], ("x",), "map_ring")(
    mapped(X8A1, (P("x"),), P("x"))(lambda a: sum(lax.ppermute(a, "x", [(i, (i + k) % 8) for i in range(8)]) * k for k in range(3))))
program("shard_map", X2Y4, [arg((16, 16), "x", "y")], None, "map_gather_scatter")(
    mapped(X2Y4, (P("x", "y"),), (P("x"), P("x", "y"), P(("x", "y"))))(
        lambda a: (lax.all_gather(a, "y", axis=1, tiled=True), lax.psum_scatter(lax.all_gather(a, "y", axis=1, tiled=True), "y",
                                                                           scatter_dimension=1, tiled=True),
                   lax.all_to_all(a, "y", 0, 1, tiled=True))))
program("shard_map", CUBE, [arg((8, 8, 8), "x", "y", "z")], None, "map_3d")(
    mapped(CUBE, (P("x", "y", "z"),), (P("x"), P("z"), P()))(
        lambda a: (lax.psum(a, ("y", "z")), lax.pmax(a, ("x", "y")), lax.psum(jnp.sum(a), ("x", "y", "z")))))
program("shard_map", X8A1, [arg((16, 8), "x")], ("x",), "map_index")(
    mapped(X8A1, (P("x"),), P("x"))(lambda a: a + lax.axis_index("x") * lax.pmean(a.sum(), "x")))


@program("shard_map", X8A1, [arg((2, 16, 8), None, "x"), arg((2, 16, 8), None, "x"), arg((2, 16, 8), None, "x")], (None, "x"))
def map_ring_attention(q, k, v):
    @mapped(X8A1, (P(None, "x"),) * 3, P(None, "x"))
    def ring(q, k, v):
        def step(s, _):
            k, v, top, low = s
            e = jnp.exp(jnp.einsum("btd,bsd->bts", q, k))
            top, low = top + e @ v, low + e.sum(-1, keepdims=True)
            turn = [(i, (i + 1) % 8) for i in range(8)]
            return (lax.ppermute(k, "x", turn), lax.ppermute(v, "x", turn), top, low), None
        (_, _, top, low), _ = lax.scan(step, (k, v, jnp.zeros_like(q), jnp.zeros(q.shape[:2] + (1,))), None, length=8)
        return top / low
    return ring(q, k, v)


@program("shard_map", X2Y4, [arg((8, 16), "x"), arg((16, 16), None, "y")], ("x",))
def map_inside_jit(x, w):
    h = jnp.tanh(x @ w)
    h = mapped(X2Y4, (P("x", "y"),), P("x", "y"))(lambda a: a - lax.pmean(a.mean(1, keepdims=True), "y"))(h)
    return h @ w.T


@program("shard_map", X2Y4, [arg((8, 16), "x", "y")], ("x", "y"))
def map_some_axes(x):
    h = jax.shard_map(lambda a: a * 2 + lax.psum(a.sum(), "x"), mesh=X2Y4, in_specs=P("x"), out_specs=P("x"),
                      axis_names={"x"}, check_vma=False)(x)
    return h + h.mean()


@program("shard_map", X8A1, [arg((16, 8), "x"), arg((8, 8)), arg((16, 8), "x")], [()] * 2)
def map_train(x, w, y):
    @mapped(X8A1, (P("x"), P(), P("x")), (P(), P()))
    def step(x, w, y):
        value, g = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)
        return lax.pmean(value, "x"), lax.pmean(g, "x")
    return step(x, w, y)


# ---- Resharding ------------------------------------------------------------------------------------------------------

FLAT = mesh_of(d=8)
AB, BA = mesh_of(a=4, b=2), mesh_of(b=2, a=4)
CUBE2 = mesh_of(p=2, q=2, r=2)


def moved(name, mesh, shape, spec, to_mesh, to_spec):
    @program("resharding", mesh, [arg(shape, *spec)], NamedSharding(to_mesh, P(*to_spec)), name)
    def reshard(x):
        return jnp.cos(constrain(constrain(jnp.sin(x), mesh, *spec), to_mesh, *to_spec))


moved("move_x_to_y_dim", X8A1, (16, 32), ("x",), X8A1, (None, "x"))
moved("move_x_y_swap", X2Y4, (16, 32), ("x", "y"), X2Y4, ("y", "x"))
moved("move_x_y_order", X2Y4, (16, 32), (("x", "y"),), X2Y4, (("y", "x"),))
moved("move_x_y_other_dim", X2Y4, (16, 32), ("x", "y"), X2Y4, (None, ("x", "y")))
moved("move_part", X2Y4, (16, 32), ("x", "y"), X2Y4, ("x",))
moved("move_x_for_y", X2Y4, (16, 32), ("x",), X2Y4, ("y",))
moved("meshes_2x4_to_8", X2Y4, (16, 32), ("x", "y"), FLAT, ("d",))
moved("meshes_8_to_2x4", FLAT, (16, 32), ("d",), X2Y4, ("x", "y"))
moved("meshes_8_to_2x4_swap", FLAT, (16, 32), (None, "d"), X2Y4, ("y", "x"))
moved("meshes_2x4_to_4x2", X2Y4, (16, 32), ("x", "y"), AB, ("a", "b"))
moved("meshes_2x4_to_4x2_swap", X2Y4, (16, 32), ("x", "y"), AB, ("b", "a"))
moved("meshes_names_order", AB, (16, 32), ("a", "b"), BA, ("a", "b"))
moved("meshes_names_order_dims", AB, (16, 32), ("a", "b"), BA, ("b", "a"))
moved("meshes_3d", CUBE, (16, 32, 8), ("x", "y", "z"), CUBE2, ("r", "p", "q"))
moved("meshes_3d_to_2d", CUBE, (16, 32, 8), ("x", "y", "z"), X2Y4, (None, "y", "x"))
moved("meshes_partial", X2Y4, (16, 32), ("x",), AB, ("a",))
moved("meshes_partial_dims", X2Y4, (16, 32), (None, "y"), AB, (None, "b"))


@program("resharding", X2Y4, [arg((16, 16), "x"), arg((16, 32), None, "y"), arg((32, 16), "d", mesh=FLAT)], ("x",))
def meshes_layers(x, w1, w2):
    h = jnp.tanh(x @ w1)
    h = constrain(h, FLAT, None, "d")
    return constrain(h @ w2, X2Y4, "x")


@program("resharding", X2Y4, [arg((4, 16, 8, 8), "x", "y")], ("x", "y"))
def sequence_to_heads(x):
    h = constrain(x, X2Y4, "x", None, "y")
    h = jnp.cumsum(h, 1)
    return constrain(h, X2Y4, "x", "y")
