# SPDX-License-Identifier: Apache-2.0
"""Rows of elementwise ops."""

import math

from ._torch_emit import BITS, COMPLEX, V, Unsupported, common, exact, is_complex, is_float, is_int, least, most, wide
from ._torch_table import row


def opmath(d, *xs):
    """The type in which torch computes: numbers that a narrow float type does not have are not rounded to it first."""
    return "f32" if is_float(d) and wide(d) != d and any(not isinstance(x, V) and not exact(x, d) for x in xs) else d


def pair(e, out, a, b, d=None):
    d = d or opmath(out.d, a, b)
    return e.fit(a, out.s, d), e.fit(b, out.s, d)


def two(e, out, name, a, b):
    x, y = pair(e, out, a, b)
    return e.cast(e.bi(name, x, y), out.d)


def scaled(e, out, b, alpha):
    """alpha times b, in the type of the result."""
    if not isinstance(b, V):
        return b * alpha
    if alpha == 1:
        return b
    d = opmath(out.d, alpha)
    return e.bi("multiply", e.fit(b, out.s, d), e.const(alpha, out.s, d))


@row("add", "prims.add")
def add(e, out, a, b, alpha=1):
    if out.d == "i1":
        return e.bi("or", *pair(e, out, a, b))
    return two(e, out, "add", a, scaled(e, out, b, alpha))


@row("sub", "prims.sub")
def sub(e, out, a, b, alpha=1):
    return two(e, out, "subtract", a, scaled(e, out, b, alpha))


@row("rsub")
def rsub(e, out, a, b, alpha=1):
    return two(e, out, "subtract", b, scaled(e, out, a, alpha))


@row("mul", "prims.mul")
def mul(e, out, a, b):
    if out.d == "i1":
        return e.bi("and", *pair(e, out, a, b))
    return two(e, out, "multiply", a, b)


@row("div", "true_divide", "prims.div")
def div(e, out, a, b, rounding_mode=None):
    if rounding_mode is None:
        return two(e, out, "divide", a, b)
    x, y = pair(e, out, a, b)
    if is_int(out.d):
        return trunc_int(e, x, y) if rounding_mode == "trunc" else floor_int(e, x, y)
    if rounding_mode == "trunc":
        return e.cast(trunc_float(e, e.bi("divide", x, y)), out.d)
    return e.cast(floor_float(e, x, y), out.d)


@row("floor_divide")
def floor_divide(e, out, a, b):
    return div(e, out, a, b, "floor")


def trunc_int(e, x, y):
    return e.bi("divide", x, y)


def floor_int(e, x, y):
    q = e.bi("divide", x, y)
    if x.d[0] == "u":
        return q
    r, zero = e.bi("remainder", x, y), e.const(0, x.s, x.d)
    differ = e.compare("NE", e.un("sign", r), e.un("sign", y))
    down = e.bi("and", e.compare("NE", r, zero), differ)
    return e.select(down, e.bi("subtract", q, e.const(1, x.s, x.d)), q)


def floor_float(e, x, y):
    zero, one = e.const(0, x.s, x.d), e.const(1, x.s, x.d)
    r = e.bi("remainder", x, y)
    q = e.bi("divide", e.bi("subtract", x, r), y)
    differ = e.bi("xor", e.compare("LT", r, zero), e.compare("LT", y, zero))
    q = e.select(e.bi("and", e.compare("NE", r, zero), differ), e.bi("subtract", q, one), q)
    f = e.un("floor", q)
    f = e.select(e.compare("GT", e.bi("subtract", q, f), e.const(0.5, x.s, x.d)), e.bi("add", f, one), f)
    quotient = e.bi("divide", x, y)
    f = e.select(e.compare("EQ", q, zero), e.bi("multiply", zero, quotient), f)
    return e.select(e.compare("EQ", y, zero), quotient, f)


@row("remainder")
def remainder(e, out, a, b):
    x, y = pair(e, out, a, b)
    zero, r = e.const(0, x.s, x.d), e.bi("remainder", x, y)
    if x.d[0] == "u":
        return r
    other = e.bi("xor", e.compare("LT", r, zero), e.compare("LT", y, zero))
    return e.cast(e.select(e.bi("and", e.compare("NE", r, zero), other), e.bi("add", r, y), r), out.d)


