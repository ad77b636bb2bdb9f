/* params.c - attributes of TTIR's ops as dialect/params.h has them. */
#include "dialect/hooks.h"

void params_ttir_dot_general(const tsr_op *op, tsr_dot *d)
{
    d->batch[0] = tsr_attr_ints(tsr_attr_of(op, TTIR_DOT_GENERAL_batch_dims_lhs));
    d->batch[1] = tsr_attr_ints(tsr_attr_of(op, TTIR_DOT_GENERAL_batch_dims_rhs));
    d->contract[0] = tsr_attr_ints(tsr_attr_of(op, TTIR_DOT_GENERAL_contract_dims_lhs));
    d->contract[1] = tsr_attr_ints(tsr_attr_of(op, TTIR_DOT_GENERAL_contract_dims_rhs));
}
