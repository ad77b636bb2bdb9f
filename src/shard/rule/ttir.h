/* SPDX-License-Identifier: Apache-2.0 */
/* ttir.h - shared helpers of the hooks of the column SPLIT (rule/ttir.c, rule/ttir_layers.c). */
#ifndef TSR_SHARD_RULE_TTIR_H
#define TSR_SHARD_RULE_TTIR_H

#include "shard/rule/build.h"

#include "shard/rule/ttir_tables.h"

/* The number in a slot, or the default if it is absent. */
int64_t tsr_ttir_slot(const tsr_rule_build *b, int slot, int64_t otherwise);
/* -1 is the last dimension of tensor t. */
int64_t tsr_ttir_dim(const tsr_rule_build *b, uint32_t t, int64_t d);
/* Dimension in of operand 0 becomes dimension out of result 0. */
void tsr_ttir_through(tsr_rule_build *b, int64_t in, int64_t out);
/* Dimension d of tensor t must be whole. */
void tsr_ttir_whole(tsr_rule_build *b, uint32_t t, int64_t d);
/* All tensors have the same rank, and dimensions pass through one by one, except this one and those that change
 * size. */
bool tsr_ttir_all_but(tsr_rule_build *b, int64_t dim);

#endif
