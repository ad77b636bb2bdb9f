/* SPDX-License-Identifier: Apache-2.0 */
/* control.c - calls, branches, loops, tuples and tokens. */
#include <stdlib.h>

#include "eval/kernel/kernels.h"
#include "eval/plan.h"

static bool has_body(const tsr_op *f)
{
    return f->nregion && f->regions[0].first;
}

const tsr_op *tsr_host_function(const tsr_op *module, tsr_str name)
{
    static const char end[] = "_decl";
    size_t n = sizeof end - 1;
    tsr_str bare = name.len > n && !memcmp(name.data + name.len - n, end, n)
                       ? tsr_str_of(name.data, name.len - n)
                       : name;
    for (tsr_op *root = (tsr_op *)module, *op = root, *next; op; op = next) {
        bool function = tsr_op_has(op, TSR_TRAIT(FUNCTION)); /* they are not nested */
        next = function ? tsr_walk_past(root, op) : tsr_walk_next(root, op);
        if (function && has_body(op) &&
            (tsr_str_eq(tsr_op_symbol(op), name) || tsr_str_eq(tsr_op_symbol(op), bare)))
            for (const tsr_op *p = tsr_block_parent(op->block); p; p = tsr_block_parent(p->block))
                if (tsr_op_is(p, TSR_OP_TTCORE_CPU_MODULE))
                    return op;
    }
    return NULL;
}

bool tsr_call_symbol(tsr_call *c, const tsr_attr *symbol)
{
    /* Nested modules have symbols of their own. */
    const tsr_op *table = tsr_symbol_table_of(c->op);
    const tsr_op *func = !table || table == c->e->module->op
                             ? tsr_symtab_find(&c->e->plan->symbols, symbol->s)
                             : tsr_symbol_resolve(c->op, symbol);
    if (!func || !tsr_op_has(func, TSR_TRAIT(FUNCTION)))
        return tsr_fail(c, "calls '@%.*s', which is no function", TSR_STR_ARG(symbol->s));
    if (!has_body(func)) {
        func = tsr_host_function(c->e->module->op, symbol->s);
        if (!func)
            return tsr_fail(c,
                            "calls '@%.*s', which is declared only: its body is not in the module",
                            TSR_STR_ARG(symbol->s));
    }
    if (!c->e->plan->writes)
        return tsr_eval_function(c->e, func, c->in, c->op->nin, c->out);
    /* Arguments that the function changed in place are changed for the caller too. */
    tsr_tensor **changed = tsr_xmalloc((c->op->nin + 1) * sizeof *changed);
    memset(changed, 0, (c->op->nin + 1) * sizeof *changed);
    bool ok = tsr_eval_changing(c->e, func, c->in, c->op->nin, c->out, changed);
    for (uint32_t i = 0; i < c->op->nin; i++) {
        if (!changed[i])
            continue;
        tsr_tensor **slot = &c->frame->slots[c->e->plan->slot[c->op->in[i].value->id]];
        tsr_tensor_unref(*slot);
        *slot = changed[i];
    }
    tsr_free(changed);
    return ok;
}

bool eval_call(tsr_call *c)
{
    return tsr_call_symbol(c, tsr_call_attr(c, FUNC_CALL_callee));
}

bool eval_composite(tsr_call *c)
{
    return tsr_call_symbol(c, tsr_call_attr(c, STABLEHLO_COMPOSITE_decomposition));
}

/* Operands as results, one by one. */
bool eval_identity(tsr_call *c)
{
    for (uint32_t i = 0; i < c->op->nout; i++)
        c->out[i] = tsr_call_take(c, i);
    return true;
}

bool eval_if(tsr_call *c)
{
    bool truth = tsr_get_int(c->in[0], 0) != 0;
    return tsr_eval_region(c, &c->op->regions[truth ? 0 : 1], NULL, 0, c->out, c->op->nout);
}

bool eval_case(tsr_call *c)
{
    int64_t i = tsr_get_int(c->in[0], 0);
    if (i < 0 || i >= c->op->nregion)
        i = c->op->nregion - 1; /* out of range: the last branch */
    return tsr_eval_region(c, &c->op->regions[i], NULL, 0, c->out, c->op->nout);
}

bool eval_while(tsr_call *c)
{
    uint32_t n = c->op->nin;
    tsr_tensor **now = tsr_xmalloc((n + 1) * sizeof *now),
               **next = tsr_xmalloc((n + 1) * sizeof *next);
    for (uint32_t i = 0; i < n; i++)
        now[i] = tsr_call_take(c, i);
    bool ok = true, go = true;
    while (ok) {
        tsr_tensor *truth = NULL;
        ok = tsr_eval_region(c, &c->op->regions[0], now, n, &truth, 1);
        tsr_eval_region_clear(c, &c->op->regions[0]);
        go = ok && tsr_get_int(truth, 0) != 0;
        tsr_tensor_unref(truth);
        if (!go)
            break;
        /* The body owns the values of this iteration: it may update them in place. */
        memset(next, 0, (n + 1) * sizeof *next);
        ok = tsr_eval_region_own(c, &c->op->regions[1], now, n, next, n);
        tsr_eval_region_clear(c, &c->op->regions[1]);
        memcpy(now, next, n * sizeof *now);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (ok)
            c->out[i] = now[i];
        else
            tsr_tensor_unref(now[i]);
    }
    tsr_free(now);
    tsr_free(next);
    return ok;
}

bool eval_tuple(tsr_call *c)
{
    c->out[0] = tsr_tuple_new(c->in, c->op->nin);
    return c->out[0] || tsr_fail_memory(c, "a tuple");
}

bool eval_get_tuple_element(tsr_call *c)
{
    int64_t i = tsr_call_attr(c, STABLEHLO_GET_TUPLE_ELEMENT_index)->i;
    if (c->in[0]->kind != TSR_TUPLE || i < 0 || i >= c->in[0]->n)
        return tsr_fail(c, "takes an element that the tuple does not have");
    c->out[0] = tsr_tensor_ref(c->in[0]->items[i]);
    return true;
}

bool eval_token(tsr_call *c)
{
    c->out[0] = tsr_token_new();
    return c->out[0] || tsr_fail_memory(c, "a token");
}

bool eval_constant(tsr_call *c)
{
    const tsr_attr *value = c->op->attrs[0];
    tsr_attr held;
    if (tsr_attr_is(value, TSR_ATTR_DENSE_RESOURCE) && c->e->plan) {
        const char *wrong = tsr_blob_elements(&c->e->plan->blobs, value, &held);
        if (wrong)
            return tsr_fail(c, "names the resource '%.*s', %s", TSR_STR_ARG(value->s), wrong);
        value = &held;
    }
    c->out[0] = tsr_tensor_of_attr(value, c->op->out[0].type);
    if (c->out[0])
        return true;
    /* The value is at fault unless memory ran out. */
    return tsr_call_static(c, 0) &&
           (tsr_attr_is(value, TSR_ATTR_DENSE) ? tsr_fail_memory(c, "its value")
                                               : tsr_fail(c, "has a value that is no dense data"));
}
