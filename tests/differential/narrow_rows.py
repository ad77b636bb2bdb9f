#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Constant, masked and extreme rows through norms and softmax, in bf16 and f16, and their gradients.

    narrow_rows.py [--bin build/bin] [--rows N] [--seed S] [--columns N] [--quiet]

Each row of a program's result is judged by itself (narrow_judge.py): x - mean(x) of a constant row is 0, a softmax sums to 1. In gradients, which add and
subtract roundings of many numbers, either is nearly exact, or far off, in a few rows by chance: rows of a kind are judged together, by their greatest error,
and by the ninth decile of their errors in units in the last place of each row's greatest number. The greatest error in such units would be that of the row
whose gradient is nearest to 0, and says nothing. Prints a table: for each program and type, rows that are off by themselves, rows or kinds of rows that are
wrong, and the greatest errors of the engine and of the evaluator.
"""
import math
import os
import random
import sys
import tempfile

import trial
from narrow_judge import KINDS, LIMIT, UNITS, Runs, floor, is_off


class Text:
    """A function of x: tensor<RxCxT>, written op by op."""

    def __init__(self, rows, columns, elem):
        self.shape, self.elem, self.lines, self.n = [rows, columns], elem, [], 0

    def emit(self, text):
        self.n += 1
        self.lines.append(f"  %{self.n} = stablehlo.{text}")
        return f"%{self.n}"

    def type(self, elem=None):
        return trial.tensor(self.shape, elem or self.elem)

    def op(self, name, *ins, elem=None):
        return self.emit(f"{name} {', '.join(ins)} : {self.type(elem)}")

    def number(self, v, shape=None, elem=None):
        v = {math.inf: "0x7F80", -math.inf: "0xFF80"}.get(v, v) if (elem or self.elem) == "bf16" else {math.inf: "0x7C00", -math.inf: "0xFC00"}.get(v, v)
        return self.emit(f"constant dense<{v}> : {trial.tensor(self.shape if shape is None else shape, elem or self.elem)}")

    def convert(self, v, frm, to, shape=None):
        shape = self.shape if shape is None else shape
        return self.emit(f"convert {v} : ({trial.tensor(shape, frm)}) -> {trial.tensor(shape, to)}")

    def reduced(self, v, fold, dim, elem):
        start = {"add": 0.0, "maximum": -math.inf}[fold]
        init = self.number(start, [], elem)
        left = [self.shape[1 - dim]]
        return self.emit(f"reduce({v} init: {init}) applies stablehlo.{fold} across dimensions = [{dim}] : "
                         f"({self.type(elem)}, {trial.tensor([], elem)}) -> {trial.tensor(left, elem)}"), left

    def spread(self, v, dim, elem=None):
        return self.emit(f"broadcast_in_dim {v}, dims = [{1 - dim}] : ({trial.tensor([self.shape[1 - dim]], elem or self.elem)}) -> {self.type(elem)}")

    def total(self, v, dim, wide, mean=False):
        """The sum along a dimension, in f32 as JAX writes it, or in the type itself."""
        elem = "f32" if wide else self.elem
        s, left = self.reduced(self.convert(v, self.elem, "f32") if wide else v, "add", dim, elem)
        if mean:
            s = self.emit(f"divide {s}, {self.number(float(self.shape[dim]), left, elem)} : {trial.tensor(left, elem)}")
        return self.spread(self.convert(s, "f32", self.elem, left) if wide else s, dim)


def scaled(t):
    return t.op("multiply", "%x", t.emit(f"broadcast_in_dim %g, dims = [1] : ({trial.tensor(t.shape[1:], t.elem)}) -> {t.type()}"))


def layer_norm(t, x, wide, dim=1):
    d = t.op("subtract", x, t.total(x, dim, wide, True))
    v = t.op("add", t.total(t.op("multiply", d, d), dim, wide, True), t.number(2.0**-14))
    return t.op("multiply", d, t.op("rsqrt", v))


def rms_norm(t, x, wide):
    v = t.op("add", t.total(t.op("multiply", x, x), 1, wide, True), t.number(2.0**-14))
    return t.op("multiply", x, t.op("rsqrt", v))


def moments(t, x, wide):
    """Normalized along the batch, with the variance as E[x x] - E[x] E[x]."""
    m, s = t.total(x, 0, wide, True), t.total(t.op("multiply", x, x), 0, wide, True)
    v = t.op("maximum", t.op("subtract", s, t.op("multiply", m, m)), t.number(0.0))
    return t.op("multiply", t.op("subtract", x, m), t.op("rsqrt", t.op("add", v, t.number(2.0**-14))))


def softmax(t, x, wide):
    most, _ = t.reduced(x, "maximum", 1, t.elem)
    e = t.op("exponential", t.op("subtract", x, t.spread(most, 1)))
    return t.op("divide", e, t.total(e, 1, wide))


def bare_softmax(t, x, wide):
    e = t.op("exponential", x)
    return t.op("divide", e, t.total(e, 1, wide))


def masked(by):
    def program(t, x, wide):
        mask = t.emit(f"compare LT, %m, {t.number(0.0)} : ({t.type()}, {t.type()}) -> {t.type('i1')}")
        return softmax(t, t.emit(f"select {mask}, {t.number(by)}, {x} : {t.type('i1')}, {t.type()}"), wide)
    return program


PROGRAMS = {"layer norm": layer_norm, "layer norm, scaled": layer_norm, "RMS norm": rms_norm, "batch norm": lambda t, x, w: layer_norm(t, x, w, 0),
            "batch norm, by moments": moments, "softmax": softmax, "softmax, scaled": softmax, "softmax without maximum": bare_softmax,
            "softmax, masked by -inf": masked(-math.inf), "softmax, masked by numbers": masked(-30000.0 + 16)}


def program(name, rows, columns, elem, wide):
    t = Text(rows, columns, elem)
    y = PROGRAMS[name](t, scaled(t) if "scaled" in name else "%x", wide)
    g = trial.tensor([columns], elem)
    return "\n".join([f"func.func @main(%x: {t.type()}, %m: {t.type()}, %g: {g}) -> {t.type()} {{", *t.lines, f"  return {y} : {t.type()}", "}", ""])


ROWS = ["constant", "constant", "constant", "near", "one", "large", "small", "mixed", "normal", "zero", "signs"]


def row(rng, kind, n, how):
    """Numbers of one row."""
    c = rng.choice([-1, 1]) * 2.0 ** rng.uniform(-12, 8)
    size = {"large": min(kind.most, 2.0**60) / n, "small": math.ldexp(1, kind.least + 2), "normal": 3.0}.get(how, c)
    factor = {"constant": lambda i: 1, "near": lambda i: 1 + rng.choice([0, 0, 0, 1]) * 2.0**-kind.mbits, "one": lambda i: 1 if i else -3,
              "large": lambda i: rng.uniform(0.2, 1), "small": lambda i: rng.uniform(-1, 1), "mixed": lambda i: rng.choice([1, 2.0**-9, 2.0**9]) * rng.gauss(0, 1) / 64,
              "normal": lambda i: rng.gauss(0, 1), "zero": lambda i: 0.0, "signs": lambda i: rng.choice([-1, 1])}[how]
    return [kind.nearest(size * factor(i)) for i in range(n)]


def inputs(rng, kind, rows, columns, elem):
    """x, a mask, factors, cotangents."""
    x = [v for r in range(rows) for v in row(rng, kind, columns, ROWS[r % len(ROWS)])]
    m = []
    for _ in range(rows):
        some = [rng.choice([-1.0, 1.0]) for _ in range(columns)]
        some[rng.randrange(columns)] = 1.0
        m += some
    g = [kind.nearest(1.01 if i % 3 else 0.97) for i in range(columns)]
    ct = [kind.nearest(rng.gauss(0, 1)) for _ in range(rows * columns)]
    return [([rows, columns], x, elem), ([rows, columns], m, elem), ([columns], g, elem), ([rows, columns], ct, elem)]


def gradient(runs, text):
    """The program with its gradient for x; or what went wrong."""
    with open(runs.at("g.mlir"), "w") as f:
        f.write(text)
    done = trial.run(runs.tool, "grad", runs.at("g.mlir"), "--function=main", "--wrt=0", "-o", runs.at("grad.mlir"))
    return done.stderr if done.returncode else open(runs.at("grad.mlir")).read()


def by_column(values, rows, columns):
    return [values[r * columns + c] for c in range(columns) for r in range(rows)]


def ninth_decile(values):
    return sorted(values)[len(values) * 9 // 10]


def is_wrong(mine, others, units):
    """Whether the engine's errors in rows of a kind are too large, beside the evaluator's. A unit is that of a row."""
    if max(mine) > LIMIT * max(others) + UNITS * max(units):
        return True
    a, b = (ninth_decile([e / u for e, u in zip(errors, units)]) for errors in (mine, others))
    return a > LIMIT * b + UNITS


def judge(results, elem, shape, together):
    """Rows that are off, those or the kinds of rows that are wrong, and the greatest errors of the engine and of the evaluator."""
    rows, columns = shape
    off, of_kind = 0, {}
    for r in range(rows):
        got, reference, exact = (v[r * columns:(r + 1) * columns] for v in results)
        bad, *errors = is_off(got, reference, exact, elem)
        off += bad
        of_kind.setdefault(ROWS[r % len(ROWS)], []).append((*errors, floor(exact, elem)))
    wrong = [k for k, seen in of_kind.items() if is_wrong(*zip(*seen))]
    greatest = [max(e[i] for seen in of_kind.values() for e in seen) for i in range(2)]
    return off, wrong if together else ["row"] * off, greatest


def trials(options):
    for elem in ("bf16", "f16"):
        for name in PROGRAMS:
            for wide in (True, False):
                for grad in (False, True):
                    yield elem, name, wide, grad


def attempt(runs, options, elem, name, wide, grad):
    """Prints a line; the value is how many rows, or kinds of rows, are wrong."""
    rng = random.Random(f"{options.seed} {elem} {name} {wide}")
    shape = (options.rows, options.columns)
    text, given = program(name, *shape, elem, wide), inputs(rng, KINDS[elem], *shape, elem)
    flags = ["--function=main_grad"] if grad else []
    if grad:
        text = gradient(runs, text)
    ways, reference, exact, bad = runs.all(text, given if grad else given[:3], [elem], flags)
    what = f"{name}{', gradient' if grad else ''}, sums in {'f32' if wide else elem}"
    if bad:
        print(f"FAIL {elem} {what}: {bad}")
        return 1
    results = [ways[0][0], reference[0], exact[0]]
    if "batch" in name:
        results, shape = [by_column(v, *shape) for v in results], shape[::-1]
    off, wrong, errors = judge(results, elem, shape, grad)
    if not options.quiet or wrong:
        print(f"{elem:4} {what:56} {off:5} {len(wrong):5} {errors[0]:10.3g} {errors[1]:10.3g}")
    return len(wrong)


def main():
    p = trial.parser(__doc__, 1)
    p.add_argument("--rows", type=int, default=1000)
    p.add_argument("--columns", type=int, default=64)
    p.add_argument("--quiet", action="store_true")
    options = p.parse_args()
    all_of_them = list(trials(options))
    with tempfile.TemporaryDirectory() as tmp:
        runs = Runs(os.path.join(options.bin, "tessera"), tmp)
        if not options.quiet:
            print(f"{'type':4} {'program':56} {'off':>5} {'wrong':>5} {'engine':>10} {'evaluator':>10}")
        failed = sum(attempt(runs, options, *t) for t in all_of_them)
    print(f"{len(all_of_them)} programs of {options.rows} rows each, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
