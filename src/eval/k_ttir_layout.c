/* k_ttir_layout.c - changes of layout, which change no value, and ops whose meaning is not in the program. */
#include "eval/k_ttir_cache.h"
#include "eval/kernels.h"

/* A layout says where elements stand in memory; the evaluator has one order. Only the element type may be another. */
bool eval_ttir_layout(tsr_call *c)
{
    if (!c->op->nout)
        return tsr_fail(c, "writes into memory that it is given; only layouts of tensors can be changed");
    const tsr_type *to = c->op->out[0].type;
    const tsr_tensor *x = c->in[0];
    bool fits = to->kind == TSR_TYPE_TENSOR && to->n == x->rank && tsr_dtype_of(to->elem) != TSR_D_NONE;
    for (size_t d = 0; fits && d < x->rank; d++)
        fits = to->dims[d] == TSR_DYNAMIC || to->dims[d] == x->dims[d];
    if (!fits)
        return tsr_fail(c, "gives its tensor another shape, or elements that have no values");
    c->out[0] = tsr_converted(c, c->in[0], to->elem);
    return c->out[0] != NULL;
}

/* Weights and buffers of these two are in orders of the hardware, which nothing in the program says. */
bool eval_ttir_hardware(tsr_call *c)
{
    return tsr_fail(c, "cannot be evaluated: its operands are in an order of the hardware that the program does not say");
}

bool eval_ttir_tt_lang(tsr_call *c)
{
    tsr_str id = tsr_call_attr(c, TTIR_TT_LANG_OP_kernel_id)->s;
    return tsr_fail(c, "cannot be evaluated: kernel '%.*s' is of another language", TSR_STR_ARG(id));
}
