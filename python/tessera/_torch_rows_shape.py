# SPDX-License-Identifier: Apache-2.0
"""Rows of ops that move, make and convert elements."""

import math

from ._torch_emit import BITS, V, Unsupported, axis, is_float, numel
from ._torch_table import row


@row("view", "_unsafe_view", "reshape", "view_copy", "_reshape_copy", "_reshape_alias", "unsqueeze", "squeeze", "unsqueeze_copy", "squeeze_copy", "flatten")
def view(e, out, a, *_):
    return e.reshape(a, out.s)


@row("view.dtype", "view_copy.dtype")
def view_dtype(e, out, a, *_):
    if BITS[a.d] == BITS[out.d]:
        return e.op("stablehlo.bitcast_convert", (a,), (), [(out.s, out.d)])[0]
    if a.d == "i1" or out.d == "i1" or not a.s:
        raise Unsupported("bits of another size, or of bool")
    if BITS[a.d] > BITS[out.d]:
        k = BITS[a.d] // BITS[out.d]
        return e.reshape(e.op("stablehlo.bitcast_convert", (a,), (), [((*a.s, k), out.d)])[0], out.s)
    k = BITS[out.d] // BITS[a.d]
    return e.op("stablehlo.bitcast_convert", (e.reshape(a, (*out.s, k)),), (), [(out.s, out.d)])[0]


@row("alias", "detach", "lift_fresh_copy", "lift_fresh", "clone", "alias_copy", "contiguous", "positive", "_lazy_clone", "prims.view_of", "view_of", "resolve_conj", "resolve_neg")
def same(e, out, a, *_, **__):
    return a


@row("_to_copy", "to", "prims.convert_element_type", "type_as", "_autocast_to_reduced_precision", "_autocast_to_full_precision")
def to_copy(e, out, a, *_, **__):
    return e.cast(a, out.d)


@row("copy", "copy_", "fill", "fill_")
def copy(e, out, a, b, *_, **__):
    return e.fit(b, out.s, out.d)


@row("expand", "expand_copy")
def expand(e, out, a, *_, **__):
    return e.broadcast(a, out.s)


@row("prims.broadcast_in_dim")
def broadcast_in_dim(e, out, a, shape, dims):
    return e.broadcast(a, out.s, dims)


@row("permute", "permute_copy", "prims.transpose")
def permute(e, out, a, order):
    return e.transpose(a, [axis(i, a.rank) for i in order])


@row("transpose", "transpose_copy", "swapaxes")
def transpose(e, out, a, i, j):
    order = list(range(a.rank))
    if a.s:
        i, j = axis(i, a.rank), axis(j, a.rank)
        order[i], order[j] = order[j], order[i]
    return e.transpose(a, order)


@row("t", "t_copy")
def t(e, out, a):
    return e.transpose(a, list(range(a.rank))[::-1])


def bounds(n, start, end, step):
    """A Python slice of n elements."""
    fix = lambda i: min(max(i + n if i < 0 else i, 0), n)  # noqa: E731
    low = fix(0 if start is None else start)
    return low, max(low, fix(n if end is None else end)), step


@row("slice", "slice_copy")
def slice_(e, out, a, dim=0, start=None, end=None, step=1):
    dim = axis(dim, a.rank)
    low, high, step = bounds(a.s[dim], start, end, step)
    return e.cut(a, dim, low, high, step)


@row("select", "select_copy")
def select(e, out, a, dim, i):
    dim = axis(dim, a.rank)
    if isinstance(i, V):
        raise Unsupported("a computed index")
    i = axis(i, a.s[dim])
    return e.reshape(e.cut(a, dim, i, i + 1), out.s)


@row("narrow", "narrow_copy")
def narrow(e, out, a, dim, start, length):
    dim = axis(dim, a.rank)
    start = axis(start, a.s[dim])
    return e.cut(a, dim, start, start + length)


@row("cat", "concatenate")
def cat(e, out, values, dim=0):
    kept = [e.cast(v, out.d) for v in values if v.s != (0,) or out.s == (0,)]
    return e.cat(kept, axis(dim, len(out.s)))


