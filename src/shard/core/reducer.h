/* reducer.h - bodies that join two values by one op, and what these ops leave alone. */
#ifndef TSR_SHARD_CORE_REDUCER_H
#define TSR_SHARD_CORE_REDUCER_H

#include "dialect/dialect.h"

/* The op of a stablehlo.reduce's body of two arguments, when it is the only one; NULL otherwise. */
const tsr_op *tsr_reducer_of(const tsr_op *reduce);
/* The scalar that changes nothing when op joins it with another: of maxima and minima of floats the
 * infinite one, or the greatest finite one (which changes infinities; Shardy has it in scatters).
 * NULL: none is known. op may be NULL. */
tsr_attr *tsr_reducer_identity(tsr_module *m, const tsr_op *op, tsr_type *elem, bool finite);

#endif
