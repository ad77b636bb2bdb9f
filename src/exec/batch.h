/* SPDX-License-Identifier: Apache-2.0 */
/* batch.h - the dimensions of a batch of products, while a program is compiled. */
#ifndef TSR_EXEC_BATCH_H
#define TSR_EXEC_BATCH_H

#include "exec/contract.h"

enum { TSR_BATCH_RANK = TSR_OUTER_RANK + 1 };
typedef struct {
    int64_t size, stride[3]; /* strides by tsr_gemm_of: of both sides and of the result */
} tsr_batch_dim;

/* The dimensions of a product's batch, outermost first; returns how many there are. */
int tsr_batch_dims(const tsr_contract *c, tsr_batch_dim out[TSR_BATCH_RANK]);
/* Sets them, merged where all strides allow it. False: there are too many, and nothing is set. */
bool tsr_batch_set(tsr_arena *arena, tsr_contract *c, const tsr_batch_dim *dims, int n);

#endif
