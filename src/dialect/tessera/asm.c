/* SPDX-License-Identifier: Apache-2.0 */
/* asm.c - assembly of Graph IR's irregular ops: constants, effects with their tokens, fused
 * regions. */
#include "dialect/hooks.h"
#include "asm/reader.h"
#include "dialect/builtin/builtin.h"
#include "dialect/tessera/tessera.h"

/* constant ::= dict elements */
bool asm_tessera_constant(tsr_asm *a)
{
    tsr_attr **value = tsr_asm_slot_place(a, TESSERA_CONSTANT_value);
    if (tsr_asm_writing(a) && (*value)->type != a->op->out[0].type)
        return false;
    tsr_asm_done(a, TESSERA_CONSTANT_value);
    TSR_TRY(tsr_asm_dict(a) && tsr_asm_lit(a, " "));
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_attr(a, value));
    if (!tsr_asm_writing(a) && !tsr_attr_fits(&tsr_is_ElementsAttr, *value))
        return tsr_asm_error_at(a, loc, "invalid kind of attribute specified");
    if (!tsr_asm_writing(a))
        tsr_asm_push_result_type(a, (*value)->type);
    return true;
}

void names_tessera_constant(tsr_namer *n, tsr_op *op)
{
    if (op->nout == 1)
        tsr_namer_result(n, op, 0, TSR_STR("cst"));
}

/* effect ::= (@state ','?)? values? ('after' '(' tokens ')')? dict ':' (types '->')? types
 * Types of token operands are not written. */
static bool write_effect(tsr_asm *a, tsr_attr *state)
{
    uint32_t n = tsr_tessera_values(a->op);
    for (uint32_t i = n; i < a->op->nin; i++)
        if (!tsr_tessera_is_token(a->op->in[i].value->type))
            return false;
    if (!n && !a->op->nout)
        return false;
    if (state) {
        tsr_asm_lit(a, " ");
        tsr_asm_slot(a, tsr_opdef_slot(a->op->def, TSR_STR("state")));
    }
    if (n) {
        tsr_asm_lit(a, state ? ", " : " ");
        tsr_asm_operands(a, 0, n);
    }
    if (n < a->op->nin) {
        tsr_asm_lit(a, " after(");
        tsr_asm_operands(a, n, a->op->nin);
        tsr_asm_lit(a, ")");
    }
    tsr_asm_dict(a);
    tsr_asm_lit(a, " : ");
    if (n)
        tsr_asm_operand_types(a, 0, n);
    if (n && a->op->nout)
        tsr_asm_lit(a, " -> ");
    return !a->op->nout || tsr_asm_result_types(a);
}

static bool read_effect(tsr_asm *a, int slot)
{
    if (slot >= 0 && tsr_read_is(a->in, TOK_AT)) {
        TSR_TRY(tsr_asm_slot(a, slot));
        tsr_asm_maybe(a, ",", false);
    }
    TSR_TRY(tsr_asm_operands(a, 0, 0));
    size_t n = a->st->operands.n;
    if (tsr_asm_maybe(a, "after", false))
        TSR_TRY(tsr_asm_lit(a, "(") && tsr_asm_operands(a, n, 0) && tsr_asm_lit(a, ")"));
    TSR_TRY(tsr_asm_dict(a) && tsr_asm_lit(a, ":"));
    if (n) {
        TSR_TRY(tsr_asm_operand_types(a, 0, n));
        if (a->st->operand_types.n != n)
            return tsr_asm_error(a, "expected %zu operand type%s but had %zu", n, n == 1 ? "" : "s",
                                 a->st->operand_types.n);
        if (tsr_asm_maybe(a, "->", false))
            TSR_TRY(tsr_asm_result_types(a));
    } else {
        TSR_TRY(tsr_asm_result_types(a));
    }
    tsr_asm_spread_operand_type(a, tsr_type_dialect(a->ctx, &tsr_def_TESSERA_EFFECT_TOKEN, NULL));
    return true;
}

bool asm_tessera_effect(tsr_asm *a)
{
    int slot = tsr_opdef_slot(tsr_asm_writing(a) ? a->op->def : a->st->def, TSR_STR("state"));
    if (tsr_asm_writing(a))
        return write_effect(a, slot < 0 ? NULL : a->op->attrs[slot]);
    return read_effect(a, slot);
}

/* effect_dependency ::= '(' values? ')' dict (':' types)? */
bool asm_tessera_dependency(tsr_asm *a)
{
    size_t n = tsr_asm_writing(a) ? a->op->nin : 0;
    TSR_TRY(tsr_asm_lit(a, "(") && tsr_asm_operands(a, 0, n) && tsr_asm_lit(a, ")") &&
            tsr_asm_dict(a));
    if (!tsr_asm_writing(a)) {
        n = a->st->operands.n;
        tsr_asm_push_result_type(a, tsr_type_dialect(a->ctx, &tsr_def_TESSERA_EFFECT_TOKEN, NULL));
    }
    return !n || (tsr_asm_lit(a, " : ") && tsr_asm_operand_types(a, 0, n));
}

static bool body_arg(tsr_asm *a, void *user, size_t i)
{
    return tsr_asm_region_arg(a, 0, i, user);
}

/* fused ::= "kind" '(' values ')' '(' arguments ')' region dict ':' function-type */
bool asm_tessera_fused(tsr_asm *a)
{
    tsr_region_args args = {0};
    const tsr_block *entry = tsr_asm_writing(a) ? a->op->regions[0].first : NULL;
    size_t n = entry ? entry->nargs : 0;
    bool ok = tsr_asm_lit(a, " ") && tsr_asm_slot(a, TESSERA_FUSED_kind) && tsr_asm_lit(a, "(") &&
              tsr_asm_operands(a, 0, tsr_asm_writing(a) ? a->op->nin : 0) && tsr_asm_lit(a, ") ") &&
              tsr_asm_list(a, "(", ")", &n, body_arg, &args) && tsr_asm_lit(a, " ") &&
              tsr_asm_region(a, 0, &args, TSR_REGION_TERMINATORS) && tsr_asm_dict(a) &&
              tsr_asm_lit(a, " : ") && tsr_asm_functional_type(a);
    tsr_vec_free(&args);
    return ok;
}
