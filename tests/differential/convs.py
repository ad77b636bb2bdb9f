#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Convolutions of any layout give what the reference computes, with the same bits on any number of threads.

    convs.py [--bin build/bin] [--count N] [--seed S] [--save DIR]

Images, windows and results have their dimensions in the usual orders or in any other; sizes are odd and even; windows move by one pixel or more, are dilated, run backwards, and
have padding that may be uneven or negative; images are dilated; features are in groups. Channels are few, or as many as kernels for large images want. A bias, an activation or a sum
may follow, and a transposition. Some programs of a run (about a seventh does) must take the way with fewer multiplications, and so must none of those with strict rounding.
"""
import filecmp
import os
import random
import sys

import trial
from trial import tensor

ORDERS = [("b01f", "01io", "b01f")] * 3 + [("bf01", "oi01", "bf01")] * 3 + [("bf01", "01io", "bf01"), ("b01f", "oi01", "b01f"), ("b01f", "01oi", "b01f"), ("b01f", "01io", "bf01")]


def text_of(order, names):
    return ", ".join(names.get(c, c) for c in order)


class Program:
    def __init__(self, rng):
        self.rng = rng
        large = rng.random() < 0.5  # enough channels and tiles for any kernel
        size = lambda few, many: rng.choice(many if large else few)
        self.window = [3, 3] if large else [rng.randint(1, 4), rng.randint(1, 4)]
        plain = large and rng.random() < 0.8
        self.stride = [1, 1] if plain else [rng.choice([1, 1, 2, 3]) for _ in range(2)]
        self.dilation = [1, 1] if plain else [rng.choice([1, 1, 1, 2]) for _ in range(2)]
        self.inner = [1, 1] if plain else [rng.choice([1, 1, 1, 2]) for _ in range(2)]
        self.reverse = [rng.random() < 0.2 for _ in range(2)]
        self.groups = 1 if plain else rng.choice([1, 1, 1, 2, 4])
        self.batch = rng.choice([1, 2, 3])
        self.channels = size([1, 2, 3, 4, 8], [32, 32, 48, 64, 40]) // self.groups or 1
        self.features = size([1, 2, 4, 8, 12], [32, 32, 64, 96, 40]) // self.groups * self.groups or self.groups
        self.pad = [[rng.choice([0, 1, 1, 2, -1]) for _ in range(2)] for _ in range(2)]
        self.elem = "f32" if large else rng.choices(["f32", "f64", "bf16"], [6, 1, 1])[0]
        self.order = rng.choice(ORDERS)
        if rng.random() < 0.15:
            self.order = tuple("".join(rng.sample(o, 4)) for o in self.order)
        self.then = rng.choice(["", "", "bias", "relu", "sum"])
        self.turn = rng.sample(range(4), 4) if rng.random() < 0.4 else []
        self.sizes = [0, 0]
        while any(n < 1 for n in self.out()):
            self.sizes = [size([4, 5, 7, 8, 11], [10, 11, 13, 14, 16]) for _ in range(2)]

    def out(self):
        made = []
        for i in range(2):
            wide = (self.sizes[i] - 1) * self.inner[i] + 1 + sum(self.pad[i]) - (self.window[i] - 1) * self.dilation[i] - 1 if self.sizes[i] else -1
            made.append(wide // self.stride[i] + 1 if wide >= 0 else 0)
        return made

    def text(self):
        sizes = {"b": self.batch, "f": self.channels * self.groups, "0": self.sizes[0], "1": self.sizes[1]}
        kernel = {"i": self.channels, "o": self.features, "0": self.window[0], "1": self.window[1]}
        result = {"b": self.batch, "f": self.features, "0": self.out()[0], "1": self.out()[1]}
        x, k, y = (tensor([s[c] for c in o], self.elem) for o, s in zip(self.order, (sizes, kernel, result)))
        numbers = f"[{text_of(self.order[0], {})}]x[{text_of(self.order[1], {})}]->[{text_of(self.order[2], {})}]"
        flags = ", ".join(str(r).lower() for r in self.reverse)
        window = f"stride = {self.stride}, pad = {self.pad}, lhs_dilate = {self.inner}, rhs_dilate = {self.dilation}, reverse = [{flags}]"
        lines = [f"%0 = stablehlo.convolution(%x, %k) dim_numbers = {numbers}, window = {{{window}}} "
                 f"{{batch_group_count = 1 : i64, feature_group_count = {self.groups} : i64}} : ({x}, {k}) -> {y}"]
        args, last = [f"%x: {x}", f"%k: {k}"], "%0"
        if self.then == "bias":
            b = tensor([self.features], self.elem)
            args.append(f"%b: {b}")
            lines.append(f"%1 = stablehlo.broadcast_in_dim %b, dims = [{self.order[2].index('f')}] : ({b}) -> {y}")
            lines.append(f"%2 = stablehlo.add %0, %1 : {y}")
            last = "%2"
        elif self.then == "relu":
            lines += [f"%1 = stablehlo.constant dense<0.0> : {y}", f"%2 = stablehlo.maximum %0, %1 : {y}"]
            last = "%2"
        elif self.then == "sum":
            args.append(f"%b: {y}")
            lines.append(f"%1 = stablehlo.subtract %b, %0 : {y}")
            last = "%1"
        if self.turn:
            z = tensor([result[self.order[2][i]] for i in self.turn], self.elem)
            lines.append(f"%t = stablehlo.transpose {last}, dims = {self.turn} : ({y}) -> {z}")
            last, y = "%t", z
        body = "\n  ".join(lines)
        return f"func.func @main({', '.join(args)}) -> {y} {{\n  {body}\n  return {last} : {y}\n}}\n"


def main():
    options = trial.parser(__doc__, 200).parse_args()
    fewer = strict = differ = count = 0

    def dump(file, *flags):
        return trial.run(os.path.join(options.bin, "tessera"), "run", file + ".mlir", "--input=random", "--dump-program", *flags).stderr

    def make(i, seed):
        nonlocal fewer, strict, differ, count
        p = Program(random.Random(seed))
        os.makedirs(options.save, exist_ok=True)
        file = os.path.join(options.save, f"convs_{options.seed}")
        with open(file + ".mlir", "w") as f:
            f.write(p.text())
        count += 1
        for threads in (1, 2, 7):
            shown = dump(file, f"--seed={i}", f"--threads={threads}", f"--output={file}_{threads}.npz")
            if not filecmp.cmp(f"{file}_1.npz", f"{file}_{threads}.npz", shallow=False):
                print(f"# program {i} on {threads} threads has other bits\n{p.text()}")
                differ += 1
        fewer += " winograd " in shown
        strict += " winograd " in dump(file, "--strict-rounding", f"--output={file}_1.npz")
        near = {"f32": "1e-4", "f64": "1e-10", "bf16": "0.1"}[p.elem]
        return trial.Case(f"program {i}", p.text(), ["--input=random", f"--seed={i}"], f"convs_{options.seed}_{i}", run=[f"--rtol={near}", f"--atol={near}"],
                          first=["--engine=reference"])

    code = trial.every(options, make, [trial.Way([], []), trial.Way([], ["--strict-rounding"])])
    print(f"# {fewer} of {count} convolutions take fewer multiplications, {differ} runs have other bits")
    return code or fewer == 0 or strict > 0 or differ > 0


if __name__ == "__main__":
    sys.exit(main())
