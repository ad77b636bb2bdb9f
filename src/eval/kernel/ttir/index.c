/* SPDX-License-Identifier: Apache-2.0 */
/* index.c - TTIR: tensors without operands, and elements by computed indices. */
#include "dialect/params.h"
#include "eval/kernel/ttir/ttir.h"
#include "eval/kernel/kernels.h"
#include "eval/math/strided.h"

/* ---- Without operands ---- */

/* A tensor of the shape in an attribute, filled with one value. */
static bool fill(tsr_call *c, int shape, double value, const int64_t *whole)
{
    int64_t dims[TSR_MAX_RANK];
    size_t rank = tsr_tt_ints(tsr_call_attr(c, shape), dims, TSR_MAX_RANK);
    tsr_tensor *t = tsr_call_new(c, 0, dims, rank);
    TSR_TRY(t != NULL);
    char element[16] = {0};
    if (whole)
        tsr_convert((tsr_dtype)t->dtype, element, TSR_D_I64, whole, 1);
    else
        tsr_from_doubles((tsr_dtype)t->dtype, &value, element, 1);
    tsr_fill(t->data, element, tsr_elem_size(t), t->n);
    return true;
}

bool eval_ttir_full(tsr_call *c)
{
    const tsr_attr *value = tsr_call_attr(c, TTIR_FULL_fill_value);
    bool whole = value->kind == TSR_ATTR_INT;
    return fill(c, TTIR_FULL_shape, tsr_tt_double(c, TTIR_FULL_fill_value, 0),
                whole ? &value->i : NULL);
}

bool eval_ttir_zeros(tsr_call *c)
{
    return fill(c, TTIR_ZEROS_shape, tsr_op_is(c->op, TSR_OP_TTIR_ONES), NULL);
}

/* Uninitialized memory: zeros, so that a program that reads it gives the same values each time. */
bool eval_ttir_empty(tsr_call *c)
{
    tsr_tensor *t = tsr_call_static(c, 0);
    TSR_TRY(t != NULL);
    if (t->n)
        memset(t->data, 0, tsr_tensor_bytes(t));
    return true;
}

bool eval_ttir_dealloc(tsr_call *c)
{
    (void)c;
    return true;
}

bool eval_ttir_arange(tsr_call *c)
{
    size_t dim;
    tsr_tensor *t = tsr_call_static(c, 0);
    TSR_TRY(t != NULL);
    TSR_TRY(tsr_tt_dim(c, tsr_tt_int(c, TTIR_ARANGE_arange_dimension, 0), t->rank, &dim));
    tsr_tt_axis a = tsr_tt_around(t, dim);
    int64_t start = tsr_tt_int(c, TTIR_ARANGE_start, 0), step = tsr_tt_int(c, TTIR_ARANGE_step, 1);
    size_t size = tsr_elem_size(t);
    char *to = t->data;
    for (int64_t o = 0; t->n && o < a.outer; o++)
        for (int64_t i = 0; i < a.n; i++, to += (size_t)a.inner * size) {
            int64_t v = (int64_t)((uint64_t)start + (uint64_t)i * (uint64_t)step);
            char element[16] = {0};
            tsr_convert((tsr_dtype)t->dtype, element, TSR_D_I64, &v, 1);
            tsr_fill(to, element, size, a.inner);
        }
    return true;
}

bool eval_ttir_get_dimension_size(tsr_call *c)
{
    size_t dim;
    int64_t one = 1;
    TSR_TRY(
        tsr_tt_dim(c, tsr_tt_int(c, TTIR_GET_DIMENSION_SIZE_dimension, 0), c->in[0]->rank, &dim));
    tsr_tensor *t = tsr_tt_new(c, TSR_D_I64, &one, 1);
    if (t)
        ((int64_t *)t->data)[0] = c->in[0]->dims[dim];
    const tsr_type *type = c->op->out[0].type;
    return tsr_tt_give_as(c, 0, t, &one, type->n == 0 ? 0 : 1);
}

/* ---- Embeddings ---- */

