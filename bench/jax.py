# SPDX-License-Identifier: Apache-2.0
"""jax.py - JAX's compile and run times on Tessera, beside JAX's own cpu backend.

    python3 bench/jax.py [--build build] [--steps 200]

Each platform runs in a process of its own. compile: lowered.compile(), the median of five. call: a call of what was compiled,
results waited for, the median of twenty. The last part is a train loop of a small GPT on eight devices: the largest relative difference
of losses, the time on the wall, and the time that all threads worked, which a busy machine changes less.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# This file has the name of what it measures: its own folder is no place to import from.
sys.path[:] = [p for p in sys.path if Path(p).resolve() != Path(__file__).resolve().parent]


def programs():
    """Twenty programs: name, function, arguments."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax

    rng = np.random.default_rng(0)

    def array(*shape):
        return jnp.asarray(rng.standard_normal(shape), jnp.float32)

    def mlp(params, x):
        for w, b in params:
            x = jnp.tanh(x @ w + b)
        return (x**2).mean()

    params = [(array(64, 64), array(64)) for _ in range(4)]

    def attention(q, k, v):
        return jax.nn.softmax(q @ k.T / 8) @ v

    def norm(x):
        return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)

    def conv(x, w):
        return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def loop(x):
        return lax.fori_loop(0, 10, lambda i, a: jnp.sin(a) + i, x)

    def scan(x):
        return lax.scan(lambda c, r: (c + r, c * r), x[0], x)

    def branches(i, x):
        return lax.switch(i, [jnp.sin, jnp.cos, jnp.tan], x)

    def newton(a):
        return lax.while_loop(lambda s: jnp.abs(s * s - a) > 1e-3, lambda s: 0.5 * (s + a / s), a)

    m = array(32, 32)
    return [
        ("add", lambda a, b: a + b, (m, m)),
        ("polynomial", lambda a: a**3 + 2 * a**2 - a + 1, (m,)),
        ("matmul", lambda a, b: a @ b, (m, m)),
        ("matmul, gradient", jax.grad(lambda a, b: (a @ b).sum()), (m, m)),
        ("softmax", jax.nn.softmax, (m,)),
        ("layer norm", norm, (m,)),
        ("attention", attention, (m, m, m)),
        ("attention, gradient", jax.grad(lambda q, k, v: attention(q, k, v).sum()), (m, m, m)),
        ("perceptron", mlp, (params, array(8, 64))),
        ("perceptron, gradient", jax.grad(mlp), (params, array(8, 64))),
        ("convolution", conv, (array(1, 16, 16, 4), array(3, 3, 4, 8))),
        ("convolution, gradient", jax.grad(lambda x, w: conv(x, w).sum(), (0, 1)), (array(1, 16, 16, 4), array(3, 3, 4, 8))),
        ("fori_loop", loop, (m,)),
        ("scan", scan, (m,)),
        ("switch", branches, (jnp.int32(1), m)),
        ("while_loop", newton, (jnp.float32(2),)),
        ("random normal", lambda k: jax.random.normal(k, (32, 32)), (jax.random.key(0),)),
        ("sort", lambda a: jnp.sort(a, axis=-1), (m,)),
        ("cumulative sum", lambda a: jnp.cumsum(a, axis=0), (m,)),
        ("cholesky", lambda a: jnp.linalg.cholesky(a @ a.T + 32 * jnp.eye(32)), (m,)),
    ]


def median_ms(f, times):
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        f()
        taken.append((time.perf_counter() - start) * 1e3)
    return statistics.median(taken)