@row("fmod", "prims.fmod")
def fmod(e, out, a, b):
    return two(e, out, "remainder", a, b)


@row("maximum", "max.other")
def maximum(e, out, a, b):
    return e.bi("or" if out.d == "i1" else "maximum", *pair(e, out, a, b))


@row("minimum", "min.other")
def minimum(e, out, a, b):
    return e.bi("and" if out.d == "i1" else "minimum", *pair(e, out, a, b))


@row("fmax")
def fmax(e, out, a, b):
    return _but_nan(e, "maximum", *pair(e, out, a, b))


@row("fmin")
def fmin(e, out, a, b):
    return _but_nan(e, "minimum", *pair(e, out, a, b))


def _but_nan(e, op, x, y):
    """The other one where one is NaN."""
    if not is_float(x.d):
        return e.bi({"i1maximum": "or", "i1minimum": "and"}.get(x.d + op, op), x, y)
    return e.select(e.compare("NE", x, x), y, e.select(e.compare("NE", y, y), x, e.bi(op, x, y)))


@row("pow")
def power(e, out, a, b):
    if isinstance(b, V) or out.d == "i1":
        return two(e, out, "power", a, b)
    if is_int(out.d) and b < 0:
        raise Unsupported("a negative power of integers")
    w = wide(out.d)
    x = e.fit(a, out.s, w)
    if b == 0:
        return e.const(1, out.s, out.d)
    short = {1: lambda: x, 2: lambda: e.bi("multiply", x, x), 3: lambda: e.bi("multiply", e.bi("multiply", x, x), x)}
    if not is_int(out.d):
        short.update({0.5: lambda: e.un("sqrt", x), -0.5: lambda: e.un("rsqrt", x), -1: lambda: inverse(e, x),
                      -2: lambda: inverse(e, e.bi("multiply", x, x))})
    made = short[b]() if b in short else e.bi("power", x, e.const(b, out.s, w))
    return e.cast(made, out.d)


def inverse(e, x):
    return e.bi("divide", e.const(1, x.s, x.d), x)


@row("reciprocal")
def reciprocal(e, out, a):
    return e.cast(inverse(e, e.cast(a, wide(out.d))), out.d)


# Functions of one value, by the op that they are; integers are floats first.
_SAME = dict(
    exp="exponential", log="log", sqrt="sqrt", rsqrt="rsqrt", tanh="tanh", sigmoid="logistic", cos="cosine", sin="sine", tan="tan", log1p="log_plus_one",
    expm1="exponential_minus_one", erf="chlo.erf", erfc="chlo.erfc", erfinv="chlo.erf_inv", acos="chlo.acos", acosh="chlo.acosh",
    asin="chlo.asin", asinh="chlo.asinh", atan="chlo.atan", atanh="chlo.atanh", cosh="chlo.cosh", sinh="chlo.sinh", lgamma="chlo.lgamma",
    digamma="chlo.digamma",
)


def _function(op):
    def made(e, out, a):
        return e.cast(e.un(op, e.cast(a, wide(out.d))), out.d)

    return made


for _name, _op in _SAME.items():
    row(_name)(_function(_op))


def _scaled_log(base):
    def made(e, out, a):
        x = e.un("log", e.cast(a, wide(out.d)))
        return e.cast(e.bi("divide", x, e.const(math.log(base), x.s, x.d)), out.d)

    return made


row("log2")(_scaled_log(2))
row("log10")(_scaled_log(10))


@row("exp2")
def exp2(e, out, a):
    x = e.cast(a, wide(out.d))
    return e.cast(e.bi("power", e.const(2, x.s, x.d), x), out.d)


@row("neg")
def neg(e, out, a):
    return e.un("negate", a)


@row("abs")
def absolute(e, out, a):
    if a.d[0] == "u" or a.d == "i1":
        return a
    if is_complex(a.d):
        return e.op("stablehlo.abs", (a,), (), [(out.s, out.d)])[0]
    return e.un("abs", a)


