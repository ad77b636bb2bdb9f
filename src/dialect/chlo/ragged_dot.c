/* SPDX-License-Identifier: Apache-2.0 */
/* ragged_dot.c - chlo.ragged_dot: a dot product with an lhs dimension that is divided into groups of different sizes.
 *
 *   the ragged dimension is   lhs        rhs           group_sizes   result
 *   free                      [b,m,k]    [g,b,k,n]     [b,x,g]       [b,m,n]     x: free dimensions before it
 *   contracting               [b,m,k]    [b,k,n]       [b,x,g]       [g,b,m,n]   x: contracting ones before it
 *   batching                  [b,m,k]    [b,k,n]       [x,g]         [b,m,n]     x: batching ones before it
 *
 * group_sizes may also be [g] alone, which is then broadcast. */
#include "dialect/hooks.h"
#include "dialect/stablehlo/rules.h"

enum { LHS, RHS, GROUPS };

typedef struct {
    const tsr_op *op;
    const tsr_type *lhs, *rhs, *groups;
    tsr_dot d;
    int64_t ragged;
    bool batching, contracting; /* the kind of the ragged dimension; neither: free */
} ragged_dot;

/* Sizes of lhs at the dimensions of a list, up to the ragged one. */
static void push_sizes(const ragged_dot *r, tsr_ints dims, tsr_i64_vec *out)
{
    for (uint32_t i = 0; i < dims.n && tsr_ints_at(dims, i) != r->ragged; i++)
        tsr_vec_push(out, r->lhs->dims[tsr_ints_at(dims, i)]);
}

/* The dimensions of group_sizes before the number of groups. */
static void expected_prefix(const ragged_dot *r, tsr_i64_vec *out)
{
    push_sizes(r, r->d.batch[LHS], out);
    if (r->contracting)
        push_sizes(r, r->d.contract[LHS], out);
    else if (!r->batching)
        for (int64_t i = 0; i < r->ragged; i++)
            if (tsr_dot_is_free(&r->d, LHS, i))
                tsr_vec_push(out, r->lhs->dims[i]);
}

static bool check_group_sizes(const ragged_dot *r)
{
    const tsr_type *g = r->groups;
    if (g->n == 1)
        return true;
    tsr_i64_vec want = {0};
    expected_prefix(r, &want);
    bool ok = g->n == want.n + 1;
    if (!ok)
        tsr_hlo_error(r->op, "expected group_sizes to have rank %zu, got %u", want.n + 1, g->n);
    else if (want.n && memcmp(want.data, g->dims, want.n * sizeof *want.data) != 0) {
        tsr_ctx *ctx = r->op->module->ctx;
        tsr_vec_push(&want, g->dims[g->n - 1]);
        ok = tsr_hlo_error(r->op, "group_sizes is expected to have shape [%s], got [%s]",
                           tsr_hlo_show_dims(ctx, want.data, want.n),
                           tsr_hlo_show_dims(ctx, g->dims, g->n));
    }
    tsr_vec_free(&want);
    return ok;
}

static bool check_group_dims(const ragged_dot *r)
{
    tsr_ints dims = r->d.group;
    for (uint32_t i = 0; i < dims.n; i++)
        TSR_TRY(tsr_hlo_check_dim(r->op, tsr_ints_at(dims, i), r->rhs->n, "rhs_group_dim",
                                  "rhs_rank", false));
    TSR_TRY(tsr_hlo_check_distinct(r->op, dims.attr, r->d.batch[RHS].attr, "rhs_group_dimensions",
                                   "rhs_batching_dimensions"));
    TSR_TRY(tsr_hlo_check_distinct(r->op, dims.attr, r->d.contract[RHS].attr,
                                   "rhs_group_dimensions", "rhs_contracting_dimensions"));
    if (r->batching || r->contracting) {
        if (dims.n)
            return tsr_hlo_error(
                r->op,
                "There must be zero group dimensions in the rhs when the ragged dimension is "
                "batch or contracting.");
        return true;
    }
    if (dims.n != 1)
        return tsr_hlo_error(
            r->op, "There must be exactly one group dimension in the rhs when the lhs ragged "
                   "dimension is non-contracting.");
    int64_t want = r->groups->dims[r->groups->n - 1], got = r->rhs->dims[tsr_ints_at(dims, 0)];
    if (!tsr_hlo_dims_compatible(want, got))
        return tsr_hlo_error(r->op, "rhs group dimension is expected to have size=%lld, got %lld",
                             (long long)want, (long long)got);
    return true;
}

static bool check(const tsr_op *op, ragged_dot *r)
{
    *r = (ragged_dot){.op = op,
                      .lhs = tsr_hlo_in(op, LHS),
                      .rhs = tsr_hlo_in(op, RHS),
                      .groups = tsr_hlo_in(op, GROUPS)};
    tsr_dot_of(op, &r->d);
    if (!tsr_hlo_is_ranked(r->lhs) || !tsr_hlo_is_ranked(r->rhs) || !tsr_hlo_is_ranked(r->groups))
        return tsr_hlo_error(op, "operands must be ranked");
    TSR_TRY(tsr_hlo_verify_precision(op, tsr_attr_of(op, CHLO_RAGGED_DOT_precision_config)));
    TSR_TRY(tsr_hlo_verify_dot_dims(op, &r->d));
    if (r->d.ragged.n != 1)
        return tsr_hlo_error(op, "There must be exactly one ragged dimension in the lhs.");
    r->ragged = tsr_ints_at(r->d.ragged, 0);
    TSR_TRY(tsr_hlo_check_dim(op, r->ragged, r->lhs->n, "lhs_ragged_dim", "lhs_rank", false));
    r->batching = tsr_ints_has(r->d.batch[LHS], r->ragged);
    r->contracting = tsr_ints_has(r->d.contract[LHS], r->ragged);
    return check_group_sizes(r) && check_group_dims(r);
}

bool infer_chlo_ragged_dot(const tsr_op *op, tsr_type_vec *out)
{
    ragged_dot r;
    TSR_TRY(check(op, &r));
    tsr_i64_vec dims = {0};
    if (r.contracting)
        tsr_vec_push(&dims, r.groups->dims[r.groups->n - 1]);
    for (uint32_t i = 0; i < r.d.batch[LHS].n; i++)
        tsr_vec_push(&dims, r.lhs->dims[tsr_ints_at(r.d.batch[LHS], i)]);
    for (uint32_t i = 0; i < r.lhs->n; i++)
        if (tsr_dot_is_free(&r.d, LHS, i))
            tsr_vec_push(&dims, r.lhs->dims[i]);
    for (uint32_t i = 0; i < r.rhs->n; i++)
        if (tsr_dot_is_free(&r.d, RHS, i))
            tsr_vec_push(&dims, r.rhs->dims[i]);
    tsr_vec_push(
        out, tsr_type_tensor(op->module->ctx, dims.data, dims.n, tsr_hlo_result_element(op), NULL));
    tsr_vec_free(&dims);
    return true;
}

bool verify_chlo_ragged_dot(tsr_op *op)
{
    tsr_type_vec types = {0};
    bool ok = infer_chlo_ragged_dot(op, &types) && tsr_hlo_verify_inferred_shape(op, types.data[0]);
    tsr_vec_free(&types);
    return ok;
}
