# SPDX-License-Identifier: Apache-2.0
"""explain.py - twenty JAX programs with one bad sharding each: does `tessera explain` name it, and does what it suggests help XLA?

    python3 bench/explain.py [--build build] [--only NAME] [--write]

Each program divides its work well on eight virtual devices (dp=2, tp=4) but for one sharding: a line marked "planted", or one argument. The first
advice must name it, and XLA, which compiles the program again with it, must communicate less. --write puts the tables, this one and that of
explain_dumps.py, into docs/EXPLAIN.md.
"""

import argparse
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:] = [p for p in sys.path if Path(p or ".").resolve() != Path(__file__).resolve().parent]
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"
sys.path.insert(0, str(ROOT / "python"))


def programs():
    """Name, jitted function, arguments, and the argument that is planted, or None: a line of code is."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax
    from jax.sharding import Mesh, NamedSharding
    from jax.sharding import PartitionSpec as P

    mesh = Mesh(np.array(jax.devices()).reshape(2, 4), ("dp", "tp"))
    made = []

    def on(*spec):
        return NamedSharding(mesh, P(*spec))

    keep = lax.with_sharding_constraint

    def a(*shape):
        return jax.ShapeDtypeStruct(shape, jnp.float32)

    def ints(*shape):
        return jax.ShapeDtypeStruct(shape, jnp.int32)

    def program(name, shardings, *args, planted=None):
        def add(f):
            made.append((name, jax.jit(f, in_shardings=shardings), args, planted, f))

        return add

    x, up, down = a(2048, 1024), a(1024, 4096), a(4096, 1024)
    rows, columns, batch = on("tp", None), on(None, "tp"), on("dp", None)

    @program("mlp: hidden layer gathered", (batch, columns, rows), x, up, down)
    def _(x, w1, w2):
        h = jax.nn.relu(x @ w1)
        h = keep(h, on("dp", None))  # planted
        return keep(h @ w2, on("dp", None))

    @program("mlp: batch on all devices", (batch, columns, rows), x, up, down)
    def _(x, w1, w2):
        h = keep(jax.nn.relu(x @ w1), on(None, "tp"))  # planted
        return keep(h @ w2, on("dp", None))

    @program("mlp: second weight cut along its columns", (batch, columns, columns), x, up, down, planted="w2")
    def _(x, w1, w2):
        h = keep(jax.nn.relu(x @ w1), on("dp", "tp"))
        return keep(h @ w2, on("dp", None))

    @program("mlp, gradient: activation gathered", (batch, columns, rows), x, up, down)
    def _(x, w1, w2):
        def loss(w1, w2):
            h = jnp.tanh(x @ w1)
            h = keep(h, on("dp", None))  # planted
            return ((h @ w2) ** 2).mean()

        return jax.grad(loss, (0, 1))(w1, w2)

    def heads(x):
        return x.reshape(x.shape[0], x.shape[1], 16, 64)

    def attend(q, k, v):
        s = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k))
        return jnp.einsum("bhqk,bkhd->bqhd", s, v)

    seq, square = a(8, 512, 1024), a(1024, 1024)
    sharded = (on("dp"), columns, columns, columns, rows)

    @program("attention: heads gathered", sharded, seq, square, square, square, square)
    def _(x, wq, wk, wv, wo):
        q, k, v = heads(x @ wq), heads(x @ wk), heads(x @ wv)
        o = attend(q, k, v)
        o = keep(o, on("dp", None, None, None))  # planted
        return keep(o.reshape(x.shape) @ wo, on("dp"))

    @program("attention: queries cut along the sequence", sharded, seq, square, square, square, square)
    def _(x, wq, wk, wv, wo):
        q, k, v = heads(x @ wq), heads(x @ wk), heads(x @ wv)
        q = keep(q, on("dp", "tp", None, None))  # planted
        o = keep(attend(q, k, v), on("dp", None, "tp", None))
        return keep(o.reshape(x.shape) @ wo, on("dp"))

    @program("attention: keys on all devices", sharded, seq, square, square, square, square)
    def _(x, wq, wk, wv, wo):
        q, k, v = heads(x @ wq), heads(x @ wk), heads(x @ wv)
        k = keep(k, on(None, None, None, None))  # planted
        o = attend(q, k, v)
        return keep(o.reshape(x.shape) @ wo, on("dp"))

    @program("attention: query weight cut along its rows", (on("dp"), rows, columns, columns, rows), seq, square, square, square, square, planted="wq")
    def _(x, wq, wk, wv, wo):
        o = attend(heads(x @ wq), heads(x @ wk), heads(x @ wv))
        o = keep(o, on("dp", None, "tp", None))
        return keep(o.reshape(x.shape) @ wo, on("dp"))

    tokens, experts1, experts2 = a(8, 1024, 512), a(8, 512, 2048), a(8, 2048, 512)
    by_expert = on("tp")

    @program("moe: experts gathered", (by_expert, by_expert, by_expert), tokens, experts1, experts2)
    def _(x, w1, w2):
        h = jax.nn.relu(jnp.einsum("etd,edf->etf", x, w1))
        h = keep(h, on(None, None, None))  # planted
        return keep(jnp.einsum("etf,efd->etd", h, w2), on("tp", None, None))

    @program("moe: expert weight cut along its features", (by_expert, by_expert, on(None, None, "tp")), tokens, experts1, experts2, planted="w2")
    def _(x, w1, w2):
        h = keep(jax.nn.relu(jnp.einsum("etd,edf->etf", x, w1)), on("tp", None, None))
        return keep(jnp.einsum("etf,efd->etd", h, w2), on("tp", None, None))

    layers1, layers2 = a(4, 512, 2048), a(4, 2048, 512)
    stacked = (on("dp", None), on(None, None, "tp"), on(None, "tp", None))

    @program("layers: carried value on all devices", stacked, a(2048, 512), layers1, layers2)
    def _(x, w1, w2):
        def layer(h, w):
            g = jax.nn.relu(h @ w[0]) @ w[1]
            h = keep(h + g, on(None, None))  # planted
            return h, None

        return lax.scan(layer, x, (w1, w2))[0]

    @program("layers: hidden layer gathered", stacked, a(2048, 512), layers1, layers2)
    def _(x, w1, w2):
        def layer(h, w):
            g = jax.nn.relu(h @ w[0])
            g = keep(g, on("dp", None))  # planted
            return keep(h + g @ w[1], on("dp", None)), None

        return lax.scan(layer, x, (w1, w2))[0]

    table = a(32000, 512)

    @program("embedding: rows on all devices", (on(None, "tp"), on("dp", None), columns), table, ints(16, 512), a(512, 2048))
    def _(embed, tokens, w):
        x = embed[tokens]
        x = keep(x, on(None, None, None))  # planted
        return keep(x @ w, on("dp", None, "tp"))

    def cross_entropy(logits, labels):
        return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[..., None], -1).mean()

    @program("loss: logits gathered", (on("dp"), on(None, "tp"), on("dp")), a(8, 256, 512), a(512, 32000), ints(8, 256))
    def _(x, embed, labels):
        logits = x @ embed
        logits = keep(logits, on("dp", None, None))  # planted
        return cross_entropy(logits, labels)

    @program("loss: batch gathered", (on("dp"), on(None, "tp"), on("dp")), a(8, 256, 512), a(512, 32000), ints(8, 256))
    def _(x, embed, labels):
        logits = keep(x @ embed, on(None, None, "tp"))  # planted
        return jax.nn.logsumexp(logits, -1).mean()

    @program("optimizer: gradients on all devices", (batch, columns, columns), x, up, up)
    def _(x, w, mu):
        g = jax.grad(lambda w: ((x @ w) ** 2).mean())(w)
        g = keep(g, on(None, None))  # planted
        mu = 0.9 * mu + 0.1 * g
        return keep(w - 1e-3 * mu, on(None, "tp")), keep(mu, on(None, "tp"))

    @program("optimizer: state cut otherwise than the weight", (batch, columns, rows), x, up, up, planted="mu")
    def _(x, w, mu):
        g = keep(jax.grad(lambda w: ((x @ w) ** 2).mean())(w), on(None, "tp"))
        return keep(w - 1e-3 * (0.9 * mu + 0.1 * g), on(None, "tp"))

    def norm(x):
        return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)

    @program("norm: features divided", (batch, columns, rows), x, up, down)
    def _(x, w1, w2):
        x = keep(x, on("dp", "tp"))  # planted
        h = jax.nn.relu(norm(x) @ w1)
        return keep(h @ w2, on("dp", None))

    @program("residual: batch over the other axis", (batch, columns, rows), x, up, down)
    def _(x, w1, w2):
        y = jax.nn.relu(x @ w1) @ w2
        y = keep(y, on("tp", None))  # planted
        return keep(x + y, on("dp", None))

    @program("convolution: images on all devices", (on("dp"), on(None, None, None, "tp"), on(None, None, "tp", None)), a(32, 32, 32, 64), a(3, 3, 64, 256), a(3, 3, 256, 64))
    def _(x, w1, w2):
        def conv(x, w):
            return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

        h = jax.nn.relu(conv(x, w1))
        h = keep(h, on(None, None, None, "tp"))  # planted
        return keep(conv(h, w2), on("dp", None, None, None))

    return made


def planted_line(f):
    lines, first = inspect.getsourcelines(f)
    return next(first + i for i, text in enumerate(lines) if "# planted" in text)


def names_it(advice, f, planted):
    """Whether this advice is about what was planted."""
    if planted:
        return advice["what"] == "in_shardings" and advice["name"] == planted
    return advice["line"] == planted_line(f)


def planted_table(only):
    from tessera.jax import explain

    rows, named, helped = [], 0, 0
    for name, jitted, args, planted, f in programs():
        if only and only not in name:
            continue
        found = explain(jitted, *args, verify=True)
        best = found.advice[0] if found.advice else None
        first = bool(best) and names_it(best, f, planted)
        xla = best["xla"] if best else {"received_bytes": found.bytes, "gone": []}
        named += first
        helped += first and bool(xla["gone"])
        text = re.sub(r"^explain\.py:\d+:\d+: ", "", best["text"]) if best else "none"
        rows.append((name, "yes" if first else "no", text, found.bytes / 1e6, xla["received_bytes"] / 1e6, "yes" if first and xla["gone"] else "no"))
        print(f"{name:50} named {rows[-1][1]:4} {best['text'] if best else '-'}  XLA {rows[-1][3]:.1f} -> {rows[-1][4]:.1f} MB {rows[-1][5]}", flush=True)
        if not first and found.advice:
            for a in found.advice[1:4]:
                print(f"        {a['text']}  {a['saved_seconds'] * 1e6:.0f} of {found.before['step_seconds'] * 1e6:.0f} us", flush=True)
    out = ["| planted | named first | first advice | XLA receives, MB | with it | collective gone or smaller |", "| --- | --- | --- | ---: | ---: | --- |"]
    out += [f"| {n} | {f} | `{t}` | {b:.1f} | {w:.1f} | {g} |" for n, f, t, b, w, g in rows]
    out.append(f"\n{len(rows)} programs: the planted sharding is named first in {named}, and XLA's collectives go or shrink with the advice in {helped}.")
    return "\n".join(out)


def write(name, text):
    path = ROOT / "docs" / "EXPLAIN.md"
    page = path.read_text()
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    head, rest = page.split(begin)
    path.write_text(head + begin + text.strip() + "\n" + end + rest.split(end)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--only", help="programs whose names have this in them")
    parser.add_argument("--write", action="store_true", help="write the tables into docs/EXPLAIN.md")
    args = parser.parse_args()
    os.environ["TESSERA_LIBRARY"] = str((ROOT / args.build / "libtessera.so").resolve())
    table = planted_table(args.only)
    print(table)
    if args.write:
        write("planted", table)
        said = subprocess.run([sys.executable, str(ROOT / "bench" / "explain_dumps.py"), "--build", args.build], capture_output=True, text=True, check=True).stdout
        write("dumps", re.search(r"\n\d+ programs, \d+ dumps:\n.*", said, re.S).group())


if __name__ == "__main__":
    main()
