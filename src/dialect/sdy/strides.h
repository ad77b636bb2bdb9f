/* strides.h - shardings of one buffer seen through reshapes: which axis strides how far over its elements. */
#ifndef TSR_DIALECT_SDY_STRIDES_H
#define TSR_DIALECT_SDY_STRIDES_H

#include "dialect/sdy/sharding.h"

/* Whether values of types ta and tb that hold the same elements in the same order lie on the same devices under shardings a
 * and b. op: where mesh names are looked up. */
bool tsr_sdy_same_layout(const tsr_op *op, const tsr_attr *a, const tsr_type *ta, const tsr_attr *b,
                         const tsr_type *tb);

#endif
