/* SPDX-License-Identifier: Apache-2.0 */
/* chlo.c - ops that only CHLO has: broadcasting binary ops, special functions of two operands, top_k, scan. */
#include <math.h>
#include <stdlib.h>

#include "base/scope.h"
#include "dialect/kinds.h"
#include "eval/kernel/pointwise.h"
#include "eval/math/scalar.h"
#include "eval/kernel/kernels.h"
#include "eval/plan.h"
#include "eval/math/sort_keys.h"

/* ---- next_after, polygamma, zeta, mulhi ---- */

static uint64_t high_unsigned(uint64_t x, uint64_t y)
{
    uint64_t xl = (uint32_t)x, xh = x >> 32, yl = (uint32_t)y, yh = y >> 32;
    uint64_t mid = xh * yl + (xl * yl >> 32), low = xl * yh + (uint32_t)mid;
    return xh * yh + (mid >> 32) + (low >> 32);
}

/* The upper half of the double-width product. */
static int64_t high(tsr_dtype d, int64_t x, int64_t y)
{
    uint32_t bits = tsr_dtype_bits(d);
    bool is_signed = tsr_dtype_kind(d) == TSR_K_SINT;
    if (bits <= 16 || (bits == 32 && is_signed))
        return (x * y) >> bits;
    if (bits == 32)
        return (int64_t)((uint64_t)x * (uint64_t)y >> 32);
    uint64_t h = high_unsigned((uint64_t)x, (uint64_t)y);
    if (is_signed) /* each negative factor was counted as 2^64 more */
        h -= (x < 0 ? (uint64_t)y : 0) + (y < 0 ? (uint64_t)x : 0);
    return (int64_t)h;
}

static bool row_mulhi(const tsr_row *r)
{
    if (!tsr_dtype_is_int(r->d) || r->d == TSR_D_I1)
        return false;
    tsr_tensor a = {.n = r->n, .dtype = (uint8_t)r->d, .data = (void *)r->in[0]},
               b = {.n = r->n, .dtype = (uint8_t)r->d, .data = (void *)r->in[1]};
    tsr_tensor out = {.n = r->n, .dtype = (uint8_t)r->d, .data = r->out};
    for (int64_t i = 0; i < r->n; i++)
        tsr_set_int(&out, i,
                    high(r->d, tsr_get_int(&a, i * r->step[0]), tsr_get_int(&b, i * r->step[1])));
    return true;
}

static bool row_next_after(const tsr_row *r)
{
    size_t size = tsr_dtype_bytes(r->d);
    tsr_float_kind kind = tsr_dtype_float_kind(r->d);
    for (int64_t i = 0; i < r->n; i++) {
        uint64_t x = 0, y = 0;
        memcpy(&x, (const char *)r->in[0] + (size_t)(i * r->step[0]) * size, size);
        memcpy(&y, (const char *)r->in[1] + (size_t)(i * r->step[1]) * size, size);
        x = tsr_math_next_after(kind, x, y);
        memcpy((char *)r->out + (size_t)i * size, &x, size);
    }
    return true;
}

bool tsr_row_special2(const tsr_row *r)
{
    if (r->opcode == TSR_OP_CHLO_MULHI)
        return row_mulhi(r);
    if (!tsr_dtype_is_float(r->d))
        return false;
    if (r->opcode == TSR_OP_CHLO_NEXT_AFTER)
        return row_next_after(r);
    tsr_row_doubles2(r, r->opcode == TSR_OP_CHLO_ZETA ? tsr_m_zeta : tsr_m_polygamma);
    return true;
}

bool eval_chlo_special(tsr_call *c)
{
    return tsr_pointwise(c, c->op->def->opcode, tsr_row_special2);
}

/* ---- is_inf and its signs ---- */

static bool row_is_inf(const tsr_row *r)
{
    if (!tsr_dtype_is_float(r->d))
        return false;
    size_t size = tsr_dtype_bytes(r->d);
    bool minus = r->opcode != TSR_OP_CHLO_IS_POS_INF, plus = r->opcode != TSR_OP_CHLO_IS_NEG_INF;
    for (int64_t i = 0; i < r->n; i++) {
        double v;
        tsr_to_doubles(r->d, (const char *)r->in[0] + (size_t)(i * r->step[0]) * size, &v, 1);
        ((uint8_t *)r->out)[i] = isinf(v) && (v < 0 ? minus : plus);
    }
    return true;
}