@row("floor")
def floor(e, out, a):
    return e.un("floor", a) if is_float(a.d) else a


@row("ceil")
def ceil(e, out, a):
    return e.un("ceil", a) if is_float(a.d) else a


def trunc_float(e, x):
    return e.select(e.compare("LT", x, e.const(0, x.s, x.d)), e.un("ceil", x), e.un("floor", x))


@row("trunc")
def trunc(e, out, a):
    return trunc_float(e, a) if is_float(a.d) else a


@row("round")
def round_(e, out, a, decimals=0):
    if not is_float(a.d):
        return a
    if not decimals:
        return e.un("round_nearest_even", a)
    x = e.cast(a, wide(a.d))
    ten = e.const(10.0 ** abs(decimals), x.s, x.d)
    to, back = ("multiply", "divide") if decimals > 0 else ("divide", "multiply")
    return e.cast(e.bi(back, e.un("round_nearest_even", e.bi(to, x, ten)), ten), out.d)


@row("frac")
def frac(e, out, a):
    return e.bi("subtract", a, trunc_float(e, a))


@row("sign", "sgn")
def sign(e, out, a):
    if a.d == "i1":
        return a
    if a.d[0] == "u":
        return e.cast(e.compare("NE", a, e.const(0, a.s, a.d)), a.d)
    made = e.un("sign", a)
    if is_float(a.d):
        made = e.select(e.compare("NE", a, a), e.const(0, a.s, a.d), made)
    return made


@row("signbit")
def signbit(e, out, a):
    if not is_float(a.d):
        return e.compare("LT", a, e.const(0, a.s, a.d)) if a.d[0] == "i" and a.d != "i1" else e.const(False, a.s, "i1")
    wanted = f"i{BITS[a.d]}"
    bits = e.op("stablehlo.bitcast_convert", (a,), (), [(a.s, wanted)])[0]
    return e.compare("LT", bits, e.const(0, a.s, wanted))


@row("isnan")
def isnan(e, out, a):
    return e.compare("NE", a, a) if is_float(a.d) or is_complex(a.d) else e.const(False, a.s, "i1")


@row("isinf")
def isinf(e, out, a):
    if is_complex(a.d):
        return e.bi("or", isinf(e, out, e.real(a)), isinf(e, out, e.imag(a)))
    return e.compare("EQ", e.un("abs", a), e.const(math.inf, a.s, a.d)) if is_float(a.d) else e.const(False, a.s, "i1")


@row("isfinite")
def isfinite(e, out, a):
    return e.op("stablehlo.is_finite", (a,), (), [(a.s, "i1")])[0] if is_float(a.d) else e.const(True, a.s, "i1")


@row("logical_not")
def logical_not(e, out, a):
    return e.un("not", e.cast(a, "i1"))


@row("bitwise_not")
def bitwise_not(e, out, a):
    return e.un("not", a)


def _logical(op):
    def made(e, out, a, b):
        return e.bi(op, e.broadcast(e.cast(a, "i1"), out.s), e.broadcast(e.cast(b, "i1"), out.s))

    return made


def _bitwise(op):
    def made(e, out, a, b):
        return e.bi(op, e.fit(a, out.s, out.d), e.fit(b, out.s, out.d))

    return made


for _name in ("and", "or", "xor"):
    row(f"logical_{_name}")(_logical(_name))
    row(f"bitwise_{_name}", f"__{_name}__")(_bitwise(_name))


def _shift(op):
    def made(e, out, a, b):
        name = "shift_right_logical" if op == "right" and out.d[0] == "u" else "shift_right_arithmetic" if op == "right" else "shift_left"
        return e.bi(name, e.fit(a, out.s, out.d), e.fit(b, out.s, out.d))

    return made


row("bitwise_left_shift", "__lshift__")(_shift("left"))
row("bitwise_right_shift", "__rshift__")(_shift("right"))


