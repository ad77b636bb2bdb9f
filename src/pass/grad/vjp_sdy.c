/* vjp_sdy.c - ops of sdy, which change where a value is and not what it is: cotangents go through unchanged, and are
 * wanted where the value was. */
#include "pass/grad/grad.h"

#include "dialect/sdy/sharding.h"

/* What was asked of a value is asked of its cotangent. */
bool vjp_constraint(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_op *again = tsr_grad_again(&g->b, op, ct, NULL);
    tsr_op_insert(again, g->b.block, g->b.at);
    tsr_grad_add(g, tsr_grad_in(op, 0), &again->out[0]);
    return true;
}

/* Back to where the operand is, if that is known. */
bool vjp_reshard(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_value *x = tsr_grad_in(op, 0);
    tsr_attr *sharding = tsr_sdy_sharding_of(x);
    if (!sharding) {
        tsr_grad_add(g, x, ct[0]);
        return true;
    }
    tsr_op *again = tsr_grad_again(&g->b, op, ct, NULL);
    again->attrs[SDY_RESHARD_sharding] = sharding;
    tsr_op_insert(again, g->b.block, g->b.at);
    tsr_grad_add(g, x, &again->out[0]);
    return true;
}
