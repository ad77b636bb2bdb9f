/* SPDX-License-Identifier: Apache-2.0 */
/* ttir_move.c - EXEC hooks of TTIR's ops on shapes, iotas and tables. */
#include <stdlib.h>

#include "dialect/params.h"
#include "dialect/ttir/shape.h"
#include "exec/compile/value.h"

static const tsr_xvalue *in_at(const tsr_xbuilder *b, const tsr_op *op, uint32_t i)
{
    return tsr_xvalue_at(b, tsr_x_in(b, op, i));
}

/* ---- Views ---- */

/* The same elements: reshape, squeeze, unsqueeze. */
bool exec_ttir_reshape(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_type *type = op->out[0].type;
    if (in_at(b, op, 0)->n != tsr_type_num_elements(type))
        return false;
    return tsr_x_give(b, op, 0, tsr_x_reshaped(b, op, tsr_x_in(b, op, 0), type->dims, type->n));
}

static bool give_permuted(tsr_xbuilder *b, tsr_op *op, const int64_t *order, size_t n)
{
    bool seen[TSR_VIEW_RANK] = {false};
    if (n != in_at(b, op, 0)->rank || n > TSR_VIEW_RANK)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (order[i] < 0 || order[i] >= (int64_t)n || seen[order[i]])
            return false;
        seen[order[i]] = true;
    }
    return tsr_x_give(b, op, 0, tsr_x_permuted(b, op, tsr_x_in(b, op, 0), order));
}

bool exec_ttir_permute(tsr_xbuilder *b, tsr_op *op)
{
    tsr_order how;
    int64_t order[TSR_VIEW_RANK];
    if (!tsr_order_of(op, &how) || how.dims.n > TSR_VIEW_RANK)
        return false;
    for (size_t i = 0; i < how.dims.n; i++)
        order[i] = tsr_ints_at(how.dims, i);
    return give_permuted(b, op, order, how.dims.n);
}

bool exec_ttir_transpose(tsr_xbuilder *b, tsr_op *op)
{
    int64_t order[TSR_VIEW_RANK];
    size_t rank = in_at(b, op, 0)->rank, p, q;
    if (rank > TSR_VIEW_RANK || !tt_dim(tt_int(op, TTIR_TRANSPOSE_dim0, 0), rank, &p) ||
        !tt_dim(tt_int(op, TTIR_TRANSPOSE_dim1, 0), rank, &q))
        return false;
    for (size_t i = 0; i < rank; i++)
        order[i] = (int64_t)(i == p ? q : i == q ? p : i);
    return give_permuted(b, op, order, rank);
}

/* Permutes dimensions, then merges them. */
bool exec_ttir_rearrange(tsr_xbuilder *b, tsr_op *op)
{
    tsr_ttir_order o;
    int64_t order[TSR_VIEW_RANK];
    size_t rank = in_at(b, op, 0)->rank;
    if (rank > TSR_VIEW_RANK ||
        !tsr_ttir_rearrangement(op->attrs[TTIR_REARRANGE_pattern]->s, rank, &o) || o.nin != rank)
        return false;
    for (size_t i = 0; i < rank; i++)
        order[i] = (int64_t)o.dims[i];
    return give_permuted(b, op, order, rank);
}

/* Python's ranges: indices out of range are clamped. Returns the number of elements. */
static int64_t range(int64_t *begin, int64_t end, int64_t step, int64_t size)
{
    int64_t least = step < 0 ? -1 : 0, most = step < 0 ? size - 1 : size;
    *begin += *begin < 0 ? size : 0;
    end += end < 0 ? size : 0;
    *begin = *begin < least ? least : *begin > most ? most : *begin;
    end = end < least ? least : end > most ? most : end;
    int64_t span = step < 0 ? *begin - end : end - *begin;
    return span <= 0 ? 0 : (span - 1) / llabs(step) + 1;
}

/* Overwrites ends with the number of elements of each dimension. */
static bool give_slice(tsr_xbuilder *b, tsr_op *op, int64_t *begins, int64_t *ends,
                       const int64_t *steps)
{
    const tsr_xvalue *x = in_at(b, op, 0);
    for (size_t i = 0; i < x->rank; i++) {
        if (!steps[i] || llabs(steps[i]) > INT32_MAX)
            return false;
        ends[i] = range(&begins[i], ends[i], steps[i], x->dims[i]);
        if (!ends[i])
            return false;
    }
    return tsr_x_give(b, op, 0, tsr_x_sliced(b, op, tsr_x_in(b, op, 0), begins, steps, ends));
}

