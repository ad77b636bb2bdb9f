#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs of TTIR compute the same compiled and on the reference.

    ttir_programs.py [--bin build/bin] [--count N] [--seed S] [--save DIR] [--print]

A program is some ops on values that were computed before: elementwise ops of mixed types that broadcast, reductions of any dimensions,
norms, products, shapes, slices with negative places and steps, tables and caches. Integers and moves must be equal, floats within the
tolerance of their type. bf16 is compared with --strict-rounding. A program that fails is saved with its number.
"""
import random
import sys

import trial
from trial import count, tensor

FLOATS, INTS = ["f32", "bf16", "f64"], ["i32", "i64", "i8", "ui8"]
OPS = []


def op(f):
    OPS.append(f)
    return f


class Program:
    def __init__(self, rng):
        self.rng, self.args, self.lines, self.values, self.n = rng, [], [], [], 0
        # What was computed in f32 has not the precision of f64, whatever its type is.
        self.some = ["f64"] if rng.random() < 0.2 else ["f32", "f32", "bf16"]
        for _ in range(rng.randint(2, 4)):
            self.arg(self.shape(), rng.choice(self.some + INTS[:2]))

    def shape(self):
        return [self.rng.choice([1, 2, 3, 4, 5, 8]) for _ in range(self.rng.randint(1, 4))]

    def arg(self, shape, elem):
        v = (f"%a{len(self.args)}", list(shape), elem)
        self.args.append(f"{v[0]}: {tensor(shape, elem)}")
        self.values.append(v)
        return v

    def any(self, want=lambda v: True):
        some = [v for v in self.values if v[1] and want(v)]
        return self.rng.choice(some) if some else self.arg(self.shape(), self.some[0])

    def floats(self, want=lambda v: True):
        v = self.any(lambda v: v[2] in FLOATS and want(v))
        return v if v[2] in FLOATS and want(v) else self.arg([2, 3, 4], self.some[0])

    def emit(self, name, ins, attrs, shape, elem):
        v = (f"%{self.n}", list(shape), elem)
        self.n += 1
        types = ", ".join(tensor(x[1], x[2]) for x in ins)
        self.lines.append(f'{v[0]} = "ttir.{name}"({", ".join(x[0] for x in ins)})' + (f" <{{{attrs}}}>" if attrs else "") +
                          f" : ({types}) -> {tensor(shape, elem)}")
        self.values.append(v)
        return v

    def out_type(self, v):
        return v[2] if self.rng.random() < 0.8 else self.rng.choice(self.some)

    def text(self):
        used = self.values[-6:]
        head = ", ".join(self.args)
        types = ", ".join(tensor(v[1], v[2]) for v in used)
        body = "".join(f"  {line}\n" for line in self.lines)
        return f"func.func @main({head}) -> ({types}) {{\n{body}  return {', '.join(v[0] for v in used)} : {types}\n}}\n"


def ints(values, elem="i32"):
    return "[" + ", ".join(f"{v} : {elem}" for v in values) + "]"


def i64s(values):
    return "array<i64: " + ", ".join(map(str, values)) + ">" if values else "array<i64>"


@op
def unary(p):
    name = p.rng.choice("abs neg relu gelu silu sigmoid tanh exp sin cos floor ceil sign square erf atan mish hardsigmoid "
                        "softsign relu6 trunc frac".split())
    v = p.floats()
    p.emit(name, [v], "", v[1], p.out_type(v))


def broadcast(p, v):
    """A shape that broadcasts with v's: some sizes 1, some leading dimensions left out."""
    s = [d if p.rng.random() < 0.6 else 1 for d in v[1]]
    return s[p.rng.randint(0, len(s) - 1):] if p.rng.random() < 0.5 else s


@op
def binary(p):
    v = p.any()
    name = p.rng.choice("add subtract multiply maximum minimum".split())
    w = p.arg(broadcast(p, v), p.rng.choice(p.some + [v[2]]))
    elem = v[2] if v[2] in FLOATS else w[2]
    p.emit(name, p.rng.sample([v, w], 2), "", v[1], elem)


@op
def compare(p):
    v = p.any()
    w = p.arg(broadcast(p, v), v[2])
    c = p.emit(p.rng.choice("eq ne lt le gt ge".split()), [v, w], "", v[1], p.rng.choice(["i1"] + p.some))
    x = p.arg(broadcast(p, v), v[2])
    p.emit("where", [c, v, x], "", v[1], v[2])


