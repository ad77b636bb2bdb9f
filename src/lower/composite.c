/* SPDX-License-Identifier: Apache-2.0 */
/* composite.c - --stablehlo-legalize-composite-to-call: converts composites to calls of their decompositions, except
 * those of the listed names. Needs nothing; breaks ids. */
#include "dialect/dialect.h"
#include "lower/passes.h"

static bool excepted(const tsr_pass *p, tsr_str name)
{
    tsr_str item;
    for (size_t i = 0; tsr_pass_item(p, "except", i, &item); i++)
        if (tsr_str_eq(item, name))
            return true;
    return false;
}

static void call(tsr_op *op)
{
    tsr_op *made = tsr_op_like(op, tsr_opdef_of(op->module->ctx, TSR_OP_FUNC_CALL));
    made->attrs[FUNC_CALL_callee] = tsr_attr_of(op, STABLEHLO_COMPOSITE_decomposition);
    tsr_op_replace(op, made);
}

bool pass_stablehlo_legalize_composite_to_call(tsr_pass *p, tsr_op *root)
{
    tsr_op *next;
    for (tsr_op *op = tsr_walk_next(root, root); op; op = next) {
        bool it_is = tsr_op_is(op, TSR_OP_STABLEHLO_COMPOSITE) &&
                     !excepted(p, tsr_attr_of(op, STABLEHLO_COMPOSITE_name)->s);
        /* Skips the regions that are erased with it: a composite is its decomposition, its regions are arguments of
         * it. */
        tsr_op *before = op->prev;
        tsr_block *block = op->block;
        if (it_is) {
            call(op);
            p->changed = true;
            op = before ? before->next : block->first;
        }
        next = tsr_walk_next(root, op);
    }
    return true;
}