/* An index clamped to [0, n); floats are truncated. */
static int64_t place(const tsr_tensor *index, int64_t i, int64_t n)
{
    if (tsr_dtype_is_int((tsr_dtype)index->dtype))
        return tsr_clamp(tsr_get_index(index, i), 0, n - 1);
    double v = tsr_get_double(index, i);
    return v >= (double)n ? n - 1 : v > 0 ? (int64_t)v : 0;
}

bool eval_ttir_embedding(tsr_call *c)
{
    const tsr_tensor *index = c->in[0], *w = c->in[1];
    if (w->rank < 2 || index->rank >= TSR_MAX_RANK)
        return tsr_fail(c, "needs a table of two dimensions");
    int64_t rows = w->dims[w->rank - 2u], width = w->dims[w->rank - 1u], dims[TSR_MAX_RANK];
    memcpy(dims, index->dims, index->rank * sizeof *dims);
    dims[index->rank] = width;
    tsr_tensor *t = tsr_tt_new(c, (tsr_dtype)w->dtype, dims, index->rank + 1u);
    TSR_TRY(t != NULL);
    size_t bytes = (size_t)width * tsr_elem_size(w);
    if (t->n && !rows) {
        tsr_tensor_unref(t);
        return tsr_fail(c, "looks up rows of an empty table");
    }
    for (int64_t i = 0; t->n && i < index->n; i++)
        memcpy((char *)t->data + (size_t)i * bytes,
               (const char *)w->data + (size_t)place(index, i, rows) * bytes, bytes);
    return tsr_tt_give(c, 0, t);
}

/* Adds up rows of the gradient at their indices; indices out of range are ignored. */
bool eval_ttir_embedding_backward(tsr_call *c)
{
    const tsr_tensor *index = c->in[0], *w = c->in[1], *g = c->in[2];
    if (w->rank != 2 || g->n != index->n * w->dims[1])
        return tsr_fail(c, "has a gradient that does not fit its indices");
    tsr_tensor *sum = tsr_tensor_zeros(tsr_tt_elem(TSR_D_F64), w->dims, 2);
    tsr_tensor *from = sum ? tsr_tt_as(c, c->in[2], TSR_D_F64) : NULL;
    if (!from) {
        tsr_tensor_unref(sum);
        return tsr_fail_memory(c, "its sums");
    }
    int64_t width = w->dims[1];
    for (int64_t i = 0; i < index->n; i++) {
        double row = tsr_get_double(index, i);
        if (!(row >= 0 && row < (double)w->dims[0]))
            continue;
        double *to = (double *)sum->data + (int64_t)row * width,
               *v = (double *)from->data + i * width;
        for (int64_t k = 0; k < width; k++)
            to[k] += v[k];
    }
    tsr_tensor_unref(from);
    return tsr_tt_give(c, 0, sum);
}

/* ---- gather by StableHLO's dimension numbers: index vectors say where slices start ---- */

typedef struct {
    tsr_gather d; /* its index vector dimension is the rank of the indices if each is a scalar */
    bool dropped[TSR_MAX_RANK];   /* dimensions of the input that slices drop */
    bool is_offset[TSR_MAX_RANK]; /* dimensions of the result inside a slice */
} slices;

static bool below(tsr_ints v, size_t rank, bool *marks)
{
    for (size_t i = 0; i < v.n; i++) {
        int64_t d = tsr_ints_at(v, i);
        if (d < 0 || d >= (int64_t)rank)
            return false;
        if (marks)
            marks[d] = true;
    }
    return true;
}

static bool check_slices(slices *s, const tsr_tensor *x, const tsr_tensor *index, size_t rank)
{
    const tsr_gather *d = &s->d;
    bool vectors = d->vector < index->rank;
    bool ok = d->sizes.n == x->rank && d->batch.n == d->index_batch.n && d->vector >= 0 &&
              d->vector <= index->rank && below(d->dropped, x->rank, s->dropped) &&
              below(d->batch, x->rank, s->dropped) && below(d->index_batch, index->rank, NULL) &&
              below(d->map, x->rank, NULL) && below(d->window, rank, s->is_offset) &&
              d->map.n == (size_t)(vectors ? index->dims[d->vector] : 1) &&
              rank == d->window.n + index->rank - vectors;
    for (size_t i = 0; ok && i < x->rank; i++)
        ok = tsr_ints_at(d->sizes, i) >= 0 && tsr_ints_at(d->sizes, i) <= x->dims[i];
    return ok;
}

