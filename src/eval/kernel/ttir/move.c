/* SPDX-License-Identifier: Apache-2.0 */
/* move.c - TTIR: ops that move elements, as strided copies. */
#include <stdlib.h>

#include "dialect/params.h"
#include "dialect/ttir/ttir.h"
#include "eval/kernel/ttir/ttir.h"
#include "eval/kernel/kernels.h"
#include "eval/math/strided.h"

/* ---- Reshapes ---- */

static bool give_shape(tsr_call *c, const int64_t *dims, size_t rank)
{
    int64_t n = 1;
    for (size_t i = 0; i < rank; i++)
        if (dims[i] < 0 || (dims[i] && n > ((int64_t)1 << 46) / dims[i]))
            return tsr_fail(c, "gives its operand a shape that cannot be");
        else
            n *= dims[i];
    if (n != c->in[0]->n)
        return tsr_fail(c, "gives %lld elements a shape of another number", (long long)c->in[0]->n);
    return tsr_tt_give_as(c, 0, tsr_call_take(c, 0), dims, rank);
}

bool eval_ttir_reshape(tsr_call *c)
{
    int64_t dims[TSR_MAX_RANK], known = 1, open = -1;
    size_t rank = tsr_tt_ints(tsr_call_attr(c, TTIR_RESHAPE_shape), dims, TSR_MAX_RANK);
    for (size_t i = 0; i < rank; i++)
        if (dims[i] == -1)
            open = (int64_t)i;
        else if (dims[i] >= 0 && (!dims[i] || known <= ((int64_t)1 << 46) / dims[i]))
            known *= dims[i];
    if (open >= 0)
        dims[open] = known ? c->in[0]->n / known : 0;
    return give_shape(c, dims, rank);
}

bool eval_ttir_squeeze(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    int64_t dims[TSR_MAX_RANK];
    size_t dim, rank = 0;
    TSR_TRY(tsr_tt_dim(c, tsr_tt_int(c, TTIR_SQUEEZE_dim, 0), x->rank, &dim));
    for (size_t i = 0; i < x->rank; i++)
        if (i != dim)
            dims[rank++] = x->dims[i];
    return give_shape(c, dims, rank);
}

bool eval_ttir_unsqueeze(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    int64_t dims[TSR_MAX_RANK + 1];
    size_t dim, rank = 0;
    if (x->rank == TSR_MAX_RANK)
        return tsr_fail(c, "has a result of too many dimensions");
    TSR_TRY(tsr_tt_dim(c, tsr_tt_int(c, TTIR_UNSQUEEZE_dim, 0), x->rank + 1u, &dim));
    for (size_t i = 0; i < x->rank + 1u; i++)
        dims[i] = i == dim ? 1 : x->dims[rank++];
    return give_shape(c, dims, x->rank + 1u);
}

/* ---- Permutations ---- */

bool eval_ttir_permute(tsr_call *c)
{
    int64_t order[TSR_MAX_RANK];
    tsr_order d;
    tsr_order_of(c->op, &d);
    size_t n = tsr_ints_copy(d.dims, order, TSR_MAX_RANK);
    if (n != c->in[0]->rank || !tsr_distinct_below(order, n, n))
        return tsr_fail(c, "permutes dimensions that the operand does not have");
    return tsr_tt_give(c, 0, tsr_tt_permuted(c, c->in[0], order));
}

bool eval_ttir_transpose(tsr_call *c)
{
    int64_t order[TSR_MAX_RANK];
    size_t a, b, rank = c->in[0]->rank;
    TSR_TRY(tsr_tt_dim(c, tsr_tt_int(c, TTIR_TRANSPOSE_dim0, 0), rank, &a) &&
            tsr_tt_dim(c, tsr_tt_int(c, TTIR_TRANSPOSE_dim1, 0), rank, &b));
    for (size_t i = 0; i < rank; i++)
        order[i] = (int64_t)(i == a ? b : i == b ? a : i);
    return tsr_tt_give(c, 0, tsr_tt_permuted(c, c->in[0], order));
}