bool exec_ttir_slice_static(tsr_xbuilder *b, tsr_op *op)
{
    tsr_slice how;
    int64_t lists[3][TSR_VIEW_RANK];
    size_t rank = in_at(b, op, 0)->rank;
    if (!tsr_slice_of(op, &how) || rank > TSR_VIEW_RANK || how.start.n != rank ||
        how.limit.n != rank || how.strides.n != rank)
        return false;
    for (size_t i = 0; i < rank; i++) {
        lists[0][i] = tsr_ints_at(how.start, i);
        lists[1][i] = tsr_ints_at(how.limit, i);
        lists[2][i] = tsr_ints_at(how.strides, i);
    }
    return give_slice(b, op, lists[0], lists[1], lists[2]);
}

bool exec_ttir_index(tsr_xbuilder *b, tsr_op *op)
{
    int64_t lists[3][TSR_VIEW_RANK];
    const tsr_xvalue *x = in_at(b, op, 0);
    size_t d;
    if (x->rank > TSR_VIEW_RANK || !tt_dim(tt_int(op, TTIR_INDEX_dim, 0), x->rank, &d))
        return false;
    for (size_t i = 0; i < x->rank; i++) {
        lists[0][i] = i == d ? tt_int(op, TTIR_INDEX_begin, 0) : 0;
        lists[1][i] = i == d ? tt_int(op, TTIR_INDEX_end, 0) : x->dims[i];
        lists[2][i] = i == d ? tt_int(op, TTIR_INDEX_step, 1) : 1;
    }
    return give_slice(b, op, lists[0], lists[1], lists[2]);
}

bool exec_ttir_reverse(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_attr *which = op->attrs[TTIR_REVERSE_dimensions];
    const tsr_xvalue *x = in_at(b, op, 0);
    int64_t begin[TSR_VIEW_RANK] = {0}, step[TSR_VIEW_RANK], dims[TSR_VIEW_RANK];
    if (x->rank > TSR_VIEW_RANK || x->n <= 0)
        return false;
    for (size_t i = 0; i < x->rank; i++) {
        step[i] = 1;
        dims[i] = x->dims[i];
    }
    for (size_t i = 0; i < tt_count(which); i++) {
        int64_t d = tt_int_at(which, i);
        if (d < 0 || d >= x->rank || step[d] < 0)
            return false;
        begin[d] = dims[d] - 1;
        step[d] = -1;
    }
    return tsr_x_give(b, op, 0, tsr_x_sliced(b, op, tsr_x_in(b, op, 0), begin, step, dims));
}

/* ---- Copies ---- */

/* Splits each dimension in two, times x size: the outer one counts copies, or the inner one where copies are
 * adjacent. */
static bool give_copies(tsr_xbuilder *b, tsr_op *op, const int64_t *times, bool neighbours)
{
    const tsr_xvalue *x = in_at(b, op, 0);
    int64_t split[2 * TSR_VIEW_RANK], all[2 * TSR_VIEW_RANK], dims[TSR_VIEW_RANK];
    size_t n = 0, rank = x->rank;
    for (size_t i = 0; i < rank; i++) {
        if (times[i] < 1)
            return false;
        bool two = times[i] != 1 && x->dims[i] != 1;
        dims[i] = x->dims[i] * times[i];
        if (two && !neighbours)
            split[n] = 1, all[n++] = times[i];
        split[n] = x->dims[i], all[n++] = two ? x->dims[i] : dims[i];
        if (two && neighbours)
            split[n] = 1, all[n++] = times[i];
    }
    if (n > TSR_VIEW_RANK)
        return false;
    tsr_xid v = tsr_x_reshaped(b, op, tsr_x_in(b, op, 0), split, n);
    return tsr_x_give(b, op, 0, tsr_x_reshaped(b, op, tsr_x_spread(b, op, v, all, n), dims, rank));
}

/* Also for broadcast, which has its multipliers in the same slot. */
bool exec_ttir_repeat(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_attr *a = op->attrs[TTIR_REPEAT_repeat_dimensions];
    int64_t times[TSR_VIEW_RANK];
    size_t n = tt_count(a);
    if (n != in_at(b, op, 0)->rank || n > TSR_VIEW_RANK)
        return false;
    for (size_t i = 0; i < n; i++)
        times[i] = tt_int_at(a, i);
    return give_copies(b, op, times, false);
}

