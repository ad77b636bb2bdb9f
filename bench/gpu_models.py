#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gpu_models.py - the programs of bench/gpu.py: as StableHLO, by XLA, and by torch.compile, on the same sizes.

    gpu_models.py export FOLDER [--small]     StableHLO of all of them and of the products, GPT-2's parameters and tokens
    gpu_models.py expect FOLDER [--small]     GPT-2's logits of some tokens in f32, by JAX on the CPU
    gpu_models.py xla NAME,... [--small] [--save FILE]    FILE: gpt's logits of those tokens
    gpu_models.py torch NAME,... [--small]

The last two print one line of JSON for each name: median seconds of a run, the seconds until the first result, and the device. Numbers are
random by fixed seeds. A run is timed with several in a row, so that launches hide behind kernels, and of a program that takes long
with one. Sizes are several times those of caches."""
import argparse
import json
import os
import sys
import time

sys.path[:] = [p for p in sys.path if p != os.path.dirname(os.path.abspath(__file__))]  # files there are named as modules are
ROUNDS = 7
# Name: what the arguments are, and the bytes that must be moved, as factors of those of the first argument. Large and small sizes.
KERNELS = {
    "gelu": ("gelu(1.5 x + 2) tanh(x), f32", 2),
    "softmax": ("softmax of rows of 1,024, bf16", 2),
    "softmax_long": ("softmax of rows of 32,768, bf16", 2),
    "layer_norm": ("layer norm of rows of 768, bf16", 2),
    "residual_norm": ("residual and layer norm, both kept, bf16", 4),
    "cross_entropy": ("cross entropy of 50,304 classes with gradient, bf16", 2),
    "cross_entropy_vjp": ("the same, differentiated by JAX", 2),
    "transpose": ("transpose, bf16", 2),
    "transpose_f32": ("transpose, f32", 2),
    "heads": ("heads before tokens: 32 x 2,048 x 32 x 64, bf16", 2),
    "column_sum": ("sums of 768 columns, bf16 to f32", 1),
}
SHAPES = {
    "gelu": ([("f32", (1 << 28,))], [("f32", (1 << 14,))]),
    "softmax": ([("bf16", (262144, 1024))], [("bf16", (64, 1024))]),
    "softmax_long": ([("bf16", (8192, 32768))], [("bf16", (4, 32768))]),
    "layer_norm": ([("bf16", (262144, 768)), ("bf16", (768,)), ("bf16", (768,))], [("bf16", (64, 768)), ("bf16", (768,)), ("bf16", (768,))]),
    "residual_norm": ([("bf16", (262144, 768)), ("bf16", (262144, 768)), ("bf16", (768,)), ("bf16", (768,))],
                      [("bf16", (64, 768)), ("bf16", (64, 768)), ("bf16", (768,)), ("bf16", (768,))]),
    "cross_entropy": ([("bf16", (8192, 50304)), ("i32", (8192,))], [("bf16", (8, 50304)), ("i32", (8,))]),
    "cross_entropy_vjp": ([("bf16", (8192, 50304)), ("i32", (8192,))], [("bf16", (8, 50304)), ("i32", (8,))]),
    "transpose": ([("bf16", (16384, 16384))], [("bf16", (192, 128))]),
    "transpose_f32": ([("f32", (16384, 8192))], [("f32", (192, 128))]),
    "heads": ([("bf16", (32, 2048, 32, 64))], [("bf16", (2, 64, 4, 64))]),
    "column_sum": ([("bf16", (524288, 768))], [("bf16", (512, 768))]),
}
# The products of a GPT-2-small with 8 x 1,024 tokens, of a Llama-1B, and a large one: name, type, type of the result, M, N, K, batch, A by
# columns, B by columns.
PRODUCTS = [(f"{name} {what}", "bf16", "bf16", *size) for name, k, n in (("qkv", 768, 2304), ("proj", 768, 768), ("up", 768, 3072), ("down", 3072, 768))
            for what, size in (("forward", (8192, n, k, 1, 0, 0)), ("dX", (8192, k, n, 1, 0, 1)), ("dW", (k, n, 8192, 1, 1, 0)))] + [
    ("logits forward", "bf16", "bf16", 8192, 50304, 768, 1, 0, 1), ("logits dX", "bf16", "bf16", 8192, 768, 50304, 1, 0, 0),
    ("logits dW", "bf16", "bf16", 50304, 768, 8192, 1, 1, 0), ("scores", "bf16", "bf16", 1024, 1024, 64, 96, 0, 1),
    ("values", "bf16", "bf16", 1024, 64, 1024, 96, 0, 0), ("8192", "bf16", "bf16", 8192, 8192, 8192, 1, 0, 0),
    ("Llama up", "bf16", "bf16", 8192, 8192, 2048, 1, 0, 0), ("Llama down", "bf16", "bf16", 8192, 2048, 8192, 1, 0, 0),
    ("Llama dW", "bf16", "bf16", 2048, 8192, 8192, 1, 1, 0),
    *((f"{name} f32", "tf32", "f32", 8192, n, k, 1, 0, 0) for name, k, n in (("qkv", 768, 2304), ("proj", 768, 768), ("up", 768, 3072), ("down", 3072, 768)))]
EPILOGUES = ["bias", "gelu", "bias_gelu", "residual"]  # after "up forward", or "proj forward": what the engine may fuse


def sizes(small):
    """Batch, tokens, width, heads, layers, vocabulary."""
    return (2, 32, 64, 4, 2, 320) if small else (8, 1024, 768, 12, 12, 50304)


def small_product(row):
    name, elem, out, m, n, k, batch, ta, tb = row
    cut = lambda d: max(8, min(d // 64, 96) // 8 * 8)
    return (name, elem, out, cut(m), cut(n), cut(k), min(batch, 3), ta, tb)


# ---- JAX ----


def jax_kernels():
    import jax
    import jax.numpy as jnp

    def gelu(x):
        return jax.nn.gelu(x * 1.5 + 2) * jnp.tanh(x)

    def softmax(x):
        return jax.nn.softmax(x.astype(jnp.float32), -1).astype(x.dtype)

    def layer_norm(x, g, b):
        y = x.astype(jnp.float32)
        m = y.mean(-1, keepdims=True)
        v = ((y - m) ** 2).mean(-1, keepdims=True)
        return ((y - m) * jax.lax.rsqrt(v + 1e-5)).astype(x.dtype) * g + b

    def residual_norm(x, r, g, b):
        s = x + r
        return s, layer_norm(s, g, b)

    def cross_entropy(z, t):
        e = z.astype(jnp.float32)
        e = e - e.max(-1, keepdims=True)
        total, hit = jnp.exp(e).sum(-1, keepdims=True), jnp.arange(z.shape[1]) == t[:, None]
        loss = jnp.mean(jnp.log(total[:, 0]) - jnp.where(hit, e, 0).sum(-1))
        return loss, ((jnp.exp(e) / total - hit) / z.shape[0]).astype(z.dtype)

    def loss(z, t):
        y = z.astype(jnp.float32)
        chosen = jnp.where(jnp.arange(z.shape[1]) == t[:, None], y, 0)  # its gradient is no scatter
        return jnp.mean(jax.nn.logsumexp(y, -1) - chosen.sum(-1))

    def cross_entropy_vjp(z, t):
        return jax.value_and_grad(loss)(z, t)

    def transpose(x):
        return x.T

    transpose_f32, softmax_long = transpose, softmax

    def heads(x):
        return x.transpose(0, 2, 1, 3)

    def column_sum(x):
        return x.astype(jnp.float32).sum(0)

    return {name: f for name, f in locals().items() if name in KERNELS or name == "layer_norm"}


def jax_gpt(small):
    import jax
    import jax.numpy as jnp

    b, t, d, h, layers, _ = sizes(small)
    norm = jax_kernels()["layer_norm"]

    def gpt(tokens, wte, wpe, *blocks):
        x, mask = wte[tokens] + wpe, jnp.tril(jnp.ones((t, t), bool))
        for l in range(layers):
            g1, b1, g2, b2, qkv, o, w1, w2 = blocks[8 * l:8 * l + 8]
            q, k, v = (y.reshape(b, t, h, d // h) for y in jnp.split(norm(x, g1, b1) @ qkv, 3, -1))
            s = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(jnp.float32) * (d // h) ** -0.5
            p = jax.nn.softmax(jnp.where(mask, s, -1e9)).astype(x.dtype)
            x = x + jnp.einsum("bhqk,bkhd->bqhd", p, v).reshape(b, t, d) @ o
            x = x + jax.nn.gelu(norm(x, g2, b2) @ w1) @ w2
        return x @ wte.T

    return gpt


def gpt_shapes(small):
    """Of the arguments after the tokens, with the size of their numbers; 0: all ones, -1: all zeros."""
    _, t, d, _, layers, v = sizes(small)
    block = [((d,), 0), ((d,), -1), ((d,), 0), ((d,), -1), ((d, 3 * d), 0.02), ((d, d), 0.02), ((d, 4 * d), 0.02), ((4 * d, d), 0.02)]
    return [((v, d), 0.02), ((t, d), 0.02), *block * layers]


def gpt_inputs(small):
    """The tokens, and the parameters as f32 that are bf16's."""
    import ml_dtypes
    import numpy as np

    b, t, *_, v = sizes(small)
    rng = np.random.default_rng(7)
    parameters = [np.full(s, float(k == 0), np.float32) if k <= 0 else rng.standard_normal(s, np.float32) * np.float32(k) for s, k in gpt_shapes(small)]
    return rng.integers(0, v, (b, t)).astype(np.int32), [p.astype(ml_dtypes.bfloat16).astype(np.float32) for p in parameters]


