/* SPDX-License-Identifier: Apache-2.0 */
/* verify_attr.h - the entry point of the dialects' rules for discardable attributes; registration stores it in the
 * context. */
#ifndef TSR_DIALECT_VERIFY_ATTR_H
#define TSR_DIALECT_VERIFY_ATTR_H

#include "dialect/dialect.h"

bool tsr_verify_attr(tsr_op *op, tsr_attr_site site, uint32_t index, const tsr_named *attr);

#endif
