/* SPDX-License-Identifier: Apache-2.0 */
/* invariants.c - what must hold of the rule of an op, whoever made it. */
#include "shard/rule/invariants.h"

static const tsr_type *type_of(const tsr_op *op, uint32_t tensor)
{
    return tensor < op->nin ? op->in[tensor].value->type : op->out[tensor - op->nin].type;
}

/* No factor is twice on the tensor; sharding it would shard two dimensions along the same axes. */
static bool once_each(const tsr_rule *r, uint32_t tensor)
{
    uint32_t first = r->first[r->dims[tensor]], end = r->first[r->dims[tensor + 1]];
    for (uint32_t i = first; i < end; i++)
        for (uint32_t k = first; k < i; k++)
            if (r->factors[i] == r->factors[k])
                return false;
    return true;
}

/* A dimension that is made of several factors has room for all of them. A convolution's windows may leave a rest. */
static bool sizes_fit(const tsr_rule *r, uint32_t dim, int64_t size)
{
    int64_t product = 1;
    for (uint32_t i = r->first[dim]; i < r->first[dim + 1]; i++)
        if (__builtin_mul_overflow(product, r->sizes[r->factors[i]], &product))
            return false;
    return r->first[dim + 1] - r->first[dim] < 2 || product <= size;
}

bool tsr_rule_sound(const tsr_rule *r, const tsr_op *op)
{
    /* The user's may have other sizes than the dimensions. */
    bool given = r->custom || tsr_op_attr(op, TSR_STR("sdy.sharding_rule"));
    if (r->noperand != op->nin || r->nresult != op->nout)
        return false;
    for (uint32_t f = 0; f < r->nfactor; f++)
        if (r->sizes[f] < 0 || r->kinds[f] > TSR_FACTOR_PERMUTATION || r->blocked[f] > 1)
            return false;
    for (uint32_t t = 0; t < tsr_rule_tensors(r); t++) {
        const tsr_type *type = type_of(op, t);
        uint32_t rank = tsr_type_is_shaped(type) ? type->n : 0;
        if (tsr_rule_rank(r, t) != rank || !once_each(r, t))
            return false;
        for (uint32_t d = 0; d < rank && !given; d++)
            if (!sizes_fit(r, r->dims[t] + d, type->dims[d]))
                return false;
    }
    return true;
}
