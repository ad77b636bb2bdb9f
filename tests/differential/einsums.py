#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Products of values whose dimensions are in any order give what the reference computes, with the same bits on any number of threads.

    einsums.py [--bin build/bin] [--count N] [--seed S] [--save DIR]

A program has products with up to three dimensions in each role, or none: of the batch, contracted, or of one side. Both sides have them in any order, as arguments, as slices, or computed
by a map or by another product. Results are transposed in any way, go through a loop, or through one over rows, and may be a side of the next product, so that some are chains.
At least a sixth of the transpositions of a run must be made by products, or read in place (about half of them are).
"""
import filecmp
import math
import os
import random
import re
import sys

import trial
from trial import tensor

MOST = 1 << 18  # elements of a value


class Program:
    def __init__(self, rng):
        self.rng, self.args, self.lines, self.results, self.n, self.turns = rng, [], [], [], 0, 0
        self.elem = rng.choices(["f32", "f64", "i32", "bf16"], [8, 1, 1, 1])[0]

    def emit(self, text, shape):
        v = (f"%{self.n}", list(shape))
        self.n += 1
        self.lines.append(f"{v[0]} = {text}")
        return v

    def type(self, shape):
        return tensor(shape, self.elem)

    def arg(self, shape):
        v = (f"%a{len(self.args)}", list(shape))
        self.args.append(f"{v[0]}: {self.type(shape)}")
        return v

    def size(self, kept=False):
        return self.rng.choice([1, 3, 16, 33, 40, 64, 96] if kept else [1, 2, 2, 3, 4, 5, 8, 16, 17, 32, 33, 40, 64])

    def factor(self, shape):
        """A side: an argument, a part of one, or a map of one."""
        kind = self.rng.choice(["argument"] * 4 + ["slice", "map"])
        if kind == "slice":
            wide = list(shape)
            at = self.rng.randrange(len(wide))
            wide[at] += 3
            x = self.arg(wide)
            parts = ", ".join(f"{i == at and 2 or 0}:{d + (i == at and 2 or 0)}" for i, d in enumerate(shape))
            return self.emit(f"stablehlo.slice {x[0]} [{parts}] : ({self.type(wide)}) -> {self.type(shape)}", shape)
        x = self.arg(shape)
        return self.emit(f"stablehlo.add {x[0]}, {x[0]} : {self.type(shape)}", shape) if kind == "map" else x

    def product(self, left=None):
        """left: a value that is the left side. Each of its dimensions gets a role."""
        rng = self.rng
        if left:
            roles = [rng.choice("bbckk") for _ in left[1]]  # k: kept
            dims = list(zip(roles, left[1]))
        else:
            dims = [("b", self.size()) for _ in range(rng.randrange(4))] + [("c", self.size()) for _ in range(rng.randrange(3))]
            dims += [("k", self.size(True)) for _ in range(rng.randrange(3))]
            rng.shuffle(dims)
        while math.prod(d for _, d in dims) > MOST:
            if left:
                return None
            dims.pop()
        shape = [d for _, d in dims]
        x = left or self.factor(shape) if shape else None
        shared = [i for i, (r, _) in enumerate(dims) if r != "k"]
        other = [("k", None, self.size(True)) for _ in range(rng.randrange(3))] + [(dims[i][0], i, dims[i][1]) for i in shared]
        rng.shuffle(other)
        if not x or not other or math.prod(d for _, _, d in other) > MOST:
            return None
        y = self.factor([d for _, _, d in other])
        pairs = {r: [(i, next(k for k, o in enumerate(other) if o[1] == i)) for i in shared if dims[i][0] == r] for r in "bc"}
        for r in pairs:
            rng.shuffle(pairs[r])
        out = [shape[i] for i, _ in pairs["b"]] + [d for r, d in dims if r == "k"] + [d for r, _, d in other if r == "k"]
        if math.prod(out) > MOST or math.prod(out) * math.prod(shape[i] for i, _ in pairs["c"]) > 1 << 24:
            return None
        batch, contract = ([f"{[p[s] for p in pairs[r]]}" for s in range(2)] for r in "bc")
        v = self.emit(f"stablehlo.dot_general {x[0]}, {y[0]}, batching_dims = {batch[0]} x {batch[1]}, contracting_dims = {contract[0]} x {contract[1]} : "
                      f"({self.type(shape)}, {self.type(y[1])}) -> {self.type(out)}", out)
        return v

    def turned(self, v):
        order = list(range(len(v[1])))
        self.rng.shuffle(order)
        out = [v[1][i] for i in order]
        if [i for i in order if v[1][i] > 1] != sorted(i for i in order if v[1][i] > 1):
            self.turns += 1
        return self.emit(f"stablehlo.transpose {v[0]}, dims = {order} : ({self.type(v[1])}) -> {self.type(out)}", out)

    def loop(self, v):
        """Bias, a map, or a loop over rows."""
        kind = self.rng.choice(["bias", "map", "rows"]) if v[1] else "map"
        if kind == "map":
            return self.emit(f"stablehlo.negate {v[0]} : {self.type(v[1])}", v[1])
        if kind == "bias":
            first = self.rng.randrange(len(v[1]))
            b = self.arg(v[1][first:])
            b = self.emit(f"stablehlo.broadcast_in_dim {b[0]}, dims = {list(range(first, len(v[1])))} : ({self.type(b[1])}) -> {self.type(v[1])}", v[1])
        else:
            last, number = len(v[1]) - 1, "0" if self.elem == "i32" else "0.0"
            zero = self.emit(f"stablehlo.constant dense<{number}> : {self.type([])}", [])
            b = self.emit(f"stablehlo.reduce({v[0]} init: {zero[0]}) applies stablehlo.maximum across dimensions = [{last}] : "
                          f"({self.type(v[1])}, {self.type([])}) -> {self.type(v[1][:-1])}", v[1][:-1])
            b = self.emit(f"stablehlo.broadcast_in_dim {b[0]}, dims = {list(range(last))} : ({self.type(b[1])}) -> {self.type(v[1])}", v[1])
        return self.emit(f"stablehlo.subtract {v[0]}, {b[0]} : {self.type(v[1])}", v[1])

    def make(self):
        v = None
        while not v:
            v = self.product()
        for _ in range(self.rng.randint(1, 3)):
            v = self.turned(v) if self.rng.random() < 0.7 else v
            v = self.loop(v) if self.rng.random() < 0.6 else v
            if self.rng.random() < 0.2:
                self.results.append(v)
            v = self.rng.random() < 0.5 and v[1] and self.elem != "bf16" and self.product(v) or v
        self.results.append(v)

    def text(self):
        body, types = "\n  ".join(self.lines), ", ".join(self.type(v[1]) for v in self.results)
        return (f"func.func @main({', '.join(self.args)}) -> ({types}) {{\n  {body}\n"
                f"  return {', '.join(v[0] for v in self.results)} : {types}\n}}\n")


def main():
    options = trial.parser(__doc__, 200).parse_args()
    turns = moves = differ = 0

    def make(i, seed):
        nonlocal turns, moves, differ
        p = Program(random.Random(seed))
        p.make()
        os.makedirs(options.save, exist_ok=True)
        file, dump = os.path.join(options.save, f"einsums_{options.seed}"), ""
        with open(file + ".mlir", "w") as f:
            f.write(p.text())
        for threads in (1, 2, 7):
            dump = trial.run(os.path.join(options.bin, "tessera"), "run", file + ".mlir", "--input=random", f"--seed={i}", f"--threads={threads}", "--dump-program",
                             f"--output={file}_{threads}.npz").stderr
            if not filecmp.cmp(f"{file}_1.npz", f"{file}_{threads}.npz", shallow=False):
                print(f"# program {i} on {threads} threads has other bits\n{p.text()}")
                differ += 1
        turns += p.turns
        moves += len(re.findall(r"^\d+ move transpose", dump, re.M))
        near = {"f32": "1e-3", "f64": "1e-9", "i32": "0", "bf16": "0.1"}[p.elem]
        return trial.Case(f"program {i}", p.text(), ["--input=random", f"--seed={i}"], f"einsums_{options.seed}_{i}", run=[f"--rtol={near}", f"--atol={near}"],
                          first=["--engine=reference"])

    code = trial.every(options, make, [trial.Way([], []), trial.Way([], ["--strict-rounding"])])
    print(f"# {moves} of {turns} transpositions are movements, {differ} runs have other bits")
    return code or 6 * moves > 5 * turns or differ > 0


if __name__ == "__main__":
    sys.exit(main())
