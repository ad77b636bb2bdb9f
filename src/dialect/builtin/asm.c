/* SPDX-License-Identifier: Apache-2.0 */
/* asm.c - assembly and rules of the builtin ops. */
#include "asm/reader.h"
#include "dialect/hooks.h"

/* module ::= @name? ('attributes' dict)? region */
bool asm_module(tsr_asm *a)
{
    tsr_attr **name = tsr_asm_slot_place(a, BUILTIN_MODULE_sym_name);
    tsr_asm_done(a, BUILTIN_MODULE_sym_name);
    if (tsr_asm_writing(a) ? *name != NULL : tsr_read_is(a->in, TOK_AT))
        TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_slot(a, BUILTIN_MODULE_sym_name));
    return tsr_asm_dict_keyword(a, NULL) && tsr_asm_lit(a, " ") &&
           tsr_asm_region(a, 0, NULL, TSR_REGION_ARGS | TSR_REGION_TERMINATORS);
}

bool verify_module(tsr_op *op)
{
    for (uint32_t i = 0; op->extra && i < op->extra->n; i++) {
        tsr_str name = op->extra->named[i].name->str;
        if (!memchr(name.data, '.', name.len))
            return tsr_op_error(
                op, "can only contain attributes with dialect-prefixed names, found: '%.*s'",
                TSR_STR_ARG(name));
    }
    return true;
}

bool verify_unrealized_conversion_cast(tsr_op *op)
{
    return op->nout || tsr_op_error(op, "expected at least one result for cast operation");
}