bool eval_chlo_is_inf(tsr_call *c)
{
    return tsr_pointwise(c, c->op->def->opcode, row_is_inf);
}

/* ---- constant_like ---- */

/* Stores one number of an attribute as element 0 of out. */
static bool set_from_attr(tsr_tensor *out, const tsr_attr *a)
{
    if (tsr_attr_is(a, TSR_ATTR_INT)) {
        tsr_set_int(out, 0, a->i);
        return true;
    }
    if (tsr_attr_is(a, TSR_ATTR_FLOAT)) {
        tsr_set_double(out, 0, tsr_float_to_double((tsr_float_kind)a->type->sub, (uint64_t)a->i));
        return true;
    }
    size_t size = tsr_dtype_bytes((tsr_dtype)out->dtype);
    if (tsr_attr_is(a, TSR_ATTR_DENSE) && tsr_dtype_of(a->type->elem) == (tsr_dtype)out->dtype &&
        a->s.len >= size) {
        memcpy(out->data, a->s.data, size);
        return true;
    }
    /* #complex.number and the like: a struct of two floats */
    if (tsr_dtype_is_complex((tsr_dtype)out->dtype) && tsr_attr_is(a, TSR_ATTR_ARRAY) &&
        a->n == 2) {
        tsr_complex v;
        v.re =
            tsr_float_to_double((tsr_float_kind)a->attrs[0]->type->sub, (uint64_t)a->attrs[0]->i);
        v.im =
            tsr_float_to_double((tsr_float_kind)a->attrs[1]->type->sub, (uint64_t)a->attrs[1]->i);
        tsr_set_complex(out, 0, v);
        return true;
    }
    return false;
}

bool eval_chlo_constant_like(tsr_call *c)
{
    tsr_tensor *out = tsr_call_pointwise(c, 0);
    if (!out)
        return false;
    if (!out->n)
        return true;
    if (!set_from_attr(out, tsr_call_attr(c, CHLO_CONSTANT_LIKE_value)))
        return tsr_fail(c, "has a value that is no number of the result's type");
    for (int64_t i = 1; i < out->n; i++)
        tsr_copy_element(out, i, out, 0);
    return true;
}

/* ---- broadcast_x ---- */

/* The row function of the op without broadcasting, by its kernel. */
static tsr_row_fn *row_of(const tsr_ctx *ctx, uint16_t opcode)
{
    static const struct {
        eval_fn *kernel;
        tsr_row_fn *fn;
    } rows[] = {
        {eval_binary, tsr_row_binary},   {eval_bitwise, tsr_row_bitwise},
        {eval_compare, tsr_row_compare}, {eval_select, tsr_row_select},
        {eval_complex, tsr_row_complex}, {eval_chlo_special, tsr_row_special2},
    };
    tsr_op plain = {.def = tsr_opdef_of(ctx, (enum tsr_opcode)opcode)};
    eval_fn *kernel = opcode ? tsr_kernel_of(&plain) : NULL;
    for (size_t i = 0; kernel && i < TSR_COUNT(rows); i++)
        if (rows[i].kernel == kernel)
            return rows[i].fn;
    return NULL;
}

/* Copies t over dims: its dimension i is dimension map[i] there, or has size one. */
static tsr_tensor *broadcast(const tsr_tensor *t, const int64_t *dims, size_t rank,
                             const int64_t *map)
{
    tsr_tensor *out = tsr_tensor_new(t->elem, dims, rank);
    if (!out || !out->n)
        return out;
    int64_t own[TSR_MAX_RANK], strides[TSR_MAX_RANK] = {0}, index[TSR_MAX_RANK] = {0};
    tsr_strides(t->dims, t->rank, own);
    for (size_t i = 0; i < t->rank; i++)
        if (t->dims[i] != 1)
            strides[map[i]] = own[i];
    int64_t inner = rank ? dims[rank - 1] : 1, step = rank ? strides[rank - 1] : 0;
    size_t size = tsr_dtype_bytes((tsr_dtype)t->dtype);
    char *to = out->data;
    do {
        int64_t at = 0;
        for (size_t i = 0; i + 1 < rank; i++)
            at += index[i] * strides[i];
        const char *from = (const char *)t->data + (size_t)at * size;
        if (step == 1)
            memcpy(to, from, (size_t)inner * size);
        else
            for (int64_t k = 0; k < inner; k++)
                memcpy(to + (size_t)k * size, from, size);
        to += (size_t)inner * size;
    } while (rank && tsr_next_index(index, dims, rank - 1));
    return out;
}

