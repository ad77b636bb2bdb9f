/* SPDX-License-Identifier: Apache-2.0 */
/* ragged_dot.c - lowers chlo.ragged_dot to one dot_general per group, masked to the group's part of the ragged
 * dimension.
 *
 * If it is a free dimension, each group's product with its part of rhs is computed for all rows, and each row selects
 * that of its group. If it is a contracting one, each group's operand has zeros outside of the group, and products are
 * stacked. If it is a batching one, groups have no effect. (dialect/chlo/ragged_dot.c has the shapes.) */
#include "lower/lower.h"

enum { LHS, RHS, GROUPS };

typedef struct {
    tsr_op *op;
    tsr_value *lhs, *rhs, *groups;
    tsr_dot d;
    int64_t ragged, ngroup;
    bool batching, contracting;
    /* dimensions of lhs that group_sizes has before the groups; none if it is [g] */
    tsr_i64_vec prefix;
} ragged;

static bool describe(tsr_op *op, ragged *r)
{
    *r = (ragged){.op = op,
                  .lhs = op->in[LHS].value,
                  .rhs = op->in[RHS].value,
                  .groups = op->in[GROUPS].value};
    tsr_dot_of(op, &r->d);
    TSR_TRY(tsr_type_has_static_shape(r->groups->type) && tsr_is_number(tsr_elem(r->lhs)) &&
            tsr_is_number(tsr_elem(r->rhs)) && tsr_is_number(op->out[0].type->elem));
    r->ragged = tsr_ints_at(r->d.ragged, 0);
    r->ngroup = r->groups->type->dims[r->groups->type->n - 1];
    r->batching = tsr_ints_has(r->d.batch[LHS], r->ragged);
    r->contracting = tsr_ints_has(r->d.contract[LHS], r->ragged);
    if (r->groups->type->n == 1)
        return true;
    tsr_ints batch = r->d.batch[LHS], contract = r->d.contract[LHS];
    for (uint32_t i = 0; i < batch.n && tsr_ints_at(batch, i) != r->ragged; i++)
        tsr_vec_push(&r->prefix, tsr_ints_at(batch, i));
    if (r->contracting)
        for (uint32_t i = 0; i < contract.n && tsr_ints_at(contract, i) != r->ragged; i++)
            tsr_vec_push(&r->prefix, tsr_ints_at(contract, i));
    else
        for (int64_t i = 0; i < r->ragged; i++)
            if (tsr_dot_is_free(&r->d, LHS, i))
                tsr_vec_push(&r->prefix, i);
    return true;
}

/* The position of a dimension of lhs in the result of dot_general: batching ones first, then free ones. */
static int64_t in_result(const ragged *r, int64_t d)
{
    int64_t at = tsr_ints_find(r->d.batch[LHS], d);
    if (at >= 0)
        return at;
    at = r->d.batch[LHS].n;
    for (int64_t i = 0; i < d; i++)
        at += tsr_dot_is_free(&r->d, LHS, i);
    return at;
}

static int64_t in_lhs(const ragged *r, int64_t d)
{
    (void)r;
    return d;
}

/* The dimension of rhs that corresponds to a batching or contracting dimension of lhs. */
static int64_t in_rhs(const ragged *r, int64_t d)
{
    int64_t at = tsr_ints_find(r->d.batch[LHS], d);
    return at >= 0 ? tsr_ints_at(r->d.batch[RHS], (size_t)at)
                   : tsr_ints_at(r->d.contract[RHS], (size_t)tsr_ints_find(r->d.contract[LHS], d));
}

/* Where start <= index < end along the ragged dimension, in the shape of v. */
static tsr_value *mask(tsr_build *b, const ragged *r, tsr_value *v,
                       int64_t (*place)(const ragged *, int64_t), tsr_value *start, tsr_value *end)
{
    tsr_i64_vec dims = {0};
    for (size_t i = 0; i < r->prefix.n; i++)
        tsr_vec_push(&dims, place(r, r->prefix.data[i]));
    tsr_value *index = tsr_build_iota(b, v, tsr_elem(start), place(r, r->ragged));
    tsr_value *low = f_ge(b, index, tsr_build_spread(b, start, dims.data, v));
    tsr_value *high = f_lt(b, index, tsr_build_spread(b, end, dims.data, v));
    tsr_vec_free(&dims);
    return f_and(b, low, high);
}

/* Part i of v along a dimension, without that dimension. */
static tsr_value *part(tsr_build *b, tsr_value *v, int64_t dim, int64_t i)
{
    return tsr_build_drop_dim(b, tsr_build_slice(b, v, dim, i, i + 1), dim);
}