def struct(elem, shape):
    import jax
    import jax.numpy as jnp

    return jax.ShapeDtypeStruct(shape, {"f32": jnp.float32, "bf16": jnp.bfloat16, "i32": jnp.int32}[elem])


def product_text(row, then=""):
    """A product as StableHLO, in one dot_general, and what follows it."""
    _, elem, out, m, n, k, batch, ta, tb = row
    elem = "f32" if elem == "tf32" else elem
    shape = lambda *dims, e=elem: "tensor<" + "".join(f"{x}x" for x in ([batch] if batch > 1 else []) + list(dims)) + e + ">"
    a, b, y = shape(*((k, m) if ta else (m, k))), shape(*((n, k) if tb else (k, n))), shape(m, n, e=out)
    at = int(batch > 1)
    dims = f"batching_dims = {[0] * at} x {[0] * at}, contracting_dims = [{at + (0 if ta else 1)}] x [{at + (1 if tb else 0)}]"
    lines = [f"%0 = stablehlo.dot_general %a, %b, {dims} : ({a}, {b}) -> {y}"]
    args, last = [f"%a: {a}", f"%b: {b}"], "%0"
    if "bias" in then:
        args.append(f"%bias: tensor<{n}x{out}>")
        lines += [f"%1 = stablehlo.broadcast_in_dim %bias, dims = [{at + 1}] : (tensor<{n}x{out}>) -> {y}", f"%2 = stablehlo.add {last}, %1 : {y}"]
        last = "%2"
    if "gelu" in then:
        f = shape(m, n, e="f32")
        lines.append(f"%3 = stablehlo.convert {last} : ({y}) -> {f}")
        lines += [f"%c{i} = stablehlo.constant dense<{c}> : {f}" for i, c in enumerate((0.044715, 0.797884583, 1.0, 0.5))]
        lines += [f"%4 = stablehlo.multiply %3, %3 : {f}", f"%5 = stablehlo.multiply %4, %3 : {f}", f"%6 = stablehlo.multiply %5, %c0 : {f}",
                  f"%7 = stablehlo.add %3, %6 : {f}", f"%8 = stablehlo.multiply %7, %c1 : {f}", f"%9 = stablehlo.tanh %8 : {f}",
                  f"%10 = stablehlo.add %9, %c2 : {f}", f"%11 = stablehlo.multiply %10, %c3 : {f}", f"%12 = stablehlo.multiply %3, %11 : {f}",
                  f"%13 = stablehlo.convert %12 : ({f}) -> {y}"]
        last = "%13"
    if "residual" in then:
        args.append(f"%r: {y}")
        lines.append(f"%14 = stablehlo.add {last}, %r : {y}")
        last = "%14"
    body = "\n  ".join(lines)
    return f"func.func @main({', '.join(args)}) -> {y} {{\n  {body}\n  return {last} : {y}\n}}\n"


