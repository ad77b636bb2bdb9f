/* SPDX-License-Identifier: Apache-2.0 */
/* vjp_call.c - calls and composites.
 *
 * A callee is differentiated once for each set of operands and results of interest, as a separate function, which
 * recomputes the values it needs of the forward part. */
#include "pass/grad/nested.h"

/* The callee of a call; NULL after a diagnostic. */
static tsr_op *callee_of(tsr_grad *g, tsr_op *op, int slot)
{
    tsr_op *f = tsr_symtab_find(&g->symbols, tsr_attr_of(op, slot)->s);
    if (f && tsr_op_is(f, TSR_OP_FUNC_FUNC))
        return f;
    tsr_grad_none(op, "its callee is not in the module");
    return NULL;
}

static tsr_op *call(tsr_grad *g, tsr_op *func, const tsr_value_vec *in)
{
    const tsr_type *type = func->attrs[FUNC_FUNC_function_type]->type;
    tsr_op *op = tsr_build_open(&g->b, TSR_OP_FUNC_CALL, in->data, in->n, type->nout, 0);
    op->attrs[FUNC_CALL_callee] = tsr_attr_symbol(g->b.ctx, tsr_op_symbol(func), NULL, 0);
    return tsr_build_close_as(&g->b, op, type->types + type->n);
}

static bool backward(tsr_grad *g, tsr_op *op, tsr_value *const *ct, int slot)
{
    tsr_op *f = callee_of(g, op, slot);
    if (!f)
        return false;
    tsr_buf args = {0}, results = {0};
    tsr_value_vec in = {0};
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_buf_char(&args, tsr_grad_varied(g, tsr_grad_in(op, i)) ? '1' : '0');
        tsr_vec_push(&in, tsr_grad_in(op, i));
    }
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_buf_char(&results, ct[i] ? '1' : '0');
        if (ct[i])
            tsr_vec_push(&in, ct[i]);
    }
    tsr_op *back = tsr_grad_function(g, f, tsr_buf_text(&args), tsr_buf_text(&results));
    if (back) {
        tsr_op *made = call(g, back, &in);
        for (uint32_t i = 0, k = 0; i < op->nin; i++)
            if (args.data[i] == '1')
                tsr_grad_add(g, tsr_grad_in(op, i), &made->out[k++]);
    }
    tsr_buf_free(&args);
    tsr_buf_free(&results);
    tsr_vec_free(&in);
    return back != NULL;
}

static bool forward(tsr_grad *g, tsr_op *op, int slot)
{
    tsr_op *f = callee_of(g, op, slot);
    if (!f)
        return false;
    tsr_buf args = {0}, results = {0};
    tsr_value_vec in = {0};
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_buf_char(&args, tsr_grad_of(g, tsr_grad_in(op, i)) ? '1' : '0');
        tsr_vec_push(&in, tsr_grad_in(op, i));
    }
    for (uint32_t i = 0; i < op->nin; i++)
        if (args.data[i] == '1')
            tsr_vec_push(&in, tsr_grad_of(g, tsr_grad_in(op, i)));
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_buf_char(&results, tsr_grad_wanted(g, &op->out[i]) ? '1' : '0');
    tsr_op *more = tsr_grad_function(g, f, tsr_buf_text(&args), tsr_buf_text(&results));
    if (more) {
        tsr_op *made = call(g, more, &in);
        for (uint32_t i = 0, k = op->nout; i < op->nout; i++) {
            if (results.data[i] == '1')
                tsr_grad_set(g, &op->out[i], &made->out[k++]);
            tsr_grad_replace(g, &op->out[i], &made->out[i]);
        }
    }
    tsr_buf_free(&args);
    tsr_buf_free(&results);
    tsr_vec_free(&in);
    return more != NULL;
}

bool vjp_call(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    return backward(g, op, ct, FUNC_CALL_callee);
}

bool jvp_call(tsr_grad *g, tsr_op *op)
{
    return forward(g, op, FUNC_CALL_callee);
}

bool vjp_composite(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    return backward(g, op, ct, STABLEHLO_COMPOSITE_decomposition);
}

bool jvp_composite(tsr_grad *g, tsr_op *op)
{
    return forward(g, op, STABLEHLO_COMPOSITE_decomposition);
}