bool eval_ttir_rearrange(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    tsr_ttir_order o;
    int64_t order[TSR_MAX_RANK], dims[TSR_MAX_RANK];
    if (!tsr_ttir_rearrangement(tsr_call_attr(c, TTIR_REARRANGE_pattern)->s, x->rank, &o) ||
        o.nin != x->rank || o.nout > TSR_MAX_RANK)
        return tsr_fail(c, "has a pattern that does not fit its operand");
    for (size_t i = 0; i < o.nin; i++)
        order[i] = (int64_t)o.dims[i];
    for (size_t i = 0, k = 0; i < o.nout; i++) {
        dims[i] = 1;
        for (size_t j = 0; j < o.sizes[i]; j++)
            dims[i] *= x->dims[order[k++]];
    }
    return tsr_tt_give_as(c, 0, tsr_tt_permuted(c, x, order), dims, o.nout);
}

bool eval_ttir_reverse(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    int64_t axes[TSR_MAX_RANK], from[TSR_MAX_RANK];
    size_t n = tsr_tt_ints(tsr_call_attr(c, TTIR_REVERSE_dimensions), axes, TSR_MAX_RANK);
    if (!tsr_distinct_below(axes, n, x->rank))
        return tsr_fail(c, "reverses dimensions that the operand does not have");
    tsr_byte_strides(x->dims, x->rank, tsr_elem_size(x), from);
    const char *first = x->data;
    for (size_t i = 0; x->n && i < n; i++) {
        first += from[axes[i]] * (x->dims[axes[i]] - 1);
        from[axes[i]] = -from[axes[i]];
    }
    return tsr_tt_give(c, 0, tsr_tt_view(c, x, first, x->dims, from, x->rank));
}

/* ---- Copies ---- */

/* Each dimension becomes two, times x size: the outer one counts the copies, or the inner one if copies are
 * adjacent. */
static bool copies(tsr_call *c, const int64_t *times, bool neighbours)
{
    const tsr_tensor *x = c->in[0];
    int64_t own[TSR_MAX_RANK], dims[TSR_MAX_RANK], from[TSR_MAX_RANK], out[TSR_MAX_RANK];
    size_t n = 0;
    tsr_byte_strides(x->dims, x->rank, tsr_elem_size(x), own);
    for (size_t i = 0; i < x->rank; i++) {
        if (times[i] < 0 || (x->dims[i] && times[i] > ((int64_t)1 << 46) / x->dims[i]))
            return tsr_fail(c, "makes %lld copies", (long long)times[i]);
        out[i] = x->dims[i] * times[i];
        bool two = times[i] != 1;
        if (n + 2 > TSR_MAX_RANK)
            return tsr_fail(c, "repeats too many dimensions");
        if (two && !neighbours)
            dims[n] = times[i], from[n++] = 0;
        dims[n] = x->dims[i], from[n++] = own[i];
        if (two && neighbours)
            dims[n] = times[i], from[n++] = 0;
    }
    return tsr_tt_give_as(c, 0, tsr_tt_view(c, x, x->data, dims, from, n), out, x->rank);
}

/* Also for broadcast, which has its multipliers in the same slot. */
bool eval_ttir_repeat(tsr_call *c)
{
    int64_t times[TSR_MAX_RANK];
    size_t n = tsr_tt_ints(tsr_call_attr(c, TTIR_REPEAT_repeat_dimensions), times, TSR_MAX_RANK);
    if (n != c->in[0]->rank)
        return tsr_fail(c, "has not one number of copies for each dimension");
    return copies(c, times, false);
}

bool eval_ttir_repeat_interleave(tsr_call *c)
{
    int64_t times[TSR_MAX_RANK];
    size_t dim;
    TSR_TRY(tsr_tt_dim(c, tsr_tt_int(c, TTIR_REPEAT_INTERLEAVE_dim, 0), c->in[0]->rank, &dim));
    for (size_t i = 0; i < c->in[0]->rank; i++)
        times[i] = i == dim ? tsr_tt_int(c, TTIR_REPEAT_INTERLEAVE_repeats, 1) : 1;
    return copies(c, times, true);
}

