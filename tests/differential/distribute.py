#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs of Graph IR with random shardings compute the same whole and distributed.

    distribute.py [--bin build/bin] [--count N] [--seed S] [--save DIR]

Arguments and values in between get random shardings on a mesh of two axes, sizes that do not divide included. Each program
is distributed four ways (groups with names, lists of devices, tensors that stay global, other passes around it) and run on as
many virtual devices; results must be those of the program undivided, within a tolerance by element type.
"""
import sys

import trial
import values
from trial import tensor
from values import Program

SHAPES = [(4, 6), (6, 4), (8, 3), (5,), (6,), (2, 4, 6), (1, 6), (4, 1), ()]
MESHES = ['"data"=2, "model"=2', '"x"=2, "model"=3', '"data"=4', '"a"=2, "b"=2']


class Sharded(Program):
    def __init__(self, seed):
        self.meshes = None
        super().__init__(seed)

    def axes(self):
        if self.meshes is None:
            self.meshes = self.rng.choice(MESHES)
        return [a.split("=")[0].strip() for a in self.meshes.split(",")]

    def elem(self):
        return self.rng.choice(["f32", "f32", "f32", "f64", "i32"])

    def number(self, elem):
        return self.rng.choice(["0.5", "1.0", "-2.0", "0.25"] if elem in values.FLOATS else ["1", "2", "-3"])

    def sharding(self, rank):
        axes, dims = self.axes(), [[] for _ in range(rank)]
        self.rng.shuffle(axes)
        for a in axes:
            if rank and self.rng.random() < 0.7:
                self.rng.choice(dims).append(a)
        return ", ".join("{" + ", ".join(d) + "}" for d in dims)

    def emit(self, text, shape, elem, indent="  "):
        out = super().emit(text, shape, elem, indent)
        if self.rng.random() < 0.3 and 0 not in shape:
            t = tensor(shape, elem)
            how = (f"replicate {out[0]} on @mesh" if self.rng.random() < 0.3 else
                   f"shard {out[0]} <@mesh, [{self.sharding(len(shape))}]>")
            out = super().emit(f"tessera.{how} : {t} -> {t}", shape, elem, indent)
        return out

    def text(self):
        self.axes()
        groups = ' {groups = {data_parallel = ["data"]}}' if '"data"' in self.meshes else ""
        return f"tessera.mesh @mesh = <[{self.meshes}]>{groups}\n" + super().text()


# Powers and logarithms of random numbers are NaN, whose sums say nothing.
MAKERS = [m for m in values.GRAPH if m is not values.graph_unary]


def smooth(p):
    x = p.pick(["f32", "f64"])
    t = tensor(x[1], x[2])
    p.emit(f"tessera.{p.rng.choice(['neg', 'abs', 'relu', 'tanh', 'sigmoid', 'silu', 'gelu'])} {x[0]} : {t} -> {t}", x[1], x[2])


def binary(p):
    x, y = p.pick(), p.pick()
    shape, elem = values.joined(x[1], y[1]), values.promoted(x[2], y[2])
    if shape is not None:
        p.emit(f"tessera.{p.rng.choice(['add', 'sub', 'mul', 'max', 'min'])} {x[0]}, {y[0]} : {tensor(x[1], x[2])}, "
               f"{tensor(y[1], y[2])} -> {tensor(shape, elem)}", shape, elem)


def attention(p):
    n, m, d = p.rng.choice([2, 4, 6]), p.rng.choice([3, 4, 6]), p.rng.choice([2, 3])
    lead = p.rng.choice([(), (2,), (4,), (2, 2)])
    q, k, v = (p.pick(["f32"], lead + s) for s in ((n, d), (m, d), (m, 4)))
    causal = " {causal = true}" if p.rng.random() < 0.5 else ""
    types = ", ".join(tensor(x[1], x[2]) for x in (q, k, v))
    p.emit(f"tessera.flash_attention {q[0]}, {k[0]}, {v[0]}{causal} : {types} -> {tensor(lead + (n, 4), 'f32')}",
           lead + (n, 4), "f32")


def embedding(p):
    table, at = p.pick(["f32"], (6, 4)), p.pick(["i32"])
    p.emit(f"tessera.embedding {table[0]}, {at[0]} : {tensor(table[1], 'f32')}, {tensor(at[1], 'i32')} -> "
           f"{tensor(at[1] + (4,), 'f32')}", at[1] + (4,), "f32")


MAKERS = [m for m in MAKERS if m not in (values.graph_binary, values.graph_cast)] + [smooth, smooth, binary, binary, binary,
                                                                                    attention, embedding]
WAYS = [(["--tessera-distribute=remarks=false"], True), (["--tessera-distribute=nccl=true remarks=false"], True),
        (["--tessera-distribute=global=true"], False),
        (["--tessera-simplify", "--tessera-distribute=remarks=false", "--tessera-simplify", "--tessera-effects", "--tessera-fuse", "--cse"],
         True)]


def main():
    options = trial.parser(__doc__, 100).parse_args()
    values.SHAPES[:] = SHAPES
    values.MAKERS[:] = values.GRAPH[:] = MAKERS
    close = ["--rtol=1e-4", "--atol=1e-4"]

    def make(i, seed):
        p = Sharded(seed)
        return trial.Case(f"program {i}", p.text(), p.inputs(), f"distribute_{options.seed}_{i}")

    return trial.every(options, make, [trial.Way(flags, (["--spmd"] if local else []) + close) for flags, local in WAYS])


if __name__ == "__main__":
    sys.exit(main())