def gpt(steps):
    """Losses and seconds of a train loop: 4 layers of width 256, the batch divided among the devices."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax.sharding import AxisType, NamedSharding
    from jax.sharding import PartitionSpec as P

    width, layers, vocabulary, length, batch = 256, 4, 128, 16, 8
    mesh = jax.make_mesh((8,), ("data",), axis_types=(AxisType.Auto,))
    rng = np.random.default_rng(0)

    def array(*shape):
        return (rng.standard_normal(shape) * 0.02).astype(np.float32)

    params = {
        "embed": array(vocabulary, width),
        "place": array(length, width),
        "blocks": [
            {"qkv": array(width, 3 * width), "out": array(width, width), "up": array(width, 4 * width), "down": array(4 * width, width)}
            for _ in range(layers)
        ],
    }

    def norm(x):
        return (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5)

    def loss(params, tokens):
        x = params["embed"][tokens[:, :-1]] + params["place"]
        mask = jnp.tril(jnp.ones((length, length), bool))
        for b in params["blocks"]:
            q, k, v = jnp.split((norm(x) @ b["qkv"]).reshape(*x.shape[:2], 12, width // 4), 3, axis=2)
            scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 8
            mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(jnp.where(mask, scores, -1e9)), v)
            x = x + mixed.reshape(x.shape) @ b["out"]
            x = x + jax.nn.gelu(norm(x) @ b["up"]) @ b["down"]
        logits = jax.nn.log_softmax(norm(x) @ params["embed"].T)
        return -jnp.take_along_axis(logits, tokens[:, 1:, None], -1).mean()

    @jax.jit
    def step(params, tokens):
        value, grads = jax.value_and_grad(loss)(params, tokens)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value

    start, worked = time.perf_counter(), time.process_time()
    losses = []
    params = jax.device_put(params, NamedSharding(mesh, P()))
    for i in range(steps):
        tokens = rng.integers(0, vocabulary // 4, (batch, length + 1)).astype(np.int32)
        params, value = step(params, jax.device_put(tokens, NamedSharding(mesh, P("data"))))
        losses.append(float(value))  # waits: XLA's collectives give up when too many steps are under way
    return {"losses": losses, "seconds": time.perf_counter() - start, "worked": time.process_time() - worked}


def dispatch():
    """A call that computes next to nothing, one after the other: microseconds until it returns, and with its result waited for."""
    import jax
    import jax.numpy as jnp

    one = jnp.ones((), jnp.float32)
    add = jax.jit(lambda x: x + 1).lower(one).compile()
    returns = median_ms(lambda: add(one), 200)
    jax.block_until_ready(add(one))
    return [1e3 * returns, 1e3 * median_ms(lambda: jax.block_until_ready(add(one)), 200)]


def measure(steps):
    import jax

    rows = {}
    for name, f, args in programs():
        # A function of its own for each: what was compiled once is not compiled again.
        lowered = [jax.jit(lambda *a, f=f: f(*a)).lower(*args) for _ in range(6)]
        compiled = lowered.pop().compile()
        rows[name] = {
            "compile": median_ms(lambda: lowered.pop().compile(), 5),
            "call": median_ms(lambda: jax.block_until_ready(compiled(*args)), 20),
        }
    print(json.dumps({"rows": rows, "dispatch": dispatch(), "gpt": gpt(steps) if steps else None}))


def run(platform, args):
    env = dict(os.environ)
    env.update(
        JAX_PLATFORMS=platform,
        TESSERA_DEVICES="8",
        TESSERA_PLUGIN=str(Path(args.build).resolve() / "pjrt_plugin_tessera.so"),
        XLA_FLAGS="--xla_force_host_platform_device_count=8",
        PYTHONPATH=os.pathsep.join([str(ROOT / "python"), env.get("PYTHONPATH", "")]),
        JAX_ENABLE_COMPILATION_CACHE="0",
    )
    command = [sys.executable, "-W", "ignore", __file__, "--measure", "--steps", str(args.steps)]
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--steps", type=int, default=200, help="of the train loop; 0 leaves it out")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.measure:
        return measure(args.steps)
    ours, theirs = run("tessera", args), run("cpu", args)
    print(f"{'program':<24}{'compile, ms':>12}{'cpu':>9}{'less':>8}{'call, ms':>12}{'cpu':>9}")
    ratios = []
    for name, row in ours["rows"].items():
        other = theirs["rows"][name]
        ratios.append(other["compile"] / row["compile"])
        print(f"{name:<24}{row['compile']:>12.2f}{other['compile']:>9.2f}{ratios[-1]:>7.1f}x{row['call']:>12.3f}{other['call']:>9.3f}")
    mean = math.exp(statistics.fmean(map(math.log, ratios)))
    for name, side in (("tessera", ours), ("cpu", theirs)):
        print(f"dispatch on {name}: a call returns after {side['dispatch'][0]:.0f} us, its result is there after {side['dispatch'][1]:.0f}")
    print(f"compile: {mean:.1f} times less in the geometric mean, {min(ratios):.1f} times at least")
    if ours["gpt"]:
        a, b = ours["gpt"], theirs["gpt"]
        off = max(abs(x - y) / abs(y) for x, y in zip(a["losses"], b["losses"]))
        print(f"GPT, {args.steps} steps on 8 devices: losses differ by {off:.2e} at most")
        for name, side in (("tessera", a), ("cpu", b)):
            print(f"  {name:<8}{side['seconds']:>8.1f} s, of all threads {side['worked']:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