@op
def divide(p):
    v = p.any(lambda v: v[2] in ("i32", "i64"))
    if v[2] not in ("i32", "i64"):
        v = p.arg([3, 4], "i32")
    w = p.arg(v[1], v[2])
    p.emit(p.rng.choice(["div", "remainder"]), [v, w], "", v[1], v[2])


@op
def cast(p):
    v = p.any(lambda v: v[2] != "i1")
    p.emit("typecast", [v], "", v[1], p.rng.choice(p.some + INTS if v[2] in INTS else p.some))


@op
def truth(p):
    """Truth values made of numbers far from 0, or 0, and numbers made of them."""
    v = p.arg(p.shape(), p.rng.choice(p.some + INTS[:1]))
    v = p.emit("floor", [v], "", v[1], v[2]) if v[2] in FLOATS else v
    v = p.emit("typecast", [v], "", v[1], "i1")
    if p.rng.random() < 0.3:
        fill = p.rng.choice(["-2.5 : f32", "3 : i32", "0 : i32"])
        w = p.emit("full", [], f"shape = array<i32: {', '.join(map(str, v[1]))}>, fill_value = {fill}", v[1], "i1")
        v = p.emit("logical_xor", [v, w], "", v[1], "i1")
    p.emit("typecast", [v], "", v[1], p.rng.choice(p.some + INTS[:1]))


@op
def reduce(p):
    v = p.any(lambda v: v[2] != "i1")
    name = p.rng.choice("sum mean max min".split() if v[2] in FLOATS else "sum max min".split())
    dims = p.rng.sample(range(len(v[1])), p.rng.randint(1, len(v[1])))
    keep = p.rng.random() < 0.5
    shape = [1 if i in dims else d for i, d in enumerate(v[1]) if keep or i not in dims]
    written = [d - len(v[1]) if p.rng.random() < 0.3 else d for d in dims]
    p.emit(name, [v], f"dim_arg = {ints(written)}, keep_dim = {str(keep).lower()}", shape, v[2])


@op
def argmax(p):
    v = p.any(lambda v: v[2] != "i1")
    d = p.rng.randrange(len(v[1]))
    p.emit("argmax", [v], f"dim_arg = {ints([d])}, keep_dim = false", v[1][:d] + v[1][d + 1:], "i32")


@op
def norm(p):
    v = p.floats()
    k = p.rng.randint(1, len(v[1]))
    shape = v[1][-k:]
    if p.rng.random() < 0.5:
        p.emit("softmax", [v], f"dimension = {p.rng.randrange(len(v[1]))} : si32", v[1], v[2])
        return
    w = [p.arg(shape, p.rng.choice(p.some)) for _ in range(p.rng.randint(0, 2))]
    sizes = [1, int(len(w) > 0), int(len(w) > 1)]
    p.emit(p.rng.choice(["layer_norm", "rms_norm"]), [v] + w, f"epsilon = 1.0e-3 : f32, normalized_shape = {i64s(shape)}, "
           f"operandSegmentSizes = array<i32: {', '.join(map(str, sizes))}>", v[1], v[2])


@op
def product(p):
    m, k, n = (p.rng.randint(1, 9) for _ in range(3))
    batch = p.shape()[:2] if p.rng.random() < 0.6 else []
    elem, ta, tb = p.rng.choice(p.some), p.rng.random() < 0.5, p.rng.random() < 0.5
    a = p.arg(batch + ([k, m] if ta else [m, k]), elem)
    shared = batch if p.rng.random() < 0.5 else []
    b = p.arg(shared + ([n, k] if tb else [k, n]), elem)
    attrs = f"transpose_a = {str(ta).lower()}, transpose_b = {str(tb).lower()}"
    if p.rng.random() < 0.5:
        p.emit("matmul", [a, b], attrs, batch + [m, n], elem)
    else:
        p.emit("linear", [a, b, p.arg([n], elem)], attrs, batch + [m, n], elem)


