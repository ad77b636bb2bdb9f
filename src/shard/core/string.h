/* SPDX-License-Identifier: Apache-2.0 */
/* string.h - attributes in strings, as frontends write shardings and rules. */
#ifndef TSR_SHARD_STRING_H
#define TSR_SHARD_STRING_H

#include "ir/ir.h"

/* Parses an attribute; NULL if it is invalid, without a diagnostic. */
tsr_attr *tsr_attr_of_string(tsr_op *at, tsr_str text);

#endif
