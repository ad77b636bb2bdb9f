/* SPDX-License-Identifier: Apache-2.0 */
/* compatibility.c - --stablehlo-compatibility-expander: expresses features that an older version of StableHLO lacks
 * with those it has. Needs nothing; breaks ids. A row gives the ops, and the version before which they are expanded. */
#include "dialect/vhlo/version.h"
#include "eval/groups.h"
#include "dialect/stablehlo/build.h"
#include "lower/lower.h"
#include "lower/passes.h"

#include <stdlib.h>

/* ---- Batching dimensions of gather and scatter ----
 *
 * A batching dimension becomes an indexed one: its position is prepended to each index. */

typedef TSR_VEC(int64_t) int_vec;

static bool fits(int64_t size, const tsr_type *type)
{
    if (type->width >= 64)
        return true;
    return size < (int64_t)1 << (type->sub == TSR_UNSIGNED ? type->width : type->width - 1);
}

static tsr_type *wide_enough(tsr_ctx *ctx, tsr_type *elem, int64_t size)
{
    if (elem->kind != TSR_TYPE_INTEGER || fits(size, elem))
        return elem;
    return fits(size, ctx->i32) ? ctx->i32 : ctx->i64;
}

/* Prepends the positions along the batching dimensions to each index. */
static tsr_value *with_positions(tsr_build *b, tsr_value *indices, int64_t vector_dim,
                                 tsr_ints batching)
{
    const tsr_type *type = indices->type;
    size_t rank = type->n, n = batching.n;
    int64_t dims[64];
    tsr_type *elem = type->elem;
    tsr_value_vec parts = {0};
    for (size_t i = 0; i < n; i++)
        elem = wide_enough(b->ctx, elem, type->dims[tsr_ints_at(batching, i)]);
    if (elem != type->elem)
        indices = tsr_build_convert(b, indices, elem);
    memcpy(dims, type->dims, rank * sizeof *dims);
    dims[vector_dim] = 1;
    tsr_type *one =
        tsr_type_tensor(b->ctx, dims, (size_t)vector_dim == rank ? rank + 1 : rank, elem, NULL);
    if ((size_t)vector_dim == rank)
        indices = tsr_build_reshape(b, indices, one);
    for (size_t i = 0; i < n; i++) {
        tsr_op *iota = tsr_build_open(b, TSR_OP_STABLEHLO_IOTA, NULL, 0, 1, 0);
        iota->attrs[STABLEHLO_IOTA_iota_dimension] = tsr_attr_i64(b->ctx, tsr_ints_at(batching, i));
        tsr_vec_push(&parts, &tsr_build_close_as(b, iota, &one)->out[0]);
    }
    tsr_vec_push(&parts, indices);
    tsr_op *join = tsr_build_open(b, TSR_OP_STABLEHLO_CONCATENATE, parts.data, parts.n, 1, 0);
    join->attrs[STABLEHLO_CONCATENATE_dimension] = tsr_attr_i64(b->ctx, vector_dim);
    join = tsr_build_close(b, join);
    tsr_vec_free(&parts);
    return join ? &join->out[0] : NULL;
}

static bool ascending(tsr_ints list)
{
    for (uint32_t i = 1; i < list.n; i++)
        if (tsr_ints_at(list, i) < tsr_ints_at(list, i - 1))
            return false;
    return true;
}

/* a followed by b; merged: in ascending order, as each of them is. */
static tsr_ints joined(tsr_ctx *ctx, tsr_ints a, tsr_ints b, bool merged)
{
    uint32_t i = 0, k = 0;
    int_vec v = {0};
    while (i < a.n || k < b.n) {
        bool first = k == b.n || (i < a.n && (!merged || tsr_ints_at(a, i) <= tsr_ints_at(b, k)));
        tsr_vec_push(&v, first ? tsr_ints_at(a, i) : tsr_ints_at(b, k));
        i += first;
        k += !first;
    }
    tsr_attr *made = tsr_attr_i64_array(ctx, v.data, v.n);
    tsr_vec_free(&v);
    return tsr_attr_ints(made);
}

