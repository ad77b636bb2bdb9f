/* SPDX-License-Identifier: Apache-2.0 */
/* ask.c - lowers ops in a copy before it is differentiated: ops that themselves request derivatives (tessera.forward,
 * reverse, vjp), control flow on scalars, and ops that only lowerings of other dialects handle.
 *
 * An op that requests a derivative becomes a call of it, which is built once per function; the function's own copy goes
 * through here first, so derivatives of derivatives are built from the inside out. */
#include "pass/grad/function.h"

/* ---- Requested derivatives ---- */

static bool asks(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_TESSERA_FORWARD) || tsr_op_is(op, TSR_OP_TESSERA_REVERSE) ||
           tsr_op_is(op, TSR_OP_TESSERA_VJP);
}

static void add_symbol(tsr_grad *g, tsr_op *func)
{
    tsr_map_put(&g->symbols.map, tsr_hash_str(tsr_op_symbol(func)), func);
}

/* f_how, with a number if that symbol exists. */
static void free_name(tsr_grad *g, tsr_str func, const char *how, tsr_buf *name)
{
    int tries = 0;
    do {
        name->len = 0;
        tsr_buf_printf(name, "%.*s_%s", TSR_STR_ARG(func), how);
        if (tries)
            tsr_buf_printf(name, "_%d", tries);
    } while (tsr_symtab_find(&g->symbols, tsr_buf_text(name)) && ++tries);
}

/* All arguments and results count. */
static tsr_op *derivative(tsr_grad *g, const tsr_op *op, tsr_op *func)
{
    bool primal = tsr_op_is(op, TSR_OP_TESSERA_REVERSE);
    tsr_grad_mode mode =
        tsr_op_is(op, TSR_OP_TESSERA_FORWARD) ? TSR_GRAD_FORWARD : TSR_GRAD_REVERSE;
    tsr_str key = primal ? TSR_STR("reverse") : TSR_STR("asked");
    for (size_t i = 0; i < g->made.n; i++) {
        const tsr_grad_made *m = &g->made.data[i];
        if (m->func != func || m->mode != mode || !tsr_str_eq(m->key, key))
            continue;
        if (!m->made)
            tsr_op_error(op, "asks for the derivative of '%.*s', which it is part of",
                         TSR_STR_ARG(tsr_op_symbol(func)));
        return m->made;
    }
    size_t at = g->made.n;
    tsr_vec_push(&g->made, (tsr_grad_made){func, mode, key, NULL});
    tsr_buf args = {0}, results = {0}, name = {0};
    const tsr_type *f = func->attrs[FUNC_FUNC_function_type]->type;
    for (uint32_t i = 0; i < f->n; i++)
        tsr_buf_char(&args, '1');
    for (uint32_t i = 0; i < f->nout; i++)
        tsr_buf_char(&results, '1');
    free_name(g, tsr_op_symbol(func),
              mode == TSR_GRAD_FORWARD ? "jvp"
              : primal                 ? "value_and_grad"
                                       : "vjp",
              &name);
    tsr_grad_request r = {.name = tsr_buf_text(&name),
                          .args = tsr_buf_text(&args),
                          .results = tsr_buf_text(&results),
                          .inner = true,
                          .primal = primal};
    tsr_grad_mode outer = g->mode;
    bool remat = g->remat;
    g->mode = mode;
    g->remat = false;
    tsr_op *made = tsr_grad_build(g, func, &r);
    g->mode = outer;
    g->remat = remat;
    g->made.data[at].made = made;
    if (made)
        add_symbol(g, made);
    tsr_buf_free(&args);
    tsr_buf_free(&results);
    tsr_buf_free(&name);
    return made;
}

static bool same_types(const tsr_op *op, const tsr_op *func)
{
    const tsr_type *f = func->attrs[FUNC_FUNC_function_type]->type;
    bool same = f->n == op->nin && f->nout == op->nout;
    for (uint32_t i = 0; same && i < op->nin; i++)
        same = op->in[i].value->type == f->types[i];
    for (uint32_t i = 0; same && i < op->nout; i++)
        same = op->out[i].type == f->types[f->n + i];
    return same;
}

static void become_call(tsr_op *op, tsr_op *func)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_op *made = tsr_op_like(op, tsr_opdef_of(ctx, TSR_OP_FUNC_CALL));
    made->attrs[FUNC_CALL_callee] = tsr_attr_symbol(ctx, tsr_op_symbol(func), NULL, 0);
    tsr_op_replace(op, made);
}

bool tsr_grad_lower_asked(tsr_grad *g, tsr_op *root)
{
    tsr_op *next;
    for (tsr_op *op = tsr_walk_next(root, root); op; op = next) {
        next = tsr_walk_next(root, op);
        if (!asks(op))
            continue;
        tsr_op *func = tsr_symtab_find(&g->symbols, tsr_attr_of(op, TESSERA_VJP_callee)->s);
        if (!func || !tsr_op_is(func, TSR_OP_FUNC_FUNC))
            return tsr_op_error(op, "names no function of this module");
        tsr_op *made = derivative(g, op, func);
        TSR_TRY(made != NULL);
        if (!same_types(op, made))
            return tsr_op_error(op, "asks for the derivative of a function of scalars; "
                                    "--scf-to-stablehlo makes tensors of them");
        /* It may be in the function after which the derivative was inserted. */
        next = tsr_walk_next(root, op);
        become_call(op, made);
        g->pass->changed = true;
    }
    return true;
}

/* ---- Intermediate functions that are not called in the end ---- */

typedef struct {
    tsr_grad *g;
    uint8_t *named; /* by op id */
} naming;

