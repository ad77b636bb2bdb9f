/* SPDX-License-Identifier: Apache-2.0 */
/* autodiff.c - --tessera-autodiff: adds derivatives of functions next to them. Needs nothing; keeps the functions
 * themselves; breaks ids. */
#include "pass/grad/function.h"

/* The arguments of interest: those of the list, or all that have numbers. False after a diagnostic. */
static bool read_wrt(tsr_pass *p, const tsr_op *func, const tsr_attr *marked, tsr_buf *mask)
{
    uint32_t n = func->regions[0].first ? func->regions[0].first->nargs : 0;
    tsr_str item;
    bool given = tsr_pass_item(p, "wrt", 0, &item) || tsr_attr_is(marked, TSR_ATTR_DENSE_ARRAY);
    for (uint32_t i = 0; i < n; i++)
        tsr_buf_char(mask, given ? '0' : '1');
    for (size_t i = 0; tsr_pass_item(p, "wrt", i, &item); i++) {
        uint32_t k = 0;
        bool ok = item.len > 0 && item.len < 10;
        for (size_t c = 0; ok && c < item.len; c++) {
            ok = item.data[c] >= '0' && item.data[c] <= '9';
            k = k * 10 + (uint32_t)(item.data[c] - '0');
        }
        if (!ok || k >= n)
            return tsr_error(p->ctx, func->loc,
                             "wrt: there is no argument '%.*s': the function has %u",
                             TSR_STR_ARG(item), n);
        mask->data[k] = '1';
    }
    for (size_t i = 0; !tsr_pass_item(p, "wrt", 0, &item) && given && i < tsr_hlo_len(marked);
         i++) {
        int64_t k = tsr_hlo_at(marked, i);
        if (k < 0 || k >= n)
            return tsr_error(p->ctx, func->loc,
                             "wrt: there is no argument '%lld': the function has %u", (long long)k,
                             n);
        mask->data[k] = '1';
    }
    return true;
}

static bool differentiate(tsr_grad *g, tsr_op *func, const tsr_attr *marked)
{
    tsr_buf args = {0}, results = {0}, name = {0};
    tsr_buf_printf(&name, "%.*s_%s", TSR_STR_ARG(tsr_op_symbol(func)),
                   g->mode == TSR_GRAD_REVERSE ? "grad" : "jvp");
    bool ok = read_wrt(g->pass, func, marked, &args);
    if (ok && tsr_symtab_find(&g->symbols, tsr_buf_text(&name)))
        ok = tsr_error(g->pass->ctx, func->loc, "there is a symbol '%.*s' already",
                       TSR_STR_ARG(tsr_buf_text(&name)));
    const tsr_type *type = func->attrs[FUNC_FUNC_function_type]->type;
    for (uint32_t i = 0; i < type->nout; i++)
        tsr_buf_char(&results, '1');
    tsr_grad_request r = {.name = tsr_buf_text(&name),
                          .args = tsr_buf_text(&args),
                          .results = tsr_buf_text(&results)};
    r.primal = tsr_pass_bool(g->pass, "with-results");
    ok = ok && tsr_grad_build(g, func, &r);
    g->pass->changed |= ok;
    tsr_buf_free(&args);
    tsr_buf_free(&results);
    tsr_buf_free(&name);
    return ok;
}

static bool is_named(tsr_pass *p, tsr_op *func)
{
    tsr_str name;
    for (size_t i = 0; tsr_pass_item(p, "function", i, &name); i++)
        if (tsr_str_eq(name, tsr_op_symbol(func)))
            return true;
    return false;
}

bool pass_tessera_autodiff(tsr_pass *p, tsr_op *root)
{
    tsr_grad g = {.pass = p, .root = root, .b.ctx = p->ctx, .b.module = p->module};
    g.mode = tsr_str_is(tsr_pass_str(p, "mode"), "forward") ? TSR_GRAD_FORWARD : TSR_GRAD_REVERSE;
    g.remat = tsr_str_is(tsr_pass_str(p, "remat"), "cheap");
    bool results = tsr_pass_bool(p, "with-results");
    if (g.mode == TSR_GRAD_FORWARD && (results || g.remat))
        return tsr_error(p->ctx, root->loc, "%s is for reverse mode, and the mode is forward",
                         results ? "with-results" : "remat=cheap");
    tsr_symtab_init(&g.symbols, root);
    bool ok = true;
    tsr_str name;
    for (size_t i = 0; ok && tsr_pass_item(p, "function", i, &name); i++) {
        const tsr_op *f = tsr_symtab_find(&g.symbols, name);
        if (!f || !tsr_op_is(f, TSR_OP_FUNC_FUNC))
            ok = tsr_error(p->ctx, root->loc, "there is no function '%.*s' to differentiate",
                           TSR_STR_ARG(name));
    }
    bool named = tsr_pass_item(p, "function", 0, &name);
    for (tsr_op *op = root->regions[0].first->first, *next; ok && op; op = next) {
        next = op->next;
        if (!tsr_op_is(op, TSR_OP_FUNC_FUNC))
            continue;
        tsr_attr *marked = op->extra ? tsr_dict_get(op->extra, TSR_STR("tessera.autodiff")) : NULL;
        if (named ? is_named(p, op) : marked != NULL)
            ok = differentiate(&g, op, marked);
    }
    if (ok)
        tsr_grad_erase_unused(&g);
    tsr_symtab_free(&g.symbols);
    tsr_vec_free(&g.duals);
    tsr_vec_free(&g.made);
    return ok;
}