/* sorted: slot of the op; at: which operand is the indices; *g: the new numbers if something changed. */
static bool expand_batching(tsr_op *op, tsr_gather *g, int sorted, uint32_t at, bool *changed)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_value *indices = op->in[at].value;
    tsr_gather_of(op, g);
    if (!g->batch.n || indices->type->kind != TSR_TYPE_TENSOR ||
        !tsr_type_has_static_shape(indices->type) || indices->type->n >= 64)
        return true;
    tsr_build b = tsr_build_before(op);
    tsr_value *made = with_positions(&b, indices, g->vector, g->index_batch);
    bool ok = made && !b.failed;
    tsr_build_free(&b);
    TSR_TRY(ok);
    g->dropped = joined(ctx, g->batch, g->dropped, true);
    g->map = joined(ctx, g->batch, g->map, false);
    bool stay = g->sorted && ascending(g->index_batch) && ascending(g->map);
    g->batch = g->index_batch = (tsr_ints){0};
    op->attrs[sorted] = tsr_attr_bool(ctx, stay);
    tsr_op_set_operand(op, at, made);
    *changed = true;
    return true;
}

static bool expand_gather(tsr_op *op, bool *changed)
{
    tsr_gather g;
    bool some = false;
    TSR_TRY(expand_batching(op, &g, STABLEHLO_GATHER_indices_are_sorted, 1, &some));
    if (some)
        op->attrs[STABLEHLO_GATHER_dimension_numbers] = tsr_gather_attr(op->module->ctx, &g);
    *changed |= some;
    return true;
}

static bool expand_scatter(tsr_op *op, bool *changed)
{
    tsr_gather g;
    bool some = false;
    TSR_TRY(expand_batching(op, &g, STABLEHLO_SCATTER_indices_are_sorted, op->nin / 2, &some));
    if (some)
        op->attrs[STABLEHLO_SCATTER_scatter_dimension_numbers] =
            tsr_scatter_attr(op->module->ctx, &g);
    *changed |= some;
    return true;
}

/* ---- Tangent ---- */

/* Ones, shared by all uses: at the start of the function. */
static tsr_value *ones(tsr_build *b, tsr_op *op, tsr_value *like)
{
    tsr_value *one = tsr_build_like(b, like, like->type->elem, 1);
    tsr_block *top = op->block;
    while (top->region && top->region->op && !tsr_op_maybe_isolated(top->region->op))
        top = top->region->op->block;
    if (!one->is_arg && one->op->nin == 0 && top->first != one->op)
        tsr_op_move_before(one->op, top->first);
    return one;
}

static tsr_value *quotient(tsr_build *b, tsr_value *x)
{
    tsr_value *parts[2] = {tsr_build_op(b, TSR_OP_STABLEHLO_SINE, &x, 1, NULL),
                           tsr_build_op(b, TSR_OP_STABLEHLO_COSINE, &x, 1, NULL)};
    return tsr_build_op(b, TSR_OP_STABLEHLO_DIVIDE, parts, 2, NULL);
}

/* tan(a + bi) = (tan a + i tanh b) / (1 - i tan a tanh b) */
static tsr_value *complex_tan(tsr_build *b, tsr_op *op, tsr_value *z)
{
    tsr_value *re = tsr_build_op(b, TSR_OP_STABLEHLO_REAL, &z, 1, NULL);
    tsr_value *tan = quotient(b, re), *im = tsr_build_op(b, TSR_OP_STABLEHLO_IMAG, &z, 1, NULL);
    tsr_value *tanh = tsr_build_op(b, TSR_OP_STABLEHLO_TANH, &im, 1, NULL), *parts[2] = {tan, tanh},
              *sides[2];
    sides[0] = tsr_build_op(b, TSR_OP_STABLEHLO_COMPLEX, parts, 2, NULL);
    tsr_value *product = tsr_build_op(b, TSR_OP_STABLEHLO_MULTIPLY, parts, 2, NULL);
    parts[1] = tsr_build_op(b, TSR_OP_STABLEHLO_NEGATE, &product, 1, NULL);
    parts[0] = ones(b, op, tan);
    sides[1] = tsr_build_op(b, TSR_OP_STABLEHLO_COMPLEX, parts, 2, NULL);
    return tsr_build_op(b, TSR_OP_STABLEHLO_DIVIDE, sides, 2, NULL);
}

static bool expand_tan(tsr_op *op, bool *changed)
{
    tsr_value *x = op->in[0].value;
    if (op->attrs[STABLEHLO_TAN_result_accuracy] &&
        !tsr_op_attr_is_default(op, STABLEHLO_TAN_result_accuracy))
        return true;
    tsr_build b = tsr_build_before(op);
    tsr_value *made =
        x->type->elem->kind == TSR_TYPE_COMPLEX ? complex_tan(&b, op, x) : quotient(&b, x);
    bool ok = !b.failed;
    if (ok)
        tsr_build_replace(op, &made);
    tsr_build_free(&b);
    *changed = true;
    return ok;
}

/* ---- Groups by axes of a mesh ---- */