static bool name(void *user, const tsr_attr *symbol)
{
    naming *n = user;
    const tsr_op *func = tsr_symtab_find(&n->g->symbols, symbol->s);
    if (func)
        n->named[func->id] = 1;
    return true;
}

void tsr_grad_erase_unused(tsr_grad *g)
{
    enum { ROUNDS = 4 }; /* a function called only by such a function is erased in the next round */
    bool some = false;
    for (size_t i = 0; i < g->made.n; i++)
        some |= !memchr(g->made.data[i].key.data, ':', g->made.data[i].key.len);
    for (int round = 0; some && round < ROUNDS; round++) {
        naming n = {.g = g,
                    .named = TSR_NEW_ARRAY(g->pass->scratch, uint8_t, g->root->module->nop + 1)};
        TSR_OPS (g->root, op)
            if (op->nin || op->nout)
                tsr_op_symbol_refs(op, name, &n);
        some = false;
        for (size_t i = 0; i < g->made.n; i++) {
            tsr_grad_made *m = &g->made.data[i];
            if (!m->made || memchr(m->key.data, ':', m->key.len) || n.named[m->made->id])
                continue;
            tsr_op_erase(m->made);
            m->made = NULL;
            some = true;
        }
    }
}

/* ---- Through the lowerings of other dialects, which are above this layer ---- */

static bool run_lowering(tsr_grad *g, tsr_op *func, tsr_str name)
{
    tsr_pipelines *ps = g->pass->pipelines;
    if (!ps)
        return true;
    tsr_pipeline *pl = tsr_pipeline_parse_list(ps, TSR_STR("func.func"), name);
    return pl && tsr_pipeline_run(ps, pl, func, g->pass->options, NULL);
}

static bool has_scalars(tsr_op *func)
{
    const tsr_block *body = func->regions[0].first;
    for (uint32_t i = 0; i < body->nargs; i++) {
        uint8_t kind = body->args[i]->type->kind;
        if (kind == TSR_TYPE_FLOAT || kind == TSR_TYPE_INTEGER || kind == TSR_TYPE_INDEX)
            return true;
    }
    TSR_OPS (func, op)
        if (op->def->opcode != TSR_UNREGISTERED &&
            (tsr_op_in(op, TSR_DIALECT_SCF) || tsr_op_in(op, TSR_DIALECT_ARITH) ||
             tsr_op_is(op, TSR_OP_TENSOR_EXTRACT)))
            return true;
    return false;
}

/* A function on tensors that computes what func computes on scalars, for calls; NULL after a diagnostic. */
static tsr_op *lowered_copy(tsr_grad *g, tsr_op *func)
{
    tsr_str key = TSR_STR("lowered");
    for (size_t i = 0; i < g->made.n; i++)
        if (g->made.data[i].func == func && tsr_str_eq(g->made.data[i].key, key))
            return g->made.data[i].made;
    tsr_mapping map = {0};
    tsr_ctx *ctx = func->module->ctx;
    tsr_op *copy = tsr_op_clone(func->module, func, &map);
    tsr_mapping_free(&map);
    tsr_op_insert(copy, func->block, func->next);
    tsr_buf name = {0};
    free_name(g, tsr_op_symbol(func), "lowered", &name);
    tsr_op_set_attr(copy, TSR_STR("sym_name"), tsr_attr_string(ctx, tsr_buf_text(&name)));
    copy->attrs[FUNC_FUNC_sym_visibility] = tsr_attr_string(ctx, TSR_STR("private"));
    if (copy->extra)
        tsr_op_set_attr(copy, TSR_STR("tessera.autodiff"), NULL);
    tsr_buf_free(&name);
    add_symbol(g, copy);
    tsr_vec_push(&g->made, (tsr_grad_made){func, g->mode, key, copy});
    if (g->depth >= TSR_GRAD_DEPTH) {
        tsr_error(ctx, func->loc, "calls are too deep to be differentiated");
        return NULL;
    }
    g->depth++;
    bool ok = run_lowering(g, copy, TSR_STR("scf-to-stablehlo")) && tsr_grad_fix_calls(g, copy);
    g->depth--;
    return ok ? copy : NULL;
}

bool tsr_grad_fix_calls(tsr_grad *g, tsr_op *func)
{
    TSR_OPS (func, op) {
        if (!tsr_op_is(op, TSR_OP_FUNC_CALL))
            continue;
        tsr_op *callee = tsr_symtab_find(&g->symbols, op->attrs[FUNC_CALL_callee]->s);
        if (!callee || !tsr_op_is(callee, TSR_OP_FUNC_FUNC) || same_types(op, callee))
            continue;
        tsr_op *other = lowered_copy(g, callee);
        TSR_TRY(other != NULL);
        op->attrs[FUNC_CALL_callee] =
            tsr_attr_symbol(func->module->ctx, tsr_op_symbol(other), NULL, 0);
    }
    return true;
}

bool tsr_grad_lower(tsr_grad *g, tsr_op *func)
{
    if (has_scalars(func))
        TSR_TRY(run_lowering(g, func, TSR_STR("scf-to-stablehlo")) && tsr_grad_fix_calls(g, func));
    TSR_TRY(tsr_grad_lower_asked(g, func));
    bool calls = false, any = false;
    TSR_OPS (func, op)
        calls |= tsr_op_is(op, TSR_OP_STABLEHLO_CUSTOM_CALL);
    if (calls)
        TSR_TRY(run_lowering(g, func, TSR_STR("tessera-raise-custom-calls")));
    tsr_grad_raise_composites(func);
    tsr_grad_recognise(func);
    for (tsr_op *op = func; op && !any; op = tsr_walk_next(func, op))
        any = tsr_grad_unfold(op) == unfold_lowered;
    return !any || run_lowering(g, func, TSR_STR("tessera-lower-underived"));
}
