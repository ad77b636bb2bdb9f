/* SPDX-License-Identifier: Apache-2.0 */
/* slice.c - parts of tensors: slices, dynamic updates, padding, selection by index. */
#include "dialect/params.h"
#include "eval/math/strided.h"
#include "eval/kernel/kernels.h"

/* ---- Slices ---- */

/* Elements of operand 0 beginning at starts, with sizes dims and strides steps. */
static bool take_slice(tsr_call *c, const int64_t *starts, const int64_t *steps,
                       const int64_t *dims)
{
    const tsr_tensor *x = c->in[0];
    size_t rank = x->rank, size = tsr_elem_size(x);
    int64_t from[TSR_MAX_RANK], to[TSR_MAX_RANK];
    bool all = true;
    for (size_t d = 0; d < rank; d++)
        all &= dims[d] == x->dims[d];
    if (all && c->op->out[0].type->elem ==
                   x->elem) { /* nothing is left out, so steps are 1 or irrelevant */
        c->out[0] = tsr_call_take(c, 0);
        return true;
    }
    tsr_tensor *t = tsr_call_new(c, 0, dims, rank);
    if (!t)
        return false;
    if (!t->n)
        return true;
    tsr_byte_strides(x->dims, rank, size, from);
    tsr_byte_strides(dims, rank, size, to);
    const char *first = x->data;
    for (size_t d = 0; d < rank; d++) {
        first += starts[d] * from[d];
        from[d] = dims[d] > 1 ? from[d] * steps[d] : 0;
    }
    tsr_move_once(t->data, to, first, from, dims, rank, size);
    return true;
}

static bool slice_by(tsr_call *c, const int64_t *starts, const int64_t *limits,
                     const int64_t *steps)
{
    const tsr_tensor *x = c->in[0];
    int64_t dims[TSR_MAX_RANK];
    for (size_t d = 0; d < x->rank; d++) {
        if (starts[d] < 0 || limits[d] < starts[d] || limits[d] > x->dims[d] || steps[d] <= 0)
            return tsr_fail(c, "slices dimension %zu of size %lld from %lld to %lld by %lld", d,
                            (long long)x->dims[d], (long long)starts[d], (long long)limits[d],
                            (long long)steps[d]);
        int64_t n = limits[d] - starts[d];
        dims[d] = n / steps[d] + (n % steps[d] != 0);
    }
    return take_slice(c, starts, steps, dims);
}

bool eval_slice(tsr_call *c)
{
    int64_t starts[TSR_MAX_RANK], limits[TSR_MAX_RANK], steps[TSR_MAX_RANK];
    size_t rank = c->in[0]->rank;
    tsr_slice s;
    tsr_slice_of(c->op, &s);
    if (tsr_ints_copy(s.start, starts, TSR_MAX_RANK) != rank ||
        tsr_ints_copy(s.limit, limits, TSR_MAX_RANK) != rank ||
        tsr_ints_copy(s.strides, steps, TSR_MAX_RANK) != rank)
        return tsr_fail(c, "has not one index for each dimension");
    return slice_by(c, starts, limits, steps);
}

bool eval_real_dynamic_slice(tsr_call *c)
{
    int64_t starts[TSR_MAX_RANK], limits[TSR_MAX_RANK], steps[TSR_MAX_RANK];
    size_t rank = c->in[0]->rank;
    if (tsr_index_list(c->in[1], starts, TSR_MAX_RANK) != rank ||
        tsr_index_list(c->in[2], limits, TSR_MAX_RANK) != rank ||
        tsr_index_list(c->in[3], steps, TSR_MAX_RANK) != rank)
        return tsr_fail(c, "has not one index for each dimension");
    return slice_by(c, starts, limits, steps);
}

