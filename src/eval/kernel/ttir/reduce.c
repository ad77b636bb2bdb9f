/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.c - TTIR: reductions, argmax and running sums. Floats are summed in double and rounded once; integers wrap in
 * 64 bits.
 *
 * The input is first laid out as kept x reduced elements, so that each result is computed from contiguous memory. */
#include <math.h>
#include <stdlib.h>

#include "dialect/params.h"
#include "eval/kernel/tessera/tessera.h"
#include "eval/kernel/ttir/ttir.h"
#include "eval/kernel/kernels.h"
#include "eval/math/strided.h"

enum { CHUNK = 512 };

/* ---- Which dimensions ---- */

typedef struct {
    size_t rank;                /* of the result */
    int64_t dims[TSR_MAX_RANK]; /* of the result */
    int64_t lines, n;           /* products of the kept and of the reduced sizes */
    tsr_tensor *x;              /* lines x n */
} layout;

/* Reduced dimensions come last, in the order in which the op names them. */
static bool find_layout(tsr_call *c, layout *l)
{
    tsr_tensor *x = c->in[0];
    tsr_reduce_dims r;
    bool ordered = true, gone[TSR_MAX_RANK] = {false};
    int64_t given[TSR_MAX_RANK], order[TSR_MAX_RANK];
    tsr_reduce_dims_of(c->op, &r);
    size_t n = tsr_ints_copy(r.dims, given, TSR_MAX_RANK), k = 0;
    if (n > TSR_MAX_RANK)
        return tsr_fail(c, "reduces more dimensions than there are");
    *l = (layout){.lines = 1, .n = 1};
    for (size_t i = 0; i < n; i++) {
        size_t d;
        TSR_TRY(tsr_tt_dim(c, given[i], x->rank, &d));
        if (gone[d])
            return tsr_fail(c, "reduces dimension %zu twice", d);
        gone[d] = true;
        given[i] = (int64_t)d;
    }
    if (r.all)
        for (n = 0; n < x->rank; n++) {
            gone[n] = true;
            given[n] = (int64_t)n;
        }
    for (size_t d = 0; d < x->rank; d++) {
        if (!gone[d])
            order[k++] = (int64_t)d;
        *(gone[d] ? &l->n : &l->lines) *= x->dims[d];
        if (!gone[d] || r.keep)
            l->dims[l->rank++] = gone[d] ? 1 : x->dims[d];
    }
    memcpy(order + k, given, n * sizeof *given);
    for (size_t i = 0; i < x->rank; i++)
        ordered &= order[i] == (int64_t)i;
    l->x = ordered ? tsr_tensor_ref(x) : tsr_tt_permuted(c, x, order);
    return l->x != NULL;
}

/* ---- Lines ---- */

