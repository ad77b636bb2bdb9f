/* SPDX-License-Identifier: Apache-2.0 */
/* strides.h - shardings of one buffer seen through reshapes: the stride of each axis over its elements. */
#ifndef TSR_DIALECT_SDY_STRIDES_H
#define TSR_DIALECT_SDY_STRIDES_H

#include "dialect/sdy/sharding.h"

/* Whether values of types ta and tb with the same elements in the same order are distributed equally over devices by
 * shardings a and b. op: where mesh names are looked up. */
bool tsr_sdy_same_layout(const tsr_op *op, const tsr_attr *a, const tsr_type *ta, const tsr_attr *b,
                         const tsr_type *tb);

#endif
