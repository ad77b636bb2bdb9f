# SPDX-License-Identifier: Apache-2.0
"""Rows of the ops of neural networks: softmax, norms, convolutions, pools, attention."""

import math
from fractions import Fraction

from ._torch_emit import FINITE, Unsupported, axis, is_float, least, numel, pairs_text, wide
from ._torch_rows_reduce import greatest, mean_of, total, variance
from ._torch_table import row


def _in_wide(e, *values):
    return [v if v is None else e.cast(v, wide(v.d)) for v in values]


# Softmax

def exponentials(e, x, dim, safe=False):
    """exp(x - max), its sum, and the maximum along a dimension."""
    m = greatest(e, x, (dim,), True)
    if safe:
        m = e.bi("maximum", m, e.const(-FINITE[x.d], m.s, m.d))
    y = e.un("exponential", e.bi("subtract", x, e.broadcast(m, x.s, range(x.rank))))
    return y, total(e, y, (dim,), True), m


def softmax_of(e, x, dim, safe=False):
    y, s, _ = exponentials(e, x, dim, safe)
    if safe:
        s = e.select(e.compare("EQ", s, e.const(0, s.s, s.d)), e.const(1, s.s, s.d), s)
    return e.bi("divide", y, e.broadcast(s, x.s, range(x.rank)))


@row("_softmax")
def softmax(e, out, a, dim, *_, **__):
    if not a.s or not numel(a.s):
        return e.const(1, out.s, out.d)
    return e.cast(softmax_of(e, e.cast(a, wide(out.d)), axis(dim, a.rank)), out.d)


@row("_safe_softmax")
def safe_softmax(e, out, a, dim, dtype=None):
    return e.cast(softmax_of(e, e.cast(a, wide(out.d)), axis(dim, a.rank), True), out.d)


@row("_log_softmax")
def log_softmax(e, out, a, dim, *_):
    if not a.s or not numel(a.s):
        return e.const(0, out.s, out.d)
    x = e.cast(a, wide(out.d))
    _, s, m = exponentials(e, x, axis(dim, a.rank))
    shifted = e.bi("subtract", x, e.broadcast(m, x.s, range(x.rank)))
    return e.cast(e.bi("subtract", shifted, e.broadcast(e.un("log", s), x.s, range(x.rank))), out.d)


@row("_softmax_backward_data")
def softmax_backward(e, out, grad, y, dim, *_):
    g, p = _in_wide(e, grad, y)
    if not p.s:
        return e.const(0, out.s, out.d)
    gp = e.bi("multiply", g, p)
    s = total(e, gp, (axis(dim, p.rank),), True)
    return e.cast(e.bi("subtract", gp, e.bi("multiply", p, e.broadcast(s, p.s, range(p.rank)))), out.d)


@row("_log_softmax_backward_data")
def log_softmax_backward(e, out, grad, y, dim, *_):
    g, p = _in_wide(e, grad, y)
    if not p.s:
        return e.const(0, out.s, out.d)
    s = total(e, g, (axis(dim, p.rank),), True)
    return e.cast(e.bi("subtract", g, e.bi("multiply", e.un("exponential", p), e.broadcast(s, p.s, range(p.rank)))), out.d)


# Norms

def _inverse_root(e, v, eps):
    return e.un("rsqrt", e.bi("add", v, e.const(eps, v.s, v.d)))


def _spread(e, v, s, dims):
    return e.broadcast(v, s, dims)


@row("native_layer_norm")
def layer_norm(e, outs, a, shape, weight, bias, eps):
    x, w, b = _in_wide(e, a, weight, bias)
    n = len(shape)
    axes, lead, last = tuple(range(x.rank - n, x.rank)), range(x.rank), range(x.rank - n, x.rank)
    v, m = variance(e, x, axes, 0, True)
    r = _inverse_root(e, v, eps)
    y = e.bi("multiply", e.bi("subtract", x, _spread(e, m, x.s, lead)), _spread(e, r, x.s, lead))
    if w is not None:
        y = e.bi("multiply", y, _spread(e, e.cast(w, y.d), x.s, last))
    if b is not None:
        y = e.bi("add", y, _spread(e, e.cast(b, y.d), x.s, last))
    return [e.cast(y, outs[0].d), *(e.cast(e.reshape(t, o.s), o.d) for t, o in zip((m, r), outs[1:]))]


