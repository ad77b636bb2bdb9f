/* ttnn.c - ops of TTNN: those that TTIR has run by TTIR's kernels on a view of the op (dialect/ttnn/view.h); the others say where a
 * tensor is, which is no matter of values, and when its memory ends, which is checked. */
#include "eval/kernel/kernels.h"
#include "eval/plan.h"

bool eval_ttnn(tsr_call *c)
{
    const tsr_plan *p = c->e->plan;
    const tsr_op *view = p->views ? p->views[c->op->id] : NULL;
    eval_fn *kernel = view ? tsr_kernel_of(view) : NULL;
    tsr_call inner = *c;
    if (!kernel)
        return tsr_fail(c, "cannot be evaluated with these attributes");
    inner.op = view;
    return tsr_check_divisors(&inner) && kernel(&inner);
}

/* to_device: the values stay as they are. */
bool eval_ttnn_place(tsr_call *c)
{
    c->out[0] = tsr_call_take(c, 0);
    return true;
}

/* The value is gone: who uses it afterwards finds nothing. */
bool eval_ttnn_deallocate(tsr_call *c)
{
    tsr_tensor **slot = tsr_frame_at(c->frame, c->e->plan, c->op->in[0].value);
    tsr_tensor_unref(*slot);
    *slot = NULL;
    return true;
}
