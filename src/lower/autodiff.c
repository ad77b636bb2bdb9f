/* autodiff.c - --tessera-lower-autodiff: tessera.forward, reverse and vjp become calls of
 * derivatives, each made once. needs nothing; breaks ids. */
#include "lower/passes.h"
#include "pass/grad/function.h"

/* All arguments and results count. */
static tsr_op *derivative(tsr_grad *g, tsr_op *func, bool primal)
{
    tsr_buf args = {0}, results = {0}, name = {0};
    const tsr_type *f = func->attrs[FUNC_FUNC_function_type]->type;
    for (uint32_t i = 0; i < f->n; i++)
        tsr_buf_char(&args, '1');
    for (uint32_t i = 0; i < f->nout; i++)
        tsr_buf_char(&results, '1');
    const char *how = g->mode == TSR_GRAD_FORWARD ? "jvp" : primal ? "value_and_grad" : "vjp";
    int tries = 0;
    do {
        name.len = 0;
        tsr_buf_printf(&name, "%.*s_%s", TSR_STR_ARG(tsr_op_symbol(func)), how);
        if (tries)
            tsr_buf_printf(&name, "_%d", tries);
    } while (tsr_symbol_find(g->root, tsr_buf_text(&name)) && ++tries);
    tsr_grad_request r = {.name = tsr_buf_text(&name),
                          .args = tsr_buf_text(&args),
                          .results = tsr_buf_text(&results),
                          .inner = true,
                          .primal = primal};
    tsr_op *made = tsr_grad_build(g, func, &r);
    tsr_buf_free(&args);
    tsr_buf_free(&results);
    tsr_buf_free(&name);
    return made;
}

static void call(tsr_op *op, tsr_op *func)
{
    tsr_value_vec in = {0};
    tsr_type_vec types = {0};
    tsr_ctx *ctx = op->module->ctx;
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&in, op->in[i].value);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&types, op->out[i].type);
    tsr_op *made = tsr_op_new(op->module, tsr_opdef_of(ctx, TSR_OP_FUNC_CALL), op->loc, in.data,
                              in.n, types.data, types.n, 0, 0);
    made->attrs[FUNC_CALL_callee] = tsr_attr_symbol(ctx, tsr_op_symbol(func), NULL, 0);
    tsr_op_insert(made, op->block, op);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_value_replace(&op->out[i], &made->out[i]);
    tsr_op_erase(op);
    tsr_vec_free(&in);
    tsr_vec_free(&types);
}

typedef struct {
    const tsr_op *func;
    uint16_t opcode;
    tsr_op *made;
} known;

bool pass_tessera_lower_autodiff(tsr_pass *p, tsr_op *root)
{
    tsr_grad g = {.pass = p, .root = root, .b.ctx = p->ctx, .b.module = p->module};
    tsr_symtab_init(&g.symbols, root);
    TSR_VEC(known) all = {0};
    bool ok = true;
    tsr_op *next;
    for (tsr_op *op = tsr_walk_next(root, root); ok && op; op = next) {
        next = tsr_walk_next(root, op);
        uint16_t code = op->def->opcode;
        if (code != TSR_OP_TESSERA_FORWARD && code != TSR_OP_TESSERA_REVERSE &&
            code != TSR_OP_TESSERA_VJP)
            continue;
        tsr_op *func = tsr_symtab_find(&g.symbols, tsr_attr_of(op, TESSERA_VJP_callee)->s),
               *made = NULL;
        for (size_t i = 0; i < all.n; i++)
            if (all.data[i].func == func && all.data[i].opcode == code)
                made = all.data[i].made;
        g.mode = code == TSR_OP_TESSERA_FORWARD ? TSR_GRAD_FORWARD : TSR_GRAD_REVERSE;
        if (!func || !tsr_op_is(func, TSR_OP_FUNC_FUNC))
            ok = tsr_op_error(op, "names no function of this module");
        else if (!made)
            ok = (made = derivative(&g, func, code == TSR_OP_TESSERA_REVERSE)) != NULL;
        if (!ok)
            break;
        tsr_vec_push(&all, ((known){func, code, made}));
        call(op, made);
        p->changed = true;
    }
    tsr_symtab_free(&g.symbols);
    tsr_vec_free(&g.duals);
    tsr_vec_free(&g.made);
    tsr_vec_free(&all);
    return ok;
}
