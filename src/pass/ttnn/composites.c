/* SPDX-License-Identifier: Apache-2.0 */
/* composites.c - ttnn-resolve-composites: replaces composites by their functions' bodies, or by the TTNN op of their
 * name. Needs TTNN; keeps values; breaks ids. */
#include "pass/ttnn/nn.h"

/* ---- Composites with an op ---- */

typedef struct {
    const char *name;
    uint16_t opcode;
    uint8_t nin;             /* number of required operands; others follow */
    const char *optional[2]; /* attributes that say whether another operand is present */
    const char *arch;        /* chips that have it; NULL: all */
} promoted;

static const promoted known[] = {
    {"topk_router_gpt", TSR_OP_TTNN_TOPK_ROUTER_GPT, 3, {NULL, NULL}, NULL},
    {"rotary_embedding", TSR_OP_TTNN_ROTARY_EMBEDDING, 3, {NULL, NULL}, NULL},
    {"flash_mla_prefill",
     TSR_OP_TTNN_FLASH_MLA_PREFILL,
     2,
     {"has_value", "has_attention_mask"},
     NULL},
    {"indexer_score_dsa", TSR_OP_TTNN_INDEXER_SCORE_DSA, 3, {NULL, NULL}, "blackhole"},
};

static bool has_arch(tsr_op *op, const char *arch)
{
    const tsr_attr *a = arch ? tsr_tt_chip(op, TTCORE_CHIP_DESC_arch) : NULL;
    return !a || a->kind != TSR_ATTR_ENUM || strcmp(a->def->cases[a->i], arch) == 0;
}

static const promoted *find(tsr_op *op)
{
    tsr_str name = op->attrs[TTCORE_COMPOSITE_composite_name]->s;
    for (size_t i = 0; i < TSR_COUNT(known); i++)
        if (tsr_str_is(name, known[i].name) && has_arch(op, known[i].arch))
            return &known[i];
    return NULL;
}

static bool flag(const tsr_attr *attrs, const char *name)
{
    const tsr_attr *a = name ? tsr_dict_get(attrs, (tsr_str){name, strlen(name)}) : NULL;
    return a && a->i;
}

/* Replaces the composite, if it has what the op needs. */
static bool promote(tsr_op *op, const promoted *as)
{
    const tsr_attr *attrs = op->attrs[TTCORE_COMPOSITE_composite_attributes];
    const tsr_opdef *def = tsr_opdef_of(op->module->ctx, as->opcode);
    bool more[2] = {flag(attrs, as->optional[0]), flag(attrs, as->optional[1])};
    if (op->nin != (uint32_t)as->nin + more[0] + more[1] || op->nout != def->nresult)
        return false;
    tsr_op *made = tsr_op_like(op, def);
    for (uint16_t i = 0; i < def->nslot; i++) {
        const tsr_slotdef *slot = &def->slots[i];
        tsr_attr *a = tsr_dict_get(attrs, (tsr_str){slot->name, strlen(slot->name)});
        if (strcmp(slot->name, "operandSegmentSizes") == 0) {
            const int32_t sizes[] = {1, 1, more[0], more[1]};
            a = tsr_attr_dense_array(op->module->ctx, op->module->ctx->i32, sizes, 4);
        }
        if (tsr_attr_is(a, TSR_ATTR_INT) && !tsr_attr_fits(slot->constraint, a)) {
            tsr_attr *wide = tsr_attr_i32(op->module->ctx, (int32_t)a->i);
            a = tsr_attr_fits(slot->constraint, wide) ? wide : tsr_ttir_ui32(op->module->ctx, a->i);
        }
        if (!a && slot->need == TSR_ATTR_FILLED)
            a = tsr_slot_default(op->module->ctx, slot);
        if (!a && slot->need == TSR_ATTR_REQUIRED) {
            tsr_op_erase(made);
            return false;
        }
        made->attrs[i] = a;
    }
    tsr_op_replace(op, made);
    return true;
}

/* ---- Functions ---- */

static bool write_out(tsr_op *op, tsr_op *func)
{
    tsr_block *body = func->regions[0].first;
    tsr_mapping map = {0};
    if (!body || body->next || !body->last || !tsr_op_is(body->last, TSR_OP_FUNC_RETURN) ||
        body->nargs != op->nin || body->last->nin != op->nout)
        return tsr_op_error(op, "decomposition function '%.*s' must have func.return terminator",
                            TSR_STR_ARG(tsr_op_symbol(func)));
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_mapping_put(&map, body->args[i], op->in[i].value);
    TSR_BLOCK_OPS (body, o)
        if (o != body->last)
            tsr_op_insert(tsr_op_clone(op->module, o, &map), op->block, op);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_value_replace(&op->out[i], tsr_mapping_get(&map, body->last->in[i].value));
    tsr_mapping_free(&map);
    tsr_op_erase(op);
    return true;
}

bool pass_ttnn_resolve_composites(tsr_pass *p, tsr_op *root)
{
    bool force = tsr_str_is(tsr_pass_str(p, "composite-resolution"), "force-promote"), ok = true;
    TSR_VEC(tsr_op *) funcs = {0};
    for (tsr_op *op = root, *next; ok && op; op = next) {
        next = tsr_walk_next(root, op);
        if (!tsr_op_is(op, TSR_OP_TTCORE_COMPOSITE))
            continue;
        tsr_op *func = tsr_symbol_resolve(op, op->attrs[TTCORE_COMPOSITE_decomposition]);
        const promoted *as = force ? find(op) : NULL;
        p->changed = true;
        if (func && tsr_op_is(func, TSR_OP_FUNC_FUNC)) {
            bool seen = false;
            for (size_t i = 0; i < funcs.n; i++)
                seen |= funcs.data[i] == func;
            if (!seen)
                tsr_vec_push(&funcs, func);
        }
        if (as && promote(op, as))
            continue;
        tsr_op *before = op->prev;
        tsr_block *block = op->block;
        ok = func && tsr_op_is(func, TSR_OP_FUNC_FUNC)
                 ? write_out(op, func)
                 : tsr_op_error(op, "decomposition function not found");
        if (ok) /* an inlined body may contain composites itself */
            next = before ? tsr_walk_next(root, before) : block->first;
    }
    for (size_t i = 0; ok && i < funcs.n; i++) {
        const tsr_attr *visibility = funcs.data[i]->attrs[FUNC_FUNC_sym_visibility];
        if (tsr_attr_is(visibility, TSR_ATTR_STRING) && tsr_str_is(visibility->s, "private"))
            tsr_op_erase(funcs.data[i]);
    }
    tsr_vec_free(&funcs);
    return ok;
}
