#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""loops.py - models written twice, with their layers as a scan and unrolled: reports must say the same of both.

    bench/loops.py [--bin build/bin/tessera] [--models gpt,rnn] [--device h100] [--mesh dp=8] [--all] [--folder DIR]

Each is a training step that JAX exports with abstract values; the optimiser is plain descent. Layers keep nothing for the backward pass (jax.checkpoint) or
their products (its policy dots_saveable). The table has the simulated time and the peak of memory of both, and their ratios; the exit code is 1 where they
differ by more than 3 %. Weights of a scan are stacked, those of the unrolled form are a list. With --mesh the batch is divided along its first axis;
weights are a larger part of a device's memory then, and peaks differ by their gradients.

--all adds layers that keep all that autodiff wants. These differ, and are not counted: a scan stores what a compiler of the unrolled form computes again."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path = [p for p in sys.path if p not in ("", here)]  # jax.py is here
WIDTH, HEADS, SEQ, BATCH, LAYERS, WORDS = 256, 4, 512, 256, 48, 8192


def models():
    import jax
    import jax.numpy as jnp
    bf16 = jnp.bfloat16

    def norm(x, g):
        y = x.astype(jnp.float32)
        return (y * jax.lax.rsqrt(jnp.mean(y * y, -1, keepdims=True) + 1e-6)).astype(bf16) * g

    def attend(q, k, v, causal):
        s = jnp.einsum("bthd,bshd->bhts", q, k).astype(jnp.float32) / q.shape[-1] ** 0.5
        if causal:
            s = jnp.where(jnp.tril(jnp.ones(s.shape[-2:], bool)), s, -1e9)
        y = jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, -1).astype(bf16), v)
        return y.reshape(*y.shape[:2], -1)

    def turned(x):
        """Rotary positions."""
        t, d = x.shape[1], x.shape[-1] // 2
        angle = (jnp.arange(t)[:, None] / 10000 ** (jnp.arange(d) / d))[None, :, None]
        a, b = x[..., :d], x[..., d:]
        c, s = jnp.cos(angle).astype(bf16), jnp.sin(angle).astype(bf16)
        return jnp.concatenate([a * c - b * s, a * s + b * c], -1)

    def gpt_layer(w, x, causal=True):
        b, t, d = x.shape
        q, k, v = jnp.split((norm(x, w["n1"]) @ w["qkv"]).reshape(b, t, HEADS, -1), 3, -1)
        x = x + attend(q, k, v, causal) @ w["out"]
        return x + jax.nn.gelu(norm(x, w["n2"]) @ w["up"]) @ w["down"]

    def llama_layer(w, x):
        b, t, d = x.shape
        y = norm(x, w["n1"])
        q = (y @ w["q"]).reshape(b, t, HEADS, -1)
        k, v = [jnp.repeat((y @ w[n]).reshape(b, t, HEADS // 4, -1), 4, 2) for n in "kv"]
        x = x + attend(turned(q), turned(k), v, True) @ w["out"]
        y = norm(x, w["n2"])
        return x + (jax.nn.silu(y @ w["gate"]) * (y @ w["up"])) @ w["down"]

    def moe_layer(w, x):
        b, t, d = x.shape
        q, k, v = jnp.split((norm(x, w["n1"]) @ w["qkv"]).reshape(b, t, HEADS, -1), 3, -1)
        x = x + attend(q, k, v, True) @ w["out"]
        y = norm(x, w["n2"])
        share = jax.nn.softmax((y @ w["gate"]).astype(jnp.float32), -1).astype(bf16)
        y = jax.nn.gelu(jnp.einsum("btd,edf->betf", y, w["up"]))
        return x + jnp.einsum("betf,efd,bte->btd", y, w["down"], share)

    def mamba_layer(w, x):
        y = norm(x, w["n1"])
        a, z = jnp.split(y @ w["in"], 2, -1)
        step = jax.nn.softplus(a @ w["dt"])
        decay = jnp.exp(-step.astype(jnp.float32)).astype(bf16)

        def turn(h, now):
            h = h * now[0] + now[1]
            return h, h

        first = jnp.zeros(a[:, 0].shape, bf16)
        _, y = jax.lax.scan(turn, first, (decay.swapaxes(0, 1), (step * a).swapaxes(0, 1)))
        return x + (y.swapaxes(0, 1) * jax.nn.silu(z)) @ w["out"]

    def rnn_layer(w, x):
        """One position: the state and the input of all sequences. Its weights are those of every other."""
        h, now = x
        i, f, o, g = jnp.split(h @ w["state"] + now @ w["input"], 4, -1)
        c = jax.nn.sigmoid(f) * h + jax.nn.sigmoid(i) * jnp.tanh(g)
        return jax.nn.sigmoid(o) * jnp.tanh(c)

    d, inner = WIDTH, 4 * WIDTH
    attention = dict(n1=(d,), n2=(d,), qkv=(d, 3 * d), out=(d, d))
    shapes = {
        "gpt": (gpt_layer, dict(attention, up=(d, inner), down=(inner, d))),
        "llama": (llama_layer, dict(n1=(d,), n2=(d,), q=(d, d), k=(d, d // 4), v=(d, d // 4), out=(d, d), gate=(d, inner), up=(d, inner), down=(inner, d))),
        "vit": (lambda w, x: gpt_layer(w, x, False), dict(attention, up=(d, inner), down=(inner, d))),
        "moe": (moe_layer, dict(attention, gate=(d, 4), up=(4, d, inner), down=(4, inner, d))),
        "mamba": (mamba_layer, {"n1": (d,), "in": (d, 4 * d), "dt": (2 * d, 2 * d), "out": (2 * d, d)}),
        "rnn": (rnn_layer, dict(state=(d, 4 * d), input=(d, 4 * d))),
    }

    def step_of(kind, scan, kept, donate):
        layer, one = shapes[kind]
        run = layer if kept == "all" else jax.checkpoint(layer, policy=jax.checkpoint_policies.dots_saveable if kept == "products" else None)

        def over_time(w, x):
            h = jnp.zeros(x.shape[1:], bf16)
            if scan:
                return jax.lax.scan(lambda h, now: (run(w, (h, now)), None), h, x)[0]
            for t in range(x.shape[0]):
                h = run(w, (h, x[t]))
            return h

        def forward(p, x):
            if kind == "rnn":
                return over_time(p["layers"], x)
            if scan:
                x, _ = jax.lax.scan(lambda x, w: (run(w, x), None), x, p["layers"])
            else:
                for w in p["layers"]:
                    x = run(w, x)
            return x

        def loss(p, x, y):
            x = p["embed"][x] if kind not in ("vit", "rnn", "mamba") else x
            x = forward(p, x)
            if kind in ("vit", "rnn", "mamba"):
                return jnp.mean((x.astype(jnp.float32) - y.astype(jnp.float32)) ** 2)
            logits = (x @ p["head"]).astype(jnp.float32)
            return jnp.mean(jax.nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, y[..., None], -1)[..., 0])

        def step(p, x, y):
            value, g = jax.value_and_grad(loss)(p, x, y)
            return jax.tree.map(lambda p, g: p - (1e-3 * g).astype(p.dtype), p, g), value

        of = lambda shape, t=bf16: jax.ShapeDtypeStruct(shape, t)
        layers = {n: of((LAYERS,) + s) for n, s in one.items()} if scan else [{n: of(s) for n, s in one.items()} for _ in range(LAYERS)]
        if kind == "rnn":
            layers = {n: of(s) for n, s in one.items()}
        p = {"layers": layers}
        words = kind not in ("vit", "rnn", "mamba")
        if words:
            p.update(embed=of((WORDS, d)), head=of((d, WORDS)))
        x = y = of((BATCH, SEQ), jnp.int32) if words else of((BATCH, SEQ, d))
        if kind == "rnn":
            x, y = of((LAYERS, BATCH * SEQ, d)), of((BATCH * SEQ, d))
        f = jax.jit(step, donate_argnums=0 if donate else ())
        return f.lower(p, x, y).as_text(), len(jax.tree.leaves(p))

    rows = [("gpt", "nothing", True), ("gpt", "products", False), ("llama", "nothing", False), ("llama", "products", True), ("vit", "nothing", True),
            ("vit", "products", True), ("moe", "nothing", True), ("moe", "products", False), ("mamba", "nothing", False), ("mamba", "products", True),
            ("rnn", "nothing", True), ("rnn", "products", False)]
    return rows, [(kind, "all", True) for kind in shapes], step_of


def simulate(binary, path, device, mesh, kind, nweight):
    axis = mesh.split("=")[0]
    more = [f"--mesh={mesh}", f"--arg={nweight}:{'_,' * (kind == 'rnn')}{axis}", f"--arg={nweight + 1}:{axis}"] if mesh else []
    run = subprocess.run([binary, "simulate", path, f"--device={device}", "--json", *more], capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    return json.loads(run.stdout)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--bin", default=os.path.join(here, "..", "build", "bin", "tessera"))
    a.add_argument("--models", default="")
    a.add_argument("--device", default="h100")
    a.add_argument("--mesh", default="")
    a.add_argument("--all", action="store_true")
    a.add_argument("--folder")
    o = a.parse_args()
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    folder, worst = o.folder or tempfile.mkdtemp(), 0
    os.makedirs(folder, exist_ok=True)
    rows, more, step_of = models()
    print("| model | kept | donated | scan | unrolled | ratio | peak, scan | peak, unrolled | ratio |")
    print("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for kind, kept, donate in rows + (more if o.all else []):
        if o.models and kind not in o.models.split(","):
            continue
        found = []
        for scan in (True, False):
            path = os.path.join(folder, f"{kind}-{kept}{'-donated' * donate}-{'scan' if scan else 'unrolled'}.mlir")
            text, nweight = step_of(kind, scan, kept, donate)
            open(path, "w").write(text)
            found.append(simulate(o.bin, path, o.device, o.mesh, kind, nweight))
        time, peak = [[f[k] for f in found] for k in ("step_seconds", "peak_bytes")]
        if kept != "all":
            worst = max(worst, abs(time[0] / time[1] - 1), abs(peak[0] / peak[1] - 1))
        print(f"| {kind} | {kept} | {'yes' * donate} | {1e3 * time[0]:.4g} ms | {1e3 * time[1]:.4g} ms | {time[0] / time[1]:.3f} | "
              f"{peak[0] / 1e9:.3f} GB | {peak[1] / 1e9:.3f} GB | {peak[0] / peak[1]:.3f} |", flush=True)
    print(f"\nWorst difference: {100 * worst:.1f} %.")
    return worst > 0.03


if __name__ == "__main__":
    sys.exit(main())