/* Where a window of these sizes starts: operands from first on, moved so that the window is inside. */
static bool window_starts(tsr_call *c, uint32_t first, const int64_t *sizes, int64_t *starts)
{
    const tsr_tensor *x = c->in[0];
    if (c->op->nin - first != x->rank)
        return tsr_fail(c, "has not one index for each dimension");
    for (size_t d = 0; d < x->rank; d++) {
        if (sizes[d] < 0 || sizes[d] > x->dims[d])
            return tsr_fail(c, "has a slice of size %lld in dimension %zu of size %lld",
                            (long long)sizes[d], d, (long long)x->dims[d]);
        starts[d] = tsr_clamp(tsr_get_index(c->in[first + d], 0), 0, x->dims[d] - sizes[d]);
    }
    return true;
}

bool eval_dynamic_slice(tsr_call *c)
{
    int64_t starts[TSR_MAX_RANK], sizes[TSR_MAX_RANK], steps[TSR_MAX_RANK];
    size_t rank = c->in[0]->rank;
    if (tsr_ints_of(tsr_call_attr(c, STABLEHLO_DYNAMIC_SLICE_slice_sizes), sizes, TSR_MAX_RANK) !=
        rank)
        return tsr_fail(c, "has not one size for each dimension");
    TSR_TRY(window_starts(c, 1, sizes, starts));
    for (size_t d = 0; d < rank; d++)
        steps[d] = 1;
    return take_slice(c, starts, steps, sizes);
}

bool eval_dynamic_update_slice(tsr_call *c)
{
    const tsr_tensor *u = c->in[1];
    size_t rank = c->in[0]->rank, size = tsr_elem_size(u);
    int64_t starts[TSR_MAX_RANK], to[TSR_MAX_RANK], from[TSR_MAX_RANK];
    if (u->rank != rank || u->dtype != c->in[0]->dtype)
        return tsr_fail(c, "has an update of another rank or element type");
    TSR_TRY(window_starts(c, 2, u->dims, starts));
    bool all = true;
    for (size_t d = 0; d < rank; d++)
        all &= u->dims[d] == c->in[0]->dims[d];
    if (all) {
        c->out[0] = tsr_call_take(c, 1);
        return true;
    }
    tsr_tensor *t = tsr_tensor_reuse(tsr_call_take(c, 0));
    c->out[0] = t;
    if (!t)
        return tsr_fail_memory(c, "its result");
    if (!u->n)
        return true;
    tsr_byte_strides(t->dims, rank, size, to);
    tsr_byte_strides(u->dims, rank, size, from);
    char *first = t->data;
    for (size_t d = 0; d < rank; d++)
        first += starts[d] * to[d];
    tsr_move_once(first, to, u->data, from, u->dims, rank, size);
    return true;
}

/* ---- Padding ---- */

/* The size of a padded dimension; -1 if it is invalid. */
static int64_t padded_size(int64_t n, int64_t low, int64_t high, int64_t interior)
{
    const int64_t most = (int64_t)1 << 46;
    if (low < -most || low > most || high < -most || high > most || interior < 0 ||
        interior > most || n > most)
        return -1;
    if (n > 1 && interior > most / (n - 1))
        return -1;
    return n + (n > 1 ? (n - 1) * interior : 0) + low + high;
}

static bool pad(tsr_call *c, const int64_t *low, const int64_t *high, const int64_t *interior)
{
    const tsr_tensor *x = c->in[0];
    int64_t dims[TSR_MAX_RANK], step[TSR_MAX_RANK];
    if (c->in[1]->n != 1 || c->in[1]->dtype != x->dtype)
        return tsr_fail(c, "pads with a value of another type");
    for (size_t d = 0; d < x->rank; d++) {
        dims[d] = padded_size(x->dims[d], low[d], high[d], interior[d]);
        if (dims[d] < 0)
            return tsr_fail(c, "pads dimension %zu of size %lld by %lld, %lld and %lld in between",
                            d, (long long)x->dims[d], (long long)low[d], (long long)high[d],
                            (long long)interior[d]);
        step[d] = interior[d] + 1;
    }
    tsr_tensor *t = tsr_call_new(c, 0, dims, x->rank);
    if (t)
        tsr_pad_into(t, x, c->in[1]->data, low, step);
    return t != NULL;
}

