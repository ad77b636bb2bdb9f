/* SPDX-License-Identifier: Apache-2.0 */
/* tessera.c - --tessera-to-stablehlo: lowers Graph IR's ops to StableHLO, with the HLO column of their rows.
 *
 * Tokens are removed first: in StableHLO program order takes their place. Meshes and shardings become Shardy's. Names
 * of dimensions are used where a size is needed, and removed last. Needs nothing; breaks ids. */
#include "dialect/sdy/sdy.h"
#include "dialect/tessera/hlo.h"
#include "lower/lower.h"
#include "lower/passes.h"

static bool is_tessera(const tsr_op *op)
{
    return op->def->opcode != TSR_UNREGISTERED && tsr_op_in(op, TSR_DIALECT_TESSERA);
}

/* ---- Types without names of dimensions ---- */

static tsr_type *plain_function(tsr_type *f)
{
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < f->n + f->nout; i++)
        tsr_vec_push(&types, tsr_tessera_plain(f->types[i]));
    tsr_type *t = tsr_type_function(f->ctx, types.data, f->n, TSR_FROM(types.data, f->n), f->nout);
    tsr_vec_free(&types);
    return t;
}

static void strip_names(tsr_op *root)
{
    TSR_OPS (root, op) {
        for (uint32_t i = 0; i < op->nout; i++)
            op->out[i].type = tsr_tessera_plain(op->out[i].type);
        for (uint32_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS (&op->regions[r], b)
                for (uint32_t i = 0; i < b->nargs; i++)
                    b->args[i]->type = tsr_tessera_plain(b->args[i]->type);
        if (tsr_op_is(op, TSR_OP_FUNC_FUNC)) {
            tsr_attr **type = &op->attrs[FUNC_FUNC_function_type];
            *type = tsr_attr_type(root->module->ctx, plain_function((*type)->type));
        }
    }
}

/* ---- Tokens ---- */

/* The op without tokens; values keep their uses. */
static void without_tokens(tsr_op *op)
{
    tsr_value_vec in = {0};
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < op->nin; i++)
        if (!tsr_tessera_is_token(op->in[i].value->type))
            tsr_vec_push(&in, op->in[i].value);
    for (uint32_t i = 0; i < op->nout; i++)
        if (!tsr_tessera_is_token(op->out[i].type))
            tsr_vec_push(&types, op->out[i].type);
    tsr_op *made =
        tsr_op_new(op->module, op->def, op->loc, in.data, in.n, types.data, types.n, 0, 0);
    for (uint32_t i = 0; i < op->def->nslot; i++)
        made->attrs[i] = op->attrs[i];
    made->extra = op->extra;
    tsr_op_insert(made, op->block, op);
    for (uint32_t i = 0; i < made->nout; i++)
        tsr_value_replace(&op->out[i], &made->out[i]);
    tsr_vec_free(&in);
    tsr_vec_free(&types);
}

/* Removes uses of tokens first, then their definitions, last first, so that no user is left. */
static bool drop_tokens(tsr_op *root)
{
    tsr_op *next;
    for (tsr_op *op = tsr_walk_next(root, root); op; op = next) {
        next = tsr_walk_next(root, op);
        bool any = false;
        for (uint32_t i = 0; i < op->nin; i++)
            any |= tsr_tessera_is_token(op->in[i].value->type);
        for (uint32_t i = 0; i < op->nout; i++)
            any |= tsr_tessera_is_token(op->out[i].type);
        if (any && !is_tessera(op))
            return tsr_op_error(op, "has effect tokens, which StableHLO has not");
        if (any && !op->nregion && !tsr_op_is(op, TSR_OP_TESSERA_EFFECT_DEPENDENCY))
            without_tokens(op);
    }
    TSR_OPS_REVERSE (root, op) {
        bool any = tsr_op_is(op, TSR_OP_TESSERA_EFFECT_DEPENDENCY);
        for (uint32_t i = 0; is_tessera(op) && i < op->nout; i++)
            any |= tsr_tessera_is_token(op->out[i].type);
        for (uint32_t i = 0; is_tessera(op) && i < op->nin; i++)
            any |= tsr_tessera_is_token(op->in[i].value->type);
        if (any && tsr_op_used(op))
            return tsr_op_error(op, "has an effect token that StableHLO has no place for");
        if (any)
            tsr_op_erase(op);
    }
    return true;
}

/* ---- Ops ---- */

static bool rewrite(tsr_op *op)
{
    tsr_hlo_fn *hlo = tsr_hlo_of(op);
    if (!hlo)
        return tsr_hlo_cannot(op, tsr_op_is(op, TSR_OP_TESSERA_FORWARD) ||
                                          tsr_op_is(op, TSR_OP_TESSERA_REVERSE) ||
                                          tsr_op_is(op, TSR_OP_TESSERA_VJP)
                                      ? "--tessera-lower-autodiff makes it a call"
                                      : "StableHLO has no states");
    tsr_build b = tsr_build_before(op);
    tsr_value_vec out = {0};
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&out, NULL);
    bool ok = hlo(&b, op, out.data) && !b.failed;
    if (ok) {
        /* Shardings of the op move to its result. */
        tsr_attr *sharding =
            op->nout == 1 && op->extra ? tsr_dict_get(op->extra, TSR_STR("sdy.sharding")) : NULL;
        tsr_op *last = op->nout == 1 && !out.data[0]->is_arg ? out.data[0]->op : NULL;
        bool is_new = last && last->nout == 1 && !last->extra && !out.data[0]->uses;
        tsr_build_replace(op, out.data);
        if (sharding && is_new)
            tsr_op_set_attr(last, TSR_STR("sdy.sharding"), sharding);
    }
    tsr_vec_free(&out);
    tsr_build_free(&b);
    return ok;
}

bool pass_tessera_to_stablehlo(tsr_pass *p, tsr_op *root)
{
    TSR_TRY(drop_tokens(root));
    tsr_op *next;
    p->changed = true;
    /* Groups of collectives are looked up in meshes, which are therefore lowered last. */
    for (tsr_op *op = tsr_walk_next(root, root); op; op = next) {
        tsr_op *before = op->prev;
        tsr_block *block = op->block;
        bool stays = !is_tessera(op) || tsr_op_is(op, TSR_OP_TESSERA_MESH) ||
                     tsr_op_is(op, TSR_OP_TESSERA_STATE) || tsr_op_is(op, TSR_OP_TESSERA_YIELD);
        if (!stays) {
            TSR_TRY(rewrite(op));
            next = before ? before->next : block->first;
            continue;
        }
        bool made = op->def->opcode == TSR_OP_CHLO_ERF || op->def->opcode == TSR_OP_CHLO_ERF_INV;
        if (made) {
            TSR_TRY(tsr_chlo_legalize(op));
            next = before ? before->next : block->first;
            continue;
        }
        next = tsr_walk_next(root, op);
    }
    for (tsr_op *op = root->regions[0].first ? root->regions[0].first->first : NULL; op;
         op = next) {
        next = op->next;
        if (tsr_op_is(op, TSR_OP_TESSERA_MESH))
            tsr_tessera_mesh_to_sdy(op);
        else if (tsr_op_is(op, TSR_OP_TESSERA_STATE))
            tsr_op_erase(op);
    }
    strip_names(root);
    return true;
}
