/* SPDX-License-Identifier: Apache-2.0 */
/* wrap.c - passes around cutting: wrap-under-manual-computation puts a function's body into a manual computation
 * that has no manual axes yet, shardy-ccl-canonicalization simplifies the collectives of reshards,
 * annotate-local-shapes writes local types on arguments and results. Needs uses; keeps everything else; wrap and
 * canonicalization break ids. */
#include "shard/passes.h"
#include "shard/tt/tt.h"

/* ---- wrap-under-manual-computation ---- */

/* Shardings of all arguments, or results; open ones for those without. */
static tsr_attr *signature(tsr_pass *p, const tsr_op *func, bool args, tsr_attr *mesh)
{
    uint32_t n = tsr_func_count(func, args);
    tsr_attr **all = TSR_NEW_ARRAY(p->scratch, tsr_attr *, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        all[i] = tsr_tt_attr(func, args, i, TSR_TT_SHARDING);
        if (!tsr_sdy_is_sharding(all[i]))
            all[i] = tsr_sdy_open(p->ctx, mesh, tsr_sdy_rank(tsr_func_type_of(func, args, i)));
    }
    return tsr_sdy_per_value(p->ctx, all, n);
}

static bool wrap(tsr_pass *p, tsr_op *func, tsr_attr *mesh)
{
    tsr_block *body = tsr_tt_body(func);
    if (body->next)
        return tsr_op_error(func, "has several blocks, which a manual computation cannot have");
    if (!body->last || !tsr_op_is(body->last, TSR_OP_FUNC_RETURN))
        return tsr_op_error(func, "does not end with a return");
    tsr_module *m = func->module;
    const tsr_type *type = func->attrs[FUNC_FUNC_function_type]->type;
    tsr_op *op = tsr_op_new(m, tsr_opdef_of(p->ctx, TSR_OP_SDY_MANUAL_COMPUTATION), func->loc,
                            body->args, body->nargs, type->types + type->n, type->nout, 1, 0);
    tsr_attr *in = signature(p, func, true, mesh), *none = tsr_attr_array(p->ctx, NULL, 0);
    tsr_sdy_set_arg_shardings(func, in->attrs[0]->attrs);
    op->attrs[SDY_MANUAL_COMPUTATION_in_shardings] = in;
    op->attrs[SDY_MANUAL_COMPUTATION_out_shardings] = signature(p, func, false, mesh);
    op->attrs[SDY_MANUAL_COMPUTATION_manual_axes] =
        tsr_attr_struct(p->ctx, &tsr_def_SDY_MANUAL_AXES, &none);
    tsr_block *inner = tsr_block_new(m);
    tsr_block_insert(inner, &op->regions[0], NULL);
    tsr_op *end = body->last;
    tsr_value_vec returned = {0};
    for (uint32_t i = 0; i < body->nargs; i++) {
        tsr_value *arg = tsr_block_add_arg(m, inner, body->args[i]->type, body->arg_locs[i]);
        tsr_value_replace(body->args[i], arg);
        tsr_op_set_operand(op, i, body->args[i]);
    }
    for (uint32_t i = 0; i < end->nin; i++)
        tsr_vec_push(&returned, end->in[i].value);
    tsr_op_erase(end);
    tsr_block_splice(inner, NULL, body);
    end = tsr_op_new(m, tsr_opdef_of(p->ctx, TSR_OP_SDY_RETURN), func->loc, returned.data,
                     returned.n, NULL, 0, 0, 0);
    tsr_op_insert(end, inner, NULL);
    tsr_op_insert(op, body, NULL);
    returned.n = 0;
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&returned, &op->out[i]);
    end = tsr_op_new(m, tsr_opdef_of(p->ctx, TSR_OP_FUNC_RETURN), func->loc, returned.data,
                     returned.n, NULL, 0, 0, 0);
    tsr_op_insert(end, body, NULL);
    tsr_vec_free(&returned);
    return true;
}

bool pass_tt_wrap_under_manual_computation(tsr_pass *p, tsr_op *root)
{
    p->changed = true;
    if (tsr_tt_is_solved(root)) {
        tsr_tt_strip(root);
        return true;
    }
    if (tsr_tt_has_gspmd(root)) {
        tsr_emit(p->ctx, TSR_WARNING, root->loc,
                 "a module with GSPMD's shardings is not wrapped under a manual computation");
        return true;
    }
    tsr_op *mesh = tsr_tt_one_mesh(root);
    if (!mesh)
        return false;
    tsr_attr *ref = tsr_attr_symbol(p->ctx, tsr_op_symbol(mesh), NULL, 0);
    /* Private functions are called by composites, inside of what is wrapped. */
    TSR_TT_FUNCS(root, func)
    if (tsr_tt_body(func) && tsr_tt_is_public(func) && !wrap(p, func, ref))
        return false;
    return true;
}

/* ---- shardy-ccl-canonicalization ---- */

