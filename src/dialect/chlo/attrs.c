/* SPDX-License-Identifier: Apache-2.0 */
/* attrs.c - assembly of CHLO's attributes. */
#include "dialect/hooks.h"
#include "dialect/stablehlo/stablehlo.h"

bool attr_CHLO_RAGGED_DOT(tsr_asm *a, tsr_attr **params)
{
    static const tsr_hlo_field fields[] = {
        {"lhs_batching_dimensions", true},    {"rhs_batching_dimensions", true},
        {"lhs_contracting_dimensions", true}, {"rhs_contracting_dimensions", true},
        {"lhs_ragged_dimensions", true},      {"rhs_group_dimensions", true},
    };
    return tsr_hlo_fields(a, fields, TSR_COUNT(fields), "ragged dot", params);
}
