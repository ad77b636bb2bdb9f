# SPDX-License-Identifier: Apache-2.0
"""Rows of ops that take, put and count elements at computed places."""

import math

from ._torch_emit import V, Unsupported, axis, broadcast_shape, is_float, least, most, numel, wide
from ._torch_rows_math import floor_int
from ._torch_rows_reduce import cumulative, total
from ._torch_rows_shape import row_major, take
from ._torch_table import Out as _Shape
from ._torch_table import row


def counted_from_end(e, i, n):
    """Indices of a dimension of n elements; negative ones count from its end."""
    zero = e.const(0, i.s, i.d)
    return e.select(e.compare("LT", i, zero), e.bi("add", i, e.const(n, i.s, i.d)), i)


def _columns(e, sizes, indices):
    """Indices, one for each of these dimensions, as rows of a matrix; and their common shape."""
    if any(i.d in ("i1", "ui8") for i in indices):
        raise Unsupported("a mask as index: the shape of its result is not known")
    s = broadcast_shape(*[i.s for i in indices])
    columns = [e.reshape(e.broadcast(counted_from_end(e, e.cast(i, "i64"), n), s), (*s, 1)) for n, i in zip(sizes, indices)]
    return e.cat(columns, len(s)), s


def _places(indices, rank):
    """Dimensions that are indexed, and where the common dimensions of indices come in the result."""
    dims = [i for i, x in enumerate(indices) if x is not None]
    together = dims == list(range(dims[0], dims[0] + len(dims)))
    return dims, dims[0] if together else 0


@row("index", "_unsafe_index")
def index(e, out, a, indices):
    indices = list(indices)
    dims, first = _places(indices, a.rank)
    columns, s = _columns(e, [a.s[i] for i in dims], [indices[i] for i in dims])
    rest = [i for i in range(a.rank) if i not in dims]
    if not numel(out.s):
        return e.const(0, out.s, out.d)
    offset = [i for i in range(len(out.s)) if not first <= i < first + len(s)]
    sizes = [1 if i in dims else n for i, n in enumerate(a.s)]
    if len(offset) != len(rest):
        raise Unsupported("indices of this form")
    return e.gather(a, columns, offset, dims, dims, sizes, len(s), out.s)


@row("index_put", "_unsafe_index_put", "index_put_", "_index_put_impl")
def index_put(e, out, a, indices, values, accumulate=False, *_):
    indices, values = list(indices), e.cast(values, out.d)
    masks = [i for i in indices if i is not None and i.d in ("i1", "ui8")]
    if masks:
        mask, rest = e.cast(masks[0], "i1"), a.s[masks[0].rank :]
        if len(indices) == 1 and (values.rank <= len(rest) or values.s[0] == 1):  # the same for each that is true
            values = e.broadcast(e.reshape(values, values.s[-len(rest) :] if values.rank > len(rest) and rest else values.s if rest else ()), a.s)
            return e.select(e.broadcast(mask, a.s, range(mask.rank)), e.bi("add", a, values) if accumulate else values, a)
        if len(indices) == 1 and values.rank == a.rank - masks[0].rank + 1 and values.s[0] > 1:
            return _put_masked(e, a, mask, values, accumulate)
        raise Unsupported("a mask as index: how many elements it has is not known")
    dims, first = _places(indices, a.rank)
    columns, s = _columns(e, [a.s[i] for i in dims], [indices[i] for i in dims])
    rest = [a.s[i] for i in range(a.rank) if i not in dims]
    if not numel(s) or not numel(a.s):
        return a
    whole = [*rest[:first], *s, *rest[first:]]
    values = e.broadcast(values, whole)
    window = [i for i in range(len(whole)) if not first <= i < first + len(s)]
    op = None if not accumulate else "or" if a.d == "i1" else "add"
    return e.scatter(a, columns, values, window, dims, dims, len(s), op)


def _put_masked(e, a, mask, values, accumulate):
    """values, one after the other, where a mask of the first dimensions is true."""
    rest = a.s[mask.rank :]
    values = e.broadcast(values, (values.s[0], *rest))
    rows = index(e, _Shape((numel(mask.s), *rest), a.d), values, [_count_true(e, mask)])
    found = e.reshape(rows, a.s)
    if accumulate:
        found = e.bi("add", a, found)
    return e.select(e.broadcast(mask, a.s, range(mask.rank)), found, a)


