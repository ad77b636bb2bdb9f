# SPDX-License-Identifier: Apache-2.0
"""Rows of random ops. Their numbers follow torch's generator by a seed that each call draws from it; they are not torch's own bits."""

from ._torch_emit import BITS, Unsupported, is_float, numel
from ._torch_table import row


@row("rand", "rand_like", "prims.inductor_random")
def rand(e, out, *_, **__):
    if not is_float(out.d):
        raise Unsupported("complex numbers")
    return e.uniform(out.s, out.d)


@row("randn", "randn_like")
def randn(e, out, *_, **__):
    if not is_float(out.d):
        raise Unsupported("complex numbers")
    return e.normal(out.s, out.d)


@row("uniform", "uniform_")
def uniform(e, out, a, low=0.0, high=1.0, **_):
    u = e.uniform(out.s, out.d)
    return e.bi("add", e.bi("multiply", u, e.const(high - low, out.s, out.d)), e.const(low, out.s, out.d))


@row("normal_functional", "normal_")
def normal(e, out, a, mean=0.0, std=1.0, **_):
    n = e.normal(out.s, out.d)
    return e.bi("add", e.bi("multiply", n, e.const(std, out.s, out.d)), e.const(mean, out.s, out.d))


@row("normal.Tensor_Tensor", "normal.Tensor_float", "normal.float_Tensor", "normal.float_float")
def normal_of(e, out, mean=0.0, std=1.0, *_, **__):
    n = e.normal(out.s, out.d)
    return e.bi("add", e.bi("multiply", n, e.fit(std, out.s, out.d)), e.fit(mean, out.s, out.d))


def _below(e, s, p):
    return e.compare("LT", e.uniform(s, "f32"), p)


@row("bernoulli", "bernoulli.p", "bernoulli_")
def bernoulli(e, out, a, p=None, **_):
    p = e.cast(a, "f32") if p is None else e.fit(p, out.s, "f32")
    return e.cast(_below(e, out.s, p), out.d)


@row("native_dropout")
def native_dropout(e, outs, a, p, train):
    if train is False or p == 0:
        return [a, e.const(True, a.s, "i1")]
    keep = _below(e, a.s, e.const(1 - p, a.s, "f32"))
    kept = e.bi("multiply", a, e.const(1 / (1 - p) if p < 1 else 0, a.s, a.d))
    return [e.select(keep, kept, e.const(0, a.s, a.d)), keep]


@row("randint", "randint.low", "randint_like", "randint_like.low_dtype")
def randint(e, out, *args, **_):
    values = [x for x in args if isinstance(x, int) and not isinstance(x, bool)]
    low, high = (0, values[0]) if len(values) == 1 else values[:2]
    return integers(e, out, low, high)


@row("random.from", "random.to", "random")
def random(e, out, a, *bounds, **_):
    if len(bounds) == 2:
        return integers(e, out, bounds[0], bounds[1])
    top = bounds[0] if bounds else 2**24 if out.d == "f32" else 2 ** (BITS[out.d] - 1) - 1
    return integers(e, out, 0, min(top, 2**62))


def integers(e, out, low, high):
    words = e.bits(out.s, "ui64")
    left = e.bi("remainder", words, e.const(max(1, high - low), out.s, "ui64"))
    made = e.bi("add", e.cast(left, "i64"), e.const(low, out.s, "i64"))
    return e.cast(made, out.d)


@row("randperm")
def randperm(e, out, n, *_, **__):
    keys = e.bits(out.s, "ui64")
    return e.cast(e.sort([keys, e.iota(0, out.s, "i64")], 0)[1], out.d) if numel(out.s) else e.const(0, out.s, out.d)


@row("exponential", "exponential_")
def exponential(e, out, a, rate=1.0, **_):
    u = e.bi("subtract", e.const(1, out.s, "f32"), e.uniform(out.s, "f32"))
    x = e.bi("divide", e.un("negate", e.un("log", u)), e.const(rate, out.s, "f32"))
    return e.cast(x, out.d)


