#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Dynamic slices that are read where they lie give what the reference computes.

    slices.py [--bin build/bin] [--count N] [--seed S] [--save DIR]

A loop takes slices, at places that may be outside, of arguments, of values from before the loop, and of what it carries and changes; maps, reductions, products and updates read them; some are handed on to the
next turn, or read after others have been taken. At least a quarter of the programs of a run (about half do) must have a slice without a copy.
"""
import os
import random
import re
import sys

import trial
from trial import tensor

SIZES = [(4, 32, 40), (3, 2, 30, 30), (6, 40, 26), (2, 1100), (5, 7, 40), (2, 3, 40, 30)]


class Program:
    def __init__(self, rng):
        self.rng, self.args, self.before, self.body, self.n = rng, [], [], [], 0
        self.carried, self.given = [], []  # (argument of the body, its type, first value), what the next turn has

    def emit(self, lines, text):
        self.n += 1
        lines.append(f"%{self.n} = {text}")
        return f"%{self.n}"

    def arg(self, shape):
        self.args.append(f"%a{len(self.args)}: {tensor(shape)}")
        return f"%a{len(self.args) - 1}"

    def op(self, lines, name, shape, *ins):
        return self.emit(lines, f"stablehlo.{name} {', '.join(ins)} : {tensor(shape)}")

    def carry(self, shape, first, next=None):
        name = f"%c{len(self.carried)}"
        self.carried.append((name, tensor(shape), first))
        self.given.append(next or name)
        return len(self.carried) - 1, name

    def source(self, shape):
        """What slices are taken of, and the carried value that it is, or None."""
        how, v = self.rng.randrange(4), self.arg(shape)
        if how == 1:
            return self.op(self.before, "negate", shape, v), None
        if how == 2:
            return self.carry(shape, v)[::-1]
        return v, None

    def slice(self, source, shape):
        """A slice of size 1 or more along the first dimension, or of all of it and one of the second."""
        take = [1] + list(shape[1:])
        if self.rng.random() < 0.3:
            take[0] = self.rng.randint(1, shape[0])
        elif self.rng.random() < 0.3:
            take[1] = self.rng.randint(1, shape[1])
        at = ["%i"] + [self.rng.choice(["%zero", "%zero", "%i"]) for _ in shape[1:]]
        v = self.emit(self.body, f"stablehlo.dynamic_slice {source}, {', '.join(at)}, sizes = {take} : "
                                 f"({tensor(shape)}, {', '.join(['tensor<i32>'] * len(shape))}) -> {tensor(take)}")
        return v, take, at

    def sum_up(self, v, shape):
        """A carried sum of what the turns compute."""
        zero = self.emit(self.before, f"stablehlo.constant dense<0.0> : {tensor(shape)}")
        k, c = self.carry(shape, zero)
        self.given[k] = self.op(self.body, "add", shape, c, v)

    def read(self, v, shape):
        rng = self.rng
        if rng.random() < 0.5:
            self.sum_up(self.op(self.body, rng.choice(["negate", "tanh"]), shape, v), shape)
        flat = [trial.count(shape[:-1]), shape[-1]]
        if rng.random() < 0.6:
            w = self.emit(self.body, f"stablehlo.reshape {v} : ({tensor(shape)}) -> {tensor(flat)}")
            if rng.random() < 0.5:
                w = self.op(self.body, "abs", flat, w)
            m = rng.choice([2, 20, 70])
            x = self.arg([m, flat[0]])
            self.sum_up(self.emit(self.body, f"stablehlo.dot_general {x}, {w}, contracting_dims = [1] x [0] : "
                                             f"({tensor([m, flat[0]])}, {tensor(flat)}) -> {tensor([m, flat[1]])}"), [m, flat[1]])
        if rng.random() < 0.3:
            out = self.emit(self.body, f"stablehlo.reduce({v} init: %none) applies stablehlo.maximum across dimensions = [{len(shape) - 1}] : "
                                       f"({tensor(shape)}, tensor<f32>) -> {tensor(shape[:-1])}")
            self.sum_up(out, shape[:-1])
        if rng.random() < 0.15:
            self.carry(shape, self.emit(self.before, f"stablehlo.constant dense<0.0> : {tensor(shape)}"), v)

    def build(self):
        for _ in range(self.rng.randint(1, 3)):
            shape = self.rng.choice(SIZES)
            source, carried = self.source(shape)
            v, take, at = self.slice(source, shape)
            if carried is not None:  # changed before the slice is read, or after
                early = self.rng.random() < 0.5
                if not early:
                    self.read(v, take)
                half = self.op(self.body, "negate", take, v)
                at = ["%zero"] + at[1:]
                self.given[carried] = self.emit(self.body, f"stablehlo.dynamic_update_slice {source}, {half}, {', '.join(at)} : "
                                                           f"({tensor(shape)}, {tensor(take)}, {', '.join(['tensor<i32>'] * len(shape))}) -> {tensor(shape)}")
                if not early:
                    continue
            self.read(v, take)
        self.sum_up(self.op(self.body, "negate", [3], self.arg([3])), [3])
        return self.text()

    def text(self):
        names = ", ".join(["%i = %first"] + [f"{c} = {first}" for c, _, first in self.carried])
        types = ", ".join(["tensor<i32>"] + [t for _, t, _ in self.carried])
        results = ", ".join(t for _, t, _ in self.carried)
        before, body = "\n  ".join(self.before), "\n    ".join(self.body)
        n = len(self.carried) + 1
        return (f"func.func @main({', '.join(self.args)}) -> ({results}) {{\n"
                "  %zero = stablehlo.constant dense<0> : tensor<i32>\n  %one = stablehlo.constant dense<1> : tensor<i32>\n"
                f"  %none = stablehlo.constant dense<0.0> : tensor<f32>\n  %first = stablehlo.constant dense<-1> : tensor<i32>\n"
                f"  %end = stablehlo.constant dense<{self.rng.randint(1, 5)}> : tensor<i32>\n  {before}\n"
                f"  %r:{n} = stablehlo.while({names}) : {types}\n  cond {{\n"
                "    %p = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>\n    stablehlo.return %p : tensor<i1>\n"
                f"  }} do {{\n    %next = stablehlo.add %i, %one : tensor<i32>\n    {body}\n"
                f"    stablehlo.return {', '.join(['%next'] + self.given)} : {types}\n  }}\n"
                f"  return {', '.join(f'%r#{k}' for k in range(1, n))} : {results}\n}}\n")


def main():
    options = trial.parser(__doc__, 200).parse_args()
    lent = 0

    def make(i, seed):
        nonlocal lent
        text = Program(random.Random(seed)).build()
        os.makedirs(options.save, exist_ok=True)
        file = os.path.join(options.save, f"slices_{options.seed}.mlir")
        with open(file, "w") as f:
            f.write(text)
        dump = trial.run(os.path.join(options.bin, "tessera"), "run", file, "--input=random", "--dump-program").stderr
        lent += bool(re.search(r"move dynamic_slice .* bytes=0\+0", dump))
        return trial.Case(f"program {i}", text, ["--input=random", f"--seed={i}"], f"slices_{options.seed}_{i}", first=["--engine=reference"])

    code = trial.every(options, make, [trial.Way([], ["--threads=1"]), trial.Way([], ["--threads=3", "--timing"])])
    print(f"# {lent} programs have a slice that is read where it lies")
    return code or lent < options.count / 4


if __name__ == "__main__":
    sys.exit(main())