/* stablehlo.pad, stablehlo.dynamic_pad */
bool eval_pad(tsr_call *c)
{
    int64_t low[TSR_MAX_RANK], high[TSR_MAX_RANK], interior[TSR_MAX_RANK];
    size_t rank = c->in[0]->rank, n[3];
    tsr_pad p;
    if (!tsr_pad_of(c->op, &p)) { /* dynamic_pad */
        n[0] = tsr_index_list(c->in[2], low, TSR_MAX_RANK);
        n[1] = tsr_index_list(c->in[3], high, TSR_MAX_RANK);
        n[2] = tsr_index_list(c->in[4], interior, TSR_MAX_RANK);
    } else {
        n[0] = tsr_ints_copy(p.low, low, TSR_MAX_RANK);
        n[1] = tsr_ints_copy(p.high, high, TSR_MAX_RANK);
        n[2] = tsr_ints_copy(p.interior, interior, TSR_MAX_RANK);
    }
    if (n[0] != rank || n[1] != rank || n[2] != rank)
        return tsr_fail(c, "has not one padding for each dimension");
    return pad(c, low, high, interior);
}

/* ---- Selection ---- */

/* result[b.., p.., i.., s..] = operand[b.., p.., index[b.., i..], s..]: b are batch dimensions, p come before dim. */
bool eval_torch_index_select(tsr_call *c)
{
    const tsr_tensor *x = c->in[0], *index = c->in[1];
    int64_t dim = tsr_call_attr(c, STABLEHLO_TORCH_INDEX_SELECT_dim)->i;
    int64_t batch = tsr_call_attr(c, STABLEHLO_TORCH_INDEX_SELECT_batch_dims)->i;
    dim += dim < 0 ? x->rank : 0;
    batch += batch < 0 ? index->rank : 0;
    if (dim < 0 || dim >= x->rank || batch < 0 || batch > index->rank || batch > dim)
        return tsr_fail(c, "selects along a dimension that it does not have");
    int64_t dims[2 * TSR_MAX_RANK], nbatch = 1, before = 1, picks = 1, run = 1;
    size_t rank = 0;
    for (int64_t d = 0; d < dim; d++) {
        if (d < batch && index->dims[d] != x->dims[d])
            return tsr_fail(c, "has operands whose batch dimensions differ");
        dims[rank++] = x->dims[d];
        *(d < batch ? &nbatch : &before) *= x->n ? x->dims[d] : 1;
    }
    for (int64_t d = batch; d < index->rank; d++) {
        dims[rank++] = index->dims[d];
        picks *= index->n ? index->dims[d] : 1;
    }
    for (int64_t d = dim + 1; d < x->rank; d++) {
        dims[rank++] = x->dims[d];
        run *= x->n ? x->dims[d] : 1;
    }
    if (rank > TSR_MAX_RANK)
        return tsr_fail(c, "has a result of more than %d dimensions", TSR_MAX_RANK);
    tsr_tensor *t = tsr_call_new(c, 0, dims, rank);
    if (!t)
        return false;
    if (!t->n)
        return true;
    if (!x->n)
        return tsr_fail(c, "selects from a dimension of size 0");
    size_t bytes = (size_t)run * tsr_elem_size(x);
    char *to = t->data;
    for (int64_t b = 0; b < nbatch; b++)
        for (int64_t p = 0; p < before; p++) {
            const char *from =
                (const char *)x->data + (size_t)((b * before + p) * x->dims[dim]) * bytes;
            for (int64_t i = 0; i < picks; i++, to += bytes) {
                int64_t at = tsr_clamp(tsr_get_index(index, b * picks + i), 0, x->dims[dim] - 1);
                memcpy(to, from + (size_t)at * bytes, bytes);
            }
        }
    return true;
}
