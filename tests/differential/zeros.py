#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sums of zeros have the evaluator's signs: all results are compared bit for bit.

    zeros.py [--bin build/bin] [--count N] [--seed S] [--save DIR] [--emit N]

A sum that begins with 0 is never -0, and one that begins with -0 is -0 if all its elements are: reductions of rows and columns of all lengths, products, convolutions, windows, scans and
scatters, of f32, f64, bf16, f16 and complex numbers. Elements are zeros of both signs, whole rows of -0, and a few small integers, so that all sums are exact in any order. Programs run
on several numbers of threads, with strict rounding, with the kernels of each class that the machine has, and on a mesh; every Nth is also written as C, compiled and run.
"""
import math
import os
import random
import struct
import sys
import tempfile

import trial
from trial import tensor

TYPES = ["f32", "f32", "f32", "f64", "bf16", "f16", "complex<f32>"]
SIZES = [1, 1, 2, 3, 4, 5, 7, 8, 16, 17, 33, 64, 65, 130]
MANY = [2049, 17000, 40000]
LIMITS = {"bf16": 2.0 ** 8, "f16": 2.0 ** 11, "f64": 2.0 ** 53}  # up to which all integers exist; others: those of f32
CLASSES = ["baseline", "avx2", "avx512"]  # a machine without one runs its best


class Program:
    def __init__(self, rng):
        self.rng, self.elem, self.lines, self.args, self.inputs, self.n = rng, rng.choice(TYPES), [], [], [], 0
        self.pool, self.total = [], {}  # total: what the absolute values of all elements of a value add up to, at most
        for _ in range(rng.randint(1, 2)):
            self.pool.append(self.arg(self.shape()))

    def shape(self):
        shape = [self.rng.choice(SIZES) for _ in range(self.rng.choice([1, 2, 2, 2, 3, 3, 4]))]
        if self.rng.random() < 0.1:
            shape[self.rng.randrange(len(shape))] = self.rng.choice(MANY)
        while math.prod(shape) > 60000:
            shape[shape.index(min(d for d in shape if d > 1))] = 1
        return shape

    def emit(self, text):
        self.n += 1
        self.lines.append(f"  %{self.n} = {text}")
        return f"%{self.n}"

    def number(self, v, elem=None):
        v = f"({v}, {v})" if "complex" in (elem or self.elem) else v
        return self.emit(f"stablehlo.constant dense<{v}> : {tensor([], elem or self.elem)}")

    def arg(self, shape):
        """An argument of f32 or f64, from which the program's type is made."""
        wide = "f64" if self.elem == "f64" else "f32"
        parts, total = [], 0.0
        for _ in range(2 if "complex" in self.elem else 1):
            name = f"%a{len(self.args)}"
            self.args.append(f"{name}: {tensor(shape, wide)}")
            self.inputs.append((shape, wide, self.elements(shape)))
            parts.append(name)
            total += sum(map(abs, self.inputs[-1][2]))
        types = tensor(shape, wide), tensor(shape, self.elem)
        if len(parts) == 2:
            v = self.emit(f"stablehlo.complex {parts[0]}, {parts[1]} : {types[1]}")
        else:
            v = parts[0] if self.elem == wide else self.emit(f"stablehlo.convert {parts[0]} : ({types[0]}) -> {types[1]}")
        self.total[v] = total
        return v, shape

    def elements(self, shape):
        rng, n, last = self.rng, math.prod(shape), shape[-1] if shape else 1
        how, some, sign = rng.choice(["minus", "zeros", "mixed", "rows", "rows", "columns"]), min(0.3, (4 if self.elem in LIMITS else 30) / n), {}

        def one(i):
            line = i // last if how == "rows" else i % last
            if how == "minus" or (how in ("rows", "columns") and sign.setdefault(line, rng.random() < 0.6)):
                return -0.0
            if how != "zeros" and rng.random() < some:
                return float(rng.choice([-2, -1, 1, 2]))
            return rng.choice([0.0, -0.0])
        return [one(i) for i in range(n)]

    def some(self):
        return self.rng.choice(self.pool[-3:])

    def add(self, value, total):
        """A value, unless sums of its elements may be rounded."""
        if total > LIMITS.get(self.elem, 2.0 ** 24):
            return None
        self.total[value[0]] = total
        return value

    def body(self, op, elem=None):
        t = tensor([], elem or self.elem)
        return f"({{\n    ^bb0(%x: {t}, %y: {t}):\n      %r = stablehlo.{op} %x, %y : {t}\n      stablehlo.return %r : {t}\n  }})"

    def start(self, *among):
        """An initial value; begin: how large it is."""
        v = self.rng.choice(among or ["0.0", "0.0", "0.0", "-0.0", "1.0"])
        self.begin = abs(float(v))
        return self.number(v)

    # ---- Ops ----

    def reduce(self):
        (v, s), op = self.some(), self.rng.choice(["add"] * 5 + (["maximum", "minimum"] if "complex" not in self.elem else []))
        dims = sorted(self.rng.sample(range(len(s)), self.rng.randint(min(1, len(s)), len(s))))
        out = [d for i, d in enumerate(s) if i not in dims]
        z = self.start() if op == "add" else self.start("-3.0" if op == "maximum" else "3.0")
        return self.add((self.emit(f"stablehlo.reduce({v} init: {z}) applies stablehlo.{op} across dimensions = {dims} : "
                         f"({tensor(s, self.elem)}, {tensor([], self.elem)}) -> {tensor(out, self.elem)}"), out), self.total[v] + self.begin * math.prod(out))

    def mean(self):
        made = self.reduce()
        if not made:
            return None
        v, s = made
        by = self.emit(f"stablehlo.broadcast_in_dim {self.number('4.0')}, dims = [] : ({tensor([], self.elem)}) -> {tensor(s, self.elem)}")
        return self.add((self.binary_of("divide", v, by, s), s), self.total[v]) if self.elem in ("f32", "f64") else made

    def two(self):
        """A reduction with two results, which runs by its body."""
        v, s = self.some()
        w, t, d = self.binary_of("multiply", v, v, s), tensor([], self.elem), self.rng.randrange(len(s) or 1)
        if not s:
            return v, s
        out = s[:d] + s[d + 1:]
        a, b = self.start(), self.start()
        r = self.emit(f'"stablehlo.reduce"({v}, {w}, {a}, {b}) ({{\n    ^bb0(%x: {t}, %u: {t}, %y: {t}, %w: {t}):\n      %r = stablehlo.add %x, %y : {t}\n'
                      f'      %q = stablehlo.add %u, %w : {t}\n      stablehlo.return %r, %q : {t}, {t}\n  }}) {{dimensions = array<i64: {d}>}} : '
                      f'({tensor(s, self.elem)}, {tensor(s, self.elem)}, {t}, {t}) -> ({tensor(out, self.elem)}, {tensor(out, self.elem)})')
        self.lines[-1] = self.lines[-1].replace(f"{r} =", f"{r}:2 =")
        self.total[r + "#0"], self.total[r + "#1"] = (t + math.prod(out) for t in (self.total[v], self.total[v] ** 2))
        if max(self.total[r + "#1"], self.total[r + "#0"]) > LIMITS.get(self.elem, 2.0 ** 24):
            return None
        self.pool.append((r + "#1", out))
        return r + "#0", out

    def product(self):
        """The other side has some of the dimensions, in another order, and perhaps one more."""
        v, s = self.some()
        kinds = [self.rng.choice(["batch", "sum", "sum", "rest"]) for _ in s]
        shared = [i for i, k in enumerate(kinds) if k != "rest"]
        order = self.rng.sample(shared, len(shared))
        extra = [self.rng.choice([1, 2, 5, 16, 40])] if self.rng.random() < 0.5 else []
        other = [s[i] for i in order] + extra
        batch, summed = ([i for i, k in enumerate(kinds) if k == x] for x in ("batch", "sum"))
        out = [s[i] for i in batch] + [d for i, d in enumerate(s) if kinds[i] == "rest"] + extra
        if math.prod(out) > 60000 or math.prod(other) > 60000:
            return self.negate()
        w, _ = self.arg(other)
        dims = f"batching_dims = {batch} x {[order.index(i) for i in batch]}, " if batch else ""
        dims += f"contracting_dims = {summed} x {[order.index(i) for i in summed]}"
        return self.add((self.emit(f"stablehlo.dot_general {v}, {w}, {dims} : ({tensor(s, self.elem)}, {tensor(other, self.elem)}) -> {tensor(out, self.elem)}"), out),
                        self.total[v] * self.total[w])

    def window(self):
        v, s = self.some()
        if not s:
            return self.negate()
        size, step, pads, out = [], [], [], []
        scan = self.rng.randrange(len(s)) if self.rng.random() < 0.5 else -1
        for i, d in enumerate(s):
            low = high = 0
            w = self.rng.choice([1, 1, 2, 3, d]) if scan < 0 else d if i == scan else 1
            w = w if w <= 40 or i == scan else 1
            if i == scan:
                low, high = self.rng.choice([(d - 1, 0), (0, d - 1)])
            elif scan < 0 and self.rng.random() < 0.5:
                low, high = self.rng.randrange(3), self.rng.randrange(3)
            stride = self.rng.choice([1, 1, 2]) if scan < 0 else 1
            if d + low + high < w:
                w = 1
            size, step, pads, out = size + [w], step + [stride], pads + [[low, high]], out + [(d + low + high - w) // stride + 1]
        if math.prod(out) * math.prod(size) > 3e6 and scan < 0:
            return self.negate()
        return self.add((self.emit(f'"stablehlo.reduce_window"({v}, {self.start(*(["0.0", "0.0", "-0.0"] if scan >= 0 else []))}) {self.body("add")} '
                         f'{{window_dimensions = array<i64: {str(size)[1:-1]}>, window_strides = array<i64: {str(step)[1:-1]}>, padding = dense<{pads}> : tensor<{len(s)}x2xi64>}} : '
                         f'({tensor(s, self.elem)}, {tensor([], self.elem)}) -> {tensor(out, self.elem)}'), out), (self.total[v] + self.begin * math.prod(out)) * math.prod(size))

    def convolution(self):
        n, h, w, c, o = (self.rng.choice(k) for k in ([1, 2], [1, 3, 6], [2, 5, 9], [1, 2, 4, 16], [1, 2, 4, 16]))
        groups, kh, kw, pad = self.rng.choice([1, 1, c]), self.rng.choice([1, min(h, 3)]), self.rng.choice([1, 2]), self.rng.randrange(2)
        o = o if o % groups == 0 else groups
        (v, s), (k, t) = self.arg([n, h, w, c]), self.arg([kh, kw, c // groups, o])
        out = [n, h + 2 * pad - kh + 1, w + 2 * pad - kw + 1, o]
        return self.add((self.emit(f"stablehlo.convolution({v}, {k}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{pad = [[{pad}, {pad}], [{pad}, {pad}]]}} "
                         f"{{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}} : ({tensor(s, self.elem)}, {tensor(t, self.elem)}) -> {tensor(out, self.elem)}"), out), self.total[v] * self.total[k])

    def scatter(self):
        v, s = self.some()
        if not s or "complex" in self.elem:
            return self.negate()
        rows = self.rng.choice([2, 5])
        table, _ = self.arg([rows] + s[1:])
        at = self.emit(f"stablehlo.constant dense<{[[self.rng.randrange(rows)] for _ in range(s[0])]}> : tensor<{s[0]}x1xi64>")
        t = tensor([rows] + s[1:], self.elem)
        return self.add((self.emit(f'"stablehlo.scatter"({table}, {at}, {v}) {self.body("add")} {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {list(range(1, len(s)))}, '
                         f'inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}} : ({t}, tensor<{s[0]}x1xi64>, {tensor(s, self.elem)}) -> {t}'), [rows] + s[1:]), self.total[v] + self.total[table])

    def binary_of(self, op, v, w, s):
        return self.emit(f"stablehlo.{op} {v}, {w} : {tensor(s, self.elem)}")

    def negate(self):
        v, s = self.some()
        return self.add((self.emit(f"stablehlo.negate {v} : {tensor(s, self.elem)}"), s), self.total[v])

    def scaled(self):
        v, s = self.some()
        by = self.emit(f"stablehlo.broadcast_in_dim {self.number(self.rng.choice(['-1.0', '-0.0', '0.0']))}, dims = [] : ({tensor([], self.elem)}) -> {tensor(s, self.elem)}")
        op = self.rng.choice(["multiply", "add"])
        return self.add((self.binary_of(op, v, by, s), s), self.total[v] + (math.prod(s) if op == "add" else 0))

    def turned(self):
        v, s = self.some()
        order = self.rng.sample(range(len(s)), len(s))
        return self.add((self.emit(f"stablehlo.transpose {v}, dims = {order} : ({tensor(s, self.elem)}) -> {tensor([s[i] for i in order], self.elem)}"), [s[i] for i in order]), self.total[v])

    def text(self):
        ops = [self.reduce] * 4 + [self.product] * 3 + [self.window] * 2 + [self.mean, self.two, self.convolution, self.scatter, self.negate, self.scaled, self.turned]
        for _ in range(self.rng.randint(1, 6)):
            made = self.rng.choice(ops)()
            self.pool += [made] if made else []
        results = list(dict(self.pool).items())[-4:]
        types = ", ".join(tensor(s, self.elem) for _, s in results)
        return "\n".join([f"func.func @main({', '.join(self.args)}) -> ({types}) {{", *self.lines, f"  return {', '.join(v for v, _ in results)} : {types}", "}", ""])


def write_npy(path, shape, wide, values):
    head = f"{{'descr': '<f{wide[1:].replace('32', '4').replace('64', '8')}', 'fortran_order': False, 'shape': ({''.join(f'{d}, ' for d in shape)}), }}"
    head += " " * (63 - (len(head) + 10) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        f.write(struct.pack(f"<{len(values)}{'d' if wide == 'f64' else 'f'}", *values))


def files(folder):
    return {name: open(os.path.join(folder, name), "rb").read() for name in sorted(os.listdir(folder))}


def as_c(tool, source, given, folder):
    """The results of the program as C; None: it is not written as C."""
    c, exe = os.path.join(folder, "model.c"), os.path.join(folder, "model")
    made = trial.run(tool, "compile", source, "--emit=c", f"--weights={folder}/weights.bin", "-o", c)
    if made.returncode and "written as C" in made.stderr:
        return None, ""
    made = made if made.returncode else trial.run(os.environ.get("EMIT_CC", "cc"), "-std=c99", "-O1", "-ffp-contract=off", "-DTESSERA_MAIN", c, "-o", exe, "-lm")
    out = os.path.join(folder, "c")
    os.mkdir(out)
    made = made if made.returncode else trial.run(exe, f"--weights={folder}/weights.bin", out, *given)
    return files(out), made.stderr[:600] if made.returncode else ""


def attempt(tool, p, text, tmp, emits):
    source, given = os.path.join(tmp, "in.mlir"), []
    with open(source, "w") as f:
        f.write(text)
    for i, (shape, wide, values) in enumerate(p.inputs):
        given.append(os.path.join(tmp, f"a{i}.npy"))
        write_npy(given[-1], shape, wide, values)
    isa = p.rng.choice(CLASSES)
    axes = [a if d % 2 == 0 else "?" for a, d in zip("xy?????", p.inputs[0][0])]
    mesh = ["--spmd", "--mesh=x=2,y=2", f"--arg=0:{','.join(axes)}"]
    ways = [["--engine=reference"], [], ["--strict-rounding"], [f"--threads={p.rng.choice([1, 7])}", f"isa={isa}"]] + ([mesh] if set(axes) != {"?"} else [])
    want = None
    for k, way in enumerate(ways):
        out = os.path.join(tmp, f"out{k}")
        env = ["env", *(f"TESSERA_ISA={w[4:]}" for w in way if w.startswith("isa="))]
        made = trial.run(*env, tool, "run", source, *(f"--input={g}" for g in given), *(w for w in way if not w.startswith("isa=")), f"--output={out}/")
        if made.returncode:
            return f"{' '.join(way)}: {made.stderr[:600]}"
        got = files(out)
        if k and got != want:
            return f"{' '.join(way) or 'compiled'}: {', '.join(n for n in want if got.get(n) != want[n])}"
        want = want or got
    if emits:
        got, bad = as_c(tool, source, given, tmp)
        if bad or (got is not None and got != want):
            return f"as C: {bad or ', '.join(n for n in want if got.get(n) != want[n])}"
    return ""


def main():
    parser = trial.parser(__doc__, 40)
    parser.add_argument("--emit", type=int, default=10)
    options = parser.parse_args()
    tool = os.path.join(options.bin, "tessera")

    def attempt_one(i, p, text):
        with tempfile.TemporaryDirectory() as tmp:
            return attempt(tool, p, text, tmp, i % options.emit == 0)

    return trial.each(options, lambda seed: Program(random.Random(seed)), attempt_one, "zeros")


if __name__ == "__main__":
    sys.exit(main())
