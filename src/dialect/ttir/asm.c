/* SPDX-License-Identifier: Apache-2.0 */
/* asm.c - assembly of TTIR's attributes, and of its few ops with a custom form. */
#include "dialect/ttir/ttir.h"

#include "dialect/hooks.h"
#include "dialect/ttcore/ttcore.h"

/* ---- Attributes ---- */

bool attr_TTIR_CPU_HOISTED_CALL(tsr_asm *a, tsr_attr **params)
{
    (void)a, (void)params;
    return true;
}

bool attr_TTIR_SHOULD_HOIST(tsr_asm *a, tsr_attr **params)
{
    (void)a, (void)params;
    return true;
}

bool attr_TTIR_FLATTENED_COMPAT(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, " batch_size = ") && tsr_asm_i64(a, &params[0]) &&
           tsr_asm_lit(a, ", input_height = ") && tsr_asm_i64(a, &params[1]) &&
           tsr_asm_lit(a, ", input_width = ") && tsr_asm_i64(a, &params[2]) &&
           (tsr_asm_maybe(a, ",", false) || true);
}

bool attr_TTIR_CONVOLUTION_LAYOUT(tsr_asm *a, tsr_attr **params)
{
    static const struct {
        const char *key;
        bool list;
    } parts[] = {
        {" input_batch = ", false},
        {", input_feature = ", false},
        {", input_spatial_dimensions = ", true},
        {", kernel_output_feature = ", false},
        {", kernel_input_feature = ", false},
        {", kernel_spatial_dimensions = ", true},
        {", output_batch = ", false},
        {", output_feature = ", false},
        {", output_spatial_dimensions = ", true},
    };
    for (size_t i = 0; i < TSR_COUNT(parts); i++)
        TSR_TRY(tsr_asm_lit(a, parts[i].key) &&
                (parts[i].list ? tsr_asm_tt_shape(a, &params[i]) : tsr_asm_i64(a, &params[i])));
    return true;
}

bool attr_TTIR_THREAD(tsr_asm *a, tsr_attr **params)
{
    TSR_TRY(tsr_asm_lit(a, "<") && tsr_asm_enum(a, &tsr_def_TTIR_THREAD_TYPE, &params[0]));
    if (tsr_asm_maybe(a, ", ", params[1] != NULL))
        TSR_TRY(tsr_asm_attr(a, &params[1]));
    return tsr_asm_lit(a, ">");
}

/* ---- Ops ---- */

/* input ',' output ':' type 'into' type ('hostInfo' '=' layout)? dict ('->' type)? */
bool asm_ttir_to_layout(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_lit(a, ", ") &&
            tsr_asm_operand(a, 1) && tsr_asm_lit(a, " : ") && tsr_asm_operand_type(a, 0) &&
            tsr_asm_lit(a, " into ") && tsr_asm_operand_type(a, 1));
    if (tsr_asm_maybe(a, " hostInfo = ", tsr_asm_writing(a) && a->op->attrs[TTIR_TO_LAYOUT_layout]))
        TSR_TRY(tsr_asm_slot(a, TTIR_TO_LAYOUT_layout));
    TSR_TRY(tsr_asm_dict(a));
    return !tsr_asm_maybe(a, " -> ", tsr_asm_writing(a) && a->op->nout) || tsr_asm_result_types(a);
}

/* '(' operands ')' dict ':' '(' types ')' '->' '(' types ')' */
bool asm_ttir_tt_lang_op(tsr_asm *a)
{
    size_t n = tsr_asm_writing(a) ? a->op->nin : SIZE_MAX;
    if (tsr_asm_writing(a) && a->op->attrs[TTIR_TT_LANG_OP_shard_spec] &&
        !a->op->attrs[TTIR_TT_LANG_OP_shard_spec]->s.len)
        tsr_asm_done(a, TTIR_TT_LANG_OP_shard_spec);
    TSR_TRY(tsr_asm_lit(a, "(") && tsr_asm_operands(a, 0, n) && tsr_asm_lit(a, ")") &&
            tsr_asm_dict(a) && tsr_asm_lit(a, " : ("));
    if (tsr_asm_writing(a) ? n > 0 : !tsr_asm_peek(a, ")"))
        TSR_TRY(tsr_asm_operand_types(a, 0, n));
    TSR_TRY(tsr_asm_lit(a, ") -> ("));
    if (tsr_asm_writing(a) ? a->op->nout > 0 : !tsr_asm_peek(a, ")"))
        TSR_TRY(tsr_asm_result_types(a));
    return tsr_asm_lit(a, ")");
}

void names_ttir_cast(tsr_namer *n, tsr_op *op)
{
    tsr_namer_result(n, op, 0, TSR_STR("cast"));
}
