#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs of narrow floats are as exact, compiled, as on the evaluator.

    narrow_programs.py [--bin build/bin] [--count N] [--seed S] [--save DIR]

A program has maps, sums, norms, softmax, products, conversions, movements and loops of bf16, f16 and 8-bit floats; its values have several readers, some of them are results
as well. It is judged by its exact results (narrow_judge.py), alone and on a mesh. Ops are well-conditioned: they do not compare, divide by or take roots of what may be nearly 0. On some inputs the evaluator's
roundings cancel each other: a program that is off is judged by its greatest errors on up to five inputs, or twenty where
all elements of a row or column are equal, since each then has few numbers.
"""
import math
import os
import random
import sys
import tempfile

import trial
from narrow_judge import KINDS, LIMIT, UNITS, Runs, error, floor
from trial import tensor

DRAWS, FLAT_DRAWS = 5, 20
TYPES = ["bf16", "bf16", "bf16", "f16", "f16", "f8E4M3FN", "f8E5M2"]


class Program:
    def __init__(self, rng):
        self.rng, self.elem, self.flat = rng, rng.choice(TYPES), rng.choice(["rows", "columns", None, None])
        self.kind = KINDS[self.elem]
        self.rows, self.columns = rng.choice([4, 8, 16]), rng.choice([8, 12, 24, 64])
        self.shape = [self.rows, self.columns]
        self.args, self.inputs, self.lines, self.n = [], [], [], 0
        self.pool = [self.arg(self.shape) for _ in range(rng.randint(1, 3))]

    def emit(self, text, depth=1):
        self.n += 1
        self.lines.append("  " * depth + f"%{self.n} = stablehlo.{text}")
        return f"%{self.n}"

    def arg(self, shape):
        """Of a flat program all elements of a row are equal, or all of a column."""
        self.inputs.append((shape, self.flat or self.rng.choice(["normal", "normal", "rows", "columns", "wide"]), 2.0 ** self.rng.uniform(-2, 2)))
        self.args.append(f"%a{len(self.args)}: {tensor(shape, self.elem)}")
        return f"%a{len(self.args) - 1}"

    def draw(self, shape, how, size):
        each = [self.rng.gauss(0, 2) for _ in range(64)]
        make = {"normal": lambda i: self.rng.gauss(0, 1), "wide": lambda i: size * self.rng.gauss(0, 1),
                "rows": lambda i: each[i // shape[-1] % 64], "columns": lambda i: each[i % shape[-1]]}[how]
        return shape, [self.kind.nearest(make(i)) + 0.0 for i in range(math.prod(shape))], self.elem

    def type(self, shape=None, elem=None):
        return tensor(self.shape if shape is None else shape, elem or self.elem)

    def op(self, name, *ins, shape=None, elem=None, depth=1):
        return self.emit(f"{name} {', '.join(ins)} : {self.type(shape, elem)}", depth)

    def number(self, v, shape=None, elem=None):
        return self.emit(f"constant dense<{v}> : {self.type(shape, elem)}")

    def convert(self, v, frm, to, shape=None):
        return self.emit(f"convert {v} : ({self.type(shape, frm)}) -> {self.type(shape, to)}")

    def some(self):
        return self.rng.choice(self.pool[-4:] if self.rng.random() < 0.7 else self.pool)

    # ---- Ops: each gives a value of the program's shape ----

    def unary(self):
        return self.op(self.rng.choice(["negate", "abs", "tanh", "logistic", "cosine", "sine"]), self.small(self.some()))

    def exponential(self):
        return self.op("exponential", self.op("tanh", self.some()))

    def binary(self):
        return self.op(self.rng.choice(["add", "subtract", "multiply", "maximum", "minimum"]), self.small(self.some()), self.small(self.some()))

    def small(self, v):
        """Numbers stay within the range of all types."""
        return v if self.rng.random() < 0.5 else self.op("multiply", v, self.number(self.rng.choice([0.5, 0.25, 0.125])))

    def quotient(self):
        below = self.op("add", self.op("abs", self.some()), self.number(1.0))
        return self.op("divide", self.some(), below)

    def root(self):
        return self.op(self.rng.choice(["sqrt", "rsqrt", "log"]), self.op("add", self.op("abs", self.some()), self.number(1.0)))

    def select(self):
        by = self.arg(self.shape)
        p = self.emit(f"compare GT, {by}, {self.number(0.0)} : ({self.type()}, {self.type()}) -> {self.type(elem='i1')}")
        return self.emit(f"select {p}, {self.some()}, {self.some()} : {self.type(elem='i1')}, {self.type()}")

    def scale(self):
        d = self.rng.randrange(2)
        v = self.arg([self.shape[d]])
        v = self.emit(f"broadcast_in_dim {v}, dims = [{d}] : ({self.type([self.shape[d]])}) -> {self.type()}")
        return self.op(self.rng.choice(["add", "multiply"]), self.some(), v)

    def reduced(self, v, fold, dim, mean, wide):
        elem = "f32" if wide else self.elem
        start = self.number(0.0 if fold == "add" else -96.0, [], elem)
        left = [self.shape[1 - dim]]
        v = self.convert(v, self.elem, "f32") if wide else v
        v = self.emit(f"reduce({v} init: {start}) applies stablehlo.{fold} across dimensions = [{dim}] : "
                      f"({self.type(elem=elem)}, {self.type([], elem)}) -> {self.type(left, elem)}")
        if mean:
            v = self.op("divide", v, self.number(float(self.shape[dim]), left, elem), shape=left, elem=elem)
        v = self.convert(v, "f32", self.elem, left) if wide else v
        return self.emit(f"broadcast_in_dim {v}, dims = [{1 - dim}] : ({self.type(left)}) -> {self.type()}")

    def centred(self):
        v, dim, wide = self.some(), self.rng.randrange(2), self.rng.random() < 0.5
        m = self.reduced(v, "add", dim, True, wide)
        self.pool.append(m)
        return self.op("subtract", v, m)

    def norm(self):
        dim, wide = self.rng.randrange(2), self.rng.random() < 0.5
        d = self.centred() if self.rng.random() < 0.6 else self.some()
        v = self.op("add", self.reduced(self.op("multiply", d, d), "add", dim, True, wide), self.number(0.25))
        if self.rng.random() < 0.5:
            return self.op("multiply", d, self.op("rsqrt", v))
        return self.op("divide", d, self.op("sqrt", v))

    def softmax(self):
        v, dim, wide = self.some(), self.rng.randrange(2), self.rng.random() < 0.5
        v = self.op("subtract", v, self.reduced(v, "maximum", dim, False, False))
        e = self.op("exponential", v)
        return self.op("divide", e, self.reduced(e, "add", dim, False, wide))

    def product(self):
        """Twice, so that the shape stays: v A B."""
        v, deep = self.some(), self.rng.choice([4, 8, 16])
        elem = "f32" if self.rng.random() < 0.5 or "f8" in self.elem else self.elem
        for frm, to in ((self.columns, deep), (deep, self.columns)):
            w = self.arg([frm, to])
            w = self.op("multiply", w, self.number(0.25, [frm, to]), shape=[frm, to]) if self.rng.random() < 0.5 else w
            out = [self.rows, to]
            v = self.emit(f"dot_general {v}, {w}, contracting_dims = [1] x [0] : ({self.type([self.rows, frm])}, {self.type([frm, to])}) -> {self.type(out, elem)}")
            v = v if elem == self.elem else self.convert(v, elem, self.elem, out)
            v = self.op("multiply", v, self.number(0.25, out), shape=out)
        return v

    def converted(self):
        other = self.rng.choice(["f32", "f32", "bf16", "f16", "f64"])
        v = self.some()
        if other == self.elem:
            return v
        w = self.op("multiply", *[self.convert(v, self.elem, other)] * 2, elem=other) if self.rng.random() < 0.5 else self.convert(v, self.elem, other)
        return self.convert(w, other, self.elem)

    def moved(self):
        v, cut = self.some(), self.rng.randrange(1, self.columns)
        parts = [self.emit(f"slice {v} [0:{self.rows}, {a}:{b}] : ({self.type()}) -> {self.type([self.rows, b - a])}") for a, b in ((cut, self.columns), (0, cut))]
        return self.emit(f"concatenate {parts[0]}, {parts[1]}, dim = 1 : ({self.type([self.rows, self.columns - cut])}, {self.type([self.rows, cut])}) -> {self.type()}")

    def loop(self):
        """Three iterations; the loop carries one value and reads another."""
        v, w, zero, end, one = self.some(), self.some(), *(self.emit(f"constant dense<{k}> : tensor<i32>") for k in (0, 3, 1))
        self.n += 1
        it, at, name = f"%i{self.n}", f"%v{self.n}", f"%{self.n}"
        self.lines.append(f"  {name}:2 = stablehlo.while({it} = {zero}, {at} = {v}) : tensor<i32>, {self.type()}")
        self.lines.append("    cond {")
        c = self.emit(f"compare LT, {it}, {end} : (tensor<i32>, tensor<i32>) -> tensor<i1>", 3)
        self.lines += [f"      stablehlo.return {c} : tensor<i1>", "    } do {"]
        x = self.op("multiply", self.op("tanh", at, depth=3), w, depth=3)
        y = self.op("add", self.op("multiply", x, x, depth=3), self.op("tanh", x, depth=3), depth=3)
        y = self.op("tanh", y, depth=3)
        k = self.emit(f"add {it}, {one} : tensor<i32>", 3)
        self.lines += [f"      stablehlo.return {k}, {y} : tensor<i32>, {self.type()}", "    }"]
        return f"{name}#1"

    def text(self):
        ops = [self.unary, self.unary, self.exponential, self.binary, self.binary, self.binary, self.quotient, self.root, self.select, self.scale, self.centred, self.norm,
               self.norm, self.softmax, self.softmax, self.product, self.converted, self.converted, self.moved, self.loop]
        for _ in range(self.rng.randint(2, 9)):
            self.pool.append(self.rng.choice(ops)())
        results = [self.pool[-1]] + [self.some() for _ in range(self.rng.randrange(2))]
        types = ", ".join([self.type()] * len(results))
        self.elems = [self.elem] * len(results)
        return "\n".join([f"func.func @main({', '.join(self.args)}) -> ({types}) {{", *self.lines, f"  return {', '.join(results)} : {types}", "}", ""])


def attempt(runs, p, text):
    """What is wrong with the program, or ""."""
    ways = [], ["--spmd", "--mesh=x=2,y=2", f"--arg=0:{p.rng.choice(['x', 'x,y', '?,y'])}"]
    seen = [[0.0, 0.0, 0.0] for _ in range(len(ways) * len(p.elems))]
    for _ in range(FLAT_DRAWS if p.flat else DRAWS):
        got, reference, exact, bad = runs.all(text, [p.draw(*i) for i in p.inputs], p.elems, *ways)
        if bad:
            return bad
        for k, s in enumerate(seen):
            g, r, e = (v[k % len(p.elems)] for v in (got[k // len(p.elems)], reference, exact))
            s[:] = [max(pair) for pair in zip(s, (error(g, e, p.elem), error(r, e, p.elem), floor(e, p.elem)))]
        off = [k for k, (mine, other, unit) in enumerate(seen) if mine > LIMIT * other + UNITS * unit]
        if not off:
            return ""
    k = off[0]
    return f"{p.elem}, {'on a mesh' if k >= len(p.elems) else 'alone'}, result {k % len(p.elems)}: error {seen[k][0]:.3g}, the evaluator's {seen[k][1]:.3g}"


def main():
    options = trial.parser(__doc__, 100).parse_args()
    with tempfile.TemporaryDirectory() as tmp:
        runs = Runs(os.path.join(options.bin, "tessera"), tmp)
        return trial.each(options, lambda seed: Program(random.Random(seed)), lambda i, p, text: attempt(runs, p, text), "narrow")


if __name__ == "__main__":
    sys.exit(main())