@row("stack")
def stack(e, out, values, dim=0):
    dim = axis(dim, len(out.s))
    shape = list(out.s)
    shape[dim] = 1
    return e.cat([e.reshape(e.cast(v, out.d), shape) for v in values], dim)


@row("split_with_sizes", "split_with_sizes_copy", "split", "split_copy", "unsafe_split", "unsafe_split_with_sizes", "chunk", "tensor_split")
def split(e, outs, a, _, dim=0, **__):
    outs = outs if isinstance(outs, list) else [outs]
    dim, low, made = axis(dim, a.rank), 0, []
    for o in outs:
        made.append(e.cut(a, dim, low, low + o.s[dim]))
        low += o.s[dim]
    return made


@row("unbind", "unbind_copy")
def unbind(e, outs, a, dim=0):
    outs = outs if isinstance(outs, list) else [outs]
    dim = axis(dim, a.rank)
    return [e.reshape(e.cut(a, dim, i, i + 1), o.s) for i, o in enumerate(outs)]


@row("repeat")
def repeat(e, out, a, times):
    more = len(times) - a.rank
    s = [1] * more + list(a.s)
    wide, dims = [], []
    for k, n in zip(times, s):
        wide += [k, n]
        dims.append(len(wide) - 1)
    return e.reshape(e.broadcast(e.reshape(a, s), wide, dims), out.s)


@row("flip")
def flip(e, out, a, dims):
    return e.reverse(a, [axis(i, a.rank) for i in dims]) if a.s else a


@row("roll")
def roll(e, out, a, shifts, dims=()):
    shifts, dims = (x if isinstance(x, (list, tuple)) else [x] for x in (shifts, dims))
    if not dims:
        return e.reshape(roll(e, out, e.reshape(a, (numel(a.s),)), shifts, [0]), a.s)
    for k, dim in zip(shifts, dims):
        dim = axis(dim, a.rank) if a.s else 0
        n = a.s[dim] if a.s else 0
        if n and k % n:
            k %= n
            a = e.cat([e.cut(a, dim, n - k, n), e.cut(a, dim, 0, n - k)], dim)
    return a