bool exec_ttir_repeat_interleave(tsr_xbuilder *b, tsr_op *op)
{
    int64_t times[TSR_VIEW_RANK];
    size_t rank = in_at(b, op, 0)->rank, d;
    if (rank > TSR_VIEW_RANK || !tt_dim(tt_int(op, TTIR_REPEAT_INTERLEAVE_dim, 0), rank, &d))
        return false;
    for (size_t i = 0; i < rank; i++)
        times[i] = i == d ? tt_int(op, TTIR_REPEAT_INTERLEAVE_repeats, 1) : 1;
    return give_copies(b, op, times, true);
}

/* Neighbouring copies of rows and columns. */
bool exec_ttir_upsample2d(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_attr *mode = op->attrs[TTIR_UPSAMPLE2D_mode];
    tsr_ints by = tsr_attr_ints_each(op->attrs[TTIR_UPSAMPLE2D_scale_factor], 2);
    bool smooth = mode && tsr_str_is(mode->s, "bilinear");
    if (in_at(b, op, 0)->rank != 4 || smooth || by.n != 2)
        return false;
    int64_t times[4] = {1, tsr_ints_at(by, 0), tsr_ints_at(by, 1), 1};
    return give_copies(b, op, times, true);
}

bool exec_ttir_concat(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_type *type = op->out[0].type;
    tsr_xid *in = TSR_NEW_ARRAY(&b->p->arena, tsr_xid, op->nin + 1);
    size_t d;
    if (!op->nin || !tt_dim(tt_int(op, TTIR_CONCAT_dim, 0), type->n, &d))
        return false;
    int64_t dim = (int64_t)d;
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = tsr_x_as(b, op, tsr_x_in(b, op, i), tsr_dtype_of(type->elem));
    return tsr_x_give(
        b, op, 0,
        tsr_x_moved(b, op, TSR_MOVE_CONCATENATE, in, op->nin, &dim, 1, type->dims, type->n));
}

bool exec_ttir_pad(tsr_xbuilder *b, tsr_op *op)
{
    tsr_pad by;
    const tsr_type *type = op->out[0].type;
    const tsr_xvalue *x = in_at(b, op, 0);
    int64_t numbers[2 * TSR_VIEW_RANK] = {0};
    if (!tsr_pad_of(op, &by) || x->rank > TSR_VIEW_RANK || by.low.n != x->rank || x->n <= 0)
        return false;
    for (size_t i = 0; i < x->rank; i++)
        numbers[i] = tsr_ints_at(by.low, i);
    tsr_xid in[2] = {tsr_x_in(b, op, 0),
                     tsr_x_number(b, op, (tsr_dtype)x->dtype, tt_float(op, TTIR_PAD_value, 0))};
    return tsr_x_give(
        b, op, 0,
        tsr_x_moved(b, op, TSR_MOVE_PAD, in, 2, numbers, 2u * type->n, type->dims, type->n));
}

/* ---- Without operands ---- */

bool exec_ttir_arange(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_type *type = op->out[0].type;
    int64_t start = tt_int(op, TTIR_ARANGE_start, 0), step = tt_int(op, TTIR_ARANGE_step, 1);
    size_t d;
    if (!tt_dim(tt_int(op, TTIR_ARANGE_arange_dimension, 0), type->n, &d))
        return false;
    tsr_xid v = tsr_x_count(b, op, type->dims, type->n, d);
    if (step != 1)
        v = tsr_x_apply2(b, op, TSR_TILE_multiply, v, tsr_x_integer(b, op, TSR_D_I64, step));
    if (start)
        v = tsr_x_apply2(b, op, TSR_TILE_add, v, tsr_x_integer(b, op, TSR_D_I64, start));
    return tsr_x_give(b, op, 0, v);
}

/* Uninitialized memory is zero. */
bool exec_ttir_empty(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_type *type = op->out[0].type;
    tsr_dtype d = tsr_dtype_of(type->elem);
    if (tsr_dtype_is_complex(d) || type->n > TSR_VIEW_RANK)
        return false;
    return tsr_x_give(b, op, 0,
                      tsr_x_spread(b, op, tsr_x_integer(b, op, d, 0), type->dims, type->n));
}

/* ---- Tables ---- */

bool exec_ttir_embedding(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_xvalue *w = in_at(b, op, 1);
    if (w->rank < 2 || w->rank > TSR_VIEW_RANK || w->n <= 0)
        return false;
    /* If there are several tables, the first one is used. */
    int64_t dims[2] = {w->dims[w->rank - 2u], w->dims[w->rank - 1u]};
    if (dims[0] * dims[1] != w->n)
        return false;
    tsr_xid table = tsr_x_reshaped(b, op, tsr_x_in(b, op, 1), dims, 2);
    return tsr_x_give(b, op, 0, tsr_x_rows(b, op, table, tsr_x_in(b, op, 0)));
}
