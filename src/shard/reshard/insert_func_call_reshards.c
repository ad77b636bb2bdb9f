/* SPDX-License-Identifier: Apache-2.0 */
/* insert_func_call_reshards.c - gives results of calls the shardings that the function returns them with, and reshards
 * them to those that the call's users see. Needs nothing; keeps the shardings that users of results see; breaks ids. */
#include "shard/passes.h"
#include "shard/reshard/reshards.h"

static bool is_on_many(tsr_resharder *s, tsr_attr *sharding)
{
    const tsr_sharding *a = tsr_sharding_decode(&s->table, sharding);
    return a && !a->mesh->maximal;
}

/* The function's sharding of each result of the call; false: neither the function nor the call has any. */
static bool result_shardings(tsr_resharder *s, const tsr_op *func, const tsr_op *call,
                             const tsr_sharding **out)
{
    tsr_attr *mesh = NULL;
    const tsr_attr *given = tsr_sdy_shardings_of(call);
    for (uint32_t i = 0; i < call->nout && !mesh; i++) {
        tsr_attr *a = tsr_sdy_result_sharding(func, i);
        if (is_on_many(s, a))
            mesh = a->attrs[SDY_SHARDING_mesh];
    }
    if (!mesh && !given)
        return false;
    for (uint32_t i = 0; i < call->nout; i++) {
        tsr_attr *a = mesh           ? tsr_sdy_result_sharding(func, i)
                      : i < given->n ? given->attrs[i]
                                     : NULL;
        out[i] = tsr_sharding_decode(&s->table, a);
        if (mesh && !out[i])
            out[i] = tsr_sharding_empty(&s->table, tsr_meshes_get(&s->table.meshes, mesh),
                                        tsr_value_rank(&call->out[i]), false);
        else if (!mesh && out[i])
            out[i] = tsr_closed_like(s, out[i]);
        if (!out[i])
            return false;
    }
    return true;
}

static void process(tsr_resharder *s, tsr_op *call)
{
    const tsr_op *func = tsr_callee(s, call);
    const tsr_sharding **out = tsr_arena_alloc(s->arena, call->nout * sizeof *out);
    if (!call->nout || !func || !result_shardings(s, func, call, out))
        return;
    tsr_attr **attrs = tsr_arena_alloc(s->arena, call->nout * sizeof *attrs);
    for (uint32_t i = 0; i < call->nout; i++) {
        tsr_value *v = &call->out[i];
        attrs[i] = tsr_sharding_encode(&s->table, out[i]);
        const tsr_sharding *seen = tsr_value_sharding(s, v);
        if (tsr_sharding_equivalent(out[i], seen))
            continue;
        /* Right after the call, each before those of earlier results. */
        tsr_value *made = tsr_insert_reshard(s, tsr_place_behind(call), v,
                                             seen ? seen : tsr_closed_like(s, out[i]));
        tsr_replace_behind(v, made);
    }
    tsr_sdy_set_shardings(call, attrs, call->nout);
}

bool pass_sdy_insert_func_call_reshards(tsr_pass *p, tsr_op *root)
{
    tsr_arena arena;
    tsr_arena_init_pooled(&arena, &p->ctx->pool);
    tsr_resharder s;
    tsr_resharder_init(&s, root, &arena, p->scratch);
    for (tsr_op *op = root, *next; op; op = next) {
        next = tsr_walk_next(root, op);
        if (!tsr_op_is(op, TSR_OP_FUNC_CALL))
            continue;
        tsr_arena_mark mark = tsr_arena_save(&arena);
        process(&s, op);
        tsr_arena_rewind(&arena, mark);
        p->changed = true;
    }
    tsr_resharder_free(&s);
    tsr_arena_free(&arena);
    return true;
}
