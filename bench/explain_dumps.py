# SPDX-License-Identifier: Apache-2.0
"""explain_dumps.py - dumps of XLA, made here from JAX programs, read and run: how many programs of HLO text compute what JAX computed.

    python3 bench/explain_dumps.py [--build build] [--only NAME] [--list]

Each program is dumped before optimization, after it on one device, and twice after partitioning on eight virtual devices: as the partitioner
left it, and as XLA's cpu backend runs it. A partitioned dump runs on eight threads, each with the shards that JAX gives that device, and every
shard of every result is compared.
"""

import argparse
import collections
import ctypes
import glob
import os
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:] = [p for p in sys.path if Path(p or ".").resolve() != Path(__file__).resolve().parent]
DUMPS = tempfile.mkdtemp(prefix="hlo")
os.environ["XLA_FLAGS"] = (
    os.environ.get("XLA_FLAGS", "")
    + f" --xla_force_host_platform_device_count=8 --xla_dump_to={DUMPS} --xla_dump_hlo_pass_re=spmd.* --xla_dump_hlo_as_long_text=true"
)
os.environ["JAX_PLATFORMS"] = "cpu"
sys.path.insert(0, str(ROOT / "python"))


def programs():
    """Name, function, arguments."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax

    rng = np.random.default_rng(0)

    def a(*shape):
        return jnp.asarray(rng.standard_normal(shape), jnp.float32)

    def ints(high, *shape):
        return jnp.asarray(rng.integers(0, high, shape), jnp.int32)

    m, v = a(16, 8), a(16)
    image, filters = a(8, 8, 8, 8), a(3, 3, 8, 8)

    def mlp(w1, w2, x):
        return (jnp.tanh(x @ w1) @ w2 ** 2).mean()

    def norm(x):
        return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)

    def attention(q, k, v):
        s = jnp.einsum("bqhd,bkhd->bhqk", q, k)
        s = jnp.where(jnp.tril(jnp.ones(s.shape[-2:], bool)), s, -1e9)
        return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(s), v)

    def conv(x, w):
        return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def moe(x, gate, w):
        chosen = jax.nn.one_hot(jnp.argmax(x @ gate, -1), gate.shape[1])
        return jnp.einsum("te,edf,td->tf", chosen, w, x)

    def loss(embed, tokens):
        x = embed[tokens[:, :-1]]
        logits = jax.nn.log_softmax(norm(x) @ embed.T)
        return -jnp.take_along_axis(logits, tokens[:, 1:, None], -1).mean()

    def lstm(w, u, xs):
        def step(c, x):
            h, s = c
            i, f, o, g = jnp.split(x @ w + h @ u, 4, -1)
            s = jax.nn.sigmoid(f) * s + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(s)
            return (h, s), h
        zero = jnp.zeros((xs.shape[1], u.shape[0]))
        return lax.scan(step, (zero, zero), xs)

    def adam(p, g, mu, nu):
        mu, nu = 0.9 * mu + 0.1 * g, 0.99 * nu + 0.01 * g * g
        return p - 1e-3 * mu / (jnp.sqrt(nu) + 1e-8), mu, nu

    def layers(ws, x):
        return lax.scan(lambda h, w: (jnp.tanh(h @ w), h.sum()), x, ws)

    return [
        ("add", lambda x, y: x + y * 2, (m, m)),
        ("product", lambda x, y: x @ y, (a(16, 32), a(32, 8))),
        ("batched product", lambda x, y: jnp.einsum("bij,bjk->bik", x, y), (a(8, 4, 16), a(8, 16, 8))),
        ("outer product", jnp.outer, (v, v)),
        ("transposed product", lambda x, y: jnp.einsum("ij,ik->kj", x, y), (m, m)),
        ("softmax", jax.nn.softmax, (m,)),
        ("layer norm", norm, (m,)),
        ("mlp", mlp, (a(16, 32), a(32, 8), a(8, 16))),
        ("mlp, gradient", jax.value_and_grad(mlp, (0, 1)), (a(16, 32), a(32, 8), a(8, 16))),
        ("attention", attention, (a(8, 8, 2, 4), a(8, 8, 2, 4), a(8, 8, 2, 4))),
        ("attention, gradient", jax.grad(lambda *x: (attention(*x) ** 2).sum(), (0, 1, 2)), (a(8, 8, 2, 4), a(8, 8, 2, 4), a(8, 8, 2, 4))),
        ("convolution", conv, (image, filters)),
        ("convolution, gradient", jax.grad(lambda x, w: (conv(x, w) ** 2).sum(), (0, 1)), (image, filters)),
        ("strided convolution", lambda x, w: lax.conv_general_dilated(x, w, (2, 2), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")), (image, filters)),
        ("grouped convolution", lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=8), (image, a(3, 3, 1, 8))),
        ("max pool", lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"), (image,)),
        ("max pool, gradient", jax.grad(lambda x: (lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") ** 2).sum()), (image,)),
        ("average pool", lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 3, 3, 1), (1, 1, 1, 1), "SAME") / 9, (image,)),
        ("cumulative sum", lambda x: jnp.cumsum(x, 0), (m,)),
        ("cumulative max", lambda x: lax.cummax(x, 1), (m,)),
        ("sort", lambda x: jnp.sort(x, -1), (m,)),
        ("argsort", lambda x: jnp.argsort(x, 0), (m,)),
        ("top k", lambda x: lax.top_k(x, 3), (m,)),
        ("argmax", lambda x: jnp.argmax(x, 1), (m,)),
        ("gather", lambda x, i: x[i], (m, ints(16, 8))),
        ("gather, gradient", jax.grad(lambda x, i: (x[i] ** 2).sum()), (m, ints(16, 8))),
        ("take along axis", lambda x, i: jnp.take_along_axis(x, i, 1), (m, ints(8, 16, 1))),
        ("scatter", lambda x, i, u: x.at[i].add(u), (m, ints(16, 8), a(8, 8))),
        ("scatter, set", lambda x, u: x.at[jnp.array([3, 1, 7, 9, 0, 2, 4, 5])].set(u), (m, a(8, 8))),
        ("one hot", lambda i: jax.nn.one_hot(i, 16), (ints(16, 8),)),
        ("embedding, loss", loss, (a(32, 16), ints(32, 8, 9))),
        ("embedding, gradient", jax.grad(loss), (a(32, 16), ints(32, 8, 9))),
        ("moe", moe, (a(16, 8), a(8, 8), a(8, 8, 16))),
        ("moe, gradient", jax.grad(lambda x, g, w: (moe(x, g, w) ** 2).sum(), (0, 2)), (a(16, 8), a(8, 8), a(8, 8, 16))),
        ("lstm", lstm, (a(8, 64), a(16, 64), a(5, 8, 8))),
        ("lstm, gradient", jax.grad(lambda w, u, x: (lstm(w, u, x)[1] ** 2).sum(), (0, 1)), (a(8, 64), a(16, 64), a(5, 8, 8))),
        ("layers", layers, (a(3, 16, 16), a(8, 16))),
        ("layers, gradient", jax.grad(lambda w, x: (layers(w, x)[0] ** 2).sum()), (a(3, 16, 16), a(8, 16))),
        ("layers, recomputed", jax.grad(lambda w, x: (jax.checkpoint(layers)(w, x)[0] ** 2).sum()), (a(3, 16, 16), a(8, 16))),
        ("adam", adam, (m, m, m, m * m)),
        ("fori loop", lambda x: lax.fori_loop(0, 5, lambda i, y: jnp.sin(y) + i, x), (m,)),
        ("while loop", lambda x: lax.while_loop(lambda s: s[0] < 7, lambda s: (s[0] + 2, s[1] * 1.5), (0, x)), (m,)),
        ("cond", lambda p, x: lax.cond(p > 3, jnp.sin, jnp.cos, x), (jnp.int32(5), m)),
        ("switch", lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, jnp.tan], x), (jnp.int32(2), m)),
        ("associative scan", lambda x: lax.associative_scan(jnp.multiply, x), (m,)),
        ("bits", lambda k: jax.random.bits(k, (16, 8)), (jax.random.key(0),)),
        ("normal numbers", lambda k: jax.random.normal(k, (16, 8)), (jax.random.key(1),)),
        ("dropout", lambda k, x: jnp.where(jax.random.bernoulli(k, 0.5, x.shape), x * 2, 0), (jax.random.key(2), m)),
        ("fft", lambda x: jnp.abs(jnp.fft.fft(x)), (m,)),
        ("cholesky", lambda x: jnp.linalg.cholesky(x @ x.T + 20 * jnp.eye(16)), (m,)),
        ("triangular solve", lambda x, y: jax.scipy.linalg.solve_triangular(jnp.tril(x) + 9 * jnp.eye(16), y, lower=True), (a(16, 16), m)),
        ("qr", lambda x: jnp.abs(jnp.linalg.qr(x)[1]), (m,)),
        ("bfloat16", lambda x, y: (x.astype(jnp.bfloat16) @ y.astype(jnp.bfloat16)).astype(jnp.float32), (a(16, 32), a(32, 8))),
        ("float8", lambda x: x.astype(jnp.float8_e4m3fn).astype(jnp.float32), (m,)),
        ("integers", lambda x, y: (x * y) // 3 + x % 5 - (y << 2), (ints(99, 16, 8), ints(99, 16, 8))),
        ("bytes", lambda x: (x.astype(jnp.uint8) ^ 85).astype(jnp.int32), (ints(99, 16, 8),)),
        ("complex", lambda x, y: jnp.real((x + 1j * y) * jnp.exp(1j * x)), (m, m)),
        ("special functions", lambda x: lax.erf(x) + lax.lgamma(jnp.abs(x) + 1) + jnp.arctan2(x, 2) + jnp.cbrt(x), (m,)),
        ("hyperbolic", lambda x: jnp.sinh(x) + jnp.cosh(x) + jnp.arcsinh(x) + jnp.arctanh(x / 9), (m,)),
        ("rounding", lambda x: jnp.round(x) + jnp.floor(x) - jnp.ceil(x) + lax.round(x), (m * 3,)),
        ("pad, slice, reverse", lambda x: jnp.flip(jnp.pad(x, ((1, 2), (0, 3)))[::2, 1:], 1), (m,)),
        ("dynamic slice", lambda x, i: lax.dynamic_slice(x, (i, 0), (4, 8)), (m, jnp.int32(3))),
        ("dynamic update", lambda x, u, i: lax.dynamic_update_slice(x, u, (i, 0)), (m, a(4, 8), jnp.int32(3))),
        ("roll", lambda x: jnp.roll(x, 3, 0) + jnp.roll(x, 1, 1), (m,)),
        ("concatenate", lambda x, y: jnp.concatenate([x, y], 0).reshape(-1, 4).T, (m, m)),
        ("any, all", lambda x: (jnp.any(x > 2, 0), jnp.all(x > -3, 1)), (m,)),
        ("variance", lambda x: (x.var(0), x.std(1), jnp.median(x)), (m,)),
        ("clip", lambda x: jnp.clip(x, -0.5, 0.5) + jnp.maximum(x, 0) + lax.select(x > 0, x, -x), (m,)),
        ("histogram", lambda x: jnp.bincount(x.reshape(-1), length=16), (ints(16, 16, 8),)),
        ("segment sum", lambda x, i: jax.ops.segment_sum(x, i, 4), (m, ints(4, 16))),
        ("outer sum", lambda x: x[:, None] + x[None, :], (v,)),
        ("hessian", jax.hessian(lambda x: (jnp.sin(x) ** 2).sum()), (v,)),
    ]


def shardings(args, way):
    """Shards of each argument: way 0 divides the first dimension that eight divides, way 1 the last by four and the first by two."""
    import jax
    import numpy as np
    from jax.sharding import Mesh, NamedSharding
    from jax.sharding import PartitionSpec as P

    mesh = Mesh(np.array(jax.devices()).reshape(2, 4), ("a", "b"))
    out = []
    for x in args:
        spec = [None] * x.ndim
        if way == 0:
            spec = next((spec[:d] + [("a", "b")] + spec[d + 1 :] for d in range(x.ndim) if x.shape[d] % 8 == 0), spec)
        elif x.ndim:
            if x.shape[-1] % 4 == 0:
                spec[-1] = "b"
            if x.ndim > 1 and x.shape[0] % 2 == 0:
                spec[0] = "a"
        out.append(NamedSharding(mesh, P(*spec)))
    return out


# ---- Running what was read ----


def _arrays(values):
    """As NumPy: keys of random numbers as their bits."""
    import jax
    import numpy as np

    return [np.asarray(jax.random.key_data(x) if jax.dtypes.issubdtype(x.dtype, jax.dtypes.prng_key) else x) for x in values]


def run_on_shards(module, rows):
    """The results of the program of one device, on the arguments of each."""
    from tessera import _library as c
    from tessera import runtime
    from tessera.tensors import Tensor

    ctx = module.context
    types, nout = runtime._signature(module, "")
    kept = [runtime._inputs(ctx, types, row) for row in rows]
    row_type = ctypes.POINTER(ctypes.c_void_p)
    ins = [c.handles([t._handle for t in row] or [None]) for row in kept]
    outs = [(ctypes.c_void_p * max(1, nout))() for _ in rows]
    a = (row_type * len(rows))(*[ctypes.cast(x, row_type) for x in ins])
    b = (row_type * len(rows))(*[ctypes.cast(x, row_type) for x in outs])
    options = ctypes.byref(c.EvalOptions(0, 0, 0))
    ctx._call(c.lib.tsr_module_eval_shards, module._handle, c.to_str(""), a, len(rows), len(types), b, nout, options)
    return [[Tensor._of(ctx, h, None).numpy() for h in row[:nout]] for row in outs]


def shards_of(values):
    """By device: its parts of all values."""
    import jax

    values = [jax.random.key_data(x) if jax.dtypes.issubdtype(x.dtype, jax.dtypes.prng_key) else x for x in values]
    return [_arrays([next(s.data for s in x.addressable_shards if s.device == d) for x in values]) for d in jax.devices()]


def differs(found, wanted):
    """What differs, or None: bits for integers, about twenty units in the last place of the largest element for floats."""
    import numpy as np

    if len(found) != len(wanted):
        return f"{len(found)} results, not {len(wanted)}"
    for i, (f, w) in enumerate(zip(found, wanted)):
        if f.shape != w.shape or f.dtype != w.dtype:
            return f"result {i} is {f.dtype}{f.shape}, not {w.dtype}{w.shape}"
        if np.issubdtype(w.dtype, np.inexact) or "float" in str(w.dtype):
            f, w = (np.nan_to_num(x.astype(np.complex128 if np.iscomplexobj(x) else np.float64)) for x in (f, w))
            scale = max(1.0, float(np.max(np.abs(w), initial=0)))
            off = float(np.max(np.abs(f - w), initial=0))
            if off > 1e-5 * scale:
                return f"result {i} is off by {off:.2g} of {scale:.2g}"
        elif not (f == w).all():
            return f"result {i} differs in {int((f != w).sum())} of {f.size} elements"
    return None


def check(kind, text, rows, wanted):
    """How it went: read, equal, and if not why."""
    import re

    import tessera

    try:
        module = tessera.Module.parse(text)
    except Exception as e:
        return "not read", str(e).splitlines()[0][:150]
    missing = sorted(set(re.findall(r"@hlo\.([\w-]+)", str(module)) + re.findall(r"custom_call @([\w$.]+)", str(module))) - {"hlo"})
    try:
        found = run_on_shards(module, rows) if len(rows) > 1 else [module.run(*rows[0])]
    except Exception as e:
        why = f"no counterpart: {', '.join(missing)}" if missing else str(e).splitlines()[0][:150]
        return ("no counterpart" if missing else "not run"), why
    for d, (f, w) in enumerate(zip(found, wanted)):
        why = differs(f, w)
        if why:
            return "other values", f"device {d}: {why}"
    return "equal", ""


def dumps_of(name, f, args):
    """Kind, text, arguments and results by device."""
    import jax

    flat = jax.tree.leaves(args)
    lowered = jax.jit(f, keep_unused=True).lower(*args)
    compiled = lowered.compile()
    wanted = _arrays(jax.tree.leaves(compiled(*args)))
    yield "before", lowered.compiler_ir("hlo").as_hlo_text(), [_arrays(flat)], [wanted]
    yield "optimized", compiled.as_text(), [_arrays(flat)], [wanted]
    for way in (0, 1):
        given = shardings(flat, way)
        placed = jax.tree.unflatten(jax.tree.structure(args), [jax.device_put(x, s) for x, s in zip(flat, given)])
        for old in glob.glob(DUMPS + "/*"):
            shutil.rmtree(old) if os.path.isdir(old) else os.remove(old)
        compiled = jax.jit(f, keep_unused=True, in_shardings=jax.tree.unflatten(jax.tree.structure(args), given)).lower(*args).compile()
        rows = shards_of(jax.tree.leaves(placed))
        results = shards_of(jax.tree.leaves(compiled(*placed)))
        found = sorted(glob.glob(DUMPS + "/*after_spmd-partitioning*"))
        if way == 0 and found:
            yield f"partitioned {way}", Path(found[-1]).read_text(), rows, results
        else:
            yield f"partitioned and optimized {way}", compiled.as_text(), rows, results


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--only", help="programs whose names have this in them")
    parser.add_argument("--keep", help="a folder for the dumps that are not equal")
    args = parser.parse_args()
    os.environ["TESSERA_LIBRARY"] = str((ROOT / args.build / "libtessera.so").resolve())
    counts = collections.Counter()
    done = set()
    for name, f, given in programs():
        if args.only and args.only not in name:
            continue
        try:
            for kind, text, rows, wanted in dumps_of(name, f, given):
                how, why = check(kind, text, rows, wanted)
                family = kind.rstrip(" 01")
                counts[family, how] += 1
                done.add(name)
                if why:
                    print(f"{name:28} {kind:28} {how:15} {why}", flush=True)
                    if args.keep:
                        Path(args.keep, f"{name}.{kind}.hlo.txt".replace(" ", "_").replace(",", "")).write_text(text)
        except Exception as e:  # JAX cannot make it
            print(f"{name:28} {type(e).__name__}: {str(e).splitlines()[0][:120]}", flush=True)
    print(f"\n{len(done)} programs, {sum(counts.values())} dumps:\n")
    ways = ["equal", "other values", "no counterpart", "not run", "not read"]
    print("| dump | " + " | ".join(ways) + " |\n| --- |" + " ---: |" * len(ways))
    for family in dict.fromkeys(k for k, _ in counts):
        print(f"| {family} | " + " | ".join(str(counts[family, w]) for w in ways) + " |")


if __name__ == "__main__":
    main()
