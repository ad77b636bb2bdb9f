/* SPDX-License-Identifier: Apache-2.0 */
/* autodiff.c - --tessera-lower-autodiff: lowers tessera.forward, reverse and vjp to calls of derivatives, each built
 * once. Needs nothing; breaks ids. --tessera-lower-underived: lowers only ops without a derivative of their own to
 * StableHLO, op by op: other ops would lose their rules if lowered. Needs nothing; breaks ids. */
#include "lower/lower.h"
#include "lower/passes.h"
#include "pass/grad/function.h"

bool pass_tessera_lower_autodiff(tsr_pass *p, tsr_op *root)
{
    tsr_grad g = {.pass = p, .root = root, .b.ctx = p->ctx, .b.module = p->module};
    tsr_symtab_init(&g.symbols, root);
    bool ok = tsr_grad_lower_asked(&g, root);
    tsr_symtab_free(&g.symbols);
    tsr_vec_free(&g.duals);
    tsr_vec_free(&g.made);
    return ok;
}

bool pass_tessera_lower_underived(tsr_pass *p, tsr_op *root)
{
    tsr_op *next;
    for (tsr_op *op = tsr_walk_next(root, root); op; op = next) {
        /* Ops that were inside it are visited where they were moved to. */
        tsr_op *before = op->prev;
        tsr_block *block = op->block;
        if (tsr_grad_unfold(op) != unfold_lowered) {
            next = tsr_walk_next(root, op);
            continue;
        }
        TSR_TRY(tsr_chlo_legalize(op));
        p->changed = true;
        next = before ? before->next : block->first;
    }
    return true;
}
