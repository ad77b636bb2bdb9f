#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs on quantized numbers compute the same after StableHLO's three passes on quantization.

    quant.py [--bin build/bin] [--count N] [--seed S] [--save DIR]

Four kinds of programs. Chains of ops on quantized numbers are taken apart (quantized-op-to-qdq), and put together again
(qdq-to-quantized-op): the same numbers, bit for bit. Programs that are written with dequantize and quantize are put together: the
same numbers. Single ops, between moves of elements, become ops on the stored integers (quant-to-math): the same numbers, or
numbers within the steps that the pass states. Chains of ops whose floats are exact are also run by the reference evaluator: the
engine gives the same numbers, bit for bit. Storage of every width and sign, narrowed ranges, scales per tensor and per axis, zero points.
"""
import random
import sys

import trial
from trial import Case, Way, tensor

EXACT = ["--atol=0", "--rtol=0"]
STORAGE = {"i4": (-8, 7), "u4": (0, 15), "i8": (-128, 127), "u8": (0, 255), "i16": (-32768, 32767), "u16": (0, 65535),
           "i32": (-2**31, 2**31 - 1), "u32": (0, 2**32 - 1)}
UNARY = ["abs", "negate", "ceil", "floor", "cosine", "sine", "tan", "tanh", "exponential", "exponential_minus_one", "log",
         "log_plus_one", "logistic", "sqrt", "rsqrt", "cbrt", "sign", "round_nearest_afz", "round_nearest_even"]
BINARY = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "atan2", "remainder"]
ROUNDED = ["abs", "negate", "ceil", "floor", "sqrt", "sign", "round_nearest_afz", "round_nearest_even"]
ROUNDED_PAIRS = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "remainder"]
APART = "--stablehlo-legalize-quantized-op-to-qdq"
TOGETHER = "--stablehlo-legalize-qdq-to-quantized-op"
MATH = "--stablehlo-legalize-quant-to-math"


class Quant:
    """A quantized element type: its text, and for scales per axis the dimension and its size."""

    def __init__(self, rng, axis=None, size=0, zero=False, storage=None, expressed="f32", like=None):
        self.axis = axis
        self.storage = name = like.storage if like else storage or rng.choice(list(STORAGE))
        low, high = like.range if like else STORAGE[name]
        if not like and rng.random() < 0.3:
            low, high = (low + rng.randint(0, 3) if low else 0), high - rng.randint(1, 4)
            if name in ("i32", "u32"):
                low, high = -rng.randint(10, 999) if low else 0, rng.randint(10, 999)
        self.range = low, high
        narrow = "" if STORAGE[name] == self.range else f"<{low}:{high}>"
        pairs = ", ".join(f"{rng.choice([0.5, 0.25, 0.125, 0.0625, 0.1, 0.03, 1.0])}:"
                          f"{0 if zero else rng.randint(max(low, -100), min(high, 100))}" for _ in range(size or 1))
        self.text = f"!quant.uniform<{name}{narrow}:{expressed}" + (f":{axis}, {{{pairs}}}>" if axis is not None else f", {pairs}>")


class Program:
    def __init__(self, rng):
        self.rng, self.args, self.lines, self.results, self.steps = rng, [], [], [], 0
        self.stretch = 0

    def arg(self, shape, elem):
        """An argument. With a stretch, a quantized one is made of floats, so that it is the same whatever stores it."""
        of = "f32" if self.stretch else elem
        self.args.append(f"%arg{len(self.args)}: {tensor(shape, of)}")
        x = f"%arg{len(self.args) - 1}"
        if of == elem:
            return x
        t = tensor(shape, of)
        by = self.line(f"stablehlo.constant dense<{float(self.stretch)}> : {t}")
        x = self.op("multiply", [x, by], [t, t], t)
        return self.op("uniform_quantize", [x], [t], tensor(shape, elem))

    def line(self, text):
        self.lines.append(f"%{len(self.lines)} = {text}")
        return f"%{len(self.lines) - 1}"

    def op(self, name, operands, types, out, attrs=""):
        """An op in its generic form."""
        return self.line(f'"stablehlo.{name}"({", ".join(operands)}){attrs} : ({", ".join(types)}) -> {out}')

    def give(self, value, type):
        self.results.append((value, type))

    def text(self):
        types = ", ".join(t for _, t in self.results)
        body = "\n  ".join(self.lines)
        return (f"func.func @main({', '.join(self.args)}) -> ({types}) {{\n  {body}\n"
                f"  return {', '.join(v for v, _ in self.results)} : {types}\n}}\n")


def moved(p, x, shape, elem):
    """An op that moves elements, of one type."""
    r, t = p.rng, tensor(shape, elem)
    kind = r.choice(["transpose", "reshape", "slice", "concatenate", "broadcast_in_dim", "pad"])
    if kind == "transpose":
        order = list(range(len(shape)))
        r.shuffle(order)
        out = [shape[d] for d in order]
        attrs = f" {{permutation = array<i64: {', '.join(map(str, order))}>}}"
        return p.op(kind, [x], [t], tensor(out, elem), attrs), out
    if kind == "reshape":
        out = [trial.count(shape)]
        return p.op(kind, [x], [t], tensor(out, elem)), out
    if kind == "slice":
        low = [r.randint(0, d - 1) for d in shape]
        out = [d - a for d, a in zip(shape, low)]
        attrs = (f" {{start_indices = array<i64: {', '.join(map(str, low))}>, limit_indices = array<i64: {', '.join(map(str, shape))}>, "
                 f"strides = array<i64: {', '.join('1' for _ in shape)}>}}")
        return p.op(kind, [x], [t], tensor(out, elem), attrs), out
    if kind == "concatenate":
        out = [shape[0] * 2, *shape[1:]]
        return p.op(kind, [x, x], [t, t], tensor(out, elem), " {dimension = 0 : i64}"), out
    if kind == "pad":
        y = p.arg([], elem)
        out = [d + 1 for d in shape]
        one = f"array<i64: {', '.join('1' for _ in shape)}>"
        zero = one.replace("1", "0")
        attrs = f" {{edge_padding_low = {one}, edge_padding_high = {zero}, interior_padding = {zero}}}".replace("arr0y", "array")
        return p.op(kind, [x, y], [t, tensor([], elem)], tensor(out, elem), attrs), out
    out = [2, *shape]
    attrs = f" {{broadcast_dimensions = array<i64: {', '.join(str(d + 1) for d in range(len(shape)))}>}}"
    return p.op(kind, [x], [t], tensor(out, elem), attrs), out


def product(p, x, shape, q, floats=False):
    """x times weights, per tensor or per axis; floats: everything is f32."""
    r = p.rng
    n = r.randint(1, 4)
    if floats:
        w, out = "f32", "f32"
    elif q.axis is None and r.random() < 0.5:
        w = Quant(r, 1, n, zero=True, like=q).text
        out = Quant(r, len(shape) - 1, n, zero=True, storage="i32").text
    else:
        w = Quant(r, zero=True, like=q).text
        out = Quant(r, storage="i32").text if r.random() < 0.5 else Quant(r, like=q).text
    y = p.arg([shape[-1], n], w)
    to = [*shape[:-1], n]
    dims = f"#stablehlo.dot<lhs_contracting_dimensions = [{len(shape) - 1}], rhs_contracting_dimensions = [0]>"
    v = p.op("dot_general", [x, y], [tensor(shape, q if floats else q.text), tensor([shape[-1], n], w)], tensor(to, out),
             f" {{dot_dimension_numbers = {dims}}}")
    return v, to, out


def some_type(r, shape, expressed="f32"):
    if r.random() < 0.25:
        d = r.randrange(len(shape))
        return Quant(r, d, shape[d], expressed=expressed)
    return Quant(r, expressed=expressed)


def fits_math(rng):
    """A type whose integers are in i32: there is no math for others."""
    q = Quant(rng)
    return q if q.range[1] < 2**31 else fits_math(rng)


def chain(rng, unary=UNARY, binary=BINARY, products=True):
    """Ops on quantized numbers, each on what the one before gave."""
    p = Program(rng)
    expressed = rng.choice(["f32", "f32", "f32", "bf16", "f16"] if products else ["f32", "f32", "f64", "bf16", "f16"])
    shape = [rng.randint(1, 4) for _ in range(rng.randint(1, 3))]
    q = some_type(rng, shape, expressed)
    x = p.arg(shape, q.text)
    for _ in range(rng.randint(1, 4)):
        t, kind = tensor(shape, q.text), rng.random()
        if q.axis is not None and kind < 0.88:
            x = p.op("add", [x, p.arg(shape, q.text)], [t, t], t)  # nothing else has numbers per axis
        elif kind < 0.35:
            x = p.op(rng.choice(unary), [x], [t], t)
        elif kind < 0.65:
            x = p.op(rng.choice(binary), [x, p.arg(shape, q.text)], [t, t], t)
        elif kind < 0.72:
            y = p.arg(shape, q.text)
            c = p.op("compare", [x, y], [t, t], tensor(shape, "i1"),
                     f" {{comparison_direction = #stablehlo<comparison_direction {rng.choice(['LT', 'GE', 'EQ'])}>}}")
            x = p.op("select", [c, x, y], [tensor(shape, "i1"), t, t], t)
        elif kind < 0.8:
            low, high = p.arg(shape, q.text), p.arg(shape, q.text)
            x = p.op("clamp", [low, x, high], [t, t, t], t)
        elif kind < 0.88 and q.axis is None:
            x, shape = moved(p, x, shape, q.text)
        elif kind < 0.94 and products and q.axis is None and expressed == "f32" and q.storage != "i32":
            v, to, out = product(p, x, shape, q)
            p.give(v, tensor(to, out))
        else:
            other = Quant(rng, expressed=expressed)
            x = p.op("uniform_quantize", [x], [t], tensor(shape, other.text))
            q = other
        if rng.random() < 0.3:
            p.give(x, tensor(shape, q.text))
    if rng.random() < 0.5:
        p.give(p.op("uniform_dequantize", [x], [tensor(shape, q.text)], tensor(shape, expressed)), tensor(shape, expressed))
    p.give(x, tensor(shape, q.text))
    return p


def rounded(rng):
    """A chain of ops whose floats are the same in any order: rounded once."""
    return chain(rng, ROUNDED, ROUNDED_PAIRS, products=False)


def written_out(rng):
    """dequantize, an op, quantize, several times; values between are given back now and then."""
    p = Program(rng)
    shape = [rng.randint(1, 4) for _ in range(rng.randint(1, 3))]
    q = some_type(rng, shape)
    x = p.arg(shape, q.text)
    for _ in range(rng.randint(1, 3)):
        f, kind = tensor(shape, "f32"), rng.random()
        d = p.op("uniform_dequantize", [x], [tensor(shape, q.text)], f)
        if rng.random() < 0.3:
            p.give(d, f)
        if kind < 0.3:
            y = p.op(rng.choice(UNARY), [d], [f], f)
        elif kind < 0.6:
            other = q if rng.random() < 0.5 else some_type(rng, shape)
            e = p.op("uniform_dequantize", [p.arg(shape, other.text)], [tensor(shape, other.text)], f)
            y = p.op(rng.choice(BINARY), [d, e], [f, f], f)
        elif kind < 0.8:
            y, shape = moved(p, d, shape, "f32")
        else:
            y, shape, _ = product(p, d, shape, "f32", floats=True)
        f = tensor(shape, "f32")
        if rng.random() < 0.3:
            p.give(y, f)
        q = q if q.axis is None and rng.random() < 0.5 else some_type(rng, shape)
        x = p.op("uniform_quantize", [y], [f], tensor(shape, q.text))
    p.give(x, tensor(shape, q.text))
    return p


def single(rng):
    """One op that computes, between moves; steps: how far its integers may be off."""
    p = Program(rng)
    p.stretch = rng.choice([1, 4, 16, 100])
    shape = [rng.randint(1, 4) for _ in range(rng.randint(1, 3))]
    q = fits_math(rng)
    x = p.arg(shape, q.text)
    if rng.random() < 0.3:
        x, shape = moved(p, x, shape, q.text)
    t, kind = tensor(shape, q.text), rng.random()
    if kind < 0.2:
        x = p.op(rng.choice(UNARY), [x], [t], t)
    elif kind < 0.4:
        x = p.op(rng.choice(BINARY), [x, p.arg(shape, q.text)], [t, t], t)
    elif kind < 0.6:
        a, b = Quant(rng, like=q), Quant(rng, like=q)
        y = p.arg(shape, a.text)
        x = p.op("add", [x, y], [t, tensor(shape, a.text)], tensor(shape, b.text))
        p.steps, q = 1, b
    elif kind < 0.8:
        v, to, out = product(p, x, shape, q)
        p.steps = 2
        p.give(v, tensor(to, out))
        return p
    else:
        other = fits_math(rng)
        x = p.op("uniform_quantize", [x], [t], tensor(shape, other.text))
        p.steps, q = 1, other
    if rng.random() < 0.3:
        x, shape = moved(p, x, shape, q.text)
    p.give(x, tensor(shape, q.text))
    return p


KINDS = [("chain", chain, [Way([APART], EXACT), Way([APART, TOGETHER], EXACT)]),
         ("written", written_out, [Way([TOGETHER], EXACT), Way([TOGETHER, APART], EXACT)]),
         ("single", single, [Way([MATH])]),
         ("rounded", rounded, [Way([], [*EXACT, "--engine=reference"])])]


def main():
    options = trial.parser(__doc__, 300).parse_args()

    def make(i, seed):
        rng = random.Random(seed)
        name, maker, ways = KINDS[i % len(KINDS)]
        p = maker(rng)
        run = [f"--atol={p.steps}", "--rtol=0"] if maker is single and p.steps else []
        inputs = ["--input=random", f"--seed={rng.randint(0, 999)}"]
        return Case(f"program {seed} ({name})", p.text(), inputs, f"quant_{name}_{seed}", run=run, ways=ways)

    return trial.every(options, make, [])


if __name__ == "__main__":
    sys.exit(main())
