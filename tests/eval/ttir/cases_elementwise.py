# SPDX-License-Identifier: Apache-2.0
"""Elementwise ops on random numbers: all functions, types, and operands that broadcast in every way."""
import math

import numpy as np

from case import Case, module

erf, erfc = np.vectorize(math.erf, otypes=[float]), np.vectorize(math.erfc, otypes=[float])


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


ANY = {"abs": np.abs, "cbrt": np.cbrt, "ceil": np.ceil, "cos": np.cos, "floor": np.floor, "frac": lambda x: x - np.trunc(x),
       "trunc": np.trunc, "gelu": lambda x: x * 0.5 * erfc(-x / math.sqrt(2)), "mish": lambda x: x * np.tanh(np.log1p(np.exp(x))),
       "neg": np.negative, "atan": np.arctan, "tanh": np.tanh, "relu": lambda x: np.maximum(x, 0), "sigmoid": sigmoid,
       "relu6": lambda x: np.clip(x, 0, 6), "softsign": lambda x: x / (1 + np.abs(x)), "silu": lambda x: x * sigmoid(x),
       "hardsigmoid": lambda x: np.clip(x / 6 + 0.5, 0, 1), "sign": np.sign, "sin": np.sin, "asinh": np.arcsinh, "tan": np.tan,
       "square": np.square, "expm1": np.expm1, "exp": np.exp, "exp2": np.exp2, "erf": erf, "erfc": erfc}
POSITIVE = {"rsqrt": lambda x: x ** -0.5, "sqrt": np.sqrt, "log": np.log, "log1p": np.log1p, "reciprocal": lambda x: 1 / x}
UNIT = {"acos": np.arccos, "asin": np.arcsin}
PAIRS = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "div": np.divide, "maximum": np.maximum,
         "minimum": np.minimum, "atan2": np.arctan2, "remainder": np.fmod}
SHAPES = [((3, 4), (3, 4)), ((3, 4), (4,)), ((3, 1), (1, 4)), ((2, 1, 4), (1, 3, 1)), ((0, 4), (4,)), ((), (2, 2)),
          ((2, 3, 5, 7), (2, 1, 5, 1)), ((2, 3, 5, 7), (1, 3, 1, 7)), ((33, 1, 17), (1, 9, 17))]
COMPARE = {"eq": np.equal, "ne": np.not_equal, "ge": np.greater_equal, "gt": np.greater, "le": np.less_equal, "lt": np.less}
BITS = {"bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor}


def short(x):
    """f32 numbers that bf16 has."""
    return (np.asarray(x, "float32").view("uint32") & np.uint32(0xFFFF0000)).view("float32")


def one(op, inputs, want, attributes="", elements=None, rtol=None, atol=None):
    name = "%s %s%s" % (op, " ".join(str(x.shape) for x in inputs), " ".join([""] + (elements or [])))
    return Case(name, module("ttir." + op, inputs, [want], attributes, elements=elements), inputs, [want], rtol, atol)


def functions(rng):
    out = []
    for group, low, high in ((ANY, -6, 6), (POSITIVE, 0.02, 5), (UNIT, -1, 1)):
        for op, f in group.items():
            x = rng.uniform(low, high, (3, 5, 7)).astype("float32")
            out.append(one(op, [x], f(x.astype(float)).astype("float32")))
            x = short(x)
            out.append(one(op, [x], f(x.astype(float)).astype("float32"), elements=["bf16", "bf16"]))
    for op in ("abs", "neg", "sign", "relu", "relu6", "square", "floor", "ceil", "trunc"):
        x = rng.integers(-9, 9, 12).astype("int32")
        out.append(one(op, [x], np.asarray(ANY[op](x)).astype("int32")))
    return out


def pairs(rng):
    out = []
    for op, f in PAIRS.items():
        for left, right in SHAPES:
            a, b = rng.uniform(-2, 2, left).astype("float32"), rng.uniform(0.5, 3, right).astype("float32")
            out.append(one(op, [a, b], f(a.astype(float), b.astype(float)).astype("float32"), rtol=1e-5, atol=1e-6))
        a, b = short(a), short(b)
        out.append(one(op, [a, b], f(a.astype(float), b.astype(float)).astype("float32"), elements=["bf16"] * 3))
    for op, f in COMPARE.items():
        a, b = rng.integers(-3, 3, (3, 9)).astype("float32"), rng.integers(-3, 3, 9).astype("float32")
        out.append(one(op, [a, b], f(a, b)))
        out.append(one(op, [a, b], f(a, b).astype("float32"), elements=["bf16", "bf16", "bf16"]))
    for op, f in BITS.items():
        for t in ("int32", "uint8", "int64"):
            a, b = rng.integers(0, 100, (3, 9)).astype(t), rng.integers(0, 100, 9).astype(t)
            out.append(one(op, [a, b], f(a, b)))
    a, b = rng.integers(-1000, 1000, (3, 9)).astype("int32"), rng.integers(0, 9, 9).astype("int32")
    out.append(one("right_shift", [a, b], a >> b))
    out.append(one("logical_left_shift", [a, b], a << b))
    out.append(one("logical_right_shift", [a, b], (a.view("uint32") >> b.astype("uint32")).view("int32")))
    a, b = rng.uniform(0.1, 3, (3, 4)).astype("float32"), rng.uniform(-2, 2, (3, 1)).astype("float32")
    out.append(one("pow", [a, b], np.power(a.astype(float), b).astype("float32"), rtol=1e-5, atol=1e-6))
    return out


def casts(rng):
    out = []
    for a in ("float32", "float64", "float16", "int32", "int8", "uint8", "int64", "bool"):
        for b in ("float32", "int32", "int8", "uint8", "bool", "int64"):
            x = rng.uniform(0, 9, (3, 5)).astype(a)
            out.append(one("typecast", [x], x.astype(b)))
    return out


def three(rng):
    out = []
    for shapes in (((3, 4),) * 3, ((3, 1), (4,), (3, 4)), ((1,), (3, 4), (1, 4))):
        c = rng.integers(0, 2, shapes[0]).astype("float32")
        a, b = (rng.uniform(-2, 2, s).astype("float32") for s in shapes[1:])
        out.append(one("where", [c, a, b], np.where(c != 0, a, b), elements=["f32"] * 4))
    x, low, high = (rng.uniform(-2, 2, s).astype("float32") for s in ((4, 4), (4, 1), (1, 4)))
    out.append(one("clamp_tensor", [x, low, high], np.minimum(np.maximum(x, low), high)))
    out.append(one("clamp_scalar", [x], np.clip(x, -1, 0.5), "min = -1.0 : f32, max = 0.5 : f32"))
    return out


def cases():
    rng = np.random.default_rng(11)
    return functions(rng) + pairs(rng) + casts(rng) + three(rng)
