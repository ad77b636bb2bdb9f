/* SPDX-License-Identifier: Apache-2.0 */
/* vjp_dot.c - products: the cotangent of one factor is the product of the result's cotangent with the other. */
#include "pass/grad/grad.h"

typedef struct {
    tsr_i64_vec batch, sum, free; /* dimensions of one factor */
} factor;

static void read_factor(factor *f, const tsr_type *t, const tsr_dot *dot, int side)
{
    tsr_ints batch = dot->batch[side], sum = dot->contract[side];
    for (uint32_t i = 0; i < batch.n; i++)
        tsr_vec_push(&f->batch, tsr_ints_at(batch, i));
    for (uint32_t i = 0; i < sum.n; i++)
        tsr_vec_push(&f->sum, tsr_ints_at(sum, i));
    for (uint32_t d = 0; d < t->n; d++)
        if (tsr_dot_is_free(dot, side, d))
            tsr_vec_push(&f->free, d);
}

static void free_factor(factor *f)
{
    tsr_vec_free(&f->batch);
    tsr_vec_free(&f->sum);
    tsr_vec_free(&f->free);
}

/* Converts both to the wider of their types. */
static void same_element(tsr_build *b, tsr_value **x, tsr_value **y)
{
    if (tsr_elem(*x) == tsr_elem(*y))
        return;
    bool wider = tsr_hlo_bits(tsr_elem(*x)) > tsr_hlo_bits(tsr_elem(*y));
    tsr_value **narrow = wider ? y : x;
    *narrow = tsr_build_convert(b, *narrow, tsr_elem(wider ? *x : *y));
}

static tsr_attr *numbers(tsr_build *b, const tsr_i64_vec *batch0, const tsr_i64_vec *batch1,
                         const tsr_i64_vec *sum0, const tsr_i64_vec *sum1)
{
    tsr_dot d = {
        .batch = {tsr_ints_over(batch0->data, batch0->n), tsr_ints_over(batch1->data, batch1->n)},
        .contract = {tsr_ints_over(sum0->data, sum0->n), tsr_ints_over(sum1->data, sum1->n)}};
    return tsr_dot_attr(b->ctx, &d);
}

/* The cotangent of the factor mine. The result has the dimensions batch, free of the first, free of the second. */
static tsr_value *transpose_dot(tsr_build *b, tsr_value *ct, tsr_value *x, tsr_value *other,
                                const factor *mine, const factor *theirs, bool first,
                                tsr_attr *precision)
{
    tsr_i64_vec batch = {0}, sum = {0}, perm = {0};
    for (size_t i = 0; i < mine->batch.n; i++)
        tsr_vec_push(&batch, (int64_t)i);
    size_t skip = mine->batch.n + (first ? mine->free.n : 0);
    for (size_t i = 0; i < theirs->free.n; i++)
        tsr_vec_push(&sum, (int64_t)(skip + i));
    same_element(b, &ct, &other);
    /* The second factor's cotangent is a product with the other factor on the left, so that it comes out in its own
     * layout. */
    tsr_value *in[] = {first ? ct : other, first ? other : ct};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_DOT_GENERAL, in, 2, 1, 0);
    op->attrs[STABLEHLO_DOT_GENERAL_dot_dimension_numbers] =
        first ? numbers(b, &batch, &theirs->batch, &sum, &theirs->free)
              : numbers(b, &theirs->batch, &batch, &theirs->free, &sum);
    op->attrs[STABLEHLO_DOT_GENERAL_precision_config] = precision;
    /* batch, my free dimensions, and theirs that were summed over, in their order */
    tsr_i64_vec dims = {0}, from = {0};
    for (size_t i = 0; i < mine->batch.n; i++)
        tsr_vec_push(&from, mine->batch.data[i]);
    for (size_t i = 0; first && i < mine->free.n; i++)
        tsr_vec_push(&from, mine->free.data[i]);
    for (int64_t d = 0; d < other->type->n; d++)
        for (size_t i = 0; i < theirs->sum.n; i++)
            if (theirs->sum.data[i] == d)
                tsr_vec_push(&from, mine->sum.data[i]);
    for (size_t i = 0; !first && i < mine->free.n; i++)
        tsr_vec_push(&from, mine->free.data[i]);
    for (size_t i = 0; i < from.n; i++)
        tsr_vec_push(&dims, x->type->dims[from.data[i]]);
    tsr_type *type = tsr_type_tensor(b->ctx, dims.data, dims.n, tsr_elem(ct), NULL);
    tsr_value *out = &tsr_build_close_as(b, op, &type)->out[0];
    for (int64_t d = 0; d < x->type->n; d++)
        for (size_t i = 0; i < from.n; i++)
            if (from.data[i] == d)
                tsr_vec_push(&perm, (int64_t)i);
    out = tsr_build_convert(b, tsr_grad_transpose(b, out, perm.data), tsr_elem(x));
    tsr_vec_free(&batch);
    tsr_vec_free(&sum);
    tsr_vec_free(&perm);
    tsr_vec_free(&dims);
    tsr_vec_free(&from);
    return out;
}

static bool vjp(tsr_grad *g, tsr_op *op, tsr_value *ct, tsr_attr *precision)
{
    tsr_dot d;
    factor f[2] = {{{0}, {0}, {0}}, {{0}, {0}, {0}}};
    tsr_dot_of(op, &d);
    for (int i = 0; i < 2; i++)
        read_factor(&f[i], tsr_hlo_in(op, (size_t)i), &d, i);
    for (int i = 0; i < 2; i++) {
        tsr_value *x = tsr_grad_in(op, (size_t)i), *other = tsr_grad_in(op, 1 - (size_t)i);
        if (tsr_grad_varied(g, x))
            tsr_grad_add(g, x, transpose_dot(&g->b, ct, x, other, &f[i], &f[1 - i], !i, precision));
    }
    for (int i = 0; i < 2; i++)
        free_factor(&f[i]);
    return true;
}

bool vjp_dot_general(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    return vjp(g, op, ct[0], tsr_attr_of(op, STABLEHLO_DOT_GENERAL_precision_config));
}

bool vjp_dot(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    return vjp(g, op, ct[0], tsr_attr_of(op, STABLEHLO_DOT_precision_config));
}