/* The collectives that tt-mlir simplifies: permutes are not among them. */
static bool is_collective(const tsr_op *op)
{
    tsr_collective kind = tsr_sdy_collective_of(op);
    return kind != TSR_COLLECTIVE_NONE && kind != TSR_COLLECTIVE_RESHARD &&
           kind != TSR_COLLECTIVE_PERMUTE && kind != TSR_COLLECTIVE_UNREDUCE;
}

static bool tidy(void *user, tsr_op *op)
{
    if (!is_collective(op))
        return false;
    if (!tsr_op_used(op)) {
        tsr_op_erase(op);
        return true;
    }
    return op->def->canon && op->def->canon(op, user);
}

bool pass_tt_shardy_ccl_canonicalization(tsr_pass *p, tsr_op *root)
{
    tsr_patterns on = {0};
    tsr_vec_push(&on.on, TSR_STR("sdy-collective"));
    bool ok = tsr_tt_greedy(p, root, false, tidy, &on);
    tsr_vec_free(&on.on);
    return ok;
}

/* ---- annotate-local-shapes ---- */

/* The only user, or the definition, that is a custom call with this target; NULL: none. */
static const tsr_op *user_with_target(const tsr_value *v, const char *target)
{
    for (const tsr_use *use = v->uses; use; use = use->next)
        if (tsr_str_is(tsr_tt_target(use->user), target))
            return use->user;
    return NULL;
}

/* In GSPMD's modules the custom calls between global and local values give the local type; NULL after a diagnostic. */
static tsr_type *gspmd_part(const tsr_op *func, bool args, uint32_t i, const tsr_attr *sharding)
{
    tsr_type *type = (tsr_type *)tsr_func_type_of(func, args, i);
    const tsr_block *body = tsr_tt_body(func);
    for (size_t k = 0; tsr_attr_is(sharding, TSR_ATTR_STRING) && k + 10 <= sharding->s.len; k++)
        if (!memcmp(sharding->s.data + k, "replicated", 10))
            return type;
    if (!body)
        return type;
    if (args) {
        const tsr_op *call = user_with_target(body->args[i], "Sharding");
        call = call && call->nout ? user_with_target(&call->out[0], "SPMDFullToShardShape") : NULL;
        if (call && call->nout)
            return call->out[0].type;
        tsr_op_error(func,
                     "argument %u is presharded, but @Sharding and @SPMDFullToShardShape do "
                     "not say what its parts are",
                     i);
        return NULL;
    }
    const tsr_value *v = body->last && i < body->last->nin ? body->last->in[i].value : NULL;
    if (v && !v->is_arg && tsr_str_is(tsr_tt_target(v->op), "SPMDShardToFullShape") && v->op->nin)
        return v->op->in[0].value->type;
    tsr_op_error(func, "result %u is presharded, but does not come out of @SPMDShardToFullShape",
                 i);
    return NULL;
}

static bool annotate(tsr_pass *p, tsr_shardings *table, tsr_op *func, bool args)
{
    uint32_t n = tsr_func_count(func, args);
    tsr_attr **all = TSR_NEW_ARRAY(p->scratch, tsr_attr *, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        tsr_type *type = (tsr_type *)tsr_func_type_of(func, args, i);
        const tsr_attr *status = tsr_tt_attr(func, args, i, TSR_TT_SHARD_STATUS);
        const tsr_attr *gspmd = tsr_tt_attr(func, args, i, TSR_TT_XLA_SHARDING);
        tsr_attr *sharding = tsr_tt_attr(func, args, i, TSR_TT_SHARDING);
        const char *what = args ? "argument" : "result";
        if (tsr_tt_attr(func, args, i, TSR_TT_LOCAL_SHAPE))
            return tsr_op_error(func, "%s %u already has a local shape", what, i);
        if (!tsr_type_is(type, TSR_TYPE_TENSOR))
            continue;
        bool part = tsr_attr_is_struct(status, &tsr_def_TTCORE_SHARD_STATUS) &&
                    status->i == TSR_TT_PRESHARDED;
        if (part && gspmd) {
            type = gspmd_part(func, args, i, gspmd);
            if (!type)
                return false;
        } else if (part && tsr_sdy_is_sharding(sharding)) {
            type = tsr_tt_local_type(table, type, sharding);
            if (!type)
                return tsr_op_error(func,
                                    "could not compute local sharded shape for %s %u: tensor "
                                    "sharding is incompatible with tensor shape",
                                    what, i);
        }
        tsr_attr *local = tsr_attr_type(p->ctx, type);
        all[i] = tsr_attr_struct(p->ctx, &tsr_def_TTCORE_LOCAL_SHAPE, &local);
    }
    tsr_sdy_set_func_attr(func, args, TSR_TT_LOCAL_SHAPE, all);
    return true;
}

bool pass_tt_annotate_local_shapes(tsr_pass *p, tsr_op *root)
{
    tsr_shardings table;
    tsr_shardings_init(&table, p->scratch, root);
    bool ok = true;
    TSR_OPS (root, func)
        if (ok && tsr_op_is(func, TSR_OP_FUNC_FUNC))
            ok = annotate(p, &table, func, true) && annotate(p, &table, func, false);
    tsr_shardings_free(&table);
    p->changed = true;
    return ok;
}