@op
def move(p):
    v = p.any()
    rank = len(v[1])
    kind = p.rng.choice("permute reshape transpose reverse repeat interleave concat pad unsqueeze".split())
    if kind == "permute":
        order = p.rng.sample(range(rank), rank)
        p.emit("permute", [v], f"permutation = {i64s(order)}", [v[1][i] for i in order], v[2])
    elif kind == "reshape":
        flat = [count(v[1])] if p.rng.random() < 0.5 else [1] + v[1][::-1]
        p.emit("reshape", [v], f"shape = {ints(flat)}", flat, v[2])
    elif kind == "transpose" and rank > 1:
        a, b = p.rng.randrange(rank), p.rng.randrange(rank)
        s = list(v[1])
        s[a], s[b] = s[b], s[a]
        p.emit("transpose", [v], f"dim0 = {a} : si32, dim1 = {b - rank} : si32", s, v[2])
    elif kind == "reverse":
        p.emit("reverse", [v], f"dimensions = {i64s(p.rng.sample(range(rank), p.rng.randint(1, rank)))}", v[1], v[2])
    elif kind == "repeat":
        times = [p.rng.choice([1, 1, 2, 3]) for _ in v[1]]
        p.emit("repeat", [v], f"repeat_dimensions = {i64s(times)}", [a * b for a, b in zip(v[1], times)], v[2])
    elif kind == "interleave":
        d, t = p.rng.randrange(rank), p.rng.randint(1, 3)
        s = [x * t if i == d else x for i, x in enumerate(v[1])]
        p.emit("repeat_interleave", [v], f"repeats = {t} : ui32, dim = {d} : si32", s, v[2])
    elif kind == "concat":
        d, more = p.rng.randrange(rank), p.rng.randint(1, 3)
        w = p.arg([more if i == d else x for i, x in enumerate(v[1])], v[2])
        p.emit("concat", [v, w, v], f"dim = {d - rank} : si32", [2 * x + more if i == d else x for i, x in enumerate(v[1])], v[2])
    elif kind == "pad":
        by = [p.rng.randint(0, 2) for _ in range(2 * rank)]
        s = [x + by[2 * i] + by[2 * i + 1] for i, x in enumerate(v[1])]
        p.emit("pad", [v], f"padding = array<i32: {', '.join(map(str, by))}>, value = {p.rng.choice(['0.0', '1.5', '-2.0'])} : f32", s, v[2])
    else:
        d = p.rng.randint(0, rank)
        p.emit("unsqueeze", [v], f"dim = {d} : si32", v[1][:d] + [1] + v[1][d:], v[2])


@op
def cut(p):
    v = p.any()
    begins, ends, steps, shape = [], [], [], []
    for d in v[1]:
        a = p.rng.randrange(d)
        b = p.rng.randint(a + 1, d)
        s = p.rng.randint(1, 3)
        shape.append((b - a + s - 1) // s)
        begins.append(a - d if p.rng.random() < 0.3 else a)
        ends.append(b)
        steps.append(s)
    p.emit("slice_static", [v], f"begins = {ints(begins)}, ends = {ints(ends)}, step = {ints(steps)}", shape, v[2])


@op
def table(p):
    rows, width = p.rng.randint(1, 6), p.rng.randint(1, 5)
    at = p.arg(p.shape()[:2], p.rng.choice(["i32", "ui8"]))
    p.emit("embedding", [at, p.arg([rows, width], p.rng.choice(p.some))], "", at[1] + [width], p.values[-1][2])


@op
def cache(p):
    users, heads, places, width = (p.rng.randint(1, 4) for _ in range(4))
    elem = p.rng.choice(p.some)
    c = p.arg([users, heads, places, width], elem)
    for _ in range(p.rng.randint(1, 2)):
        x = p.arg([1, heads, p.rng.randint(1, places), width], elem)
        at = p.rng.randrange(users)
        p.lines.append(f'"ttir.fill_cache"({c[0]}, {x[0]}) <{{batch_offset = {at} : i32}}> : ({tensor(c[1], elem)}, {tensor(x[1], elem)}) -> ()')
        p.emit("neg", [c], "", c[1], elem)


def main():
    parser = trial.parser(__doc__, 200)
    parser.add_argument("--print", action="store_true")
    options = parser.parse_args()

    def make(i, seed):
        rng = random.Random(seed)
        p = Program(rng)
        for _ in range(rng.randint(2, 9)):
            rng.choice(OPS)(p)
        if options.print:
            print(p.text())
        flags = ["--input=random", f"--seed={i}", "--division-by-zero=ignore"]
        return trial.Case(f"program {i}", p.text(), flags, f"ttir_programs_{options.seed}_{i}", run=["--strict-rounding"],
                          first=["--engine=reference"])

    return trial.every(options, make, [trial.Way([])])


if __name__ == "__main__":
    sys.exit(main())
