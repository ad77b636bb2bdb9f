/* SPDX-License-Identifier: Apache-2.0 */
/* fusing.c - stablehlo-fusing: replaces several ops by fewer.
 *
 * A concatenation of one value with itself is a broadcast; a gather needs no dimension of size 1 for its index vectors;
 * a scatter to all columns of rows scatters rows. Sharded ops stay as they are. Needs uses; keeps shardings; breaks
 * ids. */
#include "shard/core/make.h"
#include "shard/passes.h"
#include "shard/tt/tt.h"

static bool is_sharded(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin + op->nout; i++) {
        const tsr_value *v = i < op->nin ? op->in[i].value : &op->out[i - op->nin];
        const tsr_attr *s = tsr_sdy_sharding_of(v);
        if (s && !tsr_sdy_is_replicated(s))
            return true;
    }
    return false;
}

/* Whether big is small with one additional dimension, at dim. */
static bool one_more(const tsr_type *big, const tsr_type *small, int64_t dim, int64_t size)
{
    if (!tsr_type_is(big, TSR_TYPE_TENSOR) || !tsr_type_is(small, TSR_TYPE_TENSOR) ||
        big->n != small->n + 1 || dim < 0 || dim >= big->n || big->dims[dim] != size)
        return false;
    for (uint32_t i = 0; i < small->n; i++)
        if (small->dims[i] != big->dims[i + (i >= dim)])
            return false;
    return tsr_type_has_static_shape(big);
}

static tsr_op *made_by(const tsr_value *v, enum tsr_opcode opcode)
{
    return !v->is_arg && tsr_op_is(v->op, opcode) ? v->op : NULL;
}

/* ---- Concatenations ---- */

static bool broadcast_instead(tsr_op *at, tsr_op *gone, tsr_value *v, int64_t skipped)
{
    enum { MOST = 64 };
    int64_t dims[MOST];
    if (v->type->n > MOST)
        return false;
    for (uint32_t i = 0; i < v->type->n; i++)
        dims[i] = i + (skipped >= 0 && i >= skipped);
    tsr_build b = tsr_build_before(at);
    tsr_value *made = tsr_make_broadcast(&b, v, dims, gone->out[0].type);
    tsr_build_free(&b);
    tsr_value_replace(&gone->out[0], made);
    tsr_op_erase(gone);
    return true;
}

static bool fuse_concatenate(tsr_op *op)
{
    tsr_value *v = op->in[0].value;
    int64_t dim = op->attrs[STABLEHLO_CONCATENATE_dimension]->i;
    for (uint32_t i = 1; i < op->nin; i++)
        if (op->in[i].value != v)
            return false;
    if (is_sharded(op) || !tsr_type_has_static_shape(op->out[0].type))
        return false;
    /* Copies one after the other, separated by a reshape. */
    const tsr_use *use = op->out[0].uses;
    tsr_op *user = use && !use->next ? use->user : NULL;
    if (user && tsr_op_is(user, TSR_OP_STABLEHLO_RESHAPE) && !is_sharded(user) &&
        one_more(user->out[0].type, v->type, dim, op->nin))
        return broadcast_instead(op, user, v, dim);
    /* Copies along a dimension that a reshape made. */
    tsr_op *reshape = made_by(v, TSR_OP_STABLEHLO_RESHAPE);
    if (reshape && !is_sharded(reshape) && one_more(v->type, reshape->in[0].value->type, dim, 1))
        return broadcast_instead(op, op, reshape->in[0].value, dim);
    if (tsr_type_is(v->type, TSR_TYPE_TENSOR) && dim < v->type->n && v->type->dims[dim] == 1)
        return broadcast_instead(op, op, v, -1);
    return false;
}

/* ---- Gathers ---- */

static bool fuse_gather(tsr_op *op)
{
    tsr_op *reshape = made_by(op->in[1].value, TSR_OP_STABLEHLO_RESHAPE);
    if (!reshape || is_sharded(reshape) || is_sharded(op))
        return false;
    tsr_gather g;
    tsr_gather_of(op, &g);
    const tsr_type *from = reshape->in[0].value->type, *to = reshape->out[0].type;
    if (g.vector != (int64_t)to->n - 1 || !one_more(to, from, g.vector, 1))
        return false;
    tsr_op_set_operand(op, 1, reshape->in[0].value);
    return true;
}