bool eval_ttir_concat(tsr_call *c)
{
    size_t dim, rank = c->op->nin ? c->in[0]->rank : 0;
    int64_t dims[TSR_MAX_RANK], to[TSR_MAX_RANK], from[TSR_MAX_RANK];
    if (!c->op->nin)
        return tsr_fail(c, "concatenates nothing");
    TSR_TRY(tsr_tt_dim(c, tsr_tt_int(c, TTIR_CONCAT_dim, 0), rank, &dim));
    memcpy(dims, c->in[0]->dims, rank * sizeof *dims);
    dims[dim] = 0;
    for (uint32_t i = 0; i < c->op->nin; i++) {
        bool fits = c->in[i]->rank == rank;
        for (size_t d = 0; fits && d < rank; d++)
            fits = d == dim || c->in[i]->dims[d] == dims[d];
        if (!fits)
            return tsr_fail(c, "has operands whose shapes do not fit");
        dims[dim] += c->in[i]->dims[dim];
    }
    tsr_tensor *t = tsr_call_new(c, 0, dims, rank);
    TSR_TRY(t != NULL);
    size_t size = tsr_elem_size(t);
    tsr_byte_strides(dims, rank, size, to);
    char *at = t->data;
    for (uint32_t i = 0; i < c->op->nin; i++) {
        tsr_tensor *x = tsr_converted(c, c->in[i], t->elem);
        TSR_TRY(x != NULL);
        tsr_byte_strides(x->dims, rank, size, from);
        if (x->n)
            tsr_move_once(at, to, x->data, from, x->dims, rank, size);
        at += x->dims[dim] * to[dim];
        tsr_tensor_unref(x);
    }
    return true;
}

bool eval_ttir_pad(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    int64_t dims[TSR_MAX_RANK], low[TSR_MAX_RANK], step[TSR_MAX_RANK];
    tsr_pad by;
    tsr_pad_of(c->op, &by);
    if (by.low.n != x->rank || by.high.n != x->rank)
        return tsr_fail(c, "has not two paddings for each dimension");
    for (size_t i = 0; i < x->rank; i++) {
        low[i] = tsr_ints_at(by.low, i);
        step[i] = 1;
        dims[i] = x->dims[i] + low[i] + tsr_ints_at(by.high, i);
        if (dims[i] < 0)
            return tsr_fail(c, "cuts more off dimension %zu than there is", i);
    }
    tsr_tensor *t = tsr_tt_new(c, (tsr_dtype)x->dtype, dims, x->rank);
    TSR_TRY(t != NULL);
    double value = tsr_tt_double(c, TTIR_PAD_value, 0);
    char element[16] = {0};
    tsr_from_doubles((tsr_dtype)x->dtype, &value, element, 1);
    tsr_pad_into(t, x, element, low, step);
    return tsr_tt_give(c, 0, t);
}

/* ---- Slices ---- */

typedef struct {
    int64_t begin, end, step; /* negative indices count from the end */
} range;

/* As in Python: indices out of range are clamped. */
static int64_t range_start(range *r, int64_t size)
{
    int64_t least = r->step < 0 ? -1 : 0, most = r->step < 0 ? size - 1 : size;
    r->begin = tsr_clamp(r->begin < 0 ? r->begin + size : r->begin, least, most);
    r->end = tsr_clamp(r->end < 0 ? r->end + size : r->end, least, most);
    int64_t span = r->step < 0 ? r->begin - r->end : r->end - r->begin, step = llabs(r->step);
    return span <= 0 ? 0 : (span - 1) / step + 1;
}

static bool slice(tsr_call *c, range *r)
{
    const tsr_tensor *x = c->in[0];
    int64_t dims[TSR_MAX_RANK], from[TSR_MAX_RANK];
    const char *first = x->data;
    tsr_byte_strides(x->dims, x->rank, tsr_elem_size(x), from);
    bool some = true;
    for (size_t i = 0; i < x->rank; i++) {
        if (!r[i].step || llabs(r[i].step) > INT32_MAX)
            return tsr_fail(c, "has a step of %lld", (long long)r[i].step);
        dims[i] = range_start(&r[i], x->dims[i]);
        some &= dims[i] > 0;
    }
    for (size_t i = 0; some && i < x->rank; i++) {
        first += r[i].begin * from[i];
        from[i] *= r[i].step;
    }
    return tsr_tt_give(c, 0, tsr_tt_view(c, x, first, dims, from, x->rank));
}

bool eval_ttir_slice_static(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    range r[TSR_MAX_RANK];
    tsr_slice s;
    tsr_slice_of(c->op, &s);
    if (s.start.n != x->rank || s.limit.n != x->rank || s.strides.n != x->rank)
        return tsr_fail(c, "has not one range for each dimension");
    for (size_t i = 0; i < x->rank; i++)
        r[i] = (range){tsr_ints_at(s.start, i), tsr_ints_at(s.limit, i), tsr_ints_at(s.strides, i)};
    return slice(c, r);
}

