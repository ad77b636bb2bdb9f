#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Chains of products give what the reference computes.

    chains.py [--bin build/bin] [--count N] [--seed S] [--save DIR]

A program has one or two products of matrices, a loop over their rows, with a mask or without, and products of what the loop gives, reads, or follows from what it reads: they
multiply rows or contract them, on either side, and may be read transposed, scaled, or by each other. Some rows are results, or are read in another way. Sizes are odd mostly. At
least one program of a run must have a chain that contracts rows.
"""
import os
import random
import re
import sys

import trial
from trial import tensor


def size(rng):
    return rng.choice([1, 4, 5, 8, 12, 16, 32, 37])


class Program:
    def __init__(self, rng):
        self.rng, self.args, self.lines, self.results, self.n = rng, [], [], [], 0
        self.batch = rng.choice([[], [1], [2], [3], [2, 2], [17]])
        self.m, self.cols = rng.choice([16, 19, 33, 48, 49, 97, 104]), rng.choice([16, 17, 32, 41, 64, 104])
        self.causal = rng.random() < 0.5

    def emit(self, text, shape, elem="f32"):
        v = (f"%{self.n}", list(shape), elem)
        self.n += 1
        self.lines.append(f"{v[0]} = {text}")
        return v

    def arg(self, *shape):
        v = (f"%a{len(self.args)}", self.batch + list(shape), "f32")
        self.args.append(f"{v[0]}: {tensor(v[1])}")
        return v

    def unary(self, name, v):
        return self.emit(f"stablehlo.{name} {v[0]} : {tensor(v[1])}", v[1])

    def binary(self, name, a, b):
        return self.emit(f"stablehlo.{name} {a[0]}, {b[0]} : {tensor(a[1])}", a[1])

    def constant(self, number, shape):
        return self.emit(f"stablehlo.constant dense<{number}> : {tensor(shape)}", shape)

    def scale(self, v, by):
        return self.binary("multiply", v, self.constant(by, v[1]))

    def dot(self, a, b, i, j):
        """Contracts dimension i of a, from the end, with j of b."""
        n = len(self.batch)
        left, right = a[1][n:], b[1][n:]
        out = self.batch + [left[1 - i], right[1 - j]]
        same = list(range(n))
        batch = f"batching_dims = {same} x {same}, " if n else ""
        return self.emit(f"stablehlo.dot_general {a[0]}, {b[0]}, {batch}contracting_dims = [{n + i}] x [{n + j}] : "
                         f"({tensor(a[1])}, {tensor(b[1])}) -> {tensor(out)}", out)

    def fold(self, v, name, init):
        at, start = len(v[1]) - 1, self.constant(init, [])
        row = self.emit(f"stablehlo.reduce({v[0]} init: {start[0]}) applies stablehlo.{name} across dimensions = [{at}] : "
                        f"({tensor(v[1])}, {tensor([])}) -> {tensor(v[1][:-1])}", v[1][:-1])
        return self.emit(f"stablehlo.broadcast_in_dim {row[0]}, dims = {list(range(at))} : ({tensor(row[1])}) -> {tensor(v[1])}", v[1])

    def mask(self):
        shape, n = [self.m, self.cols], len(self.batch)
        r, c = (self.emit(f"stablehlo.iota dim = {i} : {tensor(shape, 'i32')}", shape, "i32") for i in range(2))
        at = self.emit(f"stablehlo.compare GE, {r[0]}, {c[0]} : ({tensor(shape, 'i32')}, {tensor(shape, 'i32')}) -> {tensor(shape, 'i1')}", shape, "i1")
        whole = self.batch + shape
        return self.emit(f"stablehlo.broadcast_in_dim {at[0]}, dims = [{n}, {n + 1}] : ({tensor(shape, 'i1')}) -> {tensor(whole, 'i1')}", whole, "i1")

    def select(self, v, other):
        if not self.causal:
            return v
        by = self.constant(other, v[1])
        return self.emit(f"stablehlo.select {self.where[0]}, {v[0]}, {by[0]} : {tensor(v[1], 'i1')}, {tensor(v[1])}", v[1])

    def product(self):
        """Scores of some depth, of factors in either order."""
        k = self.rng.choice([1, 3, 8, 16, 31])
        a = self.arg(self.m, k) if self.rng.random() < 0.7 else self.arg(k, self.m)
        b = self.arg(self.cols, k) if self.rng.random() < 0.7 else self.arg(k, self.cols)
        s = self.dot(a, b, int(a[1][-1] == k), int(b[1][-1] == k)) if self.m != k != self.cols else self.dot(self.arg(self.m, k), self.arg(k, self.cols), 1, 0)
        return self.scale(s, 0.05) if self.rng.random() < 0.5 else s

    def softmax(self, s):
        s = self.select(s, "-1.0e30")
        e = self.unary("exponential", self.binary("subtract", s, self.fold(s, "maximum", "0xFF800000")))
        total = self.fold(e, "add", 0.0)
        self.rows += [e, self.binary("divide", e, total)]
        return self.rows[-1]

    def loop(self, s, t):
        """What the loop gives, of one product and perhaps another value."""
        how = self.rng.randrange(4)
        x = self.softmax(s) if how < 2 else self.select(self.unary("tanh", s), 0.0)
        if t:
            y = self.binary("multiply", t, x)
            x = self.binary("multiply", self.binary("subtract", t, self.fold(y, "add", 0.0)), x)
            x = self.select(x, 0.0)
        elif how == 3:
            x = self.binary("subtract", x, self.fold(self.scale(x, 0.01), "add", 0.0))
        self.rows.append(x)
        return x

    def end(self, x):
        """A product of rows, or one that contracts them; the other factor is an argument, or what another product gave."""
        rng, d = self.rng, size(self.rng)
        over = self.cols if rng.random() < 0.4 else self.m
        others = [v for v in self.results if len(v[1]) == len(self.batch) + 2 and v[1][len(self.batch)] == over]
        y = rng.choice(others) if others and rng.random() < 0.4 else self.arg(over, d)
        at = int(over == self.cols) if self.cols != self.m else rng.randrange(2)
        v = self.dot(x, y, at, 0) if rng.random() < 0.6 else self.dot(y, x, 0, at)
        self.results.append(v)
        if rng.random() < 0.3:
            n = len(self.batch)
            order = list(range(n)) + [n + 1, n]
            out = self.batch + [v[1][-1], v[1][-2]]
            self.results[-1] = self.emit(f"stablehlo.transpose {v[0]}, dims = {order} : ({tensor(v[1])}) -> {tensor(out)}", out)
        elif rng.random() < 0.2:
            self.results[-1] = self.scale(v, 0.5)

    def make(self):
        rng = self.rng
        self.rows, self.where = [], self.mask() if self.causal else None
        first = self.product()
        second = rng.choice([None, self.product, lambda: self.scale(self.arg(self.m, self.cols), 0.1)])
        if rng.random() < 0.3:
            p = self.softmax(first)  # a forward pass, which is read later
            self.results.append(self.dot(p, self.arg(self.cols, size(rng)), 1, 0))
            first = self.product()
            x = self.loop(first, p)
        else:
            x = self.loop(first, second() if second else None)
        for _ in range(rng.randint(1, 4)):
            self.end(x if rng.random() < 0.6 else rng.choice(self.rows + [first]))
        if rng.random() < 0.2:
            self.results.append(rng.choice(self.rows + [first]))
        if rng.random() < 0.1:
            self.results.append(self.unary("abs", first))

    def text(self):
        body = "\n  ".join(self.lines)
        types = ", ".join(tensor(v[1]) for v in self.results)
        return (f"func.func @main({', '.join(self.args)}) -> ({types}) {{\n  {body}\n"
                f"  return {', '.join(v[0] for v in self.results)} : {types}\n}}\n")


def main():
    options = trial.parser(__doc__, 200).parse_args()
    chains = contracting = 0

    def make(i, seed):
        nonlocal chains, contracting
        p = Program(random.Random(seed))
        p.make()
        os.makedirs(options.save, exist_ok=True)
        file = os.path.join(options.save, "chains.mlir")
        with open(file, "w") as f:
            f.write(p.text())
        dump = trial.run(os.path.join(options.bin, "tessera"), "run", file, "--input=random", "--dump-program").stderr
        found = re.findall(r"^\d+ chain (\S+)", dump, re.M)
        chains += len(found)
        contracting += sum(f.count("dot_general") > 2 for f in found)
        return trial.Case(f"program {i}", p.text(), ["--input=random", f"--seed={i}"], f"chains_{options.seed}_{i}", run=["--rtol=1e-3", "--atol=5e-3"],
                          first=["--engine=reference"])

    code = trial.every(options, make, [trial.Way([], ["--threads=1"]), trial.Way([], ["--threads=3"])])
    print(f"# {chains} chains, {contracting} of more than two products")
    return code if contracting else 1


if __name__ == "__main__":
    sys.exit(main())
