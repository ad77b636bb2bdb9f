# SPDX-License-Identifier: Apache-2.0
"""jax_train.py - a Flax model, trained with Optax, as one writes it for any platform; on one device and on eight, beside JAX's
cpu backend. Run by jax.sh where flax and optax are installed."""

import sys

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import linen as nn
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P


class Model(nn.Module):
    """A convolution, a normalization, attention, two dense layers with dropout."""

    @nn.compact
    def __call__(self, x, train):
        x = nn.relu(nn.Conv(8, (3, 3))(x))
        x = nn.max_pool(x, (2, 2), strides=(2, 2))
        x = nn.LayerNorm()(x.reshape(x.shape[0], -1, 8))
        x = x + nn.MultiHeadDotProductAttention(num_heads=2)(x, x)
        x = nn.Dense(16)(x.reshape(x.shape[0], -1))
        x = nn.Dropout(0.1, deterministic=not train)(nn.gelu(x))
        return nn.Dense(4)(x)


def losses(devices, steps=8):
    model, tx = Model(), optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(3e-3))
    mesh = jax.make_mesh((len(devices),), ("data",), axis_types=(AxisType.Auto,), devices=devices)
    rng = np.random.default_rng(0)
    images = rng.standard_normal((16, 8, 8, 1)).astype(np.float32)
    labels = (images.mean((1, 2, 3)) * 40).astype(np.int32) % 4

    def loss_of(params, x, y, key):
        logits = model.apply({"params": params}, x, True, rngs={"dropout": key})
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

    @jax.jit
    def step(params, state, x, y, key):
        loss, grads = jax.value_and_grad(loss_of)(params, x, y, key)
        updates, state = tx.update(grads, state, params)
        return optax.apply_updates(params, updates), state, loss

    with jax.default_device(devices[0]):
        key = jax.random.key(0)
        params = model.init(key, jnp.zeros((1, 8, 8, 1)), False)["params"]
        state = tx.init(params)
    params, state, key = jax.device_put((params, state, key), NamedSharding(mesh, P()))
    x, y = jax.device_put((images, labels), NamedSharding(mesh, P("data")))
    got = []
    for _ in range(steps):
        params, state, loss = step(params, state, x, y, key)
        got.append(float(loss))
    return got


here, eight = losses(jax.devices("tessera")[:1]), losses(jax.devices("tessera"))
there = losses(jax.devices("cpu")[:1])
good = np.allclose(here, there, rtol=1e-3) and np.allclose(eight, there, rtol=1e-3) and there[-1] < there[0]
print("a Flax model trained with Optax:", "as on cpu, on one device and on eight" if good else f"{here} {eight} {there}")
sys.exit(not good)
