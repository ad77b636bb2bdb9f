/* SPDX-License-Identifier: Apache-2.0 */
/* deallocate.c - ttnn-deallocate: deallocates tensors after their last use.
 *
 * Arguments come first, then results of ops; each ttnn.deallocate is directly after the last user, so that those of
 * later values come first. Needs TTNN; keeps values; breaks ids. */
#include "lower/ttnn/ttnn.h"

static bool is_tensor(const tsr_value *v)
{
    return tsr_type_is(v->type, TSR_TYPE_TENSOR) &&
           !tsr_attr_is_struct(v->type->attr, &tsr_def_TTNN_TRACE_ID);
}

/* The op of the function's body that contains u. */
static tsr_op *in_body(tsr_op *u, const tsr_block *body)
{
    while (u && u->block != body)
        u = u->block ? tsr_block_parent(u->block) : NULL;
    return u;
}

/* places: index of each op of the body, by its id. */
static tsr_op *last_user(const tsr_value *v, const tsr_block *body, const uint32_t *places)
{
    tsr_op *last = NULL;
    for (const tsr_use *u = v->uses; u; u = u->next) {
        tsr_op *o = in_body(u->user, body);
        if (o && (!last || places[o->id] > places[last->id]))
            last = o;
    }
    return last;
}

static bool frees(tsr_pass *p, tsr_value *v, const tsr_block *body, const uint32_t *places)
{
    tsr_op *last = is_tensor(v) ? last_user(v, body, places) : NULL;
    if (!last || tsr_op_has(last, TSR_TRAIT(TERMINATOR)) || tsr_op_is(last, TSR_OP_TTNN_DEALLOCATE))
        return true;
    tsr_op *made = tsr_op_new(last->module, tsr_opdef_of(p->ctx, TSR_OP_TTNN_DEALLOCATE), last->loc,
                              &v, 1, NULL, 0, 0, 0);
    made->attrs[TTNN_DEALLOCATE_force] = tsr_attr_bool(p->ctx, false);
    tsr_op_insert(made, last->block, last->next);
    p->changed = true;
    return true;
}

static bool keeps_arguments(const tsr_op *func)
{
    tsr_str kind = tsr_tt_function_type(func);
    return tsr_str_is(kind, "const_eval") || (kind.len > 5 && !memcmp(kind.data, "trace", 5));
}

static bool deallocate(tsr_pass *p, tsr_op *func, uint32_t *places)
{
    tsr_block *body = func->regions[0].first;
    uint32_t n = 0;
    TSR_VEC(tsr_op *) ops = {0};
    bool ok = true;
    TSR_BLOCK_OPS (body, op) {
        places[op->id] = ++n;
        tsr_vec_push(&ops, op);
    }
    for (uint32_t i = 0; !keeps_arguments(func) && i < body->nargs; i++)
        ok = ok && frees(p, body->args[i], body, places);
    for (size_t i = 0; i < ops.n; i++)
        for (uint32_t k = 0; k < ops.data[i]->nout; k++)
            ok = ok && frees(p, &ops.data[i]->out[k], body, places);
    tsr_vec_free(&ops);
    return ok;
}

bool pass_ttnn_deallocate(tsr_pass *p, tsr_op *root)
{
    TSR_VEC(tsr_op *) funcs = {0};
    bool ok = true;
    uint32_t *places = TSR_NEW_ARRAY(p->scratch, uint32_t, p->module->nop + 1);
    TSR_OPS (root, op)
        if (tsr_op_is(op, TSR_OP_FUNC_FUNC) && op->regions[0].first &&
            !tsr_str_is(tsr_tt_function_type(op), "forward_cpu"))
            tsr_vec_push(&funcs, op);
    for (size_t i = 0; ok && i < funcs.n; i++)
        ok = tsr_tt_one_block(funcs.data[i]) && deallocate(p, funcs.data[i], places);
    tsr_vec_free(&funcs);
    return ok;
}
