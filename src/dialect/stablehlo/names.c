/* SPDX-License-Identifier: Apache-2.0 */
/* names.c - names of results and arguments of StableHLO's ops when printing. */
#include "dialect/hooks.h"

/* %c for integers, %cst for everything else. */
void names_stablehlo_constant(tsr_namer *n, tsr_op *op)
{
    const tsr_type *t = op->nout == 1 ? op->out[0].type : NULL;
    bool integer = tsr_type_is_shaped(t) && tsr_type_is(t->elem, TSR_TYPE_INTEGER);
    if (t)
        tsr_namer_result(n, op, 0, integer ? TSR_STR("c") : TSR_STR("cst"));
}

/* Both regions name their arguments alike, so that the op can write them once. */
void names_stablehlo_while(tsr_namer *n, tsr_op *op)
{
    for (uint16_t r = 0; r < op->nregion; r++) {
        const tsr_block *entry = op->regions[r].first;
        for (uint32_t i = 0; entry && i < entry->nargs; i++)
            tsr_namer_arg(n, entry->args[i], TSR_STR("iterArg"));
    }
}
