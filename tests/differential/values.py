#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs compute the same before and after every pass of tests/passes.list.

    values.py [--bin build/bin] [--count N] [--seed S] [--save DIR] [--passes FILE]

Programs are chains of ops on small tensors of several element types, of StableHLO, of Graph IR, or of both, with many
constants (0, -0, 1, infinities, NaN, extremes), shape ops that undo each other, and control flow: what simplification has
rules for. 'same' means bit for bit, NaN for NaN; 'close' means within a tolerance by element type. A program that fails is
saved with its number.
"""
import os
import random
import sys

import trial
from trial import count, tensor

FLOATS, INTS = ["f32", "f64", "bf16", "f16"], ["i32", "i8", "ui8", "i64"]
SHAPES = [(), (3,), (2, 3), (3, 2), (1, 3), (3, 1), (2, 1, 3), (6,), (0, 2), (1,)]


class Program:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.args, self.lines, self.values, self.n = [], [], [], 0
        for _ in range(self.rng.randint(1, 3)):
            self.args.append((f"%arg{len(self.args)}", self.rng.choice(SHAPES), self.elem()))
        self.values = list(self.args)
        makers = self.rng.choice([MAKERS, GRAPH, MAKERS + GRAPH])
        for _ in range(self.rng.randint(4, 18)):
            self.rng.choice(makers)(self)

    def elem(self):
        return self.rng.choice(FLOATS + ["f32"] * 4 + INTS + ["i32"] * 3 + ["i1"])

    def fresh(self):
        self.n += 1
        return f"%v{self.n}"

    def emit(self, text, shape, elem, indent="  "):
        name = self.fresh()
        self.lines.append(f"{indent}{name} = {text}")
        self.values.append((name, tuple(shape), elem))
        return self.values[-1]

    def number(self, elem):
        if elem == "i1":
            return self.rng.choice(["true", "false"])
        if elem in FLOATS:
            wide = {"f32": ("0x7F800000", "0xFF800000", "0x7FC00000"), "bf16": ("0x7F80", "0xFF80", "0x7FC0"),
                    "f16": ("0x7C00", "0xFC00", "0x7E00"),
                    "f64": ("0x7FF0000000000000", "0xFFF0000000000000", "0x7FF8000000000000")}[elem]
            return self.rng.choice(["0.0", "-0.0", "1.0", "-1.0", "2.0", "0.5", "-3.25", "1.0e-3"] * 2 + list(wide))
        low, high = {"i8": (-128, 127), "ui8": (0, 255), "i32": (-2**31, 2**31 - 1), "i64": (-2**63, 2**63 - 1)}[elem]
        return str(self.rng.choice([0, 0, 1, 1, 2, 3, 7, low, high, -1 if low else 255]))

    def dense(self, shape, elem):
        if count(shape) == 0:
            return "dense<>"
        if self.rng.random() < 0.7 or shape == ():
            return f"dense<{self.number(elem)}>"

        def nest(dims):
            if not dims:
                return self.number(elem)
            return "[" + ", ".join(nest(dims[1:]) for _ in range(dims[0])) + "]"
        return f"dense<{nest(list(shape))}>"

    def constant(self, shape, elem):
        return self.emit(f"stablehlo.constant {self.dense(shape, elem)} : {tensor(shape, elem)}", shape, elem)

    def pick(self, want=None, shape=None):
        fits = [v for v in self.values if (want is None or v[2] in want) and (shape is None or v[1] == shape)]
        if fits and self.rng.random() < 0.85:
            return self.rng.choice(fits[-8:])
        return self.constant(self.rng.choice(SHAPES) if shape is None else shape,
                             self.elem() if want is None else self.rng.choice(want))

    def inputs(self):
        """Arguments, as the tool takes them: given here, since its random ones depend on what the program does with them."""
        out = []
        for _, shape, elem in self.args:
            if elem in FLOATS and self.rng.random() < 0.7:
                values = [repr(self.rng.uniform(-3, 3)) for _ in range(count(shape))]
            else:
                values = [self.number(elem) for _ in range(count(shape))]
            out.append(f"--input={''.join(f'{d}x' for d in shape)}{elem}={','.join(values)}")
        return out

    def text(self):
        out = self.values[-min(4, len(self.values)):]
        args = ", ".join(f"{n}: {tensor(s, e)}" for n, s, e in self.args)
        types = ", ".join(tensor(s, e) for _, s, e in out)
        return (f"func.func @main({args}) -> ({types}) {{\n" + "\n".join(self.lines) +
                f"\n  return {', '.join(n for n, _, _ in out)} : {types}\n}}\n")


def constant(p):
    p.constant(p.rng.choice(SHAPES), p.elem())


def binary(p):
    x = p.pick()
    names = ["maximum", "minimum"]
    if x[2] in FLOATS:
        names += ["add", "subtract", "multiply", "divide", "power"]
    elif x[2] == "i1":
        names += ["and", "or", "xor"]
    else:
        names += ["add", "subtract", "multiply", "and", "or", "xor", "shift_left", "shift_right_logical"]
    y = p.pick([x[2]], x[1]) if p.rng.random() < 0.85 else x
    in_order = [x, y] if p.rng.random() < 0.6 else [y, x]
    p.emit(f"stablehlo.{p.rng.choice(names)} {in_order[0][0]}, {in_order[1][0]} : {tensor(x[1], x[2])}", x[1], x[2])


def unary(p):
    x = p.pick()
    if x[2] in FLOATS:
        name = p.rng.choice(["negate", "abs", "exponential", "sqrt", "rsqrt", "log", "tanh", "sign", "floor", "sine", "logistic",
                             "round_nearest_even", "negate"])
    elif x[2] == "i1" or x[2] == "ui8":
        name = "not"
    else:
        name = p.rng.choice(["negate", "abs", "sign", "not"])
    p.emit(f"stablehlo.{name} {x[0]} : {tensor(x[1], x[2])}", x[1], x[2])


def convert(p):
    x = p.pick()
    to = p.elem()
    p.emit(f"stablehlo.convert {x[0]} : ({tensor(x[1], x[2])}) -> {tensor(x[1], to)}", x[1], to)


def reshape(p):
    x = p.pick()
    shape = p.rng.choice([s for s in SHAPES + [x[1]] if count(s) == count(x[1])])
    p.emit(f"stablehlo.reshape {x[0]} : ({tensor(x[1], x[2])}) -> {tensor(shape, x[2])}", shape, x[2])


def transpose(p):
    x = p.pick()
    perm = list(range(len(x[1])))
    p.rng.shuffle(perm)
    shape = tuple(x[1][i] for i in perm)
    p.emit(f"stablehlo.transpose {x[0]}, dims = {perm} : ({tensor(x[1], x[2])}) -> {tensor(shape, x[2])}", shape, x[2])


def broadcast(p):
    x = p.pick()
    rank = len(x[1]) + p.rng.randint(0, 4 - len(x[1]) if len(x[1]) < 4 else 0)
    dims = p.rng.sample(range(rank), len(x[1]))
    shape = [p.rng.choice([1, 2, 3]) for _ in range(rank)]
    for i, d in enumerate(dims):
        shape[d] = x[1][i] if x[1][i] != 1 or p.rng.random() < 0.5 else p.rng.choice([1, 2, 3])
    p.emit(f"stablehlo.broadcast_in_dim {x[0]}, dims = {dims} : ({tensor(x[1], x[2])}) -> {tensor(shape, x[2])}", shape, x[2])


def slices(p):
    x = p.pick()
    ranges, shape = [], []
    for d in x[1]:
        start = p.rng.randint(0, d)
        limit = p.rng.randint(start, d) if p.rng.random() < 0.5 else d
        if p.rng.random() < 0.4:
            start, limit = 0, d
        stride = p.rng.choice([1, 1, 2])
        ranges.append(f"{start}:{limit}:{stride}")
        shape.append((limit - start + stride - 1) // stride)
    if x[1]:
        p.emit(f"stablehlo.slice {x[0]} [{', '.join(ranges)}] : ({tensor(x[1], x[2])}) -> {tensor(shape, x[2])}", shape, x[2])


def dynamic_slice(p):
    x = p.pick()
    if not x[1]:
        return
    starts = [p.pick(["i32"], ()) for _ in x[1]]
    shape = [p.rng.randint(0, d) for d in x[1]]
    types = ", ".join([tensor(x[1], x[2])] + ["tensor<i32>"] * len(starts))
    p.emit(f"stablehlo.dynamic_slice {x[0]}, {', '.join(s[0] for s in starts)}, sizes = {shape} : ({types}) -> "
           f"{tensor(shape, x[2])}", shape, x[2])


def update(p):
    x = p.pick()
    if not x[1]:
        return
    u = p.pick([x[2]], tuple(p.rng.choice([d, d, p.rng.randint(0, d)]) for d in x[1]))
    starts = [p.pick(["i32"], ()) for _ in x[1]]
    types = ", ".join([tensor(x[1], x[2]), tensor(u[1], u[2])] + ["tensor<i32>"] * len(starts))
    p.emit(f"stablehlo.dynamic_update_slice {x[0]}, {u[0]}, {', '.join(s[0] for s in starts)} : ({types}) -> "
           f"{tensor(x[1], x[2])}", x[1], x[2])


def concatenate(p):
    x = p.pick()
    if not x[1]:
        return
    d = p.rng.randrange(len(x[1]))
    parts = [x] + [p.rng.choice([x, p.pick([x[2]], x[1][:d] + (p.rng.choice([0, 1, 2]),) + x[1][d + 1:])])
                   for _ in range(p.rng.randint(0, 2))]
    p.rng.shuffle(parts)
    shape = list(x[1])
    shape[d] = sum(v[1][d] for v in parts)
    p.emit(f"stablehlo.concatenate {', '.join(v[0] for v in parts)}, dim = {d} : "
           f"({', '.join(tensor(v[1], v[2]) for v in parts)}) -> {tensor(shape, x[2])}", shape, x[2])


def pad(p):
    x = p.pick()
    if not x[1]:
        return
    c = p.pick([x[2]], ())
    low, high, inner = ([p.rng.choice([0, 0, 1]) for _ in x[1]] for _ in range(3))
    if p.rng.random() < 0.4:
        low = high = inner = [0] * len(x[1])
    shape = [l + h + d + max(d - 1, 0) * i for l, h, i, d in zip(low, high, inner, x[1])]
    p.emit(f"stablehlo.pad {x[0]}, {c[0]}, low = {low}, high = {high}, interior = {inner} : "
           f"({tensor(x[1], x[2])}, {tensor((), x[2])}) -> {tensor(shape, x[2])}", shape, x[2])


def reverse(p):
    x = p.pick()
    dims = [d for d in range(len(x[1])) if p.rng.random() < 0.5]
    p.emit(f"stablehlo.reverse {x[0]}, dims = {dims} : {tensor(x[1], x[2])}", x[1], x[2])


def compare(p):
    x = p.pick()
    y = p.pick([x[2]], x[1]) if p.rng.random() < 0.7 else x
    kind = {"i1": "UNSIGNED", "ui8": "UNSIGNED"}.get(x[2], "FLOAT" if x[2] in FLOATS else "SIGNED")
    if x[2] in FLOATS and p.rng.random() < 0.2:
        kind = "TOTALORDER"
    t = tensor(x[1], x[2])
    p.emit(f"stablehlo.compare {p.rng.choice(['EQ', 'NE', 'LT', 'LE', 'GT', 'GE'])}, {x[0]}, {y[0]}, {kind} : ({t}, {t}) -> "
           f"{tensor(x[1], 'i1')}", x[1], "i1")


def select(p):
    x = p.pick()
    y = p.pick([x[2]], x[1]) if p.rng.random() < 0.8 else x
    c = p.pick(["i1"], x[1] if p.rng.random() < 0.7 else ())
    p.emit(f"stablehlo.select {c[0]}, {x[0]}, {y[0]} : {tensor(c[1], 'i1')}, {tensor(x[1], x[2])}", x[1], x[2])


def iota(p):
    shape = p.rng.choice([s for s in SHAPES if s])
    elem = p.rng.choice(FLOATS + INTS)
    p.emit(f"stablehlo.iota dim = {p.rng.randrange(len(shape))} : {tensor(shape, elem)}", shape, elem)


def dot(p):
    x = p.pick(["f32", "i32"])
    if len(x[1]) != 2:
        return
    y = p.pick([x[2]], p.rng.choice([(x[1][1], 2), (2, x[1][1])]))
    if p.rng.random() < 0.6:
        shape = (y[1][1], y[1][0])
        y = p.emit(f"stablehlo.transpose {y[0]}, dims = [1, 0] : ({tensor(y[1], y[2])}) -> {tensor(shape, y[2])}", shape, y[2])
    r = 0 if y[1][0] == x[1][1] else 1
    shape = (x[1][0], y[1][1 - r])
    if y[1][r] == x[1][1]:
        p.emit(f"stablehlo.dot_general {x[0]}, {y[0]}, contracting_dims = [1] x [{r}] : ({tensor(x[1], x[2])}, "
               f"{tensor(y[1], y[2])}) -> {tensor(shape, x[2])}", shape, x[2])


def reduce(p):
    x = p.pick()
    # StableHLO's own passes take initial values for neutral, which shows where nothing is reduced.
    dims = [d for d in range(len(x[1])) if p.rng.random() < 0.5]
    if not dims or 0 in x[1]:
        return
    c = p.pick([x[2]], ())
    shape = tuple(d for i, d in enumerate(x[1]) if i not in dims)
    op = p.rng.choice(["and", "or"] if x[2] == "i1" else ["add", "maximum"])
    p.emit(f"stablehlo.reduce({x[0]} init: {c[0]}) applies stablehlo.{op} across dimensions = {dims} : "
           f"({tensor(x[1], x[2])}, {tensor((), x[2])}) -> {tensor(shape, x[2])}", shape, x[2])


def branch(p):
    x = p.pick()
    y = p.pick([x[2]], x[1])
    t = tensor(x[1], x[2])
    if p.rng.random() < 0.5:
        c, op = p.pick(["i1"], ()), "stablehlo.if"
    else:
        c, op = p.pick(["i32"], ()), "stablehlo.case"
    n, m = p.fresh(), p.fresh()
    p.lines.append(f"  {n} = \"{op}\"({c[0]}) ({{\n    {m} = stablehlo.maximum {x[0]}, {y[0]} : {t}\n    stablehlo.return {m} : {t}\n"
                   f"  }}, {{\n    stablehlo.return {y[0]} : {t}\n  }}) : ({tensor((), c[2])}) -> {t}")
    p.values.append((n, x[1], x[2]))


def loop(p):
    x = p.pick()
    y, z = p.pick([x[2]], x[1]), p.pick([x[2]], x[1])
    t = tensor(x[1], x[2])
    n, a = p.fresh(), p.fresh()
    limit = p.constant((), "i32")
    zero, one = p.fresh(), p.fresh()
    p.lines.append(f"  {zero} = stablehlo.constant dense<0> : tensor<i32>\n  {one} = stablehlo.constant dense<1> : tensor<i32>")
    p.lines.append(f"""  {a} = stablehlo.constant dense<{p.rng.randint(0, 3)}> : tensor<i32>
  {n}:4 = stablehlo.while(%i{n[1:]} = {zero}, %x{n[1:]} = {x[0]}, %y{n[1:]} = {y[0]}, %z{n[1:]} = {z[0]}) : tensor<i32>, {t}, {t}, {t} cond {{
    %c{n[1:]} = stablehlo.compare LT, %i{n[1:]}, {a}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c{n[1:]} : tensor<i1>
  }} do {{
    %j{n[1:]} = stablehlo.add %i{n[1:]}, {one} : tensor<i32>
    %k{n[1:]} = stablehlo.maximum %x{n[1:]}, %y{n[1:]} : {t}
    %l{n[1:]} = stablehlo.minimum %z{n[1:]}, %y{n[1:]} : {t}
    stablehlo.return %j{n[1:]}, %k{n[1:]}, %y{n[1:]}, %l{n[1:]} : tensor<i32>, {t}, {t}, {t}
  }}""")
    del limit
    p.values.append((f"{n}#{p.rng.randint(1, 2)}", x[1], x[2]))


# ---- Graph IR: operands broadcast and are promoted ----

def promoted(a, b):
    """The element type of both, or None where none in use here holds both."""
    if a == b or b == "i1":
        return a
    if a == "i1":
        return b
    if a in FLOATS and b in FLOATS:
        return "f64" if "f64" in (a, b) else "f32"
    if a in FLOATS or b in FLOATS:
        return a if a in FLOATS else b
    wide = max((e for e in (a, b) if e != "ui8"), key=lambda e: int(e[1:]))
    return None if wide == "i8" and "ui8" in (a, b) else wide


def joined(a, b):
    """The shape that both broadcast to, aligned right; None: there is none."""
    rank = max(len(a), len(b))
    a, b = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    if any(x != y and x != 1 and y != 1 for x, y in zip(a, b)):
        return None
    return tuple(y if x == 1 else x for x, y in zip(a, b))


def graph_constant(p):
    shape, elem = p.rng.choice(SHAPES), p.elem()
    return p.emit(f"tessera.constant {p.dense(shape, elem)} : {tensor(shape, elem)}", shape, elem)


def graph_binary(p):
    x = p.pick()
    y = p.rng.choice([x, p.pick(), p.pick(), graph_constant(p), p.pick([x[2]])])
    shape, elem = joined(x[1], y[1]), promoted(x[2], y[2])
    if shape is None or elem is None or elem == "i1":
        return
    names = ["add", "sub", "mul", "max", "min"] + (["div", "pow"] if elem in FLOATS else [])
    p.emit(f"tessera.{p.rng.choice(names)} {x[0]}, {y[0]} : {tensor(x[1], x[2])}, {tensor(y[1], y[2])} -> "
           f"{tensor(shape, elem)}", shape, elem)


def graph_unary(p):
    x = p.pick(FLOATS + ["i32", "i8"])
    names = ["neg", "neg", "abs", "relu"]
    if x[2] in FLOATS:
        names += ["exp", "log", "sqrt", "rsqrt", "tanh", "sigmoid", "silu", "gelu"]
    t = tensor(x[1], x[2])
    p.emit(f"tessera.{p.rng.choice(names)} {x[0]} : {t} -> {t}", x[1], x[2])


def graph_cast(p):
    x = p.pick()
    to = p.elem()
    p.emit(f"tessera.cast {x[0]} : {tensor(x[1], x[2])} -> {tensor(x[1], to)}", x[1], to)


def graph_shape(p):
    x = p.pick()
    what = p.rng.choice(["reshape", "transpose", "broadcast", "broadcast"])
    dims = ""
    if what == "reshape":
        shape = p.rng.choice([s for s in SHAPES + [x[1]] if count(s) == count(x[1])])
    elif what == "transpose":
        perm = list(range(len(x[1])))
        p.rng.shuffle(perm)
        if len(perm) > 1 and p.rng.random() < 0.6:
            perm = list(range(len(x[1]) - 2)) + [len(x[1]) - 1, len(x[1]) - 2]
        shape, dims = tuple(x[1][i] for i in perm), f", dims = {perm}"
    else:
        shape = tuple(p.rng.choice([1, 2, 3]) for _ in range(p.rng.randint(0, 3 - min(3, len(x[1])))))
        shape += tuple(d if d != 1 else p.rng.choice([1, 2, 3]) for d in x[1])
    p.emit(f"tessera.{what} {x[0]}{dims} : {tensor(x[1], x[2])} -> {tensor(shape, x[2])}", shape, x[2])


def graph_reduce(p):
    x = p.pick(FLOATS + ["i32", "i8"])
    if 0 in x[1]:
        return
    dims = [d for d in range(len(x[1])) if p.rng.random() < 0.5]
    keep = p.rng.random() < 0.4
    shape = tuple(1 if i in dims else d for i, d in enumerate(x[1]) if keep or i not in dims)
    kind = p.rng.choice(["sum", "max", "min", "mean", "prod"] if x[2] in FLOATS else ["sum", "max", "min", "prod"])
    p.emit(f"tessera.reduce \"{kind}\" {x[0]}, dims = {dims}{' {keep_dims = true}' if keep else ''} : "
           f"{tensor(x[1], x[2])} -> {tensor(shape, x[2])}", shape, x[2])


def graph_matmul(p):
    x = p.pick(["f32", "i32"])
    if len(x[1]) < 2:
        return
    k, turned = x[1][-1], p.rng.random() < 0.5
    y = p.pick([x[2]], p.rng.choice([(k, 2), (2, k), (3, k), (k, 3)]))
    if p.rng.random() < 0.5:
        shape = (y[1][1], y[1][0])
        y = p.emit(f"tessera.transpose {y[0]} : {tensor(y[1], y[2])} -> {tensor(shape, y[2])}", shape, y[2])
    if p.rng.random() < 0.3:
        shape = (2,) + y[1]
        y = p.emit(f"tessera.broadcast {y[0]} : {tensor(y[1], y[2])} -> {tensor(shape, y[2])}", shape, y[2])
    lead = joined(x[1][:-2], y[1][:-2])
    if y[1][-1 if turned else -2] != k or lead is None:
        return
    shape = lead + (x[1][-2], y[1][-2 if turned else -1])
    p.emit(f"tessera.matmul {x[0]}, {y[0]}{' {rhs_transpose = true}' if turned else ''} : {tensor(x[1], x[2])}, "
           f"{tensor(y[1], y[2])} -> {tensor(shape, x[2])}", shape, x[2])


def graph_layer(p):
    x = p.pick(["f32", "bf16", "f64"])
    if not x[1] or 0 in x[1]:
        return
    t = tensor(x[1], x[2])
    p.emit(f"tessera.{p.rng.choice(['softmax', 'layer_norm', 'rms_norm'])} {x[0]} : {t} -> {t}", x[1], x[2])


GRAPH = [graph_constant, graph_binary, graph_binary, graph_binary, graph_binary, graph_unary, graph_unary, graph_cast, graph_shape,
         graph_shape, graph_shape, graph_reduce, graph_reduce, graph_matmul, graph_matmul, graph_layer]
MAKERS = [constant, constant, binary, binary, binary, binary, unary, unary, convert, reshape, reshape, transpose, broadcast,
          broadcast, slices, dynamic_slice, update, concatenate, pad, reverse, compare, compare, select, select, iota, dot, dot,
          reduce, branch, loop]


def main():
    parser = trial.parser(__doc__, 200)
    parser.add_argument("--passes", default=os.path.join(os.path.dirname(__file__), "..", "passes.list"))
    options = parser.parse_args()
    passes = [line.split() for line in open(options.passes) if line.strip() and not line.startswith("#")]
    ways = [trial.Way(flags, ["--rtol=0", "--atol=0"] if how == "same" else []) for how, *flags in passes if how != "real"]

    def make(i, seed):
        p = Program(seed)
        engine = ["--engine=reference"]  # what passes fold is computed by the evaluator
        return trial.Case(f"program {i}", p.text(), p.inputs() + ["--division-by-zero=ignore"], f"values_{options.seed}_{i}", run=engine, first=engine)

    return trial.every(options, make, ways)


if __name__ == "__main__":
    sys.exit(main())