static double sum_line(const double *v, int64_t n)
{
    double s[4] = {0};
    int64_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            s[k] += v[i + k];
    for (; i < n; i++)
        s[0] += v[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

static double join_doubles(int opcode, double acc, const double *v, int64_t n)
{
    switch (opcode) {
    case TSR_OP_TTIR_MAX:
        for (int64_t i = 0; i < n; i++)
            acc = acc > v[i] || acc != acc ? acc : v[i];
        return acc;
    case TSR_OP_TTIR_MIN:
        for (int64_t i = 0; i < n; i++)
            acc = acc < v[i] || acc != acc ? acc : v[i];
        return acc;
    case TSR_OP_TTIR_PROD:
        for (int64_t i = 0; i < n; i++)
            acc *= v[i];
        return acc;
    case TSR_OP_TTIR_REDUCE_AND:
        for (int64_t i = 0; i < n; i++)
            acc = acc != 0 && v[i] != 0;
        return acc;
    case TSR_OP_TTIR_REDUCE_OR:
        for (int64_t i = 0; i < n; i++)
            acc = acc != 0 || v[i] != 0;
        return acc;
    default: return acc + sum_line(v, n);
    }
}

static double start_double(int opcode)
{
    switch (opcode) {
    case TSR_OP_TTIR_MAX: return -INFINITY;
    case TSR_OP_TTIR_MIN: return INFINITY;
    case TSR_OP_TTIR_PROD:
    case TSR_OP_TTIR_REDUCE_AND: return 1;
    default: return 0;
    }
}

static bool reduce_doubles(tsr_call *c, const layout *l, double *out)
{
    int opcode = c->op->def->opcode;
    const tsr_tensor *x = l->x;
    size_t size = tsr_elem_size(x);
    double v[CHUNK];
    for (int64_t i = 0; i < l->lines; i++) {
        const char *line = (const char *)x->data + (size_t)(i * l->n) * size;
        double acc = start_double(opcode);
        for (int64_t k = 0; k < l->n; k += CHUNK) {
            int64_t n = l->n - k < CHUNK ? l->n - k : CHUNK;
            tsr_to_doubles((tsr_dtype)x->dtype, line + (size_t)k * size, v, n);
            acc = join_doubles(opcode, acc, v, n);
        }
        out[i] = opcode == TSR_OP_TTIR_MEAN ? acc / (double)l->n : acc;
    }
    return true;
}

static tsr_tessera_kind kind_of(int opcode)
{
    return opcode == TSR_OP_TTIR_MAX    ? TSR_TESSERA_MAX
           : opcode == TSR_OP_TTIR_MIN  ? TSR_TESSERA_MIN
           : opcode == TSR_OP_TTIR_PROD ? TSR_TESSERA_PROD
                                        : TSR_TESSERA_SUM;
}

static int64_t join_ints(int opcode, bool is_unsigned, int64_t a, int64_t b)
{
    switch (opcode) {
    case TSR_OP_TTIR_REDUCE_AND: return a && b;
    case TSR_OP_TTIR_REDUCE_OR: return a || b;
    default: return tsr_join_ints(kind_of(opcode), is_unsigned, a, b);
    }
}

static void reduce_ints(tsr_call *c, const layout *l, int64_t *out)
{
    int opcode = c->op->def->opcode;
    tsr_dtype d = (tsr_dtype)l->x->dtype;
    for (int64_t i = 0; i < l->lines; i++) {
        int64_t acc = opcode == TSR_OP_TTIR_REDUCE_AND ? 1 : tsr_int_start(kind_of(opcode), d);
        for (int64_t k = 0; k < l->n; k++)
            acc = join_ints(opcode, d == TSR_D_U64, acc, tsr_get_int(l->x, i * l->n + k));
        out[i] = acc;
    }
}

static bool reduce_complex(tsr_call *c, const layout *l, tsr_tensor *out)
{
    int opcode = c->op->def->opcode;
    if (opcode != TSR_OP_TTIR_SUM && opcode != TSR_OP_TTIR_MEAN)
        return tsr_fail(c, "is not defined for complex numbers");
    for (int64_t i = 0; i < l->lines; i++) {
        tsr_complex s = {0, 0};
        for (int64_t k = 0; k < l->n; k++) {
            tsr_complex v = tsr_get_complex(l->x, i * l->n + k);
            s.re += v.re;
            s.im += v.im;
        }
        double by = opcode == TSR_OP_TTIR_MEAN ? (double)l->n : 1;
        tsr_set_complex(out, i, (tsr_complex){s.re / by, s.im / by});
    }
    return true;
}

bool eval_ttir_reduction(tsr_call *c)
{
    layout l;
    tsr_dtype d = tsr_call_dtype(c, 0);
    TSR_TRY(find_layout(c, &l));
    /* The mean of integers is not an integer. */
    bool ints = tsr_dtype_is_int(d) && !tsr_op_is(c->op, TSR_OP_TTIR_MEAN);
    tsr_dtype to = tsr_dtype_is_complex(d) ? TSR_D_C128
                   : !ints                 ? TSR_D_F64
                   : d == TSR_D_U64        ? TSR_D_U64
                                           : TSR_D_I64;
    tsr_tensor *out = tsr_tt_new(c, to, l.dims, l.rank);
    bool ok = out != NULL;
    if (ok && to == TSR_D_C128)
        ok = reduce_complex(c, &l, out);
    else if (ok && ints)
        reduce_ints(c, &l, out->data);
    else if (ok)
        ok = reduce_doubles(c, &l, out->data);
    tsr_tensor_unref(l.x);
    if (!ok) {
        tsr_tensor_unref(out);
        return false;
    }
    return tsr_tt_give(c, 0, out);
}

/* ---- argmax: the first of the largest; NaN is larger than any number ---- */

bool eval_ttir_argmax(tsr_call *c)
{
    layout l;
    TSR_TRY(find_layout(c, &l));
    if (tsr_dtype_is_complex((tsr_dtype)l.x->dtype) || (l.lines && !l.n)) {
        tsr_tensor_unref(l.x);
        return tsr_fail(c, "looks for the largest of numbers that have none");
    }
    bool ints = tsr_dtype_is_int((tsr_dtype)l.x->dtype);
    tsr_tensor *out = tsr_tt_new(c, TSR_D_I64, l.dims, l.rank);
    for (int64_t i = 0; out && i < l.lines; i++) {
        int64_t best = 0;
        for (int64_t k = 1; k < l.n; k++) {
            int64_t p = i * l.n + k, q = i * l.n + best;
            bool more;
            if (ints) {
                int64_t x = tsr_get_int(l.x, p), y = tsr_get_int(l.x, q);
                more = l.x->dtype == TSR_D_U64 ? (uint64_t)x > (uint64_t)y : x > y;
            } else {
                double x = tsr_get_double(l.x, p), y = tsr_get_double(l.x, q);
                more = x > y || (x != x && y == y);
            }
            best = more ? k : best;
        }
        ((int64_t *)out->data)[i] = best;
    }
    tsr_tensor_unref(l.x);
    return tsr_tt_give(c, 0, out);
}

/* ---- cumsum, cumprod ---- */

static void run_doubles(const tsr_tt_axis *a, double *v, bool product)
{
    for (int64_t o = 0; o < a->outer; o++, v += a->n * a->inner)
        for (int64_t i = a->inner; i < a->n * a->inner; i++)
            v[i] = product ? v[i] * v[i - a->inner] : v[i] + v[i - a->inner];
}

static void run_ints(const tsr_tt_axis *a, uint64_t *v, bool product)
{
    for (int64_t o = 0; o < a->outer; o++, v += a->n * a->inner)
        for (int64_t i = a->inner; i < a->n * a->inner; i++)
            v[i] = product ? v[i] * v[i - a->inner] : v[i] + v[i - a->inner];
}

bool eval_ttir_cumulative(tsr_call *c)
{
    size_t dim;
    tsr_dtype d = tsr_call_dtype(c, 0);
    TSR_TRY(tsr_tt_dim(c, tsr_tt_int(c, TTIR_CUMSUM_dim, 0), c->in[0]->rank, &dim));
    if (tsr_dtype_is_complex(d))
        return tsr_fail(c, "is not defined for complex numbers");
    tsr_dtype wide = !tsr_dtype_is_int(d) ? TSR_D_F64 : d == TSR_D_U64 ? TSR_D_U64 : TSR_D_I64;
    tsr_tensor *t = tsr_tt_take(c, 0, wide);
    t = t ? tsr_tensor_reuse(t) : NULL;
    if (!t)
        return tsr_fail_memory(c, "its sums");
    tsr_tt_axis a = tsr_tt_around(t, dim);
    bool product = tsr_op_is(c->op, TSR_OP_TTIR_CUMPROD);
    if (t->n && wide == TSR_D_F64)
        run_doubles(&a, t->data, product);
    else if (t->n)
        run_ints(&a, t->data, product);
    return tsr_tt_give(c, 0, t);
}
