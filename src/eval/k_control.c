/* k_control.c - calls, branches, loops, tuples and tokens. */
#include <stdlib.h>

#include "eval/kernels.h"
#include "eval/plan.h"

static bool call_function(tsr_call *c, const tsr_attr *callee)
{
    /* Modules inside the module have symbols of their own. */
    const tsr_op *func = tsr_symbol_table_of(c->op) == NULL || tsr_block_parent(tsr_symbol_table_of(c->op)->block) == NULL
                             ? tsr_symtab_find(&c->e->plan->symbols, callee->s)
                             : tsr_symbol_resolve(c->op, callee);
    if (!func || !tsr_op_has(func, TSR_TRAIT(FUNCTION)))
        return tsr_fail(c, "calls '@%.*s', which is no function", TSR_STR_ARG(callee->s));
    if (!c->e->plan->writes)
        return tsr_eval_function(c->e, func, c->in, c->op->nin, c->out);
    /* What the function changed in place, it changed for the caller, too. */
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
    free(changed);
    return ok;
}

bool eval_call(tsr_call *c)
{
    return call_function(c, tsr_call_attr(c, FUNC_CALL_callee));
}

bool eval_composite(tsr_call *c)
{
    return call_function(c, tsr_call_attr(c, STABLEHLO_COMPOSITE_decomposition));
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
    tsr_tensor **now = tsr_xmalloc((n + 1) * sizeof *now), **next = tsr_xmalloc((n + 1) * sizeof *next);
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
        /* The body owns the values of this turn: what it updates, it may update in place. */
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
    free(now);
    free(next);
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
    tsr_attr *value = c->op->attrs[0];
    c->out[0] = tsr_tensor_of_attr(value, c->op->out[0].type);
    if (c->out[0])
        return true;
    /* The value is at fault unless there is no room for any. */
    return tsr_call_static(c, 0) && tsr_fail(c, "has a value that is no dense data");
}
