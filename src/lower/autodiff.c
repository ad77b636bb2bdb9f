/* autodiff.c - --tessera-lower-autodiff: tessera.forward, reverse and vjp become calls of
 * derivatives, each made once. needs nothing; breaks ids. */
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
