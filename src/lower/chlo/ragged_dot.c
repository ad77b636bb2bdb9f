/* ragged_dot.c - chlo.ragged_dot by one dot_general a group, masked to the group's part of the ragged dimension.
 *
 * A free dimension: each group's product with its part of rhs is taken for all rows, and rows choose their group's.
 * A contracting one: each group's product has zeros outside of the group, and products are stacked. A batching one:
 * groups have no influence. (dialect/chlo/ragged_dot.c has the shapes.) */
#include "lower/lower.h"

enum { LHS, RHS, GROUPS };
enum { LHS_batching, RHS_batching, LHS_contracting, RHS_contracting, LHS_ragged, RHS_group };

typedef struct {
    tsr_op *op;
    tsr_value *lhs, *rhs, *groups;
    tsr_attr *const *dims;
    int64_t ragged, ngroup;
    bool batching, contracting;
    tsr_i64_vec
        prefix; /* dimensions of lhs that group_sizes has before the groups; none when it is [g] */
} ragged;

static int64_t find(const tsr_attr *dims, int64_t d)
{
    for (size_t i = 0; i < tsr_hlo_len(dims); i++)
        if (tsr_hlo_at(dims, i) == d)
            return (int64_t)i;
    return -1;
}

static bool is_free(const ragged *r, int64_t d)
{
    return find(r->dims[LHS_batching], d) < 0 && find(r->dims[LHS_contracting], d) < 0;
}

static bool describe(tsr_op *op, ragged *r)
{
    *r = (ragged){op,
                  op->in[LHS].value,
                  op->in[RHS].value,
                  op->in[GROUPS].value,
                  tsr_attr_of(op, CHLO_RAGGED_DOT_ragged_dot_dimension_numbers)->attrs,
                  0,
                  0,
                  false,
                  false,
                  {0}};
    TSR_TRY(tsr_type_has_static_shape(r->groups->type) && tsr_is_number(tsr_elem(r->lhs)) &&
            tsr_is_number(tsr_elem(r->rhs)) && tsr_is_number(op->out[0].type->elem));
    r->ragged = tsr_hlo_at(r->dims[LHS_ragged], 0);
    r->ngroup = r->groups->type->dims[r->groups->type->n - 1];
    r->batching = find(r->dims[LHS_batching], r->ragged) >= 0;
    r->contracting = find(r->dims[LHS_contracting], r->ragged) >= 0;
    if (r->groups->type->n == 1)
        return true;
    const tsr_attr *batching = r->dims[LHS_batching], *contracting = r->dims[LHS_contracting];
    for (size_t i = 0; i < tsr_hlo_len(batching) && tsr_hlo_at(batching, i) != r->ragged; i++)
        tsr_vec_push(&r->prefix, tsr_hlo_at(batching, i));
    if (r->contracting)
        for (size_t i = 0; i < tsr_hlo_len(contracting) && tsr_hlo_at(contracting, i) != r->ragged;
             i++)
            tsr_vec_push(&r->prefix, tsr_hlo_at(contracting, i));
    else
        for (int64_t i = 0; i < r->ragged; i++)
            if (is_free(r, i))
                tsr_vec_push(&r->prefix, i);
    return true;
}

/* Where a dimension of lhs stands in the result of dot_general: batching ones first, then free ones. */
static int64_t in_result(const ragged *r, int64_t d)
{
    int64_t at = find(r->dims[LHS_batching], d);
    if (at >= 0)
        return at;
    at = (int64_t)tsr_hlo_len(r->dims[LHS_batching]);
    for (int64_t i = 0; i < d; i++)
        at += is_free(r, i);
    return at;
}

static int64_t in_lhs(const ragged *r, int64_t d)
{
    (void)r;
    return d;
}

/* The dimension of rhs that goes with a batching or contracting dimension of lhs. */
static int64_t in_rhs(const ragged *r, int64_t d)
{
    int64_t at = find(r->dims[LHS_batching], d);
    return at >= 0
               ? tsr_hlo_at(r->dims[RHS_batching], (size_t)at)
               : tsr_hlo_at(r->dims[RHS_contracting], (size_t)find(r->dims[LHS_contracting], d));
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

/* The list without a dimension of rhs that is no longer there. */
static tsr_attr *without(tsr_ctx *ctx, const tsr_attr *dims, int64_t gone)
{
    tsr_i64_vec left = {0};
    for (size_t i = 0; i < tsr_hlo_len(dims); i++) {
        int64_t d = tsr_hlo_at(dims, i);
        tsr_vec_push(&left, d > gone ? d - 1 : d);
    }
    tsr_attr *out = tsr_attr_i64_array(ctx, left.data, left.n);
    tsr_vec_free(&left);
    return out;
}

static tsr_value *dot(tsr_build *b, const ragged *r, tsr_value *lhs, tsr_value *rhs, int64_t gone,
                      tsr_type *type)
{
    tsr_value *in[] = {lhs, rhs};
    tsr_attr *numbers[4], *precisions[2];
    for (int i = 0; i < 4; i++)
        numbers[i] = i % 2 && gone >= 0 ? without(b->ctx, r->dims[i], gone) : r->dims[i];
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_DOT_GENERAL, in, 2, 1, 0);
    op->attrs[STABLEHLO_DOT_GENERAL_dot_dimension_numbers] =
        tsr_attr_struct(b->ctx, &tsr_def_STABLEHLO_DOT, numbers);
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
    int64_t dim = tsr_hlo_at(r->dims[RHS_group], 0);
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
