# SPDX-License-Identifier: Apache-2.0
"""Rows of reductions, cumulative ops, sorts, products of matrices, and norms of vectors."""

import math

from ._torch_emit import COMPLEX, V, Unsupported, axes_of, axis, is_complex, is_float, is_int, least, most, numel, wide
from ._torch_table import row


def total(e, a, axes, keep=False):
    return e.reduce("add", a, axes, 0, keep)


@row("sum", "prims.sum")
def sum_(e, out, a, dims=None, keepdim=False, **_):
    return e.cast(total(e, e.cast(a, wide(out.d)), axes_of(dims, a.rank), keepdim), out.d)


def mean_of(e, x, axes, keep=False):
    n = math.prod(x.s[i] for i in axes)
    r = total(e, x, axes, keep)
    return e.bi("divide", r, e.const(n, r.s, r.d)) if n else e.bi("divide", r, e.const(0, r.s, r.d))


@row("mean")
def mean(e, out, a, dims=None, keepdim=False, **_):
    return e.cast(mean_of(e, e.cast(a, wide(out.d)), axes_of(dims, a.rank), keepdim), out.d)


@row("prod", "prims.prod")
def prod(e, out, a, dims=None, keepdim=False, **_):
    if out.d == "i1":
        return e.reduce("and", a, axes_of(dims, a.rank), True, keepdim)
    return e.cast(e.reduce("multiply", e.cast(a, wide(out.d)), axes_of(dims, a.rank), 1, keepdim), out.d)


@row("any")
def any_(e, out, a, dims=None, keepdim=False):
    return e.cast(e.reduce("or", e.cast(a, "i1"), axes_of(dims, a.rank), False, keepdim), out.d)


@row("all")
def all_(e, out, a, dims=None, keepdim=False):
    return e.cast(e.reduce("and", e.cast(a, "i1"), axes_of(dims, a.rank), True, keepdim), out.d)


def greatest(e, a, axes, keep=False):
    return e.reduce("or", a, axes, False, keep) if a.d == "i1" else e.reduce("maximum", a, axes, least(a.d), keep)


def smallest(e, a, axes, keep=False):
    return e.reduce("and", a, axes, True, keep) if a.d == "i1" else e.reduce("minimum", a, axes, most(a.d), keep)


@row("amax", "max.default", "prims.amax")
def amax(e, out, a, dims=(), keepdim=False):
    return greatest(e, a, axes_of(dims, a.rank), keepdim)


@row("amin", "min.default", "prims.amin")
def amin(e, out, a, dims=(), keepdim=False):
    return smallest(e, a, axes_of(dims, a.rank), keepdim)


@row("aminmax")
def aminmax(e, outs, a, dim=None, keepdim=False):
    axes = axes_of(dim, a.rank)
    return [smallest(e, a, axes, keepdim), greatest(e, a, axes, keepdim)]


def best(e, a, dim, greatest_):
    """The greatest or smallest elements along a dimension, and where they are: the first one, NaN before all others."""
    if a.d == "i1":
        value, index = best(e, e.cast(a, "i8"), dim, greatest_)
        return e.cast(value, "i1"), index

    def meet(v, i, w, j):
        better = e.compare("GT" if greatest_ else "LT", v, w)
        if is_float(v.d):
            better = e.bi("or", better, e.compare("NE", v, v))
        equal = e.compare("EQ", v, w)
        if is_float(v.d):
            both = e.bi("and", e.compare("NE", v, v), e.compare("NE", w, w))
            equal = e.bi("or", equal, both)
            better = e.bi("and", better, e.un("not", both))
        first = e.bi("and", equal, e.compare("LT", i, j))
        return [e.select(better, v, w), e.select(e.bi("or", better, first), i, j)]

    worst = least(a.d) if greatest_ else most(a.d)
    return e.reduce_many([a, e.iota(dim, a.s, "i64")], [worst, 2**63 - 1], (dim,), meet)


def _best_dim(greatest_):
    def made(e, outs, a, dim, keepdim=False):
        if not a.s:
            return [a, e.const(0, (), "i64")]
        value, index = best(e, a, axis(dim, a.rank), greatest_)
        return [e.reshape(value, outs[0].s), e.reshape(index, outs[1].s)]

    return made


