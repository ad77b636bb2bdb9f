/* autodiff.c - --tessera-lower-autodiff: tessera.forward, reverse and vjp become calls of
 * derivatives, each made once. needs nothing; breaks ids.
 * --tessera-lower-underived: what has no derivative as it is becomes StableHLO, op by op, and nothing else: lowered
 * ops would lose rules of their own. needs nothing; breaks ids. */
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
        /* What was inside it is looked into where it went. */
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