/* The offset in the input of the result's element at this index; starts are clamped. */
static int64_t slice_place(const slices *s, const tsr_tensor *x, const tsr_tensor *index,
                           const int64_t *at, size_t rank, const int64_t *xs, const int64_t *is)
{
    int64_t start[TSR_MAX_RANK] = {0}, own[TSR_MAX_RANK] = {0}, row = 0, from = 0;
    size_t next = 0, inside = 0;
    const tsr_gather *d = &s->d;
    for (size_t k = 0; k < rank; k++)
        if (!s->is_offset[k]) {
            next += (int64_t)next == d->vector;
            own[next] = at[k];
            row += at[k] * is[next++];
        }
    int64_t step = d->vector < index->rank ? is[d->vector] : 0;
    for (size_t i = 0; i < d->map.n; i++) {
        int64_t to = tsr_ints_at(d->map, i), v = tsr_get_index(index, row + (int64_t)i * step);
        start[to] = tsr_clamp(v, 0, x->dims[to] - tsr_ints_at(d->sizes, (size_t)to));
    }
    for (size_t i = 0; i < d->batch.n; i++) {
        int64_t to = tsr_ints_at(d->batch, i);
        start[to] = tsr_clamp(own[tsr_ints_at(d->index_batch, i)], 0, x->dims[to] - 1);
    }
    for (size_t k = 0; k < x->rank; k++) {
        from += start[k] * xs[k];
        if (!s->dropped[k] && inside < d->window.n)
            from += at[tsr_ints_at(d->window, inside++)] * xs[k];
    }
    return from;
}

static bool gather_slices(tsr_call *c)
{
    const tsr_tensor *x = c->in[0], *index = c->in[1];
    const tsr_type *type = c->op->out[0].type;
    slices s = {0};
    tsr_gather_of(c->op, &s.d);
    if (!tsr_type_has_static_shape(type) || type->n > TSR_MAX_RANK ||
        !check_slices(&s, x, index, type->n))
        return tsr_fail(c, "has dimension numbers that do not fit its operands");
    tsr_tensor *t = tsr_tt_new(c, (tsr_dtype)x->dtype, type->dims, type->n);
    int64_t xs[TSR_MAX_RANK], is[TSR_MAX_RANK], at[TSR_MAX_RANK] = {0};
    tsr_strides(x->dims, x->rank, xs);
    tsr_strides(index->dims, index->rank, is);
    for (int64_t k = 0; t && k < t->n; k++, tsr_next_index(at, t->dims, t->rank)) {
        int64_t from = slice_place(&s, x, index, at, t->rank, xs, is);
        if (from < 0 || from >= x->n) {
            tsr_tensor_unref(t);
            return tsr_fail(c, "gathers from an operand without elements");
        }
        tsr_copy_element(t, k, x, from);
    }
    return tsr_tt_give(c, 0, t);
}

/* ---- gather and scatter along a dimension ---- */

/* An index tensor may be smaller than the tensor that it indexes, and have any size along dim. */
static bool fits_around(tsr_call *c, const tsr_tensor *x, const tsr_tensor *index, size_t dim)
{
    bool ok = x->rank == index->rank;
    for (size_t i = 0; ok && i < x->rank; i++)
        ok = i == dim || index->dims[i] <= x->dims[i];
    return ok || tsr_fail(c, "has an index that is larger than its input");
}

/* Each result element has its own position, except along dim, where it is the clamped index. */
bool eval_ttir_gather(tsr_call *c)
{
    const tsr_tensor *x = c->in[0], *index = c->in[1];
    size_t dim;
    if (!tsr_call_attr(c, TTIR_GATHER_dim))
        return gather_slices(c);
    TSR_TRY(tsr_tt_dim(c, tsr_tt_int(c, TTIR_GATHER_dim, 0), x->rank, &dim));
    TSR_TRY(fits_around(c, x, index, dim));
    if (index->n && !x->n)
        return tsr_fail(c, "gathers from an operand without elements");
    tsr_tensor *t = tsr_tt_new(c, (tsr_dtype)x->dtype, index->dims, index->rank);
    int64_t strides[TSR_MAX_RANK], at[TSR_MAX_RANK] = {0};
    tsr_strides(x->dims, x->rank, strides);
    for (int64_t k = 0; t && k < t->n; k++, tsr_next_index(at, t->dims, t->rank)) {
        int64_t from = 0;
        for (size_t d = 0; d < x->rank; d++)
            from += (d == dim ? place(index, k, x->dims[d]) : at[d]) * strides[d];
        tsr_copy_element(t, k, x, from);
    }
    return tsr_tt_give(c, 0, t);
}