row("max.dim")(_best_dim(True))
row("min.dim")(_best_dim(False))


def _arg(greatest_):
    def made(e, out, a, dim=None, keepdim=False):
        if not a.s:
            return e.const(0, out.s, "i64")
        if dim is None:
            a, dim = e.reshape(a, (numel(a.s),)), 0
        return e.reshape(best(e, a, axis(dim, a.rank), greatest_)[1], out.s)

    return made


row("argmax")(_arg(True))
row("argmin")(_arg(False))


def variance(e, x, axes, correction, keep):
    """Variance and mean, the mean with its dimensions."""
    m = mean_of(e, x, axes, True)
    y = e.bi("subtract", x, e.broadcast(m, x.s))
    if is_complex(x.d):
        square = e.bi("add", *(e.bi("multiply", p, p) for p in (e.real(y), e.imag(y))))
    else:
        square = e.bi("multiply", y, y)
    v = total(e, square, axes, keep)
    n = max(0, math.prod(x.s[i] for i in axes) - correction)
    return e.bi("divide", v, e.const(n, v.s, v.d)), m


def _correction(correction, unbiased):
    return (1 if unbiased else 0) if isinstance(unbiased, bool) else 1 if correction is None else correction


@row("var.correction")
def var(e, out, a, dims=None, correction=None, keepdim=False):
    w = wide(out.d) if not is_complex(a.d) else a.d
    return e.cast(variance(e, e.cast(a, w), axes_of(dims, a.rank), _correction(correction, None), keepdim)[0], out.d)


@row("var.dim")
def var_dim(e, out, a, dims, unbiased=True, keepdim=False):
    return var(e, out, a, dims, 1 if unbiased else 0, keepdim)


@row("var.default")
def var_default(e, out, a, unbiased=True):
    return var(e, out, a, None, 1 if unbiased else 0)


@row("std.correction")
def std(e, out, a, dims=None, correction=None, keepdim=False):
    w = wide(out.d) if not is_complex(a.d) else a.d
    v, _ = variance(e, e.cast(a, w), axes_of(dims, a.rank), _correction(correction, None), keepdim)
    return e.cast(e.un("sqrt", v), out.d)


@row("var_mean.correction")
def var_mean(e, outs, a, dims=None, correction=None, keepdim=False):
    w = wide(outs[0].d) if not is_complex(a.d) else a.d
    v, m = variance(e, e.cast(a, w), axes_of(dims, a.rank), _correction(correction, None), keepdim)
    return [e.cast(v, outs[0].d), e.cast(e.reshape(m, outs[1].s), outs[1].d)]


@row("linalg_vector_norm")
def vector_norm(e, out, a, ord=2, dims=None, keepdim=False, **_):
    axes, w = axes_of(dims, a.rank), wide(out.d)
    if is_complex(a.d):
        x = e.cast(e.op("stablehlo.abs", (a,), (), [(a.s, COMPLEX[a.d])])[0], w)
    else:
        x = e.cast(a, w)
    if ord == 2:
        made = e.un("sqrt", total(e, e.bi("multiply", x, x), axes, keepdim))
    elif ord in (math.inf, -math.inf):
        found = greatest if ord > 0 else smallest
        made = found(e, e.un("abs", x), axes, keepdim)
    elif ord == 1:
        made = total(e, e.un("abs", x), axes, keepdim)
    elif ord == 0:
        made = total(e, e.cast(e.compare("NE", x, e.const(0, x.s, w)), w), axes, keepdim)
    else:
        powers = total(e, e.bi("power", e.un("abs", x), e.const(ord, x.s, w)), axes, keepdim)
        made = e.bi("power", powers, e.const(1 / ord, powers.s, w))
    return e.cast(made, out.d)


# Cumulative

def cumulative(e, op, x, dim, init):
    n = x.s[dim]
    sizes, low = [1] * x.rank, [0] * x.rank
    sizes[dim], low[dim] = n, n - 1
    return e.window(op, x, init, sizes, [1] * x.rank, low, [0] * x.rank)