/* The result has the size of its type: a slice that would exceed its operand is moved back into it, as in
 * stablehlo.dynamic_slice. */
bool eval_ttir_slice_dynamic(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    const tsr_type *type = c->op->out[0].type;
    int64_t begins[TSR_MAX_RANK], ends[TSR_MAX_RANK], steps[TSR_MAX_RANK];
    range r[TSR_MAX_RANK];
    const tsr_attr *a = tsr_call_attr(c, TTIR_SLICE_DYNAMIC_step);
    for (size_t i = 0; i < x->rank; i++)
        steps[i] = 1;
    if (tsr_index_list(c->in[1], begins, TSR_MAX_RANK) != x->rank ||
        tsr_index_list(c->in[2], ends, TSR_MAX_RANK) != x->rank ||
        (a && tsr_tt_ints(a, steps, TSR_MAX_RANK) != x->rank) || type->n != x->rank)
        return tsr_fail(c, "has not one range for each dimension");
    for (size_t i = 0; i < x->rank; i++) {
        r[i] = (range){begins[i], ends[i], steps[i]};
        range probe = r[i];
        if (!steps[i] || llabs(steps[i]) > INT32_MAX)
            return tsr_fail(c, "has a step of %lld", (long long)steps[i]);
        int64_t want = type->dims[i], step = steps[i], size = x->dims[i];
        if (want == TSR_DYNAMIC || range_start(&probe, size) == want)
            continue;
        int64_t reach = want ? (want - 1) * llabs(step) + 1 : 0, begin = begins[i];
        if (reach > size)
            return tsr_fail(c, "slices %lld of %lld elements", (long long)reach, (long long)size);
        begin += begin < 0 ? size : 0;
        begin =
            step > 0 ? tsr_clamp(begin, 0, size - reach) : tsr_clamp(begin, reach - 1, size - 1);
        r[i].begin = begin;
        r[i].end = begin + (step > 0 ? reach : -reach);
        if (r[i].end < 0)
            r[i].end = -size - 1; /* before the first */
    }
    return slice(c, r);
}

bool eval_ttir_index(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    range r[TSR_MAX_RANK];
    size_t dim;
    TSR_TRY(tsr_tt_dim(c, tsr_tt_int(c, TTIR_INDEX_dim, 0), x->rank, &dim));
    for (size_t i = 0; i < x->rank; i++)
        r[i] = (range){0, x->dims[i], 1};
    r[dim] = (range){tsr_tt_int(c, TTIR_INDEX_begin, 0), tsr_tt_int(c, TTIR_INDEX_end, 0),
                     tsr_tt_int(c, TTIR_INDEX_step, 1)};
    return slice(c, r);
}

/* length elements at begin, and again after each stride, up to the end of the dimension. */
bool eval_ttir_index_select(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    size_t dim, size = tsr_elem_size(x);
    int64_t begin = tsr_tt_int(c, TTIR_INDEX_SELECT_begin, 0),
            length = tsr_tt_int(c, TTIR_INDEX_SELECT_length, 1),
            stride = tsr_tt_int(c, TTIR_INDEX_SELECT_stride, 0), dims[TSR_MAX_RANK];
    TSR_TRY(tsr_tt_dim(c, tsr_tt_int(c, TTIR_INDEX_SELECT_dim, 0), x->rank, &dim));
    tsr_tt_axis a = tsr_tt_around(x, dim);
    stride = stride ? stride : a.n;
    if (begin < 0 || length < 1 || (a.n && stride < 1))
        return tsr_fail(c, "selects %lld elements at %lld", (long long)length, (long long)begin);
    memcpy(dims, x->dims, x->rank * sizeof *dims);
    dims[dim] = 0;
    for (int64_t at = begin; at < a.n; at += stride)
        dims[dim] += length < a.n - at ? length : a.n - at;
    tsr_tensor *t = tsr_tt_new(c, (tsr_dtype)x->dtype, dims, x->rank);
    TSR_TRY(t != NULL);
    char *to = t->data;
    for (int64_t o = 0; t->n && o < a.outer; o++)
        for (int64_t at = begin; at < a.n; at += stride) {
            size_t bytes = (size_t)((length < a.n - at ? length : a.n - at) * a.inner) * size;
            memcpy(to, (const char *)x->data + (size_t)((o * a.n + at) * a.inner) * size, bytes);
            to += bytes;
        }
    return tsr_tt_give(c, 0, t);
}