def _count_true(e, mask):
    """How many elements of a mask are true before each: its place in what a mask selects."""
    n = numel(mask.s)
    which = cumulative(e, "add", e.cast(e.reshape(mask, (n,)), "i64"), 0, 0)
    return e.bi("maximum", e.bi("subtract", which, e.const(1, (n,), "i64")), e.const(0, (n,), "i64"))


@row("embedding")
def embedding(e, out, w, i, *_, **__):
    i = counted_from_end(e, i, w.s[0])
    if not numel(out.s):
        return e.const(0, out.s, out.d)
    return e.gather(w, e.reshape(i, (*i.s, 1)), [len(out.s) - 1], [0], [0], [1, w.s[1]], i.rank, out.s)


@row("embedding_dense_backward")
def embedding_backward(e, out, grad, i, n, padding_idx, scale_by_freq):
    if scale_by_freq:
        raise Unsupported("scale_grad_by_freq")
    g = e.cast(grad, wide(grad.d))
    if padding_idx is not None and padding_idx >= 0:
        skip = e.compare("EQ", i, e.const(padding_idx, i.s, i.d))
        g = e.select(e.broadcast(skip, g.s, range(i.rank)), e.const(0, g.s, g.d), g)
    zero = e.const(0, out.s, g.d)
    made = e.scatter(zero, e.reshape(i, (*i.s, 1)), g, [g.rank - 1], [0], [0], i.rank, "add") if numel(i.s) else zero
    return e.cast(made, out.d)


@row("index_select")
def index_select(e, out, a, dim, i):
    if not a.s:
        return e.reshape(e.broadcast(a, i.s), out.s)
    return index(e, out, a, [None] * axis(dim, a.rank) + [e.reshape(i, (numel(i.s),))])


def _flat_indices(e, a, dim, i):
    """The places in a flat a of elements whose position along dim is i, and along others their own."""
    made = e.bi("multiply", i, e.const(row_major(a.s)[dim], i.s, i.d))
    for k, step in enumerate(row_major(a.s)):
        if k != dim and i.s[k] > 1:
            made = e.bi("add", made, e.bi("multiply", e.iota(k, i.s, i.d), e.const(step, i.s, i.d)))
    return made


@row("gather")
def gather(e, out, a, dim, i, **_):
    i = e.cast(i, "i64")
    if not a.s or not i.s:
        return e.broadcast(e.reshape(a, ()), out.s)
    if not numel(i.s):
        return e.const(0, out.s, out.d)
    dim = axis(dim, a.rank)
    return take(e, e.reshape(a, (numel(a.s),)), _flat_indices(e, a, dim, counted_from_end(e, i, a.s[dim])))


@row("take")
def take_(e, out, a, i):
    n = numel(a.s)
    return take(e, e.reshape(a, (n,)), counted_from_end(e, e.cast(i, "i64"), n))


def _scattered(e, a, dim, i, updates, op):
    i = e.cast(i, "i64")
    if not numel(i.s):
        return a
    if not a.s:
        a1, i, updates = e.reshape(a, (1,)), e.reshape(i, (numel(i.s),)), e.reshape(updates, (numel(i.s),))
        return e.reshape(_scattered(e, a1, 0, i, updates, op), ())
    if not i.s:
        i, updates = e.reshape(i, (1,) * a.rank), e.reshape(updates, (1,) * a.rank)
    dim, n = axis(dim, a.rank), numel(i.s)
    places = _flat_indices(e, a, dim, counted_from_end(e, i, a.s[dim]))
    flat = e.reshape(a, (numel(a.s),))
    made = e.scatter(flat, e.reshape(places, (n, 1)), e.reshape(updates, (n,)), (), (0,), (0,), 1, op)
    return e.reshape(made, a.s)


def _source(e, a, i, src):
    if not isinstance(src, V):
        return e.const(src, i.s, a.d)
    if src.s != i.s:
        if src.rank != i.rank:
            return e.reshape(src, i.s)
        src = e.slice(src, [0] * src.rank, list(i.s))
    return e.cast(src, a.d)


@row("scatter", "scatter.src", "scatter.value", "scatter_")
def scatter(e, out, a, dim, i, src, reduce=None, **_):
    op = {None: None, "add": "add", "multiply": "multiply"}[reduce]
    return _scattered(e, a, dim, i, _source(e, a, i, src), op)


