#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Movements that loops do themselves give what the reference computes.

    moves.py [--bin build/bin] [--count N] [--seed S] [--save DIR]

A program has concatenations, pads, interleaved rows, rows, small windows and single elements of tables, and scatters of elements and windows, of some hundred to some thousand elements, with views and values of loops as operands, and loops over operands that repeat; maps and
reductions of any dimensions read them, alone, several, or beside other readers. At least one program of a run must have such a loop.
"""
import os
import random
import sys

import trial
from trial import count, tensor

FLOATS, INTS = ["f32", "f32", "bf16", "f64"], ["i32", "i8"]


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

    def zero(self, elem):
        return self.emit(f"stablehlo.constant dense<{'0.0' if elem in FLOATS else '0'}> : {tensor([], elem)}", [], elem)

    def map(self, v, name="negate"):
        return self.emit(f"stablehlo.{name} {v[0]} : {tensor(v[1], v[2])}", v[1], v[2])

    def operand(self, shape, elem):
        """An argument, a view of one, or what a loop gives."""
        how = self.rng.randrange(6)
        if how == 0 and len(shape) > 1:
            order = list(range(len(shape)))
            self.rng.shuffle(order)
            first = [0] * len(shape)
            for i, d in enumerate(order):
                first[d] = shape[i]
            v = self.arg(first, elem)
            return self.emit(f"stablehlo.transpose {v[0]}, dims = {order} : ({tensor(first, elem)}) -> {tensor(shape, elem)}", shape, elem)
        if how == 1:
            steps = [self.rng.choice([1, 1, 2, 3]) for _ in shape[1:]] + [self.rng.choice([1, 1, 1, 2, 3, 5, 8, 9])]
            more = [(d - 1) * s + 1 + self.rng.randint(0, 3) for d, s in zip(shape, steps)]
            v = self.arg(more, elem)
            cut = ", ".join(f"{m - (d - 1) * s - 1}:{m}:{s}" for m, d, s in zip(more, shape, steps))
            return self.emit(f"stablehlo.slice {v[0]} [{cut}] : ({tensor(more, elem)}) -> {tensor(shape, elem)}", shape, elem)
        if how == 2:
            return self.map(self.arg(shape, elem))
        if how == 3:
            v = self.arg(shape[-1:], elem)
            return self.emit(f"stablehlo.broadcast_in_dim {v[0]}, dims = [{len(shape) - 1}] : ({tensor(v[1], elem)}) -> {tensor(shape, elem)}", shape, elem)
        if how == 4:
            some = sorted(self.rng.sample(range(len(shape)), self.rng.randint(1, len(shape))))
            v = self.arg([shape[d] for d in some], elem)
            return self.emit(f"stablehlo.broadcast_in_dim {v[0]}, dims = {some} : ({tensor(v[1], elem)}) -> {tensor(shape, elem)}", shape, elem)
        return self.arg(shape, elem)

    def spread(self, shape, elem):
        """A value of a loop over operands that repeat along some dimensions."""
        v = self.operand(shape, elem)
        for name in self.rng.sample(["add", "multiply", "subtract", "maximum"], self.rng.randint(1, 3)):
            y = self.operand(shape, elem)
            v = self.emit(f"stablehlo.{name} {v[0]}, {y[0]} : {tensor(shape, elem)}", shape, elem)
        return v

    def concatenate(self, shape, elem):
        d = self.rng.randrange(len(shape))
        parts, left = [], shape[d]
        while left:
            parts.append(self.rng.randint(1, left) if len(parts) < 3 else left)
            left -= parts[-1]
        ins = [self.operand(shape[:d] + [n] + shape[d + 1:], elem) for n in parts]
        return self.emit(f"stablehlo.concatenate {', '.join(v[0] for v in ins)}, dim = {d} : "
                         f"({', '.join(tensor(v[1], elem) for v in ins)}) -> {tensor(shape, elem)}", shape, elem)

    def pad(self, shape, elem):
        low, high = ([self.rng.choice([0, 0, 0, 1, -1, 3]) for _ in shape] for _ in range(2))
        apart = [self.rng.choice([0, 0, 1, 2]) for _ in shape[1:]] + [0]
        inside = [max(1, (s - a - b - 1) // (n + 1) + 1) for s, a, b, n in zip(shape, low, high, apart)]
        return self.padded(self.operand(inside, elem), self.arg([], elem), shape, low, apart)

    def padded(self, v, fill, shape, low, apart):
        high = [s - a - (n - 1) * (k + 1) - 1 for s, a, n, k in zip(shape, low, v[1], apart)]
        return self.emit(f"stablehlo.pad {v[0]}, {fill[0]}, low = {low}, high = {high}, interior = {apart} : "
                         f"({tensor(v[1], v[2])}, {tensor([], v[2])}) -> {tensor(shape, v[2])}", shape, v[2])

    def interleave(self, shape, elem):
        """Rows of two values in turn: the sum of both with zeros between their rows. Sometimes not all rows, or other numbers between."""
        d, first = self.rng.randrange(max(1, len(shape) - 1)), self.rng.randrange(2)
        half = shape[:d] + [shape[d] * self.rng.choice([1, 5, 40])] + shape[d + 1:]
        whole = half[:d] + [2 * half[d] + self.rng.choice([0, 0, 0, 1])] + half[d + 1:]
        apart = [int(i == d) for i in range(len(shape))]
        ins = []
        for i in range(2):
            fill = self.zero(elem) if self.rng.random() < 0.9 else self.arg([], elem)
            ins.append(self.padded(self.operand(half, elem), fill, whole, [n * (first ^ i) for n in apart], apart))
        return self.emit(f"stablehlo.add {ins[0][0]}, {ins[1][0]} : {tensor(whole, elem)}", whole, elem)

    def rows(self, shape, elem):
        table, at = self.arg([self.rng.randint(1, 9), shape[-1]], elem), self.arg([count(shape[:-1]), 1], self.rng.choice(["i32", "ui8"]))
        flat = [count(shape[:-1]), shape[-1]]
        v = self.emit(f'"stablehlo.gather"({table[0]}, {at[0]}) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], '
                      f"start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, {shape[-1]}>}}> : "
                      f"({tensor(table[1], elem)}, {tensor(at[1], at[2])}) -> {tensor(flat, elem)}", flat, elem)
        return self.emit(f"stablehlo.reshape {v[0]} : ({tensor(flat, elem)}) -> {tensor(shape, elem)}", shape, elem)

    def component(self, shape, elem):
        """One component of index vectors: what a loop computes, an argument, a count, or one number."""
        how, kind = self.rng.randrange(6), tensor(shape, elem)
        if how == 0:
            return self.emit(f"stablehlo.iota dim = {self.rng.randrange(len(shape) - 1)} : {kind}", shape, elem)
        if how == 1:
            return self.emit(f"stablehlo.constant dense<{self.rng.choice([0, 1, 2, 5, 100])}> : {kind}", shape, elem)
        v = self.arg(shape, elem)
        if how == 2:
            return v
        few = self.emit(f"stablehlo.constant dense<{self.rng.choice([1, 3, 7, 15])}> : {kind}", shape, elem)
        v = self.emit(f"stablehlo.and {v[0]}, {few[0]} : {kind}", shape, elem)
        if how == 3:
            one = self.emit(f"stablehlo.constant dense<1> : {kind}", shape, elem)
            v = self.emit(f"stablehlo.subtract {v[0]}, {one[0]} : {kind}", shape, elem)
        return v

    def index(self, shape, n):
        elem = self.rng.choice(["i32", "i32", "i32", "i64", "ui32", "ui64", "i8", "ui8"])
        ins = [self.component(shape + [1], elem) for _ in range(n)]
        if n == 1:
            return ins[0]
        return self.emit(f"stablehlo.concatenate {', '.join(v[0] for v in ins)}, dim = {len(shape)} : "
                         f"({', '.join(tensor(v[1], elem) for v in ins)}) -> {tensor(shape + [n], elem)}", shape + [n], elem)

    def places(self, shape):
        """The shape of a table, and numbers of dimensions: of its batch, and of those that index vectors select."""
        batch = self.rng.randint(0, min(1, len(shape) - 1))
        of = list(range(batch, batch + self.rng.randint(1, 3)))
        table = shape[:batch] + [self.rng.choice([1, 3, 8, 40]) for _ in of]
        self.rng.shuffle(of)
        return table, list(range(batch)), of

    def elements(self, shape, elem):
        """Single elements of a table."""
        dims, batch, of = self.places(shape)
        table, at = self.operand(dims, elem), self.index(shape, len(of))
        return self.emit(f'"stablehlo.gather"({table[0]}, {at[0]}) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = {sorted(of)}, '
                         f"operand_batching_dims = {batch}, start_indices_batching_dims = {batch}, start_index_map = {of}, "
                         f"index_vector_dim = {len(shape)}>, slice_sizes = array<i64: {', '.join('1' for _ in dims)}>}}> : "
                         f"({tensor(dims, elem)}, {tensor(at[1], at[2])}) -> {tensor(shape, elem)}", shape, elem)

    def pieces(self, shape, elem):
        """Windows of a few elements of a table, whose dimensions are anywhere in the result; some begin outside."""
        rng = self.rng
        dims = [rng.choice([1, 2, 3, 8, 40]) for _ in range(rng.randint(1, 4))]
        of = rng.sample(range(len(dims)), rng.randint(1, len(dims)))
        sizes = [rng.choice([1, 2, 2, 3, 4]) if d not in of or rng.random() < 0.4 else 1 for d in range(len(dims))]
        sizes = [min(n, d) for n, d in zip(sizes, dims)]
        gone = [d for d in range(len(dims)) if d in of and sizes[d] == 1 and rng.random() < 0.8]
        window = [sizes[d] for d in range(len(dims)) if d not in gone]
        at = sorted(rng.sample(range(len(shape) + len(window)), len(window)))
        if rng.random() < 0.5:
            at = list(range(len(shape), len(shape) + len(window)))
        left, inner = list(shape), list(window)
        out = [inner.pop(0) if d in at else left.pop(0) for d in range(len(shape) + len(window))]
        table, index = self.operand(dims, elem), self.index(shape, len(of))
        return self.emit(f'"stablehlo.gather"({table[0]}, {index[0]}) <{{dimension_numbers = #stablehlo.gather<offset_dims = {at}, '
                         f"collapsed_slice_dims = {gone}, start_index_map = {of}, index_vector_dim = {len(shape)}>, "
                         f"slice_sizes = array<i64: {', '.join(map(str, sizes))}>}}> : "
                         f"({tensor(dims, elem)}, {tensor(index[1], index[2])}) -> {tensor(out, elem)}", out, elem)

    def scatter(self, shape, elem):
        """Single elements that are put into a table, or combined with it; elements of the table are read."""
        dims, batch, of = self.places(shape)
        table, at, updates = self.operand(dims, elem), self.index(shape, len(of)), self.operand(shape, elem)
        return self.put(table, at, updates, of, batch, [], of)

    def put(self, table, at, updates, of, batch, window, inserted):
        """A scatter with one of several bodies."""
        elem, one = table[2], tensor([], table[2])
        how = self.rng.choice(["add", "maximum", "subtract", "multiply", None])
        body = f"%r = stablehlo.{how} %p, %q : {one}\n  stablehlo.return %r : {one}" if how else f"stablehlo.return %q : {one}"
        return self.emit(f'"stablehlo.scatter"({table[0]}, {at[0]}, {updates[0]}) <{{scatter_dimension_numbers = #stablehlo.scatter<'
                         f"update_window_dims = {window}, inserted_window_dims = {sorted(inserted)}, input_batching_dims = {batch}, "
                         f"scatter_indices_batching_dims = {batch}, scatter_dims_to_operand_dims = {of}, index_vector_dim = {len(at[1]) - 1}>}}> ({{\n"
                         f"  ^bb0(%p: {one}, %q: {one}):\n  {body}\n  }}) : "
                         f"({tensor(table[1], elem)}, {tensor(at[1], at[2])}, {tensor(updates[1], elem)}) -> {tensor(table[1], elem)}", table[1], elem)

    def windows(self, shape, elem):
        """Windows that are put into a table, or combined with it; they may be partly outside. Mostly whole rows, and sometimes so many that threads
        divide them."""
        rng = self.rng
        dims = [rng.choice([1, 3, 8, 40]) for _ in range(rng.choice([1, 1, 1, 2]))] + [rng.choice([2, 16, 31, 64, 65, 130])]
        of = rng.choice([[0], [0], [0], [0, len(dims) - 1], [len(dims) - 1]])
        kept = [d for d in range(len(dims)) if d not in of or rng.random() < 0.3]
        sizes = [dims[d] if d not in of and rng.random() < 0.8 else rng.randint(1, dims[d]) for d in kept]
        many = rng.choice([1, 5, 100, 600, max(1, 100000 // max(1, count(sizes)))])
        updates = self.operand([min(many, 3000)] + sizes, elem)
        return self.put(self.operand(dims, elem), self.index(updates[1][:1], len(of)), updates, of, [], list(range(1, len(sizes) + 1)),
                        [d for d in range(len(dims)) if d not in kept])

    def read(self, v):
        """Loops that read it."""
        x, shape, elem = v
        if self.rng.random() < 0.6:
            y = self.operand(shape, elem)
            self.results.append(self.emit(f"stablehlo.add {x}, {y[0]} : {tensor(shape, elem)}", shape, elem))
        if self.rng.random() < 0.5 and elem in FLOATS:
            self.results.append(self.map(self.map(v, "tanh"), "abs"))
        if self.rng.random() < 0.4:
            some = sorted(self.rng.sample(range(len(shape)), self.rng.randint(1, len(shape))))
            kept = [d for i, d in enumerate(shape) if i not in some]
            zero = self.zero(elem)
            self.results.append(self.emit(f"stablehlo.reduce({x} init: {zero[0]}) applies stablehlo.maximum across dimensions = {some} : "
                                          f"({tensor(shape, elem)}, {tensor([], elem)}) -> {tensor(kept, elem)}", kept, elem))
        if self.rng.random() < 0.1 or not self.results:
            self.results.append(v)

    def text(self):
        body = "\n  ".join(self.lines)
        types = ", ".join(tensor(v[1], v[2]) for v in self.results)
        return (f"func.func @main({', '.join(self.args)}) -> ({types}) {{\n  {body}\n"
                f"  return {', '.join(v[0] for v in self.results)} : {types}\n}}\n")


def main():
    options = trial.parser(__doc__, 200).parse_args()
    joined = 0

    def make(i, seed):
        nonlocal joined
        rng = random.Random(seed)
        p = Program(rng)
        for _ in range(rng.randint(1, 3)):
            shape = [rng.choice([1, 2, 3, 4, 8, 17, 40]) for _ in range(rng.randint(0, 2))] + [rng.choice([16, 31, 64, 100, 512, 700, 2, 3, 7])]
            move = rng.choice([p.spread, p.spread, p.concatenate, p.concatenate, p.pad, p.pad, p.interleave, p.interleave, p.rows, p.elements, p.elements, p.pieces, p.pieces, p.scatter, p.windows])
            p.read(move(shape, rng.choice(FLOATS + INTS)))
        os.makedirs(options.save, exist_ok=True)
        file = os.path.join(options.save, "moves.mlir")
        with open(file, "w") as f:
            f.write(p.text())
        dump = trial.run(os.path.join(options.bin, "tessera"), "run", file, "--input=random", "--dump-program").stderr
        joined += any(f" {kind} {move}+" in dump for kind in ("map", "row", "column") for move in ("concatenate", "pad", "gather"))
        return trial.Case(f"program {i}", p.text(), ["--input=random", f"--seed={i}"], f"moves_{options.seed}_{i}", run=["--strict-rounding"],
                          first=["--engine=reference"])

    code = trial.every(options, make, [trial.Way([], ["--threads=1"]), trial.Way([], ["--threads=3"])])
    print(f"# {joined} programs have loops with movements")
    return code if joined else 1


if __name__ == "__main__":
    sys.exit(main())