/* ---- Scatters ---- */

/* Whether v is 0, 1, 2, ... along axis. */
static bool counts_along(const tsr_value *v, int64_t axis)
{
    for (;;) {
        const tsr_op *iota = made_by(v, TSR_OP_STABLEHLO_IOTA);
        const tsr_op *spread = made_by(v, TSR_OP_STABLEHLO_BROADCAST_IN_DIM);
        if (iota)
            return iota->attrs[STABLEHLO_IOTA_iota_dimension]->i == axis;
        if (!spread)
            return false;
        const tsr_attr *dims = spread->attrs[STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions];
        int64_t n = tsr_attr_count(dims), i = 0;
        while (i < n && tsr_attr_int_at(dims, (size_t)i) != axis)
            i++;
        if (i == n || spread->in[0].value->type->dims[i] != v->type->dims[axis])
            return false;
        v = spread->in[0].value;
        axis = i;
    }
}

/* Whether all elements of v along axis are equal, because it was broadcast there. */
static bool same_along(const tsr_value *v, int64_t axis)
{
    const tsr_op *spread = made_by(v, TSR_OP_STABLEHLO_BROADCAST_IN_DIM);
    if (v->type->dims[axis] == 1)
        return true;
    if (!spread)
        return false;
    const tsr_attr *dims = spread->attrs[STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions];
    for (int64_t i = 0, n = tsr_attr_count(dims); i < n; i++)
        if (tsr_attr_int_at(dims, (size_t)i) == axis)
            return spread->in[0].value->type->dims[i] == 1;
    return true;
}

/* A scatter of elements to (row, 0), (row, 1), ... scatters rows. */
static bool fuse_scatter(tsr_op *op)
{
    if (op->nin != 3 || op->in[0].value->type->n != 2)
        return false;
    tsr_gather g;
    tsr_gather_of(op, &g);
    if (g.window.n || g.batch.n || g.map.n != 2 || !tsr_ints_count_from(g.map, 0))
        return false;
    const tsr_op *join = made_by(op->in[1].value, TSR_OP_STABLEHLO_CONCATENATE);
    int64_t dim = g.vector;
    if (!join || join->nin != 2 || join->attrs[STABLEHLO_CONCATENATE_dimension]->i != dim ||
        dim != 2)
        return false;
    tsr_value *rows = join->in[0].value, *columns = join->in[1].value;
    if (rows->type->n != 3 || rows->type->dims[dim] != 1 || columns->type->dims[dim] != 1 ||
        !tsr_type_has_static_shape(rows->type) || !same_along(rows, 1) || !counts_along(columns, 1))
        return false;
    tsr_ctx *ctx = op->module->ctx;
    int64_t count = rows->type->dims[0];
    tsr_build b = tsr_build_before(op);
    tsr_value *first = tsr_make_slice(&b, rows, (int64_t[]){0, 0, 0}, (int64_t[]){count, 1, 1},
                                      (int64_t[]){1, 1, 1});
    tsr_op_set_operand(op, 1, tsr_make_reshape(&b, first, (int64_t[]){count, 1}, 2));
    tsr_build_free(&b);
    tsr_gather by_row = {.window = tsr_ints_from(1, 1),
                         .dropped = tsr_ints_from(0, 1),
                         .map = tsr_ints_from(0, 1),
                         .vector = 1};
    op->attrs[STABLEHLO_SCATTER_scatter_dimension_numbers] = tsr_scatter_attr(ctx, &by_row);
    op->module->verified = false;
    return true;
}

static bool fuse(void *user, tsr_op *op)
{
    (void)user;
    switch (op->def->opcode) {
    case TSR_OP_STABLEHLO_CONCATENATE: return op->nin && fuse_concatenate(op);
    case TSR_OP_STABLEHLO_GATHER: return fuse_gather(op);
    case TSR_OP_STABLEHLO_SCATTER: return fuse_scatter(op);
    default: return false;
    }
}

bool pass_tt_stablehlo_fusing(tsr_pass *p, tsr_op *root)
{
    return tsr_tt_greedy(p, root, true, fuse, NULL);
}