@row("constant_pad_nd", "pad")
def constant_pad(e, out, a, pads, value=0):
    low, high = [0] * a.rank, [0] * a.rank
    for k in range(len(pads) // 2):
        low[a.rank - 1 - k], high[a.rank - 1 - k] = pads[2 * k], pads[2 * k + 1]
    if 0 in out.s:
        return e.const(0, out.s, out.d)
    if any(n + lo < 0 or n + h < 0 for n, lo, h in zip(a.s, low, high)):
        raise Unsupported("padding that cuts off more than there is")
    return e.pad(a, low, high, value)


@row("slice_scatter")
def slice_scatter(e, out, a, b, dim=0, start=None, end=None, step=1):
    dim = axis(dim, a.rank)
    low, high, step = bounds(a.s[dim], start, end, step)
    b = e.cast(b, out.d)
    if not b.s[dim]:
        return a
    if step == 1:
        return update(e, a, e.broadcast(b, [high - low if i == dim else n for i, n in enumerate(a.s)]), [low if i == dim else 0 for i in range(a.rank)])
    lows, highs, inner = [0] * a.rank, [0] * a.rank, [0] * a.rank
    last = low + (b.s[dim] - 1) * step + 1
    lows[dim], highs[dim], inner[dim] = low, a.s[dim] - last, step - 1
    mask = e.pad(e.const(True, b.s, "i1"), lows, highs, False, inner)
    return e.select(mask, e.pad(b, lows, highs, 0, inner), a)


def update(e, a, b, starts):
    """a with b at these places."""
    if a.s == b.s:
        return b
    at = [e.const(i, (), "i64") for i in starts]
    return e.op("stablehlo.dynamic_update_slice", (a, b, *at), (), [(a.s, a.d)], groups=(1, 1, len(at)))[0]


@row("select_scatter")
def select_scatter(e, out, a, b, dim, i):
    dim = axis(dim, a.rank)
    i = axis(i, a.s[dim])
    b = e.reshape(e.cast(b, out.d), [1 if k == dim else n for k, n in enumerate(a.s)])
    return update(e, a, b, [i if k == dim else 0 for k in range(a.rank)])


# Elements of a row-major array at any strides

def strided(e, a, sizes, strides, offset):
    """Elements of a flat value at offset + sum(strides * position): one gather by indices that are known."""
    index = e.const(offset, sizes, "i64")
    for dim, k in enumerate(strides):
        if k and sizes[dim] > 1:
            index = e.bi("add", index, e.bi("multiply", e.iota(dim, sizes, "i64"), e.const(k, sizes, "i64")))
    return take(e, a, index)


def take(e, flat, index):
    """Elements of a flat value at indices of any shape."""
    if not numel(index.s):
        return e.const(0, index.s, flat.d)
    return e.gather(flat, e.reshape(index, (*index.s, 1)), (), (0,), (0,), (1,), len(index.s), index.s)


def row_major(s):
    strides, k = [], 1
    for n in reversed(s):
        strides.insert(0, k)
        k *= n
    return strides


@row("as_strided", "as_strided_copy")
def as_strided(e, out, a, sizes, strides, storage_offset=None, order=None):
    a, sizes, offset = e.transpose(a, order or range(a.rank)), tuple(sizes), storage_offset or 0
    _inside(a, sizes, strides, offset)
    if numel(sizes) == numel(a.s) and not offset and [k for k, n in zip(strides, sizes) if n > 1] == [k for k, n in zip(row_major(sizes), sizes) if n > 1]:
        return e.reshape(a, sizes)
    return strided(e, e.reshape(a, (numel(a.s),)), sizes, strides, offset)


def _inside(a, sizes, strides, offset):
    last = offset + sum((n - 1) * k for n, k in zip(sizes, strides))
    if numel(sizes) and (offset < 0 or last >= numel(a.s)):
        raise Unsupported("elements beyond those of the tensor")


@row("as_strided_scatter")
def as_strided_scatter(e, out, a, b, sizes, strides, storage_offset=None, order=None):
    stored, offset = e.transpose(a, order or range(a.rank)), storage_offset or 0
    _inside(stored, sizes, strides, offset)
    index = e.const(offset, sizes, "i64")
    for dim, k in enumerate(strides):
        index = e.bi("add", index, e.bi("multiply", e.iota(dim, sizes, "i64"), e.const(k, sizes, "i64")))
    n = numel(sizes)
    if not n:
        return a
    made = e.scatter(e.reshape(stored, (numel(a.s),)), e.reshape(index, (n, 1)), e.reshape(e.broadcast(b, sizes), (n,)), (), (0,), (0,), 1)
    made = e.reshape(made, stored.s)
    return e.transpose(made, [order.index(i) for i in range(a.rank)]) if order else made


@row("diagonal", "diagonal_copy")
def diagonal(e, out, a, offset=0, dim1=0, dim2=1):
    i, j = axis(dim1, a.rank), axis(dim2, a.rank)
    steps = row_major(a.s)
    strides = [k for d, k in enumerate(steps) if d not in (i, j)] + [steps[i] + steps[j]]
    start = offset * steps[j] if offset >= 0 else -offset * steps[i]
    return strided(e, e.reshape(a, (numel(a.s),)), out.s, strides, start if numel(out.s) else 0)


@row("unfold", "unfold_copy")
def unfold(e, out, a, dim, size, step):
    if not a.s:
        return e.reshape(a, out.s)
    dim, steps = axis(dim, a.rank), row_major(a.s)
    strides = [k * step if d == dim else k for d, k in enumerate(steps)] + [steps[dim]]
    return strided(e, e.reshape(a, (numel(a.s),)), out.s, strides, 0)


# Values out of nothing

@row("full", "full_like", "new_full")
def full(e, out, *args, **kwargs):
    value = args[-1] if args else kwargs["fill_value"]
    return e.fit(value, out.s, out.d)


@row("scalar_tensor", "prims.scalar_tensor")
def scalar_tensor(e, out, x, **_):
    return e.fit(x, out.s, out.d)


@row("empty", "empty_like", "empty_strided", "empty_permuted", "new_empty", "new_empty_strided", "zeros", "zeros_like", "new_zeros", "prims.empty_strided")
def zeros(e, out, *_, **__):
    return e.const(0, out.s, out.d)


@row("ones", "ones_like", "new_ones")
def ones(e, out, *_, **__):
    return e.const(1, out.s, out.d)


@row("arange", "arange.start", "arange.start_step")
def arange(e, out, *args, start=None, step=None, **_):
    args = list(args)
    first, by = (args[0], args[2] if len(args) > 2 else 1) if len(args) > 1 else (0, 1)
    if start is not None:
        first = start
    return counted(e, out, first, by if step is None else step)


def counted(e, out, first, by):
    d = "f32" if is_float(out.d) and out.d != "f64" else out.d
    if is_float(d) and not all(isinstance(x, int) for x in (first, by)):
        d = "f64"
    i = e.iota(0, out.s, d)
    if by != 1:
        i = e.bi("multiply", i, e.const(by, out.s, d))
    if first != 0:
        i = e.bi("add", i, e.const(first, out.s, d))
    return e.cast(i, out.d)


@row("prims.iota")
def iota(e, out, n, start=0, step=1, **_):
    return counted(e, out, start, step)


@row("eye", "eye.m")
def eye(e, out, *_, **__):
    return e.cast(e.compare("EQ", e.iota(0, out.s, "i64"), e.iota(1, out.s, "i64")), out.d)


def _triangle(direction):
    def made(e, out, a, diagonal=0):
        n = len(out.s)
        i, j = e.iota(n - 2, out.s, "i64"), e.iota(n - 1, out.s, "i64")
        if diagonal:
            i = e.bi("add", i, e.const(diagonal, out.s, "i64"))
        return e.select(e.compare(direction, j, i), a, e.const(0, out.s, out.d))

    return made


row("tril")(_triangle("LE"))
row("triu")(_triangle("GE"))


@row("linspace")
def linspace(e, out, start, end, steps, **_):
    if isinstance(start, V) or isinstance(end, V):
        raise Unsupported("bounds that are computed")
    if steps == 1:
        return e.const(start, out.s, out.d)
    d = "f64" if out.d == "f64" or not is_float(out.d) else "f32"
    by = (end - start) / (steps - 1) if steps else 0
    i = e.iota(0, out.s, d)
    left = e.bi("add", e.const(start, out.s, d), e.bi("multiply", i, e.const(by, out.s, d)))
    back = e.bi("subtract", e.const(steps - 1, out.s, d), i)
    right = e.bi("subtract", e.const(end, out.s, d), e.bi("multiply", back, e.const(by, out.s, d)))
    half = e.compare("LT", i, e.const(steps // 2, out.s, d))
    return e.cast(e.select(half, left, right), out.d)


@row("repeat_interleave.self_int")
def repeat_interleave(e, out, a, times, dim=None, **_):
    if isinstance(times, V):
        raise Unsupported("counts that are computed")
    if dim is None:
        a, dim = e.reshape(a, (numel(a.s),)), 0
    dim = axis(dim, a.rank)
    s = [*a.s[: dim + 1], times, *a.s[dim + 1 :]]
    return e.reshape(e.broadcast(a, s, [i for i in range(len(s)) if i != dim + 1]), out.s)


@row("pixel_shuffle")
def pixel_shuffle(e, out, a, r):
    *lead, ch, h, w = a.s
    n, ch = len(lead), ch // (r * r)
    x = e.reshape(a, (*lead, ch, r, r, h, w))
    order = [*range(n), n, n + 3, n + 1, n + 4, n + 2]
    return e.reshape(e.transpose(x, order), out.s)


@row("logspace")
def logspace(e, out, start, end, steps, base=10.0, **_):
    if isinstance(start, V) or isinstance(end, V):
        raise Unsupported("bounds that are computed")
    values = [base ** (start + (end - start) * i / max(1, steps - 1)) for i in range(steps)]
    if not is_float(out.d) or any(math.isinf(v) for v in values):
        raise Unsupported("integers")
    return e.array(values, out.s, out.d)
