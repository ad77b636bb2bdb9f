/* SPDX-License-Identifier: Apache-2.0 */
/* verify_attr.c - rules of dialects for discardable attributes with their prefix, on ops of any dialect. */
#include "dialect/verify_attr.h"

#include "dialect/sdy/verify.h"

static const struct {
    const char *prefix;
    bool (*check)(tsr_op *op, tsr_attr_site site, uint32_t index, const tsr_named *attr);
} hooks[] = {
    {"sdy.", tsr_sdy_verify_attr},
};

bool tsr_verify_attr(tsr_op *op, tsr_attr_site site, uint32_t index, const tsr_named *attr)
{
    for (size_t i = 0; i < TSR_COUNT(hooks); i++)
        if (tsr_str_starts(attr->name->str, hooks[i].prefix))
            return hooks[i].check(op, site, index, attr);
    return true;
}