def save_bf16(path, array):
    import numpy as np

    bits = (array.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    header = f"{{'descr': '<V2', 'fortran_order': False, 'shape': {array.shape!r}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + bits.tobytes())


def read_bf16(path):
    """A file of bf16 as f32."""
    import numpy as np

    with open(path, "rb") as f:
        head = f.read(10)
        header = f.read(int.from_bytes(head[8:10], "little")).decode()
        shape = eval(header)["shape"]  # noqa: S307: it is our own file
        return (np.frombuffer(f.read(), np.uint16).astype(np.uint32) << 16).view(np.float32).reshape(shape)


def export(folder, small):
    import jax
    import numpy as np

    def write(name, text):
        with open(os.path.join(folder, f"{name}.mlir"), "w") as f:
            f.write(text)

    jitted = jax_kernels()
    for name in KERNELS:
        write(name, jax.jit(jitted[name]).lower(*[struct(*s) for s in SHAPES[name][small]]).as_text())
    products = [small_product(p) if small else p for p in PRODUCTS]
    for row in products:
        write("product_" + row[0].replace(" ", "_"), product_text(row))
    for then in EPILOGUES:
        row = next(p for p in products if p[0] == ("proj forward" if then == "residual" else "up forward"))
        write(f"product_{row[0].replace(' ', '_')}_{then}", product_text(row, then))
    tokens, parameters = gpt_inputs(small)
    write("gpt", jax.jit(jax_gpt(small)).lower(struct("i32", tokens.shape), *[struct("bf16", p.shape) for p in parameters]).as_text())
    np.save(os.path.join(folder, "gpt_in0.npy"), tokens)
    for i, p in enumerate(parameters):
        save_bf16(os.path.join(folder, f"gpt_in{i + 1}.npy"), p)


def some_rows(tokens):
    """Which tokens' logits are compared: of the first and last sequence, some at either end."""
    b, t = tokens
    return [(i, j) for i in {0, b - 1} for j in (0, 1, t // 2, t - 2, t - 1)]


def expect(folder, small):
    import jax
    import numpy as np

    tokens, parameters = gpt_inputs(small)
    b, t, *_ = sizes(small)
    with jax.default_matmul_precision("highest"):
        logits = np.asarray(jax.jit(jax_gpt(small))(tokens, *parameters))
    np.save(os.path.join(folder, "gpt_expected.npy"), np.stack([logits[i, j] for i, j in some_rows((b, t))]))


# ---- Peers ----


def median(times):
    return sorted(times)[len(times) // 2]


def inner_of(seconds):
    """How many runs in a row: about 30 ms of them."""
    return max(1, min(20, int(0.03 / max(seconds, 1e-6))))


def numbers(elem, shape, seed=1):
    import numpy as np

    rng = np.random.default_rng(seed)
    if elem == "i32":
        return rng.integers(0, 50304, shape).astype(np.int32)
    some = rng.standard_normal(min(1 << 22, int(np.prod(shape))), np.float32)
    return np.resize(some, shape)


def xla(name, small, save):
    start = time.perf_counter()
    import jax
    import jax.numpy as jnp

    device = jax.devices()[0]
    types = {"f32": jnp.float32, "bf16": jnp.bfloat16, "i32": jnp.int32}
    if name == "gpt":
        tokens, parameters = gpt_inputs(small)
        f, args = jax_gpt(small), [jnp.asarray(tokens), *[jnp.asarray(p, jnp.bfloat16) for p in parameters]]
    else:
        f, args = jax_kernels()[name], [jnp.asarray(numbers(e, s), types[e]) for e, s in SHAPES[name][small]]
    args = jax.block_until_ready(jax.device_put(args, device))
    ready = time.perf_counter()
    f = jax.jit(f)
    out = jax.block_until_ready(f(*args))
    first = time.perf_counter() - ready
    if save and name == "gpt":
        import numpy as np

        b, t, *_ = sizes(small)
        np.save(save, np.stack([np.asarray(out[i, j].astype(jnp.float32)) for i, j in some_rows((b, t))]))
    del out
    return {"seconds": jax_seconds(f, args), "first": first, "start": ready - start, "device": device.device_kind, "version": f"jax {jax.__version__}"}


def jax_seconds(f, args):
    import jax

    jax.block_until_ready(f(*args))
    start = time.perf_counter()
    jax.block_until_ready(f(*args))
    inner, times = inner_of(time.perf_counter() - start), []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        out = [f(*args) for _ in range(inner)]
        jax.block_until_ready(out)
        times.append((time.perf_counter() - start) / inner)
        del out
    return median(times)


def torch_kernels():
    import torch
    import torch.nn.functional as F

    def gelu(x):
        return F.gelu(x * 1.5 + 2, approximate="tanh") * torch.tanh(x)

    def softmax(x):
        return F.softmax(x.float(), -1).to(x.dtype)

    def layer_norm(x, g, b):
        return F.layer_norm(x, (x.shape[-1],), g, b)

    def residual_norm(x, r, g, b):
        s = x + r
        return s, F.layer_norm(s, (s.shape[-1],), g, b)

    def transpose(x):
        return x.t().contiguous()

    transpose_f32, softmax_long = transpose, softmax

    def heads(x):
        return x.transpose(1, 2).contiguous()

    def column_sum(x):
        return x.float().sum(0)

    def loss(z, t):
        return F.cross_entropy(z.float(), t.long())

    return {name: f for name, f in locals().items() if name in KERNELS or name == "loss"}


def torch_gpt(small):
    import torch.nn.functional as F

    b, t, d, h, layers, _ = sizes(small)

    def gpt(tokens, wte, wpe, *blocks):
        x = wte[tokens] + wpe
        for l in range(layers):
            g1, b1, g2, b2, qkv, o, w1, w2 = blocks[8 * l:8 * l + 8]
            q, k, v = [y.view(b, t, h, d // h).transpose(1, 2) for y in (F.layer_norm(x, (d,), g1, b1) @ qkv).split(d, -1)]
            x = x + F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, d) @ o
            x = x + F.gelu(F.layer_norm(x, (d,), g2, b2) @ w1, approximate="tanh") @ w2
        return x @ wte.t()

    return gpt


def torch_(name, small):
    start = time.perf_counter()
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_float32_matmul_precision("high")
    types = {"f32": torch.float32, "bf16": torch.bfloat16, "i32": torch.int32}
    derived = name.startswith("cross_entropy")
    put = lambda a, t: torch.from_numpy(a).to(device).to(t)
    if name == "gpt":
        tokens, parameters = gpt_inputs(small)
        f, args = torch_gpt(small), [put(tokens, torch.int64), *[put(p, torch.bfloat16) for p in parameters]]
    else:
        f, args = torch_kernels()["loss" if derived else name], [put(numbers(e, s), types[e]) for e, s in SHAPES[name][small]]
    compiled = torch.compile(f)
    if derived:
        args[0].requires_grad_()
        run = lambda: torch.autograd.grad(compiled(*args), args[0])
    else:
        run = lambda: compiled(*args)
    wait = torch.cuda.synchronize if device == "cuda" else lambda: None
    wait()
    ready = time.perf_counter()
    with torch.set_grad_enabled(derived):
        run()
        wait()
        first = time.perf_counter() - ready
        for _ in range(3):
            run()
        wait()
        begin = time.perf_counter()
        run()
        wait()
        inner, times = inner_of(time.perf_counter() - begin), []
        for _ in range(ROUNDS):
            begin = time.perf_counter()
            if device == "cuda":
                events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
                events[0].record()
            for _ in range(inner):
                run()
            if device == "cuda":
                events[1].record()
            wait()
            times.append((events[0].elapsed_time(events[1]) * 1e-3 if device == "cuda" else time.perf_counter() - begin) / inner)
    kind = torch.cuda.get_device_name() if device == "cuda" else "cpu"
    return {"seconds": median(times), "first": first, "start": ready - start, "device": kind, "version": f"torch {torch.__version__}"}


def each(names, measure):
    """A failure is a line, too."""
    import gc

    for name in names:
        try:
            row = measure(name)
        except ModuleNotFoundError:
            raise
        except Exception as e:  # noqa: BLE001: whatever a peer raises
            row = {"error": f"{type(e).__name__}: {e}"[:300]}
        print(json.dumps({"name": name, **row}), flush=True)
        gc.collect()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=["export", "expect", "xla", "torch"])
    p.add_argument("name")
    p.add_argument("--small", action="store_true")
    p.add_argument("--save")
    a = p.parse_args()
    if a.what == "export":
        export(a.name, a.small)
    elif a.what == "expect":
        expect(a.name, a.small)
    elif a.what == "xla":
        each(a.name.split(","), lambda name: xla(name, a.small, a.save))
    else:
        each(a.name.split(","), lambda name: torch_(name, a.small))


if __name__ == "__main__":
    main()
