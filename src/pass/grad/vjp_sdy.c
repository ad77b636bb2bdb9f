/* SPDX-License-Identifier: Apache-2.0 */
/* vjp_sdy.c - ops of sdy, which change the placement of a value but not its contents: cotangents pass through
 * unchanged, and get the placement of the operand. */
#include "pass/grad/grad.h"

#include "dialect/sdy/sharding.h"

/* A constraint on a value also applies to its cotangent. */
bool vjp_constraint(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_op *again = tsr_grad_again(&g->b, op, ct, NULL);
    tsr_op_insert(again, g->b.block, g->b.at);
    tsr_grad_add(g, tsr_grad_in(op, 0), &again->out[0]);
    return true;
}

/* Back to the operand's sharding, if it is known. */
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