/* The list without a removed dimension of rhs, stored in left. */
static tsr_ints without(tsr_ints dims, int64_t gone, tsr_i64_vec *left)
{
    for (uint32_t i = 0; i < dims.n; i++)
        tsr_vec_push(left, tsr_ints_at(dims, i) - (tsr_ints_at(dims, i) > gone));
    return tsr_ints_over(left->data, left->n);
}

static tsr_value *dot(tsr_build *b, const ragged *r, tsr_value *lhs, tsr_value *rhs, int64_t gone,
                      tsr_type *type)
{
    tsr_value *in[] = {lhs, rhs};
    tsr_attr *precisions[2];
    tsr_i64_vec batch = {0}, contract = {0};
    tsr_dot d = r->d;
    if (gone >= 0) {
        d.batch[RHS] = without(d.batch[RHS], gone, &batch);
        d.contract[RHS] = without(d.contract[RHS], gone, &contract);
    }
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_DOT_GENERAL, in, 2, 1, 0);
    op->attrs[STABLEHLO_DOT_GENERAL_dot_dimension_numbers] = tsr_dot_attr(b->ctx, &d);
    tsr_vec_free(&batch);
    tsr_vec_free(&contract);
    const tsr_attr *config = tsr_attr_of(r->op, CHLO_RAGGED_DOT_precision_config);
    if (config && config->n == 2) {
        for (int i = 0; i < 2; i++)
            precisions[i] =
                tsr_attr_enum(b->ctx, &tsr_def_STABLEHLO_PRECISION, config->attrs[i]->i);
        op->attrs[STABLEHLO_DOT_GENERAL_precision_config] = tsr_attr_array(b->ctx, precisions, 2);
    }
    return &tsr_build_close_as(b, op, &type)->out[0];
}

static tsr_value *masked(tsr_build *b, tsr_value *where, tsr_value *v)
{
    return f_select(b, where, v, tsr_build_like(b, v, tsr_elem(v), 0));
}

/* One group's contribution: the result so far with the group's rows, or one more part of the stack. */
static tsr_value *group(tsr_build *b, const ragged *r, int64_t g, tsr_value *start, tsr_value *end,
                        tsr_value *so_far)
{
    tsr_type *result = r->op->out[0].type;
    if (r->contracting) {
        tsr_value *lhs = masked(b, mask(b, r, r->lhs, in_lhs, start, end), r->lhs);
        tsr_value *rhs = masked(b, mask(b, r, r->rhs, in_rhs, start, end), r->rhs);
        tsr_type *one = tsr_static_type(b->ctx, result->dims + 1, result->n - 1, result->elem);
        return tsr_build_add_dim(b, dot(b, r, lhs, rhs, -1, one), 0);
    }
    int64_t dim = tsr_ints_at(r->d.group, 0);
    tsr_value *product = dot(b, r, r->lhs, part(b, r->rhs, dim, g), dim, result);
    if (!so_far) {
        b->anchor = product; /* all products have one shape */
        so_far = tsr_build_like(b, product, tsr_elem(product), 0);
    }
    return f_select(b, mask(b, r, product, in_result, start, end), product, so_far);
}

bool tsr_chlo_ragged_dot(tsr_build *b, tsr_op *op, tsr_value **out)
{
    ragged r;
    tsr_type *result = op->out[0].type;
    bool known = describe(op, &r) && r.ngroup > 0;
    if (known && r.batching) {
        out[0] = dot(b, &r, r.lhs, r.rhs, -1, result);
    } else if (known) {
        tsr_value_vec stack = {0};
        tsr_value *start = NULL, *sum = NULL;
        for (int64_t g = 0; g < r.ngroup; g++) {
            tsr_value *size = part(b, r.groups, r.groups->type->n - 1, g);
            if (!start)
                start = tsr_build_like_int(b, size, tsr_elem(size), 0);
            tsr_value *end = f_add(b, start, size);
            sum = group(b, &r, g, start, end, sum);
            tsr_vec_push(&stack, sum);
            start = end;
        }
        if (r.contracting) {
            tsr_op *all =
                tsr_build_open(b, TSR_OP_STABLEHLO_CONCATENATE, stack.data, stack.n, 1, 0);
            all->attrs[STABLEHLO_CONCATENATE_dimension] = tsr_attr_i64(b->ctx, 0);
            sum = &tsr_build_close_as(b, all, &result)->out[0];
        }
        out[0] = sum;
        tsr_vec_free(&stack);
    }
    tsr_vec_free(&r.prefix);
    return known;
}
