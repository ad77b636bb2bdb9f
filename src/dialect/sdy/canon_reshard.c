/* SPDX-License-Identifier: Apache-2.0 */
/* canon_reshard.c - canonicalization of sdy.reshard: a chain is replaced by its last one, and a reshard that repeats an
 * earlier one, up to reshapes and transposes, uses the result of that one. */
#include "dialect/hooks.h"
#include "dialect/sdy/strides.h"

static bool is_transpose(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_STABLEHLO_TRANSPOSE);
}

/* Ops that only change how elements are arranged. */
static bool is_arrangement(const tsr_op *op)
{
    return (is_transpose(op) || tsr_op_is(op, TSR_OP_STABLEHLO_RESHAPE)) && op->nin == 1 &&
           op->nout == 1;
}

static tsr_value *root_of(tsr_value *v)
{
    for (uint32_t steps = v->is_arg ? 0 : v->op->module->nop;
         steps && !v->is_arg && is_arrangement(v->op); steps--)
        v = v->op->in[0].value;
    return v;
}

/* The sharding of the value that v is computed from by transposes (and reshapes that keep the rank) which gives v this
 * one. */
static tsr_attr *sharding_before(tsr_ctx *ctx, tsr_attr *sharding, const tsr_value *v)
{
    for (; !v->is_arg && is_arrangement(v->op); v = v->op->in[0].value) {
        const tsr_op *op = v->op;
        if (!is_transpose(op)) {
            if (op->in[0].value->type->n != op->out[0].type->n)
                break;
            continue;
        }
        const tsr_attr *perm = op->attrs[STABLEHLO_TRANSPOSE_permutation],
                       *old = tsr_sdy_dims(sharding);
        if (!perm || tsr_attr_count(perm) != (int64_t)old->n)
            break;
        TSR_VEC(tsr_attr *) dims = {0};
        for (uint32_t i = 0; i < old->n; i++)
            tsr_vec_push(&dims, NULL);
        for (uint32_t i = 0; i < old->n; i++)
            dims.data[tsr_attr_int_at(perm, i)] = old->attrs[i];
        tsr_attr *params[] = {
            sharding->attrs[SDY_SHARDING_mesh], tsr_attr_array(ctx, dims.data, dims.n),
            sharding->attrs[SDY_SHARDING_replicated], sharding->attrs[SDY_SHARDING_unreduced],
            sharding->attrs[SDY_SHARDING_reduction]};
        tsr_vec_free(&dims);
        sharding = tsr_attr_struct(ctx, &tsr_def_SDY_SHARDING, params);
    }
    return sharding;
}

/* Another reshard of root, through reshapes only, earlier in the block, that places every element where now does. */
static tsr_value *earlier_reshard(tsr_value *root, const tsr_attr *sharding, const tsr_op *now)
{
    TSR_VEC(tsr_value *) stack = {0};
    tsr_value *found = NULL;
    tsr_vec_push(&stack, root);
    while (stack.n && !found) {
        const tsr_value *v = stack.data[--stack.n];
        for (const tsr_use *u = v->uses; u && !found; u = u->next) {
            tsr_op *user = u->user;
            if (user == now || user->nout != 1)
                continue;
            if (tsr_op_is(user, TSR_OP_SDY_RESHARD)) {
                if (user->block == now->block &&
                    tsr_sdy_same_layout(now, user->attrs[SDY_RESHARD_sharding], user->out[0].type,
                                        sharding, now->out[0].type) &&
                    tsr_op_before(user, now))
                    found = &user->out[0];
            } else if (is_arrangement(user) && !is_transpose(user)) {
                tsr_vec_push(&stack, &user->out[0]);
            }
        }
    }
    tsr_vec_free(&stack);
    return found;
}

static void insert_behind(tsr_op *op, const tsr_value *v, tsr_block *block)
{
    if (v->is_arg)
        tsr_op_insert(op, v->block, v->block->first);
    else
        tsr_op_insert(op, block, v->op->next);
}

/* Repeats the ops from root to v, starting at what root has become. */
static tsr_value *arrange_again(const tsr_value *root, tsr_value *v, tsr_value *start,
                                tsr_block *block)
{
    TSR_VEC(tsr_op *) path = {0};
    for (; v != root; v = v->op->in[0].value)
        tsr_vec_push(&path, v->op);
    for (uint32_t i = path.n; i-- > 0;) {
        tsr_mapping map = {0};
        tsr_mapping_put(&map, path.data[i]->in[0].value, start);
        tsr_op *copy = tsr_op_clone(path.data[i]->module, path.data[i], &map);
        tsr_mapping_free(&map);
        insert_behind(copy, start, block);
        start = &copy->out[0];
    }
    tsr_vec_free(&path);
    return start;
}

static bool reuse(tsr_op *op)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_value *root = root_of(op->in[0].value);
    tsr_attr *sharding = sharding_before(ctx, op->attrs[SDY_RESHARD_sharding], op->in[0].value);
    tsr_value *v = earlier_reshard(root, sharding, op);
    if (!v)
        return false;
    if (v->type != root->type) {
        tsr_op *reshape = tsr_op_new(op->module, tsr_opdef_of(ctx, TSR_OP_STABLEHLO_RESHAPE),
                                     op->loc, &v, 1, &root->type, 1, 0, 0);
        insert_behind(reshape, v, op->block);
        v = &reshape->out[0];
    }
    v = arrange_again(root, op->in[0].value, v, op->block);
    tsr_value_replace(&op->out[0], v);
    tsr_op_erase(op);
    return true;
}

bool canon_sdy_reshard(tsr_op *op, const tsr_patterns *on)
{
    if (tsr_pattern_on(on, "sdy-reshard-reuse") && reuse(op))
        return true;
    tsr_value *v = op->in[0].value;
    if (!tsr_pattern_on(on, "sdy-reshard") || v->is_arg || !tsr_op_is(v->op, TSR_OP_SDY_RESHARD) ||
        v->uses->next)
        return false;
    tsr_op_set_operand(op, 0, v->op->in[0].value);
    return true;
}