/* In the order of #ttcore.reduce_type. */
enum {
    REDUCE_SUM,
    REDUCE_MEAN,
    REDUCE_MAX,
    REDUCE_MIN,
    REDUCE_STD,
    REDUCE_VAR,
    REDUCE_PROD,
    REDUCE_INVALID
};

static void combine(tsr_tensor *t, int64_t to, const tsr_tensor *s, int64_t from, int64_t how)
{
    bool ints = tsr_dtype_is_int((tsr_dtype)t->dtype);
    if (how == REDUCE_INVALID) {
        tsr_copy_element(t, to, s, from);
    } else if (ints) {
        int64_t a = tsr_get_int(t, to), b = tsr_get_int(s, from);
        bool less = t->dtype == TSR_D_U64 ? (uint64_t)a < (uint64_t)b : a < b;
        tsr_set_int(t, to,
                    how == REDUCE_SUM             ? (int64_t)((uint64_t)a + (uint64_t)b)
                    : how == REDUCE_PROD          ? (int64_t)((uint64_t)a * (uint64_t)b)
                    : less == (how == REDUCE_MAX) ? b
                                                  : a);
    } else {
        double a = tsr_get_double(t, to), b = tsr_get_double(s, from);
        tsr_set_double(t, to,
                       how == REDUCE_SUM    ? a + b
                       : how == REDUCE_PROD ? a * b
                       : a != a             ? a
                       : b != b             ? b
                       : how == REDUCE_MAX  ? (a > b ? a : b)
                                            : (a < b ? a : b));
    }
}

/* Indices outside of the input are skipped, as in stablehlo.scatter. Floats are combined in their sum type and rounded
 * at the end. */
bool eval_ttir_scatter(tsr_call *c)
{
    const tsr_tensor *x = c->in[0], *index = c->in[1];
    size_t dim;
    int64_t how = tsr_tt_int(c, TTIR_SCATTER_scatter_reduce_type, REDUCE_INVALID);
    tsr_dtype d = tsr_call_dtype(c, 0);
    TSR_TRY(tsr_tt_dim(c, tsr_tt_int(c, TTIR_SCATTER_dim, 0), x->rank, &dim));
    TSR_TRY(fits_around(c, x, index, dim));
    if (how == REDUCE_MEAN || how == REDUCE_STD || how == REDUCE_VAR || c->in[2]->n != index->n ||
        (tsr_dtype_is_complex(d) && how != REDUCE_INVALID))
        return tsr_fail(c, "combines in a way that scatter does not have");
    if (how != REDUCE_INVALID)
        d = tsr_tt_sum(d);
    tsr_tensor *source = tsr_tt_as(c, c->in[2], d), *t = source ? tsr_tt_take(c, 0, d) : NULL;
    t = t ? tsr_tensor_reuse(t) : NULL;
    if (!t) {
        tsr_tensor_unref(source);
        return tsr_fail_memory(c, "its result");
    }
    int64_t strides[TSR_MAX_RANK], at[TSR_MAX_RANK] = {0};
    tsr_strides(t->dims, t->rank, strides);
    for (int64_t k = 0; k < index->n; k++, tsr_next_index(at, index->dims, index->rank)) {
        double v = tsr_get_double(index, k);
        if (!(v >= 0 && v < (double)t->dims[dim]))
            continue;
        int64_t to = 0;
        for (size_t i = 0; i < t->rank; i++)
            to += (i == dim ? (int64_t)v : at[i]) * strides[i];
        combine(t, to, source, k, how);
    }
    tsr_tensor_unref(source);
    return tsr_tt_give(c, 0, t);
}