/* Which result dimensions the dimensions of an operand map to: the trailing ones, or broadcast_dimensions for the
 * operand of lower rank. */
static bool place(tsr_call *c, const tsr_tensor *t, size_t rank, const tsr_attr *given,
                  int64_t *map)
{
    size_t n = given ? (size_t)tsr_attr_count(given) : 0;
    for (size_t i = 0; i < t->rank; i++)
        map[i] = given && t->rank < rank && n == t->rank ? tsr_attr_int_at(given, i)
                                                         : (int64_t)(rank - t->rank + i);
    for (size_t i = 0; i < t->rank; i++)
        if (map[i] < 0 || map[i] >= (int64_t)rank || (i && map[i] <= map[i - 1]))
            return tsr_fail(c, "has broadcast_dimensions that do not fit");
    return true;
}

bool eval_chlo_broadcast(tsr_call *c)
{
    enum { MOST = 3 };
    uint32_t nin = c->op->nin;
    uint16_t plain = tsr_kinds_of(c->op).as;
    tsr_row_fn *fn = row_of(c->op->module->ctx, plain);
    size_t rank = 0;
    if (nin > MOST || !fn)
        return tsr_fail(c, "cannot be evaluated");
    if (c->batch) /* in a body on rows, operands are logically scalars */
        return tsr_pointwise(c, plain, fn);
    for (uint32_t i = 0; i < nin; i++)
        if (c->in[i]->kind == TSR_TENSOR && c->in[i]->rank > rank)
            rank = c->in[i]->rank;
    bool is_select = fn == tsr_row_select;
    const tsr_attr *given =
        is_select ? NULL
                  : c->op->attrs[0]; /* broadcast_dimensions is the first slot of all others */
    int64_t dims[TSR_MAX_RANK], map[MOST][TSR_MAX_RANK];
    for (size_t i = 0; i < rank; i++)
        dims[i] = 1;
    for (uint32_t i = 0; i < nin; i++) {
        TSR_TRY(place(c, c->in[i], rank, given, map[i]));
        for (size_t k = 0; k < c->in[i]->rank; k++) {
            int64_t size = c->in[i]->dims[k], *to = &dims[map[i][k]];
            if (size != 1 && *to != 1 && *to != size)
                return tsr_fail(c, "has operands whose shapes cannot be broadcast together");
            *to = size != 1 ? size : *to;
        }
    }
    tsr_tensor *in[MOST] = {NULL};
    bool ok = true, same = true;
    for (uint32_t i = 0; ok && i < nin; i++) {
        const tsr_tensor *t = c->in[i];
        bool fits = t->rank == rank && (!rank || memcmp(t->dims, dims, rank * sizeof *dims) == 0);
        same &= fits;
        /* A scalar applies to all elements, if another operand has the result's shape. */
        in[i] = fits || (t->rank == 0 && rank) ? tsr_tensor_ref(c->in[i])
                                               : broadcast(t, dims, rank, map[i]);
        ok = in[i] || tsr_fail_memory(c, "a broadcast operand");
    }
    ok = ok && (same ? tsr_pointwise(c, plain, fn) : tsr_pointwise_on(c, plain, fn, in, nin));
    for (uint32_t i = 0; i < nin; i++)
        tsr_tensor_unref(in[i]);
    return ok;
}

/* ---- top_k ---- */

typedef struct {
    int64_t key, index;
} ranked;

/* Whether a comes after b: smaller, or equal and later. */
static bool behind(const ranked *a, const ranked *b)
{
    return a->key < b->key || (a->key == b->key && a->index > b->index);
}

/* Restores the heap below i: the last in order on top. */
static void sink(ranked *heap, int64_t n, int64_t i)
{
    for (int64_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && behind(&heap[child + 1], &heap[child]))
            child++;
        if (!behind(&heap[child], &heap[i]))
            return;
        ranked t = heap[i];
        heap[i] = heap[child];
        heap[child] = t;
    }
}