@row("scatter_add", "scatter_add_")
def scatter_add(e, out, a, dim, i, src):
    return _scattered(e, a, dim, i, _source(e, a, i, src), "or" if a.d == "i1" else "add")


@row("scatter_reduce.two", "scatter_reduce")
def scatter_reduce(e, out, a, dim, i, src, reduce, include_self=True):
    op = {"sum": "add", "mean": "add", "prod": "multiply", "amax": "maximum", "amin": "minimum"}[reduce]
    if a.d == "i1":
        raise Unsupported("bool")
    updates, base = _source(e, a, i, src), a
    if not include_self:
        init = {"add": 0, "multiply": 1, "maximum": least(a.d), "minimum": most(a.d)}[op]
        touched = _scattered(e, e.const(False, a.s, "i1"), dim, i, e.const(True, i.s, "i1"), None)
        base = e.select(touched, e.const(init, a.s, a.d), a)
    made = _scattered(e, base, dim, i, updates, op)
    if reduce == "mean":
        count = _scattered(e, e.const(1 if include_self else 0, a.s, "i64"), dim, i, e.const(1, i.s, "i64"), "add")
        count = e.cast(e.bi("maximum", count, e.const(1, a.s, "i64")), a.d)
        made = e.bi("divide", made, count) if is_float(a.d) else floor_int(e, made, count)
    return made


def _along(e, a, dim, i):
    """Indices of a dimension, for an update of whole slices: the scatter's columns, window and dims."""
    i = counted_from_end(e, e.cast(e.reshape(i, (numel(i.s),)), "i64"), a.s[dim])
    return e.reshape(i, (*i.s, 1)), [k for k in range(a.rank) if k != dim]


def _index_op(op):
    def made(e, out, a, dim, i, src, alpha=1, **_):
        src = e.fit(src, src.s, out.d) if isinstance(src, V) else e.const(src, (), out.d)
        if not a.s:
            a1, o1 = e.reshape(a, (1,)), type(out)((1,), out.d)
            return e.reshape(made(e, o1, a1, 0, e.reshape(i, (numel(i.s),)), e.reshape(src, (numel(src.s),)), alpha), ())
        dim = axis(dim, a.rank)
        columns, window = _along(e, a, dim, i)
        shape = [columns.s[0] if k == dim else n for k, n in enumerate(a.s)]
        src = e.broadcast(src, shape)
        if not numel(src.s):
            return a
        if alpha != 1:
            src = e.bi("multiply", src, e.const(alpha, src.s, src.d))
        return e.scatter(a, columns, src, window, [dim], [dim], 1, op if a.d != "i1" or op is None else "or")

    return made


row("index_add")(_index_op("add"))
row("index_copy")(_index_op(None))
row("index_fill")(_index_op(None))


@row("masked_scatter")
def masked_scatter(e, out, a, mask, source):
    a = e.broadcast(a, out.s)
    if not numel(a.s) or not numel(source.s):
        return a
    mask = e.broadcast(mask, a.s)
    found = e.reshape(take(e, e.reshape(source, (numel(source.s),)), _count_true(e, mask)), a.s)
    return e.select(mask, found, a)


@row("unfold_backward")
def unfold_backward(e, out, grad, sizes, dim, size, step):
    if not sizes:
        return e.reshape(grad, out.s)
    dim = axis(dim, len(sizes))
    steps = row_major(sizes)
    strides = [k * step if d == dim else k for d, k in enumerate(steps)] + [steps[dim]]
    places = e.const(0, grad.s, "i64")
    for d, k in enumerate(strides):
        places = e.bi("add", places, e.bi("multiply", e.iota(d, grad.s, "i64"), e.const(k, grad.s, "i64")))
    n = math.prod(grad.s)
    zero = e.const(0, (math.prod(sizes),), out.d)
    made = e.scatter(zero, e.reshape(places, (n, 1)), e.reshape(grad, (n,)), (), (0,), (0,), 1, "add") if n else zero
    return e.reshape(made, out.s)


