/* SPDX-License-Identifier: Apache-2.0 */
/* match.c - finds which known function a value is of another value, by evaluating it.
 *
 * A few points distinguish most functions. A candidate that agrees with an op there is evaluated at many more: over the
 * whole range of the type, and at, next to and between all its constants, since these are where pieces of an expansion
 * meet. It must be close to the op's value, relative to it or to 1, and finite where the op is. */
#include "pass/grad/recognise.h"

#include <math.h>
#include <stdlib.h>

/* Ops that expansions are compared with, from their column: the number of operands, all but the last of which are
 * constants. */
static const struct {
    enum tsr_opcode opcode;
    uint32_t nin;
} functions[] = {
#define EXPANDED(id, n) {TSR_OP_##id, n},
#include "dialect/ops.def"
};

enum { NUMBERS = 20 }; /* integers from 1 on, tried as a first operand */

/* ---- Points ---- */

static tsr_tensor *tensor_of(const tsr_type *elem, const tsr_numbers *points)
{
    int64_t n = (int64_t)points->n;
    tsr_tensor *t = tsr_tensor_new((tsr_type *)elem, &n, 1);
    for (int64_t i = 0; t && i < n; i++)
        tsr_set_double(t, i, points->data[i]);
    return t;
}

tsr_tensor *tsr_match_points(tsr_cones *c, int32_t from)
{
    static const double few[TSR_FEW] = {0.37, -0.61, 0.93, 1.9, 3.3, 5.7, -2.3, 0};
    tsr_tensor **t = &c->few[f_wide(c->nodes.data[from].v)];
    tsr_numbers points = {0};
    for (size_t i = 0; i < TSR_COUNT(few) && !*t; i++)
        tsr_vec_push(&points, few[i]);
    if (points.n)
        *t = tensor_of(tsr_elem(c->nodes.data[from].v), &points);
    tsr_vec_free(&points);
    return *t;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void push_both(tsr_numbers *points, double x)
{
    tsr_vec_push(points, x);
    tsr_vec_push(points, -x);
}

static tsr_tensor *many_points(tsr_cones *c, int32_t from, const tsr_numbers *numbers)
{
    static const double some[] = {0,    1e-30, 1e-12, 1e-8, 1e-5, 1e-3, 0.01, 0.1, 0.2,  0.3,
                                  0.45, 0.55,  0.7,   0.85, 0.95, 0.99, 1.01, 1.2, 1.45, 1.6,
                                  1.9,  2.1,   2.6,   3.4,  3.6,  4.3,  5.2,  6.7, 7.9,  8.3,
                                  9.8,  12.3,  15.7,  23.,  31.3, 47.6, 63.2, 79.1};
    static const double large[] = {301.7, 12345.7, 1e8, 1e15, 1e30};
    const tsr_type *elem = tsr_elem(c->nodes.data[from].v);
    tsr_numbers points = {0}, limits = {0};
    for (size_t i = 0; i < TSR_COUNT(some); i++)
        push_both(&points, some[i]);
    for (size_t i = 0; i < TSR_COUNT(large); i++)
        push_both(&points, large[i]);
    for (size_t i = 0; i < numbers->n; i++)
        if (fabs(numbers->data[i]) < 1e30)
            tsr_vec_push(&limits, fabs(numbers->data[i]));
    if (limits.n)
        qsort(limits.data, limits.n, sizeof *limits.data, by_size);
    for (size_t i = 0; i < limits.n; i++) {
        double x = limits.data[i];
        push_both(&points, x);
        push_both(&points, x * (1 - 1e-3));
        push_both(&points, x * (1 + 1e-3));
        if (i + 1 < limits.n)
            push_both(&points, 0.5 * (x + limits.data[i + 1]));
    }
    tsr_tensor *t = tensor_of(elem, &points);
    tsr_vec_free(&points);
    tsr_vec_free(&limits);
    return t;
}

/* ---- Comparing ---- */

/* Where a function has a zero, its terms cancel: the error is measured in units of the argument, not of the value. A
 * function that is almost nowhere a number cannot be identified by its values. */
static bool near(const double *got, const double *want, const tsr_tensor *at)
{
    enum { LEAST = 3 };
    const double limit = at->dtype == TSR_D_F64 ? 1e-8 : 2e-4;
    int numbers = 0;
    for (int64_t i = 0; i < at->n; i++) {
        double g = got[i], w = want[i], off = fabs(g - w);
        if (isfinite(g) != isfinite(w))
            return false;
        if (isfinite(w) && off > limit * fabs(w) &&
            off > limit * 0.1 * fmin(1, fabs(tsr_get_double(at, i))))
            return false;
        numbers += isfinite(w);
    }
    return numbers >= LEAST;
}

static bool near_tensors(const tsr_tensor *got, const tsr_tensor *want, const tsr_tensor *at)
{
    tsr_numbers g = {0}, w = {0};
    for (int64_t i = 0; i < at->n; i++) {
        tsr_vec_push(&g, tsr_get_double(got, i));
        tsr_vec_push(&w, tsr_get_double(want, i));
    }
    bool ok = near(g.data, w.data, at);
    tsr_vec_free(&g);
    tsr_vec_free(&w);
    return ok;
}

/* Creates the op of a function, before its possible expansion. */
static tsr_op *op_of(tsr_cones *c, int32_t from, int32_t to, const tsr_known *f)
{
    tsr_build b = tsr_build_before(c->nodes.data[to].op);
    tsr_value *x = c->nodes.data[from].v, *in[2] = {x, x};
    if (f->has_number)
        in[0] = f_const(&b, x, f->number);
    tsr_value *v = tsr_build_op(&b, f->opcode, in, f->has_number ? 2 : 1, x->type);
    tsr_build_free(&b);
    return v->op;
}

static void erase_op(tsr_op *op)
{
    tsr_op *first = tsr_grad_in(op, 0)->op;
    tsr_op_erase(op);
    if (first && tsr_op_is(first, TSR_OP_STABLEHLO_CONSTANT) && !tsr_op_used(first))
        tsr_op_erase(first);
}

static tsr_tensor *values_of(tsr_cones *c, const tsr_op *op, const tsr_known *f, tsr_tensor *points)
{
    tsr_tensor *first = f->has_number ? tsr_tensor_like(points, points->elem) : NULL;
    for (int64_t i = 0; first && i < points->n; i++)
        tsr_set_double(first, i, f->number);
    tsr_tensor *in[2] = {first ? first : points, points};
    tsr_tensor *out = tsr_cones_run(c, op, in);
    tsr_tensor_unref(first);
    return out;
}

static bool agrees_everywhere(tsr_cones *c, int32_t from, int32_t to, const tsr_op *op,
                              const tsr_known *f)
{
    tsr_numbers numbers = {0};
    if (!tsr_cones_slice(c, from, to, TSR_AT_MANY))
        return false;
    tsr_cones_numbers(c, &numbers);
    tsr_tensor *points = many_points(c, from, &numbers),
               *want = points ? values_of(c, op, f, points) : NULL;
    bool ok = want && tsr_cones_eval(c, from, TSR_AT_MANY, points) &&
              near_tensors(c->nodes.data[to].at[TSR_AT_MANY], want, points);
    tsr_cones_forget_many(c);
    tsr_tensor_unref(points);
    tsr_tensor_unref(want);
    tsr_vec_free(&numbers);
    return ok;
}

/* The functions with their values at the few points, computed once. */
static void know(tsr_cones *c, int32_t from, int32_t to, bool wide)
{
    tsr_tensor *points = tsr_match_points(c, from);
    for (size_t i = 0; i < TSR_COUNT(functions); i++)
        for (int n = 1; n <= (functions[i].nin == 2 ? NUMBERS : 1); n++) {
            tsr_known f = {
                .opcode = functions[i].opcode, .has_number = functions[i].nin == 2, .number = n};
            tsr_op *op = op_of(c, from, to, &f);
            tsr_tensor *values = values_of(c, op, &f, points);
            for (int k = 0; values && k < TSR_FEW; k++)
                f.values[k] = tsr_get_double(values, k);
            if (values)
                tsr_vec_push(&c->known[wide], f);
            tsr_tensor_unref(values);
            erase_op(op);
        }
}

static tsr_op *try_function(tsr_cones *c, int32_t from, int32_t to, const tsr_known *f)
{
    tsr_op *op = op_of(c, from, to, f);
    if (agrees_everywhere(c, from, to, op, f))
        return op;
    erase_op(op);
    return NULL;
}

tsr_op *tsr_grad_match(tsr_cones *c, int32_t from, int32_t to)
{
    bool wide = f_wide(c->nodes.data[from].v);
    const tsr_tensor *points = tsr_match_points(c, from);
    double got[TSR_FEW];
    tsr_op *op = NULL;
    for (int i = 0; i < TSR_FEW; i++)
        got[i] = tsr_get_double(c->nodes.data[to].at[TSR_AT_FEW], i);
    if (!c->known[wide].n)
        know(c, from, to, wide);
    for (size_t i = 0; !op && i < c->known[wide].n; i++) {
        const tsr_known *f = &c->known[wide].data[i];
        if (near(got, f->values, points))
            op = try_function(c, from, to, f);
    }
    return op;
}
