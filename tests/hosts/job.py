# SPDX-License-Identifier: Apache-2.0
"""job.py RANK SIZE PORT - one process of a job of JAX processes: what tests/hosts/processes.py starts. It prints a line for each thing it
did, NAME: RESULT. With SIZE 1 it is the judge: the same programs on threads."""

import hashlib
import os
import signal
import sys
import time

import jax

rank, size, port = (int(a) for a in sys.argv[1:4])
if size > 1:
    jax.distributed.initialize(f"127.0.0.1:{port}", size, rank, initialization_timeout=100, heartbeat_timeout_seconds=100)

import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

devices = jax.devices()
here = set(jax.local_devices())
random = np.random.default_rng(5)


def say(name, what):
    print(f"{name}: {what}", flush=True)


def digest(array):
    """Of the parts that this process has, by their place in the whole."""
    return " ".join(f"{s.index}={hashlib.md5(np.asarray(s.data).tobytes()).hexdigest()[:8]}" for s in array.addressable_shards)


def step(w, x):
    """A step of training: products, a mean over devices, a softmax, an update."""

    def loss(w):
        h = jnp.tanh(x @ w)
        return -jnp.mean(jax.nn.log_softmax(h)[:, 0])

    value, grad = jax.value_and_grad(loss)(w)
    return value, w - 0.1 * grad


def train(name, order):
    mesh = Mesh(np.array(order), ("x",))
    w = random.standard_normal((48, 48), np.float32)
    x = random.standard_normal((8 * len(order), 48), np.float32)
    if not here & set(order):
        return
    rows, whole = NamedSharding(mesh, P("x")), NamedSharding(mesh, P())
    w, x = (jax.make_array_from_callback(a.shape, s, lambda i, a=a: a[i]) for a, s in ((w, whole), (x, rows)))
    for _ in range(3):
        value, w = jax.jit(step, out_shardings=(whole, rows))(w, x)
        w = jax.jit(lambda w: w, out_shardings=whole)(w)
    say(name, f"{digest(value)} {digest(w)}")


def exchange():
    mesh = Mesh(np.array(devices), ("x",))
    n = len(devices)
    x = random.standard_normal((4 * n, 4 * n), np.float32)
    a = jax.make_array_from_callback(x.shape, NamedSharding(mesh, P("x")), lambda i: x[i])

    def body(v):
        v = v * jax.lax.psum(v, "x") + jax.lax.pmax(v, "x")
        w = jax.lax.all_to_all(v, "x", 1, 0, tiled=True)
        g = jax.lax.all_gather(w, "x", axis=1, tiled=True)
        s = jax.lax.psum_scatter(g, "x", scatter_dimension=0, tiled=True)
        return jax.lax.ppermute(s, "x", [(i, (i + 1) % n) for i in range(n)])

    say("shard_map", digest(jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("x"), out_specs=P("x")))(a)))
    big = random.standard_normal((n, 1 << 20), np.float32)
    b = jax.make_array_from_callback(big.shape, NamedSharding(mesh, P("x")), lambda i: big[i])
    total = jax.shard_map(lambda v: jax.lax.psum(v, "x"), mesh=mesh, in_specs=P("x"), out_specs=P())
    say("large psum", digest(jax.jit(total)(b)).split()[0])


train("all", devices)
train("first and last", [devices[0], devices[-1]])
train("reversed", devices[::-1])
train("interleaved", devices[::2] + devices[1::2])
exchange()
if size == 1:
    sys.exit()
if any(sum(d.process_index == i for d in devices) != len(here) for i in range(size)):
    say("devices", [(d.id, d.process_index) for d in devices])
    sys.exit()  # what follows is jax's own, for processes that have the same number of devices

say("devices", [(d.id, d.process_index) for d in devices])
say("own", [d.id for d in jax.local_devices()])
say("allgather", multihost_utils.process_allgather(np.array([rank])).ravel().tolist())
mesh = Mesh(np.array(devices), ("x",))
local = jax.make_array_from_process_local_data(NamedSharding(mesh, P("x")), np.full(len(here), rank + 1, np.float32))
say("local data", float(jax.jit(jnp.sum)(local)))

# Two programs in two orders: an error that names both, and not wrong numbers. Then all goes on.
x = jax.make_array_from_callback((4 * len(devices),), NamedSharding(mesh, P("x")), lambda i: np.arange(4 * len(devices), dtype=np.float32)[i])


def total_of(v):
    return v.sum()


def largest_of(v):
    return (2 * v).max()


f, g = jax.jit(total_of), jax.jit(largest_of)
f(x).block_until_ready(), g(x).block_until_ready()
multihost_utils.sync_global_devices("before")
for h in (f, g) if rank == 0 else (g, f):
    try:
        say("order", f"no error: {float(h(x))}")
    except Exception as e:
        say("order", f"{type(e).__name__} {str(e).splitlines()[0]}")
say("after", float(f(x)))

# A process dies: the others raise, and go on without it.
multihost_utils.sync_global_devices("end")
victim = size - 1
try:
    for i in range(1000):
        if rank == victim and i == 10:
            say("dies", time.time())
            os.kill(os.getpid(), signal.SIGKILL)
        f(x).block_until_ready()
except Exception as e:
    say("death", f"{time.time()} {type(e).__name__} {str(e).splitlines()[0]}")
say("local", float(jax.jit(jnp.sum)(jnp.arange(10.0))))
train("without it", [d for d in devices if d.process_index != victim])
os._exit(0)  # jax ends the job of a process that has died
