#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Maps before products give what the reference computes, and the bits of the same maps in groups of their own.

    prologues.py [--bin build/bin] [--count N] [--seed S] [--save DIR]

A program multiplies factors that are computed by loops: some ops on arguments, transposed arguments, parts of arguments, scales by row or by column, numbers of other
types, concatenations; of each element type, in any layout, in batches, with a loop over the product or without. The same program with a barrier between the loops and the
products has them in groups of their own. At least half of the programs of a run must have a product with a map before it.
"""
import filecmp
import os
import random
import re
import sys

import trial
from trial import tensor

FLOATS = ["f32", "f32", "f32", "bf16", "f16", "f64"]
CHEAP, DEAR = ["negate", "abs"], ["tanh", "logistic", "exponential"]


class Program:
    def __init__(self, rng):
        self.rng, self.args, self.lines, self.results, self.n = rng, [], [], [], 0

    def emit(self, text, shape, elem):
        v = (f"%{self.n}", list(shape), elem)
        self.n += 1
        self.lines.append(f"{v[0]} = {text}")
        return v

    def arg(self, shape, elem):
        v = (f"%a{len(self.args)}", list(shape), elem)
        self.args.append(f"{v[0]}: {tensor(shape, elem)}")
        return v

    def op(self, name, shape, elem, *ins):
        return self.emit(f"stablehlo.{name} {', '.join(v[0] for v in ins)} : {tensor(shape, elem)}", shape, elem)

    def number(self, shape, elem):
        text = "0.5" if elem in FLOATS else "3"
        return self.emit(f"stablehlo.constant dense<{text}> : {tensor(shape, elem)}", shape, elem)

    def transposed(self, shape, elem):
        order = list(range(len(shape)))
        self.rng.shuffle(order)
        first = [0] * len(shape)
        for i, d in enumerate(order):
            first[d] = shape[i]
        v = self.arg(first, elem)
        return self.emit(f"stablehlo.transpose {v[0]}, dims = {order} : ({tensor(first, elem)}) -> {tensor(shape, elem)}", shape, elem)

    def scale(self, shape, elem):
        d = self.rng.randrange(len(shape))
        v = self.arg(shape[d:d + 1], elem)
        return self.emit(f"stablehlo.broadcast_in_dim {v[0]}, dims = [{d}] : ({tensor(v[1], elem)}) -> {tensor(shape, elem)}", shape, elem)

    def part(self, shape, elem):
        more = [d + self.rng.randint(0, 3) for d in shape]
        v = self.arg(more, elem)
        cut = ", ".join(f"{m - d}:{m}" for m, d in zip(more, shape))
        return self.emit(f"stablehlo.slice {v[0]} [{cut}] : ({tensor(more, elem)}) -> {tensor(shape, elem)}", shape, elem)

    def concatenated(self, shape, elem):
        n = shape[-1] // 2
        ins = [self.arg(shape[:-1] + [k], elem) for k in (n, shape[-1] - n)]
        return self.emit(f"stablehlo.concatenate {ins[0][0]}, {ins[1][0]}, dim = {len(shape) - 1} : "
                         f"({', '.join(tensor(v[1], elem) for v in ins)}) -> {tensor(shape, elem)}", shape, elem)

    def converted(self, shape, elem):
        v = self.arg(shape, "i8" if elem in ("f32", "f64", "i32") else elem)
        return v if v[2] == elem else self.emit(f"stablehlo.convert {v[0]} : ({tensor(shape, v[2])}) -> {tensor(shape, elem)}", shape, elem)

    def operand(self, shape, elem):
        return self.rng.choice([self.arg, self.arg, self.arg, self.transposed, self.scale, self.part, self.concatenated, self.converted, self.number])(shape, elem)

    def factor(self, shape, elem):
        """What a loop gives, or an argument."""
        v = self.rng.choice([self.arg, self.arg, self.converted, self.part, self.concatenated, self.transposed])(shape, elem)
        for _ in range(self.rng.randint(0, 3)):
            if self.rng.random() < 0.6:
                v = self.op(self.rng.choice(["add", "multiply", "maximum", "subtract"]), shape, elem, v, self.operand(shape, elem))
            elif elem in FLOATS:
                v = self.op(self.rng.choice(CHEAP + DEAR), shape, elem, v)
            else:
                v = self.op("negate", shape, elem, v)
        return v

    def product(self):
        rng, elem = self.rng, self.rng.choice(FLOATS + ["i32", "i8"])
        if rng.random() < 0.15:
            return self.square()
        batch = [] if rng.random() < 0.7 else [rng.randint(1, 3)]
        m, n, k = rng.choice([(131, 143, 129), (260, 90, 100), (60, 530, 75), (50, 129, 400), (30, 300, 400), (200, 31, 500), (129, 600, 40), (40, 40, 1500),
                              (7, 600, 700), (64, 64, 3500)])
        sides, last = [], len(batch)
        for rest in (m, n):
            turned = rng.random() < 0.5
            sides.append((self.factor(batch + ([k, rest] if turned else [rest, k]), elem), last if turned else last + 1))
        (a, ka), (b, kb) = sides
        shape = batch + [m, n]
        both = "batching_dims = [0] x [0], " if batch else ""
        out = "i32" if elem == "i8" else elem
        v = self.emit(f"stablehlo.dot_general @{a[0]}@, @{b[0]}@, {both}contracting_dims = [{ka}] x [{kb}] : "
                      f"({tensor(a[1], elem)}, {tensor(b[1], elem)}) -> {tensor(shape, out)}", shape, out)
        if rng.random() < 0.4:
            v = self.op("add", shape, out, v, self.arg(shape, out))
        self.results.append(v)

    def square(self):
        """A product as large as what the map before it reads last, both in planned memory: it must not be computed in that place."""
        shape = [200, 200]
        x = self.op("tanh", shape, "f32", self.emit(
            f"stablehlo.transpose {self.arg(shape, 'f32')[0]}, dims = [1, 0] : ({tensor(shape)}) -> {tensor(shape)}", shape, "f32"))
        y, z = self.arg(shape, "f32"), self.arg(shape, "f32")
        v = self.emit(f"stablehlo.dot_general @{x[0]}@, {y[0]}, contracting_dims = [{self.rng.randrange(2)}] x [0] : "
                      f"({tensor(shape)}, {tensor(shape)}) -> {tensor(shape)}", shape, "f32")
        v = self.op("add", shape, "f32", v, z)
        self.results.append(self.emit(f"stablehlo.reverse {v[0]}, dims = [0] : {tensor(shape)}", shape, "f32"))

    def text(self, apart):
        """apart: a barrier stands before each factor."""
        lines = []
        for line in self.lines:
            for name in re.findall(r"@(%\w+)@", line) if apart else []:
                type = next((x.split(": ")[1] for x in self.args if x.startswith(name + ":")), None) or self.types[name]
                line = line.replace(f"@{name}@", f"%b{len(lines)}", 1)
                lines.append(f"%b{len(lines)} = stablehlo.optimization_barrier {name} : {type}")
            lines.append(line.replace("@", ""))
        body, types = "\n  ".join(lines), ", ".join(tensor(v[1], v[2]) for v in self.results)
        return (f"func.func @main({', '.join(self.args)}) -> ({types}) {{\n  {body}\n"
                f"  return {', '.join(v[0] for v in self.results)} : {types}\n}}\n")

    @property
    def types(self):
        return {line.split(" ")[0]: re.split(r" : |-> ", line)[-1] for line in self.lines}


def main():
    options = trial.parser(__doc__, 200).parse_args()
    joined = differ = 0

    def make(i, seed):
        nonlocal joined, differ
        p = Program(random.Random(seed))
        for _ in range(p.rng.randint(1, 2)):
            p.product()
        os.makedirs(options.save, exist_ok=True)
        file = os.path.join(options.save, f"prologues_{options.seed}")
        tool, dump = os.path.join(options.bin, "tessera"), ""
        for name in ("", "_apart"):
            with open(file + name + ".mlir", "w") as f:
                f.write(p.text(bool(name)))
        for name, threads in (("_apart", 1), ("", 1), ("", 2), ("", 3), ("", 7)):
            done = trial.run(tool, "run", f"{file}{name}.mlir", "--input=random", f"--seed={i}", f"--threads={threads}", "--dump-program",
                             f"--output={file}{name}.npz")
            dump = done.stderr
            if done.returncode or not filecmp.cmp(f"{file}_apart.npz", f"{file}{name}.npz", shallow=False):
                print(f"# program {i} on {threads} threads: the bits are not those of loops apart\n{p.text(False)}{dump}")
                differ += 1
        joined += any(re.search(r" contract [\w+]+\+dot_general", line) for line in dump.splitlines())
        return trial.Case(f"program {i}", p.text(False), ["--input=random", f"--seed={i}"], f"prologues_{options.seed}_{i}", run=["--strict-rounding"],
                          first=["--engine=reference"])

    code = trial.every(options, make, [trial.Way([], ["--threads=1"]), trial.Way([], ["--threads=3"])])
    print(f"# {joined} programs have a map before a product, {differ} runs have other bits")
    return code or (joined < options.count / 2 or differ > 0)


if __name__ == "__main__":
    sys.exit(main())