static void top_of_row(const tsr_tensor *in, int64_t at, int64_t n, int64_t k, ranked *heap)
{
    for (int64_t i = 0; i < k; i++)
        heap[i] = (ranked){tsr_total_key(in, at + i), i};
    for (int64_t i = k / 2; i-- > 0;)
        sink(heap, k, i);
    for (int64_t i = k; i < n; i++) {
        ranked r = {tsr_total_key(in, at + i), i};
        if (!behind(&heap[0], &r))
            continue;
        heap[0] = r;
        sink(heap, k, 0);
    }
    for (int64_t m = k - 1; m > 0; m--) { /* the last of the rest is swapped to the end */
        ranked t = heap[0];
        heap[0] = heap[m];
        heap[m] = t;
        sink(heap, m, 0);
    }
}

bool eval_chlo_top_k(tsr_call *c)
{
    const tsr_tensor *in = c->in[0];
    int64_t k = tsr_call_attr(c, CHLO_TOP_K_k)->i;
    if (in->kind != TSR_TENSOR || in->rank == 0 || tsr_dtype_is_complex((tsr_dtype)in->dtype))
        return tsr_fail(c, "takes numbers of at least one dimension");
    int64_t n = in->dims[in->rank - 1], dims[TSR_MAX_RANK];
    if (k < 0 || k > n)
        return tsr_fail(c, "asks for %lld of %lld elements", (long long)k, (long long)n);
    memcpy(dims, in->dims, in->rank * sizeof *dims);
    dims[in->rank - 1] = k;
    tsr_tensor *values = tsr_call_new(c, 0, dims, in->rank),
               *indices = values ? tsr_call_new(c, 1, dims, in->rank) : NULL;
    if (!indices)
        return false;
    if (!k || !in->n)
        return true;
    ranked *heap = tsr_malloc((size_t)k * sizeof *heap);
    if (!heap)
        return tsr_fail_memory(c, "the largest elements");
    for (int64_t row = 0; row < in->n / n; row++) {
        tsr_work(n);
        top_of_row(in, row * n, n, k, heap);
        for (int64_t i = 0; i < k; i++) {
            tsr_copy_element(values, row * k + i, in, row * n + heap[i].index);
            tsr_set_int(indices, row * k + i, heap[i].index);
        }
    }
    tsr_free(heap);
    return true;
}

/* ---- scan ---- */

/* Copies between a tensor and its slice at index i of dimension dim. */
static void copy_slice(tsr_tensor *whole, size_t dim, int64_t i, tsr_tensor *slice, bool out)
{
    size_t inner = tsr_dtype_bytes((tsr_dtype)whole->dtype);
    int64_t outer = 1;
    for (size_t d = 0; d < whole->rank; d++)
        if (d < dim)
            outer *= whole->dims[d];
        else if (d > dim)
            inner *= (size_t)whole->dims[d];
    for (int64_t k = 0; k < outer; k++) {
        char *w = (char *)whole->data + ((size_t)(k * whole->dims[dim] + i)) * inner,
             *s = (char *)slice->data + (size_t)k * inner;
        memcpy(out ? w : s, out ? s : w, inner);
    }
}

static tsr_tensor *slice_of(tsr_tensor *t, size_t dim, int64_t i)
{
    int64_t dims[TSR_MAX_RANK];
    size_t n = 0;
    for (size_t d = 0; d < t->rank; d++)
        if (d != dim)
            dims[n++] = t->dims[d];
    tsr_tensor *s = tsr_tensor_new(t->elem, dims, n);
    if (s)
        copy_slice(t, dim, i, s, false);
    return s;
}

/* Stores a step's output in the result; the first step determines the shape. */
static bool store_output(tsr_call *c, uint32_t o, size_t dim, int64_t steps, int64_t i,
                         tsr_tensor *part)
{
    if (!c->out[o]) {
        int64_t dims[TSR_MAX_RANK + 1];
        if (part->rank >= TSR_MAX_RANK || dim > part->rank)
            return tsr_fail(c, "has an output of too few or too many dimensions");
        for (size_t d = 0; d <= part->rank; d++)
            dims[d] = d < dim ? part->dims[d] : d == dim ? steps : part->dims[d - 1];
        TSR_TRY(tsr_call_new(c, o, dims, part->rank + 1u));
    }
    tsr_tensor *whole = c->out[o];
    if (whole->dtype != part->dtype || whole->n != part->n * steps)
        return tsr_fail(c, "has outputs that change their shape");
    copy_slice(whole, dim, i, part, true);
    return true;
}