def _cumulative(op, init):
    def made(e, out, a, dim, **_):
        x = e.cast(a, wide(out.d))
        if x.s and numel(x.s):
            x = cumulative(e, op, x, axis(dim, x.rank), init)
        return e.cast(x, out.d)

    return made


row("cumsum")(_cumulative("add", 0))
row("cumprod")(_cumulative("multiply", 1))


# Sorts

@row("sort", "sort.stable", "prims.sort")
def sort(e, outs, a, *args, dim=None, descending=None, stable=None):
    given = [x for x in args if x is not None]
    if dim is None:  # dim, descending; or stable, dim, descending
        places = [x for x in given if not isinstance(x, bool)]
        dim = places[0] if places else -1
    if descending is None:
        flags = [x for x in given if isinstance(x, bool)]
        descending = flags[-1] if flags and isinstance(given[-1], bool) and not (len(given) == 1) else False
    if not a.s:
        return [a, e.const(0, (), "i64")]
    d = axis(dim, a.rank)
    key = e.cast(a, "i8") if a.d == "i1" else a
    values, index = e.sort([key, e.iota(d, a.s, "i64")], d, descending)
    return [e.cast(values, a.d), index]


@row("argsort", "argsort.stable")
def argsort(e, out, a, dim=-1, descending=False, stable=False):
    return sort(e, [out, out], a, dim=dim, descending=descending)[1]


@row("topk")
def topk(e, outs, a, k, dim=-1, largest=True, sorted=True):
    if not a.s:
        return [e.reshape(a, outs[0].s), e.const(0, outs[1].s, "i64")]
    d = axis(dim, a.rank)
    if largest and d == a.rank - 1 and is_float(a.d) and k:
        values, index = e.op("chlo.top_k", (a,), [("k", "i64", k)], [(outs[0].s, a.d), (outs[1].s, "i32")])
        return [values, e.cast(index, "i64")]
    values, index = e.sort([a, e.iota(d, a.s, "i64")], d, largest)
    return [e.cut(values, d, 0, k), e.cut(index, d, 0, k)]


@row("kthvalue")
def kthvalue(e, outs, a, k, dim=-1, keepdim=False):
    if not a.s:
        return [a, e.const(0, (), "i64")]
    return _nth(e, outs, a, axis(dim, a.rank), k - 1)


