# SPDX-License-Identifier: Apache-2.0
"""JAX on the installed plugin: two devices, a sum over both, the same numbers as NumPy's."""

import os

os.environ["JAX_PLATFORMS"] = "tessera"
os.environ["TESSERA_DEVICES"] = "2"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

assert [d.platform for d in jax.devices()] == ["tessera"] * 2, jax.devices()
mesh = jax.make_mesh((2,), ("x",))
x = np.arange(32, dtype=np.float32).reshape(8, 4)
placed = jax.device_put(x, NamedSharding(mesh, PartitionSpec("x")))
got = jax.jit(lambda a: jnp.tanh(a).sum(0))(placed)
assert np.allclose(got, np.tanh(x).sum(0), rtol=1e-6), got
print("JAX", jax.__version__, "on", jax.devices())