typedef struct {
    uint32_t nin, ncarry, nout;
    size_t dim;
    int64_t steps;
    tsr_tensor **args, **results; /* of the body */
} scan;

static bool scan_step(tsr_call *c, scan *s, int64_t i)
{
    uint32_t nargs = s->nin + s->ncarry, nresults = s->nout + s->ncarry;
    for (uint32_t k = 0; k < s->nin; k++) {
        tsr_tensor_unref(s->args[k]);
        s->args[k] = slice_of(c->in[k], s->dim, i);
        if (!s->args[k])
            return tsr_fail_memory(c, "a slice");
    }
    memset(s->results, 0, nresults * sizeof *s->results);
    bool ok = tsr_eval_region(c, &c->op->regions[0], s->args, nargs, s->results, nresults);
    for (uint32_t k = 0; ok && k < s->nout; k++)
        ok = store_output(c, k, s->dim, s->steps, i, s->results[k]);
    for (uint32_t k = 0; k < s->nout; k++)
        tsr_tensor_unref(s->results[k]);
    for (uint32_t k = 0; k < s->ncarry; k++) {
        tsr_tensor *next = s->results[s->nout + k];
        if (!next)
            continue;
        tsr_tensor_unref(s->args[s->nin + k]);
        s->args[s->nin + k] = next;
    }
    return ok;
}

/* The number of steps: the size of the scanned dimension, which all inputs have. */
static bool scan_size(tsr_call *c, scan *s)
{
    const tsr_attr *given = tsr_call_attr(c, CHLO_SCAN_scan_dim_size);
    s->steps = given ? given->i : 0;
    for (uint32_t k = 0; k < s->nin; k++) {
        const tsr_tensor *t = c->in[k];
        if (t->kind != TSR_TENSOR || s->dim >= t->rank || (k && t->dims[s->dim] != s->steps))
            return tsr_fail(c, "has inputs that do not share the scanned dimension");
        s->steps = t->dims[s->dim];
    }
    return true;
}

bool eval_chlo_scan(tsr_call *c)
{
    uint32_t at;
    scan s = {.dim = (size_t)tsr_call_attr(c, CHLO_SCAN_dimension)->i};
    if (!tsr_op_operand_group(c->op, 0, &at, &s.nin) ||
        !tsr_op_operand_group(c->op, 1, &at, &s.ncarry) ||
        !tsr_op_result_group(c->op, 0, &at, &s.nout) || s.nout + s.ncarry != c->op->nout)
        return tsr_fail(c, "has operands and results that do not fit");
    TSR_TRY(scan_size(c, &s));
    const tsr_attr *reverse = tsr_call_attr(c, CHLO_SCAN_is_reverse);
    bool backward = reverse && reverse->i, ok = true;
    s.args = tsr_calloc(s.nin + s.ncarry + 1, sizeof *s.args);
    s.results = tsr_calloc(s.nout + s.ncarry + 1, sizeof *s.results);
    if (!s.args || !s.results)
        ok = tsr_fail_memory(c, "the body's values");
    for (uint32_t k = 0; ok && k < s.ncarry; k++)
        s.args[s.nin + k] = tsr_tensor_ref(c->in[s.nin + k]);
    for (int64_t i = 0; ok && i < s.steps; i++)
        ok = scan_step(c, &s, backward ? s.steps - 1 - i : i);
    for (uint32_t k = 0; ok && k < s.nout; k++) /* without steps only the type gives the shape */
        ok = c->out[k] || tsr_call_static(c, k);
    for (uint32_t k = 0; ok && k < s.ncarry; k++) {
        c->out[s.nout + k] = s.args[s.nin + k];
        s.args[s.nin + k] = NULL;
    }
    for (uint32_t k = 0; s.args && k < s.nin + s.ncarry; k++)
        tsr_tensor_unref(s.args[k]);
    tsr_free(s.args);
    tsr_free(s.results);
    return ok;
}