@row("median.dim")
def median(e, outs, a, dim=-1, keepdim=False):
    if not a.s:
        return [a, e.const(0, (), "i64")]
    d = axis(dim, a.rank)
    if is_float(a.d):
        raise Unsupported("NaN comes first in a median")
    return _nth(e, outs, a, d, (a.s[d] - 1) // 2)


def _nth(e, outs, a, d, i):
    values, index = e.sort([a, e.iota(d, a.s, "i64")], d)
    return [e.reshape(e.cut(v, d, i, i + 1), o.s) for v, o in zip((values, index), outs)]


# Products of matrices

def product(e, a, b, batch, contract, d):
    """A product with elements of d; products of integers and of narrow floats are those of wider ones."""
    if a.d == "i1":
        raise Unsupported("products of bool")
    return e.dot(a, b, batch, contract, d)


@row("mm")
def mm(e, out, a, b, *_):
    return e.cast(product(e, a, b, ((), ()), ([1], [0]), a.d), out.d)


@row("bmm")
def bmm(e, out, a, b, *_):
    return e.cast(product(e, a, b, ([0], [0]), ([2], [1]), a.d), out.d)


@row("mv")
def mv(e, out, a, b):
    return product(e, a, b, ((), ()), ([1], [0]), out.d)


@row("dot", "vdot")
def dot(e, out, a, b):
    if is_complex(a.d):
        raise Unsupported("complex numbers")
    return product(e, a, b, ((), ()), ([0], [0]), out.d)


def _added(e, out, c, made, beta, alpha):
    if alpha != 1:
        made = e.bi("multiply", made, e.const(alpha, made.s, made.d))
    if beta == 0:
        return made
    c = e.fit(c, out.s, out.d)
    if beta != 1:
        c = e.bi("multiply", c, e.const(beta, c.s, c.d))
    return e.bi("add", made, c)


@row("addmm")
def addmm(e, out, c, a, b, *_, beta=1, alpha=1):
    if is_int(out.d) and not all(isinstance(x, int) for x in (beta, alpha)):
        raise Unsupported("factors that are no integers")
    w = wide(out.d)
    if w != out.d and (beta, alpha) != (1, 1):
        out_w = type(out)(out.s, w)
        return e.cast(_added(e, out_w, c, e.dot(a, b, ((), ()), ([1], [0]), w), beta, alpha), out.d)
    return _added(e, out, c, product(e, a, b, ((), ()), ([1], [0]), out.d), beta, alpha)


@row("baddbmm")
def baddbmm(e, out, c, a, b, *_, beta=1, alpha=1):
    return _added(e, out, c, product(e, a, b, ([0], [0]), ([2], [1]), out.d), beta, alpha)


@row("addmv")
def addmv(e, out, c, a, b, *_, beta=1, alpha=1):
    return _added(e, out, c, product(e, a, b, ((), ()), ([1], [0]), out.d), beta, alpha)


@row("addbmm")
def addbmm(e, out, c, a, b, *_, beta=1, alpha=1):
    return _added(e, out, c, product(e, a, b, ((), ()), ([0, 2], [0, 1]), out.d), beta, alpha)


@row("linear")
def linear(e, out, a, w, b=None):
    made = e.dot(a, w, ((), ()), ([a.rank - 1], [1]))
    return made if b is None else e.bi("add", made, e.broadcast(b, out.s))


# Transforms of Fourier

@row("_fft_c2c")
def fft_c2c(e, out, a, dims, normalization, forward):
    x = a
    for d in dims:
        x = _transform(e, x, axis(d, a.rank), "FFT" if forward else "IFFT", a.s[axis(d, a.rank)])
    n = math.prod(a.s[axis(d, a.rank)] for d in dims)
    factor = {0: 1, 1: n**-0.5, 2: 1 / n}[normalization] * (1 if forward else n)
    return _times(e, x, factor)


@row("_fft_r2c")
def fft_r2c(e, out, a, dims, normalization, onesided):
    dims = [axis(d, a.rank) for d in dims]
    last = dims[-1]
    x = _transform(e, a, last, "RFFT", a.s[last])
    if not onesided:
        raise Unsupported("two-sided")
    for d in dims[:-1]:
        x = _transform(e, x, d, "FFT", x.s[d])
    n = math.prod(a.s[d] for d in dims)
    return _times(e, x, {0: 1, 1: n**-0.5, 2: 1 / n}[normalization])


@row("_fft_c2r")
def fft_c2r(e, out, a, dims, normalization, last_size):
    dims = [axis(d, a.rank) for d in dims]
    x = a
    for d in dims[:-1]:
        x = _transform(e, x, d, "IFFT", x.s[d])
    x = _transform(e, x, dims[-1], "IRFFT", last_size)
    n = math.prod(out.s[d] for d in dims)
    return _times(e, x, {0: 1, 1: n**-0.5, 2: 1 / n}[normalization] * n)


def _times(e, x, factor):
    return x if factor == 1 else e.bi("multiply", x, e.const(factor, x.s, x.d))


def _transform(e, x, dim, kind, n):
    last = x.rank - 1
    order = list(range(x.rank))
    order[dim], order[last] = order[last], order[dim]
    x = e.transpose(x, order)
    size = {"RFFT": n // 2 + 1, "IRFFT": n}.get(kind, n)
    d = {"RFFT": f"complex<{x.d}>", "IRFFT": COMPLEX.get(x.d)}.get(kind, x.d)
    if kind == "IRFFT":
        x = e.cut(x, last, 0, n // 2 + 1)
    if not numel(x.s) or not isinstance(x, V):
        raise Unsupported("nothing to transform")
    attrs = [("fft_type", "stablehlo.fft_type", kind), ("fft_length", "i64s", [n])]
    made = e.op("stablehlo.fft", (x,), attrs, [((*x.s[:-1], size), d)])[0]
    return e.transpose(made, order)