@row("native_layer_norm_backward")
def layer_norm_backward(e, outs, grad, a, shape, mean, rstd, weight, bias, mask):
    g, x, w, m, r = _in_wide(e, grad, a, weight, mean, rstd)
    n = x.rank - len(shape)
    inner, outer, every = tuple(range(n, x.rank)), tuple(range(n)), range(x.rank)
    m, r = (_spread(e, e.cast(t, x.d), x.s, every) for t in (m, r))
    y = e.bi("multiply", e.bi("subtract", x, m), r)
    made = [None] * 3
    if mask[0]:
        h = g if w is None else e.bi("multiply", g, _spread(e, w, x.s, inner))
        k = math.prod(x.s[n:])
        s1 = _spread(e, total(e, h, inner, True), x.s, every)
        s2 = _spread(e, total(e, e.bi("multiply", h, y), inner, True), x.s, every)
        inside = e.bi("subtract", e.bi("subtract", e.bi("multiply", h, e.const(k, x.s, x.d)), s1), e.bi("multiply", y, s2))
        made[0] = e.bi("multiply", e.bi("multiply", r, e.const(1 / k if k else 0, x.s, x.d)), inside)
    if mask[1] and weight is not None:
        made[1] = total(e, e.bi("multiply", g, y), outer)
    if mask[2] and bias is not None:
        made[2] = total(e, g, outer)
    return [t if t is None or o is None else e.cast(t, o.d) for t, o in zip(made, outs)]


