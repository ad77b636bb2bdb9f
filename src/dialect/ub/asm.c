/* SPDX-License-Identifier: Apache-2.0 */
/* asm.c - assembly of the ub dialect. */
#include "dialect/builtin/builtin.h"
#include "dialect/hooks.h"

/* Nothing follows its name. */
bool attr_UB_POISON(tsr_asm *a, tsr_attr **params)
{
    (void)a, (void)params;
    return true;
}

/* poison ::= dict ('<' attribute '>')? ':' type; the default value is not written. */
bool asm_ub_poison(tsr_asm *a)
{
    tsr_attr **value = tsr_asm_slot_place(a, UB_POISON_value);
    tsr_asm_done(a, UB_POISON_value);
    TSR_TRY(tsr_asm_dict(a));
    if (tsr_asm_maybe(a, " <", *value && !tsr_attr_is_struct(*value, &tsr_def_UB_POISON)))
        TSR_TRY(tsr_asm_attr(a, value) && tsr_asm_lit(a, ">"));
    else if (!tsr_asm_writing(a))
        *value = tsr_attr_struct(a->ctx, &tsr_def_UB_POISON, NULL);
    return tsr_asm_lit(a, " : ") && tsr_asm_result_type(a, 0);
}
