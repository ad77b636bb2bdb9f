/* SPDX-License-Identifier: Apache-2.0 */
/* cache_lengths.c - ttir-consolidate-static-cache-updates: layers that each keep their own count of how far their cache
 * is filled share one count.
 *
 * An argument is such a count if an index of update_cache is computed from it. Running the pass asserts that counts of
 * one type that the function returns with the same number added are equal: all uses become uses of the last of them.
 * Needs nothing; keeps what a program computes if the counts are equal; breaks nothing. */
#include "pass/ttir/tt.h"

/* The operand with the position at which a cache is written; NULL: another op. */
static tsr_value *update_index(const tsr_op *op)
{
    bool updates =
        tsr_op_is(op, TSR_OP_TTIR_UPDATE_CACHE) || tsr_op_is(op, TSR_OP_TTIR_PAGED_UPDATE_CACHE);
    return updates ? tsr_rw_in(op, 2) : NULL;
}

static bool passes_count(const tsr_op *op)
{
    switch (op->def->opcode) {
    case TSR_OP_TTIR_MESH_SHARD:
    case TSR_OP_TTIR_BROADCAST:
    case TSR_OP_TTIR_REPEAT:
    case TSR_OP_TTIR_RESHAPE:
    case TSR_OP_TTIR_TYPECAST:
    case TSR_OP_TTIR_ADD: return true;
    default: return false;
    }
}

/* Marks the arguments that v is computed from; seen: by op id. */
static void mark_counts(tsr_value *v, const tsr_block *body, bool *counts, bool *seen)
{
    TSR_VEC(tsr_value *) todo = {0};
    tsr_vec_push(&todo, v);
    while (todo.n) {
        tsr_value *at = todo.data[--todo.n];
        if (at->is_arg) {
            if (at->block == body)
                counts[at->index] = true;
            continue;
        }
        if (seen[at->op->id] || !passes_count(at->op))
            continue;
        seen[at->op->id] = true;
        for (uint32_t i = 0; i < at->op->nin; i++)
            tsr_vec_push(&todo, tsr_rw_in(at->op, i));
    }
    tsr_vec_free(&todo);
}

/* The argument that v is, or is a shard of; NULL: none. */
static tsr_value *argument_of(tsr_value *v)
{
    if (tsr_rw_def_is(v, TSR_OP_TTIR_MESH_SHARD))
        v = tsr_rw_in(v->op, 0);
    return v->is_arg ? v : NULL;
}

/* The count that is returned plus a number; NULL: not of this form. */
static tsr_value *counted(tsr_value *ret, const tsr_block *body, const bool *counts, int64_t *step)
{
    if (tsr_rw_def_is(ret, TSR_OP_TTIR_MESH_SHARD)) {
        if (!tsr_rw_one_use(ret))
            return NULL;
        ret = tsr_rw_in(ret->op, 0);
    }
    tsr_op *add = tsr_ttr_single(ret, TSR_OP_TTIR_ADD);
    for (size_t i = 0; add && i < 2; i++) {
        tsr_value *arg = argument_of(tsr_rw_in(add, i));
        tsr_op *full = tsr_ttr_def(tsr_rw_in(add, 1 - i), TSR_OP_TTIR_FULL);
        const tsr_attr *by = full ? full->attrs[TTIR_FULL_fill_value] : NULL;
        if (arg && arg->block == body && counts[arg->index] && tsr_attr_is(by, TSR_ATTR_INT) &&
            arg->type == ret->type) {
            *step = by->i;
            return arg;
        }
    }
    return NULL;
}

static void consolidate(tsr_pass *p, tsr_op *func, bool *seen)
{
    tsr_block *body = func->regions[0].first;
    tsr_op *ret = body->next ? NULL : body->last;
    bool *counts = TSR_NEW_ARRAY(p->scratch, bool, body->nargs + 1), any = false;
    TSR_OPS (func, op) {
        tsr_value *index = update_index(op);
        if (index)
            mark_counts(index, body, counts, seen);
        any |= index != NULL;
    }
    if (!any || !ret || !tsr_op_is(ret, TSR_OP_FUNC_RETURN))
        return;
    tsr_value **args = TSR_NEW_ARRAY(p->scratch, tsr_value *, ret->nin + 1);
    int64_t *steps = TSR_NEW_ARRAY(p->scratch, int64_t, ret->nin + 1);
    tsr_map last = {0}; /* by step and type: index in args, the last of each kind */
    for (uint32_t i = ret->nin; i-- > 0;) {
        args[i] = counted(tsr_rw_in(ret, i), body, counts, &steps[i]);
        if (!args[i])
            continue;
        uint64_t hash = tsr_hash_mix(tsr_hash_ptr(args[i]->type), (uint64_t)steps[i]);
        tsr_value *one = NULL;
        TSR_MAP_EACH (&last, hash, x) {
            tsr_value **other = x;
            if ((*other)->type == args[i]->type && steps[other - args] == steps[i])
                one = *other;
        }
        if (!one) {
            tsr_map_put(&last, hash, &args[i]);
        } else if (one != args[i]) {
            tsr_value_replace(args[i], one);
            p->changed = true;
        }
    }
    tsr_map_free(&last);
}

bool pass_ttir_consolidate_static_cache_updates(tsr_pass *p, tsr_op *root)
{
    bool *seen = TSR_NEW_ARRAY(p->scratch, bool, p->module->nop + 1);
    TSR_OPS (root, op)
        if (tsr_op_is(op, TSR_OP_FUNC_FUNC) && op->regions[0].first)
            consolidate(p, op, seen);
    return true;
}