@row("diagonal_scatter")
def diagonal_scatter(e, out, a, b, offset=0, dim1=0, dim2=1):
    i, j = axis(dim1, a.rank), axis(dim2, a.rank)
    steps = row_major(a.s)
    strides = [k for d, k in enumerate(steps) if d not in (i, j)] + [steps[i] + steps[j]]
    if not numel(b.s):
        return a
    places = e.const(offset * steps[j] if offset >= 0 else -offset * steps[i], b.s, "i64")
    for d, k in enumerate(strides):
        places = e.bi("add", places, e.bi("multiply", e.iota(d, b.s, "i64"), e.const(k, b.s, "i64")))
    n = numel(b.s)
    made = e.scatter(e.reshape(a, (numel(a.s),)), e.reshape(places, (n, 1)), e.reshape(e.cast(b, a.d), (n,)), (), (0,), (0,), 1)
    return e.reshape(made, a.s)


row("diagonal_backward")(lambda e, out, grad, sizes, offset, dim1, dim2: diagonal_scatter(e, out, e.const(0, out.s, out.d), grad, offset, dim1, dim2))


@row("embedding_renorm")
def embedding_renorm(e, out, w, i, max_norm, norm_type):
    """Rows that are looked up are made no longer than max_norm."""
    i = e.reshape(e.cast(i, "i64"), (numel(i.s), 1))
    used = e.scatter(e.const(False, (w.s[0],), "i1"), i, e.const(True, (i.s[0],), "i1"), (), (0,), (0,), 1)
    x = e.un("abs", e.cast(w, wide(w.d)))
    norm = total(e, e.bi("power", x, e.const(norm_type, x.s, x.d)), (1,))
    norm = e.bi("power", norm, e.const(1 / norm_type, norm.s, norm.d))
    long = e.bi("and", used, e.compare("GT", norm, e.const(max_norm, norm.s, norm.d)))
    scale = e.bi("divide", e.const(max_norm, norm.s, norm.d), e.bi("add", norm, e.const(1e-7, norm.s, norm.d)))
    scale = e.select(long, scale, e.const(1, scale.s, scale.d))
    return e.cast(e.bi("multiply", e.cast(w, scale.d), e.broadcast(scale, w.s, [0])), w.d)


@row("_embedding_bag", "_embedding_bag_forward_only")
def embedding_bag(e, outs, w, i, offsets, scale_grad_by_freq=False, mode=0, sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=-1):
    """Sums (mode 0), means (1) or maxima (2) of rows that are looked up, bag by bag; offsets are where bags begin."""
    i, offsets, o = e.cast(i, "i64"), e.cast(offsets, "i64"), outs[0]
    n, bags = i.s[0], o.s[0]
    if not n or not numel(o.s):
        raise Unsupported("no indices")
    if include_last_offset:
        offsets = e.cut(offsets, 0, 0, bags)
    begun = e.compare("GE", e.iota(0, (n, bags), "i64"), e.broadcast(offsets, (n, bags), [1]))
    bag = e.bi("subtract", total(e, e.cast(begun, "i64"), (1,)), e.const(1, (n,), "i64"))
    rows = embedding(e, _Shape((n, w.s[1]), w.d), w, i)
    rows = e.cast(rows, wide(w.d))
    counts = e.compare("NE", i, e.const(padding_idx if padding_idx >= 0 else -1, (n,), "i64"))
    if per_sample_weights is not None:
        rows = e.bi("multiply", rows, e.broadcast(e.cast(per_sample_weights, rows.d), rows.s, [0]))
    wanted = e.broadcast(counts, rows.s, [0])
    worst = least(rows.d) if mode == 2 else 0
    rows = e.select(wanted, rows, e.const(worst, rows.s, rows.d))
    at = e.reshape(bag, (n, 1))
    size = e.scatter(e.const(0, (bags,), "i64"), at, e.cast(counts, "i64"), (), (0,), (0,), 1, "add")
    made = e.scatter(e.const(worst, o.s, rows.d), at, rows, (1,), (0,), (0,), 1, "maximum" if mode == 2 else "add")
    if mode == 1:
        divisor = e.cast(e.bi("maximum", size, e.const(1, size.s, "i64")), made.d)
        made = e.bi("divide", made, e.broadcast(divisor, made.s, [0]))
    if mode == 2:
        made = e.select(e.broadcast(e.compare("EQ", size, e.const(0, size.s, "i64")), made.s, [0]), e.const(0, made.s, made.d), made)
    more = []
    for x, shape in zip((bag, size, None), outs[1:]):
        more.append(e.cast(x, shape.d) if x is not None and x.s == shape.s else e.const(0, shape.s, shape.d))
    return [e.cast(made, o.d), *more]
