/* vjp_dot.c - products: the cotangent of one factor is the product of the result's cotangent with the other. */
#include "pass/grad/grad.h"

typedef struct {
    tsr_i64_vec batch, sum, free; /* dimensions of one factor */
} factor;

static bool has(const tsr_i64_vec *v, int64_t d)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->data[i] == d)
            return true;
    return false;
}

static void read_factor(factor *f, const tsr_type *t, const tsr_attr *batch, const tsr_attr *sum)
{
    for (size_t i = 0; i < tsr_hlo_len(batch); i++)
        tsr_vec_push(&f->batch, tsr_hlo_at(batch, i));
    for (size_t i = 0; i < tsr_hlo_len(sum); i++)
        tsr_vec_push(&f->sum, tsr_hlo_at(sum, i));
    for (uint32_t d = 0; d < t->n; d++)
        if (!has(&f->batch, d) && !has(&f->sum, d))
            tsr_vec_push(&f->free, d);
}

static void free_factor(factor *f)
{
    tsr_vec_free(&f->batch);
    tsr_vec_free(&f->sum);
    tsr_vec_free(&f->free);
}

/* Both in the wider of their types. */
static void same_element(tsr_build *b, tsr_value **x, tsr_value **y)
{
    if (tsr_elem(*x) == tsr_elem(*y))
        return;
    bool wider = tsr_hlo_bits(tsr_elem(*x)) > tsr_hlo_bits(tsr_elem(*y));
    tsr_value **narrow = wider ? y : x;
    *narrow = tsr_build_convert(b, *narrow, tsr_elem(wider ? *x : *y));
}

static tsr_attr *numbers(tsr_build *b, const tsr_i64_vec *batch0, const tsr_i64_vec *batch1, const tsr_i64_vec *sum0,
                         const tsr_i64_vec *sum1)
{
    tsr_attr *p[] = {tsr_grad_list(b, batch0->data, batch0->n), tsr_grad_list(b, batch1->data, batch1->n),
                     tsr_grad_list(b, sum0->data, sum0->n), tsr_grad_list(b, sum1->data, sum1->n)};
    return tsr_attr_struct(b->ctx, &tsr_def_STABLEHLO_DOT, p);
}

/* The cotangent of the factor mine. The result has the dimensions batch, free of the first, free of the second. */
static tsr_value *transpose_dot(tsr_build *b, tsr_value *ct, tsr_value *x, tsr_value *other, const factor *mine,
                                const factor *theirs, bool first, tsr_attr *precision)
{
    tsr_i64_vec batch = {0}, sum = {0}, perm = {0};
    for (size_t i = 0; i < mine->batch.n; i++)
        tsr_vec_push(&batch, (int64_t)i);
    size_t skip = mine->batch.n + (first ? mine->free.n : 0);
    for (size_t i = 0; i < theirs->free.n; i++)
        tsr_vec_push(&sum, (int64_t)(skip + i));
    same_element(b, &ct, &other);
    /* The second factor's cotangent is a product from the left, so that it comes out as it is laid out. */
    tsr_value *in[] = {first ? ct : other, first ? other : ct};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_DOT_GENERAL, in, 2, 1, 0);
    op->attrs[STABLEHLO_DOT_GENERAL_dot_dimension_numbers] =
        first ? numbers(b, &batch, &theirs->batch, &sum, &theirs->free)
              : numbers(b, &theirs->batch, &batch, &theirs->free, &sum);
    op->attrs[STABLEHLO_DOT_GENERAL_precision_config] = precision;
    /* batch, my free ones, and theirs that were summed over, in their order */
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

static void dot(tsr_grad *g, tsr_op *op, tsr_value *ct, factor *l, factor *r, tsr_attr *precision)
{
    tsr_value *x = tsr_grad_in(op, 0), *y = tsr_grad_in(op, 1);
    if (tsr_grad_varied(g, x))
        tsr_grad_add(g, x, transpose_dot(&g->b, ct, x, y, l, r, true, precision));
    if (tsr_grad_varied(g, y))
        tsr_grad_add(g, y, transpose_dot(&g->b, ct, y, x, r, l, false, precision));
    free_factor(l);
    free_factor(r);
}

bool vjp_dot_general(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_attr *const *p = tsr_attr_of(op, STABLEHLO_DOT_GENERAL_dot_dimension_numbers)->attrs;
    factor l = {{0}, {0}, {0}}, r = {{0}, {0}, {0}};
    read_factor(&l, tsr_hlo_in(op, 0), p[0], p[2]);
    read_factor(&r, tsr_hlo_in(op, 1), p[1], p[3]);
    dot(g, op, ct[0], &l, &r, tsr_attr_of(op, STABLEHLO_DOT_GENERAL_precision_config));
    return true;
}

/* The last dimension of the first factor with the first of the second. */
bool vjp_dot(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    int64_t last = (int64_t)tsr_hlo_in(op, 0)->n - 1, zero = 0;
    factor l = {{0}, {0}, {0}}, r = {{0}, {0}, {0}};
    read_factor(&l, tsr_hlo_in(op, 0), NULL, tsr_grad_list(&g->b, &last, 1));
    read_factor(&r, tsr_hlo_in(op, 1), NULL, tsr_grad_list(&g->b, &zero, 1));
    dot(g, op, ct[0], &l, &r, tsr_attr_of(op, STABLEHLO_DOT_precision_config));
    return true;
}