@row("native_group_norm")
def group_norm(e, outs, a, weight, bias, n, ch, inner, groups, eps):
    x, w, b = _in_wide(e, a, weight, bias)
    flat = e.reshape(x, (n, groups, ch // groups * inner))
    v, m = variance(e, flat, (2,), 0, True)
    r = _inverse_root(e, v, eps)
    y = e.bi("multiply", e.bi("subtract", flat, e.broadcast(m, flat.s, range(3))), e.broadcast(r, flat.s, range(3)))
    y = e.reshape(y, x.s)
    if w is not None:
        y = e.bi("multiply", y, e.broadcast(e.cast(w, y.d), x.s, [1]))
    if b is not None:
        y = e.bi("add", y, e.broadcast(e.cast(b, y.d), x.s, [1]))
    return [e.cast(y, outs[0].d), *(e.cast(e.reshape(t, o.s), o.d) for t, o in zip((m, r), outs[1:]))]


@row("native_group_norm_backward")
def group_norm_backward(e, outs, grad, a, mean, rstd, weight, n, ch, inner, groups, mask):
    g, x, w, m, r = _in_wide(e, grad, a, weight, mean, rstd)
    k, whole = ch // groups, (n, groups, ch // groups, inner)
    g4, x4 = e.reshape(g, whole), e.reshape(x, whole)
    m, r = (e.broadcast(e.reshape(t, (n, groups)), whole, [0, 1]) for t in (m, r))
    y = e.bi("multiply", e.bi("subtract", x4, m), r)
    made = [None] * 3
    if mask[0]:
        h = g4 if w is None else e.bi("multiply", g4, e.broadcast(e.reshape(w, (groups, k)), whole, [1, 2]))
        s1 = e.broadcast(total(e, h, (2, 3)), whole, [0, 1])
        s2 = e.broadcast(total(e, e.bi("multiply", h, y), (2, 3)), whole, [0, 1])
        c = e.const(1 / (k * inner) if k * inner else 0, whole, x.d)
        inside = e.bi("subtract", h, e.bi("multiply", c, e.bi("add", s1, e.bi("multiply", y, s2))))
        made[0] = e.reshape(e.bi("multiply", r, inside), x.s)
    if mask[1]:
        made[1] = e.reshape(total(e, e.bi("multiply", g4, y), (0, 3)), (ch,))
    if mask[2]:
        made[2] = e.reshape(total(e, g4, (0, 3)), (ch,))
    return [t if t is None or o is None else e.cast(t, o.d) for t, o in zip(made, outs)]


def _batch_axes(x):
    return (0, *range(2, x.rank))


def _normalized(e, x, m, r, w, b):
    y = e.bi("multiply", e.bi("subtract", x, e.broadcast(m, x.s, [1])), e.broadcast(r, x.s, [1]))
    if w is not None:
        y = e.bi("multiply", y, e.broadcast(e.cast(w, y.d), x.s, [1]))
    return y if b is None else e.bi("add", y, e.broadcast(e.cast(b, y.d), x.s, [1]))


def _moved(e, old, new, momentum):
    """A running statistic after a step."""
    a = e.bi("multiply", old, e.const(1 - momentum, old.s, old.d))
    return e.bi("add", a, e.bi("multiply", e.cast(new, old.d), e.const(momentum, old.s, old.d)))


def _batch_norm(e, outs, a, weight, bias, mean, var, training, momentum, eps):
    """Result, mean, inverse deviation, and new statistics."""
    x, w, b = _in_wide(e, a, weight, bias)
    if not training:
        m, v = (e.cast(t, x.d) for t in (mean, var))
        r = _inverse_root(e, v, eps)
        made = [_normalized(e, x, m, r, w, b), m, r, mean, var]
    else:
        axes = _batch_axes(x)
        v, m = variance(e, x, axes, 0, False)
        m, r = e.reshape(m, v.s), _inverse_root(e, v, eps)
        n = math.prod(x.s[i] for i in axes)
        made = [_normalized(e, x, m, r, w, b), m, r, None, None]
        if mean is not None:
            unbiased = e.bi("multiply", v, e.const(n / max(1, n - 1), v.s, v.d))
            made[3:] = [_moved(e, mean, m, momentum), _moved(e, var, unbiased, momentum)]
    found = []
    for t, o in zip(made, outs):
        found.append(e.const(0, o.s, o.d) if o.s == (0,) else e.cast(t, o.d))
    return found


@row("_native_batch_norm_legit_functional", "native_batch_norm", "_native_batch_norm_legit")
def batch_norm(e, outs, a, weight, bias, mean, var, training, momentum, eps):
    return _batch_norm(e, outs, a, weight, bias, mean, var, training, momentum, eps)


@row("_native_batch_norm_legit.no_stats")
def batch_norm_no_stats(e, outs, a, weight, bias, training, momentum, eps):
    return _batch_norm(e, outs, a, weight, bias, None, None, True, momentum, eps)


@row("_native_batch_norm_legit_no_training")
def batch_norm_inference(e, outs, a, weight, bias, mean, var, momentum, eps):
    return _batch_norm(e, outs, a, weight, bias, mean, var, False, momentum, eps)


@row("_batch_norm_with_update_functional")
def batch_norm_with_update(e, outs, a, weight, bias, mean, var, momentum, eps):
    made = _batch_norm(e, [*outs[:3], *outs[4:]], a, weight, bias, mean, var, True, momentum, eps)
    return [*made[:3], e.const(0, outs[3].s, outs[3].d), *made[3:]]


@row("_batch_norm_no_update")
def batch_norm_no_update(e, outs, a, weight, bias, mean, var, momentum, eps):
    made = _batch_norm(e, outs[:3], a, weight, bias, mean, var, False, momentum, eps)
    return [*made[:3], e.const(0, outs[3].s, outs[3].d)]


@row("native_batch_norm_backward")
def batch_norm_backward(e, outs, grad, a, weight, mean, var, save_mean, save_rstd, train, eps, mask):
    g, x, w = _in_wide(e, grad, a, weight)
    axes = _batch_axes(x)
    if train:
        m, r = e.cast(save_mean, x.d), e.cast(save_rstd, x.d)
    else:
        m, r = e.cast(mean, x.d), _inverse_root(e, e.cast(var, x.d), eps)
    n = math.prod(x.s[i] for i in axes)
    wide_of = lambda t: e.broadcast(t, x.s, [1])  # noqa: E731
    centered = e.bi("subtract", x, wide_of(m))
    sum_g, sum_gx = total(e, g, axes), total(e, e.bi("multiply", g, centered), axes)
    made = [None] * 3
    if mask[0]:
        scale = r if w is None else e.bi("multiply", r, e.cast(w, x.d))
        if train:
            k = e.const(1 / n, sum_g.s, x.d)
            slope = e.bi("multiply", e.bi("multiply", sum_gx, k), e.bi("multiply", r, r))
            inside = e.bi("subtract", e.bi("subtract", g, e.bi("multiply", centered, wide_of(slope))), wide_of(e.bi("multiply", sum_g, k)))
            made[0] = e.bi("multiply", inside, wide_of(scale))
        else:
            made[0] = e.bi("multiply", g, wide_of(scale))
    if mask[1]:
        made[1] = e.bi("multiply", sum_gx, r)
    if mask[2]:
        made[2] = sum_g
    return [t if t is None or o is None else e.cast(t, o.d) for t, o in zip(made, outs)]


@row("batch_norm_backward")
def batch_norm_backward_new(e, outs, grad, a, weight, mean, var, save_mean, save_rstd, update, eps, mask, reserve):
    return batch_norm_backward(e, outs, grad, a, weight, mean, var, save_mean, save_rstd, update, eps, mask)


# Convolutions

def convolved(e, x, w, s, dims, strides, low, high, dilate=None, kernel_dilate=None, groups=1, batch_groups=1, reverse=False):
    n = x.rank - 2
    ones = [1] * n
    attrs = [("window_strides", "i64s", list(strides)), ("padding", "text", pairs_text(low, high)), ("lhs_dilation", "i64s", list(dilate or ones)),
             ("rhs_dilation", "i64s", list(kernel_dilate or ones)), ("window_reversal", "i1s", [reverse] * n),
             ("dimension_numbers", "text", f"#stablehlo.conv<{dims}>"), ("feature_group_count", "i64", groups), ("batch_group_count", "i64", batch_groups)]
    return e.op("stablehlo.convolution", (x, w), attrs, [(s, x.d)])[0]


def _dims(n, lhs="bf", rhs="oi", out="bf"):
    sp = "".join(f", {i}" for i in range(n))
    return f"[{lhs[0]}, {lhs[1]}{sp}]x[{rhs[0]}, {rhs[1]}{sp}]->[{out[0]}, {out[1]}{sp}]"


def _swapped(e, w, groups):
    """A kernel (a, b / groups, ...) as (b, a / groups, ...)."""
    a, b, *k = w.s
    w = e.reshape(w, (groups, a // groups, b, *k))
    w = e.transpose(w, [0, 2, 1, *range(3, w.rank)])
    return e.reshape(w, (groups * b, a // groups, *k))


def _forward(e, x, w, s, stride, pad, dilation, groups):
    return convolved(e, x, w, s, _dims(x.rank - 2), stride, pad, pad, None, dilation, groups)


def _back(e, y, w, s, stride, pad, dilation, groups):
    """The gradient of a convolution by its image of shape s, and what a transposed convolution computes."""
    low = [d * (k - 1) - p for d, k, p in zip(dilation, w.s[2:], pad)]
    high = [n - ((m - 1) * t + 1) - lo + d * (k - 1) for n, m, t, lo, d, k in zip(s[2:], y.s[2:], stride, low, dilation, w.s[2:])]
    n, ones = y.rank - 2, [1] * (y.rank - 2)
    if groups == 1:
        return convolved(e, y, w, s, _dims(n, "bf", "io"), ones, low, high, stride, dilation, 1, 1, True)
    return convolved(e, y, _swapped(e, w, groups), s, _dims(n), ones, low, high, stride, dilation, groups, 1, True)


def _by_kernel(e, x, y, s, stride, pad, dilation, groups):
    """The gradient of a convolution by its kernel of shape s."""
    high = [(k - 1) * d + (m - 1) * t + 1 - n - p for k, d, m, t, n, p in zip(s[2:], dilation, y.s[2:], stride, x.s[2:], pad)]
    return convolved(e, x, y, s, _dims(x.rank - 2, "fb", "io", "fb"), dilation, pad, high, None, stride, 1, groups)


def _spatial(x, *lists):
    n = x.rank - 2
    return [list(v) * n if len(v) == 1 else list(v) for v in lists]


@row("convolution", "_convolution")
def convolution(e, out, a, w, b, stride, pad, dilation, transposed, output_padding, groups, *_):
    stride, pad, dilation = _spatial(a, stride, pad, dilation)
    if not numel(out.s) or not numel(a.s):
        raise Unsupported("an empty convolution")
    x, k = _in_wide(e, a, w) if out.d.startswith("f8") else (a, w)
    made = (_back if transposed else _forward)(e, x, k, out.s, stride, pad, dilation, groups)
    if b is not None:
        made = e.bi("add", made, e.broadcast(e.cast(b, made.d), out.s, [1]))
    return e.cast(made, out.d)


@row("convolution_backward")
def convolution_backward(e, outs, grad, a, w, bias_sizes, stride, pad, dilation, transposed, output_padding, groups, mask):
    stride, pad, dilation = _spatial(a, stride, pad, dilation)
    made = [None] * 3
    if mask[0]:
        made[0] = (_forward if transposed else _back)(e, grad, w, a.s, stride, pad, dilation, groups)
    if mask[1]:
        x, y = (grad, a) if transposed else (a, grad)
        made[1] = _by_kernel(e, x, y, w.s, stride, pad, dilation, groups)
    if mask[2]:
        made[2] = e.cast(total(e, e.cast(grad, wide(grad.d)), _batch_axes(grad)), grad.d)
    return made


# Pools

def _window(x, n, kernel, stride, pad, dilation=(1,)):
    fill = lambda v: list(v) * n if len(v) == 1 else list(v)  # noqa: E731
    kernel = fill(kernel)
    return kernel, fill(stride) if stride else kernel, fill(pad), fill(dilation)


def _ends(s, out, kernel, stride, pad, dilation):
    """What is padded behind, so that windows are as many as there are results."""
    return [(m - 1) * t + (k - 1) * d + 1 - i - p for i, m, k, t, p, d in zip(s, out, kernel, stride, pad, dilation)]


def max_pool(e, outs, a, kernel, stride=(), pad=(0,), dilation=(1,), ceil_mode=False):
    o, n = outs[0], 3 if len(kernel) == 3 else 2
    kernel, stride, pad, dilation = _window(a, n, kernel, stride, pad, dilation)
    lead, size = a.rank - n, a.s[a.rank - n :]
    high = _ends(size, o.s[lead:], kernel, stride, pad, dilation)
    padded = e.pad(a, [0] * lead + pad, [0] * lead + [max(0, h) for h in high], least(a.d))
    if math.prod(kernel) > 81:
        raise Unsupported("windows of more than 81 elements")
    best = where = None
    for place in _places(kernel):
        lows = [0] * lead + [k * d for k, d in zip(place, dilation)]
        highs = list(a.s[:lead]) + [lo + (m - 1) * t + 1 for lo, m, t in zip(lows[lead:], o.s[lead:], stride)]
        v = e.slice(padded, lows, highs, [1] * lead + stride)
        at = _flat_place(e, o.s, lead, size, place, stride, pad, dilation)
        if best is None:
            best, where = v, at
            continue
        better = e.compare("GT", v, best)
        if is_float(v.d):
            better = e.bi("or", better, e.compare("NE", v, v))
        best, where = e.select(better, v, best), e.select(better, at, where)
    return [best, where]


def _places(kernel):
    found = [()]
    for k in kernel:
        found = [(*p, i) for p in found for i in range(k)]
    return found


def _flat_place(e, s, lead, size, place, stride, pad, dilation):
    """Which element of its image a window of each result has at this place."""
    steps = [math.prod(size[i + 1 :]) for i in range(len(size))]
    base = sum((k * d - p) * step for k, d, p, step in zip(place, dilation, pad, steps))
    made = e.const(base, s, "i64")
    for i, (t, step) in enumerate(zip(stride, steps)):
        made = e.bi("add", made, e.bi("multiply", e.iota(lead + i, s, "i64"), e.const(t * step, s, "i64")))
    return made


row("max_pool2d_with_indices", "max_pool3d_with_indices")(max_pool)


@row("max_pool2d_with_indices_backward", "max_pool3d_with_indices_backward")
def max_pool_backward(e, out, grad, a, kernel, stride, pad, dilation, ceil_mode, indices):
    n = 3 if len(kernel) == 3 else 2
    kernel, stride, pad, dilation = _window(a, n, kernel, stride, pad, dilation)
    lead, size, s = a.rank - n, a.s[a.rank - n :], grad.s
    if math.prod(kernel) > 81:
        raise Unsupported("windows of more than 81 elements")
    high = _ends(size, s[lead:], kernel, stride, pad, dilation)
    made, zero = None, e.const(0, s, grad.d)
    for place in _places(kernel):
        at = _flat_place(e, s, lead, size, place, stride, pad, dilation)
        part = e.select(e.compare("EQ", indices, at), grad, zero)
        low = [k * d for k, d in zip(place, dilation)]
        reach = [i + p + max(0, h) for i, p, h in zip(size, pad, high)]
        behind = [r - lo - (m - 1) * t - 1 for r, lo, m, t in zip(reach, low, s[lead:], stride)]
        part = e.pad(part, [0] * lead + low, [0] * lead + behind, 0, [0] * lead + [t - 1 for t in stride])
        made = part if made is None else e.bi("add", made, part)
    lows = [0] * lead + pad
    return e.slice(made, lows, [lo + m for lo, m in zip(lows, a.s)])


def _counts(s, out, kernel, stride, pad, include):
    """How many elements each window has, by dimension."""
    found = []
    for i, m, k, t, p in zip(s, out, kernel, stride, pad):
        row_ = []
        for j in range(m):
            start = j * t - p
            end = min(start + k, i + p)
            row_.append(end - start if include else max(0, min(end, i) - max(start, 0)))
        found.append(row_)
    return found


def _divided(e, x, lead, counts, divisor, narrow):
    if divisor is not None:
        return e.bi("divide", x, e.const(divisor, x.s, x.d))
    if all(len(set(c)) == 1 for c in counts):
        return e.bi("divide", x, e.const(math.prod(c[0] for c in counts), x.s, x.d))
    for i, c in enumerate(counts):
        x = e.bi("divide", x, e.broadcast(e.array(c, (len(c),), x.d), x.s, [lead + i]))
    return x


def _avg_pool(n):
    def made(e, out, a, kernel, stride=(), pad=(0,), ceil_mode=False, count_include_pad=True, divisor_override=None):
        kernel, stride, pad, ones = _window(a, n, kernel, stride, pad)
        lead, x = a.rank - n, e.cast(a, wide(a.d))
        high = _ends(a.s[lead:], out.s[lead:], kernel, stride, pad, ones)
        x = e.window("add", x, 0, [1] * lead + kernel, [1] * lead + stride, [0] * lead + pad, [0] * lead + high)
        counts = _counts(a.s[lead:], out.s[lead:], kernel, stride, pad, count_include_pad)
        return e.cast(_divided(e, x, lead, counts, divisor_override, out.d), out.d)

    return made


def _avg_pool_backward(n):
    def made(e, out, grad, a, kernel, stride, pad, ceil_mode, count_include_pad, divisor_override):
        kernel, stride, pad, ones = _window(a, n, kernel, stride, pad)
        lead, g = a.rank - n, e.cast(grad, wide(grad.d))
        counts = _counts(a.s[lead:], grad.s[lead:], kernel, stride, pad, count_include_pad)
        g = _divided(e, g, lead, counts, divisor_override, out.d)
        low = [k - 1 - p for k, p in zip(kernel, pad)]
        high = [i + p - (m - 1) * t - 1 for i, p, m, t in zip(a.s[lead:], pad, grad.s[lead:], stride)]
        g = e.pad(g, [0] * lead + [max(0, v) for v in low], [0] * lead + [max(0, v) for v in high], 0, [0] * lead + [t - 1 for t in stride])
        g = e.slice(g, [0] * lead + [max(0, -v) for v in low], [*g.s[:lead], *(m - max(0, -v) for m, v in zip(g.s[lead:], high))])
        g = e.window("add", g, 0, [1] * lead + kernel, [1] * g.rank, [0] * g.rank, [0] * g.rank)
        return e.cast(g, out.d)

    return made


for _n in (1, 2, 3):
    row(f"avg_pool{_n}d")(_avg_pool(_n))
    row(f"avg_pool{_n}d_backward")(_avg_pool_backward(_n))


def _shares(n, m):
    """Where each of m results reads from n elements: (start, end)."""
    return [(i * n // m, -((-(i + 1) * n) // m)) for i in range(m)]


def _averaging(e, n, m, d):
    """The matrix that averages n elements to m."""
    shares = _shares(n, m)
    return e.array([float(Fraction(1, hi - lo)) if lo <= i < hi else 0.0 for i in range(n) for lo, hi in shares], (n, m), d)


def _resized(e, x, lead, sizes, back=False):
    for k, n in enumerate(sizes):
        dim, have = lead + k, x.s[lead + k]
        if have == n:
            continue
        if not back and have % n == 0:
            split = e.reshape(x, (*x.s[:dim], n, have // n, *x.s[dim + 1 :]))
            x = mean_of(e, split, (dim + 1,))
            continue
        matrix = _averaging(e, n, have, x.d) if back else _averaging(e, have, n, x.d)
        x = e.dot(x, matrix, ((), ()), ([dim], [1 if back else 0]))
        x = e.transpose(x, [*range(dim), x.rank - 1, *range(dim, x.rank - 1)])
    return x


@row("_adaptive_avg_pool2d", "_adaptive_avg_pool3d", "adaptive_avg_pool1d", "adaptive_avg_pool2d")
def adaptive_avg_pool(e, out, a, sizes):
    x = e.cast(a, wide(a.d))
    return e.cast(_resized(e, x, a.rank - len(sizes), sizes), out.d)


@row("_adaptive_avg_pool2d_backward")
def adaptive_avg_pool2d_backward(e, out, grad, a):
    return e.cast(_resized(e, e.cast(grad, wide(grad.d)), a.rank - 2, a.s[-2:], True), out.d)


@row("_adaptive_avg_pool3d_backward")
def adaptive_avg_pool3d_backward(e, out, grad, a):
    return e.cast(_resized(e, e.cast(grad, wide(grad.d)), a.rank - 3, a.s[-3:], True), out.d)


# Attention

def _scores(e, q, k, w, scale, is_causal, mask):
    """q k^T * scale, masked, in w."""
    lead = list(range(q.rank - 2))
    n = q.rank
    s = e.dot(q, k, (lead, lead), ([n - 1], [n - 1]), w)
    s = e.bi("multiply", s, e.const(scale, s.s, w))
    if is_causal:
        i, j = e.iota(n - 2, s.s, "i64"), e.iota(n - 1, s.s, "i64")
        s = e.select(e.compare("LE", j, i), s, e.const(-math.inf, s.s, w))
    if mask is not None:
        if mask.d == "i1":
            s = e.select(e.broadcast(mask, s.s), s, e.const(-math.inf, s.s, w))
        else:
            s = e.bi("add", s, e.broadcast(e.cast(mask, w), s.s))
    return s


@row("_scaled_dot_product_flash_attention_for_cpu")
def attention(e, outs, q, k, v, dropout=0.0, is_causal=False, attn_mask=None, scale=None):
    if dropout:
        raise Unsupported("dropout in attention")
    w, n = wide(q.d), q.rank
    s = _scores(e, q, k, w, q.s[-1] ** -0.5 if scale is None else scale, is_causal, attn_mask)
    y, sum_, m = exponentials(e, s, n - 1, attn_mask is not None)
    if attn_mask is not None:
        sum_ = e.select(e.compare("EQ", sum_, e.const(0, sum_.s, w)), e.const(1, sum_.s, w), sum_)
    p = e.bi("divide", y, e.broadcast(sum_, s.s, range(n)))
    lead = list(range(n - 2))
    made = e.dot(e.cast(p, v.d), v, (lead, lead), ([n - 1], [n - 2]), v.d)
    lse = e.reshape(e.bi("add", m, e.un("log", sum_)), outs[1].s)
    return [e.cast(made, outs[0].d), e.cast(lse, outs[1].d)]


@row("_scaled_dot_product_flash_attention_for_cpu_backward")
def attention_backward(e, outs, grad, q, k, v, out, lse, dropout, is_causal, attn_mask=None, scale=None):
    w, n = wide(q.d), q.rank
    scale = q.s[-1] ** -0.5 if scale is None else scale
    lead = list(range(n - 2))
    every = (lead, lead)
    s = _scores(e, q, k, w, scale, is_causal, attn_mask)
    p = e.un("exponential", e.bi("subtract", s, e.broadcast(e.cast(lse, w), s.s, range(n - 1))))
    dp = e.dot(grad, v, every, ([n - 1], [n - 1]), w)
    delta = total(e, e.bi("multiply", e.cast(grad, w), e.cast(out, w)), (n - 1,), True)
    ds = e.bi("multiply", e.bi("multiply", p, e.bi("subtract", dp, e.broadcast(delta, s.s, range(n)))), e.const(scale, s.s, w))
    ds, p = e.cast(ds, q.d), e.cast(p, q.d)
    dv = e.dot(p, grad, every, ([n - 2], [n - 2]))
    dq = e.dot(ds, k, every, ([n - 1], [n - 2]))
    dk = e.dot(ds, q, every, ([n - 2], [n - 2]))
    return [e.cast(t, o.d) for t, o in zip((dq, dk, dv), outs)]


def distance(e, z, p):
    """Norms along the last dimension."""
    last = (z.rank - 1,)
    a = e.un("abs", z)
    if p == 0:
        return total(e, e.cast(e.compare("NE", z, e.const(0, z.s, z.d)), z.d), last)
    if p == 1:
        return total(e, a, last)
    if p == 2:
        return e.un("sqrt", total(e, e.bi("multiply", z, z), last))
    if p == math.inf:
        return greatest(e, a, last)
    s = total(e, e.bi("power", a, e.const(p, z.s, z.d)), last)
    return e.bi("power", s, e.const(1 / p, s.s, s.d))


@row("_cdist_forward")
def cdist(e, out, a, b, p, mode=None):
    if not numel(out.s) or not a.s[-1]:
        return e.const(0, out.s, out.d)
    whole, n = (*out.s, a.s[-1]), len(out.s)
    x, y = (e.broadcast(v, (*out.s[:-2], *v.s[-2:])) for v in (a, b))
    lead = list(range(n - 2))
    x, y = e.broadcast(x, whole, [*lead, n - 2, n]), e.broadcast(y, whole, [*lead, n - 1, n])
    return distance(e, e.bi("subtract", x, y), p)


@row("_pdist_forward")
def pdist(e, out, a, p=2):
    pairs = [(i, j) for i in range(a.s[0]) for j in range(i + 1, a.s[0])]
    if not pairs or not a.s[1]:
        return e.const(0, out.s, out.d)
    x, y = (e.gather(a, e.array([q[k] for q in pairs], (len(pairs), 1), "i64"), [1], [0], [0], [1, a.s[1]], 1, (len(pairs), a.s[1])) for k in (0, 1))
    return distance(e, e.bi("subtract", x, y), p)