static bool expand_groups(tsr_op *op, bool *changed)
{
    int slot = tsr_opdef_slot(op->def, TSR_STR("replica_groups"));
    tsr_attr *groups = slot >= 0 ? op->attrs[slot] : NULL;
    tsr_ctx *ctx = op->module->ctx;
    if (!tsr_attr_is_struct(groups, &tsr_def_STABLEHLO_REPLICA_GROUP_MESH_AXES))
        return true;
    tsr_device_list ids = {0};
    size_t size = 0;
    const char *wrong = tsr_mesh_axes_list(op, groups->attrs[0], groups->attrs[1], &ids, &size);
    if (!wrong) {
        int64_t dims[] = {size ? (int64_t)(ids.n / size) : 0, (int64_t)size};
        tsr_type *type = tsr_type_tensor(ctx, dims, 2, ctx->i64, NULL);
        op->attrs[slot] =
            tsr_attr_dense(ctx, op->module, type, ids.data, ids.n * sizeof *ids.data, false);
        *changed = true;
    }
    tsr_vec_free(&ids);
    return !wrong || tsr_op_error(op, "%s", wrong);
}

/* ---- Ranges in locations ---- */

/* The location with only the start of each range. */
static tsr_attr *starts_only(tsr_ctx *ctx, tsr_attr *loc)
{
    tsr_attr *made = loc, **parts;
    switch ((tsr_loc_kind)loc->sub) {
    case TSR_LOC_KIND_FILE: return loc->n > 2 ? tsr_attr_loc_file(ctx, loc->s, loc->ints, 2) : loc;
    case TSR_LOC_KIND_NAME:
        return loc->attrs[0] ? tsr_attr_loc_name(ctx, loc->s, starts_only(ctx, loc->attrs[0]))
                             : loc;
    case TSR_LOC_KIND_CALLSITE:
        return tsr_attr_loc_callsite(ctx, starts_only(ctx, loc->attrs[0]),
                                     starts_only(ctx, loc->attrs[1]));
    case TSR_LOC_KIND_FUSED:
        parts = tsr_xmalloc((loc->n + 1) * sizeof *parts);
        for (uint32_t i = 0; i < loc->n; i++)
            parts[i] = starts_only(ctx, loc->attrs[i]);
        made = tsr_attr_loc_fused(ctx, parts, loc->n, loc->attrs[loc->n]);
        tsr_free(parts);
        return made;
    default: return loc;
    }
}

/* Positions without a range are packed and stay. */
static void shorten(tsr_ctx *ctx, tsr_loc *loc, bool *changed)
{
    if (*loc == TSR_LOC_UNKNOWN || (*loc & 1))
        return;
    tsr_loc made = tsr_loc_of_attr(starts_only(ctx, tsr_loc_attr(ctx, *loc)));
    *changed |= made != *loc;
    *loc = made;
}

static bool shorten_locations(tsr_op *op, bool *changed)
{
    tsr_ctx *ctx = op->module->ctx;
    shorten(ctx, &op->loc, changed);
    for (uint32_t r = 0; r < op->nregion; r++)
        TSR_REGION_BLOCKS (&op->regions[r], b)
            for (uint32_t i = 0; i < b->nargs; i++)
                shorten(ctx, &b->arg_locs[i], changed);
    return true;
}

/* ---- The pass ---- */

enum { EVERY_OP = TSR_OP__COUNT };

static const struct {
    int opcode;
    tsr_vhlo_version since; /* the version that has it */
    bool (*expand)(tsr_op *op, bool *changed);
} rows[] = {
    {EVERY_OP, {1, 9, 0}, shorten_locations},
    {EVERY_OP, {1, 16, 0}, expand_groups},
    {TSR_OP_STABLEHLO_GATHER, {1, 1, 0}, expand_gather},
    {TSR_OP_STABLEHLO_SCATTER, {1, 1, 0}, expand_scatter},
    {TSR_OP_STABLEHLO_TAN, {1, 4, 0}, expand_tan}, /* last: erases the op */
};

bool pass_stablehlo_compatibility_expander(tsr_pass *p, tsr_op *root)
{
    tsr_vhlo_version target;
    tsr_op *next;
    TSR_TRY(tsr_vhlo_check_target(p->ctx, root->loc, tsr_pass_str(p, "target"), &target));
    for (tsr_op *op = root; op; op = next) {
        uint16_t opcode = op->def->opcode;
        next = tsr_walk_next(root, op);
        for (size_t i = 0; i < TSR_COUNT(rows); i++)
            if ((rows[i].opcode == EVERY_OP || rows[i].opcode == opcode) &&
                tsr_vhlo_version_compare(target, rows[i].since) < 0)
                TSR_TRY(rows[i].expand(op, &p->changed));
    }
    return true;
}
