/* SPDX-License-Identifier: Apache-2.0 */
/* asm.c - assembly of CHLO ops for which a row's format is not enough, and the names of scan's arguments. */
#include "dialect/hooks.h"
#include "dialect/stablehlo/stablehlo.h"

/* constant ::= dict? elements; the result has the type of the elements. */
bool asm_chlo_constant(tsr_asm *a)
{
    tsr_attr **value = tsr_asm_slot_place(a, CHLO_CONSTANT_value);
    if (tsr_asm_writing(a)) {
        if ((*value)->type != a->op->out[0].type)
            return false;
        tsr_asm_done(a, CHLO_CONSTANT_value);
        return tsr_asm_dict(a) && tsr_asm_lit(a, " ") && tsr_asm_attr(a, value);
    }
    return tsr_hlo_read_constant(a, value);
}

/* ---- scan ---- */

static tsr_attr *segments(tsr_ctx *ctx, size_t first, size_t second)
{
    int32_t n[2] = {(int32_t)first, (int32_t)second};
    return tsr_attr_dense_array(ctx, ctx->i32, n, 2);
}

/* Reading: the sizes of the groups, from what was read. */
static bool scan_segments(tsr_asm *a, tsr_loc loc, size_t inputs)
{
    tsr_opstate *st = a->st;
    size_t inits = st->operands.n - inputs;
    if (st->operand_types.n != st->operands.n)
        return tsr_asm_error_at(a, loc, "operand types must match the number of inputs and inits");
    if (st->result_types.n < inits)
        return tsr_asm_error_at(a, loc, "not enough result types to cover the required carries");
    *tsr_asm_slot_place(a, CHLO_SCAN_operandSegmentSizes) = segments(a->ctx, inputs, inits);
    *tsr_asm_slot_place(a, CHLO_SCAN_resultSegmentSizes) =
        segments(a->ctx, st->result_types.n - inits, inits);
    return true;
}

/* scan ::= '(' operands ')' 'inits' '(' operands ')' 'dimension' '=' number ('attributes' dict)? region
 *          ':' functional-type */
bool asm_chlo_scan(tsr_asm *a)
{
    static const char *const elided[] = {"dimension", "operandSegmentSizes", "resultSegmentSizes",
                                         NULL};
    uint32_t start = 0, inputs = 0;
    if (tsr_asm_writing(a) && !tsr_op_operand_group(a->op, 0, &start, &inputs))
        return false;
    tsr_loc loc = tsr_asm_writing(a) ? 0 : a->st->loc;
    TSR_TRY(tsr_asm_lit(a, "(") && tsr_asm_operands(a, 0, inputs));
    if (!tsr_asm_writing(a))
        inputs = (uint32_t)a->st->operands.n;
    TSR_TRY(tsr_asm_lit(a, ") inits (") && tsr_asm_operands(a, inputs, SIZE_MAX));
    TSR_TRY(tsr_asm_lit(a, ") dimension=") && tsr_asm_slot(a, CHLO_SCAN_dimension) &&
            tsr_asm_lit(a, " "));
    TSR_TRY(tsr_asm_dict_keyword(a, elided) && tsr_asm_lit(a, " "));
    TSR_TRY(tsr_asm_region(a, 0, NULL, TSR_REGION_ARGS | TSR_REGION_TERMINATORS));
    TSR_TRY(tsr_asm_lit(a, " : ") && tsr_asm_functional_type(a));
    return tsr_asm_writing(a) || scan_segments(a, loc, inputs);
}

void names_chlo_scan(tsr_namer *n, tsr_op *op)
{
    uint32_t start = 0, inputs = 0;
    const tsr_block *entry = op->nregion ? op->regions[0].first : NULL;
    if (!entry || !tsr_op_operand_group(op, 0, &start, &inputs))
        return;
    for (uint32_t i = 0; i < entry->nargs; i++)
        tsr_namer_arg(n, entry->args[i], i < inputs ? TSR_STR("input") : TSR_STR("carry"));
}