def _comparison(direction):
    def made(e, out, a, b):
        d = common(a, b)
        if not isinstance(b, V) and is_int(d):
            low, high = least(d), most(d)
            if not low <= b <= high:
                holds = {"EQ": False, "NE": True, "LT": b > high, "LE": b > high, "GT": b < low, "GE": b < low}[direction]
                return e.const(holds, out.s, "i1")
        return e.compare(direction, e.fit(a, out.s, d), e.fit(b, out.s, d))

    return made


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    row(_name, f"prims.{_name}")(_comparison(_name.upper()))


@row("where", "prims.where")
def where(e, out, p, a, b):
    return e.select(e.broadcast(e.cast(p, "i1"), out.s), e.fit(a, out.s, out.d), e.fit(b, out.s, out.d))


@row("masked_fill")
def masked_fill(e, out, a, mask, value):
    return where(e, out, mask, value, a)


@row("clamp", "clip")
def clamp(e, out, a, min=None, max=None):
    x = e.fit(a, out.s, out.d)
    if min is not None:
        x = e.bi("maximum", x, e.fit(min, out.s, out.d))
    return x if max is None else e.bi("minimum", x, e.fit(max, out.s, out.d))


@row("clamp_min")
def clamp_min(e, out, a, low):
    return clamp(e, out, a, low)


@row("clamp_max")
def clamp_max(e, out, a, high):
    return clamp(e, out, a, None, high)


@row("hardtanh")
def hardtanh(e, out, a, low=-1, high=1):
    return clamp(e, out, a, low, high)


@row("relu")
def relu(e, out, a):
    return e.bi("maximum", a, e.const(0, a.s, a.d))


@row("leaky_relu")
def leaky_relu(e, out, a, slope=0.01):
    x = e.cast(a, wide(a.d))
    zero = e.const(0, x.s, x.d)
    return e.cast(e.select(e.compare("GT", x, zero), x, e.bi("multiply", x, e.const(slope, x.s, x.d))), out.d)


@row("silu")
def silu(e, out, a):
    x = e.cast(a, wide(a.d))
    return e.cast(e.bi("multiply", x, e.un("logistic", x)), out.d)


@row("gelu")
def gelu(e, out, a, approximate="none"):
    x = e.cast(a, wide(a.d))
    k = lambda v: e.const(v, x.s, x.d)  # noqa: E731
    inner = e.un("chlo.erf", e.bi("multiply", x, k(math.sqrt(0.5)))) if approximate == "none" else e.un("tanh", gelu_inner(e, x, k))
    return e.cast(e.bi("multiply", e.bi("multiply", x, k(0.5)), e.bi("add", inner, k(1))), out.d)


def gelu_inner(e, x, k):
    cube = e.bi("multiply", e.bi("multiply", x, x), x)
    return e.bi("multiply", k(math.sqrt(2 / math.pi)), e.bi("add", x, e.bi("multiply", k(0.044715), cube)))


@row("gelu_backward")
def gelu_backward(e, out, grad, a, approximate="none"):
    w = wide(out.d)
    g, x = e.cast(grad, w), e.cast(a, w)
    k = lambda v: e.const(v, x.s, x.d)  # noqa: E731
    m, p = (lambda u, v: e.bi("multiply", u, v)), (lambda u, v: e.bi("add", u, v))
    if approximate == "none":
        cdf = m(k(0.5), p(k(1), e.un("chlo.erf", m(x, k(math.sqrt(0.5))))))
        pdf = m(e.un("exponential", m(m(x, x), k(-0.5))), k(1 / math.sqrt(2 * math.pi)))
        return e.cast(m(g, p(cdf, m(x, pdf))), out.d)
    t = e.un("tanh", gelu_inner(e, x, k))
    left = m(k(0.5), p(k(1), t))
    slope = m(k(math.sqrt(2 / math.pi)), p(k(1), m(k(3 * 0.044715), m(x, x))))
    right = m(m(m(k(0.5), x), e.bi("subtract", k(1), m(t, t))), slope)
    return e.cast(m(g, p(left, right)), out.d)


@row("tanh_backward")
def tanh_backward(e, out, grad, y):
    return e.bi("multiply", grad, e.bi("subtract", e.const(1, y.s, y.d), e.bi("multiply", y, y)))


