#!/usr/bin/env python3
"""plans.py - how good the plans of `tessera shard --auto` are: training steps of models at full shape, on 8 to 4,096 devices.

    bench/plans.py [--bin build/bin/tessera] [--models gpt-124m,llama-8b] [--devices 8,64,512,4096] [--device h100] [--folder DIR]

Models are written in JAX and exported with abstract values: no weights are made. For each the table has the time to plan, the predicted time of
a step, bytes and memory of a device, and the ratio to the best expert that fits."""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

sys.path[:] = [p for p in sys.path if os.path.abspath(p or '.') != os.path.dirname(os.path.abspath(__file__))]  # jax.py is there

# layers, width, heads, vocabulary, sequence; gated and experts change the inner part
MODELS = {
    "gpt-124m": dict(layers=12, width=768, heads=12, vocab=50304, seq=1024, batch=512),
    "gpt-1.3b": dict(layers=24, width=2048, heads=16, vocab=50304, seq=2048, batch=512),
    "gpt-6.7b": dict(layers=32, width=4096, heads=32, vocab=50304, seq=2048, batch=1024),
    "gpt-175b": dict(layers=96, width=12288, heads=96, vocab=50304, seq=2048, batch=4096),
    "llama-8b": dict(layers=32, width=4096, heads=32, vocab=128256, seq=4096, batch=512, inner=14336, gated=True),
    "llama-70b": dict(layers=80, width=8192, heads=64, vocab=128256, seq=4096, batch=4096, inner=28672, gated=True),
    "moe-8x": dict(layers=16, width=2048, heads=16, vocab=32000, seq=2048, batch=512, experts=8),
    "vit-l": dict(layers=24, width=1024, heads=16, vocab=0, seq=256, batch=4096),
}


def export(config):
    """The text of a training step: parameters, two moments of Adam, data -> parameters, moments, loss."""
    import jax
    import jax.numpy as jnp

    width, heads, inner = config["width"], config["heads"], config.get("inner", 4 * config["width"])
    vocab, experts, bf16 = config["vocab"], config.get("experts", 0), jnp.bfloat16

    def shapes():
        one = {"qkv": (width, 3, heads, width // heads), "out": (heads, width // heads, width), "n1": (width,), "n2": (width,)}
        lead = (experts,) if experts else ()
        one["up"] = lead + (width, inner)
        one["down"] = lead + (inner, width)
        if config.get("gated"):
            one["gate"] = lead + (width, inner)
        if experts:
            one["router"] = (width, experts)
        top = {"embed": (vocab, width)} if vocab else {"head": (width, 1000)}
        return {"top": top, "layers": [dict(one) for _ in range(config["layers"])]}

    def norm(x, scale):
        y = x.astype(jnp.float32)
        return (y * jax.lax.rsqrt(jnp.mean(y * y, -1, keepdims=True) + 1e-5)).astype(bf16) * scale.astype(bf16)

    def layer(p, x):
        w = {k: v.astype(bf16) for k, v in p.items()}
        y = norm(x, p["n1"])
        q, k, v = [jnp.einsum("bsd,dhe->bhse", y, w["qkv"][:, i]) for i in range(3)]
        scores = jnp.einsum("bhse,bhte->bhst", q, k).astype(jnp.float32) / (width // heads) ** 0.5
        if vocab:
            scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -1e9)
        y = jnp.einsum("bhst,bhte->bhse", jax.nn.softmax(scores, -1).astype(bf16), v)
        x = x + jnp.einsum("bhse,hed->bsd", y, w["out"])
        y = norm(x, p["n2"])
        if experts:
            gates = jax.nn.softmax(y @ w["router"], -1)
            h = jax.nn.gelu(jnp.einsum("bsd,edf->ebsf", y, w["up"]))
            return x + jnp.einsum("ebsf,efd,bse->bsd", h, w["down"], gates)
        h = y @ w["up"]
        h = jax.nn.silu(y @ w["gate"]) * h if config.get("gated") else jax.nn.gelu(h)
        return x + h @ w["down"]

    def loss(params, x, y):
        h = params["top"]["embed"].astype(bf16)[x] if vocab else x
        for p in params["layers"]:
            h = jax.checkpoint(layer)(p, h)
        out = params["top"]["embed"].T if vocab else params["top"]["head"]
        h = h if vocab else jnp.mean(h, 1)
        logits = (h @ out.astype(bf16)).astype(jnp.float32)
        picked = jnp.take_along_axis(logits, y[..., None], -1)[..., 0]
        return jnp.mean(jax.nn.logsumexp(logits, -1) - picked)

    def step(params, m, v, x, y):
        value, grads = jax.value_and_grad(loss)(params, x, y)
        m = jax.tree.map(lambda a, g: 0.9 * a + 0.1 * g, m, grads)
        v = jax.tree.map(lambda a, g: 0.95 * a + 0.05 * g * g, v, grads)
        params = jax.tree.map(lambda p, a, b: p - 1e-4 * a / (jnp.sqrt(b) + 1e-8), params, m, v)
        return params, m, v, value

    state = jax.tree.map(lambda s: jax.ShapeDtypeStruct(s, jnp.float32), shapes(), is_leaf=lambda s: isinstance(s, tuple))
    b, s = config["batch"], config["seq"]
    x = jax.ShapeDtypeStruct((b, s), jnp.int32) if vocab else jax.ShapeDtypeStruct((b, s, width), bf16)
    y = jax.ShapeDtypeStruct((b, s) if vocab else (b,), jnp.int32)
    return jax.jit(step).lower(state, state, state, x, y).as_text()


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--bin", default="build/bin/tessera")
    args.add_argument("--models", default=",".join(MODELS))
    args.add_argument("--devices", default="8,64,512,4096")
    args.add_argument("--device", default="h100")
    args.add_argument("--folder", default=os.path.join(tempfile.gettempdir(), "tessera-plans"))
    args = args.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    print("| model | devices | planned in | step | received | memory | MFU | best expert | ratio |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | ---: |")
    for name in args.models.split(","):
        path = os.path.join(args.folder, name + ".mlir")
        if not os.path.exists(path):
            text = export(MODELS[name])
            with open(path, "w") as f:
                f.write(text)
        for n in map(int, args.devices.split(",")):
            mesh = f"dp={n // 8},tp=8" if n > 8 else "dp=2,tp=4"
            start = time.time()
            run = subprocess.run([args.bin, "shard", path, "--auto", f"--mesh={mesh}", f"--device={args.device}", "--json"],
                                 capture_output=True, text=True)
            seconds = time.time() - start
            if run.returncode:
                print(f"| {name} | {mesh} | {seconds:.1f} s | {run.stderr.strip().splitlines()[-1][:150]} | | | | | |", flush=True)
                continue
            found = json.loads(run.stdout)
            plan = found["plan"]
            experts = [c for c in found["candidates"] if c["origin"] == "expert" and c["fits"]]
            best = min(experts, key=lambda c: c["step_seconds"]) if experts else None
            ratio = f"{plan['step_seconds'] / best['step_seconds']:.3f}" if best else "none fits"
            print(f"| {name} | {mesh} | {seconds:.1f} s | {plan['step_seconds']:.3f} s | {plan['received_bytes'] / 1e9:.1f} GB | "
                  f"{plan['peak_bytes'] / 1e9:.1f} GB | {100 * found['mfu']:.1f} % | {best['name'] if best else ''} | {ratio} |", flush=True)


if __name__ == "__main__":
    main()
