/* SPDX-License-Identifier: Apache-2.0 */
/* asm.c - assembly of ttcore's ops for which a row's format is not enough. */
#include "dialect/hooks.h"

/* operands dict ':' tuple-type, whose members are the operands' types */
bool asm_ttcore_tuple(tsr_asm *a)
{
    size_t n = tsr_asm_writing(a) ? a->op->nin : SIZE_MAX;
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operands(a, 0, n) && tsr_asm_dict(a) &&
            tsr_asm_lit(a, " : "));
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_result_type(a, 0));
    if (tsr_asm_writing(a))
        return true;
    tsr_type *tuple = a->st->result_types.data[0];
    if (tuple->kind != TSR_TYPE_TUPLE)
        return tsr_asm_error_at(a, loc, "Expected tuple type");
    for (uint32_t i = 0; i < tuple->n; i++)
        tsr_vec_push(&a->st->operand_types, tuple->types[i]);
    return true;
}

/* '(' callee ',' '[' operands ']' ')' dict ':' functional-type */
bool asm_ttcore_load_cached(tsr_asm *a)
{
    size_t n = tsr_asm_writing(a) ? a->op->nin : SIZE_MAX;
    return tsr_asm_lit(a, "(") && tsr_asm_slot(a, TTCORE_LOAD_CACHED_callee) &&
           tsr_asm_lit(a, ", [") && tsr_asm_operands(a, 0, n) && tsr_asm_lit(a, "])") &&
           tsr_asm_dict(a) && tsr_asm_lit(a, " : ") && tsr_asm_functional_type(a);
}

/* name '=' type ('[' number ']')? dict */
bool asm_ttcore_global(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_slot(a, TTCORE_GLOBAL_sym_name) &&
            tsr_asm_lit(a, " = ") && tsr_asm_slot(a, TTCORE_GLOBAL_type));
    tsr_attr **index = tsr_asm_slot_place(a, TTCORE_GLOBAL_index);
    if (tsr_asm_maybe(a, " [", *index != NULL)) {
        int64_t i = *index ? (*index)->i : 0;
        TSR_TRY(tsr_asm_int(a, &i) && tsr_asm_lit(a, "]"));
        if (!tsr_asm_writing(a))
            *index = tsr_attr_int(a->ctx, tsr_type_integer(a->ctx, 32, TSR_SIGNED), i);
        tsr_asm_done(a, TTCORE_GLOBAL_index);
    }
    return tsr_asm_dict(a);
}
