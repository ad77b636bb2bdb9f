#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cheap values that a later loop computes again give what the reference computes.

    again.py [--bin build/bin] [--count N] [--seed S] [--save DIR]

A program has chains of cheap ops, with values that several chains go through, then an op that ends a loop, and a loop that reads some of the values before it, in any order. A second
such op and loop follow in some programs.
"""
import random
import sys

import trial


class Program:
    def __init__(self, rng):
        self.rng, self.lines, self.n = rng, [], 0
        self.type = trial.tensor([rng.choice([5, 16, 64, 1000])])

    def emit(self, text):
        self.n += 1
        self.lines.append(f"  %{self.n} = stablehlo.{text} : {self.type}")
        return f"%{self.n}"

    def cheap(self, *from_):
        kind = self.rng.choice(["add", "multiply", "subtract", "maximum", "add", "multiply", "negate"])
        ins = [self.rng.choice(from_) for _ in range(1 if kind == "negate" else 2)]
        if len(ins) == 2 and "%k" in ins:
            ins = ["%k", from_[0]]
        return self.emit(f"{kind} {', '.join(ins)}")

    def chain(self, v, *lengths):
        out = []
        for _ in range(self.rng.choice(lengths)):
            v = self.cheap(v, v, v, "%k")
            out.append(v)
        return out

    def barrier(self, v):
        self.n += 1
        self.lines.append(f"""  %{self.n} = "stablehlo.sort"({v}) <{{dimension = 0 : i64, is_stable = true}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }}) : ({self.type}) -> {self.type}""")
        return f"%{self.n}"

    def text(self):
        self.lines.append(f"  %k = stablehlo.constant dense<0.5> : {self.type}")
        values, result = ["%m"], "%m"
        for _ in range(self.rng.randint(1, 2)):
            shared = self.chain(result, 1, 2, 3)
            ends = [self.chain(shared[-1] if self.rng.random() < 0.8 else "%m", 1, 2, 5, 6) for _ in range(self.rng.randint(1, 4))]
            values += shared + [v for end in ends for v in end]
            for end in ends:
                result = self.emit(f"add {result}, {end[-1]}")
            if self.rng.random() < 0.5:
                result = self.emit(f"maximum {result}, {shared[-1]}")
            result = self.barrier(result)
            read = [end[-1] for end in ends] + shared[-1:] if self.rng.random() < 0.7 else []
            for v in read + self.rng.sample(values, min(len(values), self.rng.randint(0, 3))):
                result = self.emit(f"{self.rng.choice(['add', 'maximum'])} {v}, {result}")
        body = "\n".join(self.lines)
        return f"func.func @main(%m: {self.type}) -> {self.type} {{\n{body}\n  return {result} : {self.type}\n}}\n"


def main():
    options = trial.parser(__doc__, 200).parse_args()

    def make(i, seed):
        return trial.Case(f"program {i}", Program(random.Random(seed)).text(), ["--input=random", f"--seed={i}"], f"again_{options.seed}_{i}",
                          run=["--rtol=1e-4", "--atol=1e-4"], first=["--engine=reference"])

    return trial.every(options, make, [trial.Way([], ["--threads=1"])])


if __name__ == "__main__":
    sys.exit(main())