@row("sigmoid_backward")
def sigmoid_backward(e, out, grad, y):
    return e.bi("multiply", grad, e.bi("multiply", e.bi("subtract", e.const(1, y.s, y.d), y), y))


@row("threshold_backward")
def threshold_backward(e, out, grad, a, threshold):
    keeps = e.compare("LE", e.broadcast(a, out.s), e.const(threshold, out.s, a.d))
    return e.select(keeps, e.const(0, out.s, out.d), e.fit(grad, out.s, out.d))


@row("atan2")
def atan2(e, out, a, b):
    return two(e, out, "atan2", a, b)


@row("nextafter")
def nextafter(e, out, a, b):
    return two(e, out, "chlo.next_after", a, b)


@row("polygamma")
def polygamma(e, out, n, a):
    x = e.cast(a, wide(out.d))
    return e.cast(e.bi("chlo.polygamma", e.const(n, x.s, x.d), x), out.d)


@row("special_zeta")
def zeta(e, out, a, b):
    w = wide(out.d)
    return e.cast(e.bi("chlo.zeta", e.fit(a, out.s, w), e.fit(b, out.s, w)), out.d)


@row("square")
def square(e, out, a):
    return e.bi("multiply", e.cast(a, out.d), e.cast(a, out.d))


@row("lerp")
def lerp(e, out, a, b, weight):
    w = wide(out.d)
    x, y, t = e.fit(a, out.s, w), e.fit(b, out.s, w), e.fit(weight, out.s, w)
    if is_complex(w):
        return e.bi("add", x, e.bi("multiply", t, e.bi("subtract", y, x)))
    near = e.bi("add", x, e.bi("multiply", t, e.bi("subtract", y, x)))
    far = e.bi("subtract", y, e.bi("multiply", e.bi("subtract", y, x), e.bi("subtract", e.const(1, out.s, w), t)))
    return e.cast(e.select(e.compare("LT", e.un("abs", t), e.const(0.5, out.s, w)), near, far), out.d)


@row("addcmul")
def addcmul(e, out, a, b, c, value=1):
    return _addc(e, out, "multiply", a, b, c, value)


@row("addcdiv")
def addcdiv(e, out, a, b, c, value=1):
    return _addc(e, out, "divide", a, b, c, value)


def _addc(e, out, op, a, b, c, value):
    w = wide(out.d)
    x, y, z = (e.fit(v, out.s, w) for v in (a, b, c))
    if value != 1 or isinstance(value, V):
        y = e.bi("multiply", e.fit(value, out.s, w), y)
    return e.cast(e.bi("add", x, e.bi(op, y, z)), out.d)


# Complex numbers

@row("real")
def real(e, out, a):
    return e.real(a) if is_complex(a.d) else a


@row("imag")
def imag(e, out, a):
    return e.imag(a)


@row("complex")
def complex_(e, out, a, b):
    d = COMPLEX[out.d]
    return e.complex(e.fit(a, out.s, d), e.fit(b, out.s, d))


@row("conj", "_conj", "_conj_physical", "conj_physical")
def conj(e, out, a):
    return e.complex(e.real(a), e.un("negate", e.imag(a))) if is_complex(a.d) else a


@row("angle")
def angle(e, out, a):
    if not is_complex(a.d):
        raise Unsupported("decomposed")
    return e.bi("atan2", e.imag(a), e.real(a))


@row("view_as_real", "view_as_real_copy")
def view_as_real(e, out, a):
    parts = [e.reshape(p, (*a.s, 1)) for p in (e.real(a), e.imag(a))]
    return e.cat(parts, len(a.s))


@row("view_as_complex", "view_as_complex_copy")
def view_as_complex(e, out, a):
    n = a.rank - 1
    return e.complex(e.reshape(e.cut(a, n, 0, 1), out.s), e.reshape(e.cut(a, n, 1, 2), out.s))


@row("polar")
def polar(e, out, r, t):
    r, t = e.broadcast(r, out.s), e.broadcast(t, out.s)
    return e.complex(e.bi("multiply", r, e.un("cosine", t)), e.bi("multiply", r, e.un("sine", t)))
